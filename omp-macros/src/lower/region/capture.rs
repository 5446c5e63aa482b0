//! The captures of a region: arrays by their memory, everything else by copy.
//!
//! A captured place is a chain of fields on a name that the body does not bind: `x`, `self.cells`, `g.range.low`. Its
//! key is its text without spaces. Whether a key is an array may depend on a later use of it. So each answer about a key is
//! recorded; if a later use changes an answer that was given before, the body is lowered again, with all [`Uses`] known.
use super::chain::{Chain, chain, with_fields};
use crate::ast::{ClauseOp, Clauses, Item, ReductionClause};
use crate::diag::Code as DiagCode;
use crate::iterate::{IteratedBy, generated};
use crate::lower::cx::{Lower, hidden};
use crate::lower::generated_names::Made;
use crate::lower::{CapturedArray, CapturedReduction, CapturedScalar, Captures};
use crate::lower::{Caught, What};
use crate::parse::tokens::source::shown;
use crate::sema::CheckedRegion;
use crate::sema::syntax::forms::dereferenced;
use crate::sema::syntax::place::covers;
use omp_ir::ids::{ArrayId, LocalId, ScalarId};
use omp_ir::template::{
    ArrayParam, Base, Block, Combiner, LocalKind, Place, ReduceOp, Reduction, ReductionItem, ScalarParam,
};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use syn::spanned::Spanned;

/// How the body uses what it captures, by key.
#[derive(Default, Clone)]
pub(in crate::lower) struct Uses {
    /// Subscripted, sliced, or used for its length.
    pub arrays: HashSet<String>,
    /// Used as a value, other than as an argument.
    pub values: HashSet<String>,
    /// Assigned, wholly or in part.
    pub assigned: HashSet<String>,
    /// Arguments without a `&`: values for sure, or arrays.
    pub bare: HashSet<String>,
    /// Accessed atomically as scalars: shared, and mapped as arrays of one element.
    pub atomic: HashSet<String>,
    /// Fixed arrays that are used as a value: the first such use of each.
    pub wholes: BTreeMap<String, syn::Expr>,
}

/// A property of a key that all of its uses decide.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Question {
    /// It is an array.
    Array,
    /// Its type decides whether it is an array: the body only passes a `&` of it.
    MayBeArray,
    /// It is a scalar that is accessed atomically.
    SharedScalar,
    /// It is subscripted, sliced, or its length is used.
    Subscripted,
    /// It is assigned.
    Assigned,
    /// A part of it is an array, or is assigned.
    Owner,
    /// It is a fixed array that is used as a value and not assigned: each iteration has a copy.
    Whole,
}

/// The captures of a region, as they are found.
pub(in crate::lower) struct Captured {
    /// The uses that were lowered so far, or all of them.
    pub uses: Uses,
    /// The answers that were given.
    answers: RefCell<HashSet<(Question, String, bool)>>,
    pub captures: Captures,
    pub arrays: Vec<ArrayParam>,
    pub scalars: Vec<ScalarParam>,
    pub reductions: Vec<Reduction>,
    pub array_ids: HashMap<String, ArrayId>,
    scalar_ids: HashMap<String, ScalarId>,
    /// Private copies and reduction items.
    locals: HashMap<String, LocalId>,
    maps: HashMap<String, Mapping>,
    privates: Vec<Item>,
    firstprivates: Vec<Item>,
    array_names: Vec<String>,
    /// Fixed arrays of which the host has the value that the region sees.
    fixed: Vec<String>,
    /// Locals and parameters of the function around.
    names: Vec<String>,
    /// Consts and statics in lower case.
    consts: Vec<String>,
    /// References for sure.
    references: Vec<String>,
    exclusive: Vec<String>,
    /// The keys in `disjoint(…)`.
    claimed: Vec<String>,
    /// Names of variables that are no arrays for sure.
    scalar_names: Vec<String>,
    /// The arrays of `lastprivate` copies that the last iteration leaves.
    kept: Vec<String>,
    /// Values that may be arrays are captured as both, except in tasks.
    both: bool,
    /// A task: its `depend` may be found to say what of an array is meant.
    task: bool,
}

