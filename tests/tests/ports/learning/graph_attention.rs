//! Graph attention: leaky scores by edges, a soft maximum per node in two passes, heads concatenated, ELU.
use omp_tests::twice;
twice! {
    const HEADS: usize = 3;
    const F: usize = 4;
    type Features = [[f32; F]; HEADS];

    #[derive(Clone, Copy)]
    pub struct Csr<'g> { offsets: &'g [u32], targets: &'g [u32] }

    impl<'g> Csr<'g> {
        fn nodes(&self) -> usize { self.offsets.len() - 1 }
    }

    #[omp::declare_target]
    impl<'g> Csr<'g> {
        fn neighbours(&self, v: usize) -> &'g [u32] {
            &self.targets[self.offsets[v] as usize..self.offsets[v + 1] as usize]
        }
    }

    #[omp::declare_target]
    fn leaky(x: f32) -> f32 { if x > 0.0 { x } else { 0.2 * x } }
    #[omp::declare_target]
    fn elu(x: f32) -> f32 { if x > 0.0 { x } else { x.exp_m1() } }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Layer { w: [[[f32; F]; F]; HEADS], left: Features, right: Features }

    #[omp::declare_target]
    impl Layer {
        fn project(&self, x: &[f32; F]) -> Features {
            self.w.map(|w| w.map(|row| row.iter().zip(x).map(|(a, b)| a * b).sum()))
        }
        fn score(&self, h: usize, u: &Features, v: &Features) -> f32 {
            let dot = |a: &[f32; F], b: &[f32; F]| a.iter().zip(b).fold(0.0, |s, (x, y)| s + x * y);
            leaky(dot(&self.left[h], &u[h]) + dot(&self.right[h], &v[h]))
        }
    }

    fn forward(layer: Layer, graph: Csr<'_>, x: &[[f32; F]]) -> (Vec<Features>, Vec<f32>) {
        let n = graph.nodes();
        let mut projected = vec![Features::default(); n];
        #[omp::target]
        for (p, x) in projected.iter_mut().zip(x) { *p = layer.project(x); }

        let mut alpha = vec![[0.0f32; HEADS]; graph.targets.len()];
        let mut out = vec![[[0.0; F]; HEADS]; n];
        let mut entropy = vec![0.0; n];
        #[omp::target(disjoint(alpha))]
        for v in 0..n {
            let around = graph.neighbours(v);
            if around.is_empty() {
                out[v] = projected[v].map(|h| h.map(elu));
                continue;
            }
            let start = graph.offsets[v] as usize;
            for h in 0..HEADS {
                let mut top = f32::NEG_INFINITY;
                for (k, &u) in around.iter().enumerate() {
                    let e = layer.score(h, &projected[v], &projected[u as usize]);
                    alpha[start + k][h] = e;
                    top = top.max(e);
                }
                let mut total = 0.0;
                for k in 0..around.len() {
                    let a = &mut alpha[start + k][h];
                    *a = (*a - top).exp();
                    total += *a;
                }
                let mut sum = [0.0; F];
                for (k, &u) in around.iter().enumerate() {
                    let a = alpha[start + k][h] / total;
                    alpha[start + k][h] = a;
                    entropy[v] -= a * a.max(1e-9).ln();
                    for (s, p) in sum.iter_mut().zip(projected[u as usize][h]) { *s += a * p; }
                }
                out[v][h] = sum.map(elu);
            }
        }
        (out, entropy)
    }

    pub fn run(n: usize) -> (Vec<Features>, Vec<f32>) {
        let mut offsets = vec![0u32];
        let mut targets = vec![];
        for v in 0..n {
            targets.extend((0..v % 5).map(|k| ((v * 3 + k * 7) % n) as u32));
            offsets.push(targets.len() as u32);
        }
        let value = |i: usize| ((i * 37 % 19) as f32 - 9.0) / 12.0;
        let layer = Layer {
            w: std::array::from_fn(|h| std::array::from_fn(|i| std::array::from_fn(|j| value(h * 16 + i * 4 + j)))),
            left: std::array::from_fn(|h| std::array::from_fn(|i| value(h + i * 5))),
            right: std::array::from_fn(|h| std::array::from_fn(|i| value(h * 3 + i))),
        };
        let x: Vec<[f32; F]> = (0..n).map(|v| std::array::from_fn(|k| value(v * 4 + k + 1))).collect();
        forward(layer, Csr { offsets: &offsets, targets: &targets }, &x)
    }
}
port!(graph_attention: crate::Shown::of([1, 26].map(run)));
