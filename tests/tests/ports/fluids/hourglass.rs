//! LULESH: hourglass forces of hexahedra (Flanagan-Belytschko).
use omp_tests::twice;

twice! {
    type Hex = [f64; 8];

    const GAMMA: [[f64; 8]; 4] = [
        [1.0, 1.0, -1.0, -1.0, -1.0, -1.0, 1.0, 1.0],
        [1.0, -1.0, -1.0, 1.0, -1.0, 1.0, 1.0, -1.0],
        [1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 1.0, -1.0],
        [-1.0, 1.0, -1.0, 1.0, 1.0, -1.0, 1.0, -1.0],
    ];

    #[omp::declare_target]
    fn collect(nodes: &[u32; 8], field: &[f64]) -> Hex {
        nodes.map(|n| field[n as usize])
    }

    #[omp::declare_target]
    fn volume_derivative(x: &Hex, y: &Hex, z: &Hex) -> (Hex, Hex, Hex) {
        const ORDER: [[usize; 6]; 8] = [
            [1, 2, 3, 4, 5, 7],
            [0, 1, 2, 7, 4, 6],
            [3, 0, 1, 6, 7, 5],
            [2, 3, 0, 5, 6, 4],
            [7, 6, 5, 0, 3, 1],
            [4, 7, 6, 1, 0, 2],
            [5, 4, 7, 2, 1, 3],
            [6, 5, 4, 3, 2, 0],
        ];
        let (mut dx, mut dy, mut dz) = ([0.0; 8], [0.0; 8], [0.0; 8]);
        for (k, &[a, b, c, d, e, f]) in ORDER.iter().enumerate() {
            let vol = |u: &Hex, v: &Hex| {
                (u[b] + u[c]) * (v[a] + v[b]) - (u[a] + u[b]) * (v[b] + v[c]) + (u[a] + u[e]) * (v[d] + v[e])
                    - (u[d] + u[e]) * (v[a] + v[e])
                    - (u[c] + u[f]) * (v[d] + v[f])
                    + (u[d] + u[f]) * (v[c] + v[f])
            };
            dx[k] = vol(y, z) / 12.0;
            dy[k] = vol(z, x) / 12.0;
            dz[k] = vol(x, y) / 12.0;
        }
        (dx, dy, dz)
    }

    pub struct Domain {
        nodelist: Vec<[u32; 8]>,
        coord: [Vec<f64>; 3],
        vel: [Vec<f64>; 3],
        volo: Vec<f64>,
        v: Vec<f64>,
        ss: Vec<f64>,
        mass: Vec<f64>,
    }

    impl Domain {
        #[omp::offload]
        pub fn hourglass_forces(&self, hgcoef: f64) -> Vec<[Hex; 3]> {
            let num_elem = self.nodelist.len();
            let mut force = vec![[[0.0; 8]; 3]; num_elem];
            let [x, y, z] = &self.coord;
            let [xd, yd, zd] = &self.vel;
            #[omp::target]
            for e in 0..num_elem {
                let nodes = &self.nodelist[e];
                let (x8, y8, z8) = (collect(nodes, x), collect(nodes, y), collect(nodes, z));
                let (dvdx, dvdy, dvdz) = volume_derivative(&x8, &y8, &z8);
                let determ = self.volo[e] * self.v[e];
                let volinv = 1.0 / determ;
                let mut hourgam = [[0.0; 4]; 8];
                for (i1, gamma) in GAMMA.iter().enumerate() {
                    let dot = |a: &Hex| a.iter().zip(gamma).map(|(a, g)| a * g).sum::<f64>();
                    let (hx, hy, hz) = (dot(&x8), dot(&y8), dot(&z8));
                    for (k, row) in hourgam.iter_mut().enumerate() {
                        row[i1] = gamma[k] - volinv * (dvdx[k] * hx + dvdy[k] * hy + dvdz[k] * hz);
                    }
                }
                let coefficient = -hgcoef * 0.01 * self.ss[e] * self.mass[e] / determ.cbrt();
                let vels = [collect(nodes, xd), collect(nodes, yd), collect(nodes, zd)];
                for (f, vel) in force[e].iter_mut().zip(&vels) {
                    let mut hxx = [0.0; 4];
                    for (i, h) in hxx.iter_mut().enumerate() {
                        *h = (0..8).map(|j| hourgam[j][i] * vel[j]).sum();
                    }
                    for i in 0..8 {
                        f[i] = coefficient * hourgam[i].iter().zip(hxx).map(|(g, h)| g * h).sum::<f64>();
                    }
                }
            }
            force
        }
    }

    pub fn run(n: usize) -> Vec<f64> {
        let nodes = n + 9;
        let f = |s: usize| (0..nodes).map(|i| ((i * s) % 23) as f64 * 0.13 + 0.01 * i as f64).collect::<Vec<f64>>();
        let d = Domain {
            nodelist: (0..n).map(|e| std::array::from_fn(|k| ((e * 3 + k * 5) % nodes) as u32)).collect(),
            coord: [f(3), f(5), f(7)],
            vel: [f(11), f(13), f(17)],
            volo: vec![1.5; n],
            v: (0..n).map(|i| 0.9 + 0.01 * (i % 7) as f64).collect(),
            ss: vec![0.8; n],
            mass: vec![2.0; n],
        };
        d.hourglass_forces(3.0).iter().flatten().flatten().copied().collect()
    }
}
port!(hourglass: (run(0), run(1), run(33)));
