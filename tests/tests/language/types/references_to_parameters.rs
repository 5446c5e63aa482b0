//! Operators of references to type parameters: `x.iter().filter(|v| *v == first)` in a generic function.
#![allow(clippy::all, clippy::pedantic, missing_docs)]
use omp_tests::{Values, on_every_device, twice};
use std::ops::{Add, Mul, Neg, Sub};

#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, omp::Device)]
pub struct Derived {
    pub key: u8,
    pub tag: i8,
}

/// Equal if the keys are.
#[derive(Clone, Copy, Debug, Default, omp::Device)]
pub struct Own {
    pub key: u8,
    pub tag: i8,
}
#[omp::declare_target]
impl PartialEq for Own {
    fn eq(&self, other: &Own) -> bool {
        self.key == other.key
    }
}

/// The sum of references is another one than that of values.
#[omp::declare_target]
impl<'a> Add<&'a Own> for &'a Own {
    type Output = Own;
    fn add(self, o: &Own) -> Own {
        Own { key: self.key * 10 + o.key, tag: 0 }
    }
}
#[omp::declare_target]
impl Add<Own> for Own {
    type Output = Own;
    fn add(self, o: Own) -> Own {
        Own { key: self.key + o.key, tag: 0 }
    }
}

twice! {
    pub fn equal<T: omp::Device + PartialEq>(m: usize, x: &[T], c: &mut [u8]) {
        #[omp::target]
        for (r, row) in x.chunks_exact(m).enumerate() {
            let first = &row[0];
            let mut n = 0;
            for (i, a) in row.iter().enumerate() {
                n += row[i..].iter().filter(|b| *b == a).count() as u8;
                n += (a != first) as u8;
            }
            c[r] = n + 100 * row.iter().skip(1).all(|v| v != first) as u8;
        }
    }
    #[omp::declare_target]
    fn run<T: omp::Device + PartialEq>(row: &[T], from: usize) -> usize {
        let first = &row[from];
        row[from..].iter().take_while(|v| *v == first).count()
    }
    pub fn runs<T: omp::Device + PartialEq>(m: usize, x: &[T], c: &mut [u8]) {
        #[omp::target]
        for (r, row) in x.chunks_exact(m).enumerate() {
            c[r] = run(row, 0) as u8 + 10 * run(row, 2) as u8;
        }
    }
    pub fn ordered<T: omp::Device + PartialOrd>(m: usize, x: &[T], c: &mut [u8]) {
        #[omp::target]
        for (r, row) in x.chunks_exact(m).enumerate() {
            let first = &row[0];
            c[r] = row.iter().filter(|v| *v > first).count() as u8;
            c[r] += 10 * row.iter().filter(|v| v <= &first).count() as u8;
            for (a, b) in row.iter().zip(&row[1..]) {
                if a < b {
                    c[r] += 100;
                    break;
                }
            }
        }
    }
    pub fn numbers<T>(m: usize, x: &[T], c: &mut [T])
    where
        T: omp::Device + PartialOrd + Default + for<'a> Mul<&'a T, Output = T>,
        for<'a> &'a T: Sub<&'a T, Output = T> + Add<&'a T, Output = T> + Mul<T, Output = T>,
    {
        #[omp::target]
        for (r, row) in x.chunks_exact(m).enumerate() {
            let (mut lo, mut hi) = (&row[0], &row[0]);
            for v in row {
                if v < lo {
                    lo = v;
                }
                if v > hi {
                    hi = v;
                }
            }
            let s = row.iter().fold(T::default(), |s, v| &s + v);
            c[r] = &(&(hi - lo) + &s) + &(&(*lo * hi) + &(lo * *hi));
        }
    }
    pub fn neighbours<T: omp::Device>(x: &[T], c: &mut [T])
    where
        for<'a> &'a T: Add<&'a T, Output = T>,
    {
        #[omp::target]
        for i in 0..c.len() {
            let (a, b) = (&x[i], &x[i + 1]);
            c[i] = a + b;
        }
    }
    pub fn negated<T>(x: &[T], c: &mut [T])
    where
        T: omp::Device,
        for<'a> &'a T: Neg<Output = T> + Mul<&'a T, Output = T>,
    {
        #[omp::target]
        for (x, c) in x.iter().zip(c.iter_mut()) {
            *c = &-x * x;
        }
    }
}

#[test]
fn operators_of_references() {
    on_every_device(|d| {
        omp::set_default_device(d);
        for (n, m) in [(0, 3), (1, 3), (7, 5), (100, 4)] {
            let mut v = Values(n as u64 + 1);
            let keys: Vec<(u8, i8)> =
                (0..n * m).map(|_| ((v.bits() % 3) as u8, (v.bits() % 2) as i8)).collect();
            let numbers: Vec<u8> = keys.iter().map(|k| k.0).collect();
            let derived: Vec<Derived> = keys.iter().map(|&(key, tag)| Derived { key, tag }).collect();
            let own: Vec<Own> = keys.iter().map(|&(key, tag)| Own { key, tag }).collect();
            macro_rules! check {
                ($($f:ident $x:ident)*) => { $(
                    let (mut of, mut expected) = (vec![0; n], vec![0; n]);
                    plain::$f(m, &$x, &mut expected);
                    device::$f(m, &$x, &mut of);
                    assert_eq!(of, expected, "{} of {} on {d}", stringify!($f), stringify!($x));
                )* };
            }
            check! {
                equal numbers equal derived equal own
                runs numbers runs derived runs own
                ordered numbers ordered derived
                numbers numbers
            }
            let x: Vec<i32> = numbers.iter().map(|&v| v.into()).collect();
            let (mut of, mut expected) = (vec![0; n * m], vec![0; n * m]);
            plain::negated::<i32>(&x, &mut expected);
            device::negated::<i32>(&x, &mut of);
            assert_eq!(of, expected, "on {d}");
        }
    });
}

#[test]
fn sums_of_references_are_not_those_of_values() {
    let x: Vec<Own> = (0..9).map(|key| Own { key, tag: 0 }).collect();
    let mut expected = vec![Own::default(); 8];
    plain::neighbours(&x, &mut expected);
    let devices = omp::get_num_devices();
    if devices == 0 {
        omp_tests::skipped("opencl", "no OpenCL device");
    }
    for d in 0..=devices {
        omp::set_default_device(d);
        let mut of = vec![Own::default(); 8];
        device::neighbours(&x, &mut of);
        assert_eq!(of.iter().map(|o| o.key).collect::<Vec<_>>(), [1, 12, 23, 34, 45, 56, 67, 78], "on {d}");
        let why = omp::last_region().fallback.unwrap_or_default();
        assert_eq!(why.contains("`+` of references"), d < devices, "on {d}: {why}");
    }
}
