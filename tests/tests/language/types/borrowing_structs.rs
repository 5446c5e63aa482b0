//! Structs that borrow slices, as decoders, parsers and views have them: variables of device functions and of loops.
#![allow(clippy::all, clippy::pedantic, unused, unreachable_patterns, reason = "as programs have them")]
use omp_tests::{compare, on_every_device, twice};

fn data() -> Vec<u8> {
    (0..600u32).map(|k| (k.wrapping_mul(2654435761) >> 13) as u8).collect()
}

fn floats() -> Vec<f64> {
    (0..120).map(|k| f64::from(k * 7 % 13)).collect()
}

mod iterators {
    use super::*;

    twice! {
        struct Bytes<'a> { bytes: &'a [u8], pos: usize }
        #[omp::declare_target]
        impl<'a> Bytes<'a> { fn new(bytes: &'a [u8]) -> Self { Self { bytes, pos: 0 } } fn rest(&self) -> usize { self.bytes.len() - self.pos } }
        #[omp::declare_target]
        impl<'a> Iterator for Bytes<'a> { type Item = u8; fn next(&mut self) -> Option<u8> { let b = *self.bytes.get(self.pos)?; self.pos += 1; Some(b) } }
        #[omp::declare_target]
        fn f(x: &[u8]) -> u32 { let mut s = 0u32; for b in Bytes::new(x) { s += u32::from(b); } s }
        #[omp::declare_target]
        fn g(x: &[u8]) -> u32 { let mut it = Bytes::new(x); let a = it.next().unwrap_or(3); let two: u32 = it.by_ref().take(2).map(u32::from).sum(); let r = it.rest() as u32; for b in it { if b > 200 { return 7 + r; } } two * 3 + u32::from(a) + r }
        #[omp::declare_target]
        fn h(x: &[u8]) -> u32 { Bytes::new(x).filter(|b| b % 2 == 0).map(u32::from).sum::<u32>() }
        pub fn run(d: usize, x: &[u8], out: &mut [u32]) {
            #[omp::target(device(d))]
            for i in 0..out.len() { let y = &x[i..i + 9]; out[i] = f(y) + g(y) * 3 + h(y) * 7; let mut it = Bytes::new(y); let mut n = 0; while let Some(b) = it.next() { n += 1; if b < 40 { break; } } out[i] += n * 1000 + it.count() as u32; }
        }
    }

    #[test]
    fn as_without_devices() {
        let x = data();
        compare!(m, d => {
            let mut out = vec![0 as u32; 40];
            m::run(d, &x, &mut out);
            out
        });
    }
}

mod moved_slices {
    use super::*;

    twice! {
        struct R<'a> { bytes: &'a [u8] }
        #[omp::declare_target]
        impl<'a> R<'a> {
            fn new(bytes: &'a [u8]) -> Self { R { bytes } }
            fn u8(&mut self) -> u8 { let b = self.bytes[0]; self.bytes = &self.bytes[1..]; b }
            fn u16(&mut self) -> Option<u16> { if self.bytes.len() < 2 { return None; } let (h, t) = self.bytes.split_at(2); self.bytes = t; Some(u16::from_le_bytes([h[0], h[1]])) }
            fn first(&mut self) -> Option<u8> { let (&b, rest) = self.bytes.split_first()?; self.bytes = rest; Some(b) }
            fn take(&mut self, n: usize) -> Option<&'a [u8]> { if n > self.bytes.len() { return None; } let (h, t) = self.bytes.split_at(n); self.bytes = t; Some(h) }
            fn skip(&mut self, n: usize) { self.bytes = &self.bytes[n.min(self.bytes.len())..]; }
            fn is_empty(&self) -> bool { self.bytes.is_empty() }
            fn tlv(&mut self) -> Option<u32> { let t = self.first()?; let n = usize::from(self.first()? % 5); let body = self.take(n)?; Some(u32::from(t) + body.iter().map(|&b| u32::from(b)).sum::<u32>()) }
        }
        #[omp::declare_target]
        fn a(x: &[u8]) -> u32 { let mut r = R::new(x); let mut s = 0; while !r.is_empty() { s = s * 3 % 1009 + u32::from(r.u8()); r.skip(2); } s }
        #[omp::declare_target]
        fn b(x: &[u8]) -> u32 { let mut r = R::new(x); let mut s = 0u32; while let Some(v) = r.u16() { s ^= u32::from(v); } s + r.bytes.len() as u32 }
        #[omp::declare_target]
        fn c(x: &[u8]) -> Option<u32> { let mut r = R::new(x); let mut s = 0u32; for _ in 0..3 { s += r.tlv()?; } Some(s) }
        pub fn run(d: usize, x: &[u8], out: &mut [u32]) {
            #[omp::target(device(d))]
            for i in 0..out.len() { let y = &x[i..i + 19]; out[i] = a(y) + b(y) * 3 + c(y).unwrap_or(77) * 7; }
        }
    }

    #[test]
    fn as_without_devices() {
        let x = data();
        compare!(m, d => {
            let mut out = vec![0 as u32; 40];
            m::run(d, &x, &mut out);
            out
        });
    }
}

mod headers {
    use super::*;

