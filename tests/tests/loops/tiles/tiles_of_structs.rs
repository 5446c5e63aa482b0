//! Nests that run in tiles, whose elements are structs and whose bodies call device functions.
#![forbid(unsafe_code)]
#![allow(clippy::needless_range_loop, clippy::assign_op_pattern, reason = "as such nests are written")]
use omp_tests::{Values, on_every_device, panic_of};
use std::ops::{Add, AddAssign, Mul};

/// The last region ran in tiles if it ran on a CUDA device.
fn in_tiles() {
    let report = omp::last_region();
    if report.backend == "cuda" {
        let [_, y, z] = report.block;
        assert_eq!((y, z, report.grid[1]), (1, 1, 1), "{report}");
    }
}

fn numbers(len: usize, seed: u64) -> Vec<f32> {
    let mut r = Values(seed);
    (0..len).map(|_| (r.bits() >> 20) as f32 / 512.0 - 3.0).collect()
}

#[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
struct Complex<T: omp::Device> {
    re: T,
    im: T,
}

#[omp::declare_target]
impl<T: omp::Device + Add<Output = T>> Add for Complex<T> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { re: self.re + other.re, im: self.im + other.im }
    }
}

#[omp::declare_target]
impl Mul for Complex<f32> {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Self { re: self.re * other.re - self.im * other.im, im: self.re * other.im + self.im * other.re }
    }
}

#[omp::declare_target]
impl AddAssign for Complex<f32> {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

fn complex(len: usize, seed: u64) -> Vec<Complex<f32>> {
    numbers(2 * len, seed).chunks(2).map(|p| Complex { re: p[0], im: p[1] }).collect()
}

#[omp::offload]
fn product(d: usize, a: &[Complex<f32>], b: &[Complex<f32>], c: &mut [Complex<f32>], sizes: [usize; 3]) {
    let [m, n, p] = sizes;
    #[omp::target(device(d), collapse(2), fp(strict))]
    for i in 0..m {
        for j in 0..n {
            let mut sum = Complex::<f32> { re: 0.0, im: 0.0 };
            for k in 0..p {
                sum = sum + a[i * p + k] * b[k * n + j];
            }
            c[i * n + j] = sum;
        }
    }
}

/// The sum is an element, and the second loop has no directive.
#[omp::offload]
fn product_in_place(d: usize, a: &[Complex<f32>], b: &[Complex<f32>], c: &mut [Complex<f32>], n: usize) {
    #[omp::target(device(d), fp(strict))]
    for i in 0..n {
        for j in 0..n {
            for k in 0..n {
                c[i * n + j] += a[i * n + k] * b[k * n + j];
            }
        }
    }
}

#[test]
fn products_of_complex_numbers() {
    for [m, n, p] in [[129, 130, 131], [160, 192, 128]] {
        let (a, b) = (complex(m * p, 1), complex(p * n, 2));
        let mut want = vec![Complex { re: -1.0, im: 1.0 }; m * n];
        product(omp::get_initial_device(), &a, &b, &mut want, [m, n, p]);
        assert_eq!(
            want[m * n - 1],
            (0..p).fold(Complex { re: 0.0, im: 0.0 }, |s, k| s + a[(m - 1) * p + k] * b[k * n + n - 1])
        );
        on_every_device(|d| {
            let mut c = vec![Complex::default(); m * n];
            product(d, &a, &b, &mut c, [m, n, p]);
            in_tiles();
            assert!(c == want, "device {d}");
            for sizes in [[0, 5, 5], [1, 1, 1], [3, 2, 0], [1, 130, 1]] {
                product(d, &a, &b, &mut c, sizes);
            }
        });
    }
}

#[test]
fn products_of_complex_numbers_in_place() {
    let n = 150;
    let (a, b) = (complex(n * n, 3), complex(n * n, 4));
    let mut want = complex(n * n, 5);
    for i in 0..n {
        for j in 0..n {
            for k in 0..n {
                want[i * n + j] += a[i * n + k] * b[k * n + j];
            }
        }
    }
    on_every_device(|d| {
        let mut c = complex(n * n, 5);
        product_in_place(d, &a, &b, &mut c, n);
        assert!(c == want, "device {d}");
    });
}

/// Fields that are read alone and in another order than they are declared, and one that nothing reads.
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Body {
    at: [f32; 2],
    mass: f32,
    id: f32,
}

#[omp::declare_target]
fn squared(x: f32) -> f32 {
    x * x
}

#[omp::declare_target]
fn near(distance: f32, limit: f32) -> f32 {
    if distance > limit {
        return limit;
    }
    let scaled = distance * 0.5;
    if scaled < 0.25 {
        return 0.25;
    }
    scaled
}

#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Point {
    y: f32,
    x: f32,
    mass: f32,
}

