//! Building the plan: instances of every formula, the pairs of accesses to compare, and the proofs to attempt.
pub(super) mod graph;
pub(super) mod instances;
pub(super) mod uses;

use super::conflict::{Iterations, Level, Side};
use super::cover::{Cover, cover};
use super::decide::prove_constants;
use crate::analysis::bounds;
use crate::analysis::form::{Arith, Forms, NodeId, Op, Rel, Sym, VarId};
use crate::analysis::inspect;
use crate::analysis::patterns::compaction;
use crate::analysis::race::apart_by_field;
use crate::analysis::survey::{
    BoundCheck, CtxId, CtxKind, InnerNest, Limit, Step, Subscript, Survey, Touch, Typed,
};
use crate::analysis::walk::survey;
use crate::desc::Prim;
use crate::flow::{coalesce, interchange};
use crate::ids::{AccessId, ArrayId, ExprId};
use crate::kernel::{BoundsVerdict, Kernel, Ty};
use graph::{Graph, InstId, MAX_SLOTS};
use instances::GraphBuilder;
use std::collections::BTreeSet;

/// A subscript to prove.
#[derive(Debug, Clone)]
pub(super) struct PlanCheck {
    pub access: AccessId,
    pub what: What,
    pub limit: LimitInst,
    pub fact_ctx: usize,
    /// Contexts without which it is not reached.
    pub bits: u64,
    /// The launch has to prove it.
    pub at_launch: bool,
    /// No check is compiled for it unless a launch finds it unproved.
    pub trusted_or_proved: bool,
}

/// An operator that fails where it overflows.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlanChecked {
    pub expr: ExprId,
    pub op: Arith,
    pub a: InstId,
    pub b: InstId,
    pub ty: Prim,
    pub fact_ctx: usize,
    /// Contexts without which it is not reached.
    pub bits: u64,
}

/// An integer of 64 bits that may be computed in 32.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlanComputed {
    pub expr: ExprId,
    pub value: InstId,
    /// Contexts without which it is not reached.
    pub bits: u64,
}

/// The condition of an `if`.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlanBranch {
    pub expr: ExprId,
    pub cond: InstId,
    /// Contexts without which it is not reached.
    pub bits: u64,
}

/// The subscript.
#[derive(Debug, Clone, Copy)]
pub(super) enum What {
    At(InstId),
    Range(InstId, InstId),
    /// Of a division: the dividend, with the least value of its type, where that is signed.
    Divisor {
        of: Option<(InstId, i128)>,
        by: InstId,
    },
    /// Not to be reached.
    Nowhere,
}

/// The limit of a check.
#[derive(Debug, Clone, Copy)]
pub(super) enum LimitInst {
    Array(ArrayId),
    Known(InstId),
    Unknown,
}

/// A touch of a mapped array.
#[derive(Debug, Clone)]
pub(super) struct PlanTouch {
    pub path: Vec<Level>,
    pub fact_ctx: usize,
    pub bits: u64,
}

impl PlanTouch {
    /// For the conflict test.
    pub(super) fn side(&self) -> Side<'_> {
        Side { path: &self.path, fact_ctx: self.fact_ctx }
    }
}

/// The formulas of one array.
#[derive(Debug, Clone, Default)]
pub(super) struct PlanArray {
    pub section: bool,
    /// A `map`, or a section, says what of it is meant.
    pub mapped: bool,
    /// Its elements are reduction items.
    pub reduced: bool,
    pub covers: Vec<Cover>,
    /// All of its touches.
    pub touches: Vec<usize>,
}

/// A parallel dimension.
#[derive(Debug, Clone)]
pub(super) struct PlanDim {
    pub lo: InstId,
    pub hi: InstId,
    pub inclusive: bool,
}

