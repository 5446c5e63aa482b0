//! Arrays of the crate `ndarray` in loops, each with its directives on every device, and without them.
#![allow(clippy::all, clippy::pedantic, missing_docs)]
use ndarray::{Array1, Array2, Array3, ArrayView1, ArrayView2, ArrayViewMut2, Axis, array};
use omp_tests::{compare, on_every_device, twice};

twice! {
    pub fn product(d: usize, a: &Array2<f64>, b: ArrayView2<'_, f64>, c: &mut Array2<f64>) {
        #[omp::target(device(d), map(to: a, b), map(from: c), collapse(2))]
        for i in 0..c.nrows() {
            for j in 0..c.ncols() {
                let mut sum = 0.0;
                for k in 0..a.ncols() {
                    sum += a[[i, k]] * b[(k, j)];
                }
                c[[i, j]] = sum;
            }
        }
    }

    /// `dim`, `shape`, `len`, `len_of`, a row, and elements by one number.
    pub fn affine(d: usize, w: ArrayView2<'_, f64>, x: &Array1<f64>, bias: ArrayView1<f64>) -> Array1<f64> {
        let mut y = Array1::<f64>::zeros(w.nrows());
        #[omp::target(device(d))]
        for i in 0..y.len() {
            let (n, m) = w.dim();
            assert!(m == x.len() && n == w.shape()[0] && w.len_of(Axis(1)) == m && w.ndim() == 2);
            y[i] = bias[i];
            for (a, b) in w.row(i).iter().zip(x.iter()) {
                y[i] += a * b;
            }
        }
        y
    }

    /// Rows as the items of the region's loop, and of loops in its body.
    pub fn rows(d: usize, a: &Array2<f64>, w: ArrayView1<f64>, y: &mut Array1<f64>) {
        #[omp::target(device(d))]
        for (i, row) in a.outer_iter().enumerate() {
            y[i] = row.iter().zip(w.iter()).map(|(a, b)| a * b).sum::<f64>() + row.len() as f64;
            for other in a.rows() {
                if other.first().copied() > row.first().copied() { y[i] += 1.0; break; }
            }
            for (k, other) in a.axis_iter(Axis(0)).enumerate() { y[i] += other.iter().sum::<f64>() * k as f64; }
        }
        #[omp::target(device(d))]
        for (row, y) in a.rows().into_iter().zip(y.iter_mut()) {
            let mut largest = *y;
            for v in row { largest = largest.max(*v); }
            *y = largest;
        }
    }

    /// Rows that are written.
    pub fn written_rows(d: usize, a: &mut Array2<f64>, b: &Array2<f64>) {
        #[omp::target(device(d))]
        for i in 0..a.nrows() {
            let mut r = a.row_mut(i);
            for k in 0..r.len() { r[k] += 1.0; }
            for (v, b) in a.row_mut(i).iter_mut().zip(b.row(i).iter()) { *v += b; }
            if i % 3 == 2 { a.row_mut(i).fill(3.0); }
        }
    }

    /// The elements of all shapes lie one behind the other.
    pub fn scaled(d: usize, x: &mut Array3<f32>, by: &Array3<f32>) -> f64 {
        #[omp::target(device(d))]
        for (v, k) in x.iter_mut().zip(by.iter()) {
            *v *= k;
        }
        let mut sum = 0.0;
        #[omp::target(device(d), reduction(+: sum), collapse(3))]
        for i in 0..x.shape()[0] {
            for j in 0..x.shape()[1] {
                for k in 0..x.shape()[2] {
                    sum += f64::from(x[[i, j, k]]) * f64::from(by[(i, j, k)]);
                }
            }
        }
        sum
    }

    /// What is in a data region stays on the device, by the array's name.
    pub fn relaxed(d: usize, grid: &mut Array2<f64>, times: usize) {
        let mut next = grid.clone();
        #[omp::target_data(device(d), map(tofrom: grid), map(to: next))]
        for _ in 0..times {
            #[omp::target(device(d), collapse(2))]
            for i in 1..grid.nrows() - 1 {
                for j in 1..grid.ncols() - 1 {
                    next[[i, j]] = 0.25 * (grid[[i - 1, j]] + grid[[i + 1, j]] + grid[[i, j - 1]] + grid[[i, j + 1]]);
                }
            }
            #[omp::target(device(d), collapse(2))]
            for i in 1..grid.nrows() - 1 {
                for j in 1..grid.ncols() - 1 {
                    grid[[i, j]] = next[[i, j]];
                }
            }
        }
    }

    /// A type that the text doesn't show: subscripts by tuples and arrays are seen all the same.
    pub fn inferred(d: usize, a: &Array2<i64>, n: usize, m: usize) -> Array2<i64> {
        let t = a.t();
        let t = t.as_standard_layout();
        let mut out = ndarray::Array::zeros((m, n));
        #[omp::target(device(d), collapse(2))]
        for i in 0..m {
            for j in 0..n {
                out[[i, j]] = t[[i, j]] + a[(j, i)];
            }
        }
        out
    }

    /// Fields, by methods.
    #[derive(omp::Mapper)]
    pub struct Layer { pub w: Array2<f64>, pub b: Array1<f64> }

    impl Layer {
        fn pre(&self, o: usize, x: &[f64]) -> f64 {
            let mut sum = self.b[o];
            for i in 0..self.w.ncols() {
                sum += self.w[[o, i]] * x[i];
            }
            sum
        }
        pub fn forward(&self, d: usize, x: &[f64], y: &mut [f64]) {
            #[omp::target(device(d))]
            for o in 0..self.b.len() {
                y[o] = self.pre(o, x).max(0.0);
            }
        }
        pub fn step(&mut self, d: usize, x: &[f64], delta: &[f64]) {
            #[omp::target(device(d), collapse(2))]
            for o in 0..self.w.nrows() {
                for i in 0..self.w.ncols() {
                    self.w[[o, i]] -= delta[o] * x[i];
                }
            }
            #[omp::target(device(d))]
            for o in 0..self.b.len() {
                self.b[o] -= delta[o];
            }
        }
    }

    /// `Index` evaluates what is subscripted by from left to right, once.
    pub fn ordered(d: usize, a: &Array2<i64>, out: &mut [i64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut k = 0;
            let mut next = || { k += 1; k };
            out[i] = a[[next(), next()]] * 100 + a[(next(), { let b = 1; b })];
        }
    }

    /// Names of the body's own hide the arrays.
    pub fn hidden(d: usize, a: &Array1<i64>, out: &mut [i64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let whole = a[i];
            out[i] = whole + { let b = [1, 2, 3]; b[i % 3] };
        }
    }

    pub fn blocks(d: usize, x: &mut ArrayViewMut2<'_, i64>) {
        #[omp::target(device(d))]
        {
            #[omp::parallel_for(collapse(2))]
            for i in 0..x.nrows() {
                for j in 0..x.ncols() {
                    x[[i, j]] += (i * 10 + j) as i64;
                }
            }
            #[omp::parallel_for]
            for i in 0..x.nrows() {
                x[[i, 0]] = x[[i, 1]] - 1;
            }
        }
    }
}

