//! A pipeline while it is built, and the loops that it becomes.
//!
//! The items of a pipeline are those of its source that pass all of its steps. Everything that ends a pipeline names its label, so a part of
//! a `chain` ends without the parts after it, and `take` ends all loops of a `flat_map`.
use crate::iterate::tokens::{in_head, made};
use crate::parse::tokens::leaves::idents;
use crate::sema::syntax::search;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use std::collections::HashSet;
use syn::{Expr, Lifetime};

/// The items of an iterator.
pub struct Pipeline {
    /// Statements at the place where the iterator is made: counters, states, values.
    pub before: Vec<TokenStream>,
    /// Where the items come from.
    pub source: Source,
    /// The steps before there is an item, outermost first.
    pub steps: Vec<Step>,
    /// The item; each mention of it evaluates it.
    pub item: Expr,
    /// What a `break` names that ends it.
    pub label: Lifetime,
}

/// Where the items of a pipeline come from.
pub enum Source {
    /// An iterator that a loop counts.
    Counted { pat: TokenStream, base: Expr },
    /// The steps alone, one of which ends it.
    Endless,
    /// An option, which has one item at most.
    Option { pat: TokenStream, base: Expr },
    /// Pipelines one after the other, whose items have one name.
    Chain(Vec<Pipeline>),
}

/// A step between the items of a source and those of its pipeline.
#[allow(clippy::large_enum_variant)] // there are at most a few of them
pub enum Step {
    /// Statements.
    Do(TokenStream),
    /// The item is one under this condition.
    If(TokenStream),
    /// The pipeline ends at the first item whose value does not match the pattern.
    Let(TokenStream, TokenStream),
    /// The pipeline of this label ends under this condition.
    Until(TokenStream, Lifetime),
    /// There is an item for each item of this pipeline.
    Each(Box<Pipeline>),
    /// The pattern is bound to the only item of a base; if it has none, the pipeline ends. The name is that of a flag.
    Only { pat: TokenStream, base: Expr, none: Ident },
}

impl Pipeline {
    /// Over a base as it is.
    pub fn over(name: Ident, base: Expr, label: Lifetime) -> Self {
        let item = made(name.to_token_stream());
        let source = Source::Counted { pat: name.into_token_stream(), base };
        Self { before: vec![], source, steps: vec![], item, label }
    }

    /// With another item.
    pub fn with_item(self, item: Expr) -> Self {
        Self { item, ..self }
    }

    /// Whether each item of a counted base is one, until the pipeline ends: the parts of the loop's head.
    pub fn complete(&mut self) -> Option<(&mut TokenStream, &mut Expr)> {
        let passes = self.steps.iter().all(|s| matches!(s, Step::Do(_) | Step::Let(..)));
        match &mut self.source {
            Source::Counted { pat, base } if passes => Some((pat, base)),
            _ => None,
        }
    }

    /// Whether each item of a counted base is one, to the end of the base.
    pub fn is_every(&self) -> bool {
        matches!(self.source, Source::Counted { .. }) && self.steps.iter().all(|s| matches!(s, Step::Do(_)))
    }

    /// Whether its steps alone give its items, one each time until it ends.
    pub fn gives_one_by_one(&self) -> bool {
        matches!(self.source, Source::Endless)
            && self.steps.iter().all(|s| match s {
                Step::Do(_) | Step::Let(..) => true,
                Step::Until(_, label) => *label == self.label,
                Step::If(_) | Step::Each(_) | Step::Only { .. } => false,
            })
    }

    /// Adds the steps of another pipeline that ends this one where it ends.
    pub fn append(&mut self, steps: Vec<Step>, label: &Lifetime) {
        self.steps.extend(steps.into_iter().map(|step| match step {
            Step::Until(cond, of) if of == *label => Step::Until(cond, self.label.clone()),
            step => step,
        }));
    }

    /// Whether it is one loop, whose `break` needs no label.
    fn is_one_loop(&self) -> bool {
        matches!(self.source, Source::Counted { .. } | Source::Endless)
            && !self.steps.iter().any(|s| matches!(s, Step::Each(_) | Step::Only { .. }))
    }

    /// Whether it is several loops, or none: a `break` of the user's has to name what it leaves.
    pub fn is_several(&self) -> bool {
        !self.is_one_loop()
    }

