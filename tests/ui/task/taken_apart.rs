//! A macro of the user's that assigns another field than the one that it is given.
struct Part<'a> {
    x: &'a mut [f32],
    count: u32,
}

macro_rules! set_x {
    ($part:ident . $field:ident, $value:expr) => {
        $part.x = $value
    };
}

#[omp::offload]
fn taken_apart<'a>(part: &mut Part<'a>, b: &'a mut [f32]) {
    #[omp::target(nowait)]
    for i in 0..part.x.len() {
        part.x[i] = 1.0;
    }
    set_x!(part.count, b);
    part.x[0] = 2.0;
}

fn main() {}
