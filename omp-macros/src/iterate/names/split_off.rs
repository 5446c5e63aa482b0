//! `rest.split_off_first()`, `rest.split_off(..n)` of a slice variable: it is assigned what stays, in a statement before, and the call
//! becomes `taken.first()` or `taken.get(..n)` of what the variable was. Cursors and options have rules for both.
//!
//! The call has to be what the statement evaluates first, so that it moves the variable on whenever the statement runs, and nothing that it
//! moves past depends on it.
use crate::iterate::tokens::{hidden, made};
use crate::iterate::values::arrays::is_number;
use crate::parse::tokens::file::SourceFile;
use crate::parse::tokens::leaves::mentions;
use crate::sema::reduction::updates::is_assignment;
use crate::sema::syntax::effects;
use crate::sema::syntax::forms::{is_named, strip};
use crate::sema::syntax::names::Names;
use crate::sema::syntax::search;
use proc_macro2::Ident;
use quote::{ToTokens, quote_spanned};
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, ExprMethodCall, Stmt};

/// Rewrites the calls of a variable that is a slice for sure, in the statements after its declaration.
pub(super) fn in_statements(stmts: Vec<Stmt>, name: &Ident) -> Vec<Stmt> {
    let is_it = |e: &Expr| matches!(e, Expr::MethodCall(m) if is_call(m, name));
    let mut names = Names::default();
    stmts.iter().for_each(|s| names.visit_stmt(s));
    if names.bound.iter().any(|p| p.ident == *name) || !stmts.iter().any(|s| search::any(s, is_it)) {
        return stmts;
    }
    let mut block = Block { brace_token: Default::default(), stmts };
    SplitOff { name, next: 0 }.visit_block_mut(&mut block);
    block.stmts
}

/// A method of slices that moves a variable on.
fn is_call(m: &ExprMethodCall, name: &Ident) -> bool {
    let known = match (m.method.to_string().as_str(), m.args.first()) {
        ("split_off_first" | "split_off_last" | "split_off_first_mut" | "split_off_last_mut", None) => true,
        ("split_off" | "split_off_mut", Some(Expr::Range(r))) => {
            m.args.len() == 1 && r.start.is_some() != r.end.is_some()
        }
        _ => false,
    };
    // A trait of the user's may have such a method.
    let own = |text: &str| text.contains("fn split_off");
    let of_users = || SourceFile::of(m.method.span()).is_some_and(|file| *file.shows(own));
    known && is_named(&m.receiver, name) && !of_users()
}

struct SplitOff<'n> {
    name: &'n Ident,
    next: usize,
}

