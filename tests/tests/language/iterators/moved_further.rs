//! Iterators under names, with several uses, each of which goes on behind the items of the one before: all devices, against the same
//! functions without directives.
#![allow(clippy::all, clippy::pedantic, unused, reason = "as programs have them")]
use omp_tests::{compared, twice};

twice! {
    pub fn first_and_fold(d: usize, x: &[u32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut it = x[..i + 3].iter();
            let a = *it.next().unwrap();
            out[i] = it.fold(a, |m, &v| m.max(v)) as u64;
        }
    }

    pub fn first_and_map(d: usize, x: &[u32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let row = &x[..i + 3];
            let mut it = row.iter().copied();
            let a = it.next().unwrap();
            out[i] = it.map(|v| v ^ a).max().unwrap_or(a) as u64;
        }
    }

    pub fn first_of_range(d: usize, x: &[u32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut it = (0..i + 3).map(|k| x[k]);
            let mut prev = it.next().unwrap();
            let mut s = 0;
            for v in it { s += v.abs_diff(prev) as u64; prev = v; }
            out[i] = s;
        }
    }

    pub fn skips_items(d: usize, x: &[u32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let row = &x[..i + 3];
            let mut it = row.iter();
            let mut s = 0;
            while let Some(&v) = it.next() { if v % 5 == 0 { it.next(); } s = s * 3 + v as u64; }
            out[i] = s;
        }
    }

    pub fn loops_by_ref(d: usize, x: &[u32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let row = &x[..i + 3];
            let mut it = row.iter();
            let mut s = 0;
            for &v in it.by_ref() { if v > 40 { break; } s += v as u64; }
            out[i] = s * 100 + it.next().map_or(0, |v| *v as u64);
        }
    }

    pub fn counts_by_ref(d: usize, x: &[u32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let row = &x[..i + 9];
            let mut it = row.iter();
            let h = it.by_ref().take_while(|v| **v > 5).count();
            out[i] = h as u64 * 100 + it.count() as u64;
        }
    }

    pub fn peeks_at_references(d: usize, x: &[u32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let row = &x[..i + 3];
            let mut it = row.iter().peekable();
            let mut s = 0;
            while let Some(v) = it.next() { if let Some(&&w) = it.peek() { s += (v * w) as u64; } }
            out[i] = s;
        }
    }

    pub fn takes(d: usize, x: &[u32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut it = x[i..].iter().filter(|v| **v % 2 == 0).take(5);
            let a = it.next().copied().unwrap_or(0);
            let b: u32 = it.by_ref().take(2).sum();
            let c = it.count();
            out[i] = (a * 10000 + b * 10) as u64 + c as u64;
        }
    }

    pub fn takes_while(d: usize, x: &[u32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut it = x[i..].iter().map(|v| v * 3).take_while(|v| *v != 9);
            let a = it.by_ref().take(3).max();
            let b = it.by_ref().last();
            let c = it.next();
            out[i] = (a.unwrap_or(1) * 1000 + b.unwrap_or(2)) as u64 + c.map_or(0, |v| v as u64);
        }
    }

    pub fn effects_of_filters(d: usize, x: &[u32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut calls = 0u32;
            let mut it = x[i..].iter().filter(|v| { calls += 1; **v % 3 != 0 }).take(4);
            let mut s = 0;
            while let Some(v) = it.next() { s = s * 7 + v; }
            out[i] = s as u64 * 100 + calls as u64;
        }
    }

    pub fn effects_of_maps(d: usize, x: &[u32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut calls = 0u32;
            let mut it = x[i..].iter().map(|v| { calls += 1; v * 2 }).take_while(|v| v % 8 != 0);
            let a = it.next();
            let mut s = a.unwrap_or(5);
            for v in it { s = s * 3 % 1009 + v; }
            out[i] = s as u64 * 100 + calls as u64;
        }
    }

    pub fn enumerated(d: usize, x: &[u32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut it = x[i..i + 8].iter().enumerate();
            let (_, first) = it.next().unwrap();
            let mut best = (0, *first);
            for (k, &v) in it { if v > best.1 { best = (k, v); } }
            out[i] = best.0 as u64 * 100 + best.1 as u64;
        }
    }

    pub fn enumerated_later(d: usize, x: &[u32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut it = x[i..i + 8].iter().filter(|v| **v > 9).enumerate();
            let a = it.next().map_or(0, |(k, v)| k as u32 + *v);
            let b = it.next().map_or(0, |(k, v)| k as u32 * 100 + *v);
            out[i] = a as u64 * 10000 + b as u64;
        }
    }

    pub fn windows(d: usize, x: &[u32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut it = x[i..i + 8].windows(2);
            let w = it.next().unwrap();
            let mut s = w[0] * w[1];
            for w in it { s = s.wrapping_mul(3) + w[1] - w[0].min(w[1]); }
            out[i] = s as u64;
        }
    }

    pub fn chunks(d: usize, x: &[u32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut it = x[i..i + 9].chunks(2);
            let w = it.next().unwrap();
            let r = it.next().unwrap();
            out[i] = (w[0] + r[1]) as u64 + it.map(|c| c.len()).sum::<usize>() as u64;
        }
    }

    pub fn reversed(d: usize, x: &[u32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut it = x[i..i + 9].iter().rev();
            let w = *it.next().unwrap();
            out[i] = it.map(|v| v ^ w).fold(0u64, |a, b| a * 5 + b as u64);
        }
    }

    pub fn reversed_later(d: usize, x: &[u32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut it = x[i..i + 9].iter();
            let w = *it.next().unwrap();
            out[i] = it.rev().take(3).map(|v| v ^ w).fold(0u64, |a, b| a * 5 + b as u64);
        }
    }

    pub fn zipped(d: usize, x: &[u32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut it = x[i..i + 9].iter();
            it.next();
            out[i] = x[i..].iter().zip(it).map(|(a, b)| (a * b) as u64).sum();
        }
    }

    pub fn skips_and_steps(d: usize, x: &[u32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut it = x[i..i + 9].iter().copied().skip(2).step_by(2);
            let a = it.next().unwrap();
            let b = it.next().unwrap();
            out[i] = (a * 100 + b) as u64 + it.sum::<u32>() as u64 * 10000;
        }
    }

    pub fn cloned(d: usize, x: &[u32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut it = x[i..i + 9].iter();
            let a = it.next().unwrap();
            let b: u32 = it.clone().map(|v| v + a).sum();
            let c = it.next().unwrap();
            out[i] = (b * 100 + c) as u64;
        }
    }

    pub fn peeks_at_values(d: usize, x: &[u32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut it = x[i..i + 9].iter().map(|v| v % 11).peekable();
            let mut runs = 0;
            while let Some(v) = it.next() { while let Some(&w) = it.peek() { if w < v { break; } it.next(); } runs += 1; }
            out[i] = runs;
        }
    }

    pub fn peeks_in_match(d: usize, x: &[u32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut it = x[i..i + 9].iter().peekable();
            let mut s = 0;
            while let Some(v) = it.next() { s += match it.peek() { Some(&&w) if w > *v => w, Some(w) => **w + 1, None => 7 }; }
            out[i] = s as u64;
        }
    }

    pub fn peeks_mapped(d: usize, x: &[u32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut it = x[i..i + 9].iter().peekable();
            let mut s = 0;
            while let Some(v) = it.next() { s = s * 3 + it.peek().map_or(*v, |w| **w - (**w).min(*v)) + u32::from(it.peek().is_none()); }
            out[i] = s as u64;
        }
    }

    pub fn peeks_copied(d: usize, x: &[u32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut it = x[i..i + 9].iter().copied().peekable();
            let mut s = 0;
            while let Some(v) = it.next() { if it.peek() == Some(&v) { s += 1; } s += it.peek().copied().unwrap_or(v); }
            out[i] = s as u64;
        }
    }

    pub fn unused_items(d: usize, x: &[u32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut it = x[i..i + 9].iter();
            it.nth(1);
            let a = it.nth(2).unwrap();
            out[i] = *a as u64 * 100 + *it.next().unwrap() as u64;
        }
    }

    pub fn searches(d: usize, x: &[u32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut it = x[i..i + 19].iter();
            let a = it.find(|v| **v > 20).copied().unwrap_or(0);
            let b = it.position(|&v| v < 10).unwrap_or(77);
            out[i] = (a * 1000 + b as u32) as u64 + it.count() as u64 * 7;
        }
    }

    pub fn parts_by_ref(d: usize, x: &[u32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut it = x[i..i + 12].iter();
            let mut s = 0u64;
            for k in 0..4 { let part: u32 = it.by_ref().take(k).sum(); s = s * 50 + part as u64; }
            out[i] = s + it.count() as u64;
        }
    }

    pub fn bytes(d: usize, x: &[u32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let b = x[i].to_le_bytes();
            let mut it = b.iter();
            let a = *it.next().unwrap();
            out[i] = it.fold(a as u64, |s, &v| s * 3 + v as u64);
        }
    }

    pub fn past_the_end(d: usize, x: &[u32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut it = x[i..i + 2].iter();
            it.next();
            it.next();
            it.next();
            out[i] = it.next().is_none() as u64 + it.map(|v| *v as u64).sum::<u64>();
        }
    }

    pub fn exclusive(d: usize, x: &[u32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut a = [x[i], x[i + 1], x[i + 2]];
            let mut it = a.iter_mut();
            let f = it.next().unwrap();
            *f += 5;
            for v in it { *v *= 2; }
            out[i] = a.iter().fold(0, |s, v| s * 100 + *v as u64);
        }
    }

    pub fn scans(d: usize, x: &[u32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut it = x[i..i + 9].iter().scan(0, |s, v| { *s += v; Some(*s) });
            let a = it.next().unwrap();
            let b = it.nth(2).unwrap();
            out[i] = (a + b * 100) as u64 + it.last().unwrap() as u64 * 100000;
        }
    }
}

compared! {
    |d, call| {
        let x: Vec<u32> = (0..64u32).map(|k| k.wrapping_mul(2654435761) >> 26).collect();
        let mut out = [0; 20];
        call(d, &x, &mut out);
        out
    };
    first_and_fold first_and_map first_of_range skips_items loops_by_ref counts_by_ref peeks_at_references takes
    takes_while effects_of_filters effects_of_maps enumerated enumerated_later windows chunks reversed
    reversed_later zipped skips_and_steps cloned peeks_at_values peeks_in_match peeks_mapped peeks_copied
    unused_items searches parts_by_ref bytes past_the_end exclusive scans
}
