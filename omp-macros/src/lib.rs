//! The directives of `omp-offload`. Use them through the facade: `#[omp::offload]`, `#[omp::target(…)]`.
//!
//! This file contains only the macros' entry points. `expand` runs the phases of an expansion.
mod ast;
mod diag;
mod expand;
mod glue;
mod iterate;
mod lower;
mod marks;
mod parse;
mod sema;
mod visits;

use ast::Spelling;
use proc_macro::TokenStream;

/// The tokens that a macro receives, with raw identifiers normalised.
fn input(tokens: TokenStream) -> proc_macro2::TokenStream {
    parse::input(tokens.into())
}

/// Enables the directives inside a function, method, `impl` or inline `mod`.
///
/// A failing region panics. Under `offload(try)` the function returns a `Result<_, E>` with `E: From<omp::Error>`, and a
/// failing region returns the error, as `?` would.
#[proc_macro_attribute]
pub fn offload(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::offload(input(args), input(item)).into()
}

/// Lets regions use a function, the methods of an `impl`, a trait, or a `static` or `const` table. The item itself is unchanged.
#[proc_macro_attribute]
pub fn declare_target(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::declare_target(input(args), input(item)).into()
}

/// Declares a reduction operator: `declare_reduction(name: Type, identity = value)` on a function of two values, or
/// `declare_reduction(*: Type, identity = value)` on the `impl` of an operator. The operator must be associative.
#[proc_macro_attribute]
pub fn declare_reduction(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::declare_reduction(input(args), input(item)).into()
}

/// Implements `omp::Device` for a `Copy` struct of device types, a field-less enum, or an enum with data: under the
/// representation of an integer (`#[repr(u8)]`), or without one if rustc keeps its variant in an integer in front of the
/// data. Devices can then have values of the type.
#[proc_macro_derive(Device)]
pub fn derive_device(item: TokenStream) -> TokenStream {
    expand::derive_device(input(item)).into()
}

/// Lets a `map` name a struct that owns or borrows arrays: each of its arrays is mapped (OpenMP's `declare mapper`).
#[proc_macro_derive(Mapper)]
pub fn derive_mapper(item: TokenStream) -> TokenStream {
    expand::derive_mapper(input(item)).into()
}

