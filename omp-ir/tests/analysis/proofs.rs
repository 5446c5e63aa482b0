//! Loops of classic algorithms: formulas show that their iterations are apart, whatever the sizes, and that those of their
//! neighbours, with one number or one sign changed, are not.
use super::launch::{Ready, ready, upto};
use super::machine::{conflict, trace};
use kernel_samples::build::{F32, Region, U32, USIZE, X, count, int};
use omp_ir::analysis::plan::{DimValues, LaunchPlan, LaunchValues};
use std::time::Instant;

type Dims = Vec<Option<DimValues>>;

/// A loop, and the numbers of its launches.
struct Form {
    name: &'static str,
    region: fn() -> Region,
    /// Loops and scalars for a size.
    launch: fn(u64) -> (Dims, Vec<i128>),
    /// Its iterations may conflict.
    conflicts: bool,
}

/// `a: &mut [f32]`, and as many scalars.
fn begin<const S: usize>(names: [&str; S]) -> (Region, X, [X; S]) {
    let mut r = Region::new("form");
    let a = r.array("a", &F32);
    let scalars = names.map(|n| r.scalar(n, &USIZE));
    (r, a, scalars)
}

/// Swaps two elements if they are in the wrong order.
fn exchange(r: &mut Region, a: &X, i: &X, j: &X) {
    r.if_(a.at(i).gt(a.at(j)), |r| {
        let old = r.let_("old", a.at(i));
        r.set(a.at(i), a.at(j));
        r.set(a.at(j), old);
    });
}

fn between(first: i128, count: u64) -> Option<DimValues> {
    Some(DimValues { first, step: 1, count })
}

/// `l = i ^ j`, if `l > i` (or the other way about, or always)
fn bitonic(sided: bool) -> Region {
    let (mut r, a, [n, j]) = begin(["n", "j"]);
    let i = r.dim("i", count(0, &n));
    let l = r.let_("l", &i ^ &j);
    if sided {
        r.if_(l.gt(&i), |r| exchange(r, &a, &i, &l));
    } else {
        exchange(&mut r, &a, &i, &l);
    }
    r
}

/// `a[i·(i + b)/2 + j]` for `j` in `0..i + more`
fn packed(b: i128, more: i128, first: i128) -> Region {
    let (mut r, a, [n]) = begin(["n"]);
    let i = r.dim("i", count(int(first), &n));
    let j = r.dim("j", count(0, &i + int(more)));
    let factor = if b < 0 { &i - int(-b) } else { &i + int(b) };
    let at = r.let_("at", &i * factor / 2 + &j);
    r.set(a.at(&at), a.at(&at) * 2.0);
    r
}

/// Rows of a packed upper triangle: `a[i·(2n - i - 1)/2 + j]` for `j` in `i + from..n`
fn upper(from: i128) -> Region {
    let (mut r, a, [n]) = begin(["n"]);
    let i = r.dim("i", count(0, &n));
    r.for_("j", count(&i + int(from), &n), |r, j, _| {
        let at = r.let_("at", &i * (int(2) * &n - &i - 1) / 2 + j);
        r.set(a.at(&at), a.at(&at) * 2.0);
    });
    r
}

/// The same with an offset that is subtracted: `a[n·i - i·(i - 1)/2 + j - i]`
fn upper_by_difference() -> Region {
    let (mut r, a, [n]) = begin(["n"]);
    let i = r.dim("i", count(1, &n));
    r.for_("j", count(&i, &n), |r, j, _| {
        let at = r.let_("at", &n * &i - &i * (&i - 1) / 2 + j - &i);
        r.set(a.at(&at), a.at(&at) * 2.0);
    });
    r
}

/// `a[i]` with `a[i + h]`, if `i & h` is 0 (or whatever it is)
fn butterfly(masked: bool) -> Region {
    let (mut r, a, [n, h]) = begin(["n", "h"]);
    let i = r.dim("i", count(0, &n));
    let j = r.let_("j", &i + &h);
    if masked {
        r.if_((&i & &h).is(0), |r| exchange(r, &a, &i, &j));
    } else {
        exchange(&mut r, &a, &i, &j);
    }
    r
}

/// `j = i / h · 2h + i % h` with `j + h`
fn fft(by: i128) -> Region {
    let (mut r, a, [n, h]) = begin(["n", "h"]);
    let i = r.dim("i", count(0, &n));
    let j = r.let_("j", &i / &h * int(by) * &h + &i % &h);
    let k = r.let_("k", &j + &h);
    exchange(&mut r, &a, &j, &k);
    r
}

