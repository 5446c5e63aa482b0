//! Parts of slices whose lengths the elements decide (`split`, `chunk_by`, `rchunks`), orders of slices and of iterators, consumers
//! that stop at a failure (`try_for_each`, sums of options and results), selections and arrays at the ends of slices. All devices, against the same functions without directives.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{on_every_device, twice};

twice! {
    use std::cmp::Ordering;
    pub fn splits(d: usize, x: &[u32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let row = &x[i..i + i % 12];
            let mut s = 0u64;
            for part in row.split(|v| v % 3 == 0) { s = s * 7 + part.len() as u64 + part.iter().sum::<u32>() as u64; if s > 1_000_000 { break; } }
            for (k, part) in row.split_inclusive(|v| v % 3 == 0).enumerate() { if part.len() == 2 { continue; } s = s * 3 + (k * part.len()) as u64; }
            for part in row.splitn(i % 4, |v| v % 3 == 0) { s = s * 3 + part.len() as u64 + 1; s %= 1_000_000_007; }
            for g in row.chunk_by(|a, b| a <= b) { s = s * 3 + g[0] as u64 * g.len() as u64; s %= 1_000_000_007; }
            for g in row.rchunks(4) { s = s * 3 + g[0] as u64 * g.len() as u64; s %= 1_000_000_007; }
            for g in row.rchunks_exact(4) { s = s * 3 + g[0] as u64 * g.len() as u64; s %= 1_000_000_007; }
            out[i] = s;
        }
    }
    pub fn ends(d: usize, x: &[u32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let row = &x[i..i + i % 12];
            let words = row.split(|&v| v % 3 == 0).filter(|w| !w.is_empty()).count() as u64;
            let longest = row.split(|&v| v % 3 == 0).map(|w| w.len()).max().unwrap_or(99) as u64;
            let any = row.split(|&v| v % 3 == 0).any(|w| w.len() == 3 && w[0] > 7) as u64;
            let runs = row.chunk_by(|a, b| a < b).enumerate().map(|(k, g)| k * g.len()).sum::<usize>() as u64;
            let last = row.chunk_by(|a, b| a < b).last().map_or(5, |g| g.len()) as u64;
            let long = row.chunk_by(|a, b| a < b).find(|g| g.len() > 2).map_or(0, |g| g.iter().sum::<u32>()) as u64;
            let best = row.chunk_by(|a, b| a < b).max_by_key(|g| g.len()).map_or(0, |g| g[0]) as u64;
            let all = row.chunk_by(|a, b| a == b).all(|g| g.len() < 2) as u64;
            let parts = row.splitn(2, |v| *v > 30).map(|p| p.iter().map(|v| *v as u64 + 1).fold(1, |a, b| a * b % 97)).fold(0, |a, b| a * 100 + b);
            let skip = row.split(|v| *v > 30).skip(1).take(2).map(|p| p.len()).sum::<usize>() as u64;
            let nth = row.split(|v| *v > 30).nth(1).map_or(7, |p| p.len() as u64);
            let zipped = row.rchunks(3).zip(1u64..).map(|(c, k)| c[0] as u64 * k).sum::<u64>();
            out[i] = [words, longest, any, runs, last, long, best, all, parts, skip, nth, zipped].iter().fold(0u64, |s, v| s.wrapping_mul(131).wrapping_add(*v));
        }
    }
    pub fn effects(d: usize, x: &[u32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let row = &x[i..i + i % 12];
            let mut seen = 0u64;
            let first = row.split(|&v| { seen = seen * 3 + v as u64; v > 40 }).next().map_or(0, |p| p.len() as u64);
            let mut pairs = 0u64;
            let two = row.chunk_by(|a, b| { pairs += 1; a <= b }).take(2).map(|g| g.len() as u64).sum::<u64>();
            out[i] = seen % 1_000_003 + first * 7 + pairs * 1000 + two;
        }
    }
    pub fn sorted(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let row = &x[i..i + i % 5];
            let fl = &f[i..i + i % 5];
            let bits = [row.is_sorted(), row.is_sorted_by(|a, b| a < b), row.is_sorted_by_key(|v| v % 7), row.iter().is_sorted(),
                fl.iter().is_sorted_by(|a, b| a >= b), row.iter().rev().is_sorted(), (0..4).map(|k| x[i + k]).is_sorted_by(|a, b| a != b),
                row.iter().is_sorted_by_key(|v| (v % 5, *v)), fl.is_sorted(), row.iter().zip(fl).is_sorted_by_key(|(a, _)| a % 3), row.iter().copied().filter(|v| v % 2 == 0).is_sorted()];
            let mut n = 0u64;
            let k = row.iter().is_sorted_by_key(|&v| { n += 1; v });
            let m = row.is_sorted_by_key(|&v| { n += 10; v });
            out[i] = bits.iter().fold(1, |s, b| s * 2 + *b as u64) * 1000 + n + k as u64 + m as u64;
        }
    }
    pub fn compared(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let (a, b) = (&x[i..i + i % 3], &x[i + 1..i + 1 + i % 4]);
            let (p, q) = (&f[i..i + i % 3], &f[i..i + i % 4]);
            let bits = [a < b, a <= b, a > b, a >= b, p < q, p <= q, p > q, p >= q, a.cmp(b) == Ordering::Less, p.partial_cmp(q) == Some(Ordering::Equal), p.partial_cmp(q).is_none(), x[..i] < x[1..], b"abc".contains(&(x[i] as u8)), [3, 7, x[i + 1]].contains(&x[i])];
            out[i] = bits.iter().fold(1, |s, b| s * 2 + *b as u64) + (a.cmp(b).is_ge() as u64) * 100000;
        }
    }
    #[omp::declare_target]
    fn pos(v: u32) -> Option<()> { if v > 3 { Some(()) } else { None } }
    #[omp::declare_target]
    fn less(a: u32, v: u32) -> Result<u32, u32> { if v < 50 { Ok(a + v) } else { Err(a) } }
    pub fn tried(d: usize, x: &[u32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let r: Result<u32, u32> = x[i..i + 4].iter().map(|&v| if v > 9 { Ok(v) } else { Err(v) }).sum();
            let o: Option<u32> = x[i..i + 4].iter().map(|&v| v.checked_sub(9)).sum();
            let p = x[i..i + 4].iter().map(|&v| v.checked_sub(9)).product::<Option<u32>>();
            let e = x[i..i].iter().map(|&v| v.checked_sub(9)).product::<Option<u32>>();
            let t = x[i..i + 4].iter().try_for_each(|&v| if v > 9 { Ok(()) } else { Err(v) });
            let u = x[i..i + 4].iter().copied().try_for_each(pos);
            let w = x[i..i + 4].iter().copied().try_fold(0, less);
            let z = x[i..i + 4].iter().copied().try_fold(0u32, u32::checked_add);
            let mut n = 0;
            let q = (0..4).try_for_each(|k| { n += k; (x[i + k] > 20).then_some(()) });
            out[i] = match r { Ok(s) => s as u64, Err(e) => 1000 + e as u64 } + o.map_or(7, |v| v as u64) * 1000 + p.unwrap_or(5) as u64 + e.unwrap() as u64
              + match t { Ok(()) => 3, Err(e) => e as u64 } * 10 + u.is_some() as u64 + match w { Ok(v) => v, Err(v) => v * 3 } as u64 + z.unwrap() as u64 + n as u64 + q.is_none() as u64;
        }
    }
    pub fn cyc(d: usize, x: &[u32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() { out[i] = x[..9].iter().cycle().skip(i).step_by(2).take(3).map(|&v| v as u64).sum::<u64>() + x[..i % 3].iter().cycle().take(5).count() as u64; }
    }
    use std::cmp::Reverse;
    pub const N: usize = 3;
    pub fn select(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let mut a = [0u32; 9];
            a.copy_from_slice(&x[i..i + 9]);
            let (_, m, _) = a.select_nth_unstable(4);
            let m = *m;
            let mut b = [0f32; 9];
            b.copy_from_slice(&f[i..i + 9]);
            let k = i % 9;
            let n = *b.select_nth_unstable_by(k, |p, q| p.total_cmp(q)).1;
            let mut c = a;
            let (low, mid, high) = c.select_nth_unstable_by_key(k, |v| Reverse(*v));
            let s = low.iter().map(|v| *v as u64).sum::<u64>() + *mid as u64 * 100 + high.iter().max().map_or(0, |v| *v as u64) * 10_000 + low.len() as u64;
            let mut d = a;
            d[1..7].select_nth_unstable(2);
            let mut e = a;
            let top = e[2..].select_nth_unstable_by(1, |p, q| q.cmp(p)).1;
            *top += 1000;
            let t = *top;
            let (_, &mut w, _) = e.select_nth_unstable(8);
            out[i] = m as u64 + n.to_bits() as u64 * 7 + s + d[3] as u64 * 3 + t as u64 + w as u64 * 11;
        }
    }
    pub fn chunks(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let row = &x[i..i + i % 5];
            let Some([a, b]) = row.first_chunk() else { out[i] = 1; continue };
            let mut s = (a + b) as u64;
            if let Some([p, q, r]) = row.last_chunk::<3>() { s += (*p * 2 + q * 3 + r) as u64 * 10; }
            let c: [u32; 3] = *x[i..].first_chunk::<N>().unwrap();
            let d = row.last_chunk::<1>().copied().unwrap_or([7]);
            s += (c[0] + c[2]) as u64 * 100 + d[0] as u64 * 1000 + row.first_chunk::<4>().is_some() as u64 * 77;
            s += row.first_chunk::<2>().map_or(3, |c| c.iter().sum::<u32>()) as u64;
            let v = u16::from_le_bytes([f[i] as u8, 3]);
            out[i] = s + v as u64;
        }
    }
    const W: usize = 3;
    pub fn arrays(d: usize, x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let row = &x[i..i + i % 14];
            let (c, r) = row.as_chunks::<4>();
            let mut s = c.iter().map(|[a, b, c, d]| (a + b * 2 + c * 3 + d * 4) as u64).sum::<u64>() + r.iter().sum::<u32>() as u64 + c.len() as u64 * 1000;
            let (pairs, rest) = x[i..i + 7].as_chunks::<2>();
            for [a, b] in pairs { if a == b { continue; } s = s * 3 + (a * 5 + b) as u64; }
            for (k, p) in pairs.iter().enumerate() { s += (p[0] * p[1]) as u64 * k as u64; }
            s = s * 7 + rest[0] as u64;
            let (threes, _) = f[i..].as_chunks::<W>();
            let best = threes.iter().map(|t| t.iter().copied().fold(0.0, f32::max)).fold(0.0, f32::max);
            let one = row.as_chunks::<W>().0.iter().filter(|t| t[0] < t[2]).count();
            let last = threes.iter().last().map_or(0.5, |t| t[1]);
            out[i] = s + best as u64 * 11 + one as u64 * 13 + last as u64;
        }
    }
    #[omp::declare_target]
    fn sep(v: &u32) -> bool { *v % 5 == 0 }
    #[omp::declare_target]
    fn note(best: &mut Option<u32>, v: u32) -> u32 {
        let old = best.replace(v).unwrap_or(2);
        let t = *best.get_or_insert(9) + old;
        if v % 3 == 0 { best.take(); }
        *best.get_or_insert(1) += 3;
        best.take_if(|w| *w > 40);
        t
    }
    #[omp::declare_target]
    fn total(x: &[u32]) -> Option<u32> {
        let s = x.iter().map(|v| v.checked_sub(4)).sum::<Option<u32>>()?;
        let k = x.split(sep).map(|p| p.len() as u32).max()?;
        Some(s + k)
    }
    pub fn edges(d: usize, x: &[u32], out: &mut [u64]) {
        #[omp::target(device(d))]
        for i in 0..out.len() {
            let row = &x[i..i + i % 9];
            let mut b = x[i].checked_sub(25);
            let mut s = note(&mut b, x[i]) as u64 + b.unwrap_or(7) as u64;
            'rows: for part in row.split(sep) {
                for v in part { if *v == 7 { continue 'rows; } if *v == 33 { break 'rows; } s += *v as u64; }
                s = s * 3 + 1;
            }
            let mut keep = [0u32; 16];
            let mut n = 0;
            for g in row.chunk_by(|a, b| a.abs_diff(*b) < 20) { for v in g.iter().rev() { keep[n] = *v; n += 1; } }
            s = s * 5 + keep[..n].iter().fold(0u64, |a, v| (a * 31 + *v as u64) % 1_000_003);
            let text = *b"ab,cd,,e";
            s += text.split(|c| *c == b',').map(|w| w.len() as u64).fold(0, |a, w| a * 10 + w);
            s += total(row).map_or(5, u64::from);
            let z = keep.iter().zip(row.split(sep)).map(|(k, p)| *k as usize + p.len()).sum::<usize>() as u64;
            let flat = row.split(sep).flat_map(|p| p.iter()).map(|v| *v as u64).sum::<u64>();
            let twice = row.split(sep).map(|p| p.split(|v| *v > 30).count()).sum::<usize>() as u64;
            out[i] = s + z + flat * 3 + twice;
        }
    }
}

