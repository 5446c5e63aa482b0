//! What updates elements of arrays that iterations share, on the host beside the plain loop: reduced arrays, `atomic`, sums that
//! inner loops make in place, and `disjoint`. One line each, with the ratio of the shortest times.
#![allow(clippy::needless_range_loop, reason = "indices are what is measured")]
use crate::mix;
use std::hint::black_box;
use std::time::Instant;

/// A sum and its number beside others.
#[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
pub struct Moments {
    n: u64,
    sum: f64,
}

#[omp::declare_reduction(joined: Moments, identity = Moments { n: 0, sum: 0.0 })]
fn joined(a: Moments, b: Moments) -> Moments {
    Moments { n: a.n + b.n, sum: a.sum + b.sum }
}

/// Elements behind a field.
#[derive(Debug)]
pub struct Held {
    bins: Vec<f32>,
}

/// Far from the element before, and nobody else's.
#[omp::declare_target]
fn turned(i: usize, n: usize) -> usize {
    (i * 7 + 3) % n
}

mod by {
    use super::{Held, Moments, joined, turned};

    #[omp::offload]
    #[inline(never)]
    pub fn count_i32(k: &[u32], y: &mut [i32]) {
        #[omp::target(reduction(+: y))]
        for i in 0..k.len() {
            y[k[i] as usize] += 1;
        }
    }

    #[omp::offload]
    #[inline(never)]
    pub fn count_u32(k: &[u32], y: &mut [u32]) {
        #[omp::target(reduction(+: y))]
        for i in 0..k.len() {
            y[k[i] as usize] += 1;
        }
    }

    #[omp::offload]
    #[inline(never)]
    pub fn count_u64(k: &[u32], y: &mut [u64]) {
        #[omp::target(reduction(+: y))]
        for i in 0..k.len() {
            y[k[i] as usize] += 1;
        }
    }

    #[omp::offload]
    #[inline(never)]
    pub fn sum_f32(k: &[u32], x: &[f32], y: &mut [f32]) {
        #[omp::target(reduction(+: y))]
        for i in 0..k.len() {
            y[k[i] as usize] += x[i];
        }
    }

    #[omp::offload]
    #[inline(never)]
    pub fn sum_f64(k: &[u32], x: &[f64], y: &mut [f64]) {
        #[omp::target(reduction(+: y))]
        for i in 0..k.len() {
            y[k[i] as usize] += x[i];
        }
    }

    #[omp::offload]
    #[inline(never)]
    pub fn section_f32(k: &[u32], x: &[f32], y: &mut [f32]) {
        #[omp::target(reduction(+: y[0..y.len()]))]
        for i in 0..k.len() {
            y[k[i] as usize] += x[i];
        }
    }

    #[omp::offload]
    #[inline(never)]
    pub fn max_f32(k: &[u32], x: &[f32], y: &mut [f32]) {
        #[omp::target(reduction(max: y))]
        for i in 0..k.len() {
            y[k[i] as usize] = y[k[i] as usize].max(x[i]);
        }
    }

    #[omp::offload]
    #[inline(never)]
    pub fn min_u32(k: &[u32], y: &mut [u32]) {
        #[omp::target(reduction(min: y))]
        for i in 0..k.len() {
            y[k[i] as usize] = y[k[i] as usize].min(i as u32);
        }
    }

    #[omp::offload]
    #[inline(never)]
    pub fn and_u32(k: &[u32], y: &mut [u32]) {
        #[omp::target(reduction(&: y))]
        for i in 0..k.len() {
            y[k[i] as usize] &= !(i as u32);
        }
    }

    #[omp::offload]
    #[inline(never)]
    pub fn or_u64(k: &[u32], y: &mut [u64]) {
        #[omp::target(reduction(|: y))]
        for i in 0..k.len() {
            y[k[i] as usize] |= i as u64;
        }
    }

    #[omp::offload]
    #[inline(never)]
    pub fn two_f32(k: &[u32], x: &[f32], y: &mut [f32], z: &mut [u32]) {
        #[omp::target(reduction(+: y, z))]
        for i in 0..k.len() {
            y[k[i] as usize] += x[i];
            z[k[i] as usize] += 1;
        }
    }

    #[omp::offload]
    #[inline(never)]
    pub fn mixed_f32(k: &[u32], x: &[f32], y: &mut [f32], all: &mut f32) {
        #[omp::target(reduction(+: y, *all))]
        for i in 0..k.len() {
            y[k[i] as usize] += x[i];
            *all += x[i];
        }
    }

