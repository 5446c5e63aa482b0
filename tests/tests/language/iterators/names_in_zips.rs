//! `zip` with an array by its name, after an adaptor that gives several items for one.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{compare, twice};

twice! {
    #[omp::offload]
    pub fn f1(x: &[u8], y: &[i16], out: &mut [i64], bytes: &mut [u8]) {
        #[omp::target]
        for ((block, part), o) in y.chunks_exact(8).zip(x.chunks_exact(4)).zip(out.iter_mut()) {
            *o = part.iter().flat_map(|b| [b & 15, b >> 4]).zip(block).map(|(n, &s)| n as i64 * s as i64).sum();
        }
        #[omp::target]
        for ((block, part), o) in y.chunks_exact(8).zip(x.chunks_exact(4)).zip(out.iter_mut()) {
            *o += part.iter().flat_map(|b| [b & 15, b >> 4]).zip(block.iter()).map(|(n, &s)| n as i64 * s as i64).sum::<i64>();
        }
        #[omp::target]
        for (i, o) in out.iter_mut().enumerate() {
            let block = &y[i..];
            for (n, s) in x.iter().flat_map(|b| [b & 15, b >> 4]).zip(block) { *o += n as i64 * *s as i64; }
        }
    }
    pub fn run() -> Vec<i64> {
        let x: Vec<u8> = (0..16).map(|k| k * 13).collect();
        let y: Vec<i16> = (0..32).map(|k| k * 3 - 9).collect();
        let mut out = vec![0; 4];
        f1(&x, &y, &mut out, &mut []);
        out
    }
}

#[test]
fn as_without_directives() {
    compare!(m, d => {
        omp::set_default_device(d);
        m::run()
    });
}
