//! Dependences along a loop: whether a place is the one of the same iteration, or that of the iteration before; and whether
//! the iterations of an inner nest have elements of their own.
use super::affine::{Atom, Op, Reader, Sum};
use super::effects::{bound_in, changed};
use super::recurrence::Root;
use super::slices::place_of;
use super::value_numbering::Numbering;
use crate::ids::{AccessId, CallId, ExprId, LocalId, SlotId, SrcId};
use crate::template::{Base, Block, Code, Expr, Inner, Place, Projection, Stmt};
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

/// An array around a nest, of which the iterations of the nest write elements.
pub struct Written {
    /// The variable, or a field of it.
    pub root: Root,
    /// The last subscript of the first write.
    pub access: Option<AccessId>,
    /// Where the first write is.
    pub src: SrcId,
    /// Each iteration accesses elements of its own: each variable of the nest is a subscript, the same one in all accesses.
    pub own: bool,
}

/// The variables around a nest of which its iterations write elements, in program order.
#[must_use]
pub fn written_elements(code: &Code, nest: &Inner) -> Vec<Written> {
    let bound = bound_in(&nest.body);
    let around = |place: &Place| matches!(place.base, Base::Local(l) if !bound.contains(&l));
    let (mut accesses, mut written): (Vec<&Place>, Vec<Written>) = (Vec::new(), Vec::new());
    visit::each_stmt(&nest.body, &mut |stmt| {
        // What is checked is no access.
        if matches!(stmt, Stmt::Check { .. }) {
            return;
        }
        let mut found: Vec<(&Place, SrcId, bool)> = Vec::new();
        visit::of_stmt(stmt, &mut |root| {
            visit::each_expr(code, root, &mut |e| {
                let node = &code.exprs[e.index()];
                let writes = match &node.expr {
                    Expr::Len(_) => return,
                    Expr::Borrow(place) => indices(place).next().is_some(),
                    Expr::Slice { mutable, .. } => *mutable,
                    _ => false,
                };
                found.extend(place_of(&node.expr).map(|place| (place, node.src, writes)));
            });
        });
        if let Stmt::Assign { place, src, .. } | Stmt::Atomic { place, src, .. } = stmt {
            found.push((place, *src, indices(place).next().is_some()));
        }
        for (place, src, writes) in found.into_iter().filter(|(place, ..)| around(place)) {
            let root = Root::of(place);
            if writes && written.iter().all(|w| w.root != root) {
                let access = indices(place).last().map(|(access, _)| access);
                written.push(Written { root, access, src, own: false });
            }
            accesses.push(place);
        }
    });
    let names = copies_of_variables(code, nest);
    for of in &mut written {
        let accesses = accesses.iter().filter(|place| Root::of(place).overlaps(&of.root));
        let accesses: Vec<Vec<Option<LocalId>>> =
            accesses.map(|place| indices(place).map(|(_, e)| variable(code, &names, e)).collect()).collect();
        of.own = variables(nest).all(|var| {
            let at = accesses.first().and_then(|first| first.iter().position(|of| *of == Some(var)));
            at.is_some_and(|at| accesses.iter().all(|of| of.get(at) == Some(&Some(var))))
        });
    }
    written
}

fn indices(place: &Place) -> impl Iterator<Item = (AccessId, ExprId)> {
    place.projections.iter().filter_map(|step| match step {
        Projection::Index { access, index } => Some((*access, *index)),
        Projection::Field(_) | Projection::Payload => None,
    })
}

/// The variables of the parallel loops of a nest.
fn variables(nest: &Inner) -> impl Iterator<Item = LocalId> {
    let mut block = Some(&nest.body);
    (0..nest.loops).map_while(move |_| {
        let (var, body) = block?.0.iter().find_map(|stmt| match stmt {
            Stmt::For { var, body, .. } => Some((*var, body)),
            _ => None,
        })?;
        block = Some(body);
        Some(var)
    })
}

/// The immutable names that a nest gives its variables, `let j = k;`, and the variables themselves.
fn copies_of_variables(code: &Code, nest: &Inner) -> HashMap<LocalId, LocalId> {
    let mut names: HashMap<LocalId, LocalId> = variables(nest).map(|var| (var, var)).collect();
    visit::each_stmt(&nest.body, &mut |stmt| {
        if let Stmt::Let { local, init: Some(init) } = stmt
            && !code.locals[local.index()].mutable
            && let Some(var) = variable(code, &names, *init)
        {
            names.insert(*local, var);
        }
    });
    names
}

/// The variable that an expression is, under one of its names.
fn variable(code: &Code, names: &HashMap<LocalId, LocalId>, e: ExprId) -> Option<LocalId> {
    match &code.exprs[e.index()].expr {
        Expr::Load(Place { base: Base::Local(local), projections }) if projections.is_empty() => {
            names.get(local).copied()
        }
        _ => None,
    }
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
        let sum = |(_, e)| reader.sum(e, &[]).filter(|sum| !sum.depends(&binds));
        indices(place).map(sum).collect()
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
