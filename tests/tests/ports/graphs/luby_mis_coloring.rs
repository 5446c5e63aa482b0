//! Luby's maximal independent set and Jones-Plassmann greedy colouring, by rounds on a CSR graph.
use omp_tests::twice;

twice! {
    pub const UNCOLORED: u32 = 0;
    const PALETTE_WORDS: usize = 4;

    #[repr(u8)]
    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    pub enum Status {
        Undecided,
        Selected,
        Excluded,
    }

    #[derive(Debug, omp::Mapper)]
    pub struct Graph {
        pub xadj: Vec<u32>,
        pub adjncy: Vec<u32>,
    }

    impl Graph {
        pub fn len(&self) -> usize {
            self.xadj.len() - 1
        }
    }

    #[omp::declare_target]
    impl Graph {
        #[inline]
        fn adj(&self, v: u32) -> &[u32] {
            let (lo, hi) = (self.xadj[v as usize], self.xadj[v as usize + 1]);
            &self.adjncy[lo as usize..hi as usize]
        }

        /// Does `v` beat all of its neighbours that are still in the game?
        fn is_local_max(&self, v: u32, round: u32, in_game: impl Fn(u32) -> bool) -> bool {
            let mine = priority(v, round);
            self.adj(v)
                .iter()
                .filter(|&&u| in_game(u))
                .all(|&u| priority(u, round) < mine)
        }
    }

    #[omp::declare_target]
    fn priority(v: u32, round: u32) -> (u32, u32) {
        let mut h = v ^ round.wrapping_mul(0x9e37_79b9);
        h ^= h >> 16;
        h = h.wrapping_mul(0x85eb_ca6b);
        h ^= h >> 13;
        h = h.wrapping_mul(0xc2b2_ae35);
        h ^= h >> 16;
        (h, v)
    }

    pub fn luby_mis(g: &Graph, status: &mut [Status]) -> u32 {
        let n = g.len();
        status.fill(Status::Undecided);
        let mut active: Vec<u32> = (0..n as u32).collect();
        let mut still = vec![0u32; n];
        let mut wins = vec![false; n];
        let mut active_len = n;
        let mut round = 0;
        while active_len > 0 {
            #[omp::parallel_for]
            for (&v, win) in active[..active_len].iter().zip(wins.iter_mut()) {
                *win = g.is_local_max(v, round, |u| status[u as usize] == Status::Undecided);
            }
            #[omp::parallel_for(disjoint(status))]
            for i in 0..active_len {
                if wins[i] {
                    status[active[i] as usize] = Status::Selected;
                }
            }
            // losers with a selected neighbour leave; `wins` now says who is out
            #[omp::parallel_for]
            for i in 0..active_len {
                wins[i] = !wins[i] && g.adj(active[i]).iter().any(|&u| status[u as usize] == Status::Selected);
            }
            #[omp::parallel_for(disjoint(status))]
            for i in 0..active_len {
                if wins[i] {
                    status[active[i] as usize] = Status::Excluded;
                }
            }
            let mut kept = 0;
            #[omp::scan(+)]
            for i in 0..active_len {
                if matches!(status[active[i] as usize], Status::Undecided) {
                    still[kept] = active[i];
                    kept += 1;
                }
            }
            std::mem::swap(&mut active, &mut still);
            active_len = kept;
            round += 1;
        }
        round
    }

    #[omp::declare_target]
    fn smallest_free(g: &Graph, color: &[u32], v: u32) -> u32 {
        let mut taken = [0u64; PALETTE_WORDS];
        for &u in g.adj(v) {
            let c = color[u as usize];
            if c != UNCOLORED {
                taken[(c - 1) as usize / 64] |= 1 << ((c - 1) % 64);
            }
        }
        for (i, word) in taken.iter().enumerate() {
            if *word != u64::MAX {
                return 64 * i as u32 + word.trailing_ones() + 1;
            }
        }
        unreachable!()
    }

    /// Colours are 1, 2, ...; returns the number of colours and of rounds.
    pub fn jones_plassmann(g: &Graph, color: &mut [u32]) -> (u32, usize) {
        color.fill(UNCOLORED);
        let mut ready = vec![0u32; g.len()];
        for round in 0.. {
            let mut count = 0;
            #[omp::scan(+)]
            for v in 0..g.len() {
                if color[v] == UNCOLORED && g.is_local_max(v as u32, 0, |u| color[u as usize] == UNCOLORED) {
                    ready[count] = v as u32;
                    count += 1;
                }
            }
            if count == 0 {
                let mut used = 0u32;
                #[omp::parallel_for(reduction(max: used))]
                for &c in color.iter() {
                    used = used.max(c);
                }
                return (used, round);
            }
            // the ready vertices are independent of each other
            #[omp::parallel_for(disjoint(color))]
            for i in 0..count {
                color[ready[i] as usize] = smallest_free(g, color, ready[i]);
            }
        }
        unreachable!()
    }
}
port!(luby_mis_coloring: crate::Shown::of({
    let n = 300u32;
    let mut lists = vec![std::collections::BTreeSet::new(); n as usize];
    for v in 0..n {
        for step in [1, 17, v * v % 89 + 2] {
            let u = (v + step) % n;
            lists[v as usize].insert(u);
            lists[u as usize].insert(v);
        }
    }
    let mut graph = Graph { xadj: vec![0], adjncy: vec![] };
    for list in &lists {
        graph.adjncy.extend(list.iter());
        graph.xadj.push(graph.adjncy.len() as u32);
    }
    let mut status = vec![Status::Undecided; n as usize];
    let mis_rounds = luby_mis(&graph, &mut status);
    let mut color = vec![0u32; n as usize];
    let (colors, rounds) = jones_plassmann(&graph, &mut color);
    for (v, list) in lists.iter().enumerate() {
        assert!(list.iter().all(|&u| color[u as usize] != color[v]));
        let near = list.iter().any(|&u| status[u as usize] == Status::Selected);
        assert_eq!(status[v] == Status::Selected, !near);
    }
    (status, mis_rounds, color, colors, rounds)
}));
