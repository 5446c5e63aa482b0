//! Emitters: a typed kernel and a schedule to CUDA C++ or OpenCL C.
//!
//! * [`c`]: what both languages share, which is nearly everything: names, types, expressions, statements, checks, and a way to
//!   distribute iterations to threads for each [`Strategy`](crate::schedule::Strategy).
//! * [`cuda`], [`opencl`]: spelling ([`syntax::Syntax`]) and keywords of each language.
//! * `templates/` next to this folder: the helper functions, real files that are instantiated on demand.
//!
//! An emitter changes nothing and decides nothing. The verdicts in the kernel and the schedule decide what is checked, and the
//! schedule decides how iterations are distributed. An emitter has no error for what validation excludes.
use crate::program::Term;
use crate::schedule::{Schedule, SharedLoops};
use crate::valid::KernelInfo;
use omp_ir::analysis::plan::Iterations;
use omp_ir::desc::{EnumDesc, Prim};
use omp_ir::ids::{ArrayId, FnId, LocalId, ScalarId, SrcId};
use omp_ir::kernel::Kernel;

pub(crate) mod c;
pub(crate) mod cuda;
pub(crate) mod opencl;
pub(crate) mod syntax;
#[cfg(test)]
mod tests;

pub use c::kernel::WAIT;
pub use c::recursion::STACK;

/// The language to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// CUDA C++ for NVRTC (no includes).
    Cuda,
    /// OpenCL C 1.2 with what the device has of 2.0/3.0.
    OpenCl,
}

/// The text and how to call it.
#[derive(Debug, Clone, PartialEq)]
pub struct Source {
    /// Complete source, one kernel named [`Self::entry`].
    pub text: String,
    /// The kernel's name.
    pub entry: String,
    /// The arguments, in order.
    pub args: Vec<Arg>,
    /// What a status record's site number means.
    pub sites: Vec<Site>,
    /// Variables of inner loops around a failure, outermost first: a record whose `failed` is 2 or more has the values of list
    /// `failed - 2`, after those of the parallel loop variables.
    pub inner: Vec<Vec<LocalId>>,
    /// Compiler options: `--fmad=false`, `-cl-fp32-correctly-rounded-divide-sqrt`, ….
    pub options: Vec<String>,
    /// How often the kernel is launched, in order, with [`Arg::Phase`] counting from 0.
    pub phases: u32,
    /// What a launch copies to variables of the module before the kernel runs.
    pub constants: Vec<Constant>,
}

/// Elements of an array that the kernel reads from a variable of its module in constant memory. The copy begins at number `first` of
/// the array; the address in `args` is that of element `origin`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Constant {
    /// The variable.
    pub symbol: String,
    /// The argument, by its place in [`Source::args`], that is the array's address.
    pub array: usize,
    /// That which is [`Arg::Origin`], if there is one.
    pub origin: Option<usize>,
    /// That which is the number of the first element, if it is not 0.
    pub first: Option<usize>,
    /// Bytes of an element of the array, which `origin` counts.
    pub element: usize,
    /// Bytes of a number, which `first` counts: an element, or one of the numbers that it is made of.
    pub number: usize,
    /// Bytes of the variable.
    pub bytes: usize,
}

/// A kernel argument. Integers are 64 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arg {
    /// Device address of the first element that is there: element [`Origin`](Self::Origin) of the array.
    Array(ArrayId),
    /// Which element of the array, as an i64, stands at the address: where its [section] begins, or, in memory that is
    /// mapped for longer than this launch, any. Only arrays with a section or a [shifted] address; 0 for all others.
    ///
    /// [section]: omp_ir::template::ArrayParam::section
    /// [shifted]: Schedule::shifted
    Origin(ArrayId),
    /// Length of the whole array in elements.
    Len(ArrayId),
    /// First element of the section (only arrays with [`section`](omp_ir::template::ArrayParam::section)).
    SectionLo(ArrayId),
    /// One past the last element of the section.
    SectionHi(ArrayId),
    /// The bytes of a scalar as rustc lays them out.
    Scalar(ScalarId),
    /// First value of a host dimension, as i64 bits.
    DimFirst(u32),
    /// Step of a host dimension, as i64 bits.
    DimStep(u32),
    /// Trip count of a dimension (the most, for a dependent one).
    DimCount(u32),
    /// A number of the nest that a program runs, as an i64.
    Term(Iterations, Term),
    /// The number of the interior's first iteration along a dimension, as a u64.
    InsideStart(u32),
    /// Product of all trip counts.
    Total,
    /// A zeroed `u32` for each element of the section, for an array whose elements are claimed: 0 is unclaimed; else the
    /// iteration's number plus one, times four, plus 1 if it has read, 2 if it and others have, 3 if it has written.
    Claims(ArrayId),
    /// First value, step and number of values of a dimension's digit in the numbers of iterations.
    DigitFirst(u32),
    /// See there.
    DigitStep(u32),
    /// See there.
    DigitCount(u32),
    /// The status record, [`STATUS_BYTES`] bytes, zeroed before the launch.
    Status,
    /// Room for partial results: [`schedule::Room::partials`](crate::schedule::Room) bytes.
    Partials,
    /// Room for the threads' own elements of reduced arrays: [`schedule::Room::copies`](crate::schedule::Room) bytes.
    Copies,
    /// The published sums of a scan's tiles: [`schedule::Room::tiles`](crate::schedule::Room) bytes, which are zeroed once. After a
    /// launch they are ready for the next one, of any size.
    Tiles,
    /// Which of the launches this is, as a u64.
    Phase,
    /// A zeroed u32, which is zero again after the kernel.
    Ticket,
    /// Where the results of the scalar reduction items go: see [`Kernel::result_places`].
    Result,
}

