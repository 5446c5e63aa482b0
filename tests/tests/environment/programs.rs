//! What children run.
#![allow(clippy::assign_op_pattern, reason = "every spelling that users may choose")]

#[derive(Clone, Copy, omp::Device)]
struct Cell {
    at: (f32, u8),
    flags: [bool; 2],
}

#[omp::offload]
fn scale(x: &[f64], y: &mut [f64]) -> f64 {
    let mut sum = 1.0;
    #[omp::target(map(to: x), map(tofrom: y), reduction(+: sum))]
    for i in 0..y.len() {
        y[i] = x[i] * 2.0 + y[i];
        sum += y[i];
    }
    sum
}

/// Wrong on purpose from element 7 on: the device can tell where it is.
#[omp::offload]
fn tells_host_and_device_apart(cells: &mut [Cell]) {
    #[omp::target]
    for i in 0..cells.len() {
        let host = omp::is_initial_device();
        cells[i].at.0 = 1.5;
        cells[i].flags[1] = i < 7 || host;
    }
}

#[omp::offload]
fn counts_apart(n: usize) -> u64 {
    let mut hits = 100;
    #[omp::target(reduction(+: hits))]
    for _ in 0..n {
        hits += if omp::is_initial_device() { 1 } else { 2 };
    }
    hits
}

/// Launches that differ in more than the numbers of subscripts.
#[omp::offload]
fn inspected(limit: u32, s: usize, y: &mut [u32]) {
    let n = y.len();
    #[omp::target(thread_limit(limit))]
    for i in 0..n {
        y[i * s % n] = i as u32;
    }
}

#[omp::offload]
fn in_a_data_region(y: &mut [u32]) {
    #[omp::target_data(map(tofrom: y))]
    {
        #[omp::target]
        for i in 0..y.len() {
            y[i] += 1;
        }
    }
}

#[omp::offload]
fn apart_in_a_data_region(cells: &mut [Cell]) {
    #[omp::target_data(map(tofrom: cells))]
    {
        tells_host_and_device_apart_here(cells);
    }
}

/// What the host's copy has does not matter.
#[omp::offload]
fn tells_host_and_device_apart_here(cells: &mut [Cell]) {
    let n = cells.len();
    cells.fill(Cell { at: (7.0, 7), flags: [false; 2] });
    #[omp::target]
    for i in 0..n {
        let host = omp::is_initial_device();
        cells[i].at.0 += 1.5;
        cells[i].flags[1] = i < 7 || host;
    }
}

#[omp::offload]
fn counts_in_a_block(n: usize, y: &mut [u64]) -> u64 {
    let mut hits = 0;
    #[omp::target(map(tofrom: y))]
    {
        #[omp::parallel_for]
        for i in 0..y.len() {
            y[i] += i as u64;
        }
        #[omp::parallel_for(reduction(+: hits))]
        for i in 0..n {
            hits += if omp::is_initial_device() { 1 } else { 2 } + 0 * y[i];
        }
    }
    hits
}

#[omp::offload]
fn block(x: &[f32], y: &mut [f32]) -> f32 {
    let (n, mut sum, mut most) = (x.len(), 0.5, f32::MIN);
    #[omp::target(map(to: x), map(tofrom: y))]
    {
        #[omp::parallel_for]
        for i in 0..n {
            y[i] = 2.0 * x[i];
        }
        y[0] = 1.0;
        #[omp::parallel_for(reduction(+: sum), reduction(max: most))]
        for i in 0..n {
            sum += y[i] * 0.001;
            most = most.max(y[i]);
        }
        #[omp::scan(+)]
        for i in 1..n {
            y[i] = y[i - 1] + x[i - 1];
        }
    }
    sum + most + y[n - 1]
}

#[omp::offload]
fn fails_in_a_data_region(y: &mut [u32]) {
    #[omp::target_data(map(tofrom: y))]
    {
        #[omp::target]
        for i in 0..y.len() {
            assert!(omp::is_initial_device(), "not here");
            y[i] = 1;
        }
    }
}

