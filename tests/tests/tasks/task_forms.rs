//! Tasks in the forms that programs give them: tokens in `depend`, groups in groups, conditions, generic methods, thousands in
//! a loop, updates, errors and what comes after them, control flow, callees on present data.
#![allow(
    clippy::needless_range_loop,
    clippy::cast_lossless,
    clippy::collapsible_match,
    clippy::redundant_closure_for_method_calls,
    reason = "every spelling that users may choose"
)]
use omp_tests::{on_every_device, panic_text};
use std::panic::{AssertUnwindSafe, catch_unwind};

#[omp::offload]
fn apart(d: usize) -> bool {
    let mut host = [1u32];
    #[omp::target(map(from: host), device(d))]
    for i in 0..1 {
        host[i] = omp::is_initial_device() as u32;
    }
    host[0] == 0
}

// Tokens.
#[omp::offload]
fn tokens(d: usize, x: &mut [u32], y: &mut [u32]) -> usize {
    let token = 0u8;
    let mut other = [0u8; 4];
    #[omp::target(nowait, device(d), depend(out: token))]
    for i in 0..x.len() {
        x[i] += 1;
    }
    #[omp::target(nowait, device(d), depend(in: token), depend(out: other[1..3]))]
    for i in 0..y.len() {
        y[i] = 3;
    }
    omp::taskwait!(depend(in: token));
    omp::taskwait!(depend(in: other[2..4]));
    other[0] += token;
    x.iter().filter(|v| **v > 0).count() + y.len() + other[0] as usize
}
#[test]
fn tokens_are_waited_for() {
    on_every_device(|d| {
        for n in [0, 1, 5, 300] {
            let (mut x, mut y) = (vec![0; n], vec![0; n]);
            assert_eq!(tokens(d, &mut x, &mut y), 2 * n);
            assert!(x.iter().all(|v| *v == 1) && y.iter().all(|v| *v == 3));
        }
    });
}

// Nested groups.
#[omp::offload]
fn groups(d: usize, x: &mut [i64], y: &mut [i64], z: &mut [i64], bad: usize) -> i64 {
    let n = x.len();
    #[omp::target(nowait, device(d))]
    for i in 0..n {
        z[i] = -1;
    }
    #[omp::taskgroup]
    {
        #[omp::target(nowait, device(d))]
        for i in 0..n {
            x[i] += 1;
        }
        #[omp::taskgroup]
        {
            for k in 0..3i64 {
                #[omp::target(nowait, device(d))]
                for i in 0..n {
                    assert!(i != bad, "bad one");
                    y[i] += x[i] * k;
                }
            }
        }
        #[omp::target(nowait, device(d))]
        for i in 0..n {
            x[i] += y[i];
        }
    }
    let s: i64 = x.iter().sum();
    #[omp::target(nowait, device(d))]
    for i in 0..n {
        z[i] += x[i];
    }
    omp::taskwait!();
    s + z.iter().sum::<i64>()
}
#[test]
fn groups_in_groups_have_their_serial_meaning() {
    on_every_device(|d| {
        for n in [0usize, 1, 2, 77, 1000] {
            let (mut x, mut y, mut z): (Vec<i64>, Vec<i64>, Vec<i64>) =
                ((0..n as i64).collect(), vec![1; n], vec![7; n]);
            let got = groups(d, &mut x, &mut y, &mut z, usize::MAX);
            let mut want = 0;
            for i in 0..n {
                let a = i as i64 + 1;
                let b = 1 + 3 * a;
                assert_eq!((x[i], y[i], z[i]), (a + b, b, a + b - 1), "{d} {n} {i}");
                want += x[i] + z[i];
            }
            assert_eq!(got, want);
            if n > 2 {
                let r = catch_unwind(AssertUnwindSafe(|| groups(d, &mut x, &mut y, &mut z, 2)));
                let payload = r.expect_err("fails");
                let t = panic_text(&*payload);
                assert!(t.contains("bad one") && t.contains("task_forms.rs"), "{d}: {t}");
                // goes on
                let (mut x, mut y, mut z): (Vec<i64>, Vec<i64>, Vec<i64>) =
                    ((0..n as i64).collect(), vec![1; n], vec![7; n]);
                groups(d, &mut x, &mut y, &mut z, usize::MAX);
            }
        }
    });
}

