//! Calls. Only rustc knows which function a name means. So the typing copy names the callee's companion next to the call.
//! Results go to temporaries, because the callee may be a device function.
pub(super) mod argument;
pub(super) mod bool_methods;
pub(super) mod counting;
pub(super) mod mem;
mod method;
pub(super) mod probe;
pub(super) mod undeclared;

use super::Function;
use super::cx::{Flow, Lower, Name, Value, hidden};
use super::expr::literal::is_untyped;
use super::expr::literal::prim;
use super::expr::place::is_capital;
use super::expr::{last_name, std_variant, wrapped};
use super::generated_names::Made;
use crate::ast::private_name;
use crate::diag::Code as DiagCode;
use crate::parse::operators::{BINARY, UNARY};
use crate::parse::tokens::file::SourceFile;
use crate::parse::tokens::leaves::group;
use crate::sema::syntax::forms::strip;
use crate::sema::syntax::host_functions;
use omp_ir::desc::Prim;
use omp_ir::ids::{CallId, ExprId};
use omp_ir::kernel::Ty;
use omp_ir::method::Method;
use omp_ir::template::{Base, Expr, Place, Stmt, ThreadQuery, TyRef};
use probe::takes_each;
use proc_macro2::Delimiter;
use proc_macro2::Ident;
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;

/// The prefix of the names of hidden methods in the typing copy.
pub(super) const PREFIX: &str = "omp_E0709_declare_target_";

/// The prefix for methods with the name of a built-in one, but another number of arguments.
const OTHER_PREFIX: &str = "omp_E0709_declare_other_target_";

/// The largest number of parameters of a built-in method, with the receiver.
pub(super) const MOST_OF_BUILT_IN: usize = 3;

/// The largest number of arguments that the runtime compares with parameters (`typing/call/arguments.rs`).
const MOST_ARGUMENTS: usize = 12;

/// Types that own heap memory.
const OWNERS: &[&str] = &[
    "Vec",
    "String",
    "Box",
    "Rc",
    "Arc",
    "VecDeque",
    "HashMap",
    "HashSet",
    "BTreeMap",
    "BTreeSet",
    "BinaryHeap",
];

impl Lower {
    // ------------------------------------------------------------------------------------------ f(x)

