//! What right programs were refused for: slices in options that free functions give, ranges that are taken apart, methods of `num_traits` by
//! their paths, and references to arrays that are made of slices.
#![allow(clippy::all, clippy::pedantic, unused_qualifications, reason = "the code has every form on purpose")]
use omp_tests::{Values, compare, twice};

mod slices_in_options {
    use super::*;
    twice! {
        #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
        #[repr(u8)]
        pub enum Wrong { Short, Missing(u8) }
        #[omp::declare_target]
        fn field<'a>(line: &'a [u8], key: u8) -> Option<&'a [u8]> {
            if line.is_empty() { return None; }
            let at = line.windows(2).position(|w| w == [key, b'='])?;
            let rest = &line[at + 2..];
            let end = rest.iter().position(|b| matches!(b, b';' | b'\n')).unwrap_or(rest.len());
            Some(&rest[..end])
        }
        #[omp::declare_target]
        fn from(line: &[u32], k: usize) -> Option<&[u32]> {
            if k > line.len() { return None; }
            let part = &line[k..];
            Some(part)
        }
        #[omp::declare_target]
        fn of_any<T: omp::Device + PartialEq>(line: &[T], of: T) -> Option<&[T]> {
            let Some(at) = line.iter().position(|b| *b == of) else { return None };
            Some(&line[at..])
        }
        #[omp::declare_target]
        fn checked(line: &[u32], k: usize) -> Result<&[u32], Wrong> {
            if k > line.len() { return Err(Wrong::Short); }
            if line[k..].is_empty() { Err(Wrong::Missing(k as u8)) } else { Ok(&line[..k]) }
        }
        #[omp::declare_target]
        fn split(line: &[u32], k: usize) -> Option<(&[u32], &[u32])> {
            if k > line.len() { return None; }
            Some((&line[..k], &line[k..]))
        }
        #[omp::declare_target]
        fn counted(line: &[u32], k: usize) -> Option<(&[u32], u32)> {
            let part = from(line, k)?;
            let n = part.iter().sum();
            Some((part, n))
        }
        #[omp::declare_target]
        fn twice_from(line: &[u32], k: usize) -> Option<&[u32]> {
            let part = from(line, k)?;
            from(part, k)
        }
        #[omp::declare_target]
        fn length(line: &[u8], key: u8) -> Option<usize> { let t = field(line, key)?; Some(t.len()) }
        #[omp::declare_target]
        fn lengths(line: &[u32], k: usize) -> Result<usize, Wrong> { let t = checked(line, k)?; Ok(t.len()) }

        #[derive(omp::Mapper)]
        pub struct Rows { all: Vec<u32>, starts: Vec<usize> }
        #[omp::declare_target]
        impl Rows {
            fn row(&self, i: usize) -> Option<&[u32]> {
                if i + 1 >= self.starts.len() { return None; }
                Some(&self.all[self.starts[i]..self.starts[i + 1]])
            }
            fn sum(&self, i: usize) -> u32 {
                let Some(row) = self.row(i) else { return 1000 };
                row.iter().sum()
            }
        }
        #[omp::declare_target]
        fn tail(line: &mut [u32], k: usize) -> Option<&mut [u32]> {
            if k >= line.len() { return None; }
            Some(&mut line[k..])
        }

        #[omp::offload]
        pub fn rows(n: usize) -> (Vec<u32>, Vec<u32>) {
            let mut v = Values(5);
            let rows = Rows { all: (0..2 * n).map(|_| v.bits() % 9).collect(), starts: (0..n).map(|i| 2 * i).collect() };
            let mut out = vec![0; n + 1];
            #[omp::target]
            for (i, o) in out.iter_mut().enumerate() {
                let Some(row) = rows.row(i) else {
                    *o = 7;
                    continue;
                };
                *o = row[0] * 100 + row.len() as u32 + rows.sum(i + 1);
            }
            let mut cut = vec![3; 4 * n];
            #[omp::target]
            for (i, part) in cut.chunks_exact_mut(4).enumerate() {
                let Some(rest) = tail(part, i % 5) else { continue };
                rest[0] += 1;
                for r in rest.iter_mut() { *r *= 2; }
            }
            (out, cut)
        }
        #[omp::offload]
        pub fn run(n: usize) -> Vec<[u32; 12]> {
            let mut v = Values(3);
            let x: Vec<u32> = (0..n).map(|_| v.bits() % 5).collect();
            let text: Vec<u8> = (0..n).map(|_| b"ab=;=a\n"[v.bits() as usize % 7]).collect();
            let mut out = vec![[0; 12]; n];
            #[omp::target]
            for (i, o) in out.iter_mut().enumerate() {
                o[1] = length(&text[i..], b'a').unwrap_or(77) as u32;
                o[2] = match lengths(&x[i / 2..], 3) { Ok(n) => n as u32, Err(Wrong::Short) => 50, Err(Wrong::Missing(k)) => 60 + k as u32 };
                if let Some(part) = from(&x[i..], 2) { o[3] = part.len() as u32; } else { o[3] = 1000; }
                if let Some(part) = of_any(&x[i..], 2) { o[4] = part.len() as u32; }
                if let Some(part) = of_any(&text, b'=') { o[5] = part[0] as u32; }
                if let Some((a, b)) = split(&x, i / 2 * 3) { o[6] = (a.len() * 100 + b.len()) as u32; }
                match counted(&x[i..], 3) { Some((p, n)) => o[7] = n * 10 + p.len() as u32, None => o[7] = 5 }
                let mut k = 1;
                while let Some(p) = from(&x[i..], k) { k += 1 + p.first().copied().unwrap_or(1) as usize; o[8] += 1; }
                if let Some(p) = twice_from(&x[i..], 2) { o[9] = p.len() as u32 + 1; }
                let Ok(c) = checked(&x[i..], 1) else { o[10] = 9; continue };
                o[10] = c[0];
                let Some(text) = field(&text[i..], b'a') else { o[0] = 99; continue };
                for (k, t) in text.iter().enumerate() { o[0] = o[0].wrapping_mul(31) + *t as u32 + k as u32; }
                let later = |a: &[u32], k: usize| Some(k as u32 + a[0]);
                if let Some(k) = later(&x[i..], 3) { o[11] = k; }
            }
            out
        }
    }

    #[test]
    fn of_every_size() {
        for n in [0, 1, 2, 7, 100] {
            compare!(m, d => { omp::set_default_device(d); (m::run(n), m::rows(n)) });
        }
    }
}