fn matrix(n: usize, m: usize) -> Array2<f64> {
    Array2::from_shape_fn((n, m), |(i, j)| ((i * 7 + j * 3) % 11) as f64 - 4.0)
}

fn cube(n: usize) -> Array3<f32> {
    Array3::from_shape_fn((n, n + 1, n + 2), |(i, j, k)| ((i * 7 + j * 3 + k) % 5) as f32 - 2.0)
}

fn vector(n: usize) -> Array1<f64> {
    Array1::from_iter((0..n).map(|i| (i % 5) as f64 - 2.0))
}

#[test]
fn elements_of_ndarrays() {
    compare!(m, d => {
        let mut c = Array2::zeros((5, 6));
        m::product(d, &matrix(5, 4), matrix(4, 6).view(), &mut c);
        c
    });
    compare!(m, d => {
        let mut x = cube(3);
        let sum = m::scaled(d, &mut x, &cube(3));
        (x, sum)
    });
    compare!(m, d => m::affine(d, matrix(7, 5).view(), &vector(5), vector(7).view()));
    compare!(m, d => m::inferred(d, &array![[1, 2, 3], [4, 5, 6]], 2, 3));
    compare!(m, d => {
        let mut out = vec![0; 3];
        m::ordered(d, &Array2::from_shape_fn((5, 5), |(i, j)| (i * 10 + j) as i64), &mut out);
        out
    });
    compare!(m, d => {
        let mut out = vec![0; 9];
        m::hidden(d, &Array1::from_iter(0..9), &mut out);
        out
    });
}

