//! The cost of a repeated launch without the driver. Run it by `cargo test --release -p omp-runtime overhead -- --ignored
//! --nocapture`. `.ci/observation` measures the share of a task's instructions that observation takes while it is off.
use super::saxpy;
use super::tasks::task;
use super::templates::{context_with, saxpy as saxpy_site};
use crate::backend::api::{ArgValue, Device, DeviceError, DeviceFacts};
use crate::backend::erased::erase;
use crate::backend::mock::Mock;
use crate::backend::queue::{Event, Landing, Queue};
use crate::launch::{Context, TypedSite};
use crate::task::Tasks;
use omp_kernels::back::Source;
use omp_kernels::schedule::{DeviceKind, Geometry};
use std::mem::MaybeUninit;
use std::time::{Duration, Instant};

/// A device that does nothing at once.
struct Idle(DeviceFacts);

/// Its queues, and their events and landings: all is done at once.
struct IdleQueue;

impl Queue for IdleQueue {
    type Buffer = ();
    type Kernel = ();
    type Event = Self;
    type Landing = Self;

    fn number(&self) -> u32 {
        1
    }
    fn alloc(&self, _: usize) -> Result<(), DeviceError> {
        Ok(())
    }
    fn upload(&self, (): &(), _: usize, _: &[MaybeUninit<u8>]) -> Result<(), DeviceError> {
        Ok(())
    }
    fn download(&self, (): &(), _: usize, _: usize) -> Result<Self, DeviceError> {
        Ok(Self)
    }
    fn zero(&self, (): &(), _: usize, _: usize) -> Result<(), DeviceError> {
        Ok(())
    }
    fn copy(&self, _: (&(), usize), _: (&(), usize), _: usize) -> Result<(), DeviceError> {
        Ok(())
    }

    fn launch(&self, (): &(), _: &Geometry, _: &[ArgValue<'_, ()>]) -> Result<(), DeviceError> {
        Ok(())
    }
    fn record(&self, _: bool) -> Result<Self, DeviceError> {
        Ok(Self)
    }
    fn follow(&self, _: &Self) -> Result<(), DeviceError> {
        Ok(())
    }
}

impl Event for IdleQueue {
    fn wait(&self) -> Result<(), DeviceError> {
        Ok(())
    }
    fn is_reached(&self) -> Result<bool, DeviceError> {
        Ok(true)
    }
    fn since(&self, _: &Self) -> Option<Duration> {
        None
    }
}

impl Landing for IdleQueue {
    fn bytes(&self) -> usize {
        0
    }
    fn read(&self, _: usize, to: &mut [MaybeUninit<u8>]) -> Result<(), DeviceError> {
        to.fill(MaybeUninit::new(0));
        Ok(())
    }
}

impl Device for Idle {
    type Buffer = ();
    type Kernel = ();
    type Queue = IdleQueue;

    fn facts(&self) -> &DeviceFacts {
        &self.0
    }
    fn alloc(&self, _: usize) -> Result<(), DeviceError> {
        Ok(())
    }
    fn mailbox(&self, _: usize) -> Result<(), DeviceError> {
        Ok(())
    }
    fn write_mailbox(&self, (): &(), _: &[u8]) -> Result<(), DeviceError> {
        Ok(())
    }
    fn read_mailbox(&self, (): &(), bytes: &mut [u8]) -> Result<(), DeviceError> {
        bytes.fill(0);
        Ok(())
    }
    fn upload(&self, (): &(), _: usize, _: &[MaybeUninit<u8>]) -> Result<(), DeviceError> {
        Ok(())
    }
    fn download(&self, to: &mut [MaybeUninit<u8>], (): &(), _: usize) -> Result<(), DeviceError> {
        to.fill(MaybeUninit::new(0));
        Ok(())
    }
    fn zero(&self, (): &(), _: usize, _: usize) -> Result<(), DeviceError> {
        Ok(())
    }
    fn compile(&self, _: &Source) -> Result<Vec<u8>, DeviceError> {
        Ok(Vec::new())
    }
    fn load(&self, _: &[u8], _: &Source) -> Result<(), DeviceError> {
        Ok(())
    }
    fn launch(&self, (): &(), _: &Geometry, _: &[ArgValue<'_, ()>]) -> Result<(), DeviceError> {
        Ok(())
    }
    fn wait(&self) -> Result<(), DeviceError> {
        Ok(())
    }
    fn last_kernel_time(&self) -> Option<Duration> {
        None
    }
    fn queue(&self) -> Result<IdleQueue, DeviceError> {
        Ok(IdleQueue)
    }
    fn memory(&self) -> (u64, u64) {
        (0, 0)
    }
}

#[test]
#[ignore = "measures time"]
fn overhead_of_a_launch() {
    const RUNS: u32 = 200_000;
    let facts = Device::facts(&Mock::of_kind(DeviceKind::Cuda)).clone();
    let context = context_with(&[], None, move || erase(Idle(facts.clone())));
    let site = saxpy_site(None);
    let (x, mut y) = ([1.0f32; 8], [1.0f32; 8]);
    let mut best = Duration::MAX;
    for _ in 0..5 {
        let start = Instant::now();
        for _ in 0..RUNS {
            assert_eq!(saxpy(site, context, 1.0, &x, &mut y), Ok(true));
        }
        best = best.min(start.elapsed() / RUNS);
    }
    println!("a launch of saxpy costs {best:?} in addition to the driver");
    assert!(best < Duration::from_micros(2), "{best:?}");
}

/// What callgrind counts.
#[inline(never)]
fn small_tasks(site: &'static TypedSite, context: &'static Context, count: u32) {
    let (mut x, mut y) = ([1.0f32; 8], [1.0f32; 8]);
    for _ in 0..count {
        let tasks = Tasks::new(false);
        let (mut x, mut y) = (super::guard(&tasks, &mut x), super::guard(&tasks, &mut y));
        task(&tasks, (site, context), 1.0, &mut x, &mut y);
        tasks.wait();
    }
}

#[test]
#[ignore = "for callgrind"]
fn instructions_of_small_tasks() {
    let facts = Device::facts(&Mock::of_kind(DeviceKind::Cuda)).clone();
    let context = context_with(&[], None, move || erase(Idle(facts.clone())));
    let site = saxpy_site(None);
    saxpy(site, context, 1.0, &[1.0; 8], &mut [1.0; 8]).expect("it runs");
    small_tasks(site, context, 1000);
}