/// Attribute macros that are directives. [`offload`] reads those inside its item. rustc expands one itself only on a
/// function, which is the short form.
macro_rules! directives {
    ($($(#[$doc:meta])+ $name:ident;)*) => { $(
        $(#[$doc])+
        #[proc_macro_attribute]
        pub fn $name(args: TokenStream, item: TokenStream) -> TokenStream {
            expand::directive(Spelling::OpenMp, stringify!($name), input(args), input(item)).into()
        }
    )* };
}

directives! {
    /// Runs a loop nest on a device, in parallel over teams and threads. On a block: keeps the block's data on the device,
    /// and runs its `parallel_for` loops there.
    target;
    /// `target`, spelled out.
    target_teams_distribute_parallel_for;
    /// `target`, spelled out.
    target_teams_distribute_parallel_for_simd;
    /// `target`, over teams.
    target_teams_distribute;
    /// `target`, over teams.
    target_teams_distribute_simd;
    /// `target`, over the threads of a team.
    target_parallel_for;
    /// `target`, over the threads of a team.
    target_parallel_for_simd;
    /// `target`, iterations in any order.
    target_teams_loop;
    /// `target`, iterations in any order.
    target_teams_loop_simd;
    /// `target`, over the threads of a team, iterations in any order.
    target_parallel_loop;
    /// `target`, iterations in lock-step.
    target_simd;
    /// `target`, iterations in any order.
    target_loop;
    /// `target`, iterations in any order.
    target_loop_simd;
    /// Runs a loop on the host's threads, or an inner loop on the threads of a team.
    parallel_for;
    /// `parallel_for` whose iterations may also run in lock-step.
    parallel_for_simd;
    /// `parallel_for` of an inner loop.
    distribute_parallel_for;
    /// `parallel_for_simd` of an inner loop.
    distribute_parallel_for_simd;
    /// As [`macro@parallel_for`]: in a target block, on the whole device.
    teams_distribute_parallel_for;
    /// As [`macro@parallel_for`].
    teams_distribute_parallel_for_simd;
    /// As [`macro@parallel_for`].
    teams_distribute;
    /// As [`macro@parallel_for`].
    teams_distribute_simd;
    /// As [`macro@parallel_for`].
    teams_loop;
    /// Lets the iterations of a loop run in lock-step.
    simd;
    /// Makes the access of a statement atomic: `update` (the default), `read`, `write`, `capture` or `compare`.
    atomic;
    /// Runs a loop that carries a value from one iteration to the next, in parallel: `y[i] = y[i - 1] + x[i]`.
    scan;
    /// Keeps data on the device from the start to the end of a block or loop.
    target_data;
    /// Waits at the end of a block or loop for the tasks that were begun in it.
    taskgroup;
}

/// Function-like macros that are directives without a statement. [`offload`] reads those inside its item. rustc expands
/// one itself only outside of any such item, which is an error.
macro_rules! standalone {
    ($($(#[$doc:meta])+ $name:ident;)*) => { $(
        $(#[$doc])+
        #[proc_macro]
        pub fn $name(_: TokenStream) -> TokenStream {
            expand::standalone(stringify!($name)).into()
        }
    )* };
}

standalone! {
    /// Copies parts of present data: `to(x[a..b])` to the device, `from(y)` to the host.
    target_update;
    /// Maps data until a [`target_exit_data!`]: `map(to: x)` or `map(alloc: x)`.
    target_enter_data;
    /// Ends the mapping that a [`target_enter_data!`] began: `map(from: x)`, `map(release: x)` or `map(delete: x)`.
    target_exit_data;
    /// Waits for the tasks of the function, or with `depend(in: x)` for those that write `x`.
    taskwait;
}

/// Attribute macros of OpenACC: the facade has them in its module `acc`.
macro_rules! openacc {
    ($($(#[$doc:meta])+ $name:ident as $word:literal;)*) => { $(
        $(#[$doc])+
        #[proc_macro_attribute]
        pub fn $name(args: TokenStream, item: TokenStream) -> TokenStream {
            expand::directive(Spelling::OpenAcc, $word, input(args), input(item)).into()
        }
    )* };
}

openacc! {
    /// Runs a loop nest on a device, in parallel.
    acc_parallel_loop as "parallel_loop";
    /// Runs a loop nest on a device, in parallel if that is proved, else in order.
    acc_kernels_loop as "kernels_loop";
    /// Runs a loop nest on a device, in order.
    acc_serial_loop as "serial_loop";
    /// Keeps a block's data on a device and runs its `loop_`s there in parallel.
    acc_parallel as "parallel";
    /// Keeps a block's data on a device and runs its loops there, in parallel if their iterations are proved to be independent.
    acc_kernels as "kernels";
    /// Runs a block on a device, in order.
    acc_serial as "serial";
    /// A loop of a block or inside a parallel loop.
    acc_loop as "loop_";
    /// Keeps data on the device from the start to the end of a block or loop.
    acc_data as "data";
    /// Inside the block, the names in `use_device` are views of the device's memory.
    acc_host_data as "host_data";
    /// Makes the access of a statement atomic: `update` (the default), `read`, `write` or `capture`.
    acc_atomic as "atomic";
}

/// `acc::routine`: makes a function callable from regions.
#[proc_macro_attribute]
pub fn acc_routine(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::openacc::routine(input(args), input(item)).into()
}

/// `acc::declare`: keeps data on the device while a function runs; on a `static` or `const`, lets regions use the table.
#[proc_macro_attribute]
pub fn acc_declare(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::openacc::declare(input(args), input(item)).into()
}

/// Function-like macros of OpenACC: the facade has them in its module `acc`.
macro_rules! openacc_standalone {
    ($($(#[$doc:meta])+ $name:ident as $word:literal;)*) => { $(
        $(#[$doc])+
        #[proc_macro]
        pub fn $name(_: TokenStream) -> TokenStream {
            expand::standalone($word).into()
        }
    )* };
}

openacc_standalone! {
    /// Copies parts of data on the device to or from it.
    acc_update as "update";
    /// Copies data to the device and keeps it there until an [`acc_exit_data!`].
    acc_enter_data as "enter_data";
    /// Ends the mapping that an [`acc_enter_data!`] began.
    acc_exit_data as "exit_data";
    /// Waits for queues.
    acc_wait as "wait";
}

/// Function-like macros of OpenACC about devices, which may stand anywhere.
macro_rules! openacc_devices {
    ($($(#[$doc:meta])+ $name:ident as $word:literal;)*) => { $(
        $(#[$doc])+
        #[proc_macro]
        pub fn $name(args: TokenStream) -> TokenStream {
            expand::openacc::devices($word, input(args)).into()
        }
    )* };
}

openacc_devices! {
    /// Prepares a device.
    acc_init as "init";
    /// Releases a device.
    acc_shutdown as "shutdown";
    /// Sets the default device and the default queue of the thread.
    acc_set as "set";
}
