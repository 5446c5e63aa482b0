//! Clauses of data sharing on every kind of loop, and what Rust programmers write without thinking: shadowing, nested
//! `Option`s, ranges under a name. Each program runs with its directives on every device, and without them.
#![allow(clippy::all, clippy::pedantic, missing_docs, unused_assignments)]
use omp_tests::{Values, compare, twice};

twice! {
    pub fn shared_scratch(d: usize, x: &[i32], y: &mut [i32]) -> (i32, usize) {
        let mut tmp = [0i32; 4];
        let offset = 10;
        let mut base = -3;
        y[0] = base;
        let mut last = -1;
        let mut at = 0;
        #[omp::target(device(d), private(tmp), firstprivate(base), lastprivate(last, at))]
        for i in 0..x.len() {
            for k in 0..4 {
                tmp[k] = x[i] * k as i32 + offset;
            }
            base = offset;
            let top = tmp[3];
            base = top - base;
            last = tmp[0] + tmp[1] + base;
            at = i;
            y[i] = last;
        }
        (last, at)
    }

    pub fn parts_in_loops(d: usize, x: &[i32], y: &mut [i32]) {
        let mut a = [0i32; 4];
        let mut b = [1i32; 4];
        let mut t = 9;
        let mut p = (0, [3, 4]);
        #[omp::target(device(d), private(a, t, p), firstprivate(b))]
        for i in 0..x.len() {
            for k in 0..2 {
                a[0] = x[i];
                t = x[i] - k;
                p.1[1] = x[i] + k;
            }
            for _ in (1..=1).rev() {
                a[1] = t;
            }
            for v in [1, 2] {
                if v == x[i] {
                    a[2] = 1;
                    continue;
                }
                a[2] = v;
            }
            'rows: for k in 0..2 {
                a[3] = k;
                for j in 0..3 {
                    if j == x[i] {
                        b[1] = 2;
                        continue 'rows;
                    }
                    b[1] = k + j;
                }
                if k == x[i] {
                    break;
                }
            }
            let mut c = 0;
            loop {
                b[2] = c;
                c += 1;
                if c > x[i] {
                    break;
                }
            }
            while {
                b[3] = c;
                c > 0
            } {
                c -= 1;
            }
            for j in 0..3 {
                if j == 0 {
                    p.0 = x[i];
                } else {
                    p.0 += j;
                }
            }
            y[i] = p.0 + a[0] + a[1] * 2 + a[2] * 3 + a[3] * 5 + b[1] * 7 + b[2] * 9 + b[3] + t + p.1[1];
        }
        #[omp::target(device(d))]
        for i in 0..x.len() {
            let mut w = [0i32; 3];
            let mut s = 0;
            #[omp::simd(private(w), reduction(+: s))]
            for j in 0..5 {
                for k in 0..3 {
                    w[k] = x[i] + j * k as i32;
                }
                for k in 1..3 {
                    w[k] ^= w[k - 1];
                }
                s += w[2] + w[0];
            }
            y[i] += s;
        }
    }

    pub fn elements_of_copies(d: usize, x: &[i32], m: usize, y: &mut [i32]) {
        const N: usize = 6;
        let mut w = [0i32; 8];
        let mut f = [0i32; 10];
        let mut z = [0i32; 4];
        let mut grid = [[0i32; 4]; 3];
        let mut flat = [7i32; 9];
        let mut h = [0i32; N];
        let mut stack = [0usize; 16];
        #[omp::target(device(d), private(w, f, z, grid, flat, h, stack))]
        for i in 0..y.len() {
            for k in 0..8 {
                w[k] = x[(i * 5 + k * 7) % x.len()];
            }
            for p in 1..8usize {
                let v = w[p];
                let mut j = p;
                while j > 0 && w[j - 1] > v {
                    w[j] = w[j - 1];
                    j -= 1;
                }
                w[j] = v;
            }
            f[0] = 1;
            f[1] = i as i32;
            for k in 2..10 {
                f[k] = (f[k - 1] + f[k - 2]) % 1000;
            }
            for k in 0..10 {
                if k == 0 {
                    f[k] += 1;
                } else {
                    f[k] -= f[k - 1];
                }
            }
            z[3] = i as i32;
            for k in (0..3usize).rev() {
                let mut s = k as i32;
                for j in k + 1..4 {
                    s += z[j];
                }
                z[k] = s;
            }
            for r in 0..3 {
                for c in 0..4 {
                    grid[r][c] = (i * r + c) as i32;
                    if c < 3 {
                        flat[r * 3 + c] = (r + c * i) as i32;
                    }
                }
                for c in 0..3 {
                    flat[r * 3 + c] = (r + c * i) as i32;
                }
            }
            let row = grid[1];
            let mut s = row[2] + w[3] + w[i % 8] + f[9] + z[0];
            for r in 0..3 {
                for c in 0..3 {
                    s += grid[r][c] * grid[2 - r][3 - c] + flat[r * 3 + c];
                }
            }
            for k in 0..N {
                h[N - 1 - k] = k as i32;
            }
            let mut j = i % N;
            s += h[j] * 3;
            j = 0;
            s += h[j];
            stack = [0; 16];
            stack[0] = i;
            let mut top = 1;
            while top > 0 {
                top -= 1;
                let v = stack[top];
                s += v as i32;
                if v > 1 {
                    stack[top] = v / 2;
                    stack[top + 1] = v - v / 2 - 1;
                    top += 2;
                }
            }
            y[i] = s;
        }
        let mut kept = [9i32; 4];
        let mut q = [0i32; 6];
        let base = [3, 1, 4, 1, 5, 9];
        #[omp::target(device(d), private(w, q), firstprivate(kept))]
        for i in 0..y.len() {
            for k in 0..m {
                w[k] = x[i] + k as i32;
            }
            for k in (0..m).rev() {
                y[i] ^= w[m - 1 - k];
            }
            y[i] += w[x[i].unsigned_abs() as usize % m];
            for (k, v) in base.iter().enumerate() {
                q[k] = *v;
            }
            for v in q.iter_mut() {
                *v += 1;
            }
            for (p, v) in q.iter().zip(x.iter()) {
                y[i] += p * v;
            }
            for k in 1..3 {
                y[i] += kept[k];
            }
            kept[0] = y[i];
            kept[3] = 1;
            y[i] += kept[0] + kept[3] + kept[2];
        }
    }

    pub fn last_of_nest(d: usize, a: &[i64], w: usize, h: usize) -> (i64, usize) {
        let mut edge = 0;
        let mut col = 7;
        #[omp::target(device(d), collapse(2), lastprivate(edge, col))]
        for y in 0..h {
            for x in (0..w).rev() {
                edge = a[y * w + x] * 2;
                col = x;
            }
        }
        (edge, col)
    }

    pub fn rows_by_teams(d: usize, m: &[i32], norms: &mut [i64], w: usize) -> i64 {
        let mut worst = i64::MIN;
        #[omp::target(device(d), reduction(max: worst))]
        for r in 0..norms.len() {
            let mut sum = 0i64;
            #[omp::parallel_for(reduction(+: sum))]
            for c in 0..w {
                sum += (m[r * w + c] as i64).pow(2);
            }
            norms[r] = sum;
            worst = worst.max(sum);
        }
        worst
    }

    pub fn block_of_steps(d: usize, x: &mut [i64], rounds: usize) -> i64 {
        let mut total = 0i64;
        let n = x.len();
        #[omp::target(device(d), map(tofrom: x))]
        {
            for r in 0..rounds {
                #[omp::parallel_for]
                for i in 0..n {
                    x[i] = x[i] * 3 % 1009 + r as i64;
                }
                if r % 2 == 1 {
                    #[omp::parallel_for(reduction(+: total))]
                    for v in x.iter() {
                        total += *v;
                    }
                }
            }
        }
        total
    }

    pub fn shadows(d: usize, x: &[u32], y: &mut [u32]) {
        let k = 3;
        #[omp::target(device(d))]
        for i in 0..x.len() {
            let x = x[i];
            let k = k + x % 2;
            let y0 = {
                let x = x * k;
                let k = x / 2;
                x ^ k
            };
            let y1 = if let Some(x) = x.checked_sub(5) { x } else { k };
            y[i] = y0 + y1;
        }
    }

    pub fn nested_options(d: usize, x: &[i32], y: &mut [i32]) {
        #[omp::target(device(d))]
        for i in 0..x.len() {
            let inner: Option<Option<i32>> = match x[i] {
                v if v < 0 => None,
                0 => Some(None),
                v => Some(v.checked_mul(v)),
            };
            y[i] = match inner {
                None => -1,
                Some(None) => -2,
                Some(Some(v @ 0..=99)) => v,
                Some(Some(v)) => v % 1000 + 1000,
            };
        }
    }

    pub fn morton(d: usize, xy: &[(u16, u16)], codes: &mut [u32], back: &mut [(u16, u16)]) {
        #[omp::target(device(d))]
        for ((p, code), b) in xy.iter().zip(codes.iter_mut()).zip(back.iter_mut()) {
            let spread = {
                let mut v = [p.0 as u32, p.1 as u32];
                for v in &mut v {
                    *v = (*v | (*v << 8)) & 0x00ff_00ff;
                    *v = (*v | (*v << 4)) & 0x0f0f_0f0f;
                    *v = (*v | (*v << 2)) & 0x3333_3333;
                    *v = (*v | (*v << 1)) & 0x5555_5555;
                }
                v
            };
            *code = spread[0] | spread[1] << 1;
            let (mut x, mut y) = (0u16, 0u16);
            for bit in 0..16 {
                x |= ((*code >> (2 * bit)) & 1) as u16 * (1 << bit);
                y |= ((*code >> (2 * bit + 1)) & 1) as u16 * (1 << bit);
            }
            *b = (x, y);
        }
    }

    pub fn ranges_in_hand(d: usize, x: &[i32], lo: usize, hi: usize, y: &mut [i32]) {
        let window = lo..hi;
        #[omp::target(device(d))]
        for i in 0..x.len() {
            let near = i.saturating_sub(2)..(i + 3).min(x.len());
            let mut s = 0;
            for k in near.clone() {
                s += x[k];
            }
            let grade = match x[i] {
                i32::MIN..=-1 => -1,
                0..=9 => 0,
                10.. => 1,
            };
            y[i] = if window.contains(&i) && !near.contains(&0) { s } else { grade };
        }
    }

    pub fn part(d: usize, rows: std::ops::Range<usize>, x: &[i32], y: &mut [i32]) -> i32 {
        let mut inside = 0;
        #[omp::target(device(d), reduction(+: inside))]
        for i in rows.clone() {
            y[i] = x[i] - x[rows.start];
            if (rows.start + 2..rows.end).contains(&i) && rows.len() > 3 && !rows.is_empty() {
                inside += 1;
            }
        }
        #[omp::target(device(d))]
        for i in rows {
            y[i] *= 2;
        }
        inside
    }

    #[omp::declare_target]
    fn digits(of: u32) -> u32 {
        let all = 0..=9u32;
        let small: std::ops::Range<u32> = 0..5;
        let mut seen = 0;
        for k in all.clone() {
            seen += (small.contains(&k) && k * 3 < of) as u32;
        }
        let unit = 0.0..1.0;
        let weights = [1u32, 2, 3];
        for w in weights {
            seen += w * small.end;
        }
        seen + *all.end() + unit.contains(&(of as f64 / 7.0)) as u32 + small.len() as u32
    }

    pub fn named_parts(d: usize, x: &[u32], y: &mut [u32]) {
        #[omp::target(device(d))]
        for i in 0..y.len() {
            let from = i / 2..i + 1;
            let part = &x[from.clone()];
            let taps = [3, 2, 1];
            let mut s = digits(x[i]);
            for (k, v) in part.iter().zip(taps) {
                s += k * v;
            }
            for v in part {
                s ^= v;
            }
            for (k, t) in from.rev().zip(&taps) {
                s += k as u32 * t;
            }
            y[i] = s;
        }
    }
}

