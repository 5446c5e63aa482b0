//! Random sequences of everything: data regions, unstructured data, updates, tasks on the device and on the host, target blocks,
//! device memory and host accesses, on the mock's unordered queues, compared with a simple model; and with a fault at any step.
mod interleavings;
mod model;

use super::templates::{context, saxpy as saxpy_site};
use super::upto;
use crate::backend::api::DeviceError;
use crate::backend::mock::{Control, Op, Order};
use crate::data::HostArray;
use crate::data::device_slice::DeviceSlice;
use crate::data::directive::region::DataRegion;
use crate::data::directive::work::{DataMap, Map};
use crate::data::directive::{DataSite, Directive};
use crate::error::Error;
use crate::launch::{Context, Launched, Outcome, Region, TypedSite};
use crate::task::{Depends, Guarded, Made, TaskArray, Tasks, Used};
use model::{Held, Model, N, Part, Wrong};
use std::cell::Cell;

static SITE: DataSite = DataSite::new("together", "user.rs", 1, 1);

struct Values(u64);

impl Values {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    fn index(&mut self, n: usize) -> usize {
        self.below(n as u64) as usize
    }

    fn section(&mut self) -> (usize, usize) {
        match self.below(3) {
            0 => (0, N),
            _ => {
                let (a, b) = (self.index(N + 1), self.index(N + 1));
                (a.min(b), a.max(b))
            }
        }
    }
}

fn start() -> [[f32; N]; 3] {
    [1.0, 2.0, 3.0].map(|s| std::array::from_fn(|i| s + i as f32))
}

fn plain(ty: DataMap) -> Map {
    Map { ty, always: false, present: false }
}

/// How a step went, as the model words it; other errors are the device's.
fn wrong(result: Result<(), Error>) -> Result<Result<(), Wrong>, Error> {
    match result {
        Ok(()) => Ok(Ok(())),
        Err(Error::NotPresent { .. }) => Ok(Err(Wrong::NotPresent)),
        Err(Error::PartlyPresent { .. }) => Ok(Err(Wrong::Misfit)),
        Err(other) => Err(other),
    }
}

/// Where a task is to run.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Device,
    Host,
}

type Guard<'t, 'a> = TaskArray<'t, 'a, f32, Made>;

/// How sequences are chosen.
#[derive(Clone)]
struct Style {
    /// One of so many tasks is the host's.
    host: u64,
    /// The loop on the host's threads that panics, counted from 1.
    panics: Cell<u32>,
    /// Whether other threads of the system's have a part in it.
    threads: bool,
}

impl Default for Style {
    fn default() -> Self {
        Self { host: 4, panics: Cell::new(0), threads: true }
    }
}

/// One run: the real state and the model.
struct Run<'t> {
    context: &'static Context,
    site: &'static TypedSite,
    tasks: &'t Tasks,
    model: Model,
    /// Data regions that are open.
    open: Vec<(DataRegion, Held)>,
    style: Style,
    /// The first that the device failed at: from then on nothing is compared.
    fault: Option<Error>,
}

