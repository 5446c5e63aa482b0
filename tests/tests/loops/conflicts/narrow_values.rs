//! Subscripts of data whose types keep iterations apart: `h[i * 64 + (x[i] >> 2) as usize]`. What types don't show is checked while
//! the loop runs.
use omp_tests::{compare, on_every_device, panic_of, twice};

twice! {
    #[omp::offload]
    pub fn shifted(x: &[u8]) -> Vec<u32> {
        let n = x.len();
        let mut h = vec![0u32; n * 64];
        #[omp::target]
        for i in 0..n { h[i * 64 + (x[i] >> 2) as usize] += 1; }
        h
    }
    #[omp::offload]
    pub fn whole(x: &[u16]) -> Vec<u32> {
        let n = x.len();
        let mut h = vec![0u32; n * 65536];
        #[omp::target]
        for i in 0..n { h[i * 65536 + usize::from(x[i])] += 1; }
        h
    }
    #[omp::offload]
    pub fn operators(x: &[u8], y: &[i32], z: &[u32], s: &[i8], w: usize) -> [Vec<u32>; 6] {
        let n = x.len();
        let [mut a, mut b, mut c, mut d, mut e, mut f] = std::array::from_fn(|_| vec![0u32; n * 258]);
        #[omp::target]
        for i in 0..n { a[i * 64 + (x[i] / 4) as usize] += 1; a[i * 64 + usize::from(x[i] % 64)] += 1; }
        #[omp::target]
        for i in 0..n { let digit = (y[i] & 0x3f) as usize; b[i * 64 + digit] += 1; }
        #[omp::target]
        for i in 0..n { let top = z[i] >> 26; c[i * w + top as usize] += 1; }
        #[omp::target]
        for i in 0..n { d[i * 32 + y[i].rem_euclid(32) as usize] += 1; }
        #[omp::target]
        for i in 0..n { e[i * 10 + x[i].count_ones() as usize] += 1; e[i * 10 + 9] += u32::from(x[i].min(9)); }
        #[omp::target]
        for i in 0..n { f[i * 258 + (s[i] as i32 + 128) as usize] += 1; f[i * 258 + 256 + usize::from(x[i] > 7)] += 1; }
        [a, b, c, d, e, f]
    }
    #[omp::declare_target]
    fn bin(v: u8) -> usize { (v >> 2) as usize }
    #[omp::offload]
    pub fn helper(x: &[u8], rows: usize) -> Vec<u32> {
        let n = x.len() / rows;
        let mut h = vec![0u32; rows * 64];
        #[omp::target]
        for r in 0..rows { for c in 0..n { h[r * 64 + bin(x[r * n + c])] += 1; } }
        h
    }
    /// Types don't show that rows of 64 are apart.
    #[omp::offload]
    pub fn wider(x: &[u8]) -> Vec<u32> {
        let n = x.len();
        let mut h = vec![0u32; n * 64 + 64];
        #[omp::target]
        for i in 0..n { h[i * 64 + (x[i] >> 1) as usize] = i as u32; }
        h
    }
}

fn bytes(n: usize) -> Vec<u8> {
    (0..n).map(|i| (i * 37 % 256) as u8).collect()
}

#[test]
fn proved_by_types() {
    for n in [0, 1, 300] {
        let x = bytes(n);
        let wide: Vec<u16> = x.iter().take(20).map(|v| u16::from(*v) * 257).collect();
        let y: Vec<i32> = (0..n as i32).map(|i| (i - 50) * 777).collect();
        let z: Vec<u32> = (0..n as u32).map(|i| i.wrapping_mul(0x9e37_79b9)).collect();
        let s: Vec<i8> = x.iter().map(|v| *v as i8).collect();
        compare!(m, d => {
            omp::set_default_device(d);
            (m::shifted(&x), m::whole(&wide), m::operators(&x, &y, &z, &s, 70), m::helper(&x, 7))
        });
    }
    on_every_device(|d| {
        omp::set_default_device(d);
        device::shifted(&bytes(300));
        let of_overflow = if cfg!(debug_assertions) && d < omp::get_num_devices() { 3 } else { 0 };
        assert_eq!(omp::last_region().residual_checks, of_overflow, "device {d}");
    });
}

#[test]
fn checked_while_running() {
    let apart = bytes(300);
    let mut meet = vec![0; 300];
    (meet[7], meet[8]) = (128, 0);
    for x in [&[][..], &[255], &apart] {
        compare!(m, d => {
            omp::set_default_device(d);
            m::wider(x)
        });
    }
    on_every_device(|d| {
        omp::set_default_device(d);
        let text = panic_of(|| drop(device::wider(&meet))).unwrap_or_default();
        assert!(text.contains("overlapping writes") && text.contains("h[512]"), "device {d}: {text}");
    });
}
