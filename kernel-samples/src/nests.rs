//! Nests of loops with affine subscripts, of given sizes.
use crate::build::{Desc, F32, I8, I32, ISIZE, Region, USIZE, X, count, int};
use omp_ir::analysis::plan::{DimValues, LaunchFacts, LaunchPlan, LaunchValues};
use omp_ir::desc::{Derived, FieldDesc, Prim, StructDesc, TypeDesc};
use omp_ir::ids::LabelId;
use omp_ir::interp::Memory;
use omp_ir::kernel::Kernel;

/// A nest, and what a launch gives it.
#[derive(Debug, Clone)]
pub struct Nest {
    /// The loops.
    pub region: Region,
    /// The first value of the parallel loops' variables.
    pub first: i128,
    /// Iterations of the parallel loops; of one whose bounds depend on another, any number.
    pub dims: Vec<u64>,
    /// Captured sizes.
    pub scalars: Vec<i128>,
    /// Elements of the arrays.
    pub lens: Vec<u64>,
}

impl Nest {
    /// The loops' values.
    #[must_use]
    pub fn dims(&self) -> Vec<Option<DimValues>> {
        let of = |(d, n): (usize, &u64)| {
            self.region.is_host(d).then_some(DimValues { first: self.first, step: 1, count: *n })
        };
        self.dims.iter().enumerate().map(of).collect()
    }

    /// What a launch knows.
    #[must_use]
    pub fn facts(&self, plan: &LaunchPlan) -> LaunchFacts {
        let dims = self.dims();
        let scalars: Vec<_> = self.scalars.iter().map(|n| Some(*n)).collect();
        let sections: Vec<_> = self.lens.iter().map(|n| (0, *n)).collect();
        plan.decide(&LaunchValues { dims: &dims, scalars: &scalars, lens: &self.lens, sections: &sections })
    }

    /// The same of `f64`, rounded so that products are exact: it makes no difference whether they are rounded before they are
    /// added.
    #[must_use]
    pub fn memory_of_exact_products(&self, kernel: &Kernel) -> Memory {
        let mut memory = self.memory(kernel);
        for (array, ty) in memory.arrays.iter_mut().zip(&kernel.array_ty) {
            if kernel.types.prim(*ty) == Some(Prim::F64) {
                for number in array.chunks_exact_mut(8) {
                    let value = f64::from_le_bytes(number.try_into().expect("8 bytes")) as f32;
                    number.copy_from_slice(&f64::from(value).to_le_bytes());
                }
            }
        }
        memory
    }

    /// Data that no other order of sums gives the same results of, with zeros of both signs among them.
    #[must_use]
    pub fn memory(&self, kernel: &Kernel) -> Memory {
        let number = |k: u64| match k % 7 {
            0 => -0.0,
            1 => 0.0,
            n => (n as f64 - 3.7) * 1.1f64.powi((k % 23) as i32),
        };
        let element = |a: u64, k: u64, size: u64, float: bool| {
            let value = number(k * 31 + a * 17);
            match (size, float) {
                (4, true) => (value as f32).to_le_bytes().to_vec(),
                (_, true) => value.to_le_bytes().to_vec(),
                (n, false) => k.wrapping_mul(0x9E37_79B9_7F4A_7C15).to_le_bytes()[..n as usize].to_vec(),
            }
        };
        let array = |(a, len): (usize, &u64)| {
            let ty = kernel.array_ty[a];
            let size = kernel.types.size(ty).expect("it has a layout");
            let (prim, numbers) = kernel.types.numbers(ty).map_or((None, 1), |(prim, n)| (Some(prim), n));
            let (size, float) = (size / numbers, prim.is_some_and(Prim::is_float));
            (0..*len * numbers).flat_map(|k| element(a as u64, k, size, float)).collect()
        };
        Memory {
            arrays: self.lens.iter().enumerate().map(array).collect(),
            scalars: self.scalars.iter().map(|n| (*n as u64).to_le_bytes().to_vec()).collect(),
            dims: self.dims(),
        }
    }
}

fn zero(ty: Desc) -> X {
    if std::ptr::eq(ty, &I32) { int(0) } else { X::Float(0.0) }
}

/// How a product is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Two parallel loops; the sum is a variable.
    Local,
    /// One parallel loop, and one in it; the sum is an element.
    Inner,
    /// Two parallel loops; the sum is an element, which is scaled before.
    Scaled,
    /// One parallel loop; elements are scaled in a loop of their own, and the loop along a row stands in the one of the terms.
    Outward,
}

/// `c = a · b`, whose factors may stand transposed, or distances: what is added up are then squared differences. `sizes` are
/// rows, columns and depth.
#[must_use]
pub fn product(ty: Desc, sizes: [u64; 3], [ta, tb]: [bool; 2], style: Style, distances: bool) -> Nest {
    let mut r = Region::new("product");
    let (a, b, c) = (r.array("a", ty), r.array("b", ty), r.array("c", ty));
    let [m, n, d] = ["m", "n", "d"].map(|name| r.scalar(name, &USIZE));
    let i = r.dim("i", int(0)..m.clone());
    if style == Style::Outward {
        r.for_("j", count(0, n.clone()), |r, j, _| {
            let out = c.at(&i * &n + &j);
            r.set(&out, &out * X::Float(0.5));
        });
        r.for_("k", count(0, d.clone()), |r, k, _| {
            let x = r.let_("x", a.at(if ta { &k * &m + &i } else { &i * &d + &k }));
            r.for_("j", count(0, n.clone()), |r, j, _| {
                let (out, y) = (c.at(&i * &n + &j), b.at(if tb { &j * &d + &k } else { &k * &n + &j }));
                r.set(&out, &out + if distances { (&x - &y) * (&x - &y) } else { &x * y });
            });
        });
        let [rows, columns, depth] = sizes;
        let lens = vec![rows * depth, depth * columns, rows * columns];
        return Nest { region: r, first: 0, dims: vec![rows], scalars: sizes.map(i128::from).to_vec(), lens };
    }
    let body = |r: &mut Region, i: &X, j: &X| {
        let out = c.at(i * &n + j);
        let term = |k: &X| {
            let x = a.at(if ta { k * &m + i } else { i * &d + k });
            let y = b.at(if tb { j * &d + k } else { k * &n + j });
            if distances { (&x - &y) * (&x - &y) } else { x * y }
        };
        if style == Style::Local {
            let sum = r.uninit("sum", ty);
            r.set(&sum, X::Float(0.0));
            r.for_("k", count(0, d.clone()), |r, k, _| r.set(&sum, &sum + term(&k)));
            r.set(&out, &sum);
            return;
        }
        if style == Style::Scaled {
            r.set(&out, &out * X::Float(0.5));
        }
        r.for_("k", count(0, d.clone()), |r, k, _| r.set(&out, &out + term(&k)));
    };
    let [rows, columns, depth] = sizes;
    let dims = if style == Style::Inner {
        r.for_("j", count(0, n.clone()), |r, j, _| body(r, &i, &j));
        vec![rows]
    } else {
        let j = r.dim("j", int(0)..n.clone());
        body(&mut r, &i, &j);
        vec![rows, columns]
    };
    let lens = vec![rows * depth, depth * columns, rows * columns];
    Nest { region: r, first: 0, dims, scalars: sizes.map(i128::from).to_vec(), lens }
}

