//! Stores in inner loops that have no iterations for some elements: these elements keep their values, whatever the schedule loads and
//! stores in groups. Each against the same without directives.
#![allow(clippy::all, clippy::pedantic, missing_docs)]
use omp_tests::{compare, twice};

twice! {
    #[omp::offload]
    pub fn numbers(n: &[u32], y: &mut [f32], z: &mut [u8]) {
        #[omp::target]
        for i in 0..y.len() {
            for k in 0..n[i] {
                y[i] = k as f32;
            }
        }
        #[omp::target]
        for i in 0..z.len() {
            for k in 1..n[i] {
                z[i] = k as u8;
            }
        }
    }
    #[omp::offload]
    pub fn elements(n: &[u32], y: &mut [[f32; 9]], z: &mut [(u64, [u8; 40])]) {
        #[omp::target]
        for i in 0..y.len() {
            for k in 0..n[i] {
                y[i] = [k as f32; 9];
            }
        }
        #[omp::target]
        for i in 0..z.len() {
            let mut k = 0;
            while k < n[i] {
                z[i] = (k as u64, [k as u8; 40]);
                k += 1;
            }
        }
    }
    #[omp::offload]
    pub fn rows(w: usize, n: &[u32], y: &mut [f32], s: u32) {
        let h = y.len() / w;
        #[omp::target(collapse(2))]
        for j in 0..h {
            for i in 0..w {
                for k in 0..n[i] {
                    y[j * w + i] = (k + j as u32) as f32;
                }
            }
        }
        #[omp::target(collapse(2))]
        for j in 0..h {
            for i in 0..w {
                for k in 0..s {
                    y[j * w + i] = k as f32;
                }
            }
        }
    }
    #[omp::offload]
    pub fn with_sums(n: &[u32], y: &mut [f32], of: &mut [u32; 4]) -> u32 {
        let mut sum = 0;
        #[omp::target(reduction(+: sum, of))]
        for i in 0..y.len() {
            for k in 0..n[i] {
                y[i] = k as f32;
                of[(k % 4) as usize] += 1;
            }
            sum += n[i];
        }
        sum
    }
    #[omp::offload]
    pub fn with_scans(n: &[u32], y: &mut [f32], starts: &mut [u32]) {
        let mut sum = 0;
        #[omp::scan(+)]
        for i in 0..n.len() {
            sum += n[i];
            starts[i] = sum;
            for k in 0..n[i] {
                y[i] = (k + sum) as f32;
            }
        }
    }
    /// A sum in the inner loop of an array that nothing else writes.
    #[omp::offload]
    pub fn products(s: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
        let n = 64;
        #[omp::target(collapse(2))]
        for i in 0..n {
            for j in 0..n {
                for k in 0..s {
                    c[i * n + j] = a[i * 64 + k] * b[k * 64 + j];
                }
            }
        }
    }
}

#[test]
fn elements_keep_their_values() {
    for len in [0, 1, 31, 33, 256, 1000, 4999] {
        compare!(m, d => {
            omp::set_default_device(d);
            let n: Vec<u32> = (0..len).map(|i| (i * 7 % 4) as u32).collect();
            let (mut y, mut z) = (vec![7.0; len], vec![9; len]);
            m::numbers(&n, &mut y, &mut z);
            let (mut p, mut q) = (vec![[7.0; 9]; len], vec![(5, [6; 40]); len]);
            m::elements(&n, &mut p, &mut q);
            let (mut v, mut of) = (vec![3.0; len], [0; 4]);
            let sum = m::with_sums(&n, &mut v, &mut of);
            let (mut u, mut starts) = (vec![4.0; len], vec![0; len]);
            m::with_scans(&n, &mut u, &mut starts);
            (y, z, p, q, (v, of, sum), (u, starts))
        });
    }
}

#[test]
fn rows_keep_their_values() {
    for (w, h) in [(1, 1), (33, 7), (256, 64), (1024, 300)] {
        compare!(m, d => {
            omp::set_default_device(d);
            let n: Vec<u32> = (0..w).map(|i| (i * 5 % 3) as u32).collect();
            let mut y = vec![7.5; w * h];
            m::rows(w, &n, &mut y, 0);
            let mut z = y.clone();
            m::rows(w, &n, &mut z, 2);
            let a: Vec<f32> = (0..4096).map(|i| (i % 5) as f32).collect();
            let mut c = [vec![2.0; 4096], vec![2.0; 4096]];
            m::products(0, &a, &a, &mut c[0]);
            m::products(3, &a, &a, &mut c[1]);
            (y, z, c)
        });
    }
}
