//! Methods of the user's traits with the names of numbers' own: a call by name finds the number's, generic code the trait's.
#![allow(clippy::all, clippy::pedantic, missing_docs)]
use omp_tests::{compare, twice};

twice! {
    #[omp::declare_target]
    pub trait Real: Copy {
        fn sqrt(self) -> Self;
        fn max(self, o: Self) -> Self;
        fn twice(self) -> Self;
        fn min(self, o: Self) -> Self { self.max(o) }
        fn powi(self, _n: i32) -> Self { self }
    }
    #[omp::declare_target]
    impl Real for f64 { fn sqrt(self) -> f64 { -1.0 } fn max(self, o: f64) -> f64 { self + o } fn twice(self) -> f64 { self + self } }
    #[omp::declare_target]
    impl Real for f32 { fn sqrt(self) -> f32 { self.max(2.0) } fn max(self, o: f32) -> f32 { self - o } fn twice(self) -> f32 { self + self } }
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct V { pub x: f64 }
    #[omp::declare_target]
    impl Real for V { fn sqrt(self) -> V { V { x: self.x.sqrt() } } fn max(self, o: V) -> V { V { x: self.x.max(o.x) } } fn twice(self) -> V { V { x: self.x.twice() } } }
    #[omp::declare_target]
    fn all<T: Real + omp::Device>(a: T, b: T) -> T { a.sqrt().max(b).min(a.twice()).powi(3) }
    pub fn generic<T: Real + omp::Device>(x: &mut [T], c: T) {
        #[omp::target]
        for v in x.iter_mut() { *v = all(*v, c); }
    }
    pub fn plain(x: &mut [f64], y: &mut [f32]) {
        let s = 4.0f64;
        #[omp::target]
        for v in x.iter_mut() { *v = v.sqrt().max(2.0) + v.min(3.0) + v.powi(2) + s.sqrt() + v.twice(); }
        #[omp::target]
        for i in 0..y.len() { let r = &y[i]; let q = r.sqrt() + r.max(1.0); y[i] = q.min(50.0).powi(2) + 2.0f32.sqrt() + f32::sqrt(q) + <f32 as Real>::sqrt(q) + Real::max(q, 1.0); }
        #[omp::target]
        for v in x.iter_mut() { let t = [1.0, 2.0].iter().map(|a: &f64| a.sqrt().max(*v)).sum::<f64>(); *v = t; }
    }
}

#[test]
fn own_first() {
    compare!(m, d => {
        omp::set_default_device(d);
        let mut x: Vec<f64> = (0..50).map(f64::from).collect();
        let mut y: Vec<f32> = (0..50).map(|i| i as f32).collect();
        let mut z: Vec<m::V> = (0..50).map(|i| m::V { x: i as f64 }).collect();
        m::plain(&mut x, &mut y);
        m::generic(&mut x, 2.0);
        m::generic(&mut y, 2.0);
        m::generic(&mut z, m::V { x: 3.0 });
        (x.iter().map(|v| (v * 1e3).round()).collect::<Vec<_>>(), y.iter().map(|v| (v * 1e2).round()).collect::<Vec<_>>(), z.iter().map(|v| (v.x * 1e6).round()).collect::<Vec<_>>())
    });
}
