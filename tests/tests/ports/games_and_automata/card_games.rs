//! Monte Carlo of card games: shuffles on the stack, hands as bit sets, categories as an ordered enum.
use omp_tests::twice;
twice! {
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, omp::Device)]
    #[repr(u8)]
    pub enum Category { HighCard, Pair, TwoPair, Trips, Straight, Flush, FullHouse, Quads, StraightFlush }

    #[derive(Clone, Copy, Eq, Debug, omp::Device)]
    pub struct Card(u8);
    // (The derive's is not seen inside of a macro.)
    #[omp::declare_target]
    impl PartialEq for Card { fn eq(&self, o: &Card) -> bool { self.0 == o.0 } }

    #[omp::declare_target]
    impl Card {
        const fn rank(self) -> u8 { self.0 % 13 }
        const fn suit(self) -> u8 { self.0 / 13 }
    }

    #[derive(Clone, Copy, omp::Device)]
    struct XorShift64(u64);
    #[omp::declare_target]
    impl XorShift64 {
        fn next(&mut self) -> u64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            self.0
        }
        /// Lemire's bounded number.
        fn below(&mut self, n: u32) -> u32 { ((self.next() as u32 as u64 * n as u64) >> 32) as u32 }
        fn shuffle<const N: usize>(&mut self, deck: &mut [Card; N], draw: usize) {
            for i in 0..draw {
                let j = i + self.below((N - i) as u32) as usize;
                deck.swap(i, j);
            }
        }
    }

    #[omp::declare_target]
    fn straight_high(ranks: u16) -> Option<u8> {
        let wheel = ranks << 1 | ranks >> 12 & 1;
        (4..14u8).rev().find(|&h| wheel >> (h - 4) & 0b11111 == 0b11111).map(|h| h - 1)
    }

    #[omp::declare_target]
    fn classify(hand: &[Card]) -> (Category, u8) {
        let mut suits = [0u16; 4];
        let mut counts = [0u8; 13];
        for c in hand {
            suits[c.suit() as usize] |= 1 << c.rank();
            counts[c.rank() as usize] += 1;
        }
        let ranks = suits.iter().fold(0, |a, s| a | s);
        let flush = suits.iter().copied().find(|s| s.count_ones() >= 5);
        if let Some(high) = flush.and_then(straight_high) {
            return (Category::StraightFlush, high);
        }
        let highest = |n: u8| counts.iter().rposition(|&c| c == n).map(|r| r as u8);
        let pairs = counts.iter().filter(|&&c| c == 2).count();
        let trips = counts.iter().filter(|&&c| c == 3).count();
        match (highest(4), highest(3), highest(2)) {
            (Some(q), _, _) => (Category::Quads, q),
            (None, Some(t), p) if p.is_some() || trips > 1 => (Category::FullHouse, t),
            _ if flush.is_some() => (Category::Flush, 15 - flush.unwrap_or(0).leading_zeros() as u8),
            (_, t, p) => match (straight_high(ranks), t, p) {
                (Some(h), ..) => (Category::Straight, h),
                (None, Some(t), _) => (Category::Trips, t),
                (None, None, Some(p)) if pairs >= 2 => (Category::TwoPair, p),
                (None, None, Some(p)) => (Category::Pair, p),
                _ => (Category::HighCard, 15 - ranks.leading_zeros() as u8),
            },
        }
    }

    pub fn simulate(hole: [u8; 2], rounds: u64) -> ([u64; 9], [u64; 3]) {
        let mut seen = [0u64; 9];
        let mut outcome = [0u64; 3];
        let hole = hole.map(Card);
        #[omp::target(reduction(+: seen, outcome))]
        for game in 0..rounds {
            let mut rng = XorShift64(0x9e3779b97f4a7c15 ^ (game + 1).wrapping_mul(0xbf58476d1ce4e5b9));
            let mut deck = [Card(0); 50];
            for (slot, c) in deck.iter_mut().zip((0..52).map(Card).filter(|c| !hole.contains(c))) {
                *slot = c;
            }
            rng.shuffle(&mut deck, 7);
            let board = &deck[..5];
            let mut mine = [Card(0); 7];
            mine[..2].copy_from_slice(&hole);
            mine[2..].copy_from_slice(board);
            let a = classify(&mine);
            let b = classify(&deck[..7]);
            seen[a.0 as usize] += 1;
            let result = a.cmp(&b);
            outcome[(result as i8 + 1) as usize] += 1;
        }
        (seen, outcome)
    }

    pub fn run() -> ([u64; 9], [u64; 3]) { simulate([12, 25], 400) }
}
port!(card_games: run());
