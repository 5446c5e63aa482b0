//! Parboil's MRI-Q and SPEC ACCEL's stencils and `ep`: boxed slices, `Arc`s, nested arrays, a generator as a closure.
use omp_tests::twice;
use std::sync::Arc;

twice! {
    #[derive(Clone, Copy, omp::Device)]
    pub struct KValue { kx: f32, ky: f32, kz: f32, phi_mag: f32 }

    pub fn compute_q(k_vals: &[KValue], x: &[f32], y: &[f32], z: &[f32], qr: &mut [f32], qi: &mut [f32]) {
        const PIX2: f32 = 6.283_185_5;
        #[omp::target]
        for ((((&x, &y), &z), qr), qi) in x.iter().zip(y).zip(z).zip(qr.iter_mut()).zip(qi.iter_mut()) {
            let (r, i) = k_vals.iter().fold((0.0, 0.0), |(r, i), k| {
                let exp_arg = PIX2 * (k.kx * x + k.ky * y + k.kz * z);
                (r + k.phi_mag * exp_arg.cos(), i + k.phi_mag * exp_arg.sin())
            });
            *qr += r;
            *qi += i;
        }
    }

    pub fn heat(old: &[[f64; 16]; 12], new: &mut [[f64; 16]; 12]) {
        #[omp::target(collapse(2))]
        for i in 1..11 {
            for j in 1..15 {
                new[i][j] = old[i][j] + 0.1 * (old[i - 1][j] + old[i + 1][j] + old[i][j - 1] + old[i][j + 1] - 4.0 * old[i][j]);
            }
        }
    }

    pub fn dot(a: &Arc<Vec<f64>>, b: &Arc<Vec<f64>>) -> f64 {
        let mut s = 0.0;
        #[omp::target(reduction(+: s))]
        for i in 0..a.len() {
            s += a[i] * b[i];
        }
        s
    }

    pub fn rows(table: &Box<[[f32; 3]]>, out: &mut [f32]) {
        #[omp::target]
        for (o, row) in out.iter_mut().zip(table.iter()) {
            *o = row.iter().sum();
        }
    }

    pub fn ep(batches: usize) -> ([u32; 10], f64, f64) {
        let mut q = [0u32; 10];
        let (mut sx, mut sy) = (0.0, 0.0);
        #[omp::target(reduction(+: q, sx, sy))]
        for k in 0..batches {
            let mut seed = 271828183u64.wrapping_add(k as u64 * 1220703125);
            let mut randlc = || {
                seed = seed.wrapping_mul(1220703125) & ((1 << 46) - 1);
                seed as f64 * 0.5f64.powi(46)
            };
            for _ in 0..32 {
                let x1 = 2.0 * randlc() - 1.0;
                let x2 = 2.0 * randlc() - 1.0;
                let t1 = x1 * x1 + x2 * x2;
                if t1 <= 1.0 {
                    let t2 = (-2.0 * t1.ln() / t1).sqrt();
                    let (t3, t4) = (x1 * t2, x2 * t2);
                    let l = t3.abs().max(t4.abs()) as usize;
                    q[l] += 1;
                    sx += t3;
                    sy += t4;
                }
            }
        }
        (q, sx, sy)
    }

    pub fn run() -> (Vec<f32>, Vec<f64>, Vec<u32>) {
        let k: Vec<KValue> = (0..20).map(|i| KValue { kx: i as f32 * 0.01, ky: 0.02, kz: -0.01 * i as f32, phi_mag: 1.0 / (1 + i) as f32 }).collect();
        let c = |s: f32| (0..30).map(|i| (i as f32 * s) % 2.0).collect::<Vec<f32>>();
        let (mut qr, mut qi) = (vec![0.0; 30], vec![0.0; 30]);
        compute_q(&k, &c(0.3), &c(0.7), &c(0.9), &mut qr, &mut qi);
        let old = Box::new(std::array::from_fn(|i| std::array::from_fn(|j| (i * j) as f64)));
        let mut new = old.clone();
        heat(&old, &mut new);
        let v = Arc::new((0..40).map(f64::from).collect::<Vec<f64>>());
        let table: Box<[[f32; 3]]> = (0..10).map(|i| [i as f32, 1.0, 2.0]).collect();
        let mut sums = vec![0.0; 10];
        rows(&table, &mut sums);
        let (q, sx, sy) = ep(64);
        (vec![qr, qi, sums].concat(), new.concat().into_iter().chain([dot(&v, &v), sx, sy]).collect(), q.to_vec())
    }
}
port!(mri: run());
