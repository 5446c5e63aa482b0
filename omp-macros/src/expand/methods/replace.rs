//! Inlining: puts the bodies of methods and functions in the place of their calls, in regions, target blocks and device functions.
use super::fixed_elements::Elements;
use super::inline::Inline;
use super::tuple_lets::Apart;
use super::values::Types;
use super::variables::Variables;
use super::{Methods, inline, sums, words, written_back};
use crate::ast::{self, Context, Directive};
use crate::diag::Sink;
use crate::expand::context::{self, Scope};
use crate::iterate::IteratedBy;
use crate::parse::imports;
use crate::sema::syntax::{place, uses};
use quote::ToTokens;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use syn::visit::Visit;
use syn::visit_mut::VisitMut;
use syn::{Block, ExprForLoop, Signature, Stmt};

impl Methods {
    /// Puts methods in the place of their calls, and gives the elements `g.size[1]` of fixed arrays names: what stands before the
    /// region, and the names. Nothing, if the loop stays as it is.
    pub fn inline_loop(
        &self,
        f: &mut ExprForLoop,
        directive: &mut Directive,
        variables: &Variables,
        context: &Context,
        task: bool,
        sink: &mut Sink,
    ) -> Option<(Vec<Stmt>, Vec<String>)> {
        let before = f.body.to_token_stream().to_string();
        Apart.visit_block_mut(&mut f.body);
        sums::called(&mut f.body, None, self);
        written_back::take(&mut f.body, None, self);
        let changed = f.body.to_token_stream().to_string() != before;
        let mut inline = self.inline(variables, context, sink);
        inline.region = Some(bound_in(|own| own.visit_expr_for_loop(f)));
        inline.outside = Some(context.names_outside(f));
        inline.found = changed;
        if !self.of_arrays.is_empty() && directive.clauses.scans.is_empty() {
            inline.written = written(&f.body, context);
            // (An iteration's own copies have rules of their own.)
            let clauses = &directive.clauses;
            let own = [&clauses.private, &clauses.firstprivate, &clauses.lastprivate];
            inline.written.retain(|key| !own.iter().any(|items| items.iter().any(|i| i.key == *key)));
        }
        inline.changing = changing(|found| found.visit_expr_for_loop(f));
        inline.claimed = directive.clauses.disjoint.iter().map(place::item_key).collect();
        let claims = !inline.claimed.is_empty() && !self.array_methods.is_empty() && !variables.unknown;
        if claims || !variables.have_no_calls(self) {
            inline.head = true;
            inline.visit_expr_for_loop_mut(f);
        }
        // A clause that names the struct means the array.
        let clauses = &mut directive.clauses;
        let lists =
            [&mut clauses.disjoint, &mut clauses.trust_disjoint, &mut clauses.unchecked, &mut clauses.shared];
        for item in lists.into_iter().flatten().filter(|item| item.sections.is_empty()) {
            let key = place::item_key(item);
            if let Some((_, array)) = inline.arrays.iter().find(|(of, _)| *of == key)
                && let Some(key) = place::scalar_key(array)
            {
                (item.place, item.key) = (array.clone(), key);
            }
        }
        let bound = bound_in(|own| own.visit_expr_for_loop(f));
        let clauses = &directive.clauses;
        let named = |name: &str| {
            let maps = clauses.maps.iter().flat_map(|map| &map.items);
            let others = clauses.sharing().into_iter().flat_map(|(_, items)| items).chain(&clauses.cache);
            maps.chain(others).any(|item| item.key == name)
        };
        let arrays = context.whole.iter().filter(|(name, kind)| {
            let changes = bound.contains(name) || context.mutable.contains(name);
            *kind == IteratedBy::Owned && !changes && !named(name)
        });
        let arrays = arrays.map(|(name, _)| name.as_str()).collect::<Vec<_>>();
        let some = !variables.types.is_empty() || !arrays.is_empty();
        let written = if !task && some { written(&f.body, context) } else { HashSet::new() };
        let mut elements = Elements { methods: self, variables, arrays, written, found: Vec::new() };
        if !task && some {
            elements.visit_expr_for_loop_mut(f);
        }
        let Elements { found, .. } = elements;
        let own = directive.clauses.default.as_ref().is_some_and(|d| d.value == ast::Default::None);
        let mut parts = (Vec::new(), Vec::new());
        for (name, element) in found {
            if own {
                let (place, key, span) = (syn::parse_quote!(#name), name.to_string(), name.span());
                directive.clauses.firstprivate.push(ast::Item { place, key, sections: vec![], span });
            }
            parts.1.push(name.to_string());
            parts.0.push(syn::parse_quote!(let #name = #element;));
        }
        (inline.found || !parts.0.is_empty()).then_some(parts)
    }

    /// A device function's body, with the bodies of what it calls in the place of the calls.
    pub fn in_function(&self, sig: &Signature, block: &Block, sink: &mut Sink) -> Block {
        let mut block = block.clone();
        imports::spell_out(&mut block, &|of| self.variants(of));
        Apart.visit_block_mut(&mut block);
        sums::called(&mut block, Some(sig), self);
        written_back::take(&mut block, Some(sig), self);
        if !self.are_called_in(block.to_token_stream()) {
            return block;
        }
        if words(block.to_token_stream()).iter().any(|word| crate::parse::tokens::source::is_inlined(word)) {
            // A name of the library's own in what the user wrote: it is reported where the names are looked at.
            return block;
        }
        let context = context::of(sig, &block, &Scope::default());
        // A device function takes no struct that owns arrays.
        let variables = Variables { types: HashMap::new(), ..self.of_variables(sig, &block) };
        if !variables.unknown {
            let mut inline = self.inline(&variables, &context, sink);
            inline.types = Types::of_function(&self.values, self.owner.as_deref(), sig);
            inline.changing = changing(|found| {
                sig.inputs.iter().for_each(|input| found.visit_fn_arg(input));
                found.visit_block(&block);
            });
            inline.visit_block_mut(&mut block);
        }
        block
    }

    /// Inlines in a target block.
    pub fn inline_block(&self, block: &mut Block, variables: &Variables, context: &Context, sink: &mut Sink) {
        Apart.visit_block_mut(block);
        if !variables.have_no_calls(self) {
            let mut inline = self.inline(variables, context, sink);
            inline.region = Some(bound_in(|own| own.visit_block(block)));
            inline.outside = Some(context.names_outside(block));
            if !self.of_arrays.is_empty() {
                inline.written = written(block, context);
            }
            inline.changing = changing(|found| found.visit_block(block));
            inline.visit_block_mut(block);
        }
    }

    fn inline<'a>(
        &'a self,
        variables: &'a Variables,
        context: &'a Context,
        sink: &'a mut Sink,
    ) -> Inline<'a> {
        let this = self.owner.as_deref().or(self.this.as_deref());
        Inline {
            known: variables.types.clone(),
            parts: vec![],
            hoisted: false,
            leaving: false,
            inside: vec![],
            failed: false,
            methods: self,
            variables,
            context,
            sink,
            region: None,
            outside: None,
            depth: 0,
            writing: false,
            receiver: false,
            found: false,
            arrays: vec![],
            around: vec![],
            chains: 0,
            head: false,
            changing: Rc::default(),
            written: HashSet::new(),
            claimed: HashSet::new(),
            types: Types::around(&self.values, this, &variables.values).with(&context.generics),
        }
    }
}

/// The places of variables from outside that a block writes.
fn written(block: &Block, context: &Context) -> HashSet<String> {
    let names = context.names.iter().cloned().chain(["self".to_owned()]).collect();
    uses::of_block(block, names).into_iter().filter(uses::Use::writes).map(|u| u.key).collect()
}

/// The names by which calls may change something.
fn changing(visit: impl FnOnce(&mut inline::FindChanging)) -> Rc<HashSet<String>> {
    let mut found = inline::FindChanging(HashSet::new());
    visit(&mut found);
    Rc::new(found.0)
}

/// The names that patterns bind.
fn bound_in(visit: impl FnOnce(&mut inline::Bound)) -> HashSet<String> {
    let mut own = inline::Bound::default();
    visit(&mut own);
    own.own
}
