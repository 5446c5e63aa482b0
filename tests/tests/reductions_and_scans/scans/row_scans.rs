//! Scans along the inner loop of a nest: rows of any width, in place and not, with element expressions.
use omp_tests::{Values, on_every_device};

const SHAPES: [(usize, usize); 8] =
    [(0, 3), (1, 1), (5, 2), (100, 7), (3, 33), (17, 300), (2, 5000), (700, 64)];

#[omp::offload]
fn floats(d: usize, width: usize, x: &[f32], y: &mut [f32]) {
    #[omp::scan(+, device(d))]
    for r in 0..x.len() / width {
        for c in 1..width {
            y[r * width + c] = y[r * width + c - 1] + x[r * width + c] * 2.0;
        }
    }
}

#[omp::offload]
fn parities(d: usize, width: usize, a: &mut [u8]) {
    #[omp::scan(^, device(d))]
    for r in 0..a.len() / width {
        for c in 1..width {
            a[r * width + c] ^= a[r * width + (c - 1)];
        }
    }
}

#[omp::offload]
fn maxima(d: usize, width: usize, threads: usize, x: &[i64], add: i64, y: &mut [i64]) {
    #[omp::target(device(d), thread_limit(threads), scan(max: y))]
    for r in 0..x.len() / width {
        for c in 1..width {
            let v = x[r * width + c - 1] ^ add;
            y[r * width + c] = y[r * width + c - 1].max(v);
        }
    }
}

/// Down the columns: without rows, nobody asks for the width.
#[omp::offload]
fn columns(d: usize, y: &mut [u32], rows: usize, all: usize) {
    #[omp::scan(+, device(d))]
    for r in 1..rows {
        for c in 0..all / rows - 1 {
            y[r * (all / rows) + c] = y[(r - 1) * (all / rows) + c] + 3;
        }
    }
}

#[omp::offload]
fn looked_up(d: usize, width: usize, at: &[u32], x: &[u64], y: &mut [u64]) {
    #[omp::scan(|, device(d))]
    for r in 0..at.len() / width {
        for c in 1..width {
            y[r * width + c] = y[r * width + c - 1] | x[at[r * width + c] as usize];
        }
    }
}

#[test]
fn rows_are_their_loops() {
    on_every_device(|d| {
        for (height, width) in SHAPES {
            let n = height * width;
            let mut r = Values(n as u64);
            let x: Vec<f32> = (0..n).map(|_| (r.bits() % 8) as f32).collect();
            let (mut y, mut want) = (vec![1.0; n], vec![1.0; n]);
            let bytes: Vec<u8> = (0..n).map(|_| r.bits() as u8).collect();
            let (mut a, mut parity) = (bytes.clone(), bytes);
            let wide: Vec<i64> = (0..n).map(|_| r.wide() as i64).collect();
            let (mut z, mut most) = (vec![-5; n], vec![-5; n]);
            let at: Vec<u32> = (0..n).map(|_| r.bits() % n as u32).collect();
            let table: Vec<u64> = (0..n).map(|_| 1 << (r.bits() % 64)).collect();
            let (mut any, mut found) = (vec![0; n], vec![0; n]);
            for i in (0..n).filter(|i| i % width != 0) {
                want[i] = want[i - 1] + x[i] * 2.0;
                parity[i] ^= parity[i - 1];
                most[i] = most[i - 1].max(wide[i - 1] ^ 77);
                found[i] = found[i - 1] | table[at[i] as usize];
            }
            floats(d, width, &x, &mut y);
            assert!(y == want, "{height} x {width} on {d}");
            parities(d, width, &mut a);
            assert!(a == parity, "{height} x {width} on {d}");
            for threads in [1, 32, 100, 1024] {
                z.fill(-5);
                maxima(d, width, threads, &wide, 77, &mut z);
                assert!(z == most, "{height} x {width} in {threads} on {d}");
            }
            looked_up(d, width, &at, &table, &mut any);
            assert!(any == found, "{height} x {width} on {d}");
        }
    });
}

/// Rows of `x` are one element longer than those of `y`, so groups of both begin at different places; `z` reads no array.
#[omp::offload]
fn long_rows(d: usize, width: usize, x: &[u32], y: &mut [u32], z: &mut [u16]) {
    #[omp::target(device(d), scan(^: y))]
    for r in 0..y.len() / width {
        for c in 1..width {
            y[r * width + c] = y[r * width + c - 1] ^ (x[r * (width + 1) + c] + x[r * (width + 1) + c + 1]);
        }
    }
    #[omp::target(device(d), scan(max: z), num_teams(3))]
    for r in 0..z.len() / width {
        for c in 3..width {
            z[r * width + c] = z[r * width + c - 1].max((c * 40_503 % 65_521) as u16);
        }
    }
}

#[test]
fn long_rows_are_their_loops() {
    on_every_device(|d| {
        for (height, width) in [(1, 2048), (5, 2050), (7, 4099), (3, 8192), (2, 8193), (2, 20_001)] {
            let x: Vec<u32> =
                (0..height * (width + 1)).map(|i| (i as u32).wrapping_mul(2_654_435_761) >> 1).collect();
            let n = height * width;
            let (mut y, mut z): (Vec<u32>, Vec<u16>) = ((0..n as u32).collect(), vec![7; n]);
            let (mut want, mut most) = (y.clone(), z.clone());
            for i in (0..n).filter(|i| i % width != 0) {
                let (r, c) = (i / width, i % width);
                want[i] = want[i - 1] ^ (x[r * (width + 1) + c] + x[r * (width + 1) + c + 1]);
                if c >= 3 {
                    most[i] = most[i - 1].max((c * 40_503 % 65_521) as u16);
                }
            }
            long_rows(d, width, &x, &mut y, &mut z);
            assert!(y == want, "{height} x {width} on {d}");
            assert!(z == most, "{height} x {width} on {d}");
        }
    });
}

