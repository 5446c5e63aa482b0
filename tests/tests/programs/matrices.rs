//! Programs whose data stands in structs that own arrays, `#[derive(omp::Mapper)]`: matrices and grids as numeric programs have them.
//! Each program runs with its directives on every device, and without them.
#![allow(clippy::all, clippy::pedantic, missing_docs)]
use omp_tests::{compare, twice};
use std::ops::{Index, IndexMut};

#[derive(Clone, Debug, PartialEq, omp::Mapper)]
pub struct Matrix {
    pub rows: usize,
    pub cols: usize,
    pub data: Vec<f64>,
}

impl Matrix {
    fn new(rows: usize, cols: usize, f: impl Fn(usize, usize) -> f64) -> Self {
        let data = (0..rows * cols).map(|k| f(k / cols, k % cols)).collect();
        Self { rows, cols, data }
    }
}

#[omp::declare_target]
impl Index<(usize, usize)> for Matrix {
    type Output = f64;
    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        &self.data[i * self.cols + j]
    }
}

#[omp::declare_target]
impl IndexMut<(usize, usize)> for Matrix {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
        assert!(j < self.cols, "column {j}");
        &mut self.data[i * self.cols + j]
    }
}

/// A field over a box, of any device type.
#[derive(Clone, Debug, PartialEq, omp::Mapper)]
pub struct Field<T> {
    cells: Vec<T>,
    size: [usize; 3],
}

#[omp::declare_target]
impl<T: omp::Device> Index<[usize; 3]> for Field<T> {
    type Output = T;
    fn index(&self, at: [usize; 3]) -> &Self::Output {
        &self.cells[(at[0] * self.size[1] + at[1]) * self.size[2] + at[2]]
    }
}

#[omp::declare_target]
impl<T: omp::Device> IndexMut<[usize; 3]> for Field<T> {
    fn index_mut(&mut self, at: [usize; 3]) -> &mut Self::Output {
        let [x, y, z] = at;
        let row = x * self.size[1] + y;
        &mut self.cells[row * self.size[2] + z]
    }
}

/// A struct of structs, of a parameter, with arrays of each kind.
#[derive(Clone, Debug, PartialEq, omp::Mapper)]
pub struct Layers<T> {
    pub scale: T,
    pub weights: Matrix,
    pub mask: Box<[u8]>,
    pub shift: [f64; 2],
    pub values: Vec<T>,
}

#[derive(omp::Mapper)]
pub struct Cells<'a> {
    pub old: &'a [f64],
    pub new: &'a mut [f64],
    pub width: usize,
}

twice! {
    pub fn product(d: usize, a: &Matrix, b: &Matrix, c: &mut Matrix) {
        #[omp::target(device(d), map(to: a, b), map(from: c), collapse(2))]
        for i in 0..a.rows {
            for j in 0..b.cols {
                let mut sum = 0.0;
                for k in 0..a.cols {
                    sum += a.data[i * a.cols + k] * b.data[k * b.cols + j];
                }
                c.data[i * c.cols + j] = sum;
            }
        }
    }

    pub fn relaxed(d: usize, m: &mut Matrix, times: usize) -> f64 {
        let mut next = m.clone();
        let mut change = 0.0f64;
        #[omp::target_data(device(d), map(tofrom: m), map(to: next))]
        for _ in 0..times {
            #[omp::target(device(d), collapse(2))]
            for i in 1..m.rows - 1 {
                for j in 1..m.cols - 1 {
                    let k = i * m.cols + j;
                    next.data[k] = 0.25 * (m.data[k - 1] + m.data[k + 1] + m.data[k - m.cols] + m.data[k + m.cols]);
                }
            }
            change = 0.0;
            #[omp::target(device(d), reduction(max: change))]
            for k in 0..m.data.len() {
                let by: f64 = next.data[k] - m.data[k];
                change = change.max(by.abs());
            }
            #[omp::target(device(d), map(tofrom: m), map(to: next))]
            for k in 0..m.data.len() {
                m.data[k] = next.data[k];
            }
        }
        change
    }

    pub fn product_by_index(d: usize, a: &Matrix, b: &Matrix, c: &mut Matrix) {
        #[omp::target(device(d), map(to: a, b), map(from: c), collapse(2))]
        for i in 0..c.rows {
            for j in 0..c.cols {
                let mut sum = 0.0;
                for k in 0..a.cols {
                    sum += a[(i, k)] * b[(k, j)];
                }
                c[(i, j)] = sum;
            }
        }
    }

    pub fn factored(d: usize, a: &mut Matrix) {
        for k in 0..a.rows {
            #[omp::target(device(d), fp(strict))]
            for i in k + 1..a.rows {
                a[(i, k)] /= a[(k, k)];
                for j in k + 1..a.cols {
                    a[(i, j)] -= a[(i, k)] * a[(k, j)];
                }
            }
        }
    }

    pub fn smoothed(d: usize, now: &mut Matrix, times: usize) {
        let mut next = now.clone();
        let (h, w) = (now.rows, now.cols);
        #[omp::target_data(device(d), map(tofrom: now), map(to: next))]
        for _ in 0..times {
            #[omp::target(device(d), collapse(2))]
            for i in 1..h - 1 {
                for j in 1..w - 1 {
                    next[(i, j)] = 0.25 * (now[(i - 1, j)] + now[(i + 1, j)] + now[(i, j - 1)] + now[(i, j + 1)]);
                }
            }
            #[omp::target(device(d), collapse(2))]
            for i in 1..h - 1 {
                for j in 1..w - 1 {
                    now[(i, j)] = next[(i, j)];
                }
            }
        }
    }

    pub fn spread(d: usize, f: &mut Field<f32>, from: &Field<u8>) -> f32 {
        let [nx, ny, nz] = f.size;
        let mut sum = 0.0f32;
        #[omp::target(device(d), collapse(2), map(tofrom: f), reduction(max: sum))]
        for x in 0..nx {
            for y in 0..ny {
                for z in 0..nz {
                    if from[[x, y, z]] > 3 {
                        f[[x, y, z]] += from[[x, y, z]] as f32;
                    }
                    sum = sum.max(f[[x, y, z]]);
                }
            }
        }
        sum
    }

    pub fn layers(d: usize, l: &mut Layers<f32>) {
        #[omp::target_data(device(d), map(tofrom: l))]
        {
            #[omp::target(device(d))]
            for i in 0..l.values.len() {
                let w = l.weights.data[i] + l.shift[i % 2];
                if l.mask[i] != 0 {
                    l.values[i] = l.scale * w as f32;
                }
                l.weights.data[i] = 0.0;
            }
        }
    }

    pub fn cells(d: usize, c: &mut Cells) {
        #[omp::target_data(device(d), map(tofrom: c))]
        {
            #[omp::target(device(d))]
            for i in 0..c.old.len() {
                c.new[i] = c.old[(i + c.width) % c.old.len()];
            }
        }
    }
}

