//! Rodinia leukocyte: gradient inverse coefficient of variation along circles.
use omp_tests::twice;

twice! {
    const NPOINTS: usize = 12;
    const NCIRCLES: usize = 5;

    struct Tables { sin: [f32; NPOINTS], cos: [f32; NPOINTS], tx: [[i32; NPOINTS]; NCIRCLES], ty: [[i32; NPOINTS]; NCIRCLES] }

    impl Tables {
        fn new() -> Self {
            let angle = |k: usize| k as f32 * std::f32::consts::TAU / NPOINTS as f32;
            let sin = std::array::from_fn(|k| angle(k).sin());
            let cos = std::array::from_fn(|k| angle(k).cos());
            let at = |c: usize, v: f32| ((c + 1) as f32 * v) as i32;
            let tx = std::array::from_fn(|c| std::array::from_fn(|k| at(c, angle(k).cos())));
            let ty = std::array::from_fn(|c| std::array::from_fn(|k| at(c, angle(k).sin())));
            Self { sin, cos, tx, ty }
        }
    }

    fn gicov(gx: &[f32], gy: &[f32], w: usize, h: usize) -> Vec<f32> {
        let Tables { sin, cos, tx, ty } = Tables::new();
        let mut out = vec![0.0f32; w * h];
        let margin = NCIRCLES;
        #[omp::target]
        for (p, best) in out.iter_mut().enumerate() {
            let (x, y) = (p % w, p / w);
            if x < margin || x >= w - margin || y < margin || y >= h - margin {
                continue;
            }
            let mut max_gicov = 0f32;
            for (xs, ys) in tx.iter().zip(&ty) {
                let mut grad = [0.0f32; NPOINTS];
                for n in 0..NPOINTS {
                    let at = (y as i32 + ys[n]) as usize * w + (x as i32 + xs[n]) as usize;
                    grad[n] = gx[at] * cos[n] + gy[at] * sin[n];
                }
                let mean = grad.iter().sum::<f32>() / NPOINTS as f32;
                let var = grad.iter().fold(0.0, |v, g| v + (g - mean) * (g - mean)) / (NPOINTS - 1) as f32;
                let score = mean * mean / (var + 1e-6);
                if score > max_gicov { max_gicov = score; }
            }
            *best = max_gicov;
        }
        out
    }
    pub fn run() -> Vec<f32> {
        let (w, h) = (24, 18);
        let gx: Vec<f32> = (0..w * h).map(|i| ((i * 7) % 23) as f32 * 0.1).collect();
        let gy: Vec<f32> = (0..w * h).map(|i| ((i * 5) % 19) as f32 * 0.2 - 1.0).collect();
        gicov(&gx, &gy, w, h)
    }
}
port!(gicov: run());
