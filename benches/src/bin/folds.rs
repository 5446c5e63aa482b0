//! Reductions and scans compared with the CUDA peers: `folds [WORK-PREFIX]`; run it with OMP_BACKEND=cuda and
//! OMP_TARGET_OFFLOAD=mandatory. `--small` divides the sizes. `folds geometry` is the plot of teams and threads alone.
#![allow(clippy::cast_lossless, clippy::assign_op_pattern, reason = "the loops as the peers have them")]
use omp_benches::{Works, floats, kernels, mix, region, unit};
use rayon::prelude::*;
use std::ops::Mul;

const REPS: usize = 11;

#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Best {
    value: f32,
    index: usize,
}

#[omp::declare_reduction(best: Best, identity = Best { value: f32::NEG_INFINITY, index: usize::MAX })]
fn best(a: Best, b: Best) -> Best {
    if b.value > a.value || (b.value == a.value && b.index < a.index) { b } else { a }
}

/// A matrix of wrapping numbers.
#[repr(align(16))]
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Mat2 {
    a: i64,
    b: i64,
    c: i64,
    d: i64,
}

#[omp::declare_reduction(*: Mat2, identity = Mat2 { a: 1, b: 0, c: 0, d: 1 })]
impl Mul for Mat2 {
    type Output = Mat2;
    fn mul(self, y: Mat2) -> Mat2 {
        Mat2 {
            a: self.a.wrapping_mul(y.a).wrapping_add(self.b.wrapping_mul(y.c)),
            b: self.a.wrapping_mul(y.b).wrapping_add(self.b.wrapping_mul(y.d)),
            c: self.c.wrapping_mul(y.a).wrapping_add(self.d.wrapping_mul(y.c)),
            d: self.c.wrapping_mul(y.b).wrapping_add(self.d.wrapping_mul(y.d)),
        }
    }
}

/// A step of Horner's rule.
#[repr(align(16))]
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Pair {
    p: f64,
    y: f64,
}

#[omp::declare_reduction(horner: Pair, identity = Pair { p: 0.0, y: 1.0 })]
fn horner(a: Pair, b: Pair) -> Pair {
    Pair { p: a.p * b.y + b.p, y: a.y * b.y }
}

#[omp::offload]
fn argmax(x: &[f32]) -> Best {
    let mut top = Best { value: f32::NEG_INFINITY, index: usize::MAX };
    #[omp::target(reduction(best: top))]
    for i in 0..x.len() {
        top = best(top, Best { value: x[i], index: i });
    }
    top
}

/// Number, mean, and sum of squares of differences from it.
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Moments {
    n: f64,
    mean: f64,
    squares: f64,
}

#[omp::declare_reduction(welford: Moments, identity = Moments { n: 0.0, mean: 0.0, squares: 0.0 })]
fn welford(a: Moments, b: Moments) -> Moments {
    if b.n == 0.0 {
        a
    } else if a.n == 0.0 {
        b
    } else {
        let (n, d) = (a.n + b.n, b.mean - a.mean);
        let part = b.n / n;
        Moments { n, mean: a.mean + d * part, squares: a.squares + b.squares + d * d * (a.n * part) }
    }
}

#[omp::offload]
fn moments(x: &[f32]) -> Moments {
    let mut all = Moments { n: 0.0, mean: 0.0, squares: 0.0 };
    #[omp::target(reduction(welford: all))]
    for i in 0..x.len() {
        all = welford(all, Moments { n: 1.0, mean: f64::from(x[i]), squares: 0.0 });
    }
    all
}

#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Point {
    x: f32,
    y: f32,
    z: f32,
}

/// What points are in.
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Bounds {
    low: Point,
    high: Point,
}

const EMPTY: Bounds = Bounds {
    low: Point { x: f32::INFINITY, y: f32::INFINITY, z: f32::INFINITY },
    high: Point { x: f32::NEG_INFINITY, y: f32::NEG_INFINITY, z: f32::NEG_INFINITY },
};

#[omp::declare_reduction(around: Bounds, identity = EMPTY)]
fn around(a: Bounds, b: Bounds) -> Bounds {
    Bounds {
        low: Point { x: a.low.x.min(b.low.x), y: a.low.y.min(b.low.y), z: a.low.z.min(b.low.z) },
        high: Point { x: a.high.x.max(b.high.x), y: a.high.y.max(b.high.y), z: a.high.z.max(b.high.z) },
    }
}

