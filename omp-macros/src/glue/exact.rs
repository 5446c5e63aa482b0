//! Reproducible sums on the host that many statements add to one by one. Beside such a sum stand two numbers (Kahan's sum): before
//! each update, what was added since is taken over, and the sum starts again from what changes nothing. Of types that
//! don't round nothing is left of that. On devices it is the same.
//!
//! An element that an inner loop alone reduces stays where it is: each update of it adds to a variable, and that to the element,
//! beside which stands what rounding has taken (`host::InPlace`). Where the loop's iterations go from element to element, what
//! was taken from each of them is kept (`host::Lows`), as on devices: of a variable's elements for the loop, of an array's for
//! the iteration of the region.
use super::numbered;
use crate::ast::{ClauseOp, InnerLoop, Region};
use crate::lower::Lowered;
use crate::sema::nesting::number;
use crate::sema::place::{self, item_key};
use crate::sema::scope::{self, Scopes};
use crate::sema::wander::wanders;
use crate::sema::{reduction, updates};
use omp_kernels::ir::template::{Combiner, ReduceOp};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, Stmt};

/// A sum.
#[derive(Clone)]
pub(super) struct Sum {
    /// The place that updates name.
    key: String,
    /// What stands for it, and how values like it are combined.
    place: TokenStream,
    like: TokenStream,
    rest: Ident,
}

