//! Replayed tasks: a launch plan is reused only if nothing relevant differs.
use super::templates::{context, saxpy as saxpy_site};
use super::{saxpy, upto};
use crate::backend::api::DeviceError;
use crate::backend::mock::{Control, Op};
use crate::data::HostArray;
use crate::data::directive::work::{DataMap, Map};
use crate::data::directive::{DataSite, Directive};
use crate::device::team;
use crate::launch::outcome::report::last_region;
use crate::launch::{Context, Launched, Outcome, Region, TypedSite};
use crate::task::{Depends, Guarded, LostMemory, TaskArray, Tasks};
use omp_ir::analysis::plan::DimValues;
use std::sync::Arc;

const TO: Map = Map { ty: DataMap::To, always: false, present: false };
const BACK: Map = Map { ty: DataMap::From, always: false, present: false };
const N: usize = 64;

static SITE: DataSite = DataSite::new("replay", "user.rs", 1, 1);

/// What is special in an execution.
#[derive(Clone, Copy)]
struct Launch {
    a: f32,
    /// Of `y`, and of the loop.
    part: (usize, usize),
    /// All of the guard, or that part of it.
    whole: bool,
    depend: Option<usize>,
    change: fn(&mut Region),
}

const USUAL: Launch = Launch { a: 2.0, part: (0, N), whole: true, depend: None, change: |_| () };

/// `y += a x` as a task; whether the device did it.
fn launch(
    (tasks, site, context): (&Tasks, &'static TypedSite, &'static Context),
    x: &mut TaskArray<'_, '_, f32>,
    y: &mut TaskArray<'_, '_, f32>,
    Launch { a, part: (lo, hi), whole, depend, change }: Launch,
) -> bool {
    let used = [x.used(false), y.used(true)];
    let extent = y.extent();
    let mut depends = Depends::new();
    if let Some(upto) = depend {
        depends.item("y", true, extent, Some((0, upto)));
    }
    let xs = x.task_read();
    let ys = if whole { y.task_write() } else { HostArray::rooted(y.task_write().ptr(), hi, true) };
    let mut region = Region::of(site).within(context);
    region.array(&xs);
    region.array(&ys);
    region.scalar(&a);
    region.dim(DimValues { first: lo as i128, ..upto(hi - lo) });
    change(&mut region);
    match tasks.launch(&mut region, &used, &depends) {
        Ok(Launched::Later(_)) => true,
        Ok(Launched::Now(Outcome::Done) | Launched::Not) => false,
        Ok(Launched::Now(Outcome::Host(_))) => {
            // SAFETY: nothing else came of it.
            let y = unsafe { ys.task_elements() };
            // SAFETY: no code writes it.
            let x = unsafe { xs.slice() };
            region.try_on_host(|| (lo..hi).for_each(|i| y[i] += a * x[i])).expect("nothing fails");
            false
        }
        Err(error) => panic!("{error}"),
    }
}

fn enter(context: &'static Context, array: &[f32]) {
    let mut directive = Directive::new(&SITE).within(context);
    directive.map("a", TO, HostArray::read(array));
    directive.try_enter().expect("there is room");
}

fn exit(context: &'static Context, array: &mut [f32]) {
    let mut directive = Directive::new(&SITE).within(context);
    directive.map("a", BACK, HostArray::write(array));
    directive.try_exit().expect("it is there");
}

fn device() -> (&'static Context, Arc<Control>, &'static TypedSite) {
    let (context, control) = context(&[], None);
    control.run_ahead(true);
    (context, control, saxpy_site(None))
}

/// Two usual launches and then one that differs: whether that was taken for the same, and what became of `y`.
fn third(what: &str, other: Launch) -> bool {
    let (context, control, site) = device();
    let (mut x, mut y) = ([1.0; N], [0.0; N]);
    enter(context, &x);
    enter(context, &y);
    let again = {
        let tasks = Tasks::new(false);
        let (mut gx, mut gy) = (super::guard(&tasks, &mut x), super::guard(&tasks, &mut y));
        let on = (&tasks, site, context);
        assert!(launch(on, &mut gx, &mut gy, USUAL));
        assert_eq!(site.replays.taken(), 0);
        assert!(launch(on, &mut gx, &mut gy, USUAL));
        assert_eq!(site.replays.taken(), 1, "{what}");
        launch(on, &mut gx, &mut gy, other);
        tasks.wait();
        site.replays.taken() == 2
    };
    exit(context, &mut y);
    exit(context, &mut x);
    let want = |i| 4.0 + if (other.part.0..other.part.1).contains(&i) { other.a } else { 0.0 };
    y.iter().enumerate().for_each(|(i, v)| assert_eq!(*v, want(i), "{what}: {i}"));
    assert_eq!(control.live_buffers(), 0, "{what}");
    again
}

#[test]
fn the_same_is_decided_once() {
    assert!(third("nothing", USUAL));
    // An argument of the kernel, which decides nothing.
    assert!(third("a float", Launch { a: 5.0, ..USUAL }));
}

