//! Snapshots of the CUDA and OpenCL sources of hand-made kernels. With `OMP_KERNELS_DUMP=folder` the sources are written
//! there as well, for real compilers.
mod kernels;

use super::{Arg, Dialect, Source, emit};
use crate::schedule::{
    DeviceClass, DeviceKind, Reasons, Request, Schedule, Strategy, choose, explain, geometry,
};
use crate::valid::KernelInfo;
use omp_ir::analysis::plan::{DimValues, LaunchValues};
use omp_ir::desc::TypeDesc;
use omp_ir::kernel::Kernel;

fn device(dialect: Dialect) -> DeviceClass {
    let kind = match dialect {
        Dialect::Cuda => DeviceKind::Cuda,
        Dialect::OpenCl => DeviceKind::OpenClGpu,
    };
    DeviceClass {
        kind,
        units: 132,
        max_block: 1024,
        warp: 32,
        shared_bytes: 49152,
        arch: 90,
        f64: true,
        atomics64: true,
    }
}

/// The schedule for arrays of `n` (or `n * n`, for two dimensions) elements.
fn schedule(kernel: &Kernel, info: &KernelInfo, dialect: Dialect, n: u64) -> Schedule {
    chosen(kernel, info, &device(dialect), n).0
}

/// The same with its reasons.
fn chosen(kernel: &Kernel, info: &KernelInfo, device: &DeviceClass, n: u64) -> (Schedule, Reasons) {
    let dims: Vec<_> =
        kernel.template.dims.iter().map(|_| Some(DimValues { first: 0, step: 1, count: n })).collect();
    let len = n.pow(dims.len() as u32);
    let lens = vec![len; kernel.template.arrays.len()];
    let sections = vec![(0, len); lens.len()];
    let scalars: Vec<_> = kernel
        .scalar_ty
        .iter()
        .map(|&ty| kernel.types.prim(ty).filter(|p| p.is_int()).map(|_| i128::from(n)))
        .collect();
    let facts =
        info.plan.decide(&LaunchValues { dims: &dims, scalars: &scalars, lens: &lens, sections: &sections });
    let alignment = vec![16; lens.len()];
    let reasons = Reasons::default();
    let request = Request {
        pins: crate::schedule::Pins::default(),
        extents: &lens,
        facts: &facts,
        device,
        num_teams: None,
        thread_limit: None,
        alignment: &alignment,
        specialised: true,
        parts: true,
        reasons: Some(&reasons),
    };
    let schedule = choose(kernel, info, &request);
    let grid = geometry(&schedule, kernel, &request);
    assert!(grid.grid.iter().all(|&g| g > 0));
    (schedule, reasons)
}

fn cpu() -> DeviceClass {
    DeviceClass { kind: DeviceKind::OpenClCpu, warp: 1, arch: 0, ..device(Dialect::OpenCl) }
}

#[test]
fn every_step_has_a_reason_that_its_choice_recorded() {
    let kernels = [
        kernels::saxpy(),
        kernels::matmul(),
        kernels::reductions(),
        kernels::sum_i32(),
        kernels::gather(),
        kernels::sparse_rows(),
        kernels::values(),
        kernels::device_fn(),
        kernels::overflow(),
        kernels::jumps(),
        kernels::teams(),
        kernels::taps(5),
    ];
    for (kernel, info) in &kernels {
        for device in [device(Dialect::Cuda), device(Dialect::OpenCl), cpu()] {
            for n in [10, 1000] {
                let (schedule, reasons) = chosen(kernel, info, &device, n);
                for step in explain::steps(&schedule, kernel, &reasons) {
                    assert!(step.why.is_some(), "{:?}: {step:?} of {schedule:?}", device.kind);
                }
            }
        }
    }
}

/// What people read of a schedule.
fn explained(kernel: &Kernel, (schedule, reasons): &(Schedule, Reasons)) -> String {
    let steps = explain::steps(schedule, kernel, reasons);
    let line = |s: &explain::Step| format!("{}\n  because {}\n", s.what, s.why.as_deref().unwrap_or("?"));
    let faster: String = reasons.faster().iter().map(|what| format!("faster: {what}\n")).collect();
    steps.iter().map(line).collect::<String>() + &faster
}

