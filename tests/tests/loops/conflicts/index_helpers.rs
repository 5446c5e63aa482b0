//! Subscripts that device functions compute: each is analysed as if the function's body stood there. Right programs run, and
//! races through a helper are told with two iterations, on the host too.
#![allow(clippy::needless_range_loop, reason = "indices are what is tested")]
use omp_tests::on_every_device;
use omp_tests::shapes::layout::{lower, padded, row_major};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The text of the panic.
fn message(run: impl FnOnce()) -> Option<String> {
    let payload = catch_unwind(AssertUnwindSafe(run)).err()?;
    Some(payload.downcast_ref::<String>().cloned().unwrap_or_default())
}

mod helpers {
    #[omp::declare_target]
    pub fn half(i: usize) -> usize {
        i / 2
    }

    /// `if`, an early return, and a call of a call.
    #[omp::declare_target]
    pub fn symmetric(i: usize, j: usize) -> usize {
        if j > i {
            return start(j) + i;
        }
        start(i) + j
    }

    #[omp::declare_target]
    fn start(i: usize) -> usize {
        i * (i + 1) / 2
    }

    #[omp::declare_target]
    pub fn field(kind: usize, i: usize, n: usize) -> usize {
        let at = match kind {
            0 => 0,
            1 => n,
            2 => 2 * n,
            _ => panic!("no such field"),
        };
        at + i
    }

    #[omp::declare_target]
    pub fn reversed(i: usize, bits: u32) -> usize {
        let (mut r, mut t) = (0, i);
        for _ in 0..bits {
            r = r << 1 | t & 1;
            t >>= 1;
        }
        r
    }

    #[omp::declare_target]
    pub fn wrapped(i: i64, n: usize) -> usize {
        i.rem_euclid(n as i64) as usize
    }

    #[omp::declare_target]
    pub fn cell(i: usize, n: usize) -> (usize, usize) {
        (i / n, i % n)
    }

    #[omp::declare_target]
    pub fn clamped<const LEAST: usize>(i: usize, n: usize) -> usize {
        i.clamp(LEAST, n - 1)
    }

    /// An order of elements.
    #[omp::declare_target]
    pub trait Order {
        const IS_REVERSED: bool = false;
        fn at(i: usize, j: usize, rows: usize, columns: usize) -> usize;
    }

    pub struct ByRow;
    pub struct ByColumn;

    #[omp::declare_target]
    impl Order for ByRow {
        fn at(i: usize, j: usize, _rows: usize, columns: usize) -> usize {
            i * columns + j
        }
    }

    #[omp::declare_target]
    impl Order for ByColumn {
        const IS_REVERSED: bool = true;
        fn at(i: usize, j: usize, rows: usize, _columns: usize) -> usize {
            j * rows + i
        }
    }

    /// Which of two is the first, the type tells.
    #[omp::declare_target]
    pub fn placed<O: Order>(i: usize, j: usize, n: usize) -> usize {
        if O::IS_REVERSED { O::at(n - 1 - i, j, n, n) } else { O::at(i, j, n, n) }
    }

    #[omp::declare_target]
    pub fn inside(x: usize, y: usize, w: usize, h: usize) -> bool {
        x >= 1 && x + 1 < w && y >= 1 && y + 1 < h
    }

    /// It calls itself.
    #[omp::declare_target]
    pub fn descend(i: usize) -> usize {
        if i == 0 { 0 } else { 1 + descend(i - 1) }
    }

    /// No loop that is counted.
    #[omp::declare_target]
    pub fn searched(i: usize) -> usize {
        let mut k = 0;
        while k < i {
            k += if k + 1 < i { 1 } else { i - k };
        }
        k
    }
    #[omp::declare_target]
    pub fn counted(i: usize) -> usize {
        let mut k = 0;
        while k < i {
            k += 1;
        }
        k
    }
}
use helpers::*;

/// Elements of `fields` numbers each, row by row.
#[derive(Clone, Copy, omp::Device)]
struct Layout {
    rows: usize,
    columns: u32,
    fields: usize,
}

