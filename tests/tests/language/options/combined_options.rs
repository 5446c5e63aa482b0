//! Methods of options that combine them or put values in them: `xor`, `zip`, `flatten`, `replace`, `get_or_insert`, `take_if`, `as_ref`.
//! Types of the program's with methods of these names keep theirs. All devices, against the same functions without directives.
#![allow(unused_must_use, clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{on_every_device, twice};

twice! {
    #[derive(Clone, Copy, omp::Device)]
    pub struct Slot { best: Option<u32>, n: u32 }
    #[derive(Clone, Copy, omp::Device)]
    pub struct Bits { w: u32 }

    #[omp::declare_target]
    impl Bits { fn insert(&mut self, k: u32) -> bool { let old = self.w >> k & 1; self.w |= 1 << k; old == 0 }
     fn xor(self, o: Bits) -> Bits { Bits { w: self.w ^ o.w } }
     fn take(&mut self) -> u32 { let w = self.w; self.w = 0; w }
     fn zip(self, o: u32) -> u32 { self.w * 3 + o }
     fn err(&self) -> u32 { self.w + 1 } }
    pub fn combined(d: usize, x: &[u32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let (p, q) = (x[i].checked_sub(20), x[i + 1].checked_sub(30));
            let b = x[i].checked_sub(20);
            let c = if x[i] % 3 == 0 { None } else { Some(x[i] + 1) };
            let d = b.xor(c).unwrap_or(77);
            let e = b.zip(c).map_or(5, |(a, b)| a * b);
            let f = x[i].checked_sub(20).xor(x.get(i * 4).copied()).unwrap_or(3);
            let g = x[i].checked_sub(20).zip(x.get(i * 4).copied()).map_or(3, |(a, b)| a + b);
            let mut seen = 0;
            let h = b.inspect(|v| seen += *v).filter(|v| v % 2 == 0).is_some_and(|v| v > 4);
            let nested = (x[i] % 2 == 0).then_some(b);
            let k = nested.flatten().unwrap_or(9);
            let (l, r) = b.zip(c).unzip();
            let z = b.and(c).and(Some(3i8)).is_some();
            out[i] = d as u64 + e as u64 * 3 + f as u64 * 7 + g as u64 * 11 + seen as u64 * 13 + h as u64 * 17 + k as u64 * 19 + l.unwrap_or(1) as u64 * r.unwrap_or(2) as u64 + z as u64 + p.is_some() as u64 + q.is_some() as u64;
        }
    }
    pub fn places(d: usize, x: &[u32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut b = x[i].checked_sub(25);
            let old = b.replace(b.unwrap_or(4) + 1);
            let taken = b.take_if(|v| { *v += 1; *v > 9 });
            let r = *b.get_or_insert_with(|| x[i] * 2);
            let mut c: Option<u32> = None;
            for k in 0..3 { if x[i + k] % 2 == 0 { *c.get_or_insert(100) += x[i + k]; } }
            let mut d = x[i].checked_sub(30);
            let s = *d.insert(x[i] / 2) + *c.get_or_insert(i as u32);
            d.get_or_insert(5);
            let mut e = x[i].checked_sub(40);
            e.get_or_insert(x[i] + 5);
            let t = e.take();
            e.insert(8);
            let mut slot = Slot { best: None, n: 1 };
            for k in 0..4 { if x[i + k] > 30 { let old = slot.best.replace(x[i + k]); slot.n += old.unwrap_or(2); } }
            let mut opts = [None, Some(3), b];
            let u = opts[2].replace(4).unwrap_or(1) + *opts[0].get_or_insert(x[i]) + opts[0].unwrap();
            out[i] = old.unwrap_or(3) as u64 + taken.unwrap_or(5) as u64 * 3 + r as u64 * 5 + c.unwrap() as u64 * 7 + s as u64 * 11 + d.unwrap() as u64 + t.unwrap() as u64 * 13 + e.unwrap() as u64 + slot.n as u64 + slot.best.unwrap_or(2) as u64 + u as u64 + b.unwrap_or(2) as u64;
        }
    }
    pub fn kept(d: usize, x: &[u32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut b = x[i].checked_sub(25);
            let r = b.get_or_insert(7);
            *r += 1;
            for k in 0..3 { if x[i + k] > 20 { *r = *r * 2 + k as u32; } }
            let s = *r + 1;
            if x[i] > 9 { *r += s; }
            let mut slot = Slot { best: None, n: 3 };
            let q = slot.best.get_or_insert(x[i]);
            *q += 2;
            let t = *q;
            slot.n += slot.best.unwrap() + t;
            let w = b.get_or_insert_with(|| 4);
            out[i] = (*w + slot.n) as u64;
            if i % 2 == 0 { let v = b.insert(5); *v += 1 }
            out[i] = out[i] * 100 + b.unwrap() as u64 * 3;
        }
    }
    pub fn as_refs(d: usize, x: &[u32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let b = x[i].checked_sub(25);
            let c = Some((x[i], 2.5f32));
            let mut s = b.as_ref().map_or(2, |v| *v as u64) + b.as_ref().map(|v| v + 1).unwrap_or(7) as u64;
            if let Some(v) = b.as_ref() { s += *v as u64 * 3; }
            if let Some((n, f)) = c.as_ref() { s += *n as u64 + *f as u64; }
            match b.as_ref() { Some(&v) if v > 9 => s += 100, Some(v) => s += *v as u64 % 3, None => s += 1000 }
            let Some(w) = c.as_ref() else { continue };
            s += w.0 as u64 + b.as_ref().is_some() as u64 + *b.as_ref().unwrap_or(&4) as u64 + b.as_ref().copied().unwrap_or(1) as u64;
            out[i] = s + b.as_ref().is_some_and(|v| *v > 3) as u64;
        }
    }
    pub fn results(d: usize, x: &[u32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let r = (0..6).try_for_each(|k| if x[i + k] > 3 { Ok(()) } else { Err(k) });
            let s = x[i].checked_sub(3).ok_or(i as u8);
            let e = s.err();
            out[i] = r.err().map_or(9, |k| k as u64) + e.map_or(3, u64::from) + s.err().zip(s.ok()).is_some() as u64;
        }
    }
    pub fn own(d: usize, x: &[u32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut b = Bits { w: x[i] };
            let was = b.insert(3);
            b.insert(x[i] % 8);
            let c = b.xor(Bits { w: 5 });
            let t = b.take();
            { let b = x[i].checked_sub(3); out[i] = b.xor(None).unwrap_or(1) as u64; }
            out[i] += was as u64 + c.w as u64 * 3 + t as u64 * 7 + b.w as u64 + c.zip(4) as u64 + c.err() as u64;
        }
    }
}

