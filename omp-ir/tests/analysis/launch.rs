//! What a launch decides.
use kernel_samples::build::{F32, F64, I32, Region, U8, U32, USIZE, X, array_of, count, int};
use omp_ir::analysis::inspect::Alone;
use omp_ir::analysis::plan::{DimValues, Footprint, LaunchFacts, LaunchPlan, LaunchValues};
use omp_ir::desc::Prim;
use omp_ir::ids::ArrayId;
use omp_ir::kernel::BoundsVerdict;

/// A region ready for launches.
pub(super) struct Ready {
    plan: LaunchPlan,
    verdicts: Vec<BoundsVerdict>,
}

pub(super) fn ready(r: Region) -> Ready {
    let (plan, verdicts) = LaunchPlan::build(&r.kernel());
    Ready { plan, verdicts }
}

/// `0..count`
pub(super) fn upto(count: u64) -> Option<DimValues> {
    Some(DimValues { first: 0, step: 1, count })
}

impl Ready {
    pub(super) fn launch(&self, dims: &[Option<DimValues>], scalars: &[i128], lens: &[u64]) -> LaunchFacts {
        let scalars: Vec<_> = scalars.iter().map(|s| Some(*s)).collect();
        let sections: Vec<_> = lens.iter().map(|n| (0, *n)).collect();
        let values = LaunchValues { dims, scalars: &scalars, lens, sections: &sections };
        let mut facts = self.plan.decide(&values);
        if !facts.open.is_empty() {
            self.plan.inspect(&values, &mut facts, 1 << 24, &Alone);
        }
        facts
    }
}

fn saxpy() -> Ready {
    let mut r = Region::new("saxpy");
    let (x, y) = (r.array("x", &F32), r.array("y", &F32));
    let i = r.dim("i", count(0, x.len()));
    r.set(y.at(&i), x.at(&i) * 2.0 + y.at(&i));
    ready(r)
}

#[test]
fn elementwise() {
    let k = saxpy();
    assert_eq!(k.verdicts, [BoundsVerdict::AtLaunch; 3]);
    let facts = k.launch(&[upto(1000)], &[], &[1000, 1000]);
    assert!(facts.unproved.is_empty() && facts.race.is_none() && facts.index32, "{facts:?}");
    assert_eq!((facts.total, facts.overwritten.as_slice()), (Some(1000), [false, false].as_slice()));
    let all = |written: &[(u64, u64)]| Some(Footprint { all: vec![(0, 1000)], written: written.to_vec() });
    assert_eq!(facts.footprint, [all(&[]), all(&[(0, 1000)])]);
    // y is too short
    let facts = k.launch(&[upto(1000)], &[], &[1000, 999]);
    assert_eq!(facts.unproved.len(), 2);
    assert_eq!(facts.footprint, [all(&[]), None]);
    let facts = k.launch(&[upto(0)], &[], &[0, 0]);
    assert!(facts.unproved.is_empty() && facts.total == Some(0));
    let facts = k.launch(&[upto(1 << 40)], &[], &[1 << 40, 1 << 40]);
    assert!(facts.unproved.is_empty() && facts.race.is_none() && !facts.index32);
    let strides = k.plan.strides();
    assert!(strides.iter().all(|s| s.unit() == Some((0, 0)) && s.per_dim == [Some(1)] && s.unconditional));
}

#[test]
fn copy_overwrites() {
    let mut r = Region::new("copy");
    let (x, y) = (r.array("x", &F32), r.array("y", &F32));
    let i = r.dim("i", count(0, x.len()));
    r.set(y.at(&i), x.at(&i));
    let k = ready(r);
    assert_eq!(k.launch(&[upto(5)], &[], &[5, 5]).overwritten, [false, true]);
    // Of what no `map` names, what is touched counts.
    let facts = k.launch(&[upto(5)], &[], &[5, 6]);
    assert_eq!(
        (&facts.overwritten[..], &facts.footprint[1]),
        (
            &[false, true][..],
            &facts.footprint[0].as_ref().map(|x| Footprint { written: x.all.clone(), ..x.clone() })
        )
    );
}

