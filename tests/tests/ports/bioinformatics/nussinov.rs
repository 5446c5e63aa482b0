//! PolyBench nussinov and deriche: base pairs of an RNA sequence, a recursive edge filter.
use omp_tests::{Values, twice};
twice! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    #[repr(u8)]
    pub enum Base { A, C, G, U }

    #[omp::declare_target]
    const fn pairs(a: Base, b: Base) -> i32 {
        use Base::*;
        match (a, b) {
            (A, U) | (U, A) | (C, G) | (G, C) => 1,
            _ => 0,
        }
    }

    pub fn nussinov(seq: &[Base]) -> Vec<i32> {
        let n = seq.len();
        let mut table = vec![0i32; n * n];
        let at = |i: usize, j: usize| i * n + j;
        for d in 1..n {
            #[omp::target(disjoint(table))]
            for i in 0..n - d {
                let j = i + d;
                let mut best = table[at(i, j - 1)].max(table[at(i + 1, j)]);
                let inner = if d > 1 { table[at(i + 1, j - 1)] } else { 0 };
                best = best.max(inner + pairs(seq[i], seq[j]));
                for k in i + 1..j {
                    best = best.max(table[at(i, k)] + table[at(k + 1, j)]);
                }
                table[at(i, j)] = best;
            }
        }
        table
    }

    #[derive(Clone, Copy, Debug)]
    pub struct Coefficients { a: [f32; 8], b1: f32, b2: f32 }

    impl Coefficients {
        pub fn new(alpha: f32) -> Self {
            let k = (1.0 - (-alpha).exp()).powi(2) / (1.0 + 2.0 * alpha * (-alpha).exp() - (2.0 * alpha).exp());
            let (a1, a2) = (k, k * (-alpha).exp() * (alpha - 1.0));
            let (a3, a4) = (k * (-alpha).exp() * (alpha + 1.0), -k * (-2.0 * alpha).exp());
            Self { a: [a1, a2, a3, a4, a1, a2, a3, a4], b1: 2f32.powf(-alpha), b2: -(-2.0 * alpha).exp() }
        }
    }

    pub fn horizontal(image: &[f32], width: usize, c: &Coefficients) -> Vec<f32> {
        let mut out = vec![0.0; image.len()];
        #[omp::target]
        for (row, out) in image.chunks_exact(width).zip(out.chunks_exact_mut(width)) {
            let (mut y1, mut y2, mut x1) = (0.0, 0.0, 0.0);
            for (o, &x) in out.iter_mut().zip(row) {
                *o = c.a[0] * x + c.a[1] * x1 + c.b1 * y1 + c.b2 * y2;
                (x1, y2, y1) = (x, y1, *o);
            }
            let (mut y1, mut y2, mut x1, mut x2) = (0.0, 0.0, 0.0, 0.0);
            for (o, &x) in out.iter_mut().zip(row).rev() {
                let y = c.a[2] * x1 + c.a[3] * x2 + c.b1 * y1 + c.b2 * y2;
                (x2, x1) = (x1, x);
                (y2, y1) = (y1, y);
                *o += y;
            }
        }
        out
    }

    pub fn run() -> (Vec<i32>, Vec<f32>) {
        let mut v = Values(5);
        let seq: Vec<Base> = (0..40).map(|_| [Base::A, Base::C, Base::G, Base::U][(v.bits() % 4) as usize]).collect();
        let image: Vec<f32> = (0..12 * 9).map(|_| (v.bits() % 256) as f32 / 255.0).collect();
        (nussinov(&seq), horizontal(&image, 12, &Coefficients::new(0.25)))
    }
}
port!(nussinov: run());
