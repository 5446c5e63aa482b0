//! 3x3 convolution by Winograd's F(2x2, 3x3), checked against the direct sum.
use omp_tests::twice;

twice! {
    type Mat<const R: usize, const C: usize> = [[f32; C]; R];

    const BT: Mat<4, 4> = [[1., 0., -1., 0.], [0., 1., 1., 0.], [0., -1., 1., 0.], [0., 1., 0., -1.]];
    const G: Mat<4, 3> = [[1., 0., 0.], [0.5, 0.5, 0.5], [0.5, -0.5, 0.5], [0., 0., 1.]];
    const AT: Mat<2, 4> = [[1., 1., 1., 0.], [0., 1., -1., -1.]];

    #[omp::declare_target]
    fn matmul<const R: usize, const K: usize, const C: usize>(a: &Mat<R, K>, b: &Mat<K, C>) -> Mat<R, C> {
        let mut out = [[0.0; C]; R];
        for r in 0..R {
            for c in 0..C {
                for k in 0..K {
                    out[r][c] += a[r][k] * b[k][c];
                }
            }
        }
        out
    }

    #[omp::declare_target]
    fn transpose<const R: usize, const C: usize>(a: &Mat<R, C>) -> Mat<C, R> {
        std::array::from_fn(|c| std::array::from_fn(|r| a[r][c]))
    }

    /// `t * x * t^T`
    #[omp::declare_target]
    fn sandwich<const R: usize, const C: usize>(t: &Mat<R, C>, x: &Mat<C, C>) -> Mat<R, R> {
        matmul(&matmul(t, x), &transpose(t))
    }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Shape {
        pub channels: usize,
        pub filters: usize,
        pub height: usize,
        pub width: usize,
    }

    #[omp::declare_target]
    impl Shape {
        fn pixel(&self, input: &[f32], c: usize, y: isize, x: isize) -> f32 {
            let inside = (0..self.height as isize).contains(&y) && (0..self.width as isize).contains(&x);
            if inside { input[(c * self.height + y as usize) * self.width + x as usize] } else { 0.0 }
        }

        fn patch(&self, input: &[f32], c: usize, y: isize, x: isize) -> Mat<4, 4> {
            let mut tile = [[0.0; 4]; 4];
            for (dy, row) in (0..).zip(&mut tile) {
                for (dx, v) in (0..).zip(row) {
                    *v = self.pixel(input, c, y + dy, x + dx);
                }
            }
            tile
        }
    }

    /// Transforms all filters, `[filters][channels][3][3]` in.
    pub fn transform_filters(weights: &[Mat<3, 3>], out: &mut [Mat<4, 4>]) {
        #[omp::parallel_for]
        for (u, g) in out.iter_mut().zip(weights) {
            *u = sandwich(&G, g);
        }
    }

    pub fn convolve(shape: Shape, input: &[f32], u: &[Mat<4, 4>], output: &mut [f32]) {
        let Shape { channels, filters, height, width } = shape;
        let (tiles_y, tiles_x) = (height.div_ceil(2), width.div_ceil(2));
        #[omp::target(map(to: input, u), map(tofrom: output), collapse(3))]
        for k in 0..filters {
            for ty in 0..tiles_y {
                for tx in 0..tiles_x {
                    let mut acc: Mat<4, 4> = Default::default();
                    for c in 0..channels {
                        let v = sandwich(&BT, &shape.patch(input, c, 2 * ty as isize - 1, 2 * tx as isize - 1));
                        let filter = &u[k * channels + c];
                        for (a, (f, d)) in acc.iter_mut().flatten().zip(filter.iter().flatten().zip(v.iter().flatten())) {
                            *a += f * d;
                        }
                    }
                    let y = sandwich(&AT, &acc);
                    for (i, row) in y.iter().enumerate() {
                        for (j, &value) in row.iter().enumerate() {
                            let (oy, ox) = (2 * ty + i, 2 * tx + j);
                            if oy < height && ox < width {
                                output[(k * height + oy) * width + ox] = value.max(0.0);
                            }
                        }
                    }
                }
            }
        }
    }

    /// Largest absolute deviation from the directly computed convolution with ReLU.
    pub fn deviation(shape: Shape, input: &[f32], weights: &[Mat<3, 3>], output: &[f32]) -> f32 {
        let Shape { channels, filters, height, width } = shape;
        let mut worst = 0.0f32;
        let mut direct: f32;
        #[omp::parallel_for(collapse(3), private(direct), reduction(max: worst))]
        for k in 0..filters {
            for y in 0..height {
                for x in 0..width {
                    direct = 0.0;
                    for c in 0..channels {
                        for (r, row) in weights[k * channels + c].iter().enumerate() {
                            for (s, w) in row.iter().enumerate() {
                                direct += w * shape.pixel(input, c, (y + r) as isize - 1, (x + s) as isize - 1);
                            }
                        }
                    }
                    worst = worst.max((direct.max(0.0) - output[(k * height + y) * width + x]).abs());
                }
            }
        }
        worst
    }
}
port!(winograd_f23: crate::Shown::of({
    let shape = Shape { channels: 5, filters: 6, height: 13, width: 18 };
    let value = |i: usize| ((i as u32).wrapping_mul(2891336453) >> 22) as f32 / 512.0 - 1.0;
    let input: Vec<f32> = (0..5 * 13 * 18).map(value).collect();
    let weights: Vec<[[f32; 3]; 3]> = (0..30)
        .map(|f| std::array::from_fn(|r| std::array::from_fn(|c| value(9000 + f * 9 + 3 * r + c))))
        .collect();
    let mut u = vec![[[0.0f32; 4]; 4]; 30];
    transform_filters(&weights, &mut u);
    let mut output = vec![0.0f32; 6 * 13 * 18];
    convolve(shape, &input, &u, &mut output);
    let close = deviation(shape, &input, &weights, &output) < 1e-4;
    (close, output.iter().map(|v| (v * 1e2).round() as i32).collect::<Vec<_>>())
}));
