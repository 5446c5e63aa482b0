//! Finds the names that are declared to hold `Option`s: an element or a field may be an array or an `Option`, and both have a
//! `map`. Declarations of the source file decide, and calls: `spare: Option<f64>`, `cols: &[Option<u32>]`, `let hits = vec![None; n]`,
//! `row[i].is_some()`. If one name is declared in both ways and is read wrongly, rustc refuses the types of the result.
use crate::iterate::loops::chain::is_variable_or_field;
use crate::parse::primitives::is_primitive;
use crate::parse::tokens::file::SourceFile;
use crate::parse::tokens::outline::Outline;
use crate::parse::tokens::source::first_word;
use crate::sema::syntax::forms::{is_variant, strip};
use proc_macro2::{TokenStream, TokenTree};
use std::collections::{HashMap, HashSet};
use syn::{Expr, Ident, Member};

/// The tokens that may be between a name's colon and the `Option`s or arrays that it holds.
const AROUND: [&str; 7] = ["&", "mut", "[", "Vec<", "Box<", "std::option::", "core::option::"];

/// Whether a place is an `Option`, judged by the declarations of its name.
pub(in crate::iterate) fn is_option(place: &Expr) -> bool {
    match strip(place) {
        Expr::Index(x) => is_option(&x.expr),
        Expr::Unary(u) => is_option(&u.expr),
        Expr::Path(p) => p.path.get_ident().is_some_and(holds_options),
        Expr::Field(f) => matches!(&f.member, Member::Named(name) if holds_options(name)),
        _ => false,
    }
}

/// Whether a value is an `Option`, judged by its tokens and declarations.
pub(super) fn gives_option(e: &Expr) -> bool {
    let last = |b: &syn::Block| matches!(b.stmts.last(), Some(syn::Stmt::Expr(e, None)) if gives_option(e));
    match e {
        Expr::Paren(p) => gives_option(&p.expr),
        Expr::Group(g) => gives_option(&g.expr),
        Expr::Block(b) => last(&b.block),
        Expr::If(i) => last(&i.then_branch) || i.else_branch.as_ref().is_some_and(|(_, e)| gives_option(e)),
        Expr::Match(m) => m.arms.iter().any(|arm| gives_option(&arm.body)),
        Expr::Path(p) => is_variant(&p.path, "None"),
        Expr::Call(c) => matches!(&*c.func, Expr::Path(p) if is_variant(&p.path, "Some")
            || p.path.segments.last().is_some_and(|s| returns(&s.ident, Returned::Option))),
        Expr::MethodCall(m) => {
            let name = m.method.to_string();
            matches!(name.as_str(), "then" | "then_some" | "and_then") && m.args.len() == 1
                || name.starts_with("checked_")
                || returns(&m.method, Returned::Option)
        }
        _ => false,
    }
}

/// Whether a place is a field whose name the file declares as an `Option`, whatever else has that name.
pub(super) fn is_option_field(place: &Expr) -> bool {
    let Expr::Field(f) = strip(place) else { return false };
    let Member::Named(name) = &f.member else { return false };
    let declared = format!("{name}: Option<");
    SourceFile::of(name.span()).is_some_and(|file| {
        file.text.match_indices(&declared).any(|(at, _)| !file.text[..at].ends_with(part_of_word))
    })
}

/// Whether a place is a field of variables, without subscripts, whose name the file declares as an `Option` and never as an array.
pub(in crate::iterate) fn is_option_alone(place: &Expr) -> bool {
    let Expr::Field(f) = place else { return false };
    let Member::Named(name) = &f.member else { return false };
    is_variable_or_field(&f.base)
        && is_option_field(place)
        && SourceFile::of(name.span()).is_some_and(|file| {
            let declared = format!("{name}:");
            let arrays = ["[", "Vec<", "vec!", "&", "Box<["];
            !file.text.match_indices(&declared).any(|(at, _)| {
                let ty = file.text[at + declared.len()..].trim_start();
                !file.text[..at].ends_with(part_of_word) && arrays.iter().any(|array| ty.starts_with(array))
            })
        })
}

fn part_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Whether the first value of a tuple struct or a variant is an array, as the file shows: `struct Su2([f64; 4])`, `In([i32; 4])`.
pub(in crate::iterate) fn holds_array(name: &Ident) -> bool {
    SourceFile::of(name.span()).is_some_and(|file| file.shows(of_arrays).contains(&name.to_string()))
}

