//! `data`, `host_data`, `enter data`, `exit data`, `update` and `declare`.
use crate::table::Checks;
use omp::{DeviceSlice, acc};
use omp_tests::panic_of;

const N: usize = 80;

/// What the last region copied to the device.
fn uploaded() -> u64 {
    omp::last_region().bytes_to_device
}

#[acc::parallel_loop(present(x))]
fn bump(x: &mut [i32]) {
    for i in 0..x.len() {
        x[i] += 1;
    }
}

#[omp::offload]
fn data_clauses(t: &mut Checks) {
    let (mut a, b) = ((0..N as i32).collect::<Vec<_>>(), vec![3i32; N]);
    let (mut c, mut own) = (vec![0i32; N], vec![-1i32; N]);
    #[acc::data(copy(a), copyin(readonly: b), copyout(c), create(own), default(none))]
    {
        #[acc::parallel_loop(present(a, b, own))]
        for i in 0..N {
            own[i] = a[i] * b[i];
        }
        t.eq("copyin", (uploaded(), b[0]), (0, 3));
        #[acc::parallel_loop(default(present))]
        for i in 0..N {
            c[i] = own[N - 1 - i];
            a[i] += 1;
        }
        t.eq("default(none)", uploaded(), 0);
        t.eq("copy", a[1], if t.on_device() { 1 } else { 2 });
        t.eq("copyout", c[0], if t.on_device() { 0 } else { 3 * (N as i32 - 1) });
    }
    t.eq("copy", a, (1..=N as i32).collect());
    t.eq("copyout", c, (0..N as i32).rev().map(|i| 3 * i).collect());
    t.eq("create", own[2], if t.on_device() { -1 } else { 6 });
}

#[omp::offload]
fn data_presence(t: &mut Checks) {
    let (mut x, mut y, mut d) = (vec![1i32; N], vec![5i32; N], DeviceSlice::from_host(&vec![4i32; N]));
    #[acc::data(copy(x))]
    {
        #[acc::data(present(x), no_create(y), deviceptr(d), default(present))]
        {
            bump(&mut x);
            t.eq("present", uploaded(), 0);
            t.eq("no_create", acc::is_present(&y), !t.on_device());
            #[acc::parallel_loop(deviceptr(d), copy(y))]
            for i in 0..N {
                d[i] *= 2;
                y[i] += d[i];
            }
            #[acc::parallel_loop(default(present))]
            for i in 0..N {
                x[i] *= 10;
            }
            t.eq("default(present)", uploaded(), 0);
        }
    }
    t.eq("present", x, vec![20; N]);
    t.eq("deviceptr", (y, d.to_host()), (vec![13; N], vec![8; N]));
}

#[omp::offload]
fn data_if(t: &mut Checks) {
    let mut x = vec![1i32; N];
    for mapped in [true, false] {
        #[acc::data(copy(x), if(mapped))]
        {
            let there = acc::is_present(&x);
            #[acc::parallel_loop(copy(x))]
            for i in 0..N {
                x[i] += 1;
            }
            t.eq("if", there, mapped || !t.on_device());
            t.eq(
                "if",
                x[0],
                match mapped {
                    true if t.on_device() => 1,
                    true => 2,
                    false => 3,
                },
            );
        }
    }
    t.eq("if", x, vec![3; N]);
}

#[omp::offload]
fn data_async(t: &mut Checks) {
    let (mut x, mut y) = (vec![1i32; N], vec![0i32; N]);
    #[acc::parallel_loop(async(4), copy(x))]
    for i in 0..N {
        x[i] += i as i32;
    }
    #[acc::data(copyin(x), copy(y), wait(4), async(5))]
    {
        #[acc::parallel_loop(present(x, y), async(5))]
        for i in 0..N {
            y[i] = x[i] * 2;
        }
    }
    acc::wait!(5);
    t.eq("async", y[N - 1], 2 * N as i32);
    t.eq("wait", y.to_vec(), (0..N as i32).map(|i| 2 * (1 + i)).collect());
}

#[omp::offload]
fn host_data(t: &mut Checks) {
    let mut x = vec![1i32; N];
    for lent in [true, false] {
        #[acc::data(copy(x))]
        {
            #[acc::host_data(use_device(x), if(lent))]
            {
                #[acc::parallel_loop(deviceptr(x))]
                for i in 0..x.len() {
                    x[i] += i as i32;
                }
                t.eq("use_device", uploaded(), 0);
                t.eq("if", uploaded(), 0);
            }
        }
    }
    t.eq("use_device", x[4], 9);
    t.eq("if", x, (0..N as i32).map(|i| 1 + 2 * i).collect());
}

