//! The same sequences with the pool's threads in thousands of interleavings: order, wake-ups, host and device tasks on the same
//! data, panics and faults at any step. Shuttle reports deadlocks.
use super::*;
use crate::task::pool::sync_models::{Pool, model};
use shuttle::rand::Rng;
use std::sync::Arc;

/// What goes wrong.
#[derive(Clone, Copy)]
enum Goes {
    Well,
    /// A loop on the host's threads panics.
    Panicking,
    /// An operation of the device fails.
    Failing,
}

fn sequence(context: &'static Context, site: &'static TypedSite, control: &Arc<Control>, goes: Goes) {
    let mut rng = shuttle::rand::thread_rng();
    let seed = rng.gen_range(1..1_000_000u64);
    control.run_ahead(seed.is_multiple_of(3));
    control.order([Order::Late, Order::Eager, Order::Random(seed)][seed as usize % 3]);
    if matches!(goes, Goes::Failing) {
        let (op, error) = faults()[rng.gen_range(0..faults().len())].clone();
        control.fail(op, rng.gen_range(1..16usize), error);
    }
    let panics = if matches!(goes, Goes::Panicking) { rng.gen_range(1..4u32) } else { 0 };
    let style = Style { host: rng.gen_range(2..5u64), panics: Cell::new(panics), threads: false };
    // Some sequences have no task on the host, and shuttle wants more than one thread.
    drop(shuttle::thread::spawn(shuttle::thread::yield_now));
    let shown = Seed(format!("seed {seed}"));
    let fault = run_with(context, site, (seed, 1 + seed % 24), style);
    let expected = match goes {
        Goes::Well => fault.is_none(),
        Goes::Panicking => matches!(fault, None | Some(Error::Panic { .. })),
        Goes::Failing => !matches!(fault, Some(Error::Panic { .. })),
    };
    assert!(expected, "{fault:?}");
    control.forgive();
    nothing_left(control);
    drop(shown);
}

const POOLS: [Pool; 3] = [Pool::Any, Pool::One, Pool::Ours];

fn sequences_in(pool: Pool, goes: Goes) {
    let (context, control) = context(&[], None);
    let site = saxpy_site(None);
    let schedules = usize::try_from(sequences(200)).expect("it is small");
    model(pool, schedules, move || sequence(context, site, &control, goes));
}

#[test]
fn in_any_interleaving() {
    sequences_in(Pool::Any, Goes::Well);
    sequences_in(Pool::One, Goes::Well);
}

#[test]
fn with_a_pool_that_does_nothing_else() {
    sequences_in(Pool::Ours, Goes::Well);
}

#[test]
fn with_panics() {
    POOLS.into_iter().for_each(|pool| sequences_in(pool, Goes::Panicking));
}

#[test]
fn with_faults() {
    POOLS.into_iter().for_each(|pool| sequences_in(pool, Goes::Failing));
}

/// A block whose loops did not run, as what they need had failed, has nothing to bring back: what needs that does not run either.
#[test]
fn what_needs_a_block_that_was_refused() {
    let (context, control) = context(&[], None);
    let site = saxpy_site(None);
    for n in 1..8 {
        control.order(Order::Late);
        control.fail(Op::Await, n, DeviceError::Transfer { reason: "no".into() });
        let style = Style { host: 2, panics: Cell::new(0), threads: false };
        let shown = Seed(format!("the wait {n}"));
        run_with(context, site, (141_876, 13), style);
        control.forgive();
        nothing_left(&control);
        drop(shown);
    }
}
