//! Reductions and scans as programs have them: statistics, histograms of structs, sorting, runs, segments, state that is
//! carried along. Each program runs with its directives on every device, and without them.
#![allow(clippy::all, clippy::pedantic, missing_docs)]
use omp_tests::{Values, compare, on_every_device, twice};
use std::ops::{Add, Mul};

#[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
pub struct Moments {
    n: u64,
    sum: i64,
    squares: u64,
    least: i32,
    most: i32,
}

pub const NONE: Moments = Moments { n: 0, sum: 0, squares: 0, least: i32::MAX, most: i32::MIN };

#[omp::declare_reduction(moments: Moments, identity = NONE)]
pub fn moments(a: Moments, b: Moments) -> Moments {
    Moments {
        n: a.n + b.n,
        sum: a.sum + b.sum,
        squares: a.squares.wrapping_add(b.squares),
        least: a.least.min(b.least),
        most: if a.most > b.most { a.most } else { b.most },
    }
}

/// The `k` largest with where they are.
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
pub struct Top {
    of: [(i32, u32); 4],
    count: u8,
}

#[omp::declare_reduction(top: Top, identity = Top { of: [(i32::MIN, u32::MAX); 4], count: 0 })]
pub fn top(a: Top, b: Top) -> Top {
    let mut r = Top { of: [(i32::MIN, u32::MAX); 4], count: 0 };
    let (mut i, mut j) = (0usize, 0usize);
    while usize::from(r.count) < 4 && (i < usize::from(a.count) || j < usize::from(b.count)) {
        let from_a = if i >= usize::from(a.count) {
            false
        } else if j >= usize::from(b.count) {
            true
        } else {
            a.of[i].0 >= b.of[j].0
        };
        if from_a {
            r.of[usize::from(r.count)] = a.of[i];
            i += 1;
        } else {
            r.of[usize::from(r.count)] = b.of[j];
            j += 1;
        }
        r.count += 1;
    }
    r
}

/// Segmented: where a segment begins, what was before is forgotten.
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
pub struct Segment {
    begins: bool,
    sum: u32,
}

#[omp::declare_reduction(segment: Segment, identity = Segment { begins: false, sum: 0 })]
pub fn segment(a: Segment, b: Segment) -> Segment {
    if b.begins { b } else { Segment { begins: a.begins, sum: a.sum.wrapping_add(b.sum) } }
}

/// A transition of a machine of eight states.
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
pub struct Step([u8; 8]);

#[omp::declare_target]
#[omp::declare_reduction(*: Step, identity = Step([0, 1, 2, 3, 4, 5, 6, 7]))]
impl Mul for Step {
    type Output = Step;
    fn mul(self, next: Step) -> Step {
        let mut r = self;
        for s in r.0.iter_mut() {
            *s = next.0[*s as usize];
        }
        r
    }
}

/// Nesting of brackets: what is open, and what was closed before it was opened.
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
pub struct Brackets(u32, u32);

