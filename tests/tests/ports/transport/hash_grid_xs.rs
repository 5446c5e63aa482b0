//! XSBench: macroscopic cross sections by a hashed energy grid, materials as ranges of nuclides.
use omp_tests::twice;

twice! {
    const CHANNELS: usize = 5;

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct GridPoint { energy: f64, xs: [f64; CHANNELS] }

    pub struct Simulation {
        n_gridpoints: usize,
        nuclide_grid: Vec<GridPoint>,
        hash_bins: usize,
        hash_index: Vec<u32>,
        mats: Vec<Vec<(u32, f64)>>,
    }

    /// A flat form of the materials.
    pub struct Materials { first: Vec<usize>, nuclide: Vec<u32>, concs: Vec<f64> }

    impl From<&[Vec<(u32, f64)>]> for Materials {
        fn from(mats: &[Vec<(u32, f64)>]) -> Self {
            let mut m = Materials { first: vec![0], nuclide: vec![], concs: vec![] };
            for mat in mats {
                for &(n, c) in mat {
                    m.nuclide.push(n);
                    m.concs.push(c);
                }
                m.first.push(m.nuclide.len());
            }
            m
        }
    }

    #[omp::declare_target]
    fn lcg_random_double(seed: &mut u64) -> f64 {
        *seed = seed.wrapping_mul(2806196910506780709).wrapping_add(1) % (1 << 63);
        *seed as f64 / (1u64 << 63) as f64
    }

    #[omp::declare_target]
    fn fast_forward(mut seed: u64, mut n: u64) -> u64 {
        let (mut a, mut c) = (2806196910506780709u64, 1u64);
        let (mut a_new, mut c_new) = (1u64, 0u64);
        while n > 0 {
            if n & 1 == 1 {
                a_new = a_new.wrapping_mul(a);
                c_new = c_new.wrapping_mul(a).wrapping_add(c);
            }
            c = c.wrapping_mul(a.wrapping_add(1));
            a = a.wrapping_mul(a);
            n >>= 1;
        }
        seed = a_new.wrapping_mul(seed).wrapping_add(c_new);
        seed % (1 << 63)
    }

    #[omp::declare_target]
    fn pick_mat(roll: f64) -> usize {
        const DIST: [f64; 4] = [0.14, 0.052, 0.275, 0.533];
        for i in 0..DIST.len() {
            let running: f64 = DIST[1..=i.max(0)].iter().sum::<f64>();
            if i > 0 && roll < running {
                return i;
            }
        }
        0
    }

    #[omp::declare_target]
    fn grid_search(points: &[GridPoint], quarry: f64, low: usize, high: usize) -> usize {
        let (mut lower, mut upper) = (low, high);
        while upper - lower > 1 {
            let mid = lower + (upper - lower) / 2;
            if points[mid].energy > quarry { upper = mid } else { lower = mid }
        }
        lower
    }

    impl Simulation {
        fn micro(&self, e: f64, nuc: usize) -> [f64; CHANNELS] {
            let grid = &self.nuclide_grid[nuc * self.n_gridpoints..(nuc + 1) * self.n_gridpoints];
            let bin = (e * self.hash_bins as f64) as usize;
            let row = &self.hash_index[nuc * (self.hash_bins + 1)..];
            let lo = row[bin] as usize;
            let hi = (row[bin + 1] as usize + 1).min(self.n_gridpoints - 1);
            let at = grid_search(grid, e, lo, hi.max(lo + 1)).min(self.n_gridpoints - 2);
            let [a, b] = [&grid[at], &grid[at + 1]];
            let f = (b.energy - e) / (b.energy - a.energy);
            let mut xs = [0.0; CHANNELS];
            for ((x, hi), lo) in xs.iter_mut().zip(b.xs).zip(a.xs) {
                *x = hi - f * (hi - lo);
            }
            xs
        }

        pub fn run(&self, lookups: usize) -> (u64, [f64; CHANNELS]) {
            let mats = Materials::from(self.mats.as_slice());
            let mut verification = 0u64;
            let mut total = [0.0; CHANNELS];
            #[omp::target(reduction(+: verification, total))]
            for i in 0..lookups {
                let mut seed = fast_forward(1070, 2 * i as u64);
                let e = lcg_random_double(&mut seed);
                let mat = pick_mat(lcg_random_double(&mut seed));
                let mut macro_xs = [0.0; CHANNELS];
                for k in mats.first[mat]..mats.first[mat + 1] {
                    let micro = self.micro(e, mats.nuclide[k] as usize);
                    for (m, x) in macro_xs.iter_mut().zip(micro) {
                        *m += x * mats.concs[k];
                    }
                }
                let (max_at, _) = macro_xs.iter().enumerate().fold((0, -1.0), |best, (j, &x)| if x > best.1 { (j, x) } else { best });
                verification += max_at as u64 + 1;
                for (t, x) in total.iter_mut().zip(macro_xs) {
                    *t += x;
                }
            }
            (verification, total)
        }
    }

    pub fn run() -> (u64, [f64; CHANNELS]) {
        let (nuclides, points, bins) = (6usize, 40usize, 16usize);
        let mut seed = 42;
        let mut grid = vec![];
        let mut hash_index = vec![];
        for _ in 0..nuclides {
            let mut g: Vec<GridPoint> = (0..points)
                .map(|_| GridPoint { energy: lcg_random_double(&mut seed), xs: std::array::from_fn(|_| lcg_random_double(&mut seed)) })
                .collect();
            g.sort_by(|a, b| a.energy.partial_cmp(&b.energy).unwrap());
            for b in 0..=bins {
                let e = b as f64 / bins as f64;
                hash_index.push(g.partition_point(|p| p.energy <= e).saturating_sub(1) as u32);
            }
            grid.extend(g);
        }
        let mats = (0..4).map(|m| (0..=m + 1).map(|n| ((n + m) as u32 % 6, 0.5 + n as f64)).collect()).collect();
        let s = Simulation { n_gridpoints: points, nuclide_grid: grid, hash_bins: bins, hash_index, mats };
        s.run(200)
    }
}
port!(hash_grid_xs: run());
