//! A lifting wavelet transform by rows and columns, thresholds, and energy by level.
use omp_tests::{Values, twice};
twice! {
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub enum Threshold { Hard, Soft }

    #[omp::declare_target]
    fn shrink(v: f32, limit: f32, how: Threshold) -> f32 {
        match how {
            _ if v.abs() <= limit => 0.0,
            Threshold::Hard => v,
            Threshold::Soft => v - limit.copysign(v),
        }
    }

    /// One level of the 5/3 transform of a line: the smooth half first, then the details.
    #[omp::declare_target]
    fn forward<const N: usize>(line: &[f32; N], n: usize) -> [f32; N] {
        let mut out = *line;
        let half = n / 2;
        let even = |i: usize| line[2 * i.min(half - 1)];
        for i in 0..half {
            out[half + i] = line[2 * i + 1] - 0.5 * (even(i) + even(i + 1));
        }
        for i in 0..half {
            let left = if i == 0 { out[half] } else { out[half + i - 1] };
            out[i] = even(i) + 0.25 * (left + out[half + i]);
        }
        out
    }

    pub struct Plane<const N: usize> { data: Vec<[f32; N]> }

    impl<const N: usize> Plane<N> {
        fn rows(&mut self, n: usize) {
            #[omp::target]
            for row in self.data.iter_mut().take(n) {
                *row = forward(row, n);
            }
        }
        fn columns(&mut self, n: usize) {
            let data = &mut self.data;
            #[omp::target]
            for c in 0..n {
                let mut column = [0.0; N];
                for (r, v) in column.iter_mut().enumerate() { *v = data[r][c]; }
                let column = forward(&column, n);
                for r in 0..N { data[r][c] = column[r]; }
            }
        }
        pub fn transform(&mut self, levels: u32) {
            for level in 0..levels {
                self.rows(N >> level);
                self.columns(N >> level);
            }
        }
        pub fn denoise(&mut self, limit: f32, how: Threshold) -> u32 {
            let mut kept = 0;
            #[omp::target(reduction(+: kept))]
            for row in &mut self.data {
                for v in row.iter_mut() {
                    *v = shrink(*v, limit, how);
                    if *v != 0.0 { kept += 1; }
                }
            }
            kept
        }
        pub fn energy(&self) -> Vec<f32> {
            let mut by_band = vec![0f32; 3];
            let data = &self.data;
            #[omp::target(reduction(+: by_band[..]))]
            for (r, row) in data.iter().enumerate() {
                for (c, v) in row.iter().enumerate() {
                    let band = match (r < N / 2, c < N / 2) {
                        (true, true) => 0,
                        (false, false) => 2,
                        _ => 1,
                    };
                    by_band[band] += v * v;
                }
            }
            by_band
        }
    }

    pub fn run() -> (Vec<[f32; 16]>, u32, Vec<f32>) {
        let mut v = Values(12);
        let mut p = Plane::<16> { data: (0..16).map(|r| std::array::from_fn(|c| ((r * c) % 16) as f32 + (v.bits() % 8) as f32 / 8.0)).collect() };
        p.transform(2);
        let kept = p.denoise(0.4, Threshold::Soft);
        let e = p.energy();
        (p.data, kept, e)
    }
}
port!(wavelet: run());
