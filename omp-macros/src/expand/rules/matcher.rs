//! The patterns of `macro_rules!`, and what they match: `($($x:expr),* ; $name:ident)`.
//!
//! An expression, type or other fragment stays one token in invisible delimiters when it is passed on to another macro, as with rustc: that
//! macro can match it by a fragment or by `tt`, but not by its tokens. How many delimiters there are says what it is ([`Sort`]).
use super::hygiene::plain;
use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree};
use std::collections::HashMap;
use syn::parse::{ParseStream, Parser};

/// A part of a pattern.
#[derive(Debug, Clone)]
pub enum Pattern {
    /// An operator, a lifetime or another token.
    Token(Vec<TokenTree>),
    Group(Delimiter, Vec<Self>),
    Fragment(String, Kind),
    Repeat {
        inner: Vec<Self>,
        separator: Vec<TokenTree>,
        times: Times,
    },
}

/// The number of repetitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Times {
    Any,
    Some,
    Optional,
}

/// The kinds of fragments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Block,
    Expr,
    Ident,
    Item,
    Lifetime,
    Literal,
    Meta,
    Pat,
    PatParam,
    Path,
    Stmt,
    Tree,
    Type,
    Vis,
}

/// What a fragment in invisible delimiters is: the number of delimiters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    Expr = 1,
    Type,
    Other,
}

/// What a name stands for.
#[derive(Debug, Clone)]
pub enum Bound {
    One(TokenStream),
    Many(Vec<Self>),
}

/// The names of a pattern.
pub type Bindings = HashMap<String, Bound>;

impl Kind {
    fn of(name: &str) -> Option<Self> {
        Some(match name {
            "block" => Self::Block,
            "expr" | "expr_2021" => Self::Expr,
            "ident" => Self::Ident,
            "item" => Self::Item,
            "lifetime" => Self::Lifetime,
            "literal" => Self::Literal,
            "meta" => Self::Meta,
            "pat" => Self::Pat,
            "pat_param" => Self::PatParam,
            "path" => Self::Path,
            "stmt" => Self::Stmt,
            "tt" => Self::Tree,
            "ty" => Self::Type,
            "vis" => Self::Vis,
            _ => return None,
        })
    }
}

impl Times {
    fn of(tree: Option<&TokenTree>) -> Option<Self> {
        match tree {
            Some(TokenTree::Punct(p)) => Some(match p.as_char() {
                '*' => Self::Any,
                '+' => Self::Some,
                '?' => Self::Optional,
                _ => return None,
            }),
            _ => None,
        }
    }
}

pub fn is_punct(tree: Option<&TokenTree>, c: char) -> bool {
    matches!(tree, Some(TokenTree::Punct(p)) if p.as_char() == c)
}

/// After the group of `$(…)`: the separator, the number of repetitions, and how many tokens they are.
pub fn repetition(trees: &[TokenTree]) -> Option<(Vec<TokenTree>, Times, usize)> {
    if let Some(times) = Times::of(trees.first()) {
        return Some((Vec::new(), times, 1));
    }
    let length = token(trees)?;
    let times = Times::of(trees.get(length))?;
    Some((trees[..length].to_vec(), times, length + 1))
}

/// Reads a pattern; `None` if it has something that is not supported.
pub fn parse(tokens: TokenStream) -> Option<Vec<Pattern>> {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let (mut patterns, mut at) = (Vec::new(), 0);
    while at < trees.len() {
        match &trees[at..] {
            [TokenTree::Punct(p), TokenTree::Group(g), rest @ ..]
                if p.as_char() == '$' && g.delimiter() == Delimiter::Parenthesis =>
            {
                let (separator, times, length) = repetition(rest)?;
                patterns.push(Pattern::Repeat { inner: parse(g.stream())?, separator, times });
                at += 2 + length;
            }
            [TokenTree::Punct(p), TokenTree::Ident(name), colon, TokenTree::Ident(kind), ..]
                if p.as_char() == '$' && is_punct(Some(colon), ':') =>
            {
                patterns.push(Pattern::Fragment(name.to_string(), Kind::of(&kind.to_string())?));
                at += 4;
            }
            [TokenTree::Punct(p), ..] if p.as_char() == '$' => return None,
            [TokenTree::Group(g), ..] => {
                patterns.push(Pattern::Group(g.delimiter(), parse(g.stream())?));
                at += 1;
            }
            rest => {
                let length = token(rest)?;
                patterns.push(Pattern::Token(rest[..length].to_vec()));
                at += length;
            }
        }
    }
    Some(patterns)
}

