//! A type with methods that have names of slices' methods, and one with a field of it.
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
pub struct Word {
    pub a: u32,
    pub b: u32,
}

#[omp::declare_target]
impl Word {
    pub fn trim_ascii(self) -> u32 {
        self.a * 3
    }
    pub fn trim_ascii_start(&self) -> Self {
        Self { a: self.a + 1, b: self.b }
    }
    pub fn is_sorted(&self) -> bool {
        self.a <= self.b
    }
    pub fn is_sorted_by(&self, by: u32) -> bool {
        self.a <= self.b + by
    }
    pub fn partition_point(&self, by: u32) -> u32 {
        self.b + by
    }
    pub fn binary_search(&self, by: u32) -> u32 {
        self.b + by * 2
    }
    pub fn reverse(self) -> Self {
        Self { a: self.b, b: self.a }
    }
}
