//! Reduced arrays of floats and of the user's items, small and large ones, with few hot elements and without, against the
//! loop one after the other. Sums are of numbers that add up without rounding, so that any order gives the same.
use omp_tests::{Values, on_every_device};

#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Affine {
    a: u64,
    b: u64,
}

#[omp::declare_reduction(then: Affine, identity = Affine { a: 1, b: 0 })]
fn then(f: Affine, g: Affine) -> Affine {
    Affine { a: f.a.wrapping_mul(g.a), b: f.b.wrapping_mul(g.a).wrapping_add(g.b) }
}

#[omp::offload]
fn sums(d: usize, k: &[u32], x: &[f32], bins: &mut [f32], few: &mut [f64]) {
    let n = few.len();
    #[omp::target(device(d), reduction(+: bins), reduction(+: few))]
    for i in 0..k.len() {
        if x[i] > 0.0 {
            bins[k[i] as usize] += x[i];
        }
        few[i % n] -= f64::from(x[i]);
    }
}

#[omp::offload]
fn ends(d: usize, k: &[u32], x: &[f32], least: &mut [f32], most: &mut [f32]) {
    #[omp::target(device(d), reduction(min: least), reduction(max: most))]
    for i in 0..k.len() {
        let at = k[i] as usize;
        least[at] = least[at].min(x[i]);
        if x[i] > most[at] {
            most[at] = x[i];
        }
    }
}

#[omp::offload]
fn maps(d: usize, k: &[u32], f: &[Affine], all: &mut [Affine], lo: usize, hi: usize) {
    #[omp::target(device(d), reduction(then: all[lo..hi]))]
    for i in 0..k.len() {
        if k[i] % 7 == 3 {
            continue;
        }
        all[lo + k[i] as usize] = then(all[lo + k[i] as usize], f[i]);
    }
}

/// Updates in a loop, of floats and of small integers.
#[omp::offload]
fn rows(
    d: usize,
    k: &[u32],
    width: usize,
    sums: &mut [f32],
    counts: &mut [u16],
    teams: usize,
    threads: usize,
) {
    #[omp::target(device(d), num_teams(teams), thread_limit(threads), reduction(+: sums), reduction(+: counts))]
    for i in 0..k.len() {
        for j in 0..width {
            sums[k[i] as usize * width + j] += j as f32;
        }
        counts[k[i] as usize] += 1;
    }
}

#[test]
fn floats_and_items_of_any_number() {
    on_every_device(|d| {
        for bins in [1, 5, 60, 256, 700, 2500, 6000, 20_000] {
            for (n, below) in [(0, 1), (1, 1), (33, bins), (5000, 2.min(bins)), (40_003, bins)] {
                let mut r = Values((n + bins) as u64);
                let k: Vec<u32> = (0..n).map(|_| r.bits() % below as u32).collect();
                let x: Vec<f32> = (0..n).map(|_| (r.bits() % 64) as f32 - 20.0).collect();
                let f: Vec<Affine> = (0..n).map(|_| Affine { a: r.wide() | 1, b: r.wide() }).collect();
                let (mut got, mut few) = (vec![0.5f32; bins], vec![1.0; 3]);
                let (mut want, mut some) = (got.clone(), few.clone());
                sums(d, &k, &x, &mut got, &mut few);
                for i in 0..n {
                    if x[i] > 0.0 {
                        want[k[i] as usize] += x[i];
                    }
                    some[i % 3] -= f64::from(x[i]);
                }
                assert!(got == want && few == some, "{bins} {n} {below} on {d}");

                let (mut least, mut most) = (vec![3.0f32; bins], vec![f32::NEG_INFINITY; bins]);
                least[bins / 2] = f32::NAN;
                let (mut low, mut high) = (least.clone(), most.clone());
                ends(d, &k, &x, &mut least, &mut most);
                for i in 0..n {
                    let at = k[i] as usize;
                    low[at] = low[at].min(x[i]);
                    high[at] = high[at].max(x[i]);
                }
                let bits = |v: &[f32]| {
                    v.iter().map(|v| if v.is_nan() { 1 } else { v.to_bits() }).collect::<Vec<_>>()
                };
                assert_eq!(
                    (bits(&least), bits(&most)),
                    (bits(&low), bits(&high)),
                    "{bins} {n} {below} on {d}"
                );

                let mut all = vec![Affine { a: 3, b: 4 }; bins + 9];
                let mut whole = all.clone();
                maps(d, &k, &f, &mut all, 4, bins + 4);
                for i in (0..n).filter(|i| k[*i] % 7 != 3) {
                    whole[4 + k[i] as usize] = then(whole[4 + k[i] as usize], f[i]);
                }
                assert!(all == whole, "{bins} {n} {below} on {d}");
            }
        }
    });
}

