//! Options of parts and elements of an array under names: `let above = y.checked_sub(1).map(|k| &x[k * n..][..n]);`.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{on_every_device, panic_of, twice};

twice! {
    pub fn closure(p: &[u8], w: usize, out: &mut [u32]) {
        #[omp::target]
        for (y, o) in out.iter_mut().enumerate() {
            let above = y.checked_sub(1).map(|k| &p[k * w..][..w]);
            *o = above.map_or(7, |r| r.iter().map(|&v| v as u32).sum());
        }
    }
    pub fn branch(p: &[u8], w: usize, out: &mut [u32]) {
        #[omp::target]
        for (y, o) in out.iter_mut().enumerate() {
            let above = if y > 0 { Some(&p[(y - 1) * w..y * w]) } else { None };
            *o = match above { Some(r) => r[0] as u32 + r.len() as u32, None => 99 };
        }
    }
    pub fn condition(p: &[u8], w: usize, out: &mut [u32]) {
        #[omp::target]
        for (y, o) in out.iter_mut().enumerate() {
            let above = (y > 0).then(|| &p[(y - 1) * w..y * w]);
            for x in 0..w {
                let up = above.map_or(0, |a| a[x]);
                let corner = match above { Some(a) if x >= 2 => a[x - 2], _ => 0 };
                *o += up as u32 * 3 + corner as u32;
            }
        }
    }
    pub fn captured(p: &[u8], w: usize, out: &mut [u32]) {
        #[omp::target]
        for (y, o) in out.iter_mut().enumerate() {
            let above = y.checked_sub(1).map(|k| &p[k * w..][..w]);
            let f = |x: usize| above.map_or(0, |a| a[x]) as u32 + match above { Some(a) if x >= 2 => a[x - 2] as u32, _ => 0 };
            *o = (0..w).map(|x| f(x)).sum();
        }
    }
    pub fn element(p: &[[u8; 4]], out: &mut [u32]) {
        #[omp::target]
        for (y, o) in out.iter_mut().enumerate() {
            let above = y.checked_sub(1).map(|k| &p[k]);
            if let Some(r) = above { *o = r[1] as u32; }
        }
    }
    #[omp::declare_target]
    fn sum(r: &[u8]) -> u32 { r.iter().map(|&v| v as u32).sum() }
    #[omp::declare_target]
    fn edge(p: &[u8], w: usize, y: usize) -> Option<u32> {
        let above: Option<&[u8]> = if y == 0 { None } else { Some(&p[(y - 1) * w..=y * w - 1]) };
        let Some(row) = above else { return None };
        let below = (y < 5).then_some(&p[w * 2..]);
        let k = below.is_none_or(|b| b.len() > 3);
        Some(sum(row) + k as u32 + below.map_or(0, sum) + below.map_or_else(|| 3, |_| 4))
    }
    pub fn in_function(p: &[u8], w: usize, out: &mut [u32]) {
        #[omp::target]
        for (y, o) in out.iter_mut().enumerate() { *o = edge(p, w, y).unwrap_or(77); }
    }
    pub fn chosen(p: &[u8], w: usize, out: &mut [u32]) {
        #[omp::target]
        for (y, o) in out.iter_mut().enumerate() {
            let above = match y { 0 => None::<&[u8]>, 1 => Some(&p[..w]), n if n > 6 => None, n => Some(&p[n * w / 2..][..w]) };
            *o = match above { Some(r) if r[0] % 2 == 0 => sum(r), Some(_) => 5, None => 6 };
            if let Some(r) = above { *o += r[1] as u32; } else if above.is_none() { *o += 1000; }
            if above.is_some() { let r = above.unwrap(); *o += r.last().copied().unwrap_or(3) as u32 + above.expect("there is one").len() as u32; }
            let q = above.map(|r| r[0]);
            *o += q.map_or(1, |v| v as u32 * 2);
            let n = above.and_then(|r| r.iter().position(|&v| v % 3 == 0));
            *o += n.unwrap_or(100) as u32;
        }
    }
    pub struct Image { pub w: usize, pub data: Vec<u8> }
    impl Image {
        pub fn rows(&self, out: &mut [u32]) {
            let w = self.w;
            #[omp::target]
            for (y, o) in out.iter_mut().enumerate() {
                let rows = (0..2).map(|k| &self.data[(y + k) * w..][..w]);
                *o = rows.map(|r| r[0] as u32).sum();
                let up = (y > 1).then(|| &self.data[y]);
                *o += up.map_or(9, |v| *v as u32) + up.copied().unwrap_or(3) as u32;
                let left = y.checked_sub(1).and_then(|k| if k % 2 == 0 { Some(&self.data[k..y]) } else { None });
                for x in 0..3u32 { let f = |r: u32| left.map_or(r, |l| l[0] as u32 * r); *o += f(x); }
                *o += std::cmp::min(left.is_some() as u32, 3);
            }
        }
    }
    pub fn arrays(p: &[[u8; 4]], out: &mut [u32]) {
        #[omp::target]
        for i in 0..out.len() {
            let near = i.checked_sub(2).map(|k| &p[k]);
            let Some(row) = near else { out[i] = 1; continue };
            out[i] = row.iter().map(|&v| v as u32).sum();
            if let Some([a, .., b]) = near { out[i] += (a ^ b) as u32; }
        }
    }
    pub fn unused(p: &[u8], w: usize, out: &mut [u32]) {
        #[omp::target]
        for (y, o) in out.iter_mut().enumerate() {
            let above = y.checked_sub(1).map(|k| &p[k * w..][..w]);
            *o = above.is_some() as u32;
        }
    }
    pub fn bounds(p: &[u8], q: &[Option<usize>], out: &mut [u32]) {
        #[omp::target]
        for (y, o) in out.iter_mut().enumerate() {
            let mut rest = &p[y..];
            let two = (y % 3 < 2).then(|| &p[y << 1..][..1 | 2]);
            *o = two.map_or(0, |t| t[0] as u32 + t.len() as u32 * 100);
            rest = &rest[2..];
            *o += rest[0] as u32;
            let three = if let Some(k) = q[y % q.len()] { Some(&p[k..=k + 1 << 1]) } else { None };
            let n = if let Some(t) = three { t.len() } else { 0 };
            *o += n as u32 * 3;
            let s = &p[1..];
            let four = if y > 2 { Some(&s[..3]) } else { None };
            *o += four.is_some_and(|t| t[0] % 2 == 1) as u32;
        }
    }
}