/// How many trees the first token is: an operator has several, and a lifetime has two.
fn token(trees: &[TokenTree]) -> Option<usize> {
    const OPERATORS: [&str; 25] = [
        "<<=", ">>=", "...", "..=", "&&", "||", "==", "!=", "<=", ">=", "+=", "-=", "*=", "/=", "%=", "^=",
        "&=", "|=", "<<", ">>", "->", "=>", "::", "..", "<-",
    ];
    match trees.first()? {
        TokenTree::Punct(p) if p.as_char() == '\'' && trees.len() > 1 => Some(2),
        TokenTree::Punct(_) => {
            let mut text = String::new();
            for tree in trees.iter().take(3) {
                let TokenTree::Punct(p) = tree else { break };
                text.push(p.as_char());
                if p.spacing() == Spacing::Alone {
                    break;
                }
            }
            let longest = OPERATORS.iter().find(|operator| text.starts_with(**operator));
            Some(longest.map_or(1, |operator| operator.len()))
        }
        _ => Some(1),
    }
}

/// Whether tokens begin with a token. What stands in invisible delimiters is none.
fn starts_with(trees: &[TokenTree], wanted: &[TokenTree]) -> bool {
    let length = wanted.len();
    token(trees) == Some(length)
        && !matches!(trees.first(), Some(TokenTree::Group(_)))
        && text(&trees[..length]) == text(wanted)
}

/// The text of a token, as the user wrote it.
fn text(trees: &[TokenTree]) -> String {
    let texts = trees.iter().map(|tree| match tree {
        TokenTree::Ident(name) => plain(&name.to_string()).to_owned(),
        other => other.to_string(),
    });
    texts.collect()
}

/// What a pattern binds if it matches all of the tokens.
pub fn matches(patterns: &[Pattern], tokens: TokenStream) -> Option<Bindings> {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let mut log = Log(Vec::new());
    let end = trees.len();
    log.sequence(patterns, &trees, 0, &mut |_, at| at == end)
        .then(|| bindings(patterns, &mut log.0.into_iter()))
}

/// What has been matched, in order. It is cut back where another way is tried.
struct Log(Vec<Event>);

enum Event {
    Bound(TokenStream),
    Iteration,
    End,
}

type Then<'t> = &'t mut dyn FnMut(&mut Log, usize) -> bool;

impl Log {
    /// Whether patterns match from a position on, and the rest does from where they end.
    fn sequence(&mut self, patterns: &[Pattern], trees: &[TokenTree], at: usize, then: Then) -> bool {
        let Some((first, rest)) = patterns.split_first() else { return then(self, at) };
        match first {
            Pattern::Token(wanted) => {
                starts_with(&trees[at..], wanted) && self.sequence(rest, trees, at + wanted.len(), then)
            }
            Pattern::Group(delimiter, inner) => match trees.get(at) {
                Some(TokenTree::Group(g)) if g.delimiter() == *delimiter => {
                    let inside: Vec<TokenTree> = g.stream().into_iter().collect();
                    self.sequence(inner, &inside, 0, &mut |log, end| {
                        end == inside.len() && log.sequence(rest, trees, at + 1, then)
                    })
                }
                _ => false,
            },
            Pattern::Fragment(_, kind) => {
                let Some(length) = fragment(*kind, &trees[at..]) else { return false };
                let before = self.0.len();
                self.0.push(Event::Bound(bound(*kind, &trees[at..at + length])));
                let is = self.sequence(rest, trees, at + length, then);
                self.back(is, before)
            }
            Pattern::Repeat { .. } => self.repeat(0, (first, rest), trees, at, then),
        }
    }

