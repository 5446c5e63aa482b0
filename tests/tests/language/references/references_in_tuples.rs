//! Tuples and arrays of references: those that closures make for the next adaptor, `let [a, b] = [&x, &y]`, `let [a, b] = item`, and `?` of
//! an option of them; copies of ranges; methods of fields that are arrays; conditions in `matches!`.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{Values, compare, on_every_device, twice};

twice! {
    use std::ops::{Index, Range};

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct P { at: [i32; 2], weight: i32 }
    #[omp::declare_target]
    impl P {
        fn far(&self, other: &P) -> i32 { (self.at[0] - other.at[0]).abs() + (self.at[1] - other.at[1]).abs() }
    }
    fn points(n: usize) -> Vec<P> {
        let mut v = Values(7);
        (0..n).map(|_| P { at: [v.bits() as i32 % 50, v.bits() as i32 % 50], weight: v.bits() as i32 % 9 }).collect()
    }

    /// A closure's tuple has references beside values; names around have the closure's names.
    pub fn tuples(n: usize) -> Vec<[i32; 5]> {
        let x = points(n);
        let mut out = vec![[0; 5]; n];
        #[omp::target]
        for (q, o) in x.iter().zip(&mut out) {
            let d = 3;
            x.iter().map(|p| (p, q.far(p))).filter(|(_, far)| *far < 30).for_each(|(p, far)| {
                o[0] += p.weight * far + d;
            });
            o[1] = x.iter().enumerate().map(|(d, q)| (d as i32, q, q.weight)).map(|(k, p, w)| k * p.at[0] + w).sum();
            for (p, far) in x.iter().map(|p| (p, p.far(q))) {
                o[2] += if far > d { p.weight } else { q.weight };
            }
            if let Some((w, p)) = x.iter().map(|q| (q.weight, q)).max_by(|a, b| a.0.cmp(&b.0).then(a.1.at[0].cmp(&b.1.at[0]))) {
                o[3] = w * 100 + p.at[1];
            }
            let Some((p, far)) = x.iter().map(|p| (p, q.far(p))).find(|&(p, far)| far > 5 && p.weight > 2) else { continue };
            o[4] = p.at[0] * 1000 + far;
        }
        out
    }

    #[omp::declare_target]
    fn heaviest(x: &[P], least: i32) -> Option<i32> {
        let (at, &first) = x.iter().enumerate().max_by(|a, b| a.1.weight.cmp(&b.1.weight))?;
        let last = x.iter().min_by_key(|p| p.weight)?;
        (first.weight >= least).then_some(at as i32 * 100 + last.weight)
    }
    #[omp::declare_target]
    fn first_root(n: i32) -> Option<i32> {
        (1..20).find_map(|c| {
            let mut r = 0;
            while r * r * c < n { r += 1; }
            (r * r * c == n).then_some(r * 100 + c)
        })
    }

    pub fn options(n: usize) -> Vec<(Option<i32>, Option<i32>, bool)> {
        let x = points(n);
        let mut out = vec![(None, None, false); n];
        #[omp::target]
        for (i, o) in out.iter_mut().enumerate() {
            let part = &x[i / 2..(i + n) / 2];
            let p = &x[i];
            let small = matches!(part.len(), 0..=3 if p.weight > 2);
            *o = (heaviest(part, 4), first_root(i as i32), small || matches!(p, P { at: [n, _], .. } if *n > p.weight));
            let each = part.iter().find_map(|p| if p.weight == 8 { Some(p.at[0]) } else { None });
            o.0 = o.0.or(each);
        }
        out
    }

    pub fn arrays(n: usize) -> (Vec<[i32; 3]>, Vec<P>) {
        let (x, mut y) = (points(n), points(n));
        let mut out = vec![[0; 3]; n];
        #[omp::target]
        for (i, (o, p)) in out.iter_mut().zip(y.iter_mut()).enumerate() {
            let [a, b] = [&x[i], &x[n - 1 - i]];
            let [sum, far, other] = o;
            *sum += a.weight + b.weight;
            *far = a.far(b);
            *other = *sum - *far;
            let P { weight, at: [first, _] } = p;
            *weight += a.weight;
            *first = *weight * 2;
        }
        (out, y)
    }

    pub struct Grid { n: usize, data: Vec<i32>, key: [u32; 5], rows: Range<usize> }
    impl Index<(usize, usize)> for Grid {
        type Output = i32;
        fn index(&self, (i, j): (usize, usize)) -> &i32 { &self.data[i * self.n + j] }
    }
    #[derive(Clone, Copy, omp::Device)]
    pub struct Keys { all: [u32; 5], used: usize }
    #[omp::declare_target]
    impl Keys {
        fn mixed(&self, v: u32) -> u32 {
            let (last, others) = self.all.split_last().unwrap();
            others.iter().fold(v, |v, k| v.wrapping_mul(31) ^ k) ^ last
        }
        fn add(&self, to: &mut [u32; 3]) { to[self.used % 3] += self.all[1]; }
    }
    impl Grid {
        fn row(&self, i: usize) -> &[i32] {
            let range = i * self.n..(i + 1) * self.n;
            &self.data[range]
        }
    }
    pub struct Tiles { grid: Grid }
    impl Tiles {
        pub fn walk(&self, keys: &[Keys]) -> Vec<[u32; 6]> {
            let mut out = vec![[0; 6]; self.grid.n];
            #[omp::target]
            for i in self.grid.rows.clone() {
                let up = |g: &Grid, j: usize| g[(i, j)] - g[(i, j / 2)];
                let mut used = Keys { all: self.grid.key, used: i % 3 };
                if let Some(k) = used.all.get_mut(i) {
                    *k += 7;
                }
                let mut three = [0; 3];
                let mut order = [0usize; 2];
                order[i % 2] = i % keys.len();
                keys[order[i % 2]].add(&mut three);
                out[i][0] = (0..self.grid.n).map(|j| up(&self.grid, j)).sum::<i32>() as u32;
                out[i][1] = self.grid.row(i).iter().max().map_or(0, |&v| v as u32);
                out[i][2] = used.mixed(i as u32);
                out[i][3..6].copy_from_slice(&three);
            }
            out
        }
    }

    pub fn grids(n: usize) -> Vec<[u32; 6]> {
        let mut v = Values(5);
        let data = (0..n * n).map(|_| v.bits() as i32 % 100).collect();
        let g = Grid { n, data, key: [3, 1, 4, 1, 5], rows: n / 4..n };
        Tiles { grid: g }.walk(&[Keys { all: [1; 5], used: 1 }, Keys { all: [2, 9, 2, 2, 2], used: 2 }])
    }

    pub fn ranges(n: usize, parts: &[Range<usize>]) -> Vec<i64> {
        let (x, mut y) = ((0..n as i64).collect::<Vec<_>>(), vec![0; n]);
        for part in parts {
            #[omp::target]
            for i in part.clone().rev() {
                y[i] += x[i];
            }
            #[omp::target]
            for (y, x) in y[part.clone()].iter_mut().zip(&x[part.clone()]) {
                *y = *y * 10 + x;
            }
        }
        y
    }
}

#[test]
fn tuples_of_closures() {
    compare!(m, d => { omp::set_default_device(d); [1, 7, 60].map(m::tuples) });
}

#[test]
fn options_before_a_question_mark() {
    compare!(m, d => { omp::set_default_device(d); [1, 8, 70].map(m::options) });
}

#[test]
fn arrays_of_references() {
    let show = |r: String| r;
    compare!(m, d => { omp::set_default_device(d); [1, 9, 50].map(|n| show(format!("{:?}", m::arrays(n)))) });
}

#[test]
fn structs_that_own_arrays() {
    compare!(m, d => { omp::set_default_device(d); [1, 6, 33].map(m::grids) });
}

#[test]
fn copied_ranges() {
    compare!(m, d => { omp::set_default_device(d); m::ranges(40, &[0..40, 5..9, 9..9, 20..33]) });
}

#[test]
fn a_copied_range_past_the_end_panics() {
    on_every_device(|d| {
        omp::set_default_device(d);
        let run = || device::ranges(10, &[0..10, 4..11]);
        assert!(std::panic::catch_unwind(run).is_err(), "device {d}");
        // (The last region is one that ran.)
        device::ranges(10, &[0..10]);
    });
}
