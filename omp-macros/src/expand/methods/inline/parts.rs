//! Values of which a device has only the parts: structs that are no device types, such as views that borrow slices, and
//! tuples of slices.
//!
//! `let v = View::new(&x, w);` binds each part by a name of its own, `let data = &x[..]; let width = w;`, and `v.data`
//! becomes that name. The methods of `v` are inlined first, so that nothing uses `v` as a whole. A function that returns
//! such a value is inlined, with its statements before the bindings.
use super::body::{Why, leaves};
use super::borrowing;
use super::expressions::{made, whole};
use super::walk::slice_behind;
use super::{Inline, Method};
use crate::diag::Code;
use crate::expand::methods::{Methods, behind, behind_parens, modules, name_of, templates};
use crate::parse::tokens::source::OF_CHAIN;
use crate::sema::syntax::forms::{behind_references, strip};
use crate::sema::syntax::names::Names;
use crate::visits::{self, Node};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use std::collections::HashSet;
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, FnArg, Member, Pat, ReturnType, Signature, Stmt, Type};

/// A value by its parts.
pub(super) struct Parts {
    /// The statements that the parts need before them.
    pub(super) before: Vec<Stmt>,
    /// The struct.
    of: Option<String>,
    parts: Vec<(Member, Expr)>,
    /// The only part is the value.
    pub(super) single: bool,
}

/// A part that has a name of its own.
#[derive(Clone)]
pub(in crate::expand::methods) struct Part {
    /// The variable.
    pub(super) of: String,
    member: String,
    place: Expr,
}

impl Methods {
    /// Whether a function returns a value that has parts alone; `this`: what `Self` is.
    pub(in crate::expand::methods) fn gives_parts(&self, sig: &Signature, this: Option<&str>) -> bool {
        let ReturnType::Type(_, ty) = &sig.output else { return false };
        match behind_parens(ty) {
            Type::Tuple(t) => t.elems.iter().any(|ty| {
                let slice = matches!(behind_parens(ty), Type::Reference(r) if matches!(behind_parens(&r.elem), Type::Slice(_)));
                slice || self.is_parted(ty, this)
            }),
            ty => self.is_parted(ty, this),
        }
    }

    /// Whether a type is such a struct.
    fn is_parted(&self, ty: &Type, this: Option<&str>) -> bool {
        let Some(name) = name_of(behind_parens(ty)) else { return false };
        let name = if name == "Self" { this.unwrap_or_default().to_owned() } else { name };
        self.find(&name).is_some_and(|s| s.fields.is_some())
    }
}