// If false mixes host and device on the same data.
#[omp::offload]
fn mixed(d: usize, x: &mut [u64], y: &mut [u64], rounds: u64) -> u64 {
    let n = x.len();
    for k in 0..rounds {
        #[omp::target(nowait, device(d), if(k % 3 != 1))]
        for i in 0..n {
            x[i] = x[i] * 3 + k;
        }
        #[omp::target(nowait, device(d), if(k % 2 == 0))]
        for i in 0..n {
            y[i] += x[n - 1 - i];
        }
        #[omp::target(nowait, device(omp::get_initial_device()))]
        for i in 0..n {
            y[i] ^= 1;
        }
    }
    let s = y.iter().copied().fold(0u64, u64::wrapping_add);
    s
}
#[test]
fn host_and_device_on_the_same_data() {
    on_every_device(|d| {
        for n in [0usize, 1, 2, 77, 1000] {
            let (mut x, mut y): (Vec<u64>, Vec<u64>) = ((0..n as u64).collect(), vec![1; n]);
            let (mut a, mut b) = (x.clone(), y.clone());
            for k in 0..8 {
                for i in 0..n {
                    a[i] = a[i] * 3 + k;
                }
                for i in 0..n {
                    b[i] += a[n - 1 - i];
                    b[i] ^= 1;
                }
            }
            let got = mixed(d, &mut x, &mut y, 8);
            assert_eq!((x, got), (a, b.iter().copied().fold(0u64, u64::wrapping_add)));
            assert_eq!(y, b);
        }
    });
}

// Generic, const generic, trait methods, nested fields.
trait Relax<T> {
    fn relax(&mut self, d: usize, k: T) -> T;
}
struct Inner<T, const N: usize> {
    rows: Vec<[T; N]>,
    sum: T,
}
struct Outer<T, const N: usize> {
    inner: Inner<T, N>,
    scale: T,
    flat: Box<[T]>,
}
#[omp::offload]
impl<
    T: omp::Device + std::ops::Add<Output = T> + std::ops::Mul<Output = T> + std::ops::AddAssign,
    const N: usize,
> Relax<T> for Outer<T, N>
{
    fn relax(&mut self, d: usize, k: T) -> T {
        let n = self.inner.rows.len();
        #[omp::target(nowait, device(d), depend(inout: self.inner.rows))]
        for i in 0..n {
            for j in 0..N {
                self.inner.rows[i][j] = self.inner.rows[i][j] * self.scale + k;
            }
        }
        #[omp::target(nowait, device(d), depend(in: self.inner.rows), depend(out: self.flat))]
        for i in 0..n {
            self.flat[i] = self.inner.rows[i][N - 1];
        }
        let mut first = self.inner.sum;
        for i in 0..n {
            first += self.flat[i];
        }
        omp::taskwait!(depend(in: self.flat));
        first
    }
}
#[test]
fn generic_methods() {
    on_every_device(|d| {
        for n in [0usize, 1, 9, 300] {
            let mut o = Outer::<i32, 3> {
                inner: Inner { rows: vec![[1, 2, 3]; n], sum: 4 },
                scale: 2,
                flat: vec![0; n].into(),
            };
            assert_eq!(o.relax(d, 1), 4 + 7 * n as i32);
            assert_eq!(o.inner.rows, vec![[3, 5, 7]; n]);
            let mut o = Outer::<u64, 1> {
                inner: Inner { rows: vec![[1]; n], sum: 4 },
                scale: 2,
                flat: vec![0; n].into(),
            };
            assert_eq!(o.relax(d, 1), 4 + 3 * n as u64);
        }
    });
}

