//! A field of a type that is no device type is told once, at the field, not again where the struct is used.
#[derive(Clone, Copy)]
struct Inner {
    x: f64,
}

#[derive(Clone, Copy, omp::Device)]
struct Outer {
    inner: Inner,
    y: f64,
}

#[omp::offload]
fn used(o: &mut [Outer]) {
    #[omp::target]
    for i in 0..o.len() {
        o[i].y = o[i].inner.x;
    }
}

fn main() {
    used(&mut []);
}
