//! `std::num::Wrapping` and `Saturating`: as fields, elements and locals, with all of their operators, also of type parameters.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{on_every_device, panic_of, twice};
use std::num::Wrapping;

twice! {
    use std::cmp::Reverse;
    use std::num::{Saturating, Wrapping};
    use std::ops::{Add, BitXor, Mul};

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Lcg { state: Wrapping<u64>, steps: Saturating<u8> }

    #[omp::declare_target]
    impl Lcg {
        pub const fn new(seed: u64) -> Self { Lcg { state: Wrapping(seed | 1), steps: Saturating(250) } }
        fn step(&mut self) -> u32 {
            self.state = self.state * Wrapping(6364136223846793005) + Wrapping(1442695040888963407);
            self.state ^= self.state >> 33;
            self.state ^= self.state << 71;
            self.steps += 1;
            self.steps += Saturating(1u8);
            (self.state >> 32).0 as u32
        }
    }

    /// Operators by the names of their methods.
    pub fn by_name(x: &[u32], y: &mut [u32]) {
        #[omp::target]
        for i in 0..x.len() {
            y[i] = Wrapping::add(Wrapping(x[i]), Wrapping(4_000_000_000)).0 ^ Wrapping::<u32>::mul(Wrapping(x[i]), Wrapping(77)).0;
            y[i] ^= Add::add(Wrapping(x[i]), Wrapping(3)).0 ^ Saturating::add(Saturating(x[i]), Saturating(x[i])).0;
            y[i] ^= x[..i % 5].iter().map(|v| Wrapping(*v)).fold(Wrapping(3), Wrapping::add).0;
            y[i] ^= Wrapping(x[i]).add(Wrapping(5)).mul(Wrapping(x[i])).0;
        }
    }
    pub fn generators(out: &mut [(u32, u8)]) {
        #[omp::target]
        for (i, o) in out.iter_mut().enumerate() {
            let mut r = Lcg::new(i as u64 * 977 + 5);
            let mut last = 0;
            for _ in 0..i % 9 { last = r.step(); }
            *o = (last, r.steps.0);
        }
    }

    #[omp::declare_target]
    fn mixed<T: Copy + Add<Output = T> + Mul<Output = T> + BitXor<Output = T>>(a: T, b: T) -> T { (a + b) * b ^ a }

    pub fn operators(x: &[i32], u: &[Wrapping<u32>], w: &mut [Wrapping<i16>], out: &mut [[i64; 16]]) {
        let k = Wrapping(0x9E3779B9u32);
        #[omp::target]
        for i in 0..x.len() {
            let (a, b) = (Wrapping(x[i]), Wrapping(x[(i + 1) % x.len()]));
            let (s, t) = (Saturating(x[i]), Saturating(x[(i + 1) % x.len()]));
            let Wrapping(v) = u[i];
            let mut c = u[i] ^ k;
            c -= k; c *= u[i]; c |= Wrapping(5); c &= !Wrapping(8u32); c <<= 3; c >>= 35; c += 7;
            let d = Wrapping(v) / (c | Wrapping(1)) + u[i] % Wrapping(7);
            let e = Saturating(v) / Saturating(3) % Saturating(1000);
            w[i] += Wrapping(x[i] as i16);
            w[i] = -w[i] * w[i];
            out[i] = [
                (a + b).0 as i64, (a - b).0 as i64, (a * b).0 as i64, (-a).0 as i64, (!a).0 as i64, (a << 37).0 as i64, (a >> 3).0 as i64,
                (s + t).0 as i64, (s - t).0 as i64, (s * t).0 as i64, (-s).0 as i64, (!s & t).0 as i64,
                c.0 as i64 + d.0 as i64 + e.0 as i64,
                (a < b) as i64 + 2 * (a == b) as i64 + 4 * (s >= t) as i64 + 8 * (a.max(b) == b) as i64 + 16 * (Reverse(a) < Reverse(b)) as i64,
                mixed(a, b).0 as i64 + mixed(s, t).0 as i64,
                mixed(d, c).0 as i64,
            ];
        }
    }

    const PRIME: Wrapping<u64> = Wrapping(0x100000001b3);
    static BASIS: Wrapping<u64> = Wrapping(0xcbf29ce484222325);
    const KEYS: [Wrapping<u32>; 4] = [Wrapping(1), Wrapping(77), Wrapping(0xdeadbeef), Wrapping(3)];

    pub fn hashes(x: &[u8], each: usize, out: &mut [Option<Wrapping<u64>>]) {
        #[omp::target]
        for (row, o) in x.chunks(each).zip(out.iter_mut()) {
            let mut h = BASIS;
            for b in row { h = (h ^ Wrapping(u64::from(*b))) * PRIME; }
            let f = row.iter().fold(Wrapping(0u32), |h, c| h * Wrapping(31) + Wrapping(*c as u32));
            let s: Wrapping<u32> = row.iter().map(|&c| Wrapping(c as u32 * 17_000_000)).sum();
            let p = row.iter().map(|&c| Saturating(c)).product::<Saturating<u8>>();
            let mut sorted = KEYS;
            sorted.sort_unstable();
            for k in KEYS { h += Wrapping(k.0 as u64); }
            h += Wrapping((f ^ s).0 as u64 + p.0 as u64) - Wrapping(sorted[3].0 as u64) + Wrapping::default();
            *o = match h & Wrapping(3) { Wrapping(0) => None, Wrapping(n @ 1..=2) => Some(h + Wrapping(n)), w => Some(w) };
        }
    }

    pub fn quotients(x: &[i8], y: &[i8], out: &mut [[i8; 4]]) {
        #[omp::target]
        for i in 0..out.len() {
            let (a, b) = (Wrapping(x[i]), Wrapping(y[i]));
            let mut c = Saturating(x[i]);
            c /= Saturating(y[i]);
            let mut d = a;
            d %= b;
            d -= 1;
            out[i] = [(a / b).0, (a % b).0, c.0, d.0];
        }
    }

    pub fn remainders(x: &[i8], y: &[i8], out: &mut [i8]) {
        #[omp::target]
        for i in 0..out.len() { out[i] = (Saturating(x[i]) % Saturating(y[i])).0; }
    }
}

