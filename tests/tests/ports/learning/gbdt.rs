//! Gradient boosting: binned histograms, best splits, partition of rows, leaf values, prediction.
use omp_tests::twice;
twice! {
    const BINS: usize = 32;

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Stat {
        g: f64,
        h: f64,
    }

    #[omp::declare_target]
    impl Stat {
        fn score(self, lambda: f64) -> f64 {
            self.g * self.g / (self.h + lambda)
        }
    }

    #[omp::declare_target]
    impl std::ops::Sub for Stat {
        type Output = Stat;
        fn sub(self, o: Stat) -> Stat {
            Stat { g: self.g - o.g, h: self.h - o.h }
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Split {
        feature: u32,
        bin: u32,
        gain: f64,
    }

    #[derive(Clone, Copy, Debug, omp::Device)]
    #[repr(u8)]
    pub enum Node {
        Inner { feature: u32, bin: u8, left: u32, right: u32 },
        Leaf(f64),
    }

    struct Data<'a> {
        bins: &'a [u8],
        features: usize,
    }

    #[omp::offload]
    fn histograms(d: &Data, rows: &[u32], grad: &[f64], hess: &[f64], g: &mut [f64], h: &mut [f64]) {
        let features = d.features;
        #[omp::target(reduction(+: g, h))]
        for &row in rows {
            let r = row as usize;
            for f in 0..features {
                let slot = f * BINS + d.bins[r * features + f] as usize;
                g[slot] += grad[r];
                h[slot] += hess[r];
            }
        }
    }

    #[omp::offload]
    fn best_splits(g: &[f64], h: &[f64], lambda: f64, splits: &mut [Split]) {
        #[omp::target]
        for (f, split) in splits.iter_mut().enumerate() {
            let stats = |b: usize| Stat { g: g[f * BINS + b], h: h[f * BINS + b] };
            let total = (0..BINS).map(stats).fold(Stat::default(), |a, s| Stat { g: a.g + s.g, h: a.h + s.h });
            let mut left = Stat::default();
            let mut best = Split { feature: f as u32, bin: 0, gain: f64::NEG_INFINITY };
            for bin in 0..BINS - 1 {
                let s = stats(bin);
                left.g += s.g;
                left.h += s.h;
                let right = total - left;
                if left.h < 1.0 || right.h < 1.0 {
                    continue;
                }
                let gain = left.score(lambda) + right.score(lambda) - total.score(lambda);
                if gain > best.gain {
                    best = Split { bin: bin as u32, gain, ..best };
                }
            }
            *split = best;
        }
    }

    #[omp::offload]
    fn partition(d: &Data, rows: &[u32], split: &Split) -> (Vec<u32>, Vec<u32>) {
        let (mut left, mut right) = (vec![0; rows.len()], vec![0; rows.len()]);
        let (mut nl, mut nr) = (0, 0);
        #[omp::target]
        for &row in rows {
            if d.bins[row as usize * d.features + split.feature as usize] as u32 <= split.bin {
                left[nl] = row;
                nl += 1;
            } else {
                right[nr] = row;
                nr += 1;
            }
        }
        left.truncate(nl);
        right.truncate(nr);
        (left, right)
    }

    #[omp::offload]
    fn predict(d: &Data, trees: &[Node], roots: &[u32], out: &mut [f64]) {
        #[omp::target]
        for (row, y) in d.bins.chunks_exact(d.features).zip(out.iter_mut()) {
            for &root in roots {
                let mut at = root;
                *y += loop {
                    match trees[at as usize] {
                        Node::Leaf(v) => break v,
                        Node::Inner { feature, bin, left, right } => {
                            at = if row[feature as usize] <= bin { left } else { right };
                        }
                    }
                };
            }
        }
    }

    pub fn run(n: usize) -> (Vec<f64>, Vec<u32>, Vec<Split>) {
        let features = 6;
        let bins: Vec<u8> = (0..n * features).map(|i| ((i * 7919 + i / 6) % BINS) as u8).collect();
        let y: Vec<f64> = (0..n).map(|i| (bins[i * features] as f64 * 0.3 - bins[i * features + 2] as f64 * 0.1).sin()).collect();
        let d = Data { bins: &bins, features };
        let mut pred = vec![0.0; n];
        let mut all = Vec::new();
        let mut sizes = Vec::new();
        for _ in 0..3 {
            let grad: Vec<f64> = pred.iter().zip(&y).map(|(p, y)| p - y).collect();
            let hess = vec![1.0; n];
            let rows: Vec<u32> = (0..n as u32).collect();
            let (mut g, mut h) = (vec![0.0; features * BINS], vec![0.0; features * BINS]);
            histograms(&d, &rows, &grad, &hess, &mut g, &mut h);
            let mut splits = vec![Split { feature: 0, bin: 0, gain: 0.0 }; features];
            best_splits(&g, &h, 1.0, &mut splits);
            let best = *splits.iter().max_by(|a, b| a.gain.total_cmp(&b.gain)).unwrap();
            let (l, r) = partition(&d, &rows, &best);
            sizes.push(l.len() as u32);
            let leaf = |rows: &[u32]| -rows.iter().map(|&i| grad[i as usize]).sum::<f64>() / (rows.len() as f64 + 1.0) * 0.5;
            let trees = [Node::Inner { feature: best.feature, bin: best.bin as u8, left: 1, right: 2 }, Node::Leaf(leaf(&l)), Node::Leaf(leaf(&r))];
            predict(&d, &trees, &[0], &mut pred);
            all.extend(splits.into_iter().map(|s| Split { gain: if s.gain.is_finite() { s.gain } else { -1.0 }, ..s }));
        }
        (pred, sizes, all)
    }
}
port!(gbdt: [0, 1, 67, 600].map(|n| crate::Shown::of(run(n))));
