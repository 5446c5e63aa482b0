//! Volume rendering: transfer functions, trilinear samples, gradients, compositing with early exit, a camera trait.
use omp_tests::twice;
twice! {
    #[derive(Clone, Copy, Debug, omp::Device)]
    struct V(f32, f32, f32);

    macro_rules! op {
        ($tr:ident, $f:ident, $op:tt) => {
            #[omp::declare_target]
            impl std::ops::$tr for V {
                type Output = V;
                fn $f(self, o: V) -> V {
                    V(self.0 $op o.0, self.1 $op o.1, self.2 $op o.2)
                }
            }
        };
    }
    op!(Add, add, +);
    op!(Sub, sub, -);

    #[omp::declare_target]
    impl V {
        fn scale(self, k: f32) -> V {
            V(self.0 * k, self.1 * k, self.2 * k)
        }
        fn dot(&self, o: &V) -> f32 {
            self.0 * o.0 + self.1 * o.1 + self.2 * o.2
        }
    }

    #[omp::declare_target]
    trait Camera: Copy {
        fn ray(&self, u: f32, v: f32) -> (V, V);
    }

    #[derive(Clone, Copy, omp::Device)]
    struct Ortho {
        size: f32,
    }
    #[derive(Clone, Copy, omp::Device)]
    struct Perspective {
        eye: [f32; 3],
        fov: f32,
    }

    #[omp::declare_target]
    impl Camera for Ortho {
        fn ray(&self, u: f32, v: f32) -> (V, V) {
            (V(u * self.size, v * self.size, -0.5), V(0.0, 0.0, 1.0))
        }
    }
    #[omp::declare_target]
    impl Camera for Perspective {
        fn ray(&self, u: f32, v: f32) -> (V, V) {
            let k = (self.fov / 2.0).tan();
            let d = V((u - 0.5) * k, (v - 0.5) * k, 1.0);
            let Perspective { eye: [x, y, z], .. } = *self;
            (V(x, y, z), d.scale(1.0 / d.dot(&d).sqrt()))
        }
    }

    #[derive(Clone, Copy, omp::Device)]
    struct Stop {
        at: f32,
        rgba: [f32; 4],
    }

    struct Volume {
        n: usize,
        voxels: Vec<u8>,
    }

    #[omp::declare_target]
    fn sample(voxels: &[u8], n: usize, p: V) -> Option<f32> {
        let scale = n as f32;
        let V(x, y, z) = p.scale(scale);
        if [x, y, z].iter().any(|c| !(0.0..scale - 1.0).contains(c)) {
            return None;
        }
        let base = (z as usize * n + y as usize) * n + x as usize;
        let (fx, fy, fz) = (x.fract(), y.fract(), z.fract());
        let mut total = 0.0;
        for corner in 0..8 {
            let pick = |bit: usize, f: f32| if corner >> bit & 1 == 1 { f } else { 1.0 - f };
            let offset = (corner & 1) + (corner >> 1 & 1) * n + (corner >> 2) * n * n;
            total += pick(0, fx) * pick(1, fy) * pick(2, fz) * f32::from(voxels[base + offset]);
        }
        Some(total / 255.0)
    }

    #[omp::declare_target]
    fn classify(stops: &[Stop], v: f32) -> [f32; 4] {
        let mut last = stops[0];
        for s in stops {
            if v < s.at {
                let t = (v - last.at) / (s.at - last.at).max(1e-6);
                return std::array::from_fn(|c| last.rgba[c] + (s.rgba[c] - last.rgba[c]) * t);
            }
            last = *s;
        }
        last.rgba
    }

    #[omp::offload]
    fn render<C: Camera + omp::Device>(vol: &Volume, stops: &[Stop], camera: C, side: usize, image: &mut [[f32; 3]]) {
        const STEP: f32 = 0.02;
        let Volume { n, voxels } = vol;
        let n = *n;
        #[omp::target]
        for (i, pixel) in image.iter_mut().enumerate() {
            let (u, v) = ((i % side) as f32 / side as f32, (i / side) as f32 / side as f32);
            let (mut p, d) = camera.ray(u, v);
            let mut colour = [0.0; 3];
            let mut transparency = 1.0;
            let mut steps = 0;
            while steps < 120 && transparency > 0.01 {
                steps += 1;
                p = p + d.scale(STEP);
                let Some(density) = sample(voxels, n, p) else { continue };
                let [r, g, b, a] = classify(stops, density);
                let e = 1.0 / n as f32;
                let grad = |axis: V| sample(voxels, n, p + axis).unwrap_or(density) - sample(voxels, n, p - axis).unwrap_or(density);
                let normal = V(grad(V(e, 0.0, 0.0)), grad(V(0.0, e, 0.0)), grad(V(0.0, 0.0, e)));
                let shade = 0.4 + 0.6 * (normal.dot(&V(0.3, 0.5, -0.8)) / normal.dot(&normal).sqrt().max(1e-3)).abs();
                let alpha = 1.0 - (-a * STEP * 30.0).exp();
                for (c, k) in colour.iter_mut().zip([r, g, b]) {
                    *c += transparency * alpha * k * shade;
                }
                transparency *= 1.0 - alpha;
            }
            *pixel = colour;
        }
    }

    #[omp::offload]
    fn maximum_projection(vol: &Volume, out: &mut [u8]) {
        let n = vol.n;
        #[omp::target]
        for (xy, o) in out.iter_mut().enumerate() {
            *o = vol.voxels.iter().skip(xy).step_by(n * n).copied().max().unwrap_or(0);
        }
    }

    pub fn run(n: usize) -> (Vec<[f32; 3]>, Vec<[f32; 3]>, Vec<u8>) {
        let voxels = (0..n * n * n).map(|i| ((i * 7 + i / (n * n) * 31) % 256) as u8).collect();
        let vol = Volume { n, voxels };
        let stops = [
            Stop { at: 0.0, rgba: [0.0; 4] },
            Stop { at: 0.4, rgba: [0.9, 0.3, 0.2, 0.1] },
            Stop { at: 0.8, rgba: [0.2, 0.8, 0.9, 0.7] },
        ];
        let side = n + 3;
        let (mut a, mut b) = (vec![[0.0; 3]; side * side], vec![[0.0; 3]; side * side]);
        render(&vol, &stops, Ortho { size: 0.95 }, side, &mut a);
        render(&vol, &stops, Perspective { eye: [0.5, 0.5, -1.0], fov: 0.8 }, side, &mut b);
        let mut m = vec![0; n * n];
        maximum_projection(&vol, &mut m);
        (a, b, m)
    }
}
port!(vol_mip: [0, 1, 9, 14].map(|n| crate::Shown::of(run(n))));
