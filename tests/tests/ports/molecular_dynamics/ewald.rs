//! Ewald sums: real space with a cutoff, reciprocal structure factors, charges spread by B-splines.
use omp_tests::{Values, twice};
twice! {
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Atom { pub pos: [f64; 3], pub charge: f64 }

    #[derive(Clone, Copy, Debug)]
    pub struct Ewald { pub alpha: f64, pub cutoff: f64, pub kmax: i32, pub side: f64 }

    #[omp::declare_target]
    fn minimum_image(mut d: [f64; 3], side: f64) -> [f64; 3] {
        for x in &mut d {
            *x -= side * (*x / side).round();
        }
        d
    }

    #[omp::declare_target]
    fn erfc(x: f64) -> f64 {
        let t = 1.0 / (1.0 + 0.3275911 * x);
        const A: [f64; 5] = [0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429];
        A.iter().rev().fold(0.0, |acc, a| (acc + a) * t) * (-x * x).exp()
    }

    impl Ewald {
        pub fn real(&self, atoms: &[Atom], force: &mut [[f64; 3]]) -> f64 {
            let &Ewald { alpha, cutoff, side, .. } = self;
            let two_over_sqrt_pi = std::f64::consts::FRAC_2_SQRT_PI;
            let mut energy = 0.0;
            #[omp::target(reduction(+: energy))]
            for (i, f) in force.iter_mut().enumerate() {
                let a = &atoms[i];
                let mut total = [0.0; 3];
                for (j, b) in atoms.iter().enumerate() {
                    if i == j {
                        continue;
                    }
                    let d = minimum_image(std::array::from_fn(|k| a.pos[k] - b.pos[k]), side);
                    let r2 = d.iter().map(|x| x * x).sum::<f64>();
                    if r2 > cutoff * cutoff {
                        continue;
                    }
                    let r = r2.sqrt();
                    let qq = a.charge * b.charge;
                    let e = qq * erfc(alpha * r) / r;
                    energy += 0.5 * e;
                    let scale = (e + qq * two_over_sqrt_pi * alpha * (-alpha * alpha * r2).exp()) / r2;
                    for k in 0..3 {
                        total[k] += scale * d[k];
                    }
                }
                *f = total;
            }
            energy
        }

        pub fn reciprocal(&self, atoms: &[Atom]) -> f64 {
            let kmax = self.kmax;
            let unit = std::f64::consts::TAU / self.side;
            let volume = self.side.powi(3);
            let alpha = self.alpha;
            let mut energy = 0.0;
            #[omp::target(collapse(3), reduction(+: energy))]
            for kx in -kmax..=kmax {
                for ky in -kmax..=kmax {
                    for kz in -kmax..=kmax {
                        if (kx, ky, kz) == (0, 0, 0) {
                            continue;
                        }
                        let k = [kx, ky, kz].map(|c| c as f64 * unit);
                        let k2: f64 = k.iter().map(|c| c.powi(2)).sum();
                        let (mut re, mut im) = (0.0, 0.0);
                        for atom in atoms {
                            let phase: f64 = k.iter().zip(atom.pos.iter()).map(|(a, b)| a * b).sum();
                            let (s, c) = phase.sin_cos();
                            re += atom.charge * c;
                            im += atom.charge * s;
                        }
                        energy += std::f64::consts::TAU / volume / k2 * (-k2 / (4.0 * alpha * alpha)).exp() * (re * re + im * im);
                    }
                }
            }
            energy
        }
    }

    #[omp::declare_target]
    fn bspline4(u: f64) -> [f64; 4] {
        let v = 1.0 - u;
        [v * v * v / 6.0, (3.0 * u * u * u - 6.0 * u * u + 4.0) / 6.0, (3.0 * v * v * v - 6.0 * v * v + 4.0) / 6.0, u * u * u / 6.0]
    }

    pub fn spread(atoms: &[Atom], n: usize, side: f64) -> Vec<f64> {
        let mut grid = vec![0.0; n * n * n];
        #[omp::target]
        for Atom { pos, charge } in atoms {
            let mut base = [0usize; 3];
            let mut w = [[0.0; 4]; 3];
            for d in 0..3 {
                let s = pos[d] / side * n as f64;
                base[d] = s as usize;
                w[d] = bspline4(s.fract());
            }
            for (i, wx) in w[0].iter().enumerate() {
                for (j, wy) in w[1].iter().enumerate() {
                    for (k, wz) in w[2].iter().enumerate() {
                        let cell = ((base[0] + i) % n * n + (base[1] + j) % n) * n + (base[2] + k) % n;
                        #[omp::atomic]
                        grid[cell] += charge * wx * wy * wz;
                    }
                }
            }
        }
        grid
    }

    pub fn run() -> (Vec<f64>, Vec<[f64; 3]>, Vec<f64>) {
        let mut v = Values(17);
        let side = 5.0;
        let atoms: Vec<Atom> = (0..20).map(|i| Atom { pos: std::array::from_fn(|_| (v.bits() % 1000) as f64 / 1000.0 * side), charge: if i % 2 == 0 { 1.0 } else { -1.0 } }).collect();
        let e = Ewald { alpha: 0.9, cutoff: 2.4, kmax: 3, side };
        let mut force = vec![[0.0; 3]; 20];
        let real = e.real(&atoms, &mut force);
        (vec![real, e.reciprocal(&atoms)], force, spread(&atoms, 6, side))
    }
}
port!(ewald: run());
