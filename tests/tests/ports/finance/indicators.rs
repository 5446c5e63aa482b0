//! Technical indicators of many series: running averages by `scan`, RSI, MACD crossings, maximum drawdown.
use omp_tests::{Values, twice};
twice! {
    #[derive(Clone, Copy, Debug, Default, omp::Device)]
    pub struct Summary { ema: f64, rsi: f64, drawdown: f64, crossings: u32, longest_rise: usize }

    #[omp::declare_target]
    fn ema(prices: &[f64], period: usize) -> f64 {
        let k = 2.0 / (period as f64 + 1.0);
        prices.iter().skip(1).fold(prices[0], |e, p| p * k + e * (1.0 - k))
    }

    #[omp::declare_target]
    fn rsi(prices: &[f64], period: usize) -> Option<f64> {
        let tail = prices.get(prices.len().checked_sub(period + 1)?..)?;
        let (gain, loss) = tail.windows(2).map(|w| w[1] - w[0]).fold((0.0, 0.0), |(g, l), d| if d > 0.0 { (g + d, l) } else { (g, l - d) });
        if gain + loss == 0.0 {
            return None;
        }
        Some(100.0 * gain / (gain + loss))
    }

    #[omp::declare_target]
    fn max_drawdown(prices: &[f64]) -> f64 {
        prices
            .iter()
            .scan(f64::NEG_INFINITY, |peak, &p| {
                *peak = peak.max(p);
                Some((*peak - p) / *peak)
            })
            .fold(0.0, f64::max)
    }

    #[omp::declare_target]
    fn crossings(prices: &[f64], fast: usize, slow: usize) -> u32 {
        let alpha = |n: usize| 2.0 / (n + 1) as f64;
        let (af, al) = (alpha(fast), alpha(slow));
        let mut signs = prices.iter().scan((prices[0], prices[0]), |(f, s), &p| {
            *f += af * (p - *f);
            *s += al * (p - *s);
            Some(*f > *s)
        });
        let Some(mut last) = signs.next() else { return 0 };
        let mut n = 0;
        for s in signs {
            if s != last {
                n += 1;
            }
            last = s;
        }
        n
    }

    #[omp::declare_target]
    fn longest_rise(prices: &[f64]) -> usize {
        let mut best = 0;
        let mut run = 0;
        for pair in prices.windows(2) {
            let &[a, b] = pair else { unreachable!() };
            run = if b > a { run + 1 } else { 0 };
            best = best.max(run);
        }
        best
    }

    pub fn summarise(series: &[f64], len: usize) -> Vec<Summary> {
        let mut out = vec![Summary::default(); series.len() / len];
        #[omp::target]
        for (s, prices) in out.iter_mut().zip(series.chunks_exact(len)) {
            s.ema = ema(prices, 10);
            s.rsi = rsi(prices, 14).unwrap_or(50.0);
            s.drawdown = max_drawdown(prices);
            s.crossings = crossings(prices, 5, 12);
            s.longest_rise = longest_rise(prices);
        }
        out
    }

    pub fn sma(series: &[f64], window: usize) -> Vec<f64> {
        let mut out = vec![0.0; series.len() - window + 1];
        #[omp::target]
        for (o, w) in out.iter_mut().zip(series.windows(window)) {
            *o = w.iter().sum::<f64>() / w.len() as f64;
        }
        out
    }

    pub fn run() -> (Vec<([f64; 3], u32, usize)>, Vec<f64>) {
        let mut v = Values(21);
        let mut p = 100.0;
        let series: Vec<f64> = (0..60 * 8).map(|i| { if i % 60 == 0 { p = 100.0 } p *= 0.97 + 0.06 * v.unit(); p }).collect();
        (summarise(&series, 60).iter().map(|s| ([s.ema, s.rsi, s.drawdown], s.crossings, s.longest_rise)).collect(), sma(&series, 5))
    }
}
port!(indicators: run());
