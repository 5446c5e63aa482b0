//! The programs by which implementations of `target reduction` are commonly validated, in our own words: add, subtract,
//! multiply, min, max, bitwise and, or and xor, logical and, or.
use omp_tests::{Values, on_every_device};

const N: usize = 1024;

fn data() -> (Vec<i32>, Vec<i32>) {
    let mut r = Values(7);
    (0..N).map(|_| ((r.bits() % 100) as i32, (r.bits() % 100) as i32)).unzip()
}

macro_rules! programs {
    ($($name:ident: $T:ty, $op:tt, $start:expr, |$s:ident, $a:ident, $b:ident, $i:ident| $update:expr;)*) => { $(
        #[test]
        fn $name() {
            #[omp::offload]
            fn on(d: usize, $a: &[i32], $b: &[i32]) -> $T {
                let mut $s: $T = $start;
                #[omp::target(device(d), reduction($op: $s))]
                for $i in 0..N {
                    $update
                }
                $s
            }
            let (a, b) = data();
            let ($a, $b) = (&a[..], &b[..]);
            let mut $s: $T = $start;
            for $i in 0..N {
                $update
            }
            on_every_device(|d| assert_eq!(on(d, $a, $b), $s, "on {d}"));
        }
    )* };
}

programs! {
    add: i32, +, 0, |total, a, b, i| { total += a[i] + b[i]; };
    subtract: i32, +, 0, |total, a, b, i| { total -= a[i] + b[i]; };
    multiply: i64, *, 1, |product, a, b, i| { product *= if a[i] == b[i] { 3 } else if i % 100 == 0 { -2 } else { 1 }; };
    least: i32, min, i32::MAX, |result, a, b, i| { result = result.min(a[i] + b[i]); };
    most: i32, max, i32::MIN, |result, a, b, i| if a[i] * b[i] > result { result = a[i] * b[i]; };
    bits_of_all: u32, &, u32::MAX, |result, a, b, i| { result &= !((a[i] & b[i] & 6) as u32); };
    bits_of_any: u32, |, 0, |result, a, b, i| { result |= (a[i] ^ b[i]) as u32; };
    bits_of_odd: u32, ^, 9, |result, a, b, i| { result ^= (a[i] * 31 + b[i]) as u32; };
    all_of_them: bool, &&, true, |result, a, b, i| { result = result && a[i] + b[i] < 198; };
    one_of_them: bool, ||, false, |result, a, b, i| { result = result || a[i] > b[i] + 97; };
}
