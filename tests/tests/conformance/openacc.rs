//! OpenACC 3.3.
use crate::table::Program;

pub mod atomics;
pub mod compute;
pub mod data;
pub mod devices;
pub mod loops;
pub mod queues;
pub mod reductions;

/// The programs of all files.
pub static FAMILIES: &[&[Program]] = &[
    atomics::PROGRAMS,
    compute::PROGRAMS,
    data::PROGRAMS,
    devices::PROGRAMS,
    loops::PROGRAMS,
    queues::PROGRAMS,
    reductions::PROGRAMS,
];
