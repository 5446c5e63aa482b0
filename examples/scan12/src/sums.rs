//! Problems about sums of parts: 6 (subtrees), 8 (equal parts), 9 (two windows), 10 (modulo m).
use crate::Table;
use example_support::hash;

/// What a walk has come by: the weights from the root to here, and those of all nodes so far.
#[derive(Clone, Copy, omp::Device)]
struct Come {
    above: i32,
    all: i32,
}

/// A tree given by a walk that enters and leaves each node: along it, the weights from the root are added and taken off
/// again, those of a subtree are added between its two visits.
#[omp::offload]
fn accumulate(walk: &[u32], weight: &[i32], enter: &[u32], leave: &[u32], down: &mut [i32], up: &mut [i32]) {
    let n = walk.len();
    let mut come = vec![Come { above: 0, all: 0 }; n];
    #[omp::target_data(map(to: walk, weight, enter, leave), map(alloc: come), map(from: down, up))]
    {
        let (mut above, mut all) = (0, 0);
        #[omp::target(scan(+: above, all))]
        for i in 0..n {
            let w = weight[(walk[i] >> 1) as usize];
            above += if walk[i] & 1 == 0 { w } else { -w };
            all += if walk[i] & 1 == 0 { w } else { 0 };
            come[i] = Come { above, all };
        }
        #[omp::target]
        for v in 0..weight.len() {
            let (at, left) = (come[enter[v] as usize], come[leave[v] as usize]);
            down[v] = at.above;
            up[v] = left.all - at.all + weight[v];
        }
    }
}

/// The parents of a random tree, and the walk over it: 2 v where v is entered, 2 v + 1 where it is left.
fn tree_of(nodes: usize) -> (Vec<usize>, Vec<u32>) {
    let parent: Vec<usize> = (0..nodes).map(|v| hash(v + nodes) as usize % v.max(1)).collect();
    let mut children = vec![vec![]; nodes];
    (1..nodes).for_each(|v| children[parent[v]].push(v as u32));
    let (mut walk, mut open) = (vec![], vec![0]);
    while let Some(step) = open.pop() {
        walk.push(step);
        if step & 1 == 0 {
            open.push(step | 1);
            open.extend(children[(step >> 1) as usize].iter().map(|c| c << 1));
        }
    }
    (parent, walk)
}

/// 6: for each node of a tree, the sum of the weights from the root to it, and the sum of those under it.
pub fn tree(t: &Table) {
    let nodes = t.n / 2;
    let (parent, walk) = tree_of(nodes);
    let weight: Vec<i32> = (0..nodes).map(|v| (hash(v) % 21) as i32 - 10).collect();
    let (mut enter, mut leave) = (vec![0; nodes], vec![0; nodes]);
    for (place, step) in (0..).zip(&walk) {
        let side = if step & 1 == 0 { &mut enter } else { &mut leave };
        side[(step >> 1) as usize] = place;
    }
    t.exact(
        "6 upward and downward accumulation on a tree",
        || {
            let (mut down, mut up) = (weight.clone(), weight.clone());
            for v in 1..nodes {
                down[v] += down[parent[v]];
            }
            for v in (1..nodes).rev() {
                up[parent[v]] += up[v];
            }
            (down, up)
        },
        || {
            let (mut down, mut up) = (vec![0; nodes], vec![0; nodes]);
            accumulate(&walk, &weight, &enter, &leave, &mut down, &mut up);
            (down, up)
        },
    );
}

/// How many pairs of a first cut after a third and a second cut after two thirds of the sum there are.
#[omp::offload]
fn cuts(x: &[i32]) -> u64 {
    let n = x.len();
    let mut sums = vec![0i32; n];
    let mut firsts = vec![0u32; n];
    let mut ways = 0;
    #[omp::target_data(map(to: x), map(alloc: sums, firsts))]
    {
        let mut sum = 0;
        #[omp::scan(+)]
        for i in 0..n {
            sum += x[i];
            sums[i] = sum;
        }
        if sum % 3 != 0 {
            return 0;
        }
        let third = sum / 3;
        let mut first = 0;
        #[omp::scan(+)]
        for i in 0..n {
            firsts[i] = first;
            first += u32::from(sums[i] == third);
        }
        #[omp::target(reduction(+: ways))]
        for i in 0..n - 1 {
            if sums[i] == 2 * third {
                ways += u64::from(firsts[i]);
            }
        }
    }
    ways
}

/// 8: the number of ways to cut an array in three parts of equal sum.
pub fn three_parts(t: &Table) {
    let mut x: Vec<i32> = (0..t.n).map(|i| (hash(i) % 3) as i32 - 1).collect();
    x[0] -= x.iter().sum::<i32>() % 3;
    t.exact(
        "8 ways to cut an array in three parts of equal sum",
        || {
            let third = x.iter().sum::<i32>() / 3;
            let (mut sum, mut firsts, mut ways) = (0, 0, 0);
            for v in &x[..x.len() - 1] {
                sum += v;
                ways += if sum == 2 * third { firsts } else { 0 };
                firsts += u64::from(sum == third);
            }
            ways
        },
        || cuts(&x),
    );
}

