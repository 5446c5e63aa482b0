//! Parts of squares: triangles, bands, and products whose loops have limits.
use super::{Nest, Style};
use crate::build::{Desc, Region, USIZE, X, count, int};

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
