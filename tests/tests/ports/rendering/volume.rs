//! ISPC's volume: a ray through a density grid, trilinear samples, early exit.
use omp_tests::{Values, twice};

twice! {
    #[omp::declare_target]
    fn lerp(t: f32, a: f32, b: f32) -> f32 { (1.0 - t) * a + t * b }

    #[omp::declare_target]
    fn density(p: [f32; 3], voxels: &[f32], n: [usize; 3]) -> f32 {
        if p.iter().any(|&c| !(0.0..1.0).contains(&c)) {
            return 0.0;
        }
        let mut cell = [0usize; 3];
        let mut frac = [0.0f32; 3];
        for k in 0..3 {
            let v = p[k] * (n[k] - 1) as f32;
            cell[k] = (v as usize).min(n[k] - 2);
            frac[k] = v - cell[k] as f32;
        }
        let [x, y, z] = cell;
        let at = |dx, dy, dz| voxels[((z + dz) * n[1] + y + dy) * n[0] + x + dx];
        let [fx, fy, fz] = frac;
        let plane = |dz: usize| {
            lerp(fy, lerp(fx, at(0, 0, dz), at(1, 0, dz)), lerp(fx, at(0, 1, dz), at(1, 1, dz)))
        };
        lerp(fz, plane(0), plane(1))
    }

    #[omp::declare_target]
    fn slab(org: &[f32; 3], dir: &[f32; 3]) -> Option<(f32, f32)> {
        let (mut t0, mut t1) = (0.0f32, f32::INFINITY);
        for (o, d) in org.iter().zip(dir) {
            let (a, b) = ((0.0 - o) / d, (1.0 - o) / d);
            let (near, far) = if a < b { (a, b) } else { (b, a) };
            t0 = t0.max(near);
            t1 = t1.min(far);
        }
        if t0 <= t1 { Some((t0, t1)) } else { None }
    }

    #[omp::declare_target]
    fn raymarch(org: [f32; 3], dir: [f32; 3], voxels: &[f32], n: [usize; 3]) -> f32 {
        let Some((t0, t1)) = slab(&org, &dir) else { return 0.0 };
        let (step, mut light, mut transmittance, mut t) = (0.05, 0.0, 1.0f32, t0);
        while t < t1 {
            let mut p = org;
            for (p, d) in p.iter_mut().zip(dir) {
                *p += d * t;
            }
            let rho = density(p, voxels, n);
            transmittance *= (-rho * step * 4.0).exp();
            if transmittance < 0.02 {
                break;
            }
            light += step * rho * transmittance;
            t += step;
        }
        light
    }

    pub fn run() -> Vec<f32> {
        let n = [8, 7, 6];
        let mut v = Values(5);
        let voxels: Vec<f32> = (0..n.iter().product()).map(|_| v.bits() as f32 / 4.3e9).collect();
        let mut img = vec![0.0; 16 * 12];
        #[omp::target]
        for i in 0..img.len() {
            let (x, y) = ((i % 16) as f32 / 16.0, (i / 16) as f32 / 12.0);
            img[i] = raymarch([x, y, -1.0], [0.031, 0.017, 1.0], &voxels, n);
        }
        img.into_iter().map(|v| (v * 50.0).round()).collect()
    }
}
port!(volume: run());
