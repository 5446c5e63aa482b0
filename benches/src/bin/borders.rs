//! Windows with borders. `borders [WORK-PREFIX] [--small]` with OMP_BACKEND=cuda prints a line for each work: the device's time in
//! milliseconds of the loop, and of the same loop under `thread_limit(256)`, which rules tiles out. `padded` works read a copy with the
//! borders in it, and need no conditions. Results are compared: those of both loops bit by bit, and with the host's.
#![allow(clippy::too_many_arguments, reason = "as such loops are written")]
use omp_benches::{Works, floats, mix, region};
use rayon::prelude::*;

const REPS: usize = 5;

/// A loop over pictures: as a region, as one without tiles, and as a function that gives one result.
macro_rules! pictures {
    ($($name:ident<$In:ty, $Out:ty> |$a:ident, $c:ident, $i:ident, $j:ident, [$h:ident, $w:ident, $r:ident, $t:ident]| $s:ident { $($body:tt)* })*) => { $(
        mod $name {
            #[omp::offload]
            pub fn tiled($h: usize, $w: usize, $r: usize, $a: &[$In], $c: &[f32], o: &mut [$Out]) {
                let $t = 2 * $r + 1;
                #[omp::target(collapse(2), map(to: $a, $c), map(from: o))]
                for $i in 0..$h {
                    for $j in 0..$w {
                        let mut $s = 0.0f32;
                        $($body)*
                        o[$i * $w + $j] = $s as $Out;
                    }
                }
            }

            #[omp::offload]
            pub fn before($h: usize, $w: usize, $r: usize, $a: &[$In], $c: &[f32], o: &mut [$Out]) {
                let $t = 2 * $r + 1;
                #[omp::target(collapse(2), thread_limit(256), map(to: $a, $c), map(from: o))]
                for $i in 0..$h {
                    for $j in 0..$w {
                        let mut $s = 0.0f32;
                        $($body)*
                        o[$i * $w + $j] = $s as $Out;
                    }
                }
            }

            pub fn host($h: usize, $w: usize, $r: usize, $a: &[$In], $c: &[f32], $i: usize, $j: usize) -> $Out {
                let $t = 2 * $r + 1;
                let mut $s = 0.0f32;
                $($body)*
                let _ = ($h, $t);
                $s as $Out
            }
        }
    )* };
}

pictures! {
    zero<f32, f32> |a, c, i, j, [h, w, r, t]| s {
        for dy in 0..t {
            for dx in 0..t {
                let y = i as isize + dy as isize - r as isize;
                let x = j as isize + dx as isize - r as isize;
                if y >= 0 && y < h as isize && x >= 0 && x < w as isize {
                    s += a[y as usize * w + x as usize] * c[dy * t + dx];
                }
            }
        }
    }

    wrapping<f32, f32> |a, c, i, j, [h, w, r, t]| s {
        for dy in 0..t {
            for dx in 0..t {
                let (y, x) = ((i + dy).wrapping_sub(r), (j + dx).wrapping_sub(r));
                if y < h && x < w {
                    s += a[y * w + x] * c[dy * t + dx];
                }
            }
        }
    }

    clamped<f32, f32> |a, c, i, j, [h, w, r, t]| s {
        for dy in 0..t {
            for dx in 0..t {
                let y = (i + dy).saturating_sub(r).min(h - 1);
                let x = (j + dx).saturating_sub(r).min(w - 1);
                s += a[y * w + x] * c[dy * t + dx];
            }
        }
    }

    periodic<f32, f32> |a, c, i, j, [h, w, r, t]| s {
        for dy in 0..t {
            for dx in 0..t {
                s += a[(i + dy + h - r) % h * w + (j + dx + w - r) % w] * c[dy * t + dx];
            }
        }
    }

    padded<f32, f32> |a, c, i, j, [h, w, r, t]| s {
        for dy in 0..t {
            for dx in 0..t {
                s += a[(i + dy) * (w + 2 * r) + j + dx] * c[dy * t + dx];
            }
        }
    }

    bytes<u8, u8> |a, c, i, j, [h, w, r, t]| s {
        for dy in 0..t {
            for dx in 0..t {
                let y = (i + dy).saturating_sub(r).min(h - 1);
                let x = (j + dx).saturating_sub(r).min(w - 1);
                s += f32::from(a[y * w + x]) * c[dy * t + dx];
            }
        }
    }

    sobel<u8, u8> |a, c, i, j, [h, w, r, t]| s {
        let (mut gx, mut gy) = (0.0f32, 0.0f32);
        for dy in 0..t {
            for dx in 0..t {
                let y = (i as isize + dy as isize - r as isize).clamp(0, h as isize - 1) as usize;
                let x = (j as isize + dx as isize - r as isize).clamp(0, w as isize - 1) as usize;
                let p = f32::from(a[y * w + x]);
                gx += p * c[dy * t + dx];
                gy += p * c[dx * t + dy];
            }
        }
        s += (gx * gx + gy * gy).sqrt().min(255.0);
    }

    erosion<u8, u8> |a, c, i, j, [h, w, r, t]| s {
        s += c[0] + 255.0;
        for dy in 0..t {
            for dx in 0..t {
                let y = (i + dy).saturating_sub(r).min(h - 1);
                let x = (j + dx).saturating_sub(r).min(w - 1);
                s = s.min(f32::from(a[y * w + x]));
            }
        }
    }
}

