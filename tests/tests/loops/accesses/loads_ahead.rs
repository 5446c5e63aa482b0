//! Sequential loops that run in order, one for each of few threads or along a row of each thread: on CUDA, builds without overflow checks
//! load several iterations ahead. Each against the same without directives.
#![allow(clippy::all, clippy::pedantic, missing_docs)]
use omp_tests::twice;

twice! {
    /// Tridiagonal systems, an element of each in a row: what the second loop reads, the first one and the loop itself store.
    #[omp::offload]
    pub fn systems(m: usize, n: usize, [a, b, c, d]: [&[f32]; 4], cp: &mut [f32], x: &mut [f32]) {
        #[omp::target(fp(strict))]
        for s in 0..m {
            cp[s] = c[s] / b[s];
            x[s] = d[s] / b[s];
            for i in 1..n {
                let w = 1.0 / (b[i * m + s] - a[i * m + s] * cp[(i - 1) * m + s]);
                cp[i * m + s] = c[i * m + s] * w;
                x[i * m + s] = (d[i * m + s] - a[i * m + s] * x[(i - 1) * m + s]) * w;
            }
            for i in (0..n - 1).rev() {
                x[i * m + s] = x[i * m + s] - cp[i * m + s] * x[(i + 1) * m + s];
            }
        }
    }
    /// Along rows, with a subscript that has a name, and elements of 8 bytes and of one.
    #[omp::offload]
    pub fn rows(n: usize, a: &[f64], signs: &[i8], y: &mut [f64]) {
        let m = y.len() / n;
        #[omp::target(fp(strict))]
        for r in 0..m {
            let mut v = 0.5;
            for k in 0..n {
                let at = r * n + k;
                v = 0.75 * v + a[at];
                if signs[at] < 0 {
                    v = -v;
                }
                y[at] = v;
            }
        }
    }
    /// The stride is a number of the launch: if it is 0, all iterations have one element.
    #[omp::offload]
    pub fn strided(m: usize, n: usize, stride: usize, a: &[u32], x: &mut [u32]) {
        #[omp::target]
        for s in 0..m {
            for i in 0..n {
                x[s + i * stride] = (x[s + i * stride] ^ a[s + i * m]).wrapping_mul(5);
            }
        }
    }
    /// The elements after and before are stored in the loop, and one is stored before it is read.
    #[omp::offload]
    pub fn neighbours(m: usize, n: usize, a: &[u32], x: &mut [u32], y: &mut [u32]) {
        #[omp::target]
        for s in 0..m {
            for i in 1..n - 1 {
                x[i * m + s] = x[(i + 1) * m + s] ^ x[(i - 1) * m + s].wrapping_mul(3) ^ a[i * m + s];
                y[i * m + s] = a[(i + 1) * m + s];
                y[i * m + s] = y[i * m + s].wrapping_add(x[i * m + s]);
            }
        }
    }
    /// Loops that end early, and bounds that the code computes.
    #[omp::offload]
    pub fn ends(m: usize, n: usize, a: &[u32], len: &[usize], y: &mut [u32]) {
        #[omp::target]
        for s in 0..m {
            let mut v = 1u32;
            for i in 0..n {
                if v % 1009 == 7 {
                    break;
                }
                v = v.wrapping_mul(a[i * m + s] | 1);
            }
            let end = len[s].min(n);
            for i in s % 3..end {
                v = v.wrapping_mul(5) ^ a[i * m + s];
            }
            y[s] = v;
        }
    }
}

fn numbers(n: usize, by: usize) -> Vec<f32> {
    (0..n).map(|i| (i * by % 1013) as f32 / 1013.0 - 0.5).collect()
}

#[test]
fn recurrences_have_the_bits_of_the_host() {
    omp_tests::on_every_device(|d| {
        omp::set_default_device(d);
        for (m, n) in [(1, 200), (33, 64), (70, 65), (5, 161), (300, 2), (40, 63)] {
            let (a, c, e) = (numbers(m * n, 17), numbers(m * n, 31), numbers(m * n, 53));
            let b: Vec<f32> = numbers(m * n, 7).iter().map(|v| v + 3.0).collect();
            let (mut cp, mut x, mut want_cp, mut want) =
                (vec![0.0; m * n], vec![0.0; m * n], vec![0.0; m * n], vec![0.0; m * n]);
            device::systems(m, n, [&a, &b, &c, &e], &mut cp, &mut x);
            plain::systems(m, n, [&a, &b, &c, &e], &mut want_cp, &mut want);
            assert!(x == want, "systems of {m} x {n} on {d}");
            assert!(cp == want_cp, "factors of {m} x {n} on {d}");
            let long: Vec<f64> = a.iter().map(|v| f64::from(*v) * 3.0).collect();
            let signs: Vec<i8> = (0..m * n).map(|i| (i % 7) as i8 - 1).collect();
            let (mut y, mut want) = (vec![0.0; m * n], vec![0.0; m * n]);
            device::rows(n, &long, &signs, &mut y);
            plain::rows(n, &long, &signs, &mut want);
            assert!(y == want, "rows of {m} x {n} on {d}");
        }
    });
}

#[test]
fn elements_that_the_loop_stores() {
    omp_tests::on_every_device(|d| {
        omp::set_default_device(d);
        for (m, n) in [(1, 150), (40, 64), (65, 100), (3, 67)] {
            let a: Vec<u32> = (0..m * n).map(|i| (i as u32).wrapping_mul(2_654_435_761)).collect();
            let start: Vec<u32> = a.iter().map(|v| v.rotate_left(7)).collect();
            for stride in [0, m] {
                let (mut x, mut want) = (start.clone(), start.clone());
                device::strided(m, n, stride, &a, &mut x);
                plain::strided(m, n, stride, &a, &mut want);
                assert!(x == want, "{m} x {n}, stride {stride}, on {d}");
            }
            let (mut x, mut y, mut want, mut want_y) =
                (start.clone(), start.clone(), start.clone(), start.clone());
            device::neighbours(m, n, &a, &mut x, &mut y);
            plain::neighbours(m, n, &a, &mut want, &mut want_y);
            assert!(x == want, "neighbours of {m} x {n} on {d}");
            assert!(y == want_y, "sums of {m} x {n} on {d}");
            let len: Vec<usize> = (0..m).map(|s| s * 37 % (2 * n)).collect();
            let (mut y, mut want) = (vec![0; m], vec![0; m]);
            device::ends(m, n, &a, &len, &mut y);
            plain::ends(m, n, &a, &len, &mut want);
            assert!(y == want, "ends of {m} x {n} on {d}");
        }
    });
}
