//! Directives: attributes whose path ends in `omp::name` (or `acc::name`).
use super::clause::{self, Kin};
use super::elsewhere;
use crate::ast::{Clauses, Directive, DirectiveKind};
use crate::diag::{Code, Sink, nearest};
use proc_macro2::{Span, TokenStream};
use syn::spanned::Spanned as _;
use syn::{Attribute, Meta, Path};

/// A directive of the language.
struct Row {
    name: &'static str,
    form: Form,
    /// The clauses that it takes.
    kin: Kin,
}

/// What a directive is to Rust.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// An attribute of a loop, block or statement.
    Statement(DirectiveKind),
    /// A macro.
    Macro(DirectiveKind),
    /// An attribute of an item, which reads its own arguments.
    Item,
}

const fn statement(name: &'static str, kind: DirectiveKind, kin: Kin) -> Row {
    Row { name, form: Form::Statement(kind), kin }
}

const fn standalone(name: &'static str, kind: DirectiveKind, kin: Kin) -> Row {
    Row { name, form: Form::Macro(kind), kin }
}

const fn item(name: &'static str) -> Row {
    Row { name, form: Form::Item, kin: Kin::None }
}

/// All directives; each `target…` also with `_simd`.
static DIRECTIVES: &[Row] = &[
    statement("target", DirectiveKind::Target, Kin::Target),
    statement("target_teams_distribute_parallel_for", DirectiveKind::Target, Kin::Target),
    statement("target_teams_distribute_parallel_for_simd", DirectiveKind::Target, Kin::Target),
    statement("target_teams_distribute", DirectiveKind::Target, Kin::Target),
    statement("target_teams_distribute_simd", DirectiveKind::Target, Kin::Target),
    statement("target_parallel_for", DirectiveKind::Target, Kin::Target),
    statement("target_parallel_for_simd", DirectiveKind::Target, Kin::Target),
    statement("target_teams_loop", DirectiveKind::Target, Kin::Target),
    statement("target_teams_loop_simd", DirectiveKind::Target, Kin::Target),
    statement("target_parallel_loop", DirectiveKind::Target, Kin::Target),
    statement("target_simd", DirectiveKind::Target, Kin::Target),
    statement("target_loop", DirectiveKind::Target, Kin::Target),
    statement("target_loop_simd", DirectiveKind::Target, Kin::Target),
    statement("parallel_for", DirectiveKind::ParallelFor, Kin::ParallelFor),
    statement("parallel_for_simd", DirectiveKind::ParallelFor, Kin::ParallelFor),
    statement("distribute_parallel_for", DirectiveKind::ParallelFor, Kin::ParallelFor),
    statement("distribute_parallel_for_simd", DirectiveKind::ParallelFor, Kin::ParallelFor),
    statement("teams_distribute_parallel_for", DirectiveKind::ParallelFor, Kin::ParallelFor),
    statement("teams_distribute_parallel_for_simd", DirectiveKind::ParallelFor, Kin::ParallelFor),
    statement("teams_distribute", DirectiveKind::ParallelFor, Kin::ParallelFor),
    statement("teams_distribute_simd", DirectiveKind::ParallelFor, Kin::ParallelFor),
    statement("teams_loop", DirectiveKind::ParallelFor, Kin::ParallelFor),
    statement("simd", DirectiveKind::Simd, Kin::Simd),
    statement("atomic", DirectiveKind::Atomic, Kin::Atomic),
    statement("scan", DirectiveKind::Scan, Kin::Scan),
    statement("target_data", DirectiveKind::TargetData, Kin::TargetData),
    statement("taskgroup", DirectiveKind::TaskGroup, Kin::TaskGroup),
    standalone("target_update", DirectiveKind::TargetUpdate, Kin::TargetUpdate),
    standalone("target_enter_data", DirectiveKind::TargetEnterData, Kin::TargetEnterData),
    standalone("target_exit_data", DirectiveKind::TargetExitData, Kin::TargetExitData),
    standalone("taskwait", DirectiveKind::Taskwait, Kin::Taskwait),
    item("offload"),
    item("declare_target"),
    item("declare_reduction"),
];

fn row(name: &str) -> Option<&'static Row> {
    DIRECTIVES.iter().find(|row| row.name == name)
}

