//! Loops in a module that imports types, functions and consts from others in the file. Names mean what they mean where they are declared:
//! the modules have other consts and functions of the same names.
#![allow(unused_qualifications, clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::on_every_device;

mod bits {
    pub const ALL: u8 = 64;
    /// Other modules have one of this name.
    pub const STEP: u32 = 3;

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Square(pub u8);
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Bits(pub u64);

    #[omp::declare_target]
    impl Bits {
        pub fn contains(self, s: Square) -> bool {
            self.0 >> s.0 & 1 == 1
        }
        pub fn squares(self) -> impl Iterator<Item = Square> {
            (0..ALL).map(Square).filter(move |&s| self.contains(s))
        }
        pub fn files(self) -> impl Iterator<Item = u8> {
            0..8
        }
        pub fn up_to(self, n: u8) -> impl DoubleEndedIterator<Item = u8> {
            let half = n / 2;
            half..=n
        }
        pub fn stepped(&self, f: impl Fn(u32) -> u32) -> u32 {
            f(self.0 as u32 % 100) * STEP
        }
        pub fn moved(&mut self, f: impl Fn(u64) -> u64) {
            self.0 = f(self.0).rotate_left(STEP);
        }
    }

    #[omp::declare_target]
    pub fn heavy(b: Bits, f: impl Fn(u32) -> u32) -> u32 {
        f(b.0.count_ones()) + STEP + weight(2)
    }
    #[omp::declare_target]
    pub fn weight(x: u32) -> u32 {
        x * 7
    }
}

mod board {
    use super::bits::{Bits, Square};
    use std::f64::consts::PI;
    use std::ops::{Index, IndexMut, Range};

    /// Not public: bodies that name it can't stand in other modules.
    const HIDDEN: usize = 1;

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    #[repr(u8)]
    pub enum Colour {
        White,
        Black,
    }

    #[omp::declare_target]
    impl Colour {
        pub fn other(self) -> Self {
            if self == Colour::White { Colour::Black } else { Colour::White }
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Board {
        pub by: [[Bits; 2]; 2],
        pub turn: Colour,
        pub first: u32,
    }

    #[omp::declare_target]
    impl Index<(Colour, usize)> for Board {
        type Output = Bits;
        fn index(&self, (c, k): (Colour, usize)) -> &Bits {
            &self.by[c as usize][k]
        }
    }

    #[omp::declare_target]
    impl IndexMut<(Colour, usize)> for Board {
        fn index_mut(&mut self, (c, k): (Colour, usize)) -> &mut Bits {
            &mut self.by[c as usize][k]
        }
    }

    #[omp::declare_target]
    impl Board {
        pub fn each(&self, c: Colour, mut f: impl FnMut(usize, Square)) {
            for k in 0..2 {
                for s in self[(c, k)].squares() {
                    f(k, s);
                }
            }
        }
        pub fn angle(&self, f: impl Fn(f64) -> f64) -> f64 {
            f(PI * self.first as f64)
        }
        pub fn span(&self) -> Range<usize> {
            let begin = if self.first > 2 { self.first as usize - 2 } else { 0 };
            begin..self.first as usize
        }
        pub fn hidden(&self) -> u32 {
            self.by[HIDDEN][0].0 as u32 % 7
        }
    }

    pub struct Game {
        pub boards: Vec<Board>,
        pub moves: Vec<u32>,
    }

    #[omp::declare_target]
    impl Game {
        pub fn moves_of(&self, i: usize) -> &[u32] {
            &self.moves[self.boards[i].span()]
        }
    }
}

mod play {
    use super::bits::{Bits, heavy};
    use super::board::{Board, Colour, Game};

    const STEP: u32 = 1000;
    const PI: f64 = 3.0;

    fn weight(x: u32) -> u32 {
        x + STEP
    }

    pub mod serial {
        use super::super::board::Game;
        pub fn run(game: &Game, out: &mut [u32], angles: &mut [f64], boards: &mut [super::Board]) {
            super::body(game, out, angles, boards);
        }
    }

    macro_rules! unused {
        () => {};
    }
    const _: () = {
        unused!();
    };

    #[omp::offload]
    pub fn run(game: &Game, out: &mut [u32], angles: &mut [f64], boards: &mut [Board]) {
        #[omp::target]
        for i in 0..out.len() {
            let b = &game.boards[i];
            let mut sum = b.hidden();
            b.each(b.turn, |k, s| sum = (sum * 5 + k as u32 + s.0 as u32) % 10007);
            b.each(b.turn.other(), |k, s| sum += (k + 1) as u32 * s.0 as u32);
            let n = b[(b.turn.other(), 1)].squares().count() as u32;
            sum += n * STEP + b[(Colour::Black, 0)].stepped(|x| x + STEP);
            for f in b.by[0][1].files() {
                sum = sum.wrapping_mul(3).wrapping_add((f << 6) as u32);
            }
            for f in b.by[0][1].up_to(9).rev() {
                sum = sum.wrapping_mul(3).wrapping_add(f as u32);
            }
            sum = sum.wrapping_add(game.moves_of(i).iter().sum::<u32>());
            sum = sum.wrapping_add(heavy(b.by[1][1], |x| x * 2));
            out[i] = sum;
            angles[i] = b.angle(|x| x * 2.0) + PI;
            boards[i].by[0][0].moved(|x| x ^ STEP as u64);
            let mut own = boards[i];
            own[(Colour::White, 1)] = Bits(own[(Colour::White, 0)].0 | 1);
            boards[i] = own;
        }
    }

