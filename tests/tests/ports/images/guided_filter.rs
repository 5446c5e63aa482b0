//! Guided filter by summed-area tables.
use omp_tests::twice;
twice! {
    #[omp::offload]
    fn integral(src: &[f32], sat: &mut [f64], w: usize, h: usize) {
        #[omp::target]
        for y in 0..h {
            let mut run = 0.0;
            for x in 0..w {
                run += src[y * w + x] as f64;
                sat[y * w + x] = run;
            }
        }
        #[omp::target]
        for x in 0..w {
            for y in 1..h {
                sat[y * w + x] += sat[(y - 1) * w + x];
            }
        }
    }

    #[derive(Clone, Copy, omp::Device)]
    struct Window {
        x0: usize,
        y0: usize,
        x1: usize,
        y1: usize,
    }

    #[omp::declare_target]
    impl Window {
        fn around(x: usize, y: usize, r: usize, w: usize, h: usize) -> Self {
            Self { x0: x.saturating_sub(r), y0: y.saturating_sub(r), x1: (x + r).min(w - 1), y1: (y + r).min(h - 1) }
        }
        fn area(&self) -> f64 {
            ((self.x1 - self.x0 + 1) * (self.y1 - self.y0 + 1)) as f64
        }
        fn sum(&self, sat: &[f64], w: usize) -> f64 {
            let mut s = sat[self.y1 * w + self.x1];
            if self.x0 > 0 {
                s -= sat[self.y1 * w + self.x0 - 1];
            }
            if self.y0 > 0 {
                s -= sat[(self.y0 - 1) * w + self.x1];
            }
            if self.x0 > 0 && self.y0 > 0 {
                s += sat[(self.y0 - 1) * w + self.x0 - 1];
            }
            s
        }
        fn mean(&self, sat: &[f64], w: usize) -> f64 {
            self.sum(sat, w) / self.area()
        }
    }

    #[omp::offload]
    fn guided(guide: &[f32], input: &[f32], w: usize, h: usize, r: usize, eps: f64) -> Vec<f32> {
        let n = w * h;
        let mut products = vec![0.0f32; n];
        let mut squares = vec![0.0f32; n];
        #[omp::target]
        for (((p, s), &g), &v) in products.iter_mut().zip(squares.iter_mut()).zip(guide).zip(input) {
            *p = g * v;
            *s = g * g;
        }
        let mut sats = vec![vec![0.0; n]; 4];
        for (sat, src) in sats.iter_mut().zip([guide, input, &products, &squares]) {
            integral(src, sat, w, h);
        }
        let [mut a, mut b] = [vec![0.0f32; n], vec![0.0f32; n]];
        let (si, sp, sip, sii) = (&sats[0], &sats[1], &sats[2], &sats[3]);
        #[omp::target(collapse(2))]
        for y in 0..h {
            for x in 0..w {
                let win = Window::around(x, y, r, w, h);
                let (mi, mp) = (win.mean(si, w), win.mean(sp, w));
                let covariance = win.mean(sip, w) - mi * mp;
                let variance = win.mean(sii, w) - mi * mi;
                let slope = covariance / (variance + eps);
                a[y * w + x] = slope as f32;
                b[y * w + x] = (mp - slope * mi) as f32;
            }
        }
        let (mut sa, mut sb) = (vec![0.0; n], vec![0.0; n]);
        integral(&a, &mut sa, w, h);
        integral(&b, &mut sb, w, h);
        let mut out = vec![0.0; n];
        #[omp::target]
        for (i, o) in out.iter_mut().enumerate() {
            let win = Window::around(i % w, i / w, r, w, h);
            *o = (win.mean(&sa, w) * guide[i] as f64 + win.mean(&sb, w)) as f32;
        }
        out
    }

    pub fn run(n: usize) -> Vec<f32> {
        let w = n;
        let h = n * 2 / 3 + n % 2;
        let guide: Vec<f32> = (0..w * h).map(|i| ((i * 13) % 97) as f32 / 97.0).collect();
        let input: Vec<f32> = (0..w * h).map(|i| ((i * 29 + 7) % 89) as f32 / 89.0).collect();
        guided(&guide, &input, w, h, 3, 1e-2)
    }
}
port!(guided: [0, 1, 21, 40].map(|n| crate::Shown::of(run(n))));