#[omp::declare_target]
impl Layout {
    const NONE: Self = Self { rows: 0, columns: 0, fields: 1 };

    fn new(rows: usize, columns: usize, fields: usize) -> Self {
        Self { rows, columns: columns as u32, fields }
    }

    fn at(&self, row: usize, column: usize, field: usize) -> usize {
        (self.line(row) + column) * self.fields + field
    }

    fn line(self, row: usize) -> usize {
        row * self.columns as usize
    }
}

#[omp::offload]
fn transpose(d: usize, n: usize, a: &[f64], b: &mut [f64]) {
    #[omp::target(device(d), collapse(2))]
    for i in 0..n {
        for j in 0..n {
            b[row_major(i, j, n)] = 2.0 * a[row_major(j, i, n)];
        }
    }
}

#[omp::offload]
fn multiply(d: usize, n: usize, a: &[f64], b: &[f64], c: &mut [f64]) {
    #[omp::target(device(d), collapse(2))]
    for i in 0..n {
        for j in 0..n {
            let mut sum = 0.0;
            for k in 0..n {
                sum += a[row_major(i, k, n)] * b[row_major(k, j, n)];
            }
            c[row_major(i, j, n)] = sum;
        }
    }
}

#[omp::offload]
fn triangle(d: usize, n: usize, y: &mut [u32]) {
    #[omp::target(device(d))]
    for i in 0..n {
        for j in 0..=i {
            y[lower(i, j)] = (i * n + j) as u32;
        }
    }
}

#[omp::offload]
fn both_triangles(d: usize, n: usize, x: &[u32], y: &mut [u32]) {
    #[omp::target(device(d), collapse(2))]
    for i in 0..n {
        for j in 0..n {
            if j <= i {
                y[symmetric(i, j)] = x[symmetric(j, i)] + 1;
            }
        }
    }
}

/// Every element is stored twice.
#[omp::offload]
fn whole_square(d: usize, n: usize, y: &mut [u32]) {
    #[omp::target(device(d), collapse(2))]
    for i in 0..n {
        for j in 0..n {
            y[symmetric(i, j)] = (i * n + j) as u32;
        }
    }
}

#[omp::offload]
fn halves(d: usize, y: &mut [u32]) {
    #[omp::target(device(d))]
    for i in 0..y.len() {
        y[half(i)] = i as u32;
    }
}

#[omp::offload(try)]
fn halves_as_a_result(d: usize, y: &mut [u32]) -> Result<(), omp::Error> {
    #[omp::target(device(d))]
    for i in 0..y.len() {
        y[half(i)] = i as u32;
    }
    Ok(())
}

#[omp::offload]
fn beyond(d: usize, n: usize, y: &mut [u32]) {
    #[omp::target(device(d))]
    for i in 0..n {
        y[row_major(i, 1, 2)] = i as u32;
    }
}

#[omp::offload]
fn fields(d: usize, n: usize, y: &mut [u32]) {
    #[omp::target(device(d))]
    for i in 0..n {
        y[field(2, i, n)] = y[field(0, i, n)] + y[field(1, i, n)];
    }
}

#[omp::offload]
fn bits(d: usize, bits: u32, y: &mut [u32]) {
    #[omp::target(device(d))]
    for i in 0..1 << bits {
        y[reversed(i, bits)] = i as u32;
    }
}

#[omp::offload]
fn rotated(d: usize, k: i64, x: &[u32], y: &mut [u32]) {
    let n = y.len();
    #[omp::target(device(d))]
    for i in 0..n {
        y[wrapped(i as i64 + k, n)] = x[wrapped(i as i64 - k, n)];
    }
}

#[omp::offload]
fn cells(d: usize, (rows, columns): (usize, usize), y: &mut [u32]) {
    #[omp::target(device(d))]
    for k in 0..rows * columns {
        let (i, j) = cell(k, columns);
        y[row_major(i, j, columns)] = k as u32;
    }
}

#[omp::offload]
fn constants(d: usize, y: &mut [u32]) {
    let n = y.len() / 8;
    #[omp::target(device(d), collapse(2))]
    for i in 0..n {
        for j in 0..5 {
            y[padded::<8>(i, j)] = (10 * i + j) as u32;
        }
    }
}

