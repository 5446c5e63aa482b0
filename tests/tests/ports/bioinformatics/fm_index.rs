//! Backward search in an FM index: ranks from checkpoints and bits of a text.
use omp_tests::{Values, twice};
twice! {
    const BLOCK: usize = 32;

    #[derive(Clone, Copy, Default, omp::Device)]
    pub struct Block { counts: [u32; 4], bits: [u32; 4] }

    #[derive(Default, omp::Mapper)]
    pub struct FmIndex { blocks: Vec<Block>, first: [u32; 5], len: usize, sentinel: usize }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    pub struct Interval { pub lo: u32, pub hi: u32 }

    #[omp::declare_target]
    impl Interval {
        fn is_empty(&self) -> bool { self.lo >= self.hi }
        fn len(&self) -> u32 { self.hi.saturating_sub(self.lo) }
    }

    impl FmIndex {
        pub fn build(text: &[u8]) -> Self {
            let n = text.len() + 1;
            let mut sa: Vec<usize> = (0..n).collect();
            sa.sort_by_key(|&i| &text[i..]);
            let mut index = FmIndex { len: n, ..Default::default() };
            let mut running = [0u32; 4];
            for (row, &s) in sa.iter().enumerate() {
                if row % BLOCK == 0 {
                    index.blocks.push(Block { counts: running, bits: [0; 4] });
                }
                if s == 0 {
                    index.sentinel = row;
                    continue;
                }
                let c = text[s - 1] as usize;
                index.blocks.last_mut().unwrap().bits[c] |= 1 << (row % BLOCK);
                running[c] += 1;
            }
            index.blocks.push(Block { counts: running, bits: [0; 4] });
            index.first[0] = 1;
            for c in 0..4 {
                index.first[c + 1] = index.first[c] + running[c];
            }
            index
        }
    }

    #[omp::declare_target]
    impl FmIndex {
        #[inline(always)]
        fn rank(&self, c: u8, row: u32) -> u32 {
            let row = row as usize;
            let block = &self.blocks[row / BLOCK];
            let mask = (1u32 << (row % BLOCK)) - 1;
            block.counts[c as usize] + (block.bits[c as usize] & mask).count_ones()
        }

        fn step(&self, at: Interval, c: u8) -> Interval {
            let first = self.first[c as usize];
            Interval { lo: first + self.rank(c, at.lo), hi: first + self.rank(c, at.hi) }
        }

        pub fn search(&self, pattern: &[u8]) -> Option<Interval> {
            let mut at = Interval { lo: 0, hi: self.len as u32 };
            for &c in pattern.iter().rev() {
                at = self.step(at, c);
                if at.is_empty() {
                    return None;
                }
            }
            Some(at)
        }

        /// The longest suffix of the pattern that occurs.
        pub fn longest_suffix(&self, pattern: &[u8]) -> (usize, Interval) {
            let mut best = Interval { lo: 0, hi: self.len as u32 };
            let mut length = 0;
            while length < pattern.len() {
                let next = self.step(best, pattern[pattern.len() - 1 - length]);
                if next.is_empty() {
                    break;
                }
                best = next;
                length += 1;
            }
            (length, best)
        }
    }

    pub fn count_all(index: &FmIndex, reads: &[u8], read_len: usize) -> (Vec<u32>, Vec<(u32, u32)>) {
        let n = reads.len() / read_len;
        let mut counts = vec![0u32; n];
        let mut suffixes = vec![(0u32, 0u32); n];
        #[omp::target]
        for (i, read) in reads.chunks_exact(read_len).enumerate() {
            counts[i] = match index.search(read) {
                Some(interval) => interval.len(),
                None => 0,
            };
            let (length, Interval { lo, hi }) = index.longest_suffix(read);
            suffixes[i] = (length as u32, hi - lo);
        }
        (counts, suffixes)
    }

    pub fn run() -> (Vec<u32>, Vec<(u32, u32)>) {
        let mut v = Values(5);
        let text: Vec<u8> = (0..300).map(|_| (v.bits() % 4) as u8).collect();
        let index = FmIndex::build(&text);
        let mut reads: Vec<u8> = (0..40).flat_map(|i| text[i * 7..i * 7 + 6].to_vec()).collect();
        reads.extend((0..60).map(|_| (v.bits() % 4) as u8));
        count_all(&index, &reads, 6)
    }
}
port!(fm_index: run());
