//! Elements of tables that may not be there, byte strings as arguments, functions that read an array which the region writes, slices
//! that a tuple of variables takes, types that traits' functions and derived `Default`s give, iterators whose names inlined bodies
//! bind again, and methods of struct literals in the heads of `match`.
#![allow(clippy::all, clippy::pedantic, missing_docs)]
use omp_tests::{compare, twice};

twice! {
    use std::ops::{Index, IndexMut};

    const STEPS: [(i32, i32); 5] = [(1, 0), (0, 1), (-1, 0), (0, -1), (2, 2)];
    static SIZES: [u8; 3] = [3, 1, 4];

    #[omp::declare_target]
    fn step(c: usize, (dx, dy): (i32, i32)) -> Option<usize> {
        let k = c as i32 + dx + 4 * dy;
        (0..16).contains(&k).then_some(k as usize)
    }
    #[omp::declare_target]
    fn follows(c: usize, way: u8) -> usize {
        let Some(to) = STEPS.get(way as usize).and_then(|&d| step(c, d)) else { return 99 };
        let size = SIZES.get(c % 5).copied().unwrap_or(7);
        let names = &SIZES;
        to + size as usize + names.last().map_or(0, |&s| s as usize) + names.get(3).is_none() as usize
    }
    #[omp::offload]
    pub fn ways(ways: &[u8], to: &mut [usize], x: &mut [i32]) {
        #[omp::target]
        for i in 0..to.len() {
            to[i] = follows(i, ways[i]);
            x[i] = STEPS.get(ways[i] as usize).map_or(-9, |d| d.0) + STEPS.first().map_or(0, |d| d.1);
        }
    }

    #[omp::declare_target]
    fn expect(line: &[u8], at: &mut usize, text: &[u8]) -> Option<()> {
        let found = line[*at..].starts_with(text);
        *at += text.len();
        found.then_some(())
    }
    #[omp::declare_target]
    fn parsed(line: &[u8]) -> Option<u8> {
        let mut at = 0;
        expect(line, &mut at, b"k=")?;
        let digit = line[at].checked_sub(b'0').filter(|&d| d < 10)?;
        at += 1;
        expect(line, &mut at, b"\";\"")?;
        Some(digit)
    }
    #[omp::offload]
    pub fn lines(text: &[u8], digits: &mut [Option<u8>], empty: &mut [bool]) {
        #[omp::target]
        for ((line, digit), none) in text.chunks_exact(6).zip(digits.iter_mut()).zip(empty.iter_mut()) {
            *digit = parsed(line);
            *none = expect(line, &mut 0, b"").is_some() && expect(line, &mut 1, b"=").is_some();
        }
    }

    #[omp::declare_target]
    fn gathered(f: &[f64], n: usize, cell: usize) -> [f64; 3] {
        std::array::from_fn(|q| f[q * n + cell])
    }
    #[omp::declare_target]
    fn smallest(f: &Vec<f64>, n: usize, cell: usize) -> f64 {
        let mut least = f[cell];
        for q in 1..3 {
            if f[q * n + cell] < least {
                least = f[q * n + cell];
            }
        }
        least
    }
    pub struct Lattice {
        pub n: usize,
        pub f: Vec<f64>,
    }
    #[omp::offload]
    impl Lattice {
        pub fn collide(&mut self) {
            let n = self.n;
            #[omp::target]
            for c in 0..n {
                let f = gathered(&self.f, n, c);
                let (mean, least) = (f.iter().sum::<f64>() / 4.0, smallest(&self.f, n, c));
                for q in 0..3 {
                    self.f[q * n + c] += (mean - f[q]) * 0.5 + least;
                }
            }
        }
    }

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Vec3([f64; 3]);
    #[omp::declare_target]
    impl Index<usize> for Vec3 {
        type Output = f64;
        fn index(&self, i: usize) -> &f64 {
            &self.0[i]
        }
    }
    #[omp::declare_target]
    impl IndexMut<usize> for Vec3 {
        fn index_mut(&mut self, i: usize) -> &mut f64 {
            &mut self.0[i]
        }
    }
    #[omp::declare_target]
    pub trait Curve {
        const OFFSET: Vec3;
        fn slope(x: f64) -> (f64, Vec3);
        fn at(&self, x: f64) -> Vec3;
    }
    #[derive(Clone, Copy, omp::Device)]
    pub struct Parabola(pub f64);
    #[omp::declare_target]
    impl Curve for Parabola {
        const OFFSET: Vec3 = Vec3([1.0, 2.0, 4.0]);
        fn slope(x: f64) -> (f64, Vec3) {
            (x * x, Vec3([x, 1.0, 2.0 * x]))
        }
        fn at(&self, x: f64) -> Vec3 {
            Vec3([x, self.0, x])
        }
    }
    #[omp::declare_target]
    fn summed<C: Curve>(c: &C, x: &[f64]) -> Vec3 {
        let mut sum = Vec3::default();
        for &x in x {
            let (value, slope) = C::slope(x);
            let (offset, here) = (C::OFFSET, c.at(x));
            for i in 0..3 {
                sum[i] += slope[i] * value + offset[i] * here[2 - i];
            }
        }
        sum
    }
    #[omp::offload]
    pub fn curves(c: Parabola, x: &[f64], sums: &mut [Vec3]) {
        #[omp::target]
        for i in 0..sums.len() {
            sums[i] = summed(&c, &x[i..]);
        }
    }

    #[omp::declare_target]
    fn part<'a>(x: &'a [i32], ends: &[usize], i: usize) -> &'a [i32] {
        &x[ends[i]..ends[i + 1]]
    }
    #[omp::offload]
    pub fn nearest(x: &[i32], ends: &[usize]) -> Vec<(i32, u32)> {
        let n = ends.len() - 1;
        let mut found = vec![(0, 0); n];
        #[omp::target]
        for (i, f) in found.iter_mut().enumerate() {
            let me = part(x, ends, i);
            let others = (0..n).filter(|&j| j != i);
            let distance = |j| (me.iter().sum::<i32>() - part(x, ends, j).iter().sum::<i32>()).abs();
            *f = others.map(|j| (distance(j), j as u32)).min().unwrap();
        }
        found
    }

    #[derive(Clone, Copy, omp::Device)]
    struct Parcel {
        t: f32,
        q: f32,
    }
    #[omp::declare_target]
    impl Parcel {
        fn adjusted(self, limit: f32) -> Result<Parcel, u8> {
            if self.t > limit { Err(1) } else { Ok(Parcel { t: self.t + self.q, ..self }) }
        }
        fn spare(self, limit: f32) -> Option<f32> {
            (self.q < limit).then_some(limit - self.q)
        }
    }
    #[omp::declare_target]
    fn column(t: &[f32], limit: f32) -> Option<f32> {
        let mut all = 0.0;
        for (k, &t) in t.iter().enumerate() {
            let p = Parcel { t, q: k as f32 }.adjusted(limit).ok()?;
            all += p.t + Parcel { t, q: 1.0 }.spare(limit).unwrap_or(0.5) + Parcel { t, q: 9.0 }.spare(2.0).map_or(0.25, |s| s);
        }
        Some(all)
    }
    pub struct Archive {
        pub data: Vec<f32>,
        pub limits: Vec<f32>,
    }
    #[omp::offload]
    impl Archive {
        pub fn columns(&self, out: &mut [Option<f32>]) {
            let (data, limits) = (&self.data[..], &self.limits[..]);
            #[omp::target]
            for i in 0..out.len() {
                out[i] = column(data, limits[i]);
            }
        }
    }
}

