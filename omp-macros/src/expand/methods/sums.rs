//! Sums of device types: `x.iter().copied().sum::<Vec3>()` calls the `sum` of `impl Sum for Vec3`, whose body then stands in its place. Tokens
//! show the type of a sum by `sum::<T>()`, by `let s: T = …`, at the end of a function that returns it, and by the type of the items.
use super::{Method, Methods, collect, name_of, templates};
use crate::iterate;
use crate::sema::syntax::forms::strip;
use crate::sema::syntax::items::passes_on;
use proc_macro2::Ident;
use quote::{ToTokens, quote_spanned};
use syn::visit_mut::{self, VisitMut};
use syn::{
    Block, Expr, ExprMethodCall, GenericArgument, ImplItem, Item, ItemImpl, PathArguments, Signature, Stmt,
    Type,
};

/// What the method is called that adds up references: `impl<'a> Sum<&'a T> for T`.
const OF_REFERENCES: &str = "of_references";

/// Whether an `impl` is of `Sum` or `Product`: its method takes an iterator.
pub fn is_impl(i: &ItemImpl) -> bool {
    let named =
        |path: &syn::Path| path.segments.last().is_some_and(|s| s.ident == "Sum" || s.ident == "Product");
    let takes_items =
        |item: &ImplItem| matches!(item, ImplItem::Fn(f) if templates::takes_an_iterator(&f.sig));
    i.trait_.as_ref().is_some_and(|(path, _)| named(path)) && i.items.iter().all(takes_items)
}

/// The methods of `impl Sum for T` and `impl Product for T`.
pub(super) fn methods(items: &[Item]) -> Vec<Method> {
    let impls = items.iter().filter_map(|item| match item {
        Item::Impl(i) if is_impl(i) => i.trait_.as_ref().map(|(path, _)| (i, path)),
        _ => None,
    });
    let of = |(i, path): (&ItemImpl, &syn::Path)| -> Vec<Method> {
        let references = matches!(&path.segments.last().expect("it has a name").arguments, PathArguments::AngleBracketed(of)
            if of.args.iter().any(|arg| matches!(arg, GenericArgument::Type(Type::Reference(_)))));
        let mut methods = collect::methods(std::iter::once(i));
        for m in methods.iter_mut().filter(|_| references) {
            let name = &mut m.function.sig.ident;
            *name = Ident::new(&format!("{name}_{OF_REFERENCES}"), name.span());
        }
        methods
    };
    let mut all: Vec<Method> = impls.flat_map(of).collect();
    // Of several, tokens don't show which one is meant.
    let names: Vec<_> = all.iter().map(|m| (name_of(&m.ty), m.function.sig.ident.to_string())).collect();
    let once = |m: &Method| {
        let own = (name_of(&m.ty), m.function.sig.ident.to_string());
        names.iter().filter(|name| **name == own).count() == 1
    };
    all.retain(once);
    all
}

/// `x.iter().map(f).sum()` as such a call, if the items are of this type.
pub(super) fn of_items(m: &ExprMethodCall, ty: &str, methods: &Methods) -> Option<Expr> {
    let ty = Ident::new(ty, m.method.span());
    Sums::of(methods)?.call(m, &syn::parse_quote!(#ty)).filter(|_| m.turbofish.is_none())
}

/// Writes sums of these types as calls: `T::sum(x.iter().copied())`.
pub(super) fn called(block: &mut Block, sig: Option<&Signature>, methods: &Methods) {
    let Some(mut sums) = Sums::of(methods) else { return };
    sums.visit_block_mut(block);
    if let Some(syn::ReturnType::Type(_, ty)) = sig.map(|sig| &sig.output)
        && let Some(Stmt::Expr(e, None)) = block.stmts.last_mut()
    {
        sums.of_type(e, ty);
    }
}

struct Sums {
    /// Types and methods.
    known: Vec<(String, String)>,
    /// What `Self` is.
    this: Option<String>,
}

impl Sums {
    fn of(methods: &Methods) -> Option<Self> {
        let sums = methods.inlined.iter().filter(|m| {
            let name = m.function.sig.ident.to_string();
            let name = name.strip_suffix(OF_REFERENCES).map_or(&*name, |name| name.trim_end_matches('_'));
            m.function.sig.receiver().is_none() && (name == "sum" || name == "product")
        });
        let known: Vec<_> =
            sums.filter_map(|m| Some((name_of(&m.ty)?, m.function.sig.ident.to_string()))).collect();
        let this = methods.self_name.clone().or_else(|| methods.this.clone());
        (!known.is_empty()).then_some(Self { known, this })
    }

    /// A sum whose type stands around it.
    fn of_type(&self, e: &mut Expr, ty: &Type) {
        if let Expr::MethodCall(m) = e
            && m.turbofish.is_none()
            && let Some(call) = self.call(m, ty)
        {
            *e = call;
        }
    }

    fn call(&self, m: &ExprMethodCall, ty: &Type) -> Option<Expr> {
        // A type may have a method of this name.
        let of_items = matches!(&*m.receiver, Expr::MethodCall(of)
            if of.method == "iter" || of.method == "into_iter" || iterate::is_adaptor(&of.method.to_string(), of.args.len()));
        // (A name may be that of an iterator.)
        let of_items = of_items || m.turbofish.is_some() && matches!(&*m.receiver, Expr::Path(_));
        let is_sum = of_items && m.args.is_empty() && (m.method == "sum" || m.method == "product");
        let (ty, span) = (name_of(ty).filter(|_| is_sum)?, m.method.span());
        let ty = if ty == "Self" { self.this.clone()? } else { ty };
        let is_known = |method: &String| self.known.contains(&(ty.clone(), method.clone()));
        let (plain, of_references) = (m.method.to_string(), format!("{}_{OF_REFERENCES}", m.method));
        let mut methods = [plain, of_references];
        if gives_references(&m.receiver) {
            methods.reverse();
        }
        let method = Ident::new(methods.iter().find(|method| is_known(method))?, span);
        let (items, ty) = (&m.receiver, Ident::new(&ty, span));
        syn::parse2(quote_spanned!(span=> #ty::#method(#items))).ok()
    }
}

/// Whether the items of a chain are references: those of `x.iter()`, or what a closure borrows.
fn gives_references(e: &Expr) -> bool {
    let Expr::MethodCall(m) = e else { return false };
    match (m.method.to_string().as_str(), m.args.first()) {
        ("iter", None) => true,
        ("map", Some(Expr::Closure(c))) => match strip(&c.body) {
            Expr::Reference(_) => true,
            // `|v| v`
            body @ Expr::Path(_) => {
                c.inputs
                    .first()
                    .is_some_and(|v| v.to_token_stream().to_string() == body.to_token_stream().to_string())
                    && gives_references(&m.receiver)
            }
            _ => false,
        },
        (name, _) => (passes_on(m) || name == "chain" || name == "flatten") && gives_references(&m.receiver),
    }
}

impl VisitMut for Sums {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        visit_mut::visit_expr_mut(self, e);
        if let Expr::MethodCall(m) = e
            && let Some(given) = &m.turbofish
            && let Some(GenericArgument::Type(ty)) = given.args.first()
            && let Some(call) = self.call(m, ty)
        {
            *e = call;
        }
    }

    fn visit_local_mut(&mut self, l: &mut syn::Local) {
        visit_mut::visit_local_mut(self, l);
        if let (syn::Pat::Type(typed), Some(init)) = (&l.pat, &mut l.init) {
            self.of_type(&mut init.expr, &typed.ty);
        }
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}
