//! Slice variables of nests and of bodies without loops: an element of a slice of an array is an element of the array, at the slice's start
//! plus the index. So the launch plan knows its subscript: the nest can run as a device program, and the body with wide accesses.
//!
//! A variable that is always the same slice of an array, and that is not used as a whole, is replaced everywhere except
//! in checks, which compare with its length and name it in their messages.
//!
//! If the nest writes the array, a slice is replaced only if the subscripts of its elements are formulas of loop
//! variables. Other accesses (`part[n]` with a counter `n`, an index from memory, a loop with an early exit) are known
//! only to be within the slice, by their checks. For these, the plan proves by the bounds of the slices that iterations
//! don't conflict.
//!
//! In all bodies, the whole of a fixed local array (`&mut v[..]`) is that array: compilers keep its elements in registers.
use omp_ir::flow::effects;
use omp_ir::flow::slices::{place_of, whole};
use omp_ir::flow::value_numbering;
use omp_ir::ids::{ArrayId, ExprId, LocalId, SrcId, TyId};
use omp_ir::kernel::{Kernel, Ty, TypedCode};
use omp_ir::method::{IntMethod, Method};
use omp_ir::template::{
    Base, BinOp, Block, Check, Expr, ExprNode, Level, Local, LocalKind, Place, Projection, Stmt,
};
use omp_ir::{desc::Prim, visit};
use std::collections::{BTreeMap, BTreeSet};

/// Replaces the slices of a nest, of a team's nests, or of a body without loops.
pub(super) fn apply(kernel: &mut Kernel) {
    let arrays = super::inline::is_nest(kernel) || has_team_nests(kernel) || is_row(kernel);
    let usize_ty = kernel.types.intern(Ty::Prim(Prim::Usize));
    let of = candidates(kernel, arrays);
    if of.is_empty() {
        return;
    }
    let mut replacer = Replacer { body: &mut kernel.body, of, parts: BTreeMap::new(), usize_ty };
    let mut block = std::mem::take(&mut replacer.body.code.block);
    replacer.block(&mut block);
    replacer.body.code.block = block;
}

/// A single loop, whose body has none.
fn is_row(kernel: &Kernel) -> bool {
    let template = &kernel.template;
    let mut others = false;
    visit::each_stmt(&kernel.body.code.block, &mut |stmt| {
        others |= matches!(stmt, Stmt::For { .. } | Stmt::Loop { .. } | Stmt::Inner(_) | Stmt::Atomic { .. });
    });
    !others && template.dims.len() == 1 && template.scan.is_none() && template.check_disjoint.is_empty()
}

/// Whether the threads of a team share the iterations of a nest. The statements around it may store to elements; a `&mut` slice there
/// would count as a write by every thread.
fn has_team_nests(kernel: &Kernel) -> bool {
    let (mut nests, mut atomic) = (false, false);
    visit::each_stmt(&kernel.body.code.block, &mut |stmt| match stmt {
        Stmt::Inner(inner) => nests |= inner.level == Level::Team && !inner.in_place,
        Stmt::Atomic { .. } => atomic = true,
        _ => {}
    });
    nests && !atomic && kernel.template.scan.is_none() && kernel.template.check_disjoint.is_empty()
}

