//! OpenCL C 1.2 and later: spelling and reserved words. The generic address space is not assumed.
use super::Dialect;
use super::syntax::Syntax;

mod keywords;

/// The spelling of OpenCL C.
pub(crate) static SYNTAX: Syntax = Syntax {
    dialect: Dialect::OpenCl,
    prelude: "typedef char i8;\n\
              typedef short i16;\n\
              typedef int i32;\n\
              typedef long i64;\n\
              typedef uchar u8;\n\
              typedef ushort u16;\n\
              typedef uint u32;\n\
              typedef ulong u64;\n\
              typedef float f32;\n",
    helper: "static inline ",
    function: "static ",
    global: "__global ",
    barrier: "barrier(CLK_LOCAL_MEM_FENCE);",
    shared: "__local ",
    constant: "__constant ",
    constant_space: "__constant ",
    restrict: "restrict ",
    long_suffix: ["ul", "l"],
    ids: ["get_group_id(#)", "get_num_groups(#)", "get_local_id(#)", "get_local_size(#)"],
    axes: ["0", "1", "2"],
    align: "__attribute__((aligned(#)))",
    reserved: &[keywords::WORDS, keywords::VECTORS],
};
