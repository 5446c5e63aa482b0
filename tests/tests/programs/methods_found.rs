//! Loops and methods of one module, with an attribute each: the loop's macro finds the methods in the source. All devices, against
//! values that are known.
#![allow(clippy::all, clippy::pedantic, missing_docs, dead_code)]

/// Methods in another `impl` than the loop.
mod matrix_get_free {
    #[derive(Clone, omp::Mapper)]
    pub struct Matrix {
        pub rows: usize,
        pub cols: usize,
        pub data: Vec<f64>,
    }
    #[omp::declare_target]
    impl Matrix {
        pub fn get(&self, i: usize, j: usize) -> f64 {
            self.data[i * self.cols + j]
        }
        pub fn set(&mut self, i: usize, j: usize, v: f64) {
            self.data[i * self.cols + j] = v;
        }
        pub fn rows(&self) -> usize {
            self.rows
        }
        pub fn cols(&self) -> usize {
            self.cols
        }
    }
    #[omp::offload]
    pub fn multiply(a: &Matrix, b: &Matrix, c: &mut Matrix) {
        #[omp::target(collapse(2))]
        for i in 0..a.rows() {
            for j in 0..b.cols() {
                let mut sum = 0.0;
                for k in 0..a.cols() {
                    sum += a.get(i, k) * b.get(k, j);
                }
                c.set(i, j, sum);
            }
        }
    }
    pub fn run() -> Vec<f64> {
        let a = Matrix { rows: 5, cols: 4, data: (0..20).map(|k| k as f64).collect() };
        let b = Matrix { rows: 4, cols: 6, data: (0..24).map(|k| 1.0 + k as f64).collect() };
        let mut c = Matrix { rows: 5, cols: 6, data: vec![0.0; 30] };
        multiply(&a, &b, &mut c);
        c.data
    }

    #[test]
    fn runs() {
        omp_tests::on_every_device(|d| {
            omp::set_default_device(d);
            let element =
                |i: usize, j: usize| (0..4).map(|k| (i * 4 + k) as f64 * (1 + k * 6 + j) as f64).sum::<f64>();
            let want: Vec<f64> = (0..30).map(|n| element(n / 6, n % 6)).collect();
            let got = { run() };
            assert_eq!(got, want, "device {d}");
        });
    }
}

/// A row of a sparse matrix.
mod csr_row {
    #[derive(omp::Mapper)]
    pub struct Csr {
        pub row_ptr: Vec<usize>,
        pub cols: Vec<usize>,
        pub vals: Vec<f64>,
    }
    #[omp::declare_target]
    impl Csr {
        fn rows(&self) -> usize {
            self.row_ptr.len() - 1
        }
        fn row_dot(&self, i: usize, x: &[f64]) -> f64 {
            let mut sum = 0.0;
            for k in self.row_ptr[i]..self.row_ptr[i + 1] {
                sum += self.vals[k] * x[self.cols[k]];
            }
            sum
        }
    }
    #[omp::offload]
    pub fn jacobi(a: &Csr, diag: &[f64], b: &[f64], x: &[f64], next: &mut [f64]) {
        #[omp::target(fp(strict))]
        for i in 0..a.rows() {
            next[i] = (b[i] - a.row_dot(i, x)) / diag[i];
        }
    }

    #[test]
    fn runs() {
        omp_tests::on_every_device(|d| {
            omp::set_default_device(d);
            let want = [-2.0, -0.5, -5.0];
            let got = {
                let c = Csr {
                    row_ptr: vec![0, 2, 3, 5],
                    cols: vec![0, 1, 1, 0, 2],
                    vals: vec![1.0, 2.0, 3.0, 4.0, 5.0],
                };
                let mut y = vec![0.0; 3];
                jacobi(&c, &[2.0; 3], &[1.0, 5.0, 9.0], &[1.0, 2.0, 3.0], &mut y);
                y
            };
            assert_eq!(got, want, "device {d}");
        });
    }
}

/// Interpolation in a table, the attribute on the method.
mod lookup_table {
    #[derive(omp::Mapper)]
    pub struct Table {
        xs: Vec<f64>,
        ys: Vec<f64>,
        x0: f64,
        inv_dx: f64,
    }
    impl Table {
        pub fn new(n: usize) -> Self {
            Table {
                xs: (0..n).map(|k| k as f64 * 0.5).collect(),
                ys: (0..n).map(|k| (k * k) as f64).collect(),
                x0: 0.0,
                inv_dx: 2.0,
            }
        }
        #[omp::declare_target]
        pub fn eval(&self, x: f64) -> f64 {
            let k = (((x - self.x0) * self.inv_dx) as usize).min(self.xs.len() - 2);
            let t = (x - self.xs[k]) * self.inv_dx;
            self.ys[k] * (1.0 - t) + self.ys[k + 1] * t
        }
    }
    #[omp::offload]
    pub fn apply(table: &Table, v: &mut [f64]) {
        #[omp::target(fp(strict))]
        for x in v.iter_mut() {
            *x = table.eval(*x);
        }
    }

