//! A borrowed view of an image, sampled with clamped borders; a separable kernel and an emboss.
use omp_tests::{Values, twice};
twice! {
    /// A view into a row-major single-channel image.
    #[derive(Clone, Copy, omp::Mapper)]
    pub struct View<'a> { data: &'a [f32], width: usize, height: usize }

    #[omp::declare_target]
    impl<'a> View<'a> {
        pub fn new(data: &'a [f32], width: usize) -> Self { Self { data, width, height: data.len() / width } }
        fn get(&self, x: isize, y: isize) -> f32 {
            let x = x.clamp(0, self.width as isize - 1) as usize;
            let y = y.clamp(0, self.height as isize - 1) as usize;
            self.data[y * self.width + x]
        }
        fn row(&self, y: usize) -> &[f32] { &self.data[y * self.width..][..self.width] }
    }

    pub fn convolve3(src: View<'_>, kernel: &[[f32; 3]; 3], bias: f32) -> Vec<f32> {
        let mut out = vec![0.0; src.data.len()];
        #[omp::target(collapse(2))]
        for y in 0..src.height {
            for x in 0..src.width {
                let mut acc = bias;
                for (dy, row) in kernel.iter().enumerate() {
                    for (dx, &k) in row.iter().enumerate() {
                        acc += k * src.get(x as isize + dx as isize - 1, y as isize + dy as isize - 1);
                    }
                }
                out[y * src.width + x] = acc;
            }
        }
        out
    }

    fn gaussian_weights(sigma: f32) -> Vec<f32> {
        let radius = (3.0 * sigma).ceil() as i32;
        let w: Vec<f32> = (-radius..=radius).map(|i| (-(i * i) as f32 / (2.0 * sigma * sigma)).exp()).collect();
        let sum: f32 = w.iter().sum();
        w.into_iter().map(|v| v / sum).collect()
    }

    pub fn blur(data: &[f32], width: usize, sigma: f32) -> Vec<f32> {
        let view = View::new(data, width);
        let weights = gaussian_weights(sigma);
        let r = (weights.len() / 2) as isize;
        let mut tmp = vec![0.0f32; data.len()];
        #[omp::target]
        for (i, t) in tmp.iter_mut().enumerate() {
            let (x, y) = ((i % width) as isize, (i / width) as isize);
            *t = weights.iter().zip(-r..=r).map(|(&w, d)| w * view.get(x + d, y)).sum();
        }
        let tview = View::new(&tmp, width);
        let mut out = vec![0.0f32; data.len()];
        #[omp::target]
        for (i, o) in out.iter_mut().enumerate() {
            let (x, y) = ((i % width) as isize, (i / width) as isize);
            *o = weights.iter().zip(-r..=r).map(|(&w, d)| w * tview.get(x, y + d)).sum();
        }
        out
    }

    pub fn row_means(view: &View) -> Vec<f32> {
        let mut means = vec![0.0; view.height];
        #[omp::target]
        for (y, m) in means.iter_mut().enumerate() {
            *m = view.row(y).iter().sum::<f32>() / view.width as f32;
        }
        means
    }

    pub fn run() -> (Vec<f32>, Vec<f32>, Vec<f32>) {
        let mut v = Values(3);
        let img: Vec<f32> = (0..31 * 17).map(|_| (v.bits() % 256) as f32 / 255.0).collect();
        let emboss = [[-2.0, -1.0, 0.0], [-1.0, 1.0, 1.0], [0.0, 1.0, 2.0]];
        (convolve3(View::new(&img, 31), &emboss, 0.1), blur(&img, 31, 1.2), row_means(&View::new(&img, 31)))
    }
}
port!(view_convolve: run());