    twice! {
        struct R<'a> { bytes: &'a [u8], pos: usize }
        #[derive(Clone, Copy, PartialEq, Debug, omp::Device)]
        #[repr(u8)] enum Bad { Short, Magic(u8) }
        #[derive(Clone, Copy, PartialEq, Debug, omp::Device)]
        struct Header { kind: u8, size: u32, sum: u16 }
        #[omp::declare_target]
        impl<'a> R<'a> {
            fn new(bytes: &'a [u8]) -> Self { R { bytes, pos: 0 } }
            fn take(&mut self, n: usize) -> Result<&'a [u8], Bad> { let end = self.pos + n; if end > self.bytes.len() { return Err(Bad::Short); } let part = &self.bytes[self.pos..end]; self.pos = end; Ok(part) }
            fn u8(&mut self) -> Result<u8, Bad> { Ok(self.take(1)?[0]) }
            fn u16(&mut self) -> Result<u16, Bad> { let b = self.take(2)?; Ok(u16::from_be_bytes([b[0], b[1]])) }
            fn u32(&mut self) -> Result<u32, Bad> { let b = self.take(4)?; Ok(u32::from_be_bytes(b.try_into().unwrap())) }
            fn header(&mut self) -> Result<Header, Bad> {
                let kind = self.u8()?;
                if kind & 7 == 3 { return Err(Bad::Magic(kind)); }
                Ok(Header { kind, size: self.u32()?, sum: self.u16()? })
            }
        }
        #[omp::declare_target]
        fn parse(x: &[u8]) -> Result<Header, Bad> { let mut r = R::new(x); let a = r.header()?; let b = r.header()?; Ok(Header { kind: a.kind ^ b.kind, size: a.size.wrapping_add(b.size), sum: a.sum ^ b.sum }) }
        pub fn run(d: usize, x: &[u8], out: &mut [u32]) {
            #[omp::target(device(d))]
            for i in 0..out.len() { out[i] = match parse(&x[i..i + 8 + i % 9]) { Ok(h) => h.size ^ u32::from(h.kind), Err(Bad::Short) => 1, Err(Bad::Magic(k)) => 1000 + u32::from(k) }; }
        }
    }

    #[test]
    fn as_without_devices() {
        let x = data();
        compare!(m, d => {
            let mut out = vec![0 as u32; 40];
            m::run(d, &x, &mut out);
            out
        });
    }
}

mod nested {
    use super::*;

    twice! {
        struct Cur<'a> { bytes: &'a [u8], pos: usize }
        #[omp::declare_target]
        impl<'a> Cur<'a> { fn next(&mut self) -> Option<u8> { let b = *self.bytes.get(self.pos)?; self.pos += 1; Some(b) } fn peek(&self) -> Option<u8> { self.bytes.get(self.pos).copied() } }
        struct Parser<'a> { cur: Cur<'a>, depth: u32 }
        #[omp::declare_target]
        impl<'a> Parser<'a> {
            fn new(bytes: &'a [u8]) -> Self { Parser { cur: Cur { bytes, pos: 0 }, depth: 0 } }
            fn number(&mut self) -> Option<u32> {
                let mut v = None;
                while let Some(b) = self.cur.peek() { if b % 16 >= 10 { break; } v = Some(v.unwrap_or(0u32) * 10 % 10007 + u32::from(b % 16)); self.cur.next(); }
                v
            }
            fn sum(&mut self) -> u32 { let mut s = 0; loop { match self.number() { Some(v) => { s += v; self.depth += 1; } None => { if self.cur.next().is_none() { return s; } } } } }
        }
        #[omp::declare_target]
        fn f(x: &[u8]) -> u32 { let mut p = Parser::new(x); let s = p.sum(); s * 10 + p.depth + p.cur.pos as u32 }
        pub fn run(d: usize, x: &[u8], out: &mut [u32]) {
            #[omp::target(device(d))]
            for i in 0..out.len() { out[i] = f(&x[i..i + 11]); let mut p = Parser::new(&x[i..i + 5]); out[i] += p.sum() * 3 + p.depth; }
        }
    }

    #[test]
    fn as_without_devices() {
        let x = data();
        compare!(m, d => {
            let mut out = vec![0 as u32; 40];
            m::run(d, &x, &mut out);
            out
        });
    }
}

mod constructors {
    use super::*;

