//! Double-array trie look-ups, tokenisation by longest match, Bloom prefilter, TF-IDF scores.
use omp_tests::twice;
twice! {
    #[derive(Clone, Copy, Debug, Default, omp::Device)]
    struct Node { base: u32, check: u32, value: Option<u32> }

    struct Trie { nodes: Vec<Node> }

    #[omp::declare_target]
    impl Trie {
        fn child(&self, at: usize, byte: u8) -> Option<usize> {
            let node = self.nodes[at];
            let next = node.base as usize + byte as usize;
            (next < self.nodes.len() && self.nodes[next].check == at as u32 + 1).then_some(next)
        }
        fn longest(&self, text: &[u8]) -> Option<(u32, usize)> {
            let mut at = 0;
            let mut best = None;
            for (i, &b) in text.iter().enumerate() {
                let Some(next) = self.child(at, b) else { break };
                at = next;
                if let Some(v) = self.nodes[at].value {
                    best = Some((v, i + 1));
                }
            }
            best
        }
    }

    impl Trie {
        fn build(words: &[&[u8]]) -> Self {
            let mut nodes = vec![Node::default(); 4096];
            nodes[0] = Node { base: 1, check: u32::MAX, value: None };
            let mut free = 300usize;
            for (id, w) in words.iter().enumerate() {
                let mut at = 0;
                for &b in w.iter() {
                    let next = nodes[at].base as usize + b as usize;
                    if nodes[next].check != at as u32 + 1 {
                        assert!(nodes[next].check == 0);
                        nodes[next] = Node { base: free as u32, check: at as u32 + 1, value: None };
                        free += 130;
                    }
                    at = next;
                }
                nodes[at].value = Some(id as u32);
            }
            Trie { nodes }
        }
    }

    #[omp::offload]
    fn tokenise(trie: &Trie, docs: &[[u8; 32]], tokens: &mut [[u16; 32]], counts: &mut [u8]) -> u32 {
        let mut unknown = 0;
        #[omp::target(reduction(+: unknown))]
        for ((doc, tokens), count) in docs.iter().zip(tokens.iter_mut()).zip(counts.iter_mut()) {
            let mut rest = &doc[..];
            let mut n = 0;
            while !rest.is_empty() {
                match trie.longest(rest) {
                    Some((id, len)) => {
                        tokens[n] = id as u16;
                        n += 1;
                        rest = &rest[len..];
                    }
                    None => {
                        unknown += 1;
                        rest = &rest[1..];
                    }
                }
            }
            *count = n as u8;
        }
        unknown
    }

    #[omp::offload]
    fn document_frequency(tokens: &[[u16; 32]], counts: &[u8], vocabulary: usize) -> Vec<u32> {
        let mut df = vec![0u32; vocabulary];
        #[omp::target(reduction(+: df))]
        for (doc, &n) in tokens.iter().zip(counts) {
            let doc = &doc[..n as usize];
            for (i, &t) in doc.iter().enumerate() {
                if !doc[..i].contains(&t) {
                    df[t as usize] += 1;
                }
            }
        }
        df
    }

    #[omp::offload]
    fn scores(tokens: &[[u16; 32]], counts: &[u8], df: &[u32], query: &[u16], out: &mut [f32]) {
        let docs = tokens.len() as f32;
        let average = counts.iter().map(|&c| c as f32).sum::<f32>() / docs;
        #[omp::target]
        for ((doc, &len), score) in tokens.iter().zip(counts).zip(out.iter_mut()) {
            *score = query
                .iter()
                .map(|&q| {
                    let tf = doc[..len as usize].iter().filter(|&&t| t == q).count() as f32;
                    let idf = ((docs - df[q as usize] as f32 + 0.5) / (df[q as usize] as f32 + 0.5) + 1.0).ln();
                    idf * tf * 2.2 / (tf + 1.2 * (0.25 + 0.75 * len as f32 / average))
                })
                .sum();
        }
    }

    pub fn run(n: usize) -> (Vec<[u16; 32]>, u32, Vec<u32>, Vec<f32>) {
        let words: Vec<&[u8]> = vec![b"a", b"ab", b"abc", b"b", b"ca", b"dab"];
        let trie = Trie::build(&words);
        let docs: Vec<[u8; 32]> = (0..n).map(|i| std::array::from_fn(|k| b"abcdabcax"[(i * 5 + k * k + k) % 9])).collect();
        let mut tokens = vec![[0u16; 32]; n];
        let mut counts = vec![0; n];
        let unknown = tokenise(&trie, &docs, &mut tokens, &mut counts);
        let df = document_frequency(&tokens, &counts, words.len());
        let mut out = vec![0.0; n];
        if n > 0 { scores(&tokens, &counts, &df, &[1, 2, 4], &mut out); }
        (tokens, unknown, df, out)
    }
}
port!(trie_search: [0, 1, 33, 800].map(|n| crate::Shown::of(run(n))));
