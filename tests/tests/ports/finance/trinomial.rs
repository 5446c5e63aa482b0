//! Finance: American and barrier options on trinomial trees, one tree an option.
use omp_tests::twice;

twice! {
    pub const STEPS: usize = 40;

    #[derive(Clone, Copy, Debug, omp::Device)]
    #[repr(u8)]
    pub enum Kind {
        European,
        American,
        KnockOut { barrier: f64, rebate: f64 },
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    pub enum Side { Call, Put }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Contract { kind: Kind, side: Side, strike: f64, expiry: f64 }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Market { spot: f64, rate: f64, dividend: f64, vol: f64 }

    #[omp::declare_target]
    impl Side {
        fn payoff(&self, s: f64, k: f64) -> f64 {
            match self {
                Side::Call => s - k,
                Side::Put => k - s,
            }
            .max(0.0)
        }
    }

    #[omp::declare_target]
    fn price(c: &Contract, m: &Market) -> f64 {
        let dt = c.expiry / STEPS as f64;
        let dx = m.vol * (3.0 * dt).sqrt();
        let nu = m.rate - m.dividend - 0.5 * m.vol.powi(2);
        let drift = nu * dt / dx;
        let var = (m.vol * m.vol * dt + nu * nu * dt * dt) / (dx * dx);
        let disc = (-m.rate * dt).exp();
        let (pu, pm, pd) = (disc * 0.5 * (var + drift), disc * (1.0 - var), disc * 0.5 * (var - drift));
        let node = |j: i32| m.spot * (f64::from(j) * dx).exp();

        let mut v = [0.0; 2 * STEPS + 1];
        for (slot, j) in v.iter_mut().zip(-(STEPS as i32)..) {
            *slot = c.side.payoff(node(j), c.strike);
        }
        for step in (0..STEPS).rev() {
            let mut down = v[STEPS - step - 1];
            for j in -(step as i32)..=step as i32 {
                let at = (j + STEPS as i32) as usize;
                let hold = pu * v[at + 1] + pm * v[at] + pd * down;
                down = v[at];
                v[at] = match c.kind {
                    Kind::European => hold,
                    Kind::American => hold.max(c.side.payoff(node(j), c.strike)),
                    Kind::KnockOut { barrier, rebate } if node(j) >= barrier => rebate,
                    Kind::KnockOut { .. } => hold,
                };
            }
        }
        v[STEPS]
    }

    pub fn book(contracts: &[Contract], market: &Market) -> (Vec<f64>, f64) {
        let mut prices = vec![0.0; contracts.len()];
        let mut total = 0.0;
        #[omp::target(reduction(+: total))]
        for (p, c) in prices.iter_mut().zip(contracts) {
            *p = price(c, market);
            total += *p;
        }
        (prices, total)
    }

    pub fn run() -> (Vec<f64>, f64) {
        let contracts: Vec<Contract> = (0..36)
            .map(|i| Contract {
                kind: match i % 3 { 0 => Kind::European, 1 => Kind::American, _ => Kind::KnockOut { barrier: 130.0, rebate: 2.0 } },
                side: if i % 2 == 0 { Side::Call } else { Side::Put },
                strike: 80.0 + i as f64,
                expiry: 0.25 + 0.05 * i as f64,
            })
            .collect();
        book(&contracts, &Market { spot: 100.0, rate: 0.03, dividend: 0.01, vol: 0.25 })
    }
}
port!(trinomial: run());
