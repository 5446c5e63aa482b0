//! Reductions of integers, which are exact.
omp_tests::battery! {
    reductions(0) on [i32 u64 i16] with (T; n, a, b, at, s, y, z, r) {
        total [reduction(+: r)] { for i in 0..n { r = r.wrapping_add(a[i]); } }
        total_of_squares [reduction(+: r)] { for i in 0..n { r += b[i] * b[i]; } }
        dot_product [reduction(+: r)] { for i in 0..n { r += b[i] * z[i]; } }
        counted [reduction(+: r)] { for i in 0..n { if a[i] > b[i] { r += 1; } } }
        less [reduction(-: r)] { for i in 0..n { r = r.wrapping_sub(b[i]); } }
        wrapped_product [reduction(*: r)] { for i in 0..n { r = r.wrapping_mul(a[i] | 1); } }
        least [reduction(min: r)] { for i in 0..n { r = r.min(a[i]); } }
        least_by_if [reduction(min: r)] { for i in 0..n { if a[i] < r { r = a[i]; } } }
        most [reduction(max: r)] { for i in 0..n { r = a[i].max(r); } }
        most_by_if [reduction(max: r)] { for i in 0..n { if r < b[i] { r = b[i]; } } }
        all_bits [reduction(&: r)] { for i in 0..n { r &= a[i] | 3; } }
        any_bits [reduction(|: r)] { for i in 0..n { r = r | (b[i] & 5); } }
        parity [reduction(^: r)] { for i in 0..n { r ^= a[i]; } }
        several_updates [reduction(+: r)] { for i in 0..n { r += b[i]; if i % 3 == 0 { r += 2; } else { r += z[i]; } } }
        inside_a_loop [reduction(+: r)] { for i in 0..n { for k in 0..3 { r += b[i] + k; } } }
        with_output [reduction(+: r)] { for i in 0..n { y[i] = b[i] + 1; r += y[i] - b[i]; } }
        over_two_loops [reduction(+: r), collapse(2)] { for i in 0..n / 8 { for j in 0..8 { r += b[i * 8 + j]; } } }
        from_the_end [reduction(max: r)] { for i in (0..n).rev().step_by(3) { r = r.max(b[i] * 2); } }
        strided [reduction(+: r)] { for i in (0..n).step_by(4) { r += b[i]; } }
        gathered [reduction(+: r)] { for i in 0..n { r += b[at[i] as usize]; } }
    }
}
