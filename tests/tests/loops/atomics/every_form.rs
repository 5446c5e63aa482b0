//! `#[omp::atomic]` in every form and on every type, on the host and on every device: what comes out in any order of
//! the iterations is compared exactly.
#![allow(clippy::cast_lossless, clippy::assign_op_pattern, reason = "every spelling that users may choose")]
use omp_tests::{Values, on_every_device};

const LENGTHS: [usize; 6] = [0, 1, 2, 31, 257, 4099];

macro_rules! integers {
    ($($module:ident: $t:ident;)*) => { $(
        mod $module {
            use super::*;

            /// Neighbours are stored to without `atomic`: `y[4k]` is shared, `y[4k + 1]` is not.
            #[omp::offload]
            fn updates(d: usize, x: &[$t], y: &mut [$t], own: &mut [$t], total: &mut $t) {
                #[omp::target(device(d))]
                for i in 0..x.len() {
                    let v = x[i];
                    #[omp::atomic]
                    y[0] = y[0].wrapping_add(v);
                    #[omp::atomic(update)]
                    y[4] = v.wrapping_mul(3).wrapping_add(y[4]);
                    #[omp::atomic]
                    y[8] &= v | 1;
                    #[omp::atomic]
                    y[12] |= v & 6;
                    #[omp::atomic]
                    y[16] ^= v;
                    #[omp::atomic]
                    y[20] = y[20].max(v);
                    #[omp::atomic]
                    y[24] = v.min(y[24]);
                    #[omp::atomic(compare)]
                    if y[28] < v {
                        y[28] = v;
                    }
                    #[omp::atomic]
                    y[32] = y[32].wrapping_mul(v | 1);
                    #[omp::atomic]
                    *total = total.wrapping_sub(v);
                    own[4 * i + 1] = v;
                    #[omp::atomic]
                    own[4 * i + 2] |= v;
                }
            }

            #[omp::offload]
            fn captures(d: usize, n: usize, next: &mut [$t], before: &mut [$t], after: &mut [$t], swapped: &mut [$t]) {
                #[omp::target(device(d), map(tofrom: next))]
                for i in 0..n {
                    let (b, a, s);
                    #[omp::atomic(capture)]
                    {
                        b = next[1];
                        next[1] = next[1].wrapping_add(1);
                    }
                    #[omp::atomic(capture)]
                    {
                        next[2] ^= 1;
                        a = next[2];
                    }
                    #[omp::atomic(capture)]
                    {
                        s = next[3];
                        next[3] = i as $t;
                    }
                    before[i] = b;
                    after[i] = a;
                    swapped[i] = s;
                }
            }

            #[test]
            fn updates_come_out_the_same_in_any_order() {
                for n in LENGTHS {
                    let mut r = Values(n as u64 + 3);
                    let x: Vec<$t> = (0..n).map(|_| r.wide() as $t).collect();
                    let fill: Vec<$t> = (0..33).map(|k| k as $t).collect();
                    let mut want = fill.clone();
                    for &v in &x {
                        want[0] = want[0].wrapping_add(v);
                        want[4] = want[4].wrapping_add(v.wrapping_mul(3));
                        want[8] &= v | 1;
                        want[12] |= v & 6;
                        want[16] ^= v;
                        want[20] = want[20].max(v);
                        want[24] = want[24].min(v);
                        want[28] = want[28].max(v);
                        want[32] = want[32].wrapping_mul(v | 1);
                    }
                    let sum = x.iter().fold(9 as $t, |s, v| s.wrapping_sub(*v));
                    on_every_device(|d| {
                        let (mut y, mut own, mut total) = (fill.clone(), vec![5 as $t; 4 * n], 9);
                        updates(d, &x, &mut y, &mut own, &mut total);
                        assert_eq!(y, want, "device {d}, n = {n}");
                        assert_eq!(total, sum, "device {d}, n = {n}");
                        for i in 0..n {
                            assert_eq!(own[4 * i..4 * i + 4], [5, x[i], 5 | x[i], 5], "device {d}, {i} of {n}");
                        }
                    });
                }
            }

            #[test]
            fn captures_are_of_one_moment() {
                for n in [0usize, 1, 2, 100, 127] {
                    on_every_device(|d| {
                        let mut next = [7 as $t; 4];
                        (next[1], next[2]) = (0, 0);
                        let (mut before, mut after, mut swapped) = (vec![1 as $t; n], vec![1 as $t; n], vec![1 as $t; n]);
                        captures(d, n, &mut next, &mut before, &mut after, &mut swapped);
                        before.sort();
                        assert!(before.iter().copied().eq((0..n).map(|i| i as $t)), "device {d}, n = {n}");
                        let ones = after.iter().filter(|a| **a == 1).count();
                        assert_eq!(ones, n.div_ceil(2), "device {d}, n = {n}");
                        swapped.push(next[3]);
                        swapped.sort();
                        let mut want: Vec<$t> = (0..n).map(|i| i as $t).chain([7]).collect();
                        want.sort();
                        assert_eq!(swapped, want, "device {d}, n = {n}");
                        assert_eq!((next[0], next[1]), (7, n as $t));
                    });
                }
            }
        }
    )* };
}
integers! { on_i8: i8; on_u8: u8; on_i16: i16; on_u16: u16; on_i32: i32; on_u32: u32; on_i64: i64; on_u64: u64; on_isize: isize; on_usize: usize; }

