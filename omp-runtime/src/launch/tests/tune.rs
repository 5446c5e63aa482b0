//! Searches for schedules: whatever fails in a trial, the program's results are those of a run without a search.
use super::saxpy;
use super::templates::{context, reduction, saxpy as saxpy_site, shifted};
use super::{two, upto};
use crate::backend::api::DeviceError;
use crate::backend::mock::{Control, Op};
use crate::data::HostArray;
use crate::launch::outcome::report::last_region;
use crate::launch::{Context, Outcome, Region, TypedSite};
use crate::tune::store::{self, Unread};
use omp_ir::template::{BinOp, ReduceOp};
use omp_kernels::schedule::Geometry;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

const N: usize = 75;

/// The least size of its class.
const CLASS: u64 = 64;

fn by_block(geometry: &Geometry) -> Duration {
    // 128 threads are best, also of all that a search reaches from there.
    Duration::from_micros(u64::from(geometry.block[0].abs_diff(128)) + 50)
}

fn tuning(mode: &'static str, dir: &Path) -> (&'static Context, Arc<Control>) {
    let place = dir.to_str().expect("a path in Unicode");
    let (context, control) = context(&[("OMP_TUNE", mode), ("OMP_CACHE_DIR", place)], None);
    control.pace(by_block);
    (context, control)
}

/// `y += 2 x`: reads what it writes.
fn in_place(site: &'static TypedSite, context: &'static Context, n: usize) -> bool {
    let x: Vec<f32> = (0..n).map(|i| i as f32).collect();
    let mut y = vec![1.0f32; n];
    let on_device = saxpy(site, context, 2.0, &x, &mut y).expect("the host may take over");
    assert!(y.iter().zip(&x).all(|(y, x)| *y == 2.0 * x + 1.0));
    on_device
}

fn sum(site: &'static TypedSite, context: &'static Context) -> Option<i32> {
    let x: Vec<i32> = (0..N as i32).collect();
    let xs = HostArray::read(&x);
    let mut region = Region::of(site).within(context);
    region.array(&xs);
    region.dim(upto(N));
    match region.try_run().expect("the host may take over") {
        Outcome::Done => {
            let mut sum = 5;
            region.reduced(0, &mut sum, |a: i32, b| a + b);
            Some(sum)
        }
        Outcome::Host(_) => None,
    }
}

#[test]
fn a_full_search_finds_the_best_block_and_keeps_it() {
    let dir = tempfile::tempdir().expect("a folder");
    let (context, control) = tuning("full", dir.path());
    let site = saxpy_site(None);
    assert!(in_place(site, context, N));
    assert_eq!(last_region().block[0], 128);
    assert_eq!(control.live_buffers(), 0, "what trials took is given back");
    let searched = control.count(Op::Launch);
    assert!(in_place(site, context, N) && in_place(site, context, N + 1));
    assert_eq!(control.count(Op::Launch), searched + 2, "a class of sizes is searched once");
    let entries = store::read(&dir.path().join("tune.json")).expect("the store was written");
    let [entry] = entries.as_slice() else { panic!("{entries:?}") };
    assert_eq!((entry.region.as_str(), entry.best_us, &*entry.key.sizes), ("saxpy", 50.0, &[CLASS][..]));
    assert!(entry.default_us > 50.0 && entry.dropped == 0 && entry.tried.len() as u64 == entry.candidates);

    // Another process uses it, within a factor of two; and `off` doesn't.
    let (other, control) = tuning("cached", dir.path());
    let site = saxpy_site(None);
    for (n, block) in [(N, 128), (64, 256), (127, 128), (128, 256), (63, 256)] {
        assert!(in_place(site, other, n));
        // (Whether 32 divides the sizes is a part of their class.)
        assert_eq!(last_region().block[0], block, "{n}");
    }
    assert_eq!(control.count(Op::Launch), 5);
    let (off, _) = tuning("off", dir.path());
    assert!(in_place(saxpy_site(None), off, N) && last_region().block[0] == 256);
}

