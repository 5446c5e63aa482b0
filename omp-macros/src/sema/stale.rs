//! What follows a region and reads a variable of which the region's iterations had copies.
//!
//! Without directives, the variable would have what the last iteration assigned; with them it has what it had before.
//! So the first use after the loop has to assign it. Looked at are the statements that follow in the same function and,
//! if the region stands in a loop, those before it.
use super::place::{self, Step, any_covers, item_key};
use super::uses::{self, How, Use, Uses};
use crate::ast::{Data, Item, Region};
use crate::diag::{Code, Sink};
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{Block, Expr, FnArg, Pat, Signature, Stmt, Type};

/// The variables of which iterations change copies that nobody sees.
pub fn of_region(region: &Region, uses: &Uses) -> Vec<Item> {
    let c = &region.directive.clauses;
    let last = |item: &&Item| !c.lastprivate.iter().any(|l| item_key(l) == item_key(item));
    let assigned = |item: &&Item| {
        uses.body.iter().any(|u| u.writes() && any_covers(std::slice::from_ref(*item), &u.key))
    };
    c.private.iter().chain(&c.firstprivate).filter(last).filter(assigned).cloned().collect()
}

/// What a region or data directive reads, for which a placeholder stands in the function.
pub struct Other {
    name: String,
    /// Before its loop runs, and in it.
    head: Vec<Use>,
    body: Vec<Use>,
    /// What it leaves with new values.
    assigned: Vec<Vec<Step>>,
    /// Of what its iterations have copies.
    copied: Vec<Vec<Step>>,
}