    pub fn body(game: &Game, out: &mut [u32], angles: &mut [f64], boards: &mut [Board]) {
        for i in 0..out.len() {
            let b = &game.boards[i];
            let mut sum = b.hidden();
            b.each(b.turn, |k, s| sum = (sum * 5 + k as u32 + s.0 as u32) % 10007);
            b.each(b.turn.other(), |k, s| sum += (k + 1) as u32 * s.0 as u32);
            let n = b[(b.turn.other(), 1)].squares().count() as u32;
            sum += n * STEP + b[(Colour::Black, 0)].stepped(|x| x + STEP);
            for f in b.by[0][1].files() {
                sum = sum.wrapping_mul(3).wrapping_add((f << 6) as u32);
            }
            for f in b.by[0][1].up_to(9).rev() {
                sum = sum.wrapping_mul(3).wrapping_add(f as u32);
            }
            sum = sum.wrapping_add(game.moves_of(i).iter().sum::<u32>());
            sum = sum.wrapping_add(heavy(b.by[1][1], |x| x * 2));
            out[i] = sum;
            angles[i] = b.angle(|x| x * 2.0) + PI;
            boards[i].by[0][0].moved(|x| x ^ STEP as u64);
            let mut own = boards[i];
            own[(Colour::White, 1)] = Bits(own[(Colour::White, 0)].0 | 1);
            boards[i] = own;
        }
        let _ = weight(1);
    }
}

mod tree {
    use std::ops::{Index, Range};

    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    pub struct NodeId(pub u32);
    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Node {
        pub centre: i32,
        pub first: u32,
        pub count: u32,
        pub skip: NodeId,
    }
    #[omp::declare_target]
    impl Node {
        pub fn bodies(&self) -> Range<usize> {
            self.first as usize..(self.first + self.count) as usize
        }
    }
    pub struct Tree {
        pub nodes: Vec<Node>,
        pub bodies: Vec<i32>,
    }
    #[omp::declare_target]
    impl Index<NodeId> for Tree {
        type Output = Node;
        fn index(&self, id: NodeId) -> &Node {
            &self.nodes[id.0 as usize]
        }
    }
    #[omp::declare_target]
    impl Tree {
        pub const ROOT: NodeId = NodeId(0);
        pub fn walk(&self, from: i32, mut visit: impl FnMut(i32)) {
            let mut id = Self::ROOT;
            while (id.0 as usize) < self.nodes.len() {
                let node = self[id];
                if node.count > 0 {
                    for b in self.bodies[node.bodies()].iter() {
                        visit(*b - from);
                    }
                    id = node.skip;
                } else if node.centre > from {
                    visit(node.centre);
                    id = node.skip;
                } else {
                    id = NodeId(id.0 + 1);
                }
            }
        }
    }
}

#[omp::offload]
mod walks {
    // (`Node` and `NodeId` have no names here.)
    use super::tree::Tree;
    pub fn run(tree: &Tree, out: &mut [i32]) {
        #[omp::target]
        for i in 0..tree.bodies.len() {
            let mut a = 0;
            tree.walk(tree.bodies[i], |d| a = a * 3 % 1000 + d);
            out[i] = a;
        }
    }
}

#[test]
fn names_mean_what_they_mean_at_home() {
    on_every_device(|d| {
        omp::set_default_device(d);
        let mut x = 1u64;
        let mut next = || {
            x = x.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            bits::Bits(x & x >> 13)
        };
        for n in [0, 1, 33, 300] {
            let boards: Vec<board::Board> = (0..n)
                .map(|i| board::Board {
                    by: [[next(), next()], [next(), next()]],
                    turn: if i % 2 == 0 { board::Colour::White } else { board::Colour::Black },
                    first: i as u32 % 9,
                })
                .collect();
            let game = board::Game { boards, moves: (0..9).collect() };
            let (mut out, mut angles, mut boards) = (vec![0; n], vec![0.0; n], game.boards.clone());
            let mut other = (out.clone(), angles.clone(), boards.clone());
            play::run(&game, &mut out, &mut angles, &mut boards);
            play::serial::run(&game, &mut other.0, &mut other.1, &mut other.2);
            assert_eq!((out, angles, boards), other, "on {d}");
        }
    });
}

#[test]
fn types_without_a_name_here() {
    on_every_device(|d| {
        omp::set_default_device(d);
        let nodes = (0..10u32).map(|i| tree::Node {
            centre: i as i32 * 3 - 5,
            first: i * 2,
            count: if i % 3 == 0 { 0 } else { 2 },
            skip: tree::NodeId(i + 1 + i % 2),
        });
        let tree = tree::Tree { nodes: nodes.collect(), bodies: (0..20).map(|i| i * 7 % 13).collect() };
        let mut out = vec![0; 20];
        walks::run(&tree, &mut out);
        for i in 0..20 {
            let mut a = 0;
            tree.walk(tree.bodies[i], |d| a = a * 3 % 1000 + d);
            assert_eq!(out[i], a, "on {d}");
        }
    });
}

/// Each of these modules has a `K` of its own.
mod one {
    pub const K: u32 = 1;
    pub mod inner {
        pub const K: u32 = 10;
    }
}
mod two {
    pub const K: u32 = 2;
}
mod again {
    pub use super::one::inner::*;
}

mod values {
    use super::again::*;
    use std::ops::Index;

