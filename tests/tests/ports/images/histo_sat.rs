//! Parboil histo: saturating 2-D histogram, its equalised lookup, and stencils over bands of the image.
use omp_tests::twice;

// (Outside of the macro, where the derive sees its other derives.)
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, omp::Device)]
pub struct Level(pub u8);

#[omp::declare_target]
impl Level {
    const MAX: Level = Level(255);
    fn bump(self, by: u32) -> Level {
        Level(self.0.saturating_add(by.min(255) as u8))
    }
}

twice! {
    pub fn histogram(img: &[u32], w: usize, h: usize) -> Vec<u32> {
        let mut bins = vec![0u32; w * h];
        #[omp::target]
        for &v in img {
            #[omp::atomic]
            bins[v as usize % (w * h)] += 1;
        }
        bins
    }

    pub fn saturate(bins: &[u32]) -> Vec<Level> {
        let mut out = vec![Level(0); bins.len()];
        #[omp::target]
        for (o, &b) in out.iter_mut().zip(bins) {
            *o = o.bump(b * 20);
        }
        out
    }

    pub fn summary(levels: &[Level]) -> (usize, u8, u8) {
        let mut full = 0usize;
        let (mut lo, mut hi) = (u8::MAX, 0u8);
        #[omp::target(reduction(+: full), reduction(min: lo), reduction(max: hi))]
        for l in levels {
            if *l == Level::MAX {
                full += 1;
            }
            lo = lo.min(l.0);
            hi = hi.max(l.0);
        }
        (full, lo, hi)
    }

    pub fn bands(img: &[u32], w: usize, band: usize) -> Vec<[u32; 4]> {
        let h = img.len() / w;
        let mut stats = vec![[0u32; 4]; h.div_ceil(band)];
        #[omp::target]
        for (rows, s) in img.chunks(w * band).zip(&mut stats) {
            let [sum, max, zeros, edges] = s;
            for (i, &v) in rows.iter().enumerate() {
                *sum = sum.wrapping_add(v);
                *max = (*max).max(v);
                *zeros += (v == 0) as u32;
                if i % w > 0 && rows[i - 1].abs_diff(v) > 40 {
                    *edges += 1;
                }
            }
        }
        stats
    }

    pub fn run() -> (Vec<u32>, (usize, u8, u8), Vec<[u32; 4]>) {
        let img: Vec<u32> = (0..30 * 22u32).map(|i| i.wrapping_mul(2_654_435_761) >> 25).collect();
        let b = histogram(&img, 8, 6);
        let s = summary(&saturate(&b));
        let t = bands(&img, 30, 4);
        (b, s, t)
    }
}
port!(histo_sat: run());
