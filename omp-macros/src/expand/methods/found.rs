//! Functions that return `Option<&T>` or `Option<(f64, &T)>`: `fn by_id(&self, id: u32) -> Option<&Part>`. A device has no references in
//! options, so the inlined body has an `Option<T>` with a copy of the element. Device types have no interior mutability,
//! so no code can distinguish the copy from the element. [`FOUND`] marks the value for `iterate/values/option/`: names
//! that patterns bind from it mean references.
use super::{behind_parens, name_of};
use crate::iterate::parentheses;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::visit_mut::{self, VisitMut};
use syn::{
    Block, Expr, ExprClosure, GenericArgument, ImplItemFn, Item, PathArguments, ReturnType, Signature, Stmt,
    Type,
};

/// The function of `::omp::__private` around such a value.
const FOUND: &str = "found";

/// What an option has: a value, a reference, of which it keeps the value, or a tuple of these.
#[derive(Clone, PartialEq, Eq)]
pub enum Content {
    Value,
    Reference,
    Tuple(Vec<Content>),
}

impl Content {
    /// The content of a type, whose references give way to the types of what they refer to. `None` if one is to no value of a device, or
    /// `&mut`.
    pub fn of(ty: &mut Type) -> Option<Self> {
        match behind_parens(ty) {
            Type::Reference(r) => {
                let part = matches!(
                    behind_parens(&r.elem),
                    Type::Slice(_) | Type::Reference(_) | Type::TraitObject(_)
                ) || name_of(&r.elem)
                    .is_some_and(|name| ["str", "Vec", "Box"].contains(&name.as_str()));
                if r.mutability.is_some() || part {
                    return None;
                }
                *ty = (*r.elem).clone();
                Some(Self::Reference)
            }
            Type::Tuple(_) => {
                let Type::Tuple(t) = ty else { return None };
                Some(Self::Tuple(t.elems.iter_mut().map(Self::of).collect::<Option<_>>()?))
            }
            _ => Some(Self::Value),
        }
    }

    /// Whether it has a reference.
    pub fn refers(&self) -> bool {
        match self {
            Self::Value => false,
            Self::Reference => true,
            Self::Tuple(parts) => parts.iter().any(Self::refers),
        }
    }

    /// The type, with `_` for what is no reference.
    pub fn written(&self) -> TokenStream {
        self.tokens(&quote!(_), &quote!(&_))
    }

    /// As the last argument of a marked value: `0`, `1`, or a tuple of these.
    fn mark(&self) -> TokenStream {
        self.tokens(&quote!(0), &quote!(1))
    }

    fn tokens(&self, value: &TokenStream, reference: &TokenStream) -> TokenStream {
        match self {
            Self::Value => value.clone(),
            Self::Reference => reference.clone(),
            Self::Tuple(parts) => {
                let parts = parts.iter().map(|part| part.tokens(value, reference));
                quote!((#(#parts,)*))
            }
        }
    }

    /// The same, read.
    pub fn marked(e: &Expr) -> Self {
        match e {
            Expr::Tuple(t) => Self::Tuple(t.elems.iter().map(Self::marked).collect()),
            Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(n), .. }) if n.base10_digits() == "0" => Self::Value,
            _ => Self::Reference,
        }
    }

