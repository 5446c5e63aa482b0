//! Device memory without a host copy, and pointers to present data.
use super::*;

#[omp::offload]
fn on_slices(d: usize, a: &mut omp::DeviceSlice<u16>, b: &omp::DeviceSlice<u16>) {
    #[omp::target(device(d), is_device_ptr(a, b))]
    for i in 0..a.len() {
        a[i] = a[i] * 3 + b[i];
    }
}

#[omp::offload]
fn on_views(d: usize, mut a: omp::DeviceViewMut<'_, u16>, b: omp::DeviceView<'_, u16>) {
    #[omp::target(device(d), has_device_addr(a, b))]
    for i in 0..a.len() {
        a[i] += b[i] + 1;
    }
}

#[omp::offload]
fn on_borrowed_view(a: &mut omp::DeviceViewMut<'_, u16>) {
    #[omp::target(is_device_ptr(a))]
    for i in 0..a.len() {
        a[i] += 5;
    }
}

#[omp::offload]
fn lent(x: &mut Vec<u16>) {
    #[omp::target_data(map(tofrom: x), use_device_ptr(x))]
    {
        on_borrowed_view(&mut x);
        #[omp::target(is_device_ptr(x))]
        for i in 0..x.len() {
            x[i] *= 2;
        }
        on_borrowed_view(&mut x);
    }
}

#[test]
fn views_are_lent_to_functions() {
    let mut x = vec![1, 2, 3];
    lent(&mut x);
    assert_eq!(x, [17, 19, 21]);
}

#[omp::offload]
fn sum_of_block(d: usize, a: &mut omp::DeviceSlice<u16>, x: &[u16]) -> u32 {
    let mut sum = 0u32;
    if a.is_empty() {
        return 0;
    }
    #[omp::target(device(d), is_device_ptr(a))]
    {
        a[0] += 1;
        #[omp::parallel_for]
        for i in 0..x.len() {
            a[i] += x[i];
        }
        #[omp::parallel_for(reduction(+: sum))]
        for i in 0..x.len() {
            sum += a[i] as u32;
        }
    }
    sum
}

#[test]
fn device_slices() {
    on_every_device(|d| {
        omp::set_default_device(d);
        for n in SIZES {
            let x: Vec<u16> = (0..n).map(|i| (i % 100) as u16).collect();
            let mut a = omp::DeviceSlice::from_host(&x);
            let mut b = omp::DeviceSlice::<u16>::alloc(n);
            assert_eq!(b.to_host(), vec![0; n], "a valid value, device {d}");
            b.copy_from(&vec![7; n]);
            on_slices(d, &mut a, &b);
            let mut want: Vec<u16> = x.iter().map(|v| v * 3 + 7).collect();
            assert_eq!(a.to_host(), want, "{n} on device {d}");
            let (lo, hi) = (n / 3, n - n / 4);
            on_views(d, a.slice_mut(lo..hi), b.slice(n - (hi - lo)..));
            want[lo..hi].iter_mut().for_each(|v| *v += 8);
            assert_eq!(a.to_host(), want, "a part, {n} on device {d}");
            let sum = sum_of_block(d, &mut a, &x);
            want.iter_mut().zip(&x).for_each(|(v, x)| *v += x);
            want.iter_mut().take(1).for_each(|v| *v += 1);
            assert_eq!((a.to_host(), sum), (want.clone(), want.iter().map(|v| u32::from(*v)).sum()));
            assert_eq!(
                (a.slice(lo..hi).to_host(), a.slice_mut(..hi).to_host()),
                (want[lo..hi].to_vec(), want[..hi].to_vec())
            );
            // Into a part, from the host.
            a.slice_mut(lo..hi).copy_from(&vec![3; hi - lo]);
            assert!(a.slice_mut(lo..hi).try_copy_from(&vec![0; hi - lo + 1]).is_err());
            want[lo..hi].fill(3);
            assert_eq!(a.to_host(), want, "a part from the host, {n} on device {d}");
            assert!(a.try_slice(1..n + 1).is_err() && a.try_copy_from(&vec![0; n + 1]).is_err());
            if n > 0 {
                let read = catch_unwind(AssertUnwindSafe(|| a[0]));
                match read {
                    Ok(value) => assert!(!apart(d) && value == want[0]),
                    Err(payload) => {
                        assert!(apart(d) && panic_text(&*payload).contains("to_host"), "device {d}");
                    }
                }
            }
        }
    });
}

