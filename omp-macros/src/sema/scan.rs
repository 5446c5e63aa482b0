//! Scans: the recurrences that a loop carries, and the loop that says them as updates of carried values.
//!
//! `y[i] = y[i - 1] ⊕ e` becomes `__scan0 = __scan0 ⊕ e; y[i] = __scan0;`, where `__scan0` starts as the element before
//! the first. A carried scalar is such a value as it stands. The body of the region is then
//!
//! ```text
//! '__omp_fold: { let __keep0 = __scan0; …what computes and updates…; __scan0 = __keep0; }
//! '__omp_seed: { __scan0 = y[i - 1]; }
//! …all statements…
//! ```
//!
//! Run one after the other, as the interpreter does, this means what the loop means: the first block changes nothing,
//! the second says what is so anyway. A device runs the first block to find out what a part of the loop adds up to,
//! the second in the first iteration only, and the statements when it knows what a part starts from.
//!
//! Along one loop of a nest, a scan is the loop itself: the other loop's iterations run in parallel.
use super::place;
use super::updates::{self, Form};
use crate::ast::{DirectiveKind, Item, LoopHead, RangeAdaptor, ReductionClause, Region, Scan};
use crate::diag::{Code, Sink};
use crate::parse::loop_nest;
use crate::parse::source::as_written;
use proc_macro2::{Ident, Span};
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
use syn::visit::Visit;
use syn::visit_mut::VisitMut;
use syn::{Block, Expr, Stmt};

/// A sum of products of names, by the names' text.
type Index = BTreeMap<Vec<String>, i128>;

/// Reads a region with a scan; others stay as they are.
pub fn prepare(region: &mut Region, sink: &mut Sink) {
    let clauses = &mut region.directive.clauses;
    let (inscan, others) = std::mem::take(&mut clauses.reductions).into_iter().partition(|r| r.inscan);
    clauses.reductions = others;
    clauses.scans.extend::<Vec<_>>(inscan);
    let clauses = &region.directive.clauses;
    if clauses.scans.is_empty() {
        return;
    }
    if let Some(clause) = clauses.reductions.first() {
        sink.later(Code::FormLater, clause.span, "a reduction beside a scan")
            .help("reduce in a loop of its own");
        return;
    }
    if let Some(collapse) = &clauses.collapse {
        sink.error(Code::ClauseNotAllowed, collapse.span, "`collapse` on a scan: it goes along one loop")
            .help("leave `collapse` out; the other loop of the nest runs in parallel");
        return;
    }
    region.directive.kind = DirectiveKind::Target;
    match loop_nest::only_loop(&region.body).cloned() {
        Some(inner) => segmented(region, &inner, sink),
        None => along(region, sink),
    }
}

/// The loop of a head: its variable and by how much it changes from one iteration to the next.
struct Axis {
    var: String,
    step: i128,
}

impl Axis {
    fn of(head: &LoopHead) -> Option<Self> {
        let mut step = 1;
        for adaptor in &head.adaptors {
            match adaptor {
                RangeAdaptor::Rev => step = -step,
                RangeAdaptor::StepBy(Expr::Lit(l)) => {
                    let syn::Lit::Int(n) = &l.lit else { return None };
                    step *= n.base10_parse::<i128>().ok()?;
                }
                RangeAdaptor::StepBy(_) => return None,
            }
        }
        Some(Self { var: head.var.as_ref()?.to_string(), step })
    }
}

/// What a place on the left of an assignment is to a place on the right.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Relation {
    /// The same element.
    Own,
    /// That of the iteration before.
    Before,
    /// Something else.
    Other,
}

/// How `read` relates to `written` along an axis.
fn relation(written: &Expr, read: &Expr, axis: &Axis) -> Relation {
    let (Some(w), Some(r)) = (place::of(written), place::of(read)) else { return Relation::Other };
    let forms =
        |e: &[&Expr], shift: i128| e.iter().map(|s| index(s, &axis.var, shift)).collect::<Option<Vec<_>>>();
    let (Some(own), Some(before), Some(found)) =
        (forms(&w.subscripts, 0), forms(&w.subscripts, -axis.step), forms(&r.subscripts, 0))
    else {
        return Relation::Other;
    };
    // The fields behind the subscripts agree, too.
    if w.key != r.key || shape(written) != shape(read) {
        Relation::Other
    } else if found == own {
        Relation::Own
    } else if found == before {
        Relation::Before
    } else {
        Relation::Other
    }
}

