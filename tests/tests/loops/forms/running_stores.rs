//! Stores through running subscripts: what each iteration of the parallel loop writes is proved by the launch. Each program against the same
//! without directives.
#![allow(clippy::all, clippy::pedantic, missing_docs)]
use omp_tests::{panic_text, twice};
use std::panic::{AssertUnwindSafe, catch_unwind};

twice! {
    /// Blocks of 8 × 8 one after the other.
    #[omp::offload]
    pub fn blocks(w: usize, h: usize, x: &[f32], y: &mut [f32]) {
        #[omp::target(collapse(2))]
        for by in 0..h / 8 {
            for bx in 0..w / 8 {
                let mut n = (by * (w / 8) + bx) * 64;
                for yy in by * 8..(by + 1) * 8 {
                    for xx in bx * 8..bx * 8 + 8 {
                        y[n] = x[yy * w + xx];
                        n += 1;
                    }
                }
            }
        }
    }
    /// Nests whose lengths the launch knows, with a frame around each row, and the same backwards.
    #[omp::offload]
    pub fn framed(m: usize, c: usize, x: &[i32], y: &mut [i32], back: &mut [i32]) {
        #[omp::target]
        for r in 0..x.len() / (m * c) {
            let mut at = r * (m * c + 2);
            y[at] = -1;
            at += 1;
            for j in 0..m {
                for k in 0..c {
                    y[at] = x[(r * m + j) * c + k];
                    at += 1;
                }
            }
            y[at] = -2;
            let mut end = (r + 1) * m * c;
            for j in 0..m * c {
                end -= 1;
                back[end] = x[r * m * c + j];
            }
        }
    }
    /// The products of all pairs of a row.
    #[omp::offload]
    pub fn pairs(n: usize, x: &[i32], y: &mut [i32]) {
        #[omp::target]
        for r in 0..x.len() / n {
            let mut k = r * (n * (n - 1) / 2);
            for i in 0..n {
                for j in i + 1..n {
                    y[k] = x[r * n + i] * x[r * n + j];
                    k += 1;
                }
            }
        }
    }
    /// Segments whose ends are data.
    #[omp::offload]
    pub fn segments(ends: &[u32], x: &[i64], y: &mut [i64]) {
        #[omp::target]
        for r in 0..ends.len() - 1 {
            let mut k = ends[r] as usize;
            for e in ends[r] as usize..ends[r + 1] as usize {
                if x[e] > 0 {
                    y[k] = x[e] + 1;
                } else {
                    y[k] = -x[e];
                }
                k += 1;
            }
        }
    }
    /// Elements that are arrays; several stores in an iteration; what a variable adds.
    #[omp::offload]
    pub fn interleaved(step: usize, p: &[[f32; 3]], y: &mut [f32], z: &mut [f32]) {
        #[omp::target]
        for (r, p) in p.iter().enumerate() {
            let mut k = 3 * r;
            for c in 0..3 {
                y[k] = p[c] * 2.0;
                k += 1;
            }
            let mut k = 6 * step * r;
            for c in 0..3 {
                z[k] = p[c];
                k += step;
                z[k] = -p[c];
                k += step;
            }
        }
    }
    /// Reversed and closed ranges, and a loop that ends early.
    #[omp::offload]
    pub fn other_ranges(w: usize, stop: i32, x: &[i32], y: &mut [i32]) {
        #[omp::target]
        for r in 0..x.len() / w {
            let mut e = r * (2 * w + 1);
            for j in (0..w).rev() {
                y[e] = x[r * w + j];
                e += 1;
            }
            for j in 0..=w {
                if j < w && x[r * w + j] == stop {
                    break;
                }
                y[e] = j as i32;
                e += 1;
            }
        }
    }
    /// Rows that overlap if `gap` is smaller than `m`.
    #[omp::offload]
    pub fn gaps(m: usize, gap: usize, y: &mut [i32]) {
        #[omp::target]
        for r in 0..10 {
            let mut k = r * gap;
            for j in 0..m {
                for _ in 0..2 {
                    y[k] = (r * 100 + j) as i32;
                    k += 1;
                }
            }
        }
    }
    /// A variable whose type has fewer values than the inner loop has iterations.
    #[omp::offload]
    pub fn narrow(x: &[u8], y: &mut [u8]) {
        #[omp::target]
        for i in 0..y.len() {
            let mut k = 0u8;
            for _ in 0..300 {
                k += 1;
            }
            y[i] = x[300 - k as usize];
        }
    }
    /// All iterations store into one element.
    #[omp::offload]
    pub fn narrow_counter(n: usize, y: &mut [u8]) {
        #[omp::target]
        for i in 0..n {
            let mut k = 0u8;
            for _ in 0..=255u8 {
                k += 1;
            }
            y[i * k as usize / 256] = 1;
        }
    }
    /// Lengths of different fields.
    #[omp::offload]
    pub fn lengths_of_fields(x: &[Pair], y: &mut [f32]) {
        #[omp::target]
        for i in 0..x.len() {
            let p = x[i];
            y[(p.a.len() + p.b.len()) * i + p.b.len() - p.a.len()] = p.a[0] + p.b[2];
        }
    }
    /// Elements that are arrays, by their lengths.
    pub fn elements(p: &[[f32; 3]], y: &mut [f32], z: &mut [f32]) {
        #[omp::target]
        for (r, p) in p.iter().enumerate() {
            for (j, v) in p.iter().enumerate() {
                y[3 * r + j] = *v;
            }
            for j in 0..p.len() {
                z[r * p.len() + j] = 2.0 * p[j];
            }
        }
    }
}

