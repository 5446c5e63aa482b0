//! What a loop's `map` regroups, as the loop's pattern: `for (a, (b, c)) in x.iter().zip(y).zip(z).map(|((a, b), c)| (a, (b, c)))` is
//! `for ((a, b), c) in x.iter().zip(y).zip(z)`. So parts of items are bound that no value on a device holds: elements that are changed, rows.
use crate::iterate::loops::pattern::{Renamed, names as pattern_names};
use crate::iterate::tokens::hidden;
use crate::parse::tokens::leaves::mentions;
use crate::sema::syntax::forms::strip;
use crate::sema::syntax::items::passes_on;
use crate::sema::syntax::search;
use proc_macro2::{Ident, Span};
use quote::{ToTokens, quote_spanned};
use std::collections::HashMap;
use syn::parse::Parser;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprClosure, ExprForLoop, ExprMethodCall, Member, Pat, Stmt};

/// Takes what only regroups out of the head of a loop; the values that it computes besides begin the body.
pub(super) fn in_pattern(f: &mut ExprForLoop) {
    let items = f.body.stmts.iter().filter_map(|s| match s {
        Stmt::Item(syn::Item::Const(item)) => Some(item.ident.to_string()),
        Stmt::Item(syn::Item::Static(item)) => Some(item.ident.to_string()),
        Stmt::Item(syn::Item::Fn(item)) => Some(item.sig.ident.to_string()),
        _ => None,
    });
    let mut taken = Taken { bound: items.collect(), lets: Vec::new(), made: 0 };
    taken.out_of(&mut f.pat, &mut f.expr, true);
    let lets = taken.lets.into_iter().rev();
    let lets = lets.map(|(pat, value)| -> Stmt { syn::parse_quote!(let #pat = #value;) });
    f.body.stmts.splice(0..0, lets);
}

struct Taken {
    /// The names that the body's items have.
    bound: Vec<String>,
    /// What the body begins with, the last one first.
    lets: Vec<(Pat, Expr)>,
    /// Names made so far.
    made: u32,
}

impl Taken {
    /// `each`: what a closure computes, it computes once for each iteration.
    fn out_of(&mut self, pat: &mut Pat, e: &mut Expr, each: bool) {
        let e = match e {
            Expr::Paren(p) => &mut *p.expr,
            e => e,
        };
        let Expr::MethodCall(m) = &mut *e else { return };
        match (m.method.to_string().as_str(), m.args.len()) {
            ("map", 1) => {
                let Some(regrouped) = self.regrouped(pat, m, each) else { return };
                let receiver = (*m.receiver).clone();
                (*pat, *e) = (regrouped, receiver);
                self.out_of(pat, e, each);
            }
            ("enumerate", 0) => {
                if let Some([_, item]) = super::zips::pair(pat) {
                    self.out_of(item, &mut m.receiver, each);
                }
            }
            ("zip", 1) => {
                if let Some([first, second]) = super::zips::pair(pat) {
                    self.out_of(first, &mut m.receiver, false);
                    self.out_of(second, &mut m.args[0], false);
                }
            }
            _ if passes_on(m) && m.args.iter().all(|arg| !matches!(arg, Expr::Closure(_))) => {
                self.out_of(pat, &mut m.receiver, false);
            }
            _ => {}
        }
    }

    /// The pattern of the items before a `map`, if its closure puts them, or parts of them, into the places of this pattern.
    fn regrouped(&mut self, pat: &Pat, m: &ExprMethodCall, each: bool) -> Option<Pat> {
        let Expr::Closure(c) = &m.args[0] else { return None };
        let [param] = &c.inputs.iter().collect::<Vec<_>>()[..] else { return None };
        if !matches!(c.output, syn::ReturnType::Default) || matches!(pat, Pat::Type(_)) {
            return None;
        }
        let mut value = value_of(c).clone();
        // Names of the pattern's own mean something else in the closure.
        let span = c.body.span();
        let (mut parts, own) = match param {
            Pat::Ident(p) if p.by_ref.is_none() && p.mutability.is_none() && p.subpat.is_none() => {
                let shape = Shape::of(&m.receiver);
                let mut parts = PartsByNumber {
                    of: &p.ident,
                    used: parts_used(&p.ident, &shape, &value)?,
                    names: Vec::new(),
                    made: &mut self.made,
                };
                let pat = parts.pattern(&shape, &mut Vec::new(), span);
                parts.visit_expr_mut(&mut value);
                (pat, vec![p.ident.to_string()])
            }
            Pat::Tuple(_) => {
                let mut parts = (*param).clone();
                let own = pattern_names(&parts);
                let fresh = own.iter().map(|name| {
                    self.made += 1;
                    (name.to_string(), part_name(self.made, name.span()))
                });
                let mut renamed = Renamed(fresh.collect());
                renamed.visit_pat_mut(&mut parts);
                renamed.visit_expr_mut(&mut value);
                (parts, own.iter().map(ToString::to_string).collect())
            }
            _ => return None,
        };
        let mut bound = pattern_names(pat).iter().map(ToString::to_string).collect::<Vec<_>>();
        bound.extend(self.bound.iter().cloned());
        let foreign = |name: &String| !own.contains(name) && mentions(c.body.to_token_stream(), name);
        if bound.iter().any(foreign) {
            return None;
        }
        let mut placed = Placed { parts: HashMap::new(), values: Vec::new() };
        placed.put(pat, &value)?;
        if placed.parts.is_empty() || !(placed.values.is_empty() || each && c.capture.is_none()) {
            return None;
        }
        // A value may need a part that the pattern now names.
        let plain = |pat: &Pat| match pat {
            Pat::Ident(p) if p.by_ref.is_none() && p.mutability.is_none() && p.subpat.is_none() => {
                Some(p.ident.clone())
            }
            _ => None,
        };
        let mut names = Renamed::default();
        for (part, pat) in &placed.parts {
            let used = placed.values.iter().any(|(_, value)| mentions(value.to_token_stream(), part));
            if used {
                names.0.insert(part.clone(), plain(pat)?);
            }
        }
        for (pat, mut value) in placed.values.into_iter().rev() {
            names.visit_expr_mut(&mut value);
            self.lets.push((pat, value));
        }
        let mut put = Put { parts: placed.parts, lets: &self.lets, wrong: false };
        put.visit_pat_mut(&mut parts);
        (!put.wrong).then_some(parts)
    }
}

/// The name of a part.
fn part_name(number: u32, span: Span) -> Ident {
    hidden(&format!("__omp_part_{number}"), span)
}

/// Whether a name is one of these.
fn is_part(name: &Ident) -> bool {
    name.to_string().starts_with("__omp_part_")
}

/// What a closure gives.
fn value_of(c: &ExprClosure) -> &Expr {
    match strip(&c.body) {
        Expr::Block(b) if b.label.is_none() => match &b.block.stmts[..] {
            [Stmt::Expr(value, None)] => strip(value),
            _ => &c.body,
        },
        value => value,
    }
}

/// What the items of a chain are made of.
enum Shape {
    Pair(Box<[Shape; 2]>),
    One,
}

impl Shape {
    fn of(e: &Expr) -> Self {
        let Expr::MethodCall(m) = strip(e) else { return Self::One };
        match (m.method.to_string().as_str(), m.args.first()) {
            ("enumerate", None) => Self::Pair(Box::new([Self::One, Self::of(&m.receiver)])),
            ("zip", Some(other)) => Self::Pair(Box::new([Self::of(&m.receiver), Self::of(other)])),
            _ if passes_on(m) => Self::of(&m.receiver),
            _ => Self::One,
        }
    }
}

/// The numbers of a parameter's part: `p.0`, `p.1.0`.
fn numbers(of: &Ident, e: &Expr) -> Option<Vec<u32>> {
    match e {
        Expr::Path(p) if p.path.is_ident(of) => Some(vec![]),
        Expr::Field(f) => {
            let Member::Unnamed(k) = &f.member else { return None };
            let mut at = numbers(of, &f.base)?;
            at.push(k.index);
            Some(at)
        }
        _ => None,
    }
}

/// Which parts of a parameter an expression uses, as far as the shape of its items tells them apart. `None`: the whole.
fn parts_used(of: &Ident, shape: &Shape, value: &Expr) -> Option<Vec<Vec<u32>>> {
    let (mut used, mut whole) = (Vec::new(), false);
    search::walk(value, |e| {
        // (Nothing is known of names in macros.)
        whole |= matches!(e, Expr::Macro(m) if mentions(m.mac.tokens.clone(), &of.to_string()));
        let Some(mut at) = numbers(of, e) else { return true };
        let (mut shape, mut depth) = (shape, 0);
        while let (Shape::Pair(parts), Some(k @ (0 | 1))) = (shape, at.get(depth)) {
            (shape, depth) = (&parts[*k as usize], depth + 1);
        }
        at.truncate(depth);
        whole |= at.is_empty();
        used.push(at);
        false
    });
    (!whole).then_some(used)
}

/// Gives the parts of a parameter names.
struct PartsByNumber<'p> {
    of: &'p Ident,
    used: Vec<Vec<u32>>,
    names: Vec<(Vec<u32>, Ident)>,
    /// Names made so far.
    made: &'p mut u32,
}

impl PartsByNumber<'_> {
    /// A pattern with a name for each part that is used.
    fn pattern(&mut self, shape: &Shape, at: &mut Vec<u32>, span: Span) -> Pat {
        match shape {
            Shape::Pair(parts) if !self.used.contains(at) => {
                let [first, second] = [0, 1].map(|k| {
                    at.push(k);
                    let part = self.pattern(&parts[k as usize], at, span);
                    at.pop();
                    part
                });
                pattern(quote_spanned!(span=> (#first, #second)))
            }
            _ => {
                *self.made += 1;
                let name = part_name(*self.made, span);
                self.names.push((at.clone(), name.clone()));
                pattern(name.into_token_stream())
            }
        }
    }
}

impl VisitMut for PartsByNumber<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        let at = numbers(self.of, e);
        match at.and_then(|at| self.names.iter().find(|(of, _)| *of == at)) {
            Some((_, name)) => *e = crate::iterate::tokens::made(name.to_token_stream()),
            None => visit_mut::visit_expr_mut(self, e),
        }
    }
}

/// What stands in the places of a pattern.
struct Placed {
    /// By the name of a part: the pattern that it is put into.
    parts: HashMap<String, Pat>,
    /// All else.
    values: Vec<(Pat, Expr)>,
}

impl Placed {
    fn put(&mut self, pat: &Pat, value: &Expr) -> Option<()> {
        match (pat, strip(value)) {
            (Pat::Paren(p), value) => self.put(&p.pat, value),
            (Pat::Tuple(t), Expr::Tuple(values)) if t.elems.len() == values.elems.len() => {
                let rest = t.elems.iter().any(|pat| matches!(pat, Pat::Rest(_)));
                let mut each = t.elems.iter().zip(&values.elems);
                (!rest).then(|| each.try_for_each(|(pat, value)| self.put(pat, value)))?
            }
            (pat, Expr::Path(p)) if let Some(name) = p.path.get_ident().filter(|name| is_part(name)) => {
                self.parts.insert(name.to_string(), pat.clone()).is_none().then_some(())
            }
            (pat, value) => {
                let computes = |e: &Expr| match e {
                    Expr::Return(_) | Expr::Try(_) | Expr::Assign(_) | Expr::Macro(_) | Expr::Tuple(_) => {
                        true
                    }
                    Expr::Closure(_) | Expr::Reference(_) => true,
                    Expr::Binary(b) => crate::sema::reduction::updates::is_assignment(&b.op),
                    _ => false,
                };
                if search::any(value, computes) {
                    return None;
                }
                self.values.push((pat.clone(), value.clone()));
                Some(())
            }
        }
    }
}

/// Puts patterns into the places of parts.
struct Put<'l> {
    parts: HashMap<String, Pat>,
    lets: &'l [(Pat, Expr)],
    /// A part is bound in another way than by its name.
    wrong: bool,
}

impl VisitMut for Put<'_> {
    fn visit_pat_mut(&mut self, pat: &mut Pat) {
        let Pat::Ident(p) = &*pat else { return visit_mut::visit_pat_mut(self, pat) };
        let name = p.ident.to_string();
        self.wrong |= p.by_ref.is_some() || p.mutability.is_some() || p.subpat.is_some();
        match self.parts.remove(&name) {
            Some(of) => *pat = of,
            None => {
                let used = self.lets.iter().any(|(_, value)| mentions(value.to_token_stream(), &name));
                if !used {
                    *pat = pattern(quote_spanned!(p.ident.span()=> _));
                }
            }
        }
    }
}

fn pattern(tokens: proc_macro2::TokenStream) -> Pat {
    Pat::parse_single.parse2(tokens).expect("these tokens are a pattern")
}