#[test]
fn the_first_candidates_are_tried_one_a_launch() {
    let dir = tempfile::tempdir().expect("a folder");
    let (context, control) = tuning("auto", dir.path());
    let site = saxpy_site(None);
    let mut each = Vec::new();
    for _ in 0..6 {
        let before = control.count(Op::Launch);
        assert!(in_place(site, context, N));
        each.push(control.count(Op::Launch) - before);
    }
    assert!(each[..3].iter().all(|n| *n > 2) && each[3..] == [1, 1, 1], "{each:?}");
    let entries = store::read(&dir.path().join("tune.json")).expect("the store was written");
    assert_eq!(entries[0].candidates, 4);
    assert_eq!(last_region().block[0], if entries[0].schedule.contains("128") { 128 } else { 256 });
}

#[test]
fn a_search_of_long_launches_is_over_soon() {
    // Seconds that a launch takes, and what all of a search's launches may.
    type Pace = fn(&Geometry) -> Duration;
    let paces: [(u64, u64, Pace); 3] = [
        (1, 10, |_| Duration::from_secs(1)),
        (3, 10, |_| Duration::from_secs(3)),
        (11, 11, |_| Duration::from_secs(11)),
    ];
    for (seconds, most, pace) in paces {
        let dir = tempfile::tempdir().expect("a folder");
        let (context, control) = tuning("full", dir.path());
        control.pace(pace);
        assert!(in_place(saxpy_site(None), context, N));
        let launches = control.count(Op::Launch) as u64 - 1;
        assert!((1..=most / seconds).contains(&launches), "{launches} launches of {seconds} s");
        let entries = store::read(&dir.path().join("tune.json")).expect("the store was written");
        assert_eq!(entries[0].tried.len() as u64, launches);
    }
}

/// What may fail, at every place where it happens in a run without failures.
fn faults(control: &Control) -> Vec<(Op, usize, DeviceError)> {
    let mut all = Vec::new();
    for (op, error) in [
        (Op::Alloc, DeviceError::OutOfMemory { requested: 4000, free: 16 }),
        (Op::Mailbox, DeviceError::OutOfMemory { requested: 4, free: 1 }),
        (Op::Upload, DeviceError::Transfer { reason: "bus error 7".into() }),
        (Op::Download, DeviceError::Transfer { reason: "bus error 7".into() }),
        (Op::Compile, DeviceError::Compile { log: "line 3: expected `;`".into() }),
        (Op::Load, DeviceError::BadBinary { reason: "wrong architecture".into() }),
        (Op::Launch, DeviceError::Launch { reason: "too many resources".into() }),
        (Op::Wait, DeviceError::Launch { reason: "too many resources".into() }),
        (Op::Wait, DeviceError::Lost { reason: "fell off the bus".into() }),
        (Op::Launch, DeviceError::Lost { reason: "fell off the bus".into() }),
    ] {
        // The first few, and some of the many that are alike.
        let count = control.count(op);
        let some = (1..=count).filter(|n| *n <= 4 || n % count.div_ceil(6) == 0 || *n == count);
        all.extend(some.map(|n| (op, n, error.clone())));
    }
    all
}

#[test]
fn faults_at_every_step_of_a_search_leave_the_results_right() {
    let run = |mode, fault: Option<&(Op, usize, DeviceError)>| {
        let dir = tempfile::tempdir().expect("a folder");
        let (context, control) = tuning(mode, dir.path());
        let sums = reduction::<i32>(ReduceOp::Add, BinOp::Add);
        let site = saxpy_site(None);
        if let Some((op, n, error)) = fault {
            control.fail(*op, *n, error.clone());
        }
        let brought_back = |fault: &&(Op, usize, DeviceError)| fault.0 == Op::Download;
        for _ in 0..5 {
            let x: Vec<f32> = (0..N).map(|i| i as f32).collect();
            let mut y = vec![1.0f32; N];
            let went = saxpy(site, context, 2.0, &x, &mut y);
            // The copy back of the launch itself is no part of a search: its failure is an error.
            assert!(went.is_ok() || fault.as_ref().is_some_and(brought_back), "{mode} {fault:?}: {went:?}");
            if went.is_ok() {
                assert!(y.iter().zip(&x).all(|(y, x)| *y == 2.0 * x + 1.0), "{mode} {fault:?}");
            }
            let total = (0..N as i32).sum::<i32>() + 5;
            assert!(sum(sums, context).is_none_or(|sum| sum == total), "{mode} {fault:?}");
        }
        control.forgive();
        in_place(site, context, N + 1);
        control
    };
    for mode in ["full", "auto"] {
        let control = run(mode, None);
        for fault in faults(&control) {
            run(mode, Some(&fault));
        }
    }
}