/// `i >> q << (q + shift) | i & ((1 << q) - 1)` with its bit `q` set
fn gate(shift: i128) -> Region {
    let (mut r, a, [n, q]) = begin(["n", "q"]);
    let i = r.dim("i", count(0, &n));
    let low = r.let_("low", &i & ((int(1).cast(omp_ir::desc::Prim::Usize) << &q) - 1));
    let i0 = r.let_("i0", ((&i >> &q) << (&q + int(shift))) | low);
    let i1 = r.let_("i1", &i0 | (int(1).cast(omp_ir::desc::Prim::Usize) << &q));
    exchange(&mut r, &a, &i0, &i1);
    r
}

/// A transposition in place, of the elements below the diagonal (or of all).
fn transposed(below: bool) -> Region {
    let (mut r, a, [n]) = begin(["n"]);
    let i = r.dim("i", count(0, &n));
    r.for_("j", if below { count(0, &i) } else { count(0, &n) }, |r, j, _| {
        let (x, y) = (r.let_("x", &i * &n + &j), r.let_("y", j * &n + &i));
        exchange(r, &a, &x, &y);
    });
    r
}

/// A transposition in place over the whole matrix, under `i < j`.
fn transposed_under_condition() -> Region {
    let (mut r, a, [n]) = begin(["n"]);
    let i = r.dim("i", count(0, &n));
    let j = r.dim("j", count(0, &n));
    r.if_(i.lt(&j), |r| {
        let (x, y) = (r.let_("x", &i * &n + &j), r.let_("y", &j * &n + &i));
        exchange(r, &a, &x, &y);
    });
    r
}

/// One step of Floyd's algorithm, without row and column `k`.
fn floyd(column: bool) -> Region {
    let (mut r, d, [n, k]) = begin(["n", "k"]);
    let i = r.dim("i", count(0, &n));
    let j = r.dim("j", count(0, &n));
    let rows = i.is_not(&k);
    r.if_(if column { rows.and(j.is_not(&k)) } else { rows }, |r| {
        let via = r.let_("via", d.at(&i * &n + &k) + d.at(&k * &n + &j));
        r.if_(via.lt(d.at(&i * &n + &j)), |r| r.set(d.at(&i * &n + &j), &via));
    });
    r
}

/// As `floyd`, with the condition that it is not the one element.
fn all_but_one() -> Region {
    let (mut r, d, [n, k]) = begin(["n", "k"]);
    let i = r.dim("i", count(0, &n));
    let j = r.dim("j", count(0, &n));
    r.if_(i.is_not(&k).or(j.is_not(&k)), |r| {
        r.set(d.at(&i * &n + &j), d.at(&i * &n + &j) + d.at(&k * &n + &k));
    });
    r
}

/// Successive over-relaxation of the cells of one colour.
fn sor(colours: i128) -> Region {
    let (mut r, u, [n, c]) = begin(["n", "c"]);
    let i = r.dim("i", count(1, &n - 1));
    let range = count(int(1) + (&i + &c) % int(colours), &n - 1).step_by(int(2));
    r.for_("j", range, |r, j, _| {
        let at = |dy: i32, dx: i32| {
            let row = if dy < 0 { &i - 1 } else { &i + dy };
            u.at(if dx < 0 { row * &n + &j - 1 } else { row * &n + &j + dx })
        };
        let v = r.let_("v", at(-1, 0) + at(1, 0) + at(0, -1) + at(0, 1) - at(0, 0));
        r.if_(v.gt(0.001), |r| r.set(at(0, 0), at(0, 0) + &v));
    });
    r
}

/// The Ising model on a torus: neighbours of the other colour.
fn ising(steps: i128) -> Region {
    let (mut r, s, [n, c]) = begin(["n", "c"]);
    let y = r.dim("y", count(0, &n));
    let h = r.dim("h", count(0, &n / 2));
    let x = r.let_("x", int(2) * &h + (&y + &c) % 2);
    let up = r.let_("up", s.at((&y + &n - int(steps)) % &n * &n + &x));
    let down = r.let_("down", s.at((&y + 1) % &n * &n + &x));
    let left = r.let_("left", s.at(&y * &n + (&x + &n - 1) % &n));
    let right = r.let_("right", s.at(&y * &n + (&x + 1) % &n));
    r.if_((up + down + left + right).gt(0.0), |r| r.set(s.at(&y * &n + &x), 1.0));
    r
}

/// Cells of one colour on a ring.
fn ring() -> Region {
    let (mut r, a, [n, k]) = begin(["n", "k"]);
    let i = r.dim("i", count(0, &n));
    r.if_((&i % 2).is(&k), |r| {
        let v = r.let_("v", a.at((&i + 1) % &n) + a.at((&i + &n - 1) % &n));
        r.if_(v.gt(0.0), |r| r.set(a.at(&i), &v));
    });
    r
}

