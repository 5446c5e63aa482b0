//! `reproducible` in every place and spelling: the same bits on the host and every device, for any number of teams and threads.
#![allow(clippy::all, clippy::pedantic)]

use omp_tests::{Values, on_every_device};

const LENGTHS: [usize; 6] = [0, 1, 65, 600, 4097, 20_011];
const GEOMETRIES: [Geometry; 6] = [(1, 1), (3, 32), (7, 49), (70, 256), (4096, 1), (133, 1024)];

type Geometry = (usize, usize);

#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Mean {
    count: f64,
    mean: f64,
}

#[omp::declare_reduction(merge: Mean, identity = Mean { count: 0.0, mean: 0.0 })]
fn merge(a: Mean, b: Mean) -> Mean {
    let count = a.count + b.count;
    if count == 0.0 { a } else { Mean { count, mean: a.mean + (b.mean - a.mean) * (b.count / count) } }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
struct Both {
    sum: f32,
    of: [f64; 2],
}

#[omp::offload]
mod forms {
    use super::*;

    /// Elements and fields of locals, in loops of an iteration.
    pub fn elements(
        d: usize,
        (teams, threads): Geometry,
        x: &[f32],
        m: usize,
        y: &mut [f32],
        z: &mut [Both],
    ) {
        #[omp::target(device(d), num_teams(teams), thread_limit(threads))]
        for i in 0..y.len() {
            let mut few = [0.5f32; 3];
            let mut both = Both { sum: 0.1, of: [0.0, 1.0] };
            #[omp::parallel_for(reduction(reproducible, +: few))]
            for j in 0..m {
                few[j % 3] += x[i * m + j] / 3.0;
            }
            #[omp::simd(reduction(reproducible, +: both.sum, both.of))]
            for j in 0..m {
                both.sum += x[i * m + j] / 7.0;
                both.of[j % 2] -= x[i * m + j] as f64 / 3.0;
            }
            y[i] = few[0] + few[1] * 0.3 - few[2];
            z[i] = both;
        }
    }

    /// Elements of arrays where they stand.
    pub fn in_place(
        d: usize,
        (teams, threads): Geometry,
        x: &[f32],
        m: usize,
        y: &mut [f32],
        z: &mut [Mean],
    ) {
        #[omp::target(device(d), num_teams(teams), thread_limit(threads))]
        for i in 0..y.len() {
            #[omp::parallel_for(reduction(reproducible, +: y[i..i + 1]))]
            for j in 0..m {
                y[i] += x[i * m + j] / 3.0;
            }
            let mut all = z[i];
            #[omp::parallel_for(reduction(reproducible, merge: all))]
            for j in 0..m {
                all = merge(all, Mean { count: 1.0, mean: x[i * m + j] as f64 });
            }
            z[i] = all;
        }
    }

    /// Loops of a target block.
    pub fn block(d: usize, (teams, threads): Geometry, x: &[f32], y: &mut [f32]) -> (f32, f64) {
        let (mut s, mut t) = (0.25, 0.5);
        #[omp::target(device(d), num_teams(teams), thread_limit(threads), map(tofrom: s, t))]
        {
            #[omp::parallel_for(reduction(reproducible, +: s))]
            for i in 0..x.len() {
                s += x[i] / 3.0;
            }
            #[omp::parallel_for(reduction(reproducible, +: t, y))]
            for i in 0..x.len() {
                t += (x[i] - s) as f64 / 7.0;
                y[i % 5] += x[i] * 0.1;
            }
        }
        (s, t)
    }

    /// Items and what they come with, in any order.
    pub fn iterators(d: usize, (teams, threads): Geometry, x: &[f32], w: &[f64]) -> (f32, f64, f32, f64) {
        let (mut s, mut t, mut u, mut v) = (0.25, 0.5, 1.0f32, 0.0);
        #[omp::target(device(d), num_teams(teams), thread_limit(threads), reduction(reproducible, +: s))]
        for a in x.iter().rev() {
            s += *a / 3.0;
        }
        #[omp::target(device(d), num_teams(teams), thread_limit(threads), reduction(reproducible, +: t))]
        for (a, &b) in x.iter().zip(w.iter()) {
            t += f64::from(*a) * b;
        }
        #[omp::target(device(d), num_teams(teams), thread_limit(threads), reduction(reproducible, -: u), reduction(+: v))]
        for i in (0..x.len()).step_by(3) {
            u -= x[i] / 9.0;
            v = w[i] / 3.0 + v;
        }
        (s, t, u, v)
    }

    /// Wherever it runs.
    pub fn on_the_default(x: &[f32], y: &mut [f32]) -> f32 {
        let mut s = 0.25;
        #[omp::target(reduction(reproducible, +: s, y))]
        for i in 0..x.len() {
            s += x[i] / 3.0;
            y[i % 5] += x[i] / 7.0;
        }
        s
    }

    /// The host's threads.
    pub fn on_threads(threads: usize, x: &[f32], y: &mut [f32]) -> (f32, f32) {
        let (mut s, mut t) = (0.25, 0.25);
        #[omp::parallel_for(num_threads(threads), reduction(reproducible, +: s))]
        for i in 0..x.len() {
            s += x[i] / 3.0;
        }
        #[omp::parallel_for(num_threads(threads), schedule(dynamic, 7), reduction(reproducible, +: t, y))]
        for i in 0..x.len() {
            t += x[i] / 3.0;
            y[i % 5] += x[i] / 7.0;
        }
        (s, t)
    }

    /// Branches, functions, early ends of iterations.
    pub fn mixed(d: usize, (teams, threads): Geometry, x: &[f32], y: &mut [f64; 4]) -> (f32, Mean) {
        let (mut s, mut all) = (0.25, Mean { count: 2.0, mean: 0.1 });
        #[omp::target(device(d), num_teams(teams), thread_limit(threads), disjoint(y),
            reduction(reproducible, +: s, y), reduction(merge: all))]
        'all: for i in 0..x.len() {
            if x[i] < -0.3 {
                continue;
            }
            let mut k = 0;
            while k < i % 4 {
                // (Of a number below zero it would be a NaN, of which no language fixes the bits.)
                s += x[i].abs().sqrt() / (k as f32 + 1.5);
                if x[i] > 0.4 && k == 2 {
                    continue 'all;
                }
                y[k] += (x[i] as f64).abs() / 3.0;
                k += 1;
            }
            all = merge(all, Mean { count: 0.7, mean: x[i] as f64 });
        }
        (s, all)
    }
}