    twice! {
        #[derive(Clone, Copy)]
        struct C<'a> { bytes: &'a [u8], pos: usize, end: usize }
        #[omp::declare_target]
        impl<'a> C<'a> {
            fn new(bytes: &'a [u8]) -> Self { let end = bytes.len(); Self { bytes, pos: 0, end } }
            fn at(bytes: &'a [u8], pos: usize) -> Self { let mut c = Self::new(bytes); c.pos = pos; c }
            fn skipped(bytes: &'a [u8], n: usize) -> C<'a> { let mut c = C::new(bytes); c.skip(n); c }
            fn from(bytes: &'a [u8], pos: usize) -> Self { Self { pos, ..Self::new(bytes) } }
            fn upto(self, end: usize) -> Self { Self { end, ..self } }
            fn upto2(mut self, end: usize) -> Self { self.end = end; self }
            fn skip(&mut self, n: usize) { self.pos = (self.pos + n).min(self.end); }
            fn sum(&mut self) -> u32 { let mut s = 0; while self.pos < self.end { s += u32::from(self.bytes[self.pos]); self.pos += 1; } s }
        }
        #[omp::declare_target]
        fn f(x: &[u8]) -> u32 { let mut a = C::new(x); a.sum() }
        #[omp::declare_target]
        fn g(x: &[u8]) -> u32 { let mut a = C::at(x, 2); a.sum() }
        #[omp::declare_target]
        fn h(x: &[u8]) -> u32 { let mut a = C::skipped(x, 3); a.sum() }
        #[omp::declare_target]
        fn i(x: &[u8]) -> u32 { let mut a = C::from(x, 4); a.sum() }
        #[omp::declare_target]
        fn j(x: &[u8]) -> u32 { let mut a = C::new(x).upto(5); a.sum() }
        #[omp::declare_target]
        fn k(x: &[u8]) -> u32 { let mut a = C::new(x).upto2(5); a.sum() }
        pub fn run(d: usize, x: &[u8], out: &mut [u32]) {
            #[omp::target(device(d))]
            for q in 0..out.len() { let y = &x[q..q + 9]; out[q] = f(y) + g(y) + h(y) + i(y) + j(y) + k(y); }
        }
    }

    #[test]
    fn as_without_devices() {
        let x = data();
        compare!(m, d => {
            let mut out = vec![0 as u32; 40];
            m::run(d, &x, &mut out);
            out
        });
    }
}

mod copies {
    use super::*;

    twice! {
        #[derive(Clone, Copy)]
        struct C<'a> { bytes: &'a [u8], pos: usize }
        #[omp::declare_target]
        impl<'a> C<'a> {
            fn new(bytes: &'a [u8]) -> Self { Self { bytes, pos: 0 } }
            fn next(&mut self) -> Option<u8> { let b = *self.bytes.get(self.pos)?; self.pos += 1; Some(b) }
            fn eat(&mut self, b: u8) -> bool { let saved = self.pos; if self.next() == Some(b) { true } else { self.pos = saved; false } }
            fn try2(&mut self) -> Option<u32> { let mut look = *self; let a = look.next()?; let b = look.next()?; if a > b { return None; } *self = look; Some(u32::from(a) + u32::from(b)) }
            fn ahead(&self) -> u32 { let mut c = self.clone(); let mut n = 0; while c.next().is_some() { n += 1; } n }
        }
        #[omp::declare_target]
        fn f(x: &[u8]) -> u32 { let mut a = C::new(x); let mut n = 0; while a.ahead() > 2 { if a.eat(9) { n += 100; } else if let Some(v) = a.try2() { n += v; } else { a.next(); } } n }
        #[omp::declare_target]
        fn g(x: &[u8]) -> u32 { let mut a = C::new(x); a.next(); let saved = a; let mut n = 0; while let Some(b) = a.next() { n += u32::from(b); } a = saved; let mut l = a; n * 3 + u32::from(l.next().unwrap_or(0)) + a.pos as u32 }
        pub fn run(d: usize, x: &[u8], out: &mut [u32]) {
            #[omp::target(device(d))]
            for q in 0..out.len() { out[q] = f(&x[q..q + 14]) + g(&x[q..q + 5]); }
        }
    }

    #[test]
    fn as_without_devices() {
        let x = data();
        compare!(m, d => {
            let mut out = vec![0 as u32; 40];
            m::run(d, &x, &mut out);
            out
        });
    }
}

mod closures {
    use super::*;

    twice! {
        struct C<'a> { bytes: &'a [u8], pos: usize }
        #[omp::declare_target]
        impl<'a> C<'a> {
            fn new(bytes: &'a [u8]) -> Self { Self { bytes, pos: 0 } }
            fn peek(&self) -> Option<u8> { self.bytes.get(self.pos).copied() }
            fn bump(&mut self) { self.pos += 1; }
            fn while_(&mut self, f: impl Fn(u8) -> bool) -> &'a [u8] { let from = self.pos; while self.pos < self.bytes.len() && f(self.bytes[self.pos]) { self.pos += 1; } &self.bytes[from..self.pos] }
            fn skip_while(&mut self, f: impl Fn(u8) -> bool) -> usize { let from = self.pos; while let Some(b) = self.peek() { if !f(b) { break; } self.bump(); } self.pos - from }
        }
        #[omp::declare_target]
        fn f(x: &[u8]) -> u32 { let mut c = C::new(x); let mut s = 0u32; loop { match c.peek() { None => break s, Some(b @ 0..=99) => { s += u32::from(b); c.bump(); } Some(b'd'..=b'z') => { s += c.skip_while(|b| b.is_ascii_lowercase()) as u32 * 1000; } Some(_) => c.bump() } } }
        #[omp::declare_target]
        fn g(x: &[u8]) -> u32 { let mut c = C::new(x); let w = c.while_(|b| b != 7); w.len() as u32 * 3 + c.pos as u32 }
        #[omp::declare_target]
        fn h(x: &[u8]) -> u32 { let mut c = C::new(x); let a: u32 = (0..3).map(|_| { let b = c.peek().unwrap_or(1); c.bump(); u32::from(b) }).sum(); a + c.pos as u32 }
        pub fn run(d: usize, x: &[u8], out: &mut [u32]) {
            #[omp::target(device(d))]
            for q in 0..out.len() { out[q] = f(&x[q..q + 14]) + g(&x[q..q + 5]) + h(&x[q..q+4]); }
        }
    }

    #[test]
    fn as_without_devices() {
        let x = data();
        compare!(m, d => {
            let mut out = vec![0 as u32; 40];
            m::run(d, &x, &mut out);
            out
        });
    }
}

mod slices_taken {
    use super::*;

    twice! {
        struct R<'a> { bytes: &'a [u8], pos: usize }
        #[omp::declare_target]
        impl<'a> R<'a> {
            fn new(bytes: &'a [u8]) -> Self { R { bytes, pos: 0 } }
            fn take(&mut self, n: usize) -> &'a [u8] { let part = &self.bytes[self.pos..self.pos + n]; self.pos += n; part }
            fn take2(&mut self, n: usize) -> &'a [u8] { let from = self.pos; self.pos += n; &self.bytes[from..self.pos] }
            fn u16(&mut self) -> u16 { u16::from_le_bytes(self.take(2).try_into().unwrap()) }
            fn u32(&mut self) -> u32 { let b = self.take2(4); u32::from_be_bytes([b[0], b[1], b[2], b[3]]) }
            fn str(&mut self) -> u32 { let n = usize::from(self.take(1)[0] % 4); self.take(n).iter().map(|&b| u32::from(b)).sum() }
        }
        #[omp::declare_target]
        fn g(x: &[u8]) -> u32 { let mut r = R::new(x); let a = r.u32(); let b = r.u16(); let c = r.str(); let d = r.take(3); a ^ u32::from(b) ^ c * 77 ^ u32::from(d[1]) * 256 ^ (r.pos as u32) << 20 }
        pub fn run(d: usize, x: &[u8], out: &mut [u32]) {
            #[omp::target(device(d))]
            for q in 0..out.len() { out[q] = g(&x[q..q + 26]); let mut r = R::new(&x[q..]); let a = r.take(3); let b = r.take2(2); for v in a { out[q] ^= u32::from(*v) << 3; } out[q] += u32::from(b[1]); }
        }
    }

    #[test]
    fn as_without_devices() {
        let x = data();
        compare!(m, d => {
            let mut out = vec![0 as u32; 40];
            m::run(d, &x, &mut out);
            out
        });
    }
}

mod slices_in_options {
    use super::*;

    twice! {
        struct R<'a> { bytes: &'a [u8] }
        #[omp::declare_target]
        impl<'a> R<'a> {
            fn take(&mut self, n: usize) -> Option<&'a [u8]> { if n > self.bytes.len() { return None; } let (h, t) = self.bytes.split_at(n); self.bytes = t; Some(h) }
            fn take2(&mut self, n: usize) -> Option<&'a [u8]> { let part = self.bytes.get(..n)?; self.bytes = &self.bytes[n..]; Some(part) }
            fn take3(&mut self, n: usize) -> Option<&'a [u8]> { if self.bytes.len() < n { None } else { let (a, b) = self.bytes.split_at(n); self.bytes = b; Some(a) } }
            fn four(&mut self) -> Option<&'a [u8]> { self.take(4) }
            fn u16(&mut self) -> Option<u16> { let b = self.take2(2)?; Some(u16::from_be_bytes([b[0], b[1]])) }
            fn u32(&mut self) -> Option<u32> { Some(u32::from_be_bytes(self.take3(4)?.try_into().ok()?)) }
            fn chunk(&mut self) -> Option<u32> { let n = self.take(1)?[0] % 4; let body = self.take2(usize::from(n))?; Some(body.iter().map(|&b| u32::from(b)).sum()) }
        }
        #[omp::declare_target]
        fn g(x: &[u8]) -> Option<u32> { let mut r = R { bytes: x }; let a = u32::from(r.u16()?); let b = r.u32()?; let c = r.chunk()?; let d = r.four()?; Some(a ^ b ^ c ^ u32::from(d[3]) ^ r.bytes.len() as u32) }
        #[omp::declare_target]
        fn h(x: &[u8]) -> u32 { let mut r = R { bytes: x }; let mut s = 0; while let Some(p) = r.take(3) { s = s * 7 % 1009 + u32::from(p[0]) + u32::from(p[2]) / 2; if s % 11 == 3 { continue; } s += 1; } if let Some(p) = r.take2(1) { s += u32::from(p[0]); } else { s += 1000; } s }
        #[omp::declare_target]
        fn i(x: &[u8]) -> u32 { let mut r = R { bytes: x }; let n = match r.take(2) { Some(p) => u32::from(p[1]), None => 5 }; loop { let Some(p) = r.take3(2) else { break n + 1 }; if p[0] < 9 { return n + 7; } } }
        pub fn run(d: usize, x: &[u8], out: &mut [u32]) {
            #[omp::target(device(d))]
            for q in 0..out.len() { let y = &x[q..q + 2 + q % 17]; out[q] = g(y).unwrap_or(9); out[q] ^= h(y); out[q] ^= i(y); let mut r = R { bytes: y }; while let Some(p) = r.take(2) { out[q] += u32::from(p[1]); } }
        }
    }

    #[test]
    fn as_without_devices() {
        let x = data().iter().map(|b| b / 4).collect::<Vec<u8>>();
        compare!(m, d => {
            let mut out = vec![0 as u32; 40];
            m::run(d, &x, &mut out);
            out
        });
    }
}

mod structs_in_options {
    use super::*;

