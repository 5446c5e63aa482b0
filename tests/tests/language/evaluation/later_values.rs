//! Variables that get their value later, and functions that end without an expression.
#![allow(clippy::needless_return, clippy::needless_late_init, reason = "every spelling on purpose")]
use omp_tests::on_every_device;

#[omp::declare_target]
fn returned(x: i32) -> i32 {
    if x > 3 {
        return 7;
    }
    return x;
}

#[omp::declare_target]
fn nested(x: i32) -> f32 {
    #[allow(clippy::let_and_return, reason = "the type of the variable is looked for")]
    let v = match x {
        0 => 1.0,
        1 => {
            if x > 0 {
                2.0
            } else {
                3.0
            }
        }
        _ if x > 5 => 9.0,
        _ => 8.5,
    };
    v
}

#[omp::offload]
fn later(d: usize, y: &mut [f32]) {
    #[omp::target(device(d))]
    for i in 0..y.len() {
        let v;
        let (a, b): (f32, f32);
        if i % 2 == 0 {
            v = 1.0;
            (a, b) = (1.0, 2.0);
        } else {
            v = 2.5;
            a = 4.0;
            b = 8.0;
        }
        y[i] = v + a * b + 100.0 * returned(i as i32) as f32 + 1000.0 * nested(i as i32);
    }
}

#[test]
fn values_that_come_later() {
    on_every_device(|d| {
        let mut y = vec![0.0; 7];
        later(d, &mut y);
        let want = (0..7)
            .map(|i| (if i % 2 == 0 { 3.0 } else { 34.5 }) + 100.0 * returned(i) as f32 + 1000.0 * nested(i));
        assert_eq!(y, want.collect::<Vec<_>>());
    });
}
