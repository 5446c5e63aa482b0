//! Consts and statics that are references to tables: `const T: &[u8; 16] = b"…"`.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{compare, twice};

twice! {
    const ALPHABET: &[u8; 16] = b"0123456789abcdef";
    static WEIGHTS: &[f32; 4] = &[0.5, 1.5, 2.5, 3.5];
    const OFFSETS: &[(i32, i32); 3] = &[(0, 1), (1, 0), (-1, 2)];
    const NESTED: &[[u16; 2]; 2] = &[[1, 2], [3, 4]];

    struct Tables;
    impl Tables { const T: &'static [u32; 3] = &[7, 8, 9]; }

    #[omp::declare_target]
    fn hex(x: u8) -> [u8; 2] { [ALPHABET[(x >> 4) as usize], ALPHABET[(x & 15) as usize]] }

    #[omp::declare_target]
    fn dot(a: &[f32]) -> f32 { a.iter().zip(WEIGHTS).map(|(x, w)| x * w).sum() }

    #[omp::declare_target]
    fn of_tables(x: i32) -> i32 {
        const OWN: &[i32] = &[5, 6];
        const VALUES: [i32; 2] = [7, 8];
        let mut s = x;
        for a in OWN { s += *a; }
        for a in VALUES { s = s * 2 + a; }
        s
    }

    pub fn run() -> (Vec<u8>, Vec<f32>) {
        const LOCAL: &[i16; 2] = &[-3, 4];
        const SLICE: &[i16] = &[9, -7];
        let n = 40;
        let bytes: Vec<u8> = (0..n as u32).map(|i| (i * 37) as u8).collect();
        let (mut out, mut s) = (vec![0u8; 2 * n], vec![0f32; n]);
        #[omp::target]
        for (b, o) in bytes.iter().zip(out.chunks_exact_mut(2)) { o.copy_from_slice(&hex(*b)); }
        #[omp::target]
        for i in 0..n {
            let a = [i as f32, 1.0, 2.0, 0.5];
            s[i] = dot(&a) + ALPHABET.len() as f32 + Tables::T[i % Tables::T.len()] as f32;
            for &(dx, dy) in OFFSETS.iter() { s[i] += (dx * 10 + dy) as f32; }
            for (k, w) in WEIGHTS.iter().enumerate() { s[i] += w * k as f32; }
            if ALPHABET.contains(&bytes[i]) { s[i] += 100.0; }
            s[i] += NESTED[i % 2][1] as f32 + NESTED[1].len() as f32 + LOCAL[i % 2] as f32;
            const INSIDE: &[i16] = &[2, 3, 5];
            const VALUES: [i16; 2] = [11, 13];
            for a in LOCAL { s[i] += *a as f32; }
            for a in SLICE { s[i] += *a as f32; }
            for (k, a) in INSIDE.iter().enumerate() { s[i] += (*a * k as i16) as f32; }
            for a in INSIDE { for b in VALUES { s[i] += (*a * b) as f32; } }
            s[i] += of_tables(i as i32) as f32;
        }
        (out, s)
    }
}

#[test]
fn as_without_directives() {
    compare!(m, d => {
        omp::set_default_device(d);
        m::run()
    });
}
