//! Options of references and of tuples with references: variables with and without a written type, and results of functions.
#![allow(clippy::all, clippy::pedantic, missing_docs)]

mod opt_ref {
    use omp_tests::{compare, twice};

    twice! {
        #[derive(Clone, Copy, PartialEq, Debug, omp::Device)]
        pub struct S { pub c: f64, pub r: f64, pub m: u32 }
        #[omp::declare_target]
        impl S { fn hit(&self, x: f64) -> Option<f64> { let t = (self.c - x).abs() - self.r; if t > 0.0 { Some(t) } else { None } } }
        pub fn f(s: &[S], out: &mut [f64]) {
            #[omp::target]
            for i in 0..out.len() {
                let x = i as f64;
                let mut nearest: Option<(f64, &S)> = None;
                for s in s {
                    if let Some(t) = s.hit(x) {
                        match nearest { Some((best, _)) if best <= t => {} _ => nearest = Some((t, s)) }
                    }
                }
                out[i] = match nearest { Some((t, s)) => t * 10.0 + s.m as f64, None => -1.0 };
            }
        }
        pub fn g(s: &[S], out: &mut [f64]) {
            #[omp::target]
            for i in 0..out.len() {
                let x = i as f64;
                let mut best = f64::INFINITY;
                let mut hit: Option<&S> = None;
                for p in s.iter() {
                    if let Some(t) = p.hit(x) { if t < best { best = t; hit = Some(p); } }
                }
                out[i] = if let Some(p) = hit { p.m as f64 + p.c } else { -1.0 };
            }
        }
    }

    #[test]
    fn opt_ref() {
        compare!(m, d => {
        omp::set_default_device(d);
            let s: Vec<_> = (0..5).map(|i| m::S { c: 3.0 * i as f64, r: 0.5, m: i }).collect();
            let mut a = vec![0.0; 19];
            let mut b = vec![0.0; 19];
            m::f(&s, &mut a);
            m::g(&s, &mut b);
            (a, b)
        });
    }
}

mod opt_ref2 {
    use omp_tests::{compare, twice};

    twice! {
        #[derive(Clone, Copy, PartialEq, Debug, omp::Device)]
        pub struct S { pub c: f64, pub r: f64, pub m: u32 }
        #[omp::declare_target]
        impl S { fn hit(&self, x: f64) -> Option<f64> { let t = (self.c - x).abs() - self.r; if t > 0.0 { Some(t) } else { None } } fn id(&self) -> f64 { self.m as f64 } }
        pub fn a(s: &[S], out: &mut [f64]) {
            #[omp::target]
            for i in 0..out.len() {
                let x = i as f64;
                let mut best = f64::INFINITY;
                let mut hit = None;
                for p in s {
                    if let Some(t) = p.hit(x) { if t < best { best = t; hit = Some(p); } }
                }
                out[i] = hit.map_or(-1.0, |p| p.id() + best);
            }
        }
        pub fn b(s: &[S], out: &mut [f64]) {
            #[omp::target]
            for i in 0..out.len() {
                let x = i as f64;
                let mut nearest = None;
                for p in s {
                    if let Some(t) = p.hit(x) { if nearest.map_or(true, |(b, _)| t < b) { nearest = Some((t, p)); } }
                }
                out[i] = match nearest { Some((t, p)) => t + p.m as f64, None => -1.0 };
            }
        }
        #[omp::declare_target]
        fn closest<'a>(s: &'a [S], x: f64) -> Option<(f64, &'a S)> {
            let mut nearest: Option<(f64, &S)> = None;
            for p in s {
                if let Some(t) = p.hit(x) {
                    match nearest { Some((b, _)) if b <= t => (), _ => nearest = Some((t, p)) }
                }
            }
            nearest
        }
        pub fn c(s: &[S], out: &mut [f64]) {
            #[omp::target]
            for i in 0..out.len() {
                out[i] = match closest(s, i as f64) { Some((t, p)) => t + p.m as f64, None => -1.0 };
            }
        }
        #[omp::declare_target]
        fn first(s: &[S], x: f64) -> Option<(usize, &S)> {
            s.iter().enumerate().find(|(_, p)| p.c >= x)
        }
        pub fn d(s: &[S], out: &mut [f64]) {
            #[omp::target]
            for i in 0..out.len() {
                out[i] = if let Some((k, p)) = first(s, i as f64) { k as f64 + p.c } else { -1.0 };
            }
        }
        pub fn e(s: &[S], out: &mut [f64]) {
            #[omp::target]
            for i in 0..out.len() {
                let x = i as f64;
                let (mut best, mut who) = (f64::INFINITY, None);
                for (k, p) in s.iter().enumerate() {
                    if let Some(t) = p.hit(x) { if t < best { best = t; who = Some((k, p)); } }
                }
                let Some((k, p)) = who else { out[i] = -1.0; continue };
                out[i] = k as f64 * 10.0 + p.r;
            }
        }
    }

    #[test]
    fn opt_ref2() {
        compare!(m, d => {
        omp::set_default_device(d);
            let s: Vec<_> = (0..5).map(|i| m::S { c: 3.0 * i as f64, r: 0.5, m: i }).collect();
            let mut o = vec![vec![0.0; 19]; 5];
            m::a(&s, &mut o[0]);
            m::b(&s, &mut o[1]);
            m::c(&s, &mut o[2]);
            m::d(&s, &mut o[3]);
            m::e(&s, &mut o[4]);
            o
        });
    }
}
