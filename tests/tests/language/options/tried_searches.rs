//! `?` on what a search finds; arrays that `[(); N].map(f)` makes.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{compare, twice};

twice! {
    #[omp::declare_target]
    fn most(counts: &[u32; 4]) -> Option<u32> { Some(*counts.iter().max()? + 1) }
    #[omp::declare_target]
    fn least(counts: &[i32]) -> Option<i32> { let m = *counts.iter().min()?; Some(m - *counts.iter().max()?) }
    #[omp::declare_target]
    fn by_key(v: &[i32]) -> Option<i32> { let k = v.iter().max_by_key(|v| v.abs())?; Some(*k * *v.last()?) }
    #[omp::declare_target]
    fn copied(v: &[i32]) -> Option<i32> { v.iter().copied().max()?.checked_add(*v.iter().find(|v| **v > 2)?) }
    pub fn run(x: &[i32], out: &mut [i32]) {
        #[omp::target]
        for i in 0..out.len() {
            let a = [(); 4].map(|_| 3 + i as u32);
            out[i] = most(&a).unwrap_or(0) as i32;
            let mut k = 0;
            let b: [i32; 3] = [(); 3].map(|()| { k += 1; k * x[i] });
            out[i] += b[2] + least(&x[..i]).unwrap_or(-100) + by_key(&x[..i]).unwrap_or(-7) + copied(&x[..i]).unwrap_or(1000);
        }
    }
}
#[test]
fn units() {
    for n in [0i32, 1, 6] {
        let x: Vec<i32> = (0..n).map(|i| (i * 5) % 7 - 3).collect();
        compare!(m, d => { omp::set_default_device(d); let mut out = vec![0; n as usize]; m::run(&x, &mut out); out });
    }
}
