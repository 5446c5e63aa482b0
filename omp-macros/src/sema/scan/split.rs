//! Splits branches that store and count: `if c { y[n] = v; n += 1; }` becomes `let kept = c; if kept { y[n] = v; } if
//! kept { n += 1; }`. A scan runs updates of carried values twice and stores once, so they have to be separate
//! statements.
//!
//! A `let` of the branch is repeated in each part that needs it. If it would have another value there, the branch is left
//! unchanged, and [`super::order`] reports the reason.
use super::order::WHEN;
use super::recurrence::targets;
use crate::parse::tokens::leaves::{mentions, regrouped};
use crate::sema::reduction::updates;
use crate::sema::syntax::names::{Names, bound, bound_in};
use crate::sema::syntax::search;
use crate::sema::syntax::{effects, place};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use std::collections::BTreeSet;
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::{Block, Expr, ExprIf, Stmt};

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

/// `if c { continue; }` before the rest of a body is `if !c { … }` around that rest.
pub(super) fn continues(body: &mut Block) {
    let ends = |stmt: &Stmt| match stmt {
        Stmt::Expr(Expr::If(i), _)
            if i.else_branch.is_none() && !search::any(&*i.cond, |e| matches!(e, Expr::Let(_))) =>
        {
            matches!(&i.then_branch.stmts[..], [Stmt::Expr(Expr::Continue(c), _)] if c.label.is_none())
        }
        _ => false,
    };
    let Some(at) = body.stmts.iter().position(ends) else { return };
    let rest = body.stmts.split_off(at + 1);
    let Some(Stmt::Expr(Expr::If(i), _)) = body.stmts.pop() else { unreachable!("just found") };
    let (cond, span) = (&i.cond, i.cond.span());
    let mut rest: Block = syn::parse_quote_spanned!(span=> { #(#rest)* });
    continues(&mut rest);
    if !rest.stmts.is_empty() {
        body.stmts.push(parsed(quote_spanned!(span=> if !(#cond) #rest)));
    }
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
                Stmt::Expr(Expr::If(i), _) => match self.branch(i) {
                    Some(parts) => out.extend(parts),
                    None => out.push(stmt.clone()),
                },
                _ => out.push(stmt.clone()),
            }
        }
        out
    }

    fn branch(&mut self, i: &ExprIf) -> Option<Vec<Stmt>> {
        if !self.mixes(i)
            || matches!(&*i.cond, Expr::Let(_))
            || search::any(&*i.cond, |e| matches!(e, Expr::Let(_)))
        {
            return None;
        }
        self.made += 1;
        let (made, span, cond) = (self.made, i.cond.span(), &i.cond);
        let kept = Ident::new(&format!("{WHEN}{made}"), Span::mixed_site().located_at(span));
        let mut out: Vec<Stmt> = vec![parsed(quote_spanned!(span=> let #kept = #cond;))];
        let then = self.parts(&i.then_branch.stmts)?;
        out.extend(then.iter().map(|part| parsed(quote_spanned!(span=> if #kept { #(#part)* }))));
        if let Some((_, els)) = &i.else_branch {
            let stmts = match &**els {
                Expr::Block(b) => b.block.stmts.clone(),
                other => vec![Stmt::Expr(other.clone(), None)],
            };
            let parts = self.parts(&stmts)?;
            out.extend(parts.iter().map(|part| parsed(quote_spanned!(span=> if !#kept { #(#part)* }))));
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
                let changed = changed(&stmts[*place..n]);
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
        // Each part has its own name for the condition of a nested branch.
        let parts = parts.into_iter().map(|(_, part)| part);
        Some(parts.map(|part| self.own_names(part)).collect())
    }

    fn own_names(&mut self, part: Vec<Stmt>) -> Vec<Stmt> {
        let declared: Vec<Ident> = part
            .iter()
            .filter_map(|s| match s {
                Stmt::Local(syn::Local { pat: syn::Pat::Ident(p), .. }) => Some(p.ident.clone()),
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
    fn mixes(&self, i: &ExprIf) -> bool {
        let mut find = Updates { is_carried: self.is_carried, updates: false, others: false };
        find.visit_expr_if(i);
        find.updates && find.others
    }

    fn updates_alone(&self, stmt: &Stmt) -> bool {
        let mut find = Updates { is_carried: self.is_carried, updates: false, others: false };
        find.visit_stmt(stmt);
        find.updates && !find.others
    }
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

    // A call in a condition is evaluated once.
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
    struct Jumps(bool);
    impl<'ast> Visit<'ast> for Jumps {
        fn visit_expr(&mut self, e: &'ast Expr) {
            self.0 |= matches!(
                e,
                Expr::Continue(_) | Expr::Break(_) | Expr::Return(_) | Expr::Try(_) | Expr::Macro(_)
            );
            syn::visit::visit_expr(self, e);
        }
        fn visit_macro(&mut self, _: &'ast syn::Macro) {
            self.0 = true;
        }
    }
    let Some(init) = l.init.as_ref().filter(|init| init.diverge.is_none()) else { return false };
    let mut jumps = Jumps(false);
    jumps.visit_expr(&init.expr);
    !jumps.0 && effects::of(&init.expr, None, &|_| false).is_some()
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