#[test]
fn whatever_differs_is_decided_anew() {
    let differing: [(&str, Launch); 12] = [
        ("a shorter loop", Launch { part: (0, N - 1), ..USUAL }),
        ("a loop from 1", Launch { part: (1, N), ..USUAL }),
        ("a shorter array", Launch { part: (0, N / 2), whole: false, ..USUAL }),
        ("a depend", Launch { depend: Some(N), ..USUAL }),
        ("thread_limit", Launch { change: |r| r.thread_limit(32), ..USUAL }),
        ("num_teams", Launch { change: |r| r.num_teams(1), ..USUAL }),
        ("block", Launch { change: |r| r.block((8, 1, 1)), ..USUAL }),
        ("device", Launch { change: |r| r.device(0), ..USUAL }),
        ("present", Launch { change: |r| r.modifiers(false, true), ..USUAL }),
        ("a section", Launch { change: |r| r.section(0, N), ..USUAL }),
        ("a declared section", Launch { change: |r| r.declared(0, N), ..USUAL }),
        ("the default device", Launch { change: |_| team::set_default_for_test(Some(0)), ..USUAL }),
    ];
    for (what, other) in differing {
        assert!(!third(what, other), "{what}");
        team::set_default_for_test(None);
    }
}

#[test]
fn each_of_several_is_remembered() {
    let (context, _control, site) = device();
    let (mut x, mut y) = ([1.0; N], [0.0; N]);
    enter(context, &x);
    enter(context, &y);
    {
        let tasks = Tasks::new(false);
        let (mut gx, mut gy) = (super::guard(&tasks, &mut x), super::guard(&tasks, &mut y));
        for round in 0..4 {
            for at in 0..16 {
                let part = (4 * at, 4 * at + 4);
                assert!(launch((&tasks, site, context), &mut gx, &mut gy, Launch { part, ..USUAL }));
                assert_eq!(site.replays.taken(), if round == 0 { 0 } else { (round - 1) * 16 + at + 1 });
            }
        }
    }
    exit(context, &mut y);
    exit(context, &mut x);
    assert_eq!(y, [8.0; N]);
}

#[test]
fn another_array_is_another_task() {
    let (context, _control, site) = device();
    let (mut x, mut y, mut z) = ([1.0; N], [0.0; N], [0.0; N]);
    for array in [&x, &y, &z] {
        enter(context, array);
    }
    {
        let tasks = Tasks::new(false);
        let (mut gx, mut gy) = (super::guard(&tasks, &mut x), super::guard(&tasks, &mut y));
        let mut gz = super::guard(&tasks, &mut z);
        for (turn, taken) in [0, 0, 1, 2].into_iter().enumerate() {
            let to = if turn % 2 == 0 { &mut gy } else { &mut gz };
            launch((&tasks, site, context), &mut gx, to, USUAL);
            assert_eq!(site.replays.taken(), taken);
        }
        launch((&tasks, site, context), &mut gy, &mut gx, USUAL);
        assert_eq!(site.replays.taken(), 2);
    }
    [&mut z, &mut y, &mut x].into_iter().for_each(|array| exit(context, array));
    assert_eq!((x[0], y[0], z[0]), (9.0, 4.0, 4.0));
}

#[test]
fn data_that_left_the_device_is_looked_for() {
    let (context, control, site) = device();
    let (mut x, mut y) = ([1.0; N], [0.0; N]);
    let run = |x: &mut [f32; N], y: &mut [f32; N]| {
        let tasks = Tasks::new(false);
        let (mut gx, mut gy) = (super::guard(&tasks, x), super::guard(&tasks, y));
        (0..2).for_each(|_| assert!(launch((&tasks, site, context), &mut gx, &mut gy, USUAL)));
    };
    // Each time its memory is another one, or none.
    for round in 1..4 {
        enter(context, &x);
        enter(context, &y);
        run(&mut x, &mut y);
        assert_eq!(site.replays.taken(), round, "the second of the two");
        exit(context, &mut y);
        exit(context, &mut x);
        assert_eq!(control.live_buffers(), 0, "what is remembered keeps nothing");
        assert_eq!(y, [8.0 * round as f32 - 4.0; N]);
        run(&mut x, &mut y);
        assert_eq!(site.replays.taken(), round, "it is not there");
        assert_eq!(y, [8.0 * round as f32; N]);
    }
}

#[test]
fn a_launch_that_fails_is_tried_the_usual_way() {
    let (context, control, site) = device();
    let (mut x, mut y) = ([1.0; N], [0.0; N]);
    enter(context, &x);
    enter(context, &y);
    {
        let tasks = Tasks::new(false);
        let (mut gx, mut gy) = (super::guard(&tasks, &mut x), super::guard(&tasks, &mut y));
        (0..2).for_each(|_| assert!(launch((&tasks, site, context), &mut gx, &mut gy, USUAL)));
        let refused = DeviceError::Launch { reason: "no".into() };
        control.fail(Op::Launch, 1, refused);
        assert!(launch((&tasks, site, context), &mut gx, &mut gy, USUAL));
    }
    exit(context, &mut y);
    exit(context, &mut x);
    assert_eq!(y, [6.0; N]);
}

