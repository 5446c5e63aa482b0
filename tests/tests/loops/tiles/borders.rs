//! Windows with borders: on GPUs, tiles run the iterations away from borders, and the loop's body the others. Tests are built with
//! overflow checks.
#![forbid(unsafe_code)]
#![allow(clippy::needless_range_loop, clippy::too_many_arguments, reason = "as such loops are written")]
#![allow(
    clippy::manual_range_contains,
    clippy::manual_clamp,
    clippy::collapsible_if,
    reason = "as such loops are written"
)]
use omp_tests::Values;

/// The last region ran in tiles if it ran on a CUDA device.
fn in_tiles(tiled: bool) {
    let report = omp::last_region();
    if report.backend == "cuda" {
        let [_, y, z] = report.block;
        assert_eq!((y, z, report.grid[1]) == (1, 1, 1), tiled, "{report}");
    }
}

fn numbers(len: usize, seed: u64) -> Vec<f32> {
    let mut r = Values(seed);
    let value = |n: u32| if n.is_multiple_of(11) { -0.0 } else { (n % 4099) as f32 / 512.0 - 3.0 };
    (0..len).map(|_| value(r.bits() >> 20)).collect()
}

/// A sum over windows of a matrix, with the loop's body, as a region and as a plain loop.
macro_rules! windows {
    ($($name:ident $tiled:literal |$a:ident, $c:ident, $o:ident, $i:ident, $j:ident, [$h:ident, $w:ident, $r:ident, $t:ident]| $body:block)*) => {
        $(
            mod $name {
                #[omp::offload]
                pub(super) fn region(d: usize, $a: &[f32], $c: &[f32], $o: &mut [f32], $h: usize, $w: usize, $r: usize) {
                    let $t = 2 * $r + 1;
                    #[omp::target(device(d), collapse(2), fp(strict))]
                    for $i in 0..$h {
                        for $j in 0..$w $body
                    }
                }

                pub(super) fn plain($a: &[f32], $c: &[f32], $o: &mut [f32], $h: usize, $w: usize, $r: usize) {
                    let $t = 2 * $r + 1;
                    for $i in 0..$h {
                        for $j in 0..$w $body
                    }
                }
            }

            #[test]
            fn $name() {
                for (h, w, r) in [(257, 421, 2), (157, 210, 4), (5, 9, 3)] {
                    let (a, c) = (super::numbers(h * w, 7), super::numbers((2 * r + 1) * (2 * r + 1), 8));
                    let mut want = vec![0.5; h * w];
                    $name::plain(&a, &c, &mut want, h, w, r);
                    omp_tests::on_every_device(|d| {
                        let mut got = vec![0.5; h * w];
                        $name::region(d, &a, &c, &mut got, h, w, r);
                        super::in_tiles($tiled && h > 100);
                        let bits = |v: &[f32]| v.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
                        assert!(bits(&got) == bits(&want), "device {d}, {h} x {w}");
                    });
                }
            }
        )*
    };
}

mod two_dimensions {
    #[omp::declare_target]
    fn zero_outside(a: &[f32], y: isize, x: isize, h: usize, w: usize) -> f32 {
        if y < 0 || x < 0 || y >= h as isize || x >= w as isize {
            return 0.0;
        }
        a[y as usize * w + x as usize]
    }

