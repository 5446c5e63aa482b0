//! Statements: `let`, assignments, local consts.
pub(super) mod atomic;
pub(super) mod control;
pub(super) mod destructure;
pub(super) mod order;

use super::call::counting::is_count;
use super::cx::{Flow, Lower, Name};
use super::expr::binary_op;
use super::expr::literal::is_untyped;
use super::expr::place::{UPDATE, WRITE};
use super::generated_names::Made;
use crate::diag::Code as DiagCode;
use crate::parse::imports;
use crate::parse::tokens::leaves::mentions;
use crate::sema::reduction::updates::plain_operator;
use crate::sema::syntax::forms::{is_part, strip, strip_mut};
use crate::sema::syntax::{names, search};
use control::is_range;
use omp_ir::ids::{ExprId, LocalId};
use omp_ir::template::{Base, Block, Expr, LocalKind, Place, Stmt, TyRef};
use proc_macro2::Span;
use quote::{ToTokens, quote};
use std::collections::HashMap;
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;

impl Lower {
    /// The statements of a block, in the current scope; the last expression goes to `dest`.
    pub fn statements(&mut self, b: &mut syn::Block, dest: Option<LocalId>) -> Flow {
        self.hoist_consts(b);
        let mut flow = Some(());
        let mut out = Vec::new();
        let stmts = std::mem::take(&mut b.stmts);
        let count = stmts.len();
        let mut assigned = dest.is_none();
        let mut parts = self.parts.take();
        for (i, mut stmt) in stmts.into_iter().enumerate() {
            if let Some(parts) = &mut parts {
                parts.push(self.mark());
            }
            let tail = i + 1 == count && matches!(stmt, syn::Stmt::Expr(_, None));
            let mut sees = Vec::new();
            let goes_on = match &mut stmt {
                syn::Stmt::Local(l) => {
                    let flow = self.let_(l, &mut sees);
                    if flow.is_none() {
                        // Its names are known all the same, so that one mistake gives one error.
                        self.bind_nothing(&l.pat);
                    }
                    flow
                }
                syn::Stmt::Item(item) => self.item(item),
                syn::Stmt::Macro(m) => {
                    let mut e = syn::Expr::Macro(syn::ExprMacro { attrs: Vec::new(), mac: m.mac.clone() });
                    let flow = self.effect(&mut e);
                    stmt = syn::Stmt::Expr(e, m.semi_token);
                    flow
                }
                syn::Stmt::Expr(e, _) => match dest {
                    Some(dest) if tail => {
                        assigned = true;
                        self.into(e, dest)
                    }
                    _ => self.effect(e),
                },
            };
            out.push(stmt);
            out.append(&mut sees);
            flow = flow.and(goes_on);
        }
        self.parts = parts;
        b.stmts = out;
        if let (Some(dest), false, Some(())) = (dest, assigned, flow) {
            let src = self.src(b.brace_token.span.close());
            let value = self.expr(Expr::Unit, src);
            self.push(Stmt::Assign { place: whole(dest), value, src });
        }
        flow
    }