/// `to[at[i]] = i`, where `then` may do more.
fn scattered(claimed: bool, then: impl FnOnce(&mut Region, &X, &X)) -> Ready {
    let mut r = Region::new("scattered");
    let (at, to) = (r.array("at", &USIZE), r.array("to", &USIZE));
    let list = [ArrayId::new(1)];
    if claimed {
        r.template().check_disjoint.extend(list);
    } else {
        r.template().trust_disjoint.extend(list);
    }
    let i = r.dim("i", count(0, at.len()));
    then(&mut r, &to, &i);
    r.set(to.at(at.at(&i)), &i);
    ready(r)
}

#[test]
fn as_many_different_elements_as_there_are_overwrite_all() {
    let overwritten = |k: &Ready, n: u64, len: u64| k.launch(&[upto(n)], &[], &[n, len]).overwritten[1];
    let k = scattered(true, |_, _, _| {});
    assert!(overwritten(&k, 7, 7) && overwritten(&k, 1, 1));
    assert!(!overwritten(&k, 6, 7) && !overwritten(&k, 7, 8));
    // Not overwritten: whether the elements are different is not checked; or some are left out, read, or written in several iterations.
    assert!(!overwritten(&scattered(false, |_, _, _| {}), 7, 7));
    let left_out = scattered(true, |r, _, i| r.if_(i.lt(3), Region::ret));
    assert!(!overwritten(&left_out, 7, 7));
    assert!(!overwritten(&scattered(true, |r, to, i| r.eval(to.at(i))), 7, 7));
}

#[test]
fn strided_reads() {
    let mut r = Region::new("middle");
    let (x, y) = (r.array("x", &F32), r.array("y", &F32));
    let i = r.dim("i", count(0, y.len()));
    r.set(y.at(&i), x.at(int(3) * &i + 1));
    let k = ready(r);
    assert!(k.launch(&[upto(1000)], &[], &[3000, 1000]).unproved.is_empty());
    assert_eq!(k.launch(&[upto(1001)], &[], &[3000, 1001]).unproved.len(), 1);
}

fn rows(inclusive: bool) -> Ready {
    let mut r = Region::new("rows");
    let y = r.array("y", &U32);
    let (m, n, w) = (r.scalar("m", &USIZE), r.scalar("n", &USIZE), r.scalar("w", &USIZE));
    let i = r.dim("i", count(0, &m));
    let j = if inclusive { count(0, &n).inclusive() } else { count(0, &n) };
    let j = r.dim("j", j);
    r.set(y.at(&i * &w + &j), 1.0);
    ready(r)
}

#[test]
fn rows_of_a_matrix() {
    let k = rows(false);
    let at = |m: u64, n: u64, w: i128, len| k.launch(&[upto(m), upto(n)], &[m.into(), n.into(), w], &[len]);
    let facts = at(30, 20, 20, 600);
    assert!(facts.race.is_none() && facts.unproved.is_empty() && facts.overwritten == [true], "{facts:?}");
    let facts = at(30, 20, 25, 750);
    assert!(facts.race.is_none() && facts.unproved.is_empty() && facts.overwritten == [false], "{facts:?}");
    // Rows overlap.
    let race = at(30, 20, 19, 600).race.expect("a race");
    let (iterations, element) = race.witness.expect("a witness");
    assert_eq!(element, 19);
    assert!(iterations.iter().any(|(_, a, b)| a != b));
    assert!(at(1, 20, 0, 600).race.is_none());
    // Large sizes: no search, still a witness.
    assert!(at(1 << 20, 1 << 10, 1, 1 << 30).race.expect("a race").witness.is_some());
    assert!(at(1 << 20, 1 << 10, 1 << 10, 1 << 30).race.is_none());
    assert_eq!(k.plan.strides()[0].per_dim, [None, Some(1)]);
}

