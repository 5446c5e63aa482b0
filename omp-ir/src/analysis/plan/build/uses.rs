//! The captured integers that can change the decisions of a launch: those in subscripts, in bounds of loops, and in
//! conditions on either.
use crate::analysis::form::{NodeId, Op, Sym};
use crate::analysis::survey::{Adapt, CtxKind, Limit, Step, Subscript, Survey};
use crate::ids::ScalarId;
use std::collections::BTreeSet;

/// All that a launch's facts may depend on. [`crate::analysis::plan::LaunchPlan::decide`] is given no others.
pub(in crate::analysis::plan) fn scalars(survey: &Survey) -> BTreeSet<ScalarId> {
    let mut values: Vec<NodeId> = Vec::new();
    for v in &survey.vars {
        values.extend([v.lo, v.hi]);
        values.extend(v.adaptors.iter().filter_map(|a| match a {
            Adapt::By(s) => Some(*s),
            Adapt::Rev => None,
        }));
    }
    for t in &survey.touches {
        values.extend(t.path.iter().filter_map(|s| match s {
            Step::Index(n) => Some(*n),
            Step::Field(_) => None,
        }));
    }
    for c in &survey.checks {
        match c.subscript {
            Subscript::At(n) => values.push(n),
            Subscript::Range(lo, hi) => values.extend([lo, hi]),
            Subscript::Divisor { of, by } => values.extend(of.into_iter().chain([by])),
            Subscript::Nowhere => {}
        }
        if let Limit::Known(n) = c.limit {
            values.push(n);
        }
    }
    values.extend(survey.checked.iter().flat_map(|c| [c.a, c.b]));
    let mut unknowns = BTreeSet::new();
    for n in &values {
        survey.forms.visit(*n, &mut |_, node| {
            if let Op::Opaque(o) = node.op {
                unknowns.insert(o);
            }
        });
    }
    // If a value has no other use, what it is compared with decides nothing.
    let says = |n: NodeId| {
        let mut known = true;
        survey.forms.visit(n, &mut |_, node| {
            known &= !matches!(node.op, Op::Opaque(o) if !unknowns.contains(&o));
        });
        known
    };
    let mut conditions = Vec::new();
    for ctx in &survey.ctxs {
        if let CtxKind::Cond { cond, .. } = ctx.kind {
            survey.forms.comparisons(cond, &mut conditions);
        }
    }
    values.extend(conditions.into_iter().filter(|n| says(*n)));
    let mut found = BTreeSet::new();
    for n in values {
        survey.forms.visit(n, &mut |_, node| {
            if let Op::Sym(s) = node.op
                && let Sym::Scalar(scalar) = survey.forms.syms[s.index()].0
            {
                found.insert(scalar);
            }
        });
    }
    found
}
