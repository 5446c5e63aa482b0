//! `docs/soundness.md` names every file with unsafe code, every unsafe trait and every unsafe function.
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").to_owned()
}

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

/// The code of a file without comments, texts of `///`, and tests.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).expect("a source");
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default().to_owned();
    let lines = text.lines().filter(|l| !l.trim_start().starts_with("//"));
    // What messages quote is no code.
    lines.collect::<Vec<_>>().join("\n").replace("`unsafe", "")
}

/// The name after `unsafe trait` or `unsafe fn`.
fn names(code: &str) -> Vec<String> {
    let after = |key: &str| {
        code.match_indices(key)
            .map(|(at, _)| {
                let rest = &code[at + key.len()..];
                rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>()
            })
            .filter(|n| !n.is_empty())
            .collect::<Vec<_>>()
    };
    [after("unsafe trait "), after("unsafe fn ")].concat()
}

#[test]
fn every_kind_of_unsafe_code_is_accounted_for() {
    let page = fs::read_to_string(root().join("docs/soundness.md")).expect("the page");
    let (runtime, macros) = (root().join("omp-runtime/src"), root().join("omp-macros/src"));
    let mut missing = Vec::new();
    for (folder, prefix) in [(&runtime, ""), (&macros, "omp-macros/src/")] {
        let mut files = Vec::new();
        rust_files(folder, &mut files);
        for file in files {
            let name = format!("{prefix}{}", file.strip_prefix(folder).expect("inside").display());
            let code = code(&file);
            let has =
                ["unsafe {", "unsafe impl", "unsafe fn", "unsafe trait"].iter().any(|u| code.contains(u));
            if name.contains("tests") || !has {
                continue;
            }
            if !page.contains(&format!("`{name}`")) {
                missing.push(name.clone());
            }
            missing.extend(
                names(&code).into_iter().filter(|n| !page.contains(n)).map(|n| format!("{n} in {name}")),
            );
        }
    }
    assert!(missing.is_empty(), "docs/soundness.md does not speak of: {missing:#?}");
}

/// The other crates are safe Rust.
#[test]
fn other_crates_have_no_unsafe_code() {
    for folder in ["omp-kernels/src", "src"] {
        let mut files = Vec::new();
        rust_files(&root().join(folder), &mut files);
        for file in files {
            assert!(!code(&file).contains("unsafe {"), "{}", file.display());
        }
    }
}
