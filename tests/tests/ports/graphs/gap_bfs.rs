//! GAP: a bottom-up step of a breadth-first search, and PageRank, over CSR.
use omp_tests::twice;

twice! {
    #[omp::declare_target]
    fn neighbours<'a>(offsets: &[usize], targets: &'a [u32], v: usize) -> &'a [u32] {
        &targets[offsets[v]..offsets[v + 1]]
    }

    pub fn bottom_up(parent: &mut [i32], front: &[bool], next: &mut [bool], offsets: &[usize], targets: &[u32]) -> usize {
        let mut awake = 0;
        #[omp::target(reduction(+: awake))]
        for v in 0..parent.len() {
            next[v] = false;
            if parent[v] < 0 {
                if let Some(&u) = neighbours(offsets, targets, v).iter().find(|&&u| front[u as usize]) {
                    parent[v] = u as i32;
                    next[v] = true;
                    awake += 1;
                }
            }
        }
        awake
    }

    pub fn page_rank(offsets: &[usize], targets: &[u32], degree: &[u32], rounds: usize) -> Vec<f32> {
        let n = degree.len();
        let base = 0.15 / n as f32;
        let mut scores = vec![1.0 / n as f32; n];
        let mut outgoing = vec![0.0; n];
        for _ in 0..rounds {
            let mut error = 0.0f64;
            #[omp::target]
            for (o, (s, &d)) in outgoing.iter_mut().zip(scores.iter().zip(degree)) {
                *o = s / d.max(1) as f32;
            }
            #[omp::target(reduction(+: error))]
            for v in 0..n {
                let incoming: f32 = neighbours(offsets, targets, v).iter().map(|&u| outgoing[u as usize]).sum();
                let old = scores[v];
                scores[v] = base + 0.85 * incoming;
                error += (scores[v] - old).abs() as f64;
            }
            if error < 1e-4 {
                break;
            }
        }
        scores
    }

    pub fn run() -> (Vec<i32>, Vec<f32>) {
        let n = 64u32;
        let mut offsets = vec![0];
        let mut targets = Vec::new();
        for v in 0..n {
            targets.extend([(v + 1) % n, (v * 5 + 2) % n, (v + n - 1) % n]);
            offsets.push(targets.len());
        }
        let degree = vec![3; n as usize];
        let mut parent = vec![-1; n as usize];
        parent[0] = 0;
        let mut front = vec![false; n as usize];
        front[0] = true;
        let mut next = front.clone();
        while bottom_up(&mut parent, &front, &mut next, &offsets, &targets) > 0 {
            std::mem::swap(&mut front, &mut next);
        }
        (parent, page_rank(&offsets, &targets, &degree, 10))
    }
}
port!(gap: run());
