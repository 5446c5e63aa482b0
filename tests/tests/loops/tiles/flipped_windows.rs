//! Windows whose subscripts go down: filters and convolutions as mathematics defines them. On GPUs they run in tiles. Tests are built
//! with overflow checks.
#![forbid(unsafe_code)]
use omp_tests::{Values, compare, twice};

/// The last region ran in tiles if it ran on a CUDA device.
fn in_tiles(tiled: bool) {
    let report = omp::last_region();
    if report.backend == "cuda" {
        let [_, y, z] = report.block;
        assert_eq!((y, z, report.grid[1]) == (1, 1, 1), tiled, "{report}");
    }
}

fn numbers(len: usize, seed: u64) -> Vec<f32> {
    let mut r = Values(seed);
    let value = |n: u32| if n.is_multiple_of(11) { -0.0 } else { (n % 4099) as f32 / 512.0 - 3.0 };
    (0..len).map(|_| value(r.bits() >> 20)).collect()
}

fn integers<T: TryFrom<u32>>(len: usize, seed: u64) -> Vec<T> {
    let mut r = Values(seed);
    let value = |n: u32| T::try_from(n % 120).unwrap_or_else(|_| unreachable!("it is small"));
    (0..len).map(|_| value(r.bits() >> 20)).collect()
}

fn bits(numbers: &[f32]) -> Vec<u32> {
    numbers.iter().map(|x| x.to_bits()).collect()
}

