//! The runtime's routines about devices and data, and the directives that set devices.
use crate::table::Checks;
use omp::acc::{self, DeviceType, Property};

const N: usize = 50;

/// Runs on the device that regions take which name none, and counts.
#[acc::parallel_loop(copy(x))]
fn count(x: &mut [u32]) {
    for i in 0..x.len() {
        x[i] += 1;
    }
}

#[acc::parallel_loop(present(x))]
fn triple(x: &mut [u32]) {
    for i in 0..x.len() {
        x[i] *= 3;
    }
}

#[acc::parallel_loop(copyout(on))]
fn asked(on: &mut [bool]) {
    for i in 0..on.len() {
        on[i] = omp::is_initial_device();
    }
}

fn chosen(t: &mut Checks) {
    let mut x = vec![0; N];
    let (now, all) = (omp::get_default_device(), acc::get_num_devices(DeviceType::NotHost));
    let own = if t.on_device() { DeviceType::NotHost } else { DeviceType::Host };
    let number = if t.on_device() { now } else { 0 };
    acc::set_device_num(0, DeviceType::Host);
    count(&mut x);
    t.eq_on_host("acc_set_device_num", acc::get_device_type(), DeviceType::Host);
    acc::set_device_num(number, own);
    count(&mut x);
    t.eq("acc_set_device_num", omp::get_default_device(), now);
    t.eq("acc_get_device_num", acc::get_device_num(own), number);
    t.eq("acc_get_num_devices", (all, acc::get_num_devices(DeviceType::Host)), (omp::get_num_devices(), 1));
    t.eq("acc_get_device_type", acc::get_device_type() == DeviceType::Host, !t.on_device());
    let before = acc::get_device_type();
    acc::set_device_type(DeviceType::Host);
    acc::set_device_type(before);
    count(&mut x);
    t.eq("acc_set_device_type", (acc::get_device_type(), x[3]), (before, 3));
    omp::set_default_device(now);
}

#[omp::offload]
fn directives(t: &mut Checks) {
    let mut x = vec![0; N];
    let now = omp::get_default_device();
    acc::init!(device_type(host));
    acc::init!(device_num(0));
    acc::set!(device_type(host));
    count(&mut x);
    t.eq_on_host("device_type (set)", acc::get_device_type(), DeviceType::Host);
    acc::set!(device_num(now), if(false));
    count(&mut x);
    t.eq_on_host("if (set)", x[0], 2);
    if t.on_device() {
        acc::set!(device_num(now));
    }
    count(&mut x);
    t.eq("device_num (set)", omp::get_default_device(), now);
    acc::set!(default_async(5));
    t.eq("default_async", acc::get_default_async(), 5);
    acc::set!(default_async(acc::ASYNC_NOVAL));
    t.eq("device_type (init)", x[1], 3);
    t.eq("device_num (init)", x[2], 3);
    #[acc::parallel_loop(async(3), copy(x))]
    for i in 0..N {
        x[i] += 1;
    }
    acc::shutdown!();
    t.eq("shutdown", (acc::async_test_all(), x[1]), (true, 4));
    omp::set_default_device(now);
}

fn properties(t: &mut Checks) {
    let mut x = vec![0; N];
    count(&mut x);
    let (of, number) =
        if t.on_device() { (DeviceType::NotHost, omp::get_default_device()) } else { (DeviceType::Host, 0) };
    let device = &omp::devices()[omp::get_default_device()];
    let memory = acc::get_property(number, of, Property::Memory);
    t.eq("acc_property_memory", (memory, memory > 0 || !t.on_device()), (device.memory, true));
    t.eq("acc_property_name", acc::get_property_string(number, of, Property::Name), device.name.clone());
    t.eq(
        "acc_property_vendor",
        acc::get_property_string(number, of, Property::Vendor),
        omp::last_region().backend,
    );
    let driver = acc::get_property_string(number, of, Property::Driver);
    t.eq("acc_property_driver", driver, device.versions.clone());
    let shared = acc::get_property(number, of, Property::SharedMemorySupport);
    t.eq("acc_property_shared_memory_support", shared, u64::from(!t.on_device()));
    acc::init(of);
    count(&mut x);
    t.eq("acc_init", x[0], 2);
    acc::shutdown(of);
    count(&mut x);
    t.eq("acc_shutdown", x[0], 3);
    let mut on = [false; 9];
    asked(&mut on);
    t.eq("acc_on_device", on, [!t.on_device(); 9]);
    t.eq("acc_on_device", acc::on_device(DeviceType::Host) && !acc::on_device(DeviceType::NotHost), true);
}

