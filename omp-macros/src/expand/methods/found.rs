//! Functions that return `Option<&T>`: `fn by_id(&self, id: u32) -> Option<&Part>`. A device has no references in
//! options, so the inlined body has an `Option<T>` with a copy of the element. Device types have no interior mutability,
//! so no code can distinguish the copy from the element. [`FOUND`] marks the value for `iterate/values/option.rs`: names
//! that patterns bind from it mean references.
use super::{behind_parens, name_of};
use crate::iterate::parentheses;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{
    Block, Expr, ExprClosure, GenericArgument, ImplItemFn, Item, PathArguments, ReturnType, Signature, Stmt,
    Type,
};

/// The function of `::omp::__private` around such a value.
pub const FOUND: &str = "found";

/// `T` of a function that returns `Option<&T>`, if that is no slice.
pub fn found_by(sig: &Signature) -> Option<&Type> {
    let ReturnType::Type(_, ty) = &sig.output else { return None };
    referred(ty)
}

/// `T` of `Option<&T>`.
fn referred(ty: &Type) -> Option<&Type> {
    let Type::Path(p) = behind_parens(ty) else { return None };
    let last = p.path.segments.last().filter(|last| last.ident == "Option")?;
    let PathArguments::AngleBracketed(of) = &last.arguments else { return None };
    let Some(GenericArgument::Type(ty)) = of.args.first() else { return None };
    let Type::Reference(r) = behind_parens(ty) else { return None };
    let part = matches!(behind_parens(&r.elem), Type::Slice(_) | Type::Reference(_) | Type::TraitObject(_))
        || name_of(&r.elem).is_some_and(|name| ["str", "Vec", "Box"].contains(&name.as_str()));
    (r.mutability.is_none() && !part).then_some(&r.elem)
}

/// The function, with copies in the place of references.
pub fn copied(f: &ImplItemFn) -> Option<ImplItemFn> {
    let of = found_by(&f.sig)?;
    let mut f = f.clone();
    let mut kept = Kept { result: result_of(&f.block), names: vec![] };
    kept.visit_block(&f.block);
    let kept = kept.names;
    f.sig.output = syn::parse_quote!(-> ::omp::__private::core::option::Option<#of>);
    Copies(&kept).visit_block_mut(&mut f.block);
    results(&mut f.block, &kept);
    Some(f)
}

/// The variable that a body gives.
fn result_of(b: &Block) -> Option<String> {
    match b.stmts.last()? {
        Stmt::Expr(Expr::Path(p), None) => p.path.get_ident().map(ToString::to_string),
        _ => None,
    }
}

/// Variables of a body that are declared as `Option<&T>`, or are what it gives.
struct Kept {
    result: Option<String>,
    names: Vec<String>,
}

impl<'ast> Visit<'ast> for Kept {
    fn visit_local(&mut self, l: &'ast syn::Local) {
        let none = |init: &syn::LocalInit| matches!(&*init.expr, Expr::Path(p) if p.path.is_ident("None"));
        let name = match &l.pat {
            syn::Pat::Type(t) if referred(&t.ty).is_some() => crate::iterate::pattern_names(&t.pat),
            syn::Pat::Ident(p)
                if self.result.as_ref().is_some_and(|name| p.ident == name)
                    && l.init.as_ref().is_some_and(none) =>
            {
                vec![p.ident.clone()]
            }
            _ => vec![],
        };
        self.names.extend(name.iter().map(ToString::to_string));
        visit::visit_local(self, l);
    }
}

fn is_kept(e: &Expr, kept: &[String]) -> bool {
    matches!(e, Expr::Path(p) if p.path.get_ident().is_some_and(|name| kept.iter().any(|kept| name == kept)))
}

/// The values of `return`, and of the variables that keep such options.
struct Copies<'k>(&'k [String]);

