//! Random programs of functions that call each other on parts of their arrays: tasks of all kinds, nested data regions, unstructured data,
//! updates of sections, groups and blocks, on several threads at a time, with mistakes in the middle. Each against its serial meaning.
#![allow(clippy::needless_range_loop, reason = "every spelling that users may choose")]
use omp_tests::{Values, on_every_device};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a function does one after the other; sections are of the arrays that it is given.
#[derive(Debug, Clone)]
enum Step {
    /// A task of some kind on `lo..hi`.
    Task {
        kind: u32,
        lo: usize,
        hi: usize,
        k: i64,
    },
    /// The host changes an element, behind an update that brings it and before one that sends it.
    Host {
        at: usize,
        k: i64,
        waits: bool,
    },
    /// Tasks in a group.
    Group {
        lo: usize,
        hi: usize,
        k: i64,
    },
    /// A target block, as a task or not.
    Block {
        k: i64,
        nowait: bool,
    },
    Wait {
        kind: u32,
        lo: usize,
        hi: usize,
    },
    /// Another function on a section of both arrays, as it is, in a data region, or between `enter` and `exit`.
    Call {
        how: u32,
        lo: usize,
        hi: usize,
        steps: Vec<Step>,
    },
    /// A loop that fails.
    Fails {
        nowait: bool,
    },
}

const N: usize = 40;

fn section(v: &mut Values, n: usize) -> (usize, usize) {
    let (x, y) = (v.bits() as usize % (n + 1), v.bits() as usize % (n + 1));
    if v.bits().is_multiple_of(3) { (0, n) } else { (x.min(y), x.max(y)) }
}

fn program(v: &mut Values, n: usize, depth: u32, fails: bool) -> Vec<Step> {
    let count = 1 + v.bits() as usize % 7;
    (0..count)
        .map(|_| {
            let (lo, hi) = section(v, n);
            let k = i64::from(v.bits() % 100);
            match v.bits() % 16 {
                0..=5 => Step::Task { kind: v.bits() % 6, lo, hi, k },
                6 | 7 if n > 0 => {
                    Step::Host { at: v.bits() as usize % n, k, waits: v.bits().is_multiple_of(2) }
                }
                8 => Step::Group { lo, hi, k },
                9 => Step::Block { k, nowait: v.bits().is_multiple_of(2) },
                10 => Step::Wait { kind: v.bits() % 3, lo, hi },
                11..=14 if depth > 0 => {
                    Step::Call { how: v.bits() % 6, lo, hi, steps: program(v, hi - lo, depth - 1, fails) }
                }
                15 if fails && n > 0 => Step::Fails { nowait: v.bits().is_multiple_of(2) },
                _ => Step::Task { kind: v.bits() % 6, lo, hi, k },
            }
        })
        .collect()
}

