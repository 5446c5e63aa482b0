//! GROMACS SETTLE and SHAKE: bond constraints of molecules by iteration, with their virial.
use omp_tests::{Values, twice};
twice! {
    type Real = f64;
    type Rvec = [Real; 3];

    #[omp::declare_target]
    fn rvec_sub(a: &Rvec, b: &Rvec, out: &mut Rvec) {
        for d in 0..3 {
            out[d] = a[d] - b[d];
        }
    }
    #[omp::declare_target]
    fn iprod(a: &Rvec, b: &Rvec) -> Real { a[0] * b[0] + a[1] * b[1] + a[2] * b[2] }
    #[omp::declare_target]
    fn norm2(a: &Rvec) -> Real { iprod(a, a) }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Constraint { pub i: usize, pub j: usize, pub length: Real }

    pub const WATER: [Constraint; 3] = [
        Constraint { i: 0, j: 1, length: 0.1 },
        Constraint { i: 0, j: 2, length: 0.1 },
        Constraint { i: 1, j: 2, length: 0.1633 },
    ];

    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    pub enum Status { Converged, TooMany, Degenerate }

    #[omp::declare_target]
    fn shake(old: &[Rvec], new: &mut [Rvec], inv_mass: &[Real; 3], virial: &mut [[Real; 3]; 3]) -> (Status, u32) {
        let mut r_old = [[0.0; 3]; 3];
        for (r, c) in r_old.iter_mut().zip(&WATER) {
            rvec_sub(&old[c.i], &old[c.j], r);
        }
        for iteration in 0..100 {
            let mut done = true;
            for (c, r) in WATER.iter().zip(&r_old) {
                let mut rij = [0.0; 3];
                rvec_sub(&new[c.i], &new[c.j], &mut rij);
                let diff = c.length.powi(2) - norm2(&rij);
                if diff.abs() <= 1e-10 * c.length * c.length {
                    continue;
                }
                done = false;
                let dot = iprod(&rij, r);
                if dot < 1e-6 {
                    return (Status::Degenerate, iteration);
                }
                let g = diff / (2.0 * dot * (inv_mass[c.i] + inv_mass[c.j]));
                for d in 0..3 {
                    new[c.i][d] += g * inv_mass[c.i] * r[d];
                    new[c.j][d] -= g * inv_mass[c.j] * r[d];
                    for e in 0..3 {
                        virial[d][e] -= g * r[d] * r[e];
                    }
                }
            }
            if done {
                return (Status::Converged, iteration);
            }
        }
        (Status::TooMany, 100)
    }

    pub fn constrain(old: &[Rvec], new: &mut [Rvec], virial: &mut [[Real; 3]; 3]) -> (Vec<Status>, u32) {
        let molecules = old.len() / 3;
        let mut status = vec![Status::Converged; molecules];
        let mut iterations = 0;
        let inv_mass = [16.0, 1.0, 1.0].map(|m: Real| m.recip());
        #[omp::target(reduction(max: iterations), reduction(+: virial))]
        for m in 0..molecules {
            let range = 3 * m..3 * m + 3;
            let mut part = [[0.0; 3]; 3];
            let (s, n) = shake(&old[range.clone()], &mut new[range], &inv_mass, &mut part);
            status[m] = s;
            iterations = iterations.max(n);
            for (row, p) in virial.iter_mut().zip(&part) {
                for (v, p) in row.iter_mut().zip(p) {
                    *v += p;
                }
            }
        }
        (status, iterations)
    }

    pub fn run() -> (Vec<[f64; 3]>, Vec<[f64; 3]>, usize, u32) {
        let mut v = Values(60);
        let mut old = vec![];
        for m in 0..20 {
            let x = m as f64 * 0.3;
            old.extend([[x, 0.0, 0.0], [x + 0.08165, 0.05773, 0.0], [x - 0.08165, 0.05773, 0.0]]);
        }
        let mut new: Vec<Rvec> = old.iter().map(|p| p.map(|c| c + 0.01 * (v.unit() - 0.5))).collect();
        let mut virial = [[0.0; 3]; 3];
        let (status, n) = constrain(&old, &mut new, &mut virial);
        (new, virial.to_vec(), status.iter().filter(|s| **s == Status::Converged).count(), n)
    }
}
port!(shake_water: run());
