//! Difference-of-Gaussians extrema of a scale space, with edge rejection and orientation histograms.
use omp_tests::twice;
twice! {
    struct Octave {
        width: usize,
        height: usize,
        layers: Vec<Vec<f32>>,
    }

    fn gaussian(sigma: f32) -> Vec<f32> {
        let r = (3.0 * sigma).ceil() as i32;
        let mut k: Vec<f32> = (-r..=r).map(|i| (-(i * i) as f32 / (2.0 * sigma * sigma)).exp()).collect();
        let s: f32 = k.iter().sum();
        for v in &mut k {
            *v /= s;
        }
        k
    }

    #[omp::offload]
    fn blur(src: &[f32], w: usize, h: usize, kernel: &[f32]) -> Vec<f32> {
        let r = kernel.len() / 2;
        let mut tmp = vec![0.0; src.len()];
        #[omp::target]
        for y in 0..h {
            let row = &src[y * w..][..w];
            for x in 0..w {
                let mut acc = 0.0;
                for (k, &c) in kernel.iter().enumerate() {
                    let sx = (x + k).saturating_sub(r).min(w - 1);
                    acc += c * row[sx];
                }
                tmp[y * w + x] = acc;
            }
        }
        let mut out = vec![0.0; src.len()];
        #[omp::target]
        for (y, row) in out.chunks_exact_mut(w).enumerate() {
            for (x, o) in row.iter_mut().enumerate() {
                *o = kernel.iter().enumerate().map(|(k, c)| c * tmp[(y + k).saturating_sub(r).min(h - 1) * w + x]).sum();
            }
        }
        out
    }

    #[omp::offload]
    fn subtract(a: &[f32], b: &[f32]) -> Vec<f32> {
        let mut d = vec![0.0; a.len()];
        #[omp::target]
        for i in 0..a.len() {
            d[i] = b[i] - a[i];
        }
        d
    }

    impl Octave {
        #[omp::offload]
        fn extrema(&self, layer: usize, threshold: f32, edge: f32) -> (Vec<u8>, usize) {
            let (w, h) = (self.width, self.height);
            let mut flags = vec![0u8; w * h];
            let mut found = 0usize;
            let below = &self.layers[layer - 1];
            let here = &self.layers[layer];
            let above = &self.layers[layer + 1];
            #[omp::target(collapse(2), reduction(+: found))]
            for y in 1..h - 1 {
                for x in 1..w - 1 {
                    let i = y * w + x;
                    let v = here[i];
                    if v.abs() < threshold {
                        continue;
                    }
                    let mut is_max = true;
                    let mut is_min = true;
                    'search: for plane in [below, here, above] {
                        for dy in 0..3 {
                            for dx in 0..3 {
                                let u = plane[(y + dy - 1) * w + x + dx - 1];
                                is_max &= v >= u;
                                is_min &= v <= u;
                                if !is_max && !is_min {
                                    break 'search;
                                }
                            }
                        }
                    }
                    if !(is_max || is_min) {
                        continue;
                    }
                    let dxx = here[i + 1] + here[i - 1] - 2.0 * v;
                    let dyy = here[i + w] + here[i - w] - 2.0 * v;
                    let dxy = 0.25 * (here[i + w + 1] - here[i + w - 1] - here[i - w + 1] + here[i - w - 1]);
                    let (trace, det) = (dxx + dyy, dxx * dyy - dxy * dxy);
                    if det <= 0.0 || trace * trace * edge >= (edge + 1.0).powi(2) * det {
                        continue;
                    }
                    flags[i] = if is_max { 1 } else { 2 };
                    found += 1;
                }
            }
            (flags, found)
        }
    }

    #[omp::offload]
    fn orientations(img: &[f32], w: usize, h: usize, points: &[(u32, u32)], angles: &mut [f32]) {
        #[omp::target]
        for (&(px, py), angle) in points.iter().zip(angles.iter_mut()) {
            let mut bins = [0.0f32; 36];
            let (x0, x1) = (px.max(5) - 4, (px + 4).min(w as u32 - 2));
            let (y0, y1) = (py.max(5) - 4, (py + 4).min(h as u32 - 2));
            for y in y0..=y1 {
                for x in x0..=x1 {
                    let i = (y as usize) * w + x as usize;
                    let (gx, gy) = (img[i + 1] - img[i - 1], img[i + w] - img[i - w]);
                    let theta = gy.atan2(gx).to_degrees().rem_euclid(360.0);
                    bins[(theta / 10.0) as usize % 36] += gx.hypot(gy);
                }
            }
            let (best, _) = bins
                .iter()
                .enumerate()
                .max_by(|a, b| a.1.partial_cmp(b.1).unwrap())
                .unwrap();
            *angle = best as f32 * 10.0;
        }
    }

    pub fn run(n: usize) -> (Vec<u8>, usize, Vec<f32>) {
        if n < 12 {
            return (vec![], 0, vec![]);
        }
        let img: Vec<f32> = (0..n * n).map(|i| { let (x, y) = ((i % n) as f32, (i / n) as f32); (x * 0.7).sin() * (y * 0.55).cos() + ((i * 31) % 17) as f32 * 0.01 }).collect();
        let scales: Vec<Vec<f32>> = (0..4).map(|s| blur(&img, n, n, &gaussian(0.8 * 1.4f32.powi(s)))).collect();
        let layers = scales.windows(2).map(|p| subtract(&p[0], &p[1])).collect();
        let octave = Octave { width: n, height: n, layers };
        let (flags, count) = octave.extrema(1, 0.01, 10.0);
        let points: Vec<(u32, u32)> = flags.iter().enumerate().filter(|(_, f)| **f > 0).map(|(i, _)| ((i % n) as u32, (i / n) as u32)).collect();
        let mut angles = vec![0.0; points.len()];
        orientations(&scales[1], n, n, &points, &mut angles);
        (flags, count, angles)
    }
}
port!(dog: [0, 13, 40].map(|n| crate::Shown::of(run(n))));
