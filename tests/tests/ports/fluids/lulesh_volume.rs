//! LULESH: element volumes and their gradients, gathered from nodes and summed back to them.
use omp_tests::twice;

twice! {
    pub type Corner = [f64; 8];

    #[omp::declare_target]
    fn triple_product(x1: f64, y1: f64, z1: f64, x2: f64, y2: f64, z2: f64, x3: f64, y3: f64, z3: f64) -> f64 {
        x1 * (y2 * z3 - z2 * y3) + x2 * (z1 * y3 - y1 * z3) + x3 * (y1 * z2 - z1 * y2)
    }

    #[omp::declare_target]
    fn elem_volume(x: &Corner, y: &Corner, z: &Corner) -> f64 {
        let d = |a: usize, b: usize| (x[a] - x[b], y[a] - y[b], z[a] - z[b]);
        let (dx61, dy61, dz61) = d(6, 1);
        let (dx70, dy70, dz70) = d(7, 0);
        let (dx63, dy63, dz63) = d(6, 3);
        let (dx20, dy20, dz20) = d(2, 0);
        let (dx50, dy50, dz50) = d(5, 0);
        let (dx64, dy64, dz64) = d(6, 4);
        let (dx31, dy31, dz31) = d(3, 1);
        let (dx72, dy72, dz72) = d(7, 2);
        let (dx43, dy43, dz43) = d(4, 3);
        let (dx57, dy57, dz57) = d(5, 7);
        let (dx14, dy14, dz14) = d(1, 4);
        let (dx25, dy25, dz25) = d(2, 5);
        (triple_product(dx31 + dx72, dy31 + dy72, dz31 + dz72, dx63, dy63, dz63, dx20, dy20, dz20)
            + triple_product(dx43 + dx57, dy43 + dy57, dz43 + dz57, dx64, dy64, dz64, dx70, dy70, dz70)
            + triple_product(dx14 + dx25, dy14 + dy25, dz14 + dz25, dx61, dy61, dz61, dx50, dy50, dz50))
            * (1.0 / 12.0)
    }

    pub struct Mesh { x: Vec<f64>, y: Vec<f64>, z: Vec<f64>, nodelist: Vec<[usize; 8]>, edge_nodes: usize }

    impl Mesh {
        pub fn cube(edge: usize) -> Mesh {
            let en = edge + 1;
            let coord = |f: fn(usize, usize) -> usize| (0..en * en * en).map(|i| f(i, en) as f64 + 0.05 * ((i * i) % 5) as f64).collect::<Vec<f64>>();
            let nodelist = (0..edge * edge * edge)
                .map(|e| {
                    let (i, j, k) = (e % edge, e / edge % edge, e / edge / edge);
                    let n = |i: usize, j: usize, k: usize| i + en * (j + en * k);
                    [n(i, j, k), n(i + 1, j, k), n(i + 1, j + 1, k), n(i, j + 1, k), n(i, j, k + 1), n(i + 1, j, k + 1), n(i + 1, j + 1, k + 1), n(i, j + 1, k + 1)]
                })
                .collect();
            Mesh { x: coord(|i, n| i % n), y: coord(|i, n| i / n % n), z: coord(|i, n| i / n / n), nodelist, edge_nodes: en }
        }

        pub fn volumes(&self) -> Vec<f64> {
            let mut v = vec![0.0; self.nodelist.len()];
            #[omp::target]
            for (v, nodes) in v.iter_mut().zip(&self.nodelist) {
                let gather = |c: &[f64]| -> Corner { std::array::from_fn(|k| c[nodes[k]]) };
                let (x, y, z) = (gather(&self.x), gather(&self.y), gather(&self.z));
                *v = elem_volume(&x, &y, &z);
            }
            v
        }

        pub fn nodal_mass(&self, volumes: &[f64]) -> Vec<f64> {
            let mut mass = vec![0.0; self.edge_nodes.pow(3)];
            #[omp::target]
            for (nodes, v) in self.nodelist.iter().zip(volumes) {
                for &n in nodes {
                    #[omp::atomic]
                    mass[n] += v / 8.0;
                }
            }
            mass
        }
    }
    pub fn run() -> (Vec<f64>, Vec<f64>) {
        let m = Mesh::cube(4);
        let v = m.volumes();
        let mass = m.nodal_mass(&v);
        (v, mass)
    }
}
port!(lulesh_volume: run());
