//! Nests that run in tiles, or in rows on the chip, and read elements whose subscripts data gives. Results have the host's bits, and a
//! subscript that is out of bounds fails as it does there.
#![allow(clippy::all, clippy::pedantic, missing_docs)]
use omp_tests::{Values, on_every_device, panic_of};

fn numbers(len: usize, seed: u64) -> Vec<f32> {
    let mut r = Values(seed);
    (0..len).map(|_| (r.bits() >> 20) as f32 / 512.0 - 3.0).collect()
}

fn below(len: usize, most: usize, seed: u64) -> Vec<u32> {
    let mut r = Values(seed);
    (0..len).map(|_| r.bits() % most as u32).collect()
}

/// The last region had more threads than iterations (or fewer) if it ran on a CUDA device: threads share rows, or each has several sums.
fn threads(more: bool, iterations: usize) {
    let report = omp::last_region();
    if report.backend == "cuda" {
        let threads = report.block.iter().chain(&report.grid).map(|n| *n as usize).product::<usize>();
        assert!(if more { threads > 2 * iterations } else { threads < iterations }, "{report}");
    }
}

macro_rules! both {
    ($($name:ident [$($clause:tt)*] ($($arg:ident: $ty:ty),*) { $($loops:tt)* })*) => { $(
        mod $name {
            #[omp::offload]
            #[allow(clippy::too_many_arguments)]
            pub(super) fn device(d: usize, $($arg: $ty),*) {
                #[omp::target(device(d), fp(strict), $($clause)*)]
                $($loops)*
            }

            pub(super) fn serial($($arg: $ty),*) {
                $($loops)*
            }
        }
    )* };
}

both! {
    // Elements of the row by a label, after loops along it.
    margin [] (w: usize, x: &[f32], label: &[u32], y: &mut [f32]) {
        for i in 0..y.len() {
            let mut most = x[i * w];
            for j in 1..w {
                most = most.max(x[i * w + j]);
            }
            let mut sum = 0.0f32;
            for j in 0..w {
                sum += x[i * w + j] - most;
            }
            y[i] = sum - x[i * w + label[i] as usize];
        }
    }
    // The same of a part, whose length the check names.
    margin_of_parts [] (w: usize, x: &[f32], label: &[u32], y: &mut [f32]) {
        for i in 0..y.len() {
            let row = &x[i * w..(i + 1) * w];
            let mut most = row[0];
            for v in row {
                most = most.max(*v);
            }
            let mut sum = 0.0f32;
            for v in row {
                sum += v - most;
            }
            y[i] = sum - row[label[i] as usize];
        }
    }
    // The part is declared under a condition.
    margin_under_a_condition [] (w: usize, x: &[f32], label: &[u32], y: &mut [f32]) {
        for i in 0..y.len() {
            let mut sum = 0.0f32;
            for j in 0..w {
                sum += x[i * w + j];
            }
            for j in 0..w {
                sum -= 0.5 * x[i * w + j];
            }
            if label[i] != 7 {
                let row = &x[i * w..(i + 1) * w];
                sum -= row[label[i] as usize];
            }
            y[i] = sum;
        }
    }
    // An assertion shows that the subscript is in bounds, of an array of which the device may have no more than that.
    asserted [] (w: usize, x: &[f32], at: &[u32], table: &[f32], y: &mut [f32]) {
        for i in 0..y.len() {
            let mut sum = 0.0f32;
            for j in 0..w {
                sum += x[i * w + j];
            }
            for j in 0..w {
                sum -= 0.5 * x[i * w + j];
            }
            let k = at[i] as usize;
            assert!(k < 16, "{k} is no class");
            y[i] = sum - table[k];
        }
    }
    // A table's entry for each byte of a row.
    checksums [] (w: usize, x: &[u8], table: &[u32; 256], y: &mut [u32]) {
        for i in 0..y.len() {
            let mut c = !0u32;
            for j in 0..w {
                c = table[((c ^ x[i * w + j] as u32) & 0xff) as usize] ^ (c >> 8);
            }
            y[i] = !c;
        }
    }
    // Rows in which subscripts and factors stand side by side, with gaps.
    sparse [] (w: usize, columns: &[u32], a: &[f32], x: &[f32], y: &mut [f32]) {
        for i in 0..y.len() {
            let mut sum = 0.0f32;
            for k in 0..w {
                let c = columns[i * w + k];
                if c != u32::MAX {
                    sum += a[i * w + k] * x[c as usize];
                }
            }
            y[i] = sum;
        }
    }
    // A product whose terms are weighted by an element that data chooses.
    weighted_product [collapse(2)] (m: usize, n: usize, p: usize, a: &[f32], b: &[f32], class: &[u32], weight: &[f32], c: &mut [f32]) {
        for i in 0..m {
            for j in 0..n {
                let mut sum = 0.0f32;
                for k in 0..p {
                    sum += a[i * p + k] * b[k * n + j] * weight[class[k] as usize];
                }
                c[i * n + j] = sum;
            }
        }
    }
    // Two tables one after the other.
    chained [] (w: usize, x: &[u32], first: &[u32], second: &[f32], y: &mut [f32]) {
        for i in 0..y.len() {
            let mut sum = 0.0f32;
            for j in 0..w {
                sum += second[first[x[i * w + j] as usize] as usize];
            }
            y[i] = sum;
        }
    }
}

