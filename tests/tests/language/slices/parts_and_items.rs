//! Slices that lists, closures, structs and splits give; items that a `match` only looks at. The items stand alone.
#![allow(clippy::explicit_iter_loop, clippy::manual_abs_diff, reason = "as such loops are written")]
use omp_tests::on_every_device;

struct View<'a> {
    data: &'a [u32],
    width: usize,
}

#[omp::declare_target]
impl<'a> View<'a> {
    fn at(&self, x: usize, y: usize) -> Option<u32> {
        if x >= self.width {
            return None;
        }
        self.data.get(y * self.width + x).copied()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, omp::Device)]
struct Day(i32);

const FIRST: Day = Day(3);
const LAST: Day = Day(9);

#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
#[repr(u8)]
enum Cell {
    Free,
    Taken(u32),
}

/// Counts that are not of the loop's own type.
#[derive(Clone, Copy, omp::Device)]
struct List {
    n: usize,
    of: [u32; 8],
}

#[omp::declare_target]
impl List {
    fn push(&mut self, v: u32) {
        self.of[self.n] = v;
        self.n += 1;
    }
}

#[omp::declare_target]
fn tail_sum(bytes: &[u8]) -> u32 {
    let parts = bytes.chunks_exact(4);
    let mut tail = parts.remainder();
    let mut sum = parts.map(|p| u32::from(p[0])).sum::<u32>();
    while tail.len() >= 2 {
        let (head, rest) = tail.split_at(2);
        sum += 10 * u32::from(head[1]);
        tail = rest;
    }
    if !tail.is_empty() {
        sum += 100 * u32::from(tail[0]);
        tail = &tail[1..];
    }
    sum + tail.len() as u32
}

#[omp::offload]
fn planes(d: usize, below: &[f64], here: &[f64], above: &[f64], most: &mut [f64]) {
    #[omp::target(device(d))]
    for i in 1..here.len() - 1 {
        let mut v = f64::MIN;
        'planes: for plane in [below, here, above] {
            for k in i - 1..=i + 1 {
                if plane[k] < 0.0 {
                    continue 'planes;
                }
                if plane[k] > 90.0 {
                    break 'planes;
                }
                v = v.max(plane[k]);
            }
        }
        most[i] = v;
    }
}

#[omp::offload]
fn means(d: usize, x: &[f64], out: &mut [f64]) {
    #[omp::target(device(d))]
    for (i, o) in out.iter_mut().enumerate() {
        let mean = |at: &[(usize, f64)]| {
            at.iter().map(|&(k, w)| w * x[(i + k) % x.len()]).sum::<f64>() / at.len() as f64
        };
        *o = mean(&[(0, 1.0), (1, 2.0)]) + mean(&[(0, 1.0), (1, 3.0), (2, 5.0)]);
    }
}

#[omp::offload]
fn halves(d: usize, data: &[u8], at: &[(usize, usize, usize)], out: &mut [[u32; 2]]) {
    #[omp::target(device(d))]
    for (&(from, mid, len), o) in at.iter().zip(out.iter_mut()) {
        let (a, b) = data[from..from + len].split_at(mid);
        let mut sums = [0; 2];
        for (k, part) in [a, b].iter().enumerate() {
            for v in part.iter() {
                sums[k] += u32::from(*v);
            }
        }
        *o = [sums[0], sums[1] + tail_sum(&data[from..])];
    }
}

#[omp::offload]
fn starts(d: usize, start: &[f64; 3], out: &mut [[f64; 3]]) {
    #[omp::target(device(d))]
    for (i, o) in out.iter_mut().enumerate() {
        let mut s = *start;
        s[i % 3] += start[0] + i as f64;
        *o = s;
    }
}

