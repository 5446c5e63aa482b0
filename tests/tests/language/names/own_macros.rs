//! Macros of the user's in bodies and device functions, on every device, next to the same loop without directives.
#![deny(warnings, unused_macros, unused_variables)]
#![allow(clippy::needless_range_loop, reason = "the loops are as users write them")]
use omp_tests::{on_every_device, twice};

/// The macros stand before what calls them, in the module and in functions.
mod rounds {
    macro_rules! quarter {
        ($a:expr, $b:expr, $c:expr, $d:expr) => {
            $a = $a.wrapping_add($b);
            $d = ($d ^ $a).rotate_left(16);
            $c = $c.wrapping_add($d);
            $b = ($b ^ $c).rotate_left(12);
        };
    }

    macro_rules! double {
        ($x:ident) => {
            quarter!($x[0], $x[4], $x[8], $x[12]);
            quarter!($x[1], $x[5], $x[9], $x[13]);
            quarter!($x[2], $x[6], $x[10], $x[14]);
            quarter!($x[3], $x[7], $x[11], $x[15]);
        };
    }

    #[omp::offload]
    pub fn on_device(d: usize, out: &mut [u32], key: &[u32; 16]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut x = *key;
            x[12] = i as u32;
            for _ in 0..4 {
                double!(x);
            }
            out[i] = x[0] ^ x[5] ^ x[10] ^ x[15];
        }
    }

    pub fn plain(out: &mut [u32], key: &[u32; 16]) {
        for i in 0..out.len() {
            let mut x = *key;
            x[12] = i as u32;
            for _ in 0..4 {
                double!(x);
            }
            out[i] = x[0] ^ x[5] ^ x[10] ^ x[15];
        }
    }
}

#[test]
fn cipher_rounds() {
    let key = std::array::from_fn(|i| 0x9e37_79b9u32.wrapping_mul(i as u32 + 1));
    let mut expected = vec![0; 100];
    rounds::plain(&mut expected, &key);
    on_every_device(|d| {
        let mut out = vec![0; 100];
        rounds::on_device(d, &mut out, &key);
        assert_eq!(out, expected);
    });
}