/// A contraction over two indices: `c[i, j] = Σ a[i, k, l] · b[k, l, j]`. The rows of `a` may be longer than `l` is, so that no one loop
/// goes through them. `sizes` are those of `i`, `j`, `k` and `l`.
#[must_use]
pub fn contraction(ty: Desc, sizes: [u64; 4], longer: u64, inner: bool) -> Nest {
    let mut r = Region::new("contraction");
    let (a, b, c) = (r.array("a", ty), r.array("b", ty), r.array("c", ty));
    let [m, n, p, q, row] = ["m", "n", "p", "q", "row"].map(|name| r.scalar(name, &USIZE));
    let i = r.dim("i", int(0)..m);
    let body = |r: &mut Region, j: &X| {
        let sum = r.uninit("sum", ty);
        r.set(&sum, X::Float(0.0));
        r.for_("k", count(0, p.clone()), |r, k, _| {
            let first = r.let_("first", &k * &q);
            r.for_("l", count(0, q.clone()), |r, l, _| {
                let x = a.at((&i * &p + &k) * &row + &l);
                r.set(&sum, &sum + x * b.at((&first + &l) * &n + j));
            });
        });
        r.set(c.at(&i * &n + j), &sum);
    };
    let [rows, columns, outer, depth] = sizes;
    let dims = match inner {
        true => {
            r.for_("j", count(0, n.clone()), |r, j, _| body(r, &j));
            vec![rows]
        }
        false => {
            let j = r.dim("j", int(0)..n.clone());
            body(&mut r, &j);
            vec![rows, columns]
        }
    };
    let lens = vec![rows * outer * (depth + longer), outer * depth * columns, rows * columns];
    let scalars = [rows, columns, outer, depth, depth + longer].map(i128::from).to_vec();
    Nest { region: r, first: 0, dims, scalars, lens }
}

/// The part of a square that a loop runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// `j` in `0..=i`.
    Lower,
    /// `j` in `i + 1..n`.
    StrictUpper,
    /// `j` in `0..n - i`.
    Left,
    /// `j` in `i..i + w`, of a wider array.
    Band(u64),
}

impl Part {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Lower, Self::StrictUpper, Self::Left, Self::Band(5)];
}

/// Products of the rows of `a` with each other, for a part of the pairs. If they are `mirrored`, both elements of a pair get the product.
#[must_use]
pub fn triangle(ty: Desc, [side, depth]: [u64; 2], part: Part, style: Style, mirrored: bool) -> Nest {
    let mut r = Region::new("triangle");
    let (a, c) = (r.array("a", ty), r.array("c", ty));
    let [n, d] = ["n", "d"].map(|name| r.scalar(name, &USIZE));
    let i = r.dim("i", int(0)..n.clone());
    let (wide, range) = match part {
        Part::Lower => (0, int(0)..&i + int(1)),
        Part::StrictUpper => (0, &i + int(1)..n.clone()),
        Part::Left => (0, int(0)..&n - &i),
        Part::Band(w) => (w, i.clone()..&i + int(w.into())),
    };
    let pitch = &n + int(wide.into());
    let body = |r: &mut Region, j: &X| {
        let out = c.at(&i * &pitch + j);
        let term = |k: &X| a.at(&i * &d + k) * a.at(j * &d + k);
        match style {
            Style::Local => {
                let sum = r.uninit("sum", ty);
                r.set(&sum, X::Float(0.0));
                r.for_("k", count(0, d.clone()), |r, k, _| r.set(&sum, &sum + term(&k)));
                r.set(&out, &sum);
                if mirrored {
                    r.set(c.at(j * &pitch + &i), &sum);
                }
            }
            Style::Inner | Style::Scaled | Style::Outward => {
                r.set(&out, &out * X::Float(0.5));
                r.for_("k", count(0, d.clone()), |r, k, _| r.set(&out, &out + term(&k)));
            }
        }
    };
    let dims = if style == Style::Inner {
        r.for_("j", range, |r, j, _| body(r, &j));
        vec![side]
    } else if style == Style::Outward {
        let out = |j: &X| c.at(&i * &pitch + j);
        let of = |end: &X| end.clone();
        let (lo, hi) = (of(&range.start), of(&range.end));
        r.for_("j", lo.clone()..hi.clone(), |r, j, _| r.set(out(&j), out(&j) * X::Float(0.5)));
        r.for_("k", count(0, d.clone()), |r, k, _| {
            r.for_("j", lo..hi, |r, j, _| r.set(out(&j), out(&j) + a.at(&i * &d + &k) * a.at(&j * &d + &k)));
        });
        vec![side]
    } else {
        let j = r.dim("j", range);
        body(&mut r, &j);
        vec![side, 0]
    };
    let lens = vec![(side + wide) * depth, (side + wide) * (side + wide)];
    Nest { region: r, first: 0, dims, scalars: vec![side.into(), depth.into()], lens }
}

/// Products of the rows of two matrices, of which a condition takes some: `j <= i`, or those of a band, `j < i + w && i < j + w`. The
/// others have a number of their own, keep an earlier value (`kept`), or nothing is stored.
#[must_use]
pub fn masked(ty: Desc, [side, depth]: [u64; 2], band: Option<u64>, others: Masked) -> Nest {
    let mut r = Region::new("masked");
    let (a, b, c) = (r.array("a", ty), r.array("b", ty), r.array("c", ty));
    let [n, d] = ["n", "d"].map(|name| r.scalar(name, &USIZE));
    let i = r.dim("i", int(0)..n.clone());
    let j = r.dim("j", int(0)..n.clone());
    let out = c.at(&i * &n + &j);
    let cond = match band {
        None => j.le(&i),
        Some(w) => j.lt(&i + int(w.into())).and(i.lt(&j + int(w.into()))),
    };
    let term = |k: &X| a.at(&i * &d + k) * b.at(&j * &d + k);
    let sum = r.uninit("sum", ty);
    r.set(&sum, X::Float(0.25));
    let add =
        |r: &mut Region, sum: &X| r.for_("k", count(0, d.clone()), |r, k, _| r.set(sum, sum + term(&k)));
    match others {
        Masked::Kept => {
            r.if_(cond, |r| {
                add(r, &sum);
                r.set(&sum, &sum * X::Float(0.5));
            });
            r.set(&out, &sum);
        }
        Masked::Number => {
            let value = r.uninit("value", ty);
            r.if_else(
                cond,
                |r| {
                    let own = r.uninit("own", ty);
                    r.set(&own, X::Float(0.5));
                    add(r, &own);
                    r.set(&value, &own + &sum);
                },
                |r| r.set(&value, X::Float(-1.5)),
            );
            r.set(&out, &value);
        }
        Masked::Nothing => r.if_(cond, |r| {
            add(r, &sum);
            r.set(&out, &sum + &out);
        }),
    }
    let lens = vec![side * depth, side * depth, side * side];
    Nest { region: r, first: 0, dims: vec![side, side], scalars: vec![side.into(), depth.into()], lens }
}

/// What iterations have that a condition leaves out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Masked {
    Kept,
    Number,
    Nothing,
}

