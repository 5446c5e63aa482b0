//! Messages are the same where nothing of std's is in sight.
#![no_implicit_prelude]

#[derive(::std::clone::Clone, ::std::marker::Copy, ::omp::Device)]
struct V {
    x: f32,
}

impl V {
    fn r#final(&self) -> f32 {
        self.x
    }
}

fn half(x: f32) -> f32 {
    x / 2.0
}

#[::omp::offload]
fn lengths(v: &[V], y: &mut [f32]) {
    #[omp::target]
    for i in 0..v.len() {
        y[i] = v[i].r#final();
    }
}

#[::omp::offload]
fn halves(y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = half(y[i]);
    }
}

fn main() {}
