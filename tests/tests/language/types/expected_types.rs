//! What rustc infers and resolves as in the serial program: types of numbers that `fold` starts with, and items that are declared below a
//! chosen reference; and slices that are swapped.
#![allow(clippy::all, clippy::pedantic, unused, reason = "as programs have them")]
use omp_tests::{compared, twice};

#[derive(Clone, Copy, omp::Device)]
pub struct Fields {
    a: u64,
    b: f32,
}

const K: u64 = 1;

#[omp::declare_target]
fn hash(x: &[u32]) -> u64 {
    x.iter().fold(0, |h, v| h.wrapping_mul(31) ^ *v as u64)
}

#[omp::declare_target]
fn early(x: &[u32]) -> u64 {
    if x.len() < 3 {
        return x.iter().fold(7, |h, v| h.rotate_left(3) ^ *v as u64);
    }
    x.iter().fold(0, |h, v| h.wrapping_mul(31) ^ *v as u64)
}

#[omp::declare_target]
fn sum_of(a: u64, b: f32) -> u64 {
    a + b as u64
}

twice! {
    pub fn of_a_let(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let s: u64 = x.iter().fold(0, |h, v| h.wrapping_mul(31) ^ (*v % 100) as u64);
            out[i] = s;
        }
    }

    pub fn of_floats(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let s: f32 = f.iter().fold(0.0, |a, v| a.max(v.abs()));
            out[i] = s as u64;
        }
    }

    pub fn with_shifts(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let s: u32 = x[..i].iter().fold(5381, |h, v| (h << 5).wrapping_add(h) ^ v);
            out[i] = s as u64;
        }
    }

    pub fn of_an_element(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            out[i] = x[..i].iter().fold(0, |h, v| h.wrapping_mul(31) ^ *v as u64 % 100);
        }
    }

    pub fn of_results(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            out[i] = hash(&x[..i % 8]) + early(&x[..i % 4]);
        }
    }

    pub fn of_an_assignment(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut s = 5u8;
            s = x[..i].iter().fold(1, |h, v| h.wrapping_mul(31).rotate_left(3) ^ *v as u8);
            out[i] = s as u64;
        }
    }

    pub fn of_fields(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let p = Fields { a: x[..i].iter().fold(0, |h, v| h.max(*v as u64)), b: f[..i].iter().fold(-1.0, |h, v| h.max(*v)) };
            out[i] = p.a ^ p.b as i64 as u64;
        }
    }

    pub fn of_arguments(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            out[i] = sum_of(x[..i].iter().fold(0, |h, v| h.max(*v as u64)), f[..i].iter().fold(0.0, |h, v| h.max(*v)));
        }
    }

    pub fn of_tuples(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let (m, n): (u32, f32) = x[..i].iter().zip(f).fold((0, 0.0), |(a, b), (v, w)| (a.max(*v), b.min(*w)));
            out[i] = m as u64 + n.abs() as u64;
        }
    }

    pub fn negative(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let s: i64 = x[..i].iter().rev().filter(|v| **v % 3 == 0).fold(-1, |h, v| h.min(-(*v as i64)));
            out[i] = s as u64;
        }
    }

    pub fn of_numbers(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let s: u64 = (0..i as u64).fold(1, |h, v| { let w = h.wrapping_mul(3); if w.count_ones() % 2 == 0 { w ^ v } else { w.wrapping_add(v) } });
            out[i] = s;
        }
    }

    pub fn in_branches(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let s: u64 = if i % 2 == 0 { x[..i].iter().fold(0, |h, v| h.wrapping_add(*v as u64)) } else { match i { 3 => 1, _ => x.iter().fold(9, |h, v| h.wrapping_sub(*v as u64)) } };
            out[i] = s;
        }
    }

    pub fn of_two_operators(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let s: u32 = x[..i].iter().fold(0, |h, v| (h + v % 5) * 3 % 1000);
            out[i] = s as u64;
        }
    }

    pub fn of_subscripts(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let m: usize = x[..i].iter().enumerate().fold(0, |b, (k, v)| if *v > x[b] { k } else { b });
            out[i] = m as u64;
        }
    }

    pub fn const_below(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut a = 3u64;
            let mut b = 4u64;
            let mut o = K;
            let r = if i % 2 == 0 { &mut a } else { &mut b };
            *r += K;
            const K: u64 = 5;
            o = o * 100 + a * 10 + b;
            out[i] = o;
        }
    }

    pub fn function_below(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut a = 3u64;
            let mut b = 4u64;
            let r = if i % 2 == 0 { &mut a } else { &mut b };
            fn twice_as(v: u64) -> u64 { v * 2 }
            *r += twice_as(K);
            const K: u64 = 5;
            macro_rules! plus_three { ($e:expr) => { $e + 3 } }
            *r += plus_three!(1);
            out[i] = plus_three!(a * 10) + b;
        }
    }

    pub fn use_below(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut a = 3u64;
            let mut b = 4u64;
            let o = ten_times(1);
            let r = match i % 3 { 0 => &mut a, 1 => &mut b, _ => &mut a };
            *r += ten_times(2);
            let s = if i % 2 == 0 { &mut a } else { &mut b };
            *s += 1;
            fn ten_times(v: u64) -> u64 { v * 10 }
            use std::cmp::max;
            out[i] = max(a, b) + o;
        }
    }

    pub fn swapped_slices(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut t = [5u64, 6, 7, x[i] as u64];
            let mut v = [i as u64; 2];
            let (h, tl) = t.split_at_mut(2);
            v.swap_with_slice(h);
            tl.swap_with_slice(&mut v);
            out[i] = t.iter().fold(v[1], |s, v| s * 31 + v);
        }
    }
}

compared! {
    |d, call| {
        let x: Vec<u32> = (0..64u32).map(|k| k.wrapping_mul(2654435761) >> 26).collect();
        let f: Vec<f32> = (0..64).map(|k| ((k * 37 % 101) as f32 - 50.0) * 0.25).collect();
        let mut out = [0; 20];
        call(d, &x, &f, &mut out);
        out
    };
    of_a_let of_floats with_shifts of_an_element of_results of_an_assignment of_fields of_arguments
    of_tuples negative of_numbers in_branches of_two_operators of_subscripts const_below
    function_below use_below swapped_slices
}