    twice! {
        struct P<'a> { bytes: &'a [u8], pos: usize }
        #[omp::declare_target]
        impl<'a> P<'a> {
            fn open(bytes: &'a [u8]) -> Option<Self> { if bytes.len() < 4 { return None; } let pos = usize::from(*bytes.first()? % 3); Some(Self { bytes, pos }) }
            fn take(&mut self, n: usize) -> Result<&'a [u8], u8> { let end = self.pos + n; if end > self.bytes.len() { return Err(n as u8); } let part = &self.bytes[self.pos..end]; self.pos = end; Ok(part) }
            fn sub(&mut self, n: usize) -> Result<P<'a>, u8> { let bytes = self.take(n)?; Ok(P { bytes, pos: 0 }) }
            fn pair(&mut self) -> Option<(&'a [u8], u8)> { let end = self.pos + 2; let part = self.bytes.get(self.pos..end)?; let b = *self.bytes.get(end)?; self.pos = end + 1; Some((part, b)) }
            fn sum(&mut self) -> u32 { let mut s = 0; while let Ok(b) = self.take(1) { s += u32::from(b[0]); } s }
        }
        #[omp::declare_target]
        fn g(x: &[u8]) -> Option<u32> { let mut p = P::open(x)?; let (a, b) = p.pair()?; let v = u32::from(a[0]) + u32::from(b) * 3; let q = p.sum(); Some(v + q) }
        #[omp::declare_target]
        fn h(x: &[u8]) -> Result<u32, u8> { let mut p = P { bytes: x, pos: 1 }; let mut s = p.sub(3)?; let a = s.sum(); let Ok(t) = p.take(2) else { return Err(77) }; Ok(a * 5 + u32::from(t[1]) + p.sum()) }
        pub fn run(d: usize, x: &[u8], out: &mut [u32]) {
            #[omp::target(device(d))]
            for q in 0..out.len() { let y = &x[q..q + q % 9]; out[q] = g(y).unwrap_or(9) ^ match h(y) { Ok(v) => v << 4, Err(e) => u32::from(e) }; if let Some(mut p) = P::open(y) { out[q] += p.sum(); } }
        }
    }

