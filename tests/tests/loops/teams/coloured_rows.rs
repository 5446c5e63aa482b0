//! Updates of every second element of a row, by its neighbours in the row and in the rows around: no iteration of the inner loop reads what
//! another one writes, and the threads of a team share it.
#![forbid(unsafe_code)]
use omp_tests::{Values, on_every_device, twice};

twice! {
    pub fn red_black(d: usize, n: usize, colour: usize, u: &mut [f32], f: &[f32]) {
        #[omp::target(device(d), fp(strict))]
        for i in 1..n - 1 {
            for j in (1 + (i + colour) % 2..n - 1).step_by(2) {
                let around = u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1] + u[i * n + j + 1];
                u[i * n + j] = 0.25 * (around - f[i * n + j]);
            }
        }
    }

    // The element before is written by another iteration: they stay in order.
    pub fn sweeps(d: usize, n: usize, u: &mut [f32]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..n {
            for j in (2..n).step_by(2) {
                u[i * n + j] += 0.5 * u[i * n + j - 2];
            }
        }
    }

    // The row after is another array for the loop: no variable has the elements of both.
    pub fn next_row(d: usize, n: usize, p: usize, a: &[f32], c: &mut [f32]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..c.len() / n / 2 {
            for k in 0..p {
                for j in 0..n {
                    c[i * 2 * n + j] += a[i * p + k] * c[i * 2 * n + j + n];
                    c[i * 2 * n + j + n] *= 0.5;
                }
            }
        }
    }

    // A row of the loop is longer than the distance of what it reads and writes.
    pub fn beyond(d: usize, n: usize, by: usize, u: &mut [u32]) {
        #[omp::target(device(d))]
        for i in 0..n {
            for j in by..2 * n {
                u[i * 2 * n + j] = u[i * 2 * n + j - by] + 1;
            }
        }
    }
}

#[test]
fn colours_keep_neighbours_apart() {
    for n in [3, 4, 66, 301] {
        let mut r = Values(5);
        let [start, f]: [Vec<f32>; 2] =
            std::array::from_fn(|_| (0..n * n).map(|_| r.unit() as f32).collect());
        let mut expected = start.clone();
        for colour in [0, 1] {
            plain::red_black(0, n, colour, &mut expected, &f);
        }
        on_every_device(|d| {
            let mut u = start.clone();
            for colour in [0, 1] {
                device::red_black(d, n, colour, &mut u, &f);
                let report = omp::last_region();
                if report.backend == "cuda" && n > 100 {
                    assert_eq!(report.grid, [n as u32 - 2, 1, 1], "{report}");
                }
            }
            assert_eq!(u, expected, "{n} on {d}");
        });
    }
}

#[test]
fn rows_that_a_loop_reads_and_writes_are_apart() {
    for (rows, n, p) in [(64, 100_000, 3), (64, 40, 5), (1, 1, 1)] {
        let mut r = Values(5);
        let [start, a]: [Vec<f32>; 2] =
            [rows * 2 * n, rows * p].map(|len| (0..len).map(|_| r.unit() as f32).collect());
        let mut expected = start.clone();
        plain::next_row(0, n, p, &a, &mut expected);
        on_every_device(|d| {
            let mut c = start.clone();
            device::next_row(d, n, p, &a, &mut c);
            assert!(c == expected, "{n} on {d}");
        });
    }
}

#[test]
fn what_earlier_iterations_write_comes_in_order() {
    for n in [1, 2, 65, 200] {
        let start: Vec<f32> = (0..n * n).map(|i| (i % 13) as f32).collect();
        let mut expected = start.clone();
        plain::sweeps(0, n, &mut expected);
        let mut rows: Vec<u32> = (0..2 * n * n).map(|i| i as u32 % 7).collect();
        let given = rows.clone();
        plain::beyond(0, n, n, &mut rows);
        on_every_device(|d| {
            let mut u = start.clone();
            device::sweeps(d, n, &mut u);
            assert_eq!(u, expected, "{n} on {d}");
            let mut v = given.clone();
            device::beyond(d, n, n, &mut v);
            assert_eq!(v, rows, "{n} on {d}");
        });
    }
}
