//! Windows with weights in tables, with several sums, and with results that are computed from them.
offloaded! {
    fn gauss_table_u8(n: usize, a: &[u8], o: &mut [u8]) {
        const K: [[u32; 5]; 5] =
            [[1, 4, 6, 4, 1], [4, 16, 24, 16, 4], [6, 24, 36, 24, 6], [4, 16, 24, 16, 4], [1, 4, 6, 4, 1]];
        #[omp::target(collapse(2), map(to: a), map(tofrom: o))]
        for y in 2..n - 2 {
            for x in 2..n - 2 {
                let mut s = 0u32;
                for dy in 0..5 {
                    for dx in 0..5 {
                        s += K[dy][dx] * a[(y + dy - 2) * n + x + dx - 2] as u32;
                    }
                }
                o[y * n + x] = (s >> 8) as u8;
            }
        }
    }
    fn sobel_tables_u8(n: usize, a: &[u8], o: &mut [u8]) {
        const GX: [[i32; 3]; 3] = [[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]];
        const GY: [[i32; 3]; 3] = [[-1, -2, -1], [0, 0, 0], [1, 2, 1]];
        #[omp::target(collapse(2), map(to: a), map(tofrom: o))]
        for y in 1..n - 1 {
            for x in 1..n - 1 {
                let (mut gx, mut gy) = (0i32, 0i32);
                for dy in 0..3 {
                    for dx in 0..3 {
                        let p = a[(y + dy - 1) * n + x + dx - 1] as i32;
                        gx += GX[dy][dx] * p;
                        gy += GY[dy][dx] * p;
                    }
                }
                o[y * n + x] = ((gx * gx + gy * gy) as f32).sqrt().min(255.0) as u8;
            }
        }
    }
    fn box_interior(n: usize, a: &[f32], o: &mut [f32]) {
        #[omp::target(collapse(2), map(to: a), map(tofrom: o))]
        for y in 1..n - 1 {
            for x in 1..n - 1 {
                let mut s = 0.0;
                for dy in 0..3 {
                    for dx in 0..3 {
                        s += a[(y + dy - 1) * n + x + dx - 1];
                    }
                }
                o[y * n + x] = s / 9.0;
            }
        }
    }
    fn unsharp(n: usize, a: &[f32], o: &mut [f32]) {
        #[omp::target(collapse(2), map(to: a), map(tofrom: o))]
        for y in 1..n - 1 {
            for x in 1..n - 1 {
                let mut s = 0.0;
                for dy in 0..3 {
                    for dx in 0..3 {
                        s += a[(y + dy - 1) * n + x + dx - 1];
                    }
                }
                o[y * n + x] = a[y * n + x] + 0.5 * (a[y * n + x] - s / 9.0);
            }
        }
    }
    fn means_of_32(a: &[f32], o: &mut [f32]) {
        #[omp::target(map(to: a), map(from: o))]
        for (o, w) in o.iter_mut().zip(a.windows(32)) {
            *o = w.iter().sum::<f32>() / 32.0;
        }
    }
    fn maxima_of_32(a: &[f32], o: &mut [f32]) {
        #[omp::target(map(to: a), map(from: o))]
        for (o, w) in o.iter_mut().zip(a.windows(32)) {
            *o = w.iter().copied().fold(f32::MIN, f32::max);
        }
    }
    fn variances(n: usize, k: usize, a: &[f32], o: &mut [f32]) {
        #[omp::target(map(to: a), map(from: o))]
        for i in 0..n {
            let (mut s, mut q) = (0.0, 0.0);
            for j in 0..k {
                let v = a[i + j];
                s += v;
                q += v * v;
            }
            let m = s / k as f32;
            o[i] = q / k as f32 - m * m;
        }
    }
    fn fir_flipped(n: usize, t: usize, h: &[f32], a: &[f32], o: &mut [f32]) {
        #[omp::target(map(to: a, h), map(from: o))]
        for i in 0..n {
            let mut s = 0.0;
            for k in 0..t {
                s += h[k] * a[i + t - 1 - k];
            }
            o[i] = s;
        }
    }
    fn fir_i16(n: usize, t: usize, h: &[i16], a: &[i16], o: &mut [i16]) {
        #[omp::target(map(to: a, h), map(from: o))]
        for i in 0..n {
            let mut s = 0i32;
            for k in 0..t {
                s += h[k] as i32 * a[i + k] as i32;
            }
            o[i] = (s >> 15) as i16;
        }
    }
    fn grey_of_arrays(a: &[[u8; 4]], o: &mut [u8]) {
        #[omp::target(map(to: a), map(from: o))]
        for (o, p) in o.iter_mut().zip(a) {
            *o = ((77 * p[0] as u32 + 150 * p[1] as u32 + 29 * p[2] as u32) >> 8) as u8;
        }
    }
    fn stencil_27_f64(n: usize, w: &[f64; 27], a: &[f64], o: &mut [f64]) {
        #[omp::target(collapse(3), map(to: a, w), map(tofrom: o))]
        for z in 1..n - 1 {
            for y in 1..n - 1 {
                for x in 1..n - 1 {
                    let mut s = 0.0;
                    for dz in 0..3 {
                        for dy in 0..3 {
                            for dx in 0..3 {
                                s += w[(dz * 3 + dy) * 3 + dx] * a[((z + dz - 1) * n + y + dy - 1) * n + x + dx - 1];
                            }
                        }
                    }
                    o[(z * n + y) * n + x] = s;
                }
            }
        }
    }
}