    pub fn call_value(&mut self, e: &mut syn::Expr) -> Value {
        let (span, src) = (e.span(), self.src(e.span()));
        if let Some(value) = self.special_call(e) {
            return value;
        }
        let to_int = int_from(e);
        let (start, end) = crate::diag::ends(&crate::marks::unmarked(&*e).to_token_stream());
        let (call, args) = self.call_of(e)?;
        let slot = self.query(e, "pass", span);
        // A type that is not the expected one is an error of the host's call as a whole.
        *e = syn::Expr::Verbatim(probe::first_of(quote!(#e,), start, end));
        if let (true, &[value]) = (to_int, &args[..])
            && self.is_number(value)
        {
            let path = self.paths.calls.get(&call).map(|path| path.to_token_stream().to_string());
            self.paths.types.extend(path.map(|path| (slot, path)));
            // The same as `as`, which the analyses of subscripts understand.
            return Some(self.expr(Expr::Cast { value, ty: TyRef::Slot(slot) }, src));
        }
        self.code.calls[call.index()].ret = Some(slot);
        let value = self.expr(Expr::Call { call, args }, src);
        Some(self.temp("called", value))
    }

    pub fn call_effect(&mut self, e: &mut syn::Expr) -> Flow {
        let src = self.src(e.span());
        if let Some(value) = self.special_call(e) {
            return value.map(|_| ());
        }
        let (call, args) = self.call_of(e)?;
        let value = self.expr(Expr::Call { call, args }, src);
        self.push(Stmt::Eval(value));
        Some(())
    }

    /// `T::default()` of a type that has a name: one value for all iterations, which the host evaluates as it evaluates a const.
    /// So derived defaults are values on devices, too.
    fn default_value(&mut self, e: &mut syn::Expr, path: &syn::Path) -> Option<ExprId> {
        let syn::Expr::Call(c) = &*e else { return None };
        let [.., ty, method] = &*path.segments.iter().collect::<Vec<_>>() else { return None };
        let of_type = ty.ident.to_string().starts_with(char::is_uppercase);
        if method.ident != "default" || !c.args.is_empty() || !of_type {
            return None;
        }
        let (span, src) = (e.span(), self.src(e.span()));
        let call = e.clone();
        let slot = self.query(e, "pass", span);
        // Parameters that the path leaves out are those of the body's value.
        let typed = self.typing.slots[slot.index()].clone();
        let value = syn::Expr::Verbatim(quote_spanned!(span=> #typed.made(|| #call)));
        let id = self.host_value(&path.to_token_stream().to_string().replace(' ', ""), &value);
        Some(self.expr(Expr::Load(Place::from(Base::Const(id))), src))
    }

    /// Calls that are something else: thread queries, `size_of`, constructors.
    fn special_call(&mut self, e: &mut syn::Expr) -> Option<Value> {
        let (span, src) = (e.span(), self.src(e.span()));
        let syn::Expr::Call(c) = &mut *e else { unreachable!("called with a call") };
        let syn::Expr::Path(p) = strip(&c.func) else {
            let help = "call device functions by name";
            self.error(DiagCode::HostCall, c.func.span(), "this can't be called on a device", help);
            return Some(None);
        };
        let path = p.path.clone();
        let last = path.segments.last()?;
        let name = last.ident.to_string();
        let before = path.segments.iter().rev().nth(1).map(|s| s.ident.to_string());
        if let (Some("omp"), Some(query)) = (before.as_deref(), thread_query(&name)) {
            let ident = &last.ident;
            // If `omp` is a module of the user's, the two functions differ and this does not compile.
            let g = self.fresh(Made::Callee, span);
            *e = wrapped(quote_spanned!(span=> let mut #g = #path; #g = ::omp::#ident; #g()), span);
            return Some(Some(self.expr(Expr::Thread(query), src)));
        }
        if before.as_deref() == Some("mem")
            && let Some(value) = self.of_mem(&name, e)
        {
            return Some(value);
        }
        if let Some(value) = self.default_value(e, &path) {
            return Some(Some(value));
        }
        if private_name(&path).is_some()
            && let Some(value) = self.counting(&name, e)
        {
            return Some(value);
        }
        let syn::Expr::Call(c) = &mut *e else { unreachable!("called with a call") };
        if let (true, Some(ty)) = (name == "size_of" && c.args.is_empty(), single_type(last)) {
            let (slot, query) = self.slot(span);
            let g = self.fresh(Made::Callee, span);
            let tokens = quote_spanned! {span=>
                let _: &::omp::__private::Slot<#ty> = #query;
                let mut #g = #path;
                #g = ::omp::__private::core::mem::size_of::<#ty>;
                #g()
            };
            *e = wrapped(tokens, span);
            return Some(Some(self.expr(Expr::SizeOf { ty: TyRef::Slot(slot) }, src)));
        }
        if std_variant(&path, "Some") && c.args.len() == 1 {
            self.of_option(&path);
            return Some(self.some(e));
        }
        let owner = |b: &str| {
            let mut of = path.clone();
            of.segments.pop();
            of.segments.pop_punct();
            // (Without a file nothing shows another type of this name.)
            OWNERS.contains(&b)
                && (crate::sema::syntax::std_names::is_std(&of) || last.ident.span().local_file().is_none())
        };
        if before.as_deref().is_some_and(owner) {
            let owner = before.unwrap_or_default();
            self.error(
                DiagCode::HeapAllocation,
                span,
                format!("`{owner}::{name}` allocates: a device has no heap"),
                "use a fixed array `[T; N]`, or an array that is made before the loop",
            );
            return Some(None);
        }
        // A type parameter has no constructors: `T::PI()` is a function.
        let parameter = path.segments.len() > 1 && before.is_some_and(|b| self.generics.contains(&b));
        if is_capital(&last.ident) && !parameter {
            return Some(self.constructor(e));
        }
        None
    }

    fn some(&mut self, e: &mut syn::Expr) -> Value {
        let (span, src) = (e.span(), self.src(e.span()));
        let syn::Expr::Call(c) = &mut *e else { unreachable!("called with a call") };
        let value = self.element(&mut c.args[0])?;
        let (func, arg) = (&c.func, &c.args[0]);
        *e = syn::Expr::Verbatim(quote_spanned!(span=> #func { 0: #arg }));
        let slot = self.query(e, "ty", span);
        Some(self.expr(Expr::Some { slot, value }, src))
    }

    /// `Pair(a, b)`: in the copy as `Pair { 0: a, 1: b }`, which only constructors can be.
    fn constructor(&mut self, e: &mut syn::Expr) -> Value {
        let (span, src) = (e.span(), self.src(e.span()));
        let syn::Expr::Call(c) = &mut *e else { unreachable!("called with a call") };
        let values = self.values(c.args.iter_mut(), Self::element)?;
        let func = &c.func;
        let fields = c.args.iter().enumerate().map(|(i, a)| {
            let i = syn::Index::from(i);
            quote!(#i: #a)
        });
        let (how, name) = match &**func {
            syn::Expr::Path(p) => (self.query_method(&p.path), last_name(&p.path)),
            _ => ("ty", String::new()),
        };
        let path = func.to_token_stream().to_string();
        *e = syn::Expr::Verbatim(quote_spanned!(span=> #func { #(#fields),* }));
        let fields = values.into_iter().enumerate().map(|(i, v)| (i.to_string(), v)).collect();
        let slot = self.query(e, how, span);
        self.paths.types.insert(slot, path);
        Some(self.expr(Expr::Struct { slot, name, fields, rest: None }, src))
    }

    /// A call of a function by its path.
    fn call_of(&mut self, e: &mut syn::Expr) -> Option<(CallId, Vec<ExprId>)> {
        let syn::Expr::Call(c) = e else { unreachable!("called with a call") };
        let syn::Expr::Path(p) = strip(&c.func) else { unreachable!("seen before") };
        let mut p = p.clone();
        let name = p.path.segments.last()?.ident.clone();
        if let (None, [of, _]) = (&p.qself, &mut *p.path.segments.iter_mut().collect::<Vec<_>>())
            && of.arguments.is_none()
            && !self.generics.iter().any(|t| of.ident == t)
            && let Some(number) = number_of_alias(&of.ident)
        {
            of.ident = number;
            *c.func = syn::Expr::Path(p.clone());
        }
        self.callable(&p)?;
        // A type of the user's may have a function of this name that gives something else.
        let of = p.path.segments.iter().rev().nth(1).map(|s| s.ident.to_string());
        let of_prim = of.as_deref().is_some_and(|of| prim(of).is_some());
        if of_prim {
            self.fallible(&name)?;
        }
        let known = of_prim && name != "from" && Method::is_name(&name.to_string(), c.args.len());
        let of_type =
            p.qself.is_some() || p.path.segments.iter().rev().nth(1).is_some_and(|s| self.is_type(&s.ident));
        let by_name = !of_type && library(&p.path).is_none() && c.args.len() <= MOST_ARGUMENTS;
        // Functions of std's traits, and of types that may be numbers.
        let of_std = matches!(
            (name.to_string().as_str(), c.args.len()),
            ("default", 0) | ("from" | "into" | "try_from" | "try_into", 1)
        );
        let each = of_std || takes_each(&name.to_string(), c.args.len());
        let of_user =
            of_type && !of_prim && !each && library(&p.path).is_none() && c.args.len() <= MOST_ARGUMENTS;
        let mut slots = Vec::new();
        let args = self.values(c.args.iter_mut(), |this, e| {
            let literal = is_untyped(e);
            if (by_name || of_user) && literal {
                let (value, slot) = this.bare_literal(e);
                slots.push(slot.to_token_stream());
                return value;
            }
            slots.push(quote!(&::omp::__private::Slot::new()));
            if known && literal { this.literal_argument(e) } else { this.argument(e) }
        })?;
        let literals = (by_name || of_user) && c.args.iter().any(is_untyped);
        let span = name.span();
        if of_user && p.qself.is_none() && host_functions::shows(&p.path) {
            self.host_function(&p);
            return None;
        }
        if let Some(callee) = library(&p.path) {
            // The type decides what is compared, as for a method.
            let extreme = matches!(callee, "max" | "min");
            let (call, ident) = self.call(callee, span, extreme, None);
            if extreme {
                self.typing.calls[call.index()].kind = super::CallKind::Named;
            }
            let func = &c.func;
            let tokens = if extreme {
                let g = self.fresh(Made::Callee, span);
                // If `Ord` is a trait of the user's, the two functions differ and this does not compile.
                let of_ord = of_ord(&p.path)
                    .then(|| quote_spanned!(span=> #g = ::omp::__private::core::cmp::Ord::#name;));
                quote_spanned! {span=>
                    let mut #g = #func;
                    #of_ord
                    ::omp::__private::furthest(#ident, #g);
                    #g
                }
            } else if of_ord(&p.path) {
                let g = self.fresh(Made::Callee, span);
                quote_spanned! {span=>
                    let _: &::omp::__private::Call<::omp::__private::Builtin> = #ident;
                    let mut #g = #func;
                    #g = ::omp::__private::core::cmp::Ord::#name;
                    #g
                }
            } else {
                quote_spanned! {span=>
                    let _: &::omp::__private::Call<::omp::__private::Builtin> = #ident;
                    #func
                }
            };
            *c.func = wrapped(tokens, span);
            self.paths.calls.insert(call, p);
            return Some((call, args));
        }
        if of_type {
            // rustc resolves comparisons by a path as it resolves them by a method.
            let ordered = matches!(name.to_string().as_str(), "max" | "min" | "cmp" | "partial_cmp");
            let (call, ident) = self.call(&name.to_string(), span, ordered, None);
            let mut declared = p.clone();
            declared.path.segments.last_mut()?.ident = hidden_name(&name, c.args.len());
            let of_std = match (name.to_string().as_str(), c.args.len()) {
                ("default", 0) => Some(("Default", "DefaultByName")),
                ("from", 1) if of_num_cast(&p.path) => Some(("NumCast", "num::NumCastByName")),
                ("from", 1) => Some(("From", "FromByName")),
                ("into", 1) => Some(("Into", "FromByName")),
                ("try_from", 1) => Some(("TryFrom", "FromByName")),
                ("try_into", 1) => Some(("TryInto", "FromByName")),
                _ => None,
            };
            if let Some((of_std, by_name)) = of_std {
                // (`?` converts an error to its own type, too, which is no function of the user's.)
                if self.lenient || (name == "from" && is_own(&p.path)) {
                    self.typing.calls[call.index()].kind = super::CallKind::Named;
                }
                // `Default::default()`, `<T as Default>::default()`: std's trait has no hidden companion.
                let of = declared.path.segments.iter().rev().nth(1);
                if of.is_some_and(|s| s.ident == of_std) {
                    let hidden = mangled(&name);
                    let by_name = by_name.split("::").map(|s| Ident::new(s, span));
                    declared.path =
                        syn::parse_quote_spanned!(span=> ::omp::__private::#(#by_name)::*::#hidden);
                    if let Some(qself) = &mut declared.qself {
                        qself.position = declared.path.segments.len() - 1;
                    }
                }
            }
            if of_std.is_none() && !Method::is_name(&name.to_string(), c.args.len()) {
                self.undeclared_by_path(&name.to_string());
                // A missing item is the same at each call: the first call reports it.
                let text = p.to_token_stream().to_string();
                declared = self.undeclared_paths.entry(text).or_insert(declared).clone();
            }
            if of_user {
                let name = self.fresh(Made::Callee, span).to_string();
                let (function, path, callee) = callee(&name, &p.to_token_stream());
                *c.func = callee;
                let value = if path { quote_spanned!(hidden(span)=> (#p,)) } else { p.to_token_stream() };
                let bound =
                    if path { quote_spanned!(span=> #function.0) } else { function.to_token_stream() };
                let receivers = c.args.iter().map(|_| quote!(&::omp::__private::Receiver::new()));
                let literals = literals.then(|| {
                    quote_spanned!(hidden(span)=> (&&::omp::__private::ArgumentsW(&#bound, (#(#slots,)*))).omp_arguments();)
                });
                let tokens = quote_spanned! {hidden(span)=>
                    let #function = #value;
                    #ident.item(&#bound);
                    (&&&&::omp::__private::HiddenW(&#declared, #ident.by_path(), &#bound, (#(#receivers,)*))).omp_hidden();
                    #literals
                    #e
                };
                *e = wrapped(tokens, span);
                self.paths.calls.insert(call, p);
                return Some((call, args));
            }
            let names: Vec<_> = c.args.iter().map(|a| self.fresh(Made::Argument, a.span())).collect();
            let (values, item) = (c.args.iter(), self.fresh(Made::Callee, span));
            // A module of the user's may bear the primitive's name and have a function of this one: then the two differ, and
            // this does not compile.
            let of = p.path.segments.first().filter(|_| p.path.segments.len() == 2 && p.qself.is_none());
            let of = of.filter(|s| prim(&s.ident.to_string()).is_some());
            let same = of.map(|of| quote_spanned!(span=> #item = <#of>::#name;));
            let of_num = num_trait(&p.path, c.args.len());
            let same = same.or_else(|| {
                let of = Ident::new(of_num?.1, span);
                Some(quote_spanned!(span=> #item = <_ as ::omp::__private::num::of_num_traits::#of>::#name;))
            });
            let mutable = same.as_ref().map(|_| quote_spanned!(span=> mut));
            if let Some((of_num, _)) = of_num {
                let (of_num, hidden) = (Ident::new(of_num, span), mangled(&name));
                declared = match &p.qself {
                    Some(syn::QSelf { ty, .. }) => {
                        syn::parse_quote_spanned!(span=> <#ty as ::omp::__private::num::#of_num>::#hidden)
                    }
                    None => syn::parse_quote_spanned!(span=> ::omp::__private::num::#of_num::#hidden),
                };
            }
            // By the type's path, a trait's method of the name would be found as well as a number's own, which rustc prefers.
            let number = named_type(&p)
                .and_then(|of| Some((number_trait(primitive(&of)?, &name.to_string(), c.args.len())?, of)));
            if let Some((of_numbers, of)) = number {
                let (of_numbers, hidden) = (Ident::new(of_numbers, span), mangled(&name));
                declared = syn::parse_quote_spanned!(span=> <#of as ::omp::__private::methods::#of_numbers<_>>::#hidden);
            }
            let of_parameter = |of: &syn::Type| matches!(of, syn::Type::Path(of) if of.path.get_ident().is_some_and(|of| self.generics.iter().any(|t| of == t)));
            // (A trait's method may take its receiver by reference there, and by value here.)
            let by_trait = of_num.is_some() || named_type(&p).is_some_and(|of| of_parameter(&of));
            let called = if by_trait && each && of_std.is_none() && !names.is_empty() {
                quote_spanned!(span=> (&::omp::__private::EachW(&#declared, #ident.by_path(), (#(#names,)*))).omp_each())
            } else {
                quote_spanned!(span=> #declared(#(#names,)* #ident.by_path()))
            };
            // The path may name another function than the one whose hidden companion it names: both are resolved.
            *e = syn::Expr::Verbatim(quote_spanned!(span=> match (#(#values,)*) {
                (#(#names,)*) => if false {
                    #called
                } else {
                    let #mutable #item = #p;
                    #same
                    #ident.item(&#item);
                    #item(#(#names),*)
                }
            }));
            self.paths.calls.insert(call, p);
            return Some((call, args));
        }
        let (call, ident) = self.call(&name.to_string(), span, false, None);
        let mut plain = p.path.clone();
        // The function's type need not show the arguments of the turbofish, so the companion gets them, too.
        let generics = match &plain.segments.last()?.arguments {
            syn::PathArguments::AngleBracketed(a) => {
                let args = a.args.iter().filter(|a| !matches!(a, syn::GenericArgument::Lifetime(_)));
                quote_spanned!(span=> ::<#(#args),*>)
            }
            _ => proc_macro2::TokenStream::new(),
        };
        plain.segments.iter_mut().for_each(|s| s.arguments = syn::PathArguments::None);
        let turbofish = p.path.segments.last().map(|s| &s.arguments);
        // For `m::f`, the module's names are imported: if one is missing or private, the fallback remains, and the only error is the
        // host's. (With a
        // // turbofish, its names would be looked up among them, too.)
        let module = module_of(&plain).filter(|_| generics.is_empty());
        let (n, companion) = self.companion_of(plain, args.len(), module.is_some(), span);
        self.typing.named.push((call, n));
        let (function, path, callee) = callee(&format!("__omp_f{n}"), &p.to_token_stream());
        *c.func = callee;
        // A missing companion is the same at each call: the first call reports it.
        let first = companion.span();
        let bound = Ident::new(&function.to_string(), function.span().located_at(first));
        let slot = ident.at(first);
        let bound = if path { quote_spanned!(first=> #bound.0) } else { bound.to_token_stream() };
        let (value, bind) = match module {
            Some(module) => {
                let found = Ident::new("__omp_found", hidden(span));
                let [mut of_call, mut of_first] = [name.clone(), name.clone()];
                of_call.set_span(hidden(span));
                of_first.set_span(hidden(first));
                let bind = quote_spanned!(hidden(first)=> #of_first::bind(#slot, #found););
                let value = quote_spanned! {hidden(span)=> {
                    use #companion as #of_call;
                    {
                        use #module::*;
                        let #found = #of_call;
                        #bind
                        #found
                    }
                }};
                (value, proc_macro2::TokenStream::new())
            }
            None => {
                let bind = quote_spanned!(hidden(first)=> #companion #generics::bind(#slot, #bound););
                (quote_spanned!(hidden(span)=> #companion #turbofish), bind)
            }
        };
        let value = if path { quote_spanned!(hidden(span)=> (#value,)) } else { value };
        // The types of literals are those of the parameters.
        let literals = literals.then(|| {
            quote_spanned!(hidden(span)=> (&&::omp::__private::ArgumentsW(&#bound, (#(#slots,)*))).omp_arguments();)
        });
        let tokens = quote_spanned! {hidden(span)=>
            let #function = #value;
            #bind
            #literals
            #e
        };
        *e = wrapped(tokens, span);
        self.paths.calls.insert(call, p);
        Some((call, args))
    }

    /// Reports a function of a type that is none of a device's, once.
    fn host_function(&mut self, p: &syn::ExprPath) {
        let text = p.to_token_stream().to_string();
        if self.undeclared_paths.contains_key(&text) {
            return;
        }
        self.undeclared_paths.insert(text, p.clone());
        let [of, function] = &*p.path.segments.iter().map(|s| &s.ident).collect::<Vec<_>>() else { return };
        self.error(
            DiagCode::HostCall,
            function.span(),
            format!("`{of}::{function}` is no device function: its `impl` lacks `#[omp::declare_target]`"),
            format!("write `#[omp::declare_target]` before the `impl {of}` that has the function"),
        );
    }

    /// The name of a function in the typing copy, and its number.
    fn companion_of(
        &mut self,
        path: syn::Path,
        args: usize,
        at_calls: bool,
        span: proc_macro2::Span,
    ) -> (usize, Ident) {
        let text = path.to_token_stream().to_string();
        let same = |f: &Function| {
            f.args == args && f.at_calls == at_calls && f.path.to_token_stream().to_string() == text
        };
        if let Some(n) = self.typing.functions.iter().position(same) {
            return (n, self.typing.functions[n].companion.clone());
        }
        let n = self.typing.functions.len();
        let companion = Ident::new(&format!("DeviceFunction{n}"), hidden(span));
        self.typing.functions.push(Function { path, companion: companion.clone(), args, at_calls });
        (n, companion)
    }

    /// Reports what is certainly no device function.
    fn callable(&mut self, p: &syn::ExprPath) -> Flow {
        let (path, span) = (&p.path, p.span());
        let text = path.to_token_stream().to_string().replace(' ', "");
        if let Some(ident) = path.get_ident() {
            let name = ident.to_string();
            if let Some(Name::Local(local)) = self.lookup(&name)
                && self.faulty.contains(local)
            {
                // The error is reported already.
                return None;
            }
            let inside = matches!(self.lookup(&name), Some(Name::Local(_) | Name::Alias(_)));
            let outside = self.captured.as_ref().is_some_and(|c| c.is_variable(&name));
            if inside || outside {
                self.error(
                    DiagCode::HostCall,
                    span,
                    format!(
                        "`{name}` is a variable: a closure or function pointer can't be called on a device"
                    ),
                    if outside {
                        "what it does has to be seen here: bind a closure by `let` before the loop, or call a `#[omp::declare_target]` function, which may be a trait's (`F: Rule`, `F::at(x)`); the caller's closure (`impl Fn`) is called by a loop without a directive"
                    } else {
                        "call a `#[omp::declare_target]` function by its name"
                    },
                );
                return None;
            }
        }
        let root = path.segments.first().map(|s| s.ident.to_string());
        if p.qself.is_none()
            && matches!(root.as_deref(), Some("std" | "core" | "alloc"))
            && library(path).is_none()
            && !path.segments.iter().any(|s| prim(&s.ident.to_string()).is_some())
        {
            self.error(
                DiagCode::HostCall,
                span,
                format!("`{text}` is a function of the host: a device can't call it"),
                "call it before the loop and use its result",
            );
            return None;
        }
        Some(())
    }

    /// Whether a segment of a path is a type, by its spelling.
    fn is_type(&self, ident: &Ident) -> bool {
        is_capital(ident) || prim(&ident.to_string()).is_some()
    }

    // ------------------------------------------------------------------------------------------ x.f(y)
}

/// The module of a path that begins with one.
fn module_of(path: &syn::Path) -> Option<syn::Path> {
    let mut module = path.clone();
    module.segments.pop();
    module.segments.pop_punct();
    (!module.segments.is_empty()).then_some(module)
}

/// A name for the function of a path, whether it is bound as the one field of a tuple, and what is called. From the user's place, rustc's errors
/// about the arguments are the host's: a path ends elsewhere than it begins, as does a field, and these errors name the whole of it.
fn callee(name: &str, path: &proc_macro2::TokenStream) -> (Ident, bool, syn::Expr) {
    let (start, end) = crate::diag::ends(path);
    let function = Ident::new(name, start);
    if start.start() == end.start() {
        return (function.clone(), false, syn::Expr::Path(syn::parse_quote!(#function)));
    }
    let mut zero = proc_macro2::Literal::usize_unsuffixed(0);
    zero.set_span(end);
    let callee = quote_spanned!(end=> #function.#zero);
    (function, true, syn::Expr::Verbatim(group(Delimiter::Parenthesis, callee, start).into()))
}

/// The type whose function `TYPE::f` or `<TYPE>::f` names, if it is one name.
fn named_type(p: &syn::ExprPath) -> Option<syn::Type> {
    match (&p.qself, p.path.segments.len()) {
        (Some(qself), 1) => Some((*qself.ty).clone()),
        (None, 2) => p.path.segments.first().map(|s| syn::parse_quote!(#s)),
        _ => None,
    }
}

/// The primitive type whose name this is. (A type of the user's may bear it.)
pub fn primitive(ty: &syn::Type) -> Option<Prim> {
    match ty {
        // A `$t` of a macro.
        syn::Type::Group(g) => primitive(&g.elem),
        syn::Type::Path(p) => prim(&p.path.get_ident()?.to_string()),
        _ => None,
    }
}

/// Which of the traits in `omp_runtime::typing::call::methods` has a number's own method of this name; `None` if it has none.
pub fn number_trait(prim: Prim, name: &str, args: usize) -> Option<&'static str> {
    let has =
        |prim| matches!(Method::parse(name, &Ty::Prim(prim), args), Some(Method::Int(_) | Method::Arith(..)));
    // `from_be` and its like have no receiver, and stand elsewhere.
    if name.starts_with("from_") {
        return None;
    }
    if prim.is_float() {
        let method = Method::parse(name, &Ty::Prim(prim), args);
        return matches!(method, Some(Method::Float(_))).then_some("FloatMethods");
    }
    match (has(Prim::I32), has(Prim::U32), has(Prim::U128)) {
        _ if !has(prim) => None,
        (true, true, true) => Some("IntegerMethods"),
        (true, true, false) => Some("IntMethods"),
        (true, false, _) => Some("SignedMethods"),
        (false, ..) => Some("UnsignedMethods"),
    }
}

/// Whether some number has a method of its own of this name.
pub fn of_some_number(name: &str, args: usize) -> bool {
    [Prim::F64, Prim::I32, Prim::U32].into_iter().any(|prim| number_trait(prim, name, args).is_some())
}

/// The trait of the operator that a method of this name may be.
pub fn operator_by_name(method: &str, args: usize) -> Option<&'static str> {
    match args {
        0 => UNARY.iter().find(|(_, of)| *of == method).map(|(name, _)| *name),
        1 => BINARY.iter().find(|(_, _, of)| *of == method).map(|(_, name, _)| *name),
        _ => None,
    }
}

/// `usize::from(…)`, of any integer type.
fn int_from(e: &syn::Expr) -> bool {
    let syn::Expr::Call(c) = e else { return false };
    let syn::Expr::Path(p) = strip(&c.func) else { return false };
    let mut names = p.path.segments.iter().map(|s| s.ident.to_string());
    let (Some(ty), Some(function), None) = (names.next(), names.next(), names.next()) else { return false };
    p.qself.is_none() && function == "from" && prim(&ty).is_some_and(Prim::is_int)
}

/// `f64` of `Real`, if the file declares `type Real = f64;` and nothing else of this name: a trait of all numbers has methods of the same
/// names, and by the path of a type rustc doesn't choose between them.
fn number_of_alias(name: &Ident) -> Option<Ident> {
    let file = SourceFile::of(name.span())?;
    let number = file.shows(aliases_of_numbers).get(&name.to_string()).cloned()?;
    Some(Ident::new(&number, name.span()))
}

/// The aliases of numbers at the root of a file, by their names.
fn aliases_of_numbers(text: &str) -> std::collections::HashMap<String, String> {
    let Ok(file) = syn::parse_file(text) else { return Default::default() };
    let aliases = file.items.iter().filter_map(|item| match item {
        syn::Item::Type(t) if t.generics.params.is_empty() => {
            let of = t.ty.to_token_stream().to_string();
            prim(&of).is_some().then(|| (t.ident.to_string(), of))
        }
        _ => None,
    });
    // What else declares or imports the name, also in a module or an `impl`, hides it somewhere.
    const BEFORE: [&str; 6] = ["type", "struct", "enum", "union", "trait", "mod"];
    let declared = |name: &str| {
        let words: Vec<&str> = text
            .split(|c: char| !(c.is_alphanumeric() || c == '_'))
            .filter(|word| !word.is_empty())
            .collect();
        words.windows(2).filter(|pair| pair[1] == name && BEFORE.contains(&pair[0])).count()
    };
    let imported = |name: &str| {
        text.split(';').any(|part| {
            let is_use = |line: &&str| line.trim_start().starts_with("use ") || line.contains("pub use ");
            part.lines().skip_while(|line| !is_use(line)).any(|line| line.contains(name))
        })
    };
    aliases.filter(|(name, _)| declared(name) == 1 && !imported(name)).collect()
}

/// The name of the hidden method. One with the name of a built-in method, but with more or fewer arguments, has a prefix of its own: no method of
/// another name has that.
pub fn hidden_name(name: &Ident, args: usize) -> Ident {
    let plain = name.to_string();
    let other = !takes_each(&plain, args) && (0..=MOST_OF_BUILT_IN).any(|n| takes_each(&plain, n));
    let prefix = if other { OTHER_PREFIX } else { PREFIX };
    quote::format_ident!("{prefix}{}", name, span = name.span())
}

pub(super) fn mangled(name: &Ident) -> Ident {
    quote::format_ident!("{PREFIX}{}", name, span = name.span())
}

/// The one type in `f::<T>`.
fn single_type(segment: &syn::PathSegment) -> Option<&syn::Type> {
    let syn::PathArguments::AngleBracketed(a) = &segment.arguments else { return None };
    match a.args.first() {
        Some(syn::GenericArgument::Type(ty)) if a.args.len() == 1 => Some(ty),
        _ => None,
    }
}

fn thread_query(name: &str) -> Option<ThreadQuery> {
    Some(match name {
        "get_team_num" => ThreadQuery::TeamNum,
        "get_num_teams" => ThreadQuery::NumTeams,
        "get_thread_num" => ThreadQuery::ThreadNum,
        "get_num_threads" => ThreadQuery::NumThreads,
        "is_initial_device" => ThreadQuery::IsInitialDevice,
        _ => return None,
    })
}

/// Functions of the library that are built-in methods.
fn library(path: &syn::Path) -> Option<&'static str> {
    let names: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    // A path of generated code.
    let names = names.strip_prefix(&["omp", "__private"]).unwrap_or(&names);
    match names[..] {
        ["std" | "core", "cmp", "max"] => Some("max"),
        ["std" | "core", "cmp", "min"] => Some("min"),
        ["std" | "core", "cmp", "Ord", "max"] | ["Ord", "max"] => Some("max"),
        ["std" | "core", "cmp", "Ord", "min"] | ["Ord", "min"] => Some("min"),
        ["std" | "core", "cmp", "Ord", "clamp"] | ["Ord", "clamp"] => Some("clamp"),
        _ => None,
    }
}

/// `NumCast::from` of `num_traits`
fn of_num_cast(path: &syn::Path) -> bool {
    cfg!(feature = "num-traits") && path.segments.iter().rev().nth(1).is_some_and(|s| s.ident == "NumCast")
}

/// `Float::max(a, b)` of `num_traits`: its hidden trait, and its own name. (A trait of the user's has hidden methods itself.)
fn num_trait(path: &syn::Path, args: usize) -> Option<(&'static str, &'static str)> {
    let [before @ .., of, method] = &path.segments.iter().collect::<Vec<_>>()[..] else { return None };
    let (hidden, of, prim) = [("NumFloat", "Float", Prim::F64), ("NumInt", "PrimInt", Prim::I64)]
        .into_iter()
        .find(|(_, name, _)| of.ident == name)?;
    let of_crate = match before {
        [] => SourceFile::of(method.ident.span()).is_some_and(|file| is_of_num_traits(&file.text, of)),
        [.., module] => module.ident == "num_traits",
    };
    (cfg!(feature = "num-traits")
        && of_crate
        && number_trait(prim, &method.ident.to_string(), args).is_some())
    .then_some((hidden, of))
}

/// Whether all imports of this name in a file are of `num_traits`, and the file has no such trait itself.
fn is_of_num_traits(text: &str, name: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let imports = || {
        let imports = text
            .split(';')
            .filter_map(|stmt| stmt.rfind("use ").map(|at| stmt[at..].trim_start_matches("use ")));
        imports.filter(|import| import.split(|c| !is_word(c)).any(|word| word == name))
    };
    imports().next().is_some()
        && imports().all(|import| import.trim_start_matches("::").starts_with("num_traits::"))
        && !text.contains(&format!("trait {name}"))
}

/// `Ord::max`
fn of_ord(path: &syn::Path) -> bool {
    path.segments.iter().rev().nth(1).is_some_and(|s| s.ident == "Ord")
}

/// `::omp::__private::…`, which the macros wrote.
fn is_own(path: &syn::Path) -> bool {
    path.leading_colon.is_some() && path.segments.iter().nth(1).is_some_and(|s| s.ident == "__private")
}