    #[test]
    fn as_without_devices() {
        let x = data();
        compare!(m, d => {
            let mut out = vec![0 as u32; 40];
            m::run(d, &x, &mut out);
            out
        });
    }
}

mod without_names {
    use super::*;

    twice! {
        #[derive(Clone, Copy)]
        struct V<'a> { data: &'a [f64], cols: usize }
        #[omp::declare_target]
        impl<'a> V<'a> { fn new(data: &'a [f64], cols: usize) -> Self { V { data, cols } } fn at(&self, i: usize, j: usize) -> f64 { self.data[i * self.cols + j] } fn row(&self, i: usize) -> &[f64] { &self.data[i * self.cols..(i + 1) * self.cols] } fn sub(self, i: usize) -> V<'a> { V { data: &self.data[i * self.cols..], cols: self.cols } } fn get(&self, i: usize) -> Option<&f64> { self.data.get(i) } }
        #[omp::declare_target]
        fn dot(a: &V, b: V<'_>, i: usize) -> f64 { (0..a.cols).map(|j| a.at(i, j) * b.at(j, i)).sum() }
        #[omp::declare_target]
        fn f(x: &[f64], i: usize) -> f64 { let v = V::new(x, 6); dot(&v, v, i) + V::new(x, 3).at(i, 2) + V { data: x, cols: 4 }.row(i)[1] + V::new(x, 5).row(i).iter().sum::<f64>() }
        #[omp::declare_target]
        fn g(x: &[f64], i: usize) -> f64 { let v = V::new(x, 6); let w = v.sub(1); w.at(i, 0) + v.sub(2).at(i, 1) + v.get(i).copied().unwrap_or(2.0) + *v.get(i + 1).unwrap() + dot(&v.sub(1), v.sub(2), i) }
        pub fn run(d: usize, x: &[f64], out: &mut [f64]) {
            #[omp::target(device(d))]
            for i in 0..out.len() { let v = V::new(x, 6); out[i] = f(x, i) + g(x, i) + dot(&v, v, i) + V::new(x, 3).at(i, 2); }
        }
    }

    #[test]
    fn as_without_devices() {
        let x = floats();
        compare!(m, d => {
            let mut out = vec![0 as f64; 6];
            m::run(d, &x, &mut out);
            out
        });
    }
}

mod hidden_and_chosen {
    use super::*;

    twice! {
        struct C<'a> { bytes: &'a [u8], pos: usize }
        #[omp::declare_target]
        impl<'a> C<'a> { fn new(bytes: &'a [u8]) -> Self { Self { bytes, pos: 0 } } fn next(&mut self) -> u8 { let b = if self.pos < self.bytes.len() { self.bytes[self.pos] } else { 0 }; self.pos += 1; b } fn sum(&mut self, bytes: usize) -> u32 { let mut pos = 0; for b in 0..bytes { pos += u32::from(self.next()) + b as u32; } pos } }
        #[omp::declare_target]
        fn f(x: &[u8], pos: usize) -> u32 { let bytes = 3; let mut c = C::new(x); let mut d = C { pos, ..C::new(&x[1..]) }; let mut s = c.sum(bytes) + d.sum(2); for k in 0..3 { let mut c = C::new(&x[k..]); c.next(); s += c.sum(1); } let c = s + u32::from(c.next()); c }
        #[omp::declare_target]
        fn g(x: &[u8], n: usize) -> u32 { let mut c = if n > 2 { C::new(x) } else { C::new(&x[2..]) }; let s = c.sum(n); let mut e = C::new(x); e.pos = 2; s + e.sum(1) }
        pub fn run(d: usize, x: &[u8], out: &mut [u32]) {
            #[omp::target(device(d))]
            for q in 0..out.len() { out[q] = f(&x[q..q + 4], q % 3) + g(&x[q..q + 6], q % 4); }
        }
    }

    #[test]
    fn as_without_devices() {
        let x = data();
        compare!(m, d => {
            let mut out = vec![0 as u32; 40];
            m::run(d, &x, &mut out);
            out
        });
    }
}

mod handed_on {
    use super::*;

