//! Rays through a voxel grid (Amanatides and Woo).
use omp_tests::{Values, twice};
twice! {
    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Ray { origin: [f64; 3], dir: [f64; 3] }

    pub struct Voxels { solid: Vec<u64>, size: [usize; 3] }

    impl Voxels {
        pub fn set(&mut self, [x, y, z]: [usize; 3]) {
            let i = (z * self.size[1] + y) * self.size[0] + x;
            self.solid[i >> 6] |= 1 << (i & 63);
        }

        pub fn cast(&self, rays: &[Ray]) -> Vec<Option<(u32, u8)>> {
            let mut hits = vec![None; rays.len()];
            let size = self.size;
            let solid = &self.solid;
            #[omp::target]
            for (ray, hit) in rays.iter().zip(hits.iter_mut()) {
                let mut cell = [0i64; 3];
                let mut step = [0i64; 3];
                let mut t_max = [f64::INFINITY; 3];
                let mut t_delta = [f64::INFINITY; 3];
                for a in 0..3 {
                    cell[a] = ray.origin[a].floor() as i64;
                    step[a] = ray.dir[a].signum() as i64;
                    if ray.dir[a] != 0.0 {
                        let border = cell[a] as f64 + if step[a] > 0 { 1.0 } else { 0.0 };
                        t_max[a] = (border - ray.origin[a]) / ray.dir[a];
                        t_delta[a] = ray.dir[a].abs().recip();
                    }
                }
                let mut face = 0u8;
                while cell.iter().zip(size.iter()).all(|(&c, &n)| c >= 0 && c < n as i64) {
                    let [x, y, z] = cell.map(|c| c as usize);
                    let index = (z * size[1] + y) * size[0] + x;
                    if solid[index / 64] >> (index % 64) & 1 == 1 {
                        *hit = Some((index as u32, face));
                        break;
                    }
                    let axis = if t_max[0] < t_max[1] {
                        if t_max[0] < t_max[2] { 0 } else { 2 }
                    } else if t_max[1] < t_max[2] {
                        1
                    } else {
                        2
                    };
                    cell[axis] += step[axis];
                    t_max[axis] += t_delta[axis];
                    face = axis as u8 + 1;
                }
            }
            hits
        }
    }

    pub fn run() -> Vec<Option<(u32, u8)>> {
        let mut v = Values(57);
        let mut vox = Voxels { solid: vec![0; 8], size: [8, 8, 8] };
        for _ in 0..60 { vox.set([v.bits() as usize % 8, v.bits() as usize % 8, v.bits() as usize % 8]); }
        let rays: Vec<Ray> = (0..50)
            .map(|_| Ray { origin: [v.unit() * 8.0, v.unit() * 8.0, 0.0], dir: [v.unit() - 0.5, v.unit() - 0.5, 1.0] })
            .collect();
        vox.cast(&rays)
    }
}
port!(voxel_dda: run());