impl Other {
    /// A region.
    pub fn region(name: String, region: &Region) -> Self {
        let c = &region.directive.clauses;
        let paths = |items: &[Item]| items.iter().map(|i| place::key_path(&item_key(i))).collect::<Vec<_>>();
        let assigned = paths(&c.lastprivate);
        let copied = [paths(&c.private), paths(&c.firstprivate), assigned.clone()].concat();
        let Uses { body, bounds, before, .. } = uses::of_region(region);
        let numbers =
            [&c.num_teams, &c.thread_limit, &c.num_threads, &c.simdlen, &c.vector, &c.device, &c.if_];
        let numbers = numbers.into_iter().flatten().map(|e| &e.value);
        let sections = c.maps.iter().flat_map(|m| &m.items).flat_map(|i| &i.sections);
        let sections = sections.flat_map(|s| s.lo.iter().chain(&s.hi));
        let all: Vec<&Expr> = numbers.chain(sections).collect();
        let block: Block = syn::parse_quote!({ #(#all;)* });
        let mut head = uses::of_block(&block, region.context.names.clone());
        // What is kept for a loop without iterations is no read.
        let kept = |u: &Use| assigned.iter().any(|of| u.path.starts_with(of));
        head.extend(before.into_iter().filter(|u| !kept(u)).chain(bounds));
        Self { name, head, body, assigned, copied }
    }

    /// A data directive.
    pub fn data(name: String, data: &Data) -> Self {
        let c = &data.directive.clauses;
        let items = c.maps.iter().flat_map(|m| &m.items).chain(&c.to);
        let places: Vec<&Expr> = items.map(|i| &i.place).collect();
        let block: Block = syn::parse_quote!({ #(#places;)* });
        let head = uses::of_block(&block, data.context.names.clone());
        Self { name, head, body: vec![], assigned: vec![], copied: vec![] }
    }

    /// Where it reads what it has not assigned itself.
    fn reads(&self, path: &[Step], inside: bool) -> Option<TokenStream> {
        let own = |u: &Use| {
            u.element
                && self.copied.iter().any(|of| u.path.starts_with(of))
                && self.body.iter().any(|w| w.writes() && place::meet(&w.path, path).is_some())
        };
        let stale = |u: &&Use| {
            let part = place::meet(&u.path, path).filter(|_| !matches!(u.how, How::Write | How::Len));
            let (Some(part), Some(before)) = (part, &u.before) else { return false };
            !before.iter().any(|done| place::may_hold(done, &part)) && !own(u)
        };
        let body = self.body.iter().filter(|_| inside);
        self.head.iter().chain(body).find(stale).map(|u| u.tokens.clone())
    }
}

/// Reports the first read of such a variable behind the region. `placeholder` stands in the function for the region.
pub fn check(
    sig: &Signature,
    body: &Block,
    placeholder: &str,
    region: &Region,
    others: &[Other],
    sink: &mut Sink,
) {
    for item in &region.stale {
        let key = item_key(item);
        let path = place::key_path(&key);
        let root = key.split('.').next().unwrap_or_default();
        let mut search = Search { placeholder, key: root, path: &path, others, found: None };
        let seen = search.block(body);
        if let (Seen::Read, Some(read)) = (seen, search.found) {
            let message = format!(
                "`{key}` is private to the iterations, but this reads it after the loop: it has its old value there, and without the directive it would have the last iteration's"
            );
            sink.error_at(Code::StalePrivate, read, message)
                .note(Some(item.span), "the clause is here")
                .help(format!("write `lastprivate({key})` if the last iteration's value is meant, or use a variable of the body"));
        } else if seen == Seen::Region && is_of_caller(root, sig) {
            let message = format!(
                "`{key}` is private to the iterations, but the caller has it after the function: it has its old value there, and without the directive it would have the last iteration's"
            );
            sink.error(Code::StalePrivate, item.span, message)
                .help(format!("write `lastprivate({key})` if the last iteration's value is meant, or use a variable of the body"));
        }
    }
}

/// Whether a variable is a reference that the function was handed.
fn is_of_caller(name: &str, sig: &Signature) -> bool {
    sig.inputs.iter().any(|input| match input {
        FnArg::Receiver(r) => name == "self" && r.to_token_stream().to_string().contains('&'),
        FnArg::Typed(t) => binds(&t.pat, name) && matches!(&*t.ty, Type::Reference(_)),
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    /// The region is not there.
    Nothing,
    /// It is, and the variable is not used behind it.
    Region,
    /// Assigned behind it, or gone.
    Assigned,
    /// Up to the end of the block another variable has the name.
    Hidden,
    /// Read behind it.
    Read,
}

struct Search<'s> {
    placeholder: &'s str,
    /// The variable.
    key: &'s str,
    /// It, or the part of it that iterations have copies of.
    path: &'s [Step],
    others: &'s [Other],
    found: Option<TokenStream>,
}

/// What stands behind a placeholder.
fn other<'o>(others: &'o [Other], e: &Expr) -> Option<&'o Other> {
    let Expr::Path(p) = e else { return None };
    let name = p.path.get_ident().filter(|name| name.to_string().starts_with("__omp_"))?;
    others.iter().find(|other| name == &other.name)
}

impl Search<'_> {
    fn block(&mut self, block: &Block) -> Seen {
        let (mut seen, mut own) = (Seen::Nothing, false);
        for stmt in &block.stmts {
            match seen {
                Seen::Nothing => {
                    seen = self.around(stmt);
                    own |= seen == Seen::Nothing && matches!(stmt, Stmt::Local(l) if binds(&l.pat, self.key));
                }
                Seen::Region => seen = self.after(stmt),
                Seen::Assigned | Seen::Hidden | Seen::Read => break,
            }
        }
        match seen {
            // The variable is the block's.
            Seen::Region | Seen::Hidden if own => Seen::Assigned,
            Seen::Hidden => Seen::Region,
            seen => seen,
        }
    }

    /// The first read of it in an expression behind the region.
    fn read_in(&mut self, e: &Expr) -> bool {
        let mut reads = Reads { key: self.key, path: self.path, others: self.others, found: None };
        reads.visit_expr(e);
        self.found = reads.found;
        self.found.is_some()
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
        let mut reads = Reads { key: self.key, path: self.path, others: self.others, found: None };
        let then = match stmt {
            Stmt::Local(l) => {
                reads.visit_local(l);
                if binds(&l.pat, self.key) { Seen::Hidden } else { Seen::Region }
            }
            Stmt::Expr(Expr::Assign(a), _) if assigns(&a.left, self.path) => {
                reads.visit_expr(&a.right);
                Seen::Assigned
            }
            Stmt::Expr(e, _)
                if other(self.others, e)
                    .is_some_and(|o| o.assigned.iter().any(|of| self.path.starts_with(of))) =>
            {
                reads.visit_expr(e);
                Seen::Assigned
            }
            other => {
                reads.visit_stmt(other);
                Seen::Region
            }
        };
        match reads.found {
            Some(found) => {
                self.found = Some(found);
                Seen::Read
            }
            None => then,
        }
    }
}

/// Whether the left side of an assignment is a place, or what it is a part of.
fn assigns(left: &Expr, path: &[Step]) -> bool {
    place::path(left).is_some_and(|left| path.starts_with(&left))
}

/// Finds the first read of a variable, where no other of its name hides it.
struct Reads<'k> {
    key: &'k str,
    path: &'k [Step],
    others: &'k [Other],
    found: Option<TokenStream>,
}

impl<'ast> Visit<'ast> for Reads<'_> {
    fn visit_block(&mut self, b: &'ast Block) {
        for stmt in &b.stmts {
            self.visit_stmt(stmt);
            // What follows in the block sees another variable, or another value.
            let over = match stmt {
                Stmt::Local(l) => binds(&l.pat, self.key),
                Stmt::Expr(Expr::Assign(a), _) => assigns(&a.left, self.path),
                _ => false,
            };
            if over {
                return;
            }
        }
    }

