//! Conditions, matches and loops inside of bodies.
omp_tests::battery! {
    control(0) on [i32 u64] with (T; n, a, b, at, s, y, z, r) {
        one_side [] { for i in 0..n { if a[i] > b[i] { y[i] = b[i]; } } }
        both_sides [] { for i in 0..n { if i % 2 == 0 { y[i] = a[i]; } else { y[i] = b[i]; } } }
        as_a_value [] { for i in 0..n { y[i] = if a[i] & 1 == 0 { a[i] >> 1 } else { b[i] }; } }
        chain [] { for i in 0..n { y[i] = if b[i] < 3 { 1 } else if b[i] < 6 { 2 } else { 3 }; } }
        matched [] { for i in 0..n { y[i] = match b[i] { 1 => 10, 2 | 3 => 20, 4..=6 => 30, _ => 40 }; } }
        guarded [] { for i in 0..n { y[i] = match b[i] { v if v > s => v, 1 => s, v => v + 1 }; } }
        matched_pair [] { for i in 0..n { y[i] = match (a[i] & 1 == 0, b[i] > 4) { (true, true) => 3, (true, false) => 2, (false, _) => 1 }; } }
        skipped [] { for i in 0..n { if a[i] & 1 == 0 { continue; } y[i] = s; } }
        counted_inside [] { for i in 0..n { let mut t = 0; for k in 0..5 { t += b[i] * k; } y[i] = t; } }
        triangular_inside [] { for i in 0..n { let mut t: T = 0; for k in 0..i.min(9) { t = t.wrapping_add(a[k]); } y[i] = t; } }
        collatz [] { for i in 0..n { let mut v = b[i]; let mut steps = 0; while v != 1 { v = if v % 2 == 0 { v / 2 } else { 3 * v + 1 }; steps += 1; } y[i] = steps; } }
        greatest_common_divisor [] { for i in 0..n { let (mut p, mut q) = (b[i], z[i]); while q != 0 { (p, q) = (q, p % q); } y[i] = p; } }
        loop_with_value [] { for i in 0..n { let mut k = 0; y[i] = loop { k += 1; if k * k > b[i] { break k; } }; } }
        labelled [] { for i in 0..n { let mut found = 0; 'all: for p in 1..10 { for q in 1..10 { if p * q == b[i] + 8 { found = p; break 'all; } if p + q > 12 { continue 'all; } } } y[i] = found; } }
        backwards_inside [] { for i in 0..n { let mut t = 0; for k in (0..7).rev().step_by(2) { t = t * 3 + k; } y[i] = t + b[i]; } }
        inclusive_inside [] { for i in 0..n { let mut t = 1; for k in 1..=b[i] { t = k + t * 2; } y[i] = t; } }
        block_value [] { for i in 0..n { y[i] = { let t = b[i] + 1; t * t }; } }
        shadowed [] { for i in 0..n { let v = b[i]; let v = v + 1; { let v = v * 2; z[i] = v; } y[i] = v; } }
        option [] { for i in 0..n { let v = if a[i] > s { Some(b[i]) } else { None }; y[i] = if let Some(w) = v { w + 1 } else { 0 }; } }
        let_else [] { for i in 0..n { let Some(v) = a[i].checked_sub(b[i]) else { y[i] = 7; continue }; y[i] = v; } }
        matches [] { for i in 0..n { y[i] = matches!(b[i], 2 | 5..=7) as T; } }
        bisection [] { for i in 0..n { let (mut lo, mut hi) = (0, 64); while lo < hi { let mid = (lo + hi) / 2; if mid * mid < b[i] * 11 { lo = mid + 1; } else { hi = mid; } } y[i] = lo; } }
        digits [] { for i in 0..n { let (mut v, mut t) = (b[i] * 1234, 0); while v > 0 { t += v % 10; v /= 10; } y[i] = t; } }
        late_initialised [] { for i in 0..n { let v; if b[i] > 4 { v = 1; } else { v = s; } y[i] = v; } }
    }
}
