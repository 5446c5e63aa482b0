//! Scans that tell where elements go: the places are proved to differ where a stored element moves on by one, and
//! checked where they needn't.
use omp_tests::{Values, on_every_device};
use std::panic::{AssertUnwindSafe, catch_unwind};

#[omp::offload]
fn odd(d: usize, x: &[i32], kept: &mut [i32]) -> usize {
    let mut count = 0usize;
    #[omp::target(device(d), map(to: x), scan(+: count), disjoint(kept))]
    for i in 0..x.len() {
        if x[i] & 1 == 1 {
            kept[count] = x[i];
        }
        count += usize::from(x[i] & 1 == 1);
    }
    count
}

/// With a name for the condition, a cast, two arrays, and another number beside it.
#[omp::offload]
fn above(d: usize, x: &[f64], least: f64, at: &mut [usize], sums: &mut [f64]) -> (u64, f64) {
    let (mut count, mut sum) = (0u64, 0.5);
    #[omp::target(device(d), map(to: x), scan(+: count, sum), disjoint(at, sums))]
    for i in 0..x.len() {
        let keep = x[i] > least;
        if keep {
            at[count as usize] = i;
            sums[count as usize] = sum;
        }
        count += u64::from(keep);
        sum += x[i];
    }
    (count, sum)
}

/// What is stored doesn't move on: two iterations may have one place.
#[omp::offload]
fn stays(d: usize, x: &[i32], kept: &mut [i32]) -> usize {
    let mut count = 0usize;
    #[omp::target(device(d), map(to: x), scan(+: count), disjoint(kept))]
    for i in 0..x.len() {
        if x[i] > 0 {
            kept[count] = x[i];
        }
        count += usize::from(x[i] > 1);
    }
    count
}

/// The store comes after the move.
#[omp::offload]
fn beside(d: usize, x: &[i32], kept: &mut [i32]) -> usize {
    let mut count = 0usize;
    #[omp::target(device(d), map(to: x), scan(+: count), disjoint(kept))]
    for i in 0..x.len() {
        if x[i] > 0 {
            kept[count / 2] = x[i];
        }
        count += usize::from(x[i] > 0);
    }
    count
}

/// The number that is added has changed since it was the condition's.
#[omp::offload]
fn changed(d: usize, x: &[i32], kept: &mut [i32]) -> usize {
    let mut count = 0usize;
    #[omp::target(device(d), map(to: x), scan(+: count), disjoint(kept))]
    for i in 0..x.len() {
        let keep = x[i] > 0;
        if keep {
            kept[count] = x[i];
        }
        let mut one = usize::from(keep);
        if x[i] > 1 {
            one = 0;
        }
        count += one;
    }
    count
}

/// A condition of floats, which the device's compiler may round in one way for the sums and in another for the stores.
macro_rules! by_floats {
    ($($name:ident $fp:ident $keep:expr;)*) => { $(
        #[omp::offload]
        fn $name(d: usize, x: &[f32], a: f32, kept: &mut [f32]) -> usize {
            let mut count = 0usize;
            #[omp::target(device(d), map(to: x), scan(+: count), disjoint(kept), fp($fp))]
            for i in 0..x.len() {
                let keep = $keep(x[i], a);
                if keep {
                    kept[count] = x[i];
                }
                count += usize::from(keep);
            }
            count
        }
    )* };
}

#[omp::declare_target]
fn product(x: f32, a: f32) -> bool {
    x * a > 1.0
}

#[omp::declare_target]
fn joined(x: f32, a: f32) -> bool {
    x * a > 1.0 - a
}

#[omp::declare_target]
fn powered(x: f32, a: f32) -> bool {
    x.powi(2) > a
}

by_floats! {
    strictly_joined strict joined;
    maybe_joined contract joined;
    strictly_powered strict powered;
    maybe_powered contract powered;
    one_product contract product;
    fast_product fast product;
}

#[test]
fn floats_that_round_differently_are_checked() {
    on_every_device(|d| {
        let x: Vec<f32> = (0..1000u16).map(|i| f32::from(i % 37) - 10.0).collect();
        let checks = |run: fn(usize, &[f32], f32, &mut [f32]) -> usize, keep: fn(f32, f32) -> bool| {
            let want: Vec<f32> = x.iter().copied().filter(|x| keep(*x, 0.5)).collect();
            let mut kept = vec![0.0; x.len()];
            assert_eq!(run(d, &x, 0.5, &mut kept), want.len(), "on {d}");
            assert_eq!(kept[..want.len()], want, "on {d}");
            omp::last_region().residual_checks
        };
        let on_device = usize::from(d < omp::get_num_devices());
        assert_eq!(checks(maybe_joined, joined), checks(strictly_joined, joined) + on_device, "on {d}");
        assert_eq!(checks(maybe_powered, powered), checks(strictly_powered, powered) + on_device, "on {d}");
        assert_eq!(checks(fast_product, product), checks(one_product, product) + on_device, "on {d}");
    });
}

#[test]
fn kept_elements_stand_side_by_side() {
    on_every_device(|d| {
        for n in [0, 1, 31, 1000, 70_001] {
            let mut r = Values(n as u64);
            let x: Vec<i32> = (0..n).map(|_| r.bits() as i32).collect();
            let want: Vec<i32> = x.iter().copied().filter(|v| v & 1 == 1).collect();
            let mut kept = vec![-2; n];
            assert_eq!(odd(d, &x, &mut kept), want.len(), "{n} on {d}");
            assert_eq!(&kept[..want.len()], want, "{n} on {d}");
            assert!(kept[want.len()..].iter().all(|v| *v == -2), "{n} on {d}");

            let y: Vec<f64> = x.iter().map(|v| f64::from(v % 64)).collect();
            let (mut at, mut sums) = (vec![n; n], vec![-1.0; n]);
            let (mut places, mut before, mut sum) = (Vec::new(), Vec::new(), 0.5);
            for (i, v) in y.iter().enumerate() {
                if *v > 3.0 {
                    places.push(i);
                    before.push(sum);
                }
                sum += v;
            }
            assert_eq!(above(d, &y, 3.0, &mut at, &mut sums), (places.len() as u64, sum), "{n} on {d}");
            assert_eq!(
                (&at[..places.len()], &sums[..places.len()]),
                (&places[..], &before[..]),
                "{n} on {d}"
            );
        }
    });
}

#[test]
fn places_that_meet_are_found() {
    on_every_device(|d| {
        let x = [2, 2, 0, 1, 1, 2];
        let found = |run: &mut dyn FnMut() -> usize| catch_unwind(AssertUnwindSafe(run)).is_err();
        assert!(found(&mut || stays(d, &x, &mut [0; 6])), "on {d}");
        assert!(found(&mut || beside(d, &x, &mut [0; 6])), "on {d}");
        assert!(found(&mut || changed(d, &x, &mut [0; 6])), "on {d}");
        assert_eq!(stays(d, &[2, 0, 3, 2], &mut [0; 4]), 3, "on {d}");
    });
}
