//! Reductions and scans of items of many bytes whose fields differ in width, alone and beside others: what a compiler packs into
//! one register comes apart again as it was.
#![allow(clippy::needless_range_loop, reason = "as on devices")]
#![allow(clippy::float_cmp, reason = "no digit is lost")]
#![allow(clippy::cast_lossless, reason = "one macro for all types")]
use omp_tests::{Values, on_every_device};

/// The last that is not 0.
#[omp::declare_reduction(newest: i16, identity = 0)]
fn newest(a: i16, b: i16) -> i16 {
    if b == 0 { a } else { b }
}

/// How fields join: the first or the last that is not 0, or the sum; and a small value, so that sums are exact.
macro_rules! numbers {
    ($($T:ident $first:ident $last:ident $sum:ident)*) => { $(
        #[omp::declare_target]
        fn $first(a: $T, b: $T) -> $T {
            if a == 0 as $T { b } else { a }
        }

        #[omp::declare_target]
        fn $last(a: $T, b: $T) -> $T {
            if b == 0 as $T { a } else { b }
        }

        #[omp::declare_target]
        fn $sum(a: $T, b: $T) -> $T {
            a + b
        }

        impl Value for $T {
            const ZERO: $T = 0 as $T;
            fn draw(r: &mut Values) -> $T {
                if r.bits().is_multiple_of(4) { (r.bits() % 120) as $T } else { 0 as $T }
            }
        }
    )* };
}

trait Value {
    const ZERO: Self;
    fn draw(r: &mut Values) -> Self;
}

impl Value for bool {
    const ZERO: bool = false;
    fn draw(r: &mut Values) -> bool {
        r.bits().is_multiple_of(64)
    }
}

numbers! {
    u8 first_u8 last_u8 sum_u8  i8 first_i8 last_i8 sum_i8  u16 first_u16 last_u16 sum_u16  i16 first_i16 last_i16 sum_i16
    u32 first_u32 last_u32 sum_u32  i32 first_i32 last_i32 sum_i32  u64 first_u64 last_u64 sum_u64
    i64 first_i64 last_i64 sum_i64  f32 first_f32 last_f32 sum_f32  f64 first_f64 last_f64 sum_f64
}

#[omp::declare_target]
fn any_bool(a: bool, b: bool) -> bool {
    a | b
}

macro_rules! items {
    ($($m:ident { $($f:ident $rule:ident $T:ident)* | $($g:ident $rule_:ident $U:ident $N:literal)* })*) => { $(
        mod $m {
            use super::*;

            #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
            struct Item {
                $($f: $T,)*
                $($g: [$U; $N],)*
            }

            const NONE: Item = Item { $($f: <$T>::ZERO,)* $($g: [<$U>::ZERO; $N],)* };

            #[omp::declare_reduction(joined: Item, identity = NONE)]
            fn joined(a: Item, b: Item) -> Item {
                let mut r = b;
                $(r.$f = $rule(a.$f, b.$f);)*
                $(for k in 0..$N {
                    r.$g[k] = $rule_(a.$g[k], b.$g[k]);
                })*
                r
            }

            #[omp::offload]
            fn reduced(d: usize, (teams, threads): (usize, usize), x: &[Item]) -> Item {
                let mut all = NONE;
                #[omp::target(device(d), num_teams(teams), thread_limit(threads), reduction(joined: all))]
                for i in 0..x.len() {
                    all = joined(all, x[i]);
                }
                all
            }

            #[omp::offload]
            fn beside(d: usize, (teams, threads): (usize, usize), x: &[Item], y: &[i16]) -> (Item, i16, i32, bool) {
                let (mut all, mut last, mut sum, mut any) = (NONE, 0i16, 0i32, false);
                #[omp::target(device(d), num_teams(teams), thread_limit(threads), reduction(joined: all),
                    reduction(newest: last), reduction(+: sum), reduction(||: any))]
                for i in 0..x.len() {
                    all = joined(all, x[i]);
                    last = newest(last, y[i]);
                    sum += i32::from(y[i]);
                    any = any || y[i] == 77;
                }
                (all, last, sum, any)
            }

            #[omp::offload]
            fn scanned(d: usize, threads: usize, x: &[Item], y: &mut [Item]) {
                #[omp::target(device(d), thread_limit(threads), scan(joined: y))]
                for i in 1..x.len() {
                    y[i] = joined(y[i - 1], x[i]);
                }
            }

            #[test]
            fn in_order() {
                on_every_device(|d| {
                    for (n, teams, threads) in [(0, 1, 256), (1, 3, 256), (33, 1, 1024), (2100, 1, 1024), (4097, 7, 256)] {
                        let mut r = Values(n as u64);
                        let mut item = || Item { $($f: Value::draw(&mut r),)* $($g: std::array::from_fn(|_| Value::draw(&mut r)),)* };
                        let x: Vec<Item> = (0..n).map(|_| item()).collect();
                        let y: Vec<i16> = (0..n).map(|_| i16::draw(&mut r)).collect();
                        let mut want = x.clone();
                        for i in 1..n {
                            want[i] = joined(want[i - 1], x[i]);
                        }
                        let all = want.last().copied().unwrap_or(NONE);
                        assert_eq!(reduced(d, (teams, threads), &x), all, "{n} by {teams} of {threads} on {d}");
                        let last = y.iter().rev().copied().find(|v| *v != 0).unwrap_or(0);
                        let others = (all, last, y.iter().map(|v| i32::from(*v)).sum::<i32>(), y.contains(&77));
                        assert_eq!(beside(d, (teams, threads), &x, &y), others, "beside: {n} by {teams} of {threads} on {d}");
                        let mut got = x.clone();
                        scanned(d, threads, &x, &mut got);
                        assert!(got == want, "scanned: {n} by {threads} on {d}");
                    }
                });
            }
        }
    )* };
}
items! {
    spans { some any_bool bool  first first_i16 i16  last last_i16 i16  sum sum_f64 f64 | of sum_u32 u32 58 }
    halves { a first_u16 u16  b last_u16 u16  c sum_f32 f32  d last_u8 u8 | e last_i16 i16 33  f sum_i64 i64 12  g first_i8 i8 7 }
    below { some any_bool bool  last last_i16 i16  sum sum_f64 f64 | of sum_f32 f32 24  at last_u16 u16 3 }
    bytes { first first_u8 u8  last last_u8 u8  some any_bool bool | of last_i8 i8 41  more first_u8 u8 30 }
}
