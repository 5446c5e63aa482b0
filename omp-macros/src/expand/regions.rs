//! Finds the loops with directives in a function, and replaces them by generated code.
use super::block::Surroundings;
use super::context::ndarrays::Ndarrays;
use super::data_region::exits;
use super::declared_outside;
use super::methods::{Methods, Variables};
use super::openacc::{self, InOrder};
use super::{own_self, reference_items, rows};
use crate::ast::{
    Around, Context, Data, Directive, DirectiveKind, Lost, Mode, Outer, Region, Spelling, Task, TaskGroup,
    Wait,
};
use crate::diag::{Code, Sink};
use crate::iterate;
use crate::parse::tokens::leaves::put;
use crate::parse::{attributes, conditional, directive, loop_nest, standalone};
use crate::sema::CheckedRegion;
use crate::sema::loops::{canonical_loop, nesting};
use crate::sema::scan::phases;
use crate::sema::syntax::scope::Scopes;
use crate::sema::syntax::{names, scope};
use crate::sema::syntax::{place, uses};
use proc_macro2::{Ident, Span, TokenStream};
use std::collections::BTreeSet;
use std::rc::Rc;
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Block, Expr, ExprClosure, ExprForLoop, Item, Signature, Stmt};

/// A directive on the function itself.
pub struct Short(pub Directive);

/// The directives of a function.
#[derive(Default)]
pub struct Directives {
    /// Regions, by number of their placeholder.
    pub regions: Vec<CheckedRegion>,
    /// By region: something is reported of it, or of what it stands in. What else could be said might be an echo.
    pub wrong: Vec<bool>,
    /// Data directives, by number.
    pub data: Vec<Data>,
    /// `taskwait!`, by number.
    pub waits: Vec<Wait>,
    /// `taskgroup`, by number.
    pub groups: Vec<TaskGroup>,
    /// Loops that run in order, as nothing proves that they may run in parallel.
    pub in_order: Vec<InOrder>,
}

impl Directives {
    /// There are no directives.
    pub fn is_empty(&self) -> bool {
        self.regions.is_empty() && self.data.is_empty() && self.waits.is_empty() && self.groups.is_empty()
    }
}

/// The code that replaces the placeholders.
#[derive(Default)]
pub struct Parts {
    /// By region.
    pub regions: Vec<TokenStream>,
    /// By data directive: all of a stand-alone one, or the start of a region.
    pub data: Vec<TokenStream>,
    /// By data directive: what leaves the region.
    pub leaves: Vec<TokenStream>,
    /// By data directive: the views of `use_device_ptr`.
    pub views: Vec<TokenStream>,
    /// By `taskwait!`.
    pub waits: Vec<TokenStream>,
    /// By `taskgroup`: its start.
    pub groups: Vec<TokenStream>,
    /// By `taskgroup`: what leaves it.
    pub ungroups: Vec<TokenStream>,
    /// The statement that leaves the function, in its only element.
    pub finishes: Vec<TokenStream>,
}

/// Takes all directives off a body. Where a region was, a placeholder stands until [`put_back`].
pub fn find(
    (sig, body): (&Signature, &mut Block),
    context: &Context,
    short: Option<Short>,
    (methods, variables): (&Methods, Variables),
    sink: &mut Sink,
) -> Directives {
    let heard = sink.len();
    conditional::in_function(body, short.is_some(), sink);
    let wrong = sink.len() > heard;
    let mut search = Search {
        context,
        methods,
        variables,
        sink,
        found: Directives::default(),
        scopes: vec![],
        bound: vec![],
        bound_outside: vec![],
        closures: vec![],
        iterated: vec![],
        ndarrays: Ndarrays::of(sig),
        block: None,
        task: None,
        needs_result: false,
        heard: 0,
        wrong,
        unset: declared_outside::unset(body, &context.typed),
        moved: BTreeSet::new(),
    };
    if let Some(Short(directive)) = short {
        search.short(body, directive);
    }
    search.visit_block_mut(body);
    let Search { found, moved, .. } = search;
    declared_outside::take_away(body, &moved);
    found
}

/// Replaces the placeholders.
pub fn put_back(body: &mut Block, parts: Parts) {
    PutBack(parts).visit_block_mut(body);
}

