//! Random sequences of tasks, waits and host accesses against their serial meaning, on every device. One of them is the
//! reference interpreter, whose queues run nothing before somebody waits for it: what lacks an edge shows.
#![allow(clippy::needless_range_loop, reason = "every spelling that users may choose")]
use omp_tests::{Values, on_every_device};

/// `OMP_TEST_SEEDS=from..to`, or those of every run.
fn seeds(end: u64) -> std::ops::Range<u64> {
    let number = |text: &str| text.parse::<u64>().expect("OMP_TEST_SEEDS is from..to");
    let given = std::env::var("OMP_TEST_SEEDS").ok();
    let parsed = given.as_deref().and_then(|text| text.split_once(".."));
    parsed.map_or(1..end, |(from, to)| number(from)..number(to))
}

/// What a step does; `lo..hi` are elements, `k` a number.
#[derive(Clone, Copy, Debug)]
struct Op {
    kind: u32,
    lo: usize,
    hi: usize,
    k: u64,
}

const KINDS: u32 = 17;
const N: usize = 48;

fn ops(seed: u64, count: usize) -> Vec<Op> {
    let mut v = Values(seed);
    (0..count)
        .map(|_| {
            let (x, y) = (v.bits() as usize % (N + 1), v.bits() as usize % (N + 1));
            Op { kind: v.bits() % KINDS, lo: x.min(y), hi: x.max(y), k: u64::from(v.bits() % 1000) }
        })
        .collect()
}

/// The steps as tasks, without a data region: the host's copy is the only one that lasts. `away`: some run on the host.
#[omp::offload]
fn steps(d: usize, away: bool, ops: &[Op], a: &mut [u64], b: &mut [u64], c: &mut [u64]) -> u64 {
    let mut seen = 1u64;
    let mut sum = 0u64;
    for op in ops {
        let (kind, lo, hi, k) = (op.kind, op.lo, op.hi, op.k);
        let there = !away || !k.is_multiple_of(3);
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
                    b[i] = a[i] ^ k;
                }
            }
            2 =>
            {
                #[omp::target(nowait, device(d), if(there), map(to: a, b), map(tofrom: c[lo..hi]))]
                for i in lo..hi {
                    c[i] = c[i].wrapping_add(a[N - 1 - i]).wrapping_sub(b[i]);
                }
            }
            3 =>
            {
                #[omp::target(nowait, device(d), if(there), map(from: b[lo..hi]), depend(inout: c))]
                for i in lo..hi {
                    b[i] = i as u64 + k;
                }
            }
            4 =>
            {
                #[omp::target(nowait, device(d), if(there), reduction(+: sum))]
                for i in lo..hi {
                    sum = sum.wrapping_add(c[i]);
                }
            }
            5 => seen = seen.wrapping_mul(31).wrapping_add(a[lo.min(N - 1)]),
            6 => {
                for i in lo..hi {
                    b[i] = b[i].wrapping_add(k);
                }
            }
            7 => seen = c[lo..hi].iter().fold(seen, |s, v| s.rotate_left(7) ^ v),
            8 => omp::taskwait!(),
            9 => omp::taskwait!(depend(in: b)),
            10 => omp::taskwait!(depend(inout: a[lo..hi], c)),
            11 => {
                #[omp::taskgroup]
                {
                    #[omp::target(nowait, device(d), if(there))]
                    for i in lo..hi {
                        c[i] = a[i].wrapping_sub(k);
                    }
                    #[omp::target(nowait, device(d), if(there))]
                    for i in lo..hi {
                        a[i] = c[i] | 1;
                    }
                }
            }
            12 => seen = seen.wrapping_add(sum),
            13 => {
                // Waited for at once.
                #[omp::target(device(d))]
                for i in lo..hi {
                    a[i] = a[i].wrapping_add(b[i]);
                }
            }
            14 =>
            {
                #[omp::target(nowait, device(d), if(there), lastprivate(sum))]
                for i in lo..hi {
                    sum = c[i].wrapping_add(k);
                }
            }
            15 => {
                // An index that is only known while it runs.
                #[omp::target(nowait, device(d), if(there))]
                for i in lo..hi {
                    c[i] = a[(b[i] % N as u64) as usize];
                }
            }
            _ => sum = k,
        }
    }
    seen.wrapping_add(sum)
}

