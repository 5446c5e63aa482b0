//! Few outer iterations with long inner loops that fold: the threads of a team share such a loop where the result does not depend on
//! the order.
#![forbid(unsafe_code)]
use omp_tests::{Values, on_every_device, panic_of, twice};

fn numbers(len: usize, seed: u64) -> Vec<i64> {
    let mut r = Values(seed);
    (0..len).map(|_| i64::from(r.bits() >> 24)).collect()
}

/// The last region had a team for each row if it ran on a CUDA device, and its inner loop was long.
fn in_teams(rows: usize, inner: usize) {
    let report = omp::last_region();
    if report.backend == "cuda" && inner >= 128 {
        assert_eq!(report.grid, [rows as u32, 1, 1], "{report}");
        assert!(report.block[0] >= 64, "{report}");
    }
}

twice! {
    pub fn nearest(d: usize, q: &[f32], x: &[f32], at: &mut [usize], best: &mut [f32]) {
        #[omp::target(device(d))]
        for i in 0..q.len() {
            let (mut least, mut found) = (f32::INFINITY, usize::MAX);
            for j in 0..x.len() {
                let d = (x[j] - q[i]) * (x[j] - q[i]);
                if d < least {
                    least = d;
                    found = j;
                }
            }
            at[i] = found;
            best[i] = least;
        }
    }

    pub fn last_of_equals(d: usize, x: &[i16], at: &mut [i32], value: &mut [i16], of: &mut [u8]) {
        #[omp::target(device(d))]
        for i in 0..at.len() {
            let (mut most, mut found, mut kind) = (-3i16, -1i32, 9u8);
            for j in (i..x.len()).step_by(2) {
                if x[j] % 5 == 4 {
                    continue;
                }
                if j % 7 != 3 && x[j] >= most {
                    kind = (x[j] & 3) as u8;
                    found = j as i32;
                    most = x[j];
                }
            }
            at[i] = found;
            value[i] = most;
            of[i] = kind;
        }
    }

    pub fn of_points(d: usize, q: &[[f64; 3]], x: &[[f64; 3]], out: &mut [(f64, u64, bool)]) {
        #[omp::target(device(d))]
        for i in 0..q.len() {
            let (mut best, mut at, mut even) = (f64::MAX, 0u64, false);
            for (j, p) in x.iter().enumerate() {
                let mut sum = 0.0;
                for k in 0..3 {
                    sum += (p[k] - q[i][k]).abs();
                }
                if best > sum {
                    best = sum;
                    at = j as u64;
                    even = j % 2 == 0;
                }
            }
            out[i] = (best, at, even);
        }
    }

    pub fn folds(d: usize, n: usize, x: &[i32], y: &[f32], out: &mut [[i64; 6]], least: &mut [f32]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let (limit, aim) = (i as i32, 90 - i as i32);
            let (mut most, mut bits, mut odd) = (i32::MIN, 0u32, 0u8);
            let (mut any, mut all, mut seen) = (false, true, false);
            let mut low = f32::INFINITY;
            if limit != 2 {
                for j in 0..n {
                    most = most.max(x[j] - limit * 3);
                    bits |= 1 << (x[j] & 31);
                    odd ^= (x[j] + limit) as u8;
                    any = any || x[j] == aim;
                    all &= x[j] > limit - 4;
                    if x[j] == 17 * limit {
                        seen = true;
                    }
                    low = low.min(y[j] * (limit + 1) as f32);
                }
            }
            out[i] = [most.into(), bits.into(), odd.into(), any.into(), all.into(), seen.into()];
            least[i] = low;
        }
    }

    /// Two loops, one of which also stores; a loop around them; what is found is used by the next loop.
    pub fn in_turn(d: usize, n: usize, x: &mut [i32], picked: &mut [usize]) {
        #[omp::target(device(d))]
        for i in 0..picked.len() / 3 {
            for k in 0..3 {
                let (mut most, mut at) = (i32::MIN, 0usize);
                for j in 0..n {
                    if x[i * n + j] > most {
                        most = x[i * n + j];
                        at = j;
                    }
                }
                picked[i * 3 + k] = at;
                let mut low = i32::MAX;
                for j in 0..n {
                    low = low.min(x[i * n + j]);
                    x[i * n + j] -= if j == at { most / 2 } else { 0 };
                }
                picked[i * 3 + k] += (low & 1) as usize;
            }
        }
    }

    /// What a comparison with the running extreme decides, other than the extreme, depends on the order.
    pub fn decided_by_comparisons(d: usize, n: usize, x: &[i32], marks: &mut [u8], out: &mut [[i32; 6]]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let (mut most, mut low, mut late, mut high) = (i32::MIN, i32::MAX, i32::MAX, i as i32);
            let (mut at, mut others) = (0, 0u32);
            for j in 0..n {
                let mut better = false;
                if x[j] > most {
                    most = x[j];
                    better = true;
                }
                marks[i * n + j] = better as u8;
            }
            for j in 0..n {
                if x[j] < low {
                    low = x[j];
                    at = j;
                    continue;
                }
                others |= 1 << (j % 32);
            }
            for j in 0..n {
                if x[j] < late {
                    late = x[j];
                    if x[j] % 2 == 0 {
                        continue;
                    }
                    at ^= j;
                }
            }
            for j in 0..n {
                for k in 0..3 {
                    if x[j] + k > high {
                        high = x[j] + k;
                        break;
                    }
                }
            }
            out[i] = [most, low, late, high, at as i32, others as i32];
        }
    }

    /// What the serial loop does not evaluate may be out of bounds.
    pub fn guarded_subscripts(d: usize, n: usize, x: &[i32], to: &[usize], out: &mut [(bool, i32, i32)]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let (mut any, mut most, mut found) = (false, i32::MIN, 0);
            for j in 0..n {
                any = any || x[to[j]] >= 0;
            }
            for j in 0..n {
                if x[j] > most {
                    found = x[to[j]];
                    most = x[j];
                }
            }
            out[i] = (any, most, found);
        }
    }

    /// What depends on the order stays in order: a running value that is read, a sum of floating-point numbers, a key that is also
    /// assigned elsewhere, an element that is found only sometimes.
    pub fn in_order(d: usize, x: &[f32], sums: &mut [f32], turns: &mut [u32], keys: &mut [f32], at: &mut [usize]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..sums.len() {
            let (mut sum, mut turn, mut key, mut found) = (0.0f32, 0u32, 0.0f32, 0usize);
            for j in 0..x.len() {
                sum += x[j] * (i + 1) as f32;
                if turn % 3 < 2 {
                    turn += 1;
                } else {
                    turn = turn / 2 + j as u32 % 5;
                }
                if x[j] > key {
                    key = x[j];
                    if j % 2 == 0 {
                        found = j;
                    }
                }
                if j == 40 {
                    key = 0.0;
                }
            }
            sums[i] = sum;
            turns[i] = turn;
            keys[i] = key;
            at[i] = found;
        }
    }

    /// A sequential loop around an independent one: each thread has elements of its own, and runs the sequential loop for them.
    pub fn gathered_rows(d: usize, m: usize, ptr: &[usize], col: &[usize], v: &[f32], x: &[f32], y: &mut [f32]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..ptr.len() - 1 {
            for k in ptr[i]..ptr[i + 1] {
                let (c, w) = (col[k], v[k]);
                for j in 0..m {
                    y[i * m + j] += w * x[c * m + j];
                }
            }
        }
    }

    /// What ends an iteration of one of the loops keeps them as they are, and so does an inner range that moves.
    pub fn kept_rows(d: usize, m: usize, ptr: &[usize], col: &[usize], v: &[f32], x: &[f32], y: &mut [f32], z: &mut [f32]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..ptr.len() - 1 {
            'terms: for k in ptr[i]..ptr[i + 1] {
                for j in 0..m {
                    if x[col[k] * m + j] < 1.0 {
                        continue 'terms;
                    }
                    y[i * m + j] += v[k];
                }
            }
            // The element is read by the value and by the condition, and stored in each iteration.
            for k in ptr[i]..ptr[i + 1] {
                let (c, w) = (col[k], v[k]);
                for j in 0..m {
                    let e = x[c * m + j];
                    y[i * m + j] = y[i * m + j] * 0.75 + e * w;
                    if y[i * m + j] > 6.0 {
                        y[i * m + j] -= e;
                    }
                }
            }
            for k in ptr[i]..ptr[i + 1] {
                let from = k % 7;
                for j in from..m {
                    z[i * m + j] = z[i * m + j] * 0.5 + v[k] * x[col[k] * m + j - from];
                }
            }
        }
    }
}

