//! Canny-like non-maximum suppression with an enum of directions, and hysteresis by flags.
use omp_tests::twice;
twice! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    pub enum Direction { Horizontal, Diagonal, Vertical, AntiDiagonal }

    #[omp::declare_target]
    impl Direction {
        fn of(gx: f32, gy: f32) -> Self {
            let angle = gy.atan2(gx).to_degrees();
            let angle = if angle < 0.0 { angle + 180.0 } else { angle };
            match angle {
                a if a < 22.5 || a >= 157.5 => Direction::Horizontal,
                a if a < 67.5 => Direction::Diagonal,
                a if a < 112.5 => Direction::Vertical,
                _ => Direction::AntiDiagonal,
            }
        }
        fn step(self) -> (isize, isize) {
            match self {
                Self::Horizontal => (1, 0),
                Self::Diagonal => (1, 1),
                Self::Vertical => (0, 1),
                Self::AntiDiagonal => (-1, 1),
            }
        }
    }

    #[derive(Clone, Debug)]
    pub struct Image<T> { w: usize, h: usize, px: Vec<T> }

    impl<T: Copy + Default> Image<T> {
        fn new(w: usize, h: usize) -> Self { Image { w, h, px: vec![T::default(); w * h] } }
    }

    #[omp::offload]
    fn gradients(img: &Image<f32>, mag: &mut Image<f32>, dir: &mut [Direction]) {
        let w = img.w;
        #[omp::target]
        for y in 1..img.h.max(1) - 1 {
            for x in 1..w - 1 {
                let p = |dx: isize, dy: isize| img.px[((y as isize + dy) * w as isize + x as isize + dx) as usize];
                let gx = p(1, -1) + 2.0 * p(1, 0) + p(1, 1) - p(-1, -1) - 2.0 * p(-1, 0) - p(-1, 1);
                let gy = p(-1, 1) + 2.0 * p(0, 1) + p(1, 1) - p(-1, -1) - 2.0 * p(0, -1) - p(1, -1);
                mag.px[y * w + x] = (gx * gx + gy * gy).sqrt();
                dir[y * w + x] = Direction::of(gx, gy);
            }
        }
    }

    #[omp::offload]
    fn thin(mag: &Image<f32>, dir: &[Direction], low: f32, high: f32) -> Image<u8> {
        let mut out = Image::<u8>::new(mag.w, mag.h);
        let (w, h) = (mag.w as isize, mag.h as isize);
        #[omp::target]
        for (i, o) in out.px.iter_mut().enumerate() {
            let (x, y) = (i as isize % w, i as isize / w);
            if x == 0 || y == 0 || x == w - 1 || y == h - 1 {
                continue;
            }
            let (dx, dy) = dir[i].step();
            let here = mag.px[i];
            let ahead = mag.px[((y + dy) * w + x + dx) as usize];
            let behind = mag.px[((y - dy) * w + x - dx) as usize];
            *o = match here {
                m if m < ahead || m < behind => 0,
                m if m >= high => 2,
                m if m >= low => 1,
                _ => 0,
            };
        }
        out
    }

    #[omp::offload]
    fn link(edges: &Image<u8>, next: &mut Image<u8>) -> bool {
        let mut changed = false;
        let w = edges.w;
        #[omp::target(reduction(||: changed))]
        for y in 1..edges.h.max(1) - 1 {
            for x in 1..w - 1 {
                let i = y * w + x;
                let mut v = edges.px[i];
                if v == 1 && (y - 1..=y + 1).any(|yy| (x - 1..=x + 1).any(|xx| edges.px[yy * w + xx] == 2)) {
                    v = 2;
                    changed = true;
                }
                next.px[i] = v;
            }
        }
        changed
    }

    pub fn run(n: usize) -> (Vec<u8>, usize) {
        let mut img = Image::<f32>::new(n, n);
        for (i, p) in img.px.iter_mut().enumerate() { *p = if (i % n.max(1) / 5 + i / n.max(1) / 7) % 2 == 0 { 10.0 } else { 200.0 } + (i * 7 % 13) as f32; }
        let mut mag = Image::<f32>::new(n, n);
        let mut dir = vec![Direction::Horizontal; n * n];
        gradients(&img, &mut mag, &mut dir);
        let mut edges = thin(&mag, &dir, 100.0, 400.0);
        let mut next = edges.clone();
        let mut rounds = 0;
        while link(&edges, &mut next) { std::mem::swap(&mut edges, &mut next); rounds += 1; }
        (edges.px, rounds)
    }
}
port!(edge_list: [0, 1, 21, 90].map(|n| crate::Shown::of(run(n))));
