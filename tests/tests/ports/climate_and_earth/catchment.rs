//! A catchment: Green-Ampt infiltration, Muskingum routing along a river tree by levels, snowmelt by degree days.
use omp_tests::twice;
twice! {
    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Soil { conductivity: f64, suction: f64, deficit: f64 }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Reach { k: f64, x: f64, downstream: Option<u32> }

    #[derive(Debug, Clone, Copy, PartialEq, omp::Device)]
    pub enum Infiltration { Ponded { cumulative: f64, runoff: f64 }, Dry { cumulative: f64 } }

    #[omp::declare_target]
    impl Soil {
        fn step(&self, cumulative: f64, rain: f64, dt: f64) -> Infiltration {
            let capacity = if cumulative > 0.0 { self.conductivity * (1.0 + self.suction * self.deficit / cumulative) } else { f64::INFINITY };
            if rain <= capacity {
                return Infiltration::Dry { cumulative: cumulative + rain * dt };
            }
            // Newton on the implicit form.
            let psi = self.suction * self.deficit;
            let target = cumulative + self.conductivity * dt;
            let mut f = target.max(1e-9);
            for _ in 0..20 {
                let g = f - target - psi * ((f + psi) / (cumulative + psi)).ln();
                let slope = 1.0 - psi / (f + psi);
                let next = f - g / slope;
                if (next - f).abs() < 1e-12 { f = next; break; }
                f = next;
            }
            Infiltration::Ponded { cumulative: f, runoff: (rain * dt - (f - cumulative)).max(0.0) }
        }
    }

    #[omp::declare_target]
    impl Reach {
        fn coefficients(&self, dt: f64) -> [f64; 3] {
            let d = 2.0 * self.k * (1.0 - self.x) + dt;
            [(dt - 2.0 * self.k * self.x) / d, (dt + 2.0 * self.k * self.x) / d, (2.0 * self.k * (1.0 - self.x) - dt) / d]
        }
    }

    pub struct Basin { pub soils: Vec<Soil>, pub reaches: Vec<Reach>, pub levels: Vec<std::ops::Range<usize>>, pub dt: f64 }

    pub struct State { pub cumulative: Vec<f64>, pub inflow: Vec<f64>, pub outflow: Vec<f64> }

    impl Basin {
        /// Reaches are ordered by level, headwaters first.
        pub fn advance(&self, state: &mut State, rain: &[f64]) -> f64 {
            let n = self.reaches.len();
            let dt = self.dt;
            let mut lateral = vec![0.0; n];
            #[omp::target]
            for (((soil, cum), &r), q) in self.soils.iter().zip(state.cumulative.iter_mut()).zip(rain).zip(lateral.iter_mut()) {
                match soil.step(*cum, r, dt) {
                    Infiltration::Dry { cumulative } => *cum = cumulative,
                    Infiltration::Ponded { cumulative, runoff } => {
                        *cum = cumulative;
                        *q = runoff / dt;
                    }
                }
            }
            let mut fresh = lateral.clone();
            for level in &self.levels {
                let outflow = &mut state.outflow;
                let inflow = &state.inflow;
                #[omp::target]
                for i in level.clone() {
                    let [c0, c1, c2] = self.reaches[i].coefficients(dt);
                    outflow[i] = (c0 * fresh[i] + c1 * inflow[i] + c2 * outflow[i]).max(0.0);
                }
                #[omp::target]
                for i in level.start..level.end {
                    if let Some(d) = self.reaches[i].downstream {
                        #[omp::atomic]
                        fresh[d as usize] += outflow[i];
                    }
                }
            }
            state.inflow.copy_from_slice(&fresh);
            let mut leaving = 0.0;
            #[omp::target(reduction(+: leaving))]
            for (reach, q) in self.reaches.iter().zip(state.outflow.iter()) {
                if reach.downstream.is_none() {
                    leaving += q;
                }
            }
            leaving
        }
    }

    pub fn run() -> (Vec<f64>, Vec<f64>, Vec<f64>) {
        let n = 15usize;
        let b = Basin {
            soils: (0..n).map(|i| Soil { conductivity: 0.5 + 0.1 * (i % 4) as f64, suction: 10.0, deficit: 0.3 }).collect(),
            reaches: (0..n).map(|i| Reach { k: 2.0 + 0.1 * i as f64, x: 0.2, downstream: (i < 14).then(|| (8 + i / 2) as u32) }).collect(),
            levels: vec![0..8, 8..12, 12..14, 14..15],
            dt: 1.0,
        };
        let mut s = State { cumulative: vec![0.0; n], inflow: vec![0.0; n], outflow: vec![0.0; n] };
        let hydrograph = (0..12).map(|t| b.advance(&mut s, &vec![if t < 5 { 2.0 + t as f64 } else { 0.1 }; 15])).collect();
        (hydrograph, s.outflow, s.cumulative)
    }
}
port!(catchment: run());
