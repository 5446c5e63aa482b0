//! Iterations with arrays of their own: local ones whose elements data choose, and parts of mapped arrays that an iteration goes through
//! several times. On CUDA they are in shared memory. Each against the same without directives.
#![allow(clippy::all, clippy::pedantic, missing_docs)]
use omp_tests::{compare, panic_text, twice};
use std::panic::{AssertUnwindSafe, catch_unwind};

twice! {
    /// Bins of types of several sizes, and a row of an array of arrays.
    #[omp::offload]
    pub fn bins(m: usize, x: &[u32], sums: &mut [[f64; 5]], counts: &mut [[u8; 3]], last: &mut [u64]) {
        #[omp::target]
        for i in 0..sums.len() {
            let mut sum = [0.5f64; 5];
            let mut count = [0u8; 3];
            let mut seen = [false; 7];
            let mut at = 0;
            for k in 0..m {
                let v = x[i * m + k];
                if v % 11 == 0 {
                    continue;
                }
                if v % 97 == 5 {
                    break;
                }
                sum[v as usize % 5] += v as f64;
                count[(v / 5) as usize % 3] = count[(v / 5) as usize % 3].wrapping_add(v as u8);
                seen[v as usize % 7] = true;
                at = v as usize % 7;
            }
            if seen[3] {
                sum[0] = -sum[0];
            }
            sums[i] = sum;
            counts[i] = count;
            if i % 3 == 1 {
                continue;
            }
            last[i] = at as u64 + if seen[at] { 100 } else { 0 };
        }
    }
    /// Rows of a local matrix are copied and exchanged; it comes from an array, and goes to one.
    #[omp::offload]
    pub fn sorted_rows(a: &[[[i32; 3]; 4]], by: &[usize], out: &mut [[[i32; 3]; 4]], first: &mut [[i32; 3]]) {
        #[omp::target]
        for m in 0..a.len() {
            let mut w = a[m];
            let keep;
            for i in 0..4 {
                let mut p = i;
                for k in i + 1..4 {
                    if w[k][by[m]] < w[p][by[m]] {
                        p = k;
                    }
                }
                let row = w[i];
                w[i] = w[p];
                w[p] = row;
            }
            keep = w;
            first[m] = keep[by[m]];
            w[3] = [7, keep[0][0], by[m] as i32];
            out[m] = w;
        }
    }
    /// Two loops, and a local array that is declared in a loop.
    #[omp::offload]
    pub fn windows(r: usize, c: usize, x: &[u8], y: &mut [u32]) {
        #[omp::target(collapse(2))]
        for i in 0..r {
            for j in 0..c {
                let mut best = 0;
                for d in 0..2 {
                    let mut of = [d as u32; 16];
                    for k in 0..9 {
                        let p = (i + k / 3).min(r - 1) * c + (j + k % 3).min(c - 1);
                        of[x[p] as usize % 16] += 1 + d as u32;
                    }
                    for k in 0..16 {
                        if of[k] > of[best] {
                            best = k;
                        }
                    }
                    y[i * c + j] = y[i * c + j] * 100 + best as u32 * 10 + of[best];
                }
            }
        }
    }
    /// More numbers than registers.
    #[omp::offload]
    pub fn long_rows(x: &[i16], y: &mut [i64]) {
        #[omp::target]
        for i in 0..y.len() {
            let mut row = [0i16; 200];
            for j in 0..200 {
                row[j] = x[i * 200 + j];
            }
            let mut sum = 0;
            for j in 1..200 {
                row[j] = row[j].wrapping_add(row[j - 1] ^ row[199 - j]);
                sum += row[j] as i64;
            }
            y[i] = sum;
        }
    }
    #[omp::declare_target]
    fn bump(bins: &mut [u32; 4], at: usize) -> u32 {
        bins[at] += 1;
        bins[at]
    }
    /// A function has the array.
    #[omp::offload]
    pub fn passed_on(x: &[u32], y: &mut [u32]) {
        #[omp::target]
        for i in 0..y.len() {
            let mut bins = [0u32; 4];
            let mut most = 0;
            for k in 0..5 {
                most = most.max(bump(&mut bins, x[i * 5 + k] as usize % 4));
            }
            y[i] = most * 10 + bins[x[i * 5] as usize % 4];
        }
    }
    #[omp::offload]
    pub fn cholesky(n: usize, batch: usize, a: &[f64], l: &mut [f64]) {
        #[omp::target(map(to: a), map(tofrom: l), fp(strict))]
        for m in 0..batch {
            let a = &a[m * n * n..(m + 1) * n * n];
            let l = &mut l[m * n * n..(m + 1) * n * n];
            for i in 0..n {
                for j in 0..=i {
                    let mut sum = a[i * n + j];
                    for k in 0..j {
                        sum -= l[i * n + k] * l[j * n + k];
                    }
                    l[i * n + j] = if i == j { sum.sqrt() } else { sum / l[j * n + j] };
                }
            }
        }
    }
    /// In place, of the matrices from `lo` on.
    #[omp::offload]
    pub fn factors(n: usize, lo: usize, hi: usize, a: &mut [f32], pivots: &mut [f32]) {
        #[omp::target(fp(strict))]
        for m in lo..hi {
            for k in 0..n {
                let pivot = a[m * n * n + k * n + k];
                pivots[m * n + k] = pivot;
                if pivot == 0.0 {
                    continue;
                }
                for i in k + 1..n {
                    let f = a[m * n * n + i * n + k] / pivot;
                    a[m * n * n + i * n + k] = f;
                    for j in k + 1..n {
                        a[m * n * n + i * n + j] -= f * a[m * n * n + k * n + j];
                    }
                }
            }
        }
    }
    /// Two inner loops whose iterations are independent, with a value from before them; some iterations end early.
    #[omp::offload]
    pub fn downdates(n: usize, batch: usize, a: &mut [i64], ends: &mut [i64]) {
        #[omp::target]
        for m in 0..batch {
            let mut last = 1;
            for k in 0..n {
                let pivot = a[m * n * n + k * n + k] | 1;
                for i in k + 1..n {
                    a[m * n * n + i * n + k] = a[m * n * n + i * n + k].wrapping_mul(pivot);
                }
                for j in k + 1..n {
                    if j % 5 == 4 {
                        continue;
                    }
                    for i in j..n {
                        let by = a[m * n * n + i * n + k].wrapping_mul(a[m * n * n + j * n + k]);
                        a[m * n * n + i * n + j] = a[m * n * n + i * n + j].wrapping_sub(by);
                    }
                }
                last = last ^ pivot;
                if last % 7 == 3 {
                    break;
                }
            }
            if last % 3 == 0 {
                continue;
            }
            a[m * n * n] = last;
            ends[m] = a[m * n * n + n * n - 1];
        }
    }
    /// Elements that are matrices, in place: each of their numbers is reached several times. A subscript that data gives is checked.
    #[omp::offload]
    pub fn matrices(a: &mut [[[i32; 4]; 5]], at: &[usize]) {
        #[omp::target]
        for m in 0..a.len() {
            for k in 0..4 {
                for i in k + 1..5 {
                    a[m][i][k] = a[m][i][k].wrapping_mul(3) ^ a[m][k][k];
                    for j in k + 1..4 {
                        a[m][i][j] = a[m][i][j].wrapping_sub(a[m][i][k].wrapping_mul(a[m][k][j]));
                    }
                }
            }
            if at[m] != 9 {
                a[m][0][at[m]] = 1;
            }
        }
    }
    /// Elements of one number, and a subscript in an element that is not proved, and never reached where it would be wrong.
    #[omp::offload]
    pub fn ones(c: &mut [[f32; 1]], a: &mut [[[f32; 4]; 5]], n: usize, f: &[f32]) {
        #[omp::target]
        for b in 0..c.len() / 8 {
            for t in 0..40 {
                for k in 0..8 {
                    c[b * 8 + k][0] = c[b * 8 + k][0] * 0.5 + c[b * 8][0] + t as f32;
                }
            }
        }
        #[omp::target]
        for m in 0..a.len() {
            for t in 0..100 {
                for j in 0..n {
                    if f[j] < 0.5 {
                        a[m][1][j] = a[m][1][j] * 0.5 + f[j];
                    }
                }
            }
        }
    }
    /// The same by references to the elements, without other subscripts; rows of them are copied as a whole in the second loop.
    #[omp::offload]
    pub fn referred(a: &mut [[[f32; 8]; 8]], b: &mut [[[i16; 3]; 2]]) {
        #[omp::target]
        for m in a.iter_mut() {
            for k in 0..8 {
                for i in k + 1..8 {
                    m[i][k] /= m[k][k];
                    for j in k + 1..8 {
                        m[i][j] -= m[i][k] * m[k][j];
                    }
                }
            }
        }
        #[omp::target]
        for m in 0..b.len() {
            for k in 0..40i16 {
                let row = b[m][0];
                b[m][1] = row;
                b[m][0][2] = row[1].wrapping_add(k);
                b[m][0][1] = row[2] ^ row[0];
            }
        }
    }
    /// Fails in a loop that threads share.
    #[omp::offload]
    pub fn stops_together(n: usize, batch: usize, by: &[i32], a: &mut [i32]) {
        #[omp::target]
        for m in 0..batch {
            for k in 0..n {
                for i in k + 1..n {
                    for j in k + 1..n {
                        a[m * n * n + i * n + j] += a[m * n * n + k * n + j] % 8 + by[i];
                    }
                }
            }
        }
    }
    /// The part of an iteration is less than what lies between parts; a condition ends some iterations, and steps go down.
    #[omp::offload]
    pub fn prefixes(n: usize, x: &mut [u16], ends: &mut [u16]) {
        #[omp::target]
        for m in (0..ends.len()).rev().step_by(2) {
            for pass in 0..5 {
                for k in 1..n {
                    x[m * 24 + k + 3] = x[m * 24 + k + 3].wrapping_mul(3).wrapping_add(x[m * 24 + k + 2]);
                }
            }
            if x[m * 24 + 3] % 2 == 0 {
                continue;
            }
            ends[m] = x[m * 24 + n + 2];
        }
    }
    /// Elements with two numbers: an iteration of the inner loop reads what the one before it stores.
    #[omp::offload]
    pub fn pairs(n: usize, a: &mut [[f32; 2]]) {
        #[omp::target]
        for m in 0..a.len() / n.max(1) {
            for pass in 0..4 {
                for k in 1..n {
                    a[m * n + k][0] = a[m * n + k][1] + 1.0;
                    a[m * n + k][1] = a[m * n + k - 1][0] * 0.5;
                }
            }
        }
    }
    /// Two subscripts of one array, in which the parallel loop has different factors.
    #[omp::offload]
    pub fn slanted(batch: usize, n: usize, a: &[i32], c: &mut [i32]) {
        #[omp::target]
        for m in 0..batch {
            for pass in 0..6 {
                for i in 0..n {
                    c[m * 64 + 2 * i] = c[m * 64 + 2 * i].wrapping_mul(3) ^ a[m * 65 + 2 * i + 1];
                    c[m * 65 - m + 2 * i + 1] = c[m * 64 + 2 * i].wrapping_add(1);
                }
            }
        }
    }
    /// A loop that begins beyond what 32 bits have.
    #[omp::offload]
    pub fn far(first: u64, n: u64, x: &mut [u32]) {
        #[omp::target]
        for m in 0..x.len() / 24 {
            for pass in 0..6 {
                for k in first + 1..first + n {
                    let at = m * 24 + (k - first) as usize;
                    x[at] = x[at].wrapping_mul(3).wrapping_add(x[at - 1]);
                }
            }
        }
    }
    /// A local array whose elements data choose, in a loop that may fail after some of its iterations.
    #[omp::offload]
    pub fn chosen(n: usize, at: &[usize], w: &[u32], out: &mut [u32]) {
        #[omp::target]
        for m in 0..out.len() {
            let mut own = [0u32; 8];
            for k in 0..8 {
                own[(at[m] + k) % 8] = w[at[m * 8 + k]] / w[k + n];
                own[k] += own[(k * 3 + at[m]) % 8] & 7;
            }
            out[m] = own[at[m] % 8] + own[2] * 3;
        }
    }
    /// The next iteration's element, which is only read of another array.
    #[omp::offload]
    pub fn neighbours(n: usize, x: &[i32], y: &mut [i32]) {
        #[omp::target]
        for m in 0..y.len() / 8 {
            for pass in 0..n {
                for k in 0..8 {
                    y[m * 8 + k] = y[m * 8 + k].wrapping_mul(5) ^ x[m * 8 + k + pass];
                }
            }
        }
    }
    /// Stops for some data, in the middle of a part.
    #[omp::offload]
    pub fn stops(n: usize, by: &[u32], x: &mut [u32]) {
        #[omp::target]
        for m in 0..by.len() {
            for pass in 0..6 {
                for k in 1..n {
                    assert!(by[m] != 9 || pass != 3, "nine");
                    x[m * n + k] = x[m * n + k].wrapping_add(x[m * n + k - 1] / by[m]);
                }
            }
        }
    }
    /// Fails for some data.
    #[omp::offload]
    pub fn fails(n: usize, at: &[usize], w: &[u32], x: &mut [u32], sums: &mut [u32]) {
        #[omp::target]
        for m in 0..at.len() {
            let mut bins = [0u32; 6];
            for pass in 0..6 {
                for k in 1..n {
                    x[m * n + k] = x[m * n + k].wrapping_add(x[m * n + k - 1]);
                    bins[at[m] % 6 + at[m] / 1000] += w[at[m]];
                }
            }
            sums[m] = bins[at[m] % 6];
        }
    }
}

