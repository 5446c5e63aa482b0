//! Forms of expressions and statements that code for CPUs has: each stands in a loop, with its directive and without.
#![allow(
    clippy::all,
    clippy::pedantic,
    missing_docs,
    reason = "the programs are as their authors write them"
)]
use omp_tests::{compare, twice};

twice! {
    #[derive(Clone, Copy, Debug, PartialEq, Default, omp::Device)]
    pub struct Cell { a: i32, b: i32, row: [i32; 3] }

    #[derive(Clone, Copy, Debug, omp::Device)]
    #[repr(u8)]
    pub enum Part { Disc { r: i32, gap: i32 }, Plate { gap: i32 }, Hole(i32) }

    pub fn cell(i: i32) -> Cell { Cell { a: i * 7 % 5, b: i - 4, row: [i, 2, 9 - i] } }
    pub fn shown<T: std::fmt::Debug>(values: &[T]) -> Vec<String> { values.iter().map(|v| format!("{v:?}")).collect() }

    /// Names of the parts of a `&mut`.
    pub fn parts(d: usize, y: &mut [(i32, [i32; 2], Cell)]) {
        #[omp::target(device(d))]
        for y in y.iter_mut() {
            let mut stack = [*y, *y];
            let k = (y.0 & 1) as usize;
            let (n, [p, q], cell) = &mut stack[k];
            *n += 1;
            *p = q.rotate_left(3) ^ *n;
            (*p, *q) = (*q, *p);
            let Cell { a, b, row: [first, _, last] } = cell;
            *a += *b;
            *first = *a - *last;
            let mut one = stack[k].2;
            let Cell { a, b, .. } = &mut one;
            (*a, *b) = (*b, *a);
            stack[1 - k].2 = one;
            for part in [&mut stack[0].0, &mut stack[k].1[1]] {
                if *part == 3 { continue; }
                *part *= 2;
            }
            *y = stack[k];
            y.2.b = stack[1 - k].2.a;
        }
    }

    /// A function in the body, a range without an end, loops that count by themselves, and a place that a branch chooses.
    pub fn loops(d: usize, n: usize, m: usize) -> (Vec<i64>, Vec<[i64; 3]>) {
        let mut y = vec![1i64; n * m];
        let mut counts = vec![[0i64; 3]; n];
        #[omp::target(device(d))]
        for j in 0..m {
            fn square(x: i64) -> i64 { if x < 0 { return -x * x; } x * x }
            let mut i = 0;
            while i < n {
                y[i * m + j] += square(i as i64 - j as i64);
                i += 1;
            }
            let mut i = n;
            while i > 1 {
                i -= 1;
                if (i + j) % 3 == 0 { continue; }
                if i == 2 { break; }
                y[i * m + j] -= 1;
            }
        }
        #[omp::target(device(d))]
        for (i, c) in counts.iter_mut().enumerate() {
            let (mut low, mut mid, mut high) = (0, 0, 0);
            for step in 1.. {
                if step * step > i as i64 + 20 { break; }
                if step == 2 { continue; }
                *match step % 3 { 0 => &mut low, 1 => &mut mid, _ => &mut high } += step;
            }
            *if i % 2 == 0 { &mut low } else { &mut high } = -1;
            *c = [low, mid, high];
        }
        (y, counts)
    }

    #[omp::declare_target]
    fn number(text: &[u8]) -> Result<u32, u8> {
        text.iter().try_fold(0u32, |n, &c| match c {
            b'0'..=b'9' => n.checked_mul(10).and_then(|n| n.checked_add((c - b'0') as u32)).ok_or(b'!'),
            other => Err(other),
        })
    }

    #[omp::declare_target]
    fn shortest<'t>(words: &'t [[u8; 4]]) -> Result<u8, u8> {
        let best = words.iter().min_by_key(|w| w[0]).ok_or_else(|| 7u8)?;
        Ok(best[3])
    }

    /// Bytes: patterns of them, and folds that end early.
    pub fn text(d: usize, words: &[[u8; 4]]) -> Vec<(u32, u32, Option<u8>, u8)> {
        let mut y = vec![(0, 0, None, 0); words.len()];
        #[omp::target(device(d))]
        for (i, y) in y.iter_mut().enumerate() {
            let word = &words[i][..];
            let kind = match word { b"stop" => 1, b"none" | b"null" => 2, [b'-', ..] => 3, _ => 0 };
            let value = match number(&words[i][i % 3..]) { Ok(n) => n, Err(c) => 1000 + c as u32 };
            let all = word.iter().try_fold(0u8, |n, c| n.checked_add(c / 3));
            let best = match shortest(&words[..i.min(5)]) { Ok(v) | Err(v) => v };
            *y = (kind + matches!(word, b"12ab" | b"yes!") as u32 * 10, value, all, best);
        }
        y
    }

    /// Options of references in variables, and variants with the same fields.
    pub fn kept(d: usize, cells: &[Cell], parts: &[Part]) -> Vec<i32> {
        let mut y = vec![0; cells.len()];
        #[omp::target(device(d))]
        for (i, y) in y.iter_mut().enumerate() {
            let mut last: Option<&Cell> = None;
            let mut sum = 0;
            for cell in cells.iter().skip(i).filter(|c| c.a % 3 != 1) {
                if let Some(before) = last {
                    sum += cell.a * before.b - before.row[2];
                }
                last = if sum > 500 { None } else { Some(cell) };
                if sum < -500 { last = None; }
            }
            if last.is_none() { sum += 10_000; }
            for part in parts.iter() {
                let gap = match *part { Part::Disc { gap, .. } | Part::Plate { gap } | Part::Hole(gap) => gap };
                let round = match part { Part::Disc { r, .. } | Part::Hole(r) => *r, Part::Plate { .. } => 0 };
                sum += gap * 3 + round;
            }
            *y = sum;
        }
        y
    }

    /// Iterators: of arrays that closures give, with a last item, under names that closures of the body bind, too.
    pub fn chains(d: usize, x: &[i32], w: &[[i32; 3]]) -> Vec<i32> {
        let n = x.len();
        let mut y = vec![0; n];
        let w = w;
        #[omp::target(device(d))]
        for (i, y) in y.iter_mut().enumerate() {
            let around: i32 = (1..=2).flat_map(|k| [(i + k) % n, (i + n - k) % n]).map(|j| x[j]).sum();
            let mut rows = [[1, 2, 3, 4], [x[i], 6, 7, 8]];
            rows.iter_mut().for_each(|row| row.rotate_left(i % 4));
            for v in rows[1].iter_mut() { *v ^= v.rotate_left(5); }
            *y = rows[0][0] + rows[1].iter().fold(0i32, |all, v| all.wrapping_mul(3) ^ v) % 1000;
            for k in (0..3).chain(std::iter::once(i)) { *y += k as i32; }
            let mut it = x.iter().copied().peekable();
            while let Some(v) = it.next() {
                let mut run = 1;
                while it.next_if_eq(&v).is_some() { run += 1; }
                if it.next_if(|next| *next < 0).is_some() { run *= -1; }
                *y += run * v;
            }
            let lengths = [(i as i32, 1), (around, 2)].into_iter().map(|(v, k)| v * k);
            let most = lengths.clone().max().unwrap_or(0);
            *y += around + most + w.iter().zip(x).map(|(w, x)| w.iter().fold(*x, |acc, w| acc + w)).sum::<i32>();
            *y += x.get(i..i + 2).unwrap_or(&[]).iter().sum::<i32>() - x.get(n - i..).unwrap_or_default().len() as i32;
        }
        y
    }

    #[omp::declare_target]
    fn middle(x: &[i32], r: std::ops::Range<usize>, of: std::ops::RangeInclusive<i32>) -> i32 {
        x[r.clone()].iter().filter(|v| of.contains(v)).count() as i32 + r.len() as i32 * x[(r.start + r.end) / 2 % x.len()]
    }

    #[omp::declare_target]
    fn steps<const N: usize, F: Fn(usize) -> i32>(mut rest: &[i32], f: F) -> i32 {
        let mut sum = 0;
        while rest.len() > N {
            sum += f(rest.len()) * rest[0];
            rest = &rest[N..];
        }
        sum
    }

    /// Functions that take ranges, and closures with parameters that the call gives.
    pub fn handed(d: usize, x: &[i32], rows: std::ops::Range<usize>) -> Vec<i32> {
        let n = x.len();
        let mut y = vec![0; n * 4];
        #[omp::target(device(d), collapse(2))]
        for i in rows.clone() {
            for j in rows.clone() {
                let part = i..n;
                y[i * 4 + j] = middle(x, part.clone(), -3..=9) + middle(x, 0..j, 0..=4) + part.len() as i32;
                y[i * 4 + j] += steps::<3, _>(x, |k| k as i32 + j as i32);
            }
        }
        y
    }
}

