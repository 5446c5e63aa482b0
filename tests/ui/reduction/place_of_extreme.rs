//! The largest value and where it is; a counter that is a place; items under other names.
#[derive(Clone, Copy, omp::Device)]
struct Sums { x: f32, y: f32 }

#[omp::offload]
fn both_reduced(x: &[f32]) -> (f32, usize) {
    let (mut best, mut at) = (f32::MIN, 0);
    #[omp::target(reduction(max: best, at))]
    for i in 0..x.len() {
        if x[i] > best {
            best = x[i];
            at = i;
        }
    }
    (best, at)
}
#[omp::offload]
fn value_reduced(x: &[f32]) -> (f32, usize) {
    let (mut least, mut at) = (f32::MAX, 0);
    #[omp::parallel_for(reduction(min: least))]
    for i in 0..x.len() {
        if least > x[i] && i > 2 { at = i; least = x[i]; }
    }
    (least, at)
}
#[omp::offload]
fn none_reduced(x: &[f32]) -> (f32, usize) {
    let (mut best, mut at) = (f32::MIN, 0);
    #[omp::target]
    for i in 0..x.len() {
        if x[i] > best { best = x[i]; at = i; }
    }
    (best, at)
}
#[omp::offload]
fn compaction(x: &[f32], out: &mut [f32]) -> usize {
    let mut n = 0;
    #[omp::target]
    for i in 0..x.len() {
        if x[i] > 0.0 {
            out[n] = x[i];
            n += 1;
        }
    }
    n
}
#[omp::offload]
fn carried(x: &mut [f32]) -> f32 {
    let mut last = 0.0;
    #[omp::parallel_for]
    for v in x.iter_mut() {
        *v += last;
        last = *v;
    }
    last
}
#[omp::offload]
fn swapped(x: &[f32]) -> f32 {
    let mut s = 0.0;
    #[omp::target(reduction(s: +))]
    for i in 0..x.len() {
        s += x[i];
    }
    s
}
#[omp::offload]
fn assigned(x: &[f32]) -> f32 {
    let mut s = 0.0;
    #[omp::target(reduction(+=: s))]
    for i in 0..x.len() {
        s += x[i];
    }
    s
}
#[omp::offload]
fn other_name(x: &[f32]) -> f32 {
    let mut sum = 0.0;
    #[omp::target(reduction(+: total))]
    for i in 0..x.len() {
        sum += x[i];
    }
    sum
}
#[omp::offload]
fn no_name(x: &mut [f32]) {
    #[omp::target(reduction(+: total))]
    for i in 0..x.len() {
        x[i] += 1.0;
    }
}
#[omp::offload]
fn fields(p: &[f32]) -> f32 {
    let mut s = Sums { x: 0.0, y: 0.0 };
    #[omp::target(reduction(+: s))]
    for i in 0..p.len() {
        s.x += p[i];
        s.y -= p[i];
    }
    s.x + s.y
}
#[omp::offload]
fn of_items(x: &[f32]) -> f32 {
    let mut s = 0.0;
    #[omp::parallel_for]
    for v in x.iter() {
        s += v;
    }
    s
}
#[omp::declare_reduction(join: Sums, identity = Sums { x: 0.0, y: 0.0 })]
fn join(a: &mut Sums, b: Sums) {
    a.x += b.x
}
#[omp::declare_reduction(meet: Sums, identity = Sums { x: 0.0, y: 0.0 })]
fn meet(_: Sums, _: Sums) {}

fn main() {}
