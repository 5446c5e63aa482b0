//! Lowers atomic accesses: the marked blocks of [`crate::sema::accesses::atomic`].
//!
//! The block stays in the typing copy. There its place is wrapped in a check that the type has atomic accesses, and its
//! last statement unifies the types of the old and the new value.
use super::whole;
use crate::diag::Code as DiagCode;
use crate::lower::cx::{Lower, Value};
use crate::lower::expr::place::{READ, UPDATE, Use, is_capital};
use crate::lower::region::chain::chain;
use crate::sema::accesses::atomic;
use crate::sema::accesses::atomic::AccessMut;
use crate::sema::syntax::forms::strip_mut;
use omp_ir::desc::Prim;
use omp_ir::ids::{ExprId, LocalId};
use omp_ir::template::{Base, Block, Expr, LocalKind, Place, Stmt, TyRef};
use omp_ir::visit;
use proc_macro2::Span;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

impl Lower {
    /// The value of an atomic access, which becomes its typing copy; `None` if the expression is none.
    pub fn atomic(&mut self, e: &mut syn::Expr) -> Option<Value> {
        let copy = match atomic::of_mut(e)? {
            AccessMut::Read(place) => self.atomic_read(place),
            AccessMut::Change(after, operands, place, new) => {
                self.scopes.push(std::collections::HashMap::new());
                let copy = self.atomic_change(after, operands, place, new);
                self.scopes.pop();
                copy
            }
        };
        Some(copy.map(|(value, copy)| {
            *e = copy;
            value
        }))
    }

    fn atomic_read(&mut self, e: &mut syn::Expr) -> Option<(ExprId, syn::Expr)> {
        let (span, src) = (e.span(), self.src(e.span()));
        let place = self.atomic_place(e, READ)?;
        let old = self.local("seen", LocalKind::Temp, None, false);
        self.push(Stmt::Atomic { place, old, new: None, update: Block::default(), src });
        let copy = quote_spanned!(span=> ::omp::__private::accessed_atomically(#e));
        Some((self.load(old, src), syn::Expr::Verbatim(copy)))
    }

    fn atomic_change(
        &mut self,
        after: bool,
        operands: &mut [syn::Stmt],
        e: &mut syn::Expr,
        new_value: &mut syn::Expr,
    ) -> Option<(ExprId, syn::Expr)> {
        let mut copies = Vec::new();
        for operand in operands {
            let syn::Stmt::Local(l) = operand else { unreachable!("the form has `let`s only") };
            let mut sees = Vec::new();
            self.let_(l, &mut sees)?;
            copies.push(operand.clone());
            copies.append(&mut sees);
        }
        let (span, src) = (e.span(), self.src(e.span()));
        let place = self.atomic_place(e, UPDATE)?;
        let old = self.local("old", LocalKind::Temp, None, false);
        let new = self.local("new", LocalKind::Temp, None, false);
        let name = atomic::old_name();
        self.bind(&name.to_string(), old);
        self.updated = Some(old);
        let (update, done) = self.nested(|this| {
            let value = this.value(new_value)?;
            this.push(Stmt::Assign { place: whole(new), value, src });
            Some(())
        });
        self.updated = None;
        done?;
        self.computes_only(&update, new, new_value.span())?;
        self.push(Stmt::Atomic { place, old, new: Some(new), update, src });
        let old_here = syn::Ident::new(&name.to_string(), crate::lower::cx::hidden(span));
        let copy = quote! {{
            #(#copies)*
            let #old_here = ::omp::__private::accessed_atomically(#e);
            if true { #old_here } else { #new_value }
        }};
        let value = self.load(if after { new } else { old }, src);
        Some((value, syn::Expr::Verbatim(copy)))
    }

    /// The computation of the new value runs again if another iteration's update comes first: it may have no effects.
    fn computes_only(&mut self, update: &Block, new: LocalId, span: Span) -> Option<()> {
        let mut own = vec![new];
        visit::each_stmt(update, &mut |stmt| {
            if let Stmt::Let { local, .. } = stmt {
                own.push(*local);
            }
        });
        let mut fit = true;
        visit::each_stmt(update, &mut |stmt| {
            fit &= match stmt {
                Stmt::Assign { place, .. } => matches!(place.base, Base::Local(l) if own.contains(&l)),
                Stmt::Let { .. } | Stmt::If { .. } | Stmt::Check { .. } => true,
                Stmt::Eval(_)
                | Stmt::Atomic { .. }
                | Stmt::Inner(_)
                | Stmt::For { .. }
                | Stmt::Loop { .. }
                | Stmt::Labelled { .. }
                | Stmt::Break(_)
                | Stmt::Continue(_)
                | Stmt::Return(_) => false,
            };
        });
        if !fit {
            let help = "compute what does not depend on the old value before, and update with that";
            self.error(DiagCode::NotAnUpdate, span, "this is more than one atomic update", help);
            return None;
        }
        Some(())
    }

    /// The place of an atomic access: an element or field of a mapped array, or a captured scalar, which thereby is shared.
    fn atomic_place(&mut self, e: &mut syn::Expr, how: Use) -> Option<Place> {
        let e = strip_mut(e);
        if self.is_outside(e)
            && let Some(c) = chain(e)
            && !is_capital(&c.root)
        {
            self.note_atomic(&c);
        }
        let span = e.span();
        let place = self.place(e, how)?;
        match place.base {
            Base::Array(a) if self.is_claimed(a) => {
                let message = "an array under `disjoint` is accessed atomically";
                let help = "leave the array out of `disjoint`: atomic accesses of one element are no race";
                self.error(DiagCode::Contradiction, span, message, help);
                None
            }
            Base::Array(_) if !place.projections.is_empty() => Some(place),
            Base::Array(_) => {
                let help = "access one of its elements";
                self.error(DiagCode::NotAnUpdate, span, "`atomic` on a whole array", help);
                None
            }
            Base::Local(_) | Base::Scalar(_) | Base::Const(_) => {
                self.error(
                    DiagCode::NotAnUpdate,
                    span,
                    "`atomic` on a variable that each iteration has its own copy of",
                    "leave `atomic` out: no other iteration sees this variable (one declared before the loop is shared unless a clause makes it private)",
                );
                // The rule about variables that an inner loop's iterations share says more.
                Some(place).filter(|place| matches!(place.base, Base::Local(_)))
            }
        }
    }

    /// The only element of a shared scalar.
    pub(in crate::lower) fn only_element(&mut self, base: Place, how: Use, e: &syn::Expr) -> Place {
        let (span, src) = (e.span(), self.src(e.span()));
        let zero = self.expr(Expr::Int { value: 0, negative: false, ty: TyRef::Prim(Prim::Usize) }, src);
        let access = self.new_access(src);
        self.note_access(access, &quote!(#e).to_string().replace(' ', ""), how, span);
        self.checked(base, zero, access, src)
    }
}