/// Cells of one colour, with neighbours that stay inside by `saturating_sub` and `min`.
fn clamped() -> Region {
    let (mut r, a, [n, k]) = begin(["n", "k"]);
    let i = r.dim("i", count(0, &n));
    r.if_((&i % 2).is(&k), |r| {
        let left = i.method("saturating_sub", [int(1)]);
        let right = (&i + 1).method("min", [&n - 1]);
        let v = r.let_("v", a.at(left) + a.at(right));
        r.set(a.at(&i), &v);
    });
    r
}

/// An anti-diagonal of a matrix, of the one before and the one before that.
fn wavefront(back: i32) -> Region {
    let (mut r, a, [n, d]) = begin(["n", "d"]);
    let i = r.dim("i", count(1, &d));
    let j = r.let_("j", &d - &i);
    let up = r.let_("up", a.at((&i - 1) * &n + &j) + a.at((&i - 1) * &n + &j - 1));
    r.set(a.at(&i * &n + &j), a.at(&i * &n + &j - back) + up);
    r
}

fn halves() -> Region {
    let (mut r, a, [n]) = begin(["n"]);
    let y = r.dim("y", count(0, &n));
    let x = r.dim("x", count(0, &n / 2));
    r.if_(a.at(&y * &n + &x).gt(0.5), |r| r.set(a.at(&y * &n + &n - 1 - &x), a.at(&y * &n + &x)));
    r
}

/// A step of the LU decomposition.
fn lu(first: i32) -> Region {
    let (mut r, a, [n, k]) = begin(["n", "k"]);
    let i = r.dim("i", count(&k + first, &n));
    r.if_(a.at(&i * &n + &k).gt(0.0), |r| {
        r.for_("j", count(&k + 1, &n), |r, j, _| {
            r.set(a.at(&i * &n + &j), a.at(&i * &n + &j) - a.at(&i * &n + &k) * a.at(&k * &n + &j));
        });
    });
    r
}

/// Pairs of numbers as one: `(i + j)·(i + j + 1)/2 + j`
fn cantor(b: i32) -> Region {
    let (mut r, a, [n]) = begin(["n"]);
    let i = r.dim("i", count(0, &n));
    let j = r.dim("j", count(0, &n));
    let s = r.let_("s", &i + &j);
    r.set(a.at(&s * (&s + 1) / 2 + &j / b), 1.0);
    r
}

/// `a[if i % 2 == 0 { i / 2 } else { n / 2 + i / 2 }]`: a perfect shuffle where `n` is even.
fn shuffle() -> Region {
    let (mut r, a, [n]) = begin(["n"]);
    let i = r.dim("i", count(0, &n));
    let to = r.let_mut("to", &i / 2);
    r.if_((&i % 2).is(1), |r| r.set(&to, &n / 2 + &i / 2));
    r.set(a.at(&to), 1.0);
    r
}

/// Every second row from its end, or its end and one more.
fn zigzag(more: i128) -> Region {
    let (mut r, a, [n]) = begin(["n"]);
    let (i, j) = (r.dim("i", count(0, &n)), r.dim("j", count(0, &n)));
    let c = r.let_mut("c", 0);
    r.if_else((&i % 2).is(0), |r| r.set(&c, &j), |r| r.set(&c, &n - 1 - &j + int(more)));
    r.set(a.at(&i * &n + &c), 1.0);
    r
}