    #[omp::offload]
    #[inline(never)]
    pub fn nested_f32(k: &[u32], x: &[f32], y: &mut [[f32; 4]]) {
        #[omp::target(reduction(+: y))]
        for i in 0..k.len() {
            y[k[i] as usize][i % 4] += x[i];
        }
    }

    #[omp::offload]
    #[inline(never)]
    pub fn declared(k: &[u32], x: &[f64], y: &mut [Moments]) {
        #[omp::target(reduction(joined: y))]
        for i in 0..k.len() {
            y[k[i] as usize] = joined(y[k[i] as usize], Moments { n: 1, sum: x[i] });
        }
    }

    #[omp::offload]
    #[inline(never)]
    pub fn field_f32(k: &[u32], x: &[f32], h: &mut Held) {
        #[omp::target(reduction(+: h.bins))]
        for i in 0..k.len() {
            h.bins[k[i] as usize] += x[i];
        }
    }

    #[omp::offload]
    #[inline(never)]
    pub fn atomic_u32(k: &[u32], y: &mut [u32]) {
        #[omp::target()]
        for i in 0..k.len() {
            #[omp::atomic]
            y[k[i] as usize] += 1;
        }
    }

    #[omp::offload]
    #[inline(never)]
    pub fn atomic_f32(k: &[u32], x: &[f32], y: &mut [f32]) {
        #[omp::target()]
        for i in 0..k.len() {
            #[omp::atomic]
            y[k[i] as usize] += x[i];
        }
    }

    #[omp::offload]
    #[inline(never)]
    pub fn atomic_max_i64(k: &[u32], y: &mut [i64]) {
        #[omp::target()]
        for i in 0..k.len() {
            #[omp::atomic]
            y[k[i] as usize] = y[k[i] as usize].max(i as i64);
        }
    }

    #[omp::offload]
    #[inline(never)]
    pub fn captured_u32(k: &[u32], y: &mut [u32], z: &mut [u32]) {
        #[omp::target()]
        for i in 0..k.len() {
            let v;
            #[omp::atomic(capture)]
            {
                v = y[k[i] as usize];
                y[k[i] as usize] += 1;
            }
            z[i] = v;
        }
    }

    #[omp::offload]
    #[inline(never)]
    pub fn disjoint_f32(k: &[u32], x: &[f32], y: &mut [f32]) {
        #[omp::target(disjoint(y))]
        for i in 0..k.len() {
            y[k[i] as usize] = x[i];
        }
    }

    #[omp::offload]
    #[inline(never)]
    pub fn disjoint_add_f64(k: &[u32], x: &[f64], y: &mut [f64]) {
        #[omp::target(disjoint(y))]
        for i in 0..k.len() {
            y[k[i] as usize] += x[i];
        }
    }

    #[omp::offload]
    #[inline(never)]
    pub fn disjoint_two(k: &[u32], x: &[f32], y: &mut [f32], z: &mut [u32]) {
        #[omp::target(disjoint(y, z))]
        for i in 0..k.len() {
            y[k[i] as usize] = x[i];
            z[k[i] as usize] += 1;
        }
    }

    #[omp::offload]
    #[inline(never)]
    pub fn disjoint_called(k: &[u32], x: &[f32], y: &mut [f32]) {
        #[omp::target(disjoint(y))]
        for i in 0..k.len() {
            y[turned(i, k.len())] = x[i];
        }
    }

    #[omp::offload]
    #[inline(never)]
    pub fn rows_f32(width: usize, x: &[f32], y: &mut [f32]) {
        #[omp::target]
        for r in 0..x.len() / width {
            #[omp::simd(reduction(+: y))]
            for c in 0..width {
                y[r] += x[r * width + c];
            }
        }
    }

    #[omp::offload]
    #[inline(never)]
    pub fn wander_f32(width: usize, x: &[f32], y: &mut [f32]) {
        #[omp::target]
        for r in 0..x.len() / width {
            #[omp::simd(reduction(+: y))]
            for c in 0..width {
                y[8 * r + c % 8] += x[r * width + c];
            }
        }
    }
}

mod plain {
    use super::{Held, Moments, joined, turned};

    #[inline(never)]
    pub fn count_i32(k: &[u32], y: &mut [i32]) {
        for i in 0..k.len() {
            y[k[i] as usize] += 1;
        }
    }

