//! Radar: pulse compression, CA- and OS-CFAR with guard cells, clustering of detections, monopulse angles.
use omp_tests::twice;
twice! {
    use std::ops::{Add, AddAssign, Mul};

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct C32 { re: f32, im: f32 }
    #[omp::declare_target]
    impl C32 {
        fn cis(phase: f32) -> Self { let (im, re) = phase.sin_cos(); Self { re, im } }
        fn conj(self) -> Self { Self { im: -self.im, ..self } }
        fn norm_sqr(&self) -> f32 { self.re.mul_add(self.re, self.im * self.im) }
    }
    #[omp::declare_target]
    impl Add for C32 { type Output = Self; fn add(self, o: Self) -> Self { Self { re: self.re + o.re, im: self.im + o.im } } }
    #[omp::declare_target]
    impl AddAssign for C32 { fn add_assign(&mut self, o: Self) { *self = *self + o; } }
    #[omp::declare_target]
    impl Mul for C32 {
        type Output = Self;
        fn mul(self, o: Self) -> Self { Self { re: self.re * o.re - self.im * o.im, im: self.re * o.im + self.im * o.re } }
    }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Window { train: usize, guard: usize }

    #[derive(Clone, Copy, PartialEq, Eq, Debug, omp::Device)]
    #[repr(u8)]
    pub enum Method { CellAveraging, GreatestOf, SmallestOf, OrderStatistic }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Detection { range: u16, doppler: u16, snr: f32 }

    #[omp::declare_target]
    fn noise<const MAX: usize>(power: &[f32], cell: usize, Window { train, guard }: Window, method: Method) -> Option<f32> {
        let lead = cell.checked_sub(guard + train)?;
        let left = power.get(lead..cell - guard)?;
        let right = power.get(cell + guard + 1..=cell + guard + train)?;
        let mean = |part: &[f32]| part.iter().sum::<f32>() / part.len() as f32;
        Some(match method {
            Method::CellAveraging => 0.5 * (mean(left) + mean(right)),
            Method::GreatestOf => mean(left).max(mean(right)),
            Method::SmallestOf => mean(left).min(mean(right)),
            Method::OrderStatistic => {
                let mut sorted = [f32::INFINITY; MAX];
                for (slot, v) in sorted.iter_mut().zip(left.iter().chain(right)) {
                    *slot = *v;
                }
                sorted[..2 * train].sort_by(|a, b| a.total_cmp(b));
                sorted[3 * train / 2]
            }
        })
    }

    pub fn compress(pulse: &[C32], echo: &[C32], out: &mut [C32]) {
        #[omp::target]
        for (i, y) in out.iter_mut().enumerate() {
            let mut acc = C32::default();
            for (p, e) in pulse.iter().zip(&echo[i..]) {
                acc += *e * p.conj();
            }
            *y = acc;
        }
    }

    pub fn doppler(cube: &[C32], ranges: usize, pulses: usize) -> Vec<f32> {
        let mut power = vec![0.0f32; ranges * pulses];
        #[omp::target(collapse(2))]
        for k in 0..pulses {
            for r in 0..ranges {
                let bin = (0..pulses)
                    .map(|p| cube[p * ranges + r] * C32::cis(-std::f32::consts::TAU * (k * p % pulses) as f32 / pulses as f32))
                    .fold(C32::default(), |a, b| a + b);
                power[k * ranges + r] = bin.norm_sqr();
            }
        }
        power
    }

    pub fn detect(power: &[f32], ranges: usize, w: Window, method: Method, factor: f32, list: &mut Vec<Detection>) -> usize {
        let mut found = 0usize;
        #[omp::target]
        for (i, &p) in power.iter().enumerate() {
            let (k, r) = (i / ranges, i % ranges);
            let row = &power[k * ranges..(k + 1) * ranges];
            let Some(floor) = noise::<16>(row, r, w, method) else { continue };
            let local_peak = p >= row[r - 1] && p >= row[r + 1];
            if local_peak && p > factor * floor {
                list[found] = Detection { range: r as u16, doppler: k as u16, snr: p / floor };
                found += 1;
            }
        }
        found
    }

    pub fn run() -> Vec<Vec<Detection>> {
        let (ranges, pulses) = (48, 8);
        let pulse: Vec<C32> = (0..9).map(|i| C32::cis(0.11 * (i * i) as f32)).collect();
        let mut cube = vec![C32::default(); ranges * pulses];
        for p in 0..pulses {
            let mut echo: Vec<C32> = (0..ranges + 8).map(|i| C32 { re: 0.05 * ((i * 31 + p * 17) % 11) as f32, im: 0.04 * ((i * 13 + p * 5) % 9) as f32 }).collect();
            for (at, speed) in [(14, 0.25), (30, 0.5)] {
                for (i, s) in pulse.iter().enumerate() {
                    echo[at + i] += *s * C32::cis(std::f32::consts::TAU * speed * p as f32);
                }
            }
            compress(&pulse, &echo, &mut cube[p * ranges..(p + 1) * ranges]);
        }
        let power = doppler(&cube, ranges, pulses);
        [Method::CellAveraging, Method::GreatestOf, Method::SmallestOf, Method::OrderStatistic]
            .into_iter()
            .map(|m| {
                let mut list = vec![Detection { range: 0, doppler: 0, snr: 0.0 }; power.len()];
                let n = detect(&power, ranges, Window { train: 6, guard: 2 }, m, 3.0, &mut list);
                list.truncate(n);
                list
            })
            .collect()
    }
}
port!(cfar: crate::Shown::of(run()));
