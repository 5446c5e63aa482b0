//! Operators of the user's that fail: the region fails with their message, on every device, and what they take without failing is right.
use omp_tests::{on_every_device, panic_of};

#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Sum {
    value: u32,
    count: u32,
}

#[omp::declare_reduction(limited: Sum, identity = Sum { value: 0, count: 0 })]
fn limited(a: Sum, b: Sum) -> Sum {
    assert!(a.value + b.value < 50, "the sum is too large");
    Sum { value: a.value + b.value, count: a.count + b.count }
}

#[omp::declare_reduction(divided: Sum, identity = Sum { value: 1, count: 0 })]
fn divided(a: Sum, b: Sum) -> Sum {
    Sum { value: a.value / (b.value - 3), count: a.count + b.count }
}

static TABLE: [u32; 4] = [1, 2, 3, 4];

#[omp::declare_reduction(looked_up: u32, identity = 0)]
fn looked_up(a: u32, b: u32) -> u32 {
    TABLE[(a + b) as usize]
}

#[omp::offload]
fn limit(d: usize, x: &[u32]) -> Sum {
    let mut s = Sum { value: 0, count: 0 };
    #[omp::target(device(d), reduction(limited: s))]
    for i in 0..x.len() {
        s = limited(s, Sum { value: x[i], count: 1 });
    }
    s
}

#[omp::offload]
fn divide(d: usize, x: &[u32]) -> Sum {
    let mut s = Sum { value: 100, count: 0 };
    #[omp::target(device(d), reduction(divided: s))]
    for i in 0..x.len() {
        s = divided(s, Sum { value: x[i], count: 1 });
    }
    s
}

#[omp::offload]
fn look_up(d: usize, x: &[u32]) -> u32 {
    let mut s = 0;
    #[omp::target(device(d), reduction(looked_up: s))]
    for i in 0..x.len() {
        s = looked_up(s, x[i]);
    }
    s
}

#[omp::offload(try)]
fn tried(d: usize, x: &[u32]) -> Result<Sum, omp::Error> {
    let mut s = Sum { value: 0, count: 0 };
    #[omp::target(device(d), reduction(limited: s))]
    for i in 0..x.len() {
        s = limited(s, Sum { value: x[i], count: 1 });
    }
    Ok(s)
}

#[omp::offload]
fn scanned(d: usize, x: &[u32], y: &mut [Sum]) {
    #[omp::scan(limited, Sum, device(d))]
    for i in 1..y.len() {
        y[i] = limited(y[i - 1], Sum { value: x[i], count: 1 });
    }
}

#[test]
fn operators_fail() {
    on_every_device(|d| {
        assert_eq!(limit(d, &[1; 20]), Sum { value: 20, count: 20 });
        assert_eq!(tried(d, &[1; 20]).unwrap(), Sum { value: 20, count: 20 });
        let mut y = [Sum { value: 0, count: 0 }; 20];
        scanned(d, &[1; 20], &mut y);
        assert_eq!(y[19], Sum { value: 19, count: 19 });
        let told = |run: &dyn Fn(), what: &str| {
            let text = panic_of(run).unwrap_or_else(|| panic!("{what} on {d}: nothing was told"));
            assert!(text.contains(what), "on {d}: {text}");
        };
        told(&|| _ = limit(d, &[1; 300]), "the sum is too large");
        told(&|| _ = divide(d, &[3; 20]), "attempt to divide by zero");
        told(&|| _ = look_up(d, &[1; 300]), "index out of bounds");
        told(
            &|| scanned(d, &[1; 20000], &mut vec![Sum { value: 0, count: 0 }; 20000]),
            "the sum is too large",
        );
        assert!(tried(d, &[1; 300]).unwrap_err().to_string().contains("the sum is too large"), "on {d}");
    });
}
