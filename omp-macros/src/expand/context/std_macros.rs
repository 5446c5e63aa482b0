//! Macros in host code that have the names of std macros: `println!("{}", y[0])`.
//!
//! Directives rely on such names: the arguments of std's macros are expressions, and the macros themselves neither jump
//! nor declare anything. A user's macro of the same name may do both. So wherever it matters, generated code lets rustc
//! check the name: `use …::std_macros::*; use println as _;` is ambiguous unless the name means std's macro without that
//! import, whether the other one comes from `macro_rules!`, `use` or `#[macro_use]`. The check stands just before the
//! statement, because a `macro_rules!` is in scope from its own place on.
use crate::diag::{Code, Sink};
use crate::parse::std_macros::{is_known, takes_expressions};
use crate::parse::tokens::format_text;
use crate::parse::tokens::leaves::leaves;
use crate::visits::{self, Node};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use std::collections::{HashMap, HashSet};
use syn::punctuated::Punctuated;
use syn::visit::Visit;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, Item, Macro, Path, Stmt, Token};

/// Has rustc check that a path means the macro of std's of that name.
pub fn question(path: &Path) -> Option<TokenStream> {
    let name = &path.segments.last()?.ident;
    if !is_known(name) {
        return None;
    }
    let at = Span::mixed_site();
    // A macro that is named by a path is imported first.
    let named = (path.segments.len() > 1).then(|| quote_spanned!(at=> #[allow(unused_imports)] use #path;));
    // std and core have two different `panic!`s.
    let ours = if path.segments[0].ident == "core" { "core_macros" } else { "std_macros" };
    let ours = Ident::new(ours, at);
    Some(quote_spanned! {at=>
        {
            #named
            {
                #[allow(unused_imports)]
                use ::omp::__private::#ours::*;
                #[allow(unused_imports)]
                use #name as __checked;
            }
        }
    })
}

/// Decides for which macros the expansion relies on their being std's.
pub type Needed<'n> = &'n dyn Fn(&Macro) -> bool;

/// The checks of macro names, each emitted once.
#[derive(Default)]
pub struct Questions {
    checked: HashSet<String>,
    /// The first use of a macro: its errors are reported there.
    first: HashMap<String, Span>,
    /// The names of the function's own macros.
    local: Vec<String>,
}

impl Questions {
    /// The checks for a function.
    pub fn of(body: &Block) -> Self {
        Self {
            checked: HashSet::new(),
            first: HashMap::new(),
            local: local_macros(body).into_iter().map(|(name, _)| name).collect(),
        }
    }

    /// Checks the macros in statements that the expansion relies on. Returns the checks, each with the number of the statement that it
    /// precedes.
    pub fn statements<'s>(
        &mut self,
        stmts: impl IntoIterator<Item = &'s mut Stmt>,
        needed: Needed,
        sink: &mut Sink,
    ) -> Vec<(usize, Stmt)> {
        let mut before = Vec::new();
        for (i, stmt) in stmts.into_iter().enumerate() {
            let mut own = Own(Vec::new());
            own.visit_stmt(stmt);
            before.extend(own.0.iter().filter(|m| needed(m)).filter_map(|m| Some((i, self.check(m, sink)?))));
            Inside { questions: self, needed, sink }.visit_stmt_mut(stmt);
        }
        before
    }

    /// The same in a block: the checks are inserted.
    pub fn block(&mut self, block: &mut Block, needed: Needed, sink: &mut Sink) {
        let before = self.statements(&mut block.stmts, needed, sink);
        for (i, question) in before.into_iter().rev() {
            block.stmts.insert(i, question);
        }
    }

    fn check(&mut self, mac: &Macro, sink: &mut Sink) -> Option<Stmt> {
        let name = &mac.path.segments.last()?.ident;
        if !self.checked.insert(format!("{name}{:?}", name.span())) {
            return None;
        }
        if mac.path.get_ident().is_some() && self.local.iter().any(|local| name == local) {
            other(name, sink);
            return None;
        }
        let allow = crate::glue::lints_off();
        let mut path = mac.path.clone();
        let of = path.to_token_stream().to_string();
        let last = &mut path.segments.last_mut()?.ident;
        let first = *self.first.entry(of).or_insert(last.span());
        last.set_span(last.span().located_at(first));
        let question = question(&path)?;
        Some(Stmt::Expr(Expr::Verbatim(quote!(#allow #question)), None))
    }
}

/// The names and the tokens of a function's `macro_rules!`: one that is declared after a variable can name it.
pub fn local_macros(body: &Block) -> Vec<(String, TokenStream)> {
    let mut local = Vec::new();
    visits::each(body, |node| {
        if let Node::Item(Item::Macro(syn::ItemMacro { ident: Some(name), mac, .. })) = node {
            local.push((name.to_string(), mac.tokens.clone()));
        }
    });
    local
}

/// A macro of the function's own.
fn other(name: &Ident, sink: &mut Sink) {
    sink.error(
        Code::OtherMacro,
        name.span(),
        format!("`{name}!` is a macro of this function's, and not std's of that name"),
    )
    .note(None, "directives take its arguments for those of std's macro")
    .help(format!("give the macro another name: `macro_rules! my_{name} {{ … }}`"));
}

/// Whether a macro mentions a variable: one that `is` says so of.
pub fn mentions(mac: &Macro, is: &dyn Fn(&str) -> bool) -> bool {
    leaves(mac.tokens.clone()).any(|leaf| match leaf {
        TokenTree::Ident(name) => is(&name.to_string()),
        TokenTree::Literal(text) => format_text::of_literal(&text).iter().any(|name| is(name)),
        _ => false,
    })
}

/// The macros of a statement that are in no block of it.
struct Own(Vec<Macro>);

impl<'ast> Visit<'ast> for Own {
    fn visit_macro(&mut self, m: &'ast Macro) {
        self.0.push(m.clone());
        if takes_expressions(m) {
            // Other macros may stand in the arguments.
            let parser = Punctuated::<Expr, Token![,]>::parse_terminated;
            m.parse_body_with(parser).into_iter().flatten().for_each(|e| Given(self).visit_expr(&e));
        }
    }

    fn visit_block(&mut self, _: &'ast Block) {}
    fn visit_item(&mut self, _: &'ast Item) {}
}

/// Macros in the arguments of another macro, with their blocks: no check can be inserted there.
struct Given<'o>(&'o mut Own);

impl<'ast> Visit<'ast> for Given<'_> {
    fn visit_macro(&mut self, m: &'ast Macro) {
        self.0.visit_macro(m);
    }

    fn visit_item(&mut self, _: &'ast Item) {}
}

/// Goes on with the blocks inside.
struct Inside<'q, 'n> {
    questions: &'q mut Questions,
    needed: Needed<'n>,
    sink: &'q mut Sink,
}

impl VisitMut for Inside<'_, '_> {
    fn visit_block_mut(&mut self, block: &mut Block) {
        self.questions.block(block, self.needed, self.sink);
    }

    fn visit_expr_mut(&mut self, e: &mut Expr) {
        if !matches!(e, Expr::Verbatim(_)) {
            visit_mut::visit_expr_mut(self, e);
        }
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}