mod ranges {
    use super::*;
    twice! {
        use std::ops::{Range, RangeInclusive};
        use std::ops::Range as Span;
        #[derive(omp::Mapper)]
        pub struct Table { n: Vec<i64> }
        #[omp::declare_target]
        impl Table {
            fn total(&self, range: Range<usize>) -> i64 {
                let Range { start, end } = range;
                let mut s = 0;
                let (mut lo, hi) = (start, end);
                while lo < hi { s = s * 3 % 1009 + self.n[lo]; lo += 1; }
                s
            }
        }
        #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
        pub struct Weights { w: [i64; 4] }
        #[omp::declare_target]
        impl Weights {
            fn of(&self, range: Range<usize>) -> i64 {
                let Range { start: first, end: last } = range.clone();
                (range.start..last).map(|k| self.w[k]).sum::<i64>() + first as i64
            }
        }
        #[omp::declare_target]
        fn total(x: &[i64], r: Range<usize>) -> i64 {
            let Range { start, end } = r;
            let mut s = 0;
            for i in start..end { s = s * 5 % 1009 + x[i]; }
            s
        }
        #[omp::declare_target]
        fn renamed(x: &[i64], r: Range<usize>) -> i64 {
            let Span { start, .. } = r;
            let std::ops::Range { end: mut last, .. } = r.clone();
            while last > start { last -= 2.min(last - start); }
            last as i64 + x[start.min(x.len() - 1)]
        }
        #[omp::declare_target]
        fn of_numbers(r: Range<i32>) -> i32 { let Range { start, end } = r; end - start }
        #[omp::declare_target]
        fn closed(x: &[i64], r: RangeInclusive<usize>) -> i64 {
            let mut s = r.end() - r.start();
            for i in r { s = s * 2 % 1009 + x[i] as usize; }
            s as i64
        }
        #[omp::declare_target]
        fn halves(x: &[i64], r: Range<usize>) -> i64 {
            let Range { start, end } = r;
            let mid = start + (end - start) / 2;
            total(x, start..mid) - total(x, mid..end)
        }
        #[omp::declare_target]
        fn passed(x: &[i64], r: Range<usize>) -> i64 { total(x, r.clone()) + renamed(x, r) }

        #[omp::offload]
        pub fn run(n: usize) -> Vec<[i64; 10]> {
            let mut v = Values(3);
            let x: Vec<i64> = (0..n).map(|_| v.bits() as i64 % 5).collect();
            let t = Table { n: x.clone() };
            let w = Weights { w: [3, 4, 5, 6] };
            let bounds = n / 3..n / 2;
            let mut out = vec![[0; 10]; n];
            #[omp::target]
            for i in 0..n {
                let r = i..(i + 9).min(n);
                out[i][0] = t.total(r.clone());
                out[i][1] = t.total(i / 2..i);
                out[i][2] = total(&x, r);
                out[i][3] = renamed(&x, i..n);
                out[i][4] = w.of(i % 3..i % 3 + 2);
                out[i][5] = of_numbers(-3..i as i32) as i64;
                out[i][6] = closed(&x, i / 2..=i);
                out[i][7] = halves(&x, i..(i + 8).min(n));
                out[i][8] = passed(&x, i / 3..i);
                let Range { start, end } = bounds;
                let Range { start: a, end: b } = bounds.clone();
                out[i][9] = (start * 1000 + end + a + b) as i64;
            }
            out
        }
    }

