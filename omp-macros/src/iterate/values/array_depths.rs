//! How deep arrays are, by the declarations of their names in the source file: `tris: Vec<[u32; 3]>` has two depths, so `tris[t]` is an array.
//! Of a name that the file declares several times, the least depth counts.
use crate::parse::primitives::is_primitive;
use crate::parse::tokens::file::SourceFile;
use crate::sema::syntax::forms::strip;
use std::collections::HashMap;
use syn::{Expr, Member};

/// Whether an element or a field is an array.
pub(in crate::iterate) fn is_array(place: &Expr) -> bool {
    match strip(place) {
        Expr::Index(_) | Expr::Field(_) => is_deeper(place, 0),
        _ => false,
    }
}

/// Whether a variable is a reference to an element that is an array: `let row = &rows[j];`.
pub(in crate::iterate) fn is_row(name: &Expr) -> bool {
    let Expr::Path(p) = name else { return false };
    let shows = |name: &syn::Ident| {
        SourceFile::of(name.span())?.shows(rows).get(&name.to_string()).map(|depth| *depth > 0)
    };
    p.path.get_ident().and_then(shows) == Some(true)
}

/// Whether the source file has a method of one of these names, which a type of its own may have.
pub(in crate::iterate) fn has_own_get(name: &syn::Ident) -> bool {
    let own = |text: &str| ["fn get(", "fn first(", "fn last("].iter().any(|own| text.contains(own));
    SourceFile::of(name.span()).is_none_or(|file| *file.shows(own))
}

/// Whether a place has more depths than so many.
fn is_deeper(place: &Expr, than: usize) -> bool {
    let (name, is_variable) = match strip(place) {
        Expr::Index(x) if !matches!(strip(&x.index), Expr::Range(_) | Expr::Tuple(_)) => {
            return is_deeper(&x.expr, than + 1);
        }
        Expr::Field(f) => match &f.member {
            Member::Named(name) => (name, false),
            Member::Unnamed(_) => return false,
        },
        Expr::Path(p) => match p.path.get_ident() {
            Some(name) => (name, true),
            None => return false,
        },
        _ => return false,
    };
    let Some(file) = SourceFile::of(name.span()) else { return false };
    let (at, word) = (name.span().start(), name.to_string());
    let own = function_before(&file.text, at.line, at.column).filter(|_| is_variable);
    // A variable is declared in its function, whatever other functions declare.
    let here = own.and_then(|text| declared(text, &file.shows(aliases)).0.get(&word).copied());
    let fields = || if is_variable { None } else { file.shows(depths_of_fields).get(&word).copied() };
    here.or_else(fields).or_else(|| file.shows(depths).get(&word).copied()).is_some_and(|depth| depth > than)
}

/// The depths of the fields of structs.
fn depths_of_fields(text: &str) -> HashMap<String, usize> {
    let (aliases, mut found) = (aliases(text), HashMap::new());
    for rest in text.split("struct ").skip(1) {
        let Some(open) = rest.find(['{', ';', '(']).filter(|at| rest[*at..].starts_with('{')) else {
            continue;
        };
        let end = rest.find('}').unwrap_or(rest.len());
        for (name, depth) in declared(&rest[open..end.max(open)], &aliases).0 {
            let known = found.entry(name).or_insert(depth);
            *known = depth.min(*known);
        }
    }
    found
}

/// The text of a function from its `fn` to a line (from 1) and a column in it.
fn function_before(text: &str, line: usize, column: usize) -> Option<&str> {
    let start: usize = text.split_inclusive('\n').take(line.checked_sub(1)?).map(str::len).sum();
    let end = start + text[start..].char_indices().nth(column).map_or(0, |(at, _)| at);
    let mut functions =
        text[..end].rmatch_indices("fn ").filter(|(at, _)| !text[..*at].ends_with(is_of_word));
    // (Its body ends after the place.)
    let is_around = |at: usize| {
        let body = text[at..end].find('{').map_or("", |body| &text[at + body..end]);
        let mut open = 0isize;
        let mut depths = body.chars().filter(|c| matches!(c, '{' | '}')).map(|c| {
            open += if c == '{' { 1 } else { -1 };
            open
        });
        !body.is_empty() && depths.all(|depth| depth > 0)
    };
    functions.find(|(at, _)| is_around(*at)).map(|(at, _)| &text[at..end])
}

/// Whether an element has elements, by the subscripts of its array in the source file.
pub(in crate::iterate) fn is_subscripted(e: &Expr) -> bool {
    let (mut e, mut depth) = (strip(e), 0);
    while let Expr::Index(x) = e {
        (e, depth) = (strip(&x.expr), depth + 1);
    }
    let Expr::Path(p) = e else { return false };
    let shows = |name: &syn::Ident| {
        SourceFile::of(name.span())?.shows(subscripts).get(&name.to_string()).map(|known| *known > depth)
    };
    p.path.get_ident().and_then(shows) == Some(true)
}

