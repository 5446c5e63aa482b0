//! Nodal discontinuous Galerkin advection in 1-D with const generic order and a flux trait.
use omp_tests::twice;

twice! {
    #[omp::declare_target]
    pub trait NumericalFlux {
        fn flux(left: f64, right: f64, speed: f64) -> f64;
    }

    pub struct Upwind;
    pub struct Rusanov;

    #[omp::declare_target]
    impl NumericalFlux for Upwind {
        fn flux(left: f64, right: f64, speed: f64) -> f64 {
            if speed >= 0.0 { speed * left } else { speed * right }
        }
    }

    #[omp::declare_target]
    impl NumericalFlux for Rusanov {
        fn flux(left: f64, right: f64, speed: f64) -> f64 {
            0.5 * (speed * (left + right) - speed.abs() * (right - left))
        }
    }

    #[derive(Clone, Copy)]
    pub struct Operators<const NP: usize> {
        dr: [[f64; NP]; NP],
        lift: [[f64; 2]; NP],
    }

    pub struct Solver<const NP: usize> {
        u: Vec<[f64; NP]>,
        ops: Operators<NP>,
        speed: f64,
        h: f64,
    }

    impl<const NP: usize> Solver<NP> {
        const RK4A: [f64; 3] = [0.0, -0.4178904745, -1.192151694643];
        const RK4B: [f64; 3] = [0.1496590219993, 0.3792103129999, 0.8229550293869];

        #[omp::offload]
        fn rhs<F: NumericalFlux>(&self, rhs: &mut [[f64; NP]]) {
            let n = self.u.len();
            let Operators { dr, lift } = self.ops;
            #[omp::target]
            for (k, out) in rhs.iter_mut().enumerate() {
                let uk = &self.u[k];
                let prev = self.u[(k + n - 1) % n][NP - 1];
                let next = self.u[(k + 1) % n][0];
                let fl = F::flux(prev, uk[0], self.speed) - self.speed * uk[0];
                let fr = self.speed * uk[NP - 1] - F::flux(uk[NP - 1], next, self.speed);
                for (i, o) in out.iter_mut().enumerate() {
                    let du: f64 = dr[i].iter().zip(uk.iter()).map(|(d, u)| d * u).sum();
                    *o = (2.0 / self.h) * (-self.speed * du + lift[i][0] * fl + lift[i][1] * fr);
                }
            }
        }

        #[omp::offload]
        fn advance<F: NumericalFlux>(&mut self, dt: f64) {
            let n = self.u.len();
            let mut res = vec![[0.0; NP]; n];
            let mut rhs = vec![[0.0; NP]; n];
            for (a, b) in Self::RK4A.iter().zip(Self::RK4B) {
                self.rhs::<F>(&mut rhs);
                #[omp::target]
                for ((u, res), rhs) in self.u.iter_mut().zip(&mut res).zip(&rhs) {
                    for i in 0..NP {
                        res[i] = a * res[i] + dt * rhs[i];
                        u[i] += b * res[i];
                    }
                }
            }
        }
    }

    pub fn run(n: usize) -> Vec<f64> {
        const NP: usize = 4;
        let ops = Operators::<NP> { dr: std::array::from_fn(|i| std::array::from_fn(|j| (i as f64 - j as f64) * 0.3)), lift: std::array::from_fn(|i| [1.0 - 0.2 * i as f64, 0.1 * i as f64]) };
        let mut s = Solver { u: (0..n).map(|k| std::array::from_fn(|i| ((k * NP + i) as f64 * 0.1).sin())).collect(), ops, speed: 1.3, h: 0.1 };
        s.advance::<Upwind>(1e-3);
        s.speed = -0.7;
        s.advance::<Rusanov>(1e-3);
        s.u.into_iter().flatten().collect()
    }
}
port!(dg_advection: (run(0), run(1), run(33)));
