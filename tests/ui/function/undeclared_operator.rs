//! An operator without the attribute.
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct V { x: f32, y: f32 }
impl std::ops::Add for V { type Output = V; fn add(self, o: V) -> V { V { x: self.x + o.x, y: 0.0 } } }
#[omp::offload]
fn run(p: &[V], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        let s = p[i] + p[0];
        y[i] = s.x;
    }
}

/// One operand: it alone is named.
#[derive(Clone, Copy, omp::Device)]
struct Flag { set: bool }
impl std::ops::Not for Flag { type Output = bool; fn not(self) -> bool { !self.set } }
#[omp::offload]
fn unary(p: &[Flag], y: &mut [bool]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = !p[i];
    }
}

/// Of another type on the right, too.
impl PartialEq<V> for usize { fn eq(&self, v: &V) -> bool { *self == v.x as usize } }
impl PartialOrd<V> for usize { fn partial_cmp(&self, _: &V) -> Option<std::cmp::Ordering> { None } }
#[omp::offload]
fn mixed(y: &mut [f32], v: V) {
    #[omp::target]
    for i in 0..y.len() {
        if i < v {
            y[i] = 1.0;
        }
    }
}

fn main() {}
