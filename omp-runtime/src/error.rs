//! Public errors. Each `Display` is one sentence, then facts, then what to try. Errors of a region name its place.
mod display;
mod lookup;

use std::borrow::Cow;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

pub use lookup::{Lookup, PresentRow, Wanted};

/// The region of an error or report, with its place in the source.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Place {
    /// The region's name: the `name` clause, or the function's name.
    pub region: Arc<str>,
    /// The source file.
    pub file: &'static str,
    /// Line of the directive, from 1.
    pub line: u32,
    /// Column of the directive, from 1.
    pub column: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "region `{}` at {}:{}:{}", self.region, self.file, self.line, self.column)
    }
}

/// The kind of mistake that stopped a region's body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PanicKind {
    /// A subscript or slice outside of its array, or outside of the section that is mapped.
    IndexOutOfBounds,
    /// Division or remainder by zero.
    DivisionByZero,
    /// An operator overflowed (also `MIN / -1`).
    Overflow,
    /// Two iterations conflict in an element of an array under `disjoint(…)`.
    OverlappingWrites,
    /// `panic!`, a failed assertion, `unwrap` of `None` and the like.
    Other,
}

/// Rust's message for `.step_by(0)`.
pub(crate) const ZERO_STEP: &str = "assertion failed: step != 0";

/// The help for that message.
pub(crate) const ZERO_STEP_HELP: &str =
    "`step_by`, `chunks` and `windows` take at least 1: `.step_by(s.max(1))`, or a condition around the loop";

/// Whether the message's index is a negative number that was cast to `usize`.
fn wrapped_round(message: &str) -> bool {
    let index = message.rsplit(' ').next().and_then(|word| word.parse::<u64>().ok());
    message.starts_with("index out of bounds") && index.is_some_and(|i| i > u64::MAX / 2)
}

impl PanicKind {
    /// The advice of an error whose body stopped with this message.
    pub(crate) fn help(self, message: &str, on_host: bool) -> &'static str {
        match self {
            Self::IndexOutOfBounds
                if message.contains(": the reduced section ") || message.contains(": the section of ") =>
            {
                "a section in the clause that holds all elements that the body touches, or no section: then it is all of the array"
            }
            Self::IndexOutOfBounds if wrapped_round(message) => {
                "the index has gone below zero: begin the loop later (`for i in 1..n`), or put what uses it under a condition (`if i > 0`)"
            }
            Self::IndexOutOfBounds => {
                "keep the index below its length: an earlier end of the loop, or a condition; or make the array longer"
            }
            Self::DivisionByZero => "test the divisor before",
            Self::Overflow if message.contains("subtract") => {
                "of an unsigned type, nothing goes below zero: begin the loop later (`for i in 1..n`), put it under a condition (`if i > 0`), or compute in a signed type; of a signed one, take a wider type; `wrapping_…` and `saturating_…` where that is meant"
            }
            Self::Overflow => "a wider type, or `wrapping_…`, `saturating_…` or `checked_…`",
            Self::Other if message.starts_with(ZERO_STEP) => ZERO_STEP_HELP,
            Self::OverlappingWrites => "give each iteration elements of its own, or an atomic update",
            Self::Other if on_host => {
                "the values that the message shows and the iteration show which data led there; a debugger stops in it with a breakpoint on `rust_panic`"
            }
            Self::Other => "OMP_BACKEND=host runs the loop on the host, where a debugger can stop in it",
        }
    }

    /// The kind of mistake that a panic's message is about, by Rust's wording of it.
    #[must_use]
    pub fn of_message(message: &str) -> Self {
        if message.starts_with("index out of bounds")
            || message.starts_with("range ") && message.contains("slice")
            || message.starts_with("slice index starts at")
        {
            Self::IndexOutOfBounds
        } else if message.starts_with("attempt to divide by zero")
            || message.starts_with("attempt to calculate the remainder with a divisor of zero")
        {
            Self::DivisionByZero
        } else if message.starts_with("overlapping writes") {
            Self::OverlappingWrites
        } else if message.starts_with("attempt to ") && message.contains("overflow") {
            Self::Overflow
        } else {
            Self::Other
        }
    }
}

/// An array of a region and its memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mapping {
    /// The array as the user wrote it.
    pub variable: String,
    /// The mapped elements, `lo..hi`.
    pub elements: (u64, u64),
    /// The size of these elements in bytes.
    pub bytes: u64,
}

