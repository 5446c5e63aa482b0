//! The same regions on every device that this machine has: CUDA and OpenCL, GPU and CPU.
use super::templates::{idle, quotient, reduction, saxpy as saxpy_site, shifted};
use super::upto;
use crate::backend::api::Device as Backend;
use crate::backend::erased::{DynDevice, erase};
use crate::backend::{Unavailable, cuda, opencl};
use crate::cache::DiskCache;
use crate::data::HostArray;
use crate::device::Dev;
use crate::device::registry::Registry;
use crate::env::Env;
use crate::error::Error;
use crate::launch::outcome::report::last_region;
use crate::launch::{Context, Outcome, Region, TypedSite};
use omp_ir::template::{BinOp, ReduceOp};
use std::path::Path;

fn erased<D: Backend>(found: Result<Vec<D>, Unavailable>) -> Result<Vec<Box<dyn DynDevice>>, Unavailable> {
    Ok(found?.into_iter().map(erase).collect())
}

fn context(disk: &Path) -> &'static Context {
    let registry =
        Registry::new(Box::new(|| erased(cuda::devices())), Box::new(|| erased(opencl::devices())));
    for (backend, why) in registry.reasons() {
        eprintln!("skipped: {backend}: {why}");
    }
    let env =
        Env::parse(|n| (n == "OMP_TARGET_OFFLOAD").then(|| "mandatory".to_owned())).expect("well formed");
    let disk = Some(DiskCache::new(disk));
    Box::leak(Box::new(Context {
        tuner: crate::tune::Tuner::new(&env),
        env,
        registry: Box::leak(Box::new(registry)),
        disk,
    }))
}

fn region(site: &'static TypedSite, context: &'static Context, device: usize) -> Region {
    let mut region = Region::of(site).within(context);
    region.device(device);
    region
}

fn ran(outcome: Result<Outcome, Error>, n: usize, dev: &Dev) {
    match outcome {
        Ok(Outcome::Done) => {}
        Ok(Outcome::Host(_)) => panic!("{}, n = {n}: it fell back", dev.label()),
        Err(error) => panic!("{}, n = {n}: {error}", dev.label()),
    }
}

fn two<T: Copy>(mut region: Region, x: &[T], y: &mut [T]) -> Result<Outcome, Error> {
    let n = y.len();
    let (xs, ys) = (HostArray::read(x), HostArray::write(y));
    region.array(&xs);
    region.array(&ys);
    region.dim(upto(n));
    region.try_run()
}

#[test]
fn regions_run_on_every_device() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let context = context(dir.path());
    for (device, dev) in context.registry.iter().enumerate() {
        eprintln!("on {}", dev.label());
        let site = saxpy_site(None);
        for n in [1usize, 31, 257, 100_003] {
            let x: Vec<f32> = (0..n).map(|i| i as f32).collect();
            let mut y = vec![1.0f32; n];
            let (xs, ys) = (HostArray::read(&x), HostArray::write(&mut y));
            let mut r = region(site, context, device);
            r.array(&xs);
            r.array(&ys);
            r.scalar(&2.0f32);
            r.dim(upto(n));
            ran(r.try_run(), n, dev);
            assert!(y.iter().enumerate().all(|(i, y)| *y == 2.0 * i as f32 + 1.0), "n = {n}");
            assert_eq!(last_region().bytes_from_device, 4 * n as u64);
        }

        let mut y = [0u32; 100];
        let x: Vec<u32> = (0..101).collect();
        let site = shifted(true);
        y[7] = 1;
        assert!(matches!(two(region(site, context, device), &x, &mut y), Ok(Outcome::Done)));
        assert!(y.iter().enumerate().all(|(i, y)| *y == if i == 7 { 8 } else { 0 }));
        y.fill(1);
        let error = two(region(site, context, device), &x[..100], &mut y).expect_err("x is short");
        let text = error.to_string();
        for part in ["the len is 100 but the index is 100", "i = 99", "user.rs:9:9", "`x`"] {
            assert!(text.contains(part), "{text} lacks {part}");
        }
        assert_eq!(y, [1; 100]);
        assert!(matches!(two(region(site, context, device), &x, &mut y), Ok(Outcome::Done)));
        assert_eq!(y[99], 100, "the next launch works");

        let mut x = [7i32; 64];
        x[33] = 0;
        let error = two(region(quotient(), context, device), &x, &mut [0; 64]).expect_err("a zero");
        assert!(error.to_string().contains("divide by zero"), "{error}");
    }
}

#[test]
fn reductions_run_on_every_device() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let context = context(dir.path());
    let (sum, most) =
        (reduction::<i32>(ReduceOp::Add, BinOp::Add), reduction::<f32>(ReduceOp::Add, BinOp::Add));
    for (device, dev) in context.registry.iter().enumerate() {
        for n in [1usize, 255, 256, 257, 100_003] {
            let x: Vec<i32> = (0..n).map(|i| i as i32 % 1000 - 300).collect();
            let f: Vec<f32> = x.iter().map(|v| (*v % 16) as f32).collect();
            let (mut total, mut exact) = (5i32, 5.0f32);
            // The second round finds kernel and scratch memory as the first left them.
            for round in 1..3 {
                let mut r = region(sum, context, device);
                r.array(&HostArray::read(&x));
                r.dim(upto(n));
                ran(r.try_run(), n, dev);
                r.reduced(0, &mut total, |a, b| a + b);
                assert_eq!(total, 5 + round * x.iter().sum::<i32>(), "n = {n}");

                let mut r = region(most, context, device);
                r.array(&HostArray::read(&f));
                r.dim(upto(n));
                ran(r.try_run(), n, dev);
                r.reduced(0, &mut exact, |a, b| a + b);
                assert_eq!(exact, 5.0 + round as f32 * f.iter().sum::<f32>(), "n = {n}");
            }
        }
    }
}

#[test]
#[ignore = "measures time"]
fn overhead_on_every_device() {
    const RUNS: u32 = 10_000;
    let dir = tempfile::tempdir().expect("a temporary directory");
    let start = std::time::Instant::now();
    let context = context(dir.path());
    println!("{} devices after {:?}", context.registry.count(), start.elapsed());
    for (device, dev) in context.registry.iter().enumerate() {
        let x = [0.0f32; 64];
        let (site, other) = (idle(), idle());
        let run = |site| {
            let mut r = region(site, context, device);
            r.array(&HostArray::read(&x));
            r.dim(upto(1));
            assert!(matches!(r.try_run(), Ok(Outcome::Done)));
        };
        let timed = |f: &dyn Fn()| {
            let start = std::time::Instant::now();
            f();
            start.elapsed()
        };
        let (cold, warm) = (timed(&|| run(site)), timed(&|| run(other)));
        let mut best = std::time::Duration::MAX;
        for _ in 0..5 {
            best = best.min(timed(&|| (0..RUNS).for_each(|_| run(site))) / RUNS);
        }
        println!("{}: first {cold:?}, first with a warm disk cache {warm:?}, then {best:?}", dev.label());
    }
}