/// A `map` item, without what only the parser needs.
#[derive(Clone)]
struct Mapping {
    item: Item,
    ty: omp_ir::template::MapType,
}

impl Captured {
    pub fn new(region: &CheckedRegion, uses: Uses) -> Self {
        let (clauses, context) = (&region.directive.clauses, &region.context);
        let mut maps: HashMap<String, Mapping> = HashMap::new();
        for (map, item) in clauses.maps.iter().flat_map(|m| m.items.iter().map(move |i| (m, i))) {
            match maps.get_mut(&item.key) {
                // Several sections of one array.
                Some(known) => known.item.sections.extend(item.sections.iter().cloned()),
                None => {
                    let mapping = Mapping { item: item.clone(), ty: map.ty.of_region() };
                    maps.insert(item.key.clone(), mapping);
                }
            }
        }
        // The values of a reduced array take part in the result, and come back; a section in the clause limits what is mapped.
        for item in clauses.reductions.iter().flat_map(|r| &r.items) {
            let ty = omp_ir::template::MapType::ToFrom;
            match maps.get_mut(&item.key) {
                Some(known) => {
                    known.ty = ty;
                    if !item.sections.is_empty() {
                        known.item = item.clone();
                    }
                }
                None if !item.sections.is_empty() => {
                    maps.insert(item.key.clone(), Mapping { item: item.clone(), ty });
                }
                None => {}
            }
        }
        Self {
            uses,
            answers: RefCell::default(),
            captures: Captures::default(),
            arrays: Vec::new(),
            scalars: Vec::new(),
            reductions: Vec::new(),
            array_ids: HashMap::new(),
            scalar_ids: HashMap::new(),
            locals: HashMap::new(),
            privates: clauses.private.iter().chain(&clauses.lastprivate).cloned().collect(),
            firstprivates: first_alone(clauses),
            maps,
            array_names: context.array_names.clone(),
            fixed: fixed(region),
            names: context.names_outside(region.written.as_ref().unwrap_or(&region.serial)),
            consts: context.consts.clone(),
            references: context.references.clone(),
            exclusive: context.exclusive.clone(),
            claimed: clauses.disjoint.iter().map(|i| i.key.clone()).collect(),
            scalar_names: context.scalar_names.clone(),
            kept: region.lasts.iter().map(|last| last.array.to_string()).collect(),
            both: region.around.task.is_none() && clauses.nowait.is_none(),
            task: clauses.nowait.is_some(),
        }
    }

    /// The answer by the uses that are known so far, which is recorded.
    fn query(&self, question: Question, key: &str) -> bool {
        let answer = self.answer(question, key);
        self.answers.borrow_mut().insert((question, key.to_owned(), answer));
        answer
    }

    /// Whether no later use has changed an answer that was given before.
    pub fn is_settled(&self) -> bool {
        self.answers.borrow().iter().all(|(question, key, given)| self.answer(*question, key) == *given)
    }

    fn answer(&self, question: Question, key: &str) -> bool {
        let uses = &self.uses;
        match question {
            Question::Array => {
                let map = self.maps.get(key);
                uses.arrays.contains(key)
                    || uses.atomic.contains(key)
                    || self.array_names.iter().any(|n| n == key)
                    || map.is_some_and(|m| !m.item.sections.is_empty() || !uses.values.contains(key))
            }
            Question::MayBeArray => {
                self.both
                    && ![&uses.values, &uses.bare, &uses.assigned].iter().any(|used| used.contains(key))
                    && !self.scalar_names.iter().any(|n| n == key)
            }
            Question::SharedScalar => uses.atomic.contains(key),
            Question::Subscripted => uses.arrays.contains(key),
            Question::Assigned => uses.assigned.contains(key),
            Question::Whole => {
                let is_array = uses.arrays.contains(key) || self.array_names.iter().any(|n| n == key);
                is_array && uses.wholes.contains_key(key) && !uses.assigned.contains(key)
            }
            Question::Owner => uses.arrays.iter().chain(&uses.assigned).any(|used| covers(key, used)),
        }
    }

