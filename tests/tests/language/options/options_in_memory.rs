//! `Option`s in structs, arrays and tuples that devices share with the host.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{compare, twice};

twice! {
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Cell { value: f64, last: Option<u16>, seen: Option<(u8, f32)>, row: [Option<i64>; 3] }

    pub const NONE: Option<u32> = None;
    pub const TABLE: [Option<u8>; 4] = [Some(3), None, Some(255), None];

    pub struct Settings { decay: Option<f32>, limit: Option<i32>, steps: u32 }

    pub fn cells(n: usize) -> Vec<Cell> {
        (0..n)
            .map(|i| Cell {
                value: i as f64,
                last: (i % 3 == 1).then_some(i as u16),
                seen: (i % 2 == 0).then_some((i as u8, 0.5)),
                row: [None, Some(-(i as i64)), (i > 4).then_some(1)],
            })
            .collect()
    }

    pub fn step(cells: &mut [Cell], s: &Settings) {
        let decay = s.decay;
        #[omp::target]
        for (i, c) in cells.iter_mut().enumerate() {
            if let Some(d) = decay {
                c.value *= d as f64;
            }
            if let Some(limit) = s.limit {
                c.value = c.value.min(limit as f64);
            }
            let before = c.last.take();
            c.last = match before {
                Some(at) if at > 3 => Some(at - 3),
                Some(_) => None,
                None => Some(i as u16),
            };
            c.seen = match c.seen {
                Some((n, x)) => Some((n + 1, x * 2.0)),
                None => None,
            };
            c.row[0] = c.row[1].map(|v| v * s.steps as i64);
            c.row[2] = if c.row[2].is_some() { None } else { c.row[0].or(c.row[1]) };
        }
    }

    pub fn found(x: &[i32], wanted: &[i32]) -> Vec<Option<usize>> {
        let mut out = vec![None; wanted.len()];
        #[omp::target]
        for (o, w) in out.iter_mut().zip(wanted) {
            *o = x.iter().position(|v| v == w);
        }
        out
    }

    pub fn summed(x: &[Option<f32>]) -> (f32, u32) {
        let (mut sum, mut gaps) = (0.0, 0);
        #[omp::target(reduction(+: sum, gaps))]
        for v in x {
            match v {
                Some(v) => sum += v,
                None => gaps += 1,
            }
        }
        (sum, gaps)
    }

    pub fn by_number(x: &[Option<f32>], n: usize) -> Vec<f32> {
        let mut y = vec![0.0; n];
        #[omp::target]
        for i in 0..n {
            y[i] = x[i].unwrap_or(-1.0) + x[0].map_or(2.0, |v| v * 3.0);
        }
        y
    }

    pub fn tables(n: usize) -> Vec<u32> {
        let mut out = vec![0; n];
        #[omp::target]
        for i in 0..n {
            let pair = (TABLE[i % 4], if i > 5 { NONE } else { Some(i as u32) });
            let mut local = [None; 3];
            local[i % 3] = pair.1;
            out[i] = match pair {
                (Some(a), Some(b)) => a as u32 * 100 + b,
                (Some(a), None) => a as u32,
                (None, other) => other.unwrap_or(7),
            } + local.iter().filter(|l| l.is_some()).count() as u32 * 1000
                + size_of::<Option<u32>>() as u32;
        }
        out
    }

    /// What is not written keeps its value, and bytes that belong to no value don't matter.
    pub fn some_written(x: &mut [Option<u64>]) {
        #[omp::target]
        for i in 0..x.len() {
            if i % 2 == 1 {
                x[i] = x[i].filter(|v| *v > 10);
            }
        }
    }

    pub fn kept(n: usize) -> Vec<Option<u64>> {
        let mut x: Vec<Option<u64>> = (0..n as u64).map(|i| (i % 5 != 0).then_some(i)).collect();
        some_written(&mut x);
        x
    }

    pub fn stepped() -> Vec<Cell> {
        let mut c = cells(20);
        step(&mut c, &Settings { decay: Some(0.5), limit: None, steps: 3 });
        step(&mut c, &Settings { decay: None, limit: Some(4), steps: 2 });
        c
    }
}

#[test]
fn options_are_fields() {
    compare!(m, d => {
        omp::set_default_device(d);
        format!("{:?}", m::stepped())
    });
}

#[test]
fn options_are_elements() {
    compare!(m, d => {
        omp::set_default_device(d);
        let gaps: Vec<Option<f32>> = (0..100).map(|i| (i % 7 != 3).then_some(i as f32)).collect();
        (m::found(&[5, -3, 8, 5], &[8, 1, 5, -3]), m::summed(&gaps), m::kept(30), m::by_number(&gaps, 50))
    });
}

#[test]
fn options_are_constants_and_locals() {
    compare!(m, d => {
        omp::set_default_device(d);
        m::tables(12)
    });
}
