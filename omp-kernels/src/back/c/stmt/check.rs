//! Checks and what a failure does.
//!
//! The first thread that fails anywhere takes the status record (a compare-and-swap of its first word), writes it,
//! and returns; the others return as well, each where it fails. In the kernel's body `fail` is called with everything
//! that the record holds. Device functions, and kernels that call functions which can fail, carry a *context* with
//! the record, the loop variables and a flag: the caller tests the flag after the statement with the call.
use crate::back::c::body::{Body, Leave, Stop, visit_calls};
use crate::back::c::expr::bare;
use crate::back::c::expr::literal;
use crate::back::c::function::overflows;
use crate::back::c::writer::Writer;
use crate::back::{Arg, Dialect, FailureKind, Shown, WrongBound};
use crate::valid::bounds_that_overflow;
use omp_ir::ids::{AccessId, ArrayId, ExprId, SrcId};
use omp_ir::kernel::{BoundsVerdict, Ty, TypedCode};
use omp_ir::message::MAX_VALUES;
use omp_ir::template::{Base, Block, Check, Expr, Place, Stmt};

/// The most loop variables that a record holds.
pub(crate) const MAX_VARS: usize = 8;
/// The values of a message after the first two.
const MORE: usize = MAX_VALUES - 2;

impl Writer<'_> {
    /// Failures go through a context, because arithmetic or a function that the kernel calls may fail.
    pub(crate) fn needs_context(&self) -> bool {
        let fails = |body: &TypedCode| {
            let overflows = || overflows(self.kernel, body) || bounds_that_overflow(self.kernel) > 0;
            (body.overflow_checks && overflows()) || visit_calls(body).any(|f| self.functions.can_fail(f))
        };
        self.bodies().any(fails) || self.operators_can_fail()
    }

    /// The definitions of record and context, if something can fail.
    pub(crate) fn status_text(&self) -> String {
        if self.sites.is_empty() && !self.needs_context() {
            return String::new();
        }
        let global = self.syntax.global;
        let vars = self.kernel.template.dims.len().min(MAX_VARS);
        let params: String = (0..vars).map(|i| format!(", i64 v{i}")).collect();
        let stores: String = (0..vars).map(|i| format!("    status->vars[{i}] = v{i};\n")).collect();
        let pass: String = (0..vars).map(|i| format!(", cx->vars[{i}]")).collect();
        let (noinline, cas) = match self.syntax.dialect {
            Dialect::Cuda => ("static __device__ __noinline__ ", "atomicCAS(&status->failed, 0u, 1u)"),
            Dialect::OpenCl => {
                ("static ", "atomic_cmpxchg((volatile __global uint*)&status->failed, 0u, 1u)")
            }
        };
        let helper = self.syntax.helper;
        let stack = if self.info.recursive { " u64 stack; u64 most;" } else { "" };
        let in_context = if self.needs_context() {
            let call = format!("fail(cx->status, site, a, b{pass})");
            let (flag, fails) = if self.records_iterations() {
                (
                    "u32",
                    format!(
                        "const bool first = {call};\n    cx->failed |= first ? 3u : 1u;\n    return first;"
                    ),
                )
            } else {
                ("bool", format!("cx->failed = true;\n    return {call};"))
            };
            format!(
                "typedef struct {{ {global}status_record* status; {flag} failed; i64 vars[{}];{stack} }} context;\n\n\
                 {helper}bool fail_in(context* cx, u32 site, i64 a, i64 b) {{\n    {fails}\n}}\n",
                vars.max(1)
            )
        } else {
            String::new()
        };
        format!(
            "// The first failure of a region.\n\
             typedef struct {{ u32 failed; u32 site; i64 a; i64 b; i64 vars[{MAX_VARS}]; i64 more[{MORE}]; }} status_record;\n\
             \n{noinline}bool fail({global}status_record* status, u32 site, i64 a, i64 b{params}) {{\n    \
             if ({cas} != 0u) return false;\n    status->site = site;\n    status->a = a;\n    status->b = b;\n{stores}    \
             return true;\n}}\n{}\n\
             {in_context}",
            self.recorders_text()
        )
    }
}

impl Body<'_, '_> {
    /// The number of a place that may fail, at an expression.
    pub(crate) fn site(&mut self, e: ExprId, failure: FailureKind) -> u32 {
        let src = self.code.code.exprs[e.index()].src;
        self.w.site(self.function, src, failure)
    }

