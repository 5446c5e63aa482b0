//! HPCG: a symmetric Gauss-Seidel sweep by colours.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, PartialEq, Eq)]
    enum Direction { Forward, Backward }

    pub struct EllMatrix { width: usize, cols: Vec<i32>, vals: Vec<f64>, diag: Vec<f64> }

    impl EllMatrix {
        fn row(&self, i: usize) -> (&[i32], &[f64]) {
            let r = i * self.width..(i + 1) * self.width;
            (&self.cols[r.clone()], &self.vals[r])
        }
        fn poisson(n: usize) -> Self {
            let (mut cols, mut vals) = (vec![], vec![]);
            for i in 0..n * n {
                let (x, y) = (i % n, i / n);
                let at = |ok: bool, j: isize| if ok { j as i32 } else { -1 };
                let i = i as isize;
                cols.extend([at(x > 0, i - 1), at(x + 1 < n, i + 1), at(y > 0, i - n as isize), at(y + 1 < n, i + n as isize)]);
                vals.extend([-1.0; 4]);
            }
            Self { width: 4, cols, vals, diag: vec![4.0; n * n] }
        }
    }

    fn sweep(a: &EllMatrix, colour: &[u8], colours: u8, b: &[f64], x: &mut [f64], dir: Direction) {
        for c in 0..colours {
            let c = if dir == Direction::Forward { c } else { colours - 1 - c };
            #[omp::target(disjoint(x))]
            for i in 0..b.len() {
                if colour[i] != c { continue; }
                let (cols, vals) = a.row(i);
                let mut sum = b[i];
                for (&j, &v) in cols.iter().zip(vals) {
                    if j >= 0 { sum -= v * x[j as usize]; }
                }
                x[i] = sum / a.diag[i];
            }
        }
    }

    pub fn symgs(a: &EllMatrix, colour: &[u8], b: &[f64], x: &mut [f64]) {
        for dir in [Direction::Forward, Direction::Backward] {
            sweep(a, colour, 2, b, x, dir);
        }
    }
    pub fn run() -> Vec<f64> {
        let n = 8;
        let a = EllMatrix::poisson(n);
        let colour: Vec<u8> = (0..n * n).map(|i| ((i % n + i / n) % 2) as u8).collect();
        let b: Vec<f64> = (0..n * n).map(|i| 1.0 + (i % 3) as f64).collect();
        let mut x = vec![0.0; n * n];
        for _ in 0..3 { symgs(&a, &colour, &b, &mut x); }
        x
    }
}
port!(coloured_symgs: run());
