//! HeCBench nms: suppression of overlapping boxes by a bit matrix, and its serial reduction.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Detection {
        pub x: f32,
        pub y: f32,
        pub w: f32,
        pub h: f32,
        pub score: f32,
        pub class: u16,
    }

    #[omp::declare_target]
    impl Detection {
        fn area(&self) -> f32 { self.w * self.h }

        fn iou(&self, other: &Self) -> f32 {
            let overlap = |a: f32, al: f32, b: f32, bl: f32| ((a + al).min(b + bl) - a.max(b)).max(0.0);
            let inter = overlap(self.x, self.w, other.x, other.w) * overlap(self.y, self.h, other.y, other.h);
            if inter <= 0.0 {
                return 0.0;
            }
            inter / (self.area() + other.area() - inter)
        }
    }

    pub fn suppression_mask(boxes: &[Detection], threshold: f32) -> Vec<u64> {
        let n = boxes.len();
        let words = n.div_ceil(64);
        let mut mask = vec![0u64; n * words];
        #[omp::target]
        for i in 0..n {
            let a = &boxes[i];
            for w in 0..words {
                let mut bits = 0u64;
                for (bit, b) in boxes[w * 64..n.min(w * 64 + 64)].iter().enumerate() {
                    let j = w * 64 + bit;
                    if j > i && a.class == b.class && a.iou(b) > threshold {
                        bits |= 1 << bit;
                    }
                }
                mask[i * words + w] = bits;
            }
        }
        mask
    }

    pub fn nms(boxes: &mut Vec<Detection>, threshold: f32) -> Vec<usize> {
        boxes.sort_by(|a, b| b.score.total_cmp(&a.score));
        let mask = suppression_mask(boxes, threshold);
        let words = boxes.len().div_ceil(64);
        let mut removed = vec![0u64; words];
        let mut kept = vec![];
        for i in 0..boxes.len() {
            if removed[i / 64] >> (i % 64) & 1 == 0 {
                kept.push(i);
                for (r, m) in removed.iter_mut().zip(&mask[i * words..]) {
                    *r |= m;
                }
            }
        }
        kept
    }

    pub fn run() -> (Vec<usize>, Vec<usize>) {
        let mut boxes: Vec<Detection> = (0..150u32)
            .map(|i| {
                let r = i.wrapping_mul(2_654_435_761);
                Detection {
                    x: (r % 97) as f32,
                    y: (r / 97 % 89) as f32,
                    w: 10.0 + (r >> 20) as f32 % 20.0,
                    h: 12.0 + (r >> 24) as f32 % 13.0,
                    score: i as f32 * 0.37 % 1.0,
                    class: (i % 2) as u16,
                }
            })
            .collect();
        let loose = nms(&mut boxes, 0.3);
        let strict = nms(&mut boxes, 0.6);
        (loose, strict)
    }
}
port!(nms: run());