    fn visit_expr(&mut self, e: &'ast Expr) {
        let key = self.key;
        match e {
            Expr::Assign(a) if assigns(&a.left, self.path) => self.visit_expr(&a.right),
            // A part of it, which is not read by that.
            Expr::Assign(a)
                if place::path(&a.left).is_some_and(|part| place::meet(&part, self.path).is_some()) =>
            {
                self.visit_expr(&a.right);
                place::of(&a.left)
                    .into_iter()
                    .for_each(|p| p.subscripts.into_iter().for_each(|s| self.visit_expr(s)));
            }
            Expr::Path(_) if other(self.others, e).is_some() => {
                let read = other(self.others, e).and_then(|other| other.reads(self.path, true));
                self.found = self.found.take().or(read);
            }
            Expr::Path(_) | Expr::Field(_) | Expr::Index(_) if place::path(e).is_some() => {
                let path = place::path(e).unwrap_or_default();
                if self.found.is_none() && place::meet(&path, self.path).is_some() {
                    self.found = Some(e.to_token_stream());
                }
                place::of(e)
                    .into_iter()
                    .for_each(|p| p.subscripts.into_iter().for_each(|s| self.visit_expr(s)));
            }
            Expr::ForLoop(f) if binds(&f.pat, key) => self.visit_expr(&f.expr),
            Expr::Closure(c) if c.inputs.iter().any(|p| binds(p, key)) => {}
            // A condition that binds the name hides it in what it guards.
            Expr::If(i) if binds_in(&i.cond, key) => {
                if let Some((_, els)) = &i.else_branch {
                    self.visit_expr(els);
                }
            }
            Expr::While(w) if binds_in(&w.cond, key) => {}
            _ => visit::visit_expr(self, e),
        }
    }

    fn visit_arm(&mut self, a: &'ast syn::Arm) {
        if !binds(&a.pat, self.key) {
            visit::visit_arm(self, a);
        }
    }

    fn visit_macro(&mut self, m: &'ast syn::Macro) {
        if self.found.is_none() && mentions(&m.tokens, self.key) {
            self.found = Some(first(m.tokens.clone(), self.key));
        }
    }

    fn visit_pat(&mut self, p: &'ast Pat) {
        if let Pat::Guard(g) = p {
            self.visit_expr(&g.guard);
        }
    }
    fn visit_item(&mut self, _: &'ast syn::Item) {}
    fn visit_type(&mut self, _: &'ast Type) {}
}

/// Whether a pattern binds the name.
fn binds(pat: &Pat, key: &str) -> bool {
    struct Binds<'k>(&'k str, bool);
    impl<'ast> Visit<'ast> for Binds<'_> {
        fn visit_pat_ident(&mut self, p: &'ast syn::PatIdent) {
            self.1 |= p.ident == self.0;
            visit::visit_pat_ident(self, p);
        }
    }
    let mut found = Binds(key, false);
    found.visit_pat(pat);
    found.1
}

/// Whether a condition has a `let` that binds the name.
fn binds_in(cond: &Expr, key: &str) -> bool {
    match cond {
        Expr::Let(l) => binds(&l.pat, key),
        Expr::Binary(b) => binds_in(&b.left, key) || binds_in(&b.right, key),
        Expr::Paren(p) => binds_in(&p.expr, key),
        _ => false,
    }
}

/// The variable's first token.
fn first(tokens: TokenStream, key: &str) -> TokenStream {
    for tree in tokens {
        match tree {
            TokenTree::Ident(i) if i == key => return i.into_token_stream(),
            TokenTree::Literal(l) if in_text(&l.to_string(), key) => return l.into_token_stream(),
            TokenTree::Group(g) if mentions(&g.stream(), key) => return first(g.stream(), key),
            _ => {}
        }
    }
    TokenStream::new()
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
                // Its bounds are evaluated again.
                let own = self.search.others.iter().find(|other| other.name == self.search.placeholder);
                if let Some(read) = own.and_then(|own| own.reads(self.search.path, false)) {
                    self.search.found = Some(read);
                    self.seen = Seen::Read;
                }
                break;
            }
            match self.search.after(stmt) {
                Seen::Region => {}
                Seen::Hidden => break,
                seen => {
                    self.seen = seen;
                    break;
                }
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
        let key = self.search.key;
        let (condition, body) = match e {
            Expr::ForLoop(f) if !binds(&f.pat, key) => (None, &f.body),
            Expr::While(w) => (Some(&*w.cond), &w.body),
            Expr::Loop(l) => (None, &l.body),
            // It may be called again.
            Expr::Closure(c) if !c.inputs.iter().any(|p| binds(p, key)) => match &*c.body {
                Expr::Block(b) => (None, &b.block),
                _ => return,
            },
            _ => return,
        };
        if !mentions(&body.to_token_stream(), self.search.placeholder) {
            return;
        }
        if let (Seen::Region, Some(condition)) = (self.seen, condition) {
            if self.search.read_in(condition) {
                self.seen = Seen::Read;
            } else if binds_in(condition, key) {
                return;
            }
        }
        self.again(body);
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {}
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
