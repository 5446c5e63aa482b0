//! Finite elements: stiffness matrices of linear triangles, gathered to nodes.
use omp_tests::twice;

twice! {
    type Matrix<const N: usize> = [[f64; N]; N];

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Element { nodes: [u32; 3], conductivity: f64 }

    #[omp::declare_target]
    fn gradients(p: &[[f64; 2]; 3]) -> Option<([[f64; 2]; 3], f64)> {
        let [[x0, y0], [x1, y1], [x2, y2]] = *p;
        let det = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0);
        if det.abs() < 1e-14 {
            return None;
        }
        let b = [[y1 - y2, x2 - x1], [y2 - y0, x0 - x2], [y0 - y1, x1 - x0]];
        Some((b.map(|g| g.map(|v| v / det)), det.abs() / 2.0))
    }

    #[omp::declare_target]
    fn stiffness(e: &Element, p: &[[f64; 2]; 3]) -> Matrix<3> {
        let mut k = [[0.0; 3]; 3];
        if let Some((g, area)) = gradients(p) {
            for (row, gi) in k.iter_mut().zip(&g) {
                for (kij, gj) in row.iter_mut().zip(&g) {
                    *kij = e.conductivity * area * (gi[0] * gj[0] + gi[1] * gj[1]);
                }
            }
        }
        k
    }

    pub fn assemble(local: &mut [Matrix<3>], elements: &[Element], coords: &[[f64; 2]]) {
        #[omp::target]
        for (k, e) in local.iter_mut().zip(elements) {
            let corners = e.nodes.map(|n| coords[n as usize]);
            *k = stiffness(e, &corners);
        }
    }

    pub fn apply(y: &mut [f64], x: &[f64], local: &[Matrix<3>], elements: &[Element]) {
        #[omp::target]
        for (n, y) in y.iter_mut().enumerate() {
            *y = 0.0;
            for (e, k) in elements.iter().zip(local) {
                let Some(i) = e.nodes.iter().position(|&m| m as usize == n) else { continue };
                *y += (0..3).map(|j| k[i][j] * x[e.nodes[j] as usize]).sum::<f64>();
            }
        }
    }

    pub fn run() -> Vec<f64> {
        let w = 6;
        let coords: Vec<[f64; 2]> = (0..w * w).map(|i| [(i % w) as f64 + 0.1 * (i % 3) as f64, (i / w) as f64]).collect();
        let mut elements = Vec::new();
        for y in 0..w as u32 - 1 {
            for x in 0..w as u32 - 1 {
                let n = y * w as u32 + x;
                elements.push(Element { nodes: [n, n + 1, n + w as u32], conductivity: 1.0 + x as f64 });
                elements.push(Element { nodes: [n + 1, n + 1 + w as u32, n + w as u32], conductivity: 2.0 });
            }
        }
        let mut local = vec![[[0.0; 3]; 3]; elements.len()];
        assemble(&mut local, &elements, &coords);
        let x: Vec<f64> = (0..w * w).map(|i| (i * i % 17) as f64).collect();
        let mut y = vec![0.0; w * w];
        apply(&mut y, &x, &local, &elements);
        y
    }
}
port!(fem: run());