#[test]
fn bins() {
    for n in [0, 1, 2, 31, 33, 257, 3001] {
        compare!(m, d => {
            omp::set_default_device(d);
            let x: Vec<u32> = (0..n as u32 * 13).map(|i| i.wrapping_mul(2_654_435_761) >> 7).collect();
            let (mut sums, mut counts, mut last) = (vec![[9.0; 5]; n], vec![[9; 3]; n], vec![9; n]);
            m::bins(13, &x, &mut sums, &mut counts, &mut last);
            let again = last.clone();
            m::bins(0, &x, &mut sums, &mut counts, &mut last);
            m::bins(7, &x, &mut sums, &mut counts, &mut last);
            (sums, counts, last, again)
        });
    }
}

#[test]
fn rows() {
    for n in [0, 1, 33, 1000] {
        compare!(m, d => {
            omp::set_default_device(d);
            let a: Vec<[[i32; 3]; 4]> = (0..n).map(|m| std::array::from_fn(|i| std::array::from_fn(|j| (m * 7 + i * 5 + j * 11) as i32 % 13))).collect();
            let by: Vec<usize> = (0..n).map(|m| m % 3).collect();
            let (mut out, mut first) = (a.clone(), vec![[0; 3]; n]);
            m::sorted_rows(&a, &by, &mut out, &mut first);
            (out, first)
        });
    }
}