#[omp::offload]
fn entered(d: usize, m: &mut Matrix) {
    omp::target_enter_data!(device(d), map(to: m));
    #[omp::target(device(d))]
    for k in 0..m.data.len() {
        m.data[k] += 1.0;
    }
    omp::target_update!(device(d), from(m));
    #[omp::target(device(d), map(present, tofrom: m.data))]
    for k in 0..m.data.len() {
        m.data[k] *= 2.0;
    }
    omp::target_exit_data!(device(d), map(from: m));
}

#[test]
fn arrays_of_structs_are_mapped_by_the_name_of_the_struct() {
    let (a, b) =
        (Matrix::new(17, 9, |i, j| (i * 3 + j) as f64), Matrix::new(9, 13, |i, j| i as f64 - j as f64));
    compare!(m, d => {
        let mut c = Matrix::new(17, 13, |_, _| 1.0);
        m::product(d, &a, &b, &mut c);
        c
    });
    compare!(m, d => {
        let mut a = a.clone();
        let change = m::relaxed(d, &mut a, 3);
        (a, change)
    });
    compare!(m, d => {
        let mut l = Layers {
            scale: 3.0f32,
            weights: a.clone(),
            mask: (0..60).map(|i| (i % 3) as u8).collect(),
            shift: [1.0, 2.0],
            values: vec![-1.0; 60],
        };
        m::layers(d, &mut l);
        l
    });
    compare!(m, d => {
        let mut new = vec![0.0; a.data.len()];
        m::cells(d, &mut Cells { old: &a.data, new: &mut new, width: 5 });
        new
    });
}

#[test]
fn a_struct_is_entered_updated_and_left() {
    omp_tests::on_every_device(|d| {
        let mut a = Matrix::new(5, 7, |i, j| (i + j) as f64);
        entered(d, &mut a);
        assert_eq!(a, Matrix::new(5, 7, |i, j| 2.0 * ((i + j) as f64 + 1.0)));
    });
}

#[test]
fn a_matrix_is_indexed_by_its_own_index() {
    let a = Matrix::new(11, 6, |i, j| (i * 5 + j) as f64);
    let b = Matrix::new(6, 7, |i, j| (i + 2) as f64 - j as f64);
    compare!(m, d => {
        let mut c = Matrix::new(11, 7, |_, _| 1.0);
        m::product_by_index(d, &a, &b, &mut c);
        c
    });
    compare!(m, d => {
        let mut a = Matrix::new(9, 9, |i, j| if i == j { 8.0 } else { 1.0 / (1 + i + 2 * j) as f64 });
        m::factored(d, &mut a);
        a
    });
    compare!(m, d => {
        let mut a = a.clone();
        m::smoothed(d, &mut a, 3);
        a
    });
    compare!(m, d => {
        let from = Field { cells: (0..60u8).map(|k| k % 7).collect(), size: [3, 4, 5] };
        let mut f = Field { cells: vec![0.5f32; 60], size: [3, 4, 5] };
        (m::spread(d, &mut f, &from), f)
    });
}

/// Another module than the struct's, so that the body of its `Index` is known at the launch alone.
mod elsewhere {
    use super::Matrix;

