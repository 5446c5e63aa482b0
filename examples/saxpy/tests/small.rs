//! Small runs of the example.
use omp_tests::example::runs;

#[test]
fn small_runs() {
    let program = env!("CARGO_BIN_EXE_saxpy");
    runs(program, &["-n", "1000"]);
    runs(program, &["-n", "0"]);
}
