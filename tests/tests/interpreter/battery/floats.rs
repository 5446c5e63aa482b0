//! Float arithmetic under `fp(strict)`, to the last bit.
omp_tests::battery! {
    floats(0) on [f32 f64] with (T; n, a, b, at, s, y, z, r) {
        sum_of_two [] { for i in 0..n { y[i] = a[i] + b[i]; } }
        axpy [] { for i in 0..n { y[i] = s * a[i] + y[i]; } }
        quotient [] { for i in 0..n { y[i] = a[i] / b[i]; z[i] = b[i] / a[i]; } }
        remainder [] { for i in 0..n { y[i] = a[i] % b[i]; } }
        square_root [] { for i in 0..n { y[i] = a[i].sqrt(); } }
        fused [] { for i in 0..n { y[i] = a[i].mul_add(b[i], s); } }
        absolute [] { for i in 0..n { y[i] = a[i].abs() - (-a[i]).abs(); z[i] = a[i].signum(); } }
        copied_sign [] { for i in 0..n { y[i] = b[i].copysign(a[i]); } }
        smallest [] { for i in 0..n { y[i] = a[i].min(b[i]); z[i] = a[i].max(b[i]); } }
        clamped [] { for i in 0..n { y[i] = a[i].clamp(-1.5, 2.5); } }
        rounded [] { for i in 0..n { y[i] = a[i].floor() + a[i].ceil(); z[i] = a[i].round() - a[i].trunc(); } }
        fraction [] { for i in 0..n { y[i] = a[i].fract(); } }
        euclid [] { for i in 0..n { y[i] = a[i].rem_euclid(b[i]); z[i] = (b[i] * 7.0).div_euclid(s); } }
        whole_power [] { for i in 0..n { let v = a[i]; y[i] = v * v * v - s * v * v; } }
        horner [] { for i in 0..n { let v = b[i]; y[i] = ((0.5 * v + 0.25) * v - 3.0) * v + 1.0; } }
        compared [] { for i in 0..n { y[i] = if a[i] < b[i] { 1.0 } else if a[i] >= b[i] { 2.0 } else { 3.0 }; } }
        special [] { for i in 0..n { y[i] = if a[i].is_nan() { -1.0 } else if a[i].is_infinite() { -2.0 } else if a[i].is_finite() { a[i] } else { 0.0 }; } }
        signs [] { for i in 0..n { y[i] = if a[i].is_sign_negative() { 1.0 } else { 0.0 }; } }
        to_integer [] { for i in 0..n { y[i] = a[i] as i32 as T; z[i] = a[i] as u8 as T; } }
        to_wide_integer [] { for i in 0..n { y[i] = a[i] as i64 as T; z[i] = a[i] as u64 as T; } }
        from_integer [] { for i in 0..n { y[i] = i as T * 0.25; z[i] = at[i] as T; } }
        bits [] { for i in 0..n { y[i] = if a[i].is_nan() { 0.0 } else { T::from_bits(a[i].to_bits() ^ 1) }; } }
        newton [] { for i in 0..n { let mut v = b[i]; for _ in 0..4 { v = 0.5 * (v + b[i] / v); } y[i] = v; } }
        mandelbrot [] { for i in 0..n { let (cx, cy) = (b[i] * 0.3 - 1.5, z[i] * 0.2 - 0.9); let (mut u, mut v, mut k) = (0.0, 0.0, 0); while u * u + v * v <= 4.0 && k < 50 { (u, v) = (u * u - v * v + cx, 2.0 * u * v + cy); k += 1; } y[i] = k as T; } }
        blurred [] { for i in 1..n.max(1) - 1 { y[i] = 0.25 * b[i - 1] + 0.5 * b[i] + 0.25 * b[i + 1]; } }
        lerp [] { for i in 0..n { let t = z[i] * 0.1; y[i] = a[i] * (1.0 - t) + b[i] * t; } }
        distance [] { for i in 0..n { let (p, q) = (a[i] - b[i], z[i] - s); y[i] = (p * p + q * q).sqrt(); } }
        matrix_row [collapse(2)] { for i in 0..n / 10 { for j in 0..10 { let mut t = 0.0; for k in 0..10 { t += b[i * 10 + k] * b[k * (n / 10) % n + j % (n / 10)]; } y[i * 10 + j] = t; } } }
        largest [reduction(max: r)] { for i in 0..n { r = r.max(b[i] * z[i]); } }
        smallest_of_all [reduction(min: r)] { for i in 0..n { r = r.min(a[i]); } }
        degrees [] { for i in 0..n { y[i] = b[i].to_degrees() * 0.0 + b[i].recip(); } }
    }
}
