//! Rodinia's SRAD: a struct taken apart, an array of arrays.
use omp_tests::twice;
twice! {
    pub struct Srad { rows: usize, cols: usize, j: Vec<f32>, c: Vec<f32>, d: [Vec<f32>; 4], north: Vec<usize>, south: Vec<usize>, west: Vec<usize>, east: Vec<usize> }

    #[derive(Clone, Copy)]
    pub struct Roi { r1: usize, r2: usize, c1: usize, c2: usize }

    impl Srad {
        pub fn new(rows: usize, cols: usize) -> Self {
            Srad {
                rows, cols,
                j: (0..rows * cols).map(|k| ((k * 7919 % 255) as f32 / 255.0).exp()).collect(),
                c: vec![0.0; rows * cols],
                d: std::array::from_fn(|_| vec![0.0; rows * cols]),
                north: (0..rows).map(|i| i.saturating_sub(1)).collect(),
                south: (0..rows).map(|i| (i + 1).min(rows - 1)).collect(),
                west: (0..cols).map(|i| i.saturating_sub(1)).collect(),
                east: (0..cols).map(|i| (i + 1).min(cols - 1)).collect(),
            }
        }

        fn q0(&self, roi: Roi) -> f32 {
            let Roi { r1, r2, c1, c2 } = roi;
            let size = ((r2 - r1 + 1) * (c2 - c1 + 1)) as f32;
            let (mut sum, mut sum2) = (0.0, 0.0);
            #[omp::target(collapse(2), reduction(+: sum, sum2))]
            for r in r1..=r2 {
                for c in c1..=c2 {
                    let v = self.j[r * self.cols + c];
                    sum += v;
                    sum2 += v * v;
                }
            }
            let mean = sum / size;
            let var = sum2 / size - mean * mean;
            var / (mean * mean)
        }

        pub fn iterate(&mut self, roi: Roi, lambda: f32) {
            let q0 = self.q0(roi);
            let Self { rows, cols, j, c, d: [dn, ds, dw, de], north, south, west, east } = self;
            let (rows, cols) = (*rows, *cols);
            #[omp::target(collapse(2))]
            for r in 0..rows {
                for col in 0..cols {
                    let k = r * cols + col;
                    let jc = j[k];
                    dn[k] = j[north[r] * cols + col] - jc;
                    ds[k] = j[south[r] * cols + col] - jc;
                    dw[k] = j[r * cols + west[col]] - jc;
                    de[k] = j[r * cols + east[col]] - jc;
                    let g2 = (dn[k].powi(2) + ds[k].powi(2) + dw[k].powi(2) + de[k].powi(2)) / (jc * jc);
                    let l = (dn[k] + ds[k] + dw[k] + de[k]) / jc;
                    let num = 0.5 * g2 - (l * l) / 16.0;
                    let den = 1.0 + 0.25 * l;
                    let q = num / (den * den);
                    c[k] = (1.0 / (1.0 + (q - q0) / (q0 * (1.0 + q0)))).clamp(0.0, 1.0);
                }
            }
            #[omp::target(collapse(2))]
            for r in 0..rows {
                for col in 0..cols {
                    let k = r * cols + col;
                    let (cn, cs, cw, ce) = (c[k], c[south[r] * cols + col], c[k], c[r * cols + east[col]]);
                    let div = cn * dn[k] + cs * ds[k] + cw * dw[k] + ce * de[k];
                    j[k] += 0.25 * lambda * div;
                }
            }
        }
    }

    pub fn run() -> Vec<f32> {
        let mut s = Srad::new(11, 13);
        for _ in 0..3 { s.iterate(Roi { r1: 0, r2: 5, c1: 1, c2: 6 }, 0.5); }
        s.j
    }
}
port!(srad: run());
