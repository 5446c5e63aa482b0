//! Counted loops. A `while` loop that compares a variable with a bound, and moves it by a number in every iteration, is a `for` loop:
//!
//! ```text
//! let mut j = 0;                            let mut j = 0;
//! while j < m {                             for j in 0..m {
//!     sum += x[j];                =>            sum += x[j];
//!     j += 1;                               }
//! }
//! ```
//!
//! So the launch plan knows the range of its subscripts, and it gets the schedules of such loops. Where the variable is used after the loop, it
//! keeps its values. Inclusive ranges that end with a number are ranges to the next one.
use super::induction::Substitution;
use super::typer::constant::Constants;
use omp_ir::desc::Prim;
use omp_ir::flow::effects;
use omp_ir::flow::slices::whole;
use omp_ir::ids::{ExprId, LabelId, LocalId, SrcId, TyId};
use omp_ir::kernel::{TypedCode, Types};
use omp_ir::template::{Adaptor, Base, BinOp, Block, Expr, Local, LocalKind, Range, Stmt, TyRef, UnOp};
use omp_ir::visit;
use std::collections::BTreeSet;

/// Makes counted loops of those that are, in a body.
pub(super) fn apply(types: &Types, code: &mut TypedCode, usize_ty: TyId) {
    let mut is_one = false;
    visit::each_stmt(&code.code.block, &mut |stmt| {
        is_one |= match stmt {
            Stmt::Loop { .. } => true,
            Stmt::For { range, .. } => range.inclusive,
            _ => false,
        };
    });
    if !is_one {
        return;
    }
    let mut borrowed = BTreeSet::new();
    visit::each_live_expr(&code.code, &mut |e| {
        effects::borrowed(&code.code, e, &mut |base| borrowed.extend(base.local()));
    });
    let constants = Constants::of(types, code);
    let mut block = std::mem::take(&mut code.code.block);
    let of = Substitution { types, code, constants, indices: BTreeSet::new(), usize_ty };
    let mut pass = Counting { of, borrowed };
    pass.block(&mut block);
    pass.of.code.code.block = block;
}

struct Counting<'a> {
    of: Substitution<'a>,
    borrowed: BTreeSet<LocalId>,
}

/// A loop that counts.
struct Found {
    counter: LocalId,
    bound: ExprId,
    /// The bound is the last value.
    with_bound: bool,
    down: bool,
    by: i128,
    /// The assignment's place among the statements after the condition.
    at: usize,
    src: SrcId,
}

