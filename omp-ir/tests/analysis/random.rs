//! Random nests against enumeration: what a launch calls race-free or in bounds must be so.
use super::inspect::Three;
use super::machine::{Element, Machine, conflict, is_signed, trace};
use kernel_samples::build::{Counted, I32, Region, U32, USIZE, X, array_of, count, int, prim};
use omp_ir::analysis::inspect::Alone;
use omp_ir::analysis::plan::{LaunchPlan, LaunchValues, Verdict};
use omp_ir::analysis::race::{Functions, RaceFinding, RaceVerdict, at_compile_time};
use omp_ir::desc::Prim;
use omp_ir::ids::AccessId;
use omp_ir::kernel::{BoundsVerdict, Callee, Kernel};
use omp_ir::template::{Base, Level, Stmt};
use omp_ir::visit;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// A source of small choices.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[usize::try_from(self.roll(from.len() as u64)).expect("small")]
    }
}

/// A value that indices are made of, and its type.
type Atom = (X, Prim);

/// The types of loop variables and scalars.
const TYPES: [Prim; 7] = [Prim::Usize, Prim::Usize, Prim::Usize, Prim::I32, Prim::I64, Prim::U8, Prim::I8];

/// An expression of the type over the given values.
fn typed(d: &mut Dice, atoms: &[Atom], ty: Prim, depth: u32) -> X {
    if depth == 0 || d.roll(4) == 0 {
        if d.roll(5) == 0 {
            return int(d.roll(4).into()).cast(ty);
        }
        let (x, of) = d.pick(atoms).clone();
        return if of == ty { x } else { x.cast(ty) };
    }
    let a = typed(d, atoms, ty, depth - 1);
    let small = |d: &mut Dice, n: u64| int(i128::from(d.roll(n)) + 1);
    match d.roll(20) {
        0 => return a / small(d, 3),
        1 => return a % small(d, 4),
        2 => return a << small(d, 2),
        3 => return a >> small(d, 2),
        4 => return a.method("rem_euclid", [small(d, 3)]),
        5 => return a.method("div_euclid", [small(d, 3)]),
        6 => {
            let lo = i128::from(d.roll(3));
            return a.method("clamp", [int(lo), int(lo + i128::from(d.roll(4)))]);
        }
        _ => {}
    }
    let b = typed(d, atoms, ty, depth - 1);
    match d.roll(22) {
        0..5 => a + b,
        5..8 => a * b,
        8..11 => a - b,
        11 => {
            let to = *d.pick(&[Prim::I32, Prim::U8, Prim::I64, Prim::I8, Prim::U64]);
            let sum = a.cast(to) + b.cast(to);
            sum.cast(ty)
        }
        12..15 => {
            let names = [
                "min",
                "max",
                "saturating_sub",
                "saturating_add",
                "wrapping_sub",
                "wrapping_add",
                "wrapping_mul",
            ];
            a.method(names[d.roll(7) as usize], [b])
        }
        15 => a & b,
        16 => a | b,
        17 => a ^ b,
        18 => a % b.method("max", [int(1)]),
        19 if !is_signed(ty) => a.method("abs_diff", [b]),
        _ => a * int(i128::from(d.roll(5))) + b,
    }
}

/// An index over the given values.
fn index(d: &mut Dice, atoms: &[Atom], depth: u32) -> X {
    let ty = if d.roll(4) == 0 { *d.pick(&TYPES) } else { Prim::Usize };
    let x = typed(d, atoms, ty, depth);
    if ty == Prim::Usize { x } else { x.cast(Prim::Usize) }
}

fn condition(d: &mut Dice, atoms: &[Atom]) -> X {
    let ty = *d.pick(&TYPES);
    let (a, b) = (typed(d, atoms, ty, 1), typed(d, atoms, ty, 1));
    let c = match d.roll(6) {
        0 => a.lt(b),
        1 => a.le(b),
        2 => a.gt(b),
        3 => a.ge(b),
        4 => a.is(b),
        _ => a.is_not(b),
    };
    match d.roll(4) {
        0 => c.and(index(d, atoms, 1).ge(int(1))),
        1 => c.or(index(d, atoms, 0).lt(int(3))),
        _ => c,
    }
}