    #[omp::offload]
    pub fn shifted(d: usize, m: &mut Matrix) {
        #[omp::target(device(d))]
        for i in 0..m.rows - 1 {
            m[(i, 0)] = m[(i + 1, 0)];
        }
    }
}

#[test]
fn a_race_through_an_index_is_caught() {
    omp_tests::on_every_device(|d| {
        let mut m = Matrix::new(50, 2, |i, _| i as f64);
        let text = omp_tests::panic_of(|| elsewhere::shifted(d, &mut m)).expect("iterations meet");
        assert!(text.contains("has a race through `m`"), "{text}");
    });
}

#[omp::offload]
fn in_a_block(d: usize, m: &mut Matrix, from: &Matrix) {
    #[omp::target(device(d), map(tofrom: m), map(to: from))]
    {
        #[omp::parallel_for]
        for i in 0..m.rows {
            m[(i, 1)] += from[(i, 0)];
        }
        m[(2, 0)] = 5.0;
        #[omp::parallel_for]
        for i in 0..m.rows {
            m[(i, 1)] *= 2.0;
        }
    }
}

#[omp::offload]
fn named(d: usize, m: &mut Matrix, from: &Matrix, n: usize) {
    #[omp::target(device(d), default(none), map(tofrom: m), map(to: from), firstprivate(n))]
    for i in 0..n {
        m[(i, 0)] = from[(i, 1)];
    }
    #[omp::target_data(device(d), map(tofrom: m))]
    {
        #[omp::target(device(d))]
        for i in 0..n {
            m[(i, 1)] = 1.0;
        }
    }
}

#[test]
fn indices_stand_in_blocks_and_under_default_none() {
    omp_tests::on_every_device(|d| {
        let from = Matrix::new(6, 2, |i, j| (10 * i + j) as f64);
        let mut m = Matrix::new(6, 2, |_, _| 1.0);
        in_a_block(d, &mut m, &from);
        let want = Matrix::new(6, 2, |i, j| match (i, j) {
            (2, 0) => 5.0,
            (_, 0) => 1.0,
            _ => 2.0 * (1.0 + (10 * i) as f64),
        });
        assert_eq!(m, want, "device {d}");
        named(d, &mut m, &from, 6);
        assert_eq!(m, Matrix::new(6, 2, |i, j| if j == 0 { (10 * i + 1) as f64 } else { 1.0 }));
    });
}

/// Several subscripts in one loop.
mod several {
    use omp_tests::{compare, twice};
    use std::ops::{Index, IndexMut};

    /// Two arrays, each with a subscript of its own type; those of `w` are read mirrored and written straight.
    #[derive(Clone, Debug, PartialEq, omp::Mapper)]
    pub struct Layer {
        pub w: Vec<i64>,
        pub bias: Vec<i64>,
        pub n: usize,
    }

    #[omp::declare_target]
    impl Index<(usize, usize)> for Layer {
        type Output = i64;
        fn index(&self, (i, j): (usize, usize)) -> &i64 {
            &self.w[(self.n - 1 - i) * self.n + j]
        }
    }

    #[omp::declare_target]
    impl IndexMut<(usize, usize)> for Layer {
        fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut i64 {
            &mut self.w[i * self.n + j]
        }
    }

    #[omp::declare_target]
    impl Index<[usize; 1]> for Layer {
        type Output = i64;
        fn index(&self, [i]: [usize; 1]) -> &i64 {
            &self.bias[i]
        }
    }

    #[derive(Clone, Debug, PartialEq, omp::Mapper)]
    pub struct Net {
        pub a: Layer,
    }

    twice! {
        pub fn both_kinds(d: usize, m: &Layer, out: &mut [i64]) {
            #[omp::target(device(d))]
            for i in 0..m.n {
                out[i] = m[(i, 0)] * 100 + m[[i]];
            }
        }

        pub fn of_one_name(d: usize, s: &Net, s_a: &Layer, out: &mut [i64]) {
            #[omp::target(device(d))]
            for i in 0..out.len() {
                out[i] = s.a[(i, 1)] - s_a[(i, 1)];
            }
        }

        pub fn mirrored(d: usize, m: &mut Layer) {
            #[omp::target(device(d))]
            for i in 0..m.n {
                m[(i, 0)] = 1000 + i as i64;
                let j = m.n - 1 - i;
                m[(i, 1)] = m[(j, 2)] * 2;
            }
        }
    }

    #[test]
    fn each_subscript_has_its_own_array_and_formula() {
        let n = 5;
        let of =
            |k: i64| Layer { w: (0..25).map(|i| i * k).collect(), bias: (0..5).map(|i| i - k).collect(), n };
        compare!(m, d => {
            let mut out = vec![0; n];
            m::both_kinds(d, &of(3), &mut out);
            out
        });
        compare!(m, d => {
            let mut out = vec![0; n];
            m::of_one_name(d, &Net { a: of(7) }, &of(2), &mut out);
            out
        });
        compare!(m, d => {
            let mut l = of(4);
            m::mirrored(d, &mut l);
            l
        });
    }
}
