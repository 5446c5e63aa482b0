//! What parsing returns: directives, clauses and loop nests with their spans. No meaning yet.
use crate::parse::clause::table::Of;
use omp_ir::template::{FpMode, MapType, ReduceOp};
use proc_macro2::Span;
use std::rc::Rc;

/// `name` of `::omp::__private::name`: what an earlier phase has put into a body. By less of the path it might be a module of the user's.
pub fn private_name(path: &syn::Path) -> Option<&syn::Ident> {
    let names: Vec<&syn::Ident> = path.segments.iter().map(|s| &s.ident).collect();
    match names[..] {
        [omp, private, name] if path.leading_colon.is_some() && omp == "omp" && private == "__private" => {
            Some(name)
        }
        _ => None,
    }
}

/// A directive with its clauses.
#[derive(Clone)]
pub struct Directive {
    /// Which, independent of the spelling.
    pub kind: DirectiveKind,
    /// The standard whose words it has.
    pub spelling: Spelling,
    /// How the loops under it run.
    pub mode: Mode,
    /// The name as written, for messages: `target_teams_loop`.
    pub name: String,
    /// The span of the name.
    pub span: Span,
    /// The contents of the parentheses.
    pub clauses: Clauses,
}

/// The standard whose words a directive has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Spelling {
    OpenMp,
    OpenAcc,
}

impl Spelling {
    /// The module of its directives.
    pub fn module(self) -> &'static str {
        match self {
            Self::OpenMp => "omp",
            Self::OpenAcc => "acc",
        }
    }

    /// The standard's name.
    pub fn standard(self) -> &'static str {
        match self {
            Self::OpenMp => "OpenMP",
            Self::OpenAcc => "OpenACC",
        }
    }
}

/// How loops run that a compute directive is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// In parallel, which the program promises and the analysis checks.
    Parallel,
    /// In parallel if the analysis proves that they may, else in order (`acc::kernels`).
    Proved,
    /// In order, on one thread of the device (`acc::serial`).
    Serial,
}

/// Directives, independent of their spelling.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum DirectiveKind {
    /// Device, parallel: `target` and its long names.
    Target,
    /// Host parallel, or the inner level of a target region.
    ParallelFor,
    Simd,
    Atomic,
    Scan,
    TargetData,
    TargetEnterData,
    TargetExitData,
    TargetUpdate,
    Taskwait,
    TaskGroup,
    /// `init!`, `shutdown!` and `set!` of OpenACC.
    Devices,
}

/// A clause's value with the span of the clause's name.
#[derive(Clone)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// The span.
    pub span: Span,
}

/// All clauses of a directive. Those that may stand once are set once.
#[derive(Clone, std::default::Default)]
#[allow(missing_docs)]
pub struct Clauses {
    pub maps: Vec<MapClause>,
    pub private: Vec<Item>,
    pub firstprivate: Vec<Item>,
    pub lastprivate: Vec<Item>,
    pub shared: Vec<Item>,
    pub default: Option<Spanned<Default>>,
    /// `defaultmap(none)` and `defaultmap(present)`, which mean what `default` does.
    pub defaultmap: Option<Spanned<Default>>,
    pub reductions: Vec<ReductionClause>,
    /// `#[omp::scan(op)]` (without items) and `scan(op: items)`.
    pub scans: Vec<ReductionClause>,
    pub collapse: Option<Spanned<u32>>,
    /// The clauses with expressions, in the order written.
    pub evaluated: Vec<Evaluated>,
    pub schedule: Option<ScheduleKind>,
    /// `target_update!(to(…))`
    pub to: Vec<Item>,
    /// `target_update!(from(…))`
    pub from: Vec<Item>,
    pub use_device_ptr: Vec<Item>,
    /// `is_device_ptr(d)`, `has_device_addr(d)`
    pub device_ptr: Vec<Item>,
    pub nowait: Option<Spanned<()>>,
    pub depend: Vec<Depend>,
    pub disjoint: Vec<Item>,
    /// `unsafe(disjoint(y))`
    pub trust_disjoint: Vec<Item>,
    /// `unsafe(unchecked(x))`
    pub unchecked: Vec<Item>,
    /// `unsafe(unchecked)`
    pub unchecked_all: Option<Spanned<()>>,
    pub fp: Option<Spanned<FpMode>>,
    pub name: Option<Spanned<String>>,
    /// `unroll` without a number.
    pub unroll_fully: bool,
    pub cache: Vec<Item>,
    /// `no_create(x)`: used where it is present, and never mapped.
    pub no_create: Vec<Item>,
    pub if_present: Option<Spanned<()>>,
    pub finalize: Option<Spanned<()>>,
    /// OpenACC's levels of parallelism, and whether a loop's iterations are independent.
    pub levels: Vec<Spanned<Level>>,
    /// `device_type(t)` of directives about devices.
    pub device_type: Option<Spanned<String>>,
    /// If the launch finds that iterations conflict, it leaves the region undone instead of failing: other code follows.
    pub yields: bool,
    /// All clauses as they were given.
    pub given: Vec<Given>,
}

