//! Updates that are tasks: many bytes in both directions, which other threads copy while the function goes on; functions that use the
//! device's copy meanwhile; and updates of data that tasks on the host use.
#![allow(clippy::needless_range_loop, reason = "every spelling that users may choose")]
#![allow(clippy::cast_lossless, reason = "bodies have `as`")]
use omp_tests::{goes_on, on_every_device};
use std::time::{Duration, Instant};

/// Above what a function lends to other threads (8 MiB), in two sections.
const N: usize = 6 << 20;

/// Only reads what it is handed, on the device.
#[omp::offload]
fn sum(d: usize, x: &[u32]) -> u64 {
    let mut s = 0;
    #[omp::target(reduction(+: s), device(d))]
    for i in 0..x.len() {
        s += x[i] as u64;
    }
    s
}

/// The same, as a task of its own.
#[omp::offload]
fn doubled(d: usize, x: &[u32], y: &mut [u32]) {
    #[omp::target(nowait, device(d))]
    for i in 0..x.len() {
        y[i] = 2 * x[i];
    }
}

#[omp::offload]
fn both_ways(d: usize, up: &mut [u32], down: &mut [u32], twice: &mut [u32], parts: usize) -> (u64, u32) {
    let mut seen = (0, 0);
    #[omp::target_data(map(to: up, down), device(d))]
    {
        #[omp::target(device(d))]
        for i in 0..down.len() {
            down[i] = 3 * i as u32;
        }
        up.fill(7);
        let size = up.len() / parts;
        for part in 0..parts {
            let (lo, hi) = (part * size, (part + 1) * size);
            omp::target_update!(to(up[lo..hi]), nowait, device(d));
            omp::target_update!(from(down[lo..hi]), nowait, device(d));
        }
        // Who is handed the array, which it only reads, comes behind the updates.
        seen.0 = sum(d, &up[..]);
        up[1] = 8;
        omp::target_update!(to(up[..size]), nowait, device(d));
        doubled(d, &up[..], twice);
        // A write waits for what is on its way to the device.
        up[1] = 9;
        seen.1 = down[down.len() - 1];
        omp::taskwait!();
    }
    seen
}

#[test]
fn many_bytes_in_both_directions() {
    on_every_device(|d| {
        for (n, parts) in [(N, 1), (N, 2), (N, 24), (0, 1), (100, 2)] {
            let (mut up, mut down, mut twice) = (vec![1; n], vec![0; n], vec![0; n]);
            if n == 0 {
                continue;
            }
            let seen = both_ways(d, &mut up, &mut down, &mut twice, parts);
            assert_eq!(seen, (7 * n as u64, 3 * (n as u32 - 1)), "{n} in {parts} on {d}");
            assert!(down.iter().enumerate().all(|(i, v)| *v == 3 * i as u32), "{n} in {parts} on {d}");
            assert!(
                twice.iter().enumerate().all(|(i, v)| *v == if i == 1 { 16 } else { 14 }),
                "{n} in {parts} on {d}"
            );
            assert_eq!((up[0], up[1]), (7, 9));
        }
    });
}

/// An array that nobody may write meanwhile has no guard that keeps anybody from it.
#[omp::offload]
fn shared(d: usize, x: &[u32]) -> (u64, u64) {
    #[omp::target_data(map(alloc: x), device(d))]
    {
        omp::target_update!(to(x), nowait, device(d));
        let beside: u64 = x.iter().map(|v| *v as u64).sum();
        (beside, sum(d, x))
    }
}

#[test]
fn others_who_read_it_come_after_it() {
    let x: Vec<u32> = (0..N as u32).collect();
    let want: u64 = x.iter().map(|v| *v as u64).sum();
    on_every_device(|d| assert_eq!(shared(d, &x), (want, want), "on {d}"));
}

/// Left in the middle.
#[omp::offload(try)]
fn left(d: usize, x: &[u32], at: &[usize], y: &mut [u32]) -> Result<u64, omp::Error> {
    #[omp::target_data(map(to: x), device(d))]
    {
        omp::target_update!(to(x), nowait, device(d));
        #[omp::target(nowait, map(tofrom: y), device(d))]
        for i in 0..1 {
            y[i] = x[at[i]];
        }
        omp::target_update!(to(x), nowait, device(d));
    }
    Ok(sum(d, x))
}

#[test]
fn errors_leave_while_bytes_are_under_way() {
    let x = vec![1; N];
    on_every_device(|d| {
        let mut y = vec![0];
        let error = left(d, &x, &[N], &mut y).expect_err("it is out of bounds").to_string();
        assert!(error.contains("out of bounds"), "{error}");
        assert_eq!(left(d, &x, &[5], &mut y).map_err(|e| e.to_string()), Ok(N as u64), "and again, on {d}");
        assert_eq!(y, [1]);
    });
}

