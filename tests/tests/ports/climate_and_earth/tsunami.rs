//! HeCBench easyWave: linear long waves on a staggered grid with depth, land as an enum, and gauges.
use omp_tests::twice;

// (Outside of the macro, where the derive sees its other derives.)
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
#[repr(u8)]
pub enum Cell {
    Land,
    Sea { depth: f32 },
}

twice! {

    #[derive(Clone, Copy, Debug, Default, omp::Device)]
    pub struct Node { h: f32, flux_n: f32, flux_m: f32, max: f32, arrival: Option<u32> }

    pub struct Ocean { nx: usize, ny: usize, cells: Vec<Cell>, nodes: Vec<Node>, step: u32 }

    #[omp::declare_target]
    fn wet(a: Cell, b: Cell) -> Option<f32> {
        match (a, b) {
            (Cell::Sea { depth: x }, Cell::Sea { depth: y }) => Some(0.5 * (x + y)),
            _ => None,
        }
    }

    impl Ocean {
        fn id(&self, x: usize, y: usize) -> usize { y * self.nx + x }

        pub fn advance(&mut self, dt: f32) {
            let (nx, ny) = (self.nx, self.ny);
            let step = self.step;
            #[omp::target(collapse(2))]
            for y in 1..ny - 1 {
                for x in 1..nx - 1 {
                    let i = self.id(x, y);
                    if self.cells[i] == Cell::Land {
                        continue;
                    }
                    let divergence = self.nodes[i].flux_m - self.nodes[i - 1].flux_m + self.nodes[i].flux_n - self.nodes[i - nx].flux_n;
                    let mut h = self.nodes[i].h - dt * divergence;
                    if h.abs() < 1e-6 {
                        h = 0.0;
                    }
                    self.nodes[i].h = h;
                    self.nodes[i].max = self.nodes[i].max.max(h);
                    if h.abs() > 0.01 && self.nodes[i].arrival.is_none() {
                        self.nodes[i].arrival = Some(step);
                    }
                }
            }
            #[omp::target(collapse(2))]
            for y in 1..ny - 1 {
                for x in 1..nx - 1 {
                    let i = self.id(x, y);
                    let h = self.nodes[i].h;
                    let (east, south) = (self.nodes[i + 1].h, self.nodes[i + nx].h);
                    if let Some(d) = wet(self.cells[i], self.cells[i + 1]) {
                        self.nodes[i].flux_m -= dt * 9.81 * d * (east - h);
                    }
                    if let Some(d) = wet(self.cells[i], self.cells[i + nx]) {
                        self.nodes[i].flux_n -= dt * 9.81 * d * (south - h);
                    }
                }
            }
            self.step += 1;
        }

        pub fn flooded(&self, above: f32) -> usize {
            let mut n = 0;
            #[omp::target(reduction(+: n))]
            for (node, cell) in self.nodes.iter().zip(&self.cells) {
                n += matches!(cell, Cell::Sea { depth } if *depth < 30.0 && node.max > above) as usize;
            }
            n
        }
    }

    pub fn run() -> (Vec<f32>, Vec<u32>, usize) {
        let (nx, ny) = (20, 16);
        let cells = (0..nx * ny)
            .map(|i| if i % nx > 16 || (i / nx == 5 && i % nx > 10) { Cell::Land } else { Cell::Sea { depth: 50.0 - (i % nx) as f32 * 2.0 } })
            .collect();
        let nodes = (0..nx * ny)
            .map(|i| { let (x, y) = ((i % nx) as f32 - 6.0, (i / nx) as f32 - 8.0); Node { h: (-(x * x + y * y) / 6.0).exp(), ..Node::default() } })
            .collect();
        let mut o = Ocean { nx, ny, cells, nodes, step: 1 };
        for _ in 0..20 { o.advance(0.01); }
        let n = o.flooded(0.02);
        (o.nodes.iter().map(|n| n.max).collect(), o.nodes.iter().map(|n| n.arrival.unwrap_or(0)).collect(), n)
    }
}
port!(tsunami: run());
