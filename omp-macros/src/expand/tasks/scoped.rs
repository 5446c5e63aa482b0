//! A walk over expressions that tracks the bound names, because the meaning of a name depends on its place.
use super::user_macros::means;
use crate::parse::arguments;
use crate::parse::std_macros::takes_expressions;
use crate::parse::tokens::leaves::idents;
use crate::parse::tokens::source::as_written;
use crate::sema::syntax::forms::strip;
use proc_macro2::{Ident, Span};
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, Item, Local, Pat, Stmt, Token, UseTree};

/// The names that were bound since the walk began.
#[derive(Default)]
pub struct Names {
    frames: Vec<Vec<Ident>>,
    /// Closures and `async` blocks around, and whether one of them takes what it uses.
    inside: Vec<bool>,
    /// Statements that are macros of the user's: those may bind what they are given.
    given: Vec<syn::Macro>,
}

impl Names {
    /// Whether a name means something that was bound since the walk began.
    pub fn bound(&self, name: &str) -> bool {
        self.frames.iter().flatten().any(|n| n == name)
    }

    /// Which variable or item a name means among those that were bound since the walk began: the place of its binding.
    pub fn binding(&self, name: &str) -> Option<(usize, usize)> {
        let frames = self.frames.iter().enumerate().rev();
        frames.filter_map(|(i, names)| Some((i, names.iter().rposition(|n| n == name)?))).next()
    }

    /// The span of a binding of the name since the walk began.
    pub fn bound_at(&self, name: &str) -> Option<Span> {
        self.frames.iter().flatten().rfind(|n| *n == name).map(Ident::span)
    }

    /// The macros of the user's that stand before as statements of the blocks around, and may mean a place by what they
    /// are given: what its name means from there on only rustc knows.
    pub fn given(&self, path: &[String]) -> impl Iterator<Item = &syn::Macro> {
        self.given.iter().filter(move |m| means(m.tokens.clone(), path))
    }

    /// Whether a block is around that is inside of what the walk began with.
    pub fn is_nested(&self) -> bool {
        self.frames.len() > 1
    }

    /// Whether a closure or `async` block is around.
    pub fn in_closure(&self) -> bool {
        !self.inside.is_empty()
    }

    /// Whether something is around that moves what it uses into itself.
    pub fn moves(&self) -> bool {
        self.inside.iter().any(|moves| *moves)
    }
}

/// The action at each expression.
pub trait Act {
    /// Before the parts of an expression; `true`: they are not looked at.
    fn expr(&mut self, e: &mut Expr, names: &Names) -> bool;

    /// At a macro that is a statement; what is to stand before it in its block.
    fn macro_statement(&mut self, _: &mut syn::StmtMacro, _: &Names) -> Option<Stmt> {
        None
    }
}

/// The walk.
pub struct Scoped<'a, A> {
    pub act: &'a mut A,
    pub names: Names,
}

impl<'a, A: Act> Scoped<'a, A> {
    pub fn new(act: &'a mut A) -> Self {
        Self { act, names: Names::default() }
    }

    fn within(&mut self, pats: &[&Pat], walk: impl FnOnce(&mut Self)) {
        let names = pats.iter().flat_map(|p| idents_of(p)).collect();
        self.names.frames.push(names);
        walk(self);
        self.names.frames.pop();
    }

    fn local(&mut self, l: &mut Local) {
        if let Some(init) = &mut l.init {
            self.visit_expr_mut(&mut init.expr);
            if let Some((_, diverge)) = &mut init.diverge {
                self.visit_expr_mut(diverge);
            }
        }
        let names = idents_of(&l.pat);
        if let Some(frame) = self.names.frames.last_mut() {
            frame.extend(names);
        }
    }

    /// The statements of a block. Gives what is to stand before which of them.
    pub fn statements<'s>(&mut self, stmts: impl IntoIterator<Item = &'s mut Stmt>) -> Vec<(usize, Stmt)> {
        let stmts: Vec<&mut Stmt> = stmts.into_iter().collect();
        // An item is known in all of its block.
        self.names.frames.push(stmts.iter().flat_map(|s| names_of_item(s)).collect());
        let given = self.names.given.len();
        let mut before = Vec::new();
        for (i, stmt) in stmts.into_iter().enumerate() {
            match stmt {
                Stmt::Local(l) => self.local(l),
                Stmt::Expr(e, _) => self.visit_expr_mut(e),
                Stmt::Macro(m) => {
                    self.visit_macro_mut(&mut m.mac);
                    before.extend(self.act.macro_statement(m, &self.names).map(|new| (i, new)));
                    if !takes_expressions(&m.mac) {
                        self.names.given.push(m.mac.clone());
                    }
                }
                Stmt::Item(_) => {}
            }
        }
        self.names.frames.pop();
        self.names.given.truncate(given);
        before
    }
}

