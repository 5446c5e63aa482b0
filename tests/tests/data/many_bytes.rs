//! Reductions and scans of items of many bytes, also of odd numbers of them: they move between threads, tiles and memory as
//! what they are, whole and in order.
#![allow(clippy::needless_range_loop, reason = "as on devices")]
use omp_tests::{Values, on_every_device};

macro_rules! items {
    ($($m:ident $T:ident $N:literal)*) => { $(
        mod $m {
            use super::*;

            #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
            struct Item {
                parts: [$T; $N],
            }

            /// The last part that isn't zero: it does not commute.
            #[omp::declare_reduction(later: Item, identity = Item { parts: [0; $N] })]
            fn later(a: Item, b: Item) -> Item {
                let mut r = b;
                for k in 0..$N {
                    if b.parts[k] == 0 {
                        r.parts[k] = a.parts[k];
                    }
                }
                r
            }

            #[omp::offload]
            fn reduced(d: usize, threads: usize, x: &[Item]) -> Item {
                let mut all = Item { parts: [0; $N] };
                #[omp::target(device(d), thread_limit(threads), reduction(later: all))]
                for i in 0..x.len() {
                    all = later(all, x[i]);
                }
                all
            }

            #[omp::offload]
            fn in_arrays(d: usize, threads: usize, x: &[Item], y: &mut [Item]) {
                #[omp::target(device(d), thread_limit(threads), scan(later: y))]
                for i in 1..x.len() {
                    y[i] = later(y[i - 1], x[i]);
                }
            }

            #[omp::offload]
            fn carried(d: usize, threads: usize, x: &[$T], y: &mut [$T]) -> Item {
                let mut all = Item { parts: [1; $N] };
                #[omp::target(device(d), thread_limit(threads), scan(later: all))]
                for i in 0..x.len() {
                    y[i] = all.parts[i % $N];
                    let mut one = Item { parts: [0; $N] };
                    one.parts[i / 3 % $N] = x[i];
                    all = later(all, one);
                }
                all
            }

            #[test]
            fn in_order() {
                on_every_device(|d| {
                    for (n, threads) in [(0, 1024), (1, 32), (33, 96), (700, 1024), (4097, 32)] {
                        let mut r = Values(n as u64);
                        let mut number = || if r.bits() % 4 == 0 { r.wide() as $T } else { 0 };
                        let mut item = || {
                            let mut one = Item { parts: [0; $N] };
                            one.parts.iter_mut().for_each(|p| *p = number());
                            one
                        };
                        let x: Vec<Item> = (0..n).map(|_| item()).collect();
                        let mut want = x.clone();
                        for i in 1..n {
                            want[i] = later(want[i - 1], x[i]);
                        }
                        let mut y = x.clone();
                        in_arrays(d, threads, &x, &mut y);
                        assert!(y == want, "arrays: {n} by {threads} on {d}");
                        let all = want.last().copied().unwrap_or(Item { parts: [0; $N] });
                        assert!(reduced(d, threads, &x) == all, "reduced: {n} by {threads} on {d}");

                        let x: Vec<$T> = (0..n).map(|_| number()).collect();
                        let (mut y, mut want, mut all) = (x.clone(), x.clone(), Item { parts: [1; $N] });
                        for i in 0..n {
                            want[i] = all.parts[i % $N];
                            if x[i] != 0 {
                                all.parts[i / 3 % $N] = x[i];
                            }
                        }
                        assert!(carried(d, threads, &x, &mut y) == all, "all: {n} by {threads} on {d}");
                        assert!(y == want, "carried: {n} by {threads} on {d}");
                    }
                });
            }
        }
    )* };
}
items! { b201 u8 201  b254 u16 127  b255 u8 255  b256 u64 32 }
