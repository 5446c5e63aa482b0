//! Arguments and receivers of calls: passed as a whole, borrowed, or read.
use crate::lower::cx::{Lower, Name, Value};
use crate::lower::expr::place::{ARGUMENT, READ, UPDATE, Use, is_place, place_of};
use crate::sema::syntax::forms::{strip, strip_mut};
use crate::sema::syntax::place;
use omp_ir::ids::ExprId;
use omp_ir::template::{Base, Expr, LocalKind, Place, Stmt};
use syn::spanned::Spanned;

impl Lower {
    /// An argument: mapped arrays and slices may stand whole, references are seen through.
    pub fn argument(&mut self, e: &mut syn::Expr) -> Value {
        self.argument_by(e, true)
    }

    /// `bare`: there is no `&` before it.
    fn argument_by(&mut self, e: &mut syn::Expr, bare: bool) -> Value {
        let e = strip_mut(e);
        match e {
            syn::Expr::Reference(r) if r.mutability.is_some() => {
                let value = self.mutable_argument(&mut r.expr)?;
                // Two elements of one array may be borrowed: in the user's text, rustc has seen that they are different.
                if let Expr::Borrow(place) = &self.code.exprs[value.index()].expr
                    && !place.projections.is_empty()
                {
                    let (span, element) = (r.span(), &r.expr);
                    *e = syn::Expr::Verbatim(
                        quote::quote_spanned!(span=> ::omp::__private::element_to_change(&#element)),
                    );
                }
                Some(value)
            }
            syn::Expr::Reference(r) => {
                let of_reference = matches!(strip(&r.expr), syn::Expr::Reference(_));
                let value = self.argument_by(&mut r.expr, false)?;
                // `& &mut place` gives the value alone.
                if let Expr::Borrow(place) = &self.code.exprs[value.index()].expr
                    && of_reference
                {
                    let (place, src) = (place.clone(), self.src(r.span()));
                    return Some(self.expr(Expr::Load(place), src));
                }
                Some(value)
            }
            syn::Expr::Array(_) | syn::Expr::Repeat(_) if !bare => {
                // A `&[T; N]` may become a slice, which is of a place.
                let value = self.value(e)?;
                Some(self.temp("array", value))
            }
            // A byte string is a reference to an array.
            syn::Expr::Lit(l) if matches!(l.lit, syn::Lit::ByteStr(_)) => {
                let value = self.byte_string(e)?;
                Some(self.temp("bytes", value))
            }
            syn::Expr::Index(x) if matches!(strip(&x.index), syn::Expr::Range(_)) => self.slice(x, false),
            // (`&p` of it is read.)
            syn::Expr::Path(_) if bare && self.no_reference_quietly(e) => self.borrow(e),
            syn::Expr::Path(p) if self.is_none(&p.path) => self.value(e),
            syn::Expr::Path(_) | syn::Expr::Field(_) | syn::Expr::Unary(_) if is_place(e) => {
                let src = self.src(e.span());
                let place = self.place(e, Use { by_ref: !bare, ..ARGUMENT })?;
                if matches!(place.base, Base::Array(_)) && place.projections.is_empty() {
                    self.mark_passed(&place, READ);
                    if let (true, Base::Array(array), syn::Expr::Path(_)) = (bare, place.base, &*e) {
                        let span = e.span();
                        let caught = self.typing.arrays[array.index()].at(span);
                        *e = syn::Expr::Verbatim(quote::quote_spanned!(span=> #caught.bare(&#e)));
                    }
                    return Some(self.whole(e, place, false));
                }
                Some(self.expr(Expr::Load(place), src))
            }
            _ => self.value(e),
        }
    }

    /// The bare name of a `&mut` parameter.
    fn no_reference_quietly(&self, e: &syn::Expr) -> bool {
        let syn::Expr::Path(p) = e else { return false };
        let known = p.path.get_ident().and_then(|i| self.lookup(&i.to_string()));
        known.is_some_and(|name| self.refers(name))
    }

    /// `&mut e` as an argument.
    fn mutable_argument(&mut self, e: &mut syn::Expr) -> Value {
        let e = strip_mut(e);
        match e {
            syn::Expr::Index(x) if matches!(strip(&x.index), syn::Expr::Range(_)) => self.slice(x, true),
            // A temporary of the call, which is not visible afterwards.
            syn::Expr::Call(_)
            | syn::Expr::MethodCall(_)
            | syn::Expr::Struct(_)
            | syn::Expr::Binary(_)
            | syn::Expr::Lit(_)
            | syn::Expr::Array(_)
            | syn::Expr::Repeat(_) => {
                let src = self.src(e.span());
                let value = self.value(e)?;
                let local = self.local("made", LocalKind::Temp, None, true);
                self.push(Stmt::Let { local, init: Some(value) });
                let place = Place::from(Base::Local(local));
                Some(self.expr(Expr::Borrow(place), src))
            }
            _ => self.borrow(e),
        }
    }

    /// The place of an expression, to be written by a device function.
    pub fn borrow(&mut self, e: &mut syn::Expr) -> Value {
        let src = self.src(e.span());
        let place = self.place(e, Use { argument: true, ..UPDATE })?;
        let whole = place.projections.is_empty();
        if matches!(place.base, Base::Array(_)) && whole {
            self.mark_passed(&place, UPDATE);
            return Some(self.whole(e, place, true));
        }
        match place.base {
            Base::Local(l) if whole && self.code.locals[l.index()].kind == LocalKind::Slice => {
                Some(self.expr(Expr::Load(place), src))
            }
            Base::Local(_) | Base::Array(_) => Some(self.expr(Expr::Borrow(place), src)),
            // A value of its own, or reported.
            Base::Scalar(_) | Base::Const(_) => Some(self.expr(Expr::Load(place), src)),
        }
    }

    /// The receiver of a method that rustc finds. Whether it takes `&mut self`, only rustc knows: a variable that is
    /// `mut` may be changed; so may an element of an array, where the call stands as a statement. Others, and those
    /// of methods `known` from the built-in types, are read, and rustc checks that: `true` then.
    pub fn receiver(&mut self, e: &mut syn::Expr, statement: bool, known: bool) -> Option<(ExprId, bool)> {
        if let syn::Expr::Reference(r) = strip_mut(e) {
            if known && r.mutability.is_some() && place_of(&r.expr) {
                return Some((self.argument(&mut r.expr)?, true));
            }
            return Some((self.argument(e)?, false));
        }
        let subscript = matches!(strip(e), syn::Expr::Index(x)
            if !matches!(strip(&x.index), syn::Expr::Range(_)));
        if !subscript && !is_place(strip(e)) {
            // A value made for the call is the method's to change, too.
            let made = matches!(
                strip(e),
                syn::Expr::Binary(_) | syn::Expr::Call(_) | syn::Expr::Struct(_) | syn::Expr::MethodCall(_)
            );
            let value = self.argument(e)?;
            if known || !made || self.is_slice(value) {
                return Some((value, false));
            }
            let src = self.src(e.span());
            let local = self.local("made", LocalKind::Temp, None, true);
            self.push(Stmt::Let { local, init: Some(value) });
            let place = Place::from(Base::Local(local));
            return Some((self.expr(Expr::Borrow(place), src), false));
        }
        // A method may not change a variable that the iterations of an inner nest share or have copies of: a change is written `&mut q`.
        let shared = place::root(e).is_some_and(|root| self.is_around_nest(&root.to_string()));
        let changes = !known
            && !shared
            && match place::root(e).and_then(|root| self.lookup(&root.to_string())) {
                Some(Name::Local(l)) => {
                    let local = &self.code.locals[l.index()];
                    local.mutable || local.kind == LocalKind::Ref
                }
                Some(Name::Alias(_)) => true,
                Some(Name::Const(_)) => false,
                None => statement && subscript && place::root(e).is_some(),
            };
        if changes { Some((self.borrow(e)?, false)) } else { Some((self.argument(e)?, true)) }
    }

    /// Whether a receiver is a place that its call may change and that the arguments may name as well.
    pub(in crate::lower) fn is_named_borrow(&self, receiver: ExprId) -> bool {
        match &self.code.exprs[receiver.index()].expr {
            Expr::Borrow(Place { base: Base::Local(l), .. }) => {
                self.code.locals[l.index()].kind != LocalKind::Temp
            }
            Expr::Borrow(_) => true,
            _ => false,
        }
    }
}
