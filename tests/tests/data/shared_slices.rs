//! Threads that map overlapping parts of an array that all of them only read: none of them meets the others, whenever they come.
use super::*;
use std::sync::Barrier;

#[omp::offload]
fn sum(d: usize, x: &[u64]) -> u64 {
    let mut s = 0;
    #[omp::target(device(d), reduction(+: s))]
    for i in 0..x.len() {
        s += x[i];
    }
    s
}

/// Two footprints with a gap.
#[omp::offload]
fn ends(d: usize, x: &[u64], y: &mut [u64]) {
    let (n, m) = (x.len(), y.len());
    #[omp::target(device(d))]
    for i in 0..m {
        y[i] = x[i] + x[n - 1 - i];
    }
}

#[omp::offload]
fn in_region(d: usize, x: &[u64], (lo, hi): (usize, usize)) -> u64 {
    let mut t = 0;
    #[omp::target_data(map(to: x), device(d))]
    for round in 0..3 {
        let mut s = 0;
        #[omp::target(device(d), reduction(+: s))]
        for i in 0..x.len() {
            s += x[i] * (round + 1);
        }
        t += s + sum(d, &x[lo..hi]);
    }
    t
}

#[omp::offload]
fn nested(d: usize, x: &[u64], (lo, hi): (usize, usize)) -> u64 {
    let mut t = 0;
    #[omp::target_data(map(to: x), device(d))]
    {
        t += in_region(d, &x[lo..hi], (0, hi - lo));
        omp::target_update!(to(x), device(d));
        t += sum(d, x);
    }
    t
}

#[omp::offload]
fn entered(d: usize, x: &[u64], deletes: bool) -> u64 {
    omp::target_enter_data!(map(to: x), device(d));
    let s = sum(d, x);
    if deletes {
        omp::target_exit_data!(map(delete: x), device(d));
    } else {
        omp::target_exit_data!(map(release: x), device(d));
    }
    s
}

#[omp::offload]
fn in_block(d: usize, x: &[u64]) -> u64 {
    let mut s = 0;
    #[omp::target(device(d), map(to: x))]
    {
        #[omp::parallel_for(reduction(+: s))]
        for i in 0..x.len() {
            s += x[i];
        }
    }
    s
}

#[omp::offload]
fn as_task(d: usize, x: &[u64]) -> u64 {
    let mut y = vec![0; x.len()];
    #[omp::target(device(d), nowait)]
    for i in 0..x.len() {
        y[i] = 2 * x[i];
    }
    omp::taskwait!();
    y.iter().sum()
}

fn one(d: usize, v: &mut Values, x: &[u64]) {
    let mut part = |of: &[u64]| {
        let (a, b) = (v.bits() as usize % (of.len() + 1), v.bits() as usize % (of.len() + 1));
        (a.min(b), a.max(b))
    };
    let (lo, hi) = part(x);
    let x = &x[lo..hi];
    let inner = part(x);
    let (all, some): (u64, u64) = (x.iter().sum(), x[inner.0..inner.1].iter().sum());
    match v.bits() % 9 {
        0 => assert_eq!(sum(d, x), all),
        1 => assert_eq!(in_region(d, x, inner), 6 * all + 3 * some),
        2 => assert_eq!(nested(d, x, inner), 9 * some + all),
        3 => assert_eq!(entered(d, x, false), all),
        4 => assert_eq!(entered(d, x, true), all),
        5 => assert_eq!(in_block(d, x), all),
        6 => assert_eq!(as_task(d, x), 2 * all),
        7 => assert!(omp::get_num_devices() >= d),
        _ => {
            let mut y = vec![0; x.len() / 3];
            ends(d, x, &mut y);
            assert!((0..y.len()).all(|i| y[i] == x[i] + x[x.len() - 1 - i]));
        }
    }
}

#[test]
fn random_threads_do_not_meet() {
    on_every_device(|d| {
        for round in 0..12 {
            let x: Vec<u64> = (0..700).map(|i| i * i + round).collect();
            std::thread::scope(|s| {
                for thread in 0..5 {
                    let x = &x;
                    s.spawn(move || {
                        let mut v = Values(1000 * round + thread);
                        (0..12).for_each(|_| one(d, &mut v, x));
                    });
                }
            });
            if d == omp::get_default_device() {
                assert!(!apart(d) || !omp::target_is_present(&x), "nothing is left, device {d}");
            }
            sum(d, &x);
        }
    });
}

