//! `map` and the data directives, device memory and device pointers.
use crate::table::Checks;
use omp::DeviceSlice;
use omp_tests::panic_of;

/// Arrays of this length are transferred alone, without the padding of small ones.
const N: usize = 5000;

fn copied() -> (u64, u64) {
    let report = omp::last_region();
    (report.bytes_to_device, report.bytes_from_device)
}

/// `bytes` on devices: the host copies none.
fn there(t: &Checks, bytes: usize) -> u64 {
    if t.on_device() { bytes as u64 } else { 0 }
}

#[omp::target(map(present, tofrom: x))]
fn bump(x: &mut [i32]) {
    for i in 0..x.len() {
        x[i] += 1;
    }
}

#[omp::offload]
fn map_types(t: &mut Checks) {
    let (x, mut y) = ((0..N as i32).collect::<Vec<_>>(), vec![1i32; N]);
    let (mut z, mut own) = (vec![0i32; N], vec![-1i32; N]);
    #[omp::target(map(to: x), map(tofrom: y), map(from: z), map(alloc: own))]
    for i in 0..N {
        let twice = x[i].wrapping_mul(2);
        own[i] = twice;
        z[i] = y[i].wrapping_add(twice).wrapping_add(twice);
        y[i] = y[i].wrapping_add(twice);
    }
    let bytes = copied();
    let two = there(t, 2 * 4 * N);
    // The values of `z` and `own` stay here, as every element is written and none read.
    t.eq("map(to)", bytes.0, two);
    t.eq("map(from)", (z[3], bytes.1), (13, two));
    t.eq("map(tofrom)", y.clone(), (0..N as i32).map(|v| 1 + 2 * v).collect());
    t.eq("map(alloc)", own[3], if t.on_device() { -1 } else { 6 });
    #[omp::target]
    for i in 0..N {
        z[i] = x[i].wrapping_sub(y[i]);
    }
    t.eq("no map clause", (z[5], copied()), (-6, (there(t, 2 * 4 * N), there(t, 4 * N))));
}

#[omp::offload]
fn map_sections(t: &mut Checks) {
    let (x, mut y) = ((0..N as i32).collect::<Vec<_>>(), vec![0i32; N]);
    #[omp::target(map(to: x[8..24]), map(tofrom: y[10:10]))]
    for i in 10..20 {
        y[i] = x[i] + x[i + 4];
    }
    // Small arrays are padded.
    let small = |bytes: u64| bytes < 1000 && (bytes > 0) == t.on_device();
    let (there, back) = (small(copied().0), small(copied().1));
    t.eq("array section lo..hi", (there, y[10]), (true, 24));
    t.eq("array section lo:len", (back, y[19]), (true, 42));
    #[omp::target(map(tofrom: y[..10], y[20..30]))]
    for i in 0..10 {
        y[i] = 1;
        y[i + 20] = 2;
    }
    t.eq(
        "two sections of an array",
        y,
        (0..N as i32)
            .map(|i| match i {
                0..10 => 1,
                10..20 => 2 * i + 4,
                20..30 => 2,
                _ => 0,
            })
            .collect(),
    );
    let mut g = [[0u8; 6]; 5];
    let mut pair = Pair { left: vec![1; 9], right: vec![2; 9] };
    #[omp::target(map(tofrom: g))]
    for i in 0..5 {
        for j in 0..6 {
            g[i][j] = (10 * i + j) as u8;
        }
    }
    t.eq("nested array", (g[4][5], g[0][1]), (45, 1));
    let (left, right) = (&mut pair.left, &pair.right);
    #[omp::target(map(tofrom: left), map(to: right))]
    for i in 0..9 {
        left[i] += right[8 - i];
    }
    t.eq("fields of a struct", pair.left, vec![3; 9]);
}

struct Pair {
    left: Vec<i32>,
    right: Vec<i32>,
}

#[omp::offload]
fn map_modifiers(t: &mut Checks) {
    let mut x = vec![1i32; N];
    #[omp::target_data(map(tofrom: x))]
    {
        bump(&mut x);
        t.eq("map(present, tofrom)", copied(), (0, 0));
        x.fill(40);
        #[omp::target(map(always, to: x))]
        for i in 0..N {
            x[i] += i as i32;
        }
        t.eq("map(always, to)", copied().0, there(t, 4 * N));
        #[omp::target(map(always, from: x))]
        for i in 0..N {
            x[i] = x[i] * 2;
        }
    }
    t.eq("map(always, from)", x, (0..N as i32).map(|i| 80 + 2 * i).collect());
    let mut y = vec![1i32; N];
    let text = panic_of(|| bump(&mut y)).unwrap_or_default();
    #[omp::target]
    for i in 0..N {
        y[i] = 5;
    }
    t.eq("map(present) of absent data", (text.contains("present"), y[2]), (t.on_device(), 5));
}

