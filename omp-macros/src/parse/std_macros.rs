//! The names of std's macros. Directives know these macros by their names; `expand::context::std_macros` has rustc check that a name means
//! std's macro.
use proc_macro2::Ident;
use syn::Macro;

/// Macros whose arguments are expressions.
const OF_EXPRESSIONS: &[&str] = &[
    "assert",
    "assert_eq",
    "assert_ne",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "print",
    "println",
    "eprint",
    "eprintln",
    "format",
    "write",
    "writeln",
    "vec",
    "dbg",
    "panic",
    "matches",
];

/// Other macros that neither jump nor declare anything. They take no places.
const OTHERS: &[&str] = &[
    "cfg",
    "column",
    "concat",
    "env",
    "file",
    "format_args",
    "include_bytes",
    "include_str",
    "line",
    "module_path",
    "stringify",
    "todo",
    "unimplemented",
    "unreachable",
];

/// Macros that directives don't know.
const UNKNOWN: &[&str] = &[
    "addr_of",
    "addr_of_mut",
    "asm",
    "compile_error",
    "global_asm",
    "include",
    "macro_rules",
    "option_env",
    "thread_local",
    "try",
];

/// Whether a macro is one of std's that takes a list of expressions.
pub fn takes_expressions(m: &Macro) -> bool {
    m.path.segments.last().is_some_and(|s| OF_EXPRESSIONS.iter().any(|name| s.ident == name))
}

/// Whether a macro is one of std's that takes texts and types alone.
pub fn takes_no_places(m: &Macro) -> bool {
    m.path.segments.last().is_some_and(|s| OTHERS.iter().any(|name| s.ident == name))
}

/// Whether directives know a macro of std's by this name.
pub fn is_known(name: &Ident) -> bool {
    OF_EXPRESSIONS.iter().chain(OTHERS).any(|known| name == known)
}

/// Whether a macro does no more than std's: it neither jumps nor declares anything.
pub fn stays(m: &Macro) -> bool {
    m.path.segments.last().is_some_and(|s| is_known(&s.ident))
}

/// Whether std has a macro of this name.
pub fn is_std(name: &str) -> bool {
    OF_EXPRESSIONS.iter().chain(OTHERS).chain(UNKNOWN).any(|of| *of == name)
}
