//! Fields in a method's body that have the name of a variable there: `Edge { weight, .. }`. Inlining renames the
//! variables by their tokens, and fields must keep their names. So field names are hidden until the variables have been
//! renamed.
use proc_macro2::Ident;
use std::collections::HashSet;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, FieldPat, FieldValue, Member, Pat};

const HIDDEN: &str = "__omp_member_";

/// Hides the fields with these names.
pub(super) struct Hide<'n>(pub(super) &'n HashSet<String>);

impl Hide<'_> {
    /// Whether the field is hidden now.
    fn member(&self, member: &mut Member) -> bool {
        let Member::Named(name) = member else { return false };
        let text = name.to_string();
        let hides = self.0.contains(&text) && !text.starts_with("r#");
        if hides {
            *name = Ident::new(&format!("{HIDDEN}{text}"), name.span());
        }
        hides
    }
}

impl VisitMut for Hide<'_> {
    fn visit_field_value_mut(&mut self, f: &mut FieldValue) {
        if self.member(&mut f.member) {
            f.colon_token.get_or_insert_with(Default::default);
        }
        visit_mut::visit_field_value_mut(self, f);
    }
    fn visit_field_pat_mut(&mut self, f: &mut FieldPat) {
        if self.member(&mut f.member) {
            f.colon_token.get_or_insert_with(Default::default);
        }
        visit_mut::visit_field_pat_mut(self, f);
    }
}

/// The same without hidden fields.
pub(super) fn shown(mut block: Block) -> Block {
    Show.visit_block_mut(&mut block);
    block
}

/// The same for a pattern.
pub(super) fn shown_in(mut pat: Pat) -> Pat {
    Show.visit_pat_mut(&mut pat);
    pat
}

struct Show;

impl Show {
    /// The field's name, if it was hidden.
    fn member(member: &mut Member) -> Option<Ident> {
        let Member::Named(name) = member else { return None };
        *name = Ident::new(name.to_string().strip_prefix(HIDDEN)?, name.span());
        Some(name.clone())
    }
}

impl VisitMut for Show {
    fn visit_field_value_mut(&mut self, f: &mut FieldValue) {
        if let Some(name) = Self::member(&mut f.member)
            && matches!(&f.expr, Expr::Path(p) if p.path.is_ident(&name))
        {
            f.colon_token = None;
        }
        visit_mut::visit_field_value_mut(self, f);
    }
    fn visit_field_pat_mut(&mut self, f: &mut FieldPat) {
        if let Some(name) = Self::member(&mut f.member)
            && matches!(&*f.pat, Pat::Ident(p) if p.ident == name && p.subpat.is_none())
        {
            f.colon_token = None;
        }
        visit_mut::visit_field_pat_mut(self, f);
    }
}