/// The slices that can be replaced: each is declared once, with its value, and used by its elements and its length. `arrays`: also those of
/// mapped arrays.
fn candidates(kernel: &Kernel, arrays: bool) -> BTreeSet<LocalId> {
    let code = &kernel.body.code;
    let (mut found, mut declared, mut taken) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let mut init_of = BTreeMap::new();
    visit::each_stmt(&code.block, &mut |stmt| match stmt {
        Stmt::Let { local, init } if code.locals[local.index()].kind == LocalKind::Slice => {
            let once = declared.insert(*local);
            match init.filter(|_| once) {
                Some(init) => {
                    found.insert(*local);
                    init_of.insert(init, *local);
                }
                None => taken.extend([*local]),
            }
        }
        Stmt::Assign { place, .. } => taken.extend(whole(place)),
        // A nest gives them values, too.
        Stmt::Inner(inner) => {
            taken.extend(inner.lasts.iter().map(|l| l.target));
            taken.extend(inner.reductions.iter().map(|r| r.target));
            taken.extend(inner.searches.iter().flat_map(|s| &s.items).map(|(_, target)| *target));
        }
        _ => {}
    });
    if found.is_empty() {
        return found;
    }
    visit::each_live_expr(code, &mut |e| match &code.exprs[e.index()].expr {
        Expr::Load(place) | Expr::Borrow(place) => taken.extend(whole(place)),
        _ => {}
    });
    let written = |array: ArrayId| kernel.template.arrays[array.index()].written;
    // In a body without loops, the bounds of other slices may keep iterations apart, where their elements' subscripts don't.
    let (row, records) = (is_row(kernel), records(&kernel.body));
    let vague = vague(&kernel.body, kernel.template.dims.iter().map(|d| d.var));
    let own = |local: LocalId| matches!(kernel.types.get(kernel.body.local_ty[local.index()]), Ty::Array(..));
    // Of an array, or of another slice that is replaced, which is declared before.
    let mut of = BTreeMap::new();
    visit::each_stmt(&code.block, &mut |stmt| {
        if let Stmt::Let { local, init: Some(init) } = stmt
            && found.contains(local)
            && !taken.contains(local)
            && let Expr::Slice { base, lo, hi, .. } = &code.exprs[init.index()].expr
            && base.projections.is_empty()
            && let Some(array) = match base.base {
                Base::Array(_) => arrays.then_some(base.base),
                Base::Local(other) if own(other) => (lo.is_none() && hi.is_none()).then_some(base.base),
                Base::Local(other) => of.get(&other).copied(),
                Base::Scalar(_) | Base::Const(_) => None,
            }
            && match array {
                Base::Array(array) if written(array) => {
                    vague.as_ref().is_some_and(|vague| !vague.contains(local))
                        && (!row || records.contains(local))
                }
                Base::Array(_) => true,
                // (Of a part of the slice, the ends are sums.)
                _ => lo.is_none() && hi.is_none(),
            }
        {
            of.insert(*local, array);
        }
    });
    of.into_keys().collect()
}

/// The slices with a constant length whose subscripts are numbers below it.
fn records(body: &TypedCode) -> BTreeSet<LocalId> {
    let number = |e: ExprId| match body.code.exprs[e.index()].expr {
        Expr::Int { value, negative: false, .. } => Some(value),
        _ => None,
    };
    let (mut lengths, mut others) = (BTreeMap::new(), BTreeSet::new());
    visit::each_stmt(&body.code.block, &mut |stmt| {
        if let Stmt::Let { local, init: Some(init) } = stmt
            && let Expr::Slice { lo: Some(lo), hi: Some(hi), .. } = body.code.exprs[init.index()].expr
            && let Some(length) = length(body, lo, hi).and_then(number)
        {
            lengths.insert(*local, length);
        }
    });
    let mut place = |place: &Place| {
        if let (Some(slice), Some(Projection::Index { index, .. })) =
            (place.base.local(), place.projections.first())
            && number(*index).is_none_or(|at| lengths.get(&slice).is_none_or(|length| at >= *length))
        {
            others.insert(slice);
        }
    };
    visit::each_stmt(&body.code.block, &mut |stmt| {
        if let Stmt::Assign { place: to, .. } | Stmt::Atomic { place: to, .. } = stmt {
            place(to);
        }
        visit::of_stmt(stmt, &mut |root| {
            visit::each_expr(&body.code, root, &mut |e| {
                place_of(&body.code.exprs[e.index()].expr).into_iter().for_each(&mut place);
            });
        });
    });
    lengths.into_keys().filter(|slice| !others.contains(slice)).collect()
}

