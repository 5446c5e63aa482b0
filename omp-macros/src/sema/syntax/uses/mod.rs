//! The uses of captured variables in a region's body, in order of evaluation.
//!
//! Names are resolved as in Rust: by lexical scope, with shadowing. Where control flow matters, the lowered template
//! decides (`lower/region/copies.rs`). These uses are of syntax, as the rules need them for code that is not lowered, too: host statements of
//! `target` blocks, bounds, clauses, and functions that are inlined. In a region's body they say which names a clause speaks of.
use super::place::{Step, item_key};
use crate::ast::{InnerLoop, LoopHead, RangeAdaptor};
use crate::sema::CheckedRegion;
use proc_macro2::{Span, TokenStream};
use std::collections::HashSet;
use std::rc::Rc;
use syn::visit::Visit;
use syn::{Block, Expr, Stmt};

mod calls;
mod forms;
mod loops;
mod nests;
mod walk;

pub use forms::surely_runs;
use nests::Nest;
use walk::Walk;

/// A use of something captured.
#[derive(Clone)]
pub struct Use {
    /// The variable and fields: `y`, `self.v`.
    pub key: String,
    /// The kind of use.
    pub how: How,
    /// An element (or section) of it, not the whole.
    pub element: bool,
    /// The start of the place.
    pub span: Span,
    /// The place.
    pub tokens: TokenStream,
    /// For an assignment: the whole of it.
    pub statement: Option<TokenStream>,
    /// The way to it.
    pub path: Vec<Step>,
}

/// Kinds of use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// Its value is used.
    Read,
    /// It is overwritten.
    Write,
    /// Both: `op=`, `&mut`, `swap`.
    Update,
    /// It is accessed atomically.
    Atomic {
        /// Its old value is used.
        reads: bool,
        /// It may get a new one.
        writes: bool,
    },
    /// Only its length is used.
    Len,
    /// The whole is an argument of a call.
    Argument,
}

impl Use {
    /// It may change the place.
    pub fn writes(&self) -> bool {
        matches!(self.how, How::Write | How::Update | How::Atomic { writes: true, .. })
    }

    /// It is one of the accesses under `#[omp::atomic]`.
    pub fn is_atomic(&self) -> bool {
        matches!(self.how, How::Atomic { .. })
    }
}

/// The uses of a region.
#[derive(Default)]
pub struct Uses {
    /// In the body.
    pub body: Vec<Use>,
    /// In the bounds and steps of the parallel loops.
    pub bounds: Vec<Use>,
    /// How many of these are the outermost loop's.
    pub outermost: usize,
    /// In what is evaluated once, before them.
    pub before: Vec<Use>,
}

/// Finds them.
pub fn of_region(region: &CheckedRegion) -> Uses {
    let nests = Rc::new(region.inner.iter().map(Nest::of).collect());
    let c = &region.directive.clauses;
    let own = c.private.iter().chain(&c.firstprivate).chain(&c.lastprivate);
    let copied: Vec<String> =
        own.map(|item| item.key.split('.').next().unwrap_or_default().to_owned()).collect();
    let names = region.context.names.clone();
    let consts = region.context.consts.clone();
    let mut walk = Walk { nests, names, consts, copied, ..Walk::default() };
    let (mut bounds, mut outermost) = (Vec::new(), None);
    region.prelude.iter().for_each(|s| walk.visit_stmt(s));
    let before = std::mem::take(&mut walk.found);
    for head in &region.loops {
        for e in expressions(head) {
            walk.visit_expr(e);
        }
        bounds.append(&mut walk.found);
        outermost.get_or_insert(bounds.len());
        if let Some(var) = &head.var {
            walk.scopes.push(HashSet::from([var.to_string()]));
        }
    }
    walk.visit_block(&region.body);
    Uses { body: walk.found, bounds, outermost: outermost.unwrap_or_default(), before }
}

/// The uses in the expressions of a region's clauses.
pub fn of_clauses(region: &CheckedRegion) -> Vec<Use> {
    let c = &region.directive.clauses;
    let numbers = c.evaluated.iter().flat_map(|e| &e.values);
    let reduced = c.reductions.iter().chain(&c.scans).flat_map(|r| &r.items);
    let items = c.maps.iter().flat_map(|m| &m.items).chain(reduced);
    let sections = items.chain(c.depend.iter().flat_map(|d| &d.items)).flat_map(|i| &i.sections);
    let sections = sections.flat_map(|s| s.lo.iter().chain(&s.hi));
    let all: Vec<&Expr> = numbers.chain(sections).collect();
    let block: Block = syn::parse_quote!({ #(#all;)* });
    of_block(&block, region.context.names.clone())
}

/// The uses inside an inner loop's nest of what is bound outside of it.
pub fn of_loop(inner: &InnerLoop) -> Uses {
    let c = &inner.directive.clauses;
    let copied: Vec<String> =
        [&c.private, &c.firstprivate, &c.lastprivate].into_iter().flatten().map(item_key).collect();
    let mut walk = Walk { copied, ..Walk::default() };
    let mut f = &inner.nest;
    for _ in 1..inner.loops.len() {
        walk.bind(&f.pat);
        match f.body.stmts.as_slice() {
            [Stmt::Expr(Expr::ForLoop(next), _)] => f = next,
            _ => break,
        }
    }
    walk.bind(&f.pat);
    walk.visit_block(&f.body);
    Uses { body: walk.found, ..Uses::default() }
}

/// The uses in a block of what is bound outside of it; `names` are the variables of the function.
pub fn of_block(block: &Block, names: Vec<String>) -> Vec<Use> {
    let mut walk = Walk { names, ..Walk::default() };
    walk.visit_block(block);
    walk.found
}

/// Bounds and steps of a head.
pub fn expressions(head: &LoopHead) -> impl Iterator<Item = &Expr> {
    let steps = head.adaptors.iter().filter_map(|a| match a {
        RangeAdaptor::StepBy(step) => Some(step),
        RangeAdaptor::Rev => None,
    });
    [&head.lo, &head.hi].into_iter().chain(steps)
}
