//! Fractals: Lyapunov exponents of a forced logistic map, a burning ship, and a Buddhabrot by atomics.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct View { x0: f64, y0: f64, dx: f64, dy: f64 }

    #[omp::declare_target]
    impl View {
        fn point(&self, col: usize, row: usize) -> (f64, f64) {
            (self.x0 + self.dx * col as f64, self.y0 + self.dy * row as f64)
        }
        fn pixel(&self, (x, y): (f64, f64), w: usize, h: usize) -> Option<usize> {
            let col = ((x - self.x0) / self.dx).floor();
            let row = ((y - self.y0) / self.dy).floor();
            if (0.0..w as f64).contains(&col) && (0.0..h as f64).contains(&row) {
                Some(row as usize * w + col as usize)
            } else {
                None
            }
        }
    }

    pub fn lyapunov(w: usize, h: usize, view: View, sequence: &[u8]) -> Vec<f64> {
        let mut out = vec![0.0; w * h];
        #[omp::target(collapse(2), fp(strict))]
        for row in 0..h {
            for col in 0..w {
                let (a, b) = view.point(col, row);
                let mut x = 0.5;
                let mut sum = 0.0;
                for (n, &s) in sequence.iter().cycle().take(120).enumerate() {
                    let r = match s { b'A' => a, b'B' => b, _ => unreachable!() };
                    x = r * x * (1.0 - x);
                    if n >= 20 {
                        sum += (r * (1.0 - 2.0 * x)).abs().max(1e-12).ln();
                    }
                }
                out[row * w + col] = sum / 100.0;
            }
        }
        out
    }

    #[omp::declare_target]
    fn escape(cx: f64, cy: f64, limit: u32) -> Option<u32> {
        let (mut x, mut y) = (0.0f64, 0.0f64);
        for n in 0..limit {
            if x * x + y * y > 4.0 {
                return Some(n);
            }
            (x, y) = (x * x - y * y + cx, 2.0 * (x * y).abs() + cy);
        }
        None
    }

    pub fn burning_ship(w: usize, h: usize, view: View) -> Vec<u8> {
        let mut out = vec![0u8; w * h];
        #[omp::target(fp(strict))]
        for (row, line) in out.chunks_mut(w).enumerate() {
            for (col, px) in line.iter_mut().enumerate() {
                let (x, y) = view.point(col, row);
                *px = escape(x, y, 200).map_or(0, |n| (n % 255 + 1) as u8);
            }
        }
        out
    }

    pub fn buddhabrot(w: usize, h: usize, view: View, samples: usize) -> Vec<u32> {
        let mut hits = vec![0u32; w * h];
        #[omp::target(fp(strict))]
        for s in 0..samples {
            let golden = (s as f64 * 0.618_033_988_75).fract();
            let (cx, cy) = (-2.0 + 2.5 * golden, -1.25 + 2.5 * (s as f64 / samples as f64));
            let mut orbit = [(0.0, 0.0); 32];
            let mut len = 0;
            let (mut zx, mut zy) = (0.0, 0.0);
            while len < orbit.len() && zx * zx + zy * zy <= 4.0 {
                (zx, zy) = (zx * zx - zy * zy + cx, 2.0 * zx * zy + cy);
                orbit[len] = (zx, zy);
                len += 1;
            }
            if len == orbit.len() {
                continue;
            }
            for &p in &orbit[..len] {
                if let Some(at) = view.pixel(p, w, h) {
                    #[omp::atomic]
                    hits[at] += 1;
                }
            }
        }
        hits
    }

    pub fn run() -> (Vec<f64>, Vec<u8>, Vec<u32>) {
        let l = lyapunov(12, 10, View { x0: 2.2, y0: 2.3, dx: 0.05, dy: 0.06 }, b"AABAB");
        let b = burning_ship(20, 15, View { x0: -2.03, y0: -1.52, dx: 0.17, dy: 0.15 });
        let m = buddhabrot(16, 16, View { x0: -2.03, y0: -1.51, dx: 0.21, dy: 0.19 }, 300);
        (l, b, m)
    }
}
port!(lyapunov: run());
