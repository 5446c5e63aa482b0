//! Inner loops with directives: outer iterations over teams, inner ones over the threads of a team, or in lock-step.
//! Every device against plain Rust, odd sizes, empty loops and single iterations among them.
#![allow(
    clippy::assign_op_pattern,
    clippy::explicit_iter_loop,
    clippy::needless_range_loop,
    reason = "every spelling that users may choose"
)]
#![allow(clippy::cast_lossless, reason = "bodies have `as`")]
use omp_tests::{Values, on_every_device};

const SIZES: [(usize, usize); 10] =
    [(0, 4), (4, 0), (1, 1), (3, 1000), (257, 2), (33, 31), (65, 256), (2, 65_537), (1000, 9), (7, 4097)];

fn numbers(n: usize, seed: u64) -> Vec<i64> {
    let mut v = Values(seed);
    (0..n).map(|_| i64::from(v.bits() % 2001) - 1000).collect()
}

#[omp::offload]
fn all_items(d: usize, m: usize, n: usize, a: &[i64], out: &mut [[i64; 6]], odd: &mut [bool]) {
    #[omp::target(device(d), map(to: a))]
    for i in 0..m {
        let (mut sum, mut low, mut high) = (10i64, i64::MAX, i64::MIN);
        let (mut bits, mut any, mut ones) = (0u8, false, 1i16);
        #[omp::parallel_for(reduction(+: sum), reduction(min: low), reduction(max: high), reduction(|: bits), reduction(||: any), reduction(*: ones))]
        for j in 0..n {
            let v = a[i * n + j];
            sum += v;
            low = low.min(v);
            if v > high {
                high = v;
            }
            bits |= (v & 0x55) as u8;
            any = any || v == 7;
            ones *= if v % 2 == 0 { 1 } else { -1 };
        }
        out[i] = [sum, low, high, bits as i64, any as i64, ones as i64];
        odd[i] = ones < 0;
    }
}

#[test]
fn inner_reductions_of_every_operator() {
    on_every_device(|d| {
        for (m, n) in SIZES {
            let a = numbers(m * n, 3);
            let (mut out, mut odd) = (vec![[9; 6]; m], vec![true; m]);
            all_items(d, m, n, &a, &mut out, &mut odd);
            for i in 0..m {
                let row = &a[i * n..(i + 1) * n];
                let flips = row.iter().filter(|v| **v % 2 != 0).count() % 2 == 1;
                let want = [
                    10 + row.iter().sum::<i64>(),
                    row.iter().copied().min().unwrap_or(i64::MAX),
                    row.iter().copied().max().unwrap_or(i64::MIN),
                    row.iter().fold(0u8, |b, v| b | (v & 0x55) as u8) as i64,
                    row.contains(&7) as i64,
                    if flips { -1 } else { 1 },
                ];
                assert_eq!((out[i], odd[i]), (want, flips), "row {i} of {m} x {n} on device {d}");
            }
        }
    });
}

#[omp::offload]
fn softmax(d: usize, n: usize, x: &mut [f32]) {
    #[omp::target(device(d))]
    for r in 0..x.len().checked_div(n).unwrap_or(0) {
        let mut top = f32::NEG_INFINITY;
        #[omp::parallel_for(reduction(max: top))]
        for c in 0..n {
            top = top.max(x[r * n + c]);
        }
        let mut sum = 0.0f32;
        #[omp::parallel_for(reduction(+: sum))]
        for c in 0..n {
            let e = (x[r * n + c] - top).exp();
            x[r * n + c] = e;
            sum += e;
        }
        let scale = 1.0 / sum;
        #[omp::distribute_parallel_for]
        for c in 0..n {
            x[r * n + c] *= scale;
        }
    }
}

