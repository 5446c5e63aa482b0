//! Uses of a whole array while tasks may change it (E0408).
//!
//! Uses of the guard's data were renamed before, so each remaining name means the whole array. rustc would refuse it
//! because of the guard's borrow, in terms of borrows that the user did not write. (Data that is only read is left to
//! rustc: whether `let z = x;` moves depends on the type.)
use super::scoped::{Act, Names, Scoped};
use super::{Guard, GuardKind, path, span_of};
use crate::diag::{Code, Sink};
use crate::parse::std_macros::takes_expressions;
use crate::parse::tokens::format_text;
use crate::parse::tokens::leaves::idents;
use crate::sema::syntax::place::{covers, scalar_key};
use crate::visits::{self, Node};
use proc_macro2::{Ident, LineColumn, Span, TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::punctuated::Punctuated;
use syn::{Expr, Macro, Pat, Stmt, StmtMacro, Token};

/// Reports them in the statements in which a guard is in force.
pub(super) fn check(guard: &Guard, stmts: &[Stmt], sink: &mut Sink) {
    // An assignment of other data is reported elsewhere.
    if !guard.mutable || guard.renewed {
        return;
    }
    let mut act = FindWholes { guard, path: path(&guard.key), seen: ignored(stmts), found: Vec::new() };
    Scoped::new(&mut act).statements(&mut stmts.to_vec());
    for WholeUse { at, what, nested, printed } in act.found {
        let key = &guard.key;
        let home = match (nested, guard.base.as_str()) {
            (false, _) => String::new(),
            (true, "self") => ", in the function's outermost block".to_owned(),
            (true, base) => {
                format!(", in the block that declares `{base}` (a parameter: the function's outermost)")
            }
        };
        let error = sink.error_at(Code::TaskWhole, at, format!("{what} while tasks may still use `{key}`"));
        error.note(Some(guard.span), "by this task");
        if printed && guard.kind == GuardKind::Scalar {
            error.help(format!("name it after the text, which waits for the tasks: `\"{{}}\", {key}`"));
            continue;
        }
        error
            .note(None, format!("until they are waited for, `{key}` can be indexed, sliced and iterated, and has the methods of slices"))
            .help(format!("write `omp::taskwait!();` before it{home}"));
    }
}

/// The places of `let _ = …;`, which does nothing with them; assignments are not checked here.
fn ignored(stmts: &[Stmt]) -> Vec<LineColumn> {
    let mut ignored = Vec::new();
    visits::walk(stmts, |node| {
        match node {
            Node::Local(syn::Local { pat: Pat::Wild(_), init: Some(init), .. }) => {
                ignored.push(span_of(&init.expr).start());
            }
            Node::Expr(Expr::Assign(a)) => ignored.push(span_of(&a.left).start()),
            _ => {}
        }
        !matches!(node, Node::Item(_))
    });
    ignored
}

struct WholeUse {
    at: TokenStream,
    what: String,
    /// It stands in an inner block.
    nested: bool,
    /// In the text of a macro that prints.
    printed: bool,
}

struct FindWholes<'g> {
    guard: &'g Guard,
    path: Vec<String>,
    /// Names that nothing is to be said of any more.
    seen: Vec<LineColumn>,
    found: Vec<WholeUse>,
}

impl FindWholes<'_> {
    /// The key of the place that is named, if it is the guard's data or contains it.
    fn key(&self, e: &Expr) -> Option<String> {
        scalar_key(e).filter(|key| covers(key, &self.guard.key))
    }

    /// Whether names mean something else here, or only rustc knows what.
    fn is_other(&self, names: &Names) -> bool {
        names.bound(&self.guard.base) || names.given(&self.path).next().is_some()
    }

    fn add(&mut self, at: TokenStream, what: String, names: &Names, printed: bool) {
        self.found.push(WholeUse { at, what, nested: names.is_nested() && !names.in_closure(), printed });
    }

    /// `s.spawn(|| y[0] = 1.0)`: a guard belongs to the thread of its function. Its data's name is the guard's by now.
    fn thread(&mut self, args: &Punctuated<Expr, Token![,]>, names: &Names) {
        let guard = self.guard.name(Span::call_site()).to_string();
        let closures = args.iter().filter(|arg| matches!(arg, Expr::Closure(_)));
        for at in closures.filter_map(|c| idents(c.to_token_stream()).find(|i| *i == guard)) {
            let what = format!("a thread receives `{}`", self.guard.key);
            let at = Ident::new("__at", Span::call_site().located_at(at.span()));
            self.add(at.to_token_stream(), what, names, false);
        }
    }

    /// `println!("{y:?}")`.
    fn text(&mut self, m: &Macro, names: &Names) {
        if self.path.len() > 1 || !takes_expressions(m) || self.is_other(names) {
            return;
        }
        for tree in m.tokens.clone() {
            let TokenTree::Literal(text) = &tree else { continue };
            if format_text::of_literal(text).contains(&self.path[0]) {
                let what = format!("this text takes the whole of `{}`", self.guard.key);
                self.add(tree.to_token_stream(), what, names, true);
            }
        }
    }
}

/// `thread::spawn`, `rayon::join`, …
fn starts_threads(f: &Expr) -> bool {
    let Expr::Path(p) = f else { return false };
    let mut segments = p.path.segments.iter().rev().map(|s| s.ident.to_string());
    matches!(
        (segments.next().as_deref(), segments.next().as_deref()),
        (Some("spawn"), Some("thread" | "rayon")) | (Some("join"), Some("rayon"))
    )
}

impl Act for FindWholes<'_> {
    fn expr(&mut self, e: &mut Expr, names: &Names) -> bool {
        match e {
            Expr::Macro(m) => self.text(&m.mac, names),
            Expr::MethodCall(m) if m.method == "spawn" => self.thread(&m.args, names),
            Expr::Call(c) if starts_threads(&c.func) => self.thread(&c.args, names),
            Expr::MethodCall(m) if !self.is_other(names) => {
                let (Some(key), at) = (self.key(&m.receiver), span_of(&m.receiver).start()) else {
                    return false;
                };
                if !self.seen.contains(&at) {
                    self.seen.push(at);
                    let what = if names.moves() {
                        format!("a closure moves `{key}`")
                    } else {
                        format!("`{}` takes the whole of `{key}`", m.method)
                    };
                    self.add(m.method.to_token_stream(), what, names, false);
                }
            }
            Expr::Path(_) | Expr::Field(_) | Expr::Unary(_) if !self.is_other(names) => {
                let Some(key) = scalar_key(e) else { return false };
                if !covers(&key, &self.guard.key) || self.seen.contains(&span_of(e).start()) {
                    return true;
                }
                let what = if names.moves() {
                    format!("a closure moves `{key}`")
                } else {
                    format!("this uses the whole of `{key}`")
                };
                self.add(e.to_token_stream(), what, names, false);
                return true;
            }
            _ => {}
        }
        false
    }

    fn macro_statement(&mut self, m: &mut StmtMacro, names: &Names) -> Option<Stmt> {
        self.text(&m.mac, names);
        None
    }
}
