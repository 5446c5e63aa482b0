//! Traits of the user's that every type implements: whatever their methods are called, generated code calls its own.
//! A method that takes `self` is found before one that takes `&self`, so generated code calls its methods through
//! references, or they take `self` themselves.
#![allow(dead_code, clippy::unused_self, clippy::needless_range_loop)]
use omp_tests::on_every_device;

#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
enum Kind {
    A,
    B,
}

#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct V {
    x: f32,
    y: f32,
}

#[omp::declare_target]
impl V {
    fn norm(&self) -> f32 {
        self.x * self.x + self.y * self.y
    }
    fn grow(&mut self) {
        self.x += 1.0;
    }
}

#[omp::declare_target]
fn twice<T: omp::Device + std::ops::Add<Output = T>>(v: T) -> T {
    v + v
}

/// A method of all iterators that has the name of an adaptor which no loop of the module calls.
#[allow(clippy::cloned_instead_of_copied, reason = "one of the adaptors")]
mod adaptors {
    trait Also: Iterator + Sized {
        fn rev(self) -> usize {
            self.count()
        }
    }
    impl<I: Iterator> Also for I {}

    #[omp::offload]
    fn others(d: usize, x: &[u32], y: &mut [u32]) {
        #[omp::target(device(d))]
        for (i, v) in y.iter_mut().enumerate() {
            for (a, b) in x.iter().copied().zip(x[i..].iter().cloned()).step_by(2) {
                *v += a * b;
            }
            for a in x.iter().cloned() {
                *v += a;
            }
        }
        #[omp::target(device(d))]
        for (v, a) in y.iter_mut().zip(x.iter()) {
            *v += *a;
        }
        #[omp::target(device(d))]
        for i in (0..y.len()).step_by(2) {
            y[i] += 1;
        }
    }

    #[test]
    fn others_are_called() {
        super::on_every_device(|d| {
            let mut y = [0; 4];
            others(d, &[1, 2, 3, 4], &mut y);
            assert_eq!(y, [22, 26, 17, 18]);
        });
    }
}

/// Names of methods that generated code calls, with signatures of their own.
mod names {
    use super::{Kind, V, twice};

    macro_rules! for_every_type {
        ($($name:ident)*) => {
            trait Also: Sized {
                fn with(self, f: impl FnOnce(&mut Self)) -> Self {
                    let mut s = self;
                    f(&mut s);
                    s
                }
                fn then<R>(self, f: impl FnOnce(Self) -> R) -> R {
                    f(self)
                }
                $(fn $name(self) {})*
            }
            impl<T> Also for T {}
        };
    }
    for_every_type!(
        a all array at at_checked b block by_path call callee claim claims condition count declared dependent_dim desc
        device dim done each end enter exit extent for_each group id inner item join konst l last launch leave lit
        map nested neutral of on_host only open operator pass place plain push r read reads reduce reduced run
        scalar scan schedule section see see_any see_elem serial settle shadow slot start steps store task_read
        task_type task_value task_write tell template try_run try_wait ty typed update value values verified
        verifying view wait wait_group wide
    );

    #[omp::offload]
    pub(super) fn sums(d: usize, x: &[f32], y: &mut [f32]) -> f32 {
        let mut s = 0.0;
        #[omp::target(device(d), reduction(+: s))]
        for i in 0..y.len() {
            y[i] = x[i].sqrt();
            s += x[i];
        }
        s
    }

    #[omp::offload]
    pub(super) fn generic<T: omp::Device + std::ops::AddAssign>(d: usize, x: &[T], zero: T) -> T {
        let mut s = zero;
        #[omp::target(device(d), reduction(+: s))]
        for i in 0..x.len() {
            s += x[i];
        }
        s
    }

    #[omp::offload]
    pub(super) fn nest(d: usize, x: &[f32], y: &mut [f32], n: usize, m: usize) -> usize {
        let mut at = 0;
        #[omp::target(device(d), collapse(2), lastprivate(at), num_teams(3), schedule(static, 2))]
        for i in (0..n).rev() {
            for j in (0..m).step_by(2) {
                at = i * m + j;
                y[i * m + j] = x[j] * 2.0;
            }
        }
        at
    }

    #[omp::offload]
    pub(super) fn rows(d: usize, x: &[f32], y: &mut [f32], m: usize) {
        #[omp::target(device(d))]
        for i in 0..y.len() {
            let mut s = 0.0;
            #[omp::parallel_for(reduction(+: s))]
            for j in 0..m {
                s += x[i * m + j];
            }
            y[i] = s;
        }
    }

