//! CoMD: Lennard-Jones forces over link cells, with half-stencils written out as loops over the neighbours of a cell.
use omp_tests::{Values, twice};

twice! {
    pub const MAXATOMS: usize = 16;

    pub struct LinkCell {
        pub grid: [i32; 3],
        pub n_atoms: Vec<usize>,
    }

    pub struct Atoms {
        pub r: Vec<[f64; 3]>,
        pub f: Vec<[f64; 3]>,
        pub u: Vec<f64>,
    }

    pub struct LjPotential {
        pub cutoff: f64,
        pub sigma: f64,
        pub epsilon: f64,
    }

    impl LinkCell {
        fn n_boxes(&self) -> usize {
            self.grid.iter().product::<i32>() as usize
        }

        fn box_of(&self, [x, y, z]: [i32; 3]) -> usize {
            let wrap = |v: i32, n: i32| v.rem_euclid(n);
            let [nx, ny, nz] = self.grid;
            (wrap(x, nx) + nx * (wrap(y, ny) + ny * wrap(z, nz))) as usize
        }

        fn tuple_of(&self, b: usize) -> [i32; 3] {
            let [nx, ny, _] = self.grid;
            let b = b as i32;
            [b % nx, b / nx % ny, b / (nx * ny)]
        }
    }

    pub fn lj_force(pot: &LjPotential, boxes: &LinkCell, atoms: &mut Atoms) -> f64 {
        let r_cut2 = pot.cutoff * pot.cutoff;
        let s6 = pot.sigma.powi(6);
        let r_cut6 = s6 / (r_cut2 * r_cut2 * r_cut2);
        let e_shift = r_cut6 * (r_cut6 - 1.0);
        let mut e_potential = 0.0;
        #[omp::target(reduction(+: e_potential), disjoint(atoms.f, atoms.u))]
        for i_box in 0..boxes.n_boxes() {
            let [bx, by, bz] = boxes.tuple_of(i_box);
            for i_off in MAXATOMS * i_box..MAXATOMS * i_box + boxes.n_atoms[i_box] {
                let mut force = [0.0; 3];
                let mut energy = 0.0;
                for n in 0..27 {
                    let j_box = boxes.box_of([bx + n % 3 - 1, by + n / 3 % 3 - 1, bz + n / 9 - 1]);
                    for j_off in MAXATOMS * j_box..MAXATOMS * j_box + boxes.n_atoms[j_box] {
                        let mut dr = [0.0; 3];
                        let mut r2 = 0.0;
                        for m in 0..3 {
                            dr[m] = atoms.r[i_off][m] - atoms.r[j_off][m];
                            r2 += dr[m] * dr[m];
                        }
                        if r2 > r_cut2 || r2 <= 0.0 {
                            continue;
                        }
                        let r2 = 1.0 / r2;
                        let r6 = s6 * (r2 * r2 * r2);
                        let e_local = r6 * (r6 - 1.0) - e_shift;
                        energy += 0.5 * e_local;
                        let fr = -4.0 * pot.epsilon * r6 * r2 * (12.0 * r6 - 6.0);
                        for (f, d) in force.iter_mut().zip(&dr) {
                            *f -= d * fr;
                        }
                    }
                }
                atoms.f[i_off] = force;
                atoms.u[i_off] = energy * 4.0 * pot.epsilon;
                e_potential += energy;
            }
        }
        e_potential * 4.0 * pot.epsilon
    }

    pub fn run() -> (f64, Vec<Vec<f64>>) {
        let mut v = Values(3);
        let grid = [4, 3, 5];
        let n = 60;
        let boxes = LinkCell { grid, n_atoms: (0..n).map(|b| b * 7 % 4).collect() };
        let r = (0..n * MAXATOMS)
            .map(|k| {
                let at = boxes.tuple_of(k / MAXATOMS);
                at.map(|c| c as f64 + (v.bits() % 1000) as f64 * 1e-3)
            })
            .collect();
        let mut atoms = Atoms { r, f: vec![[0.0; 3]; n * MAXATOMS], u: vec![0.0; n * MAXATOMS] };
        let pot = LjPotential { cutoff: 0.9, sigma: 0.3, epsilon: 0.167 };
        let e = lj_force(&pot, &boxes, &mut atoms);
        (e, vec![atoms.u, atoms.f.concat()])
    }
}
port!(comd: run());
