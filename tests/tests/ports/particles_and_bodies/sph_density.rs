//! SPH: densities and pressure forces with a kernel that is chosen at compile time.
use omp_tests::twice;

twice! {
    #[omp::declare_target]
    pub trait Kernel {
        const SUPPORT: f64;
        fn w(q: f64) -> f64;
        fn dw(q: f64) -> f64;
    }
    #[derive(Clone, Copy)]
    pub struct CubicSpline;
    #[derive(Clone, Copy)]
    pub struct Wendland;
    #[omp::declare_target]
    impl Kernel for CubicSpline {
        const SUPPORT: f64 = 2.0;
        fn w(q: f64) -> f64 {
            match q {
                q if q < 1.0 => 1.0 - 1.5 * q * q + 0.75 * q * q * q,
                q if q < 2.0 => 0.25 * (2.0 - q).powi(3),
                _ => 0.0,
            }
        }
        fn dw(q: f64) -> f64 { if q < 1.0 { -3.0 * q + 2.25 * q * q } else if q < 2.0 { -0.75 * (2.0 - q).powi(2) } else { 0.0 } }
    }
    #[omp::declare_target]
    impl Kernel for Wendland {
        const SUPPORT: f64 = 2.0;
        fn w(q: f64) -> f64 { if q >= Self::SUPPORT { return 0.0; } (1.0 - q / 2.0).powi(4) * (2.0 * q + 1.0) }
        fn dw(q: f64) -> f64 { if q < 2.0 { -5.0 * q * (1.0 - q / 2.0).powi(3) } else { 0.0 } }
    }

    pub struct Fluid { pos: Vec<[f64; 2]>, rho: Vec<f64>, pressure: Vec<f64>, acc: Vec<[f64; 2]>, mass: f64, h: f64 }

    struct CellList { start: Vec<u32>, items: Vec<u32>, nx: i32, ny: i32, size: f64 }

    impl CellList {
        fn build(pos: &[[f64; 2]], size: f64, nx: i32, ny: i32) -> Self {
            let cell = |p: &[f64; 2]| ((p[1] / size) as i32 * nx + (p[0] / size) as i32) as usize;
            let mut start = vec![0u32; (nx * ny + 1) as usize];
            for p in pos { start[cell(p) + 1] += 1; }
            for c in 0..(nx * ny) as usize { start[c + 1] += start[c]; }
            let mut fill = start.clone();
            let mut items = vec![0; pos.len()];
            for (i, p) in pos.iter().enumerate() { let c = cell(p); items[fill[c] as usize] = i as u32; fill[c] += 1; }
            CellList { start, items, nx, ny, size }
        }
    }

    impl Fluid {
        pub fn density<K: Kernel>(&mut self) {
            let cells = CellList::build(&self.pos, K::SUPPORT * self.h, 6, 6);
            let Fluid { pos, rho, pressure, mass, h, .. } = self;
            #[omp::target]
            for i in 0..pos.len() {
                let [x, y] = pos[i];
                let (cx, cy) = ((x / cells.size) as i32, (y / cells.size) as i32);
                let mut sum = 0.0;
                for ny in (cy - 1).max(0)..=(cy + 1).min(cells.ny - 1) {
                    for nx in (cx - 1).max(0)..=(cx + 1).min(cells.nx - 1) {
                        let c = (ny * cells.nx + nx) as usize;
                        let range = cells.start[c] as usize..cells.start[c + 1] as usize;
                        for &j in &cells.items[range] {
                            let [px, py] = pos[j as usize];
                            let q = (x - px).hypot(y - py) / *h;
                            sum += *mass * K::w(q);
                        }
                    }
                }
                rho[i] = sum;
                pressure[i] = 100.0 * ((sum / 2.0).powi(7) - 1.0);
            }
        }

        pub fn forces<K: Kernel>(&mut self) {
            let n = self.pos.len();
            #[omp::target]
            for i in 0..n {
                let mut a = [0.0f64; 2];
                for j in (0..n).filter(|&j| j != i) {
                    let d = [self.pos[i][0] - self.pos[j][0], self.pos[i][1] - self.pos[j][1]];
                    let r = (d[0] * d[0] + d[1] * d[1]).sqrt();
                    if r >= K::SUPPORT * self.h { continue; }
                    let term = self.pressure[i] / self.rho[i].powi(2) + self.pressure[j] / self.rho[j].powi(2);
                    let g = -self.mass * term * K::dw(r / self.h) / (r + 1e-9);
                    a.iter_mut().zip(&d).for_each(|(a, d)| *a += g * d);
                }
                self.acc[i] = a;
            }
        }
    }
    pub fn run() -> (Vec<f64>, Vec<[f64; 2]>) {
        let n = 60;
        let pos: Vec<[f64; 2]> = (0..n).map(|i| [0.3 + 0.5 * (i % 8) as f64 + 0.01 * (i % 3) as f64, 0.3 + 0.5 * (i / 8) as f64]).collect();
        let mut f = Fluid { rho: vec![0.0; n], pressure: vec![0.0; n], acc: vec![[0.0; 2]; n], pos, mass: 1.0, h: 0.45 };
        f.density::<CubicSpline>();
        f.forces::<Wendland>();
        (f.rho, f.acc)
    }
}
port!(sph_density: run());
