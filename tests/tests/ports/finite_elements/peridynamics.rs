//! HeCBench damage: damage of peridynamic nodes from intact bonds; bond forces.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    struct V3(f64, f64, f64);

    #[omp::declare_target]
    impl std::ops::Sub for V3 {
        type Output = V3;
        fn sub(self, V3(x, y, z): V3) -> V3 {
            V3(self.0 - x, self.1 - y, self.2 - z)
        }
    }

    #[omp::declare_target]
    impl std::ops::Mul<V3> for f64 {
        type Output = V3;
        fn mul(self, v: V3) -> V3 {
            V3(self * v.0, self * v.1, self * v.2)
        }
    }

    #[omp::declare_target]
    impl V3 {
        const ZERO: Self = V3(0.0, 0.0, 0.0);
        fn norm(&self) -> f64 {
            let V3(x, y, z) = *self;
            (x * x + y * y + z * z).sqrt()
        }
    }

    #[omp::declare_target]
    impl std::ops::AddAssign for V3 {
        fn add_assign(&mut self, o: V3) {
            *self = V3(self.0 + o.0, self.1 + o.1, self.2 + o.2);
        }
    }

    struct Body {
        x: Vec<V3>,
        u: Vec<V3>,
        neighbours: Vec<Option<u32>>,
        horizon: usize,
    }

    impl Body {
        #[omp::offload]
        fn break_bonds(&mut self, critical: f64) {
            let Body { x, u, neighbours, horizon } = self;
            let width = *horizon;
            #[omp::target]
            for (i, bonds) in neighbours.chunks_mut(width).enumerate() {
                for bond in bonds.iter_mut() {
                    let Some(j) = *bond else { continue };
                    let j = j as usize;
                    let xi = x[j] - x[i];
                    let mut y = xi;
                    y += u[j] - u[i];
                    let stretch = (y.norm() - xi.norm()) / xi.norm();
                    if stretch > critical {
                        *bond = None;
                    }
                }
            }
        }

        #[omp::offload]
        fn damage(&self, initial: &[u32]) -> Vec<f64> {
            let mut damage = vec![0.0; self.x.len()];
            #[omp::target]
            for (i, d) in damage.iter_mut().enumerate() {
                let intact = self.neighbours[i * self.horizon..(i + 1) * self.horizon].iter().filter(|b| b.is_some()).count();
                *d = 1.0 - intact as f64 / initial[i].max(1) as f64;
            }
            damage
        }

        #[omp::offload]
        fn forces(&self, c: f64) -> Vec<V3> {
            let mut f = vec![V3::ZERO; self.x.len()];
            #[omp::target]
            for i in 0..f.len() {
                let mut sum = V3::ZERO;
                for j in self.neighbours[i * self.horizon..][..self.horizon].iter().flatten() {
                    let j = *j as usize;
                    let xi = self.x[j] - self.x[i];
                    let eta = self.u[j] - self.u[i];
                    sum += (c / xi.norm()) * eta;
                }
                f[i] = sum;
            }
            f
        }
    }

    pub fn run(n: usize) -> Vec<f64> {
        let x: Vec<V3> = (0..n).map(|i| V3(i as f64 * 0.5, (i % 3) as f64, (i % 5) as f64 * 0.25)).collect();
        let u: Vec<V3> = (0..n).map(|i| V3(((i * 7) % 11) as f64 * 0.02, 0.0, -0.01 * (i % 4) as f64)).collect();
        let horizon = 4;
        let neighbours: Vec<Option<u32>> = (0..n * horizon).map(|k| {
            let (i, h) = (k / horizon, k % horizon);
            let j = (i + h + 1) as u32;
            ((j as usize) < n && (i + h) % 3 != 0).then_some(j)
        }).collect();
        let initial: Vec<u32> = neighbours.chunks(horizon).map(|c| c.iter().flatten().count() as u32).collect();
        let mut body = Body { x, u, neighbours, horizon };
        body.break_bonds(0.05);
        let mut out = body.damage(&initial);
        out.extend(body.forces(1.5).iter().flat_map(|v| [v.0, v.1, v.2]));
        out
    }
}
port!(peridynamics: (run(0), run(7), run(99)));
