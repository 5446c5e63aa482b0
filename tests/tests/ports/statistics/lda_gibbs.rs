//! HeCBench gibbs/lda: topic sampling of documents against a frozen word-topic table.
use omp_tests::twice;

twice! {
    pub const TOPICS: usize = 6;

    pub struct Corpus { doc_start: Vec<usize>, words: Vec<u32>, topics: Vec<u8> }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Prior { alpha: f32, beta: f32, vocabulary: usize }

    #[omp::declare_target]
    fn uniform(key: u32, counter: u32) -> f32 {
        let mut h = key ^ counter.wrapping_mul(0x9E37_79B9);
        h ^= h >> 16;
        h = h.wrapping_mul(0x85EB_CA6B);
        h ^= h >> 13;
        h = h.wrapping_mul(0xC2B2_AE35);
        h ^= h >> 16;
        (h >> 8) as f32 / (1 << 24) as f32
    }

    pub fn sample(corpus: &mut Corpus, word_topic: &[[u32; TOPICS]], totals: &[u32; TOPICS], prior: Prior, sweep: u32) {
        let Corpus { doc_start, words, topics } = corpus;
        let docs = doc_start.len() - 1;
        #[omp::target(disjoint(topics))]
        for d in 0..docs {
            let range = doc_start[d]..doc_start[d + 1];
            let mut in_doc = [0u32; TOPICS];
            for t in &topics[range.clone()] {
                in_doc[*t as usize] += 1;
            }
            for i in range {
                let w = words[i] as usize;
                let old = topics[i] as usize;
                in_doc[old] -= 1;
                let mut cumulative = [0.0f32; TOPICS];
                let mut sum = 0.0;
                for (k, c) in cumulative.iter_mut().enumerate() {
                    let own = u32::from(k == old);
                    let phi = ((word_topic[w][k] - own) as f32 + prior.beta) / ((totals[k] - own) as f32 + prior.beta * prior.vocabulary as f32);
                    sum += phi * (in_doc[k] as f32 + prior.alpha);
                    *c = sum;
                }
                let u = uniform(i as u32, sweep) * sum;
                let new = cumulative.iter().position(|&c| c > u).unwrap_or(TOPICS - 1);
                in_doc[new] += 1;
                topics[i] = new as u8;
            }
        }
    }

    pub fn count(corpus: &Corpus, vocabulary: usize) -> (Vec<[u32; TOPICS]>, [u32; TOPICS]) {
        let mut table = vec![[0u32; TOPICS]; vocabulary];
        let mut totals = [0u32; TOPICS];
        #[omp::target(reduction(+: totals))]
        for (&w, &t) in corpus.words.iter().zip(&corpus.topics) {
            #[omp::atomic]
            table[w as usize][t as usize] += 1;
            totals[t as usize] += 1;
        }
        (table, totals)
    }

    pub fn run() -> (Vec<u8>, [u32; TOPICS]) {
        let vocabulary = 30;
        let doc_start: Vec<usize> = (0..=12).map(|d| d * 20 + d % 3).collect();
        let n = *doc_start.last().unwrap();
        let words = (0..n).map(|i| ((i / 20 % 3 * 10 + i * 7 % 10) % vocabulary) as u32).collect();
        let mut corpus = Corpus { doc_start, words, topics: (0..n).map(|i| (i % TOPICS) as u8).collect() };
        let mut totals = [0; TOPICS];
        for sweep in 0..4 {
            let (table, t) = count(&corpus, vocabulary);
            sample(&mut corpus, &table, &t, Prior { alpha: 0.1, beta: 0.01, vocabulary }, sweep);
            totals = t;
        }
        (corpus.topics, totals)
    }
}
port!(lda_gibbs: run());
