//! What runs after a task has failed: all that touches nothing that it was to leave, wherever it stands, and nothing else.
#![allow(clippy::needless_range_loop, reason = "the loops are what is tested")]
use omp_tests::on_every_device;

const OLD: i64 = -1;

/// The first task fails in `x[a..b]`; those after it use other sections, the same, or part of it. What they leave under `try`.
#[omp::offload(try)]
fn sections(
    d: usize,
    (a, b): (usize, usize),
    at: &[usize],
    x: &mut [i64],
    y: &mut [i64],
    known: bool,
) -> Result<(), omp::Error> {
    let n = x.len();
    #[omp::target(device(d), nowait, map(tofrom: x[a..b]))]
    for i in a..b {
        x[i] = at[at[i]] as i64;
    }
    if known {
        // Under `try` this waits, and does not tell.
        let _ = x[a];
    }
    #[omp::target(device(d), nowait)]
    for i in 0..a {
        x[i] = 1;
    }
    #[omp::target(device(d), nowait)]
    for i in b..n {
        x[i] = 2;
    }
    // It needs what is missing, in part.
    #[omp::target(device(d), nowait)]
    for i in a / 2..b {
        y[i] = x[i];
    }
    // It needs what the one before was to leave.
    #[omp::target(device(d), nowait)]
    for i in b - 1..b {
        y[i] += 1;
    }
    #[omp::target(device(d), nowait)]
    for i in 0..a / 2 {
        y[i] = x[i];
    }
    #[omp::target(device(d), nowait)]
    for i in b..n {
        y[i] = x[i];
    }
    Ok(())
}

#[test]
fn other_sections_of_an_array_go_on() {
    on_every_device(|d| {
        for n in [12, 1000] {
            for (a, b) in [(4, 8), (0, 3), (6, n), (2, 4)] {
                for known in [false, true] {
                    let (mut x, mut y) = (vec![OLD; n], vec![OLD; n]);
                    let mut at: Vec<usize> = (0..n).collect();
                    at[b - 1] = n;
                    let told = sections(d, (a, b), &at, &mut x, &mut y, known);
                    let told = told.expect_err("an index is out of bounds").to_string();
                    assert!(told.contains("out of bounds"), "device {d}: {told}");
                    let part = |i: usize| if i < a { 1 } else { 2 };
                    for i in 0..n {
                        let there = format!("device {d}, {n} elements, {a}..{b}, known {known}, element {i}");
                        // On the host the elements before the one that failed are there: it is the user's own loop.
                        if !(a..b).contains(&i) {
                            assert_eq!(x[i], part(i), "{there}");
                        } else if d < omp::get_num_devices() {
                            assert_eq!(x[i], OLD, "{there}");
                        }
                        let copied = i < a / 2 || i >= b;
                        assert_eq!(y[i], if copied { part(i) } else { OLD }, "{there}");
                    }
                }
            }
        }
    });
}

#[omp::offload]
fn entered(d: usize, x: &[i64], enter: bool) {
    if enter {
        omp::target_enter_data!(map(to: x), device(d));
    } else {
        omp::target_exit_data!(map(delete: x), device(d));
    }
}

/// The same of data that stands on the device.
#[omp::offload(try)]
fn present(d: usize, at: &[usize], x: &mut [i64], known: bool) -> Result<(), omp::Error> {
    let (n, half) = (x.len(), x.len() / 2);
    #[omp::target(device(d), nowait)]
    for i in 0..half {
        x[i] = at[at[i]] as i64;
    }
    if known {
        let _ = x[0];
    }
    #[omp::target(device(d), nowait)]
    for i in half..n {
        x[i] = 3;
    }
    omp::target_update!(from(x[half..n]), device(d), nowait);
    omp::target_update!(from(x[0..half]), device(d), nowait);
    Ok(())
}

