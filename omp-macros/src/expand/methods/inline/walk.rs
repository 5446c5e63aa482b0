//! The walk over a body: finds calls and subscripts of values with methods, and follows which variables are such values.
use super::super::behind_parens;
use super::super::sums;
use super::super::values::Ty;
use super::Inline;
use super::body::{around_call, of_chain, range_of};
use super::expressions::{is_plain_place, made, receiver, through};
use crate::diag::Code;
use crate::expand::methods::name_of;
use crate::expand::methods::values::{is_lookup, is_of_slices};
use crate::iterate::is_table;
use crate::iterate::{FIXED, IteratedBy, parentheses};
use crate::parse::tokens::source::as_written;
use crate::parse::{Matches, change_arguments};
use crate::sema::reduction::updates::is_assignment;
use crate::sema::syntax::forms::is_part;
use crate::sema::syntax::{place, search};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, ExprMethodCall, Item, Pat, Stmt, Type, UnOp};

impl VisitMut for Inline<'_> {
    fn visit_block_mut(&mut self, block: &mut Block) {
        self.types.enter();
        let (known, parts) = (self.known.clone(), self.parts.len());
        let mut stmts =
            std::mem::take(&mut block.stmts).into_iter().collect::<std::collections::VecDeque<_>>();
        while let Some(mut s) = stmts.pop_front() {
            let mut before = self.searched_first(&mut s);
            if before.is_empty() {
                before = self.tried_first(&mut s);
            }
            if before.is_empty()
                && let Some(mut named) = self.arguments_first(&s)
            {
                s = named.pop().expect("it is the last");
                before = named;
            }
            if !before.is_empty() {
                stmts.push_front(s);
                before.into_iter().rev().for_each(|s| stmts.push_front(s));
                continue;
            }
            if let Some(lets) = self.tried(&s) {
                block.stmts.extend(lets);
                continue;
            }
            if let Some(lets) = self.by_fields(&s, stmts.make_contiguous()) {
                lets.into_iter().rev().for_each(|s| stmts.push_front(s));
                continue;
            }
            if let Some(lets) = self.searched(&s) {
                self.found = true;
                block.stmts.extend(lets);
                continue;
            }
            if self.named_struct(&s, stmts.make_contiguous()) {
                self.found = true;
                continue;
            }
            if let Some(branches) = self.chosen_struct(&s, stmts.make_contiguous()) {
                self.found = true;
                stmts = branches.into();
                continue;
            }
            if let Some(lets) = self.parted(&s, stmts.make_contiguous()) {
                self.found = true;
                block.stmts.extend(lets);
                continue;
            }
            self.visit_stmt_mut(&mut s);
            if let Stmt::Expr(Expr::MethodCall(call), Some(_)) = &mut s {
                self.reads_receiver(call);
            }
            block.stmts.push(s);
        }
        self.put_parts(&mut block.stmts, parts);
        self.known = known;
        self.types.leave();
        // `let items = m.row(i);`
        let mut at = 0;
        while at < block.stmts.len() {
            if let Stmt::Local(l) = &mut block.stmts[at]
                && let Some(init) = l.init.as_mut().filter(|init| init.diverge.is_none())
                && let Some((before, items)) = of_chain(&init.expr)
            {
                *init.expr = items;
                let n = before.len();
                block.stmts.splice(at..at, before);
                at += n;
            }
            at += 1;
        }
    }

    fn visit_local_mut(&mut self, l: &mut syn::Local) {
        let ty = l.init.as_ref().and_then(|init| self.types.of(&init.expr));
        visit_mut::visit_local_mut(self, l);
        if let Some(init) = &mut l.init {
            match (&l.pat, &mut *init.expr) {
                (Pat::Tuple(_), Expr::Tuple(values)) => {
                    values.elems.iter_mut().for_each(|value| self.slice_field(value));
                }
                (_, value) => self.slice_field(value),
            }
        }
        self.types.bind(&l.pat, ty);
    }

    fn visit_expr_for_loop_mut(&mut self, f: &mut syn::ExprForLoop) {
        let ty = self.types.of_item(&f.expr);
        let (heard, head) = (self.sink.len(), std::mem::take(&mut self.head).then(|| f.expr.clone()));
        let own = head.is_none() && self.types.is_own_iterator(&f.expr);
        if head.is_none() && self.iterates_borrowing(&f.expr) {
            self.own_items(&mut f.expr);
        }
        self.visit_expr_mut(&mut f.expr);
        if own {
            self.own_items(&mut f.expr);
        }
        // The host evaluates the bounds of a region: what can't stand in the place of a call there remains a call.
        if let Some(head) = head.filter(|_| self.sink.len() > heard) {
            self.sink.take_since(heard);
            f.expr = head;
        }
        self.table(&mut f.expr);
        self.slice_field(&mut f.expr);
        self.types.enter();
        self.types.bind(&f.pat, ty);
        self.visit_block_mut(&mut f.body);
        self.types.leave();
    }

    fn visit_expr_match_mut(&mut self, m: &mut syn::ExprMatch) {
        let ty = self.types.of(&m.expr);
        self.visit_expr_mut(&mut m.expr);
        for arm in &mut m.arms {
            self.types.enter();
            self.types.bind(&arm.pat, ty.clone());
            self.visit_arm_mut(arm);
            self.types.leave();
        }
    }

    fn visit_expr_let_mut(&mut self, l: &mut syn::ExprLet) {
        let ty = self.types.of(&l.expr);
        self.visit_expr_mut(&mut l.expr);
        self.types.bind(&l.pat, ty);
    }

    fn visit_expr_if_mut(&mut self, i: &mut syn::ExprIf) {
        self.types.enter();
        visit_mut::visit_expr_if_mut(self, i);
        self.types.leave();
    }

    fn visit_expr_while_mut(&mut self, w: &mut syn::ExprWhile) {
        self.types.enter();
        visit_mut::visit_expr_while_mut(self, w);
        self.types.leave();
    }

    fn visit_expr_method_call_mut(&mut self, m: &mut ExprMethodCall) {
        let of = self.types.of_parameter(m);
        let folds = (m.method == "fold" || m.method == "try_fold") && m.args.len() == 2;
        let folded = if folds { self.types.of(&m.args[0]) } else { None };
        let maps = m.method == "map"
            && m.args.len() == 1
            && !matches!(&*m.receiver, Expr::Array(_) | Expr::Repeat(_))
            && self.types.is_fixed(&m.receiver);
        let options = if m.method == "flatten" && m.args.is_empty() {
            self.types.gives_options(&m.receiver)
        } else {
            None
        };
        let own = self.iterates_own(m);
        if self.takes_items(m) {
            self.items_of_receiver(m);
        }
        self.receiver = !self.methods.reads(&m.method.to_string());
        self.visit_expr_mut(&mut m.receiver);
        self.receiver = false;
        if own {
            self.items_of_receiver(m);
        }
        if let Some(by_value) = options {
            // `.flatten()` alone is of arrays.
            let span = m.method.span();
            let f = if by_value {
                quote_spanned!(span=> ::omp::__private::core::convert::identity)
            } else {
                quote_spanned!(span=> ::omp::__private::core::option::Option::as_ref)
            };
            m.method = Ident::new("filter_map", span);
            m.args.push(made(f));
            self.found = true;
        }
        if maps {
            // The name marks an array, no `Option`.
            let (array, named) =
                (&m.receiver, Ident::new(FIXED, Span::mixed_site().located_at(m.method.span())));
            // (By its name, a `&mut` would be moved.)
            let by_name = matches!(**array, Expr::Path(_)).then(|| quote_spanned!(m.method.span()=> &));
            *m.receiver = made(quote_spanned!(m.method.span()=> ({ let #named = #by_name #array; #named })));
            self.found = true;
        }
        for arg in &mut m.args {
            match arg {
                Expr::Closure(c) => {
                    let own = m.method == "flat_map" && self.types.gives_own_iterator(c, of.clone());
                    if m.method == "flat_map" && self.iterates_borrowing(&c.body) {
                        self.items_of_own(&mut c.body);
                    }
                    self.closure_of(c, of.clone(), folded.clone());
                    if own {
                        self.items_of_own(&mut c.body);
                    }
                }
                arg => {
                    let of_items = m.method == "zip" || m.method == "chain";
                    let own = of_items && self.types.is_own_iterator(arg);
                    if of_items && self.iterates_borrowing(arg) {
                        self.own_items(arg);
                    }
                    self.visit_expr_mut(arg);
                    if own {
                        self.own_items(arg);
                    }
                }
            }
        }
        let captured = |e: &Expr| {
            let own = self.region.as_ref();
            matches!(e, Expr::Path(p) if p.path.get_ident().is_some_and(|name| own.is_some_and(|own| !own.contains(&name.to_string()))))
        };
        // (A place that may not be there has a rule of its own.)
        let named = matches!(&*m.receiver, Expr::Field(_))
            || matches!(&*m.receiver, Expr::Path(p) if is_table(p) || matches!(self.types.of(&m.receiver), Some(Ty::Fixed(_))))
                && is_lookup(&m.method.to_string())
            || m.method != "get_mut"
                && captured(&m.receiver)
                && matches!(self.types.of(&m.receiver), Some(Ty::Array(_)));
        if named
            && is_of_slices(&m.method.to_string())
            && (matches!(self.types.of(&m.receiver), Some(Ty::Array(_) | Ty::Fixed(_)))
                || m.method != "get_mut" && self.is_array_field(&m.receiver))
        {
            let array = &m.receiver;
            *m.receiver = made(quote_spanned!(m.method.span()=> #array[..]));
            self.found = true;
        }
        if m.method == "zip" || m.method == "chain" {
            for arg in &mut m.args {
                self.table(arg);
                self.slice_field(arg);
            }
        }
    }

    fn visit_expr_closure_mut(&mut self, c: &mut syn::ExprClosure) {
        self.closure_of(c, None, None);
    }

    fn visit_expr_mut(&mut self, e: &mut Expr) {
        let receiver = std::mem::take(&mut self.receiver);
        if let Expr::Assign(a) = e {
            self.types.assigned(a);
        }
        self.labelled_jumps(e);
        if let Some(instead) = self
            .value_assignment(e)
            .or_else(|| self.in_turn(e))
            .or_else(|| self.own_sum(e))
            .or_else(|| self.made_first(e))
            .or_else(|| self.assigned_by_fields(e))
            .or_else(|| self.named_receiver(e))
            .or_else(|| self.with_else(e))
        {
            self.found = true;
            *e = instead;
        }
        match e {
            Expr::Assign(a) => {
                self.visit_at(&mut a.left, true);
                self.visit_at(&mut a.right, false);
            }
            Expr::Binary(b) if is_assignment(&b.op) => {
                self.visit_at(&mut b.left, true);
                self.visit_at(&mut b.right, false);
            }
            Expr::Reference(r) => self.visit_at(&mut r.expr, r.mutability.is_some()),
            Expr::Index(x) => {
                self.receiver = receiver;
                self.visit_expr_mut(&mut x.expr);
                self.receiver = false;
                self.visit_at(&mut x.index, false);
                if let Some(range) = range_of(&x.index, &self.changing) {
                    *x.index = range;
                }
            }
            Expr::Field(_) | Expr::Paren(_) | Expr::Tuple(_) => {
                self.receiver = receiver;
                visit_mut::visit_expr_mut(self, e);
            }
            _ => {
                let writing = std::mem::replace(&mut self.writing, false);
                visit_mut::visit_expr_mut(self, e);
                self.writing = writing;
            }
        }
        match e {
            Expr::Call(call) => {
                if let Some(body) =
                    self.function(call).or_else(|| self.of_array(call)).or_else(|| self.associated(call))
                {
                    *e = body;
                } else {
                    call.args.iter_mut().for_each(|arg| self.slice_field(arg));
                }
            }
            Expr::MethodCall(call) => {
                if let Some(chain) = around_call(call) {
                    *e = chain;
                    return;
                }
                if let Expr::Reference(r) = &*call.receiver {
                    call.receiver = r.expr.clone();
                }
                if let Some(body) = self
                    .call(call)
                    .or_else(|| self.value_call(call))
                    .or_else(|| self.inlined_method(call))
                    .or_else(|| self.method_of_array(call))
                {
                    *e = body;
                } else {
                    self.writes_receiver(call);
                }
            }
            Expr::ForLoop(f) => {
                if let Some((before, items)) = of_chain(&f.expr) {
                    *f.expr = items;
                    *e = made(quote!({ #(#before)* #f }));
                }
            }
            Expr::Path(p) if p.qself.is_none() => self.methods.values.with_parameters(&mut p.path),
            Expr::Field(f) => through(&mut f.base),
            Expr::Index(x) => {
                let called = matches!(&*x.expr, Expr::Reference(_));
                through(&mut x.expr);
                if called && is_part(&x.expr) && !matches!(&*x.index, Expr::Range(_)) {
                    if let Some(element) = self.of_part(x) {
                        *e = element;
                    }
                    return;
                }
                // (The attribute of an assignment, `#[omp::atomic]`, stands at its first operand.)
                let attrs = std::mem::take(&mut x.attrs);
                self.receiver = receiver;
                let element = self.subscript(x);
                self.receiver = false;
                x.attrs.clone_from(&attrs);
                match element {
                    Some(Expr::Index(mut element)) => {
                        element.attrs = attrs;
                        *e = Expr::Index(element);
                    }
                    Some(element) => *e = element,
                    None => {}
                }
            }
            Expr::Unary(u) if matches!(u.op, UnOp::Deref(_)) => {
                if let Expr::Reference(r) = &*u.expr {
                    *e = (*r.expr).clone();
                }
            }
            _ => {}
        }
    }

    /// The arguments of macros that look at values.
    fn visit_macro_mut(&mut self, m: &mut syn::Macro) {
        const ASSERTS: [&str; 6] =
            ["assert", "assert_eq", "assert_ne", "debug_assert", "debug_assert_eq", "debug_assert_ne"];
        let is = |name: &str| m.path.segments.last().is_some_and(|s| s.ident == name);
        if is("matches") {
            let Some(mut of) = Matches::of(m) else { return };
            // (A closure would be bound before the statement, outside of the pattern's scope.)
            if has_closure(&of.value) || of.guard.as_ref().is_some_and(has_closure) {
                return;
            }
            let ty = self.types.of(&of.value);
            self.visit_expr_mut(&mut of.value);
            self.types.enter();
            self.types.bind(&of.pat, ty);
            of.guard.iter_mut().for_each(|guard| self.visit_expr_mut(guard));
            self.types.leave();
            m.tokens = of.tokens();
        } else if ASSERTS.iter().any(|name| is(name)) {
            let condition = (!is("assert_eq") && !is("assert_ne")).then(|| m.tokens.clone());
            change_arguments(m, |arg| {
                if !has_closure(arg) {
                    self.visit_expr_mut(arg);
                }
            });
            // The condition's text is the one that the user wrote.
            if let Some(condition) = condition
                && condition.to_string() != m.tokens.to_string()
                && syn::parse2::<Expr>(condition.clone()).is_ok()
            {
                let text = as_written(&condition).replace('{', "{{").replace('}', "}}");
                let (text, changed) = (format!("assertion failed: {text}"), &m.tokens);
                m.tokens = quote!(#changed, #text);
            }
        }
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}

fn has_closure(e: &Expr) -> bool {
    search::any(e, |e| matches!(e, Expr::Closure(_)))
}

impl Inline<'_> {
    /// `x.iter().map(f).sum()` of items whose type has a sum of its own.
    fn own_sum(&self, e: &Expr) -> Option<Expr> {
        let Expr::MethodCall(m) = e else { return None };
        if m.method != "sum" && m.method != "product" {
            return None;
        }
        let Some(Ty::Named(of)) = self.types.of_parameter(m) else { return None };
        if self.variables.items.contains(&of) {
            return None;
        }
        sums::of_items(m, &of, self.methods)
    }

    fn closure_of(&mut self, c: &mut syn::ExprClosure, of: Option<Ty>, folded: Option<Ty>) {
        self.types.enter();
        self.types.bind_closure(c, of, folded);
        let known = self.known.clone();
        for pat in &c.inputs {
            crate::iterate::pattern_names(pat)
                .iter()
                .for_each(|name| drop(self.known.remove(&name.to_string())));
            // `|f: &Field, …|`: a struct that owns arrays, by the name of the parameter.
            if let Pat::Type(t) = pat
                && let (Pat::Ident(p), Type::Reference(r)) = (&*t.pat, behind_parens(&t.ty))
                && let Some(of) = name_of(&r.elem).and_then(|name| self.methods.find(&name))
            {
                self.known.insert(p.ident.to_string(), of.name.clone());
            }
        }
        self.visit_expr_mut(&mut c.body);
        self.known = known;
        self.types.leave();
    }

    /// `for v in TABLE` of a table behind a reference goes through references.
    fn table(&mut self, e: &mut Expr) {
        if self.methods.values.is_table(e) {
            self.found = true;
            *e = made(quote_spanned!(e.span()=> #e.iter()));
        }
    }

    /// A struct that has parts alone, by value or by reference, as it stands for a parameter.
    pub(super) fn whole_struct(&self, ty: &Type, arg: &Expr) -> Option<TokenStream> {
        let of = self.methods.find(&name_of(behind_parens(ty))?)?;
        let same = self.methods.of_place(arg, &self.known).as_ref() == Some(&of.name);
        (same && (of.copies || of.borrows) && is_plain_place(arg)).then(|| receiver(arg))
    }

    /// `x[i].rng.next()` of a method that takes `&mut self`, as `(&mut x[i].rng).next()`: in a region, the tokens have to show what is written.
    fn writes_receiver(&mut self, call: &mut ExprMethodCall) {
        let place =
            matches!(&*call.receiver, Expr::Field(_) | Expr::Index(_)) && is_plain_place(&call.receiver);
        if self.region.is_some() && place && self.methods.exclusive.contains(&call.method.to_string()) {
            let place = &call.receiver;
            self.found = true;
            *call.receiver = made(parentheses(quote_spanned!(place.span()=> &mut #place)));
        }
    }

    /// `x[i].fire(&mut m);` of an array behind a shared reference, as `(&x[i]).fire(&mut m)`: the method can't change the element.
    fn reads_receiver(&mut self, call: &mut ExprMethodCall) {
        let Expr::Index(_) = &*call.receiver else { return };
        let (Some(own), Some(root)) = (&self.region, place::root(&call.receiver)) else { return };
        let shared = |(name, kind): &(String, IteratedBy)| root == name && *kind == IteratedBy::Shared;
        if self.context.whole.iter().any(shared)
            && !own.contains(&root.to_string())
            && is_plain_place(&call.receiver)
        {
            let place = &call.receiver;
            self.found = true;
            *call.receiver = made(parentheses(quote_spanned!(place.span()=> &#place)));
        }
    }

    /// `frame.luma`, a slice in a struct, and `&frame.rows`, a container in one, as what they refer to.
    pub(super) fn slice_field(&mut self, e: &mut Expr) {
        let (place, borrow) = match &*e {
            Expr::Reference(r) => (&*r.expr, Some(r.mutability)),
            place => (place, None),
        };
        let Expr::Field(f) = place else { return };
        let Some(ty) = self.methods.field(f, &self.known) else { return };
        let mutability = match (ty, borrow) {
            (Type::Path(_), Some(None)) if is_container(ty) => None,
            (ty, None) => match slice_behind(ty) {
                Some(mutability) => mutability,
                None => return,
            },
            _ => return,
        };
        self.found = true;
        *e = made(quote_spanned!(e.span()=> &#mutability #place[..]));
    }

    /// Whether it is a field of a struct, as `frame.luma`, that is an array or a slice.
    fn is_array_field(&self, e: &Expr) -> bool {
        let Expr::Field(f) = e else { return false };
        let Some(ty) = self.methods.field(f, &self.known) else { return false };
        let array = |ty: &Type| matches!(ty, Type::Slice(_) | Type::Array(_)) || is_container(ty);
        match behind_parens(ty) {
            Type::Reference(r) => array(&r.elem),
            ty => array(ty),
        }
    }

    /// An element of a slice that a function returned.
    fn of_part(&mut self, x: &syn::ExprIndex) -> Option<Expr> {
        if self.writing {
            self.sink
                .error_at(
                    Code::UnsupportedExpr,
                    &*x.index,
                    "an element of a slice that a function returns can't be written in its place",
                )
                .help("give the slice a name: `let row = row(…);`, then `row[i] = …;`");
            return None;
        }
        let (part, index, span) = (&x.expr, &x.index, x.index.span());
        let own = |name| Ident::new(name, Span::mixed_site().located_at(span));
        let (at, of) = (own("__number_in_part"), own("__part_of_call"));
        Some(made(parentheses(
            quote_spanned!(span=> { let #at: ::omp::__private::core::primitive::usize = #index; let #of = &#part; #of[#at] }),
        )))
    }

    fn visit_at(&mut self, e: &mut Expr, writing: bool) {
        let before = std::mem::replace(&mut self.writing, writing);
        self.visit_expr_mut(e);
        self.writing = before;
    }
}

/// Whether a slice behind a reference, and whether that is `mut`.
pub(super) fn slice_behind(ty: &Type) -> Option<Option<syn::Token![mut]>> {
    match ty {
        Type::Reference(r) if matches!(&*r.elem, Type::Slice(_)) => Some(r.mutability),
        _ => None,
    }
}

/// `Vec<T>`, `Box<[T]>`
fn is_container(ty: &Type) -> bool {
    let Type::Path(p) = ty else { return false };
    let Some(last) = p.path.segments.last() else { return false };
    last.ident == "Vec"
        || last.ident == "Box" && last.arguments.to_token_stream().to_string().starts_with("< [")
}