macro_rules! floats {
    ($($module:ident: $t:ident;)*) => { $(
        mod $module {
            use super::*;

            #[omp::offload]
            fn updates(d: usize, x: &[$t], y: &mut [$t]) -> $t {
                let mut low = $t::INFINITY;
                #[omp::target(device(d))]
                for i in 0..x.len() {
                    #[omp::atomic]
                    y[i % 3] += x[i];
                    #[omp::atomic]
                    y[3] -= x[i] * 0.5;
                    #[omp::atomic]
                    y[4] = y[4].max(x[i]);
                    #[omp::atomic(compare)]
                    if x[i] < low {
                        low = x[i];
                    }
                    #[omp::atomic]
                    y[5] *= if i % 64 == 0 { 2.0 } else { -1.0 };
                    #[omp::atomic]
                    y[6] = y[6].min($t::NAN);
                }
                low
            }

            #[test]
            fn exact_where_nothing_rounds() {
                for n in LENGTHS {
                    // Multiples of a subnormal among them: nothing may be flushed to zero.
                    for unit in [1.0 as $t, $t::MIN_POSITIVE / 8.0] {
                        let mut r = Values(n as u64);
                        let x: Vec<$t> = (0..n).map(|_| ((r.bits() % 16) as $t - 5.0) * unit).collect();
                        let mut want = [0.0, 0.0, 0.0, 0.0, -99.0, 1.0, 4.0];
                        for (i, &v) in x.iter().enumerate() {
                            want[i % 3] += v;
                            want[3] -= v * 0.5;
                            want[4] = v.max(want[4]);
                        }
                        // Exact in any order: no product on the way is too large.
                        want[5] = x.iter().enumerate().fold(1.0, |y, (i, _)| y * if i % 64 == 0 { 2.0 } else { -1.0 });
                        let low = x.iter().copied().fold($t::INFINITY, $t::min);
                        on_every_device(|d| {
                            let mut y = [0.0, 0.0, 0.0, 0.0, -99.0, 1.0, 4.0];
                            assert_eq!(updates(d, &x, &mut y), low, "device {d}, n = {n}");
                            assert_eq!(y, want, "device {d}, n = {n}");
                        });
                    }
                }
            }
        }
    )* };
}
floats! { on_f32: f32; on_f64: f64; }

#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Cell {
    mass: f64,
    count: u16,
    seen: bool,
    tag: [u8; 3],
}

#[omp::offload]
fn cells(d: usize, at: &[u32], cells: &mut [Cell], flags: &mut [bool]) -> bool {
    let mut any = false;
    #[omp::target(device(d))]
    for i in 0..at.len() {
        let k = at[i] as usize;
        #[omp::atomic]
        cells[k].count += 1;
        #[omp::atomic]
        cells[k].mass += 0.25;
        #[omp::atomic]
        cells[k].seen |= true;
        #[omp::atomic]
        cells[k].tag[i % 3] = cells[k].tag[i % 3].wrapping_add(2);
        #[omp::atomic]
        flags[k] &= i % 5 != 0;
        #[omp::atomic(write)]
        any = true;
        #[omp::atomic(read)]
        let now = cells[k].count;
        assert!(now > 0);
    }
    any
}

