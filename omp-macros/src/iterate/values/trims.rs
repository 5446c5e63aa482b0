//! `trim_ascii`, `trim_ascii_start` and `trim_ascii_end` of slices of bytes, as the parts that they give.
use super::arrays::behind;
use crate::iterate::loops::chain::is_place;
use crate::iterate::tokens::{hidden, made, parentheses};
use crate::parse::tokens::file::SourceFile;
use crate::parse::tokens::source::OF_CHAIN;
use crate::sema::syntax::effects::{is_of_numbers, is_pure};
use quote::{ToTokens, quote_spanned};
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprIndex, ExprMethodCall};

/// Writes these methods out, in all of what is visited: `&x[..end]`, with a search for the end.
pub struct Trims;

impl VisitMut for Trims {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        visit_mut::visit_expr_mut(self, e);
        if let Some(part) = trimmed(e) {
            *e = part;
        }
        // (The user's own reference stands in parentheses there.)
        if let Expr::MethodCall(ExprMethodCall { receiver: of, .. }) | Expr::Index(ExprIndex { expr: of, .. }) =
            e
            && matches!(&**of, Expr::Reference(_))
        {
            **of = made(parentheses(of.to_token_stream()));
        }
    }
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

fn trimmed(e: &Expr) -> Option<Expr> {
    let Expr::MethodCall(m) = e else { return None };
    let (at_start, at_end) = match m.method.to_string().as_str() {
        "trim_ascii" => (true, true),
        "trim_ascii_start" => (true, false),
        "trim_ascii_end" => (false, true),
        _ => return None,
    };
    // (What stands there more than once is evaluated more than once.)
    let (part, span) = (behind(&m.receiver), m.method.span());
    let declared =
        || SourceFile::of(span).is_some_and(|file| file.text.contains(&format!("fn {}", m.method)));
    if !m.args.is_empty() || !is_place(part) || !is_pure(part, &is_of_numbers) || declared() {
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