/// The name that stands for a region.
pub fn placeholder_name(n: usize) -> String {
    format!("__omp_region_{n}")
}

fn placeholder(n: usize) -> Expr {
    let name = Ident::new(&placeholder_name(n), Span::mixed_site());
    syn::parse_quote!(#name)
}

struct PutBack(Parts);

impl PutBack {
    fn part(&self, name: &str) -> Option<&TokenStream> {
        let Parts { regions, data, leaves, views, waits, groups, ungroups, finishes } = &self.0;
        let kinds = [
            ("__omp_region_", regions),
            ("__omp_data_", data),
            ("__omp_leave_", leaves),
            ("__omp_views_", views),
            ("__omp_wait_", waits),
            ("__omp_group_", groups),
            ("__omp_ungroup_", ungroups),
            ("__omp_finish_", finishes),
        ];
        let (n, list) = kinds.iter().find_map(|(prefix, list)| Some((name.strip_prefix(prefix)?, list)))?;
        list.get(n.parse::<usize>().ok()?)
    }
}

impl VisitMut for PutBack {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        if let Expr::Path(p) = e
            && let Some(name) = p.path.get_ident()
            && let Some(part) = self.part(&name.to_string())
        {
            *e = Expr::Verbatim(part.clone());
            return;
        }
        visit_mut::visit_expr_mut(self, e);
    }

    /// Ways out of a data region stand in the arguments of macros, too.
    fn visit_macro_mut(&mut self, m: &mut syn::Macro) {
        m.tokens = put(std::mem::take(&mut m.tokens), &|name| self.part(&name.to_string()).cloned());
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}

pub(super) struct Search<'a> {
    pub context: &'a Context,
    /// The methods of structs that own arrays, and the variables of such structs.
    pub methods: &'a Methods,
    pub variables: Variables,
    pub sink: &'a mut Sink,
    pub found: Directives,
    /// Data regions that are open, outermost first.
    pub scopes: Vec<usize>,
    /// The names that patterns have bound where the search is, innermost last.
    pub bound: Vec<String>,
    /// How many of them were bound where each of the data regions began.
    pub bound_outside: Vec<usize>,
    /// Closures that have names, with their positions in [`Self::bound`].
    pub closures: Vec<(usize, Ident, ExprClosure)>,
    /// The same for variables that can be iterated by their names.
    pub iterated: Vec<(usize, String, iterate::IteratedBy)>,
    /// The arrays of the crate `ndarray`.
    pub ndarrays: Ndarrays,
    /// The target block that is open.
    pub block: Option<Surroundings>,
    /// The target block that is open and a task, by the position of its data.
    pub task: Option<usize>,
    /// The host code of the target block needs the value that the next region computes.
    pub needs_result: bool,
    /// How much had been reported when the directive was read that is looked at.
    pub heard: usize,
    /// A directive that data or blocks stand under is wrong.
    pub wrong: bool,
    /// Variables that are declared without a value, and those of them that are private to a loop.
    pub unset: Vec<syn::Local>,
    pub moved: BTreeSet<String>,
}

