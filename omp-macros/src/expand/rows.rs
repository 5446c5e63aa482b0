//! Lists of unknown length in rows of fixed length: `list[i * MAX + n] = j; n += 1;`, where a loop inside the iteration counts `n`.
//!
//! Tokens don't show that `n` stays below the length of the row, and the next row belongs to another iteration. So the store
//! becomes `if n < MAX { list[i * MAX + n] = j; } else { panic!(…) }`, on the host and on devices. The race analysis uses the
//! condition, and the message of a list that is too long has its numbers. If the user's code has this condition, nothing is added.
//!
//! This file only finds such stores. The race analysis decides whether rows of different iterations are disjoint, as for every
//! other subscript.
use crate::ast::Directive;
use crate::iterate::pattern_names;
use crate::sema::reduction::updates::assigned;
use crate::sema::syntax::forms::strip;
use crate::sema::syntax::names::Names;
use crate::sema::syntax::search;
use proc_macro2::Span;
use quote::{ToTokens, quote_spanned};
use std::collections::HashSet;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{BinOp, Block, Expr, ExprBinary, ExprForLoop, ExprIf, Pat, Stmt};

/// Puts the conditions into a nest.
pub fn guard(f: &mut ExprForLoop, directive: &Directive) {
    let mut names = Names::default();
    names.visit_expr_for_loop(f);
    let bound = names.bound.into_iter().map(|p| p.ident.to_string()).collect();
    let clauses = &directive.clauses;
    let reduced = clauses.reductions.iter().flat_map(|r| &r.items);
    let own = [&clauses.private, &clauses.firstprivate, &clauses.lastprivate];
    let named = [&clauses.disjoint, &clauses.trust_disjoint].into_iter().chain(own).flatten();
    let excepted = reduced.chain(named).map(|item| item.key.clone()).collect();
    let mut rows = Rows { bound, excepted, scope: Vec::new(), held: Vec::new() };
    rows.visit_block_mut(&mut f.body);
}

/// The meaning of a name in the iteration.
#[derive(Clone)]
enum Name {
    /// A variable that a loop inside of its scope counts up.
    Counter,
    /// The first element of a row of this length.
    Start(Box<Expr>),
    Other,
}

struct Rows {
    /// The names that the nest binds.
    bound: HashSet<String>,
    /// Arrays of which a clause says something, or of which iterations have copies.
    excepted: HashSet<String>,
    /// Innermost last.
    scope: Vec<(String, Name)>,
    /// The conditions `a < b` that hold, as text.
    held: Vec<(String, String)>,
}

impl Rows {
    fn named(&self, name: &str) -> Option<&Name> {
        self.scope.iter().rev().find(|(n, _)| n == name).map(|(_, meaning)| meaning)
    }

    /// The value is the same in all iterations.
    fn is_invariant(&self, e: &Expr) -> bool {
        match strip(e) {
            Expr::Lit(_) => true,
            Expr::Path(p) => p.path.get_ident().is_none_or(|name| !self.bound.contains(&name.to_string())),
            Expr::Field(f) => self.is_invariant(&f.base),
            Expr::Cast(c) => self.is_invariant(&c.expr),
            Expr::Binary(b) => self.is_invariant(&b.left) && self.is_invariant(&b.right),
            _ => false,
        }
    }

