//! The walk itself: statements and expressions in the order in which Rust resolves their names.
use super::super::chain::{Item, IteratedBy, cuts};
use super::super::items::{statement, value};
use super::Walk;
use super::scopes::is_value;
use crate::expand::found::in_found;
use crate::iterate::tokens::{block, made, moved_expr, parentheses};
use crate::iterate::values::option::{Optional, Shape, by_value, is_unwrapped};
use crate::sema::syntax::forms::{dereferenced, is_comparison, strip, takes_references};
use quote::{ToTokens, quote, quote_spanned};
use std::collections::HashMap;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, Pat, Stmt};

impl VisitMut for Walk<'_> {
    fn visit_block_mut(&mut self, b: &mut Block) {
        self.scoped(|w| {
            super::super::counting::counted(b);
            w.declare_consts(b);
            w.functions_inside(b);
            crate::iterate::names::slice_patterns::in_block(b);
            crate::iterate::values::closure::one_by_one(b);
            w.keep_free_numbers(b);
            w.chain_by_name(b);
            w.moved_on(b);
            w.parts_by_name(b);
            w.optional_parts_by_name(b);
            w.slice_cursors(b);
            w.mutable_halves(b);
            let mut stmts = std::collections::VecDeque::from(std::mem::take(&mut b.stmts));
            while let Some(mut s) = stmts.pop_front() {
                if let Some(parts) = w.part_or_leave(&s) {
                    parts.into_iter().rev().for_each(|s| stmts.push_front(s));
                    continue;
                }
                let shared = |e: &Expr| w.is_slice(e) && w.kind_of(e) != Some(IteratedBy::Exclusive);
                if let Some(branches) = crate::iterate::names::chosen::in_branches(&s, stmts.iter(), &shared)
                {
                    stmts = branches.into();
                    continue;
                }
                let parts = w.chosen_part(&s).map(Vec::from);
                if let Some(parts) = parts.or_else(|| w.options_of_references(&s, stmts.iter())) {
                    parts.into_iter().rev().for_each(|s| stmts.push_front(s));
                    continue;
                }
                w.tried_alone(&mut s);
                if let Some(named) = w.part_first(&s) {
                    named.into_iter().rev().for_each(|s| stmts.push_front(s));
                    continue;
                }
                if let Some(kept) = w.inserted_let(&s, &mut stmts) {
                    stmts.push_front(kept);
                    continue;
                }
                let parts = w.chunks_let(&s, &mut stmts).or_else(|| w.selected_let(&s));
                if let Some(parts) = parts.or_else(|| w.ranges_in_tuple(&s)) {
                    parts.into_iter().rev().for_each(|s| stmts.push_front(s));
                    continue;
                }
                if let Stmt::Local(syn::Local { pat, init: Some(init), .. }) = &s {
                    w.names_slice(pat, &init.expr);
                    if let (Pat::Ident(p), Expr::Reference(syn::ExprReference { mutability: Some(_), .. })) =
                        (pat, &*init.expr)
                    {
                        w.mutable_references.insert(p.ident.to_string());
                    }
                }
                w.array_in_elements(&mut s);
                references_in_tuple(&mut s);
                if let Some(halves) = w.halves_of_part(&s) {
                    halves.into_iter().rev().for_each(|s| stmts.push_front(s));
                    continue;
                }
                if let Some([number, unless, element]) = w.let_mutable(&s) {
                    for mut before in [number, unless] {
                        w.visit_stmt_mut(&mut before);
                        b.stmts.append(&mut w.asked);
                        b.stmts.push(before);
                    }
                    s = element;
                }
                if let Some((unless, parts)) = w.let_split(&s) {
                    if let Some(mut unless) = unless {
                        w.visit_stmt_mut(&mut unless);
                        b.stmts.append(&mut w.asked);
                        b.stmts.push(unless);
                    }
                    s = parts;
                }
                w.refuse_moves_on(&s, stmts.iter());
                if let Some(ends) = w.range_let(&mut s) {
                    b.stmts.append(&mut w.asked);
                    b.stmts.extend(ends);
                    continue;
                }
                if let Some(copies) = w.closure_let(&s) {
                    b.stmts.extend(copies);
                    continue;
                }
                if let Some(lets) = w.item_let(&mut s) {
                    b.stmts.append(&mut w.asked);
                    b.stmts.extend(lets);
                    continue;
                }
                let holds = w.let_holds(&s);
                w.visit_stmt_mut(&mut s);
                if let Some(holds) = holds {
                    w.holds(holds);
                }
                b.stmts.append(&mut w.asked);
                match w.part_of_block(&s) {
                    Some(parts) => b.stmts.extend(parts),
                    None => b.stmts.push(s),
                }
            }
        });
    }

    fn visit_stmt_mut(&mut self, s: &mut Stmt) {
        if let Stmt::Macro(m) = s {
            let named = self.macro_(&mut m.mac);
            if !named.is_empty() {
                *s = statement(quote!({ #(#named)* #m }));
            }
            return;
        }
        self.is_statement = matches!(s, Stmt::Expr(_, Some(_)));
        visit_mut::visit_stmt_mut(self, s);
    }

    fn visit_local_mut(&mut self, l: &mut syn::Local) {
        crate::iterate::values::pipeline::typed_sum(l);
        crate::iterate::values::pipeline::typed_fold(l);
        self.fields_of_reference(l);
        self.array_by_reference(l);
        if let (Pat::Reference(r), Some(init)) = (&l.pat, &mut l.init)
            && r.mutability.is_none()
            && self.item(&init.expr).is_some()
        {
            let item = &init.expr;
            *init.expr = made(quote_spanned!(item.span()=> *#item));
            l.pat = (*r.pat).clone();
        }
        // `let s: &[u32] = &array;`: the type makes it a slice.
        if let (Pat::Type(t), Some(init)) = (&l.pat, &mut l.init)
            && let syn::Type::Reference(slice) = &*t.ty
            && matches!(&*slice.elem, syn::Type::Slice(_))
        {
            let (span, mutable) = (init.expr.span(), &slice.mutability);
            let array = match &*init.expr {
                Expr::Reference(r) => {
                    Some(dereferenced(&r.expr)).filter(|e| matches!(e, Expr::Path(_) | Expr::Field(_)))
                }
                e @ Expr::Path(_) if self.is_array(e) => Some(e),
                _ => None,
            };
            if let Some(array) = array {
                *init.expr = made(quote_spanned!(span=> &#mutable #array[..]));
            }
        }
        let mut given = None;
        if let Some(init) = &mut l.init {
            if init.diverge.is_some() {
                self.slice_by_reference(&mut init.expr, &mut [&mut l.pat]);
            }
            let mut scope = HashMap::new();
            if let (Some((_, diverge)), Some(found)) = (&mut init.diverge, self.optional(&init.expr)) {
                let Optional { value, shape } = found;
                *init.expr = value;
                self.visit_expr_mut(diverge);
                self.through(&mut l.pat, &shape, &mut scope);
                return self.declare_in(&mut l.pat, scope);
            }
            if init.diverge.is_none()
                && let Some(value) = self.option_variable(&mut l.pat, &init.expr)
            {
                *init.expr = value;
                return;
            }
            if init.diverge.is_none()
                && let Some(value) = self.named_option(&mut l.pat, &init.expr)
            {
                *init.expr = value;
                return;
            }
            if init.diverge.is_none()
                && let Some((value, shape)) = self.tried_option(&init.expr)
            {
                *init.expr = value;
                self.held(&mut l.pat, &shape, &mut scope);
                return self.declare_in(&mut l.pat, scope);
            }
            if init.diverge.is_none()
                && let Some(mut value) = self.tried_reference(&init.expr)
            {
                self.visit_expr_mut(&mut value);
                *init.expr = value;
                self.held(&mut l.pat, &Shape::Ref, &mut scope);
                return self.declare_in(&mut l.pat, scope);
            }
            if init.diverge.is_none()
                && let Some((value, shape)) = self.unwrapped(&init.expr)
            {
                *init.expr = value;
                self.held(&mut l.pat, &shape, &mut scope);
                return self.declare_in(&mut l.pat, scope);
            }
            self.copied_before(&mut init.expr);
            if let Some(parts) = self.halves(&l.pat, &init.expr) {
                *init.expr = parts;
            }
            given = self.kind_of(&init.expr);
            if init.diverge.is_none() {
                if let Some(shape) = self.branches(&mut init.expr) {
                    self.held(&mut l.pat, &shape, &mut scope);
                    return self.declare_in(&mut l.pat, scope);
                }
            } else {
                self.visit_expr_mut(&mut init.expr);
            }
            if let Some((_, diverge)) = &mut init.diverge {
                self.visit_expr_mut(diverge);
            }
        }
        self.declare(&mut l.pat);
        if let Some(init) = &l.init {
            // What a type says comes first.
            let typed = matches!(&l.pat, Pat::Type(t) if crate::iterate::of_type(&t.ty).is_some());
            let given = given.filter(|_| !typed && self.kind_of(&init.expr).is_none());
            match given {
                Some(kind) => self.is_kind(&l.pat, kind),
                None => self.has_kind(&l.pat, &init.expr),
            }
            self.parts_have_kinds(&l.pat, is_value(&init.expr));
        }
    }

    fn visit_arm_mut(&mut self, a: &mut syn::Arm) {
        self.arm(a, false);
    }

    fn visit_field_value_mut(&mut self, f: &mut syn::FieldValue) {
        let before = f.expr.to_token_stream().to_string();
        self.copied_before(&mut f.expr);
        self.visit_expr_mut(&mut f.expr);
        if f.colon_token.is_none() && f.expr.to_token_stream().to_string() != before {
            f.colon_token = Some(Default::default());
        }
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
    fn visit_type_mut(&mut self, _: &mut syn::Type) {}
    fn visit_pat_mut(&mut self, _: &mut Pat) {}
    fn visit_attribute_mut(&mut self, _: &mut syn::Attribute) {}

    fn visit_expr_mut(&mut self, e: &mut Expr) {
        if let Some(written_out) = self.tried_assignment(e) {
            *e = written_out;
        }
        // `x.chunks(n).len()`
        if let Expr::MethodCall(m) = &mut *e
            && m.method == "len"
            && m.args.is_empty()
            && matches!(&*m.receiver, Expr::MethodCall(of) if cuts(&of.method))
            && self.is_pipeline(&m.receiver)
        {
            m.method = syn::Ident::new("count", m.method.span());
        }
        self.match_split(e);
        crate::iterate::names::slice_patterns::in_branches(e);
        if let Some(value) = self.dereferenced(e) {
            *e = value;
            return;
        }
        if let Some(named) = self.with_range_named(e) {
            *e = named;
            return self.visit_expr_mut(e);
        }
        self.parts_in_receivers(e);
        crate::iterate::values::arrays::join(e);
        self.part_of_found(e);
        if let Some(operator) = crate::iterate::values::number_methods::named_operator(e) {
            *e = operator;
        }
        let written_out = self.whole_array(e).or_else(|| self.part_or_empty(e));
        let statement = std::mem::take(&mut self.is_statement);
        let written_out = written_out.or_else(|| self.same_slices(e)).or_else(|| self.converted(e));
        let written_out = written_out.or_else(|| self.array_from_fn(e)).or_else(|| self.updated(e));
        let written_out =
            written_out.or_else(|| self.in_range(e)).or_else(|| self.through_inserted(e, statement));
        let written_out = written_out.or_else(|| self.selected_element(e)).or_else(|| self.written_number(e));
        let written_out = written_out.or_else(|| self.ascii(e)).or_else(|| self.part_exists(e));
        let written_out =
            written_out.or_else(|| crate::iterate::names::chosen::assigned_in_branches(e, self));
        if let Some(written_out) = written_out.or_else(|| self.combined(e)).or_else(|| self.adapted(e)) {
            *e = written_out;
        }
        if self.keeps(e) {
            return;
        }
        self.calls_statement = statement;
        if let Some(assigned) = self.assigned_range(e) {
            *e = assigned;
            return;
        }
        let called = self.named_range(e) || self.closure_call(e);
        self.calls_statement = false;
        if called {
            return;
        }
        if let Expr::If(i) = &*e
            && let Some(split) = self.if_split(i).or_else(|| self.if_mutable(i)).or_else(|| self.if_part(i))
        {
            *e = split;
        }
        if let Expr::Match(m) = &*e
            && let Some(part) = self.match_part(m)
        {
            *e = part;
        }
        // `x.first() == Some(&0)`
        if let Expr::Binary(b) = &mut *e
            && is_comparison(&b.op)
            && self.same_options(b)
        {
            return;
        }
        if let Expr::Binary(b) = &mut *e
            && is_comparison(&b.op)
            && let (Some(left), Some(right)) = (self.item(&b.left), self.item(&b.right))
            && (left.is_exclusive() || right.is_exclusive())
        {
            // References are compared by what they refer to.
            let span = e.span();
            let [left, right] = [&left, &right].map(|item| by_value(item, span));
            let Expr::Binary(b) = e else { return };
            (*b.left, *b.right) = (left, right);
            return;
        }
        // So do `cmp` and `partial_cmp`.
        if let Expr::MethodCall(m) = &mut *e
            && (m.method == "cmp" || m.method == "partial_cmp")
            && m.args.len() == 1
            && let (Some(left), Some(right)) = (self.item(&m.receiver), self.item(&m.args[0]))
        {
            let span = m.method.span();
            let [left, right] = [&left, &right].map(|item| by_value(item, span));
            *m.receiver = left;
            m.args[0] = made(quote_spanned!(span=> &#right));
            return;
        }
        self.written_item(e);
        match e {
            Expr::Path(_) => {
                self.put(e);
                return;
            }
            Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => {
                if let Some(found) = self.tried_reference(&u.expr) {
                    *e = found;
                    return self.visit_expr_mut(e);
                }
                if let Some(place) = self.element(&u.expr) {
                    *e = place;
                    return;
                }
                if self.put(e) {
                    return;
                }
            }
            // Operators take a reference for its value: `it.next().unwrap() * 2.0`.
            Expr::Unary(u) => {
                if let Some(value) = self.unwrapped_operand(&u.expr) {
                    *u.expr = value;
                    return;
                }
            }
            Expr::Binary(b) if takes_references(&b.op) => {
                for side in [&mut b.left, &mut b.right] {
                    match self.unwrapped_operand(side) {
                        Some(value) => **side = value,
                        None => self.visit_expr_mut(side),
                    }
                }
                return;
            }
            Expr::Try(t) if self.device_fn => {
                *e = if self.gives_result {
                    crate::iterate::values::closure::tried_result(t)
                } else {
                    crate::iterate::values::closure::tried(t)
                };
            }
            Expr::Field(f) => {
                if let Some(value) = self.tried_reference(&f.base) {
                    *f.base = value;
                    return self.visit_expr_mut(e);
                }
                if let Some(place) = self.base(&f.base) {
                    *f.base = place;
                    return;
                }
                if self.put(e) {
                    return;
                }
            }
            Expr::Index(x) => {
                if let Some(value) = self.tried_reference(&x.expr) {
                    *x.expr = value;
                    return self.visit_expr_mut(e);
                }
                if let Some(place) = self.base(&x.expr) {
                    *x.expr = place;
                    self.visit_expr_mut(&mut x.index);
                    return;
                }
            }
            Expr::MethodCall(m) => {
                if let Some(value) = self.tried_reference(&m.receiver) {
                    *m.receiver = value;
                }
                if let Some(item @ Item::Element { place, .. }) = &self.item(&m.receiver) {
                    // A reference, as what rustc finds first depends on it; rows are looked at as arrays.
                    let of_arrays = matches!(
                        m.method.to_string().as_str(),
                        "len" | "is_empty" | "swap" | "iter" | "iter_mut"
                    ) || cuts(&m.method);
                    let span = m.receiver.span();
                    *m.receiver = if of_arrays { moved_expr(place, span) } else { value(item, span) };
                    m.args.iter_mut().for_each(|a| self.unwrapped_argument(a));
                    return;
                }
                // A part that an option has.
                if let Some(Item::Value(Expr::Reference(part))) = self.item(&m.receiver)
                    && matches!(&*part.expr, Expr::Index(_))
                {
                    *m.receiver = moved_expr(&part.expr, m.receiver.span());
                }
                if m.args.iter().any(is_unwrapped) {
                    self.visit_expr_mut(&mut m.receiver);
                    m.args.iter_mut().for_each(|arg| self.unwrapped_argument(arg));
                    return;
                }
            }
            Expr::Assign(a) => {
                if let Some(shape) = self.kept_in_option(&a.left) {
                    self.visit_expr_mut(&mut a.left);
                    *a.right = self.by_value_in_option(&a.right, &shape);
                    return;
                }
                self.copied_before(&mut a.right);
            }
            Expr::Call(c) if in_found(c).is_some() => {
                self.option_of_references(c.span());
                *e = c.args[0].clone();
            }
            Expr::Call(c) => {
                if let Some(copied) = self.swapped_parts(c) {
                    *e = copied;
                    return self.visit_expr_mut(e);
                }
                self.visit_expr_mut(&mut c.func);
                c.args.iter_mut().for_each(|arg| self.copied_before(arg));
                let args = c.args.clone();
                for arg in &mut c.args {
                    // An element that is borrowed by `&mut` and passed twice is only read.
                    let twice = args.iter().filter(|other| *other == arg).count() > 1;
                    match self.item(arg) {
                        Some(Item::Element { place, mutable: true }) if twice => {
                            let place = moved_expr(&place, arg.span());
                            *arg = made(parentheses(quote_spanned!(arg.span()=> &#place)));
                        }
                        _ => self.unwrapped_argument(arg),
                    }
                }
                return;
            }
            Expr::ForLoop(f) => {
                if let Some(written_out) =
                    self.without_end(f).or_else(|| self.over_slices(f)).or_else(|| self.adapted_loop(f))
                {
                    *e = written_out;
                    return self.visit_expr_mut(e);
                }
                self.visit_expr_mut(&mut f.expr);
                if self.is_chain(&f.expr) {
                    if let Some(mut stmts) = self.sequential(f)
                        && !stmts.is_empty()
                    {
                        let f = std::mem::replace(e, Expr::Verbatim(Default::default()));
                        stmts.push(Stmt::Expr(f, None));
                        *e = block(stmts);
                    }
                } else {
                    self.counted(f, 1);
                }
                return;
            }
            Expr::If(i) => {
                self.scoped(|w| {
                    w.visit_expr_mut(&mut i.cond);
                    w.visit_block_mut(&mut i.then_branch);
                });
                if let Some((_, els)) = &mut i.else_branch {
                    self.visit_expr_mut(els);
                }
                return;
            }
            Expr::While(l) => {
                self.scoped(|w| {
                    w.visit_expr_mut(&mut l.cond);
                    w.visit_block_mut(&mut l.body);
                });
                return;
            }
            Expr::Match(m) => {
                let mut pats: Vec<&mut Pat> = m.arms.iter_mut().map(|arm| &mut arm.pat).collect();
                self.slice_by_reference(&mut m.expr, &mut pats);
                let Some(Optional { value, shape }) = self.optional(&m.expr) else {
                    let arms = m.arms.iter().map(|arm| (&arm.pat, &*arm.body));
                    if let Some(element) = self.looked_at(&m.expr, arms) {
                        *m.expr = element;
                        return m.arms.iter_mut().for_each(|arm| self.visit_arm_mut(arm));
                    }
                    let by_value = is_value(&m.expr);
                    self.visit_expr_mut(&mut m.expr);
                    return m.arms.iter_mut().for_each(|arm| self.arm(arm, by_value));
                };
                *m.expr = value;
                for arm in &mut m.arms {
                    let mut scope = HashMap::new();
                    self.through(&mut arm.pat, &shape, &mut scope);
                    let open = self.scopes.len();
                    self.scopes.push(scope);
                    self.visit_arm_mut(arm);
                    self.scopes.truncate(open);
                }
                return;
            }
            Expr::Let(l) => {
                self.slice_by_reference(&mut l.expr, &mut [&mut *l.pat]);
                if let Some(Optional { value, shape }) = self.optional(&l.expr) {
                    let mut scope = HashMap::new();
                    *l.expr = value;
                    self.through(&mut l.pat, &shape, &mut scope);
                    return self.declare_in(&mut l.pat, scope);
                }
                // (What changes a binding has been rewritten: `expand/methods/written_back.rs`.)
                if let Some(element) = self.looked_at(&l.expr, std::iter::empty()) {
                    *l.expr = element;
                    return self.declare(&mut l.pat);
                }
                let given = self.kind_of(&l.expr).filter(|kind| *kind == IteratedBy::Given);
                let by_value = is_value(&l.expr);
                self.visit_expr_mut(&mut l.expr);
                self.declare(&mut l.pat);
                if let Some(kind) = given {
                    self.is_kind(&l.pat, kind);
                }
                self.parts_have_kinds(&l.pat, by_value);
                return;
            }
            Expr::Struct(s) => {
                // The rest of a struct has its type.
                if let Some(Expr::Call(c)) = s.rest.as_deref_mut()
                    && let Expr::Path(p) = &mut *c.func
                    && p.qself.is_none()
                    && let [.., of, method] = &*p.path.segments.iter().collect::<Vec<_>>()
                    && of.ident == "Default"
                    && method.ident == "default"
                {
                    let (path, method) = (&s.path, (*method).clone());
                    *p = syn::parse_quote!(#path::#method);
                }
            }
            Expr::Macro(m) => {
                let named = self.macro_(&mut m.mac);
                if !named.is_empty() {
                    *e = made(quote!({ #(#named)* #m }));
                }
                return;
            }
            // Not for a device; reported elsewhere.
            Expr::Closure(c) if !c.inputs.is_empty() => return,
            Expr::Async(_) => return,
            _ => {}
        }
        visit_mut::visit_expr_mut(self, e);
    }
}

/// `let [a, b] = [&x[i], &x[j]];` as a tuple: a device has no array of references.
fn references_in_tuple(s: &mut Stmt) {
    let Stmt::Local(l) = s else { return };
    let (Pat::Slice(pats), Some(init)) = (&l.pat, &l.init) else { return };
    let Expr::Array(values) = &*init.expr else { return };
    let (pats, values) = (&pats.elems, &values.elems);
    if init.diverge.is_none()
        && pats.len() == values.len()
        && !pats.iter().any(|p| matches!(p, Pat::Rest(_)))
        && values.iter().any(|e| matches!(e, Expr::Reference(_)))
    {
        let value = made(quote!((#values,)));
        *s = statement(quote!(let (#pats,) = #value;));
    }
}

impl Walk<'_> {
    /// Declares a pattern, some of whose names have these meanings.
    fn declare_in(&mut self, pat: &mut Pat, names: HashMap<String, super::Meaning>) {
        self.scopes.last_mut().expect("never empty").extend(names);
        self.declare(pat);
    }

    /// `let [a, b] = x;` of an array around the region, element by element.
    fn array_in_elements(&self, s: &mut Stmt) {
        let Stmt::Local(l) = s else { return };
        let (Pat::Slice(pats), Some(init)) = (&l.pat, &l.init) else { return };
        let (Expr::Path(p), None) = (strip(&init.expr), &init.diverge) else {
            return;
        };
        let Some(name) = p.path.get_ident() else { return };
        let is_part = |p: &Pat| {
            matches!(p, Pat::Rest(_))
                || matches!(p, Pat::Ident(p) if p.by_ref.is_some() || p.subpat.is_some())
        };
        if self.meaning(name).is_some() || !(self.arrays)(&name.to_string()) || pats.elems.iter().any(is_part)
        {
            return;
        }
        let reference = match super::known(&self.scopes, self.kinds, name) {
            Some(IteratedBy::Owned) => None,
            Some(IteratedBy::Shared) => Some(quote!(&)),
            _ => return,
        };
        let (span, parts) = (name.span(), &pats.elems);
        let values = (0..parts.len()).map(|k| quote_spanned!(span=> #reference #name[#k]));
        *s = statement(quote_spanned!(span=> let (#parts,) = (#(#values,)*);));
    }

    /// An arm of a `match`, which takes what is matched apart by value or in an unknown way.
    fn arm(&mut self, a: &mut syn::Arm, by_value: bool) {
        self.scoped(|w| {
            w.declare_refutable(&mut a.pat);
            w.parts_have_kinds(&a.pat, by_value);
            w.is_best(&a.pat);
            if let Pat::Guard(g) = &mut a.pat {
                w.visit_expr_mut(&mut g.guard);
            }
            w.visit_expr_mut(&mut a.body);
        });
    }
}