/// Everything that a launch evaluates.
#[derive(Debug, Clone, Default)]
pub(super) struct Formulas {
    pub survey: Survey,
    pub syms: Vec<Sym>,
    pub graph: Graph,
    pub dims: Vec<PlanDim>,
    /// The instances of all loop variables and of their bounds.
    pub loops: Vec<InstId>,
    pub checks: Vec<PlanCheck>,
    /// Of nests alone.
    pub checked: Vec<PlanChecked>,
    /// Of nests alone.
    pub branches: Vec<PlanBranch>,
    pub computed: Vec<PlanComputed>,
    /// As many as the survey has.
    pub touches: Vec<PlanTouch>,
    /// By touch: the lengths after its first subscript.
    pub shapes: Vec<Option<Vec<u64>>>,
    /// By touch: the numbers of what its subscripts lead to.
    pub numbers: Vec<Option<u64>>,
    /// By load of the survey: what it reads.
    pub loads: Vec<Option<inspect::Element>>,
    /// Accesses that must not conflict; the first one writes.
    pub pairs: Vec<(usize, usize)>,
    /// By inner nest: its loops and those around it as slots; `None` where they have none.
    pub inners: Vec<Option<Iterations>>,
    /// Accesses that must not conflict within one inner nest, by its number.
    pub inner_pairs: Vec<(usize, usize, usize)>,
    pub arrays: Vec<PlanArray>,
    /// Arrays under `disjoint`: checked while running where they are not proved.
    pub claimed: Vec<ArrayId>,
    /// Subscripts that the host may rely on and that no formula was found for.
    pub never: Vec<AccessId>,
    /// Launches may have a [`Nest`](super::Nest).
    pub nested: bool,
    /// By loop of the nest whose loops are interchanged, which of its sequential loops it is.
    pub interchanged: Option<Vec<Vec<u32>>>,
    /// The sequential loops of which an iteration is another loop, and the number of all sequential loops.
    pub perfect: (BTreeSet<u32>, u32),
    /// By subscript: how it moves with the parallel variables.
    pub strides: Vec<super::AccessStride>,
}

/// The formulas of a kernel, and the verdict on each subscript.
pub(super) fn formulas(kernel: &Kernel) -> (Formulas, Vec<BoundsVerdict>) {
    let survey = survey(&kernel.template, &kernel.body.code, Typed::region(kernel));
    let mut builder = GraphBuilder::new(&survey);
    let mut f =
        Formulas { syms: survey.forms.syms.iter().map(|(s, _)| s.clone()).collect(), ..Formulas::default() };
    for var in &survey.vars[..survey.dims] {
        let (lo, hi) = (builder.inst(var.lo, 0), builder.inst(var.hi, 0));
        f.dims.push(PlanDim { lo, hi, inclusive: var.inclusive });
    }
    f.checks = survey.checks.iter().map(|c| check(&mut builder, &survey.forms, c)).collect();
    for t in &survey.touches {
        let fact_ctx = builder.facts(t.ctx);
        let path = t.path.iter().map(|s| match s {
            Step::Index(n) => Level::Index(builder.inst(*n, fact_ctx)),
            Step::Field(f) => Level::Field(*f),
        });
        let path = path.collect();
        f.touches.push(PlanTouch { path, fact_ctx, bits: builder.bits(t.ctx) });
    }
    f.nested = super::nest::is_one(&survey);
    if f.nested {
        f.interchanged = interchange::interchanged(kernel).map(|made| made.loops);
        f.perfect = coalesce::perfect(kernel);
    }
    for c in survey.checked.iter().filter(|_| f.nested) {
        let fact_ctx = builder.facts(c.ctx);
        let (a, b) = (builder.inst(c.a, fact_ctx), builder.inst(c.b, fact_ctx));
        let bits = builder.bits(c.ctx);
        f.checked.push(PlanChecked { expr: c.expr, op: c.op, a, b, ty: c.ty, fact_ctx, bits });
    }
    for b in survey.branches.iter().filter(|_| f.nested) {
        let fact_ctx = builder.facts(b.ctx);
        let (cond, bits) = (builder.inst(b.cond, fact_ctx), builder.bits(b.ctx));
        f.branches.push(PlanBranch { expr: b.expr, cond, bits });
    }
    for c in &survey.computed {
        let fact_ctx = builder.facts(c.ctx);
        let (value, bits) = (builder.inst(c.value, fact_ctx), builder.bits(c.ctx));
        f.computed.push(PlanComputed { expr: c.expr, value, bits });
    }
    f.claimed.clone_from(&kernel.template.check_disjoint);
    f.arrays = arrays(kernel, &survey, &mut builder);
    f.loops = loops(&survey, &mut builder);
    f.graph = builder.finish();
    f.pairs = pairs(kernel, &survey, None);
    for (n, nest) in survey.inners.iter().enumerate() {
        f.inners.push(iterations(&survey, &f.graph, nest));
        let pairs = pairs(kernel, &survey, Some(nest));
        f.inner_pairs.extend(pairs.into_iter().map(|(a, b)| (n, a, b)));
    }
    f.shapes = inspect::shapes(kernel, &survey);
    f.numbers = survey.touches.iter().map(|t| numbers(kernel, t)).collect();
    f.loads = inspect::elements(kernel, &survey);
    f.survey = survey;
    let verdicts = verdicts(kernel, &mut f);
    (f, verdicts)
}

