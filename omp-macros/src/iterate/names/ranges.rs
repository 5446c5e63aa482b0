//! Named ranges: `let r = a..b;` in a body, or in the function around the region.
//!
//! A range is not a value on a device. In a body, its ends become variables, and each use of the name becomes the range
//! of these. A range from outside stays the user's: its ends are read at the uses, and rustc checks that it is a
//! `Range`.
//!
//! A range may also come from a closure (`let row = |i| i * n..(i + 1) * n;`), an inlined method, or an `if`. Its value
//! is the pair of the ends: `let r = row(i);` becomes `let (first, end) = …;`.
use crate::diag::begin;
use crate::iterate::loops::chain::{self, IteratedBy};
use crate::iterate::loops::items::statement;
use crate::iterate::loops::walk::{Meaning, Walk, known};
use crate::iterate::tokens::{made, parentheses};
use crate::iterate::values::declared::const_range;
use crate::parse::tokens::source::words;
use crate::sema::syntax::forms::{behind_references, strip, strip_mut};
use crate::sema::syntax::search;
use proc_macro2::Span;
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{Expr, Ident, Pat, RangeLimits, Stmt, Type};

/// The ends of a range.
struct Ends {
    lo: Expr,
    hi: Expr,
    inclusive: bool,
}

impl Ends {
    /// The range, written out.
    fn range(&self, span: Span) -> Expr {
        let Self { lo, hi, inclusive } = self;
        made(if *inclusive { quote_spanned!(span=> #lo..=#hi) } else { quote_spanned!(span=> #lo..#hi) })
    }
}

/// The methods of iterators that take `&mut self`.
const MOVES_ON: [&str; 17] = [
    "next",
    "next_back",
    "nth",
    "nth_back",
    "by_ref",
    "find",
    "rfind",
    "find_map",
    "any",
    "all",
    "position",
    "rposition",
    "try_fold",
    "try_rfold",
    "try_for_each",
    "advance_by",
    "is_partitioned",
];

impl Walk<'_> {
    /// Reports a search that would move on the range that `let mut r = a..b;` declares.
    pub(in crate::iterate) fn refuse_moves_on<'s>(
        &mut self,
        s: &Stmt,
        mut rest: impl Iterator<Item = &'s Stmt>,
    ) {
        let Stmt::Local(l) = s else { return };
        let pat = match &l.pat {
            Pat::Type(t) => &*t.pat,
            pat => pat,
        };
        let Pat::Ident(syn::PatIdent { ident, mutability: Some(_), .. }) = pat else { return };
        if !l.init.as_ref().is_some_and(|init| matches!(behind_references(&init.expr), Expr::Range(_))) {
            return;
        }
        let is_it = |e: &Expr| matches!(strip(e), Expr::Path(p) if p.path.is_ident(ident));
        let moves_on = |e: &Expr| match e {
            Expr::MethodCall(m) => is_it(&m.receiver) && MOVES_ON.contains(&m.method.to_string().as_str()),
            Expr::Reference(r) => r.mutability.is_some() && is_it(&r.expr),
            _ => false,
        };
        if rest.any(|s| search::any(s, moves_on)) {
            self.sink()
                .error(
                    crate::diag::Code::UnsupportedExpr,
                    ident.span(),
                    format!("`{ident}` is moved on as an iterator, which a region does not do"),
                )
                .help(format!("search a copy, `{ident}.clone()`, or count: `for i in {ident}`"));
        }
    }

    /// `let (r, s) = (a..b, c..d);`: a statement for each, if no value names what the pattern binds.
    pub(in crate::iterate) fn ranges_in_tuple(&self, s: &Stmt) -> Option<Vec<Stmt>> {
        let Stmt::Local(l) = s else { return None };
        let init = l.init.as_ref().filter(|init| init.diverge.is_none())?;
        let (Pat::Tuple(pats), Expr::Tuple(values)) = (&l.pat, &*init.expr) else { return None };
        let is_range = |e: &Expr| matches!(strip(e), Expr::Range(_)) || self.gives_range(e);
        if pats.elems.len() != values.elems.len() || !values.elems.iter().any(is_range) {
            return None;
        }
        let bound = words(pats.to_token_stream());
        if words(values.to_token_stream()).iter().any(|word| bound.contains(word)) {
            return None;
        }
        let each = pats.elems.iter().zip(&values.elems);
        Some(each.map(|(pat, value)| statement(quote_spanned!(pat.span()=> let #pat = #value;))).collect())
    }

    /// `let r = a..b;` as variables of the range's ends.
    pub(in crate::iterate) fn range_let(&mut self, s: &mut Stmt) -> Option<Vec<Stmt>> {
        let Stmt::Local(l) = s else { return None };
        if let Pat::Struct(p) = &l.pat {
            return self.taken_apart(p, &l.init.as_ref()?.expr);
        }
        let (name, of) = match &l.pat {
            Pat::Type(t) => (&*t.pat, element_type(&t.ty)?),
            pat => (pat, quote!(_)),
        };
        let Pat::Ident(name) = name else { return None };
        if name.by_ref.is_some() || name.subpat.is_some() {
            return None;
        }
        let changes = &name.mutability;
        let init = l.init.as_mut().filter(|init| init.diverge.is_none())?;
        let Some(range) = written_out(&mut init.expr) else {
            let (pair, inclusive) = self.range_value(&init.expr, &Part::Both)?;
            if changes.is_some() && inclusive {
                return None;
            }
            let (lo, hi) = (self.fresh("first", name.span()), self.fresh("end", name.span()));
            let ends = statement(
                quote_spanned!(name.span()=> let (#changes #lo, #changes #hi): (#of, #of) = #pair;),
            );
            let scope = self.scopes.last_mut().expect("never empty");
            if changes.is_some() {
                scope.extend([&lo, &hi].map(|end| (end.to_string(), Meaning::Itself(false, None))));
            }
            scope.insert(name.ident.to_string(), Meaning::Range { lo, hi, inclusive });
            return Some(vec![ends]);
        };
        let inclusive = matches!(range.limits, RangeLimits::Closed(_));
        let (Some(first), Some(end)) = (&mut range.start, &mut range.end) else { return None };
        if changes.is_some() && inclusive {
            // (It has a flag that says whether its end was there.)
            return None;
        }
        self.visit_expr_mut(first);
        self.visit_expr_mut(end);
        let (lo, hi) = (self.fresh("first", first.span()), self.fresh("end", end.span()));
        let lets = [
            statement(quote_spanned!(first.span()=> let #changes #lo: #of = #first;)),
            statement(quote_spanned!(end.span()=> let #changes #hi: #of = #end;)),
            // Both ends are of one type.
            statement(quote_spanned!(name.span()=> let _ = [#lo, #hi];)),
        ];
        let scope = self.scopes.last_mut().expect("never empty");
        if changes.is_some() {
            // What is evaluated once keeps the value that they have then.
            scope.extend([&lo, &hi].map(|end| (end.to_string(), Meaning::Itself(false, None))));
        }
        scope.insert(name.ident.to_string(), Meaning::Range { lo, hi, inclusive });
        Some(lets.into())
    }

    /// `let Range { start, end } = a..b;`, and the same of a name: no other struct's pattern fits a range.
    fn taken_apart(&mut self, pat: &syn::PatStruct, range: &Expr) -> Option<Vec<Stmt>> {
        let bound = |name: &str| {
            let field = pat.fields.iter().find(|f| matches!(&f.member, syn::Member::Named(n) if n == name));
            field.map_or_else(|| quote!(_), |f| f.pat.to_token_stream())
        };
        // (A type of the user's may have a range's name.)
        let is_end =
            |f: &syn::FieldPat| matches!(&f.member, syn::Member::Named(n) if n == "start" || n == "end");
        if !pat.fields.iter().all(is_end) {
            return None;
        }
        let (start, end, span) = (bound("start"), bound("end"), pat.span());
        let mut range = range.clone();
        if let Some(syn::ExprRange {
            start: Some(first),
            end: Some(last),
            limits: RangeLimits::HalfOpen(_),
            ..
        }) = written_out(&mut range)
        {
            self.visit_expr_mut(first);
            self.visit_expr_mut(last);
            let (lo, hi) = (self.fresh("first", first.span()), self.fresh("end", last.span()));
            let lets = [
                quote_spanned!(first.span()=> let #lo = #first;),
                quote_spanned!(last.span()=> let #hi = #last;),
                // Both ends are of one type.
                quote_spanned!(span=> let _ = [#lo, #hi];),
                quote_spanned!(span=> let (#start, #end) = (#lo, #hi);),
            ];
            return Some(lets.map(statement).into());
        }
        let named = match strip(&range) {
            Expr::MethodCall(m) if m.method == "clone" && m.args.is_empty() => self.ends(&m.receiver),
            range => self.ends(range),
        };
        let (ends, inclusive) = match named {
            Some(Ends { lo, hi, inclusive }) => (made(quote_spanned!(span=> (#lo, #hi))), inclusive),
            None => self.range_value(&range, &Part::Both)?,
        };
        (!inclusive).then(|| vec![statement(quote_spanned!(span=> let (#start, #end) = #ends;))])
    }

    /// `r = a..b;` of a range that changes; walked through.
    pub(in crate::iterate) fn assigned_range(&mut self, e: &Expr) -> Option<Expr> {
        let Expr::Assign(a) = e else { return None };
        let Expr::Path(p) = &*a.left else { return None };
        let Some(Meaning::Range { lo, hi, inclusive: false }) = self.meaning(p.path.get_ident()?) else {
            return None;
        };
        let (lo, hi) = (lo.clone(), hi.clone());
        let mut value = (*a.right).clone();
        let range = written_out(&mut value)?;
        let (Some(first), Some(end), RangeLimits::HalfOpen(_)) =
            (&mut range.start, &mut range.end, &range.limits)
        else {
            return None;
        };
        self.visit_expr_mut(first);
        self.visit_expr_mut(end);
        Some(made(quote_spanned!(begin(e)=> (#lo, #hi) = (#first, #end))))
    }

    /// The ends of the range that an expression names.
    fn ends(&mut self, e: &Expr) -> Option<Ends> {
        let e = strip(e);
        match e {
            Expr::Path(p) if p.qself.is_none() => {
                let name = p.path.get_ident()?;
                if let Some(Meaning::Range { lo, hi, inclusive }) = self.meaning(name) {
                    let end = |end: &Ident| {
                        made(
                            Ident::new(&end.to_string(), end.span().located_at(e.span())).into_token_stream(),
                        )
                    };
                    return Some(Ends { lo: end(lo), hi: end(hi), inclusive: *inclusive });
                }
                let kind = known(&self.scopes, self.kinds, name);
                if kind.is_none()
                    && let Some((lo, hi, inclusive)) = const_range(name)
                {
                    let own = if inclusive {
                        quote_spanned!(name.span()=> *#name.start() == #lo && *#name.end() == #hi)
                    } else {
                        quote_spanned!(name.span()=> #name.start == #lo && #name.end == #hi)
                    };
                    // The text has shown the ends. rustc knows whether they are this const's.
                    let panics = quote_spanned!(name.span()=> ::omp::__private::core::assert!);
                    self.asked.push(statement(quote_spanned!(name.span()=>
                        ::omp::__private::known(const { #panics(#own) });
                    )));
                    return Some(Ends { lo, hi, inclusive });
                }
                if kind != Some(IteratedBy::Range) {
                    return None;
                }
                self.ranges.push(name.clone());
                let (lo, hi) =
                    (quote_spanned!(name.span()=> #name.start), quote_spanned!(name.span()=> #name.end));
                Some(Ends { lo: made(lo), hi: made(hi), inclusive: false })
            }
            _ => None,
        }
    }

    /// Whether a name is that of a range.
    pub(in crate::iterate) fn names_range(&self, name: &Ident) -> bool {
        matches!(self.meaning(name), Some(Meaning::Range { .. }))
            || match known(&self.scopes, self.kinds, name) {
                Some(kind) => kind == IteratedBy::Range,
                None => self.meaning(name).is_none() && const_range(name).is_some(),
            }
    }

    /// Replaces a range's name by its ends, and its methods by their results.
    pub(in crate::iterate) fn named_range(&mut self, e: &mut Expr) -> bool {
        let span = begin(e);
        match e {
            Expr::Path(_) => match self.ends(e) {
                Some(ends) => *e = ends.range(span),
                None => return false,
            },
            Expr::Field(f) => match (&f.member, self.ends(&f.base)) {
                (syn::Member::Named(end), Some(Ends { lo, hi, inclusive: false }))
                    if end == "start" || end == "end" =>
                {
                    *e = if end == "start" { lo } else { hi };
                }
                _ => return false,
            },
            Expr::MethodCall(m) => {
                let Some(ends) = self.ends(&m.receiver) else { return false };
                let Ends { lo, hi, inclusive } = &ends;
                // A user's method by value comes before those that take `&self`; of two by value rustc reports an ambiguity.
                let by_reference = ["clone", "len", "is_empty", "start", "end"];
                if m.args.is_empty() && by_reference.iter().any(|name| m.method == name) {
                    let range = parentheses(ends.range(m.receiver.span()).into_token_stream());
                    let name = syn::LitStr::new(&m.method.to_string(), m.method.span());
                    self.asked.push(statement(quote_spanned!(m.method.span()=>
                        ::omp::__private::of_range(#range, #name);
                    )));
                }
                match (m.method.to_string().as_str(), m.args.len()) {
                    ("clone", 0) => *e = ends.range(span),
                    ("start", 0) if *inclusive => *e = made(parentheses(quote_spanned!(span=> &#lo))),
                    ("end", 0) if *inclusive => *e = made(parentheses(quote_spanned!(span=> &#hi))),
                    ("len", 0) => {
                        *e = made(quote_spanned!(span=> ::omp::__private::trips(#lo, #hi, #inclusive)));
                    }
                    ("is_empty", 0) => {
                        let some = if *inclusive { quote!(#lo <= #hi) } else { quote!(#lo < #hi) };
                        let some = parentheses(some);
                        *e = made(parentheses(quote_spanned!(span=> !#some)));
                    }
                    _ => {
                        *m.receiver = made(parentheses(ends.range(span).into_token_stream()));
                        m.args.iter_mut().for_each(|a| self.visit_expr_mut(a));
                    }
                }
            }
            _ => return false,
        }
        true
    }

    /// The ends of the range that a call or a condition gives, as an expression; whether the range has its last.
    fn range_value(&mut self, e: &Expr, part: &Part) -> Option<(Expr, bool)> {
        let e = strip(e);
        match e {
            Expr::Call(c) => self.call_of(c, &|body| ends_of(body, part), &|ty| {
                let ty = element_type(ty).filter(|ty| !ty.is_empty())?;
                Some(match part {
                    Part::Both => quote!((#ty, #ty)),
                    Part::First | Part::End => ty,
                })
            }),
            Expr::If(_) | Expr::Match(_) => {
                let mut value = e.clone();
                let inclusive = ends_of(&mut value, part)?;
                self.visit_expr_mut(&mut value);
                Some((value, inclusive))
            }
            _ => None,
        }
    }

    /// Whether a subscript is a range: written out, named, or given by a call.
    pub(in crate::iterate) fn is_range(&self, e: &Expr) -> bool {
        match strip(e) {
            Expr::Range(_) => true,
            Expr::Path(p) => p.path.get_ident().is_some_and(|name| self.names_range(name)),
            Expr::MethodCall(m) => m.method == "clone" && m.args.is_empty() && self.is_range(&m.receiver),
            e => self.gives_range(e),
        }
    }

    /// Whether an expression gives a range, but is none that is written out.
    fn gives_range(&self, e: &Expr) -> bool {
        let e = strip(e);
        match e {
            Expr::Call(c) => {
                self.closure_of(c).is_some_and(|c| ends_of(&mut (*c.body()).clone(), &Part::Both).is_some())
            }
            Expr::If(_) | Expr::Match(_) => ends_of(&mut e.clone(), &Part::Both).is_some(),
            _ => false,
        }
    }

    /// The half-open range that a call gives as one of the iterators of a `flat_map`: its ends, and the statements that name them.
    pub(in crate::iterate) fn ends_of_call(
        &mut self,
        e: &Expr,
    ) -> Option<([proc_macro2::TokenStream; 2], Expr)> {
        let Expr::Call(c) = strip(e) else { return None };
        if ends_of(&mut self.closure_of(c)?.body().clone(), &Part::Both)? {
            return None;
        }
        let span = e.span();
        let [all, lo, hi] = ["range", "first", "end"].map(|name| self.fresh(name, span));
        let lets = [
            quote_spanned!(span=> let #all = #e;),
            quote_spanned!(span=> let (#lo, #hi) = (#all.start, #all.end);),
        ];
        Some((lets, made(quote_spanned!(span=> #lo..#hi))))
    }

    /// An expression or a loop that uses a range which something gives: with a name for it. In a subscript there is no place for a name: there
    /// the ends are computed one by one.
    pub(in crate::iterate) fn with_range_named(&mut self, e: &mut Expr) -> Option<Expr> {
        let mut lets = Vec::new();
        match e {
            Expr::MethodCall(_) => self.name_ranges(e, &mut lets),
            Expr::Field(f) => self.name_ranges(&mut f.base, &mut lets),
            Expr::Reference(_) => self.name_ranges(e, &mut lets),
            Expr::ForLoop(f) if f.attrs.is_empty() => self.name_ranges(&mut f.expr, &mut lets),
            Expr::Index(x) if self.gives_range(&x.index) => {
                if !self.is_the_same_again(&x.index) {
                    return None;
                }
                let (lo, inclusive) = self.range_value(&x.index, &Part::First)?;
                let (hi, _) = self.range_value(&x.index, &Part::End)?;
                let ends = Ends { lo, hi, inclusive };
                *x.index = ends.range(x.index.span());
                return None;
            }
            _ => {}
        }
        if lets.is_empty() {
            return None;
        }
        let block = quote_spanned!(e.span()=> { #(#lets)* #e });
        Some(made(if matches!(e, Expr::ForLoop(_)) { block } else { parentheses(block) }))
    }

    /// The range that a parallel loop gets from a call: the host makes it before the loop, and rustc checks that it is a `Range`.
    pub(in crate::iterate) fn called_range(&mut self, f: &mut syn::ExprForLoop) -> Option<Vec<Stmt>> {
        let range = without_adaptors(&mut f.expr);
        if let Some((ends, copied)) = self.copied_range(range) {
            *range = copied;
            return Some(vec![ends]);
        }
        let Expr::Call(c) = &*range else { return None };
        let inclusive = match behind_references(&c.func) {
            Expr::Path(p) => {
                let function = p.path.segments.last()?.ident.to_string().starts_with(char::is_lowercase);
                function.then_some(false)?
            }
            Expr::Closure(c) => ends_of(&mut (*c.body).clone(), &Part::Both)?,
            _ => return None,
        };
        let call = range.to_token_stream();
        let (span, all) = (range.span(), self.fresh("range", range.span()));
        let (lo, hi) = (self.fresh("first", span), self.fresh("end", span));
        let ends = if inclusive {
            *range = made(quote_spanned!(span=> #lo..=#hi));
            quote_spanned!(span=> let (#lo, #hi) = (*#all.start(), *#all.end());)
        } else {
            *range = made(quote_spanned!(span=> #lo..#hi));
            quote_spanned!(span=> let ::omp::__private::core::ops::Range { start: #lo, end: #hi } = #all;)
        };
        Some(vec![statement(quote_spanned!(span=> let #all = #call;)), statement(ends)])
    }

    /// `for j in cols.clone()` of a loop that is collapsed with those around it: the ends of the range get names before the nest.
    pub(in crate::iterate) fn collapsed_range(&mut self, f: &mut syn::ExprForLoop) -> Option<Stmt> {
        let range = without_adaptors(&mut f.expr);
        let (ends, copied) = self.copied_range(range)?;
        *range = copied;
        Some(ends)
    }

    /// `layer.clone()` of a value that its name doesn't show to be a range: a statement that reads its ends, and these.
    fn copied_range(&mut self, e: &Expr) -> Option<(Stmt, Expr)> {
        let Expr::MethodCall(m) = e else { return None };
        if m.method != "clone" || !m.args.is_empty() || !chain::is_place(&m.receiver) {
            return None;
        }
        let named = |name: &Ident| self.names_range(name) || self.meaning(name).is_some();
        if matches!(&*m.receiver, Expr::Path(p) if p.path.get_ident().is_some_and(named))
            || self.is_array(&m.receiver)
        {
            return None;
        }
        let span = m.method.span();
        let (lo, hi) = (self.fresh("first", span), self.fresh("end", span));
        let ends = quote_spanned!(m.span()=> ::omp::__private::ends_of_range(#m));
        let ends = statement(quote_spanned!(span=> let (#lo, #hi) = #ends;));
        Some((ends, made(quote_spanned!(span=> #lo..#hi))))
    }

    /// `x[layer.clone()]` in what a parallel loop goes through: the ends of such ranges get names before the loop.
    pub(in crate::iterate) fn copied_ranges(&mut self, head: &mut Expr) -> Vec<Stmt> {
        let mut ends = Vec::new();
        match head {
            Expr::Paren(p) => ends.extend(self.copied_ranges(&mut p.expr)),
            Expr::Group(g) => ends.extend(self.copied_ranges(&mut g.expr)),
            Expr::Reference(r) => ends.extend(self.copied_ranges(&mut r.expr)),
            Expr::MethodCall(m) => {
                ends.extend(self.copied_ranges(&mut m.receiver));
                if m.method == "zip" {
                    m.args.iter_mut().for_each(|arg| ends.extend(self.copied_ranges(arg)));
                }
            }
            Expr::Index(x) => {
                if let Some((stmt, range)) = self.copied_range(&x.index) {
                    *x.index = range;
                    ends.push(stmt);
                }
            }
            _ => {}
        }
        ends
    }

    /// Whether a range that something gives may be evaluated again for its other end: a function may change what it is given, and a closure
    /// what it captures.
    fn is_the_same_again(&self, range: &Expr) -> bool {
        let calls = |e: &Expr| matches!(e, Expr::Call(c) if matches!(strip(&c.func), Expr::Path(_)));
        let changes = |e: &Expr| !crate::iterate::changed(e).is_empty();
        let by_call = |c: &syn::ExprCall| {
            c.args.iter().any(|arg| search::any(arg, calls))
                || self.closure_of(c).is_some_and(|closure| changes(closure.body()))
        };
        !changes(range) && !matches!(strip(range), Expr::Call(c) if by_call(c))
    }

    /// Puts names in the place of the ranges of a chain.
    fn name_ranges(&mut self, e: &mut Expr, lets: &mut Vec<Stmt>) {
        if self.gives_range(e) {
            let name = self.fresh("range", e.span());
            lets.push(statement(quote_spanned!(e.span()=> let #name = #e;)));
            *e = made(name.into_token_stream());
            return;
        }
        match strip_mut(e) {
            Expr::MethodCall(m) => {
                self.name_ranges(&mut m.receiver, lets);
                if m.method == "zip" || m.method == "chain" {
                    m.args.iter_mut().for_each(|arg| self.name_ranges(arg, lets));
                }
            }
            Expr::Reference(r) => self.name_ranges(&mut r.expr, lets),
            Expr::Index(x)
                if chain::is_place(&x.expr)
                    && self.gives_range(&x.index)
                    && !self.is_the_same_again(&x.index) =>
            {
                self.name_ranges(&mut x.index, lets);
            }
            _ => {}
        }
    }

    /// Statements by which rustc checks that the ranges from outside are ranges.
    pub(in crate::iterate) fn judged_ranges(self) -> Vec<Stmt> {
        let one = |name: Ident| {
            statement(quote_spanned!(name.span()=> let ::omp::__private::core::ops::Range { .. } = #name;))
        };
        let mut seen = std::collections::HashSet::new();
        self.ranges.into_iter().filter(|name| seen.insert(name.to_string())).map(one).collect()
    }
}

/// Whether an expression binds no names.
fn is_simple(e: &Expr) -> bool {
    let e = strip(e);
    match e {
        Expr::Path(_) | Expr::Lit(_) => true,
        Expr::Cast(c) => is_simple(&c.expr),
        Expr::Field(f) => is_simple(&f.base),
        Expr::Unary(u) => is_simple(&u.expr),
        Expr::Binary(b) => is_simple(&b.left) && is_simple(&b.right),
        Expr::MethodCall(m) => is_simple(&m.receiver) && m.args.iter().all(is_simple),
        Expr::Range(r) => [&r.start, &r.end].into_iter().flatten().all(|e| is_simple(e)),
        _ => false,
    }
}

/// `(|n| 1..n - 1)(m)` as `1..m - 1`, if the arguments are names and numbers.
pub fn reduce(e: &mut Expr) {
    let range = without_adaptors(e);
    let Expr::Call(c) = &*range else { return };
    let Expr::Closure(f) = behind_references(&c.func) else { return };
    let mut body = &*f.body;
    while let Expr::Block(b) = body
        && let [Stmt::Expr(last, None)] = &b.block.stmts[..]
    {
        body = last;
    }
    let mut names = std::collections::HashMap::new();
    for (pat, arg) in f.inputs.iter().zip(&c.args) {
        let name =
            crate::iterate::loops::pattern::plain_name(if let Pat::Type(t) = pat { &t.pat } else { pat });
        let (Some(name), Expr::Path(_) | Expr::Lit(_)) = (name, arg) else { return };
        names.insert(name.to_string(), arg.to_token_stream());
    }
    if let Expr::Range(_) = body
        && is_simple(body)
    {
        *range = made(crate::iterate::values::closure::substituted(body.to_token_stream(), &names));
    }
}

/// The range of a loop, without `.rev()` and `.step_by(s)`.
fn without_adaptors(e: &mut Expr) -> &mut Expr {
    let adapts = |m: &syn::ExprMethodCall| m.method == "rev" || m.method == "step_by";
    if !matches!(e, Expr::Paren(_) | Expr::Group(_)) && !matches!(e, Expr::MethodCall(m) if adapts(m)) {
        return e;
    }
    match strip_mut(e) {
        Expr::MethodCall(m) => without_adaptors(&mut m.receiver),
        other => other,
    }
}

/// A range as it stands in parentheses.
fn written_out(e: &mut Expr) -> Option<&mut syn::ExprRange> {
    match strip_mut(e) {
        Expr::Range(r) => Some(r),
        _ => None,
    }
}

/// The value that is computed of a range.
enum Part {
    Both,
    First,
    End,
}

/// Puts the ends of a range in the place of the range that an expression gives, whichever way it goes; whether the range has its last.
fn ends_of(e: &mut Expr, part: &Part) -> Option<bool> {
    let last = |b: &mut syn::Block| match b.stmts.last_mut() {
        Some(Stmt::Expr(e, None)) => ends_of(e, part),
        _ => None,
    };
    match e {
        Expr::Paren(p) => ends_of(&mut p.expr, part),
        Expr::Group(g) => ends_of(&mut g.expr, part),
        Expr::Block(b) if b.label.is_none() => last(&mut b.block),
        Expr::If(i) => {
            let inclusive = last(&mut i.then_branch)?;
            let (_, other) = i.else_branch.as_mut()?;
            ends_of(other, part).filter(|other| *other == inclusive)
        }
        Expr::Match(m) => {
            let mut arms = m.arms.iter_mut().map(|arm| ends_of(&mut arm.body, part));
            let inclusive = arms.next()??;
            arms.all(|other| other == Some(inclusive)).then_some(inclusive)
        }
        Expr::Range(r) => {
            let (Some(first), Some(end)) = (&r.start, &r.end) else { return None };
            let inclusive = matches!(r.limits, RangeLimits::Closed(_));
            let span = first.span();
            *e = made(match part {
                Part::Both => quote_spanned!(span=> (#first, #end)),
                Part::First => parentheses(first.to_token_stream()),
                Part::End => parentheses(end.to_token_stream()),
            });
            Some(inclusive)
        }
        _ => None,
    }
}

/// `T` of `Range<T>`.
fn element_type(ty: &Type) -> Option<proc_macro2::TokenStream> {
    let Type::Path(p) = ty else { return None };
    let last = p.path.segments.last()?;
    if last.ident != "Range" && last.ident != "RangeInclusive" {
        return None;
    }
    match &last.arguments {
        syn::PathArguments::None => Some(quote!(_)),
        syn::PathArguments::AngleBracketed(a) => a.args.first().map(ToTokens::to_token_stream),
        syn::PathArguments::Parenthesized(_) => None,
    }
}