impl Sum {
    /// Before the loops: the numbers beside it.
    pub(super) fn begin(&self) -> TokenStream {
        let (rest, again) = (&self.rest, self.again());
        let place = &self.place;
        // Where nothing rounds, nobody looks at it, and what changes nothing need not be known.
        code!(let mut #rest = (#place, #place); let _ = &mut #rest; #again)
    }

    /// The sum goes on from the value that stands in its place.
    pub(super) fn again(&self) -> TokenStream {
        let Self { place, like, rest, .. } = self;
        code!(if #like.omp_rounds() { #rest = (#place, #like.omp_neutral()); #place = #like.omp_neutral(); })
    }

    /// Takes over what was added.
    fn take(&self) -> TokenStream {
        let Self { place, like, rest, .. } = self;
        code! {
            if #like.omp_rounds() {
                let [__sum, __low, __nothing] = #like.omp_add_exactly([#rest.0, #rest.1, #place]);
                #rest = (__sum, __low);
                #place = __nothing;
            }
        }
    }

    /// After the loops: the sum stands in its place.
    pub(super) fn end(&self) -> TokenStream {
        let (Self { place, like, rest, .. }, take) = (self, self.take());
        code!(#take if #like.omp_rounds() { #place = #rest.0; })
    }
}

/// The sums among a region's items, where `place` gives what stands for each.
pub(super) fn sums_of<'a>(
    lowered: &'a Lowered,
    generic: bool,
    place: impl Fn(usize) -> TokenStream + 'a,
) -> impl Iterator<Item = Sum> + 'a {
    let items = lowered.captures.reductions.iter().enumerate();
    items.filter_map(move |(k, r)| {
        let of = lowered.template.reductions.get(k).map(|r| &r.op);
        let sum = matches!(of, Some(Combiner::Builtin(ReduceOp::Add)));
        if !sum || r.array.is_some() || r.carried {
            return None;
        }
        let place = place(k);
        let like = super::items::of(r, generic, &code!(&#place));
        let key = place::scalar_key(&r.place).unwrap_or_else(|| r.key.clone());
        Some(Sum { key, place, like, rest: numbered("rest", k) })
    })
}

/// The scalar that an expression updates.
fn updated(e: &Expr) -> Option<String> {
    if !matches!(e, Expr::Assign(_) | Expr::Binary(_)) {
        return None;
    }
    let place = place::of(updates::target(e)?)?;
    place.subscripts.is_empty().then_some(place.key)
}

/// Elements that a nest reduces where they are.
struct InPlace {
    key: String,
    /// The nest, and the item of it.
    nest: usize,
    item: usize,
    /// The updates of them that were seen.
    updates: usize,
    /// What stands beside all updates together, if the nest goes from element to element.
    all: Option<All>,
}

/// What stands beside all updates of elements.
enum All {
    /// Of a mapped array, at the head of the region's body: its position.
    Ahead(usize),
    /// Before the nest: by the fields that are updated.
    Here(Vec<String>),
}

impl InPlace {
    /// What stands beside an update.
    fn name(&self, update: usize) -> Ident {
        numbered(&format!("low{}_{}_", self.nest, self.item), update)
    }

    /// What stands before the nest.
    fn begin(&self) -> Vec<TokenStream> {
        let p = super::private();
        let (count, what) = match &self.all {
            Some(All::Ahead(_)) => (0, code!()),
            Some(All::Here(fields)) => (fields.len(), code!(Lows)),
            None => (self.updates, code!(InPlace)),
        };
        let names = (0..count).map(|k| self.name(k));
        names.map(|low| code!(let mut #low = #p::#what::new();)).collect()
    }
}

/// The fields of elements that a place names: those of one type have the same.
fn fields_of(place: &Expr) -> String {
    match place {
        Expr::Paren(p) => fields_of(&p.expr),
        Expr::Group(g) => fields_of(&g.expr),
        Expr::Index(i) => fields_of(&i.expr) + "[]",
        Expr::Field(f) => format!("{}.{}", fields_of(&f.base), f.member.to_token_stream()),
        _ => String::new(),
    }
}

/// Where something stands in a list, to which it is added.
fn position<T: PartialEq>(list: &mut Vec<T>, of: T) -> usize {
    list.iter().position(|one| *one == of).unwrap_or_else(|| {
        list.push(of);
        list.len() - 1
    })
}

/// Puts what takes over before all updates of sums, and around nests those of sums that they alone reduce.
pub(super) struct Takes<'a> {
    sums: Vec<Sum>,
    /// What stands for arrays, by their keys.
    elements: Vec<(String, Ident)>,
    region: &'a Region,
    in_place: Vec<InPlace>,
    /// The mapped arrays, by their keys, and of which of them, and which fields, all elements have such numbers.
    arrays: Vec<String>,
    kept: Vec<(usize, String)>,
    fixed: bool,
    /// Names that stand for something else here.
    shadowed: Vec<String>,
}

impl<'a> Takes<'a> {
    pub(super) fn new(sums: Vec<Sum>, region: &'a Region, lowered: &Lowered) -> Self {
        let fixed = region.has_fixed_order();
        let arrays = lowered.captures.arrays.iter().map(|a| a.key.clone()).collect();
        let (elements, in_place, kept, shadowed) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { sums, elements, region, in_place, arrays, kept, fixed, shadowed }
    }

    /// What stands at the head of each iteration.
    pub(super) fn head(&self) -> TokenStream {
        let p = super::private();
        let all = (0..self.kept.len()).map(|k| numbered("lows", k));
        code!(#(let mut #all = #p::Lows::new();)*)
    }

    /// What is kept of the elements of a nest's item.
    fn all_of(&self, key: &str, inner: &InnerLoop) -> Option<All> {
        if !wanders(&inner.nest, key) {
            return None;
        }
        let base = key.split('.').next().unwrap_or_default();
        let local = self.shadowed.iter().any(|name| name == base);
        let array = self.arrays.iter().position(|array| array == key).filter(|_| !local);
        Some(array.map_or_else(|| All::Here(Vec::new()), All::Ahead))
    }

    /// Elements of these arrays stand elsewhere.
    pub(super) fn with_elements(self, elements: Vec<(String, Ident)>) -> Self {
        Self { elements, ..self }
    }

    /// What stands for an element.
    fn element(&self, x: &syn::ExprIndex) -> Option<Expr> {
        let key = place::scalar_key(&x.expr)?;
        let base = key.split('.').next().unwrap_or_default();
        let (_, view) = self.elements.iter().find(|(of, _)| *of == key)?;
        if self.shadowed.iter().any(|name| name == base) {
            return None;
        }
        // With the user's own span: where it fails is then the subscript.
        let span = x.span();
        let mut at: syn::ExprMethodCall = syn::parse2(quote_spanned!(span=> #view.at_checked())).ok()?;
        at.args.push((*x.index).clone());
        let mut element: Expr = syn::parse2(code!(
            (*{
                let __p = __at;
                unsafe { &mut *__p }
            })
        ))
        .ok()?;
        Put(Some(Expr::MethodCall(at))).visit_expr_mut(&mut element);
        Some(element)
    }

    /// The sums of a nest that are its own.
    fn own(&self, n: usize, inner: &InnerLoop) -> (Vec<Sum>, Vec<String>) {
        let clauses = &inner.directive.clauses.reductions;
        let facts = reduction::facts_of(clauses, &inner.nest.body, &[]);
        let items = clauses.iter().flat_map(|c| c.items.iter().map(move |i| (c, i)));
        let (mut own, mut hidden) = (Vec::new(), Vec::new());
        let p = super::private();
        for (k, ((clause, item), facts)) in items.zip(facts).enumerate() {
            let key = item_key(item);
            if facts.array {
                continue;
            }
            if !(self.fixed || clause.reproducible) {
                hidden.push(key);
                continue;
            }
            let known = self.sums.iter().any(|s| s.key == key) && !self.shadowed.contains(&key);
            let sum = matches!(clause.op, ClauseOp::Builtin(ReduceOp::Add));
            if !sum || known {
                continue;
            }
            let (place, op) = (item.place.to_token_stream(), code!(#p::op::Add));
            let like = code!((&&#p::Item::<#op, _>::of(&#place)));
            own.push(Sum { key, place, like, rest: numbered(&format!("rest{n}_"), k) });
        }
        (own, hidden)
    }

    /// The keys of what a nest alone reduces element by element.
    fn elements_of(&self, inner: &InnerLoop) -> Vec<String> {
        let clauses = &inner.directive.clauses.reductions;
        let facts = reduction::facts_of(clauses, &inner.nest.body, &[]);
        let items = clauses.iter().flat_map(|c| c.items.iter().map(move |i| (c, i))).zip(facts);
        let sums =
            items.filter(|((c, _), facts)| facts.array && matches!(c.op, ClauseOp::Builtin(ReduceOp::Add)));
        let sums = sums.filter(|((c, _), _)| self.fixed || c.reproducible);
        let of_region = |key: &str| {
            let mut items = self.region.directive.clauses.reductions.iter().flat_map(|c| &c.items);
            items.any(|i| item_key(i) == key)
        };
        let keys = sums.map(|((_, item), _)| item_key(item));
        keys.filter(|key| !of_region(key) && self.in_place.iter().all(|e| e.key != *key)).collect()
    }

    /// An update of an element that a nest reduces where it is.
    fn add_in_place(&mut self, e: &Expr) -> Option<Expr> {
        if !matches!(e, Expr::Assign(_) | Expr::Binary(_)) {
            return None;
        }
        let target = updates::target(e)?;
        let place = place::of(target).filter(|place| !place.subscripts.is_empty())?;
        if self.shadowed.contains(&place.base) {
            return None;
        }
        let of = self.in_place.iter_mut().find(|of| of.key == place.key)?;
        let low = match &mut of.all {
            None => of.name(of.updates),
            Some(All::Ahead(array)) => {
                let array = (*array, fields_of(target));
                numbered("lows", position(&mut self.kept, array))
            }
            Some(All::Here(fields)) => {
                let k = position(fields, fields_of(target));
                of.name(k)
            }
        };
        let p = super::private();
        let like = code!((&&#p::Item::<#p::op::Add, _>::caught(&#low)));
        let item = |of: TokenStream| code!((&&#p::Item::<#p::op::Add, _>::of(&#of)));
        let (three, sum) = (item(code!(__of[0])), item(code!(__sum)));
        let mut add = code!(|__of| #three.omp_add_exactly(__of));
        if of.all.is_some() {
            add = code!((#add, |__sum, __low| #sum.omp_goes_with(__sum, __low)));
        }
        let text = updates::text(target)?;
        let mut update = e.clone();
        Instead(&text).visit_expr_mut(&mut update);
        let mut whole: Expr = syn::parse2(code!({
            if false {
                #low.like(&__place);
            }
            if #like.omp_rounds() {
                let __nothing = #like.omp_neutral();
                let mut __more0 = __nothing;
                __update;
                #low.add(&mut __place, __more0, __nothing, #add);
            } else {
                __as_it_stands;
            }
        }))
        .ok()?;
        of.updates += 1;
        Fill(&[("__place", target), ("__update", &update), ("__as_it_stands", e)]).visit_expr_mut(&mut whole);
        Some(whole)
    }

    fn nest(&mut self, n: usize, inner: &InnerLoop, e: &mut Expr) {
        let (own, hidden) = self.own(n, inner);
        let outside = self.in_place.len();
        let elements = self.elements_of(inner);
        for (item, key) in elements.into_iter().enumerate() {
            let all = self.all_of(&key, inner);
            self.in_place.push(InPlace { key, nest: n, item, updates: 0, all });
        }
        let (sums, shadowed) = (self.sums.len(), self.shadowed.clone());
        // Here the item is meant, whatever had its name before.
        let item = |name: &String| {
            own.iter().any(|s| s.key == *name)
                || self.in_place[outside..].iter().any(|of| of.key.split('.').next() == Some(name))
        };
        self.shadowed.retain(|name| !item(name));
        self.shadowed.extend(hidden);
        self.sums.extend(own.iter().cloned());
        visit_mut::visit_expr_mut(self, e);
        self.sums.truncate(sums);
        self.shadowed = shadowed;
        let lows: Vec<_> = self.in_place.split_off(outside);
        if own.is_empty() && lows.iter().all(|of| of.updates == 0) {
            return;
        }
        let whole = |tokens: TokenStream| Stmt::Expr(Expr::Verbatim(tokens), semi());
        let mut stmts: Vec<Stmt> = own.iter().map(|s| whole(s.begin())).collect();
        stmts.extend(lows.iter().flat_map(InPlace::begin).map(whole));
        let nest = std::mem::replace(e, Expr::Verbatim(TokenStream::new()));
        stmts.push(Stmt::Expr(nest, None));
        stmts.extend(own.iter().map(|s| whole(s.end())));
        *e = block(stmts);
    }
}

/// Nothing that rustc would say about the user's tokens.
fn semi() -> Option<syn::token::Semi> {
    Some(syn::token::Semi(proc_macro2::Span::mixed_site()))
}

fn block(stmts: Vec<Stmt>) -> Expr {
    let brace_token = syn::token::Brace(proc_macro2::Span::mixed_site());
    let block = syn::Block { brace_token, stmts };
    Expr::Block(syn::ExprBlock { attrs: Vec::new(), label: None, block })
}

/// Puts a variable in the place of an element, wherever that stands.
struct Instead<'a>(&'a str);

impl VisitMut for Instead<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        if updates::text(e).is_some_and(|text| text == self.0) {
            let more = numbered("more", 0);
            *e = syn::parse_quote!(#more);
            return;
        }
        visit_mut::visit_expr_mut(self, e);
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// Puts expressions in the place of names.
struct Fill<'a>(&'a [(&'static str, &'a Expr)]);

impl VisitMut for Fill<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        if let Expr::Path(path) = &*e
            && let Some((_, by)) = self.0.iter().find(|(name, _)| path.path.is_ident(name))
        {
            *e = (*by).clone();
            return;
        }
        visit_mut::visit_expr_mut(self, e);
    }
}

/// Puts an expression in the place of the first name.
struct Put(Option<Expr>);

impl VisitMut for Put {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        match e {
            Expr::Path(_) => {
                if let Some(put) = self.0.take() {
                    *e = put;
                }
            }
            e => visit_mut::visit_expr_mut(self, e),
        }
    }
}

impl Scopes for Takes<'_> {
    fn hidden(&mut self) -> &mut Vec<String> {
        &mut self.shadowed
    }
}

impl VisitMut for Takes<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        let inners = &self.region.inner;
        if let Expr::ForLoop(f) = &*e
            && let Some((n, inner)) = number(&f.attrs).and_then(|n| Some((n, inners.get(n)?)))
        {
            return self.nest(n, inner, e);
        }
        visit_mut::visit_expr_mut(self, e);
        if let Expr::Index(x) = e
            && let Some(element) = self.element(x)
        {
            *e = element;
        }
        if let Some(add) = self.add_in_place(e) {
            *e = add;
            return;
        }
        let Some(key) = updated(e) else { return };
        let sum = self.sums.iter().rev().find(|s| s.key == key);
        let Some(sum) = sum.filter(|_| !self.shadowed.contains(&key)) else { return };
        let take = Stmt::Expr(Expr::Verbatim(sum.take()), None);
        let update = std::mem::replace(e, Expr::Verbatim(TokenStream::new()));
        *e = block(vec![take, Stmt::Expr(update, semi())]);
    }

    scope::visits!();

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
