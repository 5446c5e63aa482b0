//! A sketch pad for hand-made kernels, and Rust values as bytes.
#![allow(missing_docs, clippy::cast_lossless)]
pub use kernel_samples::sketch::{Body, desc, range};

use kernel_samples::sketch::Region;
use omp_ir::analysis::plan::DimValues;
use omp_ir::desc::{Prim, TypeDesc};
use omp_ir::ids::{ArrayId, LabelId, LocalId, ScalarId, SlotId};
use omp_ir::kernel::{Callee, Kernel};
use omp_ir::template::{Base, FpMode, Place, ReduceOp};
use omp_kernels::interp::{self, Failure, Memory};
use omp_kernels::valid::{KernelInfo, TypeError, finalise};
use std::ops::{Deref, DerefMut};

/// A primitive of Rust.
pub trait Scalar: Copy + std::fmt::Debug + PartialEq {
    const PRIM: Prim;
    fn bits(self) -> u64;
    fn from_bits(bits: u64) -> Self;
}

macro_rules! scalars {
    ($($T:ident $prim:ident $to:expr, $from:expr;)*) => { $(
        impl Scalar for $T {
            const PRIM: Prim = Prim::$prim;
            fn bits(self) -> u64 {
                let to: fn($T) -> u64 = $to;
                to(self)
            }
            fn from_bits(bits: u64) -> Self {
                let from: fn(u64) -> $T = $from;
                from(bits)
            }
        }
    )* };
}
scalars! {
    bool Bool u64::from, |b| b != 0;
    i8 I8 |v| v as u8 as u64, |b| b as i8;
    i16 I16 |v| v as u16 as u64, |b| b as i16;
    i32 I32 |v| v as u32 as u64, |b| b as i32;
    i64 I64 |v| v as u64, |b| b as i64;
    isize Isize |v| v as u64, |b| b as isize;
    u8 U8 |v| v as u64, |b| b as u8;
    u16 U16 |v| v as u64, |b| b as u16;
    u32 U32 |v| v as u64, |b| b as u32;
    u64 U64 |v| v, |b| b;
    usize Usize |v| v as u64, |b| b as usize;
    f32 F32 |v| v.to_bits() as u64, |b| f32::from_bits(b as u32);
    f64 F64 |v| v.to_bits(), f64::from_bits;
}

pub fn bytes<T: Scalar>(values: &[T]) -> Vec<u8> {
    values.iter().flat_map(|v| v.bits().to_le_bytes()[..T::PRIM.size()].to_vec()).collect()
}

pub fn values<T: Scalar>(bytes: &[u8]) -> Vec<T> {
    let one = |chunk: &[u8]| {
        let mut wide = [0; 8];
        wide[..chunk.len()].copy_from_slice(chunk);
        T::from_bits(u64::from_le_bytes(wide))
    };
    bytes.chunks(T::PRIM.size()).map(one).collect()
}

pub fn place(base: Base) -> Place {
    base.into()
}

pub fn label(n: u32) -> LabelId {
    LabelId(n)
}

/// A region, and the memory that it is run on.
pub struct Sketch {
    region: Region,
    pub memory: Memory,
}

impl Deref for Sketch {
    type Target = Region;
    fn deref(&self) -> &Region {
        &self.region
    }
}

impl DerefMut for Sketch {
    fn deref_mut(&mut self) -> &mut Region {
        &mut self.region
    }
}

impl Sketch {
    /// A region over `0..n` with the variable that is given back.
    pub fn new(n: u64) -> (Self, LocalId) {
        let mut region = Region::new("test", "test.rs", FpMode::Strict);
        let var = region.dim("i", range(None, None));
        let dims = vec![Some(DimValues { first: 0, step: 1, count: n })];
        let memory = Memory { arrays: Vec::new(), scalars: Vec::new(), dims };
        (Self { region, memory }, var)
    }

    pub fn array_of(&mut self, name: &str, elem: &'static TypeDesc, data: Vec<u8>) -> ArrayId {
        self.memory.arrays.push(data);
        self.region.array(name, elem, (true, true))
    }

    pub fn array<T: Scalar>(&mut self, name: &str, data: &[T]) -> ArrayId {
        self.array_of(name, desc(T::PRIM), bytes(data))
    }

    pub fn scalar_of(&mut self, name: &str, ty: &'static TypeDesc, data: Vec<u8>) -> ScalarId {
        self.memory.scalars.push(data);
        self.region.scalar(name, ty)
    }

    pub fn scalar<T: Scalar>(&mut self, name: &str, value: T) -> ScalarId {
        self.scalar_of(name, desc(T::PRIM), bytes(&[value]))
    }

    pub fn reduction<T: Scalar>(&mut self, name: &str, op: ReduceOp) -> LocalId {
        self.region.reduction(name, op, desc(T::PRIM))
    }

    pub fn function(&mut self, name: &str, params: Vec<LocalId>, ret: Option<SlotId>, body: Body) -> Callee {
        Callee::Fn(self.region.function(body.into_fn(name, params, ret)))
    }

    pub fn finalise(self, overflow_checks: bool) -> Result<(Kernel, KernelInfo, Memory), TypeError> {
        let (template, types) = self.region.finish();
        let (kernel, info) = finalise(template, types, overflow_checks)?;
        Ok((kernel, info, self.memory))
    }

    /// The memory afterwards and the reduced values.
    pub fn run(self, overflow_checks: bool) -> Result<(Memory, Vec<Vec<u8>>), Failure> {
        let (kernel, info, mut memory) = self.finalise(overflow_checks).expect("the sketch is well typed");
        let reduced = interp::run(&kernel, &info, &mut memory)?;
        Ok((memory, reduced))
    }
}
