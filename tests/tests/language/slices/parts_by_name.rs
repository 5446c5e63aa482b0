//! Arrays that the host's code takes from others, in loops and by halves, and that bodies iterate by their names.
#![allow(unused_qualifications, clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::on_every_device;

#[derive(Clone, Copy, omp::Device)]
struct A {
    x: f32,
}
#[omp::offload]
fn one(d: usize, atoms: &[A], y: &mut [f32]) {
    for block in atoms.chunks(3) {
        #[omp::target(device(d), map(to: block))]
        for v in y.iter_mut() {
            for a in block {
                *v += a.x;
            }
        }
    }
}
#[omp::offload]
fn two(d: usize, atoms: &[A], y: &mut [f32]) {
    for block in atoms.chunks(3) {
        #[omp::target(device(d))]
        for v in y.iter_mut() {
            for a in block.iter() {
                *v += a.x;
            }
        }
    }
}
#[omp::offload]
fn three(d: usize, atoms: &[A], y: &mut [f32]) {
    let mut at = atoms;
    while let Some((block, rest)) = at.split_at_checked(2) {
        #[omp::target(device(d))]
        for v in y.iter_mut() {
            let mut s = 0.0;
            for a in block {
                s += a.x;
            }
            *v += s;
        }
        at = rest;
    }
}
#[omp::offload]
fn four(d: usize, atoms: &[A], y: &mut [f32]) {
    atoms.chunks(3).for_each(|block| {
        #[omp::target(device(d))]
        for v in y.iter_mut() {
            for (k, a) in block.iter().enumerate() {
                *v += a.x * k as f32;
            }
        }
    });
}

#[omp::offload]
fn five(d: usize, atoms: &[A], y: &mut [f32]) {
    let (front, back) = atoms.split_at(4);
    for (k, (block, pair)) in atoms.chunks_exact(2).zip(atoms.windows(2)).enumerate().skip(1) {
        #[omp::target(device(d))]
        for v in y.iter_mut() {
            for (a, b) in block.iter().zip(pair) {
                *v += a.x * b.x + k as f32;
            }
            for a in front {
                *v += a.x;
            }
            for a in back {
                *v -= a.x;
            }
        }
    }
}

#[test]
fn parts_are_iterated_by_name() {
    let a: Vec<A> = (0..10).map(|k| A { x: k as f32 }).collect();
    on_every_device(|d| {
        let mut y = vec![0.0; 5];
        one(d, &a, &mut y);
        assert_eq!(y, [45.0; 5]);
        two(d, &a, &mut y);
        assert_eq!(y, [90.0; 5]);
        three(d, &a, &mut y);
        assert_eq!(y, [135.0; 5]);
        four(d, &a, &mut y);
        let all: f32 = a.chunks(3).flat_map(|c| c.iter().enumerate()).map(|(k, a)| a.x * k as f32).sum();
        assert_eq!(y, [135.0 + all; 5]);
        let mut y = vec![0.0; 3];
        five(d, &a, &mut y);
        let mut want = 0.0;
        for (k, (c, w)) in a.chunks_exact(2).zip(a.windows(2)).enumerate().skip(1) {
            want += c.iter().zip(w).map(|(a, b)| a.x * b.x + k as f32).sum::<f32>();
            want += 6.0 - 39.0;
        }
        assert_eq!(y, [want; 3], "on {d}");
    });
}