twice! {
    pub fn filter(d: usize, [n, t]: [usize; 2], h: &[f32], a: &[f32], o: &mut [f32]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..n {
            let mut s = 0.0;
            for k in 0..t {
                s += h[k] * a[i + t - 1 - k];
            }
            o[i] = s;
        }
    }

    pub fn from_the_last(d: usize, [n, t]: [usize; 2], h: &[f32], a: &[f32], o: &mut [f32]) {
        #[omp::target(device(d), fp(strict))]
        for i in t - 1..n {
            let mut s = 0.0;
            for k in 0..t {
                s += h[k] * a[i - k];
            }
            o[i] = s;
        }
    }

    pub fn signed(d: usize, [n, t]: [usize; 2], h: &[f32], a: &[f32], o: &mut [f32]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..n as i32 {
            let mut s = 0.0;
            for k in 0..t as i32 {
                s += h[k as usize] * a[(i + t as i32 - 1 - k) as usize];
            }
            o[i as usize] = s;
        }
    }

    pub fn weights_alone(d: usize, [n, t]: [usize; 2], h: &[f32], a: &[f32], o: &mut [f32]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..n {
            let mut s = 0.0;
            for k in 0..t {
                s += h[t - 1 - k] * a[i + k];
            }
            o[i] = s;
        }
    }

    /// Both ways through one array.
    pub fn symmetric(d: usize, [n, t]: [usize; 2], h: &[f32], a: &[f32], o: &mut [f32]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..n {
            let mut s = 0.0;
            for k in 0..t {
                s += h[k] * (a[i + k] - a[i + t - 1 - k]);
            }
            o[i] = s;
        }
    }

    /// Every third element.
    pub fn dilated(d: usize, [n, t]: [usize; 2], h: &[f32], a: &[f32], o: &mut [f32]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..n {
            let mut s = 0.0;
            for k in 0..t {
                s += h[k] * a[i + 1 + 3 * (t - 1 - k)];
            }
            o[i] = s;
        }
    }

    /// The last results first.
    pub fn reversed(d: usize, [n, t]: [usize; 2], h: &[f32], a: &[f32], o: &mut [f32]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..n {
            let mut s = 0.0;
            for k in 0..t {
                s += h[k] * a[n - 1 - i + k];
            }
            o[i] = s;
        }
    }

    pub fn of_i16(d: usize, [n, t]: [usize; 2], h: &[i16], a: &[i16], o: &mut [i16]) {
        #[omp::target(device(d))]
        for i in 0..n {
            let mut s = 0i32;
            for k in 0..t {
                s += h[k] as i32 * a[i + t - 1 - k] as i32;
            }
            o[i] = (s >> 15) as i16;
        }
    }

    pub fn convolution(d: usize, [h, w, t]: [usize; 3], c: &[f32], a: &[f32], o: &mut [f32]) {
        let p = w + t - 1;
        #[omp::target(device(d), collapse(2), fp(strict))]
        for y in 0..h {
            for x in 0..w {
                let mut s = 0.0;
                for dy in 0..t {
                    for dx in 0..t {
                        s += c[dy * t + dx] * a[(y + t - 1 - dy) * p + x + t - 1 - dx];
                    }
                }
                o[y * w + x] = s;
            }
        }
    }

    pub fn weights_too(d: usize, [h, w, t]: [usize; 3], c: &[f32], a: &[f32], o: &mut [f32]) {
        let p = w + t - 1;
        #[omp::target(device(d), collapse(2), fp(strict))]
        for y in 0..h {
            for x in 0..w {
                let mut s = 0.0;
                for dy in 0..t {
                    for dx in 0..t {
                        s += c[(t - 1 - dy) * t + t - 1 - dx] * a[(y + t - 1 - dy) * p + x + dx];
                    }
                }
                o[y * w + x] = s;
            }
        }
    }

    pub fn columns_alone(d: usize, [h, w, t]: [usize; 3], c: &[f32], a: &[f32], o: &mut [f32]) {
        let p = w + t - 1;
        #[omp::target(device(d), collapse(2), fp(strict))]
        for y in t - 1..h + t - 1 {
            for x in t - 1..w + t - 1 {
                let mut s = 0.0;
                for dy in 0..t {
                    for dx in 0..t {
                        s += c[(t - 1 - dy) * t + dx] * a[(y + 1 - t + dy) * p + x - dx];
                    }
                }
                o[(y + 1 - t) * w + x + 1 - t] = s;
            }
        }
    }

    pub fn clamped(d: usize, [h, w, t]: [usize; 3], c: &[f32], a: &[f32], o: &mut [f32]) {
        let r = t / 2;
        #[omp::target(device(d), collapse(2), fp(strict))]
        for y in 0..h {
            for x in 0..w {
                let mut s = 0.0;
                for dy in 0..t {
                    for dx in 0..t {
                        let at = ((y + t - 1 - dy).saturating_sub(r).min(h - 1), (x + t - 1 - dx).saturating_sub(r).min(w - 1));
                        s += c[dy * t + dx] * a[at.0 * w + at.1];
                    }
                }
                o[y * w + x] = s;
            }
        }
    }

    pub fn left_out(d: usize, [h, w, t]: [usize; 3], c: &[f32], a: &[f32], o: &mut [f32]) {
        let r = (t / 2) as isize;
        #[omp::target(device(d), collapse(2), fp(strict))]
        for y in 0..h {
            for x in 0..w {
                let mut s = 0.0;
                for dy in 0..t {
                    for dx in 0..t {
                        let (v, u) = (y as isize + r - dy as isize, x as isize + r - dx as isize);
                        if v >= 0 && v < h as isize && u >= 0 && u < w as isize {
                            s += c[dy * t + dx] * a[v as usize * w + u as usize];
                        }
                    }
                }
                o[y * w + x] = s;
            }
        }
    }

    pub fn of_bytes(d: usize, [h, w, t]: [usize; 3], c: &[f32], a: &[u8], o: &mut [f32]) {
        let p = w + t - 1;
        #[omp::target(device(d), collapse(2), fp(strict))]
        for y in 0..h {
            for x in 0..w {
                let mut s = 0.0;
                for dy in 0..t {
                    for dx in 0..t {
                        s += c[dy * t + dx] * a[(y + t - 1 - dy) * p + x + t - 1 - dx] as f32;
                    }
                }
                o[y * w + x] = s;
            }
        }
    }

    /// Chunks of the sum would go down.
    pub fn product(d: usize, [m, n, k]: [usize; 3], b: &[f32], a: &[f32], o: &mut [f32]) {
        #[omp::target(device(d), collapse(2), fp(strict))]
        for i in 0..m {
            for j in 0..n {
                let mut s = 0.0;
                for l in 0..k {
                    s += a[i * k + l] * b[(k - 1 - l) * n + j];
                }
                o[i * n + j] = s;
            }
        }
    }

    /// Rows, the second time from their end.
    pub fn rows(d: usize, [m, n]: [usize; 2], a: &[f32], o: &mut [f32]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..m {
            let mut most = a[i * n];
            for j in 0..n {
                most = most.max(a[i * n + j]);
            }
            for j in 0..n {
                o[i * n + j] = a[i * n + n - 1 - j] - most;
            }
        }
    }

    /// Small products whose terms go down.
    pub fn batch(d: usize, [all, n]: [usize; 2], a: &[f32], b: &[f32], o: &mut [f32]) {
        #[omp::target(device(d), fp(strict))]
        for p in 0..all {
            for i in 0..n {
                for j in 0..n {
                    let mut s = 0.0;
                    for k in 0..n {
                        s += a[(p * n + i) * n + k] * b[(p * n + n - 1 - k) * n + j];
                    }
                    o[(p * n + i) * n + j] = s;
                }
            }
        }
    }
}

