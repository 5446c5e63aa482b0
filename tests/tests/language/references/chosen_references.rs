//! References and slices that branches choose, fields of a `&mut self` by name, conversions that may fail, arrays that calls give.
#![allow(clippy::cast_lossless, clippy::manual_is_multiple_of, reason = "the text as it is first written")]
use omp_tests::{compare, twice};
twice! {
    #[derive(Clone, Copy, omp::Device)]
    pub struct S { a: u32, b: [u32; 2] }

    #[omp::declare_target]
    impl S {
        fn bump(&mut self, k: u32) {
            let S { a, b } = self;
            *a += k;
            b[1] += *a;
            b[0] = b[0].wrapping_mul(3);
        }
        fn round(&mut self) { self.a = self.a.rotate_left(3); }
        fn corners(&self) -> [u32; 2] { [self.a, self.b[1]] }
    }

    #[omp::declare_target]
    fn sum_of(x: &[u32], y: &[u32], k: usize) -> u32 {
        let s = if k % 2 == 0 { &x[..2] } else { y };
        let mut n = 0;
        for v in s {
            if *v == 99 { return 7; }
            n += v;
        }
        n
    }

    pub fn chosen(x: &[u32], y: &[u32]) -> Vec<u32> {
        let mut out = vec![0; x.len()];
        #[omp::target]
        for i in 0..x.len() {
            let mut s = S { a: x[i], b: [1, 2] };
            s.bump(3);
            s.round();
            let (mut lo, mut hi) = (1u32, 2u32);
            for k in 0..4 {
                let (r, v) = if k % 2 == i % 2 { (&mut lo, x[i]) } else { (&mut hi, y[i]) };
                if v > 50 { continue; }
                *r += v + k as u32;
            }
            let slot = match i % 3 { 0 => &mut lo, 1 => &mut hi, _ => &mut s.a };
            *slot *= 2;
            let mine = if i > 2 { &x[i - 2..i] } else { &y[..i] };
            for c in s.corners() { lo += c; }
            out[i] = lo + hi * 3 + s.b[0] + sum_of(x, y, i) + mine.iter().sum::<u32>();
        }
        out
    }

    #[omp::declare_target]
    fn all(p: [u8; 4]) -> u32 { p.iter().map(|&v| v as u32).sum() }

    pub fn converted(data: &[u8], at: &[i64]) -> Vec<u32> {
        let mut out = vec![0; data.len() / 4];
        #[omp::target]
        for (i, (o, c)) in out.iter_mut().zip(data.chunks(4)).enumerate() {
            let a: [u8; 4] = data[i * 4..i * 4 + 4].try_into().unwrap();
            let b: [u8; 2] = c[..2].try_into().expect("two");
            let d = <[u8; 2]>::try_from(&c[1..]).unwrap_or([0, 9]);
            let j: usize = at[i].try_into().unwrap_or(0);
            *o = all(a) * 3 + all(c.try_into().unwrap()) + b[0] as u32 + d[1] as u32 + data[j % data.len()] as u32;
            match u8::try_from(at[i]) { Ok(v) => *o += v as u32, Err(_) => *o += 1000 }
            let Ok(v) = u16::try_from(at[i]) else { continue };
            for byte in v.to_be_bytes() { *o = *o * 3 + byte as u32; }
        }
        out
    }

    #[omp::declare_target]
    fn checksum(data: &[u8]) -> u32 {
        let mut n = 0;
        let mut words = data.chunks_exact(4);
        for w in &mut words { n = n * 31 + u32::from_le_bytes(w.try_into().unwrap()) % 1000; }
        for b in words.remainder() { n = n * 3 + *b as u32; }
        n
    }

    pub fn iterators(data: &[u8], most: bool) -> (Vec<u32>, bool) {
        let mut out = vec![0; data.len()];
        let mut every = true;
        #[omp::target(reduction(&&: every))]
        for i in 0..data.len() {
            let part = data.iter().skip(i).map(|&b| b as u32);
            out[i] = part.clone().count() as u32 + if most { part.max().unwrap() } else { part.sum() };
            let all = (0..i).map(|k| data[k] as u32);
            out[i] += checksum(&data[..i]) + all.sum::<u32>();
            every = every && out[i] > 0;
        }
        (out, every)
    }
}

#[test]
fn references_by_branch() {
    compare!(m, _d => { omp::set_default_device(_d); m::chosen(&[1, 2, 3, 60, 5, 6], &[9, 99, 3, 4, 70, 1]) });
}

#[test]
fn conversions() {
    compare!(m, _d => { omp::set_default_device(_d); m::converted(b"abcdefghijkl", &[1, -2, 300]) });
}

#[test]
fn iterators_by_name() {
    compare!(m, _d => { omp::set_default_device(_d); (m::iterators(b"some text of bytes", true), m::iterators(b"abc", false)) });
}
