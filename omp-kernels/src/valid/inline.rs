//! Inlining: in nests of loops, the bodies of device functions stand where the functions are called, so that the launch plan proves
//! their subscripts for the sizes of a launch, and nests with calls can run as device programs.
//!
//! A call is replaced if four conditions hold. The function is not recursive. It has no early exits from blocks. Its
//! loops are counted, and if it has loops, it assigns nothing of the caller's. It reports failures as the body would: it
//! stands in the same file and has the same overflow checks, or it can't fail. An argument is a value, a whole array, a
//! slice variable or a variable that the function may assign. All other calls stay.
use omp_ir::ids::{AccessId, ConstId, ExprId, FnId, LocalId, SrcId};
use omp_ir::kernel::{BoundsVerdict, Callee, Kernel, Ty, TypedCode};
use omp_ir::template::{
    Access, Adaptor, Base, BinOp, Block, Check, Expr, ExprNode, Local, LocalKind, Place, Projection, Stmt,
};
use omp_ir::visit;

/// Expressions of a body, above which no more calls are replaced.
const MOST_EXPRESSIONS: usize = 4096;

/// Replaces the calls of a nest.
pub(super) fn apply(kernel: &mut Kernel) {
    if !is_nest(kernel) || !kernel.body.calls.iter().any(|c| matches!(c, Callee::Fn(_))) {
        return;
    }
    let Kernel { body, fns, types, .. } = kernel;
    let bodies: Vec<TypedCode> = fns.iter().map(|f| f.body.clone()).collect();
    let functions: Vec<Function> = bodies
        .into_iter()
        .zip(fns.iter())
        .map(|(body, f)| Function {
            params: f.template.params.clone(),
            unit: matches!(types.get(f.ret), Ty::Unit),
            body,
        })
        .collect();
    let labels = labels(&body.code.block);
    let mut inliner = Inliner { body, functions: &functions, stack: Vec::new(), labels };
    let block = std::mem::take(&mut inliner.body.code.block);
    let block = inliner.block(block);
    inliner.body.code.block = block;
}

/// Nests that may run in tiles: several loops, which neither reduce nor scan nor claim.
pub(super) fn is_nest(kernel: &Kernel) -> bool {
    let template = &kernel.template;
    let (mut loops, mut inner) = (template.dims.len(), false);
    visit::each_stmt(&kernel.body.code.block, &mut |stmt| match stmt {
        Stmt::For { .. } => loops += 1,
        Stmt::Inner(_) | Stmt::Atomic { .. } => inner = true,
        _ => {}
    });
    let plain =
        template.reductions.is_empty() && template.scan.is_none() && template.check_disjoint.is_empty();
    plain && !inner && loops > 1
}

struct Function {
    params: Vec<LocalId>,
    unit: bool,
    body: TypedCode,
}

struct Inliner<'a> {
    body: &'a mut TypedCode,
    functions: &'a [Function],
    /// The functions whose bodies are being replaced.
    stack: Vec<FnId>,
    /// The first label that no statement has.
    labels: u32,
}

/// The argument of a parameter.
enum Argument {
    /// Another name of this.
    Is(Base),
    /// A variable with this value.
    Has(ExprId),
}

