//! Bitboards: slider attacks by rays, pseudo-legal mobility, Othello flips and greedy playouts, perft of peg solitaire.
use omp_tests::twice;
twice! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    #[repr(transparent)]
    pub struct Bitboard(u64);

    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    #[repr(u8)]
    pub enum Direction { N, NE, E, SE, S, SW, W, NW }

    const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
    const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;

    #[omp::declare_target]
    impl Direction {
        pub const ALL: [Self; 8] = [Self::N, Self::NE, Self::E, Self::SE, Self::S, Self::SW, Self::W, Self::NW];
        pub const ROOK: [Self; 4] = [Self::N, Self::E, Self::S, Self::W];
        pub const BISHOP: [Self; 4] = [Self::NE, Self::SE, Self::SW, Self::NW];
    }

    #[omp::declare_target]
    impl Bitboard {
        pub const EMPTY: Self = Self(0);
        pub fn shift(self, d: Direction) -> Self {
            Bitboard(match d {
                Direction::N => self.0 << 8,
                Direction::S => self.0 >> 8,
                Direction::E => self.0 << 1 & NOT_A,
                Direction::W => self.0 >> 1 & NOT_H,
                Direction::NE => self.0 << 9 & NOT_A,
                Direction::NW => self.0 << 7 & NOT_H,
                Direction::SE => self.0 >> 7 & NOT_A,
                Direction::SW => self.0 >> 9 & NOT_H,
            })
        }
        pub fn is_empty(self) -> bool { self.0 == 0 }
        pub fn count(self) -> u32 { self.0.count_ones() }
        pub fn pop(&mut self) -> Option<u32> {
            if self.0 == 0 { return None; }
            let square = self.0.trailing_zeros();
            self.0 &= self.0 - 1;
            Some(square)
        }
    }

    #[omp::declare_target]
    impl std::ops::BitOr for Bitboard { type Output = Self; fn bitor(self, o: Self) -> Self { Self(self.0 | o.0) } }
    #[omp::declare_target]
    impl std::ops::BitAnd for Bitboard { type Output = Self; fn bitand(self, o: Self) -> Self { Self(self.0 & o.0) } }
    #[omp::declare_target]
    impl std::ops::Not for Bitboard { type Output = Self; fn not(self) -> Self { Self(!self.0) } }
    #[omp::declare_target]
    impl std::ops::BitOrAssign for Bitboard { fn bitor_assign(&mut self, o: Self) { self.0 |= o.0 } }
    #[omp::declare_target]
    impl std::ops::BitXorAssign for Bitboard { fn bitxor_assign(&mut self, o: Self) { self.0 ^= o.0 } }

    #[omp::declare_target]
    fn slide(from: Bitboard, occupied: Bitboard, directions: &[Direction]) -> Bitboard {
        let mut attacks = Bitboard::EMPTY;
        for &d in directions {
            let mut ray = from.shift(d);
            while !ray.is_empty() {
                attacks |= ray;
                if !(ray & occupied).is_empty() {
                    break;
                }
                ray = ray.shift(d);
            }
        }
        attacks
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    pub enum Piece { Rook, Bishop, Queen, Knight }

    pub fn mobility(positions: &[(u64, u64)], pieces: &[Piece]) -> Vec<[u32; 4]> {
        let mut out = vec![[0; 4]; positions.len()];
        #[omp::target]
        for (row, &(own, other)) in out.iter_mut().zip(positions) {
            let occupied = Bitboard(own | other);
            for (cell, piece) in row.iter_mut().zip(pieces) {
                let mut men = Bitboard(own);
                while let Some(square) = men.pop() {
                    let from = Bitboard(1 << square);
                    let attacks = match piece {
                        Piece::Rook => slide(from, occupied, &Direction::ROOK),
                        Piece::Bishop => slide(from, occupied, &Direction::BISHOP),
                        Piece::Queen => slide(from, occupied, &Direction::ALL),
                        Piece::Knight => {
                            let jumps = [(Direction::N, Direction::NE), (Direction::N, Direction::NW), (Direction::E, Direction::NE), (Direction::E, Direction::SE), (Direction::S, Direction::SE), (Direction::S, Direction::SW), (Direction::W, Direction::NW), (Direction::W, Direction::SW)];
                            jumps.iter().map(|&(a, b)| from.shift(a).shift(b)).fold(Bitboard::EMPTY, |x, y| x | y)
                        }
                    };
                    *cell += (attacks & !Bitboard(own)).count();
                }
            }
        }
        out
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    pub struct Othello { own: Bitboard, other: Bitboard, passed: bool }

    #[omp::declare_target]
    impl Othello {
        fn flips(&self, square: u32) -> Bitboard {
            Direction::ALL
                .into_iter()
                .map(|d| {
                    let mut line = Bitboard::EMPTY;
                    let mut at = Bitboard(1 << square).shift(d);
                    while !(at & self.other).is_empty() {
                        line |= at;
                        at = at.shift(d);
                    }
                    if (at & self.own).is_empty() { Bitboard::EMPTY } else { line }
                })
                .fold(Bitboard::EMPTY, |a, b| a | b)
        }

        fn moves(self) -> impl Iterator<Item = (u32, Bitboard)> {
            let empty = !(self.own | self.other);
            (0..64u32).filter(move |s| empty.0 >> s & 1 == 1).map(move |s| (s, self.flips(s))).filter(|(_, f)| !f.is_empty())
        }

        fn play(&mut self, square: u32, flips: Bitboard) {
            self.own ^= flips;
            self.own |= Bitboard(1 << square);
            self.other ^= flips;
            std::mem::swap(&mut self.own, &mut self.other);
            self.passed = false;
        }
    }

    /// Playouts that take the most discs; the score of the first player.
    pub fn playouts(start: Othello, seeds: &[u32]) -> Vec<(i32, u32)> {
        let mut results = vec![(0, 0); seeds.len()];
        #[omp::target]
        for (result, &seed) in results.iter_mut().zip(seeds) {
            let mut game = start;
            let mut black = true;
            let mut plies = 0;
            loop {
                let choice = game.moves().max_by_key(|(s, f)| f.count() * 64 + ((s.wrapping_mul(seed)) >> 3) % 64);
                match choice {
                    Some((square, flips)) => game.play(square, flips),
                    None if game.passed => break,
                    None => {
                        std::mem::swap(&mut game.own, &mut game.other);
                        game.passed = true;
                    }
                }
                black = !black;
                plies += 1;
            }
            let difference = game.own.count() as i32 - game.other.count() as i32;
            *result = (if black { difference } else { -difference }, plies);
        }
        results
    }

    pub fn run() -> (Vec<[u32; 4]>, Vec<(i32, u32)>) {
        let positions: Vec<(u64, u64)> = (1..=10u64).map(|k| {
            let a = k.wrapping_mul(0x9e37_79b9_7f4a_7c15) & k.wrapping_mul(0x2545_f491_4f6c_dd1d).rotate_left(11) & 0x0ff0_f00f_3cc3_5aa5;
            let b = k.wrapping_mul(0xd130_2b97_ac2b_3f71) & !a & 0x8142_2418_1824_4281;
            (a, b)
        }).collect();
        let start = Othello { own: Bitboard(1 << 28 | 1 << 35), other: Bitboard(1 << 27 | 1 << 36), passed: false };
        (mobility(&positions, &[Piece::Rook, Piece::Bishop, Piece::Queen, Piece::Knight]), playouts(start, &[1, 77, 1234567, 99991, 31337]))
    }
}
port!(bitboards: crate::Shown::of(run()));
