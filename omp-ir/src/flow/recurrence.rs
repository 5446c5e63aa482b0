//! Recurrences: which statements of an iteration compute what a scan adds up, and which need the values that it carries.
//!
//! The body of the loop is cut into parts, one for each statement of the user's. A part *folds* if it updates a carried value,
//! or if it depends on no carried value and stores nothing. The parts that fold are run twice: first to compute what the
//! iterations add up to, and then with all other parts, once the carried values are known. So an update may depend on nothing that is
//! carried or that its own iteration has stored.
use super::update_form::{Form, Kind, Use};
use crate::ids::{AccessId, ExprId, SrcId};
use crate::template::{Base, Code, Expr, LocalKind, Place, Projection, Stmt};
use crate::visit;
use std::collections::{BTreeSet, HashMap, HashSet};

/// The question that the pass answers.
pub struct Question<'a> {
    /// The arenas.
    pub code: &'a Code,
    /// The statements of an iteration.
    pub parts: &'a [&'a [Stmt]],
    /// What is carried from one iteration to the next.
    pub carried: &'a [Carried<'a>],
}

/// A carried value.
pub struct Carried<'a> {
    /// Its place.
    pub root: Root,
    /// What the body does with it.
    pub uses: &'a [Use],
    /// Whether an assignment is an update by its operator.
    pub fits: &'a dyn Fn(&Form) -> bool,
}

/// A variable or an array, or a field of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Root {
    /// The variable or array.
    pub base: Base,
    /// The fields that lead from there, up to the first subscript.
    pub fields: Vec<String>,
}

impl Root {
    /// Of a place.
    #[must_use]
    pub fn of(place: &Place) -> Self {
        let field = |p: &Projection| match p {
            Projection::Field(name) => Some(name.clone()),
            Projection::Index { .. } | Projection::Payload => None,
        };
        Self { base: place.base, fields: place.projections.iter().map_while(field).collect() }
    }

    /// Whether one of two is the other or a part of it.
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        let n = self.fields.len().min(other.fields.len());
        self.base == other.base && self.fields[..n] == other.fields[..n]
    }
}

/// Why a part can't stand in a scan.
#[derive(Clone, Debug, PartialEq)]
pub enum Wrong {
    /// A carried value (by its number) is assigned, but not by its operator.
    Assigned(usize, Form, SrcId),
    /// It is changed otherwise.
    Changed(usize, SrcId, Option<AccessId>),
    /// It is updated with what the same iteration stores before.
    Stored(Root),
    /// The part updates it, and stores.
    Stores(Root),
    /// It is updated with what depends on a carried value, or under such a condition.
    Depends(Root),
}

/// Which parts fold.
///
/// # Errors
/// The first part that can't stand in a scan, and the reason.
pub fn folds(question: &Question<'_>) -> Result<Vec<bool>, (usize, Wrong)> {
    let carried: BTreeSet<Root> = question.carried.iter().map(|c| c.root.clone()).collect();
    // The values that depend on a carried value, the places that the iteration has stored to, and copies of the stored values.
    let (mut tainted, mut stored, mut copied) = (carried, BTreeSet::new(), BTreeSet::new());
    let found = |reads: &BTreeSet<Root>, of: &BTreeSet<Root>| {
        reads.iter().find(|read| of.iter().any(|root| root.overlaps(read))).cloned()
    };
    let effects = Effects::new(question);
    let mut all = Vec::new();
    for (n, part) in question.parts.iter().enumerate() {
        let part = effects.of(part);
        if let Some(wrong) = part.wrong {
            return Err((n, wrong));
        }
        let is_stored = found(&part.reads, &stored).or_else(|| found(&part.reads, &copied));
        let depends = found(&part.reads, &tainted);
        let folds = part.updates || depends.is_none() && is_stored.is_none() && part.stores.is_empty();
        if part.updates {
            let stores = part.stores.first().cloned().map(Wrong::Stores);
            if let Some(wrong) = is_stored.map(Wrong::Stored).or(stores).or(depends.map(Wrong::Depends)) {
                return Err((n, wrong));
            }
        } else if !folds {
            if is_stored.is_some() {
                copied.extend(part.assigns.iter().cloned());
            }
            tainted.extend(part.assigns);
        }
        stored.extend(part.stores);
        all.push(folds);
    }
    Ok(all)
}

/// What a part does.
#[derive(Default)]
struct Part {
    /// It updates a carried value.
    updates: bool,
    /// What it reads, except the values that it updates.
    reads: BTreeSet<Root>,
    /// The arrays that it changes.
    stores: BTreeSet<Root>,
    /// The variables that it declares or changes.
    assigns: BTreeSet<Root>,
    wrong: Option<Wrong>,
}

