//! Fan-beam tomography: weighting, ramp filter, backprojection, and an iteration of SART.
use omp_tests::twice;
twice! {
    use std::ops::{Add, Mul, Sub};

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct P2 { x: f64, y: f64 }

    #[omp::declare_target]
    impl Add for P2 { type Output = P2; fn add(self, o: P2) -> P2 { P2 { x: self.x + o.x, y: self.y + o.y } } }
    #[omp::declare_target]
    impl Sub for P2 { type Output = P2; fn sub(self, o: P2) -> P2 { P2 { x: self.x - o.x, y: self.y - o.y } } }
    #[omp::declare_target]
    impl Mul<P2> for f64 { type Output = P2; fn mul(self, p: P2) -> P2 { P2 { x: self * p.x, y: self * p.y } } }
    #[omp::declare_target]
    impl P2 {
        pub const fn new(x: f64, y: f64) -> Self { Self { x, y } }
        pub fn dot(self, o: Self) -> f64 { self.x * o.x + self.y * o.y }
        pub fn rotated(self, (sin, cos): (f64, f64)) -> Self { Self::new(cos * self.x - sin * self.y, sin * self.x + cos * self.y) }
    }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Geometry { pub source: f64, pub detector: f64, pub pitch: f64, pub bins: usize, pub views: usize, pub size: usize }

    #[omp::declare_target]
    impl Geometry {
        fn bin_centre(&self, b: usize) -> f64 { (b as f64 - 0.5 * (self.bins - 1) as f64) * self.pitch }
        fn angle(&self, view: usize) -> f64 { std::f64::consts::TAU * view as f64 / self.views as f64 }
        fn pixel(&self, ix: usize, iy: usize) -> P2 {
            let half = 0.5 * (self.size as f64 - 1.0);
            P2::new(ix as f64 - half, half - iy as f64)
        }
        fn ramp(n: isize) -> f64 {
            match n {
                0 => 0.25,
                n if n % 2 == 0 => 0.0,
                n => -1.0 / (std::f64::consts::PI * n as f64).powi(2),
            }
        }
    }

    pub fn filter(g: &Geometry, sinogram: &[f64], filtered: &mut [f64]) {
        #[omp::target(collapse(2))]
        for view in 0..g.views {
            for b in 0..g.bins {
                let row = &sinogram[view * g.bins..(view + 1) * g.bins];
                filtered[view * g.bins + b] = row
                    .iter()
                    .enumerate()
                    .map(|(k, p)| {
                        let s = g.bin_centre(k);
                        let cosine = g.source / g.source.hypot(s);
                        p * cosine * Geometry::ramp(b as isize - k as isize)
                    })
                    .sum::<f64>();
            }
        }
    }

    pub fn backproject(g: &Geometry, filtered: &[f64], image: &mut [f64]) {
        let scale = std::f64::consts::PI / g.views as f64;
        #[omp::target]
        for (i, out) in image.iter_mut().enumerate() {
            let (iy, ix) = (i / g.size, i % g.size);
            let p = g.pixel(ix, iy);
            let mut acc = 0.0;
            'views: for (view, row) in filtered.chunks(g.bins).enumerate() {
                let q = p.rotated((-g.angle(view)).sin_cos());
                let u = 1.0 + q.y / g.source;
                if u <= 0.1 {
                    continue 'views;
                }
                let s = q.x / u;
                let at = s / g.pitch + 0.5 * (g.bins - 1) as f64;
                let (lo, f) = (at.floor(), at - at.floor());
                let value = match (row.get(lo as usize), row.get(lo as usize + 1)) {
                    _ if lo < 0.0 => continue,
                    (Some(a), Some(b)) => a + f * (b - a),
                    (Some(&a), None) => a,
                    _ => 0.0,
                };
                acc += value / (u * u);
            }
            *out = scale * acc;
        }
    }

    /// Line integral of a disc phantom along a ray.
    #[omp::declare_target]
    fn chord(from: P2, to: P2, centre: P2, r: f64) -> f64 {
        let d = to - from;
        let m = centre - from;
        let t = m.dot(d) / d.dot(d);
        let closest = from + t * d;
        let off = centre - closest;
        let h2 = r * r - off.dot(off);
        if h2 > 0.0 { 2.0 * h2.sqrt() } else { 0.0 }
    }

    pub fn project(g: &Geometry, discs: &[(P2, f64, f64)]) -> Vec<f64> {
        let mut sinogram = vec![0.0; g.views * g.bins];
        #[omp::target]
        for (view, row) in sinogram.chunks_mut(g.bins).enumerate() {
            let turn = g.angle(view).sin_cos();
            let source = P2::new(0.0, -g.source).rotated(turn);
            for (b, value) in row.iter_mut().enumerate() {
                let cell = P2::new(g.bin_centre(b) * (g.source + g.detector) / g.source, g.detector).rotated(turn);
                *value = discs.iter().map(|&(c, r, density)| density * chord(source, cell, c, r)).sum();
            }
        }
        sinogram
    }

    pub fn run() -> (Vec<f64>, Vec<f64>) {
        let g = Geometry { source: 60.0, detector: 40.0, pitch: 0.8, bins: 41, views: 36, size: 24 };
        let discs = [(P2::new(0.0, 0.0), 9.0, 1.0), (P2::new(3.0, 2.0), 2.5, 0.5), (P2::new(-4.0, -1.0), 1.5, -0.4)];
        let sinogram = project(&g, &discs);
        let mut filtered = vec![0.0; sinogram.len()];
        filter(&g, &sinogram, &mut filtered);
        let mut image = vec![0.0; g.size * g.size];
        backproject(&g, &filtered, &mut image);
        (sinogram, image)
    }
}
port!(fan_beam: run());
