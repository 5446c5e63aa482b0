//! Values: operators, casts, places of literals, aggregates. Expressions that need statements are in `control` and
//! `call`.
pub(super) mod arrays;
pub(super) mod evaluation_order;
pub(super) mod literal;
pub(super) mod operator;
pub(super) mod place;
pub(super) mod range;

use super::cx::{Lower, Value};
use crate::diag::{Code as DiagCode, begin};
use crate::parse::tokens::leaves::group;
use crate::parse::tokens::source::as_written;
use crate::sema::syntax::forms::strip;
use crate::sema::syntax::forms::strip_mut;
use literal::is_untyped;
use omp_ir::ids::{ExprId, SrcId};
use omp_ir::template::{BinOp, Check, Expr, LocalKind, Place, Stmt, TyRef, UnOp};
use place::is_place;
use proc_macro2::Delimiter;
use quote::{ToTokens, quote_spanned};
use syn::spanned::Spanned;

impl Lower {
    /// The value of an expression: statements that compute it, then an expression without effects.
    pub fn value(&mut self, e: &mut syn::Expr) -> Value {
        if let Some(value) = self.atomic(e) {
            self.parens = None;
            return value;
        }
        let src = self.src(begin(e));
        match e {
            syn::Expr::Paren(p) => {
                // An operator in parentheses fails where these begin.
                let outer = self.parens.unwrap_or(src);
                let inner = strip(&p.expr);
                self.parens = matches!(inner, syn::Expr::Binary(_) | syn::Expr::Unary(_)).then_some(outer);
                self.value(&mut p.expr)
            }
            syn::Expr::Group(p) => self.value(&mut p.expr),
            syn::Expr::Lit(l) if matches!(l.lit, syn::Lit::ByteStr(_)) => self.byte_string(e),
            syn::Expr::Lit(_) => self.literal(e),
            // (Its type says which one it is, and no value has its type alone.)
            syn::Expr::Path(p) if p.path.segments.last().is_some_and(|s| s.ident == "PhantomData") => {
                Some(self.expr(Expr::Unit, src))
            }
            syn::Expr::Path(_) | syn::Expr::Field(_) => self.path_value(e),
            syn::Expr::Index(_) => self.load_place(e),
            syn::Expr::Reference(r) if r.mutability.is_some() => {
                let help = "it can be an argument, or be bound by a `let` of its own: `let p = &mut …;`; where a pattern takes the value apart, use its parts by the names of the pattern alone";
                self.error(DiagCode::Reference, r.span(), "`&mut` can't be used here on a device", help);
                None
            }
            syn::Expr::Reference(_) => self.argument(e),
            syn::Expr::Unary(_) => self.unary(e),
            syn::Expr::Binary(b) => match binary_op(&b.op) {
                Some(BinOp::And) | Some(BinOp::Or) => self.short_circuit(b),
                Some(op) => self.binary(b, op),
                None => {
                    self.parens = None;
                    self.update(e)?;
                    Some(self.expr(Expr::Unit, src))
                }
            },
            syn::Expr::Cast(_) => self.cast(e),
            syn::Expr::Tuple(t) if t.elems.is_empty() => Some(self.expr(Expr::Unit, src)),
            syn::Expr::Tuple(_) | syn::Expr::Array(_) | syn::Expr::Repeat(_) | syn::Expr::Struct(_) => {
                self.aggregate(e)
            }
            syn::Expr::Call(_) => self.call_value(e),
            syn::Expr::MethodCall(_) => self.method_value(e),
            syn::Expr::Block(b) if gives_slice(b) => self.slice_of_block(b),
            syn::Expr::If(_) | syn::Expr::Match(_) | syn::Expr::Block(_) | syn::Expr::Loop(_) => {
                let result = self.local("result", LocalKind::Temp, None, true);
                self.push(Stmt::Let { local: result, init: None });
                self.into(e, result)?;
                Some(self.load(result, src))
            }
            syn::Expr::Macro(_) => self.macro_value(e),
            _ => {
                self.effect(e)?;
                Some(self.expr(Expr::Unit, src))
            }
        }
    }

