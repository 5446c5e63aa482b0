//! `take`, `replace`, `insert` and `get_or_insert` of options that loops reach by `&mut`.
#![allow(clippy::all, clippy::pedantic, unused_must_use, reason = "the code has every form on purpose")]
use omp_tests::{compare, twice};

twice! {
    #[omp::declare_target]
    fn bump(y: &mut Option<u32>) { match y.as_mut() { Some(v) => *v ^= 3, None => *y = Some(7) } }
    #[omp::declare_target]
    fn fill(y: &mut Option<u32>) {
        if let Some(v) = y.as_mut() { *v ^= 5 }
        let k = y.unwrap_or(0) ^ 9;
        let _ = y.insert(k);
        let _ = y.get_or_insert(4);
    }
    /// The name is a copy's.
    #[omp::declare_target]
    fn hidden(y: &mut Option<u32>) -> u32 {
        let mut y = *y;
        match y.as_mut() { Some(v) => *v ^= 1, None => {} }
        y.unwrap_or(2)
    }
    pub fn parameters(x: &[u32], out: &mut [u32]) {
        #[omp::target]
        for i in 0..x.len() {
            let mut o = if i % 2 == 0 { Some(x[i]) } else { None };
            bump(&mut o);
            out[i] = o.unwrap_or(1) ^ hidden(&mut o);
            fill(&mut o);
            out[i] ^= o.unwrap_or(1) * 8;
            let _ = o.insert(3);
            let _ = o.get_or_insert(4);
            out[i] += o.unwrap_or(4);
        }
    }
    pub fn taken(v: &mut [Option<i32>]) -> i32 {
        let mut sum = 0;
        #[omp::target(reduction(+: sum))]
        for y in v.iter_mut() {
            if let Some(a) = y.take() { sum += a; }
        }
        sum
    }
    pub fn replaced(v: &mut [Option<u8>], out: &mut [u8]) {
        #[omp::target]
        for (y, o) in v.iter_mut().zip(out.iter_mut()) {
            *o = y.replace(7).unwrap_or(3);
            *y.insert(4) += 1;
        }
        #[omp::target]
        for (i, y) in v.iter_mut().enumerate() {
            if i % 2 == 0 { *y = None; }
            *y.get_or_insert(9) += 1;
            let k = y.get_or_insert_with(|| 5);
            *k += 1;
        }
        #[omp::target]
        for (y, o) in v.iter_mut().zip(out.iter_mut()) {
            while let Some(k) = y.take() {
                *o += 1;
                if k > 5 { *y = Some(k - 5); }
            }
            let old = y.replace(*o);
            if old.is_some() { *o = 0; }
        }
    }
    pub fn by_match(v: &mut Vec<Option<(i32, u64)>>) {
        #[omp::target]
        for y in v.iter_mut() {
            match y.take() {
                Some((a, b)) if a > 1 => *y = Some((a - 1, b + 1)),
                Some(_) => {}
                None => { y.insert((5, 5)); }
            }
        }
        #[omp::target]
        for y in v {
            let Some((a, b)) = y.take() else { continue };
            y.replace((a * 2, b));
        }
    }
    #[omp::declare_target]
    fn reset(y: &mut Option<f32>) -> f32 {
        let k = y.take().unwrap_or(1.5);
        *y.get_or_insert(2.0) += k;
        k
    }
    #[omp::declare_target]
    fn all(v: &mut [Option<f32>]) -> f32 {
        let mut sum = 0.0;
        for y in v.iter_mut() {
            if let Some(a) = y.take() { sum += a; }
            sum += reset(y);
        }
        sum
    }
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Slot { kept: Option<u16>, n: u32 }
    pub fn slot(kept: Option<u16>, n: u32) -> Slot { Slot { kept, n } }
    pub fn fields(slots: &mut [Slot], rows: &mut [[Option<f32>; 3]], sums: &mut [f32]) {
        #[omp::target]
        for s in slots.iter_mut() {
            if let Some(k) = s.kept.take() { s.n += k as u32; }
            if s.n > 3 { s.kept.replace(2); }
        }
        #[omp::target]
        for Slot { kept, n } in slots.iter_mut() {
            if let Some(k) = kept.take() { *n += k as u32; }
            *kept.get_or_insert(1) += 1;
        }
        #[omp::target]
        for (row, s) in rows.iter_mut().zip(sums.iter_mut()) {
            *s = all(row);
            for y in row.iter_mut() { if let Some(a) = y.take() { *s += a; } }
            for y in row { *y.insert(2.0) += 1.0; }
        }
    }
}
#[test]
fn taken() {
    for n in [0, 1, 6] {
        compare!(m, d => { omp::set_default_device(d);
            let mut v: Vec<Option<i32>> = (0..n).map(|i| (i % 2 == 1).then_some(i)).collect();
            (m::taken(&mut v), v) });
        compare!(m, d => { omp::set_default_device(d);
            let mut v: Vec<Option<u8>> = (0..n).map(|i| (i % 2 == 1).then_some(i as u8 * 7)).collect();
            let mut out = vec![0; n as usize];
            m::replaced(&mut v, &mut out);
            (v, out) });
        compare!(m, d => { omp::set_default_device(d);
            let mut v: Vec<Option<(i32, u64)>> = (0..n).map(|i| (i % 2 == 1).then_some((i, 4))).collect();
            m::by_match(&mut v);
            v });
        compare!(m, d => { omp::set_default_device(d);
            let mut slots: Vec<m::Slot> = (0..n).map(|i| m::slot((i % 2 == 1).then_some(i as u16), i as u32)).collect();
            let mut rows: Vec<[Option<f32>; 3]> = (0..n).map(|i| [None, Some(i as f32), (i > 2).then_some(0.5)]).collect();
            let mut sums = vec![0.0; n as usize];
            m::fields(&mut slots, &mut rows, &mut sums);
            (format!("{slots:?}"), rows, sums) });
    }
}

#[test]
fn parameters() {
    for n in [0u32, 1, 7] {
        let x: Vec<u32> = (0..n).map(|k| k * 11).collect();
        compare!(m, d => { omp::set_default_device(d); let mut out = vec![0; x.len()]; m::parameters(&x, &mut out); out });
    }
}
