//! The verdict on each read, from the facts and the writes that the walk through the body has found.
use super::{Answer, Assignment, Read, Use, Verdict, Write};
use crate::flow::affine::Range;
use crate::flow::spans::{self, Access, At, Part};
use crate::ids::LocalId;
use crate::template::Base;
use std::collections::BTreeSet;

impl Assignment<'_> {
    pub(super) fn answer(self) -> Answer {
        let from_start = self.uses.iter().filter(|u| !u.read.certain && !u.kept);
        let starts = from_start.filter_map(|u| match u.read.of {
            Base::Local(local) => Some(local),
            Base::Array(_) | Base::Scalar(_) | Base::Const(_) => None,
        });
        let starts = starts.collect();
        let writes = &self.writes;
        let reads = self.uses.into_iter().map(|found| {
            let Use { mut read, ranges, facts, may, first, kept, bound } = found;
            let varies = |l: LocalId| bound.as_ref().is_none_or(|bound| bound.contains(&l));
            let own = Access { at: &read.at, ranges: &ranges };
            let facts: Vec<&[Part]> = facts.iter().map(Vec::as_slice).collect();
            let length = |n: usize| (self.question.length)(read.of, n);
            let of = |w: &Write| w.of == read.of;
            let access = |w: &'_ Write| -> (Vec<At>, Vec<Range>) { (w.at.clone(), w.ranges.clone()) };
            let meets = |n: usize| {
                let (at, ranges) = access(&writes[n]);
                of(&writes[n]) && !spans::apart(&own, &Access { at: &at, ranges: &ranges })
            };
            let unseen = |n: &usize| {
                let write = Access { at: &writes[*n].at, ranges: &writes[*n].ranges };
                meets(*n) && !spans::holds(&facts, &own, &write, &length, &varies)
            };
            read.unassigned = !(0..writes.len()).any(meets);
            if let Some(write) = (0..writes.len()).find(unseen) {
                let never = |may: &BTreeSet<usize>| !may.iter().any(|n| meets(*n));
                let refuted = never(&may) || first.as_ref().is_some_and(never);
                read.verdict = if refuted { Verdict::Refuted(write) } else { Verdict::Unknown(write) };
            }
            (kept, read)
        });
        let (kept, reads): (Vec<_>, Vec<_>) = reads.partition(|(kept, _)| *kept);
        let only = |all: Vec<(bool, Read)>| all.into_iter().map(|(_, read)| read).collect();
        Answer { reads: only(reads), kept: only(kept), writes: self.writes.clone(), starts }
    }
}