#[test]
fn updates_of_other_sections_go_on() {
    on_every_device(|d| {
        for known in [false, true] {
            let n = 64;
            let mut x = vec![OLD; n];
            let mut at: Vec<usize> = (0..n).collect();
            at[0] = n;
            entered(d, &x, true);
            let told = present(d, &at, &mut x, known).expect_err("an index is out of bounds");
            assert!(told.to_string().contains("out of bounds"), "device {d}: {told}");
            entered(d, &x, false);
            assert_eq!(x[n / 2..], vec![3; n / 2], "device {d}, known {known}");
            if d < omp::get_num_devices() {
                assert_eq!(x[..n / 2], vec![OLD; n / 2], "device {d}, known {known}");
            }
        }
    });
}

/// What tasks reduce is no section of anything: who needs it does not run.
#[omp::offload(try)]
fn reduced(d: usize, at: &[usize], x: &mut [i64], known: bool) -> Result<i64, omp::Error> {
    let mut sum = 0;
    let mut apart = 0;
    #[omp::target(device(d), nowait, reduction(+: sum))]
    for i in 0..at.len() {
        sum += at[at[i]] as i64;
    }
    if known {
        let _ = sum;
    }
    #[omp::target(device(d), nowait, reduction(+: apart))]
    for i in 0..at.len() {
        apart += 1;
    }
    #[omp::target(device(d), nowait, reduction(+: sum))]
    for i in 0..at.len() {
        sum += 1;
        x[i] = 1;
    }
    #[omp::target(device(d), nowait)]
    for i in 0..at.len() {
        x[i] = apart + sum;
    }
    Ok(sum)
}

#[test]
fn what_needs_a_reduced_variable_does_not_run() {
    on_every_device(|d| {
        for known in [false, true] {
            let (mut x, mut at) = (vec![OLD; 40], (0..40).collect::<Vec<usize>>());
            at[7] = 40;
            let told = reduced(d, &at, &mut x, known).expect_err("an index is out of bounds");
            assert!(told.to_string().contains("out of bounds"), "device {d}: {told}");
            assert_eq!(x, [OLD; 40], "device {d}, known {known}");
        }
    });
}

/// A task on `a..b`; `bad`: where it stops, if it does.
#[derive(Debug, Clone, Copy)]
struct Op {
    kind: u64,
    a: usize,
    b: usize,
    bad: bool,
    /// The host reads an element before.
    looks: Option<usize>,
}

const N: usize = 24;

/// Tasks of some kinds on sections of three arrays.
#[omp::offload(try)]
fn random(
    d: usize,
    ops: &[Op],
    good: &[usize],
    wrong: &[usize],
    x: &mut [i64],
    y: &mut [i64],
    z: &mut [i64],
) -> Result<(), omp::Error> {
    for (k, op) in ops.iter().enumerate() {
        let Op { kind, a, b, bad, looks } = *op;
        let k = k as i64;
        if let Some(i) = looks {
            let _ = x[i] + y[i];
        }
        if bad {
            #[omp::target(device(d), nowait)]
            for i in a..b {
                x[i] = good[wrong[i]] as i64 + y[i];
            }
        } else if kind == 0 {
            #[omp::target(device(d), nowait)]
            for i in a..b {
                x[i] = i as i64 + k;
            }
        } else if kind == 1 {
            #[omp::target(device(d), nowait)]
            for i in a..b {
                y[i] += x[i];
            }
        } else if kind == 2 {
            #[omp::target(device(d), nowait)]
            for i in a..b {
                z[i] = x[i] + y[i];
            }
        } else if kind == 3 {
            #[omp::target(device(d), nowait)]
            for i in a..b {
                x[i] += z[b - 1 - (i - a)];
            }
        } else {
            #[omp::target(device(d), nowait)]
            for i in a..b {
                y[i] = good[i] as i64 - z[i];
            }
        }
    }
    Ok(())
}

/// A use by a task that did not do what it should, or (`maybe`) that may not have run.
struct Spoilt {
    array: usize,
    range: (usize, usize),
    writes: bool,
    maybe: bool,
}

