//! node2vec-like walks with rejection and alias tables.
use omp_tests::twice;
twice! {
    pub struct Alias { prob: Vec<f32>, other: Vec<u32> }

    impl Alias {
        pub fn new(weights: &[f32]) -> Self {
            let n = weights.len();
            let mean = weights.iter().sum::<f32>() / n as f32;
            let mut scaled: Vec<f32> = weights.iter().map(|w| w / mean).collect();
            let mut other: Vec<u32> = (0..n as u32).collect();
            let (mut small, mut large): (Vec<usize>, Vec<usize>) = (0..n).partition(|&i| scaled[i] < 1.0);
            while let (Some(s), Some(&l)) = (small.pop(), large.last()) {
                other[s] = l as u32;
                scaled[l] -= 1.0 - scaled[s];
                if scaled[l] < 1.0 { small.push(large.pop().unwrap()); }
            }
            Alias { prob: scaled, other }
        }
    }

    #[derive(Clone, Copy, omp::Device)]
    struct SplitMix { state: u64 }

    #[omp::declare_target]
    impl SplitMix {
        fn next(&mut self) -> u64 {
            self.state = self.state.wrapping_add(0x9e3779b97f4a7c15);
            let mut z = self.state;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d049bb133111eb);
            z ^ (z >> 31)
        }
        fn below(&mut self, n: usize) -> usize { ((self.next() as u128 * n as u128) >> 64) as usize }
        fn unit(&mut self) -> f32 { (self.next() >> 40) as f32 / (1u64 << 24) as f32 }
    }

    pub fn walks(offsets: &[usize], targets: &[u32], start: &Alias, count: usize, length: usize) -> Vec<u32> {
        let nodes = offsets.len() - 1;
        let Alias { prob, other } = start;
        let mut out = vec![u32::MAX; count * length];
        #[omp::target]
        for (w, walk) in out.chunks_exact_mut(length).enumerate() {
            let mut rng = SplitMix { state: w as u64 };
            let pick = rng.below(nodes);
            let mut at = if rng.unit() < prob[pick] { pick } else { other[pick] as usize };
            let mut previous = None;
            for step in walk.iter_mut() {
                *step = at as u32;
                let edges = &targets[offsets[at]..offsets[at + 1]];
                let Some(_) = edges.first() else { break };
                let next = loop {
                    let candidate = edges[rng.below(edges.len())] as usize;
                    let accept = if previous == Some(candidate) { 0.25 } else { 1.0 };
                    if rng.unit() < accept { break candidate; }
                };
                previous = Some(at);
                at = next;
            }
        }
        out
    }

    pub fn run() -> Vec<u32> {
        let offsets = [0, 2, 4, 7, 8, 8];
        let targets = [1, 2, 0, 2, 0, 1, 3, 4];
        walks(&offsets, &targets, &Alias::new(&[1.0, 2.0, 3.0, 0.5, 1.5]), 12, 6)
    }
}
port!(random_walks: run());
