//! Random kernels are well typed, survive serialisation, and run in the interpreter without an inner fault.
use kernel_samples::random::{self, Options};
use omp_ir::template::KernelTemplate;
use omp_kernels::interp::{self, Memory};
use omp_kernels::valid::finalise;

fn run(seed: u64, options: Options) -> (Memory, Result<Vec<Vec<u8>>, String>) {
    let random::RandomKernel { template, types, mut memory } = random::kernel(seed, options);
    let bytes = template.to_bytes();
    assert_eq!(KernelTemplate::from_bytes(&bytes).unwrap(), template, "seed {seed}");
    let (kernel, info) = finalise(template, types, false).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
    assert!(options.f64 || !info.uses_f64, "seed {seed}");
    let result = interp::run(&kernel, &info, &mut memory).map_err(|f| f.message);
    (memory, result)
}

#[test]
fn kernels_without_failures_run_through() {
    for seed in 0..200 {
        let options = Options { f64: seed % 3 != 0, ..Options::default() };
        let (memory, result) = run(seed, options);
        assert!(result.is_ok(), "seed {seed}: {result:?}");
        assert_eq!((memory, result), run(seed, options), "seed {seed} gives the same again");
    }
}

#[test]
fn failures_are_those_of_rust() {
    let known = [
        "index out of bounds: ",
        "attempt to divide by zero",
        "attempt to divide with overflow",
        "attempt to calculate the remainder with a divisor of zero",
        "attempt to calculate the remainder with overflow",
    ];
    let mut failed = 0;
    for seed in 0..200 {
        let options = Options { failures: true, statements: 6, iterations: 9, ..Options::default() };
        if let (_, Err(message)) = run(seed, options) {
            assert!(known.iter().any(|k| message.starts_with(k)), "seed {seed}: {message}");
            failed += 1;
        }
    }
    assert!((10..190).contains(&failed), "{failed} of 200 failed");
}
