//! An `Option` in memory has a tag of its own: rustc keeps the `None` of these in the bit patterns of what they hold.
#[derive(Clone, Copy, omp::Device)]
struct Answer {
    given: Option<bool>,
}

#[derive(Clone, Copy, omp::Device)]
struct Nested {
    number: u32,
    inner: [Option<Option<u8>>; 2],
}

fn main() {}
