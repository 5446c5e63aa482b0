//! Variables of options of references: they keep options of values, under other names.
use super::super::pipeline;
use super::references::found_shape;
use super::{Optional, Shape, in_block};
use crate::expand::found::{Content, in_found};
use crate::iterate::loops::pattern;
use crate::iterate::loops::walk::{Meaning, Walk};
use crate::sema::syntax::forms::{at_ends, is_variant, strip};
use syn::visit_mut::VisitMut;
use syn::{Expr, Pat, Type};

/// How variables begin that keep an option of a reference.
const OPTION: &str = "__omp_option";

impl Walk<'_> {
    /// `let hit = f(x);` of a function that gives an `Option<&T>`, or `let hit = x.iter().min_by(f);`: the value, walked through. The name
    /// stands for a variable of another name, from which [`Self::optional`] knows what it holds.
    pub(in crate::iterate) fn named_option(&mut self, pat: &mut Pat, e: &Expr) -> Option<Expr> {
        let name = pattern::plain_name(pat)?.clone();
        let (value, shape) = match strip(e) {
            Expr::Call(c) => {
                let mut value = in_found(c)?.clone();
                self.visit_expr_mut(&mut value);
                (value, found_shape(c))
            }
            // (Of an element that is changed, the number would be kept.)
            Expr::MethodCall(m) if pipeline::may_find(m) || self.referenced(m).is_some() => {
                let Optional { value, shape } = self.optional(e)?;
                if matches!(shape, Shape::Element(_) | Shape::Part(_)) {
                    return None;
                }
                (in_block(value), shape)
            }
            Expr::If(_) | Expr::Match(_) if self.chooses_elements(e) => {
                (self.by_value_in_option(e, &Shape::Ref), Shape::Ref)
            }
            _ => return None,
        };
        let kept = self.fresh("option", name.span());
        self.option_shapes.insert(kept.to_string(), shape);
        self.scopes.last_mut().expect("never empty").insert(name.to_string(), Meaning::Renamed(kept.clone()));
        *pat = syn::parse_quote!(#kept);
        Some(value)
    }

    /// Whether each branch gives `None`, `Some(&v)`, or an option of an element, and one of them does that.
    fn chooses_elements(&mut self, e: &Expr) -> bool {
        let (mut found, mut all) = (false, true);
        at_ends(&mut e.clone(), &mut |value| match strip(value) {
            Expr::Path(p) => all &= p.path.is_ident("None"),
            Expr::Call(c) => {
                all &= matches!(&*c.func, Expr::Path(p) if is_variant(&p.path, "Some"))
                    && matches!(c.args.first().map(strip), Some(Expr::Reference(_)));
            }
            Expr::MethodCall(m) => {
                let element = self.element_of(m).is_some();
                found |= element;
                all &= element;
            }
            _ => all = false,
        });
        found && all
    }

    /// `let mut last: Option<&T> = None;`, `Option<(f64, &T)>`: a variable of values, which its name in patterns and methods stands for references to. No cells are
    /// in a device type, so a copy can't be distinguished from its original.
    pub(in crate::iterate) fn option_variable(&mut self, pat: &mut Pat, init: &Expr) -> Option<Expr> {
        let Pat::Type(t) = pat else { return None };
        let Pat::Ident(p) = &mut *t.pat else { return None };
        let Type::Path(path) = &mut *t.ty else { return None };
        let last = path.path.segments.last_mut().filter(|s| s.ident == "Option")?;
        let syn::PathArguments::AngleBracketed(of) = &mut last.arguments else { return None };
        let Some(syn::GenericArgument::Type(of)) = of.args.first_mut() else { return None };
        let mut kept = of.clone();
        let shape = Shape::of_content(&Content::of(&mut kept).filter(Content::refers)?);
        if p.by_ref.is_some() || p.subpat.is_some() {
            return None;
        }
        *of = kept;
        let value = self.by_value_in_option(init, &shape);
        let kept = self.fresh("option", p.ident.span());
        self.option_shapes.insert(kept.to_string(), shape);
        let name = std::mem::replace(&mut p.ident, kept.clone());
        self.scopes.last_mut().expect("never empty").insert(name.to_string(), Meaning::Renamed(kept));
        Some(value)
    }

    /// What such a variable keeps, if an expression is the name of one.
    pub(in crate::iterate) fn kept_in_option(&self, e: &Expr) -> Option<Shape> {
        let Expr::Path(p) = e else { return None };
        let Some(Meaning::Renamed(name)) = self.meaning(p.path.get_ident()?) else { return None };
        let is_option = name.to_string().starts_with(OPTION);
        is_option.then(|| self.option_shapes.get(&name.to_string()).cloned().unwrap_or(Shape::Ref))
    }
}
