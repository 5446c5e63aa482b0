//! NAS BT: block-tridiagonal solves with blocks of five by five.
use omp_tests::{Values, twice};

twice! {
    type Block = [[f64; 5]; 5];
    type Vec5 = [f64; 5];

    #[omp::declare_target]
    fn matvec_sub(a: &Block, x: &Vec5, b: &mut Vec5) {
        for i in 0..5 {
            for j in 0..5 {
                b[i] -= a[i][j] * x[j];
            }
        }
    }

    #[omp::declare_target]
    fn matmul_sub(a: &Block, b: &Block, c: &mut Block) {
        for i in 0..5 {
            for j in 0..5 {
                let mut s = 0.0;
                for k in 0..5 {
                    s += a[i][k] * b[k][j];
                }
                c[i][j] -= s;
            }
        }
    }

    #[omp::declare_target]
    fn binvcrhs(lhs: &mut Block, c: &mut Block, r: &mut Vec5) {
        for p in 0..5 {
            let pivot = 1.0 / lhs[p][p];
            for j in p + 1..5 {
                lhs[p][j] *= pivot;
            }
            for j in 0..5 {
                c[p][j] *= pivot;
            }
            r[p] *= pivot;
            for i in 0..5 {
                if i == p { continue; }
                let coeff = lhs[i][p];
                for j in p + 1..5 {
                    lhs[i][j] -= coeff * lhs[p][j];
                }
                for j in 0..5 {
                    c[i][j] -= coeff * c[p][j];
                }
                r[i] -= coeff * r[p];
            }
        }
    }

    pub struct Line { aa: Vec<Block>, bb: Vec<Block>, cc: Vec<Block> }

    pub fn x_solve(lhs: &mut Line, rhs: &mut [Vec5], lines: usize, isize: usize) {
        let Line { aa, bb, cc } = lhs;
        #[omp::target]
        for l in 0..lines {
            let base = l * isize;
            binvcrhs(&mut bb[base], &mut cc[base], &mut rhs[base]);
            for i in 1..isize {
                let (prev, cur) = (base + i - 1, base + i);
                let x = rhs[prev];
                matvec_sub(&aa[cur], &x, &mut rhs[cur]);
                matmul_sub(&aa[cur], &cc[prev], &mut bb[cur]);
                binvcrhs(&mut bb[cur], &mut cc[cur], &mut rhs[cur]);
            }
            for i in (0..isize - 1).rev() {
                for m in 0..5 {
                    for n in 0..5 {
                        rhs[base + i][m] -= cc[base + i][m][n] * rhs[base + i + 1][n];
                    }
                }
            }
        }
    }

    pub fn run() -> Vec<Vec5> {
        let (lines, isize) = (7, 6);
        let mut v = Values(3);
        let mut block = |diagonal: f64| -> Block {
            std::array::from_fn(|i| std::array::from_fn(|j| v.bits() as f64 / 4e9 + if i == j { diagonal } else { 0.0 }))
        };
        let total = lines * isize;
        let mut lhs = Line {
            aa: (0..total).map(|_| block(0.0)).collect(),
            bb: (0..total).map(|_| block(12.0)).collect(),
            cc: (0..total).map(|_| block(0.0)).collect(),
        };
        let mut rhs: Vec<Vec5> = (0..total).map(|k| [1.0, 2.0, k as f64, 0.5, -1.0]).collect();
        x_solve(&mut lhs, &mut rhs, lines, isize);
        rhs
    }
}
port!(nas_bt: run());