#[omp::offload]
fn bounds(p: &[Point]) -> Bounds {
    let mut all = EMPTY;
    #[omp::target(reduction(around: all))]
    for i in 0..p.len() {
        all = around(all, Bounds { low: p[i], high: p[i] });
    }
    all
}

#[omp::offload]
fn product(x: &[Mat2]) -> Mat2 {
    let mut all = Mat2 { a: 1, b: 0, c: 0, d: 1 };
    #[omp::target(reduction(*: all))]
    for i in 0..x.len() {
        all = all * x[i];
    }
    all
}

/// 256 bytes.
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Sums {
    of: [f64; 32],
}

#[omp::declare_reduction(added: Sums, identity = Sums { of: [0.0; 32] })]
fn added(a: Sums, b: Sums) -> Sums {
    let mut r = a;
    for k in 0..32 {
        r.of[k] += b.of[k];
    }
    r
}

#[omp::offload]
fn sums(x: &[Sums]) -> Sums {
    let mut all = Sums { of: [0.0; 32] };
    #[omp::target(reduction(added: all))]
    for i in 0..x.len() {
        all = added(all, x[i]);
    }
    all
}

#[omp::offload]
fn sum_in(teams: usize, threads: usize, x: &[i32]) -> i32 {
    let mut sum = 0i32;
    #[omp::target(num_teams(teams), thread_limit(threads), reduction(+: sum))]
    for i in 0..x.len() {
        sum += x[i];
    }
    sum
}

#[omp::offload]
fn scan_in(teams: usize, threads: usize, x: &[i32], y: &mut [i32]) {
    let mut s = 0;
    #[omp::target(num_teams(teams), thread_limit(threads), scan(+: s))]
    for i in 0..x.len() {
        y[i] = s;
        s += x[i];
    }
}

#[omp::offload]
fn histogram(x: &[i32], hist: &mut [u32]) {
    #[omp::target(reduction(+: hist))]
    for i in 0..x.len() {
        hist[x[i] as usize] += 1;
    }
}

#[omp::offload]
fn float_bins(x: &[i32], bins: &mut [f32]) {
    #[omp::target(reduction(+: bins))]
    for i in 0..x.len() {
        bins[x[i] as usize] += 0.5;
    }
}

/// Values of many sizes.
#[omp::offload]
fn value_bins<T: omp::Device + std::ops::AddAssign>(k: &[i32], x: &[T], bins: &mut [T]) {
    #[omp::target(reduction(+: bins))]
    for i in 0..k.len() {
        bins[k[i] as usize] += x[i];
    }
}

#[omp::offload]
fn fixed_sum<T: omp::Device + Default + std::ops::AddAssign>(x: &[T]) -> T {
    let mut sum = T::default();
    #[omp::target(reduction(reproducible, +: sum))]
    for i in 0..x.len() {
        sum += x[i];
    }
    sum
}

#[omp::offload]
fn fixed_product(x: &[Mat2]) -> Mat2 {
    let mut all = Mat2 { a: 1, b: 0, c: 0, d: 1 };
    #[omp::target(reduction(reproducible, *: all))]
    for i in 0..x.len() {
        all = all * x[i];
    }
    all
}

#[omp::offload]
fn fixed_bins(x: &[i32], bins: &mut [f32]) {
    #[omp::target(reduction(reproducible, +: bins))]
    for i in 0..x.len() {
        bins[x[i] as usize] += 0.5;
    }
}

/// What each row adds up to, by the threads of a team.
#[omp::offload]
fn fixed_rows(width: usize, x: &[f32], sums: &mut [f32]) {
    #[omp::target]
    for r in 0..sums.len() {
        let mut sum = 0.0;
        #[omp::parallel_for(reduction(reproducible, +: sum))]
        for c in 0..width {
            sum += x[r * width + c];
        }
        sums[r] = sum;
    }
}

#[omp::offload]
fn exclusive_i32(x: &[i32], y: &mut [i32]) {
    y[0] = 0;
    #[omp::scan(+)]
    for i in 1..x.len() {
        y[i] = y[i - 1] + x[i - 1];
    }
}

#[omp::offload]
fn inclusive_f32(x: &[f32], y: &mut [f32]) {
    y[0] = x[0];
    #[omp::scan(+)]
    for i in 1..x.len() {
        y[i] = y[i - 1] + x[i];
    }
}

