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

/// Of a type with parameters, and of one with a declared `Ord`.
mod of_types {
    use omp_tests::{on_every_device, panic_of};
    use std::cmp::Ordering;

    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, omp::Device)]
    struct Fixed<const FRAC: u32>(i32);

    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    struct Downwards(i32, u8);

    #[omp::declare_target]
    impl PartialOrd for Downwards {
        fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
            Some(self.cmp(other))
        }
    }

    #[omp::declare_target]
    impl Ord for Downwards {
        fn cmp(&self, other: &Self) -> Ordering {
            other.0.cmp(&self.0)
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    struct Own(i32);

    #[omp::declare_target]
    impl PartialOrd for Own {
        fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
            Some(self.cmp(other))
        }
    }

    #[omp::declare_target]
    impl Ord for Own {
        fn cmp(&self, other: &Self) -> Ordering {
            self.0.cmp(&other.0)
        }
        fn clamp(self, low: Self, high: Self) -> Self {
            Self(self.0 + low.0 + high.0)
        }
    }

    #[omp::target]
    fn fixed(x: &mut [Fixed<16>], low: Fixed<16>, high: Fixed<16>) {
        for v in x.iter_mut() {
            *v = (*v).clamp(low, high);
        }
    }

    #[omp::target]
    fn downwards(x: &mut [Downwards], low: Downwards, high: Downwards) {
        for v in x.iter_mut() {
            *v = (*v).clamp(low, high);
        }
    }

    #[omp::target]
    fn own(x: &mut [Own], low: Own, high: Own) {
        for v in x.iter_mut() {
            *v = (*v).clamp(low, high);
        }
    }

    #[test]
    fn of_types_with_parameters_and_declared_orders() {
        on_every_device(|d| {
            omp::set_default_device(d);
            let mut x = [Fixed(1), Fixed(7), Fixed(3)];
            fixed(&mut x, Fixed(2), Fixed(5));
            assert_eq!(x, [Fixed(2), Fixed(5), Fixed(3)], "device {d}");
            let start = [Downwards(1, 0), Downwards(7, 0), Downwards(3, 0), Downwards(5, 7), Downwards(2, 7)];
            let mut x = start;
            let (low, high) = (Downwards(5, 1), Downwards(2, 1));
            downwards(&mut x, low, high);
            assert_eq!(x, start.map(|v| v.clamp(low, high)), "device {d}");
            let mut x = [Own(1)];
            own(&mut x, Own(2), Own(3));
            assert_eq!(x, [Own(6)], "device {d}");
            let text = panic_of(|| downwards(&mut [Downwards(1, 0)], high, low)).unwrap_or_default();
            assert!(text.starts_with("assertion failed: min <= max"), "device {d}: {text}");
        });
    }
}
