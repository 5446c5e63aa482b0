//! Control flow: blocks, `if`, loops, jumps. Each stores its value, if it has one, in a variable.
use crate::diag::Code as DiagCode;
use crate::lower::cx::{Flow, Lower, Target, TargetKind};
use crate::lower::expr::literal::is_untyped;
use crate::lower::generated_names::Made;
use crate::lower::pattern::Subject;
use crate::lower::region::head::shown;
use crate::sema::syntax::forms::{strip, strip_mut};
use omp_ir::flow::early_exit::breaks;
use omp_ir::ids::{ExprId, LocalId, SlotId};
use omp_ir::template::{Adaptor, Base, Block, Check, Expr, LocalKind, Place, Range, Stmt, TyRef, UnOp};
use proc_macro2::Span;
use syn::spanned::Spanned;

/// The name of a loop variable that is not the user's: failure records don't show it.
const ITEM: &str = "_item";

impl Lower {
    /// `if`, `match`, blocks and loops.
    pub fn control(&mut self, e: &mut syn::Expr, dest: Option<LocalId>) -> Flow {
        match e {
            syn::Expr::If(i) => self.if_(i, dest),
            syn::Expr::Match(_) => self.match_(e, dest),
            syn::Expr::Block(b) => self.block_expr(b, dest),
            syn::Expr::Loop(l) => self.loop_(l, dest),
            syn::Expr::While(w) => self.while_(w),
            syn::Expr::ForLoop(f) => self.for_(f),
            _ => unreachable!("called with control flow"),
        }
    }

    /// The statements of a block; its last expression goes to `dest`.
    pub fn block(&mut self, b: &mut syn::Block, dest: Option<LocalId>) -> Flow {
        self.scoped(|this| this.statements(b, dest))
    }

    fn block_expr(&mut self, b: &mut syn::ExprBlock, dest: Option<LocalId>) -> Flow {
        let Some(label) = &b.label else { return self.block(&mut b.block, dest) };
        let (id, name) = (self.label(), label.name.ident.to_string());
        self.targets.push(Target { name: Some(name), kind: TargetKind::Block(id), result: dest });
        let (body, _) = self.nested(|this| this.block(&mut b.block, dest));
        self.targets.pop();
        self.push(Stmt::Labelled { label: id, body });
        Some(())
    }

