//! Lengths of device memory whose bytes no number of 64 bits tells: an error each time, and what is there stays as it is.
use super::*;
use omp::{Device, DeviceSlice};

#[omp::offload]
fn put<T: Device>(d: usize, to: &mut DeviceSlice<T>, n: usize, v: T) {
    #[omp::target(device(d), is_device_ptr(to))]
    for i in 0..n {
        to[i] = v;
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Device)]
#[repr(u8)]
enum Never {
    Zero = 3,
}

fn too_long<T: Device>(lens: &[usize]) {
    for &len in lens {
        let error = DeviceSlice::<T>::try_alloc(len).err();
        let Some(omp::Error::OutOfMemory { requested, ref largest, .. }) = error else {
            panic!("{len} elements of {} bytes: {error:?}", size_of::<T>());
        };
        let bytes = u64::try_from(len as u128 * size_of::<T>() as u128).unwrap_or(u64::MAX);
        assert_eq!(requested, bytes, "{len} elements of {} bytes", size_of::<T>());
        assert!(largest.iter().any(|m| m.elements == (0, len as u64)), "{largest:?}");
        let text = error.map_or_else(String::new, |e| e.to_string());
        assert!(text.contains("out of memory") && text.contains(&format!("[0..{len}]")), "{text}");
        assert!(catch_unwind(|| DeviceSlice::<T>::alloc(len)).is_err(), "{len}");
    }
}

#[test]
fn no_length_wraps() {
    on_every_device(|d| {
        omp::set_default_device(d);
        let before = DeviceSlice::from_host(&[1u64; 16]);
        too_long::<u64>(&[
            (1 << 60) - 1,
            1 << 60,
            (1 << 61) - 1,
            1 << 61,
            (1 << 61) + 1,
            (1 << 61) + 16,
            3 << 60,
            usize::MAX / 2,
            usize::MAX,
        ]);
        too_long::<u16>(&[1 << 62, 1 << 63, (1 << 63) + 8, usize::MAX]);
        too_long::<u8>(&[usize::MAX / 2, usize::MAX / 2 + 1, usize::MAX - 255, usize::MAX]);
        too_long::<Never>(&[usize::MAX / 2, 1 << 63, usize::MAX]);
        too_long::<[u32; 3]>(&[usize::MAX / 12 + 1, usize::MAX / 12 + 2, 1 << 62]);
        too_long::<(u8, f64)>(&[1 << 59, 1 << 60, (1 << 60) + 1, usize::MAX]);
        // Memory that is made after stands apart from all else.
        let mut a = DeviceSlice::<u64>::alloc(16);
        let mut none = DeviceSlice::<u64>::alloc(0);
        put(d, &mut a, 16, 7);
        put(d, &mut none, 0, 7);
        assert_eq!((before.to_host(), a.to_host(), none.to_host()), (vec![1; 16], vec![7; 16], vec![]));
        for range in [(0, 17), (16, usize::MAX), (17, 17), (usize::MAX, usize::MAX), (1 << 61, (1 << 61) + 1)]
        {
            assert!(a.try_slice(range.0..range.1).is_err(), "{range:?}");
            assert!(a.try_slice_mut(range.0..range.1).is_err(), "{range:?}");
        }
        assert!(
            a.try_slice(..=usize::MAX).is_err() && a.try_slice(0..=15).is_ok() && a.try_slice(16..).is_ok()
        );
        let index = catch_unwind(AssertUnwindSafe(|| put(d, &mut a, 17, 8)));
        assert!(index.is_err_and(|e| panic_text(&*e).contains("the len is 16 but the index is 16")));
    });
}
