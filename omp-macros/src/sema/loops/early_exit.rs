//! Early exits from a parallel loop, which are errors: `break`, `return`, `?`, and `continue` of an outer loop. Lowering finds them; this file
//! adds the help for loops that search.
use crate::diag::Sink;
use crate::lower::region::draft::LazyDraft;
use crate::parse::tokens::source::as_written;
use crate::sema::CheckedRegion;
use crate::sema::syntax::{jumps, place, search};
use proc_macro2::{LineColumn, Span};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Block, Expr, Stmt};

/// Reports those of a region and of its inner loops. Returns what is assigned right before a loop is left: the result of a search, of which
/// no more is said.
pub fn check(region: &CheckedRegion, draft: &LazyDraft<'_>, sink: &mut Sink) -> Vec<String> {
    let may_leave = |e: &Expr| match e {
        Expr::Break(_) | Expr::Return(_) | Expr::Try(_) => true,
        Expr::Continue(c) => c.label.is_some(),
        _ => false,
    };
    if !search::any(&region.body, may_leave) {
        return Vec::new();
    }
    let mut searches = Searches::default();
    searches.visit_block(&region.body);
    let mut found = Vec::new();
    let mut help = |at: LineColumn| {
        let search = searches.0.iter().find(|search| search.exit == at)?;
        found.extend(search.assigned.iter().cloned());
        Some(search.help.clone())
    };
    draft.report_early_exits(&mut help, sink);
    found
}

/// The first `continue` that ends an iteration of the region's innermost loop.
pub fn ends_iteration(region: &CheckedRegion) -> Option<Span> {
    jumps::out_of(&region.body).into_iter().find_map(|e| match e {
        Expr::Continue(c) => Some(c.continue_token.span),
        _ => None,
    })
}

/// `at = i; break;`: one mistake, which is reported at the exit of the loop.
struct SearchedFor {
    /// Where the `break` or `return` begins.
    exit: LineColumn,
    /// The places that are assigned right before.
    assigned: Vec<String>,
    help: String,
}

#[derive(Default)]
struct Searches(Vec<SearchedFor>);

impl<'ast> Visit<'ast> for Searches {
    fn visit_block(&mut self, b: &'ast Block) {
        let leaves = |s: &Stmt| matches!(s, Stmt::Expr(Expr::Break(_) | Expr::Return(_), _));
        if let Some(end) = b.stmts.iter().position(leaves) {
            self.0.extend(searched(&b.stmts[..end], b.stmts[end].span().start()));
        }
        visit::visit_block(self, b);
    }
}

fn searched(before: &[Stmt], exit: LineColumn) -> Option<SearchedFor> {
    let assigned = before.iter().rev().map_while(|s| match s {
        Stmt::Expr(Expr::Assign(a), Some(_)) => Some((place::scalar_key(&a.left)?, &*a.right)),
        _ => None,
    });
    let assigned: Vec<_> = assigned.collect();
    let (key, value) = assigned.last()?;
    let help = match value {
        Expr::Lit(syn::ExprLit { lit: syn::Lit::Bool(b), .. }) => {
            let (op, start) = if b.value { ("||", "false") } else { ("&&", "true") };
            format!(
                "let all iterations search: start with `{key} = {start}`, add `reduction({op}: {key})` to the directive, and write `{key} = {key} {op} …;` with the condition"
            )
        }
        value => {
            let value = as_written(&value.to_token_stream());
            format!(
                "let all iterations search, and the first find count: add `reduction(min: {key})` to the directive and write `{key} = {key}.min({value});`"
            )
        }
    };
    Some(SearchedFor { exit, assigned: assigned.into_iter().map(|(key, _)| key).collect(), help })
}
