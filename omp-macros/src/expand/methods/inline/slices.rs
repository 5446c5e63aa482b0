//! Functions that return a slice which they search for: `let lo = events.partition_point(f); &events[lo..lo + n]`.
//!
//! A slice is a place, which stands wherever it is named, so what its ends are made of would be computed again. The statements of such a
//! function go before the statement that calls it, once, and the slice gets a name.
use super::expressions::{is_pure, is_pure_let, made, visit_evaluated};
use super::{Inline, Method};
use crate::expand::methods::behind_parens;
use crate::iterate::changed;
use crate::parse::tokens::leaves::idents;
use crate::parse::tokens::source::OF_CHAIN;
use crate::sema::syntax::forms::strip;
use crate::visits;
use proc_macro2::Ident;
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, FnArg, Pat, ReturnType, Stmt, Type};

impl Inline<'_> {
    /// `let part = f(x, k);` of such a function: its statements, and the slice.
    pub(super) fn searched(&mut self, s: &Stmt) -> Option<Vec<Stmt>> {
        let Stmt::Local(l) = s else { return None };
        let init = l.init.as_ref().filter(|init| init.diverge.is_none())?;
        let (Pat::Ident(_), Expr::Call(call)) = (&l.pat, strip(&init.expr)) else { return None };
        let functions = self.methods.functions.clone();
        let (name, method) = self.named(call, &functions)?;
        let (name, pat) = (name.clone(), &l.pat);
        self.searches(&method).then_some(())?;
        let mut function = method.function.clone();
        let Some(Stmt::Expr(slice, None)) = function.block.stmts.pop() else { return None };
        function.block.stmts.push(Stmt::Expr(made(quote!((#slice,))), None));
        let args: Vec<Expr> = call.args.iter().cloned().collect();
        let (mut lets, slice) = self.only_part(&method.with(function), &args, &name)?;
        lets.push(syn::parse_quote_spanned!(l.let_token.span=> let #pat = #slice;));
        Some(lets)
    }

    /// Such calls inside of a statement, as statements before it.
    pub(super) fn searched_first(&mut self, s: &mut Stmt) -> Vec<Stmt> {
        let e = match s {
            Stmt::Local(l) => match l.init.as_mut().filter(|init| init.diverge.is_none()) {
                Some(init) => &mut *init.expr,
                None => return vec![],
            },
            Stmt::Expr(e, _) => e,
            Stmt::Item(_) | Stmt::Macro(_) => return vec![],
        };
        let whole = matches!(strip(e), Expr::Call(_));
        // (What a struct that borrows is made of stays as it is.)
        let mut others = e.clone();
        // (Structs that borrow, and have no name, are left out of receivers.)
        visits::change_into(&mut others, |e| {
            if let Expr::MethodCall(m) = e
                && self.has_no_name(&m.receiver)
            {
                *m.receiver = syn::parse_quote!(());
            }
            true
        });
        let changed = changed(&others);
        let mut first = First { inline: self, changed, before: Vec::new(), whole, left: false };
        first.visit_expr_mut(e);
        first.before
    }

    /// Whether a function has shared parameters, and returns a slice whose ends its statements compute.
    fn searches(&self, method: &Method) -> bool {
        let (sig, block) = (&method.function.sig, &method.function.block);
        let ReturnType::Type(_, ty) = &sig.output else { return false };
        let slice = matches!(behind_parens(ty), Type::Reference(r) if r.mutability.is_none() && matches!(behind_parens(&r.elem), Type::Slice(_)));
        let shared = |input: &FnArg| match input {
            FnArg::Typed(arg) => {
                !matches!(behind_parens(&arg.ty), Type::Reference(r) if r.mutability.is_some())
            }
            FnArg::Receiver(_) => false,
        };
        let [lets @ .., Stmt::Expr(value, None)] = &block.stmts[..] else { return false };
        slice
            && sig.inputs.iter().all(shared)
            && matches!(strip(value), Expr::Reference(_))
            && lets.iter().all(
                |s| matches!(s, Stmt::Local(l) if l.init.as_ref().is_some_and(|init| init.diverge.is_none())),
            )
            && !lets.iter().all(|s| is_pure_let(s, &self.changing))
    }
}

/// Takes calls out of an expression that are evaluated whenever it is.
struct First<'f, 'a> {
    inline: &'f mut Inline<'a>,
    /// What the expression changes.
    changed: std::collections::HashSet<String>,
    before: Vec<Stmt>,
    /// The expression is such a call itself.
    whole: bool,
    /// What comes next may not be evaluated, as something before it may leave.
    left: bool,
}

impl VisitMut for First<'_, '_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        let whole = std::mem::take(&mut self.whole);
        match e {
            Expr::Assign(_) => visit_mut::visit_expr_mut(self, e),
            // (The right side of others may not be evaluated.)
            Expr::Binary(b) if !matches!(b.op, syn::BinOp::And(_) | syn::BinOp::Or(_)) => {
                visit_mut::visit_expr_mut(self, e);
            }
            _ => visit_evaluated(self, e),
        }
        let goes_on = matches!(
            e,
            Expr::Call(_)
                | Expr::MethodCall(_)
                | Expr::Assign(_)
                | Expr::Field(_)
                | Expr::Paren(_)
                | Expr::Unary(_)
                | Expr::Cast(_)
                | Expr::Reference(_)
                | Expr::Index(_)
                | Expr::Tuple(_)
                | Expr::Struct(_)
                | Expr::Binary(_)
                | Expr::Path(_)
                | Expr::Lit(_)
                | Expr::Closure(_)
                | Expr::Range(_)
                | Expr::Let(_)
        );
        self.left |= !goes_on;
        if let Expr::MethodCall(m) = e
            && m.method != "clone"
            && !self.left
            && self.inline.has_no_name(&m.receiver)
            && !idents(m.receiver.to_token_stream()).any(|name| self.changed.contains(&name.to_string()))
        {
            self.inline.chains += 1;
            let (receiver, span) = (&m.receiver, m.receiver.span());
            let own = Ident::new(&format!("{OF_CHAIN}{}_made", self.inline.chains), span);
            self.before.push(syn::parse_quote_spanned!(span=> let mut #own = #receiver;));
            *m.receiver = made(own.to_token_stream());
            return;
        }
        let Expr::Call(call) = &*e else { return };
        let functions = self.inline.methods.functions.clone();
        let Some((name, method)) = self.inline.named(call, &functions) else { return };
        let span = name.span();
        let changes = |name: Ident| {
            let name = name.to_string();
            self.changed.contains(&name) || self.inline.changing.contains(&name)
        };
        let stays =
            |arg: &Expr| is_pure(arg, &self.inline.changing) && !idents(arg.to_token_stream()).any(changes);
        if whole || self.left || !self.inline.searches(&method) || !call.args.iter().all(stays) {
            return;
        }
        self.inline.chains += 1;
        let slice = Ident::new(&format!("{OF_CHAIN}{}_slice", self.inline.chains), span);
        self.before.push(syn::parse_quote_spanned!(span=> let #slice = #e;));
        *e = made(quote_spanned!(e.span()=> #slice));
    }
}
