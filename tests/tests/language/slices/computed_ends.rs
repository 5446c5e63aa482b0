//! Methods and functions that return slices, with arguments that are computed where they are called.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{compare, twice};

twice! {
    pub struct Kernel<'a> { taps: &'a [f32], support: usize }
    #[omp::declare_target]
    impl Kernel<'_> {
        fn row(&self, frac: f32) -> &[f32] {
            let phase = (frac * 4.0) as usize;
            &self.taps[phase * self.support..][..self.support]
        }
    }
    pub struct Grid { w: usize, data: Vec<f32> }
    #[omp::declare_target]
    impl Grid {
        fn cut(&self, frac: f32, n: usize) -> &[f32] {
            let from = (frac * 4.0) as usize;
            &self.data[from * self.w..from * self.w + n]
        }
    }
    #[omp::declare_target]
    fn part(x: &[f32], at: f32, n: usize) -> &[f32] {
        let from = at as usize;
        &x[from..from + n]
    }
    #[omp::declare_target]
    fn next(seed: &mut u32) -> u32 { *seed = seed.wrapping_mul(7).wrapping_add(3) % 11; *seed }
    #[omp::offload]
    pub fn f1(kernel: &Kernel, grid: &Grid, x: &[f32], out: &mut [f32]) {
        #[omp::target]
        for (i, o) in out.iter_mut().enumerate() {
            let (ku, kv) = (kernel.row(x[i].fract()), kernel.row((x[i] * 0.7).sin().abs()));
            *o = ku.iter().zip(kv).map(|(a, b)| a * b).sum();
            let g = grid.cut(x[i].cos().abs(), i % 3);
            *o += g.iter().sum::<f32>();
            let mut seed = i as u32;
            let p = part(x, next(&mut seed) as f32 / 4.0, 2);
            *o += p[1] + 100.0 * seed as f32;
            let q = part(x, { seed += 1; seed as f32 % 2.0 }, seed as usize % 2);
            *o += q.len() as f32 + 10000.0 * seed as f32;
        }
    }
    pub fn run() -> Vec<f32> {
        let taps: Vec<f32> = (0..16).map(|k| k as f32).collect();
        let mut out = vec![0.0; 5];
        f1(&Kernel { taps: &taps, support: 3 }, &Grid { w: 2, data: taps.clone() }, &[0.1, 1.3, 2.6, 7.9, 1.1], &mut out);
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
