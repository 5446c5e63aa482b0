//! Connected components of an image and of edges: hooking and pointer jumping; sizes and boxes of the components.
use omp_tests::{Values, twice};
twice! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    pub struct Bounds { pub x0: u32, pub y0: u32, pub x1: u32, pub y1: u32 }

    #[omp::declare_target]
    fn find(parent: &[u32], mut v: u32) -> u32 {
        while parent[v as usize] != v {
            v = parent[v as usize];
        }
        v
    }

    pub fn components(edges: &[(u32, u32)], n: usize) -> (Vec<u32>, usize) {
        let mut parent: Vec<u32> = (0..n as u32).collect();
        loop {
            let mut changed = false;
            let roots = parent.clone();
            #[omp::target(reduction(||: changed))]
            for &(a, b) in edges {
                let (ra, rb) = (find(&roots, a), find(&roots, b));
                if ra != rb {
                    let (low, high) = if ra < rb { (ra, rb) } else { (rb, ra) };
                    #[omp::atomic]
                    parent[high as usize] = parent[high as usize].min(low);
                    changed = true;
                }
            }
            if !changed {
                break;
            }
            let flat = parent.clone();
            #[omp::target]
            for (v, p) in parent.iter_mut().enumerate() {
                *p = find(&flat, v as u32);
            }
        }
        let count = parent.iter().enumerate().filter(|&(v, &p)| v as u32 == p).count();
        (parent, count)
    }

    pub fn sizes(labels: &[u32], size: &mut [u32]) {
        size.fill(0);
        #[omp::target]
        for &l in labels {
            #[omp::atomic]
            size[l as usize] += 1;
        }
    }

    pub struct Image<'a> { pub pixels: &'a [u8], pub width: usize }

    impl<'a> Image<'a> {
        pub fn label(&self) -> Vec<u32> {
            let w = self.width;
            let h = self.pixels.len() / w;
            let px = self.pixels;
            let mut label: Vec<u32> = (0..px.len() as u32).collect();
            let mut next = label.clone();
            loop {
                let mut moved = 0;
                #[omp::target(collapse(2), reduction(+: moved))]
                for y in 0..h {
                    for x in 0..w {
                        let here = y * w + x;
                        let mut best = label[here];
                        for (dx, dy) in [(-1i32, 0i32), (1, 0), (0, -1), (0, 1)] {
                            let nx = x as i32 + dx;
                            let ny = y as i32 + dy;
                            if nx < 0 || ny < 0 || nx >= w as i32 || ny >= h as i32 {
                                continue;
                            }
                            let there = ny as usize * w + nx as usize;
                            if px[there] == px[here] {
                                best = best.min(label[there]);
                            }
                        }
                        next[here] = best;
                        moved += usize::from(best != label[here]);
                    }
                }
                std::mem::swap(&mut label, &mut next);
                if moved == 0 {
                    return label;
                }
            }
        }

        pub fn bounds_of(&self, labels: &[u32], wanted: u32) -> Bounds {
            let w = self.width;
            let (mut x0, mut y0, mut x1, mut y1) = (u32::MAX, u32::MAX, 0u32, 0u32);
            #[omp::target(reduction(min: x0, y0), reduction(max: x1, y1))]
            for (i, _) in labels.iter().enumerate().filter(|&(_, &l)| l == wanted) {
                let (x, y) = ((i % w) as u32, (i / w) as u32);
                x0 = x0.min(x);
                y0 = y0.min(y);
                x1 = x1.max(x);
                y1 = y1.max(y);
            }
            Bounds { x0, y0, x1, y1 }
        }
    }

    pub fn run() -> (Vec<u32>, usize, Vec<u32>, Vec<u32>) {
        let mut v = Values(8);
        let edges: Vec<(u32, u32)> = (0..60).map(|_| (v.bits() % 80, v.bits() % 80)).collect();
        let (labels, count) = components(&edges, 80);
        let mut size = vec![0; 80];
        sizes(&labels, &mut size);
        let pixels: Vec<u8> = (0..96).map(|i| u8::from((i / 12 / 2 + i % 12 / 3) % 2 == 0)).collect();
        let image = Image { pixels: &pixels, width: 12 };
        let mut l = image.label();
        let b = image.bounds_of(&l, l[50]);
        l.extend([b.x0, b.y0, b.x1, b.y1]);
        (labels, count, size, l)
    }
}
port!(union_find: run());
