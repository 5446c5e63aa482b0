//! Small runs of the example.
use omp_tests::example::runs;

#[test]
fn small_runs() {
    let program = env!("CARGO_BIN_EXE_normalise");
    let folder = env!("CARGO_TARGET_TMPDIR");
    let (png, bmp) = (format!("{folder}/normalised.png"), format!("{folder}/normalised.bmp"));
    runs(program, &["--width", "97", "--height", "31", "-o", &png]);
    // Its own result as BMP, with other moments.
    runs(program, &[&png, "-o", &bmp, "-m", "40", "-d", "9.5"]);
    runs(program, &[&bmp, "-o", &png]);
}
