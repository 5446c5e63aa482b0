//! Molecular dynamics in structure-of-arrays form: velocity Verlet in a periodic box.
use omp_tests::twice;

twice! {
    pub mod units {
        #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
        pub struct Time(pub f64);
        #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
        pub struct Mass(pub f64);
    }
    use units::{Mass, Time};

    #[derive(Default, Clone)]
    pub struct Soa { x: Vec<f64>, y: Vec<f64>, z: Vec<f64> }

    impl Soa {
        fn zeros(n: usize) -> Self { Self { x: vec![0.0; n], y: vec![0.0; n], z: vec![0.0; n] } }
        fn len(&self) -> usize { self.x.len() }
        fn get(&self, i: usize) -> [f64; 3] { [self.x[i], self.y[i], self.z[i]] }
        fn set(&mut self, i: usize, [x, y, z]: [f64; 3]) {
            self.x[i] = x;
            self.y[i] = y;
            self.z[i] = z;
        }
    }

    pub struct System { pos: Soa, vel: Soa, force: Soa, mass: Mass, side: f64 }

    #[omp::declare_target]
    fn minimum_image(d: f64, side: f64) -> f64 {
        if d > 0.5 * side { d - side } else if d < -0.5 * side { d + side } else { d }
    }

    impl System {
        pub fn forces(&mut self, rcut: f64) -> (f64, f64) {
            let n = self.pos.len();
            let side = self.side;
            let (mut epot, mut vir) = (0.0, 0.0);
            #[omp::target(reduction(+: epot, vir))]
            for i in 0..n {
                let pi = self.pos.get(i);
                let mut f = [0.0; 3];
                for j in 0..n {
                    if j == i { continue; }
                    let pj = self.pos.get(j);
                    let d: [f64; 3] = std::array::from_fn(|k| minimum_image(pi[k] - pj[k], side));
                    let rd = d.iter().map(|v| v * v).sum::<f64>();
                    if rd > rcut * rcut { continue; }
                    let (r2, r6) = (rd.recip(), rd.recip().powi(3));
                    epot += 0.5 * (r6 * r6 - r6);
                    let r148 = r6 * r2 * (r6 - 0.5);
                    vir -= 0.5 * rd * r148;
                    for k in 0..3 { f[k] += d[k] * r148; }
                }
                self.force.set(i, f);
            }
            (epot, vir)
        }

        pub fn drift(&mut self, Time(dt): Time) {
            let side = self.side;
            let half = 0.5 * dt / self.mass.0;
            let System { pos, vel, force, .. } = self;
            #[omp::target]
            for i in 0..pos.len() {
                let [vx, vy, vz] = vel.get(i);
                let [fx, fy, fz] = force.get(i);
                let v = [vx + half * fx, vy + half * fy, vz + half * fz];
                vel.set(i, v);
                let p = pos.get(i);
                let mut q = [0.0; 3];
                for (k, (p, v)) in p.iter().zip(v).enumerate() {
                    q[k] = (p + dt * v).rem_euclid(side);
                }
                pos.set(i, q);
            }
        }
    }
    pub fn run() -> (Vec<f64>, f64, f64) {
        let n = 27;
        let mut s = System { pos: Soa::zeros(n), vel: Soa::zeros(n), force: Soa::zeros(n), mass: Mass(1.5), side: 3.6 };
        for i in 0..n { s.pos.set(i, [(i % 3) as f64 * 1.2, (i / 3 % 3) as f64 * 1.2 + 0.1, (i / 9) as f64 * 1.2]); s.vel.set(i, [0.1 * (i % 4) as f64, -0.05, 0.02 * i as f64]); }
        let mut e = (0.0, 0.0);
        for _ in 0..3 { s.drift(Time(0.002)); e = s.forces(1.7); }
        (s.pos.x.iter().zip(&s.force.y).map(|(a, b)| a + b).collect(), e.0, e.1)
    }
}
port!(lj_soa: run());
