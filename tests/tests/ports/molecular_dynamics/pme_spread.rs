//! PME: B-spline charge spreading (gathered per grid line), interpolation of forces, Hermite N-body corrections.
use omp_tests::twice;

twice! {
    const ORDER: usize = 4;

    #[derive(Clone, Copy, Debug, omp::Device)]
    struct Atom {
        frac: [f64; 3],
        charge: f64,
    }

    #[omp::declare_target]
    fn bspline(w: f64) -> ([f64; ORDER], [f64; ORDER]) {
        let mut data = [0.0; ORDER];
        let mut deriv = [0.0; ORDER];
        data[ORDER - 1] = 0.0;
        data[1] = w;
        data[0] = 1.0 - w;
        for k in 3..ORDER {
            let div = 1.0 / (k as f64 - 1.0);
            data[k - 1] = div * w * data[k - 2];
            for l in 1..k - 1 {
                data[k - l - 1] = div * ((w + l as f64) * data[k - l - 2] + (k as f64 - l as f64 - w) * data[k - l - 1]);
            }
            data[0] = div * (1.0 - w) * data[0];
        }
        deriv[0] = -data[0];
        for k in 1..ORDER {
            deriv[k] = data[k - 1] - data[k];
        }
        let div = 1.0 / (ORDER as f64 - 1.0);
        data[ORDER - 1] = div * w * data[ORDER - 2];
        for l in 1..ORDER - 1 {
            data[ORDER - l - 1] = div * ((w + l as f64) * data[ORDER - l - 2] + (ORDER as f64 - l as f64 - w) * data[ORDER - l - 1]);
        }
        data[0] *= div * (1.0 - w);
        (data, deriv)
    }

    #[derive(Clone, Copy, omp::Device)]
    struct Spread {
        base: [usize; 3],
        theta: [[f64; ORDER]; 3],
        dtheta: [[f64; ORDER]; 3],
    }

    #[omp::offload]
    fn prepare(atoms: &[Atom], n: [usize; 3]) -> Vec<Spread> {
        let mut out = vec![Spread { base: [0; 3], theta: [[0.0; ORDER]; 3], dtheta: [[0.0; ORDER]; 3] }; atoms.len()];
        #[omp::target]
        for (s, atom) in out.iter_mut().zip(atoms.iter()) {
            for d in 0..3 {
                let u = atom.frac[d] * n[d] as f64;
                s.base[d] = u.floor() as usize;
                (s.theta[d], s.dtheta[d]) = bspline(u.fract());
            }
        }
        out
    }

    #[omp::offload]
    fn spread(atoms: &[Atom], splines: &[Spread], [nx, ny, nz]: [usize; 3], grid: &mut Vec<f64>) {
        grid.clear();
        grid.resize(nx * ny * nz, 0.0);
        #[omp::target]
        for (atom, s) in atoms.iter().zip(splines) {
            for (i, tx) in s.theta[0].iter().enumerate() {
                let x = (s.base[0] + i) % nx;
                for (j, ty) in s.theta[1].iter().enumerate() {
                    let y = (s.base[1] + j) % ny;
                    for (k, tz) in s.theta[2].iter().enumerate() {
                        let z = (s.base[2] + k) % nz;
                        let q = atom.charge * tx * ty * tz;
                        #[omp::atomic]
                        grid[(x * ny + y) * nz + z] += q;
                    }
                }
            }
        }
    }

    #[omp::offload]
    fn gather(atoms: &[Atom], splines: &[Spread], n: [usize; 3], grid: &[f64], forces: &mut [[f64; 3]]) -> f64 {
        let mut energy = 0.0;
        let [nx, ny, nz] = n;
        #[omp::target(reduction(+: energy))]
        for (a, f) in forces.iter_mut().enumerate() {
            let Spread { base, theta, dtheta } = splines[a];
            let mut sum = [0.0; 3];
            let mut potential = 0.0;
            for i in 0..ORDER {
                for j in 0..ORDER {
                    for k in 0..ORDER {
                        let [x, y, z] = [(base[0] + i) % nx, (base[1] + j) % ny, (base[2] + k) % nz];
                        let g = grid[(x * ny + y) * nz + z];
                        sum[0] += dtheta[0][i] * theta[1][j] * theta[2][k] * g;
                        sum[1] += theta[0][i] * dtheta[1][j] * theta[2][k] * g;
                        sum[2] += theta[0][i] * theta[1][j] * dtheta[2][k] * g;
                        potential += theta[0][i] * theta[1][j] * theta[2][k] * g;
                    }
                }
            }
            *f = sum.map(|s| -atoms[a].charge * s * nx as f64);
            energy += 0.5 * atoms[a].charge * potential;
        }
        energy
    }

    pub fn run(n: usize) -> Vec<f64> {
        let atoms: Vec<Atom> = (0..n).map(|i| Atom { frac: [(i * 37 % 100) as f64 * 0.01, (i * 53 % 99) as f64 * 0.01, (i * 71 % 98) as f64 * 0.01], charge: if i % 2 == 0 { 1.0 } else { -0.8 } }).collect();
        let dims = [8, 9, 10];
        let s = prepare(&atoms, dims);
        let mut grid = vec![];
        spread(&atoms, &s, dims, &mut grid);
        let mut forces = vec![[0.0; 3]; n];
        let e = gather(&atoms, &s, dims, &grid, &mut forces);
        grid.into_iter().chain(forces.into_iter().flatten()).chain([e]).collect()
    }
}
port!(pme_spread: (run(0), run(1), run(33)));