#[test]
fn nests_see_what_those_before_wrote() {
    on_every_device(|d| {
        for (m, n) in SIZES {
            if n == 0 {
                continue;
            }
            let mut x: Vec<f32> = numbers(m * n, 5).iter().map(|v| *v as f32 / 100.0).collect();
            let want: Vec<f64> = x
                .chunks(n)
                .flat_map(|row| {
                    let top = row.iter().copied().fold(f32::NEG_INFINITY, f32::max) as f64;
                    let e: Vec<f64> = row.iter().map(|v| (*v as f64 - top).exp()).collect();
                    let sum: f64 = e.iter().sum();
                    e.into_iter().map(move |e| e / sum)
                })
                .collect();
            softmax(d, n, &mut x);
            for (k, (got, want)) in x.iter().zip(&want).enumerate() {
                let close = (*got as f64 - want).abs() <= 1e-4 * want.abs() + 1e-12;
                assert!(close, "element {k} of {m} x {n} on device {d}: {got} for {want}");
            }
        }
    });
}

/// Statements around the nests store, load again, and decide; a nest stands in a loop and under a condition.
#[omp::offload]
fn around(d: usize, n: usize, a: &mut [i64], b: &mut [i64], steps: &[u32], total: i64) -> i64 {
    let mut all = total;
    #[omp::target(device(d), map(tofrom: a, b), map(to: steps), reduction(+: all))]
    for i in 0..steps.len() {
        if steps[i] == 3 {
            continue;
        }
        b[i] = steps[i] as i64;
        let mut left = b[i];
        while left > 0 {
            let by = left;
            #[omp::parallel_for]
            for j in 0..n {
                a[i * n + j] += by * (j as i64 + b[i]);
            }
            b[i] += 1;
            left -= 1;
        }
        if b[i] > 3 {
            let mut last = -1;
            #[omp::parallel_for(lastprivate(last))]
            for j in (0..n).rev().step_by(2) {
                last = a[i * n + j];
                if j > 5 {
                    continue;
                }
                last = last * 2;
            }
            b[i] = b[i] * 1000 + last;
        }
        all += b[i];
    }
    all
}

fn around_serially(n: usize, a: &mut [i64], b: &mut [i64], steps: &[u32], total: i64) -> i64 {
    let mut all = total;
    for i in 0..steps.len() {
        if steps[i] == 3 {
            continue;
        }
        b[i] = steps[i] as i64;
        let mut left = b[i];
        while left > 0 {
            for j in 0..n {
                a[i * n + j] += left * (j as i64 + b[i]);
            }
            b[i] += 1;
            left -= 1;
        }
        if b[i] > 3 {
            let mut last = -1;
            for j in (0..n).rev().step_by(2) {
                last = a[i * n + j];
                if j > 5 {
                    continue;
                }
                last *= 2;
            }
            b[i] = b[i] * 1000 + last;
        }
        all += b[i];
    }
    all
}

#[test]
fn statements_around_nests() {
    on_every_device(|d| {
        for (m, n) in SIZES {
            let steps: Vec<u32> = (0..m as u32).map(|i| i * 7 % 5).collect();
            let (mut a, mut b) = (numbers(m * n, 1), numbers(m, 2));
            let (mut want_a, mut want_b) = (a.clone(), b.clone());
            let want = around_serially(n, &mut want_a, &mut want_b, &steps, 77);
            for turn in 0..2 {
                if turn == 1 {
                    (a, b) = (numbers(m * n, 1), numbers(m, 2));
                }
                let got = around(d, n, &mut a, &mut b, &steps, 77);
                assert_eq!((got, &b), (want, &want_b), "{m} x {n} on device {d}");
                assert_eq!(a, want_a, "{m} x {n} on device {d}");
            }
        }
    });
}

#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Pair {
    a: f32,
    b: [i16; 3],
}