const LENGTHS: [usize; 6] = [0, 1, 2, 129, 1000, 4097];

#[test]
fn searches_find_the_first_of_equals() {
    for n in LENGTHS {
        let mut x: Vec<f32> = numbers(n, 3).into_iter().map(|v| (v % 23) as f32).collect();
        x.iter_mut().skip(5).step_by(11).for_each(|v| *v = f32::NAN);
        x.iter_mut().skip(4).step_by(31).for_each(|v| *v = -0.0);
        let q = [3.0, -1.0, 500.0, f32::NAN, 0.0];
        let run = |f: &dyn Fn(&mut [usize], &mut [f32])| {
            let (mut at, mut best) = (vec![7; q.len()], vec![7.0; q.len()]);
            f(&mut at, &mut best);
            (at, best.into_iter().map(f32::to_bits).collect::<Vec<_>>())
        };
        let want = run(&|at, best| plain::nearest(0, &q, &x, at, best));
        on_every_device(|d| {
            let got = run(&|at, best| device::nearest(d, &q, &x, at, best));
            in_teams(q.len(), n);
            assert_eq!(got, want, "{n} on device {d}");
        });
    }
}

#[test]
fn searches_find_the_last_of_equals() {
    for n in LENGTHS {
        let x: Vec<i16> = numbers(n, 4).into_iter().map(|v| (v % 40) as i16 - 20).collect();
        let mut want = (vec![7; 4], vec![7; 4], vec![7; 4]);
        plain::last_of_equals(0, &x, &mut want.0, &mut want.1, &mut want.2);
        on_every_device(|d| {
            let mut got = (vec![8; 4], vec![8; 4], vec![8; 4]);
            device::last_of_equals(d, &x, &mut got.0, &mut got.1, &mut got.2);
            in_teams(4, n);
            assert_eq!(got, want, "{n} on device {d}");
        });
    }
}

