//! Directives without a statement of their own: `omp::target_update!(…)` and the others.
use super::clause;
use super::directive::{family, kind_of, not_here, standalone_names, standalone_of};
use super::elsewhere;
use crate::ast::Directive;
use crate::diag::{Code, Sink, nearest};
use proc_macro2::Span;
use syn::Macro;

/// The name of a stand-alone directive, or of something that means to be one.
pub fn name_of(mac: &Macro) -> Option<String> {
    family(&mac.path).map(|(_, name)| name)
}

/// Reads a stand-alone directive inside an offload item; reports what is wrong with it.
pub fn parse(mac: &Macro, sink: &mut Sink) -> Option<Directive> {
    let (family, name) = family(&mac.path)?;
    let span = mac.path.segments.last().map_or_else(Span::call_site, |s| s.ident.span());
    if family == "acc" {
        sink.later(Code::DirectiveLater, span, format!("the OpenACC directive `acc::{name}!`"));
        return None;
    }
    if name == "scan" {
        sink.error(Code::Misplaced, span, "`scan!` outside of the body of a region with `reduction(inscan, …)`")
            .help("write `#[omp::target(reduction(inscan, +: s))]`; where an inner loop adds up, `#[omp::target(scan(+: s))]` on the loop around it");
        return None;
    }
    let Some((kind, kin)) = standalone_of(&name) else {
        if let Some(help) = elsewhere::instead(&name) {
            not_here(&name, span, help, sink);
            return None;
        }
        if kind_of(&name).is_some() {
            sink.error(Code::Misplaced, span, format!("`{name}` is an attribute: it stands on a statement"))
                .help(format!("write `#[omp::{name}(…)]` before the loop, block or statement"));
            return None;
        }
        let error = sink.error(Code::UnknownDirective, span, format!("unknown directive `omp::{name}!`"));
        match nearest(&name, &standalone_names()) {
                Some(near) => error.help(format!("did you mean `omp::{near}!`?")),
                None => error.help("stand-alone directives are `target_update!`, `target_enter_data!`, `target_exit_data!` and `taskwait!`"),
            };
        return None;
    };
    let clauses = clause::clauses(kin, &name, mac.tokens.clone(), sink);
    Some(Directive { kind, name, span, clauses })
}