/// A product of a triangle and a matrix: the loop of the terms has limits. Without columns it is a triangle and a vector.
#[must_use]
pub fn triangular(ty: Desc, [side, columns]: [u64; 2], part: Part, style: Style) -> Nest {
    let mut r = Region::new("triangular");
    let (a, b, c) = (r.array("a", ty), r.array("b", ty), r.array("c", ty));
    let [n, m] = ["n", "m"].map(|name| r.scalar(name, &USIZE));
    let i = r.dim("i", int(0)..n.clone());
    let j = if columns > 0 { r.dim("j", int(0)..m.clone()) } else { int(0) };
    let (wide, range) = match part {
        Part::Lower => (0, int(0)..&i + int(1)),
        Part::StrictUpper => (0, &i + int(1)..n.clone()),
        Part::Left => (0, int(0)..&n - &i),
        Part::Band(w) => (w, int(0)..&i + int(w.into())),
    };
    let out = if columns > 0 { c.at(&i * &m + &j) } else { c.at(&i) };
    let term = |k: &X| {
        let at = if columns > 0 { k * &m + &j } else { k.clone() };
        a.at(&i * (&n + int(wide.into())) + k) * b.at(at)
    };
    if style == Style::Local {
        let sum = r.uninit("sum", ty);
        r.set(&sum, X::Float(0.0));
        r.for_("k", range, |r, k, _| r.set(&sum, &sum + term(&k)));
        r.set(&out, &sum);
    } else {
        r.for_("k", range, |r, k, _| r.set(&out, &out + term(&k)));
    }
    let dims = if columns > 0 { vec![side, columns] } else { vec![side] };
    let lens = vec![side * (side + wide), (side + wide) * columns.max(1), side * columns.max(1)];
    Nest { region: r, first: 0, dims, scalars: vec![side.into(), columns.into()], lens }
}

static COMPLEX_FIELDS: [FieldDesc; 2] =
    [FieldDesc { name: "re", ty: &F32, offset: 0 }, FieldDesc { name: "im", ty: &F32, offset: 4 }];

/// A complex number.
pub static COMPLEX: TypeDesc = TypeDesc::Struct(&StructDesc {
    name: "Complex",
    size: 8,
    align: 4,
    fields: &COMPLEX_FIELDS,
    derived: Derived::Nothing,
});

/// A product of matrices of complex numbers; a device function gives the sum's next value.
#[must_use]
pub fn complex_product([rows, columns, depth]: [u64; 3]) -> Nest {
    let ty: Desc = &COMPLEX;
    let mut f = Region::new("added");
    let [s, x, y] = ["s", "x", "y"].map(|name| f.param(name, ty));
    let (re, im) = (|v: &X| v.field("re"), |v: &X| v.field("im"));
    let next = f.let_mut("next", &s);
    f.if_(re(&x).lt(X::Float(0.5)), |f| {
        f.set(re(&next), re(&s) + re(&x) * re(&y));
        f.give(&next, ty);
    });
    f.set(re(&next), re(&s) + (re(&x) * re(&y) - im(&x) * im(&y)));
    f.set(im(&next), im(&s) + (re(&x) * im(&y) + im(&x) * re(&y)));
    f.give(&next, ty);
    let mut r = Region::new("complex_product");
    let (a, b, c) = (r.array("a", ty), r.array("b", ty), r.array("c", ty));
    let [m, n, d] = ["m", "n", "d"].map(|name| r.scalar(name, &USIZE));
    let added = r.declare_function(f, &[&s, &x, &y], ty);
    let i = r.dim("i", int(0)..m);
    let j = r.dim("j", int(0)..n.clone());
    let sum = r.let_mut("sum", c.at(&i * &n + &j));
    r.set(im(&sum), X::Float(-0.0));
    r.for_("k", count(0, d.clone()), |r, k, _| {
        let (x, y) = (a.at(&i * &d + &k), b.at(&k * &n + &j));
        let next = r.call_fn(added, &[sum.clone(), x, y], ty);
        r.set(&sum, next);
    });
    r.set(c.at(&i * &n + &j), &sum);
    let lens = vec![rows * depth, depth * columns, rows * columns];
    Nest {
        region: r,
        first: 0,
        dims: vec![rows, columns],
        scalars: [rows, columns, depth].map(i128::from).to_vec(),
        lens,
    }
}

/// So many products of square matrices, one after the other in memory: three parallel loops.
#[must_use]
pub fn batch(ty: Desc, products: u64, side: u64) -> Nest {
    let mut r = Region::new("batch");
    let (a, b, c) = (r.array("a", ty), r.array("b", ty), r.array("c", ty));
    let [m, n] = ["m", "n"].map(|name| r.scalar(name, &USIZE));
    let p = r.dim("p", int(0)..m);
    let i = r.dim("i", int(0)..n.clone());
    let j = r.dim("j", int(0)..n.clone());
    let at = |row: &X, column: &X| (&p * &n + row) * &n + column;
    let sum = r.uninit("sum", ty);
    r.set(&sum, X::Float(0.0));
    r.for_("k", count(0, n.clone()), |r, k, _| r.set(&sum, &sum + a.at(at(&i, &k)) * b.at(at(&k, &j))));
    r.set(c.at(at(&i, &j)), &sum);
    let lens = vec![products * side * side; 3];
    Nest {
        region: r,
        first: 0,
        dims: vec![products, side, side],
        scalars: vec![products.into(), side.into()],
        lens,
    }
}

/// So many products of small matrices of `[rows, columns, depth]`, of which only the loop over the products is parallel; the left
/// matrices may stand transposed.
#[must_use]
pub fn small_products(ty: Desc, products: u64, sizes: [u64; 3], transposed: bool) -> Nest {
    let mut r = Region::new("small_products");
    let (a, b, c) = (r.array("a", ty), r.array("b", ty), r.array("c", ty));
    let [all, m, n, d] = ["all", "m", "n", "d"].map(|name| r.scalar(name, &USIZE));
    let p = r.dim("p", int(0)..all);
    r.for_("i", count(0, m.clone()), |r, i, _| {
        r.for_("j", count(0, n.clone()), |r, j, _| {
            let sum = r.uninit("sum", ty);
            r.set(&sum, X::Float(0.0));
            r.for_("k", count(0, d.clone()), |r, k, _| {
                let x = a.at(if transposed { (&p * &d + &k) * &m + &i } else { (&p * &m + &i) * &d + &k });
                r.set(&sum, &sum + x * b.at((&p * &d + &k) * &n + &j));
            });
            r.set(c.at((&p * &m + &i) * &n + &j), &sum);
        });
    });
    let [rows, columns, depth] = sizes;
    let lens = [rows * depth, depth * columns, rows * columns].map(|n| n * products).to_vec();
    let scalars = [products, rows, columns, depth].map(i128::from).to_vec();
    Nest { region: r, first: 0, dims: vec![products], scalars, lens }
}

/// Sums over `[channels, images, places]`, one for each channel, in the order of images; elements of an image may stand apart, with
/// neighbouring images between them.
#[must_use]
pub fn channels(ty: Desc, [all, images, places]: [u64; 3], apart: bool) -> Nest {
    let mut r = Region::new("channels");
    let (a, y) = (r.array("a", ty), r.array("y", ty));
    let [c, m, n] = ["c", "m", "n"].map(|name| r.scalar(name, &USIZE));
    let i = r.dim("i", int(0)..c.clone());
    let sum = r.uninit("sum", ty);
    r.set(&sum, X::Float(0.0));
    r.for_("k", count(0, m.clone()), |r, k, _| {
        r.for_("p", count(0, n.clone()), |r, p, _| {
            let at = if apart { (&i * &n + &p) * &m + &k } else { (&k * &c + &i) * &n + &p };
            r.set(&sum, &sum + a.at(at));
        });
    });
    r.set(y.at(&i), &sum);
    let scalars = [all, images, places].map(i128::from).to_vec();
    Nest { region: r, first: 0, dims: vec![all], scalars, lens: vec![all * images * places, all] }
}

