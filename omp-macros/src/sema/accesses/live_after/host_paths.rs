//! The paths from a region to the host code after it: through branches, loops, labels, closures and early returns. On
//! each path the variable has its old value, which is wrong, until something assigns it.
//!
//! Host code is not lowered, so this is the only dataflow on syntax trees. What regions do is read from their templates.
use super::Reader;
use crate::parse::std_macros::stays;
use crate::parse::tokens::format_text;
use crate::parse::tokens::leaves::leaves;
use crate::sema::syntax::forms::strip;
use crate::sema::syntax::names::bound;
use crate::sema::syntax::place;
use crate::sema::syntax::place::Step;
use crate::sema::syntax::uses::surely_runs;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{Arm, BinOp, Block, Expr, Label, Lifetime, Local, Macro, Pat, Type};

/// The variable that is followed.
pub(super) struct Variable<'s> {
    /// The placeholder of the region.
    pub placeholder: &'s str,
    /// The variable's name.
    pub key: &'s str,
    /// It, or the part of it that iterations have copies of.
    pub path: &'s [Step],
    /// The placeholders of other regions and of data directives.
    pub others: &'s [Reader],
    /// It is behind a reference that is a parameter: another reference in its place has another owner.
    pub lent: bool,
}

/// The reads that were found.
pub(super) struct Seen {
    /// The first read of the old value.
    pub read: Option<TokenStream>,
    /// The variable may have its old value at the end of the function, and it is declared outside of the body.
    pub at_end: bool,
}

/// Goes through the body of a function.
pub(super) fn of_body(body: &Block, of: &Variable) -> Seen {
    let mut walk = Walk {
        of,
        state: Some(vec![false]),
        frames: Vec::new(),
        macros: macros(body, of.key),
        ends: None,
        read: None,
    };
    walk.visit_block(body);
    let mut end = walk.ends.take();
    join(&mut end, walk.state.take());
    Seen { read: walk.read, at_end: end.is_some_and(|end| end[0]) }
}

/// Whether the old value may be there: of each variable of the name that is in scope, outermost first. The first is the one
/// that has the name outside. `None` where control does not come.
type State = Option<Vec<bool>>;

/// The state where two control-flow paths join: what is in scope is what `a` has.
fn join(a: &mut State, b: State) {
    match (a.as_mut(), b) {
        (Some(a), Some(b)) => a.iter_mut().zip(b).for_each(|(a, b)| *a |= b),
        (None, b) => *a = b,
        (Some(_), None) => {}
    }
}

/// Whether a condition says that the region before it was left undone, as `kernels` may: then no iteration has had a copy.
fn left_undone(condition: &Expr) -> bool {
    let Expr::Call(call) = condition else { return false };
    let Expr::Path(of) = &*call.func else { return false };
    of.path.leading_colon.is_some()
        && of.path.segments.iter().map(|s| s.ident.to_string()).eq(["omp", "__private", "they_met"])
}

/// A construct that `break`, `continue`, `return` or `?` can leave.
struct Frame {
    kind: Kind,
    label: Option<String>,
    /// How many variables of the name are in scope there.
    depth: usize,
    /// The state where they lead.
    out: State,
    next: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Loop,
    Block,
    Closure,
}

struct Walk<'w, 's> {
    of: &'w Variable<'s>,
    state: State,
    frames: Vec<Frame>,
    /// The function's own macros, if one names the variable.
    macros: Vec<String>,
    /// The state at early returns.
    ends: State,
    read: Option<TokenStream>,
}

impl Walk<'_, '_> {
    fn is_lost(&self) -> bool {
        self.state.as_ref().and_then(|s| s.last()).copied().unwrap_or_default()
    }

    fn set(&mut self, lost: bool) {
        if let Some(top) = self.state.as_mut().and_then(|s| s.last_mut()) {
            *top = lost;
        }
    }

    fn depth(&self) -> usize {
        self.state.as_ref().map_or(0, Vec::len)
    }

    /// Visits a scope, whose bindings end with it.
    fn scoped(&mut self, f: impl FnOnce(&mut Self)) {
        let depth = self.depth();
        f(self);
        if let Some(state) = &mut self.state {
            state.truncate(depth);
        }
    }