fn plainly(ops: &[Op], a: &mut [u64], b: &mut [u64], c: &mut [u64]) -> u64 {
    let mut seen = 1u64;
    let mut sum = 0u64;
    for op in ops {
        let Op { kind, lo, hi, k } = *op;
        match kind {
            0 => (lo..hi).for_each(|i| a[i] = a[i].wrapping_mul(3).wrapping_add(k)),
            1 => (lo..hi).for_each(|i| b[i] = a[i] ^ k),
            2 => (lo..hi).for_each(|i| c[i] = c[i].wrapping_add(a[N - 1 - i]).wrapping_sub(b[i])),
            3 => (lo..hi).for_each(|i| b[i] = i as u64 + k),
            4 => (lo..hi).for_each(|i| sum = sum.wrapping_add(c[i])),
            5 => seen = seen.wrapping_mul(31).wrapping_add(a[lo.min(N - 1)]),
            6 => (lo..hi).for_each(|i| b[i] = b[i].wrapping_add(k)),
            7 => seen = c[lo..hi].iter().fold(seen, |s, v| s.rotate_left(7) ^ v),
            11 => {
                (lo..hi).for_each(|i| c[i] = a[i].wrapping_sub(k));
                (lo..hi).for_each(|i| a[i] = c[i] | 1);
            }
            12 => seen = seen.wrapping_add(sum),
            13 => (lo..hi).for_each(|i| a[i] = a[i].wrapping_add(b[i])),
            14 => (lo..hi).for_each(|i| sum = c[i].wrapping_add(k)),
            15 => (lo..hi).for_each(|i| c[i] = a[(b[i] % N as u64) as usize]),
            16 => sum = k,
            _ => {}
        }
    }
    seen.wrapping_add(sum)
}

fn start() -> [Vec<u64>; 3] {
    [1u64, 2, 3].map(|s| (0..N as u64).map(|i| (i + 7) * s * 1_000_003 % 65_537).collect())
}

#[test]
fn random_steps_have_their_serial_meaning() {
    omp_runtime::device::registry::add_interpreter();
    on_every_device(|d| {
        // Two where a reduction was put into its variable behind what came after it.
        for seed in seeds(70).chain([90_054, 90_189]) {
            let ops = ops(seed, 1 + seed as usize % 40);
            let (mut got, mut want) = (start(), start());
            let [a, b, c] = &mut want;
            let total = plainly(&ops, a, b, c);
            let [a, b, c] = &mut got;
            assert_eq!(steps(d, seed % 2 == 0, &ops, a, b, c), total, "seed {seed} on device {d}: {ops:?}");
            assert_eq!(got, want, "seed {seed} on device {d}: {ops:?}");
        }
    });
}

