//! Short loops of divisions, whose stores come after all of their iterations on CUDA if nothing in them can fail (so without overflow
//! checks). Each against the same without directives.
#![allow(clippy::all, clippy::pedantic, missing_docs)]
use omp_tests::{compare, twice};

const FIRST: usize = 1;

twice! {
    #[omp::offload]
    pub fn by_channel(rgb: &[u8], mean: &[f32; 3], dev: &[f32; 3], out: &mut [f32]) {
        #[omp::target]
        for i in 0..rgb.len() / 3 {
            for c in 0..3 {
                out[3 * i + c] = (rgb[3 * i + c] as f32 / 255.0 - mean[c]) / dev[c];
            }
        }
    }
    /// To planes, of two types, by a subscript with a name; the loop begins at a constant.
    #[omp::offload]
    pub fn planes(x: &[f64], n: usize, out: &mut [f64], narrow: &mut [f32]) {
        #[omp::target]
        for i in 0..n {
            for c in FIRST..5 {
                let to = (c - 1) * n + i;
                out[to] = x[4 * i + c - 1] / (c as f64 + 2.0);
                narrow[to] = (x[4 * i + c - 1] / 3.0) as f32;
            }
        }
    }
    /// Numbers below zero.
    #[omp::offload]
    pub fn signed(x: &[f32], out: &mut [f32]) {
        #[omp::target]
        for i in 0..x.len() {
            for c in -1i32..2 {
                out[3 * i + (c + 1) as usize] = x[i] / (c as f32 + 2.5);
            }
        }
    }
    /// Each iteration reads what it stores, or what others store.
    #[omp::offload]
    pub fn in_place(x: &mut [f32], y: &mut [f32]) {
        #[omp::target]
        for i in 0..x.len() / 4 {
            for c in 0..4 {
                x[4 * i + c] = x[4 * i + c] / 7.0;
            }
        }
        #[omp::target]
        for i in 0..x.len() / 4 {
            for c in 0..3 {
                x[4 * i + c] = x[4 * i + c + 1] / 7.0 + x[4 * i + c];
            }
        }
        #[omp::target]
        for i in 0..x.len() / 4 {
            for c in 1..4 {
                x[4 * i + c] = x[4 * i + c - 1] / 7.0 + x[4 * i + c];
            }
        }
        #[omp::target]
        for i in 0..x.len() / 4 {
            for c in 0..4 {
                x[4 * i + c] = x[4 * i + c] / 7.0;
                y[4 * i + c] = x[4 * i + c] + 1.0;
            }
        }
    }
    /// Updates.
    #[omp::offload]
    pub fn updated(x: &mut [f32], y: &[f32]) {
        #[omp::target]
        for i in 0..x.len() / 4 {
            for c in 0..4 {
                x[4 * i + c] /= 7.0;
            }
        }
        #[omp::target]
        for i in 0..x.len() / 4 {
            for c in 0..4 {
                let at = 4 * i + c;
                let before = x[at];
                x[at] += y[at] / 3.0 + before;
            }
        }
        #[omp::target]
        for i in 0..x.len() / 4 {
            for c in 0..4 {
                let old = std::mem::replace(&mut x[4 * i + c], y[i] / 3.0);
                x[4 * i] = old;
            }
        }
    }
    /// All iterations store one element, and read it or not.
    #[omp::offload]
    pub fn one_place(x: &mut [f32], y: &[f32]) {
        #[omp::target]
        for i in 0..x.len() {
            for c in 0..4 {
                x[i] = y[4 * i + c] / 7.0;
            }
        }
        #[omp::target]
        for i in 0..x.len() {
            for _ in 0..4 {
                x[i] = x[i] / 7.0 + 1.0;
            }
        }
    }
    /// One store under a condition, and a sum over the iterations.
    #[omp::offload]
    pub fn conditions(x: &[f32], out: &mut [f32], other: &mut [f32]) {
        #[omp::target]
        for i in 0..x.len() / 2 {
            let mut sum = 0.0;
            for c in 0..2 {
                let v = x[2 * i + c] / 3.0;
                sum += v;
                if v > 0.5 {
                    out[2 * i + c] = v;
                }
                other[2 * i + 1 - c] = sum / 2.0;
            }
        }
    }
    /// In a nest, and in a loop that runs in order.
    #[omp::offload]
    pub fn nested(x: &[f32], w: usize, h: usize, out: &mut [f32], again: &mut [f32]) {
        #[omp::target(collapse(2))]
        for y in 0..h {
            for z in 0..w {
                for c in 0..3 {
                    out[(y * w + z) * 3 + c] = x[(y * w + z) * 3 + c] / 1.5;
                }
            }
        }
        #[omp::target]
        for y in 0..h {
            for z in 0..w {
                for c in 0..3 {
                    again[(y * w + z) * 3 + c] = x[(y * w + z) * 3 + c] / (z as f32 + 1.5);
                }
            }
        }
    }
    /// Bytes are read in groups only if what is stored would not lie apart.
    #[omp::offload]
    pub fn to_planes(rgb: &[u8], n: usize, out: &mut [f32], words: &mut [u16]) {
        #[omp::target]
        for i in 0..n {
            for c in 0..3 {
                out[c * n + i] = rgb[3 * i + c] as f32 * 0.5;
            }
        }
        #[omp::target]
        for i in 0..n {
            for c in 0..3 {
                words[c * n + i] = rgb[3 * i + c] as u16 + 3;
            }
        }
    }
}

#[test]
fn stores_after_short_loops_are_those_of_rust() {
    for n in [0, 1, 2, 33, 257, 4099] {
        let rgb: Vec<u8> = (0..3 * n).map(|k| (k * 7) as u8).collect();
        let f: Vec<f32> = (0..12 * n).map(|k| (k * 37 % 101) as f32 / 8.0).collect();
        let d: Vec<f64> = f.iter().map(|v| f64::from(*v) * 1.25).collect();
        compare!(m, device => {
            omp::set_default_device(device);
            let (mut a, mut b, mut words) = (vec![0f32; 12 * n], vec![1f32; 12 * n], vec![2u16; 3 * n]);
            m::by_channel(&rgb, &[0.4, 0.5, 0.6], &[0.2, 0.25, 0.3], &mut a[..3 * n]);
            let mut wide = vec![0f64; 4 * n];
            m::planes(&d[..4 * n], n, &mut wide, &mut b[..4 * n]);
            let mut signed = vec![0f32; 3 * n];
            m::signed(&f[..n], &mut signed);
            let (mut x, mut y) = (f[..4 * n].to_vec(), vec![0f32; 4 * n]);
            m::in_place(&mut x, &mut y);
            m::one_place(&mut signed[..n], &f[..4 * n]);
            m::updated(&mut b[..4 * n], &f[..4 * n]);
            m::conditions(&f[..2 * n], &mut y[..2 * n], &mut x[..2 * n]);
            let (mut out, mut again, mut planes) = (vec![0f32; 12 * n], vec![0f32; 12 * n], vec![0f32; 3 * n]);
            m::nested(&f, 4, n, &mut out, &mut again);
            m::to_planes(&rgb, n, &mut planes, &mut words);
            (a, b, wide, signed, x, y, out, again, planes, words)
        });
    }
}