    windows! {
        left_out true |a, c, o, i, j, [h, w, r, t]| {
            let mut s = 0.0;
            for dy in 0..t {
                for dx in 0..t {
                    let y = i as isize + dy as isize - r as isize;
                    let x = j as isize + dx as isize - r as isize;
                    if y >= 0 && y < h as isize && x >= 0 && x < w as isize {
                        s += a[y as usize * w + x as usize] * c[dy * t + dx];
                    }
                }
            }
            o[i * w + j] = s;
        }

        rows_then_columns true |a, c, o, i, j, [h, w, r, t]| {
            let mut s = 0.0;
            for dy in 0..t {
                let y = i + dy;
                if y < r || y - r >= h {
                    continue;
                }
                for dx in 0..t {
                    let x = j + dx;
                    if x < r || x - r >= w {
                        continue;
                    }
                    s += a[(y - r) * w + (x - r)] * c[dy * t + dx];
                }
            }
            o[i * w + j] = s;
        }

        signed_32 true |a, c, o, i, j, [h, w, r, t]| {
            let mut s = 0.0;
            for dy in 0..t as i32 {
                for dx in 0..t as i32 {
                    let (y, x) = (i as i32 + dy - r as i32, j as i32 + dx - r as i32);
                    if (0..h as i32).contains(&y) && (0..w as i32).contains(&x) {
                        s += a[(y * w as i32 + x) as usize] * c[(dy * t as i32 + dx) as usize];
                    }
                }
            }
            o[i * w + j] = s;
        }

        wrapping true |a, c, o, i, j, [h, w, r, t]| {
            let mut s = 0.0;
            for dy in 0..t {
                for dx in 0..t {
                    let (y, x) = ((i + dy).wrapping_sub(r), (j + dx).wrapping_sub(r));
                    if y < h && x < w {
                        s += a[y * w + x] * c[dy * t + dx];
                    }
                }
            }
            o[i * w + j] = s;
        }

        clamped true |a, c, o, i, j, [h, w, r, t]| {
            let mut s = 0.0;
            for dy in 0..t {
                for dx in 0..t {
                    let y = (i + dy).saturating_sub(r).min(h - 1);
                    let x = (j + dx).saturating_sub(r).min(w - 1);
                    s += a[y * w + x] * c[dy * t + dx];
                }
            }
            o[i * w + j] = s;
        }

        clamped_signed true |a, c, o, i, j, [h, w, r, t]| {
            let mut s = 0.0;
            for dy in 0..t {
                let y = (i as isize + dy as isize - r as isize).clamp(0, h as isize - 1) as usize;
                for dx in 0..t {
                    let x = (j as i64 + dx as i64 - r as i64).max(0).min(w as i64 - 1) as usize;
                    s += a[y * w + x] * c[dy * t + dx];
                }
            }
            o[i * w + j] = s;
        }

        clamped_by_conditions true |a, c, o, i, j, [h, w, r, t]| {
            let mut s = 0.0;
            for dy in 0..t {
                for dx in 0..t {
                    let mut y = i as isize + dy as isize - r as isize;
                    let mut x = j as isize + dx as isize - r as isize;
                    if y < 0 {
                        y = 0;
                    }
                    if y > h as isize - 1 {
                        y = h as isize - 1;
                    }
                    x = if x < 0 { 0 } else if x >= w as isize { w as isize - 1 } else { x };
                    s += a[y as usize * w + x as usize] * c[dy * t + dx];
                }
            }
            o[i * w + j] = s;
        }

        periodic true |a, c, o, i, j, [h, w, r, t]| {
            let mut s = 0.0;
            for dy in 0..t {
                for dx in 0..t {
                    s += a[(i + dy + h - r) % h * w + (j + dx + w - r) % w] * c[dy * t + dx];
                }
            }
            o[i * w + j] = s;
        }

        periodic_signed true |a, c, o, i, j, [h, w, r, t]| {
            let mut s = 0.0;
            for dy in 0..t {
                for dx in 0..t {
                    let y = (i as isize + dy as isize - r as isize).rem_euclid(h as isize) as usize;
                    let x = (j as isize + dx as isize - r as isize).rem_euclid(w as isize) as usize;
                    s += a[y * w + x] * c[dy * t + dx];
                }
            }
            o[i * w + j] = s;
        }

        by_a_function true |a, c, o, i, j, [h, w, r, t]| {
            let mut s = 0.0;
            for dy in 0..t {
                for dx in 0..t {
                    let (y, x) = (i as isize + dy as isize - r as isize, j as isize + dx as isize - r as isize);
                    s += super::zero_outside(a, y, x, h, w) * c[dy * t + dx];
                }
            }
            o[i * w + j] = s;
        }

        copied_at_the_ends true |a, c, o, i, j, [h, w, r, t]| {
            if i >= r && i + r < h && j >= r && j + r < w {
                let mut s = 0.0;
                for dy in 0..t {
                    for dx in 0..t {
                        s += a[(i + dy - r) * w + (j + dx - r)] * c[dy * t + dx];
                    }
                }
                o[i * w + j] = s;
            } else {
                o[i * w + j] = a[i * w + j];
            }
        }

        left_alone_at_the_ends true |a, c, o, i, j, [h, w, r, t]| {
            if i < r || j < r || i + r >= h || j + r >= w {
                continue;
            }
            let mut s = 0.0;
            for dy in 0..t {
                for dx in 0..t {
                    s += a[(i + dy - r) * w + (j + dx - r)] * c[dy * t + dx];
                }
            }
            o[i * w + j] += s;
        }

        other_loops_at_the_ends true |a, c, o, i, j, [h, w, r, t]| {
            let mut s = 0.0;
            if i < r || j < r || i + r >= h || j + r >= w {
                let mut n = 0.0;
                for k in 0..w / 4 {
                    n += a[i * w + k] * 0.25;
                }
                for dy in 0..t - 1 {
                    s += n * c[dy];
                }
            } else {
                for dy in 0..t {
                    for dx in 0..t {
                        s += a[(i + dy - r) * w + (j + dx - r)] * c[dy * t + dx];
                    }
                }
            }
            o[i * w + j] = s;
        }

        one_dimension_has_borders true |a, c, o, i, j, [h, w, r, t]| {
            let mut s = 0.0;
            for dx in 0..t {
                let x = (j + dx).saturating_sub(r).min(w - 1);
                s += a[i * w + x] * c[dx];
            }
            for dx in 0..t {
                s = s * 0.5 + c[dx];
            }
            let _ = h;
            o[i * w + j] = s;
        }

        checked false |a, c, o, i, j, [h, w, r, t]| {
            let mut s = 0.0;
            for dy in 0..t {
                for dx in 0..t {
                    if let (Some(y), Some(x)) = ((i + dy).checked_sub(r), (j + dx).checked_sub(r)) {
                        if y < h && x < w {
                            s += a[y * w + x] * c[dy * t + dx];
                        }
                    }
                }
            }
            o[i * w + j] = s;
        }

        bounds_of_loops true |a, c, o, i, j, [h, w, r, t]| {
            let mut s = 0.0;
            for y in i.saturating_sub(r)..(i + r + 1).min(h) {
                for x in j.saturating_sub(r)..(j + r + 1).min(w) {
                    s += a[y * w + x] * c[(y + r - i) * t + (x + r - j)];
                }
            }
            o[i * w + j] = s;
        }
    }
}

