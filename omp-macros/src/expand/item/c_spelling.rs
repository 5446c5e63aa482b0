//! Directives as C and Fortran spell them: `#[omp::target teams distribute]`. This is not an attribute of Rust, so the
//! item around it can't be parsed; the error says how to write it.
use crate::ast::Spelling;
use crate::diag::{Code, Sink, nearest};
use crate::parse::tokens::leaves::regrouped;
use crate::parse::{directive, missing};
use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};

/// Reports the directives in `item` whose words have spaces between them, or are words of Rust's; the item without
/// them, if there was one.
pub fn report(item: &TokenStream, sink: &mut Sink) -> Option<TokenStream> {
    let mut out: Vec<TokenTree> = Vec::new();
    let mut any = false;
    for tree in item.clone() {
        let TokenTree::Group(g) = &tree else {
            out.push(tree);
            continue;
        };
        let after_hash = matches!(out.last(), Some(TokenTree::Punct(p)) if p.as_char() == '#');
        if after_hash && g.delimiter() == Delimiter::Bracket && is_one(&g.stream(), sink) {
            any = true;
            out.pop();
        } else if let Some(inner) = report(&g.stream(), sink) {
            any = true;
            out.push(regrouped(g, inner));
        } else {
            out.push(tree);
        }
    }
    any.then(|| out.into_iter().collect())
}

/// Reports what stands in the brackets of an attribute, if it is such a directive.
fn is_one(attr: &TokenStream, sink: &mut Sink) -> bool {
    if let Some((spelling, words, span)) = words(attr) {
        one(spelling, &words, span, sink);
        return true;
    }
    let trees: Vec<TokenTree> = attr.clone().into_iter().collect();
    let [TokenTree::Ident(omp), a, b, TokenTree::Ident(word), ..] = &trees[..] else { return false };
    let (family, name) = (omp.to_string(), word.to_string());
    if !colon(a) || !colon(b) || syn::parse2::<Ident>(trees[3].clone().into()).is_ok() {
        return false;
    }
    match (family.as_str(), missing::instead(&name)) {
        ("omp", Some(help)) => directive::not_here(&name, word.span(), help, sink),
        ("acc", _) if name == "loop" => {
            sink.error(Code::UnknownDirective, word.span(), "`loop` is a word of Rust's")
                .help("write `#[acc::loop_(…)]`");
        }
        _ => return false,
    }
    true
}

fn colon(t: &TokenTree) -> bool {
    matches!(t, TokenTree::Punct(p) if p.as_char() == ':')
}

/// The words of `omp::target teams …`, and where the second stands.
fn words(attr: &TokenStream) -> Option<(Spelling, Vec<String>, Span)> {
    let trees: Vec<TokenTree> = attr.clone().into_iter().collect();
    let [TokenTree::Ident(family), a, b, TokenTree::Ident(first), TokenTree::Ident(second), ..] = &trees[..]
    else {
        return None;
    };
    let spelling = [Spelling::OpenMp, Spelling::OpenAcc].into_iter().find(|s| family == s.module())?;
    if !colon(a) || !colon(b) {
        return None;
    }
    let rest = trees[4..].iter().map_while(|t| match t {
        TokenTree::Ident(i) => Some(i.to_string()),
        _ => None,
    });
    Some((spelling, std::iter::once(first.to_string()).chain(rest).collect(), second.span()))
}

fn one(spelling: Spelling, words: &[String], span: Span, sink: &mut Sink) {
    // Clauses may follow the directive's own words.
    let joined = (1..=words.len())
        .rev()
        .map(|n| words[..n].join("_"))
        .find(|name| directive::kind_of(spelling, name).is_some());
    let all = words.join("_");
    let known: &[&str] = match spelling {
        Spelling::OpenMp => &["target", "parallel_for", "target_data"],
        Spelling::OpenAcc => &["parallel_loop", "kernels_loop", "serial_loop", "host_data"],
    };
    let meant = joined.as_deref().or_else(|| nearest(&all, known)).unwrap_or(known[0]);
    let module = spelling.module();
    sink.error(
        Code::MalformedDirective,
        span,
        "the words of a directive are joined by `_`, and its clauses are in parentheses",
    )
    .help(format!("write `#[{module}::{meant}(clause, clause(…))]`"));
}
