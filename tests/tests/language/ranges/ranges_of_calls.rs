//! Ranges that functions return in subscripts, with arguments that call others, and ranges in tuples.
#![allow(unused_qualifications, clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::on_every_device;
use std::ops::Range;

#[derive(Clone, Copy, omp::Device)]
struct Lit(u32);
#[omp::declare_target]
impl Lit {
    fn var(self) -> usize {
        (self.0 / 2) as usize
    }
}
struct G {
    first: Vec<usize>,
    edges_of: Vec<u32>,
    lits: Vec<Lit>,
}
#[omp::declare_target]
fn edges(first: &[usize], v: usize) -> Range<usize> {
    first[v]..first[v + 1]
}
#[omp::offload]
impl G {
    fn a(&self, d: usize, y: &mut [u32]) {
        #[omp::target(device(d))]
        for e in 0..y.len() {
            let lit = self.lits[e];
            let mut s = 0;
            for &b in &self.edges_of[edges(&self.first, lit.var())] {
                s += b;
            }
            y[e] = s;
        }
    }
    fn b(&self, d: usize, y: &mut [u32]) {
        #[omp::target(device(d))]
        for e in 0..y.len() {
            let v = self.lits[e].var();
            let mut s = 0;
            for &b in &self.edges_of[edges(&self.first, v)] {
                s += b;
            }
            y[e] = s;
        }
    }
    fn c(&self, d: usize, y: &mut [u32]) {
        #[omp::target(device(d))]
        for e in 0..y.len() {
            let v = self.lits[e].var();
            let mut s = 0;
            for k in edges(&self.first, v) {
                s += self.edges_of[k];
            }
            y[e] = s;
        }
    }
    fn d(&self, d: usize, y: &mut [u32]) {
        #[omp::target(device(d))]
        for e in 0..y.len() {
            let r = edges(&self.first, self.lits[e].var());
            y[e] = self.edges_of[r].iter().sum();
        }
    }
}
#[omp::declare_target]
fn twice(v: usize) -> usize {
    v * 2
}
#[omp::offload]
fn go(d: usize, first: &[usize], x: &[u32], y: &mut [u32], z: &mut [u32]) {
    let n = y.len();
    #[omp::target(device(d))]
    for i in 0..n {
        let (a, b) = (first[i]..first[i + 1], 0..3usize);
        let (c, k) = (edges(first, twice(i) / 2), i as u32);
        let (_lo, hi) = (0..=2usize, 5);
        let mut s = k + hi;
        for j in a.clone() {
            s += x[j];
        }
        for j in b {
            s = s * 3 % 1001 + x[j];
        }
        s += x[a].iter().sum::<u32>() + x[c].len() as u32;
        let part = &x[edges(first, twice(i) / 2)];
        s += part.iter().max().copied().unwrap_or(7);
        y[i] = s;
        z[i] = x[edges(first, twice(i) / 2)].iter().map(|v| v * v).sum();
    }
}

#[test]
fn ranges_of_calls_are_subscripts() {
    let g = G { first: vec![0, 2, 3, 6], edges_of: vec![1, 2, 3, 4, 5, 6], lits: (0..6).map(Lit).collect() };
    on_every_device(|d| {
        for f in [G::a, G::b, G::c, G::d] {
            let mut y = [0; 6];
            f(&g, d, &mut y);
            assert_eq!(y, [3, 3, 3, 3, 15, 15], "on {d}");
        }
    });
}

#[test]
fn ranges_are_parts_of_tuples() {
    let (first, x) = (vec![0, 2, 3, 3, 6], vec![1u32, 2, 3, 4, 5, 6]);
    on_every_device(|d| {
        let (mut y, mut z, mut w) = (vec![0; 4], vec![0; 4], vec![0; 4]);
        go(d, &first, &x, &mut y, &mut z);
        for i in 0..4usize {
            let (a, b) = (first[i]..first[i + 1], 0..3usize);
            let (c, k) = (edges(&first, twice(i) / 2), i as u32);
            let hi = 5;
            let mut s = k + hi;
            for j in a.clone() {
                s += x[j];
            }
            for j in b {
                s = s * 3 % 1001 + x[j];
            }
            s += x[a].iter().sum::<u32>() + x[c].len() as u32;
            s += x[first[i]..first[i + 1]].iter().max().copied().unwrap_or(7);
            w[i] = s;
            assert_eq!(z[i], x[first[i]..first[i + 1]].iter().map(|v| v * v).sum());
        }
        assert_eq!(y, w, "on {d}");
    });
}