    /// The name of the function that fails through a context.
    pub(crate) fn fail_in(&self) -> &'static str {
        "fail_in"
    }

    /// The context as an argument.
    pub(crate) fn context_pointer(&self) -> &'static str {
        if self.function.is_some() { "cx" } else { "&cx" }
    }

    /// Statements that record a failure and return, on one line without the braces.
    pub(crate) fn failing(&mut self, src: SrcId, failure: FailureKind, a: &str, b: &str) -> String {
        let leave = self.leave();
        let (call, _) = self.failure(src, failure, a, b);
        format!("{}{leave}", self.with_iteration(call))
    }

    /// The call that takes the record, and the record.
    fn failure(&mut self, src: SrcId, failure: FailureKind, a: &str, b: &str) -> (String, String) {
        let site = self.w.site(self.function, src, failure);
        let (a, b) = (signed_bits(a), signed_bits(b));
        if self.context {
            let cx = self.context_pointer();
            let status = if self.function.is_some() { "cx->status" } else { "cx.status" };
            return (format!("fail_in({cx}, {site}, {a}, {b})"), status.to_owned());
        }
        let status = self.arg(Arg::Status);
        let vars: String = self.vars.iter().take(MAX_VARS).map(|v| format!(", {v}")).collect();
        (format!("fail({status}, {site}, {a}, {b}{vars})"), status)
    }

    /// The statement that ends the thread's work after a failure.
    pub(crate) fn leave(&mut self) -> String {
        match self.leave.clone() {
            Leave::Kernel | Leave::Function(None) => "return;".to_owned(),
            Leave::Deferred => String::new(),
            Leave::Iteration => {
                let end = |this: &mut Self| {
                    if this.before_iteration { "continue;".to_owned() } else { this.end_iteration() }
                };
                match self.stop.clone() {
                    None => end(self),
                    Some(Stop::Jump(label)) => format!("goto {label};"),
                    Some(Stop::Flag(failed)) => format!("{{ {failed} = true; {} }}", end(self)),
                }
            }
            Leave::Nest { failed, end } => format!("{{ {failed} = true; goto {end}; }}"),
            Leave::Function(Some(ty)) => format!("return {};", self.zero(ty)),
        }
    }

    /// The statement that goes on with the next iteration of the parallel loop.
    pub(crate) fn end_iteration(&mut self) -> String {
        if self.next.is_none() {
            self.next = Some(self.name("next"));
        }
        format!("goto {};", self.next.as_deref().unwrap_or_default())
    }

    /// After a statement that may have set the context's flag: tests it.
    pub(crate) fn test_context(&mut self) {
        if std::mem::take(&mut self.fallible) {
            let flag = if self.function.is_some() { "cx->failed" } else { "cx.failed" };
            let (record, leave) = (self.before_leaving(), self.leave());
            self.out.line(match record.as_str() {
                "" if leave.is_empty() => return,
                "" => format!("if ({flag}) {leave}"),
                record => format!("if ({flag}) {{ {record}{leave} }}"),
            });
        }
    }

    /// An expression that is evaluated here and tested, if it may fail.
    pub(crate) fn settled(&mut self, e: ExprId) -> String {
        let text = self.expr(e);
        if !self.fallible {
            return text;
        }
        let c = self.w.value_type(self.ty(e));
        let name = self.name("t");
        self.out.line(format!("const {c} {name} = {};", bare(&text)));
        self.test_context();
        name
    }

    /// Writes a check.
    pub(crate) fn check(&mut self, check: &Check, src: SrcId) {
        match check {
            Check::Bounds { access, base, index } => self.check_bounds(*access, base, *index, src),
            Check::Slice { access, base, lo, hi, last } => {
                self.check_slice(*access, base, (*lo, *hi, *last), src);
            }
            Check::Divide { access, .. } | Check::Step { access, .. } | Check::Panic { access, .. }
                if access.is_some_and(|a| !self.is_checked(a)) => {}
            Check::Divide { access: _, rem, lhs, rhs } => self.check_divide(*rem, *lhs, *rhs, src),
            Check::Panic { access: _, message, args } => self.panic(message, args, src),
            Check::Claim { access, array, index, to: None } => self.claim(*access, *array, *index, src),
            Check::Claim { access, array, index, to: Some(to) } => {
                self.claim_slice(*access, *array, (*index, *to), src);
            }
            Check::Step { access: _, step } => {
                let step = self.settled(*step);
                let failing = self.failing(src, FailureKind::ZeroStep, "0", "0");
                self.out.line(format!("if ({step} == 0) {{ {failing} }}"));
            }
        }
    }

    /// At the head of a function that can reach itself.
    pub(crate) fn check_stack(&mut self, name: &str) {
        let here = self.name("here");
        // The place of the function's attribute.
        let failing =
            self.failing(SrcId::new(0), FailureKind::StackUsedUp { name: name.to_owned() }, "0", "0");
        self.out.line(format!("u8 {here};"));
        self.out.line(format!("if (over_stack(cx, &{here})) {{ {failing} }}"));
    }

    /// Whether the subscript is checked here.
    pub(crate) fn is_checked(&self, access: AccessId) -> bool {
        if self.fitting.contains(&access) {
            return false;
        }
        match self.code.bounds[access.index()] {
            BoundsVerdict::Residual => true,
            BoundsVerdict::AtLaunch => self.function.is_some() || self.w.schedule.checks.contains(&access),
            BoundsVerdict::Proved | BoundsVerdict::Trusted => false,
        }
    }

    /// The block is only a failure that the launch has proved unreachable.
    pub(crate) fn is_left_out(&self, block: &Block) -> bool {
        matches!(block.0.as_slice(), [Stmt::Check { check: Check::Panic { access: Some(a), .. }, .. }]
            if !self.is_checked(*a))
    }

    fn access_name(&self, access: AccessId) -> String {
        self.code.code.accesses[access.index()].name.clone()
    }

    fn check_bounds(&mut self, access: AccessId, base: &Place, index: ExprId, src: SrcId) {
        if !self.is_checked(access) || self.check_speculatively(access, base, index) {
            return;
        }
        let index = self.settled(index);
        let placed = self.place(base);
        let len = self.length(&placed);
        let name = self.access_name(access);
        let failing = self.failing(src, FailureKind::Bounds { name: name.clone() }, &index, &len);
        self.out.line(format!("if ({index} >= {len}) {{ {failing} }}"));
        if let Some((lo, hi)) = self.section(base) {
            let failing = self.failing(src, FailureKind::Section { name }, &index, &len);
            self.out.line(format!("if ({index} < {lo} || {index} >= {hi}) {{ {failing} }}"));
        }
    }

    /// The bounds of the section of a whole mapped array.
    fn section(&mut self, base: &Place) -> Option<(String, String)> {
        let Base::Array(array) = base.base else { return None };
        if base.projections.is_empty() { self.section_of(array) } else { None }
    }

    /// The bounds of an array's section.
    pub(crate) fn section_of(&mut self, array: ArrayId) -> Option<(String, String)> {
        self.w.kernel.template.arrays[array.index()]
            .section
            .then(|| (self.arg(Arg::SectionLo(array)), self.arg(Arg::SectionHi(array))))
    }

    fn check_slice(
        &mut self,
        access: AccessId,
        base: &Place,
        (lo, hi, last): (Option<ExprId>, Option<ExprId>, Option<ExprId>),
        src: SrcId,
    ) {
        if !self.is_checked(access) {
            return;
        }
        let placed = self.place(base);
        let len = self.length(&placed);
        let name = self.access_name(access);
        let lo = lo.map(|e| self.settled(e));
        let wrong = |this: &mut Self, wrong, bound: &str, other: &str| {
            this.failing(src, FailureKind::Slice { name: name.clone(), wrong }, bound, other)
        };
        if let Some(e) = last {
            // Before `hi` is computed, which may be beyond the largest number.
            let last = self.settled(e);
            let failing = wrong(self, WrongBound::End, &last, &len);
            let start = lo.as_ref().map(|lo| (lo, wrong(self, WrongBound::Start, lo, &len)));
            let start = start.map(|(lo, failing)| format!("if ({lo} > {len}) {{ {failing} }} "));
            self.out.line(format!("if ({last} >= {len}) {{ {}{failing} }}", start.unwrap_or_default()));
        }
        let end = hi.map(|e| self.settled(e));
        match (&lo, &end) {
            (Some(lo), Some(end)) => {
                // One test if nothing fails; otherwise the failures are distinguished in Rust's order.
                let start = wrong(self, WrongBound::Start, lo, &len);
                let beyond = wrong(self, WrongBound::End, end, &len);
                let order = wrong(self, WrongBound::Order, lo, end);
                self.out.line(format!("if ({lo} > {end} || {end} > {len}) {{"));
                self.out.line(format!("  if ({lo} > {len}) {{ {start} }}"));
                self.out.line(format!("  if ({end} > {len}) {{ {beyond} }}"));
                self.out.line(format!("  {order}"));
                self.out.line("}");
            }
            (Some(bound), None) | (None, Some(bound)) => {
                let kind = if lo.is_some() { WrongBound::Start } else { WrongBound::End };
                let failing = wrong(self, kind, bound, &len);
                self.out.line(format!("if ({bound} > {len}) {{ {failing} }}"));
            }
            (None, None) => {}
        }
        let end = end.unwrap_or_else(|| len.clone());
        if let Some((section_lo, section_hi)) = self.section(base) {
            let lo = lo.unwrap_or_else(|| "0".to_owned());
            // The first element that is not there.
            let first = format!("({lo} < {section_lo} ? {lo} : {section_hi})");
            let failing = self.failing(src, FailureKind::Section { name }, &first, &len);
            self.out.line(format!(
                "if ({lo} != {end} && ({lo} < {section_lo} || {end} > {section_hi})) {{ {failing} }}"
            ));
        }
    }

    fn check_divide(&mut self, rem: bool, lhs: ExprId, rhs: ExprId, src: SrcId) {
        let Some(prim) = self.w.types.prim(self.ty(rhs)).filter(|p| p.is_int()) else { return };
        let literal = match self.code.code.exprs[rhs.index()].expr {
            Expr::Int { value, negative, ty: _ } => Some((value, negative)),
            _ => None,
        };
        let b = self.settled(rhs);
        if literal.is_none_or(|(value, _)| value == 0) {
            let failing = self.failing(src, FailureKind::DivideByZero { rem }, "0", "0");
            self.out.line(format!("if ({b} == 0) {{ {failing} }}"));
        }
        if prim.is_signed() && literal.is_none_or(|l| l == (1, true)) {
            let lowest = literal::int(self.w.syntax, prim, prim.int_range().map_or(0, |r| r.0));
            let a = self.settled(lhs);
            let failing = self.failing(src, FailureKind::DivideOverflow { rem }, "0", "0");
            self.out.line(format!("if ({b} == -1 && {a} == {lowest}) {{ {failing} }}"));
        }
    }

    fn panic(&mut self, message: &str, args: &[ExprId], src: SrcId) {
        let (mut shown, mut bits) = (Vec::new(), Vec::new());
        for &arg in args.iter().take(MAX_VALUES) {
            let text = self.settled(arg);
            match self.w.types.get(self.ty(arg)) {
                Ty::Prim(p) if p.is_float() => {
                    shown.push(Shown::Prim(*p));
                    bits.push(self.to_bits(*p, &text));
                }
                Ty::Prim(p) => {
                    shown.push(Shown::Prim(*p));
                    bits.push(text);
                }
                Ty::Enum(e) => {
                    shown.push(Shown::Enum(e));
                    bits.push(text);
                }
                // Of dead code.
                _ => {}
            }
        }
        let leave = self.leave();
        let value = |k: usize| bits.get(k).map_or("0", String::as_str);
        let kind = FailureKind::Panic { message: message.to_owned(), args: shown };
        let (call, status) = self.failure(src, kind, value(0), value(1));
        let more = bits.iter().skip(2).enumerate();
        let more: String = more.map(|(k, v)| format!(" {status}->more[{k}] = {};", signed_bits(v))).collect();
        let line = if more.is_empty() {
            format!("{}{leave}", self.with_iteration(call))
        } else {
            let record = self.record_iteration("true").map(|call| format!(" {call};")).unwrap_or_default();
            format!("if ({call}) {{{more}{record} }} {}{leave}", self.forget())
        };
        self.out.line(line);
    }
}

/// A number as the record holds it.
fn signed_bits(text: &str) -> String {
    if text.bytes().all(|b| b.is_ascii_digit()) { text.to_owned() } else { format!("(i64){text}") }
}
