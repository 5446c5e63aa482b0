//! Products of matrices and what is written like them: transposed, batched, of complex numbers, under conditions; distances.
use super::{Nest, zero};
use crate::build::{Desc, F32, I8, I32, Region, USIZE, X, count, int};
use omp_ir::desc::{Derived, FieldDesc, Prim, StructDesc, TypeDesc};

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