#[omp::offload]
fn exclusive_f64(x: &[f64], y: &mut [f64]) {
    y[0] = 0.0;
    #[omp::scan(+)]
    for i in 1..x.len() {
        y[i] = y[i - 1] + x[i - 1];
    }
}

#[omp::offload]
fn matrices(x: &[Mat2], y: &mut [Mat2]) {
    y[0] = x[0];
    #[omp::scan(*, Mat2)]
    for i in 1..x.len() {
        y[i] = y[i - 1] * x[i];
    }
}

#[omp::offload]
fn pairs(x: &[Pair], y: &mut [Pair]) {
    y[0] = x[0];
    #[omp::scan(horner, Pair)]
    for i in 1..x.len() {
        y[i] = horner(y[i - 1], x[i]);
    }
}

#[omp::offload]
fn rows(width: usize, x: &[f32], y: &mut [f32]) {
    let height = x.len() / width;
    #[omp::scan(+)]
    for r in 0..height {
        for c in 1..width {
            y[r * width + c] = y[r * width + c - 1] + x[r * width + c];
        }
    }
}

fn integers(works: &Works, n: usize, below: u32) -> Vec<i32> {
    (0..works.len(n)).into_par_iter().map(|i| (mix(i as u64) % below) as i32).collect()
}

fn reductions(works: &Works) {
    if works.wants("argmax_f32_2^27") {
        let n = works.len(1 << 27);
        let x: Vec<f32> = (0..n).into_par_iter().map(|i| (unit(i) - 2.0) as f32).collect();
        let mut got = Best { value: 0.0, index: 0 };
        let line = region("argmax_f32_2^27", REPS, || got = argmax(&x)).bytes(4 * n);
        let top = x.par_iter().copied().reduce(|| f32::NEG_INFINITY, f32::max);
        line.print(x.iter().position(|v| *v == top) == Some(got.index));
    }
    declared(works);
    // Small and large tables, and one with contention: all updates go to few elements.
    for (work, bins, below) in [
        ("hist_i32_16_2^26", 16, 16),
        ("hist_i32_256_2^26", 256, 256),
        ("hist_i32_4096_2^26", 4096, 4096),
        ("hist_i32_12000_2^26", 12_000, 12_000),
        ("hist_i32_2^16_2^26", 1 << 16, 1 << 16),
        ("hist_i32_2^20_2^26", 1 << 20, 1 << 20),
        ("hist_i32_256_skewed_2^26", 256, 2),
        ("hist_i32_2^16_skewed_2^26", 1 << 16, 2),
    ] {
        if works.wants(work) {
            let x = integers(works, 1 << 26, below);
            let mut hist = vec![0; bins];
            let mut runs = 0;
            let line = region(work, REPS, || {
                histogram(&x, &mut hist);
                runs += 1;
            });
            let counted: u64 = hist.iter().map(|v| u64::from(*v)).sum();
            line.bytes(4 * x.len())
                .print(counted.is_multiple_of(x.len() as u64) && counted >= x.len() as u64 && runs > 0);
        }
    }
    for (work, bins, below) in [
        ("bins_f32_16_2^26", 16, 16),
        ("bins_f32_256_2^26", 256, 256),
        ("bins_f32_1024_2^26", 1024, 1024),
        ("bins_f32_4096_2^26", 4096, 4096),
        ("bins_f32_2048_2^26", 2048, 2048),
        ("bins_f32_12000_2^26", 12_000, 12_000),
        ("bins_f32_2^16_2^26", 1 << 16, 1 << 16),
        ("bins_f32_2^18_2^26", 1 << 18, 1 << 18),
        ("bins_f32_2^20_2^26", 1 << 20, 1 << 20),
        ("bins_f32_2^22_2^26", 1 << 22, 1 << 22),
        ("bins_f32_16_skewed_2^26", 16, 2),
        ("bins_f32_256_skewed_2^26", 256, 2),
        ("bins_f32_4096_skewed_2^26", 4096, 2),
        ("bins_f32_2^16_skewed_2^26", 1 << 16, 2),
        ("bins_f32_2^16_in_100_2^26", 1 << 16, 100),
        ("bins_f32_2^20_in_8_2^26", 1 << 20, 8),
        ("bins_f32_2^20_in_1000_2^26", 1 << 20, 1000),
    ] {
        if works.wants(work) {
            let x = integers(works, 1 << 26, below);
            let mut sums = vec![0.0; bins];
            let line = region(work, REPS, || float_bins(&x, &mut sums)).bytes(4 * x.len());
            // Each run adds half a one for each value; large bins are rounded.
            let runs = sums.iter().map(|v| f64::from(*v)).sum::<f64>() / (0.5 * x.len() as f64);
            line.print(runs > 0.5 && (runs - runs.round()).abs() < 1e-3 * runs);
        }
    }
    for (lg, name) in [(8, "256"), (12, "4096"), (16, "2^16"), (20, "2^20")] {
        let (narrow, wide) = (format!("value_bins_f32_{name}_2^26"), format!("value_bins_f64_{name}_2^26"));
        let of = |i: usize| (unit(i) - 0.5) * f64::from(1 << (mix(i as u64) % 30));
        if works.wants(&narrow) {
            let k = integers(works, 1 << 26, 1 << lg);
            let x: Vec<f32> = (0..k.len()).into_par_iter().map(|i| of(i) as f32).collect();
            let mut sums = vec![0.0; 1 << lg];
            let line = region(&narrow, REPS, || value_bins(&k, &x, &mut sums)).bytes(8 * k.len());
            line.print(near(&k, &sums, |i| f64::from(x[i]), f64::from(f32::EPSILON)));
        }
        if works.wants(&wide) {
            let k = integers(works, 1 << 26, 1 << lg);
            let x: Vec<f64> = (0..k.len()).into_par_iter().map(of).collect();
            let mut sums = vec![0.0; 1 << lg];
            let line = region(&wide, REPS, || value_bins(&k, &x, &mut sums)).bytes(12 * k.len());
            line.print(near(&k, &sums, |i| x[i], f64::EPSILON));
        }
    }
}

