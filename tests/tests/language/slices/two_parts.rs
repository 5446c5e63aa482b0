//! `split_first` and `split_last` before `else`, with patterns that compare the element at the end.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{compare, twice};

twice! {
    #[omp::declare_target]
    fn from(line: &[u8]) -> u32 {
        let Some((b'$', rest)) = line.split_first() else { return 1000 };
        rest.len() as u32
    }
    #[omp::declare_target]
    fn by_reference(line: &[u8]) -> u32 {
        let Some((&b'$', rest)) = line.split_first() else { return 1000 };
        rest.len() as u32
    }
    #[omp::declare_target]
    fn chosen(line: &[u8]) -> u32 {
        if let Some((b'$', rest)) = line.split_first() { rest.len() as u32 } else { 1000 }
    }
    #[omp::declare_target]
    fn up(line: &[u8]) -> u32 {
        let Some((q @ b'b'.., rest)) = line.split_last() else { return 1000 };
        *q as u32 + rest.len() as u32
    }
    #[omp::offload]
    pub fn f1(x: &[u8], out: &mut [u32]) {
        #[omp::target]
        for (i, o) in out.iter_mut().enumerate() {
            let part = &x[i..x.len().min(i + 8)];
            *o = from(part) + 3 * by_reference(part) + 5 * chosen(part) + 7 * up(part);
        }
    }
    pub fn run() -> Vec<u32> {
        let mut out = vec![0; 17];
        f1(b"abc$d-zzz$bqabzz", &mut out);
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
