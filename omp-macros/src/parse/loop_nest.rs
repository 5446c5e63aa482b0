//! The heads of counted loops.
use crate::ast::{LoopHead, RangeAdaptor};
use crate::sema::syntax::forms::strip;
use proc_macro2::Span;
use syn::spanned::Spanned as _;
use syn::{Block, Expr, ExprForLoop, Pat, RangeLimits, Stmt};

/// Why a `for` is no counted loop.
pub struct NotCounted {
    /// The message.
    pub what: String,
    /// At these tokens.
    pub at: proc_macro2::TokenStream,
    /// The help.
    pub help: String,
}

/// Reads the head of a `for`.
pub fn head(f: &ExprForLoop) -> Result<LoopHead, NotCounted> {
    let (base, adaptors) = range(&f.expr)?;
    let (var, var_span) = variable(&f.pat)?;
    let Expr::Range(range) = base else { unreachable!("`range` returns ranges") };
    let (Some(lo), Some(hi)) = (&range.start, &range.end) else {
        return Err(never(
            &f.expr,
            "a range without two bounds has no known number of iterations".into(),
            "write both bounds: `for i in 0..n`",
        ));
    };
    if let Some(what) = [lo, hi].into_iter().find_map(|e| no_integer(e)) {
        return Err(never(
            &f.expr,
            format!("a parallel loop can't count with {what}"),
            "count with an integer and compute the value in the body: `let t = i as f32 * step;`",
        ));
    }
    Ok(LoopHead {
        var,
        var_span,
        lo: (**lo).clone(),
        hi: (**hi).clone(),
        inclusive: matches!(range.limits, RangeLimits::Closed(_)),
        adaptors,
        whole: (*f.expr).clone(),
        label: f.label.clone(),
    })
}

/// Whether no loop at all runs over this: a range of floats is no iterator in Rust either.
pub fn never_runs(e: &Expr) -> bool {
    let Ok((Expr::Range(r), _)) = range(e) else { return false };
    [&r.start, &r.end].into_iter().flatten().any(|e| no_integer(e) == Some("floats"))
}

/// A description of a bound that certainly is no integer.
fn no_integer(e: &Expr) -> Option<&'static str> {
    match strip(e) {
        Expr::Unary(u) => no_integer(&u.expr),
        Expr::Cast(c) => match &*c.ty {
            syn::Type::Path(p) if p.path.is_ident("f32") || p.path.is_ident("f64") => Some("floats"),
            _ => None,
        },
        Expr::Lit(l) => match &l.lit {
            syn::Lit::Float(_) => Some("floats"),
            syn::Lit::Char(_) => Some("characters"),
            _ => None,
        },
        _ => None,
    }
}

fn never(at: &impl quote::ToTokens, what: String, help: impl Into<String>) -> NotCounted {
    NotCounted { what, at: at.to_token_stream(), help: help.into() }
}

/// The loop variable: a name or `_`.
fn variable(pat: &Pat) -> Result<(Option<syn::Ident>, Span), NotCounted> {
    match pat {
        Pat::Wild(w) => Ok((None, w.underscore_token.span)),
        Pat::Ident(p) if p.by_ref.is_none() && p.mutability.is_none() && p.subpat.is_none() => {
            Ok((Some(p.ident.clone()), p.ident.span()))
        }
        other => Err(never(
            other,
            "the variable of a parallel loop is a plain name or `_`".into(),
            "name it (`for i in …`) and take it apart, or copy it to a `let mut`, in the body",
        )),
    }
}

/// The range under the adaptors, which come in the order written.
fn range(e: &Expr) -> Result<(&Expr, Vec<RangeAdaptor>), NotCounted> {
    let e = strip(e);
    match e {
        Expr::Range(_) => Ok((e, vec![])),
        Expr::MethodCall(m) => {
            let adaptor = match (m.method.to_string().as_str(), m.args.first()) {
                ("rev", None) => RangeAdaptor::Rev,
                ("step_by", Some(step)) if m.args.len() == 1 => RangeAdaptor::StepBy(step.clone()),
                _ => return Err(adaptor(m)),
            };
            let (base, mut adaptors) = range(&m.receiver)?;
            adaptors.push(adaptor);
            Ok((base, adaptors))
        }
        Expr::Path(_) | Expr::Field(_) => {
            let name = as_written(e);
            Err(never(
                e,
                format!("a parallel loop iterates a range, or an array by `iter`: `{name}` may be anything"),
                format!(
                    "of an array, write `{name}.iter()` or `{name}.iter_mut()`, or loop over its subscripts, `for i in 0..{name}.len()`; of a range, write its ends, `for i in {name}.start..{name}.end`, of a `RangeInclusive` `for i in *{name}.start()..=*{name}.end()`"
                ),
            ))
        }
        _ => Err(never(
            e,
            "a parallel loop iterates a range: the number of its iterations is known before it runs".into(),
            "loop over a range, `for i in 0..n`, and subscript in the body",
        )),
    }
}