#[test]
fn wrong_results_of_a_trial_are_dropped_and_not_seen() {
    let dir = tempfile::tempdir().expect("a folder");
    let (context, control) = tuning("full", dir.path());
    // The default schedule's trial has at most seven launches.
    (8..60).for_each(|n| control.spoil(n));
    assert!(in_place(saxpy_site(None), context, N));
    assert_eq!(last_region().block[0], 256);
    let entries = store::read(&dir.path().join("tune.json")).expect("the store was written");
    assert!(entries[0].dropped > 2 && entries[0].schedule == "default", "{entries:?}");
    let why = entries[0].tried[1].dropped.as_deref();
    assert_eq!(why, Some("its results are others"));

    let (context, control) = tuning("full", dir.path());
    (8..11).for_each(|n| control.spoil(n));
    let sums = reduction::<i32>(ReduceOp::Add, BinOp::Add);
    assert_eq!(sum(sums, context), Some((0..N as i32).sum::<i32>() + 5));
}

#[test]
fn loops_that_fail_do_so_as_without_a_search() {
    for mode in ["off", "auto", "full"] {
        let dir = tempfile::tempdir().expect("a folder");
        let (context, _) = tuning(mode, dir.path());
        let site = shifted(false);
        for _ in 0..2 {
            let (x, mut y) = (vec![1.0f32; N], vec![2.0f32; N]);
            let error = two(site, context, &x, &mut y).expect_err("x[i + 1] is out of bounds");
            assert!(error.to_string().contains("index out of bounds"), "{mode}: {error}");
            assert_eq!(store::read(&dir.path().join("tune.json")), Err(Unread::Missing), "{mode}");
        }
    }
}

#[test]
fn what_stands_in_a_store_is_held_to_the_legality_of_the_launch() {
    let dir = tempfile::tempdir().expect("a folder");
    let (context, _) = tuning("full", dir.path());
    assert!(in_place(saxpy_site(None), context, N));
    let path = dir.path().join("tune.json");
    let entry = store::read(&path).expect("it was written").remove(0);
    for (schedule, block) in [
        ("plain block 512x1x1", 512),
        ("plain block 4096x1x1", 256),
        ("plain block 0x1x1", 256),
        ("plain block 4294967295x4294967295x4294967295", 256),
        ("plain unroll 4000000000", 256),
        ("tiles 16x8x4 16x4x4 lanes 8 band 8 depth 16 stages 3 matrix 0 stage-all 0 resident 2", 256),
        ("tiles 0x0x0 lanes 0 band 0 depth 0 stages 0 matrix 9 stage-all 7 resident 0", 256),
        ("rm -rf", 256),
    ] {
        let entry = store::Entry { schedule: schedule.into(), ..entry.clone() };
        store::add(&path, &entry, true).expect("it can be written");
        let (context, _) = tuning("cached", dir.path());
        assert!(in_place(saxpy_site(None), context, N), "{schedule}");
        assert_eq!(last_region().block[0], block, "{schedule}");
    }
    // A device that refuses to launch it, and one that does not compile it.
    let entry = store::Entry { schedule: "plain block 512x1x1".into(), ..entry };
    store::add(&path, &entry, true).expect("it can be written");
    for (op, error) in [
        (Op::Launch, DeviceError::Launch { reason: "too many resources".into() }),
        (Op::Compile, DeviceError::Compile { log: "too long".into() }),
    ] {
        let (context, control) = tuning("cached", dir.path());
        control.fail(op, 1, error);
        let site = saxpy_site(None);
        assert!(in_place(site, context, N) && in_place(site, context, N), "{op:?}");
        assert_eq!(last_region().block[0], 256, "{op:?}");
    }
    // Another driver, and a file that is none.
    let other = store::Key { driver: "mock 2".into(), ..entry.key.clone() };
    std::fs::remove_file(&path).expect("it is there");
    store::add(&path, &store::Entry { key: other, ..entry }, true).expect("it can be written");
    let (context, _) = tuning("cached", dir.path());
    assert!(in_place(saxpy_site(None), context, N) && last_region().block[0] == 256);
    std::fs::write(&path, "{ \"version\": 1, \"entries\": [{").expect("it can be written");
    let (context, _) = tuning("cached", dir.path());
    assert!(in_place(saxpy_site(None), context, N) && last_region().block[0] == 256);
}
