//! Both sources of hand-made kernels, held still by snapshots. With `OMP_KERNELS_DUMP=folder` the sources are written
//! there as well, for real compilers.
mod kernels;
mod make;

use super::{Arg, Dialect, Source, emit};
use crate::schedule::{DeviceClass, DeviceKind, Request, Schedule, Strategy, choose, geometry};
use crate::valid::KernelInfo;
use omp_ir::analysis::plan::{DimValues, LaunchValues};
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
    let device = device(dialect);
    let request = Request {
        pins: crate::schedule::Pins::default(),
        extents: &lens,
        facts: &facts,
        device: &device,
        num_teams: None,
        thread_limit: None,
        alignment: &alignment,
    };
    let schedule = choose(kernel, info, &request);
    let grid = geometry(&schedule, kernel, &request);
    assert!(grid.grid.iter().all(|&g| g > 0));
    schedule
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