#[test]
fn grids() {
    for (r, c) in [(0, 3), (3, 0), (1, 1), (1, 70), (33, 5), (64, 64), (67, 129)] {
        compare!(m, d => {
            omp::set_default_device(d);
            let x: Vec<u8> = (0..r * c).map(|i| (i * 37 % 251) as u8).collect();
            let mut y = vec![1; r * c];
            m::windows(r, c, &x, &mut y);
            y
        });
    }
}

#[test]
fn many() {
    for n in [0, 1, 65, 300] {
        compare!(m, d => {
            omp::set_default_device(d);
            let x: Vec<i16> = (0..n * 200).map(|i| (i * 37 % 4001) as i16).collect();
            let w: Vec<u32> = (0..n as u32 * 5).map(|i| i * i % 23).collect();
            let (mut y, mut z) = (vec![0; n], vec![0; n]);
            m::long_rows(&x, &mut y);
            m::passed_on(&w, &mut z);
            (y, z)
        });
    }
}

#[test]
fn matrices() {
    // (The first sizes have kernels of their own.)
    let sizes = [(33, 20), (7, 100), (16, 65), (4, 257), (70, 4), (0, 3), (1, 5), (2, 0), (3, 33), (40, 3)];
    for (n, batch) in sizes {
        compare!(m, d => {
            omp::set_default_device(d);
            let at = |m: usize, i: usize, j: usize| ((m + i.min(j) * 3 + i.max(j) * 5) % 7) as f64 * 0.1 + if i == j { n as f64 } else { 0.0 };
            let mut a: Vec<f64> = Vec::new();
            for m in 0..batch {
                for i in 0..n {
                    a.extend((0..n).map(|j| at(m, i, j)));
                }
            }
            let mut l: Vec<f64> = (0..a.len()).map(|i| i as f64).collect();
            m::cholesky(n, batch, &a, &mut l);
            let mut b: Vec<f32> = a.iter().map(|v| *v as f32 - 1.0).collect();
            let mut pivots = vec![5.0; batch * n];
            m::factors(n, 1.min(batch), batch, &mut b, &mut pivots);
            m::factors(n, 0, batch / 2, &mut b, &mut pivots);
            let mut c: Vec<i64> = (0..batch * n * n).map(|i| (i * i % 1001) as i64 - 300).collect();
            let mut ends = vec![1; batch];
            if n > 0 {
                m::downdates(n, batch, &mut c, &mut ends);
            }
            (l.iter().map(|v| v.to_bits()).collect::<Vec<_>>(), b, pivots, c, ends)
        });
    }
}