/// `present`: the arrays stand on the device. Gives what it has summed up.
#[omp::offload]
fn run(d: usize, present: bool, steps: &[Step], a: &mut [i64], b: &mut [i64], c: &[i64]) -> i64 {
    let n = a.len();
    let mut sum = 0i64;
    for step in steps {
        match *step {
            Step::Task { kind, lo, hi, k } => {
                let there = present || k % 3 != 0;
                match kind {
                    0 =>
                    {
                        #[omp::target(nowait, device(d), if(there))]
                        for i in lo..hi {
                            a[i] = a[i].wrapping_mul(3).wrapping_add(k);
                        }
                    }
                    1 =>
                    {
                        #[omp::target(nowait, device(d), if(there), depend(in: a[lo..hi]), depend(out: b[lo..hi]))]
                        for i in lo..hi {
                            b[i] = a[i].wrapping_sub(c[i]) ^ k;
                        }
                    }
                    2 =>
                    {
                        #[omp::target(nowait, device(d), if(there), reduction(+: sum))]
                        for i in lo..hi {
                            sum = sum.wrapping_add(b[i]);
                        }
                    }
                    3 =>
                    {
                        #[omp::target(nowait, device(d), if(there))]
                        for i in lo..hi {
                            a[i] = a[i].wrapping_add(b[hi - 1 - (i - lo)]);
                        }
                    }
                    4 =>
                    {
                        #[omp::target(device(d), if(there))]
                        for i in lo..hi {
                            b[i] = b[i].wrapping_add(c[i]).wrapping_add(k);
                        }
                    }
                    _ => {
                        // It may stop half-way, as far as anybody knows.
                        #[omp::target(nowait, device(d), if(there))]
                        for i in lo..hi {
                            b[i] = c[(c[i] as usize + k as usize) % c.len()];
                        }
                    }
                }
            }
            Step::Host { at, k, waits } => {
                if present && waits {
                    omp::target_update!(from(a[at..at + 1]), device(d));
                    a[at] = a[at].wrapping_mul(k);
                    omp::target_update!(to(a[at..at + 1]), device(d));
                } else if present {
                    omp::target_update!(from(a[at..at + 1]), device(d), nowait);
                    a[at] = a[at].wrapping_mul(k);
                    omp::target_update!(to(a[at..at + 1]), device(d), nowait);
                } else {
                    a[at] = a[at].wrapping_mul(k);
                }
            }
            Step::Group { lo, hi, k } => {
                #[omp::taskgroup]
                {
                    #[omp::target(nowait, device(d))]
                    for i in lo..hi {
                        a[i] ^= k;
                    }
                    #[omp::target(nowait, device(d))]
                    for i in 0..n {
                        b[i] = b[i].wrapping_add(1);
                    }
                }
            }
            Step::Block { k, nowait } => {
                if nowait {
                    #[omp::target(nowait, map(tofrom: a, b), map(to: c), device(d))]
                    {
                        #[omp::parallel_for]
                        for i in 0..n {
                            a[i] = a[i].wrapping_add(b[i]);
                        }
                        let more = k + 1;
                        #[omp::parallel_for]
                        for i in 0..n {
                            b[i] = a[i].wrapping_add(more).wrapping_sub(c[i]);
                        }
                    }
                } else {
                    #[omp::target(map(tofrom: a, b), device(d))]
                    {
                        let first = if n > 0 { a[0] } else { 0 };
                        #[omp::parallel_for]
                        for i in 0..n {
                            b[i] = b[i].wrapping_add(first);
                        }
                    }
                }
            }
            Step::Wait { kind, lo, hi } => match kind {
                0 => omp::taskwait!(),
                1 => omp::taskwait!(depend(in: a[lo..hi])),
                _ => omp::taskwait!(depend(inout: b)),
            },
            Step::Call { how, lo, hi, ref steps } => {
                let (x, y, z) = (&mut a[lo..hi], &mut b[lo..hi], &c[lo..hi]);
                let more = match how {
                    0 | 1 => run(d, present, steps, x, y, z),
                    2 | 3 => in_region(d, how == 2, steps, x, y, z),
                    _ => entered(d, how == 4, steps, x, y, z),
                };
                sum = sum.wrapping_add(more);
            }
            Step::Fails { nowait } => {
                if nowait {
                    #[omp::target(nowait, device(d))]
                    for i in 0..n {
                        a[i] = c[c[i] as usize + n];
                    }
                } else {
                    #[omp::target(device(d))]
                    for i in 0..n {
                        b[i] = c[c[i] as usize + n];
                    }
                }
            }
        }
    }
    sum
}

#[omp::offload]
fn in_region(d: usize, twice: bool, steps: &[Step], a: &mut [i64], b: &mut [i64], c: &[i64]) -> i64 {
    let mut sum = 0;
    if twice {
        #[omp::target_data(map(tofrom: a), map(to: c), device(d))]
        {
            #[omp::target_data(map(tofrom: b), device(d))]
            {
                sum = run(d, true, steps, &mut a[..], &mut b[..], c);
            }
            // What another region has brought back the host has, or the outer data region's end brings.
            #[omp::target(nowait, map(tofrom: b), device(d))]
            for i in 0..a.len() {
                a[i] = a[i].wrapping_add(1);
            }
        }
    } else {
        #[omp::target_data(map(tofrom: a, b), device(d))]
        for _ in 0..2 {
            sum = run(d, true, steps, &mut a[..], &mut b[..], c).wrapping_add(sum);
        }
    }
    sum
}

