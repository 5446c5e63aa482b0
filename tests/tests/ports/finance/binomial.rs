//! American options on a binomial tree, their sensitivities, a portfolio's value.
use omp_tests::{Values, twice};
twice! {
    const STEPS: usize = 32;

    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    pub enum Kind { Call, Put }
    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    pub enum Exercise { European, American }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Contract { kind: Kind, exercise: Exercise, spot: f64, strike: f64, years: f64, vol: f64 }

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Greeks { price: f64, delta: f64, gamma: f64, vega: f64 }

    pub struct Market { rate: f64, dividend: f64 }

    #[omp::declare_target]
    impl Contract {
        fn payoff(&self, s: f64) -> f64 {
            match self.kind {
                Kind::Call => s - self.strike,
                Kind::Put => self.strike - s,
            }
            .max(0.0)
        }
        fn price(&self, rate: f64, dividend: f64) -> f64 {
            let dt = self.years / STEPS as f64;
            let u = (self.vol * dt.sqrt()).exp();
            let d = u.recip();
            let df = (-rate * dt).exp();
            let p = (((rate - dividend) * dt).exp() - d) / (u - d);
            let spot_at = |step: usize, ups: usize| self.spot * u.powi(2 * ups as i32 - step as i32);
            let mut values: [f64; STEPS + 1] = std::array::from_fn(|i| self.payoff(spot_at(STEPS, i)));
            for step in (0..STEPS).rev() {
                for i in 0..=step {
                    let hold = df * (p * values[i + 1] + (1.0 - p) * values[i]);
                    values[i] = match self.exercise {
                        Exercise::European => hold,
                        Exercise::American => hold.max(self.payoff(spot_at(step, i))),
                    };
                }
            }
            values[0]
        }
        fn greeks(&self, rate: f64, dividend: f64) -> Greeks {
            let bump = 0.01 * self.spot;
            let price = |c: Contract| c.price(rate, dividend);
            let mid = price(*self);
            let up = price(Contract { spot: self.spot + bump, ..*self });
            let down = price(Contract { spot: self.spot - bump, ..*self });
            let vega = (price(Contract { vol: self.vol + 0.01, ..*self }) - mid) / 0.01;
            Greeks { price: mid, delta: (up - down) / (2.0 * bump), gamma: (up - 2.0 * mid + down) / (bump * bump), vega }
        }
    }

    impl Market {
        pub fn value(&self, book: &[(Contract, i32)]) -> (Vec<Greeks>, f64) {
            let mut out = vec![Greeks::default(); book.len()];
            let mut total = 0.0;
            let &Market { rate, dividend } = self;
            #[omp::target(reduction(+: total))]
            for (g, &(contract, quantity)) in out.iter_mut().zip(book) {
                *g = contract.greeks(rate, dividend);
                total += f64::from(quantity) * g.price;
            }
            (out, total)
        }
    }

    pub fn run() -> (Vec<[f64; 4]>, f64) {
        let mut v = Values(21);
        let book: Vec<(Contract, i32)> = (0..24).map(|i| {
            let c = Contract {
                kind: if i % 2 == 0 { Kind::Call } else { Kind::Put },
                exercise: if i % 3 == 0 { Exercise::European } else { Exercise::American },
                spot: 100.0, strike: 80.0 + (v.bits() % 40) as f64, years: 0.5 + (i % 4) as f64 / 2.0, vol: 0.15 + (v.bits() % 20) as f64 / 100.0,
            };
            (c, (v.bits() % 20) as i32 - 10)
        }).collect();
        let (g, total) = Market { rate: 0.03, dividend: 0.01 }.value(&book);
        (g.iter().map(|g| [g.price, g.delta, g.gamma * 1e-3, g.vega]).collect(), total)
    }
}
port!(binomial: run());
