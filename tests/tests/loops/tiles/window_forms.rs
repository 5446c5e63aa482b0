//! Windows as programs have them: with tables in the body, several sums, results that are computed from them, and results in the interior of
//! an array. On GPUs they run in tiles. Numbers are multiples of powers of two, so that sums are exact.
#![forbid(unsafe_code)]
use omp_tests::{Values, compare, twice};

/// The last region ran in tiles if it ran on a CUDA device.
fn in_tiles() {
    let report = omp::last_region();
    if report.backend == "cuda" {
        let [_, y, z] = report.block;
        assert_eq!((y, z, report.grid[1]), (1, 1, 1), "{report}");
    }
}

fn bytes(len: usize, seed: u64) -> Vec<u8> {
    let mut r = Values(seed);
    (0..len).map(|_| (r.bits() >> 24) as u8).collect()
}

fn numbers(len: usize, seed: u64) -> Vec<f32> {
    bytes(len, seed).into_iter().map(|x| f32::from(x) - 100.0).collect()
}

twice! {
    pub fn weighted_by_a_table(d: usize, n: usize, a: &[u8], o: &mut [u8]) {
        const K: [[u32; 5]; 5] =
            [[1, 4, 6, 4, 1], [4, 16, 24, 16, 4], [6, 24, 36, 24, 6], [4, 16, 24, 16, 4], [1, 4, 6, 4, 1]];
        #[omp::target(device(d), collapse(2))]
        for y in 2..n - 2 {
            for x in 2..n - 2 {
                let mut s = 0u32;
                for dy in 0..5 {
                    for dx in 0..5 {
                        s += K[dy][dx] * a[(y + dy - 2) * n + x + dx - 2] as u32;
                    }
                }
                o[y * n + x] = (s >> 8) as u8;
            }
        }
    }

    /// Loops that begin below zero, and a table as a parameter.
    pub fn weighted_by_a_parameter(d: usize, n: usize, w: [f32; 9], a: &[f32], o: &mut [f32]) {
        #[omp::target(device(d), collapse(2))]
        for y in 1..n - 1 {
            for x in 1..n - 1 {
                let mut s = 0.0;
                for dy in -1i32..=1 {
                    for dx in -1i32..=1 {
                        let at = (y as i32 + dy) * n as i32 + x as i32 + dx;
                        s += w[(dy * 3 + dx + 4) as usize] * a[at as usize];
                    }
                }
                o[y * n + x] = s;
            }
        }
    }

    pub fn gradients(d: usize, n: usize, a: &[u8], o: &mut [u8]) {
        const GX: [[i32; 3]; 3] = [[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]];
        const GY: [[i32; 3]; 3] = [[-1, -2, -1], [0, 0, 0], [1, 2, 1]];
        #[omp::target(device(d), collapse(2))]
        for y in 1..n - 1 {
            for x in 1..n - 1 {
                let (mut gx, mut gy) = (0i32, 0i32);
                for dy in 0..3 {
                    for dx in 0..3 {
                        let p = a[(y + dy - 1) * n + x + dx - 1] as i32;
                        gx += GX[dy][dx] * p;
                        gy += GY[dy][dx] * p;
                    }
                }
                o[y * n + x] = ((gx * gx + gy * gy) / 1024).min(255) as u8;
            }
        }
    }

    /// The element in the middle is read by itself, too, and the results lie between multiples of an access.
    pub fn sharper(d: usize, n: usize, a: &[f32], o: &mut [f32]) {
        #[omp::target(device(d), collapse(2))]
        for y in 1..n - 1 {
            for x in 1..n - 1 {
                let mut s = 0.0;
                for dy in 0..3 {
                    for dx in 0..3 {
                        s += a[(y + dy - 1) * n + x + dx - 1];
                    }
                }
                o[y * n + x] = a[y * n + x] + 0.5 * (a[y * n + x] - s / 8.0);
            }
        }
    }

    /// Results that update what is there.
    pub fn added(d: usize, [n, t]: [usize; 2], h: &[f32], a: &[f32], o: &mut [f32]) {
        #[omp::target(device(d))]
        for i in 0..n {
            let mut s = 0.0;
            for k in 0..t {
                s += h[k] * a[i + k];
            }
            o[i] = 0.5 * o[i] + s;
        }
    }

    pub fn means(d: usize, a: &[f32], o: &mut [f32]) {
        #[omp::target(device(d))]
        for (o, w) in o.iter_mut().zip(a.windows(32)) {
            *o = w.iter().sum::<f32>() / 32.0;
        }
    }

    pub fn two_results(d: usize, [n, t]: [usize; 2], a: &[i16], low: &mut [i16], sums: &mut [i32]) {
        #[omp::target(device(d))]
        for i in 0..n {
            let (mut least, mut s) = (i16::MAX, 0i32);
            for k in 0..t {
                least = least.min(a[i + k]);
                s += a[i + k] as i32;
            }
            low[i] = least;
            sums[i] = s * 2;
        }
    }

    pub fn in_space(d: usize, n: usize, w: &[f64; 27], a: &[f64], o: &mut [f64]) {
        #[omp::target(device(d), collapse(3))]
        for z in 1..n - 1 {
            for y in 1..n - 1 {
                for x in 1..n - 1 {
                    let mut s = 0.0;
                    for dz in 0..3 {
                        for dy in 0..3 {
                            for dx in 0..3 {
                                s += w[(dz * 3 + dy) * 3 + dx] * a[((z + dz - 1) * n + y + dy - 1) * n + x + dx - 1];
                            }
                        }
                    }
                    o[(z * n + y) * n + x] = s;
                }
            }
        }
    }

    /// Channels, and rows of results that begin between multiples of an access.
    pub fn over_channels(d: usize, [co, ci, n]: [usize; 3], w: &[f32], x: &[f32], y: &mut [f32]) {
        let p = n + 2;
        #[omp::target(device(d), collapse(3))]
        for o in 0..co {
            for r in 0..n {
                for c in 0..n {
                    let mut s = 0.0;
                    for i in 0..ci {
                        for u in 0..3 {
                            for v in 0..3 {
                                s += x[(i * p + r + u) * p + c + v] * w[((o * ci + i) * 3 + u) * 3 + v];
                            }
                        }
                    }
                    y[(o * n + r) * n + c] = s / 2.0;
                }
            }
        }
    }

    /// Two loops that one could take the place of, if none of their variables were used by itself.
    pub fn by_the_inner_loop(d: usize, n: usize, x: &[f32], o: &mut [f32]) {
        const W: [f32; 4] = [1.0, -2.0, 0.5, 4.0];
        #[omp::target(device(d))]
        for i in 0..n {
            let mut s = 0.0;
            for a in 0..3 {
                for b in 0..4 {
                    s += x[i + a * 4 + b] * W[b] + b as f32;
                }
            }
            o[i] = s;
        }
    }

    /// A table that has an element for each iteration within the triangle alone.
    pub fn biased_triangle(d: usize, [n, k]: [usize; 2], a: &[f32], c: &mut [f32]) {
        const BIAS: [f32; 8] = [1.0, 2.0, 4.0, 8.0, 0.5, 0.25, 0.125, 16.0];
        #[omp::target(device(d), collapse(2))]
        for i in 0..n {
            for j in 0..=i {
                let mut s = 0.0;
                for l in 0..k {
                    s += a[i * k + l] * a[j * k + l];
                }
                c[i * n + j] = s * BIAS[(i - j) / 64];
            }
        }
    }

    /// The second loop reads no array: what its sum takes is computed by all threads of a row.
    pub fn sums_of_computed_terms(d: usize, [rows, n]: [usize; 2], x: &[f32], o: &mut [f32]) {
        #[omp::target(device(d))]
        for i in 0..rows {
            let mut m = 0.0f32;
            for k in 0..n {
                m = m.max(x[i * n + k]);
            }
            let mut s = 0.0;
            for k in 0..n {
                let e = ((k as f32 + m) * (k as f32 + m)).sqrt();
                s += e;
            }
            o[i] = s;
        }
    }

    /// Sums that are wider than the elements.
    pub fn modular(d: usize, n: usize, a: &[u32], b: &[u32], c: &mut [u32]) {
        #[omp::target(device(d), collapse(2))]
        for i in 0..n {
            for j in 0..n {
                let mut s = 0u64;
                for k in 0..n {
                    s = (s + a[i * n + k] as u64 * b[k * n + j] as u64) % 998_244_353;
                }
                c[i * n + j] = s as u32;
            }
        }
    }

    /// A product that is scaled and added.
    pub fn scaled(d: usize, n: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
        #[omp::target(device(d), collapse(2))]
        for i in 0..n {
            for j in 0..n {
                let mut s = 0.0;
                for k in 0..n {
                    s += a[i * n + k] * b[k * n + j];
                }
                c[i * n + j] = 2.0 * s + 0.5 * c[i * n + j];
            }
        }
    }

    pub fn grey(d: usize, a: &[[u8; 4]], o: &mut [u8]) {
        #[omp::target(device(d))]
        for (o, p) in o.iter_mut().zip(a) {
            *o = ((77 * p[0] as u32 + 150 * p[1] as u32 + 29 * p[2] as u32) >> 8) as u8;
        }
    }

    /// Parts of small arrays change, also under a condition.
    pub fn channels(d: usize, a: &mut [[u8; 4]], o: &mut [[f32; 2]]) {
        #[omp::target(device(d))]
        for i in 0..a.len() {
            a[i][1] = a[i][0] / 2 + a[i][3] / 2;
            if a[i][2] > 128 {
                o[i][1] = f32::from(a[i][2]);
            }
        }
    }

    /// Subscripts of the inner arrays that data and scalars choose.
    pub fn chosen(d: usize, c: usize, a: &[[u8; 4]], o: &mut [[u16; 4]]) {
        #[omp::target(device(d))]
        for i in 0..a.len() {
            let k = (a[i][c] & 3) as usize;
            o[i][k] = a[i][3 - k] as u16 + a[i][0] as u16;
        }
    }
}

