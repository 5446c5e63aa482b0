//! Separable cosine transforms of blocks; a basis computed once; thresholding and energy.
use omp_tests::twice;

twice! {
    pub const B: usize = 8;
    pub type Block = [[f32; B]; B];

    #[derive(Clone, Copy, omp::Device)]
    pub struct Basis { c: Block }

    #[omp::declare_target]
    impl Basis {
        pub fn new() -> Self {
            let mut c = [[0.0; B]; B];
            for (k, row) in c.iter_mut().enumerate() {
                let s = if k == 0 { (1.0 / B as f32).sqrt() } else { (2.0 / B as f32).sqrt() };
                for (n, v) in row.iter_mut().enumerate() {
                    *v = s * (std::f32::consts::PI * (2 * n + 1) as f32 * k as f32 / (2 * B) as f32).cos();
                }
            }
            Basis { c }
        }
        fn rows(&self, x: &Block) -> Block {
            x.map(|row| std::array::from_fn(|k| row.iter().zip(&self.c[k]).map(|(a, b)| a * b).sum()))
        }
        fn forward(&self, x: &Block) -> Block { transpose(&self.rows(&transpose(&self.rows(x)))) }
    }

    #[omp::declare_target]
    fn transpose(x: &Block) -> Block {
        let mut t = *x;
        for i in 0..B { for j in 0..i { (t[i][j], t[j][i]) = (x[j][i], x[i][j]); } }
        t
    }

    pub fn compress(blocks: &mut [Block], threshold: f32) -> (u64, f32) {
        let basis = Basis::new();
        let mut kept = 0u64;
        let mut energy = 0.0f32;
        #[omp::target(reduction(+: kept, energy))]
        for block in blocks.iter_mut() {
            let mut f = basis.forward(block);
            for v in f.iter_mut().flatten() {
                if v.abs() < threshold { *v = 0.0; } else { kept += 1; }
                energy += *v * *v;
            }
            *block = f;
        }
        (kept, energy)
    }
    pub fn run() -> (Vec<f32>, u64, f32) {
        let mut blocks: Vec<Block> = (0..6).map(|b| std::array::from_fn(|i| std::array::from_fn(|j| ((b * 5 + i * 3 + j * j) % 17) as f32 / 17.0))).collect();
        let (k, e) = compress(&mut blocks, 0.05);
        (blocks.iter().flat_map(|b| b.iter().map(|r| r[0] + r[3])).collect(), k, e)
    }
}
port!(dct_blocks: run());