impl Inliner<'_> {
    fn block(&mut self, block: Block) -> Block {
        let mut out = Vec::with_capacity(block.0.len());
        for mut stmt in block.0 {
            self.hoist_from(&stmt, &mut out);
            match &stmt {
                Stmt::Let { local, init: Some(e) } => {
                    if let Some(stmts) = self.call(*e, Some(*local)) {
                        out.push(Stmt::Let { local: *local, init: None });
                        out.extend(stmts);
                        continue;
                    }
                }
                Stmt::Assign { place: Place { base: Base::Local(local), projections }, value, src: _ }
                    if projections.is_empty() =>
                {
                    if let Some(stmts) = self.call(*value, Some(*local)) {
                        out.extend(stmts);
                        continue;
                    }
                }
                Stmt::Eval(e) => {
                    if let Some(stmts) = self.call(*e, None) {
                        out.extend(stmts);
                        continue;
                    }
                }
                _ => {}
            }
            for inner in visit::blocks_of_mut(&mut stmt).into_iter().flatten() {
                *inner = self.block(std::mem::take(inner));
            }
            out.push(stmt);
        }
        Block(out)
    }

    /// Replaces the calls that are operands in a statement by temporaries before it.
    fn hoist_from(&mut self, stmt: &Stmt, out: &mut Vec<Stmt>) {
        let mut roots = Vec::new();
        visit::of_stmt(stmt, &mut |e| roots.push(e));
        let alone = |e: ExprId| match stmt {
            Stmt::Let { init, .. } => *init == Some(e),
            Stmt::Assign { place, value, .. } => {
                *value == e && place.projections.is_empty() && matches!(place.base, Base::Local(_))
            }
            Stmt::Eval(of) => *of == e,
            _ => false,
        };
        for root in roots {
            self.hoist(root, alone(root), out);
        }
    }

    fn hoist(&mut self, e: ExprId, stays: bool, out: &mut Vec<Stmt>) {
        let expr = self.body.code.exprs[e.index()].expr.clone();
        if let Expr::Binary(BinOp::And | BinOp::Or, lhs, _) = expr {
            return self.hoist(lhs, false, out);
        }
        let mut operands = Vec::new();
        visit::of_expr(&expr, &mut |e| operands.push(e));
        for operand in operands {
            self.hoist(operand, false, out);
        }
        if stays || self.callee(e).is_none_or(|(f, _)| self.has_effects(f)) {
            return;
        }
        let ty = self.body.expr_ty[e.index()];
        let temp = self.body.temp("called".into(), ty);
        if let Some(stmts) = self.call(e, Some(temp)) {
            out.push(Stmt::Let { local: temp, init: None });
            out.extend(stmts);
            let value = Place::from(Base::Local(temp));
            self.body.code.exprs[e.index()].expr = Expr::Load(value);
        }
    }

    fn callee(&self, e: ExprId) -> Option<(FnId, &[ExprId])> {
        match &self.body.code.exprs[e.index()].expr {
            Expr::Call { call, args } => match self.body.calls[call.index()] {
                Callee::Fn(f) => Some((f, args)),
                Callee::Builtin => None,
            },
            _ => None,
        }
    }

    /// The function may assign what is the caller's.
    fn has_effects(&self, f: FnId) -> bool {
        let of = &self.functions[f.index()];
        let local = |p: &LocalId| &of.body.code.locals[p.index()];
        of.params.iter().map(local).any(|l| match l.kind {
            LocalKind::Ref => true,
            LocalKind::Slice => l.mutable,
            _ => false,
        })
    }

    /// The statements that replace a call, whose result goes to a variable.
    fn call(&mut self, e: ExprId, to: Option<LocalId>) -> Option<Vec<Stmt>> {
        let (id, args) = self.callee(e)?;
        let f = &self.functions[id.index()];
        let recursive = self.stack.contains(&id) || self.stack.len() > 8;
        let large = self.body.code.exprs.len() + f.body.code.exprs.len() > MOST_EXPRESSIONS;
        let returns = to.is_some() != f.unit;
        let loops = !self.has_effects(id);
        if recursive || large || !returns || !self.reports_alike(f) || !is_plain(&f.body.code.block, loops) {
            return None;
        }
        let args = f.params.iter().zip(args).map(|(param, arg)| self.argument(f, *param, *arg));
        let args = args.collect::<Option<Vec<_>>>()?;
        let body = tail(f.body.code.block.0.clone())?;

        let mut shift = Shift::after(self.body, self.labels);
        self.labels += labels(&f.body.code.block);
        let mut stmts = Vec::new();
        for (param, arg) in f.params.iter().zip(args) {
            match arg {
                Argument::Is(base) => shift.names.push((*param, base)),
                Argument::Has(value) => {
                    stmts.push(Stmt::Let { local: shift.local(*param), init: Some(value) });
                    if let Expr::Borrow(place) = &self.body.code.exprs[value.index()].expr {
                        self.body.code.exprs[value.index()].expr = Expr::Load(place.clone());
                    }
                }
            }
        }
        shift.append(self.body, f);
        let mut block = Block(body);
        shift.block(&mut block);
        set_result(&mut block, to, self.body);
        self.stack.push(id);
        let block = self.block(block);
        self.stack.pop();
        stmts.extend(block.0);
        Some(stmts)
    }

    /// A failure in the function is reported as one of the body is.
    fn reports_alike(&self, f: &Function) -> bool {
        let alike = f.body.file == self.body.file && f.body.overflow_checks == self.body.overflow_checks;
        let mut checks = f.body.overflow_checks || self.body.overflow_checks;
        visit::each_stmt(&f.body.code.block, &mut |s| checks |= matches!(s, Stmt::Check { .. }));
        alike || !checks
    }

    fn argument(&self, f: &Function, param: LocalId, arg: ExprId) -> Option<Argument> {
        let kind = f.body.code.locals[param.index()].kind;
        let whole = |place: &Place| {
            let is_slice = |l: LocalId| self.body.code.locals[l.index()].kind == LocalKind::Slice;
            let named = match place.base {
                Base::Array(_) => true,
                Base::Local(local) => is_slice(local),
                Base::Scalar(_) | Base::Const(_) => false,
            };
            (named && place.projections.is_empty()).then_some(Argument::Is(place.base))
        };
        match (kind, &self.body.code.exprs[arg.index()].expr) {
            _ if matches!(kind, LocalKind::Slice | LocalKind::Ref) && is_assigned(&f.body, param, kind) => {
                None
            }
            (LocalKind::Slice, Expr::Load(place) | Expr::Borrow(place)) => whole(place),
            (LocalKind::Slice, Expr::Slice { base, lo: None, hi: None, access: None, .. }) => whole(base),
            (LocalKind::Slice, Expr::Slice { .. }) => Some(Argument::Has(arg)),
            (LocalKind::Slice, _) => None,
            (LocalKind::Ref, Expr::Borrow(Place { base: base @ Base::Local(_), projections }))
                if projections.is_empty() =>
            {
                Some(Argument::Is(*base))
            }
            (LocalKind::Ref, _) => None,
            _ => Some(Argument::Has(arg)),
        }
    }
}

