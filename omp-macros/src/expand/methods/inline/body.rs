//! The body of a method that replaces a call: as a value, as an iterator, or as a place.
use super::expressions::{Changing, has_effects, is_place, is_pure, is_pure_let, made};
use crate::expand::methods::words;
use crate::iterate::{hidden, is_adaptor, parentheses, substituted};
use crate::parse::tokens::source::OF_CHAIN;
use crate::sema::syntax::forms::{behind_references, strip, strip_mut};
use crate::sema::syntax::free_numbers;
use crate::sema::syntax::items::passes_on;
use crate::sema::syntax::names::{bound, bound_in};
use crate::sema::syntax::search::Code;
use crate::sema::syntax::{place, search};
use crate::visits::{self, Node};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Block, Expr, ExprMethodCall, Local, Pat, Stmt, Type, UnOp};

/// Why a body can't stand in the place of a call.
pub(super) struct Why {
    pub(super) what: String,
    pub(super) help: String,
}

impl Why {
    pub(super) fn new(what: impl Into<String>, help: impl Into<String>) -> Self {
        Self { what: what.into(), help: help.into() }
    }
}

/// A body with the receiver in it.
pub(super) struct Body {
    pub(super) block: Block,
    pub(super) params: Vec<TokenStream>,
    pub(super) args: Vec<Expr>,
    /// Binds the closures among its arguments.
    pub(super) closures: Vec<Stmt>,
    pub(super) changing: Rc<Changing>,
    /// It is of a generic type and takes closures, so that rustc must know the types of the arguments before it looks at the body; or it
    /// writes an array, which the arguments may read.
    pub(super) arguments_first: bool,
    pub(super) span: Span,
}