impl fmt::Display for Mapping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { variable, elements: (lo, hi), bytes } = self;
        write!(f, "`{variable}[{lo}..{hi}]` ({bytes} bytes)")
    }
}

/// Two iterations that access the same element, one of which writes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meeting {
    /// The loop variables' values in one iteration and the other.
    pub iterations: Vec<(String, i128, i128)>,
    /// The element's index.
    pub element: i128,
}

/// A difference between the results of host and device (`OMP_VERIFY`).
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// The first value that differs: `y[3].at.0`, `sum`.
    pub variable: String,
    /// The host's value.
    pub host: String,
    /// The device's value.
    pub device: String,
    /// How many elements differ.
    pub differing: u64,
    /// How many were compared.
    pub compared: u64,
    /// The tolerance, as a fraction.
    pub tolerance: f64,
    /// The unchecked promises of the region's `unsafe(…)` clause.
    pub promised: Option<String>,
}

impl Eq for Difference {}

/// A run-time error of a region or of a data directive.
///
/// The program can go on after any of them. The values that the failed region would have copied back are unspecified but
/// valid, all other data is intact, and device memory has been released.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// There is no device of this number.
    NoSuchDevice {
        /// The region; `None` for a call of the runtime interface.
        place: Option<&'static Place>,
        /// The requested number.
        requested: i128,
        /// Whether the number comes from `OMP_DEFAULT_DEVICE` or `omp::set_default_device`, not from a clause.
        by_default: bool,
        /// The number of devices.
        devices: usize,
        /// Each backend without devices, and the reason.
        reasons: Vec<(String, String)>,
    },
    /// The region has to run on a device (`OMP_TARGET_OFFLOAD=mandatory`) and can't.
    Mandatory {
        /// The region.
        place: &'static Place,
        /// Each backend or device, and the reason why it can't run the region.
        reasons: Vec<(String, String)>,
    },
    /// The device does not have enough memory.
    OutOfMemory {
        /// The region.
        place: &'static Place,
        /// The device.
        device: String,
        /// The variable that the memory was requested for, if any.
        variable: Option<String>,
        /// Requested bytes.
        requested: u64,
        /// Free bytes; `u64::MAX` if unknown.
        free: u64,
        /// The largest mappings, of the region and of data directives.
        largest: Vec<Mapping>,
    },
    /// The kernel does not compile: a bug of this library or of the device's compiler.
    Compile {
        /// The region.
        place: &'static Place,
        /// The device.
        device: String,
        /// The compiler's log.
        log: String,
        /// Where the source is: under `OMP_DUMP`, else in the kernel cache, if there is one.
        source: Option<PathBuf>,
    },
    /// The device refused the launch or failed while the kernel ran.
    Launch {
        /// The region.
        place: &'static Place,
        /// The device.
        device: String,
        /// The driver's message.
        reason: String,
    },
    /// A copy to or from the device failed.
    Transfer {
        /// The region.
        place: &'static Place,
        /// The device.
        device: String,
        /// The variable.
        variable: String,
        /// The driver's message.
        reason: String,
    },
    /// The device has failed for good in this process.
    DeviceLost {
        /// The region.
        place: &'static Place,
        /// The device.
        device: String,
        /// The driver's message.
        reason: String,
    },
    /// The body panicked: an index out of bounds, a division by zero, an overflow, an assertion, a `panic!`.
    Panic {
        /// The region.
        place: &'static Place,
        /// The device, or "the host".
        device: Box<str>,
        /// The kind of mistake.
        kind: PanicKind,
        /// `file:line:column` of the mistake, if known.
        at: Option<Box<str>>,
        /// Rust's message: "index out of bounds: the len is 3 but the index is 3".
        message: String,
        /// The subscripted variable, if any.
        variable: Option<Box<str>>,
        /// The values of the parallel loop variables, if known.
        iteration: Vec<(String, i128)>,
    },
    /// With these sizes, two iterations access the same element and one of them writes it; or, without an example, it
    /// can't be proved that they don't.
    Race {
        /// The region.
        place: &'static Place,
        /// The array.
        variable: String,
        /// `file:line:column` of the write and of the other access.
        accesses: (String, String),
        /// Two such iterations, if an example was found.
        witness: Option<Box<Meeting>>,
        /// The reason why nothing could be proved.
        reason: Option<Box<str>>,
    },
    /// A reduction's update calls a method or operator of the program's that may compute something else than its name says.
    Operator {
        /// The region.
        place: &'static Place,
        /// `file:line:column` of the call.
        at: String,
        /// The method; `None` of an operator that assigns (`+=`).
        method: Option<String>,
        /// The operator that the name stands for.
        operator: &'static str,
    },
    /// Memory that the region writes is mapped a second time under another name.
    Overlap {
        /// The region.
        place: &'static Place,
        /// The written array.
        written: Mapping,
        /// The array that overlaps it.
        other: Mapping,
    },
    /// A directive needs data on the device that no data region and no `target_enter_data!` has mapped.
    NotPresent {
        /// The region or data directive.
        place: &'static Place,
        /// The device.
        device: String,
        /// What was looked up, and the present table.
        lookup: Box<Lookup>,
    },
    /// Some of the data is on the device already, but not all of it, or not in one piece.
    PartlyPresent {
        /// The region or data directive.
        place: &'static Place,
        /// The device.
        device: String,
        /// What was looked up, and the present table.
        lookup: Box<Lookup>,
    },
    /// The memory is mapped with elements of another type: the data that was mapped first has been freed.
    OtherType {
        /// The region or data directive.
        place: &'static Place,
        /// The device.
        device: String,
        /// What was looked up, and the present table.
        lookup: Box<Lookup>,
    },
    /// Data was moved, reallocated or resized inside a data region, so the device's copy can't be copied back.
    Moved {
        /// The data region.
        place: &'static Place,
        /// The variable.
        variable: String,
    },
    /// Kernels have written data that would have to be copied back to a field that is a `&`.
    BehindShared {
        /// The data directive.
        place: &'static Place,
        /// The device.
        device: String,
        /// The field.
        variable: String,
    },
    /// A region takes an array on the device as a value, whose newer elements are on the device.
    OldValue {
        /// The region.
        place: &'static Place,
        /// The device.
        device: String,
        /// The variable.
        variable: String,
    },
    /// The region can't run on the device, and the host can't run it because its data is on the device.
    Stranded {
        /// The region.
        place: &'static Place,
        /// The device.
        device: String,
        /// A variable that is present on the device.
        variable: String,
        /// Why the device can't run it.
        reason: String,
    },
    /// Two sections of one array in one directive overlap.
    SectionsOverlap {
        /// The data directive.
        place: &'static Place,
        /// The array.
        variable: String,
        /// Both sections.
        sections: ((u64, u64), (u64, u64)),
    },
    /// A mapped section is not inside its array.
    Section {
        /// The region.
        place: &'static Place,
        /// The array.
        variable: String,
        /// The section, `lo..hi`.
        section: (u64, u64),
        /// The array's length.
        len: u64,
    },
    /// The value of a clause is out of its range.
    Clause {
        /// The region.
        place: &'static Place,
        /// `num_teams`, `thread_limit`.
        clause: &'static str,
        /// The value.
        value: i128,
        /// The allowed values.
        allowed: &'static str,
    },
    /// `OMP_VERIFY`: host and device computed different values. The program's arrays have the host's values.
    Mismatch {
        /// The region.
        place: &'static Place,
        /// The device.
        device: String,
        /// The difference.
        found: Box<Difference>,
    },
    /// `OMP_VERIFY`: the region failed on the device, but not on the host.
    OnlyOnDevice {
        /// The region.
        place: &'static Place,
        /// The device.
        device: String,
        /// The device's error.
        error: Box<Error>,
    },
    /// The value of an environment variable is malformed.
    Environment {
        /// The variable.
        variable: &'static str,
        /// Its value.
        value: String,
        /// The allowed values.
        allowed: Cow<'static, str>,
    },
}

