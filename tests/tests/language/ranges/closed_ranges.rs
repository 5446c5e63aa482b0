//! Variables that are a `RangeInclusive`, in heads and bodies of regions.
#![allow(clippy::all, clippy::pedantic, missing_docs)]
use omp_tests::{compare, twice};
use std::ops::RangeInclusive;

twice! {
    pub fn given(d: usize, r: RangeInclusive<usize>, x: &mut [i32]) {
        #[omp::target(device(d))]
        for i in r { x[i] += 1; }
    }
    pub fn adapted(d: usize, levels: RangeInclusive<i8>, x: &mut [i32]) {
        #[omp::target(device(d))]
        for i in levels.clone().rev().step_by(2) { x[(i as i32 - *levels.start() as i32) as usize] = i as i32; }
    }
    pub fn in_bodies(d: usize, r: RangeInclusive<usize>, x: &mut [usize]) {
        #[omp::target(device(d))]
        for i in 0..x.len() {
            for k in r.clone() { x[i] += k; }
            if r.contains(&i) { x[i] += 100; }
            let r = 3;
            x[i] += r;
        }
    }
    pub fn bound(d: usize, n: usize, x: &mut [usize]) {
        let inner = 1..=n;
        #[omp::target(device(d))]
        for i in inner.clone() { x[i] += inner.end() - i; }
        let typed: RangeInclusive<usize> = (0..=n).into();
        #[omp::target(device(d))]
        for i in typed { x[i] *= 2; }
    }
}

/// A range that has been iterated to its end has no numbers.
fn exhausted() -> RangeInclusive<usize> {
    let mut r = 2..=3;
    while r.next().is_some() {}
    r
}

#[test]
fn closed_ranges() {
    for r in [0..=6, 2..=2, 5..=4, exhausted()] {
        compare!(m, d => { let mut x = vec![0; 8]; m::given(d, r.clone(), &mut x); x });
        compare!(m, d => { let mut x = vec![0; 8]; m::in_bodies(d, r.clone(), &mut x); x });
    }
    for r in [-3..=4, i8::MIN..=i8::MAX, 1..=0] {
        compare!(m, d => { let mut x = vec![0; 256]; m::adapted(d, r.clone(), &mut x); x });
    }
    for n in [0, 1, 7] {
        compare!(m, d => { let mut x = vec![1; 8]; m::bound(d, n, &mut x); x });
    }
}
