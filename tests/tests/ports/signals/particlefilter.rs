//! Rodinia particlefilter: likelihoods on a video frame, weights, systematic resampling.
use omp_tests::{Values, twice};

twice! {
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Estimate { x: f64, y: f64 }

    pub struct Particles { x: Vec<f64>, y: Vec<f64>, weights: Vec<f64>, seed: Vec<i64> }

    const A: i64 = 1103515245;
    const C: i64 = 12345;
    const M: i64 = i32::MAX as i64;

    #[omp::declare_target]
    fn randu(seed: &mut [i64], index: usize) -> f64 {
        let num = A * seed[index] + C;
        seed[index] = num % M;
        (seed[index] as f64 / M as f64).abs()
    }

    #[omp::declare_target]
    fn randn(seed: &mut [i64], index: usize) -> f64 {
        let u = randu(seed, index);
        let v = randu(seed, index);
        let cosine = (2.0 * std::f64::consts::PI * v).cos();
        let rt = -2.0 * u.ln();
        rt.sqrt() * cosine
    }

    #[omp::declare_target]
    fn round_double(value: f64) -> f64 {
        let new_value = value as i32 as f64;
        if value - new_value < 0.5 { new_value } else { new_value + 1.0 }
    }

    #[omp::declare_target]
    fn find_index(cdf: &[f64], value: f64) -> Option<usize> {
        let mut low = 0;
        let mut high = cdf.len();
        while low < high {
            let mid = (low + high) / 2;
            if cdf[mid] >= value { high = mid } else { low = mid + 1 }
        }
        if low == cdf.len() { None } else { Some(low) }
    }

    pub fn particle_filter(frames: &[u8], iszx: usize, iszy: usize, p: &mut Particles, disk: &[(i32, i32)]) -> Vec<Estimate> {
        let n = p.x.len();
        let nfr = frames.len() / (iszx * iszy);
        let mut estimates = Vec::with_capacity(nfr);
        for k in 1..nfr {
            let frame = &frames[k * iszx * iszy..(k + 1) * iszx * iszy];
            let Particles { x: array_x, y: array_y, weights, seed } = p;
            #[omp::target]
            for i in 0..n {
                array_x[i] += 1.0 + 5.0 * randn(seed, i);
                array_y[i] += -2.0 + 2.0 * randn(seed, i);
            }
            let mut likelihood = vec![0.0; n];
            #[omp::target]
            for i in 0..n {
                let mut sum = 0.0;
                for &(dy, dx) in disk {
                    let ind_x = round_double(array_x[i]) as i64 + dx as i64;
                    let ind_y = round_double(array_y[i]) as i64 + dy as i64;
                    let mut index = (ind_x * iszy as i64 + ind_y).unsigned_abs() as usize;
                    if index >= iszx * iszy {
                        index = 0;
                    }
                    let intensity = frame[index] as f64;
                    sum += ((intensity - 100.0).powi(2) - (intensity - 228.0).powi(2)) / 50.0;
                }
                likelihood[i] = sum / disk.len() as f64 / 300.0;
            }
            let mut sum_weights = 0.0;
            #[omp::target(reduction(+: sum_weights))]
            for i in 0..n {
                weights[i] *= likelihood[i].exp();
                sum_weights += weights[i];
            }
            let (mut xe, mut ye) = (0.0, 0.0);
            #[omp::target(reduction(+: xe, ye))]
            for ((w, x), y) in weights.iter_mut().zip(array_x.iter()).zip(array_y.iter()) {
                *w /= sum_weights;
                xe += x * *w;
                ye += y * *w;
            }
            estimates.push(Estimate { x: xe, y: ye });
            let mut cdf = weights.clone();
            #[omp::scan(+)]
            for i in 1..n {
                cdf[i] += cdf[i - 1];
            }
            let u1 = 0.37 / n as f64;
            let mut xj = vec![0.0; n];
            let mut yj = vec![0.0; n];
            #[omp::target]
            for j in 0..n {
                let u = u1 + j as f64 / n as f64;
                let i = find_index(&cdf, u).unwrap_or(n - 1);
                xj[j] = array_x[i];
                yj[j] = array_y[i];
            }
            p.x = xj;
            p.y = yj;
            p.weights.fill(1.0 / n as f64);
        }
        estimates
    }

    pub fn run() -> Vec<(f64, f64)> {
        let (iszx, iszy, nfr, n) = (16, 16, 4, 50);
        let mut v = Values(88);
        let frames: Vec<u8> = (0..iszx * iszy * nfr).map(|_| (v.bits() % 250) as u8).collect();
        let disk = [(-1, 0), (0, -1), (0, 0), (0, 1), (1, 0)];
        let mut p = Particles { x: vec![7.0; n], y: vec![9.0; n], weights: vec![1.0 / n as f64; n], seed: (0..n as i64).map(|i| 1234567 * (i + 1)).collect() };
        particle_filter(&frames, iszx, iszy, &mut p, &disk).iter().map(|e| (e.x, e.y)).collect()
    }
}
port!(particlefilter: run());
