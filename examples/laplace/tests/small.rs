//! Small runs of the example.
use omp_tests::example::runs;

#[test]
fn small_runs() {
    let program = env!("CARGO_BIN_EXE_laplace");
    let folder = env!("CARGO_TARGET_TMPDIR");
    let (png, svg) = (format!("{folder}/laplace.png"), format!("{folder}/laplace.svg"));
    runs(program, &["-n", "67", "-m", "40", "-o", &png, "-p", &svg]);
    runs(program, &["-n", "3", "-m", "5", "-o", &png, "-p", &svg]);
    runs(program, &["-n", "20", "-t", "0.05", "-f", "teams", "-o", &png, "-p", &svg]);
    runs(program, &["-n", "33", "-m", "20", "-f", "acc", "-o", &png, "-p", &svg]);
}
