//! Calls of a user's `macro_rules!` in what devices run: bodies of loops and blocks with directives, and device functions.
//!
//! No procedural macro on stable Rust can have rustc expand a macro. So the rules are applied here, before all other phases, in the code that the
//! host runs as well: host and device have the same expansion. The definition is looked for in the item, and then in the item's source file
//! ([`definitions`]). [`matcher`] and [`transcriber`] apply its rules, and [`hygiene`] keeps the variables of macro and caller apart.
//!
//! rustc would warn of a macro that it sees no call of. So it also gets the function as the user wrote it, under a name without calls:
//! there it expands the macros itself, and reports what is wrong in them.
pub mod definitions;
mod hygiene;
mod matcher;
#[cfg(test)]
mod tests;
mod transcriber;

use crate::ast::DirectiveKind;
use crate::diag::{Code, Sink};
use crate::expand::{Methods, is_declare_target, is_of_macro};
use crate::glue;
use crate::parse::attributes::Strip;
use crate::parse::std_macros::is_std;
use crate::parse::tokens::raw;
use crate::parse::tokens::source::squeezed;
use crate::parse::{arguments, directive};
use crate::sema::reduction::updates::is_assignment;
use crate::visits::{self, Node};
use hygiene::{Expansion, plain};
use matcher::{Pattern, is_punct};
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use syn::parse::{ParseStream, Parser};
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{
    Attribute, Block, Expr, ImplItem, Item, ItemFn, ItemImpl, ItemMacro, Macro, Path, Stmt, TraitItem,
};
use transcriber::{Transcriber, is_atom, parentheses, settled};

/// Expansions inside of expansions, at most: as with rustc.
const DEPTH: usize = 128;

/// What of an item is expanded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// Statements with directives.
    Regions,
    /// The loops of a function with a directive.
    Loops,
    /// All bodies of functions.
    Whole,
}

/// Expands the calls in an item. If it has some, gives items for rustc: the functions that have such calls, as they were.
pub fn expand(item: &mut Item, extent: Extent, sink: &mut Sink) -> Option<TokenStream> {
    if !calls_in(&item.to_token_stream()) {
        return None;
    }
    let mut rules = Rules::new(extent, Some(sink));
    let copies = rules.alone(item);
    (!rules.expansions.is_empty()).then_some(copies)
}

/// The same, with what stands around the item. The file has the item as it was; but macros may call what else is there.
pub fn with_methods(item: &mut Item, extent: Extent, sink: &mut Sink) -> (Option<TokenStream>, Methods) {
    let around = Methods::around(item);
    with_these_methods(around, item, extent, sink)
}

/// The same, where it is known what stands around the item as it was.
pub fn with_these_methods(
    around: Methods,
    item: &mut Item,
    extent: Extent,
    sink: &mut Sink,
) -> (Option<TokenStream>, Methods) {
    let copies = expand(item, extent, sink);
    let again = copies.is_some() && around.is_empty();
    (copies, if again { Methods::around(item) } else { around })
}

/// Whether functions and methods call macros that may be the user's.
pub fn are_called_in(items: &[Item]) -> bool {
    items.iter().any(|item| match item {
        Item::Fn(_) | Item::Impl(_) => calls_in(&item.to_token_stream()),
        _ => false,
    })
}

/// Expands the calls in functions and methods whose bodies replace their calls.
pub fn in_items(items: &mut [Item]) {
    if are_called_in(items) {
        let mut rules = Rules::new(Extent::Whole, None);
        for item in items {
            match item {
                Item::Macro(m) => rules.define(m),
                Item::Fn(_) | Item::Impl(_) => _ = rules.item(item),
                _ => {}
            }
        }
    }
}

/// Why a macro's call has not been expanded, and what to do.
pub fn help(path: &Path) -> String {
    let Some(last) = path.segments.last() else { return String::new() };
    let name = last.ident.to_string();
    match definitions::refused(&name, last.ident.span()) {
        Some(refused) => refused.help(&name),
        None => {
            format!("`{name}!` is defined in this file, but no rule of it that bodies can have matches this")
        }
    }
}

