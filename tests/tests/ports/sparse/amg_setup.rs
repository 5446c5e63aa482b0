//! Algebraic multigrid: strength of connection, a PMIS coarsening and Jacobi relaxation with C and F points.
use omp_tests::{Values, twice};

twice! {
    #[derive(Clone, omp::Mapper)]
    pub struct CsrMatrix {
        rows: usize,
        i: Vec<usize>,
        j: Vec<usize>,
        data: Vec<f64>,
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    #[repr(u8)]
    pub enum Point { Undecided, Coarse, Fine }

    impl CsrMatrix {
        fn row(&self, r: usize) -> std::ops::Range<usize> {
            self.i[r]..self.i[r + 1]
        }
    }

    pub fn strength(a: &CsrMatrix, theta: f64) -> Vec<bool> {
        let mut s = vec![false; a.data.len()];
        #[omp::target]
        for r in 0..a.rows {
            let begin = a.i[r];
            let end = a.i[r + 1];
            let max_off = (begin..end).filter(|&k| a.j[k] != r).map(|k| -a.data[k]).fold(0.0, f64::max);
            for k in begin..end {
                s[k] = a.j[k] != r && -a.data[k] >= theta * max_off && max_off > 0.0;
            }
        }
        s
    }

    pub fn pmis(a: &CsrMatrix, strong: &[bool], noise: &[f64]) -> (Vec<Point>, usize) {
        let n = a.rows;
        let mut state = vec![Point::Undecided; n];
        let mut measure = vec![0.0; n];
        #[omp::target]
        for r in 0..n {
            measure[r] = noise[r] + a.row(r).filter(|&k| strong[k]).count() as f64;
        }
        let mut rounds = 0;
        loop {
            let old = state.clone();
            let mut left = 0usize;
            #[omp::target(reduction(+: left))]
            for r in 0..n {
                if old[r] != Point::Undecided {
                    continue;
                }
                let mut best = true;
                let mut beside_coarse = false;
                for k in a.row(r) {
                    let c = a.j[k];
                    if c == r || !strong[k] { continue; }
                    match old[c] {
                        Point::Coarse => { beside_coarse = true; break; }
                        Point::Undecided if measure[c] > measure[r] => best = false,
                        _ => {}
                    }
                }
                state[r] = if beside_coarse { Point::Fine } else if best { Point::Coarse } else { left += 1; Point::Undecided };
            }
            rounds += 1;
            if left == 0 || rounds > n { break; }
        }
        (state, rounds)
    }

    pub fn relax(a: &CsrMatrix, f: &[f64], u: &mut Vec<f64>, points: &[Point], which: Point, weight: f64) {
        let temp = u.to_vec();
        #[omp::target]
        for r in 0..a.rows {
            if points[r] == which && a.data[a.i[r]] != 0.0 {
                let mut res = f[r];
                for jj in a.i[r] + 1..a.i[r + 1] {
                    res -= a.data[jj] * temp[a.j[jj]];
                }
                u[r] = (1.0 - weight) * temp[r] + weight * res / a.data[a.i[r]];
            }
        }
    }

    fn laplacian(n: usize) -> CsrMatrix {
        let mut a = CsrMatrix { rows: n * n, i: vec![0], j: vec![], data: vec![] };
        for r in 0..n * n {
            let (y, x) = (r / n, r % n);
            let mut put = |c: usize, v: f64| { a.j.push(c); a.data.push(v); };
            put(r, 4.2);
            if y > 0 { put(r - n, -1.0) }
            if x > 0 { put(r - 1, -0.3) }
            if x + 1 < n { put(r + 1, -0.3) }
            if y + 1 < n { put(r + n, -1.0) }
            a.i.push(a.j.len());
        }
        a
    }

    pub fn run() -> (Vec<u8>, usize, Vec<f64>) {
        let a = laplacian(9);
        let mut v = Values(4);
        let noise: Vec<f64> = (0..a.rows).map(|_| v.bits() as f64 / u32::MAX as f64).collect();
        let strong = strength(&a, 0.25);
        let (points, rounds) = pmis(&a, &strong, &noise);
        let f = vec![1.0; a.rows];
        let mut u = vec![0.0; a.rows];
        for _ in 0..3 {
            for which in [Point::Coarse, Point::Fine] {
                relax(&a, &f, &mut u, &points, which, 0.8);
            }
        }
        (points.iter().map(|&p| p as u8).collect(), rounds, u)
    }
}
port!(amg_setup: run());
