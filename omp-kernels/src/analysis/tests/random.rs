//! Random nests against enumeration: what a launch calls race-free or in bounds must be so.
use crate::analysis::plan::{DimValues, LaunchPlan, LaunchValues};
use crate::analysis::race::{RaceVerdict, at_compile_time};
use crate::ir::build::{Counted, I32, Region, U32, USIZE, X, array_of, count, int};
use crate::ir::desc::Prim;
use crate::ir::ids::{AccessId, ExprId, LocalId};
use crate::ir::kernel::{BoundsVerdict, Kernel};
use crate::ir::template::{Adaptor, Base, BinOp, Block, Check, Expr, Place, Projection, Range, Stmt, UnOp};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

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

fn is_signed(ty: Prim) -> bool {
    matches!(ty, Prim::I8 | Prim::I32 | Prim::I64)
}

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

fn body(d: &mut Dice, r: &mut Region, arrays: &[X], atoms: &mut Vec<Atom>, depth: u32) {
    for _ in 0..=d.roll(3) {
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
                    body(d, r, arrays, atoms, depth - 1);
                    if d.roll(5) == 0 {
                        let c = condition(d, atoms);
                        r.if_(c, |r| r.break_(label));
                        body(d, r, arrays, atoms, 0);
                    }
                });
                atoms.truncate(known);
            }
            7 => {
                let (c, known) = (condition(d, atoms), atoms.len());
                r.if_(c, |r| body(d, r, arrays, atoms, depth - 1));
                atoms.truncate(known);
            }
            _ => {
                let c = condition(d, atoms);
                r.if_(c, Region::ret);
            }
        }
    }
}

/// A region with three arrays (`y`, `x`, `z` with inner arrays of 3), four scalars and up to four loops.
fn region(d: &mut Dice) -> Region {
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
    body(d, &mut r, &arrays, &mut atoms, 2);
    r
}

/// An array and the subscripts.
type Element = (usize, Vec<i128>);

/// Iterations that wrote an element, and that read it.
type Touches = (BTreeSet<usize>, BTreeSet<usize>);

/// The most statements of a program that is enumerated.
const MOST_STEPS: u64 = 100_000;

/// What an execution did.
#[derive(Debug, Default)]
struct Trace {
    /// Subscripts that were out of bounds.
    failed: BTreeSet<AccessId>,
    touched: BTreeMap<Element, Touches>,
    /// By dimension: the most iterations that it had.
    counts: Vec<u64>,
    iterations: usize,
    /// A loop, or all of it, was too long to be run.
    endless: bool,
    steps: u64,
}

/// Runs all iterations, one after the other, and goes on where Rust would panic.
struct Machine<'a> {
    kernel: &'a Kernel,
    scalars: &'a [i128],
    lens: &'a [u64],
    locals: Vec<i128>,
    trace: Trace,
}

enum Flow {
    On,
    Leave(Option<crate::ir::ids::LabelId>),
}

