//! Where loops come near an edge: checks of debug builds, ends that wrap, arrays without elements.
use omp_tests::{on_every_device, on_every_device_in_part, panic_of};

#[omp::declare_reduction(later: u32, identity = 0)]
fn later(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { b }
}

/// Many iterations, each of which is out of bounds.
#[omp::offload]
fn long(form: usize, n: u64, at: &[usize; 4], y: &mut [u32], device: usize) -> u32 {
    let (mut s, mut t, mut h) = (0u32, 0f32, [0u32; 4]);
    match form {
        0 =>
        {
            #[omp::target(device(device), reduction(+: s))]
            for i in 0..n {
                s += y[at[(i % 4) as usize]];
            }
        }
        1 =>
        {
            #[omp::target(device(device), reduction(+: t))]
            for i in 0..n {
                t += y[at[(i % 4) as usize]] as f32;
            }
        }
        2 =>
        {
            #[omp::target(device(device), reduction(reproducible, +: t))]
            for i in 0..n {
                t += y[at[(i % 4) as usize]] as f32;
            }
        }
        3 =>
        {
            #[omp::target(device(device), reduction(later: s))]
            for i in 0..n {
                s = later(s, y[at[(i % 4) as usize]]);
            }
        }
        4 =>
        {
            #[omp::target(device(device), reduction(+: h))]
            for i in 0..n {
                h[(i % 4) as usize] += y[at[(i % 4) as usize]];
            }
        }
        5 =>
        {
            #[omp::target(device(device), reduction(reproducible, +: h))]
            for i in 0..n {
                h[(i % 4) as usize] += y[at[(i % 4) as usize]];
            }
        }
        _ => {
            let m = y.len() as u64;
            #[omp::target(device(device), scan(+: s))]
            for i in 0..n {
                s += at[at[(i % 4) as usize]] as u32;
                if i < m {
                    y[i as usize] = s;
                }
            }
        }
    }
    s + t as u32 + h[0]
}

/// A thread that has failed runs none of its other iterations.
#[test]
fn failures_end_long_loops() {
    on_every_device(|device| {
        for form in 0..7 {
            let mut y = vec![1; 8];
            assert_eq!(
                panic_of(|| assert!(long(form, 100, &[0, 1, 2, 3], &mut y, device) > 0)),
                None,
                "{form}"
            );
            // On GPUs warps end together; they are quick, but where g++ stands for them.
            let cpu = omp::last_region().backend != "cuda";
            let (n, start) = (if cpu { 1 << 33 } else { 1 << 10 }, std::time::Instant::now());
            let text =
                panic_of(|| assert_eq!(long(form, n, &[9, 9, 8, 9], &mut y, device), 0)).expect("it fails");
            assert!(text.contains("index out of bounds"), "{text}");
            assert!(start.elapsed().as_secs() < 60, "form {form} on {device} took {:?}", start.elapsed());
        }
    });
}

#[omp::offload]
fn difference_first(x: &[u32], mut s: u32, device: usize) -> u32 {
    #[omp::target(device(device), reduction(+: s))]
    for i in 0..x.len() {
        s = s - 1 + x[i];
    }
    s
}

#[omp::offload]
fn taken_from_elements(x: &[u8], h: &mut [u8; 4], device: usize) -> u8 {
    let mut rest = 200;
    #[omp::target(device(device), reduction(+: h, rest))]
    for i in 0..x.len() {
        h[i % 4] = h[i % 4] - x[i] + 1;
        rest -= x[i];
        rest += x[i];
    }
    rest
}

/// Sums that come below zero in one order and not in another.
#[test]
fn partial_sums_are_no_overflow() {
    let x: Vec<u32> = (0..1000).map(|i| if i % 3 == 0 { 3 } else { 0 }).collect();
    let serial = x.iter().fold(1, |s, x| s - 1 + x);
    let few: Vec<u8> = (0..64).map(|i| u8::from(i / 4 % 2 == 0) * 2).collect();
    on_every_device(|device| {
        assert_eq!(difference_first(&x, 1, device), serial);
        let mut h = [3, 4, 5, 6];
        assert_eq!((taken_from_elements(&few, &mut h, device), h), (200, [3, 4, 5, 6]));
    });
}

