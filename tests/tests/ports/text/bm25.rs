//! A search engine: BM25 over postings with block maxima, phrase matches by positions, top documents, PageRank blend.
use omp_tests::twice;
twice! {
    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Posting { pub doc: u32, pub tf: u16, pub first: u32 }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Bm25 { pub k1: f32, pub b: f32, pub average: f32, pub docs: usize }

    #[omp::declare_target]
    impl Bm25 {
        fn idf(&self, df: usize) -> f32 { (1.0 + (self.docs as f32 - df as f32 + 0.5) / (df as f32 + 0.5)).ln() }
        fn weight(&self, tf: u16, len: u32) -> f32 {
            let tf = f32::from(tf);
            tf * (self.k1 + 1.0) / (tf + self.k1 * (1.0 - self.b + self.b * len as f32 / self.average))
        }
    }

    pub struct Index { pub terms: Vec<std::ops::Range<usize>>, pub postings: Vec<Posting>, pub positions: Vec<u32>, pub lengths: Vec<u32> }

    impl Index {
        fn postings(&self, term: usize) -> &[Posting] { &self.postings[self.terms[term].clone()] }

        pub fn score_all(&self, model: &Bm25, query: &[usize]) -> Vec<f32> {
            let mut scores = vec![0.0f32; self.lengths.len()];
            for &term in query {
                let list = self.postings(term);
                let idf = model.idf(list.len());
                let lengths = &self.lengths;
                #[omp::target(disjoint(scores))]
                for p in list {
                    scores[p.doc as usize] += idf * model.weight(p.tf, lengths[p.doc as usize]);
                }
            }
            scores
        }

        /// The same by documents: a search in the list of each term.
        pub fn score_conjunction<const T: usize>(&self, model: &Bm25, query: [usize; T]) -> Vec<Option<f32>> {
            let spans: [(usize, usize); T] = query.map(|t| (self.terms[t].start, self.terms[t].end));
            let mut scores = vec![None; self.lengths.len()];
            #[omp::target]
            for (doc, score) in scores.iter_mut().enumerate() {
                *score = spans.iter().map(|&(from, to)| {
                    let list = &self.postings[from..to];
                    let i = list.binary_search_by(|p| p.doc.cmp(&(doc as u32))).ok()?;
                    Some(model.idf(list.len()) * model.weight(list[i].tf, self.lengths[doc]))
                }).sum();
            }
            scores
        }

        pub fn phrase(&self, a: usize, b: usize) -> Vec<u32> {
            let left = self.postings(a);
            let right = self.postings(b);
            let positions = &self.positions;
            let mut hits = vec![0u32; left.len()];
            #[omp::target]
            for (hit, p) in hits.iter_mut().zip(left) {
                let Ok(at) = right.binary_search_by_key(&p.doc, |q| q.doc) else { continue };
                let q = right[at];
                let here = &positions[p.first as usize..][..p.tf as usize];
                let there = &positions[q.first as usize..q.first as usize + q.tf as usize];
                *hit = here.iter().filter(|&&x| there.contains(&(x + 1))).count() as u32;
            }
            hits
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Top<const K: usize> { items: [(f32, u32); K] }

    #[omp::declare_target]
    impl<const K: usize> Top<K> {
        const EMPTY: Self = Top { items: [(f32::NEG_INFINITY, u32::MAX); K] };
        fn push(&mut self, score: f32, doc: u32) {
            let at = self.items.partition_point(|&(s, d)| s > score || s == score && d < doc);
            if at < K {
                self.items[at..].rotate_right(1);
                self.items[at] = (score, doc);
            }
        }
    }

    #[omp::declare_reduction(merge: Top<5>, identity = Top { items: [(f32::NEG_INFINITY, u32::MAX); 5] })]
    fn merge(mut a: Top<5>, b: Top<5>) -> Top<5> {
        for (s, d) in b.items {
            if d == u32::MAX {
                break;
            }
            a.push(s, d);
        }
        a
    }

    pub fn best(scores: &[f32]) -> Top<5> {
        let mut top = Top::<5>::EMPTY;
        #[omp::target(reduction(merge: top))]
        for (doc, &s) in scores.iter().enumerate() {
            if s > 0.0 {
                let mut one = Top::<5>::EMPTY;
                one.push(s, doc as u32);
                top = merge(top, one);
            }
        }
        top
    }

    pub fn run() -> (Vec<f32>, Vec<Option<f32>>, Vec<u32>, Vec<u32>) {
        let docs = 50u32;
        let (mut terms, mut postings, mut positions) = (vec![], vec![], vec![]);
        for t in 0..6u32 {
            let from = postings.len();
            for d in (0..docs).filter(|d| (d * 7 + t * 3) % (2 + t) < 2) {
                let tf = 1 + (d * t) % 4;
                postings.push(Posting { doc: d, tf: tf as u16, first: positions.len() as u32 });
                positions.extend((0..tf).map(|k| k * 5 + (d + t) % 3));
            }
            terms.push(from..postings.len());
        }
        let index = Index { terms, postings, positions, lengths: (0..docs).map(|d| 20 + d * 3 % 17).collect() };
        let model = Bm25 { k1: 1.2, b: 0.75, average: 28.0, docs: docs as usize };
        let scores = index.score_all(&model, &[1, 3, 4]);
        let top = best(&scores);
        (scores, index.score_conjunction(&model, [0, 2]), index.phrase(1, 2), top.items.iter().map(|i| i.1).collect())
    }
}
port!(bm25: run());
