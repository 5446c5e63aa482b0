//! NAS SP: scalar pentadiagonal solves along x lines.
use omp_tests::twice;

twice! {
    const IMAX: usize = 12;

    #[derive(Clone, Copy)]
    struct Consts {
        dttx1: f64,
        dttx2: f64,
        c2dttx1: f64,
        comz: [f64; 4],
    }

    #[omp::offload]
    fn x_solve(k: &Consts, rho_i: &[[f64; IMAX]], us: &[[f64; IMAX]], rhs: &mut [[[f64; IMAX]; 3]]) {
        let Consts { dttx1, dttx2, c2dttx1, comz: [comz1, comz4, comz5, comz6] } = *k;
        #[omp::target]
        for (line, r) in rhs.iter_mut().enumerate() {
            let mut cv = [0.0; IMAX];
            let mut rhon = [0.0; IMAX];
            for i in 0..IMAX {
                let ru1 = rho_i[line][i];
                cv[i] = us[line][i];
                rhon[i] = (0.75 + ru1).max(0.5 + 1.4 * ru1).max(0.7 + ru1).max(0.75);
            }
            let mut lhs = [[0.0; 5]; IMAX];
            lhs[0][2] = 1.0;
            lhs[IMAX - 1][2] = 1.0;
            for (i, l) in lhs.iter_mut().enumerate().skip(1).take(IMAX - 2) {
                *l = [0.0, -dttx2 * cv[i - 1] - dttx1 * rhon[i - 1], 1.0 + c2dttx1 * rhon[i], dttx2 * cv[i + 1] - dttx1 * rhon[i + 1], 0.0];
                match i {
                    1 => {
                        l[2] += comz5;
                        l[3] -= comz4;
                        l[4] += comz1;
                    }
                    2 => {
                        l[1] -= comz4;
                        l[2] += comz6;
                        l[3] -= comz4;
                        l[4] += comz1;
                    }
                    i if i < IMAX - 3 => {
                        l[0] += comz1;
                        l[1] -= comz4;
                        l[2] += comz6;
                        l[3] -= comz4;
                        l[4] += comz1;
                    }
                    _ => {
                        l[0] += comz1;
                        l[1] -= comz4;
                        l[2] += comz5;
                    }
                }
            }
            // forward elimination
            for i in 0..IMAX - 2 {
                let (i1, i2) = (i + 1, i + 2);
                let fac = 1.0 / lhs[i][2];
                lhs[i][3] *= fac;
                lhs[i][4] *= fac;
                for m in r.iter_mut() {
                    m[i] *= fac;
                }
                let [_, _, _, d, e] = lhs[i];
                let l = lhs[i1][1];
                lhs[i1][2] -= l * d;
                lhs[i1][3] -= l * e;
                for m in 0..3 {
                    r[m][i1] -= l * r[m][i];
                }
                let l = lhs[i2][0];
                lhs[i2][1] -= l * d;
                lhs[i2][2] -= l * e;
                for m in 0..3 {
                    r[m][i2] -= l * r[m][i];
                }
            }
            let (i, i1) = (IMAX - 2, IMAX - 1);
            let fac = 1.0 / lhs[i][2];
            lhs[i][3] *= fac;
            for m in r.iter_mut() {
                m[i] *= fac;
            }
            let l = lhs[i1][1];
            lhs[i1][2] -= l * lhs[i][3];
            for m in r {
                m[i1] -= l * m[i];
                m[i1] /= lhs[i1][2];
                m[i] -= lhs[i][3] * m[i1];
                for i in (0..IMAX - 2).rev() {
                    m[i] -= lhs[i][3] * m[i + 1] + lhs[i][4] * m[i + 2];
                }
            }
        }
    }

    pub fn run(n: usize) -> Vec<f64> {
        let k = Consts { dttx1: 0.1, dttx2: 0.05, c2dttx1: 0.2, comz: [0.01, 0.04, 0.05, 0.06] };
        let row = |s: usize| -> [f64; IMAX] { std::array::from_fn(|i| 0.5 + ((s * 7 + i * 3) % 11) as f64 * 0.05) };
        let rho: Vec<_> = (0..n).map(row).collect();
        let us: Vec<_> = (0..n).map(|i| row(i + 5)).collect();
        let mut rhs: Vec<[[f64; IMAX]; 3]> = (0..n).map(|i| [row(i), row(i + 1), row(i + 2)]).collect();
        x_solve(&k, &rho, &us, &mut rhs);
        rhs.into_iter().flatten().flatten().collect()
    }
}
port!(nas_sp: (run(0), run(1), run(33)));
