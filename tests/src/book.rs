//! The examples of the book in `docs/`: each block is a test of documentation.

/// A page, whose examples are tried by `cargo test --doc`.
macro_rules! pages {
    ($($name:ident: $path:literal;)*) => { $(
        #[doc = include_str!(concat!("../../docs/src/", $path))]
        mod $name {}
    )* };
}

pages! {
    introduction: "introduction.md";
    getting_started: "getting_started.md";
    directives: "directives.md";
    clauses: "clauses.md";
    bodies: "bodies.md";
    structs: "structs.md";
    reductions_and_scans: "reductions_and_scans.md";
    run_time_errors: "run_time_errors.md";
    tasks: "tasks.md";
    porting: "porting.md";
    recipes: "recipes.md";
}
