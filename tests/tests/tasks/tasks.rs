//! Tasks on every device, against plain Rust.
#![allow(clippy::needless_range_loop, reason = "every spelling that users may choose")]
#![allow(clippy::cast_lossless, reason = "bodies have `as`")]
use omp_tests::{on_every_device, panic_text};
use std::panic::{AssertUnwindSafe, catch_unwind};

const SIZES: [usize; 6] = [0, 1, 2, 33, 257, 1000];

// ---------------------------------------------------------------------------------------------- scalars

#[omp::offload]
fn sums(d: usize, x: &[i64]) -> (i64, i64, i64) {
    let mut total = 0;
    let mut most = i64::MIN;
    #[omp::target(nowait, device(d), reduction(+: total))]
    for i in 0..x.len() {
        total += x[i];
    }
    #[omp::target(nowait, device(d), reduction(max: most))]
    for i in 0..x.len() {
        most = most.max(x[i]);
    }
    // Reads wait, and so does a write.
    let early = total + 1;
    total *= 2;
    #[omp::target(nowait, device(d), reduction(+: total))]
    for i in 0..x.len() {
        total += 1;
    }
    omp::taskwait!();
    (early, total, most)
}

#[test]
fn reduced_scalars_are_guarded() {
    on_every_device(|d| {
        for n in SIZES {
            let x: Vec<i64> = (0..n as i64).map(|i| i * 7 % 13 - 5).collect();
            let sum: i64 = x.iter().sum();
            let most = x.iter().copied().max().unwrap_or(i64::MIN);
            assert_eq!(sums(d, &x), (sum + 1, 2 * sum + n as i64, most), "{n} on {d}");
        }
    });
}

struct Account {
    cells: Vec<u32>,
    total: u64,
    step: u32,
}

impl Account {
    #[omp::offload]
    fn run(&mut self, d: usize) -> u64 {
        let n = self.cells.len();
        #[omp::target(nowait, device(d))]
        for i in 0..n {
            self.cells[i] += self.step;
        }
        self.step = 1000;
        #[omp::target(nowait, device(d), reduction(+: self.total))]
        for i in 0..self.cells.len() {
            self.total += self.cells[i] as u64;
        }
        let seen = self.total;
        omp::taskwait!();
        seen + self.cells.len() as u64
    }
}

#[test]
fn fields_are_guarded_and_captured_scalars_taken_at_the_start() {
    on_every_device(|d| {
        for n in SIZES {
            let mut a = Account { cells: (0..n as u32).collect(), total: 5, step: 3 };
            let want: u64 = 5 + (0..n as u64).map(|i| i + 3).sum::<u64>();
            assert_eq!(a.run(d), want + n as u64, "{n} on {d}");
            assert_eq!((a.total, a.step), (want, 1000));
            assert!(a.cells.iter().zip(3..).all(|(c, w)| *c == w));
        }
    });
}

#[omp::offload]
fn last_one(d: usize, x: &[u32]) -> u32 {
    let mut last = 9;
    #[omp::target(nowait, device(d), lastprivate(last))]
    for i in 0..x.len() {
        last = x[i] + 1;
    }
    last += 1;
    omp::taskwait!();
    last
}

#[omp::offload]
fn counted(d: usize, x: &[u32]) -> u32 {
    let mut odd = 0u32;
    #[omp::target(nowait, device(d))]
    for i in 0..x.len() {
        if x[i] % 2 == 1 {
            #[omp::atomic]
            odd += 1;
        }
    }
    odd
}

struct Tally {
    odd: u32,
    last: u32,
}

impl Tally {
    /// Tasks on fields, one after the other.
    #[omp::offload]
    fn many(&mut self, d: usize, x: &[u32], rounds: u32) -> u32 {
        let mut before = 0;
        for k in 0..rounds {
            #[omp::target(nowait, device(d))]
            for i in 0..x.len() {
                if x[i] % 2 == 1 {
                    #[omp::atomic]
                    self.odd += 1;
                }
            }
            #[omp::target(nowait, device(d), lastprivate(self.last, before))]
            for i in 0..x.len() {
                before = x[i];
                self.last = x[i] * rounds + k;
            }
        }
        let seen = self.odd + self.last;
        assert!(x.last().is_none_or(|v| *v == before));
        seen
    }
}

