//! Columns of arrays of `ndarray`, rows that a loop writes, sums and products of views, and arrays that a tuple or a method gives.
#![allow(clippy::all, clippy::pedantic, missing_docs)]
use ndarray::{Array1, Array2, ArrayView1, Axis};
use omp_tests::{compare, on_every_device, panic_of, twice};

twice! {
    pub fn columns(d: usize, a: &Array2<f64>, out: &mut Array1<f64>) {
        #[omp::target(device(d))]
        for j in 0..a.ncols() {
            let c = a.column(j);
            out[j] = c.iter().fold(0.0, |s, v| s + v) + c[1] + c.len() as f64;
            for v in a.column(j) { out[j] += v * 2.0; }
            for (i, v) in a.column(j).iter().enumerate() { out[j] += v * i as f64; }
            out[j] += a.column(j)[0] + a.column(j).sum();
        }
    }
    pub fn sums(d: usize, a: &Array2<f64>, w: ArrayView1<f64>, out: &mut Array1<f64>) {
        #[omp::target(device(d))]
        for (i, row) in a.outer_iter().enumerate() {
            out[i] = row.sum() + row.dot(&w) + a.row(i).dot(&a.row(0));
            let r = a.row(i);
            let s = r.sum();
            out[i] += s / w.sum();
        }
    }
    /// Names of views end with their blocks.
    pub fn scopes(d: usize, a: &Array2<i64>, x: &[i64], out: &mut [i64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            { let c = a.column(i); out[i] = c[1]; }
            for c in x.chunks(2) { out[i] += c[0] * c.len() as i64; }
            let mut next = 0;
            let mut j = || { next += 1; next };
            out[i] += a.column(j())[0] * 10 + a.column(j()).iter().sum::<i64>();
            let c = a.column(j());
            out[i] += c[j()];
        }
    }
    pub fn columns_mut(d: usize, a: &mut Array2<i64>) {
        #[omp::target(device(d))]
        for j in 0..a.ncols() {
            let mut c = a.column_mut(j);
            c[0] += j as i64;
            for v in a.column_mut(j).iter_mut() { *v *= 3; }
        }
    }
    /// Arrays of a tuple, and of methods that leave an axis out.
    pub fn centred(d: usize, a: &Array2<f64>) -> (Array1<f64>, Array1<f64>) {
        let (mut largest, mut count) = (Array1::zeros(a.ncols()), Array1::zeros(a.nrows()));
        let means = a.mean_axis(Axis(1)).unwrap();
        let doubled = means.mapv(|v| v * 2.0);
        #[omp::target(device(d))]
        for j in 0..a.ncols() {
            largest[j] = a.column(j).iter().zip(means.iter()).fold(f64::MIN, |m, (v, mean)| m.max(v - mean));
        }
        #[omp::target(device(d))]
        for (n, row) in count.iter_mut().zip(a.outer_iter()) {
            for (v, w) in row.iter().zip(doubled.iter()) { if v > w { *n += 1.0; } }
        }
        (largest, count)
    }
    pub fn gram(d: usize, a: &Array2<i64>, g: &mut Array2<i64>) {
        #[omp::target(device(d), collapse(2))]
        for i in 0..a.ncols() {
            for j in 0..a.ncols() {
                g[[i, j]] = a.column(i).dot(&a.column(j));
            }
        }
    }
    pub fn rows_mut(d: usize, a: &mut Array2<f64>, b: &Array1<f64>) {
        #[omp::target(device(d))]
        for (mut row, &k) in a.rows_mut().into_iter().zip(b.iter()) {
            for v in row.iter_mut() { *v *= k; }
            row[0] += 1.0;
        }
        #[omp::target(device(d))]
        for mut row in a.outer_iter_mut() {
            let m = row.iter().fold(f64::MIN, |m, &v| m.max(v));
            for v in row.iter_mut() { *v -= m; }
        }
        #[omp::target(device(d))]
        for (i, mut row) in a.axis_iter_mut(Axis(0)).enumerate() {
            row[i % 2] += i as f64;
        }
    }
}

fn matrix() -> Array2<f64> {
    Array2::from_shape_fn((7, 5), |(i, j)| (i * 3 + j * j) as f64 * 0.5)
}

fn whole() -> Array2<i64> {
    Array2::from_shape_fn((7, 5), |(i, j)| (i * 3 + j * j) as i64)
}

#[test]
fn columns_and_their_names() {
    compare!(m, d => { let mut out = Array1::zeros(5); m::columns(d, &matrix(), &mut out); out });
    compare!(m, d => { let mut out = [0; 4]; m::scopes(d, &whole(), &[1, 2, 3], &mut out); out });
    compare!(m, d => { let mut a = whole(); m::columns_mut(d, &mut a); a });
    compare!(m, d => { let mut out = Array1::zeros(0); m::columns(d, &Array2::zeros((4, 0)), &mut out); out });
}

#[test]
fn sums_and_products_of_views() {
    let w = Array1::from_shape_fn(5, |i| i as f64);
    compare!(m, d => { let mut out = Array1::zeros(7); m::sums(d, &matrix(), w.view(), &mut out); out });
    compare!(m, d => { let mut out = Array2::zeros((5, 5)); m::gram(d, &whole(), &mut out); out });
}

#[test]
fn rows_that_a_loop_writes() {
    let b = Array1::from_shape_fn(7, |i| i as f64);
    compare!(m, d => { let mut out = matrix(); m::rows_mut(d, &mut out, &b); out });
}

#[test]
fn arrays_of_tuples_and_axes() {
    compare!(m, d => m::centred(d, &matrix()));
}

#[omp::offload]
fn column(d: usize, a: &Array2<i64>, j: usize, out: &mut [i64]) {
    #[omp::target(device(d))]
    for v in out.iter_mut() {
        *v = a.column(j).sum();
    }
}

#[omp::offload]
fn product(d: usize, a: &Array2<i64>, w: &Array1<i64>, out: &mut [i64]) {
    #[omp::target(device(d))]
    for i in 0..out.len() {
        out[i] = a.row(i).dot(w);
    }
}

#[test]
fn views_are_checked() {
    on_every_device(|d| {
        let text = panic_of(|| column(d, &whole(), 5, &mut [0; 2])).expect("there are five columns");
        assert!(text.contains("subscript 5 of axis 1, which has length 5"), "{text}");
        let text = panic_of(|| product(d, &whole(), &Array1::zeros(4), &mut [0; 2])).expect("lengths differ");
        assert!(text.contains("`dot` of arrays of 5 and 4 elements"), "{text}");
    });
}
