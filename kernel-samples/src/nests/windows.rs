//! Sums over windows: convolutions, filters, borders.
use super::{Nest, zero};
use crate::build::{Desc, F32, I32, ISIZE, Region, USIZE, X, count, int};
use omp_ir::desc::Prim;
use omp_ir::ids::LabelId;

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
