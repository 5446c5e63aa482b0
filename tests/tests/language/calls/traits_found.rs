//! Declared traits, wherever an `impl` finds them: before they are declared, in other modules, under other names, by macros, in functions.
#![allow(dead_code, clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp::Device;
use omp_tests::on_every_device;
#[derive(Clone, Copy, Device)]
pub struct Q {
    x: f32,
}
// used before it is defined
#[omp::declare_target]
impl Later for Q {
    fn later(&self) -> f32 {
        self.x + 1.0
    }
}
#[omp::declare_target]
trait Later {
    fn later(&self) -> f32;
    fn twice(&self) -> f32 {
        self.later() * 2.0
    }
}
mod a {
    #[omp::declare_target]
    pub(crate) trait InCrate {
        fn inc(&self) -> f32;
    }
    #[omp::declare_target]
    pub(super) trait InSuper {
        fn ins(self) -> f32;
    }
    #[omp::declare_target]
    pub trait Public<T> {
        fn conv(&self, by: T) -> T;
        fn of(x: T) -> Self;
    }
    pub mod deep {
        #[omp::declare_target]
        pub(in crate::calls::traits_found::a) trait InA {
            fn ina(&self) -> u32;
        }
        #[omp::declare_target]
        impl InA for u32 {
            fn ina(&self) -> u32 {
                *self + 100
            }
        }
        #[omp::declare_target]
        impl super::InCrate for u32 {
            fn inc(&self) -> f32 {
                *self as f32
            }
        }
    }
    use deep::InA;
    #[omp::declare_target]
    pub fn call_ina(x: u32) -> u32 {
        x.ina()
    }
    #[derive(Clone, Copy, omp::Device)]
    pub struct A(pub u32);
    #[omp::declare_target]
    impl InA for A {
        fn ina(&self) -> u32 {
            self.0
        }
    }
}
mod b {
    use super::a::{InCrate as Renamed, *};
    #[omp::declare_target]
    impl Renamed for super::Q {
        fn inc(&self) -> f32 {
            self.x + 0.5
        }
    }
    #[omp::declare_target]
    impl<T: omp::Device + Copy> Public<T> for super::W<T> {
        fn conv(&self, _by: T) -> T {
            self.0
        }
        fn of(x: T) -> Self {
            super::W(x)
        }
    }
    #[omp::declare_target]
    impl Public<f32> for super::Q {
        fn conv(&self, by: f32) -> f32 {
            self.x * by
        }
        fn of(x: f32) -> Self {
            Self { x }
        }
    }
}
#[derive(Clone, Copy, Device)]
pub struct W<T>(T);
#[omp::declare_target]
impl InSuper for Q {
    fn ins(self) -> f32 {
        self.x - 1.0
    }
}
macro_rules! make {
    ($t:ident, $m:ident, $ty:ty) => {
        #[omp::declare_target]
        trait $t {
            fn $m(&self) -> f32;
            fn both(&self) -> f32 {
                self.$m() + 1.0
            }
        }
        #[omp::declare_target]
        impl $t for $ty {
            fn $m(&self) -> f32 {
                self.x * 3.0
            }
        }
    };
}
make!(Made, made, Q);
// named like derives of the prelude, like a macro of the user's
#[omp::declare_target]
trait Hash {
    fn hash(&self) -> u32;
}
#[omp::declare_target]
impl Hash for Q {
    fn hash(&self) -> u32 {
        self.x as u32 ^ 5
    }
}
mod h {
    use super::Hash;
    #[omp::declare_target]
    impl Hash for super::W<f32> {
        fn hash(&self) -> u32 {
            77
        }
    }
}

#[omp::declare_target]
trait Shape {
    fn shape(&self) -> f32;
}
#[omp::declare_target]
impl Shape for Q {
    fn shape(&self) -> f32 {
        7 as f32
    }
}
#[cfg(not(any()))]
#[omp::declare_target]
trait Cfgd {
    #[cfg(any())]
    fn none(&self) -> Nothing;
    #[cfg(not(any()))]
    fn some(&self) -> f32;
}
#[cfg(not(any()))]
#[omp::declare_target]
impl Cfgd for Q {
    #[cfg(not(any()))]
    fn some(&self) -> f32 {
        2.0
    }
}
fn local(d: usize) -> f32 {
    #[omp::declare_target]
    trait Local {
        fn local(&self) -> f32;
        fn dflt(&self) -> f32 {
            3.0
        }
    }
    #[derive(Clone, Copy, Device)]
    struct L(f32);
    #[omp::declare_target]
    impl Local for L {
        fn local(&self) -> f32 {
            self.0
        }
    }
    #[omp::declare_target]
    impl Local for Q {
        fn local(&self) -> f32 {
            self.x
        }
    }
    #[omp::offload]
    fn run(y: &mut [f32], l: L, q: Q, d: usize) {
        #[omp::target(device(d))]
        for i in 0..y.len() {
            y[i] = l.local() + l.dflt() + q.local();
        }
    }
    let mut y = [0.0; 3];
    run(&mut y, L(4.0), Q { x: 10.0 }, d);
    y[2]
}
#[omp::offload]
mod whole {
    #[omp::declare_target]
    pub trait In {
        fn input(&self) -> f32;
        const K: f32;
        type Out;
    }
    #[omp::declare_target]
    impl In for super::Q {
        fn input(&self) -> f32 {
            self.x * Self::K
        }
        const K: f32 = 2.0;
        type Out = f32;
    }
    pub fn run(y: &mut [f32], q: super::Q, d: usize) {
        #[omp::target(device(d))]
        for i in 0..y.len() {
            y[i] = q.input();
        }
    }
}
use a::{InCrate, InSuper, Public};
#[omp::offload]
fn run(y: &mut [f32], q: Q, w: W<f32>, d: usize) {
    #[omp::target(device(d))]
    for i in 0..y.len() {
        let h = q.hash() + w.hash() + a::call_ina(3);
        y[i] = q.later()
            + q.twice()
            + q.inc()
            + q.ins()
            + q.conv(2.0)
            + w.conv(1.0)
            + q.made()
            + q.both()
            + q.shape()
            + q.some()
            + h as f32
            + (i as u32).inc()
            + Q::of(3.0).x;
    }
}

#[test]
fn wherever_the_trait_is_found() {
    on_every_device(|d| {
        let mut y = [0.0; 3];
        let (q, w) = (Q { x: 2.0 }, W(8.0));
        run(&mut y, q, w, d);
        let h = q.hash() + w.hash() + a::call_ina(3);
        let want = q.later()
            + q.twice()
            + q.inc()
            + q.ins()
            + q.conv(2.0)
            + w.conv(1.0)
            + q.made()
            + q.both()
            + q.shape()
            + q.some()
            + h as f32
            + 1u32.inc()
            + Q::of(3.0).x;
        assert_eq!(y, [want - 1.0, want, want + 1.0]);
        assert_eq!(local(d), 17.0);
        whole::run(&mut y, q, d);
        assert_eq!(y, [4.0; 3]);
    });
}