    #[test]
    fn of_every_size() {
        for n in [0, 1, 2, 7, 100] {
            compare!(m, d => { omp::set_default_device(d); m::run(n) });
        }
    }
}

/// Types of the user's with the names of a range and of its ends.
mod own_ranges {
    use super::*;
    twice! {
        #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
        pub struct Range { start: u32, end: u32 }
        #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
        pub struct Pair<T: omp::Device> { start: T, end: T }
        #[omp::declare_target]
        fn of(r: Range) -> u32 { let Range { start, end } = r; start * 3 + end }
        #[omp::declare_target]
        fn pair(r: Pair<u32>) -> u32 { let Pair { start, end } = r; start * 3 + end }
        #[omp::offload]
        pub fn run(n: usize) -> Vec<u32> {
            let mut out = vec![0; n];
            let of_all = Range { start: 3, end: 9 };
            #[omp::target]
            for i in 0..n {
                let Range { start, end } = of_all;
                let r = Range { start: i as u32, end };
                let Range { start: s, end } = r;
                out[i] = of(r) + start + end + s + pair(Pair { start: 2, end: 5 });
            }
            out
        }
    }

    #[test]
    fn of_every_size() {
        for n in [0, 1, 2, 7, 100] {
            compare!(m, d => { omp::set_default_device(d); m::run(n) });
        }
    }
}

