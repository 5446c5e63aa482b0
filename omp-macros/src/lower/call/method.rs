//! Calls of methods.
use super::super::cx::{Flow, Value, hidden};
use super::super::expr::place::stands_before;
use super::probe;
use super::probe::Written;
use super::{hidden_name, mangled, operator_by_name};
use crate::diag::Code as DiagCode;
use crate::lower::CallKind;
use crate::lower::cx::Lower;
use crate::marks::unmarked;
use crate::sema::syntax::forms::{strip, strip_mut};
use omp_ir::ids::{CallId, ExprId, TyId};
use omp_ir::kernel::Ty;
use omp_ir::method::Method;
use omp_ir::template::{BinOp, Block, Check, Expr, Stmt, UnOp};
use proc_macro2::Ident;
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;

impl Lower {
    pub fn method_value(&mut self, e: &mut syn::Expr) -> Value {
        let span = e.span();
        let syn::Expr::MethodCall(m) = &mut *e else { unreachable!("called with a method call") };
        let name = m.method.to_string();
        if let ("len" | "is_empty", 0) = (name.as_str(), m.args.len()) {
            // A loop over the elements has become one to the length.
            let place = m.receiver.clone();
            // (The length first: it captures the array.)
            let length = self.length(e);
            let checks = self.iterated_too(&place);
            let value = match length {
                Some(length) => length,
                None => self.called(e),
            }?;
            if !checks.is_empty() {
                *e = syn::Expr::Verbatim(quote_spanned!(hidden(span)=> ({ #checks #e })));
            }
            return Some(value);
        }
        if let Some(value) = self.range_contains(e) {
            return value;
        }
        let syn::Expr::MethodCall(m) = &mut *e else { unreachable!("still a method call") };
        if let ("expect", 1) = (name.as_str(), m.args.len()) {
            return self.expect(e);
        }
        self.called(e)
    }

    /// The value of a call that rustc resolves.
    fn called(&mut self, e: &mut syn::Expr) -> Value {
        let span = e.span();
        let syn::Expr::MethodCall(m) = &*e else { unreachable!("called with a method call") };
        // The position at which Rust reports a panic of the method.
        let src = self.src(m.method.span());
        let (start, end) = crate::diag::ends(&unmarked(&*e).to_token_stream());
        let (call, args) = self.method_of(e, false)?;
        let slot = self.query(e, "pass", span);
        // A type that is not the expected one is an error of the host's call as a whole.
        *e = syn::Expr::Verbatim(probe::first_of(quote!(#e,), start, end));
        self.code.calls[call.index()].ret = Some(slot);
        let value = self.expr(Expr::Call { call, args }, src);
        Some(self.temp("called", value))
    }

    pub fn method_effect(&mut self, e: &mut syn::Expr) -> Flow {
        let syn::Expr::MethodCall(m) = &mut *e else { unreachable!("called with a method call") };
        let src = self.src(m.method.span());
        let name = m.method.to_string();
        if name == "swap" && m.args.len() == 2 {
            return self.swap(e);
        }
        if matches!(name.as_str(), "expect" | "len" | "is_empty") {
            return self.method_value(e).map(|_| ());
        }
        let (call, args) = self.method_of(e, true)?;
        let value = self.expr(Expr::Call { call, args }, src);
        self.push(Stmt::Eval(value));
        Some(())
    }

    /// The receiver and arguments; the copy calls the mangled method.
    fn method_of(&mut self, e: &mut syn::Expr, statement: bool) -> Option<(CallId, Vec<ExprId>)> {
        let syn::Expr::MethodCall(m) = e else { unreachable!("called with a method call") };
        self.number_cast(m);
        if m.method == "unwrap_or_default" && m.args.is_empty() && m.turbofish.is_none() {
            // A default of any type: the host evaluates it.
            let span = m.method.span();
            m.method = Ident::new("unwrap_or", span);
            m.args
                .push(syn::parse_quote_spanned!(span=> ::omp::__private::core::default::Default::default()));
        }
        let (name, span) = (m.method.to_string(), m.method.span());
        self.refuse_method(m)?;
        // (A number's method as a statement would do nothing: there it is one of the user's, which may change its receiver.)
        let is_variable = matches!(strip(&m.receiver), syn::Expr::Path(_));
        let known = Method::is_name(&name, m.args.len() + 1) && !(statement && is_variable);
        let place = stands_before(&m.receiver);
        let at = crate::diag::ends(&m.receiver.to_token_stream());
        let sure = self.is_surely_array(&m.receiver);
        let captured = place && !known && self.is_outside(&m.receiver);
        let element = place && !known && self.is_element(&m.receiver);
        let on = if known { None } else { self.called_on(&m.receiver) };
        if let Some(value) = self.captured.as_ref().and_then(|c| c.behind_exclusive(&m.receiver)) {
            *m.receiver = value;
        }
        let (receiver, reads) = self.receiver(&mut m.receiver, statement, known)?;
        let mark = self.mark();
        // (A comparison of a variable that may be a number without a type is left to the hidden method.)
        let compares = matches!(name.as_str(), "total_cmp" | "clone");
        let owns = probe::has_hosts(&name, m.args.len()) && !(known && is_variable && compares);
        let mut written: Vec<Written> = m.args.iter().map(Written::of).collect();
        let mut args = vec![receiver];
        for (e, written) in m.args.iter_mut().zip(&mut written) {
            let mark = self.mark();
            let v = match written {
                Written::Literal(_, slot) if owns => {
                    let (value, of) = self.bare_literal(e);
                    *slot = Some(of);
                    value
                }
                Written::Literal(..) if known => self.literal_argument(e),
                _ => self.argument(e),
            };
            let Some(v) = v else {
                self.unused_before(&args, mark);
                return None;
            };
            self.settle(&mut args, mark);
            args.push(v);
        }
        let (call, ident) = self.call(&name, span, true, None);
        let (method, n) = (m.method.clone(), m.args.len());
        if let Some(generics) = &m.turbofish {
            self.paths.calls.insert(call, syn::parse_quote!(#method #generics));
        }
        let by_name = operator_by_name(&name, n).filter(|_| m.turbofish.is_none());
        if self.lenient && (by_name.is_some() || (method == "into" && n == 0)) {
            self.typing.calls[call.index()].kind = CallKind::Named;
        }
        if let (Some(_), Some(op @ (BinOp::Div | BinOp::Rem)), [lhs, rhs]) =
            (by_name, BinOp::by_name(&name), &mut args[..])
        {
            let src = self.src(span);
            self.divides(op, lhs, rhs, src);
        }
        if let Some(of) = by_name
            && self.operators_by_name.insert(of)
        {
            let of = Ident::new(&format!("{of}ByName"), hidden(proc_macro2::Span::call_site()));
            self.typing.uses.push(quote!(use ::omp::__private::by_name::#of as _;));
        }
        m.method = hidden_name(&method, n + 1);
        let callee =
            if reads { quote_spanned!(hidden(span)=> #ident.reads()) } else { quote_spanned!(span=> #ident) };
        let callee = syn::Expr::Verbatim(callee);
        // (The runtime has hidden methods for the names of built-in methods.)
        let of_built_in = owns && Method::is_name(&name, n + 1);
        if !known && !of_built_in && (owns || reads) {
            self.undeclared(&name, n, owns);
        } else if !known && !of_built_in {
            self.called_exclusively(&name, n);
        }
        if let Some(on) = on {
            // A missing item is the same at each call on one type: the first call reports it.
            let first = *self.undeclared_methods.entry(format!("{on}.{name}({n})")).or_insert(span);
            let caught = &mut self.typing.calls[call.index()].caught;
            *caught = caught.at(first);
        }
        if self.is_named_borrow(receiver)
            && let Expr::Borrow(place) = &self.code.exprs[receiver.index()].expr
            && self.changed_since(mark, place)
        {
            // The receiver would be read before them by value; by reference, they can't change it.
            if known {
                self.error(
                    DiagCode::UnsupportedExpr,
                    span,
                    "the arguments of this call change its receiver, as the call may",
                    "compute them before: `let a = …;`",
                );
                return None;
            }
            let call = ident.at(span);
            let check = quote_spanned!(hidden(span)=> ::omp::__private::borrows_receiver(#call););
            self.typing.late.extend(check);
        }
        // The queried type may be that of the value in an `Option`.
        let of_option = Method::parse(&name, &Ty::Option(TyId(0)), n + 1).is_some();
        let hidden_first = known && is_variable;
        let sure = !hidden_first && (sure || known && !of_option);
        let found = if owns {
            // A value of no device type is one error, at the array.
            let captured = captured && reads || element;
            Some(self.hosts_method(m, &method, written, callee, at, statement, sure, captured, hidden_first))
        } else {
            m.args.push(callee);
            None
        };
        self.typing.calls[call.index()].result = found.as_ref().map(|found| found.result.clone());
        self.probe_found(e, place, &method, n, &ident, found);
        Some((call, args))
    }

    /// An element of a captured array, or a part of one: a value of a device type.
    fn is_element(&self, e: &syn::Expr) -> bool {
        match strip(e) {
            syn::Expr::Index(x) if !matches!(strip(&x.index), syn::Expr::Range(_)) => {
                self.is_outside(&x.expr) || self.is_element(&x.expr)
            }
            syn::Expr::Field(f) => self.is_element(&f.base),
            _ => false,
        }
    }

    /// `T::from(x).unwrap()` of a type parameter: what has such a method is the `Option` of `NumCast::from`. If `T` has another
    /// `from`, the two functions differ and this does not compile.
    fn number_cast(&self, m: &mut syn::ExprMethodCall) {
        const OF_OPTION: &[&str] = &["unwrap", "expect", "unwrap_or", "is_some", "is_none"];
        if !cfg!(feature = "num-traits") || !OF_OPTION.iter().any(|name| m.method == name) {
            return;
        }
        let syn::Expr::Call(c) = strip_mut(&mut m.receiver) else { return };
        let syn::Expr::Path(p) = &mut *c.func else { return };
        let (None, 1, [of, from]) = (&p.qself, c.args.len(), &*p.path.segments.iter().collect::<Vec<_>>())
        else {
            return;
        };
        if from.ident != "from" || !self.generics.iter().any(|t| of.ident == t) {
            return;
        }
        let (of, span) = (of.ident.clone(), from.ident.span());
        *p = syn::parse_quote_spanned!(span=> <#of as ::omp::__private::num::NumCast>::from);
    }

    /// `option.expect("text")`: the check has the text.
    fn expect(&mut self, e: &mut syn::Expr) -> Value {
        let span = e.span();
        let syn::Expr::MethodCall(m) = &mut *e else { unreachable!("called with a method call") };
        self.number_cast(m);
        let src = self.src(m.method.span());
        let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) = strip(&m.args[0]) else {
            let help = "write the text as a literal";
            self.error(DiagCode::UnsupportedLiteral, m.args[0].span(), "`expect` takes a literal text", help);
            return None;
        };
        let message = omp_ir::message::escape(&text.value());
        let place = stands_before(&m.receiver);
        let receiver = self.value(&mut m.receiver)?;
        let receiver = if self.is_stable(receiver) { receiver } else { self.temp("option", receiver) };
        let some = self.copy(receiver);
        let some = self.expr(Expr::IsSome(some), src);
        let cond = self.expr(Expr::Unary(UnOp::Not, some), src);
        let check = Stmt::Check { check: Check::Panic { access: None, message, args: Vec::new() }, src };
        self.push(Stmt::If { cond, then: Block(vec![check]), els: Block::default() });
        let (call, ident) = self.call("expect", m.method.span(), true, None);
        let method = m.method.clone();
        m.method = mangled(&method);
        m.args.push(syn::Expr::Verbatim(quote_spanned!(span=> #ident)));
        self.probe(e, place, &method, 1, &ident);
        let slot = self.query(e, "pass", span);
        self.code.calls[call.index()].ret = Some(slot);
        let value = self.expr(Expr::Call { call, args: vec![receiver] }, src);
        Some(self.temp("called", value))
    }
}