#[test]
fn parts_of_references() {
    compare!(m, d => {
        let mut y: Vec<_> = (0..9).map(|i| (i, [i * 3, 7 - i], m::cell(i))).collect();
        m::parts(d, &mut y);
        m::shown(&y)
    });
}

#[test]
fn loops_and_places() {
    compare!(m, d => (m::loops(d, 7, 5), m::loops(d, 0, 3), m::loops(d, 12, 1)));
}

#[test]
fn bytes() {
    let words = [*b"stop", *b"none", *b"12ab", *b"-100", *b"0042", *b"9999", *b"yes!", *b"null"];
    compare!(m, d => m::text(d, &words));
}

#[test]
fn kept_references() {
    compare!(m, d => {
        let cells: Vec<_> = (0..11).map(m::cell).collect();
        let parts = [m::Part::Disc { r: 3, gap: 1 }, m::Part::Plate { gap: 5 }, m::Part::Hole(-2)];
        m::kept(d, &cells, &parts)
    });
}

#[test]
fn chains_and_functions() {
    let x = [3, 3, -1, 4, 4, 4, 0, -2, 9, 1];
    let w = [[1, 2, 3], [4, 5, 6], [-7, 8, 9]];
    compare!(m, d => (m::chains(d, &x, &w), m::handed(d, &x, 1..4)));
}
