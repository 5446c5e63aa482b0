//! `atomic` in its forms, on each type, and with each operator.
use crate::table::Checks;
use omp::acc;

const N: usize = 96;

/// Iterations share elements of `y`; what comes out in any order is exact.
macro_rules! typed {
    ($($name:ident: $t:ty, $update:literal $read:literal $write:literal $capture:literal;)*) => { $(
        #[omp::offload]
        fn $name(t: &mut Checks) {
            let (mut sums, mut flags, mut next) = ([0 as $t; 3], [0 as $t; 2], [0 as $t]);
            let (mut seen, mut tickets) = (vec![0 as $t; N], vec![-1i32; N]);
            #[acc::parallel_loop(copy(sums, flags, next), copyout(seen, tickets))]
            for i in 0..N {
                #[acc::atomic(update)]
                sums[i % 3] += 2 as $t;
                let now: $t;
                #[acc::atomic(read)]
                now = flags[0];
                seen[i] = now;
                if i % 2 == 1 {
                    #[acc::atomic(write)]
                    flags[1] = 9 as $t;
                }
                let mine: $t;
                #[acc::atomic(capture)]
                {
                    mine = next[0];
                    next[0] += 1 as $t;
                }
                tickets[i] = mine as i32;
            }
            tickets.sort_unstable();
            t.eq($update, sums, [64 as $t; 3]);
            t.eq($read, seen, vec![0 as $t; N]);
            t.eq($write, flags, [0 as $t, 9 as $t]);
            t.eq($capture, (tickets, next[0]), ((0..N as i32).collect(), N as $t));
        }
    )* };
}

typed! {
    of_i32: i32, "update: i32" "read: i32" "write: i32" "capture: i32";
    of_u32: u32, "update: u32" "read: u32" "write: u32" "capture: u32";
    of_i64: i64, "update: i64" "read: i64" "write: i64" "capture: i64";
    of_u64: u64, "update: u64" "read: u64" "write: u64" "capture: u64";
    of_f32: f32, "update: f32" "read: f32" "write: f32" "capture: f32";
    of_f64: f64, "update: f64" "read: f64" "write: f64" "capture: f64";
}

/// Each operator on an element that all iterations share.
#[omp::offload]
fn operators(t: &mut Checks) {
    let mut y = [0i32, 5000, 1, -1, 0, 0x5a5a, 1, 1 << 30, -9, 99, 7, 7];
    #[acc::parallel_loop(copy(y))]
    for i in 0..N {
        let v = i as i32;
        #[acc::atomic]
        y[0] += v;
        #[acc::atomic]
        y[1] -= v;
        if i % 16 == 0 {
            #[acc::atomic]
            y[2] *= 3;
        }
        #[acc::atomic]
        y[3] &= !(1 << (v % 7));
        #[acc::atomic]
        y[4] |= 1 << (v % 11);
        #[acc::atomic]
        y[5] ^= v;
        if i % 32 == 0 {
            #[acc::atomic]
            y[6] <<= 4;
            #[acc::atomic]
            y[7] >>= 5;
        }
        #[acc::atomic]
        y[8] = y[8].max(v);
        #[acc::atomic]
        y[9] = v.min(y[9]);
        #[acc::atomic]
        y[10] = y[10] + 2 * v;
        #[acc::atomic]
        y[11] = v + y[11];
    }
    let sum = (N * (N - 1) / 2) as i32;
    t.eq("update: +=", y[0], sum);
    t.eq("update: -=", y[1], 5000 - sum);
    t.eq("update: *=", y[2], 3i32.pow(6));
    t.eq("update: &=", y[3], !0x7f);
    t.eq("update: |=", y[4], 0x7ff);
    t.eq("update: ^=", y[5], (0..N as i32).fold(0x5a5a, |a, b| a ^ b));
    t.eq("update: <<=", y[6], 1 << 12);
    t.eq("update: >>=", y[7], 1 << 15);
    t.eq("update: max", y[8], N as i32 - 1);
    t.eq("update: min", y[9], 0);
    t.eq("update: x = x + e", y[10], 7 + 2 * sum);
    t.eq("update: x = e + x", y[11], 7 + sum);
}

/// Both orders of a capture, and the exchange.
#[omp::offload]
fn captures(t: &mut Checks) {
    let (mut next, mut before, mut after, mut given) =
        ([10u32, 20, 1000], vec![0u32; N], vec![0u32; N], vec![0u32; N]);
    #[acc::kernels_loop(copy(next), copyout(before, after, given), disjoint(before, after, given))]
    for i in 0..N {
        let (old, new, other): (u32, u32, u32);
        #[acc::atomic(capture)]
        {
            old = next[0];
            next[0] += 1;
        }
        #[acc::atomic(capture)]
        {
            next[1] += 2;
            new = next[1];
        }
        #[acc::atomic(capture)]
        {
            other = next[2];
            next[2] = i as u32;
        }
        before[i] = old;
        after[i] = new;
        given[i] = other;
    }
    before.sort_unstable();
    after.sort_unstable();
    given.push(next[2]);
    given.sort_unstable();
    t.eq("capture: v = x; x += e", before, (10..10 + N as u32).collect());
    t.eq("capture: x += e; v = x", after, (1..=N as u32).map(|k| 20 + 2 * k).collect());
    t.eq("capture: v = x; x = e", given, (0..N as u32).chain([1000]).collect());
}

/// A captured scalar, and an element that data choose.
#[omp::offload]
fn places(t: &mut Checks) {
    let keys: Vec<usize> = (0..N).map(|i| i * i % 7).collect();
    let (mut counts, mut hits) = ([0u32; 7], 0u64);
    #[acc::parallel_loop(copyin(keys), copy(counts))]
    for i in 0..N {
        #[acc::atomic]
        counts[keys[i]] += 1;
        if keys[i] == 2 {
            #[acc::atomic]
            hits += 1;
        }
    }
    let mut want = [0u32; 7];
    (0..N).for_each(|i| want[i * i % 7] += 1);
    t.eq("update: an element that data choose", counts, want);
    t.eq("update: a scalar", hits, want[2] as u64);
}

programs! {
    of_i32 { OpenAcc "2.12" "atomic": "update: i32", "read: i32", "write: i32", "capture: i32"; }
    of_u32 { OpenAcc "2.12" "atomic": "update: u32", "read: u32", "write: u32", "capture: u32"; }
    of_i64 { OpenAcc "2.12" "atomic": "update: i64", "read: i64", "write: i64", "capture: i64"; }
    of_u64 { OpenAcc "2.12" "atomic": "update: u64", "read: u64", "write: u64", "capture: u64"; }
    of_f32 { OpenAcc "2.12" "atomic": "update: f32", "read: f32", "write: f32", "capture: f32"; }
    of_f64 { OpenAcc "2.12" "atomic": "update: f64", "read: f64", "write: f64", "capture: f64"; }
    operators {
        OpenAcc "2.12" "atomic": "update: +=", "update: -=", "update: *=", "update: &=", "update: |=", "update: ^=",
            "update: <<=", "update: >>=", "update: max", "update: min", "update: x = x + e", "update: x = e + x";
    }
    captures {
        OpenAcc "2.12" "atomic": "capture: v = x; x += e", "capture: x += e; v = x", "capture: v = x; x = e";
    }
    places {
        OpenAcc "2.12" "atomic": "update: an element that data choose", "update: a scalar";
    }
}