#[omp::offload]
fn edges(d: usize, x: &[u32], y: &mut [u32]) {
    let n = x.len();
    #[omp::target(device(d))]
    for i in 0..n {
        y[i] = x[clamped::<0>(i.saturating_sub(1), n)] + x[clamped::<2>(i + 1, n)];
    }
}

#[omp::offload]
fn stencil(d: usize, (w, h): (usize, usize), a: &[f32], b: &mut [f32]) {
    #[omp::target(device(d), collapse(2))]
    for y in 0..h {
        for x in 0..w {
            if inside(x, y, w, h) {
                let at = row_major(y, x, w);
                b[at] = a[at - 1] + a[at + 1] + a[at - w] + a[at + w];
            }
        }
    }
}

#[omp::offload]
fn by_layout(d: usize, of: Layout, columns: usize, y: &mut [u32]) {
    #[omp::target(device(d), collapse(3))]
    for i in 0..of.rows {
        for j in 0..columns {
            for f in 0..of.fields {
                y[of.at(i, j, f)] = (100 * i + 10 * j + f) as u32;
            }
        }
    }
}

/// The struct is made in the body, or before the loop, or is a const's.
#[omp::offload]
fn by_made_layout(d: usize, (rows, columns): (usize, usize), y: &mut [u32], z: &mut [u32]) {
    let outer = Layout::new(rows, columns, 1);
    #[omp::target(device(d), collapse(2))]
    for i in 0..rows {
        for j in 0..columns {
            let of = Layout::new(rows, columns, Layout::NONE.fields);
            y[of.at(i, j, 0)] = (i + j) as u32;
            z[outer.at(i, j, Layout::NONE.rows)] = (i * j) as u32;
        }
    }
}

#[omp::offload]
impl Layout {
    fn number(&self, d: usize, y: &mut [u32]) {
        #[omp::target(device(d), collapse(2))]
        for i in 0..self.rows {
            for j in 0..self.columns as usize {
                y[self.at(i, j, 0)] = Self::at(self, i, j, 1) as u32;
            }
        }
    }
}

#[omp::offload]
fn in_order<O: Order>(d: usize, (rows, columns): (usize, usize), y: &mut [u32], z: &mut [u32]) {
    #[omp::target(device(d), collapse(2))]
    for i in 0..rows {
        for j in 0..columns {
            y[O::at(i, j, rows, columns)] = (i * columns + j) as u32;
            if i < columns {
                z[placed::<O>(i, j, columns)] = i as u32;
            }
        }
    }
}

#[omp::offload]
fn recursive(y: &mut [u32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[descend(i)] = 1;
    }
}

#[omp::offload]
fn unseen(d: usize, y: &mut [u32]) {
    #[omp::target(device(d))]
    for i in 0..y.len() {
        y[searched(i)] = 1;
    }
}

#[omp::offload]
fn seen(d: usize, y: &mut [u32]) {
    #[omp::target(device(d))]
    for i in 0..y.len() {
        y[counted(i)] = i as u32;
    }
}

#[omp::offload]
fn unseen_but_checked(d: usize, y: &mut [u32]) {
    #[omp::target(device(d), disjoint(y))]
    for i in 0..y.len() {
        y[searched(i)] = i as u32;
    }
}

#[test]
fn matrices() {
    on_every_device(|d| {
        for n in [0usize, 1, 3, 70, 200] {
            let a: Vec<f64> = (0..n * n).map(|k| k as f64).collect();
            let mut b = vec![0.0; n * n];
            transpose(d, n, &a, &mut b);
            assert!((0..n * n).all(|k| b[k] == 2.0 * a[k % n * n + k / n]), "{n} on {d}");
            if n <= 70 {
                let mut c = vec![0.0; n * n];
                multiply(d, n, &a, &b, &mut c);
                let want = |i: usize, j: usize| (0..n).map(|k| a[i * n + k] * b[k * n + j]).sum::<f64>();
                assert!((0..n * n).all(|k| c[k] == want(k / n, k % n)), "{n} on {d}");
            }
        }
    });
}