/// Tests of filters, for several numbers of weights.
macro_rules! filters {
    ($($name:ident)*) => { $(
        #[test]
        fn $name() {
            for (n, t) in [(100_003, 63), (131_072, 24), (300_000, 8)] {
                let (h, a) = (numbers(t, 1), numbers(n + 3 * t, 2));
                compare!(m, d => {
                    let mut o = vec![0.5; n];
                    m::$name(d, [n, t], &h, &a, &mut o);
                    bits(&o)
                });
            }
        }
    )* };
}
filters! { filter from_the_last signed weights_alone symmetric dilated reversed }

/// The same of convolutions, and whether they run in tiles.
macro_rules! convolutions {
    ($($name:ident $tiled:literal)*) => { $(
        #[test]
        fn $name() {
            for [h, w, t] in [[257, 421, 5], [160, 384, 7], [301, 288, 6]] {
                let (c, a) = (numbers(t * t, 3), numbers((h + t) * (w + t), 4));
                compare!(m, d => {
                    let mut o = vec![0.5; h * w];
                    m::$name(d, [h, w, t], &c, &a, &mut o);
                    in_tiles($tiled);
                    bits(&o)
                });
            }
        }
    )* };
}
convolutions! { convolution true weights_too true columns_alone true clamped true left_out true }

#[test]
fn of_i16() {
    for (n, t) in [(100_003, 63), (131_072, 24)] {
        let (h, a) = (integers(t, 5), integers(n + t, 6));
        compare!(m, d => {
            let mut o = vec![7; n];
            m::of_i16(d, [n, t], &h, &a, &mut o);
            o
        });
    }
}

#[test]
fn of_bytes() {
    for [h, w, t] in [[257, 421, 5], [192, 512, 7]] {
        let (c, a) = (numbers(t * t, 7), integers((h + t) * (w + t), 8));
        compare!(m, d => {
            let mut o = vec![0.5; h * w];
            m::of_bytes(d, [h, w, t], &c, &a, &mut o);
            in_tiles(true);
            bits(&o)
        });
    }
}

#[test]
fn products_that_go_down_keep_their_results() {
    let [m_, n, k] = [130, 140, 150];
    let (a, b) = (numbers(m_ * k, 9), numbers(k * n, 10));
    compare!(m, d => {
        let mut o = vec![0.5; m_ * n];
        m::product(d, [m_, n, k], &b, &a, &mut o);
        in_tiles(false);
        bits(&o)
    });
    let (rows, length) = (300, 700);
    let a = numbers(rows * length, 11);
    compare!(m, d => {
        let mut o = vec![0.5; rows * length];
        m::rows(d, [rows, length], &a, &mut o);
        bits(&o)
    });
    let (all, n) = (3000, 6);
    let (a, b) = (numbers(all * n * n, 12), numbers(all * n * n, 13));
    compare!(m, d => {
        let mut o = vec![0.5; all * n * n];
        m::batch(d, [all, n], &a, &b, &mut o);
        bits(&o)
    });
}