/// Whether tokens have a call of a macro that may be the user's.
fn calls_in(tokens: &TokenStream) -> bool {
    let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
    trees.iter().enumerate().any(|(at, tree)| match tree {
        TokenTree::Group(g) => calls_in(&g.stream()),
        TokenTree::Ident(name) => {
            is_punct(trees.get(at + 1), '!')
                && matches!(trees.get(at + 2), Some(TokenTree::Group(_)))
                && !is_std(plain(&name.to_string()))
        }
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// The name of a macro that may be the user's, and whether it is a path.
fn called(path: &Path) -> Option<(String, bool)> {
    if path.leading_colon.is_some() || path.segments.iter().any(|s| !s.arguments.is_none()) {
        return None;
    }
    let names: Vec<String> = path.segments.iter().map(|s| plain(&s.ident.to_string()).to_owned()).collect();
    let (name, by_path) = match &names[..] {
        [name] => (name, false),
        [root, name] if root == "crate" || root == "self" => (name, true),
        _ => return None,
    };
    (!is_std(name)).then(|| (name.clone(), by_path))
}

/// A macro.
struct Definition {
    rules: Vec<(Vec<Pattern>, TokenStream)>,
    /// The function that it is defined in.
    function: usize,
}

impl Definition {
    /// `None` if a rule has something that is not supported.
    fn read(tokens: TokenStream, function: usize) -> Option<Self> {
        let trees: Vec<TokenTree> = raw::plain(tokens).into_iter().collect();
        let mut rules = Vec::new();
        let mut rest = &trees[..];
        while let [TokenTree::Group(pattern), equals, arrow, TokenTree::Group(body), after @ ..] = rest {
            if !is_punct(Some(equals), '=') || !is_punct(Some(arrow), '>') {
                return None;
            }
            rules.push((matcher::parse(pattern.stream())?, body.stream()));
            rest = if is_punct(after.first(), ';') { &after[1..] } else { after };
        }
        rest.is_empty().then_some(Self { rules, function })
    }
}

struct Rules<'s> {
    extent: Extent,
    /// Without one, functions with errors stay as they are.
    sink: Option<&'s mut Sink>,
    /// The code is what devices run.
    active: bool,
    /// The function has a directive on itself.
    short: bool,
    /// The expression is an operand.
    operand: bool,
    depth: usize,
    /// The number of the function, and how many there are.
    function: usize,
    functions: usize,
    /// The macros in scope; `None` for those that are not supported.
    scope: Vec<(String, Option<Rc<Definition>>)>,
    /// The macros of the file, by name.
    of_file: HashMap<String, Option<Rc<Definition>>>,
    expansions: Vec<Expansion>,
    /// Macros of the item that were expanded, and those that also have other calls.
    used: HashSet<String>,
    failed: HashSet<String>,
    /// rustc would warn of a macro that was expanded.
    warns: bool,
}

impl<'s> Rules<'s> {
    fn new(extent: Extent, sink: Option<&'s mut Sink>) -> Self {
        Self {
            extent,
            sink,
            active: extent == Extent::Whole,
            short: false,
            operand: false,
            depth: 0,
            function: 0,
            functions: 0,
            scope: Vec::new(),
            of_file: HashMap::new(),
            expansions: Vec::new(),
            used: HashSet::new(),
            failed: HashSet::new(),
            warns: false,
        }
    }

    /// An item that an attribute is on.
    fn alone(&mut self, item: &mut Item) -> TokenStream {
        let Item::Fn(f) = item else { return self.item(item) };
        match definitions::place_of(f.sig.ident.span()) {
            definitions::Place::Free => self.of_fn(f),
            definitions::Place::Unknown => {
                self.of_fn(f);
                TokenStream::new()
            }
            definitions::Place::OfTrait(head) => {
                let of = syn::parse_str::<ItemImpl>(&format!("{head}{{}}"));
                let before = f.clone();
                if self.function(&f.attrs, &mut f.sig, &mut f.block)
                    && let (Ok(of), Some(copy)) = (of, copy(&[], before.sig, *before.block))
                    && let Some(copy) = of_trait(&of, &[copy])
                {
                    f.block.stmts.insert(0, Stmt::Item(Item::Verbatim(copy)));
                }
                TokenStream::new()
            }
        }
    }

    fn item(&mut self, item: &mut Item) -> TokenStream {
        match item {
            Item::Fn(f) => self.of_fn(f),
            Item::Impl(i) => self.of_impl(i),
            Item::Trait(t) => {
                for item in &mut t.items {
                    if let TraitItem::Fn(f) = item
                        && let Some(body) = &mut f.default
                    {
                        self.function(&f.attrs, &mut f.sig, body);
                    }
                }
                TokenStream::new()
            }
            Item::Mod(m) => {
                self.of_mod(m);
                TokenStream::new()
            }
            _ => TokenStream::new(),
        }
    }

    fn of_mod(&mut self, m: &mut syn::ItemMod) {
        let Some((_, items)) = &mut m.content else { return };
        let before = self.scope.len();
        let mut out = Vec::new();
        for mut item in std::mem::take(items) {
            if let Item::Macro(m) = &item {
                self.define(m);
            }
            let copies = self.item(&mut item);
            out.push(item);
            out.extend((!copies.is_empty()).then_some(Item::Verbatim(copies)));
        }
        *items = out;
        items.iter_mut().for_each(|item| self.allow_unused(item));
        if !m.attrs.iter().any(|a| a.path().is_ident("macro_use")) {
            self.scope.truncate(before);
        }
    }

    fn of_fn(&mut self, f: &mut ItemFn) -> TokenStream {
        let before = f.clone();
        if !self.function(&f.attrs, &mut f.sig, &mut f.block) {
            return TokenStream::new();
        }
        copy(&f.attrs, before.sig, *before.block).map(|copy| copy.whole).unwrap_or_default()
    }

    fn of_impl(&mut self, i: &mut ItemImpl) -> TokenStream {
        let active = self.active;
        self.active |= i.attrs.iter().any(is_declared);
        let mut copies = Vec::new();
        for item in &mut i.items {
            if let ImplItem::Fn(f) = item {
                let (sig, block) = (f.sig.clone(), f.block.clone());
                if self.function(&f.attrs, &mut f.sig, &mut f.block) {
                    copies.extend(copy(&f.attrs, sig, block));
                }
            }
        }
        self.active = active;
        match &i.trait_ {
            _ if copies.is_empty() => TokenStream::new(),
            Some(_) => of_trait(i, &copies).unwrap_or_default(),
            None => {
                let (generics, ty, bounds) = (&i.generics, &i.self_ty, &i.generics.where_clause);
                let conditions = glue::cfgs(&i.attrs);
                let copies = copies.iter().map(|copy| &copy.whole);
                quote!(#conditions impl #generics #ty #bounds { #(#copies)* })
            }
        }
    }

    /// Expands the calls in a function; whether rustc would warn of their macros.
    fn function(&mut self, attrs: &[Attribute], sig: &mut syn::Signature, block: &mut Block) -> bool {
        if !calls_in(&block.to_token_stream()) {
            return false;
        }
        let before = block.clone();
        self.functions += 1;
        let function = std::mem::replace(&mut self.function, self.functions);
        let active = self.active;
        self.active |= attrs.iter().any(is_declared);
        let is_short = self.extent == Extent::Loops || attrs.iter().any(is_region);
        let short = std::mem::replace(&mut self.short, is_short);
        let warns = std::mem::take(&mut self.warns);
        let count = self.expansions.len();
        self.visit_block_mut(block);
        let warned = std::mem::replace(&mut self.warns, warns);
        (self.function, self.active, self.short) = (function, active, short);
        if self.expansions.len() == count {
            return false;
        }
        let captured = hygiene::resolve(sig, block, &self.expansions);
        if captured.is_empty() {
            self.warns |= warned;
            return warned;
        }
        match &mut self.sink {
            Some(sink) => {
                for found in captured {
                    let (name, by) = (&found.name, &found.by);
                    sink.error(
                        Code::UnsupportedMacro,
                        name.span(),
                        format!("`{by}!` names `{name}`, which is a variable of the function that calls it"),
                    )
                    .help(format!("pass it as an argument: `{by}!({name}, …)`"));
                }
            }
            None => *block = before,
        }
        false
    }

    /// A `macro_rules!` of the item.
    fn define(&mut self, m: &ItemMacro) {
        if let Some(name) = &m.ident
            && m.mac.path.is_ident("macro_rules")
        {
            let conditional = m.attrs.iter().any(|a| a.path().is_ident("cfg"));
            let read = || Definition::read(m.mac.tokens.clone(), self.function).map(Rc::new);
            let definition = if conditional { None } else { read() };
            self.scope.push((name.to_string(), definition));
        }
    }

    /// rustc sees no call of a macro that is expanded here.
    fn allow_unused(&self, item: &mut Item) {
        if let Item::Macro(m) = item
            && m.ident.as_ref().is_some_and(|name| self.used.contains(&name.to_string()))
        {
            m.attrs.push(syn::parse_quote!(#[allow(unused_macros)]));
        }
    }

    fn find(&mut self, path: &Path) -> Option<(String, Rc<Definition>)> {
        let (name, by_path) = called(path)?;
        let span = path.segments.last()?.ident.span();
        if let Some((_, found)) = self.scope.iter().rev().find(|(other, _)| *other == name && !by_path) {
            let found = found.clone()?;
            self.used.insert(name.clone());
            return Some((name, found));
        }
        if !self.of_file.contains_key(&name) {
            let text = definitions::of_call(&name, span, by_path).ok();
            let tokens = text.and_then(|text| text.parse().ok());
            let found = tokens.and_then(|tokens| Definition::read(tokens, 0)).map(Rc::new);
            self.of_file.insert(name.clone(), found);
        }
        let found = self.of_file[&name].clone()?;
        self.warns |= definitions::is_private(&name, span, by_path);
        Some((name, found))
    }

    /// The tokens that a call stands for.
    fn expansion(&mut self, mac: &Macro) -> Option<TokenStream> {
        if !self.active {
            return None;
        }
        let (name, by_path) = called(&mac.path)?;
        let tokens = self.expanded(mac, by_path);
        if tokens.is_none() {
            self.failed.insert(name);
        }
        tokens
    }

    fn expanded(&mut self, mac: &Macro, _by_path: bool) -> Option<TokenStream> {
        if self.depth >= DEPTH {
            return None;
        }
        let (name, definition) = self.find(&mac.path)?;
        let span = mac.path.segments.last()?.ident.span();
        let found = definition.rules.iter().find_map(|(pattern, body)| {
            matcher::matches(pattern, mac.tokens.clone()).map(|bindings| (bindings, body))
        });
        let (bindings, body) = found?;
        let number = self.expansions.len();
        let tokens = Transcriber { number, span }.tokens(body.clone(), &bindings)?;
        let local = definition.function != 0 && definition.function == self.function;
        self.expansions.push(Expansion { name, local });
        Some(settled(tokens, &|name| !is_std(plain(name))))
    }

    /// The expression that a call stands for.
    fn expression(&mut self, mac: &Macro) -> Option<Expr> {
        let tokens = self.expansion(mac)?;
        if let Ok(e) = syn::parse2(tokens.clone()) {
            return Some(e);
        }
        // A `;` after an expression is left out, as by rustc.
        let mut stmts = Block::parse_within.parse2(tokens).ok()?;
        match (stmts.pop(), stmts.is_empty()) {
            (Some(Stmt::Expr(e, _)), true) => Some(e),
            (Some(Stmt::Macro(m)), true) => Some(Expr::Macro(syn::ExprMacro { attrs: m.attrs, mac: m.mac })),
            _ => {
                self.failed.extend(called(&mac.path).map(|(name, _)| name));
                None
            }
        }
    }

    /// The statements that a call stands for. The last one has the value, if there is no `;`.
    fn statements_of(&mut self, m: &syn::StmtMacro, last: bool) -> Option<Vec<Stmt>> {
        if !m.attrs.is_empty() {
            return None;
        }
        let tokens = self.expansion(&m.mac)?;
        let Ok(mut stmts) = Block::parse_within.parse2(tokens) else {
            self.failed.extend(called(&m.mac.path).map(|(name, _)| name));
            return None;
        };
        let ends = m.semi_token.is_some() || !last;
        let semi = m.semi_token.unwrap_or_default();
        match stmts.last_mut() {
            Some(Stmt::Expr(_, end @ None)) if ends => *end = Some(semi),
            Some(Stmt::Macro(inner)) if ends => _ = inner.semi_token.get_or_insert(semi),
            _ => {}
        }
        Some(stmts)
    }

    fn statements(&mut self, stmts: Vec<Stmt>, last: bool, out: &mut Vec<Stmt>) {
        let count = stmts.len();
        for (i, mut stmt) in stmts.into_iter().enumerate() {
            let last = last && i + 1 == count;
            if let Stmt::Macro(m) = &stmt
                && let Some(new) = self.statements_of(m, last)
            {
                self.depth += 1;
                self.statements(new, last, out);
                self.depth -= 1;
                continue;
            }
            match &stmt {
                Stmt::Macro(m) => {
                    if let Some(e) = condition(&m.mac) {
                        stmt = Stmt::Expr(e, m.semi_token);
                    }
                }
                Stmt::Item(Item::Macro(m)) => self.define(m),
                _ => {}
            }
            self.visit_stmt_mut(&mut stmt);
            out.push(stmt);
        }
    }

    fn as_operand(&mut self, e: &mut Expr) {
        self.operand = true;
        self.visit_expr_mut(e);
        self.operand = false;
    }

    /// The head of a condition or loop.
    fn as_head(&mut self, e: &mut Expr) {
        let is_macro = matches!(e, Expr::Macro(_));
        self.visit_expr_mut(e);
        if is_macro && syn::parse2::<Expr>(quote!(if #e {})).is_err() {
            in_parentheses(e);
        }
    }

    /// The parts of an expression.
    fn inside(&mut self, e: &mut Expr) {
        match e {
            Expr::MethodCall(m) => {
                self.as_operand(&mut m.receiver);
                m.args.iter_mut().for_each(|arg| self.visit_expr_mut(arg));
            }
            Expr::Call(c) => {
                self.as_operand(&mut c.func);
                c.args.iter_mut().for_each(|arg| self.visit_expr_mut(arg));
            }
            Expr::Index(x) => {
                self.as_operand(&mut x.expr);
                self.visit_expr_mut(&mut x.index);
            }
            Expr::Binary(b) if is_assignment(&b.op) => {
                self.as_operand(&mut b.left);
                self.visit_expr_mut(&mut b.right);
            }
            Expr::Binary(b) => {
                self.as_operand(&mut b.left);
                self.as_operand(&mut b.right);
            }
            Expr::Unary(u) => self.as_operand(&mut u.expr),
            Expr::Cast(c) => self.as_operand(&mut c.expr),
            Expr::Field(f) => self.as_operand(&mut f.base),
            Expr::Reference(r) => self.as_operand(&mut r.expr),
            Expr::Try(t) => self.as_operand(&mut t.expr),
            Expr::Await(a) => self.as_operand(&mut a.base),
            Expr::Let(l) => self.as_operand(&mut l.expr),
            Expr::Range(r) => {
                for end in [&mut r.start, &mut r.end].into_iter().flatten() {
                    self.as_operand(end);
                }
            }
            Expr::If(i) => {
                self.as_head(&mut i.cond);
                self.visit_block_mut(&mut i.then_branch);
                if let Some((_, other)) = &mut i.else_branch {
                    self.visit_expr_mut(other);
                }
            }
            Expr::While(w) => {
                self.as_head(&mut w.cond);
                self.visit_block_mut(&mut w.body);
            }
            Expr::Match(m) => {
                self.as_head(&mut m.expr);
                m.arms.iter_mut().for_each(|arm| self.visit_arm_mut(arm));
            }
            Expr::ForLoop(f) => {
                self.as_head(&mut f.expr);
                self.visit_block_mut(&mut f.body);
            }
            other => visit_mut::visit_expr_mut(self, other),
        }
    }
}

impl VisitMut for Rules<'_> {
    fn visit_block_mut(&mut self, b: &mut Block) {
        let operand = std::mem::replace(&mut self.operand, false);
        let before = self.scope.len();
        let mut out = Vec::new();
        self.statements(std::mem::take(&mut b.stmts), true, &mut out);
        self.scope.truncate(before);
        b.stmts = out;
        if self.active {
            // Bodies have no definitions, and all calls of these are expanded.
            b.stmts.retain(|stmt| match stmt {
                Stmt::Item(Item::Macro(m)) => !m.ident.as_ref().is_some_and(|name| {
                    let name = name.to_string();
                    self.used.contains(&name) && !self.failed.contains(&name)
                }),
                _ => true,
            });
        } else {
            for stmt in &mut b.stmts {
                if let Stmt::Item(item) = stmt {
                    self.allow_unused(item);
                }
            }
        }
        self.operand = operand;
    }

    fn visit_expr_mut(&mut self, e: &mut Expr) {
        let operand = std::mem::replace(&mut self.operand, false);
        if let Expr::Macro(m) = e
            && let Some(new) = self.expression(&m.mac).or_else(|| condition(&m.mac))
        {
            *e = new;
            self.depth += 1;
            self.visit_expr_mut(e);
            self.depth -= 1;
            if operand && !is_atom(e) {
                in_parentheses(e);
            }
            return;
        }
        let starts = match e {
            Expr::ForLoop(f) => self.short || f.attrs.iter().any(is_region),
            Expr::Block(b) => b.attrs.iter().any(is_region),
            Expr::While(w) => w.attrs.iter().any(is_region),
            Expr::Loop(l) => l.attrs.iter().any(is_region),
            _ => false,
        };
        let active = self.active;
        self.active |= starts;
        self.inside(e);
        self.active = active;
    }

    /// The arguments of a macro that bodies may have.
    fn visit_macro_mut(&mut self, m: &mut Macro) {
        if !self.active || called(&m.path).is_some() || !calls_in(&m.tokens) {
            return;
        }
        if is_matches(&m.path) {
            let parts = |input: ParseStream| Ok((input.parse::<Expr>()?, input.parse::<TokenStream>()?));
            if let Ok((mut value, rest)) = parts.parse2(m.tokens.clone()) {
                self.visit_expr_mut(&mut value);
                m.tokens = quote!(#value #rest);
            }
        } else if let Some(mut args) = arguments(m) {
            args.iter_mut().for_each(|arg| self.visit_expr_mut(arg));
            m.tokens = args.into_token_stream();
        }
    }

    fn visit_item_mut(&mut self, item: &mut Item) {
        self.item(item);
    }
}

fn is_matches(path: &Path) -> bool {
    path.get_ident().is_some_and(|name| plain(&name.to_string()) == "matches")
}

/// `matches!` in the text of a macro: its pattern binds variables of the macro's.
fn condition(m: &Macro) -> Option<Expr> {
    if !is_matches(&m.path) || !hygiene::has_tags(m.tokens.clone()) {
        return None;
    }
    let crate::parse::Matches { value, pat: pattern, guard } = crate::parse::Matches::of(m)?;
    let guard = guard.map(|guard| quote!(if #guard));
    let (at, value) = (m.path.span(), crate::iterate::in_head(&value));
    syn::parse2(quote_spanned!(at=> match #value { #pattern #guard => true, _ => false })).ok()
}

fn in_parentheses(e: &mut Expr) {
    let whole = parentheses(e.to_token_stream());
    *e = syn::parse2(whole).expect("an expression in parentheses");
}

/// Whether a directive's statement is what devices run: data regions and groups of tasks have host code.
fn is_region(attr: &Attribute) -> bool {
    let kind =
        directive::family(attr.path()).and_then(|(spelling, name)| directive::kind_of(spelling, &name));
    kind.is_some_and(|kind| !matches!(kind, DirectiveKind::TargetData | DirectiveKind::TaskGroup))
}

/// Whether an item is for devices.
fn is_declared(attr: &Attribute) -> bool {
    is_declare_target(attr)
        || directive::family(attr.path())
            .is_some_and(|(spelling, name)| spelling == crate::ast::Spelling::OpenAcc && name == "routine")
}

/// A function as it was, under another name.
struct Copied {
    sig: syn::Signature,
    whole: TokenStream,
}

/// The copy of a function. None, if it has items that can't be twice.
fn copy(attrs: &[Attribute], mut sig: syn::Signature, mut block: Block) -> Option<Copied> {
    let once = visits::any(&block, |node| match node {
        Node::Item(Item::Fn(f)) => f.attrs.iter().any(directive::is_ours),
        Node::Item(Item::Const(_) | Item::Static(_) | Item::Use(_) | Item::Macro(_)) => false,
        Node::Item(_) => true,
        _ => false,
    });
    if once {
        return None;
    }
    Strip.visit_block_mut(&mut block);
    sig.ident = Ident::new(
        &format!("__omp_macros_of_{}", sig.ident),
        Span::mixed_site().located_at(sig.ident.span()),
    );
    let allow = glue::lints_off();
    let conditions = glue::cfgs(attrs);
    Some(Copied { whole: unlinted(quote!(#conditions #allow #sig #block)), sig })
}

/// Copies of methods of a trait: an `impl` of another trait has them. None, if they name what only the trait itself has.
fn of_trait(i: &ItemImpl, copies: &[Copied]) -> Option<TokenStream> {
    let names_own = |tokens: TokenStream| {
        let text = squeezed(&tokens);
        text.contains("Self::") || text.contains("Self>::")
    };
    if copies.iter().any(|copy| names_own(copy.whole.clone())) {
        return None;
    }
    let heads = copies.iter().map(|copy| {
        let mut sig = copy.sig.clone();
        for input in &mut sig.inputs {
            match input {
                syn::FnArg::Typed(arg) => *arg.pat = syn::parse_quote!(_),
                syn::FnArg::Receiver(this) => this.mutability = None,
            }
        }
        unlinted(quote!(#sig;))
    });
    let (generics, given, bounds) = i.generics.split_for_impl();
    let (ty, allow) = (&i.self_ty, glue::lints_off());
    let conditions = glue::cfgs(&i.attrs);
    let whole = copies.iter().map(|copy| &copy.whole);
    let name = Ident::new("OmpMacros", Span::mixed_site());
    Some(quote! {
        #conditions
        #allow
        const _: () = {
            trait #name #generics #bounds { #(#heads)* }
            impl #generics #name #given for #ty #bounds { #(#whole)* }
        };
    })
}

/// Tokens that mean the same, but that rustc has no lints about: they are those of a macro of another crate.
fn unlinted(tokens: TokenStream) -> TokenStream {
    let made = |span: Span| if is_of_macro(span) { span } else { Span::call_site().located_at(span) };
    let tree = |mut tree: TokenTree| {
        let span = made(tree.span());
        if let TokenTree::Group(g) = &tree {
            tree = TokenTree::Group(Group::new(g.delimiter(), unlinted(g.stream())));
        }
        tree.set_span(span);
        tree
    };
    tokens.into_iter().map(tree).collect()
}
