//! Diagnostics as rustc shows them: one folder of cases for each family of rules.

#[test]
fn ui() {
    let t = trybuild::TestCases::new();
    t.compile_fail("ui/*/*.rs");
}
