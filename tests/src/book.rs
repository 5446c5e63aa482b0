//! The examples of the book in `docs/`: each block is a test of documentation.

/// A page of the book: `cargo test --workspace --doc` compiles and runs its examples.
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
    data: "data.md";
    reductions_and_scans: "reductions_and_scans.md";
    tasks: "tasks.md";
    bodies: "bodies.md";
    structs: "structs.md";
    races: "races.md";
    porting: "porting.md";
    recipes: "recipes.md";
    from_c: "from_c.md";
    openacc: "openacc.md";
    run_time_errors: "run_time_errors.md";
}