#[omp::offload]
fn target_data(t: &mut Checks) {
    let (mut a, b, mut c, mut own) = (vec![1i32; N], vec![2i32; N], vec![0i32; N], vec![-1i32; N]);
    #[omp::target_data(map(tofrom: a), map(to: b), map(from: c), map(alloc: own))]
    {
        #[omp::target]
        for i in 0..N {
            own[i] = a[i] + b[i];
            a[i] = 9;
        }
        t.eq("map(to)", copied().0, 0);
        #[omp::target]
        for i in 0..N {
            c[i] = own[i] + i as i32;
        }
        t.eq("map(alloc)", (copied(), own[0]), ((0, 0), if t.on_device() { -1 } else { 3 }));
        t.eq("map(tofrom)", a[0], if t.on_device() { 1 } else { 9 });
    }
    t.eq("map(tofrom)", a, vec![9; N]);
    t.eq("map(from)", c, (0..N as i32).map(|i| 3 + i).collect());
    let mut x = vec![1i32; N];
    let here = omp::get_default_device();
    for (n, mapped) in [true, false].into_iter().enumerate() {
        #[omp::target_data(map(tofrom: x), if(mapped), device(here))]
        {
            let there = omp::target_is_present(&x);
            #[omp::target(device(here))]
            for i in 0..N {
                x[i] += 1;
            }
            t.eq("if", there, mapped || !t.on_device());
            t.eq("device", x[0] == n as i32 + 2, !mapped || !t.on_device());
        }
    }
    t.eq("if", x, vec![3; N]);
}

#[omp::offload]
fn nested(t: &mut Checks) {
    let mut x = vec![1i32; N];
    #[omp::target_data(map(tofrom: x))]
    {
        bump(&mut x);
        #[omp::target_data(map(tofrom: x[8..16]))]
        {
            bump(&mut x[8..16]);
        }
        // The inner region's end copies nothing back: there is a reference left.
        t.eq("nested regions count references", x[8], if t.on_device() { 1 } else { 3 });
        let mut sweeps = 0;
        #[omp::target_data(map(tofrom: x))]
        while sweeps < 3 {
            bump(&mut x);
            sweeps += 1;
        }
    }
    t.eq("nested regions count references", (x[7], x[8]), (5, 6));
    t.eq("on a while loop", x[N - 1], 5);
}

#[omp::offload]
fn enter_and_exit(t: &mut Checks) {
    let (mut x, mut y) = (vec![1i32; N], vec![0i32; N]);
    omp::target_enter_data!(map(to: x), map(alloc: y));
    omp::target_enter_data!(map(to: x));
    bump(&mut x);
    t.eq("map(to) (enter)", copied(), (0, 0));
    #[omp::target]
    for i in 0..N {
        y[i] = x[i] * 5;
    }
    t.eq("map(alloc) (enter)", (copied(), y[0]), ((0, 0), if t.on_device() { 0 } else { 10 }));
    omp::target_exit_data!(map(release: x));
    bump(&mut x);
    t.eq("map(release)", (copied(), omp::target_is_present(&x)), ((0, 0), true));
    omp::target_exit_data!(map(from: x), map(from: y));
    t.eq("map(from) (exit)", (x[0], y[0], omp::target_is_present(&x)), (3, 10, !t.on_device()));
    omp::target_enter_data!(map(to: x));
    omp::target_enter_data!(map(to: x));
    bump(&mut x);
    omp::target_exit_data!(map(delete: x));
    t.eq(
        "map(delete)",
        (x[0], omp::target_is_present(&x)),
        if t.on_device() { (3, false) } else { (4, true) },
    );
}

