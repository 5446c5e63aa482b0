//! A view that can't be written.
#[omp::offload]
fn other_name(y: &mut [u32]) {
    #[omp::target_data(map(tofrom: y), use_device_ptr(y))]
    {
        let a = y;
        #[omp::target(is_device_ptr(a))]
        for i in 0..4 {
            a[i] = 1;
        }
    }
}

#[omp::offload]
fn of_a_slice(d: &omp::DeviceSlice<u32>) {
    let a = d.slice(..4);
    #[omp::target(is_device_ptr(a))]
    for i in 0..4 {
        a[i] = 1;
    }
}

fn main() {}
