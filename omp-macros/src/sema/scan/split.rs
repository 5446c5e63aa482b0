//! Splits branches that store and count: `if c { y[n] = v; n += 1; }` becomes `let kept = c; if kept { y[n] = v; } if
//! kept { n += 1; }`. A scan runs updates of carried values twice and stores once, so they have to be separate
//! statements.
//!
//! The branches of `if let` and the arms of a `match` are split in the same way, with a name for the value that is matched.
//!
//! A `let` of the branch is repeated in each part that needs it. If it would have another value there, the branch is left
//! unchanged, and [`super::order`] reports the reason.
//!
//! This file looks at syntax, because it rewrites it: the host's loop and the typing copy need the statements in the same order.
use super::order::WHEN;
use super::recurrence::targets;
use crate::parse::tokens::leaves::{mentions, regrouped};
use crate::sema::reduction::updates;
use crate::sema::syntax::names::{Names, bound, bound_in};
use crate::sema::syntax::search;
use crate::sema::syntax::{effects, place};
use crate::visits::{self, Node};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use std::collections::BTreeSet;
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::visit_mut::VisitMut;
use syn::{BinOp, Block, Expr, ExprIf, Pat, Stmt};

/// Splits the branches of a scan's body that update what `carried` says is carried.
pub(super) fn branches(body: &mut Block, carried: &dyn Fn(&str) -> bool) {
    let bound = bound_in(body);
    let is_carried = |e: &Expr| {
        let of = updates::target(e).and_then(place::of);
        of.is_some_and(|p| p.subscripts.is_empty() && !bound.contains(&p.base) && carried(&p.key))
    };
    let mut split = Split { is_carried: &is_carried, made: 0 };
    body.stmts = split.statements(&body.stmts);
}

