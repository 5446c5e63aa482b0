//! An offloaded module in a file: structs that own arrays, their methods, and functions of the file around it.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::on_every_device;
use std::ops::{Index, IndexMut};

#[derive(Clone, Debug, omp::Mapper)]
struct Grid<T: omp::Device> {
    width: usize,
    height: usize,
    cells: Vec<T>,
}

#[omp::declare_target]
impl<T: omp::Device> Index<(usize, usize)> for Grid<T> {
    type Output = T;
    fn index(&self, (x, y): (usize, usize)) -> &T {
        &self.cells[y * self.width + x]
    }
}

#[omp::declare_target]
impl<T: omp::Device> IndexMut<(usize, usize)> for Grid<T> {
    fn index_mut(&mut self, (x, y): (usize, usize)) -> &mut T {
        &mut self.cells[y * self.width + x]
    }
}

#[omp::declare_target]
impl Grid<f32> {
    fn tilt(&self, x: usize, y: usize) -> f32 {
        let (left, right) = (x.saturating_sub(1), (x + 1).min(self.width - 1));
        (self[(right, y)] - self[(left, y)]) / (right - left).max(1) as f32
    }
}

#[omp::declare_target]
fn around(g: &Grid<f32>, x: usize, y: usize) -> f32 {
    g[(x, y)] + if x > 0 { g[(x - 1, y)] } else { 0.0 }
}

#[omp::declare_target]
fn row(cells: &[f32], width: usize, y: usize) -> &[f32] {
    &cells[y * width..][..width]
}

#[omp::offload]
mod device {
    use super::*;
    pub fn tilts(t: &mut Grid<f32>, g: &mut Grid<f32>) {
        #[omp::target(collapse(2))]
        for y in 0..g.height {
            for x in 0..g.width {
                t[(x, y)] = g.tilt(x, y) + row(&g.cells, g.width, y)[x];
            }
        }
    }
}

#[omp::offload]
mod sums {
    use super::{Grid, around};
    pub fn sums(t: &mut Grid<f32>, g: &Grid<f32>) {
        #[omp::target(collapse(2))]
        for y in 0..g.height {
            for x in 0..g.width {
                t.cells[y * g.width + x] += around(g, x, y);
            }
        }
    }
}

/// No `derive(omp::Mapper)`: its subscripts are known to the items of this file alone.
struct Table<T> {
    width: usize,
    cells: Vec<T>,
}

#[omp::declare_target]
impl<T: Copy> Index<(usize, usize)> for Table<T> {
    type Output = T;
    fn index(&self, (x, y): (usize, usize)) -> &T {
        &self.cells[y * self.width + x]
    }
}

#[omp::declare_target]
impl<T: Copy> IndexMut<(usize, usize)> for Table<T> {
    fn index_mut(&mut self, (x, y): (usize, usize)) -> &mut T {
        &mut self.cells[y * self.width + x]
    }
}

#[omp::offload]
fn transpose<T: omp::Device>(a: &Table<T>, b: &mut Table<T>) {
    #[omp::target(collapse(2))]
    for y in 0..a.cells.len() / a.width {
        for x in 0..a.width {
            b[(y, x)] = a[(x, y)];
        }
    }
}

#[omp::offload]
fn visits(at: &[(usize, usize)], seen: &mut Grid<u32>, count: &mut Table<u32>) {
    #[omp::target]
    for i in 0..at.len() {
        let p = at[i];
        for x in p.0..seen.width {
            #[omp::atomic]
            seen[(x, p.1)] |= 1 << (i % 32);
            #[omp::atomic]
            count[(p.1, x)] += 1;
        }
    }
}

#[test]
fn atomic_updates_by_subscripts() {
    let at: Vec<(usize, usize)> = (0..500).map(|i| (i % 7, i / 3 % 5)).collect();
    let mut bits = vec![0; 35];
    let mut counts = vec![0; 35];
    for (i, p) in at.iter().enumerate() {
        for x in p.0..7 {
            bits[p.1 * 7 + x] |= 1 << (i % 32);
            counts[x * 5 + p.1] += 1;
        }
    }
    on_every_device(|d| {
        omp::set_default_device(d);
        let mut seen = Grid { width: 7, height: 5, cells: vec![0; 35] };
        let mut count = Table { width: 5, cells: vec![0; 35] };
        visits(&at, &mut seen, &mut count);
        assert_eq!((&seen.cells, &count.cells), (&bits, &counts));
    });
}

#[test]
fn subscripts_of_a_struct_without_a_derive() {
    let a = Table { width: 7, cells: (0..35).collect() };
    on_every_device(|d| {
        omp::set_default_device(d);
        let mut b = Table { width: 5, cells: vec![0; 35] };
        transpose(&a, &mut b);
        assert!((0..5).all(|y| (0..7).all(|x| b[(y, x)] == a[(x, y)])));
    });
}

#[test]
fn methods_and_functions_of_the_file() {
    let mut a = Grid { width: 7, height: 5, cells: (0..35).map(|i| (i * i % 13) as f32).collect() };
    on_every_device(|d| {
        omp::set_default_device(d);
        let mut b = Grid { cells: vec![0.0; 35], ..a };
        device::tilts(&mut b, &mut a);
        sums::sums(&mut b, &a);
        for (y, x) in (0..5).flat_map(|y| (0..7).map(move |x| (y, x))) {
            assert_eq!(b[(x, y)], a.tilt(x, y) + row(&a.cells, 7, y)[x] + around(&a, x, y), "({x}, {y})");
        }
    });
}

#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Celsius(f32);
type Reading = Option<Celsius>;
const LEVELS: [f32; 3] = [0.5, 1.5, 2.5];
struct Stations {
    readings: Vec<Reading>,
}

#[omp::offload]
mod readings {
    use super::*;
    pub fn totals(of: &Stations, sums: &mut [f32]) {
        #[omp::target]
        for i in 0..sums.len() {
            let near = &of.readings[i..];
            let mut sum = LEVELS.get(i).copied().unwrap_or(10.0);
            for c in near.iter().flatten() {
                sum += c.0;
            }
            sums[i] = sum;
        }
    }
}

#[test]
fn modules_know_the_types_of_what_they_import() {
    let readings = (0..6).map(|i| (i % 2 == 0).then_some(Celsius(i as f32))).collect();
    let of = Stations { readings };
    on_every_device(|d| {
        omp::set_default_device(d);
        let mut sums = [0.0; 5];
        readings::totals(&of, &mut sums);
        assert_eq!(sums, [6.5, 7.5, 8.5, 14.0, 14.0], "device {d}");
    });
}