struct Effects<'a> {
    q: &'a Question<'a>,
    /// The assignments of carried values, by what they assign or by the nest that does.
    forms: HashMap<(Option<ExprId>, SrcId), (usize, &'a Form)>,
    /// The loads of carried values that are no part of an update.
    reads: HashSet<ExprId>,
}

impl<'a> Effects<'a> {
    fn new(q: &'a Question<'a>) -> Self {
        let (mut forms, mut reads) = (HashMap::new(), HashSet::new());
        for (n, carried) in q.carried.iter().enumerate() {
            for u in carried.uses {
                match &u.kind {
                    Kind::Assigned(form) => {
                        forms.insert((u.value, u.src), (n, form));
                    }
                    Kind::Read => reads.extend(u.value),
                    Kind::Lent => {}
                }
            }
        }
        Self { q, forms, reads }
    }

    fn of(&self, part: &[Stmt]) -> Part {
        let mut found = Part::default();
        for stmt in part {
            self.stmt(stmt, &mut found);
        }
        found
    }

    fn stmt(&self, stmt: &Stmt, part: &mut Part) {
        visit::of_stmt(stmt, &mut |root| {
            visit::each_expr(self.q.code, root, &mut |e| self.expr(e, part));
        });
        let mut assigns = |local| {
            part.assigns.insert(Root { base: Base::Local(local), fields: Vec::new() });
        };
        match stmt {
            Stmt::Let { local, .. } => assigns(*local),
            Stmt::For { var, .. } => assigns(*var),
            Stmt::Atomic { place, old, new, src, .. } => {
                assigns(*old);
                new.iter().copied().for_each(assigns);
                part.reads.insert(Root::of(place));
                self.changes(place, *src, part);
            }
            Stmt::Assign { place, value, src } => self.assigned(place, *value, *src, part),
            Stmt::Inner(inner) => {
                let reduced = inner.reductions.iter().flat_map(|r| [r.local, r.target]);
                let lasts = inner.lasts.iter().flat_map(|l| [l.local, l.target]);
                reduced.chain(lasts).for_each(assigns);
                self.form(None, inner.src, part);
            }
            _ => {}
        }
        for block in visit::blocks_of(stmt).into_iter().flatten() {
            block.0.iter().for_each(|stmt| self.stmt(stmt, part));
        }
    }

    fn expr(&self, e: ExprId, part: &mut Part) {
        let node = &self.q.code.exprs[e.index()];
        match &node.expr {
            Expr::Load(place) => {
                let root = Root::of(place);
                if self.reads.contains(&e) || self.q.carried.iter().all(|c| c.root != root) {
                    part.reads.insert(root);
                }
            }
            Expr::Borrow(place) | Expr::Slice { base: place, mutable: true, .. } => {
                part.reads.insert(Root::of(place));
                self.changes(place, node.src, part);
            }
            Expr::Slice { base: place, mutable: false, .. } => {
                part.reads.insert(Root::of(place));
            }
            _ => {}
        }
    }

    fn assigned(&self, place: &Place, value: ExprId, src: SrcId, part: &mut Part) {
        let root = Root::of(place);
        if self.q.carried.iter().any(|c| c.root == root && place.projections.len() == root.fields.len()) {
            return self.form(Some(value), src, part);
        }
        if !place.projections.is_empty() && matches!(place.base, Base::Local(_)) {
            // The rest of the variable keeps its value.
            part.reads.insert(root);
        }
        self.changes(place, src, part);
    }

    /// An assignment of a carried value.
    fn form(&self, value: Option<ExprId>, src: SrcId, part: &mut Part) {
        // In code that is never reached, there is none.
        let Some((n, form)) = self.forms.get(&(value, src)) else { return };
        if (self.q.carried[*n].fits)(form) {
            part.updates = true;
        } else if **form != Form::Keep {
            part.wrong.get_or_insert_with(|| Wrong::Assigned(*n, (*form).clone(), src));
        }
    }

    /// A place may have another value afterwards.
    fn changes(&self, place: &Place, src: SrcId, part: &mut Part) {
        let root = Root::of(place);
        if let Some(n) = self.q.carried.iter().position(|c| c.root.overlaps(&root)) {
            let access = place.projections.iter().rev().find_map(|p| match p {
                Projection::Index { access, .. } => Some(*access),
                Projection::Field(_) | Projection::Payload => None,
            });
            part.wrong.get_or_insert(Wrong::Changed(n, src, access));
        }
        // The elements of a private copy outlive the part of an iteration that is run twice.
        let keeps =
            |kind| matches!(kind, LocalKind::Private(_)) && place.projections.len() > root.fields.len();
        match place.base {
            Base::Local(l) if !keeps(self.q.code.locals[l.index()].kind) => part.assigns.insert(root),
            _ => part.stores.insert(root),
        };
    }
}
