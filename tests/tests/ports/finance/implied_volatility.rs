//! Finance: implied volatility by a Newton step with a fallback, Greeks by differences, yield curves.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Quote { spot: f64, strike: f64, years: f64, price: f64 }

    #[omp::declare_target]
    fn phi(x: f64) -> f64 {
        let t = 1.0 / (1.0 + 0.2316419 * x.abs());
        const A: [f64; 5] = [0.319381530, -0.356563782, 1.781477937, -1.821255978, 1.330274429];
        let poly = A.iter().rev().fold(0.0, |acc, a| (acc + a) * t);
        let tail = (-0.5 * x * x).exp() * 0.3989422804014327 * poly;
        if x >= 0.0 { 1.0 - tail } else { tail }
    }

    #[omp::declare_target]
    impl Quote {
        fn call(&self, vol: f64, rate: f64) -> f64 {
            let root = vol * self.years.sqrt();
            let d1 = ((self.spot / self.strike).ln() + (rate + 0.5 * vol * vol) * self.years) / root;
            self.spot * phi(d1) - self.strike * (-rate * self.years).exp() * phi(d1 - root)
        }
    }

    #[omp::declare_target]
    fn derivative<F: Fn(f64) -> f64>(f: F, x: f64, h: f64) -> f64 { (f(x + h) - f(x - h)) / (2.0 * h) }

    #[omp::declare_target]
    fn solve(f: &dyn Fn(f64) -> f64, lo: f64, hi: f64, guess: f64) -> f64 {
        let (mut lo, mut hi, mut x) = (lo, hi, guess);
        for _ in 0..60 {
            let v = f(x);
            if v.abs() < 1e-12 { return x; }
            if v > 0.0 { hi = x } else { lo = x }
            let step = x - v / derivative(|x| f(x), x, 1e-5);
            x = if step > lo && step < hi { step } else { 0.5 * (lo + hi) };
        }
        x
    }

    pub fn implied(vols: &mut [f64], quotes: &[Quote], rate: f64) {
        #[omp::target]
        for (vol, q) in vols.iter_mut().zip(quotes) {
            *vol = solve(&|v| q.call(v, rate) - q.price, 0.01, 3.0, 0.3);
        }
    }

    pub fn greeks(out: &mut [[f64; 2]], quotes: &[Quote], rate: f64) {
        #[omp::target]
        for i in 0..out.len() {
            let q = quotes[i];
            let delta = derivative(|s| Quote { spot: s, ..q }.call(0.2, rate), q.spot, 0.01);
            let vega = derivative(|v| q.call(v, rate), 0.2, 1e-4);
            out[i] = [delta, vega];
        }
    }

    pub fn run() -> (Vec<f64>, Vec<[f64; 2]>) {
        let quotes: Vec<Quote> = (0..40)
            .map(|i| Quote { spot: 100.0, strike: 80.0 + i as f64, years: 0.5 + i as f64 * 0.05, price: 25.0 - i as f64 * 0.3 })
            .collect();
        let (mut v, mut g) = (vec![0.0; 40], vec![[0.0; 2]; 40]);
        implied(&mut v, &quotes, 0.02);
        greeks(&mut g, &quotes, 0.02);
        (v.iter().map(|v| (v * 1e5).round()).collect(), g.iter().map(|g| g.map(|v| (v * 1e4).round())).collect())
    }
}
port!(implied: run());
