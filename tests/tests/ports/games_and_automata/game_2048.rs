//! The game 2048: the best of four moves for each board.
use omp_tests::{compare, twice};

twice! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    pub struct Board { cells: [[u8; 4]; 4] }
    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    pub enum Move { Left, Right, Up, Down }
    #[omp::declare_target]
    fn slide(line: [u8; 4]) -> ([u8; 4], u32) {
        let mut out = [0u8; 4];
        let mut score = 0;
        let mut n = 0;
        let mut pending: Option<u8> = None;
        for tile in line.into_iter().filter(|&t| t != 0) {
            match pending {
                Some(p) if p == tile => {
                    out[n] = tile + 1;
                    score += 1 << (tile + 1);
                    n += 1;
                    pending = None;
                }
                Some(p) => { out[n] = p; n += 1; pending = Some(tile); }
                None => pending = Some(tile),
            }
        }
        if let Some(p) = pending { out[n] = p; }
        (out, score)
    }
    #[omp::declare_target]
    impl Board {
        fn transposed(self) -> Board {
            let mut cells = [[0; 4]; 4];
            for (r, row) in self.cells.iter().enumerate() { for (c, &v) in row.iter().enumerate() { cells[c][r] = v; } }
            Board { cells }
        }
        fn mirrored(mut self) -> Board {
            self.cells.iter_mut().for_each(|row| row.reverse());
            self
        }
        fn left(self) -> (Board, u32) {
            let mut total = 0;
            let cells = self.cells.map(|line| { let (line, s) = slide(line); total += s; line });
            (Board { cells }, total)
        }
        fn play(self, m: Move) -> Option<(Board, u32)> {
            let (next, score) = match m {
                Move::Left => self.left(),
                Move::Right => { let (b, s) = self.mirrored().left(); (b.mirrored(), s) }
                Move::Up => { let (b, s) = self.transposed().left(); (b.transposed(), s) }
                Move::Down => { let (b, s) = self.transposed().mirrored().left(); (b.mirrored().transposed(), s) }
            };
            (next.cells != self.cells).then_some((next, score))
        }
        fn empty(&self) -> usize { self.cells.iter().flatten().filter(|&&c| c == 0).count() }
    }
    pub fn best_moves(d: usize, boards: &[Board]) -> Vec<Option<(Move, u32)>> {
        let mut out = vec![None; boards.len()];
        #[omp::target(device(d))]
        for (best, board) in out.iter_mut().zip(boards) {
            *best = [Move::Left, Move::Right, Move::Up, Move::Down]
                .into_iter()
                .filter_map(|m| board.play(m).map(|(next, score)| (m, score + 10 * next.empty() as u32)))
                .max_by_key(|&(_, score)| score);
        }
        out
    }
    pub fn board(seed: u32) -> Board { Board { cells: std::array::from_fn(|r| std::array::from_fn(|c| { let v = (seed * 31 + r as u32 * 7 + c as u32 * 13) % 11; if v > 3 { 0 } else { v as u8 } })) } }
}

#[test]
fn game_2048() {
    compare!(m, d => { let b: Vec<_> = (0..60).map(m::board).collect(); format!("{:?}", m::best_moves(d, &b)) });
}
