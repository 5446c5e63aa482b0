//! AMG: relaxation with CF points, restriction and interpolation between two levels in CSR.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, PartialEq, Eq, Debug, omp::Device)]
    #[repr(i8)]
    pub enum Mark { Fine = -1, Coarse = 1 }

    pub struct CsrMatrix<T> {
        pub rows: usize,
        pub row_ptr: Vec<usize>,
        pub col: Vec<u32>,
        pub val: Vec<T>,
    }

    pub trait Scalar: omp::Device + Default + PartialEq + std::ops::Mul<Output = Self> + std::ops::Sub<Output = Self> + std::ops::Div<Output = Self> + std::ops::AddAssign {}
    impl Scalar for f32 {}
    impl Scalar for f64 {}

    impl<T: Scalar> CsrMatrix<T> {
        fn from_rows(rows: Vec<Vec<(u32, T)>>) -> Self {
            let mut m = Self { rows: rows.len(), row_ptr: vec![0], col: vec![], val: vec![] };
            for row in rows {
                for (c, v) in row {
                    m.col.push(c);
                    m.val.push(v);
                }
                m.row_ptr.push(m.col.len());
            }
            m
        }

        pub fn spmv(&self, x: &[T], y: &mut [T]) {
            assert_eq!(y.len(), self.rows);
            #[omp::target]
            for (i, y) in y.iter_mut().enumerate() {
                let range = self.row_ptr[i]..self.row_ptr[i + 1];
                let mut sum = T::default();
                for (&c, &v) in self.col[range.clone()].iter().zip(&self.val[range]) {
                    sum += v * x[c as usize];
                }
                *y = sum;
            }
        }

        /// One sweep over the points of one mark, with the old values of the others.
        pub fn relax(&self, marks: &[Mark], points: Mark, f: &[T], u: &mut [T], temp: &mut [T]) {
            #[omp::target]
            for i in 0..self.rows {
                temp[i] = u[i];
            }
            #[omp::target]
            for i in 0..self.rows {
                let diag = self.val[self.row_ptr[i]];
                if marks[i] != points || diag == T::default() {
                    continue;
                }
                let mut res = f[i];
                for jj in self.row_ptr[i] + 1..self.row_ptr[i + 1] {
                    let ii = self.col[jj] as usize;
                    res = res - self.val[jj] * temp[ii];
                }
                u[i] = res / diag;
            }
        }
    }

    pub fn run() -> (Vec<f64>, Vec<f32>) {
        let n = 33u32;
        let row = |i: u32| {
            let mut r = vec![(i, 2.5)];
            if i > 0 { r.push((i - 1, -1.0)) }
            if i + 1 < n { r.push((i + 1, -1.0)) }
            r
        };
        let a = CsrMatrix::from_rows((0..n).map(row).collect());
        let a32 = CsrMatrix::from_rows((0..n).map(|i| row(i).into_iter().map(|(c, v)| (c, v as f32)).collect()).collect());
        let marks: Vec<Mark> = (0..n).map(|i| if i % 2 == 0 { Mark::Coarse } else { Mark::Fine }).collect();
        let f: Vec<f64> = (0..n).map(|i| (i as f64).cos()).collect();
        let f32s: Vec<f32> = f.iter().map(|&v| v as f32).collect();
        let (mut u, mut t) = (vec![0.0; n as usize], vec![0.0; n as usize]);
        let (mut u32s, mut t32) = (vec![0.0f32; n as usize], vec![0.0f32; n as usize]);
        for _ in 0..4 {
            for p in [Mark::Coarse, Mark::Fine] {
                a.relax(&marks, p, &f, &mut u, &mut t);
                a32.relax(&marks, p, &f32s, &mut u32s, &mut t32);
            }
        }
        let mut r = vec![0.0; n as usize];
        a.spmv(&u, &mut r);
        (r, u32s)
    }
}
port!(amg_jacobi: run());
