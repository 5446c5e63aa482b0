//! SSOR sweeps over 5x5 blocks as in NAS LU: the lower and the upper triangle by planes i + j + k = l.
use omp_tests::twice;

twice! {
    type Vec5 = [f64; 5];
    type Mat5 = [[f64; 5]; 5];

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Mesh {
        pub nx: usize,
        pub ny: usize,
        pub nz: usize,
        pub dt: f64,
        pub omega: f64,
    }

    #[omp::declare_target]
    impl Mesh {
        fn at(&self, i: usize, j: usize, k: usize) -> usize {
            (k * self.ny + j) * self.nx + i
        }
        fn stride(&self, axis: usize) -> usize {
            match axis {
                0 => 1,
                1 => self.nx,
                _ => self.nx * self.ny,
            }
        }
    }

    /// The convective Jacobian of one direction with some viscosity on its diagonal.
    #[omp::declare_target]
    fn jacobian(u: &Vec5, axis: usize, dt: f64, sign: f64) -> Mat5 {
        let mut a = [[0.0; 5]; 5];
        let inv = 1.0 / u[0];
        let q = u[axis + 1] * inv;
        a[0][axis + 1] = 1.0;
        for m in 1..4 {
            a[m][0] = -u[m] * inv * q;
            a[m][m] = q;
            a[m][axis + 1] += u[m] * inv;
        }
        a[4][4] = 1.4 * q;
        a[4][axis + 1] += 0.4 * u[4] * inv;
        for (m, row) in a.iter_mut().enumerate() {
            for v in row.iter_mut() {
                *v *= 0.5 * sign * dt;
            }
            row[m] -= 0.75 * dt;
        }
        a
    }

    #[omp::declare_target]
    fn subtract_product(a: &Mat5, x: &Vec5, scale: f64, y: &mut Vec5) {
        for (row, yi) in a.iter().zip(y.iter_mut()) {
            *yi -= scale * row.iter().zip(x.iter()).map(|(p, q)| p * q).sum::<f64>();
        }
    }

    /// Gaussian elimination without pivots: the blocks are diagonally dominant.
    #[omp::declare_target]
    fn solve(mut a: Mat5, mut b: Vec5) -> Vec5 {
        for p in 0..5 {
            let inv = 1.0 / a[p][p];
            for r in p + 1..5 {
                let f = a[r][p] * inv;
                for c in p..5 {
                    a[r][c] -= f * a[p][c];
                }
                b[r] -= f * b[p];
            }
        }
        for p in (0..5).rev() {
            let mut s = b[p];
            for c in p + 1..5 {
                s -= a[p][c] * b[c];
            }
            b[p] = s / a[p][p];
        }
        b
    }

    #[omp::declare_target]
    fn diagonal(u: &Vec5, dt: f64) -> Mat5 {
        let mut d = [[0.0; 5]; 5];
        for m in 0..5 {
            d[m][m] = 1.0 + 4.5 * dt;
            d[m][0] += 0.05 * dt * u[m];
        }
        d
    }

    pub fn ssor(mesh: Mesh, u: &[Vec5], rsd: &mut [Vec5]) {
        let Mesh { nx, ny, nz, dt, omega } = mesh;
        let last = (nx - 2) + (ny - 2) + (nz - 2);
        for l in 3..=last {
            #[omp::target(collapse(2), map(to: u), map(tofrom: rsd))]
            for k in 1..nz - 1 {
                for j in 1..ny - 1 {
                    let Some(i) = l.checked_sub(j + k) else { continue };
                    if i == 0 || i >= nx - 1 {
                        continue;
                    }
                    let c = mesh.at(i, j, k);
                    let mut v = rsd[c];
                    for axis in 0..3 {
                        let n = c - mesh.stride(axis);
                        let a = jacobian(&u[n], axis, dt, -1.0);
                        subtract_product(&a, &rsd[n], omega, &mut v);
                    }
                    rsd[c] = solve(diagonal(&u[c], dt), v);
                }
            }
        }
        for l in (3..=last).rev() {
            #[omp::target(collapse(2), map(to: u), map(tofrom: rsd))]
            for k in 1..nz - 1 {
                for j in 1..ny - 1 {
                    let Some(i) = l.checked_sub(j + k) else { continue };
                    if i == 0 || i >= nx - 1 {
                        continue;
                    }
                    let c = mesh.at(i, j, k);
                    let mut sum = [0.0; 5];
                    for axis in 0..3 {
                        let n = c + mesh.stride(axis);
                        subtract_product(&jacobian(&u[n], axis, dt, 1.0), &rsd[n], -omega, &mut sum);
                    }
                    let t = solve(diagonal(&u[c], dt), sum);
                    for m in 0..5 {
                        rsd[c][m] -= t[m];
                    }
                }
            }
        }
    }
}

port!(lu_ssor: crate::Shown::of({
    let (nx, ny, nz) = (11, 9, 8);
    let u: Vec<[f64; 5]> = (0..nx * ny * nz)
        .map(|c| {
            let s = (c * 29 % 41) as f64 / 41.0;
            [1.0 + 0.2 * s, 0.3 * s, 0.2 - 0.1 * s, 0.1 * s * s, 2.0 + s]
        })
        .collect();
    let mut rsd: Vec<[f64; 5]> = (0..u.len()).map(|c| std::array::from_fn(|q| ((c * 5 + q) % 17) as f64 / 17.0 - 0.4)).collect();
    for _ in 0..2 {
        ssor(Mesh { nx, ny, nz, dt: 0.4, omega: 1.2 }, &u, &mut rsd);
    }
    rsd.iter().flatten().map(|v| (v * 1e8).round() as i64).collect::<Vec<_>>()
}));