#[test]
fn updates_in_loops_in_any_geometry() {
    on_every_device(|d| {
        for (teams, threads) in [(1, 1), (1, 1024), (3, 20), (5, 33), (64, 256), (300, 64)] {
            for (bins, width) in [(1, 1), (9, 3), (40, 8), (500, 10)] {
                let n = 3000;
                let mut r = Values((teams + bins) as u64);
                let k: Vec<u32> = (0..n).map(|_| r.bits() % bins as u32).collect();
                let (mut got, mut counts) = (vec![0.0; bins * width], vec![2u16; bins]);
                let (mut want, mut all) = (got.clone(), counts.clone());
                rows(d, &k, width, &mut got, &mut counts, teams, threads);
                for i in 0..n {
                    for j in 0..width {
                        want[k[i] as usize * width + j] += j as f32;
                    }
                    all[k[i] as usize] += 1;
                }
                assert!(got == want && counts == all, "{teams} {threads} {bins} {width} on {d}");
            }
        }
    });
}

/// Rounding sums: the same bits in every run.
#[omp::offload]
fn rounded(d: usize, k: &[u32], x: &[f64], bins: &mut [f64]) {
    #[omp::target(device(d), reduction(+: bins))]
    for i in 0..k.len() {
        bins[k[i] as usize] += x[i];
    }
}

#[test]
fn the_same_in_every_run() {
    on_every_device(|d| {
        for bins in [10, 300, 3000] {
            let mut r = Values(u64::from(bins));
            let k: Vec<u32> =
                (0..20_000).map(|_| if r.bits().is_multiple_of(3) { 1 } else { r.bits() % bins }).collect();
            let x: Vec<f64> = (0..20_000).map(|_| f64::from(r.bits()) / 3.0).collect();
            let run = || {
                let mut sums = vec![0.1; bins as usize];
                rounded(d, &k, &x, &mut sums);
                sums
            };
            let first = run();
            let mut exact = vec![0.1; bins as usize];
            k.iter().zip(&x).for_each(|(k, x)| exact[*k as usize] += x);
            assert!(first.iter().zip(&exact).all(|(a, b)| (a - b).abs() <= 1e-9 * b), "{bins} on {d}");
            for _ in 0..3 {
                assert!(run() == first, "{bins} on {d}");
            }
        }
    });
}

#[omp::offload]
fn large(d: usize, k: &[u32], counts: &mut [u32], least: &mut [i64], seen: &mut [u8], lo: usize, hi: usize) {
    #[omp::target(device(d), reduction(+: counts[lo..hi]), reduction(min: least), reduction(|: seen))]
    for i in 0..k.len() {
        let at = k[i] as usize;
        counts[lo + at] += 3;
        least[at] = least[at].min(-(i as i64));
        seen[at] |= 1 << (i % 8);
    }
}

#[test]
fn large_tables_with_few_hot_elements() {
    on_every_device(|d| {
        for below in [2, 500, 20_000] {
            let (n, len) = (70_001, 20_000);
            let mut r = Values(below);
            let k: Vec<u32> = (0..n).map(|_| r.bits() % below as u32).collect();
            let (mut counts, mut least, mut seen) = (vec![7u32; len + 5], vec![5i64; len], vec![0u8; len]);
            let (mut all, mut low, mut any) = (counts.clone(), least.clone(), seen.clone());
            large(d, &k, &mut counts, &mut least, &mut seen, 2, len + 2);
            for (i, &at) in k.iter().enumerate() {
                let at = at as usize;
                all[2 + at] += 3;
                low[at] = low[at].min(-(i as i64));
                any[at] |= 1 << (i % 8);
            }
            assert!(counts == all && least == low && seen == any, "{below} on {d}");
        }
    });
}

#[omp::offload]
fn in_teams(d: usize, k: &[u32], bins: &mut [f32], teams: usize) {
    #[omp::target(device(d), num_teams(teams), thread_limit(32), reduction(+: bins))]
    for i in 0..k.len() {
        bins[k[i] as usize] += 1.0;
    }
}

