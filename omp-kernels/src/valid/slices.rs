//! Slice variables of nests: an element of a slice of an array is an element of the array, at the slice's start plus the index.
//! So the launch plan knows its subscript, and the nest can run as a device program.
//!
//! A variable that is one slice of an array, and that nothing takes as a whole, is replaced everywhere but in checks, which compare
//! with its length and name it in their messages. Its indices are numbers that the launch knows: what data decides is anywhere in
//! the slice, which says more than that it is anywhere in the array.
use omp_ir::flow::effects;
use omp_ir::flow::slices::{place_of, whole};
use omp_ir::ids::{ExprId, LocalId, SrcId, TyId};
use omp_ir::kernel::{Kernel, Ty, TypedCode};
use omp_ir::template::{
    Base, BinOp, Block, Check, Code, Expr, ExprNode, Local, LocalKind, Place, Projection, Stmt,
};
use omp_ir::{desc::Prim, visit};
use std::collections::{BTreeMap, BTreeSet};

/// Replaces the slices of a nest.
pub(super) fn apply(kernel: &mut Kernel) {
    if !super::inline::is_nest(kernel) {
        return;
    }
    let usize_ty = kernel.types.intern(Ty::Prim(Prim::Usize));
    let of = candidates(&kernel.body);
    if of.is_empty() {
        return;
    }
    let mut replacer = Replacer { body: &mut kernel.body, of, parts: BTreeMap::new(), usize_ty };
    let mut block = std::mem::take(&mut replacer.body.code.block);
    replacer.block(&mut block);
    replacer.body.code.block = block;
}

/// The slices that can be replaced: each is declared once, with its value, and used by its elements and its length.
fn candidates(body: &TypedCode) -> BTreeSet<LocalId> {
    let code = &body.code;
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
        _ => {}
    });
    if found.is_empty() {
        return found;
    }
    let numbers = Numbers::of(code);
    let mut element = |place: &Place| {
        if let (Base::Local(local), [Projection::Index { index, .. }, ..]) =
            (place.base, place.projections.as_slice())
            && !numbers.has(code, *index)
        {
            taken.insert(local);
        }
    };
    let mut wholes = Vec::new();
    visit::each_live_expr(code, &mut |e| {
        let expr = &code.exprs[e.index()].expr;
        if let Expr::Load(place) | Expr::Borrow(place) = expr {
            wholes.extend(whole(place));
        }
        place_of(expr).into_iter().for_each(&mut element);
    });
    visit::each_stmt(&code.block, &mut |stmt| {
        if let Stmt::Assign { place, .. } = stmt {
            element(place);
        }
    });
    taken.extend(wholes);
    // Of an array, or of another slice that is replaced, which is declared before.
    let mut of = BTreeSet::new();
    visit::each_stmt(&code.block, &mut |stmt| {
        if let Stmt::Let { local, init: Some(init) } = stmt
            && found.contains(local)
            && !taken.contains(local)
            && let Expr::Slice { base, .. } = &code.exprs[init.index()].expr
            && base.projections.is_empty()
            && match base.base {
                Base::Array(_) => true,
                Base::Local(other) => of.contains(&other),
                Base::Scalar(_) | Base::Const(_) => false,
            }
        {
            of.insert(*local);
        }
    });
    of
}

/// The variables that have one value each time they are declared, and those of loops.
struct Numbers {
    inits: BTreeMap<LocalId, Option<ExprId>>,
}

impl Numbers {
    fn of(code: &Code) -> Self {
        let mut inits = BTreeMap::new();
        let mut assigned = BTreeSet::new();
        visit::each_stmt(&code.block, &mut |stmt| {
            effects::changes(code, stmt, &mut |base| assigned.extend(base.local()));
            match stmt {
                Stmt::Let { local, init: Some(init) } => drop(inits.insert(*local, Some(*init))),
                Stmt::For { var, .. } => drop(inits.insert(*var, None)),
                _ => {}
            }
        });
        inits.retain(|local, _| !assigned.contains(local));
        Self { inits }
    }

    /// Whether an expression is a number that no element of an array decides.
    fn has(&self, code: &Code, e: ExprId) -> bool {
        let expr = &code.exprs[e.index()].expr;
        let own = match expr {
            Expr::Load(place) if !place.projections.is_empty() => false,
            Expr::Load(Place { base: Base::Local(local), .. }) => match self.inits.get(local) {
                Some(Some(init)) => self.has(code, *init),
                Some(None) => true,
                None => code.locals[local.index()].kind == LocalKind::Loop,
            },
            Expr::Load(Place { base, .. }) => !matches!(base, Base::Array(_)),
            Expr::Call { .. } | Expr::Borrow(_) => false,
            _ => true,
        };
        let mut operands = own;
        visit::of_expr(expr, &mut |operand| operands = operands && self.has(code, operand));
        operands
    }
}

/// Where a slice lies in an array.
#[derive(Clone, Copy)]
struct Part {
    array: Base,
    /// A variable; 0 if it is none.
    start: Option<LocalId>,
    /// A variable; the array's length if it is none.
    end: Option<LocalId>,
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
        let around = match base.base {
            Base::Local(other) => self.parts[&other],
            array => Part { array, start: None, end: None },
        };
        let name = self.body.code.locals[local.index()].name.clone();
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
        self.parts.insert(local, Part { array: around.array, start, end });
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
                let end = match part.end {
                    Some(end) => Expr::Load(Place::from(Base::Local(end))),
                    None => Expr::Len(Place::from(part.array)),
                };
                expr = match part.start {
                    Some(start) => {
                        let (lhs, rhs) = (self.add(end, src), self.load(start, src));
                        Expr::Binary(BinOp::Sub, lhs, rhs)
                    }
                    None => end,
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
        self.body.code.exprs.push(ExprNode { expr, src });
        self.body.expr_ty.push(self.usize_ty);
        ExprId::new(self.body.code.exprs.len() - 1)
    }

    fn temp(&mut self, name: String) -> LocalId {
        let local = Local { name, kind: LocalKind::Temp, slot: None, mutable: false };
        self.body.code.locals.push(local);
        self.body.local_ty.push(self.usize_ty);
        LocalId::new(self.body.code.locals.len() - 1)
    }
}
