//! HPCCG: conjugate gradients with an operator behind a trait.
use omp_tests::twice;

twice! {
    #[derive(omp::Mapper)]
    pub struct CsrMatrix { row_start: Vec<usize>, cols: Vec<u32>, vals: Vec<f64> }

    impl CsrMatrix {
        pub fn rows(&self) -> usize { self.row_start.len() - 1 }
        fn row(&self, i: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
            let range = self.row_start[i]..self.row_start[i + 1];
            self.cols[range.clone()].iter().map(|&c| c as usize).zip(self.vals[range].iter().copied())
        }
        fn laplace(nx: usize, ny: usize) -> Self {
            let (mut row_start, mut cols, mut vals) = (vec![0], vec![], vec![]);
            for y in 0..ny as i32 {
                for x in 0..nx as i32 {
                    for (dx, dy) in [(0, -1), (-1, 0), (0, 0), (1, 0), (0, 1)] {
                        let (cx, cy) = (x + dx, y + dy);
                        if (0..nx as i32).contains(&cx) && (0..ny as i32).contains(&cy) {
                            cols.push((cy * nx as i32 + cx) as u32);
                            vals.push(if dx == 0 && dy == 0 { 4.5 } else { -1.0 });
                        }
                    }
                    row_start.push(cols.len());
                }
            }
            Self { row_start, cols, vals }
        }
    }

    pub trait Operator {
        fn apply(&self, x: &[f64], y: &mut [f64]);
        fn diagonal(&self, d: &mut [f64]);
    }

    impl Operator for CsrMatrix {
        fn apply(&self, x: &[f64], y: &mut [f64]) {
            #[omp::target]
            for i in 0..self.rows() {
                y[i] = self.row(i).map(|(c, v)| v * x[c]).sum();
            }
        }
        fn diagonal(&self, d: &mut [f64]) {
            #[omp::target]
            for (i, d) in d.iter_mut().enumerate() {
                *d = self.row(i).find(|&(c, _)| c == i).map_or(1.0, |(_, v)| v);
            }
        }
    }

    fn dot(a: &[f64], b: &[f64]) -> f64 {
        let mut s = 0.0;
        #[omp::target(reduction(+: s))]
        for (a, b) in a.iter().zip(b) { s += a * b; }
        s
    }

    fn axpby(alpha: f64, x: &[f64], beta: f64, y: &mut [f64]) {
        #[omp::target]
        for (y, x) in y.iter_mut().zip(x) { *y = alpha * x + beta * *y; }
    }

    pub fn cg<A: Operator>(a: &A, b: &[f64], tol: f64, max_iter: usize) -> (Vec<f64>, usize) {
        let n = b.len();
        let (mut x, mut r, mut ap, mut d) = (vec![0.0; n], b.to_vec(), vec![0.0; n], vec![0.0; n]);
        a.diagonal(&mut d);
        let mut z: Vec<f64> = r.iter().zip(&d).map(|(r, d)| r / d).collect();
        let mut p = z.clone();
        let mut rz = dot(&r, &z);
        for k in 0..max_iter {
            a.apply(&p, &mut ap);
            let alpha = rz / dot(&p, &ap);
            axpby(alpha, &p, 1.0, &mut x);
            axpby(-alpha, &ap, 1.0, &mut r);
            if dot(&r, &r).sqrt() < tol { return (x, k); }
            #[omp::target]
            for i in 0..n { z[i] = r[i] / d[i]; }
            let next = dot(&r, &z);
            axpby(1.0, &z, next / rz, &mut p);
            rz = next;
        }
        (x, max_iter)
    }
    pub fn run() -> (Vec<f64>, usize) {
        let a = CsrMatrix::laplace(9, 7);
        let b: Vec<f64> = (0..63).map(|i| (i % 5) as f64).collect();
        cg(&a, &b, 1e-8, 12)
    }
}
port!(hpccg: run());
