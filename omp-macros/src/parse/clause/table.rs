//! The table of clauses: one row for each clause, with its name, its directives, how often it may be used, and what its
//! parentheses hold. The reader, the list of evaluated expressions, the simple checks and the tables of the book
//! (`docs/src/clauses.md`) all come from this table. The meaning of a clause is elsewhere, in one place.
use super::ClauseSet::{
    self, AccData as AD, AccDeclare as ADC, AccEnterData as AE, AccExitData as AX, AccHostData as AH,
    AccInit as AI, AccKernels as AK, AccKernelsLoop as AKL, AccLoop as AL, AccParallel as AP,
    AccParallelLoop as APL, AccSerial as AS, AccSerialLoop as ASL, AccSet as AT, AccUpdate as AU,
    AccWait as AW, ParallelFor as P, Scan as C, Simd as S, Target as T, TargetData as D,
    TargetEnterData as E, TargetExitData as X, TargetUpdate as U, Taskwait as W,
};
use crate::ast::{Clauses, Item, Level, MapWord, Number, ReductionClause, Spanned, Spelling};

/// A clause of the language.
pub struct Clause {
    /// The name in the source.
    pub name: &'static str,
    /// The directives that take it.
    pub on: &'static [ClauseSet],
    /// Whether a directive may have it more than once.
    pub many: bool,
    /// The contents of its parentheses, and where they are stored.
    pub takes: Takes,
    /// The subject of the clause.
    pub of: Of,
    /// A directive of a long name takes it only if this is a part of the name: `num_teams` belongs to the `teams` of
    /// `target_teams_loop`.
    pub part: Option<&'static str>,
    /// The description in the book.
    #[cfg_attr(not(test), expect(dead_code, reason = "a test compares the book's page with it"))]
    pub text: &'static str,
}

/// The subject of a clause, which decides on which directives it may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Of {
    Any,
    /// A loop: not on a block.
    Loop,
    /// A whole region: not on a loop inside one.
    Region,
}

/// The contents of a clause's parentheses, and where they are stored.
pub enum Takes {
    /// `[always,] [present,] type: items`
    Map,
    /// Items of one map type, after an optional modifier: `readonly: x`.
    MapOf(MapWord),
    /// Items that have to be present on the device.
    PresentItems,
    /// `x, self.y, z[lo..hi]`
    Items(fn(&mut Clauses) -> &mut Vec<Item>),
    /// `op: items`
    Reduction(fn(&mut Clauses) -> &mut Vec<ReductionClause>),
    /// `in: items`
    Depend,
    /// No parentheses.
    Nothing(fn(&mut Clauses) -> &mut Option<Spanned<()>>),
    /// An expression.
    Number(Number),
    /// An expression, or no parentheses.
    MaybeNumber(Number),
    /// A condition; without parentheses it is true.
    Condition(Number),
    /// Any number of expressions, or no parentheses.
    List(Number),
    /// A level of parallelism, with an optional size: `gang(num: e)`.
    Level(Level, Option<Number>),
    /// One size for each loop of the nest, the innermost first; `*` for any.
    Tiles,
    /// At most that many expressions.
    Numbers(Number, usize),
    /// One of the kinds of schedules (a prefix of the list), and an optional expression.
    Schedule(Number, usize),
    /// An integer literal: the number of loops that become one.
    Loops,
    /// `none` or `shared`; in OpenACC `none` or `present`
    Default(Spelling),
    /// `behaviour[: category]`
    DefaultMap,
    /// `strict`, `contract` or `fast`
    Fp,
    /// A string.
    Text,
    /// A word.
    DeviceType,
    /// Words: the clauses after it are for devices of these kinds.
    DeviceTypes,
    /// `disjoint(x)`, `unchecked(x)` and `unchecked`
    Promises,
}

impl Takes {
    /// Whether the clause has parentheses: `None` if it may.
    pub fn parentheses(&self) -> Option<bool> {
        match self {
            Self::Nothing(_) | Self::Level(_, None) => Some(false),
            Self::MaybeNumber(_) | Self::Condition(_) | Self::List(_) | Self::Level(_, Some(_)) => None,
            Self::Map
            | Self::MapOf(_)
            | Self::PresentItems
            | Self::Tiles
            | Self::DeviceType
            | Self::DeviceTypes
            | Self::Items(_)
            | Self::Reduction(_)
            | Self::Depend
            | Self::Number(_)
            | Self::Numbers(..)
            | Self::Schedule(..)
            | Self::Loops
            | Self::Default(_)
            | Self::DefaultMap
            | Self::Fp
            | Self::Text
            | Self::Promises => Some(true),
        }
    }

