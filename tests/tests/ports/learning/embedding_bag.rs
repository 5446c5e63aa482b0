//! Bags of embeddings with offsets, mean or max pooling, and cosine similarities.
use omp_tests::{Values, twice};
twice! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Pooling { Mean, Max }

    pub struct Table { weights: Vec<f32>, dim: usize }

    impl Table {
        fn row(&self, id: u32) -> &[f32] { &self.weights[id as usize * self.dim..][..self.dim] }

        pub fn lookup(&self, ids: &[u32], offsets: &[usize], pooling: Pooling) -> Vec<f32> {
            let dim = self.dim;
            let weights = &self.weights;
            let mut out = vec![0.0; (offsets.len() - 1) * dim];
            let max = pooling == Pooling::Max;
            #[omp::target]
            for (bag, row) in out.chunks_exact_mut(dim).enumerate() {
                let ids = &ids[offsets[bag]..offsets[bag + 1]];
                if ids.is_empty() {
                    row.fill(0.0);
                    continue;
                }
                for (d, value) in row.iter_mut().enumerate() {
                    let column = ids.iter().map(|&id| weights[id as usize * dim + d]);
                    *value = if max { column.fold(f32::MIN, f32::max) } else { column.sum::<f32>() / ids.len() as f32 };
                }
            }
            out
        }
    }

    #[omp::target]
    pub fn cosine(a: &[f32], b: &[f32], dim: usize, out: &mut [f32]) {
        for (i, o) in out.iter_mut().enumerate() {
            let (x, y) = (&a[i * dim..(i + 1) * dim], &b[i * dim..(i + 1) * dim]);
            let (mut xy, mut xx, mut yy) = (0.0f32, 0.0f32, 0.0f32);
            for (p, q) in x.iter().zip(y) {
                xy += p * q;
                xx += p * p;
                yy += q * q;
            }
            *o = xy / (xx * yy).sqrt().max(f32::EPSILON);
        }
    }

    pub fn run() -> (Vec<f32>, Vec<f32>) {
        let mut v = Values(61);
        let t = Table { weights: (0..20 * 4).map(|_| v.unit() as f32).collect(), dim: 4 };
        let ids: Vec<u32> = (0..15).map(|_| v.bits() % 20).collect();
        let offsets = [0, 3, 3, 9, 15];
        let a = t.lookup(&ids, &offsets, Pooling::Mean);
        let b = t.lookup(&ids, &offsets, Pooling::Max);
        let mut c = vec![0.0; 4];
        cosine(&a, &b, 4, &mut c);
        (b, c)
    }
}
port!(embedding_bag: run());
