//! Synthetic CDO tranche spreads in the one-factor Gaussian copula (Hull-White recursion).
use omp_tests::twice;

twice! {
    const NAMES: usize = 40;
    const NODES: usize = 24;

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Probability(f64);

    impl Probability {
        pub fn new(p: f64) -> Option<Self> {
            (0.0..=1.0).contains(&p).then_some(Probability(p))
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Tranche {
        pub attach: f64,
        pub detach: f64,
    }

    #[omp::declare_target]
    impl Tranche {
        #[inline]
        fn loss(&self, portfolio: f64) -> f64 {
            (portfolio.min(self.detach) - self.attach).max(0.0) / (self.detach - self.attach)
        }
    }

    #[omp::declare_target]
    fn normal_cdf(x: f64) -> f64 {
        const A: [f64; 5] = [0.319381530, -0.356563782, 1.781477937, -1.821255978, 1.330274429];
        let t = 1.0 / (1.0 + 0.2316419 * x.abs());
        let poly = A.iter().rev().fold(0.0, |acc, a| (acc + a) * t);
        let tail = poly * (-0.5 * x * x).exp() * 0.398_942_280_401_432_7;
        if x >= 0.0 { 1.0 - tail } else { tail }
    }

    /// Inverse by safeguarded bisection; a threshold is found once per name, so speed is no matter.
    #[omp::declare_target]
    fn normal_quantile(p: Probability) -> f64 {
        let (mut lo, mut hi) = (-8.0, 8.0);
        while hi - lo > 1e-12 {
            let mid = 0.5 * (lo + hi);
            if normal_cdf(mid) < p.0 { lo = mid } else { hi = mid }
        }
        0.5 * (lo + hi)
    }

    #[omp::declare_target]
    fn integrate<F>(f: F) -> f64
    where
        F: Fn(f64) -> f64,
    {
        // Midpoints of the truncated factor density.
        let h = 10.0 / NODES as f64;
        let (value, mass) = (0..NODES)
            .map(|k| -5.0 + h * (k as f64 + 0.5))
            .map(|m| (m, (-0.5 * m * m).exp()))
            .fold((0.0, 0.0), |(v, w), (m, density)| (v + density * f(m), w + density));
        value / mass
    }

    /// Distribution of the number of defaults given independent default probabilities.
    #[omp::declare_target]
    fn defaults(probabilities: impl Iterator<Item = f64>) -> [f64; NAMES + 1] {
        let mut dist = [0.0; NAMES + 1];
        dist[0] = 1.0;
        for (done, p) in probabilities.take(NAMES).enumerate() {
            for k in (0..=done).rev() {
                let moved = dist[k] * p;
                dist[k] -= moved;
                dist[k + 1] += moved;
            }
        }
        dist
    }

    /// Expected tranche losses, `losses[date * tranches.len() + tranche]`.
    pub fn expected_losses(
        hazard: &[f64],
        dates: &[f64],
        tranches: &[Tranche],
        rho: f64,
        recovery: f64,
        losses: &mut [f64],
    ) {
        let mut thresholds = vec![0.0; dates.len() * NAMES];
        #[omp::target(collapse(2))]
        for d in 0..dates.len() {
            for name in 0..NAMES {
                let p = 1.0 - (-hazard[name] * dates[d]).exp();
                thresholds[d * NAMES + name] = normal_quantile(Probability(p));
            }
        }

        let unit = (1.0 - recovery) / NAMES as f64;
        let (load, idio) = (rho.sqrt(), (1.0 - rho).sqrt());
        #[omp::target(schedule(dynamic))]
        for (cell, out) in losses.iter_mut().enumerate() {
            let (date, which) = (cell / tranches.len(), cell % tranches.len());
            let tranche = tranches[which];
            let barrier = &thresholds[date * NAMES..][..NAMES];
            *out = integrate(|m| {
                let given = barrier.iter().map(|c| normal_cdf((c - load * m) / idio));
                let dist = defaults(given);
                dist.iter().enumerate().map(|(k, p)| p * tranche.loss(unit * k as f64)).sum()
            });
        }
    }

    /// Fair running spread of each tranche; `None` where the premium leg is worthless.
    pub fn spreads(losses: &[f64], dates: &[f64], rate: f64, out: &mut [Option<f64>]) {
        let n = out.len();
        #[omp::target]
        for (j, slot) in out.iter_mut().enumerate() {
            let (mut protection, mut premium) = (0.0, 0.0);
            let (mut last_loss, mut last_date) = (0.0, 0.0);
            for (row, &t) in losses.chunks_exact(n).zip(dates) {
                let discount = (-rate * t).exp();
                protection += discount * (row[j] - last_loss);
                premium += discount * (t - last_date) * (1.0 - 0.5 * (row[j] + last_loss));
                (last_loss, last_date) = (row[j], t);
            }
            *slot = if premium > 1e-9 { Some(protection / premium) } else { None };
        }
    }
}
port!(cdo_tranches: crate::Shown::of({
    let hazard: Vec<f64> = (0..40).map(|i| 0.004 + 0.0007 * ((i * 7) % 13) as f64).collect();
    let dates: Vec<f64> = (1..=10).map(|i| 0.5 * i as f64).collect();
    let tranches: Vec<_> = [(0.0, 0.03), (0.03, 0.06), (0.06, 0.09), (0.09, 0.12), (0.12, 0.22)]
        .iter()
        .map(|&(attach, detach)| Tranche { attach, detach })
        .collect();
    let mut losses = vec![0.0; dates.len() * tranches.len()];
    expected_losses(&hazard, &dates, &tranches, 0.3, 0.4, &mut losses);
    let mut out = vec![None; tranches.len()];
    spreads(&losses, &dates, 0.03, &mut out);
    (
        Probability::new(1.5).is_none(),
        losses.iter().map(|v| (v * 1e8).round() as i64).collect::<Vec<_>>(),
        out.iter().map(|s| s.map(|v| (v * 1e8).round() as i64)).collect::<Vec<_>>(),
    )
}));
