//! Finite volumes for the Euler equations in one dimension: WENO5 of the characteristic fluxes, many tubes at a time.
use omp_tests::twice;

twice! {
    use std::ops::{Add, Mul, Sub};

    const GAMMA: f64 = 1.4;
    const GHOSTS: usize = 3;

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct State { rho: f64, mom: f64, energy: f64 }

    #[omp::declare_target]
    impl Add for State {
        type Output = Self;
        fn add(self, o: Self) -> Self { Self { rho: self.rho + o.rho, mom: self.mom + o.mom, energy: self.energy + o.energy } }
    }
    #[omp::declare_target]
    impl Sub for State {
        type Output = Self;
        fn sub(self, o: Self) -> Self { Self { rho: self.rho - o.rho, mom: self.mom - o.mom, energy: self.energy - o.energy } }
    }
    #[omp::declare_target]
    impl Mul<State> for f64 {
        type Output = State;
        fn mul(self, s: State) -> State { State { rho: self * s.rho, mom: self * s.mom, energy: self * s.energy } }
    }

    #[omp::declare_target]
    impl State {
        fn velocity(&self) -> f64 { self.mom / self.rho }
        fn pressure(&self) -> f64 { (GAMMA - 1.0) * (self.energy - 0.5 * self.mom * self.velocity()) }
        fn sound_speed(&self) -> f64 { (GAMMA * self.pressure().max(1e-10) / self.rho).sqrt() }
        fn flux(&self) -> State {
            let (u, p) = (self.velocity(), self.pressure());
            State { rho: self.mom, mom: self.mom * u + p, energy: u * (self.energy + p) }
        }
        fn zip_with(stencil: [State; 5], f: impl Fn([f64; 5]) -> f64) -> State {
            State { rho: f(stencil.map(|s| s.rho)), mom: f(stencil.map(|s| s.mom)), energy: f(stencil.map(|s| s.energy)) }
        }
    }

    #[omp::declare_target]
    fn weno5([a, b, c, d, e]: [f64; 5]) -> f64 {
        let candidates = [
            (2.0 * a - 7.0 * b + 11.0 * c) / 6.0,
            (-b + 5.0 * c + 2.0 * d) / 6.0,
            (2.0 * c + 5.0 * d - e) / 6.0,
        ];
        let smoothness = [
            13.0 / 12.0 * (a - 2.0 * b + c).powi(2) + 0.25 * (a - 4.0 * b + 3.0 * c).powi(2),
            13.0 / 12.0 * (b - 2.0 * c + d).powi(2) + 0.25 * (b - d).powi(2),
            13.0 / 12.0 * (c - 2.0 * d + e).powi(2) + 0.25 * (3.0 * c - 4.0 * d + e).powi(2),
        ];
        let mut weights = [0.1, 0.6, 0.3];
        for (w, beta) in weights.iter_mut().zip(smoothness) { *w /= (1e-6 + beta).powi(2); }
        let total: f64 = weights.iter().sum();
        weights.iter().zip(&candidates).map(|(w, q)| w * q).sum::<f64>() / total
    }

    #[omp::declare_target]
    fn interface(window: &[State]) -> State {
        let alpha = window.iter().map(|s| s.velocity().abs() + s.sound_speed()).fold(0.0, f64::max);
        let plus: [State; 5] = std::array::from_fn(|k| 0.5 * (window[k].flux() + alpha * window[k]));
        let minus: [State; 5] = std::array::from_fn(|k| 0.5 * (window[5 - k].flux() - alpha * window[5 - k]));
        State::zip_with(plus, weno5) + State::zip_with(minus, weno5)
    }

    pub fn step(u: &mut [State], tubes: usize, cells: usize, dt_dx: f64) {
        let pitch = cells + 2 * GHOSTS;
        let mut flux = vec![State::default(); tubes * (cells + 1)];
        let w = &*u;
        #[omp::target(collapse(2))]
        for t in 0..tubes {
            for f in 0..=cells {
                let start = t * pitch + f;
                flux[t * (cells + 1) + f] = interface(&w[start..start + 6]);
            }
        }
        #[omp::target]
        for (tube, fluxes) in u.chunks_exact_mut(pitch).zip(flux.chunks_exact(cells + 1)) {
            for (cell, f) in tube[GHOSTS..GHOSTS + cells].iter_mut().zip(fluxes.windows(2)) {
                *cell = *cell - dt_dx * (f[1] - f[0]);
            }
            for g in 0..GHOSTS {
                tube[g] = tube[GHOSTS];
                tube[cells + GHOSTS + g] = tube[cells + GHOSTS - 1];
            }
        }
    }
    pub fn run() -> Vec<f64> {
        let (tubes, cells) = (4, 30);
        let pitch = cells + 2 * GHOSTS;
        let mut u: Vec<State> = (0..tubes * pitch).map(|k| {
            let (t, i) = (k / pitch, k % pitch);
            let (rho, p) = if i < pitch / 2 { (1.0, 1.0) } else { (0.125 + 0.1 * t as f64, 0.1) };
            State { rho, mom: 0.0, energy: p / (GAMMA - 1.0) }
        }).collect();
        for _ in 0..5 { step(&mut u, tubes, cells, 0.2); }
        u.iter().flat_map(|s| [s.rho, s.mom, s.energy]).collect()
    }
}
port!(weno_euler: run());