#[test]
fn triangles() {
    on_every_device(|d| {
        for n in [1usize, 2, 90, 300] {
            let mut y = vec![u32::MAX; n * (n + 1) / 2];
            triangle(d, n, &mut y);
            assert!((0..n).all(|i| (0..=i).all(|j| y[lower(i, j)] == (i * n + j) as u32)), "{n} on {d}");
            let x = y.clone();
            both_triangles(d, n, &x, &mut y);
            assert!(x.iter().zip(&y).all(|(x, y)| x + 1 == *y), "{n} on {d}");
            if n > 1 {
                let text = message(|| whole_square(d, n, &mut y)).expect("(0, 1) and (1, 0) meet");
                // A device may find it while it runs.
                let told = text.contains("race through `y`") && text.contains("for example");
                assert!(told || text.contains("overlapping writes: iteration (i ="), "{text}");
            }
        }
    });
}

#[test]
fn helpers_that_let_iterations_meet() {
    on_every_device(|d| {
        for n in [2usize, 100, 10_000] {
            let mut y = vec![7; n];
            let text = message(|| halves(d, &mut y)).expect("two iterations meet");
            let told = text.contains("race through `y`") && text.contains("for example in the iterations");
            // A device may find it while it runs.
            assert!(told || text.contains("overlapping writes: iteration (i ="), "{text}");
            let error = halves_as_a_result(d, &mut y).expect_err("two iterations meet");
            if d == omp::get_initial_device() {
                assert!(told && matches!(error, omp::Error::Race { .. }), "{error}");
                y.fill(7);
                assert_eq!(message(|| halves(d, &mut y)), Some(text));
                assert!(y.iter().all(|v| *v == 7), "nothing ran");
            }
        }
        // One iteration meets nobody.
        halves(d, &mut [1]);
    });
}

#[test]
fn helpers_that_lead_out_of_bounds() {
    on_every_device(|d| {
        let mut y = vec![0; 100];
        beyond(d, 50, &mut y);
        assert_eq!((y[1], y[99]), (0, 49));
        let text = message(|| beyond(d, 51, &mut y)).expect("101 is out of bounds");
        assert!(text.contains("101") && text.contains("100") && text.contains("i = 50"), "{text}");
        beyond(d, 50, &mut y);
    });
}

#[test]
fn branches_and_loops() {
    on_every_device(|d| {
        for n in [1usize, 5000] {
            let mut y: Vec<u32> = (0..3 * n as u32).collect();
            fields(d, n, &mut y);
            assert!((0..n).all(|i| y[2 * n + i] == (2 * i + n) as u32), "{n} on {d}");
        }
        for k in [1u32, 6, 13] {
            let mut y = vec![u32::MAX; 1 << k];
            bits(d, k, &mut y);
            assert!((0..1usize << k).all(|i| y[i.reverse_bits() >> (usize::BITS - k)] == i as u32), "{k}");
        }
        for k in [-7i64, 0, 3] {
            let x: Vec<u32> = (0..5000).collect();
            let mut y = vec![0; 5000];
            rotated(d, k, &x, &mut y);
            let at = |i: i64| i.rem_euclid(5000) as usize;
            assert!((0..5000).all(|i| y[at(i + k)] == x[at(i - k)]), "{k} on {d}");
        }
        let mut y = vec![0; 77 * 91];
        cells(d, (77, 91), &mut y);
        assert!(y.iter().enumerate().all(|(k, v)| *v == k as u32));
        let mut y = vec![9; 8 * 700];
        constants(d, &mut y);
        assert!(
            y.iter()
                .enumerate()
                .all(|(k, v)| *v == if k % 8 < 5 { 10 * (k as u32 / 8) + k as u32 % 8 } else { 9 })
        );
        let x: Vec<u32> = (0..1000).collect();
        let mut y = vec![0; 1000];
        edges(d, &x, &mut y);
        assert!((1..999).all(|i| y[i] == 2 * i as u32) && y[0] == 2 && y[999] == 998 + 999);
    });
}

