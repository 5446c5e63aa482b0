//! Statements as C: assignments, conditions, loops, labelled blocks and exits. Atomic accesses, checks, claims and inner nests have
//! files of their own.
pub(super) mod atomic;
pub(crate) mod check;
pub(super) mod claim;
pub(crate) mod inner;
pub(super) mod inner_iterations;
pub(super) mod late_stores;
pub(super) mod loads_ahead;
pub(crate) mod range;
pub(super) mod speculative_loads;
mod unrolling;

use super::body::{Body, Frame, Leave, Within};
use super::expr::bare;
use crate::back::Dialect;
use omp_ir::ids::{ExprId, LabelId, LocalId};
use omp_ir::kernel::{Callee, Ty};
use omp_ir::template::{Base, Block, Expr, LocalKind, Place, Projection, Range, Stmt, UnOp};

impl Body<'_, '_> {
    /// Writes the statements of a block.
    pub(crate) fn block(&mut self, block: &Block) {
        self.statements(&block.0);
    }

    /// Writes statements in a row.
    pub(crate) fn statements(&mut self, stmts: &[Stmt]) {
        if self.jam.is_some() {
            return self.joint_statements(stmts);
        }
        let mut rest = stmts;
        while let [stmt, tail @ ..] = rest {
            rest = match self.shared_update(rest) {
                Some(count) => &rest[count..],
                None => {
                    self.stmt(stmt);
                    tail
                }
            };
        }
    }