/// Size of the status record: `u32 failed; u32 site; i64 a; i64 b; i64 vars[8]; i64 more[6]`, padded. `vars` are the
/// values of the parallel loop variables, in the order of the template's dims, then those of inner loops
/// ([`Source::inner`]), at most eight; `more` those of a panic's arguments after `a` and `b`.
pub const STATUS_BYTES: usize = 144;

/// A place in a kernel that may fail.
#[derive(Debug, Clone, PartialEq)]
pub struct Site {
    /// In the body or in this function.
    pub function: Option<FnId>,
    /// Where in that body's file.
    pub src: SrcId,
    /// What failed; says what `a` and `b` of the record are.
    pub failure: FailureKind,
}

/// What a message shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Shown {
    /// A number or `bool`.
    Prim(Prim),
    /// A field-less enum, by its variant's name.
    Enum(&'static EnumDesc),
}

/// What is wrong with the bounds of a slice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WrongBound {
    /// `lo > len`
    Start,
    /// `hi > len`
    End,
    /// `lo > hi`
    Order,
}

/// Kinds of failure.
#[derive(Debug, Clone, PartialEq)]
pub enum FailureKind {
    /// Subscript of `name`; a: index, b: length.
    Bounds {
        /// As the user wrote it.
        name: String,
    },
    /// A subscript inside the array but outside the section that was mapped; a: index, b: length.
    Section {
        /// As the user wrote it.
        name: String,
    },
    /// Slice of `name`; a: the offending bound, b: the length (or, for `lo > hi`, the end).
    Slice {
        /// As the user wrote it.
        name: String,
        /// Which bound.
        wrong: WrongBound,
    },
    /// Division by zero.
    DivideByZero {
        /// `%` rather than `/`
        rem: bool,
    },
    /// `MIN / -1`.
    DivideOverflow {
        /// `%` rather than `/`
        rem: bool,
    },
    /// Overflow of an operator in a debug build: "attempt to add with overflow".
    Overflow {
        /// `add`, `subtract`, `multiply`, `negate`, `shift left`, `shift right`
        what: &'static str,
    },
    /// A panic of the user's; a, b and what follows: the arguments' bits (integers extended to 64 bits, `bool` as 0
    /// or 1, floats as the bits of their own width, enums as in memory).
    Panic {
        /// The text, as [`message`](omp_ir::message) has it.
        message: String,
        /// The types of the arguments.
        args: Vec<Shown>,
    },
    /// Two iterations access one element of an array under `disjoint`; a: index, b: the word of [`Arg::Claims`].
    Conflict {
        /// The array.
        array: ArrayId,
        /// The iteration that failed was about to write.
        writes: bool,
    },
    /// `step_by(0)`.
    ZeroStep,
    /// A function that calls itself came near the end of the device's stack.
    StackUsedUp {
        /// The function.
        name: String,
    },
}

/// Why a kernel can't be written in a dialect.
#[derive(Debug, Clone, PartialEq)]
pub struct Unsupported {
    /// "device functions that call themselves need a stack, which OpenCL devices don't have"
    pub message: String,
}

/// How the arrays of a scan go through shared memory (`back/c/strategy/scan/staging.rs`): elements of a piece and, for so many iterations
/// of a thread, bytes of a warp.
pub(crate) fn staged(kernel: &Kernel, info: &KernelInfo, arrays: &[ArrayId]) -> (u64, impl Fn(u64) -> u64) {
    let bytes = move |run| c::strategy::scan::staging::bytes(kernel, info, arrays, run);
    (c::strategy::scan::staging::piece(kernel, arrays), bytes)
}

/// By compacted array of a scan: whether its elements are put in the place of staged ones.
pub(crate) fn compacted_in_place(
    kernel: &Kernel,
    info: &KernelInfo,
    arrays: &[ArrayId],
    compacted: &[ArrayId],
) -> Vec<bool> {
    let places = c::strategy::scan::staging::in_place(kernel, info, arrays, compacted);
    places.iter().map(Option::is_some).collect()
}

/// Bytes of one partial result: all scalar reduction items.
pub(crate) fn partial_bytes(kernel: &Kernel) -> u32 {
    c::operator::partial_bytes(kernel)
}

/// Writes the source.
///
/// # Errors
/// When the dialect has no means for something in the kernel (recursion in OpenCL).
pub fn emit(
    kernel: &Kernel,
    info: &KernelInfo,
    schedule: &Schedule,
    dialect: Dialect,
) -> Result<Source, Unsupported> {
    if kernel.template.dims.last().is_some_and(|dim| schedule.late.contains(&dim.var)) {
        let made = crate::schedule::late_stores::storing_last(kernel, &schedule.checks);
        let message = || "its schedule stores last, and this kernel does not".to_owned();
        let made = made.ok_or_else(|| Unsupported { message: message() })?;
        return c::writer::Writer::write(&made, info, schedule, dialect);
    }
    if schedule.shared_loops == SharedLoops::None {
        return c::writer::Writer::write(kernel, info, schedule, dialect);
    }
    let Schedule { checks, shared_loops, apart, .. } = schedule;
    let made = crate::schedule::nests::independent::parallelised(kernel, checks, *shared_loops, apart);
    let message = || "its schedule shares independent loops, and this kernel has none".to_owned();
    let made = made.ok_or_else(|| Unsupported { message: message() })?;
    c::writer::Writer::write(&made, info, schedule, dialect)
}
