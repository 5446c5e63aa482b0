//! Which function, or which method of which type, a call means, and its body in the place of the call.
use super::body::Why;
use super::expressions::{is_plain_place, is_pure, is_pure_with, made, whole};
use super::type_parameters::infer_types;
use super::{Inline, RECEIVER, borrowing};
use crate::expand::context;
use crate::expand::methods::items::tier;
use crate::expand::methods::values::Ty;
use crate::expand::methods::{Method, Methods, behind_parens, found, modules, name_of, templates, words};
use crate::iterate::{hidden, parentheses, substituted};
use crate::parse::tokens::source::OF_CHAIN;
use crate::sema::syntax::effects;
use crate::sema::syntax::forms::{behind_references, strip, strip_mut};
use crate::sema::syntax::names::bound;
use crate::sema::syntax::{place, search};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use std::collections::{HashMap, HashSet};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Expr, ExprMethodCall, FnArg, GenericParam, ItemFn, Stmt, Type, UnOp};

impl<'a> Inline<'a> {
    /// The replacement of a call. `None` for a method that is not one of a known struct.
    pub(super) fn call(&mut self, call: &ExprMethodCall) -> Option<Expr> {
        let name = self.methods.of_place(&call.receiver, &self.known)?;
        let methods = self.methods.structs.clone();
        let of = methods.iter().find(|s| s.name == name)?;
        let method = of.methods.iter().find(|m| m.function.sig.ident == call.method)?;
        let args: Vec<Expr> = call.args.iter().cloned().collect();
        let (function, given) = instance(method.function.clone(), call.turbofish.as_ref())?;
        let mut method = Method { given, ..method.with(templates::without_closures(function)) };
        if of.borrows
            && let Some(own) = borrowing::with_own_self(&method)
        {
            method = Method { given: method.given.clone(), ..own };
        }
        let method = &method;
        let mut result = self.reported(method, Some((&call.receiver, &name)), &args, &call.method)?;
        if let Expr::Reference(r) = &mut result
            && let Expr::Index(element) = &mut *r.expr
        {
            element.bracket_token = syn::token::Bracket(call.paren_token.span.close());
        }
        Some(result)
    }

    /// The replacement of a call of a device value's method that returns a place.
    pub(super) fn value_call(&mut self, call: &ExprMethodCall) -> Option<Expr> {
        let name = self.named_type(&call.receiver)?;
        let methods: &'a Methods = self.methods;
        let places = &methods.values.find(&name)?.places;
        let method = places.iter().find(|m| m.function.sig.ident == call.method)?;
        if !self.is_steady(&call.receiver) {
            // An iterator is made where its receiver is bound.
            let iterator = templates::gives_an_iterator(&method.function.sig);
            return if iterator { self.bound_method(call, method) } else { None };
        }
        let args: Vec<Expr> = call.args.iter().cloned().collect();
        self.reported(method, Some((&call.receiver, &name)), &args, &call.method)
    }

    /// The device type of a value, unless the function has another item of that name.
    pub(super) fn named_type(&self, e: &Expr) -> Option<String> {
        match self.types.of(e)? {
            Ty::Named(name) if !self.variables.items.contains(&name) => Some(name),
            _ => None,
        }
    }

    /// The replacement of a call of a function that takes a struct.
    pub(super) fn function(&mut self, call: &syn::ExprCall) -> Option<Expr> {
        let functions = self.methods.functions.clone();
        let (name, method) = self.named(call, &functions)?;
        let args: Vec<Expr> = call.args.iter().cloned().collect();
        let span = name.span();
        let instead = || made(quote_spanned!(span=> ::omp::__private::core::unreachable!()));
        if templates::may_give_slices(&method.function.sig) {
            // (`tried` has taken the calls whose slice the caller takes at once.)
            let help = format!("take the slice at once: `let Some(part) = {name}(…) else {{ … }};`");
            return self.or_reported(Err(Why::new("a device has no option of a slice", help)), name);
        }
        let value = self.reported(&method, None, &args, name).unwrap_or_else(instead);
        Some(match found::found_by(&method.function.sig) {
            Some((content, _)) => found::found(&value, call, &content),
            None => value,
        })
    }

