//! The present table against a simple model: random sequences of directives, kernels and host writes, with faults of
//! the device among them. After each step the table, the host's memory and the number of live buffers are what the
//! model says.
#![allow(
    clippy::redundant_closure_for_method_calls,
    clippy::redundant_closure,
    reason = "methods of one lifetime only"
)]
mod model;
mod threads;

use super::array::HostArray;
use super::block::{Block, Coming, Ending, FailureSeen, Last, User};
use super::directive::region::DataRegion;
use super::directive::work::{DataMap, Map};
use super::directive::{DataSite, Directive};
use super::present::{Found, Presence, Table, range};
use super::section::Mapped;
use crate::backend::Unavailable;
use crate::backend::api::DeviceError;
use crate::backend::erased::{DynBuffer, DynDevice, DynEvent, DynQueue, erase};
use crate::backend::mock::{Control, Mock, Op, Order};
use crate::cache::DiskCache;
use crate::device::Dev;
use crate::device::registry::Registry;
use crate::env::Env;
use crate::error::Error;
use crate::launch::Context;
use model::{Held, Model, Part, Row, Sought, Went, went};
use omp_kernels::schedule::DeviceKind;
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

static SITE: DataSite = DataSite::new("model", "model.rs", 3, 5);

fn surroundings() -> (&'static Context, Arc<Control>) {
    let control = Arc::<Control>::default();
    let given = Arc::clone(&control);
    let registry = Registry::new(
        Box::new(move || Ok(vec![erase(Mock::with_control(DeviceKind::Cuda, Arc::clone(&given)))])),
        Box::new(|| Err(Unavailable { reason: "there is none".into() })),
    );
    let env = Env::parse(|_| None).expect("nothing is malformed");
    let context = Context {
        tuner: crate::tune::Tuner::new(&env),
        env,
        registry: Box::leak(Box::new(registry)),
        disk: None::<DiskCache>,
    };
    (Box::leak(Box::new(context)), control)
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

/// A region that is open: the guard, its parts, and what the model says that it holds.
struct Open {
    guard: DataRegion,
    parts: Vec<Part>,
    held: Held,
}

struct Run {
    context: &'static Context,
    control: Arc<Control>,
    device: &'static Dev,
    random: Random,
    host: [Vec<u32>; 2],
    model: Model,
    open: Vec<Open>,
    /// The device was made to fail.
    faulty: bool,
}

const LENGTHS: [usize; 2] = [12, 5];

fn as_signed(x: &mut [u32]) -> &mut [i32] {
    // SAFETY: the same size and alignment, and any bits are a value of both.
    unsafe { std::slice::from_raw_parts_mut(x.as_mut_ptr().cast(), x.len()) }
}

impl Run {
    fn new(seed: u64, context: &'static Context, control: Arc<Control>) -> Self {
        let device = context.registry.get(0).expect("the mock");
        let host = LENGTHS.map(|n| (0..n as u32).collect::<Vec<_>>());
        let mut model = Model::default();
        model.host.clone_from(&host);
        Self { context, control, device, random: Random(seed), host, model, open: Vec::new(), faulty: false }
    }

    fn part(&mut self, array: usize, types: &[DataMap]) -> Part {
        let n = LENGTHS[array];
        let r = &mut self.random;
        // Sections that overlap often.
        let (mut lo, mut hi) = [(0, n), (0, n / 2), (n / 2, n), (1, n - 1), (2, 3), (n, n)][r.below(6)];
        if r.one_in(4) {
            (lo, hi) = (r.below(n + 1), r.below(n + 1));
            (lo, hi) = (lo.min(hi), lo.max(hi));
        }
        let map = Map { ty: types[r.below(types.len())], always: r.one_in(4), present: r.one_in(6) };
        Part { array, signed: r.one_in(12), lo, hi, map }
    }

    /// One or two sections of an array.
    fn sections(&mut self, array: usize, types: &[DataMap]) -> Vec<Part> {
        let part = self.part(array, types);
        let (mut first, mut second) = (part, part);
        if !self.random.one_in(3) || part.hi - part.lo < 2 {
            return vec![part];
        }
        first.hi = part.lo + 1 + self.random.below(part.hi - part.lo - 1);
        second.lo = first.hi + self.random.below(part.hi - first.hi);
        if self.random.one_in(2) { vec![first, second] } else { vec![second, first] }
    }

    fn parts(&mut self, types: &[DataMap]) -> Vec<Part> {
        let first = self.random.below(2);
        let mut parts = self.sections(first, types);
        if self.random.one_in(3) {
            parts.extend(self.sections(1 - first, types));
        }
        parts
    }

    /// A directive of these parts.
    fn directive<R>(&mut self, parts: &[Part], run: impl FnOnce(&Directive<'_>) -> R) -> R {
        let [a, b] = &mut self.host;
        let mut arrays = [Some(a), Some(b)];
        let mut d = Directive::new(&SITE).within(self.context);
        for p in parts {
            let name = ["a", "b"][p.array];
            match arrays[p.array].take() {
                Some(x) if p.signed => d.map(name, p.map, HostArray::write(as_signed(x))),
                Some(x) => d.map(name, p.map, HostArray::write(&mut x[..])),
                // A further section.
                None => {}
            }
            d.section(p.lo, p.hi);
        }
        run(&d)
    }

    /// Ends a region.
    fn leave(&mut self, open: &mut Open) -> Result<(), Error> {
        let [a, b] = &mut self.host;
        let mut arrays = [Some(a), Some(b)];
        let mut leaving = open.guard.leave();
        for p in &open.parts {
            match arrays[p.array].take() {
                Some(x) if p.signed => leaving.item(HostArray::write(as_signed(x))),
                Some(x) => leaving.item(HostArray::write(&mut x[..])),
                None => {}
            }
            leaving.section(p.lo, p.hi);
        }
        leaving.try_end()
    }

    fn fault(&mut self) {
        let op = [Op::Alloc, Op::Upload, Op::Download][self.random.below(3)];
        let error = match op {
            Op::Alloc => DeviceError::OutOfMemory { requested: 64, free: 0 },
            _ => DeviceError::Transfer { reason: "bus error".into() },
        };
        let n = 1 + self.random.below(2);
        self.control.fail(op, n, error);
        self.faulty = true;
    }

    fn step(&mut self) {
        use DataMap::{Alloc, Delete, From, Release, To, ToFrom};
        let what = self.random.below(12);
        match what {
            0 | 1 => {
                let parts = self.parts(&[To, Alloc]);
                let result = self.directive(&parts, |d| d.try_enter());
                let before = self.model.clone();
                let (expected, _) = self.model.enter(&parts);
                self.compare("enter", went(&result), expected, before);
            }
            2 | 3 => {
                let array = self.random.below(2);
                let parts = self.sections(array, &[From, Release, Delete, Release]);
                let result = self.directive(&parts, |d| d.try_exit());
                let mut failed = self.model.clone();
                // References are dropped all the same.
                let kept = failed.host.clone();
                failed.exit(&parts);
                failed.host = kept;
                let expected = self.model.exit(&parts);
                self.compare("exit", went(&result), expected, failed);
            }
            4 | 5 if self.open.len() < 4 => {
                let parts = self.parts(&[To, From, ToFrom, Alloc]);
                let result = self.directive(&parts, |d| d.try_open());
                let before = self.model.clone();
                let (expected, held) = self.model.enter(&parts);
                self.compare("open", went(&result), expected, before);
                if let Ok(guard) = result {
                    self.open.push(Open { guard, parts, held });
                }
            }
            6 | 7 if !self.open.is_empty() => {
                // Mostly the last, but overlapping in time is fine.
                let at = if self.random.one_in(3) { 0 } else { self.open.len() - 1 };
                let mut open = self.open.remove(at);
                if self.random.one_in(5) {
                    let guard = open.guard;
                    let _ = catch_unwind(AssertUnwindSafe(move || {
                        let _guard = guard;
                        resume_unwind(Box::new(()));
                    }));
                    self.model.release_all(&open.parts, &open.held);
                    return;
                }
                let result = self.leave(&mut open);
                let mut failed = self.model.clone();
                failed.leave(&open.parts, &open.held);
                let expected = self.model.leave(&open.parts, &open.held);
                self.compare("leave", went(&result), expected, failed);
            }
            8 => {
                let array = self.random.below(2);
                let parts = self.sections(array, &[To, From]);
                let result = self.directive(&parts, |d| d.try_update());
                let before = self.model.clone();
                let expected = self.model.update(&parts);
                self.compare("update", went(&result), expected, before);
            }
            9 => {
                let (array, at) = (self.random.below(2), self.random.below(5));
                let value = self.random.below(1000) as u32;
                self.host[array][at] = value;
                self.model.host[array][at] = value;
            }
            _ => self.kernel(),
        }
    }

    /// What a region does: it uses what is present where it stands.
    fn kernel(&mut self) {
        let array = self.random.below(2);
        let p = self.part(array, &[DataMap::To]);
        let section = (p.lo as u64, p.hi as u64);
        let x = &mut self.host[array];
        let whole =
            if p.signed { HostArray::write(as_signed(x)).raw() } else { HostArray::write(&mut x[..]).raw() };
        let mapped = Mapped { section, ..Mapped::whole(whole) };
        match (self.device.present.find(&mapped), self.model.find(&p)) {
            (Found::Here(presence), Sought::Here(rows)) => {
                rows.iter().for_each(|r| self.model.rows[*r].written = true);
                presence.entries().for_each(|entry| entry.write());
                self.run_kernel(&p, &mapped, &presence);
            }
            (Found::Absent, Sought::Absent) | (Found::Misfit(_), Sought::Misfit) => {}
            (found, _) => panic!("{p:?}: {found:?}, {:?}", self.model.rows),
        }
    }

    /// Adds 7 to the first element, or overwrites all.
    fn run_kernel(&mut self, p: &Part, mapped: &Mapped, presence: &Presence) {
        let block = presence.block();
        let put = |this: &Self, at: u128, bytes: &[MaybeUninit<u8>]| {
            this.device.handle.upload(&block.buffer, block.offset(at), bytes)
        };
        let (lo, hi) = range(mapped);
        let overwrites = self.random.one_in(3);
        if overwrites {
            let value = self.random.below(1000) as u32;
            for i in p.lo..p.hi {
                let at = mapped.array.address(i as u64);
                if put(self, at, &value.to_ne_bytes().map(MaybeUninit::new)).is_err() {
                    // What a failed kernel should have written has no value, unless it had one before.
                    assert!(self.faulty, "nothing was to fail");
                    self.learn();
                    return;
                }
                self.model.store(p.array, i, value);
            }
            presence.entries().for_each(|entry| entry.fill(lo, hi));
            return;
        }
        for (entry, (lo, hi)) in presence.missing(lo, hi) {
            // SAFETY: the array is this run's.
            let host = unsafe { mapped.array.bytes_at(lo, hi) };
            if put(self, lo, host).is_err() {
                assert!(self.faulty, "nothing was to fail");
                self.learn();
                return;
            }
            entry.fill(lo, hi);
        }
        self.model.complete(p);
        let value = self.model.load(p.array, p.lo).expect("it has a value").wrapping_add(7);
        if put(self, lo, &value.to_ne_bytes().map(MaybeUninit::new)).is_ok() {
            self.model.store(p.array, p.lo, value);
        } else {
            assert!(self.faulty, "nothing was to fail");
        }
    }

    /// Judges a step. `failed` is the model where the device fails in it.
    fn compare(&mut self, what: &str, got: Went, expected: Went, failed: Model) {
        if got == Went::Fault {
            assert!(self.faulty, "{what}: nothing was to fail");
            let known = std::mem::replace(&mut self.model, failed);
            self.model.keep_memory(known);
            // Copies before the failure have been made; the rest is unchanged.
            self.model.host.clone_from(&self.host);
            self.learn();
        } else {
            assert_eq!(got, expected, "{what}");
        }
    }

    /// Takes over the values on the device.
    fn learn(&mut self) {
        for row in &mut self.model.rows {
            let x = &mut self.host[row.array];
            let whole = if row.signed {
                HostArray::write(as_signed(x)).raw()
            } else {
                HostArray::write(&mut x[..]).raw()
            };
            let mapped = Mapped { section: (row.lo as u64, row.hi as u64), ..Mapped::whole(whole) };
            let Found::Here(presence) = self.device.present.find(&mapped) else { panic!("{row:?} is lost") };
            let block = presence.block();
            row.device.fill(None);
            for (lo, hi) in presence.entries().flat_map(|entry| entry.filled(0, u128::MAX)) {
                let mut bytes = vec![MaybeUninit::uninit(); (hi - lo) as usize];
                while self.device.handle.download(&mut bytes, &block.buffer, block.offset(lo)).is_err() {}
                let first = (lo - mapped.array.address(0)) as usize / 4 - row.lo;
                for (value, bytes) in row.device[first..].iter_mut().zip(bytes.chunks_exact(4)) {
                    // SAFETY: the download has filled all of them.
                    let bytes: [u8; 4] = std::array::from_fn(|i| unsafe { bytes[i].assume_init() });
                    *value = Some(u32::from_ne_bytes(bytes));
                }
            }
        }
    }

    fn check(&self) {
        assert_eq!(self.host, self.model.host);
        let mut want: Vec<_> = self
            .model
            .rows
            .iter()
            .map(|r| (r.array, r.lo as u64, r.hi as u64, r.signed, r.references))
            .collect();
        want.sort_unstable();
        let mut got: Vec<_> = self
            .device
            .present
            .list()
            .into_iter()
            .map(|r| {
                let array = usize::from(r.variable == "b");
                (array, r.elements.0, r.elements.1, r.of == "i32", r.references)
            })
            .collect();
        got.sort_unstable();
        assert_eq!(got, want);
        // Deleted memory lives on while a region holds it.
        let held = self.open.iter().flat_map(|o| o.held.iter().flatten().copied());
        assert_eq!(self.control.live_buffers(), isize::try_from(self.model.buffers(held)).expect("few"));
    }

    fn end(mut self) {
        while let Some(mut open) = self.open.pop() {
            let _ = self.leave(&mut open);
        }
        for row in self.model.rows.clone() {
            let map = Map { ty: DataMap::Delete, always: false, present: false };
            let Row { array, signed, lo, hi, .. } = row;
            let part = Part { array, signed, lo, hi, map };
            let _ = self.directive(&[part], |d| d.try_exit());
        }
        assert!(self.device.present.is_empty());
        assert_eq!(self.control.live_buffers(), 0, "it leaks");
    }
}

fn sequences(count: u64, faults: bool) {
    let (context, control) = surroundings();
    for seed in 0..if cfg!(miri) { count / 2000 } else { count } {
        let mut run = Run::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15), context, Arc::clone(&control));
        let steps = 1 + run.random.below(12);
        for step in 0..steps {
            if faults && run.random.one_in(3) {
                run.fault();
            }
            let result = catch_unwind(AssertUnwindSafe(|| {
                run.step();
                run.check();
            }));
            if let Err(payload) = result {
                eprintln!("sequence {seed}, step {step}");
                resume_unwind(payload);
            }
        }
        control.forgive();
        run.end();
    }
}