    /// `if`, with `let` chains: the bindings of a test are in force in what follows it.
    fn if_(&mut self, i: &mut syn::ExprIf, dest: Option<LocalId>) -> Flow {
        if let (
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Bool(known), .. }),
            [syn::Stmt::Expr(syn::Expr::Path(_), None)],
        ) = (&*i.cond, &i.then_branch.stmts[..])
            && !known.value
        {
            // (The branch is for rustc alone.)
            return self.else_(i.else_branch.as_mut(), dest);
        }
        let simple = !crate::lower::expr::contains_let(&i.cond);
        if simple {
            // (`if a = b` is rustc's error, as the user wrote it.)
            let assigns = matches!(strip(&i.cond), syn::Expr::Assign(_));
            let written = assigns.then(|| crate::marks::unmarked(&i.cond));
            let cond = self.value(&mut i.cond)?;
            if let Some(written) = written {
                *i.cond = written;
            }
            let (then, a) = self.nested(|this| this.block(&mut i.then_branch, dest));
            let (els, b) = self.nested(|this| this.else_(i.else_branch.as_mut(), dest));
            if then.0.is_empty() && !els.0.is_empty() {
                let src = self.src(i.cond.span());
                let cond = self.expr(Expr::Unary(UnOp::Not, cond), src);
                self.push(Stmt::If { cond, then: els, els: then });
            } else if els.0.is_empty() {
                self.under(cond, then);
            } else {
                self.push(Stmt::If { cond, then, els });
            }
            return a.or(b);
        }
        let single = matches!(&*i.cond, syn::Expr::Let(_));
        let src = self.src(i.if_token.span());
        if single || i.else_branch.is_none() {
            let mut ends = None;
            let (els, b) = self.nested(|this| this.else_(i.else_branch.as_mut(), dest));
            let then = &mut i.then_branch;
            self.scoped(|this| {
                let mut sees = Vec::new();
                this.conditions(&mut i.cond, &mut sees, els, &mut |this, sees| {
                    ends = this.block(then, dest);
                    then.stmts.splice(0..0, sees.drain(..));
                });
            });
            return ends.or(b);
        }
        // A chain with `else`: whether it held is kept.
        let held = self.local("held", LocalKind::Temp, None, true);
        let no = self.expr(Expr::Bool(false), src);
        self.push(Stmt::Let { local: held, init: Some(no) });
        let mut ends = None;
        let then = &mut i.then_branch;
        self.scoped(|this| {
            let mut sees = Vec::new();
            this.conditions(&mut i.cond, &mut sees, Block::default(), &mut |this, sees| {
                let yes = this.expr(Expr::Bool(true), src);
                let place = Place::from(Base::Local(held));
                this.push(Stmt::Assign { place, value: yes, src });
                ends = this.block(then, dest);
                then.stmts.splice(0..0, sees.drain(..));
            });
        });
        let (els, b) = self.nested(|this| this.else_(i.else_branch.as_mut(), dest));
        let held = self.load(held, src);
        let cond = self.expr(Expr::Unary(UnOp::Not, held), src);
        self.push(Stmt::If { cond, then: els, els: Block::default() });
        ends.or(b)
    }

    /// `If` without `else`. What `a && b` was computed by where `b` needs statements, `let t = a; if t { …; t = b }`,
    /// becomes two of them, so that the analyses see both conditions. (Not if `t` is the user's own: other statements may read it.)
    fn under(&mut self, cond: ExprId, then: Block) {
        let is = |p: &Place, t: LocalId| p.base == Base::Local(t) && p.projections.is_empty();
        let found =
            match (&self.code.exprs[cond.index()].expr, self.blocks.last().and_then(|b| b.last_chunk())) {
                (
                    Expr::Load(result),
                    Some([Stmt::Let { local, init: Some(_) }, Stmt::If { cond: held, then: right, els }]),
                ) => {
                    let held = matches!(&self.code.exprs[held.index()].expr, Expr::Load(p) if is(p, *local));
                    let last =
                        matches!(right.0.last(), Some(Stmt::Assign { place, .. }) if is(place, *local));
                    let own = self.code.locals[local.index()].kind == LocalKind::Temp;
                    own && is(result, *local) && held && last && els.0.is_empty()
                }
                _ => false,
            };
        if !found {
            self.push(Stmt::If { cond, then, els: Block::default() });
            return;
        }
        let block = self.blocks.last_mut().expect("a block is open");
        let Some(Stmt::If { then: mut right, .. }) = block.pop() else { unreachable!("seen above") };
        let Some(Stmt::Let { init: Some(left), .. }) = block.pop() else { unreachable!("seen above") };
        let Some(Stmt::Assign { value, .. }) = right.0.pop() else { unreachable!("seen above") };
        right.0.push(Stmt::If { cond: value, then, els: Block::default() });
        self.under(left, right);
    }

    fn else_(
        &mut self,
        branch: Option<&mut (syn::Token![else], Box<syn::Expr>)>,
        dest: Option<LocalId>,
    ) -> Flow {
        match branch {
            Some((_, e)) => match dest {
                Some(dest) => self.into(e, dest),
                None => self.effect(e),
            },
            None => Some(()),
        }
    }

    /// Nested `If`s for `c && let P = e && …`, with `body` inside the innermost and `els` at the outermost.
    fn conditions(
        &mut self,
        cond: &mut syn::Expr,
        sees: &mut Vec<syn::Stmt>,
        els: Block,
        body: &mut dyn FnMut(&mut Self, &mut Vec<syn::Stmt>),
    ) {
        match cond {
            syn::Expr::Binary(b)
                if matches!(b.op, syn::BinOp::And(_)) && crate::lower::expr::contains_let(&b.left) =>
            {
                let right = &mut b.right;
                self.conditions(&mut b.left, sees, els, &mut |this, sees| {
                    this.conditions(right, sees, Block::default(), body);
                });
            }
            syn::Expr::Binary(b) if matches!(b.op, syn::BinOp::And(_)) => {
                let Some(cond) = self.value(&mut b.left) else { return };
                let right = &mut b.right;
                let (then, ()) = self.nested(|this| this.conditions(right, sees, Block::default(), body));
                self.push(Stmt::If { cond, then, els });
            }
            syn::Expr::Let(l) => {
                let Some(subject) = self.refutable(|this| this.subject(&mut l.expr, &mut l.pat)) else {
                    return;
                };
                let (test, bound) = self.refutable(|this| this.test_and_bind(&subject, &mut l.pat));
                let (then, ()) = self.nested(|this| {
                    this.bind_all(bound, sees);
                    body(this, sees);
                });
                self.branch(test, then, els);
            }
            other => {
                let Some(cond) = self.value(other) else { return };
                let (then, ()) = self.nested(|this| body(this, sees));
                self.push(Stmt::If { cond, then, els });
            }
        }
    }

    /// `If`, unless the test is always true.
    pub fn branch(&mut self, test: Option<ExprId>, then: Block, els: Block) {
        match test {
            Some(cond) => self.push(Stmt::If { cond, then, els }),
            None => self.extend(then),
        }
    }

    fn loop_(&mut self, l: &mut syn::ExprLoop, dest: Option<LocalId>) -> Flow {
        let label = self.label();
        let breaks = self.loop_body(l.label.as_ref(), label, &mut l.body, dest, None);
        // A loop without a `break` never ends; one with a value ends by `break` alone.
        breaks.then_some(())
    }

    fn while_(&mut self, w: &mut syn::ExprWhile) -> Flow {
        let label = self.label();
        let cond = &mut *w.cond;
        if crate::lower::expr::contains_let(cond) {
            let name = w.label.as_ref().map(|l| l.name.ident.to_string());
            self.targets.push(Target { name, kind: TargetKind::Loop(label), result: None });
            let (body, ()) = self.nested(|this| {
                this.scoped(|this| {
                    let mut sees = Vec::new();
                    let body = &mut w.body;
                    this.conditions(cond, &mut sees, Block::default(), &mut |this, sees| {
                        this.block(body, None);
                        this.push(Stmt::Continue(label));
                        body.stmts.splice(0..0, sees.drain(..));
                    });
                    this.push(Stmt::Break(label));
                });
            });
            self.targets.pop();
            self.push(Stmt::Loop { label, body });
            return Some(());
        }
        self.loop_body(w.label.as_ref(), label, &mut w.body, None, Some(cond));
        Some(())
    }

    /// A `loop` or, with a condition, a `while`; whether something breaks out of it.
    fn loop_body(
        &mut self,
        name: Option<&syn::Label>,
        label: omp_ir::ids::LabelId,
        body: &mut syn::Block,
        dest: Option<LocalId>,
        cond: Option<&mut syn::Expr>,
    ) -> bool {
        let name = name.map(|l| l.name.ident.to_string());
        self.targets.push(Target { name, kind: TargetKind::Loop(label), result: dest });
        let (block, _) = self.nested(|this| {
            if let Some(cond) = cond {
                let src = this.src(cond.span());
                let holds = this.value(cond)?;
                let fails = this.expr(Expr::Unary(UnOp::Not, holds), src);
                let then = Block(vec![Stmt::Break(label)]);
                this.push(Stmt::If { cond: fails, then, els: Block::default() });
            }
            this.block(body, None)
        });
        self.targets.pop();
        let breaks = breaks(&block, label);
        self.push(Stmt::Loop { label, body: block });
        breaks
    }

    fn for_(&mut self, f: &mut syn::ExprForLoop) -> Flow {
        if crate::sema::loops::nesting::number(&f.attrs).is_some() {
            return self.inner(f);
        }
        if !is_range(&f.expr) {
            return self.for_each(f);
        }
        let (label, src) = (self.label(), self.src(f.expr.span()));
        let (ident, mutable) = self.loop_variable(&mut f.pat)?;
        let (slot, see) = self.query_local(&ident);
        let Some(range) = self.range(&mut f.expr, Some(slot), true) else {
            f.body.stmts.insert(0, see);
            return None;
        };
        // Failure records show the user's names only.
        let name = ident.to_string();
        let name = if shown(&ident) == name { name } else { ITEM.to_owned() };
        let var = self.local(&name, LocalKind::Loop, Some(slot), false);
        let name = f.label.as_ref().map(|l| l.name.ident.to_string());
        self.targets.push(Target { name, kind: TargetKind::Loop(label), result: None });
        let (body, _) = self.nested(|this| {
            this.scoped(|this| {
                this.bind_loop_variable(&ident, var, mutable);
                this.block(&mut f.body, None)
            })
        });
        self.targets.pop();
        f.body.stmts.insert(0, see);
        self.push(Stmt::For { label, var, range, body, src });
        Some(())
    }

    /// The name of a loop variable; `_` gets one.
    pub fn loop_variable(&mut self, pat: &mut syn::Pat) -> Option<(syn::Ident, bool)> {
        match pat {
            syn::Pat::Wild(w) => {
                let ident = self.fresh(Made::Index, w.span());
                *pat = syn::Pat::Ident(syn::PatIdent {
                    attrs: Vec::new(),
                    by_ref: None,
                    mutability: None,
                    ident: ident.clone(),
                    subpat: None,
                });
                Some((ident, false))
            }
            syn::Pat::Ident(p) if p.subpat.is_none() && p.by_ref.is_none() => {
                self.lower_case(&p.ident)?;
                Some((p.ident.clone(), p.mutability.is_some()))
            }
            syn::Pat::Paren(p) => self.loop_variable(&mut p.pat),
            other => {
                self.error(
                    DiagCode::UnsupportedPattern,
                    other.span(),
                    "a loop over a range has one variable",
                    "write `for i in a..b`",
                );
                None
            }
        }
    }

    /// Binds the variable; `mut i` is a copy of its own.
    pub fn bind_loop_variable(&mut self, ident: &syn::Ident, var: LocalId, mutable: bool) {
        let name = ident.to_string();
        if mutable {
            let src = self.src(ident.span());
            let slot = self.code.locals[var.index()].slot;
            let copy = self.local(&name, LocalKind::User, slot, true);
            let init = Some(self.load(var, src));
            self.push(Stmt::Let { local: copy, init });
            self.bind(&name, copy);
        } else {
            self.bind(&name, var);
        }
    }

    /// `for v in array`: over the elements of a copy, by number.
    fn for_each(&mut self, f: &mut syn::ExprForLoop) -> Flow {
        let (span, src) = (f.expr.span(), self.src(f.expr.span()));
        // (A device type's own method may give an array.)
        if let syn::Expr::MethodCall(m) = strip(&f.expr)
            && OF_ITERATORS.iter().any(|name| m.method == name)
        {
            let message = format!("a loop over `.{}()` can't be counted on a device", m.method);
            let help = "loop over a range, or over `x.iter()` or `x.iter_mut()` of an array `x`, with `.enumerate()`, `.zip(…)`, `.rev()`, `.step_by(s)`";
            self.error(DiagCode::NotCanonical, m.method.span(), message, help);
            return None;
        }
        let value = self.argument(&mut f.expr)?;
        let array = self.temp("items", value);
        let Expr::Load(base) = self.code.exprs[array.index()].expr.clone() else {
            unreachable!("a temporary is loaded")
        };
        let usize_ = |value| Expr::Int { value, negative: false, ty: TyRef::Prim(omp_ir::desc::Prim::Usize) };
        let (lo, hi) = (self.expr(usize_(0), src), self.expr(Expr::Len(base.clone()), src));
        let range = Range { lo: Some(lo), hi: Some(hi), inclusive: false, adaptors: Vec::new() };
        let (label, access) = (self.label(), self.new_access(src));
        let var = self.local(ITEM, LocalKind::Loop, None, false);
        let name = f.label.as_ref().map(|l| l.name.ident.to_string());
        self.targets.push(Target { name, kind: TargetKind::Loop(label), result: None });
        let mut sees = Vec::new();
        let (body, _) = self.nested(|this| {
            this.scoped(|this| {
                let index = this.load(var, src);
                this.note_access(access, "items", crate::lower::expr::place::READ, span);
                let place = this.checked(base, index, access, src);
                let item = this.expr(Expr::Load(place), src);
                let item = this.temp("item", item);
                let subject = Subject::of(&this.code, item);
                let (test, bound) = this.test_and_bind(&subject, &mut f.pat);
                debug_assert!(test.is_none() || !bound.is_empty());
                this.bind_all(bound, &mut sees);
                this.block(&mut f.body, None)
            })
        });
        self.targets.pop();
        f.body.stmts.splice(0..0, sees);
        self.push(Stmt::For { label, var, range, body, src });
        Some(())
    }

    /// `a..b`, `(a..=b).rev().step_by(s)`. `slot`: of the variable, whose type literal bounds have. `checked`: a sequential
    /// loop, whose step is checked while running.
    pub fn range(&mut self, e: &mut syn::Expr, slot: Option<SlotId>, checked: bool) -> Option<Range> {
        match strip_mut(e) {
            syn::Expr::MethodCall(m) if m.method == "rev" && m.args.is_empty() => {
                let mut range = self.range(&mut m.receiver, slot, checked)?;
                range.adaptors.push(Adaptor::Rev);
                Some(range)
            }
            syn::Expr::MethodCall(m) if m.method == "step_by" && m.args.len() == 1 => {
                let mut range = self.range(&mut m.receiver, slot, checked)?;
                let src = self.src(m.method.span());
                let mark = self.mark();
                let step = self.value(&mut m.args[0])?;
                let mut bounds: Vec<ExprId> = [range.lo, range.hi].into_iter().flatten().collect();
                self.settle(&mut bounds, mark);
                (range.lo, range.hi) = (Some(bounds[0]), Some(bounds[1]));
                let step = if self.is_stable(step) { step } else { self.temp("step", step) };
                if checked {
                    let check = Check::Step { access: None, step: self.copy(step) };
                    self.push(Stmt::Check { check, src });
                }
                range.adaptors.push(Adaptor::StepBy(Some(step)));
                Some(range)
            }
            syn::Expr::Range(r) => {
                let inclusive = matches!(r.limits, syn::RangeLimits::Closed(_));
                let (Some(lo), Some(hi)) = (&mut r.start, &mut r.end) else {
                    self.error(
                        DiagCode::UnsupportedExpr,
                        r.span(),
                        "a loop on a device has both bounds",
                        "write `a..b`, or `loop` with `break`",
                    );
                    return None;
                };
                let bounds = self.values([&mut **lo, &mut **hi].into_iter(), |this, e| match slot {
                    Some(slot) if is_untyped(e) => this.literal_of(e, Some(TyRef::Slot(slot))),
                    _ => this.value(e),
                })?;
                Some(Range { lo: Some(bounds[0]), hi: Some(bounds[1]), inclusive, adaptors: Vec::new() })
            }
            other => {
                self.error(
                    DiagCode::UnsupportedExpr,
                    other.span(),
                    "this can't be iterated on a device",
                    "loops run over `a..b`, `a..=b`, with `.rev()` and `.step_by(s)`, and over fixed arrays",
                );
                None
            }
        }
    }

    // ------------------------------------------------------------------------------------------ jumps

    /// `break`, `continue`, `return`.
    pub fn jump(&mut self, e: &mut syn::Expr) -> Flow {
        match e {
            syn::Expr::Break(b) => {
                let (kind, result) = self.target("break", b.label.as_ref(), b.break_token.span)?;
                if let Some(e) = &mut b.expr {
                    match result {
                        Some(dest) => self.into(e, dest)?,
                        None => self.effect(e)?,
                    }
                }
                if let TargetKind::Loop(label) | TargetKind::Block(label) = kind {
                    self.push(Stmt::Break(label));
                }
            }
            syn::Expr::Continue(c) => {
                match self.target("continue", c.label.as_ref(), c.continue_token.span)?.0 {
                    TargetKind::Loop(label) | TargetKind::Inner(label, _) => self.push(Stmt::Continue(label)),
                    TargetKind::Parallel(_) => self.push(Stmt::Return(None)),
                    TargetKind::Block(_) => {}
                }
            }
            syn::Expr::Return(r) => {
                let is_exit = self.captured.is_some();
                if is_exit {
                    self.early_exit("return", r.return_token.span);
                }
                let value = match &mut r.expr {
                    Some(e) => Some(self.value(e)?),
                    None => None,
                };
                if !is_exit {
                    self.push(Stmt::Return(value));
                }
            }
            _ => unreachable!("called with a jump"),
        }
        None
    }

    /// The target of a `break` or `continue`: the innermost loop, or the block or loop with the label. One that leaves a parallel loop is
    /// reported, or left to rustc if nothing has the label.
    fn target(
        &mut self,
        jump: &str,
        label: Option<&syn::Lifetime>,
        span: Span,
    ) -> Option<(TargetKind, Option<LocalId>)> {
        let name = label.map(|l| l.ident.to_string());
        let found = self.targets.iter().rposition(|t| match &name {
            Some(name) => t.name.as_ref() == Some(name),
            None => !matches!(t.kind, TargetKind::Block(_)),
        });
        let Some(found) = found else {
            if name.is_some_and(|name| self.function_labels.contains(&name)) {
                self.early_exit(jump, span);
            } else {
                let at = label.map_or(span, |label| label.apostrophe);
                self.of_rustc(DiagCode::LeavesLoop, at, format!("nothing has the label of this `{jump}`"));
            }
            return None;
        };
        let Target { kind, result, .. } = self.targets[found];
        if matches!(kind, TargetKind::Block(_)) && jump == "continue" {
            self.of_rustc(DiagCode::LeavesLoop, span, "a block can't be continued".to_owned());
            return None;
        }
        let stays = match kind {
            TargetKind::Loop(_) => true,
            TargetKind::Block(_) => jump == "break",
            TargetKind::Parallel(innermost) | TargetKind::Inner(_, innermost) => {
                innermost && jump == "continue"
            }
        };
        let leaves_nest = self.targets[found + 1..].iter().any(|t| matches!(t.kind, TargetKind::Inner(..)));
        if !stays || leaves_nest {
            self.early_exit(jump, span);
            return None;
        }
        Some((kind, result))
    }

    /// Reports what would leave a parallel loop.
    pub(in crate::lower) fn early_exit(&mut self, jump: &str, span: Span) {
        let help = match jump {
            "break" => "let the iterations that have nothing to do `continue`",
            "continue" => "only the innermost parallel loop can be continued",
            "return" => {
                "write the result to an array or reduce it (`reduction(min: first)`), and return after the loop"
            }
            _ => "`?` returns: handle the case in the body with `if let`, `match` or `unwrap_or`",
        };
        let message = format!("`{jump}` out of the parallel loop: other iterations are under way");
        self.error(DiagCode::LeavesLoop, span, message, help);
    }
}

/// `a..b` with adaptors.
pub(crate) fn is_range(e: &syn::Expr) -> bool {
    match strip(e) {
        syn::Expr::Range(_) => true,
        syn::Expr::MethodCall(m) => (m.method == "rev" || m.method == "step_by") && is_range(&m.receiver),
        _ => false,
    }
}

/// Methods of std's that give iterators.
const OF_ITERATORS: [&str; 46] = [
    "array_chunks",
    "array_windows",
    "bytes",
    "chain",
    "char_indices",
    "chars",
    "chunk_by",
    "chunks",
    "chunks_exact",
    "chunks_exact_mut",
    "chunks_mut",
    "cloned",
    "copied",
    "cycle",
    "drain",
    "enumerate",
    "filter",
    "filter_map",
    "flat_map",
    "flatten",
    "fuse",
    "inspect",
    "into_iter",
    "iter",
    "iter_mut",
    "keys",
    "lines",
    "map",
    "map_while",
    "peekable",
    "rchunks",
    "rev",
    "rsplit",
    "scan",
    "skip",
    "skip_while",
    "split",
    "split_ascii_whitespace",
    "split_whitespace",
    "step_by",
    "take",
    "take_while",
    "values",
    "values_mut",
    "windows",
    "zip",
];
