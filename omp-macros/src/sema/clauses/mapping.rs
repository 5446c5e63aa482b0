//! `map` clauses: each by itself, and compared with the accesses of the body.
use crate::ast::{Item, Region};
use crate::diag::{Code, Sink};
use crate::lower::region::copies::read_before_assigned;
use crate::lower::region::draft::LazyDraft;
use crate::parse::tokens::source::shown;
use crate::sema::CheckedRegion;
use crate::sema::syntax::place::{any_covers, covers, item_key};
use crate::sema::syntax::uses::{How, Use, Uses};
use omp_ir::template::MapType;

/// Rules that need no body.
pub fn check_clauses(region: &CheckedRegion, sink: &mut Sink) {
    let clauses = &region.directive.clauses;
    let mut seen: Vec<&Item> = Vec::new();
    for map in &clauses.maps {
        twice(&map.items, &seen, sink);
        seen.extend(&map.items);
        for item in &map.items {
            sections(region, item, sink);
        }
    }
    for item in &clauses.device_ptr {
        if let Some(first) = seen.iter().find(|s| item_key(s) == item_key(item)) {
            let message = format!("`{}` is in `map` and in `is_device_ptr`", item.key);
            sink.error(Code::Contradiction, item.span, message)
                .note(Some(first.span), "it is mapped here")
                .help("device memory has no host copy to map: leave one of the clauses");
        }
    }
    for clause in &clauses.reductions {
        clause.items.iter().for_each(|item| reduced_section(region, item, &seen, sink));
    }
}

/// The section of a reduced array is what the region maps of it.
fn reduced_section(region: &CheckedRegion, item: &Item, mapped: &[&Item], sink: &mut Sink) {
    sections(region, item, sink);
    if item.sections.len() > 1 {
        sink.later(Code::FormLater, item.span, "several sections of one reduced array")
            .help("reduce one section");
    }
    let Some(map) = mapped.iter().find(|m| item_key(m) == item_key(item)) else { return };
    if !item.sections.is_empty() && !map.sections.is_empty() {
        sink.error(
            Code::Contradiction,
            item.span,
            format!("the section of `{}` is in a `map` and in a `reduction`", item.key),
        )
        .note(Some(map.span), "the map is here")
        .help("leave the one in the `reduction`: the region maps what it reduces");
    }
}

/// An array stands in one `map`, there maybe with several sections.
pub fn twice(items: &[Item], before: &[&Item], sink: &mut Sink) {
    for (n, item) in items.iter().enumerate() {
        let same = |other: &&&Item| item_key(other) == item_key(item);
        let own: Vec<&Item> = items[..n].iter().collect();
        let parts = |other: &&Item| !other.sections.is_empty() && !item.sections.is_empty();
        let first = before.iter().find(same).or_else(|| own.iter().find(same).filter(|o| !parts(o)));
        if let Some(first) = first {
            sink.error(Code::MappedTwice, item.span, format!("`{}` is mapped twice", item.key))
                .note(Some(first.span), "the first map is here")
                .help("name each array in one `map` of a directive, there once or with several sections");
        }
    }
}

/// Sections are of arrays; this version maps one each.
fn sections(region: &CheckedRegion, item: &Item, sink: &mut Sink) {
    if item.sections.is_empty() {
        return;
    }
    if region.context.scalar_names.contains(&item_key(item)) {
        sink.error(
            Code::SectionOfScalar,
            item.span,
            format!("`{}` is a scalar: it has no elements to choose from", item.key),
        )
        .help(format!(
            "write `{}` without a section, or leave it out: scalars are passed by themselves",
            item.key
        ));
    } else if item.sections.len() > 1 {
        sink.later(
            Code::FormLater,
            item.span,
            format!("mapping a section of the elements of `{}`", item.key),
        )
        .help(format!("map whole elements: `{}[lo..hi]`", item.key));
    }
}