    #[inline(never)]
    pub fn count_u32(k: &[u32], y: &mut [u32]) {
        for i in 0..k.len() {
            y[k[i] as usize] += 1;
        }
    }

    #[inline(never)]
    pub fn count_u64(k: &[u32], y: &mut [u64]) {
        for i in 0..k.len() {
            y[k[i] as usize] += 1;
        }
    }

    #[inline(never)]
    pub fn sum_f32(k: &[u32], x: &[f32], y: &mut [f32]) {
        for i in 0..k.len() {
            y[k[i] as usize] += x[i];
        }
    }

    #[inline(never)]
    pub fn sum_f64(k: &[u32], x: &[f64], y: &mut [f64]) {
        for i in 0..k.len() {
            y[k[i] as usize] += x[i];
        }
    }

    #[inline(never)]
    pub fn section_f32(k: &[u32], x: &[f32], y: &mut [f32]) {
        for i in 0..k.len() {
            y[k[i] as usize] += x[i];
        }
    }

    #[inline(never)]
    pub fn max_f32(k: &[u32], x: &[f32], y: &mut [f32]) {
        for i in 0..k.len() {
            y[k[i] as usize] = y[k[i] as usize].max(x[i]);
        }
    }

    #[inline(never)]
    pub fn min_u32(k: &[u32], y: &mut [u32]) {
        for i in 0..k.len() {
            y[k[i] as usize] = y[k[i] as usize].min(i as u32);
        }
    }

    #[inline(never)]
    pub fn and_u32(k: &[u32], y: &mut [u32]) {
        for i in 0..k.len() {
            y[k[i] as usize] &= !(i as u32);
        }
    }

    #[inline(never)]
    pub fn or_u64(k: &[u32], y: &mut [u64]) {
        for i in 0..k.len() {
            y[k[i] as usize] |= i as u64;
        }
    }

    #[inline(never)]
    pub fn two_f32(k: &[u32], x: &[f32], y: &mut [f32], z: &mut [u32]) {
        for i in 0..k.len() {
            y[k[i] as usize] += x[i];
            z[k[i] as usize] += 1;
        }
    }

    #[inline(never)]
    pub fn mixed_f32(k: &[u32], x: &[f32], y: &mut [f32], all: &mut f32) {
        for i in 0..k.len() {
            y[k[i] as usize] += x[i];
            *all += x[i];
        }
    }

    #[inline(never)]
    pub fn nested_f32(k: &[u32], x: &[f32], y: &mut [[f32; 4]]) {
        for i in 0..k.len() {
            y[k[i] as usize][i % 4] += x[i];
        }
    }

    #[inline(never)]
    pub fn declared(k: &[u32], x: &[f64], y: &mut [Moments]) {
        for i in 0..k.len() {
            y[k[i] as usize] = joined(y[k[i] as usize], Moments { n: 1, sum: x[i] });
        }
    }

    #[inline(never)]
    pub fn field_f32(k: &[u32], x: &[f32], h: &mut Held) {
        for i in 0..k.len() {
            h.bins[k[i] as usize] += x[i];
        }
    }

    #[inline(never)]
    pub fn atomic_u32(k: &[u32], y: &mut [u32]) {
        for i in 0..k.len() {
            y[k[i] as usize] += 1;
        }
    }

    #[inline(never)]
    pub fn atomic_f32(k: &[u32], x: &[f32], y: &mut [f32]) {
        for i in 0..k.len() {
            y[k[i] as usize] += x[i];
        }
    }

    #[inline(never)]
    pub fn atomic_max_i64(k: &[u32], y: &mut [i64]) {
        for i in 0..k.len() {
            y[k[i] as usize] = y[k[i] as usize].max(i as i64);
        }
    }

    #[inline(never)]
    pub fn captured_u32(k: &[u32], y: &mut [u32], z: &mut [u32]) {
        for i in 0..k.len() {
            let v = y[k[i] as usize];
            y[k[i] as usize] += 1;
            z[i] = v;
        }
    }

    #[inline(never)]
    pub fn disjoint_f32(k: &[u32], x: &[f32], y: &mut [f32]) {
        for i in 0..k.len() {
            y[k[i] as usize] = x[i];
        }
    }

    #[inline(never)]
    pub fn disjoint_add_f64(k: &[u32], x: &[f64], y: &mut [f64]) {
        for i in 0..k.len() {
            y[k[i] as usize] += x[i];
        }
    }

