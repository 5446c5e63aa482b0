//! Updates to the device that fail there, or are never queued: no thread uses the old values until the failure was reported in
//! the function that began the update.
use super::templates::{context, saxpy as saxpy_site};
use super::{saxpy, upto};
use crate::backend::api::DeviceError;
use crate::backend::mock::{Control, Op, Order};
use crate::data::HostArray;
use crate::data::directive::work::{DataMap, Map};
use crate::data::directive::{DataSite, Directive};
use crate::launch::{Context, Launched, Region, TypedSite};
use crate::task::{Depends, Guarded, TaskShared, Tasks};
use std::sync::Arc;

static SITE: DataSite = DataSite::new("updates", "user.rs", 1, 1);
const ENTER: Map = Map { ty: DataMap::To, always: false, present: false };
const DELETE: Map = Map { ty: DataMap::Delete, always: false, present: false };

/// So many elements are queued directly; all of them, by another thread.
const FEW: usize = 4;
const N: usize = 8;

fn no() -> DeviceError {
    DeviceError::Transfer { reason: "no".into() }
}

struct Bench {
    context: &'static Context,
    control: Arc<Control>,
    site: &'static TypedSite,
    x: Vec<f32>,
}

impl Bench {
    /// `x` is 1 everywhere, on the device and on the host.
    fn new() -> Self {
        let (context, control) = context(&[], None);
        control.order(Order::Late);
        let bench = Self { context, control, site: saxpy_site(None), x: vec![1.0; N] };
        let mut enter = Directive::new(&SITE).within(context);
        enter.map("x", ENTER, HostArray::read(&bench.x));
        enter.try_enter().expect("there is room");
        bench
    }

    fn send(&self, tasks: &Tasks, x: &TaskShared<'_, '_, f32>, elements: usize) {
        let mut directive = Directive::new(&SITE).within(self.context);
        directive.map("x", ENTER, HostArray::read(&self.x));
        directive.section(0, elements);
        tasks.update(&directive, &[x.used(false)], &Depends::new());
    }

    /// What another function's region finds on the device in the first element.
    fn found(&self, x: &[f32]) -> Option<f32> {
        let mut y = [0.0; FEW];
        saxpy(self.site, self.context, 1.0, &x[..FEW], &mut y).ok().map(|on_device| {
            assert!(on_device);
            y[0]
        })
    }

    /// The same, of its task.
    fn found_by_task(&self, x: &[f32]) -> Option<f32> {
        let mut sums = [0.0; FEW];
        {
            let tasks = Tasks::new(true);
            let mut y = super::guard(&tasks, &mut sums);
            let guard = super::shared(&tasks, &x[..FEW]);
            let used = [guard.used(false), y.used(true)];
            let (xs, ys) = (HostArray::read(&x[..FEW]), y.task_write());
            let mut region = Region::of(self.site).within(self.context);
            region.array(&xs);
            region.array(&ys);
            region.scalar(&1.0f32);
            region.dim(upto(FEW));
            match tasks.launch(&mut region, &used, &Depends::new()) {
                Ok(Launched::Later(_)) => tasks.try_wait().ok()?,
                Ok(_) => panic!("it is not the host's"),
                Err(_) => return None,
            }
        }
        Some(sums[0])
    }

    fn end(self) {
        let mut exit = Directive::new(&SITE).within(self.context);
        exit.map("x", DELETE, HostArray::read(&self.x));
        exit.try_exit().expect("it is present");
        let left = (self.control.live_landings(), self.control.live_queues(), self.control.live_buffers());
        assert_eq!(left, (0, 0, 0), "landings, queues, buffers");
    }
}

/// An update that fails at some operation of the device's; what other threads find before and after the failure is reported to its function.
fn fails_at(op: Op, elements: usize, ended: bool) {
    let mut bench = Bench::new();
    bench.x.fill(50.0);
    let bench = bench;
    {
        let tasks = Tasks::new(true);
        let x = super::shared(&tasks, &bench.x);
        bench.control.order(if ended { Order::Eager } else { Order::Late });
        bench.control.fail(op, 1, no());
        bench.send(&tasks, &x, elements);
        let ask = || {
            for round in 0..3 {
                let found = if round == 1 { bench.found_by_task(&bench.x) } else { bench.found(&bench.x) };
                assert_eq!(found, None, "{op:?}, {elements} elements, round {round}");
            }
        };
        std::thread::scope(|threads| {
            threads.spawn(ask).join().expect("the first thread gets the error each time");
            threads.spawn(ask).join().expect("so is the second");
        });
        ask();
        assert!(tasks.try_wait().is_err(), "{op:?}: its function gets the error");
        // From now on everybody may know that the values may be older.
        // (Those of one whose end could not be recorded are there.)
        let there = Some(if matches!(op, Op::Record) { 50.0 } else { 1.0 });
        assert_eq!((bench.found(&bench.x), bench.found_by_task(&bench.x)), (there, there), "{op:?}");
        assert!(tasks.try_wait().is_ok(), "{op:?}: it gets the error once");
    }
    bench.end();
}

#[test]
fn failures_reach_all_threads_until_the_function_has_reported_them() {
    for op in [Op::Work, Op::Upload, Op::Record, Op::Queue] {
        for elements in [FEW, N] {
            [false, true].into_iter().for_each(|ended| fails_at(op, elements, ended));
        }
    }
}

/// Another function's update of the same elements, which goes well by itself.
#[test]
fn a_later_update_does_not_hide_one_that_failed() {
    for elements in [FEW, N] {
        let mut bench = Bench::new();
        bench.x.fill(50.0);
        let bench = bench;
        {
            let (first, second) = (Tasks::new(true), Tasks::new(true));
            let x = super::shared(&first, &bench.x);
            bench.control.fail(Op::Work, 1, no());
            bench.send(&first, &x, FEW);
            let again = super::shared(&second, &bench.x);
            bench.send(&second, &again, elements);
            for _ in 0..3 {
                assert_eq!((bench.found(&bench.x), bench.found_by_task(&bench.x)), (None, None));
            }
            assert!(first.try_wait().is_err());
            assert_eq!(bench.found(&bench.x), None, "the second function does not know yet");
            assert!(second.try_wait().is_err(), "it followed the first");
            bench.send(&second, &again, elements);
            second.try_wait().expect("all know");
            assert_eq!((bench.found(&bench.x), bench.found_by_task(&bench.x)), (Some(50.0), Some(50.0)));
        }
        bench.end();
    }
}

/// A function that returns without a wait reports the error at its end.
#[test]
fn the_end_of_a_function_reports_failures() {
    let bench = Bench::new();
    for panics in [false, true] {
        bench.control.fail(Op::Work, 1, no());
        let left = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let tasks = Tasks::new(false);
            let x = super::shared(&tasks, &bench.x);
            bench.send(&tasks, &x, FEW);
            assert!(!panics, "in the middle");
        }));
        assert!(left.is_err());
        assert_eq!(bench.found(&bench.x), Some(1.0));
    }
    bench.end();
}
