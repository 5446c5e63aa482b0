//! Definite assignment of private copies: an iteration assigns a copy before it reads it.
//!
//! A read is *proved* if, on every path from the start of the iteration, everything that any iteration assigns of the
//! place is assigned before the read. Elements of arrays are intervals of subscripts ([`spans`]), which counted loops
//! extend. A read is *refuted* if no path assigns any of the place, or if the path that every iteration takes first
//! does not. Otherwise it is *unknown*: data decides.
mod ranges;
mod verdicts;

use super::affine::{Atom, Range, Reader, Sum};
use super::early_exit::may_leave;
use super::effects::{bound_in, changed};
use super::spans::{self, Access, At, Part};
use super::{Counted, Pass, Walk, iterates, meet};
use crate::ids::{AccessId, ExprId, LocalId, SlotId, SrcId};
use crate::template::{Base, Block, Code, Expr, Inner, Place, Projection, Scan, Stmt};
use crate::visit;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// A variable of which iterations have copies.
#[derive(Clone, Copy, Debug)]
pub struct Copy {
    /// The copy.
    pub local: LocalId,
    /// For an inner nest's copy: the variable around, from whose value it starts.
    pub of: Option<LocalId>,
    /// Its value after the last iteration is kept.
    pub last: bool,
}

/// The question that the pass answers.
pub struct Question<'a> {
    /// The body.
    pub code: &'a Code,
    /// It is a scan: each of its blocks is an iteration of its own.
    pub scan: Option<Scan>,
    /// The copies.
    pub copies: &'a [Copy],
    /// Captured arrays and scalars, which all iterations share, are followed as well.
    pub shared: bool,
    /// The length of an array, if it is known, by the number of subscripts before.
    pub length: &'a dyn Fn(Base, usize) -> Option<Sum>,
    /// Slots that the tokens call `usize`.
    pub usizes: &'a HashSet<SlotId>,
    /// Stores of a copy's value after the last iteration.
    pub keeps: &'a dyn Fn(&Stmt) -> bool,
}

/// How it was decided that an iteration reads only what it has assigned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It does.
    Proved,
    /// It does not: an earlier iteration assigns what is read, by this of [`Answer::writes`].
    Refuted(usize),
    /// Data decides: on some ways it does. The number is as above.
    Unknown(usize),
}

/// A read of a variable that is followed.
#[derive(Clone, Debug)]
pub struct Read {
    /// The variable.
    pub of: Base,
    /// What of it.
    pub at: Vec<At>,
    /// The last subscript.
    pub access: Option<AccessId>,
    /// It is lent by `&mut`.
    pub lent: bool,
    /// The expression.
    pub expr: ExprId,
    /// The inner copy that starts from this, and of which that is read.
    pub through: Option<LocalId>,
    /// Where.
    pub src: SrcId,
    /// Whether it is assigned.
    pub verdict: Verdict,
    /// The iteration has assigned all of it before, on every path.
    pub certain: bool,
    /// No iteration assigns any of it.
    pub unassigned: bool,
}

/// A write of a variable that is followed.
#[derive(Clone, Debug)]
pub struct Write {
    /// The variable.
    pub of: Base,
    /// What of it.
    pub at: Vec<At>,
    /// The last subscript.
    pub access: Option<AccessId>,
    /// It is lent by `&mut`, or it is a nest's value after its last iteration.
    pub lent: bool,
    /// Where.
    pub src: SrcId,
    ranges: Vec<Range>,
}

/// What was found.
#[derive(Debug, Default)]
pub struct Answer {
    /// In program order.
    pub reads: Vec<Read>,
    /// In program order.
    pub writes: Vec<Write>,
    /// What is kept of the last iteration's copies: proved if every iteration assigns all that any iteration assigns.
    pub kept: Vec<Read>,
    /// Copies of which an iteration may use what they start from.
    pub starts: BTreeSet<LocalId>,
}

/// Decides all reads of the copies.
#[must_use]
pub fn decide(question: &Question<'_>) -> Answer {
    let mut changed = changed(question.code, &question.code.block);
    changed.retain(|base| matches!(base, Base::Array(_)));
    changed.extend(question.copies.iter().map(|copy| Base::Local(copy.local)));
    let mut pass = Assignment {
        question,
        sums: Reader {
            code: question.code,
            usizes: question.usizes,
            changed,
            length: question.length,
            other: &|_| None,
            values: HashMap::new(),
        },
        ranges: Vec::new(),
        later: Vec::new(),
        each: HashMap::new(),
        nest: 0,
        lasts: Vec::new(),
        bound: HashSet::new(),
        parallel: 0,
        keeps: false,
        branches: 0,
        uses: Vec::new(),
        use_ids: HashMap::new(),
        writes: Vec::new(),
        write_ids: BTreeMap::new(),
    };
    let all = &question.code.block.0;
    let (blocks, rest) = all.split_at(if question.scan.is_some() { Scan::BLOCKS.min(all.len()) } else { 0 });
    for part in blocks.chunks(1).chain([rest]) {
        Walk::from(State::default()).stmts(&mut pass, part);
    }
    pass.answer()
}

