//! Directives without a statement of their own: `omp::target_update!(…)` and the others.
use super::clause;
use super::directive::{family, kind_of, not_here, standalone_names, standalone_of};
use super::missing;
use crate::ast::{Directive, Mode, Spelling};
use crate::diag::{Code, Sink, nearest};
use proc_macro2::Span;
use syn::Macro;

/// The name of a stand-alone directive, or of something that means to be one.
pub fn name_of(mac: &Macro) -> Option<String> {
    family(&mac.path).map(|(_, name)| name)
}

/// Reads a stand-alone directive inside an offload item; reports what is wrong with it.
pub fn parse(mac: &Macro, sink: &mut Sink) -> Option<Directive> {
    let (spelling, name) = family(&mac.path)?;
    let span = mac.path.segments.last().map_or_else(Span::call_site, |s| s.ident.span());
    if spelling == Spelling::OpenMp && name == "scan" {
        sink.error(Code::Misplaced, span, "`scan!` outside of the body of a region with `reduction(inscan, …)`")
            .help("write `#[omp::target(reduction(inscan, +: s))]`; where an inner loop adds up, `#[omp::target(scan(+: s))]` on the loop around it");
        return None;
    }
    let Some((kind, kin)) = standalone_of(spelling, &name) else {
        unknown(spelling, &name, span, sink);
        return None;
    };
    let clauses = clause::clauses(kin, &name, mac.tokens.clone(), sink);
    Some(Directive { kind, spelling, mode: Mode::Parallel, name, span, clauses })
}

/// Reports a name that is no directive without a statement.
fn unknown(spelling: Spelling, name: &str, span: Span, sink: &mut Sink) {
    let module = spelling.module();
    if let Some(help) = missing::instead(name).filter(|_| spelling == Spelling::OpenMp) {
        not_here(name, span, help, sink);
        return;
    }
    if kind_of(spelling, name).is_some() {
        sink.error(Code::Misplaced, span, format!("`{name}` is an attribute: it goes on a statement"))
            .help(format!("write `#[{module}::{name}(…)]` before the loop, block or statement"));
        return;
    }
    let names = standalone_names(spelling);
    let error = sink.error(Code::UnknownDirective, span, format!("unknown directive `{module}::{name}!`"));
    match nearest(name, &names) {
        Some(near) => error.help(format!("did you mean `{module}::{near}!`?")),
        None => {
            let names: Vec<_> = names.iter().map(|name| format!("{name}!")).collect();
            let names: Vec<_> = names.iter().map(String::as_str).collect();
            error.help(format!("stand-alone directives are {}", clause::listed(&names)))
        }
    };
}
