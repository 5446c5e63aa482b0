//! Linear algebra: batched tridiagonal systems by parallel cyclic reduction, with the rows of a step as a struct of four.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Row { a: f64, b: f64, c: f64, d: f64 }

    #[omp::declare_target]
    impl Row {
        const IDENTITY: Self = Self { a: 0.0, b: 1.0, c: 0.0, d: 0.0 };

        fn reduce(&self, below: &Row, above: &Row) -> Row {
            let k1 = self.a / below.b;
            let k2 = self.c / above.b;
            Row {
                a: -below.a * k1,
                b: self.b - below.c * k1 - above.a * k2,
                c: -above.c * k2,
                d: self.d - below.d * k1 - above.d * k2,
            }
        }
    }

    pub struct Batch { size: usize, rows: Vec<Row> }

    impl Batch {
        fn get(&self, system: usize, i: isize) -> Row {
            if (0..self.size as isize).contains(&i) {
                self.rows[system * self.size + i as usize]
            } else {
                Row::IDENTITY
            }
        }

        pub fn solve(mut self) -> Vec<f64> {
            let n = self.size;
            let systems = self.rows.len() / n;
            let mut next = self.rows.clone();
            let mut stride = 1isize;
            while (stride as usize) < n {
                #[omp::target(collapse(2))]
                for s in 0..systems {
                    for i in 0..n {
                        let at = i as isize;
                        let (below, above) = (self.get(s, at - stride), self.get(s, at + stride));
                        next[s * n + i] = self.get(s, at).reduce(&below, &above);
                    }
                }
                std::mem::swap(&mut self.rows, &mut next);
                stride <<= 1;
            }
            let mut x = vec![0.0; self.rows.len()];
            #[omp::target]
            for (x, &Row { b, d, .. }) in x.iter_mut().zip(&self.rows) {
                *x = d / b;
            }
            x
        }
    }

    pub fn run() -> Vec<f64> {
        let (n, systems) = (21, 6);
        let rows = (0..n * systems)
            .map(|k| {
                let i = k % n;
                Row { a: if i == 0 { 0.0 } else { -1.0 }, b: 3.0 + 0.1 * (k / n) as f64, c: if i == n - 1 { 0.0 } else { -0.7 }, d: (k as f64).sin() }
            })
            .collect();
        Batch { size: n, rows }.solve()
    }
}
port!(pcr_rows: run());