#[test]
fn fields_of_structs_and_bools() {
    for n in LENGTHS {
        let mut r = Values(n as u64);
        let at: Vec<u32> = (0..n).map(|_| r.bits() % 5).collect();
        let empty = Cell { mass: 1.0, count: 7, seen: false, tag: [1, 2, 3] };
        let (mut want, mut flags) = ([empty; 5], [true; 5]);
        for (i, &k) in at.iter().enumerate() {
            let c = &mut want[k as usize];
            (c.count, c.mass, c.seen) = (c.count + 1, c.mass + 0.25, true);
            c.tag[i % 3] = c.tag[i % 3].wrapping_add(2);
            flags[k as usize] &= i % 5 != 0;
        }
        on_every_device(|d| {
            let (mut got, mut got_flags) = ([empty; 5], [true; 5]);
            assert_eq!(cells(d, &at, &mut got, &mut got_flags), n > 0);
            assert_eq!((got, got_flags), (want, flags), "device {d}, n = {n}");
        });
    }
}

struct Tally {
    total: u64,
    seen: (u32, i8),
}

impl Tally {
    #[omp::offload]
    fn add(&mut self, d: usize, x: &[u32]) {
        #[omp::target(device(d), map(tofrom: self.total))]
        for i in 0..x.len() {
            #[omp::atomic]
            self.total += u64::from(x[i] > 3) * 2;
            #[omp::atomic]
            self.seen.0 += 1;
        }
    }
}

#[test]
fn fields_of_captured_structs_come_back() {
    on_every_device(|d| {
        let mut tally = Tally { total: 1, seen: (5, -3) };
        tally.add(d, &[1, 9, 4, 3, 7]);
        assert_eq!((tally.total, tally.seen), (7, (10, -3)), "device {d}");
        tally.add(d, &[8]);
        assert_eq!((tally.total, tally.seen), (9, (11, -3)), "device {d}");
    });
}

#[omp::declare_target]
fn twice(v: u32) -> u32 {
    v.wrapping_mul(2)
}

#[omp::offload]
fn generic<T: omp::Device>(d: usize, x: &[u32], keep: &[T], kept: &mut [T], hist: &mut [u32]) {
    #[omp::target(device(d), name("generic"))]
    for i in 0..x.len() {
        kept[i] = keep[i];
        #[omp::atomic]
        hist[(x[i] % 4) as usize] += twice(x[i]) / 2;
        let old;
        #[omp::atomic(capture, compare)]
        {
            old = hist[4];
            if hist[4] == 0 {
                hist[4] = i as u32 + 1;
            }
        }
        if old == 0 {
            #[omp::atomic]
            hist[5] += 1;
        }
    }
}

#[test]
fn first_come_first_served() {
    for n in LENGTHS {
        let x: Vec<u32> = (0..n as u32).map(|i| i * 7 % 31).collect();
        on_every_device(|d| {
            let (mut kept, mut hist) = (vec![(0i8, 0f32); n], [0u32; 6]);
            generic(d, &x, &vec![(3, 1.5); n], &mut kept, &mut hist);
            assert_eq!(kept, vec![(3, 1.5); n]);
            assert_eq!(hist[..4].iter().sum::<u32>(), x.iter().sum::<u32>(), "device {d}, n = {n}");
            assert_eq!((hist[4] > 0, hist[5]), (n > 0, u32::from(n > 0)), "device {d}, n = {n}");
        });
    }
}

/// Arrays and variables that are only added to.
#[omp::offload]
mod only_added_to {
    pub fn by_index(d: usize, k: &[u32], x: &[f32], y: &mut [f32], n: &mut Vec<u64>, all: &mut f64) {
        #[omp::target(device(d))]
        for i in 0..k.len() {
            let at = k[i] as usize % y.len();
            #[omp::atomic]
            y[at] += x[i];
            #[omp::atomic]
            n[k[i] as usize] += 1;
            #[omp::atomic]
            *all = f64::from(x[i]) + *all;
        }
    }

    /// By several operands, and with the element in the middle.
    pub fn in_chains(d: usize, k: &[u32], y: &mut [u64], top: &mut [u32]) {
        #[omp::target(device(d))]
        for i in 0..k.len() {
            let at = k[i] as usize % y.len();
            #[omp::atomic]
            y[at] = y[at] + u64::from(k[i]) + 2;
            #[omp::atomic]
            top[at % 3] = k[i].max(top[at % 3]).max(5);
        }
    }