impl Machine<'_> {
    fn ty(&self, e: ExprId) -> Prim {
        self.kernel.types.prim(self.kernel.body.expr_ty[e.index()]).expect("a number")
    }

    fn wrap(v: i128, ty: Prim) -> i128 {
        match ty {
            Prim::I8 => (v as i8).into(),
            Prim::I32 => (v as i32).into(),
            Prim::I64 => (v as i64).into(),
            Prim::U8 => (v as u8).into(),
            Prim::U32 => (v as u32).into(),
            Prim::U64 | Prim::Usize => (v as u64).into(),
            Prim::Bool => v,
            _ => panic!("not used here"),
        }
    }

    fn eval(&mut self, e: ExprId) -> i128 {
        let ty = self.ty(e);
        let v = match &self.kernel.body.code.exprs[e.index()].expr {
            Expr::Int { value, negative, ty: _ } => {
                i128::try_from(*value).unwrap() * if *negative { -1 } else { 1 }
            }
            Expr::Bool(b) => i128::from(*b),
            Expr::Load(place) => self.load(place),
            Expr::Unary(UnOp::Not, a) => 1 - self.eval(*a),
            Expr::Binary(op, a, b) => {
                let (a, b) = (self.eval(*a), self.eval(*b));
                match op {
                    BinOp::Add => a + b,
                    BinOp::Sub => a - b,
                    BinOp::Mul => a.wrapping_mul(b),
                    BinOp::Div => a / b,
                    BinOp::Rem => a % b,
                    BinOp::And | BinOp::BitAnd => a & b,
                    BinOp::Or | BinOp::BitOr => a | b,
                    BinOp::BitXor => a ^ b,
                    BinOp::Shl => a << b,
                    BinOp::Shr => a >> b,
                    BinOp::Lt => i128::from(a < b),
                    BinOp::Le => i128::from(a <= b),
                    BinOp::Gt => i128::from(a > b),
                    BinOp::Ge => i128::from(a >= b),
                    BinOp::Eq => i128::from(a == b),
                    BinOp::Ne => i128::from(a != b),
                }
            }
            Expr::Cast { value, ty: _ } => self.eval(*value),
            Expr::Call { call, args } => {
                let (a, b) = (self.eval(args[0]), self.eval(args[1]));
                let limit = |v: i128| {
                    let bits = ty.size() * 8;
                    let (lo, hi) = if is_signed(ty) {
                        (-(1i128 << (bits - 1)), 1i128 << (bits - 1))
                    } else {
                        (0, 1i128 << bits)
                    };
                    v.clamp(lo, hi - 1)
                };
                match self.kernel.body.code.calls[call.index()].name.as_str() {
                    "min" => a.min(b),
                    "max" => a.max(b),
                    "saturating_sub" => limit(a - b),
                    "saturating_add" => limit(a + b),
                    "wrapping_sub" => a - b,
                    "wrapping_add" => a + b,
                    "wrapping_mul" => a.wrapping_mul(b),
                    "abs_diff" => (a - b).abs(),
                    "rem_euclid" => a.rem_euclid(b),
                    "div_euclid" => a.div_euclid(b),
                    "clamp" => a.clamp(b, self.eval(args[2])),
                    _ => panic!("not used here"),
                }
            }
            other => panic!("not used here: {other:?}"),
        };
        Self::wrap(v, ty)
    }

    fn element(&mut self, place: &Place) -> Option<Vec<i128>> {
        let Base::Array(a) = place.base else { return None };
        let mut element = Vec::new();
        for (k, p) in place.projections.iter().enumerate() {
            let Projection::Index { index, access: _ } = p else { panic!("not used here") };
            let (i, len) = (self.eval(*index), if k == 0 { self.lens[a.index()].into() } else { 3 });
            if i >= len {
                return None;
            }
            element.push(i);
        }
        Some(element)
    }

    fn load(&mut self, place: &Place) -> i128 {
        match place.base {
            Base::Local(l) => self.locals[l.index()],
            Base::Scalar(s) => self.scalars[s.index()],
            Base::Array(a) => {
                if let Some(at) = self.element(place) {
                    let now = self.trace.iterations;
                    self.trace.touched.entry((a.index(), at)).or_default().1.insert(now);
                }
                0
            }
            Base::Const(_) => panic!("not used here"),
        }
    }

    fn values(&mut self, range: &Range, var: LocalId) -> Vec<i128> {
        let (lo, hi) = (self.eval(range.lo.unwrap()), self.eval(range.hi.unwrap()));
        self.trace.endless |= hi - lo > 1000;
        let end = if hi - lo > 1000 { lo } else { hi + i128::from(range.inclusive) };
        let mut values: Vec<i128> = (lo..end).collect();
        for a in &range.adaptors {
            match a {
                Adaptor::Rev => values.reverse(),
                Adaptor::StepBy(s) => {
                    let s = usize::try_from(self.eval(s.unwrap())).unwrap();
                    values = values.into_iter().step_by(s).collect();
                }
            }
        }
        let _ = var;
        values
    }

    fn dims(&mut self, d: usize) {
        let Some(dim) = self.kernel.template.dims.get(d) else {
            self.block(&self.kernel.body.code.block);
            self.trace.iterations += 1;
            return;
        };
        let values = self.values(&dim.range, dim.var);
        self.trace.counts[d] = self.trace.counts[d].max(values.len() as u64);
        for v in values {
            if self.trace.endless {
                return;
            }
            self.locals[dim.var.index()] = v;
            self.dims(d + 1);
        }
    }

    fn block(&mut self, block: &Block) -> Flow {
        for stmt in &block.0 {
            if let Flow::Leave(l) = self.stmt(stmt) {
                return Flow::Leave(l);
            }
        }
        Flow::On
    }

    fn stmt(&mut self, stmt: &Stmt) -> Flow {
        self.trace.steps += 1;
        if self.trace.steps > MOST_STEPS {
            self.trace.endless = true;
            return Flow::Leave(None);
        }
        match stmt {
            Stmt::Let { local, init } => self.locals[local.index()] = self.eval(init.unwrap()),
            Stmt::Assign { place, value, src: _ } => {
                self.eval(*value);
                let (Base::Array(a), at) = (place.base, self.element(place)) else { panic!("not used here") };
                if let Some(at) = at {
                    let now = self.trace.iterations;
                    self.trace.touched.entry((a.index(), at)).or_default().0.insert(now);
                }
            }
            Stmt::If { cond, then, els } => {
                let holds = self.eval(*cond) != 0;
                return self.block(if holds { then } else { els });
            }
            Stmt::For { label, var, range, body, src: _ } => {
                for v in self.values(range, *var) {
                    self.locals[var.index()] = v;
                    match self.block(body) {
                        Flow::On => {}
                        Flow::Leave(Some(l)) if l == *label => break,
                        leave @ Flow::Leave(_) => return leave,
                    }
                }
            }
            Stmt::Break(l) => return Flow::Leave(Some(*l)),
            Stmt::Return(None) => return Flow::Leave(None),
            Stmt::Check { check: Check::Bounds { access, base, index }, src: _ } => {
                let Base::Array(a) = base.base else { panic!("not used here") };
                let len = if base.projections.is_empty() { self.lens[a.index()].into() } else { 3 };
                // An inner subscript is only reached through an outer one in bounds.
                let reached = base.projections.is_empty() || self.element(base).is_some();
                if reached && self.eval(*index) >= len {
                    self.trace.failed.insert(*access);
                }
            }
            other => panic!("not used here: {other:?}"),
        }
        Flow::On
    }
}

