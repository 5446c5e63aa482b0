//! Users' macros that receive data of tasks (E0407).
//!
//! A variable that is a reference can be assigned while a guard holds the data it refers to; from then on its name
//! would mean the guard's data. `find::renewals` finds assignments in the function's own tokens, but not in those of
//! macros. So a macro that may assign the variable is refused, or rustc decides: a macro that is a statement of its own
//! is expanded a second time before the statement, where the name is a variable of a type without operations. A macro
//! that binds the name, or takes it as a label, compiles there too.
use super::rename::{is_dot, is_field};
use super::scoped::{Act, Names, Scoped};
use super::{Guard, path};
use crate::diag::{Code, Sink};
use crate::glue;
use crate::parse::std_macros::takes_expressions;
use crate::parse::tokens::leaves::{group, idents, regrouped};
use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use syn::{Expr, Macro, Stmt, StmtMacro};

/// Looks at the macros in the statements in which a guard is in force, whose places stand for the guard's already.
pub(super) fn check(guard: &Guard, stmts: &mut [Stmt], local: &[(String, TokenStream)], sink: &mut Sink) {
    if !guard.mutable {
        return;
    }
    let path = path(&guard.key);
    let assigning = assigning(&path, local);
    let mut act = GuardedPath { path, assigning, wrong: Vec::new() };
    Scoped::new(&mut act).statements(stmts);
    for (at, name) in act.wrong {
        let key = &guard.key;
        let message = format!("the macro `{name}!` receives or names `{key}`, while tasks may still use it");
        sink.error(Code::TaskData, at, message).note(Some(guard.span), "by this task").help(format!(
            "write `omp::taskwait!();` before it, or take what it needs out of `{key}` before: `let first = {key}[0];`"
        ));
    }
}

/// The local macros that may assign a place, or a variable that it is part of, without getting it as an argument.
fn assigning(path: &[String], local: &[(String, TokenStream)]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    loop {
        let more = local.iter().filter(|(name, says)| {
            !names.contains(name) && (names_whole(says.clone(), path) || calls(says.clone(), &names))
        });
        let more: Vec<String> = more.map(|(name, _)| name.clone()).collect();
        if more.is_empty() {
            return names;
        }
        names.extend(more);
    }
}

struct GuardedPath {
    path: Vec<String>,
    /// Local macros that may assign it.
    assigning: Vec<String>,
    wrong: Vec<(Span, String)>,
}

impl GuardedPath {
    fn assigns(&self, m: &Macro) -> bool {
        let name = m.path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default();
        self.assigning.contains(&name) || calls(m.tokens.clone(), &self.assigning)
    }

    fn is_wrong(&mut self, m: &Macro) {
        if let Some(last) = m.path.segments.last() {
            self.wrong.push((last.ident.span(), last.ident.to_string()));
        }
    }

    /// Whether what a name means here is none of the guard's, or rustc sees to it.
    fn is_other(&self, names: &Names) -> bool {
        // A closure that assigns a variable borrows it.
        names.bound(&self.path[0]) || names.in_closure()
    }
}

impl Act for GuardedPath {
    fn expr(&mut self, e: &mut Expr, names: &Names) -> bool {
        let Expr::Macro(m) = e else { return false };
        if self.is_other(names) {
            return false;
        }
        let receives = if takes_expressions(&m.mac) && names.given(&self.path).next().is_some() {
            names_whole(m.mac.tokens.clone(), &self.path)
        } else {
            means(m.mac.tokens.clone(), &self.path)
        };
        if receives || self.assigns(&m.mac) {
            self.is_wrong(&m.mac);
        } else {
            m.mac.tokens = apart(std::mem::take(&mut m.mac.tokens), &self.path);
        }
        false
    }

    fn macro_statement(&mut self, m: &mut StmtMacro, names: &Names) -> Option<Stmt> {
        if self.is_other(names) {
            return None;
        }
        if self.assigns(&m.mac) {
            self.is_wrong(&m.mac);
            return None;
        }
        if !means(m.mac.tokens.clone(), &self.path) {
            m.mac.tokens = apart(std::mem::take(&mut m.mac.tokens), &self.path);
            return None;
        }
        // After it, in the outermost block, no place stands for the guard's any more.
        if !names.is_nested() {
            return None;
        }
        if self.path.len() > 1 {
            self.is_wrong(&m.mac);
            return None;
        }
        let macros: Vec<&Macro> = names.given(&self.path).chain([&m.mac]).collect();
        let all = macros.iter().flat_map(|m| idents(m.tokens.clone()));
        let own: Vec<Ident> = all.filter(|ident| *ident == self.path[0]).collect();
        Some(glue::task::task_names::without_data(&own, &macros))
    }
}