#[omp::offload]
fn fails_everywhere_in_a_data_region(x: &[u32], y: &mut [u32]) {
    #[omp::target_data(map(to: x), map(tofrom: y))]
    {
        fails_everywhere(x, y);
    }
}

#[omp::offload(try)]
fn fails_on_devices(y: &mut [u32]) -> Result<(), omp::Error> {
    #[omp::target]
    for i in 0..y.len() {
        assert!(omp::is_initial_device(), "not here");
        y[i] = 1;
    }
    Ok(())
}

#[omp::offload]
fn fails_everywhere(x: &[u32], y: &mut [u32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = x[x[i] as usize];
    }
}

/// The first loop on the host sees the host's copy, the second what the device has.
#[omp::offload]
fn looks_from_the_host(y: &mut [u32]) -> (u32, u32) {
    let (mut before, mut after) = (0, 0);
    #[omp::target_data(map(tofrom: y))]
    {
        #[omp::parallel_for(reduction(+: before))]
        for i in 0..y.len() {
            before += y[i];
        }
        #[omp::target]
        for i in 0..y.len() {
            y[i] += 1;
        }
        #[omp::target(if(false), reduction(+: before))]
        for i in 0..y.len() {
            before += y[i]; // on the host
        }
        omp::target_update!(from(y));
        for i in 0..y.len() {
            after += y[i];
        }
    }
    (before, after)
}

#[omp::offload]
fn updates_what_is_absent(x: &[u32]) {
    omp::target_update!(to(x));
}

#[omp::offload]
fn names_what_is_absent(x: &[u32]) -> usize {
    let mut n = 0;
    #[omp::target_data(use_device_ptr(x))]
    {
        n += x.len();
    }
    n
}

/// Each draws a number, which are others where they run in another order (here, certainly).
#[omp::offload]
fn draws_numbers(next: &mut [u32], mine: &mut [u32]) {
    #[omp::target(map(tofrom: next))]
    for i in 0..mine.len() {
        let drawn;
        #[omp::atomic(capture)]
        {
            drawn = next[0];
            next[0] += if omp::is_initial_device() { 1 } else { 2 };
        }
        mine[i] = drawn;
    }
}

/// As `tells_host_and_device_apart`, where host and device have a `NaN` each.
#[allow(clippy::eq_op, reason = "no numbers are wanted")]
#[omp::offload]
fn not_numbers(y: &mut [f64]) {
    #[omp::target]
    for i in 0..y.len() {
        let zero = y[i] - y[i];
        y[i] = if i == 3 { zero / zero } else { 1.0 / zero };
    }
}

#[omp::offload]
fn apart_in_a_task(cells: &mut [Cell]) {
    #[omp::target(nowait)]
    for i in 0..cells.len() {
        cells[i].flags[1] = i < 7 || omp::is_initial_device();
    }
    omp::taskwait!();
}

#[omp::offload]
fn apart_in_device_memory(y: &mut omp::DeviceSlice<u32>) {
    #[omp::target(nowait, is_device_ptr(y))]
    for i in 0..y.len() {
        y[i] = if omp::is_initial_device() { 1 } else { 2 };
    }
    omp::taskwait!();
}

/// All iterations write one element, and which of them is the last differs: what is promised does not hold.
#[omp::offload]
fn breaks_its_promise(y: &mut [u32]) {
    #[omp::target(unsafe(disjoint(y)))]
    for i in 0..y.len() {
        let host = omp::is_initial_device();
        y[if host { 0 } else { i % 3 }] = i as u32;
    }
}

/// More than what is copied at once.
#[omp::offload]
fn updates_both_ways(up: &mut [u32], down: &mut [u32]) {
    #[omp::target_data(map(to: up, down))]
    {
        up.fill(3);
        omp::target_update!(to(up), nowait);
        omp::target_update!(from(down), nowait);
        #[omp::target(nowait, name("own"))]
        for i in 0..1 {
            down[i] = up[i];
        }
        omp::taskwait!();
    }
}

