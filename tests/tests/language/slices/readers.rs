//! Structs that hold a slice which their methods move on, as parsers have.
#![allow(clippy::all, clippy::pedantic, unused, unreachable_patterns, reason = "as programs have them")]
use omp_tests::{compare, twice};

twice! {
    #[derive(Clone, Copy)]
    struct Reader<'a> { rest: &'a [u8], count: u32 }
    #[omp::declare_target]
    impl<'a> Reader<'a> {
        fn new(rest: &'a [u8]) -> Self { Reader { rest, count: 0 } }
        fn byte(&mut self) -> Option<u8> {
            let (&b, rest) = self.rest.split_first()?;
            self.rest = rest;
            self.count += 1;
            Some(b)
        }
        fn varint(&mut self) -> Option<u32> {
            let mut value = 0u32;
            for shift in (0..35).step_by(7) {
                let byte = self.byte()?;
                value |= u32::from(byte & 0x7f) << shift;
                if byte < 0x80 {
                    return Some(value);
                }
            }
            None
        }
        fn take(&mut self, n: usize) -> Option<&'a [u8]> {
            if n > self.rest.len() { return None; }
            let (head, tail) = self.rest.split_at(n);
            self.rest = tail;
            Some(head)
        }
        fn u16(&mut self) -> Option<u16> {
            match self.rest {
                [a, b, rest @ ..] => { self.rest = rest; Some(u16::from_be_bytes([*a, *b])) }
                _ => None,
            }
        }
        fn is_empty(&self) -> bool { self.rest.is_empty() }
    }
    pub fn sums(bytes: &[u8], from: &[usize], out: &mut [u32]) {
        #[omp::parallel_for]
        for (o, &f) in out.iter_mut().zip(from) {
            let mut r = Reader::new(&bytes[f..]);
            let mut s = 0;
            for _ in 0..3 {
                let Some(v) = r.varint() else { break };
                s += v;
            }
            *o = s + 1000 * r.count;
        }
    }
    pub fn words(bytes: &[u8], out: &mut [u32]) {
        #[omp::target]
        for i in 0..out.len() {
            let mut r = Reader { rest: &bytes[i * 5..], count: 0 };
            let mut s = 0u32;
            while !r.is_empty() {
                if let Some(w) = r.u16() { s = s.wrapping_mul(31).wrapping_add(u32::from(w)); } else if let Some(b) = r.byte() { s ^= u32::from(b); }
            }
            out[i] = s;
        }
    }
}

#[test]
fn reader2() {
    compare!(m, d => {
        let bytes: Vec<u8> = (0..40u32).map(|k| (k * 37 % 251) as u8).collect();
        let from: Vec<usize> = (0..10).map(|k| k * 4).collect();
        let mut o = vec![0u32; 10];
        m::sums(&bytes, &from, &mut o);
        let mut p = vec![0u32; 7];
        m::words(&bytes, &mut p);
        (o, p)
    });
}
