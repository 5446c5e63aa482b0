//! Shallow water on a triangular mesh: faces with left and right cells, HLL fluxes, dry cells, walls.
use omp_tests::twice;

twice! {
    use std::ops::{Add, Mul, Neg, Sub};
    const G: f64 = 9.81;
    const DRY: f64 = 1e-6;

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Cell { h: f64, hu: f64, hv: f64 }
    #[omp::declare_target]
    impl Add for Cell { type Output = Cell; fn add(self, o: Cell) -> Cell { Cell { h: self.h + o.h, hu: self.hu + o.hu, hv: self.hv + o.hv } } }
    #[omp::declare_target]
    impl Sub for Cell { type Output = Cell; fn sub(self, o: Cell) -> Cell { self + -o } }
    #[omp::declare_target]
    impl Neg for Cell { type Output = Cell; fn neg(self) -> Cell { self * -1.0 } }
    #[omp::declare_target]
    impl Mul<f64> for Cell { type Output = Cell; fn mul(self, k: f64) -> Cell { Cell { h: self.h * k, hu: self.hu * k, hv: self.hv * k } } }

    #[derive(Clone, Copy, Debug, omp::Device)]
    #[repr(u32)]
    pub enum Neighbour { Inside(u32), Wall, Outflow, Fixed { level: f64 } }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Face { normal: (f64, f64), length: f64, left: u32, right: Neighbour }

    #[derive(omp::Mapper)]
    pub struct Mesh { faces: Vec<Face>, cell_faces: Vec<[u32; 3]>, area: Vec<f64> }

    #[omp::declare_target]
    impl Cell {
        fn velocity(&self) -> Option<(f64, f64)> { (self.h > DRY).then(|| (self.hu / self.h, self.hv / self.h)) }
        /// The cell in the frame of a face.
        fn rotated(self, (nx, ny): (f64, f64)) -> Self { Cell { hu: self.hu * nx + self.hv * ny, hv: self.hv * nx - self.hu * ny, ..self } }
        fn rotated_back(self, (nx, ny): (f64, f64)) -> Self { self.rotated((nx, -ny)) }
        fn flux(&self) -> Cell {
            let (u, v) = self.velocity().unwrap_or_default();
            Cell { h: self.hu, hu: self.hu * u + 0.5 * G * self.h * self.h, hv: self.h * u * v }
        }
        fn wave_speeds(&self) -> [f64; 2] {
            let u = self.velocity().map_or(0.0, |(u, _)| u);
            let c = (G * self.h).sqrt();
            [u - c, u + c]
        }
    }

    #[omp::declare_target]
    fn hll(l: &Cell, r: &Cell) -> Cell {
        let ([l1, l2], [r1, r2]) = (l.wave_speeds(), r.wave_speeds());
        let (sl, sr) = (l1.min(r1), l2.max(r2));
        match (sl >= 0.0, sr <= 0.0) {
            (true, _) => l.flux(),
            (_, true) => r.flux(),
            _ => (l.flux() * sr - r.flux() * sl + (*r - *l) * (sl * sr)) * (1.0 / (sr - sl)),
        }
    }

    impl Mesh {
        fn outside(&self, face: &Face, cells: &[Cell], inside: Cell) -> Cell {
            match face.right {
                Neighbour::Inside(c) => cells[c as usize].rotated(face.normal),
                Neighbour::Wall => Cell { hu: -inside.hu, ..inside },
                Neighbour::Outflow => inside,
                Neighbour::Fixed { level } => Cell { h: level, ..Default::default() },
            }
        }
        fn flux_through(&self, f: usize, cells: &[Cell]) -> Cell {
            let face = &self.faces[f];
            let left = cells[face.left as usize].rotated(face.normal);
            let right = self.outside(face, cells, left);
            hll(&left, &right).rotated_back(face.normal) * face.length
        }
        pub fn step(&self, cells: &mut [Cell], dt: f64) -> f64 {
            let mut fluxes = vec![Cell::default(); self.faces.len()];
            let now: &[Cell] = cells;
            #[omp::target]
            for (f, flux) in fluxes.iter_mut().enumerate() { *flux = self.flux_through(f, now); }
            let mut fastest = 0.0f64;
            #[omp::target(reduction(max: fastest))]
            for (c, cell) in cells.iter_mut().enumerate() {
                let mut total = Cell::default();
                for &f in &self.cell_faces[c] {
                    let outward = if self.faces[f as usize].left == c as u32 { 1.0 } else { -1.0 };
                    total = total + fluxes[f as usize] * outward;
                }
                *cell = *cell - total * (dt / self.area[c]);
                if cell.h < DRY { *cell = Cell::default(); }
                fastest = fastest.max(cell.wave_speeds().iter().fold(0.0, |m, s| s.abs().max(m)));
            }
            fastest
        }
    }
    pub fn run() -> (Vec<f64>, Vec<f64>) {
        let n = 5usize;
        let tri = |i: usize, j: usize, k: usize| (2 * (j * n + i) + k) as u32;
        let mut mesh = Mesh { faces: vec![], cell_faces: vec![[u32::MAX; 3]; 2 * n * n], area: vec![0.5; 2 * n * n] };
        let mut add = |normal: (f64, f64), length: f64, left: u32, right: Neighbour| {
            let id = mesh.faces.len() as u32;
            mesh.faces.push(Face { normal, length, left, right });
            for c in [Some(left), if let Neighbour::Inside(r) = right { Some(r) } else { None }].into_iter().flatten() {
                let slot = mesh.cell_faces[c as usize].iter_mut().find(|f| **f == u32::MAX).unwrap();
                *slot = id;
            }
        };
        let d = 0.5f64.sqrt();
        for j in 0..n { for i in 0..n {
            add((d, d), 2f64.sqrt(), tri(i, j, 0), Neighbour::Inside(tri(i, j, 1)));
            add((-1.0, 0.0), 1.0, tri(i, j, 0), if i == 0 { Neighbour::Wall } else { Neighbour::Inside(tri(i - 1, j, 1)) });
            add((0.0, -1.0), 1.0, tri(i, j, 0), if j == 0 { Neighbour::Outflow } else { Neighbour::Inside(tri(i, j - 1, 1)) });
            if i == n - 1 { add((1.0, 0.0), 1.0, tri(i, j, 1), Neighbour::Fixed { level: 0.5 }); }
            if j == n - 1 { add((0.0, 1.0), 1.0, tri(i, j, 1), Neighbour::Wall); }
        } }
        let mut cells: Vec<Cell> = (0..2 * n * n).map(|c| Cell { h: if c < n * n { 1.0 } else if c % 7 == 0 { 0.0 } else { 0.4 }, hu: 0.0, hv: 0.0 }).collect();
        let speeds = (0..6).map(|_| mesh.step(&mut cells, 0.02)).collect();
        (cells.iter().flat_map(|c| [c.h, c.hu, c.hv]).collect(), speeds)
    }
}
port!(shallow_mesh: run());
