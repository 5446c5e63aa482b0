//! Insertion into short arrays. A loop walks down an array of the iteration's own, until an element fits, and stores it there:
//!
//! ```text
//! while p > 0 && best[p - 1] > d {          going = true
//!     best[p] = best[p - 1];                for at in 0..7 {
//!     p -= 1;                                   if going {
//! }                                                 let q = 7 - at
//! best[p] = d;                    =>                if best[q - 1] > d { best[q] = best[q - 1] }
//!                                                   else { p = q; best[q] = d; going = false }
//!                                               }
//!                                           }
//!                                           if going { p = 0; best[0] = d }
//! ```
//!
//! Compilers unroll the counted loops, so all subscripts are numbers and the elements are in registers. This needs a bound of `p` before the
//! loop that the text shows, and no other subscripts of the array than numbers and counters of loops between numbers.
use super::typer::constant::Constants;
use omp_ir::desc::Prim;
use omp_ir::flow::effects;
use omp_ir::flow::slices::{place_of, whole};
use omp_ir::ids::{ExprId, LabelId, LocalId, SrcId, TyId};
use omp_ir::kernel::{Kernel, Ty, TypedCode, Types};
use omp_ir::template::{Base, BinOp, Block, Check, Expr, LocalKind, Place, Range, Stmt, TyRef, UnOp};
use omp_ir::visit;
use std::collections::{BTreeMap, BTreeSet};

/// The most elements of such an array.
const MOST: u64 = 32;
/// Numbers up to this are in all types.
const SMALL: u64 = 127;
/// The most statements of such a loop.
const MOST_STATEMENTS: usize = 16;

/// Makes counted loops of the insertions in the body and in the functions.
pub(super) fn apply(kernel: &mut Kernel) {
    let usize_ty = kernel.types.intern(Ty::Prim(Prim::Usize));
    let bool_ty = kernel.types.intern(Ty::Prim(Prim::Bool));
    let types = &kernel.types;
    let codes = std::iter::once(&mut kernel.body).chain(kernel.fns.iter_mut().map(|f| &mut f.body));
    for code in codes {
        let mut whiles = false;
        visit::each_stmt(&code.code.block, &mut |stmt| whiles |= matches!(stmt, Stmt::Loop { .. }));
        if !whiles {
            continue;
        }
        let constants = Constants::of(types, code);
        let arrays = short_arrays(types, code);
        let mut block = std::mem::take(&mut code.code.block);
        let whole = block.clone();
        let mut pass = Insertions {
            types,
            code,
            constants,
            arrays,
            counters: BTreeMap::new(),
            whole,
            usize_ty,
            bool_ty,
        };
        pass.find_counters(&block);
        pass.block(&mut block);
        pass.code.code.block = block;
    }
}

/// The short arrays that are variables of the iteration, and that nothing borrows.
fn short_arrays(types: &Types, code: &TypedCode) -> BTreeSet<LocalId> {
    let is_short = |l: &LocalId| {
        matches!(code.code.locals[l.index()].kind, LocalKind::User | LocalKind::Temp)
            && matches!(types.get(code.local_ty[l.index()]), Ty::Array(of, n) if (1..=MOST).contains(n) && types.prim(*of).is_some())
    };
    let mut found: BTreeSet<LocalId> = (0..code.local_ty.len()).map(LocalId::new).filter(is_short).collect();
    visit::each_live_expr(&code.code, &mut |e| {
        if let Expr::Borrow(place) | Expr::Slice { base: place, .. } = &code.code.exprs[e.index()].expr {
            found.retain(|local| place.base != Base::Local(*local));
        }
    });
    found
}

struct Insertions<'a> {
    types: &'a Types,
    code: &'a mut TypedCode,
    constants: Constants,
    arrays: BTreeSet<LocalId>,
    /// The least and the largest values of the counters of loops between numbers.
    counters: BTreeMap<LocalId, (u64, u64)>,
    /// The whole code.
    whole: Block,
    usize_ty: TyId,
    bool_ty: TyId,
}

/// A loop that walks down.
struct Walk {
    counter: LocalId,
    label: LabelId,
    /// Before the condition.
    head: Block,
    cond: ExprId,
    rest: Block,
    src: SrcId,
}

/// Where a walk starts.
#[derive(Clone, Copy)]
struct Start {
    /// A number, or a sum of numbers and counters of loops around.
    value: ExprId,
    /// The largest value.
    most: u64,
}

