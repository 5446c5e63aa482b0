//! Methods of own types with names of std's methods that allocate.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{on_every_device, twice};

twice! {
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Parcel { pub water: f64, pub n: [u32; 2] }
    #[omp::declare_target]
    impl Parcel {
        fn collect(&mut self, dt: f64) { self.water += dt; }
        fn reserve(&self) -> f64 { self.water }
        fn to_vec(self) -> f64 { self.water * 2.0 }
    }
    pub fn run(x: &mut [Parcel], y: &mut [f64]) {
        #[omp::target]
        for (v, y) in x.iter_mut().zip(y.iter_mut()) {
            v.collect(0.5);
            *y = v.reserve() + v.to_vec();
        }
    }
}

#[test]
fn own_methods() {
    on_every_device(|d| {
        omp::set_default_device(d);
        let mut y = [0.0; 3];
        device::run(&mut [device::Parcel { water: 1.0, n: [0; 2] }; 3], &mut y);
        assert_eq!(y, [4.5; 3], "device {d}");
    });
}
