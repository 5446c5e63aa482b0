//! The items of a source file, by their names: which ones an item names, and which these name in turn. Only those are parsed, so an
//! expansion takes no longer in a long file.
use super::reader::{Reader, is_word};
use crate::parse::functions::functions;
use crate::parse::primitives::PRIMITIVES;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use syn::{ImplItem, Item};

/// Words that name no item of a file, in order.
const NO_NAMES: [&str; 37] = [
    "Self", "as", "async", "await", "break", "const", "continue", "crate", "dyn", "else", "enum", "extern",
    "false", "fn", "for", "if", "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref",
    "return", "self", "static", "struct", "super", "trait", "true", "type", "unsafe", "use", "where",
];

/// Number of a name.
type Name = u32;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Lexeme {
    Word(Name),
    Open(u8),
    Close(u8),
    /// A character, or 0 for one of [`NO_NAMES`].
    Other(u8),
}

struct Token {
    what: Lexeme,
    text: Range<usize>,
    /// Where the group ends, if this opens one.
    close: usize,
}

/// An item of a module.
struct Entry {
    text: Range<usize>,
    /// Its keyword.
    kind: &'static str,
    /// Its name; of an `impl`, those of its functions.
    names: Vec<Name>,
    words: HashSet<Name>,
    /// The bodies of an `impl`'s functions, without their braces.
    bodies: Vec<Range<usize>>,
    /// The number of the module that it is.
    module: Option<usize>,
}

/// The items of a file, or of a module with a body.
#[derive(Default)]
struct Module {
    entries: Vec<Entry>,
    /// The entries that a name may mean.
    named: HashMap<Name, Vec<usize>>,
    /// The `impl`s that declare something of a name.
    declared: HashMap<Name, Vec<usize>>,
    /// Entries that may make any item.
    makers: Vec<usize>,
    /// The texts of the heads (attributes, `mod name`) of the module and of those around it.
    heads: Vec<Range<usize>>,
}

/// An item in a file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Place {
    pub module: usize,
    entry: usize,
}

#[derive(Default)]
pub struct Outline {
    modules: Vec<Module>,
    names: HashMap<String, Name>,
    /// What the `macro_rules!` of all modules name: a call has it in its place.
    macros: HashMap<Name, HashSet<Name>>,
}

/// The keywords that say what an item is.
const KEYWORDS: [&str; 14] = [
    "fn",
    "struct",
    "enum",
    "union",
    "trait",
    "impl",
    "mod",
    "const",
    "static",
    "type",
    "use",
    "extern",
    "macro_rules",
    "macro",
];

impl Outline {
    pub fn of(text: &str) -> Self {
        let mut all = Self::default();
        let tokens = all.tokens(text);
        all.module(text, &tokens, 0..tokens.len(), Vec::new());
        all
    }

    fn tokens(&mut self, text: &str) -> Vec<Token> {
        let mut reader = Reader::new(text);
        // As rustc does: a mark of the byte order, and a line that names an interpreter.
        if text.starts_with('\u{feff}') {
            reader.skip('\u{feff}'.len_utf8());
        }
        let rest = &text[reader.at..];
        if rest.starts_with("#!") && !rest[2..].trim_start().starts_with('[') {
            reader.skip(rest.find('\n').unwrap_or(rest.len()));
        }
        let (mut tokens, mut open): (Vec<Token>, Vec<usize>) = (Vec::new(), Vec::new());
        while let Some(c) = reader.code() {
            let start = reader.at;
            let what = if is_word(c) {
                let mut word = reader.word();
                let raw = word == "r" && text[reader.at..].starts_with('#');
                if raw {
                    reader.skip(1);
                    word = reader.word();
                }
                if !raw && NO_NAMES.binary_search(&word).is_ok() {
                    Lexeme::Other(0)
                } else {
                    let next = Name::try_from(self.names.len()).expect("a file has fewer names");
                    Lexeme::Word(*self.names.entry(word.to_owned()).or_insert(next))
                }
            } else {
                reader.skip(1);
                match c {
                    b'{' | b'(' | b'[' => Lexeme::Open(c),
                    b'}' | b')' | b']' => Lexeme::Close(c),
                    c => Lexeme::Other(c),
                }
            };
            let here = tokens.len();
            match what {
                Lexeme::Open(_) => open.push(here),
                Lexeme::Close(_) => {
                    if let Some(at) = open.pop() {
                        tokens[at].close = here;
                    }
                }
                _ => {}
            }
            tokens.push(Token { what, text: start..reader.at, close: usize::MAX });
        }
        tokens
    }

