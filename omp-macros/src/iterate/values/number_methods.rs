//! Methods of numbers and characters that are written out with others that devices have: `a.carrying_add(b, c)`, `a.borrowing_sub(b, c)`,
//! `c.is_control()` and `c.len_utf8()`. In the serial copy, rustc checks that std has them for the type.
use crate::iterate::loops::walk::{Meaning, Walk};
use crate::iterate::tokens::{made, parentheses};
use crate::parse::operators::{BINARY, UNARY};
use crate::parse::primitives::is_primitive;
use crate::parse::tokens::file::SourceFile;
use crate::parse::tokens::outline::Outline;
use crate::sema::syntax::forms::strip;
use crate::sema::syntax::std_names;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::Expr;
use syn::visit::Visit;

/// `Add::add(a, b)`, `V::add(a, b)` of an operator of a type of the file, `u64::add(a, b)`, also as the argument of `fold`, and
/// `Neg::neg(a)`, also as that of `map`: the operator.
pub(in crate::iterate) fn named_operator(e: &Expr) -> Option<Expr> {
    let Expr::Call(c) = e else { return None };
    let Expr::Path(p) = &*c.func else { return None };
    let [before @ .., of, method] = &p.path.segments.iter().collect::<Vec<_>>()[..] else { return None };
    let (symbol, trait_) = match c.args.len() {
        1 => {
            let (trait_, _) = UNARY.iter().find(|(_, name)| method.ident == name)?;
            (if *trait_ == "Neg" { "-" } else { "!" }, *trait_)
        }
        2 => BINARY.iter().find(|(_, _, name)| method.ident == name).map(|op| (op.0, op.1))?,
        _ => return None,
    };
    let is = p.qself.is_none()
        && if of.ident == trait_ {
            // (An own trait of the name would be another one.)
            SourceFile::of(of.ident.span()).is_some_and(|file| {
                !std_names::is_imported(&file, trait_) && !file.text.contains(&format!("trait {trait_}"))
            })
        } else {
            before.is_empty() && has_operator(&of.ident, trait_, method)
        };
    let mut operands = c.args.iter().map(|e| parentheses(e.to_token_stream())).rev();
    let (last, first) = (operands.next()?, operands.next());
    let span = method.ident.span();
    is.then(|| {
        let symbol = symbol.parse::<TokenStream>().expect("it is an operator");
        let symbol = symbol.into_iter().map(|mut sign| {
            sign.set_span(span);
            sign
        });
        made(parentheses(quote_spanned!(span=> #first #(#symbol)* #last)))
    })
}

/// Whether the file has an `impl` of this operator for a type of this name, and no method of the name for the type itself; or it is a
/// primitive type, std's `Wrapping` or `Saturating`, or a type parameter, and the module imports the operator's trait, and the file has no other method of the name. (With another trait that has
/// such a method, rustc finds the name ambiguous.)
fn has_operator(of: &Ident, trait_: &str, method: &syn::PathSegment) -> bool {
    let Some(file) = SourceFile::of(of.span()) else { return false };
    let (outline, name) = (file.shows(Outline::of), method.ident.to_string());
    let (mut found, mut operators) = (false, 0);
    for place in outline.impls_with(&name) {
        let Some(syn::Item::Impl(i)) = outline.parse(&file.text, place) else { continue };
        let of_trait = |(path, _): &(syn::Path, _)| path.segments.last().is_some_and(|s| s.ident == trait_);
        let is = i.trait_.as_ref().is_some_and(of_trait);
        operators += usize::from(is);
        if matches!(&*i.self_ty, syn::Type::Path(p) if p.path.segments.last().is_some_and(|s| s.ident == *of))
        {
            if i.trait_.is_none() {
                return false;
            }
            found |= is;
        }
    }
    // (They have no methods of these names but the operators.)
    let of_numbers = ["Wrapping", "Saturating"].iter().any(|name| {
        of == name
            && std_names::imports_function(&file.text, "num", name)
            && outline.types(&file.text, name).is_empty()
    });
    if !of_numbers && !is_primitive(&of.to_string()) && !is_parameter(of, &file) {
        return found;
    }
    let imported = |text: &str| BINARY.map(|(_, name, _)| std_names::imports_function(text, "ops", name));
    let at = BINARY.iter().position(|(_, name, _)| *name == trait_);
    let functions = ["(", "<"].iter().map(|end| file.text.matches(&format!("fn {name}{end}")).count());
    // (Modules in a file have imports of their own, and functions; those that a glob brings are somewhere in the file. A macro's argument
    // may have its own, too.)
    let here = |place| {
        let item = outline.parse(&file.text, place);
        let item = item.filter(|item| matches!(item, syn::Item::Fn(_) | syn::Item::Macro(_)));
        let items = outline.imports(&file.text, place).into_iter().chain(item);
        let items = items.map(ToTokens::into_token_stream).collect::<TokenStream>().to_string();
        std_names::imports_function(&items, "ops", trait_) || items.replace(' ', "").contains("::*")
    };
    at.is_some_and(|at| file.shows(imported)[at])
        && functions.sum::<usize>() == operators
        && outline.around_name(&file.text, &method.ident).is_none_or(here)
}

/// Whether a name is a type parameter of the item that it stands in, and no type of the file.
fn is_parameter(of: &Ident, file: &SourceFile) -> bool {
    struct Parameters<'a>(&'a Ident, bool);
    impl<'ast> Visit<'ast> for Parameters<'_> {
        fn visit_type_param(&mut self, t: &'ast syn::TypeParam) {
            self.1 |= t.ident == *self.0;
        }
    }
    let (outline, name) = (file.shows(Outline::of), of.to_string());
    let item = outline.around_name(&file.text, of).and_then(|place| outline.parse(&file.text, place));
    let mut parameters = Parameters(of, false);
    item.iter().for_each(|item| parameters.visit_item(item));
    parameters.1 && !std_names::is_imported(file, &name) && outline.types(&file.text, &name).is_empty()
}

impl Walk<'_> {
    /// ASCII methods of arrays of bytes, and those that change a byte, by the methods of bytes that devices have; not yet walked through.
    pub(in crate::iterate) fn ascii(&mut self, e: &Expr) -> Option<Expr> {
        const METHODS: [(&str, usize); 4] = [
            ("make_ascii_uppercase", 0),
            ("make_ascii_lowercase", 0),
            ("is_ascii", 0),
            ("eq_ignore_ascii_case", 1),
        ];
        let Expr::MethodCall(m) = e else { return None };
        let name = METHODS.iter().find(|(name, args)| m.method == name && m.args.len() == *args)?.0;
        let (of, span, c) = (strip(&m.receiver), m.method.span(), self.fresh("c", m.method.span()));
        let is_bytes = matches!(of, Expr::Lit(l) if matches!(l.lit, syn::Lit::ByteStr(_)));
        let array = is_bytes || self.is_slice(of) || self.is_named_array(of);
        let to = match name {
            "make_ascii_uppercase" => Ident::new("to_ascii_uppercase", span),
            "make_ascii_lowercase" => Ident::new("to_ascii_lowercase", span),
            "is_ascii" if array => {
                return Some(made(quote_spanned!(span=> #of.iter().all(|#c| #c.is_ascii()))));
            }
            "eq_ignore_ascii_case" if array => {
                let other = crate::iterate::values::arrays::behind(&m.args[0]);
                if let Expr::Lit(bytes) = other {
                    let name = self.fresh("bytes", span);
                    return Some(made(parentheses(
                        quote_spanned!(span=> { let #name = *#bytes; #of.eq_ignore_ascii_case(&#name) }),
                    )));
                }
                let d = self.fresh("d", span);
                return Some(made(parentheses(quote_spanned!(span=>
                    #of.len() == #other.len() && #of.iter().zip(#other.iter()).all(|(#c, #d)| #c.eq_ignore_ascii_case(#d))
                ))));
            }
            _ => return None,
        };
        Some(made(match array {
            true => quote_spanned!(span=> { for #c in #of.iter_mut() { *#c = #c.#to(); } }),
            false if self.element(of).is_some() => quote_spanned!(span=> { *#of = #of.#to(); }),
            false => quote_spanned!(span=> { #of = #of.#to(); }),
        }))
    }

    /// Whether a name is that of an array that the body binds.
    fn is_named_array(&self, e: &Expr) -> bool {
        let Expr::Path(p) = e else { return false };
        p.path
            .get_ident()
            .is_some_and(|name| !matches!(self.meaning(name), Some(Meaning::Item(_))) && self.is_array(e))
    }

    /// Such a method, written out; not yet walked through.
    pub(in crate::iterate) fn written_number(&mut self, e: &Expr) -> Option<Expr> {
        const METHODS: [(&str, usize); 4] =
            [("carrying_add", 2), ("borrowing_sub", 2), ("is_control", 0), ("len_utf8", 0)];
        let Expr::MethodCall(m) = e else { return None };
        let span = m.method.span();
        let at = METHODS.iter().position(|(name, args)| m.method == name && m.args.len() == *args)?;
        // A method of the program's has one of these names.
        let own = SourceFile::of(span).is_some_and(|file| {
            file.shows(|text| METHODS.map(|(name, _)| text.contains(&format!("fn {name}("))))[at]
        });
        if own || m.turbofish.is_some() {
            return None;
        }
        let of = &m.receiver;
        let value = match self.element(of) {
            Some(_) => quote_spanned!(span=> *#of),
            None => of.to_token_stream(),
        };
        let value = if matches!(**of, Expr::Path(_) | Expr::MethodCall(_) | Expr::Index(_) | Expr::Field(_)) {
            value
        } else {
            parentheses(value)
        };
        Some(made(parentheses(match METHODS[at].0 {
            "is_control" => {
                let c = self.fresh("c", span);
                quote_spanned!(span=> {
                    let #c: ::omp::__private::core::primitive::u32 = #value as u32;
                    #c < 0x20 || (0x7f <= #c && #c < 0xa0)
                })
            }
            "len_utf8" => {
                let c = self.fresh("c", span);
                quote_spanned!(span=> {
                    let #c: ::omp::__private::core::primitive::u32 = #value as u32;
                    if #c < 0x80 { 1usize } else if #c < 0x800 { 2 } else if #c < 0x10000 { 3 } else { 4 }
                })
            }
            name => {
                let method = if name == "carrying_add" { "overflowing_add" } else { "overflowing_sub" };
                let method = Ident::new(method, span);
                let [first, over, carry, second, more] =
                    ["first", "over", "carry", "second", "more"].map(|name| self.fresh(name, span));
                let (other, given) = (&m.args[0], &m.args[1]);
                quote_spanned!(span=> {
                    let (#first, #over) = #of.#method(#other);
                    let #carry = #given;
                    let (#second, #more) = if #carry { #first.#method(1) } else { (#first, false) };
                    (#second, #over | #more)
                })
            }
        })))
    }
}