/// The part of a place that tokens mention, from a variable's name on.
enum Mention {
    /// It, what it is part of, or a part of it: so many tokens name that.
    Of(usize),
    /// Another part of the variable.
    Other,
}

/// Follows the path of fields that begins at a token.
fn mention(trees: &[TokenTree], path: &[String]) -> Option<Mention> {
    if !matches!(&trees[0], TokenTree::Ident(name) if *name == path[0]) {
        return None;
    }
    for (k, part) in path.iter().enumerate().skip(1) {
        let field = match (is_dot(trees.get(2 * k - 1)), trees.get(2 * k)) {
            (true, Some(TokenTree::Ident(name))) => name.to_string(),
            (true, Some(TokenTree::Literal(number))) => number.to_string(),
            _ => return Some(Mention::Of(2 * k - 1)),
        };
        if field != *part {
            let called = matches!(trees.get(2 * k + 1), Some(TokenTree::Group(g)) if g.delimiter() == Delimiter::Parenthesis);
            // `t.0.1` has a number between its dots.
            let whole = called || field.contains('.');
            return Some(if whole { Mention::Of(2 * k - 1) } else { Mention::Other });
        }
    }
    Some(Mention::Of(2 * path.len() - 1))
}

/// Whether some mention of a place is like this: it has the tokens before it, and those after it.
fn any_mention(
    stream: TokenStream,
    path: &[String],
    is: &dyn Fn(&[TokenTree], &[TokenTree]) -> bool,
) -> bool {
    let trees: Vec<TokenTree> = stream.into_iter().collect();
    (0..trees.len()).any(|i| match &trees[i] {
        TokenTree::Group(g) => any_mention(g.stream(), path, is),
        _ if is_field(&trees[..i]) => false,
        _ => match mention(&trees[i..], path) {
            Some(Mention::Of(end)) => is(&trees[..i], &trees[i + end..]),
            Some(Mention::Other) | None => false,
        },
    })
}

/// Whether tokens mention a place, what it is part of, or a part of it.
pub(super) fn means(stream: TokenStream, path: &[String]) -> bool {
    any_mention(stream, path, &|_, _| true)
}

/// Whether tokens mention the whole of a place, or of what it is part of.
fn names_whole(stream: TokenStream, path: &[String]) -> bool {
    any_mention(stream, path, &|before, behind| {
        let parameter = matches!(before.last(), Some(TokenTree::Punct(p)) if p.as_char() == '$');
        let subscript =
            matches!(behind.first(), Some(TokenTree::Group(g)) if g.delimiter() == Delimiter::Bracket);
        !(parameter || subscript || is_dot(behind.first()) && !is_dot(behind.get(1)))
    })
}

/// Whether tokens call one of these macros.
fn calls(stream: TokenStream, macros: &[String]) -> bool {
    let trees: Vec<TokenTree> = stream.into_iter().collect();
    trees.iter().enumerate().any(|(i, tree)| match tree {
        TokenTree::Group(g) => calls(g.stream(), macros),
        TokenTree::Ident(name) => {
            matches!(trees.get(i + 1), Some(TokenTree::Punct(p)) if p.as_char() == '!')
                && macros.iter().any(|m| name == m)
        }
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// `s.other` as `(s.other)`: a macro that gets it can't take the variable out of it.
fn apart(stream: TokenStream, path: &[String]) -> TokenStream {
    let trees: Vec<TokenTree> = stream.into_iter().collect();
    let mut out = TokenStream::new();
    let mut i = 0;
    while i < trees.len() {
        match &trees[i] {
            TokenTree::Group(g) => out.extend([regrouped(g, apart(g.stream(), path))]),
            tree if !is_field(&trees[..i]) && matches!(mention(&trees[i..], path), Some(Mention::Other)) => {
                let at = Span::mixed_site().located_at(tree.span());
                out.extend([group(Delimiter::Parenthesis, trees[i..i + 3].iter().cloned().collect(), at)]);
                i += 2;
            }
            tree => out.extend([tree.clone()]),
        }
        i += 1;
    }
    out
}
