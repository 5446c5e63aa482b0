//! Public errors. Each `Display` is one sentence, then facts, then what to try; each of a region names its place.
mod lookup;

use std::borrow::Cow;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

pub use lookup::{Lookup, PresentRow};

/// Which region an error or report is of, and where it stands.
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

/// What kind of mistake stopped a region's body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PanicKind {
    /// A subscript or slice outside of its array, or outside of the section that is mapped.
    IndexOutOfBounds,
    /// Division or remainder by zero.
    DivisionByZero,
    /// An operator overflowed (also `MIN / -1`).
    Overflow,
    /// Two iterations meet in an element of an array under `disjoint(…)`.
    OverlappingWrites,
    /// `panic!`, a failed assertion, `unwrap` of `None` and the like.
    Other,
}

impl PanicKind {
    /// The kind of a message in Rust's words.
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

/// An array of a region and the memory that it takes or covers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mapping {
    /// As the user wrote it.
    pub variable: String,
    /// Its mapped elements, `lo..hi`.
    pub elements: (u64, u64),
    /// Bytes of these.
    pub bytes: u64,
}

impl fmt::Display for Mapping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { variable, elements: (lo, hi), bytes } = self;
        write!(f, "`{variable}[{lo}..{hi}]` ({bytes} bytes)")
    }
}

/// Two iterations that touch one element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meeting {
    /// The loop variables' values in one iteration and the other.
    pub iterations: Vec<(String, i128, i128)>,
    /// The element's index.
    pub element: i128,
}

/// Where host and device disagree (`OMP_VERIFY`).
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
    /// By what fraction they might have differed.
    pub tolerance: f64,
}

impl Eq for Difference {}

/// What can go wrong when a region runs.
///
/// The program can go on after any of them: what the failed region would have brought back is unspecified but
/// valid, all other data is intact, and device memory has been released.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A device number that there is no device for.
    NoSuchDevice {
        /// The region; `None` for a call of the runtime interface.
        place: Option<&'static Place>,
        /// The number asked for.
        asked: i128,
        /// How many devices there are.
        devices: usize,
        /// Why there are no more: each backend and its reason.
        reasons: Vec<(String, String)>,
    },
    /// The region has to run on a device (`OMP_TARGET_OFFLOAD=mandatory`) and can't.
    Mandatory {
        /// The region.
        place: &'static Place,
        /// Each backend or device, and why not.
        reasons: Vec<(String, String)>,
    },
    /// The device has not enough memory.
    OutOfMemory {
        /// The region.
        place: &'static Place,
        /// The device.
        device: String,
        /// The variable whose memory was asked for, if it was a variable's.
        variable: Option<String>,
        /// Bytes asked for.
        asked: u64,
        /// Bytes free.
        free: u64,
        /// The largest mappings of the region.
        largest: Vec<Mapping>,
    },
    /// The kernel does not compile: a fault of ours or of the device's compiler.
    Compile {
        /// The region.
        place: &'static Place,
        /// The device.
        device: String,
        /// The compiler's log.
        log: String,
        /// Where the source was written (`OMP_DUMP`).
        source: Option<PathBuf>,
    },
    /// The device refused the launch or failed while the kernel ran.
    Launch {
        /// The region.
        place: &'static Place,
        /// The device.
        device: String,
        /// The driver's words.
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
        /// The driver's words.
        reason: String,
    },
    /// The device has failed for good in this process.
    DeviceLost {
        /// The region.
        place: &'static Place,
        /// The device.
        device: String,
        /// The driver's words.
        reason: String,
    },
    /// The body panicked: an index out of bounds, a division by zero, an overflow, an assertion, a `panic!`.
    Panic {
        /// The region.
        place: &'static Place,
        /// What kind of mistake.
        kind: PanicKind,
        /// `file:line:column` of the faulting place, where it is known.
        at: Option<String>,
        /// As Rust words it: "index out of bounds: the len is 3 but the index is 3".
        message: String,
        /// The subscripted variable, where there is one.
        variable: Option<String>,
        /// The values of the parallel loop variables, where they are known.
        iteration: Vec<(String, i128)>,
    },
    /// With these sizes two iterations touch one element and one of them writes it, or (without a witness) nothing
    /// shows that they do not.
    Race {
        /// The region.
        place: &'static Place,
        /// The array.
        variable: String,
        /// `file:line:column` of the write and of the other access.
        accesses: (String, String),
        /// Two iterations that meet, where an example was found.
        witness: Option<Box<Meeting>>,
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
    /// A directive needs data on the device that no data region and no `target_enter_data!` has brought there.
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
    /// The memory is on the device as elements of another type: what was mapped there first is gone.
    OtherType {
        /// The region or data directive.
        place: &'static Place,
        /// The device.
        device: String,
        /// What was looked up, and the present table.
        lookup: Box<Lookup>,
    },
    /// Data was moved, reallocated or resized inside a data region, so that what is on the device can't be brought
    /// back.
    Moved {
        /// The data region.
        place: &'static Place,
        /// The variable.
        variable: String,
    },
    /// The region can't run on the device, and the host can't stand in: the data is on the device.
    Stranded {
        /// The region.
        place: &'static Place,
        /// The device.
        device: String,
        /// A variable that is present there.
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
        /// What is allowed.
        allowed: &'static str,
    },
    /// `OMP_VERIFY`: host and device computed different values. The program's data are the host's.
    Mismatch {
        /// The region.
        place: &'static Place,
        /// The device.
        device: String,
        /// What differs.
        found: Box<Difference>,
    },
    /// `OMP_VERIFY`: the device found something wrong with the program that the host did not.
    OnlyOnDevice {
        /// The region.
        place: &'static Place,
        /// The device.
        device: String,
        /// What the device found.
        error: Box<Error>,
    },
    /// The value of an environment variable is malformed.
    Environment {
        /// The variable.
        variable: &'static str,
        /// Its value.
        value: String,
        /// What is allowed.
        allowed: Cow<'static, str>,
    },
}