#[test]
fn odd_even_neighbours() {
    let mut r = Region::new("sort");
    let a = r.array("a", &I32);
    let odd = r.scalar("odd", &USIZE);
    let half = r.scalar("half", &USIZE);
    let i = r.dim("i", count(0, &half));
    let k = r.let_("k", int(2) * &i + &odd);
    r.if_(a.at(&k).gt(a.at(&k + 1)), |r| r.set(a.at(&k), a.at(&k + 1)));
    let p = ready(r);
    for (n, odd) in [(1000, 0), (1000, 1), (999, 0), (999, 1)] {
        let half = (n - odd) / 2;
        let facts = p.launch(&[upto(half)], &[odd.into(), half.into()], &[n]);
        assert!(facts.race.is_none() && facts.unproved.is_empty(), "{n} {odd} {facts:?}");
    }
}

#[test]
fn tensor_layouts() {
    let mut r = Region::new("channels_last");
    let (x, y) = (r.array("x", &U32), r.array("y", &U32));
    let s: Vec<X> = ["b", "c", "h", "w"].map(|n| r.scalar(n, &USIZE)).into();
    let (b, c, h, w) = (&s[0], &s[1], &s[2], &s[3]);
    let n = r.dim("n", count(0, b));
    let i = r.dim("r", count(0, h));
    let q = r.dim("q", count(0, w));
    let k = r.dim("k", count(0, c));
    r.set(y.at(((&n * h + &i) * w + &q) * c + &k), x.at(((&n * c + &k) * h + &i) * w + &q));
    let p = ready(r);
    let facts = p.launch(
        &[upto(20), upto(300), upto(400), upto(3)],
        &[20, 3, 300, 400],
        &[20 * 3 * 300 * 400, 20 * 3 * 300 * 400],
    );
    assert!(
        facts.race.is_none() && facts.unproved.is_empty() && facts.overwritten == [false, true],
        "{facts:?}"
    );
    assert!(facts.index32);
}

#[test]
fn triangles_and_dependent_loops() {
    let mut r = Region::new("triangle");
    let y = r.array("y", &U32);
    let n = r.scalar("n", &USIZE);
    let i = r.dim("i", count(0, &n));
    let j = r.dim("j", count(&i, &n));
    r.set(y.at(&i * &n + &j - &i), y.at(&j - &i));
    let _ = &mut r;
    let p = ready(r);
    let facts = p.launch(&[upto(100), None], &[100], &[10000]);
    assert!(facts.unproved.is_empty(), "{facts:?}");
    assert_eq!(facts.dims[1].count, 100);
    assert!(facts.race.is_some());
}

#[test]
fn inner_loops_with_steps_and_conditions() {
    let mut r = Region::new("stencil");
    let (x, y) = (r.array("x", &F64), r.array("y", &F64));
    let n = r.scalar("n", &USIZE);
    let i = r.dim("i", count(0, &n));
    r.if_(i.gt(0).and((&i + 1).lt(&n)), |r| {
        r.set(y.at(&i), x.at(&i - 1) + x.at(&i + 1));
    });
    r.for_("k", count(0, &n).rev(), |r, k, _| {
        r.if_(k.ge(&n), |r| r.set(y.at(&i), x.at(&k + 1000)));
        let s = r.let_("s", x.at(&n - 1 - k));
        let _ = s;
    });
    let p = ready(r);
    let facts = p.launch(&[upto(100)], &[100], &[100, 100]);
    assert!(facts.unproved.is_empty() && facts.race.is_none(), "{facts:?}");
    assert_eq!(p.launch(&[upto(100)], &[100], &[99, 100]).unproved.len(), 2);
}

