//! Statements of a target block that one thread of the device runs: a region of one iteration. The values that they
//! assign come back in arrays of one element.
use super::super::regions::Search;
use crate::ast::{Clauses, Directive, DirectiveKind, Item, Mode, Spelling};
use crate::diag::Code;
use crate::expand::data_region::exits;
use crate::parse::attributes;
use crate::sema::syntax::place;
use crate::sema::syntax::place::covers;
use crate::sema::syntax::uses;
use crate::sema::syntax::uses::Use;
use crate::visits;
use proc_macro2::{Ident, Span};
use quote::format_ident;
use syn::spanned::Spanned as _;
use syn::visit_mut::VisitMut;
use syn::{Block, Expr, ExprForLoop, Stmt};

/// Gives a field a name of its own.
fn put_name(block: &mut Block, key: &str, name: &Ident) {
    visits::change_into(block, |e| {
        let is_it = matches!(e, Expr::Field(_)) && place::scalar_key(e).as_deref() == Some(key);
        if is_it {
            let name = Ident::new(&name.to_string(), name.span().located_at(e.span()));
            *e = syn::parse_quote!(#name);
        }
        !is_it
    });
}

impl Search<'_> {
    /// Statements that one thread of the device runs.
    pub(super) fn sequence(&mut self, stmts: Vec<Stmt>) -> Stmt {
        Stmt::Expr(exits::block(self.on_device(stmts, None)), None)
    }

    /// Makes an expression such a statement.
    pub(super) fn in_one_thread(&mut self, e: &mut Expr, semi: Option<syn::token::Semi>) {
        if let Stmt::Expr(region, _) = self.sequence(vec![Stmt::Expr(e.clone(), semi)]) {
            *e = region;
        }
    }

    /// Statements that one thread of the device runs; they leave a value in `result`.
    fn on_device(&mut self, mut stmts: Vec<Stmt>, result: Option<&Ident>) -> Vec<Stmt> {
        stmts.iter_mut().for_each(|s| attributes::Strip.visit_stmt_mut(s));
        let mut block = Block { brace_token: syn::token::Brace::default(), stmts };
        self.by_elements(&mut block);
        let around = self.around();
        let all = uses::of_block(&block, around.names.clone());
        let is_array = |u: &Use| u.element || around.arrays.iter().any(|a| covers(a, &u.key));
        let mut assigned: Vec<Ident> = Vec::new();
        let mut fields: Vec<(String, Expr)> = Vec::new();
        let mut wrong = Vec::new();
        for u in all.iter().filter(|u| u.writes() && !is_array(u)) {
            let alone =
                |key: &str| all.iter().all(|o| o.key == key || !(covers(&o.key, key) || covers(key, &o.key)));
            match syn::parse2::<Expr>(u.tokens.clone()) {
                Ok(Expr::Path(p)) if p.path.get_ident().is_some_and(|name| assigned.contains(name)) => {}
                Ok(Expr::Path(p)) if p.path.get_ident().is_some() => {
                    assigned.extend(p.path.get_ident().cloned());
                }
                // A field of its own: nothing around or inside of it is used here.
                Ok(e) if place::scalar_key(&e).as_deref() == Some(&u.key) && alone(&u.key) => {
                    if fields.iter().all(|(key, _)| *key != u.key) {
                        fields.push((u.key.clone(), e));
                    }
                }
                _ => wrong.push(u.tokens.clone()),
            }
        }
        for place in wrong {
            let text = crate::parse::tokens::source::as_written(&place);
            self.sink
                .error_at(Code::UnsupportedExpr, &place, format!("`{text}` is assigned where one thread of the device runs"))
                .help("assign a local variable there, and this place from it in a statement that touches no mapped array");
        }
        let mut places: Vec<Expr> = assigned.iter().map(|name| syn::parse_quote!(#name)).collect();
        for (key, field) in fields {
            let name = format_ident!("{}_field", self.kept(field.span()));
            put_name(&mut block, &key, &name);
            assigned.push(name);
            places.push(field);
        }
        let all = uses::of_block(&block, self.around().names.clone());
        let kept: Vec<Ident> = assigned.iter().map(|name| self.kept(name.span())).collect();
        let stmts = &block.stmts;
        let at = stmts.first().map_or_else(|| self.around().span, syn::spanned::Spanned::span);
        let left: Vec<Ident> = kept.iter().chain(result).cloned().collect();
        let region = self.single(
            at,
            &all,
            &left,
            syn::parse_quote!({
                #(let mut #assigned = #kept[0];)*
                #(#stmts)*
                #(#kept[0] = #assigned;)*
            }),
        );
        let mut list: Vec<Stmt> = Vec::new();
        for (place, kept) in places.iter().zip(&kept) {
            list.push(syn::parse_quote!(let mut #kept = [#place];));
        }
        list.push(Stmt::Expr(region, None));
        for (place, kept) in places.iter().zip(&kept) {
            list.push(syn::parse_quote!(#place = #kept[0];));
        }
        list
    }

    /// A value that one thread of the device computes, and the host needs.
    pub(super) fn value(&mut self, e: &mut Expr) {
        let kept = self.kept(e.span());
        let mut list: Vec<Stmt> = vec![syn::parse_quote!(let mut #kept = [::omp::__private::fill()];)];
        list.append(&mut self.on_device(vec![syn::parse_quote!(#kept[0] = #e;)], Some(&kept)));
        list.push(Stmt::Expr(syn::parse_quote!(#kept[0]), None));
        *e = exits::block(list);
    }

    pub(super) fn kept(&mut self, span: Span) -> Ident {
        let around = self.around();
        around.fresh += 1;
        let (n, k) = (around.n, around.fresh);
        format_ident!("__omp_kept{n}_{k}", span = Span::mixed_site().located_at(span))
    }

    /// A region of one iteration.
    fn single(&mut self, span: Span, all: &[Use], kept: &[Ident], body: Block) -> Expr {
        let at = self.around().span;
        let span = if span.start().line == 0 { at } else { span };
        let arrays = self.around().arrays.clone();
        let written = all.iter().filter(|u| u.writes() && arrays.iter().any(|a| covers(a, &u.key)));
        let mut trusted: Vec<Item> = Vec::new();
        for u in written {
            let Some(array) = arrays.iter().find(|a| covers(a, &u.key)) else { continue };
            if let (false, Ok(place)) =
                (trusted.iter().any(|t| t.key == *array), syn::parse_str::<Expr>(array))
            {
                trusted.push(Item { place, key: array.clone(), sections: vec![], span });
            }
        }
        trusted.extend(kept.iter().map(|name| Item {
            place: syn::parse_quote!(#name),
            key: name.to_string(),
            sections: vec![],
            span,
        }));
        let mut clauses = Clauses { trust_disjoint: trusted, ..Clauses::default() };
        self.inherit(&mut clauses, all);
        // One thread runs it, so nothing can conflict.
        clauses.disjoint.clear();
        let directive = Directive {
            kind: DirectiveKind::Target,
            spelling: Spelling::OpenMp,
            mode: Mode::Parallel,
            name: "target".to_owned(),
            span,
            clauses,
        };
        let mut nest: ExprForLoop = syn::parse_quote!(for _ in 0..1 {});
        nest.body = body;
        let mut e = Expr::ForLoop(nest);
        self.needs_result = !kept.is_empty();
        self.one(directive, &mut e);
        self.needs_result = false;
        e
    }
}