    #[inline(never)]
    pub fn disjoint_two(k: &[u32], x: &[f32], y: &mut [f32], z: &mut [u32]) {
        for i in 0..k.len() {
            y[k[i] as usize] = x[i];
            z[k[i] as usize] += 1;
        }
    }

    #[inline(never)]
    pub fn disjoint_called(k: &[u32], x: &[f32], y: &mut [f32]) {
        for i in 0..k.len() {
            y[turned(i, k.len())] = x[i];
        }
    }

    #[inline(never)]
    pub fn rows_f32(width: usize, x: &[f32], y: &mut [f32]) {
        for r in 0..x.len() / width {
            for c in 0..width {
                y[r] += x[r * width + c];
            }
        }
    }

    #[inline(never)]
    pub fn wander_f32(width: usize, x: &[f32], y: &mut [f32]) {
        for r in 0..x.len() / width {
            for c in 0..width {
                y[8 * r + c % 8] += x[r * width + c];
            }
        }
    }
}

/// The shortest times of both, in turn, in seconds.
fn shortest(n: usize, mut by: impl FnMut(), mut plain: impl FnMut()) -> [f64; 2] {
    let mut best = [f64::MAX; 2];
    let runs = (20_000_000 / n.max(1)).clamp(7, 400);
    for run in 0..runs {
        for (k, f) in [&mut by as &mut dyn FnMut(), &mut plain].into_iter().enumerate() {
            let start = Instant::now();
            f();
            if run > 1 {
                best[k] = best[k].min(start.elapsed().as_secs_f64());
            }
        }
    }
    best
}

fn print(work: &str, elements: usize, n: usize, [by, plain]: [f64; 2], right: bool) {
    let check = if right { "ok" } else { "bad" };
    println!(
        "{{\"peer\":\"omp_host\",\"work\":\"{work}\",\"elements\":{elements},\"n\":{n},\"us\":{:.3},\"serial_us\":{:.3},\"ratio\":{:.2},\"check\":\"{check}\"}}",
        by * 1e6,
        plain * 1e6,
        by / plain
    );
}

/// Whole numbers, of which no order of additions loses anything.
fn whole(n: usize) -> Vec<f32> {
    (0..n).map(|i| (mix(!i as u64) % 3) as f32 - 1.0).collect()
}

