//! `atomic` in its forms, on each type.
use crate::table::Checks;

const N: usize = 60;

macro_rules! typed {
    ($($name:ident: $t:ty, $update:literal $read:literal $write:literal $old:literal $new:literal $compare:literal;)*) => { $(
        #[omp::offload]
        fn $name(t: &mut Checks) {
            let (mut sum, mut most, mut flag, mut next) = ([1 as $t; 2], [0 as $t], [3 as $t; 2], [0 as $t; 2]);
            let (mut seen, mut before, mut after) = (vec![0 as $t; N], vec![0i32; N], vec![0i32; N]);
            #[omp::target(map(tofrom: sum, most, flag, next), map(from: seen, before, after))]
            for i in 0..N {
                #[omp::atomic]
                sum[i % 2] += 1 as $t;
                #[omp::atomic(compare)]
                if (i as $t) > most[0] {
                    most[0] = i as $t;
                }
                let now: $t;
                #[omp::atomic(read)]
                now = flag[0];
                seen[i] = now;
                #[omp::atomic(write)]
                flag[1] = 4 as $t;
                let (old, new): ($t, $t);
                #[omp::atomic(capture)]
                {
                    old = next[0];
                    next[0] += 1 as $t;
                }
                #[omp::atomic(capture)]
                {
                    next[1] += 1 as $t;
                    new = next[1];
                }
                before[i] = old as i32;
                after[i] = new as i32;
            }
            before.sort_unstable();
            after.sort_unstable();
            t.eq($update, sum, [31 as $t; 2]);
            t.eq($read, seen, vec![3 as $t; N]);
            t.eq($write, flag, [3 as $t, 4 as $t]);
            t.eq($old, before, (0..N as i32).collect());
            t.eq($new, after, (1..=N as i32).collect());
            t.eq($compare, most[0], (N - 1) as $t);
        }
    )* };
}

typed! {
    of_i8: i8, "update: i8" "read: i8" "write: i8" "capture before: i8" "capture after: i8" "compare: i8";
    of_u16: u16, "update: u16" "read: u16" "write: u16" "capture before: u16" "capture after: u16" "compare: u16";
    of_i32: i32, "update: i32" "read: i32" "write: i32" "capture before: i32" "capture after: i32" "compare: i32";
    of_u64: u64, "update: u64" "read: u64" "write: u64" "capture before: u64" "capture after: u64" "compare: u64";
    of_usize: usize, "update: usize" "read: usize" "write: usize" "capture before: usize" "capture after: usize" "compare: usize";
    of_f32: f32, "update: f32" "read: f32" "write: f32" "capture before: f32" "capture after: f32" "compare: f32";
    of_f64: f64, "update: f64" "read: f64" "write: f64" "capture before: f64" "capture after: f64" "compare: f64";
}

#[omp::offload]
fn truth(t: &mut Checks) {
    let (mut any, mut all, mut x) = ([false], [true], vec![0u8; N]);
    #[omp::target(map(tofrom: any, all), map(tofrom: x))]
    for i in 0..N {
        #[omp::atomic]
        any[0] |= i == 17;
        #[omp::atomic]
        all[0] &= i != 20;
        x[i] = 1;
    }
    t.eq("update: bool", (any, all, x), ([true], [false], vec![1; N]));
}

programs! {
    of_i8 { OpenMp "15.8.4" "atomic": "update: i8", "read: i8", "write: i8", "capture before: i8", "capture after: i8", "compare: i8"; }
    of_u16 { OpenMp "15.8.4" "atomic": "update: u16", "read: u16", "write: u16", "capture before: u16", "capture after: u16", "compare: u16"; }
    of_i32 { OpenMp "15.8.4" "atomic": "update: i32", "read: i32", "write: i32", "capture before: i32", "capture after: i32", "compare: i32"; }
    of_u64 { OpenMp "15.8.4" "atomic": "update: u64", "read: u64", "write: u64", "capture before: u64", "capture after: u64", "compare: u64"; }
    of_usize { OpenMp "15.8.4" "atomic": "update: usize", "read: usize", "write: usize", "capture before: usize", "capture after: usize", "compare: usize"; }
    of_f32 { OpenMp "15.8.4" "atomic": "update: f32", "read: f32", "write: f32", "capture before: f32", "capture after: f32", "compare: f32"; }
    of_f64 { OpenMp "15.8.4" "atomic": "update: f64", "read: f64", "write: f64", "capture before: f64", "capture after: f64", "compare: f64"; }
    truth { OpenMp "15.8.4" "atomic": "update: bool"; }
}