    /// The clause as the book writes it.
    #[cfg(test)]
    fn written(&self, name: &str) -> String {
        let inside = match self {
            Self::Nothing(_) | Self::Level(_, None) => return format!("`{name}`"),
            Self::MaybeNumber(_) | Self::Condition(_) | Self::Level(_, Some(_)) => {
                return format!("`{name}`, `{name}(e)`");
            }
            Self::List(_) => return format!("`{name}`, `{name}(e, f)`"),
            Self::MapOf(_) | Self::PresentItems => "x, y[a..b]",
            Self::Tiles => "a, b",
            Self::DeviceType => "nvidia\\|opencl\\|host\\|default",
            Self::DeviceTypes => "nvidia, opencl, host\\|*",
            Self::Default(Spelling::OpenAcc) => "none\\|present",
            Self::Map => "[always,] [present,] type: x, y[a..b]",
            Self::Items(_) => "x, y",
            Self::Reduction(_) => "op: x, y",
            Self::Depend => "in\\|out\\|inout: x",
            Self::Number(_) => "e",
            Self::Numbers(_, most) => ["a", "a[, b]", "a[, b[, c]]"][most - 1],
            Self::Schedule(_, 1) => "static[, e]",
            Self::Schedule(..) => "static\\|dynamic\\|guided\\|auto[, e]",
            Self::Loops => "n",
            Self::Default(Spelling::OpenMp) => "none\\|shared",
            Self::DefaultMap => "none\\|present\\|default\\|firstprivate: scalar\\|tofrom: aggregate",
            Self::Fp => "strict\\|contract\\|fast",
            Self::Text => "\"…\"",
            Self::Promises => "disjoint(x), unchecked(y), unchecked",
        };
        format!("`{name}({inside})`")
    }
}

const fn many(name: &'static str, on: &'static [ClauseSet], takes: Takes, text: &'static str) -> Clause {
    Clause { name, on, many: true, takes, of: Of::Any, part: None, text }
}

const fn once(name: &'static str, on: &'static [ClauseSet], takes: Takes, text: &'static str) -> Clause {
    Clause { name, on, many: false, takes, of: Of::Any, part: None, text }
}

impl Clause {
    /// Whether directives of this standard take it.
    pub fn is_of(&self, spelling: Spelling) -> bool {
        self.on.iter().any(|kin| kin.spelling() == spelling)
    }

    const fn of(mut self, of: Of) -> Self {
        self.of = of;
        self
    }

    const fn part(mut self, part: &'static str) -> Self {
        self.part = Some(part);
        self
    }
}

const COMPUTE: &[ClauseSet] = &[APL, AKL, ASL, AP, AK, AS];
const COMPUTE_AND_DATA: &[ClauseSet] = &[APL, AKL, ASL, AP, AK, AS, AD];
const IN_AND_OUT: &[ClauseSet] = &[APL, AKL, ASL, AP, AK, AS, AD, ADC];
const COPIED_IN: &[ClauseSet] = &[APL, AKL, ASL, AP, AK, AS, AD, ADC, AE];
const COPIED_OUT: &[ClauseSet] = &[APL, AKL, ASL, AP, AK, AS, AD, ADC, AX];
const CREATED: &[ClauseSet] = COPIED_IN;
const ASYNC: &[ClauseSet] = &[APL, AKL, ASL, AP, AK, AS, AD, AE, AX, AU, AW];
const WAITS: &[ClauseSet] = &[APL, AKL, ASL, AP, AK, AS, AD, AE, AX, AU];
const SIZED: &[ClauseSet] = &[APL, AKL, AP, AK];
const LOOPS: &[ClauseSet] = &[APL, AKL, ASL, AL];

