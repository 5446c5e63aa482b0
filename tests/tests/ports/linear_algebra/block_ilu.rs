//! A block Jacobi preconditioner: LU with pivots of small dense blocks, const generic, applied in Richardson steps.
use omp_tests::twice;
twice! {
    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Lu<const N: usize> { lu: [[f64; N]; N], pivots: [usize; N] }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Singular { column: usize }

    #[omp::declare_target]
    impl<const N: usize> Lu<N> {
        fn factor(mut a: [[f64; N]; N]) -> Result<Self, Singular> {
            let mut pivots = [0; N];
            for (i, p) in pivots.iter_mut().enumerate() { *p = i; }
            for k in 0..N {
                let (row, size) = (k..N).map(|i| (i, a[i][k].abs())).fold((k, 0.0), |best, c| if c.1 > best.1 { c } else { best });
                if size < 1e-14 { return Err(Singular { column: k }); }
                a.swap(k, row);
                pivots.swap(k, row);
                let pivot = a[k];
                for row in &mut a[k + 1..] {
                    let f = row[k] / pivot[k];
                    row[k] = f;
                    for (x, p) in row[k + 1..].iter_mut().zip(&pivot[k + 1..]) { *x -= f * p; }
                }
            }
            Ok(Lu { lu: a, pivots })
        }
        fn solve(&self, b: [f64; N]) -> [f64; N] {
            let mut x = self.pivots.map(|p| b[p]);
            for i in 1..N {
                let (done, rest) = x.split_at_mut(i);
                rest[0] -= self.lu[i][..i].iter().zip(&*done).map(|(l, y)| l * y).sum::<f64>();
            }
            for i in (0..N).rev() {
                let s: f64 = (i + 1..N).map(|j| self.lu[i][j] * x[j]).sum();
                x[i] = (x[i] - s) / self.lu[i][i];
            }
            x
        }
    }

    pub struct BlockMatrix<const N: usize> { starts: Vec<usize>, columns: Vec<usize>, blocks: Vec<[[f64; N]; N]> }

    impl<const N: usize> BlockMatrix<N> {
        fn rows(&self) -> usize { self.starts.len() - 1 }

        fn diagonal(&self) -> (Vec<Option<Lu<N>>>, usize) {
            let mut out = vec![None; self.rows()];
            let mut failures = 0;
            #[omp::target(reduction(+: failures))]
            for (i, o) in out.iter_mut().enumerate() {
                let entries = self.starts[i]..self.starts[i + 1];
                let Some(k) = entries.clone().find(|&k| self.columns[k] == i) else {
                    failures += 1;
                    continue;
                };
                match Lu::factor(self.blocks[k]) {
                    Ok(lu) => *o = Some(lu),
                    Err(Singular { column }) => failures += 1 + column * 1000,
                }
            }
            (out, failures)
        }

        fn richardson(&self, lu: &[Option<Lu<N>>], b: &[[f64; N]], x: &[[f64; N]], out: &mut [[f64; N]]) -> f64 {
            let mut norm = 0.0f64;
            #[omp::target(reduction(max: norm))]
            for i in 0..self.rows() {
                let mut r = b[i];
                for k in self.starts[i]..self.starts[i + 1] {
                    let v = &x[self.columns[k]];
                    for (r, row) in r.iter_mut().zip(&self.blocks[k]) {
                        *r -= row.iter().zip(v).map(|(a, x)| a * x).sum::<f64>();
                    }
                }
                norm = r.iter().fold(norm, |m, v| m.max(v.abs()));
                let z = match &lu[i] { Some(lu) => lu.solve(r), None => r };
                for ((o, x), z) in out[i].iter_mut().zip(x[i]).zip(z) { *o = x + z; }
            }
            norm
        }
    }

    fn solve<const N: usize>(n: usize, singular: bool) -> (Vec<[f64; N]>, f64, usize) {
        let mut m = BlockMatrix::<N> { starts: vec![0], columns: vec![], blocks: vec![] };
        for i in 0..n {
            for j in i.saturating_sub(1)..(i + 2).min(n) {
                m.columns.push(j);
                m.blocks.push(std::array::from_fn(|r| std::array::from_fn(|c| if i == j { if r == (c + 1) % N { 4.0 } else { 0.3 / (1 + r + i % 3) as f64 } } else { 0.1 * (r as f64 - c as f64) })));
            }
            m.starts.push(m.columns.len());
        }
        if singular { m.blocks[0] = [[0.0; N]; N]; }
        let (lu, failures) = m.diagonal();
        let b: Vec<[f64; N]> = (0..n).map(|i| std::array::from_fn(|k| (i + k) as f64 * 0.1)).collect();
        let (mut x, mut next) = (vec![[0.0; N]; n], vec![[0.0; N]; n]);
        let mut norm = 0.0;
        for _ in 0..4 {
            norm = m.richardson(&lu, &b, &x, &mut next);
            (x, next) = (next, x);
        }
        (x, norm, failures)
    }

    pub fn run() -> (Vec<[f64; 2]>, Vec<[f64; 5]>, Vec<f64>, Vec<usize>) {
        let a = solve::<2>(11, false);
        let b = solve::<5>(7, false);
        let c = solve::<2>(3, true);
        (a.0, b.0, vec![a.1, b.1], vec![a.2, b.2, c.2])
    }
}
port!(block_ilu: run());
