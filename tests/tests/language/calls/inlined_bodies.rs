//! Bodies that stand in the place of calls: helpers that write a whole array of the caller's, functions of a struct without `self`, and names
//! that a body binds again.
#![allow(clippy::all, clippy::pedantic, missing_docs)]
use omp_tests::{compare, twice};

twice! {
    /// It is no array of `ndarray`.
    #[derive(Clone, omp::Mapper)]
    pub struct Array2 { rows: usize, cols: usize, v: Vec<f64> }

    #[omp::declare_target]
    impl std::ops::Index<[usize; 2]> for Array2 {
        type Output = f64;
        fn index(&self, [i, j]: [usize; 2]) -> &f64 { &self.v[i * self.cols + j] }
    }

    #[omp::declare_target]
    impl std::ops::IndexMut<[usize; 2]> for Array2 {
        fn index_mut(&mut self, [i, j]: [usize; 2]) -> &mut f64 { &mut self.v[i * self.cols + j] }
    }

    impl Array2 {
        fn zeros(rows: usize, cols: usize) -> Self { Self { rows, cols, v: vec![0.0; rows * cols] } }
        fn wrap(i: usize, n: usize) -> usize { (i + 1) % n }
        /// Names of parameters that the body binds again.
        fn weighted(&self, g: usize, x: &[f64], h: &[f64]) -> f64 {
            let mut z = self.v[g * self.cols..(g + 1) * self.cols].iter().zip(x).map(|(w, x)| w * x).sum::<f64>();
            for (w, h) in self.v[..self.cols].iter().zip(h) {
                z += w * h;
            }
            for h in h {
                z -= h;
            }
            z += match h[0] > 0.0 { true => h[0], h => if h { 2.0 } else { 1.0 } };
            let x = x[0] + 1.0;
            let h = [x, h[1]];
            z + h[0] * x + h[1]
        }

        pub fn next(&self, d: usize, out: &mut Array2) {
            #[omp::target(device(d))]
            for i in 0..self.rows {
                for j in 0..self.cols {
                    out[[i, j]] = self[[Self::wrap(i, self.rows), Array2::wrap(j, self.cols)]] * 2.0;
                }
            }
        }
    }

    pub struct Shape { n: usize, m: usize }

    impl Shape {
        fn at(&self, i: usize, j: usize) -> usize { i * self.m + j }
        fn halved(&self) -> Self { Shape { n: self.n / 2, m: self.m / 2 } }
    }

    /// The struct of a method's result is known.
    pub fn pooled(d: usize, s: Shape, x: &[f64]) -> Vec<f64> {
        let p = s.halved();
        let mut y = vec![0.0; p.n * p.m];
        #[omp::target(device(d), collapse(2))]
        for i in 0..p.n {
            for j in 0..p.m {
                y[p.at(i, j)] = x[s.at(2 * i, 2 * j)];
            }
        }
        y
    }

    pub fn products(d: usize, a: &Array2, x: &[f64], y: &mut [f64]) {
        #[omp::target(device(d))]
        for i in 0..y.len() {
            let h = &x[i..i + a.cols];
            let x = &x[..a.cols];
            y[i] = a.weighted(i, x, h) + a.weighted(0, h, x);
        }
    }

    pub struct Streams { out: Vec<f64>, seeds: Vec<u64> }

    #[omp::declare_target]
    fn next_bits(seeds: &mut [u64], index: usize) -> u64 {
        seeds[index] = seeds[index].wrapping_mul(6364136223846793005).wrapping_add(index as u64);
        seeds[index] >> 40
    }

    #[omp::declare_target]
    fn uniform(seeds: &mut [u64], index: usize) -> f64 {
        if index >= seeds.len() {
            return -1.0;
        }
        let (a, b) = (next_bits(seeds, index), next_bits(seeds, index));
        (a as f64 + b as f64 / 2.0) / 1e6
    }

    #[omp::declare_target]
    fn put(out: &mut Vec<f64>, at: usize, v: f64) { out[at] = v; }

    pub fn draw(d: usize, s: &mut Streams) {
        let Streams { out, seeds } = s;
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let v = uniform(seeds, i) - uniform(seeds, i);
            put(out, i, v);
        }
    }

    pub fn draw_fields(d: usize, s: &mut Streams) {
        #[omp::target(device(d))]
        for i in 0..s.out.len() {
            s.out[i] += uniform(&mut s.seeds, i);
        }
    }

    #[derive(Clone, Copy, Debug, Default, omp::Device)]
    pub struct V2 { x: f64, y: f64 }

    impl V2 {
        /// The attribute stands on a method alone.
        #[omp::declare_target]
        fn dot(self, o: V2) -> f64 { self.x * o.x + self.y * o.y }
        fn length_on_the_host(self) -> String { format!("{:.1}", self.dot(self).sqrt()) }
    }
    #[omp::declare_target]
    impl V2 {
        /// `Option` and iterators have one of the name.
        fn map(self, f: impl Fn(f64) -> f64) -> V2 { V2 { x: f(self.x), y: f(self.y) } }
    }
    #[omp::declare_target]
    impl std::ops::Sub for V2 {
        type Output = V2;
        fn sub(self, o: V2) -> V2 { V2 { x: self.x - o.x, y: self.y - o.y } }
    }

    pub fn nearest(d: usize, p: &[V2], side: f64) -> Vec<f64> {
        let mut far = vec![0.0; p.len()];
        #[omp::target(device(d))]
        for i in 0..p.len() {
            for q in p {
                let e = (p[i] - *q).map(|x| x - side * (x / side).round());
                far[i] = e.dot(e).max(far[i]);
            }
        }
        far
    }

    pub fn run(d: usize) -> (Vec<f64>, Vec<f64>, Vec<f64>, Vec<f64>) {
        let mut a = Array2::zeros(4, 3);
        a.v.iter_mut().enumerate().for_each(|(k, v)| *v = k as f64 * 0.5);
        let mut next = a.clone();
        a.next(d, &mut next);
        let x: Vec<f64> = (0..10).map(|k| k as f64 - 3.0).collect();
        let mut y = vec![0.0; 4];
        products(d, &a, &x, &mut y);
        let mut s = Streams { out: vec![0.0; 9], seeds: (3..12).collect() };
        draw(d, &mut s);
        draw_fields(d, &mut s);
        let p: Vec<V2> = (0..7).map(|k| V2 { x: k as f64 * 0.75, y: (k * k % 5) as f64 }).collect();
        let mut far = nearest(d, &p, 2.0);
        far.extend(pooled(d, Shape { n: 4, m: 5 }, &[7.5; 20]));
        (next.v, y, s.out, far)
    }
}

#[test]
fn bodies_in_the_place_of_calls() {
    compare!(m, d => m::run(d));
}