/// A slice variable that gets another slice, which the caller's name must not get.
fn is_assigned(code: &TypedCode, param: LocalId, kind: LocalKind) -> bool {
    let mut found = false;
    visit::each_stmt(&code.code.block, &mut |stmt| {
        if let Stmt::Assign { place, .. } = stmt {
            found |= place.base == Base::Local(param) && place.projections.is_empty();
        }
    });
    found && kind == LocalKind::Slice
}

/// Whether a block has only straight-line statements, conditions and, with `loops`, counted loops without early exits.
fn is_plain(block: &Block, loops: bool) -> bool {
    let mut plain = true;
    visit::each_stmt(block, &mut |stmt| {
        plain &= match stmt {
            Stmt::Let { .. }
            | Stmt::Assign { .. }
            | Stmt::Eval(_)
            | Stmt::If { .. }
            | Stmt::Return(_)
            | Stmt::Check { .. } => true,
            Stmt::For { body, .. } => loops && !body.0.iter().any(returns),
            _ => false,
        };
    });
    plain
}

fn returns(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Return(_))
        || visit::blocks_of(stmt).into_iter().flatten().any(|block| block.0.iter().any(returns))
}

/// Whether a block always ends the function.
fn ends(stmts: &[Stmt]) -> bool {
    match stmts.last() {
        Some(Stmt::Return(_)) => true,
        Some(Stmt::If { cond: _, then, els }) => ends(&then.0) && ends(&els.0),
        _ => false,
    }
}