/// Whether a field of a struct or of a variant, named by its path, is an array, as the file shows.
pub(in crate::iterate) fn is_array_field(of: &syn::Path, field: &Member) -> bool {
    let Member::Named(field) = field else { return false };
    let mut names = of.segments.iter().rev().map(|s| &s.ident);
    let Some(last) = names.next() else { return false };
    let Some(file) = SourceFile::of(last.span()) else { return false };
    // `Kind::Solid { axis }`, `Body { axis }`
    let (of, variant) = match names.next().filter(|first| first.to_string().starts_with(char::is_uppercase)) {
        Some(of) => (of, Some(last)),
        None => (last, None),
    };
    let is_array = |fields: &syn::Fields| {
        fields.iter().any(|f| f.ident.as_ref() == Some(field) && matches!(f.ty, syn::Type::Array(_)))
    };
    let types = file.shows(Outline::of).types(&file.text, &of.to_string());
    let mut found = types.iter().filter_map(|item| match (item, variant) {
        (syn::Item::Struct(s), None) if s.ident == *of => Some(is_array(&s.fields)),
        (syn::Item::Enum(e), Some(variant)) if e.ident == *of => {
            e.variants.iter().find(|v| v.ident == *variant).map(|v| is_array(&v.fields))
        }
        _ => None,
    });
    found.next() == Some(true) && found.all(|other| other)
}

/// The names of tuple structs and variants of arrays: what stands behind each is an array, or a variable.
fn of_arrays(text: &str) -> HashSet<String> {
    let (mut arrays, mut others) = (HashSet::new(), HashSet::new());
    for (at, _) in text.match_indices('(') {
        let start = text[..at].trim_end_matches(|c: char| c.is_alphanumeric() || c == '_').len();
        let (name, first) = (&text[start..at], text[at + 1..].trim_start());
        if !name.starts_with(char::is_uppercase) || ["Some", "Ok", "Err"].contains(&name) {
            continue;
        }
        let word: String = first.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        let variable =
            first.starts_with(|c: char| c.is_lowercase() || "_&*.".contains(c)) && !is_primitive(&word);
        if first.starts_with('[') {
            arrays.insert(name.to_owned());
        } else if !variable {
            others.insert(name.to_owned());
        }
    }
    arrays.retain(|name| !others.contains(name));
    arrays
}

/// Whether the function of a name is declared to return an array of `Option`s.
pub(super) fn returns_options(name: &Ident) -> bool {
    returns(name, Returned::Array)
}

/// Whether the function of a name is declared to return an `Option`.
pub(super) fn returns_option(name: &Ident) -> bool {
    returns(name, Returned::Option)
}

/// Whether the function of a name is declared to return a `Result`.
pub(super) fn returns_result(name: &Ident) -> bool {
    returns(name, Returned::Result)
}

/// Whether what a path names stands in this file, by the types that have an `impl` there and the modules that are there. (Another
/// file's function may have the name of one here.)
pub(super) fn is_of_file(path: &syn::Path) -> bool {
    let before = path.segments.iter().rev().skip(1).map(|s| &s.ident);
    before.into_iter().all(|name| {
        let own = name == "self" || name == "super" || name == "Self";
        own || SourceFile::of(name.span())
            .is_some_and(|file| file.shows(containers).contains(&name.to_string()))
    })
}

/// The types that have an `impl` in a text, and the modules that stand in it.
fn containers(text: &str) -> HashSet<String> {
    let words = |text: &str| -> Vec<String> {
        let word = |w: &str| (!w.is_empty()).then(|| w.to_owned());
        text.split(|c: char| !c.is_alphanumeric() && c != '_').filter_map(word).collect()
    };
    let heads = |keyword: &'static str| {
        text.match_indices(keyword).filter_map(move |(at, _)| {
            let starts = !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
            let (head, end) = text[at + keyword.len()..]
                .split_once(['{', ';'])
                .map(|(head, _)| (head, text[at + keyword.len() + head.len()..].starts_with('{')))?;
            (starts && end).then_some(head)
        })
    };
    // (Of `impl<T: Bound> Trait for Type<T>` all words count.)
    heads("impl").flat_map(words).chain(heads("mod ").flat_map(words)).collect()
}

/// Whether the function of a name is declared to return a range.
pub fn returns_range(name: &Ident) -> bool {
    returns(name, Returned::Range)
}

