//! Device memory that a failed task was to write: whoever uses it is told, and never gets what was there before.
use super::*;
use omp::{DeviceSlice, Error};

/// Another function's task on memory that this one's are to write.
#[omp::offload(try)]
fn elsewhere(from: &DeviceSlice<u32>, to: &mut DeviceSlice<u32>) -> Result<Vec<u32>, Error> {
    let n = to.len();
    #[omp::target(nowait, is_device_ptr(from, to))]
    for i in 0..n {
        to[i] = from[i] + 1;
    }
    to.try_to_host()
}

/// A task fails at element `at`, and the others need what it was to leave, one after the other: two loops, two blocks, a loop on the host's
/// data. `ended`: the first is over when the others are launched. Who looks then: gives whether there was a failure.
#[omp::offload(try)]
fn chain(
    [a, b, c, e]: [&mut DeviceSlice<u32>; 4],
    (y, z): (&mut [u32], &mut [u32]),
    (at, ended, look): (usize, bool, usize),
) -> Result<bool, Error> {
    let n = y.len();
    let mut total = 0;
    #[omp::target(nowait, is_device_ptr(a))]
    for i in 0..n {
        assert!(i != at, "element {i}");
        a[i] += z[i];
    }
    if ended {
        // Under `try` that tells of nothing.
        z[0] += 0;
    }
    #[omp::target(nowait, is_device_ptr(a, b))]
    for i in 0..n {
        b[i] = a[i];
    }
    #[omp::target(nowait, is_device_ptr(b, c))]
    {
        #[omp::parallel_for]
        for i in 0..n {
            c[i] = b[i];
        }
        #[omp::parallel_for]
        for i in 0..n {
            c[i] += 1;
        }
    }
    #[omp::target(nowait, is_device_ptr(c, e))]
    {
        let mut s = 0;
        #[omp::parallel_for(reduction(+: s))]
        for i in 0..n {
            s += c[i];
        }
        total += s;
        #[omp::parallel_for]
        for i in 0..n {
            e[i] = s + i as u32;
        }
    }
    #[omp::target(nowait, is_device_ptr(e))]
    for i in 0..n {
        y[i] = e[i];
    }
    let all = [&*a, &*b, &*c, &*e];
    let failed = match look {
        0..4 => all[look].try_to_host().is_err(),
        4..8 => elsewhere(&*all[look - 4], &mut DeviceSlice::alloc(n)).is_err(),
        8 => e.try_copy_from(&vec![1; n]).is_err(),
        9 => {
            // No task.
            #[omp::target(is_device_ptr(e))]
            for i in 0..n {
                e[i] = 1;
            }
            false
        }
        10 => y[0] > 0,
        _ => {
            omp::taskwait!();
            false
        }
    };
    if failed && look < 10 {
        // It is told once.
        omp::taskwait!();
    }
    assert!(!failed || look == 10 || total == 0, "it was left before");
    Ok(failed)
}

#[test]
fn chains_of_refusals() {
    on_every_device(|d| {
        omp::set_default_device(d);
        for n in [3usize, 5000] {
            for (look, ended) in (0..12).flat_map(|look| [(look, false), (look, true)]) {
                let new = |v: u32| DeviceSlice::from_host(&vec![v; n]);
                let (mut a, mut b, mut c, mut e) = (new(1), new(2), new(3), new(4));
                let (mut y, mut z) = (vec![0; n], vec![5; n]);
                let mut run =
                    |at| chain([&mut a, &mut b, &mut c, &mut e], (&mut y, &mut z), (at, ended, look));
                let seen = format!("{look}, {ended}, {n} on {d}");
                match run(1) {
                    Ok(failed) => assert!(failed && look < 9, "{seen}"),
                    Err(error) => {
                        assert!(look >= 9 && error.to_string().contains("element 1"), "{error}: {seen}");
                    }
                }
                assert!(run(n).is_ok_and(|failed| failed == (look == 10)), "{seen}");
                assert!(y[1] == y[0] + 1 && y[0] > 0, "{:?}: {seen}", &y[..2]);
            }
        }
    });
}

/// Without `try` it is a panic.
#[omp::offload]
fn unasked(a: &mut DeviceSlice<u32>, at: usize, copies: bool) -> u32 {
    let n = a.len();
    #[omp::target(nowait, is_device_ptr(a))]
    for i in 0..n {
        assert!(i != at, "element {i}");
        a[i] += 1;
    }
    if copies {
        a.copy_from(&vec![7; n]);
    }
    let value = a.slice(n - 1..).to_host()[0];
    assert!(at == n, "nobody sees a value: {value}");
    value
}