/// The variables with elements or slices whose subscripts no formula gives; `None`: all of them, because a loop has an early exit.
fn vague(body: &TypedCode, dims: impl Iterator<Item = LocalId>) -> Option<BTreeSet<LocalId>> {
    let code = &body.code;
    let captured = |l: &LocalId| matches!(code.locals[l.index()].kind, LocalKind::Private(_));
    let mut known: BTreeSet<_> =
        (0..code.locals.len()).map(LocalId::new).filter(captured).chain(dims).collect();
    let (mut changed, mut early) = (BTreeSet::new(), false);
    visit::each_stmt(&code.block, &mut |stmt| {
        early |= matches!(stmt, Stmt::Loop { .. } | Stmt::Break(_) | Stmt::Continue(_) | Stmt::Return(_));
        effects::changes(code, stmt, &mut |base| changed.extend(base.local()));
    });
    if early {
        return None;
    }
    let mut vague = BTreeSet::new();
    visit::each_stmt(&code.block, &mut |stmt| {
        // The length of a slice stays, whatever is stored to its elements.
        let number = |l: LocalId| known.contains(&l) && !changed.contains(&l);
        let is_known = |e: ExprId| is_formula(body, e, &number, &|l| known.contains(&l));
        let mut place = |place: &Place| {
            if let (Base::Local(slice), Some(Projection::Index { index, .. })) =
                (place.base, place.projections.first())
                && !is_known(*index)
            {
                vague.insert(slice);
            }
        };
        if let Stmt::Assign { place: to, .. } | Stmt::Atomic { place: to, .. } = stmt {
            place(to);
        }
        let mut parts = Vec::new();
        visit::of_stmt(stmt, &mut |root| {
            visit::each_expr(code, root, &mut |e| {
                let expr = &code.exprs[e.index()].expr;
                place_of(expr).into_iter().for_each(&mut place);
                if let Expr::Slice { base: Place { base: Base::Local(slice), .. }, lo, hi, .. } = expr {
                    parts.push((*slice, [*lo, *hi]));
                }
            });
        });
        vague.extend(
            parts
                .into_iter()
                .filter(|(_, ends)| !ends.iter().flatten().all(|e| is_known(*e)))
                .map(|(slice, _)| slice),
        );
        match stmt {
            Stmt::Let { local, init: Some(init) } => {
                // Of a slice, its length is known.
                let all = match &code.exprs[init.index()].expr {
                    Expr::Slice { base, lo, hi, .. } => {
                        let whole = hi.is_some() || base.base.local().is_none_or(|l| known.contains(&l));
                        let shown = lo.zip(*hi).and_then(|(lo, hi)| length(body, lo, hi));
                        shown.is_some_and(is_known)
                            || whole && [lo, hi].into_iter().flatten().all(|e| is_known(*e))
                    }
                    _ => is_known(*init),
                };
                known.extend(all.then_some(*local));
            }
            Stmt::For { var, range, .. } => {
                let mut all = true;
                visit::of_range(range, &mut |e| all &= is_known(e));
                known.extend(all.then_some(*var));
            }
            _ => {}
        }
    });
    Some(vague)
}

/// The length of a slice, where its ends show it as one value: `n` of `at..at + n` and of `k * n..(k + 1) * n`.
fn length(body: &TypedCode, lo: ExprId, hi: ExprId) -> Option<ExprId> {
    let expr = |e: ExprId| &body.code.exprs[e.index()].expr;
    let same = |a, b| value_numbering::equal(body, &|_| false, a, b);
    // The other operand, where `is` holds for one.
    let other = |e: ExprId, op: BinOp, is: &dyn Fn(ExprId) -> bool| match *expr(e) {
        Expr::Binary(o, a, b) if o == op && is(a) => Some(b),
        Expr::Binary(o, a, b) if o == op && is(b) => Some(a),
        _ => None,
    };
    let added = other(hi, BinOp::Add, &|e| same(e, lo));
    let all = added.or_else(|| match *expr(lo) {
        Expr::Binary(BinOp::Mul, a, b) => [(a, b), (b, a)].into_iter().find_map(|(at, n)| {
            let next = other(hi, BinOp::Mul, &|e| same(e, n))?;
            let one = other(next, BinOp::Add, &|e| same(e, at))?;
            matches!(expr(one), Expr::Int { value: 1, .. }).then_some(n)
        }),
        _ => None,
    });
    all.filter(|n| {
        let mut operands = 0;
        visit::of_expr(expr(*n), &mut |_| operands += 1);
        operands == 0
    })
}

