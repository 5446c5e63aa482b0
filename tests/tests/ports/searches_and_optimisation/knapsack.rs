//! Dynamic programming: knapsack, longest common subsequence by wave fronts, chains of matrices, time warping.
use omp_tests::{Values, twice};
twice! {
    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Item { weight: usize, value: u64 }

    pub fn knapsack(items: &[Item], capacity: usize) -> (u64, Vec<bool>) {
        let mut best = vec![0u64; capacity + 1];
        let mut next = best.clone();
        let mut taken = vec![false; items.len() * (capacity + 1)];
        for (item, taken) in items.iter().zip(taken.chunks_exact_mut(capacity + 1)) {
            #[omp::target]
            for (w, (n, t)) in next.iter_mut().zip(taken.iter_mut()).enumerate() {
                let without = best[w];
                let with = w.checked_sub(item.weight).map(|rest| best[rest] + item.value);
                (*n, *t) = match with {
                    Some(v) if v > without => (v, true),
                    _ => (without, false),
                };
            }
            std::mem::swap(&mut best, &mut next);
        }
        let mut left = capacity;
        let mut chosen = vec![false; items.len()];
        for (i, item) in items.iter().enumerate().rev() {
            if taken[i * (capacity + 1) + left] { chosen[i] = true; left -= item.weight; }
        }
        (best[capacity], chosen)
    }

    pub fn lcs(a: &[u8], b: &[u8]) -> u16 {
        let (n, m) = (a.len(), b.len());
        let mut diagonals = [vec![0u16; n + 1], vec![0; n + 1], vec![0; n + 1]];
        for d in 2..=n + m {
            let [older, old, new] = &mut diagonals;
            let (lo, hi) = (d.saturating_sub(m).max(1), n.min(d - 1));
            #[omp::target]
            for i in lo..=hi {
                let j = d - i;
                new[i] = if a[i - 1] == b[j - 1] { older[i - 1] + 1 } else { old[i].max(old[i - 1]) };
            }
            diagonals.rotate_left(1);
        }
        diagonals[1][n]
    }

    pub fn matrix_chain(dims: &[u64]) -> u64 {
        let n = dims.len() - 1;
        let mut cost = vec![vec![0u64; n]; n];
        for len in 2..=n {
            let mut diagonal = vec![(0, 0); n - len + 1];
            let flat: Vec<u64> = cost.iter().flatten().copied().collect();
            #[omp::target]
            for (i, slot) in diagonal.iter_mut().enumerate() {
                let j = i + len - 1;
                *slot = (i..j)
                    .map(|k| (flat[i * n + k] + flat[(k + 1) * n + j] + dims[i] * dims[k + 1] * dims[j + 1], k))
                    .min()
                    .unwrap();
            }
            for (i, &(c, _)) in diagonal.iter().enumerate() { cost[i][i + len - 1] = c; }
        }
        cost[0][n - 1]
    }

    pub fn dtw(query: &[f32], series: &[f32], window: usize, band: usize) -> Vec<f32> {
        let n = query.len();
        let mut out = vec![f32::INFINITY; series.len() + 1 - n];
        #[omp::target(thread_limit(32))]
        for (candidate, out) in series.windows(n).zip(&mut out) {
            let mut previous = [f32::INFINITY; 17];
            previous[0] = 0.0;
            for (i, &q) in query.iter().enumerate() {
                let mut current = [f32::INFINITY; 17];
                let range = i.saturating_sub(band)..(i + band + 1).min(n);
                for j in range {
                    let d = (q - candidate[j]).abs();
                    current[j + 1] = d + [previous[j], previous[j + 1], current[j]].into_iter().fold(f32::INFINITY, f32::min);
                }
                previous = current;
            }
            *out = previous[n];
        }
        let _ = window;
        out
    }

    pub fn run() -> (u64, Vec<bool>, u16, u64, Vec<f32>) {
        let mut v = Values(15);
        let items: Vec<Item> = (0..14).map(|_| Item { weight: 1 + v.bits() as usize % 20, value: 5 + v.bits() as u64 % 40 }).collect();
        let mut letters = |n: usize| (0..n).map(|_| b'a' + (v.bits() % 4) as u8).collect::<Vec<u8>>();
        let (a, b) = (letters(40), letters(55));
        let (best, chosen) = knapsack(&items, 60);
        let series: Vec<f32> = (0..60).map(|i| ((i * 13) % 29) as f32).collect();
        (best, chosen, lcs(&a, &b), matrix_chain(&[30, 35, 15, 5, 10, 20, 25, 9]), dtw(&series[7..19], &series, 16, 3))
    }
}
impl<A: crate::Near, B: crate::Near, C: crate::Near, D: crate::Near, E: crate::Near> crate::Near
    for (A, B, C, D, E)
{
    fn near(&self, o: &Self) -> bool {
        self.0.near(&o.0) && self.1.near(&o.1) && self.2.near(&o.2) && self.3.near(&o.3) && self.4.near(&o.4)
    }
}
port!(knapsack: run());
