//! OpenMP-style directives on ordinary Rust loops: CUDA, OpenCL and host threads from one binary, on stable Rust.
//!
//! ```
//! #[omp::offload]
//! fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
//!     #[omp::target(map(to: x), map(tofrom: y))]
//!     for i in 0..x.len() {
//!         y[i] = a * x[i] + y[i];
//!     }
//! }
//!
//! let mut y = [1.0, 2.0, 3.0];
//! saxpy(2.0, &[10.0, 20.0, 30.0], &mut y);
//! assert_eq!(y, [21.0, 42.0, 63.0]);
//! println!("{}", omp::last_region()); // device, time, bytes copied
//! ```
//!
//! Remove the attributes, and a correct serial program remains that computes the same values. With them, the loop runs on
//! the best device of the machine: a CUDA GPU, an OpenCL GPU, or the host's threads.
//!
//! # Where directives go
//!
//! | form | on | |
//! |---|---|---|
//! | [`#[omp::offload]`](macro@offload) | `fn`, method, `impl`, inline `mod` | enables the directives inside |
//! | `#[omp::offload(try)]` | a `fn` that returns `Result<_, E>` with `E: From<omp::Error>` | the same; a failing region returns its error, as `?` would |
//! | [`#[omp::target(…)]`](macro@target) | a `for` nest in such an item | the loop runs on a device |
//! | the same | a `fn` whose body has exactly one outermost `for` | `offload` on the function and `target` on its loop |
//! | the same | a block in such an item | the block's data stays on the device, and its `#[omp::parallel_for]` loops run there |
//! | [`#[omp::target_data(…)]`](macro@target_data) | a block or loop | keeps data on the device |
//! | [`target_update!`], [`target_enter_data!`], [`target_exit_data!`] | a statement | copies, maps, and ends the mapping of data |
//! | [`#[omp::scan(…)]`](macro@scan) | a loop | carries a value from one iteration to the next |
//! | [`taskwait!`], [`#[omp::taskgroup]`](macro@taskgroup) | a statement; a block or loop | waits for tasks (`nowait`) |
//! | [`#[omp::declare_target]`](macro@declare_target) | a `fn`, `impl`, `trait`, `static` or `const` | loops on devices may use it |
//! | [`#[derive(omp::Device)]`](macro@Device) | a `struct` or `enum` | devices may have values of the type |
//! | [`#[derive(omp::Mapper)]`](macro@Mapper) | a `struct` that owns arrays | `map` may name it: each of its arrays is mapped |
//!
//! ```
//! #[derive(Clone, Copy, omp::Device)]
//! struct Point { x: f64, y: f64 }
//!
//! #[omp::declare_target]
//! fn norm2(p: Point) -> f64 {
//!     p.x * p.x + p.y * p.y
//! }
//!
//! #[omp::target(map(to: points), reduction(+: inside))]
//! fn count(points: &[Point], radius: f64, mut inside: u64) -> u64 {
//!     for i in 0..points.len() {
//!         if norm2(points[i]) <= radius * radius {
//!             inside += 1;
//!         }
//!     }
//!     inside
//! }
//!
//! assert_eq!(count(&[Point { x: 3.0, y: 4.0 }, Point { x: 6.0, y: 0.0 }], 5.0, 0), 1);
//! ```
//!
//! # Clauses
//!
//! | group | clauses |
//! |---|---|
//! | data | `map(to\|from\|tofrom\|alloc: x, y[lo..hi])`, `is_device_ptr(d)`. Without a `map`, the accesses in the body decide what is copied. Elements that the loop does not write keep their values |
//! | variables | `private(t)`, `firstprivate(t)`, `lastprivate(t)`, `shared(x)`, `default(none\|shared)` |
//! | combined values | `reduction(op: s)` with `+ * - max min & \| ^ && \|\|` or a declared operator, on scalars, fields, arrays and sections; `scan(op: y)` |
//! | conflicts and bounds | `disjoint(y)` checks while the loop runs that iterations write different elements of `y`; `unsafe(disjoint(y))`, `unsafe(unchecked(x))` and `unsafe(unchecked)` promise it, or that indices are in bounds |
//! | tasks | `nowait`, `depend(in\|out\|inout: x)` |
//! | nests and schedules | `collapse(n)`, `num_teams(e)`, `thread_limit(e)`, `num_threads(e)`, `schedule(static[, n])`, `block(x[, y[, z]])`, `tile(a[, b])`, `unroll(n)`, `vector(n)`, `cache(x)` |
//! | other | `if(e)`, `device(e)`, `fp(strict\|contract\|fast)`, `name("…")` |
//!
//! The book in `docs/` describes each of them, and what a loop's body may contain.
//!
//! # Loops
//!
//! Parallel loops, and those in their bodies, run over `a..b`, `a..=b`, arrays (`x.iter()`, `x.iter_mut()`, `&x`, `&mut x[lo..hi]`,
//! and a parameter `x: &[T]` by its name), with `.rev()`, `.step_by(s)`, `.enumerate()`, `.zip(…)`, `.copied()` in any
//! order, and patterns:
//!
//! ```
//! #[omp::offload]
//! fn weighted(y: &mut [f64], x: &[f64]) -> f64 {
//!     let mut sum = 0.0;
//!     #[omp::target(reduction(+: sum))]
//!     for (i, (a, &b)) in y.iter_mut().zip(x).enumerate() {
//!         *a += i as f64 * b;
//!         sum += *a;
//!     }
//!     sum
//! }
//!
//! assert_eq!(weighted(&mut [1.0, 2.0, 3.0], &[5.0, 5.0]), 8.0);
//! ```
//!
//! The number of items is computed before the loop runs. Iteration `k` uses item `k`, so items are analysed like subscripts.
//!
//! # What is checked
//!
//! A **race** (two iterations access the same element, and one of them writes it) is an error at compile time, with both accesses and an example:
//!
//! ```compile_fail
//! #[omp::target]
//! fn smooth(y: &mut [f32]) {
//!     for i in 1..y.len() {
//!         y[i] = 0.5 * (y[i] + y[i - 1]);
//!     }
//! }
//! ```
//!
//! If the sizes decide (`y[i * n + j]` with `j < m`), the launch evaluates a formula. An index that is not proved
//! to be in bounds is checked in the kernel, and the first failure becomes Rust's panic, with file, line, index and length:
//!
//! ```should_panic
//! #[omp::target]
//! fn gather(x: &[f64], at: &[u32], y: &mut [f64]) {
//!     for i in 0..y.len() {
//!         y[i] = x[at[i] as usize];
//!     }
//! }
//!
//! gather(&[1.0, 2.0], &[0, 7], &mut [0.0; 2]); // index out of bounds: the len is 2 but the index is 7
//! ```
//!
//! # Environment
//!
//! | variable | |
//! |---|---|
//! | `OMP_BACKEND=auto\|cuda\|opencl\|host` | which backends to look for |
//! | `OMP_TARGET_OFFLOAD=default\|mandatory\|disabled` | `mandatory`: a region that can't run on a device is an error with each backend's reason |
//! | `OMP_VERIFY=1` | every region runs on its device and on the host, and a difference is an error |
//! | `OMP_INFO=all` | a line on stderr for each kernel, copy, launch and wait |
//! | `OMP_TIME=1` | a table at the end: time and bytes of each region |
//!
//! The book lists all variables.
//!
//! A region that falls back to the host reports that once on stderr, and in its [`RegionReport`].
#![forbid(unsafe_code)]