/// A place without what stands in its subscripts.
fn shape(e: &Expr) -> String {
    match e {
        Expr::Paren(p) => shape(&p.expr),
        Expr::Group(g) => shape(&g.expr),
        Expr::Index(i) => format!("{}[]", shape(&i.expr)),
        Expr::Field(f) => format!("{}.{}", shape(&f.base), f.member.to_token_stream()),
        other => other.to_token_stream().to_string(),
    }
}

/// A subscript with `shift` added to the variable.
fn index(e: &Expr, var: &str, shift: i128) -> Option<Index> {
    let constant = |n: i128| Index::from([(vec![], n)]);
    let combined = |a: Index, b: Index, sign: i128| {
        let mut sum = a;
        for (names, n) in b {
            *sum.entry(names).or_insert(0) += sign * n;
        }
        sum.retain(|_, n| *n != 0);
        sum
    };
    Some(match e {
        Expr::Paren(p) => index(&p.expr, var, shift)?,
        Expr::Group(g) => index(&g.expr, var, shift)?,
        Expr::Lit(l) => match &l.lit {
            syn::Lit::Int(n) => {
                let mut c = constant(n.base10_parse().ok()?);
                c.retain(|_, n| *n != 0);
                c
            }
            _ => return None,
        },
        Expr::Binary(b) => {
            let (x, y) = (index(&b.left, var, shift), index(&b.right, var, shift));
            match b.op {
                syn::BinOp::Add(_) => combined(x?, y?, 1),
                syn::BinOp::Sub(_) => combined(x?, y?, -1),
                syn::BinOp::Mul(_) => {
                    let (x, y) = (x?, y?);
                    let mut product = Index::new();
                    for (a, m) in &x {
                        for (b, n) in &y {
                            let mut names = [a.clone(), b.clone()].concat();
                            names.sort();
                            *product.entry(names).or_insert(0) += m * n;
                        }
                    }
                    product.retain(|_, n| *n != 0);
                    product
                }
                _ => atom(e, var)?,
            }
        }
        Expr::Path(p) if p.path.is_ident(var) => {
            combined(Index::from([(vec![var.to_owned()], 1)]), constant(shift), 1)
        }
        _ => atom(e, var)?,
    })
}

/// Something that does not depend on the variable, by its text.
fn atom(e: &Expr, var: &str) -> Option<Index> {
    struct Names<'a>(&'a str, bool);
    impl<'ast> Visit<'ast> for Names<'_> {
        fn visit_path(&mut self, p: &'ast syn::Path) {
            self.1 |= p.is_ident(self.0);
        }
    }
    let mut names = Names(var, false);
    names.visit_expr(e);
    (!names.1).then(|| Index::from([(vec![e.to_token_stream().to_string().replace(' ', "")], 1)]))
}

/// The places of an array in an expression.
fn places<'a>(e: &'a Expr, key: &str) -> Vec<&'a Expr> {
    struct Find<'a, 'k>(&'k str, Vec<&'a Expr>);
    impl<'ast> Visit<'ast> for Find<'ast, '_> {
        fn visit_expr(&mut self, e: &'ast Expr) {
            if place::of(e).is_some_and(|p| p.key == self.0 && !p.subscripts.is_empty()) {
                self.1.push(e);
                return;
            }
            syn::visit::visit_expr(self, e);
        }
    }
    let mut find = Find(key, Vec::new());
    find.visit_expr(e);
    find.1
}

/// A recurrence of array elements.
struct Carried<'a> {
    /// `y[i]`
    left: &'a Expr,
    /// `y[i - 1]`
    before: &'a Expr,
    /// The update as of a carried value: `y[i - 1] = y[i - 1] ⊕ e`.
    update: Expr,
}

