//! What the type and const parameters of an inlined function are at its call: `T` and `D` of `impl<T, const D: usize> Grid<T, D>`, as far as
//! the declared types of the receiver and of the arguments show them.
use super::calls::as_path;
use super::{Inline, Method, RECEIVER};
use crate::expand::methods::variables::Declared;
use crate::expand::methods::{behind, behind_parens, name_of, words};
use crate::iterate::substituted;
use crate::parse::functions::functions;
use crate::parse::tokens::file::SourceFile;
use crate::parse::tokens::outline::Outline;
use crate::sema::syntax::forms::strip;
use crate::sema::syntax::types::element;
use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use std::collections::HashMap;
use syn::{
    Expr, FnArg, GenericArgument, Generics, Item, Lit, LitInt, Member, Pat, PathArguments, ReturnType, Type,
    UnOp,
};

/// How many variables may be bound to each other.
const DEPTH: usize = 8;

impl Inline<'_> {
    /// The arguments, by the names of the parameters.
    pub(super) fn generic_arguments(
        &self,
        method: &Method,
        of: Option<&Expr>,
        given: &[Expr],
    ) -> HashMap<String, TokenStream> {
        let own = crate::expand::context::names(&method.function.sig.generics);
        let names: Vec<String> = method.generics.iter().cloned().chain(own).collect();
        let of_function = usizes(&method.function.sig.generics);
        let usizes = method.usizes.iter().cloned().chain(of_function).collect();
        let mut found = Found { names, usizes, types: HashMap::new() };
        if found.names.is_empty() {
            return found.types;
        }
        if let Some(ty) = of.and_then(|this| self.declared_type(this, 0)) {
            found.unify(&method.ty, &ty);
        }
        let inputs = method.function.sig.inputs.iter().skip(usize::from(of.is_some()));
        for (input, arg) in inputs.zip(given) {
            // (`&x` has another type than `x`.)
            let by_value = |ty: &Type| !matches!(behind_parens(ty), Type::Reference(_));
            if let FnArg::Typed(param) = input
                && matches!(&*param.pat, Pat::Ident(p) if p.ident == RECEIVER)
            {
                let ty = self.declared_type(arg, 0);
                ty.iter().for_each(|ty| found.unify(&method.ty, ty));
            } else if let FnArg::Typed(param) = input
                && !(matches!(arg, Expr::Reference(_)) && by_value(&param.ty))
                && let Some(ty) = self.declared_type(arg, 0)
            {
                found.unify(&param.ty, &ty);
            }
        }
        found.types
    }

    /// The type of a variable or of a field of one, as it is declared.
    pub(super) fn declared_type(&self, e: &Expr, depth: usize) -> Option<Type> {
        match strip(e) {
            Expr::Reference(r) => self.declared_type(&r.expr, depth),
            Expr::Unary(u) if matches!(u.op, UnOp::Deref(_)) => self.declared_type(&u.expr, depth),
            Expr::Path(p) if p.path.is_ident("self") => self.methods.self_type.clone(),
            Expr::Path(p) => {
                let name = p.path.get_ident()?.to_string();
                if self.around.iter().any(|names| names.contains(&name)) {
                    return None;
                }
                match self.variables.declared.get(&name)? {
                    Declared::Type(ty) if name_of(behind(ty)).is_some_and(|name| name == "Self") => {
                        self.methods.self_type.clone()
                    }
                    Declared::Type(ty) => Some(ty.clone()),
                    Declared::Value(value) if depth < DEPTH => self.declared_type(value, depth + 1),
                    Declared::Value(_) => None,
                }
            }
            Expr::Index(x) if !matches!(strip(&x.index), Expr::Range(_)) => {
                element(behind(&self.declared_type(&x.expr, depth)?)).cloned()
            }
            Expr::Array(a) => {
                let of = a.elems.first().and_then(|first| self.declared_type(first, depth));
                let (of, n) = (of.unwrap_or_else(|| syn::parse_quote!(_)), a.elems.len());
                let n = proc_macro2::Literal::usize_unsuffixed(n);
                Some(syn::parse_quote!([#of; #n]))
            }
            Expr::Repeat(r) => {
                let of = self.declared_type(&r.expr, depth).unwrap_or_else(|| syn::parse_quote!(_));
                let n = &r.len;
                Some(syn::parse_quote!([#of; #n]))
            }
            Expr::Field(f) => {
                let base = self.declared_type(&f.base, depth)?;
                let base = behind(&base);
                if let (Type::Tuple(of), Member::Unnamed(n)) = (base, &f.member) {
                    return of.elems.get(n.index as usize).cloned();
                }
                let of = self.methods.find(&name_of(base)?)?;
                let ty = of.field(&f.member)?.to_token_stream();
                let args = arguments(base);
                (of.generics.len() == args.len()).then_some(())?;
                let args = of.generics.iter().cloned().zip(args.iter().map(ToTokens::to_token_stream));
                syn::parse2(substituted(ty, &args.collect())).ok()
            }
            Expr::MethodCall(m) if (m.method == "unwrap" || m.method == "expect") && depth < DEPTH => {
                content(&self.declared_type(&m.receiver, depth + 1)?)
            }
            Expr::MethodCall(m) if depth < DEPTH => {
                self.result(&m.method, &self.declared_type(&m.receiver, depth + 1)?)
            }
            // `Self::new(n)`
            Expr::Call(c) => {
                let Expr::Path(p) = &*c.func else { return None };
                let [of, function] = &p.path.segments.iter().collect::<Vec<_>>()[..] else { return None };
                (of.ident == "Self" && p.qself.is_none()).then_some(())?;
                self.result(&function.ident, self.methods.self_type.as_ref()?)
            }
            Expr::Try(t) if depth < DEPTH => content(&self.declared_type(&t.expr, depth + 1)?),
            _ => None,
        }
    }

    /// The type of what a method of a type gives, as its `impl` in the same file declares it.
    fn result(&self, method: &Ident, of: &Type) -> Option<Type> {
        let (file, of) = (SourceFile::of(method.span())?, behind(of));
        let outline = file.shows(Outline::of);
        let mut found = outline.impls_with(&method.to_string()).into_iter().filter_map(|place| {
            let Item::Impl(i) = outline.parse(&file.text, place)? else { return None };
            (name_of(&i.self_ty) == name_of(of)).then_some(i)
        });
        let (i, None) = (found.next()?, found.next()) else { return None };
        let f = functions(&i).find(|f| f.sig.ident == *method)?;
        let ReturnType::Type(_, ty) = &f.sig.output else { return None };
        let names = crate::expand::context::names(&i.generics);
        let mut parameters =
            Found { names: names.collect(), usizes: usizes(&i.generics).collect(), types: HashMap::new() };
        parameters.unify(&i.self_ty, of);
        (parameters.types.len() == parameters.names.len()).then_some(())?;
        // (Only with the types themselves is `T::Item` a path.)
        let ty = ty.to_token_stream();
        let own: Vec<String> = crate::expand::context::names(&f.sig.generics).collect();
        let here = |word: &String| {
            own.contains(word)
                || !parameters.types.contains_key(word)
                    && (self.context.generics.contains(word) || self.variables.items.contains(word))
        };
        if self.variables.unknown || words(ty.clone()).iter().any(here) || ty.to_string().contains("::") {
            return None;
        }
        parameters.types.insert("Self".into(), of.to_token_stream());
        syn::parse2(substituted(ty, &parameters.types)).ok()
    }
}

/// The type of the value in an `Option` or a `Result`.
fn content(ty: &Type) -> Option<Type> {
    let name = name_of(ty)?;
    (name == "Option" || name == "Result").then_some(())?;
    match arguments(ty).into_iter().next()? {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    }
}

/// The type and const arguments of a type.
fn arguments(ty: &Type) -> Vec<GenericArgument> {
    let Type::Path(p) = ty else { return Vec::new() };
    let Some(PathArguments::AngleBracketed(a)) = p.path.segments.last().map(|s| &s.arguments) else {
        return Vec::new();
    };
    a.args.iter().filter(|arg| !matches!(arg, GenericArgument::Lifetime(_))).cloned().collect()
}

/// The const parameters that are lengths.
pub(in crate::expand::methods) fn usizes(generics: &Generics) -> impl Iterator<Item = String> {
    let is = |c: &&syn::ConstParam| name_of(&c.ty).is_some_and(|name| name == "usize");
    generics.const_params().filter(is).map(|c| c.ident.to_string())
}

struct Found {
    names: Vec<String>,
    /// The const parameters among them that are lengths.
    usizes: Vec<String>,
    types: HashMap<String, TokenStream>,
}

impl Found {
    /// The parameters in a type, by a type that it is.
    fn unify(&mut self, ty: &Type, is: &Type) {
        let reference = |ty: &Type| matches!(behind_parens(ty), Type::Reference(_));
        let other = reference(is) && !reference(ty);
        let (ty, is) = (behind(ty), behind(is));
        if let Type::Path(p) = ty
            && let Some(name) = p.path.get_ident().map(ToString::to_string)
            && self.names.contains(&name)
        {
            // (Another type has no path that a name may follow.)
            if matches!(is, Type::Path(_)) && !other {
                self.types.entry(name).or_insert_with(|| as_path(is));
            }
            return;
        }
        match (ty, is) {
            (Type::Path(_), Type::Path(_)) if name_of(ty) == name_of(is) => {
                for both in arguments(ty).iter().zip(&arguments(is)) {
                    match both {
                        (GenericArgument::Type(ty), GenericArgument::Type(is)) => self.unify(ty, is),
                        (of, GenericArgument::Const(is)) => self.length(&of.to_token_stream(), is),
                        _ => {}
                    }
                }
            }
            (Type::Array(a), Type::Array(b)) => {
                self.unify(&a.elem, &b.elem);
                self.length(&a.len.to_token_stream(), &b.len);
            }
            (Type::Slice(a), Type::Slice(b)) => self.unify(&a.elem, &b.elem),
            (Type::Slice(a), Type::Array(b)) => self.unify(&a.elem, &b.elem),
            _ => {}
        }
    }

    /// A name or a number: anything else would mean another thing between operators.
    fn length(&mut self, of: &TokenStream, is: &Expr) {
        let name = of.to_string();
        let is = match is {
            Expr::Path(p) if p.path.get_ident().is_some() => is.to_token_stream(),
            Expr::Lit(l) => match &l.lit {
                Lit::Int(n) if n.suffix().is_empty() && self.usizes.contains(&name) => {
                    LitInt::new(&format!("{}usize", n.base10_digits()), n.span()).into_token_stream()
                }
                Lit::Int(n) if !n.suffix().is_empty() => n.to_token_stream(),
                Lit::Bool(b) => b.to_token_stream(),
                Lit::Char(c) => c.to_token_stream(),
                _ => return,
            },
            _ => return,
        };
        if self.names.contains(&name) {
            self.types.entry(name).or_insert(is);
        }
    }
}
