//! OpenMP 5.2.
use crate::table::Program;

pub mod atomics;
pub mod constructs;
pub mod data;
pub mod devices;
pub mod items;
pub mod reductions;
pub mod tasks;

/// The programs of all files.
pub static FAMILIES: &[&[Program]] = &[
    atomics::PROGRAMS,
    constructs::PROGRAMS,
    data::PROGRAMS,
    devices::PROGRAMS,
    items::PROGRAMS,
    reductions::PROGRAMS,
    tasks::PROGRAMS,
];