/// Launches that wait: for a task that may stop half-way, and for tasks on the host.
#[omp::offload]
fn waits_at_launches(at: &[usize], x: &[u32], y: &mut [u32], z: &mut [u32]) -> u32 {
    let mut sum = 0;
    for _ in 0..3 {
        #[omp::target(nowait, name("gathers"))]
        for i in 0..y.len() {
            y[i] = x[at[i]];
        }
        #[omp::target(nowait, name("needs it"))]
        for i in 0..z.len() {
            z[i] = y[i] ^ 1;
        }
        #[omp::target(nowait, if(false), name("on the host"))]
        for i in 0..z.len() {
            z[i] += 1;
        }
        #[omp::target(nowait, reduction(+: sum), name("sums up"))]
        for i in 0..z.len() {
            sum += z[i];
        }
    }
    sum
}

/// What is sent after a task on the host, and nothing that waits for anything.
#[omp::offload]
fn sends_what_the_host_makes(y: &mut [u32], z: &mut [u32]) {
    #[omp::target_data(map(tofrom: y))]
    for _ in 0..2 {
        omp::target_update!(from(y), nowait);
        #[omp::target(nowait, if(false))]
        for i in 0..y.len() {
            y[i] += 1;
        }
        omp::target_update!(to(y), nowait);
        #[omp::target(nowait)]
        for i in 0..y.len() {
            y[i] += 1;
        }
        #[omp::target(nowait)]
        for i in 0..z.len() {
            z[i] = 1;
        }
        #[omp::target(nowait)]
        for i in 0..z.len() {
            z[i] ^= 1;
        }
    }
}

/// What children run, by name.
/// In place in the middle of present data, with a check, atomically, by rows, and a product.
#[omp::offload]
fn searched(y: &mut [u32], at: &[usize], a: &[f32], c: &mut [f32], n: usize) {
    for _ in 0..3 {
        #[omp::target_data(map(tofrom: y))]
        {
            let part = &mut y[16..80];
            #[omp::target(name("in place"))]
            for i in 0..part.len() {
                part[i] = part[i] * 3 + 1;
            }
        }
        #[omp::target(name("gathers"), disjoint(y))]
        for i in 0..at.len() {
            y[at[i]] += 1;
        }
        #[omp::target(name("counts"))]
        for i in 0..at.len() {
            #[omp::atomic]
            y[at[i] / 2] += 1;
        }
        #[omp::target(name("product"), collapse(2))]
        for i in 0..n {
            for j in 0..n {
                let mut sum = c[i * n + j];
                for k in 0..n {
                    sum += a[i * n + k] * a[k * n + j];
                }
                c[i * n + j] = sum;
            }
        }
    }
}

/// A sum, and a scan that updates what it reads.
#[omp::offload]
fn folded(x: &[u32], y: &mut [u32]) -> u32 {
    let (mut sum, mut before) = (0, 0);
    #[omp::target(reduction(+: sum), name("sum"))]
    for i in 0..x.len() {
        sum += x[i] * y[i];
    }
    #[omp::target(scan(+: before), name("scan"))]
    for i in 0..x.len() {
        before += x[i];
        y[i] = y[i] * 2 + before;
    }
    sum
}

/// Some hundred bytes a call, which are read after the call below has returned.
#[omp::declare_target]
#[allow(clippy::needless_range_loop, clippy::cast_lossless)]
fn walk(depth: u32, seed: u64) -> u64 {
    let mut held = [0u64; 40];
    for k in 0..40 {
        held[k] = seed.wrapping_mul(31).wrapping_add(k as u64 * depth as u64);
    }
    if depth == 0 {
        return held[(seed % 40) as usize];
    }
    let below = walk(depth - 1, held[(depth % 40) as usize]);
    below.wrapping_add(held[(below % 40) as usize])
}

