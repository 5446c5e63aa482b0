//! Tasks on the mock, whose unordered queues run in the worst order: compared with their serial meaning, and with a fault at
//! every step.
use super::templates::{context, saxpy as saxpy_site};
use super::{saxpy, upto};
use crate::backend::api::DeviceError;
use crate::backend::mock::{Control, Op, Order};
use crate::data::HostArray;
use crate::data::directive::work::{DataMap, Map};
use crate::data::directive::{DataSite, Directive};
use crate::error::Error;
use crate::launch::outcome::report::last_region;
use crate::launch::{Context, Launched, Outcome, Region, TypedSite};
use crate::task::{Depends, Guarded, TaskArray, Tasks, Used};

const ENTER: Map = Map { ty: DataMap::To, always: false, present: false };
const BACK: Map = Map { ty: DataMap::From, always: false, present: false };

/// `y += a x` as a task, as generated code launches it.
pub(super) fn task(
    tasks: &Tasks,
    (site, context): (&'static TypedSite, &'static Context),
    a: f32,
    x: &mut TaskArray<'_, '_, f32>,
    y: &mut TaskArray<'_, '_, f32>,
) {
    task_on(tasks, (site, context), a, (x.used(false), x.task_read()), y);
}

fn task_on(
    tasks: &Tasks,
    (site, context): (&'static TypedSite, &'static Context),
    a: f32,
    (x, xs): (Used, HostArray<'_, f32>),
    y: &mut TaskArray<'_, '_, f32>,
) {
    let used = [x, y.used(true)];
    let (n, ys) = (y.len(), y.task_write());
    let mut region = Region::of(site).within(context);
    region.array(&xs);
    region.array(&ys);
    region.scalar(&a);
    region.dim(upto(n));
    match tasks.launch(&mut region, &used, &Depends::new()) {
        Ok(Launched::Later(_) | Launched::Not | Launched::Now(Outcome::Done)) => {}
        Ok(Launched::Now(Outcome::Host(_))) => {
            // SAFETY: nothing else came of it.
            let y = unsafe { ys.task_elements() };
            // SAFETY: no code writes it.
            let x = unsafe { xs.slice() };
            if let Err(error) = region.try_on_host(|| (0..n).for_each(|i| y[i] += a * x[i])) {
                tasks.failed(&used, error);
            }
        }
        Err(error) => tasks.failed(&used, error),
    }
}

fn update(
    tasks: &Tasks,
    (site, context): (&'static DataSite, &'static Context),
    y: &mut TaskArray<'_, '_, f32>,
    back: bool,
) {
    let used = [y.used(back)];
    let mut directive = Directive::new(site).within(context);
    let map = if back { BACK } else { ENTER };
    directive.map("y", map, if back { y.task_write() } else { y.task_read() });
    tasks.update(&directive, &used, &Depends::new());
}

struct Values(u64);

impl Values {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

const N: usize = 8;

/// Some tasks on three arrays, with host accesses between; what the host read, and the first failure.
fn run(
    context: &'static Context,
    site: &'static TypedSite,
    seed: u64,
    present: bool,
    data: &mut [[f32; N]; 3],
) -> (f32, Option<Error>) {
    static SITE: DataSite = DataSite::new("tasks", "user.rs", 1, 1);
    let mut v = Values(seed);
    let mut seen = 0.0;
    let mut first = None;
    let mut note = |result: Result<(), Error>| {
        if let Err(error) = result {
            first.get_or_insert(error);
        }
    };
    if present {
        let mut enter = Directive::new(&SITE).within(context);
        data.iter().for_each(|a| enter.map("y", ENTER, HostArray::read(a)));
        if let Err(error) = enter.try_enter() {
            return (0.0, Some(error));
        }
    }
    {
        let tasks = Tasks::new(true);
        let mut guards: Vec<_> = data.iter_mut().map(|a| super::guard(&tasks, a)).collect();
        for _ in 0..1 + seed % 12 {
            let (i, j) = (v.below(3) as usize, v.below(3) as usize);
            let k = v.below(4) as f32;
            match v.below(6) {
                0..=2 if i != j => {
                    let [x, y] = guards.get_disjoint_mut([i, j]).expect("they differ");
                    task(&tasks, (site, context), k, x, y);
                }
                3 if !present => seen += guards[i][j],
                4 if !present => guards[i][j] = k,
                3 => {
                    update(&tasks, (&SITE, context), &mut guards[i], true);
                    seen += guards[i][j];
                }
                4 => {
                    update(&tasks, (&SITE, context), &mut guards[i], true);
                    guards[i][j] = k;
                    update(&tasks, (&SITE, context), &mut guards[i], false);
                }
                5 if i == 0 => note(tasks.try_wait()),
                _ => {}
            }
        }
        drop(guards);
        note(tasks.try_wait());
    }
    if present {
        let mut exit = Directive::new(&SITE).within(context);
        let [a, b, c] = data;
        exit.map("a", BACK, HostArray::write(&mut a[..]));
        exit.map("b", BACK, HostArray::write(&mut b[..]));
        exit.map("c", BACK, HostArray::write(&mut c[..]));
        note(exit.try_exit());
    }
    (seen, first)
}

/// The same, one after the other.
fn plainly(seed: u64, data: &mut [[f32; N]; 3]) -> f32 {
    let mut v = Values(seed);
    let mut seen = 0.0;
    for _ in 0..1 + seed % 12 {
        let (i, j) = (v.below(3) as usize, v.below(3) as usize);
        let k = v.below(4) as f32;
        match v.below(6) {
            0..=2 if i != j => (0..N).for_each(|e| data[j][e] += k * data[i][e]),
            3 => seen += data[i][j],
            4 => data[i][j] = k,
            _ => {}
        }
    }
    seen
}

fn start() -> [[f32; N]; 3] {
    [1.0, 2.0, 3.0].map(|s| std::array::from_fn(|i| s + i as f32))
}

fn nothing_left(control: &Control, what: &str) {
    if control.pending() > 0 {
        // A wait has failed, and the mock runs work only in a wait: the work still holds its memory.
        return;
    }
    assert_eq!(control.live_landings(), 0, "{what}");
    assert_eq!(control.live_events(), 0, "{what}");
    assert_eq!(control.live_queues(), 0, "{what}");
    assert_eq!(control.live_buffers(), 0, "{what}");
}

#[test]
fn random_tasks_in_every_order() {
    let (context, control) = context(&[], None);
    let site = saxpy_site(None);
    for seed in 1..if cfg!(miri) { 4 } else { 200 } {
        for (present, ahead) in [(false, false), (true, false), (true, true)] {
            control.run_ahead(ahead);
            let orders = [Order::Late, Order::Eager, Order::Random(seed), Order::Random(seed + 1000)];
            for order in orders {
                control.order(order);
                let (mut got, mut want) = (start(), start());
                let seen = plainly(seed, &mut want);
                let what = format!("seed {seed}, present {present}, ahead {ahead}, {order:?}");
                assert_eq!(run(context, site, seed, present, &mut got), (seen, None), "{what}");
                assert_eq!(got, want, "{what}");
                nothing_left(&control, &what);
            }
        }
    }
}

#[test]
fn a_fault_at_any_step_is_an_error_or_the_hosts_work_and_leaves_nothing() {
    let ops = [
        Op::Alloc,
        Op::Mailbox,
        Op::Upload,
        Op::Download,
        Op::Launch,
        Op::Queue,
        Op::Record,
        Op::Follow,
        Op::Await,
        Op::Land,
        Op::Work,
        Op::Compile,
    ];
    for (present, ahead) in [(false, false), (true, false), (true, true)] {
        for seed in 1..if cfg!(miri) { 2 } else { 20 } {
            for op in ops {
                for n in [1, 2, 4] {
                    let (context, control) = context(&[], None);
                    let site = saxpy_site(None);
                    control.order(Order::Random(seed));
                    control.run_ahead(ahead);
                    control.fail(
                        op,
                        n,
                        match op {
                            Op::Alloc | Op::Mailbox => DeviceError::OutOfMemory { requested: 32, free: 1 },
                            Op::Launch | Op::Record | Op::Queue => {
                                DeviceError::Launch { reason: "no".into() }
                            }
                            Op::Compile => DeviceError::Compile { log: "no".into() },
                            _ => DeviceError::Transfer { reason: "no".into() },
                        },
                    );
                    let (mut got, mut want) = (start(), start());
                    let seen = plainly(seed, &mut want);
                    let what = format!("seed {seed}, present {present}, ahead {ahead}, {op:?} {n}");
                    let (read, failed) = run(context, site, seed, present, &mut got);
                    if failed.is_none() {
                        assert_eq!((read, got), (seen, want), "{what}");
                    }
                    control.forgive();
                    nothing_left(&control, &what);
                }
            }
        }
    }
}

#[test]
fn the_last_region_is_that_of_the_program() {
    static SITE: DataSite = DataSite::new("tasks", "user.rs", 1, 1);
    let (context, control) = context(&[], None);
    let site = saxpy_site(None);
    let mut data = start();
    let (mut apart, mut other) = ([1.0; 5], [2.0; 5]);
    let mut enter = Directive::new(&SITE).within(context);
    data.iter().for_each(|a| enter.map("y", ENTER, HostArray::read(a)));
    enter.try_enter().expect("there is room");
    {
        let tasks = Tasks::new(true);
        let [x, y, z] = &mut data;
        let (mut x, mut y, mut z) =
            (super::guard(&tasks, x), super::guard(&tasks, y), super::guard(&tasks, z));
        let (mut apart, mut other) = (super::guard(&tasks, &mut apart), super::guard(&tasks, &mut other));
        task(&tasks, (site, context), 1.0, &mut x, &mut y);
        tasks.wait();
        assert_eq!(last_region().bytes_to_device, 0, "its data is present");
        control.order(Order::Late);
        task(&tasks, (site, context), 1.0, &mut apart, &mut other);
        // It ends first, but is no region.
        control.order(Order::Eager);
        update(&tasks, (&SITE, context), &mut z, true);
        control.order(Order::Late);
        tasks.wait();
        assert_eq!(last_region().bytes_to_device, 40);
    }
    let mut exit = Directive::new(&SITE).within(context);
    data.iter_mut().for_each(|a| exit.map("y", BACK, HostArray::write(a)));
    exit.try_exit().expect("it is present");
    nothing_left(&control, "at the end");
}

/// If there is no memory for a task, the tasks under way are ended, which may fail. What needs their data does not run; all else is
/// retried.
#[test]
fn a_task_that_begins_again_after_a_failure() {
    let short = DeviceError::OutOfMemory { requested: 32, free: 1 };
    for needs in [false, true] {
        let (context, control) = context(&[], None);
        let site = saxpy_site(None);
        control.order(Order::Late);
        let mut data = start();
        let mut own = [5.0; N];
        let want = start();
        {
            let tasks = Tasks::new(true);
            let [x, y, z] = &mut data;
            let (mut x, mut y, mut z) =
                (super::guard(&tasks, x), super::guard(&tasks, y), super::guard(&tasks, z));
            let mut own = super::guard(&tasks, &mut own);
            task(&tasks, (site, context), 1.0, &mut x, &mut y);
            control.fail(Op::Land, 1, DeviceError::Transfer { reason: "no".into() });
            // The first attempt allocates small arrays in one piece.
            (1..=2).for_each(|n| control.fail(Op::Alloc, n, short.clone()));
            let allocations = control.count(Op::Alloc);
            task(&tasks, (site, context), 1.0, if needs { &mut y } else { &mut own }, &mut z);
            let again = control.count(Op::Alloc) > allocations + 2;
            assert_eq!(again, !needs, "it is retried where it may run");
            assert!(matches!(tasks.try_wait(), Err(Error::Transfer { .. })), "the failure is reported");
            assert!(tasks.try_wait().is_ok(), "once");
        }
        assert_eq!(data[1], want[1], "nothing came back of what failed");
        let added = if needs { 0.0 } else { 5.0 };
        assert_eq!(data[2], want[2].map(|v| v + added), "needs {needs}");
        nothing_left(&control, "at the end");
    }
}

#[test]
fn thousands_of_tasks_are_ended_on_the_way() {
    let (context, control) = context(&[], None);
    let site = saxpy_site(None);
    control.order(Order::Eager);
    let launches = if cfg!(miri) { 300u16 } else { 3000 };
    let mut data = start();
    {
        let tasks = Tasks::new(false);
        let [x, y, z] = &mut data;
        let (mut x, mut y, mut z) =
            (super::guard(&tasks, x), super::guard(&tasks, y), super::guard(&tasks, z));
        for k in 0..launches {
            let to = if k % 2 == 0 { &mut y } else { &mut z };
            task(&tasks, (site, context), 1.0, &mut x, to);
            assert!(control.live_landings() < 200, "those that have ended are taken");
        }
        tasks.wait();
    }
    assert_eq!(data[1][0], 2.0 + f32::from(launches / 2));
    nothing_left(&control, "at the end");
}

/// The values of an update are visible to every reader of the array: a region or a task of another function.
#[test]
fn a_called_function_s_region_comes_after_what_an_update_sends() {
    static SITE: DataSite = DataSite::new("tasks", "user.rs", 1, 1);
    for (own_task, fills) in [(false, false), (true, false), (false, true), (true, true)] {
        let (context, control) = context(&[], None);
        let site = saxpy_site(None);
        control.order(Order::Late);
        let [mut x, mut y, mut z] = start();
        let mut enter = Directive::new(&SITE).within(context);
        let map = Map { ty: if fills { DataMap::Alloc } else { DataMap::To }, always: false, present: false };
        enter.map("x", map, HostArray::read(&x));
        enter.try_enter().expect("there is room");
        {
            let tasks = Tasks::new(false);
            let mut x = super::guard(&tasks, &mut x);
            x[0] = 50.0;
            if fills {
                // It is the first that reads it there.
                task(&tasks, (site, context), 1.0, &mut x, &mut super::guard(&tasks, &mut z));
            } else {
                update(&tasks, (&SITE, context), &mut x, false);
            }
            let called = |x: &[f32], y: &mut [f32]| {
                if !own_task {
                    return assert!(saxpy(site, context, 1.0, x, y).expect("it runs"), "on the device");
                }
                let tasks = Tasks::new(false);
                let (guard, mut y) = (super::shared(&tasks, x), super::guard(&tasks, y));
                task_on(&tasks, (site, context), 1.0, (guard.used(false), HostArray::read(x)), &mut y);
            };
            called(&x, &mut y);
        }
        assert_eq!(y[0], 2.0 + 50.0, "own task {own_task}, fills {fills}");
    }
}
