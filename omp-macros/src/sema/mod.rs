//! The rules of directives: one file for each family of rules.
//!
//! [`clauses`] checks what the directive says, and [`body`] what the loop under it does. Types and borrows are left to
//! rustc.
mod argmax;
pub mod atomic;
pub mod bounds;
pub mod canonical_loop;
mod combine;
pub mod copies;
mod data;
mod data_sharing;
pub mod early_exit;
mod effects;
pub mod host_types;
pub mod immutable;
mod inner;
pub mod lastprivate;
pub mod live_after;
mod mapping;
pub mod nesting;
pub mod place;
mod race;
pub mod reduction;
mod scalar_race;
pub mod scan;
pub mod scope;
pub mod std_names;
mod task;
pub mod updates;
pub mod uses;

use crate::ast::Region;
use crate::diag::Sink;
use crate::lower::update_forms::Draft;
use std::cell::LazyCell;

pub use race::report as report_races;
pub use reduction::arrays as reduced_arrays;

pub use data::check as data;

/// Rules about a `taskwait!`.
pub fn wait(wait: &crate::ast::Wait, sink: &mut Sink) {
    combine::check(&wait.directive, &[], sink);
    task::items(&wait.directive, &wait.context, sink);
}

/// Rules about the clauses of a region.
pub fn clauses(region: &mut Region, sink: &mut Sink) {
    combine::check(&region.directive, &region.loops, sink);
    data_sharing::check(region, sink);
    mapping::check_clauses(region, sink);
    inner::clauses(region, sink);
    task::items(&region.directive, &region.context, sink);
}

/// Rules about the body of a region. Run only when its clauses are right.
pub fn body(region: &mut Region, sink: &mut Sink) {
    let heard = sink.len();
    let searched = early_exit::check(region, sink);
    let uses = uses::of_region(region);
    let moved = bounds::check(region, &uses, sink);
    bounds::affine(&region.loops, sink);
    let extremes = argmax::check(region, &uses, sink);
    let draft = LazyCell::new(|| Draft::of(region));
    let meant = reduction::check(region, &draft, &uses, &extremes, sink);
    let lost = mapping::check_uses(region, &uses, sink);
    let old = mapping::wholes(region, &uses, sink);
    scalar_race::check(region, &draft, &uses, &[searched, moved, extremes, meant, lost, old].concat(), sink);
    inner::bodies(region, &draft, &uses, sink);
    data_sharing::default_none(region, &uses, sink);
    region.lost = live_after::of_region(region, &uses);
    mapping::drop_scalars(region, &uses);
    if sink.len() == heard {
        lastprivate::prepare(region);
    }
}
