//! `match`: arms become nested `If`s.
use super::cx::{Flow, Lower};
use super::pattern::{Bound, Subject};
use omp_kernels::ir::ids::LocalId;
use omp_kernels::ir::template::{Base, Block, Expr, LocalKind, Place, Stmt};
use quote::quote;
use syn::spanned::Spanned;

impl Lower {
    /// `match`: arms become nested `If`s; the last arm without a guard needs no test, as rustc checked that all
    /// cases are there.
    pub fn match_(&mut self, e: &mut syn::Expr, dest: Option<LocalId>) -> Flow {
        let syn::Expr::Match(m) = e else { unreachable!("called with a match") };
        let subject = {
            let mut pats: Vec<&mut syn::Pat> = m.arms.iter_mut().map(|a| bare_pattern(&mut a.pat)).collect();
            self.subject_of(&mut m.expr, &mut pats)?
        };
        let mut arms = m.arms.iter_mut();
        self.arms(&subject, &mut arms, dest)
    }

    fn arms(
        &mut self,
        subject: &Subject,
        arms: &mut std::slice::IterMut<'_, syn::Arm>,
        dest: Option<LocalId>,
    ) -> Flow {
        let arm = arms.next()?;
        let last = arms.len() == 0;
        let syn::Arm { pat, body, .. } = arm;
        let (pat, guard) = match pat {
            syn::Pat::Guard(g) => (&mut *g.pat, Some(&mut *g.guard)),
            p => (p, None),
        };
        let (test, bound) = self.test_and_bind(subject, pat);
        let mut sees = Vec::new();
        let Some(guard) = guard else {
            let (then, a) = self.nested(|this| {
                this.scoped(|this| {
                    this.bind_all(bound, &mut sees);
                    this.arm_body(body, dest)
                })
            });
            prepend(body, sees);
            if last || test.is_none() {
                self.extend(then);
                return a;
            }
            let (els, b) = self.nested(|this| this.arms(subject, arms, dest));
            self.branch(test, then, els);
            return a.or(b);
        };
        // The bindings are declared outside, so that both guard and body see them.
        let src = self.src(guard.span());
        self.scoped(|this| {
            let holds = this.local("holds", LocalKind::Temp, None, true);
            let no = this.expr(Expr::Bool(false), src);
            let names = this.declare_bound(&bound, &mut sees);
            this.push(Stmt::Let { local: holds, init: Some(no) });
            let (then, guarded) = this.nested(|this| {
                this.assign_bound(&bound, &names);
                let value = this.value(guard)?;
                let place = Place { base: Base::Local(holds), projections: Vec::new() };
                this.push(Stmt::Assign { place, value, src });
                Some(())
            });
            this.branch(test, then, Block::default());
            guarded?;
            let (then, a) = this.nested(|this| this.arm_body(body, dest));
            let see_body = std::mem::take(&mut sees);
            prepend(body, see_body);
            let (els, b) = this.nested(|this| this.arms(subject, arms, dest));
            let cond = this.load(holds, src);
            this.push(Stmt::If { cond, then, els });
            a.or(b)
        })
    }

    /// Declares the variables of a pattern without values.
    fn declare_bound(&mut self, bound: &[Bound], sees: &mut Vec<syn::Stmt>) -> Vec<LocalId> {
        let declare = bound.iter().map(|b| {
            let (slot, see) = self.ask_local(&b.ident);
            sees.push(see);
            let local = self.local(&b.ident.to_string(), LocalKind::User, Some(slot), b.mutable);
            self.push(Stmt::Let { local, init: None });
            self.bind(&b.ident.to_string(), local);
            local
        });
        declare.collect()
    }

    fn assign_bound(&mut self, bound: &[Bound], names: &[LocalId]) {
        for (b, local) in bound.iter().zip(names) {
            let src = self.src(b.ident.span());
            let from = self.copy_place(&b.place);
            let value = self.expr(Expr::Load(from), src);
            let place = Place { base: Base::Local(*local), projections: Vec::new() };
            self.push(Stmt::Assign { place, value, src });
        }
    }

    fn arm_body(&mut self, body: &mut syn::Expr, dest: Option<LocalId>) -> Flow {
        match dest {
            Some(dest) => self.into(body, dest),
            None => self.effect(body),
        }
    }
}

/// Puts questions before an expression of the copy.
fn prepend(body: &mut syn::Expr, sees: Vec<syn::Stmt>) {
    if !sees.is_empty() {
        *body = syn::Expr::Verbatim(quote!({ #(#sees)* #body }));
    }
}

/// The pattern of an arm without its guard.
fn bare_pattern(p: &mut syn::Pat) -> &mut syn::Pat {
    match p {
        syn::Pat::Guard(g) => &mut g.pat,
        p => p,
    }
}