// Thousands in loops over sections.
#[omp::offload]
fn many(d: usize, y: &mut [u32], block: usize, rounds: u32) {
    let n = y.len();
    #[omp::target_data(map(tofrom: y), device(d))]
    for r in 0..rounds {
        for b in 0..n.div_ceil(block) {
            let (lo, hi) = (b * block, (b * block + block).min(n));
            #[omp::target(nowait, device(d), depend(inout: y[lo..hi]))]
            for i in lo..hi {
                y[i] = y[i].wrapping_mul(31).wrapping_add(r);
            }
        }
    }
}
#[omp::offload]
fn many_without(d: usize, y: &mut [u32], block: usize, rounds: u32) {
    let n = y.len();
    for r in 0..rounds {
        for b in 0..n.div_ceil(block) {
            let (lo, hi) = (b * block, (b * block + block).min(n));
            #[omp::target(nowait, device(d), map(tofrom: y[lo..hi]))]
            for i in lo..hi {
                y[i] = y[i].wrapping_mul(31).wrapping_add(r);
            }
        }
    }
}
#[test]
fn thousands_of_sections() {
    on_every_device(|d| {
        for (n, block, rounds) in [(0usize, 3usize, 5u32), (1, 1, 1000), (64, 7, 100), (300, 1, 4)] {
            for (w, f) in [many as fn(usize, &mut [u32], usize, u32), many_without].into_iter().enumerate() {
                let mut y: Vec<u32> = (0..n as u32).collect();
                f(d, &mut y, block, rounds);
                for i in 0..n {
                    assert_eq!(
                        y[i],
                        (0..rounds).fold(i as u32, |v, r| v.wrapping_mul(31).wrapping_add(r)),
                        "{d} {i} of {n}, {block}, form {w}"
                    );
                }
            }
        }
    });
}

// Update tasks.
#[omp::offload]
fn updates(d: usize, x: &mut [u32], y: &mut [u32]) -> (u32, u32, u32) {
    let n = x.len();
    let mut seen = (0, 0, 0);
    #[omp::target_data(map(tofrom: x), map(alloc: y), device(d))]
    {
        omp::target_update!(to(y[..n / 2]), nowait, device(d), depend(out: y[..n / 2]));
        #[omp::target(nowait, device(d), depend(inout: x), depend(in: y[..n / 2]))]
        for i in 0..n / 2 {
            x[i] += y[i];
        }
        omp::target_update!(from(x[n / 4..n / 2]), nowait, device(d), depend(in: x[n / 4..n / 2]));
        if n > 3 {
            seen.0 = x[n / 4];
        }
        // host changes its copy, then sends it
        for i in 0..n {
            x[i] = 5;
        }
        omp::target_update!(to(x), nowait, device(d));
        #[omp::target(nowait, device(d))]
        for i in 0..n {
            x[i] += 1;
        }
        omp::target_update!(from(x), nowait, device(d));
        seen.1 = x.iter().sum();
        omp::target_update!(from(x[0..0]), nowait, device(d));
        omp::taskwait!();
        seen.2 = x.len() as u32;
        #[omp::target(nowait, device(d))]
        for i in 0..n {
            x[i] = 77;
            y[i] = 9;
        }
    }
    seen
}
#[test]
fn updates_in_the_order_of_the_program() {
    on_every_device(|d| {
        for n in [0usize, 1, 4, 5, 300] {
            let (mut x, mut y): (Vec<u32>, Vec<u32>) = ((0..n as u32).collect(), vec![10; n]);
            let got = updates(d, &mut x, &mut y);
            assert_eq!(got, (if n > 3 { n as u32 / 4 + 10 } else { 0 }, 6 * n as u32, n as u32), "{d} {n}");
            assert_eq!(x, vec![77; n]);
            assert_eq!(y, vec![if apart(d) { 10 } else { 9 }; n]);
        }
    });
}