/// The recurrence of a statement, if it assigns an element and reads the array before that.
fn recurrence<'a>(e: &'a Expr, axis: &Axis) -> Option<Carried<'a>> {
    let (left, update) = match e {
        Expr::Assign(a) => (&*a.left, None),
        Expr::Binary(b) if updates::is_assignment(&b.op) => (&*b.left, Some(b)),
        _ => return None,
    };
    let key = place::of(left).filter(|p| !p.subscripts.is_empty())?.key;
    let right = match e {
        Expr::Assign(a) => &a.right,
        Expr::Binary(b) => &b.right,
        _ => return None,
    };
    let before = places(right, &key).into_iter().find(|p| relation(left, p, axis) == Relation::Before)?;
    let update = match update {
        None => {
            let Expr::Assign(a) = e else { return None };
            Expr::Assign(syn::ExprAssign { left: Box::new(before.clone()), ..a.clone() })
        }
        // `y[i] ⊕= y[i - 1]`: the carried value is the right operand.
        Some(b) if updates::text(updates::strip(right)) == updates::text(before) => {
            let op = plain_operator(&b.op)?;
            syn::parse_quote!(#before = #left #op #before)
        }
        Some(_) => return None,
    };
    Some(Carried { left, before, update })
}

/// `+` of `+=`.
fn plain_operator(op: &syn::BinOp) -> Option<syn::BinOp> {
    Some(match op {
        syn::BinOp::AddAssign(_) => syn::parse_quote!(+),
        syn::BinOp::MulAssign(_) => syn::parse_quote!(*),
        syn::BinOp::BitAndAssign(_) => syn::parse_quote!(&),
        syn::BinOp::BitOrAssign(_) => syn::parse_quote!(|),
        syn::BinOp::BitXorAssign(_) => syn::parse_quote!(^),
        _ => return None,
    })
}

/// The forms that are understood, for messages.
fn forms(op: &str) -> String {
    let by = |a: &str, b: &str| match op {
        "max" | "min" => format!("{a}.{op}({b})"),
        _ if op.starts_with(|c: char| c.is_alphabetic()) => format!("{op}({a}, {b})"),
        _ => format!("{a} {op} {b}"),
    };
    format!(
        "a scan by `{op}` is `y[i] = {}`, `y[i] = {}`, or `s = {}` with `y[i] = s` before or after it",
        by("y[i - 1]", "x[i]"),
        by("y[i - 1]", "y[i]"),
        by("s", "x[i]")
    )
}

/// The clause that a recurrence of `key` belongs to.
fn clause_of<'a>(clauses: &'a [ReductionClause], key: &str) -> Option<&'a ReductionClause> {
    let named = clauses.iter().find(|c| c.items.iter().any(|i| place::item_key(i) == key));
    named.or_else(|| clauses.iter().find(|c| c.items.is_empty()))
}

/// The statements of a body as expressions.
fn expression(stmt: &Stmt) -> Option<&Expr> {
    match stmt {
        Stmt::Expr(e, _) => Some(e),
        _ => None,
    }
}

/// Replaces a place by a name.
struct Replace<'a> {
    text: String,
    by: &'a Expr,
}

impl VisitMut for Replace<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        if updates::text(e).is_some_and(|t| t == self.text) {
            *e = self.by.clone();
            return;
        }
        syn::visit_mut::visit_expr_mut(self, e);
    }
}

/// What is found in the body of a scan along its only loop.
#[derive(Default)]
struct Found {
    clauses: Vec<ReductionClause>,
    arrays: Vec<String>,
    names: Vec<Expr>,
    seeds: Vec<Stmt>,
    body: Vec<Stmt>,
    /// By statement of [`Self::body`]: what a part adds up to depends on it.
    fold: Vec<bool>,
}