#[omp::offload]
fn overlapping(d: usize, a: &mut omp::DeviceSlice<u16>, b: &omp::DeviceSlice<u16>) {
    #[omp::target(device(d), is_device_ptr(a), is_device_ptr(b))]
    for i in 0..a.len() {
        a[i] = b[a.len() - 1 - i];
    }
}

#[omp::offload]
fn pointers(d: usize, x: &mut [f32], y: &[f32]) -> u64 {
    let n = x.len();
    let moved;
    #[omp::target_data(map(tofrom: x), map(to: y), device(d))]
    {
        #[omp::target_data(use_device_ptr(x, y), device(d))]
        {
            #[omp::target(device(d), is_device_ptr(x, y))]
            for i in 0..n {
                x[i] += y[n - 1 - i];
            }
        }
        moved = omp::last_region().bytes_to_device + omp::last_region().bytes_from_device;
    }
    moved
}

#[omp::offload(try)]
fn absent(d: usize, x: &mut [f32]) -> Result<(), omp::Error> {
    #[omp::target_data(use_device_ptr(x), device(d))]
    {
        #[omp::target(device(d), is_device_ptr(x))]
        for i in 0..1 {
            x[i] = 1.0;
        }
    }
    Ok(())
}

#[test]
fn device_pointers() {
    on_every_device(|d| {
        omp::set_default_device(d);
        let mut a = omp::DeviceSlice::from_host(&[1u16, 2, 3]);
        let b = omp::DeviceSlice::from_host(&[4u16, 5, 6]);
        overlapping(d, &mut a, &b);
        assert_eq!(a.to_host(), [6, 5, 4]);
        for n in SIZES {
            let mut x: Vec<f32> = (0..n).map(|i| i as f32).collect();
            let y: Vec<f32> = (0..n).map(|i| (2 * i) as f32).collect();
            assert_eq!(pointers(d, &mut x, &y), 0);
            for i in 0..n {
                assert_eq!(x[i], (i + 2 * (n - 1 - i)) as f32, "{i} of {n} on device {d}");
            }
        }
        let mut x = [0.0f32; 3];
        let result = absent(d, &mut x);
        if apart(d) {
            let text = result.expect_err("it is not there").to_string();
            assert!(text.contains("`x` is not present"), "{text}");
        } else {
            result.expect("the host is everywhere");
        }
    });
}

/// Tasks over device memory follow each other, whatever stands for it; who reads it on the host waits for them.
#[omp::offload]
fn tasks(a: &mut omp::DeviceSlice<u32>, b: &mut omp::DeviceSlice<u32>, y: &mut [u32], rounds: u32) -> u64 {
    let n = y.len();
    let half = n / 2;
    for k in 0..rounds {
        #[omp::target(nowait, is_device_ptr(a))]
        for i in 0..n {
            a[i] = a[i] * 3 + k;
        }
        {
            let (mut low, high) = (b.slice_mut(..half), a.slice(half..));
            #[omp::target(nowait, is_device_ptr(low, high))]
            for i in 0..half {
                low[i] += high[i];
            }
        }
        nested(b, k);
        #[omp::target(nowait, is_device_ptr(a, b), depend(in: b), depend(out: y))]
        for i in 0..n {
            y[i] += a[i] ^ b[i];
        }
        std::mem::swap(a, b);
        if k == 1 {
            a.copy_from(&vec![5; n]);
        }
    }
    omp::taskwait!(depend(in: b[..half]));
    let sum: u64 = b.to_host().iter().map(|v| u64::from(*v)).sum();
    sum + y.iter().map(|v| u64::from(*v)).sum::<u64>()
}

