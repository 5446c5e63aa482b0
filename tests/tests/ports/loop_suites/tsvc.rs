//! TSVC: loops with conditions, gathers and packings.
use omp_tests::{Values, twice};

twice! {
    /// s271: a loop with a singularity handled by a condition.
    pub fn s271(a: &mut [f32], b: &[f32], c: &[f32]) {
        #[omp::target]
        for ((a, &b), &c) in a.iter_mut().zip(b).zip(c) {
            if b > 0.0 {
                *a += b * c;
            }
        }
    }

    /// s341: packing.
    pub fn s341(a: &mut [f32], b: &[f32]) -> usize {
        let mut j = 0;
        #[omp::target]
        for i in 0..b.len() {
            if b[i] > 0.0 {
                a[j] = b[i];
                j += 1;
            }
        }
        j
    }

    /// s342 for two classes: positives to the one array, the rest to the other.
    pub fn partition(pos: &mut [f32], neg: &mut [f32], b: &[f32]) -> (usize, usize) {
        let (mut p, mut n) = (0, 0);
        #[omp::target]
        for &v in b {
            if v > 0.0 {
                pos[p] = v;
                p += 1;
            } else {
                neg[n] = v;
                n += 1;
            }
        }
        (p, n)
    }

    /// s4112: gather.
    pub fn s4112(a: &mut [f32], b: &[f32], ip: &[usize], s: f32) {
        #[omp::target]
        for (a, &i) in a.iter_mut().zip(ip.iter()) {
            *a += b[i] * s;
        }
    }

    /// Heads with closures: what is mapped or left out before the body.
    pub fn scaled(a: &mut [f32], hits: &mut [u32], b: &[f32]) -> f32 {
        let mut sum = 0.0;
        #[omp::target]
        for (i, v) in b.iter().map(|v| v * 2.0).enumerate() {
            a[i] = v;
        }
        #[omp::target(reduction(+: sum))]
        for (i, v) in b.iter().enumerate().filter(|(i, _)| i % 3 == 1) {
            hits[i] += 1;
            sum += *v;
        }
        #[omp::target]
        for i in (0..hits.len()).filter(|i| i % 2 == 0) {
            hits[i] += 10;
        }
        sum
    }

    /// s3113: the largest absolute value.
    pub fn s3113(a: &[f32]) -> f32 {
        let mut max = a[0].abs();
        #[omp::target(reduction(max: max))]
        for v in a {
            if v.abs() > max {
                max = v.abs();
            }
        }
        max
    }

    pub fn run() -> (Vec<Vec<f32>>, (f32, Vec<u32>, f32), [usize; 3]) {
        let mut v = Values(2);
        let mut values = || (0..300).map(|_| v.bits() as f32 / 1e9 - 2.0).collect::<Vec<f32>>();
        let (mut a, b, c) = (values(), values(), values());
        let mut packed = vec![0.0; 300];
        let (mut pos, mut neg) = (vec![0.0; 300], vec![0.0; 300]);
        s271(&mut a, &b, &c);
        let n = s341(&mut packed, &b);
        let (p, q) = partition(&mut pos, &mut neg, &c);
        let ip: Vec<usize> = (0..300).map(|i| i * 7 % 300).collect();
        s4112(&mut a, &b, &ip, 0.5);
        let m = s3113(&a);
        let mut hits = vec![0; 300];
        let sum = scaled(&mut a, &mut hits, &b);
        (vec![a, packed, pos, neg], (m, hits, sum), [n, p, q])
    }
}
port!(tsvc: run());
