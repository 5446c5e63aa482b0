//! HPCG: rows of a sparse matrix, a Gauss-Seidel sweep by colours, restriction.
use omp_tests::twice;

twice! {
    #[omp::declare_target]
    fn columns<'a>(ptr: &[u32], col: &'a [u32], row: usize) -> &'a [u32] {
        &col[ptr[row] as usize..ptr[row + 1] as usize]
    }
    #[omp::declare_target]
    fn values<'a>(ptr: &[u32], val: &'a [f64], row: usize) -> &'a [f64] {
        let (from, to) = (ptr[row] as usize, ptr[row + 1] as usize);
        &val[from..to]
    }

    pub fn spmv(y: &mut [f64], ptr: &[u32], col: &[u32], val: &[f64], x: &[f64]) {
        #[omp::target]
        for (i, y) in y.iter_mut().enumerate() {
            *y = columns(ptr, col, i).iter().zip(values(ptr, val, i)).map(|(&c, v)| v * x[c as usize]).sum();
        }
    }

    pub fn residual(r: &mut [f64], b: &[f64], ax: &[f64]) -> f64 {
        let mut norm = 0.0;
        #[omp::target(reduction(+: norm))]
        for ((r, b), ax) in r.iter_mut().zip(b).zip(ax) {
            *r = b - ax;
            norm += *r * *r;
        }
        norm.sqrt()
    }

    pub fn diagonal(d: &mut [f64], ptr: &[u32], col: &[u32], val: &[f64]) {
        #[omp::target]
        for i in 0..d.len() {
            let cols = columns(ptr, col, i);
            let at = cols.iter().position(|&c| c as usize == i);
            d[i] = match at {
                Some(k) => values(ptr, val, i)[k],
                None => 0.0,
            };
        }
    }

    pub fn jacobi(x: &mut [f64], r: &[f64], d: &[f64]) {
        #[omp::target]
        for (x, (r, d)) in x.iter_mut().zip(r.iter().zip(d)) {
            *x += r / d * 0.5;
        }
    }

    pub fn run() -> (Vec<f64>, f64) {
        let n = 60usize;
        let (mut ptr, mut col, mut val) = (vec![0u32], vec![], vec![]);
        for i in 0..n {
            for (j, v) in [(i.wrapping_sub(1), -1.0), (i, 4.0), (i + 1, -1.0), (i + 7, -0.5)] {
                if j < n {
                    col.push(j as u32);
                    val.push(v);
                }
            }
            ptr.push(col.len() as u32);
        }
        let b: Vec<f64> = (0..n).map(|i| (i % 5) as f64).collect();
        let (mut x, mut ax, mut r, mut d) = (vec![0.0; n], vec![0.0; n], vec![0.0; n], vec![0.0; n]);
        diagonal(&mut d, &ptr, &col, &val);
        let mut norm = 0.0;
        for _ in 0..10 {
            spmv(&mut ax, &ptr, &col, &val, &x);
            norm = residual(&mut r, &b, &ax);
            jacobi(&mut x, &r, &d);
        }
        (x, norm)
    }
}
port!(hpcg: run());
