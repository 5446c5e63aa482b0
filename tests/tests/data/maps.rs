//! What is copied for a map, and what not: sections, implicit maps, data regions that begin without values.
#![allow(clippy::needless_range_loop, reason = "every spelling that users may choose")]
use omp_tests::on_every_device;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Whether host and device have a copy each.
fn apart(d: usize) -> bool {
    d < omp::get_num_devices()
}

/// What the last region copied to its device and back.
fn moved() -> (u64, u64) {
    let report = omp::last_region();
    (report.bytes_to_device, report.bytes_from_device)
}

fn numbers(n: usize) -> Vec<f32> {
    (0..n).map(|i| i as f32).collect()
}

// ---------------------------------------------------------------------------------------------- implicit maps

#[omp::offload]
fn halo(d: usize, x: &[f32], y: &mut [f32], lo: usize, hi: usize) {
    #[omp::target(device(d))]
    for i in lo..hi {
        y[i] = x[i - 1] + x[i + 1];
    }
}

#[omp::offload]
fn far_apart(d: usize, x: &[f32], y: &mut [f32], n: usize, k: usize) {
    #[omp::target(device(d))]
    for i in 0..n {
        y[i + k] = x[i] + x[i + k];
    }
}

#[omp::offload]
fn gather(d: usize, x: &[f32], at: &[u32], y: &mut [f32], lo: usize, hi: usize) {
    #[omp::target(device(d))]
    for i in lo..hi {
        y[i] = x[at[i] as usize];
    }
}

#[test]
fn an_implicit_map_is_what_the_subscripts_touch() {
    on_every_device(|d| {
        // The second begins so far behind that device memory begins there, too.
        for (n, lo, hi) in [(100, 10, 20), (3 << 20, (1 << 20) + 77, (1 << 20) + 1077)] {
            let (x, mut y) = (numbers(n), vec![-1.0; n]);
            halo(d, &x, &mut y, lo, hi);
            if apart(d) {
                let len = (hi - lo) as u64;
                // Nothing of `y` is read, and all that is touched is written.
                assert_eq!(moved(), (4 * (len + 2), 4 * len), "{lo}..{hi} of {n} on device {d}");
            }
            for i in lo - 2..hi + 2 {
                let want = if (lo..hi).contains(&i) { 2.0 * i as f32 } else { -1.0 };
                assert_eq!(y[i], want, "element {i} of {n} on device {d}");
            }
        }
        let (n, k) = (1000, 5000);
        let (x, mut y) = (numbers(n + k), vec![-1.0; n + k]);
        far_apart(d, &x, &mut y, n, k);
        if apart(d) {
            assert_eq!(moved(), (4 * 2 * n as u64, 4 * n as u64), "device {d}");
        }
        assert!((0..n).all(|i| y[i + k] == (2 * i + k) as f32) && y[..k].iter().all(|v| *v == -1.0));
        // Whatever one array's subscripts may be, another's tell.
        let at: Vec<u32> = (0..n as u32).rev().collect();
        gather(d, &x, &at, &mut y, 10, 20);
        if apart(d) {
            assert_eq!(moved(), (4 * (x.len() as u64 + 10), 40), "device {d}");
        }
        assert!((10..20).all(|i| y[i] == x[n - 1 - i]));
    });
}

#[omp::offload]
fn first_bins(d: usize, hist: &mut [u64], n: usize) {
    #[omp::target(device(d), reduction(+: hist))]
    for i in 0..n {
        hist[i % 4] += 1;
    }
}

#[test]
fn reduced_arrays_are_combined_as_a_whole() {
    on_every_device(|d| {
        let mut hist: Vec<u64> = (0..100).collect();
        first_bins(d, &mut hist, 1000);
        let want: Vec<u64> = (0..100).map(|i| if i < 4 { i + 250 } else { i }).collect();
        assert_eq!(hist, want, "device {d}");
    });
}

// ---------------------------------------------------------------------------------------------- several sections

#[omp::offload]
fn ends(d: usize, x: &mut [f32], k: usize) {
    let n = x.len();
    #[omp::target(device(d), map(tofrom: x[..k], x[n - k..]))]
    for i in 0..k {
        x[i] += 1.0;
        x[n - k + i] *= 2.0;
    }
}

#[omp::offload]
fn with_the_gap(d: usize, x: &mut [f32], at: &[u32], k: usize) {
    let n = x.len();
    #[omp::target(device(d), map(tofrom: x[..k], x[n - k..]), disjoint(x))]
    for i in 0..at.len() {
        x[at[i] as usize] += 1.0;
    }
}

