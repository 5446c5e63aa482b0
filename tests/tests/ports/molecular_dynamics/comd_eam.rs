//! CoMD EAM: interpolation tables, three passes over link cells.
use omp_tests::twice;

twice! {
    #[derive(Clone, omp::Mapper)]
    struct InterpolationObject {
        n: usize,
        x0: f64,
        inv_dx: f64,
        values: Vec<f64>,
    }

    #[omp::declare_target]
    impl InterpolationObject {
        /// Value and derivative.
        fn interpolate(&self, r: f64) -> (f64, f64) {
            let r = r.max(self.x0);
            let r = (r - self.x0) * self.inv_dx;
            let mut ii = r.floor() as usize;
            let mut frac = r - ii as f64;
            if ii >= self.n {
                ii = self.n - 1;
                frac = 1.0;
            }
            let tt = &self.values[ii..ii + 4];
            let g1 = tt[2] - tt[0];
            let g2 = tt[3] - tt[1];
            let f = tt[1] + 0.5 * frac * (g1 + frac * (tt[2] + tt[0] - 2.0 * tt[1]));
            let df = 0.5 * (g1 + frac * (g2 - g1)) * self.inv_dx;
            (f, df)
        }
    }

    impl InterpolationObject {
        fn new(n: usize, x0: f64, dx: f64, f: impl Fn(f64) -> f64) -> Self {
            Self { n, x0, inv_dx: dx.recip(), values: (0..n + 3).map(|i| f(x0 + (i as f64 - 1.0) * dx)).collect() }
        }
    }

    struct LinkCells {
        start: Vec<usize>,
        neighbours: Vec<Vec<usize>>,
    }

    struct Eam {
        phi: InterpolationObject,
        rho: InterpolationObject,
        f: InterpolationObject,
        cutoff: f64,
    }

    type Real3 = [f64; 3];

    #[omp::offload]
    fn eam_force(pot: &Eam, cells: &LinkCells, r: &[Real3], force: &mut [Real3], energy: &mut [f64], rhobar: &mut [f64], dfembed: &mut [f64]) {
        let r_cut2 = pot.cutoff * pot.cutoff;
        let n_cells = cells.start.len() - 1;
        let nbr_offsets: Vec<usize> = std::iter::once(0).chain(cells.neighbours.iter().scan(0, |s, n| { *s += n.len(); Some(*s) })).collect();
        let nbr: Vec<usize> = cells.neighbours.concat();
        let start = &cells.start;
        #[omp::target]
        for i_box in 0..n_cells {
            for i in start[i_box]..start[i_box + 1] {
                let mut f = [0.0; 3];
                let (mut e, mut rho) = (0.0, 0.0);
                for &j_box in &nbr[nbr_offsets[i_box]..nbr_offsets[i_box + 1]] {
                    for j in start[j_box]..start[j_box + 1] {
                        if i == j {
                            continue;
                        }
                        let dr: Real3 = std::array::from_fn(|k| r[i][k] - r[j][k]);
                        let r2 = dr.iter().fold(0.0, |acc, d| acc + d * d);
                        if r2 > r_cut2 {
                            continue;
                        }
                        let dist = r2.sqrt();
                        let (phi, dphi) = pot.phi.interpolate(dist);
                        let (rho_tmp, _) = pot.rho.interpolate(dist);
                        for (f, d) in f.iter_mut().zip(dr) {
                            *f -= dphi * d / dist;
                        }
                        e += 0.5 * phi;
                        rho += rho_tmp;
                    }
                }
                force[i] = f;
                energy[i] = e;
                rhobar[i] = rho;
            }
        }
        #[omp::target]
        for i in 0..r.len() {
            let (f_embed, df) = pot.f.interpolate(rhobar[i]);
            dfembed[i] = df;
            energy[i] += f_embed;
        }
        #[omp::target]
        for i_box in 0..n_cells {
            for i in start[i_box]..start[i_box + 1] {
                for &j_box in &nbr[nbr_offsets[i_box]..nbr_offsets[i_box + 1]] {
                    for j in (start[j_box]..start[j_box + 1]).filter(|&j| j != i) {
                        let mut r2 = 0.0;
                        let mut dr = [0.0; 3];
                        for k in 0..3 {
                            dr[k] = r[i][k] - r[j][k];
                            r2 += dr[k] * dr[k];
                        }
                        if r2 <= r_cut2 {
                            let dist = r2.sqrt();
                            let (_, drho) = pot.rho.interpolate(dist);
                            for k in 0..3 {
                                force[i][k] -= (dfembed[i] + dfembed[j]) * drho * dr[k] / dist;
                            }
                        }
                    }
                }
            }
        }
    }

    pub fn run(n: usize) -> Vec<f64> {
        let n = n.min(120);
        let boxes = 5;
        let start: Vec<usize> = (0..=boxes).map(|b| b * n / boxes).collect();
        let neighbours: Vec<Vec<usize>> = (0..boxes).map(|b: usize| (b.saturating_sub(1)..=(b + 1).min(boxes - 1)).collect()).collect();
        let r: Vec<Real3> = (0..n).map(|i| [i as f64 * 0.3, (i % 3) as f64 * 0.8, (i % 5) as f64 * 0.7]).collect();
        let pot = Eam {
            phi: InterpolationObject::new(100, 0.2, 0.05, |r| (-r).exp() * (r - 2.0)),
            rho: InterpolationObject::new(100, 0.2, 0.05, |r| (-0.5 * r).exp()),
            f: InterpolationObject::new(100, 0.0, 0.1, |r| -(r.abs()).sqrt()),
            cutoff: 3.0,
        };
        let mut force = vec![[0.0; 3]; n];
        let (mut e, mut rho, mut df) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
        eam_force(&pot, &LinkCells { start, neighbours }, &r, &mut force, &mut e, &mut rho, &mut df);
        force.into_iter().flatten().chain(e).chain(df).collect()
    }
}
port!(comd_eam: (run(0), run(7), run(99)));
