//! Idioms of std as programs have them: results and options, ranges, byte strings, parts of slices. All devices, against the same functions
//! without directives.
#![allow(clippy::all, clippy::pedantic, unused, reason = "as programs have them")]
use omp_tests::{compared, twice};

twice! {
    use std::ops::{Range, RangeInclusive};
    const TEENS: RangeInclusive<u32> = 13..=19;
    #[omp::declare_target]
    fn block_range(i: usize, n: usize) -> Range<usize> { let start = i / 16 * 16; start..(start + 16).min(n) }
    #[omp::declare_target]
    fn sum_range(x: &[u32], r: Range<usize>) -> u64 { x[r].iter().map(|&v| v as u64).sum() }
    #[omp::declare_target]
    fn digits(s: &[u8]) -> Option<i64> { if s.is_empty() { return None; } let mut v = 0i64; for &b in s { if !b.is_ascii_digit() { return None; } v = v.checked_mul(10)?.checked_add((b - b'0') as i64)?; } Some(v) }
    #[derive(Clone, Copy, omp::Device)]
    pub struct Ring<const N: usize> { data: [f32; N], at: usize, len: usize }
    #[omp::declare_target]
    impl<const N: usize> Ring<N> {
      fn new() -> Self { Ring { data: [0.0; N], at: 0, len: 0 } }
      fn push(&mut self, v: f32) -> Option<f32> { let old = self.data[self.at]; self.data[self.at] = v; self.at = (self.at + 1) % N; if self.len == N { Some(old) } else { self.len += 1; None } }
      fn iter(&self) -> impl Iterator<Item = f32> + '_ { let start = (self.at + N - self.len) % N; (0..self.len).map(move |k| self.data[(start + k) % N]) }
    }
    #[omp::declare_target]
    fn total(s: &[u32]) -> u64 { s.iter().map(|v| *v as u64).sum() }
    const BAND: Range<f32> = -3.5..4.0;
    pub const K: usize = 5;
    const ROWS: Range<usize> = 1..K;
    use std::ops::Add;
    #[derive(Clone, Copy, Debug, PartialEq, Default, omp::Device)]
    pub struct V(pub f32, pub f32);
    #[omp::declare_target]
    impl Add for V { type Output = V; fn add(self, o: V) -> V { V(self.0 + o.0, self.1 + o.1) } }
    #[omp::declare_target]
    impl V { fn norm2(self) -> f32 { self.0 * self.0 + self.1 * self.1 } }
    pub struct View<'a> { data: &'a [u32], stride: usize }
    impl<'a> View<'a> { fn at(&self, k: usize) -> u32 { self.data[k * self.stride] } }
    pub struct Plane<'a> { width: usize, data: &'a [u32] }
    impl<'a> Plane<'a> {
        fn view(&self, k: usize) -> View<'_> { View { data: &self.data[k..], stride: self.width } }
        fn find(&self, k: usize) -> Option<&u32> { if k < 100 { Some(&self.data[k]) } else { None } }
    }
    fn two(v: &View, limit: u32) -> Option<u32> { let t = v.at(0) % 1000 + v.at(1) % 1000; if t > limit { return None; } Some(t) }

    pub fn sum_of_range(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            out[i] = sum_range(x, block_range(i, x.len()));
        }
    }

    pub fn split_by_function(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            out[i] = b"12,7,305,,40".split(|&c| c == b',').filter_map(digits).map(|v| v + i as i64).sum::<i64>() as u64;
        }
    }

    pub fn split_map_function(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            out[i] = b"12,7,305,,40"[i % 4..].split(|&c| c == b',').map(|s| digits(s).unwrap_or(7)).sum::<i64>() as u64;
        }
    }

    pub fn ring_iter(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut r = Ring::<5>::new(); let mut s = 0.0; for &v in f[i..].iter().take(7) { s += r.push(v).unwrap_or(0.25); } out[i] = ((s + r.iter().sum::<f32>()).abs() * 4.0) as u64;
        }
    }

    pub fn ring_iter_enumerate(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut r = Ring::<5>::new(); for &v in f[i..].iter().take(7) { r.push(v); } out[i] = (r.iter().enumerate().map(|(k, v)| if k % 2 == 0 { v } else { -v }).sum::<f32>().abs() * 4.0) as u64;
        }
    }

    pub fn eq_ignore(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            out[i] = b"AbC".eq_ignore_ascii_case(b"aBc") as u64 + (x[i] % 250) as u8 as u64;
        }
    }

    pub fn pairs(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let n = 6.min(x.len() - i); let pairs = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b))); out[i] = pairs.filter(|&(a, b)| x[i + a] < x[i + b]).count() as u64;
        }
    }

    pub fn bytes_flat(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            out[i] = x[i..].iter().take(5).flat_map(|v| v.to_le_bytes()).map(|b| b.count_ones() as u64).sum();
        }
    }

    pub fn option_flat(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            out[i] = f[i..].iter().take(5).flat_map(|&v| (v > 0.0).then_some(v as u64)).sum();
        }
    }

    pub fn range_named(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let w = 18..=65; out[i] = w.contains(&(x[i] % 100)) as u64 + (w.end() - w.start()) as u64;
        }
    }

    pub fn range_float(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            out[i] = (-1.0..1.0).contains(&f[i]) as u64 + (50..).contains(&(x[i] % 100)) as u64 * 2 + (..7).contains(&(x[i] % 9)) as u64 * 4;
        }
    }

    pub fn ok_or_typed(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let r: Result<u32, u8> = x.get(i + 9).copied().ok_or(4u8); out[i] = r.map_or(3, |v| v as u64);
        }
    }

    pub fn ok_or_and_then(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let r: Result<u32, u8> = x.get(i + 9).copied().ok_or(4u8); let u = r.and_then(|v| if v % 2 == 0 { Ok(v / 2) } else { Err(8) }).unwrap_or_else(|e| e as u32); out[i] = u as u64;
        }
    }

    pub fn get_or_insert_max(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut best: Option<f32> = None; for k in i..(i + 9).min(f.len()) { if f[k] < 0.0 { continue; } let b = best.get_or_insert(f[k]); *b = b.max(f[k]); } out[i] = best.map_or(1, |b| (b * 4.0) as u64);
        }
    }

    pub fn get_or_insert_unused(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut first: Option<u32> = None; for k in i..(i + 9).min(f.len()) { if x[k] % 3 == 0 { first.get_or_insert_with(|| x[k]); } } out[i] = first.unwrap_or(3) as u64;
        }
    }

    pub fn get_or_insert_count(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut c: Option<u64> = None; for k in i..(i + 9).min(f.len()) { if x[k] % 3 == 0 { *c.get_or_insert(0) += 1; } } out[i] = c.unwrap_or(30);
        }
    }

    pub fn result_of_option(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let r: Result<u32, u8> = x.get(i + 9).copied().ok_or(4u8); out[i] = r.map_or(3, |v| v as u64);
        }
    }

    pub fn result_matched(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let r: Result<u32, u8> = x[i].checked_sub(99999).ok_or(4u8); out[i] = match r { Ok(v) => v as u64, Err(e) => e as u64 };
        }
    }

    pub fn split_at_twice(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let (a, b) = x.split_at(i); let (c, d) = b.split_at(b.len() / 2); out[i] = a.len() as u64 + c.len() as u64 * 1000 + d[0] as u64;
        }
    }

    pub fn chunks_to_function(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            out[i] = x.chunks(7).map(total).max().unwrap();
        }
    }

    pub fn parts_to_function(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            out[i] = x[..i].split(|v| v % 5 == 0).map(total).max().unwrap();
        }
    }

    pub fn byte_string_split(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            out[i] = b"12,7,305,,40".split(|&c| c == b',').filter_map(digits).sum::<i64>() as u64 + i as u64;
        }
    }

    pub fn inserted_is_compared(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut b: Option<f32> = None; for k in 0..i % 9 { let v = b.get_or_insert(f[k]); *v = v.max(f[k]); } out[i] = b.map_or(1, |b| (b * 4.0) as i64 as u64);
        }
    }

    pub fn inserted_by_function(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut b: Option<f32> = None; for k in 0..i % 9 { let v = b.get_or_insert_with(|| f[k] * 2.0); if *v < f[k] { *v = f[k]; } } out[i] = b.map_or(1, |b| (b * 4.0) as i64 as u64);
        }
    }

    pub fn upper_case(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut t = *b"ab12Cd"; t.make_ascii_uppercase(); out[i] = t.iter().fold(i as u64, |a, b| a * 131 + *b as u64);
        }
    }

    pub fn lower_case_of_part(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut t = *b"ab12Cd"; t[i % 3..].make_ascii_lowercase(); out[i] = t.iter().fold(i as u64, |a, b| a * 131 + *b as u64);
        }
    }

    pub fn upper_case_of_byte(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut c = (x[i] % 128) as u8; c.make_ascii_uppercase(); out[i] = c as u64;
        }
    }

    pub fn options_of_references_compared(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            out[i] = (x[..i].iter().max() == Some(&x[i / 2])) as u64 + (x[..i].iter().last() != x.get(3)) as u64 * 2 + (x.iter().skip(i).min() > x.first()) as u64 * 4;
        }
    }

    pub fn results_mapped(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let r: Result<u32, u32> = if x[i] % 2 == 0 { Ok(x[i] / 2) } else { Err(3) }; out[i] = r.map(|v| v as u64).unwrap_or_else(|e| e as u64 * 7) + r.is_ok_and(|v| v > 3) as u64;
        }
    }

    pub fn peeks_after_take(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut it = x[i..].iter().map(|v| v % 3).take(30).peekable(); let mut h = 0u64; while let Some(v) = it.next() { let mut run = 1u64; while it.peek() == Some(&v) { it.next(); run += 1; } if let Some(2) = it.next_if(|&w| w == 2) { run += 100; } h = h.wrapping_mul(257).wrapping_add(run * 4 + v as u64); } out[i] = h;
        }
    }

    pub fn next_if_eq(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut it = x[i..].iter().map(|v| v % 3).peekable(); let mut h = 0u64; while let Some(v) = it.next() { while let Some(w) = it.next_if_eq(&v) { h += w as u64; } h = h * 3 % 1000003; } out[i] = h;
        }
    }

    pub fn merges_peeked(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut a = x[..i].iter().peekable(); let mut b = x[i..].iter().peekable(); let mut h = 0u64; loop { let v = match (a.peek(), b.peek()) { (Some(p), Some(q)) => if p <= q { a.next() } else { b.next() }, (Some(_), None) => a.next(), (None, Some(_)) => b.next(), (None, None) => break }; h = (h * 31 + *v.unwrap() as u64) % 1000003; } out[i] = h;
        }
    }

    pub fn merges_peeked_values(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut a = x[..i].iter().copied().peekable(); let mut b = x[i..].iter().copied().peekable(); let mut h = 0u64; while a.peek().is_some() || b.peek().is_some() { let v = match (a.peek(), b.peek()) { (Some(&p), Some(&q)) if p <= q => { a.next(); p } (_, Some(&q)) => { b.next(); q } (Some(&p), None) => { a.next(); p } (None, None) => unreachable!() }; h = (h * 31 + v as u64) % 1000003; } out[i] = h;
        }
    }

    pub fn split_at_computed(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let (a, b) = x.split_at(i); let (c, _) = b.split_at(b.len().min(4)); out[i] = a.len() as u64 + c.len() as u64 * 1000;
        }
    }

    pub fn mutable_range_of_call(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut r = block_range(i, x.len()); let total = sum_range(x, r.clone()); let w = r.len(); r.end = r.end.min(i + 1); out[i] = total ^ (w as u64) << 40 ^ x[r.clone()].iter().map(|&v| u64::from(v)).sum::<u64>() << 8;
        }
    }

    pub fn range_to_function(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let r = block_range(i, x.len()); let total = sum_range(x, r.clone()); out[i] = total + r.len() as u64;
        }
    }

    pub fn range_of_branches(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let halves = if i % 2 == 0 { 0..i / 2 } else { i / 2..i }; let mut c = 0; for k in halves { c += (f[k] > 0.0) as u64; } out[i] = c;
        }
    }

    pub fn range_cloned(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let r = 3..i.max(3); out[i] = sum_range(x, r.clone()) + sum_range(x, r);
        }
    }

    pub fn const_ranges(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            out[i] = TEENS.contains(&(x[i] % 30)) as u64 + BAND.contains(&f[i]) as u64 * 2 + TEENS.map(|v| v as u64).sum::<u64>() * 4;
        }
    }

    pub fn const_range_looped(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut s = 0; for k in ROWS { s += x[(i + k) % x.len()] as u64; } out[i] = s + (*TEENS.end() - TEENS.start()) as u64;
        }
    }

    pub fn fold_by_trait(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let s = f[..i % 9].iter().map(|&v| V(v, 1.0)).reduce(Add::add); out[i] = s.map_or(3, |s| (s.norm2() * 16.0) as u64);
        }
    }

    pub fn chosen_options(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let r = match i % 4 { 0 => x.get(i + 5), 1 => x.first(), 2 => { let k = i * 2; if k > 100 { Some(&x[k % 100]) } else { None } } _ => None }; out[i] = r.map_or(3, |v| *v as u64 * 2) + r.is_some() as u64; if let Some(&v) = r { out[i] += v as u64; }
        }
    }

    pub fn struct_as_argument(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let p = Plane { width: 3, data: x }; out[i] = match two(&p.view(i / 2), 1200) { Some(v) => v as u64, None => 3 };
        }
    }

    pub fn function_under_its_name(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let p = Plane { width: 3, data: x }; let b = p.view(i / 2); let Some(two) = two(&b, 900) else { continue; }; out[i] = two as u64;
        }
    }

    pub fn references_in_chains(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let p = Plane { width: 3, data: x }; out[i] = (0..9).filter_map(|k| p.find(k * 20 + i)).filter(|v| **v % 3 != 0).map(|v| *v as u64).sum::<u64>() + (0..5).map_while(|k| p.find(k * 40)).count() as u64;
        }
    }
}

compared! {
    |d, call| {
        let x: Vec<u32> = (0..129u32).map(|i| i.wrapping_mul(2654435761) >> 7).collect();
        let f: Vec<f32> = (0..129).map(|i| ((i * 37 % 101) as f32 - 50.0) * 0.25).collect();
        let mut out = vec![0; x.len()];
        call(d, &x, &f, &mut out);
        out
    };
    sum_of_range split_by_function split_map_function ring_iter ring_iter_enumerate eq_ignore pairs bytes_flat
    option_flat range_named range_float ok_or_typed ok_or_and_then get_or_insert_max get_or_insert_unused
    get_or_insert_count result_of_option result_matched split_at_twice chunks_to_function parts_to_function
    byte_string_split inserted_is_compared inserted_by_function upper_case lower_case_of_part upper_case_of_byte
    options_of_references_compared results_mapped peeks_after_take next_if_eq merges_peeked merges_peeked_values
    split_at_computed mutable_range_of_call range_to_function range_of_branches range_cloned const_ranges
    const_range_looped fold_by_trait chosen_options struct_as_argument function_under_its_name
    references_in_chains
}