    pub const K8: u32 = 8;
    /// What `K` means here is 10.
    pub const HERE: u32 = K;

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    #[repr(u8)]
    pub enum Kind {
        Low = 3,
        High = 5,
    }
    use Kind::*;

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct V {
        pub a: u32,
        pub v: [u32; 4],
    }

    #[omp::declare_target]
    impl Index<u32> for V {
        type Output = u32;
        fn index(&self, k: u32) -> &u32 {
            &self.v[(k % 4) as usize]
        }
    }

    #[omp::declare_target]
    impl V {
        pub fn of_glob(&self, f: impl Fn(u32) -> u32) -> u32 {
            f(self.a) + K
        }
        pub fn by_path(&self, f: impl Fn(u32) -> u32) -> u32 {
            f(self.a) + self::K8 + super::two::K + super::one::inner::K
        }
        pub fn in_macros(&self, f: impl Fn(u32) -> u32) -> u32 {
            f(self.a) + matches!(self.a, 0..K8) as u32 + matches!(self, V { a: K8, .. }) as u32 * 100
        }
        pub fn variants(&self, f: impl Fn(u32) -> u32) -> u32 {
            f(if self.a % 2 == 0 { Low as u32 } else { High as u32 })
        }
        pub fn numbers(self) -> impl Iterator<Item = u32> {
            self.a % 3..self.a % 3 + 4
        }
    }
}

#[omp::offload]
mod loops {
    use super::two::K;
    use super::values::V;

    #[omp::declare_target]
    fn next(k: &mut u32) -> u32 {
        *k += 1;
        *k
    }

    pub const LOW: u32 = K;

    pub fn run(x: &[[V; 2]], out: &mut [u32]) {
        #[omp::target]
        for i in 0..out.len() {
            let v = &x[i][0];
            let mut sum = v.of_glob(|n| n * K) + v.by_path(|n| n + K) * 3;
            sum = sum * 7 % 100_003 + v.in_macros(|n| n * 2) + v.variants(|n| n * 3);
            let mut k = i as u32;
            let q = x[i];
            sum += q[(next(&mut k) % 2) as usize].numbers().map(|n| n * 2).sum::<u32>();
            for n in q[(next(&mut k) % 2) as usize].numbers() {
                sum = sum * 3 % 100_003 + n;
            }
            sum += q[0][next(&mut k)] + q[1][next(&mut k)] * k;
            out[i] = sum;
        }
    }

    pub fn serial(x: &[[V; 2]], out: &mut [u32]) {
        for i in 0..out.len() {
            let v = &x[i][0];
            let mut sum = v.of_glob(|n| n * K) + v.by_path(|n| n + K) * 3;
            sum = sum * 7 % 100_003 + v.in_macros(|n| n * 2) + v.variants(|n| n * 3);
            let mut k = i as u32;
            let q = x[i];
            sum += q[(next(&mut k) % 2) as usize].numbers().map(|n| n * 2).sum::<u32>();
            for n in q[(next(&mut k) % 2) as usize].numbers() {
                sum = sum * 3 % 100_003 + n;
            }
            sum += q[0][next(&mut k)] + q[1][next(&mut k)] * k;
            out[i] = sum;
        }
    }
}

#[test]
fn paths_globs_texts_and_receivers() {
    assert_eq!((values::HERE, loops::LOW, one::K), (10, 2, 1));
    on_every_device(|d| {
        omp::set_default_device(d);
        for n in [0, 1, 33, 300] {
            let v = |a: usize| values::V { a: (a % 12) as u32, v: [a as u32, 3, (a * 7) as u32, 9] };
            let x: Vec<_> = (0..n).map(|i| [v(i), v(i * 5 + 1)]).collect();
            let (mut out, mut serial) = (vec![0; n], vec![0; n]);
            loops::run(&x, &mut out);
            loops::serial(&x, &mut serial);
            assert_eq!(out, serial, "on {d}");
        }
    });
}
