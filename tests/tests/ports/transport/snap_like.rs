//! A transport kernel with angular moments: source from scattering, by groups and cells.
use omp_tests::twice;

twice! {
    const MOMENTS: usize = 4;
    const ANGLES: usize = 6;

    #[derive(Clone, Copy, omp::Device)]
    pub struct Moments([f64; MOMENTS]);

    #[omp::declare_target]
    impl std::ops::Index<usize> for Moments {
        type Output = f64;
        fn index(&self, m: usize) -> &f64 { &self.0[m] }
    }
    #[omp::declare_target]
    impl std::ops::IndexMut<usize> for Moments {
        fn index_mut(&mut self, m: usize) -> &mut f64 { &mut self.0[m] }
    }

    pub struct Angular { ec: [[f64; ANGLES]; MOMENTS], w: [f64; ANGLES] }

    impl Angular {
        pub fn new() -> Self {
            let mu = |a: usize| -1.0 + 2.0 * (a as f64 + 0.5) / ANGLES as f64;
            let mut ec = [[0.0; ANGLES]; MOMENTS];
            for (l, row) in ec.iter_mut().enumerate() {
                for (a, v) in row.iter_mut().enumerate() {
                    *v = match l { 0 => 1.0, 1 => mu(a), 2 => 0.5 * (3.0 * mu(a).powi(2) - 1.0), _ => 0.5 * mu(a) * (5.0 * mu(a).powi(2) - 3.0) };
                }
            }
            Angular { ec, w: [1.0 / ANGLES as f64; ANGLES] }
        }
    }

    pub fn inner_source(flux: &[Moments], scatter: &[f64], groups: usize, cells: usize) -> Vec<Moments> {
        let mut q = vec![Moments([0.0; MOMENTS]); groups * cells];
        #[omp::target(collapse(2))]
        for g in 0..groups {
            for c in 0..cells {
                let mut sum = Moments([0.0; MOMENTS]);
                for gp in 0..groups {
                    let sigma = scatter[gp * groups + g];
                    for m in 0..MOMENTS {
                        sum[m] += sigma / (1 + m) as f64 * flux[gp * cells + c][m];
                    }
                }
                q[g * cells + c] = sum;
            }
        }
        q
    }

    pub fn outer_moments(ang: &Angular, psi: &[[f64; ANGLES]], flux: &mut [Moments]) -> f64 {
        let mut change = 0.0f64;
        #[omp::target(reduction(max: change))]
        for (psi, phi) in psi.iter().zip(flux.iter_mut()) {
            let old = phi[0];
            for (m, coeff) in ang.ec.iter().enumerate() {
                phi[m] = coeff.iter().zip(&ang.w).zip(psi).map(|((e, w), p)| e * w * p).sum();
            }
            if old != 0.0 { change = change.max((phi[0] / old - 1.0).abs()); }
        }
        change
    }
    pub fn run() -> (Vec<f64>, f64) {
        let (g, c) = (3, 12);
        let mut flux: Vec<Moments> = (0..g * c).map(|i| Moments(std::array::from_fn(|m| 1.0 + (i % 5) as f64 * 0.1 - 0.2 * m as f64))).collect();
        let scatter: Vec<f64> = (0..g * g).map(|i| 0.1 + 0.05 * i as f64).collect();
        let q = inner_source(&flux, &scatter, g, c);
        let psi: Vec<[f64; ANGLES]> = q.iter().map(|m| std::array::from_fn(|a| m.0[0] + 0.1 * a as f64 * m.0[1])).collect();
        let change = outer_moments(&Angular::new(), &psi, &mut flux);
        (flux.iter().map(|f| f.0.iter().sum()).collect(), change)
    }
}
port!(snap_like: run());
