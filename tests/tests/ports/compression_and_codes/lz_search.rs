//! Longest matches of an LZ77 coder: hash chains, lazy choice, costs; overlapping copies.
use omp_tests::{Values, twice};
twice! {
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, omp::Device)]
    pub struct Match { len: u16, distance: u16 }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    pub struct Config { max_chain: usize, good: usize, window: usize }
    impl Config {
        pub const FAST: Self = Self { max_chain: 4, good: 8, window: 64 };
        pub const BEST: Self = Self { max_chain: 64, good: usize::MAX, window: 1 << 15 };
    }

    const MIN: usize = 3;
    const MAX: usize = 258;

    #[omp::declare_target]
    fn hash(b: &[u8]) -> usize {
        let v = u32::from_le_bytes([b[0], b[1], b[2], 0]);
        (v.wrapping_mul(0x9E37_79B1) >> 22) as usize
    }

    #[omp::declare_target]
    fn common_prefix(a: &[u8], b: &[u8]) -> usize {
        a.iter().zip(b).take(MAX).take_while(|(x, y)| x == y).count()
    }

    /// The predecessor of each position with the same hash.
    pub fn chains(data: &[u8]) -> Vec<Option<u32>> {
        let mut head = vec![None; 1024];
        let mut prev = vec![None; data.len()];
        for (i, w) in data.windows(MIN).enumerate() {
            prev[i] = head[hash(w)].replace(i as u32);
        }
        prev
    }

    pub fn longest(data: &[u8], prev: &[Option<u32>], cfg: Config) -> Vec<Match> {
        let mut found = vec![Match::default(); data.len()];
        #[omp::target(map(to: data, prev))]
        for (pos, m) in found.iter_mut().enumerate() {
            let mut best = Match { len: 0, distance: 0 };
            let mut candidate = prev[pos];
            let mut budget = cfg.max_chain;
            while let Some(at) = candidate {
                let at = at as usize;
                if budget == 0 || pos - at > cfg.window {
                    break;
                }
                budget -= 1;
                let len = common_prefix(&data[at..], &data[pos..]);
                if len >= MIN && len > best.len as usize {
                    best = Match { len: len as u16, distance: (pos - at) as u16 };
                    if len >= cfg.good {
                        break;
                    }
                }
                candidate = prev[at];
            }
            *m = best;
        }
        found
    }

    #[omp::declare_target]
    fn bits(m: Match) -> u32 {
        match m {
            Match { len: 0, .. } => 8,
            Match { len: 1..=10, distance } => 7 + 5 + (u16::BITS - distance.leading_zeros()).saturating_sub(1),
            Match { distance, .. } => 8 + 5 + (distance as u32).checked_ilog2().unwrap_or(0),
        }
    }

    /// The cost of each block by lazy choice.
    pub fn block_costs(found: &[Match], block: usize) -> Vec<(u32, u16)> {
        let mut costs = vec![(0u32, 0u16); found.len().div_ceil(block)];
        #[omp::target]
        for (cost, part) in costs.iter_mut().zip(found.chunks(block)) {
            let mut i = 0;
            let mut total = 0;
            while let Some(&here) = part.get(i) {
                let next = part.get(i + 1).copied().unwrap_or_default();
                let take = here.len > 0 && next.len <= here.len;
                total += bits(if take { here } else { Match::default() });
                i += if take { usize::from(here.len) } else { 1 };
            }
            let top = part.iter().map(|m| m.len).max().unwrap_or(0);
            *cost = (total, top);
        }
        costs
    }

    pub fn run() -> (Vec<(u16, u16)>, Vec<(u32, u16)>) {
        let mut v = Values(29);
        let mut data: Vec<u8> = (0..120).map(|_| b"abc"[v.bits() as usize % 3]).collect();
        data.extend_from_within(10..90);
        data.extend([b'z'; 30]);
        let prev = chains(&data);
        let all: Vec<Match> = [Config::FAST, Config::BEST].iter().flat_map(|&c| longest(&data, &prev, c)).collect();
        let costs = block_costs(&all, 50);
        (all.iter().map(|m| (m.len, m.distance)).collect(), costs)
    }
}
port!(lz_search: run());