    /// Adds a module with these tokens.
    fn module(
        &mut self,
        text: &str,
        tokens: &[Token],
        within: Range<usize>,
        heads: Vec<Range<usize>>,
    ) -> usize {
        let number = self.modules.len();
        self.modules.push(Module { heads: heads.clone(), ..Module::default() });
        let word = |at: usize| tokens.get(at).map_or("", |t| &text[t.text.clone()]);
        let skip = |at: usize| match tokens[at].what {
            Lexeme::Open(_) => tokens[at].close.saturating_add(1).min(within.end),
            _ => at + 1,
        };
        let mut at = within.start;
        while at < within.end {
            // Attributes of the module, and what ends nothing.
            if word(at) == "#" && word(at + 1) == "!" {
                at = skip((at + 2).min(within.end - 1));
                continue;
            }
            if word(at) == ";" {
                at += 1;
                continue;
            }
            let start = at;
            while at + 1 < within.end && word(at) == "#" {
                at = skip(at + 1);
            }
            let head = at;
            let kind = keyword(head..within.end, &word, &skip);
            let ends_in_semicolon = matches!(kind, "const" | "static" | "type" | "use" | "extern crate");
            let mut body = None;
            while at < within.end {
                let here = at;
                at = skip(at);
                if word(here) == ";" {
                    break;
                }
                if tokens[here].what != Lexeme::Open(b'{') || ends_in_semicolon {
                    continue;
                }
                // Braces within a head (`impl A<{ 3 }> {`) have other tokens behind them.
                let begins = |t: &Token| {
                    matches!(t.what, Lexeme::Word(_) | Lexeme::Other(0) | Lexeme::Other(b'#'))
                        || t.what == Lexeme::Other(b':')
                };
                if at >= within.end || begins(&tokens[at]) {
                    body = Some(here);
                    break;
                }
            }
            self.entry(text, tokens, (number, kind), (start, head, body, at), &heads);
        }
        number
    }

