//! `std::iter::zip(a, b)` as `a.iter().zip(b)`, a field that is iterated and is an `Option` as a chain over its value, `b"on"` in patterns
//! as a slice, what a loop maps inside of a `zip` as the first statements of its body, ranges of characters as chains over their numbers,
//! `const { … }` as a block, and `drop(x)` as a variable without a use, so that all other code handles one spelling.
use crate::iterate::loops::chain::{cuts, is_place};
use crate::iterate::loops::pattern::names as pattern_names;
use crate::iterate::tokens::{hidden, made, parentheses};
use crate::parse::tokens::file::SourceFile;
use crate::parse::tokens::leaves::mentions;
use crate::parse::tokens::source::is_word;
use crate::sema::syntax::forms::strip;
use crate::sema::syntax::{search, std_names};
use quote::{ToTokens, quote_spanned};
use syn::parse::Parser;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprCall, ExprForLoop, ExprIndex, ExprMethodCall, Pat, Path, Stmt};

/// Writes the calls of `zip` out, in all of what is visited.
pub struct Zips;

impl VisitMut for Zips {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        if let Some(part) = super::trims::trimmed(e) {
            *e = part;
        }
        visit_mut::visit_expr_mut(self, e);
        // (The user's own reference stands in parentheses there: it is one to a part, which methods and subscripts need none of.)
        if let Expr::MethodCall(ExprMethodCall { receiver: of, .. }) | Expr::Index(ExprIndex { expr: of, .. }) =
            e
            && let Expr::Reference(r) = &**of
            && matches!(&*r.expr, Expr::Index(x) if matches!(&*x.index, Expr::Range(_)))
        {
            *of = r.expr.clone();
        }
        match e {
            Expr::Call(c) => {
                if let Some(other) = written_out(c).or_else(|| dropped(c)) {
                    *e = other;
                }
            }
            Expr::Const(c) => {
                *e = Expr::Block(syn::ExprBlock { attrs: Vec::new(), label: None, block: c.block.clone() });
            }
            Expr::MethodCall(m) => {
                if let Some(flat) = flattened(m) {
                    *e = flat;
                    return;
                }
                if m.method == "zip" || m.method == "chain" {
                    m.args.iter_mut().for_each(flattened_alone);
                }
                if m.method != "contains" {
                    characters(&mut m.receiver);
                }
                of_option(e);
            }
            Expr::ForLoop(f) => {
                characters(&mut f.expr);
                flattened_alone(&mut f.expr);
                of_option(&mut f.expr);
            }
            _ => {}
        }
    }

    fn visit_stmt_mut(&mut self, s: &mut Stmt) {
        visit_mut::visit_stmt_mut(self, s);
        if let Stmt::Expr(e, Some(_)) = s
            && let Some(updates) = fold_of_itself(e)
        {
            *e = updates;
        }
    }

    fn visit_expr_for_loop_mut(&mut self, f: &mut ExprForLoop) {
        visit_mut::visit_expr_for_loop_mut(self, f);
        super::regrouped::in_pattern(f);
        maps_in_body(f);
    }

    fn visit_pat_mut(&mut self, pat: &mut Pat) {
        visit_mut::visit_pat_mut(self, pat);
        bytes(pat);
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// `p.near`, `p.near.iter()` and `p.near.into_iter()` of a field that the file declares as an `Option`, where it is iterated: a chain over
/// its value. (With a subscript in it, it would be evaluated where the chain's first item is.)
fn of_option(e: &mut Expr) {
    let (place, by_reference) = match &*e {
        Expr::MethodCall(m) if m.args.is_empty() && (m.method == "iter" || m.method == "into_iter") => {
            (&*m.receiver, m.method == "iter")
        }
        Expr::MethodCall(_) => return,
        Expr::Reference(r) if r.mutability.is_none() => (&*r.expr, true),
        place => (place, false),
    };
    if !super::declared::is_option_alone(place) {
        return;
    }
    let (span, option) = (place.span(), hidden(OF_OPTION, place.span()));
    // (What closures give stands in the loop: it may be a reference.)
    let reference = by_reference.then(|| quote_spanned!(span=> .map(|__omp_value| &__omp_value)));
    *e = made(quote_spanned!(span=> (0..1usize).filter_map(|#option| #place) #reference));
}

/// `'a'..='f'` of characters that a byte holds, as a chain over the bytes.
fn characters(e: &mut Expr) {
    let Expr::Range(r) = strip(e) else { return };
    let byte = |end: &Option<Box<Expr>>| match end.as_deref() {
        Some(Expr::Lit(syn::ExprLit { lit: syn::Lit::Char(c), .. })) => {
            u8::try_from(c.value()).ok().map(|byte| syn::LitByte::new(byte, c.span()))
        }
        _ => None,
    };
    let (Some(first), Some(last)) = (byte(&r.start), byte(&r.end)) else { return };
    let (limits, span) = (&r.limits, r.limits.span());
    let char = quote_spanned!(span=> ::omp::__private::core::primitive::char);
    *e = made(quote_spanned!(span=> (#first #limits #last).map(|__omp_byte| __omp_byte as #char)));
}

/// `m.as_flattened().iter()` as `m.iter().flatten()`.
fn flattened(m: &ExprMethodCall) -> Option<Expr> {
    let Expr::MethodCall(of) = strip(&m.receiver) else { return None };
    let (iter, array, span) = (&m.method, &of.receiver, m.method.span());
    let name = of.method.to_string();
    let flattens =
        (name == "as_flattened" && iter == "iter") || (name == "as_flattened_mut" && iter == "iter_mut");
    (flattens && m.args.is_empty() && of.args.is_empty())
        .then(|| made(quote_spanned!(span=> #array.#iter().flatten())))
}

/// `m.as_flattened()`, where it is iterated: its `iter`.
fn flattened_alone(e: &mut Expr) {
    if let Expr::MethodCall(of) = strip(e)
        && of.args.is_empty()
        && !SourceFile::of(of.method.span())
            .is_some_and(|file| *file.shows(|text| text.contains("fn as_flattened")))
        && let Some(iter) = match of.method.to_string().as_str() {
            "as_flattened" => Some("iter"),
            "as_flattened_mut" => Some("iter_mut"),
            _ => None,
        }
    {
        let (array, span) = (&of.receiver, of.method.span());
        let iter = proc_macro2::Ident::new(iter, span);
        *e = made(quote_spanned!(span=> #array.#iter().flatten()));
    }
}

/// `drop(x)`: `x` has no later use.
fn dropped(c: &ExprCall) -> Option<Expr> {
    let Expr::Path(p) = &*c.func else { return None };
    let names: Vec<String> = p.path.segments.iter().map(|s| s.ident.to_string()).collect();
    let is_drop = match names.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["std" | "core", "mem", "drop"] => true,
        ["mem", "drop"] => SourceFile::of(p.path.segments[0].ident.span())
            .is_some_and(|file| *file.shows(|text| text.contains("std::mem") && !text.contains("mod mem"))),
        ["drop"] => SourceFile::of(p.path.segments[0].ident.span())
            .is_some_and(|file| !*file.shows(names_something_drop)),
        _ => false,
    };
    let (true, Some(value), 1) = (is_drop, c.args.first(), c.args.len()) else { return None };
    Some(made(quote_spanned!(p.span()=> { let __omp_dropped = #value; })))
}

/// Whether a text has the name `drop` elsewhere than in calls of a function: as that of a function, a variable, or an import.
fn names_something_drop(text: &str) -> bool {
    text.match_indices("drop").any(|(at, name)| {
        let (before, after) = (&text[..at], &text[at + name.len()..]);
        let is_part = before.ends_with(is_word) || after.starts_with(is_word);
        !is_part && (before.ends_with("fn ") || !after.starts_with('('))
    })
}

/// The parameter of such a chain's closure.
const OF_OPTION: &str = "__omp_field_option";

/// Whether a chain has such a part.
pub(super) fn reads_option(chain: &Expr) -> bool {
    mentions(chain.to_token_stream(), OF_OPTION)
}

/// The pattern `b"on"` as `[b'o', b'n']`: the bytes are compared one by one.
pub fn bytes(pat: &mut Pat) {
    let Pat::Lit(syn::ExprLit { lit: syn::Lit::ByteStr(text), .. }) = &*pat else { return };
    let span = text.span();
    let bytes = text.value().into_iter().map(|byte| syn::LitByte::new(byte, span));
    let bytes = quote_spanned!(span=> [#(#bytes),*]);
    if let Ok(slice) = Pat::parse_single.parse2(bytes) {
        *pat = slice;
    }
}

/// `s = x.iter().fold(s, |m, v| m.max(*v));` as `for v in x.iter() { s = s.max(*v); }`, and `fold(s, u32::max)` likewise: updates of `s`.
fn fold_of_itself(e: &Expr) -> Option<Expr> {
    let Expr::Assign(a) = e else { return None };
    let (Expr::Path(p), Expr::MethodCall(m)) = (&*a.left, strip(&a.right)) else { return None };
    let (name, items) = (p.path.get_ident()?, &m.receiver);
    if m.method != "fold" || m.args.len() != 2 {
        return None;
    }
    let Expr::Path(first) = &m.args[0] else { return None };
    // A closure under a name may read the variable.
    let is_named = |e: &Expr| matches!(e, Expr::MethodCall(of) if of.args.iter().any(|arg| matches!(arg, Expr::Path(p) if p.path.get_ident().is_some())));
    if search::any(&**items, |e| {
        is_named(e) && !matches!(e, Expr::MethodCall(of) if of.method == "zip" || of.method == "chain")
    }) {
        return None;
    }
    if let Expr::Path(function) = &m.args[1] {
        let own = first.path.is_ident(name) && !mentions(items.to_token_stream(), &name.to_string());
        let span = m.method.span();
        let item = hidden("__omp_folded", span);
        return (own && function.path.segments.len() > 1)
            .then(|| made(quote_spanned!(span=> for #item in #items { #name = #function(#name, #item); })));
    }
    let Expr::Closure(c) = &m.args[1] else { return None };
    let (Pat::Ident(carried), 2) = (c.inputs.first()?, c.inputs.len()) else { return None };
    let (item, text) = (&c.inputs[1], name.to_string());
    // (A loop's pattern has no type.)
    if let Pat::Type(_) = item {
        return None;
    }
    let plain = carried.by_ref.is_none() && carried.mutability.is_none() && carried.subpat.is_none();
    // Nothing else in it has the name, and nothing in it leaves the closure.
    if !first.path.is_ident(name)
        || !plain
        || mentions(items.to_token_stream(), &text)
        || (carried.ident != *name && mentions(c.to_token_stream(), &text))
        || pattern_names(item).iter().any(|other| *other == carried.ident || other == name)
        || search::any(&*c.body, |e| {
            matches!(
                e,
                Expr::Return(_)
                    | Expr::Try(_)
                    | Expr::Block(_)
                    | Expr::Closure(_)
                    | Expr::Let(_)
                    | Expr::Match(_)
            )
        })
    {
        return None;
    }
    let names = [(carried.ident.to_string(), name.to_token_stream())].into();
    let value = super::closure::substituted(c.body.to_token_stream(), &names);
    Some(made(quote_spanned!(m.method.span()=> for #item in #items { #name = #value; })))
}

/// Applies [`Zips`] to the head of a loop, and to its body.
pub fn zips_in_head(f: &mut ExprForLoop) {
    Zips.visit_expr_mut(&mut f.expr);
    super::regrouped::in_pattern(f);
    maps_in_body(f);
}

/// `for (a, b) in x.iter().zip(y.iter().map(|v| 2.0 * v))` as `for (a, v) in x.iter().zip(y.iter()) { let b = 2.0 * v; … }`, unless a name
/// would mean something else there.
fn maps_in_body(f: &mut ExprForLoop) {
    let mut counted = f.clone();
    let mut maps = Vec::new();
    without_maps(&mut counted.pat, &mut counted.expr, false, &mut maps);
    if maps.is_empty() {
        return;
    }
    let names = |pat: &Pat| pattern_names(pat).iter().map(ToString::to_string).collect::<Vec<_>>();
    let mut bound = names(&counted.pat);
    let all = bound.len();
    bound.sort();
    bound.dedup();
    if bound.len() != all {
        return;
    }
    bound.extend(maps.iter().flat_map(|m| names(&m.pat)));
    // Items of the body are in scope in all of it.
    bound.extend(f.body.stmts.iter().filter_map(|s| match s {
        Stmt::Item(syn::Item::Const(item)) => Some(item.ident.to_string()),
        Stmt::Item(syn::Item::Static(item)) => Some(item.ident.to_string()),
        Stmt::Item(syn::Item::Fn(item)) => Some(item.sig.ident.to_string()),
        _ => None,
    }));
    for (at, m) in maps.iter().enumerate() {
        let mut own = names(&m.param);
        // (A `let` before it may hide the parameter.)
        let before = &maps[..at - usize::from(m.chained)];
        own.retain(|name| !before.iter().any(|before| names(&before.pat).contains(name)));
        let foreign = |name: &&String| !own.contains(name) && mentions(m.value.to_token_stream(), name);
        if bound.iter().any(|name| foreign(&name)) {
            return;
        }
    }
    let lets =
        maps.into_iter().map(|Mapped { pat, value, .. }| -> Stmt { syn::parse_quote!(let #pat = #value;) });
    counted.body.stmts.splice(0..0, lets);
    *f = counted;
}

/// The value that `.map(|param| value)` gives the pattern of a loop.
struct Mapped {
    pat: Pat,
    param: Pat,
    value: Expr,
    /// Its parameter is the value of the one before it.
    chained: bool,
}

fn without_maps(pat: &mut Pat, e: &mut Expr, in_zip: bool, maps: &mut Vec<Mapped>) {
    let e = match e {
        Expr::Paren(p) => &mut *p.expr,
        e => e,
    };
    let Expr::MethodCall(m) = &mut *e else { return };
    match (m.method.to_string().as_str(), m.args.len()) {
        ("enumerate", 0) => {
            if let Some([_, item]) = pair(pat) {
                without_maps(item, &mut m.receiver, in_zip, maps);
            }
        }
        ("zip", 1) => {
            if let Some([first, second]) = pair(pat) {
                without_maps(first, &mut m.receiver, true, maps);
                without_maps(second, &mut m.args[0], true, maps);
            }
        }
        ("map", 1) if in_zip => {
            let Some((param, value)) = mapped(&m.args[0], maps.len()) else { return };
            let receiver = (*m.receiver).clone();
            let of = std::mem::replace(pat, param.clone());
            *e = receiver;
            let before = maps.len();
            without_maps(pat, e, true, maps);
            let chained = maps.last().is_some_and(|last| maps.len() > before && last.pat == param);
            maps.push(Mapped { pat: of, param, value, chained });
        }
        _ => {}
    }
}

/// The parameter and the value of a closure, or of a constructor: `.map(Some)`.
fn mapped(f: &Expr, n: usize) -> Option<(Pat, Expr)> {
    let c = match f {
        Expr::Closure(c) => c,
        Expr::Path(p)
            if p.path
                .segments
                .last()
                .is_some_and(|s| s.ident.to_string().starts_with(char::is_uppercase)) =>
        {
            let (span, item) = (f.span(), hidden(&format!("__omp_mapped{n}"), f.span()));
            return Some((syn::parse_quote!(#item), made(quote_spanned!(span=> #f(#item)))));
        }
        _ => return None,
    };
    // The type of a parameter may decide that of an item. A `move` closure has copies. What the closure changes, it changes once
    // more than the loop has iterations, if the other side ends first.
    let plain = c.inputs.len() == 1
        && matches!(c.output, syn::ReturnType::Default)
        && c.capture.is_none()
        && !matches!(c.inputs[0], Pat::Type(_));
    let stays = |e: &Expr| match e {
        Expr::Return(_) | Expr::Try(_) | Expr::Assign(_) | Expr::Macro(_) => false,
        Expr::Binary(b) => !crate::sema::reduction::updates::is_assignment(&b.op),
        _ => true,
    };
    (plain && !search::any(&*c.body, |e| !stays(e))).then(|| (c.inputs[0].clone(), (*c.body).clone()))
}

/// The two patterns of a pair.
pub(super) fn pair(pat: &mut Pat) -> Option<[&mut Pat; 2]> {
    let Pat::Tuple(t) = pat else { return None };
    let mut parts = t.elems.iter_mut();
    match (parts.next(), parts.next(), parts.next()) {
        (Some(first), Some(second), None) => Some([first, second]),
        _ => None,
    }
}

fn written_out(c: &ExprCall) -> Option<Expr> {
    let Expr::Path(p) = &*c.func else { return None };
    let (2, None, true) = (c.args.len(), &p.qself, is_zip(&p.path)) else { return None };
    let (first, other, span) = (strip(&c.args[0]), &c.args[1], p.path.segments.last()?.ident.span());
    let items = match first {
        Expr::Reference(r) => {
            let method = if r.mutability.is_some() { "iter_mut" } else { "iter" };
            let (method, of) = (proc_macro2::Ident::new(method, span), &r.expr);
            let of = if is_place(of) { of.to_token_stream() } else { parentheses(of.to_token_stream()) };
            quote_spanned!(span=> #of.#method())
        }
        Expr::Range(_) => parentheses(first.to_token_stream()),
        Expr::MethodCall(m) if gives_items(m) => first.to_token_stream(),
        _ => quote_spanned!(span=> #first.into_iter()),
    };
    Some(made(quote_spanned!(span=> #items.zip(#other))))
}

/// Whether a method gives an iterator by its name.
fn gives_items(m: &ExprMethodCall) -> bool {
    let name = m.method.to_string();
    matches!(name.as_str(), "iter" | "iter_mut" | "into_iter" | "cycle" | "fuse")
        || cuts(&m.method)
        || crate::iterate::is_adaptor(&name, m.args.len())
}

/// Whether a path is std's `zip`. A name alone is, if the file imports it from std and has no other.
fn is_zip(path: &Path) -> bool {
    let names: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
    match names.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["std" | "core", "iter", "zip"] | ["iter", "zip"] => true,
        ["zip"] => SourceFile::of(path.segments[0].ident.span())
            .is_some_and(|file| *file.shows(|text| std_names::imports_function(text, "iter", "zip"))),
        _ => false,
    }
}
