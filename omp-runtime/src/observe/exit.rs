//! Output at the end of the process: the table of `OMP_TIME`, the last events of `OMP_TRACE`, the file of `OMP_REPORT`.
use std::sync::Once;

extern "C" fn at_the_end() {
    super::times::print();
    super::trace::close();
    super::report::write();
}

/// Registers a function with C's library, once, that runs when the process ends: by `exit`, by the end of `main`, or by a panic of `main`.
pub(super) fn expect_the_end() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        unsafe extern "C" {
            fn atexit(call: extern "C" fn()) -> std::ffi::c_int;
        }
        // SAFETY: part of every C library that Rust's std stands on; the function given is there for the life of the
        // process and lets no panic out (it formats and writes, and ignores what fails).
        if unsafe { atexit(at_the_end) } != 0 {
            eprintln!("omp: OMP_TIME has no table, OMP_TRACE lacks its end and OMP_REPORT is empty: the C library takes no more functions to call at the end");
        }
    });
}