#[derive(Clone, Copy, omp::Device)]
pub struct Pair {
    a: [f32; 2],
    b: [f32; 3],
}

fn numbers(n: usize) -> Vec<i32> {
    (0..n as u64).map(|i| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as i32 % 200 - 100).collect()
}

#[test]
fn blocks_one_after_the_other() {
    omp_tests::on_every_device(|d| {
        omp::set_default_device(d);
        for (w, h) in [(8, 8), (0, 8), (40, 24), (9, 17), (256, 64)] {
            let x: Vec<f32> = numbers(w * h).iter().map(|v| *v as f32).collect();
            let mut of = vec![0.0; w * h];
            let mut expected = of.clone();
            plain::blocks(w, h, &x, &mut expected);
            device::blocks(w, h, &x, &mut of);
            assert!(of == expected, "{w} x {h} on {d}");
        }
    });
}

#[test]
fn rows_with_frames() {
    omp_tests::on_every_device(|d| {
        omp::set_default_device(d);
        for (n, m, c) in [(0, 1, 1), (1, 1, 1), (3, 7, 5), (300, 40, 3), (70, 1, 200)] {
            let x = numbers(n * m * c);
            let mut of = (vec![0; n * (m * c + 2)], vec![0; n * m * c]);
            let mut expected = of.clone();
            plain::framed(m, c, &x, &mut expected.0, &mut expected.1);
            device::framed(m, c, &x, &mut of.0, &mut of.1);
            assert!(of == expected, "{n} of {m} x {c} on {d}");
        }
    });
}

#[test]
fn pairs_of_rows() {
    omp_tests::on_every_device(|d| {
        omp::set_default_device(d);
        for (rows, n) in [(1, 1), (2, 2), (33, 9), (100, 12)] {
            let x = numbers(rows * n);
            let mut of = vec![0; rows * (n * (n - 1) / 2)];
            let mut expected = of.clone();
            plain::pairs(n, &x, &mut expected);
            device::pairs(n, &x, &mut of);
            assert!(of == expected, "{rows} of {n} on {d}");
        }
    });
}

#[test]
fn segments_of_data() {
    omp_tests::on_every_device(|d| {
        omp::set_default_device(d);
        for lengths in [&[0][..], &[5], &[0, 3, 0, 70, 1], &[9; 200]] {
            let mut ends = vec![0u32];
            ends.extend(lengths.iter().scan(0, |end, n| {
                *end += n;
                Some(*end)
            }));
            let x: Vec<i64> = numbers(*ends.last().unwrap() as usize).iter().map(|v| *v as i64).collect();
            let mut of = vec![0; x.len()];
            let mut expected = of.clone();
            plain::segments(&ends, &x, &mut expected);
            device::segments(&ends, &x, &mut of);
            assert!(of == expected, "{lengths:?} on {d}");
        }
        // Segments that overlap.
        let ends = [0u32, 5, 3, 8];
        let (x, mut y) = (vec![1i64; 8], vec![0i64; 8]);
        let error = catch_unwind(AssertUnwindSafe(|| device::segments(&ends, &x, &mut y)));
        let error = error.expect_err("a race");
        let text = panic_text(&*error);
        assert!(text.contains("overlapping writes: ") && text.contains("`y[3]`"), "{text}");
    });
}

