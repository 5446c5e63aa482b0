//! The iteration for the message of a panic on the host: the values of the loop variables, of the region's loops and of
//! inner loops over ranges.
//!
//! They are recorded only while unwinding, so where nothing can panic the optimiser removes all of it.
use crate::glue::{numbered, private};
use crate::lower::{is_range, shown};
use crate::sema::CheckedRegion;
use crate::sema::syntax::jumps::{Open, visit_inside};
use proc_macro2::{Ident, TokenStream};
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, Pat, Stmt};

/// The loop variables' values, recorded for a panic.
pub(super) struct FailureRecord {
    /// Before the loops.
    pub(in crate::glue) first: TokenStream,
    /// In each iteration, without a semicolon.
    pub(in crate::glue) each: TokenStream,
    /// After the loops.
    pub(in crate::glue) last: TokenStream,
}

impl FailureRecord {
    /// For the loops of the parallel form: each has a variable; of a loop over elements, the variable counts them.
    pub(in crate::glue) fn counted(region: &CheckedRegion) -> Self {
        let vars = region.loops.iter().filter_map(|head| head.var.as_ref());
        Self::of(vars.map(|var| (shown(var), code!(#var))).collect(), TokenStream::new())
    }

    /// For the loops as the user wrote them. A counter runs along with an outermost loop over elements.
    pub(in crate::glue) fn written(region: &CheckedRegion) -> Self {
        let mut count = TokenStream::new();
        let vars = region.loops.iter().enumerate().filter_map(|(k, head)| {
            let var = head.var.as_ref()?;
            if !is_counter(var) {
                return Some((shown(var), code!(#var)));
            }
            let d0 = numbered("d", 0);
            count = code!(let mut __turn = 0u64;);
            // In a collapsed nest, the counter of iterations would not be the innermost body's.
            (k == 0 && region.loops.len() == 1)
                .then(|| (shown(var), code!({ __turn += 1; #d0.value(__turn - 1) })))
        });
        let vars = vars.collect();
        Self::of(vars, count)
    }

    fn of(vars: Vec<(String, TokenStream)>, count: TokenStream) -> Self {
        let p = private();
        let (names, values): (Vec<_>, Vec<_>) = vars.into_iter().unzip();
        Self {
            first: code!(#count let __it = #p::Iteration::new([#(#names),*]);),
            each: code!(#p::Iteration::at(&__it, [#(#p::ClauseInt::wide(#values)),*])),
            last: code!(__it.done();),
        }
    }
}

/// The number of an element, which has no name in the user's loop.
fn is_counter(var: &Ident) -> bool {
    *var != shown(var)
}

/// Records the iterations of the loops in a body.
pub(super) fn record_iterations(body: &mut Block) {
    Turns(0).visit_block_mut(body);
}

/// How many there are.
struct Turns(usize);

impl VisitMut for Turns {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        visit_mut::visit_expr_mut(self, e);
        let mut inside = Open::default();
        inside.enter(e);
        let Expr::ForLoop(f) = e else { return };
        let counted = variable(&f.pat).filter(|_| is_range(&f.expr));
        let Some(var) = counted.or_else(|| number(&f.pat, &f.expr)) else { return };
        let (p, turn, name) = (private(), numbered("turn", self.0), var.to_string());
        self.0 += 1;
        let done = code!(#turn.done());
        Leaving { inside, done: &done }.visit_block_mut(&mut f.body);
        f.body.stmts.insert(0, statement(code!(#p::InnerIteration::at(&#turn, #var))));
        let head = statement(code!(let #turn = #p::InnerIteration::new(#name)));
        let f = std::mem::replace(e, Expr::Verbatim(TokenStream::new()));
        *e = block(vec![head, Stmt::Expr(f, None), statement(done)]);
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// The user's name for the loop variable.
fn variable(pat: &Pat) -> Option<Ident> {
    match pat {
        Pat::Ident(p) if p.subpat.is_none() && p.by_ref.is_none() => {
            Some(p.ident.clone()).filter(|name| !name.to_string().starts_with('_'))
        }
        Pat::Paren(p) => variable(&p.pat),
        _ => None,
    }
}

/// The name that a loop over elements has for their number: the counted form has it for its variable.
fn number(pat: &Pat, e: &Expr) -> Option<Ident> {
    match (pat, e) {
        (Pat::Paren(p), e) => number(&p.pat, e),
        (pat, Expr::Paren(p)) => number(pat, &p.expr),
        (pat, Expr::MethodCall(m)) if m.method == "rev" => number(pat, &m.receiver),
        (Pat::Tuple(t), Expr::MethodCall(m)) => match (m.method.to_string().as_str(), t.elems.first()?) {
            ("enumerate", first) => variable(first),
            ("zip", first) => number(first, &m.receiver).or_else(|| number(t.elems.get(1)?, m.args.first()?)),
            _ => None,
        },
        _ => None,
    }
}

/// Jumps that leave a loop by the label of an enclosing loop: the record of its iterations ends before.
struct Leaving<'a> {
    /// The loop, and what is open in it.
    inside: Open,
    done: &'a TokenStream,
}

impl VisitMut for Leaving<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        visit_inside(self, |leaving| &mut leaving.inside, e);
        let target = match e {
            Expr::Break(b) => b.label.as_ref(),
            Expr::Continue(c) => c.label.as_ref(),
            _ => None,
        };
        if target.is_some_and(|l| !self.inside.stays(Some(l))) {
            let jump = std::mem::replace(e, Expr::Verbatim(TokenStream::new()));
            *e = block(vec![statement(self.done.clone()), Stmt::Expr(jump, None)]);
        }
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

fn statement(tokens: TokenStream) -> Stmt {
    Stmt::Expr(Expr::Verbatim(tokens), Some(Default::default()))
}

fn block(stmts: Vec<Stmt>) -> Expr {
    let block = Block { brace_token: Default::default(), stmts };
    Expr::Block(syn::ExprBlock { attrs: Vec::new(), label: None, block })
}
