//! Types without values: type parameters that only name behaviour, by associated functions and consts.
#![forbid(unsafe_code)]
#![allow(clippy::all, clippy::pedantic, reason = "bodies have all forms on purpose")]
use omp_tests::{on_every_device, on_every_device_in_part};
use std::marker::PhantomData;

struct Relu;
struct Square;
struct Then<A, B>(PhantomData<(A, B)>);
struct Layer<A>(PhantomData<A>);

#[omp::declare_target]
trait Activation {
    const K: f32;
    fn f(x: f32) -> f32;
    fn scaled(x: f32) -> f32 {
        Self::f(x) * Self::K
    }
}

#[omp::declare_target]
impl Activation for Relu {
    const K: f32 = 2.0;
    fn f(x: f32) -> f32 {
        x.max(0.0) * Self::K
    }
}

#[omp::declare_target]
impl Activation for Square {
    const K: f32 = 3.0;
    fn f(x: f32) -> f32 {
        x * x
    }
}

#[omp::declare_target]
impl<A: Activation, B: Activation> Activation for Then<A, B> {
    const K: f32 = A::K * B::K;
    fn f(x: f32) -> f32 {
        B::f(A::f(x))
    }
}

#[omp::declare_target]
impl<A: Activation> Layer<A> {
    fn run(x: f32) -> f32 {
        A::scaled(x) + 1.0
    }
    fn before<B: Activation>(x: f32) -> f32 {
        B::f(A::f(x))
    }
}

#[omp::declare_target]
fn total<A: Activation, const N: usize>(x: &[f32; N]) -> f32 {
    let mut s = 0.0;
    for i in 0..N {
        s += <A as Activation>::f(x[i]);
    }
    s
}

#[omp::declare_target]
fn twice<A>(x: f32) -> f32
where
    A: Activation,
{
    once::<A>(once::<A>(x))
}

#[omp::declare_target]
fn once<A: Activation>(x: f32) -> f32 {
    assert!(A::K > 0.0);
    A::scaled(x)
}

#[omp::offload]
fn both<A: Activation, B: Activation>(x: &[f32], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = total::<A, 1>(&[x[i]]) + A::scaled(x[i]) * A::K + twice::<B>(x[i]) + Layer::<A>::run(x[i]);
    }
    #[omp::target]
    for i in 0..y.len() {
        y[i] +=
            Layer::<B>::before::<A>(x[i]) + Then::<A, B>::f(x[i]) + <Then<B, A> as Activation>::scaled(x[i]);
        y[i] += Relu::f(x[i]);
    }
}

fn expected<A: Activation, B: Activation>(x: f32) -> f32 {
    let first = total::<A, 1>(&[x]) + A::scaled(x) * A::K + twice::<B>(x) + Layer::<A>::run(x);
    let second = Layer::<B>::before::<A>(x) + Then::<A, B>::f(x) + <Then<B, A> as Activation>::scaled(x);
    first + second + Relu::f(x)
}

struct Net<A> {
    y: Vec<f32>,
    of: PhantomData<A>,
}

#[omp::offload]
impl<A: Activation> Net<A> {
    fn step(&mut self) {
        #[omp::target]
        for i in 0..self.y.len() {
            self.y[i] = A::f(self.y[i]) + once::<A>(self.y[i]);
        }
    }
}

#[test]
fn types_that_only_name_behaviour_need_no_values() {
    // Small integers, so that nothing is rounded.
    let x: Vec<f32> = (0..100).map(|i| (i % 7) as f32 - 3.0).collect();
    on_every_device(|device| {
        let mut y = vec![0.0; 100];
        both::<Relu, Square>(&x, &mut y);
        for i in 0..100 {
            assert_eq!(y[i], expected::<Relu, Square>(x[i]), "{device}: {i}");
        }
        both::<Square, Then<Relu, Relu>>(&x, &mut y);
        for i in 0..100 {
            assert_eq!(y[i], expected::<Square, Then<Relu, Relu>>(x[i]), "{device}: {i}");
        }
        let mut net = Net::<Then<Relu, Square>> { y: x.clone(), of: PhantomData };
        net.step();
        for i in 0..100 {
            let f = Then::<Relu, Square>::f(x[i]);
            assert_eq!(net.y[i], f + f * 6.0, "{device}: {i}");
        }
    });
}

