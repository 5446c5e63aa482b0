//! Names of arrays that another file uses.
pub type Vec3 = [i32; 3];
pub type Name = [u8; 6];

#[derive(Clone, Copy, omp::Device)]
pub struct Box3 {
    pub v: [i32; 3],
}