#[omp::offload]
fn enter_and_exit(t: &mut Checks) {
    let (mut x, mut y) = (vec![1i32; N], vec![0i32; N]);
    acc::enter_data!(copyin(x), create(y));
    acc::enter_data!(copyin(x));
    bump(&mut x);
    t.eq("copyin", (uploaded(), x[0]), (0, if t.on_device() { 1 } else { 2 }));
    #[acc::parallel_loop(present(x, y))]
    for i in 0..N {
        y[i] = 10 * x[i];
    }
    t.eq("create", (uploaded(), y[0]), (0, if t.on_device() { 0 } else { 20 }));
    acc::exit_data!(delete(x));
    bump(&mut x);
    t.eq("delete", (uploaded(), acc::is_present(&x)), (0, true));
    acc::exit_data!(copyout(x), copyout(y));
    t.eq("copyout", (x[1], y[1], acc::is_present(&x)), (3, 20, !t.on_device()));
    acc::enter_data!(copyin(x));
    acc::enter_data!(copyin(x));
    bump(&mut x);
    acc::exit_data!(copyout(x), finalize);
    t.eq("finalize", (x, acc::is_present(&y)), (vec![4; N], !t.on_device()));
}

#[omp::offload]
fn enter_and_exit_if(t: &mut Checks) {
    let mut x = vec![1i32; N];
    acc::enter_data!(copyin(x), if(N > 100));
    let absent = !acc::is_present(&x);
    acc::enter_data!(copyin(x), if(N < 100));
    bump(&mut x);
    t.eq("if (enter)", (absent, uploaded()), (t.on_device(), 0));
    acc::exit_data!(copyout(x), if(N > 100));
    t.eq("if (exit)", acc::is_present(&x), true);
    acc::exit_data!(copyout(x), if(N < 100));
    t.eq("if (exit)", x, vec![2; N]);
}

#[omp::offload]
fn enter_and_exit_async(t: &mut Checks) {
    let (x, mut y) = (vec![2i32; N], vec![0i32; N]);
    acc::enter_data!(copyin(x), async(1));
    acc::enter_data!(create(y), wait(1), async(2));
    #[acc::parallel_loop(present(x, y), async(2))]
    for i in 0..N {
        y[i] = x[i] + i as i32;
    }
    acc::exit_data!(delete(x), wait(2), async(1));
    acc::exit_data!(copyout(y), wait(1), async(3));
    acc::wait!(3);
    t.eq("async (enter)", y[0], 2);
    t.eq("wait (enter)", y[N - 1], N as i32 + 1);
    t.eq("async (exit)", acc::is_present(&x), !t.on_device());
    t.eq("wait (exit)", y.to_vec(), (2..N as i32 + 2).collect());
}

#[omp::offload]
fn updates(t: &mut Checks) {
    let (mut x, mut y, mut z) = (vec![1i32; N], vec![5i32; N], vec![7i32; N]);
    #[acc::data(copyin(x, y))]
    {
        bump(&mut x);
        bump(&mut y);
        acc::update!(self(x[10..20]));
        t.eq("self", (x[9], x[10], x[19], x[20]), if t.on_device() { (1, 2, 2, 1) } else { (2, 2, 2, 2) });
        acc::update!(host(y[0:5]));
        t.eq("host", (y[4], y[5]), if t.on_device() { (6, 5) } else { (6, 6) });
        y.fill(100);
        acc::update!(device(y[..40]), if(N == 80));
        y.fill(0);
        acc::update!(device(y), if(N == 81));
        bump(&mut y);
        acc::update!(self(y));
        t.eq("device", (y[0], y[39]), if t.on_device() { (101, 101) } else { (1, 1) });
        t.eq("if", y[40], if t.on_device() { 7 } else { 1 });
        acc::update!(self(z), if_present);
        acc::update!(device(z), if_present);
        t.eq("if_present", z, vec![7; N]);
    }
}

#[omp::offload]
fn update_tasks(t: &mut Checks) {
    let mut x = vec![1i32; N];
    #[acc::data(copyin(x))]
    {
        x.fill(50);
        acc::update!(device(x), async(1));
        #[acc::parallel_loop(present(x), async(2), wait(1))]
        for i in 0..N {
            x[i] += i as i32;
        }
        acc::update!(self(x), wait(2), async(3));
        acc::wait!(3);
        t.eq("async", x[0], 50);
        t.eq("wait", x.to_vec(), (50..50 + N as i32).collect());
    }
}

#[acc::declare(copy(a), copyin(b), copyout(c), create(own))]
fn declared(a: &mut [i32], b: &[i32], c: &mut [i32], own: &mut [i32]) -> u64 {
    #[acc::parallel_loop(present(a, b, own))]
    for i in 0..N {
        own[i] = a[i] + b[i];
        a[i] = 0;
    }
    let first = uploaded();
    #[acc::parallel_loop(present(c, own))]
    for i in 0..N {
        c[i] = own[i] * 2;
    }
    first + uploaded()
}

