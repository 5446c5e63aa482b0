//! Two variables of one name, which a `macro_rules!` can make (E0715).
//!
//! The lowering and every analysis identify variables by the text of their names. In an item that a `macro_rules!` makes,
//! an `i` of the macro's own and an `i` that it received are two variables. So if the names of a region have the hygiene
//! of different macros, generated code lets rustc check that they are the same variable: `{ let i = OneVariable;
//! one_variable(&i); }`, with the first token in the `let` and each other one in a call. In items that no macro made,
//! nothing is emitted.
use super::expr::place::is_capital;
use crate::parse::tokens::leaves::idents;
use crate::sema::CheckedRegion;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use std::collections::{BTreeMap, HashSet};
use syn::visit::{self, Visit};

/// The questions of a region.
pub(super) fn of_region(region: &CheckedRegion) -> TokenStream {
    let mut found = NameMarks::default();
    found.variables.extend(region.context.names.iter().cloned());
    for head in &region.loops {
        if let Some(var) = &head.var {
            found.bind(var);
        }
        if let Some(label) = &head.label {
            found.visit_label(label);
        }
        found.visit_expr(&head.whole);
    }
    let clauses = &region.directive.clauses;
    let items = clauses.maps.iter().flat_map(|m| &m.items);
    let items = items.chain(clauses.reductions.iter().flat_map(|r| &r.items));
    for item in items.chain(&clauses.private).chain(&clauses.firstprivate) {
        found.visit_expr(&item.place);
    }
    found.visit_block(&region.body);
    found.questions()
}

/// The questions of a device function.
pub(super) fn of_fn(sig: &syn::Signature, body: &syn::Block) -> TokenStream {
    let mut found = NameMarks::default();
    sig.inputs.iter().for_each(|input| found.visit_fn_arg(input));
    found.visit_block(body);
    found.questions()
}

/// The tokens of each name that differ in their marks.
#[derive(Default)]
struct NameMarks {
    /// Names that patterns bind: not those of functions and statics.
    variables: HashSet<String>,
    names: BTreeMap<String, Vec<(String, Ident)>>,
    labels: BTreeMap<String, Vec<(String, Ident)>>,
}

impl NameMarks {
    fn bind(&mut self, ident: &Ident) {
        // A capital may be a const: the context knows the others.
        if !is_capital(ident) {
            self.variables.insert(ident.to_string());
        }
        note(&mut self.names, ident);
    }

    fn tokens(&mut self, tokens: TokenStream) {
        idents(tokens).for_each(|ident| note(&mut self.names, &ident));
    }

    fn questions(&self) -> TokenStream {
        let mut out = TokenStream::new();
        for (name, tokens) in &self.names {
            if let ([(_, first), others @ ..], true) = (&tokens[..], self.variables.contains(name))
                && !others.is_empty()
            {
                let checks = others.iter().map(
                    |(_, other)| quote_spanned!(other.span()=> ::omp::__private::one_variable(&#other);),
                );
                out.extend(quote!({ let #first = ::omp::__private::OneVariable; #(#checks)* }));
            }
        }
        for tokens in self.labels.values() {
            if let [(_, first), others @ ..] = &tokens[..]
                && !others.is_empty()
            {
                let label = |i: &Ident| syn::Lifetime { apostrophe: i.span(), ident: i.clone() };
                let (first, others) = (label(first), others.iter().map(|(_, other)| label(other)));
                out.extend(quote!(#first: loop { #(if true { break #others; })* }));
            }
        }
        out
    }
}

/// Keeps the first token of each mark.
fn note(names: &mut BTreeMap<String, Vec<(String, Ident)>>, ident: &Ident) {
    let name = ident.to_string();
    if name == "self" {
        return;
    }
    let (mark, known) = (mark(ident.span()), names.entry(name).or_default());
    if known.iter().all(|(m, _)| *m != mark) {
        known.push((mark, ident.clone()));
    }
}

/// The marks that macros left on a token, as far as they are visible: `#5 bytes(10..12)` has those of number 5. A text of
/// another form counts as a whole, so that there are too many checks rather than too few.
pub(super) fn mark(span: Span) -> String {
    let text = format!("{span:?}");
    match text.split_once("bytes(") {
        Some((mark, _)) => mark.to_owned(),
        None => text,
    }
}

impl<'ast> Visit<'ast> for NameMarks {
    fn visit_pat_ident(&mut self, p: &'ast syn::PatIdent) {
        self.bind(&p.ident);
        visit::visit_pat_ident(self, p);
    }

    fn visit_expr_path(&mut self, p: &'ast syn::ExprPath) {
        if let Some(ident) = p.path.get_ident() {
            note(&mut self.names, ident);
        }
    }

    fn visit_expr_call(&mut self, c: &'ast syn::ExprCall) {
        // Functions are found by text alone.
        if !matches!(&*c.func, syn::Expr::Path(_)) {
            self.visit_expr(&c.func);
        }
        c.args.iter().for_each(|a| self.visit_expr(a));
    }

    fn visit_macro(&mut self, m: &'ast syn::Macro) {
        self.tokens(m.tokens.clone());
    }

    fn visit_label(&mut self, l: &'ast syn::Label) {
        note(&mut self.labels, &l.name.ident);
    }

    fn visit_expr_break(&mut self, b: &'ast syn::ExprBreak) {
        if let Some(label) = &b.label {
            note(&mut self.labels, &label.ident);
        }
        visit::visit_expr_break(self, b);
    }

    fn visit_expr_continue(&mut self, c: &'ast syn::ExprContinue) {
        if let Some(label) = &c.label {
            note(&mut self.labels, &label.ident);
        }
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {}
    fn visit_type(&mut self, _: &'ast syn::Type) {}
}