#[omp::offload]
fn masked(x: &[u32; 16], y: &mut [u32], k: usize, device: usize) {
    #[omp::target(device(device))]
    for i in 0..y.len() {
        y[i] = x[(i + k) & 15];
    }
}

#[omp::offload]
fn times_zero(x: &[u32], y: &mut [u32], zero: usize, device: usize) {
    #[omp::target(device(device))]
    for i in 0..y.len() {
        y[i] = x[(i + usize::MAX) * zero + (i & 7)];
    }
}

/// What a subscript is made of may overflow where the subscript itself is always inside.
#[test]
fn overflow_inside_of_subscripts() {
    let x = std::array::from_fn(|i| i as u32);
    on_every_device(|device| {
        let mut y = [0; 3];
        let first = panic_of(|| masked(&x, &mut y, usize::MAX, device));
        let second = panic_of(|| times_zero(&x, &mut y, 0, device));
        if cfg!(debug_assertions) {
            for told in [first, second] {
                let told = told.expect("the sum overflows");
                assert!(told.contains("attempt to add with overflow"), "{told}");
            }
        } else {
            assert_eq!((first, second, y), (None, None, [0, 1, 2]));
        }
    });
}

#[omp::offload]
fn stepped(y: &mut [u32], device: usize) {
    #[omp::target(device(device))]
    for (o, v) in y.iter_mut().zip((0u8..).step_by(100)) {
        *o = u32::from(v);
    }
}

#[omp::offload]
fn stepped_first(y: &mut [u32], device: usize) {
    #[omp::target(device(device))]
    for (v, o) in (0u8..).step_by(100).zip(y.iter_mut()) {
        *o = u32::from(v);
    }
}

#[omp::offload]
fn counted_on(y: &mut [u64], first: u64, device: usize) {
    #[omp::target(device(device))]
    for (v, o) in (first..).zip(y.iter_mut()) {
        *o = v;
    }
}

#[omp::offload]
fn wide(y: &mut [u64], lo: i64, hi: i64, device: usize) {
    #[omp::target(device(device))]
    for i in 0..y.len() {
        for (k, v) in (lo..hi).step_by(1 << 62).enumerate() {
            y[i] = y[i].wrapping_mul(3).wrapping_add(v as u64 + k as u64);
        }
    }
}

/// Ranges end where their types do, steps included; what is counted on the way does not.
#[test]
fn ends_of_ranges() {
    let serial = |n: usize, more: usize| {
        let mut values = (0u8..).step_by(100);
        let all = (0..n).map(|_| u32::from(values.next().expect("no end"))).collect::<Vec<_>>();
        (0..more).for_each(|_| _ = values.next());
        all
    };
    on_every_device(|device| {
        for n in 0..5 {
            let mut y = vec![0; n];
            let mut expected = Vec::new();
            let panics = panic_of(|| expected = serial(n, 0)).is_some();
            assert_eq!(panic_of(|| stepped(&mut y, device)).is_some(), panics, "{n}");
            assert!(panics || y == expected);
            let panics = panic_of(|| expected = serial(n, 1)).is_some();
            // A loop without iterations is not run at all.
            assert_eq!(panic_of(|| stepped_first(&mut y, device)).is_some(), panics && n > 0, "{n}");
            assert!(panics || y == expected);
        }
        let first = i64::MAX as u64 - 1;
        let mut y = [0; 4];
        counted_on(&mut y, first, device);
        assert_eq!(y, [first, first + 1, first + 2, first + 3]);
        let mut y = [0; 2];
        wide(&mut y, i64::MIN, i64::MAX, device);
        let values = (i64::MIN..i64::MAX).step_by(1 << 62).enumerate();
        let one = values.fold(0u64, |s, (k, v)| s.wrapping_mul(3).wrapping_add(v as u64 + k as u64));
        assert_eq!(y, [one; 2]);
    });
}

