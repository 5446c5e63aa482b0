//! The length of an element that is an array does not depend on its values: `map(from: …)` allows it before they are written.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{compare, twice};

twice! {
    #[omp::offload]
    pub fn f1(x: &[u8], packed: &mut [[u8; 6]], p2: &mut [[u8; 6]]) {
        #[omp::target(map(from: packed))]
        for (i, bytes) in packed.iter_mut().enumerate() {
            for b in bytes.chunks_exact_mut(3) {
                b[0] = 3; b[1] = 5; b[2] = i as u8;
            }
        }
        #[omp::target(map(from: packed))]
        for (i, bytes) in packed.iter_mut().enumerate() {
            for (k, b) in bytes.chunks_exact_mut(3).enumerate() {
                b.copy_from_slice(&[x[0], x[1] + i as u8, k as u8]);
            }
        }
        #[omp::target(map(from: packed))]
        for (i, bytes) in packed.iter_mut().enumerate() {
            for (v, b) in x.chunks_exact(2).zip(bytes.chunks_exact_mut(3)) {
                b[0] = v[0]; b[1] = v[1]; b[2] = i as u8;
            }
        }
        #[omp::target(map(from: packed))]
        for (i, bytes) in packed.iter_mut().enumerate() {
            for (v, b) in x.iter().zip(bytes.iter_mut().rev()) {
                *b = *v;
            }
        }
        #[omp::target(map(from: packed))]
        for (i, bytes) in packed.iter_mut().enumerate() {
            let n = bytes.len();
            for k in 0..n / 3 {
                bytes[3 * k..][..3].copy_from_slice(&[x[0], x[1] + i as u8, k as u8]);
            }
        }
    }
    pub fn run() -> (Vec<[u8; 6]>, Vec<[u8; 6]>) {
        let mut out = vec![[7; 6]; 5];
        let mut p2 = out.clone();
        f1(b"abcdef", &mut out, &mut p2);
        (out, p2)
    }
}

#[test]
fn as_without_directives() {
    compare!(m, d => {
        omp::set_default_device(d);
        m::run()
    });
}

#[omp::offload]
fn beyond(rows: &[[u8; 6]], out: &mut [usize]) {
    #[omp::target(map(to: rows))]
    for i in 0..out.len() {
        out[i] = rows[i + 1].len();
    }
}

#[test]
fn an_element_that_is_not_there_has_no_length() {
    omp_tests::on_every_device(|d| {
        omp::set_default_device(d);
        let mut out = [0; 4];
        beyond(&[[1; 6]; 5], &mut out);
        assert_eq!(out, [6; 4]);
        let failure = omp_tests::panic_of(|| beyond(&[[1; 6]; 4], &mut [0; 4])).unwrap_or_default();
        assert!(failure.contains('4'), "device {d}: {failure}");
    });
}
