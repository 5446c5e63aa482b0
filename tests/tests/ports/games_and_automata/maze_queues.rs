//! Shortest ways through small mazes: a breadth-first search in each iteration, with a generic queue of fixed capacity.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, omp::Device)]
    pub struct Ring<T: omp::Device, const N: usize> { buf: [T; N], head: usize, len: usize }
    #[omp::declare_target]
    impl<T: omp::Device + Default, const N: usize> Ring<T, N> {
        fn new() -> Self { Ring { buf: [T::default(); N], head: 0, len: 0 } }
        fn push(&mut self, v: T) -> bool {
            if self.len == N { return false; }
            self.buf[(self.head + self.len) % N] = v;
            self.len += 1;
            true
        }
        fn pop(&mut self) -> Option<T> {
            if self.len == 0 { return None; }
            let v = self.buf[self.head];
            self.head = (self.head + 1) % N;
            self.len -= 1;
            Some(v)
        }
    }
    pub fn flood(mazes: &[[u8; 16]], dist: &mut [u8]) {
        #[omp::target]
        for (maze, dist) in mazes.iter().zip(dist.iter_mut()) {
            let mut seen = 1u16;
            let mut q: Ring<(u8, u8), 16> = Ring::new();
            q.push((0, 0));
            let mut found = u8::MAX;
            while let Some((c, d)) = q.pop() {
                if c == 15 { found = d; break; }
                let (r, k) = (c as i8 / 4, c as i8 % 4);
                for (dr, dk) in [(0, 1), (1, 0), (0, -1), (-1, 0)] {
                    let (nr, nk) = (r + dr, k + dk);
                    if !(0..4).contains(&nr) || !(0..4).contains(&nk) { continue; }
                    let n = (nr * 4 + nk) as u8;
                    if maze[n as usize] != 0 || seen >> n & 1 == 1 { continue; }
                    seen |= 1 << n;
                    q.push((n, d + 1));
                }
            }
            *dist = found;
        }
    }

    pub fn run() -> Vec<u8> {
        let wall = |k: usize, c: usize| u8::from(c != 0 && (k * k * 31 + c * c * 7 + k * c / 3) % 13 < 3);
        let mazes: Vec<[u8; 16]> = (0..120).map(|k| std::array::from_fn(|c| wall(k, c))).collect();
        let mut dist = vec![0; mazes.len()];
        flood(&mazes, &mut dist);
        dist
    }
}
port!(maze_queues: run());
