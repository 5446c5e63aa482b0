//! Comparisons that structs derive: part by part, also in tuples, arrays and generic functions.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{compare, twice};

/// The struct Vec3 is compared field by field; a comment on the type Vec3 declares none.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, omp::Device)]
pub struct Vec3 {
    x: f32,
    y: f32,
    z: f32,
}
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, omp::Device)]
pub enum Kind {
    Low,
    High,
}
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, omp::Device)]
pub struct Key {
    kind: Kind,
    id: u32,
    pair: (i8, u16),
    tail: [u8; 3],
}
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
pub struct Nested {
    key: Key,
    at: Vec3,
}

twice! {
    #[omp::declare_target]
    fn same<T: omp::Device + PartialEq>(a: T, b: T) -> bool {
        a == b
    }

    pub fn run() -> (Vec<u32>, Vec<Key>) {
        let n = 50;
        let a: Vec<Vec3> = (0..n).map(|i| Vec3 { x: (i % 3) as f32, y: (i % 2) as f32, z: i as f32 }).collect();
        let keys: Vec<Key> = (0..n as u32)
            .map(|i| Key { kind: if i % 4 == 0 { Kind::High } else { Kind::Low }, id: i % 7, pair: (-(i as i8 % 3), 4), tail: [1, (i % 2) as u8, 0] })
            .collect();
        let mut out = vec![0u32; n];
        let mut best = vec![keys[0]; n];
        #[omp::target(map(to: a, keys), map(from: out, best))]
        for i in 0..n {
            let j = (i * 7 + 3) % n;
            let (p, q) = (a[i], a[j]);
            let (k, l) = (&keys[i], &keys[j]);
            let mut bits = 0;
            bits |= (p == q) as u32 | ((p != q) as u32) << 1 | ((p < q) as u32) << 2 | ((p >= q) as u32) << 3;
            bits |= ((k == l) as u32) << 4 | ((k < l) as u32) << 5 | ((*k > *l) as u32) << 6;
            bits |= (k.cmp(l).is_lt() as u32) << 7 | ((p.partial_cmp(&q) == Some(std::cmp::Ordering::Less)) as u32) << 8;
            let (x, y) = (Nested { key: *k, at: p }, Nested { key: *l, at: p });
            bits |= ((x == y) as u32) << 9 | (((p, 3) < (q, 3)) as u32) << 10 | (([p, q] == [q, p]) as u32) << 11;
            bits |= (same(*k, *l) as u32) << 12 | (same(x, y) as u32) << 13;
            bits |= ((keys.iter().copied().min() == Some(*k)) as u32) << 14;
            bits |= (keys.contains(l) as u32) << 15 | ((keys.iter().position(|o| o == l) == Some(j)) as u32) << 16;
            out[i] = bits;
            best[i] = keys[i..].iter().copied().max().unwrap_or(*k).min(*l);
        }
        (out, best)
    }
}

#[test]
fn as_without_directives() {
    compare!(m, d => {
        omp::set_default_device(d);
        let (bits, best) = m::run();
        (bits, format!("{best:?}"))
    });
}