#[test]
fn regions_that_are_not_waited_for_are_remembered_too() {
    let (context, control, site) = device();
    let (mut x, mut y) = ([1.0; N], [0.0; N]);
    for round in 0..2 {
        enter(context, &x);
        enter(context, &y);
        let before = site.replays.taken();
        for (a, taken) in [(1.0, 0), (2.0, 1), (3.0, 2)] {
            assert_eq!(saxpy(site, context, a, &x, &mut y), Ok(true));
            assert_eq!(site.replays.taken() - before, taken);
            let report = last_region();
            assert_eq!((report.bytes_to_device, report.bytes_from_device), (0, 0));
            assert_eq!(report.grid.iter().product::<u32>(), 1);
        }
        // Not a task's, although all else is the same; nor that of a part.
        {
            let tasks = Tasks::new(false);
            let (mut gx, mut gy) = (super::guard(&tasks, &mut x), super::guard(&tasks, &mut y));
            launch((&tasks, site, context), &mut gx, &mut gy, USUAL);
        }
        assert_eq!(saxpy(site, context, 10.0, &x, &mut y[..N / 2]), Ok(true));
        assert_eq!(site.replays.taken() - before, 2);
        exit(context, &mut y);
        exit(context, &mut x);
        assert_eq!(control.live_buffers(), 0);
        let want = |i: usize| (round + 1) as f32 * (8.0 + if i < N / 2 { 10.0 } else { 0.0 });
        y.iter().enumerate().for_each(|(i, v)| assert_eq!(*v, want(i), "{round}: {i}"));
    }
}

/// Where a function has tasks on memory without guards, regions go their short way all the same.
#[test]
fn tasks_on_other_memory_keep_nothing_from_being_remembered() {
    let (context, _, site) = device();
    let (mut x, mut y) = ([1.0; N], [0.0; N]);
    enter(context, &x);
    enter(context, &y);
    let tasks = Tasks::new(false);
    tasks.lost(&LostMemory::new());
    for (a, taken) in [(1.0, 0), (2.0, 1), (3.0, 2)] {
        assert_eq!(saxpy(site, context, a, &x, &mut y), Ok(true));
        assert_eq!(site.replays.taken(), taken);
    }
    drop(tasks);
    exit(context, &mut y);
    exit(context, &mut x);
    assert_eq!(y, [6.0; N]);
}

#[test]
fn what_is_to_be_waited_for_is_not_remembered() {
    let (context, control, site) = device();
    control.run_ahead(false);
    let (mut x, mut y) = ([1.0; N], [0.0; N]);
    enter(context, &x);
    enter(context, &y);
    (0..3).for_each(|_| assert_eq!(saxpy(site, context, 1.0, &x, &mut y), Ok(true)));
    exit(context, &mut y);
    exit(context, &mut x);
    (0..3).for_each(|_| assert_eq!(saxpy(site, context, 1.0, &x, &mut y), Ok(true)));
    assert_eq!((site.replays.taken(), y), (0, [6.0; N]));
}

/// No code waits for these regions: their failures are reported with their places.
#[test]
fn a_failure_names_the_regions_before_it() {
    let (context, control, site) = device();
    for count in [1, 2, 5] {
        let (x, mut y) = ([1.0; N], [0.0; N]);
        enter(context, &x);
        enter(context, &y);
        for _ in 0..count {
            saxpy(site, context, 2.0, &x, &mut y).expect("it does not wait");
        }
        // As it shows on a device.
        control.fail(Op::Download, 1, DeviceError::Transfer { reason: "it stopped".into() });
        let mut update = Directive::new(&SITE).within(context);
        update.map("a", BACK, HostArray::write(&mut y));
        let text = update.try_update().expect_err("the first has failed").to_string();
        assert!(
            text.contains("it stopped") && text.contains("not waited for: region `saxpy` at user.rs:5:3"),
            "{text}"
        );
        assert_eq!(text.contains(", and 2 before"), count == 5, "{text}");
        control.forgive();
        // After a wait, they are past.
        update.try_update().expect("it works again");
        control.fail(Op::Download, 1, DeviceError::Transfer { reason: "no".into() });
        let text = update.try_update().expect_err("it fails").to_string();
        assert!(!text.contains("saxpy"), "{text}");
        let mut delete = Directive::new(&SITE).within(context);
        let all = Map { ty: DataMap::Delete, ..BACK };
        delete.map("a", all, HostArray::read(&x));
        delete.map("a", all, HostArray::read(&y));
        delete.try_exit().expect("they are there");
    }
}
