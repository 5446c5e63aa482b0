//! Multi-level spin systems: bit states, popcounts, matrix elements, Lanczos step.
use omp_tests::twice;

twice! {
    mod bits {
        #[omp::declare_target]
        pub fn flip(state: u32, i: u32, j: u32) -> u32 {
            state ^ (1 << i) ^ (1 << j)
        }
        #[omp::declare_target]
        pub const fn differs(state: u32, i: u32, j: u32) -> bool {
            (state >> i) & 1 != (state >> j) & 1
        }
    }

    pub struct Chain {
        sites: u32,
        basis: Vec<u32>,
        jz: f64,
        jxy: f64,
    }

    impl Chain {
        fn new(sites: u32, up: u32, jz: f64, jxy: f64) -> Self {
            Chain { sites, basis: (0..1u32 << sites).filter(|s| s.count_ones() == up).collect(), jz, jxy }
        }

        #[omp::offload]
        fn apply(&self, x: &[f64]) -> Vec<f64> {
            let mut y = vec![0.0; x.len()];
            let Chain { sites, basis, jz, jxy } = self;
            #[omp::target]
            for (row, (&state, out)) in basis.iter().zip(y.iter_mut()).enumerate() {
                let mut diagonal = 0.0;
                let mut sum = 0.0;
                for i in 0..*sites {
                    let j = (i + 1) % sites;
                    if bits::differs(state, i, j) {
                        diagonal -= 0.25 * jz;
                        let other = bits::flip(state, i, j);
                        if let Ok(k) = basis.binary_search(&other) {
                            sum += 0.5 * jxy * x[k];
                        }
                    } else {
                        diagonal += 0.25 * jz;
                    }
                }
                *out = diagonal * x[row] + sum;
            }
            y
        }

        #[omp::offload]
        fn lanczos(&self, steps: usize) -> (Vec<f64>, Vec<f64>) {
            let n = self.basis.len();
            let mut v = vec![1.0 / (n as f64).sqrt(); n];
            let mut old = vec![0.0; n];
            let (mut alphas, mut betas) = (vec![], vec![]);
            let mut beta = 0.0;
            for _ in 0..steps {
                let mut w = self.apply(&v);
                let mut alpha = 0.0;
                #[omp::target(reduction(+: alpha))]
                for (a, b) in w.iter().zip(&v) {
                    alpha += a * b;
                }
                let mut norm = 0.0;
                #[omp::target(reduction(+: norm))]
                for i in 0..n {
                    w[i] -= alpha * v[i] + beta * old[i];
                    norm += w[i].powi(2);
                }
                alphas.push(alpha);
                beta = norm.sqrt();
                betas.push(beta);
                if beta < 1e-9 {
                    break;
                }
                w.iter_mut().for_each(|x| *x /= beta);
                old = std::mem::replace(&mut v, w);
            }
            (alphas, betas)
        }
    }

    pub fn run(n: usize) -> Vec<f64> {
        let c = Chain::new(4 + (n % 7) as u32, 2, 1.0, 0.7);
        let x: Vec<f64> = (0..c.basis.len()).map(|i| (i % 5) as f64 - 1.0).collect();
        let (a, _) = c.lanczos(2);
        c.apply(&x).into_iter().chain(a).collect()
    }
}
port!(spin_chain: (run(0), run(1), run(4)));