#[test]
fn last_private_and_atomic_scalars() {
    on_every_device(|d| {
        for n in SIZES {
            let x: Vec<u32> = (0..n as u32).map(|i| i * 5).collect();
            assert_eq!(last_one(d, &x), x.last().map_or(10, |v| v + 2));
            assert_eq!(counted(d, &x), n as u32 / 2, "{n} on {d}");
            let mut tally = Tally { odd: 100, last: 7 };
            let total = tally.many(d, &x, 3);
            let odd = 100 + 3 * (n as u32 / 2);
            let last = x.last().map_or(7, |v| v * 3 + 2);
            assert_eq!((tally.odd, tally.last, total), (odd, last, odd + last), "{n} on {d}");
        }
    });
}

// ---------------------------------------------------------------------------------------------- host code

#[omp::offload]
fn host_forms(d: usize, y: &mut [u32]) -> u64 {
    let mut out = 0u64;
    #[omp::target(nowait, device(d))]
    for i in 0..y.len() {
        y[i] += 1;
    }
    if !y.is_empty() {
        y[y.len() - 1] += 10;
    }
    for v in &y {
        out += *v as u64;
    }
    #[omp::target(nowait, device(d))]
    for v in y.iter_mut() {
        *v *= 2;
    }
    for v in y.iter_mut() {
        *v += 1;
    }
    out += y.iter().map(|v| *v as u64).sum::<u64>();
    out += y.iter().enumerate().map(|(i, v)| (*v as u64) * (y[i] as u64 % 3)).sum::<u64>();
    {
        let y = 5u64;
        out += y;
    }
    if let Some(first) = y.first() {
        out += *first as u64;
    }
    let text = format!("{} {:?}", y.len(), y.first());
    out += text.len() as u64;
    y.swap(0.min(y.len().saturating_sub(1)), 0);
    out
}

fn host_forms_plainly(y: &mut [u32]) -> u64 {
    let mut out = 0u64;
    y.iter_mut().for_each(|v| *v += 1);
    if let Some(last) = y.last_mut() {
        *last += 10;
    }
    out += y.iter().map(|v| *v as u64).sum::<u64>();
    y.iter_mut().for_each(|v| *v = *v * 2 + 1);
    out += y.iter().map(|v| *v as u64).sum::<u64>();
    out += y.iter().map(|v| *v as u64 * (*v as u64 % 3)).sum::<u64>();
    out += 5;
    out += y.first().map_or(0, |v| *v as u64);
    out + format!("{} {:?}", y.len(), y.first()).len() as u64
}

#[test]
fn host_code_in_all_its_forms_waits() {
    on_every_device(|d| {
        for n in &SIZES[1..] {
            let mut y: Vec<u32> = (0..*n as u32).collect();
            let mut want = y.clone();
            assert_eq!(host_forms(d, &mut y), host_forms_plainly(&mut want), "{n} on {d}");
            assert_eq!(y, want);
        }
    });
}

