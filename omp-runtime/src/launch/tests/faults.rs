//! Failures of the device, at every place where one can happen: the host takes over and says why, or under
//! `mandatory` the error is clear; nothing leaks and the next launch works.
use super::saxpy;
use super::templates::{context, saxpy as saxpy_site};
use crate::backend::api::DeviceError;
use crate::backend::mock::Op;
use crate::error::Error;
use crate::launch::outcome::report::last_region;

/// Elements of an array that is not packed with others.
const LARGE: usize = 5000;

/// Small arrays share a buffer and a transfer each way; where that fails, each is tried alone.
#[test]
fn small_arrays_go_together() {
    for (fault, allocs, uploads) in [(None, 1, 1), (Some(Op::Alloc), 3, 2), (Some(Op::Upload), 3, 3)] {
        let (context, control) = context(&[], None);
        let site = saxpy_site(None);
        if let Some(op) = fault {
            control.fail(op, 1, DeviceError::Transfer { reason: "once".into() });
        }
        let x: Vec<f32> = (0..1000u16).map(f32::from).collect();
        let mut y = vec![1.0f32; 1000];
        assert_eq!(saxpy(site, context, 2.0, &x, &mut y), Ok(true), "{fault:?}");
        assert!(x.iter().zip(&y).all(|(x, y)| *y == 2.0 * x + 1.0), "{fault:?}");
        assert_eq!((control.count(Op::Alloc), control.count(Op::Upload)), (allocs, uploads), "{fault:?}");
        assert_eq!(control.count(Op::Download), 1, "{fault:?}");
        assert_eq!(control.live_buffers(), 0, "{fault:?} leaks");
        assert_eq!((last_region().bytes_to_device, last_region().bytes_from_device), (8000, 4000));
    }
}

fn faults() -> Vec<(Op, usize, DeviceError, &'static str)> {
    let oom = || DeviceError::OutOfMemory { requested: 4000, free: 16 };
    let transfer = || DeviceError::Transfer { reason: "bus error 7".into() };
    let launch = || DeviceError::Launch { reason: "too many resources".into() };
    let mut list = vec![
        (Op::Compile, 1, DeviceError::Compile { log: "line 3: expected `;`".into() }, "expected `;`"),
        (Op::Load, 1, DeviceError::BadBinary { reason: "wrong architecture".into() }, "wrong architecture"),
        (Op::Launch, 1, launch(), "too many resources"),
        (Op::Wait, 1, launch(), "too many resources"),
    ];
    for n in 1..=2 {
        list.push((Op::Alloc, n, oom(), "4000 bytes"));
        list.push((Op::Upload, n, transfer(), "bus error 7"));
    }
    list
}

#[test]
fn the_host_takes_over_once_reported() {
    for (op, n, error, words) in faults() {
        let (context, control) = context(&[], None);
        let site = saxpy_site(None);
        control.fail(op, n, error);
        let (x, mut y) = (vec![1.0f32; LARGE], vec![1.0f32; LARGE]);
        assert_eq!(saxpy(site, context, 2.0, &x, &mut y), Ok(false), "{op:?} {n}");
        assert!(y.iter().all(|y| *y == 3.0), "{op:?} {n}: the host started from the old values");
        let report = last_region();
        let reason = report.fallback.expect("it fell back");
        assert!(reason.contains(words) && reason.contains("Mock"), "{op:?}: {reason}");
        assert_eq!(report.backend, "host");
        assert_eq!(site.site.fallbacks.get(), 1);
        assert_eq!(control.live_buffers(), 0, "{op:?} {n} leaks");

        // A source that does not compile is not compiled a second time.
        let lasting = op == Op::Compile;
        assert_eq!(saxpy(site, context, 2.0, &x, &mut y), Ok(!lasting), "{op:?} {n}: the next launch");
        assert!(y.iter().all(|y| *y == 5.0), "{op:?} {n}");
        assert_eq!(control.live_buffers(), 0, "{op:?} {n} leaks");
    }
}

