//! `Result` in bodies and device functions: `?`, patterns, methods; and searches that return one.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{compare, on_every_device, panic_of, twice};

twice! {
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    #[repr(u8)]
    pub enum Fault {
        Empty,
        Negative(f32),
        Late { at: u32, by: f64 },
    }

    #[omp::declare_target]
    fn root(x: f32) -> Result<f32, Fault> {
        if x < 0.0 {
            return Err(Fault::Negative(x));
        }
        Ok(x.sqrt())
    }

    #[omp::declare_target]
    fn late(i: usize) -> Result<(), Fault> {
        if i % 7 == 6 { Err(Fault::Late { at: i as u32, by: 0.5 }) } else { Ok(()) }
    }

    #[omp::declare_target]
    fn sum(a: &[f32], i: usize) -> Result<f32, Fault> {
        if a.is_empty() {
            return Err(Fault::Empty);
        }
        late(i)?;
        let mut s = 0.0;
        for v in a {
            s += root(*v)?;
        }
        let t = a.get(i).copied().ok_or(Fault::Empty)?;
        Ok(s + t)
    }

    #[omp::declare_target]
    fn code(r: Result<f32, Fault>) -> i32 {
        match r {
            Ok(v) if v > 10.0 => 1,
            Ok(_) => 0,
            Err(Fault::Empty) => -1,
            Err(Fault::Negative(x)) => x as i32 * 10,
            Err(Fault::Late { at, .. }) => -1000 - at as i32,
        }
    }

    #[omp::declare_target]
    fn more(v: f32, i: i32) -> Result<i32, u8> {
        let sure = root(v).map_err(|_| 1u8)?;
        let half = (i % 3 != 0).then_some(i).ok_or_else(|| 2u8)?;
        let kept = root(v).or_else(|_| if i > 5 { Ok(0.5) } else { Err(9u8) })?;
        let twice = root(v).map_err(|_| 3u8).map(|r| r * 2.0).and_then(|r| if r > 6.0 { Err(4) } else { Ok(r) })?;
        let named: i32 = root(v).map_or_else(|_| -1, |r| r as i32);
        let own = Own { ok: i };
        Ok(sure as i32 + half + kept as i32 + twice as i32 + named + own.ok() + own.unwrap_or(3))
    }

    /// A type of the user's with the names of `Result`'s methods.
    #[derive(Clone, Copy, omp::Device)]
    struct Own { ok: i32 }

    #[omp::declare_target]
    impl Own {
        fn ok(self) -> i32 { self.ok }
        fn is_ok(&self) -> bool { self.ok > 3 }
        fn unwrap_or(&self, k: i32) -> i32 { if self.is_ok() { self.ok } else { k } }
    }

    #[omp::offload]
    pub fn searched(n: usize) -> Vec<i32> {
        let table: Vec<f64> = (0..50).map(|i| i as f64 * 0.5).collect();
        let keys: Vec<u32> = (0..40).map(|i| i * 3 / 2).collect();
        let none: Vec<u32> = vec![];
        let mut hit = vec![0i32; n];
        #[omp::target(map(to: table, keys, none), map(from: hit))]
        for i in 0..n {
            let k = i as u32;
            let x = i as f64 * 0.125 - 2.0;
            hit[i] = match keys.binary_search(&k) {
                Ok(p) => keys[p] as i32,
                Err(p) => -(p as i32) - 1,
            };
            hit[i] += table.binary_search_by(|v| v.partial_cmp(&x).unwrap()).unwrap_or_else(|p| p) as i32;
            hit[i] += keys.binary_search_by_key(&(k * 2), |v| v * 2).is_ok() as i32 * 1000;
            hit[i] += none.binary_search(&k).is_err() as i32 * 2000;
            hit[i] += keys.iter().filter(|v| keys.binary_search(v).is_ok()).count() as i32;
            hit[i] += more(x as f32, i as i32).unwrap_or_else(|e| -(e as i32));
        }
        hit
    }

    /// `unwrap` of an error stops the region.
    #[omp::offload]
    pub fn stops(n: usize, at: usize) -> i32 {
        let mut total = 0;
        #[omp::target(reduction(+: total))]
        for i in 0..n {
            let r: Result<i32, usize> = if i == at { Err(i) } else { Ok(1) };
            total += if i % 2 == 0 { r.unwrap() } else { r.expect("an odd one") };
        }
        total
    }

    #[omp::offload]
    pub fn run() -> (Vec<i32>, Vec<f32>, u32, Vec<i32>) {
        let n = 60;
        let a: Vec<f32> = (0..n).map(|i| if i == 37 { -3.0 } else { i as f32 * 0.25 }).collect();
        let mut out = vec![0i32; n];
        let mut val = vec![0f32; n];
        let mut bad = 0u32;
        #[omp::target(map(to: a), map(from: out, val), reduction(+: bad))]
        for i in 0..n {
            let r = sum(&a[i..(i + i % 5).min(n)], i % 3);
            out[i] = code(r);
            if r.is_err() {
                bad += 1;
            }
            if let Ok(v) = r {
                val[i] = v;
            }
            val[i] += r.unwrap_or(0.5) + r.unwrap_or_default() + r.ok().map_or(2.0, |v| v * 2.0);
            val[i] += root(a[i]).map_err(|_| 3u8).unwrap_or_else(|e| f32::from(e));
            val[i] += root(a[i]).is_ok_and(|v| v > 1.0) as u8 as f32;
            let Err(e) = late(i) else { continue };
            if let Fault::Late { by, .. } = e {
                val[i] += by as f32;
            }
            let good: Result<u64, i8> = if i > 3 { Ok(i as u64) } else { Err(-1) };
            val[i] += match good {
                Ok(v) => v as f32,
                Err(e) => f32::from(e),
            };
        }
        (out, val, bad, searched(70))
    }
}

#[test]
fn as_without_directives() {
    compare!(m, d => {
        omp::set_default_device(d);
        let (codes, values, bad, found) = m::run();
        (codes, values.iter().map(|v| (v * 256.0).round() as i32).collect::<Vec<_>>(), bad, found)
    });
}

#[test]
fn an_error_that_is_unwrapped_stops() {
    on_every_device(|d| {
        omp::set_default_device(d);
        assert_eq!(device::stops(9, 20), 9);
        let message = panic_of(|| {
            let _ = device::stops(9, 4);
        })
        .expect("it stops");
        assert!(message.contains("called `Result::unwrap()` on an `Err` value"), "{message}");
        let message = panic_of(|| {
            let _ = device::stops(9, 5);
        })
        .expect("it stops");
        assert!(message.contains("an odd one"), "{message}");
    });
}
