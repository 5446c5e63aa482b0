//! The `macro_rules!` of a source file, as text: tokens live only as long as one expansion.
//!
//! A definition is in scope from its own place to the end of the braces around it. Braces of modules with `#[macro_use]` don't end it.
use crate::parse::tokens::file::SourceFile;
use crate::parse::tokens::reader::{At, Reader, is_word};
use crate::parse::tokens::source::words_of_text;
use proc_macro2::Span;

/// A `macro_rules!` of a file.
#[derive(Debug)]
pub struct Found {
    name: String,
    /// Its rules.
    pub body: String,
    at: At,
    /// The braces that end its scope.
    around: Vec<(At, At)>,
    /// It has a `#[cfg]`.
    conditional: bool,
    /// It has `#[macro_export]`.
    pub exported: bool,
    /// It is in scope after this, by `use name;`.
    imported: bool,
}

/// Why a call of a macro is not expanded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    NotHere,
    Several,
    Conditional,
    OutOfScope,
}

impl Refused {
    /// What to do.
    pub fn help(self, name: &str) -> String {
        match self {
            Self::NotHere => "`assert!`, `assert_eq!`, `debug_assert!`, `panic!`, `unreachable!` and `matches!` can, and a `macro_rules!` of the same file".to_owned(),
            Self::Several => format!("the file defines `{name}!` several times: give each macro a name of its own"),
            Self::Conditional => format!("`{name}!` has a `#[cfg]`: move the condition into the macro"),
            Self::OutOfScope => format!("the `macro_rules! {name}` of this file is not in scope here: move it before this, out of its module or function"),
        }
    }
}

/// Whose braces they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Head {
    OfTrait,
    MacroUse,
    Other,
}

/// What the search for macros needs of a file.
#[derive(Debug, Default)]
struct Shape {
    found: Vec<Found>,
    braces: Vec<Brace>,
}

#[derive(Debug)]
struct Brace {
    open: At,
    close: At,
    head: Head,
    /// What stands before those of a trait.
    text: String,
}

/// The definition that a call means.
pub fn of_call(name: &str, span: Span, by_path: bool) -> Result<String, Refused> {
    of_file(name, span, by_path, |found| found.body.clone())
}

/// Whether rustc warns of the definition if nothing calls it.
pub fn is_private(name: &str, span: Span, by_path: bool) -> bool {
    of_file(name, span, by_path, |found| !found.exported).unwrap_or(false)
}

/// Why a call is not expanded; `None` if its definition is found.
pub fn refused(name: &str, span: Span) -> Option<Refused> {
    of_file(name, span, false, |_| ()).err()
}

fn of_file<T>(name: &str, span: Span, by_path: bool, get: impl Fn(&Found) -> T) -> Result<T, Refused> {
    let file = SourceFile::of(span).ok_or(Refused::NotHere)?;
    let shape = file.shows(shape);
    let start = span.start();
    // The text of a macro's call is not where the tokens of the macro are.
    let at = (!crate::expand::is_of_macro(span)).then_some((start.line, start.column));
    shape.find(name, at, by_path).map(get)
}

/// Where an item that stands alone is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// Another item may stand next to it, a method too.
    Free,
    /// In the `impl` of a trait that begins with this.
    OfTrait(String),
    /// The file does not show where.
    Unknown,
}

/// Where the item that has this token stands.
pub fn place_of(span: Span) -> Place {
    let Some(file) = SourceFile::of(span) else { return Place::Unknown };
    if crate::expand::is_of_macro(span) {
        return Place::Unknown;
    }
    let start = span.start();
    let at = (start.line, start.column);
    let shape = file.shows(shape);
    let around = shape.braces.iter().filter(|brace| brace.open < at && at < brace.close);
    match around.max_by_key(|brace| brace.open) {
        Some(brace) if brace.head == Head::OfTrait => Place::OfTrait(brace.text.clone()),
        _ => Place::Free,
    }
}

impl Shape {
    fn find(&self, name: &str, at: Option<At>, by_path: bool) -> Result<&Found, Refused> {
        let all: Vec<&Found> = self.found.iter().filter(|found| found.name == name).collect();
        let in_scope = |found: &&Found| {
            at.is_none_or(|at| {
                found.at < at && found.around.iter().all(|(open, close)| *open < at && at < *close)
            })
        };
        let seen: Vec<&Found> = all.iter().copied().filter(in_scope).collect();
        let one = match (&all[..], &seen[..]) {
            ([], _) => return Err(Refused::NotHere),
            ([one], _) if by_path && (one.exported || one.imported) => one,
            ([one], []) if one.imported => one,
            (_, [one]) if !by_path || one.imported => one,
            (_, [_, _, ..]) => return Err(Refused::Several),
            _ => return Err(Refused::OutOfScope),
        };
        if one.conditional { Err(Refused::Conditional) } else { Ok(one) }
    }
}

