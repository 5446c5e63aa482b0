//! What calls give as the base of an iterator, `std::iter::zip`, options in arrays, and what is between them.
#![allow(clippy::all, clippy::pedantic, unused_qualifications, reason = "the code has every form on purpose")]
use omp_tests::{compare, twice};

twice! {
    use std::iter::zip;
    #[omp::declare_target]
    fn dot(a: &[f64], b: &[f64]) -> f64 {
        let mut s = 0.0;
        for (x, y) in std::iter::zip(a, b) { s += x * y; }
        s
    }
    #[omp::declare_target]
    fn dot2(a: &[f64], b: &[f64]) -> f64 { zip(a, b).map(|(x, y)| x * y).sum() }
    pub fn zipped() -> (Vec<f64>, Vec<f64>, f64) {
        let a: Vec<f64> = (0..60).map(|i| i as f64).collect();
        let b: Vec<f64> = (0..60).map(|i| 1.0 / (1 << (i % 5)) as f64).collect();
        let mut c = vec![0.0; 60];
        #[omp::target]
        for (c, (a, b)) in std::iter::zip(&mut c, std::iter::zip(&a, &b)) { *c = a * b + 1.0; }
        let mut d = vec![0.0; 10];
        #[omp::target]
        for (i, o) in d.iter_mut().enumerate() {
            let (x, y) = (&a[i * 6..i * 6 + 6], &b[i * 6..][..6]);
            *o = dot(x, y) + dot2(x, y);
            for (p, q) in zip(x.iter().skip(1), y) { *o += p - q; }
            *o += zip(x, y).filter(|&(p, q)| p > q).map(|(p, q)| p - q).fold(0.0, f64::max);
        }
        let mut s = 0.0;
        #[omp::target(reduction(+: s))]
        for (x, y) in zip(&a, &b) { s += x * y; }
        (c, d, s)
    }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Aabb { lo: [f32; 3], hi: [f32; 3] }
    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Axis { n: [f32; 3], w: f32 }
    #[omp::declare_target]
    impl Aabb {
        fn axes(&self) -> [Axis; 3] {
            [0, 1, 2].map(|k| { let mut n = [0.0; 3]; n[k] = 1.0; Axis { n, w: self.hi[k] - self.lo[k] } })
        }
        fn overlaps(&self, o: &Aabb) -> bool {
            self.lo.iter().zip(&o.hi).all(|(a, b)| a <= b) && o.lo.iter().zip(self.hi.iter()).all(|(a, b)| a <= b)
        }
        fn longest(&self) -> f32 { self.axes().into_iter().map(|a| a.w).fold(0.0, f32::max) }
        fn surface(&self) -> f32 {
            let [a, b, c] = self.axes().map(|Axis { w, .. }| w);
            2.0 * (a * b + b * c + c * a)
        }
        fn span(&self) -> f32 {
            let pairs = [(self.lo[0], self.hi[0]), (self.lo[1], self.hi[1]), (self.lo[2], self.hi[2])];
            let d = pairs.map(|(l, h)| h - l);
            d.iter().zip([1.0, 2.0, 3.0]).map(|(d, w)| d * w).sum()
        }
        fn clipped(&self) -> usize {
            let hits = [self.lo[0], self.lo[1], self.hi[0]].map(|v| if v > 5.0 { Some(v) } else { None });
            let mut c = 0;
            for v in hits.into_iter().flatten() { c += v as usize; }
            c + hits.into_iter().flatten().count() + hits.iter().flatten().map(|v| *v as usize).sum::<usize>()
        }
    }
    pub fn boxes() -> (Vec<u32>, Vec<f32>, Vec<usize>) {
        let b: Vec<Aabb> = (0..30).map(|i| { let l = (i * 7 % 12) as f32; Aabb { lo: [l, l * 0.5, 1.0], hi: [l + 2.0, l * 0.5 + 1.5, 3.0] } }).collect();
        let mut n = vec![0u32; 30];
        let mut l = vec![0.0; 30];
        let mut c = vec![0; 30];
        #[omp::target]
        for i in 0..30 {
            n[i] = b.iter().filter(|o| b[i].overlaps(o)).count() as u32;
            l[i] = b[i].longest() + b[i].surface() + b[i].span();
            c[i] = b[i].clipped();
        }
        (n, l, c)
    }

    type P = [f64; 3];
    const LAST: usize = 3;
    #[omp::declare_target]
    fn dot3(a: P, b: P) -> f64 { a.into_iter().zip(b).map(|(x, y)| x * y).sum() }
    #[omp::declare_target]
    fn horner(c: &[f64; 4], x: f64) -> f64 { c.iter().rfold(0.0, |acc, k| acc * x + k) }
    #[omp::declare_target]
    fn differences(x: &[f64; 4]) -> P {
        let slope = |k: usize| x[k] - x[LAST - k];
        std::array::from_fn(|k| match k { 0 => slope(1), LAST => slope(LAST), _ => slope(k - 1) })
    }
    #[omp::declare_target]
    fn alternating(x: &[f64]) -> f64 {
        let (mut even, mut odd) = ([0.0; 2], [1.0; 3]);
        for (k, &v) in x.iter().enumerate() {
            for acc in even.iter_mut().chain(odd.iter_mut()) {
                *acc = *acc * 0.5 + v * (k + 1) as f64;
            }
        }
        even[0] + even[1] + odd[2]
    }
    #[omp::declare_target]
    fn strongest(x: &[f64; 4]) -> Option<(usize, f64)> {
        let (best, &p) = x.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1))?;
        (p > 1.0).then_some((best, p))
    }
    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Pair2 { a: f64, b: f64 }
    #[omp::declare_target]
    impl Pair2 {
        fn of(x: [f64; 2], f: impl Fn(f64) -> f64) -> Self { Self { a: f(x[0]), b: f(x[1]) } }
        fn map(self, f: impl Fn(f64) -> f64) -> Self { Self::of([self.a, self.b], f) }
    }
    #[omp::declare_target]
    impl std::ops::Add for Pair2 { type Output = Pair2; fn add(self, o: Pair2) -> Pair2 { Pair2 { a: self.a + o.a, b: self.b + o.b } } }
    #[omp::declare_target]
    fn halved(x: f64) -> f64 { x * 0.5 }
    pub fn values() -> Vec<f64> {
        let x: Vec<f64> = (0..64).map(|i| ((i * 37) % 19) as f64 * 0.25).collect();
        let mut out = vec![0.0; 16];
        #[omp::target]
        for i in 0..16 {
            let w = [x[i], x[i + 1], x[2 * i], x[3 * i]];
            let p = differences(&w);
            let pair = (Pair2::of([x[i], x[i + 4]], halved) + Pair2 { a: 1.0, b: 2.0 }).map(|v| v * v + 1.0);
            out[i] = dot3(p, [1.0, 2.0, x[i]]) + horner(&w, 0.5) + alternating(&x[i..i + 5]) + strongest(&w).map_or(0.0, |(k, v)| k as f64 + v) + pair.a - pair.b;
        }
        out
    }
}

#[test]
fn two_iterators_are_zipped_by_the_function_of_std() {
    compare!(m, d => { omp::set_default_device(d); m::zipped() });
}

#[test]
fn arrays_that_calls_give_are_iterated() {
    compare!(m, d => { omp::set_default_device(d); m::boxes() });
    compare!(m, d => { omp::set_default_device(d); m::values() });
}
