//! Finite volumes: upwind fluxes through the faces of an unstructured mesh, with limiters.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    #[repr(u8)]
    pub enum Limiter { None, Minmod, VanLeer, Superbee }

    #[omp::declare_target]
    impl Limiter {
        fn phi(self, r: f64) -> f64 {
            match self {
                Limiter::None => 1.0,
                Limiter::Minmod => r.min(1.0).max(0.0),
                Limiter::VanLeer => (r + r.abs()) / (1.0 + r.abs()),
                Limiter::Superbee => [0.0, (2.0 * r).min(1.0), r.min(2.0)].into_iter().fold(f64::MIN, f64::max),
            }
        }
    }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Face { owner: u32, neighbour: u32, area: f64, velocity: f64 }

    pub struct Mesh<'m> { faces: &'m [Face], volumes: &'m [f64] }

    impl<'m> Mesh<'m> {
        fn gradients(&self, u: &[f64]) -> Vec<f64> {
            let mut g = vec![0.0; u.len()];
            #[omp::target]
            for f in self.faces {
                let (o, n) = (f.owner as usize, f.neighbour as usize);
                let face_value = 0.5 * (u[o] + u[n]);
                #[omp::atomic]
                g[o] += face_value * f.area;
                #[omp::atomic]
                g[n] -= face_value * f.area;
            }
            #[omp::target]
            for (g, v) in g.iter_mut().zip(self.volumes) {
                *g /= v;
            }
            g
        }

        pub fn advect(&self, u: &mut [f64], dt: f64, limiter: Limiter) -> f64 {
            let grad = self.gradients(u);
            let mut flux = vec![0.0; self.faces.len()];
            #[omp::target]
            for (flux, face) in flux.iter_mut().zip(self.faces) {
                let &Face { owner, neighbour, area, velocity } = face;
                let (up, down) = if velocity >= 0.0 { (owner, neighbour) } else { (neighbour, owner) };
                let (up, down) = (up as usize, down as usize);
                let delta = u[down] - u[up];
                let r = if delta.abs() > 1e-12 { 2.0 * grad[up] / delta - 1.0 } else { 0.0 };
                *flux = velocity * area * (u[up] + 0.5 * limiter.phi(r) * delta);
            }
            let mut total = 0.0;
            #[omp::target(reduction(+: total))]
            for (f, &q) in self.faces.iter().zip(&flux) {
                let scale = |c: u32| dt / self.volumes[c as usize];
                #[omp::atomic]
                u[f.owner as usize] -= scale(f.owner) * q;
                #[omp::atomic]
                u[f.neighbour as usize] += scale(f.neighbour) * q;
                total += q.abs();
            }
            total
        }
    }
    pub fn run() -> (Vec<f64>, f64) {
        let n = 24u32;
        let faces: Vec<Face> = (0..n).map(|i| Face { owner: i, neighbour: (i + 1) % n, area: 1.0 + 0.1 * (i % 3) as f64, velocity: if i % 7 == 3 { -0.5 } else { 1.0 } }).collect();
        let volumes = vec![1.5; n as usize];
        let mesh = Mesh { faces: &faces, volumes: &volumes };
        let mut u: Vec<f64> = (0..n).map(|i| if (6..12).contains(&i) { 1.0 } else { 0.1 * (i % 4) as f64 }).collect();
        let mut total = 0.0;
        for l in [Limiter::None, Limiter::Minmod, Limiter::VanLeer, Limiter::Superbee] { total += mesh.advect(&mut u, 0.05, l); }
        (u, total)
    }
}
port!(fv_faces: run());
