//! Partially assembled diffusion operator on hexahedra by sum factorisation (CEED bake-off style).
use omp_tests::twice;

twice! {
    /// One-dimensional basis values and derivatives at the quadrature points.
    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Basis<const D: usize, const Q: usize> {
        pub b: [[f64; D]; Q],
        pub g: [[f64; D]; Q],
    }

    impl<const D: usize, const Q: usize> Basis<D, Q> {
        /// Lagrange polynomials on equispaced nodes, sampled at the midpoints of `Q` equal cells.
        pub fn lagrange() -> Self {
            let node = |i: usize| i as f64 / (D - 1) as f64;
            let mut basis = Basis { b: [[0.0; D]; Q], g: [[0.0; D]; Q] };
            for q in 0..Q {
                let x = (q as f64 + 0.5) / Q as f64;
                for i in 0..D {
                    let factor = |j: usize| (x - node(j)) / (node(i) - node(j));
                    basis.b[q][i] = (0..D).filter(|&j| j != i).map(factor).product();
                    basis.g[q][i] = (0..D)
                        .filter(|&k| k != i)
                        .map(|k| {
                            let rest: f64 = (0..D).filter(|&j| j != i && j != k).map(factor).product();
                            rest / (node(i) - node(k))
                        })
                        .sum();
                }
            }
            basis
        }
    }

    /// Symmetric 3x3 coefficient (upper triangle, row by row) times a gradient.
    #[omp::declare_target]
    fn sym_mul([xx, xy, xz, yy, yz, zz]: [f64; 6], [gx, gy, gz]: [f64; 3]) -> [f64; 3] {
        [
            xx * gx + xy * gy + xz * gz,
            xy * gx + yy * gy + yz * gz,
            xz * gx + yz * gy + zz * gz,
        ]
    }

    pub fn apply<const D: usize, const Q: usize>(
        basis: &Basis<D, Q>,
        qdata: &[[f64; 6]],
        x: &[f64],
        y: &mut [f64],
    ) {
        let (ndof, nquad) = (D * D * D, Q * Q * Q);
        #[omp::target]
        for (e, (xe, ye)) in x.chunks_exact(ndof).zip(y.chunks_exact_mut(ndof)).enumerate() {
            let coeff = &qdata[e * nquad..][..nquad];
            let mut grad = [[[[0.0; 3]; Q]; Q]; Q];

            for dz in 0..D {
                let mut plane = [[[0.0; 3]; Q]; Q];
                for dy in 0..D {
                    let row = &xe[D * (dy + D * dz)..][..D];
                    let mut line = [(0.0, 0.0); Q];
                    for (qx, (val, der)) in line.iter_mut().enumerate() {
                        for (dx, &u) in row.iter().enumerate() {
                            *val += u * basis.b[qx][dx];
                            *der += u * basis.g[qx][dx];
                        }
                    }
                    for qy in 0..Q {
                        let (by, gy) = (basis.b[qy][dy], basis.g[qy][dy]);
                        for (p, &(val, der)) in plane[qy].iter_mut().zip(&line) {
                            p[0] += der * by;
                            p[1] += val * gy;
                            p[2] += val * by;
                        }
                    }
                }
                for qz in 0..Q {
                    let (bz, gz) = (basis.b[qz][dz], basis.g[qz][dz]);
                    for qy in 0..Q {
                        for qx in 0..Q {
                            let [px, py, pz] = plane[qy][qx];
                            let g = &mut grad[qz][qy][qx];
                            g[0] += px * bz;
                            g[1] += py * bz;
                            g[2] += pz * gz;
                        }
                    }
                }
            }

            for (g, c) in grad.iter_mut().flatten().flatten().zip(coeff) {
                *g = sym_mul(*c, *g);
            }

            // Transposed contraction, z first.
            for dz in 0..D {
                let mut plane = [[[0.0; 3]; Q]; Q];
                for (qz, slab) in grad.iter().enumerate() {
                    let w = [basis.b[qz][dz], basis.b[qz][dz], basis.g[qz][dz]];
                    for (p, s) in plane.iter_mut().flatten().zip(slab.iter().flatten()) {
                        for c in 0..3 {
                            p[c] += s[c] * w[c];
                        }
                    }
                }
                for dy in 0..D {
                    for dx in 0..D {
                        let mut acc = 0.0;
                        for (qy, row) in plane.iter().enumerate() {
                            let (by, gy) = (basis.b[qy][dy], basis.g[qy][dy]);
                            for (qx, &[px, py, pz]) in row.iter().enumerate() {
                                acc += px * by * basis.g[qx][dx] + (py * gy + pz * by) * basis.b[qx][dx];
                            }
                        }
                        ye[dx + D * (dy + D * dz)] += acc;
                    }
                }
            }
        }
    }
}
port!(mfem_sum_factorisation: crate::Shown::of({
    let basis = Basis::<3, 4>::lagrange();
    let elements = 10;
    let qdata: Vec<[f64; 6]> = (0..elements * 64)
        .map(|i| {
            let w = 1.0 + (i % 7) as f64 / 8.0;
            [2.0 * w, 0.1, 0.25 * w, 1.5, -0.125, w]
        })
        .collect();
    let x: Vec<f64> = (0..elements * 27).map(|i| ((i * 37) % 101) as f64 / 50.0 - 1.0).collect();
    let mut y = vec![0.5; x.len()];
    apply(&basis, &qdata, &x, &mut y);
    y.iter().map(|v| (v * 1e6).round() as i64).collect::<Vec<_>>()
}));