    /// Elements between those are the iterations' own.
    pub fn beside_others(d: usize, k: &[u32], y: &mut [f32]) {
        #[omp::target(device(d))]
        for i in 0..k.len() {
            #[omp::atomic]
            y[0] += 2.0;
            y[i + 1] = k[i] as f32;
        }
    }

    pub fn in_rows(d: usize, width: usize, k: &[u32], y: &mut [f64], z: &mut [f64]) {
        #[omp::target(device(d), collapse(2))]
        for i in 0..k.len() / width {
            for j in 0..width / 4 {
                for l in 0..4 {
                    if k[i * width + 4 * j + l] > 0 {
                        #[omp::atomic]
                        y[k[i * width + 4 * j + l] as usize] += 0.5;
                    }
                    let seen;
                    #[omp::atomic(capture)]
                    {
                        z[0] += 1.0;
                        seen = z[0];
                    }
                    if seen < 0.0 {
                        #[omp::atomic]
                        z[1] += 1.0;
                    }
                }
            }
        }
    }

    pub fn dealt_out(d: usize, k: &[u32], y: &mut [f32]) {
        #[omp::target(device(d), schedule(dynamic))]
        for i in 0..k.len() {
            #[omp::atomic]
            y[k[i] as usize] += 1.0;
        }
    }
}

#[test]
fn additions_are_those_of_the_loop() {
    let before = omp::get_max_threads();
    for threads in [1, 2, 3, 8] {
        omp::set_num_threads(threads);
        for n in [0, 1, 999, 100_000] {
            let mut r = Values(n as u64 + 1);
            let k: Vec<u32> = (0..n).map(|_| r.bits() % 50).collect();
            // No order of additions rounds.
            let x: Vec<f32> = (0..n).map(|_| (r.bits() % 9) as f32 - 4.0).collect();
            on_every_device(|d| {
                let (mut y, mut counts, mut all) = (vec![-0.0f32; 70], vec![3u64; 51], 7.0);
                only_added_to::by_index(d, &k, &x, &mut y, &mut counts, &mut all);
                let (mut want, mut want_counts) = (vec![-0.0f32; 70], vec![3u64; 51]);
                for (k, x) in k.iter().zip(&x) {
                    want[*k as usize] += x;
                    want_counts[*k as usize] += 1;
                }
                assert_eq!((&y, &counts), (&want, &want_counts), "{n} by {threads} on {d}");
                assert_eq!(
                    all,
                    7.0 + x.iter().map(|x| f64::from(*x)).sum::<f64>(),
                    "{n} by {threads} on {d}"
                );
                assert!(
                    y[50..].iter().all(|y| y.to_bits() == (-0.0f32).to_bits()),
                    "{n} by {threads} on {d}"
                );
                let mut y = vec![1.0; n + 1];
                only_added_to::beside_others(d, &k, &mut y);
                assert_eq!(y[0], 1.0 + 2.0 * n as f32, "{n} by {threads} on {d}");
                assert!(y[1..].iter().zip(&k).all(|(y, k)| *y == *k as f32), "{n} by {threads} on {d}");
                let (mut y, mut z) = (vec![0.0; 50], [0.0; 2]);
                only_added_to::in_rows(d, 8, &k, &mut y, &mut z);
                let seen = n / 8 * 8;
                let mut want = vec![0.0; 50];
                k[..seen].iter().filter(|k| **k > 0).for_each(|k| want[*k as usize] += 0.5);
                assert_eq!((y, z), (want, [seen as f64, 0.0]), "{n} by {threads} on {d}");
                let mut y = vec![0.0; 50];
                only_added_to::dealt_out(d, &k, &mut y);
                assert!((0..50).all(|b| y[b as usize] == k.iter().filter(|k| **k == b).count() as f32));
            });
        }
    }
    omp::set_num_threads(before);
}

