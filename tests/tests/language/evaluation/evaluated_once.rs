//! The order and number of evaluations of what a rewritten call is made of.
#![allow(clippy::all, clippy::pedantic, missing_docs)]

mod default_of_map_or {
    use omp_tests::{compare, twice};

    twice! {
        #[derive(Clone, Copy, PartialEq, Debug, omp::Device)]
        pub struct S { pub c: f64, pub m: u32 }
        pub fn a(s: &[S], x: &[f64], out: &mut [f64]) {
            #[omp::target]
            for i in 0..out.len() {
                let o: Option<f64> = if i > 3 { Some(x[i]) } else { None };
                out[i] = o.map_or({ let t = i + 1; t * 2 } as f64, |v| v * 2.0);
                out[i] += o.map_or(if i > 1 { 2.0 } else { 3.0 } * 4.0, |v| v * 2.0);
            }
        }
    }

    #[test]
    fn default_of_map_or() {
        compare!(m, d => {
            let s: Vec<_> = (0..5).map(|i| m::S { c: 3.0 * i as f64, m: i }).collect();
            let x: Vec<_> = (0..15).map(|i| i as f64).collect();
            let mut o = vec![0.0; 15];
            m::a(&s, &x, &mut o);
            o
        });
    }
}

mod order {
    use omp_tests::{compare, twice};

    twice! {
        #[derive(Clone, Copy, PartialEq, Debug, omp::Device)]
        pub struct S { pub c: f64, pub m: u32 }
        pub fn a(x: &[f64], out: &mut [f64]) {
            #[omp::target]
            for i in 0..out.len() {
                let mut k = 0;
                let mut next = || { k += 1; k };
                let mut r = 0.0;
                if let Some(v) = x[next()..].first() { r += v; }
                if let Some(v) = x[next()..next() + 3].last() { r += v * 100.0; }
                r += x[next()..].get(next()).copied().unwrap_or(0.5) * 1e4;
                r += x[next()..].last().map_or(0.0, |v| *v);
                let Some(v) = x[next()..].first() else { continue };
                out[i] = r + v * 1e6 + k as f64 * 1e8;
            }
        }
        pub fn b(x: &[f64], out: &mut [f64]) {
            #[omp::target]
            for i in 0..out.len() {
                let mut k = 0;
                let mut next = || { k += 1; k };
                let mut r = x.iter().skip(next()).fold(next() as f64, |a, v| a * 0.5 + v);
                r += x.iter().skip(next()).take(next()).rfold(next() as f64, |a, v| a * 0.5 + v) * 100.0;
                r += (next()..next() + 4).map(|j| x[j]).sum::<f64>() * 1e4;
                r += x[next()..].iter().take(next()).scan(next() as f64, |s, v| { *s += v; Some(*s) }).sum::<f64>() * 1e5;
                out[i] = r + k as f64 * 1e8;
            }
        }
        pub fn c(x: &[f64], out: &mut [f64]) {
            #[omp::target]
            for i in 0..out.len() {
                let mut k = 0;
                let mut next = || { k += 1; k };
                let mut a = [0.0; 12];
                a[next()..next() + 3].fill(next() as f64);
                let c = a[next()..next() + 3].contains(&(next() as f64)) as u32;
                a[next()..next() + 1].copy_from_slice(&x[next()..next() + 1]);
                let mut r = 0.0;
                for v in a { r = r * 0.75 + v; }
                out[i] = r + c as f64 * 100.0 + k as f64 * 1e8;
            }
        }
        pub fn e(s: &[S], out: &mut [f64]) {
            #[omp::target]
            for i in 0..out.len() {
                let mut k = 0;
                let mut key = |p: &S| { k += 1; (p.m * 7 + k) % 5 };
                let a = s.iter().min_by_key(|p| key(p)).map_or(0.0, |p| p.c);
                let b = s.iter().max_by_key(|p| key(p)).map_or(0.0, |p| p.c);
                let c = (0..6u32).max_by_key(|p| { k += 1; (p + k) % 3 }).unwrap();
                let e = s.iter().enumerate().min_by_key(|(_, p)| { k += 1; (p.m + k) % 3 }).map_or(0.0, |(n, p)| n as f64 + p.c);
                let f = s[1..].iter().copied().min_by_key(|p| { k += 1; (9 - p.m, k) }).unwrap().c;
                out[i] = a + b * 100.0 + c as f64 * 1e4 + e * 1e5 + f * 1e7 + k as f64 * 1e9;
            }
        }
    }

    #[test]
    fn order() {
        compare!(m, d => {
            let s: Vec<_> = (0..5).map(|i| m::S { c: 3.0 * i as f64, m: i * 3 % 5 }).collect();
            let x: Vec<f64> = (0..25).map(|i| (i * 7 % 11) as f64).collect();
            let mut o = vec![vec![0.0; 4]; 4];
            m::a(&x, &mut o[0]);
            m::b(&x, &mut o[1]);
            m::c(&x, &mut o[2]);
            m::e(&s, &mut o[3]);
            o
        });
    }
}

mod changed {
    use omp_tests::{compare, twice};

    twice! {
        #[derive(Clone, Copy, PartialEq, Debug, omp::Device)]
        pub struct Rng { pub s: usize }
        #[omp::declare_target]
        impl Rng { fn next(&mut self) -> usize { self.s = (self.s * 5 + 3) % 7; self.s } fn get(&self) -> usize { self.s } }
        pub fn a(x: &[f64], out: &mut [f64]) {
            #[omp::target]
            for i in 0..out.len() {
                let mut r = Rng { s: i % 7 };
                let mut a = [0.0; 12];
                a[r.next()..r.get() + 3].fill(r.next() as f64);
                a[r.get()..].fill({ r.s += 1; r.s as f64 });
                let mut t = 0.0;
                for v in a { t = t * 0.75 + v; }
                let s = x.iter().skip(r.get()).fold({ r.s += 2; r.s as f64 }, |a, v| a * 0.5 + v);
                let u = x[r.s..].get({ r.s += 1; r.s }).copied().unwrap_or(0.25);
                let w = x[r.next()..].iter().fold(r.next() as f64, |a, v| a * 0.5 + v);
                let z = x.iter().take(5).min_by_key(|v| r.next() + **v as usize).map_or(0.0, |v| *v);
                out[i] = t + s * 100.0 + u * 1e3 + w * 1e5 + z * 1e7 + r.s as f64 * 1e9;
            }
        }
    }

    #[test]
    fn changed() {
        compare!(m, d => {
            let x: Vec<f64> = (0..25).map(|i| (i * 7 % 11) as f64).collect();
            let mut o = vec![0.0; 9];
            m::a(&x, &mut o);
            o
        });
    }
}
