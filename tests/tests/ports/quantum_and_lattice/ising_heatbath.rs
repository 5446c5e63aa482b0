//! Ising: a checkerboard heat bath with a table of probabilities, and exact sums in fixed point.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, PartialEq, Eq, Debug, omp::Device)]
    #[repr(i8)]
    pub enum Spin { Down = -1, Up = 1 }

    impl From<Spin> for i32 { fn from(s: Spin) -> i32 { s as i32 } }

    #[omp::declare_target]
    const fn hash(mut x: u64) -> u64 {
        x ^= x >> 33;
        x = x.wrapping_mul(0xff51afd7ed558ccd);
        x ^= x >> 33;
        x = x.wrapping_mul(0xc4ceb9fe1a85ec53);
        x ^ (x >> 33)
    }

    pub struct Ising { l: usize, spins: Vec<Spin>, table: [f64; 9], field: f64 }

    impl Ising {
        pub fn new(l: usize, beta: f64, field: f64) -> Self {
            let spins = (0..l * l).map(|i| if hash(i as u64) & 1 == 0 { Spin::Up } else { Spin::Down }).collect();
            let table = std::array::from_fn(|k| 1.0 / (1.0 + (-2.0 * beta * (k as f64 - 4.0 + field)).exp()));
            Ising { l, spins, table, field }
        }

        fn half_sweep(&mut self, colour: usize, sweep: u64) {
            let Self { l, spins, table, .. } = self;
            let l = *l;
            #[omp::target(disjoint(spins))]
            for site in 0..l * l / 2 {
                let y = 2 * site / l;
                let x = (2 * site) % l + (y + colour) % 2;
                let up = (y + l - 1) % l;
                let down = (y + 1) % l;
                let sum: i32 = [up * l + x, down * l + x, y * l + (x + 1) % l, y * l + (x + l - 1) % l]
                    .iter()
                    .map(|&n| spins[n] as i32)
                    .sum();
                let u = (hash(sweep << 32 | (y * l + x) as u64) >> 11) as f64 * 2f64.powi(-53);
                spins[y * l + x] = if u < table[(sum + 4) as usize] { Spin::Up } else { Spin::Down };
            }
        }

        pub fn energy(&self) -> (i64, f64) {
            let l = self.l;
            let mut bonds = 0i64;
            let mut magnetisation = 0i64;
            #[omp::target(collapse(2), reduction(+: bonds, magnetisation))]
            for y in 0..l {
                for x in 0..l {
                    let s = self.spins[y * l + x] as i64;
                    let right = self.spins[y * l + (x + 1) % l] as i64;
                    let below = self.spins[(y + 1) % l * l + x] as i64;
                    bonds += s * (right + below);
                    magnetisation += s;
                }
            }
            (-bonds, magnetisation as f64 * self.field)
        }

        pub fn run(&mut self, sweeps: u64) -> Vec<(i64, f64)> {
            (0..sweeps)
                .map(|s| {
                    for colour in [0, 1] { self.half_sweep(colour, s); }
                    self.energy()
                })
                .collect()
        }
    }
    pub fn run() -> Vec<(i64, f64)> { Ising::new(12, 0.44, 0.01).run(5) }
}
port!(ising_heatbath: run());
