//! `declare target`, the routines about devices and threads, and loops of the host's threads.
use crate::table::Checks;

const N: usize = 64;

#[omp::declare_target]
fn collatz(mut v: u64) -> u32 {
    let mut steps = 0;
    while v != 1 {
        if v > 1000 {
            return 1000 + steps;
        }
        v = if v & 1 == 0 { v / 2 } else { 3 * v + 1 };
        steps += 1;
    }
    steps
}

#[omp::declare_target]
fn larger<T: omp::Device + PartialOrd>(a: T, b: T) -> T {
    if a > b { a } else { b }
}

#[omp::declare_target]
fn powers<const K: usize>(v: f64) -> f64 {
    let mut p = 1.0;
    for _ in 0..K {
        p *= v;
    }
    p
}

#[omp::declare_target]
static PRIMES: [u32; 5] = [2, 3, 5, 7, 11];

#[omp::declare_target]
const OFFSETS: [i32; 3] = [-1, 0, 1];

#[derive(Debug, Clone, Copy, PartialEq, omp::Device)]
struct Point {
    x: f64,
    y: f64,
}

#[omp::declare_target]
impl Point {
    fn norm(self) -> f64 {
        self.x * self.x + self.y * self.y
    }

    fn turn(&mut self) {
        let x = self.x;
        self.x = -self.y;
        self.y = x;
    }
}

#[omp::declare_target]
trait Area {
    fn area(&self) -> f64;
    fn twice(&self) -> f64 {
        2.0 * self.area()
    }
}

#[omp::declare_target]
impl Area for Point {
    fn area(&self) -> f64 {
        self.x * self.y
    }
}

#[omp::offload]
fn declared(t: &mut Checks) {
    let (mut steps, mut high, mut fifth) = (vec![0u32; N], vec![0i16; N], vec![0.0f64; N]);
    #[omp::target]
    for i in 0..N {
        steps[i] = collatz(i as u64 + 1);
        high[i] = larger(i as i16, 20);
        fifth[i] = powers::<5>(i as f64);
    }
    t.eq("function", steps, (1..=N as u64).map(collatz).collect());
    t.eq("generic function", high, (0..N as i16).map(|v| v.max(20)).collect());
    t.eq("const-generic function", fifth, (0..N).map(|v| v.pow(5) as f64).collect());
    let mut from_tables = vec![0i32; N];
    #[omp::target]
    for i in 0..N {
        from_tables[i] = PRIMES[i % 5] as i32 * OFFSETS[i % 3];
    }
    let want: Vec<i32> = (0..N).map(|i| [2, 3, 5, 7, 11][i % 5] * [-1, 0, 1][i % 3]).collect();
    t.eq("static", from_tables[8], 7);
    t.eq("const", from_tables, want);
    let mut p: Vec<Point> = (0..N).map(|i| Point { x: i as f64, y: 2.0 }).collect();
    let (mut n, mut a) = (vec![0.0f64; N], vec![0.0f64; N]);
    #[omp::target]
    for i in 0..N {
        n[i] = p[i].norm();
        a[i] = p[i].twice();
        p[i].turn();
    }
    t.eq("impl", n, (0..N).map(|i| (i * i + 4) as f64).collect());
    t.eq("trait", a, (0..N).map(|i| (4 * i) as f64).collect());
    t.eq("method on &mut self", p[3], Point { x: -2.0, y: 3.0 });
}

#[omp::offload]
fn numbers(t: &mut Checks) {
    let (mut host, mut teams, mut threads, mut ok) =
        (vec![9u8; N], vec![0usize; N], vec![0usize; N], vec![false; N]);
    #[omp::target_teams_distribute_parallel_for(num_teams(4), thread_limit(16))]
    for i in 0..N {
        host[i] = omp::is_initial_device() as u8;
        teams[i] = omp::get_num_teams();
        threads[i] = omp::get_num_threads();
        ok[i] = omp::get_team_num() < omp::get_num_teams() && omp::get_thread_num() < omp::get_num_threads();
    }
    t.eq("omp_is_initial_device", host, vec![!t.on_device() as u8; N]);
    t.eq("omp_get_num_teams", teams.iter().all(|v| (1..=4).contains(v)), true);
    t.eq("omp_get_team_num", ok.iter().all(|v| *v), true);
    t.eq("omp_get_thread_num", ok, vec![true; N]);
    t.eq("omp_get_num_threads", threads.iter().all(|v| *v >= 1 && (*v <= 16 || !t.on_device())), true);
}