impl std::error::Error for Error {}

/// Unwraps the value, or panics with the error's text at the place of the public function's caller. (`unwrap_or_else` would have the
/// place of its closure.)
#[track_caller]
pub(crate) fn or_panic<T, E: fmt::Display>(result: Result<T, E>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => panic!("{error}"),
    }
}

impl Error {
    /// The place of the region that failed, if it was a region.
    #[must_use]
    pub fn place(&self) -> Option<&'static Place> {
        match self {
            Self::NoSuchDevice { place, .. } => *place,
            Self::Mandatory { place, .. }
            | Self::OutOfMemory { place, .. }
            | Self::Compile { place, .. }
            | Self::Launch { place, .. }
            | Self::Transfer { place, .. }
            | Self::DeviceLost { place, .. }
            | Self::Panic { place, .. }
            | Self::Race { place, .. }
            | Self::Operator { place, .. }
            | Self::Overlap { place, .. }
            | Self::NotPresent { place, .. }
            | Self::PartlyPresent { place, .. }
            | Self::OtherType { place, .. }
            | Self::Moved { place, .. }
            | Self::BehindShared { place, .. }
            | Self::OldValue { place, .. }
            | Self::Stranded { place, .. }
            | Self::SectionsOverlap { place, .. }
            | Self::Section { place, .. }
            | Self::Mismatch { place, .. }
            | Self::OnlyOnDevice { place, .. }
            | Self::Clause { place, .. } => Some(place),
            Self::Environment { .. } => None,
        }
    }
}