#[test]
fn operators() {
    let x: Vec<i32> = (0..400i32)
        .map(|i| match i % 7 {
            0 => i32::MIN,
            1 => i32::MAX,
            2 => 0,
            k => i.wrapping_mul(0x1234567) * (k & 1) - 5,
        })
        .collect();
    let u: Vec<_> = (0..400u32).map(|i| Wrapping(i.wrapping_mul(0x9E3779B9))).collect();
    let run = |operators: fn(&[i32], &[Wrapping<u32>], &mut [Wrapping<i16>], &mut [[i64; 16]])| {
        let mut w: Vec<_> = (0..400i16).map(Wrapping).collect();
        let mut out = vec![[0; 16]; 400];
        operators(&x, &u, &mut w, &mut out);
        (w, out)
    };
    let plain = run(plain::operators);
    on_every_device(|d| {
        omp::set_default_device(d);
        assert_eq!(run(device::operators), plain, "device {d}");
    });
}

#[test]
fn fields_and_consts() {
    let bytes: Vec<u8> = (0..1000).map(|i| (i * 31 % 251) as u8).collect();
    let run = |generators: fn(&mut [(u32, u8)]), hashes: fn(&[u8], usize, &mut [Option<Wrapping<u64>>])| {
        let (mut g, mut h) = (vec![(0, 0); 300], vec![None; 32]);
        generators(&mut g);
        hashes(&bytes, 33, &mut h);
        (g, h)
    };
    let plain = run(plain::generators, plain::hashes);
    on_every_device(|d| {
        omp::set_default_device(d);
        assert_eq!(run(device::generators, device::hashes), plain, "device {d}");
    });
}

#[test]
fn every_quotient_of_bytes() {
    let pairs = || (i8::MIN..=i8::MAX).flat_map(|a| (i8::MIN..=i8::MAX).map(move |b| (a, b)));
    let (x, y): (Vec<_>, Vec<_>) = pairs().filter(|(_, b)| *b != 0).unzip();
    let run = |quotients: fn(&[i8], &[i8], &mut [[i8; 4]])| {
        let mut out = vec![[0; 4]; x.len()];
        quotients(&x, &y, &mut out);
        out
    };
    let plain = run(plain::quotients);
    on_every_device(|d| {
        omp::set_default_device(d);
        assert!(run(device::quotients) == plain, "device {d}");
        let zero = panic_of(|| device::quotients(&[1, 0], &[1, 0], &mut [[0; 4]; 2])).unwrap();
        assert!(zero.contains("divide by zero"), "{zero}");
        // Wrapping and saturating quotients exist, as above; of remainders only the wrapping one does.
        let mut out = [9; 2];
        device::remainders(&[-128, 7], &[7, -1], &mut out);
        assert_eq!(out, [-128 % 7, 0]);
        let over = panic_of(|| device::remainders(&[1, -128], &[1, -1], &mut [0; 2])).unwrap();
        assert!(over.contains("remainder with overflow"), "{over}");
    });
}

#[test]
fn operators_by_name() {
    let x: Vec<u32> = (0..90).map(|k: u32| k.wrapping_mul(2654435761)).collect();
    let run = |by_name: fn(&[u32], &mut [u32])| {
        let mut y = vec![0; x.len()];
        by_name(&x, &mut y);
        y
    };
    let plain = run(plain::by_name);
    on_every_device(|d| {
        omp::set_default_device(d);
        assert_eq!(run(device::by_name), plain, "device {d}");
    });
}