    fn entry(
        &mut self,
        text: &str,
        tokens: &[Token],
        (number, kind): (usize, &'static str),
        (start, head, body, end): (usize, usize, Option<usize>, usize),
        heads: &[Range<usize>],
    ) {
        let word = |at: usize| &text[tokens[at].text.clone()];
        let names = |range: Range<usize>| {
            tokens[range].iter().filter_map(|t| match t.what {
                Lexeme::Word(name) => Some(name),
                _ => None,
            })
        };
        // (What derives name is of std, or of this crate.)
        let derive = |at: usize| start < at && word(at - 1) == "[" && word(at) == "derive";
        let mut words: HashSet<Name> = names(head..end).collect();
        let mut at = start;
        while at < head {
            if derive(at) {
                at = tokens.get(at + 1).map_or(head, |t| t.close.min(head));
            }
            words.extend(names(at..(at + 1).min(head)));
            at += 1;
        }
        let after = |keyword: &str, range: Range<usize>| -> Vec<Name> {
            let keywords = range.clone().filter(|at| word(*at) == keyword);
            // (`static mut` has a word between.)
            keywords
                .filter_map(|at| {
                    names(at + 1..(at + 2 + usize::from(keyword == "static")).min(range.end)).next()
                })
                .collect()
        };
        let functions = after("fn", head..end);
        let own = names(head..body.unwrap_or(end));
        let name: Vec<Name> = match kind {
            "fn" | "struct" | "enum" | "union" | "trait" | "const" | "static" | "type" | "mod" => {
                after(kind, head..end).into_iter().take(1).collect()
            }
            "macro_rules" => own.clone().skip(1).take(1).collect(),
            "macro" => own.clone().take(1).collect(),
            _ => Vec::new(),
        };
        let primitives: Vec<Name> = PRIMITIVES.iter().filter_map(|name| self.name(name)).collect();
        let means: Vec<Name> = match kind {
            "use" | "enum" => words.iter().copied().collect(),
            // The types of its head; of those that have no fields, its functions are of interest.
            "impl" => own.filter(|name| !primitives.contains(name)).collect(),
            "trait" => own.chain(functions.iter().copied()).collect(),
            _ => name.clone(),
        };
        // What it declares: the functions of another type are of interest by their names alone.
        let declares: Vec<Name> = match kind {
            "impl" => {
                let values = [after("const", head..end), after("type", head..end)].concat();
                functions.iter().copied().chain(values).collect()
            }
            _ => Vec::new(),
        };
        let names = if kind == "impl" { functions } else { name };
        let mut bodies = Vec::new();
        let mut at = body.map_or(end, |open| open + 1);
        while kind == "impl" && at < end {
            let close = tokens[at].close.min(end - 1);
            match tokens[at].what {
                Lexeme::Open(c) => {
                    if c == b'{' && at < close {
                        bodies.push(tokens[at].text.end..tokens[close].text.start);
                    }
                    at = close + 1;
                }
                _ => at += 1,
            }
        }
        let text_of = tokens[start].text.start..tokens[end - 1].text.end;
        let module = body.filter(|_| kind == "mod").map(|open| {
            let inner = open + 1..tokens[open].close.min(end);
            let head = tokens[start].text.start..tokens[open].text.start;
            let heads = heads.iter().cloned().chain(std::iter::once(head)).collect();
            self.module(text, tokens, inner, heads)
        });
        if let ("macro_rules", [name]) = (kind, &names[..]) {
            self.macros.entry(*name).or_default().extend(words.iter().copied());
        }
        let this = &mut self.modules[number];
        let entry = this.entries.len();
        if kind.is_empty() {
            this.makers.push(entry);
        }
        for (means, by_name) in [(means, &mut this.named), (declares, &mut this.declared)] {
            for name in means {
                by_name.entry(name).or_default().push(entry);
            }
        }
        this.entries.push(Entry { text: text_of, kind, names, words, bodies, module });
    }

    /// The items that may be this one, by kind and names.
    pub fn like(&self, item: &Item) -> Vec<Place> {
        let (kind, names): (_, Vec<String>) = match item {
            Item::Fn(f) => ("fn", vec![f.sig.ident.to_string()]),
            Item::Impl(i) => ("impl", functions(i).map(|f| f.sig.ident.to_string()).collect()),
            Item::Mod(m) => ("mod", vec![m.ident.to_string()]),
            _ => return Vec::new(),
        };
        let Some(names) = names.iter().map(|name| self.name(name)).collect::<Option<Vec<Name>>>() else {
            return Vec::new();
        };
        self.find(|entry| {
            // (Functions within functions have names, too.)
            entry.kind == kind
                && if kind == "impl" { is_part(&names, &entry.names) } else { entry.names == names }
        })
    }

    /// The item of a module that a name of the file stands in.
    pub fn around_name(&self, text: &str, name: &proc_macro2::Ident) -> Option<Place> {
        let at = name.span().start();
        let line = text.split_inclusive('\n').take(at.line.checked_sub(1)?).map(str::len).sum::<usize>();
        let column: usize = text.get(line..)?.chars().take(at.column).map(char::len_utf8).sum();
        let at = line + column;
        // (Names that macros make have the places of macros.)
        text.get(at..)?.starts_with(&name.to_string()).then_some(())?;
        let around = self.find(|entry| entry.kind != "mod" && entry.text.contains(&at));
        around.into_iter().min_by_key(|place| self.entry_of(*place).text.len())
    }

    /// The `impl`s that may have a method of this name.
    pub fn impls_with(&self, method: &str) -> Vec<Place> {
        let Some(name) = self.name(method) else { return Vec::new() };
        self.find(|entry| entry.kind == "impl" && entry.names.contains(&name))
    }

    /// Whether the module that has the item in a place declares a `type` of this name.
    pub fn has_alias(&self, place: Place, name: &str) -> bool {
        let name = self.name(name);
        let is = |entry: &Entry| entry.kind == "type" && entry.names.first().copied() == name;
        name.is_some() && self.modules[place.module].entries.iter().any(is)
    }

    /// The types of a name, of all modules, with those that they name, and so on.
    pub fn types(&self, text: &str, name: &str) -> Vec<Item> {
        let is_type = |entry: &Entry| ["struct", "enum", "union", "type"].contains(&entry.kind);
        let mut by_name: HashMap<Name, Vec<Place>> = HashMap::new();
        for place in self.find(is_type) {
            for name in &self.entry_of(place).names {
                by_name.entry(*name).or_default().push(place);
            }
        }
        let (mut found, mut open, mut seen) = (Vec::new(), Vec::from_iter(self.name(name)), HashSet::new());
        while let Some(name) = open.pop() {
            if !seen.insert(name) {
                continue;
            }
            for place in by_name.get(&name).into_iter().flatten() {
                found.extend(self.parse(text, *place));
                open.extend(&self.entry_of(*place).words);
            }
        }
        found
    }

    /// The traits of a name, of all modules, and their `impl`s.
    pub fn traits(&self, text: &str, name: &str) -> (Vec<syn::ItemTrait>, Vec<syn::ItemImpl>) {
        let Some(of) = self.name(name) else { return Default::default() };
        let traits = self.find(|entry| entry.kind == "trait" && entry.names.contains(&of)).into_iter();
        let impls = self.find(|entry| entry.kind == "impl" && entry.words.contains(&of)).into_iter();
        let traits = traits.filter_map(|place| match self.parse(text, place) {
            Some(Item::Trait(t)) => Some(t),
            _ => None,
        });
        let is = |path: &syn::Path| path.segments.last().is_some_and(|s| s.ident == name);
        let impls = impls.filter_map(|place| match self.parse(text, place) {
            Some(Item::Impl(i)) if i.trait_.as_ref().is_some_and(|of| is(&of.0)) => Some(i),
            _ => None,
        });
        (traits.collect(), impls.collect())
    }

    fn entry_of(&self, place: Place) -> &Entry {
        &self.modules[place.module].entries[place.entry]
    }

    fn name(&self, name: &str) -> Option<Name> {
        self.names.get(name.strip_prefix("r#").unwrap_or(name)).copied()
    }

    fn find(&self, is: impl Fn(&Entry) -> bool) -> Vec<Place> {
        let of_module = |(module, of): (usize, &Module)| {
            let found = of.entries.iter().enumerate().filter(|(_, entry)| is(entry));
            found.map(|(entry, _)| Place { module, entry }).collect::<Vec<_>>()
        };
        self.modules.iter().enumerate().flat_map(of_module).collect()
    }

    /// The modules around an item, as heads with empty bodies.
    pub fn modules_around(&self, text: &str, place: Place) -> impl Iterator<Item = Option<syn::ItemMod>> {
        let heads = self.modules[place.module].heads.iter();
        heads.map(move |head| syn::parse_str(&format!("{}{{}}", &text[head.clone()])).ok())
    }

    /// The item in a place.
    pub fn parse(&self, text: &str, place: Place) -> Option<Item> {
        syn::parse_str(&text[self.entry_of(place).text.clone()]).ok()
    }

    /// The items of the module that the item in a place names, which these name, and so on, in order; but no modules with bodies. Other `impl`s that
    /// declare something that has one of the names are among them, without bodies: a name of several methods decides nothing.
    pub fn around(&self, text: &str, place: Place) -> Vec<Item> {
        let module = &self.modules[place.module];
        let mut found: HashSet<usize> = module.makers.iter().copied().collect();
        let (mut open, mut seen) = (vec![place.entry], HashSet::new());
        let mut declare: HashSet<usize> = HashSet::new();
        open.extend(&module.makers);
        while let Some(entry) = open.pop() {
            found.insert(entry);
            let mut words: Vec<Name> = module.entries[entry].words.iter().copied().collect();
            while let Some(name) = words.pop() {
                if !seen.insert(name) {
                    continue;
                }
                words.extend(self.macros.get(&name).into_iter().flatten());
                match module.declared.get(&name).map_or(&[][..], Vec::as_slice) {
                    [one] if !found.contains(one) => open.push(*one),
                    several => declare.extend(several),
                }
                open.extend(module.named.get(&name).into_iter().flatten().filter(|e| !found.contains(e)));
            }
        }
        declare.retain(|entry| !found.contains(entry));
        let mut all: Vec<usize> = found.iter().chain(&declare).copied().collect();
        all.retain(|entry| module.entries[*entry].module.is_none());
        all.sort_unstable();
        let parse = |entry: usize| {
            let place = Place { module: place.module, entry };
            if declare.contains(&entry) { self.parse_heads(text, place) } else { self.parse(text, place) }
        };
        all.into_iter().filter_map(parse).collect()
    }

    /// Where the module that has the item in a place is an item.
    pub fn module_around(&self, place: Place) -> Option<Place> {
        self.find(|entry| entry.module == Some(place.module)).pop()
    }

    /// Whether the module that has the item in a place has a module of this name with a body.
    pub fn has_module(&self, place: Place, name: &str) -> bool {
        let name = self.name(name);
        let is = |entry: &Entry| entry.module.is_some() && entry.names.first().copied() == name;
        name.is_some() && self.modules[place.module].entries.iter().any(is)
    }

    /// The imports of the module that has the item in a place.
    pub fn imports(&self, text: &str, place: Place) -> Vec<Item> {
        let entries = self.modules[place.module].entries.iter().enumerate();
        let imports = entries.filter(|(_, entry)| entry.kind == "use");
        imports.filter_map(|(entry, _)| self.parse(text, Place { entry, ..place })).collect()
    }

    /// The items of the module that has the item in a place.
    pub fn module_of(&self, text: &str, place: Place) -> Vec<Item> {
        let entries = 0..self.modules[place.module].entries.len();
        entries.filter_map(|entry| self.parse(text, Place { module: place.module, entry })).collect()
    }

    /// The `impl` in a place, with empty bodies, which may replace no call: the functions are as uncertain as under a `cfg`.
    fn parse_heads(&self, text: &str, place: Place) -> Option<Item> {
        let entry = self.entry_of(place);
        let (mut heads, mut at) = (String::new(), entry.text.start);
        for body in &entry.bodies {
            heads.push_str(&text[at..body.start]);
            at = body.end;
        }
        heads.push_str(&text[at..entry.text.end]);
        let mut item = syn::parse_str(&heads).ok()?;
        if let Item::Impl(i) = &mut item {
            for item in &mut i.items {
                if let ImplItem::Fn(f) = item {
                    f.attrs.push(syn::parse_quote!(#[cfg(any())]));
                }
            }
        }
        Some(item)
    }
}

/// The keyword that says what an item is; nothing for a macro's call.
fn keyword<'t>(
    head: Range<usize>,
    word: &impl Fn(usize) -> &'t str,
    skip: &impl Fn(usize) -> usize,
) -> &'static str {
    let mut at = head.start;
    while at < head.end {
        let here = word(at);
        let next = if at + 1 < head.end { word(at + 1) } else { "" };
        match here {
            "const" if ["fn", "unsafe", "extern", "async"].contains(&next) => {}
            "extern" if next == "crate" => return "extern crate",
            "extern" if next != "{" => {}
            "macro_rules" if next != "!" => return "",
            "union" if next == "!" || next == ":" => return "",
            _ => {
                if let Some(keyword) = KEYWORDS.iter().find(|keyword| **keyword == here) {
                    return keyword;
                }
            }
        }
        if matches!(here, "!" | "{" | ";" | "=") {
            return "";
        }
        at = skip(at);
    }
    ""
}

/// Whether the first names are among the second, in their order.
fn is_part(names: &[Name], among: &[Name]) -> bool {
    let mut among = among.iter();
    names.iter().all(|name| among.any(|other| other == name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::ToTokens;
    use std::path::Path;

    fn names(items: &[Item]) -> Vec<String> {
        let name = |item: &Item| match item {
            Item::Fn(f) => f.sig.ident.to_string(),
            Item::Struct(s) => s.ident.to_string(),
            Item::Enum(e) => e.ident.to_string(),
            Item::Const(c) => c.ident.to_string(),
            Item::Impl(i) => format!("impl {}", i.self_ty.to_token_stream()),
            other => other.to_token_stream().to_string(),
        };
        items.iter().map(name).collect()
    }

    const FILE: &str = r##"
        #![allow(dead_code)]
        //! A file.
        use std::ops::Index;
        /// A type.
        #[derive(Clone, omp::Device)]
        struct A<const N: usize> { x: [f32; 8] }
        struct B(f32);
        const C: B = B { 0: 1.0 };
        const D: usize = if true { 1 } else { 2 };
        enum Kind { Solid, Mixed { part: B } }
        impl A<{ 3 }> { fn first(&self) -> f32 { self.x[0] } }
        impl<const N: usize> Index<usize> for A<N> { type Output = f32; fn index(&self, _: usize) -> &f32 { &C.0 } }
        fn far(text: &str) -> bool { text == "near() } {" }
        fn near(k: Kind) -> f32 { if let Kind::Solid = k { 0.0 } else { D as f32 } }
        fn above(k: f32) -> f32 { near(Kind::Solid) + k }
        impl Up for E { fn up(&self) -> E { far() } }
        impl Up for F { fn up(&self) -> F { F } }
        fn higher(k: X) { k.up() }
        #[cfg(test)]
        mod inner { fn near() {} fn other() { near() } }
    "##;

    #[test]
    fn what_an_item_names_is_around_it() {
        let (outline, file) = (Outline::of(FILE), syn::parse_file(FILE).unwrap());
        let of = |name: &str| {
            let item = file.items.iter().find(|item| names(&[(*item).clone()]) == [name]).unwrap();
            let [place] = outline.like(item)[..] else { panic!("`{name}` is in one place or more") };
            assert_eq!(outline.parse(FILE, place).map(|item| names(&[item])), Some(vec![name.to_owned()]));
            names(&outline.around(FILE, place))
        };
        assert_eq!(of("far"), ["far"]);
        assert_eq!(of("above"), ["B", "D", "Kind", "near", "above"]);
        assert_eq!(of("higher"), ["impl E", "impl F", "higher"]);
        assert_eq!(
            of("impl A < N >"),
            ["use std :: ops :: Index ;", "A", "B", "C", "Kind", "impl A < { 3 } >", "impl A < N >"]
        );
    }

    #[test]
    fn names_are_words() {
        assert!(NO_NAMES.is_sorted());
        let text = "\u{feff}#!/usr/bin/env it\nstatic mut X: f32 = 1.0; fn core() {} mod m { macro_rules! a { () => { core() } } } \
                    fn r#try(x: &u8) { unsafe { X } } fn b() { r#try(&1); a!() }";
        let outline = Outline::of(text);
        let item: Item = syn::parse_str("fn b() {}").unwrap();
        let [place] = outline.like(&item)[..] else { panic!("`b` is there once") };
        let found = names(&outline.around(text, place));
        assert_eq!(found, ["static mut X : f32 = 1.0 ;", "core", "r#try", "b"]);
    }

    #[test]
    fn modules_have_heads() {
        let outline = Outline::of(FILE);
        let item: Item = syn::parse_str("fn other() { near() }").unwrap();
        let [place] = outline.like(&item)[..] else { panic!("the item is there once") };
        assert_eq!(names(&outline.around(FILE, place)), ["near", "other"]);
        let heads: Vec<_> = outline.modules_around(FILE, place).flatten().collect();
        assert_eq!(heads.len(), 1);
        assert!(heads[0].attrs[0].path().is_ident("cfg"));
    }

    /// The same items in all files of this crate as `syn` finds.
    #[test]
    fn outlines_are_those_of_files() {
        fn compare(outline: &Outline, text: &str, module: usize, items: &[Item], path: &Path) {
            let entries = &outline.modules[module].entries;
            let of = |entry| outline.parse(text, Place { module, entry });
            let found: Vec<Item> = (0..entries.len()).filter_map(of).collect();
            assert_eq!(names(&found).len(), entries.len(), "{}", path.display());
            assert_eq!(found.len(), items.len(), "{}: {:?}", path.display(), names(&found));
            for ((item, found), entry) in items.iter().zip(&found).zip(entries) {
                let without = |item: &Item| {
                    let mut text = item.to_token_stream().to_string();
                    while let Some(rest) = text.strip_prefix("# [doc =") {
                        text = rest.split_once(']').map(|(_, rest)| rest.trim_start().to_owned()).unwrap();
                    }
                    text
                };
                assert!(without(item).ends_with(&without(found)), "{}", path.display());
                if let (Item::Mod(m), Some(module)) = (item, entry.module) {
                    compare(outline, text, module, &m.content.as_ref().unwrap().1, path);
                }
            }
        }
        fn visit(folder: &Path, files: &mut usize) {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    visit(&path, files);
                } else if path.extension().is_some_and(|e| e == "rs") {
                    let text = std::fs::read_to_string(&path).unwrap();
                    let Ok(file) = syn::parse_file(&text) else { continue };
                    compare(&Outline::of(&text), &text, 0, &file.items, &path);
                    *files += 1;
                }
            }
        }
        let mut files = 0;
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        for folder in
            [root.join("src"), root.join("../tests/tests/ports"), root.join("../tests/tests/language")]
        {
            if folder.exists() {
                visit(&folder, &mut files);
            }
        }
        assert!(files > 100);
    }
}
