//! The phases of a function with directives, and the barriers between them.
//!
//! [`regions::find`] takes the regions and the other directives out of the body, and leaves placeholders. Each region goes through the
//! phases: rules on clauses, rules on bodies, lowering, races. A region in which one phase reports an error does not reach the next phase, so
//! no error is the echo of another; the regions next to it go on. Code is generated if nothing was reported for the whole function. Otherwise
//! the placeholders get the serial loops back, and the errors come with them.
use super::context::Scope;
use super::context::helpers::Helpers;
use super::hidden_parameters::HiddenParameters;
use super::item::offloaded::nested;
use super::regions::{Parts, Short};
use super::{context, data_region, device_bounds, item, openacc, regions, tasks};
use crate::ast::DirectiveKind;
use crate::diag::{Code, Sink};
use crate::parse::imports;
use crate::sema::CheckedRegion;
use crate::sema::syntax::jumps;
use crate::{glue, lower, sema};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::visit_mut::VisitMut;
use syn::{Block, Expr, Item, ReturnType, Signature, Stmt};

/// Offloads one function: replaces its annotated loops.
pub(super) fn function(
    sig: &mut Signature,
    body: &mut Block,
    scope: &Scope,
    direct: bool,
    short: Option<Short>,
    sink: &mut Sink,
) {
    let inner = Scope { try_: scope.try_, ..Scope::default() };
    let helpers = scope.helpers.in_function(body);
    let labels = jumps::labels(body);
    imports::spell_out(body, &|of| scope.methods.variants(of));
    InnerItems { scope: &inner }.visit_block_mut(body);
    let hidden = HiddenParameters::rename(sig, body);
    let mut context = context::of(sig, body, scope);
    context.method &= direct;
    if scope.try_ && direct {
        context.try_ |= returns_a_result(sig, sink);
    }
    let used = openacc::uses_module(body);
    let variables = scope.methods.of_variables(sig, body);
    for name in scope.methods.slices_in_fields(sig, body, &variables) {
        context.whole.retain(|(other, _)| *other != name);
        context.whole.push((name.clone(), crate::iterate::IteratedBy::Shared));
        context.array_names.push(name);
    }
    tasks::tail::waits(body);
    let mut found = regions::find((sig, body), &context, short, (&scope.methods, variables), sink);
    for region in &mut found.regions {
        lower::desugar(region);
        region.labels.clone_from(&labels);
    }
    // Regions are independent: each goes through the phases until one reports an error.
    each(&mut found, sink, sema::scan::prepare);
    let heard = sink.len();
    refuse_kind(sig, found.is_empty(), sink);
    let has_tasks = tasks::any(&found);
    // (An `async fn` is refused as a whole.)
    if has_tasks && sig.asyncness.is_none() {
        item::attributes_below::check(body, sink);
    }
    data_region::shadowed::check(body, &found, sink);
    if !sink.has_errors() {
        for data in &mut found.data {
            sema::data(data, sink);
        }
        for wait in &found.waits {
            sema::wait(wait, sink);
        }
    }
    if sink.len() > heard {
        found.wrong.fill(true);
    }
    each(&mut found, sink, sema::clauses);
    each(&mut found, sink, sema::body);
    let wrong = found.wrong.clone();
    each(&mut found, sink, |region, sink| {
        sema::clauses::immutable::check(sig, body, region, sink);
        sema::accesses::host_types::check(sig, body, region, sink);
        sema::accesses::iterated_numbers::in_region(sig, body, &region.serial, sink);
    });
    let mut lowered = lower_all(&mut found, &helpers, sink);
    let others = readers(&found, &mut lowered);
    for (n, region) in found.regions.iter().enumerate().filter(|(n, _)| !wrong[*n]) {
        let heard = sink.len();
        let name = regions::placeholder_name(n);
        let owners = sema::accesses::live_after::check(sig, body, &name, region, &others, sink);
        if let Some(lowered) = &mut lowered[n] {
            lowered.owners = owners;
        }
        found.wrong[n] |= sink.len() > heard;
    }
    let lowered = without_races(&found, lowered, &helpers, sink);
    let mut env = tasks::Env::default();
    let mut questions = context::std_macros::Questions::of(body);
    if sink.is_empty() && has_tasks {
        if context.try_ {
            data_region::exits::of_function(body);
        }
        let before = body.clone();
        env = tasks::plan(sig, body, &found, &lowered, &mut questions, sink);
        if !sink.is_empty() {
            *body = before;
        }
    }
    if sink.is_empty() {
        let before = body.clone();
        check_macros(body, &found, &mut questions, sink);
        if !sink.is_empty() {
            *body = before;
        }
    }
    let mut parts = Parts::default();
    if sink.is_empty() {
        parts = generated(sig, &mut found, &lowered, &env);
    }
    if parts.regions.len() != found.regions.len() || !sink.is_empty() {
        parts = refused(sig, &found);
    }
    let right = sink.is_empty();
    let needs = found.regions.iter().map(|r| &r.body).zip(&lowered).filter(|_| right);
    let needs = device_bounds::Needs::of((sig, body), needs, (scope, direct));
    regions::put_back(body, parts);
    let warnings = found.in_order.iter().filter(|_| right).map(openacc::InOrder::warning);
    let left = sink.left_to_rustc();
    let left = (!left.is_empty()).then_some(left);
    let statements = warnings.chain(left).map(|tokens| Stmt::Expr(Expr::Verbatim(tokens), None));
    let statements: Vec<Stmt> = statements.collect();
    body.stmts.splice(0..0, used.into_iter().chain(statements));
    if has_tasks && right {
        tasks::wrap(sig, body, context.try_);
        tasks::show_names(body, &env);
    }
    if let Some(needs) = needs {
        needs.add_to(sig);
    }
    hidden.restore(sig, body);
}

