//! Machine learning: weights in 4 bits with a scale and a zero point for each group, times activations in 8 bits.
use omp_tests::twice;

twice! {
    const GROUP: usize = 16;

    #[derive(Clone, Copy, Debug, Default, omp::Device)]
    #[repr(C)]
    pub struct Block { scale: f32, zero: u8, packed: [u8; GROUP / 2] }

    #[omp::declare_target]
    impl Block {
        fn quantise(v: &[f32]) -> Self {
            let (lo, hi) = v.iter().fold((f32::INFINITY, f32::NEG_INFINITY), |(lo, hi), &x| (lo.min(x), hi.max(x)));
            let scale = if hi > lo { (hi - lo) / 15.0 } else { 1.0 };
            let zero = (-lo / scale).round().clamp(0.0, 15.0) as u8;
            let q = |x: f32| ((x / scale).round() as i32 + zero as i32).clamp(0, 15) as u8;
            let mut packed = [0u8; GROUP / 2];
            for (p, pair) in packed.iter_mut().zip(v.chunks_exact(2)) {
                *p = q(pair[0]) | q(pair[1]) << 4;
            }
            Self { scale, zero, packed }
        }

        fn dot(&self, x: &[i8]) -> i32 {
            let zero = i32::from(self.zero);
            self.packed
                .iter()
                .zip(x.chunks_exact(2))
                .map(|(&p, x)| {
                    let (lo, hi) = ((p & 0xf) as i32 - zero, (p >> 4) as i32 - zero);
                    lo * x[0] as i32 + hi * x[1] as i32
                })
                .sum()
        }
    }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Row8<const N: usize> { scale: f32, q: [i8; N] }

    pub fn quantise_weights(w: &[f32]) -> Vec<Block> {
        let mut blocks = vec![Block::default(); w.len() / GROUP];
        #[omp::target]
        for (b, v) in blocks.iter_mut().zip(w.chunks_exact(GROUP)) {
            *b = Block::quantise(v);
        }
        blocks
    }

    pub fn quantise_activations<const N: usize>(x: &[f32]) -> Vec<Row8<N>> {
        let mut rows = vec![Row8 { scale: 0.0, q: [0; N] }; x.len() / N];
        #[omp::target]
        for (r, x) in rows.iter_mut().zip(x.chunks_exact(N)) {
            let amax = x.iter().fold(0f32, |m, v| m.max(v.abs()));
            r.scale = amax / 127.0;
            let inv = if amax > 0.0 { 127.0 / amax } else { 0.0 };
            for (q, &v) in r.q.iter_mut().zip(x) {
                *q = (v * inv).round() as i8;
            }
        }
        rows
    }

    pub fn matmul<const N: usize>(y: &mut [f32], w: &[Block], x: &[Row8<N>]) {
        let per_row = N / GROUP;
        let outputs = w.len() / per_row;
        #[omp::target(collapse(2))]
        for t in 0..x.len() {
            for o in 0..outputs {
                let mut acc = 0.0;
                for (g, block) in w[o * per_row..(o + 1) * per_row].iter().enumerate() {
                    acc += block.scale * block.dot(&x[t].q[g * GROUP..][..GROUP]) as f32;
                }
                y[t * outputs + o] = acc * x[t].scale;
            }
        }
    }

    pub fn run() -> Vec<f32> {
        let w: Vec<f32> = (0..12 * 64).map(|i| ((i * 37 % 101) as f32 - 50.0) / 41.0).collect();
        let x: Vec<f32> = (0..5 * 64).map(|i| ((i * 53 % 97) as f32 - 48.0) / 37.0).collect();
        let mut y = vec![0.0; 5 * 12];
        matmul(&mut y, &quantise_weights(&w), &quantise_activations::<64>(&x));
        y
    }
}
port!(int4_matmul: run());