/// A loop over boxes, as `pictures`.
macro_rules! boxes {
    ($($name:ident |$a:ident, $c:ident, $i:ident, $j:ident, $k:ident, $n:ident| $s:ident { $($body:tt)* })*) => { $(
        mod $name {
            #[omp::offload]
            pub fn tiled($n: usize, $a: &[f32], $c: &[f32], o: &mut [f32]) {
                #[omp::target(collapse(3), map(to: $a, $c), map(from: o))]
                for $i in 0..$n {
                    for $j in 0..$n {
                        for $k in 0..$n {
                            let mut $s = 0.0f32;
                            $($body)*
                            o[($i * $n + $j) * $n + $k] = $s;
                        }
                    }
                }
            }

            #[omp::offload]
            pub fn before($n: usize, $a: &[f32], $c: &[f32], o: &mut [f32]) {
                #[omp::target(collapse(3), thread_limit(256), map(to: $a, $c), map(from: o))]
                for $i in 0..$n {
                    for $j in 0..$n {
                        for $k in 0..$n {
                            let mut $s = 0.0f32;
                            $($body)*
                            o[($i * $n + $j) * $n + $k] = $s;
                        }
                    }
                }
            }

            pub fn host($n: usize, $a: &[f32], $c: &[f32], [$i, $j, $k]: [usize; 3]) -> f32 {
                let mut $s = 0.0f32;
                $($body)*
                $s
            }
        }
    )* };
}

boxes! {
    points_27 |a, c, i, j, k, n| s {
        for dz in 0..3 {
            for dy in 0..3 {
                for dx in 0..3 {
                    let (z, y, x) = (i as isize + dz as isize - 1, j as isize + dy as isize - 1, k as isize + dx as isize - 1);
                    let m = n as isize;
                    if z >= 0 && z < m && y >= 0 && y < m && x >= 0 && x < m {
                        s += a[(z as usize * n + y as usize) * n + x as usize] * c[(dz * 3 + dy) * 3 + dx];
                    }
                }
            }
        }
    }

    points_27_periodic |a, c, i, j, k, n| s {
        for dz in 0..3 {
            for dy in 0..3 {
                for dx in 0..3 {
                    let (z, y, x) = ((i + dz + n - 1) % n, (j + dy + n - 1) % n, (k + dx + n - 1) % n);
                    s += a[(z * n + y) * n + x] * c[(dz * 3 + dy) * 3 + dx];
                }
            }
        }
    }

    points_7 |a, c, i, j, k, n| s {
        let at = (i * n + j) * n + k;
        if i > 0 && i < n - 1 && j > 0 && j < n - 1 && k > 0 && k < n - 1 {
            s += c[0] * a[at];
            s += c[1] * (a[at - 1] + a[at + 1] + a[at - n] + a[at + n] + a[at - n * n] + a[at + n * n]);
        } else {
            s = a[at];
        }
    }
}

