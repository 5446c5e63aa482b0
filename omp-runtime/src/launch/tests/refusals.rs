//! Mistakes in the user's program: errors on every backend, never a fallback.
use super::templates::{context, context_of, quotient, saxpy as saxpy_site, shifted};
use super::{saxpy, two, upto};
use crate::backend::mock::Op;
use crate::data::HostArray;
use crate::error::{Error, PanicKind};
use crate::launch::outcome::report::last_region;
use crate::launch::{Outcome, Region};

fn message(error: &Error) -> String {
    error.to_string()
}

#[test]
fn an_index_out_of_bounds_names_everything() {
    let (context, control) = context(&[], None);
    let site = shifted(false);
    let mut y = [7; 4];
    let error = two(site, context, &[1, 2, 3, 4], &mut y).expect_err("x has no element 4");
    let text = message(&error);
    for part in ["the len is 4 but the index is 4", "`x`", "user.rs:9:9", "region `shifted` at user.rs:5:3"] {
        assert!(text.contains(part), "{text} lacks {part}");
    }
    assert!(matches!(error, Error::Panic { kind: PanicKind::IndexOutOfBounds, .. }));
    assert_eq!((y, control.live_buffers()), ([7; 4], 0), "nothing came back, nothing leaked");
    assert!(matches!(two(site, context, &[1, 2, 3, 4, 5], &mut y), Ok(Outcome::Done)));
    assert_eq!(y, [2, 3, 4, 5], "the next launch works");
}

#[test]
fn a_division_by_zero() {
    let (context, _) = context(&[("OMP_TARGET_OFFLOAD", "default")], None);
    let mut y = [7; 3];
    let error = two(quotient(), context, &[1, 0, 3], &mut y).expect_err("a divisor is zero");
    assert!(message(&error).starts_with("attempt to divide by zero"), "{error}");
    assert!(matches!(error, Error::Panic { kind: PanicKind::DivisionByZero, .. }));
    assert_eq!(y, [7; 3]);
}

#[test]
fn written_memory_is_mapped_once() {
    let (context, control) = context(&[], None);
    let mut v = vec![1.0f32; 100];
    let whole = HostArray::write(&mut v);
    let mut region = Region::of(saxpy_site(None)).within(context);
    region.array(&whole);
    region.section(0, 60);
    region.array(&whole);
    region.section(50, 100);
    region.scalar(&1.0f32);
    region.dim(upto(50));
    let error = region.try_run().expect_err("they overlap");
    let text = message(&error);
    assert!(text.contains("`y[50..100]` (200 bytes)") && text.contains("`x[0..60]`"), "{text}");
    assert_eq!(control.count(Op::Alloc), 0);
}

#[test]
fn sections_are_inside_their_arrays() {
    let (context, _) = context(&[], None);
    let (x, mut y) = ([1.0f32; 4], [1.0f32; 4]);
    let (xs, ys) = (HostArray::read(&x), HostArray::write(&mut y));
    let mut region = Region::of(saxpy_site(None)).within(context);
    region.array(&xs);
    region.section(2, 5);
    region.array(&ys);
    region.scalar(&1.0f32);
    region.dim(upto(4));
    let text = message(&region.try_run().expect_err("not inside"));
    assert!(text.contains("`x[2..5]`") && text.contains("length of `x` is 4"), "{text}");
}

#[test]
fn clauses_out_of_range() {
    let (context, _) = context(&[], None);
    for (teams, threads, clause) in
        [(0, 1, "num_teams(0)"), (-3, 1, "num_teams(-3)"), (1, 0, "thread_limit(0)")]
    {
        let mut region = Region::of(saxpy_site(None)).within(context);
        region.num_teams(teams);
        region.thread_limit(threads);
        let text = message(&region.try_run().expect_err("out of range"));
        assert!(text.contains(clause) && text.contains("1 or more"), "{text}");
    }
}

#[test]
fn devices_that_are_not_there() {
    let (context, _) = context(&[], None);
    let (x, mut y) = ([1.0f32; 4], [1.0f32; 4]);
    for (number, expected) in [(0i32, Some(false)), (1, Some(true)), (-1, Some(true)), (2, None), (-7, None)]
    {
        let (xs, ys) = (HostArray::read(&x), HostArray::write(&mut y));
        let mut region = Region::of(saxpy_site(None)).within(context);
        region.array(&xs);
        region.array(&ys);
        region.scalar(&1.0f32);
        region.dim(upto(4));
        region.device(number);
        match (region.try_run(), expected) {
            (Ok(outcome), Some(host)) => assert_eq!(matches!(outcome, Outcome::Host(_)), host, "{number}"),
            (Err(error), None) => {
                let text = message(&error);
                assert!(
                    text.contains(&format!("no device {number}")) && text.contains("devices: 1"),
                    "{text}"
                );
            }
            (other, _) => panic!("{number}: {other:?}"),
        }
    }
}

#[test]
fn a_false_condition_is_the_host_even_under_mandatory() {
    let (context, control) = context(&[("OMP_TARGET_OFFLOAD", "mandatory")], None);
    let (x, mut y) = ([1.0f32; 4], [1.0f32; 4]);
    let (xs, ys) = (HostArray::read(&x), HostArray::write(&mut y));
    let mut region = Region::of(saxpy_site(None)).within(context);
    region.array(&xs);
    region.array(&ys);
    region.scalar(&1.0f32);
    region.dim(upto(4));
    region.condition(false);
    assert!(matches!(region.try_run(), Ok(Outcome::Host(h)) if !h.serial()));
    assert_eq!(control.count(Op::Alloc), 0);
}

#[test]
fn the_host_is_serial_where_a_subscript_is_unproved() {
    let (context, _) = context(&[("OMP_TARGET_OFFLOAD", "disabled")], None);
    for (len, serial) in [(4, true), (5, false)] {
        match two(shifted(false), context, &vec![1; len], &mut [0; 4]) {
            Ok(Outcome::Host(h)) => assert_eq!(h.serial(), serial, "{len}"),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_panic_on_the_host_is_the_same_error() {
    let (context, _) = context(&[("OMP_TARGET_OFFLOAD", "disabled")], None);
    let error = saxpy(saxpy_site(None), context, 1.0, &[1.0], &mut [1.0; 2]).expect_err("x is short");
    let text = message(&error);
    assert!(text.contains("the len is 1 but the index is 1") && text.contains("user.rs:5:3"), "{text}");
    assert!(matches!(error, Error::Panic { kind: PanicKind::IndexOutOfBounds, .. }));
    let report = last_region();
    assert_eq!((report.backend.as_str(), report.fallback), ("host", None));
}

#[test]
fn a_kernel_that_the_device_has_no_types_for() {
    use omp_ir::template::{BinOp, ReduceOp};
    let site = super::templates::reduction::<f64>(ReduceOp::Add, BinOp::Add);
    for mandatory in [false, true] {
        let env: &[(&str, &str)] = if mandatory { &[("OMP_TARGET_OFFLOAD", "mandatory")] } else { &[] };
        let (context, _) = context_of(env, None, |facts| facts.class.f64 = false);
        let xs = HostArray::read(&[1.0f64; 4]);
        let mut region = Region::of(site).within(context);
        region.array(&xs);
        region.dim(upto(4));
        match region.try_run() {
            Ok(Outcome::Host(_)) => assert!(!mandatory),
            Err(error) => {
                let text = message(&error);
                assert!(
                    mandatory && text.contains("double precision") && text.contains("libOpenCL"),
                    "{text}"
                );
            }
            other => panic!("{other:?}"),
        }
    }
}
