//! PENNANT: corner masses and forces gathered from corners to points, and the TTS pressure forces.
use omp_tests::twice;

twice! {
    use std::ops::{Add, Mul, Sub};

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Double2 { x: f64, y: f64 }

    #[omp::declare_target]
    impl Add for Double2 { type Output = Self; fn add(self, o: Self) -> Self { double2(self.x + o.x, self.y + o.y) } }
    #[omp::declare_target]
    impl Sub for Double2 { type Output = Self; fn sub(self, o: Self) -> Self { double2(self.x - o.x, self.y - o.y) } }
    #[omp::declare_target]
    impl Mul<f64> for Double2 { type Output = Self; fn mul(self, k: f64) -> Self { double2(self.x * k, self.y * k) } }
    #[omp::declare_target]
    fn double2(x: f64, y: f64) -> Double2 { Double2 { x, y } }
    #[omp::declare_target]
    fn cross(a: Double2, b: Double2) -> f64 { a.x * b.y - a.y * b.x }
    #[omp::declare_target]
    fn rotate_ccw(v: Double2) -> Double2 { double2(-v.y, v.x) }

    pub struct Mesh {
        mapsp1: Vec<usize>,
        mapsp2: Vec<usize>,
        mapsz: Vec<usize>,
        mappsfirst: Vec<Option<usize>>,
        mapssnext: Vec<Option<usize>>,
        px: Vec<Double2>,
        zx: Vec<Double2>,
    }

    impl Mesh {
        fn sides(&self) -> usize { self.mapsz.len() }

        pub fn centres(&mut self, sides_per_zone: usize) {
            #[omp::target]
            for (z, zx) in self.zx.iter_mut().enumerate() {
                let mut sum = Double2::default();
                for s in z * sides_per_zone..(z + 1) * sides_per_zone {
                    sum = sum + self.px[self.mapsp1[s]];
                }
                *zx = sum * (1.0 / sides_per_zone as f64);
            }
        }

        pub fn volumes(&self) -> Result<Vec<f64>, usize> {
            let mut sarea = vec![0.0; self.sides()];
            let mut negative = usize::MAX;
            #[omp::target(reduction(min: negative))]
            for s in 0..self.sides() {
                let (p1, p2, z) = (self.mapsp1[s], self.mapsp2[s], self.mapsz[s]);
                let area = 0.5 * cross(self.px[p2] - self.px[p1], self.zx[z] - self.px[p1]);
                if area <= 0.0 {
                    negative = negative.min(s);
                }
                sarea[s] = area;
            }
            if negative < usize::MAX { Err(negative) } else { Ok(sarea) }
        }

        pub fn forces(&self, zp: &[f64], sf: &mut [Double2]) {
            #[omp::target]
            for s in 0..sf.len() {
                let edge = (self.px[self.mapsp1[s]] + self.px[self.mapsp2[s]]) * 0.5;
                let surf = rotate_ccw(edge - self.zx[self.mapsz[s]]);
                sf[s] = surf * -zp[self.mapsz[s]];
            }
        }

        pub fn sum_to_points<T: omp::Device + Default + Add<Output = T>>(&self, cvar: &[T]) -> Vec<T> {
            let mut pvar = vec![T::default(); self.px.len()];
            #[omp::target]
            for (p, out) in pvar.iter_mut().enumerate() {
                let mut sum = T::default();
                let mut corner = self.mappsfirst[p];
                while let Some(s) = corner {
                    sum = sum + cvar[s];
                    corner = self.mapssnext[s];
                }
                *out = sum;
            }
            pvar
        }
    }

    pub fn run() -> (Vec<f64>, crate::Shown, Vec<f64>) {
        let (nx, ny) = (5, 4);
        let points = (nx + 1) * (ny + 1);
        let (mut mapsp1, mut mapsp2, mut mapsz) = (vec![], vec![], vec![]);
        for z in 0..nx * ny {
            let p = z / nx * (nx + 1) + z % nx;
            let corners = [p, p + 1, p + nx + 2, p + nx + 1];
            for k in 0..4 {
                mapsp1.push(corners[k]);
                mapsp2.push(corners[(k + 1) % 4]);
                mapsz.push(z);
            }
        }
        let (mut first, mut next) = (vec![None; points], vec![None; mapsz.len()]);
        for s in (0..mapsz.len()).rev() {
            next[s] = first[mapsp1[s]];
            first[mapsp1[s]] = Some(s);
        }
        let px = (0..points).map(|p| double2((p % (nx + 1)) as f64 + 0.1 * (p as f64).sin(), (p / (nx + 1)) as f64)).collect();
        let mut m = Mesh { mapsp1, mapsp2, mapsz, mappsfirst: first, mapssnext: next, px, zx: vec![Double2::default(); nx * ny] };
        m.centres(4);
        let vol = m.volumes().unwrap();
        let zp: Vec<f64> = (0..nx * ny).map(|z| 1.0 + z as f64 * 0.1).collect();
        let mut sf = vec![Double2::default(); vol.len()];
        m.forces(&zp, &mut sf);
        let pf = m.sum_to_points(&sf);
        let pm = m.sum_to_points(&vol);
        (vol, crate::Shown::of(pf), pm)
    }
}
port!(pennant_corners: run());