    /// The statement that ends it.
    pub fn leave(&self, span: Span) -> TokenStream {
        let label = (!self.is_one_loop()).then_some(&self.label);
        quote_spanned!(span=> break #label;)
    }

    /// Runs statements before each item of a source is taken, and ends this pipeline then under a condition.
    pub fn until(&mut self, stmts: &TokenStream, cond: &TokenStream) {
        let label = self.label.clone();
        self.before_items(stmts, cond, &label);
    }

    fn before_items(&mut self, stmts: &TokenStream, cond: &TokenStream, label: &Lifetime) {
        for step in &mut self.steps {
            if let Step::Each(inner) = step {
                inner.before_items(stmts, cond, label);
            }
        }
        match &mut self.source {
            Source::Chain(parts) => parts.iter_mut().for_each(|part| part.before_items(stmts, cond, label)),
            _ => {
                let until = Step::Until(cond.clone(), label.clone());
                self.steps.splice(0..0, [Step::Do(stmts.clone()), until]);
            }
        }
    }

    /// From its end, if its steps keep nothing from item to item. Whether they do not.
    pub fn reverse(&mut self, span: Span) -> bool {
        let steps = self.steps.iter_mut().all(|step| match step {
            Step::Do(_) | Step::If(_) => true,
            Step::Each(inner) => inner.reverse(span),
            Step::Let(..) | Step::Until(..) | Step::Only { .. } => false,
        });
        steps
            && self.before.is_empty()
            && match &mut self.source {
                Source::Counted { base, .. } => {
                    *base = made(quote_spanned!(span=> #base.rev()));
                    true
                }
                Source::Endless => false,
                Source::Option { .. } => true,
                Source::Chain(parts) => {
                    parts.reverse();
                    parts.iter_mut().all(|part| part.reverse(span))
                }
            }
    }

    /// The later parts of a `chain`, whose ranges and arguments are read after the items of the first part, if they name one of these
    /// variables.
    pub fn read_late(&mut self, changed: &HashSet<String>) -> Vec<&mut Expr> {
        let mut found = Vec::new();
        let Source::Chain(parts) = &mut self.source else { return found };
        let [first, later @ ..] = &mut parts[..] else { return found };
        found.extend(first.read_late(changed));
        for part in later {
            if let Source::Chain(_) = part.source {
                found.extend(part.read_late(changed));
            } else if let Source::Counted { base, .. } | Source::Option { base, .. } = &mut part.source
                && reads(base, changed)
            {
                found.push(base);
            }
        }
        found
    }

    /// The loops around what is done with each item.
    pub fn around(&self, body: &TokenStream, label: Option<&syn::Label>, span: Span) -> TokenStream {
        let leave = self.leave(span);
        let inner = self.steps.iter().rev().fold(body.clone(), |body, step| match step {
            Step::Do(stmts) => quote!(#stmts #body),
            Step::If(cond) => quote_spanned!(span=> if #cond { #body }),
            Step::Let(pat, value) => quote_spanned!(span=> let #pat = #value else { #leave }; #body),
            Step::Until(cond, of) if *of == self.label => quote_spanned!(span=> if #cond { #leave } #body),
            Step::Until(cond, of) => quote_spanned!(span=> if #cond { break #of; } #body),
            Step::Each(inner) => {
                let (before, whole) = (&inner.before, inner.around(&body, None, span));
                quote!(#(#before)* #whole)
            }
            Step::Only { pat, base, none } => quote_spanned!(span=>
                let mut #none = true;
                for #pat in #base { #none = false; #body }
                if #none { #leave }
            ),
        });
        let whole = match &self.source {
            Source::Counted { pat, base } => {
                let base = in_head(base);
                quote_spanned!(span=> for #pat in #base { #inner })
            }
            Source::Endless => quote_spanned!(span=> loop { #inner }),
            Source::Option { pat, base } => {
                let (base, option) =
                    (in_head(base), quote_spanned!(span=> ::omp::__private::core::option::Option));
                quote_spanned!(span=> if let #option::Some(#pat) = #base { #inner })
            }
            Source::Chain(parts) => {
                let parts = parts.iter().map(|part| part.around(&inner, None, span));
                quote!(#(#parts)*)
            }
        };
        let is_loop = matches!(self.source, Source::Counted { .. } | Source::Endless);
        let whole = if is_loop { whole } else { quote!({ #whole }) };
        let own = &self.label;
        if self.is_several() {
            let label = names_label(&whole, own).then(|| quote_spanned!(span=> #own:));
            quote!(#label #whole)
        } else {
            quote_spanned!(span=> #label #whole)
        }
    }
}

/// Whether a range or an argument of an adaptor names one of these variables.
fn reads(base: &Expr, changed: &HashSet<String>) -> bool {
    search::any(base, |e| {
        let parts: Vec<&Expr> = match e {
            Expr::Range(r) => r.start.iter().chain(&r.end).map(|e| &**e).collect(),
            Expr::MethodCall(m) => m.args.iter().collect(),
            _ => Vec::new(),
        };
        parts.iter().flat_map(|e| idents(e.to_token_stream())).any(|name| changed.contains(&name.to_string()))
    })
}

/// Whether tokens name a label.
fn names_label(tokens: &TokenStream, label: &Lifetime) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Group(g) => names_label(&g.stream(), label),
        TokenTree::Ident(name) => name == label.ident,
        _ => false,
    })
}