#[omp::offload]
fn enter_and_exit_clauses(t: &mut Checks) {
    let (mut x, mut y) = (vec![1i32; N], vec![2i32; N]);
    let here = omp::get_default_device();
    omp::target_enter_data!(map(to: x), if(N < 10), device(here));
    let absent = !omp::target_is_present(&x);
    omp::target_enter_data!(map(to: x), if(N > 10), device(here));
    bump(&mut x);
    t.eq("if (enter)", (absent, copied().0), (t.on_device(), 0));
    t.eq("device (enter)", omp::target_is_present(&x), true);
    omp::target_exit_data!(map(from: x), if(N < 10), device(here));
    t.eq("if (exit)", omp::target_is_present(&x), true);
    omp::target_exit_data!(map(from: x), device(here));
    t.eq("device (exit)", (x[0], omp::target_is_present(&x)), (2, !t.on_device()));
    omp::target_enter_data!(map(to: y), nowait, depend(out: y));
    #[omp::target(map(tofrom: y), nowait, depend(inout: y))]
    for i in 0..N {
        y[i] += i as i32;
    }
    omp::target_exit_data!(map(from: y), nowait, depend(inout: y));
    omp::taskwait!();
    t.eq("nowait (enter)", y[0], 2);
    t.eq("nowait (exit)", y[4], 6);
    t.eq("depend (enter)", omp::target_is_present(&y), !t.on_device());
    t.eq("depend (exit)", y, (2..N as i32 + 2).collect());
}

#[omp::offload]
fn updates(t: &mut Checks) {
    let (mut x, mut y) = (vec![1i32; N], vec![5i32; N]);
    let here = omp::get_default_device();
    #[omp::target_data(map(to: x, y))]
    {
        bump(&mut x);
        omp::target_update!(from(x[10..20]));
        t.eq(
            "from(section)",
            (x[9], x[10], x[19], x[20]),
            if t.on_device() { (1, 2, 2, 1) } else { (2, 2, 2, 2) },
        );
        y.fill(100);
        omp::target_update!(to(y[0:40]), device(here), if(N > 10));
        y.fill(0);
        omp::target_update!(to(y), if(N < 10));
        bump(&mut y);
        omp::target_update!(from(y));
        t.eq("to(section)", (y[0], y[39]), if t.on_device() { (101, 101) } else { (1, 1) });
        t.eq("if", y[40], if t.on_device() { 6 } else { 1 });
        t.eq("device", y[39], if t.on_device() { 101 } else { 1 });
        x.fill(50);
        omp::target_update!(to(x), nowait, depend(out: x));
        #[omp::target(nowait, depend(inout: x))]
        for i in 0..N {
            x[i] += i as i32;
        }
        omp::target_update!(from(x), nowait, depend(in: x));
        omp::taskwait!();
        t.eq("nowait", x[0], 50);
        t.eq("depend", x.to_vec(), (50..50 + N as i32).collect());
    }
}

#[omp::offload]
fn pointers(t: &mut Checks) {
    let (mut d, e) = (DeviceSlice::from_host(&vec![1i32; N]), DeviceSlice::from_host(&vec![7i32; N]));
    #[omp::target(is_device_ptr(d, e))]
    for i in 0..N {
        d[i] += e[i] * i as i32;
    }
    t.eq("is_device_ptr", (d.to_host(), copied()), ((0..N as i32).map(|i| 1 + 7 * i).collect(), (0, 0)));
    #[omp::target(has_device_addr(d))]
    for i in 0..N / 2 {
        d[i] = -1;
    }
    t.eq("has_device_addr", (d.to_host()[N / 2 - 1], d.to_host()[N / 2]), (-1, 1 + 7 * (N as i32 / 2)));
    let mut x = vec![3i32; N];
    #[omp::target_data(map(tofrom: x), use_device_ptr(x))]
    {
        #[omp::target(is_device_ptr(x))]
        for i in 0..x.len() {
            x[i] *= 2;
        }
        t.eq("use_device_ptr", copied(), (0, 0));
    }
    t.eq("use_device_ptr", x.clone(), vec![6; N]);
    #[omp::target_data(map(tofrom: x), use_device_addr(x))]
    {
        #[omp::target(has_device_addr(x))]
        for i in 0..x.len() {
            x[i] += i as i32;
        }
        t.eq("use_device_addr", copied(), (0, 0));
    }
    t.eq("use_device_addr", x[5], 11);
}

#[omp::offload]
fn defaults(t: &mut Checks) {
    let (x, mut y, by) = (vec![2i32; N], vec![1i32; N], 3i32);
    #[omp::target(defaultmap(none), map(to: x), map(tofrom: y), firstprivate(by))]
    for i in 0..N {
        y[i] += x[i] * by;
    }
    t.eq("defaultmap(none)", y[0], 7);
    #[omp::target_data(map(to: x), map(tofrom: y))]
    {
        #[omp::target(defaultmap(present: aggregate))]
        for i in 0..N {
            y[i] += x[i];
        }
        t.eq("defaultmap(present)", copied(), (0, 0));
    }
    let mut z = vec![0i32; N];
    #[omp::target(defaultmap(default))]
    for i in 0..N {
        z[i] = y[i].wrapping_sub(by);
    }
    t.eq("defaultmap(default)", (copied(), z[0]), ((there(t, 4 * N), there(t, 4 * N)), 6));
    #[omp::target(defaultmap(firstprivate: scalar))]
    for i in 0..N {
        z[i] += by;
    }
    t.eq("defaultmap(firstprivate: scalar)", z, vec![9; N]);
    #[omp::target(defaultmap(tofrom: aggregate))]
    for i in 0..N {
        y[i] -= i as i32;
    }
    t.eq("defaultmap(tofrom: aggregate)", y, (0..N as i32).map(|i| 9 - i).collect());
}