/// `b` is `a`, a matrix of so many rows and columns, transposed.
#[must_use]
pub fn transposition(ty: Desc, [rows, columns]: [u64; 2]) -> Nest {
    let mut r = Region::new("transposition");
    let (a, b) = (r.array("a", ty), r.array("b", ty));
    let [m, n] = ["m", "n"].map(|name| r.scalar(name, &USIZE));
    let i = r.dim("i", int(0)..m.clone());
    let j = r.dim("j", int(0)..n.clone());
    r.set(b.at(&j * &m + &i), a.at(&i * &n + &j));
    let len = rows * columns;
    Nest {
        region: r,
        first: 0,
        dims: vec![rows, columns],
        scalars: vec![rows.into(), columns.into()],
        lens: vec![len; 2],
    }
}

/// `y = a · x`, whose matrix may stand transposed.
#[must_use]
pub fn matrix_times_vector(ty: Desc, [rows, columns]: [u64; 2], transposed: bool) -> Nest {
    let mut r = Region::new("matrix_times_vector");
    let (a, x, y) = (r.array("a", ty), r.array("x", ty), r.array("y", ty));
    let [m, n] = ["m", "n"].map(|name| r.scalar(name, &USIZE));
    let i = r.dim("i", int(0)..m.clone());
    let sum = r.uninit("sum", ty);
    r.set(&sum, zero(ty));
    r.for_("k", count(0, n.clone()), |r, k, _| {
        let at = if transposed { &k * &m + &i } else { &i * &n + &k };
        r.set(&sum, &sum + a.at(at) * x.at(&k));
    });
    r.set(y.at(&i), &sum);
    let lens = vec![rows * columns, columns, rows];
    Nest { region: r, first: 0, dims: vec![rows], scalars: vec![rows.into(), columns.into()], lens }
}

/// The place of the largest element of each row (or column) after its first, which begins at the first one, and of the smallest one if
/// there are `both`. Each iteration loads the elements at these places again; the largest one is stored.
#[must_use]
pub fn search(ty: Desc, [rows, columns]: [u64; 2], transposed: bool, both: bool) -> Nest {
    let mut r = Region::new("search");
    let (a, at, of) = (r.array("a", ty), r.array("at", &USIZE), r.array("of", ty));
    let [m, n] = ["m", "n"].map(|name| r.scalar(name, &USIZE));
    let i = r.dim("i", int(0)..m.clone());
    let element = |k: &X| a.at(if transposed { k * &m + &i } else { &i * &n + k });
    let [most, least] = ["most", "least"].map(|name| r.let_mut(name, 0));
    r.for_("k", count(1, n.clone()), |r, k, _| {
        r.if_else(
            element(&k).gt(element(&most)),
            |r| r.set(&most, &k),
            |r| {
                if both {
                    r.if_(element(&k).lt(element(&least)), |r| r.set(&least, &k));
                }
            },
        );
    });
    r.set(at.at(&i), if both { &most | (&least << 32) } else { most.clone() });
    r.set(of.at(&i), element(&most));
    let lens = vec![rows * columns, rows, rows];
    Nest { region: r, first: 0, dims: vec![rows], scalars: vec![rows.into(), columns.into()], lens }
}

/// What a loop along a part of each row does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Along {
    /// A sum of elements.
    Sum,
    /// A sum that goes on in the elements.
    Means,
    /// Elements take those that so many iterations before have stored.
    Filter(u64),
    /// The same in place, of two iterations.
    InPlace,
    /// Of two arrays.
    Two,
}

/// A loop along a part of each row of `y` (and `x`), whose rows are `stride` apart; `down`: from its end.
#[must_use]
pub fn part_of_rows(
    ty: Desc,
    [rows, stride]: [u64; 2],
    part: std::ops::Range<u64>,
    (along, down): (Along, bool),
) -> Nest {
    let mut r = Region::new("part_of_rows");
    let [x, y, z, of] = ["x", "y", "z", "of"].map(|name| r.array(name, ty));
    let [m, s, from, end] = ["m", "s", "from", "end"].map(|name| r.scalar(name, &USIZE));
    let i = r.dim("i", int(0)..m);
    let sum = r.uninit("sum", ty);
    r.set(&sum, X::Float(0.5));
    let range = count(from, end);
    r.for_("k", if down { range.rev() } else { range }, |r, k, _| {
        let [a, v, w] = [&x, &y, &z].map(|array| array.at(&i * &s + &k));
        let before = |array: &X, n: u64| {
            let n = int(n.into());
            array.at(if down { &i * &s + &k + n } else { &i * &s + &k - n })
        };
        match along {
            Along::Sum => r.set(&sum, &sum + a * v),
            Along::Means => {
                r.set(&sum, (&sum + a) * X::Float(0.5) + &v);
                r.set(&v, &sum);
            }
            Along::Filter(n) => r.set(&v, a - before(&y, n) * X::Float(0.5)),
            Along::InPlace => r.set(&v, v.clone() + before(&y, 1) * X::Float(0.5) - before(&y, 2)),
            Along::Two => {
                let by = r.let_("by", X::Float(2.0) - &a * before(&z, 1));
                r.set(&w, &a / &by);
                r.set(&v, (&v - a * before(&y, 1)) / by);
            }
        }
    });
    r.set(of.at(&i), &sum);
    let scalars = [rows, stride, part.start, part.end].map(i128::from).to_vec();
    Nest {
        region: r,
        first: 0,
        dims: vec![rows],
        scalars,
        lens: vec![rows * stride, rows * stride, rows * stride, rows],
    }
}

/// Rows (or columns) of `y`: differences of those of `a` from their sum, each divided by the sum of these.
#[must_use]
pub fn normalised(ty: Desc, [rows, columns]: [u64; 2], transposed: bool) -> Nest {
    let mut r = Region::new("normalised");
    let (a, y) = (r.array("a", ty), r.array("y", ty));
    let [m, n] = ["m", "n"].map(|name| r.scalar(name, &USIZE));
    let i = r.dim("i", int(0)..m.clone());
    let [sum, all] = ["sum", "all"].map(|name| r.uninit(name, ty));
    let at = |k: &X| if transposed { k * &m + &i } else { &i * &n + k };
    r.set(&sum, X::Float(0.0));
    r.for_("k", count(0, n.clone()), |r, k, _| r.set(&sum, &sum + a.at(at(&k))));
    r.set(&all, X::Float(1.0));
    r.for_("k", count(0, n.clone()), |r, k, _| {
        r.set(y.at(at(&k)), a.at(at(&k)) - &sum);
        r.set(&all, &all + y.at(at(&k)));
    });
    r.for_("k", count(0, n.clone()), |r, k, _| r.set(y.at(at(&k)), y.at(at(&k)) / &all));
    let lens = vec![rows * columns; 2];
    Nest { region: r, first: 0, dims: vec![rows], scalars: vec![rows.into(), columns.into()], lens }
}

