//! Patterns of slices with copies of their own, and closures with parameters that give iterators.
#![allow(clippy::all, clippy::pedantic, unused, unreachable_patterns, reason = "as programs have them")]
use omp_tests::{compare, twice};

twice! {
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct P { x: i32, y: i32 }
    pub fn copies(o: &mut [i32]) {
        #[omp::target]
        for i in 0..o.len() {
            let grid = [[P { x: 1, y: i as i32 }, P { x: 2, y: 3 }]; 2];
            let k = i % 2;
            let mut s = 0;
            match grid[k] { [mut p, q] => { p.x += 10; s = p.x + q.x; } }
            o[i] = s * 100 + grid[k][0].x;
        }
    }
    pub fn closures(x: &[f64], o: &mut [f64]) {
        #[omp::target]
        for i in 0..o.len() {
            let it = |k: usize| x[k..k + 3].iter().map(move |v| *v * (k + 1) as f64);
            let mut s = 0.0;
            for k in 0..3 { s += it(k).sum::<f64>(); }
            o[i] = s + it(1).sum::<f64>() + it(i).sum::<f64>();
        }
    }
}

#[test]
fn slices2() {
    compare!(m, d => {
        let mut o = vec![0; 5];
        m::copies(&mut o);
        let x: Vec<f64> = (0..12).map(|k| k as f64).collect();
        let mut p = vec![0.0; 5];
        m::closures(&x, &mut p);
        (o, p)
    });
}