#[test]
fn rows_that_are_written() {
    for (rows, columns) in [(7, 5), (0, 0), (3, 0), (1, 1)] {
        compare!(m, d => {
            let mut a = matrix(rows, columns);
            m::written_rows(d, &mut a, &matrix(rows, columns));
            a
        });
    }
}

#[test]
fn ndarrays_stay_on_the_device() {
    compare!(m, d => {
        let mut grid = matrix(6, 9) * 1024.0;
        m::relaxed(d, &mut grid, 4);
        grid
    });
    compare!(m, d => {
        let mut x = Array2::from_shape_fn((4, 3), |(i, j)| (i + j) as i64);
        m::blocks(d, &mut x.view_mut());
        x
    });
}

#[test]
fn ndarrays_in_structs() {
    compare!(m, d => {
        let mut layer = m::Layer { w: matrix(4, 3), b: vector(4) };
        let x = [1.0, -2.0, 3.0];
        let mut y = vec![0.0; 4];
        layer.forward(d, &x, &mut y);
        layer.step(d, &x, &y);
        (layer.w, layer.b, y)
    });
}

/// What a panic says.
fn panic_of(f: impl FnOnce()) -> String {
    let payload = std::panic::catch_unwind(std::panic::AssertUnwindSafe(f)).expect_err("it panics");
    payload.downcast::<String>().map_or_else(|p| (*p.downcast::<&str>().expect("a text")).to_owned(), |s| *s)
}

#[omp::offload]
fn first_column(d: usize, a: &Array2<f64>, out: &mut [f64]) {
    #[omp::target(device(d))]
    for i in 0..out.len() {
        out[i] = a[[i, 0]];
    }
}

#[test]
fn other_layouts_are_refused() {
    on_every_device(|d| {
        let turned = matrix(3, 4).reversed_axes();
        let mut out = vec![0.0; 4];
        let text = panic_of(|| first_column(d, &turned, &mut out));
        assert!(text.contains("`a` is not in standard layout (shape [4, 3], strides [1, 4])"), "{text}");
        assert!(text.contains("let a = a.as_standard_layout().to_owned();"), "{text}");
        first_column(d, &turned.as_standard_layout().to_owned(), &mut out);
        assert_eq!(out, turned.column(0).to_vec());
    });
}

#[omp::offload]
fn element(d: usize, a: &Array3<f64>, at: [usize; 3], out: &mut [f64]) {
    #[omp::target(device(d))]
    for v in out.iter_mut() {
        *v = a[[at[0], at[1], at[2]]];
    }
}

/// A column beyond the last one is no element of the next row, and no product wraps.
#[test]
fn each_axis_has_its_length() {
    let half = 1 << (usize::BITS - 1);
    for at in [[0, 0, 4], [0, 3, 0], [2, 0, 0], [half, 0, 0], [0, half, 0], [0, 0, usize::MAX]] {
        let a = Array3::from_shape_fn((2, 3, 4), |(i, j, k)| (i * 100 + j * 10 + k) as f64);
        let axis = at.iter().zip(a.shape()).position(|(i, n)| i >= n).expect("one is too large");
        on_every_device(|d| {
            let text = panic_of(|| element(d, &a, at, &mut [0.0; 3]));
            let expected =
                format!("subscript {} of axis {axis}, which has length {}", at[axis], a.shape()[axis]);
            assert!(text.contains(&expected), "{text}");
        });
    }
}