    twice! {
        struct C<'a> { bytes: &'a [u8], pos: usize }
        #[omp::declare_target]
        impl<'a> C<'a> { fn new(bytes: &'a [u8]) -> Self { Self { bytes, pos: 0 } } fn next(&mut self) -> Option<u8> { let b = *self.bytes.get(self.pos)?; self.pos += 1; Some(b) } }
        #[omp::declare_target]
        fn u16_of(c: &mut C<'_>) -> Option<u16> { let a = c.next()?; let b = c.next()?; Some(u16::from_be_bytes([a, b])) }
        #[omp::declare_target]
        fn pair(c: &mut C) -> Option<(u16, u8)> { let a = u16_of(c)?; let b = c.next()?; Some((a, b)) }
        #[omp::declare_target]
        fn left(c: &C<'_>) -> usize { c.bytes.len() - c.pos }
        #[omp::declare_target]
        fn f(x: &[u8]) -> Option<u32> { let mut c = C::new(x); let (a, b) = pair(&mut c)?; let n = left(&c) as u32; let d = u16_of(&mut c)?; Some(u32::from(a) + u32::from(b) + n * 1000 + u32::from(d)) }
        pub fn run(d: usize, x: &[u8], out: &mut [u32]) {
            #[omp::target(device(d))]
            for q in 0..out.len() { out[q] = f(&x[q..q + 5 + q % 3]).unwrap_or(5); let mut c = C::new(&x[q..]); if let Some((a, b)) = pair(&mut c) { out[q] += u32::from(a) * u32::from(b) + left(&c) as u32; } }
        }
    }

    #[test]
    fn as_without_devices() {
        let x = data();
        compare!(m, d => {
            let mut out = vec![0 as u32; 40];
            m::run(d, &x, &mut out);
            out
        });
    }
}

mod fields {
    use super::*;

    #[derive(Clone, Copy, PartialEq, omp::Device)]
    #[repr(u8)]
    enum Mode {
        Text,
        Num(u32),
    }
    struct C<'a> {
        bytes: &'a [u8],
        pos: usize,
        peeked: Option<u8>,
        stack: [u32; 4],
        top: usize,
        mode: Mode,
        table: &'a [u32; 4],
    }
    #[omp::declare_target]
    impl<'a> C<'a> {
        fn new(bytes: &'a [u8], table: &'a [u32; 4]) -> Self {
            Self { bytes, pos: 0, peeked: None, stack: [0; 4], top: 0, mode: Mode::Text, table }
        }
        fn next(&mut self) -> Option<u8> {
            if let Some(b) = self.peeked.take() {
                return Some(b);
            }
            let b = *self.bytes.get(self.pos)?;
            self.pos += 1;
            Some(b)
        }
        fn peek(&mut self) -> Option<u8> {
            if self.peeked.is_none() {
                self.peeked = self.next();
            }
            self.peeked
        }
        fn push(&mut self, v: u32) {
            if self.top < self.stack.len() {
                self.stack[self.top] = v + self.table[self.top];
                self.top += 1;
            }
        }
        fn run(&mut self) -> u32 {
            while let Some(b) = self.peek() {
                match self.mode {
                    Mode::Text => {
                        self.mode = Mode::Num(u32::from(b));
                        self.next();
                    }
                    Mode::Num(n) => {
                        self.push(n);
                        self.mode = Mode::Text;
                    }
                }
            }
            self.stack[..self.top].iter().sum()
        }
    }
    #[omp::declare_target]
    fn f(x: &[u8], t: &[u32; 4]) -> u32 {
        let mut c = C::new(x, t);
        c.run() + c.top as u32
    }
    #[omp::offload]
    fn run(d: usize, x: &[u8], out: &mut [u32]) {
        let t = [1, 20, 300, 4000];
        #[omp::target(device(d))]
        for q in 0..out.len() {
            out[q] = f(&x[q..q + 14], &t);
            let mut c = C::new(&x[q..q + 3], &t);
            out[q] += c.run();
        }
    }
    fn plain(x: &[u8], out: &mut [u32]) {
        let t = [1, 20, 300, 4000];
        for q in 0..out.len() {
            out[q] = f(&x[q..q + 14], &t);
            let mut c = C::new(&x[q..q + 3], &t);
            out[q] += c.run();
        }
    }

    #[test]
    fn as_without_devices() {
        let x = data();
        let mut want = vec![0 as u32; 40];
        plain(&x, &mut want);
        on_every_device(|d| {
            let mut out = vec![0 as u32; 40];
            run(d, &x, &mut out);
            assert_eq!(out, want, "device {d}");
        });
    }
}

mod tuple_structs {
    use super::*;

    struct Bits<'a>(&'a [u8], usize);
    #[omp::declare_target]
    impl Bits<'_> {
        fn bit(&mut self) -> Option<bool> {
            let b = self.0.get(self.1 / 8)?;
            let r = b >> (self.1 % 8) & 1 == 1;
            self.1 += 1;
            Some(r)
        }
        fn ones(&mut self) -> u32 {
            let mut n = 0;
            while let Some(true) = self.bit() {
                n += 1;
            }
            n
        }
    }
    #[omp::declare_target]
    fn f(x: &[u8]) -> u32 {
        let mut b = Bits(x, 3);
        let mut s = 0;
        for _ in 0..4 {
            s = s * 10 + b.ones();
        }
        s
    }
    #[omp::offload]
    fn run(d: usize, x: &[u8], out: &mut [u32]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            out[i] = f(&x[i..i + 3]);
            let mut b = Bits(&x[i..], i % 5);
            out[i] += b.ones() + b.1 as u32;
        }
    }
    fn plain(x: &[u8], out: &mut [u32]) {
        for i in 0..out.len() {
            out[i] = f(&x[i..i + 3]);
            let mut b = Bits(&x[i..], i % 5);
            out[i] += b.ones() + b.1 as u32;
        }
    }

    #[test]
    fn as_without_devices() {
        let x = data();
        let mut want = vec![0 as u32; 40];
        plain(&x, &mut want);
        on_every_device(|d| {
            let mut out = vec![0 as u32; 40];
            run(d, &x, &mut out);
            assert_eq!(out, want, "device {d}");
        });
    }
}

mod traits {
    use super::*;

