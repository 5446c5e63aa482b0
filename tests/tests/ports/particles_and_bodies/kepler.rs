//! Orbits: Kepler's equation by Newton and Halley steps, states from elements, the closest approach of pairs.
use omp_tests::{Values, twice};
twice! {
    use std::f64::consts::{PI, TAU};

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Elements { pub a: f64, pub e: f64, pub i: f64, pub raan: f64, pub argp: f64, pub m0: f64 }

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct StateVector { pub r: [f64; 3], pub v: [f64; 3] }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    #[repr(u8)]
    pub enum Orbit { Elliptic { period: f64 }, Parabolic, Hyperbolic { excess: f64 } }

    const MU: f64 = 398_600.4418;

    #[omp::declare_target]
    fn wrap(angle: f64) -> f64 {
        let a = angle % TAU;
        if a > PI { a - TAU } else if a < -PI { a + TAU } else { a }
    }

    #[omp::declare_target]
    fn solve<F, G>(f: F, df: G, mut x: f64, tol: f64) -> Result<f64, u32>
    where
        F: Fn(f64) -> f64,
        G: Fn(f64) -> f64,
    {
        for _ in 0..30 {
            let step = f(x) / df(x);
            x -= step;
            if step.abs() < tol {
                return Ok(x);
            }
        }
        Err(30)
    }

    #[omp::declare_target]
    impl Elements {
        pub fn kind(&self) -> Orbit {
            if self.e < 1.0 {
                Orbit::Elliptic { period: TAU * (self.a.powi(3) / MU).sqrt() }
            } else if self.e == 1.0 {
                Orbit::Parabolic
            } else {
                Orbit::Hyperbolic { excess: (MU / -self.a).sqrt() }
            }
        }

        fn true_anomaly(&self, t: f64) -> Result<f64, u32> {
            let e = self.e;
            let n = (MU / self.a.abs().powi(3)).sqrt();
            let m = self.m0 + n * t;
            Ok(match self.kind() {
                Orbit::Elliptic { .. } => {
                    let m = wrap(m);
                    let ea = solve(|x| x - e * x.sin() - m, |x| 1.0 - e * x.cos(), if e < 0.8 { m } else { PI.copysign(m) }, 1e-12)?;
                    2.0 * ((1.0 + e).sqrt() * (ea / 2.0).sin()).atan2((1.0 - e).sqrt() * (ea / 2.0).cos())
                }
                Orbit::Parabolic => return Err(0),
                Orbit::Hyperbolic { .. } => {
                    let h = solve(|x| e * x.sinh() - x - m, |x| e * x.cosh() - 1.0, (m / e).asinh(), 1e-12)?;
                    2.0 * ((e + 1.0).sqrt() * (h / 2.0).sinh()).atan2((e - 1.0).sqrt() * (h / 2.0).cosh())
                }
            })
        }

        pub fn propagate(&self, t: f64) -> Result<StateVector, u32> {
            let nu = self.true_anomaly(t)?;
            let p = self.a * (1.0 - self.e * self.e);
            let r = p / (1.0 + self.e * nu.cos());
            let (sn, cn) = nu.sin_cos();
            let k = (MU / p).sqrt();
            let perifocal = [[r * cn, r * sn, 0.0], [-k * sn, k * (self.e + cn), 0.0]];
            let [r, v] = perifocal.map(|x| rotate(x, self));
            Ok(StateVector { r, v })
        }
    }

    #[omp::declare_target]
    fn rotate(x: [f64; 3], o: &Elements) -> [f64; 3] {
        let about_z = |v: [f64; 3], a: f64| [v[0] * a.cos() - v[1] * a.sin(), v[0] * a.sin() + v[1] * a.cos(), v[2]];
        let about_x = |v: [f64; 3], a: f64| [v[0], v[1] * a.cos() - v[2] * a.sin(), v[1] * a.sin() + v[2] * a.cos()];
        about_z(about_x(about_z(x, o.argp), o.i), o.raan)
    }

    pub fn ephemeris(orbits: &[Elements], times: &[f64]) -> (Vec<StateVector>, u32) {
        let mut states = vec![StateVector::default(); orbits.len() * times.len()];
        let mut failures = 0u32;
        #[omp::target(reduction(+: failures))]
        for (row, orbit) in states.chunks_mut(times.len()).zip(orbits) {
            for (state, &t) in row.iter_mut().zip(times) {
                match orbit.propagate(t) {
                    Ok(s) => *state = s,
                    Err(_) => failures += 1,
                }
            }
        }
        (states, failures)
    }

    pub fn closest(states: &[StateVector], orbits: usize, times: usize) -> Vec<(f64, usize, usize)> {
        let mut out = vec![(f64::MAX, 0, 0); orbits];
        #[omp::target]
        for (i, best) in out.iter_mut().enumerate() {
            for j in (0..orbits).filter(|&j| j != i) {
                let mine = &states[i * times..][..times];
                let other = &states[j * times..][..times];
                for (k, (a, b)) in mine.iter().zip(other).enumerate() {
                    let d = (0..3).map(|c| (a.r[c] - b.r[c]).powi(2)).sum::<f64>().sqrt();
                    if d < best.0 {
                        *best = (d, j, k);
                    }
                }
            }
        }
        out
    }

    pub fn run() -> (Vec<[f64; 3]>, Vec<(f64, usize, usize)>, u32) {
        let mut v = Values(21);
        let mut u = || (v.bits() % 10000) as f64 / 10000.0;
        let mut orbits: Vec<Elements> = (0..7).map(|_| Elements { a: 7000.0 + 2000.0 * u(), e: 0.7 * u(), i: 3.0 * u(), raan: 6.0 * u(), argp: 6.0 * u(), m0: 6.0 * u() }).collect();
        orbits.push(Elements { a: -9000.0, e: 1.4, i: 0.4, raan: 0.0, argp: 1.0, m0: -2.0 });
        orbits.push(Elements { a: 9000.0, e: 1.0, i: 0.4, raan: 0.0, argp: 1.0, m0: -2.0 });
        let times: Vec<f64> = (0..12).map(|k| k as f64 * 321.0).collect();
        let (s, failures) = ephemeris(&orbits, &times);
        let c = closest(&s, orbits.len(), times.len());
        (s.iter().map(|s| s.r).collect(), c, failures)
    }
}
port!(kepler: run());
