//! Inner loops that write arrays of the outer loop's body, each iteration elements of its own.
#![allow(unused_qualifications, clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::on_every_device;

#[omp::offload]
fn rows_of_tiles(d: usize, x: &[f64], y: &mut [f64]) {
    #[omp::target(device(d))]
    for e in 0..4usize {
        let mut t = [[0.0; 5]; 6];
        let mut s = [0.0f64; 6];
        #[omp::parallel_for(collapse(2))]
        for i in 0..6 {
            for j in 0..5 {
                t[i][j] = x[e * 30 + i * 5 + j] * 2.0;
                t[i][j] += 1.0;
            }
        }
        #[omp::parallel_for]
        for i in 0..6 {
            let mut a = 0.0;
            for j in 0..5 {
                a += t[i][j];
            }
            s[i] = a;
        }
        let mut all = 0.0;
        #[omp::parallel_for(reduction(+: all))]
        for i in 0..6 {
            all += s[i];
        }
        #[omp::parallel_for(num_threads(4))]
        for i in 0..6 {
            y[e * 6 + i] = s[i] + all;
        }
    }
}

/// The closures' parameters have the names of the loops' variables.
#[omp::offload]
fn contracted<const D: usize, const Q: usize>(d: usize, b: &[[f64; D]; Q], x: &[f64], y: &mut [f64]) {
    #[omp::target(device(d))]
    for e in 0..3usize {
        let dof = |dx: usize, dy: usize| dx + D * (dy + D * e);
        let mut rows = [[0.0; Q]; D];
        #[omp::parallel_for(collapse(2))]
        for dy in 0..D {
            for qx in 0..Q {
                let mut u = 0.0;
                for dx in 0..D {
                    u += b[qx][dx] * x[dof(dx, dy)];
                }
                rows[dy][qx] = u;
            }
        }
        #[omp::parallel_for(collapse(2))]
        for qy in 0..Q {
            for qx in 0..Q {
                let mut u = 0.0;
                for dy in 0..D {
                    u += b[qy][dy] * rows[dy][qx];
                }
                y[(e * Q + qy) * Q + qx] = u;
            }
        }
    }
}

#[test]
fn iterations_write_their_elements_of_arrays_around() {
    let x: Vec<f64> = (0..120).map(|k| (k % 17) as f64).collect();
    let b = [[0.5, 1.0], [2.0, 0.25], [1.0, 4.0]];
    on_every_device(|d| {
        let mut y = vec![0.0; 24];
        rows_of_tiles(d, &x, &mut y);
        for e in 0..4 {
            let s: Vec<f64> =
                (0..6).map(|i| (0..5).map(|j| x[e * 30 + i * 5 + j] * 2.0 + 1.0).sum()).collect();
            let all: f64 = s.iter().sum();
            for i in 0..6 {
                assert_eq!(y[e * 6 + i], s[i] + all, "{e} {i} on {d}");
            }
        }
        let mut y = vec![0.0; 27];
        contracted(d, &b, &x, &mut y);
        for e in 0..3 {
            for qy in 0..3 {
                for qx in 0..3 {
                    let at = |dx: usize, dy: usize| x[dx + 2 * (dy + 2 * e)];
                    let row = |dy: usize| b[qx][0] * at(0, dy) + b[qx][1] * at(1, dy);
                    assert_eq!(y[(e * 3 + qy) * 3 + qx], b[qy][0] * row(0) + b[qy][1] * row(1), "on {d}");
                }
            }
        }
    });
}