/// Whether an expression is a formula: a sum of products, or the minimum of several, of numbers, lengths, captured values and variables
/// whose values are formulas.
fn is_formula(
    body: &TypedCode,
    e: ExprId,
    known: &dyn Fn(LocalId) -> bool,
    measured: &dyn Fn(LocalId) -> bool,
) -> bool {
    let (code, mut all) = (&body.code, true);
    visit::each_expr(code, e, &mut |e| {
        all &= match &code.exprs[e.index()].expr {
            Expr::Int { .. } | Expr::Cast { .. } => true,
            Expr::Len(place) => match place.base {
                Base::Local(l) if code.locals[l.index()].kind == LocalKind::Slice => measured(l),
                _ => true,
            },
            // Quotients and the like may be within the slice for reasons that the plan does not find.
            Expr::Binary(BinOp::Add | BinOp::Sub | BinOp::Mul, ..) => true,
            // The common length of several zipped slices.
            Expr::Call { call, .. } => body.methods[call.index()] == Some(Method::Int(IntMethod::Min)),
            Expr::Load(place) => match place.base {
                Base::Local(local) => place.projections.is_empty() && known(local),
                Base::Scalar(_) | Base::Const(_) => true,
                Base::Array(_) => false,
            },
            _ => false,
        };
    });
    all
}

/// Where a slice lies in an array.
#[derive(Clone, Copy)]
struct Part {
    array: Base,
    /// A variable; 0 if it is none.
    start: Option<LocalId>,
    /// A variable; the array's length if it is none.
    end: Option<LocalId>,
    /// A variable, if the ends show the length.
    length: Option<LocalId>,
}

struct Replacer<'a> {
    body: &'a mut TypedCode,
    of: BTreeSet<LocalId>,
    parts: BTreeMap<LocalId, Part>,
    usize_ty: TyId,
}