/// The best window up to each place, by a scan, and the best of it with the one behind.
#[omp::offload]
fn best_windows(x: &[i32], k: usize) -> i32 {
    let n = x.len();
    let (mut sums, mut best) = (vec![0i32; n + 1], vec![0i32; n - k + 1]);
    let mut both = i32::MIN;
    #[omp::target_data(map(to: x, sums), map(alloc: best))]
    {
        #[omp::scan(+)]
        for i in 0..n {
            sums[i + 1] = sums[i] + x[i];
        }
        let mut most = i32::MIN;
        #[omp::scan(max)]
        for i in 0..n - k + 1 {
            most = most.max(sums[i + k] - sums[i]);
            best[i] = most;
        }
        #[omp::target(reduction(max: both))]
        for i in k..n - k + 1 {
            both = both.max(best[i - k] + sums[i + k] - sums[i]);
        }
    }
    both
}

/// 9: the largest sum of two subarrays of length k that do not overlap.
pub fn two_windows(t: &Table) {
    let k = (t.n / 4).min(1000);
    let x: Vec<i32> = (0..t.n).map(|i| (hash(i) % 201) as i32 - 100).collect();
    t.exact(
        "9 largest sum of two separate subarrays of length k",
        || {
            let sum = |part: &[i32]| part.iter().sum::<i32>();
            let (mut left, mut right) = (sum(&x[..k]), sum(&x[k..2 * k]));
            let (mut best, mut both) = (left, left + right);
            for i in 2 * k..x.len() {
                left += x[i - k] - x[i - 2 * k];
                right += x[i] - x[i - k];
                best = best.max(left);
                both = both.max(best + right);
            }
            both
        },
        || best_windows(&x, k),
    );
}

const M: u32 = 1_000_003;

#[omp::declare_reduction(modular: u32, identity = 0)]
fn modular(a: u32, b: u32) -> u32 {
    (a + b) % M
}

/// The first and the last place of each residue of the sums, the next smaller residue by a scan; of two residues, the
/// smaller one behind the larger makes a sum that is short of m by their difference.
#[omp::offload]
fn best_modular(x: &[u32]) -> u32 {
    let (n, m) = (x.len(), M as usize);
    let mut sums = vec![0u32; n];
    let (mut first, mut last, mut below) = (vec![0u32; m], vec![0u32; m], vec![0u32; m]);
    let mut best = 0;
    #[omp::target_data(map(to: x), map(alloc: sums, first, last, below))]
    {
        // Place 0 is before all elements, with the sum 0; a residue that is none has its last place there.
        #[omp::target]
        for v in 0..m {
            first[v] = if v == 0 { 0 } else { u32::MAX };
            last[v] = 0;
        }
        let mut sum = 0;
        #[omp::scan(modular, u32)]
        for i in 0..n {
            sum = modular(sum, x[i]);
            sums[i] = sum;
        }
        #[omp::target]
        for i in 0..n {
            let s = sums[i] as usize;
            #[omp::atomic]
            first[s] = first[s].min(i as u32 + 1);
            #[omp::atomic]
            last[s] = last[s].max(i as u32 + 1);
        }
        let mut smaller = 0;
        #[omp::scan(max)]
        for v in 0..m {
            below[v] = smaller;
            smaller = smaller.max(if first[v] <= last[v] { v as u32 } else { 0 });
        }
        #[omp::target(reduction(max: best))]
        for v in 1..m {
            if first[v] <= last[v] {
                let e = below[v];
                best = best.max(if first[v] < last[e as usize] { M - (v as u32 - e) } else { v as u32 });
            }
        }
    }
    best
}

/// 10: the largest sum of a subarray modulo m.
pub fn modular_sum(t: &Table) {
    let x: Vec<u32> = (0..t.n).map(|i| hash(i) % M).collect();
    t.exact(
        "10 largest sum of a subarray modulo m",
        || {
            let (mut sum, mut prefixes) = (0, vec![(0, 0)]);
            for (v, place) in x.iter().zip(1..) {
                sum = modular(sum, *v);
                prefixes.push((sum, place));
            }
            let most = prefixes.iter().map(|p| p.0).max().unwrap_or(0);
            // In order of residues, the best pair stands side by side.
            prefixes.sort_unstable();
            let short =
                |w: &[(u32, u32)]| if w[1].0 > w[0].0 && w[1].1 < w[0].1 { M - (w[1].0 - w[0].0) } else { 0 };
            prefixes.windows(2).map(short).max().unwrap_or(0).max(most)
        },
        || best_modular(&x),
    );
}
