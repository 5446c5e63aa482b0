//! Structs with an `Index` of their own, and what `#[derive(omp::Mapper)]` refuses.
use std::ops::{Index, IndexMut};

/// Where the struct is of another file, the type tells of its `Index`: the items of a macro are not seen either.
macro_rules! elsewhere {
    ($($item:item)*) => { $($item)* };
}
elsewhere! { mod grid {
    use std::ops::{Index, IndexMut};

    /// One that a device knows.
    #[derive(Clone, omp::Mapper)]
    pub struct Grid {
        pub cells: Vec<f64>,
        pub width: usize,
    }

    #[omp::declare_target]
    impl Index<(usize, usize)> for Grid {
        type Output = f64;
        fn index(&self, (i, j): (usize, usize)) -> &f64 {
            &self.cells[i * self.width + j]
        }
    }

    #[omp::declare_target]
    impl IndexMut<(usize, usize)> for Grid {
        fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
            &mut self.cells[i * self.width + j]
        }
    }
} }
use grid::Grid;

#[omp::offload]
fn races(g: &mut Grid, h: &mut Grid, n: usize) {
    #[omp::target]
    for i in 0..n {
        g[(0, 1)] = i as f64;
    }
    #[omp::target]
    for i in 0..n {
        g[(i, 0)] = g.cells[i];
    }
    #[omp::target(nowait)]
    for i in 0..n {
        h[(i, 0)] = 1.0;
    }
    #[omp::target(map(to: h))]
    for i in 0..n {
        h[(i, 0)] = 1.0;
    }
}

struct Other {
    cells: Vec<f64>,
    width: usize,
}

impl Other {
    fn at(&self, i: usize, j: usize) -> usize {
        i * self.width + j
    }
}

#[omp::declare_target]
impl Index<(usize, usize)> for Other {
    type Output = f64;
    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        &self.cells[self.at(i, j)]
    }
}

#[omp::declare_target]
impl IndexMut<(usize, usize)> for Other {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
        self.cells.get_mut(i * self.width + j).unwrap()
    }
}

#[derive(omp::Mapper)]
struct Named {
    name: String,
    cells: Vec<f64>,
}

#[derive(omp::Mapper)]
enum Either {
    One(Vec<f64>),
    Two,
}

fn main() {}
