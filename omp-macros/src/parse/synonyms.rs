//! What people write who come from another language, and what it is called here: for `help:` lines.

/// The map type that a word means.
pub fn map_type(word: &str) -> Option<&'static str> {
    Some(match word {
        "in" | "copyin" | "read" | "input" | "const" => "to",
        "out" | "copyout" | "write" | "output" => "from",
        "inout" | "copy" | "both" | "rw" | "readwrite" | "mut" => "tofrom",
        "create" | "new" | "allocate" | "scratch" => "alloc",
        "free" | "drop" => "delete",
        _ => return None,
    })
}

/// The reduction operator that a word means.
pub fn operator(word: &str) -> Option<&'static str> {
    Some(match word {
        "sum" | "add" | "plus" | "minus" | "sub" => "+",
        "mul" | "prod" | "product" | "times" => "*",
        "maximum" | "MAX" | "Max" => "max",
        "minimum" | "MIN" | "Min" => "min",
        "and" | "all" | "land" => "&&",
        "or" | "any" | "lor" => "||",
        "xor" | "bitxor" => "^",
        "bitand" | "iand" => "&",
        "bitor" | "ior" => "|",
        _ => return None,
    })
}

/// The clause that a word means, as it is to be written.
pub fn clause(word: &str) -> Option<&'static str> {
    Some(match word {
        "copy" | "inout" | "tofrom" => "map(tofrom: …)",
        "copyin" | "to" | "in" | "input" => "map(to: …)",
        "copyout" | "from" | "out" | "output" => "map(from: …)",
        "create" | "alloc" => "map(alloc: …)",
        "reduce" | "sum" => "reduction(+: …)",
        "num_gangs" | "teams" | "gangs" | "num_blocks" | "grid" => "num_teams(…)",
        "vector_length" | "threads" | "block_size" => "thread_limit(…)",
        "async" => "nowait",
        "unchecked" => "unsafe(unchecked(…))",
        "fast_math" | "fastmath" => "fp(fast)",
        "label" => "name(\"…\")",
        "local" => "private(…)",
        "nested" => "collapse(…)",
        "none" => "default(none)",
        _ => return None,
    })
}
