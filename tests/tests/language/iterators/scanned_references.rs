//! `scan` whose closure gives references with the item: `|sum, t| { *sum += t.len; Some((*sum, t)) }`.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{on_every_device, twice};

twice! {
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct T { start: usize, len: usize, mute: bool, pan: [f32; 2] }
    #[omp::declare_target] impl T { fn gain(&self) -> f32 { self.pan[0] + self.pan[1] } }
    pub fn mk(k: usize) -> T { T { start: k * 2, len: 3 + k % 4, mute: k % 3 == 1, pan: [0.5, k as f32] } }
    pub fn run(tracks: &[T], out: &mut [f32]) {
        #[omp::target]
        for (frame, o) in out.iter_mut().enumerate() {
            *o = tracks.iter().scan(0usize, |offset, t| { let base = *offset; *offset += t.len; Some((base, t)) })
                .filter(|(_, t)| !t.mute && (t.start..t.start + t.len).contains(&frame))
                .map(|(base, t)| t.gain() * (base + frame) as f32).fold(0.0, |a, b| a + b);
            let n = tracks.iter().scan(2usize, |left, t| { if *left == 0 { return None; } *left -= t.mute as usize; Some(t) }).map(|t| t.len).sum::<usize>();
            *o += n as f32;
            let m = tracks.iter().scan(0, |state, t| { *state += t.len; (*state < 20).then_some(*state) }).max().unwrap_or(0);
            let k = tracks.iter().scan(3usize, |s, t| { let d = s.checked_sub(t.len % 3)?; *s = d; Some(d) }).count();
            let p: usize = (0..frame).scan(1, |s, i| { *s *= 2; if *s > 64 { None } else { Some(*s + i) } }).sum();
            *o += (m + k + p) as f32;
        }
    }
}

#[test]
fn references() {
    on_every_device(|d| {
        omp::set_default_device(d);
        for n in [6, 1] {
            let (mut got, mut want) = ([0.0; 19], [0.0; 19]);
            device::run(&(0..n).map(device::mk).collect::<Vec<_>>(), &mut got);
            plain::run(&(0..n).map(plain::mk).collect::<Vec<_>>(), &mut want);
            assert_eq!(got, want, "device {d}");
        }
    });
}
