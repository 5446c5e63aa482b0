//! Finite elements: stiffness matrices of bilinear quadrilaterals, and their residual.
use omp_tests::twice;

twice! {
    const G: f64 = 0.577_350_269_189_625_8;
    const GAUSS: [(f64, f64); 4] = [(-G, -G), (G, -G), (G, G), (-G, G)];
    const CORNERS: [(f64, f64); 4] = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];

    pub type Ke = [[f64; 4]; 4];

    #[derive(Clone, Copy, omp::Device)]
    struct Jacobian { j: [[f64; 2]; 2] }

    #[omp::declare_target]
    impl Jacobian {
        fn det(&self) -> f64 { let [[a, b], [c, d]] = self.j; a * d - b * c }
        fn inverse(&self) -> Option<[[f64; 2]; 2]> {
            let det = self.det();
            if det.abs() < 1e-14 { return None; }
            let [[a, b], [c, d]] = self.j;
            Some([[d / det, -b / det], [-c / det, a / det]])
        }
    }

    #[omp::declare_target]
    fn shape_gradients(xi: f64, eta: f64) -> [[f64; 2]; 4] {
        CORNERS.map(|(cx, cy)| [0.25 * cx * (1.0 + cy * eta), 0.25 * cy * (1.0 + cx * xi)])
    }

    pub fn stiffness(nodes: &[[f64; 2]], elements: &[[usize; 4]], conductivity: impl Fn(f64, f64) -> f64) -> Vec<Ke> {
        let k: Vec<f64> = elements.iter().map(|e| conductivity(nodes[e[0]][0], nodes[e[0]][1])).collect();
        let mut out = vec![Ke::default(); elements.len()];
        #[omp::target]
        for (e, ke) in out.iter_mut().enumerate() {
            let mut acc = [[0.0; 4]; 4];
            for &(xi, eta) in GAUSS.iter() {
                let dn = shape_gradients(xi, eta);
                let mut j = [[0.0; 2]; 2];
                for (g, &node) in dn.iter().zip(&elements[e]) {
                    for r in 0..2 {
                        for c in 0..2 {
                            j[r][c] += g[r] * nodes[node][c];
                        }
                    }
                }
                let jac = Jacobian { j };
                let Some(inv) = jac.inverse() else { continue };
                let b = dn.map(|g| [inv[0][0] * g[0] + inv[0][1] * g[1], inv[1][0] * g[0] + inv[1][1] * g[1]]);
                for (i, bi) in b.iter().enumerate() {
                    for (j, bj) in b.iter().enumerate() {
                        acc[i][j] += k[e] * (bi[0] * bj[0] + bi[1] * bj[1]) * jac.det();
                    }
                }
            }
            *ke = acc;
        }
        out
    }

    pub fn residual(elements: &[[usize; 4]], ke: &[Ke], u: &[f64], r: &mut [f64]) {
        #[omp::target]
        for (nodes, k) in elements.iter().zip(ke) {
            for (&n, row) in nodes.iter().zip(k) {
                let v: f64 = row.iter().zip(nodes).map(|(k, &m)| k * u[m]).sum();
                #[omp::atomic]
                r[n] -= v;
            }
        }
    }
    pub fn run() -> (Vec<f64>, f64) {
        let n = 5;
        let nodes: Vec<[f64; 2]> = (0..n * n).map(|i| [(i % n) as f64 + 0.1 * (i / n % 2) as f64, (i / n) as f64]).collect();
        let elements: Vec<[usize; 4]> = (0..(n - 1) * (n - 1)).map(|e| { let i = e / (n - 1) * n + e % (n - 1); [i, i + 1, i + n + 1, i + n] }).collect();
        let ke = stiffness(&nodes, &elements, |x, y| 1.0 + 0.5 * x + y);
        let u: Vec<f64> = nodes.iter().map(|[x, y]| x * y).collect();
        let mut r = vec![0.0; n * n];
        residual(&elements, &ke, &u, &mut r);
        (r, ke[3][1][2])
    }
}
port!(fem_quad4: run());