/// The directive of a statement that an identifier names.
pub fn kind_of(name: &str) -> Option<DirectiveKind> {
    match row(name)?.form {
        Form::Statement(kind) => Some(kind),
        Form::Macro(_) | Form::Item => None,
    }
}

/// The directive that is a macro of this name, and the clauses that it takes.
pub fn standalone_of(name: &str) -> Option<(DirectiveKind, Kin)> {
    let row = row(name)?;
    match row.form {
        Form::Macro(kind) => Some((kind, row.kin)),
        Form::Statement(_) | Form::Item => None,
    }
}

/// The names of directives that are macros.
pub fn standalone_names() -> Vec<&'static str> {
    DIRECTIVES.iter().filter(|row| matches!(row.form, Form::Macro(_))).map(|row| row.name).collect()
}

/// The first directive that takes the clauses of a kin.
#[cfg(test)]
pub fn first_of(kin: Kin) -> &'static str {
    DIRECTIVES.iter().find(|row| row.kin == kin).expect("a kin has a directive").name
}

/// Of `omp::target` and `::omp::target`: `("omp", "target")`.
pub fn family(path: &Path) -> Option<(&'static str, String)> {
    let n = path.segments.len();
    let family = match n.checked_sub(2).map(|i| path.segments[i].ident.to_string()).as_deref() {
        Some("omp") => "omp",
        Some("acc") => "acc",
        _ => return None,
    };
    Some((family, path.segments[n - 1].ident.to_string()))
}

/// Whether an attribute is of ours, or means to be: `#[target]` after `use omp::target` is no attribute of a statement
/// in Rust.
pub fn is_ours(attr: &Attribute) -> bool {
    family(attr.path()).is_some() || bare(attr).is_some()
}

/// The directive that a path of one segment names.
fn bare(attr: &Attribute) -> Option<String> {
    attr.path().get_ident().map(ToString::to_string).filter(|name| kind_of(name).is_some())
}

/// Reads an attribute that [`is_ours`]; reports what is wrong with it.
pub fn parse(attr: &Attribute, sink: &mut Sink) -> Option<Directive> {
    if let Some(name) = bare(attr) {
        sink.error_at(Code::MalformedDirective, attr.path(), format!("a directive of a statement has its crate before it, but this is `{name}` alone"))
            .note(None, "`#[omp::offload]` reads directives by the last two segments of their paths; it can't see what is imported")
            .help(format!("write `#[omp::{name}…]`"));
        return None;
    }
    let (family, name) = family(attr.path())?;
    let span = attr.path().segments.last()?.ident.span();
    let args = arguments(attr, &name, sink)?;
    if family == "acc" {
        return acc(&name, span, args, sink);
    }
    named(&name, span, args, sink)
}

/// A directive by its name and what stands in its parentheses.
pub fn named(name: &str, span: Span, args: TokenStream, sink: &mut Sink) -> Option<Directive> {
    let (Some(row), Some(kind)) = (row(name), kind_of(name)) else {
        unknown(name, span, sink);
        return None;
    };
    let clauses = match kind {
        DirectiveKind::Atomic => {
            if !atomic(args, sink) {
                // What kind of access was meant nobody knows: there is nothing to say of the statement.
                return None;
            }
            Clauses::default()
        }
        DirectiveKind::Scan => clause::scan(name, span, args, sink),
        _ => clause::clauses(row.kin, name, args, sink),
    };
    Some(Directive { kind, name: name.to_owned(), span, clauses })
}

/// The tokens in the parentheses.
fn arguments(attr: &Attribute, name: &str, sink: &mut Sink) -> Option<TokenStream> {
    match &attr.meta {
        Meta::Path(_) => Some(TokenStream::new()),
        Meta::List(list) => Some(list.tokens.clone()),
        Meta::NameValue(value) => {
            sink.error_at(Code::MalformedDirective, value, format!("`{name}` takes clauses, not a value"))
                .help(format!("write `#[omp::{name}(…)]`"));
            None
        }
    }
}

