//! What rustc may take away before it compiles the rest.
#[derive(Clone, Copy, omp::Device)]
struct P { x: usize }
#[omp::offload]
fn in_loops(y: &mut [usize]) {
    #[omp::target]
    for i in 0..y.len() {
        let k = 0;
        #[cfg(any())]
        let k = i;
        y[k] = 1;
    }
    #[omp::target]
    for i in 0..y.len() {
        y[i] = match i {
            #[cfg_attr(all(), cfg(any()))]
            0 => 1,
            _ => [#[cfg(any())] 7, 8][0],
        };
        y[i] += P { #[cfg(any())] x: 1, #[cfg(all())] x: 2 }.x;
    }
    #[omp::target]
    {
        #[cfg(any())]
        { y[0] = 100; }
        #[omp::parallel_for]
        for i in 0..y.len() { y[i] += 1; }
    }
}
#[omp::offload]
fn beside_directives(y: &mut [usize]) {
    #[cfg(any())]
    #[omp::target]
    for i in 0..y.len() { y[i] = 9; }
    #[omp::target_data(map(to: y[..]))]
    {
        #[omp::target]
        for i in 0..y.len() { y[i] = 9; }
        #[cfg(any())]
        omp::target_update!(from(y));
    }
}
#[omp::target]
#[cfg(all())]
fn short(y: &mut [usize]) {
    for i in 0..y.len() {
        #[cfg(any())]
        { y[0] = 7; }
        y[i] = i;
    }
}
#[omp::declare_target]
fn device(#[cfg(any())] k: f32, k: usize) -> usize {
    #[cfg(any())]
    let k = 3;
    k
}
#[omp::offload]
fn elsewhere(y: &mut [usize]) {
    #[cfg(any())]
    return;
    #[cfg(any())]
    let y = &mut [0usize; 3];
    #[omp::target]
    for i in 0..y.len() { y[i] = 9; }
}
fn main() {}