#[test]
fn sections_are_copied_alone() {
    on_every_device(|d| {
        let n = 100_000;
        for k in [1usize, 33, 1000] {
            let mut x = numbers(n);
            ends(d, &mut x, k);
            if apart(d) {
                assert_eq!(moved(), (8 * k as u64, 8 * k as u64), "{k} on device {d}");
            }
            for i in 0..n {
                let want = match i {
                    _ if i < k => i as f32 + 1.0,
                    _ if i >= n - k => i as f32 * 2.0,
                    _ => i as f32,
                };
                assert_eq!(x[i], want, "element {i}, {k} on device {d}");
            }
        }
        // Nothing shows that the subscripts stay in the sections, so what is between is copied, too.
        let mut x = numbers(n);
        with_the_gap(d, &mut x, &[0, 7, 50_000, 99_999], 10);
        for i in [0, 7, 50_000, 99_999] {
            assert_eq!(x[i], i as f32 + 1.0, "element {i} on device {d}");
        }
    });
}

#[omp::offload]
fn sections_in_a_region(d: usize, x: &mut [f32], k: usize, all: bool) -> Vec<(u64, u64)> {
    let n = x.len();
    let mut reports = Vec::new();
    #[omp::target_data(device(d), map(tofrom: x[..k], x[n - k..]))]
    {
        ends(d, x, k);
        reports.push(moved());
        // Both sections in one kernel, by implicit maps.
        #[omp::target(device(d))]
        for i in 0..k {
            x[i] += x[n - 1 - i];
        }
        reports.push(moved());
        if all {
            #[omp::target(device(d))]
            for i in 0..n {
                x[i] += 1.0;
            }
        }
        omp::target_update!(device(d), from(x[..1], x[n - 1..]));
    }
    reports
}

#[test]
fn sections_of_a_data_region_are_present_and_their_gap_is_not() {
    on_every_device(|d| {
        for (n, k) in [(10usize, 3usize), (4, 2), (5000, 100)] {
            let mut x = numbers(n);
            let reports = sections_in_a_region(d, &mut x, k, false);
            if apart(d) {
                assert_eq!(reports, [(0, 0); 2], "{k} of {n} on device {d}");
            }
            for i in 0..n {
                let want = match i {
                    _ if i < k => i as f32 + 1.0 + (n - 1 - i) as f32 * 2.0,
                    _ if i >= n - k => i as f32 * 2.0,
                    _ => i as f32,
                };
                assert_eq!(x[i], want, "element {i}, {k} of {n} on device {d}");
            }
        }
        if apart(d) {
            let mut x = numbers(5000);
            let failed = catch_unwind(AssertUnwindSafe(|| sections_in_a_region(d, &mut x, 100, true)));
            let payload = failed.expect_err("the gap is not present");
            let text = payload.downcast_ref::<String>().expect("a text");
            for part in [
                "`x` is only partially present",
                "missing: `x[100..4900]`",
                "`x[0..100]` of f32",
                "`x[4900..5000]` of f32",
                "maps.rs:",
            ] {
                assert!(text.contains(part), "{part}: {text}");
            }
            // The panic has released everything.
            assert!(!omp::target_is_present(&x) || omp::get_default_device() != d);
            ends(d, &mut x, 100);
        }
    });
}

#[omp::offload]
fn enter_ends(d: usize, x: &[f32], k: usize) {
    let n = x.len();
    omp::target_enter_data!(device(d), map(to: x[..k], x[n - k..]));
}

#[omp::offload]
fn exit_all(d: usize, x: &mut [f32]) {
    omp::target_exit_data!(device(d), map(from: x));
}

#[omp::offload]
fn exit_ends(d: usize, x: &mut [f32], k: usize) {
    let n = x.len();
    omp::target_exit_data!(device(d), map(from: x[..k], x[n - k..]));
}

#[test]
fn sections_without_a_gap_fit_as_a_whole() {
    on_every_device(|d| {
        // They adjoin: together they are all of it.
        let mut x = numbers(10);
        enter_ends(d, &x, 5);
        ends(d, &mut x, 5);
        exit_all(d, &mut x);
        let want: Vec<f32> = (0..10).map(|i| if i < 5 { i as f32 + 1.0 } else { i as f32 * 2.0 }).collect();
        assert_eq!(x, want, "device {d}");
        // Each counts once for a directive, whatever it finds.
        enter_ends(d, &x, 5);
        enter_ends(d, &x, 5);
        exit_ends(d, &mut x, 5);
        halo(d, &x, &mut [0.0; 10], 1, 9);
        if apart(d) {
            assert_eq!(moved().0, 0, "device {d}");
        }
        exit_ends(d, &mut x, 5);
        assert_eq!(x, want, "device {d}");
    });
}

