//! `None` and `Some` may be the user's.
#[derive(Clone, Copy, PartialEq, omp::Device)]
enum Shade {
    None,
    Full,
}

#[derive(Clone, Copy, omp::Device)]
struct Some(u32);

use Shade::None;

#[omp::offload]
fn tested(x: &[Shade], y: &mut [i32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = match x[i] {
            None => 1,
            Shade::Full => 2,
        };
    }
}

#[omp::offload]
fn made(y: &mut [Some]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = Some(7);
    }
}

fn main() {
    let _ = None;
    tested(&[], &mut []);
    made(&mut []);
}