/// What no clause names has to be there under `defaultmap(present)`.
fn default_absent(t: &mut Checks) {
    #[omp::target(defaultmap(present))]
    fn run(x: &mut [i32]) {
        for i in 0..x.len() {
            x[i] += 1;
        }
    }
    let mut x = vec![1i32; N];
    let text = panic_of(|| run(&mut x)).unwrap_or_default();
    omp::acc::copyin(&x);
    run(&mut x);
    omp::acc::delete(&x);
    t.eq("defaultmap(present) of absent data", text.contains("present"), t.on_device());
}

/// The routines of section 18.8 by what stands for them: memory of a device without a host copy.
#[omp::offload]
fn memory(t: &mut Checks) {
    let mut d = DeviceSlice::<u16>::alloc(N);
    d.copy_from(&vec![4; N]);
    #[omp::target(is_device_ptr(d))]
    for i in 0..N {
        d[i] += i as u16;
    }
    t.eq("omp_target_alloc", d.len(), N);
    t.eq("omp_target_memcpy, to the host", d.to_host(), (4..4 + N as u16).collect());
    d.slice_mut(8..16).copy_from(&[9; 8]);
    t.eq("omp_target_memcpy, to the device", (d.to_host()[7], d.to_host()[8], d.to_host()[16]), (11, 9, 20));
    t.eq("omp_target_memcpy, a part", d.slice(7..9).to_host(), vec![11, 9]);
    let x = vec![0u8; N];
    let before = omp::target_is_present(&x);
    omp::target_enter_data!(map(to: x));
    let within = omp::target_is_present(&x);
    omp::target_exit_data!(map(release: x));
    t.eq("omp_target_is_present", (before, within), (!t.on_device(), true));
}

programs! {
    defaults {
        OpenMp "5.8.7" "target": "defaultmap(none)", "defaultmap(present)", "defaultmap(default)", "defaultmap(firstprivate: scalar)",
            "defaultmap(tofrom: aggregate)";
    }
    default_absent { OpenMp "5.8.7" "target": "defaultmap(present) of absent data"; }
    map_types {
        OpenMp "5.8.3" "target": "map(to)", "map(from)", "map(tofrom)", "map(alloc)";
        OpenMp "5.8.1" "target": "no map clause";
    }
    map_sections {
        OpenMp "3.2.5" "target, map": "array section lo..hi", "array section lo:len", "two sections of an array", "nested array";
        OpenMp "5.8.3" "target, map": "fields of a struct";
    }
    map_modifiers {
        OpenMp "5.8.3" "target": "map(present, tofrom)", "map(always, to)", "map(always, from)", "map(present) of absent data";
    }
    target_data {
        OpenMp "13.5" "target data": "map(to)", "map(from)", "map(tofrom)", "map(alloc)", "if", "device";
    }
    nested { OpenMp "13.5" "target data": "nested regions count references", "on a while loop"; }
    enter_and_exit {
        OpenMp "13.6" "target enter data": "map(to) (enter)", "map(alloc) (enter)";
        OpenMp "13.7" "target exit data": "map(from) (exit)", "map(release)", "map(delete)";
    }
    enter_and_exit_clauses {
        OpenMp "13.6" "target enter data": "if (enter)", "device (enter)", "nowait (enter)", "depend (enter)";
        OpenMp "13.7" "target exit data": "if (exit)", "device (exit)", "nowait (exit)", "depend (exit)";
    }
    updates {
        OpenMp "13.9" "target update": "to(section)", "from(section)", "if", "device", "nowait", "depend";
    }
    pointers {
        OpenMp "5.4.7" "target": "is_device_ptr";
        OpenMp "5.4.9" "target": "has_device_addr";
        OpenMp "5.4.8" "target data": "use_device_ptr";
        OpenMp "5.4.10" "target data": "use_device_addr";
    }
    memory {
        OpenMp "18.8" "device memory": "omp_target_alloc", "omp_target_memcpy, to the host", "omp_target_memcpy, to the device",
            "omp_target_memcpy, a part", "omp_target_is_present";
    }
}
