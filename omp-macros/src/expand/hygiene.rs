//! Checks that generated code names only `::omp::__private`. The user's crate may redefine `::core` and shadow the
//! prelude, so generated code uses neither.
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::fs;
use std::path::{Path, PathBuf};
use syn::visit::Visit;

/// Names of the prelude, and macros that are in every scope.
const PRELUDE: &[&str] = &[
    "Some",
    "None",
    "Ok",
    "Err",
    "Option",
    "Result",
    "Vec",
    "Box",
    "String",
    "Default",
    "Clone",
    "Copy",
    "Send",
    "Sync",
    "Sized",
    "Drop",
    "Fn",
    "FnMut",
    "FnOnce",
    "Iterator",
    "IntoIterator",
    "From",
    "Into",
    "AsRef",
    "AsMut",
    "PartialEq",
    "Eq",
    "PartialOrd",
    "Ord",
    "drop",
];
const MACROS: &[&str] = &[
    "panic",
    "assert",
    "assert_eq",
    "assert_ne",
    "debug_assert",
    "unreachable",
    "vec",
    "format",
    "matches",
    "cfg",
    "file",
    "line",
    "column",
    "concat",
    "stringify",
    "compile_error",
];

struct Quoted {
    found: Vec<String>,
    file: String,
}

impl Quoted {
    /// Looks through what a `quote!` makes.
    fn tokens(&mut self, tokens: TokenStream) {
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        let punct =
            |at: usize, c: char| matches!(trees.get(at), Some(TokenTree::Punct(p)) if p.as_char() == c);
        for (i, tree) in trees.iter().enumerate() {
            let before = |n: usize| i.checked_sub(n);
            let in_path =
                before(1).is_some_and(|at| punct(at, ':')) && before(2).is_some_and(|at| punct(at, ':'));
            let inserted = before(1).is_some_and(|at| punct(at, '#'));
            match tree {
                TokenTree::Group(g) => {
                    // The only attributes that count are `#[allow(…)]`.
                    if g.delimiter() != Delimiter::Bracket || !inserted {
                        self.tokens(g.stream());
                    }
                }
                TokenTree::Ident(name) if !inserted => {
                    let name = name.to_string();
                    let rooted = in_path
                        && before(3).is_none_or(|at| match &trees[at] {
                            TokenTree::Ident(word) => {
                                matches!(&*word.to_string(), "use" | "in" | "as" | "let" | "return")
                            }
                            TokenTree::Punct(p) => {
                                p.as_char() != '>'
                                    || before(4).is_some_and(|at| punct(at, '-') || punct(at, '='))
                            }
                            TokenTree::Group(_) | TokenTree::Literal(_) => true,
                        });
                    let called = punct(i + 1, '!') && !punct(i + 2, '=');
                    let wrong = match &*name {
                        "core" | "std" | "alloc" => {
                            rooted || !in_path && punct(i + 1, ':') && punct(i + 2, ':')
                        }
                        name if called => !in_path && MACROS.contains(&name),
                        // A variant or method of this name, and `use a::{Clone as _}`, are none.
                        name => {
                            let renamed =
                                matches!(trees.get(i + 1), Some(TokenTree::Ident(word)) if word == "as");
                            let method = before(1).is_some_and(|at| punct(at, '.'));
                            !in_path && !renamed && !method && PRELUDE.contains(&name)
                        }
                    };
                    if wrong {
                        let line = tree.span().start().line;
                        self.found.push(format!("{}:{line}: {name}", self.file));
                    }
                }
                TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }
}

impl<'ast> Visit<'ast> for Quoted {
    fn visit_macro(&mut self, m: &'ast syn::Macro) {
        let name = m.path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default();
        match &*name {
            // A name of ours, which another `quote!` appends to a path.
            "code" if m.tokens.clone().into_iter().count() == 1 => {}
            "quote" | "code" => self.tokens(m.tokens.clone()),
            "quote_spanned" => {
                let mut tokens = m.tokens.clone().into_iter();
                // `span=> …`
                while let Some(tree) = tokens.next() {
                    if matches!(&tree, TokenTree::Punct(p) if p.as_char() == '=') {
                        tokens.next();
                        break;
                    }
                }
                self.tokens(tokens.collect());
            }
            _ => {}
        }
    }

    /// Modules of tests quote what users write.
    fn visit_item_mod(&mut self, m: &'ast syn::ItemMod) {
        if m.ident != "tests" {
            syn::visit::visit_item_mod(self, m);
        }
    }
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true => files(&path, found),
            false if path.extension().is_some_and(|e| e == "rs") => found.push(path),
            false => {}
        }
    }
}

#[test]
fn generated_code_names_everything_through_our_crate() {
    let mut all = Vec::new();
    files(&PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src"), &mut all);
    let mut found = Vec::new();
    for path in all.iter().filter(|path| !path.to_string_lossy().contains("tests")) {
        let source = fs::read_to_string(path).expect("a source");
        let mut quoted =
            Quoted { found: Vec::new(), file: path.file_name().unwrap().to_string_lossy().into_owned() };
        quoted.visit_file(&syn::parse_file(&source).expect("it compiles"));
        found.append(&mut quoted.found);
    }
    assert!(found.is_empty(), "write `::omp::__private::core::…`:\n{}", found.join("\n"));
}

/// The test above does find names.
#[test]
fn names_are_found() {
    for (text, wrong) in [
        ("::core::mem::swap(a, b)", 1),
        ("let x: ::std::vec::Vec<u8>;", 1),
        ("fn f() -> ::core::option::Option<u8> {}", 1),
        ("core::mem::swap(a, b)", 1),
        ("Some(1)", 1),
        ("if let Ok(v) = e { panic!() }", 2),
        ("::omp::__private::core::option::Option::Some(1)", 0),
        ("::omp::__private::core::panic!(\"core\")", 0),
        ("#p::core::mem::swap(#Some, a.core)", 0),
        ("use #p::core::{clone::Clone as _};", 0),
    ] {
        let mut quoted = Quoted { found: Vec::new(), file: String::new() };
        quoted.tokens(text.parse().unwrap());
        assert_eq!(quoted.found.len(), wrong, "{text}: {:?}", quoted.found);
    }
}
