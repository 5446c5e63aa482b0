//! Nests whose bodies call device functions, and whose elements are structs, next to the same loops without tiles:
//! `helpers [--small] [WORK-PREFIX]`; run it with OMP_BACKEND=cuda and OMP_TARGET_OFFLOAD=mandatory. The peer `…_plain` is the loop under
//! `thread_limit(256)`, which excludes tiles: what a nest with calls or structs had before they were inlined and split.
use omp_benches::{Line, Works, floats, region};
use std::ops::{Add, Mul};

const REPS: usize = 7;

#[derive(Clone, Copy, Default, PartialEq, omp::Device)]
struct Complex {
    re: f32,
    im: f32,
}

#[omp::declare_target]
impl Add for Complex {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { re: self.re + other.re, im: self.im + other.im }
    }
}

#[omp::declare_target]
impl Mul for Complex {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Self { re: self.re * other.re - self.im * other.im, im: self.re * other.im + self.im * other.re }
    }
}

#[derive(Clone, Copy, Default, PartialEq, omp::Device)]
struct Rgb {
    r: f32,
    g: f32,
    b: f32,
}

#[omp::declare_target]
impl Rgb {
    fn plus(self, other: Self, by: f32) -> Self {
        Self { r: self.r + other.r * by, g: self.g + other.g * by, b: self.b + other.b * by }
    }
}

#[omp::declare_target]
fn squared(x: f32) -> f32 {
    x * x
}

#[omp::declare_target]
fn pixel(image: &[f32], pitch: usize, y: usize, x: usize) -> f32 {
    image[y * pitch + x]
}

/// Each loop with tiles and without.
macro_rules! both {
    ($($name:ident($($arg:ident: $ty:ty),*) $body:tt)*) => { $(
        mod $name {
            #[allow(clippy::wildcard_imports, reason = "the file's")]
            use super::*;

            #[omp::target(collapse(2))]
            pub fn tiles($($arg: $ty),*) $body

            #[omp::target(collapse(2), thread_limit(256))]
            pub fn plain($($arg: $ty),*) $body
        }
    )* };
}

both! {
    product(n: usize, a: &[Complex], b: &[Complex], c: &mut [Complex]) {
        for i in 0..n {
            for j in 0..n {
                let mut sum = Complex { re: 0.0, im: 0.0 };
                for k in 0..n {
                    sum = sum + a[i * n + k] * b[k * n + j];
                }
                c[i * n + j] = sum;
            }
        }
    }

    distances(n: usize, d: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
        for i in 0..n {
            for j in 0..n {
                let mut sum = 0.0;
                for k in 0..d {
                    sum += squared(a[i * d + k] - b[j * d + k]);
                }
                c[i * n + j] = sum;
            }
        }
    }

    convolution(n: usize, taps: usize, image: &[f32], weights: &[f32], out: &mut [f32]) {
        for i in 0..n {
            for j in 0..n {
                let mut sum = 0.0;
                for a in 0..taps {
                    for b in 0..taps {
                        sum += pixel(image, n + taps - 1, i + a, j + b) * weights[a * taps + b];
                    }
                }
                out[i * n + j] = sum;
            }
        }
    }

    blur(n: usize, taps: usize, image: &[Rgb], weights: &[f32], out: &mut [Rgb]) {
        for i in 0..n {
            for j in 0..n {
                let mut sum = Rgb { r: 0.0, g: 0.0, b: 0.0 };
                for a in 0..taps {
                    for b in 0..taps {
                        sum = sum.plus(image[(i + a) * (n + taps - 1) + j + b], weights[a * taps + b]);
                    }
                }
                out[i * n + j] = sum;
            }
        }
    }
}

/// Both lines, once both have run; the caller compares their results.
fn lines(work: &str, flop: f64, mut tiles: impl FnMut(), mut plain: impl FnMut()) -> [Line; 2] {
    let with = region(work, REPS, &mut tiles).flop(flop);
    let without: Line = region(work, REPS, &mut plain).by("omp_plain").flop(flop);
    [with, without]
}

fn main() {
    let works = &Works::from_args();
    if works.wants("complex_2048") {
        let n = works.size(2048, 192);
        let numbers = |from| -> Vec<Complex> {
            floats(2 * n * n, from, 0.5).chunks(2).map(|p| Complex { re: p[0], im: p[1] }).collect()
        };
        let (a, b) = (numbers(0), numbers(77));
        let (mut c, mut d) = (vec![Complex::default(); n * n], vec![Complex::default(); n * n]);
        let flop = 8.0 * (n as f64).powi(3);
        let lines = lines(
            "complex_2048",
            flop,
            || product::tiles(n, &a, &b, &mut c),
            || product::plain(n, &a, &b, &mut d),
        );
        // Which products are fused with a sum is the compiler's choice.
        let near = |(x, y): (&Complex, &Complex)| (x.re - y.re).abs().max((x.im - y.im).abs()) < 1e-3;
        let same = c.iter().zip(&d).all(near);
        lines.into_iter().for_each(|line| line.print(same));
    }
    if works.wants("dist_by_function_8192x64") {
        let (n, d) = (works.size(8192, 256), 64);
        let (a, b) = (floats(n * d, 0, 0.5), floats(n * d, 77, 0.5));
        let (mut c, mut e) = (vec![0.0; n * n], vec![0.0; n * n]);
        let flop = 3.0 * (n * n * d) as f64;
        let work = "dist_by_function_8192x64";
        let lines = lines(
            work,
            flop,
            || distances::tiles(n, d, &a, &b, &mut c),
            || distances::plain(n, d, &a, &b, &mut e),
        );
        lines.into_iter().for_each(|line| line.print(c == e));
    }
    for taps in [5, 11] {
        let work = format!("conv{taps}_by_function_8192");
        if works.wants(&work) {
            let n = works.size(8192, 320);
            let (image, weights) =
                (floats((n + taps - 1) * (n + taps - 1), 0, 0.5), floats(taps * taps, 77, 0.5));
            let (mut c, mut d) = (vec![0.0; n * n], vec![0.0; n * n]);
            let flop = 2.0 * (n * n * taps * taps) as f64;
            let tiles = || convolution::tiles(n, taps, &image, &weights, &mut c);
            let lines = lines(&work, flop, tiles, || convolution::plain(n, taps, &image, &weights, &mut d));
            lines.into_iter().for_each(|line| line.print(c == d));
        }
    }
    for taps in [5, 7, 11] {
        let work = format!("blur{taps}_rgb_4096");
        if works.wants(&work) {
            let n = works.size(4096, 320);
            let side = n + taps - 1;
            let image: Vec<Rgb> = floats(3 * side * side, 0, 0.5)
                .chunks(3)
                .map(|p| Rgb { r: p[0], g: p[1], b: p[2] })
                .collect();
            let weights = floats(taps * taps, 77, 0.5);
            let (mut c, mut d) = (vec![Rgb::default(); n * n], vec![Rgb::default(); n * n]);
            let flop = 6.0 * (n * n * taps * taps) as f64;
            let tiles = || blur::tiles(n, taps, &image, &weights, &mut c);
            let lines = lines(&work, flop, tiles, || blur::plain(n, taps, &image, &weights, &mut d));
            lines.into_iter().for_each(|line| line.print(c == d));
        }
    }
}
