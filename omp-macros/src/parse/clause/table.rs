//! All clauses: one row each. The reader, the list of evaluated expressions, the checks that need nothing but the clause, and
//! the tables of the book (`docs/src/clauses.md`) come from here; what a clause means is decided where it means something.
use super::Kin::{
    self, ParallelFor as P, Scan as C, Simd as S, Target as T, TargetData as D, TargetEnterData as E,
    TargetExitData as X, TargetUpdate as U, Taskwait as W,
};
use crate::ast::{Clauses, Item, Number, ReductionClause, Spanned};

/// A clause of the language.
pub struct Clause {
    /// As it is written.
    pub name: &'static str,
    /// The directives that take it.
    pub on: &'static [Kin],
    /// It may stand more than once on one directive.
    pub many: bool,
    /// What stands in its parentheses, and where it goes.
    pub takes: Takes,
    /// What it speaks of.
    pub of: Of,
    /// A directive of a long name takes it only if this is a part of the name: `num_teams` belongs to the `teams` of
    /// `target_teams_loop`.
    pub part: Option<&'static str>,
    /// For the book.
    #[cfg_attr(not(test), expect(dead_code, reason = "a test compares the book's page with it"))]
    pub text: &'static str,
}

/// What a clause speaks of, and so where its directive may stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Of {
    Any,
    /// A loop: not on a block.
    Loop,
    /// A whole region: not on a loop inside one.
    Region,
}

/// What stands in the parentheses of a clause, and where it goes.
pub enum Takes {
    /// `[always,] [present,] type: items`
    Map,
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
    /// That many expressions at most.
    Numbers(Number, usize),
    /// One of that many kinds of schedules at most, and an expression.
    Schedule(Number, usize),
    /// An integer literal: how many loops are one.
    Loops,
    /// `none` or `shared`
    Default,
    /// `strict`, `contract` or `fast`
    Fp,
    /// A string.
    Text,
    /// `disjoint(x)`, `unchecked(x)` and `unchecked`
    Promises,
}

impl Takes {
    /// Whether the clause has parentheses: `None` if it may.
    pub fn parentheses(&self) -> Option<bool> {
        match self {
            Self::Nothing(_) => Some(false),
            Self::MaybeNumber(_) => None,
            Self::Map
            | Self::Items(_)
            | Self::Reduction(_)
            | Self::Depend
            | Self::Number(_)
            | Self::Numbers(..)
            | Self::Schedule(..)
            | Self::Loops
            | Self::Default
            | Self::Fp
            | Self::Text
            | Self::Promises => Some(true),
        }
    }

    /// The clause as the book writes it.
    #[cfg(test)]
    fn written(&self, name: &str) -> String {
        let inside = match self {
            Self::Nothing(_) => return format!("`{name}`"),
            Self::MaybeNumber(_) => return format!("`{name}`, `{name}(e)`"),
            Self::Map => "[always,] [present,] type: x, y[a..b]",
            Self::Items(_) => "x, y",
            Self::Reduction(_) => "op: x, y",
            Self::Depend => "in\\|out\\|inout: x",
            Self::Number(_) => "e",
            Self::Numbers(_, most) => ["a", "a[, b]", "a[, b[, c]]"][most - 1],
            Self::Schedule(_, 1) => "static[, e]",
            Self::Schedule(..) => "static\\|dynamic\\|guided\\|auto[, e]",
            Self::Loops => "n",
            Self::Default => "none\\|shared",
            Self::Fp => "strict\\|contract\\|fast",
            Self::Text => "\"…\"",
            Self::Promises => "disjoint(x), unchecked(y), unchecked",
        };
        format!("`{name}({inside})`")
    }
}

const fn many(name: &'static str, on: &'static [Kin], takes: Takes, text: &'static str) -> Clause {
    Clause { name, on, many: true, takes, of: Of::Any, part: None, text }
}

const fn once(name: &'static str, on: &'static [Kin], takes: Takes, text: &'static str) -> Clause {
    Clause { name, on, many: false, takes, of: Of::Any, part: None, text }
}

impl Clause {
    const fn of(mut self, of: Of) -> Self {
        self.of = of;
        self
    }

    const fn part(mut self, part: &'static str) -> Self {
        self.part = Some(part);
        self
    }
}

