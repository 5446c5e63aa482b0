//! Parboil spmv: a matrix in jagged diagonals, built from triplets.
use omp_tests::{Values, twice};

twice! {
    #[derive(Debug, omp::Mapper)]
    pub struct Jds {
        n: usize,
        data: Vec<f32>,
        indices: Vec<i32>,
        ptr: Vec<i32>,
        perm: Vec<i32>,
        nzcnt: Vec<i32>,
    }

    impl Jds {
        pub fn from_rows(rows: &[Vec<(i32, f32)>]) -> Self {
            let n = rows.len();
            let mut perm: Vec<i32> = (0..n as i32).collect();
            perm.sort_by_key(|&r| std::cmp::Reverse(rows[r as usize].len()));
            let nzcnt: Vec<i32> = perm.iter().map(|&r| rows[r as usize].len() as i32).collect();
            let (mut data, mut indices, mut ptr) = (vec![], vec![], vec![]);
            for k in 0..nzcnt[0] {
                ptr.push(data.len() as i32);
                for (i, &r) in perm.iter().enumerate() {
                    if nzcnt[i] > k {
                        let (c, v) = rows[r as usize][k as usize];
                        data.push(v);
                        indices.push(c);
                    }
                }
            }
            Self { n, data, indices, ptr, perm, nzcnt }
        }

        pub fn multiply(&self, x: &[f32]) -> Vec<f32> {
            let mut y = vec![0f32; self.n];
            #[omp::target(disjoint(y))]
            for i in 0..self.n {
                let mut sum = 0.0f32;
                let bound = self.nzcnt[i];
                for k in 0..bound {
                    let j = self.ptr[k as usize] + i as i32;
                    let input = self.indices[j as usize] as usize;
                    sum += self.data[j as usize] * x[input];
                }
                y[self.perm[i] as usize] = sum;
            }
            y
        }
    }

    pub fn power_iteration(m: &Jds, iterations: usize) -> (f32, Vec<f32>) {
        let mut x = vec![1.0; m.n];
        let mut lambda = 0.0f32;
        for _ in 0..iterations {
            let y = m.multiply(&x);
            let mut norm2 = 0.0;
            let mut dot = 0.0;
            #[omp::target(reduction(+: norm2, dot))]
            for (a, b) in x.iter().zip(y.iter()) {
                norm2 += b * b;
                dot += a * b;
            }
            lambda = dot;
            let scale = 1.0 / norm2.sqrt();
            #[omp::target]
            for i in 0..x.len() {
                x[i] = scale * y[i];
            }
        }
        (lambda, x)
    }

    pub fn run() -> (f32, Vec<f32>) {
        let mut v = Values(77);
        let rows: Vec<Vec<(i32, f32)>> = (0..64)
            .map(|r| {
                let mut row = vec![(r, 4.0)];
                for _ in 0..v.bits() % 7 {
                    row.push(((v.bits() % 64) as i32, v.bits() as f32 / 4e9));
                }
                row
            })
            .collect();
        power_iteration(&Jds::from_rows(&rows), 6)
    }
}
port!(jds_spmv: run());