/// Updates that follow a task on the host, and are followed by others.
#[omp::offload]
fn behind_the_host(rounds: usize, x: &mut [u64], y: &mut [u64]) -> u64 {
    let (d, host) = (omp::get_num_devices() - 1, omp::get_num_devices());
    #[omp::target_data(map(alloc: x, y), device(d))]
    {
        #[omp::target(nowait, device(host))]
        for i in 0..x.len() {
            for k in 0..rounds {
                x[i] = x[i].wrapping_mul(6364136223846793005).wrapping_add(k as u64);
            }
        }
        omp::target_update!(to(x), nowait, device(d));
        #[omp::target(nowait, device(d))]
        for i in 0..x.len() {
            y[i] = x[i] ^ 5;
        }
        omp::target_update!(from(y), nowait, device(d));
        #[omp::target(nowait, device(host))]
        for i in 0..x.len() {
            y[i] = y[i].wrapping_add(1);
        }
        omp::target_update!(to(y), nowait, depend(inout: y), device(d));
        #[omp::target(nowait, device(d))]
        for i in 0..x.len() {
            y[i] = y[i].wrapping_add(1);
        }
        omp::target_update!(from(y[..x.len()]), nowait, device(d));
        omp::taskwait!();
    }
    y.first().copied().unwrap_or(0)
}

#[test]
fn updates_follow_tasks_on_the_host() {
    if omp::get_num_devices() == 0 {
        omp_tests::skipped("opencl", "no OpenCL device");
        return;
    }
    let value = |i: u64, rounds: usize| {
        (0..rounds as u64).fold(i, |v, k| v.wrapping_mul(6364136223846793005).wrapping_add(k))
    };
    for (n, rounds) in [(0, 1), (1, 3), (64, 100), (1000, 2)] {
        let (mut x, mut y) = ((0..n).collect::<Vec<u64>>(), vec![0; n as usize]);
        behind_the_host(rounds, &mut x, &mut y);
        let want: Vec<u64> = (0..n).map(|i| value(i, rounds)).collect();
        assert_eq!(x, want, "{n}");
        assert_eq!(y, want.iter().map(|v| (v ^ 5).wrapping_add(2)).collect::<Vec<_>>(), "{n}");
    }
}

/// What comes from the device behind a task on the host; how long the launch took.
#[omp::offload]
fn brought_behind_the_host(rounds: usize, x: &mut [u64]) -> Duration {
    let (d, host) = (omp::get_num_devices() - 1, omp::get_num_devices());
    let launched;
    #[omp::target_data(map(to: x), device(d))]
    {
        let start = Instant::now();
        #[omp::target(nowait, device(host))]
        for i in 0..x.len() {
            for k in 0..rounds {
                x[i] = x[i].wrapping_mul(6364136223846793005).wrapping_add(k as u64);
            }
        }
        omp::target_update!(from(x), nowait, device(d));
        launched = start.elapsed();
        omp::taskwait!();
    }
    launched
}

#[test]
fn updates_to_the_host_do_not_wait_at_their_launch() {
    if omp::get_num_devices() == 0 {
        omp_tests::skipped("opencl", "no OpenCL device");
        return;
    }
    goes_on(|| {
        let mut x = vec![1; 64];
        let launched = brought_behind_the_host(400_000, &mut x);
        assert_eq!(x, [1; 64], "the device's values come behind the host's");
        launched
    });
}

/// Reads what it puts in place on the device, behind a task on the host.
#[omp::offload]
fn placed_behind_the_host(rounds: usize, x: &mut [u32], y: &mut [u32], z: &mut [u32]) -> u64 {
    let (d, host) = (omp::get_num_devices() - 1, omp::get_num_devices());
    let seen;
    #[omp::target_data(map(to: x), device(d))]
    {
        #[omp::target(nowait, device(host))]
        for i in 0..x.len() {
            x[i] = 5;
        }
        #[omp::target(nowait, device(host), depend(inout: y))]
        for i in 0..y.len() {
            for k in 0..rounds {
                y[i] = y[i].wrapping_mul(3).wrapping_add(k as u32);
            }
        }
        #[omp::target(nowait, device(d), map(always, to: x), depend(in: y))]
        for i in 0..z.len() {
            z[i] = x[i];
        }
        seen = sum(d, &x[..]);
        omp::taskwait!();
    }
    seen
}

#[test]
fn who_is_handed_an_array_comes_after_regions_that_put_it_in_place() {
    if omp::get_num_devices() == 0 {
        omp_tests::skipped("opencl", "no OpenCL device");
        return;
    }
    let mut z = vec![0; 100];
    let seen = placed_behind_the_host(3_000_000, &mut vec![1; 100], &mut [1; 8], &mut z);
    assert_eq!((seen, z), (500, vec![5; 100]));
}