/// A scan along the only loop.
fn along(region: &mut Region, sink: &mut Sink) {
    let Some(axis) = region.loops.first().and_then(Axis::of) else {
        sink.error(
            Code::ScanPattern,
            region.directive.span,
            "scan pattern not found: this loop has no neighbours that can be told",
        )
        .help("name the loop variable, and step by a number: `for i in 1..n`");
        return;
    };
    let scans = region.directive.clauses.scans.clone();
    let mut found = Found::default();
    for stmt in &region.body.stmts {
        let carried = expression(stmt).and_then(|e| recurrence(e, &axis));
        match carried {
            Some(carried) => {
                if !element(&carried, &scans, &axis, &mut found, sink) {
                    return;
                }
            }
            None => {
                found.body.push(stmt.clone());
                found.fold.push(true);
            }
        }
    }
    if !scalars(&scans, region, &mut found, sink) {
        return;
    }
    if found.clauses.is_empty() {
        return nothing_found(region, &scans, &axis, sink);
    }
    if !others(region, &axis, &found, sink) || !classify(&mut found, sink) {
        return;
    }
    let Found { clauses, arrays, names, seeds, body, fold } = found;
    let keeps: Vec<Ident> =
        (0..names.len()).map(|k| Ident::new(&format!("__keep{k}"), Span::mixed_site())).collect();
    let kept = body.iter().zip(fold).filter(|(_, keep)| *keep).map(|(stmt, _)| stmt);
    region.body = syn::parse_quote!({
        '__omp_fold: { #(let #keeps = #names;)* #(#kept)* #(#names = #keeps;)* }
        '__omp_seed: { #(#seeds)* }
        #(#body)*
    });
    region.scan = Some(Scan { items: names.len(), arrays });
    region.directive.clauses.reductions = clauses;
}

