//! Named rests of slices in patterns with guards and alternatives, elements of parts that change, and parts of one array that
//! are swapped: all devices, against the same functions without directives.
#![allow(clippy::all, clippy::pedantic, unused, reason = "as programs have them")]
use omp_tests::{compared, twice};

twice! {
    const LIMIT: u32 = 5;

    #[derive(Clone, Copy, omp::Device)]
    pub struct Runs { runs: [(u32, u8); 32], len: usize }

    #[omp::declare_target]
    impl Runs {
        fn push(&mut self, b: u32) {
            match self.runs[..self.len].last_mut() {
                Some((v, len)) if *v == b => *len += 1,
                _ => { self.runs[self.len] = (b, 1); self.len += 1; }
            }
        }
    }

    #[omp::declare_target]
    fn sum(s: &[u32]) -> u64 { let mut t = 0u64; for &v in s { t += v as u64; } t }

    #[omp::declare_target]
    fn sign(s: &[u8]) -> (bool, u32) {
        let (negative, rest) = match s {
            [b'-', rest @ ..] => (true, rest),
            [b'+', rest @ ..] | rest => (false, rest),
        };
        let mut v = 0;
        for &b in rest { v = v * 10 + (b - b'0') as u32; }
        (negative, v)
    }

    #[omp::declare_target]
    fn lowered(a: &mut [u32], n: usize) -> u64 {
        match a[..n].last_mut() {
            Some(v) if *v > 3 => { *v -= 1; *v as u64 }
            Some(v) => { *v += 10; 1 }
            None => 7,
        }
    }

    pub fn in_order(d: usize, x: &[u32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let s = &x[i..(i + i % 5).min(x.len())];
            out[i] = match s {
                [] => 0,
                [a, b, rest @ ..] if a > b => (a - b) as u64 + rest.len() as u64,
                [first, middle @ .., last] => *first as u64 * 3 + *last as u64 + sum(middle),
                _ => 77,
            };
        }
    }

    pub fn rest_in_guard(d: usize, x: &[u32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let s = &x[i..x.len().min(i + 4)];
            out[i] = match s {
                [a, rest @ ..] if rest.iter().any(|v| v > a) => rest.iter().filter(|v| *v > a).count() as u64,
                [a, b, ..] if sum(s) % 3 == 0 => *a as u64 + *b as u64 * 2,
                all @ [_, rest @ ..] if rest.len() > 1 => sum(all) + 100 * sum(rest),
                rest if sum(rest) > 20 => sum(rest) + 1,
                rest => rest.len() as u64 + 5000,
            };
        }
    }

    // A guard runs for each alternative that fits, until it holds.
    pub fn guard_with_effects(d: usize, x: &[u32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut n = 0u64;
            let t = [x[i] % 3, x[i] % 5, 2, 2];
            let s = &t[..1 + i % 4];
            let r = match s {
                [1, rest @ ..] | [rest @ .., 2] | rest if { n = n * 4 + rest.len() as u64; rest.len() % 2 == 0 } => sum(rest),
                [rest @ .., _] => 100 + sum(rest),
                _ => 8,
            };
            out[i] = r * 1000 + n;
        }
    }

    pub fn alternatives(d: usize, x: &[u32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let t = [x[i] % 8, x[i] % 11, 2];
            let s = &t[i % 4..];
            let a = match s {
                [LIMIT, rest @ ..] | [0..=3, rest @ ..] if rest.len() > 0 => sum(rest),
                [k @ LIMIT..=99, rest @ ..] if rest.len() != 1 => *k as u64 * 50 + sum(rest),
                [k, ..] => *k as u64 * 1000,
                [] => 1,
            };
            let b = match t { [1, rest @ ..] | [rest @ .., _] => (rest[0] * 10 + rest[1]) as u64 };
            let c = if let [a, r @ .., 2] | [a, r @ ..] = s && sum(r) > *a as u64 { sum(r) } else { 5 };
            out[i] = a * 10000 + b * 100 + c;
        }
    }

    pub fn nested_patterns(d: usize, x: &[u32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let pairs = [(1u32, x[i] % 4), (2, 3), (x[i] % 2, 9)];
            let a = match &pairs[i % 3..] {
                [(a, b), rest @ ..] if a >= b => (*a + b * 10) as u64 + rest.iter().map(|p| p.1 as u64 * 1000).sum::<u64>(),
                [(1, b) | (b, 1), rest @ ..] => *b as u64 + rest.len() as u64,
                rest => rest.len() as u64 + 7,
            };
            let options = [Some(x[i] % 3), None, Some(4)];
            let b = match &options[i % 4..] {
                [Some(v), rest @ ..] if *v > 0 => *v as u64 + rest.len() as u64,
                [None, Some(w), rest @ ..] => *w as u64 * 100,
                [_, rest @ ..] => rest.len() as u64,
                [] => 9,
            };
            let rows = [[x[i] % 8, x[i] % 11, 2], [1, x[i] % 3, 4]];
            let c = match &rows[i % 3..] {
                [[a, rest @ ..], ..] if a > &rest[0] => rest[1] as u64 + *a as u64,
                [[.., z], more @ ..] if more.len() == 0 => *z as u64 + 100,
                [first, more @ ..] => first[0] as u64 + 1000 * more.len() as u64,
                [] => 3,
            };
            out[i] = a * 100_000_000 + b * 10_000 + c;
        }
    }

    pub fn same_names(d: usize, x: &[u32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let (a, rest) = (5u32, [3u32, 4]);
            let t = [x[i] % 8, x[i] % 11, 2];
            let r = match &t[..] {
                [a, rest @ ..] if *a > 3 => match rest { [b, rest @ ..] if b > a => sum(rest) + 1, [.., z] => *z as u64, [] => 4 },
                _ => a as u64 + sum(&rest),
            };
            out[i] = r + a as u64 * 100 + rest[0] as u64 * 1000;
        }
    }

    pub fn signs(d: usize, x: &[u32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let text = b"-12+34+5-6";
            let (negative, v) = sign(&text[i % 3 * 3..][..3 - i % 3]);
            let s = &text[i % 10..];
            let (short, rest) = if let [b'-', rest @ ..] = s { (true, rest) } else if let [b'+', r @ ..] = s { (false, r) } else { (false, s) };
            out[i] = v as u64 * 4 + negative as u64 * 2 + short as u64 + rest.iter().map(|b| *b as u64 * 1000).sum::<u64>();
        }
    }

    pub fn while_it_holds(d: usize, x: &[u32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut rest = &x[i..x.len().min(i + 9)];
            let mut n = 0u64;
            while let [a, tail @ ..] = rest && *a % 4 != 0 { n += *a as u64 + tail.len() as u64; rest = tail; }
            out[i] = n * 10 + rest.len() as u64;
        }
    }

    pub fn run_lengths(d: usize, x: &[u32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut of = Runs { runs: [(0, 0); 32], len: 0 };
            let mut runs = [(0u32, 0u8); 32];
            let mut n = 0;
            for k in 0..25 {
                let b = x[i] >> k & 1;
                of.push(b);
                if let Some((v, len)) = runs[..n].last_mut() && *v == b { *len += 1; } else { runs[n] = (b, 1); n += 1; }
            }
            let sum = |r: (u32, u8)| r.1 as u64 * (r.0 as u64 + 2);
            out[i] = runs[..n].iter().map(|r| sum(*r)).sum::<u64>() * 1000 + of.runs[..of.len].iter().map(|r| sum(*r)).sum::<u64>();
        }
    }

    pub fn elements_of_parts(d: usize, x: &[u32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut a = [1u32, 2, x[i] % 8, 4, 5];
            let mut n = 0;
            let r = lowered(&mut a, i % 6);
            match a[i % 3..i % 3 + 2].get_mut(x[i] as usize % 3) { Some(v) if *v > 2 => *v *= 2, Some(v) => *v = 7, None => a[0] = 3 }
            if let Some(v) = a[{ n += 1; n }..{ n += 1; n + i % 3 }].get_mut({ n *= 2; n - 3 }) { *v += 7; }
            if i % 2 == 0 && let Some(v) = a[..=i % 5].first_mut() && *v > 1 { *v += 9; } else if let Some(v) = a[3..].last_mut() { *v += 30; }
            let k = i % 3;
            let Some(v) = a[k..k + x[i] as usize % 3].last_mut() else { out[i] = 3; continue };
            *v += 7;
            out[i] = a.iter().map(|v| *v as u64).fold(r + n as u64, |a, b| a * 64 + b);
        }
    }

    pub fn parts_of_elements(d: usize, x: &[u32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut g = [[1u32, 2, 3]; 3];
            match g[..i % 4].last_mut() {
                Some([a, b, ..]) if *a == 1 && i % 8 < 5 => { *b += *a; *a = 9; }
                Some(row) if row[2] == 3 => row[2] = 40,
                Some([_, _, c]) => *c = 5,
                None => g[0][1] = 50,
            }
            let mut p = [(1u32, 2u32); 3];
            if let Some((a, b)) = p[..i % 4].last_mut() { std::mem::swap(a, b); *a += x[i] % 3; }
            out[i] = g.iter().flatten().fold((p[0].0 + p[1].1 * 8 + p[2].0 * 64) as u64, |s, v| s.wrapping_mul(64) + *v as u64);
        }
    }

    pub fn parts_swapped(d: usize, x: &[u32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut rows = [[1u32, 2], [3, x[i] % 10]];
            let mut n = 0usize;
            {
                let [a, b] = &mut rows;
                std::mem::swap(&mut a[0], &mut b[1]);
                std::mem::swap(&mut a[{ n += 1; n }], &mut b[{ n += 1; n - 2 }]);
                n += std::mem::replace(&mut b[0], a[1]) as usize;
            }
            let (a, b) = rows.split_at_mut(1);
            std::mem::swap(&mut a[0][i % 2], &mut b[0][x[i] as usize % 2]);
            out[i] = rows.iter().flatten().fold(n as u64, |s, v| s * 30 + *v as u64);
        }
    }
}

compared! {
    |d, call| {
        let x: Vec<u32> = (0..64u32).map(|k| k.wrapping_mul(2654435761) >> 26).collect();
        let mut out = [0; 60];
        call(d, &x, &mut out);
        out
    };
    in_order rest_in_guard guard_with_effects alternatives nested_patterns same_names signs while_it_holds run_lengths
    elements_of_parts parts_of_elements parts_swapped
}
