//! GraphChallenge's connected components: every vertex takes the least label of its neighbourhood until nothing changes.
use omp_tests::{Values, twice};

twice! {
    #[derive(omp::Mapper)]
    pub struct Csr {
        offsets: Vec<usize>,
        targets: Vec<u32>,
    }

    #[omp::declare_target]
    impl Csr {
        fn neighbours(&self, v: usize) -> &[u32] {
            &self.targets[self.offsets[v]..self.offsets[v + 1]]
        }
        fn degree(&self, v: usize) -> usize {
            self.neighbours(v).len()
        }
    }

    pub fn components(g: &Csr, n: usize) -> (Vec<u32>, usize, usize) {
        let mut labels: Vec<u32> = (0..n as u32).collect();
        let mut rounds = 0;
        loop {
            let mut changed = 0usize;
            let old = labels.clone();
            #[omp::target(reduction(+: changed))]
            for (v, label) in labels.iter_mut().enumerate() {
                let least = g.neighbours(v).iter().map(|&u| old[u as usize]).min().unwrap_or(*label);
                if least < *label {
                    *label = least;
                    changed += 1;
                }
            }
            rounds += 1;
            if changed == 0 {
                break;
            }
        }
        let mut isolated = 0;
        #[omp::target(reduction(+: isolated))]
        for v in 0..n {
            isolated += usize::from(g.degree(v) == 0);
        }
        (labels, rounds, isolated)
    }

    pub fn run() -> (Vec<u32>, usize, usize) {
        let mut v = Values(3);
        let n = 200;
        let mut edges: Vec<(u32, u32)> = (0..150).map(|_| (v.bits() % n, v.bits() % n)).collect();
        edges.extend(edges.clone().iter().map(|&(a, b)| (b, a)));
        let mut lists = vec![vec![]; n as usize];
        edges.iter().for_each(|&(a, b)| lists[a as usize].push(b));
        let mut offsets = vec![0];
        lists.iter().for_each(|l| offsets.push(offsets.last().unwrap() + l.len()));
        components(&Csr { offsets, targets: lists.concat() }, n as usize)
    }
}
port!(label_propagation: run());