    #[test]
    fn runs() {
        omp_tests::on_every_device(|d| {
            omp::set_default_device(d);
            let at = |x: f64| {
                let k = (x * 2.0) as usize;
                let t = (x - k as f64 * 0.5) * 2.0;
                (k * k) as f64 * (1.0 - t) + ((k + 1) * (k + 1)) as f64 * t
            };
            let want = [0.1, 0.7, 1.9, 3.3].map(at);
            let got = {
                let t = Table::new(9);
                let mut v = [0.1, 0.7, 1.9, 3.3];
                apply(&t, &mut v);
                v
            };
            assert_eq!(got, want, "device {d}");
        });
    }
}

/// A function that is handed a matrix.
mod device_fn_matrix {
    #[derive(omp::Mapper)]
    pub struct Matrix {
        pub rows: usize,
        pub cols: usize,
        pub data: Vec<f64>,
    }
    #[omp::declare_target]
    fn row_sum(m: &Matrix, i: usize) -> f64 {
        let mut s = 0.0;
        for j in 0..m.cols {
            s += m.data[i * m.cols + j];
        }
        s
    }
    #[omp::offload]
    pub fn sums(m: &Matrix, out: &mut [f64]) {
        #[omp::target(fp(strict))]
        for i in 0..m.rows {
            out[i] = row_sum(m, i);
        }
    }

    #[test]
    fn runs() {
        omp_tests::on_every_device(|d| {
            omp::set_default_device(d);
            let want = [10.0, 35.0, 60.0, 85.0];
            let got = {
                let q = Matrix { rows: 4, cols: 5, data: (0..20).map(|k| k as f64).collect() };
                let mut o = vec![0.0; 4];
                sums(&q, &mut o);
                o
            };
            assert_eq!(got, want, "device {d}");
        });
    }
}

/// Tasks over `m[(i, j)]`.
mod tasks_update {
    use std::ops::{Index, IndexMut};
    #[derive(omp::Mapper)]
    pub struct Matrix {
        pub rows: usize,
        pub cols: usize,
        pub data: Vec<f64>,
    }
    #[omp::declare_target]
    impl Index<(usize, usize)> for Matrix {
        type Output = f64;
        fn index(&self, (i, j): (usize, usize)) -> &f64 {
            &self.data[i * self.cols + j]
        }
    }
    #[omp::declare_target]
    impl IndexMut<(usize, usize)> for Matrix {
        fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
            &mut self.data[i * self.cols + j]
        }
    }
    #[omp::offload]
    pub fn run(a: &mut Matrix, b: &mut Matrix) {
        #[omp::target(nowait)]
        for i in 0..a.rows {
            for j in 0..a.cols {
                a.data[i * a.cols + j] += 1.0;
            }
        }
        #[omp::target(nowait)]
        for i in 0..b.rows {
            for j in 0..b.cols {
                b.data[i * b.cols + j] *= 2.0;
            }
        }
    }
    #[omp::offload]
    pub fn tasks(a: &mut Matrix) {
        #[omp::target(nowait)]
        for i in 0..a.rows {
            for j in 0..a.cols {
                a[(i, j)] += 1.0;
            }
        }
    }

    #[test]
    fn runs() {
        omp_tests::on_every_device(|d| {
            omp::set_default_device(d);
            let want: (Vec<f64>, Vec<f64>) = (0..20).map(|k| (k as f64 + 2.0, 2.0 * k as f64)).unzip();
            let got = {
                let mk = || Matrix { rows: 4, cols: 5, data: (0..20).map(|k| k as f64).collect() };
                let (mut a, mut b) = (mk(), mk());
                run(&mut a, &mut b);
                tasks(&mut a);
                (a.data, b.data)
            };
            assert_eq!(got, want, "device {d}");
        });
    }
}

/// A tree in arrays.
mod octree {
    #[derive(omp::Mapper)]
    pub struct Octree {
        pub children: Vec<[i32; 8]>,
        pub mass: Vec<f32>,
        pub depth: u32,
    }
    #[omp::declare_target]
    impl Octree {
        pub fn find(&self, x: f32, y: f32, z: f32) -> usize {
            let (mut node, mut cx, mut cy, mut cz, mut h) = (0usize, 0.5f32, 0.5f32, 0.5f32, 0.25f32);
            for _ in 0..self.depth {
                let o = (x > cx) as usize | ((y > cy) as usize) << 1 | ((z > cz) as usize) << 2;
                let next = self.children[node][o];
                if next < 0 {
                    break;
                }
                node = next as usize;
                cx += if x > cx { h } else { -h };
                cy += if y > cy { h } else { -h };
                cz += if z > cz { h } else { -h };
                h *= 0.5;
            }
            node
        }
    }
    #[omp::offload]
    pub fn lookup(tree: &Octree, px: &[f32], out: &mut [f32]) {
        #[omp::target]
        for i in 0..px.len() {
            let n = tree.find(px[i], 0.3, 0.8);
            out[i] = tree.mass[n];
        }
    }

    #[test]
    fn runs() {
        omp_tests::on_every_device(|d| {
            omp::set_default_device(d);
            let want = [5.0, 5.0, 6.0, 6.0];
            let got = {
                let mut children = vec![[-1i32; 8]; 9];
                for k in 0..8 {
                    children[0][k] = k as i32 + 1;
                }
                let t = Octree { children, mass: (0..9).map(|k| k as f32).collect(), depth: 3 };
                let px = [0.1, 0.4, 0.6, 0.9];
                let mut out = [0.0; 4];
                lookup(&t, &px, &mut out);
                out
            };
            assert_eq!(got, want, "device {d}");
        });
    }
}
