//! OpenACC's own constructs: loops that run in order on the device (`serial`), loops that run in parallel only if that
//! is proved (`kernels`), `wait` clauses, and directives of items and devices.
//!
//! All other directives of OpenACC are OpenMP's under other names: see `parse/directive.rs` and `parse/clause/table.rs`.
use super::Methods;
use super::data_region::exits;
use super::reference_items;
use super::regions::Search;
use super::rules;
use crate::ast::{Clauses, Directive, DirectiveKind, Evaluated, Level, Mode, Number, Spelling, Wait};
use crate::diag::{Code, Sink};
use crate::parse::clause::{self, ClauseSet};
use crate::parse::tokens::source::first_word;
use crate::parse::{attributes, directive, missing, split_commas};
use crate::sema::CheckedRegion;
use crate::sema::syntax::uses;
use crate::sema::syntax::uses::Use;
use crate::visits::{self, Node};
use crate::{glue, lower, sema};
use omp_ir::analysis::race::Functions;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, ExprForLoop, Item, Stmt};

/// A loop that was to run in parallel if that can be proved, and runs in order.
pub struct InOrder {
    /// The span of the loop's directive, or of its `for`.
    span: Span,
    why: String,
}

/// Whether an error only keeps a loop from running in parallel.
fn is_dependence(code: Code) -> bool {
    matches!(
        code,
        Code::NotCanonical
            | Code::BoundChanged
            | Code::LeavesLoop
            | Code::StalePrivate
            | Code::ScalarRace
            | Code::ArrayRace
            | Code::ArrayRaceUnknown
    )
}