impl Replacer<'_> {
    fn block(&mut self, block: &mut Block) {
        for mut stmt in std::mem::take(&mut block.0) {
            let mut roots = Vec::new();
            visit::of_stmt(&stmt, &mut |e| roots.push(e));
            let slice = match &stmt {
                Stmt::Let { local, init: Some(init) } if self.of.contains(local) => Some((*local, *init)),
                _ => None,
            };
            for root in roots {
                self.expr(root, slice.is_none_or(|(_, init)| init != root));
            }
            match &mut stmt {
                Stmt::Assign { place, .. } | Stmt::Atomic { place, .. } => self.place(place),
                Stmt::Check { check: Check::Bounds { base, .. } | Check::Slice { base, .. }, .. }
                    if !base.projections.is_empty() =>
                {
                    self.place(base);
                }
                _ => {}
            }
            for inner in visit::blocks_of_mut(&mut stmt).into_iter().flatten() {
                self.block(inner);
            }
            if let Some((local, init)) = slice {
                self.declare(local, init, &mut block.0);
            }
            block.0.push(stmt);
        }
    }

    /// The variables of a slice's ends.
    fn declare(&mut self, local: LocalId, init: ExprId, out: &mut Vec<Stmt>) {
        let ExprNode { expr: Expr::Slice { base, lo, hi, .. }, src } =
            self.body.code.exprs[init.index()].clone()
        else {
            return;
        };
        let around = match base.base.local().and_then(|other| self.parts.get(&other)) {
            Some(other) => *other,
            None => Part { array: base.base, start: None, end: None, length: None },
        };
        let name = self.body.code.locals[local.index()].name.clone();
        let shown = lo.zip(hi).and_then(|(lo, hi)| length(self.body, lo, hi));
        let length = shown.map(|n| {
            let node = self.body.code.exprs[n.index()].clone();
            let (value, local) = (self.add(node.expr, node.src), self.temp(format!("{name}_len")));
            out.push(Stmt::Let { local, init: Some(value) });
            local
        });
        let mut end_at = |this: &mut Self, name: String, at: Option<ExprId>, whole: Option<LocalId>| {
            let Some(at) = at else { return whole };
            let value = match around.start {
                Some(start) => this.sum(BinOp::Add, start, at, src),
                None => at,
            };
            let local = this.temp(name);
            out.push(Stmt::Let { local, init: Some(value) });
            Some(local)
        };
        let start = end_at(self, format!("{name}_start"), lo, around.start);
        let end = end_at(self, format!("{name}_end"), hi, around.end);
        self.parts.insert(local, Part { array: around.array, start, end, length });
        let [from, to] = [start, end].map(|at| at.map(|local| self.load(local, src)));
        if let Expr::Slice { base, lo, hi, .. } = &mut self.body.code.exprs[init.index()].expr {
            (base.base, *lo, *hi) = (around.array, from, to);
        }
    }

    /// Replaces the operands of an expression, and unless it is the value of a slice's variable, itself.
    fn expr(&mut self, e: ExprId, itself: bool) {
        let mut operands = Vec::new();
        visit::of_expr(&self.body.code.exprs[e.index()].expr, &mut |e| operands.push(e));
        for operand in operands {
            self.expr(operand, true);
        }
        if !itself {
            return;
        }
        let ExprNode { mut expr, src } = self.body.code.exprs[e.index()].clone();
        let part = place_of(&expr).and_then(whole).and_then(|local| self.parts.get(&local).copied());
        match &mut expr {
            Expr::Len(_) if let Some(part) = part => {
                let load = |local| Expr::Load(Place::from(Base::Local(local)));
                let end = part.end.map_or_else(|| Expr::Len(Place::from(part.array)), load);
                expr = match (part.length, part.start) {
                    (Some(length), _) => load(length),
                    (None, Some(start)) => {
                        let (lhs, rhs) = (self.add(end, src), self.load(start, src));
                        Expr::Binary(BinOp::Sub, lhs, rhs)
                    }
                    (None, None) => end,
                };
            }
            Expr::Slice { base, lo, hi, .. } if let Some(part) = part => {
                if let Some(start) = part.start {
                    let ends = [&mut *lo, &mut *hi].into_iter().flatten();
                    ends.for_each(|at| *at = self.sum(BinOp::Add, start, *at, src));
                    *lo = lo.or_else(|| Some(self.load(start, src)));
                }
                *hi = hi.or_else(|| part.end.map(|end| self.load(end, src)));
                base.base = part.array;
            }
            Expr::Load(place) | Expr::Len(place) | Expr::Borrow(place) | Expr::Slice { base: place, .. } => {
                self.place(place);
            }
            _ => return,
        }
        self.body.code.exprs[e.index()].expr = expr;
    }

    /// An element of a slice is one of the array.
    fn place(&mut self, place: &mut Place) {
        let part = place.base.local().and_then(|local| self.parts.get(&local).copied());
        if let (Some(part), Some(Projection::Index { index, access: _ })) =
            (part, place.projections.first_mut())
        {
            place.base = part.array;
            if let Some(start) = part.start {
                let src = self.body.code.exprs[index.index()].src;
                *index = self.sum(BinOp::Add, start, *index, src);
            }
        }
    }

    fn sum(&mut self, op: BinOp, start: LocalId, at: ExprId, src: SrcId) -> ExprId {
        let start = self.load(start, src);
        self.add(Expr::Binary(op, start, at), src)
    }

    fn load(&mut self, local: LocalId, src: SrcId) -> ExprId {
        self.add(Expr::Load(Place::from(Base::Local(local))), src)
    }

    fn add(&mut self, expr: Expr, src: SrcId) -> ExprId {
        self.body.push(expr, self.usize_ty, src)
    }

    fn temp(&mut self, name: String) -> LocalId {
        let local = Local { name, kind: LocalKind::Temp, slot: None, mutable: false };
        self.body.code.locals.push(local);
        self.body.local_ty.push(self.usize_ty);
        LocalId::new(self.body.code.locals.len() - 1)
    }
}
