//! Short-wave two-stream radiation: delta-Eddington layers joined by the adding method.
use omp_tests::twice;

twice! {
    use std::array;

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Optics {
        pub tau: f64,
        pub omega: f64,
        pub g: f64,
    }

    #[derive(Clone, Copy, Debug, Default, omp::Device)]
    struct Layer {
        r_dif: f64,
        t_dif: f64,
        r_dir: f64,
        t_dir: f64,
        beam: f64,
    }

    #[omp::declare_target]
    impl Optics {
        fn delta_scaled(self) -> Self {
            let f = self.g * self.g;
            let wf = self.omega * f;
            Optics {
                tau: (1.0 - wf) * self.tau,
                omega: (self.omega - wf) / (1.0 - wf),
                g: (self.g - f) / (1.0 - f),
            }
        }
    }

    #[omp::declare_target]
    impl Layer {
        /// Reflectance and transmittance after Meador and Weaver.
        fn new(Optics { tau, omega, g }: Optics, mu0: f64) -> Self {
            let g1 = (7.0 - omega * (4.0 + 3.0 * g)) / 4.0;
            let g2 = -(1.0 - omega * (4.0 - 3.0 * g)) / 4.0;
            let g3 = (2.0 - 3.0 * g * mu0) / 4.0;
            let g4 = 1.0 - g3;
            let k = ((g1 - g2) * (g1 + g2)).max(1e-8).sqrt();
            let e = (-k * tau).exp();
            let e2 = e * e;
            let term = 1.0 / (k * (1.0 + e2) + g1 * (1.0 - e2));
            let beam = (-tau / mu0).exp();

            let (a1, a2) = (g1 * g4 + g2 * g3, g1 * g3 + g2 * g4);
            let km = k * mu0;
            let resonance = match 1.0 - km * km {
                d if d.abs() < 1e-9 => 1e-9,
                d => d,
            };
            let s = omega * term / resonance;
            let r_dir = s
                * ((1.0 - km) * (a2 + k * g3) - (1.0 + km) * (a2 - k * g3) * e2 - 2.0 * (k * g3 - a2 * km) * e * beam);
            let t_dir = -s
                * ((1.0 + km) * (a1 + k * g4) * beam - (1.0 - km) * (a1 - k * g4) * e2 * beam - 2.0 * (k * g4 + a1 * km) * e);
            Layer { r_dif: term * g2 * (1.0 - e2), t_dif: term * 2.0 * k * e, r_dir, t_dir, beam }
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Column<const N: usize> {
        pub layers: [Optics; N],
        pub mu0: f64,
        pub albedo: f64,
    }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Fluxes<const N: usize> {
        pub absorbed: [f64; N],
        pub surface_down: f64,
        pub toa_up: f64,
    }

    impl<const N: usize> Fluxes<N> {
        pub const DARK: Self = Fluxes { absorbed: [0.0; N], surface_down: 0.0, toa_up: 0.0 };
    }

    #[omp::declare_target]
    fn solve<const N: usize>(col: &Column<N>, solar: f64) -> Option<Fluxes<N>> {
        if col.mu0 <= 0.0 {
            return None; // night
        }
        let layers: [Layer; N] = array::from_fn(|k| Layer::new(col.layers[k].delta_scaled(), col.mu0));

        // Direct beam at the top of each layer, and at the ground.
        let mut direct = [0.0; N];
        let ground = layers.iter().zip(direct.iter_mut()).fold(solar * col.mu0, |s, (lay, d)| {
            *d = s;
            s * lay.beam
        });

        // Upward: albedo and source of everything below each interface.
        let mut below = [(0.0, 0.0, 0.0); N];
        let (mut albedo, mut source) = (col.albedo, col.albedo * ground);
        for ((lay, &s), slot) in layers.iter().zip(&direct).zip(below.iter_mut()).rev() {
            let inv = 1.0 / (1.0 - lay.r_dif * albedo);
            *slot = (albedo, source, inv);
            source = lay.r_dir * s + lay.t_dif * inv * (source + albedo * lay.t_dir * s);
            albedo = lay.r_dif + lay.t_dif * lay.t_dif * albedo * inv;
        }

        // Downward: diffuse fluxes and absorption.
        let toa_up = source;
        let mut absorbed = [0.0; N];
        let (mut down, mut net) = (0.0, solar * col.mu0 - toa_up);
        for k in 0..N {
            let (lay, (alb, src, inv)) = (&layers[k], below[k]);
            down = (lay.t_dif * down + lay.r_dif * src + lay.t_dir * direct[k]) * inv;
            let up = down * alb + src;
            let beam = direct.get(k + 1).copied().unwrap_or(ground);
            let next = beam + down - up;
            absorbed[k] = net - next;
            net = next;
        }
        Some(Fluxes { absorbed, surface_down: down + ground, toa_up })
    }

    pub fn shortwave<const N: usize>(columns: &[Column<N>], solar: f64, out: &mut [Fluxes<N>]) -> (usize, f64) {
        let (mut lit, mut brightest) = (0, 0.0f64);
        #[omp::target(reduction(+: lit), reduction(max: brightest))]
        for (col, flux) in columns.iter().zip(out.iter_mut()) {
            *flux = Fluxes::DARK;
            if let Some(f) = solve(col, solar) {
                lit += 1;
                brightest = brightest.max(f.toa_up);
                *flux = f;
            }
        }
        (lit, brightest)
    }
}
port!(two_stream_radiation: crate::Shown::of({
    const N: usize = 10;
    let columns: Vec<Column<N>> = (0..40usize)
        .map(|c| Column {
            layers: std::array::from_fn(|k| {
                let cloud = (c + k) % 6 == 0;
                Optics {
                    tau: if cloud { 4.0 } else { 0.05 + 0.01 * k as f64 },
                    omega: if cloud { 0.999 } else { 0.6 },
                    g: if cloud { 0.85 } else { 0.1 },
                }
            }),
            mu0: 0.93 - 0.031 * c as f64,
            albedo: 0.1 + 0.02 * (c % 9) as f64,
        })
        .collect();
    let mut out = vec![Fluxes::<N>::DARK; columns.len()];
    let (lit, brightest) = shortwave(&columns, 1361.0, &mut out);
    let r = |v: f64| (v * 1e4).round() as i64;
    let table: Vec<_> = out.iter().map(|f| (f.absorbed.map(r), r(f.surface_down), r(f.toa_up))).collect();
    (lit, r(brightest), table)
}));
