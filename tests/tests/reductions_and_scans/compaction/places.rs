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

#[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
struct Three {
    at: u32,
    of: u16,
    odd: bool,
}

/// All elements, at two ends of a walk: two numbers, values from elsewhere, several stores of one iteration, elements of
/// several sizes.
#[omp::offload]
fn parted(
    d: usize,
    x: &[u8],
    of: &[u16],
    odd: &mut [Three],
    bytes: &mut [u8],
    even: &mut [[u64; 3]],
) -> (usize, u64) {
    let (mut here, mut there) = (0usize, 0u64);
    #[omp::target(device(d), map(to: x, of), scan(+: here, there), disjoint(odd, bytes, even))]
    for i in 0..x.len() {
        let is_odd = x[i] & 1 == 1;
        let is_even = x[i] & 1 == 0;
        if is_odd {
            let value = of[x[i] as usize];
            bytes[here] = 0;
            odd[here] = Three { at: i as u32, of: value, odd: is_odd };
            bytes[here] = x[i];
        }
        if is_even {
            even[there as usize] = [i as u64, there, here as u64];
        }
        here += usize::from(is_odd);
        there += u64::from(is_even);
    }
    (here, there)
}

/// From a place on.
#[omp::offload]
fn behind(d: usize, threads: usize, from: usize, x: &[u16], kept: &mut [u16]) -> usize {
    let mut count = from;
    #[omp::target(device(d), thread_limit(threads), map(to: x), scan(+: count), disjoint(kept))]
    for i in 0..x.len() {
        if x[i] & 1 == 1 {
            kept[count] = x[i];
        }
        count += usize::from(x[i] & 1 == 1);
    }
    count
}

/// Into a part of an array.
#[omp::offload]
fn within(d: usize, (lo, hi): (usize, usize), x: &[i32], kept: &mut [i32]) -> usize {
    let mut count = lo;
    #[omp::target(device(d), map(to: x), map(tofrom: kept[lo..hi]), scan(+: count), disjoint(kept))]
    for i in 0..x.len() {
        if x[i] & 1 == 1 {
            kept[count] = x[i];
        }
        count += usize::from(x[i] & 1 == 1);
    }
    count
}

#[test]
fn several_arrays_of_several_sizes() {
    on_every_device(|d| {
        for n in [0, 1, 127, 5000, 40_003] {
            let mut r = Values(n as u64 + 1);
            let mut x: Vec<u8> = (0..n).map(|_| r.bits() as u8 & 127).collect();
            let of: Vec<u16> = (0..128).map(|_| r.bits() as u16).collect();
            let (mut odd, mut bytes, mut even) = (Vec::new(), Vec::new(), Vec::new());
            for (i, v) in x.iter().enumerate() {
                if v & 1 == 1 {
                    odd.push(Three { at: i as u32, of: of[*v as usize], odd: true });
                    bytes.push(*v);
                } else {
                    even.push([i as u64, even.len() as u64, odd.len() as u64]);
                }
            }
            let (mut a, mut b, mut c) = (vec![Three::default(); n], vec![0; n], vec![[0; 3]; n]);
            let counts = parted(d, &x, &of, &mut a, &mut b, &mut c);
            assert_eq!(counts, (odd.len(), even.len() as u64), "{n} on {d}");
            assert!(
                a[..odd.len()] == odd && b[..odd.len()] == bytes && c[..even.len()] == even,
                "{n} on {d}"
            );
            // What one iteration asks for isn't there.
            if let Some(v) = x.get_mut(n / 2) {
                *v = 129;
                let mut run = || parted(d, &x, &of, &mut a, &mut b, &mut c);
                assert!(catch_unwind(AssertUnwindSafe(&mut run)).is_err(), "{n} on {d}");
            }
        }
    });
}

#[test]
fn places_up_to_the_end() {
    on_every_device(|d| {
        for (n, from, threads) in
            [(1, 3, 32), (63, 0, 1024), (2000, 31, 96), (30_001, 1, 1024), (30_001, 7, 32)]
        {
            let mut r = Values(n as u64 + 2);
            let x: Vec<u16> = (0..n).map(|_| r.bits() as u16 | u16::from(n == 1)).collect();
            let want: Vec<u16> = x.iter().copied().filter(|v| v & 1 == 1).collect();
            let end = from + want.len();
            for more in [0, 1, 900] {
                let mut kept = vec![4; end + more];
                assert_eq!(behind(d, threads, from, &x, &mut kept), end, "{n} and {more} on {d}");
                assert!(kept[from..end] == want, "{n} and {more} on {d}");
                assert!(kept[..from].iter().chain(&kept[end..]).all(|v| *v == 4), "{n} and {more} on {d}");
            }
            for less in [1, want.len() / 2, want.len()] {
                let mut kept = vec![4; end - less];
                let run = || behind(d, threads, from, &x, &mut kept);
                let failed = less > 0;
                assert_eq!(catch_unwind(AssertUnwindSafe(run)).is_err(), failed, "{n} less {less} on {d}");
            }
        }
    });
}

/// A count that begins anywhere, and adds up to what it may.
#[omp::offload]
fn from_anywhere(d: usize, start: usize, x: &[i32], kept: &mut [i32]) -> usize {
    let mut count = start;
    #[omp::target(device(d), scan(+: count), disjoint(kept))]
    for i in 0..x.len() {
        let keep = x[i] > 0;
        if keep {
            kept[count] = x[i];
        }
        count += usize::from(keep);
    }
    count
}

/// Where nothing is kept, a number that is no place is none that a store goes to, nor one that is waited for.
#[test]
fn nothing_is_kept_far_outside() {
    on_every_device(|d| {
        for start in [usize::MAX, usize::MAX - 1, usize::MAX - 40, usize::MAX / 2, 1 << 32] {
            for n in [1, 33, 5000] {
                let (mut x, mut kept) = (vec![0; n], vec![3; 9]);
                assert_eq!(from_anywhere(d, start, &x, &mut kept), start, "{n} from {start} on {d}");
                assert!(kept.iter().all(|v| *v == 3), "{n} from {start} on {d}");
                x[n / 2] = 1;
                let run = || from_anywhere(d, start, &x, &mut kept);
                assert!(catch_unwind(AssertUnwindSafe(run)).is_err(), "{n} from {start} on {d}");
            }
        }
    });
}

#[test]
fn into_a_section() {
    on_every_device(|d| {
        let mut r = Values(3);
        let x: Vec<i32> = (0..9000).map(|_| r.bits() as i32).collect();
        let want: Vec<i32> = x.iter().copied().filter(|v| v & 1 == 1).collect();
        let (lo, end) = (5, 5 + want.len());
        for hi in [end, end + 1000] {
            let mut kept = vec![-2; end + 1000];
            assert_eq!(within(d, (lo, hi), &x, &mut kept), end, "{hi} on {d}");
            assert!(kept[lo..end] == want, "{hi} on {d}");
            assert!(kept[..lo].iter().chain(&kept[end..]).all(|v| *v == -2), "{hi} on {d}");
        }
        if d < omp::get_num_devices() {
            let run = || within(d, (lo, end - 1), &x, &mut vec![0; end + 1000]);
            assert!(catch_unwind(AssertUnwindSafe(run)).is_err(), "on {d}");
        }
    });
}