/// What is assigned at the current statement.
#[derive(Clone, Debug, Default, PartialEq)]
struct State {
    /// On every way.
    facts: BTreeSet<Fact>,
    /// On some way: numbers of writes.
    may: BTreeSet<usize>,
    /// The branches that lead here.
    under: Vec<(usize, bool)>,
}

impl State {
    fn of(&self, base: Base) -> Vec<&[Part]> {
        self.facts.iter().filter(|(of, _)| *of == base).map(|(_, fact)| &fact[..]).collect()
    }

    /// The copy is a new one.
    fn forget(&mut self, local: LocalId, writes: &[Write]) {
        let base = Base::Local(local);
        self.facts.retain(|(of, _)| *of != base);
        self.may.retain(|w| writes[*w].of != base);
    }
}

/// A read, as the last walk through it has found it.
struct Use {
    read: Read,
    ranges: Vec<Range>,
    facts: Vec<Vec<Part>>,
    may: BTreeSet<usize>,
    /// Every iteration comes here, before any of this is assigned.
    first: Option<BTreeSet<usize>>,
    /// It reads the value after the last iteration.
    kept: bool,
    /// The variables that a nest binds, if it is its last iteration.
    bound: Option<HashSet<LocalId>>,
}

/// What each iteration of a loop assigns, and what it may.
#[derive(Clone, Default)]
struct Each {
    facts: Vec<Fact>,
    may: BTreeSet<usize>,
}

/// The range of a loop, as sums.
struct Steps {
    range: Range,
    every: bool,
    backwards: bool,
}

/// What is around an iteration.
#[derive(Clone, Copy)]
struct Inside<'a> {
    /// What the loop binds.
    binds: &'a dyn Fn(LocalId) -> bool,
    /// The loop is one of a nest's own.
    nest: bool,
    /// The copies of which the nest keeps the last, if it is the innermost of these.
    lasts: &'a [(Base, SrcId)],
}

/// A part of a variable that is assigned.
type Fact = (Base, Vec<Part>);

/// A place that an expression lends, and its position.
type Lent = (Base, Vec<At>, (Option<AccessId>, SrcId));

struct Assignment<'a> {
    question: &'a Question<'a>,
    sums: Reader<'a>,
    /// The ranges of the variables of the loops around.
    ranges: Vec<Range>,
    /// What is assigned if one of the variables is past its first value: what the earlier iterations have assigned.
    later: Vec<(Range, Vec<Fact>)>,
    /// By loop variable: the result of the first walk through the loop. When the fixpoint of a loop around repeats the walk, this
    /// result is used, although it is weaker. Otherwise the number of walks would grow exponentially with the depth of nests.
    each: HashMap<LocalId, Each>,
    /// How many of the next loops share the iterations of a nest.
    nest: u32,
    /// The copies whose last value the nest around keeps, and the position of the nest.
    lasts: Vec<(Base, SrcId)>,
    /// What that nest binds.
    bound: HashSet<LocalId>,
    /// How many of the ranges are of the nest's own loops, or around them.
    parallel: usize,
    /// The statement is one of [`Question::keeps`].
    keeps: bool,
    branches: usize,
    uses: Vec<Use>,
    use_ids: HashMap<(Base, ExprId), usize>,
    writes: Vec<Write>,
    write_ids: BTreeMap<(Base, SrcId, Vec<At>), usize>,
}

