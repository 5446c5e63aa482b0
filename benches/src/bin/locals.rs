//! Loops whose iterations have arrays of their own: local ones, and parts of mapped arrays: `locals [WORK-PREFIX] [--small]`.
#![allow(
    clippy::cast_lossless,
    clippy::needless_range_loop,
    clippy::too_many_lines,
    clippy::many_single_char_names,
    reason = "the loops as programs have them"
)]
use omp_benches::{Works, floats, region};

const REPS: usize = 7;

/// Histograms of the cells of an image, by angles.
#[omp::offload]
fn cell_bins(n: usize, cell: usize, size: &[f32], angle: &[f32], hist: &mut [f32]) {
    let cells = n / cell;
    #[omp::target(map(to: size, angle), map(from: hist))]
    for c in 0..cells * cells {
        let mut bins = [0.0f32; 9];
        for y in 0..cell {
            for x in 0..cell {
                let p = (c / cells * cell + y) * n + c % cells * cell + x;
                let bin = (angle[p] * 9.0) as usize;
                bins[bin.min(8)] += size[p];
            }
        }
        for b in 0..9 {
            hist[c * 9 + b] = bins[b];
        }
    }
}

/// Inverses of small matrices, with pivots.
#[omp::offload]
fn inverses(a: &[[f32; 16]], out: &mut [[f32; 16]]) {
    #[omp::target(map(to: a), map(from: out))]
    for m in 0..a.len() {
        let mut w = a[m];
        let mut v = [0.0f32; 16];
        for i in 0..4 {
            v[i * 4 + i] = 1.0;
        }
        for k in 0..4 {
            let mut p = k;
            for i in k + 1..4 {
                if w[i * 4 + k].abs() > w[p * 4 + k].abs() {
                    p = i;
                }
            }
            for j in 0..4 {
                let t = w[k * 4 + j];
                w[k * 4 + j] = w[p * 4 + j];
                w[p * 4 + j] = t;
                let t = v[k * 4 + j];
                v[k * 4 + j] = v[p * 4 + j];
                v[p * 4 + j] = t;
            }
            let d = 1.0 / w[k * 4 + k];
            for j in 0..4 {
                w[k * 4 + j] *= d;
                v[k * 4 + j] *= d;
            }
            for i in 0..4 {
                if i != k {
                    let f = w[i * 4 + k];
                    for j in 0..4 {
                        w[i * 4 + j] -= f * w[k * 4 + j];
                        v[i * 4 + j] -= f * v[k * 4 + j];
                    }
                }
            }
        }
        out[m] = v;
    }
}

/// Systems of 16 equations, with pivots.
#[omp::offload]
fn systems(a: &[f32], b: &[f32], x: &mut [f32]) {
    let n = b.len() / 16;
    #[omp::target(map(to: a, b), map(from: x))]
    for s in 0..n {
        let mut w = [[0.0f32; 17]; 16];
        for i in 0..16 {
            for j in 0..16 {
                w[i][j] = a[s * 256 + i * 16 + j];
            }
            w[i][16] = b[s * 16 + i];
        }
        for k in 0..16 {
            let mut p = k;
            for i in k + 1..16 {
                if w[i][k].abs() > w[p][k].abs() {
                    p = i;
                }
            }
            for j in k..17 {
                let t = w[k][j];
                w[k][j] = w[p][j];
                w[p][j] = t;
            }
            for i in k + 1..16 {
                let f = w[i][k] / w[k][k];
                for j in k + 1..17 {
                    w[i][j] -= f * w[k][j];
                }
            }
        }
        for k in (0..16).rev() {
            let mut sum = w[k][16];
            for j in k + 1..16 {
                sum -= w[k][j] * w[j][16];
            }
            w[k][16] = sum / w[k][k];
        }
        for i in 0..16 {
            x[s * 16 + i] = w[i][16];
        }
    }
}

