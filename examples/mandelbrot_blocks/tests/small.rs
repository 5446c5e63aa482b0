//! Small runs of the example.
use omp_tests::example::runs;

#[test]
fn small_runs() {
    let program = env!("CARGO_BIN_EXE_mandelbrot_blocks");
    let png = concat!(env!("CARGO_TARGET_TMPDIR"), "/mandelbrot_blocks.png");
    runs(program, &["--width", "61", "--height", "40", "-b", "7", "-o", png]);
    runs(program, &["--width", "5", "--height", "3", "-b", "8", "-i", "20", "-o", png]);
}