#[test]
fn rows_and_a_label() {
    for (m, w) in [(700, 250), (65, 33), (64, 1000), (1, 300), (300, 1)] {
        let x = numbers(m * w, 3);
        let label = below(m, w, 5);
        let mut expected = vec![0.0; m];
        margin::serial(w, &x, &label, &mut expected);
        on_every_device(|d| {
            let mut y = vec![0.0; m];
            margin::device(d, w, &x, &label, &mut y);
            assert_eq!(y, expected, "{m} x {w} on {d}");
            if (m, w) == (700, 250) {
                threads(true, m);
            }
            y.fill(0.0);
            margin_of_parts::device(d, w, &x, &label, &mut y);
            assert_eq!(y, expected, "parts: {m} x {w} on {d}");
        });
        // One label is out of the row, which is another row's element for the array, and none of the part; the last one is out of both.
        for (at, by) in [(m / 2, w), (m - 1, 1 << 20)] {
            let mut wrong = label.clone();
            wrong[at] = by as u32;
            let run = |of: &mut dyn FnMut(&mut [f32])| panic_of(|| of(&mut vec![0.0; m]));
            let host = run(&mut |y| margin_of_parts::serial(w, &x, &wrong, y)).expect("it is out of bounds");
            assert!(host.contains(&format!("the len is {w} but the index is {by}")), "{host}");
            on_every_device(|d| {
                let text =
                    run(&mut |y| margin_of_parts::device(d, w, &x, &wrong, y)).expect("it is out of bounds");
                assert!(text.contains(&format!("{by}")) && text.contains(&format!("{w}")), "{text}");
                let whole = run(&mut |y| margin::device(d, w, &x, &wrong, y));
                let beyond = at * w + by >= x.len();
                assert_eq!(whole.is_some(), beyond, "{whole:?}");
                if let Some(text) = whole {
                    assert!(
                        text.contains(&format!("{}", at * w + by)) && text.contains(&format!("i = {at}")),
                        "{text}"
                    );
                }
            });
        }
    }
}

#[test]
fn parts_under_conditions_and_assertions() {
    let (m, w) = (700, 250);
    let (x, table) = (numbers(m * w, 3), numbers(1 << 20, 4));
    let (label, at) = (below(m, w, 5), below(m, 16, 6));
    let [mut expected, mut sums] = [vec![0.0; m], vec![0.0; m]];
    margin_under_a_condition::serial(w, &x, &label, &mut expected);
    asserted::serial(w, &x, &at, &table, &mut sums);
    on_every_device(|d| {
        let mut y = vec![0.0; m];
        margin_under_a_condition::device(d, w, &x, &label, &mut y);
        assert_eq!(y, expected, "on {d}");
        asserted::device(d, w, &x, &at, &table, &mut y);
        assert_eq!(y, sums, "on {d}");
        let mut wrong = at.clone();
        wrong[5] = (1 << 20) - 1;
        let text = panic_of(|| asserted::device(d, w, &x, &wrong, &table, &mut y)).expect("it is no class");
        assert!(text.contains("1048575 is no class"), "{text}");
        let mut wrong = label.clone();
        wrong[9] = 250;
        let text = panic_of(|| margin_under_a_condition::device(d, w, &x, &wrong, &mut y))
            .expect("it is out of the row");
        assert!(text.contains("the len is 250 but the index is 250"), "{text}");
    });
}