#[test]
fn reads_on_the_host_panic() {
    on_every_device(|d| {
        omp::set_default_device(d);
        for (n, copies) in [(1, false), (1, true), (400, false), (400, true)] {
            let mut a = DeviceSlice::from_host(&vec![4; n]);
            let run = || unasked(&mut a, n / 2, copies);
            let payload = catch_unwind(AssertUnwindSafe(run)).expect_err("it fails");
            assert!(panic_text(&*payload).contains(&format!("element {}", n / 2)), "{n} on {d}");
            a.copy_from(&vec![4; n]);
            assert_eq!(unasked(&mut a, n, copies), if copies { 7 } else { 5 });
        }
    });
}

/// A block that is refused, or left before its last loop; on a part, too.
#[omp::offload(try)]
fn blocks(
    a: &mut DeviceSlice<u32>,
    x: &mut [u32],
    at: usize,
    (before, part): (bool, bool),
) -> Result<bool, Error> {
    let n = x.len();
    let half = n / 2;
    if before {
        #[omp::target(nowait)]
        for i in 0..n {
            assert!(i != at, "element {i}");
            x[i] = 8;
        }
    }
    if part {
        let mut low = a.slice_mut(half..);
        #[omp::target(nowait, is_device_ptr(low))]
        {
            #[omp::parallel_for]
            for i in 0..n {
                assert!(i != at, "element {i}");
                x[i] = 8;
            }
            let first = x[0];
            #[omp::parallel_for]
            for i in 0..n - half {
                low[i] = first + x[i];
            }
        }
    } else {
        #[omp::target(nowait, is_device_ptr(a))]
        {
            #[omp::parallel_for]
            for i in 0..n {
                assert!(i != at, "element {i}");
                x[i] = 8;
            }
            let first = x[0];
            #[omp::parallel_for]
            for i in half..n {
                a[i] = first + x[i];
            }
        }
    }
    let seen = a.try_slice(n - 1..)?.try_to_host();
    omp::taskwait!();
    Ok(seen.map_or(true, |v| {
        assert_eq!(v, [16], "what the block leaves");
        false
    }))
}

#[test]
fn blocks_that_do_not_come_to_their_end() {
    on_every_device(|d| {
        omp::set_default_device(d);
        for n in [1usize, 2, 300] {
            for how in [(false, false), (false, true), (true, false), (true, true)] {
                let (mut a, mut x) = (DeviceSlice::from_host(&vec![3; n]), vec![1; n]);
                let seen = format!("{how:?}, {n} on {d}");
                let failed = blocks(&mut a, &mut x, n - 1, how);
                assert!(failed.as_ref().is_ok_and(|failed| *failed), "{failed:?}: {seen}");
                assert!(blocks(&mut a, &mut x, n, how).is_ok_and(|failed| !failed), "{seen}");
            }
        }
    });
}

/// Views of present data, and their array itself.
#[omp::offload(try)]
fn views(x: &mut [u32], y: &mut [u32], at: usize, how: usize) -> Result<u32, Error> {
    let n = x.len();
    #[omp::target_data(map(tofrom: x, y))]
    {
        #[omp::target_data(use_device_ptr(x))]
        {
            #[omp::target(nowait, is_device_ptr(x))]
            for i in 0..n {
                assert!(i != at, "element {i}");
                x[i] = 2;
            }
        }
        match how {
            0 =>
            {
                #[omp::target]
                for i in 0..n {
                    y[i] = x[i];
                }
            }
            1 => omp::target_update!(from(x)),
            _ => {}
        }
    }
    Ok(x[n - 1] + y[0])
}

#[test]
fn views_of_present_data() {
    on_every_device(|d| {
        omp::set_default_device(d);
        for (n, how) in [1usize, 300].into_iter().flat_map(|n| (0..3).map(move |how| (n, how))) {
            let (mut x, mut y) = (vec![1; n], vec![9; n]);
            let failed = views(&mut x, &mut y, n - 1, how);
            let text = failed.expect_err("it fails").to_string();
            assert!(text.contains(&format!("element {}", n - 1)), "{text}: {how}, {n} on {d}");
            if apart(d) {
                assert_eq!((x[n - 1], y[0]), (1, 9), "nothing came back: {how}, {n} on {d}");
            }
            views(&mut x, &mut y, n, how).expect("it ends well");
            assert_eq!((x[n - 1], y[0]), (2, if how == 0 { 2 } else { 9 }), "{how}, {n} on {d}");
        }
    });
}
