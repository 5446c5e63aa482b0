//! A `move` closure that changes copies of its own is not copied, and an iterator's does not have a copy of what changes.
#[omp::offload]
fn alias(o: &mut [i32]) {
    #[omp::target]
    for i in 0..o.len() {
        let mut c = 0;
        let mut f = move || {
            c += 1;
            c
        };
        let mut g = f;
        f();
        o[i] = g();
    }
}

#[omp::declare_target]
fn head(a: &[i32], mut u: i32) -> i32 {
    let mut t = 0;
    for v in a.iter().map(move |x| x + u) {
        u += 10;
        t += v;
    }
    t + u
}

fn main() {}