impl Pass for Assignment<'_> {
    type State = State;

    fn code(&self) -> &Code {
        self.question.code
    }

    fn join(a: &mut State, b: State) {
        let implied = |of: &State, by: &State| {
            let held = |(base, fact): &&Fact| spans::implied(&by.of(*base), fact);
            of.facts.iter().filter(held).cloned().collect::<Vec<_>>()
        };
        let both = [implied(a, &b), implied(&b, a)].concat();
        a.facts = both.into_iter().collect();
        a.may.extend(b.may);
        let common = a.under.iter().zip(&b.under).take_while(|(a, b)| a == b).count();
        if a.under.len() == common || b.under.len() == common {
            a.under.truncate(common);
            return;
        }
        let ends = a.under.len() == common + 1
            && b.under.len() == common + 1
            && a.under[common].0 == b.under[common].0;
        a.under.truncate(common);
        if !ends {
            a.under.push((usize::MAX, true));
        }
    }

    fn stmt(&mut self, state: &mut State, stmt: &Stmt) {
        self.keeps = (self.question.keeps)(stmt);
        if let Stmt::Let { local, .. } = stmt
            && self.is_followed(Base::Local(*local))
        {
            state.forget(*local, &self.writes);
            return;
        }
        let mut roots = Vec::new();
        visit::of_stmt(stmt, &mut |root| roots.push(root));
        let mut lent = Vec::new();
        for root in roots {
            visit::each_expr(self.question.code, root, &mut |e| self.reads(state, e, &mut lent));
        }
        self.keeps = false;
        for (base, at, from) in lent {
            self.write(state, base, at, from, true);
        }
        match stmt {
            Stmt::Let { local, init: Some(init) } => {
                self.sums.declare(*local, *init, &self.ranges);
            }
            Stmt::Assign { place, src, value: _ } => {
                if let Some((base, at, access)) = self.place(place) {
                    self.write(state, base, at, (access, *src), false);
                }
            }
            Stmt::Atomic { place, src, .. } => {
                if let Some((base, at, access)) = self.place(place) {
                    self.read(state, (base, at_statement(*src)), at.clone(), (access, *src), false);
                    self.write(state, base, at, (access, *src), false);
                }
            }
            _ => {}
        }
    }

    fn branch(&mut self, walk: &mut Walk<Self>, cond: ExprId, holds: bool, block: &Block) {
        let known = self.ranges.len();
        if holds {
            self.branches += 1;
        }
        let number = self.branches;
        let mut narrower = Vec::new();
        self.narrower(cond, holds, &mut narrower);
        if let Some(state) = &mut walk.state {
            state.under.push((number, holds));
            for range in &narrower {
                let before = |of: &Range| of.atom == range.atom && of.lo.is_below(&range.lo);
                let assigned = self.later.iter().filter(|(of, _)| before(of));
                state.facts.extend(assigned.flat_map(|(_, all)| all.clone()));
            }
        }
        self.ranges.extend(narrower);
        walk.block(self, block);
        self.ranges.truncate(known);
        // The other branch has the same number.
        self.branches = if holds { number } else { self.branches };
    }

    fn counted(&mut self, walk: &mut Walk<Self>, of: &Counted<'_>) {
        let nest = self.nest > 0;
        self.nest = self.nest.saturating_sub(1);
        let lasts = if nest && self.nest == 0 { std::mem::take(&mut self.lasts) } else { Vec::new() };
        let code = self.question.code;
        let runs = iterates(code, of.range);
        let mut bound = bound_in(of.body);
        bound.insert(of.var);
        let binds = |l: LocalId| bound.contains(&l);
        let steps = self.steps(of);
        let around = &self.ranges[self.parallel..];
        let changes = |l: LocalId| !around.iter().any(|r| r.atom == Atom::Local(l));
        let counted = steps.as_ref().map(|s| spans::Counted {
            range: s.range.clone(),
            every: s.every,
            backwards: s.backwards,
            fixed: !s.range.lo.depends(&changes) && !s.range.hi.depends(&changes),
            binds: &binds,
        });
        // Copies of a nest are new in each of its iterations.
        let copies = self.question.copies;
        let copy = |base: &Base| copies.iter().find(|c| Base::Local(c.local) == *base);
        let own = |base: &Base| nest && copy(base).is_some_and(|c| c.of.is_some());
        let before = walk.state.clone();
        let Some(entry) = before.clone() else { return };
        self.branches += 1;
        let number = self.branches;
        if let (false, Some(state)) = (runs, &mut walk.state) {
            state.under.push((number, true));
        }
        let each = match self.each.get(&of.var) {
            Some(each) => each.clone(),
            None => {
                let nested = self.nest;
                let mut first = Walk { state: walk.state.clone(), end: None, targets: HashMap::new() };
                let (end, _) = self.iteration(
                    &mut first,
                    of,
                    counted.as_ref(),
                    &[],
                    Inside { binds: &binds, nest, lasts: &[] },
                );
                self.nest = nested;
                let State { facts, may, .. } = end.unwrap_or_default();
                let facts = facts.into_iter().filter(|(base, _)| !own(base)).collect();
                let each = Each { facts, may };
                self.each.insert(of.var, each.clone());
                each
            }
        };
        if let Some(state) = &mut walk.state {
            state.may.extend(each.may);
        }
        let (end, left) = self.iteration(
            walk,
            of,
            counted.as_ref(),
            &each.facts,
            Inside { binds: &binds, nest, lasts: &lasts },
        );
        // After a `break`, some iterations don't run.
        let all = counted.as_ref().filter(|_| !left);
        walk.state = match end {
            None if runs => None,
            None => before,
            Some(end) => {
                let mut state = entry;
                for (base, fact) in &end.facts {
                    let behind = match all.filter(|_| !own(base)) {
                        Some(counted) => {
                            let lasting = copy(base).is_some_and(|c| c.last);
                            let each = lasting.then(|| counted.each(fact)).flatten();
                            [counted.after(fact, runs), each]
                        }
                        None => [(runs && !spans::depends(fact, &binds)).then(|| fact.clone()), None],
                    };
                    state.facts.extend(behind.into_iter().flatten().map(|fact| (*base, fact)));
                }
                if may_leave(&of.body.0, &mut vec![of.label]) {
                    state.under.push((number, false));
                }
                state.may.extend(end.may);
                Some(state)
            }
        };
    }

    fn inner(&mut self, walk: &mut Walk<Self>, inner: &Inner) {
        let Some(mut before) = walk.state.clone() else { return };
        for reduced in &inner.reductions {
            let target = Base::Local(reduced.target);
            if self.is_followed(target) {
                let key = (target, at_statement(inner.src));
                self.read(&before, key, vec![], (None, inner.src), false);
                self.write(&mut before, target, vec![], (None, inner.src), true);
            }
        }
        let mut inside = before.clone();
        inner.lasts.iter().for_each(|last| inside.forget(last.local, &self.writes));
        walk.state = Some(inside);
        self.nest = inner.loops;
        self.bound = bound_in(&inner.body);
        self.lasts = inner.lasts.iter().map(|last| (Base::Local(last.local), inner.src)).collect();
        walk.block(self, &inner.body);
        self.nest = 0;
        let Some(after) = &mut walk.state else { return };
        for last in &inner.lasts {
            let (own, target) = (Base::Local(last.local), Base::Local(last.target));
            let facts: Vec<Vec<Part>> = after.of(own).into_iter().map(<[Part]>::to_vec).collect();
            if self.is_followed(target) {
                after.facts.extend(facts.into_iter().map(|fact| (target, fact)));
            }
        }
    }
}