    trait Source {
        fn next(&mut self) -> Option<u8>;
        fn word(&mut self) -> Option<u16> {
            let a = self.next()?;
            let b = self.next()?;
            Some(u16::from_le_bytes([a, b]))
        }
    }
    struct C<'a> {
        bytes: &'a [u8],
        pos: usize,
    }
    #[omp::declare_target]
    impl Source for C<'_> {
        fn next(&mut self) -> Option<u8> {
            let b = *self.bytes.get(self.pos)?;
            self.pos += 1;
            Some(b)
        }
    }
    #[omp::declare_target]
    fn f(x: &[u8]) -> u32 {
        let mut c = C { bytes: x, pos: 0 };
        let mut s = 0;
        while let Some(b) = c.next() {
            s += u32::from(b);
        }
        s
    }
    #[omp::offload]
    fn run(d: usize, x: &[u8], out: &mut [u32]) {
        #[omp::target(device(d))]
        for q in 0..out.len() {
            out[q] = f(&x[q..q + 4]);
        }
    }
    fn plain(x: &[u8], out: &mut [u32]) {
        for q in 0..out.len() {
            out[q] = f(&x[q..q + 4]);
        }
    }

    #[test]
    fn as_without_devices() {
        let x = data();
        let mut want = vec![0 as u32; 40];
        plain(&x, &mut want);
        on_every_device(|d| {
            let mut out = vec![0 as u32; 40];
            run(d, &x, &mut out);
            assert_eq!(out, want, "device {d}");
        });
    }
}

mod methods_alone {
    use super::*;

    #[derive(Clone, Copy, Debug, omp::Device)]
    struct H {
        a: u8,
        b: u16,
    }
    struct C<'a> {
        bytes: &'a [u8],
        pos: usize,
    }
    impl<'a> C<'a> {
        #[omp::declare_target]
        fn new(bytes: &'a [u8]) -> Self {
            Self { bytes, pos: 0 }
        }
        #[omp::declare_target]
        fn next(&mut self) -> Option<u8> {
            let b = *self.bytes.get(self.pos)?;
            self.pos += 1;
            Some(b)
        }
    }
    #[omp::declare_target]
    impl H {
        fn parse(bytes: &[u8]) -> Option<Self> {
            let mut c = C::new(bytes);
            let a = c.next()?;
            let b = u16::from(c.next()?) << 8 | u16::from(c.next()?);
            Some(H { a, b })
        }
        fn with(&self, x: &[u8]) -> u32 {
            let mut c = C::new(x);
            u32::from(self.a) + u32::from(c.next().unwrap_or(0))
        }
    }
    #[omp::offload]
    fn run(d: usize, x: &[u8], out: &mut [u32]) {
        #[omp::target(device(d))]
        for q in 0..out.len() {
            if let Some(h) = H::parse(&x[q..q + 2 + q % 2]) {
                out[q] = u32::from(h.a) + u32::from(h.b) + h.with(&x[q + 3..q + 4]);
            }
        }
    }
    fn plain(x: &[u8], out: &mut [u32]) {
        for q in 0..out.len() {
            if let Some(h) = H::parse(&x[q..q + 2 + q % 2]) {
                out[q] = u32::from(h.a) + u32::from(h.b) + h.with(&x[q + 3..q + 4]);
            }
        }
    }

    #[test]
    fn as_without_devices() {
        let x = data();
        let mut want = vec![0 as u32; 40];
        plain(&x, &mut want);
        on_every_device(|d| {
            let mut out = vec![0 as u32; 40];
            run(d, &x, &mut out);
            assert_eq!(out, want, "device {d}");
        });
    }
}

mod subscripts {
    use super::*;

    use std::ops::Index;
    #[derive(Clone, Copy)]
    struct V<'a> {
        data: &'a [f64],
        cols: usize,
    }
    #[omp::declare_target]
    impl<'a> Index<(usize, usize)> for V<'a> {
        type Output = f64;
        fn index(&self, (i, j): (usize, usize)) -> &f64 {
            &self.data[i * self.cols + j]
        }
    }
    #[omp::declare_target]
    fn f(x: &[f64], i: usize) -> f64 {
        let v = V { data: x, cols: 6 };
        let mut s = 0.0;
        for j in 0..v.cols {
            s += v[(i, j)];
        }
        s
    }
    #[omp::offload]
    fn run(d: usize, x: &[f64], out: &mut [f64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let v = V { data: x, cols: 6 };
            out[i] = f(x, i) + v[(i, 1)];
        }
    }
    fn plain(x: &[f64], out: &mut [f64]) {
        for i in 0..out.len() {
            let v = V { data: x, cols: 6 };
            out[i] = f(x, i) + v[(i, 1)];
        }
    }

    #[test]
    fn as_without_devices() {
        let x = floats();
        let mut want = vec![0 as f64; 6];
        plain(&x, &mut want);
        on_every_device(|d| {
            let mut out = vec![0 as f64; 6];
            run(d, &x, &mut out);
            assert_eq!(out, want, "device {d}");
        });
    }
}

mod modules {
    use super::*;

    mod reader {
        pub struct Cur<'a> {
            bytes: &'a [u8],
            pub pos: usize,
        }
        #[omp::declare_target]
        impl<'a> Cur<'a> {
            pub fn new(bytes: &'a [u8]) -> Self {
                Cur { bytes, pos: 0 }
            }
            pub fn next(&mut self) -> Option<u8> {
                let b = *self.bytes.get(self.pos)?;
                self.pos += 1;
                Some(b)
            }
        }
    }
    use reader::Cur;
    #[omp::declare_target]
    fn f(x: &[u8]) -> u32 {
        let mut c = Cur::new(x);
        let mut s = 0;
        while let Some(b) = c.next() {
            s += u32::from(b);
        }
        s + c.pos as u32
    }
    #[omp::offload]
    fn run(d: usize, x: &[u8], out: &mut [u32]) {
        #[omp::target(device(d))]
        for q in 0..out.len() {
            out[q] = f(&x[q..q + 14]);
            let mut c = Cur::new(&x[q..q + 3]);
            out[q] += u32::from(c.next().unwrap_or(3));
        }
    }
    fn plain(x: &[u8], out: &mut [u32]) {
        for q in 0..out.len() {
            out[q] = f(&x[q..q + 14]);
            let mut c = Cur::new(&x[q..q + 3]);
            out[q] += u32::from(c.next().unwrap_or(3));
        }
    }

    #[test]
    fn as_without_devices() {
        let x = data();
        let mut want = vec![0 as u32; 40];
        plain(&x, &mut want);
        on_every_device(|d| {
            let mut out = vec![0 as u32; 40];
            run(d, &x, &mut out);
            assert_eq!(out, want, "device {d}");
        });
    }
}