/// The numbers of an element that the subscripts of a place lead to.
fn numbers(kernel: &Kernel, touch: &Touch) -> Option<u64> {
    let mut ty = *kernel.array_ty.get(touch.array.index())?;
    for _ in touch.path.iter().skip(1).take_while(|step| matches!(step, Step::Index(_))) {
        let Ty::Array(elem, _) = kernel.types.get(ty) else { return None };
        ty = *elem;
    }
    // (What else there is stands for itself: it has no parts.)
    match kernel.types.get(ty) {
        Ty::Struct(..) | Ty::Array(..) => kernel.types.numbers(ty).map(|(_, n)| n),
        _ => Some(1),
    }
}

fn check(builder: &mut GraphBuilder<'_>, forms: &Forms, check: &BoundCheck) -> PlanCheck {
    let fact_ctx = builder.facts(check.ctx);
    let what = match check.subscript {
        Subscript::At(n) => What::At(builder.inst(n, fact_ctx)),
        Subscript::Range(lo, hi) => What::Range(builder.inst(lo, fact_ctx), builder.inst(hi, fact_ctx)),
        Subscript::Divisor { of, by } => {
            let least = |n| forms.get(n).ty.and_then(Prim::int_range).map_or(i128::MIN, |(least, _)| least);
            let of = of.map(|n| (n, least(n))).filter(|(_, least)| *least < 0);
            let of = of.map(|(n, least)| (builder.inst(n, fact_ctx), least));
            What::Divisor { of, by: builder.inst(by, fact_ctx) }
        }
        Subscript::Nowhere => {
            builder.limits(check.ctx, fact_ctx);
            What::Nowhere
        }
    };
    let limit = match check.limit {
        Limit::Array(a) => LimitInst::Array(a),
        Limit::Known(n) => LimitInst::Known(builder.inst(n, fact_ctx)),
        Limit::Unknown => LimitInst::Unknown,
    };
    PlanCheck {
        access: check.access,
        what,
        limit,
        fact_ctx,
        bits: builder.bits(check.ctx),
        at_launch: false,
        trusted_or_proved: false,
    }
}

fn arrays(kernel: &Kernel, survey: &Survey, builder: &mut GraphBuilder<'_>) -> Vec<PlanArray> {
    let mut arrays: Vec<PlanArray> = kernel
        .template
        .arrays
        .iter()
        .enumerate()
        .map(|(i, a)| PlanArray {
            section: a.section,
            mapped: a.map.is_some() || a.section,
            reduced: kernel.template.reduces(ArrayId::new(i)),
            ..PlanArray::default()
        })
        .collect();
    for (i, t) in survey.of_arrays().iter().enumerate() {
        arrays[t.array.index()].touches.push(i);
    }
    for (a, array) in arrays.iter_mut().enumerate() {
        let touches = || array.touches.iter().map(|t| &survey.touches[*t]);
        if touches().all(|t| !t.read && t.at_most.is_none()) {
            array.covers =
                touches().filter_map(|t| cover(kernel, survey, builder, ArrayId::new(a), t)).collect();
        }
    }
    arrays
}

fn loops(survey: &Survey, builder: &mut GraphBuilder<'_>) -> Vec<InstId> {
    let mut loops = Vec::new();
    for (v, var) in survey.vars.iter().enumerate().filter(|(_, v)| v.local.is_some()) {
        let at =
            survey.ctxs.iter().find(|c| matches!(c.kind, CtxKind::Loop { var, cut: _ } if var.index() == v));
        let fact_ctx = builder.facts(at.map_or(CtxId::ROOT, |c| c.parent));
        // The bounds of parallel loops are the host's business unless they depend on outer ones.
        if v >= survey.dims {
            loops.extend([builder.inst(var.lo, fact_ctx), builder.inst(var.hi, fact_ctx)]);
        }
        loops.push(builder.variable(VarId(u32::try_from(v).expect("few loops")), fact_ctx));
    }
    loops
}

/// The slots of an inner nest's iterations.
fn iterations(survey: &Survey, graph: &Graph, nest: &InnerNest) -> Option<Iterations> {
    let slot = |var: &VarId| graph.slots.iter().position(|s| s.var == *var);
    let slots = |vars: &[VarId]| vars.iter().try_fold(0u64, |set, var| Some(set | 1 << slot(var)?));
    let mut around: Vec<VarId> =
        (0..survey.dims).map(|d| VarId(u32::try_from(d).expect("few loops"))).collect();
    around.extend(&nest.around);
    Some(Iterations { own: slots(&nest.vars)?, common: slots(&around)? })
}