/// The error for a chain of iterators: the first of its methods that a parallel loop does not have.
fn adaptor(m: &syn::ExprMethodCall) -> NotCounted {
    let (mut wrong, mut at) = (m, m);
    while let Expr::MethodCall(before) = strip(&at.receiver) {
        at = before;
        if !COUNTED.contains(&at.method.to_string().as_str()) {
            wrong = at;
        }
    }
    let name = wrong.method.to_string();
    let (x, n) = (as_written(&wrong.receiver), wrong.args.first().map(as_written));
    let n = n.as_deref().unwrap_or("n");
    let inside = n.strip_prefix('(').and_then(|n| n.strip_suffix(')')).unwrap_or(n);
    let own = match name.as_str() {
        "windows" => format!(
            "count the windows: `for k in 0..({x}.len() + 1).saturating_sub({inside})`, whose elements are `{x}[k + j]`"
        ),
        "chunks_exact" | "chunks_exact_mut" => {
            format!("count the parts: `for k in 0..{x}.len() / {n}`, whose elements are `{x}[k * {n} + j]`")
        }
        "chunks" | "chunks_mut" => format!(
            "count the parts: `for k in 0..{x}.len().div_ceil({inside})`, whose elements are `{x}[k * {n} + j]` (fewer in the last)"
        ),
        _ => String::new(),
    };
    let range = format!(
        "of a range, write its ends, `for i in {x}.start..{x}.end`, of a `RangeInclusive` `for i in *{x}.start()..=*{x}.end()`, or put it in a variable of a written type, `let r: Range<usize> = …`; of an array, `for v in {x}.iter()`"
    );
    let help = match name.as_str() {
        "clone" => range.as_str(),
        _ if !own.is_empty() => own.as_str(),
        "skip" => "loop over a part: `for v in x[n..].iter()`",
        "take" => "loop over a part: `for v in x[..n].iter()`",
        "map" | "inspect" => "compute it in the body: `for v in x.iter() { let w = f(*v); … }`",
        "filter" | "filter_map" | "skip_while" | "take_while" => {
            "decide in the body: `for v in x.iter() { if … { … } }`"
        }
        "array_windows" => {
            "count the windows: `for k in 0..(x.len() + 1).saturating_sub(n)`, whose elements are `x[k + j]`"
        }
        "rchunks" => "count the parts: `for k in 0..x.len() / n`, whose elements are `x[k * n + j]`",
        "chain" => "write two loops, in a block with `#[omp::target]` if their data stays on the device",
        "flatten" | "flat_map" => "nest two loops, and write `collapse(2)`",
        "into_iter" | "drain" => "iterate what stays: `for v in x.iter()`",
        _ => {
            "loop over a range, or over `x.iter()` and `x.iter_mut()` with `.enumerate()`, `.zip(…)`, `.rev()`, `.step_by(s)`; `x` is an array"
        }
    };
    never(&wrong.method, format!("a parallel loop can't iterate `.{name}(…)`"), help)
}

/// The replacement for a method that no loop can be counted by.
pub fn instead_of(m: &syn::ExprMethodCall) -> String {
    adaptor(m).help
}

/// An expression as a user would write it, if that is short.
fn as_written(e: &Expr) -> String {
    let text: String = quote::ToTokens::to_token_stream(strip(e)).to_string();
    let (first, plain) = (
        text.chars().next(),
        text.replace(" . ", ".").replace(" (", "(").replace("( ", "(").replace(" )", ")"),
    );
    let operators = plain.contains(' ') && first != Some('(');
    if operators { format!("({plain})") } else { plain }
}

/// The methods that a chain of iterators may have, each in its place.
const COUNTED: &[&str] = &["iter", "iter_mut", "enumerate", "rev", "copied", "cloned", "zip", "step_by"];

/// The body of the innermost of so many loops.
pub fn innermost(nest: &mut ExprForLoop, loops: usize) -> Option<&mut Block> {
    if loops <= 1 {
        return Some(&mut nest.body);
    }
    nest.body.stmts.iter_mut().find_map(|s| match s {
        Stmt::Expr(Expr::ForLoop(inner), _) => innermost(inner, loops - 1),
        _ => None,
    })
}

/// The `for` that is the only statement of a block.
pub fn only_loop(block: &Block) -> Option<&ExprForLoop> {
    match block.stmts.as_slice() {
        [Stmt::Expr(Expr::ForLoop(f), _)] => Some(f),
        _ => None,
    }
}

/// If a block has a `for` among other statements: where the first of the others stands.
pub fn next_to_loop(block: &Block) -> Option<(Span, proc_macro2::TokenStream)> {
    let is_loop = |s: &Stmt| matches!(s, Stmt::Expr(Expr::ForLoop(_), _));
    if !block.stmts.iter().any(is_loop) {
        return None;
    }
    let mut loops = block.stmts.iter().filter(|s| is_loop(s)).skip(1);
    let other = block.stmts.iter().find(|s| !is_loop(s)).or_else(|| loops.next())?;
    Some((other.span(), quote::ToTokens::to_token_stream(other)))
}
