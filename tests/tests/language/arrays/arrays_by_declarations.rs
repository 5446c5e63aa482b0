//! Methods of slices on elements and fields that the declarations of their names show to be arrays; types with methods of these names keep theirs.
#![allow(unused_qualifications, clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::on_every_device;

type Key = [u8; 7];

#[derive(Clone, Copy, omp::Device)]
struct Best {
    score: u32,
    key: Key,
}

#[derive(Clone, Copy, omp::Device)]
struct Span {
    lo: u32,
    hi: u32,
}

#[omp::declare_target]
impl Span {
    fn contains(&self, v: &u32) -> bool {
        *v >= self.lo && *v < self.hi
    }
    fn reverse(&mut self) {
        (self.lo, self.hi) = (self.hi, self.lo);
    }
}

struct Mesh {
    tris: Vec<[u32; 3]>,
    spans: Vec<Span>,
}

#[omp::declare_target]
fn turned(best: Best, k: usize) -> Best {
    let mut key = best.key;
    match k % 3 {
        0 => key.rotate_left(1 + k % 5),
        1 => key.reverse(),
        _ => key.swap(0, k % 7),
    }
    Best { score: best.score + u32::from(key.contains(&3)), key }
}

#[omp::offload]
impl Mesh {
    fn shared(&self, d: usize, y: &mut [u32], out: &mut [Best]) {
        #[omp::target(device(d))]
        for t in 0..y.len() {
            let (tri, other) = (self.tris[t], self.tris[(t + 1) % y.len()]);
            let first = other.iter().copied().find(|v| !tri.contains(v)).unwrap_or(100);
            let mut times = [[t as u32, 1, 2, 3], [4, 5, 6, 7]];
            times[t % 2].rotate_right(1);
            let mut span = self.spans[t];
            span.reverse();
            let inside = self.spans[t].contains(&first) || span.contains(&first);
            y[t] = first * 1000 + times[0][0] * 100 + times[1][0] * 10 + u32::from(inside);
            out[t] = turned(Best { score: 0, key: [t as u8, 1, 2, 3, 4, 5, 6] }, t);
        }
    }
}

#[test]
fn declarations_show_which_elements_are_arrays() {
    let tris: Vec<[u32; 3]> = (0..9).map(|t| [t, t + 1, t * 2]).collect();
    let spans: Vec<Span> = (0..9).map(|t| Span { lo: t, hi: 9 - t }).collect();
    let mesh = Mesh { tris, spans };
    on_every_device(|d| {
        let mut y = [0; 9];
        let mut out = [Best { score: 0, key: [0; 7] }; 9];
        mesh.shared(d, &mut y, &mut out);
        for t in 0..9 {
            let (tri, other) = (mesh.tris[t], mesh.tris[(t + 1) % 9]);
            let first = other.iter().copied().find(|v| !tri.contains(v)).unwrap_or(100);
            let mut times = [[t as u32, 1, 2, 3], [4, 5, 6, 7]];
            times[t % 2].rotate_right(1);
            let (lo, hi) = (t as u32, 9 - t as u32);
            let inside = first >= lo && first < hi || first >= hi && first < lo;
            let want = first * 1000 + times[0][0] * 100 + times[1][0] * 10 + u32::from(inside);
            let best = turned(Best { score: 0, key: [t as u8, 1, 2, 3, 4, 5, 6] }, t);
            assert_eq!((y[t], out[t].score, out[t].key), (want, best.score, best.key), "{t} on {d}");
        }
    });
}
