//! Updates by an operator of the user's, of which the left side comes first: where it matters, it is to be said.
#[derive(Clone, Copy, omp::Device)]
struct Digits(u32);

#[omp::declare_target]
impl std::ops::AddAssign for Digits {
    fn add_assign(&mut self, other: Self) {
        self.0 = self.0 * 10 + other.0;
    }
}

#[omp::declare_target]
fn digit(k: &mut usize) -> Digits {
    *k = (*k + 1) % 4;
    Digits(*k as u32)
}

#[omp::declare_target]
fn inside(mut a: [Digits; 4]) -> u32 {
    let mut k = 1;
    a[k] += digit(&mut k);
    a[1].0
}

#[omp::offload]
fn updates(y: &mut [Digits]) {
    #[omp::target]
    for i in 0..y.len() {
        let mut k = 0;
        let mut a = [y[i]; 4];
        a[k] += digit(&mut k);
        a[digit(&mut k).0 as usize] += Digits(k as u32);
        a[0] += digit(&mut k);
        y[i] = Digits(inside(a));
    }
}

#[omp::offload]
fn of_any<T: omp::Device + std::ops::AddAssign>(y: &mut [T]) {
    #[omp::target]
    for i in 0..y.len() {
        let mut k = 0;
        let mut a = [y[i]; 4];
        a[k] += { k += 1; y[i] };
        y[i] = a[0];
    }
}

fn main() {}
