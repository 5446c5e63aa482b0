//! Scopes: what the names of a body mean where the walk is.
use super::super::chain::{self, Item, IteratedBy};
use super::super::items::names_array;
use super::super::pattern::{self, Bound, Rename};
use super::{Meaning, Walk, consts, known};
use crate::iterate::names::slice_patterns::element_of;
use crate::iterate::tokens::made;
use crate::iterate::values::option::{kinds, part};
use crate::iterate::values::{array_depths, declared};
use crate::parse::aliases;
use crate::sema::syntax::forms::{behind_references, strip};
use crate::sema::syntax::names::Names;
use quote::{quote, quote_spanned};
use std::collections::HashMap;
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{Block, Expr, Ident, Pat, Stmt};

impl Walk<'_> {
    /// Whether a variable of this name would hide what something in scope still names.
    pub(super) fn hides(&self, name: &str) -> bool {
        // Those of ours are all different.
        !name.starts_with("__omp_")
            && self.scopes.iter().flat_map(HashMap::values).any(|m| match m {
                Meaning::Item(item) => names_array(item, name),
                Meaning::Closure(closure) => closure.names(name),
                Meaning::Itself(..) | Meaning::Renamed(_) | Meaning::Range { .. } => false,
            })
    }

    /// Enters the variables of a pattern; renames those that would hide an array of which elements are named.
    pub(in crate::iterate) fn declare(&mut self, pat: &mut Pat) {
        let names = pattern::names(pat);
        self.declare_names(pat, names);
    }

    /// The same for a pattern that may not fit, in which names in upper case are consts and variants.
    pub(super) fn declare_refutable(&mut self, pat: &mut Pat) {
        let mut names = pattern::names(pat);
        names.retain(|name| !name.to_string().starts_with(char::is_uppercase));
        self.declare_names(pat, names);
    }

    /// Records how the parts of a struct, a variant or a tuple are iterated that a pattern names.
    pub(super) fn parts_have_kinds(&mut self, pat: &Pat, by_value: bool) {
        if !matches!(pat, Pat::TupleStruct(_) | Pat::Struct(_) | Pat::Tuple(_)) {
            return;
        }
        // (The parts of a tuple may be references.)
        let by_value = by_value && !matches!(pat, Pat::Tuple(_));
        for name in pattern::names(pat) {
            if let Some(kind) = crate::iterate::of_part(pat, by_value, &name)
                && let Some(Meaning::Itself(_, known @ None)) =
                    self.scopes.last_mut().and_then(|scope| scope.get_mut(&name.to_string()))
            {
                *known = Some(kind);
            }
        }
    }

    fn declare_names(&mut self, pat: &mut Pat, names: Vec<Ident>) {
        let is_rest =
            |p: &&syn::PatIdent| matches!(&p.subpat, Some((_, inner)) if matches!(**inner, Pat::Rest(_)));
        let rests = Names::of_pattern(pat).bound.into_iter().filter(is_rest).map(|p| p.ident.to_string());
        let rests: Vec<String> = rests.collect();
        self.declare_all(pat, names);
        // `rest @ ..` is a slice.
        for (name, meaning) in self.scopes.last_mut().into_iter().flatten() {
            if let (true, Meaning::Itself(_, kind @ None)) = (rests.contains(name), meaning) {
                *kind = Some(IteratedBy::Shared);
            }
        }
    }

    fn declare_all(&mut self, pat: &mut Pat, names: Vec<Ident>) {
        let mut renamed = HashMap::new();
        let changing = pattern::changing(pat);
        for name in names {
            let text = name.to_string();
            let meaning = if self.hides(&text) {
                let other = self.fresh(&format!("{text}_"), name.span());
                renamed.insert(text.clone(), other.clone());
                Meaning::Renamed(other)
            } else {
                Meaning::Itself(!changing.contains(&text), None)
            };
            let scope = self.scopes.last_mut().expect("never empty");
            kinds::forget(scope, &text);
            scope.insert(text, meaning);
        }
        if !renamed.is_empty() {
            Rename(renamed).visit_pat_mut(pat);
        }
    }

    /// Records how a variable of this value is iterated.
    pub(in crate::iterate) fn has_kind(&mut self, pat: &Pat, value: &Expr) {
        // An element of a parameter, whose type is written out: `(w, p)` of `terms: &[(f32, [f32; 3])]`.
        if let (Pat::Tuple(t), Expr::Index(x)) = (pat, value)
            && let Some(syn::Type::Tuple(of)) = self.type_of_elements(&x.expr).cloned()
            && t.elems.len() == of.elems.len()
        {
            let arrays = t.elems.iter().zip(&of.elems).filter(|(_, ty)| matches!(ty, syn::Type::Array(_)));
            arrays.for_each(|(pat, _)| self.is_kind(pat, IteratedBy::Given));
            return;
        }
        match (pat, value) {
            (Pat::Tuple(t), Expr::Tuple(values)) if t.elems.len() == values.elems.len() => {
                t.elems.iter().zip(&values.elems).for_each(|(pat, value)| self.has_kind(pat, value));
            }
            // `let [a, b] = corners;` is `let a = corners[0];`, where these are values.
            (Pat::Slice(s), of) if chain::is_place(of) && self.kind_of(of) == Some(IteratedBy::Owned) => {
                if let Some(kind) = self.kind_of(&syn::parse_quote!(#of[0])) {
                    pattern::elements(s).for_each(|pat| self.is_kind(pat, kind));
                }
            }
            // `let Bounds { low, high } = bounds(i);`
            (Pat::Struct(of), Expr::Call(_) | Expr::MethodCall(_) | Expr::Struct(_)) => {
                for field in &of.fields {
                    if declared::is_array_field(&of.path, &field.member) {
                        self.is_kind(&field.pat, IteratedBy::Owned);
                    }
                }
            }
            // What branches give: an array in one of them is one in all.
            (Pat::Tuple(t), Expr::If(_) | Expr::Match(_)) => {
                let mut ends = Vec::new();
                ends_of(value, &mut ends);
                let given = ends.into_iter().filter_map(|end| match end {
                    Expr::Tuple(of) if of.elems.len() == t.elems.len() => Some(&of.elems),
                    _ => None,
                });
                let given: Vec<_> = given.collect();
                for (k, pat) in t.elems.iter().enumerate() {
                    if given.iter().any(|values| self.is_new_array(&values[k])) {
                        self.is_kind(pat, IteratedBy::Owned);
                    }
                }
            }
            // What a function returns.
            (Pat::Tuple(t), value) if self.kind_of(value) == Some(IteratedBy::Given) => {
                t.elems.iter().for_each(|pat| self.is_kind(pat, IteratedBy::Given));
            }
            (Pat::Type(t), _) => {
                for p in Names::of_pattern(&t.pat).bound {
                    let kind = crate::iterate::of_parameter(&t.pat, &t.ty, &p.ident);
                    if let Some(kind) = kind.filter(|kind| *kind != IteratedBy::Range) {
                        self.is_kind(&Pat::Ident(p.clone()), kind);
                    }
                }
            }
            _ => {
                if let Some(kind) = self.kind_of(value) {
                    self.is_kind(pat, kind);
                }
            }
        }
    }

    /// The type of the elements of a parameter, if its name means it.
    pub(super) fn type_of_elements(&self, array: &Expr) -> Option<&syn::Type> {
        let Expr::Path(p) = strip(array) else { return None };
        let name = p.path.get_ident().filter(|name| self.meaning(name).is_none())?;
        self.elements.get(&name.to_string())
    }

    /// How a variable of this value is iterated.
    pub(in crate::iterate) fn kind_of(&self, value: &Expr) -> Option<IteratedBy> {
        let is_new = matches!(value, Expr::Array(_) | Expr::Repeat(_) | Expr::Call(_) | Expr::MethodCall(_));
        if is_new && self.gives_options(value) && !self.is_pipeline(value) {
            return Some(IteratedBy::Options);
        }
        match value {
            // A copy of a table; where the const is no array, no loop iterates the variable.
            Expr::Path(p) if chain::is_table(p) => Some(IteratedBy::Given),
            Expr::Path(p) => {
                known(&self.scopes, self.kinds, p.path.get_ident()?).filter(|kind| *kind != IteratedBy::Range)
            }
            Expr::MethodCall(_) | Expr::Call(_) if self.maps_array(value) => Some(IteratedBy::Owned),
            Expr::MethodCall(m) if m.method == "fold" && m.args.len() == 2 => self.kind_of(&m.args[0]),
            Expr::MethodCall(_)
                if chain::is_array_value(value) || !self.is_pipeline(value) && !self.is_chain(value) =>
            {
                Some(IteratedBy::Given)
            }
            Expr::Call(c) => match behind_references(&c.func) {
                Expr::Path(p) if p.path.segments.last().is_some_and(|s| aliases::gives_array(&s.ident)) => {
                    Some(IteratedBy::Owned)
                }
                Expr::Path(_) => Some(IteratedBy::Given),
                // The body of a method that stands in the place of its call.
                Expr::Closure(closure) => match &closure.output {
                    syn::ReturnType::Type(_, ty) => crate::iterate::of_type(ty)
                        .filter(|kind| *kind != IteratedBy::Range)
                        .or(Some(IteratedBy::Given)),
                    syn::ReturnType::Default => None,
                },
                _ => None,
            },
            // `*b"+-*/"`
            Expr::Unary(u)
                if matches!(u.op, syn::UnOp::Deref(_))
                    && matches!(&*u.expr, Expr::Lit(syn::ExprLit { lit: syn::Lit::ByteStr(_), .. })) =>
            {
                Some(IteratedBy::Owned)
            }
            // A copy: of a slice there is none.
            Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => match self.kind_of(&u.expr)? {
                IteratedBy::Shared | IteratedBy::Exclusive => Some(IteratedBy::Owned),
                IteratedBy::Behind => Some(IteratedBy::Given),
                _ => None,
            },
            Expr::Try(t) => self.kind_of(&t.expr).filter(|kind| *kind == IteratedBy::Given),
            Expr::Match(_) | Expr::If(_) if self.gives_new_array(value) => Some(IteratedBy::Owned),
            Expr::Match(m) => self.kind_of_all(m.arms.iter().map(|arm| &*arm.body)),
            Expr::If(i) => {
                let (_, other) = i.else_branch.as_ref()?;
                let [Stmt::Expr(then, None)] = &i.then_branch.stmts[..] else { return None };
                self.kind_of_all([then, &**other].into_iter())
            }
            Expr::Block(b) if b.label.is_none() => match &b.block.stmts[..] {
                [Stmt::Expr(value, None)] => self.kind_of(value),
                _ => None,
            },
            Expr::Index(_) | Expr::Field(_) if array_depths::is_array(value) => Some(IteratedBy::Owned),
            Expr::Index(x) if !matches!(&*x.index, Expr::Range(_)) => Some(IteratedBy::Stored),
            Expr::Field(f) if matches!(f.member, syn::Member::Named(_)) => Some(IteratedBy::Stored),
            Expr::Reference(r) if array_depths::is_array(&r.expr) => {
                Some(if r.mutability.is_some() { IteratedBy::Exclusive } else { IteratedBy::Shared })
            }
            value => crate::iterate::of_value(value)
                .or_else(|| self.maps_array(value).then_some(IteratedBy::Owned)),
        }
    }

    /// Whether a branch gives an array without a name: then all do.
    fn gives_new_array(&self, value: &Expr) -> bool {
        let mut ends = Vec::new();
        ends_of(value, &mut ends);
        ends.into_iter().any(|end| self.is_new_array(end))
    }

    /// Whether an expression is an array without a name, whatever its names mean.
    fn is_new_array(&self, e: &Expr) -> bool {
        matches!(strip(e), Expr::Array(_) | Expr::Repeat(_)) && !self.gives_options(e)
    }

    /// How what one of several values gives is iterated: by value, if each is.
    fn kind_of_all<'e>(&self, values: impl Iterator<Item = &'e Expr>) -> Option<IteratedBy> {
        let mut values = values
            .filter(|e| !matches!(e, Expr::Macro(_) | Expr::Return(_) | Expr::Break(_) | Expr::Continue(_)));
        let options = |e: &Expr| {
            let kind = self.kind_of(e).filter(|kind| kind.is_owned())?;
            Some(kind == IteratedBy::Options)
        };
        let first = options(values.next()?)?;
        let alike = values.all(|e| options(e) == Some(first));
        alike.then_some(if first { IteratedBy::Options } else { IteratedBy::Given })
    }

    pub(in crate::iterate) fn is_kind(&mut self, pat: &Pat, kind: IteratedBy) {
        let pat = if let Pat::Type(t) = pat { &*t.pat } else { pat };
        // `Ok(x)` of what a function gives.
        if let Pat::TupleStruct(t) = pat
            && let (Some(inner), 1, IteratedBy::Given) = (t.elems.first(), t.elems.len(), kind)
            && (t.path.is_ident("Ok") || t.path.is_ident("Some"))
        {
            return self.is_kind(inner, kind);
        }
        if let Pat::Ident(name) = pat
            && let Some(kind) = crate::iterate::of_binding(name, kind)
            && let Some(Meaning::Itself(_, known)) =
                self.scopes.last_mut().and_then(|s| s.get_mut(&name.ident.to_string()))
        {
            *known = Some(kind);
        }
    }

    /// `let Params { dt, n, .. } = *p;` of a variable from outside, which may own what no device has: only these fields are read.
    pub(super) fn fields_of_reference(&self, l: &mut syn::Local) {
        let Some(init) = l.init.as_mut().filter(|init| init.diverge.is_none()) else { return };
        let (pat, of) = match (&l.pat, &*init.expr) {
            (Pat::Reference(r), of @ Expr::Path(_)) if r.mutability.is_none() => (&*r.pat, of),
            (pat, Expr::Unary(u)) if matches!(u.op, syn::UnOp::Deref(_)) => (pat, &*u.expr),
            _ => return,
        };
        let (Pat::Struct(s), Expr::Path(p)) = (pat, of) else { return };
        let Some(name) = p.path.get_ident().filter(|name| self.meaning(name).is_none()) else { return };
        let plain = s.fields.iter().all(|f| {
            matches!(f.member, syn::Member::Named(_))
                && matches!(&*f.pat, Pat::Ident(p) if p.by_ref.is_none() && p.subpat.is_none())
        });
        if !plain || s.fields.is_empty() || self.device_fn || name.to_string().starts_with("__omp_") {
            return;
        }
        let pats = s.fields.iter().map(|f| &f.pat);
        let values = s.fields.iter().map(|f| {
            let member = &f.member;
            made(quote_spanned!(f.member.span()=> #name.#member))
        });
        let (pats, values) = (quote!((#(#pats,)*)), made(quote!((#(#values,)*))));
        let of_fields: Stmt = syn::parse_quote!(let #pats = #values;);
        if let Stmt::Local(of_fields) = of_fields {
            *l = of_fields;
        }
    }

    /// Enters the consts of a block. They stand for their names in all of it, before a `let` of the macros too, so none can
    /// hide an array of which elements are named.
    pub(super) fn declare_consts(&mut self, b: &Block) {
        for (name, ty) in consts(b) {
            let text = name.to_string();
            if self.hides(&text) {
                self.hides_array(name);
            }
            let meaning = Meaning::Itself(true, crate::iterate::of_type(ty));
            self.scopes.last_mut().expect("never empty").insert(text, meaning);
        }
    }

    /// The names of a slice's pattern stand for its elements; `let p = item;` of a name of ours that stands for an item: the pattern's names stand for its parts.
    /// So do those of `let [a, b] = item;` where that is a `&mut`, those of `let (a, b) = &mut place;`, and those of a tuple with references that a closure gives.
    pub(super) fn item_let(&mut self, s: &mut Stmt) -> Option<Vec<Stmt>> {
        let Stmt::Local(l) = s else { return None };
        let init = l.init.as_ref().filter(|init| init.diverge.is_none())?;
        let mut stmts = Vec::new();
        let item = match &*init.expr {
            Expr::Call(c) => match element_of(c).cloned() {
                Some(mut place) => {
                    self.visit_expr_mut(&mut place);
                    Item::Element { place, mutable: true }
                }
                None => self.tuple_of_references(c, &mut stmts)?,
            },
            // A pair of items, under a name of ours.
            Expr::Tuple(_) if is_own(&l.pat) && self.seen(&init.expr).is_some() => {
                self.item_of_parts(&init.expr, &mut stmts)
            }
            // A reference to a variable of ours.
            Expr::Reference(r) if r.mutability.is_none() && is_own(&l.pat) => {
                let Expr::Path(p) = &*r.expr else { return None };
                let own = p.path.get_ident()?.to_string().starts_with("__omp_value");
                (own && self.item(&r.expr).is_none())
                    .then(|| Item::Element { place: (*r.expr).clone(), mutable: false })?
            }
            // `let (row, col) = &mut stack[top];`: one reference to the whole, of which the names are parts.
            Expr::Reference(r)
                if r.mutability.is_some() && pattern::takes_parts(&l.pat) && chain::is_place(&r.expr) =>
            {
                let (span, mut whole) = (r.and_token.span, (*init.expr).clone());
                let name = self.fresh("whole", span);
                self.visit_expr_mut(&mut whole);
                stmts.push(syn::parse_quote_spanned!(span=> let #name = #whole;));
                Item::Element { place: made(quote_spanned!(span=> #name)), mutable: true }
            }
            Expr::Path(p) => {
                let own = p.path.get_ident()?.to_string().starts_with("__omp_");
                let item = self.item(&init.expr)?;
                let parts =
                    pattern::takes_parts(&l.pat) && matches!(item, Item::Element { mutable: true, .. });
                (own || parts).then_some(item)?
            }
            _ => return None,
        };
        let mut bound = Bound::default();
        pattern::bind(&l.pat, item, &mut bound, self.sink)?;
        let scope = self.scopes.last_mut().expect("never empty");
        scope.extend(bound.items.into_iter().map(|(name, item)| (name.to_string(), Meaning::Item(item))));
        bound.lets.iter_mut().for_each(|(pat, _)| self.declare(pat));
        stmts.extend(pattern::declared(bound.lets));
        Some(stmts)
    }

    /// The item that a tuple of items and values is; the values get names.
    fn item_of_parts(&mut self, e: &Expr, stmts: &mut Vec<Stmt>) -> Item {
        match e {
            Expr::Tuple(t) => Item::Tuple(t.elems.iter().map(|e| self.item_of_parts(e, stmts)).collect()),
            e => self.item(e).unwrap_or_else(|| {
                let (name, mut value) = (self.fresh("part", e.span()), e.clone());
                self.visit_expr_mut(&mut value);
                stmts.push(syn::parse_quote_spanned!(e.span()=> let #name = #value;));
                Item::Value(made(quote_spanned!(e.span()=> #name)))
            }),
        }
    }

    pub(super) fn hides_array(&mut self, name: &Ident) {
        if self.sink.has_error_in(name) {
            return;
        }
        self.sink
            .error(
                crate::diag::Code::ItemInBody,
                name.span(),
                format!("the const `{name}` hides the `{name}` that the loop goes through"),
            )
            .help(format!("give it another name: `{name}_INNER`"));
    }

    pub(super) fn scoped(&mut self, walk: impl FnOnce(&mut Self)) {
        let open = self.scopes.len();
        self.scopes.push(HashMap::new());
        walk(self);
        // A closure's `let` opens one of its own.
        self.scopes.truncate(open);
    }

    /// Whether an expression is an array, judged by its tokens.
    pub(in crate::iterate) fn is_array(&self, e: &Expr) -> bool {
        match strip(e) {
            Expr::Path(p) => p.path.get_ident().is_some_and(|name| {
                let of_item = match self.meaning(name) {
                    Some(Meaning::Item(Item::Element { place, .. })) => !self.has_own_methods(place),
                    Some(Meaning::Item(Item::Value(value))) => part(value).is_some(),
                    _ => false,
                };
                let kind = known(&self.scopes, self.kinds, name);
                of_item || kind.is_some_and(IteratedBy::is_array) || self.is_outside_array(name)
            }),
            Expr::Index(x) => self.is_range(&x.index),
            _ => false,
        }
    }

    /// Whether a name is that of an array from outside.
    pub(in crate::iterate) fn is_outside_array(&self, name: &Ident) -> bool {
        self.meaning(name).is_none() && (self.arrays)(&name.to_string())
    }

    /// Whether an element is of a type with a name: its methods are its own.
    fn has_own_methods(&self, place: &Expr) -> bool {
        match strip(place) {
            Expr::Index(x) => match &*x.expr {
                Expr::Path(p) => p
                    .path
                    .get_ident()
                    .is_some_and(|name| self.meaning(name).is_none() && (self.named)(&name.to_string())),
                _ => false,
            },
            _ => false,
        }
    }
}

/// Whether a pattern is a name of the macro's own.
fn is_own(pat: &Pat) -> bool {
    pattern::plain_name(pat).is_some_and(|name| name.to_string().starts_with("__omp_"))
}

/// Whether a pattern takes an expression apart by value for sure.
pub(super) fn is_value(e: &Expr) -> bool {
    match e {
        Expr::Unary(u) => matches!(u.op, syn::UnOp::Deref(_)),
        Expr::Call(c) => matches!(&*c.func, Expr::Path(_)),
        // Arrays have no references as elements.
        Expr::Index(x) => !matches!(&*x.index, Expr::Range(_)),
        _ => false,
    }
}

/// The expressions one of which is a value.
fn ends_of<'e>(value: &'e Expr, ends: &mut Vec<&'e Expr>) {
    let mut last = |block: &'e Block| {
        if let Some(Stmt::Expr(e, None)) = block.stmts.last() {
            ends_of(e, ends);
        }
    };
    match strip(value) {
        Expr::If(i) => {
            last(&i.then_branch);
            if let Some((_, other)) = &i.else_branch {
                ends_of(other, ends);
            }
        }
        Expr::Match(m) => m.arms.iter().for_each(|arm| ends_of(&arm.body, ends)),
        Expr::Block(b) if b.label.is_none() => last(&b.block),
        e => ends.push(e),
    }
}