#[omp::offload]
fn potentials(d: usize, points: &[Point], probes: &[Point], out: &mut [f32], sizes: [usize; 2]) {
    let [m, n] = sizes;
    #[omp::target(device(d), collapse(2), fp(strict))]
    for i in 0..m {
        for j in 0..64 {
            let mut sum = 0.0;
            for k in 0..n {
                let (p, q) = (points[i * n + k], probes[j * n + k]);
                let distance = squared(p.x - q.x) + squared(p.y - q.y);
                sum += near(distance, 9.0) * points[i * n + k].mass;
            }
            out[i * 64 + j] = sum;
        }
    }
}

#[test]
fn distances_of_points_by_functions_that_return_early() {
    let [m, n] = [150, 230];
    let points = |len: usize, seed| -> Vec<Point> {
        numbers(3 * len, seed).chunks(3).map(|p| Point { y: p[0], x: p[1], mass: p[2] }).collect()
    };
    let (a, b) = (points(m * n, 6), points(64 * n, 7));
    let mut want = vec![0.0; m * 64];
    potentials(omp::get_initial_device(), &a, &b, &mut want, [m, n]);
    on_every_device(|d| {
        let mut out = vec![-1.0; m * 64];
        potentials(d, &a, &b, &mut out, [m, n]);
        in_tiles();
        assert!(out == want, "device {d}");
    });
}

/// An array in a struct has no tiles; the loop runs as others do.
#[omp::offload]
fn attractions(d: usize, bodies: &[Body], out: &mut [f32], n: usize) {
    #[omp::target(device(d), collapse(2), fp(strict))]
    for i in 0..n {
        for j in 0..n {
            let mut sum = 0.0;
            for k in 0..64 {
                let (p, q) = (bodies[i * 64 + k], bodies[j * 64 + k]);
                sum += squared(p.at[0] - q.at[0]) * q.mass + squared(p.at[1] - q.at[1]) * p.id;
            }
            out[i * n + j] = sum;
        }
    }
}

#[test]
fn structs_with_arrays() {
    let n = 190;
    let bodies: Vec<Body> =
        numbers(4 * 64 * n, 8).chunks(4).map(|b| Body { at: [b[0], b[1]], mass: b[2], id: b[3] }).collect();
    let mut want = vec![0.0; n * n];
    attractions(omp::get_initial_device(), &bodies, &mut want, n);
    on_every_device(|d| {
        let mut out = vec![-1.0; n * n];
        attractions(d, &bodies, &mut out, n);
        assert!(out == want, "device {d}");
    });
}

#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Rgb {
    r: f32,
    g: f32,
    b: f32,
}

#[omp::declare_target]
impl Rgb {
    fn scaled(&self, by: f32) -> Self {
        Self { r: self.r * by, ..Self { r: 0.0, g: self.g * by, b: self.b * by } }
    }

    fn plus(self, other: Self) -> Self {
        Self { b: self.b + other.b, g: self.g + other.g, r: self.r + other.r }
    }

    /// The colour's parts change places, which must not overwrite one that is still needed.
    fn turned(&self) -> Self {
        Self { r: self.g, g: self.b, b: self.r }
    }
}

#[omp::declare_target]
fn pixel(image: &[Rgb], width: usize, y: usize, x: usize) -> Rgb {
    image[y * width + x]
}

#[omp::offload]
fn blur(d: usize, image: &[Rgb], weights: &[f32], out: &mut [Rgb], [rows, columns]: [usize; 2]) {
    let width = columns + 6;
    #[omp::target(device(d), collapse(2), fp(strict))]
    for y in 0..rows {
        for x in 0..columns {
            let mut sum = Rgb { r: 0.0, g: 0.0, b: 0.0 };
            for dy in 0..7 {
                for dx in 0..7 {
                    sum = sum.plus(pixel(image, width, y + dy, x + dx).scaled(weights[dy * 7 + dx]));
                }
            }
            sum = sum.turned();
            out[y * columns + x] = sum;
        }
    }
}

#[test]
fn windows_over_colours() {
    for [rows, columns] in [[210, 221], [256, 256]] {
        let image: Vec<Rgb> = numbers(3 * (rows + 6) * (columns + 6), 9)
            .chunks(3)
            .map(|p| Rgb { r: p[0], g: p[1], b: p[2] })
            .collect();
        let weights = numbers(49, 10);
        let mut want = vec![Rgb { r: 0.0, g: 0.0, b: 0.0 }; rows * columns];
        for y in 0..rows {
            for x in 0..columns {
                let mut sum = Rgb { r: 0.0, g: 0.0, b: 0.0 };
                for dy in 0..7 {
                    for dx in 0..7 {
                        let p = image[(y + dy) * (columns + 6) + x + dx];
                        let w = weights[dy * 7 + dx];
                        sum = Rgb { r: sum.r + p.r * w, g: sum.g + p.g * w, b: sum.b + p.b * w };
                    }
                }
                want[y * columns + x] = Rgb { r: sum.g, g: sum.b, b: sum.r };
            }
        }
        on_every_device(|d| {
            let mut out = vec![Rgb { r: -1.0, g: -1.0, b: -1.0 }; rows * columns];
            blur(d, &image, &weights, &mut out, [rows, columns]);
            in_tiles();
            assert!(out == want, "device {d}");
        });
    }
}

