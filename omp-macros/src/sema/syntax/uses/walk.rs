//! The walk over a body, with its scopes.
use super::forms::inner_len;
use super::nests::Nest;
use super::{How, Use};
use crate::sema::accesses::atomic;
use crate::sema::accesses::atomic::Access;
use crate::sema::reduction::updates;
use crate::sema::syntax::{names, place};
use proc_macro2::Span;
use quote::ToTokens;
use std::collections::HashSet;
use std::rc::Rc;
use syn::visit::{self, Visit};
use syn::{Block, Expr, Item, Pat, Stmt};

#[derive(Default)]
pub(super) struct Walk {
    pub(super) found: Vec<Use>,
    /// The inner loops with clauses of their own.
    pub(super) nests: Rc<Vec<Nest>>,
    /// Variables of the function around: capitals that are none of them are consts.
    pub(super) names: Vec<String>,
    /// Consts and statics in lower case.
    pub(super) consts: Vec<String>,
    /// The names that are bound.
    pub(super) scopes: Vec<HashSet<String>>,
    /// The variables that iterations have copies of.
    pub(super) copied: Vec<String>,
    /// Whether the value of the expression that is walked through is used.
    pub(super) is_value: bool,
}

impl Walk {
    pub(super) fn captured(&self, base: &str) -> bool {
        let capital = base.starts_with(char::is_uppercase) || self.consts.iter().any(|n| n == base);
        let is_const = capital && !self.names.iter().any(|n| n == base);
        !is_const && !self.scopes.iter().any(|scope| scope.contains(base))
    }

    pub(super) fn bind_name(&mut self, name: String) {
        if self.scopes.is_empty() {
            self.scopes.push(HashSet::new());
        }
        self.scopes.last_mut().expect("just pushed").insert(name);
    }

    pub(super) fn bind(&mut self, pat: &Pat) {
        names::bound(pat).into_iter().for_each(|name| self.bind_name(name));
    }

    /// The inner loop that these attributes make of a `for`.
    pub(super) fn nest(&self, attrs: &[syn::Attribute]) -> Option<usize> {
        crate::sema::loops::nesting::number(attrs).filter(|n| *n < self.nests.len())
    }

    pub(super) fn scoped(&mut self, walk: impl FnOnce(&mut Self)) {
        self.scopes.push(HashSet::new());
        walk(self);
        self.scopes.pop();
    }

    /// A use of a place, after the uses in its subscripts. What is no place is walked through.
    pub(super) fn access(&mut self, e: &Expr, how: How, statement: Option<&Expr>) {
        let Some(place) = place::of(e) else {
            visit::visit_expr(self, e);
            return;
        };
        for subscript in &place.subscripts {
            self.visit_expr(subscript);
        }
        if !self.captured(&place.base) {
            return;
        }
        let element = !place.subscripts.is_empty();
        self.found.push(Use {
            key: place.key,
            how,
            element,
            span: e.to_token_stream().into_iter().next().map_or_else(Span::call_site, |t| t.span()),
            tokens: e.to_token_stream(),
            statement: statement.map(ToTokens::to_token_stream),
            path: place.path,
        });
    }

    /// The left side of `=`.
    fn assign_to(&mut self, left: &Expr, statement: &Expr) {
        place::each_target(left, &mut |place| {
            if !matches!(place, Expr::Infer(_) | Expr::Range(_)) {
                self.access(place, How::Write, Some(statement));
            }
        });
    }

    /// An access under `#[omp::atomic]`.
    fn atomic(&mut self, access: &Access<'_>) {
        match access {
            Access::Read(place) => self.access(place, How::Atomic { reads: true, writes: false }, None),
            Access::Change(c) => self.scoped(|w| {
                c.operands.iter().for_each(|s| w.visit_stmt(s));
                let reads = c.captured || atomic::names_old(c.new);
                w.access(c.place, How::Atomic { reads, writes: true }, None);
                w.scopes.last_mut().expect("just pushed").insert(atomic::old_name().to_string());
                w.visit_expr(c.new);
            }),
        }
    }