impl VisitMut for Copies<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        match e {
            Expr::Return(r) => {
                visit_mut::visit_expr_return_mut(self, r);
                if let Some(value) = &mut r.expr {
                    by_value(value, self.0);
                }
                return;
            }
            Expr::Assign(a) if is_kept(&a.left, self.0) => {
                self.visit_expr_mut(&mut a.right);
                by_value(&mut a.right, self.0);
                return;
            }
            // A variable that keeps such an option is treated like the call.
            Expr::Path(_) if is_kept(e, self.0) => {
                *e = found(e, &*e);
                return;
            }
            _ => {}
        }
        visit_mut::visit_expr_mut(self, e);
    }

    fn visit_local_mut(&mut self, l: &mut syn::Local) {
        visit_mut::visit_local_mut(self, l);
        let names = match &mut l.pat {
            syn::Pat::Type(t) => {
                if let Some(of) = referred(&t.ty) {
                    *t.ty = syn::parse_quote!(::omp::__private::core::option::Option<#of>);
                }
                crate::iterate::pattern_names(&t.pat)
            }
            pat => crate::iterate::pattern_names(pat),
        };
        if let Some(init) = &mut l.init
            && names.iter().any(|name| self.0.iter().any(|kept| name == kept))
        {
            by_value(&mut init.expr, self.0);
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
fn results(b: &mut Block, kept: &[String]) {
    if let Some(Stmt::Expr(e, None)) = b.stmts.last_mut() {
        by_value(e, kept);
    }
}

/// `::omp::__private::found(value, reference)`: the option of a copy, and that of a reference, which the serial loop has ([`References`]).
pub fn found(value: &Expr, reference: &impl ToTokens) -> Expr {
    let name = proc_macro2::Ident::new(FOUND, value.span());
    syn::parse_quote_spanned!(value.span()=> ::omp::__private::#name(#value, #reference))
}

/// Puts the options of references back, where the host runs the code as it stands.
pub struct References;

impl VisitMut for References {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        if in_found(e).is_some()
            && let Expr::Call(c) = e
        {
            *e = c.args[1].clone();
        }
        visit_mut::visit_expr_mut(self, e);
    }
}

/// The option in [`found`].
fn in_found(e: &Expr) -> Option<&Expr> {
    let Expr::Call(c) = e else { return None };
    let Expr::Path(p) = &*c.func else { return None };
    let is = crate::ast::private_name(&p.path).is_some_and(|name| name == FOUND);
    if is { c.args.first() } else { None }
}

/// An expression of type `Option<&T>`, as one of type `Option<T>`.
fn by_value(e: &mut Expr, kept: &[String]) {
    if let Some(value) = in_found(e) {
        *e = value.clone();
        return;
    }
    match e {
        Expr::Paren(p) => by_value(&mut p.expr, kept),
        Expr::Group(g) => by_value(&mut g.expr, kept),
        Expr::Block(b) => results(&mut b.block, kept),
        Expr::If(i) => {
            results(&mut i.then_branch, kept);
            if let Some((_, other)) = &mut i.else_branch {
                by_value(other, kept);
            }
        }
        Expr::Match(m) => m.arms.iter_mut().for_each(|arm| by_value(&mut arm.body, kept)),
        Expr::Path(p) if p.path.is_ident("None") => {}
        Expr::Return(_) | Expr::Macro(_) | Expr::Break(_) | Expr::Continue(_) => {}
        Expr::Call(c) if matches!(&*c.func, Expr::Path(p) if p.path.is_ident("Some")) => {
            c.args.iter_mut().for_each(place);
        }
        Expr::MethodCall(m) => {
            let closure = m.args.last_mut().filter(|arg| matches!(arg, Expr::Closure(_)));
            match (m.method.to_string().as_str(), closure) {
                ("map" | "then", Some(Expr::Closure(f))) => place(&mut f.body),
                ("and_then", Some(Expr::Closure(f))) => by_value(&mut f.body, kept),
                ("or_else", Some(Expr::Closure(f))) => {
                    by_value(&mut f.body, kept);
                    by_value(&mut m.receiver, kept);
                }
                ("then_some", None) => m.args.iter_mut().for_each(place),
                ("or", None) => {
                    m.args.iter_mut().for_each(|arg| by_value(arg, kept));
                    by_value(&mut m.receiver, kept);
                }
                _ => *e = copied_option(e),
            }
        }
        _ => *e = copied_option(e),
    }
}

fn copied_option(e: &Expr) -> Expr {
    let of: TokenStream = match e {
        Expr::MethodCall(_) | Expr::Call(_) | Expr::Path(_) => e.to_token_stream(),
        e => parentheses(e.to_token_stream()),
    };
    syn::parse_quote_spanned!(e.span()=> #of.copied())
}

/// Replaces a reference by the place that it refers to.
fn place(e: &mut Expr) {
    match e {
        Expr::Paren(p) => place(&mut p.expr),
        Expr::Group(g) => place(&mut g.expr),
        Expr::Reference(r) => *e = (*r.expr).clone(),
        Expr::Block(b) => {
            if let Some(Stmt::Expr(e, None)) = b.block.stmts.last_mut() {
                place(e);
            }
        }
        Expr::If(i) => {
            if let Some(Stmt::Expr(e, None)) = i.then_branch.stmts.last_mut() {
                place(e);
            }
            if let Some((_, other)) = &mut i.else_branch {
                place(other);
            }
        }
        other => {
            let of: TokenStream = match &*other {
                Expr::MethodCall(_) | Expr::Call(_) | Expr::Path(_) | Expr::Field(_) => quote!(#other),
                other => parentheses(other.to_token_stream()),
            };
            *other = syn::parse2(quote_spanned!(other.span()=> *#of)).expect("an expression after `*`");
        }
    }
}
