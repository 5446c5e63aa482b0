//! Functions of other modules that are called by paths: `inner::tail(x)`, `self::inner::rest(x)`, `super::top(x)`.
#![allow(unused_qualifications, clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{compare, twice};

pub mod outside {
    #[omp::declare_target]
    pub fn rest(x: &[i32]) -> &[i32] {
        &x[x.len() / 2..]
    }
    #[omp::declare_target]
    pub fn half(x: i32) -> i32 {
        x / 2
    }
    pub mod deep {
        #[omp::declare_target]
        pub fn third(x: i32) -> i32 {
            super::half(x) / 3
        }
    }
}
twice! {
    pub mod inner {
        #[omp::declare_target]
        pub fn tail(x: &[i32]) -> i32 { x.last().copied().unwrap_or(-1) + self::one(3) }
        #[omp::declare_target]
        pub fn one(x: i32) -> i32 { x + super::top(1) }
        #[omp::declare_target]
        pub fn rest(x: &[i32]) -> &[i32] { if x.is_empty() { x } else { &x[1..] } }
        #[omp::declare_target]
        pub fn after(x: &[i32], n: usize) -> Option<&[i32]> { x.get(n..) }
        pub mod deeper {
            #[omp::declare_target]
            pub fn twice(x: &[i32]) -> &[i32] { let r = super::rest(x); super::rest(r) }
            #[omp::declare_target]
            pub fn apply(f: impl Fn(i32) -> i32, k: i32) -> i32 { f(k) + two(k) }
            #[omp::declare_target]
            pub fn two(x: i32) -> i32 { super::super::top(x) + super::one(x) }
        }
        pub const K: i32 = 4;
    }
    #[omp::declare_target]
    fn rest(x: &[i32], k: i32) -> i32 { x.len() as i32 * k }
    #[omp::declare_target]
    fn top(x: i32) -> i32 { x * 2 }
    #[derive(Clone, Copy, Debug, Default, omp::Device)]
    pub struct S { v: i32 }
    #[omp::declare_target]
    impl S {
        fn helper(x: i32) -> i32 { x + 10 }
        fn use_it(self) -> i32 { Self::helper(self.v) + S::helper(1) + inner::one(self.v) + inner::tail(&[self.v]) }
        fn slice(x: &[i32]) -> i32 { inner::tail(inner::rest(x)) }
        fn run_all(x: &[i32], out: &mut [i32]) {
            for i in 0..x.len() { out[i] += Self::helper(x[i]); }
        }
    }
    pub struct Host { x: Vec<i32> }
    #[omp::offload]
    impl Host {
        #[omp::declare_target]
        fn helper(x: i32) -> i32 { x - 3 }
        pub fn new(n: i32) -> Self { Self { x: (0..n).collect() } }
        pub fn run(&mut self) -> Vec<i32> {
            #[omp::target]
            for i in 0..self.x.len() { self.x[i] = Self::helper(self.x[i]) + inner::one(2) + inner::K; }
            self.x.clone()
        }
    }
    pub fn run(x: &[i32], out: &mut [i32]) {
        #[omp::target]
        for i in 0..x.len() {
            out[i] = inner::tail(x) + inner::tail(&x[..i]) + self::inner::one(x[i]) + inner::deeper::two(x[i]);
            out[i] += S { v: x[i] }.use_it() + S::slice(&x[..i]) + S::helper(3);
            out[i] += super::outside::half(x[i]) + super::outside::deep::third(x[i]);
            let part = &x[..i];
            out[i] += inner::rest(x).len() as i32 + inner::tail(inner::rest(part)) + inner::deeper::twice(part)[..].len() as i32;
            if let Some(t) = inner::after(part, 2) { out[i] += t.len() as i32; }
            out[i] += inner::deeper::apply(|k| k + i as i32, 4) + self::inner::deeper::apply(|k| k * x[i], 2);
            out[i] += rest(x, 3);
        }
    }
}
#[test]
fn paths() {
    for n in [0i32, 1, 6] {
        let x: Vec<i32> = (0..n).map(|i| (i * 5) % 7 - 3).collect();
        compare!(m, d => { omp::set_default_device(d); let mut out = vec![0; n as usize]; m::run(&x, &mut out); (out, m::Host::new(n).run()) });
    }
}

/// Without a module of directives around: the file shows what the paths mean.
mod alone {
    pub mod inner {
        #[omp::declare_target]
        pub fn rest(x: &[i32]) -> &[i32] {
            if x.is_empty() { x } else { &x[1..] }
        }
        #[omp::declare_target]
        pub fn r#move(x: &[i32]) -> &[i32] {
            &x[..x.len() / 2]
        }
        pub mod deeper {
            #[omp::declare_target]
            pub fn apply(f: impl Fn(i32) -> i32, k: i32) -> i32 {
                f(k)
            }
        }
    }
    #[omp::offload]
    pub fn run(x: &[i32], out: &mut [i32]) {
        #[omp::target]
        for i in 0..x.len() {
            out[i] += inner::rest(x).len() as i32 + inner::deeper::apply(|k| k + i as i32, 4);
        }
    }
    #[omp::declare_target]
    fn device(x: &[i32]) -> i32 {
        self::inner::rest(x).len() as i32
    }
    #[omp::offload]
    pub mod nested {
        pub fn run(x: &[i32], out: &mut [i32]) {
            #[omp::target]
            for i in 0..x.len() {
                out[i] += super::inner::rest(x).len() as i32 + super::device(x);
            }
        }
    }
    pub mod user {
        #[omp::offload]
        pub fn run(x: &[i32], out: &mut [i32]) {
            #[omp::target]
            for i in 0..x.len() {
                let r = super::inner::rest(x);
                out[i] += r.len() as i32 * super::inner::r#move(x).len() as i32;
            }
        }
    }
}

#[test]
fn without_a_module() {
    omp_tests::on_every_device(|d| {
        omp::set_default_device(d);
        let (x, mut out) = ([1, 2, 3], [0; 3]);
        alone::run(&x, &mut out);
        alone::nested::run(&x, &mut out);
        alone::user::run(&x, &mut out);
        assert_eq!(out, [12, 13, 14]);
    });
}