// ---------------------------------------------------------------------------------------------- without values

#[omp::offload]
fn fill(d: usize, y: &mut [u32], value: u32) {
    #[omp::target(device(d))]
    for i in 0..y.len() {
        y[i] = value + i as u32;
    }
}

#[omp::offload]
fn begins_without_values(d: usize, out: &mut [u32], scratch: &mut [u32], parts: usize) -> (u64, u64) {
    let mut all = (0, 0);
    let n = out.len();
    #[omp::target_data(device(d), map(from: out), map(alloc: scratch))]
    {
        let mut add = || {
            let (to, from) = moved();
            all = (all.0 + to, all.1 + from);
        };
        fill(d, scratch, 7);
        add();
        // Row by row, each of them wholly overwritten.
        for k in 0..parts {
            fill(d, &mut out[k * n / parts..(k + 1) * n / parts], k as u32);
            add();
        }
        #[omp::target(device(d))]
        for i in 0..n {
            out[i] += scratch[i];
        }
        add();
    }
    all
}

#[omp::offload]
fn keeps_what_is_unwritten(d: usize, out: &mut [u32], k: usize) {
    #[omp::target_data(device(d), map(from: out))]
    {
        #[omp::target(device(d))]
        for i in 0..k {
            out[2 * i] = 1;
        }
    }
}

#[omp::offload]
fn alloc_is_as_the_host_has_it(d: usize, x: &mut [u32], y: &mut [u32]) {
    #[omp::target_data(device(d), map(alloc: x), map(from: y))]
    {
        #[omp::target(device(d))]
        for i in 0..y.len() {
            y[i] = x[i];
        }
    }
}

#[omp::offload]
fn nothing_runs(d: usize, y: &mut [u32]) {
    #[omp::target_data(device(d), map(from: y))]
    {
        // The host's copy is the user's own.
        for v in y.iter_mut() {
            *v += 1;
        }
    }
}

#[test]
fn data_regions_begin_without_values_where_nobody_can_tell() {
    on_every_device(|d| {
        for (n, parts) in [(8usize, 4usize), (1, 1), (1000, 10), (0, 1)] {
            let (mut out, mut scratch) = (vec![9u32; n], vec![3u32; n]);
            let all = begins_without_values(d, &mut out, &mut scratch, parts);
            if apart(d) {
                assert_eq!(all, (0, 0), "{n} in {parts} parts on device {d}");
            }
            for i in 0..n {
                let (row, at) = (i * parts / n, i % (n / parts));
                assert_eq!(out[i] as usize, row + at + 7 + i, "element {i} of {n} on device {d}");
            }
        }
        let mut out: Vec<u32> = (100..120).collect();
        keeps_what_is_unwritten(d, &mut out, 5);
        let want: Vec<u32> = (0..20).map(|i| if i < 10 && i % 2 == 0 { 1 } else { 100 + i }).collect();
        assert_eq!(out, want, "device {d}");
        let (mut x, mut y) = ((0..9).collect::<Vec<u32>>(), vec![0; 9]);
        alloc_is_as_the_host_has_it(d, &mut x, &mut y);
        assert_eq!(x, y, "device {d}");
        nothing_runs(d, &mut y);
        assert!(y.iter().zip(&x).all(|(y, x)| *y == x + 1), "device {d}");
    });
}

#[omp::offload]
fn permuted(d: usize, p: &[u32], y: &mut [u32]) {
    #[omp::target(device(d), map(to: p), map(from: y), disjoint(y))]
    for i in 0..p.len() {
        y[p[i] as usize] = i as u32;
    }
}

#[test]
fn what_a_permutation_overwrites_is_not_copied_before() {
    on_every_device(|d| {
        for (n, more) in [(1usize, 0usize), (1000, 0), (1000, 3), (999, 1)] {
            let p: Vec<u32> = (0..n).map(|i| ((i * 7 + 3) % n) as u32).collect();
            let mut y = vec![77; n + more];
            permuted(d, &p, &mut y);
            if apart(d) {
                let before = if more == 0 { 0 } else { n + more };
                assert_eq!(moved(), (4 * (n + before) as u64, 4 * (n + more) as u64), "{n} on device {d}");
            }
            for i in 0..n {
                assert_eq!(y[p[i] as usize], i as u32, "element {i} of {n} on device {d}");
            }
            assert!(y[n..].iter().all(|v| *v == 77), "device {d}");
        }
    });
}