/// A subscript that fails tells where, whoever runs the iteration.
#[test]
fn what_is_out_of_bounds_fails() {
    let k: Vec<u32> = (0..50_000).map(|i| if i == 40_000 { 70 } else { i % 50 }).collect();
    let x = vec![1.0; k.len()];
    let failed = std::panic::catch_unwind(|| {
        only_added_to::by_index(
            omp::get_initial_device(),
            &k,
            &x,
            &mut vec![0.0; 100],
            &mut vec![0; 60],
            &mut 0.0,
        );
    });
    let payload = failed.expect_err("an element that is not there");
    let text = payload.downcast_ref::<String>().expect("a text");
    assert!(text.contains("the len is 60 but the index is 70") && text.contains("i = 40000"), "{text}");
}

/// What the host's threads update in copies of their own, and what only looks as if it could be.
mod copies {
    const N: usize = 40_000;

    #[derive(Default)]
    struct Survey {
        flags: Vec<u32>,
        largest: i64,
        sums: [f64; 5],
    }

    impl Survey {
        #[omp::offload]
        fn take(&mut self, d: usize, x: &[u32]) -> u32 {
            let (mut odd, n) = (0u32, self.flags.len());
            #[omp::target(device(d))]
            for i in 0..x.len() {
                let v = x[i];
                #[omp::atomic]
                self.sums[v as usize % 5] += v as f64;
                if v % 2 == 1 {
                    #[omp::atomic]
                    odd |= v;
                }
                for k in 0..2 {
                    #[omp::atomic]
                    self.flags[(v as usize + k) % n] |= 1 << (v % 32);
                }
                #[omp::atomic]
                self.largest = self.largest.max(v as i64);
            }
            odd
        }
    }

    #[omp::offload]
    fn turned(d: usize, x: &[u32], y: &mut [f64], least: &mut [f32], bits: &mut [bool], sum: &mut [i16]) {
        #[omp::target(device(d))]
        for i in 0..x.len() {
            let at = x[i] as usize % 7;
            #[omp::atomic]
            y[at] = 0.5 + y[at];
            #[omp::atomic]
            y[at] -= 0.25;
            #[omp::atomic]
            least[at] = least[at].min(x[i] as f32);
            #[omp::atomic]
            bits[at] ^= x[i] & 1 == 0;
            // Part of such a sum may overflow, although none overflows in any order of whole pairs.
            #[omp::atomic]
            sum[at] += if i % 2 == 0 { 1 } else { -1 };
        }
    }

    #[omp::offload]
    fn not_one_operator(
        d: usize,
        x: &[u32],
        both: &mut [u32],
        minus: &mut [i32],
        seen: &mut [u32],
        last: &mut [u32],
    ) {
        #[omp::target(device(d))]
        for i in 0..x.len() {
            let at = x[i] as usize % 7;
            #[omp::atomic]
            both[at] |= 1;
            if x[i] == 12 {
                #[omp::atomic]
                both[at] &= !2;
            }
            #[omp::atomic]
            minus[at] = -minus[at];
            let n;
            #[omp::atomic(capture)]
            {
                n = seen[at];
                seen[at] |= 1;
            }
            #[omp::atomic]
            last[at] |= n;
        }
    }

    #[omp::offload]
    fn read_elsewhere(x: &[u32], y: &mut [f64]) -> f64 {
        #[omp::target]
        for i in 0..x.len() {
            #[omp::atomic]
            y[x[i] as usize % y.len()] += 1.0;
        }
        let mut all = 0.0;
        #[omp::target(reduction(+: all))]
        for i in 0..y.len() {
            all += y[i];
        }
        all
    }

