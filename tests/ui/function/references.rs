//! References can be handed on, but not kept.
#[omp::declare_target]
fn keep(p: &mut f32) { let q = p; *q = 1.0; }
#[omp::declare_target]
fn opt(p: &mut (f32, f32)) { let (a, _) = p; *a = 1.0; }
#[omp::declare_target]
fn give<'a>(p: &'a mut f32) -> &'a mut f32 { p }
fn main() {}
