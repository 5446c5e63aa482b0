//! Names that other languages have for this language's methods and types, for `help:` lines.

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

/// The clause of OpenACC that a word means, OpenMP's names among them.
pub fn of_openacc(word: &str) -> Option<&'static str> {
    Some(match word {
        "map" => {
            "copy(…)` for `map(tofrom: …)`, `copyin(…)` for `to`, `copyout(…)` for `from`, `create(…)` for `alloc"
        }
        "pcopy" | "present_or_copy" | "tofrom" | "inout" => "copy(…)",
        "pcopyin" | "present_or_copyin" | "to" => "copyin(…)",
        "pcopyout" | "present_or_copyout" | "from" => "copyout(…)",
        "pcreate" | "present_or_create" | "alloc" => "create(…)",
        "shared" => "copy(…)",
        "num_teams" | "teams" | "gangs" => "num_gangs(…)",
        "thread_limit" | "num_threads" | "simdlen" | "threads" => "vector_length(…)",
        "workers" => "num_workers(…)",
        "nowait" => "async",
        "depend" => "async(queue)` and `wait(queue)",
        "is_device_ptr" | "has_device_addr" => "deviceptr(…)",
        "use_device_ptr" => "use_device(…)",
        "lastprivate" => "copyout(…)` of an array of one element, which the last iteration writes",
        "sequential" => "seq",
        "parallel" => "independent",
        _ => return None,
    })
}
