//! Hygiene: variables and labels of a macro's own text are others than those of its caller.
//!
//! While a rule is transcribed, each name of its text gets a tag with the number of the expansion. In the function that has been expanded, variables and
//! labels that tagged names bind get a name of their own where the function or another expansion has the same one. All other names lose the tag. A name that is
//! no variable of its expansion, but one of the function, means the function's only if the macro is defined in the function.
use crate::parse;
use crate::parse::tokens::format_text;
use crate::parse::tokens::leaves::{leaves, regrouped};
use crate::parse::tokens::source::is_word;
use crate::sema::syntax::names::times_bound;
use crate::sema::syntax::scope::{self, Scopes};
use proc_macro2::{Ident, Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use std::collections::{HashMap, HashSet};
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, Item, LitStr, Member, Pat, Signature};

/// What a tag begins with; the number and the name follow.
const TAG: &str = "__omp_rule";

/// The expansion of a call.
pub struct Expansion {
    /// The macro.
    pub name: String,
    /// It is defined in the function that calls it.
    pub local: bool,
}

/// A variable of the caller's that a macro names.
pub struct Captured {
    pub name: Ident,
    /// The macro.
    pub by: String,
}

/// A token of a rule, in an expansion. `self::a` is a path.
pub fn tagged(tree: &TokenTree, path: bool, number: usize, span: Span) -> TokenTree {
    // Lints say nothing of what a macro makes, which its keywords and punctuation show.
    let made = Span::mixed_site().located_at(span);
    let mut tree = match tree {
        TokenTree::Ident(name) if is_taggable(&name.to_string(), path) => {
            return Ident::new(&format!("{TAG}{number}_{name}"), span).into();
        }
        TokenTree::Ident(name) if ["self", "Self", "super", "crate"].iter().any(|root| name == root) => {
            return Ident::new(&name.to_string(), span).into();
        }
        TokenTree::Literal(literal) => {
            let tag = |name: &str| is_taggable(name, false).then(|| format!("{TAG}{number}_{name}"));
            let mut literal = with_names(literal, tag).unwrap_or_else(|| literal.clone());
            // (A format names variables in its text.)
            literal.set_span(span);
            return literal.into();
        }
        other => other.clone(),
    };
    tree.set_span(made);
    tree
}

/// Whether a name may be that of a variable, or of something else that is no keyword.
fn is_taggable(name: &str, path: bool) -> bool {
    // Words that are keywords in some places.
    const WORDS: [&str; 7] = ["macro_rules", "union", "auto", "default", "raw", "safe", "omp"];
    if name == "self" {
        return !path;
    }
    !name.starts_with("r#") && !WORDS.contains(&name) && syn::parse_str::<Ident>(name).is_ok()
}

/// The number and the name of a tagged name.
fn parts(name: &str) -> Option<(usize, &str)> {
    let (number, name) = name.strip_prefix(TAG)?.split_once('_')?;
    Some((number.parse().ok()?, name))
}

/// A name without its tag.
pub fn plain(name: &str) -> &str {
    parts(name).map_or(name, |(_, name)| name)
}

fn untagged(name: &Ident) -> Ident {
    Ident::new(plain(&name.to_string()), name.span())
}

/// Whether tokens have tags.
pub fn has_tags(tokens: TokenStream) -> bool {
    leaves(tokens).any(|leaf| leaf.to_string().contains(TAG))
}

/// A text in which other names stand in the place of those that `change` gives.
fn with_names(literal: &Literal, change: impl Fn(&str) -> Option<String>) -> Option<Literal> {
    let syn::Lit::Str(text) = syn::Lit::new(literal.clone()) else { return None };
    changed(&text.value(), change).map(|text| Literal::string(&text))
}