    /// The same after some repetitions of the first pattern: as many more as there are.
    fn repeat(
        &mut self,
        count: usize,
        (first, rest): (&Pattern, &[Pattern]),
        trees: &[TokenTree],
        at: usize,
        then: Then,
    ) -> bool {
        let Pattern::Repeat { inner, separator, times } = first else { unreachable!("called with one") };
        let before = self.0.len();
        let start = match count {
            0 => Some(at),
            _ if *times == Times::Optional => None,
            _ if separator.is_empty() => Some(at),
            _ => starts_with(&trees[at..], separator).then_some(at + separator.len()),
        };
        if let Some(start) = start {
            self.0.push(Event::Iteration);
            let more = self.sequence(inner, trees, start, &mut |log, end| {
                end > at && log.repeat(count + 1, (first, rest), trees, end, then)
            });
            if self.back(more, before) {
                return true;
            }
        }
        if count == 0 && *times == Times::Some {
            return false;
        }
        self.0.push(Event::End);
        let is = self.sequence(rest, trees, at, then);
        self.back(is, before)
    }

    fn back(&mut self, is: bool, before: usize) -> bool {
        if !is {
            self.0.truncate(before);
        }
        is
    }
}

fn bindings(patterns: &[Pattern], events: &mut dyn Iterator<Item = Event>) -> Bindings {
    let mut found = Bindings::new();
    for pattern in patterns {
        match pattern {
            Pattern::Token(_) => {}
            Pattern::Group(_, inner) => found.extend(bindings(inner, events)),
            Pattern::Fragment(name, _) => {
                let Some(Event::Bound(tokens)) = events.next() else {
                    unreachable!("in the order of the pattern")
                };
                found.insert(name.clone(), Bound::One(tokens));
            }
            Pattern::Repeat { inner, .. } => {
                let mut all: HashMap<String, Vec<Bound>> = HashMap::new();
                names(inner, &mut |name| _ = all.insert(name.to_owned(), Vec::new()));
                while let Some(Event::Iteration) = events.next() {
                    for (name, bound) in bindings(inner, events) {
                        all.get_mut(&name).expect("a name of the pattern").push(bound);
                    }
                }
                found.extend(all.into_iter().map(|(name, bound)| (name, Bound::Many(bound))));
            }
        }
    }
    found
}

fn names(patterns: &[Pattern], found: &mut dyn FnMut(&str)) {
    for pattern in patterns {
        match pattern {
            Pattern::Token(_) => {}
            Pattern::Fragment(name, _) => found(name),
            Pattern::Group(_, inner) | Pattern::Repeat { inner, .. } => names(inner, found),
        }
    }
}

/// What stands in invisible delimiters, and how many there are.
pub fn opened(group: &Group) -> (TokenStream, usize) {
    let (mut inner, mut depth) = (group.stream(), 1);
    loop {
        let mut trees = inner.clone().into_iter();
        match (trees.next(), trees.next()) {
            (Some(TokenTree::Group(g)), None) if g.delimiter() == Delimiter::None => {
                (inner, depth) = (g.stream(), depth + 1);
            }
            _ => return (inner, depth),
        }
    }
}

/// How many delimiters a fragment in invisible delimiters has.
fn sort(tree: Option<&TokenTree>) -> Option<usize> {
    match tree {
        Some(TokenTree::Group(g)) if g.delimiter() == Delimiter::None => Some(opened(g).1),
        _ => None,
    }
}