/// The rule for variables that no clause names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Default {
    /// There is none: every variable has to be in a clause.
    None,
    Shared,
    /// Arrays are on the device already.
    Present,
}

/// OpenACC's words for how a loop runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Level {
    Gang,
    Worker,
    Vector,
    Seq,
    Independent,
    Auto,
}

impl Level {
    /// The word in the directive.
    pub fn word(self) -> &'static str {
        match self {
            Self::Gang => "gang",
            Self::Worker => "worker",
            Self::Vector => "vector",
            Self::Seq => "seq",
            Self::Independent => "independent",
            Self::Auto => "auto",
        }
    }
}

/// A clause as it was given, for what depends on where its directive stands.
#[derive(Clone)]
#[allow(missing_docs)]
pub struct Given {
    pub name: &'static str,
    pub of: Of,
    /// The span for errors about its place: the first item, an operator, else its name.
    pub span: Span,
}

/// The expressions of a clause, each evaluated once, before anything else of the construct.
#[derive(Clone)]
#[allow(missing_docs)]
pub struct Evaluated {
    pub what: Number,
    /// The clause, as written.
    pub name: &'static str,
    pub values: Vec<syn::Expr>,
    /// The span of the name.
    pub span: Span,
}

/// The meaning of a clause's expressions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Number {
    Teams,
    ThreadLimit,
    Threads,
    SimdLength,
    Vector,
    Device,
    If,
    Chunk,
    TeamChunk,
    Unroll,
    Block,
    Tile,
    /// OpenACC's `num_gangs`: teams.
    Gangs,
    /// OpenACC's `num_workers` and `vector_length`, whose product is the threads of a team.
    Workers,
    VectorLength,
    /// OpenACC's `self`: true for the host.
    OnHost,
    /// OpenACC's `async`: the queue, if one is named.
    Queue,
    /// OpenACC's `wait`: the queues, or none for all.
    Waits,
    /// The device type in directives about devices.
    AccDevice,
    DefaultQueue,
}

impl Number {
    /// The least that a constant may be, if it is no condition.
    pub fn least(self) -> Option<i128> {
        match self {
            Self::If | Self::OnHost | Self::Queue | Self::Waits | Self::DefaultQueue => None,
            Self::Device | Self::AccDevice => Some(0),
            Self::Teams
            | Self::ThreadLimit
            | Self::Threads
            | Self::SimdLength
            | Self::Vector
            | Self::Chunk
            | Self::TeamChunk
            | Self::Unroll
            | Self::Block
            | Self::Tile
            | Self::Gangs
            | Self::Workers
            | Self::VectorLength => Some(1),
        }
    }

    /// The method of a region that receives it, and how many numbers that takes; `None` if regions don't receive it.
    pub fn method(self) -> Option<(&'static str, usize)> {
        Some(match self {
            Self::Teams => ("num_teams", 1),
            Self::ThreadLimit => ("thread_limit", 1),
            Self::Threads => ("num_threads", 1),
            Self::SimdLength => ("simdlen", 1),
            Self::Vector => ("vector", 1),
            Self::Device => ("device", 1),
            Self::If => ("condition", 1),
            Self::Chunk => ("chunk", 1),
            Self::TeamChunk => ("team_chunk", 1),
            Self::Unroll => ("unroll", 1),
            Self::Block => ("block", 3),
            Self::Tile => ("tile", 2),
            Self::Gangs => ("num_gangs", 1),
            Self::Workers => ("num_workers", 1),
            Self::VectorLength => ("vector_length", 1),
            Self::OnHost => ("host_if", 1),
            Self::Queue | Self::Waits | Self::AccDevice | Self::DefaultQueue => return None,
        })
    }

