//! LULESH: volumes of hexahedra, characteristic lengths, hourglass-free stress to nodes, time constraints.
use omp_tests::twice;

twice! {
    #[derive(omp::Mapper)]
    pub struct Domain {
        x: Vec<f64>,
        y: Vec<f64>,
        z: Vec<f64>,
        nodelist: Vec<[usize; 8]>,
        volo: Vec<f64>,
        v: Vec<f64>,
        arealg: Vec<f64>,
        vdov: Vec<f64>,
        ss: Vec<f64>,
        nodal_mass: Vec<f64>,
        size: usize,
    }

    #[omp::declare_target]
    fn triple_product(a: [f64; 3], b: [f64; 3], c: [f64; 3]) -> f64 {
        a[0] * (b[1] * c[2] - b[2] * c[1]) + b[0] * (a[2] * c[1] - a[1] * c[2]) + c[0] * (a[1] * b[2] - a[2] * b[1])
    }

    #[omp::declare_target]
    fn elem_volume(x: &[f64; 8], y: &[f64; 8], z: &[f64; 8]) -> f64 {
        let twelveth = 1.0 / 12.0;
        let d = |a: usize, b: usize| [x[a] - x[b], y[a] - y[b], z[a] - z[b]];
        let add = |a: [f64; 3], b: [f64; 3]| [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
        let volume = triple_product(add(d(3, 1), d(7, 2)), d(6, 3), d(2, 0))
            + triple_product(add(d(4, 3), d(5, 7)), d(6, 4), d(7, 0))
            + triple_product(add(d(1, 4), d(2, 5)), d(6, 1), d(5, 0));
        volume * twelveth
    }

    #[omp::declare_target]
    fn area_face(p: [[f64; 3]; 4]) -> f64 {
        let mut f = [0.0; 3];
        let mut g = [0.0; 3];
        for k in 0..3 {
            f[k] = (p[2][k] - p[0][k]) - (p[3][k] - p[1][k]);
            g[k] = (p[2][k] - p[0][k]) + (p[3][k] - p[1][k]);
        }
        let dot = |a: &[f64; 3], b: &[f64; 3]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        dot(&f, &f) * dot(&g, &g) - dot(&f, &g).powi(2)
    }

    const FACES: [[usize; 4]; 6] =
        [[0, 1, 2, 3], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]];

    impl Domain {
        fn num_elem(&self) -> usize {
            self.size * self.size * self.size
        }

        fn collect_nodes(&self, k: usize) -> ([f64; 8], [f64; 8], [f64; 8]) {
            let nodes = self.nodelist[k];
            let (mut x, mut y, mut z) = ([0.0; 8], [0.0; 8], [0.0; 8]);
            for (i, &n) in nodes.iter().enumerate() {
                x[i] = self.x[n];
                y[i] = self.y[n];
                z[i] = self.z[n];
            }
            (x, y, z)
        }

        pub fn calc_kinematics(&mut self) {
            #[omp::target]
            for k in 0..self.num_elem() {
                let (x, y, z) = self.collect_nodes(k);
                let volume = elem_volume(&x, &y, &z);
                self.v[k] = volume / self.volo[k];
                let mut char_length = 0.0f64;
                for face in FACES {
                    let a = area_face(face.map(|n| [x[n], y[n], z[n]]));
                    char_length = char_length.max(a);
                }
                self.arealg[k] = 4.0 * volume / char_length.sqrt();
            }
        }

        pub fn nodal_masses(&mut self) {
            #[omp::target]
            for k in 0..self.num_elem() {
                for n in self.nodelist[k] {
                    #[omp::atomic]
                    self.nodal_mass[n] += self.volo[k] / 8.0;
                }
            }
        }

        pub fn courant(&self, qqc: f64) -> Option<f64> {
            let qqc2 = 64.0 * qqc * qqc;
            let mut dt_courant = 1e20f64;
            #[omp::target(reduction(min: dt_courant))]
            for i in 0..self.num_elem() {
                let mut dtf = self.ss[i] * self.ss[i];
                if self.vdov[i] < 0.0 {
                    dtf += qqc2 * self.arealg[i] * self.arealg[i] * self.vdov[i] * self.vdov[i];
                }
                let dtf = self.arealg[i] / dtf.sqrt();
                if self.vdov[i] != 0.0 && dtf < dt_courant {
                    dt_courant = dtf;
                }
            }
            (dt_courant < 1e20).then_some(dt_courant)
        }
    }

    pub fn run() -> (f64, Vec<Vec<f64>>) {
        let size = 4;
        let edge = size + 1;
        let at = |k: usize| [k % edge, k / edge % edge, k / (edge * edge)];
        let node = |k: usize, axis: usize| at(k)[axis] as f64 + 0.03 * ((k * 7 + axis * 3) % 5) as f64;
        let coords = |axis: usize| (0..edge.pow(3)).map(|k| node(k, axis)).collect::<Vec<f64>>();
        let n = size.pow(3);
        let nodelist = (0..n)
            .map(|k| {
                let (i, j, l) = (k % size, k / size % size, k / (size * size));
                let base = i + edge * (j + edge * l);
                let up = edge * edge;
                [base, base + 1, base + edge + 1, base + edge, base + up, base + up + 1, base + up + edge + 1, base + up + edge]
            })
            .collect();
        let mut domain = Domain {
            x: coords(0),
            y: coords(1),
            z: coords(2),
            nodelist,
            volo: (0..n).map(|k| 1.0 + (k % 3) as f64 * 0.25).collect(),
            v: vec![0.0; n],
            arealg: vec![0.0; n],
            vdov: (0..n).map(|k| (k % 5) as f64 - 2.0).collect(),
            ss: (0..n).map(|k| 1.0 + (k % 7) as f64).collect(),
            nodal_mass: vec![0.0; edge.pow(3)],
            size,
        };
        domain.calc_kinematics();
        domain.nodal_masses();
        let dt = domain.courant(2.0).unwrap_or(-1.0);
        (dt, vec![domain.v, domain.arealg, domain.nodal_mass])
    }
}
port!(lulesh: run());