#[omp::offload]
fn volume(d: usize, n: [usize; 3], a: &[f32], c: &[f32], o: &mut [f32]) {
    let [l, h, w] = n;
    #[omp::target(device(d), collapse(3), fp(strict))]
    for i in 0..l {
        for j in 0..h {
            for k in 0..w {
                let mut s = 0.0;
                for dz in 0..3 {
                    for dy in 0..3 {
                        for dx in 0..3 {
                            let z = i as i64 + dz as i64 - 1;
                            let y = j as i64 + dy as i64 - 1;
                            let x = (k + dx).saturating_sub(1).min(w - 1);
                            if z >= 0 && z < l as i64 && y >= 0 && y < h as i64 {
                                s += a[(z as usize * h + y as usize) * w + x] * c[(dz * 3 + dy) * 3 + dx];
                            }
                        }
                    }
                }
                o[(i * h + j) * w + k] = s;
            }
        }
    }
}

#[test]
fn three_dimensions() {
    let [l, h, w] = [31, 45, 83];
    let (a, c) = (numbers(l * h * w, 3), numbers(27, 4));
    let mut want = vec![0.0f32; l * h * w];
    for (at, want) in want.iter_mut().enumerate() {
        let (i, j, k) = (at / (h * w), at / w % h, at % w);
        for (n, c) in c.iter().enumerate() {
            let (z, y) = ((i + n / 9).wrapping_sub(1), (j + n / 3 % 3).wrapping_sub(1));
            if z < l && y < h {
                *want += a[(z * h + y) * w + (k + n % 3).saturating_sub(1).min(w - 1)] * c;
            }
        }
    }
    omp_tests::on_every_device(|d| {
        let mut got = vec![1.0; l * h * w];
        volume(d, [l, h, w], &a, &c, &mut got);
        in_tiles(true);
        assert!(got == want, "device {d}");
    });
}

#[omp::offload]
fn filter(d: usize, x: &[i32], c: &[i32], y: &mut [i32], limit: i32) {
    let (n, t) = (x.len(), c.len());
    #[omp::target(device(d))]
    for i in 0..n {
        let mut s = 0;
        for k in 0..t {
            let at = i as isize + k as isize - (t / 2) as isize;
            if at >= 0 && at < n as isize {
                s += x[at as usize] * c[k];
            }
        }
        assert!(s < limit, "{s} is too large");
        y[i] = s;
    }
}

/// What fails, fails at the borders as within them.
#[test]
fn one_dimension_and_failures() {
    let n = 60_000;
    let x: Vec<i32> = (0..n).map(|i| (i * 7919 % 1013) as i32 - 500).collect();
    let c: Vec<i32> = (0..63).map(|k| k % 5 - 2).collect();
    let sum = |i: usize| -> i32 {
        let near = (0..63).filter(|k| (31..n + 31).contains(&(i + k)));
        near.map(|k| x[i + k - 31] * c[k]).sum()
    };
    let want: Vec<i32> = (0..n).map(sum).collect();
    omp_tests::on_every_device(|d| {
        let mut got = vec![0; n];
        filter(d, &x, &c, &mut got, i32::MAX);
        assert!(got == want, "device {d}");
        for place in [0, 5, n / 2, n - 3] {
            let mut wrong = x.clone();
            wrong[place] = i32::MAX;
            let text =
                omp_tests::panic_of(|| filter(d, &wrong, &c, &mut got, i32::MAX)).expect("it overflows");
            assert!(text.contains("overflow"), "device {d}: {text}");
        }
        let most = *want.iter().max().unwrap();
        let text = omp_tests::panic_of(|| filter(d, &x, &c, &mut got, most)).expect("it is too large");
        assert!(text.contains("is too large"), "device {d}: {text}");
    });
}