impl Body {
    /// The body as a value of this type.
    pub(super) fn value(&self, result: &TokenStream) -> Result<Expr, Why> {
        if let ([Stmt::Expr(e, None)], []) = (&self.block.stmts[..], &self.params[..])
            && is_place(e)
        {
            return Ok(syn::parse_quote!((#e)));
        }
        let (params, args, block) = (&self.params, &self.args, &self.block);
        let typed: Option<Vec<_>> = params
            .iter()
            .map(|param| match syn::parse2(param.clone()) {
                Ok(syn::FnArg::Typed(arg)) => Some((arg.pat, arg.ty)),
                _ => None,
            })
            .collect();
        let call = match typed.filter(|typed| self.arguments_first && !typed.is_empty()) {
            Some(typed) => {
                let (pats, types): (Vec<_>, Vec<_>) = typed.into_iter().unzip();
                quote_spanned! {self.span=> ({
                    let (#(#pats,)*): (#(#types,)*) = (#(#args,)*);
                    (|| #result #block)()
                })}
            }
            None => quote_spanned!(self.span=> (|#(#params),*| #result #block)(#(#args),*)),
        };
        if self.closures.is_empty() {
            return Ok(made(call));
        }
        let closures = &self.closures;
        Ok(made(parentheses(quote_spanned!(self.span=> { #(#closures)* #call }))))
    }

    /// The body as the iterator that it returns, after its bindings: `{ let …; x.iter()… }`. Methods that are called on the iterator go
    /// into that block.
    pub(super) fn chain(mut self, item: Option<&Type>, number: usize) -> Result<Expr, Why> {
        let mut last = self.block.stmts.pop();
        // An iterator that another function returned.
        while let Some(Stmt::Expr(e, None)) = &last
            && let Some((before, items)) = of_chain(e)
        {
            self.block.stmts.extend(before);
            last = Some(Stmt::Expr(items, None));
        }
        let Some(Stmt::Expr(items, None)) =
            last.filter(|last| matches!(last, Stmt::Expr(e, None) if makes_items(e)))
        else {
            return Err(Why::new(
                "it returns an iterator that is no chain of calls",
                "let its last expression be `x[a..b].iter()` with its adaptors",
            ));
        };
        let mut items = items;
        if let Some(item) = item
            && let Some(start) = pin(&mut items, item, (number, self.span))
        {
            self.block.stmts.push(start);
        }
        // (A method of a range is one of what is in parentheses.)
        let items =
            if matches!(items, Expr::Range(_)) { made(parentheses(items.to_token_stream())) } else { items };
        let is_let = |s: &Stmt| matches!(s, Stmt::Local(l) if l.init.as_ref().is_some_and(|init| init.diverge.is_none()));
        let leaves = leaves(&self.block.stmts[..]) || leaves(&items);
        if !self.closures.is_empty() || leaves || !self.block.stmts.iter().all(is_let) {
            return Err(Why::new(
                "it returns an iterator, and does more than to bind names before that",
                "let it be `let` statements and `x[a..b].iter()` with its adaptors",
            ));
        }
        let bind = self
            .params
            .iter()
            .zip(&self.args)
            .map(|(param, arg)| quote_spanned!(self.span=> let #param = #arg;));
        let stmts = &self.block.stmts;
        if self.params.is_empty() && stmts.is_empty() {
            return Ok(items);
        }
        Ok(made(quote_spanned!(self.span=> { #(#bind)* #(#stmts)* #items })))
    }

    /// The body as the place that it returns a reference to.
    pub(super) fn place(mut self) -> Result<Expr, Why> {
        if !self.closures.is_empty() {
            return Err(Why::new(
                "it takes a closure and returns a reference",
                "let it return a subscript, and take the place where it is called",
            ));
        }
        self.put_range();
        let Some(Stmt::Expr(Expr::Reference(mut r), None)) = self.block.stmts.pop() else {
            return Err(Why::new(
                "it returns a reference that is no `&self.data[…]`",
                "let its last expression be `&self.data[…]` or `&mut self.data[…]`, an element or a range",
            ));
        };
        self.put_places(&mut r.expr);
        crate::iterate::join(&mut r.expr);
        if let Some(root) = place::root(&r.expr)
            && (self.params.iter().any(|p| names_in(p).contains(&root.to_string()))
                || bound_in(&self.block).contains(&root.to_string()))
        {
            return Err(Why::new(
                format!("`{root}` is a value, and the place that is returned is a part of it"),
                format!("give the array a name before the call: `let {root} = …;`"),
            ));
        }
        let mut brackets = 0;
        self.subscripts(&mut r.expr, &mut brackets)?;
        let pure = self.block.stmts.iter().all(|s| is_pure_let(s, &self.changing))
            && self.args.iter().all(|arg| is_pure(arg, &self.changing));
        // What is left out must not fail either.
        let plain = |e: &Expr| matches!(strip(e), Expr::Path(_) | Expr::Lit(_) | Expr::Field(_));
        let left_out = brackets == 0 && !(self.block.stmts.is_empty() && self.args.iter().all(plain));
        if left_out {
            return Err(Why::new(
                "the place that it returns does not depend on the statements before it",
                "write that before the call",
            ));
        }
        if brackets > 1 && !pure {
            return Err(Why::new(
                "its arguments would be computed more than once",
                "give it variables: `let i = …;` before the call",
            ));
        }
        Ok(Expr::Reference(r))
    }

    /// `let data = &self.data; &data[a..b]` as `&self.data[a..b]`: the name ends with the body.
    fn put_places(&mut self, e: &mut Expr) {
        while let Some(root) = place::root(e).cloned() {
            one_by_one(&mut self.block.stmts, &root);
            let binds =
                |s: &Stmt| matches!(s, Stmt::Local(l) if bound(&l.pat).iter().any(|name| root == name));
            let Some(at) = self.block.stmts.iter().rposition(binds) else { return };
            let Stmt::Local(l) = &self.block.stmts[at] else { return };
            let (Pat::Ident(_), Some(init)) = (&l.pat, &l.init) else { return };
            let of = match strip(&init.expr) {
                Expr::Reference(r) => &*r.expr,
                other => other,
            };
            if place::root(of).is_none() || init.diverge.is_some() {
                return;
            }
            let whole = match strip(of) {
                Expr::Index(x) => matches!(strip(&x.index), Expr::Range(_)),
                _ => true,
            };
            // (An element that is an array is a copy, without a `&`.)
            if !whole && !matches!(strip(&init.expr), Expr::Reference(_)) {
                return;
            }
            let of = of.clone();
            let names = HashMap::from([(root.to_string(), of.to_token_stream())]);
            let Ok(put) = syn::parse2(substituted(e.to_token_stream(), &names)) else { return };
            // A later statement may use the name, too.
            let used = self.block.stmts[at + 1..]
                .iter()
                .any(|s| words(s.to_token_stream()).contains(&root.to_string()));
            if !used {
                self.block.stmts.remove(at);
            }
            *e = put;
        }
    }

    /// `let range = a..b; &self.data[range]` as `&self.data[a..b]`.
    fn put_range(&mut self) {
        let [.., Stmt::Local(l), Stmt::Expr(Expr::Reference(r), None)] = &mut self.block.stmts[..] else {
            return;
        };
        let Expr::Index(x) = &mut *r.expr else { return };
        let (Pat::Ident(name), Some(init), Expr::Path(index)) = (&l.pat, &l.init, &*x.index) else { return };
        let by_value = name.by_ref.is_none() && name.subpat.is_none() && init.diverge.is_none();
        if by_value
            && (matches!(&*init.expr, Expr::Range(_)) || range_of(&init.expr, &self.changing).is_some())
            && index.path.is_ident(&name.ident)
            && !words(x.expr.to_token_stream()).contains(&name.ident.to_string())
        {
            x.index = init.expr.clone();
            let at = self.block.stmts.len() - 2;
            self.block.stmts.remove(at);
        }
    }

    fn subscripts(&self, e: &mut Expr, brackets: &mut usize) -> Result<(), Why> {
        match strip_mut(e) {
            Expr::Field(f) => self.subscripts(&mut f.base, brackets),
            Expr::Path(_) => Ok(()),
            Expr::Unary(u) if matches!(u.op, UnOp::Deref(_)) => Ok(()),
            Expr::Index(x) => {
                match &mut *x.index {
                    Expr::Range(r) => {
                        for end in [&mut r.start, &mut r.end].into_iter().flatten() {
                            **end = self.number(end, brackets);
                        }
                    }
                    index => *index = self.number(index, brackets),
                }
                self.subscripts(&mut x.expr, brackets)
            }
            _ => Err(Why::new(
                "it returns a reference to a value",
                "let its last expression be `&self.data[…]` or `&mut self.data[…]`",
            )),
        }
    }

    /// A subscript, with what stands before it.
    fn number(&self, e: &Expr, brackets: &mut usize) -> Expr {
        let pure = self.block.stmts.is_empty() && self.args.iter().all(|arg| is_pure(arg, &self.changing));
        if (self.params.is_empty() && self.block.stmts.is_empty()) || (matches!(e, Expr::Lit(_)) && pure) {
            return e.clone();
        }
        *brackets += 1;
        let (params, args, before) = (&self.params, &self.args, &self.block.stmts);
        made(quote_spanned! {self.span=>
            (|#(#params),*| -> ::omp::__private::core::primitive::usize { #(#before)* #e })(#(#args),*)
        })
    }
}

/// Whether the items of an iterator are those of a range.
fn is_of_range(e: &Expr) -> bool {
    match e {
        Expr::Paren(p) => is_of_range(&p.expr),
        Expr::MethodCall(m) => passes_on(m) && is_of_range(&m.receiver),
        e => matches!(e, Expr::Range(_)),
    }
}

/// Writes the type of an iterator's items where rustc would take it from the function's result: in the last closure that makes them, or at
/// the range that they come from. A statement that is to stand before, if the range's start is no literal.
fn pin(e: &mut Expr, item: &Type, (number, span): (usize, Span)) -> Option<Stmt> {
    match e {
        Expr::Paren(p) => pin(&mut p.expr, item, (number, span)),
        Expr::MethodCall(m) if passes_on(m) => pin(&mut m.receiver, item, (number, span)),
        Expr::MethodCall(m) if m.method == "map" => {
            if let Some(Expr::Closure(c)) = m.args.first_mut()
                && matches!(c.output, syn::ReturnType::Default)
            {
                let body = &c.body;
                c.output = syn::parse_quote_spanned!(span=> -> #item);
                c.body = syn::parse_quote_spanned!(span=> { #body });
            }
            None
        }
        Expr::Range(r) if matches!(item, Type::Path(_)) => {
            let suffixed = |end: &mut Option<Box<Expr>>| {
                if let Some(Expr::Lit(l)) = end.as_deref_mut()
                    && let syn::Lit::Int(n) = &l.lit
                {
                    if n.suffix().is_empty() {
                        let text = format!("{}{}", n.base10_digits(), item.to_token_stream());
                        l.lit = syn::Lit::Int(syn::LitInt::new(&text, n.span()));
                    }
                    return true;
                }
                false
            };
            if suffixed(&mut r.start) || suffixed(&mut r.end) {
                return None;
            }
            let start = r.start.as_mut()?;
            let name = Ident::new(&format!("{OF_CHAIN}{number}_start"), span);
            let stmt = syn::parse_quote_spanned!(span=> let #name: #item = #start;);
            **start = syn::parse_quote_spanned!(span=> #name);
            Some(stmt)
        }
        _ => None,
    }
}

/// Gives the items of an iterator that a function takes the type of the parameter, if rustc may have to take it from there.
pub(super) fn of_type(items: &mut Expr, item: &Type) {
    let mut unknown =
        matches!(behind_references(items), Expr::Path(_)) || !free_numbers::of(&mut items.clone()).is_empty();
    // (A closure, or an iterator, by its name.)
    const GIVE: [&str; 6] = ["map", "filter_map", "flat_map", "map_while", "zip", "chain"];
    unknown |= search::any(&*items, |e| {
        matches!(e, Expr::MethodCall(m) if GIVE.iter().any(|name| m.method == name)
            && matches!(m.args.first(), Some(Expr::Path(_))))
    });
    if !unknown {
        return;
    }
    let span = items.span();
    let mut range = items.clone();
    if is_of_range(items) && matches!(item, Type::Path(_)) && pin(&mut range, item, (0, span)).is_none() {
        *items = range;
        return;
    }
    let same = hidden("__omp_item", span);
    let receiver = match &*items {
        Expr::Range(_) => parentheses(items.to_token_stream()),
        other => other.to_token_stream(),
    };
    *items = made(quote_spanned!(span=> #receiver.map(|#same| -> #item { #same })));
}

/// The names that a parameter binds, its type being left out.
fn names_in(param: &TokenStream) -> Vec<String> {
    match syn::parse2(param.clone()) {
        Ok(syn::FnArg::Typed(arg)) => bound(&arg.pat),
        _ => words(param.clone()),
    }
}

/// Whether an expression may be an iterator: a chain of calls, a range, or what a function of `std::iter` makes.
fn makes_items(e: &Expr) -> bool {
    const FUNCTIONS: [&str; 4] = ["successors", "from_fn", "zip", "repeat_n"];
    match e {
        Expr::MethodCall(_) | Expr::Range(_) => true,
        Expr::Paren(p) => makes_items(&p.expr),
        Expr::Call(call) => {
            let last = |p: &syn::ExprPath| p.path.segments.last().map(|s| s.ident.clone());
            matches!(&*call.func, Expr::Path(p) if last(p).is_some_and(|name| FUNCTIONS.iter().any(|f| name == f)))
        }
        _ => false,
    }
}

/// `let (data, n) = (&self.data, self.n);`, which binds the name, as one statement for each part.
fn one_by_one(stmts: &mut Vec<Stmt>, name: &Ident) {
    let at =
        stmts.iter().rposition(|s| matches!(s, Stmt::Local(l) if bound(&l.pat).iter().any(|of| name == of)));
    let Some(at) = at else { return };
    let Stmt::Local(Local { pat: Pat::Tuple(pats), init: Some(init), .. }) = &stmts[at] else { return };
    let Expr::Tuple(values) = &*init.expr else { return };
    let names: Vec<String> = pats.elems.iter().flat_map(bound).collect();
    let apart =
        values.elems.iter().all(|e| !words(e.to_token_stream()).iter().any(|word| names.contains(word)));
    if pats.elems.len() == values.elems.len() && init.diverge.is_none() && apart {
        let one = |(pat, value): (&Pat, &Expr)| -> Stmt { syn::parse_quote!(let #pat = #value;) };
        let parts: Vec<Stmt> = pats.elems.iter().zip(&values.elems).map(one).collect();
        stmts.splice(at..=at, parts);
    }
}

/// The range that a call's body gives, with the ends as values of their own.
pub(super) fn range_of(e: &Expr, changing: &Changing) -> Option<Expr> {
    let Expr::Call(call) = strip(e) else { return None };
    let Expr::Closure(of) = strip(&call.func) else { return None };
    let (lets, Expr::Range(range)) = given_by(&of.body)? else { return None };
    let pure =
        lets.iter().all(|s| is_pure_let(s, changing)) && call.args.iter().all(|arg| is_pure(arg, changing));
    if !pure {
        return None;
    }
    let (params, args) = (&of.inputs, &call.args);
    let value = |end: &Expr| {
        let span = end.span();
        made(quote_spanned! {span=>
            (|#params| -> ::omp::__private::core::primitive::usize { #(#lets)* #end })(#args)
        })
    };
    let [start, end] = [&range.start, &range.end].map(|end| end.as_deref().map(value).map(Box::new));
    Some(Expr::Range(syn::ExprRange { attrs: Vec::new(), start, limits: range.limits, end }))
}

/// The statements and the value of a body.
fn given_by(e: &Expr) -> Option<(&[Stmt], &Expr)> {
    match strip(e) {
        Expr::Block(b) if b.label.is_none() => match &b.block.stmts[..] {
            [lets @ .., Stmt::Expr(value, None)] => Some((lets, strip(value))),
            _ => None,
        },
        value => Some((&[], value)),
    }
}

/// Whether some code has a way out of a body but its end.
pub(super) fn leaves(code: &(impl Code + ?Sized)) -> bool {
    let mut found = false;
    visits::walk(code, |node| {
        found |= match node {
            Node::Expr(Expr::Return(_) | Expr::Try(_)) => true,
            Node::Macro(m) => macro_leaves(m),
            _ => false,
        };
        !found && !matches!(node, Node::Expr(Expr::Closure(_)) | Node::Macro(_))
    });
    found
}

/// Whether a macro may have one.
pub(super) fn macro_leaves(m: &syn::Macro) -> bool {
    let asserts = m.path.segments.last().is_some_and(|s| s.ident.to_string().contains("assert"));
    let text = m.tokens.to_string();
    !asserts || text.contains('?') || words(m.tokens.clone()).iter().any(|w| w == "return")
}

/// The bindings before the iterator that a call returned, and the iterator: the parts of [`Body::chain`].
pub(super) fn of_chain(e: &Expr) -> Option<(Vec<Stmt>, Expr)> {
    let Expr::Block(b) = e else { return None };
    if b.label.is_some() {
        return None;
    }
    let [before @ .., Stmt::Expr(items, None)] = &b.block.stmts[..] else { return None };
    let Some(Stmt::Local(first)) = before.first() else { return None };
    let mut bound = Bound::default();
    bound.visit_pat(&first.pat);
    let own = !bound.own.is_empty() && bound.own.iter().all(|name| name.starts_with(OF_CHAIN));
    own.then(|| (before.to_vec(), items.clone()))
}

/// Whether making an iterator has effects. (What its closures do comes with its items.)
fn makes_with_effects(e: &Expr) -> bool {
    let args = |args: &syn::punctuated::Punctuated<Expr, syn::Token![,]>| {
        args.iter().any(|arg| !matches!(arg, Expr::Closure(_)) && has_effects(arg))
    };
    match strip(e) {
        Expr::MethodCall(m) if is_adaptor(&m.method.to_string(), m.args.len()) => {
            args(&m.args) || makes_with_effects(&m.receiver)
        }
        Expr::Call(c) if crate::iterate::is_generator(c) => args(&c.args),
        e => has_effects(e),
    }
}

/// A method of such an iterator, or one that takes one as an argument, in the block.
pub(super) fn around_call(call: &mut ExprMethodCall) -> Option<Expr> {
    let mut before = Vec::new();
    if let Some((stmts, items)) = of_chain(&call.receiver) {
        before.extend(stmts);
        *call.receiver = items;
    }
    if (call.method == "zip" || call.method == "chain")
        && let Some(arg) = call.args.first_mut()
        && let Some((stmts, items)) = of_chain(arg)
        // Its bindings come before the effects of the receiver.
        && !makes_with_effects(&call.receiver)
    {
        before.extend(stmts);
        *arg = items;
    }
    (!before.is_empty()).then(|| made(quote!({ #(#before)* #call })))
}

/// The names that a method's body binds and uses.
#[derive(Default)]
pub(in crate::expand::methods) struct Bound {
    pub(in crate::expand::methods) own: HashSet<String>,
    pub(in crate::expand::methods) free: HashSet<String>,
    pub(in crate::expand::methods) members: HashSet<String>,
}

impl<'ast> Visit<'ast> for Bound {
    fn visit_pat_ident(&mut self, p: &'ast syn::PatIdent) {
        // `None` is a variant.
        if !crate::iterate::is_variant(&p.ident) {
            self.own.insert(p.ident.to_string());
        }
        visit::visit_pat_ident(self, p);
    }

    fn visit_expr_path(&mut self, p: &'ast syn::ExprPath) {
        if let Some(name) = p.path.get_ident().filter(|name| *name != "self") {
            self.free.insert(name.to_string());
        }
    }

    fn visit_field_value(&mut self, f: &'ast syn::FieldValue) {
        self.members.insert(f.member.to_token_stream().to_string());
        visit::visit_field_value(self, f);
    }

    fn visit_field_pat(&mut self, f: &'ast syn::FieldPat) {
        self.members.insert(f.member.to_token_stream().to_string());
        visit::visit_field_pat(self, f);
    }

    fn visit_macro(&mut self, m: &'ast syn::Macro) {
        self.free.extend(words(m.tokens.clone()).into_iter().filter(|w| w != "self"));
    }
}
