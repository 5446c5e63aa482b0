//! Loop heads, nests, and which elements are touched.
omp_tests::battery! {
    shapes(0) on [u32 i64] with (T; n, a, b, at, s, y, z, r) {
        backwards [] { for i in (0..n).rev() { y[i] = a[i]; } }
        every_third [] { for i in (0..n).step_by(3) { y[i] = b[i]; } }
        every_third_backwards [] { for i in (0..n).rev().step_by(3) { y[i] = b[i]; } }
        stepped_then_reversed [] { for i in (0..n).step_by(3).rev() { y[i] = b[i]; } }
        inclusive [] { for i in 0..=n { if i < n { y[i] = s; } } }
        other_type [] { for i in 0..n as u16 { y[i as usize] = i as T; } }
        negative_bounds [] { for i in -(n as i32)..0 { y[(i + n as i32) as usize] = b[0]; } }
        inner_part [] { for i in n / 4..n / 2 { y[i] = a[i]; } }
        sectioned [map(tofrom: y[n / 4..n / 2])] { for i in n / 4..n / 2 { y[i] = y[i].wrapping_add(1); } }
        reversed_copy [] { for i in 0..n { y[i] = a[n - 1 - i]; } }
        neighbours [] { for i in 1..n { y[i] = a[i].wrapping_sub(a[i - 1]); } }
        three_points [] { for i in 1..n.max(1) - 1 { y[i] = a[i - 1].wrapping_add(a[i]).wrapping_add(a[i + 1]); } }
        even_and_odd [] { for i in 0..n / 2 { y[2 * i] = a[i]; y[2 * i + 1] = b[i]; } }
        halves [] { for i in 0..n / 2 { y[i] = a[2 * i]; z[i] = a[2 * i + 1]; } }
        two_halves [] { for i in 0..n / 2 { y[i] = b[i]; y[i + n / 2] = a[i]; } }
        rows [collapse(2)] { for i in 0..n / 10 { for j in 0..10 { y[i * 10 + j] = a[i * 10 + j] ^ (j as T); } } }
        transposed [collapse(2)] { for i in 0..n / 10 { for j in 0..10 { y[i * 10 + j] = a[j * (n / 10) + i]; } } }
        cubes [collapse(3)] { for i in 0..n / 12 { for j in 0..4 { for k in 0..3 { y[(i * 4 + j) * 3 + k] = b[i] + (j * k) as T; } } } }
        triangle [collapse(2)] { for i in 0..n.min(17) { for j in 0..i { if i * 17 + j < n { y[i * 17 + j] = (i + j) as T; } } } }
        outer_only [] { for i in 0..n / 10 { for j in 0..10 { y[i * 10 + j] = b[j] + 1; } } }
        gathered [] { for i in 0..n { y[i] = a[at[i] as usize]; } }
        gathered_twice [] { for i in 0..n { y[i] = a[at[at[i] as usize] as usize]; } }
        unnamed [reduction(+: r)] { for _ in 0..n { r += 1; } }
        last_private [lastprivate(r)] { for i in 0..n { r = b[i] + 1; y[i] = r; } }
        few_teams [num_teams(2), thread_limit(3)] { for i in 0..n { y[i] = b[i] + 2; } }
        on_the_host_perhaps [if(n > 10)] { for i in 0..n { y[i] = b[i] + 3; } }
        swapped_neighbours [] { for i in 0..n / 2 { y.swap(2 * i, 2 * i + 1); } }
        swapped_ends [] { for i in 0..n / 2 { y.swap(i, n - 1 - i); } }
    }
}
