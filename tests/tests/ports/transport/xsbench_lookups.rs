//! XSBench: macroscopic neutron cross-section lookups, event based, one LCG stream per lookup.
use omp_tests::twice;

twice! {
    pub const N_MATS: usize = 12;
    const STARTING_SEED: u64 = 1070;
    const LCG_M: u64 = 1 << 63;
    const LCG_A: u64 = 2806196910506780709;
    const LCG_C: u64 = 1;
    /// Probability of a neutron being in each material.
    const MAT_DIST: [f64; N_MATS] =
        [0.140, 0.052, 0.275, 0.134, 0.154, 0.064, 0.066, 0.055, 0.008, 0.015, 0.025, 0.013];

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct NuclideGridPoint {
        pub energy: f64,
        pub total_xs: f64,
        pub elastic_xs: f64,
        pub absorption_xs: f64,
        pub fission_xs: f64,
        pub nu_fission_xs: f64,
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    pub enum GridType {
        Unionized,
        Nuclide,
    }

    #[derive(Clone, Debug, omp::Mapper)]
    pub struct SimulationData {
        pub n_isotopes: usize,
        pub n_gridpoints: usize,
        pub max_num_nucs: usize,
        pub num_nucs: Vec<usize>,
        pub mats: Vec<usize>,
        pub concs: Vec<f64>,
        pub unionized_energy: Vec<f64>,
        pub index_grid: Vec<u32>,
        pub nuclide_grid: Vec<NuclideGridPoint>,
    }

    #[omp::declare_target]
    fn lcg_random_double(seed: &mut u64) -> f64 {
        *seed = LCG_A.wrapping_mul(*seed).wrapping_add(LCG_C) % LCG_M;
        *seed as f64 / LCG_M as f64
    }

    #[omp::declare_target]
    fn fast_forward_lcg(seed: u64, n: u64) -> u64 {
        let (mut a, mut c) = (LCG_A, LCG_C);
        let (mut a_new, mut c_new) = (1u64, 0u64);
        let mut n = n % LCG_M;
        while n > 0 {
            if n & 1 != 0 {
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
        let roll = lcg_random_double(seed);
        for i in 0..N_MATS {
            let running: f64 = MAT_DIST[1..=i].iter().sum();
            if roll < running {
                return i;
            }
        }
        0
    }

    /// Index of the last point whose energy is at most `quarry` (0 if there is none).
    #[omp::declare_target]
    fn grid_search<T>(grid: &[T], quarry: f64, energy: impl Fn(&T) -> f64) -> usize {
        let mut lower = 0;
        let mut upper = grid.len() - 1;
        while upper - lower > 1 {
            let mid = lower + (upper - lower) / 2;
            if energy(&grid[mid]) > quarry {
                upper = mid;
            } else {
                lower = mid;
            }
        }
        lower
    }

    #[omp::declare_target]
    impl SimulationData {
        fn calculate_micro_xs(&self, p_energy: f64, nuc: usize, idx: usize, grid_type: GridType) -> [f64; 5] {
            let start = nuc * self.n_gridpoints;
            let grid = &self.nuclide_grid[start..start + self.n_gridpoints];
            let low_idx = match grid_type {
                GridType::Nuclide => grid_search(grid, p_energy, |p| p.energy),
                GridType::Unionized => self.index_grid[idx * self.n_isotopes + nuc] as usize,
            };
            let low_idx = low_idx.min(self.n_gridpoints - 2);
            let (low, high) = (&grid[low_idx], &grid[low_idx + 1]);
            let f = (high.energy - p_energy) / (high.energy - low.energy);
            [
                high.total_xs - f * (high.total_xs - low.total_xs),
                high.elastic_xs - f * (high.elastic_xs - low.elastic_xs),
                high.absorption_xs - f * (high.absorption_xs - low.absorption_xs),
                high.fission_xs - f * (high.fission_xs - low.fission_xs),
                high.nu_fission_xs - f * (high.nu_fission_xs - low.nu_fission_xs),
            ]
        }

        fn calculate_macro_xs(&self, p_energy: f64, mat: usize, grid_type: GridType) -> [f64; 5] {
            let mut macro_xs = [0.0; 5];
            let idx = if grid_type == GridType::Unionized {
                grid_search(&self.unionized_energy, p_energy, |&e| e)
            } else {
                0
            };
            for j in 0..self.num_nucs[mat] {
                let p_nuc = self.mats[mat * self.max_num_nucs + j];
                let conc = self.concs[mat * self.max_num_nucs + j];
                let micro_xs = self.calculate_micro_xs(p_energy, p_nuc, idx, grid_type);
                for (total, xs) in macro_xs.iter_mut().zip(micro_xs) {
                    *total += xs * conc;
                }
            }
            macro_xs
        }
    }

    impl SimulationData {
        pub fn new(n_isotopes: usize, n_gridpoints: usize, max_num_nucs: usize) -> Self {
            let mut seed = 42;
            let mut nuclide_grid = vec![NuclideGridPoint::default(); n_isotopes * n_gridpoints];
            for point in nuclide_grid.iter_mut() {
                point.energy = lcg_random_double(&mut seed);
                point.total_xs = lcg_random_double(&mut seed);
                point.elastic_xs = lcg_random_double(&mut seed);
                point.absorption_xs = lcg_random_double(&mut seed);
                point.fission_xs = lcg_random_double(&mut seed);
                point.nu_fission_xs = lcg_random_double(&mut seed);
            }
            for grid in nuclide_grid.chunks_exact_mut(n_gridpoints) {
                grid.sort_by(|a, b| a.energy.total_cmp(&b.energy));
            }
            let mut unionized_energy: Vec<f64> = nuclide_grid.iter().map(|p| p.energy).collect();
            unionized_energy.sort_by(f64::total_cmp);
            let mut index_grid = Vec::with_capacity(unionized_energy.len() * n_isotopes);
            for &e in &unionized_energy {
                for grid in nuclide_grid.chunks_exact(n_gridpoints) {
                    index_grid.push(grid.partition_point(|p| p.energy <= e).saturating_sub(1) as u32);
                }
            }
            let (mut num_nucs, mut mats, mut concs) = (Vec::new(), Vec::new(), Vec::new());
            for mat in 0..N_MATS {
                num_nucs.push(if mat == 0 { max_num_nucs } else { 2 + mat % (max_num_nucs - 2) });
                for j in 0..max_num_nucs {
                    mats.push((mat * 5 + j * 3) % n_isotopes);
                    concs.push(lcg_random_double(&mut seed));
                }
            }
            SimulationData {
                n_isotopes, n_gridpoints, max_num_nucs,
                num_nucs, mats, concs, unionized_energy, index_grid, nuclide_grid,
            }
        }
    }

    /// Sum over all lookups of 1 + the index of the largest cross section.
    pub fn run_event_based_simulation(sd: &SimulationData, lookups: usize, grid_type: GridType) -> u64 {
        let mut verification = 0u64;
        #[omp::target(schedule(dynamic), reduction(+: verification))]
        for i in 0..lookups {
            let mut seed = fast_forward_lcg(STARTING_SEED, 2 * i as u64);
            let p_energy = lcg_random_double(&mut seed);
            let mat = pick_mat(&mut seed);
            let macro_xs = sd.calculate_macro_xs(p_energy, mat, grid_type);

            let mut max = -1.0;
            let mut max_idx = 0;
            for (j, &xs) in macro_xs.iter().enumerate() {
                if xs > max {
                    max = xs;
                    max_idx = j;
                }
            }
            verification += max_idx as u64 + 1;
        }
        verification
    }

    /// How often each material is drawn.
    pub fn material_histogram(lookups: u64) -> [u32; N_MATS] {
        let mut counts = [0u32; N_MATS];
        #[omp::target]
        for i in 0..lookups {
            let mut seed = fast_forward_lcg(STARTING_SEED, 2 * i + 1);
            let mat = pick_mat(&mut seed);
            #[omp::atomic]
            counts[mat] += 1;
        }
        counts
    }
}
port!(xsbench_lookups: crate::Shown::of({
    let sd = SimulationData::new(23, 60, 9);
    let unionized = run_event_based_simulation(&sd, 3000, GridType::Unionized);
    let nuclide = run_event_based_simulation(&sd, 3000, GridType::Nuclide);
    (unionized, nuclide, material_histogram(5000))
}));
