//! The variables that a format text names.
use super::raw;
use proc_macro2::Literal;

/// The arguments and the widths and precisions of a text: of `"{t:?} {:>w$}"`, `t` and `w`.
pub fn names(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('{') {
        rest = &rest[at + 1..];
        if let Some(escaped) = rest.strip_prefix('{') {
            rest = escaped;
            continue;
        }
        let Some(at) = rest.find([':', '}']) else { break };
        let (argument, spec) = rest.split_at(at);
        let from = 1 + spec.strip_prefix(':').map_or(0, fill);
        let (how, behind) = match spec.starts_with(':').then(|| spec[from..].split_once('}')) {
            None => ("", &spec[1..]),
            Some(Some(both)) => both,
            Some(None) => break,
        };
        rest = behind;
        names.push(argument.trim().to_owned());
        let mut parts: Vec<&str> = how.split('$').collect();
        parts.pop();
        names.extend(parts.into_iter().map(|part| last_word(part).to_owned()));
    }
    names.iter().filter_map(|name| variable(name)).map(|name| name.to_string()).collect()
}

/// How long what fills a width is, with the side that it stands on: it may be a brace.
fn fill(spec: &str) -> usize {
    let mut chars = spec.chars();
    let (fill, side) = (chars.next(), chars.next());
    if matches!(side, Some('<' | '^' | '>')) { fill.map_or(0, |c| c.len_utf8() + 1) } else { 0 }
}

/// The variable that a name in a text means: of `type` it is `r#type`.
pub fn variable(name: &str) -> Option<syn::Ident> {
    let keyword = || syn::parse_str(&format!("r#{name}")).ok();
    if raw::is_new_keyword(name) { keyword() } else { syn::parse_str(name).ok().or_else(keyword) }
}

/// The same for a literal; nothing if it is no text.
pub fn of_literal(literal: &Literal) -> Vec<String> {
    match syn::Lit::new(literal.clone()) {
        syn::Lit::Str(text) => names(&text.value()),
        _ => Vec::new(),
    }
}

/// The name of a width: `w` in `>08.w`.
fn last_word(part: &str) -> &str {
    let start = part.char_indices().rev().take_while(|(_, c)| c.is_alphanumeric() || *c == '_').last();
    let word = start.map_or("", |(at, _)| &part[at..]);
    word.trim_start_matches(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name() {
        let of = |text: &str| names(text).join(" ");
        assert_eq!(of("{} {0} {a} {b:?} { c } {d :>3}"), "a b c d");
        assert_eq!(of("{{x}} {{{y}}} {"), "y");
        assert_eq!(of("{:}>w$} {u:{<v$} {t:}^3} {type:?} {gen} {::>s$} {"), "w u v t r#type r#gen s");
        assert_eq!(of("{:>w$} {v:w$.p$} {:0w$} {:.*} {:1$} {:t>5}"), "w v w p w");
        let of = |tokens: &str| of_literal(&syn::parse_str(tokens).expect("a literal")).join(" ");
        assert_eq!(of(r####"r#"{t} "{u}""#"####), "t u");
        assert_eq!(of(r#"b"{t}""#), "");
        assert_eq!(of(r#""\u{74}{t}\n""#), "t");
    }
}
