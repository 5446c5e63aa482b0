//! Sums of floats keep their bound, that of additions one after the other, n·u·Σ|x|: many numbers that are too small for the
//! sum each, terms that nearly cancel, few elements that all iterations add to, loops in an iteration; and infinities and
//! NaN come through.
#![allow(clippy::assign_op_pattern, reason = "the form of the update is what is tested")]
use omp_tests::{Values, on_every_device};

const U: f64 = f32::EPSILON as f64 / 2.0;

#[omp::offload]
fn into(d: usize, k: &[u32], x: &[f32], bins: &mut [f32]) {
    #[omp::target(device(d), reduction(+: bins))]
    for i in 0..k.len() {
        bins[k[i] as usize] += x[i];
    }
}

#[omp::offload]
fn into_by(d: usize, (teams, threads): (usize, usize), k: &[u32], x: &[f32], bins: &mut [f32]) {
    #[omp::target(device(d), num_teams(teams), thread_limit(threads), reduction(+: bins))]
    for i in 0..k.len() {
        bins[k[i] as usize] = x[i] + bins[k[i] as usize];
    }
}

#[omp::offload]
fn nested(d: usize, k: &[u32], x: &[f32], bins: &mut [[f32; 2]]) {
    #[omp::target(device(d), reduction(+: bins))]
    for i in 0..k.len() {
        bins[k[i] as usize][i % 2] -= x[i];
    }
}

/// Two updates of an iteration, one of them in a loop.
#[omp::offload]
fn looped(d: usize, width: usize, x: &[f32], few: &mut [f32; 3]) -> f32 {
    let mut all = 0.0;
    #[omp::target(device(d), reduction(+: all), reduction(+: few))]
    for i in 0..x.len() / width {
        for j in 0..width {
            all += x[i * width + j];
            few[i % 3] += x[i * width + j];
        }
    }
    all
}

#[omp::offload]
fn rows(d: usize, width: usize, (teams, threads): (usize, usize), x: &[f32]) -> f32 {
    let mut all = 0.0;
    #[omp::target(device(d), num_teams(teams), thread_limit(threads), reduction(+: all))]
    for i in 0..x.len() / width {
        let mut j = 0;
        while j < width {
            all = all + x[i * width + j];
            j += 1;
        }
    }
    all
}

#[omp::offload]
fn sum(d: usize, (teams, threads): (usize, usize), x: &[f32]) -> f32 {
    let mut all = 0.0;
    #[omp::target(device(d), num_teams(teams), thread_limit(threads), reduction(+: all))]
    for i in 0..x.len() {
        all += x[i];
    }
    all
}

#[omp::offload]
fn generic<T: omp::Device + std::ops::AddAssign>(d: usize, k: &[u32], x: &[T], bins: &mut [T]) {
    #[omp::target(device(d), reduction(+: bins))]
    for i in 0..k.len() {
        bins[k[i] as usize] += x[i];
    }
}

/// A large number, then many that are each too small for it; terms that nearly cancel.
fn unkind(n: usize) -> [Vec<f32>; 2] {
    let mut r = Values(n as u64);
    let stagnating = (0..n).map(|i| if i == 0 { 1.0 } else { 0.9 * U as f32 }).collect();
    let mut cancelling: Vec<f32> = (0..n).map(|_| (r.bits() as f32 - 2e9) * (r.bits() % 13) as f32).collect();
    for i in 0..n / 2 {
        cancelling[n - 1 - i] = -cancelling[i] * (1.0 + U as f32 * 8.0);
    }
    [stagnating, cancelling]
}

/// What is the sum of the numbers for each element, and how large may the error be?
fn expected(bins: usize, terms: impl Iterator<Item = (usize, f32)>) -> Vec<(f64, f64)> {
    let mut all = vec![(0.0, 0.0, 0u64); bins];
    for (k, x) in terms {
        all[k].0 += f64::from(x);
        all[k].1 += f64::from(x.abs());
        all[k].2 += 1;
    }
    let bound = |n: u64| n as f64 * U;
    all.into_iter().map(|(sum, size, n)| (sum, bound(n) * size)).collect()
}

#[track_caller]
fn check(got: &[f32], want: &[(f64, f64)], what: impl std::fmt::Display) {
    for (k, (got, (sum, bound))) in got.iter().zip(want).enumerate() {
        let error = (f64::from(*got) - sum).abs();
        assert!(error <= *bound, "{what}: element {k} is {got}, not {sum}: off by {error}, not {bound}");
    }
}

