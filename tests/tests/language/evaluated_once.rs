//! The order and number of evaluations of what a rewritten call is made of.
#![allow(clippy::all, clippy::pedantic, missing_docs)]

mod default_of_map_or {
    use omp_tests::{compare, twice};

    twice! {
        #[derive(Clone, Copy, PartialEq, Debug, omp::Device)]
        pub struct S { pub c: f64, pub m: u32 }
        pub fn a(s: &[S], x: &[f64], out: &mut [f64]) {
            #[omp::parallel_for]
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