impl Search<'_> {
    /// The short form: the directive goes to the only outermost `for`.
    fn short(&mut self, body: &mut Block, directive: Directive) {
        let mut outermost = Outermost { wanted: None, count: 0 };
        outermost.visit_block_mut(body);
        if outermost.count != 1 {
            let has = match outermost.count {
                0 => "no loop".to_owned(),
                n => format!("{n} outermost loops"),
            };
            self.sink
                .error(
                    Code::ShortForm,
                    directive.span,
                    format!(
                        "`{}` on a function that has {has}: it needs exactly one outermost `for`",
                        directive.name
                    ),
                )
                .help("put `#[omp::offload]` on the function and the directive on the loop that it is for");
            return;
        }
        let mut pick = Outermost { wanted: Some((self, directive)), count: 0 };
        pick.visit_block_mut(body);
    }

    /// A directive on an expression; whether what is inside is searched already.
    fn directed(&mut self, attrs: &[Attribute], e: &mut Expr) -> bool {
        self.heard = self.sink.len();
        let mut found: Vec<Directive> = attrs.iter().filter_map(|a| directive::parse(a, self.sink)).collect();
        if let [first, second, ..] = &found[..] {
            self.sink
                .error(
                    Code::Contradiction,
                    second.span,
                    format!("`{}` and `{}` on one statement", first.name, second.name),
                )
                .help("leave one directive on it");
        }
        if found.is_empty() {
            // The error is reported; the loop stays serial, and its body is checked all the same.
            return false;
        }
        let directive = found.swap_remove(0);
        let searched = match directive.kind {
            DirectiveKind::TargetData | DirectiveKind::TaskGroup => true,
            DirectiveKind::Target => matches!(e, Expr::Block(_)) || directive.mode != Mode::Parallel,
            _ => false,
        };
        self.one(directive, e);
        searched
    }

    pub fn one(&mut self, mut directive: Directive, e: &mut Expr) {
        self.wrong |= !matches!(e, Expr::ForLoop(_)) && self.sink.len() > self.heard;
        if let Some(wait) = self.waits_first(&mut directive) {
            self.one(directive, e);
            openacc::after(wait, e);
            return;
        }
        match (directive.kind, &mut *e) {
            (DirectiveKind::Target, Expr::ForLoop(_)) if directive.mode != Mode::Parallel => {
                self.in_mode(directive, e);
            }
            (DirectiveKind::ParallelFor, _) if directive.spelling == Spelling::OpenAcc => {
                self.sink
                    .error(Code::Misplaced, directive.span, "`loop_` outside of a compute construct")
                    .help("write `#[acc::parallel_loop(…)]` on a loop of its own, or put it into a block with `#[acc::parallel]`");
            }
            (
                DirectiveKind::Target
                | DirectiveKind::ParallelFor
                | DirectiveKind::Simd
                | DirectiveKind::Scan,
                Expr::ForLoop(f),
            ) => {
                let task = directive.clauses.nowait.is_some() || self.task.is_some();
                let own = reference_items::take(f, &mut directive, task, self.sink);
                if let Some(region) = self.region(f, directive) {
                    self.found.wrong.push(self.wrong || self.sink.len() > self.heard);
                    self.found.regions.push(region.into());
                    *e = placeholder(self.found.regions.len() - 1);
                }
                reference_items::wrap(&own, e);
            }
            (DirectiveKind::Target, Expr::Block(b)) => {
                self.methods.inline_block(&mut b.block, &self.variables, self.context, self.sink);
                self.block(directive, e);
            }
            (
                DirectiveKind::Target
                | DirectiveKind::ParallelFor
                | DirectiveKind::Simd
                | DirectiveKind::Scan,
                other,
            ) => nesting::not_a_loop(&directive.name, directive.span, other, self.sink),
            (DirectiveKind::TargetData, _) => self.data_region(directive, e),
            (DirectiveKind::TaskGroup, _) => self.group(&directive, e),
            (DirectiveKind::Atomic, _) => {
                self.sink
                    .error(Code::Misplaced, directive.span, "`atomic` outside of a parallel loop")
                    .help("it has a meaning in the body of a loop under `target` or `parallel_for`");
            }
            // Macros, which have no statement: the parser has said so.
            (
                DirectiveKind::TargetEnterData
                | DirectiveKind::TargetExitData
                | DirectiveKind::TargetUpdate
                | DirectiveKind::Taskwait
                | DirectiveKind::Devices,
                _,
            ) => {}
        }
    }

    /// The region of a directive on a `for`, which becomes the serial loop.
    pub(super) fn region(&mut self, f: &mut ExprForLoop, mut directive: Directive) -> Option<Region> {
        let reductions = &directive.clauses.reductions;
        if reductions.iter().any(|r| r.inscan) && !phases::take(&mut f.body, reductions, self.sink) {
            return None;
        }
        nesting::without_collapse_of_scan(f, &mut directive);
        declared_outside::move_inside(f, &mut directive, &self.unset, &mut self.moved);
        let mut written = f.clone();
        attributes::Strip.visit_expr_for_loop_mut(&mut written);
        let task = directive.clauses.nowait.is_some() || self.task.is_some();
        let inlined =
            self.methods.inline_loop(f, &mut directive, &self.variables, self.context, task, self.sink);
        let (methods, variables, context) = (self.methods, &self.variables, self.context);
        let known = |name: &str| self.ndarrays.dims(name, &self.bound);
        let dims = |e: &Expr| methods.dims_of(e, variables, &known);
        let is_outside = |name: &str| self.bound.iter().chain(&context.typed).any(|other| other == name);
        let mut closures = self.closures_here();
        let outside = (context, &dims as _, &is_outside as _);
        let (mut owners, mut names) =
            iterate::subscripts((f, &mut closures), &mut directive, outside, task, self.sink);
        let is_inlined = inlined.is_some();
        let (parts, values) = inlined.unwrap_or_default();
        owners.extend(parts);
        names.extend(values);
        let own = context.owns_self.then(|| own_self::by_name(f)).flatten();
        if let Some((name, reference)) = &own {
            owners.push(reference.clone());
            names.push(name.to_string());
        }
        rows::guard(f, &directive);
        let mut serial = f.clone();
        attributes::Strip.visit_expr_for_loop_mut(&mut serial);
        super::found::References.visit_expr_for_loop_mut(&mut serial);
        let mut region = self.marked(f, directive, closures, &serial);
        if let Some(region) = region.as_mut().filter(|_| !owners.is_empty() || is_inlined) {
            region.parts = owners;
            region.context.names.extend(names);
            region.context.references.extend(own.map(|(name, _)| name.to_string()));
            region.written = Some(written.clone());
        }
        *f = written;
        if region.is_none() && loop_nest::never_runs(&f.expr) {
            // It is reported: rustc need not say it again.
            *f = syn::parse_quote!(for _ in 0..0 {});
        }
        region
    }

    /// The region of a loop whose directives inside become marks.
    fn marked(
        &mut self,
        f: &mut ExprForLoop,
        directive: Directive,
        closures: Vec<Outer>,
        serial: &ExprForLoop,
    ) -> Option<Region> {
        let directives = nesting::inside_region(f, &directive.name, self.sink);
        let mut context = Context { closures, ..self.context.clone() };
        self.iterated_here(&mut context.whole);
        let iterate::Nest { counted, prelude, iterated, copied } =
            iterate::under(f, &directive, &context, self.sink);
        // Its head and its body have the same items.
        let mut serial = serial.clone();
        iterate::zips_in_head(&mut serial);
        let inner = Rc::new(nesting::inner_loops(&counted, directives, self.sink)?);
        let (loops, body) = canonical_loop::nest(&counted, &directive, self.sink)?;
        let held = self.held();
        let own = directive.clauses.nowait.as_ref().map(|_| Task::Own);
        let around = Around {
            scopes: self.scopes.clone(),
            held,
            block: self.block.as_ref().map(Surroundings::number),
            task: self.task.map(|n| if self.needs_result { Task::Block(n) } else { Task::Own }).or(own),
        };
        Some(Region {
            directive,
            around,
            context,
            loops,
            body,
            serial,
            parts: vec![],
            written: None,
            prelude,
            iterated,
            copied,
            inner,
            macros: vec![],
        })
    }

    /// How variables are iterated that a `let` seen here binds, whatever else in the function has the name.
    fn iterated_here(&self, whole: &mut Vec<(String, iterate::IteratedBy)>) {
        for (at, name, kind) in &self.iterated {
            if self.bound.iter().rposition(|bound| bound == name) == Some(*at) {
                whole.retain(|(other, _)| other != name);
                whole.push((name.clone(), *kind));
            }
        }
    }

    /// The closures whose names are seen here.
    fn closures_here(&self) -> Vec<Outer> {
        let seen = self.closures.iter().filter(|(at, name, _)| {
            self.bound.get(*at).is_some_and(|bound| name == bound)
                && !self.bound[at + 1..].iter().any(|later| name == later)
        });
        let outer = |(at, name, closure): &(usize, Ident, ExprClosure)| {
            let names = iterate::captures(closure);
            let captured = |of: &[String]| names.iter().find(|name| of.contains(name)).cloned();
            let hidden = captured(&self.bound[at + 1..]).map(Lost::Hidden);
            let copied = || captured(&self.context.mutable).map(Lost::Copied);
            let lost = hidden.or_else(|| closure.capture.and_then(|_| copied()));
            Outer { name: name.clone(), closure: closure.clone(), lost }
        };
        seen.map(outer).collect()
    }

    /// Takes the directives off a `let`, and reports them.
    pub fn directives_on_let(&mut self, l: &mut syn::Local) {
        for attr in attributes::take_from(&mut l.attrs) {
            if let Some(found) = directive::parse(&attr, self.sink) {
                nesting::on_let(&found.name, found.kind, found.span, self.sink);
            }
        }
    }

    pub fn data(&mut self, directive: Directive) -> usize {
        let (context, scopes) = (self.context.clone(), self.scopes.clone());
        self.found.data.push(Data {
            directive,
            context,
            scopes,
            written: vec![],
            guards: None,
            viewed: vec![],
            depends: TokenStream::new(),
            held: vec![],
            memory: vec![],
        });
        self.found.data.len() - 1
    }

    /// A data region on a statement.
    fn data_region(&mut self, directive: Directive, e: &mut Expr) {
        if !self.lasts(&directive, "data region", e) {
            return;
        }
        let pointers = !directive.clauses.use_device_ptr.is_empty();
        let n = self.data(directive);
        self.found.data[n].written = written(e, &self.context.names);
        self.open(n);
        visit_mut::visit_expr_mut(self, e);
        self.close();
        exits::wrap(n, pointers, e);
    }

    /// Whether a directive of this kind stands on a statement that lasts. If not, reports it.
    fn lasts(&mut self, directive: &Directive, what: &str, e: &mut Expr) -> bool {
        let lasts = matches!(e, Expr::Block(_) | Expr::ForLoop(_) | Expr::While(_) | Expr::Loop(_));
        if !lasts {
            self.sink
                .error(Code::Misplaced, directive.span, format!("`{}` on this statement", directive.name))
                .help(format!("a {what} lasts as long as a block, `for`, `while` or `loop`: put it on one"));
            visit_mut::visit_expr_mut(self, e);
        }
        lasts
    }

    /// Goes into a data region.
    pub fn open(&mut self, n: usize) {
        self.scopes.push(n);
        self.bound_outside.push(self.bound.len());
    }

    /// Comes out of it.
    pub fn close(&mut self) {
        self.scopes.pop();
        self.bound_outside.pop();
    }

    /// The keys of the arrays that open data regions map, if the names still mean them.
    fn held(&self) -> Vec<String> {
        let regions = self.scopes.iter().zip(&self.bound_outside);
        let items = regions.flat_map(|(n, outside)| {
            let items = self.found.data[*n].directive.clauses.maps.iter().flat_map(|m| &m.items);
            items.map(|item| item.key.clone()).filter(|key| !hides(&self.bound[*outside..], key))
        });
        items.collect()
    }

    /// A group of tasks on a statement.
    fn group(&mut self, directive: &Directive, e: &mut Expr) {
        if !self.lasts(directive, "group", e) {
            return;
        }
        let (context, scopes) = (self.context.clone(), self.scopes.clone());
        self.found.groups.push(TaskGroup { span: directive.span, context, scopes });
        let n = self.found.groups.len() - 1;
        visit_mut::visit_expr_mut(self, e);
        exits::wrap_group(n, e);
    }

    /// A stand-alone directive.
    fn standalone(&mut self, mac: &syn::Macro) -> Expr {
        match standalone::parse(mac, self.sink) {
            Some(directive) if directive.kind == DirectiveKind::Taskwait => {
                let (context, scopes) = (self.context.clone(), self.scopes.clone());
                self.found.waits.push(Wait { directive, context, scopes });
                exits::wait(self.found.waits.len() - 1)
            }
            Some(directive) if directive.kind == DirectiveKind::Devices => {
                Expr::Verbatim(openacc::devices_call(&directive.name, &directive.clauses))
            }
            Some(mut directive) => {
                let wait = self.waits_first(&mut directive);
                let mut e = exits::start(self.data(directive));
                if let Some(wait) = wait {
                    openacc::after(wait, &mut e);
                }
                e
            }
            None => syn::parse_quote!(()),
        }
    }
}