/// Rows of `x`, divided by their lengths, in place.
#[must_use]
pub fn unit_rows(ty: Desc, [rows, columns]: [u64; 2]) -> Nest {
    let mut r = Region::new("unit_rows");
    let x = r.array("x", ty);
    let [m, n] = ["m", "n"].map(|name| r.scalar(name, &USIZE));
    let i = r.dim("i", int(0)..m);
    let sum = r.uninit("sum", ty);
    let at = |k: &X| &i * &n + k;
    r.set(&sum, X::Float(0.0));
    r.for_("k", count(0, n.clone()), |r, k, _| r.set(&sum, &sum + x.at(at(&k)) * x.at(at(&k))));
    let length = r.let_("length", sum.method("sqrt", []));
    r.for_("k", count(0, n.clone()), |r, k, _| r.set(x.at(at(&k)), x.at(at(&k)) / &length));
    let lens = vec![rows * columns];
    Nest { region: r, first: 0, dims: vec![rows], scalars: vec![rows.into(), columns.into()], lens }
}

/// Rows of `a` that are those before, of the first one itself: differences from their sums, divided by the sum of these.
#[must_use]
pub fn rows_before(ty: Desc, [rows, columns]: [u64; 2]) -> Nest {
    let mut r = Region::new("rows_before");
    let (a, y) = (r.array("a", ty), r.array("y", ty));
    let [m, n] = ["m", "n"].map(|name| r.scalar(name, &USIZE));
    let i = r.dim("i", int(0)..m);
    let p = r.let_("p", i.method("saturating_sub", [int(1)]));
    let [sum, all] = ["sum", "all"].map(|name| r.uninit(name, ty));
    r.set(&sum, X::Float(0.0));
    r.for_("k", count(0, n.clone()), |r, k, _| r.set(&sum, &sum + a.at(&p * &n + &k)));
    r.set(&all, X::Float(1.0));
    r.for_("k", count(0, n.clone()), |r, k, _| {
        r.set(y.at(&i * &n + &k), a.at(&p * &n + &k) - &sum);
        r.set(&all, &all + y.at(&i * &n + &k));
    });
    r.for_("k", count(0, n.clone()), |r, k, _| r.set(y.at(&i * &n + &k), y.at(&i * &n + &k) / &all));
    let lens = vec![rows * columns; 2];
    Nest { region: r, first: 0, dims: vec![rows], scalars: vec![rows.into(), columns.into()], lens }
}

/// Loops over rows of several arrays, one after the other, of kinds that `choices` gives: recurrences, independent iterations, and both at a
/// time; up or down, and some from the second element on. Rows are `stride` apart.
#[must_use]
pub fn row_loops(ty: Desc, [layers, rows, columns, stride]: [u64; 4], choices: &[u8]) -> Nest {
    let mut r = Region::new("row_loops");
    let [a, y, z, g, o] = ["a", "y", "z", "g", "o"].map(|name| r.array(name, ty));
    let [b, m, n, s] = ["b", "m", "n", "s"].map(|name| r.scalar(name, &USIZE));
    let i = match layers {
        0 => r.dim("i", int(0)..m),
        _ => r.dim("h", int(0)..b) * &m + r.dim("i", int(0)..m.clone()),
    };
    let [sum, all, last] = ["sum", "all", "last"].map(|name| r.uninit(name, ty));
    r.set(&sum, X::Float(0.25));
    r.set(&all, X::Float(1.5));
    r.set(&last, a.at(&i * &s));
    let at = |k: &X| &i * &s + k;
    for choice in choices {
        let (kind, down) = (choice % 32, choice / 64 % 2 == 1);
        let from = u64::from(columns > 1) * u64::from(choice / 32 % 2);
        let range = |from: u64, end: X| {
            let range = count(int(from.into()), end);
            if down { range.rev() } else { range }
        };
        match kind {
            // An iteration and the one before it.
            16..=21 if columns > 1 => {
                let (from, end) = if down { (0, &n - 1) } else { (1, n.clone()) };
                r.for_("k", range(from, end), |r, k, _| {
                    let before = if down { &k + 1 } else { &k - 1 };
                    let (x, v, w) = (a.at(at(&k)), y.at(at(&k)), z.at(at(&k)));
                    let [v_before, w_before] = [&y, &z].map(|array| array.at(at(&before)));
                    match kind {
                        16 => r.set(&v, &v - &v_before * X::Float(0.5)),
                        17 => {
                            let by = r.let_("by", X::Float(2.0) - &x * &w_before);
                            r.set(&w, &x / &by);
                            r.set(&v, (&v - x * v_before) / by);
                        }
                        18 => r.set(&v, v_before + x),
                        19 => r.set(&v_before, v * X::Float(0.5) + x),
                        20 => r.set(&v, w_before - &v),
                        _ => {
                            r.set(&v, w_before.method("sqrt", []) + v_before);
                            r.set(&sum, &sum + x);
                        }
                    }
                });
            }
            22 => r.set(z.at(&i * &s), a.at(&i * &s) / &all),
            23 => r.for_("k", range(0, n.clone()), |r, k, _| {
                r.set(y.at(at(&(&n - 1 - &k))), y.at(at(&k)) + &sum);
            }),
            24 => r.for_("k", range(from, n.clone()), |r, k, _| {
                r.set(y.at(&i * &s), y.at(&i * &s) + y.at(at(&k)));
            }),
            12 => r.set(&sum, &sum * X::Float(0.5) - &all),
            13 => r.set(y.at(&i * &s), &sum + &last),
            14 => r.set(&last, y.at(&i * &s + int(i128::from(columns) - 1))),
            _ => r.for_("k", range(from, n.clone()), |r, k, _| {
                let (x, v, w) = (a.at(at(&k)), y.at(at(&k)), z.at(at(&k)));
                match kind {
                    0 => r.set(&sum, &sum + x),
                    1 => r.set(&last, last.method("max", [x])),
                    2 => {
                        let e = r.let_("e", (x - &last).method("exp", []));
                        r.set(&v, &e);
                        r.set(&all, &all + e);
                    }
                    3 => r.set(&all, &all + (x - &sum).method("sqrt", [])),
                    4 => r.set(&v, x * g.at(&k) + &sum),
                    5 => r.set(&v, &v / &all),
                    6 => {
                        r.set(&sum, &sum * X::Float(0.5) + &v);
                        r.set(&v, &sum);
                    }
                    7 => r.set(&w, &w + x),
                    8 => r.set(&last, v * X::Float(2.0)),
                    9 => {
                        r.set(&sum, &sum + &v);
                        r.set(&v, &v * X::Float(2.0));
                    }
                    11 => {
                        let e = r.let_mut("e", (&x - &sum).method("sqrt", []));
                        r.set(&all, &all + &e);
                        r.set(&e, (&x * X::Float(0.125)).method("exp", []));
                        r.set(&last, &last + &e);
                    }
                    10 => {
                        let d = r.let_("d", (&w - &v) / &last);
                        r.set(&all, &all + &d * &d);
                        r.set(&w, d);
                    }
                    _ => r.set(&all, &all + k.cast(Prim::F32) * x),
                }
            }),
        }
    }
    r.set(o.at(&i), &sum + &all * &last);
    let whole = layers.max(1) * rows;
    let of = (whole - 1) * stride + columns;
    let scalars = [layers, rows, columns, stride].map(i128::from).to_vec();
    let dims = if layers == 0 { vec![rows] } else { vec![layers, rows] };
    Nest { region: r, first: 0, dims, scalars, lens: vec![of, of, of, columns, whole] }
}