#[test]
fn searches_among_points() {
    for n in LENGTHS {
        let point = |k: usize| [k % 13, k * 7 % 11, k * k % 17].map(|v| v as f64);
        let (x, q): (Vec<_>, Vec<_>) = ((0..n).map(point).collect(), (0..9).map(|k| point(k * 5)).collect());
        let mut want = vec![(0.0, 0, true); q.len()];
        plain::of_points(0, &q, &x, &mut want);
        on_every_device(|d| {
            let mut got = vec![(1.0, 1, false); q.len()];
            device::of_points(d, &q, &x, &mut got);
            in_teams(q.len(), n);
            assert_eq!(got, want, "{n} on device {d}");
        });
    }
}

#[test]
fn folds_by_operators() {
    for n in LENGTHS {
        let x: Vec<i32> = numbers(n, 6).into_iter().map(|v| (v % 91) as i32).collect();
        let y: Vec<f32> = x.iter().map(|v| (*v - 40) as f32).collect();
        let mut want = (vec![[0; 6]; 5], vec![0.0; 5]);
        plain::folds(0, n, &x, &y, &mut want.0, &mut want.1);
        on_every_device(|d| {
            let mut got = (vec![[1; 6]; 5], vec![1.0; 5]);
            device::folds(d, n, &x, &y, &mut got.0, &mut got.1);
            in_teams(5, n);
            assert_eq!(got, want, "{n} on device {d}");
        });
    }
}

#[test]
fn folds_in_turn() {
    for n in [1usize, 130, 1001] {
        let start: Vec<i32> = numbers(4 * n, 8).into_iter().map(|v| (v % 201) as i32 - 100).collect();
        let mut want = (start.clone(), vec![0; 12]);
        plain::in_turn(0, n, &mut want.0, &mut want.1);
        on_every_device(|d| {
            let mut got = (start.clone(), vec![5; 12]);
            device::in_turn(d, n, &mut got.0, &mut got.1);
            in_teams(4, n);
            assert_eq!(got, want, "{n} on device {d}");
        });
    }
}

