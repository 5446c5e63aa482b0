//! The body of the host's parallel loop: the user's, with subscripts of mapped arrays made safe for several threads.
//!
//! * `y[i].x[j]` on a written array: the address of element `i` from the view, the rest of the place from there, and
//!   a reference to that place alone: `*{ let p = view.at(i); let j1 = j; unsafe { &mut (*p).x[j1] } }`. The user's
//!   expressions stand outside of `unsafe`.
//! * `x[i]` on an array that is only read: as it is; `*view.at(i)` where the launch proves the index.
//! * Fields of outer variables that are taken by copy, reduced or written (`self.gain`) become locals. Plain
//!   variables are shadowed by their copies instead, so that the user's scoping holds.
use super::claims;
use super::subscripts::each_subscript;
use crate::glue::hidden;
use crate::lower::{CapturedReduction, Lowered};
use crate::marks::{NestId, Unmark, marked, take};
use crate::parse::change_arguments;
use crate::parse::tokens::leaves;
use crate::sema::accesses::atomic;
use crate::sema::accesses::atomic::AccessMut;
use crate::sema::reduction::updates::is_assignment;
use crate::sema::syntax::forms::{dereferenced, strip};
use crate::sema::syntax::place;
use omp_ir::analysis::bounds::AccessClass;
use omp_ir::ids::AccessId;
use proc_macro2::{Delimiter, Ident, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use std::collections::HashMap;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprIndex, Member};

/// The facts about one subscript.
#[derive(Clone, Copy, Default)]
struct Subscript {
    /// The template has it.
    reached: bool,
    /// It is the first on this mapped array.
    array: Option<usize>,
    /// The place that it belongs to is stored to.
    write: bool,
    /// The launch proves it before the parallel loop runs.
    proved: bool,
}

/// Rewrites loop bodies of one region.
pub(super) struct Rewrite {
    subscripts: Vec<Subscript>,
    /// The view of each array: `__v0` where written, `__x0` where only read.
    views: Vec<(Ident, bool)>,
    /// Places with fields, and the locals that stand for them.
    fields: HashMap<String, Ident>,
    /// Arrays with fields that are only read, and the references that stand for them.
    referred: HashMap<String, Ident>,
    /// Arrays that are plain variables, by name.
    plain: HashMap<String, usize>,
    /// Scalars that are accessed atomically, by key.
    scalars: HashMap<String, usize>,
    /// By array, whether elements of it are claimed before they are touched; its key.
    claimed: Vec<(bool, String)>,
    /// Arrays whose atomic updates may go to a thread's own copies.
    copied: Vec<usize>,
}

impl Rewrite {
    /// `classes`: what macro time knows of the subscripts; `fields`: the locals that stand for captured places which
    /// are no plain variables.
    pub(in crate::glue) fn new(
        lowered: &Lowered,
        classes: &[AccessClass],
        views: &[Ident],
        fields: HashMap<String, Ident>,
    ) -> Self {
        let template = &lowered.template;
        let mut subscripts: Vec<Subscript> = classes
            .iter()
            .zip(&template.code.accesses)
            .map(|(class, access)| Subscript {
                reached: false,
                array: None,
                write: access.write,
                proved: class.affine && class.unconditional,
            })
            .collect();
        each_subscript(&template.code, |access, array| {
            if let Some(s) = subscripts.get_mut(access.index()) {
                s.reached = true;
                s.array = s.array.or(array);
            }
        });
        let arrays = &lowered.captures.arrays;
        let mut fields = fields;
        let (mut plain, mut scalars) = (HashMap::new(), HashMap::new());
        for (i, a) in arrays.iter().enumerate() {
            if a.scalar {
                scalars.insert(a.key.clone(), i);
            } else if matches!(a.place, Expr::Path(_)) {
                plain.insert(a.key.clone(), i);
            } else if a.written {
                fields.insert(a.key.clone(), views[i].clone());
            }
        }
        let views = views.iter().cloned().zip(arrays.iter().map(|a| a.written)).collect();
        let (referred, claimed, copied) = (HashMap::new(), Vec::new(), Vec::new());
        Self { subscripts, views, fields, referred, plain, scalars, claimed, copied }
    }

    /// Reads these arrays through references.
    pub(super) fn referring(mut self, lowered: &Lowered, arrays: &[(usize, Ident)]) -> Self {
        let key = |(i, name): &(usize, Ident)| (lowered.captures.arrays[*i].key.clone(), name.clone());
        self.referred = arrays.iter().map(key).collect();
        self
    }