/// A range, and the type that it counts with.
fn range(d: &mut Dice, atoms: &[Atom]) -> (Counted, Prim) {
    let ty = *d.pick(&TYPES);
    let atom = |d: &mut Dice| typed(d, atoms, ty, 0);
    let lo = if d.roll(3) == 0 { atom(d) } else { int(d.roll(3).into()).cast(ty) };
    let hi = match d.roll(3) {
        0 => atom(d) + int(d.roll(3).into()),
        1 => int(i128::from(d.roll(6))).cast(ty),
        _ => atom(d),
    };
    let mut c = count(lo, hi);
    if d.roll(4) == 0 {
        c = c.inclusive();
    }
    if d.roll(4) == 0 {
        c = c.rev();
    }
    if d.roll(4) == 0 {
        c = c.step_by(int(i128::from(d.roll(3)) + 1));
    }
    (c, ty)
}

/// What a body may have in addition to what all have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shapes {
    /// Nothing.
    Plain,
    /// Values that are loaded, variables that change, and inner nests.
    More,
    /// As in `More`, inside of an inner nest.
    Inside,
    /// Values that functions compute.
    Calls,
}

/// A function of some of the values, which returns early or not, and what it returns.
fn called(d: &mut Dice, r: &mut Region, atoms: &[Atom]) -> Atom {
    let given: Vec<Atom> = (0..=d.roll(3)).map(|_| d.pick(atoms).clone()).collect();
    let mut f = Region::new("f");
    let params: Vec<X> = given.iter().map(|(_, ty)| f.param("p", prim(*ty))).collect();
    let mut own: Vec<Atom> = params.iter().cloned().zip(given.iter().map(|(_, ty)| *ty)).collect();
    let ret = *d.pick(&TYPES);
    for _ in 0..d.roll(4) {
        let ty = *d.pick(&TYPES);
        match d.roll(5) {
            0 => {
                let v = f.let_("v", typed(d, &own, ty, 1));
                own.push((v, ty));
            }
            1 | 2 => {
                let (c, early) = (condition(d, &own), typed(d, &own, ret, 1));
                let inner = (d.roll(2) == 0).then(|| (condition(d, &own), typed(d, &own, ret, 1)));
                f.if_(c, |f| {
                    if let Some((c, other)) = inner {
                        f.if_(c, |f| f.give(other, prim(ret)));
                    }
                    f.give(early, prim(ret));
                });
            }
            3 => {
                let v = f.let_mut("changing", typed(d, &own, ty, 1));
                let (c, to, or) = (condition(d, &own), typed(d, &own, ty, 1), typed(d, &own, ty, 1));
                f.if_else(c, |f| f.set(&v, to), |f| f.set(&v, or));
                own.push((v, ty));
            }
            _ => {
                let v = f.let_mut("changing", typed(d, &own, ty, 1));
                own.push((v.clone(), ty));
                let (to, c, early) = (typed(d, &own, ty, 1), condition(d, &own), typed(d, &own, ret, 1));
                let returns = d.roll(4) == 0;
                f.for_("r", count(0, int(d.roll(4).into())), |f, _, _| {
                    f.set(&v, to);
                    if returns {
                        f.if_(c, |f| f.give(early, prim(ret)));
                    }
                });
            }
        }
    }
    f.give(typed(d, &own, ret, 2), prim(ret));
    let f = r.declare_function(f, &params.iter().collect::<Vec<_>>(), prim(ret));
    let args: Vec<X> = given.into_iter().map(|(x, _)| x).collect();
    (r.call_fn(f, &args, prim(ret)), ret)
}

/// Whether a value is a variable with several assignments.
fn is_changing(r: &mut Region, x: &X) -> bool {
    let X::Place(Base::Local(l), parts) = x else { return false };
    parts.is_empty() && r.template().code.locals[l.index()].name == "changing"
}

