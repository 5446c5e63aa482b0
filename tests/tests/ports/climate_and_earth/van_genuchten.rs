//! Soil hydraulics (van Genuchten / Brooks-Corey): per-cell closures by soil type.
use omp_tests::twice;

twice! {
    #[repr(u8)]
    #[derive(Clone, Copy, Debug, omp::Device)]
    enum Soil {
        VanGenuchten { alpha: f64, n: f64, theta_r: f64, theta_s: f64 },
        BrooksCorey { psi_b: f64, lambda: f64, theta_r: f64, theta_s: f64 },
        Impermeable,
    }

    #[derive(Clone, Copy, Default, Debug, PartialEq, omp::Device)]
    struct Props {
        theta: f64,
        k: f64,
        c: f64,
    }

    #[omp::declare_target]
    impl Soil {
        fn saturation(&self, psi: f64) -> f64 {
            match *self {
                _ if psi >= 0.0 => 1.0,
                Soil::VanGenuchten { alpha, n, .. } => {
                    let m = 1.0 - 1.0 / n;
                    (1.0 + (alpha * -psi).powf(n)).powf(-m)
                }
                Soil::BrooksCorey { psi_b, lambda, .. } if psi < psi_b => (psi_b / psi).powf(lambda),
                Soil::BrooksCorey { .. } => 1.0,
                Soil::Impermeable => 0.0,
            }
        }

        fn props(&self, psi: f64, ks: f64) -> Option<Props> {
            let se = self.saturation(psi);
            let (theta_r, theta_s) = match self {
                Self::VanGenuchten { theta_r, theta_s, .. } | Self::BrooksCorey { theta_r, theta_s, .. } => (*theta_r, *theta_s),
                Self::Impermeable => return None,
            };
            let k = match self {
                Soil::VanGenuchten { n, .. } => {
                    let m = 1.0 - 1.0 / n;
                    ks * se.sqrt() * (1.0 - (1.0 - se.powf(1.0 / m)).powf(m)).powi(2)
                }
                Soil::BrooksCorey { lambda, .. } => ks * se.powf(3.0 + 2.0 / lambda),
                Soil::Impermeable => unreachable!(),
            };
            let c = if psi < 0.0 { (theta_s - theta_r) * (se - self.saturation(psi - 1e-3)) / 1e-3 } else { 0.0 };
            Some(Props { theta: theta_r + (theta_s - theta_r) * se, k, c })
        }
    }

    #[omp::target]
    fn update(soils: &[Soil], layer: &[u8], psi: &[f64], ks: &[f64], out: &mut [Props]) {
        for (((&l, &psi), &ks), out) in layer.iter().zip(psi).zip(ks).zip(out.iter_mut()) {
            *out = soils[l as usize].props(psi, ks).unwrap_or_default();
        }
    }

    pub fn run(n: usize) -> Vec<f64> {
        let soils = [
            Soil::VanGenuchten { alpha: 0.036, n: 1.56, theta_r: 0.078, theta_s: 0.43 },
            Soil::BrooksCorey { psi_b: -20.0, lambda: 0.4, theta_r: 0.05, theta_s: 0.4 },
            Soil::Impermeable,
        ];
        let layer: Vec<u8> = (0..n).map(|i| (i % 3) as u8).collect();
        let psi: Vec<f64> = (0..n).map(|i| 5.0 - 1.7 * (i % 97) as f64).collect();
        let ks: Vec<f64> = (0..n).map(|i| 1.0 + (i % 7) as f64).collect();
        let mut out = vec![Props::default(); n];
        update(&soils, &layer, &psi, &ks, &mut out);
        out.iter().flat_map(|p| [p.theta, p.k, p.c]).collect()
    }
}
port!(van_genuchten: (run(0), run(1), run(33)));