#[test]
fn conditions() {
    on_every_device(|d| {
        let (w, h) = (70usize, 80usize);
        let a: Vec<f32> = (0..w * h).map(|k| (k % 17) as f32).collect();
        let mut b = vec![0.0; w * h];
        stencil(d, (w, h), &a, &mut b);
        for k in 0..w * h {
            let (x, y) = (k % w, k / w);
            let inner = x > 0 && y > 0 && x + 1 < w && y + 1 < h;
            let want = if inner { a[k - 1] + a[k + 1] + a[k - w] + a[k + w] } else { 0.0 };
            assert_eq!(b[k], want, "{x}, {y} on {d}");
        }
    });
}

#[test]
fn methods_of_structs() {
    on_every_device(|d| {
        for of in [Layout::new(3, 4, 2), Layout::new(60, 50, 3)] {
            let (rows, columns) = (of.rows, of.columns as usize);
            let mut y = vec![0; rows * columns * of.fields];
            by_layout(d, of, columns, &mut y);
            for k in 0..y.len() {
                let (cell, f) = (k / of.fields, k % of.fields);
                assert_eq!(y[k] as usize, 100 * (cell / columns) + 10 * (cell % columns) + f);
            }
            let mut y = vec![0; rows * columns * of.fields];
            of.number(d, &mut y);
            assert!((0..y.len()).step_by(of.fields).all(|k| y[k] as usize == k + 1), "on {d}");
            let (mut y, mut z) = (vec![0; rows * columns], vec![0; rows * columns]);
            by_made_layout(d, (rows, columns), &mut y, &mut z);
            let at = |k: usize| (k / columns, k % columns);
            assert!(
                (0..y.len())
                    .all(|k| (y[k], z[k]) == ((at(k).0 + at(k).1) as u32, (at(k).0 * at(k).1) as u32))
            );
        }
        // Rows that are longer than the struct says overlap: its numbers tell.
        let text =
            message(|| by_layout(d, Layout::new(4, 3, 1), 4, &mut vec![0; 100])).expect("they overlap");
        assert!(text.contains("race through `y`") && text.contains("for example"), "{text}");
        by_layout(d, Layout::new(4, 4, 1), 4, &mut vec![0; 100]);
    });
}

/// Where nothing is known of a function's result, a clause is needed.
#[test]
fn functions_that_are_not_understood() {
    let mut y = vec![0; 10];
    let text = message(|| recursive(&mut y)).expect("nothing shows that they keep apart");
    assert!(text.contains("may have a race through `y`") && text.contains("disjoint(y)"), "{text}");
    assert!(text.contains("the index is the result of `descend`"), "{text}");
    on_every_device(|d| {
        let mut y = vec![0; 100];
        let text = message(|| unseen(d, &mut y)).expect("nothing shows that they keep apart");
        assert!(text.contains("may have a race through `y`") && text.contains("disjoint(y)"), "{text}");
        assert!(y.iter().all(|v| *v == 0));
        seen(d, &mut y);
        assert!(y.iter().enumerate().all(|(i, v)| *v == i as u32));
        y.fill(0);
        unseen_but_checked(d, &mut y);
        assert!(y.iter().enumerate().all(|(i, v)| *v == i as u32));
    });
}

#[test]
fn associated_functions_of_type_parameters() {
    on_every_device(|d| {
        let (rows, columns) = (70, 65);
        let (mut y, mut z) = (vec![0; rows * columns], vec![0; columns * columns]);
        in_order::<ByColumn>(d, (rows, columns), &mut y, &mut z);
        assert!((0..y.len()).all(|k| y[k] as usize == k % rows * columns + k / rows), "on {d}");
        assert!((0..z.len()).all(|k| z[k] as usize == columns - 1 - k % columns), "on {d}");
        in_order::<ByRow>(d, (rows, columns), &mut y, &mut z);
        assert!((0..y.len()).all(|k| y[k] as usize == k), "on {d}");
        assert!((0..z.len()).all(|k| z[k] as usize == k / columns), "on {d}");
    });
}