twice! {
    macro_rules! max3 {
        ($a:expr, $b:expr, $c:expr) => {{
            let (x, y) = ($a, $b);
            let z = $c;
            let m = if x > y { x } else { y };
            if m > z { m } else { z }
        }};
    }

    macro_rules! sum {
        () => { 0.0 };
        ($first:expr $(, $more:expr)* $(,)?) => { $first + sum!($($more),*) };
    }

    macro_rules! swap {
        ($a:expr, $b:expr) => {
            let t = $a;
            $a = $b;
            $b = t;
        };
    }

    pub fn stencil(d: usize, n: usize, x: &[f64], y: &mut [f64]) {
        macro_rules! idx {
            ($i:expr, $j:expr) => {
                $i * n + $j
            };
        }
        #[omp::target(device(d), collapse(2))]
        for i in 1..n - 1 {
            for j in 1..n - 1 {
                y[idx!(i, j)] = sum!(x[idx!(i - 1, j)], x[idx!(i + 1, j)], x[idx!(i, j - 1)], x[idx!(i, j + 1)]) * 0.25
                    - max3!(x[idx!(i, j)], x[idx!(i, j + 1)], 0.5) / 2.0;
            }
        }
    }

    /// The caller has variables of the macro's names.
    pub fn names(d: usize, x: &[i64], y: &mut [i64]) {
        #[omp::target(device(d))]
        for i in 0..y.len() {
            let mut t = x[i];
            let (mut u, z) = (t * 3 - 50, 7);
            if t < u {
                swap!(t, u);
            }
            swap!(u, t);
            let m = max3!(t, z, u - 2);
            y[i] = t * 1000 + u * 10 + m;
        }
    }

    macro_rules! skip {
        ($l:lifetime, $c:expr) => {
            if $c {
                continue $l;
            }
        };
    }

    macro_rules! first {
        ($l:lifetime, $v:expr, $found:ident, $at:expr) => {{
            let v = $v;
            'find: for k in 0..4 {
                if v == k {
                    break 'find;
                }
                if v < 0 {
                    $found = $at;
                    break $l;
                }
            }
        }};
    }

    /// Jumps to labels of the caller's.
    pub fn jumps(d: usize, x: &[i32], m: usize, y: &mut [usize]) {
        #[omp::target(device(d))]
        for i in 0..y.len() {
            let mut found = m;
            let mut count = 0;
            'row: for k in 0..m {
                'find: loop {
                    skip!('row, x[i * m + k] % 3 == 0);
                    first!('row, x[i * m + k], found, k);
                    break 'find;
                }
                count += 1;
            }
            y[i] = found * 100 + count;
        }
    }

    macro_rules! poly {
        (@step $x:expr; $acc:expr;) => { $acc };
        (@step $x:expr; $acc:expr; $c:literal $($rest:literal)*) => {
            poly!(@step $x; $acc * $x + $c; $($rest)*)
        };
        ($x:expr; $($c:literal)+) => { poly!(@step $x; 0.0; $($c)+) };
    }

    macro_rules! each {
        ($($name:ident in $range:expr => $body:block)+) => { $(for $name in $range $body)+ };
    }

    macro_rules! point {
        ($x:expr, $y:expr) => { Point { x: $x, y: $y } };
    }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Point {
        pub x: f64,
        pub y: f64,
    }

    /// A rule with steps, a repetition of loops, and a pattern.
    pub fn forms(d: usize, x: &[f64], y: &mut [f64]) {
        macro_rules! between {
            ($v:expr, $p:pat, $t:ty) => { if let $p = $v { 1 as $t } else { <$t>::MAX } };
        }
        #[omp::target(device(d))]
        for i in 0..y.len() {
            let mut s = poly!(x[i] - 0.5; 1.5 -2.0 0.25 3.0);
            each! {
                k in 0..3 => { s += k as f64; }
                k in 1..=2usize => { s *= between!(i % 4, 1 | 2, f64).min(k as f64 + 1.0); }
            }
            let p = point!(s, x[i] + 1.0);
            let x = 4.0;
            let Point { x: a, y: b } = point!(p.y, p.x + x);
            assert!(matches!(i, 0..1000) && max3!(a, b, 0.0) >= 0.0, "{i}: {}", sum!(a, b));
            y[i] = a - b;
        }
    }
}

#[test]
fn subscripts_and_sums() {
    let n = 12;
    let x: Vec<f64> = (0..n * n).map(|i| f64::from(i as u32 * 37 % 11) - 4.0).collect();
    let mut expected = vec![0.0; n * n];
    plain::stencil(0, n, &x, &mut expected);
    on_every_device(|d| {
        let mut y = vec![0.0; n * n];
        device::stencil(d, n, &x, &mut y);
        assert_eq!(y, expected);
    });
}

#[test]
fn names_of_the_caller() {
    let x: Vec<i64> = (0..60).collect();
    let mut expected = vec![0; x.len()];
    plain::names(0, &x, &mut expected);
    on_every_device(|d| {
        let mut y = vec![0; x.len()];
        device::names(d, &x, &mut y);
        assert_eq!(y, expected);
    });
}

#[test]
fn labels_of_the_caller() {
    let (n, m) = (40, 9);
    let x: Vec<i32> = (0..n * m).map(|i| (i * 7919 % 23) as i32 - 2).collect();
    let mut expected = vec![0; n];
    plain::jumps(0, &x, m, &mut expected);
    on_every_device(|d| {
        let mut y = vec![0; n];
        device::jumps(d, &x, m, &mut y);
        assert_eq!(y, expected);
    });
}

#[test]
fn forms_of_rules() {
    let x: Vec<f64> = (0..50).map(|i| f64::from(i) / 8.0).collect();
    let mut expected = vec![0.0; x.len()];
    plain::forms(0, &x, &mut expected);
    on_every_device(|d| {
        let mut y = vec![0.0; x.len()];
        device::forms(d, &x, &mut y);
        assert_eq!(y, expected);
    });
}

mod declared {
    macro_rules! clamp {
        ($x:expr, $low:expr, $high:expr) => {
            if $x < $low {
                $low
            } else if $x > $high {
                $high
            } else {
                $x
            }
        };
    }

