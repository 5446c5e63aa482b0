//! Tests: what regions compute and report.
use super::templates::{context, reduction, saxpy as saxpy_site, shifted};
use super::{saxpy, two, upto};
use crate::backend::mock::Op;
use crate::data::HostArray;
use crate::launch::outcome::report::last_region;
use crate::launch::{Outcome, Region};
use crate::typing::Device;
use omp_ir::template::{BinOp, MapType, ReduceOp};

#[test]
fn saxpy_runs_and_reports() {
    let (context, control) = context(&[], None);
    let site = saxpy_site(None);
    for n in [1usize, 3, 32, 1000] {
        let x: Vec<f32> = (0..n).map(|i| i as f32).collect();
        let mut y = vec![1.0; n];
        assert_eq!(saxpy(site, context, 2.0, &x, &mut y), Ok(true));
        assert!(y.iter().zip(&x).all(|(y, x)| *y == 2.0 * x + 1.0), "n = {n}");
        let report = last_region();
        assert_eq!((report.name.as_str(), report.place.as_str()), ("saxpy", "user.rs:5:3"));
        assert_eq!((report.device.as_str(), report.backend.as_str()), ("Mock", "mock"));
        assert_eq!((report.bytes_to_device, report.bytes_from_device), (8 * n as u64, 4 * n as u64));
        assert!(report.grid[0] >= 1 && report.block[0] >= 1);
        assert_eq!((report.residual_checks, report.fallback), (0, None));
    }
    assert_eq!(control.live_buffers(), 0, "buffers of the arrays are released");
}

#[test]
fn kernels_are_compiled_once() {
    let (context, control) = context(&[], None);
    let site = saxpy_site(None);
    for _ in 0..5 {
        assert_eq!(saxpy(site, context, 1.0, &[1.0; 64], &mut [0.0; 64]), Ok(true));
    }
    assert_eq!((control.count(Op::Compile), control.count(Op::Launch)), (1, 5));
}

#[test]
fn blocks_shrink_to_what_the_compiled_kernel_allows() {
    use super::templates::context_with;
    use crate::backend::erased::erase;
    use crate::backend::mock::Mock;
    use omp_kernels::schedule::DeviceKind;
    let mock = || erase(Mock::of_kind(DeviceKind::OpenClGpu).with_max_block(64));
    let context = context_with(&[("OMP_TARGET_OFFLOAD", "mandatory")], None, mock);
    assert_eq!(saxpy(saxpy_site(None), context, 1.0, &[1.0; 4096], &mut [0.0; 4096]), Ok(true));
    assert!(last_region().block.iter().product::<u32>() <= 64);
}

#[test]
fn the_disk_cache_spares_the_compiler() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let (first, control) = context(&[], Some(dir.path()));
    assert_eq!(saxpy(saxpy_site(None), first, 1.0, &[1.0; 64], &mut [0.0; 64]), Ok(true));
    assert_eq!(control.count(Op::Compile), 1);
    let (second, control) = context(&[], Some(dir.path()));
    assert_eq!(saxpy(saxpy_site(None), second, 1.0, &[1.0; 64], &mut [0.0; 64]), Ok(true));
    assert_eq!((control.count(Op::Compile), control.count(Op::Load)), (0, 1));
}

#[test]
fn a_refused_entry_is_compiled_again() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let (first, _) = context(&[], Some(dir.path()));
    assert_eq!(saxpy(saxpy_site(None), first, 1.0, &[1.0; 64], &mut [0.0; 64]), Ok(true));
    let (second, control) = context(&[], Some(dir.path()));
    let bad = crate::backend::api::DeviceError::BadBinary { reason: "another architecture".into() };
    control.fail(Op::Load, 1, bad);
    assert_eq!(saxpy(saxpy_site(None), second, 1.0, &[1.0; 64], &mut [0.0; 64]), Ok(true));
    assert_eq!((control.count(Op::Compile), control.count(Op::Load)), (1, 2));
}

#[test]
fn what_is_only_read_never_comes_back() {
    let (context, control) = context(&[], None);
    let mut y = [1.0; 8];
    assert_eq!(saxpy(saxpy_site(Some(MapType::Alloc)), context, 1.0, &[1.0; 8], &mut y), Ok(true));
    assert_eq!((y, control.count(Op::Download)), ([1.0; 8], 0));
}

#[test]
fn unwritten_elements_keep_their_values() {
    let (context, _) = context(&[], None);
    let mut y = [0, 5, 0, 7];
    assert!(matches!(two(shifted(true), context, &[1, 2, 3, 4, 9], &mut y), Ok(Outcome::Done)));
    assert_eq!(y, [0, 3, 0, 9]);
}

#[test]
fn wholly_written_arrays_are_not_sent() {
    let (context, control) = context(&[], None);
    let mut y = [0; 4];
    assert!(matches!(two(shifted(false), context, &[1, 2, 3, 4, 9], &mut y), Ok(Outcome::Done)));
    assert_eq!((y, control.count(Op::Upload)), ([2, 3, 4, 9], 1));
}

#[test]
fn empty_loops_launch_nothing() {
    let (context, control) = context(&[], None);
    assert_eq!(saxpy(saxpy_site(None), context, 1.0, &[], &mut []), Ok(true));
    assert_eq!((control.count(Op::Launch), control.count(Op::Compile)), (0, 0));
    assert_eq!(reduce::<u32>(ReduceOp::Add, BinOp::Add, &[], 7, |a, b| a + b), 7);
}

fn reduce<T: Device>(op: ReduceOp, bin: BinOp, x: &[T], mut item: T, join: impl Fn(T, T) -> T) -> T {
    let (context, _) = context(&[], None);
    let xs = HostArray::read(x);
    let mut region = Region::of(reduction::<T>(op, bin)).within(context);
    region.array(&xs);
    region.dim(upto(x.len()));
    assert!(matches!(region.try_run(), Ok(Outcome::Done)));
    region.reduced(0, &mut item, join);
    item
}

#[test]
fn reductions_take_the_items_value_in() {
    assert_eq!(reduce(ReduceOp::Add, BinOp::Add, &[1u8, 2, 250], 10, u8::wrapping_add), 7);
    assert_eq!(reduce(ReduceOp::Mul, BinOp::Mul, &[2i64, -3], 5, |a, b| a * b), -30);
    assert_eq!(reduce(ReduceOp::BitXor, BinOp::BitXor, &[1u32, 2, 4], 8, |a, b| a ^ b), 15);
    assert_eq!(reduce(ReduceOp::Add, BinOp::Add, &[0.5f64, 0.25], 1.0, |a, b| a + b), 1.75);
    assert!(!reduce(ReduceOp::And, BinOp::And, &[true, false], true, |a, b| a && b));
}