#[test]
fn parts() {
    for n in [0, 1, 2, 67, 500] {
        compare!(m, d => {
            omp::set_default_device(d);
            let mut x: Vec<u16> = (0..n * 24).map(|i| (i * 7 % 1001) as u16).collect();
            let mut ends = vec![3; n];
            m::prefixes(17, &mut x, &mut ends);
            m::prefixes(21, &mut x, &mut ends);
            m::prefixes(1, &mut x, &mut ends);
            let near: Vec<i32> = (0..n as i32 * 8 + 20).map(|i| i * i).collect();
            let mut y: Vec<i32> = (0..n as i32 * 8).collect();
            m::neighbours(9, &near, &mut y);
            m::neighbours(0, &near, &mut y);
            (x, ends, y)
        });
    }
}

#[test]
fn elements_with_parts_and_other_strides() {
    for n in [0, 1, 2, 16, 33] {
        for batch in [0, 1, 40, 300] {
            compare!(m, d => {
                omp::set_default_device(d);
                let mut pairs: Vec<[f32; 2]> = (0..n * batch).map(|i| [i as f32 * 0.25, (i % 7) as f32]).collect();
                m::pairs(n, &mut pairs);
                let a: Vec<i32> = (0..70 + batch as i32 * 66).map(|i| i * i % 1009).collect();
                let mut c: Vec<i32> = (0..70 + batch as i32 * 64).map(|i| i % 100).collect();
                m::slanted(batch, n.min(32), &a, &mut c);
                let mut far: Vec<u32> = (0..batch as u32 * 24).collect();
                m::far(5_000_000_000, n.min(24) as u64, &mut far);
                m::far(0, n.min(24) as u64, &mut far);
                (pairs, c, far)
            });
        }
    }
}

