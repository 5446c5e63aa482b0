//! Elements that no device has: one error for each array, whatever is done with it.
#[omp::offload]
fn texts(x: &Vec<String>, names: [&str; 3], y: &mut [usize]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = x[i].len() + names[0].len();
    }
}
#[omp::offload]
fn bytes(text: &str, y: &mut [u8]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = text.as_bytes()[i];
    }
}
trait Shape {
    fn area(&self) -> f32;
}
#[omp::offload]
fn objects(shapes: &[Box<dyn Shape>], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = shapes[i].area();
    }
}
// Another variable of the name: it is this that the body means.
#[omp::offload]
fn hidden(text: &str, y: &mut [u8]) {
    let text = text.as_bytes();
    #[omp::target]
    for i in 0..y.len() {
        y[i] = text[i];
    }
}

fn main() {}
