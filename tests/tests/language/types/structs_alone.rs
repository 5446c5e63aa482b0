//! Structs without a derive, whose methods and functions stand alone, as programs write them; each against the same without directives.
#![allow(clippy::needless_lifetimes, clippy::filter_map_identity, reason = "as such code is written")]
#![allow(dead_code, reason = "the bodies of methods stand in the places of their calls")]

#[derive(Clone, Debug, PartialEq)]
struct Grid {
    n: [usize; 2],
    v: Vec<f64>,
    old: Vec<f64>,
    names: [Vec<f64>; 2],
}

const GHOST: usize = 1;

impl Grid {
    fn new(n: [usize; 2]) -> Self {
        let v: Vec<f64> = (0..(n[0] + 2) * (n[1] + 2)).map(|i| (i * 7 % 11) as f64).collect();
        Grid { n, old: v.clone(), names: [v.clone(), v.iter().map(|x| x + 1.0).collect()], v }
    }
    fn stride(&self) -> usize {
        self.n[0] + 2 * GHOST
    }
    fn at(&self, x: usize, y: usize) -> usize {
        (y + GHOST) * self.stride() + x + GHOST
    }
    fn get(&self, x: usize, y: usize) -> f64 {
        self.v[self.at(x, y)]
    }
    fn around(&self, x: usize, y: usize) -> [(usize, usize); 2] {
        [(x, y), (x.saturating_sub(1), (y + 1).min(self.n[1] - 1))]
    }
    fn part<'a>(&'a self, y: usize) -> &'a [f64] {
        &self.v[y * self.stride()..(y + 1) * self.stride()]
    }

    #[omp::offload]
    fn relax(&mut self, device: usize) {
        let [nx, ny] = self.n;
        #[omp::target(collapse(2), device(device))]
        for y in 0..ny {
            for x in 0..nx {
                let old = &self.old;
                let c = self.at(x, y);
                self.v[c] = 0.25 * (old[c - 1] + old[c + 1] + old[c]);
            }
        }
    }

    #[omp::offload]
    fn mean(&self, out: &mut [f64], device: usize) {
        let [nx, ny] = self.n;
        let [a, b] = &self.names;
        #[omp::target(collapse(2), device(device))]
        for y in 0..ny {
            for x in 0..nx {
                let sum: f64 = self.around(x, y).iter().map(|&(x, y)| self.get(x, y)).sum();
                out[y * nx + x] = sum + first(b) + a[self.at(x, y)] + self.part(y)[x];
            }
        }
    }
}

#[omp::declare_target]
fn first(x: &[f64]) -> f64 {
    x[0]
}

/// `dst` is written, and its method tells where.
#[omp::offload]
fn average(src: &Grid, dst: &mut Grid, device: usize) {
    let [nx, ny] = src.n;
    #[omp::target(collapse(2), device(device))]
    for y in 0..ny {
        for x in 0..nx {
            let c = dst.at(x, y);
            dst.v[c] = 0.5 * (src.get(x, y) + src.v[src.at(x, y) - 1]);
        }
    }
}

#[derive(Clone, Copy, PartialEq, omp::Device)]
enum Axis {
    X,
    Y,
}

/// Subscripts by enums; references of the host's loops and matches.
#[omp::offload]
fn scaled(n: usize, axis: Axis, by: &Option<f64>, out: &mut [f64], device: usize) {
    const WEIGHTS: [f64; 2] = [0.5, 2.0];
    for (w, shift) in WEIGHTS.iter().zip([1.0, -1.0]) {
        #[omp::target(device(device))]
        for i in 0..n {
            out[axis as usize * n + i] = w * i as f64 + shift;
            if axis != Axis::Y {
                out[Axis::Y as usize * n + i] = 3.0;
            }
        }
    }
    if let Some(by) = by {
        #[omp::target(device(device))]
        for v in out.iter_mut() {
            *v *= by;
        }
    }
}

/// `flatten` of `Option`s, and reversed parts.
#[omp::offload]
fn linked(
    links: &[Option<u32>],
    width: usize,
    x: &[f64],
    rows: &mut [[u16; 6]],
    out: &mut [f64],
    device: usize,
) {
    #[omp::target(device(device))]
    for (i, row) in rows.iter_mut().enumerate() {
        let mut sum = 0.0;
        for j in links[i * width..][..width].iter().flatten() {
            sum += x[*j as usize];
        }
        out[i] = sum + links[i * width..(i + 1) * width].iter().copied().flatten().count() as f64;
        row[1..=3].reverse();
    }
}

#[test]
fn structs_and_references() {
    for n in [[1, 1], [5, 3], [33, 7]] {
        let (mut relaxed, start) = (Grid::new(n), Grid::new(n));
        let (mut averaged, mut means) = (Grid::new(n), vec![0.0; n[0] * n[1]]);
        for y in 0..n[1] {
            for x in 0..n[0] {
                let c = start.at(x, y);
                relaxed.v[c] = 0.25 * (start.old[c - 1] + start.old[c + 1] + start.old[c]);
                averaged.v[c] = 0.5 * (start.v[c] + start.v[c - 1]);
                let sum: f64 = start.around(x, y).iter().map(|&(x, y)| start.get(x, y)).sum();
                means[y * n[0] + x] = sum + start.names[1][0] + start.names[0][c] + start.part(y)[x];
            }
        }
        omp_tests::on_every_device(|device| {
            let mut grid = Grid::new(n);
            grid.relax(device);
            assert_eq!(grid, relaxed);
            let mut grid = Grid::new(n);
            average(&start, &mut grid, device);
            assert_eq!(grid, averaged);
            let mut got = vec![0.0; means.len()];
            start.mean(&mut got, device);
            assert_eq!(got, means);
        });
    }
}

#[test]
fn enums_options_and_parts() {
    omp_tests::on_every_device(|device| {
        for n in [1, 7, 100] {
            let mut out = vec![1.0; 2 * n];
            scaled(n, Axis::X, &Some(2.0), &mut out, device);
            let want: Vec<f64> =
                (0..n).map(|i| 2.0 * (2.0 * i as f64 - 1.0)).chain((0..n).map(|_| 6.0)).collect();
            assert_eq!(out, want);
            scaled(n, Axis::Y, &None, &mut out, device);
            assert_eq!(out[..n], want[..n]);
            assert_eq!(out[n], -1.0);

            let links: Vec<Option<u32>> =
                (0..3 * n).map(|k| (k % 4 != 1).then_some((k % n) as u32)).collect();
            let x: Vec<f64> = (0..n).map(|i| i as f64).collect();
            let (mut rows, mut sums) = (vec![[0, 1, 2, 3, 4, 5]; n], vec![0.0; n]);
            linked(&links, 3, &x, &mut rows, &mut sums, device);
            for i in 0..n {
                let own: Vec<u32> = links[3 * i..3 * i + 3].iter().copied().flatten().collect();
                assert_eq!(sums[i], own.iter().map(|&j| f64::from(j)).sum::<f64>() + own.len() as f64);
                assert_eq!(rows[i], [0, 3, 2, 1, 4, 5]);
            }
        }
    });
}
