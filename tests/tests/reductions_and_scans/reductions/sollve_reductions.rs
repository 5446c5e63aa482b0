//! The programs by which the OpenMP validation and verification suite (SOLLVE; OpenMP_VV, tests/4.5, the files
//! `test_target_teams_distribute_reduction_*` and `test_target_teams_distribute_parallel_for_reduction`) judges reductions:
//! its facts in our own words and code. Those facts are: 1024 elements, mapped by a data region around the loops; each
//! iteration tells the number of teams, which has to be one number; sums, differences, extremes of small integers; products
//! over windows of 16 elements, a loop for each in one data region; bits and truths so distributed that a conjunction over
//! all of them comes out either way; a sum in closed form; sums into a section of an array, by an inner loop over a private variable.
#![allow(clippy::assign_op_pattern, reason = "every spelling of an update")]
use omp_tests::{Values, on_every_device};

const N: usize = 1024;
const WINDOW: usize = 16;
const TEAMS: usize = 8;
const ROUNDS: u64 = 16;

/// Two arrays of a round: numbers below 100; and one of bits, each of which is 1 in all elements as often as not.
fn data(round: u64) -> (Vec<i32>, Vec<i32>, Vec<u32>) {
    let mut r = Values(round * 7 + 1);
    let (a, b) = (0..N).map(|_| ((r.bits() % 100) as i32, (r.bits() % 100) as i32)).unzip();
    // (1 - p)^1024 = 1/2.
    let rare = (1.0 - 0.5f64.powf(1.0 / N as f64)) * f64::from(u32::MAX);
    let bits = (0..N)
        .map(|_| (0..16).fold(0, |bits, k| bits | u32::from(f64::from(r.bits()) >= rare) << k))
        .collect();
    (a, b, bits)
}

/// What the iterations said about teams.
fn check_teams(teams: &[usize], on: usize) {
    let first = teams[0];
    assert!(teams.iter().all(|t| *t == first), "on {on}: iterations tell different numbers of teams");
    assert!((1..=TEAMS).contains(&first), "on {on}: {first} teams");
    if on < omp::get_num_devices() {
        assert!(first > 1, "on {on}: one team only, so nothing was reduced over teams");
    }
}

macro_rules! programs {
    ($($name:ident: $T:ty, $op:tt, $start:expr, |$s:ident, $a:ident, $b:ident, $bits:ident, $i:ident| $update:expr;)*) => { $(
        #[test]
        fn $name() {
            #[omp::offload]
            fn on(d: usize, $a: &[i32], $b: &[i32], $bits: &[u32], teams: &mut [usize]) -> $T {
                let mut $s: $T = $start;
                #[omp::target_data(device(d), map(to: $a, $b, $bits), map(tofrom: teams))]
                {
                    #[omp::target_teams_distribute_parallel_for(device(d), num_teams(TEAMS), reduction($op: $s))]
                    for $i in 0..N {
                        teams[$i] = omp::get_num_teams();
                        $update
                    }
                }
                $s
            }
            for round in 0..ROUNDS {
                let (a, b, bits) = data(round);
                let ($a, $b, $bits) = (&a[..], &b[..], &bits[..]);
                let _ = ($a, $b, $bits);
                let mut $s: $T = $start;
                for $i in 0..N {
                    $update
                }
                on_every_device(|d| {
                    let mut teams = [0; N];
                    assert_eq!(on(d, $a, $b, $bits, &mut teams), $s, "on {d}, round {round}");
                    check_teams(&teams, d);
                });
            }
        }
    )* };
}

programs! {
    add: i32, +, 0, |total, a, b, bits, i| { total += a[i] + b[i]; };
    subtract: i32, -, 0, |total, a, b, bits, i| { total -= a[i] + b[i]; };
    subtract_as_a_sum: i32, +, 0, |total, a, b, bits, i| { total -= a[i] + b[i]; };
    least: i32, min, 2 * 100, |result, a, b, bits, i| { result = result.min(a[i] + b[i]); };
    least_by_comparison: i32, min, i32::MAX, |result, a, b, bits, i| if a[i] * b[i] < result { result = a[i] * b[i]; };
    most: i32, max, 0, |result, a, b, bits, i| { result = (a[i] + b[i]).max(result); };
    most_by_comparison: i32, max, i32::MIN, |result, a, b, bits, i| if a[i] * b[i] > result { result = a[i] * b[i]; };
    bits_of_all: u32, &, 0xffff, |result, a, b, bits, i| { result = result & bits[i]; };
    bits_of_any: u32, |, 0, |result, a, b, bits, i| { result = result | !bits[i] & 0xffff; };
    bits_of_odd: u32, ^, 0, |result, a, b, bits, i| { result = result ^ (a[i] * 31 + b[i]) as u32; };
    all_of_them: bool, &&, true, |result, a, b, bits, i| { result = result && bits[i] & 1 == 1; };
    one_of_them: bool, ||, false, |result, a, b, bits, i| { result = result || bits[i] & 2 == 0; };
}

#[omp::offload]
fn products(d: usize, a: &[i32], products: &mut [i64], teams: &mut [usize]) {
    #[omp::target_data(device(d), map(to: a), map(tofrom: teams))]
    {
        for w in 0..N / WINDOW {
            let mut product = 1i64;
            #[omp::target_teams_distribute_parallel_for(device(d), num_teams(TEAMS), thread_limit(2), reduction(*: product))]
            for y in 0..WINDOW {
                product *= (a[w * WINDOW + y] % 7 + 1) as i64;
                teams[w * WINDOW + y] = omp::get_num_teams();
            }
            products[w] = product;
        }
    }
}

#[test]
fn multiply() {
    let (a, _, _) = data(3);
    let want: Vec<i64> =
        a.chunks(WINDOW).map(|of| of.iter().map(|v| i64::from(v % 7 + 1)).product()).collect();
    on_every_device(|d| {
        let (mut got, mut teams) = (vec![0; N / WINDOW], vec![0; N]);
        products(d, &a, &mut got, &mut teams);
        assert_eq!(got, want, "on {d}");
        check_teams(&teams, d);
    });
}

#[omp::offload]
fn in_closed_form(d: usize, x: &[i32]) -> i32 {
    let mut total = 0;
    #[omp::target_teams_distribute_parallel_for(device(d), reduction(+: total))]
    for i in 0..N {
        total += x[i];
    }
    total
}

#[omp::offload]
fn into_a_section(d: usize, x: &[[i32; 64]; N], total: &mut [i32]) {
    let mut row = 0;
    #[omp::target_teams_distribute_parallel_for(device(d), private(row), reduction(+: total[0:N]))]
    for i in 0..N {
        row = 0;
        for j in 0..64 {
            row += 1;
            total[i] += x[i][j] * row;
        }
    }
}

#[test]
fn one_sum_and_many() {
    let x: Vec<i32> = (1..=N as i32).collect();
    let of: [i32; 64] = std::array::from_fn(|j| j as i32 + 1);
    let rows = Box::new([of; N]);
    on_every_device(|d| {
        assert_eq!(in_closed_form(d, &x), 524_800, "on {d}");
        let mut total = [5; N + 1];
        into_a_section(d, &rows, &mut total);
        let squares: i32 = of.iter().map(|v| v * v).sum();
        assert!(total[..N].iter().all(|t| *t == 5 + squares), "on {d}");
        assert_eq!(total[N], 5, "on {d}: beside the section");
    });
}