/// Medians of windows, by insertion.
#[omp::offload]
fn medians(n: usize, x: &[f32], y: &mut [f32]) {
    #[omp::target(collapse(2), map(to: x), map(from: y))]
    for r in 0..n {
        for c in 0..n {
            let mut sorted = [0.0f32; 25];
            let mut len = 0;
            for dy in 0..5 {
                for dx in 0..5 {
                    let row = (r + dy).saturating_sub(2).min(n - 1);
                    let column = (c + dx).saturating_sub(2).min(n - 1);
                    let v = x[row * n + column];
                    let mut at = len;
                    while at > 0 && sorted[at - 1] > v {
                        sorted[at] = sorted[at - 1];
                        at -= 1;
                    }
                    sorted[at] = v;
                    len += 1;
                }
            }
            y[r * n + c] = sorted[12];
        }
    }
}

/// Distances of pairs of words of 64 letters, a row of the table at a time.
#[omp::offload]
fn edits(words: &[u8], others: &[u8], out: &mut [u32]) {
    #[omp::target(map(to: words, others), map(from: out))]
    for w in 0..out.len() {
        let mut row = [0u32; 65];
        for j in 0..65 {
            row[j] = j as u32;
        }
        for i in 0..64 {
            let mut diagonal = row[0];
            row[0] = i as u32 + 1;
            for j in 0..64 {
                let same = words[w * 64 + i] == others[w * 64 + j];
                let cost = (diagonal + u32::from(!same)).min(row[j] + 1).min(row[j + 1] + 1);
                diagonal = row[j + 1];
                row[j + 1] = cost;
            }
        }
        out[w] = row[64];
    }
}

/// Softmax of rows, in a local row.
#[omp::offload]
fn local_rows(n: usize, x: &[f32], y: &mut [f32]) {
    #[omp::target(map(to: x), map(from: y))]
    for i in 0..n {
        let mut row = [0.0f32; 256];
        let mut top = f32::NEG_INFINITY;
        for j in 0..256 {
            row[j] = x[i * 256 + j];
            top = top.max(row[j]);
        }
        let mut sum = 0.0f32;
        for j in 0..256 {
            row[j] = (row[j] - top).exp();
            sum += row[j];
        }
        for j in 0..256 {
            y[i * 256 + j] = row[j] / sum;
        }
    }
}

/// Factors of matrices, from one array to another.
#[omp::offload]
fn cholesky(batch: usize, n: usize, a: &[f32], l: &mut [f32]) {
    #[omp::target(map(to: a), map(from: l))]
    for m in 0..batch {
        let a = &a[m * n * n..(m + 1) * n * n];
        let l = &mut l[m * n * n..(m + 1) * n * n];
        for i in 0..n {
            for j in 0..=i {
                let mut sum = a[i * n + j];
                for k in 0..j {
                    sum -= l[i * n + k] * l[j * n + k];
                }
                l[i * n + j] = if i == j { sum.sqrt() } else { sum / l[j * n + j] };
            }
        }
    }
}

/// Factors of matrices, in place.
#[omp::offload]
fn factors(batch: usize, n: usize, a: &mut [f32]) {
    #[omp::target(map(tofrom: a))]
    for m in 0..batch {
        for k in 0..n {
            let pivot = 1.0 / a[m * n * n + k * n + k];
            for i in k + 1..n {
                let f = a[m * n * n + i * n + k] * pivot;
                a[m * n * n + i * n + k] = f;
                for j in k + 1..n {
                    a[m * n * n + i * n + j] -= f * a[m * n * n + k * n + j];
                }
            }
        }
    }
}

/// Factors of symmetric matrices in place, column by column.
#[omp::offload]
fn columns(batch: usize, n: usize, a: &mut [f32]) {
    #[omp::target(map(tofrom: a))]
    for m in 0..batch {
        for k in 0..n {
            let root = a[m * n * n + k * n + k].sqrt();
            a[m * n * n + k * n + k] = root;
            for i in k + 1..n {
                a[m * n * n + i * n + k] /= root;
            }
            for j in k + 1..n {
                for i in j..n {
                    a[m * n * n + i * n + j] -= a[m * n * n + i * n + k] * a[m * n * n + j * n + k];
                }
            }
        }
    }
}

/// A work: the bytes that it has to move, the call, and a number that its result gives.
macro_rules! work {
    ($works:ident, $name:ident $label:literal, bytes $bytes:expr, ($($arg:expr),*) => $check:expr) => {
        if $works.wants($label) {
            let line = region($label, REPS, || $name($($arg),*));
            let report = omp::last_region();
            let ms = line.ms();
            line.print(true);
            println!("# {:24} {:9.4} ms {:8.1} GB/s block {:?} grid {:?} sum {:e}",
                $label, ms, ($bytes) as f64 / ms / 1e6, report.block, report.grid, $check);
        }
    };
}