/// Whether a function's result is an `Option` or a `Result`: by its type, or by what the file says of the type's name.
pub(in crate::iterate) fn is_returned(sig: &syn::Signature, what: Returned) -> bool {
    matches!(&sig.output, syn::ReturnType::Type(_, ty) if is_type(ty, what))
}

/// Whether a type is an `Option` or a `Result`, or what the file says of its name.
pub(super) fn is_type(ty: &syn::Type, what: Returned) -> bool {
    let syn::Type::Path(p) = ty else { return false };
    let Some(name) = p.path.segments.last().map(|s| &s.ident) else { return false };
    let named = match what {
        Returned::Option => name == "Option",
        // (An alias of another file's is called so, too.)
        Returned::Result => name.to_string().ends_with("Result"),
        Returned::Range | Returned::Array => false,
    };
    let of_file = || Some(*SourceFile::of(name.span())?.shows(aliases).get(&name.to_string())? == what);
    named || of_file().unwrap_or(false)
}

/// The names of a text that stand for options and results: `type Step = Option<u32>;`.
fn aliases(text: &str) -> HashMap<String, Returned> {
    let alias = |rest: &str| {
        let (head, ty) = rest.split_once('=')?;
        let ty = ty.trim_start();
        let of_std = ["std::result::", "core::result::", "std::option::", "core::option::"];
        let ty = of_std.iter().find_map(|path| ty.strip_prefix(path)).unwrap_or(ty);
        let what = [("Option<", Returned::Option), ("Result<", Returned::Result)];
        let (_, what) = what.into_iter().find(|(of, _)| ty.starts_with(of))?;
        let name = first_word(head.trim_start());
        (!head.contains([';', '{'])).then_some((name, what))
    };
    ["\ntype ", " type "].iter().flat_map(|key| text.split(key).skip(1)).filter_map(alias).collect()
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::iterate) enum Returned {
    Range,
    Option,
    Array,
    Result,
}

fn returns(name: &Ident, what: Returned) -> bool {
    SourceFile::of(name.span()).is_some_and(|file| file.shows(returned).contains(&(name.to_string(), what)))
}

/// The functions of a text that return options, arrays of them, results or ranges, if all of the name do.
fn returned(text: &str) -> HashSet<(String, Returned)> {
    let named = aliases(text);
    let heads = text.split("fn ").skip(1).filter_map(|rest| {
        let end = rest.find(['{', ';']).unwrap_or(rest.len());
        // (A `;` stands in `[T; 2]` as well.)
        let (_, result) =
            rest.split_once("->").filter(|(head, _)| head.len() < end || !head.contains('{'))?;
        let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        let result = result.trim_start();
        let of_std = result.strip_prefix("std::").or_else(|| result.strip_prefix("core::")).unwrap_or(result);
        let of_ops = of_std.strip_prefix("ops::").unwrap_or(of_std);
        let what = if result.starts_with("Option<") {
            Some(Returned::Option)
        } else if result.starts_with("Result<") {
            Some(Returned::Result)
        } else if ["Range<", "RangeInclusive<"].iter().any(|name| of_ops.starts_with(name)) {
            Some(Returned::Range)
        } else {
            let array = result.strip_prefix('[').filter(|of| of.starts_with("Option<"));
            array.map(|_| Returned::Array).or_else(|| named.get(&first_word(result)).copied())
        };
        Some((name, what))
    });
    let heads: Vec<(String, Option<Returned>)> = heads.collect();
    let alone =
        |name: &String, what: Returned| heads.iter().all(|(other, of)| other != name || *of == Some(what));
    heads
        .iter()
        .filter_map(|(name, what)| what.filter(|what| alone(name, *what)).map(|what| (name.clone(), what)))
        .collect()
}