#[omp::offload]
fn views(d: usize, data: &[u32], width: usize, out: &mut [u32]) {
    let outside = View { data, width };
    #[omp::target(device(d))]
    for (i, o) in out.iter_mut().enumerate() {
        let inside = View { data, width: width + 1 };
        if let Some(v) = outside.at(i % 5, i / 5) {
            *o += v;
        }
        *o += 1000 * inside.at(i, 0).unwrap_or(7);
    }
}

#[omp::offload]
fn cells(d: usize, cells: &mut [Cell], days: &[Day], out: &mut [u32]) {
    #[omp::target(device(d))]
    for ((cell, day), o) in cells.iter_mut().zip(days).zip(out.iter_mut()) {
        if (FIRST..LAST).contains(day) {
            *cell = Cell::Taken(day.0 as u32);
        }
        *o = match cell {
            Cell::Free => 1,
            Cell::Taken(by) => *by * 2,
        };
        if let Cell::Taken(by) = cell {
            *o += *by;
        }
        if matches!(cell, Cell::Free) {
            *o += 50;
        }
    }
}

#[omp::offload]
fn lists(d: usize, x: &[u32], out: &mut [u32]) {
    #[omp::target(device(d))]
    for (x, o) in x.iter().zip(out.iter_mut()) {
        let cut = |a: u32, b: u32| {
            let t = if a > b { a - b } else { b - a };
            t * t
        };
        let mut list = List { n: 0, of: [0; 8] };
        for k in 0..4 {
            if k % 2 == 0 {
                list.push(cut(*x, k));
            }
        }
        *o = list.of[..list.n].iter().sum();
    }
}

#[omp::offload]
fn bytes(d: usize, x: &[u32], out: &mut [u8]) {
    #[omp::target(device(d))]
    for (x, part) in x.iter().zip(out.chunks_mut(8)) {
        let stream = x.to_le_bytes().into_iter().chain((!x).to_be_bytes());
        for (o, b) in part.iter_mut().zip(stream) {
            *o ^= b;
        }
    }
}

#[test]
fn parts_and_items() {
    on_every_device(|d| {
        let mut most = [0.0; 4];
        planes(d, &[1.0, -1.0, 3.0, 5.0], &[2.0, 4.0, 6.0, 91.0], &[7.0, 8.0, 9.0, 3.0], &mut most);
        assert_eq!(most, [0.0, 9.0, 6.0, 0.0]);
        let mut out = [0.0; 3];
        means(d, &[1.0, 2.0, 4.0], &mut out);
        assert_eq!(out, [2.5 + 9.0, 5.0 + 19.0 / 3.0, 3.0 + 17.0 / 3.0]);
        let data: Vec<u8> = (1..12).collect();
        let mut sums = [[0; 2]; 2];
        halves(d, &data, &[(0, 2, 5), (4, 0, 3)], &mut sums);
        assert_eq!(sums, [[3, 12 + 6 + 100 + 1100], [0, 18 + 5 + 100 + 1100]]);
        let mut from = [[0.0; 3]; 2];
        starts(d, &[1.0, 2.0, 3.0], &mut from);
        assert_eq!(from, [[2.0, 2.0, 3.0], [1.0, 4.0, 3.0]]);
        let mut seen = [0; 6];
        views(d, &[1, 2, 3, 4, 5, 6], 3, &mut seen);
        assert_eq!(seen, [1001, 2002, 3003, 4000, 7000, 7004]);
        let (mut of, mut out) = ([Cell::Free; 3], [0; 3]);
        cells(d, &mut of, &[Day(2), Day(3), Day(9)], &mut out);
        assert_eq!((of, out), ([Cell::Free, Cell::Taken(3), Cell::Free], [51, 9, 51]));
        let mut out = [0; 2];
        lists(d, &[5, 1], &mut out);
        assert_eq!(out, [25 + 9, 1 + 1]);
        let mut out = [1; 11];
        bytes(d, &[0x0403_0201, 7], &mut out);
        assert_eq!(out, [0, 3, 2, 5, 0xfa, 0xfd, 0xfc, 0xff, 6, 1, 1]);
    });
}