    #[omp::offload]
    pub(super) fn elements(d: usize, x: &[u32], y: &mut [u32], k: &mut [Kind], v: &mut [V]) -> u32 {
        let mut s = 0;
        #[omp::target(device(d), scan(+: s))]
        for i in 0..x.len() {
            s += x[i];
            y[i] = s;
        }
        #[omp::target(device(d))]
        for (k, v) in k.iter_mut().zip(v.iter_mut()) {
            if *k == Kind::A {
                *k = Kind::B;
            }
            let mut w = *v;
            w.grow();
            *v = V { x: w.norm(), y: twice(w.y) };
        }
        s
    }

    #[omp::offload]
    pub(super) fn scatter(d: usize, to: &[usize], y: &mut [u32], h: &mut [u32]) {
        #[omp::target(device(d), disjoint(y))]
        for i in 0..to.len() {
            y[to[i]] = i as u32;
        }
        #[omp::target(device(d), reduction(+: h[1..]))]
        for i in 0..to.len() {
            h[1 + to[i] % 3] += 1;
        }
        #[omp::target(device(d))]
        for i in 0..to.len() {
            #[omp::atomic]
            h[to[i] % 2] += 1;
        }
    }

    #[omp::offload]
    pub(super) fn tasks(d: usize, x: &[u32], y: &mut [u32], z: &mut [u32]) -> u32 {
        let mut s = 0;
        #[omp::target_data(device(d), map(to: x), map(tofrom: y[..]))]
        {
            #[omp::target(nowait, device(d))]
            for i in 0..x.len() {
                y[i] += x[i];
            }
            #[omp::target(nowait, device(d), depend(in: y), map(from: z))]
            for i in 0..x.len() {
                z[i] = y[i] + 1;
            }
            omp::taskwait!();
            omp::target_update!(device(d), from(y[1..]));
        }
        #[omp::taskgroup]
        {
            #[omp::target(nowait, device(d), reduction(+: s))]
            for i in 0..z.len() {
                s += z[i];
            }
        }
        s
    }
}

#[test]
fn names_of_methods_are_the_users() {
    on_every_device(|d| {
        let mut y = [0.0; 9];
        assert_eq!((names::sums(d, &[4.0; 9], &mut y), y), (36.0, [2.0; 9]));
        assert_eq!((names::generic(d, &[1.5; 9], 0.0), names::generic(d, &[2u8; 3], 1)), (13.5, 7));
        let mut y = [0.0; 6];
        assert_eq!((names::nest(d, &[1.0; 3], &mut y, 2, 3), y), (2, [2.0, 0.0, 2.0, 2.0, 0.0, 2.0]));
        names::rows(d, &[1.0; 12], &mut y, 2);
        assert_eq!(y, [2.0; 6]);
        let (mut y, mut k, mut v) = ([0; 4], [Kind::A; 4], [V { x: 1.0, y: 2.0 }; 4]);
        assert_eq!(names::elements(d, &[1, 2, 3, 4], &mut y, &mut k, &mut v), 10);
        assert_eq!((y, k, v), ([1, 3, 6, 10], [Kind::B; 4], [V { x: 8.0, y: 4.0 }; 4]));
        let mut h = [0; 4];
        names::scatter(d, &[3, 2, 0, 1], &mut y, &mut h);
        assert_eq!((y, h), ([2, 3, 1, 0], [2, 4, 1, 1]));
        let mut z = [0; 4];
        assert_eq!(names::tasks(d, &[1, 2, 3, 4], &mut y, &mut z), 20);
        assert_eq!((y, z), ([3, 5, 4, 4], [4, 6, 5, 5]));
    });
}

/// With the types that generated code expects: what is not called can't lead it out of bounds.
mod lies {
    use std::ops::Range;

    trait Lie: Sized {
        fn plain(self, _: u64, _: u64) -> Range<usize> {
            0..100_000
        }
        fn steps(self, _: u64, _: u64) -> Range<usize> {
            0..100_000
        }
        fn count(self) -> u64 {
            100_000
        }
        fn value(self, _: u64) -> usize {
            100_000
        }
        fn serial(self) -> bool {
            false
        }
        fn claims(self) -> bool {
            false
        }
        fn of(self, _: &[i128]) -> u64 {
            0
        }
    }
    impl<T: Copy> Lie for T {}

    #[omp::offload]
    pub(super) fn in_bounds(d: usize, x: &[u32], y: &mut [u32], n: usize, m: usize) {
        #[omp::target(device(d))]
        for i in 0..n {
            y[i] = x[i];
        }
        #[omp::target(device(d), collapse(2))]
        for i in 0..n {
            for j in (0..m).rev() {
                y[i * m + j] += x[j];
            }
        }
    }