/// Runs both loops, compares their results, and prints a line.
fn compare<T: Copy + Default + PartialEq + Sync + Send>(
    work: &str,
    len: usize,
    tiled: impl Fn(&mut [T]),
    before: impl Fn(&mut [T]),
    right: impl Fn(usize, T) -> bool + Sync,
) {
    let (mut with, mut without) = (vec![T::default(); len], vec![T::default(); len]);
    let line = region(work, REPS, || tiled(&mut with));
    let report = omp::last_region();
    line.print(true);
    let line = region(work, REPS, || before(&mut without)).by("before");
    line.print(true);
    let wrong = (0..len)
        .into_par_iter()
        .filter(|k| k % 61 == 0 || k % 4096 < 16)
        .filter(|k| !right(*k, with[*k]))
        .count();
    let [x, y, z] = report.block;
    println!(
        "# {work}: block {x}x{y}x{z}, grid {:?}; {}, {wrong} results are not the host's",
        report.grid,
        if with == without { "both loops give the same bits" } else { "THE LOOPS DIFFER" }
    );
    assert!(with == without && wrong == 0, "{work}");
}

fn near(a: f32, b: f32) -> bool {
    (a - b).abs() <= 1e-3 * b.abs().max(1.0)
}

/// A module of `pictures`, with a picture of so many columns and rows.
macro_rules! measure {
    ($works:ident, $work:literal, $name:ident, $n:expr, $r:expr, $a:expr, $c:expr, $near:expr) => {
        if $works.wants($work) {
            let (n, r, a, c) = ($n, $r, &$a, &$c);
            compare(
                $work,
                n * n,
                |o| $name::tiled(n, n, r, a, c, o),
                |o| $name::before(n, n, r, a, c, o),
                |k, x| $near(x, $name::host(n, n, r, a, c, k / n, k % n)),
            );
        }
    };
}

macro_rules! measure_box {
    ($works:ident, $work:literal, $name:ident, $n:expr, $a:expr, $c:expr) => {
        if $works.wants($work) {
            let (n, a, c) = ($n, &$a, &$c);
            compare(
                $work,
                n * n * n,
                |o| $name::tiled(n, a, c, o),
                |o| $name::before(n, a, c, o),
                |k, x| near(x, $name::host(n, a, c, [k / (n * n), k / n % n, k % n])),
            );
        }
    };
}

fn main() {
    let works = Works::from_args();
    let n = works.size(8192, 700);
    let image = floats(n * n, 1, 0.5);
    let weights = |r: usize| floats((2 * r + 1) * (2 * r + 1), 9, 0.5);
    let (small, large) = (weights(2), weights(5));
    measure!(works, "conv_5x5_zero", zero, n, 2, image, small, near);
    measure!(works, "conv_5x5_wrapping", wrapping, n, 2, image, small, near);
    measure!(works, "conv_5x5_clamped", clamped, n, 2, image, small, near);
    measure!(works, "conv_5x5_periodic", periodic, n, 2, image, small, near);
    measure!(works, "conv_11x11_zero", zero, n, 5, image, large, near);
    measure!(works, "conv_11x11_clamped", clamped, n, 5, image, large, near);
    measure!(works, "conv_11x11_periodic", periodic, n, 5, image, large, near);
    let wide = floats((n + 10) * (n + 10), 1, 0.5);
    measure!(works, "padded_5x5", padded, n, 2, wide, small, near);
    measure!(works, "padded_11x11", padded, n, 5, wide, large, near);
    let picture: Vec<u8> = (0..n * n).map(|k| mix(k as u64) as u8).collect();
    let close = |a: u8, b: u8| a.abs_diff(b) <= 1;
    let blur: Vec<f32> = weights(2).iter().map(|x| (x + 0.5) / 25.0).collect();
    measure!(works, "blur_5x5_u8_clamped", bytes, n, 2, picture, blur, close);
    measure!(
        works,
        "sobel_3x3_u8_clamped",
        sobel,
        n,
        1,
        picture,
        [-1.0, 0.0, 1.0, -2.0, 0.0, 2.0, -1.0, 0.0, 1.0],
        close
    );
    measure!(works, "erosion_3x3_u8_clamped", erosion, n, 1, picture, [0.0; 9], close);
    let n = works.size(512, 96);
    let (volume, weights) = (floats(n * n * n, 3, 0.5), floats(27, 5, 0.5));
    measure_box!(works, "stencil_27_zero", points_27, n, volume, weights);
    measure_box!(works, "stencil_27_periodic", points_27_periodic, n, volume, weights);
    measure_box!(works, "stencil_7_copied", points_7, n, volume, weights);
}