/// All iterations of a loop that tests for failures run, and a failure is reported.
#[test]
fn chosen_elements_in_loops_that_may_fail() {
    let count = 300;
    let at: Vec<usize> = (0..count * 8).map(|i| i * 37 % 101).collect();
    let mut w: Vec<u32> = (0..120).map(|i| 1 + i * i % 1013).collect();
    for n in [0, 1, 5] {
        compare!(m, d => {
            omp::set_default_device(d);
            let mut out = vec![7; count];
            m::chosen(n, &at, &w, &mut out);
            out
        });
    }
    w[9] = 0;
    omp_tests::on_every_device(|d| {
        omp::set_default_device(d);
        let mut out = vec![7; count];
        let run = AssertUnwindSafe(|| device::chosen(2, &at, &w, &mut out));
        let panic = catch_unwind(run).expect_err("a divisor is zero");
        let text = panic_text(&*panic);
        assert!(text.contains("divide by zero"), "{text}: on {d}");
        assert!(out.iter().all(|v| *v == 7), "on {d}");
    });
}

/// A failure in the middle: other iterations have their results or what was there, the elements between parts stay, and the program goes on.
#[test]
fn failures_in_the_middle() {
    omp_tests::on_every_device(|d| {
        omp::set_default_device(d);
        for (wrong, what) in [(0, "divide by zero"), (9, "nine")] {
            let (n, count) = (12, 300);
            let good: Vec<u32> = (0..count as u32).map(|m| 1 + m % 4).collect();
            let mut by = good.clone();
            by[130] = wrong;
            let start: Vec<u32> = (0..n * count).map(|i| i as u32 % 50).collect();
            let mut x = start.clone();
            let run = AssertUnwindSafe(|| device::stops(n, &by, &mut x));
            let panic = catch_unwind(run).expect_err("a number is wrong");
            let text = panic_text(&*panic);
            assert!(text.contains(what), "{text}: on {d}");
            let mut all = start.clone();
            plain::stops(n, &good, &mut all);
            let part = |of: &[u32], m: usize| of[m * n..(m + 1) * n].to_vec();
            let fine = |m: usize| part(&x, m) == part(&start, m) || part(&x, m) == part(&all, m);
            assert!((0..count).all(|m| m == 130 || fine(m)), "on {d}");
            let mut x = start.clone();
            device::stops(n, &good, &mut x);
            assert!(x == all, "on {d}");
        }
        for (wrong, what) in [(7777, "7777"), (1997, "index out of bounds: the len is 6")] {
            let (n, count) = (12, 300);
            let mut at: Vec<usize> = (0..count).map(|i| i % 6).collect();
            at[130] = wrong;
            let w = vec![1; 2000];
            let start: Vec<u32> = (0..n * count).map(|i| i as u32 % 5).collect();
            let (mut x, mut sums) = (start.clone(), vec![9; count]);
            let run = AssertUnwindSafe(|| device::fails(n, &at, &w, &mut x, &mut sums));
            let panic = catch_unwind(run).expect_err("an index is wrong");
            let text = panic_text(&*panic);
            assert!(text.contains(what), "{text}: on {d}");
            let good: Vec<usize> = (0..count).map(|i| i % 6).collect();
            let (mut all, mut right) = (start.clone(), vec![0; count]);
            plain::fails(n, &good, &w, &mut all, &mut right);
            for m in 0..count {
                let part = |of: &[u32]| of[m * n..(m + 1) * n].to_vec();
                let fine = part(&x) == part(&start) || part(&x) == part(&all);
                assert!(m == 130 || fine && [9, right[m]].contains(&sums[m]), "on {d}: {m}");
            }
            let (mut x, mut sums) = (start.clone(), vec![9; count]);
            device::fails(n, &good, &w, &mut x, &mut sums);
            assert!(x == all && sums == right, "on {d}");
        }
    });
}

