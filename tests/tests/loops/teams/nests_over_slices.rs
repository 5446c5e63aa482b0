//! Inner nests for the threads of a team, over slices that the outer loop gives: softmax, normalisation.
use omp_tests::on_every_device;
#[omp::offload]
fn softmax(x: &[f32], n: usize, out: &mut [f32]) {
    #[omp::target]
    for (row, o) in x.chunks_exact(n).zip(out.chunks_exact_mut(n)) {
        let mut top = f32::NEG_INFINITY;
        #[omp::parallel_for(reduction(max: top))]
        for v in row {
            top = top.max(*v);
        }
        let mut sum = 0.0f32;
        #[omp::parallel_for(reduction(+: sum))]
        for (o, v) in o.iter_mut().zip(row) {
            *o = (v - top).exp();
            sum += *o;
        }
        #[omp::parallel_for]
        for o in o.iter_mut() {
            *o /= sum;
        }
    }
}
#[omp::offload]
fn norm(x: &mut [f64], n: usize, means: &mut [f64]) {
    #[omp::target]
    for (k, (row, m)) in x.chunks_mut(n).zip(means.iter_mut()).enumerate() {
        let mut s = 0.0;
        #[omp::parallel_for(reduction(+: s))]
        for j in 0..row.len() {
            s += row[j];
        }
        *m = s / row.len() as f64;
        row[0] += k as f64;
        #[omp::parallel_for]
        for j in 0..row.len() {
            row[j] -= *m;
        }
    }
}
fn check() {
    for (r, n) in [(1usize, 1usize), (3, 7), (17, 64), (5, 1000), (0, 4), (2, 33)] {
        let x: Vec<f32> = (0..r * n).map(|i| (i * 7 % 13) as f32 * 0.3).collect();
        let mut out = vec![0.0; r * n];
        softmax(&x, n, &mut out);
        for k in 0..r {
            let row = &x[k * n..(k + 1) * n];
            let top = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let s: f64 = row.iter().map(|v| f64::from(v - top).exp()).sum();
            for j in 0..n {
                let w = f64::from(row[j] - top).exp() / s;
                assert!((f64::from(out[k * n + j]) - w).abs() < 1e-5, "{r} {n} {k} {j}");
            }
        }
        let len = (r * n).saturating_sub(n / 3);
        let mut y: Vec<f64> = (0..len).map(|i| (i * 5 % 17) as f64).collect();
        let want = y.clone();
        let rows = len.div_ceil(n);
        let mut means = vec![0.0; rows];
        norm(&mut y, n, &mut means);
        for k in 0..rows {
            let w = &want[k * n..((k + 1) * n).min(len)];
            let m = w.iter().sum::<f64>() / w.len() as f64;
            assert!((means[k] - m).abs() < 1e-9);
            for j in 0..w.len() {
                let v = w[j] + if j == 0 { k as f64 } else { 0.0 } - m;
                assert!((y[k * n + j] - v).abs() < 1e-9);
            }
        }
    }
}

#[test]
fn rows_as_slices() {
    on_every_device(|d| {
        omp::set_default_device(d);
        check();
    });
}