fn numbers() -> Vec<u32> {
    (0..64u32).map(|i| i.wrapping_mul(2654435761) >> 26).collect()
}

#[test]
fn combined() {
    let x = numbers();
    let mut wanted = [0; 40];
    plain::combined(0, &x, &mut wanted);
    on_every_device(|d| {
        let mut out = [7; 40];
        device::combined(d, &x, &mut out);
        assert_eq!(out, wanted);
    });
}

#[test]
fn places() {
    let x = numbers();
    let mut wanted = [0; 40];
    plain::places(0, &x, &mut wanted);
    on_every_device(|d| {
        let mut out = [7; 40];
        device::places(d, &x, &mut out);
        assert_eq!(out, wanted);
    });
}

#[test]
fn kept() {
    let x = numbers();
    let mut wanted = [0; 40];
    plain::kept(0, &x, &mut wanted);
    on_every_device(|d| {
        let mut out = [7; 40];
        device::kept(d, &x, &mut out);
        assert_eq!(out, wanted);
    });
}

#[test]
fn as_refs() {
    let x = numbers();
    let mut wanted = [0; 40];
    plain::as_refs(0, &x, &mut wanted);
    on_every_device(|d| {
        let mut out = [7; 40];
        device::as_refs(d, &x, &mut out);
        assert_eq!(out, wanted);
    });
}

#[test]
fn results() {
    let x = numbers();
    let mut wanted = [0; 40];
    plain::results(0, &x, &mut wanted);
    on_every_device(|d| {
        let mut out = [7; 40];
        device::results(d, &x, &mut out);
        assert_eq!(out, wanted);
    });
}

#[test]
fn own() {
    let x = numbers();
    let mut wanted = [0; 40];
    plain::own(0, &x, &mut wanted);
    on_every_device(|d| {
        let mut out = [7; 40];
        device::own(d, &x, &mut out);
        assert_eq!(out, wanted);
    });
}
