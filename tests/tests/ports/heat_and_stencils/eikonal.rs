//! Level sets: fast sweeping of the eikonal equation by wavefronts of Jacobi steps, and WENO derivatives.
use omp_tests::twice;

twice! {
    #[derive(Debug, Clone)]
    pub struct Grid2 { nx: usize, ny: usize, h: f32 }

    #[omp::declare_target]
    #[inline]
    fn solve_quadratic(a: f32, b: f32, fh: f32) -> f32 {
        let (lo, hi) = if a < b { (a, b) } else { (b, a) };
        if hi - lo >= fh { lo + fh } else { 0.5 * (a + b + (2.0 * fh * fh - (a - b) * (a - b)).sqrt()) }
    }

    #[omp::declare_target]
    fn weno5(v: [f32; 5]) -> f32 {
        let [v1, v2, v3, v4, v5] = v;
        let s = [
            13.0 / 12.0 * (v1 - 2.0 * v2 + v3).powi(2) + 0.25 * (v1 - 4.0 * v2 + 3.0 * v3).powi(2),
            13.0 / 12.0 * (v2 - 2.0 * v3 + v4).powi(2) + 0.25 * (v2 - v4).powi(2),
            13.0 / 12.0 * (v3 - 2.0 * v4 + v5).powi(2) + 0.25 * (3.0 * v3 - 4.0 * v4 + v5).powi(2),
        ];
        let a = [0.1, 0.6, 0.3].map(|g: f32| g);
        let mut w = [0.0f32; 3];
        for k in 0..3 {
            w[k] = a[k] / (s[k] + 1e-6).powi(2);
        }
        let total: f32 = w.iter().sum();
        let q = [v1 / 3.0 - 7.0 * v2 / 6.0 + 11.0 * v3 / 6.0, -v2 / 6.0 + 5.0 * v3 / 6.0 + v4 / 3.0, v3 / 3.0 + 5.0 * v4 / 6.0 - v5 / 6.0];
        q.iter().zip(&w).fold(0.0, |acc, (q, w)| acc + q * w / total)
    }

    impl Grid2 {
        fn clamp(&self, i: isize, j: isize) -> usize {
            let i = i.clamp(0, self.nx as isize - 1) as usize;
            let j = j.clamp(0, self.ny as isize - 1) as usize;
            j * self.nx + i
        }
    }

    pub fn fast_sweep(g: &Grid2, speed: &[f32], fixed: &[bool], phi: &mut Vec<f32>, max_iter: usize) -> usize {
        let mut other = phi.clone();
        for iter in 0..max_iter {
            let mut change = 0.0f32;
            let from: &[f32] = phi;
            #[omp::target(collapse(2), reduction(max: change))]
            for j in 0..g.ny {
                for i in 0..g.nx {
                    let c = j * g.nx + i;
                    if fixed[c] {
                        other[c] = from[c];
                        continue;
                    }
                    let (x, y) = (i as isize, j as isize);
                    let a = from[g.clamp(x - 1, y)].min(from[g.clamp(x + 1, y)]);
                    let b = from[g.clamp(x, y - 1)].min(from[g.clamp(x, y + 1)]);
                    let new = solve_quadratic(a, b, g.h / speed[c]).min(from[c]);
                    change = change.max(from[c] - new);
                    other[c] = new;
                }
            }
            std::mem::swap(phi, &mut other);
            if change < 1e-6 {
                return iter + 1;
            }
        }
        max_iter
    }

    pub fn godunov(g: &Grid2, phi: &[f32], sign: &[f32]) -> Vec<f32> {
        let mut out = vec![0.0; phi.len()];
        let inv = 1.0 / g.h;
        #[omp::target]
        for (c, o) in out.iter_mut().enumerate() {
            let (i, j) = ((c % g.nx) as isize, (c / g.nx) as isize);
            let mut grad = [[0.0f32; 2]; 2];
            for (axis, pair) in grad.iter_mut().enumerate() {
                let at = |k: isize| if axis == 0 { phi[g.clamp(i + k, j)] } else { phi[g.clamp(i, j + k)] };
                let d = |k: isize| (at(k + 1) - at(k)) * inv;
                pair[0] = weno5([d(-3), d(-2), d(-1), d(0), d(1)]);
                pair[1] = weno5([d(2), d(1), d(0), d(-1), d(-2)]);
            }
            let pick = |[m, p]: [f32; 2], s: f32| {
                if s > 0.0 { m.max(0.0).powi(2).max(p.min(0.0).powi(2)) } else { m.min(0.0).powi(2).max(p.max(0.0).powi(2)) }
            };
            let s = sign[c];
            *o = s * ((pick(grad[0], s) + pick(grad[1], s)).sqrt() - 1.0);
        }
        out
    }

    pub fn run() -> (Vec<f32>, usize, Vec<f32>) {
        let g = Grid2 { nx: 12, ny: 9, h: 0.1 };
        let n = g.nx * g.ny;
        let fixed: Vec<bool> = (0..n).map(|c| c == 40 || c == 17).collect();
        let mut phi: Vec<f32> = fixed.iter().map(|&f| if f { 0.0 } else { 100.0 }).collect();
        let speed: Vec<f32> = (0..n).map(|c| 1.0 + (c % 5) as f32 * 0.1).collect();
        let steps = fast_sweep(&g, &speed, &fixed, &mut phi, 100);
        let sign: Vec<f32> = (0..n).map(|c| if c % 7 < 4 { 1.0 } else { -1.0 }).collect();
        let grad = godunov(&g, &phi, &sign);
        (phi, steps, grad)
    }
}
port!(eikonal: run());
