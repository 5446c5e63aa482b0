//! `trim_ascii`, `trim_ascii_start` and `trim_ascii_end` of slices of bytes, as the parts that they give.
use super::arrays::behind;
use crate::iterate::loops::chain::is_place;
use crate::iterate::tokens::{hidden, made};
use crate::parse::tokens::file::SourceFile;
use crate::parse::tokens::source::OF_CHAIN;
use crate::sema::syntax::effects::{is_of_numbers, is_pure};
use crate::sema::syntax::forms::strip;
use quote::quote_spanned;
use syn::{Expr, Ident};

/// The part that such a method gives, or several one after the other: `&x[..end]`, with a search for the end.
pub(super) fn trimmed(e: &Expr) -> Option<Expr> {
    let (mut of, mut at_start, mut at_end, mut method) = (e, false, false, None);
    while let Expr::MethodCall(m) = strip(of)
        && m.args.is_empty()
        && let Some((start, end)) = sides(&m.method)
    {
        (of, at_start, at_end) = (&m.receiver, at_start || start, at_end || end);
        method.get_or_insert(&m.method);
    }
    let (method, part) = (method?, behind(of));
    let span = method.span();
    // (What stands there more than once is evaluated more than once.)
    let own = SourceFile::of(span).is_some_and(|file| *file.shows(|text| text.contains("fn trim_ascii")));
    if own || !is_place(part) || !is_pure(part, &is_of_numbers) {
        return None;
    }
    let [c, k] = ["byte", "last"].map(|name| hidden(&format!("{OF_CHAIN}_{name}"), span));
    let kept = quote_spanned!(span=> |#c| !#c.is_ascii_whitespace());
    // Where all are white, nothing is left.
    let white = if at_end { quote_spanned!(span=> 0) } else { quote_spanned!(span=> #part.len()) };
    let start = at_start.then(|| quote_spanned!(span=> #part.iter().position(#kept).unwrap_or(#white)));
    let end = at_end.then(|| quote_spanned!(span=> #part.iter().rposition(#kept).map_or(0, |#k| #k + 1)));
    Some(made(quote_spanned!(span=> &#part[#start..#end])))
}

/// Whether a method of this name trims the start, and the end.
fn sides(method: &Ident) -> Option<(bool, bool)> {
    match method.to_string().as_str() {
        "trim_ascii" => Some((true, true)),
        "trim_ascii_start" => Some((true, false)),
        "trim_ascii_end" => Some((false, true)),
        _ => None,
    }
}
