//! SPEC ACCEL 303.ostencil: a seven-point stencil in three dimensions.
use omp_tests::twice;

twice! {
    use std::ops::{Index, IndexMut};

    #[derive(Clone, Copy, PartialEq, omp::Device)]
    pub struct Dims { pub nx: usize, pub ny: usize, pub nz: usize }

    impl Dims {
        const fn len(&self) -> usize { self.nx * self.ny * self.nz }
    }

    #[derive(Clone, omp::Mapper)]
    pub struct Grid { dims: Dims, data: Vec<f32> }

    #[omp::declare_target]
    impl Index<(usize, usize, usize)> for Grid {
        type Output = f32;
        fn index(&self, (x, y, z): (usize, usize, usize)) -> &f32 { &self.data[x + self.dims.nx * (y + self.dims.ny * z)] }
    }
    #[omp::declare_target]
    impl IndexMut<(usize, usize, usize)> for Grid {
        fn index_mut(&mut self, (x, y, z): (usize, usize, usize)) -> &mut f32 { &mut self.data[x + self.dims.nx * (y + self.dims.ny * z)] }
    }

    impl Grid {
        fn new(dims: Dims) -> Self { Grid { dims, data: vec![0.0; dims.len()] } }
    }

    pub fn step(c0: f32, c1: f32, a0: &Grid, anext: &mut Grid) {
        let Dims { nx, ny, nz } = a0.dims;
        #[omp::target(collapse(3))]
        for k in 1..nz - 1 {
            for j in 1..ny - 1 {
                for i in 1..nx - 1 {
                    let neighbours = a0[(i, j, k + 1)] + a0[(i, j, k - 1)] + a0[(i, j + 1, k)] + a0[(i, j - 1, k)]
                        + a0[(i + 1, j, k)] + a0[(i - 1, j, k)];
                    anext[(i, j, k)] = c1 * neighbours - c0 * a0[(i, j, k)];
                }
            }
        }
    }

    pub fn run() -> Vec<f32> {
        let dims = Dims { nx: 9, ny: 7, nz: 8 };
        let mut a = Grid::new(dims);
        for (i, v) in a.data.iter_mut().enumerate() { *v = (i % 13) as f32 * 0.1; }
        let mut b = a.clone();
        for _ in 0..3 {
            step(1.0 / 6.0, 1.0 / 36.0, &a, &mut b);
            std::mem::swap(&mut a, &mut b);
        }
        a.data
    }
}
port!(ostencil: run());