/// Another function's tasks and regions on the same memory.
#[omp::offload]
fn nested(b: &mut omp::DeviceSlice<u32>, k: u32) {
    let n = b.len();
    #[omp::target(nowait, is_device_ptr(b))]
    for i in 0..n {
        b[i] += k;
    }
    if k % 2 == 1 {
        #[omp::target(is_device_ptr(b))]
        for i in 0..n {
            b[i] *= 2;
        }
    }
}

#[omp::offload(try)]
fn fails(a: &mut omp::DeviceSlice<u32>, at: usize) -> Result<Vec<u32>, omp::Error> {
    let n = a.len();
    #[omp::target(nowait, is_device_ptr(a))]
    for i in 0..n {
        assert!(i != at, "element {i}");
        a[i] += 1;
    }
    let seen = a.to_host();
    omp::taskwait!();
    Ok(seen)
}

#[test]
fn tasks_on_device_memory() {
    on_every_device(|d| {
        omp::set_default_device(d);
        for n in [0usize, 1, 2, 77, 5000] {
            let start: Vec<u32> = (0..n as u32).collect();
            let (mut p, mut q, mut z) = (start.clone(), vec![1u32; n], vec![9u32; n]);
            for k in 0..5 {
                p.iter_mut().for_each(|v| *v = v.wrapping_mul(3).wrapping_add(k));
                (0..n / 2).for_each(|i| q[i] = q[i].wrapping_add(p[n / 2 + i]));
                q.iter_mut().for_each(|v| *v = v.wrapping_add(k).wrapping_mul(1 + k % 2));
                (0..n).for_each(|i| z[i] = z[i].wrapping_add(p[i] ^ q[i]));
                std::mem::swap(&mut p, &mut q);
                if k == 1 {
                    p.fill(5);
                }
            }
            let (mut a, mut b) =
                (omp::DeviceSlice::from_host(&start), omp::DeviceSlice::from_host(&vec![1; n]));
            let mut y = vec![9; n];
            let got = tasks(&mut a, &mut b, &mut y, 5);
            assert_eq!((a.to_host(), b.to_host(), &y), (p, q.clone(), &z), "{n} on {d}");
            assert_eq!(got, q.iter().chain(&z).map(|v| u64::from(*v)).sum::<u64>());
            let text = |r: Result<Vec<u32>, omp::Error>| r.map_err(|e| e.to_string());
            if n > 2 {
                assert!(text(fails(&mut a, 2)).expect_err("it fails").contains("element 2"), "{n} on {d}");
            }
            a.copy_from(&vec![4; n]);
            assert_eq!(text(fails(&mut a, n)), Ok(vec![5; n]), "{n} on {d}");
        }
    });
}

#[derive(Clone, Copy, Debug, omp::Device)]
struct Large {
    rows: [[f32; 1 << 10]; 1 << 11],
}

#[omp::offload]
fn writes_large(d: usize, a: &mut omp::DeviceSlice<Large>) {
    #[omp::target(device(d), is_device_ptr(a))]
    for i in 0..1usize << 11 {
        a[1].rows[i][3] = i as f32;
    }
}

/// Elements of 8 MB are larger than the stack of a test's thread.
#[test]
fn elements_may_be_larger_than_the_stack() {
    on_every_device(|d| {
        let before = omp::get_default_device();
        omp::set_default_device(d);
        let mut a = omp::DeviceSlice::<Large>::alloc(2);
        omp::set_default_device(before);
        writes_large(d, &mut a);
        let host = a.to_host();
        assert_eq!(
            (host[0].rows[7][3], host[1].rows[7][3], host[1].rows[7][4]),
            (0.0, 7.0, 0.0),
            "device {d}"
        );
    });
}
