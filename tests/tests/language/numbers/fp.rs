//! `fp(strict)` rounds each operation, as the host does; `fp(contract)` may fuse a product with a sum and changes nothing
//! else.
#![allow(clippy::cast_lossless, reason = "one body for many types")]
use omp_tests::{Values, on_every_device};

macro_rules! modes {
    ($($module:ident $mode:ident $t:ident;)*) => { $(
        mod $module {
            use super::*;

            #[omp::offload]
            fn products(d: usize, a: &[$t], b: &[$t], c: &[$t], y: &mut [[$t; 4]]) {
                #[omp::target(device(d), fp($mode))]
                for i in 0..y.len() {
                    let p = a[i] * b[i];
                    y[i] = [p + c[i], c[i] - a[i] * b[i], a[i] / b[i], a[i].mul_add(b[i], c[i]).sqrt()];
                }
            }

            pub(crate) fn check() {
                let n = 1000;
                let mut r = Values(5);
                // Products whose roundings cancel: what is left tells whether there was one.
                let near = |bits: u32| 1.0 + (bits >> 8) as $t * $t::EPSILON;
                let a: Vec<$t> = (0..n).map(|_| near(r.bits())).collect();
                let b: Vec<$t> = (0..n).map(|_| near(r.bits())).collect();
                let c: Vec<$t> = a.iter().zip(&b).map(|(a, b)| -(a * b)).collect();
                on_every_device(|d| {
                    let mut y = vec![[1.5; 4]; n];
                    products(d, &a, &b, &c, &mut y);
                    for i in 0..n {
                        let (plain, fused) = (a[i] * b[i] + c[i], a[i].mul_add(b[i], c[i]));
                        let minus = (c[i] - a[i] * b[i], (-a[i]).mul_add(b[i], c[i]));
                        let at = format!("{}, {i}, device {d}: {:?}", stringify!($module), y[i]);
                        let strict = stringify!($mode) == "strict" || d == omp::get_num_devices();
                        assert!(y[i][0] == plain || !strict && y[i][0] == fused, "{at}");
                        assert!(y[i][1] == minus.0 || !strict && y[i][1] == minus.1, "{at}");
                        assert_eq!(y[i][2], a[i] / b[i], "{at}");
                        let root = fused.sqrt();
                        assert!(y[i][3] == root || y[i][3].is_nan() && root.is_nan(), "{at}");
                        // The plain result is zero, the fused one hardly ever: the test can tell.
                        assert_eq!(plain, 0.0);
                    }
                    assert!(a.iter().zip(&b).zip(&c).any(|((a, b), c)| a.mul_add(*b, *c) != 0.0));
                });
            }
        }
    )* };
}

modes! {
    strict_f32 strict f32;
    strict_f64 strict f64;
    contract_f32 contract f32;
    contract_f64 contract f64;
}

#[test]
fn strict_rounds_each_operation() {
    strict_f32::check();
    strict_f64::check();
}

#[test]
fn contract_fuses_at_most() {
    contract_f32::check();
    contract_f64::check();
}

#[omp::offload]
fn fast(d: usize, x: &[f32], y: &mut [f32]) {
    #[omp::target(device(d), fp(fast))]
    for i in 0..x.len() {
        y[i] = (x[i] * 2.0 + 1.0).sqrt() / 3.0;
    }
}

#[test]
fn fast_is_near() {
    let x: Vec<f32> = (0..1000).map(|i| i as f32).collect();
    on_every_device(|d| {
        let mut y = vec![0.0; 1000];
        fast(d, &x, &mut y);
        for (x, y) in x.iter().zip(&y) {
            let want = (x * 2.0 + 1.0).sqrt() / 3.0;
            assert!((y - want).abs() <= 1e-5 * want, "{y} for {want}, device {d}");
        }
    });
}
