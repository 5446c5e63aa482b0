//! Directives: attributes whose path ends in `omp::name` (or `acc::name`).
use super::clause::{self, ClauseSet};
use super::missing;
use crate::ast::{Clauses, Directive, DirectiveKind, DirectiveKind as K, Level, Mode, Spelling};
use crate::diag::{Code, Sink, nearest};
use proc_macro2::{Span, TokenStream};
use syn::{Attribute, Meta, Path};

/// A directive of the language.
struct Row {
    spelling: Spelling,
    name: &'static str,
    form: Form,
    /// The clauses that it takes.
    kin: ClauseSet,
    mode: Mode,
}

/// The form of a directive in Rust.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// An attribute of a loop, block or statement.
    Statement(DirectiveKind),
    /// A macro.
    Macro(DirectiveKind),
    /// An attribute of an item, which reads its own arguments.
    Item,
}

const fn omp(name: &'static str, form: Form, kin: ClauseSet) -> Row {
    Row { spelling: Spelling::OpenMp, name, form, kin, mode: Mode::Parallel }
}

const fn acc(name: &'static str, form: Form, kin: ClauseSet) -> Row {
    Row { spelling: Spelling::OpenAcc, name, form, kin, mode: Mode::Parallel }
}

impl Row {
    const fn mode(mut self, mode: Mode) -> Self {
        self.mode = mode;
        self
    }

    fn is_statement(&self) -> bool {
        matches!(self.form, Form::Statement(_))
    }
}

/// All directives; each `target…` also with `_simd`.
static DIRECTIVES: &[Row] = &[
    omp("target", Form::Statement(K::Target), ClauseSet::Target),
    omp("target_teams_distribute_parallel_for", Form::Statement(K::Target), ClauseSet::Target),
    omp("target_teams_distribute_parallel_for_simd", Form::Statement(K::Target), ClauseSet::Target),
    omp("target_teams_distribute", Form::Statement(K::Target), ClauseSet::Target),
    omp("target_teams_distribute_simd", Form::Statement(K::Target), ClauseSet::Target),
    omp("target_parallel_for", Form::Statement(K::Target), ClauseSet::Target),
    omp("target_parallel_for_simd", Form::Statement(K::Target), ClauseSet::Target),
    omp("target_teams_loop", Form::Statement(K::Target), ClauseSet::Target),
    omp("target_teams_loop_simd", Form::Statement(K::Target), ClauseSet::Target),
    omp("target_parallel_loop", Form::Statement(K::Target), ClauseSet::Target),
    omp("target_simd", Form::Statement(K::Target), ClauseSet::Target),
    omp("target_loop", Form::Statement(K::Target), ClauseSet::Target),
    omp("target_loop_simd", Form::Statement(K::Target), ClauseSet::Target),
    omp("parallel_for", Form::Statement(K::ParallelFor), ClauseSet::ParallelFor),
    omp("parallel_for_simd", Form::Statement(K::ParallelFor), ClauseSet::ParallelFor),
    omp("distribute_parallel_for", Form::Statement(K::ParallelFor), ClauseSet::ParallelFor),
    omp("distribute_parallel_for_simd", Form::Statement(K::ParallelFor), ClauseSet::ParallelFor),
    omp("teams_distribute_parallel_for", Form::Statement(K::ParallelFor), ClauseSet::ParallelFor),
    omp("teams_distribute_parallel_for_simd", Form::Statement(K::ParallelFor), ClauseSet::ParallelFor),
    omp("teams_distribute", Form::Statement(K::ParallelFor), ClauseSet::ParallelFor),
    omp("teams_distribute_simd", Form::Statement(K::ParallelFor), ClauseSet::ParallelFor),
    omp("teams_loop", Form::Statement(K::ParallelFor), ClauseSet::ParallelFor),
    omp("simd", Form::Statement(K::Simd), ClauseSet::Simd),
    omp("atomic", Form::Statement(K::Atomic), ClauseSet::Atomic),
    omp("scan", Form::Statement(K::Scan), ClauseSet::Scan),
    omp("target_data", Form::Statement(K::TargetData), ClauseSet::TargetData),
    omp("taskgroup", Form::Statement(K::TaskGroup), ClauseSet::TaskGroup),
    omp("target_update", Form::Macro(K::TargetUpdate), ClauseSet::TargetUpdate),
    omp("target_enter_data", Form::Macro(K::TargetEnterData), ClauseSet::TargetEnterData),
    omp("target_exit_data", Form::Macro(K::TargetExitData), ClauseSet::TargetExitData),
    omp("taskwait", Form::Macro(K::Taskwait), ClauseSet::Taskwait),
    omp("offload", Form::Item, ClauseSet::None),
    omp("declare_target", Form::Item, ClauseSet::None),
    omp("declare_reduction", Form::Item, ClauseSet::None),
    acc("parallel_loop", Form::Statement(K::Target), ClauseSet::AccParallelLoop),
    acc("kernels_loop", Form::Statement(K::Target), ClauseSet::AccKernelsLoop).mode(Mode::Proved),
    acc("serial_loop", Form::Statement(K::Target), ClauseSet::AccSerialLoop).mode(Mode::Serial),
    acc("parallel", Form::Statement(K::Target), ClauseSet::AccParallel),
    acc("kernels", Form::Statement(K::Target), ClauseSet::AccKernels).mode(Mode::Proved),
    acc("serial", Form::Statement(K::Target), ClauseSet::AccSerial).mode(Mode::Serial),
    acc("loop_", Form::Statement(K::ParallelFor), ClauseSet::AccLoop),
    acc("data", Form::Statement(K::TargetData), ClauseSet::AccData),
    acc("host_data", Form::Statement(K::TargetData), ClauseSet::AccHostData),
    acc("atomic", Form::Statement(K::Atomic), ClauseSet::Atomic),
    acc("update", Form::Macro(K::TargetUpdate), ClauseSet::AccUpdate),
    acc("enter_data", Form::Macro(K::TargetEnterData), ClauseSet::AccEnterData),
    acc("exit_data", Form::Macro(K::TargetExitData), ClauseSet::AccExitData),
    acc("wait", Form::Macro(K::Taskwait), ClauseSet::AccWait),
    acc("init", Form::Macro(K::Devices), ClauseSet::AccInit),
    acc("shutdown", Form::Macro(K::Devices), ClauseSet::AccInit),
    acc("set", Form::Macro(K::Devices), ClauseSet::AccSet),
    acc("routine", Form::Item, ClauseSet::None),
    acc("declare", Form::Item, ClauseSet::AccDeclare),
];

