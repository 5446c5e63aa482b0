//! miniFE: assembly of hexahedra into a sparse matrix by atomics, and Dirichlet rows.
use omp_tests::twice;

twice! {
    const NODES: usize = 8;

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct ElemData { ids: [u32; NODES], coords: [[f64; 3]; NODES], diffusion: [[f64; NODES]; NODES], source: [f64; NODES] }

    #[derive(Debug, omp::Mapper)]
    pub struct CsrMatrix { row_offsets: Vec<usize>, packed_cols: Vec<u32>, packed_coefs: Vec<f64> }

    pub struct SimpleMesh { nx: usize, ny: usize, nz: usize }

    impl SimpleMesh {
        fn node(&self, x: usize, y: usize, z: usize) -> usize { (z * (self.ny + 1) + y) * (self.nx + 1) + x }
        fn num_nodes(&self) -> usize { (self.nx + 1) * (self.ny + 1) * (self.nz + 1) }
        fn num_elems(&self) -> usize { self.nx * self.ny * self.nz }
    }

    #[omp::declare_target]
    fn gradients(xi: [f64; 3]) -> [[f64; 3]; NODES] {
        let mut g = [[0.0; 3]; NODES];
        for (n, g) in g.iter_mut().enumerate() {
            let s = [if matches!(n % 4, 1 | 2) { 1.0 } else { -1.0 }, if n % 4 >= 2 { 1.0 } else { -1.0 }, if n >= 4 { 1.0 } else { -1.0 }];
            let f = [1.0 + s[0] * xi[0], 1.0 + s[1] * xi[1], 1.0 + s[2] * xi[2]];
            *g = [0.125 * s[0] * f[1] * f[2], 0.125 * s[1] * f[0] * f[2], 0.125 * s[2] * f[0] * f[1]];
        }
        g
    }

    #[omp::declare_target]
    fn inverse3(j: &[[f64; 3]; 3]) -> ([[f64; 3]; 3], f64) {
        let cof = |a: usize, b: usize, c: usize, d: usize| j[a][c] * j[b][d] - j[a][d] * j[b][c];
        let det = j[0][0] * cof(1, 2, 1, 2) - j[0][1] * cof(1, 2, 0, 2) + j[0][2] * cof(1, 2, 0, 1);
        let r = 1.0 / det;
        let inv = [
            [r * cof(1, 2, 1, 2), -r * cof(0, 2, 1, 2), r * cof(0, 1, 1, 2)],
            [-r * cof(1, 2, 0, 2), r * cof(0, 2, 0, 2), -r * cof(0, 1, 0, 2)],
            [r * cof(1, 2, 0, 1), -r * cof(0, 2, 0, 1), r * cof(0, 1, 0, 1)],
        ];
        (inv, det)
    }

    #[omp::declare_target]
    impl ElemData {
        fn compute(&mut self) {
            const P: f64 = 0.5773502691896257;
            self.diffusion = [[0.0; NODES]; NODES];
            self.source = [0.0; NODES];
            for q in 0..8 {
                let xi = [if q & 1 == 0 { -P } else { P }, if q & 2 == 0 { -P } else { P }, if q & 4 == 0 { -P } else { P }];
                let g = gradients(xi);
                let mut jac = [[0.0; 3]; 3];
                for n in 0..NODES {
                    for a in 0..3 {
                        for b in 0..3 {
                            jac[a][b] += g[n][a] * self.coords[n][b];
                        }
                    }
                }
                let (inv, det) = inverse3(&jac);
                let mut dpsi = [[0.0; 3]; NODES];
                for n in 0..NODES {
                    for a in 0..3 {
                        dpsi[n][a] = (0..3).map(|b| inv[a][b] * g[n][b]).sum::<f64>();
                    }
                }
                for i in 0..NODES {
                    for k in 0..NODES {
                        self.diffusion[i][k] += det * (dpsi[i][0] * dpsi[k][0] + dpsi[i][1] * dpsi[k][1] + dpsi[i][2] * dpsi[k][2]);
                    }
                    self.source[i] += det / 8.0;
                }
            }
        }
    }

    pub fn assemble(mesh: &SimpleMesh, a: &mut CsrMatrix, b: &mut [f64]) {
        let elems = mesh.num_elems();
        let (nx, ny) = (mesh.nx, mesh.ny);
        #[omp::target]
        for e in 0..elems {
            let (ex, ey, ez) = (e % nx, e / nx % ny, e / (nx * ny));
            let corner = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)];
            let mut elem = ElemData { ids: [0; NODES], coords: [[0.0; 3]; NODES], diffusion: [[0.0; NODES]; NODES], source: [0.0; NODES] };
            for (n, &(dx, dy, dz)) in corner.iter().enumerate() {
                let (x, y, z) = (ex + dx, ey + dy, ez + dz);
                elem.ids[n] = mesh.node(x, y, z) as u32;
                elem.coords[n] = [x as f64 * 0.5, y as f64 + 0.1 * x as f64, z as f64 * 2.0];
            }
            elem.compute();
            for i in 0..NODES {
                let row = elem.ids[i] as usize;
                let begin = a.row_offsets[row];
                let cols = &a.packed_cols[begin..a.row_offsets[row + 1]];
                for k in 0..NODES {
                    if let Some(at) = cols.iter().position(|&c| c == elem.ids[k]) {
                        #[omp::atomic]
                        a.packed_coefs[begin + at] += elem.diffusion[i][k];
                    }
                }
                #[omp::atomic]
                b[row] += elem.source[i];
            }
        }
    }

    pub fn impose_dirichlet(prescribed: f64, a: &mut CsrMatrix, b: &mut [f64], on_boundary: &[bool]) {
        #[omp::target]
        for row in 0..b.len() {
            for k in a.row_offsets[row]..a.row_offsets[row + 1] {
                let col = a.packed_cols[k] as usize;
                if on_boundary[row] {
                    a.packed_coefs[k] = if col == row { 1.0 } else { 0.0 };
                } else if on_boundary[col] {
                    b[row] -= prescribed * a.packed_coefs[k];
                    a.packed_coefs[k] = 0.0;
                }
            }
            if on_boundary[row] { b[row] = prescribed; }
        }
    }

    pub fn run() -> (Vec<f64>, Vec<f64>) {
        let mesh = SimpleMesh { nx: 3, ny: 2, nz: 3 };
        let n = mesh.num_nodes();
        let (mut row_offsets, mut packed_cols) = (vec![0], vec![]);
        for z in 0..=mesh.nz { for y in 0..=mesh.ny { for x in 0..=mesh.nx {
            for zz in z.saturating_sub(1)..=(z + 1).min(mesh.nz) { for yy in y.saturating_sub(1)..=(y + 1).min(mesh.ny) { for xx in x.saturating_sub(1)..=(x + 1).min(mesh.nx) {
                packed_cols.push(mesh.node(xx, yy, zz) as u32);
            } } }
            row_offsets.push(packed_cols.len());
        } } }
        let mut a = CsrMatrix { packed_coefs: vec![0.0; packed_cols.len()], row_offsets, packed_cols };
        let mut b = vec![0.0; n];
        assemble(&mesh, &mut a, &mut b);
        let on_boundary: Vec<bool> = (0..n).map(|i| i % (mesh.nx + 1) == 0).collect();
        impose_dirichlet(1.5, &mut a, &mut b, &on_boundary);
        (a.packed_coefs, b)
    }
}
port!(minife_assembly: run());
