//! Small runs of the example.
use omp_tests::example::runs;

#[test]
fn small_runs() {
    let program = env!("CARGO_BIN_EXE_streaming");
    runs(program, &["-s", "100003", "-m", "20000"]);
    runs(program, &["-s", "0"]);
    runs(program, &["-s", "1000", "-m", "2", "-r", "1"]);
    runs(program, &["Cargo.toml", "-m", "100"]);
}
