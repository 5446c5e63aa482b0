//! SPEC swim: shallow water on a staggered periodic grid.
use omp_tests::twice;

twice! {
    #[derive(Clone, omp::Mapper)]
    pub struct Array2 { m: usize, n: usize, v: Vec<f64> }

    #[omp::declare_target]
    impl std::ops::Index<[usize; 2]> for Array2 {
        type Output = f64;
        fn index(&self, [i, j]: [usize; 2]) -> &f64 { &self.v[i * self.n + j] }
    }

    #[omp::declare_target]
    impl std::ops::IndexMut<[usize; 2]> for Array2 {
        fn index_mut(&mut self, [i, j]: [usize; 2]) -> &mut f64 { &mut self.v[i * self.n + j] }
    }

    impl Array2 {
        fn zeros(m: usize, n: usize) -> Self { Self { m, n, v: vec![0.0; m * n] } }
    }

    #[derive(omp::Mapper)]
    pub struct State { u: Array2, v: Array2, p: Array2 }

    impl State {
        fn new(m: usize, n: usize) -> Self {
            Self { u: Array2::zeros(m + 1, n + 1), v: Array2::zeros(m + 1, n + 1), p: Array2::zeros(m + 1, n + 1) }
        }
    }

    fn periodic(a: &mut Array2) {
        let (m, n) = (a.m - 1, a.n - 1);
        #[omp::target]
        for j in 0..n {
            a[[m, j]] = a[[0, j]];
        }
        #[omp::target]
        for i in 0..=m {
            a[[i, n]] = a[[i, 0]];
        }
    }

    fn calc1(s: &State, cu: &mut Array2, cv: &mut Array2, z: &mut Array2, h: &mut Array2, (fsdx, fsdy): (f64, f64)) {
        let m = s.p.m - 1;
        let n = s.p.n - 1;
        #[omp::target(collapse(2))]
        for i in 0..m {
            for j in 0..n {
                cu[[i + 1, j]] = 0.5 * (s.p[[i + 1, j]] + s.p[[i, j]]) * s.u[[i + 1, j]];
                cv[[i, j + 1]] = 0.5 * (s.p[[i, j + 1]] + s.p[[i, j]]) * s.v[[i, j + 1]];
                z[[i + 1, j + 1]] = (fsdx * (s.v[[i + 1, j + 1]] - s.v[[i, j + 1]]) - fsdy * (s.u[[i + 1, j + 1]] - s.u[[i + 1, j]]))
                    / (s.p[[i, j]] + s.p[[i + 1, j]] + s.p[[i + 1, j + 1]] + s.p[[i, j + 1]]);
                h[[i, j]] = s.p[[i, j]]
                    + 0.25 * (s.u[[i + 1, j]].powi(2) + s.u[[i, j]].powi(2) + s.v[[i, j + 1]].powi(2) + s.v[[i, j]].powi(2));
            }
        }
    }

    fn calc2(s: &State, old: &State, new: &mut State, cu: &Array2, cv: &Array2, z: &Array2, h: &Array2, dt: f64) {
        let (m, n) = (s.p.m - 1, s.p.n - 1);
        let tdts8 = dt / 8.0;
        let tdtsd = dt / 1e5;
        #[omp::target(collapse(2))]
        for i in 0..m {
            for j in 0..n {
                new.u[[i + 1, j]] = old.u[[i + 1, j]]
                    + tdts8 * (z[[i + 1, j + 1]] + z[[i + 1, j]]) * (cv[[i + 1, j + 1]] + cv[[i, j + 1]] + cv[[i, j]] + cv[[i + 1, j]])
                    - tdtsd * (h[[i + 1, j]] - h[[i, j]]);
                new.v[[i, j + 1]] = old.v[[i, j + 1]]
                    - tdts8 * (z[[i + 1, j + 1]] + z[[i, j + 1]]) * (cu[[i + 1, j + 1]] + cu[[i, j + 1]] + cu[[i, j]] + cu[[i + 1, j]])
                    - tdtsd * (h[[i, j + 1]] - h[[i, j]]);
                new.p[[i, j]] = old.p[[i, j]] - tdtsd * (cu[[i + 1, j]] - cu[[i, j]]) - tdtsd * (cv[[i, j + 1]] - cv[[i, j]]);
            }
        }
    }

    fn checksum(s: &State) -> (f64, f64, f64) {
        let (mut pcheck, mut ucheck, mut vcheck) = (0.0, 0.0, 0.0);
        #[omp::target(reduction(+: pcheck, ucheck, vcheck))]
        for i in 0..s.p.v.len() {
            pcheck += s.p.v[i].abs();
            ucheck += s.u.v[i].abs();
            vcheck += s.v.v[i].abs();
        }
        (pcheck, ucheck, vcheck)
    }

    pub fn run() -> (Vec<f64>, (f64, f64, f64)) {
        let (m, n) = (10, 13);
        let mut old = State::new(m, n);
        for i in 0..=m {
            for j in 0..=n {
                let (x, y) = (i as f64 * std::f64::consts::TAU / m as f64, j as f64 * std::f64::consts::TAU / n as f64);
                old.p[[i, j]] = 5e4 + 300.0 * (2.0 * x).cos() + 300.0 * (2.0 * y).cos();
                old.u[[i, j]] = 10.0 * x.sin() * y.cos();
                old.v[[i, j]] = 10.0 * x.cos() * y.sin();
            }
        }
        let mut cur = State { u: old.u.clone(), v: old.v.clone(), p: old.p.clone() };
        for _ in 0..3 {
            let mut new = State::new(m, n);
            let [mut cu, mut cv, mut z, mut h] = std::array::from_fn(|_| Array2::zeros(m + 1, n + 1));
            calc1(&cur, &mut cu, &mut cv, &mut z, &mut h, (4e-5, 4e-5));
            for a in [&mut cu, &mut cv, &mut z, &mut h] {
                periodic(a);
            }
            calc2(&cur, &old, &mut new, &cu, &cv, &z, &h, 90.0);
            periodic(&mut new.u);
            periodic(&mut new.v);
            periodic(&mut new.p);
            old = cur;
            cur = new;
        }
        let sums = checksum(&cur);
        (cur.p.v, sums)
    }
}
port!(swim: run());
