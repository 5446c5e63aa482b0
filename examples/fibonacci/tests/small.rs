//! Small runs of the example.
use omp_tests::example::runs;

#[test]
fn small_runs() {
    let program = env!("CARGO_BIN_EXE_fibonacci");
    runs(program, &["-n", "10001"]);
    runs(program, &["-n", "94"]);
}