fn walks(depth: u32) {
    #[omp::target(name("walks"))]
    fn on_device(depth: u32, y: &mut [u64]) {
        for i in 0..y.len() {
            y[i] = walk(depth, i as u64);
        }
    }
    let count = 1000;
    let mut y = vec![0; count];
    on_device(depth, &mut y);
    for i in (0..count).step_by(97) {
        assert_eq!(y[i], walk(depth, i as u64), "at {i}");
    }
    println!("walked on {}", omp::last_region().backend);
}

fn searched_well() {
    let n = 33;
    let (at, a) = ((0..96).rev().collect::<Vec<usize>>(), vec![0.5f32; n * n]);
    let (mut y, mut c) = ((0..96).collect::<Vec<u32>>(), vec![1.0f32; n * n]);
    searched(&mut y, &at, &a, &mut c, n);
    let mut want: Vec<u32> = (0..96).collect();
    for _ in 0..3 {
        want[16..80].iter_mut().for_each(|v| *v = *v * 3 + 1);
        want.iter_mut().for_each(|v| *v += 1);
        (0..96).for_each(|i: usize| want[i / 2] += 1);
    }
    assert_eq!(y, want);
    assert!(c.iter().all(|c| *c == 1.0 + 3.0 * 0.25 * n as f32), "{c:?}");
}

#[omp::offload]
fn stored(device: usize, at: &[u32], y: &mut [u64]) {
    #[omp::target(device(device), disjoint(y))]
    for i in 0..at.len() {
        y[at[i] as usize] = i as u64;
    }
}

/// The first panic is a device's. In the panic hook, the host's threads run their first region.
fn regions_in_a_hook() {
    omp::set_num_threads(4);
    let at: Vec<u32> = (0..50_000).collect();
    let inside = std::sync::atomic::AtomicBool::new(false);
    let (before, host) = (std::panic::take_hook(), omp::get_num_devices());
    let of_hook = at.clone();
    std::panic::set_hook(Box::new(move |info| {
        if !inside.swap(true, std::sync::atomic::Ordering::Relaxed) {
            let mut y = vec![0; of_hook.len()];
            stored(host, &of_hook, &mut y);
            println!("in the hook: {}", y.iter().sum::<u64>());
        }
        before(info);
    }));
    let failed = std::panic::catch_unwind(|| stored(0, &at, &mut vec![0; 40_000]));
    println!("failed: {}", failed.is_err());
}

/// A hook that is set after the first region, in place of the runtime's.
fn a_later_hook() {
    let at: Vec<u32> = (0..100).collect();
    stored(omp::get_num_devices(), &at, &mut vec![0; 100]);
    let count = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let counted = std::sync::Arc::clone(&count);
    std::panic::set_hook(Box::new(move |_| {
        counted.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    }));
    let run = || stored(omp::get_num_devices(), &at, &mut vec![0; 99]);
    let payload = std::panic::catch_unwind(run).expect_err("an index is out of bounds");
    let text = payload.downcast_ref::<String>().cloned().unwrap_or_default();
    println!(
        "hooks: {}, {}",
        count.load(std::sync::atomic::Ordering::Relaxed),
        text.contains("in the iteration i = 99")
    );
}

