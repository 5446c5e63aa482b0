//! Texts of panics: Rust's format strings with `{}` and `{:?}` for values and `{{`, `}}` for braces.

/// The most values that a message shows.
pub const MAX_VALUES: usize = 8;

/// Puts values into a message. `show(k, debug)` gives the text of value `k`, as `{:?}` or `{}` has it.
pub fn fill(message: &str, show: impl Fn(usize, bool) -> Option<String>) -> String {
    let mut out = String::new();
    let mut next = 0;
    let mut rest = message;
    while let Some(at) = rest.find(['{', '}']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let hole = if rest.starts_with("{:?}") { 4 } else { 2 };
        match &rest.as_bytes()[..rest.len().min(hole)] {
            b"{}" | b"{:?}" => {
                out.push_str(&show(next, hole == 4).unwrap_or_default());
                next += 1;
            }
            b"{{" => out.push('{'),
            b"}}" => out.push('}'),
            _ => {
                out.push_str(&rest[..1]);
                rest = &rest[1..];
                continue;
            }
        }
        rest = &rest[hole..];
    }
    out.push_str(rest);
    out
}

/// The text that stands for this one in a message.
#[must_use]
pub fn escape(text: &str) -> String {
    text.replace('{', "{{").replace('}', "}}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_braces() {
        let show = |k: usize, debug: bool| Some(format!("{k}{}", if debug { "?" } else { "" }));
        assert_eq!(fill("a {} b {:?}{}", show), "a 0 b 1?2");
        assert_eq!(fill("{{}} {} {{x}}", show), "{} 0 {x}");
        assert_eq!(fill("lone } and {", show), "lone } and {");
        assert_eq!(fill(&escape("{} {:?} {{"), show), "{} {:?} {{");
    }
}
