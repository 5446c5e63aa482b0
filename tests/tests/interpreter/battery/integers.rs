//! Integer arithmetic, element by element.
omp_tests::battery! {
    integers(0) on [i32 u8 i64 u16] with (T; n, a, b, at, s, y, z, r) {
        copied [] { for i in 0..n { y[i] = a[i]; } }
        sum_of_two [] { for i in 0..n { y[i] = a[i].wrapping_add(b[i]); } }
        difference [] { for i in 0..n { y[i] = a[i].wrapping_sub(b[i]); } }
        product [] { for i in 0..n { y[i] = a[i].wrapping_mul(b[i]); } }
        scaled_sum [] { for i in 0..n { y[i] = a[i].wrapping_mul(s).wrapping_add(b[i]); } }
        quotient [] { for i in 0..n { y[i] = a[i] / b[i]; } }
        remainder [] { for i in 0..n { y[i] = a[i] % b[i]; } }
        euclid [] { for i in 0..n { y[i] = a[i].div_euclid(b[i]).wrapping_add(a[i].rem_euclid(b[i])); } }
        bits_and [] { for i in 0..n { y[i] = a[i] & b[i]; } }
        bits_or_not [] { for i in 0..n { y[i] = a[i] | !b[i]; } }
        bits_xor [] { for i in 0..n { y[i] ^= a[i]; } }
        shifted_left [] { for i in 0..n { y[i] = a[i] << (b[i] as u32 & 7); } }
        shifted_right [] { for i in 0..n { y[i] = a[i] >> (b[i] as u32 & 7); } }
        wrapping_shifts [] { for i in 0..n { y[i] = a[i].wrapping_shl(at[i]) ^ a[i].wrapping_shr(b[i] as u32 * 9); } }
        rotated [] { for i in 0..n { y[i] = a[i].rotate_left(b[i] as u32) ^ a[i].rotate_right(3); } }
        counted_bits [] { for i in 0..n { y[i] = (a[i].count_ones() + a[i].leading_zeros() * 2 + a[i].trailing_zeros()) as T; } }
        reversed_bits [] { for i in 0..n { y[i] = a[i].reverse_bits() ^ a[i].swap_bytes(); } }
        smallest [] { for i in 0..n { y[i] = a[i].min(b[i]).max(s); } }
        clamped [] { for i in 0..n { y[i] = a[i].clamp(1, 9); } }
        saturated [] { for i in 0..n { y[i] = a[i].saturating_add(b[i]).saturating_sub(T::MAX); z[i] = a[i].saturating_mul(b[i]); } }
        wrapped [] { for i in 0..n { let w = std::num::Wrapping(a[i]); let v = std::num::Wrapping(b[i]); y[i] = (w * v - w / v ^ w << 9).0; z[i] = (std::num::Saturating(a[i]) + std::num::Saturating(T::MAX)).0; } }
        power [] { for i in 0..n { y[i] = (b[i] & 3).pow(2).wrapping_pow(at[i] & 3); } }
        absolute_difference [] { for i in 0..n { y[i] = a[i].abs_diff(b[i]) as T; } }
        root [] { for i in 0..n { y[i] = (a[i] & T::MAX >> 1).max(0).isqrt(); } }
        checked_sum [] { for i in 0..n { y[i] = a[i].checked_add(b[i]).unwrap_or(s); } }
        checked_product [] { for i in 0..n { y[i] = match a[i].checked_mul(b[i]) { Some(v) => v, None => 1 }; } }
        checked_quotient [] { for i in 0..n { y[i] = a[i].checked_div(y[i] & 1).unwrap_or(T::MIN); } }
        overflowing_sum [] { for i in 0..n { let (v, over) = a[i].overflowing_add(b[i]); y[i] = v; z[i] = over as T; } }
        overflowing_difference [] { for i in 0..n { let (v, over) = b[i].overflowing_sub(a[i]); y[i] = if over { v } else { s }; } }
        negated [] { for i in 0..n { y[i] = a[i].wrapping_neg(); } }
        polynomial [] { for i in 0..n { let v = a[i]; y[i] = v.wrapping_mul(v).wrapping_mul(3).wrapping_sub(v.wrapping_mul(s)).wrapping_add(1); } }
        hash [] { for i in 0..n { let mut h = a[i] as u64; h ^= h >> 7; h = h.wrapping_mul(0x9E37_79B9_7F4A_7C15); y[i] = (h >> 13) as T; } }
        average [] { for i in 0..n { y[i] = (a[i] & b[i]).wrapping_add((a[i] ^ b[i]) >> 1); } }
        to_float_and_back [] { for i in 0..n { y[i] = (a[i] as f32 * 0.5) as T; } }
        through_a_wider_type [] { for i in 0..n { y[i] = ((a[i] as i64).wrapping_mul(b[i] as i64) >> 3) as T; } }
        through_a_narrower_type [] { for i in 0..n { y[i] = a[i] as i8 as T ^ a[i] as u16 as T; } }
        compared [] { for i in 0..n { y[i] = (a[i] > b[i]) as T + (a[i] == y[i]) as T * 2; } }
        truth [] { for i in 0..n { let low = a[i] & 1 == 0; let big = a[i] > s; y[i] = (low && !big || (low ^ big)) as T; } }
        swapped_by_tuple [] { for i in 0..n { let (p, q) = (y[i], z[i]); (y[i], z[i]) = (q, p); } }
        both_outputs [] { for i in 0..n { y[i] = a[i].wrapping_add(1); z[i] = y[i] ^ b[i]; } }
        index_as_value [] { for i in 0..n { y[i] = i as T; z[i] = (n - i) as T; } }
    }
}