/// Copies of variables, collapsed nests, bounds that depend on each other.
#[omp::offload]
fn copies<T: omp::Device + Into<f64>>(
    d: usize,
    m: usize,
    k: T,
    y: &mut [u32],
    z: &mut [u32],
    p: &mut [Pair],
) {
    let mut seen = 5u32;
    #[omp::target(device(d))]
    for i in 0..p.len() {
        let mut t: u32;
        let u = i as u32;
        let buffer = [1u32; 4];
        let mut kept = Pair { a: 0.0, b: [0; 3] };
        #[omp::parallel_for(
            collapse(2),
            private(t),
            firstprivate(u, buffer),
            lastprivate(kept),
            num_threads(48)
        )]
        for a in 0..m {
            for b in 0..=2usize {
                t = (a * 10 + b) as u32;
                y[(i * m + a) * 3 + b] = u + t + buffer[b];
                kept = Pair { a: t as f32, b: [a as i16, b as i16, i as i16] };
            }
        }
        #[omp::parallel_for(collapse(2), schedule(static), num_threads(m + 1))]
        for a in 0..m {
            for b in a..m {
                z[(i * m + a) * m + b] += 3 + u;
            }
        }
        p[i] = kept;
    }
    seen += 1;
    let _ = (seen, k);
}

#[test]
fn copies_and_collapsed_nests() {
    on_every_device(|d| {
        for (n, m) in [(0, 3), (1, 1), (5, 0), (3, 1), (4, 7), (2, 65)] {
            let none = Pair { a: 0.0, b: [0; 3] };
            let (mut y, mut z, mut p) = (vec![0; n * m * 3], vec![1; n * m * m], vec![none; n]);
            copies(d, m, 1.5f32, &mut y, &mut z, &mut p);
            for i in 0..n {
                for a in 0..m {
                    for b in 0..3 {
                        assert_eq!(y[(i * m + a) * 3 + b] as usize, i + a * 10 + b + 1);
                    }
                    for b in 0..m {
                        let more = if b >= a { 3 + i } else { 0 };
                        assert_eq!(z[(i * m + a) * m + b] as usize, 1 + more, "{i} {a} {b}");
                    }
                }
                let last = Pair { a: (m * 10) as f32 - 8.0, b: [m as i16 - 1, 2, i as i16] };
                assert_eq!(p[i], if m == 0 { none } else { last });
            }
        }
    });
}

/// An inner reduction into an item of the outer one, and counts that no order may change.
#[omp::offload]
fn both_levels(d: usize, n: usize, x: &[f64], rows: usize) -> (f64, u64, u64) {
    let (mut sum, mut count, mut crowded) = (0.25, 0u64, 0u64);
    #[omp::target(device(d), reduction(+: sum, count), reduction(max: crowded))]
    for i in 0..rows {
        let mut here = 0u64;
        #[omp::parallel_for(reduction(+: sum, here))]
        for j in 0..n {
            sum += x[i * n + j];
            if x[i * n + j] > 0.0 {
                here += 1;
            }
        }
        count += here;
        crowded = crowded.max(here);
    }
    (sum, count, crowded)
}

#[test]
fn inner_items_that_are_outer_items() {
    on_every_device(|d| {
        for (m, n) in SIZES {
            let x: Vec<f64> = numbers(m * n, 11).iter().map(|v| *v as f64 / 64.0).collect();
            let (sum, count, crowded) = both_levels(d, n, &x, m);
            let per_row = |i: usize| x[i * n..(i + 1) * n].iter().filter(|v| **v > 0.0).count() as u64;
            assert_eq!(sum, 0.25 + x.iter().sum::<f64>(), "{m} x {n} on device {d}");
            assert_eq!(count, (0..m).map(per_row).sum::<u64>());
            assert_eq!(crowded, (0..m).map(per_row).max().unwrap_or(0));
        }
    });
}

#[omp::offload]
fn lock_step(d: usize, w: usize, x: &[f32], y: &mut [f32], s: &mut [f32]) {
    #[omp::target(device(d))]
    for r in 0..s.len() {
        let mut sum = 0.5f32;
        #[omp::simd(simdlen(4), reduction(+: sum))]
        for c in 0..w {
            y[r * w + c] = 2.0 * x[r * w + c];
            sum += x[r * w + c];
        }
        #[omp::parallel_for_simd(simdlen(8))]
        for c in 0..w {
            y[r * w + c] += 1.0;
        }
        s[r] = sum;
    }
}

