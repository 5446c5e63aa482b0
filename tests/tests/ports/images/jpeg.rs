//! JPEG: colour conversion, 8×8 forward DCT and quantisation in zigzag order.
use omp_tests::twice;

twice! {
    const ZIGZAG: [u8; 64] = [
        0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28, 35,
        42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
    ];

    pub fn luma(rgb: &[u8]) -> Vec<f32> {
        let mut y = vec![0.0; rgb.len() / 3];
        #[omp::target]
        for (y, px) in y.iter_mut().zip(rgb.chunks_exact(3)) {
            let [r, g, b] = [px[0], px[1], px[2]].map(f32::from);
            *y = 0.299 * r + 0.587 * g + 0.114 * b - 128.0;
        }
        y
    }

    #[omp::declare_target]
    fn dct8(v: [f32; 8]) -> [f32; 8] {
        let mut out = [0.0; 8];
        for (k, o) in out.iter_mut().enumerate() {
            let scale = if k == 0 { (1.0f32 / 8.0).sqrt() } else { 0.5 };
            *o = scale
                * v.iter()
                    .enumerate()
                    .map(|(n, x)| x * (std::f32::consts::PI / 8.0 * (n as f32 + 0.5) * k as f32).cos())
                    .sum::<f32>();
        }
        out
    }

    pub fn blocks(plane: &[f32], width: usize, quality: &[u16; 64], out: &mut [[i16; 64]]) {
        let across = width / 8;
        #[omp::target]
        for (b, coefficients) in out.iter_mut().enumerate() {
            let (bx, by) = (b % across * 8, b / across * 8);
            let mut block = [[0f32; 8]; 8];
            for (dy, row) in block.iter_mut().enumerate() {
                let start = (by + dy) * width + bx;
                row.copy_from_slice(&plane[start..start + 8]);
                *row = dct8(*row);
            }
            for x in 0..8 {
                let column = dct8(std::array::from_fn(|y| block[y][x]));
                for (y, &c) in column.iter().enumerate() {
                    block[y][x] = c;
                }
            }
            for (k, c) in coefficients.iter_mut().enumerate() {
                let z = ZIGZAG[k] as usize;
                *c = (block[z / 8][z % 8] / f32::from(quality[z])).trunc() as i16;
            }
        }
    }

    pub fn encode() -> Vec<[i16; 64]> {
        let (w, h) = (24, 16);
        let rgb: Vec<u8> = (0..w * h * 3).map(|i| (i * i / 7 % 256) as u8).collect();
        let quality: [u16; 64] = std::array::from_fn(|i| 9 + (i / 8 + i % 8) as u16 * 3);
        let plane = luma(&rgb);
        let mut out = vec![[0i16; 64]; w * h / 64];
        blocks(&plane, w, &quality, &mut out);
        out
    }
}
port!(jpeg: encode());