mod views {
    use super::*;

    twice! {
        #[derive(Clone, Copy)]
        struct View<'a, T> { data: &'a [T], cols: usize }
        #[omp::declare_target]
        impl<'a, T: Copy + omp::Device + std::ops::Add<Output = T>> View<'a, T> {
            fn new(data: &'a [T], cols: usize) -> Self { View { data, cols } }
            fn at(&self, i: usize, j: usize) -> T { self.data[i * self.cols + j] }
            fn row(&self, i: usize) -> &'a [T] { &self.data[i * self.cols..][..self.cols] }
            fn two(&self, i: usize) -> T { self.at(i, 0) + self.at(i, 1) }
        }
        #[omp::declare_target]
        fn f(x: &[f64], n: usize, i: usize) -> f64 {
            let v = View::new(x, n);
            let w = View { data: x, cols: n / 2 };
            v.at(i, 1) + w.at(i, 0) + v.two(i) + v.row(i).iter().sum::<f64>()
        }
        pub fn run(d: usize, x: &[f64], b: &[u8], out: &mut [f64]) {
            #[omp::target(device(d))]
            for i in 0..out.len() {
                let v = View::new(x, 6);
                let w = View::new(b, 9);
                out[i] = f(x, 6, i) + v.two(i) + f64::from(w.at(i, 3)) + v.row(i)[2];
                for a in v.row(i) { out[i] += a; }
            }
        }
    }

    #[test]
    fn of_any_type() {
        let (x, b) = (floats(), data());
        compare!(m, d => {
            let mut out = vec![0.0; 10];
            m::run(d, &x, &b, &mut out);
            out
        });
    }
}

mod decoders {
    use super::*;

    struct Cursor<'a> {
        bytes: &'a [u8],
        pos: usize,
    }
    #[omp::declare_target]
    impl<'a> Cursor<'a> {
        fn new(bytes: &'a [u8]) -> Self {
            Cursor { bytes, pos: 0 }
        }
        fn next(&mut self) -> Option<u8> {
            let b = *self.bytes.get(self.pos)?;
            self.pos += 1;
            Some(b)
        }
        fn remaining(&self) -> usize {
            self.bytes.len() - self.pos
        }
        fn varint(&mut self) -> Option<u64> {
            let mut v = 0;
            for shift in (0..63).step_by(7) {
                let b = self.next()?;
                v |= u64::from(b & 0x7f) << shift;
                if b & 0x80 == 0 {
                    return Some(v);
                }
            }
            None
        }
    }
    #[omp::declare_target]
    fn decode(bytes: &[u8]) -> Option<u64> {
        let mut c = Cursor::new(bytes);
        let n = c.varint()? % 8;
        let mut s = 0u64;
        for _ in 0..n {
            s = s.wrapping_add(c.varint()?);
        }
        Some(s * 100 + c.remaining() as u64)
    }

    struct Writer<'a> {
        buf: &'a mut [u8],
        at: usize,
    }
    #[omp::declare_target]
    impl<'a> Writer<'a> {
        fn new(buf: &'a mut [u8]) -> Self {
            Writer { buf, at: 0 }
        }
        fn push(&mut self, b: u8) {
            self.buf[self.at] = b;
            self.at += 1;
        }
        fn varint(&mut self, mut v: u64) -> usize {
            let from = self.at;
            while v >= 0x80 {
                self.push(v as u8 | 0x80);
                v >>= 7;
            }
            self.push(v as u8);
            self.at - from
        }
    }
    #[omp::declare_target]
    fn encode(v: u64, buf: &mut [u8]) -> usize {
        let mut w = Writer::new(buf);
        w.push(2);
        w.varint(v) + w.varint(v / 3) + 1
    }

    #[omp::offload]
    fn there_and_back(d: usize, x: &[u64], bytes: &mut [u8], out: &mut [u64], sizes: &mut [usize]) {
        #[omp::target(device(d))]
        for ((b, size), v) in bytes.chunks_exact_mut(24).zip(sizes.iter_mut()).zip(x) {
            *size = encode(*v, b);
            let mut w = Writer { buf: b, at: 22 };
            w.push(7);
        }
        #[omp::target(device(d))]
        for (i, o) in out.iter_mut().enumerate() {
            let part = &bytes[i * 24..i * 24 + sizes[i]];
            *o = decode(part).unwrap_or(9);
            let mut c = Cursor::new(&bytes[i * 24 + 21..(i + 1) * 24]);
            while let Some(b) = c.next() {
                *o = *o * 3 + u64::from(b);
            }
        }
    }

    #[test]
    fn of_numbers() {
        on_every_device(|d| {
            let x: Vec<u64> = (0..30).map(|k| (1u64 << k) + k).collect();
            let (mut bytes, mut out, mut sizes) = (vec![0; 24 * 30], vec![0; 30], vec![0; 30]);
            there_and_back(d, &x, &mut bytes, &mut out, &mut sizes);
            let want: Vec<u64> = x.iter().map(|v| ((v + v / 3) * 100 * 3 + 0) * 9 + 7 * 3).collect();
            assert_eq!(out, want, "device {d}");
        });
    }
}