#[test]
fn elements_of_arrays() {
    let n = 300_007;
    for x in unkind(n) {
        // All to one element, to few, and to many where one is hot.
        for (bins, below) in [(1, 1), (3, 3), (3, 1), (300, 1), (300, 2), (5000, 1), (20_000, 2)] {
            let mut r = Values(bins as u64);
            let k: Vec<u32> =
                (0..n).map(|i| if i % 8 == 7 { r.bits() % bins as u32 } else { i as u32 % below }).collect();
            let want = expected(bins, k.iter().map(|k| *k as usize).zip(x.iter().copied()));
            on_every_device(|d| {
                let mut got = vec![0.0; bins];
                into(d, &k, &x, &mut got);
                check(&got, &want, format_args!("{bins} {below} on {d}"));
                let mut same = vec![0.0; bins];
                generic(d, &k, &x, &mut same);
                check(&same, &want, format_args!("generic {bins} {below} on {d}"));
            });
        }
    }
}

#[test]
fn elements_by_any_geometry() {
    let n = 50_021;
    for x in unkind(n) {
        for bins in [1, 40, 2000, 9000] {
            let k: Vec<u32> = (0..n).map(|i| if i % 4 == 3 { i as u32 % bins } else { 0 }).collect();
            let want = expected(bins as usize, k.iter().map(|k| *k as usize).zip(x.iter().copied()));
            on_every_device(|d| {
                for geometry in [(1, 1), (1, 32), (2, 20), (1, 1024), (300, 1), (64, 64)] {
                    let mut got = vec![0.0; bins as usize];
                    into_by(d, geometry, &k, &x, &mut got);
                    check(&got, &want, format_args!("{bins} by {geometry:?} on {d}"));
                }
            });
        }
    }
}

#[test]
fn elements_in_elements() {
    let n = 100_003;
    for x in unkind(n) {
        let k: Vec<u32> = (0..n).map(|i| i as u32 % 5 / 4).collect();
        let want = expected(4, (0..n).map(|i| (k[i] as usize * 2 + i % 2, -x[i])));
        on_every_device(|d| {
            let mut got = vec![[0.0; 2]; 2];
            nested(d, &k, &x, &mut got);
            check(got.as_flattened(), &want, format_args!("on {d}"));
        });
    }
}

#[test]
fn loops_of_an_iteration() {
    for width in [1, 700, 20_000] {
        let n = 100_000 / width * width;
        for x in unkind(n) {
            let all = expected(1, x.iter().map(|x| (0, *x)));
            let some = expected(3, x.iter().enumerate().map(|(i, x)| (i / width % 3, *x)));
            on_every_device(|d| {
                let mut few = [0.0; 3];
                check(&[looped(d, width, &x, &mut few)], &all, format_args!("{width} on {d}"));
                check(&few, &some, format_args!("{width} on {d}"));
                for geometry in [(1, 1), (1, 32), (2, 100)] {
                    check(
                        &[rows(d, width, geometry, &x)],
                        &all,
                        format_args!("{width} by {geometry:?} on {d}"),
                    );
                }
            });
        }
    }
}

#[test]
fn scalars_by_few_and_by_many() {
    for n in [1, 4097, 700_001] {
        for x in unkind(n) {
            let want = expected(1, x.iter().map(|x| (0, *x)));
            on_every_device(|d| {
                for geometry in [(1, 1), (1, 32), (1, 33), (3, 512), (5000, 1)] {
                    check(&[sum(d, geometry, &x)], &want, format_args!("{n} by {geometry:?} on {d}"));
                }
            });
        }
    }
}

#[test]
fn what_is_no_number_or_too_large() {
    on_every_device(|d| {
        for bins in [3, 400, 9000] {
            let n = 40_000;
            let k: Vec<u32> = (0..n).map(|i| i as u32 % 3).collect();
            let mut x = vec![-0.0f32; n];
            (x[300], x[3001], x[20_003]) = (f32::INFINITY, f32::NEG_INFINITY, f32::NAN);
            (x[30_000], x[33_001], x[33_002]) = (1.0, f32::MAX, -1.0);
            let mut got = vec![-0.0; bins];
            into(d, &k, &x, &mut got);
            assert!(
                got[0] == f32::INFINITY && got[1] == f32::NEG_INFINITY && got[2].is_nan(),
                "{bins} on {d}"
            );
            let zeros = [-0.0f32; 500];
            let mut none = vec![-0.0; bins];
            into(d, &k[..500], &zeros, &mut none);
            assert!(none.iter().all(|v| v.to_bits() == (-0.0f32).to_bits()), "{bins} on {d}");
            let mut large = vec![f32::MAX; bins];
            into(d, &k, &vec![f32::MAX; n], &mut large);
            assert!(
                large[..3] == [f32::INFINITY; 3] && large[3..].iter().all(|v| *v == f32::MAX),
                "{bins} on {d}"
            );
        }
    });
}