    /// Whether data directives know it, too.
    pub fn is_of_data(self) -> bool {
        matches!(self, Self::Device | Self::If | Self::OnHost)
    }
}

impl Clauses {
    /// The clause that says this.
    pub fn number(&self, what: Number) -> Option<&Evaluated> {
        self.evaluated.iter().find(|e| e.what == what)
    }

    /// Whether this rule holds for variables without a clause.
    pub fn has_default(&self, default: Default) -> bool {
        [&self.default, &self.defaultmap].into_iter().flatten().any(|d| d.value == default)
    }

    /// The first of these levels that is given.
    pub fn level(&self, levels: &[Level]) -> Option<&Spanned<Level>> {
        self.levels.iter().find(|level| levels.contains(&level.value))
    }

    /// The data-sharing clauses that list variables.
    pub fn sharing(&self) -> [(&'static str, &Vec<Item>); 4] {
        [
            ("private", &self.private),
            ("firstprivate", &self.firstprivate),
            ("lastprivate", &self.lastprivate),
            ("shared", &self.shared),
        ]
    }
}

/// Loop schedules of the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum ScheduleKind {
    Static,
    Dynamic,
    Guided,
    Auto,
}

/// The types of `map`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum MapWord {
    To,
    From,
    ToFrom,
    Alloc,
    Release,
    Delete,
}

impl MapWord {
    /// For a region, which takes no type that only ends a mapping.
    pub fn of_region(self) -> MapType {
        match self {
            Self::To => MapType::To,
            Self::From => MapType::From,
            Self::ToFrom => MapType::ToFrom,
            Self::Alloc | Self::Release | Self::Delete => MapType::Alloc,
        }
    }

    /// Something comes back to the host.
    pub fn brings_back(self) -> bool {
        matches!(self, Self::From | Self::ToFrom)
    }
}

/// `map([always,] [present,] type: items)`
#[derive(Clone)]
#[allow(missing_docs)]
pub struct MapClause {
    pub ty: MapWord,
    pub always: bool,
    pub present: bool,
    pub items: Vec<Item>,
}

/// A place, with sections if it has some.
#[derive(Clone)]
pub struct Item {
    /// `x`, `self.v`: identifiers and fields only.
    pub place: syn::Expr,
    /// The path without spaces: the key by which clauses and body agree.
    pub key: String,
    /// `[lo..hi]`, or OpenMP's `[lo:len]`.
    pub sections: Vec<Section>,
    /// The span of the whole item.
    pub span: Span,
}

/// A section of an array.
#[derive(Clone)]
#[allow(missing_docs)]
pub struct Section {
    pub lo: Option<syn::Expr>,
    pub hi: Option<syn::Expr>,
    pub inclusive: bool,
    /// `hi` is how many elements there are from `lo` on.
    pub counted: bool,
}

/// `reduction([reproducible,] op: items)`
#[allow(missing_docs)]
#[derive(Clone)]
pub struct ReductionClause {
    pub op: ClauseOp,
    /// The operator as written: `-` is an `Add`.
    pub spelled: String,
    pub reproducible: bool,
    /// The items are the values of a scan: `reduction(inscan, …)`, or what a `scan` was found to carry.
    pub inscan: bool,
    /// The type in `#[omp::scan(op, Type)]`: that of the carried value.
    pub ty: Option<syn::Type>,
    pub span: Span,
    pub items: Vec<Item>,
}

/// A data directive.
pub struct Data {
    /// The directive.
    pub directive: Directive,
    /// The function around it.
    pub context: Context,
    /// The data regions and target blocks around it, outermost first, by position.
    pub scopes: Vec<usize>,
    /// For a data region: what is written in it.
    pub written: Vec<String>,
    /// The guards of tasks that stand for its data, as a list in generated code.
    pub guards: Option<proc_macro2::TokenStream>,
    /// The views that replace arrays, by key.
    pub viewed: Vec<(String, proc_macro2::TokenStream)>,
    /// The data that its `depend`s name, for a task.
    pub depends: proc_macro2::TokenStream,
    /// For a target block that is a task: the arrays that a guard holds, by key, with its name and that of the length.
    pub held: Vec<(String, proc_macro2::TokenStream, proc_macro2::Ident)>,
    /// For a target block that is a task: the places of device memory without guards that its loops write.
    pub memory: Vec<syn::Expr>,
}

