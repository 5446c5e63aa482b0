//! Tests of the error pages: every code has a page, and the wrong example of a page gives exactly that code.
use super::errors_of;
use crate::diag::Code;
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

/// Codes that only rustc's own errors have, through `on_unimplemented` and the names of generated methods: the UI
/// tests show them.
const OF_RUSTC: &[Code] = &[Code::ReductionType, Code::TwoVariables, Code::UnsupportedType];

/// Codes whose causes go away as features come.
const LATER: &[Code] = &[Code::FormLater];

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/src/errors")
}

fn page(code: Code) -> String {
    let path = folder().join(format!("E{:04}.md", code.number()));
    fs::read_to_string(&path)
        .unwrap_or_else(|_| panic!("{code:?} has no page: write {} as its neighbours are", path.display()))
}

/// The code under a heading.
fn example(page: &str, heading: &str) -> String {
    let (_, rest) =
        page.split_once(&format!("\n## {heading}\n")).unwrap_or_else(|| panic!("no {heading}: {page}"));
    let (_, code) = rest.split_once("```rust").expect("a fence");
    let (_, code) = code.split_once('\n').expect("a line");
    code.split_once("\n```").expect("the fence ends").0.to_owned()
}

#[test]
fn every_code_has_a_page_and_every_page_a_code() {
    let known: BTreeSet<String> = Code::ALL.iter().map(|c| format!("E{:04}.md", c.number())).collect();
    for code in Code::ALL {
        let page = page(*code);
        let head = format!("# E{:04}: {}\n", code.number(), code.title());
        assert!(page.starts_with(&head), "the page of {code:?} begins with `{head}`");
    }
    let found = fs::read_dir(folder()).expect("the folder of the pages");
    for file in found {
        let name = file.expect("an entry").file_name().into_string().expect("an ordinary name");
        assert!(known.contains(&name), "{name} is the page of no code");
    }
    let summary = fs::read_to_string(folder().join("../SUMMARY.md")).expect("the book's summary");
    for name in known {
        assert!(summary.contains(&format!("(errors/{name})")), "the book's summary lacks errors/{name}");
    }
}

/// The faults in the examples of a page.
fn faults(code: Code) -> Vec<String> {
    let page = page(code);
    let mut found = Vec::new();
    let right = errors_of(&example(&page, "Right"));
    if !right.is_empty() {
        found.push(format!("the right example of {code:?}: {right:?}"));
    }
    // Stable Rust has no macros on statements: outside of any item that reads it, a directive is rustc's to find.
    if code == Code::OutsideOffload {
        return found;
    }
    let errors = errors_of(&example(&page, "Wrong"));
    if errors.is_empty() != OF_RUSTC.contains(&code) {
        found.push(format!("the wrong example of {code:?} gives {} errors", errors.len()));
    }
    let number = format!("[omp::E{:04}]", code.number());
    for (_, text) in errors.iter().filter(|(_, t)| !t.contains(&number) || !t.contains("help: ")) {
        found.push(format!("the wrong example of {code:?}: {text}"));
    }
    found
}

#[test]
fn wrong_examples_give_their_code_and_right_ones_none() {
    let codes = Code::ALL.iter().filter(|c| !LATER.contains(c));
    let found: Vec<String> = codes.flat_map(|c| faults(*c)).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn codes_of_rustc_stand_in_the_ui_tests() {
    let ui = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/ui");
    let mut all = String::new();
    for rule in fs::read_dir(ui).expect("the UI tests") {
        for file in fs::read_dir(rule.expect("an entry").path()).expect("a folder") {
            let path = file.expect("an entry").path();
            if path.extension().is_some_and(|e| e == "stderr") {
                all.push_str(&fs::read_to_string(path).expect("a text"));
            }
        }
    }
    for code in OF_RUSTC {
        assert!(all.contains(&format!("omp::E{:04}", code.number())), "no UI test shows {code:?}");
    }
}

/// The errors with a code of ours in the UI tests: the code, the whole text.
fn shown() -> Vec<(u32, String)> {
    let ui = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/ui");
    let mut found = Vec::new();
    for rule in fs::read_dir(ui).expect("the UI tests") {
        for file in fs::read_dir(rule.expect("an entry").path()).expect("a folder") {
            let path = file.expect("an entry").path();
            if path.extension().is_none_or(|e| e != "stderr") {
                continue;
            }
            let text = fs::read_to_string(path).expect("a text");
            for error in text.replace("\nwarning", "\nerror").split("\nerror") {
                let first = error.lines().next().unwrap_or_default();
                let code = first.split_once("[omp::E").and_then(|(_, rest)| rest.get(..4)?.parse().ok());
                found.extend(code.map(|code| (code, error.to_owned())));
            }
        }
    }
    found
}

#[test]
fn errors_say_what_to_do_and_races_that_they_are_some() {
    let shown = shown();
    assert!(shown.len() > 400, "{} errors", shown.len());
    for (code, error) in shown {
        assert!(error.contains("help: "), "{error}");
        assert!(
            !(601..=603).contains(&code) || error.lines().next().is_some_and(|l| l.contains("race")),
            "{error}"
        );
    }
}