/// The first elements are a multiple of their sums, as often as it ran.
fn near<T: Copy + Into<f64>>(k: &[i32], sums: &[T], x: impl Fn(usize) -> f64, epsilon: f64) -> bool {
    let mut want = [(0.0, 0.0); 8];
    for (i, at) in k.iter().enumerate().filter(|(_, at)| **at < 8) {
        want[*at as usize].0 += x(i);
        want[*at as usize].1 += x(i).abs();
    }
    let runs = (sums[0].into() / want[0].0).round();
    let off = |e: usize| (sums[e].into() - runs * want[e].0).abs() / (runs * want[e].1);
    runs >= 1.0 && (0..8).all(|e| off(e) <= 96.0 * epsilon)
}

/// The same bits everywhere, and what that costs.
fn reproducible(works: &Works) {
    if works.wants("fixed_sum_f32_2^27") {
        let x = floats(works.len(1 << 27), 0, 0.0);
        let mut got = 0.0;
        let line = region("fixed_sum_f32_2^27", REPS, || got = fixed_sum(&x)).bytes(4 * x.len());
        let want: f64 = x.par_iter().map(|v| f64::from(*v)).sum();
        line.print((f64::from(got) / want - 1.0).abs() < 1e-5);
    }
    if works.wants("fixed_sum_f64_2^26") {
        let x: Vec<f64> = (0..works.len(1 << 26)).into_par_iter().map(unit).collect();
        let mut got = 0.0;
        let line = region("fixed_sum_f64_2^26", REPS, || got = fixed_sum(&x)).bytes(8 * x.len());
        line.print((got / x.par_iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }
    if works.wants("fixed_mat2_i64_2^24") {
        let word = |i: usize, k: usize| i64::from(mix((4 * i + k) as u64));
        let x: Vec<Mat2> = (0..works.len(1 << 24))
            .into_par_iter()
            .map(|i| Mat2 { a: word(i, 0) | 1, b: word(i, 1), c: word(i, 2), d: word(i, 3) })
            .collect();
        let mut got = x[0];
        let line = region("fixed_mat2_i64_2^24", REPS, || got = fixed_product(&x)).bytes(32 * x.len());
        line.print(got == x.iter().fold(Mat2 { a: 1, b: 0, c: 0, d: 1 }, |all, v| all * *v));
    }
    for (work, bins) in [
        ("fixed_bins_f32_16_2^26", 16),
        ("fixed_bins_f32_256_2^26", 256),
        ("fixed_bins_f32_4096_2^26", 4096),
        ("fixed_bins_f32_2^16_2^26", 1 << 16),
    ] {
        if works.wants(work) {
            let x = integers(works, 1 << 26, bins as u32);
            let mut sums = vec![0.0; bins];
            region(work, REPS, || fixed_bins(&x, &mut sums)).bytes(4 * x.len()).print(sums[0] > 0.0);
        }
    }
    if works.wants("fixed_rows_f32_8192x8192") {
        let side = works.size(8192, 256);
        let x = floats(side * side, 0, 0.0);
        let mut sums = vec![0.0; side];
        let line = region("fixed_rows_f32_8192x8192", REPS, || fixed_rows(side, &x, &mut sums));
        let near = |r: usize| {
            let want: f64 = x[r * side..(r + 1) * side].iter().map(|v| f64::from(*v)).sum();
            (f64::from(sums[r]) / want - 1.0).abs() < 1e-5
        };
        line.bytes(4 * x.len()).print((0..side).into_par_iter().all(near));
    }
}

/// Reductions by operators of the user's, over elements of several sizes.
fn declared(works: &Works) {
    if works.wants("welford_f32_2^27") {
        let n = works.len(1 << 27);
        let x: Vec<f32> = (0..n).into_par_iter().map(|i| unit(i) as f32).collect();
        let mut got = Moments { n: 0.0, mean: 0.0, squares: 0.0 };
        let line = region("welford_f32_2^27", REPS, || got = moments(&x)).bytes(4 * n);
        let mean = x.par_iter().map(|v| f64::from(*v)).sum::<f64>() / n as f64;
        let squares: f64 = x.par_iter().map(|v| (f64::from(*v) - mean).powi(2)).sum();
        let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * b.abs();
        line.print(got.n == n as f64 && near(got.mean, mean) && near(got.squares, squares));
    }
    if works.wants("bounds_3f32_2^25") {
        let n = works.len(1 << 25);
        let of = |i: usize| {
            let of = |k| unit(3 * i + k) as f32;
            Point { x: of(0), y: of(1) - 1.0, z: of(2) + 1.0 }
        };
        let p: Vec<Point> = (0..n).into_par_iter().map(of).collect();
        let mut got = EMPTY;
        let line = region("bounds_3f32_2^25", REPS, || got = bounds(&p)).bytes(12 * n);
        let one = |v: &Point| Bounds { low: *v, high: *v };
        line.print(got == p.par_iter().map(one).reduce(|| EMPTY, around));
    }
    if works.wants("mat2_i64_2^24") {
        let n = works.len(1 << 24);
        let word = |i: usize, k: usize| i64::from(mix((4 * i + k) as u64));
        let x: Vec<Mat2> = (0..n)
            .into_par_iter()
            .map(|i| Mat2 { a: word(i, 0) | 1, b: word(i, 1), c: word(i, 2), d: word(i, 3) })
            .collect();
        let mut got = x[0];
        let line = region("mat2_i64_2^24", REPS, || got = product(&x)).bytes(32 * n);
        line.print(got == x.iter().fold(Mat2 { a: 1, b: 0, c: 0, d: 1 }, |all, v| all * *v));
    }
    if works.wants("sums_256_bytes_2^21") {
        let n = works.len(1 << 21);
        let of = |i: usize| Sums { of: std::array::from_fn(|k| f64::from(mix((32 * i + k) as u64) % 16)) };
        let x: Vec<Sums> = (0..n).into_par_iter().map(of).collect();
        let mut got = x[0];
        let line = region("sums_256_bytes_2^21", REPS, || got = sums(&x)).bytes(256 * n);
        line.print(got == x.par_iter().copied().reduce(|| Sums { of: [0.0; 32] }, added));
    }
}

/// Teams and threads by clauses: the plot should have no cliff.
fn geometry(works: &Works) {
    let x = integers(works, 1 << 24, 7);
    let want: i32 = x.par_iter().sum();
    let mut y = vec![0; x.len()];
    for teams in (1..=30).chain([132, 528, 4096]) {
        for threads in [32, 48, 64, 100, 128, 256, 512, 1000, 1024] {
            let (sum, scan) =
                (format!("geometry_sum_{teams}x{threads}"), format!("geometry_scan_{teams}x{threads}"));
            if works.wants(&sum) {
                let mut got = 0;
                let line = kernels(&sum, 3, || got = sum_in(teams, threads, &x)).bytes(4 * x.len());
                line.print(got == want);
            }
            if works.wants(&scan) && (teams.is_power_of_two() || teams > 30) {
                let line = kernels(&scan, 3, || scan_in(teams, threads, &x, &mut y)).bytes(8 * x.len());
                line.print(y[y.len() - 1] + x[x.len() - 1] == want);
            }
        }
    }
}

fn scans(works: &Works) {
    for (work, n) in [("scan_i32_1M", 1 << 20), ("scan_i32_2^28", 1 << 28)] {
        if works.wants(work) {
            let x = integers(works, n, 7);
            let mut y = vec![-1; x.len()];
            let line = region(work, REPS, || exclusive_i32(&x, &mut y)).bytes(8 * x.len());
            line.print((1..x.len()).into_par_iter().all(|i| y[i] == y[i - 1] + x[i - 1]));
        }
    }
    if works.wants("carried_i32_2^28") {
        let x = integers(works, 1 << 28, 7);
        let mut y = vec![-1; x.len()];
        let line =
            region("carried_i32_2^28", REPS, || scan_in(usize::MAX, 256, &x, &mut y)).bytes(8 * x.len());
        line.print((1..x.len()).into_par_iter().all(|i| y[i] == y[i - 1] + x[i - 1]));
    }
    if works.wants("scan_f32_2^24") {
        let x: Vec<f32> =
            (0..works.len(1 << 24)).into_par_iter().map(|i| (mix(i as u64) % 3) as f32 - 1.0).collect();
        let mut y = vec![-1.0; x.len()];
        let line = region("scan_f32_2^24", REPS, || inclusive_f32(&x, &mut y)).bytes(8 * x.len());
        line.print((1..x.len()).into_par_iter().all(|i| y[i] == y[i - 1] + x[i]));
    }
    if works.wants("scan_f64_2^27") {
        let x: Vec<f64> = (0..works.len(1 << 27)).into_par_iter().map(unit).collect();
        let mut y = vec![-1.0; x.len()];
        let line = region("scan_f64_2^27", REPS, || exclusive_f64(&x, &mut y)).bytes(16 * x.len());
        let near = |i: usize| (y[i] - y[i - 1] - x[i - 1]).abs() <= 1e-12 * y[i].max(1.0);
        line.print((1..x.len()).into_par_iter().all(near));
    }
    for (work, n) in [("scan_mat2_i64_1M", 1 << 20), ("scan_mat2_i64_2^25", 1 << 25)] {
        if works.wants(work) {
            let word = |i: usize, k: usize| i64::from(mix((4 * i + k) as u64));
            let x: Vec<Mat2> = (0..works.len(n))
                .into_par_iter()
                .map(|i| Mat2 { a: word(i, 0) | 1, b: word(i, 1), c: word(i, 2), d: word(i, 3) })
                .collect();
            let mut y = x.clone();
            let line = region(work, REPS, || matrices(&x, &mut y)).bytes(64 * x.len());
            line.print((1..x.len()).into_par_iter().all(|i| y[i] == y[i - 1] * x[i]));
        }
    }
    if works.wants("scan_pair_f64_2^25") {
        let n = works.len(1 << 25);
        let of = |i| Pair { p: unit(2 * i), y: 0.5 + 0.5 * unit(2 * i + 1) };
        let x: Vec<Pair> = (0..n).into_par_iter().map(of).collect();
        let mut y = x.clone();
        let line = region("scan_pair_f64_2^25", REPS, || pairs(&x, &mut y)).bytes(32 * n);
        let near = |i: usize| {
            let want = horner(y[i - 1], x[i]);
            (want.p - y[i].p).abs() <= 1e-12 * want.p && (want.y - y[i].y).abs() <= 1e-9 * want.y + 1e-300
        };
        line.print((1..n).into_par_iter().all(near));
    }
    if works.wants("segscan_f32_8192x8192") {
        let side = works.size(8192, 256);
        let x: Vec<f32> = (0..side * side).into_par_iter().map(|i| (mix(i as u64) % 16) as f32).collect();
        let mut y = x.clone();
        let line = region("segscan_f32_8192x8192", REPS, || rows(side, &x, &mut y)).bytes(8 * x.len());
        let right = |i: usize| y[i] == if i.is_multiple_of(side) { x[i] } else { y[i - 1] + x[i] };
        line.print((0..x.len()).into_par_iter().all(right));
    }
}

fn main() {
    let works = &Works::from_args();
    reductions(works);
    reproducible(works);
    scans(works);
    geometry(works);
}
