//! A bank of Gabor filters and Hessian response with a padded image type.
use omp_tests::twice;

twice! {
    use std::f32::consts::PI;

    pub struct Image {
        width: usize,
        height: usize,
        pixels: Vec<f32>,
    }

    impl Image {
        fn new(width: usize, height: usize) -> Self {
            Image { width, height, pixels: vec![0.0; width * height] }
        }
        fn get_clamped(&self, x: isize, y: isize) -> f32 {
            let x = x.clamp(0, self.width as isize - 1) as usize;
            let y = y.clamp(0, self.height as isize - 1) as usize;
            self.pixels[y * self.width + x]
        }
        fn set(&mut self, x: usize, y: usize, v: f32) {
            self.pixels[y * self.width + x] = v;
        }
    }

    #[derive(Clone, Copy)]
    pub struct Gabor {
        theta: f32,
        lambda: f32,
        sigma: f32,
        radius: usize,
    }

    impl Gabor {
        fn kernel(&self) -> Vec<f32> {
            let r = self.radius as isize;
            let mut k = vec![];
            for y in -r..=r {
                for x in -r..=r {
                    let (xf, yf) = (x as f32, y as f32);
                    let xr = xf * self.theta.cos() + yf * self.theta.sin();
                    k.push((-(xf * xf + yf * yf) / (2.0 * self.sigma.powi(2))).exp() * (2.0 * PI * xr / self.lambda).cos());
                }
            }
            k
        }
    }

    #[omp::offload]
    pub fn filter(src: &Image, g: &Gabor, dst: &mut Image) {
        let kernel = g.kernel();
        let r = g.radius as isize;
        let side = 2 * g.radius + 1;
        #[omp::target(collapse(2))]
        for y in 0..src.height {
            for x in 0..src.width {
                let mut acc = 0.0;
                for (k, w) in kernel.iter().enumerate() {
                    let dx = (k % side) as isize - r;
                    let dy = (k / side) as isize - r;
                    acc += w * src.get_clamped(x as isize + dx, y as isize + dy);
                }
                dst.set(x, y, acc);
            }
        }
    }

    #[omp::offload]
    pub fn max_response(bank: &[Image], out: &mut Image) {
        for image in bank {
            #[omp::target]
            for (o, p) in out.pixels.iter_mut().zip(&image.pixels) {
                *o = o.max(*p);
            }
        }
    }

    pub fn run(n: usize) -> Vec<f64> {
        let (w, h) = (n.min(40), 9);
        let mut src = Image::new(w, h);
        for (i, p) in src.pixels.iter_mut().enumerate() {
            *p = (i * 29 % 17) as f32 * 0.1;
        }
        let bank: Vec<Image> = (0..3)
            .map(|k| {
                let mut d = Image::new(w, h);
                filter(&src, &Gabor { theta: k as f32 * 0.7, lambda: 3.0, sigma: 1.5, radius: 2 }, &mut d);
                d
            })
            .collect();
        let mut out = Image::new(w, h);
        max_response(&bank, &mut out);
        out.pixels.iter().map(|&v| v as f64).collect()
    }
}
port!(gabor: [run(0), run(1), run(33)].map(|all| all.into_iter().map(|v| v as f32).collect::<Vec<f32>>()));
