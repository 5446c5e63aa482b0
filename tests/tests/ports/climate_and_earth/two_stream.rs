//! Climate radiation: delta-scaled two-stream fluxes per column, a tridiagonal system solved by Thomas.
use omp_tests::twice;

twice! {
    use std::ops::{Add, Mul, Sub};

    /// Fluxes in W/m2.
    #[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, omp::Device)]
    pub struct Flux(pub f64);

    #[omp::declare_target]
    impl Add for Flux { type Output = Flux; fn add(self, o: Flux) -> Flux { Flux(self.0 + o.0) } }
    #[omp::declare_target]
    impl Sub for Flux { type Output = Flux; fn sub(self, o: Flux) -> Flux { Flux(self.0 - o.0) } }
    #[omp::declare_target]
    impl Mul<f64> for Flux { type Output = Flux; fn mul(self, k: f64) -> Flux { Flux(self.0 * k) } }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Optics { pub tau: f64, pub ssa: f64, pub g: f64 }

    #[omp::declare_target]
    impl Optics {
        const MAX_SSA: f64 = 0.999_999;

        fn delta_scaled(self) -> Optics {
            let f = self.g * self.g;
            let ssa = self.ssa.min(Self::MAX_SSA);
            Optics {
                tau: (1.0 - ssa * f) * self.tau,
                ssa: (1.0 - f) * ssa / (1.0 - ssa * f),
                g: self.g / (1.0 + self.g),
            }
        }
    }

    #[derive(Clone, Copy, Debug, omp::Device)]
    #[repr(u8)]
    pub enum Surface {
        Ocean,
        Land { albedo: f64 },
        Snow { fresh: f64, old: f64, age: f64 },
    }

    #[omp::declare_target]
    impl Surface {
        fn albedo(&self, mu0: f64) -> f64 {
            match self {
                Surface::Ocean => 0.026 / (mu0.powf(1.7) + 0.065) + 0.15 * (mu0 - 0.1) * (mu0 - 0.5) * (mu0 - 1.0),
                &Surface::Land { albedo } => albedo,
                Surface::Snow { fresh, old, age } => old + (fresh - old) * (-age / 5.0).exp(),
            }
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    #[repr(u8)]
    pub enum Fault {
        Night,
        BadLayer { layer: u32 },
        Singular { row: u32 },
    }

    pub const LAYERS: usize = 18;
    const ROWS: usize = 2 * LAYERS;

    #[derive(Clone, Copy, Debug, Default, omp::Device)]
    struct Layer { e: [f64; 4], up_top: f64, up_bottom: f64, down_top: f64, down_bottom: f64 }

    #[omp::declare_target]
    impl Layer {
        fn new(o: &Optics, above: f64, sun: f64, mu0: f64) -> Option<Layer> {
            if !(o.tau > 0.0) || !(0.0..1.0).contains(&o.ssa) {
                return None;
            }
            let (w, g) = (o.ssa, o.g);
            let g1 = (7.0 - w * (4.0 + 3.0 * g)) / 4.0;
            let g2 = -(1.0 - w * (4.0 - 3.0 * g)) / 4.0;
            let g3 = (2.0 - 3.0 * g * mu0) / 4.0;
            let g4 = 1.0 - g3;
            let lambda = (g1 * g1 - g2 * g2).sqrt();
            let gamma = g2 / (g1 + lambda);
            let x = (-lambda * o.tau).exp();
            let mut resonance = lambda * lambda - 1.0 / (mu0 * mu0);
            if resonance.abs() < 1e-9 {
                resonance = 1e-9f64.copysign(resonance);
            }
            let up = w * sun * ((g1 - 1.0 / mu0) * g3 + g4 * g2) / resonance;
            let down = w * sun * ((g1 + 1.0 / mu0) * g4 + g2 * g3) / resonance;
            let beam = |depth: f64| (-(above + depth) / mu0).exp();
            Some(Layer {
                e: [1.0 + gamma * x, 1.0 - gamma * x, gamma + x, gamma - x],
                up_top: up * beam(0.0),
                up_bottom: up * beam(o.tau),
                down_top: down * beam(0.0),
                down_bottom: down * beam(o.tau),
            })
        }
    }

    #[derive(Clone, Copy, Debug, omp::Device)]
    struct Tridiagonal<const N: usize> { lower: [f64; N], diag: [f64; N], upper: [f64; N], rhs: [f64; N] }

    #[omp::declare_target]
    impl<const N: usize> Tridiagonal<N> {
        const ZERO: Self = Tridiagonal { lower: [0.0; N], diag: [0.0; N], upper: [0.0; N], rhs: [0.0; N] };

        fn set(&mut self, row: usize, (a, b, c, r): (f64, f64, f64, f64)) {
            self.lower[row] = a;
            self.diag[row] = b;
            self.upper[row] = c;
            self.rhs[row] = r;
        }

        fn solve(mut self) -> Result<[f64; N], Fault> {
            for i in 0..N {
                let (c, d) = if i == 0 { (0.0, 0.0) } else { (self.upper[i - 1], self.rhs[i - 1]) };
                let pivot = self.diag[i] - self.lower[i] * c;
                if pivot.abs() < 1e-14 {
                    return Err(Fault::Singular { row: i as u32 });
                }
                self.upper[i] /= pivot;
                self.rhs[i] = (self.rhs[i] - self.lower[i] * d) / pivot;
            }
            let mut x = self.rhs;
            for i in (0..N - 1).rev() {
                x[i] -= self.upper[i] * x[i + 1];
            }
            Ok(x)
        }
    }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Column { pub mu0: f64, pub sun: f64, pub surface: Surface }

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Budget { pub toa_up: Flux, pub surface_net: Flux, pub absorbed: Flux }

    #[omp::declare_target]
    fn column_fluxes(col: &Column, optics: &[Optics], heating: &mut [f64]) -> Result<Budget, Fault> {
        let Column { mu0, sun, .. } = *col;
        if mu0 <= 0.0 {
            return Err(Fault::Night);
        }
        let mut layers = [Layer::default(); LAYERS];
        let mut depth = [0.0f64; LAYERS + 1];
        for (k, o) in optics.iter().enumerate() {
            let o = o.delta_scaled();
            layers[k] = Layer::new(&o, depth[k], sun, mu0).ok_or(Fault::BadLayer { layer: k as u32 })?;
            depth[k + 1] = depth[k] + o.tau;
        }
        let albedo = col.surface.albedo(mu0);
        let direct = |k: usize| mu0 * sun * (-depth[k] / mu0).exp();

        let mut system = Tridiagonal::<ROWS>::ZERO;
        let first = &layers[0];
        system.set(0, (0.0, first.e[0], -first.e[1], -first.down_top));
        for (n, pair) in layers.windows(2).enumerate() {
            let (p, q) = (&pair[0], &pair[1]);
            let [p1, p2, p3, p4] = p.e;
            let [q1, q2, q3, q4] = q.e;
            let (up, down) = (q.up_top - p.up_bottom, q.down_top - p.down_bottom);
            system.set(2 * n + 1, (p1 * q2 - p3 * q4, p2 * q2 - p4 * q4, q1 * q4 - q2 * q3, q2 * up - q4 * down));
            system.set(2 * n + 2, (p2 * p3 - p4 * p1, p1 * q1 - p3 * q3, p3 * q4 - p1 * q2, p3 * up - p1 * down));
        }
        let last = &layers[LAYERS - 1];
        let [l1, l2, l3, l4] = last.e;
        let source = albedo * direct(LAYERS) - last.up_bottom + albedo * last.down_bottom;
        system.set(ROWS - 1, (l1 - albedo * l3, l2 - albedo * l4, 0.0, source));
        let y = system.solve()?;

        let net = |k: usize| {
            let (l, a, b, top) = if k == 0 { (&layers[0], y[0], y[1], true) } else { (&layers[k - 1], y[2 * k - 2], y[2 * k - 1], false) };
            let (up, down) = if top {
                (a * l.e[2] - b * l.e[3] + l.up_top, a * l.e[0] - b * l.e[1] + l.down_top)
            } else {
                (a * l.e[0] + b * l.e[1] + l.up_bottom, a * l.e[2] + b * l.e[3] + l.down_bottom)
            };
            (Flux(up), Flux(down + direct(k)))
        };
        let (toa_up, toa_down) = net(0);
        let mut before = toa_down - toa_up;
        let surface_net = {
            let (up, down) = net(LAYERS);
            down - up
        };
        let absorbed = before - surface_net;
        for (k, h) in heating.iter_mut().enumerate() {
            let (up, down) = net(k + 1);
            let after = down - up;
            let Flux(gain) = (before - after) * (9.81 / 1004.0 * 86400.0 / 5000.0);
            *h = gain;
            before = after;
        }
        Ok(Budget { toa_up, surface_net, absorbed })
    }

    pub fn radiate(columns: &[Column], optics: &[Optics], heating: &mut [f64], budget: &mut [Budget], status: &mut [i32]) {
        #[omp::target(map(to: columns, optics), map(tofrom: heating), map(from: budget, status))]
        for (c, ((col, rates), (out, st))) in columns
            .iter()
            .zip(heating.chunks_exact_mut(LAYERS))
            .zip(budget.iter_mut().zip(status.iter_mut()))
            .enumerate()
        {
            match column_fluxes(col, &optics[c * LAYERS..(c + 1) * LAYERS], rates) {
                Ok(b) => {
                    *out = b;
                    *st = 0;
                }
                Err(fault) => {
                    rates.fill(0.0);
                    *out = Budget::default();
                    *st = match fault {
                        Fault::Night => 1,
                        Fault::BadLayer { layer } => 100 + layer as i32,
                        Fault::Singular { row } => 200 + row as i32,
                    };
                }
            }
        }
    }
}
port!(two_stream: crate::Shown::of({
    let n = 120usize;
    let columns: Vec<_> = (0..n)
        .map(|c| Column {
            mu0: (c as f64 * 0.37).sin().max(0.0) * 0.98,
            sun: 1361.0,
            surface: match c % 3 {
                0 => Surface::Ocean,
                1 => Surface::Land { albedo: 0.1 + 0.01 * (c % 13) as f64 },
                _ => Surface::Snow { fresh: 0.85, old: 0.5, age: (c % 7) as f64 },
            },
        })
        .collect();
    let optics: Vec<_> = (0..n * LAYERS)
        .map(|i| {
            let (c, k) = (i / LAYERS, i % LAYERS);
            let cloud = if k / 4 == c % 5 { 3.0 } else { 0.0 };
            let tau = if i == 1000 { -1.0 } else { 0.01 + 0.004 * k as f64 + cloud };
            Optics { tau, ssa: if cloud > 0.0 { 0.995 } else { 0.6 }, g: if cloud > 0.0 { 0.85 } else { 0.1 } }
        })
        .collect();
    let mut heating = vec![0.0; n * LAYERS];
    let mut budget = vec![Budget::default(); n];
    let mut status = vec![0; n];
    radiate(&columns, &optics, &mut heating, &mut budget, &mut status);
    let r = |x: f64| (x * 1e5).round() as i64;
    let sums: Vec<_> = budget.iter().map(|b| (r(b.toa_up.0), r(b.surface_net.0), r(b.absorbed.0))).collect();
    (status, sums, heating.into_iter().map(r).collect::<Vec<_>>())
}));
