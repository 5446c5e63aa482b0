//! Directives that are misspelt, of the other standard, or in the wrong form.
use omp::acc;

#[omp::offload]
fn misspelt(x: &mut [f32]) {
    #[acc::paralel_loop]
    for i in 0..x.len() {
        x[i] += 1.0;
    }
    #[acc::target]
    for i in 0..x.len() {
        x[i] += 1.0;
    }
    #[omp::kernels_loop]
    for i in 0..x.len() {
        x[i] += 1.0;
    }
    #[acc::update(self(x))]
    {
        x[0] = 1.0;
    }
    acc::updat!(self(x));
    acc::parallel_loop!(copy(x));
    acc::update!(to(x));
}

fn outside(x: &mut [f32]) {
    acc::wait!(1);
    x[0] = 1.0;
}

fn main() {}