fn data(t: &mut Checks) {
    let mut x = vec![1; N];
    acc::copyin(&x);
    acc::create(&x);
    triple(&mut x);
    t.eq("acc_copyin", (omp::last_region().bytes_to_device, x[0]), (0, if t.on_device() { 1 } else { 3 }));
    acc::update_self(&mut x);
    t.eq("acc_update_self", x[N - 1], 3);
    x.fill(5);
    acc::update_device(&x);
    triple(&mut x);
    acc::delete(&x);
    t.eq("acc_delete", acc::is_present(&x), true);
    acc::copyout(&mut x);
    t.eq("acc_copyout", x.clone(), vec![15; N]);
    t.eq("acc_update_device", x[7], 15);
    t.eq("acc_is_present", acc::is_present(&x), !t.on_device());
    acc::copyin(&x);
    acc::copyin(&x);
    triple(&mut x);
    acc::copyout_finalize(&mut x);
    t.eq("acc_copyout_finalize", (x[0], acc::is_present(&x)), (45, !t.on_device()));
    acc::create(&x);
    acc::create(&x);
    x.fill(2);
    acc::update_device(&x);
    triple(&mut x);
    acc::update_self(&mut x);
    t.eq("acc_create", x[3], 6);
    acc::delete_finalize(&x);
    t.eq("acc_delete_finalize", acc::is_present(&x), !t.on_device());
}

/// What the compute regions of one thread set is no other thread's.
fn threads(t: &mut Checks) {
    let here = omp::get_default_device();
    let there = std::thread::spawn(|| {
        acc::set_device_type(DeviceType::Host);
        let mut x = vec![0; N];
        count(&mut x);
        (omp::last_region().backend, x[4])
    });
    let mut x = vec![0; N];
    let other = there.join().expect("the host's loop");
    count(&mut x);
    t.eq("one device a thread", (other, omp::get_default_device()), (("host".to_owned(), 1), here));
}

programs! {
    chosen {
        OpenAcc "3.2.1" "routine of the runtime": "acc_get_num_devices";
        OpenAcc "3.2.2" "routine of the runtime": "acc_set_device_type";
        OpenAcc "3.2.3" "routine of the runtime": "acc_get_device_type";
        OpenAcc "3.2.4" "routine of the runtime": "acc_set_device_num";
        OpenAcc "3.2.5" "routine of the runtime": "acc_get_device_num";
    }
    directives {
        OpenAcc "2.14.1" "init": "device_type (init)", "device_num (init)";
        OpenAcc "2.14.2" "shutdown": "shutdown";
        OpenAcc "2.14.3" "set": "device_type (set)", "device_num (set)", "default_async", "if (set)";
    }
    properties {
        OpenAcc "3.2.6" "acc_get_property": "acc_property_memory", "acc_property_name", "acc_property_vendor", "acc_property_driver",
            "acc_property_shared_memory_support";
        OpenAcc "3.2.7" "routine of the runtime": "acc_init";
        OpenAcc "3.2.8" "routine of the runtime": "acc_shutdown";
        OpenAcc "3.2.15" "routine of the runtime": "acc_on_device";
    }
    data {
        OpenAcc "3.2.18" "routine of the runtime": "acc_copyin", "acc_create";
        OpenAcc "3.2.19" "routine of the runtime": "acc_copyout", "acc_copyout_finalize", "acc_delete", "acc_delete_finalize";
        OpenAcc "3.2.20" "routine of the runtime": "acc_update_device", "acc_update_self";
        OpenAcc "3.2.25" "routine of the runtime": "acc_is_present";
    }
    threads {
        OpenAcc "2.3" "internal control variables": "one device a thread";
    }
}
