//! Offsets with signs, quotients and remainders of 64 bits, which kernels compute in 32 where the launch knows their ranges. Each program
//! against the same without directives.
#![allow(clippy::all, clippy::pedantic, missing_docs)]
use omp_tests::twice;

twice! {
    /// Windows with borders, by `continue` and by clamping, and on a periodic grid.
    #[omp::offload]
    pub fn windows(h: usize, w: usize, x: &[i32], cut: &mut [i32], clamped: &mut [i32], periodic: &mut [i32]) {
        #[omp::target(collapse(2))]
        for y in 0..h {
            for xx in 0..w {
                let (mut a, mut b, mut c) = (0i32, 0i32, 0i32);
                for dy in -1isize..=1 {
                    for dx in -2isize..=2 {
                        let cy = (y as isize + dy).clamp(0, h as isize - 1) as usize;
                        let cx = (xx as isize + dx).max(0).min(w as isize - 1) as usize;
                        b = b.wrapping_mul(3).wrapping_add(x[cy * w + cx]);
                        let py = (y as isize + dy).rem_euclid(h as isize) as usize;
                        c = c.wrapping_mul(5).wrapping_add(x[py * w + (xx as isize + dx).rem_euclid(w as isize) as usize]);
                        let yy = y as isize + dy;
                        let xc = xx as isize + dx;
                        if yy < 0 || yy >= h as isize || xc < 0 || xc >= w as isize {
                            continue;
                        }
                        a = a.wrapping_mul(7).wrapping_add(x[yy as usize * w + xc as usize]);
                    }
                }
                cut[y * w + xx] = a;
                clamped[y * w + xx] = b;
                periodic[y * w + xx] = c;
            }
        }
    }
    /// A transposed convolution of stride 2.
    #[omp::offload]
    pub fn transposed(h: usize, w: usize, x: &[f32], k: &[f32; 16], y: &mut [f32]) {
        #[omp::target(collapse(2))]
        for oy in 0..2 * h {
            for ox in 0..2 * w {
                let mut s = 0.0;
                for ky in 0..4 {
                    for kx in 0..4 {
                        let iy = oy as isize + 1 - ky as isize;
                        let ix = ox as isize + 1 - kx as isize;
                        if iy >= 0 && ix >= 0 && iy % 2 == 0 && ix % 2 == 0 {
                            let (iy, ix) = (iy as usize / 2, ix as usize / 2);
                            if iy < h && ix < w {
                                s += x[iy * w + ix] * k[ky * 4 + kx];
                            }
                        }
                    }
                }
                y[oy * 2 * w + ox] = s;
            }
        }
    }
    /// Rows and columns of numbers, with quotients and remainders of both signs, and of what wraps.
    #[omp::offload]
    pub fn quotients(w: usize, by: i64, x: &[i64], out: &mut [i64], rest: &mut [usize]) {
        #[omp::target]
        for i in 0..out.len() {
            let (r, c) = (i / w, i % w);
            let d = i as i64 - 40;
            let q = d / 7 + d % 7 * 100 + d.rem_euclid(9) * 10000 + d.div_euclid(5);
            let past = c.wrapping_sub(3);
            let m = past % 16;
            let below = if past > w { 1 } else { 2 };
            let far = i as i64 * 3_000_000_000 - 7;
            let g = far / 1000 % 1_000_003;
            let t = d * by;
            let u = t / 3;
            let near = (t - 5).min(far).max(-9);
            let e = if u > d || near == d { u - d } else { d / 2 };
            out[i] = q * 3 + g + e + x[r % x.len()] + near;
            rest[i] = m + below * 100 + c * 1000 + (d.unsigned_abs() as usize % w);
        }
    }
    /// Offsets from data, small and as large as their type.
    #[omp::offload]
    pub fn from_data(n: usize, small: &[i8], any: &[i32], wide: &[i64], x: &[f64], out: &mut [f64], side: &mut [u8]) {
        #[omp::target]
        for i in 0..n {
            let a = i as isize + small[i] as isize;
            let b = i as isize + any[i] as isize - 1;
            let c = i as i64 - wide[i];
            let mut s = 0.0;
            if a >= 0 && a < n as isize {
                s += x[a as usize];
            }
            if b >= 0 && b < n as isize {
                s += x[b as usize] * 2.0;
            }
            if c >= 0 && c < n as i64 {
                s += x[c as usize] * 4.0;
            }
            let p = x[i] * 10.0 - 3.0;
            let f = p.floor() as isize;
            let g = f + 1;
            if f >= 0 && (g as usize) < n {
                s += x[f as usize] - x[g as usize];
            }
            side[i] = (a < 0) as u8 + (b < a) as u8 * 2 + (c <= b as i64) as u8 * 4 + (a / 2 == b / 2) as u8 * 8;
            out[i] = s;
        }
    }
    /// Limits that no 32 bits hold, and counters of loops with signs.
    #[omp::offload]
    pub fn limits(lo: i64, hi: i64, limit: i64, out: &mut [i64]) {
        #[omp::target]
        for i in 0..out.len() {
            let mut s = 0i64;
            for k in lo..hi {
                let at = i as i64 + k;
                if at < limit && at != -3 {
                    s += at;
                }
                let next = at + limit;
                if next % 5 == 0 {
                    s -= 1;
                }
            }
            out[i] = s;
        }
    }
    /// Quotients and remainders of numbers at the ends of 32 bits.
    #[omp::offload]
    pub fn least(from: i64, by: i64, out: &mut [i64]) {
        #[omp::target]
        for t in from..from + out.len() as i64 {
            let a = t;
            let b = from + (t - from) / 2;
            let q = a / by + t / by * 3;
            let r = b % by + b.rem_euclid(by) + b.div_euclid(by) * 7;
            out[(t - from) as usize] = q + r * 11;
        }
    }
}

