//! The rules of directives: one file for each family of rules.
//!
//! [`clauses`] checks the directive, and [`body`] the loop under it. Types and borrows are left to rustc.
pub mod accesses;
pub mod clauses;
pub mod loops;
pub mod reduction;
pub mod scan;
pub mod syntax;

use crate::ast::{DirectiveKind, Item, LoopHead, Region};
use crate::diag::Sink;
use crate::lower::region::draft::Draft;
use clauses::lastprivate::Last;
use scan::Scan;
use std::ops::{Deref, DerefMut};
use std::rc::Rc;

pub use accesses::race::{checked_while_running, report as report_races};
pub use reduction::arrays as reduced_arrays;

pub use clauses::data::check as data;

/// A region under the rules. They rewrite its body, loops and clauses for scans and `lastprivate`.
#[derive(Clone)]
pub struct CheckedRegion {
    parsed: Region,
    /// It is a scan.
    pub scan: Option<Scan>,
    /// A loop of the body that stood around the outermost one: where it has no iterations, nothing of the region is evaluated.
    pub reached: Option<LoopHead>,
    /// Its loops go in another order than they stand in.
    pub moved: bool,
    /// `lastprivate` variables, once the body is prepared for them.
    pub lasts: Vec<Last>,
    /// Variables of which iterations change copies that are lost.
    pub lost: Vec<Item>,
    /// All labels of the function.
    pub labels: Vec<String>,
}

impl From<Region> for CheckedRegion {
    fn from(parsed: Region) -> Self {
        Self {
            parsed,
            scan: None,
            reached: None,
            moved: false,
            lasts: Vec::new(),
            lost: Vec::new(),
            labels: Vec::new(),
        }
    }
}

impl CheckedRegion {
    /// Whether this is the array of what the last iteration leaves of a `lastprivate` variable.
    pub fn keeps(&self, array: &str) -> bool {
        self.lasts.iter().any(|last| last.array == array)
    }
}

impl Deref for CheckedRegion {
    type Target = Region;

    fn deref(&self) -> &Region {
        &self.parsed
    }
}

impl DerefMut for CheckedRegion {
    fn deref_mut(&mut self) -> &mut Region {
        &mut self.parsed
    }
}

/// Rules about a `taskwait!`.
pub fn wait(wait: &crate::ast::Wait, sink: &mut Sink) {
    clauses::combine::check(&wait.directive, &[], sink);
    clauses::task::items(&wait.directive, &wait.context, sink);
}

/// Rules about the clauses of a region.
pub fn clauses(region: &mut CheckedRegion, sink: &mut Sink) {
    clauses::combine::check(&region.directive, &region.loops, sink);
    clauses::data_sharing::check(region, sink);
    clauses::mapping::check_clauses(region, sink);
    loops::inner::clauses(region, sink);
    clauses::task::items(&region.directive, &region.context, sink);
}

/// Rules about the body of a region. Run only when its clauses are right.
pub fn body(region: &mut CheckedRegion, sink: &mut Sink) {
    let heard = sink.len();
    let draft = Draft::lazy(region);
    let searched = loops::early_exit::check(region, &draft, sink);
    let uses = syntax::uses::of_region(region);
    let moved = loops::bounds::check(region, &uses, sink);
    loops::bounds::affine(&region.loops, sink);
    let extremes = reduction::argmax::check(region, &draft, &uses, sink);
    let meant = reduction::check(region, &draft, &uses, &extremes, sink);
    let lost = clauses::mapping::check_uses(region, &draft, &uses, sink);
    let old = clauses::mapping::wholes(region, &uses, sink);
    let known = [searched, moved, extremes, meant, lost, old].concat();
    accesses::scalar_race::check(region, &draft, &uses, &known, sink);
    let whole = loops::inner::bodies(region, &draft, &uses, sink);
    drop(draft);
    if !whole.is_empty() {
        let inner = Rc::get_mut(&mut region.inner).expect("the draft had the only other reference");
        whole.into_iter().for_each(|n| inner[n].directive.kind = DirectiveKind::Simd);
    }
    clauses::data_sharing::default_none(region, &uses, sink);
    region.lost = accesses::live_after::of_region(region, &uses);
    clauses::mapping::drop_scalars(region, &uses);
    reduction::at_uses(region, &uses);
    if sink.len() == heard {
        clauses::lastprivate::prepare(region);
    }
}
