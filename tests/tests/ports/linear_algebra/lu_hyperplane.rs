//! NAS LU: lower and upper SSOR sweeps over hyperplanes i + j + k = l, 5 unknowns a cell.
use omp_tests::twice;

twice! {
    type Vec5 = [f64; 5];
    type Mat5 = [[f64; 5]; 5];

    pub struct Field { n: usize, data: Vec<Vec5> }

    impl std::ops::Index<[usize; 3]> for Field {
        type Output = Vec5;
        fn index(&self, [i, j, k]: [usize; 3]) -> &Vec5 { &self.data[(k * self.n + j) * self.n + i] }
    }
    impl std::ops::IndexMut<[usize; 3]> for Field {
        fn index_mut(&mut self, [i, j, k]: [usize; 3]) -> &mut Vec5 { &mut self.data[(k * self.n + j) * self.n + i] }
    }

    #[omp::declare_target]
    fn mat_vec(m: &Mat5, v: &Vec5) -> Vec5 {
        let mut out = [0.0; 5];
        for (o, row) in out.iter_mut().zip(m) {
            *o = row.iter().zip(v).map(|(a, b)| a * b).sum();
        }
        out
    }

    #[omp::declare_target]
    fn solve5(mut a: Mat5, mut b: Vec5) -> Vec5 {
        for p in 0..5 {
            let pivot = 1.0 / a[p][p];
            for r in p + 1..5 {
                let f = a[r][p] * pivot;
                for c in p..5 {
                    a[r][c] -= f * a[p][c];
                }
                b[r] -= f * b[p];
            }
        }
        for p in (0..5).rev() {
            let mut s = b[p];
            for c in p + 1..5 {
                s -= a[p][c] * b[c];
            }
            b[p] = s / a[p][p];
        }
        b
    }

    #[omp::declare_target]
    fn jacobian(u: &Vec5, scale: f64) -> Mat5 {
        let mut m = [[0.0; 5]; 5];
        for i in 0..5 {
            for j in 0..5 {
                m[i][j] = if i == j { 1.0 + 0.1 * u[i] } else { 0.02 * (u[i] - u[j]) };
                m[i][j] *= scale;
            }
        }
        m
    }

    pub fn lower_sweep(rsd: &mut Field, u: &Field, omega: f64) {
        let n = rsd.n;
        for l in 3..=3 * (n - 2) {
            #[omp::target(collapse(2), disjoint(rsd))]
            for k in 1..n - 1 {
                for j in 1..n - 1 {
                    if l < k + j + 1 || l - k - j > n - 2 {
                        continue;
                    }
                    let i = l - k - j;
                    let mut v = rsd[[i, j, k]];
                    for prev in [[i - 1, j, k], [i, j - 1, k], [i, j, k - 1]] {
                        let m = jacobian(&u[prev], omega * 0.2);
                        let t = mat_vec(&m, &rsd[prev]);
                        for c in 0..5 {
                            v[c] -= t[c];
                        }
                    }
                    rsd[[i, j, k]] = solve5(jacobian(&u[[i, j, k]], 2.0), v);
                }
            }
        }
    }

    pub fn l2norm(f: &Field) -> Vec5 {
        let mut sum = [0.0; 5];
        #[omp::target(reduction(+: sum))]
        for v in &f.data {
            for (s, x) in sum.iter_mut().zip(v) {
                *s += x * x;
            }
        }
        sum.map(|s| (s / f.data.len() as f64).sqrt())
    }

    pub fn run() -> Vec5 {
        let n = 7;
        let init = |k: f64| Field { n, data: (0..n * n * n).map(|c| std::array::from_fn(|m| ((c * 5 + m) as f64 * k).sin())).collect() };
        let (mut rsd, u) = (init(0.37), init(0.11));
        for _ in 0..2 {
            lower_sweep(&mut rsd, &u, 1.2);
        }
        l2norm(&rsd)
    }
}
port!(lu_hyperplane: run());