    /// `x`, `self.a`, `None`.
    fn path_value(&mut self, e: &mut syn::Expr) -> Value {
        self.no_reference(e)?;
        if let syn::Expr::Path(p) = &*e
            && self.is_none(&p.path)
        {
            self.of_option(&p.path);
            let span = e.span();
            let src = self.src(span);
            // The type of `None` in a `?` is the function's return type: if that is no `Option`, the host's `?` is the error.
            let of_question = self.captured.is_none()
                && p.path.segments.iter().nth(1).is_some_and(|s| s.ident == "__private");
            if of_question {
                let (slot, query) = self.slot(span);
                *e = syn::Expr::Verbatim(quote_spanned!(span=> #query.any()));
                return Some(self.expr(Expr::None { slot }, src));
            }
            let slot = self.query(e, "ty", span);
            return Some(self.expr(Expr::None { slot }, src));
        }
        self.load_place(e)
    }

    /// `None`, however it is spelled.
    pub(super) fn is_none(&self, path: &syn::Path) -> bool {
        std_variant(path, "None") && self.lookup("None").is_none()
    }

    /// Checks that `Some` or `None` is `Option`'s: a variant of the user's may have the name. Once for each path.
    pub(super) fn of_option(&mut self, path: &syn::Path) {
        let mut plain = path.clone();
        plain.segments.iter_mut().for_each(|s| s.arguments = syn::PathArguments::None);
        if !self.of_options.insert(plain.to_token_stream().to_string()) {
            return;
        }
        let Some(last) = plain.segments.last() else { return };
        let (span, some) = (last.ident.span(), last.ident == "Some");
        let check = syn::Ident::new(if some { "some_of_option" } else { "none_of_option" }, span);
        self.checks.extend(quote_spanned!(span=> ::omp::__private::#check(#plain);));
    }

    /// Several values in Rust's order.
    pub fn values<'e>(
        &mut self,
        list: impl Iterator<Item = &'e mut syn::Expr>,
        mut one: impl FnMut(&mut Self, &mut syn::Expr) -> Value,
    ) -> Option<Vec<ExprId>> {
        let mut values = Vec::new();
        for e in list {
            let mark = self.mark();
            let Some(v) = one(self, e) else {
                self.unused_before(&values, mark);
                return None;
            };
            self.settle(&mut values, mark);
            values.push(v);
        }
        Some(values)
    }

    fn unary(&mut self, e: &mut syn::Expr) -> Value {
        let parens = self.parens.take();
        let src = parens.unwrap_or_else(|| self.src(e.span()));
        let syn::Expr::Unary(u) = &mut *e else { unreachable!("called with a unary operator") };
        let op = match u.op {
            syn::UnOp::Deref(_) => return self.load_place(e),
            syn::UnOp::Neg(_) if is_number(&u.expr) => return self.literal(e),
            syn::UnOp::Neg(_) => UnOp::Neg,
            syn::UnOp::Not(_) => UnOp::Not,
            _ => {
                self.error(
                    DiagCode::UnsupportedExpr,
                    e.span(),
                    "this operator can't be used on a device",
                    "use the operators of Rust's primitives",
                );
                return None;
            }
        };
        let v = self.value(&mut u.expr)?;
        let value = self.expr(Expr::Unary(op, v), src);
        self.query_unary(value, op, &mut u.expr);
        Some(value)
    }

    fn binary(&mut self, b: &mut syn::ExprBinary, op: BinOp) -> Value {
        let parens = self.parens.take();
        let src = parens.unwrap_or_else(|| self.src(begin(&b.left)));
        let values = self.values([&mut *b.left, &mut *b.right].into_iter(), Self::value)?;
        let value = self.operation(op, values[0], values[1], src);
        self.query_binary(value, op, b);
        Some(value)
    }

    /// The operator on two values, with the check that division needs.
    pub fn operation(&mut self, op: BinOp, mut lhs: ExprId, mut rhs: ExprId, src: SrcId) -> ExprId {
        if matches!(op, BinOp::Div | BinOp::Rem) {
            if !self.is_plain(lhs) {
                lhs = self.temp("dividend", lhs);
            }
            if !self.is_plain(rhs) {
                rhs = self.temp("divisor", rhs);
            }
            let check = Check::Divide {
                access: None,
                rem: op == BinOp::Rem,
                lhs: self.copy(lhs),
                rhs: self.copy(rhs),
            };
            self.push(Stmt::Check { check, src });
        }
        self.expr(Expr::Binary(op, lhs, rhs), src)
    }

    /// The check of a division that is called by its name, if its operands turn out to be integers. Places that are passed
    /// by reference are read for it.
    pub fn divides(&mut self, op: BinOp, lhs: &mut ExprId, rhs: &mut ExprId, src: SrcId) {
        let operands = [("dividend", lhs), ("divisor", rhs)].map(|(name, operand)| {
            if let Expr::Borrow(place) = &self.code.exprs[operand.index()].expr {
                let place = self.copy_place(&place.clone());
                let value = self.expr(Expr::Load(place), src);
                return self.temp(name, value);
            }
            if !self.is_plain(*operand) {
                *operand = self.temp(name, *operand);
            }
            self.copy(*operand)
        });
        let [lhs, rhs] = operands;
        let check = Check::Divide { access: None, rem: op == BinOp::Rem, lhs, rhs };
        self.push(Stmt::Check { check, src });
    }

    /// A literal, or a variable without subscripts.
    fn is_plain(&self, id: ExprId) -> bool {
        match &self.code.exprs[id.index()].expr {
            Expr::Int { .. } | Expr::Float { .. } | Expr::Len(_) => true,
            Expr::Load(_) => self.is_stable(id),
            Expr::Cast { value, .. } => self.is_plain(*value),
            _ => false,
        }
    }

    /// `a && b`: an operator if `b` is an expression, else a temporary that is set under a condition.
    fn short_circuit(&mut self, b: &mut syn::ExprBinary) -> Value {
        self.parens = None;
        let src = self.src(b.span());
        let and = matches!(b.op, syn::BinOp::And(_));
        if and && (contains_let(&b.left) || contains_let(&b.right)) {
            self.error(
                DiagCode::UnsupportedExpr,
                b.span(),
                "`let` is allowed only in the conditions of `if` and `while`",
                "use `matches!`",
            );
            return None;
        }
        let lhs = self.value(&mut b.left)?;
        let (block, rhs) = self.nested(|this| this.value(&mut b.right));
        if block.0.is_empty()
            && let Some(rhs) = rhs
        {
            let op = if and { BinOp::And } else { BinOp::Or };
            return Some(self.expr(Expr::Binary(op, lhs, rhs), src));
        }
        let result = self.local("result", LocalKind::Temp, None, true);
        self.push(Stmt::Let { local: result, init: Some(lhs) });
        let mut block = block;
        if let Some(rhs) = rhs {
            let place = Place { base: omp_ir::template::Base::Local(result), projections: Vec::new() };
            block.0.push(Stmt::Assign { place, value: rhs, src });
        }
        let cond = self.load(result, src);
        let empty = omp_ir::template::Block::default();
        let (then, els) = if and { (block, empty) } else { (empty, block) };
        self.push(Stmt::If { cond, then, els });
        Some(self.load(result, src))
    }

    /// `value as T`. A literal takes its type from `T`, as rustc has it: `3_000_000_000 as u64` is a `u64`,
    /// `0.1 as f32` an `f32`; so the typing copy queries the type of the cast, never of the literal under it.
    fn cast(&mut self, e: &mut syn::Expr) -> Value {
        let span = e.span();
        let src = self.src(span);
        let syn::Expr::Cast(c) = &mut *e else { unreachable!("called with a cast") };
        self.fits(&c.ty)?;
        if is_number(&c.expr) || is_char(&c.expr) {
            let target = c.ty.to_token_stream().to_string();
            let literal = c.expr.clone();
            let slot = self.query_cast(e, span);
            let value = self.literal_under_cast(&literal, TyRef::Slot(slot), &target)?;
            return Some(self.expr(Expr::Cast { value, ty: TyRef::Slot(slot) }, src));
        }
        // `!0 as u64`: the expectation reaches through `!`, `-` and braces.
        if is_number_inside(&c.expr) {
            let (target, inside) = (c.ty.to_token_stream().to_string(), c.expr.clone());
            let slot = self.query_cast(e, span);
            let value = self.inside_cast(&inside, TyRef::Slot(slot), &target)?;
            return Some(self.expr(Expr::Cast { value, ty: TyRef::Slot(slot) }, src));
        }
        let float = matches!(c.ty.to_token_stream().to_string().as_str(), "f32" | "f64");
        let is_usize = matches!(&*c.ty, syn::Type::Path(t) if t.path.is_ident("usize"));
        let value = self.value(&mut c.expr)?;
        let slot = self.query_cast(e, span);
        if float {
            self.code.floats.push(slot);
        }
        if is_usize {
            self.usizes.insert(slot);
        }
        Some(self.expr(Expr::Cast { value, ty: TyRef::Slot(slot) }, src))
    }

    /// Queries the type of a cast. A primitive's name is in the tokens, so such a cast stays as it is, and rustc's errors about it too.
    fn query_cast(&mut self, e: &mut syn::Expr, span: proc_macro2::Span) -> omp_ir::ids::SlotId {
        let ty = if let syn::Expr::Cast(c) = e { Some(c.ty.to_token_stream().to_string()) } else { None };
        let slot = match e {
            syn::Expr::Cast(c) if super::call::primitive(&c.ty).is_some() => self.typed_slot(&c.ty),
            _ => self.query(e, "ty", span),
        };
        self.paths.types.extend(ty.map(|ty| (slot, ty)));
        slot
    }

    /// The operators around such a number.
    fn inside_cast(&mut self, e: &syn::Expr, target: TyRef, target_name: &str) -> Value {
        let op = match strip(e) {
            e if is_number(e) => return self.literal_under_cast(e, target, target_name),
            syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Not(_)) => UnOp::Not,
            syn::Expr::Unary(_) => UnOp::Neg,
            e => return self.inside_cast(braced(e)?, target, target_name),
        };
        let syn::Expr::Unary(u) = strip(e) else { unreachable!("an operator") };
        let value = self.inside_cast(&u.expr, target, target_name)?;
        let src = self.src(e.span());
        Some(self.expr(Expr::Unary(op, value), src))
    }

    /// Tuples, arrays and structs. The typing copy queries the type of the whole.
    fn aggregate(&mut self, e: &mut syn::Expr) -> Value {
        let span = e.span();
        let src = self.src(span);
        match &mut *e {
            syn::Expr::Tuple(t) => {
                let values = self.values(t.elems.iter_mut(), Self::element)?;
                let fields = values.into_iter().enumerate().map(|(i, v)| (i.to_string(), v)).collect();
                let slot = self.query(e, "ty", span);
                self.paths.types.insert(slot, String::new());
                Some(self.expr(Expr::Struct { slot, name: String::new(), fields, rest: None }, src))
            }
            syn::Expr::Array(a) => {
                let elems = self.values(a.elems.iter_mut(), Self::element)?;
                let slot = self.query(e, "ty", span);
                Some(self.expr(Expr::Array { slot, elems }, src))
            }
            syn::Expr::Repeat(r) => {
                let value = self.element(&mut r.expr)?;
                let slot = self.query(e, "ty", span);
                Some(self.expr(Expr::Repeat { slot, value }, src))
            }
            syn::Expr::Struct(s) => {
                let exprs = s.fields.iter_mut().map(|f| {
                    f.colon_token.get_or_insert_with(Default::default);
                    &mut f.expr
                });
                let rest = s.rest.as_deref_mut();
                let mut values = self.values(exprs.chain(rest), Self::element)?;
                let rest = s.rest.is_some().then(|| values.pop()).flatten();
                let names = s.fields.iter().map(|f| place::field_name(&f.member));
                let fields = names.zip(values).collect();
                let (how, name) = (self.query_method(&s.path), last_name(&s.path));
                let path = s.path.to_token_stream().to_string();
                let slot = self.query(e, how, span);
                self.paths.types.insert(slot, path);
                Some(self.expr(Expr::Struct { slot, name, fields, rest }, src))
            }
            _ => unreachable!("called with an aggregate"),
        }
    }

    /// The method of the slot that queries a struct's type. A parameter's type is checked to be a device type at the parameter, and
    /// only there.
    pub fn query_method(&self, path: &syn::Path) -> &'static str {
        if self.checked_types.contains(&path.to_token_stream().to_string()) { "pass" } else { "ty" }
    }

    /// A part of an aggregate: not a reference.
    pub fn element(&mut self, e: &mut syn::Expr) -> Value {
        if let syn::Expr::Reference(r) = strip(e) {
            self.error(
                DiagCode::Reference,
                r.span(),
                "a reference can't be stored in data on a device",
                "store the value, or its index",
            );
            return None;
        }
        self.value(e)
    }

    /// The slice at the end of a block.
    fn slice_of_block(&mut self, b: &mut syn::ExprBlock) -> Value {
        let Some(mut tail) = b.block.stmts.pop() else { unreachable!("it gives a slice") };
        let syn::Stmt::Expr(slice, None) = &mut tail else { unreachable!("it gives a slice") };
        let value = self.scoped(|this| {
            this.statements(&mut b.block, None)?;
            this.value(slice)
        });
        b.block.stmts.push(tail);
        value
    }

    /// The value of an expression goes to `dest`. Control flow is followed, so that each branch assigns.
    pub fn into(&mut self, e: &mut syn::Expr, dest: omp_ir::ids::LocalId) -> Option<()> {
        let e = strip_mut(e);
        match e {
            syn::Expr::If(_) | syn::Expr::Match(_) | syn::Expr::Block(_) | syn::Expr::Loop(_)
                if crate::sema::accesses::atomic::of(e).is_none() =>
            {
                // (The branches of an inner `if` are branches of the outer one.)
                if self.branches.iter().any(|(of, _)| *of == dest) {
                    return self.control(e, Some(dest));
                }
                self.branches.push((dest, None));
                let flow = self.control(e, Some(dest));
                if let Some((_, Some((_, slot)))) = self.branches.pop() {
                    *e = syn::Expr::Verbatim(quote_spanned!(slot.span()=> #slot.pass(#e)));
                }
                flow
            }
            _ => {
                let src = self.src(e.span());
                let value = self.literal_of_branch(e, dest).unwrap_or_else(|| self.value(e))?;
                match self.result_by_value {
                    Some((result, ty)) if result == dest && self.is_slice(value) => {
                        self.code.locals[dest.index()].slot = Some(ty);
                    }
                    _ if self.is_slice(value) => {
                        self.error(
                            DiagCode::Reference,
                            e.span(),
                            "the slice depends on a branch, and a name can refer to only one slice",
                            "use the slice in each branch, or choose its bounds: `&x[lo..hi]`",
                        );
                        return None;
                    }
                    _ => {}
                }
                let place = Place { base: omp_ir::template::Base::Local(dest), projections: Vec::new() };
                self.push(Stmt::Assign { place, value, src });
                Some(())
            }
        }
    }

    /// A number that a branch gives, which stands as it is: whether it is of the type of the other branches, rustc says of the host's.
    /// Numbers of one `if` or `match` have one slot.
    fn literal_of_branch(&mut self, e: &syn::Expr, dest: omp_ir::ids::LocalId) -> Option<Value> {
        let k = self.branches.iter().rposition(|(of, _)| *of == dest).filter(|_| is_untyped(e))?;
        let slot = match &self.branches[k].1 {
            Some((slot, _)) => *slot,
            None => {
                let (slot, caught) = self.slot(e.span());
                self.branches[k].1 = Some((slot, caught));
                slot
            }
        };
        Some(self.literal_of(e, Some(TyRef::Slot(slot))))
    }

    /// An expression for its effects.
    pub fn effect(&mut self, e: &mut syn::Expr) -> Option<()> {
        if let Some(value) = self.atomic(e) {
            return value.map(|_| ());
        }
        match e {
            syn::Expr::Paren(p) => self.effect(&mut p.expr),
            syn::Expr::Group(p) => self.effect(&mut p.expr),
            syn::Expr::If(_)
            | syn::Expr::Match(_)
            | syn::Expr::Block(_)
            | syn::Expr::Loop(_)
            | syn::Expr::While(_)
            | syn::Expr::ForLoop(_) => self.control(e, None),
            syn::Expr::Assign(_) => self.assign_statement(e),
            syn::Expr::Binary(b) if binary_op(&b.op).is_none() => self.update(e),
            syn::Expr::Break(_) | syn::Expr::Continue(_) | syn::Expr::Return(_) => self.jump(e),
            syn::Expr::Call(_) => self.call_effect(e),
            syn::Expr::MethodCall(_) => self.method_effect(e),
            syn::Expr::Macro(_) => self.macro_effect(e),
            // A `;` that stands alone.
            syn::Expr::Verbatim(t) if t.is_empty() => Some(()),
            syn::Expr::Lit(_)
            | syn::Expr::Path(_)
            | syn::Expr::Field(_)
            | syn::Expr::Index(_)
            | syn::Expr::Unary(_)
            | syn::Expr::Binary(_)
            | syn::Expr::Cast(_)
            | syn::Expr::Tuple(_)
            | syn::Expr::Array(_)
            | syn::Expr::Repeat(_)
            | syn::Expr::Struct(_)
            | syn::Expr::Reference(_) => {
                let v = self.value(e)?;
                if !is_place(e) {
                    self.unused(v);
                }
                Some(())
            }
            _ => self.unsupported(e),
        }
    }

    /// Reports expressions that no device can evaluate.
    fn unsupported(&mut self, e: &syn::Expr) -> Option<()> {
        if let syn::Expr::Try(t) = e {
            if self.captured.is_some() {
                self.early_exit("?", t.question_token.spans[0]);
                // There may be another one in it.
                return self.effect(&mut t.expr.clone()).and(None);
            }
            let tried = as_written(strip(&t.expr));
            let help = format!(
                "write `match {tried} {{ Some(v) => v, None => return None }}`, or `let Some(v) = {tried} else {{ return None }};`"
            );
            self.later(t.question_token.span(), "`?` in a device function", help);
            return None;
        }
        let (code, what, help) = match e {
            syn::Expr::Closure(_) => (
                DiagCode::Closure,
                "a closure can't be used on a device",
                "call it here, or pass it to a `#[omp::declare_target]` function of this module by the function's bare name",
            ),
            syn::Expr::Await(_) | syn::Expr::Async(_) => {
                (DiagCode::Await, "`await` and `async` can't be used on a device", "await before the loop")
            }
            syn::Expr::Unsafe(_) => (
                DiagCode::UnsafeCode,
                "`unsafe` blocks can't be used on a device",
                "write the body in safe Rust",
            ),
            syn::Expr::Range(_) => {
                (DiagCode::UnsupportedExpr, "a range is no value on a device", "use it in a `for` or a slice")
            }
            syn::Expr::Let(_) => (
                DiagCode::UnsupportedExpr,
                "`let` is allowed only in the conditions of `if` and `while`",
                "use `matches!`",
            ),
            syn::Expr::RawAddr(_) => (
                DiagCode::UnsupportedExpr,
                "a raw pointer can't be used on a device: an address means nothing there",
                "use an index",
            ),
            _ => (
                DiagCode::UnsupportedExpr,
                "this expression can't be used on a device",
                "compute it before the loop, or say it with numbers, tuples, fixed arrays, `if`, `match` and loops",
            ),
        };
        let span = match e {
            syn::Expr::Unsafe(u) => u.unsafe_token.span(),
            syn::Expr::Await(a) => a.await_token.span(),
            _ => e.span(),
        };
        self.error(code, span, what, help);
        None
    }
}

/// The operator, unless it assigns.
pub(super) fn binary_op(op: &syn::BinOp) -> Option<BinOp> {
    Some(match op {
        syn::BinOp::Add(_) => BinOp::Add,
        syn::BinOp::Sub(_) => BinOp::Sub,
        syn::BinOp::Mul(_) => BinOp::Mul,
        syn::BinOp::Div(_) => BinOp::Div,
        syn::BinOp::Rem(_) => BinOp::Rem,
        syn::BinOp::And(_) => BinOp::And,
        syn::BinOp::Or(_) => BinOp::Or,
        syn::BinOp::BitXor(_) => BinOp::BitXor,
        syn::BinOp::BitAnd(_) => BinOp::BitAnd,
        syn::BinOp::BitOr(_) => BinOp::BitOr,
        syn::BinOp::Shl(_) => BinOp::Shl,
        syn::BinOp::Shr(_) => BinOp::Shr,
        syn::BinOp::Eq(_) => BinOp::Eq,
        syn::BinOp::Lt(_) => BinOp::Lt,
        syn::BinOp::Le(_) => BinOp::Le,
        syn::BinOp::Ne(_) => BinOp::Ne,
        syn::BinOp::Ge(_) => BinOp::Ge,
        syn::BinOp::Gt(_) => BinOp::Gt,
        _ => return None,
    })
}

/// `5`, `-5`, `(0.5)`.
pub(super) fn is_number(e: &syn::Expr) -> bool {
    match strip(e) {
        syn::Expr::Lit(l) => matches!(l.lit, syn::Lit::Int(_) | syn::Lit::Float(_)),
        syn::Expr::Unary(u) => {
            matches!(u.op, syn::UnOp::Neg(_)) && is_number(&u.expr) && !is_negated(&u.expr)
        }
        _ => false,
    }
}

/// A number under `!`, `-` and braces.
fn is_number_inside(e: &syn::Expr) -> bool {
    match strip(e) {
        e if is_number(e) => true,
        syn::Expr::Unary(u) => {
            matches!(u.op, syn::UnOp::Not(_) | syn::UnOp::Neg(_)) && is_number_inside(&u.expr)
        }
        e => braced(e).is_some_and(is_number_inside),
    }
}

/// Whether a block ends in a part of an array: the block's value is that slice, for which no variable is needed.
pub(super) fn gives_slice(b: &syn::ExprBlock) -> bool {
    let Some(syn::Stmt::Expr(tail, None)) = b.block.stmts.last() else { return false };
    b.label.is_none()
        && b.attrs.is_empty()
        && match strip(tail) {
            syn::Expr::Reference(r) if r.mutability.is_none() => {
                matches!(strip(&r.expr), syn::Expr::Index(x)
                if matches!(strip(&x.index), syn::Expr::Range(_)))
            }
            syn::Expr::Block(b) => gives_slice(b),
            _ => false,
        }
}

/// The only expression of a block.
fn braced(e: &syn::Expr) -> Option<&syn::Expr> {
    match e {
        syn::Expr::Block(b) if b.label.is_none() => match &b.block.stmts[..] {
            [syn::Stmt::Expr(e, None)] => Some(e),
            _ => None,
        },
        _ => None,
    }
}

fn is_negated(e: &syn::Expr) -> bool {
    matches!(strip(e), syn::Expr::Unary(_))
}

fn is_char(e: &syn::Expr) -> bool {
    matches!(strip(e), syn::Expr::Lit(l) if matches!(l.lit, syn::Lit::Char(_)))
}

/// The last segment of a path, as rustc has it.
pub(super) fn last_name(path: &syn::Path) -> String {
    path.segments.last().map(|s| s.ident.to_string().replace("r#", "")).unwrap_or_default()
}

/// `Some`, `Option::Some`, `std::option::Option::Some`.
pub(super) fn std_variant(path: &syn::Path, name: &str) -> bool {
    let mut segments = path.segments.iter().rev();
    segments.next().is_some_and(|s| s.ident == name) && segments.next().is_none_or(|s| s.ident == "Option")
}

/// A `let` among the operands of `&&`.
pub(super) fn contains_let(e: &syn::Expr) -> bool {
    match e {
        syn::Expr::Let(_) => true,
        syn::Expr::Binary(b) if matches!(b.op, syn::BinOp::And(_)) => {
            contains_let(&b.left) || contains_let(&b.right)
        }
        syn::Expr::Group(g) => contains_let(&g.expr),
        _ => false,
    }
}

/// `({ statements; value })`, with the user's place. The parentheses are the macro's, elsewhere, so that no lint finds them
/// unnecessary and rustc takes the place of what they hold.
pub(super) fn wrapped(tokens: proc_macro2::TokenStream, span: proc_macro2::Span) -> syn::Expr {
    parenthesised(quote_spanned!(span=> { #tokens }))
}

/// Tokens that are one expression wherever they stand.
pub(super) fn parenthesised(inside: proc_macro2::TokenStream) -> syn::Expr {
    syn::Expr::Verbatim(group(Delimiter::Parenthesis, inside, proc_macro2::Span::mixed_site()).into())
}