#[test]
fn mandatory_makes_it_a_clear_error() {
    for (op, n, error, words) in faults() {
        let (context, control) = context(&[("OMP_TARGET_OFFLOAD", "mandatory")], None);
        let site = saxpy_site(None);
        control.fail(op, n, error);
        let (x, mut y) = (vec![1.0f32; LARGE], vec![1.0f32; LARGE]);
        let error = saxpy(site, context, 2.0, &x, &mut y).expect_err("mandatory");
        let text = error.to_string();
        for part in [words, "Mock", "region `saxpy` at user.rs:5:3"] {
            assert!(text.contains(part), "{op:?} {n}: {text} lacks {part}");
        }
        let fits = match op {
            Op::Alloc => matches!(&error, Error::OutOfMemory { variable: Some(v), largest, .. }
                if *v == ["x", "y"][n - 1] && largest.len() == 2),
            Op::Upload => {
                matches!(&error, Error::Transfer { variable, .. } if *variable == ["x", "y"][n - 1])
            }
            Op::Compile => matches!(error, Error::Compile { .. }),
            Op::Load | Op::Launch | Op::Wait => matches!(error, Error::Launch { .. }),
            Op::Download | Op::Mailbox => false,
            Op::Queue | Op::Record | Op::Follow | Op::Await | Op::Land | Op::Work => false,
        };
        assert!(fits, "{op:?} {n}: {error:?}");
        assert!(y.iter().all(|y| *y == 1.0), "{op:?} {n}: nothing came back");
        assert_eq!(control.live_buffers(), 0, "{op:?} {n} leaks");
        if op != Op::Compile {
            assert_eq!(saxpy(site, context, 2.0, &x, &mut y), Ok(true), "{op:?} {n}: the next launch");
        }
    }
}

#[test]
fn a_source_that_does_not_compile_is_kept_and_named() {
    for policy in ["mandatory", "default"] {
        let dir = tempfile::tempdir().expect("a folder");
        let (context, control) = context(&[("OMP_TARGET_OFFLOAD", policy)], Some(dir.path()));
        control.fail(Op::Compile, 1, DeviceError::Compile { log: "line 3: expected `;`".into() });
        let went = saxpy(saxpy_site(None), context, 2.0, &[1.0; 64], &mut [1.0; 64]);
        let text = match went {
            Err(error) => error.to_string(),
            Ok(_) => last_region().fallback.expect("it fell back"),
        };
        let path = text.lines().find_map(|l| l.trim().strip_prefix("source: ")).expect("the source is named");
        let source = std::fs::read_to_string(path).expect("it is there");
        assert!(source.contains("saxpy") && path.starts_with(&*dir.path().to_string_lossy()), "{text}");
    }
}

#[test]
fn a_copy_back_that_failed_is_never_run_again_on_the_host() {
    let (context, control) = context(&[], None);
    let site = saxpy_site(None);
    control.fail(Op::Download, 1, DeviceError::Transfer { reason: "bus error 7".into() });
    let (x, mut y) = (vec![1.0f32; 10], vec![1.0f32; 10]);
    let error = saxpy(site, context, 2.0, &x, &mut y).expect_err("half of y could be new");
    assert!(matches!(&error, Error::Transfer { variable, .. } if variable == "y"), "{error:?}");
    assert_eq!(control.live_buffers(), 0);
    assert_eq!(saxpy(site, context, 2.0, &x, &mut y), Ok(true));
}

#[test]
fn a_lost_device_is_not_used_again() {
    let (context, control) = context(&[], None);
    let site = saxpy_site(None);
    control.fail(Op::Wait, 1, DeviceError::Lost { reason: "fell off the bus".into() });
    let mut y = vec![1.0f32; 10];
    for round in 1..4 {
        assert_eq!(saxpy(site, context, 1.0, &[1.0; 10], &mut y), Ok(false));
        assert!(y.iter().all(|y| *y == 1.0 + round as f32));
    }
    assert_eq!(control.count(Op::Launch), 1);
    assert_eq!(site.site.fallbacks.get(), 3);
}

#[test]
fn without_devices() {
    use crate::backend::Unavailable;
    use crate::device::registry::Registry;
    use crate::launch::Context;
    for (variable, value, mandatory) in [
        ("OMP_TARGET_OFFLOAD", "mandatory", true),
        ("OMP_BACKEND", "cuda", false),
        ("OMP_BACKEND", "auto", false),
    ] {
        let none = |what: &'static str| move || Err(Unavailable { reason: format!("{what} was not found") });
        let registry = Registry::new(Box::new(none("libcuda.so.1")), Box::new(none("libOpenCL.so.1")));
        let env = crate::env::Env::parse(|n| (n == variable).then(|| value.to_owned())).expect("well formed");
        let context: &'static Context = Box::leak(Box::new(Context {
            tuner: crate::tune::Tuner::new(&env),
            env,
            registry: Box::leak(Box::new(registry)),
            disk: None,
        }));
        let site = saxpy_site(None);
        match saxpy(site, context, 1.0, &[1.0], &mut [1.0]) {
            Ok(device) => {
                assert!(!device && !mandatory);
                let fallback = last_region().fallback;
                assert_eq!(fallback.is_some(), value == "cuda", "{fallback:?}");
            }
            Err(error) => {
                let text = error.to_string();
                assert!(
                    mandatory && text.contains("libcuda.so.1") && text.contains("libOpenCL.so.1"),
                    "{text}"
                );
            }
        }
    }
}