    macro_rules! mix {
        ($h:ident, $($v:expr),+) => {
            $($h = ($h ^ $v).wrapping_mul(0x0100_0193);)+
        };
    }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Hash {
        pub h: u32,
    }

    #[omp::declare_target]
    impl Hash {
        pub fn add(&mut self, a: u32, b: u32) {
            let mut h = self.h;
            mix!(h, a, b + 1);
            self.h = h;
        }

        pub fn low(&self) -> u32 {
            macro_rules! own {
                ($bits:expr) => {
                    self.h & ((1 << $bits) - 1)
                };
            }
            own!(10)
        }
    }

    #[omp::declare_target]
    pub fn near(x: i32, low: i32) -> i32 {
        clamp!(x * 2, low - 1, low + 5) * 3
    }

    #[omp::offload]
    pub fn run(d: usize, x: &[i32], y: &mut [i32], h: &mut [u32]) {
        #[omp::target(device(d))]
        for i in 0..y.len() {
            let mut hash = Hash { h: i as u32 };
            hash.add(x[i] as u32, 5);
            h[i] = hash.low();
            y[i] = near(x[i], 10) + clamp!(x[i], 3, 9);
        }
    }

    pub fn plain(x: &[i32], y: &mut [i32], h: &mut [u32]) {
        for i in 0..y.len() {
            let mut hash = i as u32;
            for v in [x[i] as u32, 6] {
                hash = (hash ^ v).wrapping_mul(0x0100_0193);
            }
            h[i] = hash & 1023;
            y[i] = (x[i] * 2).clamp(9, 15) * 3 + x[i].clamp(3, 9);
        }
    }
}

#[test]
fn functions_and_methods() {
    let x: Vec<i32> = (0..40).collect();
    let (mut y, mut h) = (vec![0; 40], vec![0; 40]);
    declared::plain(&x, &mut y, &mut h);
    let expected = (y.clone(), h.clone());
    on_every_device(|d| {
        (y, h) = (vec![0; 40], vec![0; 40]);
        declared::run(d, &x, &mut y, &mut h);
        assert_eq!((y.clone(), h.clone()), expected);
    });
}

mod inlined {
    macro_rules! pick {
        ($x:expr, $i:expr) => {{
            let i = $i;
            if i < $x.len() { $x[i] } else { 0.5 }
        }};
    }

    pub struct Grid {
        pub cells: Vec<f64>,
        pub cols: usize,
    }

    impl Grid {
        fn at(&self, i: usize, j: usize) -> f64 {
            pick!(self.cells, i * self.cols + j)
        }

        #[omp::offload]
        pub fn sums(&self, d: usize, y: &mut [f64]) {
            #[omp::target(device(d))]
            for i in 0..y.len() {
                y[i] = self.at(i, 0) + self.at(i, 1) + pick!(self.cells, i + 3);
            }
        }

        pub fn plain(&self, y: &mut [f64]) {
            for i in 0..y.len() {
                y[i] = self.at(i, 0) + self.at(i, 1) + pick!(self.cells, i + 3);
            }
        }
    }
}

#[test]
fn methods_of_structs_that_own_arrays() {
    let grid = inlined::Grid { cells: (0..60).map(f64::from).collect(), cols: 3 };
    let mut expected = vec![0.0; 25];
    grid.plain(&mut expected);
    on_every_device(|d| {
        let mut y = vec![0.0; 25];
        grid.sums(d, &mut y);
        assert_eq!(y, expected);
    });
}

/// Each macro has one call: rustc would warn of those whose calls it does not see.
mod once {
    macro_rules! second {
        ($e:expr) => {
            $e / 2
        };
    }
    macro_rules! third {
        ($e:expr) => {
            $e / 3
        };
    }
    macro_rules! fourth {
        ($e:expr) => {
            $e / 4
        };
    }
    macro_rules! fifth {
        ($e:expr) => {
            $e / 5
        };
    }
    macro_rules! sixth {
        ($e:expr) => {
            $e / 6
        };
    }
    mod elsewhere {
        macro_rules! seventh {
            ($e:expr) => {
                $e / 7
            };
        }
        pub(crate) use seventh;
    }
    use elsewhere::seventh;
    macro_rules! greater {
        ($a:expr, $b:expr) => {
            if $a > $b { $a } else { $b }
        };
    }