#[test]
fn sequences_of_directives_agree_with_the_model() {
    sequences(60_000, false);
}

#[test]
fn sequences_with_faults_agree_with_the_model() {
    sequences(40_000, true);
}

#[test]
fn tables_start_empty() {
    assert!(Table::default().is_empty());
    assert_eq!(Table::default().list(), []);
}

/// A device whose queues run their work only on request, and 64 bytes of its memory.
fn late() -> (Arc<Control>, Box<dyn DynDevice>, DynQueue, DynBuffer) {
    let control = Arc::<Control>::default();
    let device = erase(Mock::with_control(DeviceKind::Cuda, Arc::clone(&control)));
    control.order(Order::Late);
    let (queue, buffer) =
        (device.queue().expect("there are queues"), device.alloc(64usize.into()).expect("there is room"));
    (control, device, queue, buffer)
}

/// A wait for memory's tasks does not hide them from other threads that look meanwhile.
#[test]
fn tasks_on_memory_are_listed_until_they_have_ended() {
    let (control, _device, queue, buffer) = late();
    // Each question does one of them.
    (0..8).for_each(|_| queue.zero(&buffer, 0, 64).expect("it is queued"));
    let last = queue.record(false).expect("it is recorded");
    let block = Block::new(buffer, (0, 64));
    let by = |queue| User { queue, scope: queue as usize, guarded: false };
    block.used((0, 32), true, by(queue.number()), Ending::queued(&last, &[], &FailureSeen::default()));
    // As if the wait were not over.
    control.fail(Op::Await, 1, DeviceError::Transfer { reason: "not yet".into() });
    assert!(block.settle().is_err());
    assert!(!last.is_reached().expect("it works"));
    assert_eq!(block.before((16, 48), false, by(queue.number() + 1)).expect("it is queued").follows.len(), 1);
    block.settle().expect("they end well");
    assert!(last.is_reached().expect("it works"));
    assert_eq!(block.before((16, 48), false, by(queue.number() + 1)).expect("it is queued").follows.len(), 0);
}

