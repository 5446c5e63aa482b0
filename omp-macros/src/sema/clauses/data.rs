//! The items of data directives.
use super::combine;
use super::mapping::twice;
use crate::ast::{Data, DirectiveKind, Item};
use crate::diag::{Code, Sink};
use crate::sema::syntax::place::item_key;

/// Checks the clauses of a data directive, and takes scalars out of it: they go with each region by value.
pub fn check(data: &mut Data, sink: &mut Sink) {
    combine::check(&data.directive, &[], sink);
    super::task::items(&data.directive, &data.context, sink);
    let update = data.directive.kind == DirectiveKind::TargetUpdate;
    let clauses = &data.directive.clauses;
    let mut seen: Vec<&Item> = Vec::new();
    for items in clauses.maps.iter().map(|m| &m.items).chain([&clauses.to, &clauses.from]) {
        twice(items, &seen, sink);
        seen.extend(items);
        items.iter().for_each(|item| sections(data, item, update, sink));
    }
    let block = data.directive.kind == DirectiveKind::Target;
    let others = [&clauses.use_device_ptr, &clauses.device_ptr, &clauses.no_create];
    let has_default = clauses.default.is_some();
    if !block && seen.is_empty() && !has_default && others.iter().all(|items| items.is_empty()) {
        let name = &data.directive.name;
        let (what, help) = match data.directive.kind {
            DirectiveKind::TargetUpdate => ("`to` or `from`", "write `target_update!(from(x))`".to_owned()),
            DirectiveKind::TargetData => ("`map`", format!("write `{name}(map(tofrom: x))`")),
            DirectiveKind::TargetEnterData => ("`map`", format!("write `{name}!(map(to: x))`")),
            _ => ("`map`", format!("write `{name}!(map(from: x))`")),
        };
        sink.error(Code::MalformedDirective, data.directive.span, format!("`{name}` without {what}"))
            .help(help);
    }
    for item in &clauses.use_device_ptr {
        if !matches!(item.place, syn::Expr::Path(_)) || !item.sections.is_empty() {
            let message = format!("`use_device_ptr({})`: it takes the name of a whole array", item.key);
            sink.error(Code::MalformedClause, item.span, message)
                .help("bind the array to a name first: `let x = &mut self.x;`");
        }
    }
    let scalars = data.context.scalar_names.clone();
    let is_array = |item: &Item| !scalars.contains(&item_key(item));
    let clauses = &mut data.directive.clauses;
    for map in &mut clauses.maps {
        map.items.retain(is_array);
    }
    clauses.to.retain(is_array);
    clauses.from.retain(is_array);
}

/// Sections are of arrays; only updates choose among the elements of elements.
fn sections(data: &Data, item: &Item, update: bool, sink: &mut Sink) {
    if item.sections.is_empty() {
        return;
    }
    if data.context.scalar_names.contains(&item_key(item)) {
        let message = format!("`{}` is a scalar: it has no elements to choose from", item.key);
        sink.error(Code::SectionOfScalar, item.span, message)
            .help(format!("leave `{}` out: scalars are passed by themselves", item.key));
    } else if item.sections.len() > 1 && !update {
        let message = format!(
            "a section of the elements of `{}` is not contiguous, and only contiguous memory can be mapped",
            item.key
        );
        sink.error(Code::MalformedSection, item.span, message).help(format!(
            "map whole elements, `{}[lo..hi]`; `target_update!` takes parts of them",
            item.key
        ));
    }
}