/// `y[..n] += a x[..n]`.
fn region(
    site: &'static TypedSite,
    context: &'static Context,
    (a, n): (f32, usize),
    arrays: [&HostArray<'_, f32>; 2],
) -> Region {
    let mut region = Region::of(site).within(context);
    arrays.into_iter().for_each(|array| region.array(array));
    region.scalar(&a);
    region.dim(upto(n));
    region
}

impl Run<'_> {
    /// Compares how a step went with the model.
    fn judge(&mut self, got: Result<(), Error>, want: Result<(), Wrong>, what: &dyn std::fmt::Debug) {
        if self.fault.is_some() {
            return;
        }
        match wrong(got) {
            Ok(got) => assert_eq!(got, want, "{what:?}"),
            Err(error) => self.fault = Some(error),
        }
    }

    /// Ends all tasks: `want` is what the last of them found wrong.
    fn wait(&mut self, want: Result<(), Wrong>, what: &dyn std::fmt::Debug) {
        let got = self.tasks.try_wait();
        self.judge(got, want, what);
    }

    /// Before the host uses a guard's data.
    fn settle(&mut self, used: Used) {
        let got = self.tasks.try_settle(&[used]);
        self.judge(got, Ok(()), &"before the host");
    }

    fn directive(&self, (k, lo, hi): Part, ty: DataMap, array: HostArray<'_, f32>) -> Directive<'static> {
        let mut directive = Directive::new(&SITE).within(self.context);
        // SAFETY: tests keep the arrays until the directive has run.
        let array = unsafe { std::mem::transmute::<HostArray<'_, f32>, HostArray<'static, f32>>(array) };
        directive.map(["a", "b", "c"][k], plain(ty), array);
        directive.section(lo, hi);
        directive
    }

    fn region(&self, a: f32, n: usize, arrays: [&HostArray<'_, f32>; 2]) -> Region {
        region(self.site, self.context, (a, n), arrays)
    }

    /// Launches `y[..n] += a x[..n]` as generated code does.
    fn launch(
        &self,
        mut region: Region,
        (a, n): (f32, usize),
        arrays: [&HostArray<'_, f32>; 2],
        used: &[Used],
    ) {
        let depends = Depends::new();
        let failed = match self.tasks.launch(&mut region, used, &depends) {
            Ok(Launched::Later(_) | Launched::Not | Launched::Now(Outcome::Done)) => return,
            Ok(Launched::Now(Outcome::Host(run))) => {
                // SAFETY: the guards wait for it.
                let [x, y] = arrays.map(|array| unsafe { array.guarded(used) });
                let panics = self.style.panics.get() == 1;
                self.style.panics.set(self.style.panics.get().saturating_sub(1));
                let work = move || {
                    // SAFETY: the tasks ensure that no other code uses these elements.
                    let (x, y) = unsafe { (x.array(), y.array()) };
                    // SAFETY: as before.
                    let (x, y) = unsafe { (x.slice(), y.task_elements()) };
                    (0..n).for_each(|i| y[i] += a * x[i]);
                    if panics {
                        std::panic::resume_unwind(Box::new("in the middle"));
                    }
                };
                self.tasks.on_host(&mut region, run, (used, &depends), &[0, 1], work)
            }
            Err(error) => Err(error),
        };
        if let Err(error) = failed {
            self.tasks.failed(used, error);
        }
    }

    fn task(
        &mut self,
        op: (f32, usize, usize, usize),
        place: Place,
        waits: bool,
        guards: &mut [Guard<'_, '_>],
    ) {
        let (a, x, y, n) = op;
        let [gx, gy] = guards.get_disjoint_mut([x, y]).expect("they differ");
        let used = [gx.used(false), gy.used(true)];
        let (xs, ys) = (gx.task_read(), gy.task_write());
        let mut region = self.region(a, n, [&xs, &ys]);
        region.condition(place == Place::Device);
        if waits {
            region.may_wait();
        }
        self.launch(region, (a, n), [&xs, &ys], &used);
        let want = match place {
            Place::Host => {
                self.model.on_host(op);
                Ok(())
            }
            Place::Device => self.model.on_device(op),
        };
        if want.is_err() {
            self.wait(want, &("a task", op));
        }
    }

    /// A target block that is a task.
    fn block(
        &mut self,
        (x, y): (usize, usize),
        brings: bool,
        loops: &[(f32, usize)],
        guards: &mut [Guard<'_, '_>],
    ) {
        let [gx, gy] = guards.get_disjoint_mut([x, y]).expect("they differ");
        let used = [gx.used(true), gy.used(true)];
        let back = if brings { DataMap::ToFrom } else { DataMap::Alloc };
        if self.tasks.open(&used) {
            let mut directive = Directive::new(&SITE).within(self.context);
            directive.map("x", plain(DataMap::To), gx.task_read());
            directive.map("y", plain(back), gy.task_write());
            match directive.try_open_block() {
                Err(error) => self.tasks.failed(&used, error),
                Ok(mut block) => {
                    for &(a, n) in loops {
                        let (xs, ys) = (gx.task_read(), gy.task_write());
                        let mut region = self.region(a, n, [&xs, &ys]);
                        region.inside(&block);
                        self.launch(region, (a, n), [&xs, &ys], &used);
                    }
                    let mut leaving = block.leave();
                    leaving.item(gx.task_read());
                    leaving.item(gy.task_write());
                    self.tasks.close(leaving, &used, &Depends::new());
                }
            }
        }
        let want = self.model.block((x, y), brings, loops);
        if want.is_err() {
            self.wait(want, &("a block", x, y));
        }
    }

    /// Directives that are no tasks.
    fn directly(&mut self, kind: u64, part: Part, v: &mut Values, guards: &mut [Guard<'_, '_>]) {
        let g = &mut guards[part.0];
        self.settle(g.used(true));
        match kind {
            0 => {
                let ty = [DataMap::To, DataMap::Alloc][v.index(2)];
                let got = self.directive(part, ty, g.task_read()).try_enter();
                let want = self.model.enter(part, ty).map(drop);
                self.judge(got, want, &("enter", part, ty));
            }
            1 => {
                let ty = [DataMap::From, DataMap::Release, DataMap::Delete][v.index(3)];
                let got = self.directive(part, ty, g.task_write()).try_exit();
                let want = self.model.exit(part, ty);
                self.judge(got, want, &("exit", part, ty));
            }
            2 => {
                let back = v.below(2) == 0;
                let ty = if back { DataMap::From } else { DataMap::To };
                let got = self.directive(part, ty, g.task_write()).try_update();
                let want = self.model.update(part, back);
                self.judge(got, want, &("update", part, ty));
            }
            _ => {
                let ty = [DataMap::To, DataMap::ToFrom, DataMap::From, DataMap::Alloc][v.index(4)];
                let opened = self.directive(part, ty, g.task_write()).try_open();
                let want = self.model.enter(part, ty);
                let held = want.unwrap_or_default();
                let got = opened.map(|region| self.open.push((region, (part, ty, held))));
                self.judge(got, want.map(drop), &("open", part, ty));
            }
        }
    }

    fn leave(&mut self, guards: &mut [Guard<'_, '_>]) {
        let Some((mut region, held)) = self.open.pop() else { return };
        let ((k, lo, hi), ty, _) = held;
        self.settle(guards[k].used(true));
        let mut leaving = region.leave();
        leaving.item(guards[k].task_write());
        leaving.section(lo, hi);
        let got = leaving.try_end();
        let want = self.model.leave(held);
        self.judge(got, want, &("leave", held.0, ty));
    }

    fn update_task(&mut self, part: Part, back: bool, guards: &mut [Guard<'_, '_>]) {
        let g = &mut guards[part.0];
        let used = [g.used(back)];
        let ty = if back { DataMap::From } else { DataMap::To };
        let array = if back { g.task_write() } else { g.task_read() };
        let directive = self.directive(part, ty, array);
        self.tasks.update(&directive, &used, &Depends::new());
        let want = self.model.update(part, back);
        if want.is_err() {
            self.wait(want, &("an update", part, back));
        }
    }

    /// Device memory: a task that adds an array to it or it to an array, or its values.
    fn memory(
        &mut self,
        slice: &mut DeviceSlice<f32>,
        (k, n, kind): (usize, usize, u64),
        g: &mut Guard<'_, '_>,
    ) {
        let Ok(home) = self.model.home(k, n) else { return };
        match kind {
            0 => {
                let used = [g.used(true)];
                let (xs, ys) = (slice.__array(), g.task_write());
                self.launch(self.region(2.0, n, [&xs, &ys]), (2.0, n), [&xs, &ys], &used);
                for i in 0..n {
                    let value = self.model.load(k, home, i) + 2.0 * self.model.slice[i];
                    self.model.store(k, home, i, value);
                }
            }
            1 => {
                let used = [g.used(false)];
                let (xs, ys) = (g.task_read(), slice.__array_mut());
                self.launch(self.region(0.5, n, [&xs, &ys]), (0.5, n), [&xs, &ys], &used);
                for i in 0..n {
                    self.model.slice[i] += 0.5 * self.model.load(k, home, i);
                }
            }
            2 => {
                let got = slice.try_to_host();
                match got {
                    Ok(got) if self.fault.is_none() => {
                        // A task on it may have failed.
                        let failed = self.tasks.try_wait();
                        self.judge(failed, Ok(()), &"before a slice is read");
                        if self.fault.is_none() {
                            assert_eq!(got, self.model.slice);
                        }
                    }
                    Ok(_) => {}
                    Err(error) => self.judge(Err(error), Ok(()), &"a slice is read"),
                }
            }
            _ => {
                let values = [n as f32; N];
                let got = slice.try_copy_from(&values);
                self.judge(got, Ok(()), &"a slice is written");
                self.model.slice = values;
            }
        }
    }

    /// Another function gets an array to read, and reads it on the device; maybe on another thread.
    fn called(&mut self, (k, n): (usize, usize), g: &Guard<'_, '_>) {
        self.settle(g.used(false));
        let mut sums = [0.0; N];
        let (site, context, x): (_, _, &[f32]) = (self.site, self.context, g);
        let run = |sums: &mut [f32]| {
            let ys = HostArray::write(sums);
            let mut region = region(site, context, (1.0, n), [&HostArray::read(x), &ys]);
            match region.try_run() {
                Ok(Outcome::Done) => Ok(()),
                Ok(Outcome::Host(_)) => {
                    // SAFETY: nothing else came of it.
                    let y = unsafe { ys.task_elements() };
                    region.try_on_host(|| (0..n).for_each(|i| y[i] += x[i]))
                }
                Err(error) => Err(error),
            }
        };
        let elsewhere = self.style.threads && n % 2 == 0;
        let got = if elsewhere {
            let other = |sums| std::thread::scope(|threads| threads.spawn(|| run(sums)).join());
            other(&mut sums).expect("it does not panic")
        } else {
            run(&mut sums)
        };
        let home = if elsewhere { self.model.home_of_another(k, n) } else { self.model.home(k, n) };
        self.judge(got, home.map(drop), &("a called function", k, n));
        let Ok(home) = home else { return };
        for (i, sum) in sums.iter().enumerate().take(n) {
            let want = self.model.load(k, home, i);
            assert!(self.fault.is_some() || *sum == want, "element {i} of array {k}: {sum}, not {want}");
        }
    }

    fn host(&mut self, (k, i): (usize, usize), value: Option<f32>, guards: &mut [Guard<'_, '_>]) {
        self.settle(guards[k].used(value.is_some()));
        match value {
            Some(value) => {
                guards[k][i] = value;
                self.model.host[k][i] = value;
            }
            None if self.fault.is_none() => {
                assert_eq!(&guards[k][..], self.model.host[k], "array {k} is read");
            }
            None => {}
        }
    }

    fn step(&mut self, v: &mut Values, guards: &mut [Guard<'_, '_>], slice: &mut DeviceSlice<f32>) {
        let (i, j) = (v.index(3), v.index(3));
        let (a, n) = (v.below(4) as f32, if v.below(2) == 0 { N } else { v.index(N + 1) });
        let (lo, hi) = v.section();
        let part = (i, lo, hi);
        match v.below(17) {
            0..=3 if i != j => {
                let place = if v.below(self.style.host) == 0 { Place::Host } else { Place::Device };
                self.task((a, i, j, n), place, v.below(2) == 0, guards);
            }
            4 | 5 if i != j => {
                let loops: Vec<_> = (0..v.below(4)).map(|k| (k as f32, if k == 1 { n } else { N })).collect();
                self.block((i, j), a > 0.0, &loops, guards);
            }
            6..=8 => self.directly(v.below(4), part, v, guards),
            9 => self.leave(guards),
            10 | 11 => self.update_task(part, v.below(2) == 0, guards),
            12 => self.memory(slice, (i, n, v.below(4)), &mut guards[i]),
            13 => self.host((i, j), None, guards),
            14 => self.host((i, j), Some(a), guards),
            15 => self.called((i, n), &guards[i]),
            16 => self.wait(Ok(()), &"taskwait"),
            _ => {}
        }
    }

    /// The rows of the device's table, as the model has them.
    fn table(&self, roots: &[usize]) -> Vec<(usize, usize, usize, u64)> {
        let device = self.context.registry.get(0).expect("the mock");
        let mut rows: Vec<_> = device
            .present
            .list()
            .iter()
            .map(|row| {
                let of =
                    |root: &usize| (*root as u128..*root as u128 + 4 * N as u128).contains(&row.addresses.0);
                let k = roots.iter().position(of).expect("an array of ours");
                (k, row.elements.0 as usize, row.elements.1 as usize, row.references)
            })
            .collect();
        rows.sort_unstable();
        rows
    }
}

/// A sequence. Gives the first failure of the device's.
fn run(context: &'static Context, site: &'static TypedSite, seed: u64, steps: u64) -> Option<Error> {
    run_with(context, site, (seed, steps), Style::default())
}

/// The same, in some style.
fn run_with(
    context: &'static Context,
    site: &'static TypedSite,
    (seed, steps): (u64, u64),
    style: Style,
) -> Option<Error> {
    let mut data = start();
    let roots: Vec<usize> = data.iter().map(|a| a.as_ptr().addr()).collect();
    let device = context.registry.get(0).expect("the mock");
    let mut v = Values(seed);
    let (left, fault) = {
        let tasks = Tasks::new(true);
        let model = Model::new(data);
        let mut run = Run { context, site, tasks: &tasks, model, open: Vec::new(), style, fault: None };
        let mut slice = match DeviceSlice::on(device, &run.model.slice) {
            Ok(slice) => slice,
            Err(error) => return Some(error),
        };
        let mut guards: Vec<_> = data.iter_mut().map(|a| super::guard(&tasks, a)).collect();
        for _ in 0..steps {
            run.step(&mut v, &mut guards, &mut slice);
        }
        while !run.open.is_empty() {
            run.leave(&mut guards);
        }
        run.wait(Ok(()), &"the end");
        (0..3).for_each(|k| run.host((k, 0), None, &mut guards));
        if run.fault.is_none() {
            assert_eq!(run.table(&roots), run.model.table());
        }
        let rows = run.table(&roots);
        drop(guards);
        drop(slice);
        (rows, run.fault)
    };
    for (k, lo, hi, _) in left {
        let mut exit = Directive::new(&SITE).within(context);
        exit.map("x", plain(DataMap::Delete), HostArray::read(&data[k]));
        exit.section(lo, hi);
        exit.try_exit().expect("it is in the table");
    }
    assert!(device.present.is_empty());
    fault
}

fn nothing_left(control: &Control) {
    // When a wait has failed, the mock runs work only in the next wait: the work still holds its memory.
    if control.pending() == 0 {
        let left =
            (control.live_landings(), control.live_events(), control.live_queues(), control.live_buffers());
        assert_eq!(left, (0, 0, 0, 0), "landings, events, queues, buffers");
    }
}

/// How many sequences: `OMP_TEST_SEQUENCES`, or as many as every run has time for.
fn sequences(few: u64) -> u64 {
    std::env::var("OMP_TEST_SEQUENCES").ok().and_then(|n| n.parse().ok()).unwrap_or(few)
}

/// The first of them: `OMP_TEST_FIRST`.
fn first() -> u64 {
    std::env::var("OMP_TEST_FIRST").ok().and_then(|n| n.parse().ok()).unwrap_or(1)
}

/// Prints the seed if the test panics.
struct Seed(String);

impl Drop for Seed {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("with {}", self.0);
        }
    }
}

#[test]
fn random_programs_do_what_the_model_does() {
    let (context, control) = context(&[], None);
    let site = saxpy_site(None);
    for seed in first()..sequences(1500) {
        control.run_ahead(seed % 3 == 0);
        control.order(
            [Order::Late, Order::Eager, Order::Random(seed), Order::Random(seed + 7)][seed as usize % 4],
        );
        let shown = Seed(format!("seed {seed}"));
        let fault = run(context, site, seed, 1 + seed % 24);
        assert!(fault.is_none(), "seed {seed}: {fault:?}");
        nothing_left(&control);
        drop(shown);
    }
}

/// What a device can fail at.
fn faults() -> [(Op, DeviceError); 11] {
    [
        (Op::Alloc, DeviceError::OutOfMemory { requested: 32, free: 1 }),
        (Op::Mailbox, DeviceError::OutOfMemory { requested: 32, free: 1 }),
        (Op::Upload, DeviceError::Transfer { reason: "no".into() }),
        (Op::Download, DeviceError::Transfer { reason: "no".into() }),
        (Op::Launch, DeviceError::Launch { reason: "no".into() }),
        (Op::Queue, DeviceError::Launch { reason: "no".into() }),
        (Op::Record, DeviceError::Launch { reason: "no".into() }),
        (Op::Follow, DeviceError::Transfer { reason: "no".into() }),
        (Op::Await, DeviceError::Transfer { reason: "no".into() }),
        (Op::Land, DeviceError::Transfer { reason: "no".into() }),
        (Op::Work, DeviceError::Transfer { reason: "no".into() }),
    ]
}

/// Whether one was reported.
fn with_a_fault(seeds: impl Iterator<Item = u64>) -> bool {
    let ops = faults();
    let (context, control) = context(&[], None);
    let site = saxpy_site(None);
    let mut reported = false;
    for seed in seeds {
        let mut v = Values(seed * 31);
        let (op, error) = &ops[v.index(ops.len())];
        let n = 1 + v.index(12);
        control.run_ahead(seed % 3 == 0);
        control.order(Order::Random(seed));
        control.fail(*op, n, error.clone());
        let shown = Seed(format!("seed {seed}, {op:?} {n}"));
        reported |= run(context, site, seed, 1 + seed % 24).is_some();
        control.forgive();
        nothing_left(&control);
        drop(shown);
    }
    reported
}

#[test]
fn a_fault_at_any_step_is_reported_and_leaks_nothing() {
    // (One that found something once.)
    assert!(with_a_fault((first()..sequences(1500)).chain([336_284])), "some faults are reported");
}