/// What macros print of guarded data has the user's names.
#[omp::offload]
fn told(d: usize, y: &mut [u32], r#type: &mut [u32]) {
    #[omp::target(nowait, device(d))]
    for i in 0..y.len() {
        y[i] += 1;
    }
    omp::taskwait!();
    #[omp::target(nowait, device(d))]
    for i in 0..y.len() {
        y[i] += 1;
        r#type[i] += y[i];
    }
    assert!(r#type[0] == 2);
    assert!(y[0] == 3 && y.len() == 3);
}

#[test]
fn guarded_data_has_its_names_in_what_is_printed() {
    on_every_device(|d| {
        let told = || told(d, &mut [0; 3], &mut [0; 3]);
        let failed = std::panic::catch_unwind(told).expect_err("it is 2");
        let text = failed.downcast_ref::<&str>().copied();
        assert_eq!(text, Some("assertion failed: y[0] == 3 && y_len == 3"), "on {d}");
    });
}

#[omp::offload]
fn blocks<T: omp::Device + std::ops::Add<Output = T>>(d: usize, y: &mut Vec<T>, one: T) {
    for round in 0..3 {
        let extra = round % 2 == 1;
        if extra {
            #[omp::target(nowait, device(d))]
            for i in 0..y.len() {
                y[i] = y[i] + one;
            }
        }
        {
            let mut own = vec![one; y.len()];
            #[omp::target(nowait, device(d), depend(inout: own))]
            for i in 0..own.len() {
                own[i] = own[i] + y[i];
            }
            #[omp::target(nowait, device(d))]
            for i in 0..own.len() {
                y[i] = own[i] + y[i];
            }
            omp::taskwait!();
            own.push(one);
        }
    }
    omp::taskwait!();
    y.push(one);
}

#[test]
fn nested_blocks_and_generic_functions() {
    on_every_device(|d| {
        for n in SIZES {
            let mut y: Vec<i32> = (0..n as i32).collect();
            let mut want = y.clone();
            for round in 0..3 {
                for v in &mut want {
                    *v += round % 2;
                    *v = *v + 1 + *v;
                }
            }
            want.push(1);
            blocks(d, &mut y, 1);
            assert_eq!(y, want, "{n} on {d}");
        }
    });
}

#[omp::offload]
fn block_task(d: usize, x: &mut [i64], y: &mut [i64]) -> i64 {
    #[omp::target(nowait, device(d), depend(inout: x, y))]
    {
        #[omp::parallel_for]
        for i in 0..x.len() {
            x[i] += 3;
        }
        #[omp::parallel_for]
        for i in 0..y.len() {
            y[i] = 2 * x[i];
        }
    }
    let seen = y.iter().sum();
    omp::taskwait!();
    seen
}

#[test]
fn a_target_block_is_a_task() {
    on_every_device(|d| {
        for n in SIZES {
            let (mut x, mut y) = ((0..n as i64).collect::<Vec<_>>(), vec![0; n]);
            let want: Vec<i64> = (0..n as i64).map(|i| 2 * (i + 3)).collect();
            assert_eq!(block_task(d, &mut x, &mut y), want.iter().sum::<i64>());
            assert_eq!(y, want);
        }
    });
}

#[omp::offload]
fn scans(d: usize, x: &[u32], y: &mut [u32], z: &mut [u32]) -> u32 {
    let n = x.len();
    let mut s = 0u32;
    #[omp::scan(+, nowait, device(d))]
    for i in 1..n {
        y[i] = y[i - 1] + x[i];
    }
    #[omp::target(nowait, device(d), reduction(inscan, +: s))]
    for i in 0..n {
        s += y[i];
        omp::scan!(inclusive(s));
        z[i] = s;
    }
    omp::taskwait!(depend(in: s));
    s
}

#[test]
fn scans_are_tasks() {
    on_every_device(|d| {
        for n in [0, 1, 2, 300, 9000] {
            let (x, mut y, mut z) = (vec![1; n], vec![0; n], vec![0; n]);
            let got = scans(d, &x, &mut y, &mut z);
            assert!(y.iter().enumerate().all(|(i, v)| *v as usize == i), "{n} on {d}");
            assert_eq!(got, y.iter().sum::<u32>(), "{n} on {d}");
            assert_eq!(z.last().copied().unwrap_or(0), got, "{n} on {d}");
        }
    });
}

// ------------------------------------------------------------------------------ chains outside of data regions

#[omp::offload]
fn chain(d: usize, x: &mut [u64], y: &mut [u64], steps: u64) -> (u64, u64) {
    let n = x.len();
    for k in 0..steps {
        #[omp::target(nowait, device(d), depend(inout: x))]
        for i in 0..n {
            x[i] = x[i] * 3 + k;
        }
        // Reads what the one before leaves, and parts of what others left.
        #[omp::target(nowait, device(d), map(tofrom: y[n / 4..n]), map(to: x))]
        for i in n / 4..n {
            y[i] += x[n - 1 - i];
        }
        #[omp::target(nowait, device(d))]
        for i in 0..n / 2 {
            y[i] ^= x[i];
        }
    }
    let first = if n > 0 { y[0] } else { 0 };
    #[omp::target(nowait, device(d))]
    for i in 0..n {
        x[i] += 1;
    }
    #[omp::target(nowait, device(d))]
    for i in 0..n {
        x[i] += 1;
    }
    omp::taskwait!();
    (first, omp::last_region().bytes_to_device)
}

#[test]
fn values_are_handed_on_within_a_device() {
    on_every_device(|d| {
        for n in [0, 1, 2, 5, 77, 6000] {
            let (mut x, mut y): (Vec<u64>, Vec<u64>) = ((0..n as u64).collect(), vec![1; n]);
            let (mut a, mut b) = (x.clone(), y.clone());
            for k in 0..6 {
                a.iter_mut().for_each(|v| *v = *v * 3 + k);
                (n / 4..n).for_each(|i| b[i] += a[n - 1 - i]);
                (0..n / 2).for_each(|i| b[i] ^= a[i]);
            }
            let (first, bytes) = chain(d, &mut x, &mut y, 6);
            a.iter_mut().for_each(|v| *v += 2);
            assert_eq!((&x, &y, first), (&a, &b, b.first().copied().unwrap_or(0)), "{n} on {d}");
            assert_eq!(bytes, 0, "{n} on {d}: it goes to the device once");
        }
    });
}

#[omp::offload]
fn chain_fails(d: usize, x: &[u32], at: &[usize], y: &mut [u32], z: &mut [u32]) {
    let n = y.len();
    // Written whole, but it stops half-way.
    #[omp::target(nowait, device(d))]
    for i in 0..n {
        y[i] = x[at[i]];
    }
    #[omp::target(nowait, device(d))]
    for i in 0..n {
        y[i] = y[i] * 2 + 1;
    }
    #[omp::target(nowait, device(d))]
    for i in 0..n {
        z[i] += y[n - 1 - i];
    }
}

#[test]
fn what_follows_a_failed_task_brings_nothing_back() {
    on_every_device(|d| {
        let x: Vec<u32> = (0..50).collect();
        let mut at: Vec<usize> = (0..50).rev().collect();
        for bad in [true, false] {
            at[17] = if bad { 50 } else { 32 };
            let (mut y, mut z) = (vec![7; 50], vec![9; 50]);
            let result = catch_unwind(AssertUnwindSafe(|| chain_fails(d, &x, &at, &mut y, &mut z)));
            if bad {
                assert!(panic_text(&*result.expect_err("it fails")).contains("the index is 50"), "{d}");
                assert_eq!(z, [9; 50], "{d}");
            } else {
                result.expect("it runs");
                assert!((0..50).all(|i| y[i] as usize == (49 - i) * 2 + 1 && z[i] as usize == i * 2 + 10));
            }
        }
    });
}

// ---------------------------------------------------------------------------------------------- failures

#[omp::offload]
fn gather(d: usize, x: &[u32], at: &[usize], y: &mut [u32], z: &mut [u32], how: u32) -> u32 {
    let n = y.len();
    #[omp::target(nowait, device(d))]
    for i in 0..n {
        y[i] = x[at[i]];
    }
    // Needs what the first leaves.
    #[omp::target(nowait, device(d))]
    for i in 0..n {
        y[i] += 1;
    }
    #[omp::target(nowait, device(d))]
    for i in 0..n {
        z[i] = i as u32;
    }
    match how {
        0 => omp::taskwait!(),
        1 => omp::taskwait!(depend(in: z)),
        2 => return z[1],
        3 => return y[0],
        _ => {}
    }
    7
}

#[test]
fn failures_appear_where_somebody_waits() {
    on_every_device(|d| {
        let x: Vec<u32> = (0..10).collect();
        let mut at: Vec<usize> = (0..10).rev().collect();
        at[4] = 10;
        for how in 0..5 {
            let (mut y, mut z) = (vec![0; 10], vec![0; 10]);
            let result = catch_unwind(AssertUnwindSafe(|| gather(d, &x, &at, &mut y, &mut z, how)));
            let panic = result.expect_err("it fails");
            let text = panic_text(&*panic);
            assert!(text.contains("tasks.rs") && text.contains("the index is 10"), "{how} on {d}: {text}");
            assert_eq!(z, (0..10).collect::<Vec<_>>(), "{how} on {d}");
        }
        at[4] = 5; // as it was
        let (mut y, mut z) = (vec![0; 10], vec![0; 10]);
        assert_eq!(gather(d, &x, &at, &mut y, &mut z, 4), 7);
        assert_eq!(y, [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    });
}

#[omp::offload(try)]
fn tried(d: usize, x: &[u32], at: &[usize], y: &mut [u32], how: u32) -> Result<u32, omp::Error> {
    #[omp::target_data(map(tofrom: y), device(d))]
    {
        #[omp::target(nowait, device(d))]
        for i in 0..y.len() {
            y[i] = x[at[i]];
        }
        if how == 1 {
            omp::taskwait!();
        }
        if how == 2 {
            return Ok(2);
        }
        if how == 3 {
            #[omp::taskgroup]
            {
                #[omp::target(nowait, device(d))]
                for i in 0..y.len() {
                    y[i] += 1;
                }
            }
        }
    }
    Ok(how)
}

#[test]
fn failures_are_errors_under_try() {
    on_every_device(|d| {
        let x: Vec<u32> = (0..10).collect();
        for bad in [true, false] {
            let mut at: Vec<usize> = (0..10).rev().collect();
            at[4] = if bad { 10 } else { 5 };
            for how in 0..4 {
                let mut y = vec![0; 10];
                let result = tried(d, &x, &at, &mut y, how);
                if bad {
                    let text = result.expect_err("it fails").to_string();
                    assert!(text.contains("the index is 10"), "{how} on {d}: {text}");
                } else {
                    assert_eq!(result.expect("it runs"), how);
                    assert_eq!(y[0], if how == 3 { 10 } else { 9 }, "{how} on {d}");
                }
            }
        }
    });
}

// ---------------------------------------------------------------------------------------------- guards inside

/// The usual double buffer: between the rounds the buffers are nobody's.
#[omp::offload]
fn double_buffer(d: usize, steps: usize, mut a: Vec<i64>, b: &mut Vec<i64>, most: i64) -> Vec<i64> {
    let n = a.len();
    for step in 0..steps {
        #[omp::target(nowait, device(d))]
        for i in 0..n {
            b[i] = a[i] + a[(i + 1) % n];
        }
        if step == 2 && most == 0 {
            break;
        }
        let mut sum = 0;
        #[omp::target(nowait, device(d), reduction(+: sum))]
        for i in 0..n {
            sum += a[i];
        }
        omp::taskwait!();
        std::mem::swap(&mut a, b);
        if sum > most {
            a.push(sum);
            b.push(0);
            break;
        }
    }
    a
}

#[omp::offload]
fn grouped(d: usize, steps: usize, a: &mut Vec<i64>, b: &mut Vec<i64>) {
    let mut left = steps;
    while left > 0 {
        #[omp::taskgroup]
        {
            #[omp::target(nowait, device(d))]
            for i in 0..a.len() {
                b[i] = a[i] + 1;
            }
        }
        std::mem::swap(a, b);
        b.reverse();
        left -= 1;
    }
    // These are the function's.
    #[omp::target(nowait, device(d))]
    for i in 0..a.len() {
        a[i] *= 2;
    }
}

#[test]
fn buffers_change_places_between_rounds() {
    on_every_device(|d| {
        for n in &SIZES[1..] {
            let most = 50 * *n as i64;
            let start: Vec<i64> = (0..*n as i64).map(|i| i % 5).collect();
            let (mut a, mut b) = (start.clone(), vec![0; *n]);
            let got = double_buffer(d, 6, start.clone(), &mut b, most);
            for _ in 0..6 {
                let sum: i64 = a.iter().sum();
                a = (0..*n).map(|i| a[i] + a[(i + 1) % n]).collect();
                if sum > most {
                    a.push(sum);
                    break;
                }
            }
            assert_eq!(got, a, "{n} on {d}");
            let mut b = vec![0; *n];
            assert_eq!(double_buffer(d, 6, vec![0; *n], &mut b, 0).len(), *n);
            let (mut a, mut b) = (start.clone(), vec![0; *n]);
            grouped(d, 3, &mut a, &mut b);
            let want: Vec<i64> = start.iter().map(|v| 2 * (v + 3)).collect();
            assert_eq!(a, want, "{n} on {d}");
        }
    });
}

// ---------------------------------------------------------------------------------------------- what `depend` names

/// Where the subscripts don't tell, what `depend` names is what a task touches: it is held to that.
#[omp::offload]
fn scattered(d: usize, at: &[usize], y: &mut [u32], half: usize) {
    let n = y.len();
    #[omp::target_data(map(tofrom: y), device(d))]
    {
        #[omp::target(nowait, device(d), depend(inout: y[..half]), disjoint(y))]
        for k in 0..half {
            y[at[k]] += 1;
        }
        #[omp::target(nowait, device(d), depend(inout: y[half..]), disjoint(y))]
        for k in half..n {
            y[at[k]] += 2;
        }
    }
}

/// The same, where each task has its data for itself.
#[omp::offload]
fn scattered_alone(d: usize, at: &[usize], y: &mut [u32], half: usize) {
    #[omp::target(nowait, device(d), depend(inout: y[..half]), disjoint(y))]
    for k in 0..half {
        y[at[k]] += 1;
    }
    #[omp::target(nowait, device(d), depend(inout: y[half..]), disjoint(y))]
    for k in half..at.len() {
        y[at[k]] += 2;
    }
}

/// What C programs write: the first element stands for all. The subscripts tell what is touched.
#[omp::offload]
fn first_element(d: usize, x: &[u32], y: &mut [u32]) {
    let n = y.len();
    #[omp::target(nowait, device(d), depend(out: y[0..1]))]
    for i in 0..n {
        y[i] = x[i] + 1;
    }
    #[omp::target(nowait, device(d), depend(inout: y[0..1]))]
    for i in 0..n {
        y[n - 1 - i] *= 2;
    }
}

#[test]
fn what_depend_names_is_held_to() {
    on_every_device(|d| {
        for f in [scattered, scattered_alone] {
            for n in [2usize, 9, 100] {
                let half = n / 2;
                let at: Vec<usize> = (0..half).rev().chain((half..n).rev()).collect();
                let mut y: Vec<u32> = (0..n as u32).collect();
                f(d, &at, &mut y, half);
                let want = |i: usize| i as u32 + if i < half { 1 } else { 2 };
                assert!((0..n).all(|i| y[i] == want(i)), "{n} on {d}: {y:?}");
            }
            // An element of the other task's.
            let mut y = vec![0; 10];
            let at = [0, 1, 7, 3, 4, 5, 6, 7, 8, 9];
            let result = catch_unwind(AssertUnwindSafe(|| f(d, &at, &mut y, 5)));
            let panic = result.expect_err("it leaves its section");
            let text = panic_text(&*panic);
            assert!(text.contains("section of `y`") && text.contains('7'), "on {d}: {text}");
        }
        let x: Vec<u32> = (0..50).collect();
        let mut y = vec![0; 50];
        first_element(d, &x, &mut y);
        assert!(y.iter().zip(&x).all(|(y, x)| *y == 2 * (x + 1)), "on {d}: {y:?}");
    });
}
