//! BabelStream as a struct behind a trait of the author's, with all five kernels.
use omp_tests::twice;

twice! {
    pub struct Stream<T> { a: Vec<T>, b: Vec<T>, c: Vec<T> }

    const SCALAR: f64 = 0.4;

    impl Stream<f64> {
        pub fn new(n: usize) -> Self { Stream { a: vec![0.1; n], b: vec![0.2; n], c: vec![0.0; n] } }
        pub fn copy(&mut self) {
            #[omp::target]
            for (c, a) in self.c.iter_mut().zip(&self.a) { *c = *a; }
        }
        pub fn mul(&mut self) {
            #[omp::target]
            for (b, &c) in self.b.iter_mut().zip(self.c.iter()) { *b = SCALAR * c; }
        }
        pub fn add(&mut self) {
            #[omp::target]
            for i in 0..self.a.len() { self.c[i] = self.a[i] + self.b[i]; }
        }
        pub fn triad(&mut self) {
            let Stream { a, b, c } = self;
            #[omp::target]
            for ((a, b), c) in a.iter_mut().zip(b.iter()).zip(c.iter()) { *a = b + SCALAR * c; }
        }
        pub fn nstream(&mut self) {
            #[omp::target]
            for i in 0..self.a.len() { self.a[i] += self.b[i] + SCALAR * self.c[i]; }
        }
        pub fn dot(&self) -> f64 {
            let mut sum = 0.0;
            #[omp::target(reduction(+: sum))]
            for (a, b) in self.a.iter().zip(self.b.iter()) { sum += a * b; }
            sum
        }
    }

    pub fn run() -> (Vec<f64>, f64) {
        let mut s = Stream::new(1000);
        for _ in 0..2 {
            s.copy(); s.mul(); s.add(); s.triad(); s.nstream();
        }
        let d = s.dot();
        (s.a, d)
    }
}
port!(babelstream: run());
