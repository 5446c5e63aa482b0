//! Local binary patterns, uniform codes by a const table, cell histograms, chi-square distances.
use omp_tests::twice;
twice! {
    const OFFSETS: [(i32, i32); 8] = [(-1, -1), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0)];

    const fn uniform_codes() -> [u8; 256] {
        let mut table = [58u8; 256];
        let mut next = 0;
        let mut code = 0usize;
        while code < 256 {
            let c = code as u8;
            if (c ^ c.rotate_left(1)).count_ones() <= 2 {
                table[code] = next;
                next += 1;
            }
            code += 1;
        }
        table
    }

    static UNIFORM: [u8; 256] = uniform_codes();
    const LABELS: usize = 59;

    #[omp::offload]
    fn patterns(img: &[u8], w: usize, h: usize, codes: &mut [u8]) {
        #[omp::target(collapse(2))]
        for y in 0..h {
            for x in 0..w {
                let centre = img[y * w + x];
                let mut code = 0u8;
                for (bit, (dx, dy)) in OFFSETS.iter().enumerate() {
                    let nx = (x as i32 + dx).rem_euclid(w as i32) as usize;
                    let ny = (y as i32 + dy).rem_euclid(h as i32) as usize;
                    code |= u8::from(img[ny * w + nx] >= centre) << bit;
                }
                codes[y * w + x] = UNIFORM[code as usize];
            }
        }
    }

    #[omp::offload]
    fn cell_histograms(codes: &[u8], w: usize, cell: usize, out: &mut [[f32; LABELS]]) {
        let across = w / cell;
        #[omp::target]
        for (k, hist) in out.iter_mut().enumerate() {
            let (cx, cy) = (k % across, k / across);
            *hist = [0.0; LABELS];
            for y in cy * cell..(cy + 1) * cell {
                for &code in &codes[y * w + cx * cell..y * w + (cx + 1) * cell] {
                    hist[code as usize] += 1.0;
                }
            }
            let norm = hist.iter().map(|v| v * v).sum::<f32>().sqrt();
            hist.iter_mut().for_each(|v| *v /= norm);
        }
    }

    #[omp::offload]
    fn distances(hists: &[[f32; LABELS]], to: usize) -> (Vec<f32>, f32) {
        let mut d = vec![0.0; hists.len()];
        let mut worst = f32::NEG_INFINITY;
        #[omp::target(reduction(max: worst))]
        for (d, h) in d.iter_mut().zip(hists) {
            *d = h
                .iter()
                .zip(&hists[to])
                .filter(|(a, b)| **a + **b > 0.0)
                .map(|(a, b)| (a - b).powi(2) / (a + b))
                .sum();
            worst = worst.max(*d);
        }
        (d, worst)
    }

    pub fn run(n: usize) -> (Vec<u8>, Vec<f32>, f32) {
        let (w, h) = (n * 8, n * 8);
        let img: Vec<u8> = (0..w * h).map(|i| ((i * 2654435761usize) >> 13) as u8).collect();
        let mut codes = vec![0; w * h];
        patterns(&img, w, h, &mut codes);
        let mut hists = vec![[0.0; LABELS]; n * n];
        if n == 0 {
            return (codes, vec![], 0.0);
        }
        cell_histograms(&codes, w, 8, &mut hists);
        let (d, worst) = distances(&hists, n * n / 2);
        (codes, d, worst)
    }
}
port!(lbp: [0, 1, 3, 6].map(|n| crate::Shown::of(run(n))));
