//! Methods of one name of several types, of which some take closures; arguments that read what a method changes.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{compare, twice};

twice! {
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Q { a: u32 }
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct P { b: u32, q: Q }
    #[omp::declare_target]
    impl Q {
        fn with(&self, f: impl Fn(u32) -> u32) -> u32 { f(self.a) }
        fn make(f: impl Fn(u32) -> u32, v: u32) -> Q { Q { a: f(v) } }
        fn each(&mut self, f: impl Fn(u32) -> u32) { self.a = f(self.a) }
        fn only(self, f: impl Fn(u32) -> u32) -> Self { Q { a: f(self.a) } }
    }
    #[omp::declare_target]
    impl P {
        pub fn new(k: u32) -> P { P { b: k, q: Q { a: k * 3 } } }
        fn with(&self, f: impl Fn(u32) -> u32) -> u32 { f(self.b) + self.q.with(|k| k ^ 3) }
        fn make(f: impl Fn(u32) -> u32, v: u32) -> P { P { b: f(v), q: Q::make(|k| k * 2 + f(k), 3) } }
        fn each(&mut self, k: u32) { self.b ^= k }
    }
    #[omp::declare_target]
    fn both(p: &P, q: Q) -> u32 { p.with(|v| v ^ 9) + q.with(|v| v ^ 7) }
    pub fn run(x: &[u32], ps: &[P], y: &mut [u32]) {
        #[omp::target]
        for i in 0..y.len() {
            let mut q = Q { a: 3 };
            let mut p = P { b: 4, q };
            y[i] = q.with(|v| v ^ x[i]) ^ p.with(|v| v ^ 5) ^ p.q.with(|v| v + 1);
            q.each(|v| v ^ x[i]);
            p.each(x[i]);
            let (r, s) = (P::make(|v| v & 255, x[i]), Q::make(|v| v & 127, x[i]));
            y[i] ^= q.a ^ p.b ^ r.b ^ r.q.a ^ s.a ^ both(&r, s) ^ q.only(|v| v & 15).with(|v| v + 1);
            y[i] ^= ps[i].with(|v| v ^ 77) ^ ps[i].q.with(|v| v ^ 3);
        }
        #[omp::target]
        for (p, y) in ps.iter().zip(y.iter_mut()) { *y ^= p.with(|v| v + 3) ^ p.q.with(|v| v + 4); }
    }

    pub struct Reader<'a> { data: &'a [u32], at: usize }
    #[omp::declare_target]
    impl Reader<'_> {
        fn next(&mut self) -> u32 { let v = self.data[self.at % self.data.len()]; self.at += 1; v }
    }
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Mixed { a: u32, n: u32 }
    #[omp::declare_target]
    impl Mixed {
        fn feed(&mut self, r: &mut Reader<'_>, k: u32) { self.a ^= r.next() ^ k; self.n += 1; }
        fn set(&mut self, f: impl Fn(u32) -> u32, k: u32) { self.a = f(k); }
        fn plain(&mut self, k: u32) -> u32 { self.a ^= k; self.n }
    }
    pub fn two_phase(x: &[u32], y: &mut [u32]) {
        #[omp::target]
        for i in 0..y.len() {
            let mut r = Reader { data: x, at: i };
            let mut m = Mixed { a: 3, n: 0 };
            m.feed(&mut r, m.a);
            m.feed(&mut r, m.n + 1);
            m.set(|v| v ^ 1, m.a);
            y[i] = m.plain(m.a) ^ m.a;
        }
    }
}
#[test]
fn methods() {
    for n in [0u32, 1, 90] {
        let x: Vec<u32> = (0..n).map(|k| k.wrapping_mul(2654435761) >> 8).collect();
        compare!(m, d => {
            omp::set_default_device(d);
            let ps: Vec<_> = (0..n).map(m::P::new).collect();
            let (mut y, mut z) = (vec![1; x.len()], vec![1; x.len()]);
            m::run(&x, &ps, &mut y);
            m::two_phase(&x, &mut z);
            (y, z)
        });
    }
}