#[acc::declare(present(x), device_resident(own), deviceptr(d))]
fn resident(x: &mut [i32], own: &mut [i32], d: &mut DeviceSlice<i32>) -> u64 {
    #[acc::parallel_loop(present(x, own), deviceptr(d))]
    for i in 0..N {
        own[i] = x[i] * 2;
        d[i] += 1;
    }
    let first = uploaded();
    #[acc::parallel_loop(present(x, own))]
    for i in 0..N {
        x[i] = own[i];
    }
    first + uploaded()
}

#[acc::declare(link(TABLE))]
static TABLE: [i32; 4] = [2, 3, 5, 7];

#[acc::declare(copyin(SQUARES))]
const SQUARES: [i32; 4] = [0, 1, 4, 9];

#[omp::offload]
fn declares(t: &mut Checks) {
    let (mut a, b, mut c, mut own) = (vec![1i32; N], vec![2i32; N], vec![0i32; N], vec![-1i32; N]);
    let bytes = declared(&mut a, &b, &mut c, &mut own);
    t.eq("copy", a, vec![0; N]);
    t.eq("copyin", (bytes, b), (0, vec![2; N]));
    t.eq("copyout", c, vec![6; N]);
    t.eq("create", own[0], if t.on_device() { -1 } else { 3 });
    let (mut x, mut d) = (vec![4i32; N], DeviceSlice::from_host(&vec![1i32; N]));
    #[acc::data(copy(x))]
    {
        t.eq("present", resident(&mut x, &mut own, &mut d), 0);
    }
    t.eq("present", x[3], 8);
    t.eq("device_resident", own[3], if t.on_device() { -1 } else { 8 });
    t.eq("deviceptr", d.to_host(), vec![2; N]);
    #[acc::parallel_loop(copyout(x))]
    for i in 0..N {
        x[i] = TABLE[i % 4] + 10 * SQUARES[i / 4 % 4];
    }
    t.eq("link", x, (0..N).map(|i| [2, 3, 5, 7][i % 4] + 10 * [0, 1, 4, 9][i / 4 % 4]).collect());
}

/// `present` of what is not there is an error on devices; the host has all data.
fn absent(t: &mut Checks) {
    let mut x = vec![1i32; N];
    #[acc::parallel_loop(copy(x))]
    fn run(x: &mut [i32]) {
        for i in 0..x.len() {
            x[i] *= 2;
        }
    }
    run(&mut x);
    let text = panic_of(|| bump(&mut x)).unwrap_or_default();
    t.eq(
        "present of absent data",
        (text.contains("present"), x[0]),
        (t.on_device(), if t.on_device() { 2 } else { 3 }),
    );
}

programs! {
    data_clauses {
        OpenAcc "2.7.6" "data": "copy";
        OpenAcc "2.7.7" "data": "copyin";
        OpenAcc "2.7.8" "data": "copyout";
        OpenAcc "2.7.9" "data": "create";
        OpenAcc "2.6.5" "data": "default(none)";
    }
    data_presence {
        OpenAcc "2.7.5" "data": "present";
        OpenAcc "2.7.10" "data": "no_create";
        OpenAcc "2.7.4" "data": "deviceptr";
        OpenAcc "2.6.5" "data": "default(present)";
    }
    data_if {
        OpenAcc "2.6.5" "data": "if";
    }
    data_async {
        OpenAcc "2.6.5" "data": "async", "wait";
    }
    host_data {
        OpenAcc "2.8.1" "host_data": "use_device";
        OpenAcc "2.8.2" "host_data": "if";
    }
    enter_and_exit {
        OpenAcc "2.7.7" "enter data": "copyin";
        OpenAcc "2.7.9" "enter data": "create";
        OpenAcc "2.7.8" "exit data": "copyout";
        OpenAcc "2.7.11" "exit data": "delete";
        OpenAcc "2.6.6" "exit data": "finalize";
    }
    enter_and_exit_if {
        OpenAcc "2.6.6" "enter data": "if (enter)";
        OpenAcc "2.6.6" "exit data": "if (exit)";
    }
    enter_and_exit_async {
        OpenAcc "2.6.6" "enter data": "async (enter)", "wait (enter)";
        OpenAcc "2.6.6" "exit data": "async (exit)", "wait (exit)";
    }
    updates {
        OpenAcc "2.14.4" "update": "self", "host", "device", "if", "if_present";
    }
    update_tasks { OpenAcc "2.14.4" "update": "async", "wait"; }
    declares {
        OpenAcc "2.13" "declare": "copy", "copyin", "copyout", "present", "deviceptr";
        OpenAcc "2.13.1" "declare": "device_resident";
        OpenAcc "2.13.2" "declare": "create";
        OpenAcc "2.13.3" "declare": "link";
    }
    absent {
        OpenAcc "2.7.3" "parallel loop": "present of absent data";
    }
}