/// The same for the text itself: its arguments `{name}`, widths and precisions.
fn changed(text: &str, change: impl Fn(&str) -> Option<String>) -> Option<String> {
    let names: HashSet<String> = format_text::names(text).into_iter().collect();
    let changes: HashMap<&str, String> =
        names.iter().filter_map(|name| Some((&**name, change(name)?))).collect();
    if changes.is_empty() {
        return None;
    }
    let (mut out, mut rest) = (String::new(), text);
    let mut inside = false;
    while let Some(c) = rest.chars().next() {
        if !inside && (rest.starts_with("{{") || rest.starts_with("}}")) {
            out.push_str(&rest[..2]);
            rest = &rest[2..];
        } else if inside && is_word(c) {
            let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            let starts = out.ends_with(|c: char| c == '{' || c.is_whitespace());
            let name = word.trim_start_matches(|c: char| c.is_ascii_digit());
            match changes.get(name).filter(|_| starts || after.starts_with('$')) {
                Some(new) => {
                    out.push_str(&word[..word.len() - name.len()]);
                    out.push_str(new);
                }
                None => out.push_str(word),
            }
            rest = after;
        } else {
            inside = (inside || c == '{') && c != '}';
            out.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    Some(out)
}

/// Gives the names of a function that has expansions their meanings. What is captured stands for the function's variable.
pub fn resolve(sig: &mut Signature, block: &mut Block, expansions: &[Expansion]) -> Vec<Captured> {
    let names = Spellings::of(quote!(#sig #block));
    let mut binds = Binds { names, fresh: HashMap::new() };
    let times = times_bound(sig, block);
    let labels = crate::sema::syntax::jumps::labels(block);
    binds.visit_block_mut(block);
    let mut uses = Uses {
        fresh: &binds.fresh,
        times,
        labels,
        expansions,
        hidden: Vec::new(),
        in_macro: false,
        captured: Vec::new(),
    };
    uses.visit_block_mut(block);
    let captured = uses.captured;
    Untag.visit_block_mut(block);
    captured
}

/// The names of a function.
struct Spellings {
    /// Those without tags.
    own: HashSet<String>,
    /// The expansions that have each name.
    tagged: HashMap<String, HashSet<usize>>,
}

impl Spellings {
    fn of(tokens: TokenStream) -> Self {
        let mut names = Self { own: HashSet::new(), tagged: HashMap::new() };
        for leaf in leaves(tokens) {
            match leaf {
                TokenTree::Ident(name) => names.add(&name.to_string()),
                TokenTree::Literal(text) => {
                    format_text::of_literal(&text).iter().for_each(|name| names.add(name));
                }
                _ => {}
            }
        }
        names
    }

    fn add(&mut self, name: &str) {
        match parts(name) {
            Some((number, name)) => _ = self.tagged.entry(name.to_owned()).or_default().insert(number),
            None => _ = self.own.insert(name.to_owned()),
        }
    }

    /// A name that nothing else has. (Each is used once.)
    fn fresh(&mut self, name: &str) -> String {
        let others = self.tagged.get(name).map_or(0, HashSet::len);
        if others < 2 && !self.own.contains(name) {
            return name.to_owned();
        }
        let all = (1..).map(|n| format!("{}_{n}", name.trim_start_matches("r#")));
        let is_new = |new: &String| !self.own.contains(new) && !self.tagged.contains_key(new);
        let new = all.into_iter().find(is_new).expect("there are more numbers than names");
        self.own.insert(new.clone());
        new
    }
}

/// Changes the arguments of a macro that is given expressions; whether it is.
fn in_arguments(m: &mut syn::Macro, change: impl FnMut(&mut Expr)) -> bool {
    if !has_tags(m.tokens.clone()) {
        return true;
    }
    let Some(mut args) = parse::arguments(m) else { return false };
    args.iter_mut().for_each(change);
    m.tokens = args.into_token_stream();
    true
}

/// Renames the variables and the labels that tagged names bind.
struct Binds {
    names: Spellings,
    /// By tagged name.
    fresh: HashMap<String, String>,
}

impl Binds {
    fn rename(&mut self, ident: &mut Ident) {
        let tagged = ident.to_string();
        let Some((_, name)) = parts(&tagged) else { return };
        // A capital may be a const's.
        if name.trim_start_matches('_').starts_with(char::is_uppercase) {
            return;
        }
        let names = &mut self.names;
        let fresh = self.fresh.entry(tagged.clone()).or_insert_with(|| names.fresh(name));
        *ident = Ident::new(fresh, ident.span());
    }
}

impl VisitMut for Binds {
    fn visit_pat_ident_mut(&mut self, p: &mut syn::PatIdent) {
        self.rename(&mut p.ident);
        visit_mut::visit_pat_ident_mut(self, p);
    }

    /// `S { x }` in a pattern.
    fn visit_field_pat_mut(&mut self, f: &mut syn::FieldPat) {
        visit_mut::visit_field_pat_mut(self, f);
        if let (None, Member::Named(field), Pat::Ident(p)) = (&f.colon_token, &f.member, &*f.pat)
            && p.ident != plain(&field.to_string())
        {
            f.colon_token = Some(syn::Token![:](field.span()));
        }
    }

    fn visit_label_mut(&mut self, l: &mut syn::Label) {
        self.rename(&mut l.name.ident);
    }

    fn visit_macro_mut(&mut self, m: &mut syn::Macro) {
        in_arguments(m, |e| self.visit_expr_mut(e));
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}

/// Gives variables and labels the names that [`Binds`] has given them.
struct Uses<'a> {
    fresh: &'a HashMap<String, String>,
    /// How often the function itself binds each name.
    times: HashMap<String, usize>,
    labels: Vec<String>,
    expansions: &'a [Expansion],
    hidden: Vec<String>,
    in_macro: bool,
    captured: Vec<Captured>,
}

impl Uses<'_> {
    /// The name that a tagged one has here; `None` if it has no tag.
    fn meaning(&mut self, tagged: &str, span: Span) -> Option<String> {
        let (number, name) = parts(tagged)?;
        if let Some(fresh) = self.fresh.get(tagged)
            && self.hidden.iter().any(|hidden| hidden == fresh)
        {
            return Some(fresh.clone());
        }
        let times = self.times.get(name).copied().unwrap_or(0);
        self.free(number, name, times, span);
        Some(name.to_owned())
    }

    /// A name that is none of its expansion's.
    fn free(&mut self, number: usize, name: &str, times: usize, span: Span) {
        let by = self.expansions.get(number);
        let is_seen = times == 0 || by.is_some_and(|by| by.local && times == 1);
        if !is_seen {
            let by = by.map(|by| by.name.clone()).unwrap_or_default();
            self.captured.push(Captured { name: Ident::new(name, span), by });
        }
    }

    fn label(&mut self, label: Option<&mut syn::Lifetime>) {
        let Some(label) = label else { return };
        let tagged = label.ident.to_string();
        let Some((number, name)) = parts(&tagged) else { return };
        match self.fresh.get(&tagged) {
            Some(fresh) => label.ident = Ident::new(fresh, label.ident.span()),
            None => {
                let times = self.labels.iter().filter(|other| *other == name).count();
                self.free(number, name, times, label.ident.span());
            }
        }
    }

    fn tokens(&mut self, tokens: TokenStream) -> TokenStream {
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        let is = |at: Option<usize>, c| {
            at.and_then(|at| trees.get(at))
                .is_some_and(|tree| matches!(tree, TokenTree::Punct(p) if p.as_char() == c))
        };
        let tree = |(at, tree): (usize, &TokenTree)| match tree {
            TokenTree::Group(g) => regrouped(g, self.tokens(g.stream())),
            TokenTree::Ident(name) => {
                let of_field = is(at.checked_sub(1), '.') && !is(at.checked_sub(2), '.');
                let of_path = is(at.checked_sub(1), ':') || is(Some(at + 1), ':') || is(Some(at + 1), '!');
                let meaning = (!of_field && !of_path).then(|| self.meaning(&name.to_string(), name.span()));
                match meaning.flatten() {
                    Some(new) => Ident::new(&new, name.span()).into(),
                    None => untagged_tree(tree),
                }
            }
            other => untagged_tree(other),
        };
        trees.iter().enumerate().map(tree).collect()
    }
}

impl Scopes for Uses<'_> {
    fn hidden(&mut self) -> &mut Vec<String> {
        &mut self.hidden
    }
}

impl VisitMut for Uses<'_> {
    scope::visits!();

    fn visit_expr_closure_mut(&mut self, c: &mut syn::ExprClosure) {
        let before = self.hidden.len();
        self.hidden.extend(c.inputs.iter().flat_map(crate::sema::syntax::names::bound));
        visit_mut::visit_expr_closure_mut(self, c);
        self.hidden.truncate(before);
    }

    fn visit_expr_path_mut(&mut self, p: &mut syn::ExprPath) {
        if p.qself.is_none()
            && let Some(name) = p.path.get_ident()
            && let Some(new) = self.meaning(&name.to_string(), name.span())
        {
            p.path = Ident::new(&new, name.span()).into();
        }
    }

    /// `S { x }`.
    fn visit_field_value_mut(&mut self, f: &mut syn::FieldValue) {
        self.visit_expr_mut(&mut f.expr);
        if let (None, Member::Named(field), Expr::Path(p)) = (&f.colon_token, &f.member, &f.expr)
            && !p.path.is_ident(plain(&field.to_string()))
        {
            f.colon_token = Some(syn::Token![:](field.span()));
        }
    }

    fn visit_expr_break_mut(&mut self, b: &mut syn::ExprBreak) {
        self.label(b.label.as_mut());
        visit_mut::visit_expr_break_mut(self, b);
    }

    fn visit_expr_continue_mut(&mut self, c: &mut syn::ExprContinue) {
        self.label(c.label.as_mut());
    }

    fn visit_lit_str_mut(&mut self, text: &mut LitStr) {
        if self.in_macro {
            let span = text.span();
            let found = std::cell::RefCell::new(&mut *self);
            if let Some(new) = changed(&text.value(), |name| found.borrow_mut().meaning(name, span)) {
                *text = LitStr::new(&new, span);
            }
        }
    }

    fn visit_macro_mut(&mut self, m: &mut syn::Macro) {
        let before = std::mem::replace(&mut self.in_macro, true);
        if !in_arguments(m, |e| self.visit_expr_mut(e)) {
            m.tokens = self.tokens(std::mem::take(&mut m.tokens));
        }
        self.in_macro = before;
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}

/// Takes the tags off what is left.
struct Untag;

fn untagged_tree(tree: &TokenTree) -> TokenTree {
    match tree {
        TokenTree::Ident(name) => untagged(name).into(),
        TokenTree::Group(g) => {
            regrouped(g, g.stream().into_iter().map(|tree| untagged_tree(&tree)).collect())
        }
        TokenTree::Literal(text) => {
            let new = with_names(text, |name| parts(name).map(|(_, name)| name.to_owned()));
            let mut new = new.unwrap_or_else(|| text.clone());
            new.set_span(text.span());
            new.into()
        }
        TokenTree::Punct(_) => tree.clone(),
    }
}

impl VisitMut for Untag {
    fn visit_ident_mut(&mut self, name: &mut Ident) {
        if parts(&name.to_string()).is_some() {
            *name = untagged(name);
        }
    }

    fn visit_lit_str_mut(&mut self, text: &mut LitStr) {
        let new = changed(&text.value(), |name| parts(name).map(|(_, name)| name.to_owned()));
        if let Some(new) = new {
            *text = LitStr::new(&new, text.span());
        }
    }

    fn visit_token_stream_mut(&mut self, tokens: &mut TokenStream) {
        if has_tags(tokens.clone()) {
            *tokens = std::mem::take(tokens).into_iter().map(|tree| untagged_tree(&tree)).collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_texts() {
        let of = |text: &str| changed(text, |name| (name == "t").then(|| "t_1".to_owned()));
        assert_eq!(of("{t} {{t}} {t:?} {x:t$} t {0}").as_deref(), Some("{t_1} {{t}} {t_1:?} {x:t_1$} t {0}"));
        assert_eq!(of("{x} t"), None);
        assert_eq!(of("{x:>08t$}").as_deref(), Some("{x:>08t_1$}"));
    }
}
