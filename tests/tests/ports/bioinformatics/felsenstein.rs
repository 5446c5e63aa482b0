//! PhyML/BEAGLE: Felsenstein's pruning with transition matrices of a Jukes-Cantor model and rescaling.
use omp_tests::{Values, twice};
twice! {
    type Matrix4 = [[f64; 4]; 4];

    #[derive(Clone, Copy, omp::Device)]
    pub struct Node { pub left: u16, pub right: u16, pub left_length: f64, pub right_length: f64 }

    fn jukes_cantor(t: f64, rate: f64) -> Matrix4 {
        let e = (-4.0 / 3.0 * t * rate).exp();
        std::array::from_fn(|i| std::array::from_fn(|j| if i == j { 0.25 + 0.75 * e } else { 0.25 - 0.25 * e }))
    }

    #[omp::declare_target]
    fn apply(m: &Matrix4, v: &[f64; 4]) -> [f64; 4] {
        let mut out = [0.0; 4];
        for (o, row) in out.iter_mut().zip(m) {
            *o = row.iter().zip(v).map(|(a, b)| a * b).sum();
        }
        out
    }

    #[omp::declare_target]
    fn tip(base: u8) -> [f64; 4] {
        match base {
            b'A' => [1.0, 0.0, 0.0, 0.0],
            b'C' => [0.0, 1.0, 0.0, 0.0],
            b'G' => [0.0, 0.0, 1.0, 0.0],
            b'T' | b'U' => [0.0, 0.0, 0.0, 1.0],
            b'R' => [1.0, 0.0, 1.0, 0.0],
            b'Y' => [0.0, 1.0, 0.0, 1.0],
            _ => [1.0; 4],
        }
    }

    pub struct Tree { tips: usize, nodes: Vec<Node> }

    impl Tree {
        pub fn caterpillar(tips: usize) -> Self {
            let nodes = (0..tips - 1)
                .map(|k| Node {
                    left: if k == 0 { 0 } else { (tips + k - 1) as u16 },
                    right: k as u16 + 1,
                    left_length: 0.1 + 0.02 * k as f64,
                    right_length: 0.3 / (k + 1) as f64,
                })
                .collect();
            Tree { tips, nodes }
        }

        pub fn log_likelihood(&self, alignment: &[u8], sites: usize, rates: &[f64]) -> (f64, Vec<f64>) {
            let mut per_site = vec![0.0; sites];
            let mut partials = vec![[0.0; 4]; self.nodes.len() * sites];
            let mut scale = vec![0.0; sites];
            let mut sum = vec![0.0; sites];
            for rate in rates {
                scale.fill(0.0);
                for (k, node) in self.nodes.iter().enumerate() {
                    let (pl, pr) = (jukes_cantor(node.left_length, *rate), jukes_cantor(node.right_length, *rate));
                    let (done, rest) = partials.split_at_mut(k * sites);
                    let fetch = |id: u16, site: usize| {
                        let id = id as usize;
                        if id < self.tips { tip(alignment[id * sites + site]) } else { done[(id - self.tips) * sites + site] }
                    };
                    #[omp::target]
                    for (site, (p, scale)) in rest[..sites].iter_mut().zip(scale.iter_mut()).enumerate() {
                        let l = apply(&pl, &fetch(node.left, site));
                        let r = apply(&pr, &fetch(node.right, site));
                        let mut v = std::array::from_fn::<_, 4, _>(|s| l[s] * r[s]);
                        let max = v.iter().cloned().fold(0.0, f64::max);
                        if max < 0.05 {
                            v.iter_mut().for_each(|x| *x /= max);
                            *scale += max.ln();
                        }
                        *p = v;
                    }
                }
                let root = &partials[(self.nodes.len() - 1) * sites..];
                #[omp::target]
                for ((s, p), k) in sum.iter_mut().zip(root).zip(&scale) {
                    *s += 0.25 * p.iter().sum::<f64>() * k.exp() / rates.len() as f64;
                }
            }
            let mut total = 0.0;
            #[omp::target(reduction(+: total))]
            for (out, s) in per_site.iter_mut().zip(&sum) {
                *out = s.ln();
                total += *out;
            }
            (total, per_site)
        }
    }

    pub fn run() -> (f64, Vec<f64>) {
        let mut v = Values(4);
        let tree = Tree::caterpillar(6);
        let alignment: Vec<u8> = (0..6 * 40).map(|_| b"ACGTACGTACGTRYN-"[v.bits() as usize % 16]).collect();
        tree.log_likelihood(&alignment, 40, &[0.3, 1.0, 2.4])
    }
}
port!(felsenstein: run());
