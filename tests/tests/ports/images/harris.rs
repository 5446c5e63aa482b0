//! Harris corners: gradients, a structure tensor summed over a window, suppression of what is no maximum, the best corners.
use omp_tests::{Values, twice};
twice! {
    use std::ops::{Add, AddAssign, Mul};

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Tensor { xx: f32, xy: f32, yy: f32 }

    #[omp::declare_target]
    impl Add for Tensor {
        type Output = Self;
        fn add(self, o: Self) -> Self { Self { xx: self.xx + o.xx, xy: self.xy + o.xy, yy: self.yy + o.yy } }
    }
    #[omp::declare_target]
    impl AddAssign for Tensor {
        fn add_assign(&mut self, o: Self) { *self = *self + o; }
    }
    #[omp::declare_target]
    impl Mul<f32> for Tensor {
        type Output = Self;
        fn mul(self, k: f32) -> Self { Self { xx: self.xx * k, xy: self.xy * k, yy: self.yy * k } }
    }
    #[omp::declare_target]
    impl Tensor {
        fn of_gradient((gx, gy): (f32, f32)) -> Self { Self { xx: gx * gx, xy: gx * gy, yy: gy * gy } }
        fn response(&self) -> f32 {
            let det = self.xx * self.yy - self.xy * self.xy;
            let trace = self.xx + self.yy;
            det - 0.04 * trace * trace
        }
    }

    pub struct Detector<'a> { image: &'a [f32], width: usize, height: usize }

    impl<'a> Detector<'a> {
        pub fn new(image: &'a [f32], width: usize) -> Self {
            Self { image, width, height: image.len() / width }
        }

        fn gradient(&self, x: usize, y: usize) -> (f32, f32) {
            let p = |dx: usize, dy: usize| self.image[(y + dy - 1) * self.width + x + dx - 1];
            let gx = p(2, 0) + 2.0 * p(2, 1) + p(2, 2) - p(0, 0) - 2.0 * p(0, 1) - p(0, 2);
            let gy = p(0, 2) + 2.0 * p(1, 2) + p(2, 2) - p(0, 0) - 2.0 * p(1, 0) - p(2, 0);
            (gx, gy)
        }

        pub fn responses(&self) -> Vec<f32> {
            const GAUSS: [[f32; 3]; 3] = [[0.0625, 0.125, 0.0625], [0.125, 0.25, 0.125], [0.0625, 0.125, 0.0625]];
            let mut tensors = vec![Tensor::default(); self.image.len()];
            #[omp::target(collapse(2))]
            for y in 1..self.height - 1 {
                for x in 1..self.width - 1 {
                    tensors[y * self.width + x] = Tensor::of_gradient(self.gradient(x, y));
                }
            }
            let mut out = vec![0.0; self.image.len()];
            #[omp::target(collapse(2))]
            for y in 2..self.height - 2 {
                for x in 2..self.width - 2 {
                    let mut t = Tensor::default();
                    for (dy, row) in GAUSS.iter().enumerate() {
                        for (dx, &k) in row.iter().enumerate() {
                            t += tensors[(y + dy - 1) * self.width + (x + dx - 1)] * k;
                        }
                    }
                    out[y * self.width + x] = t.response();
                }
            }
            out
        }

        pub fn corners(&self, threshold: f32) -> (Vec<(u32, u32)>, usize) {
            let r = self.responses();
            let mut corners = vec![(0u32, 0u32); r.len()];
            let mut n = 0;
            let (w, h) = (self.width, self.height);
            #[omp::scan(+)]
            for i in 0..w * h {
                let (x, y) = (i % w, i / w);
                let inner = x > 2 && y > 2 && x + 3 < w && y + 3 < h;
                let best = inner
                    && r[i] > threshold
                    && (-1..=1i32).all(|dy| (-1..=1i32).all(|dx| {
                        let j = (y as i32 + dy) * w as i32 + x as i32 + dx;
                        j as usize == i || r[j as usize] < r[i]
                    }));
                if best {
                    corners[n] = (x as u32, y as u32);
                    n += 1;
                }
            }
            (corners, n)
        }
    }

    pub fn run() -> (Vec<f32>, Vec<(u32, u32)>, usize) {
        let mut v = Values(31);
        let image: Vec<f32> = (0..40 * 30).map(|i| {
            let (x, y) = (i % 40, i / 40);
            ((x / 8 + y / 7) % 2) as f32 * 4.0 + (v.bits() % 16) as f32 / 64.0
        }).collect();
        let d = Detector::new(&image, 40);
        let (c, n) = d.corners(50.0);
        (d.responses(), c[..n].to_vec(), n)
    }
}
port!(harris: run());