fn numbers(n: usize) -> impl Iterator<Item = u64> {
    (0..n as u64).map(|i| i.wrapping_add(7).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

#[test]
fn windows_with_borders() {
    omp_tests::on_every_device(|d| {
        omp::set_default_device(d);
        for (h, w) in [(0, 4), (1, 1), (1, 7), (3, 2), (37, 70)] {
            let x: Vec<i32> = numbers(h * w).map(|v| v as i32).collect();
            let mut of = (vec![0; h * w], vec![0; h * w], vec![0; h * w]);
            let mut expected = of.clone();
            plain::windows(h, w, &x, &mut expected.0, &mut expected.1, &mut expected.2);
            device::windows(h, w, &x, &mut of.0, &mut of.1, &mut of.2);
            assert!(of == expected, "{h} by {w} on {d}");
            let (x, k) =
                (x.iter().map(|v| (v % 64) as f32).collect::<Vec<_>>(), std::array::from_fn(|i| i as f32));
            let (mut y, mut expected) = (vec![0.0; 4 * h * w], vec![0.0; 4 * h * w]);
            plain::transposed(h, w, &x, &k, &mut expected);
            device::transposed(h, w, &x, &k, &mut y);
            assert!(y == expected, "transposed {h} by {w} on {d}");
        }
    });
}

#[test]
fn quotients_of_both_signs() {
    omp_tests::on_every_device(|d| {
        omp::set_default_device(d);
        // Without overflow checks, arithmetic wraps on devices, too.
        for (n, w, by) in [(0, 1, 1), (1, 1, -1), (200, 9, 1000), (500, 300, 1 << 40)] {
            let x: Vec<i64> = numbers(33).map(|v| (v >> 20) as i64 - 5).collect();
            let mut of = (vec![0; n], vec![0; n]);
            let mut expected = of.clone();
            plain::quotients(w, by, &x, &mut expected.0, &mut expected.1);
            device::quotients(w, by, &x, &mut of.0, &mut of.1);
            assert!(of == expected, "{n} by {w} on {d}");
        }
    });
}

#[test]
fn offsets_from_data() {
    omp_tests::on_every_device(|d| {
        omp::set_default_device(d);
        for n in [0, 1, 300] {
            let small: Vec<i8> = numbers(n).map(|v| (v >> 33) as i8).collect();
            let mut any: Vec<i32> = numbers(n).map(|v| (v >> 17) as i32 % 200).collect();
            let mut wide: Vec<i64> = numbers(n).map(|v| (v >> 40) as i64 % 300).collect();
            let x: Vec<f64> = numbers(n).map(|v| (v >> 50) as f64 / 1000.0).collect();
            if n > 100 {
                any[5..9].copy_from_slice(&[i32::MIN, i32::MAX, i32::MIN + 1, i32::MAX - 1]);
                wide[5..9].copy_from_slice(&[i64::MIN + 500, i64::MAX, 1 << 32, -(1 << 32)]);
            }
            let mut of = (vec![0.0; n], vec![0; n]);
            let mut expected = of.clone();
            plain::from_data(n, &small, &any, &wide, &x, &mut expected.0, &mut expected.1);
            device::from_data(n, &small, &any, &wide, &x, &mut of.0, &mut of.1);
            assert!(of == expected, "{n} on {d}");
        }
    });
}

#[test]
fn limits_beyond_32_bits() {
    omp_tests::on_every_device(|d| {
        omp::set_default_device(d);
        let small = [(-4, 9, 3), (0, 0, 5), (-9, -2, -5)];
        let large = [
            (-4, 9, 1 << 33),
            ((1 << 31) - 5, (1 << 31) + 4, i64::from(i32::MAX)),
            (-(1 << 40), 3 - (1 << 40), 0),
        ];
        for (lo, hi, limit) in small.into_iter().chain(large) {
            let (mut out, mut expected) = (vec![0; 90], vec![0; 90]);
            plain::limits(lo, hi, limit, &mut expected);
            device::limits(lo, hi, limit, &mut out);
            assert!(out == expected, "{lo}..{hi} below {limit} on {d}");
        }
    });
}

#[test]
fn quotients_of_the_least_number() {
    omp_tests::on_every_device(|d| {
        omp::set_default_device(d);
        for from in [i64::from(i32::MIN), i64::from(i32::MIN) + 1, -3, i64::from(i32::MAX) - 40] {
            for by in [-1, 1, 7, i64::from(i32::MIN)] {
                let (mut out, mut expected) = (vec![0; 40], vec![0; 40]);
                plain::least(from, by, &mut expected);
                device::least(from, by, &mut out);
                assert!(out == expected, "{from} by {by} on {d}");
            }
        }
    });
}
