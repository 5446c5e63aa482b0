//! Life-like automata on a torus, with the rule in a struct and cells as an enum.
use omp_tests::{Values, twice};

twice! {
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, omp::Device)]
    #[repr(u8)]
    pub enum Cell {
        #[default]
        Dead = 0,
        Alive = 1,
    }

    #[omp::declare_target]
    impl Cell {
        fn is_alive(self) -> bool { matches!(self, Cell::Alive) }
    }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Rule { birth: u16, survival: u16 }

    impl Rule {
        pub fn parse(born: &[u32], survive: &[u32]) -> Self {
            let bits = |list: &[u32]| list.iter().fold(0u16, |m, &b| m | 1 << b);
            Self { birth: bits(born), survival: bits(survive) }
        }
    }

    #[omp::declare_target]
    impl Rule {
        fn next(&self, cell: Cell, neighbours: usize) -> Cell {
            let set = match cell {
                Cell::Dead => self.birth,
                Cell::Alive => self.survival,
            };
            if set >> neighbours & 1 == 1 { Cell::Alive } else { Cell::Dead }
        }
    }

    pub struct World { width: usize, height: usize, cells: Vec<Cell>, rule: Rule }

    impl World {
        #[omp::offload]
        pub fn step(&mut self) {
            let mut next = vec![Cell::default(); self.cells.len()];
            let (w, h) = (self.width as isize, self.height as isize);
            let at = |x: isize, y: isize| self.cells[(y.rem_euclid(h) * w + x.rem_euclid(w)) as usize];
            #[omp::target(collapse(2))]
            for y in 0..h {
                for x in 0..w {
                    let alive = (-1..=1)
                        .flat_map(|dy| (-1..=1).map(move |dx| (dx, dy)))
                        .filter(|&(dx, dy)| (dx, dy) != (0, 0) && at(x + dx, y + dy).is_alive())
                        .count();
                    next[(y * w + x) as usize] = self.rule.next(at(x, y), alive);
                }
            }
            self.cells = next;
        }

        #[omp::offload]
        pub fn population(&self) -> usize {
            let mut alive = 0;
            #[omp::target(reduction(+: alive))]
            for c in &self.cells {
                if *c == Cell::Alive {
                    alive += 1;
                }
            }
            alive
        }
    }

    pub fn run() -> (Vec<u8>, Vec<usize>) {
        let mut v = Values(16);
        let mut world = World {
            width: 30,
            height: 20,
            cells: (0..600).map(|_| if v.bits() % 3 == 0 { Cell::Alive } else { Cell::Dead }).collect(),
            rule: Rule::parse(&[3, 6], &[2, 3]),
        };
        let mut history = vec![];
        for _ in 0..4 {
            world.step();
            history.push(world.population());
        }
        (world.cells.iter().map(|&c| c as u8).collect(), history)
    }
}
port!(life: run());
