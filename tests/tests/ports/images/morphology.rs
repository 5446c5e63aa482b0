//! Grey morphology with const-generic square elements, top hat, and a binary skeleton step (Zhang-Suen).
use omp_tests::twice;
twice! {
    pub struct Grey<'a> {
        data: &'a [u8],
        stride: usize,
    }

    #[omp::declare_target]
    impl<'a> Grey<'a> {
        fn get(&self, x: i32, y: i32) -> Option<u8> {
            if x < 0 || y < 0 || x as usize >= self.stride {
                return None;
            }
            self.data.get(y as usize * self.stride + x as usize).copied()
        }
    }

    #[omp::offload]
    fn erode<const R: i32>(src: &[u8], dst: &mut [u8], stride: usize) {
        let img = Grey { data: src, stride };
        #[omp::target]
        for (i, out) in dst.iter_mut().enumerate() {
            let (x, y) = ((i % stride) as i32, (i / stride) as i32);
            let mut low = u8::MAX;
            for dy in -R..=R {
                for dx in -R..=R {
                    if let Some(v) = img.get(x + dx, y + dy) {
                        low = low.min(v);
                    }
                }
            }
            *out = low;
        }
    }

    #[omp::offload]
    fn dilate<const R: i32>(src: &[u8], dst: &mut [u8], stride: usize) {
        let img = Grey { data: src, stride };
        #[omp::target]
        for (i, out) in dst.iter_mut().enumerate() {
            let (x, y) = ((i % stride) as i32, (i / stride) as i32);
            *out = (-R..=R)
                .flat_map(|dy| (-R..=R).map(move |dx| (dx, dy)))
                .filter_map(|(dx, dy)| img.get(x + dx, y + dy))
                .max()
                .unwrap_or(0);
        }
    }

    #[omp::offload]
    fn top_hat(img: &[u8], opened: &[u8], out: &mut [u8]) {
        #[omp::target]
        for ((o, &a), &b) in out.iter_mut().zip(img).zip(opened) {
            *o = a.saturating_sub(b);
        }
    }

    #[omp::offload]
    fn thin_step(mask: &[bool], next: &mut [bool], w: usize, first: bool) -> usize {
        let h = if w == 0 { 0 } else { mask.len() / w };
        let mut removed = 0;
        #[omp::target(reduction(+: removed))]
        for y in 1..h.saturating_sub(1) {
            for x in 1..w - 1 {
                let i = y * w + x;
                next[i] = mask[i];
                if !mask[i] {
                    continue;
                }
                let ring = [
                    mask[i - w], mask[i - w + 1], mask[i + 1], mask[i + w + 1],
                    mask[i + w], mask[i + w - 1], mask[i - 1], mask[i - w - 1],
                ];
                let neighbours = ring.iter().filter(|&&b| b).count();
                let transitions = (0..8).filter(|&k| !ring[k] && ring[(k + 1) % 8]).count();
                let [n, _, e, _, s, _, w_, _] = ring;
                let open = if first { !(n && e && s) && !(e && s && w_) } else { !(n && e && w_) && !(n && s && w_) };
                if (2..=6).contains(&neighbours) && transitions == 1 && open {
                    next[i] = false;
                    removed += 1;
                }
            }
        }
        removed
    }

    pub fn run(n: usize) -> (Vec<u8>, Vec<u8>, Vec<bool>, usize) {
        let w = n.max(1);
        let img: Vec<u8> = (0..n * n).map(|i| ((i * i * 31 + i * 7) % 251) as u8).collect();
        let (mut a, mut b, mut hat) = (vec![0; n * n], vec![0; n * n], vec![0; n * n]);
        erode::<1>(&img, &mut a, w);
        dilate::<1>(&a, &mut b, w);
        top_hat(&img, &b, &mut hat);
        dilate::<2>(&img, &mut a, w);
        let mut mask: Vec<bool> = (0..n * n).map(|i| (i % w / 4 + i / w / 5) % 3 != 0).collect();
        let mut total = 0;
        let mut first = true;
        for _ in 0..4 {
            let mut next = mask.clone();
            total += thin_step(&mask, &mut next, n, first);
            std::mem::swap(&mut mask, &mut next);
            first = !first;
        }
        (hat, a, mask, total)
    }
}
port!(morphology: [0, 1, 19, 40].map(|n| crate::Shown::of(run(n))));