    #[omp::offload]
    pub(super) fn twice(d: usize, to: &[usize], y: &mut [u32]) {
        #[omp::target(device(d), disjoint(y))]
        for i in 0..to.len() {
            y[to[i]] = i as u32;
        }
    }
}

#[test]
fn a_trait_of_the_users_does_not_answer_for_the_launch() {
    on_every_device(|d| {
        let mut y = [1; 6];
        lies::in_bounds(d, &[1, 2, 3], &mut y, 3, 2);
        assert_eq!(y, [2, 4, 4, 3, 2, 3]);
        std::panic::catch_unwind(|| lies::in_bounds(d, &[1; 3], &mut [0; 6], 4, 1)).unwrap_err();
        std::panic::catch_unwind(|| lies::twice(d, &[1, 2, 1], &mut [0; 3])).unwrap_err();
    });
}

/// Raw identifiers, wherever a name may stand.
mod raw {
    #[derive(Clone, Copy, omp::Device)]
    #[allow(non_camel_case_types)]
    pub struct r#struct {
        pub r#type: f32,
    }
    #[omp::declare_target]
    impl r#struct {
        fn r#fn(&self) -> f32 {
            self.r#type + 1.0
        }
    }
    #[omp::declare_target]
    fn r#loop(x: f32) -> f32 {
        x * 2.0
    }
    #[omp::offload]
    pub fn r#move(device: usize, r#in: &[r#struct], r#type: &mut [f32]) -> f32 {
        let mut r#ref = 0.0f32;
        #[omp::target(device(device), map(to: r#in), map(from: r#type))]
        for r#for in 0..r#in.len() {
            r#type[r#for] = r#loop(r#in[r#for].r#fn());
        }
        #[omp::target(device(device), reduction(+: r#ref))]
        for r#for in 0..r#in.len() {
            r#ref += r#type[r#for];
        }
        #[omp::target(device(device), nowait)]
        for r#for in 0..r#in.len() {
            r#type[r#for] += 1.0;
        }
        r#type[0] += 1.0;
        r#ref
    }
}

/// To rustc, `r#t` is `t`.
mod one_name {
    #[derive(Clone, Copy, omp::Device)]
    pub struct P {
        pub r#a: u64,
        pub b: u64,
    }
    #[omp::declare_target]
    impl P {
        fn r#sum(&self) -> u64 {
            self.a + self.r#b
        }
    }
    #[omp::declare_target]
    fn twice(v: u64) -> u64 {
        let v = v + 1;
        2 * r#v - 2
    }
    #[omp::offload]
    pub fn values(d: usize, t: u64, y: &mut [u64]) {
        #[omp::target(device(r#d), map(r#tofrom: r#y))]
        for i in 0..y.len() {
            let t = t + 20;
            let mut p = P { a: r#t, r#b: y[i] };
            p.r#b += r#i as u64;
            y[i] = r#twice(p.sum());
        }
    }
    #[omp::offload]
    #[allow(unused_variables, reason = "what is called so is another variable")]
    pub fn arrays(d: usize, x: &[u64], y: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..y.len() {
            let x = [3, 4];
            y[i] = r#x[i % 2];
        }
        'a: for k in 0..2 {
            #[r#omp::r#target(device(d))]
            for i in 0..r#y.len() {
                r#y[i] += 1;
            }
            if k == 0 {
                continue 'a;
            }
        }
    }
    #[omp::offload]
    pub fn sum(d: usize, x: &[u64]) -> u64 {
        let mut r#s = 0;
        #[omp::target(device(d), reduction(+: s))]
        for i in 0..x.len() {
            r#s += x[i];
        }
        s
    }
    #[omp::offload]
    pub fn task(d: usize, y: &mut [u64]) -> u64 {
        #[omp::target(nowait, device(d))]
        for i in 0..y.len() {
            y[i] += 1;
        }
        r#y[0]
    }
}

#[test]
fn raw_names_are_the_same_names() {
    on_every_device(|d| {
        let mut y = vec![1; 4];
        one_name::values(d, 1, &mut y);
        assert_eq!(y, [44, 46, 48, 50]);
        one_name::arrays(d, &[9], &mut y);
        assert_eq!(y, [5, 6, 5, 6]);
        assert_eq!(one_name::sum(d, &[1, 2, 3]), 6);
        let mut y = vec![1; 4];
        assert_eq!(one_name::task(d, &mut y), 2);
        assert_eq!(y, [2; 4]);
    });
}