fn numbers() -> Vec<u32> {
    (0..64u32).map(|i| i.wrapping_mul(2654435761) >> 26).collect()
}

fn floats() -> Vec<f32> {
    (0..64).map(|i| if i % 9 == 4 { f32::NAN } else { ((i * 37) % 64) as f32 * 0.5 }).collect()
}

#[test]
fn splits() {
    let x = numbers();
    let mut wanted = [0; 40];
    plain::splits(0, &x, &mut wanted);
    on_every_device(|d| {
        let mut out = [7; 40];
        device::splits(d, &x, &mut out);
        assert_eq!(out, wanted);
    });
}

#[test]
fn ends() {
    let x = numbers();
    let mut wanted = [0; 40];
    plain::ends(0, &x, &mut wanted);
    on_every_device(|d| {
        let mut out = [7; 40];
        device::ends(d, &x, &mut out);
        assert_eq!(out, wanted);
    });
}

#[test]
fn effects() {
    let x = numbers();
    let mut wanted = [0; 40];
    plain::effects(0, &x, &mut wanted);
    on_every_device(|d| {
        let mut out = [7; 40];
        device::effects(d, &x, &mut out);
        assert_eq!(out, wanted);
    });
}

#[test]
fn sorted() {
    let x = numbers();
    let f = floats();
    let mut wanted = [0; 40];
    plain::sorted(0, &x, &f, &mut wanted);
    on_every_device(|d| {
        let mut out = [7; 40];
        device::sorted(d, &x, &f, &mut out);
        assert_eq!(out, wanted);
    });
}