/// Takes a recurrence of elements apart.
fn element(
    carried: &Carried<'_>,
    scans: &[ReductionClause],
    axis: &Axis,
    found: &mut Found,
    sink: &mut Sink,
) -> bool {
    let Carried { left, before, update } = carried;
    let key = place::of(left).map(|p| p.key).unwrap_or_default();
    let Some(clause) = clause_of(scans, &key) else {
        sink.error_at(
            Code::ScanPattern,
            left,
            format!("scan pattern not found: no `scan` clause names `{key}`, which is carried"),
        )
        .help(format!("add `scan(+: {key})` with the operator of this recurrence"));
        return false;
    };
    let text = updates::text(before).unwrap_or_default();
    match updates::read(update, &text, &clause.op) {
        Form::Update(_) => {}
        Form::Other(how) => {
            sink.error_at(
                Code::ScanPattern,
                update.to_token_stream(),
                format!(
                    "scan pattern not found: the `scan` is by `{}`, but `{key}` is carried by {how}",
                    clause.spelled
                ),
            )
            .note(None, forms(&clause.spelled))
            .help("name the operator of the recurrence in the directive");
            return false;
        }
        Form::Store => return false,
    }
    let right = match update {
        Expr::Assign(a) => &a.right,
        _ => return false,
    };
    for other in places(right, &key) {
        if relation(left, other, axis) == Relation::Other {
            unknown_distance(left, other, &clause.spelled, sink);
            return false;
        }
    }
    let name = Ident::new(&format!("__scan{}", found.names.len()), Span::mixed_site());
    let name: Expr = syn::parse_quote!(#name);
    let mut input = update.clone();
    Replace { text, by: &name }.visit_expr_mut(&mut input);
    let mut first = (*left).clone();
    Zero.visit_expr_mut(&mut first);
    let span = clause.span;
    found.seeds.push(syn::parse_quote!(#name = #before;));
    found.body.push(Stmt::Expr(input, Some(Default::default())));
    found.body.push(syn::parse_quote!(#left = #name;));
    found.fold.extend([true, false]);
    found.clauses.push(ReductionClause {
        items: vec![Item { key: name.to_token_stream().to_string(), place: first, sections: vec![], span }],
        inscan: true,
        ..clause.clone()
    });
    found.arrays.push(key);
    found.names.push(name);
    true
}

/// Puts 0 into all subscripts.
struct Zero;

impl VisitMut for Zero {
    fn visit_expr_index_mut(&mut self, i: &mut syn::ExprIndex) {
        self.visit_expr_mut(&mut i.expr);
        *i.index = syn::parse_quote!(0);
    }
}

/// Finds the scalars that are carried.
fn scalars(scans: &[ReductionClause], region: &Region, found: &mut Found, sink: &mut Sink) -> bool {
    let bound: BTreeSet<String> = bound_names(&region.body);
    let named: Vec<String> = scans.iter().flat_map(|c| c.items.iter().map(place::item_key)).collect();
    let mut keys: Vec<String> = Vec::new();
    for stmt in &region.body.stmts {
        let mut targets = Targets(Vec::new());
        targets.visit_stmt(stmt);
        for target in targets.0 {
            let Some(place) = place::of(&target).filter(|p| p.subscripts.is_empty()) else { continue };
            let local = bound.contains(&place.base);
            let wanted = named.contains(&place.key) || scans.iter().any(|c| c.items.is_empty());
            if local || !wanted || keys.contains(&place.key) || found.arrays.contains(&place.key) {
                continue;
            }
            let Some(clause) = clause_of(scans, &place.key) else { continue };
            keys.push(place.key.clone());
            let span =
                clause.items.iter().find(|i| place::item_key(i) == place.key).map_or(clause.span, |i| i.span);
            found.clauses.push(ReductionClause {
                items: vec![Item { key: place.key, place: target.clone(), sections: vec![], span }],
                inscan: true,
                ..clause.clone()
            });
            found.names.push(target);
        }
    }
    for clause in scans {
        for item in &clause.items {
            let key = place::item_key(item);
            if !found.arrays.contains(&key) && !keys.contains(&key) {
                sink.error(
                    Code::ScanPattern,
                    item.span,
                    format!("scan pattern not found: the loop carries nothing in `{key}`"),
                )
                .note(None, forms(&clause.spelled))
                .help(format!("write the recurrence of `{key}`, or take it out of the clause"));
                return false;
            }
        }
    }
    true
}

/// What is assigned.
struct Targets(Vec<Expr>);

impl<'ast> Visit<'ast> for Targets {
    fn visit_expr(&mut self, e: &'ast Expr) {
        if let Some(target) = updates::target(e) {
            self.0.push(target.clone());
        }
        syn::visit::visit_expr(self, e);
    }
}

/// The names that a body binds.
fn bound_names(block: &Block) -> BTreeSet<String> {
    struct Names(BTreeSet<String>);
    impl<'ast> Visit<'ast> for Names {
        fn visit_pat_ident(&mut self, p: &'ast syn::PatIdent) {
            self.0.insert(p.ident.to_string());
        }
    }
    let mut names = Names(BTreeSet::new());
    names.visit_block(block);
    names.0
}

/// Everything else that leads from one iteration to another is refused: other elements of carried arrays here, the
/// rest by the race analysis.
fn others(region: &Region, axis: &Axis, found: &Found, sink: &mut Sink) -> bool {
    for stmt in &region.body.stmts {
        let Some(e) = expression(stmt) else { continue };
        let carried = recurrence(e, axis);
        for key in &found.arrays {
            let Some(left) = region.body.stmts.iter().filter_map(expression).find_map(|e| {
                recurrence(e, axis).map(|c| c.left).filter(|l| place::of(l).is_some_and(|p| p.key == *key))
            }) else {
                continue;
            };
            let own = carried.as_ref().is_some_and(|c| place::of(c.left).is_some_and(|p| p.key == *key));
            for other in places(e, key) {
                let relation = relation(left, other, axis);
                if relation == Relation::Other || (relation == Relation::Before && !own) {
                    unknown_distance(left, other, "this operator", sink);
                    return false;
                }
            }
        }
    }
    true
}

fn unknown_distance(left: &Expr, other: &Expr, op: &str, sink: &mut Sink) {
    let (left, found) = (as_written(left), as_written(other));
    sink.error_at(
        Code::ScanPattern,
        other,
        format!("scan pattern not found: `{left}` depends on `{found}`, which is not the element of the iteration before"),
    )
    .note(None, forms(if op == "this operator" { "+" } else { op }))
    .help("a scan carries one value from each iteration to the next; other loop-carried dependences need a loop that is not parallel");
}

/// Which statements a part's sum depends on: those that update, and what they compute with. What depends on a carried
/// value, or stores, waits until that value is known.
fn classify(found: &mut Found, sink: &mut Sink) -> bool {
    let keys: Vec<String> = found.names.iter().filter_map(updates::text).collect();
    let mut tainted: BTreeSet<String> = keys.iter().cloned().collect();
    let mut stored: BTreeSet<String> = BTreeSet::new();
    for (stmt, fold) in found.body.iter().zip(&mut found.fold) {
        let facts = facts(stmt, &found.clauses, &keys);
        if let Some(wrong) = facts.wrong {
            sink.error_at(Code::ScanPattern, &wrong.0, wrong.1)
                .note(None, forms(&found.clauses[0].spelled))
                .help("update the carried value by the scan's operator, and use it in statements of its own");
            return false;
        }
        if facts.updates {
            if let Some(read) = facts.reads.iter().find(|r| tainted.contains(*r) && !keys.contains(r)) {
                let what = format!(
                    "scan pattern not found: what is carried is updated with `{read}`, which depends on it"
                );
                sink.error_at(Code::ScanPattern, stmt, what)
                    .help("a scan's element depends on no carried value");
                return false;
            }
            let both = facts.stores.iter().next();
            let read_back = facts.reads.iter().find(|r| stored.contains(*r));
            if let Some(name) = both.or(read_back) {
                let what = format!(
                    "scan pattern not found: `{name}` is stored where, or before, the carried value is updated with it"
                );
                sink.error_at(Code::ScanPattern, stmt, what)
                    .help("store after the update, or in a loop of its own");
                return false;
            }
            *fold = true;
        } else {
            let depends = facts.reads.iter().any(|r| tainted.contains(r) || stored.contains(r));
            *fold = !depends && facts.stores.is_empty();
            if !*fold {
                tainted.extend(facts.binds);
            }
        }
        stored.extend(facts.stores);
    }
    true
}

/// What one statement does.
#[derive(Default)]
struct Facts {
    updates: bool,
    /// Names and arrays whose values are used, outside of updates of carried values.
    reads: BTreeSet<String>,
    /// Captured arrays and variables that are assigned.
    stores: BTreeSet<String>,
    /// Names that it binds or assigns.
    binds: BTreeSet<String>,
    wrong: Option<(proc_macro2::TokenStream, String)>,
}

fn facts(stmt: &Stmt, clauses: &[ReductionClause], keys: &[String]) -> Facts {
    struct Walk<'a> {
        clauses: &'a [ReductionClause],
        keys: &'a [String],
        facts: Facts,
    }
    impl Walk<'_> {
        fn clause(&self, key: &str) -> &ReductionClause {
            let at = self.keys.iter().position(|k| k == key).unwrap_or(0);
            &self.clauses[at]
        }
    }
    impl<'ast> Visit<'ast> for Walk<'_> {
        fn visit_pat_ident(&mut self, p: &'ast syn::PatIdent) {
            self.facts.binds.insert(p.ident.to_string());
        }
        fn visit_expr(&mut self, e: &'ast Expr) {
            if let Some(target) = updates::target(e) {
                let text = updates::text(target).unwrap_or_default();
                if self.keys.contains(&text) {
                    match updates::read(e, &text, &self.clause(&text).op) {
                        Form::Update(operands) => {
                            self.facts.updates = true;
                            operands.into_iter().for_each(|o| self.visit_expr(o));
                        }
                        Form::Other(how) => {
                            let by = &self.clause(&text).spelled;
                            self.facts.wrong = Some((
                                e.to_token_stream(),
                                format!(
                                    "scan pattern not found: the `scan` is by `{by}`, but `{text}` is carried by {how}"
                                ),
                            ));
                        }
                        Form::Store => {
                            self.facts.wrong = Some((
                                e.to_token_stream(),
                                format!(
                                    "scan pattern not found: `{text}` is carried, but this overwrites it"
                                ),
                            ));
                        }
                    }
                    return;
                }
                if let Some(place) = place::of(target) {
                    place.subscripts.iter().for_each(|s| self.visit_expr(s));
                    let to = if place.subscripts.is_empty() {
                        &mut self.facts.binds
                    } else {
                        &mut self.facts.stores
                    };
                    to.insert(place.key);
                }
                match e {
                    Expr::Assign(a) => self.visit_expr(&a.right),
                    Expr::Binary(b) => {
                        self.visit_expr(&b.right);
                        let own = place::of(&b.left).map(|p| p.key).unwrap_or_default();
                        self.facts.reads.insert(own);
                    }
                    _ => syn::visit::visit_expr(self, e),
                }
                return;
            }
            if let Some(place) = place::of(e) {
                place.subscripts.iter().for_each(|s| self.visit_expr(s));
                self.facts.reads.insert(place.key);
                self.facts.reads.insert(place.base);
                return;
            }
            syn::visit::visit_expr(self, e);
        }
    }
    let mut walk = Walk { clauses, keys, facts: Facts::default() };
    walk.visit_stmt(stmt);
    walk.facts
}

/// Reports a loop that carries nothing.
fn nothing_found(region: &Region, scans: &[ReductionClause], axis: &Axis, sink: &mut Sink) {
    let op = scans.first().map_or("+", |c| c.spelled.as_str());
    // An element of the same array, at another distance.
    for e in region.body.stmts.iter().filter_map(expression) {
        let Expr::Assign(a) = e else { continue };
        let Some(place) = place::of(&a.left).filter(|p| !p.subscripts.is_empty()) else { continue };
        let other = places(&a.right, &place.key).into_iter();
        if let Some(other) = other.into_iter().find(|o| relation(&a.left, o, axis) == Relation::Other) {
            return unknown_distance(&a.left, other, op, sink);
        }
    }
    sink.error(
        Code::ScanPattern,
        region.directive.span,
        "scan pattern not found: the loop carries no value from one iteration to the next",
    )
    .note(None, forms(op))
    .help("for a loop whose iterations are independent, write `target`");
}

/// A scan along one of two loops: the other's iterations run in parallel, and the scan is the loop itself.
fn segmented(region: &mut Region, inner: &syn::ExprForLoop, sink: &mut Sink) {
    let scans = region.directive.clauses.scans.clone();
    let Ok(head) = loop_nest::head(inner) else {
        sink.error(
            Code::ScanPattern,
            region.directive.span,
            "scan pattern not found: the inner loop is not counted",
        )
        .help("count with a range: `for j in 0..n`");
        return;
    };
    if let Some(deeper) = loop_nest::only_loop(&inner.body) {
        let span = deeper.for_token.span;
        sink.later(Code::FormLater, span, "a scan in a nest of more than two loops")
            .help("scan along one of two loops");
        return;
    }
    let axes = [region.loops.first().and_then(Axis::of), Axis::of(&head)];
    let mut along: Option<usize> = None;
    for e in inner.body.stmts.iter().filter_map(expression) {
        for (k, axis) in axes.iter().enumerate() {
            let Some(axis) = axis else { continue };
            let Some(carried) = recurrence(e, axis) else { continue };
            let key = place::of(carried.left).map(|p| p.key).unwrap_or_default();
            let Some(clause) = clause_of(&scans, &key) else { continue };
            let Expr::Assign(a) = &carried.update else { continue };
            if let Some(other) = places(&a.right, &key)
                .into_iter()
                .find(|o| relation(carried.left, o, axis) == Relation::Other)
            {
                return unknown_distance(carried.left, other, &clause.spelled, sink);
            }
            let text = updates::text(carried.before).unwrap_or_default();
            if let Form::Other(how) = updates::read(&carried.update, &text, &clause.op) {
                sink.error_at(
                    Code::ScanPattern,
                    e,
                    format!(
                        "scan pattern not found: the `scan` is by `{}`, but `{key}` is carried by {how}",
                        clause.spelled
                    ),
                )
                .note(None, forms(&clause.spelled))
                .help("name the operator of the recurrence in the directive");
                return;
            }
            if along.is_some_and(|other| other != k) {
                sink.error_at(
                    Code::ScanPattern,
                    e,
                    "scan pattern not found: this nest carries values along both of its loops",
                )
                .help("scan along one loop in a nest of its own, then along the other");
                return;
            }
            along = Some(k);
        }
    }
    match along {
        None => {
            let op = scans.first().map_or("+", |c| c.spelled.as_str());
            sink.error(
                Code::ScanPattern,
                region.directive.span,
                "scan pattern not found: the nest carries no value along one of its loops",
            )
            .note(None, forms(op))
            .help("for a nest whose iterations are independent, write `target`");
        }
        // Each iteration of the outer loop is a scan of its own.
        Some(1) => {}
        Some(_) => interchange(region, inner, head, sink),
    }
    if along.is_some() && sink.is_empty() {
        let apart = columns(region);
        region.directive.clauses.trust_disjoint.extend(apart);
    }
}

/// The arrays of which the iterations of the parallel loop have a column each: every subscript is the loop's variable
/// `c` and multiples of `w`, and the loop is over `0..w`. So two iterations never have the same remainder.
fn columns(region: &Region) -> Vec<Item> {
    let [head] = region.loops.as_slice() else { return Vec::new() };
    let zero = matches!(&head.lo, Expr::Lit(l) if l.to_token_stream().to_string() == "0");
    let (Some(var), Some(width)) = (&head.var, updates::text(&head.hi)) else { return Vec::new() };
    let bound = bound_names(&region.body);
    let base = place::of(&head.hi).map(|p| p.base).unwrap_or_default();
    let mut targets = Targets(Vec::new());
    targets.visit_block(&region.body);
    let moved = targets.0.iter().filter_map(place::of).any(|p| p.subscripts.is_empty() && p.base == base);
    if !zero || head.inclusive || bound.contains(&base) || bound.contains(&var.to_string()) || moved {
        return Vec::new();
    }
    let var = var.to_string();
    let mut items: Vec<Item> = Vec::new();
    for target in &targets.0 {
        let Some(place) = place::of(target).filter(|p| !p.subscripts.is_empty()) else { continue };
        if items.iter().any(|i| i.key == place.key) {
            continue;
        }
        let mut all = Places { key: &place.key, apart: true, var: &var, width: &width };
        all.visit_block(&region.body);
        if let (true, Some(root)) = (all.apart, root(target)) {
            let span = head.var_span;
            items.push(Item { key: place.key, place: root, sections: vec![], span });
        }
    }
    items
}

/// The array of a place.
fn root(e: &Expr) -> Option<Expr> {
    match e {
        Expr::Paren(p) => root(&p.expr),
        Expr::Group(g) => root(&g.expr),
        Expr::Index(i) => match place::of(&i.expr) {
            Some(p) if p.subscripts.is_empty() => Some((*i.expr).clone()),
            _ => root(&i.expr),
        },
        Expr::Field(f) => root(&f.base),
        _ => None,
    }
}

/// Looks at all uses of an array.
struct Places<'a> {
    key: &'a str,
    apart: bool,
    var: &'a str,
    width: &'a str,
}

impl<'ast> Visit<'ast> for Places<'_> {
    fn visit_expr(&mut self, e: &'ast Expr) {
        let Some(place) = place::of(e).filter(|p| p.key == self.key) else {
            return syn::visit::visit_expr(self, e);
        };
        let first = place.subscripts.first().and_then(|s| index(s, self.var, 0));
        self.apart &= first.is_some_and(|form| {
            let own = vec![self.var.to_owned()];
            let alone = form.get(&own) == Some(&1);
            alone
                && form.keys().filter(|names| **names != own).all(|names| {
                    names.iter().any(|n| n == self.width) && !names.iter().any(|n| n == self.var)
                })
        });
        place.subscripts.iter().for_each(|s| self.visit_expr(s));
    }
}

