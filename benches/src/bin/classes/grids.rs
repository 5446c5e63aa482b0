//! Updates in place and stencils on grids.
offloaded! {
    fn gauss(n: usize, k: usize, a: &mut [f32]) {
        #[omp::target(collapse(2), map(tofrom: a))]
        for i in k + 1..n {
            for j in k + 1..n {
                a[i * n + j] -= a[i * n + k] * a[k * n + j];
            }
        }
    }
    fn floyd(n: usize, k: usize, d: &mut [f32]) {
        #[omp::target(collapse(2), map(tofrom: d))]
        for i in 0..n {
            for j in 0..n {
                if i != k && j != k {
                    let via = d[i * n + k] + d[k * n + j];
                    if via < d[i * n + j] {
                        d[i * n + j] = via;
                    }
                }
            }
        }
    }
    fn heat_if(n: usize, a: &[f32], b: &mut [f32]) {
        #[omp::target(collapse(2), map(to: a), map(from: b))]
        for i in 0..n {
            for j in 0..n {
                if i > 0 && i < n - 1 && j > 0 && j < n - 1 {
                    b[i * n + j] = 0.25 * (a[i * n + j - 1] + a[i * n + j + 1] + a[(i - 1) * n + j] + a[(i + 1) * n + j]);
                } else {
                    b[i * n + j] = a[i * n + j];
                }
            }
        }
    }
    fn heat_i32(n: i32, a: &[f32], b: &mut [f32]) {
        #[omp::target(collapse(2), map(to: a), map(tofrom: b))]
        for i in 1..n - 1 {
            for j in 1..n - 1 {
                let k = (i * n + j) as usize;
                let w = n as usize;
                b[k] = 0.25 * (a[k - 1] + a[k + 1] + a[k - w] + a[k + w]);
            }
        }
    }
    fn life(n: usize, a: &[u8], b: &mut [u8]) {
        #[omp::target(collapse(2), map(to: a), map(from: b))]
        for i in 0..n {
            for j in 0..n {
                let mut alive = 0;
                for di in 0..3 {
                    for dj in 0..3 {
                        if di != 1 || dj != 1 {
                            alive += a[(i + di + n - 1) % n * n + (j + dj + n - 1) % n];
                        }
                    }
                }
                b[i * n + j] = (alive == 3 || (alive == 2 && a[i * n + j] == 1)) as u8;
            }
        }
    }
    fn fdtd(n: usize, ey: &mut [f32], hz: &[f32]) {
        #[omp::target(collapse(2), map(to: hz), map(tofrom: ey))]
        for i in 1..n {
            for j in 0..n {
                ey[i * n + j] -= 0.5 * (hz[i * n + j] - hz[(i - 1) * n + j]);
            }
        }
    }
    fn three_points(n: usize, a: &[f32], b: &mut [f32]) {
        #[omp::target(map(to: a), map(tofrom: b))]
        for i in 1..n - 1 {
            b[i] = 0.33333 * (a[i - 1] + a[i] + a[i + 1]);
        }
    }
    fn lbm(n: usize, f: &[f32], g: &mut [f32]) {
        const EX: [i32; 9] = [0, 1, 0, -1, 0, 1, -1, -1, 1];
        const EY: [i32; 9] = [0, 0, 1, 0, -1, 1, 1, -1, -1];
        const W: [f32; 9] = [4.0 / 9.0, 1.0 / 9.0, 1.0 / 9.0, 1.0 / 9.0, 1.0 / 9.0, 1.0 / 36.0, 1.0 / 36.0, 1.0 / 36.0, 1.0 / 36.0];
        #[omp::target(collapse(2), map(to: f), map(from: g))]
        for y in 0..n {
            for x in 0..n {
                let mut h = [0.0f32; 9];
                let (mut rho, mut ux, mut uy) = (0.0f32, 0.0f32, 0.0f32);
                for q in 0..9 {
                    let xs = (x as i32 - EX[q] + n as i32) as usize % n;
                    let ys = (y as i32 - EY[q] + n as i32) as usize % n;
                    h[q] = f[q * n * n + ys * n + xs];
                    rho += h[q];
                    ux += EX[q] as f32 * h[q];
                    uy += EY[q] as f32 * h[q];
                }
                ux /= rho;
                uy /= rho;
                let usq = 1.5 * (ux * ux + uy * uy);
                for q in 0..9 {
                    let eu = 3.0 * (EX[q] as f32 * ux + EY[q] as f32 * uy);
                    let eq = W[q] * rho * (1.0 + eu + 0.5 * eu * eu - usq);
                    g[q * n * n + y * n + x] = h[q] - 0.6 * (h[q] - eq);
                }
            }
        }
    }
}