    /// Up to the end of the scope another variable may have the name.
    fn bind(&mut self, pat: &Pat) {
        if self.binds(pat)
            && let Some(state) = &mut self.state
        {
            state.push(false);
        }
    }

    fn binds(&self, pat: &Pat) -> bool {
        bound(pat).iter().any(|name| name == self.of.key)
    }

    /// A read of it stands here.
    fn reads(&mut self, at: impl FnOnce() -> Option<TokenStream>) {
        if self.is_lost() && self.read.is_none() {
            self.read = at();
        }
    }

    /// The region itself.
    fn region(&mut self) {
        // Its bounds are evaluated, again if it stands in a loop.
        let own = self.of.others.iter().find(|other| other.name == self.of.placeholder);
        self.reads(|| own.and_then(|own| own.reads(self.of.path, false)));
        self.set(true);
    }

    /// Visits a construct that jumps can leave, with its label.
    fn frame(&mut self, kind: Kind, label: Option<&Label>, f: impl FnOnce(&mut Self)) -> Frame {
        let label = label.map(|l| l.name.ident.to_string());
        self.frames.push(Frame { kind, label, depth: self.depth(), out: None, next: None });
        f(self);
        self.frames.pop().expect("pushed above")
    }

    /// Goes to the end of a frame, or to its next iteration.
    fn leave(&mut self, to: impl Fn(&Frame) -> bool, next: bool) {
        let mut state = self.state.take();
        match self.frames.iter_mut().rev().find(|f| to(f)) {
            Some(frame) => {
                if let Some(state) = &mut state {
                    state.truncate(frame.depth);
                }
                join(if next { &mut frame.next } else { &mut frame.out }, state);
            }
            None => {
                if let Some(state) = &mut state {
                    state.truncate(1);
                }
                join(&mut self.ends, state);
            }
        }
    }

    fn jump(&mut self, label: Option<&Lifetime>, next: bool) {
        let label = label.map(|l| l.ident.to_string());
        let to = |f: &Frame| match &label {
            Some(_) => f.label == label,
            None => f.kind == Kind::Loop,
        };
        self.leave(to, next);
    }

    /// A macro's code is not visible: it may contain a `break`, a `continue` or a `return`.
    fn anywhere(&mut self) {
        let (state, closure) = (&self.state, self.frames.iter().rposition(|f| f.kind == Kind::Closure));
        for frame in &mut self.frames[closure.unwrap_or_default()..] {
            let mut state = state.clone();
            if let Some(state) = &mut state {
                state.truncate(frame.depth);
            }
            if frame.kind == Kind::Loop {
                join(&mut frame.next, state.clone());
            }
            join(&mut frame.out, state);
        }
        if closure.is_none() {
            let mut state = state.clone();
            if let Some(state) = &mut state {
                state.truncate(1);
            }
            join(&mut self.ends, state);
        }
    }

    fn returns(&mut self) {
        self.leave(|f| f.kind == Kind::Closure, false);
    }

    /// A loop, or a closure, which may be called again. `iteration` goes through one iteration and gives the state in which
    /// the loop is over before it.
    fn repeat(
        &mut self,
        kind: Kind,
        label: Option<&Label>,
        iterates: bool,
        iteration: impl Fn(&mut Self) -> State,
    ) {
        let mut entry = self.state.clone();
        loop {
            let mut over = None;
            let frame = self.frame(kind, label, |w| over = iteration(w));
            let mut back = self.state.take();
            join(&mut back, frame.next);
            if kind == Kind::Closure {
                join(&mut back, frame.out.clone());
            }
            let mut exit = frame.out;
            join(&mut exit, if iterates { back.clone() } else { over });
            // The state after one iteration is the state before the next one.
            let before = entry.clone();
            join(&mut entry, back);
            if entry == before {
                self.state = exit;
                return;
            }
            self.state.clone_from(&entry);
        }
    }

    /// A condition: gives the state in which it is false. What it binds stays in scope.
    fn condition(&mut self, cond: &Expr, no: &mut State) {
        match strip(cond) {
            Expr::Let(l) => {
                self.visit_expr(&l.expr);
                join(no, self.state.clone());
                self.bind(&l.pat);
            }
            Expr::Binary(b) if matches!(b.op, BinOp::And(_)) => {
                self.condition(&b.left, no);
                self.condition(&b.right, no);
            }
            other => {
                self.visit_expr(other);
                join(no, self.state.clone());
            }
        }
    }