fn sum<T: Copy + Into<f64>>(x: &[T]) -> f64 {
    x.iter().map(|v| (*v).into()).sum()
}

fn main() {
    let works = &Works::from_args();
    let w = works;
    {
        let n = w.size(4096, 256);
        let (size, angle) = (floats(n * n, 1, 0.0), floats(n * n, 2, 0.0));
        let mut hist = vec![0.0f32; n * n / 4096 * 9];
        work!(works, cell_bins "cell_bins_64", bytes 8 * n * n, (n, 64, &size, &angle, &mut hist) => sum(&hist));
        let mut hist = vec![0.0f32; n * n / 64 * 9];
        work!(works, cell_bins "cell_bins_8", bytes 8 * n * n, (n, 8, &size, &angle, &mut hist) => sum(&hist));
        let mut y = vec![0.0f32; n * n];
        work!(works, medians "medians", bytes 8 * n * n, (n, &size, &mut y) => sum(&y));
    }
    {
        let n = w.size(1 << 20, 1 << 10);
        let flat = floats(16 * n, 3, 0.5);
        let a: Vec<[f32; 16]> = flat
            .chunks(16)
            .map(|c| std::array::from_fn(|i| c[i] + if i % 5 == 0 { 1.0 } else { 0.0 }))
            .collect();
        let mut out = vec![[0.0f32; 16]; n];
        work!(works, inverses "inverses", bytes 128 * n, (&a, &mut out) => sum(out.as_flattened()));
    }
    {
        let n = w.size(1 << 17, 1 << 8);
        let (a, b) = (floats(256 * n, 4, 0.5), floats(16 * n, 5, 0.5));
        let mut x = vec![0.0f32; 16 * n];
        work!(works, systems "systems", bytes 1152 * n, (&a, &b, &mut x) => x.iter().filter(|v| v.abs() < 1e3).count() as f64);
    }
    {
        let n = w.size(1 << 18, 1 << 9);
        let letters = |seed| floats(64 * n, seed, 0.0).iter().map(|v| (v * 4.0) as u8).collect::<Vec<_>>();
        let (a, b) = (letters(6), letters(7));
        let mut out = vec![0u32; n];
        work!(works, edits "edits", bytes 132 * n, (&a, &b, &mut out) => sum(&out));
    }
    {
        let n = w.size(1 << 17, 1 << 9);
        let x = floats(256 * n, 8, 0.5);
        let mut y = vec![0.0f32; 256 * n];
        work!(works, local_rows "local_rows", bytes 2048 * n, (n, &x, &mut y) => sum(&y));
    }
    for (label_batch, n) in [(4096, 32), (32768, 16), (1 << 20, 4), (512, 64), (32768, 32)] {
        let batch = w.size(label_batch, 64);
        let noise = floats(batch * n * n, 9, 0.5);
        let mut a = vec![0.0f32; batch * n * n];
        for m in 0..batch {
            for i in 0..n {
                for j in 0..n {
                    let at = m * n * n;
                    a[at + i * n + j] = 0.5 * (noise[at + i * n + j] + noise[at + j * n + i])
                        + if i == j { n as f32 } else { 0.0 };
                }
            }
        }
        let mut l = vec![0.0f32; batch * n * n];
        println!("# {batch} of {n} x {n}");
        work!(works, cholesky "cholesky", bytes 8 * batch * n * n, (batch, n, &a, &mut l) => sum(&l));
        let start = a.clone();
        work!(works, factors "factors", bytes 8 * batch * n * n, (batch, n, &mut a) => { a.copy_from_slice(&start); 0.0 });
        work!(works, columns "columns", bytes 8 * batch * n * n, (batch, n, &mut a) => { a.copy_from_slice(&start); 0.0 });
        if works.wants("check") {
            columns(batch, n, &mut a);
            factors(batch, n, &mut a);
            println!("# check {:e}", sum(&a));
            a.copy_from_slice(&start);
        }
    }
}
