//! `Wrapping` and `Saturating` numbers as reduction items, in arrays and in scans.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{compare, twice};
use std::num::{Saturating, Wrapping};

twice! {
    pub fn operators(x: &[u32]) -> (u32, u32, i64, u32, u32) {
        let (mut sum, mut product, mut bits) = (Wrapping(7u32), Wrapping(3u32), Wrapping(3i64));
        let (mut most, mut least) = (Wrapping(0u32), Saturating(u32::MAX));
        #[omp::target(reduction(+: sum), reduction(*: product), reduction(^: bits), reduction(max: most), reduction(min: least))]
        for i in 0..x.len() {
            sum += Wrapping(x[i]);
            sum = Wrapping(1) + sum;
            if x[i] % 5 == 0 { sum -= Wrapping(x[i] / 3); }
            product *= Wrapping(x[i] | 1);
            bits ^= Wrapping(x[i] as i64 - 9);
            most = most.max(Wrapping(x[i]));
            least = least.min(Saturating(x[i]) + Saturating(1_000_000));
        }
        (sum.0, product.0, bits.0, most.0, least.0)
    }
    pub fn arrays_and_scans(x: &[u32], y: &mut [u32]) -> (Vec<Wrapping<u32>>, [Wrapping<u32>; 4], u32) {
        let (mut h, mut z, mut s) = ([Wrapping(7u32); 4], vec![Wrapping(1u32); x.len()], Wrapping(9u32));
        #[omp::target(reduction(+: h))]
        for i in 0..x.len() {
            let part: Wrapping<u32> = x[..i % 5].iter().map(|v| Wrapping(*v)).sum();
            h[i % 4] += Wrapping(x[i]) + part;
        }
        #[omp::scan(+)]
        for i in 0..x.len() { s += Wrapping(x[i]); y[i] = s.0; }
        #[omp::scan(+)]
        for i in 1..x.len() { z[i] = z[i - 1] + Wrapping(x[i]); }
        (z, h, s.0)
    }
    pub fn on_threads(x: &[u32]) -> u32 {
        let mut h = Wrapping(1u32);
        #[omp::parallel_for(reduction(+: h))]
        for i in 0..x.len() { h += Wrapping(x[i]); }
        h.0
    }
}
#[test]
fn items() {
    for n in [0u32, 1, 7, 3000] {
        let x: Vec<u32> = (0..n).map(|k| k.wrapping_mul(2654435761)).collect();
        compare!(m, d => {
            omp::set_default_device(d);
            let mut y = vec![1; x.len()];
            (m::operators(&x), m::arrays_and_scans(&x, &mut y), m::on_threads(&x), y)
        });
    }
}