#[omp::offload]
fn products_as_they_stand(d: usize, width: usize, x: &[f64], y: &mut [f64]) {
    #[omp::target(device(d))]
    for r in 0..x.len() / width {
        for c in 1..width {
            y[r * width + c] = y[r * width + c - 1] * x[r * width + c];
        }
    }
}

#[omp::offload]
fn before_and_in_the_element(d: usize, width: usize, x: &[u32], y: &mut [u32]) {
    #[omp::target(device(d))]
    for r in 0..x.len() / width {
        for c in 1..width {
            let before = y[r * width + c - 1];
            y[r * width + c] = before ^ (x[r * width + c] & before);
        }
    }
}

/// Where no directive says scan, floats are combined in the order of the loop; and not everything that looks like one is.
#[test]
fn rows_that_no_directive_calls_scans() {
    let (width, n) = (50, 200);
    let x: Vec<f64> = (0..n).map(|i| if i % 7 < 3 { 1e200 } else { 1e-150 }).collect();
    let bits: Vec<u32> = (0..n).map(|i| (i as u32).wrapping_mul(2_654_435_761)).collect();
    let (mut products, mut masks) = (vec![1e-300; n], bits.clone());
    for i in (0..n).filter(|i| i % width != 0) {
        products[i] = products[i - 1] * x[i];
        masks[i] = masks[i - 1] ^ (bits[i] & masks[i - 1]);
    }
    on_every_device(|d| {
        let (mut y, mut z) = (vec![1e-300; n], bits.clone());
        products_as_they_stand(d, width, &x, &mut y);
        assert_eq!(y, products, "device {d}");
        before_and_in_the_element(d, width, &bits, &mut z);
        assert_eq!(z, masks, "device {d}");
    });
}

#[omp::offload]
fn highest(d: usize, width: usize, x: &[f32], y: &mut [f32]) {
    #[omp::target(device(d), scan(max: y))]
    for r in 0..x.len() / width {
        for c in 1..width {
            y[r * width + c] = y[r * width + c - 1].max(x[r * width + c]);
        }
    }
}

#[test]
fn bounds_of_rows_that_are_not_reached() {
    on_every_device(|d| {
        let mut y = vec![1; 12];
        columns(d, &mut y, 4, 12);
        assert_eq!(y, [1, 1, 1, 4, 4, 1, 7, 7, 1, 10, 10, 1], "{d}");
        let before = y.clone();
        for (rows, all) in [(0, 12), (1, 0)] {
            columns(d, &mut y, rows, all);
        }
        assert_eq!(y, before, "{d}");
    });
}

#[test]
fn rows_of_nothing_but_nans_keep_them() {
    on_every_device(|d| {
        for width in [2, 33, 70, 300] {
            let n = 5 * width;
            let mut x = vec![f32::NAN; n];
            x[3 * width + width / 2] = 2.0;
            x[4 * width..].fill(-0.0);
            let (mut y, mut want) = (vec![f32::NAN; n], vec![f32::NAN; n]);
            for i in (0..n).filter(|i| i % width != 0) {
                want[i] = want[i - 1].max(x[i]);
            }
            highest(d, width, &x, &mut y);
            let bits =
                |v: &[f32]| v.iter().map(|v| if v.is_nan() { 1 } else { v.to_bits() }).collect::<Vec<_>>();
            assert_eq!(bits(&y), bits(&want), "{width} on {d}");
        }
    });
}

#[omp::offload]
fn highest_so_far(d: usize, x: &[f32], y: &mut [f32]) {
    #[omp::target(device(d), scan(max: y))]
    for i in 1..x.len() {
        y[i] = y[i - 1].max(x[i]);
    }
}

#[omp::offload]
fn lowest_so_far(d: usize, x: &[f32], mut s: f32, y: &mut [f32]) {
    #[omp::target(device(d), scan(min: s))]
    for i in 0..x.len() {
        s = s.min(x[i]);
        y[i] = s;
    }
}

#[omp::offload]
fn lowest_by_if(d: usize, x: &[f32], mut s: f32, y: &mut [f32]) {
    #[omp::target(device(d), scan(min: s))]
    for i in 0..x.len() {
        if x[i] < s {
            s = x[i];
        }
        y[i] = s;
    }
}

#[test]
fn nans_until_a_number() {
    on_every_device(|d| {
        for n in [40, 70_000] {
            let mut x = vec![f32::NAN; n];
            x[n - 3] = 2.0;
            let bits =
                |v: &[f32]| v.iter().map(|v| if v.is_nan() { 1 } else { v.to_bits() }).collect::<Vec<_>>();
            let mut want = vec![f32::NAN; n];
            want[n - 3..].fill(2.0);
            let mut y = vec![f32::NAN; n];
            highest_so_far(d, &x, &mut y);
            assert_eq!(bits(&y), bits(&want), "{n} on {d}");
            lowest_so_far(d, &x, f32::NAN, &mut y);
            assert_eq!(bits(&y), bits(&want), "{n} on {d}");
            want.fill(f32::NAN);
            lowest_by_if(d, &x, f32::NAN, &mut y);
            assert_eq!(bits(&y), bits(&want), "{n} on {d}");
            want.fill(5.0);
            want[n - 3..].fill(2.0);
            lowest_by_if(d, &x, 5.0, &mut y);
            assert_eq!(bits(&y), bits(&want), "{n} on {d}");
        }
    });
}