    /// The length of the row of which this is the first element: a product of a number of the iteration and an invariant one.
    fn row(&self, e: &Expr) -> Option<Expr> {
        match strip(e) {
            Expr::Path(p) => match self.named(&p.path.get_ident()?.to_string())? {
                Name::Start(length) => Some((**length).clone()),
                Name::Counter | Name::Other => None,
            },
            Expr::Cast(c) => {
                let (length, ty) = (self.row(&c.expr)?, &c.ty);
                Some(syn::parse_quote_spanned!(e.span()=> (#length as #ty)))
            }
            Expr::Binary(ExprBinary { left, op: BinOp::Mul(_), right, .. }) => {
                let (number, length) = match (self.is_invariant(left), self.is_invariant(right)) {
                    (false, true) => (left, right),
                    (true, false) => (right, left),
                    _ => return None,
                };
                Some(match self.row(number) {
                    // `i * 2 * MAX`
                    Some(rows) => syn::parse_quote_spanned!(e.span()=> (#rows) * (#length)),
                    None => (**length).clone(),
                })
            }
            _ => None,
        }
    }

    /// A subscript without the first element of its row, and the length of the row.
    fn place(&self, e: &Expr) -> Option<(Expr, Expr)> {
        match strip(e) {
            Expr::Cast(c) => self.place(&c.expr),
            Expr::Binary(ExprBinary { left, op: BinOp::Add(_), right, .. }) => {
                if let Some(length) = self.row(left) {
                    return Some(((**right).clone(), length));
                }
                if let Some(length) = self.row(right) {
                    // An invariant first summand is the start of the rows.
                    let rest = if self.is_invariant(left) { syn::parse_quote!(0) } else { (**left).clone() };
                    return Some((rest, length));
                }
                let (rest, length) = self.place(left)?;
                if text(&rest) == "0" {
                    return Some(((**right).clone(), length));
                }
                Some((syn::parse_quote_spanned!(e.span()=> #rest + #right), length))
            }
            _ => None,
        }
    }

    /// Visits code that may run again: the conditions that hold before it need not hold in it.
    fn anew(&mut self, visit: impl FnOnce(&mut Self)) {
        let (outside, held) = (self.scope.len(), std::mem::take(&mut self.held));
        visit(self);
        self.scope.truncate(outside);
        self.held = held;
    }

    fn counts(&self, e: &Expr) -> bool {
        match strip(e) {
            Expr::Path(p) => p
                .path
                .get_ident()
                .is_some_and(|name| matches!(self.named(&name.to_string()), Some(Name::Counter))),
            Expr::Cast(c) => self.counts(&c.expr),
            Expr::Binary(ExprBinary { left, op: BinOp::Add(_), right, .. }) => {
                (self.counts(left) && self.is_invariant(right))
                    || (self.counts(right) && self.is_invariant(left))
            }
            _ => false,
        }
    }

    /// The condition under which a statement stores to its own row, if nothing keeps it there.
    fn condition(&self, e: &Expr) -> Option<(Expr, Expr, Span)> {
        let mut place = assigned(e)?;
        // Attributes are directives.
        let (Expr::Assign(syn::ExprAssign { attrs, .. }) | Expr::Binary(ExprBinary { attrs, .. })) = e else {
            return None;
        };
        while let Expr::Field(f) = place {
            place = &f.base;
        }
        let Expr::Index(x) = place else { return None };
        let array = strip(&x.expr);
        let key = array.to_token_stream().to_string().replace(' ', "");
        if !attrs.is_empty() || !self.is_invariant(array) || self.excepted.contains(&key) {
            return None;
        }
        let (rest, length) = self.place(&x.index)?;
        let holds = (text(&rest), text(&length));
        (self.counts(&rest) && !self.held.contains(&holds)).then(|| (rest, length, x.span()))
    }

    /// Records the bindings of a condition.
    fn hidden_by(&mut self, cond: &Expr) {
        let names = Names::of_expr(cond).bound.into_iter().map(|p| p.ident.to_string());
        self.scope.extend(names.map(|name| (name, Name::Other)));
    }

    /// Records the bindings of a pattern.
    fn binds(&mut self, pat: &Pat) {
        for name in pattern_names(pat) {
            self.scope.push((name.to_string(), Name::Other));
        }
    }
}

impl VisitMut for Rows {
    fn visit_block_mut(&mut self, b: &mut Block) {
        let (outside, held) = (self.scope.len(), self.held.clone());
        for at in 0..b.stmts.len() {
            let (before, after) = b.stmts.split_at_mut(at + 1);
            let stmt = &mut before[at];
            // An assignment may change a variable of a condition.
            if let Stmt::Expr(e, _) = &*stmt {
                let changed = crate::iterate::changed(e);
                visit_mut::visit_stmt_mut(self, stmt);
                self.held.retain(|(a, b)| !changed.iter().any(|name| a.contains(name) || b.contains(name)));
            } else {
                visit_mut::visit_stmt_mut(self, stmt);
                self.held.clear();
            }
            match stmt {
                Stmt::Local(local) => {
                    self.binds(&local.pat);
                    let mut pat = &local.pat;
                    if let Pat::Type(typed) = pat {
                        pat = &typed.pat;
                    }
                    let Pat::Ident(name) = pat else { continue };
                    let text = name.ident.to_string();
                    let meaning = if name.mutability.is_some() {
                        let mut counted = Counted { name: &text, loops: 0, found: false, other: false };
                        counted.statements(after);
                        (counted.found && !counted.other).then_some(Name::Counter)
                    } else {
                        let init = local.init.as_ref().filter(|init| init.diverge.is_none());
                        init.and_then(|init| self.row(&init.expr)).map(|length| Name::Start(Box::new(length)))
                    };
                    if let (Some(meaning), Some(last)) = (meaning, self.scope.last_mut()) {
                        last.1 = meaning;
                    }
                }
                Stmt::Expr(e, end) => {
                    if let Some((rest, length, span)) = self.condition(e) {
                        let say =
                            "index out of bounds: the length of the row is {} but the index in it is {}";
                        let mut store = e.clone();
                        let first = value(&mut store, span)
                            .map(|value| quote_spanned!(span=> let __omp_value = #value;));
                        // (Not `0 <= …`, of which rustc says that it is always so where the type is unsigned.)
                        let guarded = quote_spanned!(span=> if (0..(#length)).contains(&(#rest)) { #store; } else {
                            match (&(#length), &(#rest)) {
                                (__omp_length, __omp_index) => ::omp::__private::core::panic!(#say, __omp_length, __omp_index),
                            }
                        });
                        let guarded = match first {
                            Some(first) => quote_spanned!(span=> { #first #guarded }),
                            None => guarded,
                        };
                        let Ok(guarded) = syn::parse2(guarded) else { continue };
                        (*e, *end) = (guarded, None);
                    }
                }
                Stmt::Item(_) | Stmt::Macro(_) => {}
            }
        }
        self.scope.truncate(outside);
        self.held = held;
    }

    fn visit_expr_if_mut(&mut self, i: &mut ExprIf) {
        let outside = self.scope.len();
        self.visit_expr_mut(&mut i.cond);
        let held = self.held.clone();
        conditions(&i.cond, &mut self.held);
        self.hidden_by(&i.cond);
        self.visit_block_mut(&mut i.then_branch);
        self.scope.truncate(outside);
        self.held = held;
        if let Some((_, els)) = &mut i.else_branch {
            self.visit_expr_mut(els);
        }
    }

    fn visit_expr_while_mut(&mut self, w: &mut syn::ExprWhile) {
        self.anew(|rows| {
            rows.hidden_by(&w.cond);
            visit_mut::visit_expr_while_mut(rows, w);
        });
    }

    fn visit_expr_loop_mut(&mut self, l: &mut syn::ExprLoop) {
        self.anew(|rows| visit_mut::visit_expr_loop_mut(rows, l));
    }

    fn visit_expr_for_loop_mut(&mut self, f: &mut ExprForLoop) {
        self.visit_expr_mut(&mut f.expr);
        self.anew(|rows| {
            rows.binds(&f.pat);
            rows.visit_block_mut(&mut f.body);
        });
    }

    fn visit_expr_closure_mut(&mut self, c: &mut syn::ExprClosure) {
        self.anew(|rows| {
            c.inputs.iter().for_each(|pat| rows.binds(pat));
            rows.visit_expr_mut(&mut c.body);
        });
    }

    fn visit_arm_mut(&mut self, arm: &mut syn::Arm) {
        let outside = self.scope.len();
        self.binds(&arm.pat);
        visit_mut::visit_arm_mut(self, arm);
        // `pattern => a[…] = v,`
        if self.condition(&arm.body).is_some() {
            let body = &arm.body;
            *arm.body = syn::parse_quote_spanned!(body.span()=> { #body; });
            self.visit_expr_mut(&mut arm.body);
        }
        self.scope.truncate(outside);
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// Whether a variable is counted up in a loop, and in no other way assigned.
struct Counted<'n> {
    name: &'n str,
    loops: usize,
    found: bool,
    other: bool,
}

impl Counted<'_> {
    /// The statements up to one that gives another variable the name.
    fn statements(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            self.visit_stmt(stmt);
            if matches!(stmt, Stmt::Local(local) if pattern_names(&local.pat).iter().any(|n| n == self.name))
            {
                break;
            }
        }
    }

    fn is_it(&self, e: &Expr) -> bool {
        matches!(strip(e), Expr::Path(p) if p.path.is_ident(self.name))
    }

    fn hides(&self, pat: &Pat) -> bool {
        pattern_names(pat).iter().any(|n| n == self.name)
    }
}

impl<'ast> Visit<'ast> for Counted<'_> {
    fn visit_block(&mut self, b: &'ast Block) {
        self.statements(&b.stmts);
    }

    fn visit_expr(&mut self, e: &'ast Expr) {
        match e {
            Expr::Binary(b)
                if self.is_it(&b.left) && crate::sema::reduction::updates::is_assignment(&b.op) =>
            {
                self.found |= self.loops > 0 && matches!(b.op, BinOp::AddAssign(_));
                self.other |= !matches!(b.op, BinOp::AddAssign(_));
            }
            Expr::ForLoop(f) => {
                self.visit_expr(&f.expr);
                if !self.hides(&f.pat) {
                    self.loops += 1;
                    self.visit_block(&f.body);
                    self.loops -= 1;
                }
                return;
            }
            Expr::Closure(c) => {
                if !c.inputs.iter().any(|pat| self.hides(pat)) {
                    self.loops += 1;
                    self.visit_expr(&c.body);
                    self.loops -= 1;
                }
                return;
            }
            Expr::While(_) | Expr::Loop(_) => {
                self.loops += 1;
                visit::visit_expr(self, e);
                self.loops -= 1;
                return;
            }
            _ => {}
        }
        visit::visit_expr(self, e);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        if !self.hides(&arm.pat) {
            visit::visit_arm(self, arm);
        }
    }
}

/// Takes the value of a store if its evaluation may leave the store out, or change the subscript: values come before subscripts.
fn value(store: &mut Expr, span: Span) -> Option<Expr> {
    let (Expr::Assign(syn::ExprAssign { right, .. }) | Expr::Binary(ExprBinary { right, .. })) = store else {
        return None;
    };
    let statement = |e: &Expr| {
        matches!(e, Expr::Break(_) | Expr::Continue(_) | Expr::Return(_) | Expr::Try(_))
            || assigned(e).is_some()
    };
    search::any(&**right, statement)
        .then(|| std::mem::replace(&mut **right, syn::parse_quote_spanned!(span=> __omp_value)))
}

/// The comparisons that hold if a condition does.
fn conditions(e: &Expr, out: &mut Vec<(String, String)>) {
    match strip(e) {
        Expr::Binary(ExprBinary { left, op: BinOp::And(_), right, .. }) => {
            conditions(left, out);
            conditions(right, out);
        }
        Expr::Binary(ExprBinary { left, op: BinOp::Lt(_), right, .. }) => out.push((text(left), text(right))),
        Expr::Binary(ExprBinary { left, op: BinOp::Gt(_), right, .. }) => out.push((text(right), text(left))),
        _ => {}
    }
}

fn text(e: &Expr) -> String {
    strip(e).to_token_stream().to_string()
}
