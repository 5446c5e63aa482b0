//! Directives without a statement of their own: `omp::target_update!(…)` and the others.
use super::directive::{STANDALONE, family};
use super::{item, split_colon, split_commas};
use crate::diag::{Code, Sink, nearest};
use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use syn::Macro;

/// The name of a stand-alone directive, or of something that means to be one.
pub fn name_of(mac: &Macro) -> Option<String> {
    family(&mac.path).map(|(_, name)| name)
}

/// Checks a stand-alone directive inside an offload item.
pub fn check(mac: &Macro, sink: &mut Sink) {
    let Some((family, name)) = family(&mac.path) else { return };
    let span = mac.path.segments.last().map_or_else(Span::call_site, |s| s.ident.span());
    if family == "acc" {
        sink.later(Code::DirectiveLater, span, format!("the OpenACC directive `acc::{name}!`"));
        return;
    }
    match name.as_str() {
        "target_enter_data" => maps(&name, span, &mac.tokens, &["to", "alloc"], sink),
        "target_exit_data" => maps(&name, span, &mac.tokens, &["from", "release", "delete"], sink),
        "target_update" | "taskwait" | "scan" => {}
        _ => {
            let error = sink.error(Code::UnknownDirective, span, format!("unknown directive `omp::{name}!`"));
            match nearest(&name, STANDALONE) {
                Some(near) => error.help(format!("did you mean `omp::{near}!`?")),
                None => error.help("stand-alone directives are `target_update!`, `target_enter_data!`, `target_exit_data!` and `taskwait!`"),
            };
            return;
        }
    }
    sink.later(Code::DirectiveLater, span, format!("the directive `omp::{name}!`"));
}

/// The map types of `enter_data` and `exit_data`.
fn maps(name: &str, span: Span, tokens: &TokenStream, allowed: &[&str], sink: &mut Sink) {
    for part in split_commas(tokens.clone()) {
        let mut trees = part.into_iter();
        let (Some(TokenTree::Ident(clause)), Some(TokenTree::Group(group))) = (trees.next(), trees.next())
        else {
            continue;
        };
        if clause != "map" || group.delimiter() != Delimiter::Parenthesis {
            continue;
        }
        let (head, items) = match split_colon(&group.stream()) {
            Some((head, items)) => (split_commas(head), items),
            None => (vec![], group.stream()),
        };
        for word in head {
            let text = word.to_string();
            if !allowed.contains(&text.as_str()) && !matches!(text.as_str(), "always" | "present") {
                let list = allowed.iter().map(|w| format!("`{w}`")).collect::<Vec<_>>().join(", ");
                sink.error_at(Code::MapType, &word, format!("`{name}!` takes no map type `{text}`"))
                    .help(format!("map types here are {list}"));
            }
        }
        item::list("map", span, items, sink);
    }
}
