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

/// Numbers and values of such types under names and as elements: the type of what is converted decides.
mod of_either {
    use omp_tests::{compare, twice};
    twice! {
        #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
        pub struct Odd(pub u32);
        #[omp::declare_target]
        impl TryFrom<Odd> for u8 {
            type Error = u32;
            fn try_from(o: Odd) -> Result<u8, u32> { if o.0 % 2 == 1 { Ok((o.0 & 255) as u8) } else { Err(o.0) } }
        }
        #[omp::declare_target]
        fn narrow(n: u32) -> Option<u8> { u8::try_from(n).ok() }
        pub fn run(x: &[u32], wide: &[i64], y: &mut [u32]) {
            #[omp::target]
            for i in 0..y.len() {
                y[i] = match u8::try_from(x[i]) { Ok(v) => v as u32, Err(_) => 999 };
                y[i] += u8::try_from(x[i]).unwrap_or(7) as u32 + narrow(x[i]).unwrap_or(1) as u32;
                if let Ok(v) = u8::try_from(Odd(x[i])) { y[i] += v as u32; }
                let (n, o) = (wide[i], Odd(x[i]));
                y[i] += u8::try_from(n).map_or(3, |v| v as u32) + u8::try_from(n).is_ok() as u32;
                y[i] += u8::try_from(o).map_or_else(|e| e, |v| v as u32);
                let Ok(small) = u8::try_from(wide[i]) else { y[i] += 5000; continue; };
                y[i] += small as u32 * 10000;
            }
        }
    }
    #[test]
    fn by_the_type() {
        let x: Vec<u32> = (0..90).map(|k| k * 7).chain([255, 256, u32::MAX]).collect();
        let wide: Vec<i64> = x.iter().map(|v| *v as i64 - 40).rev().collect();
        compare!(m, d => { omp::set_default_device(d); let mut y = vec![0; x.len()]; m::run(&x, &wide, &mut y); y });
    }
}

/// Without `declare_target` the conversion is the host's, and those of numbers stay.
mod of_the_host {
    use omp_tests::{compare, twice};
    twice! {
        pub struct Even(pub u32);
        impl TryFrom<Even> for i8 { type Error = u32; fn try_from(e: Even) -> Result<i8, u32> { Ok(e.0 as i8 * 2) } }
        #[omp::declare_target]
        fn narrow(k: i32) -> Option<i8> { i8::try_from(k).ok() }
        pub fn run(x: &[i32], out: &mut [i32]) {
            let start = i8::try_from(Even(3)).unwrap() as i32;
            #[omp::target]
            for i in 0..x.len() {
                let n = x[i];
                out[i] = start + i8::try_from(n).unwrap_or(9) as i32 + narrow(n).map_or(100, i32::from);
                if i8::try_from(x[i]).is_err() { out[i] -= 1; }
            }
        }
    }
    #[test]
    fn of_numbers() {
        let x = [0, 1, -128, -129, 127, 128, i32::MAX];
        compare!(m, d => { omp::set_default_device(d); let mut out = [0; 7]; m::run(&x, &mut out); out });
    }
}