/// What is left of them: by array and element, `None` where nobody can say: a loop stopped there, or it followed one only because it
/// writes what that was to read.
fn modelled(ops: &[Op]) -> [Vec<Option<i64>>; 3] {
    let mut data = [vec![Some(1); N], vec![Some(2); N], vec![Some(3); N]];
    let mut spoilt: Vec<Spoilt> = Vec::new();
    for (k, op) in ops.iter().enumerate() {
        let Op { kind, a, b, bad, .. } = *op;
        let uses: &[(usize, bool)] = match kind {
            _ if bad => &[(1, false), (0, true)],
            0 => &[(0, true)],
            1 => &[(0, false), (1, true)],
            2 => &[(0, false), (1, false), (2, true)],
            3 => &[(2, false), (0, true)],
            _ => &[(2, false), (1, true)],
        };
        if a >= b {
            continue;
        }
        let (mut needs, mut follows) = (false, false);
        for s in spoilt.iter().filter(|s| s.range.0 < b && a < s.range.1) {
            for (_, writes) in
                uses.iter().filter(|(array, writes)| *array == s.array && (*writes || s.writes))
            {
                needs |= s.writes && !s.maybe;
                follows |= *writes || s.maybe;
            }
        }
        let target = uses.iter().find(|(_, writes)| *writes).expect("each writes").0;
        if needs || follows || bad {
            let maybe = !needs && !bad;
            let use_of = |(array, writes): &(usize, bool)| Spoilt {
                array: *array,
                range: (a, b),
                writes: *writes,
                maybe,
            };
            spoilt.extend(uses.iter().map(use_of));
            if !needs {
                data[target][a..b].fill(None);
            }
            continue;
        }
        let [x, y, z] = data.clone();
        for i in a..b {
            data[target][i] = match kind {
                0 => Some((i + k) as i64),
                1 => y[i].zip(x[i]).map(|(y, x)| y + x),
                2 => x[i].zip(y[i]).map(|(x, y)| x + y),
                3 => x[i].zip(z[b - 1 - (i - a)]).map(|(x, z)| x + z),
                _ => z[i].map(|z| i as i64 - z),
            };
        }
    }
    data
}

#[test]
fn exactly_what_needs_a_failed_task_does_not_run() {
    let good: Vec<usize> = (0..N).collect();
    let wrong = vec![N; N];
    let rounds: u64 = std::env::var("OMP_TEST_SEQUENCES").ok().and_then(|n| n.parse().ok()).unwrap_or(300);
    on_every_device(|d| {
        for seed in 0..rounds {
            let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x1234_5678;
            let mut below = |n: u64| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 33) % n
            };
            let ops: Vec<Op> = (0..2 + seed % 9)
                .map(|_| {
                    let (a, b) = (below(N as u64 + 1) as usize, below(N as u64 + 1) as usize);
                    let looks = (below(4) == 0).then(|| below(N as u64) as usize);
                    Op { kind: below(5), a: a.min(b), b: a.max(b), bad: below(5) == 0, looks }
                })
                .collect();
            let (mut x, mut y, mut z) = (vec![1; N], vec![2; N], vec![3; N]);
            let told = random(d, &ops, &good, &wrong, &mut x, &mut y, &mut z);
            let fails = ops.iter().any(|op| op.bad && op.a < op.b);
            assert_eq!(told.is_err(), fails, "device {d}, seed {seed}: {ops:?}");
            for (array, (got, want)) in [x, y, z].iter().zip(&modelled(&ops)).enumerate() {
                for (i, want) in want.iter().enumerate() {
                    let there = format!("device {d}, seed {seed}, array {array}, element {i}: {ops:?}");
                    assert!(want.is_none_or(|want| want == got[i]), "{there}\n{want:?}, not {}", got[i]);
                }
            }
        }
    });
}
