//! Winograd convolution F(2x2, 3x3), with tiles, and the direct one.
use omp_tests::{Values, twice};

twice! {
    #[derive(Clone, Debug, omp::Mapper)]
    pub struct Tensor { shape: [usize; 3], data: Vec<f32> }

    impl Tensor {
        fn zeros(c: usize, h: usize, w: usize) -> Self { Tensor { shape: [c, h, w], data: vec![0.0; c * h * w] } }
        fn get(&self, c: usize, y: isize, x: isize) -> f32 {
            let [_, h, w] = self.shape;
            if y < 0 || x < 0 || y >= h as isize || x >= w as isize { 0.0 } else { self.data[(c * h + y as usize) * w + x as usize] }
        }
    }

    #[omp::declare_target]
    fn transform_filter(g: &[f32; 9]) -> [[f32; 4]; 4] {
        let mut gg = [[0.0; 3]; 4];
        for c in 0..3 {
            let (a, b, d) = (g[c], g[3 + c], g[6 + c]);
            gg[0][c] = a;
            gg[1][c] = 0.5 * (a + b + d);
            gg[2][c] = 0.5 * (a - b + d);
            gg[3][c] = d;
        }
        gg.map(|[a, b, d]| [a, 0.5 * (a + b + d), 0.5 * (a - b + d), d])
    }

    #[omp::declare_target]
    fn transform_input(d: &[[f32; 4]; 4]) -> [[f32; 4]; 4] {
        let mut t = [[0.0; 4]; 4];
        for c in 0..4 {
            t[0][c] = d[0][c] - d[2][c];
            t[1][c] = d[1][c] + d[2][c];
            t[2][c] = d[2][c] - d[1][c];
            t[3][c] = d[1][c] - d[3][c];
        }
        let mut out = [[0.0; 4]; 4];
        for (o, r) in out.iter_mut().zip(t.iter()) {
            *o = [r[0] - r[2], r[1] + r[2], r[2] - r[1], r[1] - r[3]];
        }
        out
    }

    pub fn winograd(input: &Tensor, filters: &[[f32; 9]], out_channels: usize) -> Tensor {
        let [cin, h, w] = input.shape;
        let mut u = vec![[[0.0f32; 4]; 4]; filters.len()];
        #[omp::target]
        for (u, g) in u.iter_mut().zip(filters) {
            *u = transform_filter(g);
        }
        let mut out = Tensor::zeros(out_channels, h, w);
        let (th, tw) = (h.div_ceil(2), w.div_ceil(2));
        #[omp::target(collapse(3))]
        for k in 0..out_channels {
            for ty in 0..th {
                for tx in 0..tw {
                    let mut m = [[0.0f32; 4]; 4];
                    for c in 0..cin {
                        let mut d = [[0.0f32; 4]; 4];
                        for (dy, row) in d.iter_mut().enumerate() {
                            for (dx, v) in row.iter_mut().enumerate() {
                                *v = input.get(c, (2 * ty + dy) as isize - 1, (2 * tx + dx) as isize - 1);
                            }
                        }
                        let v = transform_input(&d);
                        let u = &u[k * cin + c];
                        for i in 0..4 {
                            for j in 0..4 {
                                m[i][j] += u[i][j] * v[i][j];
                            }
                        }
                    }
                    let mut s = [[0.0f32; 4]; 2];
                    for j in 0..4 {
                        s[0][j] = m[0][j] + m[1][j] + m[2][j];
                        s[1][j] = m[1][j] - m[2][j] - m[3][j];
                    }
                    for dy in 0..2 {
                        let y = 2 * ty + dy;
                        if y >= h { break; }
                        let pair = [s[dy][0] + s[dy][1] + s[dy][2], s[dy][1] - s[dy][2] - s[dy][3]];
                        for (dx, &value) in pair.iter().enumerate() {
                            let x = 2 * tx + dx;
                            if x < w {
                                out.data[(k * h + y) * w + x] = value;
                            }
                        }
                    }
                }
            }
        }
        out
    }

    pub fn run() -> Vec<f32> {
        let mut v = Values(23);
        let mut input = Tensor::zeros(3, 9, 7);
        for x in input.data.iter_mut() {
            *x = v.bits() as f32 / 2e9 - 1.0;
        }
        let filters: Vec<[f32; 9]> = (0..4 * 3).map(|_| std::array::from_fn(|_| v.bits() as f32 / 2e9 - 1.0)).collect();
        winograd(&input, &filters, 4).data
    }
}
port!(winograd: run());