/// Threads that share a loop learn of a failure in it: with overflow checks, there is one.
#[test]
fn failures_in_shared_loops() {
    omp_tests::on_every_device(|d| {
        omp::set_default_device(d);
        let (n, batch) = (33, 40);
        let start: Vec<i32> = (0..n * n * batch).map(|i| (i % 1000) as i32).collect();
        let mut by = vec![1; n];
        let (mut x, mut all) = (start.clone(), start.clone());
        device::stops_together(n, batch, &by, &mut x);
        plain::stops_together(n, batch, &by, &mut all);
        assert!(x == all, "on {d}");
        by[20] = i32::MAX - 500;
        let mut x = start.clone();
        let run = AssertUnwindSafe(|| device::stops_together(n, batch, &by, &mut x));
        let failed = catch_unwind(run);
        assert_eq!(failed.is_err(), cfg!(debug_assertions), "on {d}");
        if let Err(panic) = failed {
            let text = panic_text(&*panic);
            assert!(text.contains("attempt to add with overflow"), "{text}: on {d}");
        }
        by[20] = 1;
        let mut x = start.clone();
        device::stops_together(n, batch, &by, &mut x);
        assert!(x == all, "on {d}");
    });
}

/// Elements that are matrices.
#[test]
fn elements_with_numbers() {
    omp_tests::on_every_device(|d| {
        omp::set_default_device(d);
        for n in [0, 1, 33, 1000] {
            let numbers = |m: usize| {
                std::array::from_fn(|i| std::array::from_fn(|j| (m * 31 + i * 7 + j * 3) as i32 % 50 - 20))
            };
            let mut a: Vec<[[i32; 4]; 5]> = (0..n).map(numbers).collect();
            let at: Vec<usize> = (0..n).map(|m| if m % 3 == 0 { 9 } else { m % 4 }).collect();
            let mut expected = a.clone();
            plain::matrices(&mut expected, &at);
            device::matrices(&mut a, &at);
            assert!(a == expected, "{n} on {d}");
            let mut x: Vec<[[f32; 8]; 8]> = (0..n)
                .map(|m| {
                    std::array::from_fn(|i| {
                        std::array::from_fn(|j| if i == j { 9.0 } else { ((m + i * 3 + j) % 11) as f32 })
                    })
                })
                .collect();
            let mut y: Vec<[[i16; 3]; 2]> = (0..n).map(|m| [[m as i16, 2, 3], [4, 5, 6]]).collect();
            let (mut xs, mut ys) = (x.clone(), y.clone());
            plain::referred(&mut xs, &mut ys);
            device::referred(&mut x, &mut y);
            let close = |a: &f32, b: &f32| (a - b).abs() <= 1e-4 * (1.0 + b.abs());
            let all = |v: &[[[f32; 8]; 8]]| v.iter().flatten().flatten().copied().collect::<Vec<f32>>();
            assert!(all(&x).iter().zip(&all(&xs)).all(|(a, b)| close(a, b)) && y == ys, "{n} on {d}");
        }
        for n in [4, 5] {
            let f = [0.1, 0.6, 0.2, 0.3, 0.9];
            let given = ([[1.5; 1]; 800], [[[2.5; 4]; 5]; 300]);
            let ((mut c, mut a), (mut cs, mut all)) = (given, given);
            plain::ones(&mut cs, &mut all, n, &f);
            device::ones(&mut c, &mut a, n, &f);
            let close = |a: f32, b: f32| (a - b).abs() <= 1e-4 * (1.0 + b.abs());
            assert!(c.iter().zip(&cs).all(|(a, b)| close(a[0], b[0])), "{n} on {d}");
            assert!(
                a.as_flattened()
                    .as_flattened()
                    .iter()
                    .zip(all.as_flattened().as_flattened())
                    .all(|(a, b)| close(*a, *b)),
                "{n} on {d}"
            );
            let run = AssertUnwindSafe(|| device::ones(&mut c, &mut a, n, &[0.1; 5]));
            let failed = catch_unwind(run);
            assert_eq!(failed.is_err(), n == 5, "on {d}");
            if let Err(panic) = failed {
                let text = panic_text(&*panic);
                assert!(text.contains("the len is 4 but the index is 4"), "{text}");
            }
        }
        let mut a = vec![[[1; 4]; 5]; 200];
        let mut at = vec![9; 200];
        at[77] = 4;
        let run = AssertUnwindSafe(|| device::matrices(&mut a, &at));
        let panic = catch_unwind(run).expect_err("an index is wrong");
        let text = panic_text(&*panic);
        assert!(text.contains("the len is 4 but the index is 4") && text.contains("m = 77"), "{text}");
    });
}
