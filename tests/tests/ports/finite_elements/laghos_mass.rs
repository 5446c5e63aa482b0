//! Laghos/MFEM: partially assembled mass operator in 2-D with const generic orders.
use omp_tests::twice;

twice! {
    pub struct Basis<const D1D: usize, const Q1D: usize> {
        b: [[f64; D1D]; Q1D],
    }

    #[omp::offload]
    fn mass_apply<const D1D: usize, const Q1D: usize>(basis: &Basis<D1D, Q1D>, op: &[[[f64; Q1D]; Q1D]], x: &[[[f64; D1D]; D1D]], y: &mut [[[f64; D1D]; D1D]]) {
        let b = &basis.b;
        #[omp::target]
        for (e, ye) in y.iter_mut().enumerate() {
            let mut sol_xy = [[0.0; Q1D]; Q1D];
            for dy in 0..D1D {
                let mut sol_x = [0.0; Q1D];
                for dx in 0..D1D {
                    let s = x[e][dy][dx];
                    for (qx, sol) in sol_x.iter_mut().enumerate() {
                        *sol += b[qx][dx] * s;
                    }
                }
                for qy in 0..Q1D {
                    let d2q = b[qy][dy];
                    for qx in 0..Q1D {
                        sol_xy[qy][qx] += d2q * sol_x[qx];
                    }
                }
            }
            sol_xy.iter_mut().flatten().zip(op[e].iter().flatten()).for_each(|(s, o)| *s *= o);
            for qy in 0..Q1D {
                let mut sol_x = [0.0; D1D];
                for qx in 0..Q1D {
                    let s = sol_xy[qy][qx];
                    for dx in 0..D1D {
                        sol_x[dx] += b[qx][dx] * s;
                    }
                }
                for (dy, row) in ye.iter_mut().enumerate() {
                    let q2d = b[qy][dy];
                    for (v, s) in row.iter_mut().zip(&sol_x) {
                        *v += q2d * s;
                    }
                }
            }
        }
    }

    pub fn run(n: usize) -> Vec<f64> {
        const D: usize = 3;
        const Q: usize = 4;
        let basis = Basis::<D, Q> { b: std::array::from_fn(|q| std::array::from_fn(|d| 0.2 + 0.1 * (q * D + d) as f64)) };
        let op: Vec<[[f64; Q]; Q]> = (0..n).map(|e| std::array::from_fn(|i| std::array::from_fn(|j| 1.0 + ((e + i * j) % 5) as f64))).collect();
        let x: Vec<[[f64; D]; D]> = (0..n).map(|e| std::array::from_fn(|i| std::array::from_fn(|j| ((e * 3 + i + 2 * j) % 7) as f64))).collect();
        let mut y = vec![[[0.5; D]; D]; n];
        mass_apply(&basis, &op, &x, &mut y);
        y.into_iter().flatten().flatten().collect()
    }
}
port!(laghos_mass: (run(0), run(1), run(33)));