#[omp::declare_target]
trait Shape: Copy + std::ops::Add<Output = Self> {
    const BIG: Self;
    fn unit() -> Self;
    fn area(self) -> f32;
    fn side() -> f32;
}

#[derive(Clone, Copy, omp::Device)]
struct Rect {
    w: f32,
    h: f32,
}

#[omp::declare_target]
impl std::ops::Add for Rect {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Rect { w: self.w + o.w, h: self.h + o.h }
    }
}

#[omp::declare_target]
impl Shape for Rect {
    const BIG: Self = Rect { w: 8.0, h: 2.0 };
    fn unit() -> Self {
        Rect { w: 2.0, h: 3.0 }
    }
    fn area(self) -> f32 {
        self.w * self.h
    }
    fn side() -> f32 {
        2.0
    }
}

#[omp::declare_target]
fn area<S: Shape>(k: f32) -> f32 {
    S::unit().area() * k + S::BIG.area()
}

#[omp::declare_target]
fn sum<S: Shape>(k: f32) -> f32 {
    assert!(<S as Shape>::unit().area() > 0.0);
    (S::unit() + S::unit()).area() * k
}

#[omp::declare_target]
fn bound<S: Shape>(k: f32) -> f32 {
    let s = S::unit();
    let mut t = s;
    if k > 1.0 {
        t = t + S::unit();
    }
    t.area()
}

#[omp::declare_target]
trait Measure {
    fn run<S: Shape>(&self, k: f32) -> f32;
    fn of_none<S: Shape>(k: f32) -> f32 {
        S::side().max(k)
    }
}

#[derive(Clone, Copy, omp::Device)]
struct Ruler {
    k: f32,
}

#[omp::declare_target]
impl Measure for Ruler {
    fn run<S: Shape>(&self, k: f32) -> f32 {
        let s: S = S::unit();
        s.area() * k + self.k
    }
    fn of_none<S: Shape>(k: f32) -> f32 {
        let s: S = S::unit();
        s.area() * k
    }
}

#[omp::declare_target]
fn measured<M: Measure, S: Shape>(k: f32) -> f32 {
    M::of_none::<S>(k) + <M as Measure>::of_none::<S>(k)
}

/// Numbers alone, whatever is done with them.
#[omp::declare_target]
fn numbers<A: Activation>(x: f32) -> f32 {
    let y = A::f(x);
    let z = y * y + A::K.max(1.0);
    z.max(0.0).mul_add(A::f(y).abs(), y.clone()).clamp(-1e6, 1e6)
}

#[omp::offload]
fn shapes<A: Activation, S: Shape + omp::Device>(r: Ruler, y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        let k = y[i];
        y[i] = area::<S>(k) + sum::<S>(k) + bound::<S>(k) + r.run::<S>(k) + measured::<Ruler, S>(k);
        y[i] += numbers::<A>(k);
    }
}

#[test]
fn what_a_parameters_functions_give_may_be_its_values() {
    on_every_device(|device| {
        let mut y: Vec<f32> = (0..50).map(|i| (i % 5) as f32).collect();
        let before = y.clone();
        let r = Ruler { k: 0.5 };
        shapes::<Square, Rect>(r, &mut y);
        for (i, &k) in before.iter().enumerate() {
            let of_shapes = area::<Rect>(k)
                + sum::<Rect>(k)
                + bound::<Rect>(k)
                + r.run::<Rect>(k)
                + measured::<Ruler, Rect>(k);
            assert_eq!(y[i], of_shapes + numbers::<Square>(k), "{device}: {i}");
        }
    });
}

#[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
struct Derived {
    a: f32,
}

#[omp::offload]
fn fill<T: Default + omp::Device>(device: usize, y: &mut [T]) {
    #[omp::target(device(device))]
    for i in 0..y.len() {
        y[i] = T::default();
    }
}

#[test]
fn a_derived_default_behind_a_parameter_is_a_value() {
    on_every_device(|device| {
        let mut y = [Derived { a: 1.0 }; 3];
        fill(device, &mut y);
        assert_eq!(y, [Derived { a: 0.0 }; 3]);
        let of_derived = omp::last_region().fallback;
        let (mut arrays, mut tuples) = ([[1.5f32; 3]; 2], [(1u8, 2i32)]);
        fill(device, &mut arrays);
        let of_arrays = omp::last_region().fallback;
        fill(device, &mut tuples);
        let of_tuples = omp::last_region().fallback;
        assert_eq!((arrays, tuples), ([[0.0; 3]; 2], [(0, 0)]));
        assert_eq!([of_derived, of_arrays, of_tuples], [None, None, None]);
    });
}