/// All of them; `only` is a prefix of names.
pub fn run(only: Option<&str>) {
    let wants = |name: &str| only.is_none_or(|only| name.starts_with(only));
    for (elements, n) in [
        (16, 1000),
        (16, 100_000),
        (16, 10_000_000),
        (256, 10_000),
        (256, 1_000_000),
        (4096, 1000),
        (4096, 1_000_000),
        (1_000_000, 1000),
        (1_000_000, 1_000_000),
        (1_000_000, 10_000_000),
    ] {
        let k: Vec<u32> = (0..n).map(|i| mix(i as u64) % elements as u32).collect();
        let x = whole(n);
        let wide: Vec<f64> = x.iter().map(|x| f64::from(*x)).collect();
        macro_rules! beside {
            ($name:ident, [$($arg:expr),*], $init:expr) => {
                if wants(stringify!($name)) {
                    let (mut a, mut b) = ($init, $init);
                    let times = shortest(n, || by::$name(black_box(&k), $($arg,)* &mut a), || plain::$name(black_box(&k), $($arg,)* &mut b));
                    print(stringify!($name), elements, n, times, a == b);
                }
            };
        }
        beside!(count_i32, [], vec![0i32; elements]);
        beside!(count_u32, [], vec![0u32; elements]);
        beside!(count_u64, [], vec![0u64; elements]);
        beside!(sum_f32, [&x], vec![0f32; elements]);
        beside!(sum_f64, [&wide], vec![0f64; elements]);
        beside!(section_f32, [&x], vec![0f32; elements]);
        beside!(max_f32, [&x], vec![-2f32; elements]);
        beside!(min_u32, [], vec![u32::MAX; elements]);
        beside!(and_u32, [], vec![u32::MAX; elements]);
        beside!(or_u64, [], vec![0u64; elements]);
        beside!(nested_f32, [&x], vec![[0f32; 4]; elements]);
        beside!(declared, [&wide], vec![Moments::default(); elements]);
        beside!(atomic_u32, [], vec![0u32; elements]);
        beside!(atomic_f32, [&x], vec![0f32; elements]);
        beside!(atomic_max_i64, [], vec![0i64; elements]);
        if wants("field_f32") {
            let [mut a, mut b] = [(); 2].map(|()| Held { bins: vec![0.0; elements] });
            let times = shortest(n, || by::field_f32(&k, &x, &mut a), || plain::field_f32(&k, &x, &mut b));
            print("field_f32", elements, n, times, a.bins == b.bins);
        }
        if wants("two_f32") {
            let [mut a, mut b] = [(); 2].map(|()| (vec![0f32; elements], vec![0u32; elements]));
            let times = shortest(
                n,
                || by::two_f32(&k, &x, &mut a.0, &mut a.1),
                || plain::two_f32(&k, &x, &mut b.0, &mut b.1),
            );
            print("two_f32", elements, n, times, a == b);
        }
        if wants("mixed_f32") {
            let [mut a, mut b] = [(); 2].map(|()| (vec![0f32; elements], 0f32));
            let times = shortest(
                n,
                || by::mixed_f32(&k, &x, &mut a.0, &mut a.1),
                || plain::mixed_f32(&k, &x, &mut b.0, &mut b.1),
            );
            print("mixed_f32", elements, n, times, a == b);
        }
        if wants("captured_u32") {
            let [mut a, mut b] = [(); 2].map(|()| (vec![0u32; elements], vec![0u32; n]));
            let times = shortest(
                n,
                || by::captured_u32(&k, &mut a.0, &mut a.1),
                || plain::captured_u32(&k, &mut b.0, &mut b.1),
            );
            print("captured_u32", elements, n, times, a.0 == b.0);
        }
    }
    for n in [1000, 4096, 100_003, 1_000_003, 10_000_019] {
        let mut k: Vec<u32> = (0..n as u32).collect();
        (1..n).rev().for_each(|i| k.swap(i, mix(i as u64) as usize % (i + 1)));
        let x = whole(n);
        let wide: Vec<f64> = x.iter().map(|x| f64::from(*x)).collect();
        if wants("disjoint_f32") {
            let [mut a, mut b] = [(); 2].map(|()| vec![0f32; n]);
            let times =
                shortest(n, || by::disjoint_f32(&k, &x, &mut a), || plain::disjoint_f32(&k, &x, &mut b));
            print("disjoint_f32", n, n, times, a == b);
        }
        if wants("disjoint_add_f64") {
            let [mut a, mut b] = [(); 2].map(|()| vec![0f64; n]);
            let times = shortest(
                n,
                || by::disjoint_add_f64(&k, &wide, &mut a),
                || plain::disjoint_add_f64(&k, &wide, &mut b),
            );
            print("disjoint_add_f64", n, n, times, a == b);
        }
        if wants("disjoint_two") {
            let [mut a, mut b] = [(); 2].map(|()| (vec![0f32; n], vec![0u32; n]));
            let times = shortest(
                n,
                || by::disjoint_two(&k, &x, &mut a.0, &mut a.1),
                || plain::disjoint_two(&k, &x, &mut b.0, &mut b.1),
            );
            print("disjoint_two", n, n, times, a == b);
        }
        if wants("disjoint_called") && n % 7 != 0 {
            let [mut a, mut b] = [(); 2].map(|()| vec![0f32; n]);
            let times = shortest(
                n,
                || by::disjoint_called(&k, &x, &mut a),
                || plain::disjoint_called(&k, &x, &mut b),
            );
            print("disjoint_called", n, n, times, a == b);
        }
    }
    for (rows, width) in [(10, 100), (1000, 100), (1000, 1000), (100, 100_000)] {
        let x = whole(rows * width);
        if wants("rows_f32") {
            let [mut a, mut b] = [(); 2].map(|()| vec![0f32; rows]);
            let times =
                shortest(x.len(), || by::rows_f32(width, &x, &mut a), || plain::rows_f32(width, &x, &mut b));
            print("rows_f32", rows, x.len(), times, a == b);
        }
        if wants("wander_f32") {
            let [mut a, mut b] = [(); 2].map(|()| vec![0f32; 8 * rows]);
            let times = shortest(
                x.len(),
                || by::wander_f32(width, &x, &mut a),
                || plain::wander_f32(width, &x, &mut b),
            );
            print("wander_f32", rows, x.len(), times, a == b);
        }
    }
}