/// Whether a function under `offload(try)` returns a type that can be a `Result`, by any name; reports other types.
fn returns_a_result(sig: &Signature, sink: &mut Sink) -> bool {
    const HELP: &str = "let it return `Result<_, E>` with `E: From<omp::Error>`, or write `#[omp::offload]`";
    match &sig.output {
        ReturnType::Type(_, ty) if never_a_result(ty) => {
            let message = "`offload(try)` on a function that returns no `Result`";
            sink.error_at(Code::OffloadItem, ty, message).help(HELP);
            false
        }
        ReturnType::Type(..) => true,
        ReturnType::Default => {
            let message = "`offload(try)` on a function that returns nothing";
            sink.error_at(Code::OffloadItem, &sig.ident, message).help(HELP);
            false
        }
    }
}

/// The code for the directives of a function, if nothing was reported for it.
fn generated(
    sig: &Signature,
    found: &mut regions::Directives,
    lowered: &[lower::Lowered],
    env: &tasks::Env,
) -> Parts {
    let mut parts = Parts::default();
    for (n, data) in found.data.iter_mut().enumerate() {
        glue::task::task_data::guarded(data, env.data(n));
        glue::task::task_block::remember_memory(n, data, &found.regions, lowered);
    }
    for (n, (region, lowered)) in found.regions.iter().zip(lowered).enumerate() {
        parts.regions.push(glue::region::expand(region, lowered, &found.data, env.region(n)));
    }
    for (n, wait) in found.waits.iter().enumerate() {
        parts.waits.push(glue::task::wait(wait, env.wait(n), &found.data));
    }
    for (n, group) in found.groups.iter().enumerate() {
        let (start, leave) = glue::task::group(n, group, &found.data);
        parts.groups.push(start);
        parts.ungroups.push(leave);
    }
    parts.finishes.push(glue::task::finish(sig.ident.span()));
    for (n, data) in found.data.iter().enumerate() {
        parts.data.push(glue::data::start(n, data, &found.data));
        parts.leaves.push(glue::data::leave(n, data, &found.data));
        parts.views.push(glue::data::views(n, data, &found.data));
    }
    parts
}

/// The serial loops of a function with errors.
fn refused(sig: &Signature, found: &regions::Directives) -> Parts {
    let nothing = || found.data.iter().map(|_| quote!(())).collect();
    let no = |n: usize| std::iter::repeat_n(quote!(()), n).collect();
    Parts {
        regions: found
            .regions
            .iter()
            .map(|r| r.written.as_ref().unwrap_or(&r.serial).clone())
            .map(|refused| glue::device_fn::refused_loop(sig, refused).to_token_stream())
            .collect(),
        data: nothing(),
        leaves: nothing(),
        views: nothing(),
        waits: no(found.waits.len()),
        groups: no(found.groups.len()),
        ungroups: no(found.groups.len()),
        finishes: no(1),
    }
}

/// Items in a body: functions of their own, with the same directives.
struct InnerItems<'a> {
    scope: &'a Scope,
}