#[test]
fn compared() {
    let x = numbers();
    let f = floats();
    let mut wanted = [0; 40];
    plain::compared(0, &x, &f, &mut wanted);
    on_every_device(|d| {
        let mut out = [7; 40];
        device::compared(d, &x, &f, &mut out);
        assert_eq!(out, wanted);
    });
}

#[test]
fn tried() {
    let x = numbers();
    let mut wanted = [0; 40];
    plain::tried(0, &x, &mut wanted);
    on_every_device(|d| {
        let mut out = [7; 40];
        device::tried(d, &x, &mut out);
        assert_eq!(out, wanted);
    });
}

#[test]
fn cyc() {
    let x = numbers();
    let mut wanted = [0; 40];
    plain::cyc(0, &x, &mut wanted);
    on_every_device(|d| {
        let mut out = [7; 40];
        device::cyc(d, &x, &mut out);
        assert_eq!(out, wanted);
    });
}

#[test]
fn select() {
    let x = numbers();
    let f = floats();
    let mut wanted = [0; 40];
    plain::select(0, &x, &f, &mut wanted);
    on_every_device(|d| {
        let mut out = [7; 40];
        device::select(d, &x, &f, &mut out);
        assert_eq!(out, wanted);
    });
}

#[test]
fn chunks() {
    let x = numbers();
    let f = floats();
    let mut wanted = [0; 40];
    plain::chunks(0, &x, &f, &mut wanted);
    on_every_device(|d| {
        let mut out = [7; 40];
        device::chunks(d, &x, &f, &mut out);
        assert_eq!(out, wanted);
    });
}

#[test]
fn arrays() {
    let x = numbers();
    let f = floats();
    let mut wanted = [0; 40];
    plain::arrays(0, &x, &f, &mut wanted);
    on_every_device(|d| {
        let mut out = [7; 40];
        device::arrays(d, &x, &f, &mut out);
        assert_eq!(out, wanted);
    });
}

#[test]
fn edges() {
    let x = numbers();
    let mut wanted = [0; 40];
    plain::edges(0, &x, &mut wanted);
    on_every_device(|d| {
        let mut out = [7; 40];
        device::edges(d, &x, &mut out);
        assert_eq!(out, wanted);
    });
}