/// What another thread was to queue, and failed at.
#[derive(Debug, Default)]
struct Fails;

impl Coming for Fails {
    fn event(&self) -> Result<DynEvent, DeviceError> {
        Err(DeviceError::Transfer { reason: "no".into() })
    }

    fn known(&self) -> Option<Result<DynEvent, DeviceError>> {
        Some(self.event())
    }
}

/// If an update fails before it is queued, its results are not used, and the updates before it are still waited for.
#[test]
fn an_update_that_was_not_queued_fails_all_that_need_it() {
    let (_control, _device, queue, buffer) = late();
    (0..8).for_each(|_| queue.zero(&buffer, 0, 64).expect("it is queued"));
    let last = queue.record(false).expect("it is recorded");
    let block = Block::new(buffer, (0, 64));
    let by = |queue| User { queue, scope: queue as usize, guarded: false };
    let (well, seen) = (Ending::queued(&last, &[], &FailureSeen::default()), FailureSeen::default());
    let failed = Ending { last: Last::Coming(Arc::new(Fails)), needs: Vec::new(), seen: seen.clone() };
    block.used((0, 32), true, by(queue.number()), well.clone());
    block.used((0, 64), true, by(queue.number()), failed);
    // Neither what covers it nor many others take it away.
    (0..20).for_each(|_| {
        block.used((0, 64), true, by(queue.number()), well.clone());
        block.used((40, 44), false, by(queue.number()), well.clone());
    });
    assert!(block.before((16, 48), false, by(queue.number() + 1)).is_err());
    for _ in 0..3 {
        assert!(block.settle().is_err());
    }
    assert!(last.is_reached().expect("it works"), "it was waited for");
    seen.set_seen();
    block.settle().expect("its function has got the error");
    assert_eq!(block.before((16, 48), false, by(queue.number() + 1)).expect("the same").follows.len(), 0);
}

