//! The differences between CUDA C++ and OpenCL C, as data.
use super::Dialect;
use omp_ir::desc::Prim;

/// The spelling of a dialect.
#[derive(Debug)]
pub(crate) struct Syntax {
    pub dialect: Dialect,
    /// Types `i8` … `f64` under our names.
    pub prelude: &'static str,
    /// Before a helper function.
    pub helper: &'static str,
    /// Before a device function of the user's.
    pub function: &'static str,
    /// Address space of mapped arrays, followed by a space.
    pub global: &'static str,
    /// All threads of a block arrive before one goes on.
    pub barrier: &'static str,
    /// Address space of memory that a block shares.
    pub shared: &'static str,
    /// Of a table.
    pub constant: &'static str,
    /// The address space of pointers to tables.
    pub constant_space: &'static str,
    /// No other pointer of the kernel leads to the same memory.
    pub restrict: &'static str,
    /// Suffixes of 64-bit literals, unsigned and signed.
    pub long_suffix: [&'static str; 2],
    /// Block number, number of blocks, thread number, block size; `#` stands for the axis.
    pub ids: [&'static str; 4],
    /// Names of the axes.
    pub axes: [&'static str; 3],
    /// Alignment of a struct; `#` stands for the number.
    pub align: &'static str,
    /// Words that no name may be.
    pub reserved: &'static [&'static [&'static str]],
}

impl Syntax {
    /// The data of a dialect.
    pub(crate) fn of(dialect: Dialect) -> &'static Self {
        match dialect {
            Dialect::Cuda => &super::cuda::SYNTAX,
            Dialect::OpenCl => &super::opencl::SYNTAX,
        }
    }

    /// Block number on an axis.
    pub(crate) fn block_id(&self, axis: usize) -> String {
        self.ids[0].replace('#', self.axes[axis])
    }

    /// Number of blocks on an axis.
    pub(crate) fn blocks(&self, axis: usize) -> String {
        self.ids[1].replace('#', self.axes[axis])
    }

    /// Thread number in its block on an axis.
    pub(crate) fn thread_id(&self, axis: usize) -> String {
        self.ids[2].replace('#', self.axes[axis])
    }

    /// Threads of a block on an axis.
    pub(crate) fn block_size(&self, axis: usize) -> String {
        self.ids[3].replace('#', self.axes[axis])
    }

    /// A function of the math library for `f32` or `f64`.
    pub(crate) fn math(&self, name: &str, prim: Prim) -> String {
        match (self.dialect, prim) {
            (Dialect::Cuda, Prim::F32) => format!("{name}f"),
            _ => name.to_owned(),
        }
    }
}
