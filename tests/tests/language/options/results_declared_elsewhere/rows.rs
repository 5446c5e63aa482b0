//! Options and results of another file.
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
pub struct Row {
    pub number: u8,
    pub found: Result<u32, u16>,
    pub seen: Option<u32>,
}
#[omp::declare_target]
impl Row {
    pub fn both(&self) -> Result<u32, u16> {
        self.found
    }
}
#[omp::declare_target]
pub fn parse(v: u32) -> Result<u32, u8> {
    if v % 3 == 0 { Err(1) } else { Ok(v * 2) }
}
#[omp::declare_target]
pub fn look(v: u32) -> Option<u32> {
    if v % 3 == 0 { None } else { Some(v * 2) }
}