/// The same of what fails on the device, and of what other functions' tasks made of it.
#[test]
fn a_failure_on_the_device_fails_all_that_need_it() {
    let control = Arc::<Control>::default();
    let device = erase(Mock::with_control(DeviceKind::Cuda, Arc::clone(&control)));
    control.order(Order::Late);
    let block = Block::new(device.alloc(64usize.into()).expect("there is room"), (0, 64));
    let queues = [(); 3].map(|()| device.queue().expect("there are queues"));
    let by = |at: usize| User { queue: queues[at].number(), scope: at + 1, guarded: false };
    let end = |at: usize| queues[at].record(false).expect("it is recorded");
    let seen = [(); 3].map(|()| FailureSeen::default());
    // Each question does one of them.
    let zero = |at: usize| (0..20).for_each(|_| queues[at].zero(&block.buffer, 0, 64).expect("it is queued"));
    control.fail(Op::Work, 1, DeviceError::Transfer { reason: "no".into() });
    zero(0);
    block.used((0, 32), true, by(0), Ending::queued(&end(0), &[], &seen[0]));
    // One that covers it, by another function.
    let predecessors = block.before((0, 64), true, by(1)).expect("the failure is not known yet");
    assert_eq!((predecessors.follows.len(), predecessors.needs.len()), (1, 1));
    queues[1].follow(&predecessors.follows[0]).expect("it is queued");
    zero(1);
    let covers = end(1);
    block.used((0, 64), true, by(1), Ending::queued(&covers, &predecessors.needs, &seen[1]));
    let predecessors = block.before((0, 8), false, by(2)).expect("the failure is not known yet");
    assert_eq!(
        (predecessors.follows.len(), predecessors.needs.len()),
        (1, 3),
        "the one that is covered, and what the other needs"
    );
    assert!(covers.wait().is_ok() && predecessors.needs[0].wait().is_err());
    for _ in 0..3 {
        assert!(block.settle().is_err() && block.before((0, 8), false, by(2)).is_err());
    }
    assert!(block.before((40, 48), true, by(0)).is_err(), "the other one needs it");
    seen[0].set_seen();
    assert!(block.settle().is_err() && block.before((0, 8), false, by(2)).is_err(), "one does not know yet");
    seen[1].set_seen();
    block.settle().expect("all know");
    assert_eq!(block.before((0, 64), true, by(2)).expect("the same").follows.len(), 0);
    // The failure of a task without results there concerns its own function alone.
    control.fail(Op::Work, 1, DeviceError::Transfer { reason: "no".into() });
    zero(2);
    block.used((0, 64), false, by(2), Ending::queued(&end(2), &[], &seen[2]));
    block.settle().expect("it left nothing");
}

/// Of many tasks of one function, each after the one before it, only the last is checked.
#[test]
fn many_tasks_on_memory_need_few_checks() {
    let (_control, _device, queue, buffer) = late();
    let block = Block::new(buffer, (0, 64));
    let by = |scope| User { queue: queue.number() + u32::from(scope > 1), scope, guarded: false };
    for _ in 0..if cfg!(miri) { 50 } else { 1000 } {
        queue.zero(&block.buffer, 0, 64).expect("it is queued");
        let last = queue.record(false).expect("it is recorded");
        let predecessors = block.before((0, 64), true, by(1)).expect("they are queued");
        assert_eq!((predecessors.follows.len(), predecessors.needs.len()), (0, 0));
        block.used((0, 64), true, by(1), Ending::queued(&last, &[], &FailureSeen::default()));
    }
    let predecessors = block.before((0, 64), true, by(2)).expect("they are queued");
    assert_eq!(predecessors.follows.len(), 1, "the last is after all of them");
    block.settle().expect("they go well");
}
