//! Wireworld: cells parsed by `TryFrom`, a grid with an `Index` by pairs, Moore neighbours as an iterator; elementary automata in words.
use omp_tests::{Values, twice};
twice! {
    use std::ops::{Index, IndexMut};

    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default, omp::Device)]
    #[repr(u8)]
    pub enum Cell { #[default] Empty, Wire, Head, Tail }

    impl TryFrom<char> for Cell {
        type Error = char;
        fn try_from(c: char) -> Result<Self, char> {
            Ok(match c {
                ' ' | '.' => Cell::Empty,
                '#' => Cell::Wire,
                '@' => Cell::Head,
                '~' => Cell::Tail,
                other => return Err(other),
            })
        }
    }

    #[derive(Clone, omp::Mapper)]
    pub struct Grid { width: usize, height: usize, cells: Vec<Cell> }

    #[omp::declare_target]
    impl Index<(usize, usize)> for Grid {
        type Output = Cell;
        fn index(&self, (x, y): (usize, usize)) -> &Cell { &self.cells[y * self.width + x] }
    }
    #[omp::declare_target]
    impl IndexMut<(usize, usize)> for Grid {
        fn index_mut(&mut self, (x, y): (usize, usize)) -> &mut Cell { &mut self.cells[y * self.width + x] }
    }

    #[omp::declare_target]
    impl Grid {
        fn neighbours(&self, x: usize, y: usize) -> impl Iterator<Item = Cell> + '_ {
            (-1..=1isize)
                .flat_map(|dy| (-1..=1isize).map(move |dx| (dx, dy)))
                .filter(|&d| d != (0, 0))
                .filter_map(move |(dx, dy)| {
                    let (nx, ny) = (x.checked_add_signed(dx)?, y.checked_add_signed(dy)?);
                    (nx < self.width && ny < self.height).then(|| self[(nx, ny)])
                })
        }
        fn step_cell(&self, x: usize, y: usize) -> Cell {
            match self[(x, y)] {
                Cell::Empty => Cell::Empty,
                Cell::Head => Cell::Tail,
                Cell::Tail => Cell::Wire,
                Cell::Wire => match self.neighbours(x, y).filter(|c| *c == Cell::Head).count() {
                    1 | 2 => Cell::Head,
                    _ => Cell::Wire,
                },
            }
        }
    }

    impl Grid {
        pub fn parse(art: &str) -> Result<Self, char> {
            let width = art.lines().map(str::len).max().unwrap_or(0);
            let mut cells = vec![];
            for line in art.lines() {
                for c in line.chars().chain(std::iter::repeat(' ')).take(width) {
                    cells.push(Cell::try_from(c)?);
                }
            }
            Ok(Grid { width, height: cells.len() / width, cells })
        }
        pub fn run(&mut self, generations: usize) {
            let mut next = self.clone();
            for _ in 0..generations {
                step(self, &mut next);
                std::mem::swap(self, &mut next);
            }
        }
    }

    fn step(now: &Grid, next: &mut Grid) {
        #[omp::target(collapse(2))]
        for y in 0..now.height {
            for x in 0..now.width {
                next[(x, y)] = now.step_cell(x, y);
            }
        }
    }

    /// One generation of a rule over a ring of words.
    pub fn elementary(words: &[u64], rule: u8) -> Vec<u64> {
        let n = words.len();
        let mut out = vec![0; n];
        #[omp::target]
        for (i, o) in out.iter_mut().enumerate() {
            let w = words[i];
            let left = w << 1 | words[(i + n - 1) % n] >> 63;
            let right = w >> 1 | words[(i + 1) % n] << 63;
            *o = (0..8u8)
                .filter(|k| rule & (1 << k) != 0)
                .map(|k| {
                    let pick = |bit: u8, v: u64| if k & bit != 0 { v } else { !v };
                    pick(4, left) & pick(2, w) & pick(1, right)
                })
                .fold(0, |a, b| a | b);
        }
        out
    }

    pub fn run() -> (Vec<u8>, Vec<u64>) {
        let mut grid = Grid::parse("~@####  ###\n   #  ##\n   ####   #~@#\n  @  #  ####").unwrap();
        grid.run(7);
        let mut v = Values(27);
        let mut row: Vec<u64> = (0..5).map(|_| v.wide()).collect();
        for rule in [110, 30, 90, 184] {
            row = elementary(&row, rule);
        }
        (grid.cells.iter().map(|&c| c as u8).collect(), row)
    }
}
port!(wireworld: run());
