//! Whether the other side of `&&` and `||` is evaluated depends on the item: it changes nothing.
#[omp::declare_target]
fn triple(p: &mut u32) {
    *p *= 3;
}
#[omp::offload]
fn shortened(x: &[u32], seen: &mut [u32]) -> bool {
    let (mut all, mut any) = (true, false);
    #[omp::target(reduction(&&: all))]
    for i in 0..x.len() {
        all = all && {
            seen[i] = 1;
            x[i] > 0
        };
    }
    #[omp::target(reduction(||: any))]
    for i in 0..x.len() {
        any = any || {
            triple(&mut seen[i]);
            x[i] > 0
        };
    }
    all && any
}
fn main() {}
