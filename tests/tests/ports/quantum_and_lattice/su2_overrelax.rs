//! SU(2) lattice gauge theory in four dimensions: over-relaxation and Metropolis updates by parity, plaquettes.
use omp_tests::twice;

twice! {
    use std::ops::{Add, Mul};

    /// a0 + i a.sigma
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Su2(pub [f64; 4]);

    #[omp::declare_target]
    impl Su2 {
        pub const ONE: Su2 = Su2([1.0, 0.0, 0.0, 0.0]);
        pub const ZERO: Su2 = Su2([0.0; 4]);

        fn dagger(self) -> Su2 {
            let Su2([a, x, y, z]) = self;
            Su2([a, -x, -y, -z])
        }
        fn det(self) -> f64 {
            self.0.iter().map(|c| c * c).sum()
        }
        fn half_trace(self) -> f64 {
            self.0[0]
        }
        fn scaled(self, s: f64) -> Su2 {
            Su2(self.0.map(|c| s * c))
        }
        fn projected(self) -> Su2 {
            self.scaled(1.0 / self.det().sqrt())
        }
    }

    #[omp::declare_target]
    impl Mul for Su2 {
        type Output = Su2;
        fn mul(self, Su2(b): Su2) -> Su2 {
            let Su2(a) = self;
            Su2([
                a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
                a[0] * b[1] + a[1] * b[0] - (a[2] * b[3] - a[3] * b[2]),
                a[0] * b[2] + a[2] * b[0] - (a[3] * b[1] - a[1] * b[3]),
                a[0] * b[3] + a[3] * b[0] - (a[1] * b[2] - a[2] * b[1]),
            ])
        }
    }

    #[omp::declare_target]
    impl Add for Su2 {
        type Output = Su2;
        fn add(self, Su2(b): Su2) -> Su2 {
            let mut c = self.0;
            for (x, y) in c.iter_mut().zip(b) {
                *x += y;
            }
            Su2(c)
        }
    }

    const SIZES: [usize; 4] = [6, 4, 4, 8];
    pub const VOLUME: usize = SIZES[0] * SIZES[1] * SIZES[2] * SIZES[3];

    #[omp::declare_target]
    const fn coordinates(mut site: usize) -> [usize; 4] {
        let mut x = [0; 4];
        let mut d = 0;
        while d < 4 {
            x[d] = site % SIZES[d];
            site /= SIZES[d];
            d += 1;
        }
        x
    }

    #[omp::declare_target]
    fn hop(site: usize, d: usize, forward: bool) -> usize {
        let mut x = coordinates(site);
        x[d] = (x[d] + if forward { 1 } else { SIZES[d] - 1 }) % SIZES[d];
        x.iter().zip(SIZES.iter()).rev().fold(0, |s: usize, (c, n)| s * n + c)
    }

    /// Sum of the six products of three links which close a plaquette with link (site, mu).
    #[omp::declare_target]
    fn staples(links: &[[Su2; 4]], site: usize, mu: usize) -> Su2 {
        let ahead = hop(site, mu, true);
        let mut sum = Su2::ZERO;
        for nu in (0..4).filter(|&nu| nu != mu) {
            let up = links[ahead][nu] * links[hop(site, nu, true)][mu].dagger() * links[site][nu].dagger();
            let back = hop(site, nu, false);
            let down = links[hop(ahead, nu, false)][nu].dagger() * links[back][mu].dagger() * links[back][nu];
            sum = sum + up + down;
        }
        sum
    }

    #[omp::declare_target]
    fn uniform(sweep: u64, key: u64) -> f64 {
        let mut z = (sweep << 32 ^ key).wrapping_mul(0x9e3779b97f4a7c15);
        z = (z ^ z >> 30).wrapping_mul(0xbf58476d1ce4e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d049bb133111eb);
        ((z ^ z >> 31) >> 11) as f64 / (1u64 << 53) as f64
    }

    fn parity(site: usize) -> usize {
        coordinates(site).iter().sum::<usize>() % 2
    }

    pub struct Lattice {
        pub links: Vec<[Su2; 4]>,
        /// Even sites, then odd ones.
        checkerboard: [Vec<u32>; 2],
    }

    impl Lattice {
        pub fn cold() -> Lattice {
            let half = |p: usize| -> Vec<u32> { (0..VOLUME).filter(|&s| parity(s) == p).map(|s| s as u32).collect() };
            Lattice { links: vec![[Su2::ONE; 4]; VOLUME], checkerboard: [half(0), half(1)] }
        }

        pub fn overrelax(&mut self) {
            let links = &mut self.links;
            for sites in &self.checkerboard {
                for mu in 0..4 {
                    #[omp::target(map(to: sites), map(tofrom: links), unsafe(disjoint(links)))]
                    for &s in sites.iter() {
                        let site = s as usize;
                        let v = staples(links, site, mu);
                        if v.det() > 1e-12 {
                            let v = v.projected().dagger();
                            links[site][mu] = (v * links[site][mu].dagger() * v).projected();
                        }
                    }
                }
            }
        }

        /// Gives the number of accepted proposals.
        pub fn metropolis(&mut self, beta: f64, width: f64, sweep: u64) -> u32 {
            let links = &mut self.links;
            let mut accepted = 0;
            for sites in &self.checkerboard {
                for mu in 0..4 {
                    #[omp::target(map(to: sites), map(tofrom: links), unsafe(disjoint(links)), reduction(+: accepted))]
                    for &s in sites.iter() {
                        let site = s as usize;
                        let key = |k: usize| uniform(sweep, ((site * 4 + mu) * 5 + k) as u64);
                        let noise = Su2([1.0, width * (key(0) - 0.5), width * (key(1) - 0.5), width * (key(2) - 0.5)]);
                        let old = links[site][mu];
                        let new = noise.projected() * old;
                        let staple = staples(links, site, mu);
                        let gain = beta * ((new * staple).half_trace() - (old * staple).half_trace());
                        if gain >= 0.0 || key(3) < gain.exp() {
                            links[site][mu] = new;
                            accepted += 1;
                        }
                    }
                }
            }
            accepted
        }

        pub fn plaquette(&self) -> f64 {
            let links = &self.links;
            let mut sum = 0.0;
            #[omp::target(reduction(+: sum))]
            for site in 0..VOLUME {
                for mu in 1..4 {
                    for nu in 0..mu {
                        let a = links[site][mu] * links[hop(site, mu, true)][nu];
                        let b = links[site][nu] * links[hop(site, nu, true)][mu];
                        sum += (a * b.dagger()).half_trace();
                    }
                }
            }
            sum / (6 * VOLUME) as f64
        }
    }
}

port!(su2_overrelax: crate::Shown::of({
    let mut lattice = Lattice::cold();
    let mut trace = Vec::new();
    for sweep in 0..4 {
        let accepted = lattice.metropolis(2.3, 1.5, sweep);
        lattice.overrelax();
        trace.push((accepted, (lattice.plaquette() * 1e9).round() as i64));
    }
    let links: Vec<i64> = lattice.links.iter().flatten().step_by(13).flat_map(|u| u.0).map(|c| (c * 1e8).round() as i64).collect();
    (trace, links)
}));
