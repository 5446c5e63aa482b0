//! References before `?` as operands, `x.get(i)? << 3`; `?` in closures whose result has its type written out, `Ok::<(), u8>(())`.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{on_every_device, twice};

twice! {
    pub fn bits(x: &[u32], y: &mut [i32]) {
        #[omp::target]
        for i in 0..y.len() { y[i] = mixed(x, i).unwrap_or(9); }
    }
    #[omp::declare_target]
    fn mixed(x: &[u32], i: usize) -> Option<i32> {
        let mut s = !x.get(i)? as i32;
        s ^= (x.get(i + 1)? << 3 | x.get(i)? & 5) as i32;
        let a = -(*x.get(i)? as i32);
        Some(s + a)
    }
    #[omp::declare_target]
    fn half(x: u32) -> Result<u32, u8> { if x % 2 == 0 { Ok(x / 2) } else { Err(x as u8) } }
    pub fn halves(x: &[u32], y: &mut [u32], n: usize) -> Vec<Option<u8>> {
        let mut e = vec![None; x.len() / n];
        #[omp::target]
        for ((e, y), x) in e.iter_mut().zip(y.chunks_exact_mut(n)).zip(x.chunks_exact(n)) {
            let outcome = y.iter_mut().zip(x).try_for_each(|(slot, &t)| {
                *slot = half(t)?;
                Ok::<(), u8>(())
            });
            *e = outcome.err();
        }
        e
    }
    pub fn folds(x: &[u32]) -> Vec<Option<u32>> {
        let mut e = vec![None; x.len()];
        #[omp::target]
        for (e, x) in e.iter_mut().zip(x) {
            let r = (0..*x).try_fold(1u32, |a, k| { let h = if k > 5 { None::<u32> } else { Some::<u32>(k) }?; Some::<u32>(a + h) });
            *e = r;
        }
        e
    }
}

#[test]
fn operands() {
    let x: Vec<u32> = (0..9).map(|k| k * k + 3).collect();
    on_every_device(|d| {
        omp::set_default_device(d);
        let (mut y, mut z) = ([0; 9], [0; 9]);
        device::bits(&x, &mut y);
        plain::bits(&x, &mut z);
        assert_eq!(y, z, "device {d}");
    });
}

#[test]
fn typed_results() {
    let x = [2, 4, 6, 8, 3, 4, 5, 6, 8];
    on_every_device(|d| {
        omp::set_default_device(d);
        let (mut y, mut z) = ([0; 9], [0; 9]);
        assert_eq!(device::halves(&x, &mut y, 3), plain::halves(&x, &mut z, 3), "device {d}");
        assert_eq!(y, z, "device {d}");
        assert_eq!(device::folds(&x), plain::folds(&x), "device {d}");
    });
}