#[test]
fn tables_are_looked_up() {
    let given: Vec<u8> = (0..16).map(|i| i % 6).collect();
    compare!(m, d => {
        omp::set_default_device(d);
        let (mut to, mut x) = (vec![0; 16], vec![0; 16]);
        m::ways(&given, &mut to, &mut x);
        (to, x)
    });
}

#[test]
fn byte_strings_are_arguments() {
    compare!(m, d => {
        omp::set_default_device(d);
        let (mut digits, mut empty) = ([Some(99); 5], [false; 5]);
        m::lines(b"k=4\";\"k=x\";\"k=7\"x\"j=1\";\"k:9\";\"", &mut digits, &mut empty);
        assert_eq!(digits, [Some(4), None, None, None, None]);
        (digits, empty)
    });
}

#[test]
fn functions_read_what_the_region_writes() {
    for n in [0, 1, 7, 300] {
        compare!(m, d => {
            omp::set_default_device(d);
            let mut of = m::Lattice { n, f: (0..3 * n).map(|i| (i * 7 % 16) as f64).collect() };
            of.collide();
            of.collide();
            of.f
        });
    }
}

#[test]
fn traits_and_defaults_give_types_that_are_subscripted() {
    let x: Vec<f64> = (0..9).map(f64::from).collect();
    compare!(m, d => {
        omp::set_default_device(d);
        let mut sums = [m::Vec3::default(); 9];
        m::curves(m::Parabola(0.5), &x, &mut sums);
        sums.map(|v| [v[0], v[1], v[2]])
    });
}

#[test]
fn names_in_closures_hide_nothing_of_an_iterator() {
    let x = [4, 1, 7, -2, 3, 3, 0, 12, 5];
    compare!(m, d => {
        omp::set_default_device(d);
        m::nearest(&x, &[0, 2, 3, 3, 7, 9])
    });
}

#[test]
fn methods_of_struct_literals_and_tuples_of_slices() {
    compare!(m, d => {
        omp::set_default_device(d);
        let of = m::Archive { data: vec![0.5, 1.5, 0.25, 3.0], limits: vec![2.0, 3.0, 4.0] };
        let mut out = [Some(-1.0); 3];
        of.columns(&mut out);
        assert_eq!(out.map(|v| v.is_some()), [false, true, true]);
        out
    });
}
