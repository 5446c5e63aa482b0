//! Nekbone: the local stiffness operator of spectral elements; SNAP's sweep over diagonals; miniFE's dot and waxpby.
use omp_tests::twice;

twice! {
    const N: usize = 4;
    type Element = [[[f64; N]; N]; N];

    pub fn ax(w: &mut [Element], u: &[Element], g: &[[Element; 6]], d: &[[f64; N]; N]) {
        #[omp::target]
        for (e, w) in w.iter_mut().enumerate() {
            let u = &u[e];
            let mut grad = [[[[0.0; N]; N]; N]; 3];
            for k in 0..N {
                for j in 0..N {
                    for i in 0..N {
                        let (mut r, mut s, mut t) = (0.0, 0.0, 0.0);
                        for l in 0..N {
                            r += d[i][l] * u[k][j][l];
                            s += d[j][l] * u[k][l][i];
                            t += d[k][l] * u[l][j][i];
                        }
                        let g = |m: usize| g[e][m][k][j][i];
                        grad[0][k][j][i] = g(0) * r + g(1) * s + g(2) * t;
                        grad[1][k][j][i] = g(1) * r + g(3) * s + g(4) * t;
                        grad[2][k][j][i] = g(2) * r + g(4) * s + g(5) * t;
                    }
                }
            }
            for k in 0..N {
                for j in 0..N {
                    for i in 0..N {
                        w[k][j][i] = (0..N).map(|l| d[l][i] * grad[0][k][j][l] + d[l][j] * grad[1][k][l][i] + d[l][k] * grad[2][l][j][i]).sum();
                    }
                }
            }
        }
    }

    pub fn sweep(psi: &mut [f64], source: &[f64], nx: usize, ny: usize, sigma: f64) {
        for diagonal in 0..nx + ny - 1 {
            let first = diagonal.saturating_sub(ny - 1);
            let last = diagonal.min(nx - 1);
            #[omp::target]
            for i in first..=last {
                let j = diagonal - i;
                let west = if i > 0 { psi[j * nx + i - 1] } else { 1.0 };
                let south = if j > 0 { psi[(j - 1) * nx + i] } else { 0.5 };
                psi[j * nx + i] = (source[j * nx + i] + 0.6 * west + 0.4 * south) / (sigma + 1.0);
            }
        }
    }

    pub fn waxpby(alpha: f64, x: &[f64], beta: f64, y: &[f64], w: &mut [f64]) {
        assert!(x.len() == y.len() && y.len() == w.len());
        #[omp::target]
        for (w, (x, y)) in w.iter_mut().zip(x.iter().zip(y)) {
            *w = if beta == 0.0 { alpha * x } else { alpha * x + beta * y };
        }
    }

    pub fn run() -> (Vec<f64>, Vec<f64>) {
        let element = |s: usize| -> Element { std::array::from_fn(|k| std::array::from_fn(|j| std::array::from_fn(|i| ((s + i * 3 + j * 5 + k * 7) % 11) as f64 * 0.1))) };
        let u: Vec<Element> = (0..5).map(element).collect();
        let g: Vec<[Element; 6]> = (0..5).map(|e| std::array::from_fn(|m| element(e * 6 + m))).collect();
        let d: [[f64; N]; N] = std::array::from_fn(|i| std::array::from_fn(|j| i as f64 - 0.5 * j as f64));
        let mut w = vec![element(0); 5];
        ax(&mut w, &u, &g, &d);
        let w: Vec<f64> = w.iter().flatten().flatten().flatten().copied().collect();
        let mut psi = vec![0.0; 9 * 6];
        sweep(&mut psi, &w[..54], 9, 6, 1.5);
        let mut out = vec![0.0; 54];
        waxpby(2.0, &psi, -1.0, &w[54..108], &mut out);
        (w, out)
    }
}
port!(nekbone: run());
