//! ISPC's noise: Perlin noise and turbulence over a table of permutations.
use omp_tests::twice;

twice! {
    const fn permutation() -> [u8; 256] {
        let mut p = [0u8; 256];
        let mut i = 0;
        while i < 256 {
            p[i] = (i * 167 + 13) as u8;
            i += 1;
        }
        p
    }
    static PERM: [u8; 256] = permutation();

    #[omp::declare_target]
    fn fade(t: f32) -> f32 {
        t * t * t * (t * (t * 6.0 - 15.0) + 10.0)
    }
    #[omp::declare_target]
    fn lerp(t: f32, a: f32, b: f32) -> f32 {
        a + t * (b - a)
    }
    #[omp::declare_target]
    fn grad(hash: u8, x: f32, y: f32, z: f32) -> f32 {
        let h = hash & 15;
        let u = if h < 8 { x } else { y };
        let v = match h {
            0..=3 => y,
            12 | 14 => x,
            _ => z,
        };
        (if h & 1 == 0 { u } else { -u }) + if h & 2 == 0 { v } else { -v }
    }
    #[omp::declare_target]
    fn noise(x: f32, y: f32, z: f32) -> f32 {
        let p = |i: u8| PERM[i as usize];
        let (xi, yi, zi) = (x.floor() as i32 as u8, y.floor() as i32 as u8, z.floor() as i32 as u8);
        let (x, y, z) = (x - x.floor(), y - y.floor(), z - z.floor());
        let (u, v, w) = (fade(x), fade(y), fade(z));
        let a = p(xi).wrapping_add(yi);
        let b = p(xi.wrapping_add(1)).wrapping_add(yi);
        let corner = |base: u8, dx: f32| {
            let lo = p(base).wrapping_add(zi);
            let hi = p(base.wrapping_add(1)).wrapping_add(zi);
            [
                lerp(v, grad(p(lo), x - dx, y, z), grad(p(hi), x - dx, y - 1.0, z)),
                lerp(v, grad(p(lo.wrapping_add(1)), x - dx, y, z - 1.0), grad(p(hi.wrapping_add(1)), x - dx, y - 1.0, z - 1.0)),
            ]
        };
        let [a0, a1] = corner(a, 0.0);
        let [b0, b1] = corner(b, 1.0);
        lerp(w, lerp(u, a0, b0), lerp(u, a1, b1))
    }
    #[omp::declare_target]
    fn turbulence(x: f32, y: f32, z: f32, octaves: u32) -> f32 {
        (0..octaves)
            .map(|o| {
                let omega = 1.99f32.powi(o as i32);
                noise(omega * x, omega * y, omega * z).abs() * 0.6f32.powi(o as i32)
            })
            .sum()
    }

    pub fn run() -> Vec<f32> {
        let (w, h) = (20, 16);
        let mut out = vec![0.0; w * h];
        #[omp::target]
        for (j, row) in out.chunks_exact_mut(w).enumerate() {
            for (i, o) in row.iter_mut().enumerate() {
                *o = turbulence(i as f32 * 0.3, j as f32 * 0.3, 0.6, 4);
            }
        }
        out
    }
}
port!(perlin: run());