impl SplitOff<'_> {
    /// The call that an expression evaluates whenever it is evaluated, and before all that depends on it. `alone`: nothing comes before it.
    fn first<'e>(&self, e: &'e mut Expr, alone: bool) -> Option<&'e mut ExprMethodCall> {
        let pure = |e: &Expr| {
            (effects::is_pure(e, &effects::is_of_numbers) || matches!(strip(e), Expr::Closure(_)))
                && !mentions(e.to_token_stream(), &self.name.to_string())
        };
        let in_order = |operands: Vec<&'e mut Expr>| {
            for (n, e) in operands.into_iter().enumerate() {
                if !pure(e) {
                    return self.first(e, alone && n == 0);
                }
            }
            None
        };
        match e {
            Expr::MethodCall(m) => {
                if is_call(m, self.name) {
                    let is_number = |e: &Expr| matches!(e, Expr::Range(r) if [&r.start, &r.end].into_iter().flatten().all(|n| is_number(n)));
                    return (alone || m.args.iter().all(is_number)).then_some(m);
                }
                in_order([&mut *m.receiver].into_iter().chain(&mut m.args).collect())
            }
            Expr::Call(c) if matches!(&*c.func, Expr::Path(_)) => in_order(c.args.iter_mut().collect()),
            Expr::Tuple(t) => in_order(t.elems.iter_mut().collect()),
            Expr::Array(a) => in_order(a.elems.iter_mut().collect()),
            Expr::Struct(s) => in_order(s.fields.iter_mut().map(|f| &mut f.expr).collect()),
            Expr::Binary(b) => match b.op {
                syn::BinOp::And(_) | syn::BinOp::Or(_) => self.first(&mut b.left, alone),
                // (Whether the place or the value comes first depends on the types.)
                op if is_assignment(&op) => match (pure(&b.left), pure(&b.right)) {
                    (true, false) => self.first(&mut b.right, false),
                    (false, true) => self.first(&mut b.left, false),
                    _ => None,
                },
                _ => in_order(vec![&mut b.left, &mut b.right]),
            },
            Expr::Assign(a) => in_order(vec![&mut a.right, &mut a.left]),
            Expr::Index(x) => in_order(vec![&mut x.expr, &mut x.index]),
            Expr::Try(t) => self.first(&mut t.expr, alone),
            Expr::Paren(p) => self.first(&mut p.expr, alone),
            Expr::Cast(c) => self.first(&mut c.expr, alone),
            Expr::Unary(u) => self.first(&mut u.expr, alone),
            Expr::Reference(r) => self.first(&mut r.expr, alone),
            Expr::Field(f) => self.first(&mut f.base, alone),
            Expr::Match(m) => self.first(&mut m.expr, alone),
            Expr::If(i) => self.first(&mut i.cond, alone),
            Expr::Let(l) => self.first(&mut l.expr, alone),
            Expr::Return(r) => self.first(r.expr.as_mut()?, alone),
            Expr::Break(b) => self.first(b.expr.as_mut()?, alone),
            _ => None,
        }
    }

    fn is_first(&self, e: &Expr) -> bool {
        self.first(&mut e.clone(), true).is_some()
    }

    /// Takes the calls that a statement evaluates first out of it.
    fn taken_before(&mut self, s: &mut Stmt) -> Vec<Stmt> {
        let mut all = Vec::new();
        loop {
            let found = match s {
                Stmt::Local(l) => l.init.as_mut().and_then(|init| self.first(&mut init.expr, true)),
                Stmt::Expr(e, _) => self.first(e, true),
                Stmt::Item(_) | Stmt::Macro(_) => None,
            };
            let Some(found) = found else { return all };
            let call = found.clone();
            let (mut before, method, args) = self.moved(&call);
            *found.receiver = made(hidden_taken(self.name, self.next, &call).into_token_stream());
            found.method = method;
            found.args = args.into_iter().collect();
            // (Its argument may have such calls.)
            let within = before.first_mut().map_or_else(Vec::new, |s| self.taken_before(s));
            all.extend(within);
            all.append(&mut before);
        }
    }

    /// The statements before a call, and the method and the argument of what the variable was.
    fn moved(&mut self, m: &ExprMethodCall) -> (Vec<Stmt>, Ident, Option<Expr>) {
        self.next += 1;
        let (name, span, method) = (self.name, m.method.span(), m.method.to_string());
        let taken = hidden_taken(name, self.next, m);
        let [number, mid, rest] = ["number", "mid", "rest"].map(|what| own(what, name, self.next, span));
        let usize_ = quote_spanned!(span=> ::omp::__private::core::primitive::usize);
        let mut stmts: Vec<Stmt> = Vec::new();
        let len = quote_spanned!(span=> #name.len());
        let mutable = method.ends_with("_mut");
        // Whether the part is there and at the front, where the slice is split, and the range of the part.
        let (there, front, at, range) = match m.args.first() {
            Some(Expr::Range(r)) => {
                let n = r.start.as_ref().or(r.end.as_ref());
                stmts.push(syn::parse_quote_spanned!(span=> let #number: #usize_ = #n;));
                let inclusive = matches!(r.limits, syn::RangeLimits::Closed(_));
                match (r.start.is_none(), inclusive) {
                    (true, true) => (
                        quote_spanned!(span=> #number < #len),
                        true,
                        quote_spanned!(span=> #number + 1),
                        Some(quote_spanned!(span=> ..=#number)),
                    ),
                    (true, false) => (
                        quote_spanned!(span=> #number <= #len),
                        true,
                        number.to_token_stream(),
                        Some(quote_spanned!(span=> ..#number)),
                    ),
                    // (Of the part alone, if it is split off.)
                    (false, _) => (
                        quote_spanned!(span=> #number <= #len),
                        false,
                        number.to_token_stream(),
                        Some(if mutable {
                            quote_spanned!(span=> (#number - #mid)..)
                        } else {
                            quote_spanned!(span=> #number..)
                        }),
                    ),
                }
            }
            _ if method.contains("first") => {
                (quote_spanned!(span=> #len != 0), true, quote_spanned!(span=> 1), None)
            }
            _ => (quote_spanned!(span=> #len != 0), false, quote_spanned!(span=> #len - 1), None),
        };
        let core = quote_spanned!(span=> ::omp::__private::core);
        if mutable {
            // Where there is no part, an empty one is split off.
            let (none, halves) = if front {
                (quote_spanned!(span=> 0), quote_spanned!(span=> (#taken, #rest)))
            } else {
                (len, quote_spanned!(span=> (#rest, #taken)))
            };
            let block: Block = syn::parse_quote_spanned!(span=> {
                let #mid: #usize_ = if #there { #at } else { #none };
                let #halves = #core::mem::take(&mut #name).split_at_mut(#mid);
                #name = #rest;
            });
            stmts.extend(block.stmts);
        } else {
            let stays = if front { quote_spanned!(span=> #at..) } else { quote_spanned!(span=> ..#at) };
            let block: Block = syn::parse_quote_spanned!(span=> {
                let #taken = #name;
                if #there { #name = &#name[#stays]; }
            });
            stmts.extend(block.stmts);
        }
        let method = match method.trim_start_matches("split_off") {
            "" => "get",
            "_mut" => "get_mut",
            end => end.trim_start_matches('_'),
        };
        (stmts, Ident::new(method, span), range.map(made))
    }
}

fn own(what: &str, name: &Ident, n: usize, span: proc_macro2::Span) -> Ident {
    hidden(&format!("__omp_{what}_of{n}_{}", name.to_string().trim_matches('_')), span)
}

/// The name of what the variable was.
fn hidden_taken(name: &Ident, n: usize, m: &ExprMethodCall) -> Ident {
    own("taken", name, n, m.method.span())
}

impl VisitMut for SplitOff<'_> {
    fn visit_block_mut(&mut self, b: &mut Block) {
        for mut s in std::mem::take(&mut b.stmts) {
            b.stmts.extend(self.taken_before(&mut s));
            visit_mut::visit_stmt_mut(self, &mut s);
            b.stmts.push(s);
        }
    }

    fn visit_expr_mut(&mut self, e: &mut Expr) {
        // A condition is evaluated again for each iteration.
        if let Expr::While(w) = e
            && self.is_first(&w.cond)
        {
            let (label, cond, body) = (&w.label, &w.cond, &w.body);
            let span = w.while_token.span();
            *e = made(quote_spanned!(span=> #label loop { if #cond #body else { break } }));
        }
        visit_mut::visit_expr_mut(self, e);
    }

    fn visit_expr_if_mut(&mut self, i: &mut syn::ExprIf) {
        if let Some((_, other)) = &mut i.else_branch {
            self.in_own_block(other);
        }
        visit_mut::visit_expr_if_mut(self, i);
    }

    fn visit_arm_mut(&mut self, a: &mut syn::Arm) {
        self.in_own_block(&mut a.body);
        visit_mut::visit_arm_mut(self, a);
    }

    fn visit_expr_closure_mut(&mut self, c: &mut syn::ExprClosure) {
        self.in_own_block(&mut c.body);
        visit_mut::visit_expr_closure_mut(self, c);
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

impl SplitOff<'_> {
    /// Statements before an expression need a block.
    fn in_own_block(&self, e: &mut Expr) {
        if !matches!(e, Expr::Block(_))
            && (self.is_first(e) || matches!(&*e, Expr::While(w) if self.is_first(&w.cond)))
        {
            let value = &*e;
            *e = made(quote_spanned!(e.span()=> { #value }));
        }
    }
}
