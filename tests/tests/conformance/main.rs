//! Conformance with the device constructs of OpenMP 5.2 and OpenACC 3.3: one entry for each construct and clause that a directive on
//! Rust loops can have. The subjects are those of the public validation suites; the programs are our own.
//!
//! A program is a function that checks one or more entries, each under its own key. [`table::run`] runs the programs of a
//! family on the host and on every device. It fails if an entry is not checked, if a value differs, or if the last region
//! did not run where it was to run. `page` writes the book's table from the same entries.
#![allow(
    clippy::assign_op_pattern,
    unused_assignments,
    clippy::cast_lossless,
    clippy::explicit_iter_loop,
    clippy::manual_memcpy,
    clippy::needless_late_init,
    clippy::needless_range_loop,
    reason = "every spelling that users may choose"
)]
#[macro_use]
mod table;
#[macro_use]
mod nine;
mod openacc;
mod openmp;
mod page;

#[test]
fn openacc_atomics() {
    table::run(openacc::atomics::PROGRAMS);
}

#[test]
fn openacc_compute() {
    table::run(openacc::compute::PROGRAMS);
}

#[test]
fn openacc_data() {
    table::run(openacc::data::PROGRAMS);
}

#[test]
fn openacc_devices() {
    table::run(openacc::devices::PROGRAMS);
}

#[test]
fn openacc_loops() {
    table::run(openacc::loops::PROGRAMS);
}

#[test]
fn openacc_queues() {
    table::run(openacc::queues::PROGRAMS);
}

#[test]
fn openacc_reductions() {
    table::run(openacc::reductions::PROGRAMS);
}

#[test]
fn openmp_atomics() {
    table::run(openmp::atomics::PROGRAMS);
}

#[test]
fn openmp_constructs() {
    table::run(openmp::constructs::PROGRAMS);
}

#[test]
fn openmp_data() {
    table::run(openmp::data::PROGRAMS);
}

#[test]
fn openmp_devices() {
    table::run(openmp::devices::PROGRAMS);
}

#[test]
fn openmp_items() {
    table::run(openmp::items::PROGRAMS);
}

#[test]
fn openmp_reductions() {
    table::run(openmp::reductions::PROGRAMS);
}

#[test]
fn openmp_tasks() {
    table::run(openmp::tasks::PROGRAMS);
}