    fn if_(&mut self, i: &syn::ExprIf) {
        // Bindings of the condition are in scope in the first branch only.
        self.scopes.push(HashSet::new());
        self.visit_expr(&i.cond);
        self.visit_block(&i.then_branch);
        self.scopes.pop();
        if let Some((_, els)) = &i.else_branch {
            self.tail(els);
        }
    }

    fn match_(&mut self, m: &syn::ExprMatch) {
        self.visit_expr(&m.expr);
        for arm in &m.arms {
            self.scoped(|w| {
                w.bind(&arm.pat);
                w.visit_pat(&arm.pat);
                w.tail(&arm.body);
            });
        }
    }
}

impl<'ast> Visit<'ast> for Walk {
    fn visit_block(&mut self, b: &'ast Block) {
        self.scoped(|w| {
            for stmt in &b.stmts {
                if let Stmt::Item(Item::Const(c)) = stmt {
                    w.bind_name(c.ident.to_string());
                }
            }
            for (n, stmt) in b.stmts.iter().enumerate() {
                match stmt {
                    Stmt::Expr(e, None) if n + 1 == b.stmts.len() => w.tail(e),
                    Stmt::Expr(e, _) => w.effect(e),
                    stmt => w.visit_stmt(stmt),
                }
            }
        });
    }

    fn visit_local(&mut self, l: &'ast syn::Local) {
        if let Some(init) = &l.init {
            self.visit_expr(&init.expr);
            if let Some((_, diverge)) = &init.diverge {
                self.visit_expr(diverge);
            }
        }
        self.bind(&l.pat);
    }

    fn visit_stmt_macro(&mut self, m: &'ast syn::StmtMacro) {
        self.macro_(&m.mac);
    }

    fn visit_item(&mut self, _: &'ast Item) {}

    /// A pattern has no uses but in its guard, which runs to its end before the arm does.
    fn visit_pat(&mut self, p: &'ast Pat) {
        if let Pat::Guard(g) = p {
            self.visit_expr(&g.guard);
        }
    }

    fn visit_type(&mut self, _: &'ast syn::Type) {}

    fn visit_expr(&mut self, e: &'ast Expr) {
        let around = std::mem::replace(&mut self.is_value, true);
        self.expr(e);
        self.is_value = around;
    }
}

impl Walk {
    pub(super) fn expr(&mut self, e: &Expr) {
        if let Some(access) = atomic::of(e) {
            return self.atomic(&access);
        }
        match e {
            Expr::Assign(a) => {
                self.visit_expr(&a.right);
                self.assign_to(&a.left, e);
            }
            Expr::Binary(b) if updates::is_assignment(&b.op) => {
                self.visit_expr(&b.right);
                self.access(&b.left, How::Update, Some(e));
            }
            Expr::Reference(r) if r.mutability.is_some() => self.access(&r.expr, How::Update, None),
            Expr::Path(_) | Expr::Field(_) | Expr::Index(_) => self.access(e, How::Read, None),
            Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => self.access(e, How::Read, None),
            Expr::MethodCall(m) => self.method(m, false),
            Expr::Call(c) if inner_len(c).is_some() => {
                self.access(inner_len(c).expect("just seen"), How::Len, None);
            }
            Expr::Call(c) => {
                if !matches!(&*c.func, Expr::Path(_)) {
                    self.visit_expr(&c.func);
                }
                c.args.iter().for_each(|a| self.argument(a));
            }
            Expr::Let(l) => {
                self.visit_expr(&l.expr);
                self.bind(&l.pat);
            }
            Expr::If(i) => self.if_(i),
            Expr::Match(m) => self.match_(m),
            Expr::While(_) | Expr::ForLoop(_) | Expr::Loop(_) => {
                self.is_value = false;
                self.any_loop(e);
            }
            Expr::Macro(m) => self.macro_(&m.mac),
            // Devices don't run closures. Inside of a `target` block the host runs them.
            Expr::Closure(c) => self.scoped(|w| {
                c.inputs.iter().for_each(|p| w.bind(p));
                w.visit_expr(&c.body);
            }),
            _ => visit::visit_expr(self, e),
        }
    }
}
