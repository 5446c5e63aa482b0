//! Jones and Plassmann's graph colouring: a vertex of the highest priority among its uncoloured neighbours takes the least free colour.
use omp_tests::{Values, twice};

twice! {
    #[omp::declare_target]
    fn priority(v: u32) -> (u32, u32) {
        let mut h = v.wrapping_mul(0x9e3779b9);
        h ^= h >> 15;
        h = h.wrapping_mul(0x85ebca6b);
        (h ^ (h >> 13), v)
    }

    pub fn colour(offsets: &[usize], targets: &[u32]) -> Vec<i32> {
        let n = offsets.len() - 1;
        let mut colours = vec![-1i32; n];
        while colours.iter().any(|&c| c < 0) {
            let before = colours.clone();
            #[omp::target]
            for v in 0..n {
                if before[v] >= 0 {
                    continue;
                }
                let adjacent = &targets[offsets[v]..offsets[v + 1]];
                let mine = priority(v as u32);
                let is_max = adjacent
                    .iter()
                    .filter(|&&u| before[u as usize] < 0)
                    .all(|&u| u as usize == v || priority(u) < mine);
                if !is_max {
                    continue;
                }
                let used = adjacent
                    .iter()
                    .map(|&u| before[u as usize])
                    .filter(|&c| c >= 0)
                    .fold(0u64, |mask, c| mask | 1 << c);
                colours[v] = (0..64).find(|c| used >> c & 1 == 0).expect("64 colours are enough");
            }
        }
        colours
    }

    pub fn run() -> Vec<i32> {
        let mut v = Values(4);
        let n = 150u32;
        let mut lists = vec![vec![]; n as usize];
        for _ in 0..500 {
            let (a, b) = (v.bits() % n, v.bits() % n);
            lists[a as usize].push(b);
            lists[b as usize].push(a);
        }
        let mut offsets = vec![0];
        lists.iter().for_each(|l| offsets.push(offsets.last().unwrap() + l.len()));
        colour(&offsets, &lists.concat())
    }
}
port!(coloring: run());