#[omp::offload]
fn through_a_device_pointer(d: usize, x: &[u32], y: &mut [u32]) {
    #[omp::target_data(device(d), map(alloc: x), map(from: y))]
    {
        #[omp::target_data(device(d), use_device_ptr(x, y))]
        {
            #[omp::target(device(d), is_device_ptr(x, y))]
            for i in 0..y.len() {
                y[i] = x[i] + 1;
            }
        }
    }
}

#[test]
fn device_pointers_have_values() {
    on_every_device(|d| {
        let (x, mut y) = ((0..9).collect::<Vec<u32>>(), vec![0; 9]);
        through_a_device_pointer(d, &x, &mut y);
        assert!(y.iter().zip(&x).all(|(y, x)| *y == x + 1), "device {d}: {y:?}");
    });
}

#[omp::declare_target]
fn total(of: &[f32]) -> f32 {
    let mut sum = 0.0;
    for v in of {
        sum += v;
    }
    sum
}

#[omp::declare_target]
fn outer_two(of: &[f32; 4]) -> f32 {
    of[0] + of[3]
}

#[omp::declare_target]
fn raise(of: &mut [f32]) {
    for v in of.iter_mut() {
        *v += 1.0;
    }
}

#[omp::offload]
fn handed_on(d: usize, how: usize, n: usize, x: &mut [f32; 4], y: &mut [f32]) {
    match how {
        0 =>
        {
            #[omp::target(device(d), map(to: x[..n]))]
            for i in 0..y.len() {
                y[i] = total(x);
            }
        }
        1 =>
        {
            #[omp::target(device(d), map(to: x[..n]))]
            for i in 0..y.len() {
                y[i] = outer_two(x);
            }
        }
        2 =>
        {
            #[omp::target(device(d), map(to: x[..n]))]
            for i in 0..y.len() {
                y[i] = total(&x[..]);
            }
        }
        3 =>
        {
            #[omp::target(device(d), map(to: x[..n]))]
            for i in 0..y.len() {
                let all = &x[0..];
                y[i] = all[3];
            }
        }
        _ =>
        {
            #[omp::target(device(d), map(tofrom: x[..n]))]
            for _ in 0..1 {
                raise(&mut x[..]);
            }
        }
    }
}

/// What a section leaves out is not on the device: a whole array that is handed on is more than its section.
#[test]
fn whole_arrays_are_held_to_their_sections() {
    on_every_device(|d| {
        for how in 0..5 {
            let (mut x, mut y) = ([1.0, 2.0, 3.0, 4.0], [0.0; 3]);
            handed_on(d, how, 4, &mut x, &mut y);
            assert_eq!((x[3], y[2]), [(4.0, 10.0), (4.0, 5.0), (4.0, 10.0), (4.0, 4.0), (5.0, 0.0)][how]);
            if apart(d) {
                let failed = catch_unwind(AssertUnwindSafe(|| handed_on(d, how, 2, &mut x, &mut y)));
                let payload = failed.expect_err("element 2 is not there");
                let text = payload.downcast_ref::<String>().expect("a text");
                assert!(text.contains("the section of `") && text.contains("no element 2"), "{how}: {text}");
            }
        }
        handed_on(d, 0, 4, &mut [0.0; 4], &mut [0.0; 1]);
    });
}

/// Elements of no bytes: any number of them, at one address.
#[omp::offload]
fn without_bytes(d: usize, x: &[[u32; 0]], y: &mut [[u32; 0]], z: &mut [u32], n: usize) {
    omp::target_enter_data!(map(to: x), device(d));
    #[omp::target_data(map(to: x), map(tofrom: y, z), device(d))]
    {
        #[omp::target(device(d))]
        for i in 0..z.len() {
            z[i] += 1;
        }
        omp::target_update!(from(y), device(d));
    }
    #[omp::target(device(d))]
    for i in 0..n {
        y[i] = x[i];
    }
    omp::target_exit_data!(map(delete: x), device(d));
}

#[test]
fn elements_without_bytes_need_no_memory() {
    for d in 0..=omp::get_num_devices() {
        let (x, mut y, mut z) = (vec![[]; usize::MAX], vec![[]; usize::MAX - 1], vec![1; 100]);
        without_bytes(d, &x, &mut y, &mut z, 100);
        assert_eq!(z, [2; 100], "device {d}");
        without_bytes(d, &x[5..], &mut y[usize::MAX - 6..], &mut z, 5);
        let beyond = AssertUnwindSafe(|| without_bytes(d, &x, &mut y[usize::MAX - 6..], &mut z, 6));
        assert!(catch_unwind(beyond).is_err(), "device {d}");
    }
}