#[test]
fn blur_with_clamped_neighbours() {
    // for di in -1..=1 { let a = i as i32 + di; if a >= 0 && a < h { x[a as usize * w + j] } }
    let mut r = Region::new("wire");
    let (x, y) = (r.array("x", &F64), r.array("y", &F64));
    let (h, w) = (r.scalar("h", &USIZE), r.scalar("w", &USIZE));
    let i = r.dim("i", count(0, &h));
    let j = r.dim("j", count(0, &w));
    r.for_("di", count(X::Int(-1, Some(Prim::I32)), 1).inclusive(), |r, di, _| {
        let a = r.let_("a", i.cast(Prim::I32) + &di);
        r.if_(a.ge(0).and(a.lt(h.cast(Prim::I32))), |r| {
            let s = r.let_("s", x.at(a.cast(Prim::Usize) * &w + &j));
            r.set(y.at(&i * &w + &j), s);
        });
    });
    let p = ready(r);
    let facts = p.launch(&[upto(30), upto(40)], &[30, 40], &[1200, 1200]);
    assert!(facts.unproved.is_empty() && facts.race.is_none() && facts.index32, "{facts:?}");
    assert_eq!(p.launch(&[upto(30), upto(40)], &[30, 40], &[1199, 1200]).unproved.len(), 1);
}

#[test]
fn local_and_nested_arrays_are_proved_by_constants() {
    let mut r = Region::new("fixed");
    let (a, c) = (r.array("a", array_of(&F32, 17)), r.array("c", array_of(&F32, 31)));
    let i = r.dim("i", count(0, int(33)));
    let j = r.dim("j", count(0, int(31)));
    let w = r.uninit("w", array_of(&F32, 5));
    r.for_("k", count(0, int(17)), |r, k, _| {
        r.set(w.at(&k % 5), a.at(&i).at(&k));
        r.set(w.at(&k & 7), 1.0);
    });
    r.set(c.at(&i).at(&j), w.at(4));
    let p = ready(r);
    use BoundsVerdict::{AtLaunch, Proved};
    // a[i], [k], w[k % 5], w[k & 7], w[4], c[i], [j]
    assert_eq!(p.verdicts, [AtLaunch, Proved, Proved, AtLaunch, Proved, AtLaunch, Proved]);
    let facts = p.launch(&[upto(33), upto(31)], &[], &[33, 33]);
    assert_eq!(facts.unproved.len(), 1, "w[k & 7]");
    assert!(facts.race.is_none() && facts.overwritten == [false, true], "{facts:?}");
    assert_eq!(p.plan.strides().last().expect("c").per_dim, [Some(31), Some(1)]);
}

#[test]
fn types_that_wrap() {
    // y[(i as i64 - lo as i64) as usize] with u64 near its end: exact modulo 2^64.
    let mut r = Region::new("offset");
    let y = r.array("y", &U32);
    let lo = r.scalar("lo", &USIZE);
    let i = r.dim("i", count(&lo, &lo));
    r.set(y.at((i.cast(Prim::I64) - lo.cast(Prim::I64)).cast(Prim::Usize)), 1.0);
    let p = ready(r);
    let first = i128::from(u64::MAX) - 31;
    let facts = p.launch(&[Some(DimValues { first, step: 1, count: 32 })], &[first], &[33]);
    assert!(facts.race.is_none() && facts.unproved.is_empty(), "{facts:?}");
    // y[(i as u8) as usize]: 300 iterations do not fit.
    let mut r = Region::new("narrow");
    let y = r.array("y", &U32);
    let n = r.scalar("n", &USIZE);
    let i = r.dim("i", count(0, &n));
    r.set(y.at(i.cast(Prim::U8).cast(Prim::Usize)), 1.0);
    let p = ready(r);
    assert!(p.launch(&[upto(256)], &[256], &[256]).race.is_none());
    let facts = p.launch(&[upto(257)], &[257], &[256]);
    let (iterations, element) = facts.race.expect("a race").witness.expect("a witness");
    assert_eq!((iterations.as_slice(), element), ([("i".to_owned(), 0, 256)].as_slice(), 0));
    assert!(facts.unproved.is_empty(), "in bounds all the same");
}

#[test]
fn small_values_from_memory() {
    let mut r = Region::new("buckets");
    let (x, y) = (r.array("x", &U8), r.array("y", &U32));
    let i = r.dim("i", count(0, x.len()));
    let b = r.let_("b", x.at(&i).cast(Prim::Usize));
    r.set(y.at(&i * 256 + &b), 1.0);
    let p = ready(r);
    let facts = p.launch(&[upto(50)], &[], &[50, 50 * 256]);
    assert!(facts.race.is_none() && facts.unproved.is_empty(), "{facts:?}");
}

