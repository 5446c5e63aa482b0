//! Packed structs, however they say it. (What `layout` takes away and adds, the derive doesn't see.)
#[derive(Clone, Copy, omp::Device)]
#[repr(r#packed)]
struct Raw { a: u8, b: u32 }

#[derive(Clone, Copy, omp::Device)]
#[r#repr(C, r#packed(2))]
struct RawAttribute { a: u8, b: u32 }

fn main() {}
