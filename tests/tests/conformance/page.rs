//! The book's table of entries, made from the programs and from the record of a run on a GPU.
use crate::table::{Program, Spec};
use crate::{openacc, openmp};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;

const BEGIN: &str = "<!-- The entries: `INSTA_UPDATE=always cargo test -p omp-tests --test conformance -- page` writes them from `tests/tests/conformance/`. -->\n";
const END: &str = "<!-- End of the entries. -->\n";

fn programs() -> impl Iterator<Item = &'static Program> {
    openacc::FAMILIES.iter().chain(openmp::FAMILIES).flat_map(|family| family.iter())
}

fn docs() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs")
}

/// The record of a run on a GPU: `#` lines that say where and when, and the line that the harness prints for each entry that passes.
/// Gives the words of the first line, and the entries.
fn record() -> (String, BTreeSet<String>) {
    let text = std::fs::read_to_string(docs().join("conformance_cuda.txt")).unwrap_or_default();
    let about = text.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or_default().to_owned();
    let passed = text.lines().filter_map(|line| line.strip_prefix("passed: cuda: ")).map(str::to_owned);
    (about, passed.collect())
}

/// Numbers of a section, to sort by.
fn numbers(section: &str) -> Vec<u32> {
    section.split('.').map(|n| n.parse().expect("a section")).collect()
}

fn tables() -> String {
    let (about, passed) = record();
    let mut out = String::new();
    let all = programs().map(|p| p.entries.len()).sum::<usize>();
    let on_gpu = programs().flat_map(|p| p.entries).filter(|e| passed.contains(&e.id())).count();
    writeln!(out, "There are {all} entries. Host: the loop runs on the host's threads. OpenCL: PoCL, a CPU device. CUDA: `emulated` is the \
        emulated device of `tests/cuda_emulator`, which runs the emitted CUDA C++ on a CPU, as CI does; `GPU` has passed there and on a GPU.")
    .expect("a string");
    if on_gpu > 0 {
        writeln!(out, "{on_gpu} entries have passed on a GPU: {about}.").expect("a string");
    } else {
        out.push_str("No run on a GPU is recorded yet.\n");
    }
    for (spec, title) in [(Spec::OpenMp, "OpenMP 5.2"), (Spec::OpenAcc, "OpenACC 3.3")] {
        write!(out, "\n## {title}\n\n| section | construct | clause | program | host | OpenCL | CUDA |\n|---|---|---|---|---|---|---|\n")
            .expect("a string");
        let mut lines = BTreeMap::new();
        for p in programs() {
            for (n, e) in p.entries.iter().enumerate().filter(|(_, e)| e.spec == spec) {
                let file = p.file.rsplit_once("conformance/").expect("a file of the folder").1;
                let cuda = if passed.contains(&e.id()) { "GPU" } else { "emulated" };
                let (key, name) =
                    (e.clause.split_once(" (").map_or(e.clause, |(key, _)| key), p.name.replace(' ', ""));
                let line = format!(
                    "| {} | `{}` | `{}` | `{name}` in `{file}` | yes | yes | {cuda} |",
                    e.section,
                    e.construct,
                    key.replace('|', "\\|")
                );
                lines.insert((numbers(e.section), e.construct, p.name, n), line);
            }
        }
        lines.values().for_each(|line| writeln!(out, "{line}").expect("a string"));
    }
    out
}

#[test]
fn page_is_up_to_date() {
    let path = docs().join("src/conformance.md");
    let page = std::fs::read_to_string(&path).expect("the page on conformance");
    let (head, rest) = page.split_once(BEGIN).expect("the table begins");
    let (table, tail) = rest.split_once(END).expect("the table ends");
    if std::env::var("INSTA_UPDATE").is_ok_and(|v| v == "always") {
        std::fs::write(&path, format!("{head}{BEGIN}{}{END}{tail}", tables())).expect("the page is written");
    } else {
        assert!(
            table == tables(),
            "conformance.md is old: `INSTA_UPDATE=always cargo test -p omp-tests --test conformance -- page`"
        );
    }
}

#[test]
fn page_has_an_entry_once() {
    let mut ids = BTreeSet::new();
    for e in programs().flat_map(|p| p.entries) {
        assert!(ids.insert(e.id()), "{} is there twice", e.id());
    }
    assert!(ids.len() >= 250, "{} entries", ids.len());
    // A record of what is no entry any more is old.
    let (_, passed) = record();
    let old: Vec<_> = passed.iter().filter(|id| !ids.contains(*id)).collect();
    assert!(old.is_empty(), "docs/conformance_cuda.txt has what is no entry: {old:?}");
}
