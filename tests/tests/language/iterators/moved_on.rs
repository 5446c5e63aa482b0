//! Iterators and ranges under names, which searches move on: what is made of them is evaluated where the name is bound.
#![allow(clippy::all, clippy::pedantic, unused, unreachable_patterns, reason = "as programs have them")]
use omp_tests::{compare, twice};

twice! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    #[repr(u8)]
    pub enum Mark { Undecided, Coarse, Fine }
    pub fn one(ptr: &[usize], col: &[u32], strong: &[bool], w: &[u32], out: &mut [u32]) {
        #[omp::target]
        for i in 0..out.len() {
            let span = ptr[i]..ptr[i + 1];
            let mut near = span.filter(|&k| strong[k]).map(|k| col[k] as usize);
            out[i] = if near.all(|j| w[j] < w[i]) { 1 } else { 0 };
        }
    }
    pub fn two(ptr: &[usize], col: &[u32], strong: &[bool], mark: &[Mark], w: &[u32], next: &mut [Mark]) {
        #[omp::target]
        for i in 0..next.len() {
            let mut near = (ptr[i]..ptr[i + 1]).filter(|&k| strong[k]).map(|k| col[k] as usize);
            next[i] = match mark[i] {
                Mark::Undecided if near.all(|j| mark[j] != Mark::Undecided || w[j] < w[i]) => Mark::Coarse,
                same => same,
            };
        }
    }
    pub fn three(ptr: &[usize], w: &[u32], next: &mut [u32]) {
        #[omp::target]
        for i in 0..next.len() {
            next[i] = match w[i] {
                0 => 7,
                x if (ptr[i]..ptr[i + 1]).all(|j| w[j % 3] < x) => x,
                x if (ptr[i]..ptr[i + 1]).any(|j| w[j % 3] == x) => x + 1,
                same => same * 2,
            };
        }
    }
    pub fn four(ptr: &[usize], w: &[u32], next: &mut [u32]) {
        #[omp::target]
        for i in 0..next.len() {
            let span = ptr[i]..ptr[i + 1];
            let len = span.len();
            let total: u32 = span.clone().map(|k| w[k]).sum();
            let most = span.map(|k| w[k]).max().unwrap_or(0);
            next[i] = total * 100 + most * 10 + len as u32;
        }
    }
    pub fn run(x: &[u32], out: &mut [u32]) {
        #[omp::target]
        for i in 0..out.len() {
            let mut it = x[i..].iter().filter(|v| **v % 3 != 0).map(|v| v + 1);
            let found = it.any(|v| v % 5 == 0);
            let next = it.next().unwrap_or(77);
            let at = it.position(|v| v > 20).unwrap_or(99) as u32;
            let mut s = 0;
            for v in it {
                s += v;
            }
            out[i] = next * 1000 + at * 10 + u32::from(found) + s * 100_000;
        }
    }
    pub fn words(x: &[u32], out: &mut [u32]) {
        #[omp::target]
        for i in 0..out.len() {
            let mut it = x[i..].iter();
            let mut n = 0;
            while it.any(|v| v % 7 == 0) {
                n += 1;
            }
            let mut fresh = (0..x.len()).rev();
            let first = fresh.find(|&k| x[k] > 30).unwrap_or(0);
            let second = fresh.find(|&k| x[k] > 30).unwrap_or(0);
            out[i] = n + 10 * first as u32 + 1000 * second as u32;
        }
    }
}

#[test]
fn spans() {
    compare!(m, d => {
        let ptr = vec![0usize, 2, 2, 5, 9];
        let col = vec![1u32, 2, 3, 0, 1, 2, 3, 0, 1];
        let strong: Vec<bool> = (0..9).map(|k| k % 3 != 1).collect();
        let w = vec![3u32, 1, 4, 1, 5, 9, 2, 6, 5];
        let mut o = vec![0u32; 4];
        m::one(&ptr, &col, &strong, &w, &mut o);
        let mark = vec![m::Mark::Undecided, m::Mark::Fine, m::Mark::Undecided, m::Mark::Undecided];
        let mut next = mark.clone();
        m::two(&ptr, &col, &strong, &mark, &w, &mut next);
        let mut p = vec![0u32; 4];
        m::three(&ptr, &w, &mut p);
        let mut q = vec![0u32; 4];
        m::four(&ptr, &w, &mut q);
        (o, format!("{next:?}"), p, q)
    });
}

#[test]
fn pulled() {
    compare!(m, d => {
        let x: Vec<u32> = (0..40u32).map(|k| k * 37 % 41).collect();
        let mut o = vec![0u32; 20];
        m::run(&x, &mut o);
        let mut p = vec![0u32; 20];
        m::words(&x, &mut p);
        (o, p)
    });
}
