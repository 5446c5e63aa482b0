//! Small runs of the example.
use omp_tests::example::runs;

#[test]
fn small_runs() {
    let program = env!("CARGO_BIN_EXE_polynomial");
    runs(program, &["-n", "10000"]);
    runs(program, &["-n", "1", "-x", "-3"]);
    runs(program, &["-n", "0"]);
    runs(program, &["-n", "257", "-x", "1.01"]);
}
