//! XSBench: macroscopic cross sections by a unionised energy grid, binary search and interpolation, with a hash of all lookups.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, Debug, Default, omp::Device)]
    pub struct NuclideGridPoint {
        energy: f64,
        xs: [f64; 5],
    }

    pub struct SimulationData {
        num_nucs: Vec<usize>,
        mats: Vec<usize>,
        concs: Vec<f64>,
        grid: Vec<NuclideGridPoint>,
        unionized: Vec<f64>,
        index: Vec<u32>,
        max_num_nucs: usize,
        n_gridpoints: usize,
    }

    const LCG_M: u64 = 1 << 63;

    #[omp::declare_target]
    fn lcg_random_double(seed: &mut u64) -> f64 {
        *seed = seed.wrapping_mul(2806196910506780709).wrapping_add(1) % LCG_M;
        *seed as f64 / LCG_M as f64
    }

    #[omp::declare_target]
    fn fast_forward_lcg(seed: u64, n: u64) -> u64 {
        let (mut a, mut c, mut n) = (2806196910506780709u64, 1u64, n % LCG_M);
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
        a_new.wrapping_mul(seed).wrapping_add(c_new) % LCG_M
    }

    #[omp::declare_target]
    fn pick_mat(seed: &mut u64) -> usize {
        let dist = [0.140, 0.052, 0.275, 0.134, 0.154, 0.064, 0.066, 0.055, 0.008, 0.015, 0.025, 0.013];
        let roll = lcg_random_double(seed);
        for i in 0..12 {
            let mut running = 0.0;
            for j in (1..=i).rev() {
                running += dist[j];
            }
            if roll < running {
                return i;
            }
        }
        0
    }

    #[omp::declare_target]
    fn grid_search(quarry: f64, a: &[f64]) -> usize {
        let (mut lower, mut upper) = (0, a.len() - 1);
        while upper - lower > 1 {
            let examination = lower + (upper - lower) / 2;
            if a[examination] > quarry {
                upper = examination;
            } else {
                lower = examination;
            }
        }
        lower
    }

    #[omp::offload]
    pub fn simulate(data: &SimulationData, lookups: usize) -> u64 {
        let mut verification = 0u64;
        #[omp::target(reduction(+: verification))]
        for i in 0..lookups {
            let mut seed = fast_forward_lcg(1070, 2 * i as u64);
            let p_energy = lcg_random_double(&mut seed);
            let mat = pick_mat(&mut seed);
            let mut macro_xs = [0.0; 5];
            let idx = grid_search(p_energy, &data.unionized);
            for j in 0..data.num_nucs[mat] {
                let nuc = data.mats[mat * data.max_num_nucs + j];
                let conc = data.concs[mat * data.max_num_nucs + j];
                let at = data.index[idx * 8 + nuc] as usize;
                let at = if at == data.n_gridpoints - 1 { at - 1 } else { at };
                let low = data.grid[nuc * data.n_gridpoints + at];
                let high = data.grid[nuc * data.n_gridpoints + at + 1];
                let f = (high.energy - p_energy) / (high.energy - low.energy);
                for (k, xs) in macro_xs.iter_mut().enumerate() {
                    *xs += (high.xs[k] - f * (high.xs[k] - low.xs[k])) * conc;
                }
            }
            let (max_idx, _) = macro_xs.iter().enumerate().fold((0, -1.0), |best, (k, &v)| if v > best.1 { (k, v) } else { best });
            verification += max_idx as u64 + 1;
        }
        verification
    }

    pub fn run() -> u64 {
        let (nucs, points) = (8usize, 32usize);
        let grid: Vec<NuclideGridPoint> = (0..nucs * points)
            .map(|k| {
                let (n, p) = (k / points, k % points);
                let mut point = NuclideGridPoint { energy: (p as f64 + 0.1 * n as f64) / points as f64, ..Default::default() };
                for (i, x) in point.xs.iter_mut().enumerate() {
                    *x = ((k * 13 + i * 7) % 17) as f64 * 0.25;
                }
                point
            })
            .collect();
        let mut unionized: Vec<f64> = grid.iter().map(|p| p.energy).collect();
        unionized.sort_by(f64::total_cmp);
        let index = unionized
            .iter()
            .flat_map(|e| {
                let grid = &grid;
                (0..nucs).map(move |n| (0..points - 1).rev().find(|p| grid[n * points + p].energy <= *e).unwrap_or(0) as u32)
            })
            .collect();
        let data = SimulationData {
            num_nucs: (0..12).map(|m| 1 + m % 4).collect(),
            mats: (0..12 * 4).map(|k| (k * 5) % nucs).collect(),
            concs: (0..12 * 4).map(|k| 0.5 + (k % 9) as f64 * 0.125).collect(),
            grid,
            unionized,
            index,
            max_num_nucs: 4,
            n_gridpoints: points,
        };
        simulate(&data, 500)
    }
}
port!(xsbench: run());
