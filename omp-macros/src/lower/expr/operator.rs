//! Operators that may belong to a user's type: rustc decides.
//!
//! The typing copy contains a check if an operand could be of such a type. It contains none if both operands are
//! certainly numbers, and for arithmetic in a subscript. If an operand of such arithmetic is of a user's type, the launch
//! refuses the region.
use crate::lower::CallKind;
use crate::lower::cx::Lower;
use crate::lower::generated_names::Made;
use crate::lower::{Caught, What};
use crate::parse::operators::{ASSIGNING, BINARY};
use crate::parse::tokens::leaves::group;
use crate::sema::syntax::forms::strip;
use omp_ir::ids::ExprId;
use omp_ir::template::{Base, Place};
use omp_ir::template::{BinOp, CallParam, Expr, LocalKind, Operator, ReductionItem, UnOp};
use proc_macro2::{Delimiter, Ident, Punct, Spacing};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;

impl Lower {
    /// Queries whose operator `expr` (`left op right`) is.
    pub fn query_binary(&mut self, expr: ExprId, op: BinOp, b: &mut syn::ExprBinary) {
        let Expr::Binary(_, lhs, rhs) = self.code.exprs[expr.index()].expr else { return };
        // Enums are compared in subscripts, too, and by a device always.
        let in_index = self.in_index > 0 && !op.compares();
        if in_index || (self.is_number(lhs) && self.is_number(rhs)) {
            return;
        }
        let Some(tag) = binary_tag(op) else { return };
        let reduced = self.is_reduced(lhs) || self.is_reduced(rhs);
        let o = self.question(expr, (tag, op.symbol()), false, reduced, b.op.span());
        let shifts = matches!(op, BinOp::Shl | BinOp::Shr);
        if !op.compares() && !shifts && (self.updates(lhs) || self.updates(rhs)) {
            self.one_type(&o, b.op.span());
        }
        for (operand, side) in [(&mut b.left, "l"), (&mut b.right, "r")] {
            **operand = through(&o, side, operand, b.op.span());
        }
    }