#[omp::offload]
fn transposition(d: usize, a: &[Complex<f64>], b: &mut [Complex<f64>], [rows, columns]: [usize; 2]) {
    #[omp::target(device(d), collapse(2))]
    for i in 0..rows {
        for j in 0..columns {
            let z = a[i * columns + j];
            b[j * rows + i] = Complex { re: z.re, im: -z.im };
        }
    }
}

#[test]
fn transpositions_of_complex_numbers() {
    for [rows, columns] in [[1100, 1030], [1024, 1040]] {
        let a: Vec<Complex<f64>> =
            (0..rows * columns).map(|k| Complex { re: k as f64, im: -(k as f64) / 3.0 }).collect();
        on_every_device(|d| {
            let mut b = vec![Complex::default(); rows * columns];
            transposition(d, &a, &mut b, [rows, columns]);
            for i in 0..rows {
                for j in 0..columns {
                    let (z, got) = (a[i * columns + j], b[j * rows + i]);
                    assert_eq!(got, Complex { re: z.re, im: -z.im }, "device {d}, {i}, {j}");
                }
            }
        });
    }
}

#[omp::declare_target]
fn scaled(x: i32, by: i32) -> i32 {
    assert!(by != 77, "a factor of {by}");
    x * by
}

#[omp::offload]
fn integers(d: usize, a: &[i32], b: &[i32], c: &mut [i32], n: usize) {
    #[omp::target(device(d), collapse(2))]
    for i in 0..n {
        for j in 0..n {
            let mut sum = 0;
            for k in 0..n {
                sum += scaled(a[i * n + k], b[k * n + j]);
            }
            c[i * n + j] = sum;
        }
    }
}

#[test]
fn functions_fail_in_tiles_where_they_fail_elsewhere() {
    let n = 130;
    let small = |seed: u64| -> Vec<i32> {
        let mut r = Values(seed);
        (0..n * n).map(|_| (r.bits() >> 20) as i32 % 50).collect()
    };
    let (a, b) = (small(11), small(12));
    let mut want = vec![0; n * n];
    for i in 0..n {
        for j in 0..n {
            want[i * n + j] = (0..n).map(|k| a[i * n + k] * b[k * n + j]).sum();
        }
    }
    on_every_device(|d| {
        let mut c = vec![-1; n * n];
        integers(d, &a, &b, &mut c, n);
        in_tiles();
        assert!(c == want, "device {d}");
        let mut wrong = b.clone();
        wrong[5 * n + 7] = 77;
        let message = panic_of(|| integers(d, &a, &wrong, &mut c, n)).expect("it fails");
        assert!(message.contains("a factor of 77") && message.contains("tiles_of_structs.rs"), "{message}");
        let mut large = a.clone();
        large[3 * n + 5] = i32::MAX;
        wrong[5 * n + 7] = 2;
        let message = panic_of(|| integers(d, &large, &wrong, &mut c, n)).expect("it fails");
        assert!(message.contains("overflow"), "{message}");
        integers(d, &a, &b, &mut c, n);
        assert!(c == want, "device {d}");
    });
}

#[omp::declare_target]
fn add_to(sum: &mut f32, row: &[f32], k: usize, by: f32) {
    *sum += row[k] * by;
}

#[omp::offload]
fn products_by_reference(d: usize, a: &[f32], b: &[f32], c: &mut [f32], n: usize) {
    #[omp::target(device(d), collapse(2), fp(strict))]
    for i in 0..n {
        for j in 0..n {
            let mut sum = 0.0;
            for k in 0..n {
                add_to(&mut sum, a, i * n + k, b[k * n + j]);
            }
            c[i * n + j] = sum;
        }
    }
}

#[test]
fn functions_that_assign_variables_and_read_arrays() {
    let n = 140;
    let (a, b) = (numbers(n * n, 13), numbers(n * n, 14));
    let mut want = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..n {
            for k in 0..n {
                want[i * n + j] += a[i * n + k] * b[k * n + j];
            }
        }
    }
    on_every_device(|d| {
        let mut c = vec![-1.0; n * n];
        products_by_reference(d, &a, &b, &mut c, n);
        in_tiles();
        assert!(c == want, "device {d}");
        let message = panic_of(|| products_by_reference(d, &a[1..], &b, &mut c, n)).expect("it fails");
        assert!(message.contains("index out of bounds"), "{message}");
    });
}