impl Counting<'_> {
    fn block(&mut self, block: &mut Block) {
        for at in 0..block.0.len() {
            if !matches!(block.0[at], Stmt::Inner(_)) {
                for inner in visit::blocks_of_mut(&mut block.0[at]).into_iter().flatten() {
                    self.block(inner);
                }
            }
            let (before, rest) = block.0.split_at_mut(at);
            let (this, after) = rest.split_first_mut().expect("a statement is there");
            match this {
                Stmt::For { var, range, .. } => self.exclusive(*var, range),
                Stmt::Loop { label, body } => {
                    if let Some(found) = self.found(*label, body) {
                        let mut statements = std::mem::take(body);
                        statements.0.remove(0);
                        let ends = self.is_used(found.counter, before, after);
                        *this = self.counted(*label, statements, &found, before, ends);
                    }
                }
                _ => {}
            }
        }
    }

    /// `lo..=7` is `lo..8`.
    fn exclusive(&mut self, var: LocalId, range: &mut Range) {
        let Some(hi) = range.hi.filter(|_| range.inclusive) else { return };
        if let (Some(prim), Some(last)) = (self.prim(var), self.of.number(hi))
            && prim.int_range().is_some_and(|(_, most)| last < most)
        {
            let src = self.of.code.code.exprs[hi.index()].src;
            range.hi = Some(self.literal(last + 1, var, src));
            range.inclusive = false;
        }
    }

    fn prim(&self, local: LocalId) -> Option<Prim> {
        self.of.types.prim(self.of.code.local_ty[local.index()]).filter(|p| p.is_int() && p.size() <= 8)
    }

    /// What a loop counts, if it does.
    fn found(&self, label: LabelId, body: &Block) -> Option<Found> {
        let [Stmt::If { cond, then, els }, rest @ ..] = body.0.as_slice() else { return None };
        if then.0 != [Stmt::Break(label)] || !els.0.is_empty() {
            return None;
        }
        let (holds, cond) = match self.of.expr(*cond) {
            Expr::Unary(UnOp::Not, inner) => (true, *inner),
            _ => (false, *cond),
        };
        let Expr::Binary(op, a, b) = *self.of.expr(cond) else { return None };
        let op = if holds { op } else { negated(op)? };
        [(op, a, b), (flipped(op)?, b, a)]
            .into_iter()
            .find_map(|(op, counter, bound)| self.counts(label, rest, (op, counter, bound)))
    }

    fn counts(
        &self,
        label: LabelId,
        rest: &[Stmt],
        (op, counter, bound): (BinOp, ExprId, ExprId),
    ) -> Option<Found> {
        let Expr::Load(place) = self.of.expr(counter) else { return None };
        let counter = whole(place)?;
        let (least, most) = self.prim(counter)?.int_range()?;
        let kind = self.of.code.code.locals[counter.index()].kind;
        if !matches!(kind, LocalKind::User | LocalKind::Temp) || self.borrowed.contains(&counter) {
            return None;
        }
        let mut changes = rest.iter().enumerate().filter(|(_, stmt)| self.of.changes(stmt, counter));
        let (Some((at, Stmt::Assign { place, value, src })), None) = (changes.next(), changes.next()) else {
            return None;
        };
        let (down, by) = match *self.of.expr(*value) {
            Expr::Binary(BinOp::Add, a, b) if self.of.is_load(a, counter) => (false, b),
            Expr::Binary(BinOp::Add, a, b) if self.of.is_load(b, counter) => (false, a),
            Expr::Binary(BinOp::Sub, a, b) if self.of.is_load(a, counter) => (true, b),
            _ => return None,
        };
        let by = self.of.number(by).filter(|by| *by > 0 && whole(place) == Some(counter))?;
        let number = self.of.number(bound);
        // Whether the last value, and the one after it, are in the type: otherwise, the loop goes on with those that wrap, or fails.
        let fits = || match self.of.expr(bound) {
            Expr::Len(_) => by < 1 << 16,
            Expr::Cast { value, .. } => {
                let from = self.of.types.prim(self.of.code.expr_ty[value.index()]);
                from.and_then(Prim::int_range)
                    .is_some_and(|(first, last)| first.min(0) >= least && last + by <= most)
            }
            _ => number.is_some_and(|last| last + by <= most),
        };
        let with_bound = match (down, op) {
            (false, BinOp::Lt) if by == 1 || fits() => false,
            (false, BinOp::Le) if fits() => true,
            (true, BinOp::Gt) if by == 1 => false,
            (true, BinOp::Ne) if by == 1 && least == 0 && number == Some(0) => false,
            (true, BinOp::Ge) if by == 1 && number.is_some_and(|last| last > least) => true,
            _ => return None,
        };
        let all = Block(rest.to_vec());
        let changed = effects::changed(&self.of.code.code, &all);
        let outside = !effects::bound_in(&all).contains(&counter);
        let mut goes_on = false;
        visit::each_stmt(&Block(rest[..at].to_vec()), &mut |stmt| goes_on |= *stmt == Stmt::Continue(label));
        (outside && !goes_on && self.of.is_fixed(bound, &changed, &all)).then_some(Found {
            counter,
            bound,
            with_bound,
            down,
            by,
            at,
            src: *src,
        })
    }

    /// Whether the loop's last value may be used. (What follows the loop might be skipped, also a new value.)
    fn is_used(&self, counter: LocalId, before: &[Stmt], after: &[Stmt]) -> bool {
        let declared = before.iter().any(|stmt| gives(stmt, counter));
        !declared || after.iter().any(|stmt| self.of.names(stmt, counter))
    }

    /// The loop, with a variable of its own.
    fn counted(
        &mut self,
        label: LabelId,
        mut body: Block,
        found: &Found,
        before: &[Stmt],
        is_used: bool,
    ) -> Stmt {
        let Found { counter, bound, with_bound, down, by, at, src } = *found;
        let start = self.start(counter, before, src);
        let bound = match (with_bound, self.of.number(bound)) {
            (false, _) => self.of.code.copy(bound),
            (true, Some(n)) => self.literal(if down { n - 1 } else { n + 1 }, counter, src),
            (true, None) => {
                let (copy, one) = (self.of.code.copy(bound), self.literal(1, counter, src));
                self.sum(copy, one, counter, src)
            }
        };
        let name = self.of.code.code.locals[counter.index()].name.clone();
        let var = LocalId::new(self.of.code.code.locals.len());
        self.of.code.code.locals.push(Local { name, kind: LocalKind::Loop, slot: None, mutable: false });
        self.of.code.local_ty.push(self.of.code.local_ty[counter.index()]);
        for (n, stmt) in body.0.iter().enumerate().filter(|(n, _)| *n != at) {
            let mut loads = Vec::new();
            visit::each_stmt(&Block(vec![stmt.clone()]), &mut |stmt| {
                visit::of_stmt(stmt, &mut |root| {
                    visit::each_expr(&self.of.code.code, root, &mut |e| {
                        loads.extend(self.of.is_load(e, counter).then_some(e));
                    });
                });
            });
            // Going down, the range has the values after the assignment.
            let moved = if (n > at) == down { 0 } else { by };
            for e in loads {
                let src = self.of.code.code.exprs[e.index()].src;
                let value = self.value(var, moved, src);
                self.of.code.code.exprs[e.index()].expr = self.of.expr(value).clone();
            }
        }
        if is_used {
            let value = self.value(var, if down { 0 } else { by }, src);
            body.0[at] = Stmt::Assign { place: Base::Local(counter).into(), value, src };
        } else {
            body.0.remove(at);
        }
        let (lo, hi) = if down { (bound, start) } else { (start, bound) };
        let adaptors = match (down, by) {
            (true, _) => vec![Adaptor::Rev],
            (false, 1) => Vec::new(),
            (false, by) => {
                let by = u64::try_from(by).expect("it is positive and in its type");
                vec![Adaptor::StepBy(Some(self.of.int(by, src)))]
            }
        };
        let range = Range { lo: Some(lo), hi: Some(hi), inclusive: false, adaptors };
        Stmt::For { label, var, range, body, src }
    }

    /// The value before the loop: a number, if the statements before it say so.
    fn start(&mut self, counter: LocalId, before: &[Stmt], src: SrcId) -> ExprId {
        let last = before.iter().rev().find(|stmt| self.of.changes(stmt, counter) || gives(stmt, counter));
        let value = match last {
            Some(Stmt::Let { init: Some(value), .. }) => Some(*value),
            Some(Stmt::Assign { place, value, .. }) if whole(place) == Some(counter) => Some(*value),
            _ => None,
        };
        match value.and_then(|value| self.of.number(value)) {
            Some(n) => self.literal(n, counter, src),
            None => self.load(counter, src),
        }
    }

    fn value(&mut self, var: LocalId, moved: i128, src: SrcId) -> ExprId {
        let value = self.load(var, src);
        if moved == 0 {
            return value;
        }
        let by = self.literal(moved, var, src);
        self.sum(value, by, var, src)
    }

    fn load(&mut self, local: LocalId, src: SrcId) -> ExprId {
        let ty = self.of.code.local_ty[local.index()];
        self.of.code.push(Expr::Load(Base::Local(local).into()), ty, src)
    }

    fn sum(&mut self, a: ExprId, b: ExprId, of: LocalId, src: SrcId) -> ExprId {
        let ty = self.of.code.local_ty[of.index()];
        self.of.code.push(Expr::Binary(BinOp::Add, a, b), ty, src)
    }

    /// A number of a variable's type.
    fn literal(&mut self, n: i128, of: LocalId, src: SrcId) -> ExprId {
        let ty = self.of.code.local_ty[of.index()];
        let prim = self.prim(of).expect("it is an integer");
        let literal = Expr::Int { value: n.unsigned_abs(), negative: n < 0, ty: TyRef::Prim(prim) };
        self.of.code.push(literal, ty, src)
    }
}

