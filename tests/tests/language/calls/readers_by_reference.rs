//! Methods of device types that take a struct with a lifetime.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{compare, twice};

twice! {
    pub struct Reader<'a> { bytes: &'a [u8], at: usize }
    #[omp::offload]
    impl<'a> Reader<'a> {
        fn next(&mut self) -> Option<u8> { let b = self.bytes.get(self.at).copied()?; self.at += 1; Some(b) }
    }
    #[derive(Clone, Copy, Debug, PartialEq, Default, omp::Device)]
    pub struct State { sum: u32, count: u16 }
    #[omp::declare_target]
    impl State {
        fn feed(&mut self, r: &mut Reader<'_>) -> bool {
            let Some(b) = r.next() else { return false };
            self.sum += b as u32;
            self.count += 1;
            true
        }
        fn read<'a>(r: &mut Reader<'a>, by: u32) -> State {
            let mut s = State { sum: by, count: 0 };
            while s.feed(r) {}
            s
        }
        fn peek(&self, r: &Reader) -> u32 { self.sum + r.at as u32 }
    }
    pub fn run(data: &[u8], w: usize, out: &mut [State]) {
        #[omp::target]
        for i in 0..out.len() {
            let mut r = Reader { bytes: &data[i * w..(i + 1) * w], at: 0 };
            let mut s = State::default();
            while s.feed(&mut r) {
                if s.sum > 200 { break; }
            }
            s.sum += s.peek(&r);
            let t = State::read(&mut r, 4);
            s.sum += t.sum * 1000;
            out[i] = s;
        }
    }
}
#[test]
fn reader() {
    for n in [0usize, 1, 6] {
        compare!(m, d => { omp::set_default_device(d);
            let data: Vec<u8> = (0..n * 7).map(|i| (i * 11) as u8).collect();
            let mut out = vec![m::State::default(); n];
            m::run(&data, 7, &mut out);
            format!("{out:?}") });
    }
}