/// The id in place of an expression's, for a read by a statement itself.
const fn at_statement(src: SrcId) -> ExprId {
    ExprId(u32::MAX - src.0)
}

impl Assignment<'_> {
    fn copy(&self, base: Base) -> Option<&Copy> {
        self.question.copies.iter().find(|c| Base::Local(c.local) == base)
    }

    fn is_followed(&self, base: Base) -> bool {
        match base {
            Base::Local(_) => self.copy(base).is_some(),
            Base::Array(_) | Base::Scalar(_) => self.question.shared,
            Base::Const(_) => false,
        }
    }

    /// The copy or the variable around from whose value a copy starts.
    fn source(&self, base: Base) -> Option<Base> {
        self.copy(base)?.of.map(Base::Local)
    }

    /// One iteration of a loop, after iterations that have assigned `each`. Gives what is assigned at its end, and whether a `break` may
    /// make it the last one.
    fn iteration(
        &mut self,
        walk: &mut Walk<Self>,
        of: &Counted<'_>,
        counted: Option<&spans::Counted<'_>>,
        each: &[Fact],
        Inside { binds, nest, lasts }: Inside<'_>,
    ) -> (Option<State>, bool) {
        let (known, later, parallel) = (self.ranges.len(), self.later.len(), self.parallel);
        if let Some(c) = counted {
            self.ranges.push(c.range.clone());
            if nest {
                self.parallel = self.ranges.len();
            }
            if c.every
                && let Some(state) = &mut walk.state
            {
                let before = each.iter().filter_map(|(base, fact)| Some((*base, c.before(fact)?)));
                state.facts.extend(before);
            }
            let same =
                each.iter().filter(|(_, fact)| c.every && !c.backwards && !spans::depends(fact, binds));
            self.later.push((c.range.clone(), same.cloned().collect()));
        }
        let target = walk.labelled(self, of.label, of.body);
        let left = target.out.is_some();
        let mut end = walk.state.take();
        meet::<Self>(&mut end, target.next);
        meet::<Self>(&mut end, target.out);
        self.keeps = true;
        for (base, src) in lasts {
            if let Some(end) = &end {
                self.read(end, (*base, at_statement(*src)), vec![], (None, *src), false);
            }
        }
        self.keeps = false;
        self.ranges.truncate(known);
        self.later.truncate(later);
        self.parallel = parallel;
        (end, left)
    }

    /// The parts of variables that an expression itself reads; what it lends goes to `lent`.
    fn reads(&mut self, state: &State, e: ExprId, lent: &mut Vec<Lent>) {
        let node = &self.question.code.exprs[e.index()];
        let (place, mutable) = match &node.expr {
            Expr::Load(place) => (place, false),
            Expr::Borrow(place) => (place, true),
            Expr::Slice { base, mutable, .. } => (base, *mutable),
            _ => return,
        };
        let Some((of, mut at, mut access)) = self.place(place) else { return };
        if let Expr::Slice { lo, hi, access: own, .. } = &node.expr {
            access = own.or(access);
            if own.is_some() {
                let lo = lo.map_or_else(|| Some(Sum::default()), |lo| self.sum(lo));
                let depth = place.projections.len();
                let hi = hi.map_or_else(|| (self.question.length)(of, depth), |hi| self.sum(hi));
                at.push(At::Elements(lo.zip(hi)));
            }
        }
        self.read(state, (of, e), at.clone(), (access, node.src), mutable);
        if mutable {
            lent.push((of, at, (access, node.src)));
        }
    }

    fn read(
        &mut self,
        state: &State,
        (mut of, e): (Base, ExprId),
        at: Vec<At>,
        (access, src): (Option<AccessId>, SrcId),
        lent: bool,
    ) {
        let mut through = None;
        loop {
            let next = self.uses.len();
            let id = *self.use_ids.entry((of, e)).or_insert(next);
            let facts: Vec<Vec<Part>> = state.of(of).into_iter().map(<[Part]>::to_vec).collect();
            let first = state.under.is_empty().then(|| state.may.clone());
            let (ranges, may) = (self.ranges.clone(), state.may.clone());
            let own = Access { at: &at, ranges: &ranges };
            let length = |n: usize| (self.question.length)(of, n);
            let all = Access { at: &[], ranges: &[] };
            let certain = spans::holds(&state.of(of), &own, &all, &length, &|_| true);
            let (verdict, unassigned) = (Verdict::Proved, false);
            let read = Read {
                of,
                at: at.clone(),
                access,
                lent,
                expr: e,
                through,
                src,
                verdict,
                certain,
                unassigned,
            };
            let kept = self.keeps;
            let bound = self.copy(of).filter(|c| kept && c.of.is_some()).map(|_| self.bound.clone());
            let found = Use { read, ranges, facts, may, first, kept, bound };
            if id == next {
                self.uses.push(found);
            } else {
                let first = self.uses[id].first.take().or_else(|| found.first.clone());
                self.uses[id] = Use { first, ..found };
            }
            // A copy starts from the variable around: that is a read of it.
            match (of, self.source(of)) {
                (Base::Local(own), Some(source)) if !certain && !self.keeps && self.is_followed(source) => {
                    (through, of) = (Some(own), source);
                }
                _ => return,
            }
        }
    }

    fn write(
        &mut self,
        state: &mut State,
        of: Base,
        at: Vec<At>,
        (access, src): (Option<AccessId>, SrcId),
        lent: bool,
    ) {
        state.facts.extend(spans::fact(&at).map(|fact| (of, fact)));
        let mut next = Some(of);
        while let Some(of) = next.filter(|of| self.is_followed(*of)) {
            let number = self.writes.len();
            let id = *self.write_ids.entry((of, src, at.clone())).or_insert(number);
            let write = Write { of, at: at.clone(), access, lent, src, ranges: self.ranges.clone() };
            if id == number {
                self.writes.push(write);
            } else {
                self.writes[id] = write;
            }
            state.may.insert(id);
            // A copy that a nest ends, or whose last value it keeps, changes the variable around.
            next = self.source(of);
        }
    }

    /// The variable of a place, the access path in it, and the last subscript.
    fn place(&self, place: &Place) -> Option<(Base, Vec<At>, Option<AccessId>)> {
        if !self.is_followed(place.base) {
            return None;
        }
        let (mut at, mut access) = (Vec::new(), None);
        for step in &place.projections {
            at.push(match step {
                Projection::Field(name) if !name.starts_with('-') => At::Name(name.clone()),
                Projection::Index { index, access: own } => {
                    access = Some(*own);
                    At::Elements(self.sum(*index).and_then(|at| Some((at.clone(), at.next()?))))
                }
                // Only the type determines which field it is.
                Projection::Field(_) | Projection::Payload => break,
            });
        }
        Some((place.base, at, access))
    }
}
