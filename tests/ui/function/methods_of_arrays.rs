//! Methods of structs that own arrays, whose bodies can't stand in the place of their calls, and races through such methods.
#[derive(omp::Mapper)]
struct Grid {
    w: usize,
    cells: Vec<f32>,
    old: Vec<f32>,
}

const LIMIT: f32 = 1.0;

impl Grid {
    fn at(&self, x: usize, y: usize) -> f32 {
        self.cells[y * self.w + x]
    }
    fn set(&mut self, x: usize, y: usize, v: f32) {
        self.cells[y * self.w + x] = v;
    }
    fn either(&self, x: usize) -> &f32 {
        if x > 3 { &self.cells[x] } else { &self.old[x] }
    }
    fn depth(&self, x: usize) -> usize {
        if x == 0 { 0 } else { 1 + self.depth(x / 2) }
    }
    fn with<F: Fn(f32) -> f32>(&self, x: usize, f: F) -> f32 {
        f(self.cells[x])
    }
    fn limited(&self, x: usize) -> f32 {
        self.cells[x].min(LIMIT)
    }
}

#[omp::offload]
fn shifted(g: &mut Grid) {
    #[omp::target]
    for x in 0..100usize {
        g.set(x, 0, g.at(x + 1, 0));
    }
}

#[omp::declare_target]
impl std::ops::Index<(usize, usize)> for Grid {
    type Output = f32;
    fn index(&self, (x, y): (usize, usize)) -> &f32 {
        &self.cells[y * self.w + x]
    }
}

#[omp::declare_target]
impl std::ops::IndexMut<(usize, usize)> for Grid {
    fn index_mut(&mut self, (x, y): (usize, usize)) -> &mut f32 {
        &mut self.cells[y * self.w + x]
    }
}

#[omp::offload]
fn one_element(g: &mut Grid) {
    #[omp::target]
    for x in 0..100usize {
        g[(1, 0)] = x as f32;
    }
}

#[omp::offload]
fn refused(g: &Grid, out: &mut [f32]) {
    #[omp::target]
    for x in 0..out.len() {
        out[x] = *g.either(x) + g.depth(x) as f32 + g.with(x, |v| v * 2.0);
    }
}

#[omp::offload]
fn hidden(g: &Grid, out: &mut [f32]) {
    const LIMIT: f32 = 2.0;
    #[omp::target]
    for x in 0..out.len() {
        out[x] = g.limited(x) + LIMIT;
    }
}

mod tools {
    #[omp::declare_target]
    pub fn half(x: f32) -> f32 {
        x / 2.0
    }
}

struct Other;

impl Other {
    #[omp::declare_target]
    fn one(&self) -> f32 {
        tools::half(2.0)
    }
}

fn main() {}
