//! Batches of small symmetric eigenproblems by cyclic Jacobi rotations.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Sym<const N: usize> { a: [[f64; N]; N] }

    #[omp::declare_target]
    impl<const N: usize> Sym<N> {
        fn off(&self) -> f64 {
            let mut s = 0.0;
            for i in 0..N {
                for j in (0..N).filter(|&j| j != i) { s += self.a[i][j].powi(2); }
            }
            s
        }
        fn rotate(&mut self, p: usize, q: usize) {
            let apq = self.a[p][q];
            if apq.abs() < 1e-300 { return; }
            let theta = (self.a[q][q] - self.a[p][p]) / (2.0 * apq);
            let t = theta.signum() / (theta.abs() + theta.hypot(1.0));
            let c = 1.0 / t.hypot(1.0);
            let s = t * c;
            for k in 0..N {
                let (akp, akq) = (self.a[k][p], self.a[k][q]);
                self.a[k][p] = c * akp - s * akq;
                self.a[k][q] = s * akp + c * akq;
            }
            for k in 0..N {
                let (apk, aqk) = (self.a[p][k], self.a[q][k]);
                self.a[p][k] = c * apk - s * aqk;
                self.a[q][k] = s * apk + c * aqk;
            }
        }
        fn diagonal(&self) -> [f64; N] { std::array::from_fn(|i| self.a[i][i]) }
    }

    #[omp::declare_target]
    fn sort<const N: usize>(mut v: [f64; N]) -> [f64; N] {
        for i in 1..N {
            let mut j = i;
            while j > 0 && v[j - 1] > v[j] {
                v.swap(j - 1, j);
                j -= 1;
            }
        }
        v
    }

    pub fn solve<const N: usize>(batch: &mut [Sym<N>], sweeps: usize) -> Vec<[f64; N]> {
        let mut values = vec![[0.0; N]; batch.len()];
        #[omp::target]
        for (m, out) in batch.iter_mut().zip(values.iter_mut()) {
            'sweeps: for _ in 0..sweeps {
                if m.off() < 1e-20 { break 'sweeps; }
                for p in 0..N - 1 {
                    for q in p + 1..N { m.rotate(p, q); }
                }
            }
            *out = sort(m.diagonal());
        }
        values
    }
    pub fn run() -> Vec<[f64; 4]> {
        let mut b: Vec<Sym<4>> = (0..15).map(|k| Sym { a: std::array::from_fn(|i| std::array::from_fn(|j| if i == j { (k + i) as f64 } else { 1.0 / (1 + i + j) as f64 })) }).collect();
        solve(&mut b, 12)
    }
}
port!(jacobi_eig: run());
