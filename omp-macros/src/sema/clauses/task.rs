//! The items of `depend`.
use crate::ast::{Context, Directive};
use crate::diag::{Code, Sink};
use crate::sema::syntax::place::item_key;

/// Reports items of `depend` that can't be what a task depends on.
pub fn items(directive: &Directive, context: &Context, sink: &mut Sink) {
    for item in directive.clauses.depend.iter().flat_map(|d| &d.items) {
        let key = &item.key;
        if !item.sections.is_empty() && context.scalar_names.contains(&item_key(item)) {
            let message = format!("`{key}` is a scalar: it has no elements to choose from");
            sink.error(Code::SectionOfScalar, item.span, message)
                .help(format!("write `{key}` without a section"));
        } else if item.sections.len() > 1 {
            let message = format!("a section of the elements of `{key}` in `depend`");
            sink.error(Code::MalformedSection, item.span, message)
                .help(format!("name whole elements: `{key}[lo..hi]`"));
        }
    }
}