#[omp::offload]
fn inner_points(x: &[u32], y: &mut [u32], device: usize) {
    let n = x.len();
    #[omp::target(device(device))]
    for i in 1..n.wrapping_sub(1) {
        for j in 1..n.wrapping_sub(1) {
            if j == i {
                y[i] = x[i] + 1;
            }
        }
    }
}

#[omp::offload]
fn blocks(x: &[u32], y: &mut [u32], device: usize) {
    let n = x.len();
    #[omp::target(device(device))]
    for i in 0..n.wrapping_sub(1) / 1024 {
        y[i] = x[i];
    }
}

#[omp::offload]
fn sum_of_blocks(x: &[u32], _: &mut [u32], device: usize) {
    let (n, mut s) = (x.len(), 0);
    #[omp::target(device(device), reduction(+: s))]
    for i in 0..n.wrapping_sub(1) / 1024 {
        s += x[i];
    }
    assert_eq!(s, 1);
}

#[omp::offload]
fn scan_of_blocks(x: &[u32], y: &mut [u32], device: usize) {
    let (n, mut s) = (x.len(), 0);
    #[omp::target(device(device), scan(+: s))]
    for i in 0..n.wrapping_sub(1) / 1024 {
        s += x[i];
        y[i] = s;
    }
}

/// An end below zero makes a loop that no device could come to the end of: it fails as it does on the host.
#[test]
fn ends_below_zero() {
    for device in 0..=omp::get_num_devices() {
        let told = panic_of(|| inner_points(&[], &mut [], device)).expect("nothing has an element 1");
        assert!(told.contains("the len is 0 but the index is 1"), "{told}");
        for region in [blocks, sum_of_blocks, scan_of_blocks] {
            let told = panic_of(|| region(&[], &mut [], device)).expect("nothing has an element 0");
            assert!(told.contains("the len is 0 but the index is 0"), "{told}");
        }
    }
}

#[omp::offload]
fn no_elements(y: &mut [u32], device: usize) {
    #[omp::target(device(device))]
    for i in 0..y.len() {
        let none = [0u32; 0];
        let nested: [[u32; 2]; 0] = [];
        for v in none {
            y[i] += v;
        }
        for row in nested {
            y[i] += row[1];
        }
        y[i] += (none.len() + nested.len()) as u32 + 5;
    }
}

#[omp::offload]
fn first_of_none(y: &mut [u32], device: usize) {
    #[omp::target(device(device))]
    for i in 0..y.len() {
        let none = [0u32; 0];
        y[i] = none[y[i] as usize];
    }
}

#[test]
fn arrays_without_elements() {
    on_every_device(|device| {
        let mut y = [1, 2];
        no_elements(&mut y, device);
        assert_eq!(y, [6, 7]);
        let told = panic_of(|| first_of_none(&mut [0, 1], device)).expect("there is none");
        assert!(told.contains("the len is 0 but the index is"), "{told}");
    });
}

#[omp::offload]
fn from_below_zero(x: &[u32], n: usize, y: &mut [u32], device: usize) {
    #[omp::target(device(device))]
    for i in 0..y.len() {
        let mut s = 1000;
        for j in i.wrapping_sub(3)..n {
            s += x[j];
        }
        for j in (i.wrapping_sub(2)..n).rev() {
            s += x[j];
        }
        y[i] = s;
    }
}

/// A lower bound that wraps is far above the upper one.
#[test]
fn loops_from_a_number_that_wraps_are_empty() {
    let x: Vec<u32> = (0..10).map(|i| i * i + 1).collect();
    let from = |lo: usize| (lo..10).map(|j| x[j]).sum::<u32>();
    let want: Vec<u32> =
        (0..20).map(|i: usize| 1000 + from(i.wrapping_sub(3)) + from(i.wrapping_sub(2))).collect();
    on_every_device(|device| {
        let mut y = vec![0; 20];
        from_below_zero(&x, 10, &mut y, device);
        assert_eq!(y, want, "device {device}");
    });
}

