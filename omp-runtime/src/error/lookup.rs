//! The details of errors of the present table.
use super::Place;
use std::fmt;

/// A line of the present table of a device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PresentRow {
    /// As the user wrote it.
    pub variable: String,
    /// The elements that are present, `lo..hi`.
    pub elements: (u64, u64),
    /// The type of an element.
    pub of: &'static str,
    /// Host addresses, `lo..hi`.
    pub addresses: (u128, u128),
    /// References of data directives.
    pub references: u64,
    /// The directive that mapped it.
    pub place: &'static Place,
}

impl fmt::Display for PresentRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { variable, elements: (lo, hi), of, addresses, references, place } = self;
        span(f, variable, (*lo, *hi), of, *addresses)?;
        let s = if *references == 1 { "" } else { "s" };
        write!(f, ", {references} reference{s}, mapped at {}:{}", place.file, place.line)
    }
}

/// What data has to be present for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Wanted {
    /// A `map` with `present`, or the name of device memory (`use_device_ptr`).
    Map,
    /// `target_update!`
    Update,
    /// `target_exit_data!`
    Exit,
}

impl Wanted {
    /// What to try where nothing is there.
    pub(super) const fn help(self) -> &'static str {
        match self {
            Self::Map => {
                "a data region around it, `target_enter_data!` before it, or a `map` without `present`"
            }
            Self::Update => {
                "a data region around it, or `target_enter_data!` before it; without one there is no copy to bring up to date"
            }
            Self::Exit => {
                "`target_enter_data!` before it, once for each `target_exit_data!`; the end of a data region releases what it maps by itself"
            }
        }
    }
}

/// A lookup in the present table that found nothing to use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lookup {
    /// The variable that was looked up.
    pub variable: String,
    /// Its elements, `lo..hi`.
    pub elements: (u64, u64),
    /// The type of an element.
    pub of: &'static str,
    /// Host addresses, `lo..hi`.
    pub addresses: (u128, u128),
    /// What of these elements is not there, `lo..hi`.
    pub missing: Vec<(u64, u64)>,
    /// The device.
    pub device: String,
    /// What the data was needed for.
    pub wanted: Wanted,
    /// The whole table at that time, by address.
    pub table: Vec<PresentRow>,
}

fn span(
    f: &mut fmt::Formatter<'_>,
    variable: &str,
    (lo, hi): (u64, u64),
    of: &str,
    (from, to): (u128, u128),
) -> fmt::Result {
    write!(f, "`{variable}[{lo}..{hi}]` of {of}, {} bytes at {from:#x}..{to:#x}", to - from)
}

/// Rows that a message shows.
const SHOWN: usize = 20;

impl fmt::Display for Lookup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { variable, elements, of, addresses, missing, device, wanted: _, table } = self;
        f.write_str("\n  looked up: ")?;
        span(f, variable, *elements, of, *addresses)?;
        if *missing != [*elements] && !missing.is_empty() {
            f.write_str("\n  missing: ")?;
            for (i, (lo, hi)) in missing.iter().take(SHOWN).enumerate() {
                write!(f, "{}`{variable}[{lo}..{hi}]`", if i == 0 { "" } else { ", " })?;
            }
        }
        write!(f, "\n  present table of {device}:")?;
        if table.is_empty() {
            return f.write_str(" empty");
        }
        // Those that overlap first.
        let overlaps = |row: &PresentRow| addresses.0 < row.addresses.1 && row.addresses.0 < addresses.1;
        let (near, far): (Vec<_>, Vec<_>) = table.iter().partition(|row| overlaps(row));
        for row in near.iter().chain(&far).take(SHOWN) {
            write!(f, "\n    {row}")?;
        }
        if table.len() > SHOWN {
            write!(f, "\n    and {} more", table.len() - SHOWN)?;
        }
        Ok(())
    }
}
