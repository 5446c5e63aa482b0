//! Small runs of the example.
use omp_tests::example::runs;

#[test]
fn small_runs() {
    let program = env!("CARGO_BIN_EXE_reduction2d");
    runs(program, &["1", "33", "100"]);
}
