//! Histogram of oriented gradients: per-cell orientation votes, overlapping L2-Hys blocks, linear SVM score.
use omp_tests::twice;

twice! {
    pub const BINS: usize = 9;
    pub const CELL: usize = 8;
    pub type Hist = [f32; BINS];

    #[derive(Clone, Copy, omp::Device)]
    pub struct Frame {
        pub width: usize,
        pub height: usize,
    }

    #[omp::declare_target]
    impl Frame {
        pub fn cells(&self) -> (usize, usize) {
            (self.width / CELL, self.height / CELL)
        }

        pub fn blocks(&self) -> (usize, usize) {
            let (cw, ch) = self.cells();
            (cw - 1, ch - 1)
        }

        fn gradient(&self, img: &[u8], x: usize, y: usize) -> (f32, f32) {
            let px = |x: usize, y: usize| img[y * self.width + x] as f32;
            let (l, r) = (x.saturating_sub(1), (x + 1).min(self.width - 1));
            let (t, b) = (y.saturating_sub(1), (y + 1).min(self.height - 1));
            (px(r, y) - px(l, y), px(x, b) - px(x, t))
        }
    }

    #[omp::declare_target]
    fn vote(hist: &mut Hist, (gx, gy): (f32, f32)) {
        let mag = gx.hypot(gy);
        if mag == 0.0 {
            return;
        }
        let mut angle = gy.atan2(gx).to_degrees();
        if angle < 0.0 {
            angle += 180.0;
        }
        let pos = angle / (180.0 / BINS as f32) - 0.5;
        let lower = pos.floor();
        let frac = pos - lower;
        let bin = (lower as i32).rem_euclid(BINS as i32) as usize;
        hist[bin] += mag * (1.0 - frac);
        hist[(bin + 1) % BINS] += mag * frac;
    }

    pub fn cell_histograms(frame: &Frame, img: &[u8], cells: &mut [Hist]) {
        let (cw, _) = frame.cells();
        #[omp::target(map(to: img), map(from: cells))]
        for (c, out) in cells.iter_mut().enumerate() {
            let (cx, cy) = (c % cw, c / cw);
            let mut hist = [0.0; BINS];
            for y in (cy * CELL..).take(CELL) {
                for x in (cx * CELL..).take(CELL) {
                    vote(&mut hist, frame.gradient(img, x, y));
                }
            }
            *out = hist;
        }
    }

    #[omp::declare_target]
    fn l2_hys<const N: usize>(v: &mut [f32; N]) {
        for clip in [0.2f32, f32::MAX] {
            let norm = (v.iter().map(|x| x * x).sum::<f32>() + 1e-4).sqrt();
            for x in v.iter_mut() {
                *x = (*x / norm).min(clip);
            }
        }
    }

    pub fn block_descriptors(frame: &Frame, cells: &[Hist], blocks: &mut [[f32; 4 * BINS]]) {
        let ((cw, _), (bw, bh)) = (frame.cells(), frame.blocks());
        #[omp::target(collapse(2), map(to: cells), map(from: blocks))]
        for by in 0..bh {
            for bx in 0..bw {
                let mut d = [0f32; 4 * BINS];
                let corners = [(0, 0), (1, 0), (0, 1), (1, 1)];
                for (part, (i, j)) in d.chunks_exact_mut(BINS).zip(corners) {
                    part.copy_from_slice(&cells[(by + j) * cw + bx + i]);
                }
                l2_hys(&mut d);
                blocks[by * bw + bx] = d;
            }
        }
    }

    pub fn svm_score(blocks: &[[f32; 4 * BINS]], weights: &[f32; 4 * BINS], bias: f32) -> f32 {
        let mut score = bias;
        #[omp::target(map(to: blocks), reduction(+: score))]
        for b in blocks.iter() {
            score += b.iter().zip(weights).map(|(x, w)| x * w).sum::<f32>();
        }
        score
    }

    pub fn strongest(cells: &[Hist], out: &mut [(u8, bool)]) {
        #[omp::target(map(to: cells), map(from: out))]
        for (o, h) in out.iter_mut().zip(cells.iter()) {
            let (bin, &top) = h.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)).unwrap();
            let energy: f32 = h.iter().sum();
            *o = if top > 0.0 { (bin as u8, top > 0.5 * energy) } else { (u8::MAX, false) };
        }
    }
}
port!(gradient_histograms: crate::Shown::of({
    let f = Frame { width: 64, height: 48 };
    let img: Vec<u8> = (0..f.width * f.height).map(|i| {
        let (x, y) = (i % 64, i / 64);
        ((x * x / 9 + y * y / 5 + (x ^ y) * 2) % 251) as u8
    }).collect();
    let (cw, ch) = f.cells();
    let (bw, bh) = f.blocks();
    let mut cells = vec![[0f32; BINS]; cw * ch];
    cell_histograms(&f, &img, &mut cells);
    let mut blocks = vec![[0f32; 4 * BINS]; bw * bh];
    block_descriptors(&f, &cells, &mut blocks);
    let weights: [f32; 36] = std::array::from_fn(|i| (i as f32 - 17.0) / 32.0);
    let score = svm_score(&blocks, &weights, -0.5);
    let mut top = vec![(0u8, false); cells.len()];
    strongest(&cells, &mut top);
    let r = |v: &f32| (v * 10.0).round() as i64;
    (cells.iter().flatten().map(|v| (v * 0.13).round() as i64).collect::<Vec<_>>(), blocks.iter().flatten().map(r).collect::<Vec<_>>(), r(&score), top)
}));
