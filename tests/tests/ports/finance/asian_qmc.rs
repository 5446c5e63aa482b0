//! Barrier and Asian options by quasi-random paths: Sobol numbers, the inverse normal, payoffs as an enum with data.
use omp_tests::twice;

twice! {
    const DIMS: usize = 6;
    #[derive(Clone, Copy, omp::Device)]
    pub struct Sobol { v: [[u32; 32]; DIMS] }
    #[omp::declare_target]
    impl Sobol {
        fn new() -> Self {
            const POLY: [(u32, u32, [u32; 4]); DIMS] = [(0, 0, [0; 4]), (1, 0, [1, 0, 0, 0]), (2, 1, [1, 3, 0, 0]), (3, 1, [1, 3, 1, 0]), (3, 2, [1, 1, 1, 0]), (4, 1, [1, 1, 3, 3])];
            let mut v = [[0; 32]; DIMS];
            for (d, &(s, a, m)) in POLY.iter().enumerate() {
                for i in 0..32 {
                    v[d][i] = if d == 0 {
                        1 << (31 - i)
                    } else if i < s as usize {
                        m[i] << (31 - i)
                    } else {
                        let s = s as usize;
                        let mut x = v[d][i - s] ^ (v[d][i - s] >> s);
                        for k in 1..s { if a >> (s - 1 - k) & 1 == 1 { x ^= v[d][i - k]; } }
                        x
                    };
                }
            }
            Sobol { v }
        }
        fn point(&self, index: u32) -> [f64; DIMS] {
            let gray = index ^ (index >> 1);
            self.v.map(|dir| {
                let bits = dir.iter().enumerate().filter(|(k, _)| gray >> k & 1 == 1).fold(0, |acc, (_, d)| acc ^ d);
                (bits as f64 + 0.5) / 4294967296.0
            })
        }
    }

    #[omp::declare_target]
    fn inverse_normal(p: f64) -> f64 {
        const A: [f64; 4] = [2.50662823884, -18.61500062529, 41.39119773534, -25.44106049637];
        const B: [f64; 4] = [-8.47351093090, 23.08336743743, -21.06224101826, 3.13082909833];
        const C: [f64; 9] = [0.3374754822726147, 0.9761690190917186, 0.1607979714918209, 0.0276438810333863, 0.0038405729373609, 0.0003951896511919, 0.0000321767881768, 0.0000002888167364, 0.0000003960315187];
        let y = p - 0.5;
        if y.abs() < 0.42 {
            let r = y * y;
            let poly = |c: &[f64; 4]| c.iter().rev().fold(0.0, |acc, k| acc * r + k);
            return y * poly(&A) / (poly(&B) * r + 1.0);
        }
        let r = (-(if y > 0.0 { 1.0 - p } else { p }).ln()).ln();
        let x = C.iter().rfold(0.0, |acc, c| acc * r + c);
        x.copysign(y)
    }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    #[repr(u8)]
    pub enum Payoff { Asian { strike: f64 }, UpAndOut { strike: f64, barrier: f64 }, Lookback, Digital(f64, f64) }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Market { spot: f64, rate: f64, vol: f64, maturity: f64 }

    #[omp::declare_target]
    impl Payoff {
        fn value(&self, path: &[f64; DIMS]) -> f64 {
            let last = path[DIMS - 1];
            match *self {
                Payoff::Asian { strike } => (path.iter().sum::<f64>() / path.len() as f64 - strike).max(0.0),
                Payoff::UpAndOut { barrier, .. } if path.iter().any(|&s| s >= barrier) => 0.0,
                Payoff::UpAndOut { strike, .. } => (last - strike).max(0.0),
                Payoff::Lookback => last - path.iter().copied().fold(f64::INFINITY, f64::min),
                Payoff::Digital(strike, cash) => if last > strike { cash } else { 0.0 },
            }
        }
    }

    pub fn price(market: Market, payoff: Payoff, paths: u32) -> f64 {
        let sobol = Sobol::new();
        let dt = market.maturity / DIMS as f64;
        let drift = (market.rate - 0.5 * market.vol.powi(2)) * dt;
        let mut sum = 0.0;
        #[omp::target(reduction(+: sum))]
        for n in 0..paths {
            let mut s = market.spot;
            let path = sobol.point(n).map(|u| {
                s *= (drift + market.vol * dt.sqrt() * inverse_normal(u)).exp();
                s
            });
            sum += payoff.value(&path);
        }
        (-market.rate * market.maturity).exp() * sum / paths as f64
    }
    pub fn run() -> Vec<f64> {
        let m = Market { spot: 100.0, rate: 0.03, vol: 0.25, maturity: 1.0 };
        [Payoff::Asian { strike: 98.0 }, Payoff::UpAndOut { strike: 95.0, barrier: 130.0 }, Payoff::Lookback, Payoff::Digital(100.0, 10.0)].map(|p| price(m, p, 500)).to_vec()
    }
}
port!(asian_qmc: run());