/// What ends an iteration early becomes a branch around the rest of the body: `if c { continue; }` is `if !c { … }`, and
/// `let Some(v) = e else { continue };` is `if let Some(v) = e { … }`. A `continue` at the end of
/// the body is removed.
pub(super) fn continues(body: &mut Block) {
    let Some(at) = body.stmts.iter().position(|stmt| Skips::of(stmt).is_some()) else {
        in_only_arm(body);
        return body.stmts.last_mut().into_iter().for_each(at_end);
    };
    let rest = body.stmts.split_off(at + 1);
    let stmt = body.stmts.pop().expect("just found");
    let mut rest: Block = syn::parse_quote_spanned!(stmt.span()=> { #(#rest)* });
    continues(&mut rest);
    let Some(Skips { cond, span, before, after }) = Skips::of(&stmt) else { unreachable!("just found") };
    let tokens = match (before, after) {
        (None, Some(value)) => quote_spanned!(span=> if #cond { #(#value)* } else #rest),
        (None, None) if rest.stmts.is_empty() => return,
        (None, None) => quote_spanned!(span=> if !(#cond) #rest),
        (Some(pat), _) => {
            let (pat, ty) = match pat {
                Pat::Type(t) => (&*t.pat, Some(&t.ty)),
                pat => (pat, None),
            };
            if ty.is_none() && !search::any(cond, |e| matches!(e, Expr::Struct(_))) {
                quote_spanned!(span=> if let #pat = #cond #rest)
            } else {
                // A condition has no type, and no value of a struct.
                let value = Ident::new(
                    &format!("{WHEN}_value{}", body.stmts.len()),
                    Span::mixed_site().located_at(span),
                );
                let ty = ty.map(|ty| quote_spanned!(span=> : #ty));
                body.stmts.push(parsed(quote_spanned!(span=> let #value #ty = #cond;)));
                quote_spanned!(span=> if let #pat = #value #rest)
            }
        }
    };
    body.stmts.push(parsed(tokens));
}

/// `let k = match e { A => continue, k => k };` and what comes after it: that stands in the only arm that has a value.
fn in_only_arm(body: &mut Block) -> Option<()> {
    let has_value = |arm: &&syn::Arm| !matches!(&*arm.body, Expr::Continue(c) if c.label.is_none());
    let of = |stmt: &Stmt| {
        let Stmt::Local(l) = stmt else { return None };
        let init = l.init.as_ref().filter(|init| init.diverge.is_none())?;
        let Expr::Match(m) = &*init.expr else { return None };
        let only = m.arms.iter().position(|arm| has_value(&arm))?;
        let one = m.arms.len() > 1 && m.arms.iter().filter(has_value).count() == 1;
        one.then(|| (l.clone(), m.clone(), only))
    };
    let (at, (mut l, mut m, only)) = body.stmts.iter().enumerate().find_map(|(at, s)| Some((at, of(s)?)))?;
    let rest = &body.stmts[at + 1..];
    let named = bound(&l.pat);
    let hides =
        |name: &String| !named.contains(name) && rest.iter().any(|s| mentions(s.to_token_stream(), name));
    if rest.iter().any(|stmt| matches!(stmt, Stmt::Item(_))) || bound(&m.arms[only].pat).iter().any(hides) {
        return None;
    }
    let value = std::mem::replace(&mut m.arms[only].body, syn::parse_quote!({}));
    l.init.as_mut()?.expr = value;
    m.arms[only].body = syn::parse_quote_spanned!(l.span()=> { #l #(#rest)* });
    body.stmts.truncate(at);
    body.stmts.push(Stmt::Expr(Expr::Match(m), None));
    Some(())
}

/// Takes `continue` out of the branches of a statement that ends an iteration.
fn at_end(stmt: &mut Stmt) {
    let Stmt::Expr(e, semicolon) = stmt else { return };
    match e {
        // Before a semicolon, the others may have values.
        Expr::Match(m)
            if semicolon.is_some()
                && !m.arms.iter().all(|arm| matches!(&*arm.body, Expr::Block(b) if is_unit(&b.block))) => {}
        Expr::Continue(c) if c.label.is_none() => *e = syn::parse_quote!({}),
        Expr::Block(b) if b.label.is_none() => continues(&mut b.block),
        Expr::If(i) => {
            continues(&mut i.then_branch);
            if let Some((_, els)) = &mut i.else_branch {
                in_branch(els);
            }
        }
        Expr::Match(m) => m.arms.iter_mut().for_each(|arm| in_branch(&mut arm.body)),
        _ => {}
    }
}

/// Whether a block has no value.
fn is_unit(b: &Block) -> bool {
    !matches!(b.stmts.last(), Some(Stmt::Expr(_, None)))
}

fn in_branch(e: &mut Expr) {
    let mut stmt = Stmt::Expr(e.clone(), None);
    at_end(&mut stmt);
    if let Stmt::Expr(branch, _) = stmt {
        *e = branch;
    }
}

/// A statement that may skip the rest of an iteration.
struct Skips<'s> {
    /// The condition that skips; the value that the pattern has to match.
    cond: &'s Expr,
    span: Span,
    /// The pattern of what does not skip.
    before: Option<&'s Pat>,
    /// What is done before the rest is skipped.
    after: Option<&'s [Stmt]>,
}

impl<'s> Skips<'s> {
    fn of(stmt: &'s Stmt) -> Option<Self> {
        match stmt {
            Stmt::Expr(Expr::If(i), _) if i.else_branch.is_none() => {
                let (last, before) = i.then_branch.stmts.split_last()?;
                let has_let = search::any(&*i.cond, |e| matches!(e, Expr::Let(_)));
                let after = (has_let || !before.is_empty()).then_some(before);
                is_continue(last).then(|| Self { cond: &i.cond, span: i.cond.span(), before: None, after })
            }
            Stmt::Local(l) if l.attrs.is_empty() => {
                let init = l.init.as_ref()?;
                let (_, diverge) = init.diverge.as_ref()?;
                let Expr::Block(b) = &**diverge else { return None };
                let skips = matches!(&b.block.stmts[..], [only] if is_continue(only));
                skips.then(|| Self { cond: &init.expr, span: l.span(), before: Some(&l.pat), after: None })
            }
            _ => None,
        }
    }
}

/// `continue` of the innermost loop.
fn is_continue(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Expr(Expr::Continue(c), _) if c.label.is_none())
}

struct Split<'c> {
    is_carried: &'c dyn Fn(&Expr) -> bool,
    made: usize,
}

/// Whether a statement is an update of a carried value.
#[derive(PartialEq, Clone, Copy)]
enum Kind {
    Update,
    Other,
}

impl Split<'_> {
    fn statements(&mut self, stmts: &[Stmt]) -> Vec<Stmt> {
        let mut out = Vec::new();
        for stmt in stmts {
            match stmt {
                Stmt::Expr(e @ (Expr::If(_) | Expr::Match(_)), _) => match self.branch(e) {
                    Some(parts) => out.extend(parts),
                    None => out.push(stmt.clone()),
                },
                _ => out.push(stmt.clone()),
            }
        }
        out
    }

    fn branch(&mut self, e: &Expr) -> Option<Vec<Stmt>> {
        if !self.mixes(e) {
            return None;
        }
        let Branches { value, ways } = Branches::of(e)?;
        self.made += 1;
        let (made, span) = (self.made, value.span());
        let name =
            |what: &str| Ident::new(&format!("{WHEN}{made}{what}"), Span::mixed_site().located_at(span));
        let mut kept = name("").into_token_stream();
        let mut out: Vec<Stmt> = Vec::new();
        match value {
            // The parts may have types that a tuple on a device can't hold.
            Expr::Tuple(t) if !matches!(ways[0].when, When::Is(_)) => {
                let names: Vec<Ident> = (0..t.elems.len()).map(|n| name(&format!("_part{n}"))).collect();
                let lets = t.elems.iter().zip(&names);
                out.extend(lets.map(|(e, name)| parsed(quote_spanned!(span=> let #name = #e;))));
                kept = quote_spanned!(span=> (#(#names),*));
            }
            value => out.push(parsed(quote_spanned!(span=> let #kept = #value;))),
        }
        let way = name("_way");
        if let Some(arms) = Way::chosen(&ways) {
            out.push(parsed(quote_spanned!(span=> let #way = match #kept { #arms };)));
        }
        for (n, of) in ways.iter().enumerate() {
            let n = proc_macro2::Literal::usize_suffixed(n);
            for part in self.parts(&of.stmts)? {
                let body = quote_spanned!(span=> { #(#part)* });
                out.push(parsed(match &of.when {
                    When::Is(true) => quote_spanned!(span=> if #kept #body),
                    When::Is(false) => quote_spanned!(span=> if !#kept #body),
                    When::Matches(pat) => {
                        let pat = without_unused(pat, &body);
                        quote_spanned!(span=> if let #pat = #kept #body)
                    }
                    When::Chosen(pat, _) => {
                        let pat = without_unused(pat, &body);
                        let inner = match bound(&pat).is_empty() {
                            true => body,
                            false => quote_spanned!(span=> { if let #pat = #kept #body }),
                        };
                        quote_spanned!(span=> if #way == #n #inner)
                    }
                }));
            }
        }
        Some(out)
    }

    /// The statements of a branch in parts that update or that do not.
    fn parts(&mut self, stmts: &[Stmt]) -> Option<Vec<Vec<Stmt>>> {
        let stmts = self.statements(stmts);
        let mut parts: Vec<(Kind, Vec<Stmt>)> = Vec::new();
        let mut lets: Vec<(Stmt, usize)> = Vec::new();
        let mut declared_in = BTreeSet::new();
        for (n, stmt) in stmts.iter().enumerate() {
            if let Stmt::Local(l) = stmt {
                lets.push((stmt.clone(), n));
                if !stays_in_place(l) {
                    continue;
                }
                let mut find = Updates { is_carried: self.is_carried, updates: false, others: false };
                l.init.iter().for_each(|init| find.visit_expr(&init.expr));
                if find.updates {
                    return None;
                }
            }
            let kind = if self.updates_alone(stmt) { Kind::Update } else { Kind::Other };
            match parts.last_mut() {
                Some((last, part)) if *last == kind => part.push(stmt.clone()),
                _ => parts.push((kind, vec![stmt.clone()])),
            }
            // The declarations of the names that it uses go to its part.
            let needed = needed(&lets, stmt);
            let part = parts.len() - 1;
            if matches!(stmt, Stmt::Local(_)) {
                declared_in.insert((lets.len() - 1, part));
            }
            for (at, (declared, place)) in lets.iter().enumerate() {
                if !needed.contains(&at) || declared_in.contains(&(at, part)) {
                    continue;
                }
                let Stmt::Local(l) = declared else { return None };
                let changed = changed(&stmts[*place + 1..n]);
                // A variable that changes is declared in one part only.
                let elsewhere = declared_in.iter().any(|(other, _)| *other == at);
                declared_in.insert((at, part));
                if !(is_plain(l) || !elsewhere && is_evaluated_again(l))
                    || changed.iter().any(|name| mentions(l.to_token_stream(), name))
                {
                    return None;
                }
                let (_, part) = parts.last_mut()?;
                let end = part.len() - 1;
                part.insert(end, declared.clone());
            }
        }
        // What no part needs is left out.
        let left_out = |(at, (declared, _)): (usize, &(Stmt, usize))| match declared {
            Stmt::Local(l) if !declared_in.iter().any(|(other, _)| *other == at) => {
                l.init.iter().any(|init| !effects::is_pure(&init.expr, &effects::is_of_numbers))
            }
            _ => false,
        };
        if lets.iter().enumerate().any(left_out) {
            return None;
        }
        // Each part has its own name for the condition of a nested branch.
        let parts = parts.into_iter().map(|(_, part)| part);
        Some(parts.map(|part| self.own_names(part)).collect())
    }

    fn own_names(&mut self, part: Vec<Stmt>) -> Vec<Stmt> {
        let declared: Vec<Ident> = part
            .iter()
            .filter_map(|s| match s {
                Stmt::Local(syn::Local { pat: Pat::Ident(p), .. }) => Some(p.ident.clone()),
                _ => None,
            })
            .filter(|name| name.to_string().starts_with(WHEN))
            .collect();
        declared.iter().fold(part, |part, name| {
            self.made += 1;
            let own = Ident::new(&format!("{WHEN}{}", self.made), name.span());
            part.iter().map(|s| parsed(renamed(s.to_token_stream(), name, &own))).collect()
        })
    }

    /// Whether a branch updates a carried value, and does something else, too.
    fn mixes(&self, e: &Expr) -> bool {
        let mut find = Updates { is_carried: self.is_carried, updates: false, others: false };
        find.visit_expr(e);
        find.updates && find.others
    }

    fn updates_alone(&self, stmt: &Stmt) -> bool {
        let mut find = Updates { is_carried: self.is_carried, updates: false, others: false };
        find.visit_stmt(stmt);
        find.updates && !find.others
    }
}

/// An `if` or a `match` as the value that decides, and the ways that it may go.
struct Branches<'e> {
    value: &'e Expr,
    ways: Vec<Way<'e>>,
}

/// A branch.
struct Way<'e> {
    when: When<'e>,
    stmts: Vec<Stmt>,
}

/// When a branch is taken.
enum When<'e> {
    /// The value, which is a `bool`, is this.
    Is(bool),
    /// The value matches the pattern, which is the first.
    Matches(Pat),
    /// The value matches the pattern, and the guard holds; those before it don't.
    Chosen(Pat, Option<&'e Expr>),
}

impl<'e> Branches<'e> {
    fn of(e: &'e Expr) -> Option<Self> {
        let all = |e: &Expr| match e {
            Expr::Block(b) if b.label.is_none() => b.block.stmts.clone(),
            other => vec![Stmt::Expr(other.clone(), Some(Default::default()))],
        };
        let has_let = |e: &Expr| search::any(e, |e| matches!(e, Expr::Let(_)));
        match e {
            Expr::If(i) => {
                let els = i.else_branch.as_ref().map(|(_, els)| all(els)).unwrap_or_default();
                let then = i.then_branch.stmts.clone();
                let (value, pat, guard) = match &*i.cond {
                    cond if !has_let(cond) => {
                        let ways = vec![
                            Way { when: When::Is(true), stmts: then },
                            Way { when: When::Is(false), stmts: els },
                        ];
                        return Some(Self { value: cond, ways });
                    }
                    Expr::Let(l) => (&*l.expr, &*l.pat, None),
                    Expr::Binary(b) if matches!(b.op, BinOp::And(_)) && !has_let(&b.right) => {
                        let Expr::Let(l) = &*b.left else { return None };
                        (&*l.expr, &*l.pat, Some(&*b.right))
                    }
                    _ => return None,
                };
                let other: Pat = syn::parse_quote!(_);
                Self::matched(value, [(pat.clone(), guard, then), (other, None, els)].into())
            }
            Expr::Match(m) => {
                let arms = m.arms.iter().map(|arm| match &arm.pat {
                    Pat::Guard(g) => ((*g.pat).clone(), Some(&*g.guard), all(&arm.body)),
                    pat => (pat.clone(), None, all(&arm.body)),
                });
                Self::matched(&m.expr, arms.collect())
            }
            _ => None,
        }
    }

    fn matched(value: &'e Expr, arms: Vec<(Pat, Option<&'e Expr>, Vec<Stmt>)>) -> Option<Self> {
        // The value is matched more than once.
        let copied = |pat: &Pat| {
            Names::of_pattern(pat).bound.iter().all(|p| p.by_ref.is_none() && p.mutability.is_none())
        };
        if !arms.iter().all(|(pat, ..)| copied(pat)) {
            return None;
        }
        let ways = arms.into_iter().enumerate().map(|(n, (pat, guard, stmts))| Way {
            when: if n == 0 && guard.is_none() { When::Matches(pat) } else { When::Chosen(pat, guard) },
            stmts,
        });
        Some(Self { value, ways: ways.collect() })
    }
}

impl Way<'_> {
    /// The arms of a `match` that gives the number of the branch, if one needs it.
    fn chosen(ways: &[Self]) -> Option<TokenStream> {
        let needed = |way: &Self| matches!(way.when, When::Chosen(..)) && !way.stmts.is_empty();
        ways.iter().any(needed).then(|| {
            let arms = ways.iter().enumerate().filter_map(|(n, way)| {
                let n = proc_macro2::Literal::usize_suffixed(n);
                match &way.when {
                    When::Is(_) => None,
                    When::Matches(pat) | When::Chosen(pat, None) => {
                        let pat = without_unused(pat, &TokenStream::new());
                        Some(quote::quote!(#pat => #n,))
                    }
                    When::Chosen(pat, Some(guard)) => {
                        let pat = without_unused(pat, &guard.to_token_stream());
                        Some(quote::quote!(#pat if #guard => #n,))
                    }
                }
            });
            arms.collect()
        })
    }
}

/// A pattern that binds no name which these tokens don't mention.
fn without_unused(pat: &Pat, used: &TokenStream) -> Pat {
    struct Unused<'u>(&'u TokenStream);
    impl VisitMut for Unused<'_> {
        fn visit_pat_mut(&mut self, pat: &mut Pat) {
            if let Pat::Ident(p) = pat
                && p.subpat.is_none()
                // A name in upper case may be a variant or a const.
                && !p.ident.to_string().starts_with(char::is_uppercase)
                && !mentions(self.0.clone(), &p.ident.to_string())
            {
                *pat = syn::parse_quote_spanned!(p.ident.span()=> _);
                return;
            }
            syn::visit_mut::visit_pat_mut(self, pat);
        }
        fn visit_field_pat_mut(&mut self, f: &mut syn::FieldPat) {
            // `S { x }` is `S { x: _ }`.
            f.colon_token.get_or_insert_with(Default::default);
            syn::visit_mut::visit_field_pat_mut(self, f);
        }
    }
    let mut pat = pat.clone();
    Unused(used).visit_pat_mut(&mut pat);
    pat
}

/// Looks for assignments.
struct Updates<'c> {
    is_carried: &'c dyn Fn(&Expr) -> bool,
    updates: bool,
    others: bool,
}

impl<'ast> Visit<'ast> for Updates<'_> {
    fn visit_expr(&mut self, e: &'ast Expr) {
        if updates::target(e).is_some() && !matches!(e, Expr::If(_)) {
            if (self.is_carried)(e) {
                self.updates = true;
            } else {
                self.others = true;
            }
            return;
        }
        self.others |= matches!(e, Expr::Call(_) | Expr::MethodCall(_) | Expr::Macro(_));
        syn::visit::visit_expr(self, e);
    }

    fn visit_stmt_macro(&mut self, _: &'ast syn::StmtMacro) {
        self.others = true;
    }

    // A call in a condition, or in the value of a `match`, is evaluated once.
    fn visit_expr_match(&mut self, m: &'ast syn::ExprMatch) {
        m.arms.iter().for_each(|arm| self.visit_expr(&arm.body));
    }
    fn visit_expr_if(&mut self, i: &'ast ExprIf) {
        self.visit_block(&i.then_branch);
        if let Some((_, els)) = &i.else_branch {
            self.visit_expr(els);
        }
    }

    fn visit_local(&mut self, _: &'ast syn::Local) {}
}

/// Which of the declarations a statement needs, and what these need.
fn needed(lets: &[(Stmt, usize)], stmt: &Stmt) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let mut open = vec![stmt.to_token_stream()];
    while let Some(tokens) = open.pop() {
        for (at, (declared, _)) in lets.iter().enumerate() {
            let Stmt::Local(l) = declared else { continue };
            let names = bound(&l.pat);
            if !found.contains(&at) && names.iter().any(|name| mentions(tokens.clone(), name)) {
                found.insert(at);
                open.push(declared.to_token_stream());
            }
        }
    }
    found
}

/// The declarations among the statements before an expression that it needs, if all of them may be evaluated twice.
pub(super) fn declarations(before: &[Stmt], e: &Expr) -> Option<Vec<Stmt>> {
    let (mut names, mut needed) = (Names::of_expr(e).mentioned, Vec::new());
    for stmt in before.iter().rev() {
        let Stmt::Local(l) = stmt else { continue };
        if bound(&l.pat).iter().any(|name| names.iter().any(|n| **n == *name)) {
            let init = l.init.as_ref().filter(|_| is_plain(l))?;
            names.extend(Names::of_expr(&init.expr).mentioned);
            needed.push(stmt.clone());
        }
    }
    needed.reverse();
    Some(needed)
}

/// A value that may be computed twice.
fn is_plain(l: &syn::Local) -> bool {
    let changes = |p: &&syn::PatIdent| p.mutability.is_some();
    !Names::of_pattern(&l.pat).bound.iter().any(changes) && is_evaluated_again(l)
}

/// A variable whose value has effects of its own, such as loops over other variables, and is computed where it stands.
fn stays_in_place(l: &syn::Local) -> bool {
    let Some(init) = l.init.as_ref().filter(|init| init.diverge.is_none()) else { return false };
    let jumps = visits::any(&*init.expr, |node| match node {
        Node::Expr(e) => matches!(e, Expr::Continue(_) | Expr::Break(_) | Expr::Return(_) | Expr::Try(_)),
        node => matches!(node, Node::Macro(_)),
    });
    !jumps && effects::of(&init.expr, None, &|_| false).is_some()
}

/// A variable whose value may be computed at another place.
fn is_evaluated_again(l: &syn::Local) -> bool {
    let refers = |p: &&syn::PatIdent| p.by_ref.is_some();
    let init = l.init.as_ref().filter(|init| init.diverge.is_none());
    !Names::of_pattern(&l.pat).bound.iter().any(refers)
        && init.is_some_and(|init| effects::of(&init.expr, None, &|_| false).is_none())
}

/// The bases of the places that statements assign.
fn changed(stmts: &[Stmt]) -> Vec<String> {
    targets(stmts).into_iter().filter_map(place::of).map(|p| p.base).collect()
}

/// The tokens with another name for a variable of ours.
fn renamed(tokens: TokenStream, name: &Ident, own: &Ident) -> TokenStream {
    let tree = |tree: TokenTree| match tree {
        TokenTree::Ident(i) if i == *name => TokenTree::Ident(own.clone()),
        TokenTree::Group(g) => regrouped(&g, renamed(g.stream(), name, own)),
        other => other,
    };
    tokens.into_iter().map(tree).collect()
}

/// Tokens of ours that are a statement.
fn parsed(tokens: TokenStream) -> Stmt {
    use syn::parse::Parser;
    Block::parse_within.parse2(tokens).ok().and_then(|mut s| s.pop()).expect("these tokens are a statement")
}

/// The arrays that statements store to at a subscript that depends on a carried value.
pub(super) fn stored_at(body: &[Stmt], carried: &dyn Fn(&str) -> bool) -> Vec<Expr> {
    let mut found: Vec<Expr> = Vec::new();
    for stmt in body {
        for target in targets(stmt) {
            let (Some(place), Expr::Index(x)) = (place::of(target), target) else { continue };
            let is_carried = |e: &Expr| place::scalar_key(e).is_some_and(|key| carried(&key));
            let depends = place.subscripts.iter().any(|e| search::any(*e, is_carried));
            if depends && !matches!(&*x.expr, Expr::Index(_)) {
                found.push((*x.expr).clone());
            }
        }
    }
    found
}