#[test]
fn reasons_have_the_numbers_that_decided() {
    let shown = |(kernel, info): &(Kernel, KernelInfo), n: u64| {
        explained(kernel, &chosen(kernel, info, &device(Dialect::Cuda), n))
    };
    insta::assert_snapshot!("reasons_saxpy", shown(&kernels::saxpy(), 1 << 24));
    insta::assert_snapshot!("reasons_matmul", shown(&kernels::matmul(), 2048));
    insta::assert_snapshot!("reasons_small_matmul", shown(&kernels::matmul(), 20));
    insta::assert_snapshot!("reasons_sparse_rows", shown(&kernels::sparse_rows(), 1 << 20));
}

#[test]
fn a_core_has_a_tile_of_results_in_registers() {
    let (kernel, info) = kernels::matmul();
    let chosen = chosen(&kernel, &info, &cpu(), 500);
    let source = emit(&kernel, &info, &chosen.0, Dialect::OpenCl).expect("OpenCL can say it");
    insta::assert_snapshot!("core_matmul_cl", summary(&source));
    insta::assert_snapshot!("reasons_core_matmul", explained(&kernel, &chosen));
}

fn source(kernel: &(Kernel, KernelInfo), name: &str, dialect: Dialect) -> Source {
    let (kernel, info) = kernel;
    let schedule = schedule(kernel, info, dialect, 1000);
    let source = emit(kernel, info, &schedule, dialect).expect("both dialects can say it");
    if let Ok(folder) = std::env::var("OMP_KERNELS_DUMP") {
        let end = if dialect == Dialect::Cuda { "cu" } else { "cl" };
        std::fs::write(format!("{folder}/{name}.{end}"), &source.text).expect("the folder is there");
    }
    source
}

fn summary(source: &Source) -> String {
    let sites: String = source.sites.iter().map(|s| format!("// {s:?}\n")).collect();
    format!("{}// args {:?}\n{sites}// options {:?}\n", source.text, source.args, source.options)
}

macro_rules! snapshots {
    ($($name:ident)*) => { $(
        #[test]
        fn $name() {
            let kernel = kernels::$name();
            for (dialect, end) in [(Dialect::Cuda, "cu"), (Dialect::OpenCl, "cl")] {
                let source = source(&kernel, stringify!($name), dialect);
                insta::assert_snapshot!(concat!(stringify!($name), "_", "{}").replace("{}", end), summary(&source));
            }
        }
    )* };
}

snapshots! { saxpy matmul reductions sum_i32 gather sparse_rows values device_fn overflow jumps teams }

#[test]
fn recursion_is_guarded_on_cuda_and_refused_on_opencl() {
    let kernel = kernels::recursion();
    assert!(kernel.1.recursive && kernel.1.residual_checks > 0);
    insta::assert_snapshot!("recursion_cu", summary(&source(&kernel, "recursion", Dialect::Cuda)));
    let schedule = schedule(&kernel.0, &kernel.1, Dialect::OpenCl, 1000);
    let refused = emit(&kernel.0, &kernel.1, &schedule, Dialect::OpenCl).unwrap_err();
    assert!(refused.message.contains("`down` call themselves"), "{}", refused.message);
}

#[test]
fn short_loops_of_a_lone_thread_are_unrolled_however_their_ends_are_written() {
    for (taps, unrolled) in [(5, true), (1000, false)] {
        let (kernel, info) = kernels::taps(taps);
        let schedule = Schedule {
            strategy: Strategy::Linear,
            block: [1, 1, 1],
            ..schedule(&kernel, &info, Dialect::OpenCl, 1000)
        };
        let source = emit(&kernel, &info, &schedule, Dialect::OpenCl).expect("OpenCL can say it");
        assert_eq!(source.text.contains("#pragma unroll"), unrolled, "{}", source.text);
    }
}

