//! `u128` on devices: products on the way, and values in memory.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{Values, compare, on_every_device, panic_of, twice};

twice! {
    const MODULUS: u128 = 0xffff_ffff_ffff_fff1_0000_0000_0000_0003;
    const POWERS: [u128; 3] = [1, 1 << 64, u128::MAX / 3];

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Big { pub small: u8, pub value: u128, pub carry: bool }

    #[omp::declare_target]
    fn mul_hi(a: u64, b: u64) -> u64 { ((a as u128 * b as u128) >> 64) as u64 }

    #[omp::declare_target]
    fn add_to(acc: &mut u128, x: &u64) { *acc = acc.wrapping_add(u128::from(*x) << 3); }

    pub fn products(a: &[u64], b: &[u64]) -> Vec<(u64, u64, u64)> {
        let mut out = vec![(0, 0, 0); a.len()];
        #[omp::target]
        for i in 0..a.len() {
            let wide = a[i] as u128 * b[i] as u128;
            let m = b[(i + 1) % b.len()] | 1;
            let mut sums = [0u128; 3];
            for (k, s) in sums.iter_mut().enumerate() {
                *s += wide >> k;
                add_to(s, &a[i]);
            }
            out[i] = (mul_hi(a[i], b[i]), (wide % m as u128) as u64, (sums[1] ^ sums[2]) as u64);
        }
        out
    }

    pub fn everything(x: &[u128], by: u128) -> Vec<[u128; 12]> {
        let mut out = vec![[0; 12]; x.len()];
        #[omp::target]
        for (i, (o, &v)) in out.iter_mut().zip(x).enumerate() {
            let w = x[(i + 1) % x.len()] | 1;
            let (sum, over) = v.overflowing_add(w);
            let (product, lost) = v.overflowing_mul(w);
            *o = [
                v / w,
                v % w,
                sum ^ u128::from(over),
                product ^ u128::from(lost),
                v.checked_mul(by).unwrap_or(7) + v.checked_sub(w).map_or(1, |d| d >> 1),
                v.saturating_add(w) ^ v.saturating_sub(w) ^ v.saturating_mul(w),
                v.rotate_left(i as u32 * 11) ^ w.rotate_right(77),
                (v.leading_zeros() + w.trailing_zeros() + v.count_ones() * 200) as u128,
                (v < w) as u128 + 2 * (v == x[0]) as u128 + 4 * v.max(w).min(by),
                (v & w | MODULUS) ^ POWERS[i % 3],
                (i as i8 - 5) as u128 ^ (v as i64) as u128 ^ (v as u16 as i16) as u128,
                !v << (i % 128) ^ w.abs_diff(v) ^ (v % 1000).pow(3),
            ];
        }
        out
    }

    pub fn in_memory(x: &mut [Big], add: u128) {
        #[omp::target]
        for b in x.iter_mut() {
            let (value, carry) = b.value.overflowing_add(add);
            *b = Big { value, carry, ..*b };
            if b.value.count_ones() == 1 {
                b.small += 1;
            }
        }
    }

    pub fn overflows(x: &[u128], out: &mut [u128], kind: u32) {
        #[omp::target]
        for (o, &v) in out.iter_mut().zip(x) {
            *o = match kind {
                0 => v + 1,
                1 => v * 3,
                2 => v - 1,
                3 => 100 / v,
                4 => 100 % v,
                _ => v << kind,
            };
        }
    }
}

fn values(n: usize) -> Vec<u128> {
    let mut v = Values(41);
    let mut wide = || u128::from(v.wide()) << 64 | u128::from(v.wide());
    let mut all = vec![0, 1, 2, u128::MAX, u128::MAX - 1, 1 << 127, 1 << 64, (1 << 64) - 1, 3 << 63];
    all.extend((0..n).map(|i| wide() >> (i * 5 % 128)));
    all
}

#[test]
fn products_and_remainders() {
    let mut v = Values(43);
    for n in [0, 1, 2, 70] {
        let mut next = || -> Vec<u64> { (0..n).map(|i| v.wide() >> (i % 40)).collect() };
        let (a, b) = (next(), next());
        compare!(m, d => { omp::set_default_device(d); m::products(&a, &b) });
    }
}

#[test]
fn operators_and_methods() {
    let all = values(60);
    compare!(m, d => { omp::set_default_device(d); m::everything(&all, 0x1_0000_0001) });
    compare!(m, d => { omp::set_default_device(d); m::everything(&all[..1], 5) });
    compare!(m, d => { omp::set_default_device(d); m::everything(&[], 5) });
}

#[test]
fn structs() {
    compare!(m, d => {
            omp::set_default_device(d);
        let mut x: Vec<m::Big> = values(20).iter().map(|&value| m::Big { small: 3, value, carry: true }).collect();
        m::in_memory(&mut x, u128::MAX - 2);
        x.iter().map(|b| (b.small, b.value, b.carry)).collect::<Vec<_>>()
    });
}

#[test]
fn overflow() {
    on_every_device(|d| {
        omp::set_default_device(d);
        for (kind, x, text) in [
            (0, u128::MAX, "add with overflow"),
            (1, u128::MAX / 2, "multiply with overflow"),
            (2, 0, "subtract with overflow"),
            (128, 1, "shift left with overflow"),
        ] {
            let run = || device::overflows(&[5, x], &mut [0; 2], kind);
            match panic_of(run) {
                Some(found) => assert!(found.contains(text) && cfg!(debug_assertions), "{found}"),
                None => assert!(!cfg!(debug_assertions), "{text}"),
            }
        }
        for (kind, text) in [(3, "divide by zero"), (4, "divisor of zero")] {
            let found = panic_of(|| device::overflows(&[5, 0], &mut [0; 2], kind)).unwrap();
            assert!(found.contains(text), "{found}");
        }
        device::overflows(&[5, 6], &mut [0; 2], 3);
    });
}
