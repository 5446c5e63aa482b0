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

#[omp::declare_target]
fn first(s: &mut [usize]) -> Digits {
    s[0] += 1;
    Digits(s[0] as u32)
}

#[omp::declare_target]
fn of_parameters(a: &mut [Digits], s: &mut [usize], k: &mut usize) {
    a[s[0]] += first(s);
    a[*k] += digit(k);
    a[s[0]] += digit(k);
    a[*k] += first(&mut s[1..]);
}

#[omp::offload]
fn memory(y: &mut [Digits], z: &mut [usize], r: &mut [usize]) {
    #[omp::target]
    for i in 0..y.len() {
        let (mut a, mut b) = ([y[i]; 4], [0usize; 4]);
        a[z[i]] += digit(&mut z[i]);
        a[digit(&mut z[i]).0 as usize] += Digits(z[i] as u32);
        let s = &mut r[i * 2..i * 2 + 2];
        a[s[0]] += first(s);
        a[first(s).0 as usize] += Digits(r[i * 2] as u32);
        let s = &mut b[1..];
        a[{ s[0] += 1; 0 }] += Digits(b[1] as u32);
        let s = &mut b[..];
        let s = &mut s[1..];
        a[s[0]] += { let t = &mut s[..1]; first(t) };
        let p = &mut b[1];
        a[{ *p += 1; 0 }] += Digits(b[1] as u32);
        y[i] = a[0];
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