impl<A: Act> VisitMut for Scoped<'_, A> {
    fn visit_block_mut(&mut self, block: &mut Block) {
        for (i, new) in self.statements(&mut block.stmts).into_iter().rev() {
            block.stmts.insert(i, new);
        }
    }

    fn visit_expr_mut(&mut self, e: &mut Expr) {
        if self.act.expr(e, &self.names) {
            return;
        }
        match e {
            Expr::ForLoop(l) => {
                self.visit_expr_mut(&mut l.expr);
                let body = &mut l.body;
                self.within(&[&l.pat], |w| w.visit_block_mut(body));
            }
            Expr::While(l) => {
                self.visit_expr_mut(&mut l.cond);
                let pats = tested(&l.cond);
                let body = &mut l.body;
                self.within(&pats, |w| w.visit_block_mut(body));
            }
            Expr::If(i) => {
                self.visit_expr_mut(&mut i.cond);
                let pats = tested(&i.cond);
                let then = &mut i.then_branch;
                self.within(&pats, |w| w.visit_block_mut(then));
                if let Some((_, els)) = &mut i.else_branch {
                    self.visit_expr_mut(els);
                }
            }
            Expr::Match(m) => {
                self.visit_expr_mut(&mut m.expr);
                for arm in &mut m.arms {
                    let pat = arm.pat.clone();
                    self.within(&[&pat], |w| {
                        if let Pat::Guard(g) = &mut arm.pat {
                            w.visit_expr_mut(&mut g.guard);
                        }
                        w.visit_expr_mut(&mut arm.body);
                    });
                }
            }
            Expr::Closure(c) => {
                let pats: Vec<&Pat> = c.inputs.iter().collect();
                let body = &mut c.body;
                self.names.inside.push(c.capture.is_some());
                self.within(&pats, |w| w.visit_expr_mut(body));
                self.names.inside.pop();
            }
            Expr::Async(a) => {
                self.names.inside.push(true);
                self.visit_block_mut(&mut a.block);
                self.names.inside.pop();
            }
            Expr::Macro(m) => self.visit_macro_mut(&mut m.mac),
            _ => visit_mut::visit_expr_mut(self, e),
        }
    }

    fn visit_macro_mut(&mut self, m: &mut syn::Macro) {
        if !takes_expressions(m) {
            return;
        }
        if let Some(mut args) = arguments(m) {
            let written = m.tokens.to_string();
            let condition = bare_condition(m, &args).map(as_written);
            args.iter_mut().for_each(|e| self.visit_expr_mut(e));
            m.tokens = quote::ToTokens::into_token_stream(&args);
            // std's message shows the tokens of the condition.
            if let (Some(condition), Some(given)) = (condition, args.first())
                && m.tokens.to_string() != written
            {
                let text = format!("assertion failed: {condition}");
                m.tokens = quote::quote!(#given, "{}", #text);
            }
        } else if let Ok((value, semi, length)) = m.parse_body_with(repeated) {
            let (mut value, mut length) = (value, length);
            self.visit_expr_mut(&mut value);
            self.visit_expr_mut(&mut length);
            m.tokens = quote::quote!(#value #semi #length);
        }
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}

/// The names of an item that variables may have.
fn names_of_item(stmt: &Stmt) -> Vec<Ident> {
    fn used(tree: &UseTree, names: &mut Vec<Ident>) {
        match tree {
            UseTree::Path(p) => used(&p.tree, names),
            UseTree::Name(n) => names.push(n.ident.clone()),
            UseTree::Rename(r) => names.push(r.rename.clone()),
            UseTree::Group(g) => g.items.iter().for_each(|tree| used(tree, names)),
            UseTree::Glob(_) => {}
        }
    }
    let mut names = Vec::new();
    match stmt {
        Stmt::Item(Item::Const(c)) => names.push(c.ident.clone()),
        Stmt::Item(Item::Static(s)) => names.push(s.ident.clone()),
        Stmt::Item(Item::Fn(f)) => names.push(f.sig.ident.clone()),
        Stmt::Item(Item::Use(u)) => used(&u.tree, &mut names),
        _ => {}
    }
    names
}

/// The condition of an assertion without a message.
fn bare_condition<'e>(m: &syn::Macro, args: &'e Punctuated<Expr, Token![,]>) -> Option<&'e Expr> {
    let name = &m.path.segments.last()?.ident;
    args.first().filter(|_| args.len() == 1 && (name == "assert" || name == "debug_assert"))
}

/// The arguments of `vec![value; length]`.
fn repeated(input: syn::parse::ParseStream) -> syn::Result<(Expr, Token![;], Expr)> {
    Ok((input.parse()?, input.parse()?, input.parse()?))
}

/// The patterns of the `let`s in a condition.
fn tested(cond: &Expr) -> Vec<&Pat> {
    match strip(cond) {
        Expr::Let(l) => vec![&l.pat],
        Expr::Binary(b) => [tested(&b.left), tested(&b.right)].concat(),
        _ => vec![],
    }
}

/// The names that a condition binds for what it guards.
pub fn names_of_condition(cond: &Expr) -> Vec<String> {
    tested(cond).into_iter().flat_map(names_of).collect()
}

/// The names that a pattern binds. (Of a macro's, all that it is given.)
pub fn names_of(pat: &Pat) -> Vec<String> {
    idents_of(pat).iter().map(ToString::to_string).collect()
}

fn idents_of(pat: &Pat) -> Vec<Ident> {
    struct Bound(Vec<Ident>);
    impl<'ast> Visit<'ast> for Bound {
        fn visit_pat_ident(&mut self, p: &'ast syn::PatIdent) {
            self.0.push(p.ident.clone());
            visit::visit_pat_ident(self, p);
        }
        fn visit_expr_macro(&mut self, p: &'ast syn::ExprMacro) {
            self.0.extend(idents(p.mac.tokens.clone()));
        }
        fn visit_expr(&mut self, _: &'ast Expr) {}
    }
    let mut bound = Bound(vec![]);
    bound.visit_pat(pat);
    bound.0
}
