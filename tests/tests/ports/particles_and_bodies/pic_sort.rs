//! Particles binned by cell: counts, offsets, ranks and a reorder; moments of each cell.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Particle { x: f32, y: f32, vx: f32, vy: f32, w: f32 }

    #[derive(Clone, Copy, omp::Device)]
    pub struct CellGrid { nx: u32, ny: u32, inv_dx: f32 }

    #[omp::declare_target]
    impl CellGrid {
        const fn cells(&self) -> usize { (self.nx * self.ny) as usize }
        fn of(&self, p: &Particle) -> u32 {
            let clamp = |v: f32, n: u32| ((v * self.inv_dx) as i32).clamp(0, n as i32 - 1) as u32;
            clamp(p.y, self.ny) * self.nx + clamp(p.x, self.nx)
        }
    }

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Moments { n: f32, ux: f32, uy: f32, temp: f32 }

    pub fn bin(grid: &CellGrid, ps: &[Particle]) -> (Vec<u32>, Vec<u32>) {
        let mut count = vec![0u32; grid.cells()];
        let mut cell = vec![0u32; ps.len()];
        #[omp::target]
        for (p, c) in ps.iter().zip(cell.iter_mut()) {
            *c = grid.of(p);
            #[omp::atomic]
            count[*c as usize] += 1;
        }
        let mut start = vec![0u32; count.len() + 1];
        #[omp::scan(+)]
        for i in 1..start.len() { start[i] = start[i - 1] + count[i - 1]; }
        (start, cell)
    }

    pub fn reorder(ps: &[Particle], cell: &[u32], start: &[u32]) -> Vec<Particle> {
        let mut out = vec![Particle::default(); ps.len()];
        #[omp::target(disjoint(out))]
        for i in 0..ps.len() {
            let rank = cell[..i].iter().filter(|&&c| c == cell[i]).count();
            out[start[cell[i] as usize] as usize + rank] = ps[i];
        }
        out
    }

    pub fn moments(sorted: &[Particle], start: &[u32]) -> Vec<Moments> {
        let mut out = vec![Moments::default(); start.len() - 1];
        #[omp::target]
        for (m, bounds) in out.iter_mut().zip(start.windows(2)) {
            let ps = &sorted[bounds[0] as usize..bounds[1] as usize];
            if ps.is_empty() { continue; }
            let n: f32 = ps.iter().map(|p| p.w).sum();
            let mean = |f: fn(&Particle) -> f32| ps.iter().map(|p| p.w * f(p)).sum::<f32>() / n;
            let (ux, uy) = (mean(|p| p.vx), mean(|p| p.vy));
            let temp = ps.iter().map(|p| p.w * ((p.vx - ux).powi(2) + (p.vy - uy).powi(2))).sum::<f32>() / (2.0 * n);
            *m = Moments { n, ux, uy, temp };
        }
        out
    }
    pub fn run() -> (Vec<f32>, Vec<f32>) {
        let ps: Vec<Particle> = (0..80).map(|i| Particle { x: (i * 37 % 61) as f32 / 10.0, y: (i * 23 % 47) as f32 / 10.0, vx: (i % 7) as f32 - 3.0, vy: (i % 5) as f32, w: 1.0 }).collect();
        let grid = CellGrid { nx: 4, ny: 3, inv_dx: 1.0 / 1.6 };
        let (start, cell) = bin(&grid, &ps);
        let sorted = reorder(&ps, &cell, &start);
        let m = moments(&sorted, &start);
        (m.iter().map(|m| m.temp).collect(), m.iter().map(|m| m.n + m.ux).collect())
    }
}
port!(pic_sort: run());
