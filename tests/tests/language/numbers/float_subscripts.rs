//! Subscripts that are converted from floating-point numbers, as in images and tables that are sampled between their elements. Where clamps
//! show that they are in bounds, kernels don't check them.
#![allow(clippy::all, clippy::pedantic, missing_docs)]
use omp_tests::{compare, on_every_device, twice};

twice! {
    #[omp::declare_target]
    fn place(at: f32, last: usize) -> (usize, f32) {
        let at = at.clamp(0.0, last as f32);
        (at.floor() as usize, at - at.floor())
    }

    pub fn sampled(d: usize, x: &[f32], t: &[f32], y: &mut [f32]) {
        let last = t.len() - 1;
        #[omp::target(device(d))]
        for i in 0..y.len() {
            let (k, f) = place(x[i], last);
            let next = (k + 1).min(last);
            let far = x[i].max(-3.0).min(1.5) as i32;
            let near = ((x[i].min(last as f32) as usize).min(last), x[i] as u8);
            y[i] = t[k] * (1.0 - f) + t[next] * f + t[(far + 3) as usize] + t[near.0] + t[(near.1 & 3) as usize];
        }
    }

    pub fn doubles(d: usize, x: &[f64], t: &[[f64; 3]], y: &mut [f64]) {
        let most = (t.len() - 1) as f64;
        #[omp::target(device(d))]
        for i in 0..y.len() {
            let k = most.min(x[i].abs().sqrt()).max(0.0);
            y[i] = t[k as usize][x[i].trunc().clamp(0.0, 2.9) as usize];
        }
    }

    /// Bounds that no `i64` holds say nothing.
    pub fn unbounded(d: usize, most: u64, x: &[f64], t: &[u8], y: &mut [u8]) {
        #[omp::target(device(d))]
        for i in 0..y.len() {
            let v = x[i].min(most as f64) as u64;
            y[i] = t[(v >> 63) as usize];
        }
    }

    /// Conditions on one number are the same condition.
    pub fn twice_compared(d: usize, x: &[f32], y: &mut [f32]) {
        #[omp::target(device(d))]
        for i in 0..x.len() {
            let at = x[i].clamp(0.0, 9.0);
            let k = if at < 4.5 { i } else { i + x.len() };
            y[k] += at;
            if at < 4.5 { y[i] += 1.0; }
        }
    }

    /// What is clamped may be greater than the last number by rounding.
    pub fn rounded(d: usize, x: &[f32], t: &[u8], y: &mut [u8]) {
        let last = t.len() - 1;
        #[omp::target(device(d), map(to: x, t), map(from: y))]
        for i in 0..y.len() {
            let k = x[i].max(0.0).min(last as f32) as usize;
            y[i] = t[k];
        }
    }
}

#[test]
fn samples_between_elements() {
    compare!(m, d => {
        let odd = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -0.0, -1e-40, 1e30, 8.999_999, 9.0, 9.5, 1.5, -2.5, 300.0];
        let x: Vec<f32> = (0..90).map(|i| i as f32 / 7.0 - 2.0).chain(odd).collect();
        let t: Vec<f32> = (0..10).map(|i| (i * i) as f32).collect();
        let mut y = vec![0.0; x.len()];
        // NaN fails no clamp, and is 0 as an integer.
        m::sampled(d as _, &x, &t, &mut y);
        let z: Vec<f64> = x.iter().map(|x| f64::from(*x)).collect();
        let u: Vec<[f64; 3]> = (0..7).map(|i| [i as f64, 0.5, -1.0]).collect();
        let mut w = vec![0.0; z.len()];
        m::doubles(d as _, &z, &u, &mut w);
        // Which NaN it is, no backend promises.
        (y.iter().map(|v| (!v.is_nan()).then(|| v.to_bits())).collect::<Vec<_>>(), w)
    });
}

/// The launch knows the last number: of this one, rounding leaves it.
#[test]
fn clamps_prove_subscripts() {
    on_every_device(|d| {
        let (x, t, mut y) = (vec![f32::INFINITY, f32::NAN, -5.0, 99.5], vec![7u8; 100], vec![0u8; 4]);
        device::rounded(d, &x, &t, &mut y);
        assert_eq!(y, [7; 4]);
        assert_eq!(omp::last_region().residual_checks, 0);
        // The next number of this type after 2^24 + 2 is 2^24 + 4.
        let t = vec![7u8; (1 << 24) + 4];
        let panics = std::panic::AssertUnwindSafe(|| device::rounded(d, &x, &t, &mut y));
        let failed = std::panic::catch_unwind(panics).expect_err("it is out of bounds");
        let text = failed.downcast_ref::<String>().expect("a text");
        assert!(text.contains("16777220"), "{text}");
    });
}

#[test]
fn large_bounds_prove_nothing() {
    compare!(m, d => {
        let mut y = vec![0u8; 3];
        m::unbounded(d as _, u64::MAX, &[1e30, 1.0, -3.0], &[1, 2], &mut y);
        m::unbounded(d as _, 1 << 40, &[1e30, 1.0, -3.0], &[1], &mut y);
        y
    });
    on_every_device(|d| {
        let run = std::panic::AssertUnwindSafe(|| device::unbounded(d, u64::MAX, &[1e30], &[1], &mut [0]));
        let failed = std::panic::catch_unwind(run).expect_err("it is out of bounds");
        let text = failed.downcast_ref::<String>().expect("a text");
        assert!(text.contains("index is 1"), "{text}");
    });
}

#[test]
fn clamped_numbers_are_compared() {
    compare!(m, d => {
        let x: Vec<f32> = (0..20).map(|i| i as f32 * 0.7 - 2.0).collect();
        let mut y = vec![0.0; 40];
        m::twice_compared(d as _, &x, &mut y);
        y
    });
}
