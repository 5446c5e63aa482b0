//! Cloud microphysics in columns: saturation adjustment, autoconversion, sedimentation with substeps, radiation by bands.
use omp_tests::twice;
twice! {
    pub const LEVELS: usize = 20;

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Parcel { pub t: f64, pub qv: f64, pub qc: f64, pub qr: f64, pub p: f64 }

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Budget { pub rain: f64, pub latent: f64, pub clipped: u32 }

    #[omp::declare_reduction(+: Budget, identity = Budget { rain: 0.0, latent: 0.0, clipped: 0 })]
    impl std::ops::Add for Budget {
        type Output = Budget;
        fn add(self, o: Budget) -> Budget { Budget { rain: self.rain + o.rain, latent: self.latent + o.latent, clipped: self.clipped + o.clipped } }
    }

    const LV: f64 = 2.5e6;
    const CP: f64 = 1004.0;

    #[omp::declare_target]
    impl Parcel {
        fn saturation(&self) -> f64 {
            let es = 611.2 * (17.67 * (self.t - 273.15) / (self.t - 29.65)).exp();
            0.622 * es / (self.p - 0.378 * es).max(1.0)
        }

        fn adjust(&mut self) -> f64 {
            let start = self.qc;
            for _ in 0..4 {
                let qs = self.saturation();
                let dqs = qs * 17.67 * 243.5 / (self.t - 29.65).powi(2);
                let condensed = ((self.qv - qs) / (1.0 + LV / CP * dqs)).max(-self.qc);
                self.qv -= condensed;
                self.qc += condensed;
                self.t += LV / CP * condensed;
                if condensed.abs() < 1e-12 {
                    break;
                }
            }
            self.qc - start
        }

        fn collect(&mut self, dt: f64) {
            let auto = (1e-3 * (self.qc - 5e-4)).max(0.0);
            let accretion = 2.2 * self.qc * self.qr.max(0.0).powf(0.875);
            let moved = ((auto + accretion) * dt).min(self.qc);
            self.qc -= moved;
            self.qr += moved;
        }

        fn density(&self) -> f64 { self.p / (287.0 * self.t) }
        fn fall_speed(&self) -> f64 { if self.qr > 1e-10 { 36.34 * (1e-3 * self.density() * self.qr).powf(0.1346) } else { 0.0 } }
    }

    pub fn microphysics(columns: &mut [[Parcel; LEVELS]], dz: f64, dt: f64, surface: &mut [f64]) -> Budget {
        let mut budget = Budget::default();
        #[omp::target(reduction(+: budget))]
        for (column, rain) in columns.iter_mut().zip(surface.iter_mut()) {
            let mut local = Budget::default();
            for parcel in column.iter_mut() {
                local.latent += parcel.adjust();
                parcel.collect(dt);
            }
            let fastest = column.iter().map(|p| p.fall_speed()).fold(0.0, f64::max);
            let substeps = ((fastest * dt / dz).ceil() as usize).max(1);
            let h = dt / substeps as f64;
            for _ in 0..substeps {
                let flux: [f64; LEVELS] = column.map(|p| p.density() * p.qr * p.fall_speed());
                local.rain += flux[0] * h;
                for k in 0..LEVELS {
                    let above = flux.get(k + 1).copied().unwrap_or(0.0);
                    let p = &mut column[k];
                    p.qr += h / dz * (above - flux[k]) / p.density();
                    if p.qr < 0.0 {
                        p.qr = 0.0;
                        local.clipped += 1;
                    }
                }
            }
            *rain += local.rain;
            budget = budget + local;
        }
        budget
    }

    pub fn run() -> (Vec<f64>, Budget) {
        let mut columns: Vec<[Parcel; LEVELS]> = (0..6).map(|c| std::array::from_fn(|k| {
            let p = 1e5 * (-(k as f64) * 0.04).exp();
            Parcel { t: 295.0 - 2.5 * k as f64, qv: (0.018 + 0.001 * c as f64) * (-(k as f64) * 0.12).exp(), qc: 0.0, qr: 0.0, p }
        })).collect();
        let mut rain = vec![0.0; 6];
        let mut total = Budget::default();
        for _ in 0..8 {
            let b = microphysics(&mut columns, 400.0, 60.0, &mut rain);
            total = total + b;
        }
        (rain, total)
    }
}
port!(microphysics: crate::Shown::of(run()));