/// Whether one of these names hides a place.
pub(super) fn hides(bound: &[String], key: &str) -> bool {
    bound.iter().any(|name| place::covers(name, key))
}

impl Scopes for Search<'_> {
    fn hidden(&mut self) -> &mut Vec<String> {
        &mut self.bound
    }

    fn leave(&mut self, before: usize) {
        self.bound.truncate(before);
        self.closures.retain(|(at, ..)| *at < before);
        self.iterated.retain(|(at, ..)| *at < before);
        self.ndarrays.leave(before);
    }
}

impl VisitMut for Search<'_> {
    scope::visits!();

    fn visit_stmt_mut(&mut self, stmt: &mut Stmt) {
        match stmt {
            Stmt::Macro(m) if standalone::name_of(&m.mac).is_some() => {
                let part = self.standalone(&m.mac);
                *stmt = Stmt::Expr(part, Some(m.semi_token.unwrap_or_default()));
            }
            _ => visit_mut::visit_stmt_mut(self, stmt),
        }
    }

    fn visit_expr_closure_mut(&mut self, c: &mut ExprClosure) {
        let before = self.bound.len();
        self.bound.extend(c.inputs.iter().flat_map(names::bound));
        visit_mut::visit_expr_closure_mut(self, c);
        self.bound.truncate(before);
    }

    fn visit_local_mut(&mut self, l: &mut syn::Local) {
        self.directives_on_let(l);
        visit_mut::visit_local_mut(self, l);
        self.ndarrays.visit_local(l, &self.bound);
        let here = self.bound.len();
        if let (syn::Pat::Tuple(t), Some(init)) = (&l.pat, &l.init)
            && let Expr::Tuple(values) = &*init.expr
            && t.elems.len() == values.elems.len()
        {
            for (pat, value) in t.elems.iter().zip(&values.elems) {
                if let (syn::Pat::Ident(name), Expr::Closure(c)) = (pat, value) {
                    self.closures.push((here, name.ident.clone(), c.clone()));
                }
            }
        }
        if let (syn::Pat::Ident(name), Some(init)) = (&l.pat, &l.init) {
            if let Expr::Closure(c) = &*init.expr {
                self.closures.push((here, name.ident.clone(), c.clone()));
            }
            let kind = iterate::of_value(&init.expr).and_then(|kind| iterate::of_binding(name, kind));
            self.iterated.extend(kind.map(|kind| (here, name.ident.to_string(), kind)));
        }
    }

    fn visit_expr_mut(&mut self, e: &mut Expr) {
        if let Expr::Macro(m) = e
            && standalone::name_of(&m.mac).is_some()
        {
            *e = self.standalone(&m.mac);
            return;
        }
        let attrs = attributes::take(e);
        if attrs.is_empty() || !self.directed(&attrs, e) {
            visit_mut::visit_expr_mut(self, e);
        }
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}

/// The outside variables that a statement writes.
fn written(e: &Expr, names: &[String]) -> Vec<String> {
    let block: Block = syn::parse_quote!({ #e });
    let uses = uses::of_block(&block, names.to_vec());
    uses.into_iter().filter(uses::Use::writes).map(|u| u.key).collect()
}

/// Counts the outermost loops, or gives the directive to the first.
struct Outermost<'s, 'a> {
    wanted: Option<(&'s mut Search<'a>, Directive)>,
    count: usize,
}

impl VisitMut for Outermost<'_, '_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        if matches!(e, Expr::ForLoop(_)) {
            self.count += 1;
            if let Some((search, directive)) = self.wanted.take() {
                if let Some(second) = attributes::take_own(e).first() {
                    let message = format!("`{}` on the function and a directive on its loop", directive.name);
                    search.sink.error_at(Code::Contradiction, second, message).help("leave one of them");
                }
                search.one(directive, e);
            }
            return;
        }
        visit_mut::visit_expr_mut(self, e);
    }

    fn visit_expr_closure_mut(&mut self, _: &mut ExprClosure) {}

    fn visit_item_mut(&mut self, _: &mut Item) {}
}
