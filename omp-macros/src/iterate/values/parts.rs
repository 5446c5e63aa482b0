//! Parts and places that may not exist: `x.get(a..b)` and `x.get_mut(i)?` become a condition on the subscripts, and the
//! part.
//!
//! If the value of a block is a part (`part_of_block`), the part gets a name after the block.
//!
//! Before `?`, an option of a number replaces the option of the part. So methods before the `?`, such as `ok_or(e)`, and
//! the early return of `?` are those of the user's code.
use super::arrays::{behind, is_number};
use super::closure;
use crate::iterate::loops::walk::Walk;
use crate::iterate::tokens::{in_head, made, parentheses};
use crate::sema::reduction::updates::is_assignment;
use crate::sema::syntax::forms::{strip, strip_mut};
use crate::sema::syntax::names::Names;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::{BinOp, Expr, ExprMethodCall, Pat, Stmt};

/// A call of `get` or `get_mut`, or of `first_mut` or `last_mut`.
pub(super) struct Found {
    /// Names of the subscripts.
    pub names: Vec<Stmt>,
    /// Whether it is there.
    pub is_there: TokenStream,
    /// `&x[a..b]`, `&mut x[i]`
    pub place: Expr,
}

impl Walk<'_> {
    pub(super) fn found(&mut self, m: &ExprMethodCall) -> Option<Found> {
        let end = is_end_mut(m);
        let mutable = m.method == "get_mut" || end;
        let (true, true) = (mutable || m.method == "get", m.args.len() == usize::from(!end)) else {
            return None;
        };
        let array = match behind(&m.receiver) {
            // The whole of a field that is known to be an array.
            Expr::Index(x) if matches!(&*x.index, Expr::Range(r) if r.start.is_none() && r.end.is_none()) => {
                (*x.expr).clone()
            }
            array => array.clone(),
        };
        if !self.is_array(&array) && !self.is_array(behind(&m.receiver)) {
            return None;
        }
        let span = m.method.span();
        let usize = quote_spanned!(span=> ::omp::__private::core::primitive::usize);
        let mut names = Vec::new();
        let mut named = |w: &mut Self, what: &str, e: TokenStream| {
            let name = w.fresh(what, span);
            names.push(syn::parse_quote_spanned!(span=> let #name: #usize = #e;));
            name
        };
        let (is_there, place) = match m.args.first() {
            None => {
                let index = if m.method == "first_mut" {
                    quote_spanned!(span=> 0)
                } else {
                    quote_spanned!(span=> #array.len().wrapping_sub(1))
                };
                let at = named(self, "index", index);
                (quote_spanned!(span=> #at < #array.len()), quote_spanned!(span=> #array[#at]))
            }
            Some(Expr::Range(r)) => {
                let from = r.start.as_ref().map(|e| named(self, "from", e.to_token_stream()));
                let to = r.end.as_ref().map(|e| named(self, "to", e.to_token_stream()));
                let inclusive = matches!(r.limits, syn::RangeLimits::Closed(_));
                let last = match (&to, inclusive) {
                    (Some(to), false) => quote_spanned!(span=> #to <= #array.len()),
                    (Some(to), true) => quote_spanned!(span=> #to < #array.len()),
                    (None, _) => quote!(),
                };
                let is_there = match (&from, &to) {
                    (Some(from), Some(to)) if inclusive => quote_spanned!(span=> #last && #from <= #to + 1),
                    (Some(from), Some(to)) => quote_spanned!(span=> #from <= #to && #last),
                    (Some(from), None) => quote_spanned!(span=> #from <= #array.len()),
                    (None, Some(_)) => last,
                    (None, None) => quote_spanned!(span=> true),
                };
                let limits = &r.limits;
                (is_there, quote_spanned!(span=> #array[#from #limits #to]))
            }
            // (An element that is only read is an option of a value.)
            Some(Expr::Path(p))
                if !mutable || p.path.get_ident().is_some_and(|name| self.names_range(name)) =>
            {
                return None;
            }
            Some(_) if !mutable => return None,
            Some(index) => {
                let at = named(self, "index", index.to_token_stream());
                (quote_spanned!(span=> #at < #array.len()), quote_spanned!(span=> #array[#at]))
            }
        };
        let place = if mutable { quote_spanned!(span=> &mut #place) } else { quote_spanned!(span=> &#place) };
        Some(Found { names, is_there, place: made(place) })
    }

    /// `x.get(a..b).unwrap_or(&[])`: the part, whose ends are equal where it is not there. Not yet walked through.
    pub(in crate::iterate) fn part_or_empty(&mut self, e: &Expr) -> Option<Expr> {
        let Expr::MethodCall(m) = e else { return None };
        let is_empty = match (m.method.to_string().as_str(), m.args.first()) {
            ("unwrap_or_default", None) => true,
            ("unwrap_or", Some(Expr::Reference(r))) => {
                r.mutability.is_none() && matches!(&*r.expr, Expr::Array(a) if a.elems.is_empty())
            }
            _ => false,
        };
        let Expr::MethodCall(get) = &*m.receiver else { return None };
        let array = behind(&get.receiver);
        let (true, true, Some(Expr::Range(r)), 1) =
            (is_empty, get.method == "get", get.args.first(), get.args.len())
        else {
            return None;
        };
        // The ends stand in it twice.
        let ends = [&r.start, &r.end];
        let simple = |e: &Expr| {
            crate::sema::syntax::effects::is_pure(
                e,
                &|call| matches!(call, Expr::MethodCall(m) if ["len", "min", "max", "saturating_sub"].iter().any(|name| m.method == name)),
            )
        };
        if matches!(r.limits, syn::RangeLimits::Closed(_))
            || !ends.into_iter().flatten().all(|e| simple(e))
            || !self.is_array(array)
        {
            return None;
        }
        let span = get.method.span();
        let usize = quote_spanned!(span=> ::omp::__private::core::primitive::usize);
        let zero = quote_spanned!(span=> 0);
        let from = r.start.as_ref().map_or(zero, ToTokens::to_token_stream);
        let to =
            r.end.as_ref().map_or_else(|| quote_spanned!(span=> #array.len()), ToTokens::to_token_stream);
        let there = quote_spanned!(span=> (#from) <= (#to) && (#to) <= #array.len());
        let end = |end: TokenStream| quote_spanned!(span=> (if #there { let __omp_end: #usize = #end; __omp_end } else { 0 }));
        let (from, to) = (end(from), end(to));
        Some(made(quote_spanned!(span=> &#array[#from..#to])))
    }

    /// The same in the receivers of a chain of calls.
    pub(in crate::iterate) fn parts_in_receivers(&mut self, e: &mut Expr) {
        let Expr::MethodCall(m) = e else { return };
        match self.part_or_empty(&m.receiver) {
            Some(Expr::Reference(r)) => *m.receiver = *r.expr,
            _ => self.parts_in_receivers(&mut m.receiver),
        }
    }

    /// `Some(p) = x.get(a..b)`: `p`, and what is found.
    fn found_by(&mut self, pat: &Pat, value: &Expr) -> Option<(Pat, Found)> {
        let Pat::TupleStruct(some) = pat else { return None };
        let Expr::MethodCall(m) = value else { return None };
        // An element has a rule of its own.
        let part = matches!(m.args.first(), Some(Expr::Range(_)));
        (part && is_last(&some.path, "Some") && some.elems.len() == 1).then_some(())?;
        Some((some.elems[0].clone(), self.found(m)?))
    }

    /// `x.get(a..b).is_some()` and `x.get(a..b).is_none()`; not yet walked through.
    pub(in crate::iterate) fn part_exists(&mut self, e: &Expr) -> Option<Expr> {
        let Expr::MethodCall(m) = e else { return None };
        let Expr::MethodCall(get) = strip(&m.receiver) else { return None };
        let not = match m.method.to_string().as_str() {
            "is_some" => quote!(),
            "is_none" => quote!(!),
            _ => return None,
        };
        (m.args.is_empty() && matches!(get.args.first(), Some(Expr::Range(_)))).then_some(())?;
        let Found { names, is_there, .. } = self.found(get)?;
        Some(made(parentheses(quote_spanned!(m.method.span()=> { #(#names)* #not (#is_there) }))))
    }

    /// `if let Some(p) = x.get(a..b) { … }`
    pub(in crate::iterate) fn if_part(&mut self, i: &syn::ExprIf) -> Option<Expr> {
        let Expr::Let(l) = &*i.cond else { return None };
        let (pat, Found { names, is_there, place }) = self.found_by(&l.pat, &l.expr)?;
        let (stmts, span) = (&i.then_branch.stmts, l.expr.span());
        let els = i.else_branch.as_ref().map(|(_, e)| quote_spanned!(span=> else #e));
        if has_length(&pat) {
            let part = self.fresh("part", span);
            return Some(made(quote_spanned!(span=> {
                #(#names)*
                if #is_there {
                    let #part = #place;
                    if let #pat = #part { #(#stmts)* } #els
                } #els
            })));
        }
        Some(made(quote_spanned!(span=> {
            #(#names)*
            if #is_there { let #pat = #place; #(#stmts)* } #els
        })))
    }

    /// `match x.get(a..b) { Some(p) => …, _ => … }` as an `if let`.
    pub(in crate::iterate) fn match_part(&mut self, m: &syn::ExprMatch) -> Option<Expr> {
        let [found, none] = &m.arms[..] else { return None };
        let rest = match &none.pat {
            Pat::Wild(_) => true,
            Pat::Ident(p) => p.ident == "None" && p.subpat.is_none(),
            Pat::Path(p) => is_last(&p.path, "None"),
            _ => false,
        };
        if !rest || matches!(found.pat, Pat::Guard(_)) {
            return None;
        }
        let ((pat, of), (then, els), span) =
            ((&found.pat, in_head(&m.expr)), (&found.body, &none.body), m.expr.span());
        let i: syn::ExprIf = syn::parse_quote_spanned!(span=> if let #pat = #of { #then } else { #els });
        self.if_part(&i)
    }

    /// `let Some(p) = x.get(a..b) else { … };`, and a statement that begins with `x.get(a..b)?` or `x.get_mut(i)?`.
    pub(in crate::iterate) fn part_or_leave(&mut self, s: &Stmt) -> Option<Vec<Stmt>> {
        if let Stmt::Local(l) = s
            && let Some(init) = &l.init
            && let Some((_, diverge)) = &init.diverge
        {
            let (pat, Found { mut names, is_there, place }) = self.found_by(&l.pat, &init.expr)?;
            let span = init.expr.span();
            names.push(syn::parse_quote_spanned!(span=> if !(#is_there) #diverge));
            if has_length(&pat) {
                let part = self.fresh("part", span);
                names.push(syn::parse_quote_spanned!(span=> let #part = #place;));
                names.push(syn::parse_quote_spanned!(span=> let #pat = #part else #diverge;));
                return Some(names);
            }
            names.push(syn::parse_quote_spanned!(span=> let #pat = #place;));
            return Some(names);
        }
        let mut s = s.clone();
        let mut before = Vec::new();
        let (tried, is_receiver) = match &mut s {
            Stmt::Local(l) => self.first_tried(&mut l.init.as_mut()?.expr, false, &mut before)?,
            // The value comes before the place. (Of numbers that are added, too; of users' types it does not.)
            Stmt::Expr(Expr::Assign(syn::ExprAssign { left, right, .. }), _) => {
                self.tried_place(left, right, &mut before)?
            }
            Stmt::Expr(Expr::Binary(b), _) if is_assignment(&b.op) && is_number(&b.right) => {
                self.tried_place(&mut b.left, &mut b.right, &mut before)?
            }
            Stmt::Expr(e, _) => self.first_tried(e, false, &mut before)?,
            _ => return None,
        };
        if matches!(tried, Expr::Try(_)) && !self.device_fn {
            return None;
        }
        let (m, span) = (call_of(tries(tried)?)?.clone(), tried.span());
        let Found { names, is_there, place } = self.found(&m)?;
        let mut none = tried.clone();
        let option = quote_spanned!(span=> ::omp::__private::core::option::Option);
        *call_in(&mut none)? =
            made(quote_spanned!(span=> (if #is_there { #option::Some(0usize) } else { #option::None })));
        before.extend(names);
        before.push(syn::parse_quote_spanned!(span=> let _ = #none;));
        *tried = match place {
            // What a method is called of is the place.
            Expr::Reference(r) if is_receiver => *r.expr,
            place => place,
        };
        let left = match &mut s {
            Stmt::Expr(Expr::Assign(a), _) => Some(&mut a.left),
            Stmt::Expr(Expr::Binary(b), _) if is_assignment(&b.op) => Some(&mut b.left),
            _ => None,
        };
        if let Some(left) = left
            && let Expr::Unary(u) = &**left
            && let Expr::Reference(r) = &*u.expr
        {
            **left = (*r.expr).clone();
        }
        before.push(s);
        Some(before)
    }

    /// `_ => *x.get_mut(i)? = v`, an assignment that is no statement.
    pub(in crate::iterate) fn tried_assignment(&mut self, e: &Expr) -> Option<Expr> {
        match e {
            Expr::Assign(_) => {}
            Expr::Binary(b) if is_assignment(&b.op) => {}
            _ => return None,
        }
        let stmts = self.part_or_leave(&Stmt::Expr(e.clone(), None))?;
        Some(made(quote_spanned!(e.span()=> { #(#stmts)* })))
    }

    /// What is tried in a place that is assigned: `*x.get_mut(i)?`, `*x.get_mut(i).unwrap()`, `x.get_mut(i)?.field`. The value gets a name.
    fn tried_place<'a>(
        &mut self,
        left: &'a mut Expr,
        right: &mut Expr,
        before: &mut Vec<Stmt>,
    ) -> Option<(&'a mut Expr, bool)> {
        let is_part = matches!(left, Expr::Field(_) | Expr::Index(_));
        let mut of = match left {
            Expr::Unary(u) => strip_mut(&mut u.expr),
            part => base_of(part)?,
        };
        let unwrapped = matches!(&*of, Expr::MethodCall(m)
            if (m.method == "unwrap" || m.method == "expect") && matches!(&*m.receiver, Expr::MethodCall(of) if is_mutable(of)));
        if !(unwrapped || if is_part { is_tried(of) } else { has_tried(&mut of) }) {
            return None;
        }
        let (span, value) = (right.span(), self.fresh("value", right.span()));
        let right = std::mem::replace(right, made(value.to_token_stream()));
        before.push(syn::parse_quote_spanned!(span=> let #value = #right;));
        if unwrapped { Some((of, is_part)) } else { self.first_tried(of, is_part, before) }
    }
}

/// `e` of `e.field[i]`
fn base_of(e: &mut Expr) -> Option<&mut Expr> {
    let base = match e {
        Expr::Field(f) => &mut *f.base,
        Expr::Index(x) => &mut *x.expr,
        _ => return None,
    };
    if matches!(base, Expr::Field(_) | Expr::Index(_)) { base_of(base) } else { Some(base) }
}

/// Whether a pattern takes a slice apart, which has to have a length then.
fn has_length(pat: &Pat) -> bool {
    match pat {
        Pat::Reference(r) => has_length(&r.pat),
        Pat::Paren(p) => has_length(&p.pat),
        Pat::Ident(p) => p.subpat.as_ref().is_some_and(|(_, pat)| has_length(pat)),
        Pat::Slice(_) => true,
        _ => false,
    }
}

impl Walk<'_> {
    /// The `x.get(a..b)?` that an expression evaluates first, and whether it is the receiver of a method. Operands in front of it that
    /// are more than a name are evaluated in front of it, too; names are read behind it, where they have to mean the same.
    fn first_tried<'a>(
        &mut self,
        e: &'a mut Expr,
        is_receiver: bool,
        before: &mut Vec<Stmt>,
    ) -> Option<(&'a mut Expr, bool)> {
        if is_tried(e) {
            return Some((e, is_receiver));
        }
        let (mut operands, receiver) = operands(e);
        let n = operands.iter_mut().position(has_tried)?;
        let is_receiver = receiver && n == 0;
        let mut since = None;
        for e in &mut operands[..n] {
            if is_name(e) {
                since.get_or_insert(before.len());
            } else if !matches!(strip(e), Expr::Lit(_) | Expr::Closure(_)) {
                let (name, span) = (self.fresh("operand", e.span()), e.span());
                let value = std::mem::replace(&mut **e, made(name.to_token_stream()));
                before.push(syn::parse_quote_spanned!(span=> let #name = #value;));
            }
        }
        let (e, is_receiver) = self.first_tried(operands.swap_remove(n), is_receiver, before)?;
        if let Some(since) = since {
            (before.len() == since && tries_alone(tries(e)?)).then_some(())?;
        }
        Some((e, is_receiver))
    }
}

/// `x.get(a..b)?`
fn is_tried(e: &Expr) -> bool {
    matches!(e, Expr::Try(_) | Expr::Match(_)) && tries(e).is_some_and(|of| call_of(of).is_some())
}

/// `e` of `e?`, also as closures have it, and of `e.unwrap()`.
fn tries(e: &Expr) -> Option<&Expr> {
    match e {
        Expr::Try(t) => Some(strip(&t.expr)),
        Expr::Match(m) if closure::is_tried(m) => Some(strip(&m.expr)),
        Expr::MethodCall(m) if m.method == "unwrap" || m.method == "expect" => Some(&m.receiver),
        _ => None,
    }
}

/// `x.get_mut(i)`, `x.first_mut()`, `x.last_mut()`
fn is_mutable(m: &ExprMethodCall) -> bool {
    m.method == "get_mut" && m.args.len() == 1 || is_end_mut(m)
}

fn has_tried(e: &mut &mut Expr) -> bool {
    is_tried(e) || operands(e).0.iter_mut().any(has_tried)
}

/// What an expression evaluates, in this order and always; and whether the first is the receiver of a method.
fn operands(e: &mut Expr) -> (Vec<&mut Expr>, bool) {
    let is_method = matches!(strip(e), Expr::MethodCall(_));
    let list = match strip_mut(e) {
        // A receiver can be a place, which has to stay where it is.
        Expr::MethodCall(m) => {
            let args = if is_name(&m.receiver) { m.args.iter_mut().collect() } else { Vec::new() };
            [&mut *m.receiver].into_iter().chain(args).collect()
        }
        Expr::Call(c) if matches!(&*c.func, Expr::Path(_)) => c.args.iter_mut().collect(),
        Expr::Tuple(t) => t.elems.iter_mut().collect(),
        Expr::Array(a) => a.elems.iter_mut().collect(),
        Expr::Struct(s) => s.fields.iter_mut().map(|f| &mut f.expr).collect(),
        Expr::Binary(b) => match b.op {
            BinOp::And(_) | BinOp::Or(_) => vec![&mut *b.left],
            op if is_assignment(&op) => Vec::new(),
            _ => vec![&mut *b.left, &mut *b.right],
        },
        Expr::Cast(c) => vec![&mut *c.expr],
        Expr::Unary(u) => vec![&mut *u.expr],
        Expr::Try(t) => vec![&mut *t.expr],
        Expr::Match(m) if closure::is_tried(m) => vec![&mut *m.expr],
        Expr::Return(r) => r.expr.iter_mut().map(|e| &mut **e).collect(),
        _ => Vec::new(),
    };
    (list, is_method)
}

/// A name, a field of it, or a part that was found to be there.
fn is_name(e: &Expr) -> bool {
    let found = |e: &Expr| matches!(e, Expr::Path(p) if p.path.get_ident().is_some_and(|name| name.to_string().starts_with("__omp_")));
    match strip(e) {
        Expr::Path(_) => true,
        Expr::Field(f) => is_name(&f.base),
        Expr::Reference(r) => match strip(&r.expr) {
            Expr::Index(x) => {
                let Expr::Range(range) = &*x.index else { return false };
                is_name(&x.expr) && [&range.start, &range.end].into_iter().flatten().all(|e| found(e))
            }
            of => is_name(of),
        },
        Expr::Cast(c) => is_name(&c.expr),
        _ => false,
    }
}

/// Whether all variables are the same after `x.get(a..b)` and the `.ok_or(e)` after it.
fn tries_alone(e: &Expr) -> bool {
    let Expr::MethodCall(m) = e else { return false };
    let receiver =
        if call_of(&m.receiver).is_some() { tries_alone(&m.receiver) } else { is_name(&m.receiver) };
    receiver && m.args.iter().all(changes_nothing)
}

/// Whether all variables are the same after an expression. (A closure runs only where a value is missing, and then nothing follows.)
fn changes_nothing(e: &Expr) -> bool {
    match strip(e) {
        Expr::Path(_) | Expr::Lit(_) | Expr::Closure(_) => true,
        Expr::Field(f) => changes_nothing(&f.base),
        Expr::Cast(c) => changes_nothing(&c.expr),
        Expr::Binary(b) => !is_assignment(&b.op) && changes_nothing(&b.left) && changes_nothing(&b.right),
        Expr::Range(r) => [&r.start, &r.end].into_iter().flatten().all(|e| changes_nothing(e)),
        // `Fault::Short(n)`
        Expr::Call(c) => {
            let built = matches!(&*c.func, Expr::Path(p) if p.path.segments.last().is_some_and(|s| s.ident.to_string().starts_with(char::is_uppercase)));
            built && c.args.iter().all(changes_nothing)
        }
        _ => false,
    }
}

/// Whether a path ends with a name: `Some`, or the whole path that the macros write.
fn is_last(path: &syn::Path, name: &str) -> bool {
    path.segments.last().is_some_and(|s| s.ident == name)
}

/// `x.get(a..b)` with `.ok_or(e)` after it or not.
fn call_of(e: &Expr) -> Option<&ExprMethodCall> {
    let Expr::MethodCall(m) = e else { return None };
    match m.method.to_string().as_str() {
        "get" | "get_mut" if m.args.len() == 1 => Some(m),
        _ if is_end_mut(m) => Some(m),
        "ok_or" | "ok_or_else" if m.args.len() == 1 => call_of(&m.receiver),
        _ => None,
    }
}

/// `x.first_mut()`, `x.last_mut()`
fn is_end_mut(m: &ExprMethodCall) -> bool {
    m.args.is_empty() && (m.method == "first_mut" || m.method == "last_mut")
}

fn call_in(e: &mut Expr) -> Option<&mut Expr> {
    match e {
        Expr::Try(t) => call_in(&mut t.expr),
        Expr::Match(m) => call_in(&mut m.expr),
        Expr::Paren(p) => call_in(&mut p.expr),
        Expr::MethodCall(m) if m.method == "get" || is_mutable(m) => Some(e),
        Expr::MethodCall(m) => call_in(&mut m.receiver),
        _ => None,
    }
}

impl Walk<'_> {
    /// `let row = { let n = …; &x[n..n + 3] };`, as what closures give is written out: the block gives the bounds, and the part has a name of
    /// its own. Walked through.
    pub(in crate::iterate) fn part_of_block(&mut self, s: &Stmt) -> Option<[Stmt; 2]> {
        let Stmt::Local(l) = s else { return None };
        let init = l.init.as_ref().filter(|init| init.diverge.is_none())?;
        let Expr::Block(b) = strip(&init.expr) else { return None };
        let [before @ .., Stmt::Expr(Expr::Reference(r), None)] = &b.block.stmts[..] else { return None };
        let Expr::Index(x) = &*r.expr else { return None };
        let Expr::Range(range) = &*x.index else { return None };
        let Expr::Path(array) = &*x.expr else { return None };
        let mut names = Names::default();
        before.iter().for_each(|s| names.visit_stmt(s));
        let array_name = array.path.get_ident()?;
        if before.is_empty() || b.label.is_some() || names.bound.iter().any(|p| p.ident == *array_name) {
            return None;
        }
        let (span, pat) = (init.expr.span(), &l.pat);
        let mut part = x.clone();
        let Expr::Range(of) = &mut *part.index else { return None };
        let (mut bounds, mut ends) = (Vec::new(), Vec::new());
        for (end, of) in [(&range.start, &mut of.start), (&range.end, &mut of.end)] {
            if let Some(end) = end {
                let name = self.fresh("end", span);
                *of = Some(Box::new(made(name.to_token_stream())));
                bounds.push(name);
                ends.push(end);
            }
        }
        let (mutability, usize) =
            (&r.mutability, quote_spanned!(span=> ::omp::__private::core::primitive::usize));
        let types = ends.iter().map(|_| &usize);
        Some([
            syn::parse_quote_spanned!(span=> let (#(#bounds,)*): (#(#types,)*) = ({ #(#before)* (#(#ends,)*) });),
            syn::parse_quote_spanned!(span=> let #pat = &#mutability #part;),
        ])
    }
}

impl Walk<'_> {
    /// `number(fields.next()?)`: the part that is taken first in a statement gets a name before it.
    pub(in crate::iterate) fn part_first(&mut self, s: &Stmt) -> Option<[Stmt; 2]> {
        let mut s = s.clone();
        let first = match &mut s {
            Stmt::Local(l) => {
                let init = l.init.as_mut().filter(|init| init.diverge.is_none())?;
                // (A `let` of the part itself has its own rule.)
                if taken_part(&init.expr).is_some() {
                    return None;
                }
                first_part(&mut init.expr)?
            }
            Stmt::Expr(e, _) => first_part(e)?,
            _ => return None,
        };
        if !self.is_pipeline(&taken_part(first)?.receiver) {
            return None;
        }
        let (span, part) = (first.span(), self.fresh("taken", first.span()));
        let value = std::mem::replace(first, made(part.to_token_stream()));
        Some([syn::parse_quote_spanned!(span=> let #part = #value;), s])
    }
}

/// The method that gives the option of a part, of `it.next()?` and `it.next().unwrap()`.
fn taken_part(e: &Expr) -> Option<&ExprMethodCall> {
    let of = match e {
        Expr::Try(t) => &*t.expr,
        Expr::MethodCall(m) if m.method == "unwrap" || m.method == "expect" => &*m.receiver,
        _ => return None,
    };
    let Expr::MethodCall(of) = of else { return None };
    const GIVE_PARTS: [&str; 9] = [
        "split",
        "split_inclusive",
        "splitn",
        "chunk_by",
        "rchunks",
        "rchunks_exact",
        "chunks",
        "chunks_exact",
        "windows",
    ];
    let mut at = &*of.receiver;
    while let Expr::MethodCall(m) = at {
        if GIVE_PARTS.iter().any(|name| m.method == name) {
            return (of.method == "next" || of.method == "nth" || of.method == "last").then_some(of);
        }
        // (The items of other adaptors may be no parts.)
        if !["skip", "take", "filter", "step_by", "inspect"].iter().any(|name| m.method == name) {
            return None;
        }
        at = &m.receiver;
    }
    None
}

/// Such an expression that is evaluated before all else of this one.
fn first_part(e: &mut Expr) -> Option<&mut Expr> {
    if taken_part(e).is_some() {
        return Some(e);
    }
    match e {
        Expr::Try(t) => first_part(&mut t.expr),
        Expr::Paren(p) => first_part(&mut p.expr),
        Expr::Match(m) => first_part(&mut m.expr),
        Expr::If(i) => first_part(&mut i.cond),
        Expr::Let(l) => first_part(&mut l.expr),
        Expr::Cast(c) => first_part(&mut c.expr),
        Expr::Unary(u) => first_part(&mut u.expr),
        Expr::Reference(r) => first_part(&mut r.expr),
        Expr::Field(f) => first_part(&mut f.base),
        Expr::Index(x) => first_part(&mut x.expr),
        Expr::MethodCall(m) => first_part(&mut m.receiver),
        Expr::Call(c) if matches!(&*c.func, Expr::Path(_)) => first_part(c.args.first_mut()?),
        Expr::Binary(b) if !is_assignment(&b.op) => first_part(&mut b.left),
        Expr::Assign(a) if matches!(&*a.left, Expr::Path(_)) => first_part(&mut a.right),
        Expr::Return(r) => first_part(r.expr.as_mut()?),
        _ => None,
    }
}