/// How many subscripts stand behind names, at most: of `rows[j][i]`, each row has elements.
fn subscripts(text: &str) -> HashMap<String, usize> {
    let mut found: HashMap<String, usize> = HashMap::new();
    for (at, _) in text.match_indices('[') {
        let Some(name) = name_before(&text[..at]).filter(|name| text[..at].ends_with(name)) else { continue };
        let (mut rest, mut count) = (&text[at..], 0);
        while let Some(end) = rest.strip_prefix('[').and_then(closing) {
            count += usize::from(!rest[1..=end].contains(".."));
            rest = &rest[end + 2..];
        }
        let known = found.entry(name.to_owned()).or_insert(count);
        *known = count.max(*known);
    }
    found
}

/// Where the bracket before a text is closed.
fn closing(text: &str) -> Option<usize> {
    let mut open = 1usize;
    let end = text.char_indices().find(|(_, c)| {
        match c {
            '[' => open += 1,
            ']' => open -= 1,
            _ => {}
        }
        open == 0
    });
    end.map(|(at, _)| at)
}

/// The depths of the names that a text declares: fields, parameters and variables with their types, and variables with literals.
fn depths(text: &str) -> HashMap<String, usize> {
    declared(text, &aliases(text)).0
}

/// The depths of variables that refer to elements, by those of the arrays.
fn rows(text: &str) -> HashMap<String, usize> {
    let (depths, elements) = declared(text, &aliases(text));
    let mut found: HashMap<String, usize> = HashMap::new();
    for (name, (array, subscripts)) in elements {
        let depth = depths.get(array).map_or(0, |depth| depth.saturating_sub(subscripts));
        let known = found.entry(name.to_owned()).or_insert(depth);
        *known = depth.min(*known);
    }
    // (Of a name with other declarations, too, nothing is known.)
    found.retain(|name, _| !depths.contains_key(name));
    found
}

/// A variable, and the array of whose element it is a reference to with the number of subscripts.
type Element<'t> = (&'t str, (&'t str, usize));

/// The types that have a name; none of a name that the file gives to several.
type Aliases = HashMap<String, Option<String>>;

fn aliases(text: &str) -> Aliases {
    let mut aliases = Aliases::new();
    for rest in text.split("type ").skip(1) {
        if let Some((name, ty)) = rest.split_once(';').and_then(|(alias, _)| alias.split_once('=')) {
            let again = aliases.contains_key(name.trim());
            aliases.insert(name.trim().to_owned(), (!again).then(|| ty.trim_start().to_owned()));
        }
    }
    aliases
}

/// The depths that declarations show, and the variables that refer to elements.
fn declared<'t>(text: &'t str, aliases: &Aliases) -> (HashMap<String, usize>, Vec<Element<'t>>) {
    let mut found: HashMap<String, usize> = HashMap::new();
    let mut elements = Vec::new();
    for (at, sign) in text.match_indices([':', '=']) {
        let (before, after) = (&text[..at], text[at + 1..].trim_start());
        let longer = before.ends_with(':') || text[at + 1..].starts_with([':', '=', '>']);
        let Some(name) = name_before(before).filter(|_| !longer) else { continue };
        if let Some(depth) = if sign == ":" { of_type(after, aliases, 0) } else { of_value(after) } {
            let known = found.entry(name.to_owned()).or_insert(depth);
            *known = depth.min(*known);
        } else if let Some(of) = element_of(after).filter(|_| sign == "=") {
            elements.push((name, of));
        }
    }
    (found, elements)
}

/// The array of `&array[i][j];`, a reference to an element, and the number of its subscripts.
fn element_of(text: &str) -> Option<(&str, usize)> {
    let place = text.strip_prefix('&')?.trim_start();
    let place = place.strip_prefix("mut ").unwrap_or(place);
    let (array, mut rest) = place.split_at(place.find(|c| !is_of_word(c))?);
    let mut subscripts = 0;
    while let Some(index) = rest.strip_prefix('[') {
        let end = closing(index)?;
        // (A part is as deep as the whole.)
        subscripts += usize::from(!index[..end].contains(".."));
        rest = &index[end + 1..];
    }
    (place.contains('[') && rest.starts_with(';')).then_some((array, subscripts))
}

