//! Dependences along a loop: whether a place is the one of the same iteration, or that of the iteration before.
use super::affine::{Atom, Op, Reader, Sum};
use super::effects::{bound_in, changed};
use super::recurrence::Root;
use super::value_numbering::Numbering;
use crate::ids::{CallId, LocalId, SlotId};
use crate::template::{Base, Block, Code, Place, Projection, Stmt};
use crate::visit;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

/// The question that the pass answers.
pub struct Question<'a> {
    /// The arenas.
    pub code: &'a Code,
    /// The body of the loop.
    pub block: &'a Block,
    /// Slots that the tokens call `usize`.
    pub usizes: &'a HashSet<SlotId>,
    /// Whether two calls are of the same function.
    pub same: &'a dyn Fn(CallId, CallId) -> bool,
    /// The first slot that is certainly of the same type.
    pub ty: &'a dyn Fn(SlotId) -> SlotId,
    /// The variable of the loop.
    pub var: LocalId,
    /// By how much it changes from one iteration to the next.
    pub step: i128,
}

/// The relation of a place that is read to one that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// The same element of the same iteration, or a part of it.
    Same,
    /// The element that the previous iteration has written.
    Before,
    /// Another field: they never overlap.
    Apart,
    /// Nothing of that is known.
    Unknown,
}

/// Decides a pair of places.
#[must_use]
pub fn relation(question: &Question<'_>, written: &Place, read: &Place) -> Relation {
    let bound = bound_in(question.block);
    // A slice that the body binds is another array in each iteration.
    if Root::of(written) != Root::of(read) || matches!(read.base, Base::Local(l) if bound.contains(&l)) {
        return Relation::Unknown;
    }
    if apart(written, read) {
        return Relation::Apart;
    }
    let [Some(own), Some(found)] = subscripts(question, &bound, [written, read]) else {
        return Relation::Unknown;
    };
    let (var, step) = (question.var, question.step);
    let all = |sums: &[Sum], moved: &dyn Fn(&Sum) -> Option<Sum>| {
        sums.iter().map(moved).collect::<Option<Vec<_>>>()
    };
    let alike = written.projections.len() == read.projections.len();
    // `i as usize`, and what it was the iteration before, `(i - 1) as usize` or `i as usize - 1`, are numbers that don't wrap, but in
    // the first iteration, of which the element is read as it is written. Else casts are the same only as themselves.
    let casts: [[&[i128]; 2]; 2] = [[&[0], &[0, -step]], [&[], &[]]];
    for [of_own, of_found] in casts {
        let Some(found) = all(&found, &|sum| moved(sum, (var, 0), of_found)) else { continue };
        let at = |by: i128| all(&own, &|sum| moved(sum, (var, by), of_own));
        if at(0).is_some_and(|own| own == found) {
            return Relation::Same;
        }
        if alike && at(-step).is_some_and(|before| before == found) {
            return Relation::Before;
        }
    }
    Relation::Unknown
}

/// By how much the only subscript of a place changes from one iteration to the next.
#[must_use]
pub fn stride(question: &Question<'_>, place: &Place) -> Option<i128> {
    let [Some(sums)] = subscripts(question, &bound_in(question.block), [place]) else { return None };
    let [sum] = &sums[..] else { return None };
    let at = |by| moved(sum, (question.var, by), &[]);
    at(question.step)?.and(-1, &at(0)?)?.constant()
}

/// Whether the ways to two places part at a field.
fn apart(a: &Place, b: &Place) -> bool {
    let name = |p: &Projection| match p {
        // Only the type determines which field a number from the end is; fields of variants may overlap.
        Projection::Field(name) if !name.contains(['-', '!', '?']) => Some(name.clone()),
        Projection::Field(_) | Projection::Index { .. } | Projection::Payload => None,
    };
    a.projections.iter().zip(&b.projections).any(|(a, b)| name(a).zip(name(b)).is_some_and(|(a, b)| a != b))
}

/// The subscripts of places: sums of the loop's variable and what is the same in all its iterations.
fn subscripts<const N: usize>(
    q: &Question<'_>,
    bound: &HashSet<LocalId>,
    places: [&Place; N],
) -> [Option<Vec<Sum>>; N] {
    let changed = changed(q.code, q.block);
    let varies = |base: Base| match base {
        Base::Local(l) => l == q.var || bound.contains(&l) || changed.contains(&base),
        Base::Array(_) | Base::Scalar(_) => changed.contains(&base),
        Base::Const(_) => false,
    };
    let mut inits = HashMap::new();
    visit::each_stmt(q.block, &mut |stmt| {
        if let Stmt::Let { local, init: Some(init) } = stmt
            && !q.code.locals[local.index()].mutable
            && !changed.contains(&Base::Local(*local))
        {
            inits.insert(*local, *init);
        }
    });
    let numbering = Numbering {
        code: q.code,
        same: q.same,
        ty: q.ty,
        varies: &varies,
        inits: &inits,
        nodes: RefCell::new(Vec::new()),
    };
    let mut reader = Reader {
        code: q.code,
        usizes: q.usizes,
        changed: changed.clone(),
        length: &|_, _| None,
        other: &|e| numbering.number(e).map(Atom::Value),
        values: HashMap::new(),
    };
    visit::each_stmt(q.block, &mut |stmt| {
        if let Stmt::Let { local, init: Some(init) } = stmt {
            reader.declare(*local, *init, &[]);
        }
    });
    let binds = |l: LocalId| l != q.var && varies(Base::Local(l));
    places.map(|place| {
        let index = |step: &Projection| match step {
            Projection::Index { index, .. } => Some(*index),
            Projection::Field(_) | Projection::Payload => None,
        };
        let sum = |e| reader.sum(e, &[]).filter(|sum| !sum.depends(&binds));
        place.projections.iter().filter_map(index).map(sum).collect()
    })
}

/// A sum with so much added to a variable, with products multiplied out. Casts of the variable with one of the numbers of `casts`
/// added are such sums; others are only the same as themselves.
fn moved(sum: &Sum, (var, by): (LocalId, i128), casts: &[i128]) -> Option<Sum> {
    let within = |sum: &Sum| moved(sum, (var, by), casts);
    let mut out = Sum::number(sum.plus);
    for (atom, factor) in &sum.terms {
        let value = match atom {
            Atom::Local(l) if *l == var => Sum::atom(atom.clone()).and(1, &Sum::number(by))?,
            Atom::Of(Op::Mul, a, b) => within(a)?.times(&within(b)?)?,
            Atom::Cast(of) => {
                let rest = of.and(-1, &Sum::atom(Atom::Local(var)))?.constant();
                let of_variable = rest.is_some_and(|n| casts.contains(&n));
                if of_variable { within(of)? } else { Sum::atom(Atom::Cast(Box::new(within(of)?))) }
            }
            other if other.depends(&|l| l == var, true) => return None,
            other => Sum::atom(other.clone()),
        };
        out = out.and(*factor, &value)?;
    }
    Some(out)
}
