//! What follows a region and reads a variable of which the region's iterations had copies.
//!
//! Without directives, the variable would have what the last iteration assigned; with them it has what it had before.
//! So the first use after the loop has to assign it. Looked at are the statements that follow in the same function and,
//! if the region stands in a loop, those before it.
use super::place::{any_covers, item_key, scalar_key};
use super::uses::Uses;
use crate::ast::{Item, Region};
use crate::diag::{Code, Sink};
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{Block, Expr, Pat, Stmt};

/// The variables of which iterations change copies that nobody sees.
pub fn of_region(region: &Region, uses: &Uses) -> Vec<Item> {
    let c = &region.directive.clauses;
    let last = |item: &&Item| !c.lastprivate.iter().any(|l| item_key(l) == item_key(item));
    let assigned = |item: &&Item| {
        uses.body.iter().any(|u| u.writes() && any_covers(std::slice::from_ref(*item), &u.key))
    };
    c.private.iter().chain(&c.firstprivate).filter(last).filter(assigned).cloned().collect()
}

/// Reports the first read of such a variable behind the region. `placeholder` stands in the function for the region.
pub fn check(body: &Block, placeholder: &str, region: &Region, sink: &mut Sink) {
    for item in &region.stale {
        let key = item_key(item);
        if key.contains('.') {
            continue;
        }
        let mut search = Search { placeholder, key: &key, found: None };
        if search.block(body) == Seen::Read
            && let Some(read) = search.found
        {
            let message = format!(
                "`{key}` is private to the iterations, but this reads it after the loop: it has its old value there, and without the directive it would have the last iteration's"
            );
            sink.error_at(Code::StalePrivate, read, message)
                .note(Some(item.span), "the clause is here")
                .help(format!("write `lastprivate({key})` if the last iteration's value is meant, or use a variable of the body"));
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    /// The region is not there.
    Nothing,
    /// It is, and the variable is not used behind it.
    Region,
    /// Assigned behind it.
    Assigned,
    /// Read behind it.
    Read,
}

struct Search<'s> {
    placeholder: &'s str,
    key: &'s str,
    found: Option<TokenStream>,
}

impl Search<'_> {
    fn block(&mut self, block: &Block) -> Seen {
        let mut seen = Seen::Nothing;
        for stmt in &block.stmts {
            match seen {
                Seen::Nothing => seen = self.around(stmt),
                Seen::Region => seen = self.after(stmt),
                Seen::Assigned | Seen::Read => break,
            }
        }
        seen
    }

    /// The region in a statement, and what follows it there.
    fn around(&mut self, stmt: &Stmt) -> Seen {
        if !mentions(&stmt.to_token_stream(), self.placeholder) {
            return Seen::Nothing;
        }
        let mut inner = Inner { search: self, seen: Seen::Nothing };
        inner.visit_stmt(stmt);
        // Placed where no block is around it.
        if inner.seen == Seen::Nothing { Seen::Region } else { inner.seen }
    }

    /// A statement behind the region.
    fn after(&mut self, stmt: &Stmt) -> Seen {
        let tokens = stmt.to_token_stream();
        if !mentions(&tokens, self.key) {
            return Seen::Region;
        }
        let (binds, value) = match stmt {
            Stmt::Local(l) => (names(&l.pat, self.key), l.init.as_ref().map(|i| i.expr.to_token_stream())),
            Stmt::Expr(Expr::Assign(a), _) if scalar_key(&a.left).as_deref() == Some(self.key) => {
                (true, Some(a.right.to_token_stream()))
            }
            _ => (false, None),
        };
        match value {
            None if binds => Seen::Assigned,
            Some(value) if binds && !mentions(&value, self.key) => Seen::Assigned,
            _ => {
                self.found = Some(self.first(tokens));
                Seen::Read
            }
        }
    }

    /// The variable's first token.
    fn first(&self, tokens: TokenStream) -> TokenStream {
        for tree in tokens {
            match tree {
                TokenTree::Ident(i) if i == self.key => return i.into_token_stream(),
                TokenTree::Literal(l) if in_text(&l.to_string(), self.key) => return l.into_token_stream(),
                TokenTree::Group(g) if mentions(&g.stream(), self.key) => return self.first(g.stream()),
                _ => {}
            }
        }
        TokenStream::new()
    }
}

/// Goes into the statement that holds the region.
struct Inner<'i, 's> {
    search: &'i mut Search<'s>,
    seen: Seen,
}

impl Inner<'_, '_> {
    /// The body of a loop: after its end it begins again.
    fn again(&mut self, body: &Block) {
        if self.seen != Seen::Region {
            return;
        }
        for stmt in &body.stmts {
            if mentions(&stmt.to_token_stream(), self.search.placeholder) {
                break;
            }
            self.seen = self.search.after(stmt);
            if self.seen != Seen::Region {
                break;
            }
        }
    }
}

impl<'ast> Visit<'ast> for Inner<'_, '_> {
    fn visit_block(&mut self, b: &'ast Block) {
        if self.seen == Seen::Nothing && mentions(&b.to_token_stream(), self.search.placeholder) {
            self.seen = self.search.block(b);
        }
    }

    fn visit_expr(&mut self, e: &'ast Expr) {
        visit::visit_expr(self, e);
        let body = match e {
            Expr::ForLoop(f) if !names(&f.pat, self.search.key) => &f.body,
            Expr::While(w) => &w.body,
            Expr::Loop(l) => &l.body,
            _ => return,
        };
        if mentions(&body.to_token_stream(), self.search.placeholder) {
            self.again(body);
        }
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {}
}

fn names(pat: &Pat, name: &str) -> bool {
    mentions(&pat.to_token_stream(), name)
}

fn mentions(tokens: &TokenStream, name: &str) -> bool {
    tokens.clone().into_iter().any(|tree| match tree {
        TokenTree::Ident(i) => i == name,
        TokenTree::Group(g) => mentions(&g.stream(), name),
        TokenTree::Literal(l) => in_text(&l.to_string(), name),
        TokenTree::Punct(_) => false,
    })
}

/// A text that formats the variable: `"{t}"`.
fn in_text(text: &str, name: &str) -> bool {
    text.starts_with('"') && (text.contains(&format!("{{{name}}}")) || text.contains(&format!("{{{name}:")))
}
