//! The Ising model on a checkerboard.
use omp_tests::twice;
twice! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    #[repr(i8)]
    pub enum Spin { Down = -1, Up = 1 }

    #[omp::declare_target]
    impl std::ops::Neg for Spin {
        type Output = Spin;
        fn neg(self) -> Spin { match self { Spin::Up => Spin::Down, Spin::Down => Spin::Up } }
    }
    #[omp::declare_target]
    impl From<Spin> for i32 { fn from(s: Spin) -> i32 { s as i8 as i32 } }

    #[derive(Clone, Copy, PartialEq, Eq)]
    pub enum Colour { Black, White }

    pub struct Lattice<const L: usize> { spins: Box<[[Spin; L]; L]>, beta: f64 }

    #[omp::declare_target]
    fn hash(mut x: u64) -> f64 {
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ (x >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    impl<const L: usize> Lattice<L> {
        pub fn sweep(&mut self, colour: Colour, seed: u64) {
            let parity = colour as usize;
            let table: [f64; 5] = std::array::from_fn(|k| (-2.0 * self.beta * (2 * k as i32 - 4) as f64).exp());
            let old = self.spins.clone();
            #[omp::target]
            for i in 0..L {
                for j in (0..L).filter(|j| (i + j) % 2 == parity) {
                    let (up, down) = ((i + L - 1) % L, (i + 1) % L);
                    let (left, right) = ((j + L - 1) % L, (j + 1) % L);
                    let sum: i32 = [old[up][j], old[down][j], old[i][left], old[i][right]].into_iter().map(i32::from).sum();
                    let here = old[i][j];
                    let field = sum * i32::from(here);
                    let accept = table[((field + 4) / 2) as usize];
                    if hash(seed ^ (i * L + j) as u64) < accept {
                        self.spins[i][j] = -here;
                    }
                }
            }
        }
        pub fn magnetisation(&self) -> i64 {
            let mut m = 0i64;
            #[omp::target(reduction(+: m))]
            for row in self.spins.iter() {
                for &s in row {
                    m += i64::from(i32::from(s));
                }
            }
            m
        }
    }

    pub fn run() -> (Vec<i64>, i64) {
        let mut lattice = Lattice::<16> { spins: Box::new([[Spin::Up; 16]; 16]), beta: 0.4 };
        let mut all = vec![];
        for step in 0..6 {
            lattice.sweep(Colour::Black, step * 7919);
            lattice.sweep(Colour::White, step * 104729 + 1);
            all.push(lattice.magnetisation());
        }
        (all, lattice.spins[3][4] as i64)
    }
}
port!(ising: run());
