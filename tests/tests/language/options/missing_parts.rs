//! Parts and places that may not be there: `x.get(a..b)`, `*x.get_mut(i)? = v`.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{Values, compare, twice};

twice! {
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    #[repr(u8)]
    pub enum Bad { Short, Long(u32) }
    #[omp::declare_target]
    fn tail(x: &[u8], n: usize) -> Option<u32> {
        let t = x.get(x.len().checked_sub(n)?..)?;
        Some(t.iter().map(|&b| b as u32).sum())
    }
    #[omp::declare_target]
    fn field(x: &[u8], a: usize, b: usize) -> Result<u32, Bad> {
        let part = x.get(a..b).ok_or(Bad::Short)?;
        let more = x.get(b..=b + 1).ok_or(Bad::Long(b as u32))?.iter().fold(0, |s, &v| s * 2 + v as u32);
        Ok(part.iter().map(|&b| b as u32).sum::<u32>() + more)
    }
    #[omp::declare_target]
    fn put(x: &mut [u32], n: &mut usize, v: u32) -> Option<()> {
        *x.get_mut(*n)? = v;
        *n += 1;
        x.get_mut(*n..*n + 2)?.fill(v + 1);
        *n += 2;
        Some(())
    }
    pub fn run() -> (Vec<u32>, Vec<u32>, Vec<u32>, Vec<u32>) {
        let mut v = Values(3);
        let x: Vec<u8> = (0..60).map(|_| v.bits() as u8).collect();
        let (mut a, mut b, mut c, mut d) = (vec![0u32; 30], vec![0u32; 30], vec![0u32; 30], vec![0u32; 30]);
        #[omp::target]
        for i in 0..30 {
            a[i] = tail(&x[..15], i).unwrap_or(9);
            b[i] = match field(&x[..20], i, (i * 7) % 22) { Ok(v) => v, Err(Bad::Short) => 1000, Err(Bad::Long(v)) => 2000 + v };
            c[i] = if let Some(p) = x.get(i * 2..i * 2 + 4) { p.iter().map(|&b| b as u32).sum() } else { 7 };
            let Some(p) = x.get(..i * 3) else { continue };
            d[i] = p.len() as u32;
        }
        let mut e = vec![0u32; 40];
        #[omp::target]
        for p in e.chunks_mut(10) {
            let mut n = 0;
            let mut k = 0;
            while put(p, &mut n, k).is_some() {
                k += 2;
            }
        }
        a.extend(e);
        (a, b, c, d)
    }
}

#[test]
fn parts() {
    compare!(m, d => { omp::set_default_device(d); m::run() });
}

/// Parts in operands and arguments, behind others whose values and failures come first.
mod operands {
    use omp_tests::{compare, twice};

    twice! {
        #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
        pub struct Header { kind: u32, size: u32 }
        #[omp::declare_target]
        fn word(x: &[u8]) -> u32 {
            x.iter().fold(0, |s, &b| s << 8 | b as u32)
        }
        #[omp::declare_target]
        fn shifted(by: u32, x: &[u8], k: u32) -> u32 {
            (word(x) >> by) + k
        }
        #[omp::declare_target]
        fn header(x: &[u8], at: usize) -> Option<Header> {
            Some(Header { kind: word(x.get(at..at + 2)?), size: word(x.get(at + 2..at + 6)?) })
        }
        #[omp::declare_target]
        fn sum(x: &[u8], at: usize) -> Option<u32> {
            let by = at as u32 % 8;
            Some(shifted(by, x.get(at..at + 3)?, by + 1) + word(x.get(at + 3..at + 5)?) / 3)
        }
        /// The first operand counts, and the second fails for some.
        #[omp::declare_target]
        fn take(n: &mut u32) -> u32 {
            *n += 1;
            *n
        }
        #[omp::declare_target]
        fn counted(x: &[u8], at: usize, n: &mut u32) -> Option<u32> {
            return Some(take(n) * word(x.get(at..at + 2)?) + take(n));
        }
        #[omp::declare_target]
        impl Header {
            fn plus(self, by: u32, x: &[u8]) -> u32 {
                self.kind * by + word(x) + self.size
            }
        }
        /// Operands that stay are read after the ends of the ranges.
        #[omp::declare_target]
        fn pair(x: &[u8], h: Header, at: usize, k: u32) -> Result<(u32, u32, u32), u32> {
            let both = (word(x.get(at..at + 1).ok_or(k + 1)?), shifted(k % 8, x.get(at + 1..at + 3).ok_or_else(|| k + 2)?, k));
            Ok((both.0, both.1, h.plus(k, x.get(at + 3..at + 4).ok_or(h.size)?)))
        }
        pub fn run() -> (Vec<u32>, Vec<(u32, u32)>, Vec<u32>, Vec<u32>) {
            let x: Vec<u8> = (0..40u32).map(|k| (k * 37 + 11) as u8).collect();
            let (mut a, mut h, mut c, mut n) = (vec![0u32; 50], vec![Header::default(); 50], vec![0u32; 50], vec![0u32; 50]);
            #[omp::target]
            for i in 0..50 {
                a[i] = sum(&x, i).unwrap_or(7);
                h[i] = header(&x, i).unwrap_or_default();
                let mut calls = i as u32;
                c[i] = counted(&x, i, &mut calls).unwrap_or(5);
                n[i] = calls;
                a[i] ^= match pair(&x, Header { kind: 3, size: 5 }, i, i as u32) {
                    Ok((u, v, w)) => u * 5 + v * 3 + w,
                    Err(e) => e,
                };
            }
            (a, h.iter().map(|h| (h.kind, h.size)).collect(), c, n)
        }
    }

    #[test]
    fn arguments() {
        compare!(m, d => { omp::set_default_device(d); m::run() });
    }
}
