//! Bitmap index: containers of 1024 words, and, or, andnot, rank/select, iteration of set bits.
use omp_tests::twice;
twice! {
    const WORDS: usize = 64;

    #[derive(Clone, Copy, omp::Device)]
    enum Op {
        And,
        Or,
        AndNot,
        Xor,
    }

    #[omp::declare_target]
    impl Op {
        #[inline]
        fn on(self, a: u64, b: u64) -> u64 {
            match self {
                Self::And => a & b,
                Self::Or => a | b,
                Self::AndNot => a & !b,
                Self::Xor => a ^ b,
            }
        }
    }

    pub type Container = [u64; WORDS];

    #[omp::offload]
    fn combine(a: &[Container], b: &[Container], op: Op) -> (Vec<Container>, u64) {
        let mut out = vec![[0; WORDS]; a.len()];
        let mut ones = 0u64;
        #[omp::target(reduction(+: ones))]
        for ((o, a), b) in out.iter_mut().zip(a).zip(b) {
            for w in 0..WORDS {
                o[w] = op.on(a[w], b[w]);
            }
            ones += o.iter().map(|w| w.count_ones() as u64).sum::<u64>();
        }
        (out, ones)
    }

    #[omp::offload]
    fn ranks(containers: &[Container]) -> Vec<u32> {
        let mut ranks = vec![0u32; containers.len() + 1];
        #[omp::target]
        for (i, c) in containers.iter().enumerate() {
            ranks[i + 1] = c.iter().map(|w| w.count_ones()).sum();
        }
        #[omp::scan(+)]
        for i in 1..ranks.len() {
            ranks[i] += ranks[i - 1];
        }
        ranks
    }

    #[omp::declare_target]
    fn select_in_word(mut word: u64, mut k: u32) -> u32 {
        let mut base = 0;
        let mut width = 32;
        while width > 0 {
            let low = (word & ((1 << width) - 1)).count_ones();
            if k >= low {
                k -= low;
                word >>= width;
                base += width;
            } else {
                word &= (1 << width) - 1;
            }
            width /= 2;
        }
        base
    }

    #[omp::offload]
    fn select(containers: &[Container], ranks: &[u32], queries: &[u32], found: &mut [Option<u32>]) {
        #[omp::target]
        for (&k, f) in queries.iter().zip(found) {
            if k >= ranks[ranks.len() - 1] {
                *f = None;
                continue;
            }
            let c = ranks.partition_point(|&r| r <= k) - 1;
            let mut left = k - ranks[c];
            let word = containers[c].iter().position(|w| {
                let ones = w.count_ones();
                if left < ones {
                    true
                } else {
                    left -= ones;
                    false
                }
            });
            *f = word.map(|w| (c * WORDS * 64 + w * 64) as u32 + select_in_word(containers[c][w], left));
        }
    }

    #[omp::offload]
    fn extract(containers: &[Container], ranks: &[u32], out: &mut [u32]) {
        #[omp::target(unsafe(disjoint(out)))]
        for (c, words) in containers.iter().enumerate() {
            let mut at = ranks[c] as usize;
            for (w, &bits) in words.iter().enumerate() {
                let mut bits = bits;
                while bits != 0 {
                    out[at] = ((c * WORDS + w) * 64) as u32 + bits.trailing_zeros();
                    at += 1;
                    bits &= bits - 1;
                }
            }
        }
    }

    pub fn run(n: usize) -> (Vec<u64>, Vec<Option<u32>>, Vec<u32>) {
        let make = |k: u64| -> Vec<Container> {
            (0..n as u64).map(|c| std::array::from_fn(|w| (c * 64 + w as u64 + k).wrapping_mul(0x9e3779b97f4a7c15).rotate_left((w % 31) as u32) & 0x1111_0f0f_00ff_1248 << (k % 3))).collect()
        };
        let (a, b) = (make(1), make(5));
        let mut counts = Vec::new();
        let mut last = a.clone();
        for op in [Op::And, Op::Or, Op::AndNot, Op::Xor] {
            let (c, ones) = combine(&last, &b, op);
            counts.push(ones);
            last = c;
        }
        let r = ranks(&last);
        let total = *r.last().unwrap();
        let queries: Vec<u32> = (0..total + 3).step_by(7).collect();
        let mut found = vec![None; queries.len()];
        select(&last, &r, &queries, &mut found);
        let mut out = vec![0; total as usize];
        extract(&last, &r, &mut out);
        (counts, found, out)
    }
}
port!(roaring: [0, 1, 5, 12].map(|n| crate::Shown::of(run(n))));