pub use omp_macros::{
    Device, Mapper, atomic, declare_reduction, declare_target, distribute_parallel_for,
    distribute_parallel_for_simd, offload, parallel_for, parallel_for_simd, scan, simd, target, target_data,
    target_enter_data, target_exit_data, target_loop, target_loop_simd, target_parallel_for,
    target_parallel_for_simd, target_parallel_loop, target_simd, target_teams_distribute,
    target_teams_distribute_parallel_for, target_teams_distribute_parallel_for_simd,
    target_teams_distribute_simd, target_teams_loop, target_teams_loop_simd, target_update, taskgroup,
    taskwait, teams_distribute, teams_distribute_parallel_for, teams_distribute_parallel_for_simd,
    teams_distribute_simd, teams_loop,
};
pub use omp_runtime::AtomicAccess;
pub use omp_runtime::Mapper;
pub use omp_runtime::error;
pub use omp_runtime::typing::Device;
pub use omp_runtime::{
    DeviceInfo, DeviceSlice, DeviceView, DeviceViewMut, Error, RegionReport, devices, get_default_device,
    get_initial_device, get_max_threads, get_num_devices, get_num_teams, get_num_threads, get_team_num,
    get_thread_num, get_wtime, is_initial_device, last_region, set_default_device, set_num_threads,
    target_is_present,
};

/// The names that generated code uses. Not part of the public interface: it changes without notice.
#[doc(hidden)]
pub use omp_runtime::__private;

extern crate self as omp;

/// The traits that `#[omp::declare_target]` implements for an `Index` and an `IndexMut`. Not part of the public interface.
#[doc(hidden)]
pub mod __subscripts {
    /// The position in an array of the element that a subscript of the struct means.
    #[crate::declare_target]
    pub trait Subscript<I> {
        /// The position by the body of `index`, which uses the struct's numbers.
        fn __omp_position(self, index: I) -> usize;
    }

    /// The same for `index_mut`.
    #[crate::declare_target]
    pub trait SubscriptMut<I> {
        /// The position by the body of `index_mut`, which uses the struct's numbers.
        fn __omp_position_mut(self, index: I) -> usize;
    }

