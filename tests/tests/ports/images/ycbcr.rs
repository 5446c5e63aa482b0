//! RGBA to planar YCbCr with 4:2:0 subsampling.
use omp_tests::{Values, twice};
twice! {
    pub struct Planes { pub y: Vec<u8>, pub cb: Vec<u8>, pub cr: Vec<u8> }

    #[omp::declare_target]
    #[inline]
    fn to_ycc([r, g, b, _]: [u8; 4]) -> (u8, i32, i32) {
        let (r, g, b) = (i32::from(r), i32::from(g), i32::from(b));
        let y = (19595 * r + 38470 * g + 7471 * b + 32768) >> 16;
        let cb = -11059 * r - 21709 * g + 32768 * b;
        let cr = 32768 * r - 27439 * g - 5329 * b;
        (y as u8, cb, cr)
    }

    pub fn convert(rgba: &[u8], width: usize) -> Planes {
        let height = rgba.len() / 4 / width;
        let mut y = vec![0; width * height];
        let mut cb = vec![0; width * height / 4];
        let mut cr = vec![0; width * height / 4];
        #[omp::target]
        for (luma, px) in y.iter_mut().zip(rgba.chunks_exact(4)) {
            *luma = to_ycc([px[0], px[1], px[2], px[3]]).0;
        }
        let half = width / 2;
        #[omp::target]
        for (i, (u, v)) in cb.iter_mut().zip(cr.iter_mut()).enumerate() {
            let (cx, cy) = (i % half, i / half);
            let mut sum = (0, 0);
            for dy in 0..2 {
                for dx in 0..2 {
                    let at = ((2 * cy + dy) * width + 2 * cx + dx) * 4;
                    let px: [u8; 4] = rgba[at..at + 4].try_into().unwrap();
                    let (_, b, r) = to_ycc(px);
                    sum.0 += b;
                    sum.1 += r;
                }
            }
            *u = ((sum.0 / 4 + (128 << 16) + 32768) >> 16).clamp(0, 255) as u8;
            *v = ((sum.1 / 4 + (128 << 16) + 32768) >> 16).clamp(0, 255) as u8;
        }
        Planes { y, cb, cr }
    }

    pub fn run() -> (Vec<u8>, Vec<u8>, Vec<u8>) {
        let mut v = Values(8);
        let rgba: Vec<u8> = (0..12 * 8 * 4).map(|_| v.bits() as u8).collect();
        let p = convert(&rgba, 12);
        (p.y, p.cb, p.cr)
    }
}
port!(ycbcr: run());