#[omp::offload]
fn sum_of_row(d: usize, a: &Array2<f64>, i: usize, out: &mut [f64]) {
    #[omp::target(device(d))]
    for v in out.iter_mut() {
        *v = a.row(i).iter().sum();
    }
}

#[test]
fn loops_over_rows() {
    for (n, m) in [(3, 2), (17, 5), (1, 1), (4, 0), (0, 3)] {
        let (a, w) = (matrix(n, m), Array1::from_elem(m, 1.5));
        let mut plain = Array1::zeros(n);
        plain::rows(0, &a, w.view(), &mut plain);
        on_every_device(|d| {
            let mut y = Array1::zeros(n);
            device::rows(d, &a, w.view(), &mut y);
            assert_eq!(y, plain, "{n} × {m}, device {d}");
        });
    }
}

#[test]
fn rows_of_ndarrays() {
    let half = 1 << (usize::BITS - 1);
    on_every_device(|d| {
        let mut out = [9.0; 2];
        sum_of_row(d, &matrix(3, 2), 2, &mut out);
        assert_eq!(out, [matrix(3, 2).row(2).sum(); 2]);
        sum_of_row(d, &Array2::zeros((3, 0)), 2, &mut out);
        assert_eq!(out, [0.0; 2]);
        for i in [3, half] {
            let text = panic_of(|| sum_of_row(d, &matrix(3, 2), i, &mut [0.0; 2]));
            assert!(text.contains(&format!("subscript {i} of axis 0, which has length 3")), "{text}");
        }
    });
}

#[omp::offload]
fn folded(d: usize, a: &mut Array2<i64>, n: usize, m: usize) {
    #[omp::target(device(d), collapse(2))]
    for i in 0..n {
        for j in 0..m {
            a[[i / 2, j]] = (i + j) as i64;
        }
    }
}

/// Two iterations that write one element: a launch refuses that.
#[test]
fn races_through_ndarrays() {
    on_every_device(|d| {
        let text = panic_of(|| folded(d, &mut Array2::zeros((4, 5)), 4, 5));
        assert!(text.contains("race through `a`"), "{text}");
        let mut a = Array2::zeros((4, 5));
        folded(d, &mut a, 1, 5);
        assert_eq!(a.row(0).to_vec(), [0, 1, 2, 3, 4]);
    });
}

mod closures {
    use ndarray::{Array1, Array2, ArrayView2};
    use omp_tests::{compare, twice};

    twice! {
        pub fn by_closures(d: usize, a: &Array2<f64>, b: ArrayView2<'_, f64>, v: &Array1<f64>, out: &mut [f64]) {
            let (n, k) = a.dim();
            let at = |i: usize, j: usize| a[[i, j]] * 2.0 + b[(i, j)];
            let edge = |i: isize| v[i.clamp(0, n as isize - 1) as usize];
            let both = |i: usize, j: usize| at(i, j) + edge(i as isize - 1) + a.ncols() as f64;
            #[omp::target(device(d))]
            for i in 0..n { for j in 0..k { out[i * k + j] = both(i, j) + at(i, 0) + edge(i as isize + 1); } }
        }
    }

    /// Closures from before the loop index arrays.
    #[test]
    fn closures_of_ndarrays() {
        for n in [1, 2, 9] {
            let a = Array2::from_shape_fn((n, 3), |(i, j)| (i * 3 + j) as f64);
            let v = Array1::from_shape_fn(n, |i| i as f64 * 0.5);
            compare!(m, d => {
                let mut out = vec![0.0; 3 * n];
                m::by_closures(d, &a, a.view(), &v, &mut out);
                out
            });
        }
    }
}
