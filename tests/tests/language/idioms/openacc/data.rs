//! Data regions, unstructured data, updates and `host_data`.
use super::{SIZES, everywhere};
use omp::acc;

#[omp::offload]
fn region(a: &mut [i32], b: &[i32], c: &mut [i32], device: bool) {
    let n = a.len();
    let mut t = vec![-1; n];
    #[acc::data(copy(a), copyin(readonly: b), copyout(c), create(t))]
    {
        #[acc::parallel_loop(present(a, b, t))]
        for i in 0..n {
            t[i] = a[i] * b[i];
        }
        #[acc::parallel_loop(default(present))]
        for i in 0..n {
            c[i] = t[n - 1 - i];
            a[i] += 1;
        }
        acc::update!(self(c[..n / 2]));
        for i in 0..n / 2 {
            c[i] = -c[i];
        }
        assert!(!device || n == 0 || a[0] == 0, "the host's copy is its own");
        acc::update!(device(c[..n / 2]), if(n > 1));
    }
    assert!(!device || t.iter().all(|v| *v == -1), "what is created is not copied back");
}

#[test]
fn clauses_of_a_region() {
    everywhere(|device| {
        for n in SIZES {
            let mut a: Vec<i32> = (0..n as i32).collect();
            let b = vec![3; n];
            let mut c = vec![0; n];
            region(&mut a, &b, &mut c, device);
            for i in 0..n {
                let v = 3 * (n - 1 - i) as i32;
                assert_eq!((a[i], c[i]), (i as i32 + 1, if i < n / 2 { -v } else { v }), "{i} of {n}");
            }
        }
    });
}

#[acc::parallel_loop(present(x))]
fn bump(x: &mut [i32]) {
    for i in 0..x.len() {
        x[i] += 1;
    }
}

#[omp::offload]
fn unstructured(x: &mut [i32], y: &mut [i32]) {
    acc::enter_data!(copyin(x), create(y));
    acc::enter_data!(copyin(x));
    bump(x);
    #[acc::parallel_loop(present(x, y))]
    for i in 0..x.len() {
        y[i] = 10 * x[i];
    }
    acc::exit_data!(delete(x));
    bump(x);
    acc::exit_data!(copyout(x), copyout(y));
}

#[omp::offload]
fn finalized(x: &mut [i32]) {
    acc::enter_data!(copyin(x));
    acc::enter_data!(copyin(x));
    bump(x);
    acc::exit_data!(copyout(x), finalize);
}

#[test]
fn unstructured_data_counts_references() {
    everywhere(|device| {
        for n in SIZES {
            let (mut x, mut y) = (vec![1; n], vec![0; n]);
            unstructured(&mut x, &mut y);
            assert!(x.iter().all(|v| *v == 3) && y.iter().all(|v| *v == 20), "{n}: {x:?} {y:?}");
            let mut x = vec![1; n];
            finalized(&mut x);
            assert!(x.iter().all(|v| *v == 2), "{n}: {x:?}");
            assert_eq!(acc::is_present(&x), !device || n == 0);
        }
    });
}

#[test]
fn present_is_asked_for() {
    everywhere(|device| {
        let missing = std::panic::catch_unwind(|| bump(&mut vec![1; 100]));
        assert_eq!(missing.is_err(), device);
    });
}

#[omp::offload]
fn updates(x: &mut [i32], y: &mut [i32]) {
    #[acc::data(copyin(x))]
    {
        bump(x);
        acc::update!(self(x, y), if_present);
    }
}

#[test]
fn if_present_leaves_out_what_is_not_there() {
    everywhere(|_| {
        let (mut x, mut y) = (vec![1; 40], vec![5; 40]);
        updates(&mut x, &mut y);
        assert_eq!((x[0], x[39], y[7]), (2, 2, 5));
    });
}

#[omp::offload]
fn pointers(x: &mut [i32]) {
    #[acc::data(copy(x))]
    {
        #[acc::host_data(use_device(x))]
        {
            #[acc::parallel_loop(deviceptr(x))]
            for i in 0..x.len() {
                x[i] += i as i32;
            }
        }
        #[acc::parallel_loop(no_create(x))]
        for i in 0..x.len() {
            x[i] *= 2;
        }
    }
}

#[test]
fn host_data_and_device_pointers() {
    everywhere(|_| {
        for n in SIZES {
            let mut x = vec![1; n];
            pointers(&mut x);
            assert!((0..n).all(|i| x[i] as usize == 2 * (i + 1)), "{n}: {x:?}");
        }
    });
}

#[omp::offload]
fn both(x: &mut [i32]) {
    #[omp::target_data(map(tofrom: x))]
    {
        bump(x);
        #[acc::data(present(x))]
        {
            #[omp::target]
            for i in 0..x.len() {
                x[i] *= 3;
            }
        }
        omp::target_update!(from(x));
        acc::update!(device(x));
    }
}

#[test]
fn both_spellings_share_the_table() {
    everywhere(|_| {
        let mut x = vec![1; 100];
        both(&mut x);
        assert_eq!(x, vec![6; 100]);
    });
}
