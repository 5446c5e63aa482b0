//! Trades: bars of a number of trades each, and volumes by price level.
use omp_tests::{compare, twice};

twice! {
    use std::ops::RangeInclusive;
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, omp::Device)]
    pub enum Side { Bid, Ask }
    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Trade { pub price: u32, pub size: u32, pub side: Side }
    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Bar { open: u32, high: u32, low: u32, close: u32, volume: u64, imbalance: i64 }
    #[omp::declare_target]
    impl Bar {
        fn of(trades: &[Trade]) -> Option<Bar> {
            let (first, last) = (trades.first()?, trades.last()?);
            Some(trades.iter().fold(Bar { open: first.price, high: first.price, low: first.price, close: last.price, ..Bar::default() }, |bar, t| Bar {
                high: bar.high.max(t.price),
                low: bar.low.min(t.price),
                volume: bar.volume + u64::from(t.size),
                imbalance: bar.imbalance + match t.side { Side::Bid => -i64::from(t.size), Side::Ask => i64::from(t.size) },
                ..bar
            }))
        }
    }
    pub fn bars(d: usize, trades: &[Trade], size: usize) -> Vec<Bar> {
        let mut bars = vec![Bar::default(); trades.len().div_ceil(size)];
        #[omp::target(device(d))]
        for (bar, part) in bars.iter_mut().zip(trades.chunks(size)) {
            *bar = Bar::of(part).unwrap_or_default();
        }
        bars
    }
    pub fn profile(d: usize, trades: &[Trade], levels: RangeInclusive<u32>) -> Vec<(u32, u64)> {
        let mut out = vec![(0, 0); levels.clone().count()];
        let low = *levels.start();
        #[omp::target(device(d))]
        for level in levels {
            let volume = trades.iter().filter(|t| t.price == level).map(|t| u64::from(t.size)).sum();
            out[(level - low) as usize] = (level, volume);
        }
        out
    }
}

#[test]
fn trade_bars() {
    compare!(m, d => { let t: Vec<_> = (0..95u32).map(|i| m::Trade { price: 100 + i * i % 17, size: 1 + i % 9, side: if i % 3 == 0 { m::Side::Bid } else { m::Side::Ask } }).collect();
        (format!("{:?}", m::bars(d, &t, 10)), m::profile(d, &t, 99..=118)) });
}
