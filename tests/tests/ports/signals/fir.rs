//! DSP: FIR filters, autocorrelation, decimation, peaks, a median of three.
use omp_tests::twice;

twice! {
    pub fn fir(y: &mut [f32], x: &[f32], taps: &[f32]) {
        #[omp::target]
        for (y, window) in y.iter_mut().zip(x.windows(taps.len())) {
            *y = window.iter().rev().zip(taps).map(|(a, b)| a * b).sum();
        }
    }

    pub fn autocorrelation(out: &mut [f32], x: &[f32]) {
        #[omp::target]
        for k in 0..out.len() {
            let n = x.len() - k;
            out[k] = x[..n].iter().zip(&x[k..]).map(|(a, b)| a * b).sum::<f32>() / n as f32;
        }
    }

    pub fn decimate(out: &mut [f32], x: &[f32], by: usize) {
        #[omp::target]
        for (o, v) in out.iter_mut().zip(x.iter().step_by(by)) {
            *o = *v;
        }
    }

    pub fn peaks(x: &[f32], at: &mut [usize]) -> usize {
        let mut n = 0;
        #[omp::scan(+)]
        for i in 1..x.len() - 1 {
            if x[i] > x[i - 1] && x[i] >= x[i + 1] {
                at[n] = i;
                n += 1;
            }
        }
        n
    }

    pub fn overlap_add(out: &mut [f32], frames: &[f32], size: usize, hop: usize) {
        let count = frames.len() / size;
        #[omp::target]
        for (i, o) in out.iter_mut().enumerate() {
            *o = (0..count)
                .filter(|f| (f * hop..f * hop + size).contains(&i))
                .map(|f| frames[f * size + i - f * hop])
                .sum();
        }
    }

    pub fn edges(y: &mut [f32], x: &[f32]) {
        let n = x.len();
        #[omp::target]
        for i in 0..n {
            let left = x[..i].iter().rev().take(2);
            let around = left.chain(x[i..].iter().take(3));
            y[i] = around.copied().fold(f32::MIN, f32::max);
        }
    }

    pub fn run() -> (Vec<Vec<f32>>, usize) {
        let x: Vec<f32> = (0..200).map(|i| (i as f32 * 0.3).sin() + (i % 7) as f32 * 0.1).collect();
        let mut y = vec![0.0; 193];
        fir(&mut y, &x, &[0.1, 0.2, 0.4, 0.2, 0.1, -0.1, 0.05, 0.05]);
        let (mut a, mut d, mut o, mut e) = (vec![0.0; 20], vec![0.0; 50], vec![0.0; 100], vec![0.0; 200]);
        autocorrelation(&mut a, &x);
        decimate(&mut d, &x, 4);
        overlap_add(&mut o, &x[..192], 32, 16);
        edges(&mut e, &x);
        let mut at = vec![0; 200];
        let n = peaks(&x, &mut at);
        (vec![y, a, d, o, e], n * 1000 + at[3])
    }
}
port!(fir: run());
