//! Batched QR by Householder reflections and by Givens rotations; least squares.
use omp_tests::{Values, twice};

twice! {
    #[omp::declare_target]
    fn givens(a: f32, b: f32) -> (f32, f32, f32) {
        if b == 0.0 {
            (1.0, 0.0, a)
        } else if b.abs() > a.abs() {
            let t = a / b;
            let s = (1.0 + t * t).sqrt().recip();
            (s * t, s, b / s)
        } else {
            let t = b / a;
            let c = (1.0 + t * t).sqrt().recip();
            (c, c * t, a / c)
        }
    }

    pub fn givens_qr(a: &mut [f32], b: &mut [f32], rows: usize, cols: usize, batch: usize) {
        #[omp::target]
        for s in 0..batch {
            let m = &mut a[s * rows * cols..(s + 1) * rows * cols];
            let rhs = &mut b[s * rows..(s + 1) * rows];
            for j in 0..cols {
                for i in (j + 1..rows).rev() {
                    let (c, sn, r) = givens(m[(i - 1) * cols + j], m[i * cols + j]);
                    m[(i - 1) * cols + j] = r;
                    m[i * cols + j] = 0.0;
                    for k in j + 1..cols {
                        let (x, y) = (m[(i - 1) * cols + k], m[i * cols + k]);
                        m[(i - 1) * cols + k] = c * x + sn * y;
                        m[i * cols + k] = -sn * x + c * y;
                    }
                    let (x, y) = (rhs[i - 1], rhs[i]);
                    rhs[i - 1] = c * x + sn * y;
                    rhs[i] = c * y - sn * x;
                }
            }
            for i in (0..cols).rev() {
                let mut t = rhs[i];
                for k in i + 1..cols {
                    t -= m[i * cols + k] * rhs[k];
                }
                rhs[i] = t / m[i * cols + i];
            }
        }
    }

    pub fn householder(a: &mut [f32], tau: &mut [f32], rows: usize, cols: usize) {
        for (tau, a) in tau.chunks_mut(cols).zip(a.chunks_mut(rows * cols)) {
            for j in 0..cols {
                let mut norm = 0.0f32;
                #[omp::target(reduction(+: norm))]
                for i in j..rows {
                    norm += a[i * cols + j] * a[i * cols + j];
                }
                let norm = norm.sqrt();
                let alpha = if a[j * cols + j] > 0.0 { -norm } else { norm };
                let v0 = a[j * cols + j] - alpha;
                tau[j] = -v0 / alpha;
                a[j * cols + j] = alpha;
                #[omp::target]
                for i in j + 1..rows {
                    a[i * cols + j] /= v0;
                }
                let t = tau[j];
                #[omp::target]
                for k in j + 1..cols {
                    let mut dot = a[j * cols + k];
                    for i in j + 1..rows {
                        dot += a[i * cols + j] * a[i * cols + k];
                    }
                    a[j * cols + k] -= t * dot;
                    for i in j + 1..rows {
                        a[i * cols + k] -= t * dot * a[i * cols + j];
                    }
                }
            }
        }
    }

    pub fn run() -> (Vec<f32>, Vec<f32>, Vec<f32>) {
        let (rows, cols, batch) = (7, 4, 6);
        let mut v = Values(101);
        let a: Vec<f32> = (0..rows * cols * batch).map(|_| v.bits() as f32 / 1e9 - 1.5).collect();
        let mut b: Vec<f32> = (0..rows * batch).map(|_| v.bits() as f32 / 1e9).collect();
        let mut first = a.clone();
        givens_qr(&mut first, &mut b, rows, cols, batch);
        let mut second = a;
        let mut tau = vec![0.0; cols * batch];
        householder(&mut second, &mut tau, rows, cols);
        (b, second, tau)
    }
}
port!(givens_qr: run());
