//! CoMD: Lennard-Jones forces over link cells.
use omp_tests::twice;

twice! {
    const MAXATOMS: usize = 8;

    #[derive(Clone, Copy, Debug, PartialEq, PartialOrd, omp::Device)]
    pub struct Angstrom(f64);
    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Lj { sigma: Angstrom, epsilon: f64, cutoff: Angstrom }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Boxes { nx: usize, ny: usize, nz: usize }

    #[omp::declare_target]
    impl Boxes {
        pub fn total(self) -> usize { self.nx * self.ny * self.nz }
        pub fn of(&self, ib: usize) -> (usize, usize, usize) { (ib % self.nx, ib / self.nx % self.ny, ib / (self.nx * self.ny)) }
        pub fn index(&self, x: usize, y: usize, z: usize) -> usize { x + self.nx * (y + self.ny * z) }
        fn neighbour(&self, ib: usize, d: (i32, i32, i32)) -> Option<usize> {
            let (x, y, z) = self.of(ib);
            let x = x.checked_add_signed(d.0 as isize).filter(|&v| v < self.nx)?;
            let y = y.checked_add_signed(d.1 as isize).filter(|&v| v < self.ny)?;
            let z = z.checked_add_signed(d.2 as isize).filter(|&v| v < self.nz)?;
            Some(self.index(x, y, z))
        }
    }

    #[omp::declare_target]
    impl Lj {
        fn pair(&self, r2: f64) -> Option<(f64, f64)> {
            let rc2 = self.cutoff.0 * self.cutoff.0;
            if r2 > rc2 || r2 <= 0.0 { return None; }
            let s6 = self.sigma.0.powi(6);
            let r6 = s6 / (r2 * r2 * r2);
            let e = r6 * (r6 - 1.0);
            let f = 4.0 * self.epsilon * r6 / r2 * (12.0 * r6 - 6.0);
            Some((4.0 * self.epsilon * e, f))
        }
    }

    pub fn forces(boxes: Boxes, natoms: &[usize], r: &[[f64; 3]], lj: &Lj) -> (Vec<[f64; 3]>, f64) {
        let mut f = vec![[0.0; 3]; r.len()];
        let mut etot = 0.0;
        #[omp::target(reduction(+: etot))]
        for ib in 0..boxes.total() {
            for ii in 0..natoms[ib] {
                let i = ib * MAXATOMS + ii;
                let mut fi = [0.0; 3];
                let mut ei = 0.0;
                for dz in -1..=1 {
                    for dy in -1..=1 {
                        for dx in -1..=1 {
                            let Some(jb) = boxes.neighbour(ib, (dx, dy, dz)) else { continue };
                            for jj in 0..natoms[jb] {
                                let j = jb * MAXATOMS + jj;
                                if i == j { continue }
                                let mut dr = [0.0; 3];
                                for m in 0..3 { dr[m] = r[i][m] - r[j][m]; }
                                let r2 = dr.iter().map(|d| d * d).sum();
                                if let Some((e, fr)) = lj.pair(r2) {
                                    ei += 0.5 * e;
                                    for (f, d) in fi.iter_mut().zip(dr) { *f += fr * d; }
                                }
                            }
                        }
                    }
                }
                f[i] = fi;
                etot += ei;
            }
        }
        (f, etot)
    }

    pub fn run() -> (Vec<[f64; 3]>, f64) {
        let boxes = Boxes { nx: 3, ny: 3, nz: 2 };
        let natoms: Vec<usize> = (0..boxes.total()).map(|b| 2 + b % 4).collect();
        let r: Vec<[f64; 3]> = (0..boxes.total() * MAXATOMS)
            .map(|i| {
                let (b, a) = (i / MAXATOMS, i % MAXATOMS);
                let (x, y, z) = boxes.of(b);
                [x as f64 * 2.0 + 0.9 * (a % 2) as f64, y as f64 * 2.0 + 0.8 * (a / 2 % 2) as f64, z as f64 * 2.0 + 0.7 * (a / 4) as f64]
            })
            .collect();
        forces(boxes, &natoms, &r, &Lj { sigma: Angstrom(0.8), epsilon: 0.167, cutoff: Angstrom(2.5) })
    }
}
port!(comd_lj: run());