#[test]
fn statements_that_comparisons_decide() {
    for n in LENGTHS {
        let x: Vec<i32> = numbers(n, 12).into_iter().map(|v| (v % 300) as i32 - 150).collect();
        let mut want = (vec![7; 3 * n], vec![[0; 6]; 3]);
        plain::decided_by_comparisons(0, n, &x, &mut want.0, &mut want.1);
        on_every_device(|d| {
            let mut got = (vec![8; 3 * n], vec![[1; 6]; 3]);
            device::decided_by_comparisons(d, n, &x, &mut got.0, &mut got.1);
            assert_eq!(got, want, "{n} on device {d}");
        });
    }
}

#[test]
fn subscripts_that_are_not_evaluated_may_be_out_of_bounds() {
    let n = 1000;
    // The first number is the largest: nothing after it is evaluated.
    let x: Vec<i32> = (0..n as i32).map(|j| 5000 - j).collect();
    let to: Vec<usize> = (0..n).map(|j| if j == 0 { 3 } else { 7 * n }).collect();
    on_every_device(|d| {
        let mut got = vec![(false, 0, 0); 3];
        device::guarded_subscripts(d, n, &x, &to, &mut got);
        assert_eq!(got, [(true, 5000, 4997); 3], "on device {d}");
    });
}

#[test]
fn what_depends_on_the_order_stays_in_order() {
    for n in LENGTHS {
        let x: Vec<f32> = numbers(n, 9).into_iter().map(|v| (v % 77) as f32 / 7.0).collect();
        let mut want = (vec![0.0; 3], vec![0; 3], vec![0.0; 3], vec![0; 3]);
        plain::in_order(0, &x, &mut want.0, &mut want.1, &mut want.2, &mut want.3);
        on_every_device(|d| {
            let mut got = (vec![1.0; 3], vec![1; 3], vec![1.0; 3], vec![1; 3]);
            device::in_order(d, &x, &mut got.0, &mut got.1, &mut got.2, &mut got.3);
            assert_eq!(got, want, "{n} on device {d}");
        });
    }
}

#[test]
fn sequential_loops_around_independent_ones() {
    for (rows, m) in [(1usize, 32usize), (40, 33), (7, 150)] {
        let count = |i: usize| i * 5 % 11;
        let ptr: Vec<usize> = (0..=rows).map(|i| (0..i).map(count).sum()).collect();
        let n = ptr[rows];
        let col: Vec<usize> = numbers(n, 2).into_iter().map(|v| v as usize % rows).collect();
        let real = |n, seed| numbers(n, seed).into_iter().map(|v| (v % 37) as f32 / 8.0).collect::<Vec<_>>();
        let (v, x, start) = (real(n, 3), real(rows * m, 4), real(rows * m, 5));
        let mut want = [start.clone(), start.clone(), start.clone()];
        let [a, b, c] = &mut want;
        plain::gathered_rows(0, m, &ptr, &col, &v, &x, a);
        plain::kept_rows(0, m, &ptr, &col, &v, &x, b, c);
        on_every_device(|d| {
            let mut got = [start.clone(), start.clone(), start.clone()];
            let [a, b, c] = &mut got;
            device::gathered_rows(d, m, &ptr, &col, &v, &x, a);
            device::kept_rows(d, m, &ptr, &col, &v, &x, b, c);
            assert!(got == want, "{rows} rows of {m} on device {d}");
        });
    }
}

#[test]
fn gathers_of_rows_fail_where_they_leave_an_array() {
    let (m, ptr, v) = (40, [0usize, 2, 5], [1.0f32; 5]);
    let x = vec![1.0f32; 4 * m];
    on_every_device(|d| {
        let mut y = vec![0.0f32; 2 * m];
        let run = || device::gathered_rows(d, m, &ptr, &[0, 3, 1, 9, 2], &v, &x, &mut y);
        let message = panic_of(run).expect("a row is not there");
        assert!(message.contains("subscript of `x`") && message.contains("k = 3"), "{message}");
    });
}
