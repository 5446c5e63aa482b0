//! XSBench: macroscopic cross sections by a unionised energy grid.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, Default, omp::Device)]
    pub struct GridPoint { energy: f64, xs: [f64; 5] }

    pub struct SimulationData<'a> { nuclides: &'a [GridPoint], points: usize, egrid: &'a [f64], index: &'a [i32], mats: &'a [&'static [(usize, f64)]] }

    #[omp::declare_target]
    fn lcg(seed: &mut u64) -> f64 {
        const M: u64 = 1 << 63;
        *seed = (2806196910506780709u64.wrapping_mul(*seed).wrapping_add(1)) % M;
        *seed as f64 / M as f64
    }

    #[omp::declare_target]
    fn grid_search(egrid: &[f64], quarry: f64) -> usize {
        let (mut low, mut high) = (0, egrid.len() - 1);
        while high - low > 1 {
            let mid = low + (high - low) / 2;
            if egrid[mid] > quarry { high = mid } else { low = mid }
        }
        low
    }

    #[omp::declare_target]
    fn micro_xs(grid: &[GridPoint], low: usize, e: f64) -> [f64; 5] {
        let low = low.min(grid.len() - 2);
        let [a, b] = [grid[low], grid[low + 1]];
        let f = (b.energy - e) / (b.energy - a.energy);
        std::array::from_fn(|k| b.xs[k] - f * (b.xs[k] - a.xs[k]))
    }

    pub fn lookups(egrid: &[f64], nuclides: &[GridPoint], points: usize, mat_start: &[usize], mat_nuc: &[usize], conc: &[f64], index: &[i32], n: usize) -> ([f64; 5], u64) {
        let mut verification = 0u64;
        let mut total = [0.0; 5];
        let n_iso = nuclides.len() / points;
        #[omp::target(reduction(+: verification, total))]
        for i in 0..n {
            let mut seed = 1070 + i as u64 * 13;
            let e = lcg(&mut seed);
            let mat = (lcg(&mut seed) * (mat_start.len() - 1) as f64) as usize;
            let at = grid_search(egrid, e);
            let mut macro_xs = [0.0f64; 5];
            for k in mat_start[mat]..mat_start[mat + 1] {
                let nuc = mat_nuc[k];
                let grid = &nuclides[nuc * points..(nuc + 1) * points];
                let xs = micro_xs(grid, index[at * n_iso + nuc] as usize, e);
                macro_xs.iter_mut().zip(xs).for_each(|(m, x)| *m += x * conc[k]);
            }
            let mut max = -1.0;
            let mut max_idx = 0;
            for (j, &x) in macro_xs.iter().enumerate() {
                if x > max { max = x; max_idx = j; }
            }
            verification += max_idx as u64 + 1;
            for j in 0..5 { total[j] += macro_xs[j]; }
        }
        (total, verification)
    }
    pub fn run() -> ([f64; 5], u64) {
        let points = 16;
        let nuclides: Vec<GridPoint> = (0..4 * points).map(|i| GridPoint { energy: ((i % points) as f64 + 0.1 * (i / points) as f64) / 15.5, xs: [0.1 * (i % 7) as f64, 0.2, 0.05 * (i % 11) as f64, 0.3 * (i % 3) as f64, 0.01] }).collect();
        let egrid: Vec<f64> = (0..40).map(|i| i as f64 / 39.0).collect();
        let index: Vec<i32> = (0..40 * 4).map(|k| ((k / 4) as f64 / 39.0 * 15.0) as i32).collect();
        let mats = [vec![0, 1], vec![2], vec![1, 2, 3]];
        let mat_start = [0, 2, 3, 6];
        let nuc: Vec<usize> = mats.concat();
        let conc: Vec<f64> = (0..6).map(|k| 1.0 + 0.5 * k as f64).collect();
        lookups(&egrid, &nuclides, points, &mat_start, &nuc, &conc, &index, 200)
    }
}
port!(xs_lookup: run());
