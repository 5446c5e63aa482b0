//! `nowait`, `depend`, `taskwait` and `taskgroup`.
use crate::table::Checks;

const N: usize = 64;

#[omp::offload]
fn chain(t: &mut Checks) {
    let (mut x, mut y) = (vec![1u32; N], vec![0u32; N]);
    #[omp::target(nowait, depend(out: x))]
    for i in 0..N {
        x[i] += i as u32;
    }
    #[omp::target(nowait, depend(in: x), depend(out: y))]
    for i in 0..N {
        y[i] = 2 * x[N - 1 - i];
    }
    #[omp::target(nowait, depend(inout: y))]
    for i in 0..N {
        y[i] += 1;
    }
    omp::taskwait!();
    t.eq("nowait", x, (1..=N as u32).collect());
    t.eq("depend(out)", y[0], 2 * N as u32 + 1);
    t.eq("depend(in)", y[N - 1], 3);
    t.eq("depend(inout)", y, (1..=N as u32).rev().map(|v| 2 * v + 1).collect());
}

#[omp::offload]
fn sections(t: &mut Checks) {
    let mut x = vec![0u32; 3 * N];
    for part in 0..3 {
        let (lo, hi) = (part * N, (part + 1) * N);
        #[omp::target(nowait, map(tofrom: x[lo..hi]), depend(out: x[lo..hi]))]
        for i in lo..hi {
            x[i] = part as u32 + 1;
        }
    }
    #[omp::target(nowait, depend(inout: x[N - 1..N + 1]), map(tofrom: x[N - 1..N + 1]))]
    for i in N - 1..N + 1 {
        x[i] *= 10;
    }
    omp::taskwait!(depend(in: x));
    t.eq("depend of overlapping sections", (x[N - 2], x[N - 1], x[N], x[N + 1], x[2 * N]), (1, 10, 20, 2, 3));
    t.eq("taskwait depend", x.iter().sum::<u32>(), 6 * N as u32 + 9 + 18);
}

#[omp::offload]
fn groups(t: &mut Checks) {
    let (mut x, mut y) = (vec![1i64; N], vec![1i64; N]);
    #[omp::taskgroup]
    {
        #[omp::target(nowait)]
        for i in 0..N {
            x[i] += 4;
        }
        #[omp::target(nowait)]
        for i in 0..N {
            y[i] -= 4;
        }
    }
    t.eq("taskgroup", (x[0], y[0]), (5, -3));
    for k in 0..4 {
        #[omp::target(nowait)]
        for i in 0..N {
            x[i] = x[i] * 2 + k;
        }
    }
    let sum: i64 = x.iter().sum();
    omp::taskwait!();
    t.eq("a read of the host waits", sum, (0..4).fold(5, |v, k| v * 2 + k) * N as i64);
    t.eq("taskwait", x[3], (0..4).fold(5, |v, k| v * 2 + k));
}

#[omp::offload]
fn tokens(t: &mut Checks) {
    let (token, mut x, mut y) = (0u8, vec![1u32; N], vec![0u32; N]);
    #[omp::target(nowait, depend(out: token))]
    for i in 0..N {
        x[i] = 3;
    }
    #[omp::target(nowait, depend(in: token), if(N > 10))]
    for i in 0..N {
        y[i] = 4;
    }
    omp::taskwait!(depend(in: token));
    omp::taskwait!();
    t.eq("depend on what no task touches", (token, x[1], y[1]), (0, 3, 4));
    let mut sum = 0u32;
    #[omp::target(nowait, reduction(+: sum))]
    for i in 0..N {
        sum += x[i] + y[i];
    }
    omp::taskwait!();
    t.eq("nowait, reduction", sum, 7 * N as u32);
}

#[omp::offload]
fn block(t: &mut Checks) {
    let mut x = vec![1u32; N];
    #[omp::target(nowait, map(tofrom: x))]
    {
        #[omp::parallel_for]
        for i in 0..N {
            x[i] += i as u32;
        }
        #[omp::parallel_for]
        for i in 0..N {
            x[i] *= 2;
        }
    }
    omp::taskwait!();
    t.eq("nowait on a block", x, (1..=N as u32).map(|v| 2 * v).collect());
}

programs! {
    chain {
        OpenMp "15.6" "target": "nowait";
        OpenMp "15.9.5" "target": "depend(in)", "depend(out)", "depend(inout)";
    }
    sections {
        OpenMp "15.9.5" "target": "depend of overlapping sections";
        OpenMp "15.5" "taskwait": "taskwait depend";
    }
    groups {
        OpenMp "15.4" "taskgroup": "taskgroup";
        OpenMp "15.5" "taskwait": "taskwait", "a read of the host waits";
    }
    tokens {
        OpenMp "15.9.5" "target": "depend on what no task touches";
        OpenMp "15.6" "target": "nowait, reduction";
    }
    block { OpenMp "15.6" "target": "nowait on a block"; }
}