impl VisitMut for InnerItems<'_> {
    fn visit_item_mut(&mut self, item: &mut Item) {
        if matches!(item, Item::Fn(_) | Item::Impl(_) | Item::Mod(_)) {
            let whole = std::mem::replace(item, Item::Verbatim(TokenStream::new()));
            let mut sink = Sink::new();
            let expanded = nested(whole, self.scope, &mut sink);
            let errors = sink.into_tokens();
            *item = Item::Verbatim(quote!(#expanded #errors));
        }
    }
}

/// Whether a type is none that an alias of `Result` could name.
fn never_a_result(ty: &syn::Type) -> bool {
    const OTHERS: &[&str] = &[
        "Option", "Vec", "Box", "String", "Self", "bool", "usize", "u32", "u64", "i32", "i64", "f32", "f64",
    ];
    match ty {
        syn::Type::Path(p) => p.path.segments.last().is_some_and(|s| OTHERS.iter().any(|o| s.ident == o)),
        ty => matches!(ty, syn::Type::Tuple(_) | syn::Type::Array(_) | syn::Type::Reference(_)),
    }
}

/// Functions that cannot hold regions.
fn refuse_kind(sig: &Signature, no_regions: bool, sink: &mut Sink) {
    if no_regions {
        return;
    }
    if let Some(token) = &sig.asyncness {
        sink.error(Code::OffloadItem, token.span, "a directive in an `async fn`")
            .help("put the region in a function of its own and call that");
    }
    if let Some(token) = &sig.constness {
        sink.error(Code::OffloadItem, token.span, "a directive in a `const fn`").help("remove `const`");
    }
}

/// Does something with each region that is right so far.
fn each(
    found: &mut regions::Directives,
    sink: &mut Sink,
    mut check: impl FnMut(&mut CheckedRegion, &mut Sink),
) {
    for (region, wrong) in found.regions.iter_mut().zip(&mut found.wrong).filter(|(_, wrong)| !**wrong) {
        let heard = sink.len();
        check(region, sink);
        *wrong = sink.len() > heard;
    }
}

/// Lowers the regions of a function that are right.
fn lower_all(
    found: &mut regions::Directives,
    helpers: &Helpers,
    sink: &mut Sink,
) -> Vec<Option<lower::Lowered>> {
    let reads = readers_of_lost(found);
    let regions = found.regions.iter_mut().zip(&found.wrong).zip(reads);
    regions
        .map(|((r, wrong), reads)| {
            if *wrong {
                return None;
            }
            let mut checked = r.clone();
            let lowered = lower::lower_region(r, reads, sink).ok()?;
            let arrays = sema::checked_while_running(r, &lowered, &helpers.called_by(&lowered.typing));
            if arrays.is_empty() {
                return Some(lowered);
            }
            checked.directive.clauses.disjoint.extend(arrays);
            let mut own = Sink::new();
            let again = lower::lower_region(&mut checked, reads, &mut own).ok();
            match again.filter(|_| own.is_empty()) {
                Some(again) => {
                    *r = checked;
                    Some(again)
                }
                // The race is reported.
                None => {
                    own.forget();
                    Some(lowered)
                }
            }
        })
        .collect()
}

/// Looks for races. Without errors, there is one result for each region.
fn without_races(
    found: &regions::Directives,
    lowered: Vec<Option<lower::Lowered>>,
    helpers: &Helpers,
    sink: &mut Sink,
) -> Vec<lower::Lowered> {
    for (region, (lowered, wrong)) in found.regions.iter().zip(lowered.iter().zip(&found.wrong)) {
        if let (Some(l), false) = (lowered, wrong) {
            sema::report_races(region, l, &helpers.called_by(&l.typing), sink);
        }
    }
    lowered.into_iter().flatten().collect()
}

/// By region: it uses a variable of which another region loses copies.
fn readers_of_lost(found: &regions::Directives) -> Vec<bool> {
    let regions = || found.regions.iter().enumerate();
    let reads = |(n, region)| {
        let others = regions().filter(|(other, _)| *other != n);
        let keys: Vec<String> =
            others.flat_map(|(_, r)| r.lost.iter().map(sema::syntax::place::item_key)).collect();
        !keys.is_empty() && sema::accesses::live_after::uses_any(region, &keys)
    };
    regions().map(reads).collect()
}

/// The regions and data directives that may read copies that are gone, if there are such copies.
fn readers(
    found: &regions::Directives,
    lowered: &mut [Option<lower::Lowered>],
) -> Vec<sema::accesses::live_after::Reader> {
    if found.regions.iter().all(|r| r.lost.is_empty()) {
        return Vec::new();
    }
    let regions = found.regions.iter().zip(lowered).enumerate().map(|(n, (r, lowered))| {
        sema::accesses::live_after::Reader::region(regions::placeholder_name(n), r, lowered.as_mut())
    });
    let data = found
        .data
        .iter()
        .enumerate()
        .map(|(n, d)| sema::accesses::live_after::Reader::data(format!("__omp_data_{n}"), d));
    regions.chain(data).collect()
}

/// Checks that macros with names of std's are std's, where the expansion relies on that: exits in their arguments, what they may read
/// and where they may jump after a region with copies, and what they do in a target block.
fn check_macros(
    body: &mut Block,
    found: &regions::Directives,
    questions: &mut context::std_macros::Questions,
    sink: &mut Sink,
) {
    let lost = found.regions.iter().any(|r| !r.lost.is_empty());
    let blocks = found.data.iter().filter(|d| d.directive.kind == DirectiveKind::Target);
    let mapped = blocks.flat_map(|d| d.directive.clauses.maps.iter().flat_map(|m| &m.items));
    let mapped: Vec<String> = mapped.filter_map(|i| Some(sema::syntax::place::of(&i.place)?.base)).collect();
    let matters = |name: &str| name.starts_with("__omp_") || mapped.iter().any(|m| m == name);
    questions.block(body, &|m| lost || context::std_macros::mentions(m, &matters), sink);
}