fn row(spelling: Spelling, name: &str) -> Option<&'static Row> {
    DIRECTIVES.iter().find(|row| row.spelling == spelling && row.name == name)
}

/// The directive of a statement that an identifier names.
pub fn kind_of(spelling: Spelling, name: &str) -> Option<DirectiveKind> {
    match row(spelling, name)?.form {
        Form::Statement(kind) => Some(kind),
        Form::Macro(_) | Form::Item => None,
    }
}

/// The directive that is a macro of this name, and the clauses that it takes.
pub fn standalone_of(spelling: Spelling, name: &str) -> Option<(DirectiveKind, ClauseSet)> {
    let row = row(spelling, name)?;
    match row.form {
        Form::Macro(kind) => Some((kind, row.kin)),
        Form::Statement(_) | Form::Item => None,
    }
}

/// The names of directives that are macros.
pub fn standalone_names(spelling: Spelling) -> Vec<&'static str> {
    let macros = DIRECTIVES.iter().filter(|row| matches!(row.form, Form::Macro(_)));
    macros.filter(|row| row.spelling == spelling).map(|row| row.name).collect()
}

/// The first directive that takes the clauses of a kin.
#[cfg(test)]
pub fn first_of(kin: ClauseSet) -> &'static str {
    DIRECTIVES.iter().find(|row| row.kin == kin).expect("a kin has a directive").name
}

