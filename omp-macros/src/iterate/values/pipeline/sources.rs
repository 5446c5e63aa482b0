//! Iterators that functions of `std::iter` make: `once(v)`, `repeat(v)`, `repeat_n(v, n)`, `repeat_with(f)`, `successors(first, f)` and
//! `from_fn(f)`.
use super::tree::{Pipeline, Source, Step};
use crate::iterate::loops::walk::Walk;
use crate::iterate::tokens::{call, made};
use crate::parse::tokens::file::SourceFile;
use crate::sema::syntax::std_names;
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, ExprCall};

/// The functions, with their numbers of arguments.
const FUNCTIONS: [(&str, usize); 6] =
    [("once", 1), ("repeat", 1), ("repeat_n", 2), ("repeat_with", 1), ("successors", 2), ("from_fn", 1)];

/// The name of the function that is called, if it is one of these. A name alone is, if the file imports it from std and has no other.
pub fn of_std(c: &ExprCall) -> Option<&'static str> {
    let Expr::Path(p) = &*c.func else { return None };
    let last = p.path.segments.last()?;
    let at = FUNCTIONS.iter().position(|(name, args)| last.ident == name && c.args.len() == *args)?;
    let before: Vec<String> = p.path.segments.iter().rev().skip(1).map(|s| s.ident.to_string()).collect();
    let is = match before.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["iter", "std" | "core"] | ["iter", "core", "__private", "omp"] => true,
        ["iter"] => std_names::imports_module(&p.path.segments[0].ident),
        [] => SourceFile::of(last.ident.span()).is_some_and(|file| {
            file.shows(|text| FUNCTIONS.map(|(name, _)| std_names::imports_function(text, "iter", name)))[at]
        }),
        _ => false,
    };
    (p.qself.is_none() && is).then_some(FUNCTIONS[at].0)
}

/// Whether a call makes an iterator by one of them.
pub fn is_generator(c: &ExprCall) -> bool {
    of_std(c).is_some()
}

impl Walk<'_> {
    /// The items of such an iterator.
    pub(super) fn generated(&mut self, c: &ExprCall) -> Option<Pipeline> {
        let span = c.func.span();
        let option = quote_spanned!(span=> ::omp::__private::core::option::Option);
        match of_std(c)? {
            name @ ("once" | "repeat" | "repeat_n") => {
                let mut before = Vec::new();
                let value = self.evaluated(&c.args[0], &mut before);
                let base = match name {
                    "once" => quote_spanned!(span=> (0..1usize)),
                    "repeat" => quote_spanned!(span=> (0usize..)),
                    _ => {
                        let n = self.evaluated(&c.args[1], &mut before);
                        quote_spanned!(span=> (0usize..#n))
                    }
                };
                Some(Pipeline { before, ..self.over(made(base)).with_item(value) })
            }
            "repeat_with" => {
                let item = call(&c.args[0], &[], span);
                Some(self.over(made(quote_spanned!(span=> (0usize..)))).with_item(item))
            }
            "successors" => {
                let [next, value] = ["next", "value"].map(|name| self.fresh(name, span));
                let (first, after) = (&c.args[0], call(&c.args[1], &[quote_spanned!(span=> &#value)], span));
                let some = quote_spanned!(span=> #option::Some(#value));
                Some(Pipeline {
                    before: vec![quote_spanned!(span=> let mut #next = #first;)],
                    source: Source::Endless,
                    steps: vec![
                        Step::Let(some, next.to_token_stream()),
                        Step::Do(quote_spanned!(span=> #next = #after;)),
                    ],
                    item: made(value.into_token_stream()),
                    label: self.label(span),
                })
            }
            _ => {
                // What the closure owns has a name in front of it.
                let (before, f) = match &c.args[0] {
                    Expr::Block(b) if let [before @ .., syn::Stmt::Expr(f, None)] = &b.block.stmts[..] => {
                        (before, f)
                    }
                    f if self.copies_what_changes([f]) => return None,
                    f => (&[][..], f),
                };
                let before = before.iter().map(ToTokens::to_token_stream).collect();
                let (value, next) = (self.fresh("value", span), call(f, &[], span));
                let step = Step::Let(quote_spanned!(span=> #option::Some(#value)), next.into_token_stream());
                let item = made(value.into_token_stream());
                Some(Pipeline {
                    before,
                    source: Source::Endless,
                    steps: vec![step],
                    item,
                    label: self.label(span),
                })
            }
        }
    }

    /// A value that is evaluated once, where the iterator is made. References and numbers stay as they are.
    fn evaluated(&mut self, e: &Expr, before: &mut Vec<proc_macro2::TokenStream>) -> Expr {
        if matches!(e, Expr::Lit(_) | Expr::Reference(_)) {
            return e.clone();
        }
        let value = self.fresh("value", e.span());
        before.push(quote!(let #value = #e;));
        made(value.into_token_stream())
    }
}
