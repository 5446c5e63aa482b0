//! SimpleMOC-kernel: attenuation of angular fluxes along track segments.
use omp_tests::twice;

twice! {
    pub struct Input {
        fine_axial_intervals: usize,
        energy_groups: usize,
        source_regions: usize,
    }

    #[derive(Clone, Copy, Debug, omp::Device)]
    struct Segment {
        region: u32,
        interval: u32,
        length: f32,
    }

    #[derive(omp::Mapper)]
    struct ExpTable {
        values: Vec<[f32; 2]>,
        dx: f32,
        max: f32,
    }

    #[omp::declare_target]
    impl ExpTable {
        fn eval(&self, x: f32) -> f32 {
            if x > self.max {
                return 1.0;
            }
            let i = (x / self.dx) as usize;
            let [slope, intercept] = self.values[i];
            slope * x + intercept
        }
    }

    impl ExpTable {
        fn new(max: f32, n: usize) -> Self {
            let dx = max / n as f32;
            let values = (0..=n)
                .map(|i| {
                    let (a, b) = (i as f32 * dx, (i + 1) as f32 * dx);
                    let slope = ((-a).exp() - (-b).exp()) / (b - a);
                    [slope, (1.0 - (-a).exp()) - slope * a]
                })
                .collect();
            ExpTable { values, dx, max }
        }
    }

    #[omp::offload]
    fn attenuate(input: &Input, segments: &[Segment], sigma_t: &[f32], source: &[f32], psi: &mut [f32], table: &ExpTable) {
        let Input { fine_axial_intervals, energy_groups, .. } = *input;
        let index = |region: u32, interval: u32, g: usize| (region as usize * fine_axial_intervals + interval as usize) * energy_groups + g;
        #[omp::target]
        for (seg, flux) in segments.iter().zip(psi.chunks_exact_mut(energy_groups)) {
            for (g, state) in flux.iter_mut().enumerate() {
                let (q0, q1, q2) = if seg.interval == 0 {
                    let y2 = source[index(seg.region, 0, g)];
                    let y3 = source[index(seg.region, 1, g)];
                    (y2, (y3 - y2) / 0.2, 0.0)
                } else if seg.interval as usize == fine_axial_intervals - 1 {
                    let y1 = source[index(seg.region, seg.interval - 1, g)];
                    let y2 = source[index(seg.region, seg.interval, g)];
                    (y2, (y2 - y1) / 0.2, 0.0)
                } else {
                    let y1 = source[index(seg.region, seg.interval - 1, g)];
                    let y2 = source[index(seg.region, seg.interval, g)];
                    let y3 = source[index(seg.region, seg.interval + 1, g)];
                    let c1 = (y1 - y3) / 0.4;
                    let c2 = (y1 - 2.0 * y2 + y3) / 0.08;
                    (y2, c1, c2)
                };
                let sigt = sigma_t[seg.region as usize * energy_groups + g];
                let tau = sigt * seg.length;
                let expval = table.eval(tau);
                let sigt2 = sigt * sigt;
                let reuse = tau * (tau - 2.0) + 2.0 * expval;
                let flux_integral = (q0 * tau + (sigt * *state - q0) * expval) / sigt2
                    + q1 * reuse / (sigt * sigt2)
                    + q2 * (tau * (tau * (tau - 3.0) + 6.0) - 6.0 * expval) / (3.0 * sigt2 * sigt2);
                let t1 = q0 * expval / sigt;
                let t2 = q1 * (tau - expval) / sigt2;
                let t3 = q2 * reuse / (sigt * sigt2);
                let t4 = *state * (1.0 - expval);
                *state = t1 + t2 + t3 + t4 + 1e-3 * flux_integral;
            }
        }
    }

    pub fn run(n: usize) -> Vec<f64> {
        let input = Input { fine_axial_intervals: 5, energy_groups: 6, source_regions: 7 };
        let total = input.source_regions * input.fine_axial_intervals * input.energy_groups;
        let source: Vec<f32> = (0..total).map(|i| 0.2 + (i % 13) as f32 * 0.05).collect();
        let sigma_t: Vec<f32> = (0..input.source_regions * input.energy_groups).map(|i| 0.5 + (i % 9) as f32 * 0.1).collect();
        let segments: Vec<Segment> = (0..n).map(|i| Segment { region: (i * 5 % 7) as u32, interval: (i * 3 % 5) as u32, length: 0.1 + (i % 11) as f32 * 0.7 }).collect();
        let mut psi: Vec<f32> = (0..n * 6).map(|i| (i % 17) as f32 * 0.1).collect();
        attenuate(&input, &segments, &sigma_t, &source, &mut psi, &ExpTable::new(5.0, 200));
        psi.into_iter().map(f64::from).collect()
    }
}
port!(simplemoc: [run(0), run(1), run(33)].map(|all| all.into_iter().map(|v| v as f32).collect::<Vec<f32>>()));
