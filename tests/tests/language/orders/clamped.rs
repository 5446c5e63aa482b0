//! `clamp`, `min` and `max` of what has an order and no arithmetic.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{compare, twice};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, omp::Device)]
pub enum Level {
    Low,
    Mid,
    High,
}
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, omp::Device)]
pub struct Version(pub u16, pub u8);
twice! {
    #[omp::declare_target]
    fn kept(v: Version, lo: Version, hi: Version) -> Version { v.clamp(lo, hi) }
    #[omp::declare_target]
    fn generic<T: Ord + omp::Device>(v: T, lo: T, hi: T) -> T { v.clamp(lo, hi).max(lo).min(hi) }
    pub fn run(x: &[i32], l: &mut [Level], v: &mut [Version], out: &mut [(i32, u8)]) {
        #[omp::target]
        for i in 0..x.len() {
            l[i] = l[i].clamp(Level::Low, Level::Mid).max(Level::Low);
            l[i] = std::cmp::max(l[i], Level::Mid).min(Level::High);
            v[i] = kept(v[i], Version(2, 3), Version(3, 1)).min(Version(3, 0)).max(Version(1, 1));
            out[i] = (x[i], 3).clamp((2, 4), (3, 0)).max((0, 0));
            out[i].0 += generic(x[i], 2, 4) + generic(v[i], Version(2, 3), Version(3, 1)).0 as i32;
            let o = Some(x[i]).clamp(None, Some(3)).unwrap_or(-4);
            out[i].0 += o;
            let b = (x[i] > 3).clamp(false, true);
            let c = 'k'.clamp('a', if b { 'c' } else { 'z' });
            out[i].1 = c as u8;
            let arr = [x[i], 3].clamp([1, 4], [2, 2]);
            out[i].0 += arr[1];
        }
    }
    pub fn fails(v: &mut [Version]) {
        #[omp::target]
        for v in v.iter_mut() { let hi = Version(v.1 as u16, 0); *v = (*v).clamp(Version(2, 0), hi); }
    }
}
#[test]
fn ordered() {
    for n in [0i32, 1, 6] {
        let x: Vec<i32> = (0..n).collect();
        compare!(m, d => { omp::set_default_device(d);
            let mut l: Vec<_> = x.iter().map(|i| [Level::Low, Level::Mid, Level::High][*i as usize % 3]).collect();
            let mut v: Vec<_> = x.iter().map(|&i| Version(i as u16, i as u8)).collect();
            let mut out = vec![(0, 0); n as usize];
            m::run(&x, &mut l, &mut v, &mut out);
            format!("{l:?} {v:?} {out:?}") });
    }
    compare!(m, d => { omp::set_default_device(d);
        let p = std::panic::catch_unwind(|| m::fails(&mut [Version(1, 2), Version(3, 1)]));
        p.is_err() });
    compare!(m, d => { omp::set_default_device(d);
        let p = std::panic::catch_unwind(|| m::fails(&mut [Version(1, 2), Version(3, 4)]));
        p.is_err() });
}