/// How many trees a fragment of a kind takes from the start.
fn fragment(kind: Kind, trees: &[TokenTree]) -> Option<usize> {
    let first = trees.first();
    let invisible = sort(first);
    let parsed = |parse: fn(ParseStream) -> syn::Result<()>| taken(trees, parse);
    match kind {
        Kind::Tree => token(trees),
        Kind::Ident => matches!(first, Some(TokenTree::Ident(name)) if name != "_").then_some(1),
        Kind::Lifetime => (is_punct(first, '\'') && trees.len() > 1).then_some(2),
        Kind::Block => match first {
            Some(TokenTree::Group(g)) if g.delimiter() == Delimiter::Brace => Some(1),
            _ if invisible.is_some() => parsed(|input| input.parse::<syn::Block>().map(drop)),
            _ => None,
        },
        Kind::Literal => parsed(literal),
        Kind::Expr if invisible == Some(Sort::Type as usize) => None,
        Kind::Expr => parsed(|input| input.parse::<syn::Expr>().map(drop)),
        Kind::Type if invisible == Some(Sort::Expr as usize) => None,
        Kind::Type => parsed(|input| input.parse::<syn::Type>().map(drop)),
        Kind::Path => parsed(|input| input.parse::<syn::Path>().map(drop)),
        Kind::Pat => parsed(|input| syn::Pat::parse_multi_with_leading_vert(input).map(drop)),
        Kind::PatParam => parsed(|input| syn::Pat::parse_single(input).map(drop)),
        Kind::Item => parsed(|input| input.parse::<syn::Item>().map(drop)),
        Kind::Meta => parsed(|input| input.parse::<syn::Meta>().map(drop)),
        Kind::Vis => taken_or_nothing(trees, |input| input.parse::<syn::Visibility>().map(drop)),
        Kind::Stmt => match first? {
            // A statement is matched without its `;`.
            TokenTree::Ident(name) if name == "let" => {
                Some(trees.iter().position(|tree| is_punct(Some(tree), ';')).unwrap_or(trees.len()))
            }
            _ => parsed(|input| input.parse::<syn::Expr>().map(drop))
                .or_else(|| parsed(|input| input.parse::<syn::Item>().map(drop))),
        },
    }
}

fn literal(input: ParseStream) -> syn::Result<()> {
    if let Ok((inner, _)) = input.step(|cursor| match cursor.group(Delimiter::None) {
        Some((inner, _, rest)) => Ok(((inner.token_stream(), ()), rest)),
        None => Err(cursor.error("no group")),
    }) {
        return literal.parse2(inner);
    }
    input.parse::<Option<syn::Token![-]>>()?;
    input.parse::<syn::Lit>().map(drop)
}

/// How many trees a parser takes; `None` if it takes none.
fn taken(trees: &[TokenTree], parse: fn(ParseStream) -> syn::Result<()>) -> Option<usize> {
    taken_or_nothing(trees, parse).filter(|taken| *taken > 0)
}

fn taken_or_nothing(trees: &[TokenTree], parse: fn(ParseStream) -> syn::Result<()>) -> Option<usize> {
    let tokens: TokenStream = trees.iter().cloned().collect();
    let parser = |input: ParseStream| {
        parse(input)?;
        input.parse::<TokenStream>()
    };
    let rest = parser.parse2(tokens).ok()?;
    trees.len().checked_sub(rest.into_iter().count())
}