/// For each of `points`, which of `centres` it is nearest to, and how near; `skewed`: sums begin with what the centre before came to, so
/// that centres have an order.
#[must_use]
pub fn nearest(ty: Desc, [points, centres, depth]: [u64; 3], skewed: bool) -> Nest {
    let mut r = Region::new("nearest");
    let (a, b, y, far) = (r.array("a", ty), r.array("b", ty), r.array("y", &I32), r.array("far", ty));
    let [n, m, d] = ["n", "m", "d"].map(|name| r.scalar(name, &USIZE));
    let i = r.dim("i", int(0)..n);
    let [best, at] = [("best", ty), ("at", &I32 as Desc)].map(|(name, ty)| r.uninit(name, ty));
    r.set(&best, X::Float(1e6));
    r.set(&at, int(-1));
    r.for_("c", count(0, m), |r, c, _| {
        let sum = r.uninit("sum", ty);
        let start = if skewed { &best * X::Float(0.125) } else { X::Float(0.0) };
        r.set(&sum, start);
        r.for_("k", count(0, d.clone()), |r, k, _| {
            let t = r.let_("t", a.at(&i * &d + &k) - b.at(&c * &d + &k));
            r.set(&sum, &sum + &t * &t);
        });
        r.if_(sum.lt(&best), |r| {
            r.set(&best, &sum);
            r.set(&at, c.cast(Prim::I32));
        });
    });
    r.set(y.at(&i), &at);
    r.set(far.at(&i), &best);
    let lens = vec![points * depth, centres * depth, points, points];
    Nest {
        region: r,
        first: 0,
        dims: vec![points],
        scalars: [points, centres, depth].map(i128::from).to_vec(),
        lens,
    }
}

/// A matrix of so many rows and columns, each the sum of a window of `taps` times `taps` elements, with weights.
#[must_use]
pub fn convolution(ty: Desc, sizes: [u64; 2], taps: u64) -> Nest {
    convolution_of(ty, ty, sizes, taps)
}

/// The same of a matrix of other numbers.
#[must_use]
pub fn convolution_of(of: Desc, ty: Desc, [rows, columns]: [u64; 2], taps: u64) -> Nest {
    let mut r = Region::new("convolution");
    let (image, weights, out) = (r.array("image", of), r.array("weights", ty), r.array("out", ty));
    let [m, n, t, p] = ["m", "n", "t", "p"].map(|name| r.scalar(name, &USIZE));
    let i = r.dim("i", int(0)..m);
    let j = r.dim("j", int(0)..n.clone());
    let sum = r.uninit("sum", ty);
    r.set(&sum, X::Float(0.0));
    r.for_("a", count(0, t.clone()), |r, a, _| {
        r.for_("b", count(0, t.clone()), |r, b, _| {
            let seen = image.at((&i + &a) * &p + &j + &b);
            let seen = if std::ptr::eq(of, ty) { seen } else { seen.cast(Prim::F32) };
            r.set(&sum, &sum + seen * weights.at(&a * &t + &b));
        });
    });
    r.set(out.at(&i * &n + &j), &sum);
    let pitch = columns + taps - 1;
    let scalars = [rows, columns, taps, pitch].map(i128::from).to_vec();
    let lens = vec![(rows + taps - 1) * pitch, taps * taps, rows * columns];
    Nest { region: r, first: 0, dims: vec![rows, columns], scalars, lens }
}

/// How the subscript of a convolution goes down along a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flip {
    /// `i + t - 1 - a`.
    Shifted,
    /// `i - a`, of loops that begin at `t - 1`.
    Last,
    /// `(i as i32 + t as i32 - 1 - a as i32) as usize`.
    Signed,
}

impl Flip {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Shifted, Self::Last, Self::Signed];
}

/// Convolutions as mathematics defines them, in one to three dimensions: windows go through the array backward, and
/// if `backward`, also through the weights.
#[must_use]
pub fn flipped(of: Desc, ty: Desc, sizes: &[u64], taps: u64, (flip, backward): (Flip, bool)) -> Nest {
    let mut r = Region::new("flipped");
    let (image, weights, out) = (r.array("image", of), r.array("weights", ty), r.array("out", ty));
    let names = ["h", "w", "d"];
    let n: Vec<X> = sizes.iter().zip(names).map(|(_, name)| r.scalar(name, &USIZE)).collect();
    let p: Vec<X> = sizes.iter().zip(["p", "q", "o"]).map(|(_, name)| r.scalar(name, &USIZE)).collect();
    let t = r.scalar("t", &USIZE);
    let dims = n.iter().zip(&p).zip(["i", "j", "k"]);
    let at: Vec<X> = dims
        .map(|((n, p), name)| match flip {
            Flip::Last => r.dim(name, (&t - int(1))..p.clone()),
            Flip::Shifted | Flip::Signed => r.dim(name, int(0)..n.clone()),
        })
        .collect();
    let sum = r.uninit("sum", ty);
    r.set(&sum, zero(ty));
    let add = |r: &mut Region, steps: &[X], _: Option<LabelId>| {
        let back = |a: &X| &t - int(1) - a;
        let signed = |x: &X| x.cast(Prim::I32);
        let place = |(i, a): (&X, &X)| match flip {
            Flip::Shifted => i + &t - int(1) - a,
            Flip::Last => i - a,
            Flip::Signed => (signed(i) + signed(&t) - int(1) - signed(a)).cast(Prim::Usize),
        };
        let seen = image.at(linear(&at.iter().zip(steps).map(place).collect::<Vec<_>>(), &p));
        let prim = if std::ptr::eq(ty, &I32) { Prim::I32 } else { Prim::F32 };
        let seen = if std::ptr::eq(of, ty) { seen } else { seen.cast(prim) };
        let steps = if backward { steps.iter().map(back).collect() } else { steps.to_vec() };
        r.set(&sum, &sum + seen * weights.at(linear(&steps, &vec![t.clone(); steps.len()])));
    };
    loops(&mut r, &["a", "b", "c"][..at.len()], &t, &mut Vec::new(), None, &add);
    let place = match flip {
        Flip::Last => linear(&at.iter().map(|i| i - (&t - int(1))).collect::<Vec<_>>(), &n),
        Flip::Shifted | Flip::Signed => linear(&at, &n),
    };
    r.set(out.at(place), &sum);
    let pitches: Vec<u64> = sizes.iter().map(|n| n + taps - 1).collect();
    let scalars = sizes.iter().chain(&pitches).chain([&taps]).map(|n| i128::from(*n)).collect();
    let lens = vec![pitches.iter().product(), taps.pow(sizes.len() as u32), sizes.iter().product()];
    let first = if flip == Flip::Last { i128::from(taps) - 1 } else { 0 };
    Nest { region: r, first, dims: sizes.to_vec(), scalars, lens }
}