#[test]
fn checksums_of_rows() {
    let table: [u32; 256] = std::array::from_fn(|i| {
        (0..8).fold(i as u32, |c, _| if c & 1 == 1 { 0xEDB8_8320 ^ (c >> 1) } else { c >> 1 })
    });
    for (m, w) in [(4500, 512), (4500, 515), (33, 64), (1, 1), (40, 0)] {
        let x: Vec<u8> = below(m * w, 256, 9).into_iter().map(|v| v as u8).collect();
        let mut expected = vec![1; m];
        checksums::serial(w, &x, &table, &mut expected);
        on_every_device(|d| {
            let mut y = vec![1; m];
            checksums::device(d, w, &x, &table, &mut y);
            assert_eq!(y, expected, "{m} x {w} on {d}");
        });
    }
}

#[test]
fn sparse_rows_of_one_length() {
    for (m, w) in [(70_000, 32), (1000, 17), (3, 5)] {
        let columns: Vec<u32> = below(m * w, m + m / 8 + 1, 4)
            .into_iter()
            .map(|c| if c as usize >= m { u32::MAX } else { c })
            .collect();
        let (a, x) = (numbers(m * w, 1), numbers(m, 2));
        let mut expected = vec![0.0; m];
        sparse::serial(w, &columns, &a, &x, &mut expected);
        on_every_device(|d| {
            let mut y = vec![0.0; m];
            sparse::device(d, w, &columns, &a, &x, &mut y);
            assert_eq!(y, expected, "{m} x {w} on {d}");
            // The first column that is none: it is not the mark.
            let mut wrong = columns.clone();
            wrong[m / 2 * w + 1] = u32::MAX - 1;
            let text =
                panic_of(|| sparse::device(d, w, &wrong, &a, &x, &mut y)).expect("it is out of bounds");
            assert!(text.contains("4294967294") && text.contains(&format!("i = {}", m / 2)), "{text}");
        });
    }
}

#[test]
fn products_with_weights() {
    for [m, n, p] in [
        [256, 256, 64],
        [129, 130, 131],
        [12, 900, 300],
        [900, 9, 300],
        [8, 1000, 300],
        [16, 16, 9000],
        [8, 8, 40_000],
        [3, 2, 1],
    ] {
        let (a, b) = (numbers(m * p, 1), numbers(p * n, 2));
        let (class, weight) = (below(p, 7, 3), numbers(7, 4));
        let mut expected = vec![0.0; m * n];
        weighted_product::serial(m, n, p, &a, &b, &class, &weight, &mut expected);
        on_every_device(|d| {
            let mut c = vec![0.0; m * n];
            weighted_product::device(d, m, n, p, &a, &b, &class, &weight, &mut c);
            assert_eq!(c, expected, "{m} x {n} x {p} on {d}");
            if p > 1 && m * n > 1000 {
                threads(false, m * n);
            }
            let mut wrong = class.clone();
            wrong[p - 1] = 7;
            let text = panic_of(|| weighted_product::device(d, m, n, p, &a, &b, &wrong, &weight, &mut c));
            let text = text.expect("it is out of bounds");
            assert!(text.contains("weight") && text.contains('7'), "{text}");
        });
    }
}

#[test]
fn tables_one_after_the_other() {
    let (m, w) = (9000, 256);
    let (x, first, second) = (below(m * w, 300, 1), below(300, 1000, 2), numbers(1000, 3));
    let mut expected = vec![0.0; m];
    chained::serial(w, &x, &first, &second, &mut expected);
    on_every_device(|d| {
        let mut y = vec![0.0; m];
        chained::device(d, w, &x, &first, &second, &mut y);
        assert_eq!(y, expected, "on {d}");
        // After a subscript that is out of bounds, nothing is read by what would have been there.
        let mut wrong = x.clone();
        wrong[m * w - 1] = 300;
        let text =
            panic_of(|| chained::device(d, w, &wrong, &first, &second, &mut y)).expect("it is out of bounds");
        assert!(text.contains("first") && text.contains("300"), "{text}");
        let text = panic_of(|| chained::device(d, w, &x, &first, &second[..900], &mut y))
            .expect("it is out of bounds");
        assert!(text.contains("second"), "{text}");
    });
}