/// A fragment as what it is to other macros.
fn bound(kind: Kind, trees: &[TokenTree]) -> TokenStream {
    let tokens: TokenStream = trees.iter().cloned().collect();
    let negative = is_punct(trees.first(), '-');
    let sort = match kind {
        Kind::Ident | Kind::Lifetime | Kind::Tree | Kind::Vis => return tokens,
        Kind::Expr => Sort::Expr,
        Kind::Literal if negative => Sort::Expr,
        Kind::Type => Sort::Type,
        _ => Sort::Other,
    };
    if let ([one], Some(_)) = (trees, self::sort(trees.first())) {
        return one.clone().into();
    }
    let mut tokens = tokens;
    for _ in 0..sort as usize {
        tokens = TokenTree::Group(Group::new(Delimiter::None, tokens)).into();
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(pattern: &str, tokens: &str) -> Option<Bindings> {
        let patterns = parse(pattern.parse().expect("tokens")).expect("a pattern");
        matches(&patterns, tokens.parse().expect("tokens"))
    }

    fn show(bound: &Bound) -> String {
        match bound {
            Bound::One(tokens) => tokens.to_string(),
            Bound::Many(all) => format!("[{}]", all.iter().map(show).collect::<Vec<_>>().join(" | ")),
        }
    }

    fn shown(pattern: &str, tokens: &str) -> Option<String> {
        let bindings = of(pattern, tokens)?;
        let mut all: Vec<_> =
            bindings.iter().map(|(name, bound)| format!("{name}={}", show(bound))).collect();
        all.sort();
        Some(all.join(" "))
    }

    #[test]
    fn fragments() {
        for (pattern, tokens, expected) in [
            ("$a:expr, $b:ident", "1 + f(2), c", Some("a=1 + f (2) b=c")),
            ("$t:ty; $p:pat", "Vec<Vec<u8>>; Some(1 | 2)", Some("p=Some (1 | 2) t=Vec < Vec < u8 >>")),
            ("$l:literal $b:block", "-1 { x }", Some("b={ x } l=- 1")),
            ("$l:lifetime: $t:tt", "'a: =>", Some("l='a t==>")),
            ("$v:vis $n:ident", "pub(crate) x", Some("n=x v=pub (crate)")),
            ("$v:vis $n:ident", "x", Some("n=x v=")),
            ("$p:path, $m:meta", "a::b, cfg(x)", Some("m=cfg (x) p=a :: b")),
            ("$s:stmt; $e:expr", "let x = 1; x", Some("e=x s=let x = 1")),
            ("$i:ident", "_", None),
            ("$i:ident", "1", None),
            ("$e:expr", "", None),
            ("$e:expr", "1, 2", None),
            ("a => $b:tt", "a => { c }", Some("b={ c }")),
            ("a = $b:tt", "a == c", None),
            ("a == b", "a == b", Some("")),
            ("@step $x:tt", "@step (1)", Some("x=(1)")),
            ("($a:expr) [$b:expr]", "(1) [2]", Some("a=1 b=2")),
        ] {
            assert_eq!(shown(pattern, tokens).as_deref(), expected, "{pattern} on {tokens}");
        }
    }

    #[test]
    fn repetitions() {
        for (pattern, tokens, expected) in [
            ("$($x:expr),*", "1, a + b, f(c)", Some("x=[1 | a + b | f (c)]")),
            ("$($x:expr),*", "", Some("x=[]")),
            ("$($x:expr),+", "", None),
            ("$($x:expr),* $(,)?", "1, 2,", Some("x=[1 | 2]")),
            ("$first:expr $(, $x:expr)*", "1, 2, 3", Some("first=1 x=[2 | 3]")),
            ("$($k:ident => $v:expr);* ; end", "a => 1; b => 2; end", Some("k=[a | b] v=[1 | 2]")),
            ("$([$($x:expr),*]),*", "[1, 2], [], [3]", Some("x=[[1 | 2] | [] | [3]]")),
            ("$($x:ident)=>+", "a => b => c", Some("x=[a | b | c]")),
            ("$($t:tt)*", "a + (b) 'c", Some("t=[a | + | (b) | 'c]")),
            ("$(a)? b", "a b", Some("")),
            ("$(a)? b", "a a b", None),
            ("$($x:ident)* ; $($y:ident)*", "a b ; c", Some("x=[a | b] y=[c]")),
        ] {
            assert_eq!(shown(pattern, tokens).as_deref(), expected, "{pattern} on {tokens}");
        }
    }

    /// What another macro gives is one expression.
    #[test]
    fn fragments_stay_whole() {
        let bindings = of("$e:expr", "1 + 2").expect("it matches");
        let Bound::One(group) = &bindings["e"] else { panic!("one") };
        let on = |pattern: &str| {
            matches(&parse(pattern.parse().expect("tokens")).expect("a pattern"), group.clone())
        };
        assert!(on("$x:expr").is_some() && on("$x:tt").is_some());
        assert!(on("1 + 2").is_none() && on("$x:ty").is_none() && on("$x:literal").is_none());
        let bindings = of("$e:expr", "x").expect("it matches");
        let Bound::One(group) = &bindings["e"] else { panic!("one") };
        let on = |pattern: &str| {
            matches(&parse(pattern.parse().expect("tokens")).expect("a pattern"), group.clone())
        };
        assert!(on("$x:ident").is_none() && on("x").is_none() && on("$x:expr").is_some());
    }
}