/// The pairs of touches that different iterations of the region, or of an inner nest, may not make of one element.
fn pairs(kernel: &Kernel, survey: &Survey, nest: Option<&InnerNest>) -> Vec<(usize, usize)> {
    let inside = |t: &Touch| !t.first && nest.is_none_or(|nest| survey.is_in(t.ctx, nest));
    let template = &kernel.template;
    let decisive: Vec<_> = survey.touches.iter().map(|t| survey.decisive(t.ctx)).collect();
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    let distinct: Vec<ArrayId> =
        template.check_disjoint.iter().copied().filter(|a| compaction::distinct(kernel, *a)).collect();
    for (i, a) in survey.touches.iter().enumerate().filter(|(_, t)| inside(t)) {
        let reduced = nest.is_some_and(|nest| nest.reduces.contains(&a.array));
        if template.trust_disjoint.contains(&a.array)
            || template.reduces(a.array)
            || reduced
            || (nest.is_none() && distinct.contains(&a.array))
        {
            continue;
        }
        for (j, b) in survey.touches.iter().enumerate().skip(i).filter(|(_, t)| inside(t)) {
            if !Survey::are_compared(nest, a, b)
                || !(a.write || b.write)
                || (a.atomic && b.atomic)
                || apart_by_field(&a.path, &b.path)
            {
                continue;
            }
            let (w, o) = if a.write { (i, j) } else { (j, i) };
            if !pairs.iter().any(|known| implies(*known, (w, o), survey, &decisive)) {
                pairs.retain(|known| !implies((w, o), *known, survey, &decisive));
                pairs.push((w, o));
            }
        }
    }
    pairs
}

/// Whether the accesses of the first pair are those of the second one, under the same conditions or fewer: if the first pair is
/// disjoint, so is the second, and if the first pair certainly conflicts, the launch is refused. `decisive` is that of each access.
fn implies(one: (usize, usize), other: (usize, usize), survey: &Survey, decisive: &[(CtxId, bool)]) -> bool {
    let covers = |x: usize, y: usize| {
        let (a, b) = (&survey.touches[x], &survey.touches[y]);
        a.array == b.array
            && a.part == b.part
            && a.path == b.path
            && survey.is_inside(decisive[y].0, decisive[x].0)
    };
    let doubtful = |pair: (usize, usize)| decisive[pair.0].1 || decisive[pair.1].1;
    ((covers(one.0, other.0) && covers(one.1, other.1)) || (covers(one.0, other.1) && covers(one.1, other.0)))
        && (doubtful(other) || !doubtful(one))
}

/// Which subscripts are proved by constants, decided at launch, or left to checks.
fn verdicts(kernel: &Kernel, f: &mut Formulas) -> Vec<BoundsVerdict> {
    let template = &kernel.template;
    let trusted = |check: &PlanCheck| {
        // `unchecked` promises that subscripts are in bounds, and nothing else.
        (template.unchecked_all && !matches!(check.what, What::Divisor { .. } | What::Nowhere))
            || matches!(check.limit, LimitInst::Array(a) if template.unchecked.contains(&a))
    };
    let relied = bounds::at_compile_time(template);
    let relied = |a: usize| relied.get(a).is_some_and(|c| c.affine);
    let fallback = if template.unchecked_all { BoundsVerdict::Trusted } else { BoundsVerdict::Residual };
    let mut verdicts = vec![fallback; kernel.body.code.accesses.len()];
    let mut seen = vec![false; verdicts.len()];
    let proved = prove_constants(f);
    for (i, proved) in proved.into_iter().enumerate() {
        let at = f.checks[i].access.index();
        seen[at] = true;
        verdicts[at] = if trusted(&f.checks[i]) {
            BoundsVerdict::Trusted
        } else if proved {
            BoundsVerdict::Proved
        } else if relied(at) || hopeful_check(&f.survey, &f.survey.checks[i]) {
            f.checks[i].at_launch = true;
            BoundsVerdict::AtLaunch
        } else {
            BoundsVerdict::Residual
        };
        f.checks[i].trusted_or_proved = verdicts[at] != BoundsVerdict::Residual;
    }
    for (at, verdict) in verdicts.iter_mut().enumerate() {
        if !seen[at] && relied(at) && *verdict != BoundsVerdict::Trusted {
            *verdict = BoundsVerdict::AtLaunch;
            f.never.push(AccessId::new(at));
        }
    }
    verdicts
}