type Rows = fn(&[u8], usize, &mut [u32]);

#[test]
fn parts() {
    let p: Vec<u8> = (0..40u8).map(|k| k.wrapping_mul(37)).collect();
    let forms: [(Rows, Rows); 6] = [
        (device::closure, plain::closure),
        (device::branch, plain::branch),
        (device::condition, plain::condition),
        (device::captured, plain::captured),
        (device::in_function, plain::in_function),
        (device::chosen, plain::chosen),
    ];
    on_every_device(|d| {
        omp::set_default_device(d);
        for (k, (run, serial)) in forms.iter().enumerate() {
            for n in [9, 1, 0] {
                let (mut got, mut want) = (vec![0; n], vec![0; n]);
                run(&p, 4, &mut got);
                serial(&p, 4, &mut want);
                assert_eq!(got, want, "form {k} on device {d}");
            }
        }
        let (mut got, mut want) = ([0; 9], [0; 9]);
        device::Image { w: 4, data: p.clone() }.rows(&mut got);
        plain::Image { w: 4, data: p.clone() }.rows(&mut want);
        assert_eq!(got, want, "device {d}");
        let q = [None, Some(3), Some(7)];
        let p: Vec<u8> = p.iter().chain(&p).copied().collect();
        device::bounds(&p, &q, &mut got);
        plain::bounds(&p, &q, &mut want);
        assert_eq!(got, want, "device {d}");
    });
}

#[test]
fn elements() {
    let p: Vec<[u8; 4]> = (0..10u8).map(|k| [k, k * 3, 7, k ^ 5]).collect();
    on_every_device(|d| {
        omp::set_default_device(d);
        let (mut got, mut want) = ([0; 9], [0; 9]);
        device::element(&p, &mut got);
        plain::element(&p, &mut want);
        assert_eq!(got, want, "device {d}");
        device::arrays(&p, &mut got);
        plain::arrays(&p, &mut want);
        assert_eq!(got, want, "device {d}");
    });
}

/// A part is checked where it is made, as in Rust.
#[test]
fn parts_that_are_not_there() {
    let p = [0; 31];
    assert!(panic_of(|| plain::unused(&p, 4, &mut [0; 9])).is_some());
    on_every_device(|d| {
        omp::set_default_device(d);
        device::unused(&p, 4, &mut [0; 8]);
        let text = panic_of(|| device::unused(&p, 4, &mut [0; 9])).unwrap_or_default();
        assert!(
            text.starts_with("range end index 32 out of range for slice of length 31"),
            "device {d}: {text}"
        );
    });
}
