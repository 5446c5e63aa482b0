//! More of the language of bodies: default values, characters of ASCII, parts of arrays in patterns, arrays made for an
//! argument, OpenMP's names of loops in a target block.
#![forbid(unsafe_code)]
#![allow(clippy::all, clippy::pedantic, reason = "bodies have all forms on purpose")]
#![allow(irrefutable_let_patterns, reason = "they are forms, too")]
use omp_tests::on_every_device;
use std::ops::Add;

#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Point {
    x: f32,
    y: i32,
}

#[omp::declare_target]
impl Default for Point {
    fn default() -> Self {
        Self { x: 1.5, y: -2 }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Pair<T> {
    v: T,
    w: T,
}

#[omp::declare_target]
impl<T: Default + omp::Device> Default for Pair<T> {
    fn default() -> Self {
        Self { v: T::default(), w: Default::default() }
    }
}

/// Its own `default` wins over a trait's, as in Rust.
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Own {
    x: f32,
}

#[omp::declare_target]
impl Own {
    fn default() -> Self {
        Self { x: 9.0 }
    }
}

#[omp::declare_target]
fn zero<T: Default + omp::Device>() -> T {
    T::default()
}

#[omp::declare_target]
fn total<T: Default + omp::Device + Add<Output = T>>(of: &[T]) -> T {
    let mut sum = T::default();
    for &v in of {
        sum = sum + v;
    }
    sum
}

#[omp::offload]
fn defaults(d: usize, y: &mut [Point], z: &mut [f64], g: &mut [Pair<u8>]) {
    #[omp::target(device(d))]
    for i in 0..y.len() {
        y[i] = Point::default();
        y[i].y += i32::default() + zero::<i32>() + total(&[1, 2, 3]);
        z[i] = f64::default() + <f32 as Default>::default() as f64 + Own::default().x as f64;
        if i % 2 == 1 {
            y[i] = Default::default();
            y[i] = zero();
            let b: bool = Default::default();
            if b {
                y[i].x = 9.0;
            }
        }
        g[i] = Pair::default();
        g[i].v += 1;
        g[i].w = Pair::<u8>::default().w + <Pair<u8> as Default>::default().v;
    }
}

#[omp::offload]
fn prefix_sums<T: Default + omp::Device + Add<Output = T>>(d: usize, y: &mut [T], x: &[T]) {
    #[omp::target(device(d))]
    for i in 0..y.len() {
        let mut sum = T::default();
        for j in 0..i {
            sum = sum + x[j];
        }
        y[i] = sum + total(x);
    }
}

#[test]
fn default_values() {
    on_every_device(|d| {
        let mut y = [Point { x: 0.0, y: 0 }; 5];
        let (mut z, mut g) = ([7.0; 5], [Pair { v: 7, w: 7 }; 5]);
        defaults(d, &mut y, &mut z, &mut g);
        assert_eq!((y[0], y[1]), (Point { x: 1.5, y: 4 }, Point { x: 1.5, y: -2 }));
        assert_eq!((z, g), ([9.0; 5], [Pair { v: 1, w: 0 }; 5]));
        let mut a = [0i64; 4];
        prefix_sums(d, &mut a, &[1, 2, 3, 4]);
        assert_eq!(a, [10, 11, 13, 16]);
    });
}

macro_rules! ascii {
    ($name:ident, $d:ident $(, #[$attr:meta])?) => {
        #[omp::offload]
        fn $name($d: usize, y: &mut [u32], z: &mut [[u8; 2]], x: &[u8], w: &[u8]) {
            $(#[$attr])?
            for i in 0..y.len() {
                let _ = $d;
                let c = x[i];
                y[i] = c.is_ascii() as u32
                    | (c.is_ascii_alphabetic() as u32) << 1
                    | (c.is_ascii_alphanumeric() as u32) << 2
                    | (c.is_ascii_control() as u32) << 3
                    | (c.is_ascii_digit() as u32) << 4
                    | (c.is_ascii_graphic() as u32) << 5
                    | (x[i].is_ascii_hexdigit() as u32) << 6
                    | (c.is_ascii_lowercase() as u32) << 7
                    | (c.is_ascii_punctuation() as u32) << 8
                    | (c.is_ascii_uppercase() as u32) << 9
                    | (c.is_ascii_whitespace() as u32) << 10
                    | (c.eq_ignore_ascii_case(&w[i]) as u32) << 11
                    | (b'q'.eq_ignore_ascii_case(&c) as u32) << 12;
                z[i] = [c.to_ascii_lowercase(), x[i].to_ascii_uppercase()];
            }
        }
    };
}
ascii!(ascii, d, #[omp::target(device(d))]);
ascii!(plain_ascii, d);

#[test]
fn characters_of_ascii() {
    let x: Vec<u8> = (0..=255).collect();
    let w: Vec<u8> = x.iter().map(|v| v ^ 32).collect();
    let (mut y, mut z) = (vec![0; 256], vec![[0; 2]; 256]);
    plain_ascii(0, &mut y, &mut z, &x, &w);
    on_every_device(|d| {
        let (mut got, mut cases) = (vec![9; 256], vec![[9; 2]; 256]);
        ascii(d, &mut got, &mut cases, &x, &w);
        assert_eq!((&got, &cases), (&y, &z));
    });
}

#[omp::declare_target]
fn sum(of: &[i32]) -> i32 {
    let mut sum = 0;
    for v in of {
        sum += v;
    }
    sum
}

#[omp::declare_target]
fn weighted(of: &[i32]) -> i32 {
    match of {
        [] => 0,
        [first, rest @ ..] => *first + sum(rest) * 2,
    }
}

macro_rules! rests {
    ($name:ident, $d:ident $(, #[$attr:meta])?) => {
        #[omp::offload]
        fn $name($d: usize, y: &mut [i32], x: &[i32]) {
            $(#[$attr])?
            for i in 0..y.len() {
                let _ = $d;
                let mut a = [x[i], 2, 3, 4];
                let [p, rest @ ..] = a;
                a[1] = 100;
                let [first, mid @ .., last] = a;
                let ([.., z], [q, ..]) = (a, a);
                y[i] = p + rest[0] * 10 + rest.len() as i32 + sum(&rest) + first * last + mid[0] + mid.len() as i32;
                y[i] += z + q + sum(&[i as i32, 2]);
                if let [f, .., l] = a {
                    y[i] += f - l;
                }
                match &a[..i % 4] {
                    [] => y[i] += 1,
                    [v] => y[i] += *v,
                    [v, r @ ..] => y[i] += *v + sum(r) + r.len() as i32,
                }
                if let [u, r @ ..] = &x[i..] {
                    y[i] += *u + r.len() as i32;
                    for v in r {
                        y[i] += v;
                    }
                }
                let nested = [[1, 2], [3, i as i32]];
                let [_, [e, tail @ ..]] = nested;
                y[i] += e + tail[0] + weighted(&x[i..]);
            }
        }
    };
}
rests!(rests, d, #[omp::target(device(d))]);
rests!(plain_rests, d);

#[test]
fn rests_of_arrays_have_names() {
    let x: Vec<i32> = (0..20).map(|v| v * 7 % 5).collect();
    let mut y = vec![0; 20];
    plain_rests(0, &mut y, &x);
    on_every_device(|d| {
        let mut got = vec![0; 20];
        rests(d, &mut got, &x);
        assert_eq!(got, y);
    });
}

#[omp::offload]
fn spelled_out(d: usize, y: &mut [i32]) {
    let n = y.len();
    #[omp::target(device(d), map(tofrom: y))]
    {
        #[omp::teams_distribute_parallel_for]
        for i in 0..n {
            y[i] += 1;
        }
        #[omp::teams_distribute_parallel_for_simd]
        for i in 0..n {
            y[i] += 1;
        }
        #[omp::teams_loop]
        for i in 0..n {
            y[i] += 1;
        }
        #[omp::teams_distribute]
        for i in 0..n {
            y[i] += 1;
        }
    }
    #[omp::target(device(d))]
    for v in &mut *y {
        *v += 1;
    }
    #[omp::target(device(d))]
    for v in &mut (*y)[1..] {
        *v += 1;
    }
}

#[test]
fn loops_of_a_block_by_their_long_names() {
    on_every_device(|d| {
        let mut y = [0; 5];
        spelled_out(d, &mut y);
        assert_eq!(y, [5, 6, 6, 6, 6]);
    });
}

#[omp::declare_target]
fn position(of: &[i32], k: i32) -> Option<usize> {
    for (i, v) in of.iter().enumerate() {
        if *v == k {
            return Some(i);
        }
    }
    None
}

macro_rules! compares {
    ($name:ident, $d:ident $(, #[$attr:meta])?) => {
        #[omp::offload]
        fn $name($d: usize, out: &mut [u32], x: &[(i32, f32)], y: &[[u8; 3]], t: (i32, f32)) {
            let n = x.len();
            $(#[$attr])?
            for i in 0..out.len() {
                let _ = $d;
                let (j, k) = ((i + 1) % n, position(&[5, 7, 1], x[i].0));
                out[i] = (x[i] == x[j]) as u32
                    | ((x[i] < x[j]) as u32) << 1
                    | ((x[i] <= t) as u32) << 2
                    | ((x[i] > x[j]) as u32) << 3
                    | ((x[i] >= t) as u32) << 4
                    | ((y[i] == y[j]) as u32) << 5
                    | ((y[i] != [1, 2, 3]) as u32) << 6
                    | ((y[i] < y[j]) as u32) << 7
                    | (((i, j) != (0, 1)) as u32) << 8
                    | ((k == Some(1)) as u32) << 9
                    | ((k == None) as u32) << 10
                    | ((k != Some(i)) as u32) << 11
                    | ((((i, x[i].1), [j, 2]) == ((1, 2.0), [2, 2])) as u32) << 12;
                let mut least = (f32::INFINITY, usize::MAX);
                for m in 0..n {
                    if (x[m].1, m) < least {
                        least = (x[m].1, m);
                    }
                }
                out[i] |= (least.1 as u32) << 13;
            }
        }
    };
}
compares!(compares, d, #[omp::target(device(d))]);
compares!(compares_plain, d);

#[test]
fn tuples_arrays_and_options_are_compared() {
    let x = [(1, 2.0), (7, 2.0), (7, f32::NAN), (5, 0.0), (5, -0.0), (2, 1.0)];
    let y = [[1, 2, 3], [1, 2, 3], [1, 2, 4], [0, 9, 9], [5, 5, 5], [5, 5, 5]];
    on_every_device(|d| {
        let (mut out, mut plain) = ([0; 6], [1; 6]);
        compares(d, &mut out, &x, &y, (5, 0.0));
        compares_plain(d, &mut plain, &x, &y, (5, 0.0));
        assert_eq!(out, plain);
    });
}

#[omp::offload]
fn parts_of_parts(d: usize, out: &mut [u32], x: &[u32], w: usize) {
    #[omp::target(device(d))]
    for i in 0..out.len() {
        let p = &x[i * w..][..w];
        out[i] = total(p) + total(&x[i * w..][1..w]) + x[i..][1];
    }
}

#[test]
fn parts_of_parts_of_arrays() {
    on_every_device(|d| {
        let mut out = [0; 2];
        parts_of_parts(d, &mut out, &[1, 2, 3, 4, 5, 6], 3);
        assert_eq!(out, [6 + 5 + 2, 15 + 11 + 3]);
    });
}

mod lower_case {
    #![allow(non_upper_case_globals, reason = "their names are what is tested")]
    pub const half: f32 = 0.5;
    pub static quarter: f32 = 0.25;
    pub const table: [f32; 2] = [1.0, 2.0];

    #[omp::declare_target]
    pub fn of_a_function(x: f32) -> f32 {
        x * half + quarter + table[1]
    }
}
use lower_case::{of_a_function, table};

#[omp::offload]
fn of_paths(device: usize, x: &[f32], y: &mut [f32]) {
    #[omp::target(device(device))]
    for i in 0..y.len() {
        y[i] = x[i] * lower_case::half + lower_case::quarter + table[i % 2] + of_a_function(x[i]);
    }
}

#[test]
fn consts_in_lower_case_are_named_by_a_path() {
    on_every_device(|device| {
        let mut y = [0.0; 3];
        of_paths(device, &[1.0, 2.0, 4.0], &mut y);
        assert_eq!(y, [1.75 + 2.75, 3.25 + 3.25, 3.25 + 4.25]);
    });
}