    pub trait Shares {
        fn whole(&self, d: usize, y: &mut [u32], parts: (u32, u32));
        fn part(&self, d: usize, y: &mut [u32]);
    }

    pub struct Shared<T> {
        pub n: u32,
        pub of: T,
    }

    #[omp::offload]
    impl<T: Into<u32> + Copy> Shares for Shared<T> {
        fn whole(&self, d: usize, y: &mut [u32], (a, mut b): (u32, u32)) {
            b += self.of.into();
            let n = self.n;
            #[omp::target(device(d))]
            for i in 0..y.len() {
                y[i] = second!(i as u32 + n + a + b);
            }
        }

        fn part(&self, d: usize, y: &mut [u32]) {
            let n = self.n;
            #[omp::target(device(d))]
            for i in 0..y.len() {
                y[i] += third!(i as u32 + n);
            }
        }
    }

    pub trait Alone {
        fn alone(&self, d: usize, y: &mut [u32]);
    }

    impl<T> Alone for Shared<T> {
        #[omp::offload]
        fn alone(&self, d: usize, y: &mut [u32]) {
            let n = self.n;
            #[omp::target(device(d))]
            for i in 0..y.len() {
                y[i] += fourth!(i as u32 + n);
            }
        }
    }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Pair(pub u32, pub u32);

    #[omp::declare_target]
    impl std::ops::Add for Pair {
        type Output = Pair;
        fn add(mut self, other: Pair) -> Pair {
            self.0 += fifth!(other.0);
            self
        }
    }

    #[omp::declare_reduction(greatest: u32, identity = 0)]
    fn greatest(a: u32, b: u32) -> u32 {
        greater!(a, b)
    }

    #[omp::offload]
    pub fn block(d: usize, y: &mut [u32]) -> u32 {
        let mut most = 0;
        #[omp::target(device(d), map(tofrom: y))]
        {
            let m = sixth!(y.len());
            #[omp::parallel_for]
            for i in 0..m {
                y[i] += (Pair(1, 2) + Pair(y[i], 3)).0;
            }
        }
        #[omp::target(device(d), reduction(greatest: most))]
        for i in 0..y.len() {
            most = greatest(most, seventh!(y[i] * 21));
        }
        most
    }
}

#[test]
fn each_place_of_a_call() {
    use once::{Alone, Shares};
    let shared = once::Shared { n: 5, of: 7u8 };
    on_every_device(|d| {
        let mut y = [0; 12];
        shared.whole(d, &mut y, (1, 2));
        shared.part(d, &mut y);
        shared.alone(d, &mut y);
        let mut expected: [u32; 12] = std::array::from_fn(|i| {
            let i = i as u32;
            (i + 15) / 2 + (i + 5) / 3 + (i + 5) / 4
        });
        assert_eq!(y, expected);
        let most = once::block(d, &mut y);
        for v in &mut expected[..2] {
            *v += 1 + *v / 5;
        }
        assert_eq!(y, expected);
        assert_eq!(most, expected.iter().max().expect("one") * 3);
    });
}

/// A failed assertion of a macro's.
#[test]
fn failures() {
    macro_rules! small {
        ($v:expr) => {{
            let v = $v;
            assert!(v < 30, "{v} of {}", $v);
            v
        }};
    }
    #[omp::offload]
    fn run(d: usize, v: u32, y: &mut [u32]) {
        #[omp::target(device(d))]
        for i in 0..y.len() {
            y[i] = small!(v + i as u32);
        }
    }
    on_every_device(|d| {
        let mut y = [0; 8];
        run(d, 3, &mut y);
        assert_eq!(y[7], 10);
    });
    for d in 0..=omp::get_num_devices() {
        let text = omp_tests::panic_of(|| run(d, 23, &mut [0; 8])).expect("it fails");
        assert!(text.contains("30 of 30"), "{text}");
    }
}
