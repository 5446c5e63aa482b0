//! rustc says what it can't read; there is nothing to add.
#[omp::declare_target]
fn g(x: u32) -> u32 {
    let y = x +;
    y
}

#[derive(Clone, Copy, omp::Device)]
struct S {
    a: u32,
}

#[omp::declare_target]
impl S {
    fn h(self) -> u32 {
        self.a +
    }
    fn k(self) -> u32 {
        self.a
    }
}

#[omp::offload]
fn right(n: usize, s: S) -> u32 {
    let mut top = 0;
    #[omp::target(reduction(best: top))]
    for _ in 0..n {
        top = best(top, g(3) + s.h() + s.k());
    }
    top
}

#[omp::offload]
fn wrong(v: &mut [u32]) {
    #[omp::target(map(v))]
    for i in 0..v.len() {
        v[i] = 3 + ;
        v[i] = 4;
    }
    omp::taskwait!();
}

#[omp::offload]
mod inner {
    pub fn one(v: &mut [u32]) {
        #[omp::target]
        for i in 0..v.len() {
            v[i] = 3 4;
        }
    }
}

#[omp::target]
fn short(v: &mut [u32]) {
    for i in 0..v.len() {
        v[i] = ;
    }
}

#[omp::declare_reduction(best: u32, identity = 0)]
fn best(a: u32, b: u32) -> u32 {
    if a > b { a } else { b + }
}

fn main() {
    right(3, S { a: 1 });
    wrong(&mut [1]);
    inner::one(&mut [1]);
    short(&mut [1]);
}