/// One of the shapes that not all bodies have.
fn more(d: &mut Dice, r: &mut Region, arrays: &[X], atoms: &mut Vec<Atom>, (depth, shapes): (u32, Shapes)) {
    let (known, ty) = (atoms.len(), *d.pick(&TYPES));
    match d.roll(6) {
        0 => {
            let v = r.let_("loaded", arrays[1].at(index(d, atoms, 1)).cast(ty));
            atoms.push((v, ty));
        }
        1 => {
            let v = r.let_mut("changing", typed(d, atoms, ty, 1));
            let (c, to) = (condition(d, atoms), typed(d, atoms, ty, 1));
            if d.roll(2) == 0 {
                r.if_(c, |r| r.set(&v, to));
            } else {
                r.set(&v, to);
            }
            atoms.push((v, ty));
        }
        2 => {
            let c = condition(d, atoms);
            let (mut one, mut other) = (atoms.clone(), atoms.clone());
            let (mut e, mut f) = (Dice(d.roll(1 << 30)), Dice(d.roll(1 << 30)));
            let inside = (depth.saturating_sub(1), shapes);
            r.if_else(
                c,
                |r| body(&mut e, r, arrays, &mut one, inside),
                |r| body(&mut f, r, arrays, &mut other, inside),
            );
        }
        3 | 4 => {
            let changing: Vec<Atom> = atoms.iter().filter(|(x, _)| is_changing(r, x)).cloned().collect();
            if changing.is_empty() {
                return;
            }
            let (v, ty) = d.pick(&changing).clone();
            let (c, to, or) = (condition(d, atoms), typed(d, atoms, ty, 1), typed(d, atoms, ty, 1));
            match d.roll(4) {
                0 => r.set(&v, to),
                1 => r.if_(c, |r| r.set(&v, to)),
                2 => r.if_else(c, |r| r.set(&v, to), |r| r.set(&v, or)),
                _ => r.for_("r", count(0, int(d.roll(4).into())), |r, _, label| {
                    r.set(&v, to);
                    if d.roll(2) == 0 {
                        r.if_(c, |r| r.break_(label));
                        r.set(&v, or);
                    }
                }),
            }
        }
        _ if shapes == Shapes::More => {
            let level = *d.pick(&[Level::Team, Level::Simd]);
            let (first, ty) = range(d, atoms);
            let two = d.roll(3) == 0;
            r.inner(level, 1 + u32::from(two), &[], |r, _| {
                r.for_("p", first, |r, p, _| {
                    atoms.extend([(p.clone(), ty), (p, ty)]);
                    let inside = (depth.min(1), Shapes::Inside);
                    if !two {
                        return body(d, r, arrays, atoms, inside);
                    }
                    let (second, ty) = range(d, &atoms[..known]);
                    r.for_("q", second, |r, q, _| {
                        atoms.extend([(q.clone(), ty), (q, ty)]);
                        body(d, r, arrays, atoms, inside);
                    });
                });
            });
            atoms.truncate(known);
        }
        _ => {}
    }
}

