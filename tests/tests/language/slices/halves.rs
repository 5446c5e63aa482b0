//! `let (lo, hi) = x.split_at_mut(n);`, and methods of slices that move elements or look at their order.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{compare, on_every_device, panic_of, twice};

twice! {
    pub fn halves(data: &mut [u32], w: usize, h: usize) {
        #[omp::target]
        for block in data.chunks_exact_mut(w) {
            let (lo, hi) = block.split_at_mut(h);
            for (a, b) in lo.iter_mut().zip(hi) {
                let t = *b;
                *b = *a - t;
                *a = *a + t;
            }
        }
    }
    pub fn more(data: &mut [u32], w: usize) {
        #[omp::target]
        for block in data.chunks_exact_mut(w) {
            let (lo, hi) = block.split_at_mut(w / 2);
            lo[1] = hi[0] + hi.len() as u32;
            hi[1] += lo[0];
            let (a, b) = hi.split_at_mut(1);
            a[0] = b[0];
            for v in b { *v *= 3; }
        }
    }
    pub fn locals(n: usize) -> Vec<u32> {
        let mut out = vec![0; n];
        #[omp::target]
        for i in 0..n {
            let mut a = [[i as u32; 4], [1, 2, 3, 4]];
            let (x, y) = a.split_at_mut(1);
            x[0][1] = y[0][3];
            y[0][2] = x[0][0];
            x[0].swap(1, 2);
            y[0][0] = x[0][1];
            out[i] = a[0][2] * 10 + a[1][1];
        }
        out
    }
    pub fn turned(data: &mut [u32], w: usize, by: usize) -> Vec<bool> {
        let mut sorted = vec![false; data.len() / w];
        #[omp::target]
        for (row, s) in data.chunks_exact_mut(w).zip(sorted.iter_mut()) {
            row[1..].rotate_left(by);
            row[..w - 1].rotate_right(by);
            *s = row.is_sorted();
        }
        sorted
    }

    pub fn past(data: &mut [u32], w: usize, at: usize) {
        #[omp::target]
        for block in data.chunks_exact_mut(w) {
            let (lo, _hi) = block.split_at_mut(2);
            lo[at] = 7;
        }
    }
}

#[test]
fn halves_are_parts_of_the_whole() {
    compare!(m, d => {
        omp::set_default_device(d);
        let mut data: Vec<u32> = (0..64).map(|i| 1000 - i).collect();
        m::halves(&mut data, 8, 4);
        data.iter_mut().for_each(|v| *v %= 1000);
        m::more(&mut data, 8);
        (data, m::locals(9))
    });
}

#[test]
fn elements_are_rotated() {
    compare!(m, d => {
        omp::set_default_device(d);
        let mut data: Vec<u32> = (0..60).map(|i| if i < 12 { i } else { i * 7 % 23 }).collect();
        let sorted = [0, 1, 3].map(|by| m::turned(&mut data, 6, by));
        (data, sorted)
    });
}

/// A half has its own length: what lies behind it is not its own.
#[test]
fn a_subscript_past_a_half_fails() {
    on_every_device(|d| {
        omp::set_default_device(d);
        let mut data = vec![1; 12];
        device::past(&mut data, 4, 1);
        assert_eq!(data, [1, 7, 1, 1].repeat(3));
        let text = panic_of(|| device::past(&mut vec![1; 12], 4, 2)).expect("a panic");
        assert!(text.contains("index out of bounds: the len is 2 but the index is 2"), "{text}");
        device::past(&mut data, 4, 0);
    });
}
