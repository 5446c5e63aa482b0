//! Many Sudokus, each by backtracking over bit masks.
use omp_tests::twice;
twice! {
    type Grid = [[u8; 9]; 9];

    #[derive(Clone, Copy, omp::Device)]
    struct Board { cells: Grid, rows: [u16; 9], cols: [u16; 9], boxes: [u16; 9] }

    #[omp::declare_target]
    impl Board {
        fn new(cells: &Grid) -> Option<Self> {
            let mut b = Board { cells: [[0; 9]; 9], rows: [0; 9], cols: [0; 9], boxes: [0; 9] };
            for (r, row) in cells.iter().enumerate() {
                for (c, &d) in row.iter().enumerate().filter(|(_, d)| **d != 0) {
                    if b.candidates(r, c) >> d & 1 == 0 {
                        return None;
                    }
                    b.place(r, c, d);
                }
            }
            Some(b)
        }

        const fn box_of(r: usize, c: usize) -> usize { r / 3 * 3 + c / 3 }

        fn candidates(&self, r: usize, c: usize) -> u16 {
            !(self.rows[r] | self.cols[c] | self.boxes[Self::box_of(r, c)]) & 0x3fe
        }

        fn toggle(&mut self, r: usize, c: usize, d: u8) {
            let bit = 1u16 << d;
            for mask in [&mut self.rows[r], &mut self.cols[c], &mut self.boxes[Self::box_of(r, c)]] {
                *mask ^= bit;
            }
        }

        fn place(&mut self, r: usize, c: usize, d: u8) { self.cells[r][c] = d; self.toggle(r, c, d); }
        fn clear(&mut self, r: usize, c: usize) -> u8 {
            let d = std::mem::take(&mut self.cells[r][c]);
            self.toggle(r, c, d);
            d
        }

        fn most_constrained(&self) -> Option<(usize, usize, u16)> {
            let mut best: Option<(usize, usize, u16)> = None;
            for r in 0..9 {
                for c in 0..9 {
                    if self.cells[r][c] != 0 { continue; }
                    let m = self.candidates(r, c);
                    if best.is_none_or(|(_, _, b)| m.count_ones() < b.count_ones()) {
                        best = Some((r, c, m));
                    }
                }
            }
            best
        }

        fn solve(&mut self) -> Option<u32> {
            let mut stack = [(0u8, 0u8, 0u16); 81];
            let mut depth = 0;
            let mut nodes = 0u32;
            let Some((r, c, m)) = self.most_constrained() else { return Some(0) };
            stack[0] = (r as u8, c as u8, m);
            loop {
                nodes += 1;
                let (r, c, mask) = &mut stack[depth];
                let (row, col) = (*r as usize, *c as usize);
                if self.cells[row][col] != 0 { self.clear(row, col); }
                if *mask == 0 {
                    if depth == 0 { return None; }
                    depth -= 1;
                    continue;
                }
                let digit = mask.trailing_zeros() as u8;
                *mask &= *mask - 1;
                self.place(row, col, digit);
                match self.most_constrained() {
                    None => return Some(nodes),
                    Some((r, c, m)) => {
                        depth += 1;
                        stack[depth] = (r as u8, c as u8, m);
                    }
                }
            }
        }
    }

    #[omp::target]
    pub fn solve_all(puzzles: &mut [Grid], nodes: &mut [Option<u32>]) {
        for (p, n) in puzzles.iter_mut().zip(nodes) {
            let Some(mut board) = Board::new(p) else { continue };
            *n = board.solve();
            if n.is_some() {
                *p = board.cells;
            }
        }
    }

    pub fn run() -> (Vec<Vec<Vec<u8>>>, Vec<Option<u32>>) {
        let base: Grid = std::array::from_fn(|r| std::array::from_fn(|c| ((r * 3 + r / 3 + c) % 9 + 1) as u8));
        let mut puzzles: Vec<Grid> = (0..20usize).map(|k| {
            let mut g = base;
            for i in 0..45 { let at = (i * 37 + k * 11) % 81; g[at / 9][at % 9] = 0; }
            if k % 7 == 3 { g[0][0] = 5; g[0][1] = 5; }
            g
        }).collect();
        let mut nodes = vec![None; 20];
        solve_all(&mut puzzles, &mut nodes);
        (puzzles.iter().map(|g| g.iter().map(|r| r.to_vec()).collect()).collect(), nodes)
    }
}
port!(sudoku: run());