fn body(d: &mut Dice, r: &mut Region, arrays: &[X], atoms: &mut Vec<Atom>, (depth, shapes): (u32, Shapes)) {
    for _ in 0..=d.roll(3) {
        if shapes == Shapes::Calls && d.roll(3) == 0 {
            let value = called(d, r, atoms);
            // It is what indices are mostly made of.
            atoms.extend([value.clone(), value.clone(), value]);
            continue;
        }
        if matches!(shapes, Shapes::More | Shapes::Inside) && d.roll(3) == 0 {
            more(d, r, arrays, atoms, (depth, shapes));
            continue;
        }
        match d.roll(if depth == 0 { 5 } else { 9 }) {
            0 => {
                let ty = *d.pick(&TYPES);
                let v = r.let_("v", typed(d, atoms, ty, 2));
                atoms.push((v, ty));
            }
            1..5 => {
                let (to, from) = (index(d, atoms, 2), index(d, atoms, 2));
                let from = arrays[1].at(from);
                let from = if d.roll(3) == 0 { arrays[0].at(index(d, atoms, 2)) } else { from };
                let from = if d.roll(4) == 0 { X::Int(1, None) } else { from };
                if d.roll(4) == 0 {
                    r.set(arrays[2].at(to).at(index(d, atoms, 1)), from);
                } else {
                    r.set(arrays[0].at(to), from);
                }
            }
            5 | 6 => {
                let (range, ty) = range(d, atoms);
                let known = atoms.len();
                r.for_("k", range, |r, k, label| {
                    atoms.push((k, ty));
                    body(d, r, arrays, atoms, (depth - 1, shapes));
                    if d.roll(5) == 0 {
                        let c = condition(d, atoms);
                        r.if_(c, |r| r.break_(label));
                        body(d, r, arrays, atoms, (0, shapes));
                    }
                });
                atoms.truncate(known);
            }
            7 => {
                let (c, known) = (condition(d, atoms), atoms.len());
                r.if_(c, |r| body(d, r, arrays, atoms, (depth - 1, shapes)));
                atoms.truncate(known);
            }
            _ if shapes == Shapes::Inside => {}
            _ => {
                let c = condition(d, atoms);
                r.if_(c, Region::ret);
            }
        }
    }
}

/// A region with three arrays (`y`, `x`, `z` with inner arrays of 3), four scalars and up to four loops.
fn region(d: &mut Dice, shapes: Shapes) -> Region {
    let mut r = Region::new("random");
    let arrays = [r.array("y", &U32), r.array("x", &U32), r.array("z", array_of(&U32, 3))];
    let mut atoms: Vec<Atom> = ["a", "b", "c"].map(|n| (r.scalar(n, &USIZE), Prim::Usize)).into();
    atoms.push((r.scalar("s", &I32), Prim::I32));
    let mut vars: Vec<Atom> = Vec::new();
    for n in 0..=d.roll(3) {
        let inner: Vec<Atom> = if n > 0 && d.roll(3) == 0 { vars.clone() } else { atoms[..4].to_vec() };
        let (range, ty) = range(d, &inner);
        vars.push((r.dim(["i", "j", "k", "l"][usize::try_from(n).expect("small")], range), ty));
    }
    // The loop variables are what indices are mostly made of.
    atoms.extend(vars.iter().cloned());
    atoms.extend(vars);
    body(d, &mut r, &arrays, &mut atoms, (2, shapes));
    r
}

#[derive(Debug, Default)]
struct Score {
    launches: usize,
    free: usize,
    raced: usize,
    /// Left to the data.
    checked: usize,
    proved: usize,
    in_bounds: usize,
    /// Launches with several iterations in bounds that macro time says race, and those of them that don't.
    refuted: usize,
    wrongly: usize,
}

/// A number of either sign, rarely one at the end of a type.
fn number(d: &mut Dice) -> i128 {
    let ends = [usize::MAX as i128, 1 << 63, (1 << 32) - 1, 1 << 31, 255, 127];
    if d.roll(12) == 0 { *d.pick(&ends) } else { d.roll(6).into() }
}

/// The body has an inner nest.
fn nested(kernel: &Kernel) -> bool {
    let mut found = false;
    visit::each_stmt(&kernel.body.code.block, &mut |stmt| found |= matches!(stmt, Stmt::Inner(_)));
    found
}