// Errors: second use after an error, in a data region, under try.
#[omp::offload(try)]
fn failing(d: usize, x: &mut [u32], y: &mut [u32], at: usize, how: u32) -> Result<u32, omp::Error> {
    let n = x.len();
    #[omp::target(nowait, device(d))]
    for i in 0..n {
        assert!(i != at, "no {i}");
        x[i] += 1;
    }
    #[omp::target(nowait, device(d))]
    for i in 0..n {
        y[i] = x[i];
    }
    match how {
        0 => omp::taskwait!(),
        1 => omp::taskwait!(depend(in: x)),
        2 => omp::taskwait!(depend(in: y)),
        3 => return Ok(y.len() as u32),
        4 => {
            let v = y[0];
            return Ok(v);
        }
        5 =>
        {
            #[omp::target(device(d))]
            for i in 0..n {
                y[i] += 1;
            }
        }
        6 => {
            #[omp::target_data(map(to: y), device(d))]
            {}
        }
        _ => {}
    }
    Ok(1)
}
#[test]
fn errors_and_what_comes_after_them() {
    on_every_device(|d| {
        for how in 0..8 {
            let (mut x, mut y) = (vec![1u32; 10], vec![5u32; 10]);
            let e = failing(d, &mut x, &mut y, 4, how).expect_err("fails");
            let t = e.to_string();
            assert!(t.contains("no 4") && t.contains("task_forms.rs"), "{how}: {t}");
            assert_eq!(y, vec![5; 10], "{d} {how}");
            x = vec![1; 10];
            failing(d, &mut x, &mut y, 40, how).expect("well");
            assert_eq!(x, vec![2; 10]);
        }
    });
}

// Ways in control flow.
#[omp::offload]
fn flow(d: usize, x: &mut Vec<u32>, o: Option<u32>) -> Option<u32> {
    let n = x.len();
    let r = loop {
        if let Some(k) = o {
            #[omp::target(nowait, device(d))]
            for i in 0..n {
                x[i] += k;
            }
            match k {
                0 => {
                    #[omp::target(nowait, device(d))]
                    for i in 0..n {
                        x[i] *= 2;
                    }
                    break 0;
                }
                1 => {
                    if n > 0 {
                        x[0] = 100;
                    }
                }
                _ => {}
            }
        }
        o?;
        if n > 0 && x[0] > 50 {
            break x[0];
        }
        if n == 0 {
            break 3;
        }
        let last = n - 1;
        x[last] += 1;
    };
    omp::taskwait!();
    x.push(r);
    Some(r)
}
#[test]
fn control_flow() {
    on_every_device(|d| {
        for n in [0usize, 1, 5] {
            for o in [None, Some(0), Some(1), Some(20)] {
                let plain = |x: &mut Vec<u32>| -> Option<u32> {
                    let n = x.len();
                    let r = loop {
                        if let Some(k) = o {
                            for i in 0..n {
                                x[i] += k;
                            }
                            match k {
                                0 => {
                                    for i in 0..n {
                                        x[i] *= 2;
                                    }
                                    break 0;
                                }
                                1 => {
                                    if n > 0 {
                                        x[0] = 100;
                                    }
                                }
                                _ => {}
                            }
                        }
                        o?;
                        if n > 0 && x[0] > 50 {
                            break x[0];
                        }
                        if n == 0 {
                            break 3;
                        }
                        let last = n - 1;
                        x[last] += 1;
                    };
                    x.push(r);
                    Some(r)
                };
                let mut a: Vec<u32> = (0..n as u32).collect();
                let mut b = a.clone();
                assert_eq!(flow(d, &mut a, o), plain(&mut b), "{d} {n} {o:?}");
                assert_eq!(a, b);
            }
        }
    });
}

