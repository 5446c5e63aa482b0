//! Superpixels: assignment of pixels to the nearest of the centres around, and new centres.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Lab { l: f32, a: f32, b: f32 }
    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Centre { colour: Lab, x: f32, y: f32 }
    #[derive(Clone, Copy, Default, omp::Device)]
    pub struct Sum { l: f32, a: f32, b: f32, x: f32, y: f32, n: u32 }

    #[omp::declare_target]
    impl Lab {
        fn distance2(&self, other: &Lab) -> f32 {
            let d = |p: f32, q: f32| (p - q) * (p - q);
            d(self.l, other.l) + d(self.a, other.a) + d(self.b, other.b)
        }
    }
    #[omp::declare_target]
    impl Sum {
        fn add(&mut self, p: &Lab, x: usize, y: usize) {
            self.l += p.l;
            self.a += p.a;
            self.b += p.b;
            self.x += x as f32;
            self.y += y as f32;
            self.n += 1;
        }
        fn mean(&self) -> Option<Centre> {
            let n = (self.n != 0).then_some(self.n as f32)?;
            Some(Centre { colour: Lab { l: self.l / n, a: self.a / n, b: self.b / n }, x: self.x / n, y: self.y / n })
        }
    }

    pub struct Slic<'a> { image: &'a [Lab], width: usize, height: usize, step: usize, compactness: f32 }

    impl<'a> Slic<'a> {
        fn columns(&self) -> usize { self.width.div_ceil(self.step) }
        fn rows(&self) -> usize { self.height.div_ceil(self.step) }
        fn seed(&self) -> Vec<Centre> {
            (0..self.rows() * self.columns()).map(|k| {
                let x = (k % self.columns() * self.step + self.step / 2).min(self.width - 1);
                let y = (k / self.columns() * self.step + self.step / 2).min(self.height - 1);
                Centre { colour: self.image[y * self.width + x], x: x as f32, y: y as f32 }
            }).collect()
        }
        fn distance(&self, p: &Lab, x: usize, y: usize, c: &Centre) -> f32 {
            let spatial = (x as f32 - c.x).powi(2) + (y as f32 - c.y).powi(2);
            p.distance2(&c.colour) + spatial * (self.compactness / self.step as f32).powi(2)
        }
        fn assign(&self, centres: &[Centre], labels: &mut [u32]) {
            let (columns, rows) = (self.columns(), self.rows());
            #[omp::target(collapse(2))]
            for y in 0..self.height {
                for x in 0..self.width {
                    let pixel = &self.image[y * self.width + x];
                    let (cx, cy) = (x / self.step, y / self.step);
                    let mut best = (f32::MAX, 0);
                    for gy in cy.saturating_sub(1)..=(cy + 1).min(rows - 1) {
                        for gx in cx.saturating_sub(1)..=(cx + 1).min(columns - 1) {
                            let id = gy * columns + gx;
                            let d = self.distance(pixel, x, y, &centres[id]);
                            if d < best.0 { best = (d, id); }
                        }
                    }
                    labels[y * self.width + x] = best.1 as u32;
                }
            }
        }
        fn update(&self, centres: &mut [Centre], labels: &[u32]) {
            #[omp::target]
            for (id, centre) in centres.iter_mut().enumerate() {
                let mut sum = Sum::default();
                for (k, _) in labels.iter().enumerate().filter(|(_, l)| **l as usize == id) {
                    sum.add(&self.image[k], k % self.width, k / self.width);
                }
                if let Some(c) = sum.mean() { *centre = c; }
            }
        }
    }
    pub fn run() -> (Vec<u32>, Vec<f32>) {
        let (w, h) = (23, 14);
        let image: Vec<Lab> = (0..w * h).map(|k| { let (x, y) = (k % w, k / w); Lab { l: ((x / 5 + y / 4) % 3) as f32 * 30.0, a: x as f32 * 0.31, b: (y * y) as f32 * 0.017 } }).collect();
        let slic = Slic { image: &image, width: w, height: h, step: 5, compactness: 10.0 };
        let mut centres = slic.seed();
        let mut labels = vec![0; w * h];
        for _ in 0..3 {
            slic.assign(&centres, &mut labels);
            slic.update(&mut centres, &labels);
        }
        (labels, centres.iter().flat_map(|c| [c.colour.l, c.x, c.y]).collect())
    }
}
port!(slic: run());