    /// The arms of a `match`.
    fn arms(&mut self, arms: &[Arm]) {
        let depth = self.depth();
        let (mut next, mut after) = (self.state.take(), None);
        for arm in arms {
            self.state = next.clone();
            self.bind(&arm.pat);
            if let Pat::Guard(g) = &arm.pat {
                let mut no = None;
                self.condition(&g.guard, &mut no);
                if let Some(no) = &mut no {
                    no.truncate(depth);
                }
                join(&mut next, no);
            }
            self.visit_expr(&arm.body);
            if let Some(state) = &mut self.state {
                state.truncate(depth);
            }
            join(&mut after, self.state.take());
        }
        self.state = after;
    }

    fn assignment(&mut self, left: &Expr, right: &Expr) {
        self.visit_expr(right);
        place::each_target(left, &mut |place| self.assigned(place));
    }

    fn assigned(&mut self, left: &Expr) {
        let path = place::path(left);
        let Some(part) = path.filter(|part| place::meet(part, self.of.path).is_some()) else {
            return self.visit_expr(left);
        };
        // A part of it is not read by that, subscripts are.
        for subscript in place::of(left).into_iter().flat_map(|p| p.subscripts) {
            self.visit_expr(subscript);
        }
        if self.of.lent && part.len() < self.of.path.len() {
            // The place that it is a part of may be a reference itself, to the lost value.
            self.reads(|| Some(left.to_token_stream()));
        } else if self.of.path.starts_with(&part) {
            self.set(false);
        }
    }

    /// A name: of a variable, or one that stands for a directive.
    fn name(&mut self, e: &Expr) {
        let name = match e {
            Expr::Path(p) => p.path.get_ident().filter(|name| name.to_string().starts_with("__omp_")),
            _ => None,
        };
        if name.is_some_and(|name| name == self.of.placeholder) {
            return self.region();
        }
        if let Some(other) = name.and_then(|name| self.of.others.iter().find(|other| name == &other.name)) {
            self.reads(|| other.reads(self.of.path, true));
            if other.assigns(self.of.path) {
                self.set(false);
            }
            return;
        }
        if place::path(e).is_some_and(|path| place::meet(&path, self.of.path).is_some()) {
            self.reads(|| Some(e.to_token_stream()));
        }
        for subscript in place::of(e).into_iter().flat_map(|p| p.subscripts) {
            self.visit_expr(subscript);
        }
    }
}

impl<'ast> Visit<'ast> for Walk<'_, '_> {
    fn visit_block(&mut self, b: &'ast Block) {
        self.scoped(|w| visit::visit_block(w, b));
    }

    fn visit_local(&mut self, l: &'ast Local) {
        if let Some(init) = &l.init {
            self.visit_expr(&init.expr);
            if let Some((_, diverges)) = &init.diverge {
                let after = self.state.clone();
                self.visit_expr(diverges);
                self.state = after;
            }
        }
        self.bind(&l.pat);
    }