/// Reports a name that is no directive of a statement.
fn unknown(name: &str, span: Span, sink: &mut Sink) {
    let form = row(name).map(|row| row.form);
    if form == Some(Form::Item) {
        sink.error(Code::Misplaced, span, format!("`{name}` stands on items, not on statements"))
            .help(format!("put `#[omp::{name}]` on the function or item"));
        return;
    }
    if standalone_of(name).is_some() {
        sink.error(Code::Misplaced, span, format!("`{name}` is a macro: it has no statement of its own"))
            .help(format!("write `omp::{name}!(…);`"));
        return;
    }
    let names: Vec<_> = DIRECTIVES.iter().filter(|row| row.form != Form::Item).map(|row| row.name).collect();
    if let Some(help) = elsewhere::instead(name) {
        not_here(name, span, help, sink);
        return;
    }
    let error = sink.error(Code::UnknownDirective, span, format!("unknown directive `omp::{name}`"));
    match nearest(name, &names) {
        Some(near) => error.help(format!("did you mean `omp::{near}`?")),
        None => {
            error.help("directives of loops are `target`, `parallel_for`, `simd`, `scan` and `target_data`")
        }
    };
}

/// Reports a directive that only OpenMP has.
pub fn not_here(name: &str, span: Span, help: &str, sink: &mut Sink) {
    let name = name.strip_prefix("r#").unwrap_or(name);
    sink.error(Code::UnknownDirective, span, format!("OpenMP's `{name}` is no directive here")).help(help);
}

/// `atomic` takes one word. Whether it was given one that it knows, if any.
fn atomic(args: TokenStream, sink: &mut Sink) -> bool {
    const WORDS: &[&str] = &["update", "read", "write", "capture", "compare"];
    let before = sink.len();
    for part in super::split_commas(args) {
        let word = part.to_string();
        if !WORDS.contains(&word.as_str()) {
            let error =
                sink.error_at(Code::UnknownClause, &part, format!("unknown clause `{word}` of `atomic`"));
            if let Some(near) = nearest(&word, WORDS) {
                error.help(format!("did you mean `{near}`?"));
            }
            error.help("`atomic` takes one of `update`, `read`, `write`, `capture` and `compare`");
        }
    }
    sink.len() == before
}

/// Directives of OpenACC on statements.
const ACC: &[&str] = &[
    "parallel_loop",
    "kernels_loop",
    "serial_loop",
    "parallel",
    "kernels",
    "serial",
    "loop_",
    "data",
    "host_data",
    "atomic",
    "routine",
    "declare",
];

/// OpenACC: names are checked, and that a loop is not asked to be both sequential and parallel. Loops over workers and
/// vectors are what `parallel_for` is inside a region, sequential ones need no directive.
fn acc(name: &str, span: Span, args: TokenStream, sink: &mut Sink) -> Option<Directive> {
    if !ACC.contains(&name) {
        let error = sink.error(Code::UnknownDirective, span, format!("unknown directive `acc::{name}`"));
        match nearest(name, ACC) {
            Some(near) => error.help(format!("did you mean `acc::{near}`?")),
            None => error
                .help("directives of loops are `parallel_loop`, `kernels_loop`, `serial_loop` and `loop_`"),
        };
        return None;
    }
    let parts = super::split_commas(args);
    let order = ["seq", "independent", "auto"];
    let said: Vec<_> = parts.iter().filter(|p| order.contains(&p.to_string().as_str())).collect();
    if let [first, second, ..] = said[..] {
        sink.error(
            Code::Contradiction,
            second.span(),
            format!("`{first}` and `{second}` contradict each other"),
        )
        .help("a loop is either `seq` (in order), `independent` (in parallel) or `auto`: leave one");
        return None;
    }
    let is_word = |part: &TokenStream, words: &[&str]| words.contains(&part.to_string().as_str());
    if name == "loop_" && parts.iter().any(|p| is_word(p, &["worker", "vector"])) {
        let level = ["worker", "vector", "independent"];
        let clauses: Vec<TokenStream> = parts.into_iter().filter(|p| !is_word(p, &level)).collect();
        let clauses = clause::clauses(Kin::ParallelFor, name, quote::quote!(#(#clauses),*), sink);
        return Some(Directive { kind: DirectiveKind::ParallelFor, name: name.to_owned(), span, clauses });
    }
    if name == "loop_" && parts.len() == 1 && is_word(&parts[0], &["seq"]) {
        return None;
    }
    sink.later(Code::DirectiveLater, span, format!("the OpenACC spelling `acc::{name}`"))
        .help("loops take `#[omp::target(…)]`");
    None
}
