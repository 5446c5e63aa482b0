//! Words of OpenMP that are no directives here: what is meant by them is said another way.

/// By the word: what to write instead.
const INSTEAD: &[(&str, &str)] = &[
    ("allocate", "memory of a device is an `omp::DeviceSlice`; arrays of a `map` need no directive"),
    ("allocators", "memory of a device is an `omp::DeviceSlice`; arrays of a `map` need no directive"),
    (
        "assume",
        "what the analysis can't prove is promised by the clause `unsafe(…)`, or checked by `disjoint(…)`",
    ),
    (
        "assumes",
        "what the analysis can't prove is promised by the clause `unsafe(…)`, or checked by `disjoint(…)`",
    ),
    (
        "barrier",
        "the end of a loop is one: write two loops, in a block with `#[omp::target]` if their data stays on the device",
    ),
    ("begin_declare_target", "put `#[omp::declare_target]` on each function, `impl`, `static` and `const`"),
    ("end_declare_target", "put `#[omp::declare_target]` on each function, `impl`, `static` and `const`"),
    (
        "cancel",
        "no iteration ends a loop: let the others find a condition false, or put a `while` around a loop that reduces it (`reduction(||: found)`)",
    ),
    (
        "cancellation_point",
        "no iteration ends a loop: let the others find a condition false, or put a `while` around a loop that reduces it (`reduction(||: found)`)",
    ),
    (
        "critical",
        "what iterations add up takes the clause `reduction(op: x)`, one update of one element `#[omp::atomic]`",
    ),
    ("declare_mapper", "name the fields in the map: `map(to: s.x, s.y)`"),
    ("declare_simd", "put `#[omp::declare_target]` on the function"),
    (
        "declare_variant",
        "put `#[omp::declare_target]` on the function; `omp::is_initial_device()` tells where it runs",
    ),
    ("depobj", "name the data in the task's clause: `depend(in: x)`"),
    ("dispatch", "call the function, which has `#[omp::declare_target]`"),
    ("distribute", "write `#[omp::target]` on the loop; its inner loops may bear `#[omp::parallel_for]`"),
    ("distribute_simd", "write `#[omp::target]` on the loop; its inner loops may bear `#[omp::simd]`"),
    ("do", "write `#[omp::parallel_for]` on the loop"),
    ("error", "write `panic!(…)`, which a body may"),
    (
        "flush",
        "none is needed: what iterations tell each other goes through `#[omp::atomic]` or `reduction(…)`",
    ),
    ("for", "write `#[omp::parallel_for]` on the loop"),
    ("for_simd", "write `#[omp::parallel_for_simd]` on the loop"),
    ("interop", "inside `#[omp::target_data(use_device_ptr(x))]` the name `x` is the device's memory"),
    ("loop", "write `#[omp::target]` on a loop of its own, `#[omp::parallel_for]` on one inside a region"),
    (
        "masked",
        "what runs once stands before or behind the loop: between the loops of a block with `#[omp::target]`, too",
    ),
    (
        "master",
        "what runs once stands before or behind the loop: between the loops of a block with `#[omp::target]`, too",
    ),
    ("metadirective", "the clauses `if(e)` and `device(e)` choose where a region runs"),
    ("nothing", "leave it out"),
    (
        "ordered",
        "a value that goes from one iteration to the next takes `#[omp::scan(op)]`; what else goes in order is a loop without a directive",
    ),
    ("parallel", "write `#[omp::parallel_for]` on the loop; what each thread is to do is an iteration of it"),
    ("parallel_loop", "write `#[omp::parallel_for]` on the loop"),
    ("parallel_masked", "write `#[omp::parallel_for]` on the loop, and what runs once before or behind it"),
    ("parallel_master", "write `#[omp::parallel_for]` on the loop, and what runs once before or behind it"),
    (
        "parallel_sections",
        "write each section as a task: the clause `nowait` on its loop or block, and `omp::taskwait!();` behind the last",
    ),
    ("parallel_workshare", "write `#[omp::parallel_for]` on a loop"),
    ("prefetch", "the clause `cache(x)` asks for it"),
    (
        "requires",
        "leave it out: the variables of the environment say what has to be there (`OMP_TARGET_OFFLOAD=mandatory`)",
    ),
    ("scope", "leave it out; variables of one iteration are declared in the body"),
    (
        "section",
        "write each section as a task: the clause `nowait` on its loop or block, and `omp::taskwait!();` behind the last",
    ),
    (
        "sections",
        "write each section as a task: the clause `nowait` on its loop or block, and `omp::taskwait!();` behind the last",
    ),
    (
        "single",
        "what runs once stands before or behind the loop: between the loops of a block with `#[omp::target]`, too",
    ),
    ("target_parallel", "write `#[omp::target]` on the loop"),
    ("target_teams", "write `#[omp::target]` on the loop"),
    (
        "task",
        "the clause `nowait` makes a target loop, a target block or a `target_update!` a task, `depend(…)` adds order",
    ),
    (
        "taskloop",
        "the clause `nowait` makes a target loop a task; `#[omp::parallel_for]` shares a loop among the host's threads",
    ),
    (
        "taskloop_simd",
        "the clause `nowait` makes a target loop a task; `#[omp::parallel_for_simd]` shares a loop among the host's threads",
    ),
    ("taskyield", "leave it out: tasks have threads of their own"),
    ("teams", "write `#[omp::target]` on the loop; the clause `num_teams(n)` bounds its teams"),
    ("threadprivate", "write the clause `private(x)` on the loop, or declare the variable in its body"),
    ("tile", "it is a clause: `#[omp::target(tile(a, b))]`"),
    ("unroll", "it is a clause: `#[omp::target(unroll(n))]`"),
    ("workshare", "write `#[omp::parallel_for]` on a loop"),
];

/// What to write instead of a word of OpenMP's.
pub fn instead(name: &str) -> Option<&'static str> {
    let name = name.strip_prefix("r#").unwrap_or(name);
    INSTEAD.iter().find(|(word, _)| *word == name).map(|(_, help)| *help)
}
