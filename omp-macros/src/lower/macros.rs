//! Macros of a body. They are rewritten to plain Rust before all other phases, in every copy: `assert!(c, "…", a)`
//! becomes `if c {} else { match (&a,) { (p,) => panic!("…", p) } }`. So all phases see the subscripts inside, a user's
//! macro of the same name changes nothing, and only `::omp::__private::core::panic!` is left to lower.
use super::cx::{Flow, Lower, Value};
use super::generated_names::Made;
use super::names::mark;
use crate::diag::Code as DiagCode;
use crate::expand::context::std_macros::question;
use crate::expand::rules;
use crate::parse::tokens::format_text;
use crate::parse::tokens::source::as_written;
use omp_ir::message::{MAX_VALUES, Spec, escape};
use omp_ir::template::{Check, Stmt};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{Expr, Token};

/// Rewrites the macros of a block; those that a body can't have stay, and lowering reports them.
/// Gives those that stand by their bare name.
pub(super) fn desugar(b: &mut syn::Block) -> Vec<Ident> {
    let mut desugar = Desugar { fresh: 0, named: Vec::new() };
    desugar.visit_block_mut(b);
    desugar.named
}

/// Has rustc check that these are std's.
pub(super) fn are_std(macros: &[Ident]) -> TokenStream {
    let mut out = TokenStream::new();
    for (i, name) in macros.iter().enumerate() {
        let same = |other: &Ident| other == name && mark(other.span()) == mark(name.span());
        if !macros[..i].iter().any(same) {
            out.extend(question(&name.clone().into()));
        }
    }
    out
}

struct Desugar {
    fresh: usize,
    named: Vec<Ident>,
}

impl VisitMut for Desugar {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        if let Expr::Macro(m) = e
            && let Some(new) = self.meaning(&m.mac)
        {
            *e = new;
        }
        if let Expr::Match(m) = e {
            super::pattern::consts_of_arms(&mut m.arms);
        }
        syn::visit_mut::visit_expr_mut(self, e);
    }

    fn visit_stmt_mut(&mut self, s: &mut syn::Stmt) {
        if let syn::Stmt::Macro(m) = s
            && let Some(new) = self.meaning(&m.mac)
        {
            *s = syn::Stmt::Expr(new, m.semi_token);
        }
        syn::visit_mut::visit_stmt_mut(self, s);
    }
}