/// The family of a path and the directive's name: of `omp::target` and `::omp::target` OpenMP's `target`.
pub fn family(path: &Path) -> Option<(Spelling, String)> {
    let n = path.segments.len();
    let family = match n.checked_sub(2).map(|i| path.segments[i].ident.to_string()).as_deref() {
        Some("omp") => Spelling::OpenMp,
        Some("acc") => Spelling::OpenAcc,
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
    attr.path().get_ident().map(ToString::to_string).filter(|name| kind_of(Spelling::OpenMp, name).is_some())
}

/// Reads an attribute that [`is_ours`]; reports what is wrong with it.
pub fn parse(attr: &Attribute, sink: &mut Sink) -> Option<Directive> {
    if let Some(name) = bare(attr) {
        sink.error_at(Code::MalformedDirective, attr.path(), format!("a directive on a statement needs the crate's name before it, but this is `{name}` alone"))
            .note(None, "`#[omp::offload]` reads directives by the last two segments of their paths; it can't see what is imported")
            .help(format!("write `#[omp::{name}…]`"));
        return None;
    }
    let (spelling, name) = family(attr.path())?;
    let span = attr.path().segments.last()?.ident.span();
    let args = arguments(attr, spelling, &name, sink)?;
    named(spelling, &name, span, args, sink)
}

/// A directive by its name and what stands in its parentheses.
pub fn named(
    spelling: Spelling,
    name: &str,
    span: Span,
    args: TokenStream,
    sink: &mut Sink,
) -> Option<Directive> {
    let (Some(row), Some(kind)) = (row(spelling, name), kind_of(spelling, name)) else {
        unknown(spelling, name, span, sink);
        return None;
    };
    let clauses = match kind {
        DirectiveKind::Atomic => {
            if !atomic(spelling, args, sink) {
                // The intended kind of access is unknown, so the statement is not checked.
                return None;
            }
            Clauses::default()
        }
        DirectiveKind::Scan => clause::scan(name, span, args, sink),
        _ => clause::clauses(row.kin, name, args, sink),
    };
    // The loop stays as it is.
    if row.kin == ClauseSet::AccLoop && clauses.level(&[Level::Seq]).is_some() {
        return None;
    }
    // Under `kernels`, what is not said to be independent is looked at.
    let mode = if clauses.level(&[Level::Auto]).is_some() { Mode::Proved } else { row.mode };
    Some(Directive { kind, spelling, mode, name: name.to_owned(), span, clauses })
}

/// The tokens in the parentheses.
fn arguments(attr: &Attribute, spelling: Spelling, name: &str, sink: &mut Sink) -> Option<TokenStream> {
    match &attr.meta {
        Meta::Path(_) => Some(TokenStream::new()),
        Meta::List(list) => Some(list.tokens.clone()),
        Meta::NameValue(value) => {
            sink.error_at(Code::MalformedDirective, value, format!("`{name}` takes clauses, not a value"))
                .help(format!("write `#[{}::{name}(…)]`", spelling.module()));
            None
        }
    }
}

/// Reports a name that is no directive of a statement.
fn unknown(spelling: Spelling, name: &str, span: Span, sink: &mut Sink) {
    let module = spelling.module();
    match row(spelling, name).map(|row| row.form) {
        Some(Form::Item) => {
            sink.error(Code::Misplaced, span, format!("`{name}` goes on items, not on statements"))
                .help(format!("put `#[{module}::{name}]` on the function or item"));
            return;
        }
        Some(Form::Macro(_)) => {
            sink.error(Code::Misplaced, span, format!("`{name}` is a macro: it has no statement of its own"))
                .help(format!("write `{module}::{name}!(…);`"));
            return;
        }
        Some(Form::Statement(_)) | None => {}
    }
    if let Some(help) = missing::instead(name).filter(|_| spelling == Spelling::OpenMp) {
        not_here(name, span, help, sink);
        return;
    }
    let mine = DIRECTIVES.iter().filter(|row| row.spelling == spelling);
    let names: Vec<_> = mine.filter(|row| row.form != Form::Item).map(|row| row.name).collect();
    let other =
        DIRECTIVES.iter().find(|row| row.spelling != spelling && row.name == name && row.is_statement());
    let error = sink.error(Code::UnknownDirective, span, format!("unknown directive `{module}::{name}`"));
    if let Some(other) = other {
        error.help(format!("did you mean `{}::{name}`?", other.spelling.module()));
        return;
    }
    match (nearest(name, &names), spelling) {
        (Some(near), _) => error.help(format!("did you mean `{module}::{near}`?")),
        (None, Spelling::OpenMp) => {
            error.help("directives of loops are `target`, `parallel_for`, `simd`, `scan` and `target_data`")
        }
        (None, Spelling::OpenAcc) => {
            error.help("directives of loops are `parallel_loop`, `kernels_loop`, `serial_loop` and `loop_`")
        }
    };
}

/// Reports a directive that only OpenMP has.
pub fn not_here(name: &str, span: Span, help: &str, sink: &mut Sink) {
    let name = name.strip_prefix("r#").unwrap_or(name);
    sink.error(Code::UnknownDirective, span, format!("OpenMP's `{name}` is no directive here")).help(help);
}

/// `atomic` takes one word. Whether it was given one that it knows, if any.
fn atomic(spelling: Spelling, args: TokenStream, sink: &mut Sink) -> bool {
    const ALL: &[&str] = &["update", "read", "write", "capture", "compare"];
    let (words, listed) = match spelling {
        Spelling::OpenMp => (ALL, "`update`, `read`, `write`, `capture` and `compare`"),
        Spelling::OpenAcc => (&ALL[..4], "`update`, `read`, `write` and `capture`"),
    };
    let before = sink.len();
    for part in super::split_commas(args) {
        let word = part.to_string();
        if !words.contains(&word.as_str()) {
            let error =
                sink.error_at(Code::UnknownClause, &part, format!("unknown clause `{word}` of `atomic`"));
            if let Some(near) = nearest(&word, words) {
                error.help(format!("did you mean `{near}`?"));
            }
            if let Some(instead) = missing::instead_of_clause(spelling, &word, "atomic") {
                error.help(instead);
            }
            error.help(format!("`atomic` takes one of {listed}"));
        }
    }
    sink.len() == before
}
