//! Embeddings: cosine similarities of a query, the best k kept sorted in an array, mean pooling with a mask, naive Bayes.
use omp_tests::{Values, twice};
twice! {
    const K: usize = 5;

    #[derive(Clone, Copy, Debug, PartialEq, PartialOrd, omp::Device)]
    pub struct Scored { score: f32, id: u32 }

    /// The best `K` so far, best first.
    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct TopK { items: [Option<(f32, u32)>; K] }

    #[omp::declare_target]
    impl TopK {
        fn new() -> Self { TopK { items: [None; K] } }
        fn offer(&mut self, s: Scored) {
            let worse = |slot: &Option<(f32, u32)>| slot.is_none_or(|(t, _)| t < s.score);
            if let Some(at) = self.items.iter().position(worse) {
                for i in (at + 1..K).rev() {
                    self.items[i] = self.items[i - 1];
                }
                self.items[at] = Some((s.score, s.id));
            }
        }
    }

    #[omp::declare_target]
    fn dot(a: &[f32], b: &[f32]) -> f32 { a.iter().zip(b.iter()).map(|(x, y)| x * y).sum() }

    #[omp::declare_target]
    fn cosine(a: &[f32], b: &[f32]) -> f32 {
        let (na, nb) = (dot(a, a).sqrt(), dot(b, b).sqrt());
        if na == 0.0 || nb == 0.0 { 0.0 } else { dot(a, b) / (na * nb) }
    }

    pub fn search(table: &[f32], dim: usize, queries: &[f32]) -> Vec<TopK> {
        let mut best = vec![TopK { items: [None; K] }; queries.len() / dim];
        #[omp::target]
        for (query, best) in queries.chunks_exact(dim).zip(best.iter_mut()) {
            let mut top = TopK::new();
            table
                .chunks_exact(dim)
                .enumerate()
                .map(|(id, row)| Scored { score: cosine(query, row), id: id as u32 })
                .filter(|s| s.score > 0.0)
                .for_each(|s| top.offer(s));
            *best = top;
        }
        best
    }

    pub fn mean_pool(tokens: &[u32], table: &[f32], dim: usize, len: usize) -> Vec<f32> {
        let mut pooled = vec![0.0f32; tokens.len() / len * dim];
        #[omp::target]
        for (sentence, out) in tokens.chunks(len).zip(pooled.chunks_mut(dim)) {
            let mut n = 0;
            for row in sentence.iter().take_while(|&&t| t != u32::MAX).map(|&t| &table[t as usize * dim..][..dim]) {
                out.iter_mut().zip(row).for_each(|(o, r)| *o += r);
                n += 1;
            }
            if n > 0 {
                out.iter_mut().for_each(|o| *o /= n as f32);
            }
        }
        pooled
    }

    pub struct NaiveBayes { log_prior: Vec<f32>, log_likelihood: Vec<Vec<f32>> }

    impl NaiveBayes {
        pub fn predict(&self, docs: &[u32], len: usize) -> Vec<usize> {
            let classes = self.log_prior.len();
            let vocab = self.log_likelihood[0].len();
            let flat: Vec<f32> = self.log_likelihood.iter().flatten().copied().collect();
            let prior = &self.log_prior;
            let mut out = vec![0usize; docs.len() / len];
            #[omp::target]
            for (doc, label) in docs.chunks(len).zip(out.iter_mut()) {
                let score = |c: usize| doc.iter().filter(|&&w| (w as usize) < vocab).fold(prior[c], |s, &w| s + flat[c * vocab + w as usize]);
                *label = (0..classes).max_by(|&a, &b| score(a).total_cmp(&score(b))).unwrap();
            }
            out
        }
    }

    pub fn run() -> (Vec<Vec<(f32, u32)>>, Vec<f32>, Vec<usize>) {
        let mut v = Values(16);
        let table: Vec<f32> = (0..60 * 8).map(|_| v.unit() as f32 - 0.5).collect();
        let queries: Vec<f32> = (0..7 * 8).map(|i| if i < 8 { 0.0 } else { v.unit() as f32 - 0.5 }).collect();
        let top = search(&table, 8, &queries);
        let tokens: Vec<u32> = (0..6 * 10).map(|i| if i % 10 > i / 10 * 2 { u32::MAX } else { v.bits() % 60 }).collect();
        let bayes = NaiveBayes {
            log_prior: vec![-1.0, -0.7, -1.3],
            log_likelihood: (0..3).map(|_| (0..20).map(|_| v.unit().ln() as f32).collect()).collect(),
        };
        let docs: Vec<u32> = (0..80).map(|_| v.bits() % 25).collect();
        (top.iter().map(|t| t.items.iter().map(|o| o.unwrap_or((-1.0, 0))).collect()).collect(), mean_pool(&tokens, &table, 8, 10), bayes.predict(&docs, 8))
    }
}
port!(embeddings: run());