pub fn program(name: &str) {
    match name {
        "a later hook" => a_later_hook(),
        "walks 60" => walks(60),
        "walks 300" => walks(300),
        "searched by threads" => std::thread::scope(|threads| {
            for _ in 0..2 {
                threads.spawn(searched_well);
                threads.spawn(|| {
                    let (x, mut y) = (vec![2; 1000], vec![1; 1000]);
                    let mut want = y.clone();
                    for _ in 0..8 {
                        assert_eq!(folded(&x, &mut y), want.iter().map(|v| 2 * v).sum::<u32>());
                        want.iter_mut().zip(1..).for_each(|(v, i)| *v = *v * 2 + 2 * i);
                        assert_eq!(y, want);
                    }
                });
            }
        }),
        "searched" => searched_well(),
        "scale" => {
            let (x, mut y) = (vec![0.25; 1000], vec![1.0; 1000]);
            assert_eq!(scale(&x, &mut y), 1501.0);
            assert!(y.iter().all(|v| *v == 1.5));
            println!("ran on {}", omp::last_region().backend);
        }
        "apart" => {
            tells_host_and_device_apart(&mut [Cell { at: (0.0, 1), flags: [false; 2] }; 20]);
        }
        "apart in a data region" => {
            apart_in_a_data_region(&mut [Cell { at: (0.0, 1), flags: [false; 2] }; 20]);
        }
        "broken promise" => breaks_its_promise(&mut [7; 20]),
        "apart in a block" => println!("{}", counts_in_a_block(10, &mut [1; 10])),
        "block" => {
            let x: Vec<f32> = (0..1000).map(|i| (i % 7) as f32).collect();
            println!("{}", block(&x, &mut [0.0; 1000]));
        }
        "fails in a data region" => fails_in_a_data_region(&mut [0; 5]),
        "both fail in a data region" => fails_everywhere_in_a_data_region(&[0, 1, 9], &mut [0; 3]),
        "both ways" => updates_both_ways(&mut vec![1; 3 << 20], &mut vec![2; 3 << 20]),
        "waits" => {
            let at: Vec<usize> = (0..100).rev().collect();
            let x: Vec<u32> = (0..100).collect();
            assert_eq!(waits_at_launches(&at, &x, &mut [0; 100], &mut [0; 100]), 3 * (4950 + 100));
            sends_what_the_host_makes(&mut x.clone(), &mut [0; 100]);
        }
        "draws" => {
            let mut mine = [9; 20];
            draws_numbers(&mut [0], &mut mine);
            mine.sort_unstable();
            assert!(mine.windows(2).all(|w| w[1] - w[0] == 2), "the device's: {mine:?}");
        }
        "not numbers" => {
            let mut y = [1.0; 20];
            not_numbers(&mut y);
            assert!(y[3].is_nan() && y[4] == f64::INFINITY);
        }
        "apart in a task" => apart_in_a_task(&mut [Cell { at: (0.0, 1), flags: [false; 2] }; 20]),
        "apart in device memory" => {
            apart_in_device_memory(&mut omp::DeviceSlice::from_host(&[5; 20]));
        }
        "inspected" => {
            let mut y = vec![0; 1_000_003];
            [32, 64, 128, 32].into_iter().for_each(|limit| inspected(limit, 7, &mut y));
        }
        "counts" => println!("{}", counts_apart(10)),
        "device fails" => println!("{}", fails_on_devices(&mut [0; 5]).expect_err("it fails")),
        "both fail" => fails_everywhere(&[0, 1, 9], &mut [0; 3]),
        "data region" => {
            let mut y = [1; 9];
            in_a_data_region(&mut y);
            assert_eq!(y, [2; 9]);
        }
        "threads" => std::thread::scope(|threads| {
            for _ in 0..8 {
                threads.spawn(|| {
                    for _ in 0..50 {
                        let (x, mut y) = (vec![0.25; 10], vec![1.0; 10]);
                        assert_eq!(scale(&x, &mut y), 16.0);
                    }
                });
            }
        }),
        "slice" => {
            let slice = omp::DeviceSlice::from_host(&[1u32; 7]);
            assert_eq!(slice.to_host(), [1; 7]);
        }
        "regions in a hook" => regions_in_a_hook(),
        "aborts" => {
            std::panic::catch_unwind(|| fails_everywhere(&[0, 1, 9], &mut [0; 3])).expect_err("it fails");
            std::process::abort();
        }
        "exits" => {
            in_a_data_region(&mut [1; 9]);
            std::process::exit(0);
        }
        "host looks" => println!("{:?}", looks_from_the_host(&mut [1; 9])),
        "absent update" => updates_what_is_absent(&[1; 9]),
        "absent name" => println!("{}", names_what_is_absent(&[1; 9])),
        "nothing" => println!("devices: {}", omp::get_num_devices()),
        _ => panic!("there is no program {name}"),
    }
}
