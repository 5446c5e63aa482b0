//! Material points (MPM): quadratic B-spline transfers between particles and a grid, in two dimensions.
use omp_tests::twice;
twice! {
    pub type V2 = [f64; 2];
    pub type M2 = [[f64; 2]; 2];

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Point { x: V2, v: V2, c: M2, j: f64 }

    #[omp::declare_target]
    fn weights(f: f64) -> [f64; 3] {
        [0.5 * (1.5 - f).powi(2), 0.75 - (f - 1.0).powi(2), 0.5 * (f - 0.5).powi(2)]
    }

    #[omp::declare_target]
    fn mul(m: &M2, v: V2) -> V2 {
        m.map(|row| row.iter().zip(v).map(|(a, b)| a * b).sum())
    }

    #[omp::declare_target]
    fn outer(a: V2, b: V2) -> M2 {
        std::array::from_fn(|i| std::array::from_fn(|j| a[i] * b[j]))
    }

    #[omp::declare_target]
    fn base(x: V2, inv_dx: f64) -> ([usize; 2], V2) {
        let b = x.map(|c| (c * inv_dx - 0.5) as usize);
        let f = [x[0] * inv_dx - b[0] as f64, x[1] * inv_dx - b[1] as f64];
        (b, f)
    }

    pub struct Solver { pub n: usize, pub dt: f64, pub points: Vec<Point>, pub mass: Vec<f64>, pub momentum: Vec<V2> }

    impl Solver {
        const STIFFNESS: f64 = 40.0;

        pub fn step(&mut self) {
            let n = self.n;
            let inv_dx = n as f64;
            let dx = 1.0 / inv_dx;
            let dt = self.dt;
            let volume = (0.5 * dx) * (0.5 * dx);
            self.mass.fill(0.0);
            self.momentum.fill([0.0; 2]);
            let mass = &mut self.mass;
            let momentum = &mut self.momentum;
            #[omp::target]
            for p in self.points.iter() {
                let ([bx, by], fx) = base(p.x, inv_dx);
                let w = fx.map(weights);
                let stress = -dt * 4.0 * Self::STIFFNESS * volume * (p.j - 1.0) * inv_dx * inv_dx;
                let affine = [[stress + p.c[0][0], p.c[0][1]], [p.c[1][0], stress + p.c[1][1]]];
                for (i, wx) in w[0].iter().enumerate() {
                    for (j, wy) in w[1].iter().enumerate() {
                        let d = [(i as f64 - fx[0]) * dx, (j as f64 - fx[1]) * dx];
                        let weight = wx * wy;
                        let push = mul(&affine, d);
                        let cell = (bx + i) * n + by + j;
                        #[omp::atomic]
                        mass[cell] += weight;
                        for a in 0..2 {
                            #[omp::atomic]
                            momentum[cell][a] += weight * (p.v[a] + push[a]);
                        }
                    }
                }
            }
            #[omp::target]
            for (cell, (v, &m)) in momentum.iter_mut().zip(mass.iter()).enumerate() {
                if m <= 0.0 {
                    continue;
                }
                let (i, j) = (cell / n, cell % n);
                for c in v.iter_mut() {
                    *c /= m;
                }
                v[1] -= dt * 9.8;
                let [vx, vy] = v;
                if i < 3 && *vx < 0.0 || i > n - 3 && *vx > 0.0 { *vx = 0.0; }
                if j < 3 && *vy < 0.0 || j > n - 3 && *vy > 0.0 { *vy = 0.0; }
            }
            #[omp::target]
            for p in self.points.iter_mut() {
                let ([bx, by], fx) = base(p.x, inv_dx);
                let w: [[f64; 3]; 2] = fx.map(weights);
                let (mut v, mut c) = ([0.0; 2], [[0.0; 2]; 2]);
                for (i, j) in (0..3).flat_map(|i| (0..3).map(move |j| (i, j))) {
                    let d = [(i as f64 - fx[0]) * dx, (j as f64 - fx[1]) * dx];
                    let weight = w[0][i] * w[1][j];
                    let g = momentum[(bx + i) * n + by + j];
                    for a in 0..2 { v[a] += weight * g[a]; }
                    let o = outer(g, d);
                    for (row, add) in c.iter_mut().zip(&o) {
                        for (e, x) in row.iter_mut().zip(add) {
                            *e += 4.0 * inv_dx * inv_dx * weight * x;
                        }
                    }
                }
                p.v = v;
                p.c = c;
                p.j *= 1.0 + dt * (c[0][0] + c[1][1]);
                for (x, v) in p.x.iter_mut().zip(v) {
                    *x += dt * v;
                }
            }
        }
    }

    pub fn run() -> Vec<[f64; 2]> {
        let n = 16;
        let points = (0..64).map(|i| Point { x: [0.3 + 0.03 * (i % 8) as f64, 0.4 + 0.03 * (i / 8) as f64], v: [0.5, -1.0], c: [[0.0; 2]; 2], j: 1.0 }).collect();
        let mut s = Solver { n, dt: 1e-3, points, mass: vec![0.0; n * n], momentum: vec![[0.0; 2]; n * n] };
        for _ in 0..6 { s.step(); }
        s.points.iter().map(|p| p.x).collect()
    }
}
port!(material_points: run());
