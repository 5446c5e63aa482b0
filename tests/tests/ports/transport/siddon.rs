//! Tomography: the lengths of rays in the cells of a grid (Siddon), a sinogram and its backprojection, with a closure for each cell.
use omp_tests::{Values, twice};
twice! {
    pub struct Volume { nx: usize, ny: usize, spacing: f64, origin: [f64; 2], values: Vec<f64> }

    /// Joseph/Siddon line integral.
    #[omp::declare_target]
    fn siddon(vol: &Volume, source: [f64; 2], detector: [f64; 2], mut visit: impl FnMut(usize, f64)) {
        let dims = [vol.nx, vol.ny];
        let d: [f64; 2] = std::array::from_fn(|k| detector[k] - source[k]);
        let length = d.iter().map(|v| v.powi(2)).sum::<f64>().sqrt();
        let (mut lo, mut hi) = (0.0f64, 1.0f64);
        for k in 0..2 {
            if d[k].abs() < 1e-12 { continue; }
            let near = (vol.origin[k] - source[k]) / d[k];
            let far = (vol.origin[k] + dims[k] as f64 * vol.spacing - source[k]) / d[k];
            let (near, far) = if near <= far { (near, far) } else { (far, near) };
            lo = lo.max(near);
            hi = hi.min(far);
        }
        if lo >= hi { return; }
        let mut alpha = lo;
        let mut guard = 0;
        while alpha < hi - 1e-12 && guard < 4 * (vol.nx + vol.ny) {
            guard += 1;
            let here = |k: usize, a: f64| (source[k] + a * d[k] - vol.origin[k]) / vol.spacing;
            let mut next = hi;
            for k in 0..2 {
                if d[k].abs() < 1e-12 { continue; }
                let p = here(k, alpha + 1e-9);
                let plane = if d[k] > 0.0 { p.floor() + 1.0 } else { p.ceil() - 1.0 };
                let a = (vol.origin[k] + plane * vol.spacing - source[k]) / d[k];
                next = next.min(a);
            }
            let mid = 0.5 * (alpha + next);
            let (ix, iy) = (here(0, mid).floor(), here(1, mid).floor());
            if (0.0..vol.nx as f64).contains(&ix) && (0.0..vol.ny as f64).contains(&iy) {
                visit(iy as usize * vol.nx + ix as usize, (next - alpha) * length);
            }
            alpha = next.max(alpha + 1e-9);
        }
    }

    #[omp::offload]
    pub fn project(vol: &Volume, angles: &[f64], bins: usize, sinogram: &mut [f64]) {
        let radius = vol.spacing * (vol.nx.max(vol.ny) as f64) * 1.5;
        #[omp::target(collapse(2), map(from: sinogram))]
        for a in 0..angles.len() {
            for b in 0..bins {
                let (s, c) = angles[a].sin_cos();
                let offset = (b as f64 + 0.5 - bins as f64 / 2.0) * vol.spacing;
                let source = [offset * c - radius * s, offset * s + radius * c];
                let detector = [offset * c + radius * s, offset * s - radius * c];
                let mut sum = 0.0;
                siddon(vol, source, detector, |k, w| sum += w * vol.values[k]);
                sinogram[a * bins + b] = sum;
            }
        }
    }

    #[omp::offload]
    pub fn backproject(vol: &Volume, angles: &[f64], bins: usize, sinogram: &[f64], image: &mut [f64], weight: &mut [f64]) {
        let radius = vol.spacing * (vol.nx.max(vol.ny) as f64) * 1.5;
        #[omp::target]
        for ray in 0..angles.len() * bins {
            let (a, b) = (ray / bins, ray % bins);
            let (s, c) = angles[a].sin_cos();
            let offset = (b as f64 + 0.5 - bins as f64 / 2.0) * vol.spacing;
            let source = [offset * c - radius * s, offset * s + radius * c];
            let detector = [offset * c + radius * s, offset * s - radius * c];
            let value = sinogram[ray];
            siddon(vol, source, detector, |k, w| {
                #[omp::atomic]
                image[k] += w * value;
                #[omp::atomic]
                weight[k] += w;
            });
        }
    }

    pub fn run() -> (Vec<f64>, Vec<f64>, Vec<f64>) {
        let mut v = Values(21);
        let vol = Volume { nx: 10, ny: 8, spacing: 0.5, origin: [-2.5, -2.0], values: (0..80).map(|_| v.unit()).collect() };
        let angles: Vec<f64> = (0..7).map(|k| k as f64 * 0.43 + 0.01).collect();
        let mut sino = vec![0.0; 7 * 14];
        project(&vol, &angles, 14, &mut sino);
        let (mut image, mut weight) = (vec![0.0; 80], vec![0.0; 80]);
        backproject(&vol, &angles, 14, &sino, &mut image, &mut weight);
        (sino, image, weight)
    }
}
port!(siddon: run());