const FORMS: &[Form] = &[
    Form { name: "shuffle", region: shuffle, launch: |n| even_rows(n, 0), conflicts: false },
    Form { name: "shuffle, odd", region: shuffle, launch: |n| even_rows(n, 1), conflicts: true },
    Form { name: "zigzag", region: || zigzag(0), launch: square, conflicts: false },
    Form { name: "zigzag, into the next", region: || zigzag(1), launch: square, conflicts: true },
    Form { name: "bitonic", region: || bitonic(true), launch: |n| power(n, 16), conflicts: false },
    Form {
        name: "bitonic, other bits",
        region: || bitonic(true),
        launch: |n| power(n, 15),
        conflicts: false,
    },
    Form { name: "bitonic, both ways", region: || bitonic(false), launch: |n| power(n, 16), conflicts: true },
    Form { name: "packed", region: || packed(1, 1, 0), launch: triangle, conflicts: false },
    Form {
        name: "packed, strict",
        region: || packed(-1, 0, 1),
        launch: |n| triangle_from(n, 1),
        conflicts: false,
    },
    Form { name: "packed, too long", region: || packed(1, 2, 0), launch: triangle, conflicts: true },
    Form {
        name: "packed, too close",
        region: || packed(-1, 1, 1),
        launch: |n| triangle_from(n, 1),
        conflicts: true,
    },
    Form { name: "upper", region: || upper(0), launch: rows, conflicts: false },
    Form { name: "upper, strict", region: || upper(1), launch: rows, conflicts: false },
    Form {
        name: "upper, difference",
        region: upper_by_difference,
        launch: |n| rows_from(n, 1),
        conflicts: false,
    },
    Form { name: "butterfly", region: || butterfly(true), launch: |n| power(n, 8), conflicts: false },
    Form { name: "butterfly, all", region: || butterfly(false), launch: |n| power(n, 8), conflicts: true },
    Form { name: "fft", region: || fft(2), launch: |n| power(n, 8), conflicts: false },
    Form { name: "fft, h = 5", region: || fft(2), launch: |n| power(n, 5), conflicts: false },
    Form { name: "fft, too close", region: || fft(1), launch: |n| power(n, 8), conflicts: true },
    Form { name: "gate", region: || gate(1), launch: |n| power(n, 3), conflicts: false },
    Form { name: "gate, too close", region: || gate(0), launch: |n| power(n, 3), conflicts: true },
    Form { name: "sym", region: || transposed(true), launch: rows, conflicts: false },
    Form { name: "sym, all", region: || transposed(false), launch: rows, conflicts: true },
    Form { name: "i < j", region: transposed_under_condition, launch: square, conflicts: false },
    Form { name: "floyd", region: || floyd(true), launch: |n| square_and(n, 3), conflicts: false },
    Form { name: "floyd, column", region: || floyd(false), launch: |n| square_and(n, 3), conflicts: true },
    Form { name: "all but one", region: all_but_one, launch: |n| square_and(n, 3), conflicts: false },
    Form { name: "sor", region: || sor(2), launch: inside, conflicts: false },
    Form { name: "sor, one colour", region: || sor(1), launch: inside, conflicts: true },
    Form { name: "ising", region: || ising(1), launch: half, conflicts: false },
    Form { name: "ising, two up", region: || ising(2), launch: half, conflicts: true },
    Form { name: "ring", region: ring, launch: |n| even(n, 1), conflicts: false },
    Form { name: "clamped", region: clamped, launch: |n| even(n, 1), conflicts: false },
    Form { name: "wavefront", region: || wavefront(1), launch: diagonal, conflicts: false },
    Form { name: "wavefront, own", region: || wavefront(0), launch: diagonal, conflicts: false },
    Form { name: "halves", region: halves, launch: quarter, conflicts: false },
    Form {
        name: "lu",
        region: || lu(1),
        launch: |n| (vec![between(4, n - 4)], vec![n.into(), 3]),
        conflicts: false,
    },
    Form {
        name: "lu, own row",
        region: || lu(0),
        launch: |n| (vec![between(3, n - 3)], vec![n.into(), 3]),
        conflicts: true,
    },
    Form { name: "cantor", region: || cantor(1), launch: square, conflicts: false },
    Form { name: "cantor, halved", region: || cantor(2), launch: square, conflicts: true },
];

fn power(n: u64, other: i128) -> (Dims, Vec<i128>) {
    let n = n.next_power_of_two();
    (vec![upto(n)], vec![n.into(), other])
}
fn triangle(n: u64) -> (Dims, Vec<i128>) {
    (vec![upto(n), None], vec![n.into()])
}
fn triangle_from(n: u64, first: i128) -> (Dims, Vec<i128>) {
    (vec![between(first, n - first as u64), None], vec![n.into()])
}
fn rows(n: u64) -> (Dims, Vec<i128>) {
    (vec![upto(n)], vec![n.into()])
}
fn rows_from(n: u64, first: i128) -> (Dims, Vec<i128>) {
    (vec![between(first, n - first as u64)], vec![n.into()])
}
fn even_rows(n: u64, more: u64) -> (Dims, Vec<i128>) {
    rows(n.next_multiple_of(2) + more)
}
fn square(n: u64) -> (Dims, Vec<i128>) {
    (vec![upto(n), upto(n)], vec![n.into()])
}
fn square_and(n: u64, other: i128) -> (Dims, Vec<i128>) {
    (vec![upto(n), upto(n)], vec![n.into(), other])
}
fn inside(n: u64) -> (Dims, Vec<i128>) {
    (vec![between(1, n - 2)], vec![n.into(), 1])
}
fn half(n: u64) -> (Dims, Vec<i128>) {
    let n = n.next_multiple_of(2);
    (vec![upto(n), upto(n / 2)], vec![n.into(), 1])
}
fn quarter(n: u64) -> (Dims, Vec<i128>) {
    (vec![upto(n), upto(n / 2)], vec![n.into()])
}
fn even(n: u64, other: i128) -> (Dims, Vec<i128>) {
    let n = n.next_multiple_of(2);
    (vec![upto(n)], vec![n.into(), other])
}
fn diagonal(n: u64) -> (Dims, Vec<i128>) {
    (vec![between(1, n - 2)], vec![n.into(), i128::from(n) - 1])
}

