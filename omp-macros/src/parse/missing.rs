//! The directives and clauses of OpenMP and OpenACC that this crate does not have, with their replacements. The book's
//! page on conformance has the same lists, which a test writes.
use crate::ast::Spelling;

/// For each missing directive: what to write instead.
const INSTEAD: &[(&str, &str)] = &[
    ("allocate", "device memory is an `omp::DeviceSlice`; mapped arrays need no directive"),
    ("allocators", "device memory is an `omp::DeviceSlice`; mapped arrays need no directive"),
    ("assume", "the clause `unsafe(…)` promises what the analysis can't prove, and `disjoint(…)` checks it"),
    ("assumes", "the clause `unsafe(…)` promises what the analysis can't prove, and `disjoint(…)` checks it"),
    (
        "barrier",
        "the end of a loop is a barrier: write two loops, in a block with `#[omp::target]` if their data stays on the device",
    ),
    ("begin_declare_target", "put `#[omp::declare_target]` on each function, `impl`, `static` and `const`"),
    ("end_declare_target", "put `#[omp::declare_target]` on each function, `impl`, `static` and `const`"),
    (
        "cancel",
        "no iteration can end a parallel loop: test a flag in each iteration, or put a `while` around a loop that reduces the flag (`reduction(||: found)`)",
    ),
    (
        "cancellation_point",
        "no iteration can end a parallel loop: test a flag in each iteration, or put a `while` around a loop that reduces the flag (`reduction(||: found)`)",
    ),
    (
        "critical",
        "use the clause `reduction(op: x)` for what the iterations combine, and `#[omp::atomic]` for one update of one element",
    ),
    (
        "declare_mapper",
        "put `#[derive(omp::Mapper)]` on the struct, or name the fields in the map: `map(to: s.x, s.y)`",
    ),
    ("declare_simd", "put `#[omp::declare_target]` on the function"),
    (
        "declare_variant",
        "put `#[omp::declare_target]` on the function; `omp::is_initial_device()` says where it runs",
    ),
    ("depobj", "name the data in the task's clause: `depend(in: x)`"),
    ("dispatch", "call the function, which has `#[omp::declare_target]`"),
    ("distribute", "write `#[omp::target]` on the loop; its inner loops may have `#[omp::parallel_for]`"),
    ("distribute_simd", "write `#[omp::target]` on the loop; its inner loops may have `#[omp::simd]`"),
    ("do", "write `#[omp::parallel_for]` on the loop"),
    ("error", "write `panic!(…)`, which is allowed in a body"),
    ("flush", "leave it out: iterations exchange values by `#[omp::atomic]` or `reduction(…)`"),
    ("for", "write `#[omp::parallel_for]` on the loop"),
    ("for_simd", "write `#[omp::parallel_for_simd]` on the loop"),
    ("interop", "inside `#[omp::target_data(use_device_ptr(x))]` the name `x` is the device's memory"),
    ("loop", "write `#[omp::target]` on a loop of its own, `#[omp::parallel_for]` on one inside a region"),
    (
        "masked",
        "write statements that run once before or after the loop, or between the loops of a block with `#[omp::target]`",
    ),
    (
        "master",
        "write statements that run once before or after the loop, or between the loops of a block with `#[omp::target]`",
    ),
    ("metadirective", "the clauses `if(e)` and `device(e)` choose where a region runs"),
    ("nothing", "leave it out"),
    (
        "ordered",
        "use `#[omp::scan(op)]` for a value that each iteration takes from the one before; other loops that have to run in order need no directive",
    ),
    ("parallel", "write `#[omp::parallel_for]` on a loop; the work of each thread is an iteration of it"),
    ("parallel_loop", "write `#[omp::parallel_for]` on the loop"),
    (
        "parallel_masked",
        "write `#[omp::parallel_for]` on the loop, and statements that run once before or after it",
    ),
    (
        "parallel_master",
        "write `#[omp::parallel_for]` on the loop, and statements that run once before or after it",
    ),
    (
        "parallel_sections",
        "write each section as a task: the clause `nowait` on its loop or block, and `omp::taskwait!();` after the last",
    ),
    ("parallel_workshare", "write `#[omp::parallel_for]` on a loop"),
    ("prefetch", "write the clause `cache(x)`"),
    (
        "requires",
        "leave it out: environment variables state what a program requires (`OMP_TARGET_OFFLOAD=mandatory`)",
    ),
    ("scope", "leave it out; declare the variables of an iteration in the body"),
    (
        "section",
        "write each section as a task: the clause `nowait` on its loop or block, and `omp::taskwait!();` after the last",
    ),
    (
        "sections",
        "write each section as a task: the clause `nowait` on its loop or block, and `omp::taskwait!();` after the last",
    ),
    (
        "single",
        "write statements that run once before or after the loop, or between the loops of a block with `#[omp::target]`",
    ),
    ("target_parallel", "write `#[omp::target]` on the loop"),
    ("target_teams", "write `#[omp::target]` on the loop"),
    (
        "task",
        "the clause `nowait` makes a target loop, a target block or a `target_update!` a task; `depend(…)` adds order",
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

/// The replacement for a directive of OpenMP.
pub fn instead(name: &str) -> Option<&'static str> {
    let name = name.strip_prefix("r#").unwrap_or(name);
    INSTEAD.iter().find(|(word, _)| *word == name).map(|(_, help)| *help)
}

/// A clause that is missing.
struct Absent {
    spelling: Spelling,
    name: &'static str,
    /// The directive that does not take it; all of them, if empty.
    on: &'static str,
    /// The replacement, and why.
    instead: &'static str,
}

const fn omp(name: &'static str, instead: &'static str) -> Absent {
    Absent { spelling: Spelling::OpenMp, name, on: "", instead }
}

const fn acc(name: &'static str, on: &'static str, instead: &'static str) -> Absent {
    Absent { spelling: Spelling::OpenAcc, name, on, instead }
}

/// For clauses of the host's tasks.
const NO_TASKS: &str = "leave it out: a task runs as soon as the tasks that it depends on have ended";
/// For clauses of allocators.
const NO_ALLOCATORS: &str =
    "leave it out: declare private arrays in the body; device memory is an `omp::DeviceSlice`";
/// For clauses of `atomic`.
const RELAXED: &str =
    "leave it out: atomic accesses are relaxed, and a loop sees all that earlier loops wrote";

/// The clauses of the standards that are no clauses here.
const CLAUSES: &[Absent] = &[
    omp("affinity", NO_TASKS),
    omp(
        "aligned",
        "leave it out: a launch checks the alignment of its arrays, and uses wide accesses if it suffices",
    ),
    omp("allocate", NO_ALLOCATORS),
    omp("allocator", NO_ALLOCATORS),
    omp(
        "bind",
        "`#[omp::target]` shares a loop among all threads; an inner loop with `#[omp::parallel_for]` is shared among the threads of a team",
    ),
    omp("detach", NO_TASKS),
    omp(
        "doacross",
        "use `#[omp::scan(op)]` for a value that each iteration takes from the one before; other loops that have to run in order need no directive",
    ),
    omp("final", NO_TASKS),
    omp("grainsize", NO_TASKS),
    omp("hint", "leave it out: the schedule chooses how atomic accesses are made"),
    omp(
        "in_reduction",
        "write `reduction(op: x)` on each task; tasks that reduce the same variable run in the order written",
    ),
    omp("linear", "compute it from the loop's variable: `let k = k0 + 2 * i;`"),
    omp("mergeable", NO_TASKS),
    omp("nogroup", NO_TASKS),
    omp("nontemporal", "leave it out: the schedule chooses how memory is accessed"),
    omp("num_tasks", NO_TASKS),
    omp(
        "order",
        "leave it out: iterations run in any order, and the compiler or the launch checks that they may",
    ),
    omp(
        "ordered",
        "use `#[omp::scan(op)]` for a value that each iteration takes from the one before; other loops that have to run in order need no directive",
    ),
    omp("priority", NO_TASKS),
    omp("proc_bind", "leave it out: the operating system places the threads"),
    omp(
        "safelen",
        "leave it out: `simd` is checked, so lanes don't depend on each other. A loop that has to run in order needs no directive",
    ),
    omp(
        "task_reduction",
        "write `reduction(op: x)` on each task; tasks that reduce the same variable run in the order written",
    ),
    omp("untied", NO_TASKS),
    omp("uses_allocators", NO_ALLOCATORS),
    omp("seq_cst", RELAXED),
    omp("acq_rel", RELAXED),
    omp("acquire", RELAXED),
    omp("release", RELAXED),
    omp("relaxed", "leave it out: atomic accesses are relaxed"),
    acc("attach", "", "leave it out: mapped data has no pointers in it. Name the arrays: `copy(m.data)`"),
    acc(
        "bind",
        "",
        "leave it out: a routine has one body for all devices, in which `omp::is_initial_device()` says where it runs",
    ),
    acc("detach", "", "leave it out: mapped data has no pointers in it. Name the arrays: `copy(m.data)`"),
    acc(
        "firstprivate",
        "kernels_loop",
        "leave it out: scalars are `firstprivate` unless a clause says otherwise",
    ),
    acc("firstprivate", "kernels", "leave it out: scalars are `firstprivate` unless a clause says otherwise"),
    acc(
        "if_present",
        "host_data",
        "write `if(acc::is_present(&x))`: data that is not present has no address on the device",
    ),
];

/// The replacement for a clause of a standard.
pub fn instead_of_clause(spelling: Spelling, name: &str, directive: &str) -> Option<&'static str> {
    let absent =
        |a: &&Absent| a.spelling == spelling && a.name == name && (a.on.is_empty() || a.on == directive);
    CLAUSES.iter().find(absent).map(|a| a.instead)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write as _;
    use std::path::PathBuf;

    const BEGIN: &str = "<!-- What is missing: `INSTA_UPDATE=always cargo test -p omp-macros` writes it from `parse/missing.rs`. -->\n";
    const END: &str = "<!-- End of what is missing. -->\n";

    /// The missing words of a kind that share a reason are one line.
    fn table(head: &str, words: impl Iterator<Item = (String, &'static str)>) -> String {
        let mut lines: Vec<(&str, Vec<String>)> = Vec::new();
        for (word, reason) in words {
            match lines.iter_mut().find(|(r, _)| *r == reason) {
                Some((_, words)) => words.push(word),
                None => lines.push((reason, vec![word])),
            }
        }
        let mut out = format!("| {head} | instead |\n|---|---|\n");
        for (reason, words) in lines {
            writeln!(out, "| {} | {} |", words.join(", "), reason.replace('|', "\\|")).expect("a string");
        }
        out
    }

    fn book() -> String {
        let clauses = |spelling| {
            CLAUSES.iter().filter(move |a| a.spelling == spelling).map(|a| {
                let on = if a.on.is_empty() { String::new() } else { format!(" on `{}`", a.on) };
                (format!("`{}`{on}", a.name), a.instead)
            })
        };
        let directives = INSTEAD.iter().map(|(name, help)| (format!("`{}`", name.replace('_', " ")), *help));
        [
            table("directive of OpenMP", directives),
            table("clause of OpenMP", clauses(Spelling::OpenMp)),
            table("clause of OpenACC", clauses(Spelling::OpenAcc)),
        ]
        .join("\n")
    }

    #[test]
    fn the_book_says_what_is_missing() {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/src/conformance.md");
        let page = std::fs::read_to_string(&path).expect("the page on conformance");
        let (head, rest) = page.split_once(BEGIN).expect("the tables begin");
        let (tables, tail) = rest.split_once(END).expect("the tables end");
        if std::env::var("INSTA_UPDATE").is_ok_and(|v| v == "always") {
            std::fs::write(&path, format!("{head}{BEGIN}{}{END}{tail}", book()))
                .expect("the page is written");
        } else {
            assert_eq!(
                tables,
                book(),
                "conformance.md is old: run the tests of omp-macros with INSTA_UPDATE=always"
            );
        }
    }
}
