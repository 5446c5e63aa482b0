//! CDF 9/7 wavelet of rows and columns, with periodic and mirrored borders.
use omp_tests::twice;

twice! {
    const ALPHA: f32 = -1.586134342;
    const BETA: f32 = -0.05298011854;
    const GAMMA: f32 = 0.8829110762;
    const DELTA: f32 = 0.4435068522;
    const K: f32 = 1.149604398;

    #[omp::declare_target]
    fn mirror(i: isize, n: usize) -> usize {
        let n = n as isize;
        let i = i.abs();
        (if i >= n { 2 * (n - 1) - i } else { i }) as usize
    }

    #[omp::declare_target]
    fn lift(line: &mut [f32], first: usize, w: f32) {
        let n = line.len();
        for i in (first..n).step_by(2) {
            line[i] += w * (line[mirror(i as isize - 1, n)] + line[mirror(i as isize + 1, n)]);
        }
    }

    #[omp::offload]
    fn rows(img: &mut [f32], width: usize, tmp: &mut [f32]) {
        #[omp::target]
        for (line, out) in img.chunks_mut(width).zip(tmp.chunks_mut(width)) {
            for (first, w) in [(1, ALPHA), (0, BETA), (1, GAMMA), (0, DELTA)] {
                lift(line, first, w);
            }
            let half = (width + 1) / 2;
            for (i, v) in line.iter().enumerate() {
                if i % 2 == 0 {
                    out[i / 2] = v / K;
                } else {
                    out[half + i / 2] = v * K;
                }
            }
        }
    }

    #[omp::offload]
    fn columns(img: &[f32], width: usize, height: usize, out: &mut [f32]) {
        #[omp::target]
        for x in 0..width {
            let mut col = [0.0f32; 16];
            for (y, c) in col.iter_mut().enumerate().take(height) {
                *c = img[y * width + x];
            }
            let col = &mut col[..height];
            lift(col, 1, ALPHA);
            lift(col, 0, BETA);
            lift(col, 1, GAMMA);
            lift(col, 0, DELTA);
            let (mut low, mut high) = (0, height.div_ceil(2));
            for (y, &v) in col.iter().enumerate() {
                let target = if y & 1 == 0 { low += 1; low - 1 } else { high += 1; high - 1 };
                out[target * width + x] = v;
            }
        }
    }

    pub fn run(n: usize) -> Vec<f64> {
        let (w, h) = (n.min(300) + 2, 11);
        let mut img: Vec<f32> = (0..w * h).map(|i| ((i * 31) % 256) as f32 / 16.0).collect();
        let mut tmp = vec![0.0; w * h];
        rows(&mut img, w, &mut tmp);
        let mut out = vec![0.0; w * h];
        columns(&tmp, w, h, &mut out);
        out.iter().map(|&v| v as f64).collect()
    }
}
port!(cdf97: [run(0), run(1), run(33)].map(|all| all.into_iter().map(|v| v as f32).collect::<Vec<f32>>()));