/// The statements with each `return` at the end of a branch: what follows a condition that returns goes into its other branch.
/// `None` if it would have to go into both.
fn tail(stmts: Vec<Stmt>) -> Option<Vec<Stmt>> {
    let mut out = Vec::with_capacity(stmts.len());
    let mut rest = stmts.into_iter();
    while let Some(stmt) = rest.next() {
        match stmt {
            Stmt::Return(_) => {
                out.push(stmt);
                return Some(out);
            }
            Stmt::If { cond, mut then, mut els } if then.0.iter().chain(&els.0).any(returns) => {
                let rest: Vec<Stmt> = rest.collect();
                match (ends(&then.0), ends(&els.0)) {
                    (true, true) => {}
                    (true, false) => els.0.extend(rest),
                    (false, true) => then.0.extend(rest),
                    (false, false) if rest.is_empty() => {}
                    (false, false) => return None,
                }
                let (then, els) = (Block(tail(then.0)?), Block(tail(els.0)?));
                out.push(Stmt::If { cond, then, els });
                return Some(out);
            }
            _ if returns(&stmt) => return None,
            _ => out.push(stmt),
        }
    }
    Some(out)
}

/// Makes assignments of what is returned.
fn set_result(block: &mut Block, to: Option<LocalId>, code: &TypedCode) {
    let stmts = std::mem::take(&mut block.0);
    block.0 = stmts
        .into_iter()
        .filter_map(|stmt| match stmt {
            Stmt::Return(value) => {
                let (local, value) = to.zip(value)?;
                let place = Place::from(Base::Local(local));
                Some(Stmt::Assign { place, value, src: code.code.exprs[value.index()].src })
            }
            Stmt::If { cond, mut then, mut els } => {
                set_result(&mut then, to, code);
                set_result(&mut els, to, code);
                Some(Stmt::If { cond, then, els })
            }
            other => Some(other),
        })
        .collect();
}

/// The first label that no statement has.
fn labels(block: &Block) -> u32 {
    let mut first = 0;
    visit::each_stmt(block, &mut |stmt| {
        if let Stmt::For { label, .. } | Stmt::Loop { label, .. } | Stmt::Labelled { label, .. } = stmt {
            first = first.max(label.0 + 1);
        }
    });
    first
}

/// The ids of a function's code in the body that it is appended to.
struct Shift {
    exprs: usize,
    locals: usize,
    consts: usize,
    calls: usize,
    accesses: usize,
    srcs: usize,
    labels: u32,
    /// Parameters that are other names.
    names: Vec<(LocalId, Base)>,
}

impl Shift {
    fn after(body: &TypedCode, labels: u32) -> Self {
        let code = &body.code;
        Self {
            exprs: code.exprs.len(),
            locals: code.locals.len(),
            consts: code.consts.len(),
            calls: body.calls.len(),
            accesses: code.accesses.len(),
            srcs: code.srcs.len(),
            labels,
            names: Vec::new(),
        }
    }

    fn append(&self, body: &mut TypedCode, f: &Function) {
        let from = &f.body;
        for node in &from.code.exprs {
            let ExprNode { mut expr, src } = node.clone();
            visit::of_expr_mut(&mut expr, &mut |e| *e = self.expr(*e));
            match &mut expr {
                Expr::Load(place) | Expr::Len(place) | Expr::Borrow(place) => self.names_of(place),
                Expr::Slice { base, access, .. } => {
                    self.names_of(base);
                    if let Some(access) = access {
                        access.0 += self.accesses as u32;
                    }
                }
                Expr::Call { call, args: _ } => call.0 += self.calls as u32,
                _ => {}
            }
            body.code.exprs.push(ExprNode { expr, src: self.src(src) });
        }
        body.expr_ty.extend_from_slice(&from.expr_ty);
        body.code.locals.extend(from.code.locals.iter().map(|l| Local { slot: None, ..l.clone() }));
        body.local_ty.extend_from_slice(&from.local_ty);
        body.code.consts.extend_from_slice(&from.code.consts);
        body.consts.extend_from_slice(&from.consts);
        body.const_ty.extend_from_slice(&from.const_ty);
        body.code.calls.extend_from_slice(&from.code.calls);
        body.calls.extend_from_slice(&from.calls);
        body.methods.extend_from_slice(&from.methods);
        debug_assert!(body.calls.len() == body.code.calls.len() && body.calls.len() == body.methods.len());
        body.code.accesses.extend(from.code.accesses.iter().map(|a| Access {
            src: self.src(a.src),
            bracket: self.src(a.bracket),
            ..a.clone()
        }));
        body.bounds.resize(body.code.accesses.len(), BoundsVerdict::Residual);
        body.code.srcs.extend_from_slice(&from.code.srcs);
    }