impl Desugar {
    /// The expression that a macro stands for; `None` if it is not one of the listed ones or can't be parsed.
    fn meaning(&mut self, mac: &syn::Macro) -> Option<Expr> {
        let name = listed(&mac.path)?;
        let span = mac.path.span();
        let args = Punctuated::<Expr, Token![,]>::parse_terminated;
        let tokens = match name.as_str() {
            "panic" => {
                let args = args.parse2(mac.tokens.clone()).ok()?;
                if args.iter().skip(1).all(is_name) && hygienic(&mac.path) {
                    return None;
                }
                self.panic(span, "", "explicit panic", args.into_iter().collect())?
            }
            "unreachable" | "todo" | "unimplemented" => {
                let args = args.parse2(mac.tokens.clone()).ok()?;
                let start = match name.as_str() {
                    "unreachable" => "internal error: entered unreachable code",
                    "todo" => "not yet implemented",
                    _ => "not implemented",
                };
                let prefix = if args.is_empty() { start.to_string() } else { format!("{start}: ") };
                self.panic(span, &prefix, "", args.into_iter().collect())?
            }
            "assert" | "debug_assert" => {
                let mut args = args.parse2(mac.tokens.clone()).ok()?.into_iter();
                let cond = args.next()?;
                let text = format!("assertion failed: {}", escape(&as_written(&cond)));
                let panic = self.panic(span, "", &text, args.collect())?;
                let tokens = quote_spanned!(span=> if #cond {} else { #panic });
                // `a == S { x: 1 }` can't stand before a block without parentheses.
                match syn::parse2::<Expr>(tokens.clone()) {
                    Ok(_) => tokens,
                    Err(_) => quote_spanned!(span=> if (#cond) {} else { #panic }),
                }
            }
            "assert_eq" | "debug_assert_eq" => self.compared(span, &mac.tokens, "==", quote!(==))?,
            "assert_ne" | "debug_assert_ne" => self.compared(span, &mac.tokens, "!=", quote!(!=))?,
            "matches" => {
                let (value, pattern) = matches_parts.parse2(mac.tokens.clone()).ok()?;
                let value = crate::iterate::in_head(&value);
                quote_spanned!(span=> match #value { #pattern => true, _ => false })
            }
            _ => return None,
        };
        let tokens = match name.as_str() {
            "debug_assert" | "debug_assert_eq" | "debug_assert_ne" => {
                quote_spanned!(span=> if ::omp::__private::core::cfg!(debug_assertions) { #tokens })
            }
            _ => tokens,
        };
        let meaning = syn::parse2(quote!({ #tokens })).ok()?;
        self.named.extend(mac.path.get_ident().cloned());
        Some(meaning)
    }

    fn name(&mut self, span: Span) -> Ident {
        self.fresh += 1;
        Made::Operand.name(self.fresh, span)
    }

    /// `panic!(…)` of `core` whose arguments have names.
    fn panic(&mut self, span: Span, prefix: &str, default: &str, args: Vec<Expr>) -> Option<TokenStream> {
        let mut args = args.into_iter();
        let format = match args.next() {
            None => syn::LitStr::new(&format!("{prefix}{default}"), span),
            Some(Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(s), .. })) => {
                syn::LitStr::new(&format!("{prefix}{}", s.value()), s.span())
            }
            Some(_) => return None,
        };
        let args = Args::new(args.collect(), |span| self.name(span));
        let (values, names, pass) = (&args.values, &args.names, &args.pass);
        if values.is_empty() {
            return Some(quote_spanned!(span=> ::omp::__private::core::panic!(#format)));
        }
        Some(
            quote_spanned!(span=> match (#(&#values,)*) { (#(#names,)*) => ::omp::__private::core::panic!(#format, #(#pass),*) }),
        )
    }

    /// `assert_eq!(a, b, "…")`.
    fn compared(
        &mut self,
        span: Span,
        tokens: &TokenStream,
        sign: &str,
        op: TokenStream,
    ) -> Option<TokenStream> {
        let args = Punctuated::<Expr, Token![,]>::parse_terminated.parse2(tokens.clone()).ok()?;
        let mut args = args.into_iter();
        let (left, right) = (args.next()?, args.next()?);
        let (l, r) = (self.name(left.span()), self.name(right.span()));
        let more: Vec<Expr> = args.collect();
        let (custom, args) = match more.split_first() {
            None => (String::new(), Vec::new()),
            Some((Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(s), .. }), values)) => {
                (format!(": {}", s.value()), values.to_vec())
            }
            Some(_) => return None,
        };
        let Args { values, names, pass } = Args::new(args, |span| self.name(span));
        // The user's own arguments come first in the format, so that `{}` and `{0}` mean them.
        let (a, b) = (self.name(span), self.name(span));
        // The type of a `None` follows only from the comparison: the other operand is tested. If that is `None`, its text is shown; if it
        // is `Some`, its value is.
        let none = |e: &Expr| matches!(e, Expr::Path(p) if p.path.is_ident("None"));
        let (left_none, right_none) = (none(&left), none(&right));
        let one = left_none != right_none;
        let shown = |name: &Ident, is_none: bool| match (one, sign, is_none) {
            (false, ..) => format!("{{{name}:?}}"),
            (true, "==", false) => format!("Some({{{name}:?}})"),
            (true, ..) => "None".to_owned(),
        };
        let (shown_a, shown_b) = (shown(&a, left_none), shown(&b, right_none));
        let format =
            format!("assertion `left {sign} right` failed{custom}\n  left: {shown_a}\n right: {shown_b}");
        let format = syn::LitStr::new(&format, span);
        let (a, b) = (Ident::new(&a.to_string(), span), Ident::new(&b.to_string(), span));
        let operands = match (one, sign, left_none) {
            (false, ..) => quote_spanned!(span=> #a = #l, #b = #r),
            (true, "==", true) => quote_spanned!(span=> #b = #r),
            (true, "==", false) => quote_spanned!(span=> #a = #l),
            (true, ..) => TokenStream::new(),
        };
        let panic = if values.is_empty() {
            quote_spanned!(span=> ::omp::__private::core::panic!(#format, #operands))
        } else {
            quote_spanned!(span=> match (#(&#values,)*) { (#(#names,)*) => ::omp::__private::core::panic!(#format, #(#pass,)* #operands) })
        };
        if one {
            let (other, name) = if left_none { (operand(&right), r) } else { (operand(&left), l) };
            return Some(match sign {
                "==" => quote_spanned! {span=>
                    match (&#other,) { (#name,) => if let ::omp::__private::core::option::Option::Some(#name) = *#name { #panic } }
                },
                _ => quote_spanned! {span=>
                    match (&#other,) {
                        (#name,) => if let ::omp::__private::core::option::Option::Some(_) = *#name {} else { #panic }
                    }
                },
            });
        }
        let (left, right) = (operand(&left), operand(&right));
        Some(quote_spanned!(span=> match (&#left, &#right) { (#l, #r) => if *#l #op *#r {} else { #panic } }))
    }
}

/// An expression as the operand of `&`.
fn operand(e: &Expr) -> TokenStream {
    match e {
        Expr::Binary(_) | Expr::Cast(_) | Expr::Range(_) | Expr::Assign(_) => quote!((#e)),
        _ => quote!(#e),
    }
}

/// The arguments of a message: each evaluated once, under a name.
struct Args {
    values: Vec<TokenStream>,
    names: Vec<Ident>,
    /// The arguments as they are passed on: `p`, or `name = p`.
    pass: Vec<TokenStream>,
}

impl Args {
    fn new(args: Vec<Expr>, mut name: impl FnMut(Span) -> Ident) -> Self {
        let mut new = Self { values: Vec::new(), names: Vec::new(), pass: Vec::new() };
        for arg in args {
            let fresh = name(arg.span());
            let (value, pass) = match arg {
                Expr::Assign(a) => {
                    let named = &a.left;
                    let pass = quote!(#named = #fresh);
                    (*a.right, pass)
                }
                other => (other, quote!(#fresh)),
            };
            new.values.push(operand(&value));
            new.names.push(fresh);
            new.pass.push(pass);
        }
        new
    }
}

/// The name of a macro that bodies may have, by its spelling.
fn listed(path: &syn::Path) -> Option<String> {
    let names: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
    match names.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [name] | ["std" | "core", name] => Some(name.to_string()),
        ["omp", "__private", "core", name] if path.leading_colon.is_some() => Some(name.to_string()),
        _ => None,
    }
}

/// Spelled as generated code spells the macros of `core`.
fn hygienic(path: &syn::Path) -> bool {
    path.segments.len() == 4 && listed(path).is_some()
}

/// A name, or `name = name`.
fn is_name(e: &Expr) -> bool {
    match e {
        Expr::Path(p) => p.path.get_ident().is_some(),
        Expr::Assign(a) => is_name(&a.left) && is_name(&a.right),
        _ => false,
    }
}

/// The pattern of `matches!(value, pattern)`, in which names are consts.
pub fn pattern_of_matches(mac: &syn::Macro) -> Option<syn::Pat> {
    let (_, pattern) =
        mac.path.is_ident("matches").then(|| matches_parts.parse2(mac.tokens.clone()))?.ok()?;
    let mut arms: [syn::Arm; 2] = [syn::parse_quote!(#pattern => true,), syn::parse_quote!(_ => false,)];
    super::pattern::consts_of_arms(&mut arms);
    let [arm, _] = arms;
    Some(arm.pat)
}

fn matches_parts(input: syn::parse::ParseStream) -> syn::Result<(Expr, TokenStream)> {
    let value: Expr = input.parse()?;
    input.parse::<Token![,]>()?;
    let mut pattern: Vec<TokenTree> = input.parse::<TokenStream>()?.into_iter().collect();
    if matches!(pattern.last(), Some(TokenTree::Punct(p)) if p.as_char() == ',') {
        pattern.pop();
    }
    Ok((value, pattern.into_iter().collect()))
}

impl Lower {
    pub fn macro_value(&mut self, e: &mut Expr) -> Value {
        let Expr::Macro(m) = &*e else { unreachable!("called with a macro") };
        if listed(&m.mac.path).as_deref() == Some("cfg") {
            let src = self.src(e.span());
            let tokens = &m.mac.tokens;
            let cfg: Expr = syn::parse_quote!(::omp::__private::core::cfg!(#tokens));
            let id = self.konst(&format!("cfg!({tokens})"), &cfg);
            *e = cfg;
            let base = omp_ir::template::Base::Const(id);
            let place = omp_ir::template::Place::from(base);
            return Some(self.expr(omp_ir::template::Expr::Load(place), src));
        }
        self.macro_effect(e)?;
        None
    }

    /// `panic!`, and the macros that no body can have.
    pub fn macro_effect(&mut self, e: &mut Expr) -> Flow {
        let Expr::Macro(m) = &*e else { unreachable!("called with a macro") };
        let (path, span, src) = (&m.mac.path, m.mac.path.span(), self.src(e.span()));
        let name = path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default();
        if listed(path).as_deref() == Some("panic") && hygienic(path) {
            let tokens = m.mac.tokens.clone();
            let (message, args) = self.message(tokens, span)?;
            self.push(Stmt::Check { check: Check::Panic { access: None, message, args }, src });
            return None;
        }
        let of_user;
        let (code, message, help) = match name.as_str() {
            "println" | "print" | "eprintln" | "eprint" | "dbg" | "write" | "writeln" => (
                DiagCode::UnsupportedMacro,
                format!("`{name}!` writes text: a device can't"),
                "print after the loop; `panic!` and `assert!` may have text",
            ),
            "vec" | "format" => (
                DiagCode::HeapAllocation,
                format!("`{name}!` allocates: a device has no heap"),
                "use a fixed array `[T; N]`, or an array that is made before the loop",
            ),
            "asm" | "global_asm" => (
                DiagCode::UnsafeCode,
                "inline assembly can't be used on a device".to_string(),
                "write it in Rust",
            ),
            "panic" | "unreachable" | "todo" | "unimplemented" | "assert" | "debug_assert" | "assert_eq"
            | "assert_ne" | "debug_assert_eq" | "debug_assert_ne" | "matches" => (
                DiagCode::UnsupportedMacro,
                format!("this form of `{name}!` can't be used on a device"),
                "its text is a literal, its arguments are primitive values",
            ),
            _ => (DiagCode::UnsupportedMacro, format!("the macro `{name}!` can't be used on a device"), {
                of_user = rules::help(path);
                &*of_user
            }),
        };
        self.error(code, span, message, help);
        None
    }

    /// The text of a panic with `{}` or `{:?}` for each value, and the values.
    fn message(&mut self, tokens: TokenStream, span: Span) -> Option<(String, Vec<omp_ir::ids::ExprId>)> {
        let args = Punctuated::<Expr, Token![,]>::parse_terminated.parse2(tokens).ok()?;
        let mut args = args.into_iter();
        let text = match args.next() {
            None => return Some(("explicit panic".to_string(), Vec::new())),
            Some(Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(s), .. })) => s,
            Some(other) => {
                let help = "write `panic!(\"{}\", value)`";
                self.error(
                    DiagCode::UnsupportedMacro,
                    other.span(),
                    "the text of a panic is a literal",
                    help,
                );
                return None;
            }
        };
        let (mut positional, mut named) = (Vec::new(), Vec::new());
        for a in args {
            match a {
                Expr::Assign(a) => named.push((a.left.to_token_stream().to_string(), *a.right)),
                other => positional.push(other),
            }
        }
        let Some(pieces) = pieces(&text.value()) else {
            self.error(
                DiagCode::UnsupportedMacro,
                text.span(),
                "this format can't be used on a device",
                "`{}`, `{:?}`, `{name}`, `{:>8}`, `{:#x}`, `{:.3}` and similar formats of primitive values can, with numbers for width and precision",
            );
            return None;
        };
        let (mut message, mut values, mut next) = (String::new(), Vec::new(), 0);
        for piece in pieces {
            let (hole, value) = match piece {
                Piece::Text(t) => {
                    message.push_str(&escape(&t));
                    continue;
                }
                Piece::Value(how, value) => {
                    let hole = if how.is_empty() { "{}".to_owned() } else { format!("{{:{how}}}") };
                    (hole, value)
                }
            };
            let mut value = match value {
                Which::Next => {
                    next += 1;
                    positional.get(next - 1).cloned()
                }
                Which::Number(n) => positional.get(n).cloned(),
                Which::Name(name) => match named.iter().find(|(n, _)| *n == name) {
                    Some((_, e)) => Some(e.clone()),
                    None => {
                        let mut ident = format_text::variable(&name)?;
                        ident.set_span(text.span());
                        Some(syn::parse_quote!(#ident))
                    }
                },
            };
            let value = self.value(value.as_mut()?)?;
            message.push_str(&hole);
            values.push(value);
        }
        if values.len() > MAX_VALUES {
            let found =
                format!("this message shows {} values: on a device it can show {MAX_VALUES}", values.len());
            self.error(DiagCode::UnsupportedMacro, span, found, "leave some out");
            return None;
        }
        Some((message, values))
    }
}

/// The variables that a format string names.
pub fn named_in(format: &syn::LitStr) -> Vec<Ident> {
    let names = pieces(&format.value()).unwrap_or_default().into_iter().filter_map(|piece| match piece {
        Piece::Value(_, Which::Name(name)) => format_text::variable(&name).map(|mut name| {
            name.set_span(format.span());
            name
        }),
        _ => None,
    });
    names.collect()
}

/// A part of a format string.
enum Piece {
    Text(String),
    /// The text after the `:`, if there is any.
    Value(String, Which),
}

/// Which argument.
enum Which {
    Next,
    Number(usize),
    Name(String),
}

/// The parts of a format string with `{}`, `{:?}`, `{x:>8}`, `{0}`; `None` where it has others.
fn pieces(format: &str) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut text = String::new();
    let mut chars = format.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '{' | '}' if chars.peek() == Some(&c) => {
                chars.next();
                text.push(c);
            }
            '{' => {
                let inner: String = chars.by_ref().take_while(|c| *c != '}').collect();
                let (name, how) = inner.split_once(':').unwrap_or((&inner, ""));
                let (name, how) = (name.trim(), how.trim_end());
                Spec::parse(how)?;
                pieces.push(Piece::Text(std::mem::take(&mut text)));
                let which = if name.is_empty() {
                    Which::Next
                } else if let Ok(n) = name.parse() {
                    Which::Number(n)
                } else if format_text::variable(name).is_some() {
                    Which::Name(name.to_string())
                } else {
                    return None;
                };
                pieces.push(Piece::Value(how.to_owned(), which));
            }
            '}' => return None,
            c => text.push(c),
        }
    }
    pieces.push(Piece::Text(text));
    Some(pieces)
}