/// The steps inside a data region, where the device has a copy of its own.
#[omp::offload]
fn region(d: usize, ops: &[Op], a: &mut [u64], b: &mut [u64], c: &mut [u64]) -> u64 {
    let mut seen = 1u64;
    #[omp::target_data(map(tofrom: a, b), map(alloc: c), device(d))]
    for op in ops {
        let (kind, lo, hi, k) = (op.kind % 10, op.lo, op.hi, op.k);
        match kind {
            0 =>
            {
                #[omp::target(nowait, device(d), depend(inout: a[lo..hi]))]
                for i in lo..hi {
                    a[i] = a[i].wrapping_mul(3).wrapping_add(k);
                }
            }
            1 =>
            {
                #[omp::target(nowait, device(d))]
                for i in lo..hi {
                    b[i] = a[i] ^ c[i];
                }
            }
            2 =>
            {
                #[omp::target(nowait, device(d))]
                for i in lo..hi {
                    c[i] = b[N - 1 - i].wrapping_add(k);
                }
            }
            3 => {
                omp::target_update!(from(a[lo..hi]), nowait, depend(in: a[lo..hi]), device(d));
            }
            4 => {
                omp::target_update!(to(b[lo..hi]), nowait, device(d));
            }
            5 => {
                omp::target_update!(from(a), device(d));
                seen = seen.wrapping_mul(31).wrapping_add(a[lo.min(N - 1)]);
            }
            6 => {
                omp::target_update!(from(b[lo..hi]), nowait, device(d));
                for i in lo..hi {
                    b[i] = b[i].wrapping_add(k);
                }
                omp::target_update!(to(b[lo..hi]), nowait, device(d));
            }
            7 => {
                omp::target_update!(from(b), nowait, device(d));
                seen = b[lo..hi].iter().fold(seen, |s, v| s.rotate_left(7) ^ v);
            }
            8 => omp::taskwait!(),
            _ =>
            {
                #[omp::target(device(d))]
                for i in lo..hi {
                    a[i] = a[i].wrapping_add(b[i]);
                }
            }
        }
    }
    seen
}

fn region_plainly(apart: bool, ops: &[Op], host: &mut [Vec<u64>; 3]) -> u64 {
    let mut seen = 1u64;
    // Without a device there is one copy.
    let mut device = host.clone();
    let sync = |to: &mut Vec<u64>, from: &[u64], lo: usize, hi: usize| {
        if apart {
            to[lo..hi].copy_from_slice(&from[lo..hi]);
        }
    };
    for op in ops {
        let (kind, lo, hi, k) = (op.kind % 10, op.lo, op.hi, op.k);
        let [a, b, c] = if apart { &mut device } else { &mut *host };
        match kind {
            0 => (lo..hi).for_each(|i| a[i] = a[i].wrapping_mul(3).wrapping_add(k)),
            1 => (lo..hi).for_each(|i| b[i] = a[i] ^ c[i]),
            2 => (lo..hi).for_each(|i| c[i] = b[N - 1 - i].wrapping_add(k)),
            3 => sync(&mut host[0], &device[0], lo, hi),
            4 => sync(&mut device[1], &host[1], lo, hi),
            5 => {
                sync(&mut host[0], &device[0], 0, N);
                seen = seen.wrapping_mul(31).wrapping_add(host[0][lo.min(N - 1)]);
            }
            6 => {
                sync(&mut host[1], &device[1], lo, hi);
                (lo..hi).for_each(|i| host[1][i] = host[1][i].wrapping_add(k));
                sync(&mut device[1], &host[1], lo, hi);
            }
            7 => {
                sync(&mut host[1], &device[1], 0, N);
                seen = host[1][lo..hi].iter().fold(seen, |s, v| s.rotate_left(7) ^ v);
            }
            8 => {}
            _ => (lo..hi).for_each(|i| a[i] = a[i].wrapping_add(b[i])),
        }
    }
    sync(&mut host[0], &device[0], 0, N);
    sync(&mut host[1], &device[1], 0, N);
    seen
}

#[test]
fn random_steps_in_a_data_region() {
    omp_runtime::device::registry::add_interpreter();
    on_every_device(|d| {
        for seed in seeds(70) {
            let ops = ops(1000 + seed, 1 + seed as usize % 40);
            let (mut got, mut want) = (start(), start());
            let total = region_plainly(d < omp::get_num_devices(), &ops, &mut want);
            let [a, b, c] = &mut got;
            assert_eq!(region(d, &ops, a, b, c), total, "seed {seed} on device {d}: {ops:?}");
            // The host's copy of what was only allocated is the host's own.
            assert_eq!(got, want, "seed {seed} on device {d}: {ops:?}");
        }
    });
}
