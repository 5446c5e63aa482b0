//! SELL-C-sigma: chunks of sorted rows padded to their longest, and a Jacobi sweep in this format.
use omp_tests::{Values, twice};
twice! {
    pub struct Sell<T, const C: usize> { n: usize, starts: Vec<usize>, lengths: Vec<u16>, columns: Vec<u32>, values: Vec<T>, order: Vec<u32> }

    impl<T, const C: usize> Sell<T, C>
    where
        T: omp::Device + Default + std::ops::Mul<Output = T> + std::ops::AddAssign + std::ops::Sub<Output = T> + std::ops::Div<Output = T>,
    {
        pub fn from_rows(rows: &[Vec<(u32, T)>], sigma: usize) -> Self {
            let mut order: Vec<u32> = (0..rows.len() as u32).collect();
            for window in order.chunks_mut(sigma) {
                window.sort_by_key(|&r| std::cmp::Reverse(rows[r as usize].len()));
            }
            let (mut starts, mut lengths, mut columns, mut values) = (vec![0], vec![], vec![], vec![]);
            for chunk in order.chunks(C) {
                let width = chunk.iter().map(|&r| rows[r as usize].len()).max().unwrap_or(0);
                for j in 0..width {
                    for lane in 0..C {
                        let entry = chunk.get(lane).and_then(|&r| rows[r as usize].get(j)).copied();
                        let (c, v) = entry.unwrap_or_default();
                        columns.push(c);
                        values.push(v);
                    }
                }
                starts.push(columns.len());
                lengths.push(width as u16);
            }
            Self { n: rows.len(), starts, lengths, columns, values, order }
        }

        pub fn multiply(&self, x: &[T], y: &mut [T]) {
            let Sell { starts, lengths, columns, values, order, .. } = self;
            #[omp::target(disjoint(y))]
            for (chunk, (&start, &length)) in starts.iter().zip(lengths).enumerate() {
                for lane in 0..C {
                    let Some(&row) = order.get(chunk * C + lane) else { break };
                    let mut sum = T::default();
                    for j in 0..length as usize {
                        let k = start + j * C + lane;
                        sum += values[k] * x[columns[k] as usize];
                    }
                    y[row as usize] = sum;
                }
            }
        }

        pub fn jacobi(&self, diagonal: &[T], b: &[T], x: &[T], next: &mut [T]) {
            #[omp::target(disjoint(next))]
            for i in 0..self.n {
                let (chunk, lane) = (i / C, i % C);
                let row = self.order[i] as usize;
                let base = self.starts[chunk] + lane;
                let mut sum = T::default();
                for k in (base..).step_by(C).take(self.lengths[chunk].into()) {
                    let c = self.columns[k] as usize;
                    if c != row {
                        sum += self.values[k] * x[c];
                    }
                }
                next[row] = (b[row] - sum) / diagonal[row];
            }
        }
    }

    pub fn run() -> (Vec<f64>, Vec<f32>) {
        let mut v = Values(19);
        let n = 45;
        let rows: Vec<Vec<(u32, f64)>> = (0..n)
            .map(|i| {
                let mut r: Vec<_> = (0..v.bits() % 7).map(|_| (v.bits() % n, v.unit())).collect();
                r.push((i, 9.0));
                r
            })
            .collect();
        let a = Sell::<f64, 4>::from_rows(&rows, 16);
        let x: Vec<f64> = (0..n).map(|i| f64::from(i).sin()).collect();
        let (mut y, mut next) = (vec![0.0; n as usize], vec![0.0; n as usize]);
        a.multiply(&x, &mut y);
        a.jacobi(&vec![9.0; n as usize], &y, &x, &mut next);
        y.extend(next);
        let rows32: Vec<Vec<(u32, f32)>> = rows.iter().map(|r| r.iter().map(|&(c, v)| (c, v as f32)).collect()).collect();
        let mut z = vec![0.0f32; n as usize];
        Sell::<f32, 8>::from_rows(&rows32, 8).multiply(&vec![1.0; n as usize], &mut z);
        (y, z)
    }
}
port!(sell: run());
