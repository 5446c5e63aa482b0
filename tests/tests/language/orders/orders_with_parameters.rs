//! Derived orders of structs with parameters: field by field, as rustc's.
use omp_tests::on_every_device;
use std::cmp::Ordering;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, omp::Device)]
struct Fixed<const FRACTION: u32>(i32);

#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, omp::Device)]
struct Pair<T: omp::Device> {
    first: T,
    second: f32,
}

fn plain(a: (Fixed<8>, Fixed<8>), p: (Pair<u8>, Pair<u8>)) -> (u8, i8, Fixed<8>) {
    let order = match p.0.partial_cmp(&p.1) {
        None => 2,
        Some(Ordering::Less) => -1,
        Some(Ordering::Equal) => 0,
        Some(Ordering::Greater) => 1,
    };
    let bits = [a.0 < a.1, a.0 <= a.1, a.0 > a.1, a.0 == a.1, p.0 < p.1, p.0 >= p.1, p.0 == p.1];
    (bits.iter().fold(0, |all, &b| all << 1 | u8::from(b)), order, a.0.max(a.1))
}

#[omp::declare_target]
fn compared(a: (Fixed<8>, Fixed<8>), p: (Pair<u8>, Pair<u8>)) -> (u8, i8, Fixed<8>) {
    let order = match p.0.partial_cmp(&p.1) {
        None => 2,
        Some(Ordering::Less) => -1,
        Some(Ordering::Equal) => 0,
        Some(Ordering::Greater) => 1,
    };
    let bits = [a.0 < a.1, a.0 <= a.1, a.0 > a.1, a.0 == a.1, p.0 < p.1, p.0 >= p.1, p.0 == p.1];
    (bits.iter().fold(0, |all, &b| all << 1 | u8::from(b)), order, a.0.max(a.1))
}

#[omp::offload]
fn all(d: usize, a: &[(Fixed<8>, Fixed<8>)], p: &[(Pair<u8>, Pair<u8>)], y: &mut [(u8, i8, Fixed<8>)]) {
    #[omp::target(device(d))]
    for i in 0..y.len() {
        y[i] = compared(a[i], p[i]);
    }
}

#[test]
fn orders_are_those_of_rustc() {
    let numbers = [-3, 0, 0, 7];
    let seconds = [1.5, 1.5, f32::NAN, -0.0];
    let n = numbers.len() * numbers.len();
    let at = |i: usize| (i / numbers.len(), i % numbers.len());
    let a: Vec<_> = (0..n).map(|i| (Fixed(numbers[at(i).0]), Fixed(numbers[at(i).1]))).collect();
    let pair = |k: usize| Pair { first: (k / 3) as u8, second: seconds[k] };
    let p: Vec<_> = (0..n).map(|i| (pair(at(i).0), pair(at(i).1))).collect();
    let want: Vec<_> = (0..n).map(|i| plain(a[i], p[i])).collect();
    on_every_device(|d| {
        let mut got = vec![(0, 0, Fixed(0)); n];
        all(d, &a, &p, &mut got);
        assert_eq!(got, want, "device {d}");
    });
}