impl std::error::Error for Error {}

impl Error {
    /// Where the region stands that failed, if it was a region.
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
            | Self::Overlap { place, .. }
            | Self::NotPresent { place, .. }
            | Self::PartlyPresent { place, .. }
            | Self::OtherType { place, .. }
            | Self::Moved { place, .. }
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

fn reasons(f: &mut fmt::Formatter<'_>, list: &[(String, String)]) -> fmt::Result {
    for (who, why) in list {
        write!(f, "\n  {who}: {why}")?;
    }
    Ok(())
}

fn iteration(f: &mut fmt::Formatter<'_>, values: &[(String, i128)]) -> fmt::Result {
    for (i, (name, value)) in values.iter().enumerate() {
        write!(f, "{}{name} = {value}", if i == 0 { "\n  in the iteration " } else { ", " })?;
    }
    Ok(())
}

fn mismatch(f: &mut fmt::Formatter<'_>, place: &Place, device: &str, found: &Difference) -> fmt::Result {
    let Difference { variable, host, device: other, differing, compared, tolerance } = found;
    write!(f, "OMP_VERIFY: host and device disagree on `{variable}` in {place}")?;
    write!(f, "\n  host: {host}\n  {device}: {other}")?;
    if *compared > 1 {
        write!(f, "\n  {differing} of {compared} elements differ")?;
    }
    if *tolerance > 0.0 {
        write!(
            f,
            "\n  floats may differ by a fraction of {tolerance:e}\n  try: OMP_VERIFY=1e-2 for a larger one, or `fp(strict)` on the region"
        )?;
    } else {
        f.write_str("\n  try: OMP_DUMP=dir keeps the kernel's source; please report it")?;
    }
    Ok(())
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchDevice { place, asked, devices, reasons: list } => {
                write!(f, "there is no device {asked}")?;
                if let Some(place) = place {
                    write!(f, ", which {place} asks for")?;
                }
                write!(
                    f,
                    "\n  devices: {devices}, so numbers 0 to {devices} are allowed ({devices} is the host)"
                )?;
                reasons(f, list)?;
                f.write_str("\n  try: `omp::get_num_devices()` tells the number, `omp::devices()` lists them")
            }
            Self::Mandatory { place, reasons: list } => {
                write!(
                    f,
                    "{place} can't run on a device, and OMP_TARGET_OFFLOAD=mandatory forbids the host"
                )?;
                reasons(f, list)?;
                f.write_str("\n  try: OMP_TARGET_OFFLOAD=default lets the host run it")
            }
            Self::OutOfMemory { place, device, variable, asked, free, largest } => {
                write!(f, "{device} is out of memory for {place}\n  asked: {asked} bytes")?;
                if let Some(v) = variable {
                    write!(f, " for `{v}`")?;
                }
                write!(f, ", free: {free} bytes")?;
                for (i, m) in largest.iter().enumerate() {
                    write!(f, "{}{m}", if i == 0 { "\n  largest mappings: " } else { ", " })?;
                }
                f.write_str("\n  try: map sections, or split the loop")
            }
            Self::Compile { place, device, log, source } => {
                write!(f, "the kernel of {place} does not compile for {device}")?;
                match source {
                    Some(path) => write!(f, "\n  source: {}", path.display())?,
                    None => f.write_str("\n  try: OMP_DUMP=dir keeps the source")?,
                }
                write!(f, "\n  log: {}", log.trim_end())
            }
            Self::Launch { place, device, reason } => {
                write!(f, "the launch of {place} on {device} failed: {reason}")?;
                f.write_str("\n  try: a smaller `thread_limit`, or OMP_INFO=all to see the launch")
            }
            Self::Transfer { place, device, variable, reason } => {
                write!(
                    f,
                    "the transfer of `{variable}` between the host and {device} failed in {place}: {reason}"
                )
            }
            Self::DeviceLost { place, device, reason } => {
                write!(f, "{device} has failed for good in {place}: {reason}")?;
                f.write_str("\n  try: start the program again, or OMP_BACKEND=host")
            }
            Self::Panic { place, kind: _, at, message, variable, iteration: values } => {
                f.write_str(message)?;
                if let Some(v) = variable {
                    write!(f, "\n  subscript of `{v}`")?;
                }
                iteration(f, values)?;
                match at {
                    Some(at) => write!(f, "\n  at {at}, in {place}"),
                    None => write!(f, "\n  in {place}"),
                }
            }
            Self::Race { place, variable, accesses: (a, b), witness } => {
                f.write_str(&match witness {
                    Some(_) => format!("{place} has a race through `{variable}`: with these sizes two iterations touch one element"),
                    None => format!("{place} may have a race through `{variable}`: with these sizes nothing shows that two iterations touch different elements"),
                })?;
                write!(f, "\n  it is written at {a} and touched at {b}")?;
                if let Some(meeting) = witness {
                    for (i, (name, one, other)) in meeting.iterations.iter().enumerate() {
                        let lead = if i == 0 { "\n  for example in the iterations " } else { ", " };
                        write!(f, "{lead}{name} = {one} and {name} = {other}")?;
                    }
                    write!(f, ", element {}", meeting.element)?;
                }
                write!(
                    f,
                    "\n  try: sizes that keep the subscripts apart, or the promise that they are: `unsafe(disjoint({variable}))`"
                )
            }
            Self::Overlap { place, written, other } => {
                write!(
                    f,
                    "{place} writes memory that is mapped twice\n  written: {written}\n  overlapped by: {other}"
                )?;
                f.write_str("\n  try: map each element under one name only")
            }
            Self::NotPresent { place, device, lookup } => {
                write!(f, "`{}` is not present on {device}, as {place} needs{lookup}", lookup.variable)?;
                f.write_str("\n  try: a data region around it, `target_enter_data!` before it, or a `map` without `present`")
            }
            Self::PartlyPresent { place, device, lookup } => {
                write!(
                    f,
                    "`{}` is only partly present on {device}, where {place} needs all of it{lookup}",
                    lookup.variable
                )?;
                f.write_str("\n  try: a `map` of what is present (a section of it fits), or map all of it there first")
            }
            Self::OtherType { place, device, lookup } => {
                write!(
                    f,
                    "the memory of `{}` is present on {device} with elements of another type than {place} has{lookup}",
                    lookup.variable
                )?;
                f.write_str(
                    "\n  try: `target_exit_data!` before data is freed: its memory is another variable's now",
                )
            }
            Self::Moved { place, variable } => {
                write!(f, "`{variable}` was moved, reallocated or resized inside {place}")?;
                f.write_str("\n  what is on the device belongs to memory that is no longer the variable's, and was not brought back")?;
                f.write_str("\n  try: let its memory be as it is until the region's end, or map it again after the change")
            }
            Self::Stranded { place, device, variable, reason } => {
                write!(f, "{place} can't run on {device}: {reason}")?;
                write!(f, "\n  the host can't run it instead, because `{variable}` is on the device")?;
                f.write_str("\n  try: end the data region before it, or `target_update!` and `if(false)`")
            }
            Self::SectionsOverlap { place, variable, sections: ((a, b), (c, d)) } => {
                write!(
                    f,
                    "the sections `{variable}[{a}..{b}]` and `{variable}[{c}..{d}]` in {place} overlap"
                )?;
                f.write_str("\n  try: name each element once")
            }
            Self::Section { place, variable, section: (lo, hi), len } => {
                write!(f, "the section `{variable}[{lo}..{hi}]` of {place} is not inside the array")?;
                write!(f, "\n  the length of `{variable}` is {len}")
            }
            Self::Clause { place, clause, value, allowed } => {
                write!(f, "{clause}({value}) of {place} is out of range\n  allowed: {allowed}")
            }
            Self::Mismatch { place, device, found } => mismatch(f, place, device, found),
            Self::OnlyOnDevice { place, device, error } => {
                write!(
                    f,
                    "OMP_VERIFY: {device} fails in {place}, where the host does not\n  on the device: {error}"
                )
            }
            Self::Environment { variable, value, allowed } => {
                write!(f, "the environment variable {variable} has the value `{value}`\n  allowed: {allowed}")
            }
        }
    }
}

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
            kind: PanicKind::IndexOutOfBounds,
            at: Some("src/main.rs:9:14".into()),
            message: "index out of bounds: the len is 3 but the index is 4".into(),
            variable: Some("x".into()),
            iteration: vec![("i".into(), 4)],
        };
        assert_eq!(
            error.to_string(),
            "index out of bounds: the len is 3 but the index is 4\n  subscript of `x`\n  in the iteration i = 4\n  \
             at src/main.rs:9:14, in region `saxpy` at src/main.rs:7:5"
        );
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