impl Insertions<'_> {
    /// Finds the loops between numbers.
    fn find_counters(&mut self, block: &Block) {
        visit::each_stmt(block, &mut |stmt| {
            if let Stmt::For { var, range, .. } = stmt
                && !self.code.code.locals[var.index()].mutable
                && let (Some(lo), Some(hi)) = (range.lo, range.hi)
                && let (Some((lo, _)), Some((_, hi))) = (self.values(lo), self.values(hi))
            {
                self.counters.insert(*var, (lo, if range.inclusive { hi } else { hi.saturating_sub(1) }));
            }
        });
    }

    /// The least and the largest value of an index that the text shows: sums of numbers and counters. All are so small that no arithmetic
    /// wraps, in any type.
    fn values(&self, e: ExprId) -> Option<(u64, u64)> {
        let found = match self.number(e) {
            Some(n) => u64::try_from(n).ok().map(|n| (n, n)),
            None => match self.expr(e) {
                Expr::Load(place) => whole(place).and_then(|local| self.counters.get(&local).copied()),
                Expr::Binary(op, a, b) => {
                    let (a, b) = (self.values(*a)?, self.values(*b)?);
                    match op {
                        BinOp::Add => Some((a.0 + b.0, a.1 + b.1)),
                        BinOp::Mul => Some((a.0 * b.0, a.1 * b.1)),
                        BinOp::Sub => a.0.checked_sub(b.1).map(|least| (least, a.1 - b.0)),
                        _ => None,
                    }
                }
                Expr::Cast { value, .. } => self.values(*value),
                _ => None,
            },
        };
        found.filter(|(_, most)| *most <= SMALL)
    }

    fn block(&mut self, block: &mut Block) {
        let mut at = 0;
        while at < block.0.len() {
            for inner in visit::blocks_of_mut(&mut block.0[at]).into_iter().flatten() {
                self.block(inner);
            }
            let (before, rest) = block.0.split_at(at);
            let found = self.walk(&rest[0]).and_then(|walk| {
                let start =
                    self.start(walk.counter, before).filter(|start| (1..=MOST).contains(&start.most))?;
                let last = self.last(&walk, &rest[1..]);
                self.is_only_use(&walk, last).then(|| (walk, start, last.to_vec()))
            });
            if let Some((walk, start, last)) = found {
                let made = self.counted(walk, start, &last);
                block.0.splice(at..=at + last.len(), made);
            }
            at += 1;
        }
    }

    /// The value of a variable after these statements.
    fn start(&self, counter: LocalId, before: &[Stmt]) -> Option<Start> {
        let last = before.iter().rev().find(|stmt| {
            self.changes(stmt, counter) || matches!(stmt, Stmt::Let { local, .. } if *local == counter)
        })?;
        let value = match last {
            Stmt::Let { init: Some(value), .. } => *value,
            Stmt::Assign { place, value, .. } if whole(place) == Some(counter) => *value,
            _ => return None,
        };
        Some(Start { value, most: self.values(value)?.1 })
    }

    fn changes(&self, stmt: &Stmt, local: LocalId) -> bool {
        let mut changes = false;
        effects::changes(&self.code.code, stmt, &mut |base| changes |= base == Base::Local(local));
        for inner in visit::blocks_of(stmt).into_iter().flatten() {
            inner.0.iter().for_each(|stmt| changes |= self.changes(stmt, local));
        }
        changes
    }

    /// A loop of this form: it leaves unless its counter is above zero, and a condition holds; it decrements the counter last.
    fn walk(&self, stmt: &Stmt) -> Option<Walk> {
        let Stmt::Loop { label, body } = stmt else { return None };
        let at = body.0.iter().position(|s| matches!(s, Stmt::If { .. } if leaves(s, *label)))?;
        let (head, rest) = (&body.0[..at], &body.0[at + 1..]);
        let Stmt::If { cond, .. } = &body.0[at] else { return None };
        let Expr::Unary(UnOp::Not, cond) = *self.expr(*cond) else { return None };
        let Some((Stmt::Assign { place, value, src }, rest)) = rest.split_last() else { return None };
        let counter = whole(place)?;
        let by_one = match self.expr(*value) {
            Expr::Binary(BinOp::Sub, of, one) => self.is_load(*of, counter) && self.number(*one) == Some(1),
            _ => false,
        };
        let index = self.types.prim(self.code.local_ty[counter.index()]) == Some(Prim::Usize);
        let straight = head.iter().chain(rest).all(|stmt| self.is_straight(stmt, counter));
        (by_one
            && index
            && straight
            && body.0.len() <= MOST_STATEMENTS
            && self.is_positive(cond, head, counter))
        .then(|| Walk {
            counter,
            label: *label,
            head: Block(head.to_vec()),
            cond,
            rest: Block(rest.to_vec()),
            src: *src,
        })
    }

    /// Whether a statement has no loops and jumps, and leaves the counter as it is.
    fn is_straight(&self, stmt: &Stmt, counter: LocalId) -> bool {
        let mut straight = true;
        visit::each_stmt(&Block(vec![stmt.clone()]), &mut |stmt| {
            straight &=
                matches!(stmt, Stmt::Let { .. } | Stmt::Assign { .. } | Stmt::If { .. } | Stmt::Check { .. });
        });
        straight && !self.changes(stmt, counter)
    }

    /// Whether a condition implies that the counter is above zero.
    fn is_positive(&self, cond: ExprId, head: &[Stmt], counter: LocalId) -> bool {
        match self.expr(cond) {
            Expr::Binary(BinOp::And, a, b) if head.is_empty() => {
                self.is_positive(*a, head, counter) || self.is_positive(*b, head, counter)
            }
            // What stands before the condition runs once more than an iteration.
            Expr::Binary(..) if !head.is_empty() => false,
            Expr::Binary(op, a, b) => match (op, self.number(*a), self.number(*b)) {
                (BinOp::Gt | BinOp::Ne, _, Some(0)) | (BinOp::Ge, _, Some(1)) => self.is_load(*a, counter),
                (BinOp::Lt | BinOp::Ne, Some(0), _) | (BinOp::Le, Some(1), _) => self.is_load(*b, counter),
                _ => false,
            },
            // `let c = p > 0; if c { c = …; }`
            Expr::Load(place) => match head {
                [Stmt::Let { local, init: Some(init) }, Stmt::If { cond, els, .. }] => {
                    whole(place) == Some(*local)
                        && els.0.is_empty()
                        && self.is_load(*cond, *local)
                        && self.is_positive(*init, &[], counter)
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// The statements after the loop that belong to it: they store elements of short arrays, or the counter.
    fn last<'s>(&self, walk: &Walk, after: &'s [Stmt]) -> &'s [Stmt] {
        // (A check of another array may fail for one place and not for another, so it can't have two copies.)
        let belongs = |stmt: &Stmt| {
            let mut belongs = true;
            visit::each_stmt(&Block(vec![stmt.clone()]), &mut |stmt| {
                belongs &= match stmt {
                    Stmt::Assign { place, .. } => place
                        .base
                        .local()
                        .is_some_and(|local| self.arrays.contains(&local) || place.projections.is_empty()),
                    Stmt::Check { check: Check::Bounds { base, index, .. }, .. } => {
                        whole(base).is_some_and(|local| self.arrays.contains(&local))
                            && self.is_load(*index, walk.counter)
                    }
                    Stmt::If { .. } => true,
                    _ => false,
                };
            });
            belongs && !self.changes(stmt, walk.counter)
        };
        let all = &after[..after.iter().take_while(|stmt| belongs(stmt)).count()];
        let names = |stmt: &Stmt| {
            let mut names = false;
            visit::each_stmt(&Block(vec![stmt.clone()]), &mut |stmt| {
                visit::of_stmt(stmt, &mut |e| names |= self.mentions(e, walk.counter));
            });
            names
        };
        &all[..all.iter().rposition(names).map_or(0, |at| at + 1)]
    }

    /// Whether the loop subscripts short arrays by the counter, and nothing but it and the statements that belong to it subscripts them by
    /// what the text does not show.
    fn is_only_use(&self, walk: &Walk, last: &[Stmt]) -> bool {
        let (mut arrays, mut inside) = (BTreeSet::new(), 0);
        let mut place = |place: &Place| {
            let array = place.base.local().filter(|l| self.arrays.contains(l) && self.is_dynamic(place));
            inside += usize::from(array.is_some());
            arrays.extend(array);
        };
        let cond = Stmt::Eval(walk.cond);
        let own = walk.head.0.iter().chain([&cond]).chain(&walk.rest.0);
        own.chain(last).for_each(|stmt| self.places(stmt, &mut place));
        let mut all = 0;
        for stmt in &self.whole.0 {
            self.places(stmt, &mut |place| {
                let of_these = place.base.local().is_some_and(|local| arrays.contains(&local));
                all += usize::from(of_these && self.is_dynamic(place));
            });
        }
        !arrays.is_empty() && all == inside
    }

    /// Whether a subscript is neither a number nor a sum of numbers and counters of loops between numbers.
    fn is_dynamic(&self, place: &Place) -> bool {
        let mut dynamic = false;
        visit::of_place(place, &mut |root| {
            visit::each_expr(&self.code.code, root, &mut |e| {
                dynamic |= match self.expr(e) {
                    Expr::Load(place) => {
                        whole(place).is_none_or(|l| !self.counters.contains_key(&l))
                            && self.number(e).is_none()
                    }
                    Expr::Int { .. } | Expr::Cast { .. } | Expr::Binary(..) | Expr::Len(_) => false,
                    _ => true,
                };
            });
        });
        dynamic
    }

    /// The loop as a counted one, with the statements that belong to it.
    fn counted(&mut self, walk: Walk, start: Start, last: &[Stmt]) -> Vec<Stmt> {
        let Walk { counter, label, head: Block(mut head), cond, rest, src } = walk;
        let [going, at] =
            [("going", self.bool_ty), ("_at", self.usize_ty)].map(|(n, ty)| self.code.temp(n.into(), ty));
        let made = &mut self.code.code.locals[at.index()];
        (made.kind, made.mutable) = (LocalKind::Loop, false);
        self.counters.insert(at, (0, start.most - 1));
        self.code.unrolled.insert(at);
        // It fits in front of all.
        let zero = self.int(0, src);
        let first = Block(self.copies(last, counter));
        self.replace(&first, counter, &|_| Expr::Int {
            value: 0,
            negative: false,
            ty: TyRef::Prim(Prim::Usize),
        });
        let mut first = first.0;
        first.insert(0, Stmt::Assign { place: Base::Local(counter).into(), value: zero, src });
        // It fits here.
        let here = |this: &mut Self| {
            let (from, at) = (this.code.copy(start.value), this.load(at, src));
            Expr::Binary(BinOp::Sub, from, at)
        };
        let value = here(self);
        let value = self.code.push(value, self.usize_ty, src);
        let no = self.code.push(Expr::Bool(false), self.bool_ty, src);
        let mut fits = last.to_vec();
        fits.push(Stmt::Assign { place: Base::Local(going).into(), value: no, src });
        head.push(Stmt::If { cond, then: rest, els: Block(fits) });
        let then = Block(head);
        self.replace(&then, counter, &here);
        let mut then = then.0;
        if let Some(Stmt::If { els, .. }) = then.last_mut() {
            els.0.insert(0, Stmt::Assign { place: Base::Local(counter).into(), value, src });
        }
        let yes = self.code.push(Expr::Bool(true), self.bool_ty, src);
        let [in_loop, after] =
            [(); 2].map(|()| self.code.push(Expr::Load(Base::Local(going).into()), self.bool_ty, src));
        let body = Block(vec![Stmt::If { cond: in_loop, then: Block(then), els: Block::default() }]);
        let (lo, hi) = (self.int(0, src), self.code.copy(start.value));
        let range = Range { lo: Some(lo), hi: Some(hi), inclusive: false, adaptors: vec![] };
        vec![
            Stmt::Let { local: going, init: Some(yes) },
            Stmt::For { label, var: at, range, body, src },
            Stmt::If { cond: after, then: Block(first), els: Block::default() },
        ]
    }

    /// Copies of statements that assign and check, for a counter that is 0: every short array has such an element.
    fn copies(&mut self, stmts: &[Stmt], counter: LocalId) -> Vec<Stmt> {
        let mut made = stmts.to_vec();
        made.retain(|stmt| match stmt {
            Stmt::Check { check: Check::Bounds { index, .. }, .. } => !self.is_load(*index, counter),
            _ => true,
        });
        for stmt in &mut made {
            match stmt {
                Stmt::Assign { place, value, .. } => {
                    *value = self.code.copy(*value);
                    visit::of_place_mut(place, &mut |e| *e = self.code.copy(*e));
                }
                Stmt::If { cond, then, els } => {
                    *cond = self.code.copy(*cond);
                    then.0 = self.copies(&then.0, counter);
                    els.0 = self.copies(&els.0, counter);
                }
                _ => {}
            }
        }
        made
    }

    /// Puts a value in the place of a variable.
    fn replace(&mut self, block: &Block, local: LocalId, value: &dyn Fn(&mut Self) -> Expr) {
        let mut loads = Vec::new();
        let mut root = |e: ExprId| {
            visit::each_expr(&self.code.code, e, &mut |e| loads.extend(self.is_load(e, local).then_some(e)));
        };
        visit::each_stmt(block, &mut |stmt| visit::of_stmt(stmt, &mut root));
        for e in loads {
            self.code.code.exprs[e.index()].expr = value(self);
        }
    }

    fn load(&mut self, local: LocalId, src: SrcId) -> ExprId {
        self.code.push(Expr::Load(Base::Local(local).into()), self.code.local_ty[local.index()], src)
    }

    fn int(&mut self, value: u64, src: SrcId) -> ExprId {
        self.code.push(
            Expr::Int { value: value.into(), negative: false, ty: TyRef::Prim(Prim::Usize) },
            self.usize_ty,
            src,
        )
    }

    /// The places that a statement and those in it access.
    fn places(&self, stmt: &Stmt, f: &mut impl FnMut(&Place)) {
        visit::each_stmt(&Block(vec![stmt.clone()]), &mut |stmt| {
            if let Stmt::Assign { place, .. } = stmt {
                f(place);
            }
            visit::of_stmt(stmt, &mut |root| {
                visit::each_expr(&self.code.code, root, &mut |e| {
                    place_of(self.expr(e)).into_iter().for_each(&mut *f);
                });
            });
        });
    }

    fn mentions(&self, root: ExprId, local: LocalId) -> bool {
        let mut mentions = false;
        visit::each_expr(&self.code.code, root, &mut |e| mentions |= self.is_load(e, local));
        mentions
    }

    fn expr(&self, e: ExprId) -> &Expr {
        &self.code.code.exprs[e.index()].expr
    }

    fn is_load(&self, e: ExprId, local: LocalId) -> bool {
        *self.expr(e) == Expr::Load(Base::Local(local).into())
    }

    fn number(&self, e: ExprId) -> Option<i128> {
        self.constants.int(self.types, self.code, e)
    }
}

/// `if … { break 'label; }`
fn leaves(stmt: &Stmt, label: LabelId) -> bool {
    matches!(stmt, Stmt::If { then, els, .. } if then.0 == [Stmt::Break(label)] && els.0.is_empty())
}

#[cfg(test)]
mod tests {
    use kernel_samples::build::{F32, Region, USIZE, X, array_of, count};

    /// How many loops become counted ones in a body that inserts into an array of `len` numbers, from `start` on.
    fn counted(
        len: i32,
        start: impl FnOnce(&mut Region, &X) -> X,
        after: impl FnOnce(&mut Region, &X, &X),
    ) -> usize {
        let mut r = Region::new("insert");
        let (a, c) = (r.array("a", &F32), r.array("c", &F32));
        let m = r.scalar("m", &USIZE);
        let i = r.dim("i", count(0, 100));
        let own = r.uninit("own", array_of(&F32, len as usize));
        r.for_("z", count(0, len), |r, z, _| r.set(own.at(z), 9.0));
        r.for_("k", count(0, &m), |r, k, _| {
            let d = r.let_("d", a.at(&i * 8 + &k));
            let from = start(r, &k);
            let p = r.let_mut("p", from);
            r.while_both(p.gt(0), own.at(&p - 1).gt(&d), |r, _| {
                r.set(own.at(&p), own.at(&p - 1));
                r.set(&p, &p - 1);
            });
            r.set(own.at(&p), &d);
            after(r, &own, &p);
        });
        r.set(c.at(&i), own.at(1));
        let (template, types) = r.finish();
        let (kernel, _) = super::super::finalise(template, types, false).expect("it is well typed");
        kernel.body.unrolled.len()
    }

    #[test]
    fn insertions_from_a_known_place_are_counted() {
        let none = |_: &mut Region, _: &X, _: &X| ();
        assert_eq!([2, 9, 32, 33].map(|len| counted(len, |_, _| (len - 1).into(), none)), [1, 1, 1, 0]);
        // Of another place, no bound is known.
        assert_eq!(counted(9, |_, k| k.clone(), none), 0);
        // Elements that are chosen otherwise stay in memory.
        assert_eq!(counted(9, |_, _| 8.into(), |r, own, p| r.set(own.at(0), own.at(p))), 0);
        let data = |r: &mut Region, own: &X, _: &X| {
            let at = r.let_("at", own.at(0).cast(omp_ir::desc::Prim::Usize));
            r.set(own.at(at), 1.0);
        };
        assert_eq!(counted(9, |_, _| 8.into(), data), 0);
        // What follows may name the place, too.
        assert_eq!(counted(9, |_, _| 8.into(), |r, own, p| r.set(own.at(p), 2.0)), 1);
    }
}
