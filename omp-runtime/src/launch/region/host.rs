//! When the host runs a region: by request, or in place of a device, which is reported or refused.
use super::{Chosen, Region};
use crate::data::mapping::Home;
use crate::data::present::{Found, find_in};
use crate::data::section::Mapped;
use crate::device::{Dev, team};
use crate::env::OffloadPolicy;
use crate::error::Error;
use crate::host::failure_record::{watch, wrap_hook};
use crate::host::loops::schedule::Schedule;
use crate::launch::context::Context;
use crate::launch::outcome::fault::Fault;
use crate::launch::outcome::{HostLoop, HostRun, Outcome};
use crate::launch::plan::decisions::{Checked, LaunchDecisions};
use crate::observe;
use omp_ir::analysis::plan::DimValues;
use omp_ir::analysis::plan::numbering::Numbering;
use omp_ir::ids::ArrayId;
use std::sync::Arc;

impl Region {
    /// Reports a fallback, or gives the error where the host may not run the region.
    pub(super) fn fall_back(
        &self,
        context: &Context,
        reason: &str,
        error: impl FnOnce() -> Error,
    ) -> Result<(), Error> {
        if context.env.offload == OffloadPolicy::Mandatory {
            return Err(error());
        }
        observe::fallback(self.site, reason);
        Ok(())
    }

    pub(in crate::launch) fn failed(
        &mut self,
        context: &Context,
        device: &Dev,
        fault: Fault,
        homes: &[Home],
    ) -> Result<(), Error> {
        let label = device.label();
        if let Some(reason) = fault.lost() {
            device.lose(reason);
        }
        let place = &self.site.place;
        if !fault.host_can() {
            return Err(fault.into_error(place, device, &self.site.names, &self.arrays));
        }
        if let Some(at) = homes.iter().position(|home| home.present().is_some()) {
            // The host's copy is not what the loop would have to start from.
            return Err(self.stranded(device, at, device.said(fault.reason())));
        }
        let reason = format!("{label}: {}", device.said(fault.reason()));
        self.fall_back(context, &reason, || {
            let mut error = fault.into_error(place, device, &self.site.names, &self.arrays);
            if let Error::Mandatory { reasons, .. } = &mut error {
                reasons.extend(context.registry.reasons());
            }
            error
        })?;
        self.fallback = Some(reason.into());
        Ok(())
    }

    pub(super) fn without_kernel(&mut self, context: &Context, reason: &str) -> Result<Outcome, Error> {
        if let Some((at, (home, _))) = self.memory.first() {
            return Err(self.stranded(home, *at, reason.to_owned()));
        }
        let choice = self.choose(context);
        if let Chosen::Device(device) = choice {
            let block = self.scope.as_ref().map(|scope| &scope.entries);
            let elsewhere = |mapped: &Mapped| {
                let of_block = block.map_or(Found::Absent, |block| find_in(block, mapped));
                !matches!((of_block, device.present.find(mapped)), (Found::Absent, Found::Absent))
            };
            if let Some(at) = self.arrays.iter().position(elsewhere) {
                return Err(self.stranded(device, at, reason.to_owned()));
            }
        }
        match choice {
            Chosen::Host => {}
            Chosen::NoSuch(requested) => return Err(self.no_such_device(context, requested)),
            Chosen::Missing(_) | Chosen::Device(_) => {
                self.fall_back(context, reason, || Error::Mandatory {
                    place: &self.site.place,
                    reasons: vec![("every device".to_owned(), reason.to_owned())],
                })?;
                self.fallback = Some(reason.into());
            }
        }
        let claimed = &self.site.template.check_disjoint;
        if !claimed.is_empty() || self.site.template.arrays.iter().any(|a| a.section) {
            // Nothing is known of loops whose bounds depend on others.
            let any = DimValues { first: 0, step: 1, count: 1 << 32 };
            let digits = self.dims.iter().map(|d| d.unwrap_or(any)).collect();
            self.claiming =
                Some(Checked::new(self.site, claimed.iter().copied().collect(), Numbering { digits }));
        }
        Ok(self.host(context, true))
    }

    pub(super) fn stranded(&self, device: &Dev, at: usize, reason: String) -> Error {
        let (place, variable) = (&self.site.place, self.site.names[at].clone());
        Error::Stranded { place, device: device.label(), variable, reason }
    }

