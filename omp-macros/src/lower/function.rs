//! Device functions and methods.
use super::cx::{Lower, Value};
use super::stmt::destructure;
use super::stmt::whole;
use super::{LoweredFn, macros};
use crate::diag::{Code as DiagCode, Sink};
use crate::sema::syntax::names;
use crate::sema::syntax::types::behind_parens;
use crate::visits;
use omp_ir::ids::{LocalId, SlotId};
use omp_ir::template::{FnTemplate, LocalKind, Stmt};
use quote::{quote, quote_spanned};
use std::collections::HashSet;
use syn::spanned::Spanned;

/// The context of a device function.
#[derive(Clone, Default)]
pub struct Around {
    /// Type parameters of an `impl` that are in scope.
    pub generics: Vec<String>,
    /// It stands in a trait, whose `Self` is one as well.
    pub generic: bool,
    /// `Self` is a type without parameters.
    pub concrete_self: bool,
    /// The bounds next to the body check that parameters by value are of device types.
    pub by_value_checked: bool,
}

/// Lowers a device function or method. A receiver is a parameter of the name `self`.
///
/// # Errors
/// When something was reported to the sink.
pub fn lower_fn(
    sig: &syn::Signature,
    block: &syn::Block,
    around: &Around,
    sink: &mut Sink,
) -> Result<LoweredFn, ()> {
    let before = sink.len();
    crate::parse::conditional::in_device_function(sig, block, sink);
    if sink.len() > before {
        return Err(());
    }
    let mut body = block.clone();
    crate::parse::imports::spell_out(&mut body, &|_| None);
    let kinds = |name: &syn::Ident| {
        let mut typed = sig.inputs.iter().filter_map(|input| match input {
            syn::FnArg::Typed(arg) => Some(arg),
            syn::FnArg::Receiver(_) => None,
        });
        typed.find_map(|arg| crate::iterate::of_parameter(&arg.pat, &arg.ty, name))
    };
    crate::sema::accesses::iterated_numbers::in_function(sig, block, sink);
    crate::iterate::block(sig, &mut body, &kinds, sink);
    let named = macros::desugar(&mut body);
    super::call::bool_methods::whens(&mut body);
    destructure::destructure(&mut body);
    let mut lower = Lower::new(None, 0);
    lower.iterates(|methods| syn::visit::Visit::visit_block(methods, block));
    lower.adaptors(|adaptors| syn::visit::Visit::visit_block(adaptors, block));
    lower.generics.clone_from(&around.generics);
    lower.concrete_self = around.concrete_self;
    lower.generics.extend(sig.generics.type_params().map(|t| t.ident.to_string()));
    lower.lenient = around.generic || !lower.generics.is_empty();
    compared_behind(sig, &lower.generics, &mut body);
    let typed = sig.inputs.iter().filter_map(|input| match input {
        syn::FnArg::Typed(arg) => Some(&arg.ty),
        syn::FnArg::Receiver(_) => None,
    });
    lower.checked_types =
        typed.filter(|_| around.by_value_checked).map(|ty| quote!(#ty).to_string()).collect();
    let mut sees = Vec::new();
    let params = sig.inputs.iter().map(|input| lower.param(input, &mut sees)).collect();
    let ret = match &sig.output {
        syn::ReturnType::Default => None,
        syn::ReturnType::Type(_, ty) if is_unit(ty) => None,
        syn::ReturnType::Type(_, ty) => {
            lower.returned_type(ty);
            Some(lower.typed_slot(ty))
        }
    };
    let (statements, _) = lower.nested(|this| {
        this.declare_params(sig, &mut sees);
        let by_value =
            matches!(&sig.output, syn::ReturnType::Type(_, ty) if !matches!(**ty, syn::Type::Reference(_)));
        this.fn_body(&mut body, ret, by_value)
    });
    lower.code.block = statements;
    if lower.report(sink) || !sink.is_empty() {
        return Err(());
    }
    let (names, stds) = (super::names::of_fn(sig, block), macros::are_std(&named));
    let (checks, stmts) = (&lower.checks, &body.stmts);
    // rustc reports a body that lacks a value at its end for the host's function.
    let ends = (!matches!(stmts.last(), Some(syn::Stmt::Expr(_, None))))
        .then(|| quote!(::omp::__private::core::unreachable!()));
    lower.typing.copy = crate::marks::without_marks(quote!(#names #stds #checks #(#sees)* #(#stmts)* #ends));
    let template = FnTemplate { name: sig.ident.to_string(), params, ret, code: lower.code };
    Ok(LoweredFn { template, typing: lower.typing })
}

impl Lower {
    fn fn_body(&mut self, body: &mut syn::Block, ret: Option<SlotId>, by_value: bool) -> Value {
        let src = self.src(body.brace_token.span.close());
        let Some(ret) = ret else {
            self.block(body, None);
            return None;
        };
        let result = self.local("result", LocalKind::Temp, None, true);
        self.result_by_value = by_value.then_some((result, ret));
        self.push(Stmt::Let { local: result, init: None });
        self.block(body, Some(result))?;
        let value = self.load(result, src);
        self.push(Stmt::Return(Some(value)));
        None
    }

    /// Declares a parameter; patterns are taken apart in [`Lower::declare_params`].
    fn param(&mut self, input: &syn::FnArg, sees: &mut Vec<syn::Stmt>) -> LocalId {
        let typed = match input {
            syn::FnArg::Receiver(r) => return self.receiver_param(r, sees),
            syn::FnArg::Typed(t) => t,
        };
        self.device_type(&typed.ty);
        let ident = match &*typed.pat {
            syn::Pat::Ident(i) if i.subpat.is_none() && i.by_ref.is_none() => {
                let _ = self.lower_case(&i.ident);
                Some((i.ident.clone(), i.mutability.is_some()))
            }
            _ => None,
        };
        let by_mut = is_mut(&typed.ty);
        let Some((ident, mutable)) = ident else {
            if by_mut {
                let help = "give the parameter a name";
                self.error(
                    DiagCode::UnsupportedPattern,
                    typed.pat.span(),
                    "a pattern for a `&mut` parameter",
                    help,
                );
            }
            let slot = self.typed_slot(&typed.ty);
            return self.local("argument", LocalKind::User, Some(slot), false);
        };
        let name = ident.to_string();
        let local = if is_slice(&typed.ty) {
            let (slot, query) = self.slot(ident.span());
            let tokens = quote_spanned!(ident.span()=> #query.see_elem(&#ident));
            sees.push(syn::Stmt::Expr(syn::Expr::Verbatim(tokens), Some(Default::default())));
            self.local(&name, LocalKind::Slice, Some(slot), by_mut)
        } else {
            let (slot, see) = self.query_local(&ident);
            sees.push(see);
            let kind = if by_mut { LocalKind::Ref } else { LocalKind::User };
            self.local(&name, kind, Some(slot), mutable || by_mut)
        };
        if by_mut && mutable {
            self.rebound.insert(local);
        }
        if !by_mut && !mutable {
            self.fixed.insert(local);
        }
        self.bind(&name, local);
        local
    }

    fn receiver_param(&mut self, r: &syn::Receiver, sees: &mut Vec<syn::Stmt>) -> LocalId {
        let ident = syn::Ident::new("self", r.self_token.span());
        let (kind, mutable) = match &r.kind {
            syn::ReceiverKind::Reference(_, _, Some(_)) => (LocalKind::Ref, true),
            syn::ReceiverKind::Reference(_, _, None) | syn::ReceiverKind::Value => {
                (LocalKind::User, r.mutability.is_some())
            }
            _ => {
                let help = "write `self`, `&self` or `&mut self`";
                self.error(
                    DiagCode::DeviceSignature,
                    r.span(),
                    "this receiver can't be used on a device",
                    help,
                );
                (LocalKind::User, false)
            }
        };
        let (slot, see) = self.query_local(&ident);
        sees.push(see);
        let local = self.local("self", kind, Some(slot), mutable);
        if !mutable {
            self.fixed.insert(local);
        }
        self.bind("self", local);
        local
    }

    /// Takes parameters apart that are patterns.
    fn declare_params(&mut self, sig: &syn::Signature, sees: &mut Vec<syn::Stmt>) {
        let unsupported = [
            (sig.asyncness.map(|t| t.span()), "`async`"),
            (matches!(sig.safety, syn::Safety::Unsafe(_)).then(|| sig.safety.span()), "`unsafe`"),
            (sig.abi.as_ref().map(Spanned::span), "`extern`"),
            (sig.variadic.as_ref().map(Spanned::span), "variadic arguments"),
        ];
        for (span, what) in unsupported {
            if let Some(span) = span {
                let help = "device functions are plain safe Rust functions";
                self.error(DiagCode::DeviceSignature, span, format!("{what} on a device function"), help);
            }
        }
        for (i, input) in sig.inputs.iter().enumerate() {
            let syn::FnArg::Typed(t) = input else { continue };
            match &*t.pat {
                syn::Pat::Ident(i) if i.subpat.is_none() && i.by_ref.is_none() => {}
                pat => {
                    let subject = super::pattern::Subject::Place(whole(LocalId::new(i)));
                    let (_, bound) = self.test_and_bind(&subject, &mut pat.clone());
                    self.bind_all(bound, sees);
                }
            }
        }
    }

    /// Reports types that no device function can have.
    fn device_type(&mut self, ty: &syn::Type) {
        let ty = behind_parens(ty);
        match ty {
            syn::Type::Reference(r) if r.mutability.is_some() && holds_reference(&r.elem) => {
                let help = "take `&mut T` or `&mut [T]` of a device type `T`";
                self.error(DiagCode::DeviceSignature, r.span(), "a `&mut` to a reference", help);
            }
            syn::Type::Reference(r) => {
                if is_mut(&r.elem) {
                    let help = "take `&T` or `&mut T`";
                    self.error(DiagCode::DeviceSignature, r.span(), "a reference to a `&mut`", help);
                }
                self.device_type(&r.elem);
            }
            syn::Type::Tuple(_) | syn::Type::Array(_) | syn::Type::Slice(_) if holds_reference(ty) => {
                let help = "pass references as arguments of their own";
                self.error(
                    DiagCode::DeviceSignature,
                    ty.span(),
                    "references in data can't go to a device",
                    help,
                );
            }
            syn::Type::ImplTrait(_) | syn::Type::TraitObject(_) | syn::Type::FnPtr(_) | syn::Type::Ptr(_) => {
                self.error(
                    DiagCode::DeviceSignature,
                    ty.span(),
                    "this type can't be used on a device",
                    "numbers, `bool`, tuples, fixed arrays, `#[derive(omp::Device)]` types, slices `&[T]` of them, and type parameters can",
                );
            }
            _ => {}
        }
    }

    /// Reports types that no device function can return.
    fn returned_type(&mut self, ty: &syn::Type) {
        if is_mut(ty) || is_slice(ty) {
            let help = "return the value, an index, or a fixed array";
            self.error(
                DiagCode::DeviceSignature,
                ty.span(),
                "a device function can't return a `&mut` or a slice",
                help,
            );
        } else {
            self.device_type(ty);
        }
    }
}

fn is_unit(ty: &syn::Type) -> bool {
    matches!(ty, syn::Type::Tuple(t) if t.elems.is_empty())
}

/// `&mut T`
fn is_mut(ty: &syn::Type) -> bool {
    match behind_parens(ty) {
        syn::Type::Reference(r) => r.mutability.is_some(),
        _ => false,
    }
}

/// Whether a type's tokens contain a reference.
fn holds_reference(ty: &syn::Type) -> bool {
    match behind_parens(ty) {
        syn::Type::Reference(_) => true,
        syn::Type::Array(a) => holds_reference(&a.elem),
        syn::Type::Slice(s) => holds_reference(&s.elem),
        syn::Type::Tuple(t) => t.elems.iter().any(holds_reference),
        _ => false,
    }
}

/// `&[T]`
fn is_slice(ty: &syn::Type) -> bool {
    match behind_parens(ty) {
        syn::Type::Reference(r) => matches!(&*r.elem, syn::Type::Slice(_)) || is_slice(&r.elem),
        _ => false,
    }
}

/// `(*a).cmp(b)` for `a.cmp(b)`, where `a: &T` of a type parameter `T`. The bound names the method of `T` itself, which the stand-in of the typing
/// copy takes by `&mut`.
fn compared_behind(sig: &syn::Signature, generics: &[String], body: &mut syn::Block) {
    let times = names::times_bound(sig, body);
    let behind = sig.inputs.iter().filter_map(|input| {
        let syn::FnArg::Typed(arg) = input else { return None };
        let (syn::Pat::Ident(p), syn::Type::Reference(r)) = (&*arg.pat, &*arg.ty) else { return None };
        let syn::Type::Path(of) = &*r.elem else { return None };
        let of = of.path.get_ident()?.to_string();
        let name = p.ident.to_string();
        (generics.contains(&of) && times.get(&name) == Some(&1)).then_some(name)
    });
    let behind: HashSet<String> = behind.collect();
    let is_behind = |name: &syn::Ident| behind.contains(&name.to_string());
    visits::change(body, |e| {
        if let syn::Expr::MethodCall(m) = e
            && (m.method == "cmp" || m.method == "partial_cmp")
            && matches!(&*m.receiver, syn::Expr::Path(p) if p.path.get_ident().is_some_and(is_behind))
        {
            let receiver = &m.receiver;
            *m.receiver = syn::parse_quote!((*#receiver));
        }
    });
}