    fn item(&mut self, item: &mut syn::Item) -> Flow {
        match item {
            syn::Item::Const(c) => {
                // In the copy the methods of arrays are those of traits, which are not `const`.
                if let Some(Name::Const(copy)) = self.lookup(&c.ident.to_string()) {
                    *c.expr = syn::parse_quote!(#copy);
                }
                Some(())
            }
            syn::Item::Static(_) => Some(()),
            syn::Item::Use(u) => {
                let Some(of) = imports::unknown_glob(&u.tree) else { return Some(()) };
                let message = format!("the macro knows no names that `use {of}::*` in a body imports");
                self.error(DiagCode::ItemInBody, u.use_token.span, message, "of an enum of the same file the names are known; name what the body uses: `use module::{a, B};`");
                None
            }
            other => {
                let (what, help) = in_body(other);
                self.error(DiagCode::ItemInBody, other.span(), what, help);
                None
            }
        }
    }

    /// Local consts are evaluated where the slots are declared, so they get a copy there, under a fresh name.
    fn hoist_consts(&mut self, b: &mut syn::Block) {
        let mut found = Vec::new();
        for stmt in &b.stmts {
            let syn::Stmt::Item(item) = stmt else { continue };
            let ident = match item {
                syn::Item::Const(c) => &c.ident,
                syn::Item::Static(s) => &s.ident,
                _ => continue,
            };
            let fresh = self.fresh(Made::Const, ident.span());
            let name = Name::Const(fresh.clone());
            self.scopes.last_mut().expect("a scope is open").insert(ident.to_string(), name);
            self.typing.hoisted.push((ident.span().start(), fresh.clone()));
            found.push((item.clone(), fresh));
        }
        let mut names = HashMap::new();
        for scope in &self.scopes {
            for (name, meaning) in scope {
                match meaning {
                    Name::Const(copy) => names.insert(name.clone(), Some(copy.clone())),
                    Name::Local(_) | Name::Alias(_) => names.insert(name.clone(), None),
                };
            }
        }
        // What the body imports is not in sight where the copies stand.
        let uses: Vec<_> =
            b.stmts.iter().filter(|stmt| matches!(stmt, syn::Stmt::Item(syn::Item::Use(_)))).collect();
        let with_uses = |e: &mut syn::Expr| {
            if !uses.is_empty() {
                *e = syn::parse_quote!({ #(#uses)* #e });
            }
        };
        for (mut item, fresh) in found {
            let mut rename = Rename { names: &names };
            match &mut item {
                syn::Item::Const(c) => {
                    c.attrs.clear();
                    rename.visit_expr_mut(&mut c.expr);
                    rename.visit_type_mut(&mut c.ty);
                    with_uses(&mut c.expr);
                    c.ident = fresh;
                }
                syn::Item::Static(s) => {
                    s.attrs.clear();
                    rename.visit_expr_mut(&mut s.expr);
                    rename.visit_type_mut(&mut s.ty);
                    with_uses(&mut s.expr);
                    s.ident = fresh;
                }
                _ => unreachable!("collected above"),
            }
            self.typing.items.extend(quote!(#[allow(warnings)] #item));
        }
        self.hoist_lengths(b, &names);
    }

    /// So are lengths that call methods, `[0; TABLE.len()]`: in the copy, the methods of arrays are those of traits, which are not `const`.
    fn hoist_lengths(&mut self, b: &mut syn::Block, names: &HashMap<String, Option<syn::Ident>>) {
        struct Lengths<'l>(&'l mut Lower, &'l HashMap<String, Option<syn::Ident>>);
        impl Lengths<'_> {
            fn length(&mut self, e: &mut syn::Expr) {
                if search::any(e, |e| matches!(e, syn::Expr::MethodCall(_))) {
                    let (fresh, mut length) = (self.0.fresh(Made::Const, e.span()), e.clone());
                    let text = e.to_token_stream().to_string();
                    self.0.typing.lengths.push((e.span().start(), text, fresh.clone()));
                    Rename { names: self.1 }.visit_expr_mut(&mut length);
                    self.0.typing.items.extend(quote! {
                        #[allow(warnings)]
                        const #fresh: ::omp::__private::core::primitive::usize = #length;
                    });
                    *e = syn::parse_quote!(#fresh);
                }
            }
        }
        impl VisitMut for Lengths<'_> {
            fn visit_expr_repeat_mut(&mut self, r: &mut syn::ExprRepeat) {
                self.visit_expr_mut(&mut r.expr);
                self.length(&mut r.len);
            }
            fn visit_type_array_mut(&mut self, a: &mut syn::TypeArray) {
                self.visit_type_mut(&mut a.elem);
                self.length(&mut a.len);
            }
            // (A block has its own.)
            fn visit_block_mut(&mut self, _: &mut syn::Block) {}
            fn visit_item_mut(&mut self, _: &mut syn::Item) {}
        }
        let mut lengths = Lengths(self, names);
        b.stmts.iter_mut().for_each(|s| lengths.visit_stmt_mut(s));
    }

    // ------------------------------------------------------------------------------------------ let

    /// Binds the names of a pattern to variables without values.
    fn bind_nothing(&mut self, p: &syn::Pat) {
        for name in names::bound(p) {
            let local = self.local(&name, LocalKind::User, None, true);
            self.faulty.insert(local);
            self.bind(&name, local);
        }
    }

    pub(super) fn let_(&mut self, l: &mut syn::Local, sees: &mut Vec<syn::Stmt>) -> Flow {
        let Some(init) = &mut l.init else {
            self.let_later(&mut l.pat)?;
            // Whether it has a value where it is read, rustc says of the host's.
            all_mutable(&mut l.pat);
            l.init = Some(syn::LocalInit {
                eq_token: syn::token::Eq::default(),
                expr: Box::new(syn::parse_quote!(::omp::__private::never())),
                diverge: None,
            });
            return Some(());
        };
        if let Some((_, diverge)) = &mut init.diverge {
            let subject = self.refutable(|this| this.subject(&mut init.expr, &mut l.pat))?;
            let (test, alternatives) = self.refutable(|this| this.test_and_bind(&subject, &mut l.pat));
            let (els, _) = self.nested(|this| this.effect(diverge));
            if let Some(test) = test {
                let src = self.code.exprs[test.index()].src;
                let cond = self.expr(Expr::Unary(omp_ir::template::UnOp::Not, test), src);
                self.push(Stmt::If { cond, then: els, els: Block::default() });
            }
            self.bind_all(alternatives, sees);
            return Some(());
        }
        let pat = match &mut l.pat {
            syn::Pat::Type(t) => {
                self.fits(&t.ty)?;
                &mut *t.pat
            }
            p => p,
        };
        match pat {
            syn::Pat::Wild(_) => {
                let v = self.value(&mut init.expr)?;
                self.unused(v);
                Some(())
            }
            syn::Pat::Ident(i) if i.subpat.is_none() && i.by_ref.is_none() => {
                self.let_ident(i, &mut init.expr, sees)
            }
            syn::Pat::Tuple(t) if is_tuple_of_names(t, &init.expr) => {
                let syn::Expr::Tuple(values) = strip_mut(&mut init.expr) else { unreachable!("seen") };
                let mut names = Vec::new();
                for (p, e) in t.elems.iter_mut().zip(values.elems.iter_mut()) {
                    let syn::Pat::Ident(i) = p else {
                        let v = self.value(e)?;
                        self.unused(v);
                        continue;
                    };
                    names.push(self.variable(i, e, sees)?);
                }
                names.into_iter().for_each(|(name, meaning)| self.bind_name(name, meaning));
                Some(())
            }
            pat => {
                let subject = self.subject(&mut init.expr, pat)?;
                let (_, alternatives) = self.test_and_bind(&subject, pat);
                self.bind_all(alternatives, sees);
                Some(())
            }
        }
    }

    fn let_ident(&mut self, i: &mut syn::PatIdent, init: &mut syn::Expr, sees: &mut Vec<syn::Stmt>) -> Flow {
        let (name, meaning) = self.variable(i, init, sees)?;
        self.bind_name(name, meaning);
        Some(())
    }

    /// Declares a variable with its value; it has its name only afterwards.
    fn variable(
        &mut self,
        i: &mut syn::PatIdent,
        init: &mut syn::Expr,
        sees: &mut Vec<syn::Stmt>,
    ) -> Option<(String, Name)> {
        self.lower_case(&i.ident)?;
        let (name, mutable) = (i.ident.to_string(), i.mutability.is_some());
        if let syn::Expr::Reference(r) = strip_mut(init)
            && r.mutability.is_some()
            && !is_part(&r.expr)
        {
            let place = self.alias(i, &mut r.expr)?;
            return Some((name, Name::Alias(place)));
        }
        if is_range(init) {
            self.error(
                DiagCode::UnsupportedExpr,
                init.span(),
                "a range is no value on a device",
                "use it in a `for` or a slice",
            );
            return None;
        }
        // A `usize`: what it is assigned says so.
        if is_count(init) {
            let value = self.value(init)?;
            let local = self.local(&name, LocalKind::User, None, mutable);
            self.numbers.insert(local);
            self.push(Stmt::Let { local, init: Some(value) });
            return Some((name, Name::Local(local)));
        }
        let (slot, see) = self.query_local(&i.ident);
        sees.push(see);
        let branches = matches!(
            strip(init),
            syn::Expr::If(_) | syn::Expr::Match(_) | syn::Expr::Block(_) | syn::Expr::Loop(_)
        ) && !matches!(strip(init), syn::Expr::Block(b) if super::expr::gives_slice(b));
        if branches {
            let local = self.local(&name, LocalKind::User, Some(slot), mutable);
            self.push(Stmt::Let { local, init: None });
            self.into(init, local)?;
            return Some((name, Name::Local(local)));
        }
        // A literal has the variable's type: one slot, and rustc's errors are about the literal as it stands.
        let value = match strip(init) {
            syn::Expr::Reference(r) if r.mutability.is_some() => self.argument(init)?,
            _ if is_untyped(init) => self.literal_of(init, Some(TyRef::Slot(slot)))?,
            _ => self.value(init)?,
        };
        // `let mut own = rest;` copies the rest of an array.
        let copies = mutable
            && matches!(&self.code.exprs[value.index()].expr, Expr::Load(Place { base: Base::Local(l), projections })
                if projections.is_empty() && self.rests.contains(l));
        let kind = if self.is_slice(value) && !copies { LocalKind::Slice } else { LocalKind::User };
        // A `&mut` slice under another name.
        let mutable = mutable || self.is_mutable_slice(value);
        let slot = if kind == LocalKind::Slice { None } else { Some(slot) };
        let local = self.local(&name, kind, slot, mutable);
        if matches!(self.code.exprs[value.index()].expr, Expr::Array { .. } | Expr::Repeat { .. }) {
            self.array_locals.insert(local);
        }
        if self.is_number(value) {
            self.numbers.insert(local);
        }
        self.push(Stmt::Let { local, init: Some(value) });
        Some((name, Name::Local(local)))
    }

    /// `let p = &mut place`: the place under another name. Its subscripts are computed here, and it counts as written:
    /// the host makes the reference, and nothing else may refer to the place.
    fn alias(&mut self, i: &syn::PatIdent, e: &mut syn::Expr) -> Option<Place> {
        if i.mutability.is_some() {
            let help = "leave out `mut`: another reference gets a name of its own; two that change places are elements of one array, `let mut both = [p, q];`, used as `both[k % 2]` and `both[(k + 1) % 2]`";
            self.error(
                DiagCode::Reference,
                i.span(),
                format!("`{}` could refer to another place later", i.ident),
                help,
            );
            return None;
        }
        let src = self.src(e.span());
        let place = self.place(e, UPDATE)?;
        let known = match place.base {
            Base::Array(_) => !place.projections.is_empty(),
            Base::Local(l) => {
                matches!(
                    self.code.locals[l.index()].kind,
                    LocalKind::User | LocalKind::Ref | LocalKind::Slice
                )
            }
            Base::Scalar(_) | Base::Const(_) => false,
        };
        if !known {
            self.error(
                DiagCode::Reference,
                e.span(),
                format!("a `&mut` of `{}` as a variable of a body", e.to_token_stream()),
                "refer to elements, parts of arrays and variables of the body; write others by their name",
            );
            return None;
        }
        let mut at = self.mark();
        let place = self.keep_indices(place, &mut at);
        let borrowed = self.copy_place(&place);
        let borrowed = self.expr(Expr::Borrow(borrowed), src);
        self.push(Stmt::Eval(borrowed));
        Some(place)
    }

    /// `let x;`: the type is that of the first value.
    fn let_later(&mut self, p: &mut syn::Pat) -> Flow {
        match p {
            syn::Pat::Type(t) => self.let_later(&mut t.pat),
            syn::Pat::Paren(t) => self.let_later(&mut t.pat),
            syn::Pat::Wild(_) => Some(()),
            syn::Pat::Tuple(t) => t.elems.iter_mut().try_for_each(|p| self.let_later(p)),
            syn::Pat::Ident(i) if i.subpat.is_none() && i.by_ref.is_none() => {
                self.lower_case(&i.ident)?;
                let local = self.local(&i.ident.to_string(), LocalKind::User, None, i.mutability.is_some());
                self.push(Stmt::Let { local, init: None });
                self.bind(&i.ident.to_string(), local);
                Some(())
            }
            other => {
                let help = "declare the variables by name";
                self.error(DiagCode::UnsupportedPattern, other.span(), "this pattern needs a value", help);
                None
            }
        }
    }

    // ------------------------------------------------------------------------------------------ assignments

    /// `place = value`. (Tuples and the like are taken apart before.)
    fn assign(&mut self, a: &mut syn::ExprAssign) -> Flow {
        let span = a.span();
        let branches = matches!(
            strip(&a.right),
            syn::Expr::If(_) | syn::Expr::Match(_) | syn::Expr::Block(_) | syn::Expr::Loop(_)
        );
        if branches
            && let syn::Expr::Path(p) = strip(&a.left)
            && let Some(ident) = p.path.get_ident()
            && let Some(Name::Local(local)) = self.lookup(&ident.to_string())
        {
            let local = *local;
            return self.into(&mut a.right, local);
        }
        let value = self.value(&mut a.right)?;
        self.assign_to(&mut a.left, value, span)
    }

    /// `place = 1`: the literal has the place's type, which is queried after the assignment. So the copy of the assignment is as
    /// the user wrote it, and rustc's error about it is the same as in the loop itself.
    pub fn assign_statement(&mut self, e: &mut syn::Expr) -> Flow {
        let syn::Expr::Assign(a) = e else { unreachable!("called with an assignment") };
        if !is_untyped(&a.right) || !is_place(&a.left) {
            return self.assign(a);
        }
        let span = a.span();
        let (slot, query) = self.slot(span);
        let value = self.literal_of(&a.right, Some(TyRef::Slot(slot)))?;
        self.assign_to(&mut a.left, value, span)?;
        let place = &a.left;
        // (By value: there is no reference to a field of a packed struct.)
        *e = syn::Expr::Verbatim(quote!({ #a; #query.see_any(&{ #place }); }));
        Some(())
    }

    fn assign_to(&mut self, left: &mut syn::Expr, value: ExprId, span: Span) -> Flow {
        let src = self.src(span);
        match strip_mut(left) {
            syn::Expr::Infer(_) => {
                self.unused(value);
                Some(())
            }
            left => {
                let mark = self.mark();
                if self.is_fixed_reference(left) {
                    let message = "a reference can't be assigned in a body";
                    self.of_rustc(DiagCode::Reference, left.span(), message);
                    return None;
                }
                self.no_reference(left)?;
                let place = self.place(left, WRITE)?;
                let mut values = [value];
                self.settle(&mut values, mark);
                self.assign_whole_array(&place, left);
                self.push(Stmt::Assign { place, value: values[0], src });
                Some(())
            }
        }
    }

    /// The name of a reference that is not `mut`: rustc refuses each assignment of it.
    fn is_fixed_reference(&self, left: &syn::Expr) -> bool {
        let syn::Expr::Path(p) = left else { return false };
        match p.path.get_ident().and_then(|ident| self.lookup(&ident.to_string())) {
            Some(Name::Alias(_)) => true,
            Some(Name::Local(l)) => {
                self.code.locals[l.index()].kind == LocalKind::Ref && !self.rebound.contains(l)
            }
            Some(Name::Const(_)) | None => false,
        }
    }

    /// Reports an assignment of a mapped array, which has its length for good.
    fn assign_whole_array(&mut self, place: &Place, left: &syn::Expr) {
        let slice = match place.base {
            Base::Array(_) => true,
            Base::Local(l) => self.code.locals[l.index()].kind == LocalKind::Slice,
            Base::Scalar(_) | Base::Const(_) => false,
        };
        if slice && place.projections.is_empty() {
            let help = if matches!(place.base, Base::Local(_)) {
                "a slice variable may be assigned parts of what it is bound to (`rest = &rest[n..];`), by its own name and in the same block or one inside of it; keep the numbers of other parts, and write `&x[from..to]`"
            } else {
                "assign its elements"
            };
            self.error(
                DiagCode::WholeArray,
                left.span(),
                format!("`{}` can't be assigned as a whole", left.to_token_stream()),
                help,
            );
        }
    }

    /// `place op= value`. For primitives Rust evaluates the value first, then the place.
    pub fn update(&mut self, e: &mut syn::Expr) -> Flow {
        let syn::Expr::Binary(b) = &mut *e else { unreachable!("called with an operator") };
        let src = self.src(b.span());
        let Some(op) = plain_operator(&b.op).and_then(|op| binary_op(&op)) else {
            self.error(
                DiagCode::UnsupportedExpr,
                b.op.span(),
                "this operator can't be used on a device",
                "use the operators of Rust's primitives",
            );
            return None;
        };
        let start = self.mark();
        let value = self.value(&mut b.right)?;
        let mark = self.mark();
        let place = self.place(&mut b.left, UPDATE)?;
        let ordered = self.is_order_observable(start, value, mark, &place);
        let mut values = [value];
        self.settle(&mut values, mark);
        self.assign_whole_array(&place, &b.left);
        let old = self.copy_place(&place);
        let old = self.expr(Expr::Load(old), src);
        let value = self.operation(op, old, values[0], src);
        let mut whole = None;
        self.query_assigning(value, op, (b, ordered), &mut whole);
        if let Some(whole) = whole {
            *e = whole;
        }
        self.push(Stmt::Assign { place, value, src });
        Some(())
    }
}

/// The whole of a variable.
pub(super) fn whole(local: LocalId) -> Place {
    Place::from(Base::Local(local))
}

/// A variable, field or element.
fn is_place(e: &syn::Expr) -> bool {
    matches!(strip(e), syn::Expr::Path(_) | syn::Expr::Field(_) | syn::Expr::Index(_))
}

/// `let (a, mut b, _) = (x, y, z)`.
fn is_tuple_of_names(t: &syn::PatTuple, init: &syn::Expr) -> bool {
    let names = t.elems.iter().all(|p| match p {
        syn::Pat::Wild(_) => true,
        syn::Pat::Ident(i) => {
            i.subpat.is_none() && i.by_ref.is_none() && !super::expr::place::is_capital(&i.ident)
        }
        _ => false,
    });
    names && matches!(strip(init), syn::Expr::Tuple(e) if e.elems.len() == t.elems.len())
}

/// Renames local consts inside the copies of other local consts.
struct Rename<'a> {
    names: &'a HashMap<String, Option<syn::Ident>>,
}

impl VisitMut for Rename<'_> {
    fn visit_path_mut(&mut self, p: &mut syn::Path) {
        if let Some(ident) = p.get_ident()
            && let Some(Some(fresh)) = self.names.get(&ident.to_string())
        {
            *p = fresh.clone().into();
        }
        syn::visit_mut::visit_path_mut(self, p);
    }
}

/// Makes the variables of a pattern ones that may be assigned.
fn all_mutable(p: &mut syn::Pat) {
    struct Mutable;
    impl VisitMut for Mutable {
        fn visit_pat_ident_mut(&mut self, i: &mut syn::PatIdent) {
            i.mutability = Some(syn::token::Mut::default());
        }
    }
    VisitMut::visit_pat_mut(&mut Mutable, p);
}

/// The message and the help for an item that can't be in a body.
fn in_body(item: &syn::Item) -> (String, &'static str) {
    if let Ok(f) = syn::parse2::<syn::ItemFn>(item.to_token_stream()) {
        let (sig, name) = (&f.sig, &f.sig.ident);
        let plain = sig.asyncness.is_none() && sig.abi.is_none() && f.attrs.is_empty();
        let what = if !sig.generics.params.is_empty() {
            "is generic"
        } else if mentions(f.block.to_token_stream(), &name.to_string()) {
            "calls itself"
        } else if plain {
            "has names that mean a variable around it"
        } else {
            "has attributes, or is no plain `fn`"
        };
        let help = "functions in a body are not generic, don't call themselves, and name no variable around them: move it out of the loop, and write `#[omp::declare_target]` before it";
        return (format!("the function `{name}` in a body {what}"), help);
    }
    let name = match item {
        syn::Item::Struct(_) => "a `struct`",
        syn::Item::Enum(_) => "an `enum`",
        syn::Item::Impl(_) => "an `impl`",
        syn::Item::Trait(_) => "a `trait`",
        syn::Item::Type(_) => "a `type`",
        syn::Item::Mod(_) => "a `mod`",
        _ => "an item",
    };
    (format!("{name} in a body, whose items are consts, statics and functions"), "move it out of the loop")
}