#[omp::offload]
fn entered(d: usize, parts: bool, steps: &[Step], a: &mut [i64], b: &mut [i64], c: &[i64]) -> i64 {
    if parts {
        omp::target_enter_data!(map(to: a), device(d));
        omp::target_enter_data!(map(to: b, c), device(d));
    } else {
        omp::target_enter_data!(map(to: a, b, c), device(d));
    }
    let ran = catch_unwind(AssertUnwindSafe(|| run(d, true, steps, &mut *a, &mut *b, c)));
    if ran.is_err() {
        omp::target_exit_data!(map(release: a, b, c), device(d));
    } else if parts {
        omp::target_exit_data!(map(from: b), map(release: c), device(d));
        omp::target_exit_data!(map(from: a), device(d));
    } else {
        omp::target_exit_data!(map(from: a, b), map(release: c), device(d));
    }
    ran.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// What all that is worth without a directive.
fn plainly(steps: &[Step], a: &mut [i64], b: &mut [i64], c: &[i64]) -> i64 {
    let n = a.len();
    let mut sum = 0i64;
    for step in steps {
        match *step {
            Step::Task { kind, lo, hi, k } => {
                for i in lo..hi {
                    match kind {
                        0 => a[i] = a[i].wrapping_mul(3).wrapping_add(k),
                        1 => b[i] = a[i].wrapping_sub(c[i]) ^ k,
                        2 => sum = sum.wrapping_add(b[i]),
                        3 => a[i] = a[i].wrapping_add(b[hi - 1 - (i - lo)]),
                        4 => b[i] = b[i].wrapping_add(c[i]).wrapping_add(k),
                        _ => b[i] = c[(c[i] as usize + k as usize) % c.len()],
                    }
                }
            }
            Step::Host { at, k, .. } => a[at] = a[at].wrapping_mul(k),
            Step::Group { lo, hi, k } => {
                a[lo..hi].iter_mut().for_each(|v| *v ^= k);
                b.iter_mut().for_each(|v| *v = v.wrapping_add(1));
            }
            Step::Block { k, nowait } => {
                let first = a.first().copied().unwrap_or(0);
                for i in 0..n {
                    if nowait {
                        a[i] = a[i].wrapping_add(b[i]);
                        b[i] = a[i].wrapping_add(k + 1).wrapping_sub(c[i]);
                    } else {
                        b[i] = b[i].wrapping_add(first);
                    }
                }
            }
            Step::Wait { .. } => {}
            Step::Call { how, lo, hi, ref steps } => {
                let (x, y, z) = (&mut a[lo..hi], &mut b[lo..hi], &c[lo..hi]);
                sum = sum.wrapping_add(plainly(steps, x, y, z));
                if how == 2 {
                    x.iter_mut().for_each(|v| *v = v.wrapping_add(1));
                }
                if how == 3 {
                    sum = sum.wrapping_add(plainly(steps, x, y, z));
                }
            }
            Step::Fails { .. } => panic!("a loop that fails"),
        }
    }
    sum
}

/// `OMP_TEST_SEEDS=from..to`, or those of every run.
fn seeds(end: u64) -> std::ops::Range<u64> {
    let number = |text: &str| text.parse::<u64>().expect("OMP_TEST_SEEDS is from..to");
    let given = std::env::var("OMP_TEST_SEEDS").ok();
    let parsed = given.as_deref().and_then(|text| text.split_once(".."));
    parsed.map_or(1..end, |(from, to)| number(from)..number(to))
}

fn start() -> (Vec<i64>, Vec<i64>) {
    ((0..N as i64).collect(), (0..N as i64).map(|i| 1000 - i * i).collect())
}

/// One program on one device, with an array that others share.
fn check(d: usize, seed: u64, c: &[i64], fails: bool) {
    let mut v = Values(seed.wrapping_mul(0x9E37_79B9));
    let steps = program(&mut v, N, 3, fails);
    let (mut a, mut b) = start();
    let (mut want_a, mut want_b) = start();
    let want = catch_unwind(AssertUnwindSafe(|| plainly(&steps, &mut want_a, &mut want_b, c)));
    let got = catch_unwind(AssertUnwindSafe(|| run(d, false, &steps, &mut a, &mut b, c)));
    let there = format!("device {d}, seed {seed}: {steps:?}");
    match (got, want) {
        (Ok(got), Ok(want)) => {
            assert_eq!((got, a, b), (want, want_a, want_b), "{there}");
        }
        (Err(panic), Err(_)) => {
            let text = panic.downcast_ref::<String>().map_or("", String::as_str);
            assert!(text.contains("out of bounds"), "{there}\n{text}");
        }
        (Err(panic), Ok(_)) => panic!("{there}\n{:?}", panic.downcast_ref::<String>()),
        (Ok(_), Err(_)) => panic!("{there}\nit should fail"),
    }
}

#[test]
fn random_programs_of_functions() {
    let c: Vec<i64> = (0..N as i64).rev().collect();
    on_every_device(|d| seeds(60).for_each(|seed| check(d, seed, &c, false)));
}

/// Several threads, each with arrays of its own and one that all share; then each with mistakes in the middle, and what is left on the
/// device of them afterwards.
#[test]
fn threads_with_mistakes_leave_nothing() {
    let c: Vec<i64> = (0..N as i64).rev().collect();
    on_every_device(|d| {
        for round in seeds(12) {
            // Sections of what is present fit, whoever else has some there.
            shared(d, &c, round);
            assert!(d >= omp::get_num_devices() || !is_present(d, &c), "device {d}, round {round}");
        }
    });
}

#[omp::offload]
fn shared(d: usize, c: &[i64], round: u64) {
    #[omp::target_data(map(to: c), device(d))]
    {
        std::thread::scope(|threads| {
            for t in 0..4 {
                threads.spawn(move || {
                    let seed = round * 1000 + t;
                    check(d, seed, c, t % 2 == 1);
                    check(d, seed + 500, c, false);
                });
            }
        });
    }
}

/// Whether something of it stands on the device.
#[omp::offload]
fn is_present(d: usize, c: &[i64]) -> bool {
    omp::set_default_device(d);
    (0..c.len()).any(|i| omp::target_is_present(&c[i..=i]))
}
