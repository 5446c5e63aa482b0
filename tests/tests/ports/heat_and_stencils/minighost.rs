//! miniGhost: stencils chosen by an enum, grid sums and boundary fluxes.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Stencil {
        D2Pt5,
        D2Pt9,
        D3Pt7,
        D3Pt27,
    }

    #[derive(Clone)]
    pub struct Grid3 {
        n: [usize; 3],
        v: Vec<f64>,
    }

    impl Grid3 {
        fn new(n: [usize; 3]) -> Self {
            let len = n.iter().map(|d| d + 2).product();
            Grid3 { n, v: vec![0.0; len] }
        }
        #[inline(always)]
        fn at(&self, x: usize, y: usize, z: usize) -> usize {
            x + (self.n[0] + 2) * (y + (self.n[1] + 2) * z)
        }
        fn get(&self, x: usize, y: usize, z: usize) -> f64 {
            self.v[self.at(x, y, z)]
        }
    }

    #[omp::offload]
    fn stencil(kind: Stencil, src: &Grid3, dst: &mut Grid3) {
        let [nx, ny, nz] = src.n;
        match kind {
            Stencil::D2Pt5 => {
                #[omp::target(collapse(3))]
                for z in 1..=nz {
                    for y in 1..=ny {
                        for x in 1..=nx {
                            let at = dst.at(x, y, z);
                            dst.v[at] = (src.get(x - 1, y, z) + src.get(x, y - 1, z) + src.get(x, y, z) + src.get(x, y + 1, z) + src.get(x + 1, y, z)) / 5.0;
                        }
                    }
                }
            }
            Stencil::D2Pt9 => {
                #[omp::target(collapse(3))]
                for z in 1..=nz {
                    for y in 1..=ny {
                        for x in 1..=nx {
                            let mut sum = 0.0;
                            for dy in 0..3 {
                                for dx in 0..3 {
                                    sum += src.get(x + dx - 1, y + dy - 1, z);
                                }
                            }
                            let at = dst.at(x, y, z);
                            dst.v[at] = sum / 9.0;
                        }
                    }
                }
            }
            Stencil::D3Pt7 => {
                #[omp::target(collapse(3))]
                for z in 1..=nz {
                    for y in 1..=ny {
                        for x in 1..=nx {
                            const OFFSETS: [(isize, isize, isize); 7] = [(0, 0, 0), (-1, 0, 0), (1, 0, 0), (0, -1, 0), (0, 1, 0), (0, 0, -1), (0, 0, 1)];
                            let at = dst.at(x, y, z);
                            dst.v[at] = OFFSETS
                                .iter()
                                .map(|&(dx, dy, dz)| src.get((x as isize + dx) as usize, (y as isize + dy) as usize, (z as isize + dz) as usize))
                                .sum::<f64>()
                                / OFFSETS.len() as f64;
                        }
                    }
                }
            }
            Stencil::D3Pt27 => {
                #[omp::target(collapse(3))]
                for z in 1..=nz {
                    for y in 1..=ny {
                        for x in 1..=nx {
                            let sum: f64 = (z - 1..=z + 1).flat_map(|k| (y - 1..=y + 1).flat_map(move |j| (x - 1..=x + 1).map(move |i| (i, j, k)))).map(|(i, j, k)| src.get(i, j, k)).sum();
                            let at = dst.at(x, y, z);
                            dst.v[at] = sum / 27.0;
                        }
                    }
                }
            }
        }
    }

    #[omp::offload]
    fn grid_sum(g: &Grid3) -> f64 {
        let mut total = 0.0;
        #[omp::target(collapse(3), reduction(+: total))]
        for z in 1..=g.n[2] {
            for y in 1..=g.n[1] {
                for x in 1..=g.n[0] {
                    total += g.get(x, y, z);
                }
            }
        }
        total
    }

    pub fn run(n: usize) -> Vec<f64> {
        let mut a = Grid3::new([n.min(40), 5, 4]);
        for (i, v) in a.v.iter_mut().enumerate() {
            *v = (i % 17) as f64;
        }
        let mut b = Grid3::new(a.n);
        let mut out = vec![];
        for kind in [Stencil::D2Pt5, Stencil::D2Pt9, Stencil::D3Pt7, Stencil::D3Pt27] {
            stencil(kind, &a, &mut b);
            std::mem::swap(&mut a, &mut b);
            out.push(grid_sum(&a));
        }
        out.extend(a.v);
        out
    }
}
port!(minighost: (run(0), run(1), run(33)));