// Tasks in a callee on data present by the caller.
#[omp::offload]
fn callee(d: usize, x: &mut [f64], k: f64) {
    let (a, b) = x.split_at_mut(x.len() / 2);
    #[omp::target(nowait, device(d))]
    for i in 0..a.len() {
        a[i] *= k;
    }
    #[omp::target(nowait, device(d))]
    for i in 0..b.len() {
        b[i] += k;
    }
}
#[omp::offload]
fn caller(d: usize, x: &mut [f64]) -> (f64, u64) {
    let mut bytes = 0;
    #[omp::target_data(map(tofrom: x), device(d))]
    {
        for k in 0..4 {
            callee(d, x, k as f64 + 1.0);
            bytes += omp::last_region().bytes_to_device + omp::last_region().bytes_from_device;
        }
        omp::target_update!(from(x), device(d));
    }
    (x.iter().sum(), bytes)
}
#[test]
fn callees_on_present_data() {
    on_every_device(|d| {
        for n in [2usize, 3, 300] {
            let mut x = vec![1.0; n];
            let (s, bytes) = caller(d, &mut x);
            assert_eq!(s, 24.0 * (n / 2) as f64 + 11.0 * (n - n / 2) as f64, "{d}");
            assert_eq!(bytes, 0);
        }
    });
}

// Panic of the user's while tasks are under way, in a data region.
#[omp::offload]
fn panics(d: usize, x: &mut [u32], how: u32) {
    let n = x.len();
    #[omp::target(nowait, device(d))]
    for i in 0..n {
        x[i] += 1;
    }
    if how == 0 {
        panic!("first");
    }
    omp::taskwait!();
    #[omp::target_data(map(tofrom: x), device(d))]
    {
        #[omp::target(nowait, device(d))]
        for i in 0..n {
            x[i] += 10;
        }
        if how == 1 {
            panic!("second");
        }
        #[omp::taskgroup]
        {
            #[omp::target(nowait, device(d))]
            for i in 0..n {
                x[i] += 100;
            }
            if how == 2 {
                panic!("third");
            }
        }
    }
}
#[test]
fn panics_of_the_function_itself() {
    on_every_device(|d| {
        for n in [1usize, 300] {
            for how in 0..4 {
                let mut x = vec![0u32; n];
                let r = catch_unwind(AssertUnwindSafe(|| panics(d, &mut x, how)));
                if how < 3 {
                    assert_eq!(
                        panic_text(&*r.expect_err("panics")),
                        ["first", "second", "third"][how as usize]
                    );
                } else {
                    r.expect("well");
                }
                let a = apart(d);
                let want = match (how, a) {
                    (0, _) => 1,
                    (1, true) | (2, true) => 1,
                    (1, false) => 11,
                    _ => 111,
                };
                assert_eq!(x, vec![want; n], "{d} {how}");
                if a && d == omp::get_default_device() {
                    assert!(!omp::target_is_present(&x));
                }
            }
        }
    });
}

// Reads in all forms.
#[omp::offload]
fn reads(d: usize, v: &mut Vec<u32>, out: &mut Vec<String>) {
    let n = v.len();
    for k in 0..3u32 {
        #[omp::target(nowait, device(d))]
        for i in 0..n {
            v[i] += k + 1;
        }
        out.push(format!("{:?} {:?}", &v[..], v.first()));
        for x in v.iter_mut() {
            *x += 1;
        }
        #[omp::target(nowait, device(d))]
        for i in 0..n {
            v[i] *= 2;
        }
        let [.., last] = v[..] else { continue };
        out.push(format!("{last}"));
        v.sort();
        v.reverse();
        if let Some(x) = v.last_mut() {
            *x += 1;
        }
        out.push(v.iter().map(|x| x.to_string()).collect::<Vec<_>>().join(","));
        out.push(format!("{}", v.contains(&7)));
    }
}
#[test]
fn host_reads_in_all_forms() {
    on_every_device(|d| {
        for n in [0usize, 1, 4] {
            let mut v: Vec<u32> = (0..n as u32).collect();
            let mut w = v.clone();
            let (mut out, mut want) = (vec![], vec![]);
            reads(d, &mut v, &mut out);
            for k in 0..3u32 {
                for i in 0..n {
                    w[i] += k + 1;
                }
                want.push(format!("{:?} {:?}", &w[..], w.first()));
                for x in &mut w {
                    *x += 1;
                }
                for i in 0..n {
                    w[i] *= 2;
                }
                let [.., last] = w[..] else { continue };
                want.push(format!("{last}"));
                w.sort();
                w.reverse();
                if let Some(x) = w.last_mut() {
                    *x += 1;
                }
                want.push(w.iter().map(|x| x.to_string()).collect::<Vec<_>>().join(","));
                want.push(format!("{}", w.contains(&7)));
            }
            assert_eq!(out, want);
            assert_eq!(v, w);
        }
    });
}