    fn expr(&self, e: ExprId) -> ExprId {
        ExprId::new(e.index() + self.exprs)
    }

    fn local(&self, l: LocalId) -> LocalId {
        LocalId::new(l.index() + self.locals)
    }

    fn src(&self, src: SrcId) -> SrcId {
        SrcId::new(src.index() + self.srcs)
    }

    /// The place with the names of the body; the indices have theirs.
    fn names_of(&self, place: &mut Place) {
        place.base = match place.base {
            Base::Local(local) => {
                let named = self.names.iter().find(|(param, _)| *param == local);
                named.map_or_else(|| Base::Local(self.local(local)), |(_, base)| *base)
            }
            Base::Const(c) => Base::Const(ConstId::new(c.index() + self.consts)),
            Base::Array(_) | Base::Scalar(_) => place.base,
        };
        for step in &mut place.projections {
            if let Projection::Index { access, index: _ } = step {
                access.0 += self.accesses as u32;
            }
        }
    }

    fn place(&self, place: &mut Place) {
        visit::of_place_mut(place, &mut |e| *e = self.expr(*e));
        self.names_of(place);
    }

    fn block(&self, block: &mut Block) {
        for stmt in &mut block.0 {
            match stmt {
                Stmt::Let { local, init } => {
                    *local = self.local(*local);
                    init.iter_mut().for_each(|e| *e = self.expr(*e));
                }
                Stmt::Assign { place, value, src } => {
                    self.place(place);
                    (*value, *src) = (self.expr(*value), self.src(*src));
                }
                Stmt::Eval(e) => *e = self.expr(*e),
                Stmt::If { cond, then, els } => {
                    *cond = self.expr(*cond);
                    self.block(then);
                    self.block(els);
                }
                Stmt::Return(value) => value.iter_mut().for_each(|e| *e = self.expr(*e)),
                Stmt::For { label, var, range, body, src } => {
                    label.0 += self.labels;
                    (*var, *src) = (self.local(*var), self.src(*src));
                    range.lo.iter_mut().chain(&mut range.hi).for_each(|e| *e = self.expr(*e));
                    for adaptor in &mut range.adaptors {
                        if let Adaptor::StepBy(Some(step)) = adaptor {
                            *step = self.expr(*step);
                        }
                    }
                    self.block(body);
                }
                Stmt::Check { check, src } => {
                    *src = self.src(*src);
                    self.check(check);
                }
                Stmt::Atomic { .. }
                | Stmt::Loop { .. }
                | Stmt::Labelled { .. }
                | Stmt::Break(_)
                | Stmt::Continue(_)
                | Stmt::Inner(_) => unreachable!("plain bodies have none"),
            }
        }
    }

    fn check(&self, check: &mut Check) {
        let of = |access: &mut AccessId| access.0 += self.accesses as u32;
        match check {
            Check::Bounds { access, base, index } => {
                of(access);
                self.place(base);
                *index = self.expr(*index);
            }
            Check::Slice { access, base, lo, hi, last } => {
                of(access);
                self.place(base);
                [lo, hi, last].into_iter().flatten().for_each(|e| *e = self.expr(*e));
            }
            Check::Divide { access, rem: _, lhs, rhs } => {
                access.iter_mut().for_each(of);
                (*lhs, *rhs) = (self.expr(*lhs), self.expr(*rhs));
            }
            Check::Panic { access, message: _, args } => {
                access.iter_mut().for_each(of);
                args.iter_mut().for_each(|e| *e = self.expr(*e));
            }
            Check::Step { access, step } => {
                access.iter_mut().for_each(of);
                *step = self.expr(*step);
            }
            Check::Claim { access, array: _, index, to } => {
                of(access);
                *index = self.expr(*index);
                to.iter_mut().for_each(|e| *e = self.expr(*e));
            }
        }
    }
}
