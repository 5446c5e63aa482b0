//! Enums with data: layouts, patterns, where their values stand, with their directives and without.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{compare, twice};

twice! {
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    #[repr(i16)]
    pub enum Outer { A { a: u8, b: u64, c: u8 } = -3, B([f32; 3], (i8, bool)), C = 77, D(Inner), E() }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    #[repr(u32)]
    pub enum Inner { X(char), Y { flag: bool }, Z }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    #[repr(u64)]
    pub enum One { Only { v: u8 } }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    #[repr(isize)]
    pub enum Of<T, const N: usize> { Many([T; N]), One { r#type: T }, None }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    #[repr(u8, align(32))]
    pub enum Aligned { Small(u8), Tagged { bytes: u32, tag: u16 } }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct P { pub x: i32, pub y: i32 }

    #[omp::declare_target]
    pub static TABLE: [Outer; 5] =
        [Outer::A { a: 1, b: 1 << 40, c: 3 }, Outer::B([1.0, f32::INFINITY, -3.0], (-1, true)), Outer::C, Outer::D(Inner::X('q')), Outer::E()];

    #[omp::declare_target]
    pub fn number(e: &Outer) -> f64 {
        match *e {
            Outer::A { b, .. } if b > 1 << 41 => -1.0,
            Outer::A { a, b, c } => a as f64 + b as f64 + c as f64,
            Outer::B([x, .., z], (s, true)) => (x + z) as f64 * s as f64,
            Outer::B(v, _) => v[1] as f64,
            Outer::D(Inner::X(c @ 'a'..='z')) => c as u32 as f64,
            Outer::D(Inner::X(_)) => 5.0,
            Outer::D(Inner::Y { flag }) => if flag { 6.0 } else { 7.0 },
            Outer::D(Inner::Z) => 8.0,
            Outer::C => 9.0,
            Outer::E() => 10.0,
        }
    }

    pub fn values() -> [Outer; 9] {
        [
            Outer::A { a: 9, b: 3, c: 4 },
            TABLE[1],
            Outer::C,
            TABLE[3],
            Outer::D(Inner::Z),
            Outer::D(Inner::Y { flag: false }),
            Outer::B([1.0; 3], (2, false)),
            Outer::A { a: 9, b: 1 << 50, c: 4 },
            Outer::D(Inner::Y { flag: true }),
        ]
    }

    // Structs in patterns that need not fit, one of which is changed field by field.
    pub fn patterns(d: usize) -> (Vec<f64>, Vec<Outer>, [One; 9]) {
        let x = values();
        let (mut y, mut z, mut o) = (vec![0.0; 9], vec![Outer::D(Inner::Y { flag: true }); 9], [One::Only { v: 41 }; 9]);
        #[omp::target(device(d), map(from: z))]
        for i in 0..x.len() {
            let mut p = P { x: 1, y: 2 };
            p.x = 5;
            let q = match p { P { x: 1, .. } => 100, P { x, y } => x * 10 + y };
            p.y = 7;
            let r = if let P { x: 5, y } = p { y } else { 0 };
            let mut e = x[i];
            let t = if let Outer::A { a, .. } = e { e = Outer::C; a } else { 0 };
            y[i] = number(&x[i]) + number(&TABLE[i % 5]) * 1000.0 + (q * 100 + r) as f64 + t as f64 / 8.0;
            y[i] += if matches!(e, Outer::C | Outer::D(Inner::Z)) { 0.5 } else { 0.0 };
            // What isn't written stays.
            if i % 2 == 0 {
                z[i] = e;
            }
            let One::Only { v } = o[i];
            o[i] = One::Only { v: v + 1 };
            let (Outer::D(Inner::Y { flag }), P { x: 5, .. }) = (e, p) else { continue };
            z[i] = if flag { Outer::E() } else { Outer::D(Inner::X('ß')) };
        }
        (y, z, o)
    }

    // A value that is captured, kept in a private array, handed on, and the last one.
    pub fn places(d: usize, first: Outer) -> (Vec<f64>, Outer) {
        let mut y = vec![0.0; 20];
        let mut last = Outer::E();
        #[omp::target(device(d), lastprivate(last))]
        for i in 0..y.len() {
            let mut kept = [first; 4];
            for k in 0..i % 6 {
                kept[k % 4] = if k > 2 { TABLE[k - 1] } else { Outer::D(Inner::Y { flag: k == 1 }) };
            }
            kept.swap(0, 3);
            y[i] = kept.iter().map(|e| number(e)).sum();
            last = kept[i % 4];
        }
        (y, last)
    }

    #[omp::declare_target]
    pub fn sum<T: omp::Device + std::ops::Add<Output = T>, const N: usize>(of: Of<T, N>, zero: T) -> T {
        match of {
            Of::Many(all) => all.iter().fold(zero, |a, b| a + *b),
            Of::One { r#type } => r#type,
            _ => zero,
        }
    }

    pub fn generic(d: usize) -> (Vec<f32>, Vec<Of<u16, 3>>) {
        let floats = [Of::Many([1.5f32, 2.0]), Of::One { r#type: 7.0 }, Of::None];
        let mut words = vec![Of::Many([1u16, 2, 3]), Of::One { r#type: 9 }, Of::None];
        let mut y = vec![0.0; 3];
        #[omp::target(device(d))]
        for i in 0..3 {
            y[i] = sum(floats[i], 0.0) + sum(words[i], 100) as f32;
            if let Of::Many([a, .., c]) = words[i] {
                words[i] = Of::One { r#type: a * 10 + c };
            }
        }
        (y, words)
    }

    pub fn aligned(d: usize) -> Vec<Aligned> {
        let mut x = vec![Aligned::Small(3), Aligned::Tagged { bytes: 1 << 30, tag: 9 }, Aligned::Small(250)];
        #[omp::target(device(d))]
        for a in x.iter_mut() {
            *a = match *a {
                Aligned::Small(v @ 0..=99) => Aligned::Tagged { tag: v as u16, bytes: v as u32 + 1 },
                Aligned::Small(v) => Aligned::Small(v - 200),
                Aligned::Tagged { bytes, tag } => Aligned::Small((bytes >> 28) as u8 + tag as u8),
            };
        }
        x
    }
}

use core::fmt::Debug;

/// As shown, because the types are two.
fn shown(value: impl Debug) -> String {
    format!("{value:?}")
}

#[test]
fn patterns_on_values_of_every_layout() {
    compare!(m, d => shown(m::patterns(d)));
    compare!(m, d => shown(m::aligned(d)));
}

#[test]
fn values_stand_everywhere() {
    compare!(m, d => shown(m::values().map(|first| m::places(d, first))));
}

#[test]
fn generic_enums_are_typed_by_instance() {
    compare!(m, d => shown(m::generic(d)));
}
