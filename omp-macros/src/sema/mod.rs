//! The rules of directives: one file for each family of rules.
//!
//! [`clauses`] checks what the directive says, and [`body`] what the loop under it does. Types and borrows are left to
//! rustc.
pub mod accesses;
pub mod clauses;
pub mod loops;
pub mod reduction;
pub mod scan;
pub mod syntax;

use crate::ast::Region;
use crate::diag::Sink;

pub use accesses::race::report as report_races;
pub use reduction::{Facts as ReductionFacts, facts as reduction_facts};

pub use clauses::data::check as data;

/// Rules about a `taskwait!`.
pub fn wait(wait: &crate::ast::Wait, sink: &mut Sink) {
    clauses::combine::check(&wait.directive, &[], sink);
    clauses::task::items(&wait.directive, &wait.context, sink);
}

/// Rules about the clauses of a region.
pub fn clauses(region: &mut Region, sink: &mut Sink) {
    clauses::combine::check(&region.directive, &region.loops, sink);
    clauses::data_sharing::check(region, sink);
    clauses::mapping::check_clauses(region, sink);
    loops::inner::clauses(region, sink);
    clauses::task::items(&region.directive, &region.context, sink);
}

/// Rules about the body of a region. Run only when its clauses are right.
pub fn body(region: &mut Region, sink: &mut Sink) {
    let heard = sink.len();
    let searched = loops::early_exit::check(region, sink);
    let uses = syntax::uses::of_region(region);
    let moved = loops::bounds::check(region, &uses, sink);
    loops::bounds::affine(&region.loops, sink);
    let extremes = reduction::argmax::check(region, &uses, sink);
    let meant = reduction::check(region, &uses, &extremes, sink);
    let lost = clauses::mapping::check_uses(region, &uses, sink);
    let old = clauses::mapping::wholes(region, &uses, sink);
    accesses::scalar_race::check(
        region,
        &uses,
        &[searched, moved, extremes, meant, lost, old].concat(),
        sink,
    );
    loops::inner::bodies(region, &uses, sink);
    clauses::data_sharing::default_none(region, &uses, sink);
    region.lost = accesses::live_after::of_region(region, &uses);
    clauses::mapping::drop_scalars(region, &uses);
    if sink.len() == heard {
        clauses::lastprivate::prepare(region);
    }
}
