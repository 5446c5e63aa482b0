//! HeCBench su3_bench: products of SU(3) links over a lattice, and the plaquette.
use omp_tests::twice;

twice! {
    use std::ops::{Add, AddAssign, Mul, Neg, Sub};

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Complex { re: f64, im: f64 }

    #[omp::declare_target]
    impl Add for Complex { type Output = Self; fn add(self, o: Self) -> Self { Self { re: self.re + o.re, im: self.im + o.im } } }
    #[omp::declare_target]
    impl Sub for Complex { type Output = Self; fn sub(self, o: Self) -> Self { Self { re: self.re - o.re, im: self.im - o.im } } }
    #[omp::declare_target]
    impl Mul for Complex {
        type Output = Self;
        fn mul(self, o: Self) -> Self {
            Self { re: self.re * o.re - self.im * o.im, im: self.re * o.im + self.im * o.re }
        }
    }
    #[omp::declare_target]
    impl AddAssign for Complex { fn add_assign(&mut self, o: Self) { *self = *self + o; } }
    #[omp::declare_target]
    impl Neg for Complex { type Output = Self; fn neg(self) -> Self { Self { re: -self.re, im: -self.im } } }
    #[omp::declare_target]
    impl Complex {
        fn conj(self) -> Self { Self { im: -self.im, ..self } }
        fn cis(t: f64) -> Self { let (im, re) = t.sin_cos(); Self { re, im } }
    }

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Su3 { e: [[Complex; 3]; 3] }

    #[omp::declare_target]
    impl Mul for Su3 {
        type Output = Su3;
        fn mul(self, rhs: Su3) -> Su3 {
            let mut out = Su3::default();
            for (i, row) in out.e.iter_mut().enumerate() {
                for (j, o) in row.iter_mut().enumerate() {
                    for k in 0..3 {
                        *o += self.e[i][k] * rhs.e[k][j];
                    }
                }
            }
            out
        }
    }
    #[omp::declare_target]
    impl Su3 {
        fn dagger(&self) -> Su3 {
            Su3 { e: std::array::from_fn(|i| std::array::from_fn(|j| self.e[j][i].conj())) }
        }
        fn trace(&self) -> Complex { (0..3).map(|i| self.e[i][i]).fold(Complex::default(), |a, b| a + b) }
    }

    #[derive(Clone, Copy, Default, omp::Device)]
    pub struct Site { link: [Su3; 4], parity: u8 }

    pub struct Lattice { dims: [usize; 4], sites: Vec<Site> }

    impl Lattice {
        fn coords(&self, mut s: usize) -> [usize; 4] {
            let mut c = [0; 4];
            for d in 0..4 {
                c[d] = s % self.dims[d];
                s /= self.dims[d];
            }
            c
        }
        fn index(&self, c: [usize; 4]) -> usize {
            c.iter().zip(&self.dims).rev().fold(0, |acc, (x, n)| acc * n + x)
        }
        fn forward(&self, s: usize, d: usize) -> usize {
            let mut c = self.coords(s);
            c[d] = (c[d] + 1) % self.dims[d];
            self.index(c)
        }

        pub fn plaquette(&self) -> f64 {
            let mut sum = 0.0;
            #[omp::target(reduction(+: sum))]
            for s in 0..self.sites.len() {
                for mu in 1..4 {
                    for nu in 0..mu {
                        let u = self.sites[s].link[mu] * self.sites[self.forward(s, mu)].link[nu];
                        let v = self.sites[s].link[nu] * self.sites[self.forward(s, nu)].link[mu];
                        sum += (u * v.dagger()).trace().re;
                    }
                }
            }
            sum / (18 * self.sites.len()) as f64
        }

        pub fn multiply(&mut self, b: &[Su3; 4]) {
            #[omp::target]
            for site in &mut self.sites {
                for (link, b) in site.link.iter_mut().zip(b) {
                    *link = *link * *b;
                }
            }
        }
    }

    pub fn run() -> (f64, f64) {
        let dims = [4, 3, 3, 2];
        let n = dims.iter().product();
        let sites = (0..n)
            .map(|s: usize| {
                let mut site = Site::default();
                for d in 0..4 {
                    for i in 0..3 {
                        site.link[d].e[i][i] = Complex::cis((s * 4 + d) as f64 * 0.1 * (i as f64 - 1.0));
                    }
                }
                site
            })
            .collect();
        let mut l = Lattice { dims, sites };
        let before = l.plaquette();
        let mut b = [Su3::default(); 4];
        for (d, m) in b.iter_mut().enumerate() {
            for i in 0..3 { m.e[i][(i + d) % 3] = Complex { re: 1.0, im: 0.0 }; }
        }
        l.multiply(&b);
        (before, l.plaquette())
    }
}
port!(su3: run());
