//! Values of types with their own `get`, `first` and `last`, under names that are arrays elsewhere in the file.
#![allow(clippy::all, clippy::pedantic, unused, reason = "as programs have them")]
use omp_tests::{compared, twice};

twice! {
    #[derive(Clone, Copy, omp::Device)]
    pub struct V { a: u32, b: u32 }
    #[omp::declare_target]
    impl V {
        fn get(&self, i: usize) -> Option<u32> { if i < 2 { Some(self.a * 10) } else { None } }
        fn first(&self) -> Option<u32> { Some(self.b) }
        fn last(&self) -> Option<u32> { (self.a > 3).then_some(self.a) }
        fn len(&self) -> usize { 2 }
    }
    #[omp::declare_target]
    impl std::ops::Index<usize> for V { type Output = u32; fn index(&self, _: usize) -> &u32 { &self.a } }
    #[omp::declare_target]
    fn made(i: usize) -> V { V { a: i as u32, b: 5 } }
    #[omp::declare_target]
    fn other(v: &[u32], w: &[[u32; 2]]) -> u32 { v[0] + w[1][1] }

    pub fn own_elements(x: &[u32], y: &[[u32; 2]], all: &[V], out: &mut [u32]) {
        #[omp::target]
        for (i, o) in out.iter_mut().enumerate() {
            let v = made(i);
            let w = &all[i % all.len()];
            *o = other(x, y) + v.first().map_or(3, |k| k * 2) + v.get(i % 3).map_or(3, |k| k * 2);
            *o += w.first().map_or(3, |k| k * 2) + w.last().unwrap_or(7) + all[0].get(i % 4).map_or(1, |k| k + 1);
        }
    }
    pub fn values() -> Vec<V> { (0..7).map(made).collect() }
}

compared! {
    |d, call| {
        omp::set_default_device(d);
        let mut out = vec![0; 20];
        call(&[1, 2, 3], &[[1, 2], [3, 4]], &m::values(), &mut out);
        out
    };
    own_elements
}