/// The constructs around a region in its function.
#[derive(Clone, std::default::Default)]
pub struct Around {
    /// The data regions and target blocks, outermost first, by position.
    pub scopes: Vec<usize>,
    /// The keys that they map.
    pub held: Vec<String>,
    /// The innermost of them, if it is a target block.
    pub block: Option<usize>,
    /// It runs as a task.
    pub task: Option<Task>,
}

/// `depend(in|out|inout: items)`
#[allow(missing_docs)]
#[derive(Clone)]
pub struct Depend {
    pub kind: DependKind,
    pub items: Vec<Item>,
    pub span: Span,
}

/// The access of a task to an item of its `depend`.
#[allow(missing_docs)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DependKind {
    In,
    Out,
    InOut,
}

/// A stand-alone `taskwait!`.
pub struct Wait {
    /// The directive.
    pub directive: Directive,
    /// The function around it.
    pub context: Context,
    /// The data regions and target blocks around it, outermost first, by position.
    pub scopes: Vec<usize>,
}

impl Wait {
    /// It waits for all tasks of the function.
    pub fn is_full(&self) -> bool {
        let c = &self.directive.clauses;
        let some = |what| c.number(what).is_some_and(|e| !e.values.is_empty());
        c.depend.is_empty() && c.number(Number::Queue).is_none() && !some(Number::Waits)
    }
}

/// A `taskgroup` on a block or loop.
pub struct TaskGroup {
    /// The span of the directive.
    pub span: Span,
    /// The function around it.
    pub context: Context,
    /// The data regions and target blocks around it, outermost first, by position.
    pub scopes: Vec<usize>,
}

/// The task that a region runs in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Task {
    /// It is one itself: alone, or as a part of a target block that is one.
    Own,
    /// It is a part of a target block that is one, by the position of the block's data, and gives the block's host code a
    /// value: it runs at once.
    Block(usize),
}

/// The operator of a reduction as the clause names it.
#[derive(Clone)]
pub enum ClauseOp {
    /// A symbol, `max` or `min`.
    Builtin(ReduceOp),
    /// A declared reduction.
    Declared(syn::Path),
}

/// A region: a directive on a loop nest.
#[derive(Clone)]
pub struct Region {
    /// The directive.
    pub directive: Directive,
    /// The constructs around it.
    pub around: Around,
    /// The function around it.
    pub context: Context,
    /// The parallel loops, outermost first; as many as `collapse` says.
    pub loops: Vec<LoopHead>,
    /// The body of the innermost parallel loop. Subscripts in it bear their ids once lowered.
    pub body: syn::Block,
    /// The nest as written, directives inside stripped: the serial expansion.
    pub serial: syn::ExprForLoop,
    /// Statements that name the arrays and numbers of structs with an `Index`, before anything else.
    pub parts: Vec<syn::Stmt>,
    /// The nest as the user wrote it, where [`Self::serial`] has other names in it.
    pub written: Option<syn::ExprForLoop>,
    /// Statements that run once, before anything else of the region: parts of the outermost loop's iterator.
    pub prelude: Vec<syn::Stmt>,
    /// The iterator of the outermost loop, with the names of [`Self::prelude`], if it is no range.
    pub iterated: Option<syn::Expr>,
    /// References whose values the prelude copies.
    pub copied: Vec<syn::Ident>,
    /// The loops inside that bear directives of their own, by [`NestId`](crate::marks::NestId).
    pub inner: Rc<Vec<InnerLoop>>,
    /// The macros of the body that were rewritten to what they mean, by name.
    pub macros: Vec<syn::Ident>,
}

impl Region {
    /// Its items are combined in an order that is the same everywhere.
    pub fn has_fixed_order(&self) -> bool {
        self.directive.clauses.reductions.iter().any(|r| r.reproducible)
    }

    /// The same, or items of an inner loop are `reproducible`.
    pub fn is_reproducible(&self) -> bool {
        let inner = |i: &InnerLoop| i.directive.clauses.reductions.iter().any(|r| r.reproducible);
        self.has_fixed_order() || self.inner.iter().any(inner)
    }
}