    /// The subscripts of arrays of `ndarray` in standard layout, whose numbers are their shapes.
    #[cfg(feature = "ndarray")]
    mod of_ndarray {
        use super::{Subscript, SubscriptMut};

        macro_rules! positions {
            ($($shape:ty, $index:ty: |$self:ident, $at:ident| $body:block)*) => { $(
                #[crate::declare_target]
                impl Subscript<$index> for $shape {
                    fn __omp_position($self, $at: $index) -> usize $body
                }
                #[crate::declare_target]
                impl SubscriptMut<$index> for $shape {
                    fn __omp_position_mut($self, $at: $index) -> usize $body
                }
            )* };
        }
        // Each axis is judged: the length of the whole would let a column run over into the next row.
        positions! {
            (usize,), [usize; 1]: |self, at| { at[0] }
            // The start of a row.
            (usize, usize), (usize,): |self, at| {
                assert!(at.0 < self.0, "subscript {} of axis 0, which has length {}", at.0, self.0);
                at.0 * self.1
            }
            (usize, usize), [usize; 2]: |self, at| {
                assert!(at[0] < self.0, "subscript {} of axis 0, which has length {}", at[0], self.0);
                assert!(at[1] < self.1, "subscript {} of axis 1, which has length {}", at[1], self.1);
                at[0] * self.1 + at[1]
            }
            (usize, usize), (usize, usize): |self, at| {
                assert!(at.0 < self.0, "subscript {} of axis 0, which has length {}", at.0, self.0);
                assert!(at.1 < self.1, "subscript {} of axis 1, which has length {}", at.1, self.1);
                at.0 * self.1 + at.1
            }
            (usize, usize, usize), [usize; 3]: |self, at| {
                assert!(at[0] < self.0, "subscript {} of axis 0, which has length {}", at[0], self.0);
                assert!(at[1] < self.1, "subscript {} of axis 1, which has length {}", at[1], self.1);
                assert!(at[2] < self.2, "subscript {} of axis 2, which has length {}", at[2], self.2);
                (at[0] * self.1 + at[1]) * self.2 + at[2]
            }
            (usize, usize, usize), (usize, usize, usize): |self, at| {
                assert!(at.0 < self.0, "subscript {} of axis 0, which has length {}", at.0, self.0);
                assert!(at.1 < self.1, "subscript {} of axis 1, which has length {}", at.1, self.1);
                assert!(at.2 < self.2, "subscript {} of axis 2, which has length {}", at.2, self.2);
                (at.0 * self.1 + at.1) * self.2 + at.2
            }
        }
    }
}

/// The OpenACC spelling of directives: `use omp::acc;`.
///
/// ```
/// use omp::acc;
///
/// #[acc::parallel_loop(copyin(x), copy(y))]
/// fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
///     for i in 0..x.len() {
///         y[i] = a * x[i] + y[i];
///     }
/// }
///
/// let mut y = [1.0, 2.0, 3.0];
/// saxpy(2.0, &[10.0, 20.0, 30.0], &mut y);
/// assert_eq!(y, [21.0, 42.0, 63.0]);
/// ```
pub mod acc {
    pub use omp_macros::acc_atomic as atomic;
    pub use omp_macros::acc_data as data;
    pub use omp_macros::acc_declare as declare;
    pub use omp_macros::acc_enter_data as enter_data;
    pub use omp_macros::acc_exit_data as exit_data;
    pub use omp_macros::acc_host_data as host_data;
    pub use omp_macros::acc_init as init;
    pub use omp_macros::acc_kernels as kernels;
    pub use omp_macros::acc_kernels_loop as kernels_loop;
    pub use omp_macros::acc_loop as loop_;
    pub use omp_macros::acc_parallel as parallel;
    pub use omp_macros::acc_parallel_loop as parallel_loop;
    pub use omp_macros::acc_routine as routine;
    pub use omp_macros::acc_serial as serial;
    pub use omp_macros::acc_serial_loop as serial_loop;
    pub use omp_macros::acc_set as set;
    pub use omp_macros::acc_shutdown as shutdown;
    pub use omp_macros::acc_update as update;
    pub use omp_macros::acc_wait as wait;
    pub use omp_runtime::acc::{
        ASYNC_NOVAL, ASYNC_SYNC, DeviceType, Property, async_test, async_test_all, copyin, copyout,
        copyout_finalize, create, delete, delete_finalize, get_default_async, get_device_num,
        get_device_type, get_num_devices, get_property, get_property_string, init, is_present, on_device,
        set_default_async, set_device_num, set_device_type, shutdown, update_device, update_self, wait,
        wait_all, wait_all_async, wait_any, wait_async,
    };

    /// Generated code names this const, so that `use omp::acc;` counts as used: rustc checks that after all directives are expanded.
    #[doc(hidden)]
    pub const __USED: () = ();
}
