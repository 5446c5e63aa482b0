//! Parboil's sum of absolute differences: motion vectors of blocks.
use omp_tests::{Values, twice};
twice! {
    const BLOCK: usize = 4;
    const RANGE: i32 = 3;

    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, omp::Device)]
    pub struct Vector { dx: i8, dy: i8, sad: u16 }

    pub struct Frame<'a> { width: usize, height: usize, luma: &'a [u8] }

    #[omp::declare_target]
    fn sad_4x4(cur: &[u8], reference: &[u8], stride: usize, at: usize, there: usize) -> u16 {
        (0..BLOCK)
            .map(|row| {
                let a = &cur[at + row * stride..][..BLOCK];
                let b = &reference[there + row * stride..][..BLOCK];
                a.iter().zip(b).map(|(&p, &q)| p.abs_diff(q) as u16).sum::<u16>()
            })
            .sum()
    }

    pub fn search(cur: &Frame, reference: &Frame) -> Vec<Vector> {
        let (bw, bh) = (cur.width / BLOCK, cur.height / BLOCK);
        let mut found = vec![Vector::default(); bw * bh];
        let stride = cur.width;
        let (w, h) = (cur.width as i32, cur.height as i32);
        #[omp::target]
        for (k, out) in found.iter_mut().enumerate() {
            let (bx, by) = ((k % bw * BLOCK) as i32, (k / bw * BLOCK) as i32);
            let mut best: Option<Vector> = None;
            for dy in -RANGE..=RANGE {
                for dx in -RANGE..=RANGE {
                    let (x, y) = (bx + dx, by + dy);
                    if x < 0 || y < 0 || x + BLOCK as i32 > w || y + BLOCK as i32 > h {
                        continue;
                    }
                    let sad = sad_4x4(cur.luma, reference.luma, stride, by as usize * stride + bx as usize, y as usize * stride + x as usize);
                    if best.map_or(true, |b| sad < b.sad) {
                        best = Some(Vector { dx: dx as i8, dy: dy as i8, sad });
                    }
                }
            }
            *out = best.unwrap_or_default();
        }
        found
    }

    pub fn run() -> (Vec<i8>, Vec<i8>, Vec<u16>) {
        let mut v = Values(9);
        let a: Vec<u8> = (0..32 * 24).map(|_| v.bits() as u8).collect();
        let b: Vec<u8> = (0..32 * 24).map(|k| a[(k + 32 + 2) % a.len()].wrapping_add((v.bits() % 3) as u8)).collect();
        let cur = Frame { width: 32, height: 24, luma: &a };
        let reference = Frame { width: 32, height: 24, luma: &b };
        let r = search(&cur, &reference);
        (r.iter().map(|v| v.dx).collect(), r.iter().map(|v| v.dy).collect(), r.iter().map(|v| v.sad).collect())
    }
}
port!(sad: run());