#[omp::target]
fn count(x: &mut [u32]) {
    for i in 0..x.len() {
        x[i] += 1;
    }
}

fn devices(t: &mut Checks) {
    let (mut x, here) = (vec![0; N], omp::get_default_device());
    let start = omp::get_wtime();
    omp::set_default_device(omp::get_initial_device());
    count(&mut x);
    t.eq_on_host("omp_set_default_device", omp::get_default_device(), omp::get_initial_device());
    omp::set_default_device(here);
    count(&mut x);
    t.eq("omp_get_default_device", omp::get_default_device(), here);
    t.eq("omp_get_num_devices", (omp::get_num_devices() + 1, x[0]), (omp::devices().len(), 2));
    t.eq("omp_get_initial_device", omp::get_initial_device(), omp::get_num_devices());
    let end = omp::get_wtime();
    t.eq("omp_get_wtime", end > start && end - start < 600.0, true);
}

/// `parallel for` outside of a region is the host's, whatever the default device.
#[omp::offload]
fn on_the_host(t: &mut Checks) {
    let (mut x, mut sum) = (vec![0usize; 1000], 0usize);
    #[omp::parallel_for(schedule(dynamic, 16), num_threads(3), reduction(+: sum))]
    for i in 0..1000 {
        x[i] = omp::get_thread_num();
        sum += i;
    }
    t.eq_on_host("schedule(dynamic, n) (host)", sum, 499_500);
    t.eq_on_host("num_threads (host)", x.iter().all(|v| *v < 3), true);
    #[omp::parallel_for(schedule(static, 10))]
    for i in 0..1000 {
        x[i] = i / 10;
    }
    t.eq_on_host("schedule(static, n) (host)", x[999], 99);
    #[omp::parallel_for(schedule(guided), if(x.len() > 5), collapse(2))]
    for i in 0..10 {
        for j in 0..100 {
            x[i * 100 + j] = i * j;
        }
    }
    t.eq_on_host("schedule(guided) (host)", x[999], 891);
    t.eq_on_host("collapse(2) (host)", x[101 + 1], 2);
    t.eq_on_host("if (host)", x[100], 0);
    #[omp::parallel_for_simd(simdlen(8))]
    for i in 0..1000 {
        x[i] = i * 2;
    }
    t.eq_on_host("parallel for simd (host)", x[500], 1000);
    let mut last = 0;
    #[omp::parallel_for(lastprivate(last), schedule(auto))]
    for i in 0..1000 {
        last = i * 3;
        x[i] = last;
    }
    t.eq_on_host("lastprivate (host)", last, 2997);
    t.eq_on_host("schedule(auto) (host)", x[10], 30);
    t.eq_on_host("omp_get_max_threads", omp::get_max_threads() > 0, true);
}

programs! {
    declared {
        OpenMp "7.8.1" "declare target": "function", "generic function", "const-generic function", "static", "const", "impl", "trait",
            "method on &mut self";
    }
    numbers {
        OpenMp "18.7.5" "routine in a region": "omp_is_initial_device";
        OpenMp "18.4" "routine in a region": "omp_get_num_teams", "omp_get_team_num";
        OpenMp "18.2" "routine in a region": "omp_get_thread_num", "omp_get_num_threads";
    }
    devices {
        OpenMp "18.7" "routine of the runtime": "omp_set_default_device", "omp_get_default_device", "omp_get_num_devices", "omp_get_initial_device";
        OpenMp "18.10.1" "routine of the runtime": "omp_get_wtime";
    }
    on_the_host {
        OpenMp "11.5.3" "parallel for on the host": "schedule(static, n) (host)", "schedule(dynamic, n) (host)", "schedule(guided) (host)", "schedule(auto) (host)";
        OpenMp "10.1.2" "parallel for on the host": "num_threads (host)";
        OpenMp "4.4.3" "parallel for on the host": "collapse(2) (host)";
        OpenMp "3.4" "parallel for on the host": "if (host)";
        OpenMp "10.4" "parallel for on the host": "parallel for simd (host)";
        OpenMp "5.4.5" "parallel for on the host": "lastprivate (host)";
        OpenMp "18.2" "routine of the runtime": "omp_get_max_threads";
    }
}
