//! Tokens back to source text, for messages.
use proc_macro2::{Delimiter, LineColumn, Spacing, TokenStream, TokenTree};
use quote::ToTokens;

/// The prefix of the names of the array that a struct's `Index` is about; the struct's name follows.
pub const ELEMENTS: &str = "__omp_elements_";
/// The prefix of the names of the struct's numbers.
pub const NUMBERS: &str = "__omp_numbers_";

/// The prefix of the variables that stand for closure arguments where a function is inlined; the parameter's name follows.
pub const CLOSURE_ARGUMENT: &str = "__omp_closure_";

/// What the names of variables begin with that stand around an inlined iterator.
pub const OF_CHAIN: &str = "__omp_of_chain";

/// The names in some tokens, but for those of fields and methods.
pub fn words(tokens: TokenStream) -> Vec<String> {
    let (mut names, mut dots) = (Vec::new(), 0);
    for tree in tokens {
        let before = dots;
        dots = if matches!(&tree, TokenTree::Punct(p) if p.as_char() == '.') { dots + 1 } else { 0 };
        match tree {
            TokenTree::Ident(i) if before != 1 => names.push(i.to_string()),
            TokenTree::Group(g) => names.extend(words(g.stream())),
            _ => {}
        }
    }
    names
}

/// Whether inlining has made a name.
pub fn is_inlined(name: &str) -> bool {
    name.starts_with(CLOSURE_ARGUMENT) || name.starts_with(OF_CHAIN)
}

/// The prefix of the names of a slice variable's array and numbers; a number and the variable's name follow.
pub const CURSOR: &str = "__omp_cursor_";

/// The slice variable that a name of the macros' is about.
fn cursor(name: &str) -> Option<&str> {
    name.strip_prefix(CURSOR).and_then(|rest| rest.split_once('_')).map(|(_, name)| name)
}

/// The key of what the user wrote.
pub fn shown(key: &str) -> String {
    cursor(key).unwrap_or(key).replace(ELEMENTS, "").replace(NUMBERS, "").replace(CLOSURE_ARGUMENT, "")
}

/// The tokens with the user's spacing, on one line.
pub fn as_written(tokens: &impl ToTokens) -> String {
    let mut text = Text { out: String::new(), end: None };
    text.stream(tokens.to_token_stream());
    text.out
}

/// Whether a character is one of names.
pub fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The word that a text begins with.
pub fn first_word(text: &str) -> String {
    text.chars().take_while(|c| is_word(*c)).collect()
}

/// The words of a text.
pub fn words_of_text(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c| !is_word(c)).filter(|word| !word.is_empty())
}

/// The tokens without blanks, but for those that keep two words apart: the same however the user spaced them, and another for
/// other tokens (`i as usize` is no `iasusize`).
pub fn squeezed(tokens: &impl ToTokens) -> String {
    let text = tokens.to_token_stream().to_string();
    let mut out = String::with_capacity(text.len());
    let mut blank = false;
    for c in text.chars() {
        if c.is_whitespace() {
            blank = true;
            continue;
        }
        if std::mem::take(&mut blank) && is_word(c) && out.ends_with(is_word) {
            out.push(' ');
        }
        out.push(c);
    }
    out
}

struct Text {
    out: String,
    /// The end of the last token.
    end: Option<LineColumn>,
}

impl Text {
    fn stream(&mut self, tokens: TokenStream) {
        let mut tokens = tokens.into_iter();
        while let Some(tree) = tokens.next() {
            match tree {
                TokenTree::Ident(i) if i.to_string().starts_with(CURSOR) => {
                    let mut rest = tokens.clone();
                    let first = match rest.next() {
                        Some(TokenTree::Group(g)) => g.stream().into_iter().next().map(|t| t.to_string()),
                        _ => None,
                    };
                    let name = match first.as_deref().and_then(cursor) {
                        // The part that the variable is.
                        Some(name) => {
                            tokens = rest;
                            name.to_owned()
                        }
                        None => shown(&i.to_string()),
                    };
                    self.push(&name, i.span().start(), i.span().end());
                }
                TokenTree::Ident(i) if i.to_string().starts_with(NUMBERS) => {
                    let mut rest = tokens.clone();
                    let position = |t: &TokenTree| t.to_string().starts_with("__omp_position");
                    match (rest.next(), rest.next().filter(position), rest.next()) {
                        (_, Some(_), Some(TokenTree::Group(index))) => {
                            // `m[(i, j)]` as it was.
                            tokens = rest;
                            self.stream(index.stream());
                        }
                        _ => self.push(&shown(&i.to_string()), i.span().start(), i.span().end()),
                    }
                }
                TokenTree::Group(g) => {
                    let (open, close) = match g.delimiter() {
                        Delimiter::Parenthesis => ("(", ")"),
                        Delimiter::Bracket => ("[", "]"),
                        Delimiter::Brace => ("{", "}"),
                        Delimiter::None => ("", ""),
                    };
                    // Printed groups have one span for all; delimiters are one column wide.
                    let (start, end) = (g.span().start(), g.span().end());
                    self.push(open, start, LineColumn { column: start.column + open.len(), ..start });
                    self.stream(g.stream());
                    self.push(
                        close,
                        LineColumn { column: end.column.saturating_sub(close.len()), ..end },
                        end,
                    );
                }
                TokenTree::Punct(p) if p.as_char() == '.' && p.spacing() == Spacing::Alone => {
                    // A field of what may stand elsewhere.
                    let (start, end) = (p.span().start(), p.span().end());
                    let is_field = self.out.ends_with(|c: char| c.is_alphanumeric() || "_)]".contains(c));
                    self.push(".", self.end.filter(|_| is_field).unwrap_or(start), end);
                }
                other => self.push(&shown(&other.to_string()), other.span().start(), other.span().end()),
            }
        }
    }

    fn push(&mut self, token: &str, start: LineColumn, end: LineColumn) {
        let apart = match self.end {
            // Tokens of elsewhere that were put here have one place together.
            Some(last) if start < last => blank_between(&self.out, token),
            Some(last) => last != start,
            None => false,
        };
        if apart && !self.out.is_empty() && !token.is_empty() {
            self.out.push(' ');
        }
        self.out.push_str(token);
        self.end = Some(end);
    }
}

/// Whether a blank usually stands between some text and what comes next.
fn blank_between(text: &str, next: &str) -> bool {
    let is_operator = |c: char| "+-*/%=<>|^".contains(c);
    let (Some(last), Some(first)) = (text.chars().last(), next.chars().next()) else { return false };
    let opened = "([{!&.".contains(last);
    (is_word(last) && is_word(first))
        || ",;".contains(last)
        || (!opened && is_operator(first))
        || is_operator(last)
}

#[cfg(test)]
mod tests {
    use super::{as_written, squeezed};

    #[test]
    fn words_stay_apart() {
        let text = |text: &str| squeezed(&text.parse::<proc_macro2::TokenStream>().unwrap());
        assert_eq!(text("y [ i - 1 ]"), "y[i-1]");
        assert_eq!(text("h[x[i]as usize]"), text("h[ x[i] as  usize ]"));
        assert_ne!(text("h[i as usize]"), text("h[iasusize]"));
    }

    #[test]
    fn spacing_is_kept() {
        for text in ["y[i - 1]", "x[i*n + j]", "s += f(&a[..k], -1.0)", "(a, b).0"] {
            assert_eq!(as_written(&text.parse::<proc_macro2::TokenStream>().unwrap()), text);
        }
    }
}