#[omp::offload]
fn low_bits(x: &[u32], y: &mut [u32], device: usize) {
    #[omp::target(device(device))]
    for i in 0..y.len() {
        y[i] = x[i as u8 as usize];
    }
}

#[omp::offload]
fn sum_of_low_bits(x: &[u32], n: u32, mut s: u64, device: usize) -> u64 {
    #[omp::target(device(device), reduction(+: s))]
    for i in 0..n {
        s += u64::from(x[(i as u8).wrapping_add(4) as usize]);
    }
    s
}

#[omp::offload]
fn running_low_bits(x: &[u32], y: &mut [u64], mut s: u64, device: usize) -> u64 {
    #[omp::target(device(device), scan(+: s))]
    for i in 0..y.len() {
        s += u64::from(x[i as u8 as usize]);
        y[i] = s;
    }
    s
}

/// What is cast to fewer bits looks like the loop variable, and does not follow it.
#[test]
fn subscripts_of_few_bits_come_round() {
    let x: Vec<u32> = (0..256).map(|i| i * i + 1).collect();
    let want: Vec<u32> = (0..5000).map(|i| x[i % 256]).collect();
    let mut sums: Vec<u64> = want.iter().map(|v| u64::from(*v)).collect();
    (1..sums.len()).for_each(|i| sums[i] += sums[i - 1]);
    on_every_device(|device| {
        let (mut y, mut z) = (vec![0; 5000], vec![0; 5000]);
        low_bits(&x, &mut y, device);
        assert!(y == want, "device {device}");
        assert_eq!(
            sum_of_low_bits(&x, 2560, 1, device),
            1 + 10 * x.iter().map(|v| u64::from(*v)).sum::<u64>()
        );
        assert_eq!(running_low_bits(&x, &mut z, 0, device), sums[4999], "device {device}");
        assert!(z == sums, "device {device}");
    });
}

#[omp::offload]
fn bits_in_sections(x: &[u32], y: &mut [u32], z: &mut [u32], device: usize) {
    #[omp::target(device(device), map(to: x[2..50]), map(tofrom: y[8..40], z[16..80]), disjoint(y))]
    for i in 8..40 {
        y[i ^ 1] += x[i >> 1 | 2] + x[i & 47 | 4];
        z[i << 1] = x[i ^ 3];
    }
}

/// What comes before a section is taken from the whole subscript, whatever its operators are.
#[test]
fn subscripts_of_sections_are_made_of_any_operators() {
    let x: Vec<u32> = (0..100).map(|i| i * i + 3).collect();
    let (mut y0, mut z0) = (x.clone(), x.clone());
    for i in 8..40 {
        y0[i ^ 1] += x[i >> 1 | 2] + x[i & 47 | 4];
        z0[i << 1] = x[i ^ 3];
    }
    on_every_device(|device| {
        let (mut y, mut z) = (x.clone(), x.clone());
        bits_in_sections(&x, &mut y, &mut z, device);
        assert_eq!((y, z), (y0.clone(), z0.clone()), "device {device}");
    });
}

#[omp::offload]
fn up_to(x: &[u32], y: &mut [u32], n: usize, m: usize, device: usize) -> u32 {
    let mut s = 0;
    #[omp::target(device(device), reduction(^: s))]
    for i in 0..n {
        assert!(i < m, "too far: {}", i);
        s ^= x[i];
        y[i] = x[i] + 1;
    }
    s
}

/// An assertion shows that what follows is in bounds, but the iterations that it ends have no elements at all.
#[test]
fn elements_behind_an_assertion_are_not_fetched_ahead() {
    let x: Vec<u32> = (0..1000).collect();
    on_every_device(|device| {
        let mut y = vec![0; 1000];
        for n in [1001, 1 << 22] {
            let message = panic_of(|| _ = up_to(&x, &mut y, n, 1000, device)).expect("it fails");
            assert!(message.starts_with("too far: "), "{message}");
        }
        assert_eq!(up_to(&x, &mut y, 1000, 1000, device), x.iter().fold(0, |s, x| s ^ x));
        assert!(y.iter().zip(&x).all(|(y, x)| *y == x + 1), "device {device}");
    });
}