/// The same, in an order that a barrier keeps: while one thread's region has the first part.
#[test]
fn a_thread_beside_another_s_region() {
    on_every_device(|d| {
        let x: Vec<u64> = (0..1000).collect();
        let barrier = Barrier::new(2);
        let total = |part: &[u64]| part.iter().sum::<u64>();
        std::thread::scope(|s| {
            let (x, barrier) = (&x, &barrier);
            s.spawn(move || {
                held(d, &x[..600], barrier);
            });
            barrier.wait();
            for part in [&x[400..], &x[..], &x[599..601], &x[..600], &x[100..200], &x[600..], &x[0..0]] {
                assert_eq!(sum(d, part), total(part));
                let n = part.len();
                assert_eq!(in_region(d, part, (n / 3, n)), 6 * total(part) + 3 * total(&part[n / 3..]));
                assert_eq!(nested(d, part, (n / 2, n)), 9 * total(&part[n / 2..]) + total(part));
                assert_eq!(entered(d, part, false), total(part));
                assert_eq!(entered(d, part, true), total(part));
                assert_eq!(in_block(d, part), total(part));
                assert_eq!(as_task(d, part), 2 * total(part));
                let mut y = vec![0; n / 3];
                ends(d, part, &mut y);
                assert!((0..y.len()).all(|i| y[i] == part[i] + part[n - 1 - i]));
            }
            // What one thread maps itself still has to fit.
            if apart(d) {
                let wrong = catch_unwind(|| in_region_beyond(d, &x[500..800], &x[700..900]));
                let text = wrong.expect_err("its own region is in the way");
                assert!(panic_text(&*text).contains("present"), "{}", panic_text(&*text));
            }
            barrier.wait();
        });
        assert_eq!(sum(d, &x), total(&x));
    });
}

#[omp::offload]
fn held(d: usize, x: &[u64], barrier: &Barrier) {
    #[omp::target_data(map(to: x), device(d))]
    {
        barrier.wait();
        barrier.wait();
        assert_eq!(sum(d, x), x.iter().sum::<u64>());
    }
}

#[omp::offload]
fn in_region_beyond(d: usize, x: &[u64], beyond: &[u64]) -> u64 {
    let mut s = 0;
    #[omp::target_data(map(to: x), device(d))]
    {
        s += sum(d, beyond);
    }
    s
}

#[omp::offload]
fn doubled_under(d: usize, x: &mut [u64], seen: impl Fn(&[u64])) {
    #[omp::target_data(map(tofrom: x[..30]), device(d))]
    {
        #[omp::target(device(d), map(tofrom: x[..30]))]
        for i in 0..30 {
            x[i] *= 2;
        }
        seen(x);
    }
}

/// What a kernel has written is not what the host has: then it is an error, on whatever thread.
#[test]
fn written_data_is_no_copy_of_the_host_s() {
    on_every_device(|d| {
        if !apart(d) {
            sum(d, &[1]);
            return;
        }
        let mut x: Vec<u64> = (0..60).collect();
        doubled_under(d, &mut x, |x| {
            // All of it is there: what the kernel wrote is seen.
            let whole = std::thread::scope(|s| s.spawn(|| sum(d, &x[10..20])).join());
            assert_eq!(whole.expect("it fits"), (10..20).map(|v| 2 * v).sum::<u64>());
            for part in [&x[10..60], &x[29..31], x] {
                for of in [sum, |d, x: &[u64]| in_region(d, x, (0, 1)), |d, x: &[u64]| in_block(d, x)] {
                    let text =
                        std::thread::scope(|s| s.spawn(|| of(d, part)).join()).expect_err("in the way");
                    assert!(panic_text(&*text).contains("present"), "{}", panic_text(&*text));
                }
            }
        });
        let want: Vec<u64> = (0..60).map(|v| if v < 30 { 2 * v } else { v }).collect();
        assert_eq!(x, want);
    });
}
