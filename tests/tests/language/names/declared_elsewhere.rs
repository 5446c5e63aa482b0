//! Device functions and what they need that stands elsewhere: tables in modules, functions that call each other, traits that
//! share a macro's name, default methods of another crate's traits.
#![allow(clippy::all, clippy::pedantic)]
use omp_tests::on_every_device;

mod tables {
    #[omp::declare_target]
    pub static SQUARES: [u32; 16] = squares();
    #[omp::declare_target]
    pub const WEIGHTS: [[f32; 2]; 2] = [[0.5, 1.5], [2.5, 3.5]];

    const fn squares() -> [u32; 16] {
        let mut out = [0; 16];
        let mut k = 0;
        while k < 16 {
            out[k] = (k * k) as u32;
            k += 1;
        }
        out
    }

    #[omp::declare_target]
    pub fn root(square: u32) -> usize {
        let mut k = 0;
        while k < SQUARES.len() && SQUARES[k] < square {
            k += 1;
        }
        k
    }
}

#[omp::offload]
fn look_up(d: usize, y: &mut [f32]) {
    #[omp::target(device(d))]
    for i in 0..y.len() {
        let k = tables::root((i % 226) as u32);
        y[i] = tables::SQUARES[k % 16] as f32 * tables::WEIGHTS[i % 2][k % 2];
    }
}

#[test]
fn tables_in_functions_and_regions() {
    on_every_device(|d| {
        for n in [0usize, 1, 31, 500] {
            let mut y = vec![-1.0; n];
            look_up(d, &mut y);
            for (i, y) in y.iter().enumerate() {
                let k = (0..16).find(|k| k * k >= i % 226).unwrap_or(16);
                assert_eq!(*y, ((k % 16) * (k % 16)) as f32 * tables::WEIGHTS[i % 2][k % 2], "{i} of {n}");
            }
        }
    });
}

#[omp::declare_target]
fn is_even(n: u32) -> bool {
    if n == 0 { true } else { is_odd(n - 1) }
}

#[omp::declare_target]
fn is_odd(n: u32) -> bool {
    if n == 0 { false } else { is_even(n - 1) }
}

#[omp::offload]
fn parities(y: &mut [bool]) {
    #[omp::target(device(omp::get_initial_device()))]
    for i in 0..y.len() {
        y[i] = is_even(i as u32 % 40);
    }
}

#[test]
fn functions_that_call_each_other() {
    let mut y = vec![false; 200];
    parities(&mut y);
    assert!(y.iter().enumerate().all(|(i, &even)| even == (i % 2 == 0)));
}

/// Default methods of another crate's traits.
mod of_another_crate {
    use omp_tests::shapes::{Shape, further};
    #[derive(Clone, Copy, omp::Device)]
    pub struct Square(pub f32);
    #[omp::declare_target]
    impl Shape for Square {
        fn side(&self) -> f32 {
            self.0
        }
    }
    #[omp::declare_target]
    impl further::Shape for Square {}
    #[omp::offload]
    pub fn areas(d: usize, p: &[Square], y: &mut [f32]) {
        use further::Shape as _;
        #[omp::target(device(d))]
        for i in 0..y.len() {
            y[i] = p[i].area() + p[i].colour() as f32;
        }
    }
}

#[test]
fn defaults_of_another_crate() {
    on_every_device(|d| {
        let mut y = [0.0; 3];
        of_another_crate::areas(d, &[of_another_crate::Square(3.0); 3], &mut y);
        assert_eq!(y, [16.0; 3]);
    });
}

/// Two declared traits may have methods of one name: a call says which is meant.
mod one_name {
    #[omp::declare_target]
    pub trait Round {
        fn side(&self) -> f32;
        fn area(&self) -> f32 {
            3.0 * self.side() * self.side()
        }
    }
    #[omp::declare_target]
    pub trait Angular {
        fn width(&self) -> f32;
        fn area(&self) -> f32 {
            self.width() * self.width()
        }
    }
    #[derive(Clone, Copy, omp::Device)]
    pub struct Shape(pub f32);
    #[omp::declare_target]
    impl Round for Shape {
        fn side(&self) -> f32 {
            self.0
        }
    }
    #[omp::declare_target]
    impl Angular for Shape {
        fn width(&self) -> f32 {
            self.0 + 1.0
        }
        fn area(&self) -> f32 {
            self.0
        }
    }
    #[omp::offload]
    pub fn areas(d: usize, p: &[Shape], y: &mut [f32]) {
        #[omp::target(device(d))]
        for i in 0..y.len() {
            y[i] = Round::area(&p[i]) + Angular::area(&p[i]);
        }
    }
}

#[test]
fn methods_of_one_name() {
    on_every_device(|d| {
        let mut y = [0.0; 3];
        one_name::areas(d, &[one_name::Shape(2.0); 3], &mut y);
        assert_eq!(y, [14.0; 3]);
    });
}