/// Two sums over 3 × 3 windows, one of them with weights in a const array, and a result that is computed from both, in the interior of
/// `out`: `out[(i + 1) * p + j + 1]` for `p` columns more by two than there are results.
#[must_use]
pub fn two_sums_of_windows(of: Desc, [rows, columns]: [u64; 2]) -> Nest {
    let mut r = Region::new("gradients");
    let (image, out) = (r.array("image", of), r.array("out", &F32));
    let [m, n, p] = ["m", "n", "p"].map(|name| r.scalar(name, &USIZE));
    let table = r.table("TABLE", &[1.0, 0.5, -1.0, 2.0, 0.25, -2.0, 1.0, 0.5, -1.0]);
    let i = r.dim("i", int(0)..m);
    let j = r.dim("j", int(0)..n);
    let [weighted, plain] = ["weighted", "plain"].map(|name| r.uninit(name, &F32));
    r.set(&weighted, X::Float(0.0));
    r.set(&plain, X::Float(0.0));
    r.for_("a", count(0, 3), |r, a, _| {
        r.for_("b", count(0, 3), |r, b, _| {
            let seen = image.at((&i + &a) * &p + &j + &b);
            let seen = if std::ptr::eq(of, &F32) { seen } else { seen.cast(Prim::F32) };
            let seen = r.let_("seen", seen);
            r.set(&weighted, &weighted + table.at(&a * 3 + &b) * &seen);
            r.set(&plain, &plain + &seen);
        });
    });
    r.set(out.at((&i + 1) * &p + &j + 1), &weighted * &weighted - &plain / X::Float(8.0));
    let pitch = columns + 2;
    let scalars = [rows, columns, pitch].map(i128::from).to_vec();
    let all = (rows + 2) * pitch;
    Nest { region: r, first: 0, dims: vec![rows, columns], scalars, lens: vec![all, all] }
}

/// What a window does where it lies outside of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Border {
    /// Elements outside are not read: a condition on signed coordinates.
    LeftOut,
    /// The same, by one unsigned comparison a coordinate: those before 0 wrap.
    Wrapping,
    /// The same, by `continue`.
    Skipped,
    /// It repeats the first and the last element: `saturating_sub`, `min`.
    Clamped,
    /// The same of signed coordinates: `max`, `min`.
    ClampedSigned,
    /// The same by `clamp`.
    ClampedMethod,
    /// The array is periodic.
    Periodic,
    /// Coordinates are clamped by a device function.
    Function,
    /// Results near the ends are copies.
    Copied,
}

impl Border {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::LeftOut,
        Self::Wrapping,
        Self::Skipped,
        Self::Clamped,
        Self::ClampedSigned,
        Self::ClampedMethod,
        Self::Periodic,
        Self::Copied,
        Self::Function,
    ];
}

/// Sums over windows of `taps` elements along each of one to three dimensions, as many as the array has. `flipped`: windows go through
/// it backward.
#[must_use]
pub fn bordered(of: Desc, ty: Desc, sizes: &[u64], taps: u64, (border, flipped): (Border, bool)) -> Nest {
    let mut r = Region::new("bordered");
    let (image, weights, out) = (r.array("image", of), r.array("weights", ty), r.array("out", ty));
    let names = ["h", "w", "d"];
    let n: Vec<X> = sizes.iter().zip(names).map(|(_, name)| r.scalar(name, &USIZE)).collect();
    let (t, radius) = (r.scalar("t", &USIZE), r.scalar("r", &USIZE));
    let clip = (border == Border::Function).then(|| {
        let mut f = Region::new("clip");
        let (c, n) = (f.param("c", &ISIZE), f.param("n", &USIZE));
        f.if_(c.lt(int(0)), |f| f.give(X::Int(0, Some(Prim::Usize)), &USIZE));
        f.if_(c.ge(n.cast(Prim::Isize)), |f| f.give(&n - int(1), &USIZE));
        f.give(c.cast(Prim::Usize), &USIZE);
        r.declare_function(f, &[&c, &n], &USIZE)
    });
    let at: Vec<X> = n.iter().zip(["i", "j", "k"]).map(|(n, name)| r.dim(name, int(0)..n.clone())).collect();
    let sum = r.uninit("sum", ty);
    r.set(&sum, X::Float(0.0));
    let window = |r: &mut Region| {
        let names = ["a", "b", "c"];
        let add = |r: &mut Region, steps: &[X], label: Option<LabelId>| {
            let weight = weights.at(linear(steps, &vec![t.clone(); steps.len()]));
            let number = |x: X| if std::ptr::eq(of, ty) { x } else { x.cast(Prim::F32) };
            let signed = |x: &X| x.cast(Prim::Isize);
            let back = |a: &X| &t - int(1) - a;
            let steps = if flipped { steps.iter().map(back).collect() } else { steps.to_vec() };
            let pairs = || at.iter().zip(&steps);
            let moved: Vec<X> = match border {
                Border::Wrapping => {
                    pairs().map(|(i, a)| (i + a).method("wrapping_sub", [radius.clone()])).collect()
                }
                Border::Clamped => {
                    pairs().map(|(i, a)| (i + a).method("saturating_sub", [radius.clone()])).collect()
                }
                Border::Periodic => pairs().zip(&n).map(|((i, a), n)| (i + a + n - &radius) % n).collect(),
                Border::Copied => pairs().map(|(i, a)| i + a - &radius).collect(),
                _ => pairs().map(|(i, a)| signed(i) + signed(a) - signed(&radius)).collect(),
            };
            let c: Vec<X> = moved.into_iter().zip(["y", "x", "z"]).map(|(x, name)| r.let_(name, x)).collect();
            let last = |n: &X| n - int(1);
            let clamped: Vec<X> = match border {
                Border::Clamped => c.iter().zip(&n).map(|(c, n)| c.method("min", [last(n)])).collect(),
                Border::ClampedSigned => c
                    .iter()
                    .zip(&n)
                    .map(|(c, n)| {
                        let low = c.method("max", [X::Int(0, Some(Prim::Isize))]);
                        low.method("min", [signed(n) - int(1)]).cast(Prim::Usize)
                    })
                    .collect(),
                Border::ClampedMethod => c
                    .iter()
                    .zip(&n)
                    .map(|(c, n)| {
                        c.method("clamp", [X::Int(0, Some(Prim::Isize)), signed(n) - int(1)])
                            .cast(Prim::Usize)
                    })
                    .collect(),
                Border::Function => {
                    let clip = clip.expect("it is declared");
                    c.iter().zip(&n).map(|(c, n)| r.call_fn(clip, &[c.clone(), n.clone()], &USIZE)).collect()
                }
                Border::Wrapping | Border::Periodic | Border::Copied => c.clone(),
                _ => c.iter().map(|c| c.cast(Prim::Usize)).collect(),
            };
            let body = |r: &mut Region| {
                r.set(&sum, &sum + number(image.at(linear(&clamped, &n))) * weight.clone());
            };
            let all = |conds: Vec<X>, and: bool| {
                conds.into_iter().reduce(|a, b| if and { a.and(b) } else { a.or(b) }).expect("a dimension")
            };
            match border {
                Border::LeftOut => {
                    let inside =
                        c.iter().zip(&n).flat_map(|(c, n)| [c.ge(int(0)), c.lt(signed(n))]).collect();
                    r.if_(all(inside, true), body);
                }
                Border::Wrapping => r.if_(all(c.iter().zip(&n).map(|(c, n)| c.lt(n)).collect(), true), body),
                Border::Skipped => {
                    let outside =
                        c.iter().zip(&n).flat_map(|(c, n)| [c.lt(int(0)), c.ge(signed(n))]).collect();
                    r.if_(all(outside, false), |r| r.continue_(label.expect("a loop is around")));
                    body(r);
                }
                _ => body(r),
            }
        };
        loops(r, &names[..at.len()], &t, &mut Vec::new(), None, &add);
    };
    let place = linear(&at, &n);
    if border == Border::Copied {
        let within = at.iter().zip(&n).map(|(i, n)| i.ge(&radius).and((i + &radius).lt(n)));
        let within = within.reduce(|a, b| a.and(b)).expect("a dimension");
        r.if_else(
            within,
            |r| {
                window(r);
                r.set(out.at(place.clone()), &sum);
            },
            |r| {
                let seen = image.at(place.clone());
                r.set(out.at(place.clone()), if std::ptr::eq(of, ty) { seen } else { seen.cast(Prim::F32) });
            },
        );
    } else {
        window(&mut r);
        r.set(out.at(place), &sum);
    }
    let all: u64 = sizes.iter().product();
    let scalars = sizes.iter().chain([&taps, &(taps / 2)]).map(|n| i128::from(*n)).collect();
    let lens = vec![all, taps.pow(sizes.len() as u32), all];
    Nest { region: r, first: 0, dims: sizes.to_vec(), scalars, lens }
}