    /// Lets iterations claim the elements of these arrays.
    pub(super) fn claiming(mut self, lowered: &Lowered, arrays: &[usize]) -> Self {
        let all = lowered.captures.arrays.iter().enumerate();
        self.claimed = all.map(|(i, a)| (arrays.contains(&i), a.key.clone())).collect();
        self
    }

    /// Lets atomic updates of these arrays go to copies.
    pub(super) fn updating(mut self, items: &[CapturedReduction]) -> Self {
        self.copied = items.iter().filter_map(|item| item.array).collect();
        self
    }

    fn is_claimed(&self, array: usize) -> bool {
        self.claimed.get(array).is_some_and(|claimed| claimed.0)
    }

    /// Rewrites a block.
    pub(in crate::glue) fn block(&mut self, block: &mut syn::Block) {
        self.visit_block_mut(block);
    }

    /// Rewrites an expression.
    pub(in crate::glue) fn expr(&mut self, e: &mut Expr) {
        self.visit_expr_mut(e);
    }

    /// A mapped array itself that a view stands for, however it is dereferenced.
    fn of_array(&self, e: &Expr) -> bool {
        let Some(place) = place::of(e).filter(|p| p.subscripts.is_empty()) else { return false };
        let key = place.key.trim_start_matches('*');
        self.plain.get(key).is_some_and(|i| self.views[*i].1)
    }

    fn subscript(&self, x: &ExprIndex) -> Subscript {
        let known = marked::<AccessId>(&x.attrs)
            .and_then(|id| self.subscripts.get(id.index()))
            .copied()
            .unwrap_or_default();
        if known.reached {
            return known;
        }
        // A subscript in unreachable code is not in the template: it is identified by the array's name.
        let by_name = match dereferenced(&x.expr) {
            Expr::Path(p) => p.path.get_ident().and_then(|i| self.plain.get(&i.to_string())).copied(),
            _ => None,
        };
        Subscript { array: by_name.filter(|i| self.views[*i].1), ..known }
    }

