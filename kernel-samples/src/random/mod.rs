//! Random kernels, for tests that compare the interpreter, the emitters and the host: well typed, terminating, free
//! of races, and exact (no operation in them has more than one right answer but for the bits of a NaN).
//!
//! A kernel reads `x0…` (one array for each primitive, an array of structs, one of fixed arrays), writes element `k`
//! of `y0…` in iteration `k` alone, and reduces integers. The same seed gives the same kernel.
//!
//! Excluded because several answers are right: transcendental functions, the bits and the sign of a NaN, and `min`/`max`
//! of zeros of different signs. `fp` is strict.

mod expr;
mod stmt;

use omp_ir::desc::{FieldDesc, Prim, StructDesc, TypeDesc};
use omp_ir::interp::Memory;
use omp_ir::kernel::RegionTypes;
use omp_ir::template::KernelTemplate;

/// A kernel with data to run it on.
#[derive(Debug, Clone)]
pub struct RandomKernel {
    /// The template.
    pub template: KernelTemplate,
    /// Rustc's answers.
    pub types: RegionTypes,
    /// Data of the right sizes.
    pub memory: Memory,
}

/// What to make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Subscripts may be out of bounds, divisors zero: some iterations fail.
    pub failures: bool,
    /// Double precision occurs.
    pub f64: bool,
    /// About how many statements the body has.
    pub statements: u32,
    /// Iterations.
    pub iterations: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { failures: false, f64: true, statements: 12, iterations: 37 }
    }
}

/// The kernel of a seed.
#[must_use]
pub fn kernel(seed: u64, options: Options) -> RandomKernel {
    stmt::kernel(seed, options)
}

/// SplitMix64.
#[derive(Debug, Clone)]
pub struct Rng(pub u64);

impl Rng {
    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() >> 33) as usize % n.max(1)
    }

    /// True once in `n` times.
    pub fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// One of a list.
    pub fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}

/// All primitives.
pub const PRIMS: [Prim; 13] = [
    Prim::Bool,
    Prim::I8,
    Prim::I16,
    Prim::I32,
    Prim::I64,
    Prim::Isize,
    Prim::U8,
    Prim::U16,
    Prim::U32,
    Prim::U64,
    Prim::Usize,
    Prim::F32,
    Prim::F64,
];

/// The struct that occurs: fields out of order, padding, a nested array.
pub static POINT: TypeDesc = TypeDesc::Struct(&POINT_DESC);
static POINT_DESC: StructDesc = StructDesc {
    name: "Point",
    derived: omp_ir::desc::Derived::Nothing,
    size: 16,
    align: 4,
    fields: &[
        FieldDesc { name: "id", ty: &TypeDesc::Prim(Prim::U16), offset: 12 },
        FieldDesc { name: "at", ty: &TypeDesc::Prim(Prim::F32), offset: 0 },
        FieldDesc { name: "tags", ty: &TAGS, offset: 8 },
        FieldDesc { name: "int", ty: &TypeDesc::Prim(Prim::I32), offset: 4 },
    ],
};
static TAGS: TypeDesc = TypeDesc::Array { elem: &TypeDesc::Prim(Prim::U8), len: 3 };

/// The fixed array that occurs.
pub static ROW: TypeDesc = TypeDesc::Array { elem: &TypeDesc::Prim(Prim::I32), len: 4 };

/// `(T, bool)`, what `overflowing_*` gives.
#[must_use]
pub fn pair(prim: Prim) -> &'static TypeDesc {
    macro_rules! pairs {
        ($($p:ident)*) => { match prim {
            $(Prim::$p => {
                const SIZE: usize = Prim::$p.size();
                static DESC: StructDesc = StructDesc {
                    name: "(…)",
                    derived: omp_ir::desc::Derived::Order,
                    size: 2 * SIZE,
                    align: SIZE,
                    fields: &[
                        FieldDesc { name: "0", ty: &TypeDesc::Prim(Prim::$p), offset: 0 },
                        FieldDesc { name: "1", ty: &TypeDesc::Prim(Prim::Bool), offset: SIZE },
                    ],
                };
                static PAIR: TypeDesc = TypeDesc::Struct(&DESC);
                &PAIR
            })*
        } };
    }
    pairs!(Bool I8 I16 I32 I64 Isize U8 U16 U32 U64 Usize F32 F64 Char U128)
}
