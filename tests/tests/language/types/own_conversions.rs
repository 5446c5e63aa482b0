//! `impl TryFrom` for a number, next to the conversions of numbers.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{compare, twice};

twice! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    pub struct Odd(u32);
    #[omp::declare_target]
    impl TryFrom<Odd> for u8 {
        type Error = u32;
        fn try_from(o: Odd) -> Result<u8, u32> { if o.0 % 2 == 1 && o.0 < 256 { Ok(o.0 as u8) } else { Err(o.0) } }
    }
    #[omp::declare_target]
    impl From<Odd> for u64 { fn from(o: Odd) -> u64 { o.0 as u64 * 2 } }
    #[omp::declare_target]
    fn narrow(o: Odd) -> Option<u8> { u8::try_from(o).ok() }
    pub fn run(out: &mut [u32]) {
        #[omp::target]
        for (i, o) in out.iter_mut().enumerate() {
            let r: Result<u8, u32> = Odd(i as u32).try_into();
            *o = u8::try_from(i as i32 - 2).map_or(7, |k| k as u32);
            *o += match r { Ok(k) => k as u32, Err(e) => e * 100 };
            *o += u8::try_from(Odd(i as u32 * 3)).unwrap_or(9) as u32;
            *o += narrow(Odd(3)).unwrap() as u32 + u64::from(Odd(4)) as u32;
        }
    }
}
#[test]
fn tried() {
    for n in [0usize, 1, 6] {
        compare!(m, d => { omp::set_default_device(d); let mut out = vec![0; n]; m::run(&mut out); out });
    }
}