impl Search<'_> {
    /// A compute directive on a loop whose mode is not known to be parallel.
    pub(super) fn in_mode(&mut self, mut directive: Directive, e: &mut Expr) {
        let Expr::ForLoop(f) = &*e else { return };
        if directive.mode == Mode::Proved {
            match self.dependence(f, &directive) {
                None => {
                    let otherwise = self.otherwise(&directive, e);
                    directive.mode = Mode::Parallel;
                    directive.clauses.yields = otherwise.is_some();
                    self.one(directive, e);
                    return or_in_order(e, otherwise);
                }
                Some(why) => self.found.in_order.push(InOrder { span: directive.span, why }),
            }
        }
        let clauses = &mut directive.clauses;
        of_no_loop(clauses);
        attributes::Strip.visit_expr_mut(e);
        directive.mode = Mode::Serial;
        exits::after(Vec::new(), e);
        self.one(directive, e);
    }

    /// The same loop in order, in case the launch finds that iterations conflict; `None` if the launch has nothing to decide.
    fn otherwise(&mut self, directive: &Directive, e: &Expr) -> Option<Expr> {
        let decides = |u: &Use| u.element && u.writes() && !u.is_atomic();
        let block: Block = syn::parse_quote!({ #e });
        if !uses::of_block(&block, self.context.names.clone()).iter().any(decides) {
            return None;
        }
        let (mut directive, mut e) = (directive.clone(), e.clone());
        let clauses = &mut directive.clauses;
        // A task's values are given back by guards: this one runs at once, after the work in its queue.
        if clauses.nowait.take().is_some() {
            let waited = clauses.number(Number::Waits).map(|waits| waits.values.clone());
            let mut queues: Vec<Expr> = waited.clone().into_iter().flatten().collect();
            queues.extend(clauses.number(Number::Queue).into_iter().flat_map(|queue| queue.values.clone()));
            let all = waited.is_some_and(|waited| waited.is_empty())
                || clauses.number(Number::Queue).is_some_and(|queue| queue.values.is_empty());
            clauses.evaluated.retain(|e| !matches!(e.what, Number::Queue | Number::Waits));
            let values = if all { Vec::new() } else { queues };
            let span = directive.span;
            clauses.evaluated.push(Evaluated { what: Number::Waits, name: "wait", values, span });
        }
        directive.mode = Mode::Serial;
        self.one(directive, &mut e);
        Some(e)
    }

    /// The dependence that keeps a loop's iterations from running at the same time, if macro time can decide that.
    pub(super) fn dependence(&mut self, f: &ExprForLoop, directive: &Directive) -> Option<String> {
        let (mut f, mut directive) = (f.clone(), directive.clone());
        directive.mode = Mode::Parallel;
        let heard = self.sink.len();
        let task = directive.clauses.nowait.is_some() || self.task.is_some();
        reference_items::take(&mut f, &mut directive, task, self.sink);
        if let Some(region) = self.region(&mut f, directive) {
            judge(&mut region.into(), heard, self.sink);
        }
        let reported = self.sink.take_since(heard);
        let found = reported.iter().find(|d| is_dependence(d.code()))?;
        let (message, notes) = found.found();
        Some(std::iter::once(message).chain(notes.iter().map(String::as_str)).collect::<Vec<_>>().join("; "))
    }

    /// The waiting clause of a directive that is no task: a wait before it.
    pub(super) fn waits_first(&mut self, directive: &mut Directive) -> Option<Expr> {
        let clauses = &mut directive.clauses;
        let at = clauses.evaluated.iter().position(|e| e.what == Number::Waits)?;
        if directive.kind == DirectiveKind::Taskwait || clauses.nowait.is_some() {
            return None;
        }
        let waits = clauses.evaluated.remove(at);
        let wait = Directive {
            kind: DirectiveKind::Taskwait,
            spelling: Spelling::OpenAcc,
            mode: Mode::Parallel,
            name: "wait".to_owned(),
            span: waits.span,
            clauses: Clauses { evaluated: vec![waits], ..Clauses::default() },
        };
        let (context, scopes) = (self.context.clone(), self.scopes.clone());
        self.found.waits.push(Wait { directive: wait, context, scopes });
        Some(exits::wait(self.found.waits.len() - 1))
    }
}

/// Appends the loop in order, for the case that the launch has left the region undone.
pub(super) fn or_in_order(e: &mut Expr, otherwise: Option<Expr>) {
    let Some(otherwise) = otherwise else { return };
    let region = exits::taken(e);
    let mut branch: syn::ExprIf = syn::parse_quote!(if ::omp::__private::they_met() {});
    branch.then_branch.stmts.push(Stmt::Expr(otherwise, None));
    *e = exits::block(vec![
        Stmt::Expr(region, Some(syn::token::Semi::default())),
        Stmt::Expr(Expr::If(branch), None),
    ]);
}

/// Goes on with a region as far as it is right.
fn judge(region: &mut CheckedRegion, heard: usize, sink: &mut Sink) {
    lower::desugar(region);
    for phase in [sema::scan::prepare, sema::clauses, sema::body] {
        if sink.len() > heard {
            return;
        }
        phase(region, sink);
    }
    if sink.len() > heard {
        return;
    }
    if let Ok(lowered) = lower::lower_region(region, false, sink) {
        // Dependences through device functions are left to the launch.
        sema::report_races(region, &lowered, &Functions::default(), sink);
    }
}

/// Puts `wait` before a statement.
pub fn after(wait: Expr, e: &mut Expr) {
    exits::after(vec![Stmt::Expr(wait, Some(syn::token::Semi::default()))], e);
}

/// Leaves out what speaks of a parallel loop.
fn of_no_loop(clauses: &mut Clauses) {
    clauses.reductions.clear();
    clauses.private.clear();
    clauses.firstprivate.clear();
    clauses.collapse = None;
    clauses.levels.clear();
    clauses.disjoint.clear();
    clauses.trust_disjoint.clear();
    clauses.unchecked.clear();
    clauses.unchecked_all = None;
    clauses.evaluated.retain(|e| {
        matches!(e.what, Number::If | Number::OnHost | Number::Device | Number::Queue | Number::Waits)
    });
    clauses.given.clear();
}

/// Removes the directives that have no meaning in a block with a mode of its own: under `serial` those of all loops, else those of loops
/// that are to run in order.
pub(super) fn prepare_block(directive: &mut Directive, block: &mut Block, sink: &mut Sink) {
    if directive.spelling == Spelling::OpenMp {
        return;
    }
    match directive.mode {
        Mode::Serial => {
            of_no_loop(&mut directive.clauses);
            attributes::Strip.visit_block_mut(block);
        }
        // Under `kernels` they are distinguished from the loops that run in parallel if that can be proved.
        Mode::Proved => {}
        Mode::Parallel => visits::change_into(block, |e| {
            if let Expr::ForLoop(f) = e {
                without_seq(f, sink);
            }
            true
        }),
    }
}

/// Takes `loop_(seq)` off a loop. Whether it was there.
pub(super) fn without_seq(f: &mut ExprForLoop, sink: &mut Sink) -> bool {
    let before = f.attrs.len();
    f.attrs.retain(|attr| {
        let is_loop = directive::family(attr.path())
            .is_some_and(|(spelling, name)| spelling == Spelling::OpenAcc && name == "loop_");
        let words =
            attr.meta.require_list().map(|list| split_commas(list.tokens.clone())).unwrap_or_default();
        let seq = is_loop && words.iter().any(|word| word.to_string() == Level::Seq.word());
        if seq {
            // For what is wrong with it.
            let _ = directive::parse(attr, sink);
        }
        !seq
    });
    f.attrs.len() < before
}

impl InOrder {
    /// A loop without a directive of its own.
    pub(super) fn of(f: &ExprForLoop, why: String) -> Self {
        Self { span: f.for_token.span, why }
    }

    /// Stable Rust's way to warn: something deprecated is used, at the loop.
    pub(super) fn warning(&self) -> TokenStream {
        let at = Span::mixed_site().located_at(self.span);
        let name = Ident::new("runs_in_order", at);
        let note = format!("this loop runs in order on the device: {}", self.why);
        let declared = Ident::new("runs_in_order", Span::mixed_site());
        let used = quote_spanned!(at=> #name);
        quote! {
            const _: () = {
                #[deprecated(note = #note)]
                #[allow(non_upper_case_globals)]
                const #declared: () = ();
                #used
            };
        }
    }
}

/// Uses the module `acc` as the directives of a body name it: they are gone when rustc looks whether an import is used.
pub(super) fn uses_module(body: &Block) -> Option<Stmt> {
    let (mut module, mut imports) = (None, false);
    visits::walk(body, |node| {
        let path = match node {
            Node::Attribute(attr) => attr.path(),
            Node::Macro(m) => &m.path,
            Node::Item(item) => {
                imports |= matches!(item, Item::Use(_));
                return false;
            }
            _ => return true,
        };
        if let (None, [of, _]) = (path.leading_colon, &path.segments.iter().collect::<Vec<_>>()[..])
            && of.ident == "acc"
        {
            module.get_or_insert_with(|| of.ident.clone());
        }
        false
    });
    // A module that is declared in an inner block is not visible here.
    let module = module.filter(|_| !imports)?;
    Some(syn::parse_quote!(const _: () = #module::__USED;))
}

/// `#[acc::routine(…)]`
pub fn routine(mut args: TokenStream, item: TokenStream) -> TokenStream {
    const LEVELS: &[&str] = &["gang", "worker", "vector", "seq"];
    if let Some(moved) = super::item::attributes_below::in_turn(&["acc", "routine"], &mut args, &item) {
        return moved;
    }
    let mut sink = Sink::new();
    let mut level: Option<TokenStream> = None;
    for part in split_commas(args) {
        let word = part.to_string();
        if word == "nohost" {
            continue;
        }
        if word.starts_with("device_type") || word.starts_with("dtype") {
            // Which threads call it is the schedule's choice on each device.
            level = None;
            continue;
        }
        if !LEVELS.contains(&word.as_str()) {
            let name = first_word(&word);
            let instead = missing::instead_of_clause(Spelling::OpenAcc, &name, "routine");
            sink.error_at(Code::UnknownClause, &part, format!("unknown clause `{word}` of `routine`")).help(
                instead
                    .unwrap_or("`routine` takes one of `gang`, `worker`, `vector` and `seq`, and `nohost`"),
            );
        } else if let Some(first) = &level {
            sink.error_at(
                Code::Contradiction,
                &part,
                format!("`{first}` and `{word}` contradict each other"),
            )
            .help("a routine is called by threads of one level: leave one");
        } else {
            level = Some(part);
        }
    }
    // Its loops run in the thread that calls it.
    let mut copies = None;
    let item = match syn::parse2::<Item>(item.clone()) {
        Ok(mut parsed) => {
            copies = rules::expand(&mut parsed, rules::Extent::Whole, &mut sink);
            Loops.visit_item_mut(&mut parsed);
            parsed.into_token_stream()
        }
        Err(_) => item,
    };
    let expanded = glue::device_fn::expand(item, &Methods::default(), &mut sink);
    let errors = sink.into_tokens();
    quote!(#expanded #errors #copies)
}

/// Takes `loop_` off the loops of a routine.
struct Loops;

impl VisitMut for Loops {
    fn visit_expr_for_loop_mut(&mut self, f: &mut ExprForLoop) {
        f.attrs.retain(|attr| {
            !directive::family(attr.path())
                .is_some_and(|(spelling, name)| spelling == Spelling::OpenAcc && name == "loop_")
        });
        visit_mut::visit_expr_for_loop_mut(self, f);
    }
}

/// `#[acc::declare(…)]`: on a function a data region around its body, on a table what `routine` is on functions.
pub fn declare(mut args: TokenStream, item: TokenStream) -> TokenStream {
    if let Some(moved) = super::item::attributes_below::in_turn(&["acc", "declare"], &mut args, &item) {
        return moved;
    }
    let mut sink = Sink::new();
    // For what is wrong with them; what they mean, the data region around the body says.
    let _ = clause::clauses(ClauseSet::AccDeclare, "declare", args.clone(), &mut sink);
    let wrong = !sink.is_empty();
    let expanded = match syn::parse2::<Item>(item.clone()) {
        Ok(Item::Fn(mut f)) if !wrong => {
            let at = Span::call_site();
            let mut parts: Vec<TokenStream> = Vec::new();
            for part in split_commas(args) {
                let mut trees = part.into_iter();
                match trees.next() {
                    Some(proc_macro2::TokenTree::Ident(name)) if name == "device_resident" => {
                        let rest: TokenStream = trees.collect();
                        parts.push(quote!(create #rest));
                    }
                    Some(proc_macro2::TokenTree::Ident(name)) if name == "link" => {}
                    first => parts.push(first.into_iter().chain(trees).collect()),
                }
            }
            let body = &f.block;
            let region = quote_spanned!(at=> { #[::omp::acc::data(#(#parts),*)] #body });
            match syn::parse2(region) {
                Ok(region) => {
                    *f.block = region;
                    super::offload(TokenStream::new(), f.into_token_stream())
                }
                Err(_) => item,
            }
        }
        Ok(Item::Static(_) | Item::Const(_)) if !wrong => {
            glue::device_fn::expand(item, &Methods::default(), &mut sink)
        }
        _ if wrong => item,
        _ => {
            sink.error(Code::DeclareTargetItem, Span::call_site(), "`declare` on an item that holds no data")
                .help("it goes on functions, whose data it keeps on the device, and on `static` and `const` tables");
            item
        }
    };
    let errors = sink.into_tokens();
    quote!(#expanded #errors)
}

/// `acc::init!`, `acc::shutdown!` and `acc::set!`.
pub fn devices(name: &'static str, args: TokenStream) -> TokenStream {
    let mut sink = Sink::new();
    let kin = if name == "set" { ClauseSet::AccSet } else { ClauseSet::AccInit };
    let clauses = clause::clauses(kin, name, args, &mut sink);
    if !sink.is_empty() {
        let errors = sink.into_tokens();
        return quote!({ #errors });
    }
    devices_call(name, &clauses)
}

/// The call that a directive about devices is.
pub(super) fn devices_call(name: &str, clauses: &Clauses) -> TokenStream {
    let optional = |what: Number| match clauses.number(what).and_then(|e| e.values.first()) {
        Some(e) => quote!(::omp::__private::core::option::Option::Some(::omp::__private::wide(#e))),
        None => quote!(::omp::__private::core::option::Option::None),
    };
    let number = optional(Number::AccDevice);
    let kind = match &clauses.device_type {
        Some(kind) => {
            let kind = &kind.value;
            quote!(::omp::__private::core::option::Option::Some(#kind))
        }
        None => quote!(::omp::__private::core::option::Option::None),
    };
    let call = match name {
        "init" => quote!(::omp::__private::acc_init(#kind, #number)),
        "shutdown" => quote!(::omp::__private::acc_shutdown(#kind, #number)),
        _ => {
            let queue = optional(Number::DefaultQueue);
            quote!(::omp::__private::acc_set(#kind, #number, #queue))
        }
    };
    match clauses.number(Number::If).and_then(|e| e.values.first()) {
        Some(condition) => quote!({ if #condition { #call } }),
        None => quote!({ #call }),
    }
}
