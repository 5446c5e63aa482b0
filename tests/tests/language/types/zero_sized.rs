//! Device types without fields: policies of generic code, as types and as values; fields that are markers.
#![allow(clippy::all, clippy::pedantic, missing_docs)]

mod policy {
    use omp_tests::{compare, twice};

    twice! {
        #[omp::declare_target]
        pub trait Flux { fn flux(l: f64, r: f64) -> f64; }
        #[derive(Clone, Copy, omp::Device)]
        pub struct Upwind;
        #[derive(Clone, Copy, omp::Device)]
        pub struct Rusanov;
        #[omp::declare_target]
        impl Flux for Upwind { fn flux(l: f64, _r: f64) -> f64 { l } }
        #[omp::declare_target]
        impl Flux for Rusanov { fn flux(l: f64, r: f64) -> f64 { 0.5 * (l + r) - 0.5 * (r - l) } }
        pub fn step<F: Flux + omp::Device>(u: &[f64], out: &mut [f64]) {
            let n = u.len();
            #[omp::target(fp(strict))]
            for i in 1..n - 1 {
                out[i] = u[i] - 0.1 * (F::flux(u[i], u[i + 1]) - F::flux(u[i - 1], u[i]));
            }
        }
    }

    #[test]
    fn policy() {
        compare!(m, d => {
        omp::set_default_device(d);
            let u: Vec<f64> = (0..100).map(|i| (i as f64 * 0.1).sin()).collect();
            let mut a = vec![0.0; 100];
            let mut b = vec![0.0; 100];
            m::step::<m::Upwind>(&u, &mut a);
            m::step::<m::Rusanov>(&u, &mut b);
            (a, b)
        });
    }
}

mod policy_self {
    use omp_tests::{compare, twice};

    twice! {
        #[omp::declare_target]
        pub trait Kernel { fn eval(&self, r: f64) -> f64; }
        #[derive(Clone, Copy, omp::Device)]
        pub struct Plain;
        #[derive(Clone, Copy, omp::Device)]
        pub struct Gauss { pub s: f64 }
        #[omp::declare_target]
        impl Kernel for Plain { fn eval(&self, r: f64) -> f64 { 1.0 - r } }
        #[omp::declare_target]
        impl Kernel for Gauss { fn eval(&self, r: f64) -> f64 { 1.0 / (1.0 + self.s * r * r) } }
        pub fn apply<K: Kernel + omp::Device>(k: K, u: &[f64], out: &mut [f64]) {
            #[omp::target(fp(strict))]
            for i in 0..u.len() {
                out[i] = k.eval(u[i]);
            }
        }
        pub fn with_struct(u: &mut [f64]) {
            let k = Plain;
            #[omp::target(fp(strict))]
            for v in u.iter_mut() { *v = k.eval(*v); }
        }
    }

    #[test]
    fn policy_self() {
        compare!(m, d => {
        omp::set_default_device(d);
            let u: Vec<f64> = (0..100).map(|i| (i as f64 * 0.1).sin()).collect();
            let mut a = vec![0.0; 100];
            let mut b = vec![0.0; 100];
            m::apply(m::Plain, &u, &mut a);
            m::apply(m::Gauss { s: 2.0 }, &u, &mut b);
            m::with_struct(&mut a);
            (a, b)
        });
    }
}

mod phantom {
    use omp_tests::{compare, twice};

    twice! {
        use std::marker::PhantomData;
        #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
        pub struct Metre;
        #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
        pub struct Length<U> { pub v: f64, unit: PhantomData<U> }
        #[omp::declare_target]
        impl<U: omp::Device> Length<U> {
            pub fn new(v: f64) -> Self { Length { v, unit: PhantomData } }
            pub fn add(self, o: Self) -> Self { Length::new(self.v + o.v) }
        }
        pub fn sum(a: &[Length<Metre>], b: &[Length<Metre>], c: &mut [Length<Metre>]) {
            #[omp::target(fp(strict))]
            for i in 0..a.len() { c[i] = a[i].add(b[i]); }
        }
    }

    #[test]
    fn phantom() {
        compare!(m, d => {
        omp::set_default_device(d);
            let a: Vec<_> = (0..50).map(|i| m::Length::<m::Metre>::new(i as f64)).collect();
            let mut c = a.clone();
            m::sum(&a, &a, &mut c);
            c.iter().map(|x| x.v).collect::<Vec<_>>()
        });
    }
}
