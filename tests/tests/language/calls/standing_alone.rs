//! Functions, methods and `impl`s with attributes of their own: what they know of each other, the source file shows.
#![allow(dead_code, reason = "the bodies of methods stand in the places of their calls")]
use std::ops::{Index, Sub};

#[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
struct V3([f32; 3]);
#[omp::declare_target]
impl Index<usize> for V3 {
    type Output = f32;
    fn index(&self, i: usize) -> &f32 {
        &self.0[i]
    }
}
#[omp::declare_target]
impl Sub for V3 {
    type Output = V3;
    fn sub(self, o: V3) -> V3 {
        V3(std::array::from_fn(|i| self[i] - o[i]))
    }
}

#[omp::offload]
fn differences(x: &[V3], out: &mut [f32], device: usize) {
    #[omp::target(device(device))]
    for i in 0..out.len() {
        let d = x[i] - x[0];
        out[i] = d[0] + 10.0 * d[2];
    }
}

#[test]
fn subscripts_in_operators() {
    omp_tests::on_every_device(|device| {
        let mut out = [0.0; 2];
        differences(&[V3([1.0, 2.0, 3.0]), V3([5.0, 1.0, 8.0])], &mut out, device);
        assert_eq!(out, [0.0, 54.0]);
    });
}

struct Csr {
    rows: Vec<usize>,
    columns: Vec<u32>,
    name: String,
}

impl Csr {
    fn row(&self, i: usize) -> &[u32] {
        &self.columns[self.rows[i]..self.rows[i + 1]]
    }
    /// No expression: it is called once, before the loop.
    fn height(&self) -> usize {
        let mut n = 0;
        while n < self.rows.len() && n < self.name.len() {
            n += 1;
        }
        if n > 100 {
            return 100;
        }
        n - 1
    }
    #[omp::offload]
    fn sums(&self, out: &mut [u32], device: usize) {
        #[omp::target(device(device))]
        for i in 0..self.height() {
            out[i] = self.row(i).iter().sum::<u32>() + self.row(0).len() as u32;
        }
    }
}

struct Grid<const W: usize> {
    cells: Vec<f32>,
}

impl<const W: usize> Index<(usize, usize)> for Grid<W> {
    type Output = f32;
    fn index(&self, (y, x): (usize, usize)) -> &f32 {
        &self.cells[y * W + x]
    }
}

impl<const W: usize> Grid<W> {
    fn right(&self, y: usize, x: usize) -> f32 {
        self[(y, (x + 1) % W)]
    }
    #[omp::offload]
    fn slopes(&self, out: &mut [f32], device: usize) {
        #[omp::target(collapse(2), device(device))]
        for y in 0..out.len() / W {
            for x in 0..W {
                out[y * W + x] = self.right(y, x) - self[(y, x)];
            }
        }
    }
}

#[test]
fn methods_of_the_same_struct() {
    let m = Csr { rows: vec![0, 2, 3, 3], columns: vec![4, 5, 6], name: "four".to_owned() };
    let grid = Grid::<3> { cells: vec![1.0, 4.0, 9.0, 1.0, 0.0, 5.0] };
    omp_tests::on_every_device(|device| {
        let mut out = [0; 3];
        m.sums(&mut out, device);
        assert_eq!(out, [11, 8, 2]);
        let mut out = [0.0; 6];
        grid.slopes(&mut out, device);
        assert_eq!(out, [3.0, 5.0, -8.0, -1.0, 5.0, -4.0]);
    });
}
