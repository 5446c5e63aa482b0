//! Regions from end to end on the mock device: results, refusals, and what happens when the device fails.
mod failed_updates;
mod faults;
mod overhead;
mod real;
mod refusals;
mod replay;
mod results;
mod sites;
mod tasks;
mod templates;
mod together;
mod tune;

use crate::data::HostArray;
use crate::error::Error;
use crate::launch::{Context, Outcome, Region, TypedSite};
use crate::task::{Made, TaskArray, TaskShared, Tasks};
use omp_ir::analysis::plan::DimValues;

/// The numbers of `0..n`.
fn upto(n: usize) -> DimValues {
    DimValues { first: 0, step: 1, count: n as u64 }
}

/// A guard of an array that tasks change.
fn guard<'t, 'a, T>(tasks: &'t Tasks, array: &'a mut [T]) -> TaskArray<'t, 'a, T, Made> {
    // SAFETY: tests drop their guards.
    unsafe { TaskArray::new(tasks, array) }
}

/// A guard of an array that tasks read.
fn shared<'t, 'a, T>(tasks: &'t Tasks, array: &'a [T]) -> TaskShared<'t, 'a, T, Made> {
    // SAFETY: as above.
    unsafe { TaskShared::new(tasks, array) }
}

/// Runs saxpy as generated code does; says whether a device did.
fn saxpy(
    site: &'static TypedSite,
    context: &'static Context,
    a: f32,
    x: &[f32],
    y: &mut [f32],
) -> Result<bool, Error> {
    let n = y.len();
    let (xs, ys) = (HostArray::read(x), HostArray::write(y));
    let mut region = Region::of(site).within(context);
    region.array(&xs);
    region.array(&ys);
    region.scalar(&a);
    region.dim(upto(n));
    match region.try_run()? {
        Outcome::Done => Ok(true),
        Outcome::Host(_) => {
            region.try_on_host(|| {
                for i in 0..y.len() {
                    y[i] += a * x[i];
                }
            })?;
            Ok(false)
        }
    }
}

/// Runs a region of two arrays and no scalars on a device.
fn two<T: Copy>(
    site: &'static TypedSite,
    context: &'static Context,
    x: &[T],
    y: &mut [T],
) -> Result<Outcome, Error> {
    let n = y.len();
    let (xs, ys) = (HostArray::read(x), HostArray::write(y));
    let mut region = Region::of(site).within(context);
    region.array(&xs);
    region.array(&ys);
    region.dim(upto(n));
    region.try_run()
}