/// Finds the braces and the definitions of a text.
fn shape(text: &str) -> Shape {
    let mut reader = Reader::new(text);
    let mut shape = Shape::default();
    // Where each open bracket stands, with what stands before it.
    let mut open: Vec<(u8, At, &str)> = Vec::new();
    // The text since the last `;`, `{` or `}`.
    let mut head = 0;
    while let Some(c) = reader.code() {
        let (at, place) = (reader.at, reader.place);
        match c {
            b'{' | b'(' | b'[' => {
                open.push((c, place, &text[head..at]));
                reader.skip(1);
                if c == b'{' {
                    head = reader.at;
                }
            }
            b'}' | b')' | b']' => {
                if let Some((b'{', start, head)) = open.pop() {
                    let (text, head) = (head, head_of(head));
                    let text = if head == Head::OfTrait { text.to_owned() } else { String::new() };
                    shape.braces.push(Brace { open: start, close: place, head, text });
                }
                reader.skip(1);
                if c == b'}' {
                    head = reader.at;
                }
            }
            b';' => {
                reader.skip(1);
                head = reader.at;
            }
            c if is_word(c) => {
                let word = reader.word();
                if word != "macro_rules" {
                    continue;
                }
                let before = &text[head..at];
                if let Some((name, body)) = reader.definition() {
                    let around =
                        open.iter().filter(|(c, ..)| *c == b'{').map(|(_, start, _)| (*start, *start));
                    shape.found.push(Found {
                        imported: is_imported(text, open.last().map(|(.., head)| *head), &name),
                        name,
                        body,
                        at: place,
                        around: around.collect(),
                        conditional: before.contains("cfg"),
                        exported: before.contains("macro_export"),
                    });
                    head = reader.at;
                }
            }
            _ => reader.skip(1),
        }
    }
    for found in &mut shape.found {
        let whole = |(open, _): &(At, At)| {
            let brace = shape.braces.iter().find(|brace| brace.open == *open)?;
            (brace.head != Head::MacroUse).then_some((*open, brace.close))
        };
        found.around = found.around.iter().filter_map(whole).collect();
    }
    shape
}

/// Whether a text has `use name;`, which makes a macro an item of its module, and names that module in a path.
fn is_imported(text: &str, module: Option<&str>, name: &str) -> bool {
    let named = module.is_none_or(|head| {
        let mut words = words_of_text(head);
        let module = words.find(|word| *word == "mod").and_then(|_| words.next());
        module.is_some_and(|module| text.contains(&format!("{module}::")))
    });
    let is_use = |rest: &str| rest.strip_prefix(name).is_some_and(|rest| rest.trim_start().starts_with(';'));
    named && text.split("use ").skip(1).any(is_use)
}

/// What the text before a brace says of the braces.
fn head_of(text: &str) -> Head {
    let has = |wanted: &str| words_of_text(text).any(|word| word == wanted);
    if has("fn") {
        return Head::Other;
    }
    match (has("impl"), has("trait"), has("mod")) {
        (true, ..) if has("for") => Head::OfTrait,
        (true, ..) => Head::Other,
        (_, true, _) => Head::OfTrait,
        (_, _, true) if text.contains("macro_use") => Head::MacroUse,
        _ => Head::Other,
    }
}

impl Reader<'_> {
    /// After `macro_rules`: `! name { … }`.
    fn definition(&mut self) -> Option<(String, String)> {
        if self.code()? != b'!' {
            return None;
        }
        self.skip(1);
        if !is_word(self.code()?) {
            return None;
        }
        let name = self.word().to_owned();
        let first = self.code()?;
        if !matches!(first, b'{' | b'(' | b'[') {
            return None;
        }
        self.skip(1);
        let start = self.at;
        let mut depth = 1;
        loop {
            let c = self.code()?;
            match c {
                b'{' | b'(' | b'[' => depth += 1,
                b'}' | b')' | b']' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                let body = self.text[start..self.at].to_owned();
                self.skip(1);
                return Some((name, body));
            }
            if is_word(c) {
                self.word();
            } else {
                self.skip(1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r##"
// macro_rules! no { () => {}; }
macro_rules! a { ($x:expr) => { "}" }; }
mod inner {
    macro_rules! b { () => { '}' }; }
    /* macro_rules! no /* } */ {} */
    fn f<'a>(x: &'a str) { let _ = r#"macro_rules! no {}"#; }
    pub(crate) use b;
}
use inner::b;
#[macro_use]
mod shared { macro_rules! c { () => {}; } }
twice! {
    macro_rules! d ( () => {}; );
    #[cfg(test)] macro_rules! e { () => {}; }
    fn g() {}
}
impl S { fn m() {} }
impl T for S { fn n() {} }
fn h() { macro_rules! f { () => {}; } }
fn i() { macro_rules! f { () => {}; } }
"##;

    #[test]
    fn definitions_have_scopes() {
        let shape = shape(FILE);
        let names: Vec<&str> = shape.found.iter().map(|found| &*found.name).collect();
        assert_eq!(names, ["a", "b", "c", "d", "e", "f", "f"]);
        let find = |name, at| shape.find(name, Some(at), false).map(|found| found.body.trim());
        assert_eq!(find("a", (18, 10)), Ok(r#"($x:expr) => { "}" };"#));
        assert_eq!(find("a", (2, 1)), Err(Refused::OutOfScope));
        assert_eq!(find("b", (7, 5)), Ok("() => { '}' };"));
        assert_eq!(find("b", (18, 5)), Ok("() => { '}' };"), "it may be imported");
        assert_eq!(find("c", (18, 5)), Ok("() => {};"));
        assert_eq!(find("d", (16, 5)), Ok("() => {};"));
        assert_eq!(find("d", (18, 5)), Err(Refused::OutOfScope));
        assert_eq!(find("e", (16, 5)), Err(Refused::Conditional));
        assert_eq!(find("no", (18, 5)), Err(Refused::NotHere));
        assert_eq!(find("f", (21, 37)), Ok("() => {};"));
        assert_eq!(shape.find("f", None, false).map(|_| ()), Err(Refused::Several));
    }

    #[test]
    fn braces_have_heads() {
        let shape = shape(FILE);
        let of = |line| shape.braces.iter().filter(|b| b.open.0 == line).map(|b| b.head).collect::<Vec<_>>();
        assert_eq!(of(18), [Head::Other, Head::Other]);
        assert_eq!(of(19), [Head::Other, Head::OfTrait]);
        assert_eq!(of(12), [Head::MacroUse]);
    }
}
