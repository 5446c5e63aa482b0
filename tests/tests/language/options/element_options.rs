//! Options of elements: `get`, `get_mut`, `first`, in tuples, before `?`, compared; and arrays behind references as arguments.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{compare, twice};

twice! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    #[repr(u8)]
    pub enum Fault { Short, Zero }

    #[omp::declare_target]
    fn three(x: &[i64], i: usize) -> Option<i64> {
        let a = x.get(i)?;
        let &b = x.get(i + 1)?;
        let c = x.get(i + 2).copied()?;
        Some(a * 100 + b * 10 + c + x.first()? * x.last()?.pow(2))
    }

    #[omp::declare_target]
    fn quotient(x: &[i64], i: usize) -> Result<i64, Fault> {
        let a = *x.get(i).ok_or(Fault::Short)?;
        let b = x.get(i + 1).ok_or_else(|| Fault::Short)?;
        if *b == 0 {
            return Err(Fault::Zero);
        }
        Ok(a / b)
    }

    pub fn tried(x: &[i64], n: usize) -> Vec<(i64, i64)> {
        let mut out = vec![(0, 0); n];
        #[omp::target]
        for (i, o) in out.iter_mut().enumerate() {
            o.0 = three(x, i).unwrap_or(-1);
            o.1 = match quotient(x, i) {
                Ok(q) => q,
                Err(Fault::Zero) => -2,
                Err(Fault::Short) => -3,
            };
        }
        out
    }

    pub fn merged(a: &[u32], b: &[u32], n: usize) -> Vec<u32> {
        let mut out = vec![0; n];
        #[omp::target]
        for i in 0..n {
            out[i] = match (a.get(i), b.get(i + 1)) {
                (Some(&x), Some(&z)) => x + z,
                (Some(x), None) => *x,
                (None, _) => 70,
            };
            if let (Some(x), true) = (b.first(), i > 1) {
                out[i] += x;
            }
            if a.get(i) == Some(&3) || a.last() != b.get(i) && b.first() == None {
                out[i] += 1000;
            }
        }
        out
    }

    pub fn histogram(h: &mut [u32], x: &[u8]) {
        #[omp::target(reduction(+: h))]
        for &v in x {
            if let Some(c) = h.get_mut(v as usize) {
                *c += 1;
            }
        }
        #[omp::target]
        for &v in x {
            if let Some(c) = h.get_mut(v as usize) {
                #[omp::atomic]
                *c += 1;
            }
        }
    }

    pub fn own_rows(y: &mut [f64], w: usize, k: usize) -> usize {
        let mut missing = 0;
        #[omp::target(reduction(+: missing))]
        for row in y.chunks_mut(w) {
            let mut local = [0.0; 4];
            match local.get_mut(k) {
                Some(v) => *v = 2.0,
                None => missing += 1,
            }
            if let Some(first) = row.first_mut() {
                *first += local[k.min(3)];
            }
            let Some(last) = row.last_mut() else { continue };
            *last *= 3.0;
        }
        missing
    }

    pub struct Table { keys: Vec<u32>, values: Vec<u32>, offset: f64 }
    impl Table {
        pub fn new(n: u32) -> Self { Table { keys: (0..n).map(|k| k * 2).collect(), values: (0..n).collect(), offset: 0.5 } }
    }

    #[omp::declare_target]
    fn looked_up(keys: &[u32], values: &[u32], key: u32) -> Option<u32> {
        (0..keys.len()).find(|&i| keys[i] == key).map(|i| values[i])
    }

    #[omp::declare_target]
    fn shifted(v: u32, by: &f64) -> f64 { v as f64 + by }

    pub fn behind_references(t: &Table, n: usize) -> Vec<f64> {
        let mut out = vec![0.0; n];
        let Table { keys, values, offset } = t;
        #[omp::target]
        for (i, o) in out.iter_mut().enumerate() {
            *o = shifted(looked_up(keys, values, i as u32).unwrap_or(99), offset);
        }
        out
    }

    #[derive(Clone, Copy)]
    pub struct Settings { scale: f32, shift: i32, name: &'static str }
    impl Settings {
        pub fn new() -> Self { Settings { scale: 2.0, shift: 3, name: "s" } }
    }

    pub fn taken_apart(y: &mut [f32], s: &Settings) {
        #[omp::target]
        for (i, o) in y.iter_mut().enumerate() {
            let Settings { scale, mut shift, .. } = *s;
            let &Settings { shift: again, .. } = s;
            shift += again;
            *o = scale * (i as i32 + shift) as f32;
        }
    }

    /// What is cut is itself a part.
    pub fn sorted_pairs(data: &mut [u32], phase: usize) {
        #[omp::target]
        for pair in data[phase..].chunks_exact_mut(2) {
            if pair[0] > pair[1] {
                pair.swap(0, 1);
            }
        }
    }

    pub fn parts(out: &mut [f64], x: &[f64], n: usize) {
        #[omp::target(collapse(2))]
        for i in 0..n {
            for (j, (a, b)) in x[1..n + 1].iter().zip(&x[2..]).enumerate() {
                out[i * n + j] = (a - b) * i as f64;
            }
        }
    }
}

#[test]
fn before_a_question_mark() {
    for n in [0, 1, 2, 3, 7] {
        let x: Vec<i64> = (0..n).map(|i| (i * 7 + 3) % 5).collect();
        compare!(m, d => { omp::set_default_device(d); m::tried(&x, 8) });
    }
}

#[test]
fn in_tuples_and_comparisons() {
    for (a, b) in [(0, 0), (0, 1), (1, 0), (4, 3), (7, 7)] {
        let (a, b): (Vec<u32>, Vec<u32>) = ((0..a).collect(), (5..5 + b).collect());
        compare!(m, d => { omp::set_default_device(d); m::merged(&a, &b, 6) });
    }
}

#[test]
fn mutable_elements() {
    compare!(m, d => {
            omp::set_default_device(d);
        let mut h = [0, 5, 0, 0, 0, 1];
        m::histogram(&mut h, &[1, 2, 3, 4, 1, 1, 9, 255]);
        m::histogram(&mut h[..0], &[1, 2]);
        h
    });
    for (k, len) in [(0, 12), (3, 10), (4, 1), (9, 0)] {
        compare!(m, d => {
            omp::set_default_device(d);
            let mut y: Vec<f64> = (0..len).map(f64::from).collect();
            (m::own_rows(&mut y, 4, k), y)
        });
    }
}

#[test]
fn arrays_and_values_behind_references() {
    for n in [0, 1, 6] {
        compare!(m, d => { omp::set_default_device(d); m::behind_references(&m::Table::new(n), 9) });
        compare!(m, d => {
            omp::set_default_device(d);
            let mut y = vec![0.0; n as usize];
            m::taken_apart(&mut y, &m::Settings::new());
            y
        });
    }
}

#[test]
fn numbers_of_parts() {
    for n in [1, 2, 21] {
        compare!(m, d => {
            omp::set_default_device(d);
            let mut x: Vec<u32> = (0..n).rev().collect();
            for i in 0..n {
                m::sorted_pairs(&mut x, (i % 2) as usize);
            }
            x
        });
    }
    for n in [0, 1, 2, 5] {
        let x: Vec<f64> = (0..n + 3).map(|i| (i * i) as f64).collect();
        compare!(m, d => {
            omp::set_default_device(d);
            let mut out = vec![0.0; n * n];
            m::parts(&mut out, &x, n);
            out
        });
    }
}