/// Whether a statement declares the variable.
fn gives(stmt: &Stmt, local: LocalId) -> bool {
    matches!(stmt, Stmt::Let { local: declared, .. } if *declared == local)
}

fn negated(op: BinOp) -> Option<BinOp> {
    Some(match op {
        BinOp::Lt => BinOp::Ge,
        BinOp::Le => BinOp::Gt,
        BinOp::Gt => BinOp::Le,
        BinOp::Ge => BinOp::Lt,
        BinOp::Eq => BinOp::Ne,
        _ => return None,
    })
}

/// With the sides exchanged.
fn flipped(op: BinOp) -> Option<BinOp> {
    Some(match op {
        BinOp::Lt => BinOp::Gt,
        BinOp::Le => BinOp::Ge,
        BinOp::Gt => BinOp::Lt,
        BinOp::Ge => BinOp::Le,
        BinOp::Eq | BinOp::Ne => op,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use kernel_samples::build::{F32, Region, U8, USIZE, X, count};
    use omp_ir::ids::LabelId;
    use omp_ir::template::Stmt;
    use omp_ir::visit;

    /// Whether `let mut j = 0; while cond(j, m) { body }` is a counted loop, and is left with assignments to `j`.
    fn loops(
        cond: impl FnOnce(&X, &X) -> X,
        body: impl FnOnce(&mut Region, &X, &X, LabelId),
        after: impl FnOnce(&mut Region, &X),
    ) -> (bool, usize) {
        let mut r = Region::new("counts");
        let a = r.array("a", &F32);
        let m = r.scalar("m", &USIZE);
        let i = r.dim("i", count(0, 100));
        let j = r.let_mut("j", &i * 8);
        r.while_(cond(&j, &m), |r, label| body(r, &j, &a, label));
        after(&mut r, &j);
        r.set(a.at(&i), 1.0);
        let (template, types) = r.finish();
        let (kernel, _) = super::super::finalise(template, types, false).expect("it is well typed");
        let (mut counted, mut left) = (true, 0);
        visit::each_stmt(&kernel.body.code.block, &mut |stmt| match stmt {
            Stmt::Loop { .. } => counted = false,
            Stmt::Assign { place, .. } => {
                let name = |l: omp_ir::ids::LocalId| kernel.body.code.locals[l.index()].name == "j";
                left += usize::from(place.base.local().is_some_and(name));
            }
            _ => {}
        });
        (counted, left)
    }

    fn read(r: &mut Region, j: &X, a: &X) {
        r.let_("v", a.at(j));
    }

    #[test]
    fn loops_that_count_are_counted() {
        let none = |_: &mut Region, _: &X| ();
        let up = |r: &mut Region, j: &X, a: &X, _: LabelId| {
            read(r, j, a);
            r.set(j, j + 1);
        };
        let down = |r: &mut Region, j: &X, a: &X, _: LabelId| {
            r.set(j, j - 1);
            read(r, j, a);
        };
        assert_eq!(loops(|j, m| j.lt(m), up, none), (true, 0));
        assert_eq!(loops(|j, m| m.gt(j), up, none), (true, 0));
        assert_eq!(loops(|j, _| j.le(99), up, none), (true, 0));
        assert_eq!(loops(|j, m| j.gt(m), down, none), (true, 0));
        assert_eq!(loops(|j, _| j.is_not(0), down, none), (true, 0));
        assert_eq!(loops(|j, _| j.ge(1), down, none), (true, 0));
        // Its value is used.
        assert_eq!(loops(|j, m| j.lt(m), up, |r, j| drop(r.let_("k", j + 1))), (true, 1));
        // The last value might be the last of its type, or past it.
        assert_eq!(loops(|j, m| j.le(m), up, none), (false, 1));
        assert_eq!(loops(|j, _| j.ge(0), down, none), (false, 1));
        let by_2 = |r: &mut Region, j: &X, _: &X, _: LabelId| r.set(j, j + 2);
        assert_eq!(loops(|j, m| j.lt(m), by_2, none), (false, 1));
        assert_eq!(loops(|j, _| j.lt(99), by_2, none), (true, 0));
        assert_eq!(loops(|j, _| j.lt(200).and(j.lt(100)), up, none), (false, 1));
    }

    #[test]
    fn others_are_not() {
        let none = |_: &mut Region, _: &X| ();
        let early = |r: &mut Region, j: &X, _: &X, label: LabelId| {
            r.if_(j.is(7), |r| r.continue_(label));
            r.set(j, j + 1);
        };
        assert_eq!(loops(|j, m| j.lt(m), early, none), (false, 1));
        let twice = |r: &mut Region, j: &X, _: &X, _: LabelId| {
            r.if_(j.is(7), |r| r.set(j, j + 1));
            r.set(j, j + 1);
        };
        assert_eq!(loops(|j, m| j.lt(m), twice, none), (false, 2));
        // The body changes the bound.
        let moved = |r: &mut Region, j: &X, _: &X, _: LabelId| r.set(j, j + 1);
        assert_eq!(loops(|j, m| j.lt(m - j), moved, none), (false, 1));
    }

    #[test]
    fn inclusive_ranges_end_before_the_next_number() {
        for (last, exclusive) in [(254, true), (255, false)] {
            let mut r = Region::new("counts");
            let a = r.array("a", &U8);
            let i = r.dim("i", count(0, 100));
            r.for_(
                "k",
                count(X::Int(3, Some(omp_ir::desc::Prim::U8)), X::Int(last, None)).inclusive(),
                |r, k, _| {
                    r.set(a.at(&i), k);
                },
            );
            let (template, types) = r.finish();
            let (kernel, _) = super::super::finalise(template, types, false).expect("it is well typed");
            visit::each_stmt(&kernel.body.code.block, &mut |stmt| {
                if let Stmt::For { range, .. } = stmt {
                    assert_eq!(!range.inclusive, exclusive, "{last}");
                }
            });
        }
    }
}
