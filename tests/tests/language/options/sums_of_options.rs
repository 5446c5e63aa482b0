//! Sums of options and results whose type the closure shows: `(0..k).map(|i| Some(x.get(i)? * 2)).sum()`.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{on_every_device, twice};

twice! {
    #[omp::declare_target]
    fn total(x: &[u32], k: usize) -> Option<u32> { (0..k).map(|i| Some(*x.get(i)? * 2)).sum() }
    #[omp::declare_target]
    fn all(x: &[u32], k: usize) -> Result<f32, usize> { x[..k].iter().enumerate().map(|(i, &v)| if v > 20 { Err(i) } else { Ok(v as f32) }).product() }
    pub fn run(x: &[u32], out: &mut [Option<u32>], r: &mut [f32]) {
        #[omp::target]
        for (k, (o, r)) in out.iter_mut().zip(r.iter_mut()).enumerate() {
            *o = (0..=k).map(|i| { let j = i.checked_sub(k % 2)?; Some(x[j]) }).sum();
            *r = total(x, 3 * k).map_or(-1.0, |v| v as f32) + all(x, k).unwrap_or_else(|i| -(i as f32));
            let n: u32 = x.iter().map(|v| v.checked_sub(3).unwrap_or(1)).sum();
            *r += n as f32;
        }
    }
}

#[test]
fn sums() {
    let x: Vec<u32> = (0..9).map(|k| k * k + 3).collect();
    on_every_device(|d| {
        omp::set_default_device(d);
        let (mut y, mut z) = ([None; 9], [None; 9]);
        let (mut r, mut q) = ([0.0; 9], [0.0; 9]);
        device::run(&x, &mut y, &mut r);
        plain::run(&x, &mut z, &mut q);
        assert_eq!((y, r), (z, q), "device {d}");
    });
}
