//! NAS MG and IS: residual, restriction and prolongation on nested arrays by const generics; ranks of keys by a histogram and a scan.
use omp_tests::twice;

twice! {
    #[derive(Clone, Debug)]
    pub struct Grid<const N: usize>(Box<[[[f64; N]; N]]>);

    impl<const N: usize> Grid<N> {
        pub fn from_fn(f: impl Fn(usize, usize, usize) -> f64) -> Self {
            Grid((0..N).map(|k| std::array::from_fn(|j| std::array::from_fn(|i| f(k, j, i)))).collect())
        }
    }

    const A: [f64; 4] = [-8.0 / 3.0, 0.0, 1.0 / 6.0, 1.0 / 12.0];

    #[omp::declare_target]
    fn weighted<const N: usize>(u: &[[[f64; N]; N]], k: usize, j: usize, i: usize, w: &[f64; 4]) -> f64 {
        let mut sum = 0.0;
        for dk in 0..3 {
            for dj in 0..3 {
                for di in 0..3 {
                    let distance = (dk != 1) as usize + (dj != 1) as usize + (di != 1) as usize;
                    sum += w[distance] * u[k + dk - 1][j + dj - 1][i + di - 1];
                }
            }
        }
        sum
    }

    pub fn resid<const N: usize>(u: &[[[f64; N]; N]], v: &[[[f64; N]; N]], r: &mut [[[f64; N]; N]]) {
        #[omp::target(collapse(3))]
        for k in 1..N - 1 {
            for j in 1..N - 1 {
                for i in 1..N - 1 {
                    r[k][j][i] = v[k][j][i] - weighted(u, k, j, i, &A);
                }
            }
        }
    }

    pub fn rprj3<const N: usize, const M: usize>(fine: &[[[f64; N]; N]], coarse: &mut Box<[[[f64; M]; M]]>) {
        #[omp::target(collapse(2))]
        for k in 1..M - 1 {
            for j in 1..M - 1 {
                for i in 1..M - 1 {
                    coarse[k][j][i] = 0.5 * fine[2 * k][2 * j][2 * i] + 0.25 * (fine[2 * k][2 * j][2 * i - 1] + fine[2 * k][2 * j][2 * i + 1]);
                }
            }
        }
    }

    pub fn interp<const N: usize, const M: usize>(coarse: &Grid<M>, fine: &mut Grid<N>) {
        #[omp::target]
        for (k, plane) in fine.0.iter_mut().enumerate() {
            for (j, row) in plane.iter_mut().enumerate() {
                for (i, v) in row.iter_mut().enumerate() {
                    let (a, b, c) = ((k / 2).min(M - 1), (j / 2).min(M - 1), (i / 2).min(M - 1));
                    *v += coarse.0[a][b][c];
                }
            }
        }
    }

    pub fn ranks(keys: &[u32], buckets: usize) -> Vec<u32> {
        let mut counts = vec![0u32; buckets];
        #[omp::target(reduction(+: counts[..]))]
        for &key in keys {
            counts[key as usize] += 1;
        }
        let mut before = 0;
        let mut starts = vec![0; buckets];
        #[omp::scan(+)]
        for (start, count) in starts.iter_mut().zip(&counts) {
            *start = before;
            before += count;
        }
        starts
    }

    pub fn run() -> (Vec<f64>, Vec<u32>) {
        let u = Grid::<8>::from_fn(|k, j, i| ((k * 3 + j * 5 + i * 7) % 13) as f64);
        let v = Grid::<8>::from_fn(|k, j, i| (k + j + i) as f64);
        let mut r = Grid::<8>::from_fn(|_, _, _| 0.0);
        resid(&u.0, &v.0, &mut r.0);
        let mut c = Grid::<4>::from_fn(|_, _, _| 0.0);
        rprj3(&r.0, &mut c.0);
        interp(&c, &mut r);
        let keys: Vec<u32> = (0..300).map(|i| i * i % 32).collect();
        (r.0.iter().flatten().flatten().copied().collect(), ranks(&keys, 32))
    }
}
port!(npb_mg: run());
