//! Functions that return a slice or a struct that borrows, after they changed something or only if there is one:
//! `fn take(&mut self, n: usize) -> Option<&'a [u8]>`.
//!
//! A device has no such option as a value. So the statements of the function stand before the statement with the call, and its ways out become
//! what the caller does without a value: `let head = c.take(4)?;` leaves the caller's function, and `let Some(head) = c.take(4) else { break };`
//! its loop. `if let`, `while let` and `match` are brought into the second form first.
use super::body::{Why, leaves, macro_leaves};
use super::borrowing::with_own_self;
use super::expressions::{is_pure, made, visit_evaluated};
use super::parts::Parts;
use super::{Inline, Method};
use crate::expand::methods::{behind_parens, name_of, templates, words};
use crate::iterate::parentheses;
use crate::parse::tokens::file::SourceFile;
use crate::parse::tokens::leaves::idents;
use crate::parse::tokens::source::OF_CHAIN;
use crate::sema::syntax::forms::strip;
use crate::sema::syntax::types::argument;
use crate::sema::syntax::{place, search};
use crate::visits::{self, Node};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, FnArg, Pat, ReturnType, Signature, Stmt, Type};

/// What stands for a way out of the function until its names are put.
const OUT: &str = "__omp_way_out";

/// How a function returns such a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum In {
    /// Always.
    Itself,
    Option,
    Result,
}

impl In {
    fn variant(self) -> &'static str {
        if self == Self::Result { "Ok" } else { "Some" }
    }
}

/// A call of such a function.
struct Call {
    method: Method,
    /// The receiver, and its struct.
    of: Option<(Expr, String)>,
    /// What `Self` is.
    this: Option<String>,
    args: Vec<Expr>,
    at: Ident,
    given: In,
}

/// What a caller does without a value.
enum Without<'e> {
    /// `?`
    Tries,
    /// `else { … }`
    Else(&'e Expr),
}