fn check(seed: u64, shapes: Shapes, score: &mut Score) {
    let mut d = Dice(seed);
    d.roll(2);
    let kernel = region(&mut d, shapes).kernel();
    let (plan, verdicts) = LaunchPlan::build(&kernel);
    let known = |c: &Callee| match c {
        Callee::Fn(f) => Some(*f),
        Callee::Builtin => None,
    };
    let functions = Functions {
        calls: kernel.body.calls.iter().map(known).collect(),
        bodies: kernel.fns.iter().map(|f| (f.template.clone(), Vec::new())).collect(),
    };
    let findings = at_compile_time(&kernel.template, &functions);
    let unseen = at_compile_time(&kernel.template, &Functions::default());
    for _ in 0..4 {
        let mut scalars: Vec<i128> = (0..3).map(|_| number(&mut d)).collect();
        scalars.push(Machine::wrap(number(&mut d) - 3, Prim::I32));
        let lens: Vec<u64> = (0..3).map(|_| d.roll(40)).collect();
        let (trace, dims) = trace(&kernel, &scalars, &lens);
        if trace.endless {
            continue;
        }
        let given: Vec<_> = scalars.iter().map(|s| Some(*s)).collect();
        let sections: Vec<_> = lens.iter().map(|n| (0, *n)).collect();
        let values = LaunchValues { dims: &dims, scalars: &given, lens: &lens, sections: &sections };
        let mut facts = plan.decide(&values);
        if !facts.open.is_empty() {
            plan.inspect(&values, &mut facts, 1 << 20, &Alone);
        }
        let mut inspected = plan.decide(&values);
        inspected.open = plan.every_pair();
        let alone = plan.inspect(&values, &mut inspected, 1 << 20, &Alone).0;
        let mut again = plan.decide(&values);
        again.open = plan.every_pair();
        let threads = plan.inspect(&values, &mut again, 1 << 20, &Three).0;
        let context = || {
            format!(
                "seed {seed}, {scalars:?}, {lens:?}\n{}{facts:?}\n{trace:?}",
                super::show::show(&kernel.template)
            )
        };
        assert!(!facts.index32 || !trace.wide_loops || trace.iterations == 0, "a long loop: {}", context());
        let race = conflict(&trace.touched).or(trace.inner.as_ref());
        let checked = !facts.claims.is_empty() || !facts.ordered.is_empty();
        assert!(facts.race.is_some() || checked || race.is_none(), "missed race {race:?}: {}", context());
        score.checked += usize::from(checked);
        // What formulas prove is inspected as well: the verdict is that of the enumeration, on one thread and on several.
        if trace.iterations > 0 {
            // Threads divide the work, of which each may do so much.
            let enough = alone != Verdict::TooMuch && threads != Verdict::TooMuch;
            assert!(alone == threads || !enough, "{alone:?} and {threads:?}: {}", context());
            match alone {
                Verdict::Apart => assert!(race.is_none(), "inspected: missed race {race:?}: {}", context()),
                // A nest whose iterations conflict in every execution is refused, also where data decides whether it is executed.
                Verdict::Race => assert!(
                    race.is_some() || !trace.failed.is_empty() || nested(&kernel),
                    "inspected: no race, {:?}: {}",
                    inspected.race,
                    context()
                ),
                Verdict::Data | Verdict::TooMuch | Verdict::NotUnderstood => {}
            }
        }
        if let Some(true) = facts.race.as_ref().map(|r| r.witness.is_some()) {
            // The example may be out of bounds. If no access is out of bounds, the race is real.
            assert!(race.is_some() || !trace.failed.is_empty() || nested(&kernel), "no race: {}", context());
        }
        for (at, verdict) in verdicts.iter().enumerate() {
            let access = AccessId::new(at);
            let proved = match verdict {
                BoundsVerdict::Proved => true,
                BoundsVerdict::AtLaunch => !facts.unproved.contains(&access),
                BoundsVerdict::Residual | BoundsVerdict::Trusted => false,
            };
            assert!(!proved || !trace.failed.contains(&access), "missed check {access:?}: {}", context());
            let narrow = !(proved && facts.index32 && trace.wide.contains(&access));
            assert!(narrow || trace.iterations == 0, "beyond 32 bits {access:?}: {}", context());
            score.proved += usize::from(proved);
            score.in_bounds += usize::from(!trace.failed.contains(&access));
        }
        for (dim, most) in facts.dims.iter().zip(&trace.counts) {
            assert!(trace.iterations == 0 || dim.count >= *most, "too few iterations: {}", context());
        }
        for (a, n) in lens.iter().enumerate() {
            let elements = trace.touched.iter().filter(|((b, _), _)| *b == a);
            if facts.overwritten[a] && trace.failed.is_empty() {
                let written = elements.clone().filter(|(_, (w, _))| !w.is_empty()).count() as u64;
                // There is no `map`: all that is touched.
                let n = match facts.footprint[a].as_ref().map(|f| &f.all[..]) {
                    Some([(lo, hi)]) => hi - lo,
                    _ => *n,
                };
                assert_eq!(written, n * if a == 2 { 3 } else { 1 }, "not all written: {}", context());
                assert!(elements.clone().all(|(_, (_, r))| r.is_empty()), "read: {}", context());
            }
            if let Some(footprint) = &facts.footprint[a] {
                let inside = |(_, at): &Element, ranges: &[(u64, u64)]| {
                    ranges.iter().any(|r| (i128::from(r.0)..i128::from(r.1)).contains(&at[0]))
                };
                let fits = |(k, (w, _)): (&Element, &(_, _))| {
                    let w: &BTreeSet<_> = w;
                    inside(k, &footprint.all) && (w.is_empty() || inside(k, &footprint.written))
                };
                assert!(elements.clone().all(fits), "outside of the footprint: {}", context());
            }
        }
        score.launches += 1;
        score.free += usize::from(race.is_none());
        score.raced += usize::from(facts.race.is_some());
        let is_sure = |f: &RaceFinding| matches!(f.verdict, RaceVerdict::Refuted(_));
        let sure = findings.iter().any(is_sure) || unseen.iter().any(is_sure);
        if sure && trace.iterations > 1 && trace.failed.is_empty() {
            score.refuted += 1;
            score.wrongly += usize::from(race.is_none());
        }
    }
}

