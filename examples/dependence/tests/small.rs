//! Small runs of the example.
use omp_tests::example::runs;

#[test]
fn small_runs() {
    let program = env!("CARGO_BIN_EXE_dependence");
    runs(program, &["-n", "10000"]);
    runs(program, &["-n", "0"]);
}