    /// Queries whose operator `expr` is, the value that `left op= right` assigns. `ordered`: it matters which of both is evaluated
    /// first, as one changes what the other reads. Of primitives that is the right one, of others the left one.
    pub fn query_assigning(
        &mut self,
        expr: ExprId,
        op: BinOp,
        (b, ordered): (&mut syn::ExprBinary, bool),
        whole: &mut Option<syn::Expr>,
    ) {
        let Expr::Binary(_, lhs, rhs) = self.code.exprs[expr.index()].expr else { return };
        if self.is_number(lhs) && self.is_number(rhs) {
            return;
        }
        let Some(tag) = assigning_tag(op) else { return };
        let o = self.question(expr, (tag, op.symbol()), true, self.is_reduced(lhs), b.op.span());
        if self.is_updated(lhs) {
            self.one_type(&o, b.op.span());
        }
        if ordered {
            self.of_operands(&o, "right_operand_first", b.op.span());
        }
        *b.right = through(&o, "r", &b.right, b.op.span());
        let (span, left) = (b.left.span(), crate::marks::unmarked(&b.left));
        let here = o.at(span);
        // The place can't go through the slot, so it is inspected in a statement before. A variable is read in a statement after, so
        // that no lint reports an unused value.
        let read = matches!(left, syn::Expr::Path(_)).then(|| quote_spanned!(span=> let _ = &#left;));
        *whole = Some(super::wrapped(quote_spanned!(span=> #here.place(&#left); #b; #read), span));
    }

    /// Queries whose operator `expr` (`op operand`) is.
    pub fn query_unary(&mut self, expr: ExprId, op: UnOp, operand: &mut syn::Expr) {
        let Expr::Unary(_, value) = self.code.exprs[expr.index()].expr else { return };
        if self.in_index > 0 || self.is_number(value) {
            return;
        }
        let tag = match op {
            UnOp::Neg => "Neg",
            UnOp::Not => "Not",
        };
        let span = operand.span();
        let o = self.question(expr, (tag, op.symbol()), false, false, span);
        *operand = through(&o, "only", operand, span);
    }

    /// A new question: what catches the operands. For a `reduced` item, an operator other than the clause's is reported at the item.
    fn question(
        &mut self,
        expr: ExprId,
        (tag, symbol): (&'static str, &str),
        assigns: bool,
        reduced: bool,
        span: proc_macro2::Span,
    ) -> Caught {
        let id = omp_ir::ids::CallId::new(self.code.calls.len());
        let name = format!("{symbol}{}", if assigns { "=" } else { "" });
        self.code.calls.push(CallParam { name, method: false, ret: None });
        self.code.operators.push(Operator { expr, call: id, assigns });
        let caught = self.caught(Made::Call.name(id.0 as usize, span), What::Operator(tag));
        let unary = matches!(self.code.exprs[expr.index()].expr, Expr::Unary(..));
        let kind = match (self.lenient || reduced, unary) {
            (true, _) => CallKind::OperatorBehind,
            (false, true) => CallKind::Unary,
            (false, false) => CallKind::Operator,
        };
        self.typing.calls.push(crate::lower::CallBinding { caught: caught.clone(), kind, result: None });
        caught
    }

    /// The value of a reduction item, or the old one of an atomic update.
    fn is_updated(&self, e: ExprId) -> bool {
        let old = |l| self.updated == Some(l);
        self.is_reduced(e)
            || matches!(&self.code.exprs[e.index()].expr, Expr::Load(Place { base: Base::Local(l), projections })
                if projections.is_empty() && old(*l))
    }

    /// Whether an expression is the updated value, or a part of its new value: `s + a` of `s + a + b`, whose second operator may be a user's.
    fn updates(&self, e: ExprId) -> bool {
        match &self.code.exprs[e.index()].expr {
            Expr::Binary(op, a, b) if !op.compares() => self.updates(*a) || self.updates(*b),
            _ => self.is_updated(e),
        }
    }

    /// The value of a reduction item.
    fn is_reduced(&self, e: ExprId) -> bool {
        let Expr::Load(Place { base, projections }) = &self.code.exprs[e.index()].expr else { return false };
        match base {
            Base::Local(l) => {
                projections.is_empty() && self.code.locals[l.index()].kind == LocalKind::Reduction
            }
            Base::Array(array) => self.captured.as_ref().is_some_and(|c| {
                c.reductions.iter().any(|r| matches!(r.item, ReductionItem::Array(item) if item == *array))
            }),
            Base::Scalar(_) | Base::Const(_) => false,
        }
    }

    /// Checks that an operator of an updated place is one between two values of its type. An operator between two types is the user's, and
    /// can't combine partial results; and an atomic update takes `x += e` for `x = x + e`.
    fn one_type(&mut self, o: &Caught, span: proc_macro2::Span) {
        let o = o.at(span);
        self.typing.late.extend(quote_spanned!(span=> (&&::omp::__private::OpW(#o)).omp_same();));
    }

    /// Checks a property of the types of both operands, before they are inferred.
    fn of_operands(&mut self, o: &Caught, check: &str, span: proc_macro2::Span) {
        let (o, check) = (o.at(span), Ident::new(check, span));
        // In two steps: rustc points at the argument.
        self.checks.extend(quote_spanned! {span=> {
            let __omp_operands = ::omp::__private::operands_of(#o);
            ::omp::__private::#check(__omp_operands);
        }});
    }

    /// A number or `bool` for sure.
    pub(in crate::lower) fn is_number(&self, e: ExprId) -> bool {
        match &self.code.exprs[e.index()].expr {
            Expr::Int { .. }
            | Expr::Float { .. }
            | Expr::Bool(_)
            | Expr::Len(_)
            | Expr::IsSome(_)
            | Expr::Cast { .. }
            | Expr::Thread(_)
            | Expr::SizeOf { .. } => true,
            Expr::Load(Place { base: Base::Local(l), projections }) => {
                projections.is_empty()
                    && (self.code.locals[l.index()].kind == LocalKind::Loop || self.numbers.contains(l))
            }
            Expr::Unary(_, a) => self.is_number(*a),
            Expr::Binary(_, a, b) => self.is_number(*a) && self.is_number(*b),
            Expr::Load(_)
            | Expr::Unit
            | Expr::Borrow(_)
            | Expr::Slice { .. }
            | Expr::Call { .. }
            | Expr::Struct { .. }
            | Expr::Array { .. }
            | Expr::Repeat { .. }
            | Expr::Some { .. }
            | Expr::None { .. } => false,
        }
    }
}

/// `*(o.side(operand))`, which begins and ends where the operand does: so what rustc says of it is what it says of the
/// host's, and is shown once. `user` is a place in the user's own code.
fn through(o: &Caught, side: &str, operand: &syn::Expr, user: proc_macro2::Span) -> syn::Expr {
    let inside = strip(operand);
    let (start, end) = crate::diag::ends(&operand.to_token_stream());
    let span = operand.span();
    let (o, side) = (o.at(span), Ident::new(side, span));
    let mut star = Punct::new('*', Spacing::Alone);
    star.set_span(start.resolved_at(user));
    let call = quote_spanned!(span=> #o.#side(#inside));
    let group = group(Delimiter::Parenthesis, call, end.resolved_at(user));
    syn::Expr::Verbatim(quote!(#star #group))
}

fn binary_tag(op: BinOp) -> Option<&'static str> {
    Some(match op {
        BinOp::Add => "Add",
        BinOp::Sub => "Sub",
        BinOp::Mul => "Mul",
        BinOp::Div => "Div",
        BinOp::Rem => "Rem",
        BinOp::BitAnd => "BitAnd",
        BinOp::BitOr => "BitOr",
        BinOp::BitXor => "BitXor",
        BinOp::Shl => "Shl",
        BinOp::Shr => "Shr",
        BinOp::Eq | BinOp::Ne => "Eq",
        BinOp::Lt => "Lt",
        BinOp::Le => "Le",
        BinOp::Gt => "Gt",
        BinOp::Ge => "Ge",
        BinOp::And | BinOp::Or => return None,
    })
}

fn assigning_tag(op: BinOp) -> Option<&'static str> {
    let tag = binary_tag(op)?;
    let at = BINARY.iter().position(|(_, name, _)| *name == tag)?;
    Some(ASSIGNING[at].0)
}