#[test]
fn loaded_indices_are_residual() {
    let mut r = Region::new("gather");
    let (x, from, y) = (r.array("x", &F64), r.array("from", &U32), r.array("y", &F64));
    let i = r.dim("i", count(0, y.len()));
    let k = r.let_("k", from.at(&i).cast(Prim::Usize));
    r.set(y.at(&i), x.at(&k));
    r.if_(k.lt(x.len()), |r| r.set(y.at(&i), x.at(&k)));
    let p = ready(r);
    use BoundsVerdict::{AtLaunch, Residual};
    // from[i], x[k], y[i], x[k] under the condition, y[i]
    assert_eq!(p.verdicts, [AtLaunch, Residual, AtLaunch, AtLaunch, AtLaunch]);
    let facts = p.launch(&[upto(9)], &[], &[7, 9, 9]);
    assert!(facts.unproved.is_empty(), "{facts:?}");
    let nine = |written: &[(u64, u64)]| Some(Footprint { all: vec![(0, 9)], written: written.to_vec() });
    assert_eq!(facts.footprint, [None, nine(&[]), nine(&[(0, 9)])]);
}

#[test]
fn sections() {
    let mut r = Region::new("section");
    let y = r.array("y", &F32);
    r.template().arrays[0].section = true;
    let (lo, hi) = (r.scalar("lo", &USIZE), r.scalar("hi", &USIZE));
    let i = r.dim("i", count(&lo, &hi));
    r.set(y.at(&i), 1.0);
    let p = ready(r);
    let at = |section| {
        let dims = [Some(DimValues { first: 10, step: 1, count: 20 })];
        let values =
            LaunchValues { dims: &dims, scalars: &[Some(10), Some(30)], lens: &[100], sections: &[section] };
        p.plan.decide(&values)
    };
    assert!(at((10, 30)).unproved.is_empty() && at((10, 30)).overwritten == [true]);
    assert!(at((5, 30)).unproved.is_empty() && at((5, 30)).overwritten == [false]);
    assert_eq!(at((11, 31)).unproved.len(), 1);
}

#[test]
fn slices() {
    // let row = &x[i*n..(i+1)*n]; row[k] for k in 0..n
    let mut r = Region::new("rows");
    let (x, y) = (r.array("x", &F32), r.array("y", &F32));
    let n = r.scalar("n", &USIZE);
    let i = r.dim("i", count(0, y.len()));
    let row = r.let_("row", x.slice(&i * &n, (&i + 1) * &n));
    r.for_("k", count(0, &n), |r, k, _| r.set(y.at(&i), row.at(&k)));
    let p = ready(r);
    let facts = p.launch(&[upto(10)], &[7], &[70, 10]);
    assert!(facts.unproved.is_empty() && facts.race.is_none(), "{facts:?}");
    assert_eq!(p.launch(&[upto(10)], &[7], &[69, 10]).unproved.len(), 1);
    // The same rows, written: a conflict with the whole row of others only if they overlap.
    let mut r = Region::new("rows");
    let x = r.array("x", &F32);
    let (n, m) = (r.scalar("n", &USIZE), r.scalar("m", &USIZE));
    let i = r.dim("i", count(0, &m));
    let row = r.let_("row", x.slice(&i * &n, (&i + 1) * &n));
    r.set(x.at(&i * &n), row.at(0));
    let p = ready(r);
    assert!(p.launch(&[upto(1000)], &[7, 1000], &[7000]).race.is_none());
    assert!(p.launch(&[upto(1000)], &[0, 1000], &[7000]).race.is_some());
}

#[test]
fn steps_keep_apart() {
    let mut r = Region::new("pairs");
    let y = r.array("y", &F32);
    let n = r.scalar("n", &USIZE);
    let k = r.dim("k", count(1, &n).step_by(2));
    r.set(y.at(&k - 1), y.at(&k));
    let p = ready(r);
    let every = |step, count| [Some(DimValues { first: 1, step, count })];
    assert!(p.launch(&every(2, 5000), &[10000], &[10000]).race.is_none());
    assert!(p.launch(&every(1, 9999), &[10000], &[10000]).race.is_some());
    let back = [Some(DimValues { first: 9999, step: -2, count: 5000 })];
    let facts = p.launch(&back, &[10000], &[10000]);
    assert!(facts.race.is_none() && facts.unproved.is_empty(), "{facts:?}");
}

