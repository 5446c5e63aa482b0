//! `impl Ord` of device types; `?` that converts errors; parameters `impl Trait`; slices matched behind `*`; a method that is called of
//! values and of `&mut` elements.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{Values, compare, on_every_device, twice};

twice! {
    use std::cmp::Ordering;
    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    pub struct Version { major: u32, minor: u32 }
    #[omp::declare_target]
    impl Ord for Version {
        fn cmp(&self, other: &Self) -> Ordering { self.major.cmp(&other.major).then_with(|| other.minor.cmp(&self.minor)) }
    }
    #[omp::declare_target]
    impl PartialOrd for Version {
        fn partial_cmp(&self, other: &Self) -> Option<Ordering> { Some(self.cmp(other)) }
    }
    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    pub struct Rev<T: omp::Device>(T);
    #[omp::declare_target]
    impl<T: omp::Device + PartialOrd + Ord> Ord for Rev<T> {
        fn cmp(&self, other: &Self) -> Ordering { if self.0 < other.0 { Ordering::Greater } else if self.0 > other.0 { Ordering::Less } else { Ordering::Equal } }
        fn max(self, other: Self) -> Self { if self.0 < other.0 { self } else { other } }
    }
    #[omp::declare_target]
    impl<T: omp::Device + PartialOrd + Ord> PartialOrd for Rev<T> {
        fn partial_cmp(&self, other: &Self) -> Option<Ordering> { Some(self.cmp(other)) }
    }
    pub fn run() -> Vec<(i32, u32, u32, bool, u8, u8)> {
        let mut v = Values(3);
        let x: Vec<Version> = (0..40).map(|_| Version { major: v.bits() % 3, minor: v.bits() % 3 }).collect();
        let mut out = vec![(0, 0, 0, false, 0, 0); 20];
        #[omp::target]
        for i in 0..20 {
            let (a, b) = (x[2 * i], x[2 * i + 1]);
            let (p, q) = (Rev(a.minor as u8), Rev(b.minor as u8));
            out[i] = (a.cmp(&b) as i32, a.max(b).minor, a.min(b).minor * 10 + a.min(b).major, a < b, p.max(q).0, p.min(q).0);
        }
        out
    }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    #[repr(u8)]
    pub enum Inner { Odd(u32) }
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    #[repr(u8)]
    pub enum Outer { Inner(u32), Big }
    #[omp::declare_target]
    impl From<Inner> for Outer {
        fn from(e: Inner) -> Self {
            let Inner::Odd(v) = e;
            Outer::Inner(v)
        }
    }
    #[omp::declare_target]
    fn half(v: u32) -> Result<u32, Inner> { if v % 2 == 1 { Err(Inner::Odd(v)) } else { Ok(v / 2) } }
    #[omp::declare_target]
    fn quarter(v: u32) -> Result<u32, Outer> {
        let h = half(half(v)?)?;
        if h > 8 { Err(Outer::Big)? }
        Ok(h)
    }
    #[omp::declare_target]
    fn same(v: u32) -> Result<u32, Inner> { Ok(half(v)? + 1) }

    #[omp::declare_target]
    pub trait Source { fn next(&mut self) -> u32; }
    #[derive(Clone, Copy, omp::Device)]
    pub struct Steps(u32);
    #[derive(Clone, Copy, omp::Device)]
    pub struct Doubles(u32);
    #[omp::declare_target]
    impl Source for Steps { fn next(&mut self) -> u32 { self.0 += 3; self.0 } }
    #[omp::declare_target]
    impl Source for Doubles { fn next(&mut self) -> u32 { self.0 *= 2; self.0 } }
    #[omp::declare_target]
    fn draw(a: &mut impl Source, mut b: impl Source) -> u32 { a.next() * 100 + b.next() + a.next() }

    #[omp::declare_target]
    fn shape(x: &[u8]) -> u32 {
        match *x {
            [] => 0,
            [a] => a as u32,
            [a @ 0..=9, .., b] => a as u32 * 10 + b as u32,
            [_, ref rest @ ..] => rest.len() as u32 + 1000,
        }
    }
    pub fn forms() -> Vec<(u32, u32, u32, u32)> {
        let x: Vec<u8> = (0..90).map(|k| (k * 7 % 20) as u8).collect();
        let mut out = vec![(0, 0, 0, 0); 60];
        #[omp::target]
        for i in 0..60 {
            let a = match quarter(i as u32) { Ok(v) => v, Err(Outer::Inner(v)) => 100 + v, Err(Outer::Big) => 99 };
            let mut s = Steps(i as u32);
            let b = draw(&mut s, Doubles(i as u32)) + draw(&mut s, Steps(1));
            let part = [x[i], x[i + 1], x[i + 2], x[i + 3]];
            let c = match part[..i % 4] {
                [] => 1,
                [p] => p as u32,
                [p, .., q] => p as u32 * 30 + q as u32,
            };
            out[i] = (a + same(i as u32).unwrap_or(7) * 1000, b, shape(&x[i..i + i % 5]), c);
        }
        out
    }

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Body { m: u32, d: u32 }
    #[omp::declare_target]
    impl Body { fn mass(&self) -> u32 { self.m * self.d } }
    pub fn body(m: u32, d: u32) -> Body { Body { m, d } }
    pub fn pulled(bodies: &mut [Body], old: &[Body]) -> Vec<u32> {
        #[omp::target]
        for body in bodies.iter_mut() {
            let own = body.mass();
            for other in old.iter().enumerate().filter(|&(j, _)| j % 2 == 0).map(|(_, b)| b) {
                body.m += other.mass() + own;
            }
        }
        bodies.iter().map(|b| b.m).collect()
    }
}

#[test]
fn declared_order() {
    compare!(m, d => { omp::set_default_device(d); m::run() });
}

#[test]
fn converted_errors_parameters_and_patterns() {
    compare!(m, d => { omp::set_default_device(d); m::forms() });
}

#[test]
fn a_method_of_values_and_of_elements() {
    let bodies = [(1, 2), (3, 4), (5, 6)];
    compare!(m, d => {
        omp::set_default_device(d);
        let old: Vec<_> = bodies.iter().map(|&(a, b)| m::body(a, b)).collect();
        m::pulled(&mut old.clone(), &old)
    });
}

/// A default value that no device function makes is the host's.
#[test]
fn undeclared_defaults() {
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    struct Own {
        x: f32,
    }

    impl Default for Own {
        fn default() -> Self {
            Self { x: 1.5 }
        }
    }

    #[omp::offload]
    fn reset(d: usize, y: &mut [Own]) {
        #[omp::target(device(d))]
        for i in 0..y.len() {
            y[i] = Default::default();
        }
    }

    on_every_device(|d| {
        let mut y = vec![Own { x: 0.0 }; 5];
        reset(d, &mut y);
        assert_eq!(omp::last_region().fallback, None, "device {d}");
        assert_eq!(y, [Own { x: 1.5 }; 5]);
    });
}