    pub(crate) fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let { local, init } => self.declare(*local, *init),
            Stmt::Assign { place, value, src: _ } => self.assign(place, *value),
            Stmt::Eval(e) => {
                let text = self.bare(*e);
                self.out.line(format!("{text};"));
                self.test_context();
            }
            Stmt::Atomic { place, old, new, update, src: _ } => self.atomic(place, *old, *new, update),
            Stmt::If { cond, then, els } if els.0.is_empty() && self.is_left_out(then) => {
                // The arguments keep what it reads, because the interpreter evaluates it.
                let (text, fallible) = (self.out.text.len(), self.fallible);
                let _ = self.expr(*cond);
                self.out.text.truncate(text);
                self.fallible = fallible;
            }
            Stmt::If { cond, then, els } => self.branch(*cond, then, els),
            Stmt::For { label, var, range, body, src: _ } => {
                if !self.loop_ahead(*label, *var, range, body)
                    && !self.storing_late(*label, *var, range, body)
                {
                    self.counted_or_speculative(*label, *var, range, body);
                }
            }
            Stmt::Loop { label, body } => self.endless(*label, body),
            Stmt::Labelled { label, body } => {
                self.frames.push(Frame { label: *label, is_loop: false, exit: None, next: None });
                self.out.open("{");
                self.block(body);
                self.out.close("}");
                self.end_frame();
            }
            Stmt::Inner(inner) => self.inner(inner),
            Stmt::Break(label) => {
                let line = self.jump(*label, true);
                self.out.line(line);
            }
            Stmt::Continue(label) => {
                let line = self.jump(*label, false);
                self.out.line(line);
            }
            Stmt::Return(value) => self.give(*value),
            Stmt::Check { check, src } => self.check(check, *src),
        }
    }

    /// A loop that counts.
    pub(crate) fn counted_loop(&mut self, label: LabelId, var: LocalId, range: &Range, body: &Block) {
        let start = self.out.text.len();
        self.out.depth += 1;
        let head = self.for_head(var, range);
        self.out.depth -= 1;
        let before = self.out.text.split_off(start);
        if !before.is_empty() {
            self.out.open("{");
            self.out.text.push_str(&before);
        }
        self.frames.push(Frame { label, is_loop: true, exit: None, next: None });
        let short = self.unrolls_whole(var, range, body);
        let unrolled = self.unrolled(range, body).or_else(|| short.then(|| "#pragma unroll".to_owned()));
        let pragma = self.out.text.len();
        if let Some(pragma) = &unrolled {
            self.out.line(pragma);
        }
        let at = self.out.text.len();
        self.out.open(head);
        self.enter_loop(var);
        self.loop_body(body);
        self.leave_loops(1);
        self.out.close("}");
        // NVRTC 13.0 unrolls loops with several exits, and then leaves some of them too early: `ports::finance::lmm` of the tests.
        let tests_flag = ["cx.failed", "cx->failed"].iter().any(|flag| self.out.text[at..].contains(flag));
        // (Next to arrays in shared memory, that is more urgent than what the schedule or a clause says of unrolling.)
        let gives_way = unrolled.is_none() || short || !self.w.schedule.interleaved.locals.is_empty();
        if gives_way && tests_flag && self.w.syntax.dialect == Dialect::Cuda {
            self.out.text.replace_range(pragma..at, "#pragma unroll 1\n");
        }
        self.end_frame();
        if !before.is_empty() {
            self.out.close("}");
        }
    }

    /// `let`
    fn declare(&mut self, local: LocalId, init: Option<ExprId>) {
        let ty = self.code.local_ty[local.index()];
        let name = self.locals[local.index()].clone();
        if let Ty::Slice(elem) = self.w.types.get(ty) {
            if let Some(init) = init {
                let (text, space) = self.slice(init);
                self.spaces[local.index()] = space;
                let c = self.w.slice_type(*elem, space);
                self.out.line(format!("{c} {name} = {};", bare(&text)));
                self.test_context();
            } else if let Some(space) = self.space_of_later(local) {
                self.spaces[local.index()] = space;
                let c = self.w.slice_type(*elem, space);
                self.out.line(format!("{c} {name};"));
            }
            return;
        }
        if self.w.types.is_empty(ty) {
            if let Some(init) = init.filter(|&e| self.is_device_call(e)) {
                let text = self.bare(init);
                self.out.line(format!("{text};"));
                self.test_context();
            }
            return;
        }
        if self.is_interleaved(local) {
            return self.declare_interleaved(local, init);
        }
        let c = self.w.value_type(ty);
        let code = self.code;
        match init.map(|e| (e, &code.code.exprs[e.index()].expr)) {
            None => self.out.line(format!("{c} {name};")),
            Some((_, Expr::Repeat { slot: _, value })) => {
                let value = self.settled(*value);
                let len = self.w.kernel.types.array_len(ty).unwrap_or(0);
                let at = self.name("at");
                self.out.line(format!("{c} {name};"));
                self.out.line(format!(
                    "for (u32 {at} = 0; {at} < {len}u; {at}++) {name}.v[{at}] = {};",
                    bare(&value)
                ));
            }
            Some((_, Expr::Array { slot: _, elems })) => {
                self.out.line(format!("{c} {name};"));
                for (i, &elem) in elems.iter().enumerate() {
                    let text = self.bare(elem);
                    self.out.line(format!("{name}.v[{i}] = {text};"));
                }
                self.test_context();
            }
            Some((e, _)) => {
                let fixed = !code.code.locals[local.index()].mutable;
                self.narrow[local.index()] = fixed
                    && self.w.schedule.short.contains(&e)
                    && self.is_value_short(e)
                    && self.is_computed_short(e);
                let (c, text) = match self.narrow[local.index()] {
                    true => ("i32".to_owned(), self.short(e)),
                    false => (c, self.expr(e)),
                };
                let text = bare(&text);
                self.out.line(format!("{c} {name} = {text};"));
                self.test_context();
            }
        }
    }

    /// The address space of a slice variable that is declared without a value, from its first assignment.
    fn space_of_later(&mut self, local: LocalId) -> Option<super::types::Space> {
        let code = self.code;
        let value = super::body::statements(code).into_iter().find_map(|stmt| match stmt {
            Stmt::Assign { place, value, src: _ } if place.base == Base::Local(local) => Some(*value),
            _ => None,
        })?;
        Some(self.slice_space(value))
    }

    /// Where the memory of a slice expression is.
    fn slice_space(&self, e: ExprId) -> super::types::Space {
        use super::types::Space;
        let base = match &self.code.code.exprs[e.index()].expr {
            Expr::Load(place) | Expr::Slice { base: place, .. } => place.base,
            _ => return Space::Global,
        };
        match base {
            Base::Array(_) => Space::Global,
            Base::Const(_) => Space::Constant,
            Base::Scalar(_) => Space::Private,
            Base::Local(local) if self.is_slice(local) => self.spaces[local.index()],
            Base::Local(_) => Space::Private,
        }
    }

    fn is_device_call(&self, e: ExprId) -> bool {
        match &self.code.code.exprs[e.index()].expr {
            Expr::Call { call, args: _ } => matches!(self.code.calls[call.index()], Callee::Fn(_)),
            _ => false,
        }
    }

    fn assign(&mut self, target: &Place, value: ExprId) {
        let ty = self.ty(value);
        if self.w.types.is_empty(ty) {
            if self.is_device_call(value) {
                let text = self.bare(value);
                self.out.line(format!("{text};"));
                self.test_context();
            }
            return;
        }
        let value = self.settled(value);
        let place = self.place(target).text;
        if std::mem::take(&mut self.fallible) {
            // A subscript may fail: that must be known before the store.
            self.settle_subscripts(target);
        }
        let line = self.scattered(target, ty, (&place, bare(&value)));
        let line = line.unwrap_or_else(|| format!("{place} = {};", bare(&value)));
        match target.base {
            Base::Array(array) if self.within == Within::Around => self.store_once(array, &line),
            Base::Array(_) | Base::Local(_) | Base::Scalar(_) | Base::Const(_) => self.out.line(line),
        }
    }

    /// Evaluates the subscripts of a place for their failures alone.
    pub(crate) fn settle_subscripts(&mut self, place: &Place) {
        for step in &place.projections {
            if let Projection::Index { index, access: _ } = step {
                self.settled(*index);
            }
        }
    }

    fn branch(&mut self, cond: ExprId, then: &Block, els: &Block) {
        let cond = self.settled(cond);
        self.out.open(format!("if ({}) {{", bare(&cond)));
        self.block(then);
        if !els.0.is_empty() {
            self.out.close("} else {");
            self.out.depth += 1;
            self.block(els);
        }
        self.out.close("}");
    }

    /// `loop`, written as `while` where its first statement says so.
    fn endless(&mut self, label: LabelId, body: &Block) {
        let mut head = "for (;;) {".to_owned();
        let mut rest = body.0.as_slice();
        if let [Stmt::If { cond, then, els }, tail @ ..] = rest
            && then.0 == [Stmt::Break(label)]
            && els.0.is_empty()
        {
            let code = self.code;
            let before = (self.out.text.len(), self.fallible);
            let text = match &code.code.exprs[cond.index()].expr {
                Expr::Unary(UnOp::Not, inner) => self.bare(*inner),
                _ => format!("!{}", self.expr(*cond)),
            };
            debug_assert_eq!(before.0, self.out.text.len(), "expressions write no statements");
            if self.fallible {
                self.fallible = before.1;
            } else {
                head = format!("while ({text}) {{");
                rest = tail;
            }
        }
        self.frames.push(Frame { label, is_loop: true, exit: None, next: None });
        // NVRTC 13.0 unrolls such loops, and drops stores if failures are exits, too: `cursors::parts_of_parts` of the tests.
        if self.context && self.w.syntax.dialect == Dialect::Cuda {
            self.out.line("#pragma unroll 1");
        }
        self.out.open(head);
        let rest = Block(rest.to_vec());
        self.loop_body(&rest);
        self.out.close("}");
        self.end_frame();
    }

    /// The statements of a loop; a jump from an inner loop to its end lands after them.
    pub(crate) fn loop_body(&mut self, body: &Block) {
        self.before_label(|this| {
            this.block(body);
            this.frames.last().and_then(|f| f.next.clone())
        });
    }

    /// Writes statements, and the label at their end that they return, if one of them jumps there.
    pub(crate) fn before_label(&mut self, write: impl FnOnce(&mut Self) -> Option<String>) {
        let start = self.out.text.len();
        self.out.depth += 1;
        let label = write(self);
        self.out.depth -= 1;
        let text = self.out.text.split_off(start);
        if let Some(next) = label {
            // Declarations stay in a scope of their own: no jump may lead past them into their scope.
            self.out.line("{");
            self.out.text.push_str(&text);
            self.out.line("}");
            self.out.line(format!("{next}:;"));
        } else {
            for line in text.lines() {
                self.out.text.push_str(line.strip_prefix("    ").unwrap_or(line));
                self.out.text.push('\n');
            }
        }
    }

    /// Writes the label after a loop or block, if something jumps there.
    fn end_frame(&mut self) {
        if let Some(exit) = self.frames.pop().and_then(|f| f.exit) {
            self.out.line(format!("{exit}:;"));
        }
    }

    /// `break` and `continue`.
    fn jump(&mut self, label: LabelId, exit: bool) -> String {
        let Some(position) = self.frames.iter().rposition(|f| f.label == label) else {
            return ";".to_owned();
        };
        let innermost = self.frames.iter().rposition(|f| f.is_loop) == Some(position);
        if innermost {
            return if exit { "break;" } else { "continue;" }.to_owned();
        }
        let target =
            if exit { self.frames[position].exit.clone() } else { self.frames[position].next.clone() };
        let target = target.unwrap_or_else(|| {
            let name = self.name(if exit { "leave" } else { "again" });
            let frame = &mut self.frames[position];
            *(if exit { &mut frame.exit } else { &mut frame.next }) = Some(name.clone());
            name
        });
        format!("goto {target};")
    }

    /// `return`
    fn give(&mut self, value: Option<ExprId>) {
        match (self.leave.clone(), value) {
            (Leave::Kernel | Leave::Iteration | Leave::Deferred | Leave::Nest { .. }, _) => {
                let line = self.end_iteration();
                self.out.line(line);
            }
            (Leave::Function(Some(_)), Some(value)) => {
                let text = self.settled(value);
                self.out.line(format!("return {};", bare(&text)));
            }
            (Leave::Function(_), value) => {
                if let Some(value) = value.filter(|&e| self.is_device_call(e)) {
                    let text = self.bare(value);
                    self.out.line(format!("{text};"));
                    self.test_context();
                }
                self.out.line("return;");
            }
        }
    }

    /// A local that is declared for each iteration with a captured value.
    pub(crate) fn declare_private(&mut self) {
        let code = self.code;
        for (i, local) in code.code.locals.iter().enumerate() {
            if let LocalKind::Private(scalar) = local.kind {
                let ty = code.local_ty[i];
                if self.w.types.is_empty(ty) {
                    continue;
                }
                let c = self.w.value_type(ty);
                let from = self.arg(crate::back::Arg::Scalar(scalar));
                self.out.line(format!("{c} {} = {from};", self.locals[i]));
            }
        }
    }
}
