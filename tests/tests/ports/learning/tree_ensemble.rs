//! Gradient-boosted trees: nodes as enums with data.
use omp_tests::{Values, twice};
twice! {
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    #[repr(u32)]
    pub enum Node {
        Leaf(f32),
        Split { feature: u16, threshold: f32, left: u32, right: u32 },
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    #[repr(u8)]
    pub enum Objective { Regression, Logistic }

    #[derive(Debug, omp::Mapper)]
    pub struct Forest { nodes: Vec<Node>, roots: Vec<u32>, bias: f32, objective: Objective }

    #[omp::declare_target]
    fn walk(nodes: &[Node], root: u32, row: &[f32]) -> f32 {
        let mut at = root;
        loop {
            match nodes[at as usize] {
                Node::Leaf(value) => return value,
                Node::Split { feature, threshold, left, right } => {
                    at = if row[feature as usize] < threshold { left } else { right };
                }
            }
        }
    }

    #[omp::declare_target]
    fn sigmoid(x: f32) -> f32 { 1.0 / (1.0 + (-x).exp()) }

    impl Forest {
        fn score(&self, row: &[f32]) -> f32 {
            let sum: f32 = self.roots.iter().map(|&root| walk(&self.nodes, root, row)).sum();
            match self.objective {
                Objective::Regression => sum + self.bias,
                Objective::Logistic => sigmoid(sum + self.bias),
            }
        }

        pub fn predict(&self, out: &mut [f32], samples: &[f32], features: usize) {
            assert_eq!(samples.len(), out.len() * features);
            #[omp::target]
            for (o, row) in out.iter_mut().zip(samples.chunks_exact(features)) {
                *o = self.score(row);
            }
        }

        pub fn accuracy(&self, predicted: &[f32], labels: &[bool]) -> f32 {
            let mut right = 0u32;
            #[omp::target(reduction(+: right))]
            for (p, &l) in predicted.iter().zip(labels.iter()) {
                if (*p > 0.5) == l { right += 1; }
            }
            right as f32 / labels.len() as f32
        }
    }

    fn grow(nodes: &mut Vec<Node>, v: &mut Values, depth: u32) -> u32 {
        let at = nodes.len() as u32;
        nodes.push(Node::Leaf((v.bits() % 64) as f32 / 64.0 - 0.5));
        if depth > 0 {
            let left = grow(nodes, v, depth - 1);
            let right = grow(nodes, v, depth - 1);
            nodes[at as usize] = Node::Split { feature: (v.bits() % 5) as u16, threshold: (v.bits() % 100) as f32, left, right };
        }
        at
    }

    pub fn run() -> (Vec<f32>, f32) {
        let mut v = Values(71);
        let mut nodes = Vec::new();
        let roots = (0..8).map(|_| grow(&mut nodes, &mut v, 4)).collect();
        let f = Forest { nodes, roots, bias: 0.125, objective: Objective::Logistic };
        let samples: Vec<f32> = (0..50 * 5).map(|_| (v.bits() % 100) as f32 + 0.5).collect();
        let labels: Vec<bool> = (0..50).map(|_| v.bits() % 2 == 0).collect();
        let mut out = vec![0.0; 50];
        f.predict(&mut out, &samples, 5);
        let a = f.accuracy(&out, &labels);
        (out, a)
    }
}
port!(forest: run());