/// The depth of the type at the start of a text; none of a value of a field.
fn of_type(text: &str, aliases: &Aliases, aliased: usize) -> Option<usize> {
    let (mut rest, mut depth) = (text.trim_start(), 0);
    loop {
        let before = rest;
        for around in ["&", "mut ", "Box<", "Arc<", "Rc<"] {
            rest = rest.strip_prefix(around).unwrap_or(rest).trim_start();
        }
        if let Some(lifetime) = rest.strip_prefix('\'') {
            rest = lifetime.trim_start_matches(is_of_word).trim_start();
        }
        for array in ["[", "Vec<"] {
            if let Some(of) = rest.strip_prefix(array) {
                (rest, depth) = (of.trim_start(), depth + 1);
            }
        }
        if rest == before {
            break;
        }
    }
    let mut end = rest.find(|c| !is_of_word(c)).unwrap_or(rest.len());
    while let Some(path) = rest[end..].strip_prefix("::").filter(|_| rest.starts_with(char::is_lowercase)) {
        rest = path;
        end = rest.find(|c| !is_of_word(c)).unwrap_or(rest.len());
    }
    let (word, after) = rest.split_at(end);
    let after = after.trim_start();
    if rest.starts_with('(') && depth > 0 || is_primitive(word) {
        return Some(depth);
    }
    let is_value = ["::", "{", "(", "!", "."].iter().any(|sign| after.starts_with(sign));
    // (`[0; N]` is the value of a field.)
    if !word.starts_with(char::is_uppercase) || is_value {
        return None;
    }
    let more = match aliases.get(word) {
        Some(Some(ty)) if aliased < 4 => of_type(ty, aliases, aliased + 1).unwrap_or(0),
        _ => 0,
    };
    Some(depth + more)
}

/// The depth that an array's literal has at least: `[[0.0; N]; M]`, `vec![[a, b], [c, d]]`.
fn of_value(text: &str) -> Option<usize> {
    let (mut rest, mut depth) = (text, 0);
    while let Some(of) = rest.strip_prefix('[').or_else(|| rest.strip_prefix("vec![")) {
        (rest, depth) = (of.trim_start(), depth + 1);
    }
    (depth > 0).then_some(depth)
}

fn name_before(text: &str) -> Option<&str> {
    let text = text.trim_end();
    let name = &text[text.trim_end_matches(is_of_word).len()..];
    name.starts_with(|c: char| c.is_lowercase() || c == '_').then_some(name)
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    #[test]
    fn declarations_show_depths() {
        let found = super::depths(
            "type Key = [u8; 7]; type Keys = Vec<Key>; struct Mesh<'a> { tris: Vec<[u32; 3]>, key: Key, all: &'a Keys, n: usize, both: [f32; 2], \
             pairs: &'a [(u32, Key)] } fn f(tris: &[[u32; 3]], both: f32, key: &mut Key, other: m::Point) { let mut times = [[0u32; 4]; N]; \
             let grid = vec![vec![-1; n]; m]; let rows = [first, second]; let m = Mesh { tris: Vec::new(), key: [0; 7], all, n: 3 }; \
             key = best.key; }",
        );
        let depth = |name: &str| found.get(name).copied();
        assert_eq!([depth("tris"), depth("key"), depth("all")], [Some(2), Some(1), Some(2)]);
        assert_eq!(
            [depth("n"), depth("both"), depth("pairs"), depth("other")],
            [Some(0), Some(0), Some(1), Some(0)]
        );
        assert_eq!([depth("times"), depth("grid"), depth("rows")], [Some(2), Some(2), Some(1)]);
        let rows = super::rows(
            "let times = [[0; 4]; 3]; let of_one = &mut times[n]; let none = &times[0][1]; let part = &times[1..];",
        );
        let depth = |name: &str| rows.get(name).copied();
        assert_eq!([depth("of_one"), depth("none"), depth("part")], [Some(1), Some(0), Some(2)]);
    }

    #[test]
    fn fields_are_of_structs() {
        let found =
            super::depths_of_fields("struct A<'a> { t: &'a [[f32; 2]] } struct B(u32); fn f(t: f32) {}");
        assert_eq!(found.get("t"), Some(&2));
    }

    #[test]
    fn functions_around_a_place() {
        let text =
            "fn f(t: &[f32]) {}\nfn g(t: &mut [[u32; 8]]) {\n    fn h(t: u32) {}\n    if c { t[i] }\n}\n";
        let before = |line, column| super::function_before(text, line, column).map(str::len);
        assert_eq!(before(4, 11), Some("fn g(t: &mut [[u32; 8]]) {\n    fn h(t: u32) {}\n    if c { ".len()));
        assert_eq!(before(2, 0), None);
    }

    #[test]
    fn subscripts_show_elements() {
        let found = super::subscripts(
            "// the rows of y[…]\nlet v = rows[j][i] + rows[1..][k] + x[n[π]][0] + a [0] + [1];",
        );
        let count = |name: &str| found.get(name).copied();
        assert_eq!([count("rows"), count("x"), count("n"), count("y")], [Some(2), Some(2), Some(1), Some(1)]);
    }
}
