//! Tuples, fixed arrays, structs, enums and device functions.
use std::ops::{Add, Mul};

#[derive(Clone, Copy, PartialEq, omp::Device)]
struct Pair<T> {
    first: T,
    second: T,
}

#[derive(Clone, Copy, PartialEq, omp::Device)]
enum Kind {
    Low,
    Middle,
    High,
}

#[omp::declare_target]
fn twice<T: omp::Device + Add<Output = T>>(v: T) -> T {
    v + v
}

#[omp::declare_target]
fn square_plus<T: omp::Device + Add<Output = T> + Mul<Output = T>>(v: T, w: T) -> T {
    let t = v * v;
    t + w
}

#[omp::declare_target]
fn kind(v: i64) -> Kind {
    if v < 3 {
        return Kind::Low;
    }
    if v < 6 { Kind::Middle } else { Kind::High }
}

#[omp::declare_target]
fn power<const N: usize>(v: i64) -> i64 {
    let mut p = 1;
    for _ in 0..N {
        p *= v;
    }
    p
}

#[omp::declare_target]
fn swapped<T: omp::Device>(p: Pair<T>) -> Pair<T> {
    Pair { first: p.second, second: p.first }
}

const TABLE: [i64; 4] = [3, 1, 4, 1];

omp_tests::battery! {
    values(0) on [i64 u32] with (T; n, a, b, at, s, y, z, r) {
        tuple [] { for i in 0..n { let t = (b[i], (z[i], s)); y[i] = t.0 + t.1.0 * t.1.1; } }
        tuple_taken_apart [] { for i in 0..n { let (p, (q, w)) = (b[i], (z[i], s)); y[i] = p * 100 + q * 10 + w; } }
        fixed_array [] { for i in 0..n { let t = [b[i], z[i], s]; y[i] = t[0] + t[1] * t[2]; } }
        filled_array [] { for i in 0..n { let mut t = [0; 5]; for k in 0..5 { t[k] = b[i] * k as T; } y[i] = t[(b[i] % 5) as usize]; } }
        nested_array [] { for i in 0..n { let mut t = [[s; 3]; 2]; t[1][2] = b[i]; t[0][i % 3] += 1; y[i] = t[1][2] + t[0][0] + t[0][1]; } }
        sorted_array [] { for i in 0..n { let mut t = [b[i], z[i], s, 4]; for p in 0..3 { for q in 0..3 - p { if t[q] > t[q + 1] { let w = t[q]; t[q] = t[q + 1]; t[q + 1] = w; } } } y[i] = t[0] * 1000 + t[1] * 100 + t[2] * 10 + t[3]; } }
        array_length [] { for i in 0..n { let t = [b[i]; 7]; y[i] = t.len() as T + t[6]; } }
        structure [] { for i in 0..n { let mut p = Pair { first: b[i], second: z[i] }; p.first += 1; y[i] = p.first * p.second; } }
        structure_updated [] { for i in 0..n { let p = Pair { first: b[i], second: z[i] }; let q = Pair { second: s, ..p }; y[i] = q.first + q.second; } }
        structure_taken_apart [] { for i in 0..n { let Pair { first, second: w } = Pair { first: b[i], second: s }; y[i] = first * w; } }
        structure_through_a_function [] { for i in 0..n { let p = swapped(Pair { first: b[i], second: z[i] }); y[i] = p.first * 10 + p.second; } }
        enumeration [] { for i in 0..n { y[i] = match kind(b[i] as i64) { Kind::Low => 1, Kind::Middle => s, Kind::High => 9 }; } }
        generic_function [] { for i in 0..n { y[i] = twice(b[i]) + square_plus(z[i], s); } }
        const_generic_function [] { for i in 0..n { y[i] = (power::<3>(b[i] as i64) + power::<0>(4)) as T; } }
        constants [] { for i in 0..n { y[i] = TABLE[i % 4] as T + T::MAX / 2; } }
        local_constant [] { for i in 0..n { const K: usize = 3; y[i] = (K + i) as T; } }
        size [] { for i in 0..n { y[i] = size_of::<T>() as T + size_of::<Pair<u8>>() as T; } }
        assertions [] { for i in 0..n { assert!(b[i] > 0, "b is {}", b[i]); debug_assert!(i < n); y[i] = b[i]; } }
        option_methods [] { for i in 0..n { let v = b[i].checked_sub(4); y[i] = v.unwrap_or(0) + v.is_some() as T + v.is_none() as T * 2; } }
        boolean_values [] { for i in 0..n { let t = [b[i] > 4, z[i] > 4]; y[i] = (t[0] & t[1]) as T + (t[0] | t[1]) as T; } }
    }
}