/// The table. Messages list the clauses of a directive in this order.
pub static CLAUSES: &[Clause] = &[
    many(
        "map",
        &[T, C, D, E, X],
        Takes::Map,
        "what is copied: `to` the device, `from` it, `tofrom` both, `alloc` neither; without one, the body's own accesses decide. What the region doesn't write is never copied back, and unwritten elements keep their values",
    ),
    many("private", &[T, C, P, S], Takes::Items(|c| &mut c.private), "a copy for each iteration").of(Of::Loop),
    many(
        "firstprivate",
        &[T, C, P],
        Takes::Items(|c| &mut c.firstprivate),
        "a copy for each iteration, which starts with the variable's value",
    )
    .of(Of::Loop),
    many(
        "lastprivate",
        &[T, C, P, S],
        Takes::Items(|c| &mut c.lastprivate),
        "a copy for each iteration; the last one's is left",
    )
    .of(Of::Loop),
    many("shared", &[T, C, P], Takes::Items(|c| &mut c.shared), "one variable for all iterations"),
    once("default", &[T, C, P], Takes::Default, "under `none`, every variable is named"),
    many(
        "reduction",
        &[T, C, P, S],
        Takes::Reduction(|c| &mut c.reductions),
        "`+ * - max min & \\| ^ && \\|\\|` or a declared one; the value before the loop takes part. `reproducible, op: x`: the same bits everywhere",
    )
    .of(Of::Loop),
    many(
        "scan",
        &[T],
        Takes::Reduction(|c| &mut c.scans),
        "a value that goes from one iteration to the next ([Scans](reductions_and_scans.md))",
    ),
    once(
        "collapse",
        &[T, C, P, S],
        Takes::Loops,
        "n perfectly nested loops are one; inner bounds may be `a*i + b` of outer variables",
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
        "how iterations are dealt to threads; on devices `static` with a chunk alone, the rest are hints there",
    )
    .part("for")
    .of(Of::Loop),
    once(
        "dist_schedule",
        &[T],
        Takes::Schedule(Number::TeamChunk, 1),
        "how iterations are dealt to teams",
    )
    .part("distribute"),
    many("to", &[U], Takes::Items(|c| &mut c.to), "copied to the device"),
    many("from", &[U], Takes::Items(|c| &mut c.from), "copied to the host"),
    once(
        "device",
        &[T, C, D, E, X, U],
        Takes::Number(Number::Device),
        "where: a device's number, from 0; the host's is `omp::get_initial_device()`, which is `omp::get_num_devices()`, or OpenMP's -1",
    ),
    once("if", &[T, C, D, P, E, X, U], Takes::Number(Number::If), "whether at all: where it is false, the host runs it"),
    once(
        "nowait",
        &[T, C, E, X, U],
        Takes::Nothing(|c| &mut c.nowait),
        "a task: the function goes on while it runs ([Tasks](tasks.md))",
    ),
    many("depend", &[T, C, E, X, U, W], Takes::Depend, "what a task comes after ([Tasks](tasks.md))"),
    many("is_device_ptr", &[T, C], Takes::Items(|c| &mut c.device_ptr), "memory of the device"),
    many("has_device_addr", &[T, C], Takes::Items(|c| &mut c.device_ptr), "the same"),
    many(
        "use_device_ptr",
        &[D],
        Takes::Items(|c| &mut c.use_device_ptr),
        "inside, the name is a view of the device's memory",
    ),
    many(
        "disjoint",
        &[T, C, P],
        Takes::Items(|c| &mut c.disjoint),
        "iterations write different elements: checked while running where it can't be proved ([Races](races.md)); on a block, of all its loops that write the array",
    ),
    once("unsafe", &[T, C, P], Takes::Promises, "promises in the place of proofs").of(Of::Loop),
    once(
        "fp",
        &[T, C, P],
        Takes::Fp,
        "`contract`, the default, may fuse `a*b+c`; `strict` has the host's bits for `+ - * / sqrt` and comparisons",
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
        &[T, P],
        Takes::MaybeNumber(Number::Unroll),
        "innermost sequential loops are unrolled; where there are none, a thread has that many iterations in flight",
    ),
    once(
        "vector",
        &[T, P],
        Takes::Number(Number::Vector),
        "how many neighbouring elements one access takes at most; 1: no wide accesses",
    ),
    many("cache", &[T, P], Takes::Items(|c| &mut c.cache), "arrays that the body only reads, which is checked"),
    once("block", &[T], Takes::Numbers(Number::Block, 3), "threads of a team, by axis"),
    once("name", &[T, C, D, P, E, X, U], Takes::Text, "a label in reports and errors").of(Of::Region),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::directive;
    use std::fmt::Write as _;
    use std::path::PathBuf;

    const BEGIN: &str = "<!-- The table of clauses: `INSTA_UPDATE=always cargo test -p omp-macros` writes it from `parse/clause/table.rs`. -->\n";
    const END: &str = "<!-- End of the table of clauses. -->\n";

    fn book() -> String {
        let mut out = "| clause | on | |\n|---|---|---|\n".to_owned();
        for clause in CLAUSES {
            let on: Vec<String> =
                clause.on.iter().map(|kin| format!("`{}`", directive::first_of(*kin))).collect();
            let often = if clause.many { "" } else { " (once)" };
            let written = clause.takes.written(clause.name);
            writeln!(out, "| {written}{often} | {} | {} |", on.join(", "), clause.text).expect("a string");
        }
        out
    }

    #[test]
    fn the_book_has_the_table() {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/src/clauses.md");
        let page = std::fs::read_to_string(&path).expect("the page of the clauses");
        let (head, rest) = page.split_once(BEGIN).expect("the table begins");
        let (table, tail) = rest.split_once(END).expect("the table ends");
        let wanted = book();
        if std::env::var("INSTA_UPDATE").is_ok_and(|v| v == "always") {
            std::fs::write(&path, format!("{head}{BEGIN}{wanted}{END}{tail}")).expect("the page is written");
        } else {
            assert_eq!(
                table, wanted,
                "docs/src/clauses.md is old: run the tests of omp-macros with INSTA_UPDATE=always"
            );
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
