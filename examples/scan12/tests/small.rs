//! Small runs of the example.
use omp_tests::example::runs;

#[test]
fn small_runs() {
    let program = env!("CARGO_BIN_EXE_scan12");
    runs(program, &["-n", "16", "-r", "1"]);
    runs(program, &["-n", "10007", "-r", "1"]);
}