fn bits32(v: &[f32]) -> Vec<u64> {
    v.iter().map(|v| u64::from(v.to_bits())).collect()
}

fn bits64(v: &[f64]) -> Vec<u64> {
    v.iter().map(|v| v.to_bits()).collect()
}

fn values(n: usize) -> Vec<f32> {
    let mut r = Values(n as u64 + 3);
    (0..n).map(|_| (r.bits() as f32 - 2.1e9) * 4e-10).collect()
}

/// Runs `what` everywhere, and compares the bits that it gives.
fn compare(name: &str, what: impl Fn(usize, Geometry, &[f32]) -> Vec<u64>) {
    for n in LENGTHS {
        let x = values(n);
        let mut first = None;
        on_every_device(|d| {
            for geometry in GEOMETRIES {
                let bits = what(d, geometry, &x);
                let first = first.get_or_insert_with(|| bits.clone());
                assert!(*first == bits, "{name}, {n} by {geometry:?} on {d}");
            }
        });
    }
}

#[test]
fn loops_of_iterations() {
    for m in [1, 7, 100] {
        compare("elements", |d, geometry, x| {
            let (mut y, mut z) = (vec![0.0; x.len() / m], vec![Both::default(); x.len() / m]);
            forms::elements(d, geometry, x, m, &mut y, &mut z);
            let of: Vec<f64> = z.iter().flat_map(|z| [f64::from(z.sum), z.of[0], z.of[1]]).collect();
            [bits32(&y), bits64(&of)].concat()
        });
        compare("in place", |d, geometry, x| {
            let (mut y, mut z) = (vec![0.1; x.len() / m], vec![Mean { count: 1.0, mean: 0.3 }; x.len() / m]);
            forms::in_place(d, geometry, x, m, &mut y, &mut z);
            [bits32(&y), bits64(&z.iter().map(|z| z.mean).collect::<Vec<_>>())].concat()
        });
    }
}

#[test]
fn blocks_and_iterators() {
    compare("block", |d, geometry, x| {
        let mut y = vec![0.1; 5];
        let (s, t) = forms::block(d, geometry, x, &mut y);
        [bits32(&y), bits32(&[s]), bits64(&[t])].concat()
    });
    compare("iterators", |d, geometry, x| {
        let w: Vec<f64> = x.iter().map(|v| f64::from(*v) / 3.0 + 0.1).collect();
        let (s, t, u, v) = forms::iterators(d, geometry, x, &w);
        [bits32(&[s, u]), bits64(&[t, v])].concat()
    });
    compare("mixed", |d, geometry, x| {
        let mut y = [0.1; 4];
        let (s, all) = forms::mixed(d, geometry, x, &mut y);
        [bits64(&y), bits32(&[s]), bits64(&[all.count, all.mean])].concat()
    });
}

/// A region of the host's threads and one of the default device have the same tree.
#[test]
fn spellings() {
    for n in LENGTHS {
        let x = values(n);
        let mut y = [0.0; 5];
        let s = forms::on_the_default(&x, &mut y);
        for threads in [1, 2, 3, 8] {
            let mut z = [0.0; 5];
            let (a, b) = forms::on_threads(threads, &x, &mut z);
            assert_eq!((a.to_bits(), bits32(&z)), (s.to_bits(), bits32(&y)), "{n} by {threads}");
            assert_eq!(b.to_bits(), s.to_bits(), "{n} by {threads}");
        }
    }
}
