//! Nests of loops with affine subscripts, of given sizes.
mod products;
mod rows;
mod triangles;
mod windows;

use crate::build::{Desc, I32, Region, X, int};
use omp_ir::analysis::plan::{DimValues, LaunchFacts, LaunchPlan, LaunchValues};
use omp_ir::desc::Prim;
use omp_ir::interp::Memory;
use omp_ir::kernel::Kernel;
pub use products::{
    COMPLEX, Style, batch, complex_product, conditional, contraction, integers, matrix_times_vector, nearest,
    product, small_products, transposition,
};
pub use rows::{
    Along, channels, labelled, normalised, part_of_rows, row_loops, rows_before, scanned_rows, search,
    unit_rows,
};
pub use triangles::{Masked, Part, masked, triangle, triangular};
pub use windows::{
    Border, Flip, bordered, convolution, convolution_of, filter, flipped, spread_filter, two_sums_of_windows,
};

/// A nest, and what a launch gives it.
#[derive(Debug, Clone)]
pub struct Nest {
    /// The loops.
    pub region: Region,
    /// The first value of the parallel loops' variables.
    pub first: i128,
    /// Iterations of the parallel loops; of one whose bounds depend on another, any number.
    pub dims: Vec<u64>,
    /// Captured sizes.
    pub scalars: Vec<i128>,
    /// Elements of the arrays.
    pub lens: Vec<u64>,
}

impl Nest {
    /// The loops' values.
    #[must_use]
    pub fn dims(&self) -> Vec<Option<DimValues>> {
        let of = |(d, n): (usize, &u64)| {
            self.region.is_host(d).then_some(DimValues { first: self.first, step: 1, count: *n })
        };
        self.dims.iter().enumerate().map(of).collect()
    }

    /// What a launch knows.
    #[must_use]
    pub fn facts(&self, plan: &LaunchPlan) -> LaunchFacts {
        let dims = self.dims();
        let scalars: Vec<_> = self.scalars.iter().map(|n| Some(*n)).collect();
        let sections: Vec<_> = self.lens.iter().map(|n| (0, *n)).collect();
        plan.decide(&LaunchValues { dims: &dims, scalars: &scalars, lens: &self.lens, sections: &sections })
    }

    /// The same of `f64`, rounded so that products are exact: it makes no difference whether they are rounded before they are
    /// added.
    #[must_use]
    pub fn memory_of_exact_products(&self, kernel: &Kernel) -> Memory {
        let mut memory = self.memory(kernel);
        for (array, ty) in memory.arrays.iter_mut().zip(&kernel.array_ty) {
            if kernel.types.prim(*ty) == Some(Prim::F64) {
                for number in array.chunks_exact_mut(8) {
                    let value = f64::from_le_bytes(number.try_into().expect("8 bytes")) as f32;
                    number.copy_from_slice(&f64::from(value).to_le_bytes());
                }
            }
        }
        memory
    }

    /// Data that no other order of sums gives the same results of, with zeros of both signs among them.
    #[must_use]
    pub fn memory(&self, kernel: &Kernel) -> Memory {
        let number = |k: u64| match k % 7 {
            0 => -0.0,
            1 => 0.0,
            n => (n as f64 - 3.7) * 1.1f64.powi((k % 23) as i32),
        };
        let element = |a: u64, k: u64, size: u64, float: bool| {
            let value = number(k * 31 + a * 17);
            match (size, float) {
                (4, true) => (value as f32).to_le_bytes().to_vec(),
                (_, true) => value.to_le_bytes().to_vec(),
                (n, false) => k.wrapping_mul(0x9E37_79B9_7F4A_7C15).to_le_bytes()[..n as usize].to_vec(),
            }
        };
        let array = |(a, len): (usize, &u64)| {
            let ty = kernel.array_ty[a];
            let size = kernel.types.size(ty).expect("it has a layout");
            let (prim, numbers) = kernel.types.numbers(ty).map_or((None, 1), |(prim, n)| (Some(prim), n));
            let (size, float) = (size / numbers, prim.is_some_and(Prim::is_float));
            (0..*len * numbers).flat_map(|k| element(a as u64, k, size, float)).collect()
        };
        Memory {
            arrays: self.lens.iter().enumerate().map(array).collect(),
            scalars: self.scalars.iter().map(|n| (*n as u64).to_le_bytes().to_vec()).collect(),
            dims: self.dims(),
        }
    }
}

fn zero(ty: Desc) -> X {
    if std::ptr::eq(ty, &I32) { int(0) } else { X::Float(0.0) }
}
