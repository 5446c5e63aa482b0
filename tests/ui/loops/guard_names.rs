//! A guard with names of its own keeps its arm as it is: the name of the slice may be hidden there.
#[omp::declare_target]
fn longer(v: &[u32], rows: &[[u32; 4]]) -> u32 {
    match v {
        [] => 0,
        s if rows.iter().any(|v| s.len() > v.len()) => 1,
        _ => 2,
    }
}

fn main() {}