    fn is_array(&self, key: &str) -> bool {
        self.query(Question::Array, key)
    }

    /// The `map` that speaks of an array: by its own name, or by that of the struct that owns it.
    fn mapping(&self, key: &str) -> Option<&Mapping> {
        let whole = |(name, map): &(&String, &Mapping)| map.item.sections.is_empty() && covers(name, key);
        let of_owner = || self.maps.iter().filter(whole).max_by_key(|(name, _)| name.len());
        self.maps.get(key).or_else(|| of_owner().map(|(_, map)| map))
    }

    /// A scalar that is accessed atomically.
    fn is_shared_scalar(&self, key: &str) -> bool {
        self.query(Question::SharedScalar, key)
    }

    /// A local or parameter of the function around.
    pub fn is_variable(&self, name: &str) -> bool {
        self.names.iter().any(|n| n == name)
    }

    /// The place that a reference refers to, if it is used as a value, and not as an array.
    pub fn referred(&self, e: &syn::Expr, name: &str) -> Option<syn::Expr> {
        // What changes parts of the value would not change the copy.
        let changes = self.exclusive.iter().any(|r| r == name) && self.query(Question::Owner, name);
        let value = self.references.iter().any(|r| r == name)
            && !changes
            && !self.is_array(name)
            && !self.locals.contains_key(name);
        value.then(|| syn::parse_quote_spanned!(e.span()=> *#e))
    }

    /// The receiver behind a `&mut` that the region only reads: method lookup would find a method that takes `&self` after those that
    /// every type has.
    pub fn behind_exclusive(&self, e: &syn::Expr) -> Option<syn::Expr> {
        let syn::Expr::Path(p) = e else { return None };
        let name = p.path.get_ident()?.to_string();
        let value = self.referred(e, &name).filter(|_| self.exclusive.contains(&name))?;
        Some(syn::parse_quote_spanned!(e.span()=> (#value)))
    }

    /// A const or static in lower case.
    pub fn is_const(&self, name: &str) -> bool {
        self.consts.iter().any(|n| n == name)
    }

    /// The array of this key, if the body has touched it.
    pub fn array_id(&self, key: &str) -> Option<ArrayId> {
        self.array_ids.get(key).copied()
    }

    /// The private copy or reduction item of this key.
    pub fn local(&self, key: &str) -> Option<LocalId> {
        self.locals.get(key).copied()
    }

    /// Puts another local in its place; gives the one that was there.
    pub fn replace_local(&mut self, key: &str, local: LocalId) -> Option<LocalId> {
        self.locals.get_mut(key).map(|l| std::mem::replace(l, local))
    }

    /// The scalar of this key, if the body has touched it.
    pub fn scalar_id(&self, key: &str) -> Option<ScalarId> {
        self.scalar_ids.get(key).copied()
    }
}

impl Lower {
    fn cap(&mut self) -> &mut Captured {
        self.captured.as_mut().expect("only regions capture")
    }

    /// Makes the reduction items and private copies of the clauses, before the body is lowered.
    /// `arrays`: by reduction item, whether its elements are reduced.
    pub fn declare_clauses(&mut self, clauses: &Clauses, arrays: &[bool]) {
        let mut arrays = arrays.iter();
        for clause in &clauses.reductions {
            let op = self.operator(&clause.op, clause.span);
            for item in &clause.items {
                let array = *arrays.next().expect("each item");
                self.declare_item(clause, item, array, &op);
            }
        }
        let private = self.cap().privates.clone();
        let mut first = self.cap().firstprivates.clone();
        first.retain(|item| self.cap().query(Question::Assigned, &item.key));
        for item in private.into_iter().chain(first) {
            let (id, slot) = self.slot(item.span);
            let (place, span) = (&item.place, item.span);
            self.checks.extend(quote_spanned!(span=> #slot.see_own(&#place);));
            let scalar = self.new_scalar(&item.key, item.place.clone(), item.span, Some(id), true);
            let local = self.local(&item.key, LocalKind::Private(scalar), Some(id), true);
            self.cap().locals.insert(item.key.clone(), local);
        }
        for key in self.cap().fixed.clone() {
            if self.cap().query(Question::Whole, &key) {
                let place = self.cap().uses.wholes[&key].clone();
                let (id, slot) = self.slot(place.span());
                self.checks.extend(quote_spanned!(place.span()=> #slot.see_own(&#place);));
                let scalar = self.new_scalar(&key, place.clone(), place.span(), Some(id), false);
                let local = self.local(&key, LocalKind::Private(scalar), Some(id), false);
                self.cap().locals.insert(key, local);
            }
        }
    }

    fn declare_item(&mut self, clause: &ReductionClause, item: &Item, array: bool, op: &TokenStream) {
        let (caught, to) = if array {
            let array = self.array(&item.key, item.place.clone(), item.span);
            // All of the section is combined in the end, whatever the body touches of it.
            self.cap().arrays[array.index()].map = Some(omp_ir::template::MapType::ToFrom);
            (self.typing.arrays[array.index()].clone(), ReductionItem::Array(array))
        } else {
            let slot = self.query_place(&item.place, item.span);
            let local = self.local(&item.key, LocalKind::Reduction, Some(slot), true);
            self.cap().locals.insert(item.key.clone(), local);
            (self.typing.slots[slot.index()].clone(), ReductionItem::Local(local))
        };
        self.typing.operators.push((op.clone(), caught));
        let picks = matches!(clause.op, ClauseOp::Builtin(ReduceOp::Min | ReduceOp::Max));
        let carried = clause.inscan
            && matches!(item.place, syn::Expr::Index(_) | syn::Expr::Field(_))
            && item.key.starts_with("__scan");
        if carried {
            // An element that is carried on has a name of its own.
            let (name, place) = (Ident::new(&item.key, Span::mixed_site()), &item.place);
            self.checks.extend(quote!(let mut #name = #place;));
        }
        let start = ((picks || clause.inscan) && !array && !carried)
            .then(|| self.new_scalar(&item.key, item.place.clone(), item.span, None, false));
        let cap = self.cap();
        cap.reductions.push(Reduction {
            name: item.key.clone(),
            start,
            op: combiner(&clause.op),
            item: to,
            turned: false,
            reproducible: clause.reproducible,
        });
        cap.captures.reductions.push(CapturedReduction {
            place: item.place.clone(),
            key: item.key.clone(),
            op: op.clone(),
            array: match to {
                ReductionItem::Array(array) => Some(array.index()),
                ReductionItem::Local(_) => None,
            },
            reproducible: clause.reproducible,
            carried,
            ty: clause.ty.clone(),
            span: item.span,
        });
    }

    /// Checks the properties that the updates of the region's items rely on.
    pub fn check_updates(&mut self, region: &CheckedRegion, block: &Block, generic: bool) {
        let clauses = &region.directive.clauses.reductions;
        let items = clauses.iter().flat_map(|clause| clause.items.iter().map(move |item| (clause, item)));
        for (n, (clause, item)) in items.enumerate() {
            let Some(place) = self.item_place(&item.key) else { continue };
            let facts = self.facts(clause, &place, block, &region.body);
            let (op, caught) = self.typing.operators[n].clone();
            let properties = [(facts.turned, "omp_commutes"), (region.moved, "omp_takes_any_order")];
            for (_, question) in properties.into_iter().filter(|(needed, _)| *needed && !generic) {
                self.may_exchange(&op, &caught, item.span, question);
            }
            self.ordered(&facts.unordered, &caught, generic);
            self.same_operators(&facts.names, &op);
            self.code.named_updates.extend(facts.updates.iter().map(|update| (n as u32, *update)));
            self.cap().reductions[n].turned = facts.turned || region.moved;
        }
    }

    /// Checks that the operands, or the updates, may be exchanged.
    pub(super) fn may_exchange(&mut self, op: &TokenStream, caught: &Caught, span: Span, question: &str) {
        let (caught, question) = (caught.at(span), Ident::new(question, span));
        self.checks
            .extend(quote_spanned!(span=> (&&::omp::__private::Turned::<#op, _>::of(#caught)).#question();));
    }

    /// Checks that the item's type is totally ordered, where an update relies on that.
    pub(in crate::lower) fn ordered(&mut self, unordered: &[Span], caught: &Caught, generic: bool) {
        for span in unordered.iter().copied() {
            if generic {
                self.error(
                    DiagCode::OtherOperator,
                    span,
                    "this update stores a NaN if the operand is one, and then the result depends on the order of iterations",
                    "exchange the operands of the comparison: `if e > m { m = e }` ignores NaN (`<` for the minimum)",
                );
                continue;
            }
            let caught = caught.at(span);
            // In two steps: rustc points at the argument.
            self.checks.extend(quote_spanned! {span=> {
                let __omp_item = ::omp::__private::item_of(#caught);
                ::omp::__private::ordered(__omp_item);
            }});
        }
    }

    /// Checks that the functions of updates are the clause's operator.
    pub(super) fn same_operators(&mut self, names: &[syn::Path], op: &TokenStream) {
        for path in names {
            let span = path.span();
            let other = self.companion(path, span);
            self.checks.extend(quote_spanned!(span=> ::omp::__private::same_operator::<#other, #op>();));
        }
    }

    /// The type that stands for an operator.
    pub(in crate::lower) fn operator(&mut self, op: &ClauseOp, span: Span) -> TokenStream {
        match op {
            ClauseOp::Builtin(op) => {
                let name = Ident::new(&format!("{op:?}"), Span::mixed_site());
                quote_spanned!(Span::mixed_site()=> ::omp::__private::op::#name)
            }
            ClauseOp::Declared(path) => {
                let companion = self.companion(path, span);
                quote!(#companion)
            }
        }
    }

    /// The companion of a declared reduction, found where its name is. Where there is none, a type whose name says so
    /// stands for it.
    fn companion(&mut self, path: &syn::Path, span: Span) -> Ident {
        let last = path.segments.last().map_or_else(String::new, |s| s.ident.to_string());
        let name = format!("undeclared_{last}_{}", self.typing.uses.len());
        let companion = Ident::new(&name, span);
        let path = generated(path.to_token_stream());
        self.typing.uses.push(quote_spanned!(span=> use #path as #companion;));
        let mut fallback = companion.clone();
        fallback.set_span(hidden(span));
        self.typing.fallbacks.insert((name, usize::MAX), quote!(struct #fallback;));
        companion
    }

    /// A slot of a captured place, filled at the head of the copy.
    fn query_place(&mut self, place: &syn::Expr, span: Span) -> omp_ir::ids::SlotId {
        let (id, slot) = self.slot(span);
        self.checks.extend(quote_spanned!(span=> #slot.see(&#place);));
        id
    }

    fn new_scalar(
        &mut self,
        key: &str,
        place: syn::Expr,
        span: Span,
        slot: Option<omp_ir::ids::SlotId>,
        private: bool,
    ) -> ScalarId {
        let slot = slot.unwrap_or_else(|| self.query_place(&place, span));
        let cap = self.cap();
        let id = ScalarId::new(cap.scalars.len());
        cap.scalars.push(ScalarParam { name: shown(key), slot, array: None });
        cap.captures.scalars.push(CapturedScalar { place, key: key.to_string(), private, either: false });
        cap.scalar_ids.insert(key.to_string(), id);
        id
    }

    fn array(&mut self, key: &str, place: syn::Expr, span: Span) -> ArrayId {
        if let Some(id) = self.cap().array_id(key) {
            return id;
        }
        let cap = self.cap();
        let id = ArrayId::new(cap.arrays.len());
        let mapping = cap.mapping(key).cloned();
        let scalar = cap.is_shared_scalar(key);
        cap.array_ids.insert(key.to_string(), id);
        cap.arrays.push(ArrayParam {
            name: shown(key),
            section: mapping.as_ref().is_some_and(|m| !m.item.sections.is_empty()),
            map: mapping.as_ref().map(|m| m.ty),
            written: false,
            read: false,
        });
        let sections = mapping.as_ref().map(|m| m.item.sections.clone()).unwrap_or_default();
        let span = mapping.as_ref().map_or(span, |m| m.item.span);
        cap.captures.arrays.push(CapturedArray {
            place: place.clone(),
            key: key.to_string(),
            written: false,
            read: false,
            passed: false,
            subscripted: false,
            shadowed: false,
            sections,
            declared: false,
            span,
            scalar,
            or_scalar: None,
        });
        let caught = self.caught(Made::Array.name(id.0 as usize, Span::mixed_site()), What::Array);
        let here = caught.at(span);
        let at = place.span();
        let kept = self.cap().kept.iter().any(|name| name == key);
        if kept {
            // An array that the macros made. The clause catches the type of its elements.
            self.checks.extend(quote_spanned!(at=> #here.see_kept(&#place);));
        } else if scalar {
            let slice = quote_spanned!(at=> ::omp::__private::core::slice::from_ref(&#place));
            self.checks.extend(quote_spanned!(at=> #here.see(#slice);));
        } else {
            self.containers.push((id, here, place));
        }
        self.typing.arrays.push(caught);
        id
    }

    /// Queries the containers of the captured arrays. rustc reports a number that has no elements at the subscript.
    pub fn see_containers(&self) -> TokenStream {
        let arrays = self.captured.iter().flat_map(|c| &c.captures.arrays).collect::<Vec<_>>();
        let sees = self.containers.iter().map(|(id, here, place)| {
            let at = place.span();
            let see = Ident::new(if arrays[id.index()].subscripted { "see_indexed" } else { "see" }, at);
            quote_spanned!(at=> #here.#see(&#place);)
        });
        sees.collect()
    }

    /// A place that may be an array is both: the kernel has the one that it is.
    fn either(&mut self, key: &str, place: &syn::Expr, span: Span) -> ScalarId {
        let (id, slot) = self.slot(span);
        let name = Made::Array.name(self.typing.arrays.len(), Span::mixed_site());
        let caught = self.caught(name, What::Array);
        let here = caught.at(span);
        self.checks.extend(quote_spanned!(span=> #here.see_either(&#place, #slot);));
        self.typing.arrays.push(caught);
        let scalar = self.new_scalar(key, place.clone(), span, Some(id), false);
        let cap = self.cap();
        let array = ArrayId::new(cap.arrays.len());
        cap.scalars[scalar.index()].array = Some(array);
        cap.captures.scalars[scalar.index()].either = true;
        cap.arrays.push(ArrayParam {
            name: key.to_string(),
            section: false,
            map: None,
            written: false,
            read: true,
        });
        cap.captures.arrays.push(CapturedArray {
            place: place.clone(),
            key: key.to_string(),
            written: false,
            read: true,
            passed: true,
            subscripted: false,
            shadowed: false,
            sections: Vec::new(),
            declared: false,
            span,
            scalar: false,
            or_scalar: Some(scalar.index()),
        });
        scalar
    }

    /// The place that a chain on a name from outside means.
    pub fn captured_place(&mut self, e: &syn::Expr, c: &Chain, how: crate::lower::expr::place::Use) -> Place {
        let crate::lower::expr::place::Use { as_array, argument, by_ref, .. } = how;
        let full = c.key(c.members.len());
        // (As arguments by value, arrays are mapped.)
        let value = !(as_array || how.write || argument);
        if value && self.cap().fixed.contains(&full) {
            self.cap().uses.wholes.entry(full.clone()).or_insert_with(|| e.clone());
        }
        for n in 0..=c.members.len() {
            let key = c.key(n);
            let cap = self.cap();
            if let Some(&local) = cap.locals.get(&key) {
                return with_fields(Base::Local(local), &c.members[n..]);
            }
            if n < c.members.len()
                && cap.array_ids.contains_key(&key)
                && cap.query(Question::Subscripted, &key)
            {
                break;
            }
        }
        if as_array {
            self.cap().uses.arrays.insert(full.clone());
        } else if !argument {
            self.cap().uses.values.insert(full.clone());
        } else if !by_ref {
            self.cap().uses.bare.insert(full.clone());
        }
        let span = e.span();
        if self.cap().is_array(&full) {
            // A scalar is borrowed as it is, an array through whatever refers to it.
            let place = if self.cap().is_shared_scalar(&full) { e.clone() } else { dereferenced(e).clone() };
            let id = self.array(&full, place, span);
            return Place::from(Base::Array(id));
        }
        let key = if c.deref { format!("*{full}") } else { full.clone() };
        let id = match self.cap().scalar_id(&key) {
            Some(id) => id,
            None if by_ref && self.cap().query(Question::MayBeArray, &full) => self.either(&key, e, span),
            None => self.new_scalar(&key, e.clone(), span, None, false),
        };
        Place::from(Base::Scalar(id))
    }

    /// Checks that the arrays in clauses are arrays of the body.
    pub fn known_arrays(&mut self, clauses: &Clauses) {
        if self.has_problems() {
            return;
        }
        let lists = [
            ("unsafe(disjoint)", &clauses.trust_disjoint),
            ("disjoint", &clauses.disjoint),
            ("unsafe(unchecked)", &clauses.unchecked),
            ("is_device_ptr", &clauses.device_ptr),
            ("cache", &clauses.cache),
        ];
        for item in &clauses.cache {
            if let Some(id) = self.cap().array_id(&item.key)
                && self.cap().arrays[id.index()].written
            {
                let message = format!("`{}` is in `cache`, but the body writes it", item.key);
                let help = "the cache is for data that no iteration changes: take it out of the clause";
                self.error(DiagCode::Contradiction, item.span, message, help);
            }
        }
        for (clause, items) in lists {
            for item in items {
                if self.cap().array_id(&item.key).is_some() {
                    continue;
                }
                let names: Vec<_> = self.cap().arrays.iter().map(|a| format!("`{}`", a.name)).collect();
                let help = match &names[..] {
                    [] => "the body has no array from outside: remove the clause".to_owned(),
                    names => format!("the arrays of the body are {}", names.join(", ")),
                };
                let message = format!("`{}` is in `{clause}`, but is no array of the body", item.key);
                self.error(DiagCode::MalformedClause, item.span, message, help);
            }
        }
    }

    /// Whether a chain on a name from outside is known to be an array.
    pub fn is_captured_array(&self, e: &syn::Expr) -> bool {
        let (Some(c), Some(captured)) = (chain(e), &self.captured) else { return false };
        captured.is_array(&c.key(c.members.len()))
    }

    /// Records that a captured scalar is accessed atomically, unless each iteration has its own.
    pub fn note_atomic(&mut self, c: &Chain) {
        let cap = self.cap();
        let own = (0..=c.members.len()).any(|n| cap.locals.contains_key(&c.key(n)));
        if !own {
            cap.uses.atomic.insert(c.key(c.members.len()));
        }
    }

    /// Whether an array stands in `disjoint(…)`.
    pub fn is_claimed(&self, id: ArrayId) -> bool {
        let key = |c: &Captured| c.claimed.contains(&c.captures.arrays[id.index()].key);
        self.captured.as_ref().is_some_and(key)
    }

    /// Only a part of an array may be there, so the whole array must not be passed on silently.
    pub fn is_part(&self, id: ArrayId) -> bool {
        self.captured.as_ref().is_some_and(|c| c.task || c.arrays[id.index()].section)
    }

    /// Whether an array is a shared scalar.
    pub fn is_scalar_array(&self, id: ArrayId) -> bool {
        self.captured.as_ref().is_some_and(|c| c.captures.arrays[id.index()].scalar)
    }

    /// Records that a captured place is assigned.
    pub fn note_assigned(&mut self, c: &Chain) {
        if self.captured.is_some() {
            for n in 0..=c.members.len() {
                let key = c.key(n);
                self.cap().uses.assigned.insert(key);
            }
        }
    }

    /// A captured scalar is one for all iterations.
    pub fn scalar_race(&mut self, scalar: ScalarId, span: Span) {
        let name = self.cap().scalars[scalar.index()].name.clone();
        self.error(
            DiagCode::ScalarRace,
            span,
            format!("race: every iteration assigns `{name}`, which is one variable for all of them"),
            format!(
                "declare it inside the loop, or say what it is: `private({name})`, `reduction(+: {name})`"
            ),
        );
    }
}

/// The fixed arrays of the function whose values are the same on the host and the device: those that are never changed, and those
/// that no data region around holds. Reductions and copies have rules of their own.
fn fixed(region: &CheckedRegion) -> Vec<String> {
    let (clauses, context) = (&region.directive.clauses, &region.context);
    let reduced = clauses.reductions.iter().chain(&clauses.scans).flat_map(|r| &r.items);
    let own = reduced.chain(&clauses.private).chain(&clauses.lastprivate);
    let own: HashSet<&str> = own.map(|i| i.key.as_str()).collect();
    let mapped = clauses.maps.iter().flat_map(|m| &m.items).map(|i| &i.key);
    let mapped: Vec<&String> = mapped.chain(&region.around.held).collect();
    let is_same = |name: &String| {
        !context.mutable.contains(name) || !context.lent.contains(name) && !mapped.contains(&name)
    };
    let is_owned =
        |name: &String| context.whole.iter().any(|(n, kind)| n == name && *kind == IteratedBy::Owned);
    let names = context.whole.iter().map(|(name, _)| name).filter(|name| is_owned(name) && is_same(name));
    // (What `firstprivate` names is a value, unless it is declared as a slice or a `Vec`.)
    let first = clauses.firstprivate.iter().map(|i| &i.key);
    let first = first.filter(|key| is_owned(key) || !context.array_names.contains(key));
    let mut all: Vec<String> = names.chain(first).filter(|n| !own.contains(n.as_str())).cloned().collect();
    all.sort();
    all.dedup();
    all
}

/// `firstprivate` items that are not `lastprivate` too.
fn first_alone(clauses: &Clauses) -> Vec<Item> {
    let last = |i: &Item| clauses.lastprivate.iter().any(|l| l.key == i.key);
    clauses.firstprivate.iter().filter(|i| !last(i)).cloned().collect()
}

/// The operator of a clause in the template.
pub(super) fn combiner(op: &ClauseOp) -> Combiner {
    match op {
        ClauseOp::Builtin(op) => Combiner::Builtin(*op),
        ClauseOp::Declared(path) => Combiner::Declared(path.to_token_stream().to_string().replace(' ', "")),
    }
}
