//! Four-index transformation with nested Vec rows flattened by a view struct, triangular loops and packed symmetric storage.
use omp_tests::twice;

twice! {
    #[omp::declare_target]
    #[inline]
    const fn packed(i: usize, j: usize) -> usize {
        if i >= j { i * (i + 1) / 2 + j } else { j * (j + 1) / 2 + i }
    }

    pub struct Integrals {
        n: usize,
        eri: Vec<f64>,
    }

    impl Integrals {
        fn npair(&self) -> usize {
            self.n * (self.n + 1) / 2
        }
        fn get(&self, i: usize, j: usize, k: usize, l: usize) -> f64 {
            let (ij, kl) = (packed(i, j), packed(k, l));
            self.eri[packed(ij, kl)]
        }
    }

    #[omp::offload]
    fn fock(ints: &Integrals, density: &[f64], hcore: &[f64]) -> Vec<f64> {
        let n = ints.n;
        let mut f = hcore.to_vec();
        #[omp::target]
        for i in 0..n {
            for j in 0..n {
                let mut sum = 0.0;
                for k in 0..n {
                    for l in 0..n {
                        sum += density[k * n + l] * (2.0 * ints.get(i, j, k, l) - ints.get(i, k, j, l));
                    }
                }
                f[i * n + j] += sum;
            }
        }
        f
    }

    #[omp::offload]
    fn mp2(ints: &Integrals, eps: &[f64], occ: usize) -> f64 {
        let n = ints.n;
        let mut e = 0.0;
        #[omp::target(collapse(2), reduction(+: e))]
        for i in 0..occ {
            for j in 0..occ {
                for a in occ..n {
                    for b in occ..n {
                        let iajb = ints.get(i, a, j, b);
                        let ibja = ints.get(i, b, j, a);
                        e += iajb * (2.0 * iajb - ibja) / (eps[i] + eps[j] - eps[a] - eps[b]);
                    }
                }
            }
        }
        e
    }

    #[omp::offload]
    fn schwarz(ints: &Integrals) -> Vec<f64> {
        let mut q = vec![0.0; ints.npair()];
        #[omp::target]
        for i in 0..ints.n {
            for j in 0..=i {
                q[packed(i, j)] = ints.get(i, j, i, j).abs().sqrt();
            }
        }
        q
    }

    pub fn run(n: usize) -> Vec<f64> {
        let n = n.min(8);
        let np = n * (n + 1) / 2;
        let ints = Integrals { n, eri: (0..np * (np + 1) / 2).map(|i| ((i * 31) % 17) as f64 * 0.05).collect() };
        let d: Vec<f64> = (0..n * n).map(|i| 0.1 * (i % 6) as f64).collect();
        let h: Vec<f64> = (0..n * n).map(|i| -0.2 * (i % 4) as f64).collect();
        let eps: Vec<f64> = (0..n).map(|i| -1.0 + 0.7 * i as f64).collect();
        let e = mp2(&ints, &eps, n / 2);
        fock(&ints, &d, &h).into_iter().chain(schwarz(&ints)).chain([e]).collect()
    }
}
port!(hartree_fock: (run(0), run(3), run(7)));
