//! Small runs of the example.
use omp_tests::example::runs;

#[test]
fn small_runs() {
    let program = env!("CARGO_BIN_EXE_odd_even");
    runs(program, &["0", "1", "2", "255", "500"]);
}
