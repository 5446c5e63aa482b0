//! SHOC S3D: forward and reverse rates of a reaction table for every cell.
use omp_tests::twice;

twice! {
    pub const NSPEC: usize = 4;
    pub type Species = [f64; NSPEC];

    #[derive(Clone, Copy, omp::Device)]
    pub struct Arrhenius { a: f64, beta: f64, ea: f64 }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Reaction { rate: Arrhenius, nu_f: [i32; NSPEC], nu_b: [i32; NSPEC] }

    #[omp::declare_target]
    impl Arrhenius {
        const R: f64 = 8.314;
        fn k(&self, t: f64) -> f64 { self.a * t.powf(self.beta) * (-self.ea / (Self::R * t)).exp() }
    }

    #[omp::declare_target]
    impl Reaction {
        fn order(nu: &[i32; NSPEC], c: &Species) -> f64 {
            nu.iter().zip(c).filter(|(n, _)| **n > 0).map(|(&n, &c)| c.powi(n)).product()
        }
        fn progress(&self, t: f64, c: &Species) -> f64 {
            let kf = self.rate.k(t);
            let kb = kf / (1.0 + 0.01 * t.sqrt());
            kf * Self::order(&self.nu_f, c) - kb * Self::order(&self.nu_b, c)
        }
    }

    pub fn rates(mech: &[Reaction], temp: &[f64], conc: &[Species]) -> Vec<Species> {
        let mut wdot = vec![[0.0; NSPEC]; temp.len()];
        #[omp::target]
        for ((w, &t), c) in wdot.iter_mut().zip(temp).zip(conc) {
            let mut acc = [0.0; NSPEC];
            for r in mech {
                let q = r.progress(t, c);
                for s in 0..NSPEC {
                    acc[s] += q * f64::from(r.nu_b[s] - r.nu_f[s]);
                }
            }
            *w = acc;
        }
        wdot
    }

    pub fn run() -> Vec<Species> {
        let mech = [
            Reaction { rate: Arrhenius { a: 1e3, beta: 0.5, ea: 8e3 }, nu_f: [1, 1, 0, 0], nu_b: [0, 0, 1, 0] },
            Reaction { rate: Arrhenius { a: 4e2, beta: 0.0, ea: 4e3 }, nu_f: [2, 0, 0, 0], nu_b: [0, 0, 0, 1] },
            Reaction { rate: Arrhenius { a: 1e1, beta: 1.0, ea: 1e4 }, nu_f: [0, 0, 1, 1], nu_b: [1, 1, 0, 0] },
        ];
        let n = 40;
        let temp: Vec<f64> = (0..n).map(|i| 300.0 + 10.0 * i as f64).collect();
        let conc: Vec<Species> = (0..n).map(|i| std::array::from_fn(|s| 0.1 + 0.01 * (i * (s + 1) % 7) as f64)).collect();
        rates(&mech, &temp, &conc)
    }
}
port!(s3d_rates: run());