/// Names that headers of the devices' languages define as macros.
#[omp::offload]
#[allow(non_snake_case)]
fn names_of_macros(device: usize, M_PI: f32, y: &mut [f32]) {
    #[omp::target(device(device))]
    for i in 0..y.len() {
        let FLT_MAX = y[i];
        y[i] = FLT_MAX + M_PI;
    }
}

#[test]
fn words_of_other_languages() {
    on_every_device(|d| {
        let mut y = [0.0; 3];
        let sum = raw::r#move(d, &[raw::r#struct { r#type: 1.0 }; 3], &mut y);
        assert_eq!((sum, y), (12.0, [6.0, 5.0, 5.0]));
        names_of_macros(d, 0.5, &mut y);
        assert_eq!(y, [6.5, 5.5, 5.5]);
    });
}

/// Nothing that is generated needs a prelude.
#[no_implicit_prelude]
mod without_prelude {
    use ::std::clone::Clone;
    use ::std::cmp::PartialEq;
    use ::std::iter::Iterator;
    use ::std::marker::{Copy, Sized};
    use ::std::ops::Add;
    use ::std::{assert_eq, vec};

    #[derive(Clone, Copy, ::omp::Device)]
    struct Point {
        x: f32,
        y: f32,
    }

    #[::omp::declare_target]
    impl Add for Point {
        type Output = Point;
        fn add(self, o: Point) -> Point {
            Point { x: self.x + o.x, y: self.y + o.y }
        }
    }

    #[::omp::declare_target]
    impl Point {
        fn dot(&self, other: &Point) -> f32 {
            self.x * other.x + self.y * other.y
        }
    }

    #[::omp::declare_target]
    trait Half: Sized {
        fn half(self) -> Self;
        fn quarter(self) -> Self
        where
            Self: ::std::marker::Copy,
        {
            self.half().half()
        }
    }

    #[::omp::declare_target]
    impl Half for f32 {
        fn half(self) -> f32 {
            self * 0.5
        }
    }

    #[::omp::declare_target]
    fn twice<T: ::omp::Device + Add<Output = T>>(a: T) -> T {
        a + a
    }

    #[::omp::declare_target]
    fn sum(x: &[f32]) -> f32 {
        let mut s = 0.0;
        #[allow(clippy::explicit_iter_loop, reason = "a method that a user's trait may have, too")]
        for v in x.iter() {
            s += *v;
        }
        s
    }

    #[derive(Clone, Copy, PartialEq, ::omp::Device)]
    enum Kind {
        A,
        B,
    }

    #[::omp::declare_target]
    static TABLE: [f32; 2] = [1.0, 2.0];

    #[::omp::offload]
    fn body(d: usize, x: &[f32], y: &mut [f32], hits: &mut [u32]) -> f32 {
        #[omp::target(device(d))]
        for i in 0..x.len() {
            let p = twice(Point { x: x[i], y: 2.0 });
            let kind = if i % 2 == 0 { Kind::A } else { Kind::B };
            let mut v = p.dot(&p).sqrt().max(1.0).half().quarter() + TABLE[i % 2];
            ::std::assert!(v > -1.0, "of {}", i);
            if kind == Kind::A {
                v += sum(&x[..2]);
            }
            match kind {
                Kind::A => v *= 2.0,
                Kind::B => {}
            }
            let option = (i as u32).checked_sub(3);
            if let ::std::option::Option::Some(k) = option {
                v += k as f32;
            }
            if ::std::matches!(option, ::std::option::Option::None) {
                v += ::std::mem::size_of::<Point>() as f32;
            }
            y[i] = v;
        }
        #[omp::target(device(d))]
        for i in 0..x.len() {
            #[omp::atomic]
            hits[i % 3] += 1;
        }
        let mut s = 0.0f32;
        #[omp::target(device(d), reduction(+: s))]
        for (v, &w) in y.iter().zip(x.iter()) {
            s += *v * w;
        }
        #[omp::target(device(d), reduction(+: s))]
        for v in y.iter() {
            s += *v;
        }
        s
    }

    #[::omp::offload(try)]
    fn data(d: usize, x: &mut [u32]) -> ::std::result::Result<(), ::omp::Error> {
        #[omp::target_data(map(tofrom: x), device(d))]
        {
            #[omp::target(disjoint(x), device(d))]
            for i in 0..x.len() {
                x[i] += 1;
            }
            ::omp::target_update!(from(x), device(d));
        }
        #[omp::parallel_for]
        for i in 0..x.len() {
            x[i] += 1;
        }
        #[omp::target(device(d))]
        {
            #[omp::parallel_for]
            for i in 0..x.len() {
                x[i] += 1;
            }
        }
        #[omp::target(device(d))]
        for v in x.iter_mut() {
            *v += 1;
        }
        #[omp::target(device(d), nowait, depend(inout: x))]
        for i in 0..x.len() {
            x[i] += 1;
        }
        ::omp::taskwait!();
        let n = x.len();
        x[0] = 1;
        #[omp::target(scan(+: x), device(d))]
        for i in 1..n {
            x[i] += x[i - 1];
        }
        ::std::result::Result::Ok(())
    }

