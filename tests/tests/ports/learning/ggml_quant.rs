//! Blocks of 4 and 8 bits as in ggml: quantisation, dequantisation, dot products of rows.
use omp_tests::{Values, twice};
twice! {
    const QK: usize = 32;

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    #[repr(C)]
    pub struct BlockQ4_0 { d: f32, qs: [u8; QK / 2] }
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    #[repr(C)]
    pub struct BlockQ8_0 { d: f32, qs: [i8; QK] }

    #[omp::declare_target]
    pub trait Block: Copy {
        const ZERO: Self;
        fn quantize(x: &[f32]) -> Self;
    }

    #[omp::declare_target]
    impl Block for BlockQ4_0 {
        const ZERO: Self = BlockQ4_0 { d: 0.0, qs: [0; QK / 2] };
        fn quantize(x: &[f32]) -> Self {
            let max = x.iter().copied().max_by(|a, b| a.abs().total_cmp(&b.abs())).unwrap_or(0.0);
            let d = max / -8.0;
            let id = if d != 0.0 { 1.0 / d } else { 0.0 };
            let mut qs = [0u8; QK / 2];
            let (lo, hi) = x.split_at(QK / 2);
            for (q, (&a, &b)) in qs.iter_mut().zip(lo.iter().zip(hi)) {
                let q4 = |v: f32| ((v * id + 8.5) as i8).min(15) as u8;
                *q = q4(a) | q4(b) << 4;
            }
            Self { d, qs }
        }
    }

    #[omp::declare_target]
    impl Block for BlockQ8_0 {
        const ZERO: Self = BlockQ8_0 { d: 0.0, qs: [0; QK] };
        fn quantize(x: &[f32]) -> Self {
            let amax = x.iter().fold(0.0f32, |m, v| m.max(v.abs()));
            let d = amax / 127.0;
            let id = if d > 0.0 { d.recip() } else { 0.0 };
            let mut qs = [0; QK];
            qs.iter_mut().zip(x).for_each(|(q, v)| *q = (v * id).round() as i8);
            Self { d, qs }
        }
    }

    #[omp::declare_target]
    impl BlockQ4_0 {
        fn nibbles(&self, j: usize) -> (i8, i8) { ((self.qs[j] & 0xf) as i8 - 8, (self.qs[j] >> 4) as i8 - 8) }
        fn dot(&self, y: &BlockQ8_0) -> f32 {
            let (lo, hi) = y.qs.split_at(QK / 2);
            let sum: i32 = (0..QK / 2).map(|j| {
                let (a, b) = self.nibbles(j);
                a as i32 * lo[j] as i32 + b as i32 * hi[j] as i32
            }).sum();
            self.d * y.d * sum as f32
        }
    }

    pub fn quantize_row<B: Block + omp::Device>(x: &[f32]) -> Vec<B> {
        let mut out = vec![B::ZERO; x.len() / QK];
        #[omp::target]
        for (b, chunk) in out.iter_mut().zip(x.chunks_exact(QK)) {
            *b = B::quantize(chunk);
        }
        out
    }

    pub fn matvec(w: &[BlockQ4_0], x: &[BlockQ8_0]) -> Vec<f32> {
        let mut y = vec![0.0; w.len() / x.len()];
        #[omp::target]
        for (row, y) in w.chunks_exact(x.len()).zip(y.iter_mut()) {
            *y = row.iter().zip(x.iter()).map(|(a, b)| a.dot(b)).sum();
        }
        y
    }

    pub fn dequantize(w: &[BlockQ4_0]) -> Vec<f32> {
        let mut y = vec![0.0; w.len() * QK];
        #[omp::target]
        for (block, out) in w.iter().zip(y.chunks_exact_mut(QK)) {
            let (lo, hi) = out.split_at_mut(QK / 2);
            for (j, (l, h)) in lo.iter_mut().zip(hi.iter_mut()).enumerate() {
                let (a, b) = block.nibbles(j);
                *l = a as f32 * block.d;
                *h = b as f32 * block.d;
            }
        }
        y
    }

    pub fn run() -> (Vec<f32>, Vec<f32>, Vec<i8>) {
        let mut v = Values(17);
        let w: Vec<f32> = (0..64 * 10).map(|_| v.unit() as f32 * 2.0 - 1.0).collect();
        let x: Vec<f32> = (0..64).map(|_| v.unit() as f32 * 2.0 - 1.0).collect();
        let (qw, qx) = (quantize_row::<BlockQ4_0>(&w), quantize_row::<BlockQ8_0>(&x));
        (matvec(&qw, &qx), dequantize(&qw), qx.iter().flat_map(|b| b.qs).collect())
    }
}
port!(ggml_quant: run());
