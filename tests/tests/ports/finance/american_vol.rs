//! Implied volatilities of American options: a CRR lattice inside of a bracketed root search.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    #[repr(u8)]
    pub enum VolError {
        BelowIntrinsic,
        NotBracketed,
        BadLattice,
        NoConvergence,
    }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    #[repr(u8)]
    pub enum Outcome {
        Pending,
        Vol { sigma: f64, evaluations: u32 },
        Failed(VolError),
    }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    #[repr(u8)]
    pub enum Contract {
        Call { strike: f64 },
        Put { strike: f64 },
        /// Long a put at `low` and a call at `high`.
        Strangle { low: f64, high: f64 },
    }

    #[omp::declare_target]
    impl Contract {
        fn payoff(self, spot: f64) -> f64 {
            match self {
                Contract::Call { strike } => (spot - strike).max(0.0),
                Contract::Put { strike } => (strike - spot).max(0.0),
                Contract::Strangle { low, high } if spot < low || spot > high => (low - spot).max(spot - high),
                Contract::Strangle { .. } => 0.0,
            }
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Quote {
        pub contract: Contract,
        pub spot: f64,
        pub years: f64,
        pub price: f64,
    }

    const STEPS: usize = 48;

    #[omp::declare_target]
    pub fn crr(q: &Quote, rate: f64, sigma: f64) -> Result<f64, VolError> {
        let dt = q.years / STEPS as f64;
        let up = (sigma * dt.sqrt()).exp();
        let growth = (rate * dt).exp();
        let p = (growth - 1.0 / up) / (up - 1.0 / up);
        if !(0.0..=1.0).contains(&p) {
            return Err(VolError::BadLattice);
        }
        let node = |level: usize, ups: usize| q.spot * up.powi(2 * ups as i32 - level as i32);
        let mut value = [0.0; STEPS + 1];
        for (ups, v) in value.iter_mut().enumerate() {
            *v = q.contract.payoff(node(STEPS, ups));
        }
        for level in (0..STEPS).rev() {
            for ups in 0..=level {
                let hold = (p * value[ups + 1] + (1.0 - p) * value[ups]) / growth;
                value[ups] = hold.max(q.contract.payoff(node(level, ups)));
            }
        }
        Ok(value[0])
    }

    /// Illinois variant of regula falsi on [lo, hi].
    #[omp::declare_target]
    fn illinois(f: impl Fn(f64) -> Result<f64, VolError>, (mut lo, mut hi): (f64, f64)) -> Result<(f64, u32), VolError> {
        let (mut flo, mut fhi) = (f(lo)?, f(hi)?);
        if flo * fhi > 0.0 {
            return Err(VolError::NotBracketed);
        }
        for n in 3..80u32 {
            let x = (lo * fhi - hi * flo) / (fhi - flo);
            let fx = f(x)?;
            if fx.abs() < 1e-9 {
                return Ok((x, n));
            }
            if fx * fhi < 0.0 {
                (lo, flo) = (hi, fhi);
            } else {
                flo *= 0.5;
            }
            (hi, fhi) = (x, fx);
        }
        Err(VolError::NoConvergence)
    }

    #[omp::declare_target]
    fn implied(q: &Quote, rate: f64) -> Result<Outcome, VolError> {
        let exercise = q.contract.payoff(q.spot);
        (q.price > exercise).then_some(()).ok_or(VolError::BelowIntrinsic)?;
        let (sigma, evaluations) = illinois(|s| crr(q, rate, s).map(|v| v - q.price), (0.05, 1.5))?;
        Ok(Outcome::Vol { sigma, evaluations })
    }

    pub fn surface(quotes: &[Quote], rate: f64, out: &mut [Outcome]) {
        #[omp::target(schedule(dynamic))]
        for (q, slot) in quotes.iter().zip(out.iter_mut()) {
            *slot = implied(q, rate).unwrap_or_else(Outcome::Failed);
        }
    }

    pub fn failures(out: &[Outcome]) -> (usize, f64) {
        let mut failed = 0usize;
        let mut top = 0.0f64;
        #[omp::target(reduction(+: failed), reduction(max: top))]
        for o in out {
            match *o {
                Outcome::Vol { sigma, .. } => top = top.max(sigma),
                Outcome::Failed(VolError::BelowIntrinsic | VolError::NotBracketed) => failed += 1,
                _ => {}
            }
        }
        (failed, top)
    }
}
port!(american_vol: crate::Shown::of({
    let quotes: Vec<Quote> = (0..36)
        .map(|i| {
            let k = 80.0 + 5.0 * (i % 9) as f64;
            let contract = match i % 3 {
                0 => Contract::Call { strike: k },
                1 => Contract::Put { strike: k },
                _ => Contract::Strangle { low: k - 10.0, high: k + 5.0 },
            };
            let mut q = Quote { contract, spot: 100.0, years: 0.25 + 0.25 * (i / 9) as f64, price: 0.0 };
            q.price = match i {
                7 => 0.5e-12,
                20 => 95.0,
                _ => crr(&q, 0.03, 0.15 + 0.01 * i as f64).unwrap(),
            };
            q
        })
        .collect();
    let mut out = vec![Outcome::Pending; quotes.len()];
    surface(&quotes, 0.03, &mut out);
    let (failed, top) = failures(&out);
    let rounded: Vec<_> = out
        .iter()
        .map(|o| match *o {
            Outcome::Vol { sigma, .. } => Ok((sigma * 1e6).round() as i64),
            Outcome::Failed(e) => Err(Some(e)),
            Outcome::Pending => Err(None),
        })
        .collect();
    (rounded, failed, (top * 1e6).round() as i64)
}));