/// Rows of 256 KiB in each of 64 threads: more than a thread of the host's has, which runs a work-group of an OpenCL CPU.
#[omp::offload]
fn large_variables(y: &mut [u64], threads: usize, device: usize) {
    if threads == 0 {
        #[omp::target(device(device))]
        for i in 0..y.len() {
            y[i] += 1;
        }
    } else if threads == 1 {
        #[omp::target(device(device), num_teams(4))]
        for i in 0..y.len() {
            let mut row = [0u64; 1 << 15];
            for k in 0..row.len() {
                row[k] = k as u64;
            }
            y[i] += row[3 * i];
        }
    } else {
        #[omp::target(device(device), block(64), num_teams(2))]
        for i in 0..y.len() {
            let mut row = [0u64; 1 << 15];
            for k in 0..row.len() {
                row[k] = k as u64;
            }
            y[i] += row[3 * i];
        }
    }
}

#[test]
fn variables_fit_on_the_stack_of_a_work_group() {
    on_every_device_in_part(|device| {
        for threads in [64, 1] {
            let mut y: Vec<u64> = (0..100).collect();
            large_variables(&mut y, threads, device);
            assert!(y.iter().zip(0..).all(|(&y, i)| y == 4 * i), "{threads}: {y:?}");
        }
        // Every device runs the last region.
        let mut y = [1; 100];
        large_variables(&mut y, 0, device);
        assert_eq!(y, [2; 100]);
    });
}

/// Windows and chunks of a length that is known at run time, in the head of a parallel loop and in a body.
#[omp::offload]
fn parts_of_no_length(y: &mut [u32], x: &[u32], size: usize, form: usize, device: usize) {
    match form {
        0 =>
        {
            #[omp::target(device(device))]
            for (y, w) in y.iter_mut().zip(x.windows(size)) {
                *y += w.len() as u32;
            }
        }
        1 =>
        {
            #[omp::target(device(device))]
            for (y, c) in y.iter_mut().zip(x.chunks(size)) {
                *y += c.len() as u32;
            }
        }
        2 =>
        {
            #[omp::target(device(device))]
            for i in 0..y.len() {
                for w in x.windows(size) {
                    y[i] += w.len() as u32;
                }
            }
        }
        _ =>
        {
            #[omp::target(device(device))]
            for i in 0..y.len() {
                y[i] = x.windows(size).map(|w| w[0] + w.len() as u32).sum();
            }
        }
    }
}

#[test]
fn no_part_is_without_elements() {
    on_every_device(|device| {
        for form in 0..4 {
            for size in [1, 3, 5, 6, usize::MAX] {
                let x = [1, 2, 3, 4, 5];
                let count =
                    |parts: &mut dyn Iterator<Item = &[u32]>| parts.map(|w| w.len() as u32).sum::<u32>();
                let mut want = [0; 2];
                match form {
                    0 => want.iter_mut().zip(x.windows(size)).for_each(|(y, w)| *y = w.len() as u32),
                    1 => want.iter_mut().zip(x.chunks(size)).for_each(|(y, c)| *y = c.len() as u32),
                    2 => want = [count(&mut x.windows(size)); 2],
                    _ => want = [count(&mut x.windows(size)) + x.windows(size).map(|w| w[0]).sum::<u32>(); 2],
                }
                let mut y = [0; 2];
                parts_of_no_length(&mut y, &x, size, form, device);
                assert_eq!(y, want, "{form} {size}");
            }
            let failed =
                panic_of(|| parts_of_no_length(&mut [0; 2], &[1, 2, 3], 0, form, device)).expect("it fails");
            assert!(failed.contains("step != 0"), "{form}: {failed}");
        }
    });
}
