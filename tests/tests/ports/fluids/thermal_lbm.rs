//! Thermal lattice Boltzmann with cell types.
use omp_tests::twice;

twice! {
    const Q: usize = 9;
    const E: [[i32; 2]; Q] = [[0, 0], [1, 0], [0, 1], [-1, 0], [0, -1], [1, 1], [-1, 1], [-1, -1], [1, -1]];
    const W: [f32; Q] = [4.0 / 9.0, 1.0 / 9.0, 1.0 / 9.0, 1.0 / 9.0, 1.0 / 9.0, 1.0 / 36.0, 1.0 / 36.0, 1.0 / 36.0, 1.0 / 36.0];
    const OPPOSITE: [usize; Q] = [0, 3, 4, 1, 2, 7, 8, 5, 6];

    #[derive(Clone, Copy, PartialEq, Eq, Debug, omp::Device)]
    enum Cell {
        Fluid,
        Wall,
        Hot,
        Cold,
    }

    #[derive(Clone, Copy, Debug, omp::Device)]
    struct Node {
        f: [f32; Q],
        g: [f32; 5],
    }

    struct Lattice {
        nx: usize,
        ny: usize,
        cells: Vec<Cell>,
        nodes: [Vec<Node>; 2],
        current: usize,
    }

    #[omp::declare_target]
    fn equilibrium(rho: f32, [u, v]: [f32; 2]) -> [f32; Q] {
        let usq = u * u + v * v;
        std::array::from_fn(|q| {
            let eu = E[q][0] as f32 * u + E[q][1] as f32 * v;
            W[q] * rho * (1.0 + 3.0 * eu + 4.5 * eu * eu - 1.5 * usq)
        })
    }

    impl Lattice {
        #[omp::offload]
        fn step(&mut self, omega: f32, omega_t: f32, buoyancy: f32) {
            let (nx, ny) = (self.nx, self.ny);
            let (first, second) = self.nodes.split_at_mut(1);
            let (src, dst) = if self.current == 0 { (&first[0], &mut second[0]) } else { (&second[0], &mut first[0]) };
            let cells = &self.cells;
            #[omp::target(collapse(2))]
            for y in 0..ny {
                for x in 0..nx {
                    let here = y * nx + x;
                    if cells[here] == Cell::Wall {
                        dst[here] = src[here];
                        continue;
                    }
                    let neighbour = |q: usize| {
                        let xs = (x as i32 - E[q][0]).rem_euclid(nx as i32) as usize;
                        let ys = (y as i32 - E[q][1]).rem_euclid(ny as i32) as usize;
                        ys * nx + xs
                    };
                    let mut f = [0.0; Q];
                    let mut g = [0.0; 5];
                    for q in 0..Q {
                        let from = neighbour(q);
                        let bounce = cells[from] == Cell::Wall;
                        f[q] = if bounce { src[here].f[OPPOSITE[q]] } else { src[from].f[q] };
                        if q < 5 {
                            g[q] = if bounce { src[here].g[OPPOSITE[q]] } else { src[from].g[q] };
                        }
                    }
                    let rho: f32 = f.iter().sum();
                    let t: f32 = match cells[here] {
                        Cell::Hot => 1.0,
                        Cell::Cold => 0.0,
                        _ => g.iter().sum(),
                    };
                    let mut m = [0.0f32; 2];
                    for (fq, e) in f.iter().zip(E.iter()) {
                        m[0] += fq * e[0] as f32;
                        m[1] += fq * e[1] as f32;
                    }
                    let vel = m.map(|c| c / rho);
                    let feq = equilibrium(rho, vel);
                    let node = &mut dst[here];
                    for q in 0..Q {
                        let force = 3.0 * W[q] * rho * buoyancy * (t - 0.5) * E[q][1] as f32;
                        node.f[q] = f[q] + omega * (feq[q] - f[q]) + force;
                    }
                    for (q, out) in node.g.iter_mut().enumerate() {
                        let w = if q == 0 { 1.0 / 3.0 } else { 1.0 / 6.0 };
                        let geq = w * t * (1.0 + 3.0 * (E[q][0] as f32 * vel[0] + E[q][1] as f32 * vel[1]));
                        *out = g[q] + omega_t * (geq - g[q]);
                    }
                }
            }
            self.current ^= 1;
        }
    }

    pub fn run(n: usize) -> Vec<f64> {
        let (nx, ny) = (n.min(40), 8);
        let cells: Vec<Cell> = (0..nx * ny).map(|i| match i / nx.max(1) { 0 => Cell::Hot, 7 => Cell::Cold, _ if i % 11 == 5 => Cell::Wall, _ => Cell::Fluid }).collect();
        let node = |i: usize| Node { f: W.map(|w| w * (1.0 + 0.01 * (i % 5) as f32)), g: [0.1; 5] };
        let init: Vec<Node> = (0..nx * ny).map(node).collect();
        let mut l = Lattice { nx, ny, cells, nodes: [init.clone(), init], current: 0 };
        for _ in 0..5 {
            l.step(1.2, 1.1, 0.01);
        }
        l.nodes[l.current].iter().flat_map(|n| n.f.into_iter().chain(n.g)).map(|v| v as f64).collect()
    }
}
port!(thermal_lbm: [run(0), run(1), run(33)].map(|all| all.into_iter().map(|v| v as f32).collect::<Vec<f32>>()));
