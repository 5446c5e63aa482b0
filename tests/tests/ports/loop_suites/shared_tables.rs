//! Tables behind references and containers: `&[T; N]`, boxed rows, `Arc`, `Rc`; halves of one array.
use omp_tests::twice;

twice! {
    use std::rc::Rc;
    use std::sync::Arc;

    pub fn gamma(img: &mut [u8], table: &[u8; 256]) {
        #[omp::target]
        for p in img.iter_mut() {
            *p = table[*p as usize];
        }
    }

    pub fn transform(out: &mut [f32], x: &[f32], m: &Arc<Vec<f32>>, bias: Rc<[f32]>) {
        let n = x.len();
        #[omp::target]
        for (i, o) in out.iter_mut().enumerate() {
            *o = bias[i] + (0..n).map(|j| m[i * n + j] * x[j]).sum::<f32>();
        }
    }

    pub fn rows(grid: &mut Box<[[f32; 8]]>, scale: &[f32]) {
        #[omp::target]
        for (row, s) in grid.iter_mut().zip(scale.iter()) {
            for v in row.iter_mut() {
                *v *= s;
            }
        }
    }

    #[derive(Clone, Debug, omp::Mapper)]
    pub struct Filter {
        taps: Arc<[f32]>,
        gains: Arc<Vec<f32>>,
        state: Vec<f32>,
    }

    impl Filter {
        pub fn run(&mut self, x: &Box<[f32; 16]>, rounds: usize) {
            let taps = self.taps.clone();
            #[omp::target_data(map(tofrom: self.state), map(to: taps, x))]
            {
                for _ in 0..rounds {
                    #[omp::target]
                    for i in 0..self.state.len() {
                        let mut sum = 0.0;
                        for k in 0..taps.len() {
                            sum += taps[k] * x[(i + k) % 16];
                        }
                        self.state[i] += sum * self.gains[i];
                    }
                }
            }
        }

        pub fn scale(&mut self) {
            let whole = self;
            #[omp::target_data(map(tofrom: whole))]
            {
                #[omp::target]
                for i in 0..whole.state.len() {
                    whole.state[i] *= whole.taps[i % whole.taps.len()] + whole.gains[i];
                }
            }
        }
    }

    pub fn boxed(squares: &mut Box<[[f32; 4]; 4]>, diagonal: &Rc<[f32; 4]>) {
        #[omp::target]
        for i in 0..4 {
            for j in 0..4 {
                squares[i][j] += diagonal[i] * if i == j { 2.0 } else { 1.0 };
            }
        }
    }

    pub fn halves(data: &mut [f64]) {
        let mid = data.len() / 2;
        let (left, right) = data.split_at_mut(mid);
        #[omp::target]
        for i in 0..mid {
            let (a, b) = (left[i], right[i]);
            left[i] = a + b;
            right[i] = a - b;
        }
    }

    pub fn run() -> (Vec<u8>, Vec<f32>, Vec<f64>) {
        let mut img: Vec<u8> = (0..=255).collect();
        let table: [u8; 256] = std::array::from_fn(|i| 255 - i as u8);
        gamma(&mut img, &table);
        let m = Arc::new((0..64).map(|i| i as f32).collect::<Vec<f32>>());
        let mut out = vec![0.0; 8];
        transform(&mut out, &[1.0; 8], &m, Rc::from(vec![0.5; 8]));
        let mut grid = vec![[1.5; 8]; 8].into_boxed_slice();
        rows(&mut grid, &out[..8]);
        out.extend(grid.iter().flatten());
        let mut filter = Filter { taps: Arc::from([0.5, 0.25, 0.125]), gains: Arc::new(vec![2.0; 9]), state: vec![1.0; 9] };
        filter.run(&Box::new(std::array::from_fn(|i| i as f32)), 3);
        filter.scale();
        out.extend(&filter.state);
        let mut squares = Box::new([[1.0; 4]; 4]);
        boxed(&mut squares, &Rc::new([1.0, 2.0, 3.0, 4.0]));
        out.extend(squares.iter().flatten());
        let mut d: Vec<f64> = (0..64).map(f64::from).collect();
        halves(&mut d);
        (img, out, d)
    }
}
port!(sharing: run());