impl Inline<'_> {
    /// A `let` of a value that has parts alone, as the statements that bind these; already visited.
    pub(super) fn parted(&mut self, s: &Stmt, rest: &[Stmt]) -> Option<Vec<Stmt>> {
        let Stmt::Local(l) = s else { return None };
        let init = l.init.as_ref().filter(|init| init.diverge.is_none())?;
        let mut pat = &l.pat;
        while let Pat::Type(t) = pat {
            pat = &t.pat;
        }
        let name = match pat {
            Pat::Ident(p) if p.by_ref.is_none() && p.subpat.is_none() => Some(p),
            Pat::Tuple(_) | Pat::Struct(_) => None,
            _ => return None,
        };
        if let Some(name) = name {
            let mut again = Names::default();
            rest.iter().for_each(|s| again.visit_stmt(s));
            let again = again.bound.iter().any(|p| p.ident == name.ident);
            let tuple = matches!(behind_references(&init.expr), Expr::Tuple(_));
            if again || tuple && use_as_whole(rest, &name.ident.to_string()).is_some() {
                return None;
            }
        }
        let found = self.parts_of(&init.expr, name.is_some())?;
        self.bound_parts(pat, found, l.let_token.span)
    }

    /// The statements that bind such a value.
    pub(super) fn bound_parts(&mut self, pat: &Pat, found: Parts, span: Span) -> Option<Vec<Stmt>> {
        let name = match pat {
            Pat::Ident(p) if p.by_ref.is_none() && p.subpat.is_none() => Some(p),
            _ => None,
        };
        let mut lets = found.before;
        match (pat, name) {
            (pat, _) if found.single => {
                let values = found.parts.iter().map(|(_, value)| value);
                lets.push(syn::parse_quote_spanned!(span=> let #pat = #(#values)*;));
            }
            (_, Some(name)) => {
                if let Some(of) = found.of {
                    self.known.insert(name.ident.to_string(), of);
                }
                for (member, value) in found.parts {
                    self.name_part(&name.ident, &member, value, name.mutability.is_some(), &mut lets);
                }
            }
            (Pat::Tuple(t), None) if t.elems.len() == found.parts.len() => {
                let values = found.parts.iter().map(|(_, value)| value);
                lets.push(syn::parse_quote_spanned!(span=> let #t = (#(#values,)*);));
            }
            (Pat::Struct(s), None) => {
                let (mut pats, mut values) = (Vec::new(), Vec::new());
                for (member, value) in &found.parts {
                    if let Some(field) = s.fields.iter().find(|f| f.member == *member) {
                        pats.push(&*field.pat);
                        values.push(value);
                    }
                }
                lets.push(syn::parse_quote_spanned!(span=> let (#(#pats,)*) = (#(#values,)*);));
            }
            _ => return None,
        }
        Some(lets)
    }

    /// A name for a part of a variable.
    fn name_part(&mut self, of: &Ident, member: &Member, value: Expr, mutable: bool, lets: &mut Vec<Stmt>) {
        let (of_text, member_text) = (of.to_string(), member.to_token_stream().to_string());
        let inner = if matches!(value, Expr::Struct(_) | Expr::Call(_)) {
            self.parts_of(&value, false)
        } else {
            None
        };
        let place = if let Some(Parts { before, of: Some(inner_of), parts, .. }) = inner {
            // A struct that borrows, in another one, has parts of its own.
            self.chains += 1;
            let name = format!("{OF_CHAIN}{}_{}_{member_text}", self.chains, of_text.trim_matches('_'));
            let name = Ident::new(&name, of.span());
            self.known.insert(name.to_string(), inner_of);
            lets.extend(before);
            for (member, value) in parts {
                self.name_part(&name, &member, value, mutable, lets);
            }
            made(name.into_token_stream())
        } else if self.methods.of_place(&value, &self.known).is_some() {
            // A struct inside of another one keeps its name.
            let mut place = value;
            self.put_parts_in(&mut place);
            while let Expr::Reference(r) = place {
                place = *r.expr;
            }
            place
        } else {
            self.chains += 1;
            // (Underscores in the middle of a name are none of snake case.)
            let short = of_text.trim_matches('_');
            let name = Ident::new(&format!("{OF_CHAIN}{}_{short}_{member_text}", self.chains), of.span());
            let mutable = mutable.then(|| quote!(mut));
            lets.push(
                syn::parse_quote_spanned!(of.span()=> #[allow(unused_mut)] let #mutable #name = #value;),
            );
            made(name.into_token_stream())
        };
        self.parts.push(Part { of: of_text, member: member_text, place });
    }

    /// The parts of a value. `tuples`: those of a tuple that has slices, too.
    fn parts_of(&mut self, e: &Expr, tuples: bool) -> Option<Parts> {
        let e = strip(e);
        match e {
            Expr::Struct(s) if s.path.segments.len() == 1 => {
                let path = &s.path;
                let of = self.methods.named(&syn::parse_quote!(#path))?;
                let fields = self.methods.find(&of)?.fields.clone()?;
                let rest = s
                    .rest
                    .as_deref()
                    .filter(|rest| self.methods.of_place(rest, &self.known).as_ref() == Some(&of));
                if s.rest.is_some() && rest.is_none() {
                    return None;
                }
                let mut parts: Vec<(Member, Expr)> = Vec::new();
                for field in &s.fields {
                    let mut value = field.expr.clone();
                    let ty = fields.members().zip(&fields).find(|(member, _)| *member == field.member);
                    if ty.as_ref().is_some_and(|(_, f)| !matches!(behind_parens(&f.ty), Type::Reference(_)))
                        && self.borrowing(&value).is_some()
                    {
                        parts.push((field.member.clone(), self.own_struct(value)));
                        continue;
                    }
                    self.visit_expr_mut(&mut value);
                    self.slice_field(&mut value);
                    // `data: src`, and `data` alone.
                    if matches!(value, Expr::Path(_))
                        && let Some(mutability) = ty.and_then(|(_, f)| slice_behind(&f.ty))
                    {
                        value = made(quote_spanned!(value.span()=> &#mutability #value[..]));
                    }
                    parts.push((field.member.clone(), value));
                }
                for member in fields.members().filter(|_| rest.is_some()) {
                    if parts.iter().all(|(m, _)| *m != member) {
                        let mut value = made(quote_spanned!(s.path.span()=> #rest.#member));
                        self.slice_field(&mut value);
                        parts.push((member, value));
                    }
                }
                Some(Parts { before: vec![], of: Some(of), parts, single: false })
            }
            Expr::Tuple(t) if tuples => {
                let borrows = |e: &Expr| matches!(behind_references(e), Expr::Index(x) if matches!(&*x.index, Expr::Range(_)));
                if !t.elems.iter().any(|e| matches!(e, Expr::Reference(_)) && borrows(e)) {
                    return None;
                }
                let parts = t.elems.iter().enumerate().map(|(n, e)| {
                    let mut value = e.clone();
                    self.visit_expr_mut(&mut value);
                    (Member::Unnamed(syn::Index::from(n)), value)
                });
                let parts = parts.collect();
                Some(Parts { before: vec![], of: None, parts, single: false })
            }
            Expr::Path(p) => {
                let name = p.path.get_ident()?.to_string();
                let parts = self.parts.iter().filter(|part| part.of == name).map(|part| {
                    let member = match part.member.parse::<u32>() {
                        Ok(index) => Member::Unnamed(syn::Index { index, span: p.span() }),
                        Err(_) => Member::Named(Ident::new(&part.member, p.span())),
                    };
                    (member, part.place.clone())
                });
                let parts: Vec<_> = parts.collect();
                let of = self.known.get(&name).cloned();
                (!parts.is_empty()).then_some(Parts { before: vec![], of, parts, single: false })
            }
            Expr::Call(call) => {
                let args: Vec<Expr> = call.args.iter().cloned().collect();
                // `Bits(x, 0)`
                if let Expr::Path(p) = &*call.func
                    && p.path.get_ident().is_some()
                    && self
                        .borrowing(e)
                        .is_some_and(|of| p.path.is_ident(&of.name) || p.path.is_ident("Self"))
                {
                    let (path, numbers) = (&p.path, (0..args.len()).map(syn::Index::from));
                    return self.parts_of(
                        &made(quote_spanned!(call.span()=> #path { #(#numbers: #args),* })),
                        tuples,
                    );
                }
                let functions = self.methods.functions.clone();
                if let Some((name, method)) = self.named(call, &functions) {
                    self.methods.gives_parts(&method.function.sig, None).then_some(())?;
                    let name = name.clone();
                    return self.reported_parts(&method, None, &args, &name);
                }
                let (method, this, at) = self.associated_method(call)?;
                self.methods.gives_parts(&method.function.sig, Some(&this)).then_some(())?;
                self.reported_parts(&method, Some(&this), &args, &at)
            }
            Expr::MethodCall(call) => {
                let name = self.methods.of_place(&call.receiver, &self.known)?;
                let methods = self.methods.structs.clone();
                let of = methods.iter().find(|s| s.name == name)?;
                let method = of.methods.iter().find(|m| m.function.sig.ident == call.method)?;
                self.methods.gives_parts(&method.function.sig, Some(&name)).then_some(())?;
                let args: Vec<Expr> = call.args.iter().cloned().collect();
                self.found = true;
                let method = method.with(templates::without_closures(method.function.clone()));
                let method = &borrowing::with_own_self(&method).unwrap_or(method);
                let found =
                    self.returned(method, Some((&call.receiver, &name)), Some(&name), &args, &call.method);
                self.or_reported(found, &call.method)
            }
            _ => None,
        }
    }

    fn reported_parts(
        &mut self,
        method: &Method,
        this: Option<&str>,
        args: &[Expr],
        at: &Ident,
    ) -> Option<Parts> {
        self.found = true;
        let found = self.returned(method, None, this, args, at);
        self.or_reported(found, at)
    }

    /// The only part of the tuple that a function returns, and the statements before it.
    pub(super) fn only_part(
        &mut self,
        method: &Method,
        args: &[Expr],
        at: &Ident,
    ) -> Option<(Vec<Stmt>, Expr)> {
        let mut parts = self.reported_parts(method, None, args, at)?;
        let (_, part) = parts.parts.pop()?;
        Some((parts.before, part))
    }

    /// The parts that a function returns.
    pub(super) fn returned(
        &mut self,
        method: &Method,
        of: Option<(&Expr, &str)>,
        this: Option<&str>,
        args: &[Expr],
        at: &Ident,
    ) -> Result<Parts, Why> {
        let leaving = std::mem::take(&mut self.leaving);
        if let Some((what, help)) = modules::not_here(&method.function.block) {
            return Err(Why::new(what, help));
        }
        let mut function = method.function.clone();
        let result = match &function.sig.output {
            ReturnType::Type(_, ty) => name_of(behind_parens(ty)),
            ReturnType::Default => None,
        };
        let result =
            result.and_then(|name| if name == "Self" { this.map(str::to_owned) } else { Some(name) });
        if let Some(of) = result.and_then(|name| self.methods.find(&name)).filter(|of| of.borrows) {
            borrowing::with_literal(&mut function.block, of);
        }
        let no_parts = || {
            Why::new(
                "what it returns is no struct or tuple that its last expression writes out",
                "let its last expression be `Self { … }` or `(a, b)`",
            )
        };
        let Some(Stmt::Expr(mut last, None)) = function.block.stmts.pop() else { return Err(no_parts()) };
        while let Expr::Paren(p) = last {
            last = *p.expr;
        }
        let name_of_struct = |name: String| if name == "Self" { this.map(str::to_owned) } else { Some(name) };
        let (of_struct, members, mut values): (Option<String>, Vec<Member>, Vec<Expr>) = match last {
            Expr::Struct(s) if s.rest.is_none() && s.path.segments.len() == 1 => {
                let name = name_of_struct(s.path.segments[0].ident.to_string());
                let of = name.filter(|name| self.methods.find(name).is_some()).ok_or_else(no_parts)?;
                (
                    Some(of),
                    s.fields.iter().map(|f| f.member.clone()).collect(),
                    s.fields.into_iter().map(|f| f.expr).collect(),
                )
            }
            Expr::Call(c) if matches!(&*c.func, Expr::Path(p) if p.path.get_ident().is_some_and(|name| name_of_struct(name.to_string()).is_some_and(|name| self.methods.find(&name).is_some()))) =>
            {
                let Expr::Path(p) = &*c.func else { unreachable!("matched above") };
                let of = p.path.get_ident().and_then(|name| name_of_struct(name.to_string()));
                let members = (0..c.args.len()).map(|n| Member::Unnamed(syn::Index::from(n))).collect();
                (of, members, c.args.into_iter().collect())
            }
            Expr::Tuple(t) => {
                let members = (0..t.elems.len()).map(|n| Member::Unnamed(syn::Index::from(n))).collect();
                (None, members, t.elems.into_iter().collect())
            }
            _ => return Err(no_parts()),
        };
        let own = usize::from(of.is_some());
        for (input, arg) in function.sig.inputs.iter().skip(own).zip(args) {
            let FnArg::Typed(param) = input else { continue };
            let (Pat::Ident(p), Type::Reference(r)) = (&*param.pat, behind_parens(&param.ty)) else {
                continue;
            };
            if whole(&param.ty, arg).is_none() {
                continue;
            }
            // A whole array in the place of a parameter stands for itself, not for a reference to it.
            for value in &mut values {
                if matches!(&*value, Expr::Path(v) if v.path.is_ident(&p.ident)) {
                    let (mutability, span) = (&r.mutability, value.span());
                    let array = matches!(behind(&r.elem), Type::Slice(_))
                        || name_of(behind(&r.elem)).is_some_and(|n| n == "Vec");
                    let all = array.then(|| quote_spanned!(span=> [..]));
                    *value = made(quote_spanned!(span=> &#mutability #value #all));
                }
            }
        }
        // `let n = part.iter().sum();`: the result says which number `n` is.
        if let ReturnType::Type(_, ty) = &function.sig.output
            && let Type::Tuple(types) = behind_parens(ty)
        {
            let typed = types.elems.iter().zip(&values);
            let numbers =
                typed.filter(|(ty, value)| templates::is_value(ty) && matches!(value, Expr::Path(_)));
            let says =
                |(ty, n): (&Type, &Expr)| -> Stmt { syn::parse_quote_spanned!(n.span()=> let _: #ty = #n;) };
            function.block.stmts.extend(numbers.map(says));
        }
        function.block.stmts.push(Stmt::Expr(made(quote!((#(#values,)*))), None));
        function.sig.output = ReturnType::Default;
        let plain = method.with(function);
        self.hoisted = true;
        let stands = self.stands(&plain, of, args, at);
        self.hoisted = false;
        let (mut body, _) = stands?;
        let Some(Stmt::Expr(Expr::Tuple(tuple), None)) = body.block.stmts.pop() else {
            return Err(no_parts());
        };
        let leaves = leaves(&body.block.stmts[..]) || tuple.elems.iter().any(leaves);
        if !leaving && (leaves || !body.closures.is_empty()) {
            return Err(Why::new(
                "it leaves before its end",
                "let it compute what it returns without `return` and `?`",
            ));
        }
        let span = body.span;
        let mut before: Vec<Stmt> = Vec::new();
        for (param, arg) in body.params.iter().zip(&body.args) {
            let param = any_lifetime(param.clone());
            before.push(syn::parse2(quote_spanned!(span=> let #param = #arg;)).map_err(|_| no_parts())?);
        }
        before.append(&mut body.closures);
        before.append(&mut body.block.stmts);
        let parts = members.into_iter().zip(tuple.elems).map(|(member, mut value)| {
            self.slice_field(&mut value);
            (member, value)
        });
        let parts = parts.collect();
        Ok(Parts { before, of: of_struct, parts, single: false })
    }

    /// Puts the names of parts in their places.
    pub(super) fn put_parts(&mut self, stmts: &mut [Stmt], from: usize) {
        if self.parts.len() == from {
            return;
        }
        let mut put = Put { parts: &self.parts[from..] };
        stmts.iter_mut().for_each(|s| put.visit_stmt_mut(s));
        let names: HashSet<&String> = self.parts[from..].iter().map(|part| &part.of).collect();
        for name in names {
            if let Some(span) = use_as_whole(stmts, name).filter(|_| !self.failed) {
                self.sink
                    .error(
                        Code::UnsupportedExpr,
                        span,
                        format!("`{name}` is used as a whole, and a device has only its parts"),
                    )
                    .help(format!(
                        "use its fields and methods; or let the function that takes it be one of this module, which takes it by `&{name}`"
                    ));
            }
        }
        self.parts.truncate(from);
    }

    fn put_parts_in(&self, e: &mut Expr) {
        Put { parts: &self.parts }.visit_expr_mut(e);
    }
}

/// Lifetimes of a function's are any where it is inlined.
fn any_lifetime(tokens: TokenStream) -> TokenStream {
    let mut lifetime = false;
    let tree = |tree: TokenTree| {
        let named =
            std::mem::replace(&mut lifetime, matches!(&tree, TokenTree::Punct(p) if p.as_char() == '\''));
        match tree {
            TokenTree::Ident(i) if named && i != "static" => Ident::new("_", i.span()).into(),
            TokenTree::Group(g) => crate::parse::tokens::leaves::regrouped(&g, any_lifetime(g.stream())),
            other => other,
        }
    };
    tokens.into_iter().map(tree).collect::<Vec<TokenTree>>().into_iter().collect()
}

/// The first use of a name as a whole.
fn use_as_whole(code: &[Stmt], name: &str) -> Option<Span> {
    let is_it = |e: &Expr| matches!(e, Expr::Path(p) if p.path.is_ident(name));
    let mut found = None;
    visits::walk(code, |node| match node {
        Node::Expr(e) if is_it(e) => {
            found.get_or_insert(e.span());
            false
        }
        Node::Expr(Expr::Field(f)) => !is_it(&f.base),
        _ => true,
    });
    found
}

struct Put<'a> {
    parts: &'a [Part],
}

impl Put<'_> {
    fn part(&self, base: &str, member: &str) -> Option<&Expr> {
        self.parts.iter().rev().find(|part| part.of == base && part.member == member).map(|part| &part.place)
    }

    fn in_tokens(&self, tokens: TokenStream) -> TokenStream {
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        let (mut out, mut at) = (TokenStream::new(), 0);
        while at < trees.len() {
            if let [TokenTree::Ident(base), TokenTree::Punct(dot), member, ..] = &trees[at..]
                && dot.as_char() == '.'
                && let Some(place) = self.part(&base.to_string(), &member.to_string())
            {
                out.extend(place.to_token_stream());
                at += 3;
                continue;
            }
            match &trees[at] {
                TokenTree::Group(g) => {
                    out.extend([crate::parse::tokens::leaves::regrouped(g, self.in_tokens(g.stream()))]);
                }
                other => out.extend([other.clone()]),
            }
            at += 1;
        }
        out
    }
}

impl VisitMut for Put<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        visit_mut::visit_expr_mut(self, e);
        let place = match &*e {
            Expr::Field(f) => match &*f.base {
                Expr::Path(p) => p
                    .path
                    .get_ident()
                    .and_then(|base| self.part(&base.to_string(), &f.member.to_token_stream().to_string())),
                _ => None,
            },
            _ => None,
        };
        if let Some(place) = place {
            *e = place.clone();
        }
    }
    fn visit_macro_mut(&mut self, m: &mut syn::Macro) {
        m.tokens = self.in_tokens(m.tokens.clone());
    }
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