/// Makes the inner loop the outer one.
fn interchange(region: &mut Region, inner: &syn::ExprForLoop, head: LoopHead, sink: &mut Sink) {
    let outer = &region.loops[0];
    let depends = outer.var.as_ref().is_some_and(|v| {
        let mut found = bound_in(&inner.expr);
        found.retain(|n| v == n);
        !found.is_empty()
    });
    if depends {
        sink.error_at(
            Code::ScanPattern,
            &inner.expr,
            "scan pattern not found: the bounds of this loop depend on the loop that the scan goes along",
        )
        .help("scan along the inner loop, or make the bounds of both independent");
        return;
    }
    let (serial_inner, body) = match loop_nest::only_loop(&region.serial.body) {
        Some(i) => (i.clone(), i.body.clone()),
        None => return,
    };
    let mut new_inner = region.serial.clone();
    new_inner.body = body;
    let mut new_outer = serial_inner;
    new_outer.body = syn::parse_quote!({ #new_inner });
    region.serial = new_outer;
    let mut along = region.serial.clone();
    along = match loop_nest::only_loop(&along.body) {
        Some(i) => i.clone(),
        None => return,
    };
    along.body = inner.body.clone();
    region.body = syn::parse_quote!({ #along });
    region.loops = vec![head];
}

/// The names in an expression.
fn bound_in(e: &Expr) -> Vec<String> {
    struct Names(Vec<String>);
    impl<'ast> Visit<'ast> for Names {
        fn visit_path(&mut self, p: &'ast syn::Path) {
            self.0.extend(p.get_ident().map(ToString::to_string));
        }
    }
    let mut names = Names(Vec::new());
    names.visit_expr(e);
    names.0
}