/// `a.swap(x, y)` of one array.
fn swap(r: &mut Region, a: &X, x: X, y: X) {
    let kept = r.let_("kept", a.at(&x));
    r.set(a.at(&x), a.at(&y));
    r.set(a.at(&y), kept);
}

#[test]
fn triangles_transposed_in_place() {
    for collapsed in [false, true] {
        let mut r = Region::new("transpose");
        let a = r.array("a", &F32);
        let n = r.scalar("n", &USIZE);
        let i = r.dim("i", count(0, &n));
        if collapsed {
            let j = r.dim("j", count(0, &i));
            swap(&mut r, &a, &i * &n + &j, &j * &n + &i);
        } else {
            r.for_("j", count(0, &i), |r, j, _| swap(r, &a, &i * &n + &j, &j * &n + &i));
        }
        let p = ready(r);
        let dims: Vec<_> = std::iter::once(upto(1000)).chain(collapsed.then_some(None)).collect();
        let facts = p.launch(&dims, &[1000], &[1_000_000]);
        assert!(facts.race.is_none() && facts.unproved.is_empty(), "{collapsed}: {facts:?}");
        // Rows that are too short overlap.
        assert!(p.launch(&dims, &[500], &[1_000_000]).race.is_some());
    }
}

#[test]
fn row_and_column_k_are_left_out() {
    let floyd = |excluded: u32| {
        let mut r = Region::new("floyd");
        let d = r.array("d", &U32);
        let (n, k) = (r.scalar("n", &USIZE), r.scalar("k", &USIZE));
        let i = r.dim("i", count(0, &n));
        let j = r.dim("j", count(0, &n));
        let relax = |r: &mut Region| {
            let via = r.let_("via", d.at(&i * &n + &k) + d.at(&k * &n + &j));
            r.set(d.at(&i * &n + &j), via);
        };
        match excluded {
            0 => relax(&mut r),
            1 => r.if_(i.is_not(&k), relax),
            _ => r.if_(i.is_not(&k).and(j.is_not(&k)), relax),
        }
        ready(r)
    };
    let at = |excluded: u32| {
        let race = floyd(excluded).launch(&[upto(300), upto(300)], &[300, 17], &[90_000]).race;
        race.is_some()
    };
    assert_eq!((at(0), at(1), at(2)), (true, true, false));
}

#[test]
fn quotients_and_remainders() {
    // y[(i / w) * pitch + i % w]
    let mut r = Region::new("pitch");
    let y = r.array("y", &U32);
    let (n, w, pitch) = (r.scalar("n", &USIZE), r.scalar("w", &USIZE), r.scalar("pitch", &USIZE));
    let i = r.dim("i", count(0, &n));
    r.set(y.at(&i / &w * &pitch + &i % &w), 1.0);
    let p = ready(r);
    let race = |w: i128, pitch: i128| p.launch(&[upto(100_000)], &[100_000, w, pitch], &[1 << 40]).race;
    assert!(race(640, 640).is_none() && race(640, 1000).is_none());
    assert!(race(640, 639).is_some());
    // y[i % m]: with a divisor of zero the region fails at that, before it touches anything.
    let mut r = Region::new("ring");
    let y = r.array("y", &U32);
    let (n, m) = (r.scalar("n", &USIZE), r.scalar("m", &USIZE));
    let i = r.dim("i", count(0, &n));
    r.set(y.at(&i % &m), 1.0);
    let p = ready(r);
    let race = |m: i128| p.launch(&[upto(10_000)], &[10_000, m], &[10_000]).race;
    assert!(race(10_000).is_none() && race(20_000).is_none() && race(9_999).is_some());
    assert!(race(0).is_none());
}