/// The table. Messages list the clauses of a directive in this order.
pub static CLAUSES: &[Clause] = &[
    many(
        "map",
        &[T, C, D, E, X],
        Takes::Map,
        "what is copied: `to` the device, `from` the device, `tofrom` both ways, `alloc` nothing. Without a `map`, the accesses in the body decide. Arrays that the region doesn't write are never copied back, and elements that it doesn't write keep their values",
    ),
    many("private", &[T, C, P, S, APL, AKL, ASL, AP, AS, AL], Takes::Items(|c| &mut c.private), "a copy for each iteration").of(Of::Loop),
    many(
        "firstprivate",
        &[T, C, P, APL, ASL, AP, AS],
        Takes::Items(|c| &mut c.firstprivate),
        "a copy for each iteration, initialised with the variable's value",
    )
    .of(Of::Loop),
    many(
        "lastprivate",
        &[T, C, P, S],
        Takes::Items(|c| &mut c.lastprivate),
        "a copy for each iteration; after the loop, the variable has the value of the last iteration's copy",
    )
    .of(Of::Loop),
    many("shared", &[T, C, P], Takes::Items(|c| &mut c.shared), "one variable for all iterations"),
    once("default", &[T, C, P], Takes::Default(Spelling::OpenMp), "under `none`, every variable of the loop has to be named in a clause"),
    once("defaultmap", &[T, C], Takes::DefaultMap, "`none`: every variable has to be named in a clause; `present`: arrays that no clause names have to be on the device; the others are what happens without the clause"),
    many(
        "reduction",
        &[T, C, P, S, APL, AKL, ASL, AP, AS, AL],
        Takes::Reduction(|c| &mut c.reductions),
        "the operator is `+ * - max min & \\| ^ && \\|\\|` or a declared one; the variable's value before the loop takes part. `reproducible, op: x`: the same bits on every backend",
    )
    .of(Of::Loop),
    many(
        "scan",
        &[T],
        Takes::Reduction(|c| &mut c.scans),
        "a value that each iteration takes from the one before ([Scans](reductions_and_scans.md#scans))",
    ),
    once(
        "collapse",
        &[T, C, P, S, APL, AKL, ASL, AL],
        Takes::Loops,
        "n perfectly nested loops are one parallel loop; inner bounds may be `a*i + b` of outer variables",
    )
    .of(Of::Loop),
    once("num_teams", &[T, C], Takes::Number(Number::Teams), "upper bound of the teams").part("teams"),
    once(
        "thread_limit",
        &[T, C],
        Takes::Number(Number::ThreadLimit),
        "upper bound of the threads of a team",
    ),
    once(
        "num_threads",
        &[T, P],
        Takes::Number(Number::Threads),
        "upper bound of the threads that share the loop",
    )
    .part("parallel")
    .of(Of::Loop),
    once(
        "simdlen",
        &[T, P, S],
        Takes::Number(Number::SimdLength),
        "upper bound of the iterations that run in lock-step",
    )
    .part("simd")
    .of(Of::Loop),
    once(
        "schedule",
        &[T, P],
        Takes::Schedule(Number::Chunk, 4),
        "how iterations are distributed over threads; on devices only `static` with a chunk has an effect",
    )
    .part("for")
    .of(Of::Loop),
    once(
        "dist_schedule",
        &[T],
        Takes::Schedule(Number::TeamChunk, 1),
        "how iterations are distributed over teams",
    )
    .part("distribute"),
    many("to", &[U], Takes::Items(|c| &mut c.to), "arrays that are copied to the device"),
    many("from", &[U], Takes::Items(|c| &mut c.from), "arrays that are copied to the host"),
    once(
        "device",
        &[T, C, D, E, X, U],
        Takes::Number(Number::Device),
        "number of the device, from 0; the host is `omp::get_initial_device()` (the number of devices), or -1 as in OpenMP",
    ),
    once("if", &[T, C, D, P, E, X, U, APL, AKL, ASL, AP, AK, AS, AD, AH, AE, AX, AU, AW, AI, AT], Takes::Number(Number::If), "a condition; if it is false, loops run on the host, and data directives do nothing on the device"),
    once(
        "nowait",
        &[T, C, E, X, U],
        Takes::Nothing(|c| &mut c.nowait),
        "a task: the function goes on while it runs ([Tasks](tasks.md))",
    ),
    many("depend", &[T, C, E, X, U, W], Takes::Depend, "the order of tasks ([Tasks](tasks.md#order))"),
    many("is_device_ptr", &[T, C], Takes::Items(|c| &mut c.device_ptr), "arrays that are device memory already, not copies of the host's"),
    many("has_device_addr", &[T, C], Takes::Items(|c| &mut c.device_ptr), "the same"),
    many(
        "use_device_ptr",
        &[D],
        Takes::Items(|c| &mut c.use_device_ptr),
        "inside the block, the name is a view of the device's memory",
    ),
    many("use_device_addr", &[D], Takes::Items(|c| &mut c.use_device_ptr), "the same"),
    many(
        "disjoint",
        &[T, C, P, APL, AKL, ASL, AP, AK, AS, AL],
        Takes::Items(|c| &mut c.disjoint),
        "iterations write different elements; what is not proved before is checked while the loop runs ([Races](races.md#claims)). On a block, it holds for all loops that write the array",
    ),
    once("unsafe", &[T, C, P, APL, AKL, AL], Takes::Promises, "promises instead of proofs: iterations write different elements of `x`; subscripts of `y`, or of all arrays, are in bounds").of(Of::Loop),
    once(
        "fp",
        &[T, C, P, APL, AKL, ASL, AP, AK, AS],
        Takes::Fp,
        "`contract` (the default): `a*b+c` may be rounded once; `strict`: `+ - * / sqrt` and comparisons have the same bits as on the host; `fast`: faster, less exact instructions",
    )
    .of(Of::Region),
    once(
        "tile",
        &[T, P],
        Takes::Numbers(Number::Tile, 2),
        "how many neighbouring iterations of the outer and of the inner loop a team takes",
    ),
    once(
        "unroll",
        &[T, P, APL, AKL, AL],
        Takes::MaybeNumber(Number::Unroll),
        "innermost sequential loops are unrolled; without such loops, a thread runs that many iterations at a time",
    ),
    once(
        "vector",
        &[T, P],
        Takes::Number(Number::Vector),
        "the most neighbouring elements that one access loads or stores; 1: no wide accesses",
    ),
    many("cache", &[T, P, APL, AKL, ASL, AL], Takes::Items(|c| &mut c.cache), "arrays that the body must only read; the compiler checks it"),
    once("block", &[T, APL, AKL], Takes::Numbers(Number::Block, 3), "number of threads of a team along each axis"),
    once("name", &[T, C, D, P, E, X, U, APL, AKL, ASL, AP, AK, AS, AD, AE, AX, AU], Takes::Text, "a label in reports and errors").of(Of::Region),
    // OpenACC's own.
    many("copy", IN_AND_OUT, Takes::MapOf(MapWord::ToFrom), "copied to the device and back, if not present"),
    many("copyin", COPIED_IN, Takes::MapOf(MapWord::To), "copied to the device, if not present. `readonly:` before the items changes nothing"),
    many("copyout", COPIED_OUT, Takes::MapOf(MapWord::From), "copied to the host"),
    many("create", CREATED, Takes::MapOf(MapWord::Alloc), "device memory that is not copied"),
    many("delete", &[AX], Takes::MapOf(MapWord::Release), "drops one reference to the data; all references under `finalize`"),
    many("present", IN_AND_OUT, Takes::PresentItems, "data that has to be on the device already"),
    many("no_create", COMPUTE_AND_DATA, Takes::Items(|c| &mut c.no_create), "the device's copy is used if there is one; a data directive makes none"),
    many("deviceptr", IN_AND_OUT, Takes::Items(|c| &mut c.device_ptr), "arrays that are device memory already, not copies of the host's"),
    many("device_resident", &[ADC], Takes::MapOf(MapWord::Alloc), "device memory that is not copied"),
    many("link", &[ADC], Takes::Items(|c| &mut c.no_create), "a static that kernels use"),
    once("default", COMPUTE_AND_DATA, Takes::Default(Spelling::OpenAcc), "`none`: every variable is named; `present`: arrays that no clause names are on the device"),
    once("self", COMPUTE, Takes::Condition(Number::OnHost), "the host runs the construct, if the condition holds or there is none"),
    many("self", &[AU], Takes::Items(|c| &mut c.from), "arrays that are copied to the host"),
    many("host", &[AU], Takes::Items(|c| &mut c.from), "the same"),
    many("device", &[AU], Takes::Items(|c| &mut c.to), "arrays that are copied to the device"),
    once("if_present", &[AU], Takes::Nothing(|c| &mut c.if_present), "arrays that are not on the device are ignored"),
    once("finalize", &[AX], Takes::Nothing(|c| &mut c.finalize), "all references to the data are dropped"),
    many("use_device", &[AH], Takes::Items(|c| &mut c.use_device_ptr), "inside the block, the name is a view of the device's memory"),
    once("async", ASYNC, Takes::MaybeNumber(Number::Queue), "a task of this queue: the function goes on while it runs"),
    once("wait", WAITS, Takes::List(Number::Waits), "runs after the tasks in these queues, or in all queues"),
    once("num_gangs", SIZED, Takes::Number(Number::Gangs), "upper bound of the gangs"),
    once("num_workers", SIZED, Takes::Number(Number::Workers), "upper bound of the workers of a gang"),
    once("vector_length", SIZED, Takes::Number(Number::VectorLength), "upper bound of the vector lanes of a worker"),
    once("gang", LOOPS, Takes::Level(Level::Gang, Some(Number::Gangs)), "iterations are shared among gangs"),
    once("worker", LOOPS, Takes::Level(Level::Worker, Some(Number::Workers)), "iterations are shared among the workers of a gang"),
    once("vector", LOOPS, Takes::Level(Level::Vector, Some(Number::VectorLength)), "iterations are shared among the lanes of a worker"),
    once("seq", LOOPS, Takes::Level(Level::Seq, None), "iterations run in order"),
    once("independent", LOOPS, Takes::Level(Level::Independent, None), "iterations may run in any order, which is checked as under `parallel`"),
    once("auto", LOOPS, Takes::Level(Level::Auto, None), "in parallel if the iterations are proved to be independent"),
    once("tile", LOOPS, Takes::Tiles, "one number for each loop of the nest, the innermost first; a gang takes tiles of that many neighbouring iterations"),
    many("device_type", &[APL, AKL, ASL, AP, AK, AS, AL, AD, AU], Takes::DeviceTypes, "`async`, `wait` and the sizes of gangs, workers and vectors after it, up to the next `device_type`, are for devices of these kinds; those before the first `device_type`, or under `*`, for all others"),
    many("dtype", &[APL, AKL, ASL, AP, AK, AS, AL, AD, AU], Takes::DeviceTypes, "the same"),
    once("device_num", &[AI, AT], Takes::Number(Number::AccDevice), "a device by its number"),
    once("device_type", &[AI, AT], Takes::DeviceType, "devices of a kind"),
    once("default_async", &[AT], Takes::Number(Number::DefaultQueue), "the queue of `async` without a number"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::directive;
    use std::fmt::Write as _;
    use std::path::PathBuf;

    const BEGIN: &str = "<!-- The table of clauses: `INSTA_UPDATE=always cargo test -p omp-macros` writes it from `parse/clause/table.rs`. -->\n";
    const END: &str = "<!-- End of the table of clauses. -->\n";

    fn book(spelling: Spelling) -> String {
        let mut out = "| clause | on | |\n|---|---|---|\n".to_owned();
        for clause in CLAUSES {
            let kins = clause.on.iter().filter(|kin| kin.spelling() == spelling);
            let on: Vec<String> = kins.map(|kin| format!("`{}`", directive::first_of(*kin))).collect();
            if on.is_empty() {
                continue;
            }
            let often = if clause.many { "" } else { " (once)" };
            let written = clause.takes.written(clause.name);
            writeln!(out, "| {written}{often} | {} | {} |", on.join(", "), clause.text).expect("a string");
        }
        out
    }

    #[test]
    fn the_book_has_the_tables() {
        for (name, spelling) in [("clauses.md", Spelling::OpenMp), ("openacc.md", Spelling::OpenAcc)] {
            let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/src").join(name);
            let page = std::fs::read_to_string(&path).expect("the page of the clauses");
            let (head, rest) = page.split_once(BEGIN).expect("the table begins");
            let (table, tail) = rest.split_once(END).expect("the table ends");
            let wanted = book(spelling);
            if std::env::var("INSTA_UPDATE").is_ok_and(|v| v == "always") {
                std::fs::write(&path, format!("{head}{BEGIN}{wanted}{END}{tail}"))
                    .expect("the page is written");
            } else {
                assert_eq!(
                    table, wanted,
                    "{name} is old: run the tests of omp-macros with INSTA_UPDATE=always"
                );
            }
        }
    }

    #[test]
    fn a_directive_has_one_clause_of_a_name() {
        for (n, clause) in CLAUSES.iter().enumerate() {
            for other in CLAUSES[..n].iter().filter(|o| o.name == clause.name) {
                assert!(
                    other.on.iter().all(|kin| !clause.on.contains(kin)),
                    "two rows of `{}` for one directive",
                    clause.name
                );
            }
        }
    }
}
