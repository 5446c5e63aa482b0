//! `Option`s whose layout no device has: of a `u128`, and of a value without bytes.
#[derive(Clone, Copy, omp::Device)]
struct Answer {
    given: Option<u128>,
}

#[derive(Clone, Copy, omp::Device)]
struct Nested {
    number: u32,
    inner: [Option<[u8; 0]>; 2],
}

fn main() {}