impl Region {
    /// Whether an array that no clause names is to be on the device already.
    pub fn expects_present(&self, array: &crate::lower::CapturedArray) -> bool {
        let device = &self.directive.clauses.device_ptr;
        let inner = array.key.starts_with("__omp_") || array.scalar;
        self.directive.clauses.has_default(Default::Present)
            && !inner
            && !device.iter().any(|item| item.key == array.key)
    }
}

/// A loop inside a region with a directive of its own.
pub struct InnerLoop {
    /// `parallel_for` or `simd`.
    pub directive: Directive,
    /// Its parallel loops, outermost first.
    pub loops: Vec<LoopHead>,
    /// The whole of it.
    pub nest: syn::ExprForLoop,
}

/// The facts about the function around a region.
#[derive(Clone, std::default::Default)]
pub struct Context {
    /// The function's name.
    pub function: String,
    /// `offload(try)`
    pub try_: bool,
    /// Type and const parameters in scope, as far as seen.
    pub generics: Vec<String>,
    /// It is a method with an attribute of its own, which does not see the `impl`'s parameters.
    pub method: bool,
    /// Its receiver is `self` by value.
    pub owns_self: bool,
    /// Parameters (and `let`s with a written type or `vec!`/array initialiser) that are arrays by their tokens.
    pub array_names: Vec<String>,
    /// Parameters (and `let`s with a written type) that are primitives by their tokens.
    pub scalar_names: Vec<String>,
    /// Parameters that may stand in a `for` by their names alone, and how they are iterated then.
    pub whole: Vec<(String, crate::iterate::IteratedBy)>,
    /// Parts of arrays under names, as iterators: `let w = x.windows(3);`, whose names and numbers keep their meaning in the function.
    pub parts: Vec<(syn::Ident, syn::Expr)>,
    /// Closures that are bound where the region is.
    pub closures: Vec<Outer>,
    /// Variables that may be assigned.
    pub mutable: Vec<String>,
    /// Variables that the function may lend exclusively: who has them may map them without a block (`target_enter_data!`).
    pub lent: Vec<String>,
    /// All variables of the function, whatever their types; a capital only where it can't be a const.
    pub names: Vec<String>,
    /// How often the function binds each of them.
    pub bindings: std::collections::HashMap<String, usize>,
    /// Arrays whose elements are of a type with a name.
    pub named: Vec<String>,
    /// Fixed arrays by their names and keys of items, with the lengths of each level: a number or a name.
    pub lengths: Vec<(String, Vec<String>)>,
    /// Consts and statics whose names are in lower case, judged by their uses.
    pub consts: Vec<String>,
    /// Variables that are references for sure, `self` among them.
    pub references: Vec<String>,
    /// The references among them that are a `&mut`.
    pub exclusive: Vec<String>,
    /// Parameters with names of their own: their types are written.
    pub typed: Vec<String>,
}

/// `let name = |…| …;` before a region.
#[derive(Clone)]
pub struct Outer {
    /// The variable.
    pub name: syn::Ident,
    /// Its value.
    pub closure: syn::ExprClosure,
    /// Captured values that the region can't name.
    pub lost: Option<Lost>,
}

/// A variable of a closure that can't be seen where it is called.
#[derive(Clone)]
pub enum Lost {
    /// Another variable has its name.
    Hidden(String),
    /// The closure has a copy of one that may have another value.
    Copied(String),
}

/// `for var in lo..hi`
#[derive(Clone)]
pub struct LoopHead {
    /// The variable; `None` for `_`.
    pub var: Option<syn::Ident>,
    /// The span of the pattern.
    pub var_span: Span,
    /// First bound.
    pub lo: syn::Expr,
    /// Second bound.
    pub hi: syn::Expr,
    /// `..=`
    pub inclusive: bool,
    /// In the order written.
    pub adaptors: Vec<RangeAdaptor>,
    /// The expression after `in`, as written.
    pub whole: syn::Expr,
    /// The loop's label.
    pub label: Option<syn::Label>,
}

/// An adaptor of a range.
#[allow(missing_docs, clippy::large_enum_variant)] // there are at most a few of them
#[derive(Clone)]
pub enum RangeAdaptor {
    Rev,
    StepBy(syn::Expr),
}
