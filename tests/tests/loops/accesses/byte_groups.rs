//! Iterations with neighbouring bytes of their own: blocks of ciphers, pixels, and channels that become planes. On CUDA, they are accessed in
//! groups. Each against the same without directives.
#![allow(clippy::all, clippy::pedantic, missing_docs)]
use omp_tests::twice;

twice! {
    #[omp::offload]
    pub fn blocks(key: &[u8], x: &[u8], out: &mut [u8]) {
        #[omp::target]
        for (y, x) in out.chunks_exact_mut(16).zip(x.chunks_exact(16)) {
            for j in 0..16 {
                y[j] = x[j] ^ key[j];
            }
        }
    }
    /// Words of a block, and a local array that is stored in another order.
    #[omp::offload]
    pub fn words(n: usize, x: &[u8], out: &mut [u8], sums: &mut [u32]) {
        #[omp::target]
        for b in 0..n {
            let v = u32::from_le_bytes([x[b * 8], x[b * 8 + 1], x[b * 8 + 2], x[b * 8 + 3]]);
            let w = u32::from_be_bytes([x[b * 8 + 4], x[b * 8 + 5], x[b * 8 + 6], x[b * 8 + 7]]);
            let mixed = (v ^ w.rotate_left(9)).to_le_bytes();
            let mut t = [0u8; 8];
            for j in 0..8 {
                t[j] = mixed[j % 4].wrapping_add(x[b * 8 + 7 - j]);
            }
            for j in 0..8 {
                out[b * 8 + j] = t[j];
            }
            sums[b] = v.wrapping_add(w);
        }
    }
    /// In place, from both ends; and blocks that begin between multiples of 16 bytes.
    #[omp::offload]
    pub fn reversed(n: usize, x: &mut [u16], y: &mut [u8]) {
        #[omp::target]
        for i in 0..n {
            for j in 0..4 {
                let t = x[i * 8 + j];
                x[i * 8 + j] = x[i * 8 + 7 - j];
                x[i * 8 + 7 - j] = t;
            }
            for j in 0..16 {
                y[3 + i * 16 + j] = y[3 + i * 16 + j] ^ (j as u8);
            }
        }
    }
    /// Rows of 32 and 64 bytes, up and down.
    #[omp::offload]
    pub fn rows(n: usize, x: &[u8], out: &mut [u8], flags: &mut [bool]) {
        #[omp::target]
        for b in 0..n {
            for j in 0..32 {
                out[b * 32 + j] = x[b * 32 + 31 - j].wrapping_mul(3);
            }
        }
        #[omp::target]
        for b in 0..n / 2 {
            for j in 0..64 {
                flags[b * 64 + j] = x[b * 64 + j] % 3 == 1;
            }
        }
    }
    #[omp::offload]
    pub fn gray(w: usize, h: usize, x: &[u8], out: &mut [u8]) {
        #[omp::target(collapse(2))]
        for r in 0..h {
            for c in 0..w {
                let p = (r * w + c) * 4;
                out[r * w + c] = ((x[p] as u32 * 77 + x[p + 1] as u32 * 150 + x[p + 2] as u32 * 29) >> 8) as u8;
            }
        }
    }
    #[omp::offload]
    pub fn planes(n: usize, c: usize, hw: usize, x: &[u8], out: &mut [u8]) {
        #[omp::target(collapse(3))]
        for i in 0..n {
            for k in 0..c {
                for p in 0..hw {
                    out[(i * c + k) * hw + p] = x[(i * hw + p) * c + k];
                }
            }
        }
    }
    #[omp::offload]
    pub fn planes_of_halves(c: usize, hw: usize, x: &[u16], out: &mut [u16]) {
        #[omp::target(collapse(2))]
        for k in 0..c {
            for p in 0..hw {
                out[k * hw + p] = x[p * c + k].swap_bytes();
            }
        }
    }
}

fn bytes(n: usize) -> Vec<u8> {
    (0..n).map(|i| (i as u32).wrapping_mul(2_654_435_761).to_le_bytes()[3]).collect()
}

#[test]
fn blocks_of_bytes() {
    omp_tests::on_every_device(|d| {
        omp::set_default_device(d);
        for n in [1, 31, 70_000] {
            let (key, x) = (bytes(16), bytes(n * 32 + 19));
            let mut flags = (vec![false; n * 32], vec![false; n * 32]);
            let (mut out, mut want) = (x.clone(), x.clone());
            device::blocks(&key, &x, &mut out);
            plain::blocks(&key, &x, &mut want);
            assert!(out == want, "blocks, {n}, on {d}");
            let (mut sums, mut want_sums) = (vec![0; n], vec![0; n]);
            device::words(n, &x, &mut out, &mut sums);
            plain::words(n, &x, &mut want, &mut want_sums);
            assert!(out == want, "words, {n}, on {d}");
            assert!(sums == want_sums, "sums, {n}, on {d}");
            let halves: Vec<u16> = x.iter().map(|b| u16::from(*b) * 251).collect();
            let (mut y, mut want_y) = (halves.clone(), halves.clone());
            device::reversed(n, &mut y, &mut out);
            plain::reversed(n, &mut want_y, &mut want);
            assert!(y == want_y, "reversed, {n}, on {d}");
            assert!(out == want, "shifted, {n}, on {d}");
            device::rows(n, &x, &mut out, &mut flags.0);
            plain::rows(n, &x, &mut want, &mut flags.1);
            assert!(out == want, "rows, {n}, on {d}");
            assert!(flags.0 == flags.1, "flags, {n}, on {d}");
        }
    });
}

#[test]
fn pixels_and_planes() {
    omp_tests::on_every_device(|d| {
        omp::set_default_device(d);
        for (w, h) in [(1, 1), (33, 7), (320, 200)] {
            let x = bytes(w * h * 4);
            let (mut out, mut want) = (vec![0; w * h], vec![0; w * h]);
            device::gray(w, h, &x, &mut out);
            plain::gray(w, h, &x, &mut want);
            assert!(out == want, "gray, {w} x {h}, on {d}");
        }
        for (n, c, hw) in [
            (1, 4, 300),
            (2, 4, 1 << 18),
            (1, 4, (1 << 19) + 52),
            (1, 3, 1 << 19),
            (3, 16, 40_000),
            (1, 5, 1 << 18),
        ] {
            let x = bytes(n * c * hw);
            let (mut out, mut want) = (vec![0; n * c * hw], vec![0; n * c * hw]);
            device::planes(n, c, hw, &x, &mut out);
            plain::planes(n, c, hw, &x, &mut want);
            assert!(out == want, "planes, {n} x {c} x {hw}, on {d}");
        }
        let (c, hw) = (2, (1 << 19) + 8);
        let x: Vec<u16> = bytes(c * hw).iter().map(|b| u16::from(*b) * 77).collect();
        let (mut out, mut want) = (vec![0; c * hw], vec![0; c * hw]);
        device::planes_of_halves(c, hw, &x, &mut out);
        plain::planes_of_halves(c, hw, &x, &mut want);
        assert!(out == want, "halves on {d}");
    });
}
