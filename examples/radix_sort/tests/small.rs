//! Small runs of the example.
use omp_tests::example::runs;

#[test]
fn small_runs() {
    let program = env!("CARGO_BIN_EXE_radix_sort");
    runs(program, &["-n", "10000", "-r", "1"]);
    runs(program, &["-n", "5000", "-k", "u64", "-r", "1"]);
    runs(program, &["-n", "5000", "-k", "f32", "-r", "1"]);
    runs(program, &["-n", "3000", "-d", "3"]);
    runs(program, &["-n", "0"]);
    runs(program, &["-n", "1"]);
}