    /// `f(&grid.view(i), n)`, `row.overlap(&grid.view(i))`: a struct that owns or borrows arrays has a name before the call; not yet visited.
    pub(super) fn made_first(&mut self, e: &Expr) -> Option<Expr> {
        let mut e = e.clone();
        let (span, (sig, args)) = (
            e.span(),
            match &mut e {
                Expr::Call(call) => {
                    let functions = self.methods.functions.clone();
                    let (_, method) = self.named(call, &functions)?;
                    (method.function.sig, &mut call.args)
                }
                Expr::MethodCall(call) => (self.sig_of_method(call)?, &mut call.args),
                _ => return None,
            },
        );
        let mut lets = Vec::new();
        let params = sig.inputs.iter().filter_map(|input| match input {
            FnArg::Typed(param) => Some(param),
            FnArg::Receiver(_) => None,
        });
        for (param, arg) in params.zip(args.iter_mut()) {
            let value = match &mut *arg {
                Expr::Reference(r) => &mut *r.expr,
                value if self.borrowing(value).is_some() => value,
                _ => continue,
            };
            // (It is evaluated before what stands before it.)
            let made_here = matches!(strip(value), Expr::MethodCall(_) | Expr::Call(_) | Expr::Struct(_))
                && self.methods.named(&param.ty).is_some()
                && self.made_purely(value);
            if made_here {
                self.chains += 1;
                let name = Ident::new(&format!("{OF_CHAIN}{}_made", self.chains), value.span());
                let value = std::mem::replace(value, made(name.to_token_stream()));
                lets.push(quote_spanned!(name.span()=> #[allow(unused_mut)] let mut #name = #value;));
            }
        }
        if lets.is_empty() || !args.iter().all(|arg| is_pure(arg, &self.changing)) {
            return None;
        }
        Some(made(parentheses(quote_spanned!(span=> { #(#lets)* #e }))))
    }

    /// `let taps = kernel.row(x.fract());` of a method or function that gives a slice: the ends of the slice may name an argument more
    /// than once, so one that is computed has a name before the statement. Not yet visited.
    pub(super) fn arguments_first(&mut self, s: &Stmt) -> Option<Vec<Stmt>> {
        let Stmt::Local(mut l) = s.clone() else { return None };
        let init = l.init.as_mut().filter(|init| init.diverge.is_none())?;
        let values = match strip_mut(&mut init.expr) {
            Expr::Tuple(t) => t.elems.iter_mut().collect(),
            value => vec![value],
        };
        let (mut lets, mut kept) = (Vec::new(), HashSet::new());
        for value in values {
            let sig = match strip(value) {
                Expr::Call(call) => {
                    let functions = self.methods.functions.clone();
                    self.named(call, &functions).map(|(_, method)| method.function.sig)
                }
                Expr::MethodCall(call) => self.sig_of_method(call),
                _ => None,
            };
            let of_slice = sig.is_some_and(|sig| templates::gives_a_slice(&sig));
            let args = match strip_mut(value) {
                Expr::Call(syn::ExprCall { args, .. }) if of_slice => args,
                Expr::MethodCall(ExprMethodCall { receiver, args, .. }) if of_slice => {
                    kept.extend(words(receiver.to_token_stream()));
                    args
                }
                other if is_pure(other, &self.changing) => {
                    kept.extend(words(other.to_token_stream()));
                    continue;
                }
                _ => return None,
            };
            for arg in args {
                let tokens = arg.to_token_stream();
                if is_pure(arg, &self.changing) {
                    kept.extend(words(tokens));
                    continue;
                }
                // (What stands before it is evaluated after it.)
                let changes = || {
                    let may = |word: &String| kept.contains(word) || self.changing.contains(word);
                    effects::of(arg, None, &|_| true).is_some() && words(tokens.clone()).iter().any(may)
                };
                if matches!(strip(arg), Expr::Closure(_) | Expr::Reference(_)) || changes() {
                    return None;
                }
                let name = self.own_name("argument", arg.span());
                lets.push(syn::parse_quote_spanned!(name.span()=> let #name = #tokens;));
                *arg = made(name.to_token_stream());
            }
        }
        (!lets.is_empty()).then(|| lets.into_iter().chain([Stmt::Local(l)]).collect())
    }

    /// Whether nothing changes where a struct is made.
    fn made_purely(&self, value: &Expr) -> bool {
        match strip(value) {
            Expr::Struct(of) => of.rest.is_none() && of.fields.iter().all(|f| self.made_purely(&f.expr)),
            Expr::Array(of) => of.elems.iter().all(|e| self.made_purely(e)),
            value => is_pure_with(value, &self.changing, &|method| self.only_reads(method)),
        }
    }

    /// Whether all methods of this name that are declared here change nothing.
    fn only_reads(&self, name: &str) -> bool {
        let methods = self.methods.structs.iter().flat_map(|of| &of.methods);
        let mut declared = methods.filter(|m| m.function.sig.ident == name).peekable();
        let changes = |input: &FnArg| match input {
            FnArg::Receiver(this) => matches!(this.kind, syn::ReceiverKind::Reference(_, _, Some(_))),
            FnArg::Typed(param) => {
                words(param.ty.to_token_stream()).iter().any(|word| word == "mut" || word == "FnMut")
            }
        };
        declared.peek().is_some() && !declared.any(|m| m.function.sig.inputs.iter().any(changes))
    }

    /// The signature of the method that a call means, of a struct whose values have a place.
    fn sig_of_method(&self, call: &ExprMethodCall) -> Option<syn::Signature> {
        let name = self.methods.of_place(&call.receiver, &self.known)?;
        let of = self.methods.structs.iter().find(|s| s.name == name)?;
        let method = of.methods.iter().find(|m| m.function.sig.ident == call.method)?;
        Some(method.function.sig.clone())
    }

    /// Whether a name is a variable's where it stands.
    pub(super) fn is_variable(&self, name: &Ident) -> bool {
        let name = name.to_string();
        let outside = self.outside.iter().flatten().any(|of| *of == name);
        outside
            || self.types.is_bound(&name, self.outside.is_some())
            || self.around.iter().any(|names| names.contains(&name))
    }

    /// The function among these that a call means.
    pub(super) fn named<'c>(
        &self,
        call: &'c syn::ExprCall,
        functions: &[ItemFn],
    ) -> Option<(&'c Ident, Method)> {
        let Expr::Path(p) = &*call.func else { return None };
        let (first, segment) = (&p.path.segments.first()?.ident, p.path.segments.last()?);
        let name = &segment.ident;
        if p.qself.is_some() || p.path.leading_colon.is_some() {
            return None;
        }
        let known = modules::by_path(&p.path);
        let mut named = functions.iter().filter(|f| f.sig.ident == known);
        let (f, None) = (named.next()?, named.next()) else { return None };
        let is_variable = p.path.get_ident().is_some() && self.is_variable(name);
        if is_variable || self.variables.items.contains(&first.to_string()) {
            return None;
        }
        let (sig, block) = (&f.sig, &f.block);
        let given = match &segment.arguments {
            syn::PathArguments::AngleBracketed(given) => Some(given),
            _ => None,
        };
        let (function, given) = instance(syn::parse_quote!(#sig #block), given)?;
        let mut function = templates::without_closures(function);
        infer_types(&mut function);
        let generics = context::names(&function.sig.generics).collect();
        Some((name, Method { generics, usizes: Vec::new(), function, ty: syn::parse_quote!(()), given }))
    }

    /// A call of a device function that takes a whole array from outside of the region by `&mut`, or one that the region writes: its body
    /// shows which elements it uses. A call that can't be inlined stays, and counts as a use of the whole.
    pub(super) fn of_array(&mut self, call: &syn::ExprCall) -> Option<Expr> {
        self.region.as_ref()?;
        let claims = self.claims(&call.args);
        let functions = self.methods.of_arrays.clone();
        let (name, method) = match self.named(call, &functions) {
            Some((name, method)) => (name.clone(), method),
            None if claims => self.associated_of_array(call)?,
            None => return None,
        };
        let outside = |(input, arg): (&FnArg, &Expr)| {
            let FnArg::Typed(param) = input else { return false };
            let Some(exclusive) = templates::reference_to_array(&param.ty) else { return false };
            let array = behind_references(arg);
            let written = || place::scalar_key(array).is_some_and(|key| self.written.contains(&key));
            whole(&param.ty, arg).is_some() && (exclusive || written()) && self.is_outside(array)
        };
        let stands = if claims {
            !dereferences(&method.function)
        } else {
            method.function.sig.inputs.iter().zip(&call.args).any(outside)
                && !search::any(&method.function.block, is_dereferenced)
        };
        let args: Vec<Expr> = call.args.iter().map(|arg| self.unborrowed(arg).clone()).collect();
        if stands { self.tried_body(&method, &args, &name) } else { None }
    }

    /// A call of a device type's method that takes an array in `disjoint`: its body shows which elements an iteration
    /// claims.
    pub(super) fn method_of_array(&mut self, call: &ExprMethodCall) -> Option<Expr> {
        if !self.claims(&call.args) || self.variables.unknown {
            return None;
        }
        let all = self.methods.array_methods.clone();
        let of = self.named_type(&call.receiver)?;
        let suits = |m: &&Method| {
            let same = name_of(&m.ty).is_some_and(|ty| self.methods.values.is_named(&of, &ty));
            m.function.sig.ident == call.method && m.function.sig.receiver().is_some() && same
        };
        let named: Vec<&Method> = all.iter().filter(suits).collect();
        let [method] = named[..] else { return None };
        if call.args.len() + 1 != method.function.sig.inputs.len() || dereferences(&method.function) {
            return None;
        }
        let (heard, failed) = (self.sink.len(), self.failed);
        let args = call.args.iter().map(|arg| self.unborrowed(arg).clone()).collect();
        let body = self.bound_method(&ExprMethodCall { args, ..call.clone() }, method);
        if self.sink.len() == heard {
            return body;
        }
        self.sink.take_since(heard);
        self.failed = failed;
        None
    }

    /// `Row::dot(row, x)`
    fn associated_of_array(&self, call: &syn::ExprCall) -> Option<(Ident, Method)> {
        let Expr::Path(p) = &*call.func else { return None };
        let [of, name] = &p.path.segments.iter().collect::<Vec<_>>()[..] else { return None };
        if p.qself.is_some() || !of.arguments.is_none() || !name.arguments.is_none() {
            return None;
        }
        let this = if of.ident == "Self" { self.methods.owner.clone()? } else { of.ident.to_string() };
        let is = |m: &&Method| {
            let sig = &m.function.sig;
            name_of(&m.ty).as_ref() == Some(&this) && sig.ident == name.ident && sig.receiver().is_none()
        };
        let method = self.methods.array_methods.iter().find(is)?;
        if self.variables.items.contains(&this) || self.variables.unknown || !method.generics.is_empty() {
            return None;
        }
        let mut function = templates::without_closures(method.function.clone());
        if self.methods.owner.as_ref() != Some(&this) {
            let names = HashMap::from([("Self".to_owned(), as_path(&method.ty))]);
            function = syn::parse2(substituted(function.to_token_stream(), &names)).ok()?;
        }
        Some((name.ident.clone(), method.with(function)))
    }

    /// The body of a function in the place of its call. Nothing is reported if it can't stand there.
    fn tried_body(&mut self, method: &Method, args: &[Expr], name: &Ident) -> Option<Expr> {
        let (heard, failed) = (self.sink.len(), self.failed);
        let body = self.body(method, None, args, name).ok();
        if self.sink.len() > heard {
            self.sink.take_since(heard);
            self.failed = failed;
            return None;
        }
        self.found |= body.is_some();
        body
    }

    /// Whether the root of a place is a variable from outside of the region.
    fn is_outside(&self, place: &Expr) -> bool {
        let Some(own) = &self.region else { return false };
        place::root(place)
            .map(ToString::to_string)
            .is_some_and(|root| root == "self" || self.context.names.contains(&root) && !own.contains(&root))
    }

    /// Whether one of these arguments is an array whose elements iterations claim.
    fn claims(&self, args: &Punctuated<Expr, syn::Token![,]>) -> bool {
        !self.claimed.is_empty() && args.iter().any(|arg| self.is_claimed(self.unborrowed(arg)))
    }

    fn is_claimed(&self, arg: &Expr) -> bool {
        let arg = behind_references(arg);
        place::scalar_key(arg).is_some_and(|key| self.claimed.contains(&key)) && self.is_outside(arg)
    }

    /// `&*x` of such an array as `x`, which stands for it.
    fn unborrowed<'e>(&self, arg: &'e Expr) -> &'e Expr {
        match behind_references(arg) {
            Expr::Unary(u) if matches!(u.op, UnOp::Deref(_)) && self.is_claimed(&u.expr) => &u.expr,
            _ => arg,
        }
    }

    /// A call of a function of such a struct that takes no `self`: `Self::wrap(i, n)`.
    pub(super) fn associated(&mut self, call: &syn::ExprCall) -> Option<Expr> {
        let (method, _, at) = self.associated_method(call)?;
        let args: Vec<Expr> = call.args.iter().cloned().collect();
        let value = self.reported(&method, None, &args, &at)?;
        Some(match found::found_by(&method.function.sig) {
            Some((content, _)) => found::found(&value, call, &content),
            None => value,
        })
    }

    /// The function of such a struct that a call means, and the struct.
    pub(super) fn associated_method(&self, call: &syn::ExprCall) -> Option<(Method, String, Ident)> {
        let Expr::Path(p) = &*call.func else { return None };
        let [of, name] = &p.path.segments.iter().collect::<Vec<_>>()[..] else { return None };
        // (A generic type has got `_` for its parameters.)
        let inferred_arguments = match &of.arguments {
            syn::PathArguments::None => true,
            syn::PathArguments::AngleBracketed(of) => {
                of.args.iter().all(|arg| matches!(arg, syn::GenericArgument::Type(Type::Infer(_))))
            }
            syn::PathArguments::Parenthesized(_) => false,
        };
        if p.qself.is_some() || !inferred_arguments || !name.arguments.is_none() {
            return None;
        }
        let of_self = || self.methods.this.clone().or_else(|| self.methods.owner.clone());
        let this = if of.ident == "Self" { of_self()? } else { of.ident.to_string() };
        if self.variables.items.contains(&this) {
            return None;
        }
        let is = |m: &&Method| m.function.sig.ident == name.ident && m.function.sig.receiver().is_none();
        let of_device_type = |m: &&Method| name_of(&m.ty).as_ref() == Some(&this) && is(m);
        let method = match self.methods.find(&this) {
            Some(of) => of.methods.iter().find(is)?,
            None => self.methods.inlined.iter().find(of_device_type)?,
        };
        let same = self.methods.this.as_ref() == Some(&this);
        let mut function = templates::without_closures(method.function.clone());
        if !same {
            let mut of_self = as_path(&method.ty);
            if self.methods.find(&this).is_none() {
                // What a device type has for the parameters of its `impl`, rustc infers.
                of_self = substituted(of_self, &inferred(method, name.ident.span()));
            }
            let names = HashMap::from([("Self".to_owned(), of_self)]);
            function = syn::parse2(substituted(function.to_token_stream(), &names)).ok()?;
        }
        let method = method.with(function);
        Some((method, this, name.ident.clone()))
    }

    /// The replacement of a call of a device type's method that takes closures. The receiver is bound to its type first, so that rustc
    /// refuses any other that has a method of this name.
    pub(super) fn inlined_method(&mut self, call: &ExprMethodCall) -> Option<Expr> {
        let name = call.method.to_string();
        let inlined = self.methods.inlined.clone();
        let of = match self.types.of(&call.receiver) {
            Some(Ty::Named(of)) if self.methods.values.find(&of).is_some() => Some(of),
            _ => None,
        };
        let suits = |m: &&Method| {
            let ty = name_of(&m.ty);
            m.function.sig.ident == name
                && of.iter().zip(ty).all(|(of, ty)| self.methods.values.is_named(of, &ty))
        };
        // Types of the module come before those that it imports, and these before those that only others name.
        let mut named: Vec<&Method> = inlined.iter().filter(suits).collect();
        let nearest = named.iter().map(|m| tier(&m.ty)).min();
        named.retain(|m| Some(tier(&m.ty)) == nearest);
        let [method] = named[..] else { return None };
        if of.is_none() && self.methods.several.contains(&(tier(&method.ty), name.clone())) {
            return None;
        }
        // A variable or a place of a std type with such a method is rare if the module has a method of the name.
        let of_type = matches!(self.types.of(&call.receiver), Some(Ty::Named(of)) if Some(&of) == name_of(&method.ty).as_ref());
        if name_of(&method.ty).is_some_and(|ty| self.variables.items.contains(&ty)) {
            return None;
        }
        // Std's types with such methods have no operators.
        let is_sum = matches!(strip(&call.receiver), Expr::Binary(b) if !matches!(b.op, syn::BinOp::And(_) | syn::BinOp::Or(_)));
        let of_std = matches!(
            self.types.of(&call.receiver),
            Some(Ty::Option(_) | Ty::Array(_) | Ty::Fixed(_) | Ty::Tuple(_))
        );
        let may_be = is_plain_place(&call.receiver) || is_sum || of_type;
        let is_theirs = (templates::is_std(&name) || name == "peek") && (of_std || !may_be);
        if is_theirs || self.variables.unknown || call.args.len() + 1 != method.function.sig.inputs.len() {
            return None;
        }
        self.bound_method(call, method)
    }

    /// The call of a device type's method, whose receiver is bound.
    fn bound_method(&mut self, call: &ExprMethodCall, method: &Method) -> Option<Expr> {
        let span = call.receiver.span();
        let this = hidden(RECEIVER, span);
        let ty = behind_parens(&method.ty);
        // What the receiver's type has for the parameters of the `impl`, rustc infers.
        let any = inferred(method, span);
        let same = name_of(&method.ty).is_some_and(|of| {
            [&self.methods.this, &self.methods.owner].into_iter().any(|this| this.as_ref() == Some(&of))
        });
        let of_self = if same { as_path(ty) } else { substituted(as_path(ty), &any) };
        let names =
            HashMap::from([("Self".to_owned(), of_self), ("self".to_owned(), this.to_token_stream())]);
        let (function, of_call) = instance(method.function.clone(), call.turbofish.as_ref())?;
        let mut function = templates::without_closures(function);
        infer_types(&mut function);
        function.block = syn::parse2(substituted(function.block.to_token_stream(), &names)).ok()?;
        let output = &function.sig.output;
        function.sig.output = syn::parse2(substituted(output.to_token_stream(), &names)).ok()?;
        let mut inputs = function.sig.inputs.iter();
        let Some(FnArg::Receiver(receiver)) = inputs.next() else { return None };
        let (mutable, value) = (&receiver.mutability, &call.receiver);
        let any = substituted(ty.to_token_stream(), &any);
        let (first, given): (FnArg, Expr) = match &receiver.kind {
            syn::ReceiverKind::Value => (
                syn::parse_quote_spanned!(span=> #mutable #this: #any),
                made(quote_spanned!(span=> { let #this: &#any = &#value; *#this })),
            ),
            syn::ReceiverKind::Reference(_, _, None) => {
                (syn::parse_quote_spanned!(span=> #this: &#any), made(quote_spanned!(span=> &#value)))
            }
            syn::ReceiverKind::Reference(_, _, Some(_)) => {
                (syn::parse_quote_spanned!(span=> #this: &mut #any), made(quote_spanned!(span=> &mut #value)))
            }
            _ => return None,
        };
        let rest: Vec<FnArg> = inputs
            .map(|input| syn::parse2(substituted(input.to_token_stream(), &names)))
            .collect::<Result<_, _>>()
            .ok()?;
        function.sig.inputs = std::iter::once(first).chain(rest).collect();
        let method = Method { given: of_call, ..method.with(function) };
        let args: Vec<Expr> = std::iter::once(given).chain(call.args.iter().cloned()).collect();
        let instead = || made(quote_spanned!(span=> ::omp::__private::core::unreachable!()));
        let value = self.reported(&method, None, &args, &call.method).unwrap_or_else(instead);
        Some(match found::found_by(&method.function.sig) {
            Some((content, _)) => found::found(&value, call, &content),
            None => value,
        })
    }

    /// `k.absorb(a).absorb(b)` of methods that return their `&mut self`: one call after the other.
    pub(super) fn in_turn(&mut self, e: &Expr) -> Option<Expr> {
        let Expr::MethodCall(last) = e else { return None };
        let mut calls = vec![last];
        let mut root = &*last.receiver;
        while let Expr::MethodCall(m) = behind_references(root)
            && self.methods.values.is_builder(&m.method.to_string())
        {
            calls.push(m);
            root = &m.receiver;
        }
        if calls.len() == 1 {
            return None;
        }
        calls.reverse();
        let span = last.method.span();
        let named = Ident::new("__device_value_built", Span::mixed_site().located_at(span));
        let place = self.is_steady(root);
        if !place && is_plain_place(root) {
            return None;
        }
        self.found = true;
        let this = if place { root.to_token_stream() } else { named.to_token_stream() };
        let calls = calls.into_iter().map(|m| {
            let (method, turbofish, args) = (&m.method, &m.turbofish, &m.args);
            quote_spanned!(span=> #this.#method #turbofish(#args))
        });
        let before = (!place).then(|| quote_spanned!(span=> let mut #named = #root;));
        Some(made(quote_spanned!(span=> { #before #(#calls);* })))
    }
}

/// A function whose parameters that a call gives are what it gives, and the names in these, which mean the same here as at the call.
fn instance(
    mut function: syn::ImplItemFn,
    given: Option<&syn::AngleBracketedGenericArguments>,
) -> Option<(syn::ImplItemFn, Vec<String>)> {
    let given = templates::given(&function.sig, given);
    if given.is_empty() {
        return Some((function, Vec::new()));
    }
    // A word of the function's own has its meaning there, whatever the call gives.
    let own: HashSet<String> = words(function.block.to_token_stream())
        .into_iter()
        .filter(|word| !given.contains_key(word))
        .collect();
    let params = std::mem::take(&mut function.sig.generics.params);
    function = syn::parse2(substituted(function.to_token_stream(), &given)).ok()?;
    let is_given = |p: &GenericParam| match p {
        GenericParam::Type(t) => given.contains_key(&t.ident.to_string()),
        GenericParam::Const(c) => given.contains_key(&c.ident.to_string()),
        GenericParam::Lifetime(_) => false,
    };
    function.sig.generics.params = params.into_iter().filter(|p| !is_given(p)).collect();
    let given = given.into_values().flat_map(words).filter(|word| !own.contains(word));
    Some((function, given.collect()))
}

/// A type as it stands in types and in expressions, outside of its `impl`.
pub(super) fn as_path(ty: &Type) -> TokenStream {
    let mut ty = behind_parens(ty).clone();
    if let Type::Path(p) = &mut ty {
        for segment in &mut p.path.segments {
            let syn::PathArguments::AngleBracketed(a) = &mut segment.arguments else { continue };
            let is_lifetime = |a: &syn::GenericArgument| matches!(a, syn::GenericArgument::Lifetime(_));
            a.args = std::mem::take(&mut a.args).into_iter().filter(|a| !is_lifetime(a)).collect();
            a.colon2_token = Some(Default::default());
            if a.args.is_empty() {
                segment.arguments = syn::PathArguments::None;
            }
        }
    }
    ty.into_token_stream()
}

/// Whether a function uses an array that it takes as a whole.
fn dereferences(f: &syn::ImplItemFn) -> bool {
    let arrays = f.sig.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(arg) if templates::reference_to_array(&arg.ty).is_some() => Some(bound(&arg.pat)),
        _ => None,
    });
    let arrays: Vec<String> = arrays.flatten().collect();
    let is_array = |e: &Expr| matches!(strip(e), Expr::Path(p) if p.path.get_ident().is_some_and(|name| arrays.contains(&name.to_string())));
    search::any(
        &f.block,
        |e| matches!(e, Expr::Unary(u) if matches!(u.op, UnOp::Deref(_)) && is_array(&u.expr)),
    )
}

/// `*x` of a variable, which may be an array as a whole, and `?`, which leaves a function of its own.
fn is_dereferenced(e: &Expr) -> bool {
    match e {
        Expr::Unary(u) => matches!(u.op, UnOp::Deref(_)) && matches!(&*u.expr, Expr::Path(_)),
        e => matches!(e, Expr::Try(_)),
    }
}

/// `_` for the parameters of a method's `impl`.
fn inferred(method: &Method, span: Span) -> HashMap<String, TokenStream> {
    method.generics.iter().map(|name| (name.clone(), quote_spanned!(span=> _))).collect()
}
