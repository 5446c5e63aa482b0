//! Small runs of the example.
use omp_tests::example::runs;

#[test]
fn small_runs() {
    let program = env!("CARGO_BIN_EXE_matmul");
    runs(program, &["-m", "33", "-n", "20", "-d", "17", "-r", "1"]);
    runs(program, &["-m", "8", "-n", "9", "-d", "70", "-p", "f64", "-r", "1"]);
}