/// Whether some launch might prove the check.
fn hopeful_check(survey: &Survey, check: &BoundCheck) -> bool {
    let limit = match check.limit {
        Limit::Array(_) => true,
        Limit::Known(n) => hopeful(survey, n, check.ctx),
        Limit::Unknown => matches!(check.subscript, Subscript::Divisor { .. } | Subscript::Nowhere),
    };
    limit
        && match check.subscript {
            Subscript::Divisor { of: _, by } => hopeful_divisor(survey, by, check.ctx),
            Subscript::Nowhere => {
                let known = |n| hopeful(survey, n, CtxId::ROOT);
                conditions(survey, check.ctx).iter().any(|(l, _, r)| known(*l) && known(*r))
            }
            Subscript::At(n) => hopeful(survey, n, check.ctx),
            Subscript::Range(lo, hi) => hopeful(survey, lo, check.ctx) && hopeful(survey, hi, check.ctx),
        }
}

/// Whether a launch may find that a value is not zero.
fn hopeful_divisor(survey: &Survey, node: NodeId, ctx: CtxId) -> bool {
    let one = match survey.forms.get(node).op {
        Op::Bin(Arith::Max, a, b) => hopeful(survey, a, ctx) || hopeful(survey, b, ctx),
        _ => false,
    };
    one || hopeful(survey, node, ctx) || has_condition(survey, node, ctx)
}

/// Whether the range of a value may be known to a launch.
fn hopeful(survey: &Survey, node: NodeId, ctx: CtxId) -> bool {
    let n = survey.forms.get(node);
    let small = n.ty.is_some_and(|t| t.size() <= 2);
    small
        || match n.op {
            Op::Const(_) => true,
            Op::Sym(s) => !matches!(survey.forms.syms[s.index()].0, Sym::Free(_)),
            Op::Var(v) => {
                let var = &survey.vars[v.index()];
                v.index() < survey.dims || (hopeful(survey, var.lo, ctx) && hopeful(survey, var.hi, ctx))
            }
            Op::Opaque(_) | Op::Method(..) | Op::Carried(..) | Op::After(..) => limited(survey, node, ctx),
            Op::Neg(a) | Op::Cast(a) => hopeful(survey, a, ctx) || limited(survey, node, ctx),
            Op::Not(_) => n.ty == Some(Prim::Bool),
            Op::Rel(..) => true,
            Op::Select(_, a, b) => {
                (hopeful(survey, a, ctx) && hopeful(survey, b, ctx)) || limited(survey, node, ctx)
            }
            Op::Bin(op, a, b) => {
                let one = match op {
                    Arith::Rem | Arith::RemEuclid => hopeful(survey, b, ctx),
                    Arith::AtMost | Arith::AtLeast => hopeful(survey, b, ctx),
                    Arith::And | Arith::Min => hopeful(survey, a, ctx) || hopeful(survey, b, ctx),
                    // What is shifted into place has few bits left.
                    Arith::Shr if n.ty.is_some_and(|t| !t.is_signed()) => hopeful(survey, b, ctx),
                    Arith::Add
                    | Arith::Sub
                    | Arith::Mul
                    | Arith::Div
                    | Arith::DivEuclid
                    | Arith::Shl
                    | Arith::Shr
                    | Arith::Or
                    | Arith::Xor
                    | Arith::Max
                    | Arith::SaturatingAdd
                    | Arith::SaturatingSub
                    | Arith::AbsDiff => hopeful(survey, a, ctx) && hopeful(survey, b, ctx),
                };
                one || limited(survey, node, ctx)
            }
        }
}

/// The conditions around.
fn conditions(survey: &Survey, ctx: CtxId) -> Vec<(NodeId, Rel, NodeId)> {
    let mut facts = Vec::new();
    for c in survey.chain(ctx) {
        if let CtxKind::Cond { cond, holds, .. } = survey.ctx(c).kind {
            survey.forms.conjuncts(cond, holds, &mut facts);
        }
    }
    facts
}

/// Whether a condition around says anything of the value.
fn has_condition(survey: &Survey, node: NodeId, ctx: CtxId) -> bool {
    conditions(survey, ctx).iter().any(|(l, _, r)| *l == node || *r == node)
}

/// Whether a condition around limits the value from above.
fn limited(survey: &Survey, node: NodeId, ctx: CtxId) -> bool {
    conditions(survey, ctx).iter().any(|(l, rel, r)| {
        (*l == node && matches!(rel, Rel::Lt | Rel::Le | Rel::Eq))
            || (*r == node && matches!(rel, Rel::Gt | Rel::Ge | Rel::Eq))
    })
}

/// More parallel dimensions than the conflict test is made for.
pub(super) fn too_deep(f: &Formulas) -> bool {
    f.dims.len() > MAX_SLOTS
}
