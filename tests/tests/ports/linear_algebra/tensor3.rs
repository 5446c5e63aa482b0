//! Tensor contraction with a generic rank-3 tensor type over floats; mode products.
use omp_tests::twice;

twice! {
    use std::ops::{Add, Mul};

    pub trait Scalar: Copy + Default + Add<Output = Self> + Mul<Output = Self> + omp::Device {}
    impl Scalar for f32 {}
    impl Scalar for f64 {}

    #[derive(Clone)]
    pub struct Tensor3<T> {
        dims: [usize; 3],
        data: Vec<T>,
    }

    impl<T: Scalar> Tensor3<T> {
        fn from_fn(dims: [usize; 3], f: impl Fn(usize) -> T) -> Self {
            Tensor3 { dims, data: (0..dims.iter().product()).map(f).collect() }
        }
        fn index(&self, i: usize, j: usize, k: usize) -> usize {
            (i * self.dims[1] + j) * self.dims[2] + k
        }
        fn at(&self, i: usize, j: usize, k: usize) -> T {
            self.data[self.index(i, j, k)]
        }

        #[omp::offload]
        fn mode1(&self, m: &[T], rows: usize) -> Tensor3<T> {
            let [d0, d1, d2] = self.dims;
            let mut out = Tensor3 { dims: [rows, d1, d2], data: vec![T::default(); rows * d1 * d2] };
            #[omp::target(collapse(3))]
            for r in 0..rows {
                for j in 0..d1 {
                    for k in 0..d2 {
                        let mut sum = T::default();
                        for i in 0..d0 {
                            sum = sum + m[r * d0 + i] * self.at(i, j, k);
                        }
                        let o = out.index(r, j, k);
                        out.data[o] = sum;
                    }
                }
            }
            out
        }
    }

    #[omp::offload]
    pub fn contract<T: Scalar>(a: &Tensor3<T>, b: &Tensor3<T>) -> Vec<T> {
        let [m, p, q] = a.dims;
        let n = b.dims[2];
        let mut c = vec![T::default(); m * n];
        #[omp::target]
        for (idx, c) in c.iter_mut().enumerate() {
            let (i, j) = (idx / n, idx % n);
            for x in 0..p {
                for y in 0..q {
                    *c = *c + a.at(i, x, y) * b.at(x, y, j);
                }
            }
        }
        c
    }

    pub fn run(n: usize) -> Vec<f64> {
        let n = n.min(20);
        let a = Tensor3::<f64>::from_fn([n, 3, 4], |i| (i % 7) as f64 * 0.5);
        let b = Tensor3::from_fn([3, 4, n], |i| (i % 5) as f64 - 1.0);
        let m: Vec<f64> = (0..6 * n).map(|i| (i % 3) as f64).collect();
        let t = a.mode1(&m, 6);
        let f = Tensor3::<f32>::from_fn([n, 3, 4], |i| (i % 3) as f32);
        let g = Tensor3::<f32>::from_fn([3, 4, n], |i| (i % 4) as f32);
        contract(&a, &b).into_iter().chain(t.data).chain(contract(&f, &g).into_iter().map(f64::from)).collect()
    }
}
port!(tensor3: (run(0), run(1), run(7)));
