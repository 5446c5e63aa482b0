//! Small runs of the example.
use omp_tests::example::runs;

#[test]
fn small_runs() {
    let program = env!("CARGO_BIN_EXE_overlap");
    runs(program, &["-b", "200", "-n", "10000"]);
    runs(program, &["-b", "1", "-n", "0"]);
}
