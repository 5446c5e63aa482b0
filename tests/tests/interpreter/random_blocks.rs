//! Random sequences of target blocks as tasks, waits and host accesses against their serial meaning, on every device.
#![allow(clippy::needless_range_loop, reason = "every spelling that users may choose")]
use omp_tests::{Values, on_every_device};

const N: usize = 40;

#[derive(Clone, Copy, Debug)]
struct Op {
    kind: u32,
    lo: usize,
    hi: usize,
    k: u64,
}

fn ops(seed: u64) -> Vec<Op> {
    let mut v = Values(seed);
    (0..1 + seed % 25)
        .map(|_| {
            let (x, y) = (v.bits() as usize % (N + 1), v.bits() as usize % (N + 1));
            Op { kind: v.bits() % 11, lo: x.min(y), hi: x.max(y), k: u64::from(v.bits() % 1000) }
        })
        .collect()
}

/// `away`: some blocks and loops go to the host.
#[omp::offload]
fn steps(d: usize, away: bool, ops: &[Op], a: &mut [u64], b: &mut [u64], c: &mut [u64]) -> u64 {
    let mut seen = 1u64;
    let mut sum = 0u64;
    for op in ops {
        let (kind, lo, hi, k) = (op.kind, op.lo, op.hi, op.k);
        let there = !away || !k.is_multiple_of(3);
        match kind {
            0 => {
                #[omp::target(nowait, device(d), if(there))]
                {
                    #[omp::parallel_for]
                    for i in lo..hi {
                        a[i] = a[i].wrapping_mul(3).wrapping_add(k);
                    }
                    #[omp::parallel_for]
                    for i in lo..hi {
                        b[i] = a[i] ^ k;
                    }
                }
            }
            1 => {
                #[omp::target(nowait, device(d), if(there), depend(in: a), depend(out: c[lo..hi]))]
                {
                    let t = k + 1;
                    #[omp::parallel_for]
                    for i in lo..hi {
                        c[i] = c[i].wrapping_add(a[N - 1 - i]);
                    }
                    if k % 2 == 0 {
                        #[omp::parallel_for(reduction(+: sum))]
                        for i in 0..N {
                            sum = sum.wrapping_add(c[i].wrapping_mul(t));
                        }
                    }
                }
            }
            2 => {
                #[omp::target(nowait, device(d), if(there), map(alloc: b))]
                {
                    #[omp::parallel_for]
                    for i in 0..N {
                        b[i] = a[i];
                    }
                    #[omp::parallel_for]
                    for i in lo..hi {
                        c[i] = b[N - 1 - i];
                    }
                    // The host's stays what it was, so it is put back.
                }
                #[omp::target(nowait, device(d), if(there))]
                for i in 0..N {
                    b[i] = i as u64;
                }
            }
            3 => {
                #[omp::target(nowait, device(d), if(there))]
                {
                    let v = a[lo.min(N - 1)];
                    #[omp::parallel_for]
                    for i in lo..hi {
                        c[i] = c[i] ^ v;
                    }
                    c[0] = k;
                    a[N - 1] = a[0].wrapping_add(c[0]);
                }
            }
            4 =>
            {
                #[omp::target(nowait, device(d), if(there))]
                for i in lo..hi {
                    a[i] = a[i].wrapping_add(b[i]).wrapping_sub(k);
                }
            }
            5 => seen = seen.wrapping_mul(31).wrapping_add(a[lo.min(N - 1)]),
            6 => {
                for i in lo..hi {
                    c[i] = c[i].wrapping_add(k);
                }
            }
            7 => seen = c[lo..hi].iter().fold(seen, |s, v| s.rotate_left(7) ^ v),
            8 => b[lo.min(N - 1)] = k,
            9 => omp::taskwait!(depend(in: b)),
            _ => seen = seen.wrapping_add(sum),
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
            0 => {
                (lo..hi).for_each(|i| a[i] = a[i].wrapping_mul(3).wrapping_add(k));
                (lo..hi).for_each(|i| b[i] = a[i] ^ k);
            }
            1 => {
                (lo..hi).for_each(|i| c[i] = c[i].wrapping_add(a[N - 1 - i]));
                if k % 2 == 0 {
                    (0..N).for_each(|i| sum = sum.wrapping_add(c[i].wrapping_mul(k + 1)));
                }
            }
            2 => {
                (lo..hi).for_each(|i| c[i] = a[N - 1 - i]);
                (0..N).for_each(|i| b[i] = i as u64);
            }
            3 => {
                let v = a[lo.min(N - 1)];
                (lo..hi).for_each(|i| c[i] ^= v);
                c[0] = k;
                a[N - 1] = a[0].wrapping_add(c[0]);
            }
            4 => (lo..hi).for_each(|i| a[i] = a[i].wrapping_add(b[i]).wrapping_sub(k)),
            5 => seen = seen.wrapping_mul(31).wrapping_add(a[lo.min(N - 1)]),
            6 => (lo..hi).for_each(|i| c[i] = c[i].wrapping_add(k)),
            7 => seen = c[lo..hi].iter().fold(seen, |s, v| s.rotate_left(7) ^ v),
            8 => b[lo.min(N - 1)] = k,
            10 => seen = seen.wrapping_add(sum),
            _ => {}
        }
    }
    seen.wrapping_add(sum)
}

#[test]
fn random_steps_have_their_serial_meaning() {
    omp_runtime::device::registry::add_interpreter();
    let end = std::env::var("OMP_TEST_SEEDS").ok().and_then(|n| n.parse().ok()).unwrap_or(60);
    on_every_device(|d| {
        for seed in 1..end {
            let ops = ops(seed);
            let new =
                || [1u64, 2, 3].map(|s| (0..N as u64).map(|i| (i + 7) * s * 1_000_003 % 65_537).collect());
            let (mut got, mut want): ([Vec<u64>; 3], [Vec<u64>; 3]) = (new(), new());
            let [a, b, c] = &mut want;
            let total = plainly(&ops, a, b, c);
            let [a, b, c] = &mut got;
            let away = seed % 2 == 0;
            assert_eq!(steps(d, away, &ops, a, b, c), total, "seed {seed} on device {d}: {ops:?}");
            assert_eq!(got, want, "seed {seed} on device {d}: {ops:?}");
        }
    });
}
