//! The 5/3 and 9/7 wavelets by lifting, on rows and columns of an image.
use omp_tests::{Values, twice};

twice! {
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub enum Filter { LeGall53, Daubechies97 }

    const ALPHA: f64 = -1.586134342059924;
    const BETA: f64 = -0.052980118572961;
    const GAMMA: f64 = 0.882911075530934;
    const DELTA: f64 = 0.443506852043971;
    const K: f64 = 1.230174104914001;

    #[omp::declare_target]
    fn lift(line: &mut [f64], parity: usize, c: f64) {
        let n = line.len();
        let mut i = parity;
        while i < n {
            let left = if i == 0 { line[1] } else { line[i - 1] };
            let right = if i + 1 == n { line[n - 2] } else { line[i + 1] };
            line[i] += c * (left + right);
            i += 2;
        }
    }

    #[omp::declare_target]
    fn forward97(line: &mut [f64]) {
        lift(line, 1, ALPHA);
        lift(line, 0, BETA);
        lift(line, 1, GAMMA);
        lift(line, 0, DELTA);
        for (i, x) in line.iter_mut().enumerate() {
            *x *= if i % 2 == 0 { 1.0 / K } else { K };
        }
    }

    #[omp::declare_target]
    fn forward53(line: &mut [f64]) {
        lift(line, 1, -0.5);
        lift(line, 0, 0.25);
    }

    pub struct Image { width: usize, height: usize, pixels: Vec<f64> }

    impl Image {
        fn rows(&mut self, filter: Filter) {
            let w = self.width;
            match filter {
                Filter::LeGall53 => {
                    #[omp::target]
                    for row in self.pixels.chunks_exact_mut(w) {
                        forward53(row);
                    }
                }
                Filter::Daubechies97 => {
                    #[omp::target]
                    for row in self.pixels.chunks_exact_mut(w) {
                        forward97(row);
                    }
                }
            }
        }

        fn deinterleave(&mut self) {
            let (w, h) = (self.width, self.height);
            let half = w.div_ceil(2);
            let mut out = vec![0.0; w * h];
            let src = &self.pixels;
            #[omp::target]
            for (y, line) in out.chunks_mut(w).enumerate() {
                for x in 0..w {
                    let to = if x % 2 == 0 { x / 2 } else { half + x / 2 };
                    line[to] = src[y * w + x];
                }
            }
            self.pixels = out;
        }

        fn transpose(&self) -> Image {
            let Image { width, height, pixels } = self;
            let mut out = vec![0.0; pixels.len()];
            #[omp::target(collapse(2))]
            for y in 0..*height {
                for x in 0..*width {
                    out[x * height + y] = pixels[y * width + x];
                }
            }
            Image { width: *height, height: *width, pixels: out }
        }

        pub fn transform(mut self, filter: Filter, levels: usize) -> Image {
            for _ in 0..levels {
                for _ in 0..2 {
                    self.rows(filter);
                    self.deinterleave();
                    self = self.transpose();
                }
            }
            self
        }
    }

    pub fn run() -> (Vec<f64>, Vec<f64>) {
        let mut v = Values(15);
        let pixels: Vec<f64> = (0..18 * 11).map(|_| (v.bits() % 256) as f64).collect();
        let make = || Image { width: 18, height: 11, pixels: pixels.clone() };
        (make().transform(Filter::LeGall53, 1).pixels, make().transform(Filter::Daubechies97, 2).pixels)
    }
}
port!(lifting: run());