/// The number of an element among all, by its coordinates.
fn linear(at: &[X], sizes: &[X]) -> X {
    let (first, rest) = at.split_first().expect("a dimension");
    rest.iter().zip(&sizes[1..]).fold(first.clone(), |place, (x, n)| place * n + x)
}

/// What stands in the innermost loop: its variables, and the label of the loop.
type Body<'a> = &'a dyn Fn(&mut Region, &[X], Option<LabelId>);

/// Loops of as many iterations, one in the other.
fn loops(r: &mut Region, names: &[&str], n: &X, at: &mut Vec<X>, label: Option<LabelId>, body: Body<'_>) {
    let Some((name, rest)) = names.split_first() else { return body(r, at, label) };
    r.for_(name, count(0, n.clone()), |r, x, label| {
        at.push(x);
        loops(r, rest, n, at, Some(label), body);
        at.pop();
    });
}

/// A filter: each of `len` results is the sum of `taps` neighbours, with weights.
#[must_use]
pub fn filter(ty: Desc, len: u64, taps: u64) -> Nest {
    let mut r = Region::new("filter");
    let (h, x, y) = (r.array("h", ty), r.array("x", ty), r.array("y", ty));
    let [n, t] = ["n", "t"].map(|name| r.scalar(name, &USIZE));
    let i = r.dim("i", int(0)..n);
    let sum = r.uninit("sum", ty);
    r.set(&sum, X::Float(0.0));
    r.for_("k", count(0, t), |r, k, _| r.set(&sum, &sum + h.at(&k) * x.at(&i + &k)));
    r.set(y.at(&i), &sum);
    let lens = vec![taps, len + taps - 1, len];
    Nest { region: r, first: 0, dims: vec![len], scalars: vec![len.into(), taps.into()], lens }
}

/// A filter with two loops over its weights: weight `first + r * apart + k * step` counts for neighbour `r * shift + k * spread`, for
/// `rows` times `taps` of them.
#[must_use]
pub fn spread_filter(
    ty: Desc,
    len: u64,
    [rows, taps]: [u64; 2],
    [first, apart, step]: [u64; 3],
    [shift, spread]: [u64; 2],
) -> Nest {
    let mut r = Region::new("spread_filter");
    let (h, x, y) = (r.array("h", ty), r.array("x", ty), r.array("y", ty));
    let [n, m, t, f, a, s, u, d] =
        ["n", "m", "t", "f", "a", "s", "u", "d"].map(|name| r.scalar(name, &USIZE));
    let i = r.dim("i", int(0)..n);
    let sum = r.uninit("sum", ty);
    r.set(&sum, zero(ty));
    r.for_("r", count(0, m), |b, r, _| {
        b.for_("k", count(0, t), |b, k, _| {
            let weight = h.at(&f + &r * &a + &k * &s);
            b.set(&sum, &sum + weight * x.at(&i + &r * &u + &k * &d));
        });
    });
    r.set(y.at(&i), &sum);
    let reach = |[by_row, by_tap]: [u64; 2]| (rows - 1) * by_row + (taps - 1) * by_tap;
    let lens = vec![first + reach([apart, step]) + 1, len + reach([shift, spread]), len];
    let scalars = [len, rows, taps, first, apart, step, shift, spread].map(i128::from).to_vec();
    Nest { region: r, first: 0, dims: vec![len], scalars, lens }
}

/// A product of matrices with conditions: on what is added up, of two sums, on the result, and around stores.
#[must_use]
pub fn conditional(ty: Desc, [rows, columns, depth]: [u64; 3]) -> Nest {
    let mut r = Region::new("conditional");
    let (a, b) = (r.array("a", ty), r.array("b", ty));
    let (c, q, p) = (r.array("c", ty), r.array("q", ty), r.array("p", ty));
    let [m, n, d] = ["m", "n", "d"].map(|name| r.scalar(name, &USIZE));
    let i = r.dim("i", int(0)..m);
    let j = r.dim("j", int(0)..n.clone());
    let sum = r.let_mut("sum", a.at(&i * &d));
    let squares = r.uninit("squares", ty);
    r.set(&squares, X::Float(0.0));
    r.for_("k", count(0, d.clone()), |r, k, _| {
        let x = r.let_("x", a.at(&i * &d + &k) * b.at(&k * &n + &j));
        r.if_else(
            x.lt(X::Float(0.5)).and((&k + &i).gt(int(2))),
            |r| r.set(&sum, &sum + &x),
            |r| {
                let half = r.let_("half", &x * X::Float(0.5));
                r.set(&sum, &sum - half);
            },
        );
        r.set(&squares, &squares + &x * &x);
    });
    let at = r.let_("at", &i * &n + &j);
    r.if_(sum.lt(X::Float(0.0)), |r| r.set(&sum, X::Float(0.0)));
    r.set(c.at(&at), &sum);
    r.if_else(squares.gt(&sum), |r| r.set(q.at(&at), &squares), |r| r.set(q.at(&at), &sum));
    r.if_(i.gt(int(0)).and((&j + int(1)).lt(&n)), |r| r.set(p.at(&at), c.at(&at) + p.at(&at)));
    let out = rows * columns;
    let lens = vec![rows * depth, depth * columns, out, out, out];
    Nest {
        region: r,
        first: 0,
        dims: vec![rows, columns],
        scalars: [rows, columns, depth].map(i128::from).to_vec(),
        lens,
    }
}

/// A product of matrices of `i8`, or of `i32` whose products overflow, in `i32`.
#[must_use]
pub fn integers([rows, columns, depth]: [u64; 3], overflows: bool) -> Nest {
    let mut r = Region::new("integers");
    let factor: Desc = if overflows { &I32 } else { &I8 };
    let (a, b, c) = (r.array("a", factor), r.array("b", factor), r.array("c", &I32));
    let [m, n, d] = ["m", "n", "d"].map(|name| r.scalar(name, &USIZE));
    let i = r.dim("i", int(0)..m);
    let j = r.dim("j", int(0)..n.clone());
    let sum = r.uninit("sum", &I32);
    r.set(&sum, int(0));
    r.for_("k", count(0, d.clone()), |r, k, _| {
        let (x, y) = (a.at(&i * &d + &k).cast(Prim::I32), b.at(&k * &n + &j).cast(Prim::I32));
        r.set(&sum, &sum + x * y);
    });
    r.assert(sum.gt(int(i32::MIN.into())));
    r.set(c.at(&i * &n + &j), &sum);
    let lens = vec![rows * depth, depth * columns, rows * columns];
    Nest {
        region: r,
        first: 0,
        dims: vec![rows, columns],
        scalars: [rows, columns, depth].map(i128::from).to_vec(),
        lens,
    }
}