    /// A place on a mapped array, as the expression that stands for it.
    fn array_place(&mut self, e: &Expr, mut access: Access) -> Option<TokenStream> {
        let mut steps = Vec::new();
        let mut write = false;
        let (root, array, proved) = self.root(e, &mut steps, &mut write)?;
        let (view, written) = self.views[array].clone();
        // If nothing is written, only a proved index is worth rewriting. The test comes before the walk through the index: two walks at
        // each depth would take exponential time.
        if !written && !proved {
            return None;
        }
        let (span, ends) = (root.span(), ends(e));
        let mut index = (*root.index).clone();
        let writes = self.subscript(root).write;
        self.visit_expr_mut(&mut index);
        if self.is_claimed(array) {
            claims::wrap(array, (&mut index, root.expr.span()), writes);
        }
        if write && access == Access::Value {
            access = Access::Store;
        }
        if !written {
            return Some(self.read_place(&view, root, index, steps));
        }
        let at = Ident::new(if proved { "at" } else { "at_checked" }, span);
        let pointer = hidden("__p");
        let mut lets = quote_spanned!(span=> let #pointer = #view.#at(#index););
        // An index beyond the end of a fixed array is reported at the start of the user's place.
        let mut place = group(Delimiter::Parenthesis, code!(*#pointer), ends.0);
        let whole = steps.is_empty();
        for (k, step) in steps.into_iter().rev().enumerate() {
            match step {
                Step::Field(member) => place = code!(#place.#member),
                Step::Index(mut index, bracket) => {
                    self.visit_expr_mut(&mut index);
                    let name = hidden(&format!("__j{k}"));
                    lets.extend(quote_spanned!(index.span()=> let #name = #index;));
                    let index = group(Delimiter::Bracket, code!(#name), bracket);
                    place = code!(#place #index);
                }
            }
        }
        let reference = match access {
            Access::Value if whole => code!(&#place),
            Access::Store if whole => code!(&mut #place),
            // (rustc reports references to fields of packed structs at the struct.)
            Access::Value => code!(&*(&raw const #place)),
            Access::Store => code!(&mut *(&raw mut #place)),
            Access::Address => return Some(code!({ #lets unsafe { &raw mut #place } })),
        };
        let star = star(ends.0);
        let block = group(Delimiter::Brace, code!(#lets unsafe { #reference }), ends.1);
        Some(quote::quote!(#star #block))
    }

    /// A place on an array that is only read, whose index is proved.
    fn read_place(&mut self, view: &Ident, root: &ExprIndex, index: Expr, steps: Vec<Step>) -> TokenStream {
        let ends = ends(&Expr::Index(root.clone()));
        let star = star(ends.0);
        let block = group(Delimiter::Brace, code!(#view.at(#index)), ends.1);
        let mut place = quote::quote!(#star #block);
        if !steps.is_empty() {
            place = group(Delimiter::Parenthesis, place, ends.0);
        }
        for step in steps.into_iter().rev() {
            place = match step {
                Step::Field(member) => code!(#place.#member),
                Step::Index(mut index, bracket) => {
                    self.visit_expr_mut(&mut index);
                    let index = group(Delimiter::Bracket, index.into_token_stream(), bracket);
                    code!(#place #index)
                }
            };
        }
        place
    }

    /// Walks from a place to the first subscript on a mapped array.
    fn root<'e>(
        &self,
        e: &'e Expr,
        steps: &mut Vec<Step>,
        write: &mut bool,
    ) -> Option<(&'e ExprIndex, usize, bool)> {
        match strip(e) {
            Expr::Field(f) => {
                steps.push(Step::Field(f.member.clone()));
                self.root(&f.base, steps, write)
            }
            Expr::Index(x) if !matches!(dereferenced(&x.index), Expr::Range(_)) => {
                let s = self.subscript(x);
                *write |= s.write;
                if let Some(array) = s.array {
                    return Some((x, array, s.proved));
                }
                steps.push(Step::Index((*x.index).clone(), x.bracket_token.span.join()));
                self.root(&x.expr, steps, write)
            }
            _ => None,
        }
    }

    /// An access under `#[omp::atomic]`.
    fn atomic(&mut self, e: &mut Expr) -> Option<TokenStream> {
        let p = crate::glue::private();
        Some(match atomic::of_mut(e)? {
            AccessMut::Read(place) => match self.address(place) {
                Some(address) => code!({ let __p = #address; unsafe { #p::atomic_read(__p) } }),
                None => {
                    // Nothing writes it.
                    self.visit_expr_mut(place);
                    place.to_token_stream()
                }
            },
            AccessMut::Change(after, operands, place, new) => {
                operands.iter_mut().for_each(|s| self.visit_stmt_mut(s));
                let array = self.accessed(place);
                let address = self.address(place)?;
                let update = match array.filter(|array| self.copied.contains(array)) {
                    Some(_) => code!(#p::copied_update(__shared, __p, __f)),
                    None => code!(#p::atomic_update(__p, __f)),
                };
                self.visit_expr_mut(new);
                let old = atomic::old_name();
                let old = Ident::new(&old.to_string(), hidden("__p").span().located_at(place.span()));
                let (pointer, value) = (hidden("__p"), if after { code!(1) } else { code!(0) });
                code!({
                    #(#operands)*
                    let #pointer = #address;
                    let __f = #p::updating(#pointer, |#old| #new);
                    unsafe { #update }.#value
                })
            }
        })
    }

    /// The array that is accessed atomically.
    fn accessed(&self, place: &Expr) -> Option<usize> {
        let scalar = key_of(place).and_then(|k| self.scalars.get(&k)).copied();
        scalar.or_else(|| Some(self.root(place, &mut Vec::new(), &mut false)?.1))
    }

    /// The address of what is accessed atomically; `None` if nothing writes it.
    fn address(&mut self, place: &Expr) -> Option<TokenStream> {
        if let Some(i) = key_of(place).and_then(|k| self.scalars.get(&k)) {
            let (view, written) = &self.views[*i];
            return written.then(|| code!(#view.at_checked(0)));
        }
        let written = self.root(place, &mut Vec::new(), &mut false).is_some_and(|(_, a, _)| self.views[a].1);
        if written { self.array_place(place, Access::Address) } else { None }
    }

    fn store(&mut self, e: &mut Expr) {
        if let Some(tokens) = self.array_place(e, Access::Store) {
            *e = Expr::Verbatim(tokens);
        } else {
            self.visit_expr_mut(e);
        }
    }
}

/// Delimiters with the user's span: a panic of the operator next to them (division, overflow) then shows the user's place,
/// not the directive's.
pub(in crate::glue) fn group(delimiter: Delimiter, inner: TokenStream, span: Span) -> TokenStream {
    leaves::group(delimiter, inner, span).into()
}

/// Parentheses around what stands for a place, where something is taken of it. Elsewhere they would be more than a lint
/// bears, and their span, if not the user's, that of an operator next to them.
fn receiver(e: &mut Expr) {
    let Expr::Verbatim(tokens) = e else { return };
    let first = tokens.clone().into_iter().next();
    if let Some(TokenTree::Punct(star)) =
        first.filter(|t| matches!(t, TokenTree::Punct(p) if p.as_char() == '*'))
    {
        *tokens = group(Delimiter::Parenthesis, std::mem::take(tokens), star.span());
    }
}

/// The expression for an element that is an argument. For a value behind `*`, rustc would give other advice if the function takes a
/// reference.
fn argument(e: &mut Expr) {
    let Expr::Verbatim(tokens) = e else { return };
    let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let [TokenTree::Punct(star), TokenTree::Group(block)] = &trees[..] else { return };
    if star.as_char() != '*' {
        return;
    }
    let index = group(Delimiter::Bracket, code!(0), block.span());
    // (`&*`, or a lint would look at the braces.)
    let found = code!(::omp::__private::core::array::from_ref(&*#block));
    let found = group(Delimiter::Brace, found, star.span());
    *tokens = quote::quote!(#found #index);
}

/// `*` with the user's span.
fn star(span: Span) -> Punct {
    let mut star = Punct::new('*', Spacing::Alone);
    star.set_span(span);
    star
}

/// The spans of the first and last token of what the user wrote. What stands for it begins and ends there, so that
/// rustc's errors about it are those about the typing copy, word for word, and shown once.
pub(in crate::glue) fn ends(e: &Expr) -> (Span, Span) {
    let mut plain = e.clone();
    Unmark.visit_expr_mut(&mut plain);
    let mut trees = plain.into_token_stream().into_iter();
    let first = trees.next().map_or_else(Span::call_site, |t| t.span());
    (first, trees.last().map_or(first, |t| t.span()))
}

/// The kind of access to a place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    Value,
    Store,
    /// For an atomic access: no reference is made.
    Address,
}

/// A step of a place.
#[allow(clippy::large_enum_variant)] // there are at most a few of them
enum Step {
    Field(Member),
    /// With the span of its brackets.
    Index(Expr, Span),
}

impl VisitMut for Rewrite {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        if let Some(tokens) = self.atomic(e) {
            *e = Expr::Verbatim(tokens);
            return;
        }
        match e {
            Expr::Index(_) | Expr::Field(_) => {
                if let Some(tokens) = self.array_place(e, Access::Value) {
                    *e = Expr::Verbatim(tokens);
                    return;
                }
                let key = captured_key(e);
                if let Some(local) = key.as_ref().and_then(|k| self.fields.get(k)) {
                    let local = Ident::new(&local.to_string(), local.span().located_at(e.span()));
                    *e = Expr::Verbatim(local.into_token_stream());
                    return;
                }
                if let Some(reference) = key.and_then(|k| self.referred.get(&k)) {
                    *e = Expr::Verbatim(quote_spanned!(e.span()=> (*#reference)));
                    return;
                }
            }
            Expr::Path(p) => {
                // A reference: what it refers to has a local.
                let name = p.path.get_ident().map(|name| format!("*{name}"));
                if let Some(local) = name.and_then(|key| self.fields.get(&key)) {
                    *e = Expr::Verbatim(quote_spanned!(e.span()=> (&#local)));
                    return;
                }
            }
            Expr::Unary(syn::ExprUnary { op: syn::UnOp::Deref(_), .. }) => {
                if let Some(local) = captured_key(e).and_then(|k| self.fields.get(&k)) {
                    *e = Expr::Verbatim(local.to_token_stream());
                    return;
                }
            }
            Expr::Assign(a) => {
                self.visit_expr_mut(&mut a.right);
                if let Expr::Tuple(t) = &mut *a.left {
                    t.elems.iter_mut().for_each(|e| self.store(e));
                } else {
                    self.store(&mut a.left);
                }
                return;
            }
            Expr::Binary(b) if is_assignment(&b.op) => {
                self.visit_expr_mut(&mut b.right);
                self.store(&mut b.left);
                return;
            }
            Expr::Reference(r) if r.mutability.is_some() => {
                self.store(&mut r.expr);
                return;
            }
            Expr::ForLoop(f) => {
                take::<NestId>(&mut f.attrs);
                visit_mut::visit_expr_for_loop_mut(self, f);
                return;
            }
            Expr::MethodCall(m)
                if self.of_array(&m.receiver) && dereferenced(&m.receiver) != &*m.receiver =>
            {
                // A view is not dereferenced, and has the methods that arrays may be called with.
                *m.receiver = dereferenced(&m.receiver).clone();
                self.visit_expr_mut(e);
                return;
            }
            Expr::MethodCall(m) if m.method == "swap" => {
                let place = place::of(&m.receiver).filter(|p| p.subscripts.is_empty());
                let array = place.and_then(|p| {
                    self.claimed.iter().position(|(is, key)| *is && key.trim_start_matches('*') == p.key)
                });
                let at = m.receiver.span();
                self.store(&mut m.receiver);
                receiver(&mut m.receiver);
                for a in &mut m.args {
                    self.visit_expr_mut(a);
                    if let Some(array) = array {
                        claims::wrap(array, (a, at), true);
                    }
                }
                return;
            }
            _ => {}
        }
        let mut access = None;
        if let Expr::Index(x) = e {
            let subscript = (!self.claimed.is_empty()).then(|| self.subscript(x));
            access = subscript.and_then(|s| s.array.filter(|a| self.is_claimed(*a)).map(|a| (a, s.write)));
            take::<AccessId>(&mut x.attrs);
        }
        visit_mut::visit_expr_mut(self, e);
        if let (Expr::Index(x), Some((array, writes))) = (&mut *e, access) {
            let at = x.expr.span();
            claims::wrap(array, (&mut x.index, at), writes);
        }
        match e {
            Expr::Field(f) => receiver(&mut f.base),
            Expr::Index(x) => receiver(&mut x.expr),
            Expr::MethodCall(m) => receiver(&mut m.receiver),
            Expr::Call(c) => {
                receiver(&mut c.func);
                c.args.iter_mut().for_each(argument);
            }
            Expr::Try(t) => receiver(&mut t.expr),
            _ => {}
        }
    }

    /// The listed macros take expressions.
    fn visit_macro_mut(&mut self, m: &mut syn::Macro) {
        change_arguments(m, |e| self.expr(e));
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
    fn visit_type_mut(&mut self, _: &mut syn::Type) {}
    fn visit_pat_mut(&mut self, p: &mut syn::Pat) {
        if let syn::Pat::Guard(g) = p {
            self.visit_expr_mut(&mut g.guard);
        }
    }
}

/// `self.v.0`, if it is a chain of fields.
fn chain_key(e: &Expr) -> Option<String> {
    match strip(e) {
        Expr::Path(p) => p.path.get_ident().map(ToString::to_string),
        Expr::Field(f) => Some(format!("{}.{}", chain_key(&f.base)?, f.member.to_token_stream())),
        _ => None,
    }
}

/// The key under which a place is captured (see `Chain`): `*g`, `self.k`, `*g.k` of `(**g).k`. Each form that is captured
/// has to be found here, or the loop would read what the launch has not seen.
fn captured_key(e: &Expr) -> Option<String> {
    fn parts(e: &Expr) -> Option<(String, bool)> {
        match strip(e) {
            Expr::Field(f) => {
                let (base, deref) = parts(&f.base)?;
                Some((format!("{base}.{}", f.member.to_token_stream()), deref))
            }
            Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => {
                let (key, deref) = parts(&u.expr)?;
                let of_root = !key.contains('.');
                Some((key, deref || of_root))
            }
            e => Some((chain_key(e)?, false)),
        }
    }
    parts(e).map(|(key, deref)| if deref { format!("*{key}") } else { key })
}

/// The key of a scalar, dereferenced or not.
fn key_of(e: &Expr) -> Option<String> {
    match strip(e) {
        Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => chain_key(&u.expr),
        e => chain_key(e),
    }
}

/// The variable that a captured place starts from.
pub(super) fn base_of(place: &Expr) -> Option<&Ident> {
    match strip(place) {
        Expr::Path(p) => p.path.get_ident(),
        Expr::Field(f) => base_of(&f.base),
        Expr::Unary(u) => base_of(&u.expr),
        _ => None,
    }
}

#[cfg(test)]
#[path = "rewrite_tests.rs"]
mod tests;
