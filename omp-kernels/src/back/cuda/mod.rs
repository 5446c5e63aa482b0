//! CUDA C++ for NVRTC: spelling and reserved words.
use super::Dialect;
use super::syntax::Syntax;

mod keywords;

/// The spelling of CUDA C++.
pub(crate) static SYNTAX: Syntax = Syntax {
    dialect: Dialect::Cuda,
    prelude: "typedef signed char i8;\n\
              typedef short i16;\n\
              typedef int i32;\n\
              typedef long long i64;\n\
              typedef unsigned char u8;\n\
              typedef unsigned short u16;\n\
              typedef unsigned int u32;\n\
              typedef unsigned long long u64;\n\
              typedef float f32;\n\
              typedef double f64;\n",
    helper: "static __device__ __forceinline__ ",
    function: "static __device__ ",
    global: "",
    barrier: "__syncthreads();",
    shared: "__shared__ ",
    constant: "static __constant__ const ",
    constant_space: "",
    restrict: "__restrict__ ",
    long_suffix: ["ull", "ll"],
    ids: ["blockIdx.#", "gridDim.#", "threadIdx.#", "blockDim.#"],
    axes: ["x", "y", "z"],
    align: "__align__(#)",
    reserved: &[keywords::WORDS],
};