#[cfg(test)]
mod words;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_follow_rusts_words() {
        for (message, kind) in [
            ("index out of bounds: the len is 3 but the index is 3", PanicKind::IndexOutOfBounds),
            ("range end index 5 out of range for slice of length 3", PanicKind::IndexOutOfBounds),
            ("slice index starts at 3 but ends at 2", PanicKind::IndexOutOfBounds),
            ("attempt to divide by zero", PanicKind::DivisionByZero),
            ("attempt to calculate the remainder with a divisor of zero", PanicKind::DivisionByZero),
            ("attempt to add with overflow", PanicKind::Overflow),
            ("attempt to divide with overflow", PanicKind::Overflow),
            ("mass must be positive", PanicKind::Other),
        ] {
            assert_eq!(PanicKind::of_message(message), kind, "{message}");
        }
        assert_eq!(PanicKind::Other.help(ZERO_STEP, true), ZERO_STEP_HELP);
    }

    #[test]
    fn errors_of_regions_name_their_place() {
        static PLACE: std::sync::LazyLock<Place> = std::sync::LazyLock::new(|| Place {
            region: "saxpy".into(),
            file: "src/main.rs",
            line: 7,
            column: 5,
        });
        let error = Error::Panic {
            place: &PLACE,
            device: "Mock (mock)".into(),
            kind: PanicKind::IndexOutOfBounds,
            at: Some("src/main.rs:9:14".into()),
            message: "index out of bounds: the len is 3 but the index is 4".into(),
            variable: Some("x".into()),
            iteration: vec![("i".into(), 4)],
        };
        assert_eq!(
            error.to_string(),
            "index out of bounds: the len is 3 but the index is 4\n  subscript of `x`\n  in the iteration i = 4\n  \
             at src/main.rs:9:14, in region `saxpy` at src/main.rs:7:5\n  on Mock (mock)\n  \
             try: keep the index below its length: an earlier end of the loop, or a condition; or make the array longer"
        );
    }

    #[test]
    fn what_to_try_fits_what_happened() {
        let bounds = |m: &str| PanicKind::IndexOutOfBounds.help(m, false);
        assert!(bounds("index out of bounds: the len is 3 but the index is 4").contains("longer"));
        let below = "index out of bounds: the len is 3 but the index is 18446744073709551615";
        assert!(bounds(below).contains("for i in 1..n"));
        let section = "index out of bounds: the section of `x` in the clause has no element 4 (the len is 9)";
        assert!(bounds(section).contains("section"));
        assert!(
            PanicKind::Overflow.help("attempt to subtract with overflow", true).contains("for i in 1..n")
        );
        assert!(!PanicKind::Overflow.help("attempt to add with overflow", true).contains("for i in 1..n"));
        assert!(PanicKind::Other.help("assertion failed: a", false).contains("OMP_BACKEND=host"));
        assert!(!PanicKind::Other.help("assertion failed: a", true).contains("OMP_BACKEND"));
    }

    #[test]
    fn errors_are_small_enough_for_results() {
        assert!(size_of::<Error>() < 128);
    }

    #[test]
    fn errors_cross_threads() {
        fn assert<T: std::error::Error + Send + Sync + 'static>() {}
        assert::<Error>();
    }
}