/// `for r in 0..n { for c in 1..n { y[c] = y[c - 1] ^ x[c]; } }`: a warp scans a row.
#[test]
fn rows_that_cannot_fail_have_no_record_of_it() {
    use kernel_samples::build::{Region, U32, USIZE, count};
    let mut r = Region::new("rows");
    let (x, y) = (r.array("x", &U32), r.array("y", &U32));
    let n = r.scalar("n", &USIZE);
    r.dim("r", count(0, &n));
    r.for_("c", count(1, &n), |r, c, _| r.set(y.at(&c), y.at(&c - 1) ^ x.at(&c)));
    let (template, types) = r.finish();
    let kernel = crate::valid::finalise(template, types, false).expect("it is well typed");
    assert!(matches!(schedule(&kernel.0, &kernel.1, Dialect::Cuda, 1000).strategy, Strategy::Rows { .. }));
    let source = source(&kernel, "rows", Dialect::Cuda);
    assert!(!source.text.contains("status") && !source.args.contains(&Arg::Status), "{}", source.text);
}

/// `for i in 0..n { y[i] = x[i]; }` of arrays of `N` numbers: large elements are stored through shared memory.
#[test]
fn elements_that_take_many_stores_are_staged() {
    use kernel_samples::build::{F32, F64, Region, USIZE, count};
    static OF_4: TypeDesc = TypeDesc::Array { elem: &F32, len: 4 };
    static OF_8: TypeDesc = TypeDesc::Array { elem: &F32, len: 8 };
    static OF_9: TypeDesc = TypeDesc::Array { elem: &F32, len: 9 };
    static OF_16: TypeDesc = TypeDesc::Array { elem: &F32, len: 16 };
    static OF_40: TypeDesc = TypeDesc::Array { elem: &F32, len: 40 };
    static OF_3: TypeDesc = TypeDesc::Array { elem: &F64, len: 3 };
    let cases = [
        (&F32, false),
        (&OF_3, false),
        (&OF_4, false),
        (&OF_8, false),
        (&OF_9, true),
        (&OF_16, true),
        (&OF_40, false),
    ];
    for (ty, staged) in cases {
        let mut r = Region::new("copied");
        let (x, y) = (r.array("x", ty), r.array("y", ty));
        let n = r.scalar("n", &USIZE);
        let i = r.dim("i", count(0, &n));
        r.set(y.at(&i), x.at(&i));
        let (template, types) = r.finish();
        let kernel = crate::valid::finalise(template, types, false).expect("it is well typed");
        for (dialect, staged) in [(Dialect::Cuda, staged), (Dialect::OpenCl, false)] {
            let chosen = schedule(&kernel.0, &kernel.1, dialect, 100_000);
            assert_eq!(!chosen.staged.is_empty(), staged, "{ty:?}: {chosen:?}");
            let source = source(&kernel, "copied", dialect);
            assert_eq!(source.text.contains("store_elements(y"), staged, "{}", source.text);
        }
    }
}

/// `let k = i as isize - by; if k >= 0 && k < n as isize { y[i] = x[k as usize / 2]; }`
#[test]
fn signed_offsets_are_computed_in_32_bits_where_the_launch_knows_them() {
    use kernel_samples::build::{F32, Region, USIZE, X, count};
    use omp_ir::desc::Prim;
    let text = |by: i128, n: u64, checked: bool| {
        let mut r = Region::new("offsets");
        let (x, y) = (r.array("x", &F32), r.array("y", &F32));
        let m = r.scalar("m", &USIZE);
        let i = r.dim("i", count(0, &m));
        let k = r.let_("k", i.cast(Prim::Isize) - X::Int(by, Some(Prim::Isize)));
        r.if_(k.ge(0).and(k.lt(m.cast(Prim::Isize))), |r| {
            r.set(y.at(&i), x.at(k.cast(Prim::Usize) / 2));
        });
        let (template, types) = r.finish();
        let (kernel, info) = crate::valid::finalise(template, types, checked).expect("it is well typed");
        let schedule = schedule(&kernel, &info, Dialect::Cuda, n);
        emit(&kernel, &info, &schedule, Dialect::Cuda).expect("CUDA can say it").text
    };
    let short = text(1, 1000, false);
    assert!(short.contains("i32 k = i - 1;") && short.contains("(u32)k / (u32)2"), "{short}");
    for wide in [text(1 << 40, 1000, false), text(1, 1 << 40, false), text(1, 1000, true)] {
        assert!(wide.contains("i64 k = "), "{wide}");
    }
}