/// Copies of the blocks don't fill the memory.
#[test]
fn many_teams_have_few_copies() {
    on_every_device(|d| {
        let mut r = Values(5);
        let k: Vec<u32> = (0..150_000).map(|_| r.bits() % 8000).collect();
        let (mut bins, mut want) = (vec![0.0; 8000], vec![0.0; 8000]);
        in_teams(d, &k, &mut bins, 1 << 20);
        k.iter().for_each(|k| want[*k as usize] += 1.0);
        assert!(bins == want, "on {d}");
    });
}

#[omp::offload]
fn both(
    d: usize,
    k: &[u32],
    x: &[f32],
    y: &[f64],
    (lo, hi): (usize, usize),
    all: &mut [f32],
    wide: &mut [f64],
) {
    #[omp::target(device(d), reduction(+: all[lo..hi]), reduction(+: wide))]
    for i in 0..k.len() {
        let at = k[i] as usize;
        all[lo + at] += x[i];
        wide[at] -= y[i];
    }
}

/// Each element's terms in an order of their own, so that the same bits mean that no order matters; on devices that add so.
#[test]
fn sums_into_large_arrays_are_close_however_far_apart_their_terms_are() {
    on_every_device(|d| {
        let mut r = Values(77);
        let few = [(6000, 9000, 9000), (6000, 9000, 3), (3000, 40_000, 40_000), (300, 40_000, 40_000)];
        // So many that blocks keep what they are asked for first.
        for (n, len, below) in few.into_iter().chain([(70_001, 9000, 9000), (70_001, 40_000, 60)]) {
            let k: Vec<u32> = (0..n).map(|_| r.bits() % below).collect();
            // All exponents, subnormal ones too, that don't add up to infinity.
            let x: Vec<f32> = (0..n)
                .map(|i| f32::from_bits(r.bits() & if i % 3 == 0 { 0xbfff_ffff } else { 0x807f_ffff }) / 3.0)
                .collect();
            let y: Vec<f64> = (0..n)
                .map(|i| {
                    f64::from_bits(
                        r.wide() & if i % 3 == 0 { 0xbfff_ffff_ffff_ffff } else { 0x801f_ffff_ffff_ffff },
                    )
                })
                .collect();
            let sums = |k: &[u32], x: &[f32], y: &[f64]| {
                let (mut all, mut wide) = (vec![0.0f32; len + 5], vec![0.0; len]);
                both(d, k, x, y, (2, len + 2), &mut all, &mut wide);
                (all, wide)
            };
            let (all, wide) = sums(&k, &x, &y);
            let mut want = vec![(0.0f64, 0.0f64, 0.0f64, 0.0f64); len];
            for i in 0..n as usize {
                let of = &mut want[k[i] as usize];
                of.0 += f64::from(x[i]);
                of.1 += f64::from(x[i]).abs();
                of.2 -= y[i];
                of.3 += y[i].abs();
            }
            // The sums in `f64` one after the other are off by n·u themselves.
            let bound = f64::from(n);
            for (e, of) in want.iter().enumerate() {
                let (u, tiny) = (f64::from(f32::EPSILON) / 2.0, f64::from(f32::from_bits(1)));
                assert!(
                    (f64::from(all[2 + e]) - of.0).abs() <= bound * u * of.1 + tiny,
                    "{n} {len} {e} on {d}"
                );
                let u = f64::EPSILON / 2.0 * (bound + f64::from(n));
                assert!((wide[e] - of.2).abs() <= u * of.3 + f64::from_bits(1), "{n} {len} {e} on {d}");
            }
            assert!(all[..2] == [0.0; 2] && all[len + 2..] == [0.0; 3], "on {d}");
            assert!(sums(&k, &x, &y) == (all, wide), "{n} {len} on {d}");
        }
    });
}