const SIDES: [usize; 4] = [5, 6, 37, 512];

#[test]
fn tables_weigh_bytes() {
    for n in SIDES {
        let a = bytes(n * n, 1);
        compare!(m, d => {
            let (mut o, mut p) = (vec![7u8; n * n], vec![7u8; n * n]);
            m::weighted_by_a_table(d, n, &a, &mut o);
            if n > 500 {
                in_tiles();
            }
            m::gradients(d, n, &a, &mut p);
            if n > 500 {
                in_tiles();
            }
            (o, p)
        });
    }
}

#[test]
fn tables_weigh_numbers() {
    let w = [1.0, 2.0, 1.0, 0.5, 4.0, -0.5, 1.0, -2.0, 0.25];
    for n in SIDES {
        let a = numbers(n * n, 2);
        compare!(m, d => {
            let (mut o, mut p) = (vec![7.0; n * n], vec![7.0; n * n]);
            m::weighted_by_a_parameter(d, n, w, &a, &mut o);
            m::sharper(d, n, &a, &mut p);
            if n > 500 {
                in_tiles();
            }
            (o, p)
        });
    }
}

#[test]
fn sums_of_rows_of_elements() {
    for n in [1, 31, 32, 1000, 100_003, 131_072] {
        let (h, a) = (numbers(24, 3), numbers(n + 32, 4));
        compare!(m, d => {
            let (mut o, mut p) = (numbers(n, 5), vec![7.0; n]);
            m::added(d, [n, 24], &h, &a, &mut o);
            m::added(d, [n, 24], &h, &a, &mut o);
            m::means(d, &a, &mut p);
            if n > 100_000 {
                in_tiles();
            }
            (o, p)
        });
        let a: Vec<i16> = a.iter().map(|x| *x as i16 * 5).collect();
        compare!(m, d => {
            let (mut low, mut sums) = (vec![0i16; n], vec![0i32; n]);
            m::two_results(d, [n, 17], &a, &mut low, &mut sums);
            (low, sums)
        });
    }
}