// References that come to refer to something else.
#[omp::offload]
fn goes_on(d: usize, rows: &[Vec<u32>], x: &[u32], y: &mut [u32]) -> u32 {
    let (n, mut row, mut left) = (y.len(), &rows[0], x);
    for k in 0..rows.len() {
        row = &rows[k];
        #[omp::target(nowait, device(d))]
        for i in 0..n {
            y[i] = 3 * y[i] + row[i];
        }
    }
    while left.len() >= n {
        #[omp::target(nowait, device(d))]
        for i in 0..n {
            y[i] = 5 * y[i] + left[i];
        }
        left = &left[n..];
    }
    row[0] + left.len() as u32
}

#[test]
fn what_is_read_may_be_another() {
    on_every_device(|d| {
        let rows: Vec<Vec<u32>> = (0..4u32).map(|k| (0..100).map(|i| 7 * i + k).collect()).collect();
        let x: Vec<u32> = (0..350).collect();
        let mut y = vec![1; 100];
        assert_eq!(goes_on(d, &rows, &x, &mut y), 3 + 50);
        for (i, v) in y.iter().enumerate() {
            let once = rows.iter().fold(1, |v, row| 3 * v + row[i]);
            assert_eq!(*v, (0..3).fold(once, |v, k| 5 * v + x[100 * k + i]));
        }
    });
}

/// What device memory should hold never came to be: who reads what was computed from it is told.
#[omp::offload]
fn through_device_memory(
    d: usize,
    a: &mut [i32],
    c: &mut [i32],
    between: &mut omp::DeviceSlice<i32>,
    seen: &mut Option<i32>,
) {
    #[omp::target(nowait, if(false), device(d))]
    for i in 0..a.len() {
        assert!(a[i] > 0, "not above zero");
        a[i] += 1;
    }
    #[omp::target(nowait, device(d), is_device_ptr(between))]
    for i in 0..a.len() {
        between[i] += a[i];
    }
    #[omp::target(nowait, device(d), is_device_ptr(between))]
    for i in 0..c.len() {
        c[i] += between[i];
    }
    *seen = Some(c[0]);
}

#[test]
fn failures_go_on_through_device_memory() {
    on_every_device(|d| {
        if d == omp::get_num_devices() {
            // Device memory is the host's there, and tasks on it run at their launch.
            return;
        }
        omp::set_default_device(d);
        let mut between = omp::DeviceSlice::from_host(&[5; 8]);
        let (mut a, mut c, mut seen) = (vec![1; 8], vec![2; 8], None);
        through_device_memory(d, &mut a, &mut c, &mut between, &mut seen);
        assert_eq!(seen.take(), Some(9), "device {d}");
        a[3] = -1;
        let run = || through_device_memory(d, &mut a, &mut c, &mut between, &mut seen);
        let failed = catch_unwind(AssertUnwindSafe(run));
        assert!(failed.is_err(), "device {d}");
        assert_eq!(seen, None, "device {d}");
    });
}
