//! Made by `omp_tests::bodies`; change the generator, then run
//! `cargo test -p omp-tests --test programs -- --ignored random_bodies`.
use super::case;

pub mod body_0 {
    #[omp::offload]
    pub fn device(d: usize, a: &[isize], b: &[i8], c: &[u8], s: i8, y: &mut [i8], z: &mut [u8]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..y.len() {
            let mut h: u64 = 7;
            if ((((b[i] as i64) as f32) != ((s as i64) as f32)) && (((h as i64) == 99) && ((i as i64) < 81))) {
                match ((h as i64) as u32) & 7 {
                    0 => {
                        let mut v1: i64 = 0;
                        while v1 < 5 && (c[i].wrapping_neg() > ((b[i] as i64) as u8)) {
                            let v2: u32 = (!((h as i64) as u32)).reverse_bits();
                            let v3: isize = (!97isize).saturating_mul((59usize as isize));
                            let (mut v4, v5): (u32, isize) = (((b[i] as i64) as u32).saturating_add(v2).saturating_add((47u32 & v2)), (!a[i]).reverse_bits());
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
                            v1 += 1;
                        }
                        let (mut v6, v7): (usize, i8) = ((if (((v1 as i64) as i32) < ((b[i] as i64) as i32)) { ((v1 as i64) as usize) } else { i.wrapping_add(i) }), ((if ((b[i] as i64) == 33) { ((b[i] as i64) as i32) } else { ((i as i64) as i32) }) as i8));
                        if ((v6 == ((i as i64) as usize)) && (if ((v6 as i64) < 38) { ((h as i64) < 43) } else { ((v7 as i64) == 78) })) {
                            let v8: f32 = (s.saturating_add(v7) as f32);
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v8 as u64;
                        }
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                    }
                    1 | 2 => {
                        if ((h as i64) == 42) {
                            let v9: i16 = (!((-65i16) & ((b[i] as i64) as i16)));
                            let mut v10: [i32; 4] = [(if (if ((v9 as i64) < 37) { ((h as i64) >= 84) } else { ((s as i64) < 14) }) { ((i as i64) as i32).wrapping_div(i32::MAX | 1) } else { ((h as i64) as i32).reverse_bits() }); 4];
                            let mut v11: u32 = (12u32.reverse_bits() | ((v9 as i64) as u32).max(((v9 as i64) as u32)));
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                        }
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
                    }
                    3..=5 => {
                        let v12: u64 = (!(((b[i] as i64) as f64) as u64));
                        let mut v13: isize = a[i].wrapping_div(((i as i64) as isize).max(a[i]) | 1);
                        let v14: (f64, usize) = (((((b[i] as i64) as f64) * (1.0_f64)) - ((0.5_f64) as f64)), (!((i as i64) as usize)).wrapping_neg());
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v14.1 as u64;
                    }
                    _ => {
                        let v15: (u64, i32) = (h, (!((s as i64) as i32).swap_bytes()));
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
                    }
                }
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            y[i] = i8::MIN ^ h as i8;
            z[i] = ((i as i64) as u8).min(((h as i64) as u8)).wrapping_sub(c[i]) ^ h as u8;
        }
    }

    pub fn serial(a: &[isize], b: &[i8], c: &[u8], s: i8, y: &mut [i8], z: &mut [u8]) {
        for i in 0..y.len() {
            let mut h: u64 = 7;
            if ((((b[i] as i64) as f32) != ((s as i64) as f32)) && (((h as i64) == 99) && ((i as i64) < 81))) {
                match ((h as i64) as u32) & 7 {
                    0 => {
                        let mut v1: i64 = 0;
                        while v1 < 5 && (c[i].wrapping_neg() > ((b[i] as i64) as u8)) {
                            let v2: u32 = (!((h as i64) as u32)).reverse_bits();
                            let v3: isize = (!97isize).saturating_mul((59usize as isize));
                            let (mut v4, v5): (u32, isize) = (((b[i] as i64) as u32).saturating_add(v2).saturating_add((47u32 & v2)), (!a[i]).reverse_bits());
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
                            v1 += 1;
                        }
                        let (mut v6, v7): (usize, i8) = ((if (((v1 as i64) as i32) < ((b[i] as i64) as i32)) { ((v1 as i64) as usize) } else { i.wrapping_add(i) }), ((if ((b[i] as i64) == 33) { ((b[i] as i64) as i32) } else { ((i as i64) as i32) }) as i8));
                        if ((v6 == ((i as i64) as usize)) && (if ((v6 as i64) < 38) { ((h as i64) < 43) } else { ((v7 as i64) == 78) })) {
                            let v8: f32 = (s.saturating_add(v7) as f32);
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v8 as u64;
                        }
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                    }
                    1 | 2 => {
                        if ((h as i64) == 42) {
                            let v9: i16 = (!((-65i16) & ((b[i] as i64) as i16)));
                            let mut v10: [i32; 4] = [(if (if ((v9 as i64) < 37) { ((h as i64) >= 84) } else { ((s as i64) < 14) }) { ((i as i64) as i32).wrapping_div(i32::MAX | 1) } else { ((h as i64) as i32).reverse_bits() }); 4];
                            let mut v11: u32 = (12u32.reverse_bits() | ((v9 as i64) as u32).max(((v9 as i64) as u32)));
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                        }
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
                    }
                    3..=5 => {
                        let v12: u64 = (!(((b[i] as i64) as f64) as u64));
                        let mut v13: isize = a[i].wrapping_div(((i as i64) as isize).max(a[i]) | 1);
                        let v14: (f64, usize) = (((((b[i] as i64) as f64) * (1.0_f64)) - ((0.5_f64) as f64)), (!((i as i64) as usize)).wrapping_neg());
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v14.1 as u64;
                    }
                    _ => {
                        let v15: (u64, i32) = (h, (!((s as i64) as i32).swap_bytes()));
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
                    }
                }
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            y[i] = i8::MIN ^ h as i8;
            z[i] = ((i as i64) as u8).min(((h as i64) as u8)).wrapping_sub(c[i]) ^ h as u8;
        }
    }
}
case! { body_0: isize i8 u8 i8 u8 }

pub mod body_1 {
    #[omp::offload]
    pub fn device(d: usize, a: &[i8], b: &[u64], c: &[isize], s: u64, y: &mut [usize], z: &mut [f32]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..y.len() {
            let mut h: u64 = 7;
            let v1: i16 = ((i as i64) as i16).max((if ((s as i64) == 90) { ((b[i] as i64) as i16) } else { ((i as i64) as i16) }));
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            let v2: u32 = (if (if ((h as i64) < 57) { ((b[i] as i64) >= 40) } else { ((v1 as i64) == 21) }) { ((i as i64) as u32).wrapping_div_euclid(((i as i64) as u32) | 1) } else { (if ((s as i64) < 52) { ((i as i64) as u32) } else { ((i as i64) as u32) }) });
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            match usize::MIN.max(57usize) & 7 {
                0 => {
                    let mut v3: i32 = ((b[i] as i64) as i32).wrapping_rem((-55i32) | 1).wrapping_shr((v2 & 38u32));
                    v3 ^= ((30u32 & v2) as i32);
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                }
                1 | 2 => {
                    let (mut v4, v5): (isize, i64) = ((!(((v1 as i64) as isize) ^ c[i])), (if (((i as i64) as f64) < ((b[i] as i64) as f64)) { ((h as i64) as i64).wrapping_div_euclid(((s as i64) as i64) | 1) } else { (if ((h as i64) >= 78) { ((i as i64) as i64) } else { ((v1 as i64) as i64) }) }));
                    v4 |= v4.wrapping_shr(v2).max((a[i] as isize));
                    let v6: f32 = (((3.0e7_f32) + ((v2 as i64) as f32)) + (h as f32));
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
                }
                3..=5 => {
                    let v7: u16 = ((v2 as i64) as u16).wrapping_mul(((v2 as i64) as u16)).max((if ((i as i64) < 89) { ((v1 as i64) as u16) } else { ((s as i64) as u16) }));
                    let mut v8: u64 = (if (((b[i] as i64) as i32) > ((v2 as i64) as i32)) { b[i].saturating_sub(s) } else { (((i as i64) as isize) as u64) });
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v7 as u64;
                }
                _ => {
                    let mut v9: u16 = 0;
                    while v9 < 4 && (usize::MIN <= i.wrapping_sub(i)) {
                        let mut v10: [i32; 4] = [((b[i] as i64) as i32).wrapping_neg(), ((b[i] as i64) as i32), 65i32, 63i32.wrapping_sub(((s as i64) as i32))];
                        let mut v11: isize = c[i].wrapping_div((!79isize) | 1);
                        if (((i as i64) as i8).saturating_mul(((s as i64) as i8)) < 13i8.wrapping_shr(((v2 as i64) as u32))) {
                            let v12: u64 = b[i];
                            let mut v13: [i8; 5] = [i8::MAX.min(((s as i64) as i8)), (if ((s as i64) == 55) { 76i8 } else { ((v1 as i64) as i8) }), (((v12 as i64) as i8) & ((s as i64) as i8)), ((h as i64) as i8).wrapping_rem_euclid(a[i] | 1), ((h as i64) as i8).wrapping_sub(((v11 as i64) as i8))];
                            v11 &= (if ((v9 as i64) < 83) { 42isize } else { (i as isize) });
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
                        } else {
                            v10[81usize % 4] = (if (((v9 as i64) >= 62) & ((v2 as i64) < 71)) { (12u16 as i32) } else { 42i32.wrapping_div(((h as i64) as i32) | 1) });
                            v11 &= (((v11 as i64) as i64).min(((v9 as i64) as i64)) as isize);
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v9 as u64;
                        }
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v9 as u64;
                        v9 += 1;
                    }
                    let v14: usize = (if (((v9 as i64) < 44) || ((s as i64) < 22)) { ((v2 as i64) as usize) } else { (i ^ 38usize) });
                    let (mut v15, v16): (bool, i8) = (((h < s) & (v9 >= 22u16)), (((v14 as i64) as u8) as i8));
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
                }
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            y[i] = usize::MAX.max(i).min(i.wrapping_rem_euclid(i | 1)) ^ h as usize;
            z[i] = ((if ((v2 as i64) < 58) { ((i as i64) as f32) } else { ((v2 as i64) as f32) }) + (((s as i64) as f32) - (-0.1_f32))) * (h % 1000) as f32;
        }
    }

    pub fn serial(a: &[i8], b: &[u64], c: &[isize], s: u64, y: &mut [usize], z: &mut [f32]) {
        for i in 0..y.len() {
            let mut h: u64 = 7;
            let v1: i16 = ((i as i64) as i16).max((if ((s as i64) == 90) { ((b[i] as i64) as i16) } else { ((i as i64) as i16) }));
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            let v2: u32 = (if (if ((h as i64) < 57) { ((b[i] as i64) >= 40) } else { ((v1 as i64) == 21) }) { ((i as i64) as u32).wrapping_div_euclid(((i as i64) as u32) | 1) } else { (if ((s as i64) < 52) { ((i as i64) as u32) } else { ((i as i64) as u32) }) });
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            match usize::MIN.max(57usize) & 7 {
                0 => {
                    let mut v3: i32 = ((b[i] as i64) as i32).wrapping_rem((-55i32) | 1).wrapping_shr((v2 & 38u32));
                    v3 ^= ((30u32 & v2) as i32);
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                }
                1 | 2 => {
                    let (mut v4, v5): (isize, i64) = ((!(((v1 as i64) as isize) ^ c[i])), (if (((i as i64) as f64) < ((b[i] as i64) as f64)) { ((h as i64) as i64).wrapping_div_euclid(((s as i64) as i64) | 1) } else { (if ((h as i64) >= 78) { ((i as i64) as i64) } else { ((v1 as i64) as i64) }) }));
                    v4 |= v4.wrapping_shr(v2).max((a[i] as isize));
                    let v6: f32 = (((3.0e7_f32) + ((v2 as i64) as f32)) + (h as f32));
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
                }
                3..=5 => {
                    let v7: u16 = ((v2 as i64) as u16).wrapping_mul(((v2 as i64) as u16)).max((if ((i as i64) < 89) { ((v1 as i64) as u16) } else { ((s as i64) as u16) }));
                    let mut v8: u64 = (if (((b[i] as i64) as i32) > ((v2 as i64) as i32)) { b[i].saturating_sub(s) } else { (((i as i64) as isize) as u64) });
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v7 as u64;
                }
                _ => {
                    let mut v9: u16 = 0;
                    while v9 < 4 && (usize::MIN <= i.wrapping_sub(i)) {
                        let mut v10: [i32; 4] = [((b[i] as i64) as i32).wrapping_neg(), ((b[i] as i64) as i32), 65i32, 63i32.wrapping_sub(((s as i64) as i32))];
                        let mut v11: isize = c[i].wrapping_div((!79isize) | 1);
                        if (((i as i64) as i8).saturating_mul(((s as i64) as i8)) < 13i8.wrapping_shr(((v2 as i64) as u32))) {
                            let v12: u64 = b[i];
                            let mut v13: [i8; 5] = [i8::MAX.min(((s as i64) as i8)), (if ((s as i64) == 55) { 76i8 } else { ((v1 as i64) as i8) }), (((v12 as i64) as i8) & ((s as i64) as i8)), ((h as i64) as i8).wrapping_rem_euclid(a[i] | 1), ((h as i64) as i8).wrapping_sub(((v11 as i64) as i8))];
                            v11 &= (if ((v9 as i64) < 83) { 42isize } else { (i as isize) });
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
                        } else {
                            v10[81usize % 4] = (if (((v9 as i64) >= 62) & ((v2 as i64) < 71)) { (12u16 as i32) } else { 42i32.wrapping_div(((h as i64) as i32) | 1) });
                            v11 &= (((v11 as i64) as i64).min(((v9 as i64) as i64)) as isize);
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v9 as u64;
                        }
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v9 as u64;
                        v9 += 1;
                    }
                    let v14: usize = (if (((v9 as i64) < 44) || ((s as i64) < 22)) { ((v2 as i64) as usize) } else { (i ^ 38usize) });
                    let (mut v15, v16): (bool, i8) = (((h < s) & (v9 >= 22u16)), (((v14 as i64) as u8) as i8));
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
                }
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            y[i] = usize::MAX.max(i).min(i.wrapping_rem_euclid(i | 1)) ^ h as usize;
            z[i] = ((if ((v2 as i64) < 58) { ((i as i64) as f32) } else { ((v2 as i64) as f32) }) + (((s as i64) as f32) - (-0.1_f32))) * (h % 1000) as f32;
        }
    }
}
case! { body_1: i8 u64 isize usize f32 }

pub mod body_2 {
    #[omp::offload]
    pub fn device(d: usize, a: &[f32], b: &[usize], c: &[f32], s: usize, y: &mut [u64], z: &mut [i32]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..y.len() {
            let mut h: u64 = 7;
            let mut v1: [i32; 3] = [(((i as i64) as i32) | ((b[i] as i64) as i32)), ((b[i] as i64) as i32).swap_bytes(), ((h as i64) as i32)];
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            let mut v2: f64 = ((((b[i] as i64) as f64) * ((s as i64) as f64)) * (if ((b[i] as i64) == 67) { ((h as i64) as f64) } else { ((i as i64) as f64) }));
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            if ((u32::MAX == 76u32) || (if ((h as i64) == 44) { ((h as i64) < 91) } else { ((b[i] as i64) == 20) })) {
                let mut v3: u16 = 0;
                while v3 < 5 && (53i32.saturating_add(72i32) > v1[0]) {
                    match (if ((i as i64) >= 21) { i8::MAX.saturating_sub(19i8) } else { (-78i8) }) & 7 {
                        0 => {
                            let mut v4: usize = i;
                            let mut v5: [isize; 4] = [((v4 as i64) as isize), (-45isize).min(4isize), ((h as i64) as isize).max(((b[i] as i64) as isize)), (if ((v4 as i64) < 28) { ((s as i64) as isize) } else { ((s as i64) as isize) })];
                            let (mut v6, v7): (i32, i32) = (55i32.wrapping_sub(((i as i64) as i32)).wrapping_add(((b[i] as i64) as i32).wrapping_sub(v1[(i + 1) % 3])), (if ((v3 as i64) == 7) { ((v4 as i64) as i32) } else { ((v4 as i64) as i32) }).swap_bytes());
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v7 as u64;
                        }
                        1 | 2 => {
                            let v8: isize = (!9isize.wrapping_sub(((i as i64) as isize)));
                            let mut v9: u8 = 91u8;
                            v9 ^= ((h as i64) as u8).min(v9).rotate_right((((i as i64) as i16) as u32));
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
                        }
                        3..=5 => {
                            v2 -= ((((v3 as i64) as f64) * (-1.25_f64)) / (((s as i64) as f64) + ((h as i64) as f64)));
                            let v10: u32 = (if (((s as i64) as f32) != ((v3 as i64) as f32)) { (((s as i64) as u8) as u32) } else { ((i as i64) as u32) });
                            let v11: bool = (((h as i64) >= 86) || (((h as i64) < 71) | ((v10 as i64) == 88)));
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v10 as u64;
                        }
                        _ => {
                            v2 += ((usize::MIN as f64) * (usize::MIN as f64));
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
                        }
                    }
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
                    v3 += 1;
                }
                let mut v12: u64 = ((-59i64) as u64);
                let v13: (i8, i64) = ((if (((v3 as i64) < 7) || ((v3 as i64) >= 36)) { ((s as i64) as i8).min(((v12 as i64) as i8)) } else { (((v12 as i64) as i8) ^ i8::MIN) }), (!12i64).rotate_left(((h as i64) as u32)));
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v12 as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            y[i] = ((s as i64) as u64) ^ h as u64;
            z[i] = (-22i32) ^ h as i32;
        }
    }

    pub fn serial(a: &[f32], b: &[usize], c: &[f32], s: usize, y: &mut [u64], z: &mut [i32]) {
        for i in 0..y.len() {
            let mut h: u64 = 7;
            let mut v1: [i32; 3] = [(((i as i64) as i32) | ((b[i] as i64) as i32)), ((b[i] as i64) as i32).swap_bytes(), ((h as i64) as i32)];
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            let mut v2: f64 = ((((b[i] as i64) as f64) * ((s as i64) as f64)) * (if ((b[i] as i64) == 67) { ((h as i64) as f64) } else { ((i as i64) as f64) }));
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            if ((u32::MAX == 76u32) || (if ((h as i64) == 44) { ((h as i64) < 91) } else { ((b[i] as i64) == 20) })) {
                let mut v3: u16 = 0;
                while v3 < 5 && (53i32.saturating_add(72i32) > v1[0]) {
                    match (if ((i as i64) >= 21) { i8::MAX.saturating_sub(19i8) } else { (-78i8) }) & 7 {
                        0 => {
                            let mut v4: usize = i;
                            let mut v5: [isize; 4] = [((v4 as i64) as isize), (-45isize).min(4isize), ((h as i64) as isize).max(((b[i] as i64) as isize)), (if ((v4 as i64) < 28) { ((s as i64) as isize) } else { ((s as i64) as isize) })];
                            let (mut v6, v7): (i32, i32) = (55i32.wrapping_sub(((i as i64) as i32)).wrapping_add(((b[i] as i64) as i32).wrapping_sub(v1[(i + 1) % 3])), (if ((v3 as i64) == 7) { ((v4 as i64) as i32) } else { ((v4 as i64) as i32) }).swap_bytes());
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v7 as u64;
                        }
                        1 | 2 => {
                            let v8: isize = (!9isize.wrapping_sub(((i as i64) as isize)));
                            let mut v9: u8 = 91u8;
                            v9 ^= ((h as i64) as u8).min(v9).rotate_right((((i as i64) as i16) as u32));
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
                        }
                        3..=5 => {
                            v2 -= ((((v3 as i64) as f64) * (-1.25_f64)) / (((s as i64) as f64) + ((h as i64) as f64)));
                            let v10: u32 = (if (((s as i64) as f32) != ((v3 as i64) as f32)) { (((s as i64) as u8) as u32) } else { ((i as i64) as u32) });
                            let v11: bool = (((h as i64) >= 86) || (((h as i64) < 71) | ((v10 as i64) == 88)));
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v10 as u64;
                        }
                        _ => {
                            v2 += ((usize::MIN as f64) * (usize::MIN as f64));
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
                        }
                    }
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
                    v3 += 1;
                }
                let mut v12: u64 = ((-59i64) as u64);
                let v13: (i8, i64) = ((if (((v3 as i64) < 7) || ((v3 as i64) >= 36)) { ((s as i64) as i8).min(((v12 as i64) as i8)) } else { (((v12 as i64) as i8) ^ i8::MIN) }), (!12i64).rotate_left(((h as i64) as u32)));
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v12 as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            y[i] = ((s as i64) as u64) ^ h as u64;
            z[i] = (-22i32) ^ h as i32;
        }
    }
}
case! { body_2: f32 usize f32 u64 i32 }

pub mod body_3 {
    #[omp::offload]
    pub fn device(d: usize, a: &[u32], b: &[i64], c: &[u32], s: i64, y: &mut [u64], z: &mut [u32]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..y.len() {
            let mut h: u64 = 7;
            'v2: for v1 in 0..4 {
                let v1: i64 = v1;
                let mut v3: f32 = (0.5_f32);
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            let mut v4: f64 = ((h as f32) as f64);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v4 as u64;
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            v4 = ((if ((i as i64) >= 12) { s } else { s }) as f64);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            'v6: for v5 in (1..4).step_by(2) {
                let v5: usize = v5;
                v4 += ((((h as i64) as f64) + ((b[i] as i64) as f64)) + ((s as i64) as f64));
                let mut v7: u16 = (((v5 as i64) as usize) as u16).saturating_mul(((i as i64) as u16));
                'v9: for v8 in 1..5 {
                    let v8: u64 = v8;
                    if ((((s as i64) as i32) as i64) < 64i64.max(b[i])) { continue 'v9; }
                    match ((((v8 as i64) as i32) as u16) as u64) & 7 {
                        0 => {
                            let mut v10: i64 = b[i].swap_bytes().wrapping_div(s | 1);
                            let mut v11: [u32; 2] = [((h as i64) as u32); 2];
                            v11[(((v10 as i64) as isize) as usize) % 2] = ((i as i64) as u32).rotate_left(a[i]).wrapping_neg();
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v4 as u64;
                        }
                        1 | 2 => {
                            v4 *= ((((s as i64) as f64) - ((s as i64) as f64)) - v4);
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v7 as u64;
                        }
                        3..=5 => {
                            let mut v12: [isize; 5] = [(h as isize); 5];
                            let mut v13: [usize; 2] = [(((s as i64) as i32) as usize); 2];
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v4 as u64;
                        }
                        _ => {
                            let v14: u32 = ((i as i64) as u32).wrapping_shr(((s as i64) as u32)).reverse_bits();
                            let mut v15: [i64; 5] = [b[i].rotate_right(22u32).reverse_bits(); 5];
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v8 as u64;
                        }
                    }
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v5 as u64;
                }
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            y[i] = (if ((s as i64) < 85) { 52u64 } else { ((i as i64) as u64) }).wrapping_rem(h | 1) ^ h as u64;
            z[i] = ((!((s as i64) as u32)) & ((b[i] as i64) as u32).max(((b[i] as i64) as u32))) ^ h as u32;
        }
    }

    pub fn serial(a: &[u32], b: &[i64], c: &[u32], s: i64, y: &mut [u64], z: &mut [u32]) {
        for i in 0..y.len() {
            let mut h: u64 = 7;
            'v2: for v1 in 0..4 {
                let v1: i64 = v1;
                let mut v3: f32 = (0.5_f32);
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            let mut v4: f64 = ((h as f32) as f64);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v4 as u64;
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            v4 = ((if ((i as i64) >= 12) { s } else { s }) as f64);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            'v6: for v5 in (1..4).step_by(2) {
                let v5: usize = v5;
                v4 += ((((h as i64) as f64) + ((b[i] as i64) as f64)) + ((s as i64) as f64));
                let mut v7: u16 = (((v5 as i64) as usize) as u16).saturating_mul(((i as i64) as u16));
                'v9: for v8 in 1..5 {
                    let v8: u64 = v8;
                    if ((((s as i64) as i32) as i64) < 64i64.max(b[i])) { continue 'v9; }
                    match ((((v8 as i64) as i32) as u16) as u64) & 7 {
                        0 => {
                            let mut v10: i64 = b[i].swap_bytes().wrapping_div(s | 1);
                            let mut v11: [u32; 2] = [((h as i64) as u32); 2];
                            v11[(((v10 as i64) as isize) as usize) % 2] = ((i as i64) as u32).rotate_left(a[i]).wrapping_neg();
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v4 as u64;
                        }
                        1 | 2 => {
                            v4 *= ((((s as i64) as f64) - ((s as i64) as f64)) - v4);
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v7 as u64;
                        }
                        3..=5 => {
                            let mut v12: [isize; 5] = [(h as isize); 5];
                            let mut v13: [usize; 2] = [(((s as i64) as i32) as usize); 2];
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v4 as u64;
                        }
                        _ => {
                            let v14: u32 = ((i as i64) as u32).wrapping_shr(((s as i64) as u32)).reverse_bits();
                            let mut v15: [i64; 5] = [b[i].rotate_right(22u32).reverse_bits(); 5];
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v8 as u64;
                        }
                    }
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v5 as u64;
                }
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            y[i] = (if ((s as i64) < 85) { 52u64 } else { ((i as i64) as u64) }).wrapping_rem(h | 1) ^ h as u64;
            z[i] = ((!((s as i64) as u32)) & ((b[i] as i64) as u32).max(((b[i] as i64) as u32))) ^ h as u32;
        }
    }
}
case! { body_3: u32 i64 u32 u64 u32 }

pub mod body_4 {
    #[omp::offload]
    pub fn device(d: usize, a: &[i8], b: &[i64], c: &[i64], s: i64, y: &mut [f64], z: &mut [isize]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..y.len() {
            let mut h: u64 = 7;
            let mut v1: u64 = 0;
            while v1 < 5 && ((((b[i] as i64) >= 86) && ((i as i64) >= 8)) && (((h as i64) as f32) > ((b[i] as i64) as f32))) {
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
                v1 += 1;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            'v3: for v2 in (2..5).rev() {
                let v2: u32 = v2;
                if ((s as i64) == 56) { continue 'v3; }
                'v5: for v4 in 2..6 {
                    let v4: i16 = v4;
                    let mut v6: u64 = 0;
                    while v6 < 5 && ((((i as i64) == 4) || ((v1 as i64) < 28)) && (((v1 as i64) >= 20) | ((h as i64) < 43))) {
                        let mut v7: u32 = (if (((b[i] as i64) as f64) > ((h as i64) as f64)) { v2.rotate_right(((h as i64) as u32)) } else { (usize::MAX as u32) });
                        let (mut v8, v9): (usize, u32) = ((v4 as usize), (!v7));
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v7 as u64;
                        v6 += 1;
                    }
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v6 as u64;
                }
                let v10: isize = ((i as i64) as isize).reverse_bits().min(((h as i64) as isize).wrapping_sub(((s as i64) as isize)));
                let (mut v11, v12): (i32, u32) = ((if ((s as i64) >= 79) { 98i32 } else { ((v10 as i64) as i32) }).wrapping_rem_euclid(((s as i64) as i32).wrapping_shl(v2) | 1), ((s as i64) as u32));
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            match (a[i] & ((s as i64) as i8)).wrapping_neg() & 7 {
                0 => {
                    let v13: u64 = (s as u64).wrapping_div_euclid((!74u64) | 1);
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v13 as u64;
                }
                1 | 2 => {
                    if ((((i as i64) as f64) + (255.0_f64)) < (((b[i] as i64) as f64) / ((v1 as i64) as f64))) {
                        let v14: (u16, bool) = ((!(!74u16)), ((((s as i64) < 85) & ((i as i64) < 53)) || (((v1 as i64) == 17) | ((s as i64) == 2))));
                        let mut v15: bool = (((b[i] as i64) as i16).wrapping_rem(56i16 | 1) != (((i as i64) as i32) as i16));
                        v15 |= (((v14.0 as i64) == 52) ^ ((v1 as i64) == 26));
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v14.1 as u64;
                    } else {
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
                    }
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                }
                3..=5 => {
                    let v16: u64 = v1.wrapping_add(h.wrapping_shl(((v1 as i64) as u32)));
                    let mut v17: [i64; 3] = [(!b[i]), s.max(79i64), s.min(16i64)];
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
                }
                _ => {
                    let mut v18: i32 = (((b[i] as i64) as i16) as i32);
                    v18 |= v18;
                    v18 ^= (v18.saturating_sub(v18) ^ (((v1 as i64) as i16) as i32));
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
                }
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            y[i] = ((((i as i64) as f64) * ((i as i64) as f64)) / ((1.0_f64) as f64)) * (h % 1000) as f64;
            z[i] = ((b[i] as i64) as isize).saturating_mul(((h as i64) as isize)).wrapping_sub(((s as i64) as isize).saturating_mul(((i as i64) as isize))) ^ h as isize;
        }
    }

    pub fn serial(a: &[i8], b: &[i64], c: &[i64], s: i64, y: &mut [f64], z: &mut [isize]) {
        for i in 0..y.len() {
            let mut h: u64 = 7;
            let mut v1: u64 = 0;
            while v1 < 5 && ((((b[i] as i64) >= 86) && ((i as i64) >= 8)) && (((h as i64) as f32) > ((b[i] as i64) as f32))) {
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
                v1 += 1;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            'v3: for v2 in (2..5).rev() {
                let v2: u32 = v2;
                if ((s as i64) == 56) { continue 'v3; }
                'v5: for v4 in 2..6 {
                    let v4: i16 = v4;
                    let mut v6: u64 = 0;
                    while v6 < 5 && ((((i as i64) == 4) || ((v1 as i64) < 28)) && (((v1 as i64) >= 20) | ((h as i64) < 43))) {
                        let mut v7: u32 = (if (((b[i] as i64) as f64) > ((h as i64) as f64)) { v2.rotate_right(((h as i64) as u32)) } else { (usize::MAX as u32) });
                        let (mut v8, v9): (usize, u32) = ((v4 as usize), (!v7));
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v7 as u64;
                        v6 += 1;
                    }
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v6 as u64;
                }
                let v10: isize = ((i as i64) as isize).reverse_bits().min(((h as i64) as isize).wrapping_sub(((s as i64) as isize)));
                let (mut v11, v12): (i32, u32) = ((if ((s as i64) >= 79) { 98i32 } else { ((v10 as i64) as i32) }).wrapping_rem_euclid(((s as i64) as i32).wrapping_shl(v2) | 1), ((s as i64) as u32));
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            match (a[i] & ((s as i64) as i8)).wrapping_neg() & 7 {
                0 => {
                    let v13: u64 = (s as u64).wrapping_div_euclid((!74u64) | 1);
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v13 as u64;
                }
                1 | 2 => {
                    if ((((i as i64) as f64) + (255.0_f64)) < (((b[i] as i64) as f64) / ((v1 as i64) as f64))) {
                        let v14: (u16, bool) = ((!(!74u16)), ((((s as i64) < 85) & ((i as i64) < 53)) || (((v1 as i64) == 17) | ((s as i64) == 2))));
                        let mut v15: bool = (((b[i] as i64) as i16).wrapping_rem(56i16 | 1) != (((i as i64) as i32) as i16));
                        v15 |= (((v14.0 as i64) == 52) ^ ((v1 as i64) == 26));
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v14.1 as u64;
                    } else {
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
                    }
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                }
                3..=5 => {
                    let v16: u64 = v1.wrapping_add(h.wrapping_shl(((v1 as i64) as u32)));
                    let mut v17: [i64; 3] = [(!b[i]), s.max(79i64), s.min(16i64)];
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
                }
                _ => {
                    let mut v18: i32 = (((b[i] as i64) as i16) as i32);
                    v18 |= v18;
                    v18 ^= (v18.saturating_sub(v18) ^ (((v1 as i64) as i16) as i32));
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
                }
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            y[i] = ((((i as i64) as f64) * ((i as i64) as f64)) / ((1.0_f64) as f64)) * (h % 1000) as f64;
            z[i] = ((b[i] as i64) as isize).saturating_mul(((h as i64) as isize)).wrapping_sub(((s as i64) as isize).saturating_mul(((i as i64) as isize))) ^ h as isize;
        }
    }
}
case! { body_4: i8 i64 i64 f64 isize }

pub mod body_5 {
    #[omp::offload]
    pub fn device(d: usize, a: &[u32], b: &[u16], c: &[f64], s: u16, y: &mut [f32], z: &mut [i32]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..y.len() {
            let mut h: u64 = 7;
            let mut v1: [u8; 4] = [((b[i] as i64) as u8), (!((h as i64) as u8)), (if ((b[i] as i64) == 21) { ((i as i64) as u8) } else { ((i as i64) as u8) }), ((b[i] as i64) as u8)];
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            let v2: i32 = i32::MAX.saturating_mul(((s as i64) as i32)).wrapping_rem(((b[i] as i64) as i32).wrapping_add(((h as i64) as i32)) | 1);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
            let mut v3: f32 = (((-1.25_f32) / ((b[i] as i64) as f32)) as f32);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            let v4: isize = (((s as i64) as i32) as isize).rotate_left((if ((b[i] as i64) < 66) { ((v2 as i64) as u32) } else { ((v2 as i64) as u32) }));
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
            match (if (v2 > v2) { (!((s as i64) as u64)) } else { ((h as i64) as u64).wrapping_mul(u64::MIN) }) & 7 {
                0 => {
                    let mut v5: u64 = ((s as i64) as u64).wrapping_add(((s as i64) as u64));
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
                }
                1 | 2 => {
                    v3 /= v3;
                    v3 = (((-1.25_f32) * (0.0_f32)) / (if ((i as i64) >= 24) { v3 } else { (255.0_f32) }));
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
                }
                3..=5 => {
                    let v6: (i8, i8) = ((((v4 as i64) as i8) ^ ((h as i64) as i8)).reverse_bits(), ((b[i] as i64) as i8).wrapping_div_euclid(((v4 as i64) as i8) | 1).swap_bytes());
                    let mut v7: u64 = h;
                    'v9: for v8 in 0..=5 {
                        let v8: i64 = v8;
                        match (!(-52isize).wrapping_shr(((v8 as i64) as u32))) & 7 {
                            0 => {
                                let mut v10: i64 = (((s as i64) as u8) as i64);
                                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v10 as u64;
                            }
                            1 | 2 => {
                                let v11: (i32, i16) = ((!(if ((i as i64) == 3) { ((v4 as i64) as i32) } else { ((v6.1 as i64) as i32) })), (((v6.0 as i64) as i16) & ((i as i64) as i16)));
                                v7 ^= ((v2 | v2) as u64);
                                v1[(!i).max((i ^ ((b[i] as i64) as usize))) % 4] = (u64::MAX as u8).wrapping_mul(((v6.1 as i64) as u8).saturating_mul(u8::MIN));
                                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v6.1 as u64;
                            }
                            3..=5 => {
                                let v12: (f64, f64) = (((c[i] + ((s as i64) as f64)) - (((v6.1 as i64) as f64) * c[i])), ((((b[i] as i64) as f64) as f32) as f64));
                                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v6.1 as u64;
                            }
                            _ => {
                                v3 -= (v3 + (v3 / (1.0e-3_f32)));
                                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v8 as u64;
                            }
                        }
                        let mut v13: [u64; 4] = [(a[i] as u64).reverse_bits(); 4];
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v4 as u64;
                    }
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v6.1 as u64;
                }
                _ => {
                    let mut v14: [u8; 4] = [v1[(i + 2) % 4].saturating_add(((s as i64) as u8)), u8::MAX, ((v2 as i64) as u8).saturating_mul(((v2 as i64) as u8)), v1[(i + 0) % 4].saturating_add(((v4 as i64) as u8))];
                    v3 += (((h as i64) as f32) - (1.0e-3_f32));
                    let mut v15: u8 = (!v14[2]);
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v15 as u64;
                }
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            y[i] = (((v2 as i64) as f32) - (v3 * v3)) * (h % 1000) as f32;
            z[i] = v2 ^ h as i32;
        }
    }

    pub fn serial(a: &[u32], b: &[u16], c: &[f64], s: u16, y: &mut [f32], z: &mut [i32]) {
        for i in 0..y.len() {
            let mut h: u64 = 7;
            let mut v1: [u8; 4] = [((b[i] as i64) as u8), (!((h as i64) as u8)), (if ((b[i] as i64) == 21) { ((i as i64) as u8) } else { ((i as i64) as u8) }), ((b[i] as i64) as u8)];
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            let v2: i32 = i32::MAX.saturating_mul(((s as i64) as i32)).wrapping_rem(((b[i] as i64) as i32).wrapping_add(((h as i64) as i32)) | 1);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
            let mut v3: f32 = (((-1.25_f32) / ((b[i] as i64) as f32)) as f32);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            let v4: isize = (((s as i64) as i32) as isize).rotate_left((if ((b[i] as i64) < 66) { ((v2 as i64) as u32) } else { ((v2 as i64) as u32) }));
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
            match (if (v2 > v2) { (!((s as i64) as u64)) } else { ((h as i64) as u64).wrapping_mul(u64::MIN) }) & 7 {
                0 => {
                    let mut v5: u64 = ((s as i64) as u64).wrapping_add(((s as i64) as u64));
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
                }
                1 | 2 => {
                    v3 /= v3;
                    v3 = (((-1.25_f32) * (0.0_f32)) / (if ((i as i64) >= 24) { v3 } else { (255.0_f32) }));
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
                }
                3..=5 => {
                    let v6: (i8, i8) = ((((v4 as i64) as i8) ^ ((h as i64) as i8)).reverse_bits(), ((b[i] as i64) as i8).wrapping_div_euclid(((v4 as i64) as i8) | 1).swap_bytes());
                    let mut v7: u64 = h;
                    'v9: for v8 in 0..=5 {
                        let v8: i64 = v8;
                        match (!(-52isize).wrapping_shr(((v8 as i64) as u32))) & 7 {
                            0 => {
                                let mut v10: i64 = (((s as i64) as u8) as i64);
                                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v10 as u64;
                            }
                            1 | 2 => {
                                let v11: (i32, i16) = ((!(if ((i as i64) == 3) { ((v4 as i64) as i32) } else { ((v6.1 as i64) as i32) })), (((v6.0 as i64) as i16) & ((i as i64) as i16)));
                                v7 ^= ((v2 | v2) as u64);
                                v1[(!i).max((i ^ ((b[i] as i64) as usize))) % 4] = (u64::MAX as u8).wrapping_mul(((v6.1 as i64) as u8).saturating_mul(u8::MIN));
                                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v6.1 as u64;
                            }
                            3..=5 => {
                                let v12: (f64, f64) = (((c[i] + ((s as i64) as f64)) - (((v6.1 as i64) as f64) * c[i])), ((((b[i] as i64) as f64) as f32) as f64));
                                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v6.1 as u64;
                            }
                            _ => {
                                v3 -= (v3 + (v3 / (1.0e-3_f32)));
                                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v8 as u64;
                            }
                        }
                        let mut v13: [u64; 4] = [(a[i] as u64).reverse_bits(); 4];
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v4 as u64;
                    }
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v6.1 as u64;
                }
                _ => {
                    let mut v14: [u8; 4] = [v1[(i + 2) % 4].saturating_add(((s as i64) as u8)), u8::MAX, ((v2 as i64) as u8).saturating_mul(((v2 as i64) as u8)), v1[(i + 0) % 4].saturating_add(((v4 as i64) as u8))];
                    v3 += (((h as i64) as f32) - (1.0e-3_f32));
                    let mut v15: u8 = (!v14[2]);
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v15 as u64;
                }
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            y[i] = (((v2 as i64) as f32) - (v3 * v3)) * (h % 1000) as f32;
            z[i] = v2 ^ h as i32;
        }
    }
}
case! { body_5: u32 u16 f64 f32 i32 }

pub mod body_6 {
    #[omp::offload]
    pub fn device(d: usize, a: &[u64], b: &[u8], c: &[u16], s: u8, y: &mut [isize], z: &mut [usize]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..y.len() {
            let mut h: u64 = 7;
            let mut v1: [i32; 5] = [(!((b[i] as i64) as i32)), (((i as i64) as i32) & ((i as i64) as i32)), ((s as i64) as i32).wrapping_mul((-48i32)), i32::MAX.saturating_sub(((b[i] as i64) as i32)), 48i32.wrapping_mul(((i as i64) as i32))];
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            let mut v2: i16 = ((s as i64) as i16);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            if ((s as i64) >= 50) {
                let mut v3: u16 = (v1[(i + 0) % 5] as u16).saturating_mul((((i as i64) as isize) as u16));
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
            let v4: i64 = ((h as i64) as i64);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v4 as u64;
            'v6: for v5 in 0..5 {
                let v5: u16 = v5;
                if (if ((v5 as i64) < 53) { (((i as i64) >= 96) ^ ((v2 as i64) == 49)) } else { (((v4 as i64) >= 61) | ((s as i64) < 15)) }) { break 'v6; }
                let v7: (i16, isize) = (((b[i] as i64) as i16).wrapping_sub(64i16.wrapping_mul(i16::MIN)), (((i as i64) as i32).wrapping_neg() as isize));
                v1[(!i).wrapping_rem(i | 1) % 5] = (i32::MIN.wrapping_shl(((v4 as i64) as u32)) & (!((v5 as i64) as i32)));
                'v9: for v8 in (0..4).step_by(2) {
                    let v8: u32 = v8;
                    match (if ((h as i64) >= 53) { (i16::MAX as u64) } else { h.rotate_right(((v5 as i64) as u32)) }) & 7 {
                        0 => {
                            let mut v10: isize = v7.1.wrapping_mul((if ((b[i] as i64) == 68) { v7.1 } else { ((v5 as i64) as isize) }));
                            let mut v11: u64 = (if ((h as i64) < 52) { h } else { a[i] }).wrapping_add(u64::MAX);
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v10 as u64;
                        }
                        1 | 2 => {
                            v2 |= (-87i16);
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v4 as u64;
                        }
                        3..=5 => {
                            let v12: isize = ((h as i64) as isize).wrapping_mul(((i as i64) as isize)).wrapping_rem((45u8 as isize) | 1);
                            let v13: u64 = 41u64.wrapping_rem_euclid((!a[i]) | 1);
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v8 as u64;
                        }
                        _ => {
                            v2 = ((3.0e7_f32) as i16);
                            let v14: (i8, u64) = (((v5 >= c[i]) as i8), (if (((b[i] as i64) >= 73) || ((i as i64) >= 22)) { (i as u64) } else { (((v7.0 as i64) as i32) as u64) }));
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v7.1 as u64;
                        }
                    }
                    let mut v15: [u32; 4] = [(!u32::MIN), (!v8), (u32::MAX ^ u32::MIN), 51u32.rotate_right(v8)];
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v8 as u64;
                }
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v4 as u64;
            y[i] = (if (((b[i] as i64) < 75) && ((h as i64) < 31)) { (!((h as i64) as isize)) } else { ((s as i64) as isize).wrapping_neg() }) ^ h as isize;
            z[i] = (((b[i] as i64) as i8) as usize) ^ h as usize;
        }
    }

    pub fn serial(a: &[u64], b: &[u8], c: &[u16], s: u8, y: &mut [isize], z: &mut [usize]) {
        for i in 0..y.len() {
            let mut h: u64 = 7;
            let mut v1: [i32; 5] = [(!((b[i] as i64) as i32)), (((i as i64) as i32) & ((i as i64) as i32)), ((s as i64) as i32).wrapping_mul((-48i32)), i32::MAX.saturating_sub(((b[i] as i64) as i32)), 48i32.wrapping_mul(((i as i64) as i32))];
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            let mut v2: i16 = ((s as i64) as i16);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            if ((s as i64) >= 50) {
                let mut v3: u16 = (v1[(i + 0) % 5] as u16).saturating_mul((((i as i64) as isize) as u16));
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
            let v4: i64 = ((h as i64) as i64);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v4 as u64;
            'v6: for v5 in 0..5 {
                let v5: u16 = v5;
                if (if ((v5 as i64) < 53) { (((i as i64) >= 96) ^ ((v2 as i64) == 49)) } else { (((v4 as i64) >= 61) | ((s as i64) < 15)) }) { break 'v6; }
                let v7: (i16, isize) = (((b[i] as i64) as i16).wrapping_sub(64i16.wrapping_mul(i16::MIN)), (((i as i64) as i32).wrapping_neg() as isize));
                v1[(!i).wrapping_rem(i | 1) % 5] = (i32::MIN.wrapping_shl(((v4 as i64) as u32)) & (!((v5 as i64) as i32)));
                'v9: for v8 in (0..4).step_by(2) {
                    let v8: u32 = v8;
                    match (if ((h as i64) >= 53) { (i16::MAX as u64) } else { h.rotate_right(((v5 as i64) as u32)) }) & 7 {
                        0 => {
                            let mut v10: isize = v7.1.wrapping_mul((if ((b[i] as i64) == 68) { v7.1 } else { ((v5 as i64) as isize) }));
                            let mut v11: u64 = (if ((h as i64) < 52) { h } else { a[i] }).wrapping_add(u64::MAX);
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v10 as u64;
                        }
                        1 | 2 => {
                            v2 |= (-87i16);
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v4 as u64;
                        }
                        3..=5 => {
                            let v12: isize = ((h as i64) as isize).wrapping_mul(((i as i64) as isize)).wrapping_rem((45u8 as isize) | 1);
                            let v13: u64 = 41u64.wrapping_rem_euclid((!a[i]) | 1);
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v8 as u64;
                        }
                        _ => {
                            v2 = ((3.0e7_f32) as i16);
                            let v14: (i8, u64) = (((v5 >= c[i]) as i8), (if (((b[i] as i64) >= 73) || ((i as i64) >= 22)) { (i as u64) } else { (((v7.0 as i64) as i32) as u64) }));
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v7.1 as u64;
                        }
                    }
                    let mut v15: [u32; 4] = [(!u32::MIN), (!v8), (u32::MAX ^ u32::MIN), 51u32.rotate_right(v8)];
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v8 as u64;
                }
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v4 as u64;
            y[i] = (if (((b[i] as i64) < 75) && ((h as i64) < 31)) { (!((h as i64) as isize)) } else { ((s as i64) as isize).wrapping_neg() }) ^ h as isize;
            z[i] = (((b[i] as i64) as i8) as usize) ^ h as usize;
        }
    }
}
case! { body_6: u64 u8 u16 isize usize }

pub mod body_7 {
    #[omp::offload]
    pub fn device(d: usize, a: &[u64], b: &[i32], c: &[i32], s: i32, y: &mut [i16], z: &mut [u32]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..y.len() {
            let mut h: u64 = 7;
            let mut v1: [i8; 5] = [(((b[i] as i64) >= 5) as i8), (u8::MAX as i8), (if ((s as i64) == 59) { ((i as i64) as i8) } else { ((h as i64) as i8) }), (if ((h as i64) >= 80) { (-2i8) } else { i8::MIN }), ((h as i64) as i8).wrapping_add(((s as i64) as i8))];
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            let mut v2: [i32; 2] = [i32::MAX.wrapping_rem(27i32 | 1), s.wrapping_neg()];
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            let v3: i16 = ((i as i64) as i16);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            'v5: for v4 in (2..6).step_by(2) {
                let v4: i32 = v4;
                if (if (((s as i64) as u16) <= ((b[i] as i64) as u16)) { (i <= ((b[i] as i64) as usize)) } else { ((v4 as i64) == 24) }) { continue 'v5; }
                match (35isize ^ isize::MAX).wrapping_rem(((v3 as i64) as isize) | 1) & 7 {
                    0 => {
                        'v7: for v6 in (0..2).rev() {
                            let v6: u16 = v6;
                            let mut v8: i16 = (!v3.wrapping_div_euclid(v3 | 1));
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
                        }
                        let v9: u32 = (v4 as u32).saturating_add(((v3 as i64) as u32).swap_bytes());
                        let v10: u64 = h;
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
                    }
                    1 | 2 => {
                        if (((b[i] as i64) as u32).min(71u32) <= 70u32.wrapping_mul(((h as i64) as u32))) {
                            let mut v11: u16 = (if (if ((i as i64) >= 99) { ((s as i64) >= 1) } else { ((i as i64) < 92) }) { 84u16 } else { ((v4 as i64) as u16).saturating_add(((h as i64) as u16)) });
                            let mut v12: usize = ((v3 as i64) as usize).min(i.wrapping_mul(i));
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v11 as u64;
                        } else {
                            let v13: isize = (((b[i] as i64) as i64) as isize).saturating_sub(((-50i8) as isize));
                            let mut v14: i32 = (-21i32).wrapping_rem(51i32 | 1).wrapping_shl(((s as i64) as u32));
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v14 as u64;
                        }
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
                    }
                    3..=5 => {
                        let (mut v15, v16): (bool, usize) = (((((b[i] as i64) < 27) ^ ((b[i] as i64) >= 76)) | (((b[i] as i64) < 91) || ((h as i64) < 6))), 61usize.reverse_bits().saturating_sub(7usize.rotate_left(14u32)));
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v16 as u64;
                    }
                    _ => {
                        let v17: i8 = (((i as i64) as i8).max(((v3 as i64) as i8)) & (((s as i64) as i8) | 27i8));
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
                    }
                }
                let mut v18: u64 = ((s as i16) as u64);
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
            y[i] = 7i16.max(v3).saturating_add((!v3)) ^ h as i16;
            z[i] = ((s as i64) as u32) ^ h as u32;
        }
    }

    pub fn serial(a: &[u64], b: &[i32], c: &[i32], s: i32, y: &mut [i16], z: &mut [u32]) {
        for i in 0..y.len() {
            let mut h: u64 = 7;
            let mut v1: [i8; 5] = [(((b[i] as i64) >= 5) as i8), (u8::MAX as i8), (if ((s as i64) == 59) { ((i as i64) as i8) } else { ((h as i64) as i8) }), (if ((h as i64) >= 80) { (-2i8) } else { i8::MIN }), ((h as i64) as i8).wrapping_add(((s as i64) as i8))];
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            let mut v2: [i32; 2] = [i32::MAX.wrapping_rem(27i32 | 1), s.wrapping_neg()];
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            let v3: i16 = ((i as i64) as i16);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            'v5: for v4 in (2..6).step_by(2) {
                let v4: i32 = v4;
                if (if (((s as i64) as u16) <= ((b[i] as i64) as u16)) { (i <= ((b[i] as i64) as usize)) } else { ((v4 as i64) == 24) }) { continue 'v5; }
                match (35isize ^ isize::MAX).wrapping_rem(((v3 as i64) as isize) | 1) & 7 {
                    0 => {
                        'v7: for v6 in (0..2).rev() {
                            let v6: u16 = v6;
                            let mut v8: i16 = (!v3.wrapping_div_euclid(v3 | 1));
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
                        }
                        let v9: u32 = (v4 as u32).saturating_add(((v3 as i64) as u32).swap_bytes());
                        let v10: u64 = h;
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
                    }
                    1 | 2 => {
                        if (((b[i] as i64) as u32).min(71u32) <= 70u32.wrapping_mul(((h as i64) as u32))) {
                            let mut v11: u16 = (if (if ((i as i64) >= 99) { ((s as i64) >= 1) } else { ((i as i64) < 92) }) { 84u16 } else { ((v4 as i64) as u16).saturating_add(((h as i64) as u16)) });
                            let mut v12: usize = ((v3 as i64) as usize).min(i.wrapping_mul(i));
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v11 as u64;
                        } else {
                            let v13: isize = (((b[i] as i64) as i64) as isize).saturating_sub(((-50i8) as isize));
                            let mut v14: i32 = (-21i32).wrapping_rem(51i32 | 1).wrapping_shl(((s as i64) as u32));
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v14 as u64;
                        }
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
                    }
                    3..=5 => {
                        let (mut v15, v16): (bool, usize) = (((((b[i] as i64) < 27) ^ ((b[i] as i64) >= 76)) | (((b[i] as i64) < 91) || ((h as i64) < 6))), 61usize.reverse_bits().saturating_sub(7usize.rotate_left(14u32)));
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v16 as u64;
                    }
                    _ => {
                        let v17: i8 = (((i as i64) as i8).max(((v3 as i64) as i8)) & (((s as i64) as i8) | 27i8));
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
                    }
                }
                let mut v18: u64 = ((s as i16) as u64);
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
            y[i] = 7i16.max(v3).saturating_add((!v3)) ^ h as i16;
            z[i] = ((s as i64) as u32) ^ h as u32;
        }
    }
}
case! { body_7: u64 i32 i32 i16 u32 }

pub mod body_8 {
    #[omp::offload]
    pub fn device(d: usize, a: &[usize], b: &[i32], c: &[i16], s: i32, y: &mut [i32], z: &mut [i32]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..y.len() {
            let mut h: u64 = 7;
            if ((h as i64) >= 72) {
                if (((-30isize) != ((s as i64) as isize)) ^ (((b[i] as i64) >= 14) ^ ((s as i64) < 61))) {
                    'v2: for v1 in 1..=4 {
                        let v1: isize = v1;
                        let v3: f32 = (s as f32);
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
                    }
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
                } else {
                    let mut v4: [u32; 2] = [(((h as i64) as u32) ^ 41u32.saturating_mul(85u32)); 2];
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
                }
                let mut v5: i8 = 0;
                while v5 < 4 && ((s as i64) == 72) {
                    let mut v6: u16 = 0;
                    while v6 < 6 && (40u32.wrapping_shr(15u32) == (if ((h as i64) >= 26) { ((i as i64) as u32) } else { u32::MAX })) {
                        let mut v7: i8 = 66i8.rotate_right((u32::MIN ^ ((s as i64) as u32)));
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v7 as u64;
                        v6 += 1;
                    }
                    let mut v8: i32 = 0;
                    while v8 < 6 && ((v6 as i64) >= 47) {
                        let v9: u8 = (4u8 | ((v5 as i64) as u8)).wrapping_rem_euclid((((i as i64) as u8) as u8) | 1);
                        let mut v10: i64 = (v9 as i64).wrapping_div(26i64 | 1);
                        let v11: (bool, i32) = ((((b[i] as i64) as u32).wrapping_shr(((v8 as i64) as u32)) != 10u32.wrapping_shl(32u32)), (b[i] & b[i]).wrapping_add(57i32));
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v8 as u64;
                        v8 += 1;
                    }
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                    v5 += 1;
                }
                let mut v12: [u32; 4] = [(((v5 as i64) as f64) as u32).max(41u32.rotate_right(((h as i64) as u32))); 4];
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v5 as u64;
            } else {
                let mut v13: [i8; 4] = [((h as i64) as i8).min(((s as i64) as i8)).wrapping_shr(((h as i64) as u32)); 4];
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            y[i] = ((((b[i] as i64) as f64) <= (-0.1_f64)) as i32) ^ h as i32;
            z[i] = b[i] ^ h as i32;
        }
    }

    pub fn serial(a: &[usize], b: &[i32], c: &[i16], s: i32, y: &mut [i32], z: &mut [i32]) {
        for i in 0..y.len() {
            let mut h: u64 = 7;
            if ((h as i64) >= 72) {
                if (((-30isize) != ((s as i64) as isize)) ^ (((b[i] as i64) >= 14) ^ ((s as i64) < 61))) {
                    'v2: for v1 in 1..=4 {
                        let v1: isize = v1;
                        let v3: f32 = (s as f32);
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
                    }
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
                } else {
                    let mut v4: [u32; 2] = [(((h as i64) as u32) ^ 41u32.saturating_mul(85u32)); 2];
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
                }
                let mut v5: i8 = 0;
                while v5 < 4 && ((s as i64) == 72) {
                    let mut v6: u16 = 0;
                    while v6 < 6 && (40u32.wrapping_shr(15u32) == (if ((h as i64) >= 26) { ((i as i64) as u32) } else { u32::MAX })) {
                        let mut v7: i8 = 66i8.rotate_right((u32::MIN ^ ((s as i64) as u32)));
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v7 as u64;
                        v6 += 1;
                    }
                    let mut v8: i32 = 0;
                    while v8 < 6 && ((v6 as i64) >= 47) {
                        let v9: u8 = (4u8 | ((v5 as i64) as u8)).wrapping_rem_euclid((((i as i64) as u8) as u8) | 1);
                        let mut v10: i64 = (v9 as i64).wrapping_div(26i64 | 1);
                        let v11: (bool, i32) = ((((b[i] as i64) as u32).wrapping_shr(((v8 as i64) as u32)) != 10u32.wrapping_shl(32u32)), (b[i] & b[i]).wrapping_add(57i32));
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v8 as u64;
                        v8 += 1;
                    }
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                    v5 += 1;
                }
                let mut v12: [u32; 4] = [(((v5 as i64) as f64) as u32).max(41u32.rotate_right(((h as i64) as u32))); 4];
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v5 as u64;
            } else {
                let mut v13: [i8; 4] = [((h as i64) as i8).min(((s as i64) as i8)).wrapping_shr(((h as i64) as u32)); 4];
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            y[i] = ((((b[i] as i64) as f64) <= (-0.1_f64)) as i32) ^ h as i32;
            z[i] = b[i] ^ h as i32;
        }
    }
}
case! { body_8: usize i32 i16 i32 i32 }

pub mod body_9 {
    #[omp::offload]
    pub fn device(d: usize, a: &[u64], b: &[u8], c: &[u64], s: u8, y: &mut [u8], z: &mut [u8]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..y.len() {
            let mut h: u64 = 7;
            if (((h as i64) as i64).rotate_left(((h as i64) as u32)) >= ((b[i] as i64) as i64).saturating_mul(((h as i64) as i64))) {
                'v2: for v1 in 1..=4 {
                    let v1: i32 = v1;
                    if (11i16.wrapping_mul(i16::MAX) <= ((s as i64) as i16)) { continue 'v2; }
                    match ((((s as i64) as isize) as isize) | 53isize) & 7 {
                        0 => {
                            let mut v3: f32 = ((255.0_f32) * ((h as i64) as f32));
                            let v4: i16 = (if (((s as i64) as u16) == ((h as i64) as u16)) { (if ((s as i64) == 65) { ((i as i64) as i16) } else { i16::MAX }) } else { (v3 as i16) });
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
                        }
                        1 | 2 => {
                            let v5: u16 = 3u16.max(((b[i] as i64) as u16).wrapping_add(((h as i64) as u16)));
                            let v6: u32 = (i as u32).max(((b[i] as i64) as u32).wrapping_div_euclid(((v5 as i64) as u32) | 1));
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                        }
                        3..=5 => {
                            let mut v7: bool = ((!83i32) < (((s as i64) as f64) as i32));
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                        }
                        _ => {
                            let mut v8: [i32; 3] = [((i as i64) as i32).wrapping_div_euclid(v1 | 1); 3];
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                        }
                    }
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
                }
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            } else {
                'v10: for v9 in 2..4 {
                    let v9: i32 = v9;
                    match (if ((i as i64) >= 25) { ((h as i64) as i16) } else { ((h as i64) as i16) }).wrapping_mul(((h as i64) as i16).wrapping_add(((s as i64) as i16))) & 7 {
                        0 => {
                            let v11: i16 = ((i as i64) as i16).rotate_left(((h as i64) as u32).wrapping_add(u32::MIN));
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                        }
                        1 | 2 => {
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
                        }
                        3..=5 => {
                            let v12: u32 = ((s as i64) as u32).saturating_mul(((s as i64) as u32)).wrapping_mul(((b[i] as i64) as u32).saturating_add(u32::MIN));
                            let v13: u64 = 86u64.wrapping_add((60u64 & c[i]));
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                        }
                        _ => {
                            let v14: u32 = (((i as i64) as i32) as u32).wrapping_shl((((b[i] as i64) as i8) as u32));
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v14 as u64;
                        }
                    }
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                }
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            y[i] = s.wrapping_sub(b[i]).min(s) ^ h as u8;
            z[i] = s ^ h as u8;
        }
    }

    pub fn serial(a: &[u64], b: &[u8], c: &[u64], s: u8, y: &mut [u8], z: &mut [u8]) {
        for i in 0..y.len() {
            let mut h: u64 = 7;
            if (((h as i64) as i64).rotate_left(((h as i64) as u32)) >= ((b[i] as i64) as i64).saturating_mul(((h as i64) as i64))) {
                'v2: for v1 in 1..=4 {
                    let v1: i32 = v1;
                    if (11i16.wrapping_mul(i16::MAX) <= ((s as i64) as i16)) { continue 'v2; }
                    match ((((s as i64) as isize) as isize) | 53isize) & 7 {
                        0 => {
                            let mut v3: f32 = ((255.0_f32) * ((h as i64) as f32));
                            let v4: i16 = (if (((s as i64) as u16) == ((h as i64) as u16)) { (if ((s as i64) == 65) { ((i as i64) as i16) } else { i16::MAX }) } else { (v3 as i16) });
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
                        }
                        1 | 2 => {
                            let v5: u16 = 3u16.max(((b[i] as i64) as u16).wrapping_add(((h as i64) as u16)));
                            let v6: u32 = (i as u32).max(((b[i] as i64) as u32).wrapping_div_euclid(((v5 as i64) as u32) | 1));
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                        }
                        3..=5 => {
                            let mut v7: bool = ((!83i32) < (((s as i64) as f64) as i32));
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                        }
                        _ => {
                            let mut v8: [i32; 3] = [((i as i64) as i32).wrapping_div_euclid(v1 | 1); 3];
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                        }
                    }
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
                }
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            } else {
                'v10: for v9 in 2..4 {
                    let v9: i32 = v9;
                    match (if ((i as i64) >= 25) { ((h as i64) as i16) } else { ((h as i64) as i16) }).wrapping_mul(((h as i64) as i16).wrapping_add(((s as i64) as i16))) & 7 {
                        0 => {
                            let v11: i16 = ((i as i64) as i16).rotate_left(((h as i64) as u32).wrapping_add(u32::MIN));
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                        }
                        1 | 2 => {
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
                        }
                        3..=5 => {
                            let v12: u32 = ((s as i64) as u32).saturating_mul(((s as i64) as u32)).wrapping_mul(((b[i] as i64) as u32).saturating_add(u32::MIN));
                            let v13: u64 = 86u64.wrapping_add((60u64 & c[i]));
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                        }
                        _ => {
                            let v14: u32 = (((i as i64) as i32) as u32).wrapping_shl((((b[i] as i64) as i8) as u32));
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v14 as u64;
                        }
                    }
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                }
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            y[i] = s.wrapping_sub(b[i]).min(s) ^ h as u8;
            z[i] = s ^ h as u8;
        }
    }
}
case! { body_9: u64 u8 u64 u8 u8 }

pub mod body_10 {
    #[omp::offload]
    pub fn device(d: usize, a: &[u8], b: &[i8], c: &[i8], s: i8, y: &mut [usize], z: &mut [i32]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..y.len() {
            let mut h: u64 = 7;
            'v2: for v1 in 2..=7 {
                let v1: i64 = v1;
                let mut v3: u32 = (if ((h as i64) < 18) { ((s as i64) as u32) } else { u32::MAX }).saturating_mul(u32::MAX);
                v3 ^= (((v1 as i64) as isize) as u32);
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            let mut v4: u16 = (3u16 | ((s as i64) as u16)).wrapping_add((if ((b[i] as i64) >= 26) { ((h as i64) as u16) } else { ((h as i64) as u16) }));
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            let mut v5: usize = (!i.saturating_add(((v4 as i64) as usize)));
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v4 as u64;
            if (((s as i64) == 69) && (if ((b[i] as i64) < 48) { ((i as i64) < 74) } else { ((v5 as i64) < 27) })) {
                let mut v6: isize = ((i as i64) as isize);
                let mut v7: i32 = (((0.5_f32) as i8) as i32);
                let mut v8: isize = 0;
                while v8 < 6 && (87i32 >= (!v7)) {
                    'v10: for v9 in 0..5 {
                        let v9: usize = v9;
                        if ((s as i64) == 42) { break 'v10; }
                        v6 = (v6.wrapping_mul(v6) ^ (v7 as isize));
                        let v11: (u32, u8) = ((!((v4 as i64) as u32)).swap_bytes(), u8::MIN.wrapping_add(((h as i64) as u8)).wrapping_rem(((v6 as i64) as u8).wrapping_add(((v5 as i64) as u8)) | 1));
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v9 as u64;
                    }
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v6 as u64;
                    v8 += 1;
                }
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v4 as u64;
            } else {
                let mut v12: i32 = (if ((s as i64) < 70) { ((v5 as i64) as i32) } else { ((i as i64) as i32) }).rotate_right((((s as i64) as u32) as u32));
                v4 ^= (if ((b[i] as i64) == 3) { 11u16 } else { ((v5 as i64) as u16) }).saturating_mul(((b[i] as i64) as u16).saturating_mul(v4));
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v4 as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            y[i] = i.wrapping_neg() ^ h as usize;
            z[i] = (((v5 as i64) as i32) as i32).saturating_mul(((b[i] as i64) as i32).reverse_bits()) ^ h as i32;
        }
    }

    pub fn serial(a: &[u8], b: &[i8], c: &[i8], s: i8, y: &mut [usize], z: &mut [i32]) {
        for i in 0..y.len() {
            let mut h: u64 = 7;
            'v2: for v1 in 2..=7 {
                let v1: i64 = v1;
                let mut v3: u32 = (if ((h as i64) < 18) { ((s as i64) as u32) } else { u32::MAX }).saturating_mul(u32::MAX);
                v3 ^= (((v1 as i64) as isize) as u32);
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            let mut v4: u16 = (3u16 | ((s as i64) as u16)).wrapping_add((if ((b[i] as i64) >= 26) { ((h as i64) as u16) } else { ((h as i64) as u16) }));
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            let mut v5: usize = (!i.saturating_add(((v4 as i64) as usize)));
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v4 as u64;
            if (((s as i64) == 69) && (if ((b[i] as i64) < 48) { ((i as i64) < 74) } else { ((v5 as i64) < 27) })) {
                let mut v6: isize = ((i as i64) as isize);
                let mut v7: i32 = (((0.5_f32) as i8) as i32);
                let mut v8: isize = 0;
                while v8 < 6 && (87i32 >= (!v7)) {
                    'v10: for v9 in 0..5 {
                        let v9: usize = v9;
                        if ((s as i64) == 42) { break 'v10; }
                        v6 = (v6.wrapping_mul(v6) ^ (v7 as isize));
                        let v11: (u32, u8) = ((!((v4 as i64) as u32)).swap_bytes(), u8::MIN.wrapping_add(((h as i64) as u8)).wrapping_rem(((v6 as i64) as u8).wrapping_add(((v5 as i64) as u8)) | 1));
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v9 as u64;
                    }
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v6 as u64;
                    v8 += 1;
                }
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v4 as u64;
            } else {
                let mut v12: i32 = (if ((s as i64) < 70) { ((v5 as i64) as i32) } else { ((i as i64) as i32) }).rotate_right((((s as i64) as u32) as u32));
                v4 ^= (if ((b[i] as i64) == 3) { 11u16 } else { ((v5 as i64) as u16) }).saturating_mul(((b[i] as i64) as u16).saturating_mul(v4));
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v4 as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            y[i] = i.wrapping_neg() ^ h as usize;
            z[i] = (((v5 as i64) as i32) as i32).saturating_mul(((b[i] as i64) as i32).reverse_bits()) ^ h as i32;
        }
    }
}
case! { body_10: u8 i8 i8 usize i32 }

pub mod body_11 {
    #[omp::offload]
    pub fn device(d: usize, a: &[i16], b: &[i64], c: &[i8], s: i64, y: &mut [i8], z: &mut [i16]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..y.len() {
            let mut h: u64 = 7;
            let mut v1: i16 = 29i16;
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            v1 ^= i16::MAX.saturating_sub(99i16.wrapping_neg());
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            let v2: isize = (((i as i64) as u32) as isize);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            'v4: for v3 in 0..1 {
                let v3: isize = v3;
                'v6: for v5 in (2..5).step_by(2) {
                    let v5: u64 = v5;
                    if (v1.wrapping_neg() <= (if ((v5 as i64) == 23) { v1 } else { v1 })) {
                        let v7: i8 = (!(((i as i64) == 99) as i8));
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v5 as u64;
                    } else {
                        let mut v8: [isize; 3] = [v2; 3];
                        let v9: i64 = (if ((v1 as i64) >= 23) { 60i64 } else { i64::MAX }).wrapping_shr((if ((h as i64) == 40) { ((s as i64) as u32) } else { ((h as i64) as u32) }));
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
                    }
                    v1 = (((v5 as i64) as i32) as i16);
                    if ((((b[i] as i64) >= 24) | ((h as i64) == 80)) ^ (v1 >= v1)) {
                        v1 &= ((255.0_f32) as i16);
                        let (mut v10, v11): (u64, usize) = ((!1u64.reverse_bits()), (!i).wrapping_shl(28u32.wrapping_add(u32::MAX)));
                        let mut v12: [u32; 3] = [((i as i64) as u32).rotate_left(((v5 as i64) as u32)).wrapping_rem_euclid(((v3 as i64) as u32).swap_bytes() | 1); 3];
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v5 as u64;
                    }
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v5 as u64;
                }
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
            y[i] = (c[i] & (-71i8).saturating_sub(((h as i64) as i8))) ^ h as i8;
            z[i] = 41i16.wrapping_add(i16::MAX.rotate_left(((h as i64) as u32))) ^ h as i16;
        }
    }

    pub fn serial(a: &[i16], b: &[i64], c: &[i8], s: i64, y: &mut [i8], z: &mut [i16]) {
        for i in 0..y.len() {
            let mut h: u64 = 7;
            let mut v1: i16 = 29i16;
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            v1 ^= i16::MAX.saturating_sub(99i16.wrapping_neg());
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            let v2: isize = (((i as i64) as u32) as isize);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            'v4: for v3 in 0..1 {
                let v3: isize = v3;
                'v6: for v5 in (2..5).step_by(2) {
                    let v5: u64 = v5;
                    if (v1.wrapping_neg() <= (if ((v5 as i64) == 23) { v1 } else { v1 })) {
                        let v7: i8 = (!(((i as i64) == 99) as i8));
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v5 as u64;
                    } else {
                        let mut v8: [isize; 3] = [v2; 3];
                        let v9: i64 = (if ((v1 as i64) >= 23) { 60i64 } else { i64::MAX }).wrapping_shr((if ((h as i64) == 40) { ((s as i64) as u32) } else { ((h as i64) as u32) }));
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
                    }
                    v1 = (((v5 as i64) as i32) as i16);
                    if ((((b[i] as i64) >= 24) | ((h as i64) == 80)) ^ (v1 >= v1)) {
                        v1 &= ((255.0_f32) as i16);
                        let (mut v10, v11): (u64, usize) = ((!1u64.reverse_bits()), (!i).wrapping_shl(28u32.wrapping_add(u32::MAX)));
                        let mut v12: [u32; 3] = [((i as i64) as u32).rotate_left(((v5 as i64) as u32)).wrapping_rem_euclid(((v3 as i64) as u32).swap_bytes() | 1); 3];
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v5 as u64;
                    }
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v5 as u64;
                }
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
            y[i] = (c[i] & (-71i8).saturating_sub(((h as i64) as i8))) ^ h as i8;
            z[i] = 41i16.wrapping_add(i16::MAX.rotate_left(((h as i64) as u32))) ^ h as i16;
        }
    }
}
case! { body_11: i16 i64 i8 i8 i16 }

pub mod body_12 {
    #[omp::offload]
    pub fn device(d: usize, a: &[u16], b: &[u16], c: &[u32], s: u16, y: &mut [i64], z: &mut [u64]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..y.len() {
            let mut h: u64 = 7;
            'v2: for v1 in (2..3).rev() {
                let v1: u64 = v1;
                let mut v3: i32 = ((((v1 as i64) < 63) ^ ((h as i64) == 53)) as i32);
                let mut v4: u8 = ((v3 as i64) as u8).saturating_mul(((h as i64) as u8)).max(((b[i] as i64) as u8).wrapping_sub(((b[i] as i64) as u8)));
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            let mut v5: i8 = ((s as i64) as i8).wrapping_neg();
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            v5 ^= (s as i8);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            v5 ^= (if ((s as i64) == 99) { v5 } else { v5 }).reverse_bits();
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            if ((if ((v5 as i64) < 22) { v5 } else { ((h as i64) as i8) }) > v5.wrapping_shl(((i as i64) as u32))) {
                let v6: i32 = (if (((i as i64) == 10) & ((i as i64) < 80)) { (!((i as i64) as i32)) } else { ((i as i64) as i32).wrapping_rem_euclid(((v5 as i64) as i32) | 1) });
                let mut v7: [i32; 4] = [((s as i64) as i32).max(((h as i64) as i32)).rotate_right(((v6 as i64) as u32)); 4];
                if ((((s as i64) < 33) <= ((i as i64) < 3)) == ((v5 as i64) < 1)) {
                    v5 = (13u8.min(((v5 as i64) as u8)) as i8);
                    let (mut v8, v9): (u32, i8) = (((h as i64) as u32), ((i as i64) as i8));
                    v7[i.saturating_sub(i.wrapping_shr(c[i])) % 4] = (if ((v5 as i64) == 40) { (((h as i64) as f64) as i32) } else { (if ((v6 as i64) < 43) { v7[(i + 1) % 4] } else { v7[3] }) });
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v5 as u64;
                }
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            } else {
                let v10: u8 = (((s as i64) as i64) as u8);
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v10 as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v5 as u64;
            y[i] = ((((h as i64) as i64) as i64) ^ ((b[i] as i64) as i64)) ^ h as i64;
            z[i] = u64::MAX.wrapping_add(h).wrapping_neg() ^ h as u64;
        }
    }

    pub fn serial(a: &[u16], b: &[u16], c: &[u32], s: u16, y: &mut [i64], z: &mut [u64]) {
        for i in 0..y.len() {
            let mut h: u64 = 7;
            'v2: for v1 in (2..3).rev() {
                let v1: u64 = v1;
                let mut v3: i32 = ((((v1 as i64) < 63) ^ ((h as i64) == 53)) as i32);
                let mut v4: u8 = ((v3 as i64) as u8).saturating_mul(((h as i64) as u8)).max(((b[i] as i64) as u8).wrapping_sub(((b[i] as i64) as u8)));
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            let mut v5: i8 = ((s as i64) as i8).wrapping_neg();
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            v5 ^= (s as i8);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            v5 ^= (if ((s as i64) == 99) { v5 } else { v5 }).reverse_bits();
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            if ((if ((v5 as i64) < 22) { v5 } else { ((h as i64) as i8) }) > v5.wrapping_shl(((i as i64) as u32))) {
                let v6: i32 = (if (((i as i64) == 10) & ((i as i64) < 80)) { (!((i as i64) as i32)) } else { ((i as i64) as i32).wrapping_rem_euclid(((v5 as i64) as i32) | 1) });
                let mut v7: [i32; 4] = [((s as i64) as i32).max(((h as i64) as i32)).rotate_right(((v6 as i64) as u32)); 4];
                if ((((s as i64) < 33) <= ((i as i64) < 3)) == ((v5 as i64) < 1)) {
                    v5 = (13u8.min(((v5 as i64) as u8)) as i8);
                    let (mut v8, v9): (u32, i8) = (((h as i64) as u32), ((i as i64) as i8));
                    v7[i.saturating_sub(i.wrapping_shr(c[i])) % 4] = (if ((v5 as i64) == 40) { (((h as i64) as f64) as i32) } else { (if ((v6 as i64) < 43) { v7[(i + 1) % 4] } else { v7[3] }) });
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v5 as u64;
                }
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            } else {
                let v10: u8 = (((s as i64) as i64) as u8);
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v10 as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v5 as u64;
            y[i] = ((((h as i64) as i64) as i64) ^ ((b[i] as i64) as i64)) ^ h as i64;
            z[i] = u64::MAX.wrapping_add(h).wrapping_neg() ^ h as u64;
        }
    }
}
case! { body_12: u16 u16 u32 i64 u64 }

pub mod body_13 {
    #[omp::offload]
    pub fn device(d: usize, a: &[u64], b: &[i64], c: &[isize], s: i64, y: &mut [f64], z: &mut [u8]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..y.len() {
            let mut h: u64 = 7;
            let v1: i16 = (((h as i64) as u32) as i16);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            let mut v2: i8 = 0;
            while v2 < 5 && ((h as i64) >= 50) {
                let mut v3: i32 = (((h as i64) as i32).wrapping_shr(u32::MAX) & (!((s as i64) as i32)));
                let mut v4: i16 = 0;
                while v4 < 5 && ((((s as i64) as u8) > u8::MAX) ^ (((i as i64) >= 87) ^ ((v3 as i64) == 9))) {
                    let v5: (i32, f32) = ((if (((v2 as i64) == 4) || ((v1 as i64) < 89)) { ((h as i64) as i32).wrapping_add(98i32) } else { v3.wrapping_rem_euclid(((h as i64) as i32) | 1) }), ((((v1 as i64) as f32) * ((h as i64) as f32)) / (((i as i64) as f32) as f32)));
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
                    v4 += 1;
                }
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v4 as u64;
                v2 += 1;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
            if ((if ((s as i64) < 52) { ((s as i64) as f64) } else { (0.0_f64) }) <= (((h as i64) as f64) - ((v2 as i64) as f64))) {
                'v7: for v6 in (0..4).rev() {
                    let v6: u8 = v6;
                    let (mut v8, v9): (u64, i64) = (h.wrapping_rem((if ((s as i64) < 95) { 46u64 } else { a[i] }) | 1), s.min((-63i64).rotate_right(((v1 as i64) as u32))));
                    let mut v10: [i32; 3] = [(if ((v9 as i64) < 87) { ((v9 as i64) as i32) } else { ((s as i64) as i32) }).wrapping_rem_euclid(((b[i] as i64) as i32).rotate_left(u32::MAX) | 1); 3];
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
                }
                'v12: for v11 in 1..=5 {
                    let v11: i16 = v11;
                    if ((((v1 as i64) as u8) != ((v11 as i64) as u8)) ^ (((v1 as i64) < 98) ^ ((v1 as i64) < 43))) { continue 'v12; }
                    let mut v13: f64 = ((((i as i64) as f64) + (-1.25_f64)) - ((v11 as i64) as f64));
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
                }
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            } else {
                let mut v14: [u32; 4] = [((if ((b[i] as i64) >= 46) { ((s as i64) as u32) } else { ((h as i64) as u32) }) as u32); 4];
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
            let mut v15: u16 = (if (((v2 as i64) as u32) > ((i as i64) as u32)) { (((v2 as i64) as i32) as u16) } else { ((v2 as i64) as u16) });
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
            y[i] = ((((h as i64) as f64) * ((v15 as i64) as f64)) * (if ((v15 as i64) >= 17) { ((h as i64) as f64) } else { ((v15 as i64) as f64) })) * (h % 1000) as f64;
            z[i] = (29u8.saturating_sub(((b[i] as i64) as u8)) ^ (isize::MAX as u8)) ^ h as u8;
        }
    }

    pub fn serial(a: &[u64], b: &[i64], c: &[isize], s: i64, y: &mut [f64], z: &mut [u8]) {
        for i in 0..y.len() {
            let mut h: u64 = 7;
            let v1: i16 = (((h as i64) as u32) as i16);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            let mut v2: i8 = 0;
            while v2 < 5 && ((h as i64) >= 50) {
                let mut v3: i32 = (((h as i64) as i32).wrapping_shr(u32::MAX) & (!((s as i64) as i32)));
                let mut v4: i16 = 0;
                while v4 < 5 && ((((s as i64) as u8) > u8::MAX) ^ (((i as i64) >= 87) ^ ((v3 as i64) == 9))) {
                    let v5: (i32, f32) = ((if (((v2 as i64) == 4) || ((v1 as i64) < 89)) { ((h as i64) as i32).wrapping_add(98i32) } else { v3.wrapping_rem_euclid(((h as i64) as i32) | 1) }), ((((v1 as i64) as f32) * ((h as i64) as f32)) / (((i as i64) as f32) as f32)));
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
                    v4 += 1;
                }
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v4 as u64;
                v2 += 1;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
            if ((if ((s as i64) < 52) { ((s as i64) as f64) } else { (0.0_f64) }) <= (((h as i64) as f64) - ((v2 as i64) as f64))) {
                'v7: for v6 in (0..4).rev() {
                    let v6: u8 = v6;
                    let (mut v8, v9): (u64, i64) = (h.wrapping_rem((if ((s as i64) < 95) { 46u64 } else { a[i] }) | 1), s.min((-63i64).rotate_right(((v1 as i64) as u32))));
                    let mut v10: [i32; 3] = [(if ((v9 as i64) < 87) { ((v9 as i64) as i32) } else { ((s as i64) as i32) }).wrapping_rem_euclid(((b[i] as i64) as i32).rotate_left(u32::MAX) | 1); 3];
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
                }
                'v12: for v11 in 1..=5 {
                    let v11: i16 = v11;
                    if ((((v1 as i64) as u8) != ((v11 as i64) as u8)) ^ (((v1 as i64) < 98) ^ ((v1 as i64) < 43))) { continue 'v12; }
                    let mut v13: f64 = ((((i as i64) as f64) + (-1.25_f64)) - ((v11 as i64) as f64));
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
                }
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            } else {
                let mut v14: [u32; 4] = [((if ((b[i] as i64) >= 46) { ((s as i64) as u32) } else { ((h as i64) as u32) }) as u32); 4];
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
            let mut v15: u16 = (if (((v2 as i64) as u32) > ((i as i64) as u32)) { (((v2 as i64) as i32) as u16) } else { ((v2 as i64) as u16) });
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
            y[i] = ((((h as i64) as f64) * ((v15 as i64) as f64)) * (if ((v15 as i64) >= 17) { ((h as i64) as f64) } else { ((v15 as i64) as f64) })) * (h % 1000) as f64;
            z[i] = (29u8.saturating_sub(((b[i] as i64) as u8)) ^ (isize::MAX as u8)) ^ h as u8;
        }
    }
}
case! { body_13: u64 i64 isize f64 u8 }

pub mod body_14 {
    #[omp::offload]
    pub fn device(d: usize, a: &[i32], b: &[u8], c: &[u16], s: u8, y: &mut [i16], z: &mut [usize]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..y.len() {
            let mut h: u64 = 7;
            let mut v1: u64 = 0;
            while v1 < 3 && (((h as i64) as i64).wrapping_div(((h as i64) as i64) | 1) <= ((b[i] as i64) as i64)) {
                let mut v2: i16 = 0;
                while v2 < 6 && (if (((v1 as i64) as isize) >= ((h as i64) as isize)) { (i < 10usize) } else { (((s as i64) as u32) != ((h as i64) as u32)) }) {
                    let mut v3: u8 = (h as u8).wrapping_rem_euclid(b[i] | 1);
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
                    v2 += 1;
                }
                let mut v4: [u16; 3] = [c[i]; 3];
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
                v1 += 1;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            if ((if ((s as i64) < 42) { ((h as i64) < 26) } else { ((v1 as i64) >= 35) }) ^ (((b[i] as i64) < 23) & ((b[i] as i64) < 57))) {
                let v5: i16 = ((v1 as i64) as i16);
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            } else {
                if ((((s as i64) as f32) * ((s as i64) as f32)) <= ((1.0_f32) / ((i as i64) as f32))) {
                    'v7: for v6 in (1..2).step_by(2) {
                        let v6: isize = v6;
                        if ((i as i64) < 13) { break 'v7; }
                        let mut v8: u16 = (if ((i as i64) < 42) { ((h as i64) as u16) } else { u16::MIN }).saturating_mul((i16::MIN as u16));
                        let v9: isize = v6;
                        let mut v10: i64 = ((v1 as i64) as i64).wrapping_add(((v8 as i64) as i64)).swap_bytes();
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v8 as u64;
                    }
                    let v11: f32 = ((i as i64) as f32);
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
                }
                let (mut v12, v13): (i32, u8) = (((v1 as i64) as i32), (((s as i64) as f64) as u8).wrapping_shl((((h as i64) as u32) | ((i as i64) as u32))));
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            if (((b[i] as i64) >= 99) && ((-0.1_f64) != ((i as i64) as f64))) {
                let mut v14: [usize; 5] = [(if (((h as i64) as f64) != ((s as i64) as f64)) { (((b[i] as i64) as f32) as usize) } else { ((s as i64) as usize).wrapping_sub(((i as i64) as usize)) }); 5];
                let mut v15: u16 = ((s as i64) as u16);
                let v16: (f32, i32) = (((((v15 as i64) as f64) as f64) as f32), (i32::MIN ^ 23i32).wrapping_sub((if ((v1 as i64) < 76) { (-29i32) } else { ((s as i64) as i32) })));
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            } else {
                let mut v17: f32 = ((((v1 as i64) as f32) * ((s as i64) as f32)) - (-1.25_f32));
                let v18: (i64, f32) = ((if (a[i] <= 52i32) { (((h as i64) as i64) & 79i64) } else { ((h as i64) as i64).swap_bytes() }), ((((i as i64) as f32) / v17) + v17));
                v17 /= (s as f32);
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v18.0 as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            y[i] = (((s as i64) as u16) as i16).wrapping_rem(((v1 as i64) as i16) | 1) ^ h as i16;
            z[i] = i ^ h as usize;
        }
    }

    pub fn serial(a: &[i32], b: &[u8], c: &[u16], s: u8, y: &mut [i16], z: &mut [usize]) {
        for i in 0..y.len() {
            let mut h: u64 = 7;
            let mut v1: u64 = 0;
            while v1 < 3 && (((h as i64) as i64).wrapping_div(((h as i64) as i64) | 1) <= ((b[i] as i64) as i64)) {
                let mut v2: i16 = 0;
                while v2 < 6 && (if (((v1 as i64) as isize) >= ((h as i64) as isize)) { (i < 10usize) } else { (((s as i64) as u32) != ((h as i64) as u32)) }) {
                    let mut v3: u8 = (h as u8).wrapping_rem_euclid(b[i] | 1);
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
                    v2 += 1;
                }
                let mut v4: [u16; 3] = [c[i]; 3];
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
                v1 += 1;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            if ((if ((s as i64) < 42) { ((h as i64) < 26) } else { ((v1 as i64) >= 35) }) ^ (((b[i] as i64) < 23) & ((b[i] as i64) < 57))) {
                let v5: i16 = ((v1 as i64) as i16);
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            } else {
                if ((((s as i64) as f32) * ((s as i64) as f32)) <= ((1.0_f32) / ((i as i64) as f32))) {
                    'v7: for v6 in (1..2).step_by(2) {
                        let v6: isize = v6;
                        if ((i as i64) < 13) { break 'v7; }
                        let mut v8: u16 = (if ((i as i64) < 42) { ((h as i64) as u16) } else { u16::MIN }).saturating_mul((i16::MIN as u16));
                        let v9: isize = v6;
                        let mut v10: i64 = ((v1 as i64) as i64).wrapping_add(((v8 as i64) as i64)).swap_bytes();
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v8 as u64;
                    }
                    let v11: f32 = ((i as i64) as f32);
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
                }
                let (mut v12, v13): (i32, u8) = (((v1 as i64) as i32), (((s as i64) as f64) as u8).wrapping_shl((((h as i64) as u32) | ((i as i64) as u32))));
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            if (((b[i] as i64) >= 99) && ((-0.1_f64) != ((i as i64) as f64))) {
                let mut v14: [usize; 5] = [(if (((h as i64) as f64) != ((s as i64) as f64)) { (((b[i] as i64) as f32) as usize) } else { ((s as i64) as usize).wrapping_sub(((i as i64) as usize)) }); 5];
                let mut v15: u16 = ((s as i64) as u16);
                let v16: (f32, i32) = (((((v15 as i64) as f64) as f64) as f32), (i32::MIN ^ 23i32).wrapping_sub((if ((v1 as i64) < 76) { (-29i32) } else { ((s as i64) as i32) })));
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            } else {
                let mut v17: f32 = ((((v1 as i64) as f32) * ((s as i64) as f32)) - (-1.25_f32));
                let v18: (i64, f32) = ((if (a[i] <= 52i32) { (((h as i64) as i64) & 79i64) } else { ((h as i64) as i64).swap_bytes() }), ((((i as i64) as f32) / v17) + v17));
                v17 /= (s as f32);
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v18.0 as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            y[i] = (((s as i64) as u16) as i16).wrapping_rem(((v1 as i64) as i16) | 1) ^ h as i16;
            z[i] = i ^ h as usize;
        }
    }
}
case! { body_14: i32 u8 u16 i16 usize }

pub mod body_15 {
    #[omp::offload]
    pub fn device(d: usize, a: &[i64], b: &[u64], c: &[u16], s: u64, y: &mut [f32], z: &mut [u32]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..y.len() {
            let mut h: u64 = 7;
            match (!b[i]) & 7 {
                0 => {
                    let (mut v1, v2): (f32, i32) = (((((b[i] as i64) as f32) * ((b[i] as i64) as f32)) - (((s as i64) as f32) as f32)), ((b[i] as i64) as i32).saturating_add(((h as i64) as i32)).wrapping_mul((i32::MIN as i32)));
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
                }
                1 | 2 => {
                    let mut v3: usize = (if (((s as i64) >= 46) == ((i as i64) >= 49)) { (!((h as i64) as usize)) } else { i.saturating_add(i) });
                    if ((if ((i as i64) == 67) { isize::MAX } else { ((b[i] as i64) as isize) }) <= ((v3 as i64) as isize).wrapping_rem(18isize | 1)) {
                        let v4: f32 = ((s as i64) as f32);
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                    } else {
                        if ((b[i] as i64) == 74) {
                            let mut v5: i16 = (if (((s as i64) == 33) | ((s as i64) >= 85)) { ((s as i64) as i16).wrapping_shr(((s as i64) as u32)) } else { (if ((b[i] as i64) == 37) { (-6i16) } else { 8i16 }) });
                            v5 |= (57i16 as i16);
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                        }
                        let v6: usize = ((s as i64) as usize).wrapping_mul(v3).rotate_right(((i as i64) as u32).rotate_right(u32::MIN));
                        let v7: isize = (if (((v6 as i64) as i32) <= ((v3 as i64) as i32)) { ((v3 as i64) as isize).saturating_add(((v3 as i64) as isize)) } else { (if ((s as i64) >= 49) { ((b[i] as i64) as isize) } else { ((s as i64) as isize) }) });
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
                    }
                    let mut v8: u8 = (if (((h as i64) as u16) >= 16u16) { ((s as i64) as u8).saturating_sub(((b[i] as i64) as u8)) } else { u8::MIN });
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
                }
                3..=5 => {
                    let v9: i8 = ((h as i64) as i8).wrapping_shr(((b[i] as i64) as u32)).wrapping_add(((s as i64) as i8).wrapping_div_euclid(((h as i64) as i8) | 1));
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v9 as u64;
                }
                _ => {
                    let mut v10: i64 = ((i as i64) as i64).wrapping_mul(((s as i64) as i64)).saturating_add(a[i].saturating_mul((-17i64)));
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                }
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            y[i] = (((1.0_f32) + ((b[i] as i64) as f32)) + ((1.0e-3_f32) / ((b[i] as i64) as f32))) * (h % 1000) as f32;
            z[i] = (!((i as i64) as u32)) ^ h as u32;
        }
    }

    pub fn serial(a: &[i64], b: &[u64], c: &[u16], s: u64, y: &mut [f32], z: &mut [u32]) {
        for i in 0..y.len() {
            let mut h: u64 = 7;
            match (!b[i]) & 7 {
                0 => {
                    let (mut v1, v2): (f32, i32) = (((((b[i] as i64) as f32) * ((b[i] as i64) as f32)) - (((s as i64) as f32) as f32)), ((b[i] as i64) as i32).saturating_add(((h as i64) as i32)).wrapping_mul((i32::MIN as i32)));
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
                }
                1 | 2 => {
                    let mut v3: usize = (if (((s as i64) >= 46) == ((i as i64) >= 49)) { (!((h as i64) as usize)) } else { i.saturating_add(i) });
                    if ((if ((i as i64) == 67) { isize::MAX } else { ((b[i] as i64) as isize) }) <= ((v3 as i64) as isize).wrapping_rem(18isize | 1)) {
                        let v4: f32 = ((s as i64) as f32);
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                    } else {
                        if ((b[i] as i64) == 74) {
                            let mut v5: i16 = (if (((s as i64) == 33) | ((s as i64) >= 85)) { ((s as i64) as i16).wrapping_shr(((s as i64) as u32)) } else { (if ((b[i] as i64) == 37) { (-6i16) } else { 8i16 }) });
                            v5 |= (57i16 as i16);
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                        }
                        let v6: usize = ((s as i64) as usize).wrapping_mul(v3).rotate_right(((i as i64) as u32).rotate_right(u32::MIN));
                        let v7: isize = (if (((v6 as i64) as i32) <= ((v3 as i64) as i32)) { ((v3 as i64) as isize).saturating_add(((v3 as i64) as isize)) } else { (if ((s as i64) >= 49) { ((b[i] as i64) as isize) } else { ((s as i64) as isize) }) });
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
                    }
                    let mut v8: u8 = (if (((h as i64) as u16) >= 16u16) { ((s as i64) as u8).saturating_sub(((b[i] as i64) as u8)) } else { u8::MIN });
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
                }
                3..=5 => {
                    let v9: i8 = ((h as i64) as i8).wrapping_shr(((b[i] as i64) as u32)).wrapping_add(((s as i64) as i8).wrapping_div_euclid(((h as i64) as i8) | 1));
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v9 as u64;
                }
                _ => {
                    let mut v10: i64 = ((i as i64) as i64).wrapping_mul(((s as i64) as i64)).saturating_add(a[i].saturating_mul((-17i64)));
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                }
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            y[i] = (((1.0_f32) + ((b[i] as i64) as f32)) + ((1.0e-3_f32) / ((b[i] as i64) as f32))) * (h % 1000) as f32;
            z[i] = (!((i as i64) as u32)) ^ h as u32;
        }
    }
}
case! { body_15: i64 u64 u16 f32 u32 }

pub mod body_16 {
    #[omp::offload]
    pub fn device(d: usize, a: &[u64], b: &[u64], c: &[u8], s: u64, y: &mut [f64], z: &mut [usize]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..y.len() {
            let mut h: u64 = 7;
            let v1: bool = ((h as i64) >= 23);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            let v2: (f64, i64) = ((if v1 { ((s as i64) as f64) } else { (((i as i64) as f64) + ((i as i64) as f64)) }), (if ((h as i64) >= 72) { ((s as i64) as i64) } else { ((b[i] as i64) as i64) }).wrapping_div_euclid(((b[i] as i64) as i64).wrapping_sub(98i64) | 1));
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2.0 as u64;
            let mut v3: i16 = ((h as i64) as i16).wrapping_sub(((s as i64) as i16)).wrapping_rem(((i as i64) as i16).wrapping_mul(((b[i] as i64) as i16)) | 1);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2.1 as u64;
            v3 |= ((v2.1 as i64) as i16).saturating_add(v3).min((i as i16));
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2.0 as u64;
            let mut v4: f32 = (((b[i] as i64) as f32) / (a[i] as f32));
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            let v5: f32 = (if v1 { (v4 + ((v2.1 as i64) as f32)) } else { (((h as i64) as f32) / v4) });
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v5 as u64;
            let mut v6: i32 = ((i as i64) as i32).saturating_sub(58i32).wrapping_mul((isize::MIN as i32));
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v5 as u64;
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2.1 as u64;
            'v8: for v7 in (1..6).rev() {
                let v7: i8 = v7;
                if ((v6 as u64) != (!59u64)) { continue 'v8; }
                v3 ^= (if (((v7 as i64) as u32) < ((v6 as i64) as u32)) { (!((s as i64) as i16)) } else { v3.wrapping_add(v3) });
                let mut v9: i8 = (if ((1.0_f32) <= v4) { (((v6 as i64) as i8) ^ ((v7 as i64) as i8)) } else { ((v7 as i64) as i8).saturating_add(v7) });
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v7 as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2.1 as u64;
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
            let mut v10: i16 = (!(v2.1 as i16));
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
            y[i] = (a[i] as f64) * (h % 1000) as f64;
            z[i] = ((s as i64) as usize) ^ h as usize;
        }
    }

    pub fn serial(a: &[u64], b: &[u64], c: &[u8], s: u64, y: &mut [f64], z: &mut [usize]) {
        for i in 0..y.len() {
            let mut h: u64 = 7;
            let v1: bool = ((h as i64) >= 23);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            let v2: (f64, i64) = ((if v1 { ((s as i64) as f64) } else { (((i as i64) as f64) + ((i as i64) as f64)) }), (if ((h as i64) >= 72) { ((s as i64) as i64) } else { ((b[i] as i64) as i64) }).wrapping_div_euclid(((b[i] as i64) as i64).wrapping_sub(98i64) | 1));
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2.0 as u64;
            let mut v3: i16 = ((h as i64) as i16).wrapping_sub(((s as i64) as i16)).wrapping_rem(((i as i64) as i16).wrapping_mul(((b[i] as i64) as i16)) | 1);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2.1 as u64;
            v3 |= ((v2.1 as i64) as i16).saturating_add(v3).min((i as i16));
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2.0 as u64;
            let mut v4: f32 = (((b[i] as i64) as f32) / (a[i] as f32));
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            let v5: f32 = (if v1 { (v4 + ((v2.1 as i64) as f32)) } else { (((h as i64) as f32) / v4) });
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v5 as u64;
            let mut v6: i32 = ((i as i64) as i32).saturating_sub(58i32).wrapping_mul((isize::MIN as i32));
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v5 as u64;
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2.1 as u64;
            'v8: for v7 in (1..6).rev() {
                let v7: i8 = v7;
                if ((v6 as u64) != (!59u64)) { continue 'v8; }
                v3 ^= (if (((v7 as i64) as u32) < ((v6 as i64) as u32)) { (!((s as i64) as i16)) } else { v3.wrapping_add(v3) });
                let mut v9: i8 = (if ((1.0_f32) <= v4) { (((v6 as i64) as i8) ^ ((v7 as i64) as i8)) } else { ((v7 as i64) as i8).saturating_add(v7) });
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v7 as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2.1 as u64;
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
            let mut v10: i16 = (!(v2.1 as i16));
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
            y[i] = (a[i] as f64) * (h % 1000) as f64;
            z[i] = ((s as i64) as usize) ^ h as usize;
        }
    }
}
case! { body_16: u64 u64 u8 f64 usize }

pub mod body_17 {
    #[omp::offload]
    pub fn device(d: usize, a: &[i8], b: &[i64], c: &[i8], s: i64, y: &mut [f64], z: &mut [i16]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..y.len() {
            let mut h: u64 = 7;
            let (mut v1, v2): (i32, u64) = (((b[i] as i64) as i32).wrapping_rem((!((i as i64) as i32)) | 1), (!((b[i] as i64) as u64)));
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            let mut v3: [i32; 2] = [i32::MIN.wrapping_div_euclid((-51i32) | 1), 17i32];
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            if ((b[i] as i64) < 40) {
                match v1 & 7 {
                    0 => {
                        let mut v4: i32 = 0;
                        while v4 < 2 && ((((s as i64) == 30) as i64) != s) {
                            v1 |= (!v1).reverse_bits();
                            v1 = v4;
                            v1 &= (if ((v2 as i64) == 79) { v3[1] } else { (((h as i64) as u32) as i32) });
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                            v4 += 1;
                        }
                        v1 &= (v1 as i32).swap_bytes();
                        let (mut v5, v6): (i8, i32) = ((if ((h as i64) < 28) { ((v1 as i64) as i8) } else { a[i].wrapping_div(((v2 as i64) as i8) | 1) }), v4.saturating_sub((-55i32)).wrapping_add(v1));
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
                    }
                    1 | 2 => {
                        v3[i.wrapping_mul(i).min(((0.0_f32) as usize)) % 2] = (!v1.wrapping_sub(v1));
                        let v7: i16 = ((b[i] as i64) as i16).wrapping_mul(i16::MIN).wrapping_rem_euclid((!((h as i64) as i16)) | 1);
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
                    }
                    3..=5 => {
                        'v9: for v8 in 0..=5 {
                            let v8: usize = v8;
                            if ((s as i64) == 59) { break 'v9; }
                            v1 ^= v1.rotate_left(((v8 as i64) as u32)).saturating_sub((((v2 as i64) as isize) as i32));
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v8 as u64;
                        }
                        v1 ^= i32::MAX.swap_bytes().min((((i as i64) as u16) as i32));
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
                    }
                    _ => {
                        v1 |= (((s as i64) as f64) as i32).rotate_left((u32::MAX & ((v2 as i64) as u32)));
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                    }
                }
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
            y[i] = ((((v2 as i64) as f32) / ((i as i64) as f32)) as f64) * (h % 1000) as f64;
            z[i] = ((i as i64) as i16) ^ h as i16;
        }
    }

    pub fn serial(a: &[i8], b: &[i64], c: &[i8], s: i64, y: &mut [f64], z: &mut [i16]) {
        for i in 0..y.len() {
            let mut h: u64 = 7;
            let (mut v1, v2): (i32, u64) = (((b[i] as i64) as i32).wrapping_rem((!((i as i64) as i32)) | 1), (!((b[i] as i64) as u64)));
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            let mut v3: [i32; 2] = [i32::MIN.wrapping_div_euclid((-51i32) | 1), 17i32];
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            if ((b[i] as i64) < 40) {
                match v1 & 7 {
                    0 => {
                        let mut v4: i32 = 0;
                        while v4 < 2 && ((((s as i64) == 30) as i64) != s) {
                            v1 |= (!v1).reverse_bits();
                            v1 = v4;
                            v1 &= (if ((v2 as i64) == 79) { v3[1] } else { (((h as i64) as u32) as i32) });
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                            v4 += 1;
                        }
                        v1 &= (v1 as i32).swap_bytes();
                        let (mut v5, v6): (i8, i32) = ((if ((h as i64) < 28) { ((v1 as i64) as i8) } else { a[i].wrapping_div(((v2 as i64) as i8) | 1) }), v4.saturating_sub((-55i32)).wrapping_add(v1));
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
                    }
                    1 | 2 => {
                        v3[i.wrapping_mul(i).min(((0.0_f32) as usize)) % 2] = (!v1.wrapping_sub(v1));
                        let v7: i16 = ((b[i] as i64) as i16).wrapping_mul(i16::MIN).wrapping_rem_euclid((!((h as i64) as i16)) | 1);
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
                    }
                    3..=5 => {
                        'v9: for v8 in 0..=5 {
                            let v8: usize = v8;
                            if ((s as i64) == 59) { break 'v9; }
                            v1 ^= v1.rotate_left(((v8 as i64) as u32)).saturating_sub((((v2 as i64) as isize) as i32));
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v8 as u64;
                        }
                        v1 ^= i32::MAX.swap_bytes().min((((i as i64) as u16) as i32));
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
                    }
                    _ => {
                        v1 |= (((s as i64) as f64) as i32).rotate_left((u32::MAX & ((v2 as i64) as u32)));
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                    }
                }
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
            y[i] = ((((v2 as i64) as f32) / ((i as i64) as f32)) as f64) * (h % 1000) as f64;
            z[i] = ((i as i64) as i16) ^ h as i16;
        }
    }
}
case! { body_17: i8 i64 i8 f64 i16 }

pub mod body_18 {
    #[omp::offload]
    pub fn device(d: usize, a: &[usize], b: &[i16], c: &[f64], s: i16, y: &mut [f32], z: &mut [u32]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..y.len() {
            let mut h: u64 = 7;
            let (mut v1, v2): (f32, i16) = (((((b[i] as i64) as f32) / (-1.25_f32)) / (if ((s as i64) < 10) { ((b[i] as i64) as f32) } else { (1.0_f32) })), b[i].wrapping_neg());
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            let mut v3: [bool; 5] = [(((i as i64) as i32).min(((i as i64) as i32)) != (((s as i64) >= 58) as i32)); 5];
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            'v5: for v4 in 2..=4 {
                let v4: i64 = v4;
                'v7: for v6 in 1..5 {
                    let v6: i64 = v6;
                    if ((((h as i64) as u8) >= ((s as i64) as u8)) && ((255.0_f32) == v1)) { continue 'v7; }
                    v1 -= (((0.0_f64) as f64) as f32);
                    v1 *= (if (v3[(i + 0) % 5] & v3[(i + 3) % 5]) { (((i as i64) as f32) - v1) } else { v1 });
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v4 as u64;
                }
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            let v8: i64 = i64::MIN.wrapping_div(((s as i64) as i64) | 1).wrapping_div_euclid((!((s as i64) as i64)) | 1);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            v3[a[i].wrapping_div(a[i].wrapping_div(i | 1) | 1) % 5] = (((h as i64) as i8) != (47i8 & ((v8 as i64) as i8)));
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v8 as u64;
            v3[(!i.saturating_sub(a[i])) % 5] = ((h as i64) < 21);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            v1 = (if (((h as i64) < 14) && ((v2 as i64) >= 47)) { (1.0e-3_f32) } else { ((3.0e7_f32) / (0.5_f32)) });
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            match 32u64 & 7 {
                0 => {
                    v3[81usize.saturating_sub((i & a[i])) % 5] = (a[i] >= 44usize.wrapping_shr(((i as i64) as u32)));
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
                }
                1 | 2 => {
                    if v3[4] {
                        let v9: bool = ((((b[i] as i64) >= 30) <= ((b[i] as i64) < 66)) ^ (((h as i64) as i8) != ((h as i64) as i8)));
                        v1 -= (if (((s as i64) as u64) != h) { ((v8 as i64) as f32) } else { ((i as i64) as f32) });
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v8 as u64;
                    }
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
                }
                3..=5 => {
                    let mut v10: i32 = (((s as i64) as u16) as i32);
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v10 as u64;
                }
                _ => {
                    let v11: i16 = (if (c[i] != ((i as i64) as f64)) { (-82i16) } else { (v8 as i16) });
                    let mut v12: i64 = v8.rotate_right((91i64 as u32));
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v11 as u64;
                }
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v8 as u64;
            y[i] = (((b[i] as i64) as f32) + ((-0.1_f32) / v1)) * (h % 1000) as f32;
            z[i] = (b[i] as u32) ^ h as u32;
        }
    }

    pub fn serial(a: &[usize], b: &[i16], c: &[f64], s: i16, y: &mut [f32], z: &mut [u32]) {
        for i in 0..y.len() {
            let mut h: u64 = 7;
            let (mut v1, v2): (f32, i16) = (((((b[i] as i64) as f32) / (-1.25_f32)) / (if ((s as i64) < 10) { ((b[i] as i64) as f32) } else { (1.0_f32) })), b[i].wrapping_neg());
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            let mut v3: [bool; 5] = [(((i as i64) as i32).min(((i as i64) as i32)) != (((s as i64) >= 58) as i32)); 5];
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            'v5: for v4 in 2..=4 {
                let v4: i64 = v4;
                'v7: for v6 in 1..5 {
                    let v6: i64 = v6;
                    if ((((h as i64) as u8) >= ((s as i64) as u8)) && ((255.0_f32) == v1)) { continue 'v7; }
                    v1 -= (((0.0_f64) as f64) as f32);
                    v1 *= (if (v3[(i + 0) % 5] & v3[(i + 3) % 5]) { (((i as i64) as f32) - v1) } else { v1 });
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v4 as u64;
                }
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            let v8: i64 = i64::MIN.wrapping_div(((s as i64) as i64) | 1).wrapping_div_euclid((!((s as i64) as i64)) | 1);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            v3[a[i].wrapping_div(a[i].wrapping_div(i | 1) | 1) % 5] = (((h as i64) as i8) != (47i8 & ((v8 as i64) as i8)));
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v8 as u64;
            v3[(!i.saturating_sub(a[i])) % 5] = ((h as i64) < 21);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            v1 = (if (((h as i64) < 14) && ((v2 as i64) >= 47)) { (1.0e-3_f32) } else { ((3.0e7_f32) / (0.5_f32)) });
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            match 32u64 & 7 {
                0 => {
                    v3[81usize.saturating_sub((i & a[i])) % 5] = (a[i] >= 44usize.wrapping_shr(((i as i64) as u32)));
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
                }
                1 | 2 => {
                    if v3[4] {
                        let v9: bool = ((((b[i] as i64) >= 30) <= ((b[i] as i64) < 66)) ^ (((h as i64) as i8) != ((h as i64) as i8)));
                        v1 -= (if (((s as i64) as u64) != h) { ((v8 as i64) as f32) } else { ((i as i64) as f32) });
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v8 as u64;
                    }
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
                }
                3..=5 => {
                    let mut v10: i32 = (((s as i64) as u16) as i32);
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v10 as u64;
                }
                _ => {
                    let v11: i16 = (if (c[i] != ((i as i64) as f64)) { (-82i16) } else { (v8 as i16) });
                    let mut v12: i64 = v8.rotate_right((91i64 as u32));
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v11 as u64;
                }
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v8 as u64;
            y[i] = (((b[i] as i64) as f32) + ((-0.1_f32) / v1)) * (h % 1000) as f32;
            z[i] = (b[i] as u32) ^ h as u32;
        }
    }
}
case! { body_18: usize i16 f64 f32 u32 }

pub mod body_19 {
    #[omp::offload]
    pub fn device(d: usize, a: &[i32], b: &[u8], c: &[u8], s: u8, y: &mut [u32], z: &mut [isize]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..y.len() {
            let mut h: u64 = 7;
            let mut v1: u8 = 0;
            while v1 < 2 && ((((s as i64) as i8) <= 3i8) | (((h as i64) as f32) <= ((h as i64) as f32))) {
                let v2: u64 = (((s as i64) as u32) as u64);
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
                v1 += 1;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            match s & 7 {
                0 => {
                    match (if (s > u8::MIN) { (if ((v1 as i64) < 78) { ((b[i] as i64) as isize) } else { 76isize }) } else { ((v1 as i64) as isize).rotate_left(((i as i64) as u32)) }) & 7 {
                        0 => {
                            let v3: u16 = (81u32 as u16).wrapping_shl(((s as i64) as u32));
                            if ((b[i] as i64) < 37) {
                                let mut v4: i32 = ((h as i64) as i32);
                                let mut v5: [isize; 5] = [(v4 as isize), ((v4 as i64) as isize).wrapping_neg(), ((i as i64) as isize).rotate_right(((h as i64) as u32)), ((h as i64) as isize), ((v4 as i64) as isize).saturating_add(((v1 as i64) as isize))];
                                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
                            } else {
                                let v6: f64 = (((v1 as i64) as f64) + ((v3 as i64) as f64));
                                let v7: i64 = (62i64 ^ ((s as i64) as i64)).saturating_sub((!((v1 as i64) as i64)));
                                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
                            }
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                        }
                        1 | 2 => {
                            if ((-34isize).min((-95isize)) > ((i as i64) as isize)) {
                                let v8: i64 = (if ((b[i] as i64) >= 10) { ((v1 as i64) as i64) } else { ((v1 as i64) as i64) }).wrapping_add(((1.0_f32) as i64));
                                let v9: i32 = a[i].wrapping_rem(((i as i64) as i32) | 1).reverse_bits();
                                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
                            }
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
                        }
                        3..=5 => {
                            let v10: u64 = (if ((i as i64) == 55) { ((s as i64) as u64) } else { h }).reverse_bits();
                            let v11: isize = 65isize;
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                        }
                        _ => {
                            let mut v12: u64 = ((((v1 as i64) as u32) as u64) & u64::MAX.swap_bytes());
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
                        }
                    }
                    let v13: f32 = ((1.0_f32) - ((255.0_f32) / (255.0_f32)));
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
                }
                1 | 2 => {
                    let v14: f64 = ((if ((s as i64) >= 90) { (1.0_f64) } else { ((b[i] as i64) as f64) }) - (((b[i] as i64) as f64) / ((h as i64) as f64)));
                    let mut v15: bool = ((b[i] as i64) < 51);
                    v15 |= (if (16u32 >= ((s as i64) as u32)) { ((i as i64) == 27) } else { ((s as i64) >= 32) });
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v15 as u64;
                }
                3..=5 => {
                    let v16: f32 = ((((h as i64) as f32) - ((s as i64) as f32)) * (((b[i] as i64) as f32) - ((s as i64) as f32)));
                    let mut v17: [u16; 2] = [(if ((s as i64) == 57) { ((i as i64) as u16).wrapping_rem(((h as i64) as u16) | 1) } else { ((s as i64) as u16).min(((i as i64) as u16)) }); 2];
                    let mut v18: u64 = ((i as i64) as u64).max(18u64).saturating_mul(h.wrapping_rem_euclid(h | 1));
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                }
                _ => {
                    let mut v19: i64 = (((s as i64) as i64) as i64).rotate_right((!89u32));
                    let (mut v20, v21): (i64, u32) = (((i as i64) as i64).rotate_right(((b[i] as i64) as u32)).wrapping_rem_euclid((((v19 as i64) as i32) as i64) | 1), (!u32::MAX).wrapping_mul((if ((s as i64) >= 71) { ((i as i64) as u32) } else { ((v1 as i64) as u32) })));
                    v19 ^= v20.wrapping_sub(v19).rotate_right(v21);
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v21 as u64;
                }
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            y[i] = u32::MAX.max(((v1 as i64) as u32)).wrapping_mul((!((i as i64) as u32))) ^ h as u32;
            z[i] = ((b[i] as i64) as isize).rotate_left(((i as i64) as u32)).wrapping_shl((!((i as i64) as u32))) ^ h as isize;
        }
    }

    pub fn serial(a: &[i32], b: &[u8], c: &[u8], s: u8, y: &mut [u32], z: &mut [isize]) {
        for i in 0..y.len() {
            let mut h: u64 = 7;
            let mut v1: u8 = 0;
            while v1 < 2 && ((((s as i64) as i8) <= 3i8) | (((h as i64) as f32) <= ((h as i64) as f32))) {
                let v2: u64 = (((s as i64) as u32) as u64);
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
                v1 += 1;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            match s & 7 {
                0 => {
                    match (if (s > u8::MIN) { (if ((v1 as i64) < 78) { ((b[i] as i64) as isize) } else { 76isize }) } else { ((v1 as i64) as isize).rotate_left(((i as i64) as u32)) }) & 7 {
                        0 => {
                            let v3: u16 = (81u32 as u16).wrapping_shl(((s as i64) as u32));
                            if ((b[i] as i64) < 37) {
                                let mut v4: i32 = ((h as i64) as i32);
                                let mut v5: [isize; 5] = [(v4 as isize), ((v4 as i64) as isize).wrapping_neg(), ((i as i64) as isize).rotate_right(((h as i64) as u32)), ((h as i64) as isize), ((v4 as i64) as isize).saturating_add(((v1 as i64) as isize))];
                                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
                            } else {
                                let v6: f64 = (((v1 as i64) as f64) + ((v3 as i64) as f64));
                                let v7: i64 = (62i64 ^ ((s as i64) as i64)).saturating_sub((!((v1 as i64) as i64)));
                                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
                            }
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                        }
                        1 | 2 => {
                            if ((-34isize).min((-95isize)) > ((i as i64) as isize)) {
                                let v8: i64 = (if ((b[i] as i64) >= 10) { ((v1 as i64) as i64) } else { ((v1 as i64) as i64) }).wrapping_add(((1.0_f32) as i64));
                                let v9: i32 = a[i].wrapping_rem(((i as i64) as i32) | 1).reverse_bits();
                                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
                            }
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
                        }
                        3..=5 => {
                            let v10: u64 = (if ((i as i64) == 55) { ((s as i64) as u64) } else { h }).reverse_bits();
                            let v11: isize = 65isize;
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                        }
                        _ => {
                            let mut v12: u64 = ((((v1 as i64) as u32) as u64) & u64::MAX.swap_bytes());
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
                        }
                    }
                    let v13: f32 = ((1.0_f32) - ((255.0_f32) / (255.0_f32)));
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
                }
                1 | 2 => {
                    let v14: f64 = ((if ((s as i64) >= 90) { (1.0_f64) } else { ((b[i] as i64) as f64) }) - (((b[i] as i64) as f64) / ((h as i64) as f64)));
                    let mut v15: bool = ((b[i] as i64) < 51);
                    v15 |= (if (16u32 >= ((s as i64) as u32)) { ((i as i64) == 27) } else { ((s as i64) >= 32) });
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v15 as u64;
                }
                3..=5 => {
                    let v16: f32 = ((((h as i64) as f32) - ((s as i64) as f32)) * (((b[i] as i64) as f32) - ((s as i64) as f32)));
                    let mut v17: [u16; 2] = [(if ((s as i64) == 57) { ((i as i64) as u16).wrapping_rem(((h as i64) as u16) | 1) } else { ((s as i64) as u16).min(((i as i64) as u16)) }); 2];
                    let mut v18: u64 = ((i as i64) as u64).max(18u64).saturating_mul(h.wrapping_rem_euclid(h | 1));
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                }
                _ => {
                    let mut v19: i64 = (((s as i64) as i64) as i64).rotate_right((!89u32));
                    let (mut v20, v21): (i64, u32) = (((i as i64) as i64).rotate_right(((b[i] as i64) as u32)).wrapping_rem_euclid((((v19 as i64) as i32) as i64) | 1), (!u32::MAX).wrapping_mul((if ((s as i64) >= 71) { ((i as i64) as u32) } else { ((v1 as i64) as u32) })));
                    v19 ^= v20.wrapping_sub(v19).rotate_right(v21);
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v21 as u64;
                }
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            y[i] = u32::MAX.max(((v1 as i64) as u32)).wrapping_mul((!((i as i64) as u32))) ^ h as u32;
            z[i] = ((b[i] as i64) as isize).rotate_left(((i as i64) as u32)).wrapping_shl((!((i as i64) as u32))) ^ h as isize;
        }
    }
}
case! { body_19: i32 u8 u8 u32 isize }

pub mod body_20 {
    #[omp::offload]
    pub fn device(d: usize, a: &[i8], b: &[i32], c: &[u8], s: i32, y: &mut [i32], z: &mut [i32]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..y.len() {
            let mut h: u64 = 7;
            let mut v1: u16 = ((s as i64) as u16).saturating_add(((b[i] as i64) as u16)).wrapping_rem_euclid((!3u16) | 1);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            let mut v2: [u8; 2] = [((s as i64) as u8).max(c[i]), ((v1 as i64) as u8).wrapping_rem_euclid(68u8 | 1)];
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            if ((i as i64) < 61) {
                v1 |= (((1.0_f64) as isize) as u16);
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            } else {
                let v3: u16 = u16::MAX.saturating_mul(v1).wrapping_rem(v1.wrapping_shl(((h as i64) as u32)) | 1);
                if ((b[i] as i64) >= 16) {
                    let mut v4: usize = 0;
                    while v4 < 5 && ((b[i] as i32) <= (if ((b[i] as i64) == 32) { b[i] } else { b[i] })) {
                        let mut v5: isize = ((b[i] as i64) as isize);
                        let v6: i16 = ((-95isize).saturating_mul(v5) as i16);
                        v5 |= (17i32 as isize).wrapping_sub(v5.saturating_mul(v5));
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
                        v4 += 1;
                    }
                    'v8: for v7 in 0..=2 {
                        let v7: i16 = v7;
                        v2[21usize.rotate_left(((b[i] as i64) as u32)).swap_bytes() % 2] = (if ((v4 as i64) == 71) { v2[1] } else { ((v7 as i64) as u8) }).max(((v3 as i64) as u8));
                        v2[usize::MIN.swap_bytes() % 2] = ((s as i64) as u8);
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
                    }
                    'v10: for v9 in (1..5).step_by(2) {
                        let v9: u8 = v9;
                        v1 ^= ((i32::MIN as f32) as u16);
                        let v11: bool = ((u64::MAX != ((s as i64) as u64)) && (((i as i64) >= 88) & ((s as i64) == 34)));
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v9 as u64;
                    }
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                } else {
                    v1 |= v1.rotate_left(((b[i] as i64) as u32)).wrapping_rem((i16::MIN as u16) | 1);
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
                }
                let (mut v12, v13): (i32, u64) = ((s | s).wrapping_neg(), ((if ((h as i64) >= 64) { ((h as i64) as u64) } else { ((v3 as i64) as u64) }) | (((v3 as i64) as u64) ^ h)));
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            y[i] = (!((1.0_f64) as i32)) ^ h as i32;
            z[i] = (51i16 as i32) ^ h as i32;
        }
    }

    pub fn serial(a: &[i8], b: &[i32], c: &[u8], s: i32, y: &mut [i32], z: &mut [i32]) {
        for i in 0..y.len() {
            let mut h: u64 = 7;
            let mut v1: u16 = ((s as i64) as u16).saturating_add(((b[i] as i64) as u16)).wrapping_rem_euclid((!3u16) | 1);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            let mut v2: [u8; 2] = [((s as i64) as u8).max(c[i]), ((v1 as i64) as u8).wrapping_rem_euclid(68u8 | 1)];
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            if ((i as i64) < 61) {
                v1 |= (((1.0_f64) as isize) as u16);
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            } else {
                let v3: u16 = u16::MAX.saturating_mul(v1).wrapping_rem(v1.wrapping_shl(((h as i64) as u32)) | 1);
                if ((b[i] as i64) >= 16) {
                    let mut v4: usize = 0;
                    while v4 < 5 && ((b[i] as i32) <= (if ((b[i] as i64) == 32) { b[i] } else { b[i] })) {
                        let mut v5: isize = ((b[i] as i64) as isize);
                        let v6: i16 = ((-95isize).saturating_mul(v5) as i16);
                        v5 |= (17i32 as isize).wrapping_sub(v5.saturating_mul(v5));
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
                        v4 += 1;
                    }
                    'v8: for v7 in 0..=2 {
                        let v7: i16 = v7;
                        v2[21usize.rotate_left(((b[i] as i64) as u32)).swap_bytes() % 2] = (if ((v4 as i64) == 71) { v2[1] } else { ((v7 as i64) as u8) }).max(((v3 as i64) as u8));
                        v2[usize::MIN.swap_bytes() % 2] = ((s as i64) as u8);
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
                    }
                    'v10: for v9 in (1..5).step_by(2) {
                        let v9: u8 = v9;
                        v1 ^= ((i32::MIN as f32) as u16);
                        let v11: bool = ((u64::MAX != ((s as i64) as u64)) && (((i as i64) >= 88) & ((s as i64) == 34)));
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v9 as u64;
                    }
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                } else {
                    v1 |= v1.rotate_left(((b[i] as i64) as u32)).wrapping_rem((i16::MIN as u16) | 1);
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
                }
                let (mut v12, v13): (i32, u64) = ((s | s).wrapping_neg(), ((if ((h as i64) >= 64) { ((h as i64) as u64) } else { ((v3 as i64) as u64) }) | (((v3 as i64) as u64) ^ h)));
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            y[i] = (!((1.0_f64) as i32)) ^ h as i32;
            z[i] = (51i16 as i32) ^ h as i32;
        }
    }
}
case! { body_20: i8 i32 u8 i32 i32 }

pub mod body_21 {
    #[omp::offload]
    pub fn device(d: usize, a: &[u16], b: &[i8], c: &[f32], s: i8, y: &mut [i16], z: &mut [u16]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..y.len() {
            let mut h: u64 = 7;
            let (mut v1, v2): (isize, i16) = ((if (if ((b[i] as i64) >= 42) { ((h as i64) == 61) } else { ((h as i64) < 79) }) { 58isize.wrapping_neg() } else { ((i as i64) as isize).swap_bytes() }), (if (51u64 == h) { i16::MIN.max((-33i16)) } else { (if ((i as i64) < 33) { (-39i16) } else { ((b[i] as i64) as i16) }) }));
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            'v4: for v3 in (2..7).rev() {
                let v3: u16 = v3;
                'v6: for v5 in (2..3).rev() {
                    let v5: u16 = v5;
                    if (i == (if ((s as i64) == 88) { i } else { i })) {
                        v1 = (if ((i as i64) == 1) { 23isize } else { v1 }).rotate_right((if ((v5 as i64) == 23) { ((b[i] as i64) as u32) } else { 78u32 }));
                        v1 &= v1.wrapping_shl(((i as i64) as u32)).wrapping_div_euclid(v1.wrapping_shr(95u32) | 1);
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v5 as u64;
                    } else {
                        let v7: u32 = (if ((v5 as i64) == 19) { ((i as i64) as u32) } else { (!((h as i64) as u32)) });
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
                    }
                    match ((v1 as i64) as u32) & 7 {
                        0 => {
                            v1 = (if ((v5 as i64) >= 78) { ((v1 as i64) as isize) } else { (-69isize) }).wrapping_add(45isize);
                            let v8: isize = v1.wrapping_add(v1);
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v5 as u64;
                        }
                        1 | 2 => {
                            let mut v9: i16 = (v2 ^ (((v1 as i64) as i16) ^ v2));
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v5 as u64;
                        }
                        3..=5 => {
                            let mut v10: u64 = 77u64;
                            v1 ^= v1;
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
                        }
                        _ => {
                            v1 &= ((((v3 as i64) as i64) as isize) ^ (if ((h as i64) >= 75) { ((v1 as i64) as isize) } else { ((v3 as i64) as isize) }));
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
                        }
                    }
                    let v11: u32 = ((b[i] as i64) as u32);
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
                }
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            y[i] = (!v2).saturating_sub((if ((v1 as i64) < 9) { ((v1 as i64) as i16) } else { v2 })) ^ h as i16;
            z[i] = (((v2 as i64) as f32) as u16).wrapping_sub(u16::MAX.wrapping_add(a[i])) ^ h as u16;
        }
    }

    pub fn serial(a: &[u16], b: &[i8], c: &[f32], s: i8, y: &mut [i16], z: &mut [u16]) {
        for i in 0..y.len() {
            let mut h: u64 = 7;
            let (mut v1, v2): (isize, i16) = ((if (if ((b[i] as i64) >= 42) { ((h as i64) == 61) } else { ((h as i64) < 79) }) { 58isize.wrapping_neg() } else { ((i as i64) as isize).swap_bytes() }), (if (51u64 == h) { i16::MIN.max((-33i16)) } else { (if ((i as i64) < 33) { (-39i16) } else { ((b[i] as i64) as i16) }) }));
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            'v4: for v3 in (2..7).rev() {
                let v3: u16 = v3;
                'v6: for v5 in (2..3).rev() {
                    let v5: u16 = v5;
                    if (i == (if ((s as i64) == 88) { i } else { i })) {
                        v1 = (if ((i as i64) == 1) { 23isize } else { v1 }).rotate_right((if ((v5 as i64) == 23) { ((b[i] as i64) as u32) } else { 78u32 }));
                        v1 &= v1.wrapping_shl(((i as i64) as u32)).wrapping_div_euclid(v1.wrapping_shr(95u32) | 1);
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v5 as u64;
                    } else {
                        let v7: u32 = (if ((v5 as i64) == 19) { ((i as i64) as u32) } else { (!((h as i64) as u32)) });
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
                    }
                    match ((v1 as i64) as u32) & 7 {
                        0 => {
                            v1 = (if ((v5 as i64) >= 78) { ((v1 as i64) as isize) } else { (-69isize) }).wrapping_add(45isize);
                            let v8: isize = v1.wrapping_add(v1);
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v5 as u64;
                        }
                        1 | 2 => {
                            let mut v9: i16 = (v2 ^ (((v1 as i64) as i16) ^ v2));
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v5 as u64;
                        }
                        3..=5 => {
                            let mut v10: u64 = 77u64;
                            v1 ^= v1;
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
                        }
                        _ => {
                            v1 &= ((((v3 as i64) as i64) as isize) ^ (if ((h as i64) >= 75) { ((v1 as i64) as isize) } else { ((v3 as i64) as isize) }));
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
                        }
                    }
                    let v11: u32 = ((b[i] as i64) as u32);
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
                }
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            y[i] = (!v2).saturating_sub((if ((v1 as i64) < 9) { ((v1 as i64) as i16) } else { v2 })) ^ h as i16;
            z[i] = (((v2 as i64) as f32) as u16).wrapping_sub(u16::MAX.wrapping_add(a[i])) ^ h as u16;
        }
    }
}
case! { body_21: u16 i8 f32 i16 u16 }

pub mod body_22 {
    #[omp::offload]
    pub fn device(d: usize, a: &[i8], b: &[u16], c: &[i8], s: u16, y: &mut [f64], z: &mut [f32]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..y.len() {
            let mut h: u64 = 7;
            let mut v1: i8 = (((h as i64) as isize) as i8);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            let v2: (usize, u16) = (i, u16::MIN);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            v1 = v1.swap_bytes().saturating_add(v1.rotate_left(79u32));
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            let v3: i16 = ((v2.1 as i64) as i16).wrapping_sub(((s as i64) as i16)).saturating_mul(((0.0_f32) as i16));
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
            let mut v4: u16 = 0;
            while v4 < 3 && ((isize::MAX as u32) == (((h as i64) as u32) | ((s as i64) as u32))) {
                match ((((v2.1 as i64) as i16) & v3) ^ 83i16.swap_bytes()) & 7 {
                    0 => {
                        let mut v5: [i32; 3] = [((s as i64) as i32).saturating_mul(((s as i64) as i32)).rotate_right(u32::MIN); 3];
                        let v6: isize = 18isize.min(((s as i64) as isize)).rotate_right(52u32.wrapping_sub(((v1 as i64) as u32)));
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v6 as u64;
                    }
                    1 | 2 => {
                        let mut v7: u32 = (((v2.0 as i64) as i32).wrapping_div_euclid(((b[i] as i64) as i32) | 1) as u32);
                        if (if (((b[i] as i64) as i64) != ((i as i64) as i64)) { ((i as i64) < 88) } else { (((v2.0 as i64) as u32) != v7) }) {
                            let mut v8: isize = ((v1 as i64) as isize).wrapping_mul(((v4 as i64) as isize)).wrapping_shr((((h as i64) as u32) as u32));
                            let mut v9: [usize; 3] = [i.wrapping_div((v2.0 ^ ((v1 as i64) as usize)) | 1); 3];
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2.1 as u64;
                        }
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v4 as u64;
                    }
                    3..=5 => {
                        let v10: (usize, u64) = (usize::MAX.wrapping_neg().rotate_right(((h as i64) as u32)), (v3 as u64));
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v4 as u64;
                    }
                    _ => {
                        let mut v11: i16 = (!((s as i64) as i16)).wrapping_shl((!47u32));
                        let v12: u32 = (if (v11 == v11) { (((v4 as i64) as i32) as u32) } else { ((i as i64) as u32) });
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v12 as u64;
                    }
                }
                let mut v13: [u32; 3] = [((s as i64) as u32); 3];
                let mut v14: f32 = ((((v2.0 as i64) as f32) * ((h as i64) as f32)) / (if ((b[i] as i64) < 9) { ((i as i64) as f32) } else { ((h as i64) as f32) }));
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v4 as u64;
                v4 += 1;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            y[i] = ((((s as i64) as f64) * ((v2.1 as i64) as f64)) - ((-1.25_f64) * ((v3 as i64) as f64))) * (h % 1000) as f64;
            z[i] = ((((h as i64) as f32) + ((v3 as i64) as f32)) * ((0.0_f32) / ((b[i] as i64) as f32))) * (h % 1000) as f32;
        }
    }

    pub fn serial(a: &[i8], b: &[u16], c: &[i8], s: u16, y: &mut [f64], z: &mut [f32]) {
        for i in 0..y.len() {
            let mut h: u64 = 7;
            let mut v1: i8 = (((h as i64) as isize) as i8);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            let v2: (usize, u16) = (i, u16::MIN);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            v1 = v1.swap_bytes().saturating_add(v1.rotate_left(79u32));
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            let v3: i16 = ((v2.1 as i64) as i16).wrapping_sub(((s as i64) as i16)).saturating_mul(((0.0_f32) as i16));
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
            let mut v4: u16 = 0;
            while v4 < 3 && ((isize::MAX as u32) == (((h as i64) as u32) | ((s as i64) as u32))) {
                match ((((v2.1 as i64) as i16) & v3) ^ 83i16.swap_bytes()) & 7 {
                    0 => {
                        let mut v5: [i32; 3] = [((s as i64) as i32).saturating_mul(((s as i64) as i32)).rotate_right(u32::MIN); 3];
                        let v6: isize = 18isize.min(((s as i64) as isize)).rotate_right(52u32.wrapping_sub(((v1 as i64) as u32)));
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v6 as u64;
                    }
                    1 | 2 => {
                        let mut v7: u32 = (((v2.0 as i64) as i32).wrapping_div_euclid(((b[i] as i64) as i32) | 1) as u32);
                        if (if (((b[i] as i64) as i64) != ((i as i64) as i64)) { ((i as i64) < 88) } else { (((v2.0 as i64) as u32) != v7) }) {
                            let mut v8: isize = ((v1 as i64) as isize).wrapping_mul(((v4 as i64) as isize)).wrapping_shr((((h as i64) as u32) as u32));
                            let mut v9: [usize; 3] = [i.wrapping_div((v2.0 ^ ((v1 as i64) as usize)) | 1); 3];
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2.1 as u64;
                        }
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v4 as u64;
                    }
                    3..=5 => {
                        let v10: (usize, u64) = (usize::MAX.wrapping_neg().rotate_right(((h as i64) as u32)), (v3 as u64));
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v4 as u64;
                    }
                    _ => {
                        let mut v11: i16 = (!((s as i64) as i16)).wrapping_shl((!47u32));
                        let v12: u32 = (if (v11 == v11) { (((v4 as i64) as i32) as u32) } else { ((i as i64) as u32) });
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v12 as u64;
                    }
                }
                let mut v13: [u32; 3] = [((s as i64) as u32); 3];
                let mut v14: f32 = ((((v2.0 as i64) as f32) * ((h as i64) as f32)) / (if ((b[i] as i64) < 9) { ((i as i64) as f32) } else { ((h as i64) as f32) }));
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v4 as u64;
                v4 += 1;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            y[i] = ((((s as i64) as f64) * ((v2.1 as i64) as f64)) - ((-1.25_f64) * ((v3 as i64) as f64))) * (h % 1000) as f64;
            z[i] = ((((h as i64) as f32) + ((v3 as i64) as f32)) * ((0.0_f32) / ((b[i] as i64) as f32))) * (h % 1000) as f32;
        }
    }
}
case! { body_22: i8 u16 i8 f64 f32 }

pub mod body_23 {
    #[omp::offload]
    pub fn device(d: usize, a: &[i16], b: &[u64], c: &[usize], s: u64, y: &mut [u8], z: &mut [u16]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..y.len() {
            let mut h: u64 = 7;
            match (((s as i64) as u16).wrapping_add(u16::MAX) as u8) & 7 {
                0 => {
                    let mut v1: f32 = ((((b[i] as i64) as f32) - ((s as i64) as f32)) - (((b[i] as i64) as f32) * ((h as i64) as f32)));
                    v1 -= (((0.0_f32) * (1.0e-3_f32)) - (0.5_f32));
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                }
                1 | 2 => {
                    if (if ((h as i64) < 22) { (((s as i64) == 77) >= ((i as i64) < 52)) } else { (if ((s as i64) == 96) { ((b[i] as i64) < 94) } else { ((i as i64) < 4) }) }) {
                        if (((i as i64) == 78) && (if ((b[i] as i64) == 26) { ((i as i64) < 73) } else { ((h as i64) == 60) })) {
                            let v2: u32 = (isize::MIN.wrapping_mul(((s as i64) as isize)) as u32);
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                        } else {
                            let mut v3: [i32; 3] = [((i as i64) as i32).wrapping_shl(((s as i64) as u32)), ((i as i64) as i32), (!30i32)];
                            let mut v4: i32 = (((b[i] as i64) as i32).wrapping_add(v3[1]) ^ (v3[1] ^ ((b[i] as i64) as i32)));
                            let v5: (isize, u8) = (((((i as i64) as isize) | ((i as i64) as isize)) ^ ((b[i] as i64) as isize).reverse_bits()), (93u8 & u8::MIN).wrapping_mul(((b[i] as i64) as u8).saturating_add(((v4 as i64) as u8))));
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v5.0 as u64;
                        }
                        let mut v6: u16 = ((h as i64) as u16).wrapping_rem(((h as i64) as u16).min(((s as i64) as u16)) | 1);
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v6 as u64;
                    }
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
                }
                3..=5 => {
                    let mut v7: u16 = 28u16.max(((i as i64) as u16)).wrapping_add(((h as i64) as u16).saturating_mul(((b[i] as i64) as u16)));
                    match (if ((s as i64) < 67) { ((v7 as i64) as isize) } else { ((s as i64) as isize) }).wrapping_div(((b[i] as i64) as isize) | 1) & 7 {
                        0 => {
                            match (((b[i] as i64) as isize) as i8) & 7 {
                                0 => {
                                    let mut v8: [i8; 2] = [((s as i64) as i8).wrapping_mul(((v7 as i64) as i8)), 58i8.saturating_add(((s as i64) as i8))];
                                    let mut v9: i16 = (!((i as i64) as i16).wrapping_div(i16::MIN | 1));
                                    let mut v10: [i16; 3] = [(usize::MAX as i16), v9.min(v9), (!v9)];
                                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                                }
                                1 | 2 => {
                                    let (mut v11, v12): (f32, i32) = (((i as i64) as f32), (!37i32).wrapping_neg());
                                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v7 as u64;
                                }
                                3..=5 => {
                                    v7 &= ((i as i64) as u16).max(((b[i] as i64) as u16)).saturating_add(v7);
                                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
                                }
                                _ => {
                                    v7 &= (!34u16).swap_bytes();
                                    let mut v13: u32 = (((v7 as i64) as i64).reverse_bits() as u32);
                                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
                                }
                            }
                            let v14: (f32, i16) = (((b[i] as f32) - (1.0_f32)), (((i as i64) as i32) as i16));
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v14.1 as u64;
                        }
                        1 | 2 => {
                            let (mut v15, v16): (i16, i32) = ((((s as i64) as u16) as i16), ((h as i64) as i32).swap_bytes().wrapping_rem_euclid(42i32.max(((i as i64) as i32)) | 1));
                            let v17: f32 = (if (if ((v7 as i64) >= 9) { ((i as i64) < 89) } else { ((v15 as i64) < 67) }) { (if ((s as i64) < 92) { ((s as i64) as f32) } else { ((v15 as i64) as f32) }) } else { (((b[i] as i64) as f32) + (-0.1_f32)) });
                            let v18: (u32, u64) = (((v16 as i64) as u32).wrapping_shl(((b[i] as i64) as u32).saturating_mul(((v16 as i64) as u32))), h.wrapping_shl((((h as i64) as u32) & ((s as i64) as u32))));
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v15 as u64;
                        }
                        3..=5 => {
                            v7 |= (u16::MIN.rotate_left(((h as i64) as u32)) & (((v7 as i64) as f32) as u16));
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
                        }
                        _ => {
                            v7 &= (!((s as i64) as u16).max(((h as i64) as u16)));
                            let (mut v19, v20): (u64, f32) = ((if ((255.0_f32) < (1.0_f32)) { 40u64 } else { b[i] }), ((((h as i64) as f32) * ((h as i64) as f32)) * ((i as i64) as f32)));
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v20 as u64;
                        }
                    }
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
                }
                _ => {
                    let v21: (i16, u64) = ((((s as i64) as i64) as i16).wrapping_mul(a[i].saturating_mul(a[i])), (if (((b[i] as i64) as i64) < i64::MIN) { b[i].wrapping_rem_euclid(b[i] | 1) } else { u64::MIN.saturating_sub(0u64) }));
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v21.1 as u64;
                }
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            y[i] = (((h as i64) as f32) as u8) ^ h as u8;
            z[i] = (((b[i] as i64) as u32) as u16).swap_bytes() ^ h as u16;
        }
    }

    pub fn serial(a: &[i16], b: &[u64], c: &[usize], s: u64, y: &mut [u8], z: &mut [u16]) {
        for i in 0..y.len() {
            let mut h: u64 = 7;
            match (((s as i64) as u16).wrapping_add(u16::MAX) as u8) & 7 {
                0 => {
                    let mut v1: f32 = ((((b[i] as i64) as f32) - ((s as i64) as f32)) - (((b[i] as i64) as f32) * ((h as i64) as f32)));
                    v1 -= (((0.0_f32) * (1.0e-3_f32)) - (0.5_f32));
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                }
                1 | 2 => {
                    if (if ((h as i64) < 22) { (((s as i64) == 77) >= ((i as i64) < 52)) } else { (if ((s as i64) == 96) { ((b[i] as i64) < 94) } else { ((i as i64) < 4) }) }) {
                        if (((i as i64) == 78) && (if ((b[i] as i64) == 26) { ((i as i64) < 73) } else { ((h as i64) == 60) })) {
                            let v2: u32 = (isize::MIN.wrapping_mul(((s as i64) as isize)) as u32);
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                        } else {
                            let mut v3: [i32; 3] = [((i as i64) as i32).wrapping_shl(((s as i64) as u32)), ((i as i64) as i32), (!30i32)];
                            let mut v4: i32 = (((b[i] as i64) as i32).wrapping_add(v3[1]) ^ (v3[1] ^ ((b[i] as i64) as i32)));
                            let v5: (isize, u8) = (((((i as i64) as isize) | ((i as i64) as isize)) ^ ((b[i] as i64) as isize).reverse_bits()), (93u8 & u8::MIN).wrapping_mul(((b[i] as i64) as u8).saturating_add(((v4 as i64) as u8))));
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v5.0 as u64;
                        }
                        let mut v6: u16 = ((h as i64) as u16).wrapping_rem(((h as i64) as u16).min(((s as i64) as u16)) | 1);
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v6 as u64;
                    }
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
                }
                3..=5 => {
                    let mut v7: u16 = 28u16.max(((i as i64) as u16)).wrapping_add(((h as i64) as u16).saturating_mul(((b[i] as i64) as u16)));
                    match (if ((s as i64) < 67) { ((v7 as i64) as isize) } else { ((s as i64) as isize) }).wrapping_div(((b[i] as i64) as isize) | 1) & 7 {
                        0 => {
                            match (((b[i] as i64) as isize) as i8) & 7 {
                                0 => {
                                    let mut v8: [i8; 2] = [((s as i64) as i8).wrapping_mul(((v7 as i64) as i8)), 58i8.saturating_add(((s as i64) as i8))];
                                    let mut v9: i16 = (!((i as i64) as i16).wrapping_div(i16::MIN | 1));
                                    let mut v10: [i16; 3] = [(usize::MAX as i16), v9.min(v9), (!v9)];
                                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                                }
                                1 | 2 => {
                                    let (mut v11, v12): (f32, i32) = (((i as i64) as f32), (!37i32).wrapping_neg());
                                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v7 as u64;
                                }
                                3..=5 => {
                                    v7 &= ((i as i64) as u16).max(((b[i] as i64) as u16)).saturating_add(v7);
                                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
                                }
                                _ => {
                                    v7 &= (!34u16).swap_bytes();
                                    let mut v13: u32 = (((v7 as i64) as i64).reverse_bits() as u32);
                                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
                                }
                            }
                            let v14: (f32, i16) = (((b[i] as f32) - (1.0_f32)), (((i as i64) as i32) as i16));
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v14.1 as u64;
                        }
                        1 | 2 => {
                            let (mut v15, v16): (i16, i32) = ((((s as i64) as u16) as i16), ((h as i64) as i32).swap_bytes().wrapping_rem_euclid(42i32.max(((i as i64) as i32)) | 1));
                            let v17: f32 = (if (if ((v7 as i64) >= 9) { ((i as i64) < 89) } else { ((v15 as i64) < 67) }) { (if ((s as i64) < 92) { ((s as i64) as f32) } else { ((v15 as i64) as f32) }) } else { (((b[i] as i64) as f32) + (-0.1_f32)) });
                            let v18: (u32, u64) = (((v16 as i64) as u32).wrapping_shl(((b[i] as i64) as u32).saturating_mul(((v16 as i64) as u32))), h.wrapping_shl((((h as i64) as u32) & ((s as i64) as u32))));
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v15 as u64;
                        }
                        3..=5 => {
                            v7 |= (u16::MIN.rotate_left(((h as i64) as u32)) & (((v7 as i64) as f32) as u16));
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
                        }
                        _ => {
                            v7 &= (!((s as i64) as u16).max(((h as i64) as u16)));
                            let (mut v19, v20): (u64, f32) = ((if ((255.0_f32) < (1.0_f32)) { 40u64 } else { b[i] }), ((((h as i64) as f32) * ((h as i64) as f32)) * ((i as i64) as f32)));
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v20 as u64;
                        }
                    }
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
                }
                _ => {
                    let v21: (i16, u64) = ((((s as i64) as i64) as i16).wrapping_mul(a[i].saturating_mul(a[i])), (if (((b[i] as i64) as i64) < i64::MIN) { b[i].wrapping_rem_euclid(b[i] | 1) } else { u64::MIN.saturating_sub(0u64) }));
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v21.1 as u64;
                }
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            y[i] = (((h as i64) as f32) as u8) ^ h as u8;
            z[i] = (((b[i] as i64) as u32) as u16).swap_bytes() ^ h as u16;
        }
    }
}
case! { body_23: i16 u64 usize u8 u16 }

pub mod body_24 {
    #[omp::offload]
    pub fn device(d: usize, a: &[f32], b: &[i16], c: &[u8], s: i16, y: &mut [u16], z: &mut [i64]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..y.len() {
            let mut h: u64 = 7;
            let mut v1: u32 = 0;
            while v1 < 5 && (((0.5_f32) == a[i]) && (((i as i64) >= 1) && ((h as i64) >= 29))) {
                let v2: i8 = ((h as i64) as i8).saturating_mul(((b[i] as i64) as i8)).wrapping_div_euclid(((i as i64) as i8).max(((b[i] as i64) as i8)) | 1);
                if (i32::MAX.wrapping_sub(((v1 as i64) as i32)) < ((b[i] as i64) as i32).wrapping_add(99i32)) {
                    'v4: for v3 in 2..5 {
                        let v3: usize = v3;
                        let v5: f32 = ((1.0_f32) - ((1.0e-3_f32) - ((v2 as i64) as f32)));
                        let v6: i64 = 38i64;
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
                    }
                    'v8: for v7 in 0..=4 {
                        let v7: u8 = v7;
                        if ((((v7 as i64) as f64) + (0.0_f64)) <= (((h as i64) as f64) - ((v1 as i64) as f64))) { break 'v8; }
                        let v9: (u64, u16) = (0u64, ((!((i as i64) as u16)) | ((b[i] as i64) as u16).wrapping_rem_euclid(((s as i64) as u16) | 1)));
                        let mut v10: [f64; 5] = [((((v1 as i64) as f32) as f64) * (if ((i as i64) < 18) { (0.5_f64) } else { ((v1 as i64) as f64) })); 5];
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v9.1 as u64;
                    }
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                }
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
                v1 += 1;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            let mut v11: i8 = (!((s as i64) as i8)).wrapping_rem_euclid(((v1 as i64) as i8).saturating_add(((h as i64) as i8)) | 1);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            let v12: usize = i;
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            'v14: for v13 in 0..=4 {
                let v13: u8 = v13;
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v11 as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v11 as u64;
            y[i] = u16::MIN.wrapping_mul(((v11 as i64) as u16)).wrapping_shr(v1.saturating_mul(v1)) ^ h as u16;
            z[i] = (if (if ((i as i64) == 8) { ((v11 as i64) >= 16) } else { ((i as i64) == 78) }) { (((b[i] as i64) as i64) & ((i as i64) as i64)) } else { ((i as i64) as i64) }) ^ h as i64;
        }
    }

    pub fn serial(a: &[f32], b: &[i16], c: &[u8], s: i16, y: &mut [u16], z: &mut [i64]) {
        for i in 0..y.len() {
            let mut h: u64 = 7;
            let mut v1: u32 = 0;
            while v1 < 5 && (((0.5_f32) == a[i]) && (((i as i64) >= 1) && ((h as i64) >= 29))) {
                let v2: i8 = ((h as i64) as i8).saturating_mul(((b[i] as i64) as i8)).wrapping_div_euclid(((i as i64) as i8).max(((b[i] as i64) as i8)) | 1);
                if (i32::MAX.wrapping_sub(((v1 as i64) as i32)) < ((b[i] as i64) as i32).wrapping_add(99i32)) {
                    'v4: for v3 in 2..5 {
                        let v3: usize = v3;
                        let v5: f32 = ((1.0_f32) - ((1.0e-3_f32) - ((v2 as i64) as f32)));
                        let v6: i64 = 38i64;
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
                    }
                    'v8: for v7 in 0..=4 {
                        let v7: u8 = v7;
                        if ((((v7 as i64) as f64) + (0.0_f64)) <= (((h as i64) as f64) - ((v1 as i64) as f64))) { break 'v8; }
                        let v9: (u64, u16) = (0u64, ((!((i as i64) as u16)) | ((b[i] as i64) as u16).wrapping_rem_euclid(((s as i64) as u16) | 1)));
                        let mut v10: [f64; 5] = [((((v1 as i64) as f32) as f64) * (if ((i as i64) < 18) { (0.5_f64) } else { ((v1 as i64) as f64) })); 5];
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v9.1 as u64;
                    }
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                }
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
                v1 += 1;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            let mut v11: i8 = (!((s as i64) as i8)).wrapping_rem_euclid(((v1 as i64) as i8).saturating_add(((h as i64) as i8)) | 1);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            let v12: usize = i;
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            'v14: for v13 in 0..=4 {
                let v13: u8 = v13;
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v11 as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v11 as u64;
            y[i] = u16::MIN.wrapping_mul(((v11 as i64) as u16)).wrapping_shr(v1.saturating_mul(v1)) ^ h as u16;
            z[i] = (if (if ((i as i64) == 8) { ((v11 as i64) >= 16) } else { ((i as i64) == 78) }) { (((b[i] as i64) as i64) & ((i as i64) as i64)) } else { ((i as i64) as i64) }) ^ h as i64;
        }
    }
}
case! { body_24: f32 i16 u8 u16 i64 }

pub mod body_25 {
    #[omp::offload]
    pub fn device(d: usize, a: &[i32], b: &[i64], c: &[i16], s: i64, y: &mut [i16], z: &mut [usize]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..y.len() {
            let mut h: u64 = 7;
            let mut v1: [u16; 5] = [(u64::MAX as u16), ((i as i64) as u16).wrapping_neg(), 83u16.wrapping_rem_euclid(((i as i64) as u16) | 1), ((s as i64) as u16), (((s as i64) as u32) as u16)];
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            'v3: for v2 in (1..3).rev() {
                let v2: u64 = v2;
                if ((!((s as i64) as u32)) > 64u32.rotate_left(((h as i64) as u32))) { break 'v3; }
                let v4: f64 = ((s as i64) as f64);
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            let v5: i64 = b[i];
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            let mut v6: u32 = ((h as i64) as u32);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v6 as u64;
            v6 |= (!(((b[i] as i64) as f64) as u32));
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v6 as u64;
            let mut v7: u64 = (if (((v5 as i64) as isize) != ((i as i64) as isize)) { (!81u64) } else { h.wrapping_div_euclid(((v5 as i64) as u64) | 1) });
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v5 as u64;
            v7 = (if ((v7 as i64) == 11) { 89u64 } else { 71u64 }).wrapping_div((((s as i64) as u8) as u64) | 1);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v5 as u64;
            let mut v8: u16 = 0;
            while v8 < 6 && ((((b[i] as i64) as f32) + ((h as i64) as f32)) != ((b[i] as i64) as f32)) {
                'v10: for v9 in 2..7 {
                    let v9: i8 = v9;
                    let v11: i8 = (!(if ((b[i] as i64) == 66) { ((v5 as i64) as i8) } else { v9 }));
                    if ((if ((v9 as i64) < 83) { i } else { ((v5 as i64) as usize) }) == i.wrapping_div_euclid(43usize | 1)) {
                        let v12: (isize, i32) = ((if (a[i] == a[i]) { (a[i] as isize) } else { ((v9 as i64) as isize).saturating_add(((v7 as i64) as isize)) }), a[i].rotate_left(v6).reverse_bits());
                        let v13: i32 = (if ((v6 as i64) < 79) { i32::MAX } else { v12.1 }).max(v12.1.min(v12.1));
                        v6 &= (v6 as u32);
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v13 as u64;
                    }
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v6 as u64;
                }
                v1[(i32::MIN as usize) % 5] = v8;
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v5 as u64;
                v8 += 1;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v7 as u64;
            y[i] = 27i16 ^ h as i16;
            z[i] = i.wrapping_shl(u32::MAX.wrapping_add(v6)) ^ h as usize;
        }
    }

    pub fn serial(a: &[i32], b: &[i64], c: &[i16], s: i64, y: &mut [i16], z: &mut [usize]) {
        for i in 0..y.len() {
            let mut h: u64 = 7;
            let mut v1: [u16; 5] = [(u64::MAX as u16), ((i as i64) as u16).wrapping_neg(), 83u16.wrapping_rem_euclid(((i as i64) as u16) | 1), ((s as i64) as u16), (((s as i64) as u32) as u16)];
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            'v3: for v2 in (1..3).rev() {
                let v2: u64 = v2;
                if ((!((s as i64) as u32)) > 64u32.rotate_left(((h as i64) as u32))) { break 'v3; }
                let v4: f64 = ((s as i64) as f64);
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            let v5: i64 = b[i];
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            let mut v6: u32 = ((h as i64) as u32);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v6 as u64;
            v6 |= (!(((b[i] as i64) as f64) as u32));
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v6 as u64;
            let mut v7: u64 = (if (((v5 as i64) as isize) != ((i as i64) as isize)) { (!81u64) } else { h.wrapping_div_euclid(((v5 as i64) as u64) | 1) });
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v5 as u64;
            v7 = (if ((v7 as i64) == 11) { 89u64 } else { 71u64 }).wrapping_div((((s as i64) as u8) as u64) | 1);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v5 as u64;
            let mut v8: u16 = 0;
            while v8 < 6 && ((((b[i] as i64) as f32) + ((h as i64) as f32)) != ((b[i] as i64) as f32)) {
                'v10: for v9 in 2..7 {
                    let v9: i8 = v9;
                    let v11: i8 = (!(if ((b[i] as i64) == 66) { ((v5 as i64) as i8) } else { v9 }));
                    if ((if ((v9 as i64) < 83) { i } else { ((v5 as i64) as usize) }) == i.wrapping_div_euclid(43usize | 1)) {
                        let v12: (isize, i32) = ((if (a[i] == a[i]) { (a[i] as isize) } else { ((v9 as i64) as isize).saturating_add(((v7 as i64) as isize)) }), a[i].rotate_left(v6).reverse_bits());
                        let v13: i32 = (if ((v6 as i64) < 79) { i32::MAX } else { v12.1 }).max(v12.1.min(v12.1));
                        v6 &= (v6 as u32);
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v13 as u64;
                    }
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v6 as u64;
                }
                v1[(i32::MIN as usize) % 5] = v8;
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v5 as u64;
                v8 += 1;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v7 as u64;
            y[i] = 27i16 ^ h as i16;
            z[i] = i.wrapping_shl(u32::MAX.wrapping_add(v6)) ^ h as usize;
        }
    }
}
case! { body_25: i32 i64 i16 i16 usize }

pub mod body_26 {
    #[omp::offload]
    pub fn device(d: usize, a: &[i8], b: &[i16], c: &[i16], s: i16, y: &mut [i16], z: &mut [u16]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..y.len() {
            let mut h: u64 = 7;
            let mut v1: u8 = 0;
            while v1 < 5 && ((h as i64) >= 27) {
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                v1 += 1;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            'v3: for v2 in (0..5).step_by(2) {
                let v2: i16 = v2;
                let v4: u64 = (a[i] as u64).wrapping_neg();
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            let (mut v5, v6): (usize, u16) = ((83i16 as usize), ((i as i64) as u16).wrapping_mul(80u16).wrapping_mul(((h as i64) as u16).wrapping_div(((s as i64) as u16) | 1)));
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v5 as u64;
            'v8: for v7 in (2..7).rev() {
                let v7: i8 = v7;
                let mut v9: i32 = 0;
                while v9 < 6 && ((((v1 as i64) as i32) as i8) < v7) {
                    'v11: for v10 in 0..3 {
                        let v10: i8 = v10;
                        if ((((v6 as i64) as isize) != ((v5 as i64) as isize)) ^ (((v6 as i64) as f32) <= (1.0_f32))) { continue 'v11; }
                        let mut v12: [f64; 4] = [(((v1 as i64) as f64) as f64), ((1.0_f64) - ((v10 as i64) as f64)), ((0.0_f64) - ((s as i64) as f64)), (((i as i64) as f64) + (-0.1_f64))];
                        let v13: f32 = ((((s as i64) as f32) - ((v6 as i64) as f32)) / (if ((s as i64) < 69) { ((s as i64) as f32) } else { ((s as i64) as f32) }));
                        let v14: (i32, bool) = ((!v9.wrapping_add(v9)), ((v9 as i64) >= 5));
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v13 as u64;
                    }
                    if (v9.saturating_sub(v9) > 9i32) {
                        let mut v15: i32 = 85i32.reverse_bits().saturating_sub(v9.wrapping_mul(v9));
                        v15 ^= (if ((v7 as i64) == 91) { 12i32 } else { (((h as i64) as i64) as i32) });
                        let v16: u8 = (((s as i64) as i64).wrapping_shl(((s as i64) as u32)) as u8);
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v15 as u64;
                    } else {
                        let v17: u32 = (!(if ((s as i64) < 50) { ((b[i] as i64) as u32) } else { ((v7 as i64) as u32) }));
                        let mut v18: u16 = (!v6.saturating_add(u16::MAX));
                        let mut v19: u32 = 69u32;
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v19 as u64;
                    }
                    v5 = (if ((s as i64) == 99) { ((i as i64) as usize) } else { v5 }).swap_bytes();
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
                    v9 += 1;
                }
                let v20: u16 = ((v7 as i64) as u16);
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v7 as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v5 as u64;
            y[i] = s ^ h as i16;
            z[i] = ((((s as i64) as isize) & ((b[i] as i64) as isize)) as u16) ^ h as u16;
        }
    }

    pub fn serial(a: &[i8], b: &[i16], c: &[i16], s: i16, y: &mut [i16], z: &mut [u16]) {
        for i in 0..y.len() {
            let mut h: u64 = 7;
            let mut v1: u8 = 0;
            while v1 < 5 && ((h as i64) >= 27) {
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                v1 += 1;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            'v3: for v2 in (0..5).step_by(2) {
                let v2: i16 = v2;
                let v4: u64 = (a[i] as u64).wrapping_neg();
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            let (mut v5, v6): (usize, u16) = ((83i16 as usize), ((i as i64) as u16).wrapping_mul(80u16).wrapping_mul(((h as i64) as u16).wrapping_div(((s as i64) as u16) | 1)));
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v5 as u64;
            'v8: for v7 in (2..7).rev() {
                let v7: i8 = v7;
                let mut v9: i32 = 0;
                while v9 < 6 && ((((v1 as i64) as i32) as i8) < v7) {
                    'v11: for v10 in 0..3 {
                        let v10: i8 = v10;
                        if ((((v6 as i64) as isize) != ((v5 as i64) as isize)) ^ (((v6 as i64) as f32) <= (1.0_f32))) { continue 'v11; }
                        let mut v12: [f64; 4] = [(((v1 as i64) as f64) as f64), ((1.0_f64) - ((v10 as i64) as f64)), ((0.0_f64) - ((s as i64) as f64)), (((i as i64) as f64) + (-0.1_f64))];
                        let v13: f32 = ((((s as i64) as f32) - ((v6 as i64) as f32)) / (if ((s as i64) < 69) { ((s as i64) as f32) } else { ((s as i64) as f32) }));
                        let v14: (i32, bool) = ((!v9.wrapping_add(v9)), ((v9 as i64) >= 5));
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v13 as u64;
                    }
                    if (v9.saturating_sub(v9) > 9i32) {
                        let mut v15: i32 = 85i32.reverse_bits().saturating_sub(v9.wrapping_mul(v9));
                        v15 ^= (if ((v7 as i64) == 91) { 12i32 } else { (((h as i64) as i64) as i32) });
                        let v16: u8 = (((s as i64) as i64).wrapping_shl(((s as i64) as u32)) as u8);
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v15 as u64;
                    } else {
                        let v17: u32 = (!(if ((s as i64) < 50) { ((b[i] as i64) as u32) } else { ((v7 as i64) as u32) }));
                        let mut v18: u16 = (!v6.saturating_add(u16::MAX));
                        let mut v19: u32 = 69u32;
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v19 as u64;
                    }
                    v5 = (if ((s as i64) == 99) { ((i as i64) as usize) } else { v5 }).swap_bytes();
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
                    v9 += 1;
                }
                let v20: u16 = ((v7 as i64) as u16);
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v7 as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v5 as u64;
            y[i] = s ^ h as i16;
            z[i] = ((((s as i64) as isize) & ((b[i] as i64) as isize)) as u16) ^ h as u16;
        }
    }
}
case! { body_26: i8 i16 i16 i16 u16 }

pub mod body_27 {
    #[omp::offload]
    pub fn device(d: usize, a: &[u64], b: &[u32], c: &[u16], s: u32, y: &mut [isize], z: &mut [f64]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..y.len() {
            let mut h: u64 = 7;
            let mut v1: usize = 0;
            while v1 < 5 && ((b[i] as i64) < 30) {
                let v2: f64 = (if (((h as i64) as f64) <= ((v1 as i64) as f64)) { ((i as i64) as f64) } else { ((b[i] as i64) as f64) });
                let mut v3: [isize; 2] = [((v1 as i64) as isize); 2];
                if (a[i].wrapping_rem(h | 1) <= (((s as i64) as f64) as u64)) {
                    let mut v4: u8 = (h as u8);
                    if (v3[1].wrapping_sub(((s as i64) as isize)) <= ((h as i64) as isize).reverse_bits()) {
                        let mut v5: u64 = h.min((a[i] & a[i]));
                        let mut v6: f32 = ((if ((h as i64) == 9) { (0.0_f32) } else { (0.5_f32) }) / (s as f32));
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
                    } else {
                        let (mut v7, v8): (u16, u32) = (49u16, 40u32.wrapping_rem(s | 1).wrapping_div(b[i] | 1));
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v8 as u64;
                    }
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v4 as u64;
                } else {
                    if (((v1 as i64) as f64) < (s as f64)) {
                        let (mut v9, v10): (u16, u16) = ((((s as i64) as usize) as u16), c[i].wrapping_neg().reverse_bits());
                        v3[((b[i] as i64) as usize) % 2] = (if (87u64 != h) { ((h as i64) as isize) } else { v3[(i + 1) % 2].rotate_left(b[i]) });
                        let mut v11: [i8; 5] = [(if ((v1 as i64) >= 28) { ((i as i64) as i8) } else { ((b[i] as i64) as i8) }), (((v9 as i64) as i8) ^ ((v1 as i64) as i8)), (if ((v10 as i64) >= 50) { ((i as i64) as i8) } else { i8::MAX }), ((h as i64) as i8).rotate_right(s), (if ((v9 as i64) == 14) { ((i as i64) as i8) } else { ((i as i64) as i8) })];
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v9 as u64;
                    }
                    let mut v12: i64 = ((i as i64) as i64).saturating_mul(((b[i] as i64) as i64)).saturating_add((!((h as i64) as i64)));
                    v12 ^= ((v1 as i64) as i64).wrapping_rem_euclid(((v1 as i64) as i64) | 1);
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                }
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
                v1 += 1;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            y[i] = 8isize.wrapping_add(((b[i] as i64) as isize)).wrapping_rem_euclid(((v1 as i64) as isize).max(56isize) | 1) ^ h as isize;
            z[i] = (((b[i] as i64) as f64) + ((1.0_f64) / ((s as i64) as f64))) * (h % 1000) as f64;
        }
    }

    pub fn serial(a: &[u64], b: &[u32], c: &[u16], s: u32, y: &mut [isize], z: &mut [f64]) {
        for i in 0..y.len() {
            let mut h: u64 = 7;
            let mut v1: usize = 0;
            while v1 < 5 && ((b[i] as i64) < 30) {
                let v2: f64 = (if (((h as i64) as f64) <= ((v1 as i64) as f64)) { ((i as i64) as f64) } else { ((b[i] as i64) as f64) });
                let mut v3: [isize; 2] = [((v1 as i64) as isize); 2];
                if (a[i].wrapping_rem(h | 1) <= (((s as i64) as f64) as u64)) {
                    let mut v4: u8 = (h as u8);
                    if (v3[1].wrapping_sub(((s as i64) as isize)) <= ((h as i64) as isize).reverse_bits()) {
                        let mut v5: u64 = h.min((a[i] & a[i]));
                        let mut v6: f32 = ((if ((h as i64) == 9) { (0.0_f32) } else { (0.5_f32) }) / (s as f32));
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
                    } else {
                        let (mut v7, v8): (u16, u32) = (49u16, 40u32.wrapping_rem(s | 1).wrapping_div(b[i] | 1));
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v8 as u64;
                    }
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v4 as u64;
                } else {
                    if (((v1 as i64) as f64) < (s as f64)) {
                        let (mut v9, v10): (u16, u16) = ((((s as i64) as usize) as u16), c[i].wrapping_neg().reverse_bits());
                        v3[((b[i] as i64) as usize) % 2] = (if (87u64 != h) { ((h as i64) as isize) } else { v3[(i + 1) % 2].rotate_left(b[i]) });
                        let mut v11: [i8; 5] = [(if ((v1 as i64) >= 28) { ((i as i64) as i8) } else { ((b[i] as i64) as i8) }), (((v9 as i64) as i8) ^ ((v1 as i64) as i8)), (if ((v10 as i64) >= 50) { ((i as i64) as i8) } else { i8::MAX }), ((h as i64) as i8).rotate_right(s), (if ((v9 as i64) == 14) { ((i as i64) as i8) } else { ((i as i64) as i8) })];
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v9 as u64;
                    }
                    let mut v12: i64 = ((i as i64) as i64).saturating_mul(((b[i] as i64) as i64)).saturating_add((!((h as i64) as i64)));
                    v12 ^= ((v1 as i64) as i64).wrapping_rem_euclid(((v1 as i64) as i64) | 1);
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                }
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
                v1 += 1;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            y[i] = 8isize.wrapping_add(((b[i] as i64) as isize)).wrapping_rem_euclid(((v1 as i64) as isize).max(56isize) | 1) ^ h as isize;
            z[i] = (((b[i] as i64) as f64) + ((1.0_f64) / ((s as i64) as f64))) * (h % 1000) as f64;
        }
    }
}
case! { body_27: u64 u32 u16 isize f64 }

pub mod body_28 {
    #[omp::offload]
    pub fn device(d: usize, a: &[u16], b: &[u64], c: &[u32], s: u64, y: &mut [i64], z: &mut [i64]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..y.len() {
            let mut h: u64 = 7;
            let v1: f32 = (((-0.1_f64) / ((b[i] as i64) as f64)) as f32);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            if (((s as i64) as isize).saturating_sub(((s as i64) as isize)) < (if ((b[i] as i64) < 66) { ((i as i64) as isize) } else { isize::MAX })) {
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            } else {
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            let v2: f32 = (-1.25_f32);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            let v3: i32 = ((i as i64) as i32).rotate_left(((s as i64) as u32)).wrapping_div_euclid(((s as i64) as i32).wrapping_mul(12i32) | 1);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            let mut v4: [i32; 5] = [(48i32 ^ (((i as i64) as u8) as i32)); 5];
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
            v4[(u32::MIN as usize).wrapping_shr((!((i as i64) as u32))) % 5] = v3;
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
            let v5: u32 = ((s as i64) as u32).rotate_right(((v3 as i64) as u32).wrapping_sub(u32::MIN));
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            if ((((s as i64) == 77) < ((b[i] as i64) < 58)) == ((v5 as i64) < 35)) {
                'v7: for v6 in (2..7).rev() {
                    let v6: isize = v6;
                    let mut v8: f64 = ((((s as i64) as f64) as f64) + (((s as i64) as f64) / (0.0_f64)));
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v8 as u64;
                }
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v5 as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v5 as u64;
            let mut v9: usize = 0;
            while v9 < 4 && (if (u32::MIN == c[i]) { (((b[i] as i64) == 82) | ((v5 as i64) < 22)) } else { ((s as i64) >= 47) }) {
                let v10: isize = ((!((b[i] as i64) as isize)) | ((h as i64) as isize).wrapping_sub(((b[i] as i64) as isize)));
                let mut v11: i64 = ((v9 as i64) as i64).wrapping_sub(((v10 as i64) as i64)).wrapping_shr((!u32::MAX));
                v11 |= v11;
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
                v9 += 1;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v9 as u64;
            y[i] = ((h as i64) as i64).wrapping_rem(i64::MAX | 1).wrapping_div(((b[i] as i64) as i64).wrapping_sub(((s as i64) as i64)) | 1) ^ h as i64;
            z[i] = ((v9 as i64) as i64).min((!((s as i64) as i64))) ^ h as i64;
        }
    }

    pub fn serial(a: &[u16], b: &[u64], c: &[u32], s: u64, y: &mut [i64], z: &mut [i64]) {
        for i in 0..y.len() {
            let mut h: u64 = 7;
            let v1: f32 = (((-0.1_f64) / ((b[i] as i64) as f64)) as f32);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            if (((s as i64) as isize).saturating_sub(((s as i64) as isize)) < (if ((b[i] as i64) < 66) { ((i as i64) as isize) } else { isize::MAX })) {
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            } else {
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            let v2: f32 = (-1.25_f32);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            let v3: i32 = ((i as i64) as i32).rotate_left(((s as i64) as u32)).wrapping_div_euclid(((s as i64) as i32).wrapping_mul(12i32) | 1);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            let mut v4: [i32; 5] = [(48i32 ^ (((i as i64) as u8) as i32)); 5];
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
            v4[(u32::MIN as usize).wrapping_shr((!((i as i64) as u32))) % 5] = v3;
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
            let v5: u32 = ((s as i64) as u32).rotate_right(((v3 as i64) as u32).wrapping_sub(u32::MIN));
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            if ((((s as i64) == 77) < ((b[i] as i64) < 58)) == ((v5 as i64) < 35)) {
                'v7: for v6 in (2..7).rev() {
                    let v6: isize = v6;
                    let mut v8: f64 = ((((s as i64) as f64) as f64) + (((s as i64) as f64) / (0.0_f64)));
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v8 as u64;
                }
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v5 as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v5 as u64;
            let mut v9: usize = 0;
            while v9 < 4 && (if (u32::MIN == c[i]) { (((b[i] as i64) == 82) | ((v5 as i64) < 22)) } else { ((s as i64) >= 47) }) {
                let v10: isize = ((!((b[i] as i64) as isize)) | ((h as i64) as isize).wrapping_sub(((b[i] as i64) as isize)));
                let mut v11: i64 = ((v9 as i64) as i64).wrapping_sub(((v10 as i64) as i64)).wrapping_shr((!u32::MAX));
                v11 |= v11;
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
                v9 += 1;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v9 as u64;
            y[i] = ((h as i64) as i64).wrapping_rem(i64::MAX | 1).wrapping_div(((b[i] as i64) as i64).wrapping_sub(((s as i64) as i64)) | 1) ^ h as i64;
            z[i] = ((v9 as i64) as i64).min((!((s as i64) as i64))) ^ h as i64;
        }
    }
}
case! { body_28: u16 u64 u32 i64 i64 }

pub mod body_29 {
    #[omp::offload]
    pub fn device(d: usize, a: &[u32], b: &[usize], c: &[u16], s: usize, y: &mut [i16], z: &mut [i32]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..y.len() {
            let mut h: u64 = 7;
            let mut v1: [f32; 2] = [((((b[i] as i64) as i32) as f32) / ((i as i64) as f32)); 2];
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            let v2: i8 = (((b[i] as i64) as i8) & ((i as i64) as i8)).wrapping_sub(((h as i64) as i8).reverse_bits());
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            let mut v3: [i64; 5] = [((h as i64) as i64).saturating_mul(((b[i] as i64) as i64)), ((v2 as i64) as i64).wrapping_shl(((b[i] as i64) as u32)), 4i64.reverse_bits(), ((b[i] as i64) as i64).saturating_mul(((s as i64) as i64)), ((b[i] as i64) as i64).swap_bytes()];
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            if ((i as i64) >= 32) {
                'v5: for v4 in (0..4).step_by(2) {
                    let v4: u8 = v4;
                    let v6: (u64, usize) = (((((v4 as i64) as f64) + ((b[i] as i64) as f64)) as u64), (((b[i] as i64) as i32) as usize));
                    let mut v7: u64 = h;
                    v3[b[i].wrapping_neg() % 5] = (((v2 as i64) as i32) as i64).wrapping_neg();
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v6.0 as u64;
                }
                let v8: u16 = ((b[i] as i64) as u16);
                let mut v9: i32 = ((i as i64) as i32);
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            } else {
                let v10: (i16, bool) = ((((v2 as i64) as i8) as i16), ((((v2 as i64) == 78) || ((s as i64) == 81)) & (((b[i] as i64) as i32) <= 82i32)));
                let mut v11: i16 = 0;
                while v11 < 4 && (if v10.1 { (i32::MIN < ((s as i64) as i32)) } else { (v10.1 | ((h as i64) < 69)) }) {
                    if (v11 != (h as i16)) {
                        let mut v12: f64 = ((((i as i64) as f32) + ((v10.0 as i64) as f32)) as f64);
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v10.1 as u64;
                    } else {
                        let mut v13: i8 = (((b[i] as i64) as u8) as i8).saturating_mul(v2.wrapping_shl(((b[i] as i64) as u32)));
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v10.0 as u64;
                    }
                    let mut v14: i64 = v3[(i + 0) % 5];
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v14 as u64;
                    v11 += 1;
                }
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v10.1 as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            y[i] = (v2 as i16) ^ h as i16;
            z[i] = ((s as i64) as i32).wrapping_div(((v2 as i64) as i32) | 1).rotate_left((((v2 as i64) as f32) as u32)) ^ h as i32;
        }
    }

    pub fn serial(a: &[u32], b: &[usize], c: &[u16], s: usize, y: &mut [i16], z: &mut [i32]) {
        for i in 0..y.len() {
            let mut h: u64 = 7;
            let mut v1: [f32; 2] = [((((b[i] as i64) as i32) as f32) / ((i as i64) as f32)); 2];
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            let v2: i8 = (((b[i] as i64) as i8) & ((i as i64) as i8)).wrapping_sub(((h as i64) as i8).reverse_bits());
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            let mut v3: [i64; 5] = [((h as i64) as i64).saturating_mul(((b[i] as i64) as i64)), ((v2 as i64) as i64).wrapping_shl(((b[i] as i64) as u32)), 4i64.reverse_bits(), ((b[i] as i64) as i64).saturating_mul(((s as i64) as i64)), ((b[i] as i64) as i64).swap_bytes()];
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            if ((i as i64) >= 32) {
                'v5: for v4 in (0..4).step_by(2) {
                    let v4: u8 = v4;
                    let v6: (u64, usize) = (((((v4 as i64) as f64) + ((b[i] as i64) as f64)) as u64), (((b[i] as i64) as i32) as usize));
                    let mut v7: u64 = h;
                    v3[b[i].wrapping_neg() % 5] = (((v2 as i64) as i32) as i64).wrapping_neg();
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v6.0 as u64;
                }
                let v8: u16 = ((b[i] as i64) as u16);
                let mut v9: i32 = ((i as i64) as i32);
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            } else {
                let v10: (i16, bool) = ((((v2 as i64) as i8) as i16), ((((v2 as i64) == 78) || ((s as i64) == 81)) & (((b[i] as i64) as i32) <= 82i32)));
                let mut v11: i16 = 0;
                while v11 < 4 && (if v10.1 { (i32::MIN < ((s as i64) as i32)) } else { (v10.1 | ((h as i64) < 69)) }) {
                    if (v11 != (h as i16)) {
                        let mut v12: f64 = ((((i as i64) as f32) + ((v10.0 as i64) as f32)) as f64);
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v10.1 as u64;
                    } else {
                        let mut v13: i8 = (((b[i] as i64) as u8) as i8).saturating_mul(v2.wrapping_shl(((b[i] as i64) as u32)));
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v10.0 as u64;
                    }
                    let mut v14: i64 = v3[(i + 0) % 5];
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v14 as u64;
                    v11 += 1;
                }
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v10.1 as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            y[i] = (v2 as i16) ^ h as i16;
            z[i] = ((s as i64) as i32).wrapping_div(((v2 as i64) as i32) | 1).rotate_left((((v2 as i64) as f32) as u32)) ^ h as i32;
        }
    }
}
case! { body_29: u32 usize u16 i16 i32 }

pub mod body_30 {
    #[omp::offload]
    pub fn device(d: usize, a: &[i16], b: &[u8], c: &[u8], s: u8, y: &mut [i8], z: &mut [i32]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..y.len() {
            let mut h: u64 = 7;
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            let v1: i16 = ((if ((h as i64) < 16) { ((h as i64) as i8) } else { ((b[i] as i64) as i8) }) as i16);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            if (((1.0e-3_f32) + (-0.1_f32)) <= (((b[i] as i64) as f32) * (0.5_f32))) {
                if ((((i as i64) as i64) != ((h as i64) as i64)) && (((h as i64) < 99) | ((v1 as i64) >= 30))) {
                    let v2: f64 = ((((h as i64) as f64) / ((s as i64) as f64)) / (if ((v1 as i64) < 54) { ((h as i64) as f64) } else { ((v1 as i64) as f64) }));
                    let v3: isize = (((h as i64) as f32) as isize).wrapping_neg();
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
                } else {
                    'v5: for v4 in 2..=4 {
                        let v4: u8 = v4;
                        if (if (((v1 as i64) as u64) <= u64::MIN) { (((i as i64) as i32) != ((v1 as i64) as i32)) } else { ((b[i] as i64) < 6) }) { break 'v5; }
                        let mut v6: u64 = (i as u64);
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
                    }
                    let mut v7: [u16; 2] = [((v1 as i64) as u16).wrapping_rem_euclid((((b[i] as i64) as u16) & ((i as i64) as u16)) | 1); 2];
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                }
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            let v8: i32 = (if (((s as i64) as i32) == ((h as i64) as i32)) { ((h as i64) as i32).saturating_mul(((h as i64) as i32)) } else { ((v1 as i64) as i32) });
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            if ((if ((s as i64) == 77) { ((b[i] as i64) as i8) } else { ((v1 as i64) as i8) }) != ((v1 as i64) as i8).wrapping_neg()) {
                if (((s as i64) as u16).max(7u16) >= (((s as i64) as u32) as u16)) {
                    if (if (62i64 == ((v1 as i64) as i64)) { (((v1 as i64) < 80) & ((b[i] as i64) < 41)) } else { (((v1 as i64) < 66) ^ ((s as i64) < 28)) }) {
                        let mut v9: i8 = (58i8 ^ 30i8).wrapping_sub(((i as i64) as i8).wrapping_div(((v8 as i64) as i8) | 1));
                        let v10: i32 = (if ((i as i64) >= 97) { v8 } else { v8 }).min((49u64 as i32));
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v10 as u64;
                    } else {
                        let mut v11: i16 = a[i];
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v8 as u64;
                    }
                    let v12: (f64, i8) = (((((b[i] as i64) as i32) as f64) as f64), (if ((v8 as i64) == 84) { i8::MIN } else { 69i8 }).wrapping_add(((v8 as i64) as i8)));
                    let v13: u64 = (h & h);
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
                }
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            y[i] = ((s as i64) as i8) ^ h as i8;
            z[i] = (v8.wrapping_add(((i as i64) as i32)) as i32) ^ h as i32;
        }
    }

    pub fn serial(a: &[i16], b: &[u8], c: &[u8], s: u8, y: &mut [i8], z: &mut [i32]) {
        for i in 0..y.len() {
            let mut h: u64 = 7;
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            let v1: i16 = ((if ((h as i64) < 16) { ((h as i64) as i8) } else { ((b[i] as i64) as i8) }) as i16);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            if (((1.0e-3_f32) + (-0.1_f32)) <= (((b[i] as i64) as f32) * (0.5_f32))) {
                if ((((i as i64) as i64) != ((h as i64) as i64)) && (((h as i64) < 99) | ((v1 as i64) >= 30))) {
                    let v2: f64 = ((((h as i64) as f64) / ((s as i64) as f64)) / (if ((v1 as i64) < 54) { ((h as i64) as f64) } else { ((v1 as i64) as f64) }));
                    let v3: isize = (((h as i64) as f32) as isize).wrapping_neg();
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
                } else {
                    'v5: for v4 in 2..=4 {
                        let v4: u8 = v4;
                        if (if (((v1 as i64) as u64) <= u64::MIN) { (((i as i64) as i32) != ((v1 as i64) as i32)) } else { ((b[i] as i64) < 6) }) { break 'v5; }
                        let mut v6: u64 = (i as u64);
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
                    }
                    let mut v7: [u16; 2] = [((v1 as i64) as u16).wrapping_rem_euclid((((b[i] as i64) as u16) & ((i as i64) as u16)) | 1); 2];
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                }
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            let v8: i32 = (if (((s as i64) as i32) == ((h as i64) as i32)) { ((h as i64) as i32).saturating_mul(((h as i64) as i32)) } else { ((v1 as i64) as i32) });
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            if ((if ((s as i64) == 77) { ((b[i] as i64) as i8) } else { ((v1 as i64) as i8) }) != ((v1 as i64) as i8).wrapping_neg()) {
                if (((s as i64) as u16).max(7u16) >= (((s as i64) as u32) as u16)) {
                    if (if (62i64 == ((v1 as i64) as i64)) { (((v1 as i64) < 80) & ((b[i] as i64) < 41)) } else { (((v1 as i64) < 66) ^ ((s as i64) < 28)) }) {
                        let mut v9: i8 = (58i8 ^ 30i8).wrapping_sub(((i as i64) as i8).wrapping_div(((v8 as i64) as i8) | 1));
                        let v10: i32 = (if ((i as i64) >= 97) { v8 } else { v8 }).min((49u64 as i32));
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v10 as u64;
                    } else {
                        let mut v11: i16 = a[i];
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v8 as u64;
                    }
                    let v12: (f64, i8) = (((((b[i] as i64) as i32) as f64) as f64), (if ((v8 as i64) == 84) { i8::MIN } else { 69i8 }).wrapping_add(((v8 as i64) as i8)));
                    let v13: u64 = (h & h);
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
                }
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            y[i] = ((s as i64) as i8) ^ h as i8;
            z[i] = (v8.wrapping_add(((i as i64) as i32)) as i32) ^ h as i32;
        }
    }
}
case! { body_30: i16 u8 u8 i8 i32 }

pub mod body_31 {
    #[omp::offload]
    pub fn device(d: usize, a: &[usize], b: &[u32], c: &[f64], s: u32, y: &mut [usize], z: &mut [f32]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..y.len() {
            let mut h: u64 = 7;
            'v2: for v1 in (1..2).step_by(2) {
                let v1: i32 = v1;
                let v3: u8 = 30u8.min(((h as i64) as u8)).min((if ((i as i64) == 30) { ((s as i64) as u8) } else { ((b[i] as i64) as u8) }));
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            if (if (b[i] >= s) { (((i as i64) == 20) || ((b[i] as i64) == 17)) } else { (((h as i64) == 34) ^ ((s as i64) < 61)) }) {
                let v4: u8 = (1isize as u8);
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v4 as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            let mut v5: u32 = 0;
            while v5 < 5 && ((s as i64) < 92) {
                let v6: (i16, i32) = ((((h as i64) as i16) as i16).wrapping_shl((((s as i64) as i8) as u32)), (!(((i as i64) as i32) | ((b[i] as i64) as i32))));
                let mut v7: i64 = 0;
                while v7 < 2 && (((b[i] as i64) as f32) <= (v6.1 as f32)) {
                    let mut v8: isize = 27isize;
                    let (mut v9, v10): (u16, i32) = ((60u16 ^ ((i as i64) as u16)).reverse_bits(), (-67i32));
                    v8 ^= (((v5 as i64) as i8) as isize);
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v7 as u64;
                    v7 += 1;
                }
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v7 as u64;
                v5 += 1;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            let mut v11: i8 = ((v5 as i64) as i8).wrapping_mul(((b[i] as i64) as i8)).max(((i as i64) as i8));
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            let v12: i64 = ((b[i] as i64) as i64).wrapping_sub(((h as i64) as i64)).wrapping_add((81u8 as i64));
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v12 as u64;
            v11 &= ((v12 as i64) as i8);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            y[i] = i.wrapping_neg().wrapping_rem(89usize.wrapping_shr(s) | 1) ^ h as usize;
            z[i] = ((((v5 as i64) as f32) * ((b[i] as i64) as f32)) + (((v12 as i64) as f64) as f32)) * (h % 1000) as f32;
        }
    }

    pub fn serial(a: &[usize], b: &[u32], c: &[f64], s: u32, y: &mut [usize], z: &mut [f32]) {
        for i in 0..y.len() {
            let mut h: u64 = 7;
            'v2: for v1 in (1..2).step_by(2) {
                let v1: i32 = v1;
                let v3: u8 = 30u8.min(((h as i64) as u8)).min((if ((i as i64) == 30) { ((s as i64) as u8) } else { ((b[i] as i64) as u8) }));
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            if (if (b[i] >= s) { (((i as i64) == 20) || ((b[i] as i64) == 17)) } else { (((h as i64) == 34) ^ ((s as i64) < 61)) }) {
                let v4: u8 = (1isize as u8);
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v4 as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            let mut v5: u32 = 0;
            while v5 < 5 && ((s as i64) < 92) {
                let v6: (i16, i32) = ((((h as i64) as i16) as i16).wrapping_shl((((s as i64) as i8) as u32)), (!(((i as i64) as i32) | ((b[i] as i64) as i32))));
                let mut v7: i64 = 0;
                while v7 < 2 && (((b[i] as i64) as f32) <= (v6.1 as f32)) {
                    let mut v8: isize = 27isize;
                    let (mut v9, v10): (u16, i32) = ((60u16 ^ ((i as i64) as u16)).reverse_bits(), (-67i32));
                    v8 ^= (((v5 as i64) as i8) as isize);
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v7 as u64;
                    v7 += 1;
                }
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v7 as u64;
                v5 += 1;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            let mut v11: i8 = ((v5 as i64) as i8).wrapping_mul(((b[i] as i64) as i8)).max(((i as i64) as i8));
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            let v12: i64 = ((b[i] as i64) as i64).wrapping_sub(((h as i64) as i64)).wrapping_add((81u8 as i64));
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v12 as u64;
            v11 &= ((v12 as i64) as i8);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            y[i] = i.wrapping_neg().wrapping_rem(89usize.wrapping_shr(s) | 1) ^ h as usize;
            z[i] = ((((v5 as i64) as f32) * ((b[i] as i64) as f32)) + (((v12 as i64) as f64) as f32)) * (h % 1000) as f32;
        }
    }
}
case! { body_31: usize u32 f64 usize f32 }

pub mod body_32 {
    #[omp::offload]
    pub fn device(d: usize, a: &[i64], b: &[i32], c: &[u32], s: i32, y: &mut [i64], z: &mut [i8]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..y.len() {
            let mut h: u64 = 7;
            let v1: u16 = (!((b[i] as i64) as u16)).wrapping_shl(c[i]);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            let mut v2: [i32; 5] = [(h as i32).wrapping_shr((((s as i64) as u32) as u32)); 5];
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            let v3: (i64, usize) = (((!51i64) | (if ((v1 as i64) < 48) { ((h as i64) as i64) } else { ((v1 as i64) as i64) })), (((v1 as i64) as u16) as usize).saturating_add(((v1 as i64) as usize)));
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3.0 as u64;
            if ((((s as i64) < 53) & ((v3.0 as i64) < 30)) | (((h as i64) < 32) > ((b[i] as i64) < 0))) {
                let mut v4: i64 = ((((v3.0 as i64) as f32) + ((v3.0 as i64) as f32)) as i64);
                let mut v5: [usize; 5] = [(if ((b[i] as i64) == 54) { v3.1 } else { ((s as i64) as usize) }), ((v4 as i64) as usize).wrapping_sub(55usize), usize::MAX.reverse_bits(), (if ((v4 as i64) < 78) { 89usize } else { 57usize }), (if ((s as i64) == 9) { i } else { v3.1 })];
                v4 = (if ((v3.1 as i64) >= 90) { v4.wrapping_mul(i64::MIN) } else { v3.0 });
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            } else {
                v2[(if (((v3.1 as i64) as u8) < ((v1 as i64) as u8)) { ((i as i64) as usize).wrapping_rem(i | 1) } else { ((v3.1 as i64) as usize).saturating_mul(43usize) }) % 5] = (if ((v3.0 as i64) >= 36) { s.wrapping_div(i32::MAX | 1) } else { b[i].reverse_bits() });
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3.0 as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            match (!c[i]) & 7 {
                0 => {
                    if ((i > ((v1 as i64) as usize)) || (v1 >= v1)) {
                        let v6: i8 = ((v3.1 as i64) as i8).wrapping_sub(((v3.1 as i64) as i8)).wrapping_rem((((b[i] as i64) as u16) as i8) | 1);
                        let mut v7: i32 = 0;
                        while v7 < 6 && ((((v3.0 as i64) == 46) & ((v3.1 as i64) == 42)) || (41u64 != 26u64)) {
                            let mut v8: usize = (((v3.1 as i64) as u32) as usize);
                            let v9: u8 = ((v6 as i64) as u8);
                            v2[((-2i32) as usize) % 5] = (if (((s as i64) as i16) <= ((i as i64) as i16)) { (((s as i64) as i16) as i32) } else { b[i] });
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v9 as u64;
                            v7 += 1;
                        }
                        let mut v10: i16 = 65i16.saturating_add(((v3.1 as i64) as i16)).wrapping_div_euclid(((i as i64) as i16).wrapping_neg() | 1);
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v6 as u64;
                    } else {
                        let v11: f64 = (((s as i64) as f64) / (((v3.0 as i64) as f64) * ((s as i64) as f64)));
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3.0 as u64;
                    }
                    let v12: i32 = (if (((h as i64) as u32) < ((v3.1 as i64) as u32)) { ((-45i32) ^ 62i32) } else { (v3.0 as i32) });
                    let v13: u64 = (i16::MIN as u64);
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3.1 as u64;
                }
                1 | 2 => {
                    let mut v14: i16 = ((v1 as i64) as i16).rotate_right(((v1 as i64) as u32).max(41u32));
                    v14 ^= (!v14).swap_bytes();
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
                }
                3..=5 => {
                    v2[v3.1.saturating_mul(usize::MAX).wrapping_neg() % 5] = s.wrapping_shl(u32::MIN).wrapping_neg();
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                }
                _ => {
                    let v15: i64 = ((((h as i64) as i8) ^ ((b[i] as i64) as i8)) as i64);
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3.0 as u64;
                }
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            y[i] = (if ((v3.0 as i64) == 67) { v3.0 } else { a[i] }) ^ h as i64;
            z[i] = 51i8.min(i8::MAX).reverse_bits() ^ h as i8;
        }
    }

    pub fn serial(a: &[i64], b: &[i32], c: &[u32], s: i32, y: &mut [i64], z: &mut [i8]) {
        for i in 0..y.len() {
            let mut h: u64 = 7;
            let v1: u16 = (!((b[i] as i64) as u16)).wrapping_shl(c[i]);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            let mut v2: [i32; 5] = [(h as i32).wrapping_shr((((s as i64) as u32) as u32)); 5];
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            let v3: (i64, usize) = (((!51i64) | (if ((v1 as i64) < 48) { ((h as i64) as i64) } else { ((v1 as i64) as i64) })), (((v1 as i64) as u16) as usize).saturating_add(((v1 as i64) as usize)));
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3.0 as u64;
            if ((((s as i64) < 53) & ((v3.0 as i64) < 30)) | (((h as i64) < 32) > ((b[i] as i64) < 0))) {
                let mut v4: i64 = ((((v3.0 as i64) as f32) + ((v3.0 as i64) as f32)) as i64);
                let mut v5: [usize; 5] = [(if ((b[i] as i64) == 54) { v3.1 } else { ((s as i64) as usize) }), ((v4 as i64) as usize).wrapping_sub(55usize), usize::MAX.reverse_bits(), (if ((v4 as i64) < 78) { 89usize } else { 57usize }), (if ((s as i64) == 9) { i } else { v3.1 })];
                v4 = (if ((v3.1 as i64) >= 90) { v4.wrapping_mul(i64::MIN) } else { v3.0 });
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            } else {
                v2[(if (((v3.1 as i64) as u8) < ((v1 as i64) as u8)) { ((i as i64) as usize).wrapping_rem(i | 1) } else { ((v3.1 as i64) as usize).saturating_mul(43usize) }) % 5] = (if ((v3.0 as i64) >= 36) { s.wrapping_div(i32::MAX | 1) } else { b[i].reverse_bits() });
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3.0 as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            match (!c[i]) & 7 {
                0 => {
                    if ((i > ((v1 as i64) as usize)) || (v1 >= v1)) {
                        let v6: i8 = ((v3.1 as i64) as i8).wrapping_sub(((v3.1 as i64) as i8)).wrapping_rem((((b[i] as i64) as u16) as i8) | 1);
                        let mut v7: i32 = 0;
                        while v7 < 6 && ((((v3.0 as i64) == 46) & ((v3.1 as i64) == 42)) || (41u64 != 26u64)) {
                            let mut v8: usize = (((v3.1 as i64) as u32) as usize);
                            let v9: u8 = ((v6 as i64) as u8);
                            v2[((-2i32) as usize) % 5] = (if (((s as i64) as i16) <= ((i as i64) as i16)) { (((s as i64) as i16) as i32) } else { b[i] });
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v9 as u64;
                            v7 += 1;
                        }
                        let mut v10: i16 = 65i16.saturating_add(((v3.1 as i64) as i16)).wrapping_div_euclid(((i as i64) as i16).wrapping_neg() | 1);
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v6 as u64;
                    } else {
                        let v11: f64 = (((s as i64) as f64) / (((v3.0 as i64) as f64) * ((s as i64) as f64)));
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3.0 as u64;
                    }
                    let v12: i32 = (if (((h as i64) as u32) < ((v3.1 as i64) as u32)) { ((-45i32) ^ 62i32) } else { (v3.0 as i32) });
                    let v13: u64 = (i16::MIN as u64);
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3.1 as u64;
                }
                1 | 2 => {
                    let mut v14: i16 = ((v1 as i64) as i16).rotate_right(((v1 as i64) as u32).max(41u32));
                    v14 ^= (!v14).swap_bytes();
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
                }
                3..=5 => {
                    v2[v3.1.saturating_mul(usize::MAX).wrapping_neg() % 5] = s.wrapping_shl(u32::MIN).wrapping_neg();
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                }
                _ => {
                    let v15: i64 = ((((h as i64) as i8) ^ ((b[i] as i64) as i8)) as i64);
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3.0 as u64;
                }
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            y[i] = (if ((v3.0 as i64) == 67) { v3.0 } else { a[i] }) ^ h as i64;
            z[i] = 51i8.min(i8::MAX).reverse_bits() ^ h as i8;
        }
    }
}
case! { body_32: i64 i32 u32 i64 i8 }

pub mod body_33 {
    #[omp::offload]
    pub fn device(d: usize, a: &[f32], b: &[i16], c: &[i8], s: i16, y: &mut [u64], z: &mut [u64]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..y.len() {
            let mut h: u64 = 7;
            let mut v1: usize = ((((s as i64) as i32) | ((b[i] as i64) as i32)) as usize);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            v1 ^= ((h as i64) as usize);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            match ((b[i] as i64) as u8) & 7 {
                0 => {
                    match (if (((h as i64) >= 31) || ((s as i64) < 69)) { ((v1 as i64) as u8) } else { 73u8 }) & 7 {
                        0 => {
                            if (if (((s as i64) as u16) != 17u16) { (if ((h as i64) >= 54) { ((s as i64) == 40) } else { ((v1 as i64) == 26) }) } else { ((b[i] as i64) == 74) }) {
                                v1 &= i.wrapping_mul(v1).reverse_bits();
                                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
                            }
                            let mut v2: u8 = (if (97i32 <= ((i as i64) as i32)) { u8::MIN.saturating_mul(((i as i64) as u8)) } else { ((i as i64) as u8).wrapping_sub(u8::MAX) });
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
                        }
                        1 | 2 => {
                            'v4: for v3 in (1..4).step_by(2) {
                                let v3: u64 = v3;
                                if (if ((b[i] as i64) == 0) { (((h as i64) == 41) && ((i as i64) == 79)) } else { (((v3 as i64) as i8) < ((v3 as i64) as i8)) }) { continue 'v4; }
                                v1 = ((s as i64) as usize).wrapping_neg();
                                let mut v5: [u32; 4] = [81u32.saturating_add(((i as i64) as u32)), ((b[i] as i64) as u32), (!((v1 as i64) as u32)), ((i as i64) as u32)];
                                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
                            }
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
                        }
                        3..=5 => {
                            let mut v6: i32 = (if ((v1 as i64) >= 9) { ((v1 as i64) as i32).saturating_sub(39i32) } else { ((s as i64) as i32).wrapping_mul(((i as i64) as i32)) });
                            let mut v7: isize = 0;
                            while v7 < 5 && (((b[i] as i64) as i32).wrapping_neg() <= i32::MIN) {
                                v1 |= ((if ((v1 as i64) >= 18) { v1 } else { i }) & v1.min(15usize));
                                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v6 as u64;
                                v7 += 1;
                            }
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                        }
                        _ => {
                            let mut v8: usize = (((s as i64) as u32) as usize);
                            let v9: i16 = b[i];
                            v1 = ((v8 as i64) as usize);
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                        }
                    }
                    v1 |= ((v1 as i64) as usize).wrapping_sub(usize::MIN).wrapping_div(i.wrapping_shr(u32::MIN) | 1);
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
                }
                1 | 2 => {
                    let v10: (i16, i32) = ((-22i16).wrapping_rem(s | 1).min((i16::MIN | s)), (!(!((i as i64) as i32))));
                    v1 ^= 75usize;
                    v1 ^= (63usize as usize).saturating_add((!i));
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v10.0 as u64;
                }
                3..=5 => {
                    v1 ^= 46usize;
                    let v11: u8 = ((i as i64) as u8);
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v11 as u64;
                }
                _ => {
                    v1 |= ((!v1) & (!12usize));
                    let (mut v12, v13): (f64, u16) = ((((i as i64) as f64) + (((i as i64) as f64) * (1.0e-3_f64))), ((((s as i64) as i32) as i16) as u16));
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v12 as u64;
                }
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            y[i] = ((v1 as i64) as u64).wrapping_rem(55u64 | 1).wrapping_add(71u64) ^ h as u64;
            z[i] = h.wrapping_shl(((h as i64) as u32)).wrapping_neg() ^ h as u64;
        }
    }

    pub fn serial(a: &[f32], b: &[i16], c: &[i8], s: i16, y: &mut [u64], z: &mut [u64]) {
        for i in 0..y.len() {
            let mut h: u64 = 7;
            let mut v1: usize = ((((s as i64) as i32) | ((b[i] as i64) as i32)) as usize);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            v1 ^= ((h as i64) as usize);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            match ((b[i] as i64) as u8) & 7 {
                0 => {
                    match (if (((h as i64) >= 31) || ((s as i64) < 69)) { ((v1 as i64) as u8) } else { 73u8 }) & 7 {
                        0 => {
                            if (if (((s as i64) as u16) != 17u16) { (if ((h as i64) >= 54) { ((s as i64) == 40) } else { ((v1 as i64) == 26) }) } else { ((b[i] as i64) == 74) }) {
                                v1 &= i.wrapping_mul(v1).reverse_bits();
                                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
                            }
                            let mut v2: u8 = (if (97i32 <= ((i as i64) as i32)) { u8::MIN.saturating_mul(((i as i64) as u8)) } else { ((i as i64) as u8).wrapping_sub(u8::MAX) });
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
                        }
                        1 | 2 => {
                            'v4: for v3 in (1..4).step_by(2) {
                                let v3: u64 = v3;
                                if (if ((b[i] as i64) == 0) { (((h as i64) == 41) && ((i as i64) == 79)) } else { (((v3 as i64) as i8) < ((v3 as i64) as i8)) }) { continue 'v4; }
                                v1 = ((s as i64) as usize).wrapping_neg();
                                let mut v5: [u32; 4] = [81u32.saturating_add(((i as i64) as u32)), ((b[i] as i64) as u32), (!((v1 as i64) as u32)), ((i as i64) as u32)];
                                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
                            }
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
                        }
                        3..=5 => {
                            let mut v6: i32 = (if ((v1 as i64) >= 9) { ((v1 as i64) as i32).saturating_sub(39i32) } else { ((s as i64) as i32).wrapping_mul(((i as i64) as i32)) });
                            let mut v7: isize = 0;
                            while v7 < 5 && (((b[i] as i64) as i32).wrapping_neg() <= i32::MIN) {
                                v1 |= ((if ((v1 as i64) >= 18) { v1 } else { i }) & v1.min(15usize));
                                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v6 as u64;
                                v7 += 1;
                            }
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                        }
                        _ => {
                            let mut v8: usize = (((s as i64) as u32) as usize);
                            let v9: i16 = b[i];
                            v1 = ((v8 as i64) as usize);
                            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                        }
                    }
                    v1 |= ((v1 as i64) as usize).wrapping_sub(usize::MIN).wrapping_div(i.wrapping_shr(u32::MIN) | 1);
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
                }
                1 | 2 => {
                    let v10: (i16, i32) = ((-22i16).wrapping_rem(s | 1).min((i16::MIN | s)), (!(!((i as i64) as i32))));
                    v1 ^= 75usize;
                    v1 ^= (63usize as usize).saturating_add((!i));
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v10.0 as u64;
                }
                3..=5 => {
                    v1 ^= 46usize;
                    let v11: u8 = ((i as i64) as u8);
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v11 as u64;
                }
                _ => {
                    v1 |= ((!v1) & (!12usize));
                    let (mut v12, v13): (f64, u16) = ((((i as i64) as f64) + (((i as i64) as f64) * (1.0e-3_f64))), ((((s as i64) as i32) as i16) as u16));
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v12 as u64;
                }
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            y[i] = ((v1 as i64) as u64).wrapping_rem(55u64 | 1).wrapping_add(71u64) ^ h as u64;
            z[i] = h.wrapping_shl(((h as i64) as u32)).wrapping_neg() ^ h as u64;
        }
    }
}
case! { body_33: f32 i16 i8 u64 u64 }

pub mod body_34 {
    #[omp::offload]
    pub fn device(d: usize, a: &[u32], b: &[isize], c: &[f32], s: isize, y: &mut [f64], z: &mut [u64]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..y.len() {
            let mut h: u64 = 7;
            let mut v1: f64 = ((((s as i64) as f64) - ((b[i] as i64) as f64)) - (((b[i] as i64) as f64) / ((b[i] as i64) as f64)));
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            v1 -= ((h as f64) as f64);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            let v2: i32 = ((-1.25_f64) as i32);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            let mut v3: u32 = (((h as i64) as u8) as u32).wrapping_div(a[i].max(((v2 as i64) as u32)) | 1);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
            if ((75i32 & v2) < (!((s as i64) as i32))) {
                'v5: for v4 in 2..=6 {
                    let v4: u32 = v4;
                    v3 = (!v4.saturating_add(a[i]));
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
                }
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
            } else {
                let mut v6: i8 = 0;
                while v6 < 3 && (s.wrapping_add(s) > b[i].saturating_add(b[i])) {
                    v1 /= ((v1 as f64) + ((-0.1_f64) - v1));
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v6 as u64;
                    v6 += 1;
                }
                v1 /= (v1 - (v1 / v1));
                let mut v7: [isize; 5] = [(-73isize); 5];
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            let mut v8: u8 = (!(if ((v3 as i64) == 24) { ((i as i64) as u8) } else { 7u8 }));
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v8 as u64;
            if ((v2 <= v2) || (((v8 as i64) as i64) <= ((v2 as i64) as i64))) {
                v8 |= (98u8.saturating_add(67u8) & 89u8.saturating_add(v8));
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
            } else {
                v8 ^= v8.saturating_add(((b[i] as i64) as u8)).wrapping_rem_euclid((!v8) | 1);
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v8 as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
            y[i] = ((255.0_f64) + (((v2 as i64) as f64) * v1)) * (h % 1000) as f64;
            z[i] = (a[i] as u64).rotate_right((v3 & v3)) ^ h as u64;
        }
    }

    pub fn serial(a: &[u32], b: &[isize], c: &[f32], s: isize, y: &mut [f64], z: &mut [u64]) {
        for i in 0..y.len() {
            let mut h: u64 = 7;
            let mut v1: f64 = ((((s as i64) as f64) - ((b[i] as i64) as f64)) - (((b[i] as i64) as f64) / ((b[i] as i64) as f64)));
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            v1 -= ((h as f64) as f64);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            let v2: i32 = ((-1.25_f64) as i32);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            let mut v3: u32 = (((h as i64) as u8) as u32).wrapping_div(a[i].max(((v2 as i64) as u32)) | 1);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
            if ((75i32 & v2) < (!((s as i64) as i32))) {
                'v5: for v4 in 2..=6 {
                    let v4: u32 = v4;
                    v3 = (!v4.saturating_add(a[i]));
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
                }
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
            } else {
                let mut v6: i8 = 0;
                while v6 < 3 && (s.wrapping_add(s) > b[i].saturating_add(b[i])) {
                    v1 /= ((v1 as f64) + ((-0.1_f64) - v1));
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v6 as u64;
                    v6 += 1;
                }
                v1 /= (v1 - (v1 / v1));
                let mut v7: [isize; 5] = [(-73isize); 5];
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            let mut v8: u8 = (!(if ((v3 as i64) == 24) { ((i as i64) as u8) } else { 7u8 }));
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v8 as u64;
            if ((v2 <= v2) || (((v8 as i64) as i64) <= ((v2 as i64) as i64))) {
                v8 |= (98u8.saturating_add(67u8) & 89u8.saturating_add(v8));
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
            } else {
                v8 ^= v8.saturating_add(((b[i] as i64) as u8)).wrapping_rem_euclid((!v8) | 1);
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v8 as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
            y[i] = ((255.0_f64) + (((v2 as i64) as f64) * v1)) * (h % 1000) as f64;
            z[i] = (a[i] as u64).rotate_right((v3 & v3)) ^ h as u64;
        }
    }
}
case! { body_34: u32 isize f32 f64 u64 }

pub mod body_35 {
    #[omp::offload]
    pub fn device(d: usize, a: &[f64], b: &[u32], c: &[i64], s: u32, y: &mut [i32], z: &mut [i32]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..y.len() {
            let mut h: u64 = 7;
            let v1: u8 = (if (((b[i] as i64) as i8) != ((b[i] as i64) as i8)) { ((b[i] as i64) as u8) } else { ((h as i64) as u8).wrapping_rem(((h as i64) as u8) | 1) });
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            let v2: u8 = ((((s as i64) as f32) != ((h as i64) as f32)) as u8);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            let mut v3: [u8; 5] = [((b[i] as i64) as u8); 5];
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            v3[((v2 as i64) as usize) % 5] = v3[3];
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            let v4: i32 = ((b[i] as i64) as i32).rotate_left(s).wrapping_neg();
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v4 as u64;
            let mut v5: u8 = (h as u8);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            'v7: for v6 in 1..=4 {
                let v6: u8 = v6;
                if (v5.max(41u8) >= v5.min(v1)) { break 'v7; }
                v5 &= (a[i] as u8).min(v2.wrapping_shr(s));
                let v8: u16 = 53u16.rotate_left(s).swap_bytes();
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v5 as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v4 as u64;
            let v9: f32 = ((6i32 as f32) - ((0.0_f32) / (1.0_f32)));
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
            'v11: for v10 in (1..3).step_by(2) {
                let v10: u64 = v10;
                'v13: for v12 in 0..=2 {
                    let v12: u32 = v12;
                    if ((b[i] as i64) < 95) { continue 'v13; }
                    if ((v5 as i64) < 53) {
                        let mut v14: u64 = ((i as i64) as u64).rotate_left(v12).saturating_mul(((v2 as i64) as u64));
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v14 as u64;
                    } else {
                        v5 ^= v5;
                        v5 ^= v1.reverse_bits().wrapping_rem(v5 | 1);
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v4 as u64;
                    }
                    v3[(a[i] as usize).wrapping_sub(75usize.wrapping_mul(39usize)) % 5] = v1.wrapping_neg();
                    let mut v15: [u64; 5] = [(if (((v1 as i64) as i16) == ((h as i64) as i16)) { h } else { v10.wrapping_sub(v10) }); 5];
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v12 as u64;
                }
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v4 as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v5 as u64;
            y[i] = (!v4).saturating_sub(v4.min(v4)) ^ h as i32;
            z[i] = (if (((s as i64) >= 2) < ((v4 as i64) >= 19)) { ((h as i64) as i32) } else { (if ((v5 as i64) >= 0) { v4 } else { v4 }) }) ^ h as i32;
        }
    }

    pub fn serial(a: &[f64], b: &[u32], c: &[i64], s: u32, y: &mut [i32], z: &mut [i32]) {
        for i in 0..y.len() {
            let mut h: u64 = 7;
            let v1: u8 = (if (((b[i] as i64) as i8) != ((b[i] as i64) as i8)) { ((b[i] as i64) as u8) } else { ((h as i64) as u8).wrapping_rem(((h as i64) as u8) | 1) });
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            let v2: u8 = ((((s as i64) as f32) != ((h as i64) as f32)) as u8);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            let mut v3: [u8; 5] = [((b[i] as i64) as u8); 5];
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            v3[((v2 as i64) as usize) % 5] = v3[3];
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            let v4: i32 = ((b[i] as i64) as i32).rotate_left(s).wrapping_neg();
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v4 as u64;
            let mut v5: u8 = (h as u8);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            'v7: for v6 in 1..=4 {
                let v6: u8 = v6;
                if (v5.max(41u8) >= v5.min(v1)) { break 'v7; }
                v5 &= (a[i] as u8).min(v2.wrapping_shr(s));
                let v8: u16 = 53u16.rotate_left(s).swap_bytes();
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v5 as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v4 as u64;
            let v9: f32 = ((6i32 as f32) - ((0.0_f32) / (1.0_f32)));
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
            'v11: for v10 in (1..3).step_by(2) {
                let v10: u64 = v10;
                'v13: for v12 in 0..=2 {
                    let v12: u32 = v12;
                    if ((b[i] as i64) < 95) { continue 'v13; }
                    if ((v5 as i64) < 53) {
                        let mut v14: u64 = ((i as i64) as u64).rotate_left(v12).saturating_mul(((v2 as i64) as u64));
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v14 as u64;
                    } else {
                        v5 ^= v5;
                        v5 ^= v1.reverse_bits().wrapping_rem(v5 | 1);
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v4 as u64;
                    }
                    v3[(a[i] as usize).wrapping_sub(75usize.wrapping_mul(39usize)) % 5] = v1.wrapping_neg();
                    let mut v15: [u64; 5] = [(if (((v1 as i64) as i16) == ((h as i64) as i16)) { h } else { v10.wrapping_sub(v10) }); 5];
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v12 as u64;
                }
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v4 as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v5 as u64;
            y[i] = (!v4).saturating_sub(v4.min(v4)) ^ h as i32;
            z[i] = (if (((s as i64) >= 2) < ((v4 as i64) >= 19)) { ((h as i64) as i32) } else { (if ((v5 as i64) >= 0) { v4 } else { v4 }) }) ^ h as i32;
        }
    }
}
case! { body_35: f64 u32 i64 i32 i32 }

pub mod body_36 {
    #[omp::offload]
    pub fn device(d: usize, a: &[usize], b: &[u16], c: &[f64], s: u16, y: &mut [u16], z: &mut [u32]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..y.len() {
            let mut h: u64 = 7;
            let v1: i16 = ((i as i64) as i16).max(((b[i] as i64) as i16)).wrapping_rem_euclid(((h as i64) as i16).wrapping_div_euclid(((h as i64) as i16) | 1) | 1);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            let v2: u64 = h;
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
            let mut v3: f64 = c[i];
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
            v3 -= ((v3 * c[i]) * c[i]);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
            v3 *= (((1.0e-3_f64) * c[i]) / (c[i] as f64));
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
            let v4: u32 = (if (((s as i64) < 42) && ((i as i64) == 59)) { ((v1 as i64) as u32) } else { (if ((b[i] as i64) < 98) { ((h as i64) as u32) } else { ((i as i64) as u32) }) });
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v4 as u64;
            if ((((v1 as i64) as f32) as u32) != (u32::MIN & 1u32)) {
                let mut v5: u8 = (93i16 as u8).wrapping_add((if ((v2 as i64) == 78) { ((i as i64) as u8) } else { ((v4 as i64) as u8) }));
                'v7: for v6 in (0..3).rev() {
                    let v6: i64 = v6;
                    if ((v6 as i8) < (((h as i64) < 77) as i8)) { break 'v7; }
                    let mut v8: u64 = 0;
                    while v8 < 3 && (((i as i64) as f32) >= ((1.0_f32) / ((v6 as i64) as f32))) {
                        v5 ^= ((v2 as i64) as u8).wrapping_mul(v5).wrapping_shl(v4.wrapping_shr(v4));
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
                        v8 += 1;
                    }
                    let mut v9: usize = 0;
                    while v9 < 4 && (v1.saturating_add(((v2 as i64) as i16)) <= ((h as i64) as i16).wrapping_neg()) {
                        let mut v10: [i8; 4] = [(!((s as i64) as i8)); 4];
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v5 as u64;
                        v9 += 1;
                    }
                    v3 += (((v5 as i64) as i32).wrapping_add(((v9 as i64) as i32)) as f64);
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v8 as u64;
                }
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
            } else {
                let v11: isize = (if ((v2 as i64) < 4) { isize::MIN.min(((s as i64) as isize)) } else { (!((s as i64) as isize)) });
                let v12: u8 = 18u8.wrapping_add(((h as i64) as u8)).wrapping_mul(((v11 as i64) as u8).saturating_add(98u8));
                let mut v13: f32 = (((v12 as i64) as f32) / (3.0e7_f32));
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v12 as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
            y[i] = s ^ h as u16;
            z[i] = 1u32.wrapping_div(((b[i] as i64) as u32) | 1).rotate_right(((s as i64) as u32).saturating_sub(((v1 as i64) as u32))) ^ h as u32;
        }
    }

    pub fn serial(a: &[usize], b: &[u16], c: &[f64], s: u16, y: &mut [u16], z: &mut [u32]) {
        for i in 0..y.len() {
            let mut h: u64 = 7;
            let v1: i16 = ((i as i64) as i16).max(((b[i] as i64) as i16)).wrapping_rem_euclid(((h as i64) as i16).wrapping_div_euclid(((h as i64) as i16) | 1) | 1);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            let v2: u64 = h;
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
            let mut v3: f64 = c[i];
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
            v3 -= ((v3 * c[i]) * c[i]);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
            v3 *= (((1.0e-3_f64) * c[i]) / (c[i] as f64));
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
            let v4: u32 = (if (((s as i64) < 42) && ((i as i64) == 59)) { ((v1 as i64) as u32) } else { (if ((b[i] as i64) < 98) { ((h as i64) as u32) } else { ((i as i64) as u32) }) });
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v4 as u64;
            if ((((v1 as i64) as f32) as u32) != (u32::MIN & 1u32)) {
                let mut v5: u8 = (93i16 as u8).wrapping_add((if ((v2 as i64) == 78) { ((i as i64) as u8) } else { ((v4 as i64) as u8) }));
                'v7: for v6 in (0..3).rev() {
                    let v6: i64 = v6;
                    if ((v6 as i8) < (((h as i64) < 77) as i8)) { break 'v7; }
                    let mut v8: u64 = 0;
                    while v8 < 3 && (((i as i64) as f32) >= ((1.0_f32) / ((v6 as i64) as f32))) {
                        v5 ^= ((v2 as i64) as u8).wrapping_mul(v5).wrapping_shl(v4.wrapping_shr(v4));
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v3 as u64;
                        v8 += 1;
                    }
                    let mut v9: usize = 0;
                    while v9 < 4 && (v1.saturating_add(((v2 as i64) as i16)) <= ((h as i64) as i16).wrapping_neg()) {
                        let mut v10: [i8; 4] = [(!((s as i64) as i8)); 4];
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v5 as u64;
                        v9 += 1;
                    }
                    v3 += (((v5 as i64) as i32).wrapping_add(((v9 as i64) as i32)) as f64);
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v8 as u64;
                }
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
            } else {
                let v11: isize = (if ((v2 as i64) < 4) { isize::MIN.min(((s as i64) as isize)) } else { (!((s as i64) as isize)) });
                let v12: u8 = 18u8.wrapping_add(((h as i64) as u8)).wrapping_mul(((v11 as i64) as u8).saturating_add(98u8));
                let mut v13: f32 = (((v12 as i64) as f32) / (3.0e7_f32));
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v12 as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
            y[i] = s ^ h as u16;
            z[i] = 1u32.wrapping_div(((b[i] as i64) as u32) | 1).rotate_right(((s as i64) as u32).saturating_sub(((v1 as i64) as u32))) ^ h as u32;
        }
    }
}
case! { body_36: usize u16 f64 u16 u32 }

pub mod body_37 {
    #[omp::offload]
    pub fn device(d: usize, a: &[u64], b: &[i32], c: &[i64], s: i32, y: &mut [u64], z: &mut [f32]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..y.len() {
            let mut h: u64 = 7;
            let v1: bool = (s != (-45i32).saturating_sub(s));
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            let mut v2: u8 = ((b[i] as i64) as u8).wrapping_add(14u8.wrapping_sub(((i as i64) as u8)));
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
            if ((s as i64) < 15) {
                let v3: bool = ((if v1 { ((v2 as i64) == 62) } else { v1 }) && (((v2 as i64) as i64) < ((b[i] as i64) as i64)));
                v2 ^= v2;
                if ((v3 | v3) ^ v1) {
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                }
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            let (mut v4, v5): (i8, i32) = ((v2 as i8), s);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v4 as u64;
            let v6: isize = ((v2 as i64) as isize);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            v2 ^= (c[i] as u8).wrapping_shl(96u32);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v5 as u64;
            v2 |= (v2 & ((b[i] as i64) as u8)).wrapping_neg();
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v4 as u64;
            let mut v7: [i32; 2] = [(v5 as i32), (if v1 { b[i] } else { b[i] })];
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
            y[i] = a[i].wrapping_rem(a[i] | 1).rotate_right(((v4 as i64) as u32).wrapping_add(u32::MIN)) ^ h as u64;
            z[i] = ((((v2 as i64) as f32) as f32) - (((v5 as i64) as f32) / ((v4 as i64) as f32))) * (h % 1000) as f32;
        }
    }

    pub fn serial(a: &[u64], b: &[i32], c: &[i64], s: i32, y: &mut [u64], z: &mut [f32]) {
        for i in 0..y.len() {
            let mut h: u64 = 7;
            let v1: bool = (s != (-45i32).saturating_sub(s));
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            let mut v2: u8 = ((b[i] as i64) as u8).wrapping_add(14u8.wrapping_sub(((i as i64) as u8)));
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
            if ((s as i64) < 15) {
                let v3: bool = ((if v1 { ((v2 as i64) == 62) } else { v1 }) && (((v2 as i64) as i64) < ((b[i] as i64) as i64)));
                v2 ^= v2;
                if ((v3 | v3) ^ v1) {
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
                }
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            let (mut v4, v5): (i8, i32) = ((v2 as i8), s);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v4 as u64;
            let v6: isize = ((v2 as i64) as isize);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            v2 ^= (c[i] as u8).wrapping_shl(96u32);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v5 as u64;
            v2 |= (v2 & ((b[i] as i64) as u8)).wrapping_neg();
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v4 as u64;
            let mut v7: [i32; 2] = [(v5 as i32), (if v1 { b[i] } else { b[i] })];
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
            y[i] = a[i].wrapping_rem(a[i] | 1).rotate_right(((v4 as i64) as u32).wrapping_add(u32::MIN)) ^ h as u64;
            z[i] = ((((v2 as i64) as f32) as f32) - (((v5 as i64) as f32) / ((v4 as i64) as f32))) * (h % 1000) as f32;
        }
    }
}
case! { body_37: u64 i32 i64 u64 f32 }

pub mod body_38 {
    #[omp::offload]
    pub fn device(d: usize, a: &[u16], b: &[i32], c: &[u8], s: i32, y: &mut [i8], z: &mut [u16]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..y.len() {
            let mut h: u64 = 7;
            let (mut v1, v2): (bool, bool) = ((((s as i64) as u8).wrapping_shl(((h as i64) as u32)) == c[i].saturating_sub(u8::MAX)), (((h as i64) >= 18) <= ((h as i64) >= 29)));
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            let mut v3: [f32; 3] = [(((b[i] as i64) as f32) - ((i as i64) as f32)), ((-0.1_f32) as f32), (((b[i] as i64) as f32) - ((h as i64) as f32))];
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            v3[i % 3] = v3[(i + 0) % 3];
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            let mut v4: [u64; 2] = [54u64.wrapping_div_euclid(h | 1), ((h as i64) as u64)];
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            'v6: for v5 in (0..5).step_by(2) {
                let v5: i32 = v5;
                if ((b[i] == b[i]) && v1) { break 'v6; }
                v1 |= ((v2 | v1) > (i != i));
                'v8: for v7 in 1..2 {
                    let v7: u16 = v7;
                    let mut v9: bool = ((91i32 as i32) != 46i32.max(b[i]));
                    v9 &= (if (((h as i64) as u8) >= c[i]) { (((h as i64) as i8) < 33i8) } else { (25u64 >= 87u64) });
                    if (b[i].wrapping_div_euclid(v5 | 1) < b[i].saturating_sub(s)) {
                        let mut v10: u8 = ((-26isize) as u8);
                        v9 = ((h & h) == h.wrapping_rem_euclid(h | 1));
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v9 as u64;
                    }
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v9 as u64;
                }
                match ((v5 as i64) as u16).swap_bytes().wrapping_shl(((s as i64) as u32)) & 7 {
                    0 => {
                        match ((i as i64) as isize) & 7 {
                            0 => {
                                v3[28usize % 3] = ((((h as i64) as u32) as u64) as f32);
                                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v5 as u64;
                            }
                            1 | 2 => {
                                let v11: (i16, bool) = ((if (((h as i64) >= 5) & ((h as i64) >= 46)) { (((v5 as i64) as i16) & (-15i16)) } else { ((h as i64) as i16).saturating_mul(((s as i64) as i16)) }), ((i as i64) < 97));
                                v1 ^= ((((b[i] as i64) as u16) >= 18u16) | (((s as i64) < 16) != ((v11.0 as i64) < 47)));
                                let v12: isize = ((h as i64) as isize);
                                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v11.0 as u64;
                            }
                            3..=5 => {
                                v1 &= ((h < h) ^ (((h as i64) as i16) <= ((i as i64) as i16)));
                                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
                            }
                            _ => {
                                v1 |= ((i as i64) < 79);
                                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
                            }
                        }
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v5 as u64;
                    }
                    1 | 2 => {
                        let mut v13: u32 = (if (((b[i] as i64) as f64) <= ((i as i64) as f64)) { ((b[i] as i64) as u32) } else { (!17u32) });
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v13 as u64;
                    }
                    3..=5 => {
                        v1 = ((((s as i64) >= 86) == v1) | ((s as i64) >= 69));
                        v1 |= ((if v2 { ((s as i64) as i64) } else { ((v5 as i64) as i64) }) < ((b[i] as i64) as i64).saturating_add(((h as i64) as i64)));
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
                    }
                    _ => {
                        let v14: i64 = ((if ((h as i64) < 33) { i64::MAX } else { ((b[i] as i64) as i64) }) | (if v1 { ((s as i64) as i64) } else { ((i as i64) as i64) }));
                        v1 ^= (v4[0] < (h as u64));
                        let mut v15: f64 = (7u64.wrapping_rem(h | 1) as f64);
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v15 as u64;
                    }
                }
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
            y[i] = ((i as i64) as i8).min(((s as i64) as i8)).wrapping_mul((if ((b[i] as i64) < 63) { 66i8 } else { ((h as i64) as i8) })) ^ h as i8;
            z[i] = a[i].wrapping_div_euclid(((h as i64) as u16) | 1).wrapping_sub(a[i].wrapping_shl(((b[i] as i64) as u32))) ^ h as u16;
        }
    }

    pub fn serial(a: &[u16], b: &[i32], c: &[u8], s: i32, y: &mut [i8], z: &mut [u16]) {
        for i in 0..y.len() {
            let mut h: u64 = 7;
            let (mut v1, v2): (bool, bool) = ((((s as i64) as u8).wrapping_shl(((h as i64) as u32)) == c[i].saturating_sub(u8::MAX)), (((h as i64) >= 18) <= ((h as i64) >= 29)));
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            let mut v3: [f32; 3] = [(((b[i] as i64) as f32) - ((i as i64) as f32)), ((-0.1_f32) as f32), (((b[i] as i64) as f32) - ((h as i64) as f32))];
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i as u64;
            v3[i % 3] = v3[(i + 0) % 3];
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            let mut v4: [u64; 2] = [54u64.wrapping_div_euclid(h | 1), ((h as i64) as u64)];
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
            'v6: for v5 in (0..5).step_by(2) {
                let v5: i32 = v5;
                if ((b[i] == b[i]) && v1) { break 'v6; }
                v1 |= ((v2 | v1) > (i != i));
                'v8: for v7 in 1..2 {
                    let v7: u16 = v7;
                    let mut v9: bool = ((91i32 as i32) != 46i32.max(b[i]));
                    v9 &= (if (((h as i64) as u8) >= c[i]) { (((h as i64) as i8) < 33i8) } else { (25u64 >= 87u64) });
                    if (b[i].wrapping_div_euclid(v5 | 1) < b[i].saturating_sub(s)) {
                        let mut v10: u8 = ((-26isize) as u8);
                        v9 = ((h & h) == h.wrapping_rem_euclid(h | 1));
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v9 as u64;
                    }
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v9 as u64;
                }
                match ((v5 as i64) as u16).swap_bytes().wrapping_shl(((s as i64) as u32)) & 7 {
                    0 => {
                        match ((i as i64) as isize) & 7 {
                            0 => {
                                v3[28usize % 3] = ((((h as i64) as u32) as u64) as f32);
                                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v5 as u64;
                            }
                            1 | 2 => {
                                let v11: (i16, bool) = ((if (((h as i64) >= 5) & ((h as i64) >= 46)) { (((v5 as i64) as i16) & (-15i16)) } else { ((h as i64) as i16).saturating_mul(((s as i64) as i16)) }), ((i as i64) < 97));
                                v1 ^= ((((b[i] as i64) as u16) >= 18u16) | (((s as i64) < 16) != ((v11.0 as i64) < 47)));
                                let v12: isize = ((h as i64) as isize);
                                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v11.0 as u64;
                            }
                            3..=5 => {
                                v1 &= ((h < h) ^ (((h as i64) as i16) <= ((i as i64) as i16)));
                                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
                            }
                            _ => {
                                v1 |= ((i as i64) < 79);
                                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
                            }
                        }
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v5 as u64;
                    }
                    1 | 2 => {
                        let mut v13: u32 = (if (((b[i] as i64) as f64) <= ((i as i64) as f64)) { ((b[i] as i64) as u32) } else { (!17u32) });
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v13 as u64;
                    }
                    3..=5 => {
                        v1 = ((((s as i64) >= 86) == v1) | ((s as i64) >= 69));
                        v1 |= ((if v2 { ((s as i64) as i64) } else { ((v5 as i64) as i64) }) < ((b[i] as i64) as i64).saturating_add(((h as i64) as i64)));
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1 as u64;
                    }
                    _ => {
                        let v14: i64 = ((if ((h as i64) < 33) { i64::MAX } else { ((b[i] as i64) as i64) }) | (if v1 { ((s as i64) as i64) } else { ((i as i64) as i64) }));
                        v1 ^= (v4[0] < (h as u64));
                        let mut v15: f64 = (7u64.wrapping_rem(h | 1) as f64);
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v15 as u64;
                    }
                }
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
            y[i] = ((i as i64) as i8).min(((s as i64) as i8)).wrapping_mul((if ((b[i] as i64) < 63) { 66i8 } else { ((h as i64) as i8) })) ^ h as i8;
            z[i] = a[i].wrapping_div_euclid(((h as i64) as u16) | 1).wrapping_sub(a[i].wrapping_shl(((b[i] as i64) as u32))) ^ h as u16;
        }
    }
}
case! { body_38: u16 i32 u8 i8 u16 }

pub mod body_39 {
    #[omp::offload]
    pub fn device(d: usize, a: &[u16], b: &[usize], c: &[u32], s: usize, y: &mut [i8], z: &mut [u16]) {
        #[omp::target(device(d), fp(strict))]
        for i in 0..y.len() {
            let mut h: u64 = 7;
            let v1: (usize, i16) = ((!b[i].saturating_mul(i)), ((i as i64) as i16));
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1.0 as u64;
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1.1 as u64;
            'v3: for v2 in 0..3 {
                let v2: i8 = v2;
                if ((((b[i] as i64) == 28) == ((h as i64) < 1)) || (((s as i64) as u16) != ((b[i] as i64) as u16))) {
                    let mut v4: [i16; 2] = [((h as i64) as i16).saturating_add((-63i16)), ((s as i64) as i16).wrapping_shr(c[i])];
                    if ((((v2 as i64) < 5) && ((v2 as i64) >= 97)) | (((b[i] as i64) as f64) == ((s as i64) as f64))) {
                        let mut v5: isize = ((b[i] as i64) as isize);
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
                    } else {
                        let mut v6: [u32; 5] = [19u32.wrapping_shl((!14u32)); 5];
                        let v7: u8 = ((h as i64) as u8);
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v7 as u64;
                    }
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1.1 as u64;
                }
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1.1 as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1.1 as u64;
            let mut v8: [i8; 5] = [((v1.1 as i64) as i8).min(((v1.1 as i64) as i8)), ((1.0_f64) as i8), ((v1.1 as i64) as i8), (((i as i64) as f32) as i8), i8::MIN.wrapping_shr(((h as i64) as u32))];
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1.1 as u64;
            let mut v9: [u8; 3] = [(!(((h as i64) as u8) as u8)); 3];
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            let v10: i16 = ((h as i64) as i16);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            let v11: u32 = (if (((h as i64) == 60) | ((b[i] as i64) < 85)) { (if ((v1.0 as i64) == 38) { 1u32 } else { ((i as i64) as u32) }) } else { (((v1.1 as i64) as isize) as u32) });
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1.0 as u64;
            match ((b[i] as i64) as i64).wrapping_rem_euclid((!((v11 as i64) as i64)) | 1) & 7 {
                0 => {
                    let v12: u64 = (32isize as u64).wrapping_mul((((v10 as i64) as i32) as u64));
                    let v13: i64 = i64::MAX;
                    let v14: u64 = (!(36u64 | 32u64));
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v14 as u64;
                }
                1 | 2 => {
                    let mut v15: i64 = (if (((v1.0 as i64) == 69) | ((s as i64) >= 30)) { ((i as i64) as i64) } else { (i32::MIN as i64) });
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1.1 as u64;
                }
                3..=5 => {
                    let v16: isize = ((v11 as i64) as isize);
                    let mut v17: u32 = (if (if ((s as i64) >= 89) { ((b[i] as i64) >= 60) } else { ((v1.1 as i64) >= 38) }) { 36u32.max(v11) } else { u32::MIN.saturating_mul(v11) });
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v16 as u64;
                }
                _ => {
                    let v18: i32 = (if ((b[i] as i64) == 21) { ((s as i64) as i32) } else { i32::MIN }).wrapping_div((((s as i64) as i32) as i32) | 1);
                    let mut v19: u32 = v11.max(v11);
                    let v20: u32 = (((v11 as i64) as i32) as u32).reverse_bits();
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v19 as u64;
                }
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1.1 as u64;
            y[i] = ((v11 as i64) as i8).wrapping_sub(((v11 as i64) as i8)).wrapping_div(i8::MAX.wrapping_mul(((s as i64) as i8)) | 1) ^ h as i8;
            z[i] = (!a[i]) ^ h as u16;
        }
    }

    pub fn serial(a: &[u16], b: &[usize], c: &[u32], s: usize, y: &mut [i8], z: &mut [u16]) {
        for i in 0..y.len() {
            let mut h: u64 = 7;
            let v1: (usize, i16) = ((!b[i].saturating_mul(i)), ((i as i64) as i16));
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1.0 as u64;
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1.1 as u64;
            'v3: for v2 in 0..3 {
                let v2: i8 = v2;
                if ((((b[i] as i64) == 28) == ((h as i64) < 1)) || (((s as i64) as u16) != ((b[i] as i64) as u16))) {
                    let mut v4: [i16; 2] = [((h as i64) as i16).saturating_add((-63i16)), ((s as i64) as i16).wrapping_shr(c[i])];
                    if ((((v2 as i64) < 5) && ((v2 as i64) >= 97)) | (((b[i] as i64) as f64) == ((s as i64) as f64))) {
                        let mut v5: isize = ((b[i] as i64) as isize);
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v2 as u64;
                    } else {
                        let mut v6: [u32; 5] = [19u32.wrapping_shl((!14u32)); 5];
                        let v7: u8 = ((h as i64) as u8);
                        h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v7 as u64;
                    }
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1.1 as u64;
                }
                h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1.1 as u64;
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1.1 as u64;
            let mut v8: [i8; 5] = [((v1.1 as i64) as i8).min(((v1.1 as i64) as i8)), ((1.0_f64) as i8), ((v1.1 as i64) as i8), (((i as i64) as f32) as i8), i8::MIN.wrapping_shr(((h as i64) as u32))];
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1.1 as u64;
            let mut v9: [u8; 3] = [(!(((h as i64) as u8) as u8)); 3];
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            let v10: i16 = ((h as i64) as i16);
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ s as u64;
            let v11: u32 = (if (((h as i64) == 60) | ((b[i] as i64) < 85)) { (if ((v1.0 as i64) == 38) { 1u32 } else { ((i as i64) as u32) }) } else { (((v1.1 as i64) as isize) as u32) });
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1.0 as u64;
            match ((b[i] as i64) as i64).wrapping_rem_euclid((!((v11 as i64) as i64)) | 1) & 7 {
                0 => {
                    let v12: u64 = (32isize as u64).wrapping_mul((((v10 as i64) as i32) as u64));
                    let v13: i64 = i64::MAX;
                    let v14: u64 = (!(36u64 | 32u64));
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v14 as u64;
                }
                1 | 2 => {
                    let mut v15: i64 = (if (((v1.0 as i64) == 69) | ((s as i64) >= 30)) { ((i as i64) as i64) } else { (i32::MIN as i64) });
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1.1 as u64;
                }
                3..=5 => {
                    let v16: isize = ((v11 as i64) as isize);
                    let mut v17: u32 = (if (if ((s as i64) >= 89) { ((b[i] as i64) >= 60) } else { ((v1.1 as i64) >= 38) }) { 36u32.max(v11) } else { u32::MIN.saturating_mul(v11) });
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v16 as u64;
                }
                _ => {
                    let v18: i32 = (if ((b[i] as i64) == 21) { ((s as i64) as i32) } else { i32::MIN }).wrapping_div((((s as i64) as i32) as i32) | 1);
                    let mut v19: u32 = v11.max(v11);
                    let v20: u32 = (((v11 as i64) as i32) as u32).reverse_bits();
                    h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v19 as u64;
                }
            }
            h = h.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ v1.1 as u64;
            y[i] = ((v11 as i64) as i8).wrapping_sub(((v11 as i64) as i8)).wrapping_div(i8::MAX.wrapping_mul(((s as i64) as i8)) | 1) ^ h as i8;
            z[i] = (!a[i]) ^ h as u16;
        }
    }
}
case! { body_39: u16 usize u32 i8 u16 }