mod num_traits_by_path {
    use super::*;
    twice! {
        use num_traits::{Float, PrimInt};
        #[omp::declare_target]
        trait Pick { fn max(a: f32, b: f32) -> f32; fn min(&self, b: f32) -> f32; }
        #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
        pub struct Second;
        #[omp::declare_target]
        impl Pick for Second { fn max(a: f32, b: f32) -> f32 { a * 100.0 + b } fn min(&self, b: f32) -> f32 { b + 7.0 } }
        #[omp::declare_target]
        trait Real: Sized { fn max(self, b: Self) -> Self; fn sqrt(self) -> Self; }
        #[omp::declare_target]
        impl Real for f32 { fn max(self, b: f32) -> f32 { self - b } fn sqrt(self) -> f32 { self * 3.0 } }
        #[omp::declare_target]
        fn pick<S: Pick + omp::Device>(s: S, a: f32, b: f32) -> f32 { S::max(a, b) + S::min(&s, a) + <S as Pick>::max(b, a) }
        #[omp::declare_target]
        fn real<T: Real + omp::Device>(a: T, b: T) -> T { T::sqrt(T::max(a, b)) }
        #[omp::declare_target]
        fn real2<T: Real + omp::Device>(a: T, b: T) -> T { Real::sqrt(Real::max(a, b)) }
        #[omp::declare_target]
        fn largest<T: Float + omp::Device>(x: &[T]) -> T { x.iter().copied().fold(T::neg_infinity(), T::max) }
        #[omp::declare_target]
        fn forms<T: Float + omp::Device>(a: T, b: T) -> T {
            let c = T::max(a, b) - T::min(a, b);
            let d = T::sqrt(T::abs(c)) + Float::max(a, b) + <T as Float>::min(a, b) + num_traits::Float::floor(c);
            T::mul_add(c, a, d) + T::powi(a, 2) + T::copysign(c, b) + if T::is_nan(c) { T::one() } else { T::zero() }
        }
        #[omp::declare_target]
        fn ints<T: PrimInt + omp::Device>(a: T) -> u32 { T::count_ones(a) + PrimInt::leading_zeros(a) + T::trailing_zeros(a) }
        pub fn run(n: usize) -> (Vec<f32>, Vec<(f64, f32, u32, f32)>) {
            let mut v = Values(3);
            let x: Vec<f32> = (0..n * 3).map(|_| v.bits() as f32 % 64.0 - 20.0).collect();
            let mut out = x.clone();
            tops(&mut out, 3);
            let mut z = vec![(0.0, 0.0, 0, 0.0); n];
            #[omp::target(fp(strict))]
            for i in 0..n {
                let (a, b) = (x[i], x[i + n]);
                let all = x[3 * i..3 * i + 3].iter().copied().fold(f32::MIN, Float::max);
                z[i] = (forms(a as f64, b as f64), pick(Second, a, b) + real(a, b) + real2(a, b), ints(i as u16) + ints(i as i64), largest(&x[i..]) + all + <f32 as Float>::min(a, b));
            }
            (out, z)
        }
        #[omp::target]
        pub fn tops<T: Float + omp::Device>(m: &mut [T], cols: usize) {
            for row in m.chunks_exact_mut(cols) {
                let top = row.iter().copied().fold(T::neg_infinity(), T::max);
                let low = row.iter().copied().fold(T::infinity(), Float::min);
                let ref_top = row.iter().fold(T::neg_infinity(), |a, &b| T::max(a, b));
                row[0] = top + ref_top;
                row[1] = T::max(row[1], T::zero()) - low;
            }
        }
    }

    #[test]
    fn of_every_size() {
        for n in [0, 1, 2, 7, 100] {
            compare!(m, d => { omp::set_default_device(d); m::run(n) });
        }
    }
}

mod arrays_by_reference {
    use super::*;
    twice! {
        #[omp::declare_target]
        fn sum(q: &[u8; 4]) -> u32 { q.iter().map(|&b| u32::from(b)).sum() }
        #[omp::declare_target]
        fn of_rest(x: &[u8]) -> Option<u32> {
            let three: &[u8; 3] = x.try_into().ok()?;
            let [a, b, c]: &[u8; 3] = x[..3].try_into().ok()?;
            Some(u32::from(three[1]) * 7 + u32::from(*a) + u32::from(*b ^ *c))
        }
        pub fn run(n: usize) -> Vec<[u32; 4]> {
            let mut v = Values(3);
            let x: Vec<u8> = (0..4 * n).map(|_| v.bits() as u8).collect();
            let w: Vec<f32> = (0..2 * n).map(|_| v.bits() as f32).collect();
            let mut out = vec![[0; 4]; n];
            #[omp::target]
            for i in 0..n {
                let quad: &[u8; 4] = x[4 * i..4 * i + 4].try_into().unwrap();
                let pair: &[f32; 2] = (&w[2 * i..2 * i + 2]).try_into().expect("two");
                let [p, q] = *pair;
                for (k, b) in quad.iter().enumerate() { out[i][0] += *b as u32 * k as u32; }
                for b in quad { out[i][3] ^= u32::from(*b); }
                let all = &x[4 * i..];
                let first: &[u8; 4] = all[..4].try_into().unwrap();
                out[i][1] = sum(quad) + sum(first) + quad[3] as u32 + quad.len() as u32 + pair[1] as u32 % 7 + (p + q) as u32 % 3;
                out[i][2] = of_rest(&all[..all.len().min(3 + i % 2)]).unwrap_or(8) + u32::from_le_bytes(*quad) % 100;
            }
            out
        }
    }

    #[test]
    fn of_every_size() {
        for n in [0, 1, 2, 7, 100] {
            compare!(m, d => { omp::set_default_device(d); m::run(n) });
        }
    }
}