impl Inline<'_> {
    /// A `let` of what such a call gives, as the statements of the function and the bindings.
    pub(super) fn tried(&mut self, s: &Stmt) -> Option<Vec<Stmt>> {
        let Stmt::Local(l) = s else { return None };
        let init = l.init.as_ref()?;
        let (pat, call, without) = match (strip(&init.expr), &init.diverge) {
            (Expr::Try(t), None) => (l.pat.clone(), self.call_of(&t.expr)?, Without::Tries),
            (e, Some((_, other))) => {
                let call = self.call_of(e)?;
                (inner(&l.pat, call.given)?.clone(), call, Without::Else(other))
            }
            (e, None) => {
                let call = self.call_of(e).filter(|call| call.given == In::Itself)?;
                (l.pat.clone(), call, Without::Tries)
            }
        };
        if matches!(without, Without::Tries) != (call.given == In::Itself)
            && matches!(without, Without::Else(_))
        {
            return None;
        }
        self.found = true;
        let mut other = match without {
            Without::Else(other) => Some(other.clone()),
            Without::Tries => None,
        };
        other.iter_mut().for_each(|other| self.visit_expr_mut(other));
        let without = other.as_ref().map_or(Without::Tries, Without::Else);
        let at = call.at.clone();
        let found = self.statements(&call, &without);
        let found = self.or_reported(found, &at);
        let Some(found) = found else { return Some(vec![]) };
        self.bound_parts(&pat, found, l.let_token.span)
    }

    /// `if let Some(head) = c.take(4) { … } else { … }`, and the same as `while let` and `match`, with a `let … else`.
    pub(super) fn with_else(&mut self, e: &Expr) -> Option<Expr> {
        let span = e.span();
        let (pat, value, call, then, other): (&Pat, &Expr, Call, Expr, Option<Expr>) = match e {
            Expr::If(i) => {
                let Expr::Let(l) = &*i.cond else { return None };
                let (call, block) = (self.call_of(&l.expr)?, &i.then_branch);
                (
                    &l.pat,
                    &l.expr,
                    call,
                    syn::parse_quote!(#block),
                    i.else_branch.as_ref().map(|(_, e)| (**e).clone()),
                )
            }
            Expr::While(w) => {
                let Expr::Let(l) = &*w.cond else { return None };
                let call = self.call_of(&l.expr)?;
                inner(&l.pat, call.given)?;
                let (pat, value, stmts) = (&l.pat, &l.expr, &w.body.stmts);
                self.chains += 1;
                let own = || syn::Lifetime::new(&format!("'{OF_CHAIN}{}", self.chains), span);
                let label = w.label.as_ref().map_or_else(own, |label| label.name.clone());
                return Some(made(
                    quote_spanned!(span=> #label: loop { let #pat = #value else { break #label; }; #(#stmts)* }),
                ));
            }
            Expr::Match(m) => {
                let call = self.call_of(&m.expr)?;
                let [first, second] = &m.arms[..] else { return None };
                let (some, none) =
                    if inner(&first.pat, call.given).is_some() { (first, second) } else { (second, first) };
                // (The error of a `Result` has no value here.)
                let empty = match &none.pat {
                    Pat::Wild(_) => true,
                    Pat::Ident(p) => p.ident == "None",
                    Pat::TupleStruct(t) => t.elems.iter().all(|p| matches!(p, Pat::Wild(_) | Pat::Rest(_))),
                    _ => false,
                };
                empty.then_some(())?;
                (&some.pat, &m.expr, call, (*some.body).clone(), Some((*none.body).clone()))
            }
            _ => return None,
        };
        inner(pat, call.given)?;
        self.chains += 1;
        let label = syn::Lifetime::new(&format!("'{OF_CHAIN}{}", self.chains), span);
        let other = match other.unwrap_or_else(|| syn::parse_quote!(())) {
            // (rustc warns of a label before a block.)
            other @ Expr::Block(_) => made(parentheses(other.into_token_stream())),
            other => other,
        };
        Some(made(quote_spanned!(span=> #label: { let #pat = #value else { break #label #other; }; #then })))
    }

    /// Gives a loop a label, and its jumps out of what [`Self::with_else`] makes a block with a label.
    pub(super) fn labelled_jumps(&mut self, e: &mut Expr) {
        let (label, body) = match e {
            Expr::ForLoop(f) => (&mut f.label, &mut f.body),
            Expr::While(w) => (&mut w.label, &mut w.body),
            Expr::Loop(l) => (&mut l.label, &mut l.body),
            _ => return,
        };
        if !self.gives_any() {
            return;
        }
        let span = body.brace_token.span.join();
        let own = label.as_ref().map(|label| label.name.clone());
        let own = own.unwrap_or_else(|| syn::Lifetime::new(&format!("'{OF_CHAIN}{}", self.chains + 1), span));
        let mut jumps = Jumps { inline: self, own: &own, within: false, found: false };
        jumps.visit_block_mut(body);
        if jumps.found && label.is_none() {
            self.chains += 1;
            *label = Some(syn::Label { name: own, colon_token: syn::Token![:](span) });
        }
    }

    /// Such calls inside of a statement, as statements before it, as far as what is evaluated before them stays the same.
    pub(super) fn tried_first(&mut self, s: &mut Stmt) -> Vec<Stmt> {
        let (e, whole) = match s {
            Stmt::Local(l) => match l.init.as_mut().filter(|init| init.diverge.is_none()) {
                Some(init) => (&mut *init.expr, true),
                None => return vec![],
            },
            Stmt::Expr(e, _) => (e, false),
            Stmt::Item(_) | Stmt::Macro(_) => return vec![],
        };
        if !self.gives_any() {
            return vec![];
        }
        let mut first = First { inline: self, before: Vec::new(), whole, evaluated: Vec::new(), left: false };
        first.visit_expr_mut(e);
        first.before
    }

    /// Whether there may be calls of such functions.
    fn gives_any(&self) -> bool {
        let gives = |m: &Method| templates::may_give_slices(&m.function.sig);
        self.methods.structs.iter().any(|s| s.borrows || s.methods.iter().any(gives))
            || self.methods.functions.iter().any(|f| templates::may_give_slices(&f.sig))
    }

    /// The call of a function that returns a slice or such a struct so.
    fn call_of(&self, e: &Expr) -> Option<Call> {
        let (method, of, this, args, at) = match strip(e) {
            Expr::MethodCall(m) => {
                let name = self.methods.of_place(&m.receiver, &self.known)?;
                let of = self.methods.find(&name)?;
                let method = of.methods.iter().find(|own| own.function.sig.ident == m.method)?;
                let method = method.with(templates::without_closures(method.function.clone()));
                let method = with_own_self(&method).filter(|_| of.borrows).unwrap_or(method);
                let given = self.gives(&method.function.sig, Some(&name));
                (of.borrows || given.is_some_and(|given| given != In::Itself)).then_some(())?;
                (method, Some(((*m.receiver).clone(), name.clone())), Some(name), &m.args, m.method.clone())
            }
            Expr::Call(c) => match self.named(c, &self.methods.functions) {
                Some((name, method)) => (method, None, None, &c.args, name.clone()),
                None => {
                    let (method, this, at) = self.associated_method(c)?;
                    self.methods.find(&this).filter(|of| of.borrows)?;
                    (method, None, Some(this), &c.args, at)
                }
            },
            _ => return None,
        };
        let given = self.gives(&method.function.sig, this.as_deref())?;
        if given == In::Itself {
            // Without effects it stands where it is called.
            let (sig, block) = (&method.function.sig, &method.function.block);
            let changes =
                sig.receiver().is_some_and(|r| matches!(r.kind, syn::ReceiverKind::Reference(_, _, Some(_))));
            (of.is_some() && changes && block.stmts.len() > 1).then_some(())?;
        }
        Some(Call { method, of, this, args: args.iter().cloned().collect(), at, given })
    }

    /// The types of errors of the functions that a call in the body of a function may mean, if these return parts; none of another call.
    fn errors_of_parts(&self, e: &Expr) -> Vec<Option<String>> {
        let given = |sig: &Signature, name: &Ident, this: Option<&str>| {
            let is = sig.ident == *name && self.gives(sig, this).is_some();
            is.then(|| error_of(sig).map(|error| error.to_token_stream().to_string()))
        };
        let of_structs = |name: &Ident| -> Vec<_> {
            let of = self.methods.structs.iter().flat_map(|s| s.methods.iter().map(move |m| (s, m)));
            of.filter_map(|(s, m)| given(&m.function.sig, name, Some(&s.name))).collect()
        };
        match strip(e) {
            Expr::MethodCall(m) => of_structs(&m.method),
            Expr::Call(c) => match &*c.func {
                Expr::Path(p) => p.path.segments.last().map_or_else(Vec::new, |last| {
                    let functions = self.methods.functions.iter();
                    let functions = functions.filter_map(|f| given(&f.sig, &last.ident, None));
                    of_structs(&last.ident).into_iter().chain(functions).collect()
                }),
                _ => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    fn gives(&self, sig: &Signature, this: Option<&str>) -> Option<In> {
        let ReturnType::Type(_, ty) = &sig.output else { return None };
        let ty = behind_parens(ty);
        let slice = |ty: &Type| matches!(behind_parens(ty), Type::Reference(r) if matches!(behind_parens(&r.elem), Type::Slice(_)));
        if slice(ty) {
            return Some(In::Itself);
        }
        let Type::Path(p) = ty else { return None };
        let last = p.path.segments.last()?;
        let given = match last.ident.to_string().as_str() {
            "Option" => In::Option,
            "Result" => In::Result,
            _ => return None,
        };
        let of = argument(last)?;
        let borrows = || {
            let name = name_of(behind_parens(of))?;
            let name = if name == "Self" { this?.to_owned() } else { name };
            self.methods.find(&name).filter(|of| of.borrows)
        };
        (templates::has_slices(of) || borrows().is_some()).then_some(given)
    }

    /// The statements of a call, and the parts that it gives.
    fn statements(&mut self, call: &Call, without: &Without<'_>) -> Result<Parts, Why> {
        let mut function = call.method.function.clone();
        let block = &mut function.block;
        tried_parts(block, &function.sig);
        let end = || {
            Why::new(
                format!("it does not end with `{}(…)`", call.given.variant()),
                "let its last expression be the value, and leave before that with `return` and `?`",
            )
        };
        straight(block, call.given);
        let Some(Stmt::Expr(last, None)) = block.stmts.pop() else { return Err(end()) };
        let value = match (call.given, strip(&last)) {
            (In::Itself, e) => e.clone(),
            (given, Expr::Call(c)) if is_variant(&c.func, given.variant()) && c.args.len() == 1 => {
                c.args[0].clone()
            }
            _ => return Err(end()),
        };
        if let Without::Else(_) = without {
            Named { given: call.given, count: 0 }.visit_block_mut(block);
        }
        let error = if call.given == In::Result { error_of(&function.sig) } else { None };
        let mut out = Out {
            inline: self,
            given: call.given,
            tries: matches!(without, Without::Tries),
            error,
            wrong: None,
            mixed: false,
        };
        block.stmts.iter_mut().for_each(|s| out.visit_stmt_mut(s));
        if out.mixed {
            return Err(Why::new(
                "a function that it calls has errors of another type, or none that is shown",
                "give both functions one type of errors, written out: `Result<T, E>`",
            ));
        }
        if leaves(&value) || out.wrong.is_some() {
            return Err(Why::new(
                "it leaves with a value before its end",
                "let `return` and `?` leave it without a value alone, and its last expression be the value",
            ));
        }
        function.sig.output = match &function.sig.output {
            ReturnType::Type(arrow, ty) if call.given != In::Itself => match behind_parens(ty) {
                Type::Path(p) => match p.path.segments.last().and_then(argument) {
                    Some(of) => ReturnType::Type(*arrow, Box::new(of.clone())),
                    None => return Err(end()),
                },
                _ => return Err(end()),
            },
            output => output.clone(),
        };
        let slice = matches!(&function.sig.output, ReturnType::Type(_, ty) if matches!(behind_parens(ty), Type::Reference(_)));
        function.block.stmts.push(Stmt::Expr(if slice { made(quote!((#value,))) } else { value }, None));
        let method = call.method.with(function);
        let of = call.of.as_ref().map(|(place, name)| (place, name.as_str()));
        self.leaving = true;
        let found = self.returned(&method, of, call.this.as_deref(), &call.args, &call.at);
        let mut found = found?;
        found.single = slice;
        let mut put = PutOut { without, inside: 0, jumps: false };
        found.before.iter_mut().for_each(|s| put.visit_stmt_mut(s));
        if put.jumps {
            return Err(Why::new(
                "it leaves from a loop of its own, and the caller goes on in another loop then",
                "give the caller's loop a label, and write `break 'label` or `continue 'label`",
            ));
        }
        Ok(found)
    }
}

/// `Some(p)` of `p`.
fn inner(pat: &Pat, given: In) -> Option<&Pat> {
    match pat {
        Pat::Paren(p) => inner(&p.pat, given),
        Pat::TupleStruct(t)
            if given != In::Itself && t.path.is_ident(given.variant()) && t.elems.len() == 1 =>
        {
            t.elems.first().filter(|pat| binds_all(pat))
        }
        _ => None,
    }
}

/// A variant's name, as users write it: later phases know it by that.
fn named(variant: &str, span: Span) -> TokenStream {
    Ident::new(variant, span).into_token_stream()
}

/// Whether a pattern fits any value: names and tuples of names.
fn binds_all(pat: &Pat) -> bool {
    match pat {
        Pat::Ident(p) => p.subpat.is_none(),
        Pat::Wild(_) => true,
        Pat::Paren(p) => binds_all(&p.pat),
        Pat::Tuple(t) => t.elems.iter().all(binds_all),
        _ => false,
    }
}

fn is_variant(e: &Expr, name: &str) -> bool {
    matches!(e, Expr::Path(p) if p.path.is_ident(name))
}

fn is_without(e: &Expr, given: In) -> bool {
    match (strip(e), given) {
        (Expr::Path(p), In::Option) => p.path.is_ident("None"),
        (Expr::Call(c), In::Result) => is_variant(&c.func, "Err"),
        _ => false,
    }
}

/// Brings the end of a body into the form `…; Some(value)`.
fn straight(block: &mut Block, given: In) {
    if given == In::Itself {
        return;
    }
    let Some(Stmt::Expr(last, None)) = block.stmts.last().cloned() else { return };
    let last = match last {
        Expr::Return(syn::ExprReturn { expr: Some(value), .. }) => *value,
        last => last,
    };
    block.stmts.pop();
    let span = last.span();
    match strip(&last) {
        Expr::If(i) if !matches!(&*i.cond, Expr::Let(_)) => {
            if let Some((_, other)) = &i.else_branch
                && let Expr::Block(other) = &**other
            {
                let (cond, then) = (&i.cond, &i.then_branch);
                let without =
                    |b: &Block| matches!(b.stmts.last(), Some(Stmt::Expr(e, None)) if is_without(e, given));
                let leaving = |b: &Block| -> Block {
                    let mut b = b.clone();
                    if let Some(Stmt::Expr(e, None)) = b.stmts.pop() {
                        b.stmts.push(syn::parse_quote!(return #e;));
                    }
                    b
                };
                let (leaves, goes_on, cond) = if without(then) {
                    (leaving(then), &other.block, quote!(#cond))
                } else if without(&other.block) {
                    (leaving(&other.block), then, quote_spanned!(span=> !(#cond)))
                } else {
                    block.stmts.push(Stmt::Expr(last.clone(), None));
                    return;
                };
                block.stmts.push(syn::parse_quote_spanned!(span=> if #cond #leaves));
                block.stmts.extend(goes_on.stmts.iter().cloned());
                straight(block, given);
                return;
            }
            block.stmts.push(Stmt::Expr(last.clone(), None));
        }
        Expr::Call(c) if is_variant(&c.func, given.variant()) => {
            block.stmts.push(Stmt::Expr(last.clone(), None));
        }
        Expr::Call(_) | Expr::MethodCall(_) => {
            let variant = Ident::new(given.variant(), span);
            let own = Ident::new("__omp_tried", span);
            block.stmts.push(syn::parse_quote_spanned!(span=> let #own = #last?;));
            block.stmts.push(Stmt::Expr(made(quote_spanned!(span=> #variant(#own))), None));
        }
        _ => block.stmts.push(Stmt::Expr(last.clone(), None)),
    }
}

/// `let part = x.get(a..b)?;` of a function that stands in a closure, as `let Some(part) = x.get(a..b) else { return None };`, and the same
/// after `ok_or(e)`.
pub(super) fn tried_parts(block: &mut Block, sig: &Signature) {
    struct Tried(In);
    impl VisitMut for Tried {
        fn visit_local_mut(&mut self, l: &mut syn::Local) {
            visit_mut::visit_local_mut(self, l);
            let Some(init) = l.init.as_mut().filter(|init| init.diverge.is_none()) else { return };
            let Expr::Try(t) = strip(&init.expr) else { return };
            let (get, out) = match (strip(&t.expr), self.0) {
                (get, In::Option) => (get, named("None", init.expr.span())),
                (Expr::MethodCall(m), In::Result) if m.method == "ok_or" && m.args.len() == 1 => {
                    let error = &m.args[0];
                    let err = named("Err", error.span());
                    (strip(&m.receiver), quote!(#err(#error)))
                }
                _ => return,
            };
            if !matches!(get, Expr::MethodCall(m) if m.method == "get" && matches!(m.args.first().map(strip), Some(Expr::Range(_))))
            {
                return;
            }
            let (get, pat, span) = (get.clone(), l.pat.clone(), t.question_token.span);
            let other: Expr = made(quote_spanned!(span=> { return #out; }));
            *init.expr = get;
            init.diverge = Some((syn::Token![else](span), Box::new(other)));
            l.pat = syn::parse_quote_spanned!(span=> Some(#pat));
        }
        fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}
        fn visit_item_mut(&mut self, _: &mut syn::Item) {}
    }
    let ReturnType::Type(_, ty) = &sig.output else { return };
    let Type::Path(p) = behind_parens(ty) else { return };
    match p.path.segments.last().map(|last| last.ident.to_string()).as_deref() {
        Some("Option") => Tried(In::Option).visit_block_mut(block),
        Some("Result") => Tried(In::Result).visit_block_mut(block),
        _ => {}
    }
}

/// Gives what `?` gives a name, by `let … else`, as far as `?` comes first in its statement.
struct Named {
    given: In,
    count: usize,
}

impl VisitMut for Named {
    fn visit_block_mut(&mut self, b: &mut Block) {
        visit_mut::visit_block_mut(self, b);
        for mut s in std::mem::take(&mut b.stmts) {
            let e = match &mut s {
                Stmt::Local(l) => l.init.as_mut().map(|init| &mut *init.expr),
                Stmt::Expr(e, _) => Some(e),
                Stmt::Item(_) | Stmt::Macro(_) => None,
            };
            let tried = e.and_then(first_tried);
            if let Some(Expr::Try(t)) = tried.as_deref() {
                self.count += 1;
                let (of, span) = (&t.expr, t.question_token.span);
                let own = Ident::new(&format!("__omp_tried{}", self.count), span);
                let (variant, none) = match self.given {
                    In::Result => {
                        let err = named("Err", span);
                        (named("Ok", span), quote!(#err(())))
                    }
                    _ => (named("Some", span), named("None", span)),
                };
                b.stmts
                    .push(syn::parse_quote_spanned!(span=> let #variant(#own) = #of else { return #none; };));
                if let Some(e) = tried {
                    *e = made(own.into_token_stream());
                }
            }
            b.stmts.push(s);
        }
    }
    fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// The `?` that is evaluated before all else in an expression.
fn first_tried(e: &mut Expr) -> Option<&mut Expr> {
    if let Expr::Try(t) = &*e {
        // (One inside of it comes before.)
        if !search::any(&*t.expr, |e| matches!(e, Expr::Try(_))) {
            return Some(e);
        }
    }
    match e {
        Expr::Try(t) => first_tried(&mut t.expr),
        Expr::Unary(u) => first_tried(&mut u.expr),
        Expr::Paren(p) => first_tried(&mut p.expr),
        Expr::Cast(c) => first_tried(&mut c.expr),
        Expr::Field(f) => first_tried(&mut f.base),
        Expr::Index(x) => first_tried(&mut x.expr),
        Expr::MethodCall(m) => first_tried(&mut m.receiver),
        Expr::Binary(b) if !crate::sema::reduction::updates::is_assignment(&b.op) => first_tried(&mut b.left),
        Expr::Call(c) => first_tried(c.args.first_mut()?),
        _ => None,
    }
}

/// `E` of a result `Result<T, E>`, also if the file has `type Result<T> = std::result::Result<T, E>;`.
fn error_of(sig: &Signature) -> Option<Type> {
    fn second(ty: &Type) -> Option<&Type> {
        let Type::Path(p) = behind_parens(ty) else { return None };
        let syn::PathArguments::AngleBracketed(of) = &p.path.segments.last()?.arguments else { return None };
        match of.args.iter().nth(1)? {
            syn::GenericArgument::Type(error) => Some(error),
            _ => None,
        }
    }
    let ReturnType::Type(_, ty) = &sig.output else { return None };
    if let Some(error) = second(ty) {
        return Some(error.clone());
    }
    let Type::Path(p) = behind_parens(ty) else { return None };
    let name = &p.path.segments.last()?.ident;
    let file = SourceFile::of(name.span())?;
    let (_, alias) = file.text.split_once(&format!("type {name}<"))?;
    let (alias, _) = alias.split_once(';')?;
    let alias: syn::ItemType = syn::parse_str(&format!("type {name}<{alias};")).ok()?;
    let error = second(&alias.ty)?;
    let own: Vec<String> = alias.generics.type_params().map(|t| t.ident.to_string()).collect();
    (!words(error.to_token_stream()).iter().any(|word| own.contains(word))).then(|| error.clone())
}

/// Marks the ways out of a function.
struct Out<'o, 'a> {
    inline: &'o Inline<'a>,
    given: In,
    tries: bool,
    /// The function's own type of errors, which `?` makes of others.
    error: Option<Type>,
    /// One has a value.
    wrong: Option<()>,
    /// One has an error of another type than the function, or the function's is unknown.
    mixed: bool,
}

impl VisitMut for Out<'_, '_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        visit_mut::visit_expr_mut(self, e);
        let (out, span) = (Ident::new(OUT, e.span()), e.span());
        match e {
            Expr::Return(r) => {
                if !r.expr.as_deref().is_some_and(|value| is_without(value, self.given)) {
                    self.wrong = Some(());
                } else if !self.tries {
                    *e = made(quote_spanned!(span=> return #out));
                }
            }
            Expr::Try(t) if !self.tries => {
                let (of, variant) = (&t.expr, Ident::new(self.given.variant(), span));
                let value = Ident::new("__omp_tried", span);
                let none = if self.given == In::Result {
                    let err = named("Err", span);
                    quote_spanned!(span=> #err(_))
                } else {
                    named("None", span)
                };
                *e = made(
                    quote_spanned!(span=> match #of { #variant(#value) => #value, #none => return #out }),
                );
            }
            Expr::Try(t) if self.given == In::Result => {
                // (The caller's `?` would make its own type of errors of it.)
                let nested = self.inline.errors_of_parts(&t.expr);
                let own = self.error.as_ref().map(|error| error.to_token_stream().to_string());
                self.mixed |= own.is_none() || nested.iter().any(|error| *error != own);
                let Some(error) = self.error.as_ref().filter(|_| nested.is_empty()) else { return };
                let (of, core) = (&t.expr, quote_spanned!(span=> ::omp::__private::core));
                let [ok, err] = ["Ok", "Err"].map(|variant| named(variant, span));
                let [value, other] =
                    ["value", "error"].map(|name| Ident::new(&format!("__omp_tried_{name}"), span));
                *e = made(quote_spanned!(span=> match #of {
                    #ok(#value) => #value,
                    #err(#other) => {
                        let #other: #error = #core::convert::From::from(#other);
                        return #err(#other)
                    }
                }));
            }
            _ => {}
        }
    }
    fn visit_macro_mut(&mut self, m: &mut syn::Macro) {
        self.wrong = self.wrong.or(macro_leaves(m).then_some(()));
    }
    fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// Puts what the caller does in the place of the marks.
struct PutOut<'w> {
    without: &'w Without<'w>,
    /// Loops around.
    inside: usize,
    jumps: bool,
}

impl VisitMut for PutOut<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        if let Expr::Return(r) = e
            && matches!(r.expr.as_deref(), Some(Expr::Path(p)) if p.path.is_ident(OUT))
            && let Without::Else(other) = self.without
        {
            *e = (*other).clone();
            self.jumps |= self.inside > 0 && jumps_near(e);
            return;
        }
        let is_loop = matches!(e, Expr::Loop(_) | Expr::While(_) | Expr::ForLoop(_));
        self.inside += usize::from(is_loop);
        visit_mut::visit_expr_mut(self, e);
        self.inside -= usize::from(is_loop);
    }
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// Whether there is a `break` or `continue` of the loop around.
fn jumps_near(e: &Expr) -> bool {
    visits::any(e, |node| match node {
        Node::Expr(Expr::Break(b)) => b.label.is_none(),
        Node::Expr(Expr::Continue(c)) => c.label.is_none(),
        _ => false,
    })
}

/// Gives a loop's jumps out of `if let` and `match` of such calls its label.
struct Jumps<'j, 'a> {
    inline: &'j Inline<'a>,
    own: &'j syn::Lifetime,
    /// It is in one of these.
    within: bool,
    found: bool,
}

impl VisitMut for Jumps<'_, '_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        let label = match e {
            Expr::Break(b) => {
                b.expr.iter_mut().for_each(|value| self.visit_expr_mut(value));
                &mut b.label
            }
            Expr::Continue(c) => &mut c.label,
            Expr::Closure(_) | Expr::ForLoop(_) | Expr::While(_) | Expr::Loop(_) => return,
            _ => {
                let value = match e {
                    Expr::If(i) => match &*i.cond {
                        Expr::Let(l) => Some(&*l.expr),
                        _ => None,
                    },
                    Expr::Match(m) => Some(&*m.expr),
                    _ => None,
                };
                let within = value.is_some_and(|value| self.inline.call_of(value).is_some());
                let before = self.within;
                self.within |= within;
                visit_mut::visit_expr_mut(self, e);
                self.within = before;
                return;
            }
        };
        if self.within && label.is_none() {
            *label = Some(self.own.clone());
            self.found = true;
        }
    }
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// Takes calls out of an expression that are evaluated whenever it is, before anything that they change.
struct First<'f, 'a> {
    inline: &'f mut Inline<'a>,
    before: Vec<Stmt>,
    /// The expression is what a `let` binds.
    whole: bool,
    /// What is evaluated before.
    evaluated: Vec<Expr>,
    /// What comes next may not be evaluated, or comes after effects.
    left: bool,
}

impl First<'_, '_> {
    /// The call with the statements that have to stand before, and what stands in its place.
    fn take(&mut self, e: &mut Expr, call: &Call) {
        // What the call may change: its receiver, and what it has by `&mut`.
        let roots = call.of.iter().filter_map(|(place, _)| place::root(place)).map(ToString::to_string);
        let params = call.method.function.sig.inputs.iter().filter_map(|input| match input {
            FnArg::Typed(param) => Some(&*param.ty),
            FnArg::Receiver(_) => None,
        });
        let params: Vec<&Type> = params.collect();
        let changes = |(n, arg): &(usize, &Expr)| {
            let by_type =
                params.get(*n).is_none_or(|ty| matches!(ty, Type::Reference(r) if r.mutability.is_some()));
            let by_value = search::any(*arg, |e| matches!(e, Expr::Reference(r) if r.mutability.is_some()));
            by_type || by_value || params.len() != call.args.len()
        };
        let given = call.args.iter().enumerate().filter(changes);
        let given = given.flat_map(|(_, arg)| idents(arg.to_token_stream())).map(|name| name.to_string());
        let roots: Vec<String> = roots.chain(given).collect();
        let mentioned =
            |e: &Expr| idents(e.to_token_stream()).any(|name| roots.iter().any(|root| name == root));
        if self.left || self.evaluated.iter().any(mentioned) {
            self.left = true;
            return;
        }
        self.inline.chains += 1;
        let own = Ident::new(&format!("{OF_CHAIN}{}_given", self.inline.chains), call.at.span());
        let span = e.span();
        self.before.push(syn::parse_quote_spanned!(span=> let #own = #e;));
        *e = made(own.into_token_stream());
    }
}

impl VisitMut for First<'_, '_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        let whole = std::mem::take(&mut self.whole);
        let called = match &*e {
            Expr::Try(t) => self.inline.call_of(&t.expr).filter(|call| call.given != In::Itself),
            Expr::MethodCall(_) => self.inline.call_of(e).filter(|call| call.given == In::Itself),
            _ => None,
        };
        if let Some(call) = called {
            if !whole {
                self.take(e, &call);
            }
            return;
        }
        match e {
            Expr::Assign(a) => self.visit_expr_mut(&mut a.right),
            Expr::Binary(b) if crate::sema::reduction::updates::is_assignment(&b.op) => {
                self.visit_expr_mut(&mut b.right);
            }
            Expr::Binary(b) => {
                self.visit_expr_mut(&mut b.left);
                self.left |= matches!(b.op, syn::BinOp::And(_) | syn::BinOp::Or(_));
                self.visit_expr_mut(&mut b.right);
            }
            _ => visit_evaluated(self, e),
        }
        // (What may panic does so before the call, unless it is of what such calls gave.)
        let may_fail = matches!(e, Expr::Index(_) | Expr::Binary(_) | Expr::Call(_) | Expr::MethodCall(_))
            && !idents(e.to_token_stream()).any(|name| name.to_string().starts_with(OF_CHAIN));
        self.left |= may_fail || !is_pure(e, &self.inline.changing);
        if matches!(e, Expr::Path(_) | Expr::Field(_)) {
            self.evaluated.push(e.clone());
        }
    }
}
