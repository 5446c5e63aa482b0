//! Reasons to refuse a launch: clause values, sections, overlapping arrays, races, devices that don't exist.
use super::Region;
use crate::data::section::overlap;
use crate::error::{Error, Meeting};
use crate::launch::context::Context;
use crate::launch::outcome::fault::mapping;
use crate::launch::site::Ready;
use omp_ir::analysis::plan::RaceAtLaunch;
use omp_ir::ids::AccessId;
use omp_kernels::schedule::Pins;

impl Region {
    pub(in crate::launch) fn check_clauses(&self) -> Result<(), Error> {
        if self.clauses.pins == Pins::default()
            && (self.clauses.num_teams, self.clauses.thread_limit, self.clauses.num_threads)
                == (None, None, None)
            && (self.clauses.simdlen, self.clauses.chunk, self.clauses.team_chunk) == (None, None, None)
        {
            return Ok(());
        }
        let counts = [
            ("num_gangs", self.clauses.num_gangs),
            ("num_teams", self.clauses.num_teams),
            ("num_workers", self.clauses.num_workers),
            ("vector_length", self.clauses.vector_length),
            ("thread_limit", self.clauses.thread_limit),
            ("num_threads", self.clauses.num_threads),
            ("simdlen", self.clauses.simdlen),
            ("schedule", self.clauses.chunk),
            ("dist_schedule", self.clauses.team_chunk),
        ];
        let pins = &self.clauses.pins;
        let sides = [("block", pins.block.map(Vec::from)), ("tile", pins.tile.map(Vec::from))];
        let sides =
            sides.into_iter().flat_map(|(name, v)| v.unwrap_or_default().into_iter().map(move |n| (name, n)));
        let ones = [("unroll", pins.unroll), ("vector", pins.vector)];
        let ones = ones.into_iter().filter_map(|(name, n)| n.map(|n| (name, n)));
        let pinned = sides.chain(ones).map(|(name, n)| (name, Some(i128::from(n))));
        let counts = counts.into_iter().chain(pinned);
        for (clause, value) in counts {
            if let Some(value) = value.filter(|v| *v < 1) {
                let place = &self.site.place;
                return Err(Error::Clause { place, clause, value, allowed: "1 or more" });
            }
        }
        Ok(())
    }

    pub(in crate::launch) fn check_arrays(&self) -> Result<(), Error> {
        let name = |i: usize| self.site.names.get(i).map_or("?", String::as_str);
        for (i, sections) in self.sections.iter().enumerate() {
            for (k, &section) in sections.iter().enumerate() {
                let len = self.arrays[i].array.len() as u64;
                let (place, variable) = (&self.site.place, name(i).to_owned());
                if section.0 > section.1 || section.1 > len {
                    return Err(Error::Section { place, variable, section, len });
                }
                let overlaps = |at: &&(u64, u64)| at.0 < section.1 && section.0 < at.1;
                if let Some(&other) = sections[..k].iter().find(overlaps) {
                    return Err(Error::SectionsOverlap { place, variable, sections: (other, section) });
                }
            }
        }
        for (i, mapped) in self.arrays.iter().enumerate() {
            if !mapped.fits() {
                return Err(Error::Section {
                    place: &self.site.place,
                    variable: name(i).to_owned(),
                    section: mapped.section,
                    len: mapped.array.len() as u64,
                });
            }
        }
        let written = |i: usize| self.site.template.arrays.get(i).is_some_and(|a| a.written);
        match overlap(&self.arrays, written) {
            Some((i, j)) => Err(Error::Overlap {
                place: &self.site.place,
                written: mapping(name(i), &self.arrays[i]),
                other: mapping(name(j), &self.arrays[j]),
            }),
            None => Ok(()),
        }
    }

    pub(in crate::launch) fn check_operators(&self) -> Result<(), Error> {
        let Some(update) = &self.site.misnamed else { return Ok(()) };
        let (code, place) = (&self.site.template.code, &self.site.place);
        let call = &code.calls[update.call.index()];
        let src = code.srcs.get(update.src.index());
        let at =
            src.map_or_else(|| place.file.to_owned(), |s| format!("{}:{}:{}", place.file, s.line, s.column));
        let method = update.operand.map(|_| call.name.clone());
        Err(Error::Operator { place, at, method, operator: update.op.symbol() })
    }

    pub(in crate::launch) fn race(&self, ready: &Ready, race: &RaceAtLaunch) -> Error {
        let body = &ready.kernel.body;
        let at = |access: AccessId| {
            let src = body.code.accesses.get(access.index()).and_then(|a| body.code.srcs.get(a.src.index()));
            let place = &self.site.place;
            src.map_or_else(|| place.file.to_owned(), |s| format!("{}:{}:{}", body.file, s.line, s.column))
        };
        let witness = race.witness.as_ref().map(|(iterations, element)| {
            Box::new(Meeting { iterations: iterations.clone(), element: *element })
        });
        Error::Race {
            place: &self.site.place,
            variable: self.site.names.get(race.array.index()).cloned().unwrap_or_default(),
            accesses: (at(race.first), at(race.second)),
            witness,
            reason: race.reason.as_deref().map(Box::from),
        }
    }

    pub(super) fn no_such_device(&self, context: &Context, requested: i128) -> Error {
        Error::NoSuchDevice {
            place: Some(&self.site.place),
            requested,
            by_default: self.clauses.requested.device.is_none(),
            devices: context.registry.count(),
            reasons: context.registry.reasons(),
        }
    }
}
