//! Tucker compression: n-mode products of a third-order tensor through strided views.
use omp_tests::twice;

twice! {
    use std::ops::{Add, AddAssign, Index, IndexMut, Mul, Sub};

    #[omp::declare_target]
    pub trait Float: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + AddAssign {
        const ZERO: Self;
        fn to_f64(self) -> f64;
    }
    #[omp::declare_target]
    impl Float for f32 {
        const ZERO: Self = 0.0;
        fn to_f64(self) -> f64 { self.into() }
    }
    #[omp::declare_target]
    impl Float for f64 {
        const ZERO: Self = 0.0;
        fn to_f64(self) -> f64 { self }
    }

    /// A matrix that somebody else owns.
    #[derive(Clone, Copy)]
    pub struct MatRef<'a, T> {
        data: &'a [T],
        rows: usize,
        cols: usize,
        row_stride: usize,
        col_stride: usize,
    }
    #[omp::declare_target]
    impl<'a, T: Float> MatRef<'a, T> {
        pub fn new(data: &'a [T], rows: usize, cols: usize) -> Self {
            MatRef { data, rows, cols, row_stride: cols, col_stride: 1 }
        }
        pub fn t(self) -> Self {
            MatRef {
                data: self.data,
                rows: self.cols,
                cols: self.rows,
                row_stride: self.col_stride,
                col_stride: self.row_stride,
            }
        }
        pub fn row(&self, r: usize) -> impl Iterator<Item = T> + 'a {
            let (data, stride) = (self.data, self.col_stride);
            data[r * self.row_stride..].iter().step_by(stride).take(self.cols).copied()
        }
    }

    #[derive(Clone, Copy)]
    pub struct View3<'a, T> {
        data: &'a [T],
        dims: [usize; 3],
        strides: [usize; 3],
    }
    #[omp::declare_target]
    impl<'a, T: Float> View3<'a, T> {
        pub fn permuted(self, axes: [usize; 3]) -> Self {
            View3 {
                data: self.data,
                dims: axes.map(|a| self.dims[a]),
                strides: axes.map(|a| self.strides[a]),
            }
        }
    }
    #[omp::declare_target]
    impl<'a, T: Float> Index<[usize; 3]> for View3<'a, T> {
        type Output = T;
        fn index(&self, at: [usize; 3]) -> &T {
            let [p, q, r] = self.strides;
            &self.data[at[0] * p + at[1] * q + at[2] * r]
        }
    }

    pub struct View3Mut<'a, T> {
        data: &'a mut [T],
        strides: [usize; 3],
    }
    impl<'a, T: Float> View3Mut<'a, T> {
        pub fn permuted(self, axes: [usize; 3]) -> Self {
            View3Mut { strides: axes.map(|a| self.strides[a]), data: self.data }
        }
    }
    #[omp::declare_target]
    impl<'a, T: Float> Index<[usize; 3]> for View3Mut<'a, T> {
        type Output = T;
        fn index(&self, [i, j, k]: [usize; 3]) -> &T {
            &self.data[i * self.strides[0] + j * self.strides[1] + k * self.strides[2]]
        }
    }
    #[omp::declare_target]
    impl<'a, T: Float> IndexMut<[usize; 3]> for View3Mut<'a, T> {
        fn index_mut(&mut self, [i, j, k]: [usize; 3]) -> &mut T {
            &mut self.data[i * self.strides[0] + j * self.strides[1] + k * self.strides[2]]
        }
    }

    #[derive(Clone, Debug, PartialEq, omp::Mapper)]
    pub struct Tensor3<T> {
        dims: [usize; 3],
        data: Vec<T>,
    }
    impl<T: Float + omp::Device> Tensor3<T> {
        pub fn zeros(dims: [usize; 3]) -> Self {
            Tensor3 { dims, data: vec![T::ZERO; dims.iter().product()] }
        }
        pub fn from_fn(dims: [usize; 3], f: impl Fn(usize, usize, usize) -> T) -> Self {
            let [_, b, c] = dims;
            let len: usize = dims.iter().product();
            Tensor3 { dims, data: (0..len).map(|n| f(n / (b * c), n / c % b, n % c)).collect() }
        }
        fn strides(&self) -> [usize; 3] { [self.dims[1] * self.dims[2], self.dims[2], 1] }
        pub fn view(&self) -> View3<'_, T> {
            View3 { data: &self.data, dims: self.dims, strides: self.strides() }
        }
        pub fn view_mut(&mut self) -> View3Mut<'_, T> {
            View3Mut { strides: self.strides(), data: &mut self.data }
        }
        pub fn as_slice(&self) -> &[T] { &self.data }

        /// `self x_mode u`: every fibre along `mode` is multiplied by the matrix.
        pub fn mode_product(&self, u: MatRef<'_, T>, mode: usize) -> Tensor3<T> {
            assert_eq!(u.cols, self.dims[mode]);
            let axes = match mode {
                0 => [0, 1, 2],
                1 => [1, 0, 2],
                _ => [2, 0, 1],
            };
            let mut dims = self.dims;
            dims[mode] = u.rows;
            let mut out = Tensor3::zeros(dims);
            let x = self.view().permuted(axes);
            #[allow(unused_mut, reason = "a region writes through the slice in it")]
            let mut y = out.view_mut().permuted(axes);
            let [_, nj, nk] = x.dims;
            #[omp::target(collapse(3))]
            for r in 0..u.rows {
                for j in 0..nj {
                    for k in 0..nk {
                        let mut acc = T::ZERO;
                        for (i, w) in u.row(r).enumerate() {
                            acc += w * x[[i, j, k]];
                        }
                        y[[r, j, k]] = acc;
                    }
                }
            }
            out
        }

        pub fn distance(&self, other: &Tensor3<T>) -> f64 {
            let mut sum = 0.0;
            #[omp::target(reduction(+: sum))]
            for (&a, &b) in self.data.iter().zip(&other.data) {
                let e = (a - b).to_f64();
                sum += e * e;
            }
            sum.sqrt()
        }
    }

    /// The core tensor for orthonormal factors, and the error of its expansion.
    pub fn tucker<T: Float + omp::Device>(x: &Tensor3<T>, factors: [MatRef<'_, T>; 3]) -> (Tensor3<T>, f64) {
        let mut core = x.clone();
        for (mode, u) in factors.iter().enumerate() {
            core = core.mode_product(u.t(), mode);
        }
        let mut back = core.clone();
        for (mode, &u) in factors.iter().enumerate() {
            back = back.mode_product(u, mode);
        }
        let error = back.distance(x);
        (core, error)
    }
}
port!(mode_products: crate::Shown::of({
    let dct = |n: usize, rank: usize| -> Vec<f64> {
        (0..n * rank).map(|e| {
            let (i, k) = (e / rank, e % rank);
            let scale = if k == 0 { (1.0 / n as f64).sqrt() } else { (2.0 / n as f64).sqrt() };
            scale * (std::f64::consts::PI * (i as f64 + 0.5) * k as f64 / n as f64).cos()
        }).collect()
    };
    let x = Tensor3::from_fn([12, 9, 14], |i, j, k| {
        1.0 / (1.0 + i as f64 + 0.5 * j as f64) + 0.01 * ((j * k) % 5) as f64
    });
    let (u, v, w) = (dct(12, 5), dct(9, 4), dct(14, 6));
    let (core, error) = tucker(&x, [
        MatRef::new(&u, 12, 5), MatRef::new(&v, 9, 4), MatRef::new(&w, 14, 6),
    ]);
    let core: Vec<i64> = core.as_slice().iter().map(|c| (c * 1e7).round() as i64).collect();
    (core, (error * 1e6).round())
}));