mod declared {
    #[omp::declare_target]
    pub(crate) fn same(v: f32) -> f32 {
        v
    }
}
#[allow(unused_imports)]
use declared::*;

/// What rustc calls is not what was declared: no device runs it, and the host runs the loop as it stands.
fn same(v: f32) -> f32 {
    v
}

#[omp::offload]
mod as_it_stands {
    use super::same;

    pub fn scalar(x: &[f32]) -> f32 {
        let mut all = 0.0;
        #[omp::target(reduction(+: all))]
        for i in 0..x.len() {
            all += same(x[i]);
        }
        all
    }

    pub fn elements(k: &[u32], x: &[f32], bins: &mut Vec<f32>) {
        let n = bins.len();
        #[omp::target(reduction(+: bins[1..n]))]
        for i in 0..k.len() {
            bins[1 + k[i] as usize] = bins[1 + k[i] as usize] + same(x[i]);
        }
    }

    pub fn rows(width: usize, x: &[f32], y: &mut [f32]) -> f32 {
        let mut all = 0.0;
        #[omp::target(reduction(+: all))]
        for i in 0..y.len() {
            let mut row = 0.0;
            #[omp::parallel_for(reduction(+: row, all))]
            for j in 0..width {
                row += same(x[i * width + j]);
                all += x[i * width + j];
            }
            y[i] = row;
        }
        all
    }

    pub fn on_threads(x: &[f32]) -> f32 {
        let mut all = 0.0;
        #[omp::parallel_for(reduction(+: all))]
        for i in 0..x.len() {
            all += same(x[i]);
        }
        all
    }
}

#[test]
fn loops_as_they_stand() {
    let n = 300_007;
    for x in unkind(n) {
        let want = expected(1, x.iter().map(|x| (0, *x)));
        check(&[as_it_stands::scalar(&x)], &want, "scalar");
        check(&[as_it_stands::on_threads(&x)], &want, "on threads");
        let k: Vec<u32> = (0..n).map(|i| i as u32 % 5 / 4).collect();
        let mut bins = vec![0.0; 3];
        as_it_stands::elements(&k, &x, &mut bins);
        check(&bins, &expected(3, k.iter().map(|k| *k as usize + 1).zip(x.iter().copied())), "elements");
        let mut y = vec![0.0; 3];
        let width = n / 3;
        let all = as_it_stands::rows(width, &x[..3 * width], &mut y);
        let rows = x[..3 * width].iter().enumerate().map(|(i, x)| (i / width, *x));
        check(&y, &expected(3, rows), "rows");
        check(&[all], &expected(1, x[..3 * width].iter().map(|x| (0, *x))), "all rows");
    }
}

#[omp::offload]
mod several {
    /// Many updates of an iteration.
    pub fn updates(d: usize, x: &[f32]) -> f32 {
        let mut s = 0.0;
        #[omp::target(device(d), reduction(+: s))]
        for i in 0..x.len() / 10 {
            s += x[10 * i];
            s += x[10 * i + 1];
            s += x[10 * i + 2];
            s += x[10 * i + 3];
            s += x[10 * i + 4];
            s += x[10 * i + 5];
            s += x[10 * i + 6];
            s += x[10 * i + 7];
            s += x[10 * i + 8];
            s += x[10 * i + 9];
        }
        s
    }

    pub fn two(d: usize, x: &[f32]) -> f32 {
        let mut s = 0.0;
        #[omp::target(device(d), reduction(+: s))]
        for i in 0..x.len() / 2 {
            s += x[2 * i];
            s += x[2 * i + 1];
        }
        s
    }

    pub fn fast(d: usize, k: &[u32], x: &[f32], bins: &mut [f32]) -> f32 {
        let mut s = 0.0;
        #[omp::target(device(d), fp(fast), reduction(+: s, bins))]
        for i in 0..x.len() {
            s += x[i];
            bins[k[i] as usize] += x[i];
        }
        s
    }
}

#[test]
fn many_updates_and_fast_arithmetic() {
    let n = 100_000;
    for x in unkind(n) {
        let want = expected(1, x.iter().map(|x| (0, *x)));
        let k: Vec<u32> = (0..n).map(|i| i as u32 % 5 / 4).collect();
        on_every_device(|d| {
            check(&[several::updates(d, &x)], &want, format_args!("ten on {d}"));
            check(&[several::two(d, &x)], &want, format_args!("two on {d}"));
            let mut bins = [0.0; 2];
            check(&[several::fast(d, &k, &x, &mut bins)], &want, format_args!("fast on {d}"));
            let want = expected(2, k.iter().map(|k| *k as usize).zip(x.iter().copied()));
            check(&bins, &want, format_args!("fast elements on {d}"));
        });
    }
}