    #[test]
    fn are_combined_once() {
        let x: Vec<u32> = (0..N as u32).map(|i| i.wrapping_mul(2_654_435_769) >> 12).collect();
        let at = |v: u32, n: usize| v as usize % n;
        omp_tests::on_every_device(|d| {
            for threads in [1, 2, 5] {
                omp::set_num_threads(threads);
                for n in [0, 1, 700, N] {
                    let x = &x[..n];
                    let mut s = Survey { flags: vec![4; 11], largest: 3, sums: [-0.0; 5] };
                    let odd = s.take(d, x);
                    assert_eq!(odd, x.iter().filter(|v| **v % 2 == 1).fold(0, |a, v| a | v));
                    let mut want = Survey { flags: vec![4; 11], largest: 3, sums: [-0.0; 5] };
                    for v in x {
                        want.sums[at(*v, 5)] += f64::from(*v);
                        want.flags[at(*v, 11)] |= 1 << (v % 32);
                        want.flags[at(*v + 1, 11)] |= 1 << (v % 32);
                        want.largest = want.largest.max(i64::from(*v));
                    }
                    assert_eq!((&s.flags, s.largest), (&want.flags, want.largest));
                    // Whole numbers: the sums are exact in any order.
                    assert_eq!(s.sums.map(f64::to_bits), want.sums.map(f64::to_bits));

                    let (mut y, mut least) =
                        ([1.0; 8], [f32::NAN, 1e9, 0.0, 5.0, f32::INFINITY, 7.0, 8.0, f32::NAN]);
                    let (mut bits, mut sum) = ([true; 8], [i16::MAX - 7000; 8]);
                    let (mut want_least, mut want_bits, mut want_sum, mut want_y) = (least, bits, sum, y);
                    turned(d, x, &mut y, &mut least, &mut bits, &mut sum);
                    for (i, v) in x.iter().enumerate() {
                        want_y[at(*v, 7)] += 0.25;
                        want_least[at(*v, 7)] = want_least[at(*v, 7)].min(*v as f32);
                        want_bits[at(*v, 7)] ^= v & 1 == 0;
                        want_sum[at(*v, 7)] += if i % 2 == 0 { 1 } else { -1 };
                    }
                    assert_eq!((y, bits, sum), (want_y, want_bits, want_sum));
                    assert!(least.iter().zip(want_least).all(|(a, b)| *a == b || a.is_nan() && b.is_nan()));

                    let (mut both, mut minus, mut seen, mut last) = ([2u32; 8], [3; 8], [6; 8], [0; 8]);
                    not_one_operator(d, x, &mut both, &mut minus, &mut seen, &mut last);
                    let count = |k: usize| x.iter().filter(|v| at(**v, 7) == k).count();
                    for k in 0..8 {
                        let cleared = x.iter().any(|v| *v == 12 && at(*v, 7) == k);
                        assert_eq!(both[k], if cleared { 0 } else { 2 } | u32::from(count(k) > 0));
                        assert_eq!(minus[k], if count(k) % 2 == 0 { 3 } else { -3 });
                        let (none, one) = (count(k) == 0, count(k) == 1);
                        assert_eq!(
                            (seen[k], last[k]),
                            (
                                6 | u32::from(!none),
                                if none {
                                    0
                                } else if one {
                                    6
                                } else {
                                    7
                                }
                            )
                        );
                    }
                }
            }
        });
        let mut y = vec![0.5; 13];
        assert_eq!(read_elsewhere(&x, &mut y), N as f64 + 6.5);
    }

    /// A subscript that no copy has.
    #[test]
    fn have_the_bounds_of_the_array() {
        omp::set_num_threads(3);
        for bad in [13, 1 << 20, u32::MAX] {
            let mut x: Vec<u32> = (0..N as u32).map(|i| i % 13).collect();
            x[N - 5] = bad;
            let failed = std::panic::catch_unwind(|| {
                let mut y = vec![0.0; 13];
                outside(&x, &mut y);
            });
            let text = failed.unwrap_err().downcast::<String>().unwrap();
            assert!(text.contains(&format!("the len is 13 but the index is {bad}")), "{text}");
            assert!(text.contains(&format!("i = {}", N - 5)), "{text}");
        }
    }

    #[omp::offload]
    fn outside(x: &[u32], y: &mut [f64]) {
        #[omp::target]
        for i in 0..x.len() {
            #[omp::atomic]
            y[x[i] as usize] += 1.0;
        }
    }
}

#[test]
fn updates_by_several_operands() {
    for n in LENGTHS {
        let mut r = Values(n as u64);
        let k: Vec<u32> = (0..n).map(|_| r.bits() % 1000).collect();
        let (mut want, mut want_top) = ([7; 11], [1; 3]);
        for &k in &k {
            let at = k as usize % 11;
            want[at] += u64::from(k) + 2;
            want_top[at % 3] = k.max(want_top[at % 3]).max(5);
        }
        on_every_device(|d| {
            let (mut y, mut top) = ([7; 11], [1; 3]);
            only_added_to::in_chains(d, &k, &mut y, &mut top);
            assert_eq!((y, top), (want, want_top), "device {d}, n = {n}");
        });
    }
}
