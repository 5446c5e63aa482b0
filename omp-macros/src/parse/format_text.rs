//! The variables that a format text names.
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
        let Some((inside, behind)) = rest.split_once('}') else { break };
        rest = behind;
        let (argument, how) = inside.split_once(':').unwrap_or((inside, ""));
        names.push(argument.trim().to_owned());
        let mut parts: Vec<&str> = how.split('$').collect();
        parts.pop();
        names.extend(parts.into_iter().map(|part| last_word(part).to_owned()));
    }
    names.retain(|name| syn::parse_str::<syn::Ident>(name).is_ok());
    names
}

/// The same of a literal; nothing of what is no text.
pub fn of_literal(literal: &Literal) -> Vec<String> {
    match syn::Lit::new(literal.clone()) {
        syn::Lit::Str(text) => names(&text.value()),
        _ => Vec::new(),
    }
}

/// What a width's name is in `>08.w`.
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
        assert_eq!(of("{:>w$} {v:w$.p$} {:0w$} {:.*} {:1$} {:t>5}"), "w v w p w");
        let of = |tokens: &str| of_literal(&syn::parse_str(tokens).expect("a literal")).join(" ");
        assert_eq!(of(r####"r#"{t} "{u}""#"####), "t u");
        assert_eq!(of(r#"b"{t}""#), "");
        assert_eq!(of(r#""\u{74}{t}\n""#), "t");
    }
}
