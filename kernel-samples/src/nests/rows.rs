//! Loops along rows: sums, searches, normalisations, recurrences.
use super::Nest;
use crate::build::{Desc, Region, USIZE, X, count, int};
use omp_ir::desc::Prim;

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

/// Scans of rows: `y[i][k] = y[i][k - 1] ^ a[i][k]`.
#[must_use]
pub fn scanned_rows(ty: Desc, [rows, columns]: [u64; 2]) -> Nest {
    let mut r = Region::new("scanned_rows");
    let (a, y) = (r.array("a", ty), r.array("y", ty));
    let [m, n] = ["m", "n"].map(|name| r.scalar(name, &USIZE));
    let i = r.dim("i", int(0)..m);
    r.for_("k", count(1, &n), |r, k, _| {
        let at = &i * &n + &k;
        r.set(y.at(&at), y.at(&at - 1) ^ a.at(&at));
    });
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

/// The distance of an element of each row, which a label chooses, from the largest one, next to the sum of the others; and a sum of a table's
/// elements along the row. Labels may be checked, and out of bounds.
#[must_use]
pub fn labelled(ty: Desc, [rows, columns]: [u64; 2], checked: bool) -> Nest {
    let mut r = Region::new("labelled");
    let (a, label, y) = (r.array("a", ty), r.array("label", &USIZE), r.array("y", ty));
    let [m, n] = ["m", "n"].map(|name| r.scalar(name, &USIZE));
    let i = r.dim("i", int(0)..m.clone());
    let most = r.let_mut("most", a.at(&i * &n));
    let element = |k: &X| a.at(&i * &n + k);
    r.for_("k", count(0, n.clone()), |r, k, _| r.set(&most, most.method("max", [element(&k)])));
    let sum = r.uninit("sum", ty);
    r.set(&sum, X::Float(0.0));
    r.for_("k", count(0, n.clone()), |r, k, _| {
        let of_table = a.at(label.at(&i * &n + &k) % &m);
        r.set(&sum, &sum + (element(&k) - &most) * of_table);
    });
    let found = label.at(&i * &n);
    let at = if checked { r.let_("at", found) } else { r.let_("at", found % &m) };
    r.if_(at.lt(&n * &m), |r| r.set(&sum, &sum - a.at(&at)));
    r.set(y.at(&i), &sum);
    let lens = vec![rows * columns, rows * columns, rows];
    Nest { region: r, first: 0, dims: vec![rows], scalars: vec![rows.into(), columns.into()], lens }
}