#[test]
fn what_is_no_number_goes_to_its_element_alone() {
    on_every_device(|d| {
        let len = 9000;
        let mut k = [5, 5, 6, 7, 7, 8, 8, 9, 9, 10, 11].map(|at| at * 700).to_vec();
        let (inf, nan, max) = (f32::INFINITY, f32::NAN, f32::MAX);
        let mut x = vec![inf, 1.0, -inf, inf, -inf, nan, 1.0, max, max, -0.0, 2.5];
        // So many that sums are accumulated on devices.
        k.resize(1000, 8400);
        x.resize(1000, 0.0);
        let (mut all, mut wide) = (vec![0.0f32; len], vec![1.0; len]);
        (all[7700], all[10], all[7000]) = (nan, -0.0, -0.0);
        let y: Vec<f64> = x.iter().map(|&v| if v == max { -f64::MAX } else { f64::from(v) }).collect();
        both(d, &k, &x, &y, (0, len), &mut all, &mut wide);
        let at = |k: usize| (all[k * 700], wide[k * 700]);
        assert!(at(5) == (inf, f64::NEG_INFINITY) && at(6) == (-inf, f64::INFINITY), "on {d}");
        assert!([7, 8, 11].iter().all(|k| all[k * 700].is_nan()) && wide[7700] == -1.5, "on {d}");
        assert!(wide[4900].is_nan() && wide[5600].is_nan(), "on {d}");
        assert!(at(9) == (inf, f64::INFINITY), "{:?} on {d}", at(9));
        assert!(
            all[10].is_sign_negative() && at(10).0 == 0.0 && at(10).0.is_sign_negative() && wide[7000] == 1.0,
            "on {d}"
        );
        let touched = [3500, 4200, 4900, 5600, 6300, 7000, 7700, 10];
        let rest = |e: &usize| !touched.contains(e);
        assert!((0..len).filter(rest).all(|e| all[e] == 0.0 && wide[e] == 1.0), "on {d}");
    });
}

/// As the loop one after the other has it: -0.0 stays so as long as nothing else is added.
#[test]
fn negative_zeros_are_those_of_the_loop() {
    on_every_device(|d| {
        let len = 9000;
        let mut k = [5, 6, 6, 7, 7, 8, 9, 9, 10, 10].map(|at| at * 700).to_vec();
        let mut x = vec![0.0f32, 1.0, -1.0, -0.0, -0.0, -0.0, -0.0, 0.0, 2.0, -0.5];
        k.resize(1000, 8400);
        x.resize(1000, 1.0);
        for negative in [&[5, 6, 7, 8, 9, 10, 11][..], &[9], &[]] {
            let (mut all, mut wide) = (vec![0.0f32; len + 3], vec![0.0; len]);
            for at in negative {
                (all[2 + at * 700], wide[at * 700]) = (-0.0, -0.0);
            }
            let y: Vec<f64> = x.iter().map(|&v| -f64::from(v)).collect();
            let (mut one, mut other) = (all.clone(), wide.clone());
            both(d, &k, &x, &y, (2, len + 2), &mut all, &mut wide);
            for i in 0..k.len() {
                one[2 + k[i] as usize] += x[i];
                other[k[i] as usize] -= y[i];
            }
            let bits = |v: &[f32]| v.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
            let wide_bits = |v: &[f64]| v.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
            assert!(bits(&all) == bits(&one), "{negative:?} on {d}");
            assert!(wide_bits(&wide) == wide_bits(&other), "{negative:?} on {d}");
        }
    });
}

#[omp::offload]
fn either(d: usize, k: &[u32], x: &[f32], odd: &mut [f32], even: &mut [f32]) {
    #[omp::target(device(d), reduction(+: odd), reduction(+: even))]
    for i in 0..k.len() {
        let at = k[i] as usize;
        if i % 2 == 1 {
            odd[at] += x[i];
        } else {
            even[at] += x[i];
        }
    }
}

/// Neighbouring iterations update the same elements of different arrays, in the same words.
#[test]
fn neither_of_two_arrays_gets_what_is_added_to_the_other() {
    on_every_device(|d| {
        let (n, len) = (8000, 9000);
        let k: Vec<u32> = (0..n).map(|i| i / 512).collect();
        let x: Vec<f32> = (0..n).map(|i| (1 + i % 2 * 2) as f32).collect();
        let (mut odd, mut even) = (vec![0.0; len], vec![0.0; len]);
        let (mut one, mut other) = (odd.clone(), even.clone());
        either(d, &k, &x, &mut odd, &mut even);
        for i in 0..n as usize {
            if i % 2 == 1 { one[k[i] as usize] += x[i] } else { other[k[i] as usize] += x[i] }
        }
        assert!(odd == one && even == other, "on {d}");
    });
}
