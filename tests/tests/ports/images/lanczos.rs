//! Separable resampling by filters behind a trait.
use omp_tests::twice;
twice! {
    use std::f32::consts::PI;

    #[omp::declare_target]
    trait Filter {
        const SUPPORT: f32;
        fn weight(x: f32) -> f32;
    }

    struct Triangle;
    struct Lanczos3;
    struct Mitchell;

    #[omp::declare_target]
    impl Filter for Triangle {
        const SUPPORT: f32 = 1.0;
        fn weight(x: f32) -> f32 {
            (1.0 - x.abs()).max(0.0)
        }
    }

    #[omp::declare_target]
    fn sinc(x: f32) -> f32 {
        if x == 0.0 { 1.0 } else { (PI * x).sin() / (PI * x) }
    }

    #[omp::declare_target]
    impl Filter for Lanczos3 {
        const SUPPORT: f32 = 3.0;
        fn weight(x: f32) -> f32 {
            if x.abs() < Self::SUPPORT { sinc(x) * sinc(x / Self::SUPPORT) } else { 0.0 }
        }
    }

    #[omp::declare_target]
    impl Filter for Mitchell {
        const SUPPORT: f32 = 2.0;
        fn weight(x: f32) -> f32 {
            const B: f32 = 1.0 / 3.0;
            const C: f32 = 1.0 / 3.0;
            let x = x.abs();
            let v = if x < 1.0 {
                (12.0 - 9.0 * B - 6.0 * C) * x.powi(3) + (-18.0 + 12.0 * B + 6.0 * C) * x.powi(2) + (6.0 - 2.0 * B)
            } else if x < 2.0 {
                (-B - 6.0 * C) * x.powi(3) + (6.0 * B + 30.0 * C) * x.powi(2) + (-12.0 * B - 48.0 * C) * x + (8.0 * B + 24.0 * C)
            } else {
                0.0
            };
            v / 6.0
        }
    }

    #[omp::offload]
    fn resize_rows<F: Filter>(src: &[f32], src_w: usize, dst: &mut [f32], dst_w: usize) {
        let ratio = src_w as f32 / dst_w as f32;
        let scale = ratio.max(1.0);
        let support = F::SUPPORT * scale;
        #[omp::target]
        for (row, out) in src.chunks_exact(src_w).zip(dst.chunks_exact_mut(dst_w)) {
            for (x, o) in out.iter_mut().enumerate() {
                let centre = (x as f32 + 0.5) * ratio;
                let left = (centre - support).floor().max(0.0) as usize;
                let right = ((centre + support).ceil() as usize).min(src_w);
                let mut sum = 0.0;
                let mut norm = 0.0;
                for (i, v) in row[left..right].iter().enumerate() {
                    let w = F::weight((left as f32 + i as f32 + 0.5 - centre) / scale);
                    sum += w * v;
                    norm += w;
                }
                *o = if norm.abs() > 1e-6 { sum / norm } else { 0.0 };
            }
        }
    }

    #[omp::offload]
    fn transpose(src: &[f32], w: usize, h: usize) -> Vec<f32> {
        let mut dst = vec![0.0; src.len()];
        #[omp::target]
        for (x, column) in dst.chunks_mut(h).enumerate() {
            for (y, v) in column.iter_mut().enumerate() {
                *v = src[y * w + x];
            }
        }
        dst
    }

    fn resize<F: Filter>(src: &[f32], (w, h): (usize, usize), (dw, dh): (usize, usize)) -> Vec<f32> {
        let mut wide = vec![0.0; dw * h];
        resize_rows::<F>(src, w, &mut wide, dw);
        let turned = transpose(&wide, dw, h);
        let mut both = vec![0.0; dw * dh];
        resize_rows::<F>(&turned, h, &mut both, dh);
        transpose(&both, dh, dw)
    }

    pub fn run(n: usize) -> (Vec<f32>, Vec<f32>, Vec<f32>) {
        if n == 0 {
            return Default::default();
        }
        let src: Vec<f32> = (0..n * n).map(|i| ((i * 37) % 101) as f32 / 100.0).collect();
        (
            resize::<Triangle>(&src, (n, n), (n * 2, n + 3)),
            resize::<Lanczos3>(&src, (n, n), (n / 2 + 1, n / 3 + 1)),
            resize::<Mitchell>(&src, (n, n), (n + 1, n + 1)),
        )
    }
}
port!(lanczos: [0, 1, 13, 40].map(|n| crate::Shown::of(run(n))));