    /// A pattern of the content, and the content by value.
    fn taken_apart(&self, names: &mut usize, span: proc_macro2::Span) -> [TokenStream; 2] {
        let mut name = || {
            *names += 1;
            Ident::new(&format!("__omp_part{names}"), proc_macro2::Span::mixed_site().located_at(span))
        };
        match self {
            Self::Value => {
                let name = name();
                [quote!(#name), quote!(#name)]
            }
            Self::Reference => {
                let name = name();
                [quote!(#name), quote_spanned!(span=> *#name)]
            }
            Self::Tuple(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| part.taken_apart(names, span)).collect();
                let (pats, values) = (parts.iter().map(|p| &p[0]), parts.iter().map(|p| &p[1]));
                [quote!((#(#pats,)*)), quote!((#(#values,)*))]
            }
        }
    }
}

/// The content of the option that a function returns, if it has references, and its type without them.
pub fn found_by(sig: &Signature) -> Option<(Content, Type)> {
    let ReturnType::Type(_, ty) = &sig.output else { return None };
    referred(ty)
}

/// The same of a type.
pub fn referred(ty: &Type) -> Option<(Content, Type)> {
    let Type::Path(p) = behind_parens(ty) else { return None };
    let last = p.path.segments.last().filter(|last| last.ident == "Option")?;
    let PathArguments::AngleBracketed(of) = &last.arguments else { return None };
    let Some(GenericArgument::Type(ty)) = of.args.first() else { return None };
    let mut kept = ty.clone();
    let content = Content::of(&mut kept).filter(Content::refers)?;
    Some((content, kept))
}

/// The function, with copies in the place of references.
pub fn copied(f: &ImplItemFn) -> Option<ImplItemFn> {
    let (content, of) = found_by(&f.sig)?;
    let mut f = f.clone();
    f.sig.output = syn::parse_quote!(-> ::omp::__private::core::option::Option<#of>);
    typed_result(&mut f.block, &content);
    Copies { result: &content }.visit_block_mut(&mut f.block);
    results(&mut f.block, &content);
    super::collect::Elided.visit_impl_item_fn_mut(&mut f);
    Some(f)
}

/// `let mut hit = None;` of the variable that a body gives has the type of the result.
fn typed_result(b: &mut Block, content: &Content) {
    let [stmts @ .., Stmt::Expr(value, _)] = &mut b.stmts[..] else { return };
    let value = match value {
        Expr::Return(r) => r.expr.as_deref(),
        value => Some(&*value),
    };
    let Some(Expr::Path(result)) = value else { return };
    let Some(name) = result.path.get_ident() else { return };
    let binds =
        |s: &&mut Stmt| matches!(s, Stmt::Local(l) if crate::iterate::pattern_names(&l.pat).contains(name));
    let Some(Stmt::Local(l)) = stmts.iter_mut().rev().find(binds) else { return };
    let is_none = |init: &syn::LocalInit| matches!(&*init.expr, Expr::Path(p) if p.path.is_ident("None"));
    if matches!(l.pat, syn::Pat::Ident(_)) && l.init.as_ref().is_some_and(is_none) {
        let (pat, ty) = (&l.pat, content.written());
        let option = quote_spanned!(pat.span()=> ::omp::__private::core::option::Option<#ty>);
        let typed: Stmt = syn::parse_quote_spanned!(pat.span()=> let #pat: #option = None;);
        if let Stmt::Local(typed) = typed {
            l.pat = typed.pat;
        }
    }
}

/// The values of `return`.
struct Copies<'k> {
    /// What the function gives.
    result: &'k Content,
}

impl VisitMut for Copies<'_> {
    fn visit_expr_return_mut(&mut self, r: &mut syn::ExprReturn) {
        visit_mut::visit_expr_return_mut(self, r);
        if let Some(value) = &mut r.expr {
            by_value(value, self.result);
        }
    }

    fn visit_expr_closure_mut(&mut self, c: &mut ExprClosure) {
        struct Returns(bool);
        impl<'ast> Visit<'ast> for Returns {
            fn visit_expr_return(&mut self, _: &'ast syn::ExprReturn) {
                self.0 = true;
            }
        }
        let mut returns = Returns(false);
        returns.visit_expr(&c.body);
        // Its own `return` is none of the function's.
        if !returns.0 {
            visit_mut::visit_expr_closure_mut(self, c);
        }
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}

/// The value with which a body ends.
fn results(b: &mut Block, content: &Content) {
    if let Some(Stmt::Expr(e, None)) = b.stmts.last_mut() {
        by_value(e, content);
    }
}

/// `::omp::__private::found(value, reference, content)`: the option of a copy, that of a reference, which the serial loop has
/// ([`References`]), and what it has.
pub fn found(value: &Expr, reference: &impl ToTokens, content: &Content) -> Expr {
    let (name, content) = (Ident::new(FOUND, value.span()), content.mark());
    syn::parse_quote_spanned!(value.span()=> ::omp::__private::#name(#value, #reference, #content))
}

/// Puts the options of references back, where the host runs the code as it stands.
pub struct References;

impl VisitMut for References {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        if let Expr::Call(c) = e
            && in_found(c).is_some()
        {
            *e = c.args[1].clone();
        }
        visit_mut::visit_expr_mut(self, e);
    }
}

/// The option in [`found`]: in the replacement of a call of a function that returns `Option<&T>`.
pub fn in_found(c: &syn::ExprCall) -> Option<&Expr> {
    let Expr::Path(p) = &*c.func else { return None };
    let is = crate::ast::private_name(&p.path).is_some_and(|name| name == FOUND);
    if is { c.args.first() } else { None }
}

/// An expression of an option of references, as one of values.
fn by_value(e: &mut Expr, content: &Content) {
    if let Expr::Call(c) = e
        && let Some(value) = in_found(c)
    {
        *e = value.clone();
        return;
    }
    match e {
        Expr::Paren(p) => by_value(&mut p.expr, content),
        Expr::Group(g) => by_value(&mut g.expr, content),
        Expr::Block(b) => results(&mut b.block, content),
        Expr::If(i) => {
            results(&mut i.then_branch, content);
            if let Some((_, other)) = &mut i.else_branch {
                by_value(other, content);
            }
        }
        Expr::Match(m) => m.arms.iter_mut().for_each(|arm| by_value(&mut arm.body, content)),
        Expr::Path(p) if p.path.is_ident("None") => {}
        Expr::Return(_) | Expr::Macro(_) | Expr::Break(_) | Expr::Continue(_) => {}
        Expr::Call(c) if matches!(&*c.func, Expr::Path(p) if p.path.is_ident("Some")) => {
            c.args.iter_mut().for_each(|arg| place(arg, content));
        }
        Expr::MethodCall(m) => {
            let closure = m.args.last_mut().filter(|arg| matches!(arg, Expr::Closure(_)));
            match (m.method.to_string().as_str(), closure) {
                ("map" | "then", Some(Expr::Closure(f))) => place(&mut f.body, content),
                ("and_then", Some(Expr::Closure(f))) => by_value(&mut f.body, content),
                ("or_else", Some(Expr::Closure(f))) => {
                    by_value(&mut f.body, content);
                    by_value(&mut m.receiver, content);
                }
                ("then_some", None) => m.args.iter_mut().for_each(|arg| place(arg, content)),
                ("or", None) => {
                    m.args.iter_mut().for_each(|arg| by_value(arg, content));
                    by_value(&mut m.receiver, content);
                }
                _ => *e = copied_option(e, content),
            }
        }
        _ => *e = copied_option(e, content),
    }
}

fn copied_option(e: &Expr, content: &Content) -> Expr {
    let of: TokenStream = match e {
        Expr::MethodCall(_) | Expr::Call(_) | Expr::Path(_) => e.to_token_stream(),
        e => parentheses(e.to_token_stream()),
    };
    match content {
        Content::Tuple(_) => {
            let [pat, value] = content.taken_apart(&mut 0, e.span());
            syn::parse_quote_spanned!(e.span()=> #of.map(|#pat| #value))
        }
        _ => syn::parse_quote_spanned!(e.span()=> #of.copied()),
    }
}

/// Replaces references by the places that they refer to.
fn place(e: &mut Expr, content: &Content) {
    if !content.refers() {
        return;
    }
    match (e, content) {
        (Expr::Paren(p), _) => place(&mut p.expr, content),
        (Expr::Group(g), _) => place(&mut g.expr, content),
        (Expr::Tuple(t), Content::Tuple(parts)) if t.elems.len() == parts.len() => {
            t.elems.iter_mut().zip(parts).for_each(|(e, part)| place(e, part));
        }
        (e @ Expr::Reference(_), Content::Reference) => {
            if let Expr::Reference(r) = &*e {
                *e = (*r.expr).clone();
            }
        }
        (Expr::Block(b), _) => {
            if let Some(Stmt::Expr(e, None)) = b.block.stmts.last_mut() {
                place(e, content);
            }
        }
        (Expr::If(i), _) => {
            if let Some(Stmt::Expr(e, None)) = i.then_branch.stmts.last_mut() {
                place(e, content);
            }
            if let Some((_, other)) = &mut i.else_branch {
                place(other, content);
            }
        }
        (other, Content::Tuple(_)) => {
            let [pat, value] = content.taken_apart(&mut 0, other.span());
            let (of, span) = (crate::iterate::in_head(other), other.span());
            *other = syn::parse_quote_spanned!(span=> match #of { #pat => #value });
        }
        (other, _) => {
            let of: TokenStream = match &*other {
                Expr::MethodCall(_) | Expr::Call(_) | Expr::Path(_) | Expr::Field(_) => quote!(#other),
                other => parentheses(other.to_token_stream()),
            };
            *other = syn::parse2(quote_spanned!(other.span()=> *#of)).expect("an expression after `*`");
        }
    }
}
