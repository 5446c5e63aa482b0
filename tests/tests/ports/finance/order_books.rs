//! Market replay: each instrument's event stream runs through its own ladder order book.
use omp_tests::twice;

twice! {
    const LEVELS: usize = 64;

    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    #[repr(u8)]
    pub enum Side {
        Buy,
        Sell,
    }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    #[repr(u32)]
    pub enum Event {
        Limit { side: Side, tick: u16, qty: u32 },
        Cancel { side: Side, tick: u16, qty: u32 },
        Market { side: Side, qty: u32 },
        Clear,
    }

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Summary {
        pub trades: u32,
        pub volume: u64,
        pub notional: u64,
        pub best_bid: Option<u16>,
        pub best_ask: Option<u16>,
        pub widest: u16,
        pub rejected: u32,
    }

    #[derive(Clone, Copy, omp::Device)]
    struct Book {
        bid: [u32; LEVELS],
        ask: [u32; LEVELS],
        bid_bits: u64, // levels that hold something
        ask_bits: u64,
    }

    #[omp::declare_target]
    impl Side {
        fn other(self) -> Side {
            if self == Side::Buy { Side::Sell } else { Side::Buy }
        }
    }

    #[omp::declare_target]
    impl Book {
        const EMPTY: Book = Book { bid: [0; LEVELS], ask: [0; LEVELS], bid_bits: 0, ask_bits: 0 };

        fn best_bid(&self) -> Option<u16> {
            match self.bid_bits {
                0 => None,
                bits => Some(63 - bits.leading_zeros() as u16),
            }
        }

        fn best_ask(&self) -> Option<u16> {
            (self.ask_bits != 0).then(|| self.ask_bits.trailing_zeros() as u16)
        }

        fn best(&self, side: Side) -> Option<u16> {
            match side {
                Side::Buy => self.best_bid(),
                Side::Sell => self.best_ask(),
            }
        }

        fn set(&mut self, side: Side, tick: u16, qty: u32) {
            let (ladder, bits) = match side {
                Side::Buy => (&mut self.bid, &mut self.bid_bits),
                Side::Sell => (&mut self.ask, &mut self.ask_bits),
            };
            ladder[tick as usize] = qty;
            if qty > 0 {
                *bits |= 1 << tick;
            } else {
                *bits &= !(1 << tick);
            }
        }

        fn at(&self, side: Side, tick: u16) -> u32 {
            match side {
                Side::Buy => self.bid[tick as usize],
                Side::Sell => self.ask[tick as usize],
            }
        }

        /// Trades `qty` of an incoming order against the other side, down to `limit`; what is left.
        fn take(&mut self, side: Side, mut qty: u32, limit: Option<u16>, out: &mut Summary) -> u32 {
            let resting = side.other();
            while qty > 0 {
                let Some(tick) = self.best(resting) else { break };
                let crosses = match (side, limit) {
                    (_, None) => true,
                    (Side::Buy, Some(l)) => tick <= l,
                    (Side::Sell, Some(l)) => tick >= l,
                };
                if !crosses {
                    break;
                }
                let there = self.at(resting, tick);
                let fill = there.min(qty);
                self.set(resting, tick, there - fill);
                qty -= fill;
                out.trades += 1;
                out.volume += u64::from(fill);
                out.notional += u64::from(fill) * u64::from(tick);
            }
            qty
        }

        fn apply(&mut self, event: Event, out: &mut Summary) {
            match event {
                Event::Limit { side, tick, qty } => {
                    let rest = self.take(side, qty, Some(tick), out);
                    if rest > 0 {
                        self.set(side, tick, self.at(side, tick) + rest);
                    }
                }
                Event::Cancel { side, tick, qty } => match self.at(side, tick).checked_sub(qty) {
                    Some(left) => self.set(side, tick, left),
                    None => out.rejected += 1,
                },
                Event::Market { side, qty } => {
                    if self.take(side, qty, None, out) > 0 {
                        out.rejected += 1;
                    }
                }
                Event::Clear => *self = Self::EMPTY,
            }
        }
    }

    pub fn replay(events: &[Event], begin: &[u32], out: &mut [Summary]) {
        #[omp::target(map(to: events, begin), map(from: out))]
        for i in 0..out.len() {
            let mut book = Book::EMPTY;
            let mut summary = Summary::default();
            for event in &events[begin[i] as usize..begin[i + 1] as usize] {
                book.apply(*event, &mut summary);
                if let (Some(b), Some(a)) = (book.best_bid(), book.best_ask()) {
                    summary.widest = summary.widest.max(a - b);
                }
            }
            summary.best_bid = book.best_bid();
            summary.best_ask = book.best_ask();
            out[i] = summary;
        }
    }

    pub fn turnover(all: &[Summary]) -> (u64, u64, u32) {
        let (mut volume, mut notional, mut one_sided) = (0u64, 0u64, 0u32);
        #[omp::target(reduction(+: volume, notional, one_sided))]
        for s in all.iter() {
            volume += s.volume;
            notional += s.notional;
            one_sided += (s.best_bid.is_some() != s.best_ask.is_some()) as u32;
        }
        (volume, notional, one_sided)
    }
}
port!(order_books: crate::Shown::of({
    let mut seed = 12345u32;
    let mut roll = |n: u32| {
        seed ^= seed << 13;
        seed ^= seed >> 17;
        seed ^= seed << 5;
        seed % n
    };
    let mut events = Vec::new();
    let mut begin = vec![0u32];
    for i in 0..75u32 {
        for _ in 0..i * 4 {
            let side = if roll(2) == 0 { Side::Buy } else { Side::Sell };
            let tick = match side {
                Side::Buy => 12 + roll(24) as u16,
                Side::Sell => 28 + roll(24) as u16,
            };
            let qty = 1 + roll(90);
            events.push(match roll(40) {
                0 => Event::Clear,
                1..=4 => Event::Market { side, qty },
                5..=11 => Event::Cancel { side, tick, qty: qty / 3 },
                _ => Event::Limit { side, tick, qty },
            });
        }
        begin.push(events.len() as u32);
    }
    let mut out = vec![Summary::default(); 75];
    replay(&events, &begin, &mut out);
    let flat: Vec<_> = out
        .iter()
        .map(|s| (s.trades, s.volume, s.notional, s.best_bid, s.best_ask, s.widest, s.rejected))
        .collect();
    (flat, turnover(&out))
}));