#[test]
fn simd_loops_in_regions() {
    on_every_device(|d| {
        for (m, n) in SIZES {
            let x: Vec<f32> = (0..m * n).map(|k| (k % 17) as f32).collect();
            let (mut y, mut s) = (vec![0.0; m * n], vec![0.0; m]);
            lock_step(d, n, &x, &mut y, &mut s);
            assert!((0..m * n).all(|k| y[k] == 2.0 * x[k] + 1.0), "{m} x {n} on device {d}");
            for r in 0..m {
                assert_eq!(s[r], 0.5 + x[r * n..(r + 1) * n].iter().sum::<f32>());
            }
        }
    });
}

/// What sizes decide: rows that overlap, columns that fall together.
#[omp::offload(try)]
fn at_launch(d: usize, n: usize, row: usize, col: usize, y: &mut [u8]) -> Result<(), omp::Error> {
    #[omp::target(device(d))]
    for i in 0..2usize {
        #[omp::parallel_for]
        for j in 0..n {
            y[i * row + j * col] = 1;
        }
    }
    Ok(())
}

#[test]
fn the_launch_sees_conflicts_at_both_levels() {
    on_every_device(|d| {
        let mut y = [0; 64];
        for (row, col, what) in [(8, 0, "j"), (7, 1, "i"), (0, 1, "i")] {
            let text = at_launch(d, 8, row, col, &mut y).expect_err("a race").to_string();
            assert!(text.contains("race") || text.contains("same element"), "{text}");
            assert!(text.contains(what), "{text}");
        }
        at_launch(d, 8, 8, 1, &mut y).expect("rows that touch");
        at_launch(d, 8, 1, 2, &mut y).expect("interleaved");
    });
}

/// A nest in which one iteration fails; the next launch works.
#[omp::offload(try)]
fn failing(d: usize, n: usize, at: &[u32], y: &mut [u32], x: &[u32]) -> Result<u32, omp::Error> {
    let mut sum = 0;
    #[omp::target(device(d), reduction(+: sum))]
    for i in 0..at.len().checked_div(n).unwrap_or(0) {
        let mut here = 0u32;
        #[omp::parallel_for(reduction(+: here))]
        for j in 0..n {
            let v = x[at[i * n + j] as usize];
            y[i * n + j] = v;
            here += v;
        }
        sum += 100 / here;
    }
    Ok(sum)
}

#[test]
fn a_failure_in_a_nest_is_found() {
    on_every_device(|d| {
        for n in [1usize, 31, 257, 1000] {
            let x = [1u32, 2, 3];
            let mut at = vec![1u32; 40 * n];
            let mut y = vec![0; 40 * n];
            at[17 * n + n / 2] = 3;
            let text = failing(d, n, &at, &mut y, &x).expect_err("out of bounds").to_string();
            assert!(text.contains("index is 3") && text.contains(file!()), "{text}");
            at[17 * n + n / 2] = 1;
            assert_eq!(failing(d, n, &at, &mut y, &x).expect("all in bounds"), 40 * (100 / (2 * n as u32)));
            assert!(y.iter().all(|v| *v == 2));
        }
    });
}

/// The error of long sums of floats is at most that of the serial loop, at both levels, on every device.
#[omp::offload]
fn accurate(d: usize, n: usize, x: &[f32], sums: &mut [f32]) {
    #[omp::target(device(d))]
    for i in 0..sums.len() {
        let mut s = 0.0;
        #[omp::parallel_for(reduction(+: s))]
        for j in 0..n {
            if x[i * n + j] < 0.0 {
                continue;
            }
            s += x[i * n + j];
        }
        sums[i] = s;
    }
}

#[test]
fn long_inner_sums_are_accurate() {
    on_every_device(|d| {
        let n = 1_000_003usize;
        let x: Vec<f32> = (0..2 * n).map(|i| ((i * 7919) % 1009) as f32 * 1e-3).collect();
        let mut sums = [0.0f32; 2];
        accurate(d, n, &x, &mut sums);
        for (i, got) in sums.iter().enumerate() {
            let exact: f64 = x[i * n..(i + 1) * n].iter().map(|v| f64::from(*v)).sum();
            let bound = n as f64 * f64::from(f32::EPSILON) / 2.0 * exact;
            assert!((f64::from(*got) - exact).abs() <= bound, "{got} for {exact} on device {d}");
        }
        // Of small whole numbers no sum rounds, in any order: none may be left out or added twice.
        let x: Vec<f32> = (0..2 * n).map(|i| (i * 7919 % 17) as f32).collect();
        let exact = [0, 1].map(|i| x[i * n..(i + 1) * n].iter().sum::<f32>());
        accurate(d, n, &x, &mut sums);
        assert_eq!(sums, exact, "on device {d}");
    });
}

