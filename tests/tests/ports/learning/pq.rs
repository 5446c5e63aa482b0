//! Product quantisation: lookup tables, asymmetric distances, top-k per query, Gaussian naive Bayes.
use omp_tests::twice;
twice! {
    const M: usize = 4;
    const KS: usize = 16;

    type Code = [u8; M];

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Neighbour {
        id: u32,
        distance: f32,
    }

    #[omp::declare_target]
    impl Neighbour {
        const NONE: Self = Self { id: u32::MAX, distance: f32::INFINITY };
    }

    #[omp::declare_target]
    fn insert<const K: usize>(heap: &mut [Neighbour; K], n: Neighbour) {
        let Some(at) = heap.iter().position(|h| n.distance < h.distance) else {
            return;
        };
        for i in (at + 1..K).rev() {
            heap[i] = heap[i - 1];
        }
        heap[at] = n;
    }

    #[omp::offload]
    fn encode(vectors: &[f32], codebooks: &[[[f32; 2]; KS]; M], codes: &mut [Code]) {
        #[omp::target]
        for (v, code) in vectors.chunks_exact(2 * M).zip(codes) {
            for (m, (sub, book)) in v.chunks_exact(2).zip(codebooks.iter()).enumerate() {
                let mut best = (0, f32::MAX);
                for (k, centre) in book.iter().enumerate() {
                    let d = sub.iter().zip(centre).map(|(a, b)| (a - b).powi(2)).sum();
                    if d < best.1 {
                        best = (k, d);
                    }
                }
                code[m] = best.0 as u8;
            }
        }
    }

    #[omp::offload]
    fn search<const K: usize>(queries: &[[f32; 2 * M]], codebooks: &[[[f32; 2]; KS]; M], codes: &[Code]) -> Vec<[Neighbour; K]> {
        let mut results = vec![[Neighbour::NONE; K]; queries.len()];
        #[omp::target]
        for (query, result) in queries.iter().zip(results.iter_mut()) {
            let mut table = [[0.0f32; KS]; M];
            for m in 0..M {
                for k in 0..KS {
                    let [cx, cy] = codebooks[m][k];
                    table[m][k] = (query[2 * m] - cx).powi(2) + (query[2 * m + 1] - cy).powi(2);
                }
            }
            let mut heap = [Neighbour::NONE; K];
            for (id, code) in codes.iter().enumerate() {
                let distance = code.iter().zip(&table).map(|(&c, row)| row[c as usize]).sum();
                insert(&mut heap, Neighbour { id: id as u32, distance });
            }
            *result = heap;
        }
        results
    }

    #[derive(Clone, Copy, omp::Device)]
    struct Gaussian<const D: usize> {
        prior: f64,
        mean: [f64; D],
        var: [f64; D],
    }

    #[omp::declare_target]
    impl<const D: usize> Gaussian<D> {
        fn log_likelihood(&self, x: &[f64; D]) -> f64 {
            let mut l = self.prior.ln();
            for ((x, m), v) in x.iter().zip(self.mean.iter()).zip(self.var) {
                l -= 0.5 * ((std::f64::consts::TAU * v).ln() + (x - m).powi(2) / v);
            }
            l
        }
    }

    #[omp::offload]
    fn classify<const D: usize>(classes: &[Gaussian<D>], xs: &[[f64; D]]) -> Vec<u8> {
        let mut labels = vec![0; xs.len()];
        #[omp::target]
        for (label, x) in labels.iter_mut().zip(xs) {
            *label = classes
                .iter()
                .map(|c| c.log_likelihood(x))
                .enumerate()
                .reduce(|best, next| if next.1 > best.1 { next } else { best })
                .map_or(u8::MAX, |(k, _)| k as u8);
        }
        labels
    }

    pub fn run(n: usize) -> (Vec<Code>, Vec<[Neighbour; 3]>, Vec<u8>) {
        let vectors: Vec<f32> = (0..n * 2 * M).map(|i| ((i * 37) % 101) as f32 / 50.0 - 1.0).collect();
        let books: [[[f32; 2]; KS]; M] = std::array::from_fn(|m| std::array::from_fn(|k| [(k % 4) as f32 * 0.5 - 0.8 + m as f32 * 0.01, (k / 4) as f32 * 0.5 - 0.7]));
        let mut codes = vec![[0; M]; n];
        encode(&vectors, &books, &mut codes);
        let queries: Vec<[f32; 8]> = (0..n / 3 + 1).map(|q| std::array::from_fn(|k| ((q * 11 + k * 29) % 83) as f32 / 41.0 - 1.0)).collect();
        let found = search::<3>(&queries, &books, &codes);
        let classes: Vec<Gaussian<3>> = (0..4).map(|c| Gaussian { prior: 0.1 * (c + 1) as f64, mean: [c as f64, 1.0, -0.5 * c as f64], var: [1.0, 0.5 + 0.1 * c as f64, 2.0] }).collect();
        let xs: Vec<[f64; 3]> = (0..n).map(|i| [(i % 5) as f64, (i % 7) as f64 * 0.3, -((i % 4) as f64)]).collect();
        (codes, found, classify(&classes, &xs))
    }
}
port!(pq: [0, 1, 31, 150].map(|n| crate::Shown::of(run(n))));
