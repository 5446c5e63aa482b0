//! Comparisons with what `max` and `min` chose, of numbers that are kept above zero: NVIDIA's compiler took one operand for the other.
#![allow(clippy::all, clippy::pedantic)]
use omp_tests::on_every_device;

#[omp::declare_target]
fn choices(a: i32, b: i32, c: i32) -> [u8; 8] {
    let (largest, kept) = (a.max(b).max(0), a.min(b).max(0));
    let of_three = a.max(b).max(c).max(0);
    let by_hand = {
        let least = if a < b { a } else { b };
        if least > 0 { least } else { 0 }
    };
    let level = a.min(3).max(0);
    [
        u8::from(largest == b),
        u8::from(largest != a),
        u8::from((kept, 1u8) == (b, 1)),
        u8::from(kept == a),
        match of_three {
            0 => 9,
            s if s == a => 1,
            s if s == c => 2,
            _ => 3,
        },
        u8::from(by_hand == b),
        u8::from(level == 3),
        u8::from(a.clamp(0, 2) == 2),
    ]
}

#[omp::offload]
fn on_device(d: usize, x: &[[i32; 3]], y: &mut [[u8; 8]]) {
    #[omp::target(device(d))]
    for i in 0..x.len() {
        y[i] = choices(x[i][0], x[i][1], x[i][2]);
    }
}

#[test]
fn comparisons_with_what_was_chosen_are_right() {
    let x: Vec<[i32; 3]> = (0..729).map(|k| [k % 9 - 4, k / 9 % 9 - 4, k / 81 - 4]).collect();
    on_every_device(|d| {
        let mut y = vec![[0; 8]; x.len()];
        on_device(d, &x, &mut y);
        for (x, y) in x.iter().zip(&y) {
            assert_eq!(*y, choices(x[0], x[1], x[2]), "{x:?} on {d}");
        }
    });
}