/// The ends of a const of the file that is a range of numbers, `const DATE: Range<usize> = 0..10;`, if only one has the name, and whether
/// the last one is in it.
pub(in crate::iterate) fn const_range(name: &Ident) -> Option<(Expr, Expr, bool)> {
    let ends = SourceFile::of(name.span())?.shows(const_ranges).get(&name.to_string()).cloned()??;
    let end = |text: &str| {
        let tokens: TokenStream = text.parse().ok()?;
        let at_the_name = |token: TokenTree| {
            let mut token = token;
            token.set_span(name.span());
            token
        };
        let end: TokenStream = tokens.into_iter().map(at_the_name).collect();
        let ty = Ident::new(&ends.ty, name.span());
        let ty = quote::quote_spanned!(name.span()=> ::omp::__private::core::primitive::#ty);
        Some(crate::iterate::tokens::made(quote::quote_spanned!(name.span()=> ((#end) as #ty))))
    };
    Some((end(&ends.lo)?, end(&ends.hi)?, ends.inclusive))
}

/// The ends of a range, as a text shows them.
#[derive(Clone)]
struct ConstRange {
    ty: String,
    lo: String,
    hi: String,
    inclusive: bool,
}

/// By the name of a const that is a range with ends of numbers and names: the ends; `None` if there are several of the name.
fn const_ranges(text: &str) -> HashMap<String, Option<ConstRange>> {
    let mut found = HashMap::new();
    for rest in text.split("const ").skip(1) {
        let range = || {
            let (name, rest) = rest.split_once(':')?;
            let (ty, rest) = rest.split_once('=')?;
            let (ends, _) = rest.split_once(';')?;
            let ty = ty.rsplit("::").next()?.split_whitespace().collect::<String>();
            let (sign, of) = match ty.strip_prefix("Range<") {
                Some(of) => ("..", of),
                None => ("..=", ty.strip_prefix("RangeInclusive<")?),
            };
            let ty = of.strip_suffix('>').filter(|of| is_primitive(of) && *of != "bool" && *of != "char")?;
            let plain = |c: char| c.is_ascii_alphanumeric() || " _+-*.=\n".contains(c);
            let (lo, hi) = ends.split_once(sign).filter(|_| ends.chars().all(plain))?;
            let whole =
                !hi.contains("..") && ![lo, hi].iter().any(|end| end.trim().is_empty() || end.contains('='));
            let (lo, hi, ty) = (lo.to_owned(), hi.to_owned(), ty.to_owned());
            whole.then(|| (name.trim().to_owned(), ConstRange { ty, lo, hi, inclusive: sign == "..=" }))
        };
        let name = || rest.split_once(':').map(|(name, _)| name.trim().to_owned());
        match (range(), name()) {
            (Some((name, ends)), _) => {
                let known = found.contains_key(&name);
                found.insert(name, Some(ends).filter(|_| !known));
            }
            (None, Some(name)) => drop(found.insert(name, None)),
            (None, None) => {}
        }
    }
    found
}

fn holds_options(name: &Ident) -> bool {
    SourceFile::of(name.span()).is_some_and(|file| file.shows(of_text).contains(&name.to_string()))
}

/// Whether a place is a `Result`, or an element of an array of some, as the file declares its name.
pub(in crate::iterate) fn is_result(e: &Expr) -> bool {
    let name = match strip(e) {
        Expr::Index(x) => return !matches!(&*x.index, Expr::Range(_)) && is_result(&x.expr),
        Expr::Path(p) => p.path.get_ident(),
        Expr::Field(f) => match &f.member {
            Member::Named(name) => Some(name),
            Member::Unnamed(_) => None,
        },
        _ => None,
    };
    let shows = |name: &Ident| Some(SourceFile::of(name.span())?.shows(results).contains(&name.to_string()));
    name.and_then(shows).unwrap_or(false)
}

/// How many arrays are around the `Option`s that a name is declared to hold: the bits of a number, as declarations may differ.
pub(super) fn arrays_of_options(name: &Ident) -> Option<u32> {
    let known = SourceFile::of(name.span())?.shows(depths).get(&name.to_string()).copied();
    known.filter(|_| holds_options(name))
}

/// By the name: how many arrays are around its `Option`s, a bit for each number.
fn depths(text: &str) -> HashMap<String, u32> {
    let mut found = HashMap::new();
    let mut add = |name: Option<String>, around: &str| {
        let depth = around.matches('[').count() + around.matches("Vec<").count();
        if let Some(name) = name {
            *found.entry(name).or_insert(0) |= 1u32 << depth.min(31);
        }
    };
    for (at, _) in text.match_indices("Option<") {
        let before = without(&text[..at], &AROUND);
        add(before.strip_suffix(':').and_then(name_before), &text[before.len()..at]);
    }
    for (at, _) in ["None", "Some("].iter().flat_map(|word| text.match_indices(word)) {
        let before = without(&text[..at], &["vec!", "["]);
        add(before.strip_suffix('=').and_then(name_before), &text[before.len()..at]);
    }
    found
}

fn of_text(text: &str) -> HashSet<String> {
    named(text, &["Option<"], &["None", "Some("], &["].is_some", "].is_none"])
}

fn results(text: &str) -> HashSet<String> {
    named(text, &["Result<"], &["Ok(", "Err("], &["].is_ok", "].is_err"])
}

/// The names that a text declares with one of these types or values, and not as those of arrays of something else.
fn named(
    text: &str,
    types: &'static [&str],
    values: &'static [&str],
    tests: &'static [&str],
) -> HashSet<String> {
    let typed = |at: usize| name_before(without(&text[..at], &AROUND).strip_suffix(':')?);
    let made = |at: usize| name_before(without(&text[..at], &["vec!", "["]).strip_suffix('=')?);
    let at =
        |words: &'static [&str]| words.iter().flat_map(|word| text.match_indices(word)).map(|(at, _)| at);
    // `x[i].is_some()`
    let tested = |end: usize| {
        let mut open = 0;
        let start = text[..=end].char_indices().rev().find(|&(_, c)| {
            open += i32::from(c == ']') - i32::from(c == '[');
            open == 0
        });
        name_before(&text[..start?.0])
    };
    let options = at(types).filter_map(typed).chain(at(values).filter_map(made));
    let options = options.chain(at(tests).filter_map(tested));
    let others: HashSet<String> = text
        .match_indices('[')
        .filter(|(at, _)| {
            let of = text[at + 1..].trim_start_matches(['[', ' ']);
            let of = ["std::", "core::", "option::", "result::"]
                .iter()
                .fold(of, |of, module| of.strip_prefix(module).unwrap_or(of));
            !types.iter().chain(values).any(|o| of.starts_with(o))
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
    let start = text.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_').len();
    (start < text.len()).then(|| text[start..].to_owned())
}

#[cfg(test)]
mod tests {
    #[test]
    fn functions_that_return_options_are_found() {
        use super::Returned;
        let found = super::returned(
            "fn a(x: [f32; 2]) -> Option<f32> { x } fn b() -> [Option<u8>; 2] { [None; 2] } fn c() {} fn d() -> u8;
             fn e() -> Option<u8> {} fn e() -> u8 {} fn f<T>(x: T) -> Option<T> where T: Copy { None }",
        );
        let mut found: Vec<_> =
            found.into_iter().map(|(name, what)| (name, what == Returned::Array)).collect();
        found.sort();
        let wanted = [("a", false), ("b", true), ("f", false)];
        assert_eq!(found, wanted.map(|(name, array)| (name.to_owned(), array)));
    }

    #[test]
    fn tuple_structs_of_arrays_are_found() {
        let text =
            "struct Su2([f64; 4]); enum P { Eq(i32), In([i32; 4]), At(usize) }
            enum Q { Of([u8; 2]) } enum R { Of(Option<u8>) } fn f() { g([1]); Some([2]); W([1]); W(2.0); let Su2(x) = s; }";
        let mut names: Vec<_> = super::of_arrays(text).into_iter().collect();
        names.sort();
        assert_eq!(names, ["In", "Su2"]);
    }

    #[test]
    fn arrays_around_options_are_counted() {
        let depths = super::depths(
            "static A: [[Option<u8>; 2]; 4] = [[None; 2]; 4]; struct S { b: Vec<Option<f32>>, c: Option<u8>, d: &mut [Vec<Option<u8>>] }
             fn f(e: &[Option<u8>], e: Option<u8>) { let g = vec![None; 3]; }",
        );
        let mut depths: Vec<_> = depths.iter().map(|(name, depth)| (name.as_str(), *depth)).collect();
        depths.sort();
        let wanted = [("A", 4), ("b", 2), ("c", 1), ("d", 4), ("e", 3), ("g", 2)];
        assert_eq!(depths, wanted);
    }

    #[test]
    fn declarations_of_options_are_found() {
        let names = super::of_text(
            "struct S { a: Option<u8>, b: Vec<Option<f32>>, c: [u8; 2], d : &mut [Option<[u8; 2]>] }
             fn f(h: &Option<u8>, h: [f32; 3]) -> Option<u8> { let mut e = vec![None; 3]; let g = [[Some(1); 2]; 2]; x::<Option<u8>>(e); r[i[2]].is_some() && c[0].is_none() }",
        );
        let mut names: Vec<_> = names.into_iter().collect();
        names.sort();
        assert_eq!(names, ["a", "b", "d", "e", "g", "r"]);
    }
}