    pub(in crate::launch) fn host(&self, context: &Context, serial: bool) -> Outcome {
        let limits = [self.clauses.thread_limit, self.clauses.num_threads].into_iter().flatten();
        let limit = limits.filter_map(|n| usize::try_from(n).ok()).min();
        let requested = match (self.clauses.num_threads, limit) {
            // Outside of a target region the clause says how many, not at most how many.
            (Some(_), Some(n)) if self.clauses.host_only => n,
            (_, Some(n)) => n.min(team::max_threads()),
            (_, None) => team::max_threads(),
        };
        let threads =
            if self.clauses.host_only && self.clauses.requested.not_if { 1 } else { requested.max(1) };
        // Clauses that say how iterations are distributed are obeyed.
        let is_open = threads > 1 && self.clauses.num_threads.is_none() && self.clauses.schedule.is_none();
        let apart = threads;
        let threads = match &self.site.contended {
            Some(contended) if is_open => {
                let count = |n: u64, dim: &Option<DimValues>| Some(n.saturating_mul(dim.as_ref()?.count));
                let bytes = |array: ArrayId| {
                    let array = &self.arrays[array.index()].array;
                    array.bytes_of(0, array.len() as u64) as u64
                };
                contended.threads(threads, self.dims.iter().try_fold(1, count), bytes)
            }
            _ => threads,
        };
        let chunk = self.clauses.chunk.map(|n| u64::try_from(n).unwrap_or(u64::MAX));
        let schedule = match self.clauses.schedule {
            Some(Schedule::Static(_)) => Schedule::Static(chunk),
            Some(Schedule::Dynamic(_)) => Schedule::Dynamic(chunk.unwrap_or(1)),
            Some(Schedule::Guided(_)) => Schedule::Guided(chunk.unwrap_or(1)),
            Some(Schedule::Auto) => Schedule::Auto,
            None => context.env.schedule,
        };
        let claims = self.claiming.as_ref().map(|checked| checked.arrays.len() as u32);
        let (shared, scattered, light, pace) = (false, 0, false, Some(&self.site.pace));
        Outcome::Host(HostRun { serial, claims, scattered, threads, apart, shared, light, pace, schedule })
    }

    /// How the loop runs whose iterations would claim elements: without claims where they are found to keep apart, with what
    /// the arrays hold now that it only reads.
    #[must_use]
    pub fn kept_apart(&self, run: HostRun) -> HostRun {
        let apart = |decided: &Arc<LaunchDecisions>| decided.keep_apart(self.site, &self.arrays, run.threads);
        let requested = run.claims.is_some() && !run.serial && !self.is_task;
        match self.decided.as_ref().filter(|_| requested).and_then(apart) {
            Some(scattered) => HostRun { claims: None, scattered, ..run },
            None => run,
        }
    }

    /// Reports the arrays whose host copy differs from the device's, where data directives keep them.
    pub(super) fn report_host_copies(&self, context: &Context) {
        for device in context.registry.known() {
            for (mapped, name) in self.arrays.iter().zip(&self.site.names) {
                let Found::Here(presence) = device.present.find(mapped) else { continue };
                for entry in presence.entries().filter(|entry| entry.is_written()) {
                    observe::host_copy(&self.site.place, device, name, &entry.mapping(), entry.place);
                }
            }
        }
    }

    /// Runs the loop on the host. Its panic goes on with the text of the error that [`Self::try_on_host`] gives.
    #[track_caller]
    pub fn on_host<R>(&mut self, body: impl FnOnce() -> R) -> R {
        wrap_hook();
        let host = self.host_loop();
        match host.run(body) {
            Ok(value) => value,
            Err(record) => host.resume(*record),
        }
    }

    /// Runs the loop on the host.
    ///
    /// # Errors
    /// [`Error::Panic`] when it panics.
    pub fn try_on_host<R>(&mut self, body: impl FnOnce() -> R) -> Result<R, Error> {
        wrap_hook();
        let host = self.host_loop();
        host.run(body).map_err(|record| host.error(&record))
    }

    /// Runs what may panic as a part of the region that is no loop.
    pub(in crate::launch) fn quietly(&mut self, run: impl FnOnce(&mut Self)) -> Result<(), Error> {
        wrap_hook();
        watch(|| run(&mut *self)).map_err(|record| self.host_loop().error(&record))
    }

    pub(crate) fn host_loop(&self) -> HostLoop {
        let quiet = self.trial.is_some();
        let (started, fallback, scope) = (self.started, self.fallback.clone(), self.scope.clone());
        HostLoop { site: self.site, started, fallback, quiet, scope, decided: self.decided.clone() }
    }
}
