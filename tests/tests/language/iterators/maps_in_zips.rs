//! What a loop maps inside of a `zip`, folds and copies of parts of arrays: with a directive, also where the host runs the loop as it stands, as
//! without one.
#![allow(clippy::needless_range_loop, reason = "as such loops are written")]
use omp_tests::on_every_device;

/// Loops with a directive and without.
macro_rules! both {
    ($($name:ident ($($arg:ident: $ty:ty),*) { $($loops:tt)* })*) => { $(
        mod $name {
            #[omp::offload]
            pub(super) fn device(d: usize, $($arg: $ty),*) {
                #[omp::target(device(d))]
                $($loops)*
            }

            pub(super) fn serial($($arg: $ty),*) {
                $($loops)*
            }
        }
    )* };
}

both! {
    scaled (w: &mut [f64], grad: &[f64], clip: f64) {
        for (o, g) in std::iter::zip(w.iter_mut(), grad.iter().map(|g| g * clip)) {
            *o -= g;
        }
    }
    // The subscript is checked while the loop runs.
    looked_up (w: &mut [f64], grad: &[f64], at: &[usize], clip: f64) {
        for (i, (o, g)) in std::iter::zip(w.iter_mut(), grad.iter().map(|g| g * clip)).enumerate() {
            *o -= g + grad[at[i]];
        }
    }
    with_a_const (w: &mut [f64], grad: &[f64]) {
        for (o, g) in w.iter_mut().zip(grad.iter().map(|g| g * 3.0)) {
            const SHIFT: f64 = 2.0;
            *o -= g + SHIFT;
        }
    }
    copied_within (w: &mut [f64], k: usize) {
        for i in 0..w.len() {
            let mut buf = [1.0f64, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0];
            buf.copy_within(0..=k & 3, 4);
            w[i] += buf[4] + 10.0 * buf[5] + 100.0 * buf[6] + 1000.0 * buf[7];
        }
    }
    folded (w: &mut [f64], grad: &[f64]) {
        for i in 0..w.len() {
            let mut best = w[i];
            best = grad.iter().fold(best, |m, v: &f64| m.max(*v));
            w[i] = best;
        }
    }
    moved (w: &mut [f64], grad: &[f64]) {
        for i in 0..w.len() {
            let mut sum = w[i];
            let by = 2.0;
            for (a, b) in grad.iter().zip(grad.iter().map(move |v| v * by)) {
                sum += a * b;
            }
            w[i] = sum;
        }
    }
}

#[test]
fn loops_keep_their_meaning() {
    for len in [0, 1, 37] {
        let grad: Vec<f64> = (0..len).map(|k| f64::from(k * 7 % 11) * 0.5).collect();
        let at: Vec<usize> = (0..len as usize).map(|k| (k * 5) % grad.len().max(1)).collect();
        type Run<'r> = &'r dyn Fn(Option<usize>, &mut [f64]);
        let runs: [Run<'_>; 6] = [
            &|d, w| match d {
                Some(d) => scaled::device(d, w, &grad, 0.25),
                None => scaled::serial(w, &grad, 0.25),
            },
            &|d, w| match d {
                Some(d) => looked_up::device(d, w, &grad, &at, 0.25),
                None => looked_up::serial(w, &grad, &at, 0.25),
            },
            &|d, w| match d {
                Some(d) => with_a_const::device(d, w, &grad),
                None => with_a_const::serial(w, &grad),
            },
            &|d, w| {
                (0..8).for_each(|k| match d {
                    Some(d) => copied_within::device(d, w, k),
                    None => copied_within::serial(w, k),
                });
            },
            &|d, w| match d {
                Some(d) => folded::device(d, w, &grad),
                None => folded::serial(w, &grad),
            },
            &|d, w| match d {
                Some(d) => moved::device(d, w, &grad),
                None => moved::serial(w, &grad),
            },
        ];
        for (n, run) in runs.iter().enumerate() {
            let start: Vec<f64> = (0..len).map(|k| f64::from(k) - 4.0).collect();
            let mut want = start.clone();
            run(None, &mut want);
            on_every_device(|d| {
                let mut got = start.clone();
                run(Some(d), &mut got);
                assert_eq!(got, want, "loop {n}, {len} elements, device {d}");
            });
        }
    }
}
