//! Stiffness of linear tetrahedra, applied element by element; strains and von Mises stresses.
use omp_tests::twice;

twice! {
    pub type Vector = [f64; 3];

    #[derive(Clone, Copy, omp::Device)]
    pub struct Material { young: f64, poisson: f64 }
    #[omp::declare_target]
    impl Material {
        fn lame(&self) -> (f64, f64) {
            let Material { young: e, poisson: nu } = *self;
            (e * nu / ((1.0 + nu) * (1.0 - 2.0 * nu)), e / (2.0 * (1.0 + nu)))
        }
    }

    #[derive(omp::Mapper)]
    pub struct Mesh { nodes: Vec<Vector>, tets: Vec<[u32; 4]>, material: Vec<u8> }

    #[derive(Clone, Copy, Debug, Default, omp::Device)]
    pub struct Strain { xx: f64, yy: f64, zz: f64, xy: f64, yz: f64, zx: f64 }

    #[omp::declare_target]
    fn sub(a: Vector, b: Vector) -> Vector { [a[0] - b[0], a[1] - b[1], a[2] - b[2]] }
    #[omp::declare_target]
    fn cross(a: &Vector, b: &Vector) -> Vector { [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]] }
    #[omp::declare_target]
    fn dot(a: &Vector, b: &Vector) -> f64 { a.iter().zip(b).map(|(x, y)| x * y).sum() }

    impl Mesh {
        fn corners(&self, e: usize) -> [Vector; 4] { self.tets[e].map(|n| self.nodes[n as usize]) }
        /// Gradients of the shape functions, and the volume.
        fn gradients(&self, e: usize) -> ([Vector; 4], f64) {
            let [a, b, c, d] = self.corners(e);
            let (u, v, w) = (sub(b, a), sub(c, a), sub(d, a));
            let vw = cross(&v, &w);
            let det = dot(&u, &vw);
            let scale = |x: Vector| x.map(|q| q / det);
            let (g1, g2, g3) = (scale(vw), scale(cross(&w, &u)), scale(cross(&u, &v)));
            let g0 = std::array::from_fn(|k| -(g1[k] + g2[k] + g3[k]));
            ([g0, g1, g2, g3], det / 6.0)
        }
        fn strain(&self, e: usize, u: &[Vector]) -> Strain {
            let (g, _) = self.gradients(e);
            let mut s = Strain::default();
            for (grad, &node) in g.iter().zip(&self.tets[e]) {
                let d = u[node as usize];
                s.xx += grad[0] * d[0];
                s.yy += grad[1] * d[1];
                s.zz += grad[2] * d[2];
                s.xy += 0.5 * (grad[0] * d[1] + grad[1] * d[0]);
                s.yz += 0.5 * (grad[1] * d[2] + grad[2] * d[1]);
                s.zx += 0.5 * (grad[2] * d[0] + grad[0] * d[2]);
            }
            s
        }
    }
    #[omp::declare_target]
    impl Strain {
        fn stress(self, m: &Material) -> Self {
            let (lambda, mu) = m.lame();
            let p = lambda * (self.xx + self.yy + self.zz);
            Strain { xx: p + 2.0 * mu * self.xx, yy: p + 2.0 * mu * self.yy, zz: p + 2.0 * mu * self.zz, xy: 2.0 * mu * self.xy, yz: 2.0 * mu * self.yz, zx: 2.0 * mu * self.zx }
        }
        fn von_mises(&self) -> f64 {
            let Self { xx, yy, zz, xy, yz, zx } = *self;
            (0.5 * ((xx - yy).powi(2) + (yy - zz).powi(2) + (zz - xx).powi(2)) + 3.0 * (xy * xy + yz * yz + zx * zx)).sqrt()
        }
        fn times(&self, v: &Vector) -> Vector {
            [self.xx * v[0] + self.xy * v[1] + self.zx * v[2], self.xy * v[0] + self.yy * v[1] + self.yz * v[2], self.zx * v[0] + self.yz * v[1] + self.zz * v[2]]
        }
    }

    pub fn stresses(mesh: &Mesh, materials: &[Material], u: &[Vector]) -> (Vec<f64>, Vec<[Vector; 4]>) {
        let mut mises = vec![0.0; mesh.tets.len()];
        let mut forces = vec![[[0.0; 3]; 4]; mesh.tets.len()];
        #[omp::target]
        for (e, (m, f)) in mises.iter_mut().zip(forces.iter_mut()).enumerate() {
            let material = &materials[mesh.material[e] as usize];
            let stress = mesh.strain(e, u).stress(material);
            *m = stress.von_mises();
            let (gradients, volume) = mesh.gradients(e);
            *f = gradients.map(|g| stress.times(&g).map(|t| t * volume));
        }
        (mises, forces)
    }
    pub fn run() -> (Vec<f64>, Vec<[Vector; 4]>) {
        let n = 3usize;
        let id = |i: usize, j: usize, k: usize| ((k * n + j) * n + i) as u32;
        let mut mesh = Mesh { nodes: vec![], tets: vec![], material: vec![] };
        for k in 0..n { for j in 0..n { for i in 0..n { mesh.nodes.push([i as f64 + 0.1 * (j as f64).sin(), j as f64, k as f64 * 1.1]); } } }
        for k in 0..n - 1 { for j in 0..n - 1 { for i in 0..n - 1 {
            let c = [id(i, j, k), id(i + 1, j, k), id(i, j + 1, k), id(i, j, k + 1), id(i + 1, j + 1, k + 1)];
            mesh.tets.push([c[0], c[1], c[2], c[3]]);
            mesh.tets.push([c[4], c[2], c[1], c[3]]);
            mesh.material.extend([(i % 2) as u8, (j % 2) as u8]);
        } } }
        let materials = [Material { young: 210.0, poisson: 0.3 }, Material { young: 70.0, poisson: 0.33 }];
        let u: Vec<Vector> = mesh.nodes.iter().map(|p| [0.01 * p[0] * p[1], -0.02 * p[2], 0.005 * p[0]]).collect();
        stresses(&mesh, &materials, &u)
    }
}
port!(fem_tet4: run());
