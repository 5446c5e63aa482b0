//! Cells of a triangle mesh through views: areas, centroids, a cell-centred diffusion step.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct P2 { x: f64, y: f64 }

    #[omp::declare_target]
    impl std::ops::Sub for P2 { type Output = P2; fn sub(self, o: P2) -> P2 { P2 { x: self.x - o.x, y: self.y - o.y } } }
    #[omp::declare_target]
    impl P2 { fn cross(self, o: P2) -> f64 { self.x * o.y - self.y * o.x } }

    #[derive(Clone, Copy)]
    pub struct MeshRef<'a> { points: &'a [P2], tris: &'a [[u32; 3]], adj: &'a [[i32; 3]] }

    #[derive(Clone, Copy)]
    struct Tri<'a> { points: &'a [P2], nodes: [u32; 3] }

    impl<'a> Tri<'a> {
        fn corner(&self, k: usize) -> P2 { self.points[self.nodes[k] as usize] }
        fn area(&self) -> f64 { 0.5 * (self.corner(1) - self.corner(0)).cross(self.corner(2) - self.corner(0)) }
        fn centroid(&self) -> (f64, f64) {
            let (mut x, mut y) = (0.0, 0.0);
            for k in 0..3 { let p = self.corner(k); x += p.x / 3.0; y += p.y / 3.0; }
            (x, y)
        }
    }

    impl<'a> MeshRef<'a> {
        fn tri(&self, t: usize) -> Tri<'a> { Tri { points: self.points, nodes: self.tris[t] } }
        fn len(&self) -> usize { self.tris.len() }
    }

    pub fn geometry(mesh: MeshRef) -> (Vec<f64>, Vec<(f64, f64)>) {
        let mut areas = vec![0.0; mesh.len()];
        let mut centres = vec![(0.0, 0.0); mesh.len()];
        #[omp::target]
        for t in 0..mesh.len() {
            let tri = mesh.tri(t);
            areas[t] = tri.area();
            centres[t] = tri.centroid();
        }
        (areas, centres)
    }

    pub fn diffuse(mesh: &MeshRef, areas: &[f64], centres: &[(f64, f64)], u: &[f64], dt: f64) -> Vec<f64> {
        let mut out = u.to_vec();
        #[omp::target]
        for (t, o) in out.iter_mut().enumerate() {
            let (cx, cy) = centres[t];
            let mut flux = 0.0;
            for &n in &mesh.adj[t] {
                let Ok(n) = usize::try_from(n) else { continue };
                let (nx, ny) = centres[n];
                flux += (u[n] - u[t]) / (nx - cx).hypot(ny - cy);
            }
            *o += dt * flux / areas[t];
        }
        out
    }
    pub fn run() -> (Vec<f64>, Vec<f64>) {
        let n = 5u32;
        let points: Vec<P2> = (0..n * n).map(|i| P2 { x: (i % n) as f64 + 0.1 * (i / n % 2) as f64, y: (i / n) as f64 }).collect();
        let tris: Vec<[u32; 3]> = (0..(n - 1) * (n - 1)).flat_map(|c| { let i = c / (n - 1) * n + c % (n - 1); [[i, i + 1, i + n + 1], [i, i + n + 1, i + n]] }).collect();
        let m = tris.len() as i32;
        let adj: Vec<[i32; 3]> = (0..m).map(|t| [if t > 0 { t - 1 } else { -1 }, if t + 1 < m { t + 1 } else { -1 }, if t + 8 < m { t + 8 } else { -1 }]).collect();
        let mesh = MeshRef { points: &points, tris: &tris, adj: &adj };
        let (a, c) = geometry(mesh);
        let u: Vec<f64> = (0..m).map(|t| (t % 7) as f64).collect();
        (diffuse(&mesh, &a, &c, &u, 0.01), a)
    }
}
port!(mesh_view: run());
