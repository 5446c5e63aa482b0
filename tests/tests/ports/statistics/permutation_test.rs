//! HeCBench permutate: shuffles of a byte sequence with statistics of each (SP 800-90B), counted against the original.
use omp_tests::twice;

twice! {
    pub const LEN: usize = 64;

    #[derive(Clone, Copy, omp::Device)]
    struct XorShift128 { s: [u32; 4] }

    #[omp::declare_target]
    impl XorShift128 {
        fn new(seed: u32) -> Self {
            let mut s = [0; 4];
            let mut z = seed;
            for v in s.iter_mut() {
                z = z.wrapping_add(0x9E37_79B9);
                let mut x = z;
                x = (x ^ (x >> 16)).wrapping_mul(0x85EB_CA6B);
                *v = x ^ (x >> 13) | 1;
            }
            Self { s }
        }
    }
    #[omp::declare_target]
    impl XorShift128 {
        fn next(&mut self) -> Option<u32> {
            let [x, _, _, w] = self.s;
            let t = x ^ (x << 11);
            self.s.rotate_left(1);
            self.s[3] = w ^ (w >> 19) ^ t ^ (t >> 8);
            Some(self.s[3])
        }
    }

    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, omp::Device)]
    pub struct Stats { excursion: u64, runs: u32, longest: u32, increases: u32, collisions: u32 }

    #[omp::declare_target]
    fn stats(data: &[u8; LEN]) -> Stats {
        let mean = data.iter().map(|&b| b as u64).sum::<u64>();
        let mut s = Stats::default();
        let mut running = 0u64;
        for (i, &b) in data.iter().enumerate() {
            running += b as u64;
            let expected = mean * (i as u64 + 1) / LEN as u64;
            s.excursion = s.excursion.max(running.abs_diff(expected));
        }
        let mut current = 1;
        for w in data.windows(2) {
            if w[1] > w[0] {
                s.increases += 1;
            }
            if (w[1] >= 128) == (w[0] >= 128) {
                current += 1;
            } else {
                s.runs += 1;
                s.longest = s.longest.max(current);
                current = 1;
            }
        }
        let mut seen = [0u64; 4];
        for &b in data {
            let (word, bit) = ((b / 64) as usize, b % 64);
            s.collisions += (seen[word] >> bit & 1) as u32;
            seen[word] |= 1 << bit;
        }
        s
    }

    pub fn test(data: &[u8; LEN], rounds: u32) -> ([u32; 5], Stats) {
        let original = stats(data);
        let mut above = [0u32; 5];
        #[omp::target(reduction(+: above))]
        for round in 0..rounds {
            let mut rng = XorShift128::new(round);
            let mut copy = *data;
            for i in (1..LEN).rev() {
                let j = rng.next().unwrap() as usize % (i + 1);
                copy.swap(i, j);
            }
            let s = stats(&copy);
            above[0] += (s.excursion > original.excursion) as u32;
            above[1] += u32::from(s.runs > original.runs);
            above[2] += if s.longest > original.longest { 1 } else { 0 };
            above[3] += u32::from(s.increases > original.increases);
            above[4] += u32::from(s.collisions > original.collisions);
        }
        (above, original)
    }

    pub fn run() -> ([u32; 5], crate::Shown) {
        let data = std::array::from_fn(|i| (i * i * 7 + i * 3) as u8);
        let (a, s) = test(&data, 200);
        (a, crate::Shown::of(s))
    }
}
port!(permutation_test: run());