fn decided(k: &Ready, (dims, scalars): &(Dims, Vec<i128>)) -> bool {
    let facts = k.launch(dims, scalars, &[1 << 40]);
    // What data decides is checked while running.
    facts.race.is_some() || !facts.claims.is_empty()
}

#[test]
fn classic_loops_are_proved_at_all_sizes() {
    let mut wrong = Vec::new();
    for form in FORMS {
        let k = ready((form.region)());
        for n in (34..120).chain([128, 999, 1000, 1001, 1500, 4096, 5000, 1 << 20]) {
            if decided(&k, &(form.launch)(n)) != form.conflicts {
                wrong.push((form.name, n));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// What is said of them is so: by enumeration.
#[test]
fn classic_loops_conflict_as_enumerated() {
    for form in FORMS {
        let kernel = (form.region)().kernel();
        let (plan, _) = LaunchPlan::build(&kernel);
        for n in [0u64, 1, 2, 3, 4, 5, 6, 7, 8, 11, 16] {
            let Some((_, scalars)) = (n > 4 || !form.name.starts_with("lu")).then(|| (form.launch)(n.max(2)))
            else {
                continue;
            };
            for scalars in [scalars.clone(), scalars.iter().map(|s| s + 1).collect()] {
                let (trace, dims) = trace(&kernel, &scalars, &[1 << 20]);
                let given: Vec<_> = scalars.iter().map(|s| Some(*s)).collect();
                let values = LaunchValues {
                    dims: &dims,
                    scalars: &given,
                    lens: &[1 << 20],
                    sections: &[(0, 1 << 20)],
                };
                let facts = plan.decide(&values);
                let race = conflict(&trace.touched);
                assert!(facts.race.is_some() || race.is_none(), "{} {scalars:?} {race:?}", form.name);
            }
        }
    }
}

/// `cargo test -p omp-ir --release --test analysis decisions_take -- --ignored --nocapture`, of all forms or that in `FORM`.
#[test]
#[ignore = "measures"]
fn decisions_take() {
    let only = std::env::var("FORM").ok();
    let wanted = |form: &&Form| !form.conflicts && only.as_ref().is_none_or(|name| name == form.name);
    for form in FORMS.iter().filter(wanted) {
        let k = ready((form.region)());
        let mut times = Vec::new();
        for n in 100..160u64 {
            let launch = (form.launch)(8 * n);
            let before = Instant::now();
            std::hint::black_box(k.launch(&launch.0, &launch.1, &[1 << 40]));
            times.push(before.elapsed().as_nanos());
        }
        times.sort_unstable();
        let us = |at: usize| times[at] as f64 / 1e3;
        println!("{:<24} {:>9.1} us, least {:>9.1}, worst {:>9.1}", form.name, us(30), us(0), us(59));
    }
}

/// A condition of floats among others changes nothing, whatever their order and form.
#[test]
fn conditions_of_no_integers_change_nothing() {
    for float_first in [false, true] {
        for form in 0..4 {
            let (mut r, a, [n, k]) = begin(["n", "k"]);
            let x = r.array("x", &U32);
            let i = r.dim("i", count(0, &n));
            let (float, integer) = (a.at(&i).gt(0.5), x.at(&i).gt(3));
            let other = match form {
                0 => float,
                1 => float.or(integer),
                2 => integer,
                _ => X::Bin(omp_ir::template::BinOp::And, Box::new(float), Box::new(integer)),
            };
            let set = |r: &mut Region| r.set(a.at(&i), a.at(&k));
            if float_first {
                r.if_(other, |r| r.if_(i.is_not(&k), set));
            } else {
                r.if_(i.is_not(&k), |r| r.if_(other, set));
            }
            let found = ready(r).launch(&[upto(1 << 20)], &[1 << 20, 77], &[1 << 20, 1 << 20]);
            assert!(found.race.is_none(), "{float_first} {form}: {found:?}");
        }
    }
}