#[test]
fn parts_of_elements() {
    omp_tests::on_every_device(|d| {
        omp::set_default_device(d);
        for (n, step) in [(0, 1), (1, 1), (100, 1), (77, 3)] {
            let p: Vec<[f32; 3]> = numbers(n).iter().map(|v| [*v as f32, 1.0, *v as f32 * 0.5]).collect();
            let mut of = (vec![0.0; 3 * n], vec![0.0; 6 * n * step]);
            let mut expected = of.clone();
            plain::interleaved(step, &p, &mut expected.0, &mut expected.1);
            device::interleaved(step, &p, &mut of.0, &mut of.1);
            assert!(of == expected, "{n} by {step} on {d}");
        }
    });
}

#[test]
fn ranges_of_other_kinds() {
    omp_tests::on_every_device(|d| {
        omp::set_default_device(d);
        for (n, w) in [(1, 1), (3, 10), (90, 31)] {
            let x = numbers(n * w);
            let mut of = vec![0; n * (2 * w + 1)];
            let mut expected = of.clone();
            plain::other_ranges(w, x[w / 2], &x, &mut expected);
            device::other_ranges(w, x[w / 2], &x, &mut of);
            assert!(of == expected, "{n} of {w} on {d}");
        }
    });
}

#[test]
fn rows_that_overlap() {
    omp_tests::on_every_device(|d| {
        omp::set_default_device(d);
        let (mut of, mut expected) = (vec![0; 100], vec![0; 100]);
        plain::gaps(5, 10, &mut expected);
        device::gaps(5, 10, &mut of);
        assert!(of == expected, "{d}");
        let error = catch_unwind(AssertUnwindSafe(|| device::gaps(5, 9, &mut of)));
        let error = error.expect_err("a race");
        let text = panic_text(&*error);
        assert!(text.contains("a race through `y`"), "{text}");
        let error = catch_unwind(AssertUnwindSafe(|| device::gaps(6, 12, &mut of)));
        let error = error.expect_err("an index that is too large");
        let text = panic_text(&*error);
        assert!(text.contains("out of bounds"), "{text}");
    });
}

#[test]
fn variables_of_narrow_types() {
    let checked = catch_unwind(|| std::hint::black_box(255u8) + std::hint::black_box(1)).is_err();
    omp_tests::on_every_device(|d| {
        omp::set_default_device(d);
        let x: Vec<u8> = (0..=255).cycle().take(301).collect();
        let mut y = vec![0; 7];
        let all = catch_unwind(AssertUnwindSafe(|| device::narrow(&x, &mut y)));
        assert_eq!(all.is_err(), checked, "{d}");
        assert!(checked || y == [0; 7], "{y:?} on {d}");
        catch_unwind(AssertUnwindSafe(|| device::narrow(&x[..1], &mut y)))
            .expect_err("a subscript that is too large");
        catch_unwind(AssertUnwindSafe(|| device::narrow_counter(1000, &mut y))).expect_err("a race");
    });
}

#[test]
fn fields_of_different_lengths() {
    omp_tests::on_every_device(|d| {
        omp::set_default_device(d);
        let x: Vec<Pair> = (0..9).map(|i| Pair { a: [i as f32; 2], b: [0.5; 3] }).collect();
        let (mut of, mut expected) = (vec![0.0; 45], vec![0.0; 45]);
        plain::lengths_of_fields(&x, &mut expected);
        device::lengths_of_fields(&x, &mut of);
        assert!(of == expected, "{of:?} on {d}");
    });
}

#[test]
fn lengths_of_elements() {
    omp_tests::on_every_device(|d| {
        omp::set_default_device(d);
        let p: Vec<[f32; 3]> = (0..41).map(|i| [i as f32, 1.5, -0.5 * i as f32]).collect();
        let mut expected = (vec![0.0; 123], vec![0.0; 123]);
        let mut of = expected.clone();
        plain::elements(&p, &mut expected.0, &mut expected.1);
        device::elements(&p, &mut of.0, &mut of.1);
        assert!(of == expected, "{of:?} on {d}");
    });
}
