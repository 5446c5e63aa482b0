//! Invisible groups: an expression that a `macro_rules!` received stays one operand.
//!
//! `x * $e` with `2 + 3` for `$e` arrives as `x * «2 + 3»`, in invisible delimiters. rustc ignores them in the output
//! of a procedural macro (rust-lang/rust#67062), and would parse `x * 2 + 3`. So if an operator or a method is next to
//! such an expression, it gets parentheses.
use super::leaves::group;
use super::raw;
use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree};
use syn::Expr;

/// The tokens, with parentheses where invisible delimiters matter.
pub fn kept(tokens: TokenStream) -> TokenStream {
    if !has_invisible(&tokens) {
        return tokens;
    }
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let whole = |at: usize| {
        let TokenTree::Group(g) = &trees[at] else { return trees[at].clone() };
        let delimiter = match g.delimiter() {
            Delimiter::None if falls_apart(g, &trees[..at], &trees[at + 1..]) => Delimiter::Parenthesis,
            // The group itself: a new group would have one span for all of its tokens.
            same if same != Delimiter::None && !has_invisible(&g.stream()) => return trees[at].clone(),
            same => same,
        };
        group(delimiter, kept(g.stream()), g.span())
    };
    (0..trees.len()).map(whole).collect()
}

fn has_invisible(tokens: &TokenStream) -> bool {
    raw::any(tokens, &is_invisible)
}

/// Whether these are invisible delimiters.
pub fn is_invisible(tree: &TokenTree) -> bool {
    matches!(tree, TokenTree::Group(g) if g.delimiter() == Delimiter::None)
}

/// Whether an operator next to an invisible group would bind to a part of the group.
fn falls_apart(g: &Group, before: &[TokenTree], after: &[TokenTree]) -> bool {
    let (left, right) = (operator_ends(before), operator_starts(after));
    if !left && !right {
        return false;
    }
    match syn::parse2::<Expr>(g.stream()) {
        Ok(Expr::Binary(_) | Expr::Unary(_) | Expr::Cast(_)) => true,
        // Types and patterns look like these, too.
        Ok(Expr::Reference(_) | Expr::Range(_)) => right,
        _ => false,
    }
}

/// The character, if it is one of an operator; whether the next token is a part of it.
fn punct(tree: Option<&TokenTree>) -> Option<(char, bool)> {
    match tree {
        Some(TokenTree::Punct(p)) => Some((p.as_char(), p.spacing() == Spacing::Joint)),
        _ => None,
    }
}

fn operator_ends(before: &[TokenTree]) -> bool {
    let Some((last, _)) = punct(before.last()) else { return false };
    let joint = punct(before.iter().rev().nth(1)).filter(|(_, joint)| *joint).map(|(c, _)| c);
    match last {
        '+' | '-' | '*' | '/' | '%' | '^' | '&' | '|' | '!' | '<' => true,
        // Not `=>` and `->`.
        '>' => !matches!(joint, Some('=' | '-')),
        '=' => matches!(joint, Some('=' | '!' | '<' | '>')),
        _ => false,
    }
}

fn operator_starts(after: &[TokenTree]) -> bool {
    match after.first() {
        Some(TokenTree::Ident(i)) => i == "as",
        Some(TokenTree::Group(g)) => matches!(g.delimiter(), Delimiter::Parenthesis | Delimiter::Bracket),
        first => match punct(first) {
            Some(('+' | '-' | '*' | '/' | '%' | '^' | '&' | '|' | '<' | '>' | '!' | '.' | '?', _)) => true,
            // `==`, not `=>` and `=`.
            Some(('=', true)) => punct(after.get(1)).is_some_and(|(c, _)| c == '='),
            _ => false,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn invisible(text: &str) -> TokenTree {
        Group::new(Delimiter::None, text.parse().unwrap()).into()
    }

    #[test]
    fn operators_take_no_part_of_an_expression() {
        for (before, inside, after, expected) in [
            ("x *", "2 + 3", ";", "x * (2 + 3) ;"),
            ("x =", "2 + 3", "* 4", "x = (2 + 3) * 4"),
            ("x ==", "a == b", ";", "x == (a == b) ;"),
            ("", "- 5", ". abs ()", "(- 5) . abs ()"),
            ("", "& x", ". len ()", "(& x) . len ()"),
            ("", "i", "+ 1", "i + 1"),
            ("let k =", "a + b", ";", "let k = a + b ;"),
            ("1 =>", "a + b", ",", "1 => a + b ,"),
            ("", "1 | 2", "=> 5", "1 | 2 => 5"),
            ("", "a | b", "== c", "(a | b) == c"),
            ("fn f () -> ", "u32", "{ }", "fn f () -> u32 { }"),
            ("y : ", "& [u32]", ", z : u8", "y : & [u32] , z : u8"),
        ] {
            let mut tokens: TokenStream = before.parse().unwrap();
            tokens.extend([invisible(inside)]);
            tokens.extend(after.parse::<TokenStream>().unwrap());
            assert_eq!(kept(tokens).to_string(), expected);
        }
    }
}
