//! Tetris: placements of a piece, each scored by what the board looks like afterwards.
use omp_tests::{Values, twice};
twice! {
    const W: usize = 10;
    const H: usize = 20;
    type Cell = (i32, i32);

    #[derive(Clone, Copy, PartialEq, Eq, Debug, omp::Device)]
    pub enum Piece { I, O, T, S, Z, J, L }

    impl Piece {
        const ALL: [Piece; 7] = [Piece::I, Piece::O, Piece::T, Piece::S, Piece::Z, Piece::J, Piece::L];
    }

    #[omp::declare_target]
    impl Piece {
        const fn cells(self) -> [Cell; 4] {
            match self {
                Piece::I => [(-1, 0), (0, 0), (1, 0), (2, 0)],
                Piece::O => [(0, 0), (1, 0), (0, 1), (1, 1)],
                Piece::T => [(-1, 0), (0, 0), (1, 0), (0, 1)],
                Piece::S => [(-1, 0), (0, 0), (0, 1), (1, 1)],
                Piece::Z => [(-1, 1), (0, 1), (0, 0), (1, 0)],
                Piece::J => [(-1, 0), (0, 0), (1, 0), (1, 1)],
                Piece::L => [(-1, 0), (0, 0), (1, 0), (-1, 1)],
            }
        }
        fn rotated(self, times: u8) -> [Cell; 4] { (0..times).fold(self.cells(), |c, _| c.map(|(x, y)| (-y, x))) }
    }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Board { rows: [u16; H] }

    #[derive(Clone, Copy)]
    pub struct Weights { height: f32, lines: f32, holes: f32, bumps: f32 }

    #[omp::declare_target]
    impl Board {
        fn occupied(&self, x: i32, y: i32) -> bool {
            match (x, y) {
                (0..=9, 0..=19) => self.rows[y as usize] >> x & 1 == 1,
                (0..=9, 20..) => false,
                _ => true,
            }
        }
        fn fits(&self, cells: &[Cell; 4], x: i32, y: i32) -> bool {
            !cells.iter().any(|&(dx, dy)| self.occupied(x + dx, y + dy))
        }
        fn drop(mut self, cells: [Cell; 4], x: i32) -> Option<(Self, u32)> {
            let mut y = H as i32;
            if !self.fits(&cells, x, y) { return None; }
            while self.fits(&cells, x, y - 1) { y -= 1; }
            for (dx, dy) in cells {
                let row = usize::try_from(y + dy).ok().filter(|&r| r < H)?;
                self.rows[row] |= 1 << (x + dx);
            }
            Some(self.clear())
        }
        fn clear(self) -> (Self, u32) {
            let mut out = Board { rows: [0; H] };
            let mut kept = 0;
            for row in self.rows.into_iter().filter(|&r| r != 0x3ff) {
                out.rows[kept] = row;
                kept += 1;
            }
            (out, (H - kept) as u32)
        }
        fn heights(&self) -> [u32; W] {
            std::array::from_fn(|x| self.rows.iter().rposition(|r| r >> x & 1 == 1).map_or(0, |y| y as u32 + 1))
        }
        fn holes(&self) -> u32 {
            let mut above = 0u16;
            self.rows.iter().rev().map(|&row| { let h = (above & !row).count_ones(); above |= row; h }).sum()
        }
    }

    pub fn best_moves(boards: &[Board], piece: Piece, w: Weights) -> Vec<(u8, i8, f32)> {
        let mut best = vec![(0u8, 0i8, f32::NEG_INFINITY); boards.len()];
        #[omp::target]
        for (board, best) in boards.iter().zip(&mut best) {
            for rotation in 0..4u8 {
                let cells = piece.rotated(rotation);
                for x in 0..W as i32 {
                    let Some((next, lines)) = board.drop(cells, x) else { continue };
                    let heights = next.heights();
                    let bumps: u32 = heights.windows(2).map(|p| p[0].abs_diff(p[1])).sum();
                    let total = heights.iter().sum::<u32>();
                    let score = w.lines * lines as f32 - w.height * total as f32 - w.holes * next.holes() as f32 - w.bumps * bumps as f32;
                    if score > best.2 { *best = (rotation, x as i8, score); }
                }
            }
        }
        best
    }

    pub fn run() -> Vec<(u8, i8, f32)> {
        let mut v = Values(64);
        let boards: Vec<Board> = (0..30).map(|k| Board { rows: std::array::from_fn(|y| if y < k % 14 { (v.bits() & 0x3ff) as u16 & !(1 << (k % 10)) } else { 0 }) }).collect();
        let w = Weights { height: 0.51, lines: 0.76, holes: 0.36, bumps: 0.18 };
        Piece::ALL.iter().flat_map(|&p| best_moves(&boards, p, w)).collect()
    }
}
port!(tetris: run());