fn ints(n: usize, seed: u64) -> Vec<i32> {
    let mut v = Values(seed);
    (0..n).map(|_| (v.bits() >> 20) as i32 % 120 - 20).collect()
}

#[test]
fn data_sharing() {
    let x = ints(200, 2);
    compare!(m, d => { let mut y = vec![0; 200]; (m::shared_scratch(d, &x, &mut y), y) });
    compare!(m, d => { let mut y = vec![0; 200]; m::parts_in_loops(d, &x, &mut y); y });
    compare!(m, d => { let mut y = vec![0; 40]; m::elements_of_copies(d, &x, 5, &mut y); y });
    let a: Vec<i64> = x.iter().map(|&v| v.into()).collect();
    compare!(m, d => m::last_of_nest(d, &a, 20, 10));
    compare!(m, d => { let mut n = vec![0; 10]; (m::rows_by_teams(d, &x, &mut n, 20), n) });
    compare!(m, d => { let mut x = a.clone(); (m::block_of_steps(d, &mut x, 5), x) });
}

#[test]
fn names_and_choices() {
    let x: Vec<u32> = (0..100).map(|k| k * 37 % 101).collect();
    compare!(m, d => { let mut y = vec![0; 100]; m::shadows(d, &x, &mut y); y });
    let x = [-5, 0, 3, 11, 70_000, 46_340, 1];
    compare!(m, d => { let mut y = vec![0; 7]; m::nested_options(d, &x, &mut y); y });
    let x = ints(60, 3);
    compare!(m, d => { let mut y = vec![0; 60]; m::ranges_in_hand(d, &x, 4, 50, &mut y); y });
    compare!(m, d => { let mut y = x.clone(); (m::part(d, 7..40, &x, &mut y), y) });
    let x: Vec<u32> = x.iter().map(|v| (v + 30) as u32).collect();
    compare!(m, d => { let mut y = vec![0; 60]; m::named_parts(d, &x, &mut y); y });
    let xy: Vec<(u16, u16)> = (0..200u16).map(|k| (k * 321, k * 17)).collect();
    compare!(m, d => { let (mut c, mut b) = (vec![0; 200], vec![(0, 0); 200]); m::morton(d, &xy, &mut c, &mut b); (c, b) });
}
