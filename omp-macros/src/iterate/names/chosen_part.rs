//! Branches that give parts of one array: `match end { Some(n) => &word[..n], None => word }`, as the result of a function or the value of
//! a `let`.
//!
//! A device has no slice as a value, but the ends of one are numbers. So the branches give these, and the value is the part that they
//! bound.
use crate::parse::tokens::source::OF_CHAIN;
use crate::sema::syntax::forms::strip_mut;
use crate::sema::syntax::names::bound_in;
use crate::sema::syntax::types::behind_parens;
use crate::sema::syntax::{place, search};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Block, Expr, RangeLimits, ReturnType, Signature, Stmt, Type};

/// Rewrites a function that returns such a part.
pub fn in_function(sig: &Signature, body: &mut Block) {
    let ReturnType::Type(_, ty) = &sig.output else { return };
    let Type::Reference(reference) = behind_parens(ty) else { return };
    let Some(Stmt::Expr(value, None)) = body.stmts.last() else { return };
    if !matches!(behind_parens(&reference.elem), Type::Slice(_)) {
        return;
    }
    let name = |what: &str| Ident::new(&format!("{OF_CHAIN}_{what}"), value.span());
    let Some((ends, part)) = of_branches(value, reference.mutability.is_some(), &["first", "end"].map(name))
    else {
        return;
    };
    body.stmts.pop();
    body.stmts.extend([ends, Stmt::Expr(part, None)]);
}

/// The statement that binds the names to the ends of the part that branches give, and the part.
pub(super) fn of_branches(value: &Expr, exclusive: bool, [first, end]: &[Ident; 2]) -> Option<(Stmt, Expr)> {
    if !matches!(value, Expr::If(_) | Expr::Match(_)) {
        return None;
    }
    let (mut ends, span) = (value.clone(), value.span());
    let mut parts = Parts { exclusive, array: None, cut: false };
    parts.in_branches(&mut ends)?;
    let array = parts.array.filter(|_| parts.cut)?;
    // In a branch that binds the array's name, the name means something else.
    let bound = bound_in(&syn::parse_quote!({ #value }));
    let root = place::root(&array)?;
    // (The length of a `&mut` parameter would be read while it is borrowed.)
    if bound.contains(&root.to_string()) || search::has_item(value) || exclusive && root != "self" {
        return None;
    }
    let borrow = if exclusive { quote_spanned!(span=> &mut) } else { quote_spanned!(span=> &) };
    Some((
        syn::parse_quote_spanned!(span=> let (#first, #end) = #ends;),
        syn::parse_quote_spanned!(span=> #borrow #array[#first..#end]),
    ))
}

/// The parts that branches give.
struct Parts {
    /// They are `&mut`.
    exclusive: bool,
    array: Option<Expr>,
    /// One of them has ends: the array is one.
    cut: bool,
}

impl Parts {
    /// Replaces a part of the array by its ends, in each branch.
    fn in_branches(&mut self, e: &mut Expr) -> Option<()> {
        match strip_mut(e) {
            Expr::If(i) => {
                self.in_block(&mut i.then_branch)?;
                self.in_branches(&mut i.else_branch.as_mut()?.1)
            }
            Expr::Match(m) => m.arms.iter_mut().try_for_each(|arm| self.in_branches(&mut arm.body)),
            Expr::Block(b) if b.label.is_none() => self.in_block(&mut b.block),
            leaf => {
                let (of, ends) = self.ends(leaf)?;
                // Compared by their text, without spans.
                let text = |e: &Expr| e.to_token_stream().to_string();
                if self.array.as_ref().is_some_and(|array| text(array) != text(&of)) {
                    return None;
                }
                self.array.get_or_insert(of);
                *leaf = syn::parse2(ends).ok()?;
                Some(())
            }
        }
    }

    fn in_block(&mut self, b: &mut Block) -> Option<()> {
        match b.stmts.last_mut() {
            Some(Stmt::Expr(e, None)) => self.in_branches(e),
            _ => None,
        }
    }

    /// The array of a part, and the ends of the part.
    fn ends(&mut self, leaf: &Expr) -> Option<(Expr, TokenStream)> {
        let span = leaf.span();
        let is_name = |e: &Expr| match e {
            Expr::Path(p) => p.path.get_ident().is_some(),
            Expr::Field(f) => matches!(&*f.base, Expr::Path(p) if p.path.is_ident("self")),
            _ => false,
        };
        let whole = |of: &Expr| Some((of.clone(), quote_spanned!(span=> (0, #of.len()))));
        match leaf {
            Expr::Path(_) if is_name(leaf) => whole(leaf),
            Expr::Reference(r) if r.mutability.is_some() == self.exclusive => match &*r.expr {
                of if is_name(of) => whole(of),
                Expr::Index(x) if is_name(&x.expr) => {
                    let Expr::Range(range) = &*x.index else { return None };
                    self.cut = true;
                    let of = &*x.expr;
                    let first = range.start.as_ref().map_or_else(|| quote!(0), ToTokens::to_token_stream);
                    let end = match (&range.end, range.limits) {
                        (Some(end), RangeLimits::HalfOpen(_)) => end.to_token_stream(),
                        (Some(end), RangeLimits::Closed(_)) => quote_spanned!(span=> (#end) + 1),
                        (None, _) => quote_spanned!(span=> #of.len()),
                    };
                    Some((of.clone(), quote_spanned!(span=> (#first, #end))))
                }
                _ => None,
            },
            _ => None,
        }
    }
}
