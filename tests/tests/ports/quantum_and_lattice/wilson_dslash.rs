//! Lattice QCD: the Wilson hopping term on a periodic lattice, and a plaquette average.
use omp_tests::{Values, twice};
use std::ops::{Add, AddAssign, Mul, Neg, Sub};

twice! {
    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct C64 { re: f64, im: f64 }

    #[omp::declare_target]
    impl C64 {
        const ZERO: C64 = C64 { re: 0.0, im: 0.0 };
        const fn new(re: f64, im: f64) -> Self { Self { re, im } }
        fn conj(self) -> Self { Self::new(self.re, -self.im) }
        fn mul_i(self) -> Self { Self::new(-self.im, self.re) }
    }
    #[omp::declare_target]
    impl Add for C64 { type Output = C64; fn add(self, o: C64) -> C64 { C64::new(self.re + o.re, self.im + o.im) } }
    #[omp::declare_target]
    impl Sub for C64 { type Output = C64; fn sub(self, o: C64) -> C64 { C64::new(self.re - o.re, self.im - o.im) } }
    #[omp::declare_target]
    impl Neg for C64 { type Output = C64; fn neg(self) -> C64 { C64::new(-self.re, -self.im) } }
    #[omp::declare_target]
    impl Mul for C64 {
        type Output = C64;
        fn mul(self, o: C64) -> C64 { C64::new(self.re * o.re - self.im * o.im, self.re * o.im + self.im * o.re) }
    }
    #[omp::declare_target]
    impl AddAssign for C64 { fn add_assign(&mut self, o: C64) { *self = *self + o; } }

    pub type ColorVector = [C64; 3];
    pub type Spinor = [ColorVector; 4];

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Su3 { e: [[C64; 3]; 3] }

    #[omp::declare_target]
    impl Su3 {
        fn apply(&self, v: &ColorVector) -> ColorVector {
            let mut out = [C64::ZERO; 3];
            for (row, o) in self.e.iter().zip(out.iter_mut()) {
                for c in 0..3 {
                    *o += row[c] * v[c];
                }
            }
            out
        }
        fn dagger(&self) -> Su3 {
            let mut d = *self;
            for i in 0..3 {
                for j in 0..3 {
                    d.e[i][j] = self.e[j][i].conj();
                }
            }
            d
        }
        fn times(&self, o: &Su3) -> Su3 {
            let mut r = Su3 { e: [[C64::ZERO; 3]; 3] };
            for i in 0..3 {
                for j in 0..3 {
                    for k in 0..3 {
                        r.e[i][j] += self.e[i][k] * o.e[k][j];
                    }
                }
            }
            r
        }
        fn re_trace(&self) -> f64 { (0..3).map(|i| self.e[i][i].re).sum() }
    }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Lattice { dims: [usize; 4] }

    #[omp::declare_target]
    impl Lattice {
        fn volume(&self) -> usize { self.dims.iter().product() }
        fn coords(&self, site: usize) -> [usize; 4] {
            let mut x = [0; 4];
            let mut s = site;
            for mu in 0..4 {
                x[mu] = s % self.dims[mu];
                s /= self.dims[mu];
            }
            x
        }
        fn site(&self, x: [usize; 4]) -> usize {
            ((x[3] * self.dims[2] + x[2]) * self.dims[1] + x[1]) * self.dims[0] + x[0]
        }
        fn neighbor(&self, site: usize, mu: usize, forward: bool) -> usize {
            let mut x = self.coords(site);
            let l = self.dims[mu];
            x[mu] = if forward { (x[mu] + 1) % l } else { (x[mu] + l - 1) % l };
            self.site(x)
        }
    }

    /// (1 ∓ γ₀) as a projection on two spin components.
    #[omp::declare_target]
    fn project(psi: &Spinor, mu: usize, sign: f64) -> Spinor {
        let s = C64::new(sign, 0.0);
        let mut out = *psi;
        for c in 0..3 {
            let (a, b) = match mu {
                0 => (psi[3][c].mul_i(), psi[2][c].mul_i()),
                1 => (psi[3][c], -psi[2][c]),
                2 => (psi[2][c].mul_i(), -psi[3][c].mul_i()),
                _ => (psi[2][c], psi[3][c]),
            };
            out[0][c] = psi[0][c] - s * a;
            out[1][c] = psi[1][c] - s * b;
        }
        out
    }

    pub fn dslash(lat: &Lattice, links: &[[Su3; 4]], psi: &[Spinor], out: &mut [Spinor], kappa: f64) {
        #[omp::target]
        for site in 0..lat.volume() {
            let mut acc: Spinor = [[C64::ZERO; 3]; 4];
            for mu in 0..4 {
                let fwd = lat.neighbor(site, mu, true);
                let bwd = lat.neighbor(site, mu, false);
                let f = project(&psi[fwd], mu, 1.0);
                let b = project(&psi[bwd], mu, -1.0);
                let u = &links[site][mu];
                let udag = links[bwd][mu].dagger();
                for s in 0..4 {
                    let uf = u.apply(&f[s]);
                    let ub = udag.apply(&b[s]);
                    for c in 0..3 {
                        acc[s][c] += uf[c] + ub[c];
                    }
                }
            }
            for s in 0..4 {
                for c in 0..3 {
                    out[site][s][c] = psi[site][s][c] - C64::new(kappa, 0.0) * acc[s][c];
                }
            }
        }
    }

    pub fn plaquette(lat: &Lattice, links: &[[Su3; 4]]) -> f64 {
        let mut total = 0.0;
        let volume = lat.volume();
        #[omp::target(reduction(+: total))]
        for site in 0..volume {
            for mu in 0..4 {
                for nu in mu + 1..4 {
                    let x_mu = lat.neighbor(site, mu, true);
                    let x_nu = lat.neighbor(site, nu, true);
                    let upper = links[site][mu].times(&links[x_mu][nu]);
                    let lower = links[site][nu].times(&links[x_nu][mu]);
                    total += upper.times(&lower.dagger()).re_trace() / 3.0;
                }
            }
        }
        total / (6 * volume) as f64
    }

    pub fn run() -> (Vec<f64>, f64) {
        let lat = Lattice { dims: [4, 3, 2, 3] };
        let mut v = Values(12);
        let mut c = || C64::new(v.bits() as f64 / 4e9, v.bits() as f64 / 5e9 - 0.3);
        let links: Vec<[Su3; 4]> = (0..lat.volume())
            .map(|_| std::array::from_fn(|_| Su3 { e: std::array::from_fn(|_| std::array::from_fn(|_| c())) }))
            .collect();
        let psi: Vec<Spinor> = (0..lat.volume()).map(|_| std::array::from_fn(|_| std::array::from_fn(|_| c()))).collect();
        let mut out = vec![[[C64::ZERO; 3]; 4]; psi.len()];
        dslash(&lat, &links, &psi, &mut out, 0.12);
        (out.iter().flatten().flatten().flat_map(|c| [c.re, c.im]).collect(), plaquette(&lat, &links))
    }
}
port!(wilson_dslash: run());
