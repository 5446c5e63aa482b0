//! Matrix product states: contractions with const bond dimensions, transfer matrices by a scan of a declared operator.
use omp_tests::twice;
twice! {
    use std::ops::{Index, IndexMut, Mul};

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Matrix<const R: usize, const C: usize>([[f64; C]; R]);

    #[omp::declare_target]
    impl<const R: usize, const C: usize> Matrix<R, C> {
        pub fn zero() -> Self { Matrix([[0.0; C]; R]) }
        pub fn transpose(&self) -> Matrix<C, R> {
            let mut t = Matrix::<C, R>::zero();
            for i in 0..R {
                for j in 0..C {
                    t.0[j][i] = self.0[i][j];
                }
            }
            t
        }
        pub fn frobenius(&self) -> f64 { self.0.iter().flatten().map(|x| x * x).sum::<f64>().sqrt() }
        pub fn scaled(mut self, k: f64) -> Self {
            for x in self.0.iter_mut().flatten() {
                *x *= k;
            }
            self
        }
    }

    #[omp::declare_target]
    impl<const R: usize, const K: usize, const C: usize> Mul<Matrix<K, C>> for Matrix<R, K> {
        type Output = Matrix<R, C>;
        fn mul(self, o: Matrix<K, C>) -> Matrix<R, C> {
            let mut out = Matrix::<R, C>::zero();
            for (row, a) in out.0.iter_mut().zip(self.0.iter()) {
                for (j, cell) in row.iter_mut().enumerate() {
                    *cell = a.iter().enumerate().map(|(k, x)| x * o.0[k][j]).sum();
                }
            }
            out
        }
    }

    pub const D: usize = 3;
    pub type Bond = Matrix<D, D>;

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Site { up: Bond, down: Bond }

    #[omp::declare_target]
    impl Site {
        fn of(&self, spin: bool) -> Bond { if spin { self.up } else { self.down } }
        /// One step of the environment to the right.
        fn absorb(&self, environment: Bond) -> Bond {
            [self.up, self.down]
                .iter()
                .map(|a| a.transpose() * environment * *a)
                .reduce(|mut acc, m| {
                    for (x, y) in acc.0.iter_mut().flatten().zip(m.0.iter().flatten()) {
                        *x += y;
                    }
                    acc
                })
                .unwrap()
        }
    }

    pub fn amplitudes(chain: &[Site]) -> Vec<f64> {
        let n = chain.len();
        let mut out = vec![0.0; 1 << n];
        #[omp::target]
        for (state, amplitude) in out.iter_mut().enumerate() {
            let mut left = Matrix::<1, D>([[1.0, 0.0, 0.0]]);
            for (k, site) in chain.iter().enumerate() {
                left = left * site.of(state >> k & 1 != 0);
            }
            *amplitude = left.0[0].iter().sum();
        }
        out
    }

    pub fn norms(chains: &[Site], length: usize) -> Vec<(f64, f64)> {
        let mut out = vec![(0.0, 0.0); chains.len() / length];
        #[omp::target]
        for (slot, chain) in out.iter_mut().zip(chains.chunks(length)) {
            let start = Matrix(std::array::from_fn(|i| std::array::from_fn(|j| if i == j { 1.0 } else { 0.0 })));
            let mut log_scale = 0.0;
            let end = chain.iter().fold(start, |e, site| {
                let next = site.absorb(e);
                let f = next.frobenius();
                log_scale += f.ln();
                next.scaled(1.0 / f)
            });
            *slot = (end.0[0][0], log_scale);
        }
        out
    }

    #[omp::declare_reduction(product: Bond, identity = Matrix([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]))]
    fn product(a: Bond, b: Bond) -> Bond { a * b }

    pub fn trace_of_product(chain: &[Site]) -> f64 {
        let mut p = Matrix([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
        #[omp::target(reduction(product: p))]
        for site in chain.iter() {
            p = product(p, site.up);
        }
        (0..D).map(|i| p.0[i][i]).sum()
    }

    pub fn run() -> (Vec<f64>, Vec<(f64, f64)>, f64) {
        let m = |s: usize| Matrix(std::array::from_fn(|i| std::array::from_fn(|j| ((i * 7 + j * 3 + s * 5) % 11) as f64 / 11.0 - 0.4)));
        let chains: Vec<Site> = (0..24).map(|k| Site { up: m(k), down: m(k + 50) }).collect();
        (amplitudes(&chains[..8]), norms(&chains, 6), trace_of_product(&chains[..5]))
    }
}
port!(mps: run());
