//! The directives of `omp-offload`. Use them through the facade: `#[omp::offload]`, `#[omp::target(…)]`.
//!
//! Nothing but shims stands here; `expand` has the phases.
mod ast;
mod diag;
mod expand;
mod glue;
mod iterate;
mod lower;
mod marks;
mod parse;
mod sema;

use ast::Spelling;
use proc_macro::TokenStream;

/// What a macro is given. Every macro reads it through this.
fn input(tokens: TokenStream) -> proc_macro2::TokenStream {
    parse::input(tokens.into())
}

/// Enables the directives inside a function, method, `impl` or inline `mod`. `offload(try)`: failures of regions
/// leave the function through `?`.
#[proc_macro_attribute]
pub fn offload(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::offload(input(args), input(item)).into()
}

/// Makes a function callable from regions.
#[proc_macro_attribute]
pub fn declare_target(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::declare_target(input(args), input(item)).into()
}

/// Makes a function or operator a reduction operator.
#[proc_macro_attribute]
pub fn declare_reduction(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::declare_reduction(input(args), input(item)).into()
}

/// Makes a type one that a device can hold.
#[proc_macro_derive(Device)]
pub fn derive_device(item: TokenStream) -> TokenStream {
    expand::derive_device(input(item)).into()
}

/// Makes a struct that owns arrays one that a `map` may name: each of its arrays is mapped.
#[proc_macro_derive(Mapper)]
pub fn derive_mapper(item: TokenStream) -> TokenStream {
    expand::derive_mapper(input(item)).into()
}

/// Attribute macros that are directives: inside an offload item they are read by [`offload`]; as a macro of their
/// own they are the short form on a function.
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
    /// Runs a loop nest on a device, in parallel over teams and threads.
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
    /// Makes an update of one place indivisible.
    atomic;
    /// Runs a recurrence in parallel.
    scan;
    /// Keeps data on the device from the start to the end of a block or loop.
    target_data;
    /// Waits for the tasks of a block at its end.
    taskgroup;
}

/// Function-like macros that are directives without a statement of their own. Inside an offload item they are read
/// by [`offload`]; one that expands by itself stands outside of any.
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
    /// Copies parts of mapped data to or from the device.
    target_update;
    /// Maps data until [`target_exit_data!`].
    target_enter_data;
    /// Ends the mapping that [`target_enter_data!`] began.
    target_exit_data;
    /// Waits for tasks.
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
    /// Keeps a block's data on a device and runs those of its loops there in parallel that are proved to be independent.
    acc_kernels as "kernels";
    /// Runs a block on a device, in order.
    acc_serial as "serial";
    /// A loop of a block or inside a parallel loop.
    acc_loop as "loop_";
    /// Keeps data on the device from the start to the end of a block or loop.
    acc_data as "data";
    /// Names stand for the device's memory inside a block.
    acc_host_data as "host_data";
    /// Makes an update of one place indivisible.
    acc_atomic as "atomic";
}

/// `acc::routine`: makes a function callable from regions.
#[proc_macro_attribute]
pub fn acc_routine(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::openacc::routine(input(args), input(item)).into()
}

/// `acc::declare`: keeps data on the device while a function runs; makes a table one that regions can use.
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
    /// Brings data to the device until [`acc_exit_data!`].
    acc_enter_data as "enter_data";
    /// Ends what [`acc_enter_data!`] began.
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
    /// Gives a device back.
    acc_shutdown as "shutdown";
    /// Chooses the device and the queue of what names none.
    acc_set as "set";
}
