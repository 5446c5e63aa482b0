//! Consts in lower case, values under conditions, copies of arrays, comparisons of one's own.
use super::*;

#[allow(non_upper_case_globals)]
const wide: usize = 4;
#[allow(non_upper_case_globals)]
const rows: usize = 4;
#[allow(non_upper_case_globals)]
const pair: (usize, bool) = (3, false);
#[allow(non_upper_case_globals)]
static half: f32 = 0.5;

both! {
    fn lower_case(d, x: &[f32], y: &mut [f32]) {
        target() for i in 0..x.len() / wide; {
            for j in 0..wide {
                let k = i * wide + j;
                y[k] = x[k] * half + wide as f32;
            }
        }
    }
    fn collapsed_consts(d, y: &mut [usize]) {
        target(collapse(2)) for i in 0..wide; {
            for j in 0..wide {
                assert!(i < rows && j < wide, "{} of {}", j, wide);
                y[i * wide + j] = i + j;
            }
        }
    }
    fn lower_case_in_patterns(d, x: &[usize], y: &mut [usize]) {
        target() for i in 0..x.len(); {
            const five: usize = 5;
            y[i] = match x[i] {
                wide => 1 + wide,
                0 | five => 2,
                v => v,
            };
            y[i] += match (x[i], x[i] % 2 == 0) {
                pair => 10,
                (wide | 6, true) => 20,
                (v, even) if even => v,
                _ => 40,
            };
            y[i] += 100 * usize::from(matches!(x[i] + 1, wide));
        }
    }
    fn when(d, x: &[f32], m: &[bool], y: &mut [f32]) {
        target() for i in 0..x.len(); {
            let ok = x[i] > 0.0;
            y[i] = ok.then_some(x[i]).unwrap_or(-1.0) + m[i].then(|| x[i] * 2.0).unwrap_or(1.0);
            if let Some(v) = bool::then_some(!ok && m[i], 3.0f32) {
                y[i] += v;
            }
            y[i] += doubled_or_not(m[i], x[i]).unwrap_or(7.0);
        }
    }
    fn lazily(d, at: &[usize], x: &[f32], y: &mut [f32]) {
        target() for i in 0..y.len(); {
            y[i] = (at[i] < x.len()).then(|| x[at[i]]).unwrap_or(0.5);
        }
    }
    fn from_a_copy(d, start: [f32; 8]) -> [f32; 8] {
        let mut h = [1.0f32; 8];
        target() for (a, b) in h.iter_mut().zip(start); {
            *a += b;
        }
        h
    }
    fn compared(d, x: &[Ratio], y: &mut [i8]) {
        target() for i in 0..x.len(); {
            y[i] = match x[i].partial_cmp(&x[x.len() - 1 - i]) {
                Some(Ordering::Less) => -1,
                Some(Ordering::Equal) => 0,
                Some(Ordering::Greater) => 1,
                None => 9,
            };
        }
    }
}

#[omp::declare_target]
fn doubled_or_not(b: bool, x: f32) -> Option<f32> {
    b.then(|| x * 2.0).or((x < 0.0).then_some(x))
}

#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Ratio {
    n: i32,
    of: i32,
}

/// Where the region does not see the `impl`.
mod ratios {
    use super::*;
    #[omp::declare_target]
    impl PartialOrd for Ratio {
        fn partial_cmp(&self, o: &Ratio) -> Option<Ordering> {
            if self.of == 0 || o.of == 0 {
                return None;
            }
            (self.n * o.of).partial_cmp(&(o.n * self.of))
        }
    }
}

#[omp::offload]
fn from_a_copy_of_itself(d: usize, y: &mut [f32]) {
    let mut h = [1.0f32; 8];
    h[3] = 5.0;
    let before = h;
    #[omp::target(device(d))]
    for (a, b) in h.iter_mut().zip(before) {
        *a += b;
    }
    y.copy_from_slice(&h);
}

#[test]
fn names_in_lower_case_and_values_under_conditions() {
    on_every_device(|d| {
        let x: Vec<f32> = (0..40).map(|i| i as f32 - 11.0).collect();
        let m: Vec<bool> = (0..40).map(|i| i % 3 == 0).collect();
        let at: Vec<usize> = (0..40).map(|i| i * 7 % 55).collect();
        let (mut a, mut b) = (vec![0.0; 40], vec![0.0; 40]);
        lower_case(d, &x, &mut a);
        plain::lower_case(&x, &mut b);
        assert_eq!(a, b);
        when(d, &x, &m, &mut a);
        plain::when(&x, &m, &mut b);
        assert_eq!(a, b);
        lazily(d, &at, &x, &mut a);
        plain::lazily(&at, &x, &mut b);
        assert_eq!(a, b);
        let (mut a, mut b) = (vec![0; 16], vec![0; 16]);
        collapsed_consts(d, &mut a);
        plain::collapsed_consts(&mut b);
        assert_eq!(a, b);
        let x: Vec<usize> = (0..9).collect();
        let (mut a, mut b) = (vec![0; 9], vec![0; 9]);
        lower_case_in_patterns(d, &x, &mut a);
        plain::lower_case_in_patterns(&x, &mut b);
        assert_eq!((a[4], &a), (25, &b));
        let start = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.5];
        assert_eq!(from_a_copy(d, start), plain::from_a_copy(start));
        let mut y = [0.0; 8];
        from_a_copy_of_itself(d, &mut y);
        assert_eq!(y, [2.0, 2.0, 2.0, 10.0, 2.0, 2.0, 2.0, 2.0]);
        let ratios: Vec<Ratio> = (0..9).map(|i| Ratio { n: i * 5 % 7, of: i % 4 }).collect();
        let (mut a, mut b) = (vec![0; 9], vec![0; 9]);
        compared(d, &ratios, &mut a);
        plain::compared(&ratios, &mut b);
        assert_eq!(a, b);
    });
}
