//! The data that regions and directives use.
use super::{GuardKind, Use};
use crate::ast::{Data, DirectiveKind, Item, MapWord};
use crate::lower::Lowered;
use crate::sema::CheckedRegion;
use crate::sema::syntax::place;
use crate::sema::syntax::place::item_key;
use syn::Expr;
use syn::spanned::Spanned as _;

/// The data that a region uses.
pub(super) fn of_region(region: &CheckedRegion, lowered: &Lowered) -> Vec<Use> {
    let task = region.around.task.is_some();
    let clauses = &region.directive.clauses;
    let mut list = Vec::new();
    let ours = |place: &Expr| place::of(place).is_some_and(|p| !p.base.starts_with("__omp_"));
    for a in &lowered.captures.arrays {
        if clauses.device_ptr.iter().any(|item| item.key == a.key) || !ours(&a.place) {
            continue;
        }
        let back = clauses
            .maps
            .iter()
            .any(|m| m.always && m.ty.brings_back() && m.items.iter().any(|i| i.key == a.key));
        let kind = if a.scalar { GuardKind::Scalar } else { GuardKind::Array };
        list.push(Use {
            key: a.key.clone(),
            place: a.place.clone(),
            kind,
            writes: a.written || back,
            task,
            span: a.span,
        });
    }
    let scalar = |key: &str, place: &Expr, span| Use {
        key: key.to_owned(),
        place: place.clone(),
        kind: GuardKind::Scalar,
        writes: true,
        task,
        span,
    };
    for r in lowered.captures.reductions.iter().filter(|r| r.array.is_none() && !r.carried) {
        list.push(scalar(&r.key, &r.place, r.span));
    }
    for last in region.lasts.iter().filter(|l| ours(&l.place)) {
        let key = place::scalar_key(&last.place).unwrap_or_default();
        list.push(scalar(&key, &last.place, last.place.span()));
    }
    list
}

/// The data that a data directive uses: where it stands, or (a region) where it is left.
pub(super) fn of_data(data: &Data, leaving: bool) -> Vec<Use> {
    let clauses = &data.directive.clauses;
    let nowait = clauses.nowait.is_some();
    let task = nowait && matches!(data.directive.kind, DirectiveKind::Target | DirectiveKind::TargetUpdate);
    let back =
        leaving || matches!(data.directive.kind, DirectiveKind::TargetExitData | DirectiveKind::TargetUpdate);
    let item = |item: &Item, ty: MapWord| Use {
        key: item_key(item),
        place: item.place.clone(),
        kind: GuardKind::Array,
        writes: back && ty.brings_back(),
        task,
        span: item.span,
    };
    let maps = clauses.maps.iter().flat_map(|m| m.items.iter().map(move |i| (i, m.ty)));
    let to = clauses.to.iter().map(|i| (i, MapWord::To));
    let from = clauses.from.iter().map(|i| (i, MapWord::From));
    let viewed = clauses.use_device_ptr.iter().filter(|_| !leaving);
    let viewed =
        viewed.map(|i| Use { writes: data.written.contains(&item_key(i)), ..item(i, MapWord::Alloc) });
    maps.chain(to).chain(from).map(|(i, ty)| item(i, ty)).chain(viewed).collect()
}
