//! `match`: arms become nested `If`s.
use super::bindings::Declared;
use super::{Alternative, Subject, are_consts};
use crate::lower::cx::{Flow, Lower};
use crate::lower::stmt::whole;
use omp_ir::desc::Prim;
use omp_ir::ids::{ExprId, LocalId};
use omp_ir::template::{BinOp, Block, Expr, LocalKind, Stmt, TyRef};
use quote::ToTokens;
use syn::spanned::Spanned;

impl Lower {
    /// `match`: arms become nested `If`s; the last arm without a guard needs no test, as rustc checked that all
    /// cases are there.
    pub fn match_(&mut self, e: &mut syn::Expr, dest: Option<LocalId>) -> Flow {
        let syn::Expr::Match(m) = e else { unreachable!("called with a match") };
        // (A single arm always fits.)
        let several = m.arms.len() > 1;
        let subject = {
            let mut pats: Vec<&mut syn::Pat> = m.arms.iter_mut().map(|a| bare_pattern(&mut a.pat)).collect();
            let mut of = |this: &mut Self| this.subject_of(&mut m.expr, &mut pats);
            if several { self.refutable(of)? } else { of(self)? }
        };
        let mut arms = m.arms.iter_mut();
        let flow = self.arms(&subject, &mut arms, several, dest);
        // Whether all cases are there, rustc says of the host's loop.
        if !m.arms.is_empty() {
            m.arms.push(syn::parse_quote!(_ => ::omp::__private::core::unreachable!()));
        }
        flow
    }

    fn arms(
        &mut self,
        subject: &Subject,
        arms: &mut std::slice::IterMut<'_, syn::Arm>,
        several: bool,
        dest: Option<LocalId>,
    ) -> Flow {
        let arm = arms.next()?;
        let last = arms.len() == 0;
        let syn::Arm { pat, body, .. } = arm;
        let (pat, guard) = match pat {
            syn::Pat::Guard(g) => (&mut *g.pat, Some(&mut *g.guard)),
            p => (p, None),
        };
        let mut sees = Vec::new();
        are_consts(pat, &mut sees);
        let (test, alternatives) = match several {
            true => self.refutable(|this| this.test_and_bind(subject, pat)),
            false => self.test_and_bind(subject, pat),
        };
        let Some(guard) = guard else {
            let (then, a) = self.nested(|this| {
                this.scoped(|this| {
                    this.bind_all(alternatives, &mut sees);
                    this.arm_body(body, dest)
                })
            });
            prepend(body, sees);
            if last || test.is_none() {
                self.extend(then);
                // Arms after one that always fits are lowered for the copy alone.
                let _ = self.nested(|this| this.arms(subject, arms, several, dest));
                return a;
            }
            let (els, b) = self.nested(|this| this.arms(subject, arms, several, dest));
            self.branch(test, then, els);
            return a.or(b);
        };
        // The bindings are declared outside, so that both guard and body see them; the arms that follow don't.
        let src = self.src(guard.span());
        let holds = self.local("holds", LocalKind::Temp, None, true);
        let no = self.expr(Expr::Bool(false), src);
        let (then, a) = self.scoped(|this| {
            let declared = this.declare_bound(&alternatives, &mut sees);
            this.push(Stmt::Let { local: holds, init: Some(no) });
            this.guarded(test, alternatives, &declared, guard, holds);
            // (A guard that leaves does so where its pattern fits: the arms after it are for the rest.)
            this.nested(|this| {
                this.name_parts(&declared);
                this.arm_body(body, dest)
            })
        });
        prepend(body, sees);
        let (els, b) = self.nested(|this| this.arms(subject, arms, several, dest));
        let cond = self.load(holds, src);
        self.push(Stmt::If { cond, then, els });
        a.or(b)
    }

    /// Evaluates a guard where its pattern fits, and leaves in `holds` whether the arm is taken.
    fn guarded(
        &mut self,
        test: Option<ExprId>,
        alternatives: Vec<Alternative>,
        declared: &[Declared],
        guard: &mut syn::Expr,
        holds: LocalId,
    ) {
        let src = self.src(guard.span());
        let try_guard = |this: &mut Self, guard: &mut syn::Expr| {
            this.name_parts(declared);
            let value = this.value(guard)?;
            this.push(Stmt::Assign { place: whole(holds), value, src });
            Some(())
        };
        if let [Alternative { bound, .. }] = &alternatives[..] {
            let (then, _) = self.nested(|this| {
                this.assign_bound(bound, declared);
                try_guard(this, guard)
            });
            self.branch(test, then, Block::default());
            return;
        }
        // Rust evaluates the guard for each alternative that fits, until it holds. The kernel has it once, in a loop over them.
        let (turn, fits) = (self.flag("turn"), self.flag("fits"));
        let number = |this: &mut Self, value: usize| {
            let value = value as u128;
            this.expr(Expr::Int { value, negative: false, ty: TyRef::Prim(Prim::U32) }, src)
        };
        let (zero, label) = (number(self, 0), self.label());
        self.push(Stmt::Let { local: turn, init: Some(zero) });
        let (body, ()) = self.nested(|this| {
            let no = this.expr(Expr::Bool(false), src);
            this.push(Stmt::Let { local: fits, init: Some(no) });
            let mut chain = Block(vec![Stmt::Break(label)]);
            for (k, Alternative { test, bound }) in alternatives.into_iter().enumerate().rev() {
                let (then, ()) = this.nested(|this| {
                    let next = number(this, k + 1);
                    this.push(Stmt::Assign { place: whole(turn), value: next, src });
                    let (then, ()) = this.nested(|this| {
                        this.assign_bound(&bound, declared);
                        let yes = this.expr(Expr::Bool(true), src);
                        this.push(Stmt::Assign { place: whole(fits), value: yes, src });
                    });
                    this.branch(test, then, Block::default());
                });
                let (now, mine) = (this.load(turn, src), number(this, k));
                let cond = this.expr(Expr::Binary(BinOp::Eq, now, mine), src);
                chain = Block(vec![Stmt::If { cond, then, els: chain }]);
            }
            this.extend(chain);
            let (then, _) = this.nested(|this| {
                try_guard(this, guard)?;
                let cond = this.load(holds, src);
                let then = Block(vec![Stmt::Break(label)]);
                this.push(Stmt::If { cond, then, els: Block::default() });
                Some(())
            });
            let cond = this.load(fits, src);
            this.push(Stmt::If { cond, then, els: Block::default() });
        });
        self.push(Stmt::Loop { label, body });
    }

    /// A temporary that is set more than once.
    fn flag(&mut self, name: &str) -> LocalId {
        self.local(name, LocalKind::Temp, None, true)
    }

    fn arm_body(&mut self, body: &mut syn::Expr, dest: Option<LocalId>) -> Flow {
        match dest {
            Some(dest) => self.into(body, dest),
            None => self.effect(body),
        }
    }
}

/// Puts questions before an expression of the copy.
fn prepend(body: &mut syn::Expr, mut sees: Vec<syn::Stmt>) {
    if !sees.is_empty() {
        // (As a statement, `match … { … } as i64` needs parentheses. `syn` writes them in a `Block`, but not between the tokens of `quote!`.)
        sees.push(syn::Stmt::Expr(body.clone(), None));
        *body = syn::Expr::Verbatim(
            syn::Block { brace_token: Default::default(), stmts: sees }.to_token_stream(),
        );
    }
}

/// The pattern of an arm without its guard.
fn bare_pattern(p: &mut syn::Pat) -> &mut syn::Pat {
    match p {
        syn::Pat::Guard(g) => &mut g.pat,
        p => p,
    }
}