#[test]
fn ranges_that_move_with_the_outer_loop() {
    for collapsed in [false, true] {
        let mut r = Region::new("rows");
        let y = r.array("y", &U32);
        let (m, n, gap) = (r.scalar("m", &USIZE), r.scalar("n", &USIZE), r.scalar("gap", &USIZE));
        let i = r.dim("i", count(0, &m));
        let range = count(&i * &n, (&i + 1) * &n + &gap);
        if collapsed {
            let j = r.dim("j", range);
            r.set(y.at(&j), 1.0);
        } else {
            r.for_("j", range, |r, j, _| r.set(y.at(&j), 1.0));
        }
        let p = ready(r);
        let dims: Vec<_> = std::iter::once(upto(500)).chain(collapsed.then_some(None)).collect();
        assert!(p.launch(&dims, &[500, 700, 0], &[350_000]).race.is_none(), "{collapsed}");
        assert!(p.launch(&dims, &[500, 700, 1], &[350_001]).race.is_some(), "{collapsed}");
    }
}

#[test]
fn conditions_keep_apart() {
    // if i < k { y[i] = y[i + k] }
    let mut r = Region::new("halves");
    let y = r.array("y", &F32);
    let (n, k) = (r.scalar("n", &USIZE), r.scalar("k", &USIZE));
    let i = r.dim("i", count(0, &n));
    r.if_(i.lt(&k), |r| r.set(y.at(&i), y.at(&i + &k)));
    let p = ready(r);
    assert!(p.launch(&[upto(10_000)], &[10_000, 10_000], &[20_000]).race.is_none());
    assert!(p.launch(&[upto(10_000)], &[10_000, 5000], &[20_000]).race.is_none());
    // if i != k { y[i] = y[k] }
    let mut r = Region::new("all_but_one");
    let y = r.array("y", &F32);
    let (n, k) = (r.scalar("n", &USIZE), r.scalar("k", &USIZE));
    let i = r.dim("i", count(0, &n));
    r.if_(i.is_not(&k), |r| r.set(y.at(&i), y.at(&k)));
    let p = ready(r);
    assert!(p.launch(&[upto(10_000)], &[10_000, 77], &[10_000]).race.is_none());
    // Neighbours of every other element.
    let mut r = Region::new("odd_even");
    let y = r.array("y", &F32);
    let (n, odd) = (r.scalar("n", &USIZE), r.scalar("odd", &USIZE));
    let i = r.dim("i", count(0, &n));
    let k = r.let_("k", &i * 2 + &odd);
    r.if_(y.at(&k).gt(y.at(&k + 1)), |r| swap(r, &y, k.clone(), &k + 1));
    let p = ready(r);
    assert!(p.launch(&[upto(5000)], &[5000, 1], &[10_001]).race.is_none());
}

#[test]
fn footprints_are_what_is_touched_by_array() {
    // y[i + 10] = x[i] + x[i + 50] + z[k[i]]
    let mut r = Region::new("parts");
    let (x, y) = (r.array("x", &F32), r.array("y", &F32));
    let (z, k) = (r.array("z", &F32), r.array("k", &USIZE));
    let i = r.dim("i", count(0, int(10)));
    let far = z.at(k.at(&i));
    r.set(y.at(&(i.clone() + int(10))), x.at(&i) + x.at(&(i.clone() + int(50))) + far);
    let p = ready(r);
    let facts = p.launch(&[upto(10)], &[], &[100, 100, 100, 100]);
    let parts = |all: &[(u64, u64)], written: &[(u64, u64)]| {
        Some(Footprint { all: all.to_vec(), written: written.to_vec() })
    };
    let (x, y) = (parts(&[(0, 10), (50, 60)], &[]), parts(&[(10, 20)], &[(10, 20)]));
    assert_eq!(facts.footprint, [x.clone(), y, None, parts(&[(0, 10)], &[])]);
    // What may go astray in one array does not matter to another.
    let facts = p.launch(&[upto(10)], &[], &[100, 15, 100, 100]);
    assert_eq!(facts.footprint, [x, None, None, parts(&[(0, 10)], &[])]);
}