    fn visit_expr(&mut self, e: &'ast Expr) {
        match e {
            Expr::Assign(a) => self.assignment(&a.left, &a.right),
            Expr::Path(_) | Expr::Field(_) | Expr::Index(_) if place::path(e).is_some() => self.name(e),
            Expr::If(i) => {
                let mut no = None;
                self.scoped(|w| {
                    w.condition(&i.cond, &mut no);
                    if left_undone(&i.cond) {
                        w.set(false);
                    }
                    w.visit_block(&i.then_branch);
                });
                let yes = std::mem::replace(&mut self.state, no);
                if let Some((_, els)) = &i.else_branch {
                    self.visit_expr(els);
                }
                join(&mut self.state, yes);
            }
            Expr::Match(m) => {
                self.visit_expr(&m.expr);
                self.arms(&m.arms);
            }
            Expr::Binary(b) if matches!(b.op, BinOp::And(_) | BinOp::Or(_)) => {
                self.visit_expr(&b.left);
                let short = self.state.clone();
                self.visit_expr(&b.right);
                join(&mut self.state, short);
            }
            Expr::While(l) => self.repeat(Kind::Loop, l.label.as_ref(), false, |w| {
                let mut no = None;
                w.scoped(|w| {
                    w.condition(&l.cond, &mut no);
                    w.visit_block(&l.body);
                });
                no
            }),
            Expr::Loop(l) => self.repeat(Kind::Loop, l.label.as_ref(), false, |w| {
                w.visit_block(&l.body);
                None
            }),
            Expr::ForLoop(l) => {
                self.visit_expr(&l.expr);
                self.repeat(Kind::Loop, l.label.as_ref(), surely_runs(&l.expr), |w| {
                    let over = w.state.clone();
                    w.scoped(|w| {
                        w.bind(&l.pat);
                        w.visit_block(&l.body);
                    });
                    over
                });
            }
            Expr::Block(b) => match &b.label {
                Some(label) => {
                    let frame = self.frame(Kind::Block, Some(label), |w| w.visit_block(&b.block));
                    join(&mut self.state, frame.out);
                }
                None => self.visit_block(&b.block),
            },
            // It may be called never, or again.
            Expr::Closure(c) => self.repeat(Kind::Closure, None, false, |w| {
                let before = w.state.clone();
                w.scoped(|w| {
                    c.inputs.iter().for_each(|pat| w.bind(pat));
                    w.visit_expr(&c.body);
                });
                before
            }),
            Expr::Async(a) => self.repeat(Kind::Closure, None, false, |w| {
                let before = w.state.clone();
                w.visit_block(&a.block);
                before
            }),
            Expr::Break(b) => {
                b.expr.iter().for_each(|e| self.visit_expr(e));
                self.jump(b.label.as_ref(), false);
            }
            Expr::Continue(c) => self.jump(c.label.as_ref(), true),
            Expr::Return(r) => {
                r.expr.iter().for_each(|e| self.visit_expr(e));
                self.returns();
            }
            Expr::Try(t) => {
                self.visit_expr(&t.expr);
                let goes_on = self.state.clone();
                self.returns();
                self.state = goes_on;
            }
            _ => visit::visit_expr(self, e),
        }
    }

    fn visit_macro(&mut self, m: &'ast Macro) {
        let (key, name) =
            (self.of.key, m.path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default());
        self.reads(|| first(&m.tokens, key));
        if self.macros.contains(&name) {
            self.reads(|| Some(m.path.to_token_stream()));
        }
        if !stays(m) || jumps(&m.tokens) {
            self.anywhere();
        }
    }

    fn visit_pat(&mut self, _: &'ast Pat) {}
    fn visit_item(&mut self, _: &'ast syn::Item) {}
    fn visit_type(&mut self, _: &'ast Type) {}
}

/// Whether a jump stands in what a macro is given.
fn jumps(tokens: &TokenStream) -> bool {
    leaves(tokens.clone()).any(|leaf| match leaf {
        TokenTree::Ident(i) => i == "break" || i == "continue" || i == "return",
        TokenTree::Punct(p) => p.as_char() == '?',
        _ => false,
    })
}

/// The macros that a function defines, if one of them names the variable: they see it wherever they stand.
fn macros(body: &Block, key: &str) -> Vec<String> {
    struct Find<'k> {
        key: &'k str,
        names: Vec<String>,
        found: bool,
    }
    impl<'ast> Visit<'ast> for Find<'_> {
        fn visit_item_macro(&mut self, m: &'ast syn::ItemMacro) {
            self.names.extend(m.ident.as_ref().map(ToString::to_string));
            self.found |= first(&m.mac.tokens, self.key).is_some();
        }
    }
    let mut find = Find { key, names: Vec::new(), found: false };
    find.visit_block(body);
    if find.found { find.names } else { Vec::new() }
}

/// The first token that names the variable.
pub(super) fn first(tokens: &TokenStream, key: &str) -> Option<TokenStream> {
    let mut all = leaves(tokens.clone());
    let found = all.find(|leaf| match leaf {
        TokenTree::Ident(i) => i == key,
        TokenTree::Literal(l) => format_text::of_literal(l).iter().any(|name| name == key),
        _ => false,
    });
    found.map(TokenStream::from)
}