#[test]
fn windows_in_space() {
    for n in [3, 4, 41, 80] {
        let a: Vec<f64> = numbers(n * n * n, 6).into_iter().map(f64::from).collect();
        let mut w = [0.0; 27];
        w.copy_from_slice(&a[..27]);
        compare!(m, d => {
            let mut o = vec![7.0; n * n * n];
            m::in_space(d, n, &w, &a, &mut o);
            if n > 50 {
                in_tiles();
            }
            o
        });
    }
}

#[test]
fn windows_over_channels() {
    for [co, ci, n] in [[4, 32, 126], [3, 33, 61], [2, 32, 128]] {
        let (w, x) = (numbers(co * ci * 9, 12), numbers(ci * (n + 2) * (n + 2), 13));
        compare!(m, d => {
            let mut y = vec![7.0; co * n * n];
            m::over_channels(d, [co, ci, n], &w, &x, &mut y);
            y
        });
    }
}

#[test]
fn variables_of_loops_count_their_own_loop() {
    for n in [1, 1000, 200_001] {
        let x = numbers(n + 12, 14);
        compare!(m, d => {
            let mut o = vec![7.0; n];
            m::by_the_inner_loop(d, n, &x, &mut o);
            o
        });
    }
}

#[test]
fn tables_within_limits() {
    for (n, k) in [(7, 3), (300, 32), (512, 64)] {
        let a = numbers(n * k, 15);
        compare!(m, d => {
            let mut c = vec![7.0; n * n];
            m::biased_triangle(d, [n, k], &a, &mut c);
            c
        });
    }
}

#[test]
fn sums_without_arrays() {
    for [rows, n] in [[100, 64], [4096, 256], [4001, 301]] {
        let x = numbers(rows * n, 16);
        compare!(m, d => {
            let mut o = vec![7.0; rows];
            m::sums_of_computed_terms(d, [rows, n], &x, &mut o);
            o
        });
    }
}

#[test]
fn products_with_other_results() {
    for n in [1, 33, 160] {
        let a: Vec<u32> = bytes(2 * n * n, 7).into_iter().map(|x| u32::from(x) << 21).collect();
        let (a, b) = a.split_at(n * n);
        compare!(m, d => {
            let mut c = vec![0u32; n * n];
            m::modular(d, n, a, b, &mut c);
            c
        });
        let (a, b) = (numbers(n * n, 8), numbers(n * n, 9));
        compare!(m, d => {
            let mut c = numbers(n * n, 10);
            m::scaled(d, n, &a, &b, &mut c);
            c
        });
    }
}

#[test]
fn small_arrays_as_elements() {
    for n in [0, 1, 2, 15, 16, 17, 1023, 50_000] {
        let all = bytes(4 * n, 11);
        let a = all.as_chunks::<4>().0;
        compare!(m, d => {
            let mut o = vec![0u8; n];
            m::grey(d, a, &mut o);
            o
        });
        compare!(m, d => {
            let (mut a, mut o) = (a.to_vec(), vec![[1.0f32, 2.0]; n]);
            m::channels(d, &mut a, &mut o);
            (a, o)
        });
        compare!(m, d => {
            let mut o = vec![[9u16; 4]; n];
            m::chosen(d, 2, a, &mut o);
            o
        });
    }
}