#[omp::offload]
fn iters(d: usize, n: usize, x: &[f32], y: &mut [f32], k: &[u32]) {
    #[omp::target(device(d))]
    for (i, out) in y.iter_mut().enumerate() {
        let mut s = 0.0;
        #[omp::parallel_for(reduction(+: s))]
        for (j, v) in x.iter().enumerate() {
            s += *v * (i + j + n) as f32;
        }
        let mut top = f32::NAN;
        #[omp::parallel_for(reduction(max: top))]
        for v in k.iter() {
            if (*v as f32) > top {
                top = *v as f32;
            }
        }
        *out = if top.is_nan() { s } else { -1.0 };
    }
}
#[test]
fn inner_iterators() {
    on_every_device(|d| {
        let x = [1.0f32, 2.0, 3.0];
        let mut y = [0.0f32; 5];
        iters(d, 2, &x, &mut y, &[4, 2]);
        for i in 0..5 {
            assert_eq!(y[i], (0..3).map(|j| x[j] * (i + j + 2) as f32).sum::<f32>(), "{d}");
        }
    });
}
#[omp::offload]
fn rows_in_a_block(d: usize, n: usize, a: &mut [i64], s: &mut [i64]) {
    #[omp::target(device(d), map(tofrom: a, s))]
    {
        #[omp::parallel_for]
        for i in 0..s.len() {
            let mut t = 0i64;
            #[omp::parallel_for(reduction(+: t))]
            for j in 0..n {
                t += a[i * n + j];
            }
            s[i] = t;
        }
        #[omp::parallel_for(collapse(2))]
        for i in 0..s.len() {
            for j in 0..n {
                a[i * n + j] -= s[i];
            }
        }
    }
}
#[test]
fn nests_in_a_target_block() {
    on_every_device(|d| {
        let n = 100;
        let mut a: Vec<i64> = (0..7 * n as i64).collect();
        let mut s = vec![1; 7];
        let b = a.clone();
        rows_in_a_block(d, n, &mut a, &mut s);
        for i in 0..7 {
            let t: i64 = b[i * n..(i + 1) * n].iter().sum();
            assert_eq!(s[i], t);
            assert!((0..n).all(|j| a[i * n + j] == b[i * n + j] - t));
        }
    });
}

#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Best {
    value: i64,
    index: usize,
}

#[omp::declare_reduction(best: Best, identity = Best { value: i64::MIN, index: usize::MAX })]
fn best(a: Best, b: Best) -> Best {
    if b.value > a.value { b } else { a }
}

/// What `p -> a * p + b` does: composing two of these does not commute.
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Map {
    a: u32,
    b: u32,
}

#[omp::declare_reduction(*: Map, identity = Map { a: 1, b: 0 })]
impl std::ops::Mul for Map {
    type Output = Map;
    fn mul(self, then: Map) -> Map {
        Map { a: self.a.wrapping_mul(then.a), b: self.b.wrapping_mul(then.a).wrapping_add(then.b) }
    }
}

type Declared = (Best, Map, i64, usize);

#[omp::offload]
fn declared_items(
    d: usize,
    m: usize,
    n: usize,
    a: &[i64],
    out: &mut [Best],
    maps: &mut [Map],
    sums: &mut [(i64, usize)],
) {
    #[omp::target(device(d), map(to: a))]
    for i in 0..m {
        let mut top = Best { value: -5, index: 77 };
        let mut map = Map { a: 3, b: 1 };
        let (mut sum, mut last) = (4i64, 9usize);
        #[omp::parallel_for(if(i % 3 != 1), num_threads(13), reduction(best: top), reduction(*: map), reduction(+: sum), lastprivate(last))]
        for j in 0..n {
            let v = a[i * n + j];
            top = best(top, Best { value: v, index: j });
            map = map * Map { a: v as u32, b: 1 };
            sum += v;
            last = j;
        }
        out[i] = top;
        maps[i] = map;
        sums[i] = (sum, last);
    }
}

