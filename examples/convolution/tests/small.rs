//! Small runs of the example.
use omp_tests::example::runs;

#[test]
fn small_runs() {
    let program = env!("CARGO_BIN_EXE_convolution");
    let png = concat!(env!("CARGO_TARGET_TMPDIR"), "/convolution.png");
    runs(program, &["-s", "50", "-k", "3", "-o", png]);
    // Its own result, with other kernels.
    runs(program, &[png, "-k", "7", "-f", "edges", "-o", png]);
    runs(program, &[png, "-k", "1", "-f", "sharpen", "-o", png]);
}
