//! What `omp::Device` cannot be derived for.
#[derive(Clone, omp::Device)]
struct Owning {
    hits: Vec<u32>,
}

#[derive(Clone, Copy, omp::Device)]
struct View<'a> {
    data: &'a [f32],
}

#[derive(Clone, Copy, omp::Device)]
enum Single {
    Only { v: u32 },
}

#[derive(Clone, Copy, omp::Device)]
#[repr(C)]
enum TaggedUnion {
    A(u32),
    B,
}

#[derive(Clone, Copy, omp::Device)]
#[repr(u8)]
enum Held<'a> {
    A { v: &'a u8 },
    B,
}

fn main() {}
