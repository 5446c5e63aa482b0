//! Directives as C and Fortran spell them: `#[omp::target teams distribute]`. That is no attribute of Rust's, so the item
//! around it can't be read; what is meant can be said all the same.
use crate::diag::{Code, Sink, nearest};
use crate::parse::directive;
use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};

/// Reports the directives in `item` whose words have spaces between them; whether there was one.
pub fn report(item: &TokenStream, sink: &mut Sink) -> bool {
    let trees: Vec<TokenTree> = item.clone().into_iter().collect();
    let mut any = false;
    for (i, tree) in trees.iter().enumerate() {
        let TokenTree::Group(g) = tree else { continue };
        let after_hash = i > 0 && matches!(&trees[i - 1], TokenTree::Punct(p) if p.as_char() == '#');
        any |= match words(&g.stream()) {
            Some((words, span)) if after_hash && g.delimiter() == Delimiter::Bracket => {
                one(&words, span, sink);
                true
            }
            _ => report(&g.stream(), sink),
        };
    }
    any
}

/// The words of `omp::target teams …`, and where the second stands.
fn words(attr: &TokenStream) -> Option<(Vec<String>, Span)> {
    let trees: Vec<TokenTree> = attr.clone().into_iter().collect();
    let colons = |t: &TokenTree| matches!(t, TokenTree::Punct(p) if p.as_char() == ':');
    let [TokenTree::Ident(omp), a, b, TokenTree::Ident(first), TokenTree::Ident(second), ..] = &trees[..]
    else {
        return None;
    };
    if omp != "omp" || !colons(a) || !colons(b) {
        return None;
    }
    let rest = trees[4..].iter().map_while(|t| match t {
        TokenTree::Ident(i) => Some(i.to_string()),
        _ => None,
    });
    Some((std::iter::once(first.to_string()).chain(rest).collect(), second.span()))
}

fn one(words: &[String], span: Span, sink: &mut Sink) {
    // Clauses may follow the directive's own words.
    let joined =
        (1..=words.len()).rev().map(|n| words[..n].join("_")).find(|name| directive::kind_of(name).is_some());
    let all = words.join("_");
    let meant = joined
        .as_deref()
        .or_else(|| nearest(&all, &["target", "parallel_for", "target_data"]))
        .unwrap_or("target");
    sink.error(
        Code::MalformedDirective,
        span,
        "the words of a directive are joined by `_`, and its clauses stand in parentheses",
    )
    .help(format!("write `#[omp::{meant}(clause, clause(…))]`"));
}
