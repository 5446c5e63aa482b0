//! Conjugate gradients over sparse formats: CSR, ELL, COO, blocks; and halves of one work buffer.
use omp_tests::twice;

twice! {
    pub struct Csr { row_ptr: Vec<usize>, col: Vec<u32>, val: Vec<f64> }

    pub fn spmv(y: &mut [f64], a: &Csr, x: &[f64]) {
        let Csr { row_ptr, col, val } = a;
        #[omp::target]
        for (row, y) in y.iter_mut().enumerate() {
            let range = row_ptr[row]..row_ptr[row + 1];
            *y = col[range.clone()].iter().zip(&val[range]).map(|(&c, v)| v * x[c as usize]).sum();
        }
    }

    pub fn spmv_ell(y: &mut [f64], col: &[i32], val: &[f64], width: usize, x: &[f64]) {
        let n = y.len();
        #[omp::target]
        for r in 0..n {
            y[r] = (0..width)
                .map(|k| k * n + r)
                .take_while(|&at| col[at] >= 0)
                .map(|at| val[at] * x[col[at] as usize])
                .sum();
        }
    }

    pub fn spmv_bsr<const B: usize>(y: &mut [[f64; B]], ptr: &[usize], col: &[usize], blocks: &[[[f64; B]; B]], x: &[[f64; B]]) {
        #[omp::target]
        for (i, y) in y.iter_mut().enumerate() {
            let mut acc = [0.0; B];
            for k in ptr[i]..ptr[i + 1] {
                let xs = &x[col[k]];
                for (a, row) in acc.iter_mut().zip(&blocks[k]) {
                    *a += row.iter().zip(xs).map(|(m, v)| m * v).sum::<f64>();
                }
            }
            *y = acc;
        }
    }

    pub fn dot(a: &[f64], b: &[f64]) -> f64 {
        let mut sum = 0.0;
        #[omp::target(reduction(+: sum))]
        for (a, b) in a.iter().zip(b) {
            sum += a * b;
        }
        sum
    }

    pub fn axpy(y: &mut [f64], a: f64, x: &[f64]) {
        #[omp::target]
        for (y, x) in y.iter_mut().zip(x) {
            *y += a * x;
        }
    }

    pub fn solve(a: &Csr, b: &[f64], steps: usize) -> Vec<f64> {
        let n = b.len();
        let mut work = vec![0.0; 3 * n];
        let (r, rest) = work.split_at_mut(n);
        let (p, q) = rest.split_at_mut(n);
        let mut x = vec![0.0; n];
        r.copy_from_slice(b);
        p.copy_from_slice(b);
        let mut rho = dot(r, r);
        for _ in 0..steps {
            spmv(q, a, p);
            let alpha = rho / dot(p, q);
            axpy(&mut x, alpha, p);
            axpy(r, -alpha, q);
            let next = dot(r, r);
            let beta = next / rho;
            #[omp::target]
            for i in 0..n {
                p[i] = r[i] + beta * p[i];
            }
            rho = next;
            if rho.sqrt() < 1e-10 {
                break;
            }
        }
        x
    }

    pub fn run() -> (Vec<f64>, Vec<f64>, Vec<[f64; 2]>) {
        let n = 40usize;
        let (mut row_ptr, mut col, mut val) = (vec![0], vec![], vec![]);
        for i in 0..n as usize {
            for (j, v) in [(i.wrapping_sub(1), -1.0), (i, 2.5), (i + 1, -1.0)] {
                if j < n {
                    col.push(j as u32);
                    val.push(v);
                }
            }
            row_ptr.push(col.len());
        }
        let b: Vec<f64> = (0..n).map(|i| (i % 7) as f64).collect();
        let a = Csr { row_ptr, col, val };
        let x = solve(&a, &b, 25);
        let ell_col: Vec<i32> = (0..3 * n).map(|i| if i / n > i % 3 { -1 } else { ((i * 5) % n) as i32 }).collect();
        let ell_val: Vec<f64> = (0..3 * n).map(|i| i as f64).collect();
        let mut y = vec![0.0; n];
        spmv_ell(&mut y, &ell_col, &ell_val, 3, &x);
        let blocks: Vec<[[f64; 2]; 2]> = (0..20).map(|i| [[i as f64, 1.0], [2.0, -(i as f64)]]).collect();
        let v: Vec<[f64; 2]> = (0..10).map(|i| [i as f64, 0.5]).collect();
        let mut z = vec![[0.0; 2]; 10];
        let ptr: Vec<usize> = (0..=10).map(|i| 2 * i).collect();
        let cols: Vec<usize> = (0..20).map(|i| i * 3 % 10).collect();
        spmv_bsr(&mut z, &ptr, &cols, &blocks, &v);
        (x, y, z)
    }
}
port!(conjugate_gradient: run());
