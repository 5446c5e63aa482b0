//! Arrays that patterns of parameters and of `let` take from an array of arrays, in `zip` by their names.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{compare, twice};

twice! {
    #[omp::declare_target]
    fn dot(n: [f32; 3], [a, b]: [[f32; 3]; 2]) -> f32 {
        n.iter().zip(a).map(|(x, y)| x * y).sum::<f32>() + b.into_iter().sum::<f32>()
    }
    #[omp::declare_target]
    fn dot2(n: [f32; 3], (a, k): ([f32; 3], f32)) -> f32 {
        k * n.iter().zip(a).map(|(x, y)| x * y).sum::<f32>()
    }
    #[omp::declare_target]
    fn dot3(n: [f32; 3], q: [[f32; 3]; 2]) -> f32 {
        let [a, b] = q;
        n.iter().zip(a).map(|(x, y)| x * y).sum::<f32>() - b[0]
    }
    #[omp::offload]
    pub fn f1(x: &[[f32; 3]], out: &mut [f32]) {
        #[omp::target]
        for (i, o) in out.iter_mut().enumerate() {
            let (p, q) = (x[i], x[0]);
            *o = dot(p, [p, q]) + dot2(p, (q, 2.0)) + dot3(p, [q, p]) + p.iter().zip(q).map(|(a, b)| a + b).sum::<f32>();
            *o += p.map(std::ops::Neg::neg)[1];
        }
    }
    pub fn run() -> Vec<f32> {
        let x: Vec<[f32; 3]> = (0..6).map(|k| [k as f32, 0.5, 1.0 - k as f32]).collect();
        let mut out = vec![0.0; 6];
        f1(&x, &mut out);
        out
    }
}

#[test]
fn as_without_directives() {
    compare!(m, d => {
        omp::set_default_device(d);
        m::run()
    });
}
