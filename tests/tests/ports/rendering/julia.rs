//! A Julia set with generic complex numbers and a palette.
use omp_tests::twice;
twice! {
    use std::ops::{Add, AddAssign, Mul, Sub};

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Complex<T> { re: T, im: T }

    #[omp::declare_target]
    impl<T: Add<Output = T> + omp::Device> Add for Complex<T> { type Output = Self; fn add(self, o: Self) -> Self { Complex { re: self.re + o.re, im: self.im + o.im } } }
    #[omp::declare_target]
    impl<T: Mul<Output = T> + Add<Output = T> + Sub<Output = T> + omp::Device> Mul for Complex<T> {
        type Output = Self;
        fn mul(self, o: Self) -> Self { Complex { re: self.re * o.re - self.im * o.im, im: self.re * o.im + self.im * o.re } }
    }
    #[omp::declare_target]
    impl<T: Mul<Output = T> + Add<Output = T> + omp::Device> Complex<T> {
        pub const fn new(re: T, im: T) -> Self { Complex { re, im } }
        pub fn norm_sqr(&self) -> T { self.re * self.re + self.im * self.im }
    }

    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, omp::Device)]
    pub struct Rgb { r: u8, g: u8, b: u8 }

    const PALETTE: &[Rgb] = &[
        Rgb { r: 0, g: 7, b: 100 }, Rgb { r: 32, g: 107, b: 203 }, Rgb { r: 237, g: 255, b: 255 }, Rgb { r: 255, g: 170, b: 0 }, Rgb { r: 0, g: 2, b: 0 },
    ];

    #[omp::declare_target]
    fn escape(mut z: Complex<f64>, c: Complex<f64>, limit: u32) -> Option<u32> {
        for n in 0..limit {
            if z.norm_sqr() > 4.0 { return Some(n); }
            z = z * z + c;
        }
        None
    }

    pub struct View { width: usize, height: usize, centre: Complex<f64>, zoom: f64 }

    impl View {
        fn pixel_to_point(&self, px: usize, py: usize) -> Complex<f64> {
            let x = (px as f64 + 0.5) / self.width as f64 - 0.5;
            let y = (py as f64 + 0.5) / self.height as f64 - 0.5;
            self.centre + Complex { re: x * self.zoom, im: y * self.zoom }
        }
        pub fn render(&self, c: Complex<f64>, limit: u32) -> Vec<Rgb> {
            let mut image = vec![Rgb::default(); self.width * self.height];
            #[omp::target]
            for (y, row) in image.chunks_mut(self.width).enumerate() {
                for (x, px) in row.iter_mut().enumerate() {
                    *px = escape(self.pixel_to_point(x, y), c, limit)
                        .map(|n| PALETTE[n as usize % PALETTE.len()])
                        .unwrap_or_default();
                }
            }
            image
        }
    }

    pub fn run() -> Vec<u8> {
        let view = View { width: 20, height: 15, centre: Complex::new(0.01, -0.003), zoom: 3.0 };
        view.render(Complex::new(-0.7, 0.27015), 60).iter().flat_map(|p| [p.r, p.g, p.b]).collect()
    }
}
port!(julia: run());