fn gives_up() -> ! {
    panic!("nothing here")
}

#[omp::offload]
fn may_give_up(device: usize, y: &mut [u32]) {
    #[omp::target(device(device))]
    for i in 0..y.len() {
        if y[i] == 7 {
            gives_up();
        }
        y[i] += 1;
    }
}

#[test]
fn an_undeclared_function_that_never_returns_is_told_by_its_name() {
    on_every_device_in_part(|device| {
        let mut y = [1, 2, 3];
        may_give_up(device, &mut y);
        assert_eq!(y, [2, 3, 4]);
        let fallback = omp::last_region().fallback.unwrap_or_default();
        if device != omp::get_initial_device() {
            assert!(fallback.contains("gives_up` is no device function: put"), "{fallback}");
        }
        fill(device, &mut y);
    });
}

/// Methods that an `impl` describes by name, and those that have parameters of their own; lifetimes that only one of `impl` and trait has.
mod members {
    #[omp::declare_target]
    trait Num: Copy {
        fn f(self) -> f32;
    }
    #[omp::declare_target]
    impl Num for f32 {
        fn f(self) -> f32 {
            self * 1.0
        }
    }
    #[derive(Clone, Copy, omp::Device)]
    struct V {
        x: f32,
    }
    #[derive(Clone, Copy, omp::Device)]
    struct G<T> {
        x: T,
    }
    #[omp::declare_target]
    trait Sh: Copy {
        fn plain(&self) -> f32;
        fn own<'a>(&'a self, k: f32) -> f32;
        fn genr<T: omp::Device + Num>(&self, k: T) -> f32;
        fn dft(&self) -> f32 {
            self.plain() + 1.0
        }
        fn dft2(&self) -> f32
        where
            Self: Sized,
        {
            self.plain() + 2.0
        }
        fn make(x: f32) -> f32;
        #[cfg(any())]
        fn gone(&self) -> Nothing;
    }
    #[omp::declare_target]
    impl Sh for V {
        fn plain(&self) -> f32 {
            self.x
        }
        fn own(&self, k: f32) -> f32 {
            self.x * k
        }
        fn genr<T: omp::Device + Num>(&self, k: T) -> f32 {
            let k: f32 = k.f();
            self.x - k
        }
        fn dft(&self) -> f32 {
            self.x + 10.0
        }
        fn make(x: f32) -> f32 {
            x + 0.5
        }
        #[cfg(any())]
        fn gone(&self) -> Nothing {
            Nothing
        }
    }
    #[omp::declare_target]
    impl<T: omp::Device + Num> Sh for G<T> {
        fn plain(&self) -> f32 {
            self.x.f()
        }
        fn own<'b>(&'b self, k: f32) -> f32 {
            let x: f32 = self.x.f();
            x * k
        }
        fn genr<U: omp::Device + Num>(&self, k: U) -> f32 {
            let k: f32 = k.f();
            self.plain() - k
        }
        fn dft2(&self) -> f32 {
            7.0
        }
        fn make(x: f32) -> f32 {
            x
        }
    }
    fn all<S: Sh>(s: S) -> f32 {
        s.plain() + s.own(2.0) + s.genr(1.0f32) + s.dft() * 100.0 + s.dft2() * 1000.0 + S::make(3.0)
    }
    #[omp::offload]
    fn run<S: Sh + omp::Device>(s: &[S], y: &mut [f32]) {
        #[omp::target]
        for i in 0..y.len() {
            let s = s[i];
            y[i] =
                s.plain() + s.own(2.0) + s.genr(1.0f32) + s.dft() * 100.0 + s.dft2() * 1000.0 + S::make(3.0);
        }
    }

    #[test]
    fn methods_of_all_shapes() {
        let v = [V { x: 1.0 }, V { x: 2.5 }];
        let mut y = [0.0; 2];
        run(&v, &mut y);
        assert_eq!(y, v.map(all));
        let g = [G { x: 1.0f32 }, G { x: 2.5 }];
        run(&g, &mut y);
        assert_eq!(y, g.map(all));
    }
}