/// Reports a variable that the body uses as a whole where a part of it is mapped around the region: the whole would come by value
/// from the host, whose copy of the part may be old. Returns the keys.
pub fn wholes(region: &CheckedRegion, uses: &Uses, sink: &mut Sink) -> Vec<String> {
    let c = &region.directive.clauses;
    let own = |key: &str| [&c.private, &c.lastprivate].into_iter().any(|items| any_covers(items, key));
    let mut reported: Vec<String> = Vec::new();
    for u in uses.before.iter().chain(&uses.body).filter(|u| u.how != How::Len && !u.element) {
        let part = region.around.held.iter().find(|held| **held != u.key && covers(&u.key, held));
        let Some(part) = part.filter(|_| !own(&u.key) && !reported.contains(&u.key)) else { continue };
        let message = format!("`{}` as a whole in a region, where `{part}` is mapped around it", u.key);
        sink.error_at(Code::UnsupportedExpr, &u.tokens, message)
            .note(None, "the host passes the whole, and its copy of that part may be old")
            .help("use its fields one by one, or take what is needed into a `let` before that is mapped");
        reported.push(u.key.clone());
    }
    reported
}

/// `to` but written, `from` but read first. Returns the keys that were reported.
pub fn check_uses(
    region: &CheckedRegion,
    draft: &LazyDraft<'_>,
    uses: &Uses,
    sink: &mut Sink,
) -> Vec<String> {
    let clauses = &region.directive.clauses;
    let mut reported = Vec::new();
    for map in &clauses.maps {
        for item in &map.items {
            let key = item_key(item);
            if clauses.reductions.iter().any(|r| r.items.iter().any(|i| item_key(i) == key)) {
                continue;
            }
            if region.around.held.iter().any(|held| covers(held, &key)) {
                // It is present already: this map copies nothing.
                continue;
            }
            // The first element's carried value is read from the host's array.
            if region.scan.as_ref().is_some_and(|scan| scan.arrays.contains(&key))
                && map.ty != crate::ast::MapWord::To
            {
                continue;
            }
            let own: Vec<&Use> = uses.body.iter().filter(|u| covers(&key, &u.key)).collect();
            let found = match map.ty.of_region() {
                MapType::To => written_under_to(&key, &own, sink),
                MapType::From => read_under_from(&key, &own, draft, sink),
                MapType::ToFrom | MapType::Alloc => false,
            };
            if found {
                reported.push(key);
            }
        }
    }
    reported
}

fn written_under_to(key: &str, own: &[&Use], sink: &mut Sink) -> bool {
    let key = shown(key);
    let Some(write) = own.iter().find(|u| u.writes()) else { return false };
    sink.error_at(
        Code::WrittenUnderTo,
        &write.tokens,
        format!("`{key}` is in `map(to: …)`, but the body writes it"),
    )
    .note(None, "`to` copies nothing back: the values written here would be lost")
    .help(format!(
        "write `map(tofrom: {key})`, or `map(from: {key})` if every element is written before it is read"
    ));
    true
}

fn read_under_from(key: &str, own: &[&Use], draft: &LazyDraft<'_>, sink: &mut Sink) -> bool {
    let reads =
        |u: &&Use| matches!(u.how, How::Read | How::Update | How::Argument | How::Atomic { reads: true, .. });
    if !own.iter().any(reads) || !draft.is_whole() {
        return false;
    }
    let (Some(first), key) = (read_before_assigned(draft, key), shown(key)) else { return false };
    sink.error_at(
        Code::ReadUnderFrom,
        first,
        format!("`{key}` is in `map(from: …)`, but the body reads it before it writes it"),
    )
    .note(None, "`from` copies nothing to the device, so the value read here is not there")
    .help(format!("write `map(tofrom: {key})`, or `map(to: {key})` if the body only reads it"));
    true
}

/// Takes reduction items and scalars that are only read out of the maps: they are passed by value.
pub fn drop_scalars(region: &mut Region, uses: &Uses) {
    let reduced: Vec<String> =
        region.directive.clauses.reductions.iter().flat_map(|r| r.items.iter().map(item_key)).collect();
    let context = &region.context;
    let by_value = |item: &Item| {
        let key = item_key(item);
        if uses.body.iter().any(|u| u.is_atomic() && covers(&key, &u.key)) {
            return false;
        }
        if !item.sections.is_empty() || context.array_names.contains(&key) {
            return false;
        }
        let mut own = uses.body.iter().chain(&uses.bounds).filter(|u| covers(&key, &u.key)).peekable();
        if uses.body.iter().any(|u| u.element && u.key == key) {
            return false;
        }
        let read_only = own.peek().is_some() && own.all(|u| !u.element && u.how == How::Read);
        reduced.contains(&key) || context.scalar_names.contains(&key) || read_only
    };
    for map in &mut region.directive.clauses.maps {
        map.items.retain(|item| !by_value(item));
    }
}
