//! Small runs of the example.
use omp_tests::example::runs;

#[test]
fn small_runs() {
    let program = env!("CARGO_BIN_EXE_mandelbrot");
    let png = concat!(env!("CARGO_TARGET_TMPDIR"), "/mandelbrot.png");
    runs(program, &["--width", "61", "--height", "40", "-i", "100", "-o", png]);
    runs(program, &["--width", "33", "--height", "20", "-i", "50", "--acc", "-o", png]);
}
