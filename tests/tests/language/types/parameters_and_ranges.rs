//! Structs with marker parameters that are not `Sync`, conversions `T::from` to a user's type, arrays from functions that are
//! sorted, copies and results that are, slices that are compared by ranges which methods give, arrays that a type makes slices,
//! sums of generic types, and chains of methods of fields that are `Option`s.
#![allow(clippy::all, clippy::pedantic, missing_docs)]
use omp_tests::{compare, twice};

twice! {
    use std::cell::Cell;
    use std::marker::PhantomData;
    use std::ops::{Add, Mul, Range};

    #[omp::declare_target]
    pub trait Model {
        const STATES: u8;
        fn next(s: u8) -> u8 {
            (s + 1) % Self::STATES
        }
    }
    /// Not `Sync`.
    pub struct Potts<const Q: u8>(#[allow(dead_code)] Cell<u8>);
    #[omp::declare_target]
    impl<const Q: u8> Model for Potts<Q> {
        const STATES: u8 = Q;
    }
    pub struct Lattice<M> {
        pub n: usize,
        pub spins: Vec<u8>,
        pub weights: [f32; 4],
        pub sums: Vec<f32>,
        pub model: PhantomData<M>,
    }
    #[omp::offload]
    impl<M: Model> Lattice<M> {
        pub fn step(&mut self) {
            let n = self.n;
            #[omp::target]
            for i in 0..n {
                self.sums[i] = self.weights[i % 4] + self.spins[i..].iter().map(|&s| s as f32).sum::<f32>();
            }
            #[omp::target]
            for s in self.spins.iter_mut() {
                *s = M::next(*s);
            }
        }
        pub fn energy(&self) -> (u32, f32) {
            let (mut all, mut most) = (0, 0f32);
            #[omp::target(reduction(+: all), reduction(max: most))]
            for (i, row) in self.spins.chunks_exact(2).enumerate() {
                all += row.iter().map(|&s| u32::from(s)).sum::<u32>() + u32::from(self.spins[i]);
                most = most.max(self.weights[i % 4]);
            }
            (all, most)
        }
        pub fn kept(&self, out: &mut [u8]) -> usize {
            let mut n = 0;
            #[omp::target]
            for i in 0..self.spins.len() {
                if self.spins[i] > 0 {
                    out[n] = self.spins[i];
                    n += 1;
                }
            }
            n
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Dual {
        pub hi: f64,
        pub lo: f64,
    }
    #[omp::declare_target]
    impl From<f64> for Dual {
        fn from(hi: f64) -> Dual {
            Dual { hi, lo: hi * 0.5 }
        }
    }
    #[omp::declare_target]
    impl From<(u32, u32)> for Dual {
        fn from((hi, lo): (u32, u32)) -> Dual {
            Dual { hi: hi as f64, lo: lo as f64 }
        }
    }
    #[omp::declare_target]
    impl Add for Dual {
        type Output = Dual;
        fn add(self, o: Dual) -> Dual {
            Dual { hi: self.hi + o.hi, lo: self.lo + o.lo }
        }
    }
    #[omp::declare_target]
    impl Mul for Dual {
        type Output = Dual;
        fn mul(self, o: Dual) -> Dual {
            Dual { hi: self.hi * o.hi, lo: self.lo * o.lo }
        }
    }
    #[omp::offload]
    pub fn scaled<T>(by: T, y: &mut [T])
    where
        T: From<f64> + Add<Output = T> + Mul<Output = T> + omp::Device,
    {
        let one = |k: usize| T::from(k as f64 - 0.5) * by;
        #[omp::target]
        for i in 0..y.len() {
            y[i] = one(i) + T::from(2.0) + f64::from(i as u8).into();
        }
    }
    #[omp::offload]
    pub fn pairs(y: &mut [Dual]) {
        #[omp::target]
        for i in 0..y.len() {
            y[i] = Dual::from((i as u32, 7)) + Dual::from(0.25);
        }
    }

    const N: usize = 6;
    #[omp::declare_target]
    pub fn ranked(x: u32) -> [u8; N] {
        let mut order: [u8; N] = std::array::from_fn(|c| c as u8);
        order.sort_by_key(|&c| ((x * (c as u32 + 3)) % 7, c));
        order
    }
    #[omp::offload]
    pub fn rankings(out: &mut [[u8; N]], most: &mut [u32]) {
        #[omp::target]
        for i in 0..out.len() {
            out[i] = ranked(i as u32);
            let mut keys = core::array::from_fn::<u32, 4, _>(|k| (k as u32 * 5 + i as u32) % 7);
            keys.sort_unstable();
            keys.reverse();
            let sums = keys.iter().fold([0; 2], |s, &k| [s[0] + k, s[1] ^ k]);
            most[i] = keys[0] * 100 + sums.map(|v| v * 1000).iter().sum::<u32>();
        }
    }

    pub type Members = [f32; 5];
    #[omp::declare_target]
    fn sorted(m: &Members) -> Members {
        let mut s = *m;
        s.sort_unstable_by(|a, b| a.total_cmp(b));
        s
    }
    #[omp::declare_target]
    fn reversed(m: &mut [f32; 5]) -> [f32; 5] {
        let mut s = *m;
        s.sort_by(|a, b| b.total_cmp(a));
        m[0] = 0.0;
        s
    }
    #[omp::offload]
    pub fn ranks(x: &[Members], y: &mut [f32]) {
        #[omp::target]
        for (m, y) in x.iter().zip(y) {
            let mut c = *m;
            let rank = sorted(m).partition_point(|x| *x < 3.0);
            let r = reversed(&mut c);
            c.sort_by(f32::total_cmp);
            *y = rank as f32 + r[0] * 10.0 + c[1] * 100.0 + if sorted(m).is_sorted() { 0.5 } else { 0.0 };
        }
    }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Weights {
        pub w: [u32; 3],
        pub k: u32,
    }
    pub struct Table {
        pub v: Vec<u32>,
    }
    #[omp::declare_target]
    fn total(x: &[u32; 4]) -> u32 {
        let s: &[u32] = x;
        let t: &[u32] = &x[1..];
        let u: &[u32] = &*x;
        s.iter().sum::<u32>() + t.len() as u32 + u[0]
    }
    #[omp::offload]
    pub fn unsized_(x: &[Weights], t: &Table, z: &[u32; 4], o: &mut [u32]) {
        #[omp::target]
        for i in 0..o.len() {
            let mut a = [1u32, 2, 3, i as u32];
            {
                let m: &mut [u32] = &mut a;
                for v in m.iter_mut() {
                    *v += 1;
                }
            }
            let s: &[u32] = &a;
            let w: &[u32] = &x[i].w;
            let c: &[u32] = &t.v;
            let d: &[u32] = z;
            let mut sum = 0;
            for v in s {
                sum += *v;
            }
            o[i] = sum + w.iter().sum::<u32>() * x[i].k + c[i] + d[3] + total(z);
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Vector<const D: usize>(pub [f64; D]);
    #[omp::declare_target]
    impl<const D: usize> Vector<D> {
        const ZERO: Self = Self([0.0; D]);
    }
    #[omp::declare_target]
    impl<const D: usize> Add for Vector<D> {
        type Output = Self;
        fn add(self, o: Self) -> Self {
            Self(std::array::from_fn(|k| self.0[k] + o.0[k]))
        }
    }
    #[omp::declare_target]
    impl<const D: usize> std::iter::Sum for Vector<D> {
        fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
            iter.fold(Self::ZERO, |a, b| a + b)
        }
    }
    #[omp::offload]
    pub fn tails<const D: usize>(x: &[Vector<D>], y: &mut [Vector<D>]) {
        #[omp::target]
        for i in 0..y.len() {
            y[i] = x[i..].iter().map(|&v| v).sum::<Vector<D>>();
        }
    }

    #[derive(Clone, Copy, Debug, Default, omp::Device)]
    pub struct Smoother {
        pub mean: Option<f64>,
        pub seen: u32,
    }
    #[omp::declare_target]
    impl Smoother {
        fn score(&self, x: f64, warm_up: u32) -> Option<f64> {
            self.mean.filter(|_| self.seen >= warm_up).map(|m| x - m).and_then(|d| (d > 0.0).then_some(d)).or_else(|| self.mean.map(|m| -m))
        }
        fn update(&mut self, x: f64) {
            self.mean = Some(self.mean.map_or(x, |m| m + 0.5 * (x - m)));
            self.seen += 1;
        }
    }
    #[omp::offload]
    pub fn scores(x: &[f64], out: &mut [f64]) {
        let n = 7;
        #[omp::target]
        for (row, out) in x.chunks_exact(n).zip(out.chunks_exact_mut(n)) {
            let mut s = Smoother::default();
            for (x, out) in row.iter().zip(out) {
                *out = s.score(*x, 3).unwrap_or(-99.0);
                s.update(*x);
            }
        }
    }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Chunk {
        pub at: u32,
        pub len: u32,
    }
    #[omp::declare_target]
    impl Chunk {
        fn range(self) -> Range<usize> {
            self.at as usize..(self.at + self.len) as usize
        }
        fn half(&self) -> Range<usize> {
            self.at as usize..(self.at + self.len / 2) as usize
        }
    }
    #[omp::offload]
    pub fn same(data: &[u8], chunks: &[Chunk], first: &[usize], found: &mut [bool]) -> bool {
        let mut all = true;
        let outside = 1..3;
        #[omp::target(reduction(&&: all))]
        for (i, (chunk, &first)) in chunks.iter().zip(first).enumerate() {
            let r = i..i + 2;
            all = all && data[chunk.range()] == data[chunks[first].range()];
            found[3 * i] = data[r.clone()] != data[outside.clone()];
            found[3 * i + 1] = data[chunk.half()].contains(&3) || data[r.clone()].contains(&9) || data[r].starts_with(&data[chunk.half()]);
            found[3 * i + 2] = data[chunk.half()] == data[chunk.range()];
        }
        all
    }
}

fn lattice<const Q: u8>(n: usize) -> ([u8; 3], Vec<u8>) {
    let spins: Vec<u8> = (0..n).map(|i| (i * 7 % 5) as u8 % Q).collect();
    ([Q, n as u8, 0], spins)
}

#[test]
fn markers_need_not_be_sync() {
    for n in [0, 2, 37] {
        compare!(m, d => {
            omp::set_default_device(d);
            let spins = lattice::<3>(n).1;
            let mut of = m::Lattice::<m::Potts<3>> {
                n, sums: vec![0.0; n], spins, weights: [1.0, 0.5, 2.0, 4.0], model: std::marker::PhantomData,
            };
            of.step();
            let mut out = vec![9; n];
            (of.energy(), of.kept(&mut out), out, of.sums, of.spins)
        });
    }
}

#[test]
fn from_makes_users_types_behind_parameters() {
    compare!(m, d => {
        omp::set_default_device(d);
        let mut y = vec![m::Dual { hi: 0.0, lo: 0.0 }; 5];
        m::scaled(m::Dual { hi: 2.0, lo: 0.25 }, &mut y);
        let mut z = vec![0.0; 5];
        m::scaled(2.0, &mut z);
        let mut p = vec![m::Dual { hi: 0.0, lo: 0.0 }; 3];
        m::pairs(&mut p);
        let parts = |v: &[m::Dual]| v.iter().map(|d| (d.hi, d.lo)).collect::<Vec<_>>();
        (parts(&y), z, parts(&p))
    });
}

#[test]
fn arrays_from_functions_are_sorted() {
    compare!(m, d => {
        omp::set_default_device(d);
        let (mut out, mut most) = (vec![[0; 6]; 20], vec![0; 20]);
        m::rankings(&mut out, &mut most);
        (out, most)
    });
}

#[test]
fn slices_are_compared_by_ranges_that_methods_give() {
    let data = [1u8, 2, 3, 4, 1, 2, 3, 4, 9];
    for wrong in [false, true] {
        compare!(m, d => {
            omp::set_default_device(d);
            let last = if wrong { 3 } else { 4 };
            let chunks = [m::Chunk { at: 0, len: 4 }, m::Chunk { at: 4, len: last }, m::Chunk { at: 8, len: 0 }];
            let mut found = [false; 9];
            let same = m::same(&data, &chunks, &[1, 0, 2], &mut found);
            assert_eq!(same, !wrong);
            (same, found)
        });
    }
}

#[test]
fn methods_of_optional_fields_follow_each_other() {
    let x: Vec<f64> = (0..21).map(|i| f64::from(i * 5 % 8)).collect();
    compare!(m, d => {
        omp::set_default_device(d);
        let mut out = vec![0.0; 21];
        m::scores(&x, &mut out);
        out
    });
}

#[test]
fn generic_types_are_summed() {
    compare!(m, d => {
        omp::set_default_device(d);
        let x: Vec<_> = (0..9).map(|i| m::Vector([f64::from(i), f64::from(i * i), 0.5])).collect();
        let mut y = vec![m::Vector([0.0; 3]); 9];
        m::tails(&x, &mut y);
        y.iter().map(|v| v.0).collect::<Vec<_>>()
    });
}

#[test]
fn copies_and_results_are_sorted() {
    compare!(m, d => {
        omp::set_default_device(d);
        let x = [[5.0, 1.0, 4.0, 2.0, 3.0], [1.0, 1.0, 9.0, 0.0, 2.0], [7.0; 5]];
        let mut y = [0.0; 3];
        m::ranks(&x, &mut y);
        y
    });
}

#[test]
fn a_type_makes_arrays_slices() {
    compare!(m, d => {
        omp::set_default_device(d);
        let x = [m::Weights { w: [1, 2, 3], k: 2 }, m::Weights { w: [4, 5, 6], k: 1 }];
        let mut o = [0; 2];
        m::unsized_(&x, &m::Table { v: vec![100, 200] }, &[1, 2, 3, 4], &mut o);
        o
    });
}