    fn plain(x: &[f32]) -> (::std::vec::Vec<f32>, f32) {
        let y: ::std::vec::Vec<f32> = (0..x.len())
            .map(|i| {
                let p = twice(Point { x: x[i], y: 2.0 });
                let mut v = p.dot(&p).sqrt().max(1.0).half().quarter() + TABLE[i % 2];
                if i % 2 == 0 {
                    v = (v + x[0] + x[1]) * 2.0;
                }
                v + if i < 3 { 8.0 } else { (i - 3) as f32 }
            })
            .collect();
        let mut s = 0.0;
        for i in 0..x.len() {
            s += y[i] * x[i] + y[i];
        }
        (y, s)
    }

    #[::std::prelude::v1::test]
    fn everything_works_without_a_prelude() {
        super::on_every_device(|d| {
            let x = [1.0, 2.0, 4.0, 8.0, 1.0, 2.0];
            let (mut y, mut hits) = (vec![0.0f32; 6], vec![0; 3]);
            let s = body(d, &x, &mut y, &mut hits);
            let (want, sum) = plain(&x);
            for i in 0..6 {
                ::std::assert!((y[i] - want[i]).abs() < 1e-4, "{}: {} {}", i, y[i], want[i]);
            }
            ::std::assert!((s - sum).abs() < 1e-2, "{s} {sum}");
            assert_eq!(hits, [2, 2, 2]);
            let mut z = vec![3u32; 5];
            data(d, &mut z).unwrap();
            assert_eq!(z, [1, 9, 17, 25, 33]);
        });
    }
}

/// Names of functions that kernels have of their own, for methods that the same kernel calls.
#[omp::offload]
mod helpers {
    #[omp::declare_target]
    fn saturating_add_u8(a: u8, b: u8) -> u8 {
        a.saturating_add(b) ^ 1
    }
    #[omp::declare_target]
    fn u8_of_f32(a: f32) -> u8 {
        (a * 2.0) as u8
    }
    #[omp::declare_target]
    fn wrapping_abs_i32(a: i16) -> i16 {
        a - 9
    }
    #[omp::declare_target]
    fn accumulate(a: f32) -> f32 {
        a * 2.0
    }

    pub(super) fn sums(d: usize, x: &[f32], y: &mut [u8]) -> f32 {
        let mut sum = 0.0;
        #[omp::target(device(d), reduction(+: sum))]
        for i in 0..x.len() {
            let checked_sub_u8 = y[i].checked_sub(200).unwrap_or(3);
            let eq_u8_x2 = [checked_sub_u8, 1] == [3, 1];
            let shift_checked = 1u8 << (checked_sub_u8 % 3);
            let narrow = i32::from(wrapping_abs_i32(i16::from(y[i] & 7)));
            sum += accumulate(x[i]) + narrow.wrapping_abs() as f32;
            y[i] = saturating_add_u8(y[i], u8_of_f32(x[i]) + shift_checked) ^ u8::from(eq_u8_x2);
        }
        sum
    }
}

#[test]
fn names_of_a_kernels_own_functions() {
    on_every_device(|d| {
        let mut y = [3, 3, 250, 8];
        let sum = helpers::sums(d, &[1.0, 2.0, 3.0, 4.0], &mut y);
        assert_eq!((sum, y), (48.0, [6, 8, 254, 17]));
        assert_eq!(omp::last_region().fallback, None);
    });
}

/// Attributes of the language are in sight wherever functions are.
mod attributes {
    #[omp::declare_target]
    pub fn link(v: u32) -> u32 {
        v + 1
    }

    #[omp::declare_target]
    pub fn path(v: u32) -> u32 {
        link(v) * 10
    }

    #[omp::declare_target]
    pub fn warn<T: omp::Device>(v: T) -> T {
        v
    }

    #[omp::offload]
    pub fn called(device: usize, y: &mut [u32]) {
        #[omp::target(device(device))]
        for i in 0..y.len() {
            y[i] = path(y[i]) + warn(i as u32);
        }
    }
}

#[test]
fn functions_may_have_names_of_attributes() {
    on_every_device(|d| {
        let mut y = [1, 2, 3];
        attributes::called(d, &mut y);
        assert_eq!(y, [20, 31, 42], "{d}");
    });
}