#[test]
fn declared_reductions_of_inner_loops_keep_the_order() {
    on_every_device(|d| {
        for (m, n) in SIZES {
            let a = numbers(m * n, 5);
            let mut out = vec![Best { value: 0, index: 0 }; m];
            let (mut maps, mut sums) = (vec![Map { a: 0, b: 0 }; m], vec![(0, 0); m]);
            declared_items(d, m, n, &a, &mut out, &mut maps, &mut sums);
            for i in 0..m {
                let mut want: Declared = (Best { value: -5, index: 77 }, Map { a: 3, b: 1 }, 4, 9);
                for (j, v) in a[i * n..(i + 1) * n].iter().enumerate() {
                    want.0 = best(want.0, Best { value: *v, index: j });
                    want.1 = want.1 * Map { a: *v as u32, b: 1 };
                    want.2 += v;
                    want.3 = j;
                }
                assert_eq!((out[i], maps[i], sums[i].0, sums[i].1), want, "row {i} of {m} x {n}");
            }
        }
    });
}

#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Tally {
    total: i64,
    low: i64,
}

#[allow(clippy::too_many_arguments, reason = "one for each kind of item")]
#[omp::offload]
fn in_place(
    d: usize,
    m: usize,
    n: usize,
    a: &[i64],
    bins: &mut [[u32; 5]],
    all: &mut [u32],
    rows: &mut [Tally],
    scattered: &mut [[i64; 7]],
) {
    #[omp::target(device(d), map(to: a), reduction(+: all))]
    for i in 0..m {
        let mut own = [0u32; 5];
        let mut tally = Tally { total: 2, low: i64::MAX };
        #[omp::parallel_for(reduction(+: own, all, tally.total), reduction(min: tally.low))]
        for j in 0..n {
            let v = a[i * n + j];
            own[v.rem_euclid(5) as usize] += 1;
            all[v.rem_euclid(3) as usize] += 1;
            tally.total += v;
            tally.low = tally.low.min(v);
        }
        bins[i] = own;
        rows[i] = tally;
        // In order, iterations that meet have the last one's value.
        #[omp::parallel_for(disjoint(scattered))]
        for j in 0..n {
            scattered[i][a[i * n + j].rem_euclid(7) as usize] = j as i64;
        }
    }
}

#[test]
fn elements_and_fields_reduced_by_inner_loops() {
    on_every_device(|d| {
        for (m, n) in SIZES {
            let a = numbers(m * n, 6);
            let (mut bins, mut all) = (vec![[9; 5]; m], vec![1u32; 3]);
            let mut rows = vec![Tally { total: 0, low: 0 }; m];
            let mut scattered = vec![[-1; 7]; m];
            in_place(d, m, n, &a, &mut bins, &mut all, &mut rows, &mut scattered);
            let mut want = vec![1u32; 3];
            a.iter().for_each(|v| want[v.rem_euclid(3) as usize] += 1);
            assert_eq!(all, want);
            for i in 0..m {
                let row = &a[i * n..(i + 1) * n];
                let (mut own, mut last) = ([0u32; 5], [-1i64; 7]);
                for (j, v) in row.iter().enumerate() {
                    own[v.rem_euclid(5) as usize] += 1;
                    last[v.rem_euclid(7) as usize] = j as i64;
                }
                assert_eq!(bins[i], own);
                assert_eq!(scattered[i], last);
                let low = row.iter().copied().min().unwrap_or(i64::MAX);
                assert_eq!(rows[i], Tally { total: 2 + row.iter().sum::<i64>(), low });
            }
        }
    });
}

