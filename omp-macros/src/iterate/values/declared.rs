//! Finds the names that are declared to hold `Option`s: an element or a field may be an array or an `Option`, and both have a
//! `map`. Declarations of the source file decide: `spare: Option<f64>`, `cols: &[Option<u32>]`, `let hits = vec![None; n]`. If one
//! name is declared in both ways and is read wrongly, rustc refuses the types of the result.
use crate::parse::tokens::file::SourceFile;
use crate::sema::syntax::forms::strip;
use std::collections::HashSet;
use syn::{Expr, Ident, Member};

/// What stands between a name's colon and the `Option`s or arrays that it holds.
const AROUND: [&str; 7] = ["&", "mut", "[", "Vec<", "Box<", "std::option::", "core::option::"];

/// Whether a place is an `Option`, as far as declarations of its name tell.
pub(super) fn is_option(place: &Expr) -> bool {
    match strip(place) {
        Expr::Index(x) => is_option(&x.expr),
        Expr::Unary(u) => is_option(&u.expr),
        Expr::Path(p) => p.path.get_ident().is_some_and(holds_options),
        Expr::Field(f) => matches!(&f.member, Member::Named(name) if holds_options(name)),
        _ => false,
    }
}

fn holds_options(name: &Ident) -> bool {
    SourceFile::of(name.span()).is_some_and(|file| file.shows(of_text).contains(&name.to_string()))
}

/// The names that a text declares so, and not as those of arrays of something else.
fn of_text(text: &str) -> HashSet<String> {
    let typed = |at: usize| name_before(without(&text[..at], &AROUND).strip_suffix(':')?);
    let made = |at: usize| name_before(without(&text[..at], &["vec!", "["]).strip_suffix('=')?);
    let at =
        |words: &'static [&str]| words.iter().flat_map(|word| text.match_indices(word)).map(|(at, _)| at);
    let options = at(&["Option<"]).filter_map(typed).chain(at(&["None", "Some("]).filter_map(made));
    let others: HashSet<String> = text
        .match_indices('[')
        .filter(|(at, _)| {
            let of = text[at + 1..].trim_start_matches(['[', ' ']);
            !["Option<", "std::option::", "core::option::", "None", "Some("].iter().any(|o| of.starts_with(o))
        })
        .filter_map(|(at, _)| typed(at).or_else(|| made(at)))
        .collect();
    options.filter(|name| !others.contains(name)).collect()
}

/// A text without these words at its end.
fn without<'t>(mut text: &'t str, words: &[&str]) -> &'t str {
    loop {
        text = text.trim_end();
        let Some(rest) = words.iter().find_map(|word| text.strip_suffix(word)) else { return text };
        text = rest;
    }
}

fn name_before(text: &str) -> Option<String> {
    let text = text.trim_end();
    let start = text.rfind(|c: char| !c.is_alphanumeric() && c != '_').map_or(0, |at| at + 1);
    (start < text.len()).then(|| text[start..].to_owned())
}

#[cfg(test)]
mod tests {
    #[test]
    fn declarations_of_options_are_found() {
        let names = super::of_text(
            "struct S { a: Option<u8>, b: Vec<Option<f32>>, c: [u8; 2], d : &mut [Option<[u8; 2]>] }
             fn f(h: &Option<u8>, h: [f32; 3]) -> Option<u8> { let mut e = vec![None; 3]; let g = [[Some(1); 2]; 2]; x::<Option<u8>>(e) }",
        );
        let mut names: Vec<_> = names.into_iter().collect();
        names.sort();
        assert_eq!(names, ["a", "b", "d", "e", "g"]);
    }
}
