//! Routines about devices.
use super::{SIZES, everywhere};
use omp::acc::{self, DeviceType, Property};

#[test]
fn devices() {
    assert_eq!(acc::get_num_devices(DeviceType::Host), 1);
    let all = acc::get_num_devices(DeviceType::NotHost);
    assert_eq!(all, omp::get_num_devices());
    assert_eq!(
        all,
        acc::get_num_devices(DeviceType::Nvidia) + acc::get_num_devices(DeviceType::OpenCl),
        "there are two kinds of devices"
    );
    let before = omp::get_default_device();
    for number in 0..all {
        acc::set_device_num(number, DeviceType::NotHost);
        assert_eq!(omp::get_default_device(), number);
        assert_eq!(acc::get_device_num(DeviceType::NotHost), number);
        assert_ne!(acc::get_device_type(), DeviceType::Host);
        assert!(acc::get_property(number, DeviceType::NotHost, Property::Memory) > 0);
        assert_eq!(
            acc::get_property_string(number, DeviceType::NotHost, Property::Name),
            omp::devices()[number].name
        );
    }
    acc::set!(device_type(host));
    assert_eq!((acc::get_device_type(), omp::get_default_device()), (DeviceType::Host, all));
    acc::init!(device_type(host));
    acc::shutdown!();
    omp::set_default_device(before);
    assert!(acc::on_device(DeviceType::Host) && !acc::on_device(DeviceType::NotHost));
}

#[test]
fn a_device_that_is_not_there() {
    let asked = std::panic::catch_unwind(|| acc::set_device_num(99, DeviceType::NotHost));
    let text = *asked.expect_err("no such device").downcast::<String>().expect("a text");
    assert!(text.contains("no device 99 of type `not_host`"), "{text}");
}

#[acc::parallel_loop(present(x))]
fn triple(x: &mut [u32]) {
    for i in 0..x.len() {
        x[i] *= 3;
    }
}

#[test]
fn data() {
    everywhere(|device| {
        for n in SIZES {
            let mut x = vec![1; n];
            acc::copyin(&x);
            acc::create(&x);
            triple(&mut x);
            assert!(!device || x.iter().all(|v| *v == 1));
            acc::update_self(&mut x);
            assert!(x.iter().all(|v| *v == 3));
            x.fill(5);
            acc::update_device(&x);
            acc::delete(&x);
            triple(&mut x);
            acc::copyout(&mut x);
            assert!(x.iter().all(|v| *v == 15), "{n}");
            assert_eq!(acc::is_present(&x), !device || n == 0);
            acc::copyin(&x);
            acc::copyin(&x);
            triple(&mut x);
            acc::copyout_finalize(&mut x);
            assert!(x.iter().all(|v| *v == 45), "{n}");
        }
    });
}
