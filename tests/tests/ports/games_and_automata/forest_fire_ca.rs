//! A forest-fire automaton with probabilities hashed from place and time.
use omp_tests::twice;
twice! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    #[repr(u8)]
    pub enum Tree { Empty, Young(u8), Burning { since: u8 } }

    #[omp::declare_target]
    fn chance(x: usize, y: usize, t: u32, salt: u32) -> f32 {
        let mut h = (x as u32).wrapping_mul(0x8da6b343) ^ (y as u32).wrapping_mul(0xd8163841) ^ t.wrapping_mul(0xcb1ab31f) ^ salt;
        h ^= h >> 13;
        h = h.wrapping_mul(0x5bd1e995);
        (h >> 8) as f32 / (1 << 24) as f32
    }

    #[omp::declare_target]
    impl Tree {
        fn is_burning(&self) -> bool { matches!(self, Tree::Burning { since } if *since < 2) }
    }

    pub fn step(now: &[Tree], w: usize, t: u32) -> (Vec<Tree>, usize) {
        let h = now.len() / w;
        let mut next = vec![Tree::Empty; now.len()];
        let mut burning = 0;
        #[omp::target(collapse(2), reduction(+: burning))]
        for y in 0..h {
            for x in 0..w {
                let near_fire = || {
                    let ys = y.saturating_sub(1)..(y + 2).min(h);
                    ys.into_iter().any(|ny| (x.saturating_sub(1)..(x + 2).min(w)).any(|nx| now[ny * w + nx].is_burning()))
                };
                let new = match now[y * w + x] {
                    Tree::Empty if chance(x, y, t, 1) < 0.05 => Tree::Young(0),
                    Tree::Empty => Tree::Empty,
                    Tree::Young(_) if near_fire() || chance(x, y, t, 2) < 0.01 => Tree::Burning { since: 0 },
                    Tree::Young(age) => Tree::Young(age.saturating_add(1)),
                    Tree::Burning { since } if since >= 2 => Tree::Empty,
                    Tree::Burning { since } => Tree::Burning { since: since + 1 },
                };
                if let Tree::Burning { .. } = new { burning += 1; }
                next[y * w + x] = new;
            }
        }
        (next, burning)
    }

    pub fn run() -> (Vec<u8>, Vec<usize>) {
        let mut cells = vec![Tree::Young(3); 20 * 10];
        cells[45] = Tree::Burning { since: 0 };
        let mut counts = vec![];
        for t in 0..6 { let (n, c) = step(&cells, 20, t); cells = n; counts.push(c); }
        (cells.iter().map(|c| match c { Tree::Empty => 0, Tree::Young(a) => 10 + a, Tree::Burning { since } => 100 + since }).collect(), counts)
    }
}
port!(forest_fire_ca: run());