fn trace(kernel: &Kernel, scalars: &[i128], lens: &[u64]) -> (Trace, Vec<Option<DimValues>>) {
    let locals = vec![0; kernel.body.code.locals.len()];
    let counts = vec![0; kernel.template.dims.len()];
    let mut m = Machine { kernel, scalars, lens, locals, trace: Trace { counts, ..Trace::default() } };
    let dims = kernel.template.dims.iter().map(|dim| {
        dim.host.then(|| {
            let values = m.values(&dim.range, dim.var);
            let first = values.first().copied().unwrap_or(0);
            let step = values.get(1).map_or(1, |v| v - first);
            DimValues { first, step, count: values.len() as u64 }
        })
    });
    let dims = dims.collect();
    m.dims(0);
    (m.trace, dims)
}

/// An element that one iteration writes and another touches.
fn conflict(trace: &Trace) -> Option<&Element> {
    let meet = |(w, r): &Touches| w.iter().any(|i| w.union(r).any(|j| i != j));
    // A row and its elements are not mixed here: only whole chains are touched.
    trace.touched.iter().find(|(_, both)| meet(both)).map(|(k, _)| k)
}

#[derive(Debug, Default)]
struct Score {
    launches: usize,
    free: usize,
    raced: usize,
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

fn check(seed: u64, score: &mut Score) {
    let mut d = Dice(seed);
    d.roll(2);
    let kernel = region(&mut d).kernel();
    let (plan, verdicts) = LaunchPlan::build(&kernel);
    let findings = at_compile_time(&kernel.template);
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
        let facts =
            plan.decide(&LaunchValues { dims: &dims, scalars: &given, lens: &lens, sections: &sections });
        let context = || {
            format!(
                "seed {seed}, {scalars:?}, {lens:?}\n{}{facts:?}\n{trace:?}",
                super::show::show(&kernel.template)
            )
        };
        let race = conflict(&trace);
        assert!(facts.race.is_some() || race.is_none(), "missed race {race:?}: {}", context());
        if let Some(true) = facts.race.as_ref().map(|r| r.witness.is_some()) {
            // The witness may be out of bounds; if nothing is, it is real.
            assert!(race.is_some() || !trace.failed.is_empty(), "no race: {}", context());
        }
        for (at, verdict) in verdicts.iter().enumerate() {
            let access = AccessId::new(at);
            let proved = match verdict {
                BoundsVerdict::Proved => true,
                BoundsVerdict::AtLaunch => !facts.unproved.contains(&access),
                BoundsVerdict::Residual | BoundsVerdict::Trusted => false,
            };
            assert!(!proved || !trace.failed.contains(&access), "missed check {access:?}: {}", context());
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
        let sure = findings.iter().any(|f| matches!(f.verdict, RaceVerdict::Refuted(_)));
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
        check(seed, &mut Score::default());
    }
}

/// Of what is safe most is proved, and what macro time calls a race is one unless a size is 0 or 1.
#[test]
fn most_is_proved() {
    let mut score = Score::default();
    for seed in 0..800 {
        check(seed * 7919, &mut score);
    }
    let real = score.launches - score.free;
    assert!(score.raced - real < real / 4, "too many false alarms: {score:?}");
    assert!(score.proved * 20 > score.in_bounds * 19, "too little is proved: {score:?}");
    assert!(score.wrongly * 10 < score.refuted, "too many wrong verdicts: {score:?}");
}