/// Loops without a directive whose iterations are independent, over triangles, in a sequential loop, between statements that read
/// what they write.
#[omp::offload]
fn rows_of_pairs(d: usize, n: usize, a: &[f32], c: &mut [f32], firsts: &mut [f32]) {
    #[omp::target(device(d), fp(strict))]
    for i in 0..n {
        for j in 0..i {
            c[i * n + j] = (a[i] - a[j]).abs();
        }
        firsts[i] = c[i * n];
        for k in 0..3 {
            for j in i..n {
                c[i * n + j] += a[k] * a[j];
            }
        }
        firsts[i] += c[i * n + n - 1];
    }
}

fn serial_rows(n: usize, a: &[f32], c: &mut [f32], firsts: &mut [f32]) {
    for i in 0..n {
        for j in 0..i {
            c[i * n + j] = (a[i] - a[j]).abs();
        }
        firsts[i] = c[i * n];
        for k in 0..3 {
            for j in i..n {
                c[i * n + j] += a[k] * a[j];
            }
        }
        firsts[i] += c[i * n + n - 1];
    }
}

#[test]
fn independent_loops_without_a_directive() {
    for n in [3usize, 64, 157] {
        let a: Vec<f32> = numbers(n, 5).into_iter().map(|v| v as f32).collect();
        let start: Vec<f32> = numbers(n * n, 6).into_iter().map(|v| v as f32).collect();
        let (mut want, mut first) = (start.clone(), vec![0.0; n]);
        serial_rows(n, &a, &mut want, &mut first);
        on_every_device(|d| {
            let (mut c, mut firsts) = (start.clone(), vec![9.0; n]);
            rows_of_pairs(d, n, &a, &mut c, &mut firsts);
            assert!(c == want && firsts == first, "{n} rows on device {d}");
        });
    }
}

/// How far a nest goes is read from what it writes, once: no thread of a team may begin before the others have read it.
#[omp::offload]
fn until_what_is_written(d: usize, m: usize, n: usize, c: &mut [u32], with: bool) {
    if with {
        #[omp::target(device(d), map(tofrom: c), unsafe(disjoint(c), unchecked(c)))]
        for i in 0..m {
            #[omp::parallel_for]
            for j in 0..c[i * n] as usize {
                c[i * n + j] = 3;
            }
        }
    } else {
        #[omp::target(device(d), map(tofrom: c), unsafe(disjoint(c), unchecked(c)))]
        for i in 0..m {
            for j in 0..c[i * n] as usize {
                c[i * n + j] = 3;
            }
        }
    }
}

#[test]
fn bounds_of_nests_are_read_before_these_write() {
    let (m, n) = (40usize, 500usize);
    let first = |i: usize| if i.is_multiple_of(7) { 0 } else { 400 - i };
    let start: Vec<u32> = (0..m * n).map(|k| if k % n == 0 { first(k / n) as u32 } else { 1 }).collect();
    let value = |k: usize| if k % n < first(k / n) { 3 } else { start[k] };
    let want: Vec<u32> = (0..m * n).map(value).collect();
    on_every_device(|d| {
        for with in [false, true] {
            let mut c = start.clone();
            until_what_is_written(d, m, n, &mut c, with);
            assert!(c == want, "on device {d}");
        }
    });
}

/// Beside a loop whose iterations depend on each other, which each thread of a team would run.
#[omp::offload]
fn sums_of_rows(d: usize, n: usize, a: &[i32], c: &mut [i32]) {
    #[omp::target(device(d))]
    for i in 0..n {
        let mut sum = 0;
        for j in 0..n {
            sum += a[i * n + j];
        }
        for j in 0..n {
            c[i * n + j] = sum - a[i * n + j];
        }
    }
}

#[test]
fn independent_loops_beside_others() {
    for n in [1usize, 65, 130] {
        let a: Vec<i32> = numbers(n * n, 8).into_iter().map(|v| v as i32).collect();
        let sum = |i: usize| a[i * n..][..n].iter().sum::<i32>();
        let want: Vec<i32> = (0..n * n).map(|k| sum(k / n) - a[k]).collect();
        on_every_device(|d| {
            let mut c = vec![7; n * n];
            sums_of_rows(d, n, &a, &mut c);
            assert!(c == want, "{n} rows on device {d}");
        });
    }
}