#[omp::declare_reduction(+: Brackets, identity = Brackets(0, 0))]
impl Add for Brackets {
    type Output = Brackets;
    fn add(self, o: Brackets) -> Brackets {
        let m = self.1.min(o.0);
        Brackets(self.0 + o.0 - m, self.1 + o.1 - m)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
pub struct Bin {
    count: u32,
    sum: i64,
    last: u32,
    pair: [u16; 3],
}

#[omp::declare_reduction(bin: Bin, identity = Bin { count: 0, sum: 0, last: 0, pair: [0; 3] })]
pub fn bin(a: Bin, b: Bin) -> Bin {
    Bin {
        count: a.count + b.count,
        sum: a.sum + b.sum,
        last: if b.count > 0 { b.last } else { a.last },
        pair: [a.pair[0] | b.pair[0], a.pair[1] ^ b.pair[1], a.pair[2].max(b.pair[2])],
    }
}

#[omp::declare_reduction(last: u32, identity = u32::MAX)]
pub fn last(a: u32, b: u32) -> u32 {
    if b == u32::MAX { a } else { b }
}

#[allow(dead_code, reason = "a field beside those that are reduced")]
pub struct Image {
    pub width: usize,
    pub pixels: Vec<u8>,
    pub counts: [u32; 16],
    pub total: u64,
    pub range: (u8, u8),
}

twice! {
    pub fn statistics(d: usize, x: &[i32]) -> (Moments, f64) {
        let mut all = NONE;
        #[omp::target(device(d), reduction(moments: all))]
        for &v in x.iter() {
            all = moments(all, Moments { n: 1, sum: v as i64, squares: (v as i64 * v as i64) as u64, least: v, most: v });
        }
        let mean = all.sum / all.n.max(1) as i64;
        let mut spread = 0.0f64;
        #[omp::target(device(d), reduction(+: spread))]
        for i in 0..x.len() {
            let off = (x[i] as i64 - mean) as f64;
            spread += off * off;
        }
        (all, spread)
    }

    pub fn best_of(d: usize, x: &[i32], cut: i32) -> Top {
        let mut best = Top { of: [(i32::MIN, u32::MAX); 4], count: 0 };
        #[omp::target(device(d), reduction(top: best))]
        for (i, &v) in x.iter().enumerate() {
            if v < cut {
                continue;
            }
            let mut one = Top { of: [(i32::MIN, u32::MAX); 4], count: 1 };
            one.of[0] = (v, i as u32);
            best = top(best, one);
        }
        best
    }

    pub fn by_kind(d: usize, kinds: &[u8], x: &[i32], bins: &mut [Bin]) {
        let n = bins.len();
        #[omp::target(device(d), reduction(bin: bins[..n]))]
        for i in 0..kinds.len() {
            let k = kinds[i] as usize % n;
            let one = Bin { count: 1, sum: x[i] as i64, last: i as u32, pair: [1 << (i % 16), i as u16, x[i] as u16] };
            bins[k] = bin(bins[k], one);
        }
    }

    pub fn levels(d: usize, image: &mut Image) {
        let n = image.pixels.len();
        let (mut lo, mut hi) = image.range;
        #[omp::target(device(d), reduction(+: image.counts, image.total), reduction(min: lo), reduction(max: hi))]
        for i in 0..n {
            let v = image.pixels[i];
            image.counts[(v >> 4) as usize] += 1;
            image.total += u64::from(v);
            lo = lo.min(v);
            hi = hi.max(v);
        }
        image.range = (lo, hi);
    }

    pub fn segmented(d: usize, heads: &[bool], x: &[u32], y: &mut [u32]) -> Segment {
        let mut s = Segment { begins: false, sum: 100 };
        #[omp::scan(segment, Segment, device(d))]
        for i in 0..x.len() {
            s = segment(s, Segment { begins: heads[i], sum: x[i] });
            y[i] = s.sum;
        }
        s
    }

    pub fn machine(d: usize, text: &[u8], table: &[[u8; 8]; 4], states: &mut [u8]) -> Step {
        let mut all = Step([0, 1, 2, 3, 4, 5, 6, 7]);
        #[omp::target(device(d), scan(*: all))]
        for i in 0..text.len() {
            all = all * Step(table[(text[i] & 3) as usize]);
            states[i] = all.0[0];
        }
        all
    }

    pub fn brackets(d: usize, text: &[u8], depth: &mut [u32]) -> (Brackets, u32) {
        let mut all = Brackets(0, 0);
        #[omp::target(device(d), reduction(+: all))]
        for &c in text.iter() {
            all = all + Brackets((c % 3 == 1) as u32, (c % 3 == 0) as u32);
        }
        let mut open = 0u32;
        #[omp::scan(+, device(d))]
        for i in 0..text.len() {
            open = open.wrapping_add((text[i] % 3 == 0) as u32).wrapping_add(0u32.wrapping_sub((text[i] % 3 == 1) as u32));
            depth[i] = open;
        }
        (all, open)
    }

    /// Run lengths: heads, numbers of runs, starts, lengths.
    pub fn run_lengths(d: usize, x: &[u8], ids: &mut [u32], starts: &mut [u32], values: &mut [u8]) -> usize {
        let n = x.len();
        if n == 0 {
            return 0;
        }
        ids[0] = 0;
        #[omp::target(device(d), scan(+: ids))]
        for i in 1..n {
            ids[i] = ids[i - 1] + (x[i] != x[i - 1]) as u32;
        }
        let runs = ids[n - 1] as usize + 1;
        #[omp::target(device(d), disjoint(starts), disjoint(values))]
        for i in 0..n {
            if i == 0 || x[i] != x[i - 1] {
                starts[ids[i] as usize] = i as u32;
                values[ids[i] as usize] = x[i];
            }
        }
        runs
    }

    pub fn compacted(d: usize, x: &[i32], out: &mut [i32], places: &mut [usize]) -> usize {
        let mut n = 0usize;
        #[omp::target(device(d), scan(+: n), map(out), disjoint(out))]
        for i in 0..x.len() {
            places[i] = n;
            if x[i] % 3 == 0 {
                out[n] = x[i];
            }
            n += usize::from(x[i] % 3 == 0);
        }
        n
    }

    /// One pass of a radix sort by a digit of one bit.
    pub fn split(d: usize, bit: u32, x: &[u32], zeros: &mut [u32], to: &mut [u32]) {
        let n = x.len();
        let mut z = 0u32;
        #[omp::target(device(d), scan(+: z))]
        for i in 0..n {
            zeros[i] = z;
            z += (x[i] >> bit & 1 == 0) as u32;
        }
        #[omp::target(device(d), disjoint(to))]
        for i in 0..n {
            let at = if x[i] >> bit & 1 == 0 { zeros[i] } else { z + i as u32 - zeros[i] };
            to[at as usize] = x[i];
        }
    }

    pub fn last_seen(d: usize, x: &[u32], y: &mut [u32]) {
        let mut seen = u32::MAX;
        #[omp::target(device(d), scan(last: seen))]
        for i in (0..x.len()).rev() {
            y[i] = seen;
            seen = last(seen, if x[i] % 5 == 0 { i as u32 } else { u32::MAX });
        }
    }

    pub fn summed_area(d: usize, w: usize, h: usize, x: &[i32], y: &mut [i64]) {
        #[omp::target(device(d))]
        for r in 0..h {
            for c in 0..w {
                y[r * w + c] = x[r * w + c] as i64;
            }
        }
        #[omp::target(device(d), scan(+: y))]
        for r in 0..h {
            for c in 1..w {
                y[r * w + c] += y[r * w + c - 1];
            }
        }
        #[omp::target(device(d), scan(+: y))]
        for r in 1..h {
            for c in 0..w {
                y[r * w + c] += y[(r - 1) * w + c];
            }
        }
    }

    pub fn rows(d: usize, w: usize, x: &[i32], sums: &mut [i64], ends: &mut [(i32, i32)], at: &mut [u32]) {
        #[omp::target(device(d))]
        for r in 0..sums.len() {
            let (mut sum, mut lo, mut hi) = (0i64, i32::MAX, i32::MIN);
            #[omp::parallel_for(reduction(+: sum), reduction(min: lo), reduction(max: hi))]
            for c in 0..w {
                sum += x[r * w + c] as i64;
                lo = lo.min(x[r * w + c]);
                if x[r * w + c] > hi {
                    hi = x[r * w + c];
                }
            }
            let mut first = u32::MAX;
            #[omp::parallel_for(reduction(min: first))]
            for c in 0..w {
                if x[r * w + c] == hi {
                    first = first.min(c as u32);
                }
            }
            sums[r] = sum;
            ends[r] = (lo, hi);
            at[r] = first;
        }
    }

    pub fn steps(d: usize, x: &[u32]) -> (u32, u32, u64, bool, bool) {
        let (mut a, mut b, mut c, mut any, mut all) = (0u32, !0u32, 1u64, false, true);
        let n = x.len();
        #[omp::target(device(d), collapse(2), reduction(^: a), reduction(&: b), reduction(*: c), reduction(||: any), reduction(&&: all))]
        for i in (0..n).step_by(3) {
            for j in (0..5u32).rev() {
                a ^= x[i].rotate_left(j);
                b &= x[i] | j;
                c = c.wrapping_mul(2 * x[i] as u64 + 1);
                if x[i] % 1000 == j {
                    any = true;
                }
                if x[i] == j {
                    all = false;
                }
            }
        }
        (a, b, c, any, all)
    }

    pub fn blocks(d: usize, x: &[i32], y: &mut [i32]) -> (i64, i32) {
        let (mut sum, mut most) = (0i64, i32::MIN);
        let ran;
        #[omp::target(device(d), map(tofrom: sum, most))]
        {
            #[omp::parallel_for(reduction(+: sum))]
            for i in 0..x.len() {
                sum += x[i] as i64;
            }
            ran = 1;
            #[omp::parallel_for(reduction(max: most))]
            for i in 0..x.len() {
                most = most.max(x[i] - (sum % 7) as i32);
            }
            #[omp::parallel_for]
            for i in 0..x.len() {
                y[i] = most.wrapping_sub(x[i]);
            }
        }
        (sum + ran, most)
    }

    pub fn triangles(d: usize, n: usize, x: &[i32]) -> (i64, i32) {
        let (mut sum, mut most) = (0i64, 0);
        #[omp::target(device(d), collapse(2), reduction(+: sum), reduction(max: most))]
        for i in 0..n {
            for j in i + 1..n {
                let off = (x[i] - x[j]).abs();
                sum += off as i64;
                most = most.max(off);
            }
        }
        (sum, most)
    }

    pub fn options(d: usize, x: &[i32]) -> (u32, i64, i32) {
        let (mut hits, mut sum, mut least) = (0u32, 0i64, i32::MAX);
        #[omp::target(device(d), reduction(+: hits, sum), reduction(min: least))]
        for i in 0..x.len() {
            let half = if x[i] % 2 == 0 { Some(x[i] / 2) } else { None };
            if let Some(h) = half {
                hits += 1;
                sum -= h as i64;
                if h < least { least = h; }
            } else {
                match x[i] % 3 {
                    0 => sum += 1,
                    1 | -1 => { hits += 2; sum = sum - 3; }
                    _ => least = x[i].min(least),
                }
            }
        }
        (hits, sum, least)
    }

    pub fn tuples(d: usize, x: &[(u16, f32)], few: &mut [[u32; 3]; 2]) -> f32 {
        let mut all = 0.0f32;
        #[omp::target(device(d), reduction(+: few, all))]
        for &(k, v) in x.iter() {
            few[(k & 1) as usize][(k % 3) as usize] += k as u32;
            all += v;
        }
        all
    }

    pub fn sparse(d: usize, starts: &[usize], at: &[u32], x: &[i32], y: &mut [i64]) {
        #[omp::target(device(d))]
        for r in 0..y.len() {
            let mut sum = 0;
            #[omp::simd(reduction(+: sum))]
            for k in starts[r]..starts[r + 1] {
                sum += x[at[k] as usize] as i64;
            }
            y[r] = sum;
        }
    }

    pub fn decayed(d: usize, x: &[u32], y: &mut [u32], z: &mut [u32]) {
        #[omp::target(device(d), scan(+: y), scan(^: z))]
        for i in 1..x.len() {
            y[i] = y[i - 1].wrapping_add(x[i] / 2 + 1);
            z[i] = z[i - 1] ^ (x[i] << (i % 5));
        }
    }

    pub fn several(d: usize, x: &[i64], a: &mut [i64], b: &mut [i64]) -> (i64, i64, i64) {
        let (mut s, mut t) = (3i64, -4i64);
        let mut most = i64::MIN;
        #[omp::target(device(d), scan(+: s), scan(min: t), reduction(max: most))]
        for i in 0..x.len() {
            a[i] = s;
            s += x[i];
            t = t.min(x[i] - 50);
            b[i] = t;
            most = most.max(x[i]);
        }
        (s, t, most)
    }

    pub fn columns(d: usize, w: usize, h: usize, x: &[u8], y: &mut [u32], total: &mut [u32]) {
        #[omp::target(device(d), scan(+: y))]
        for c in 0..w {
            for r in 1..h {
                y[r * w + c] = y[(r - 1) * w + c] + x[r * w + c] as u32;
            }
        }
        #[omp::target(device(d), scan(max: s))]
        for r in 0..h {
            let mut s = 0u32;
            for c in 0..w {
                s = s.max(y[r * w + c]);
                total[r * w + c] = s;
            }
        }
    }
}

#[omp::offload]
mod own_form {
    pub fn inscan(d: usize, x: &[i32], y: &mut [i64], z: &mut [i32]) -> (i64, i32) {
        let (mut s, mut m) = (7i64, i32::MIN);
        #[omp::target(device(d), reduction(inscan, +: s), reduction(inscan, max: m))]
        for i in 0..x.len() {
            s += x[i] as i64;
            m = m.max(x[i]);
            omp::scan!(inclusive(s, m));
            y[i] = s;
            z[i] = m;
        }
        (s, m)
    }

    pub fn inscan_before(d: usize, x: &[i32], y: &mut [i64]) -> i64 {
        let mut s = 7i64;
        #[omp::target(device(d), reduction(inscan, +: s))]
        for i in 0..x.len() {
            y[i] = s * 2;
            omp::scan!(exclusive(s));
            s += (x[i] / 2) as i64;
        }
        s
    }
}

const LENGTHS: [usize; 9] = [0, 1, 2, 31, 33, 255, 1000, 4097, 30_011];

fn numbers(n: usize, seed: u64) -> Vec<i32> {
    let mut v = Values(seed + n as u64);
    (0..n).map(|_| (v.bits() >> 12) as i32 % 10_007 - 5000).collect()
}

#[test]
fn of_all_values() {
    for n in LENGTHS {
        let x = numbers(n, 1);
        let u: Vec<u32> = x.iter().map(|v| (v + 5000) as u32).collect();
        compare!(m, d => m::statistics(d, &x));
        compare!(m, d => m::best_of(d, &x, -4000));
        compare!(m, d => m::best_of(d, &x, 6000));
        compare!(m, d => m::steps(d, &u));
        compare!(m, d => m::options(d, &x));
        compare!(m, d => m::triangles(d, n.min(300), &x));
        let pairs: Vec<(u16, f32)> = x.iter().map(|v| (*v as u16, (v % 64) as f32)).collect();
        compare!(m, d => { let mut few = [[5; 3]; 2]; (m::tuples(d, &pairs, &mut few), few) });
    }
}

#[test]
fn of_elements() {
    for n in LENGTHS {
        let x = numbers(n, 2);
        let kinds: Vec<u8> = x.iter().map(|v| (v * 7) as u8).collect();
        for bins in [1, 3, 40, 256] {
            compare!(m, d => { let mut b = vec![Bin { count: 1, sum: 9, last: 7, pair: [1, 2, 3] }; bins]; m::by_kind(d, &kinds, &x, &mut b); b });
        }
        compare!(m, d => {
            let mut image = Image { width: 1, pixels: kinds.clone(), counts: [3; 16], total: 9, range: (100, 101) };
            m::levels(d, &mut image);
            (image.counts, image.total, image.range)
        });
        let w = 37.min(n.max(1));
        let h = n / w;
        compare!(m, d => { let (mut s, mut e, mut a) = (vec![1; h], vec![(0, 0); h], vec![0; h]); m::rows(d, w, &x, &mut s, &mut e, &mut a); (s, e, a) });
        compare!(m, d => { let mut y = vec![0; n]; (m::blocks(d, &x, &mut y), y) });
        if n > 0 {
            let at: Vec<u32> = kinds.iter().map(|k| u32::from(*k) % n as u32).collect();
            let starts: Vec<usize> = (0..=h).map(|r| (r * r * 3).min(n)).collect();
            compare!(m, d => { let mut y = vec![0; h]; m::sparse(d, &starts, &at, &x, &mut y); y });
        }
    }
}

#[test]
fn along_values() {
    for n in LENGTHS {
        let x = numbers(n, 3);
        let u: Vec<u32> = x.iter().map(|v| (v + 5000) as u32).collect();
        let wide: Vec<i64> = x.iter().map(|v| i64::from(*v)).collect();
        let text: Vec<u8> = x.iter().map(|v| *v as u8).collect();
        let heads: Vec<bool> = x.iter().map(|v| v % 40 == 0).collect();
        compare!(m, d => { let mut y = vec![9; n]; (m::segmented(d, &heads, &u, &mut y), y) });
        let table = [
            [1, 2, 3, 4, 5, 6, 7, 0],
            [0, 0, 2, 3, 1, 5, 6, 7],
            [3, 1, 4, 1, 5, 2, 6, 5],
            [7, 6, 5, 4, 3, 2, 1, 0],
        ];
        compare!(m, d => { let mut y = vec![9; n]; (m::machine(d, &text, &table, &mut y), y) });
        compare!(m, d => { let mut y = vec![9; n]; (m::brackets(d, &text, &mut y), y) });
        let runs: Vec<u8> = x.iter().map(|v| (v / 2000) as u8).collect();
        compare!(m, d => { let (mut i, mut s, mut v) = (vec![9; n], vec![0; n], vec![0; n]); (m::run_lengths(d, &runs, &mut i, &mut s, &mut v), i, s, v) });
        compare!(m, d => { let (mut o, mut p) = (vec![9; n], vec![0; n]); (m::compacted(d, &x, &mut o, &mut p), o, p) });
        compare!(m, d => {
            let (mut a, mut b, mut z) = (u.clone(), vec![0; n], vec![0; n]);
            for bit in 0..14 {
                m::split(d, bit, &a, &mut z, &mut b);
                std::mem::swap(&mut a, &mut b);
            }
            assert!(a.is_sorted());
            a
        });
        compare!(m, d => { let mut y = vec![9; n]; m::last_seen(d, &u, &mut y); y });
        let (mut s, mut m, mut before) = (7i64, i32::MIN, 7i64);
        let mut want = (Vec::new(), Vec::new(), Vec::new());
        for &v in &x {
            want.2.push(before * 2);
            s += i64::from(v);
            m = m.max(v);
            before += i64::from(v / 2);
            want.0.push(s);
            want.1.push(m);
        }
        on_every_device(|d| {
            let (mut y, mut z, mut w) = (vec![9; n], vec![0; n], vec![9; n]);
            assert_eq!(own_form::inscan(d, &x, &mut y, &mut z), (s, m), "{n} on {d}");
            assert_eq!(own_form::inscan_before(d, &x, &mut w), before, "{n} on {d}");
            assert!((y, z, w) == want, "{n} on {d}");
        });
        compare!(m, d => { let (mut y, mut z) = (vec![9; n], vec![3; n]); m::decayed(d, &u, &mut y, &mut z); (y, z) });
        compare!(m, d => { let (mut y, mut z) = (vec![9; n], vec![3; n]); (m::several(d, &wide, &mut y, &mut z), y, z) });
        let w = 41.min(n.max(1));
        let h = n / w;
        compare!(m, d => { let mut y = vec![9; n]; m::summed_area(d, w, h, &x, &mut y); y });
        compare!(m, d => { let (mut y, mut t) = (vec![9; n], vec![9; n]); m::columns(d, w, h, &text, &mut y, &mut t); (y, t) });
    }
}