/// `OMP_TEST_CASES`, or as many as every run has.
fn cases() -> u32 {
    std::env::var("OMP_TEST_CASES").map_or(300, |n| n.parse().expect("OMP_TEST_CASES is a number"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn launches_agree_with_enumeration(seed in any::<u64>()) {
        check(seed, Shapes::Plain, &mut Score::default());
        check(seed, Shapes::More, &mut Score::default());
        check(seed, Shapes::Calls, &mut Score::default());
    }
}

/// Launches that were decided wrongly once: a square that no integer of 128 bits holds; the `|` of a known number and one that
/// is not; more than 2^64 iterations around an inner nest.
#[test]
fn seeds_that_were_decided_wrongly() {
    for (seed, shapes) in [
        (4_547_696_637_931_101_715, Shapes::Plain),
        (4_547_696_637_931_101_715, Shapes::More),
        (15_438_074_731_434_881_187, Shapes::Plain),
        (15_438_074_731_434_881_187, Shapes::More),
        (1_110_879_380_925_874_558, Shapes::Plain),
        (1_110_879_380_925_874_558, Shapes::More),
        (1_110_879_380_925_874_558, Shapes::Calls),
    ] {
        check(seed, shapes, &mut Score::default());
    }
}

/// Of what is safe most is proved, and what macro time calls a race is one unless a size is 0 or 1.
#[test]
fn most_is_proved() {
    let mut score = Score::default();
    for seed in 0..800 {
        check(seed * 7919, Shapes::Plain, &mut score);
    }
    sufficient(&score);
    let mut score = Score::default();
    for seed in 0..800 {
        check(seed * 7919, Shapes::Calls, &mut score);
    }
    sufficient(&score);
}

fn sufficient(score: &Score) {
    let real = score.launches - score.free;
    println!("{score:?}");
    assert!(
        (score.raced + score.checked).saturating_sub(real) < real / 4,
        "too many false alarms: {score:?}"
    );
    assert!(score.proved * 20 > score.in_bounds * 19, "too little is proved: {score:?}");
    assert!(score.wrongly * 10 < score.refuted, "too many wrong verdicts: {score:?}");
}
