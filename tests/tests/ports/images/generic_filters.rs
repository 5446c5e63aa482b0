//! Sobel, bilateral filter and histogram equalisation, generic over the author's own `Real`.
use omp_tests::twice;

twice! {
    #[omp::declare_target]
    pub trait Real: omp::Device + PartialOrd + std::ops::Add<Output = Self> + std::ops::Mul<Output = Self> + std::ops::Div<Output = Self> + std::ops::Sub<Output = Self> {
        fn of(v: f64) -> Self;
        fn exponential(self) -> Self;
        fn root(self) -> Self;
    }
    #[omp::declare_target]
    impl Real for f32 {
        fn of(v: f64) -> f32 { v as f32 }
        fn exponential(self) -> f32 { self.exp() }
        fn root(self) -> f32 { self.sqrt() }
    }
    #[omp::declare_target]
    impl Real for f64 {
        fn of(v: f64) -> f64 { v }
        fn exponential(self) -> f64 { self.exp() }
        fn root(self) -> f64 { self.sqrt() }
    }

    pub fn bilateral<T: Real>(src: &[T], w: usize, h: usize, radius: isize, sigma: f64) -> Vec<T> {
        let mut dst = src.to_vec();
        let s2 = T::of(-1.0 / (2.0 * sigma * sigma));
        #[omp::target]
        for (i, d) in dst.iter_mut().enumerate() {
            let (x, y) = ((i % w) as isize, (i / w) as isize);
            let centre = src[i];
            let (mut sum, mut weight) = (T::of(0.0), T::of(0.0));
            for dy in -radius..=radius {
                for dx in -radius..=radius {
                    let (xx, yy) = (x + dx, y + dy);
                    if xx < 0 || yy < 0 || xx >= w as isize || yy >= h as isize {
                        continue;
                    }
                    let v = src[yy as usize * w + xx as usize];
                    let diff = v - centre;
                    let k = (T::of((dx * dx + dy * dy) as f64) * s2 + diff * diff * s2).exponential();
                    sum = sum + v * k;
                    weight = weight + k;
                }
            }
            *d = sum / weight;
        }
        dst
    }

    pub fn sobel<T: Real>(src: &[T], dst: &mut [T], w: usize, h: usize) {
        let at = |x: usize, y: usize| src[y * w + x];
        #[omp::target(collapse(2))]
        for y in 1..h - 1 {
            for x in 1..w - 1 {
                let two = T::of(2.0);
                let gx = at(x + 1, y - 1) + two * at(x + 1, y) + at(x + 1, y + 1) - at(x - 1, y - 1) - two * at(x - 1, y) - at(x - 1, y + 1);
                let gy = at(x - 1, y + 1) + two * at(x, y + 1) + at(x + 1, y + 1) - at(x - 1, y - 1) - two * at(x, y - 1) - at(x + 1, y - 1);
                dst[y * w + x] = (gx * gx + gy * gy).root();
            }
        }
    }

    pub fn equalise(img: &mut [u8]) {
        let mut hist = [0u32; 256];
        #[omp::target(reduction(+: hist))]
        for &p in img.iter() {
            hist[p as usize] += 1;
        }
        let mut cdf = hist;
        #[omp::scan(+)]
        for i in 1..256 {
            cdf[i] += cdf[i - 1];
        }
        let lowest = cdf.iter().copied().find(|&c| c > 0).unwrap_or(0);
        let total = img.len() as u32;
        #[omp::target]
        for p in img.iter_mut() {
            let c = cdf[*p as usize] - lowest;
            *p = if total > lowest { (c * 255 / (total - lowest)) as u8 } else { *p };
        }
    }

    pub fn run() -> (Vec<f32>, Vec<f64>, Vec<u8>) {
        let (w, h) = (15, 9);
        let src: Vec<f64> = (0..w * h).map(|i| ((i * 37) % 50) as f64 / 50.0).collect();
        let narrow: Vec<f32> = src.iter().map(|&v| v as f32).collect();
        let mut edges = vec![0.0; w * h];
        sobel(&bilateral(&src, w, h, 2, 1.5), &mut edges, w, h);
        let mut img: Vec<u8> = src.iter().map(|v| (v * 90.0) as u8 + 20).collect();
        equalise(&mut img);
        (bilateral(&narrow, w, h, 1, 0.8), edges, img)
    }
}
port!(real_trait: run());
